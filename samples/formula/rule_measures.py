"""What the rulebook limits, measured on the car: `rule_limits.yaml` names these measures rule by rule.

Sizes come from the boxes of the built parts; angles, axes and walls, which no box shows, from the car's layout and
parameters.
"""

import math
from collections.abc import Callable
from typing import Any

from samples.formula.layout import layout
from samples.formula.model import build
from samples.formula.parameters import Parameters
from samples.parameter_table import from_values
from samples.products import leaves


class Measured:
    """A built car with its parts' boxes."""

    def __init__(self, **parameters: float) -> None:
        self.p = from_values(Parameters, parameters)
        self.at = layout(self.p)
        self._shapes = {path: solid.moved(at) for path, _, solid, at in leaves(build(**parameters))}
        self._boxes: dict[str, Any] = {}

    @property
    def paths(self) -> list[str]:
        """The paths of all parts."""
        return list(self._shapes)

    def _path(self, name: str) -> str:
        """The path of the only part of that name, or end of a path.

        Raises:
            KeyError: no part has that name, or several have.
        """
        found = [path for path in self._shapes if path.endswith(f"/{name}")]
        if len(found) != 1:
            raise KeyError(f"{len(found)} parts are called {name!r}")
        return found[0]

    def _box(self, path: str) -> Any:
        if path not in self._boxes:
            self._boxes[path] = self._shapes[path].BoundingBox()
        return self._boxes[path]

    def shape(self, name: str) -> Any:
        """The solid of the only part of that name, in its place."""
        return self._shapes[self._path(name)]

    def box(self, name: str) -> Any:
        """The box of the only part of that name."""
        return self._box(self._path(name))

    def all(self, group: str = "") -> list[Any]:
        """The boxes of all parts, or of those in a group."""
        return [self._box(path) for path in self._shapes if f"/{group}" in path]

    def low(self, name: str, axis: str) -> float:
        """The lower end of a part along an axis."""
        return float(getattr(self.box(name), f"{axis}min"))

    def high(self, name: str, axis: str) -> float:
        """The upper end of a part along an axis."""
        return float(getattr(self.box(name), f"{axis}max"))

    def size(self, name: str, axis: str) -> float:
        """The extent of a part along an axis."""
        return self.high(name, axis) - self.low(name, axis)

    def middle(self, name: str, axis: str) -> float:
        """The middle of a part along an axis."""
        return (self.high(name, axis) + self.low(name, axis)) / 2


Measure = Callable[[Measured], float]
MEASURES: dict[str, Measure] = {}


def _measure(name: str) -> Callable[[Measure], Measure]:
    def add(function: Measure) -> Measure:
        assert name not in MEASURES, name
        MEASURES[name] = function
        return function

    return add


def _size(name: str, part: str, axis: str) -> None:
    _measure(name)(lambda car: car.size(part, axis))


def _low(name: str, part: str, axis: str) -> None:
    _measure(name)(lambda car: car.low(part, axis))


def _high(name: str, part: str, axis: str) -> None:
    _measure(name)(lambda car: car.high(part, axis))


def _between(name: str, first: str, second: str, axis: str) -> None:
    """The gap from the upper end of the first part to the lower end of the second one."""
    _measure(name)(lambda car: car.low(second, axis) - car.high(first, axis))


def _parameter(name: str, field: str) -> None:
    _measure(name)(lambda car: float(getattr(car.p, field)))


# Stance
_measure("wheelbase")(lambda car: car.middle("Wheel RL/Tyre", "y") - car.middle("Wheel FL/Tyre", "y"))
_measure("front track")(lambda car: car.middle("Wheel FL/Tyre", "x") - car.middle("Wheel FR/Tyre", "x"))
_measure("rear track")(lambda car: car.middle("Wheel RL/Tyre", "x") - car.middle("Wheel RR/Tyre", "x"))
_measure("track ratio")(lambda car: 100 * MEASURES["rear track"](car) / MEASURES["front track"](car))
_measure("track difference")(lambda car: MEASURES["front track"](car) - MEASURES["rear track"](car))
_measure("front tyres off centre")(lambda car: abs(car.middle("Wheel FL/Tyre", "x") + car.middle("Wheel FR/Tyre", "x")))
_measure("overall length")(lambda car: max(b.ymax for b in car.all()) - min(b.ymin for b in car.all()))
_measure("overall width")(lambda car: max(b.xmax for b in car.all()) - min(b.xmin for b in car.all()))
_measure("overall height")(lambda car: max(b.zmax for b in car.all()))
_measure("front overhang")(lambda car: -min(b.ymin for b in car.all()))
_measure("rear overhang")(lambda car: max(b.ymax for b in car.all()) - car.p.wheelbase)
_low("ground clearance", "Flat floor", "z")
_size("tyre diameter", "Wheel FL/Tyre", "z")
_size("tyre width", "Wheel FL/Tyre", "x")
_parameter("rim diameter", "rim_diameter")

# Cockpit
_size("seat width", "Seat", "x")
_low("seat height", "Seat", "z")
_between("seat to firewall", "Seat", "Firewall", "y")
_high("seat top", "Seat", "z")
_size("head restraint width", "Head restraint plate", "x")
_size("head restraint height", "Head restraint plate", "z")
_size("head restraint pad thickness", "Head restraint pad", "y")
_measure("head restraint below main hoop")(
    lambda car: car.high("Main hoop", "z") - car.high("Head restraint plate", "z")
)
_size("firewall thickness", "Firewall", "y")
_high("firewall top", "Firewall", "z")
_between("pedals to bulkhead", "Front bulkhead", "Brake pedal", "y")
_between("pedal box to bulkhead", "Front bulkhead", "Pedal rail L", "y")
_between("pedal gap", "Throttle pedal", "Brake pedal", "x")
_size("brake pedal width", "Brake pedal", "x")
_size("pedal base width", "Pedal base", "x")
_size("dashboard thickness", "Dashboard", "y")
_between("steering wheel to dashboard", "Dashboard", "Steering wheel", "y")
_size("shutdown button diameter", "Cockpit shutdown button", "x")
_measure("side shutdown button height")(lambda car: car.middle("Side shutdown button L", "z"))

# Lights and recovery
_size("brake light width", "Brake light", "x")
_measure("brake light height")(lambda car: car.middle("Brake light", "z"))
_measure("brake light off centre")(lambda car: abs(car.middle("Brake light", "x")))
_measure("active light below main hoop")(
    lambda car: car.high("Main hoop", "z") - car.high("Tractive system active light", "z")
)
_size("jacking bar diameter", "Jacking bar", "z")
_size("jacking bar length", "Jacking bar", "x")
_measure("jacking bar height")(lambda car: car.middle("Jacking bar", "z"))
_between("jacking bar to rear bulkhead", "Rear bulkhead", "Jacking bar", "y")

# Frame
_parameter("hoop diameter", "hoop_diameter")
_parameter("hoop wall", "hoop_wall")
_parameter("tube diameter", "tube_diameter")
_parameter("tube wall", "tube_wall")


@_measure("hoop section area")
def _hoop_area(car: Measured) -> float:
    inner = car.p.hoop_diameter - 2 * car.p.hoop_wall
    return math.pi / 4 * (car.p.hoop_diameter**2 - inner**2)


_measure("hoop distance")(lambda car: car.middle("Main hoop", "y") - car.middle("Front hoop", "y"))
_high("main hoop top", "Main hoop", "z")
_measure("main hoop above side impact tube")(
    lambda car: car.high("Main hoop", "z") - car.high("Upper side impact tube L", "z")
)
_measure("main hoop above front hoop")(lambda car: car.high("Main hoop", "z") - car.high("Front hoop", "z"))
_size("main hoop width", "Main hoop", "x")
_measure("main hoop feet")(lambda car: float(2 * car.at.frame.main_hoop.low.x))
_measure("front hoop above steering wheel")(lambda car: car.high("Front hoop", "z") - car.high("Steering wheel", "z"))
_high("front hoop top", "Front hoop", "z")
_measure("front hoop behind axle")(lambda car: car.middle("Front hoop", "y"))


@_measure("main hoop brace angle")
def _brace_angle(car: Measured) -> float:
    brace = car.at.frame.main_hoop_brace - car.at.frame.brace_foot
    return math.degrees(math.atan2(-brace.y, brace.z))


_measure("main hoop brace drop")(lambda car: car.high("Main hoop", "z") - float(car.at.frame.main_hoop_brace.z))
_measure("main hoop brace foot")(lambda car: float(car.at.frame.brace_foot.y - car.at.frame.main_hoop.low.y))
_measure("front hoop brace drop")(lambda car: car.high("Front hoop", "z") - float(car.at.frame.front_hoop_brace.z))
_measure("upper side impact tube height")(lambda car: car.middle("Upper side impact tube L", "z"))
_measure("side impact tube distance")(
    lambda car: car.middle("Upper side impact tube L", "z") - car.middle("Lower side impact tube L", "z")
)
_low("lower side impact tube underside", "Lower side impact tube L", "z")
_measure("harness bar height")(lambda car: car.middle("Harness bar", "z"))


@_measure("harness bar share")
def _harness_share(car: Measured) -> float:
    bar = car.middle("Harness bar", "z")
    return 100 * (bar - car.middle("Upper side impact tube L", "z")) / (car.high("Main hoop", "z") - bar)


# Front impact
_measure("bulkhead ahead of axle")(lambda car: -car.low("Front bulkhead", "y"))
_size("bulkhead width", "Front bulkhead", "x")
_size("bulkhead height", "Front bulkhead", "z")
_high("bulkhead top", "Front bulkhead", "z")
_size("attenuator length", "Impact attenuator", "y")
_size("attenuator width", "Impact attenuator", "x")
_size("attenuator height", "Impact attenuator", "z")


@_measure("attenuator front share")
def _attenuator_share(car: Measured) -> float:
    front = min(car.shape("Impact attenuator").Faces(), key=lambda face: face.Center().y).BoundingBox()
    return float(100 * front.xlen / car.size("Impact attenuator", "x"))


_measure("attenuator off centre")(lambda car: abs(car.middle("Impact attenuator", "x")))
_low("attenuator lower edge", "Impact attenuator", "z")
_size("anti-intrusion plate thickness", "Anti-intrusion plate", "y")

# Suspension, steering, brakes
_measure("front control arm pivots")(
    lambda car: car.middle("Lower rear pickup FL", "y") - car.middle("Lower front pickup FL", "y")
)
_measure("rear control arm pivots")(
    lambda car: car.middle("Lower rear pickup RL", "y") - car.middle("Lower front pickup RL", "y")
)
_measure("ball joint distance")(lambda car: float(car.at.front.upper_ball.z - car.at.front.lower_ball.z))
_size("steering wheel diameter", "Steering wheel", "x")
_measure("steering wheel behind front hoop")(lambda car: car.p.steering_wheel_offset)
_measure("steering wheel height")(lambda car: car.p.steering_wheel_height)
_measure("steering wheel above seat")(lambda car: car.low("Steering wheel", "z") - car.low("Seat", "z"))
_measure("rack mount distance")(lambda car: car.middle("Rack mount L", "x") - car.middle("Rack mount R", "x"))
_size("brake disc diameter", "Upright unit FL/Brake disc", "z")
_size("brake disc thickness", "Upright unit FL/Brake disc", "x")
_measure("brake disc to rim")(  # the rim's barrel is 4 mm thick
    lambda car: car.p.rim_diameter / 2 - 4 - car.size("Upright unit FL/Brake disc", "z") / 2
)

# Wings and floor
_measure("front wing reach")(lambda car: car.low("Wheel FL/Tyre", "y") - car.low("Front wing endplate L", "y"))
_measure("front wing span")(lambda car: car.high("Front wing endplate L", "x") - car.low("Front wing endplate R", "x"))
_measure("front wing inside tyre")(lambda car: car.high("Wheel FL/Tyre", "x") - car.high("Front wing endplate L", "x"))
_measure("front wing bottom")(lambda car: min(b.zmin for b in car.all("Aerodynamics/Front wing/")))
_measure("front wing top")(lambda car: max(b.zmax for b in car.all("Aerodynamics/Front wing/")))
_between("front wing to tyre", "Front wing endplate L", "Wheel FL/Tyre", "y")
_size("front wing main plane length", "Front wing main plane", "y")
_between("pylon distance", "Front wing pylon R", "Front wing pylon L", "x")
_low("front wing main plane height", "Front wing main plane", "z")
_size("front wing endplate thickness", "Front wing endplate L", "x")
_measure("rear wing reach")(lambda car: car.high("Rear wing endplate L", "y") - car.high("Wheel RL/Tyre", "y"))
_high("rear wing top", "Rear wing endplate L", "z")
_between("rear wing to tyre face", "Rear wing endplate L", "Wheel RL/Tyre", "x")
_low("rear wing bottom", "Rear wing endplate L", "z")
_measure("rear wing behind main hoop")(lambda car: car.low("Rear wing endplate L", "y") - car.middle("Main hoop", "y"))
_measure("rear wing below main hoop")(lambda car: car.high("Main hoop", "z") - car.high("Rear wing endplate L", "z"))
_size("rear wing main plane length", "Rear wing main plane", "y")
_size("rear wing endplate height", "Rear wing endplate L", "z")
_measure("rear wing span")(lambda car: car.high("Rear wing endplate L", "x") - car.low("Rear wing endplate R", "x"))
_measure("wing span ratio")(lambda car: 100 * MEASURES["rear wing span"](car) / MEASURES["front wing span"](car))
_measure("sum of wing reaches")(lambda car: MEASURES["front wing reach"](car) + MEASURES["rear wing reach"](car))
_measure("undertray width")(lambda car: car.high("Floor fence L", "x") - car.low("Floor fence R", "x"))
_size("flat floor thickness", "Flat floor", "z")
_measure("diffuser reach")(lambda car: car.high("Diffuser", "y") - car.high("Wheel RL/Tyre", "y"))
_high("diffuser top", "Diffuser", "z")
_high("floor fence top", "Floor fence L", "z")
_between("side floor to front tyre", "Wheel FL/Tyre", "Side floor L", "y")
_high("radiator top", "Radiator L", "z")

# Accumulator and drivetrain
_parameter("accumulator floor thickness", "accumulator_floor_thickness")
_parameter("accumulator wall thickness", "accumulator_wall_thickness")
_size("accumulator lid thickness", "Accumulator lid", "z")
_size("accumulator width", "Accumulator container", "x")
_size("accumulator height", "Accumulator container", "z")
_measure("accumulator behind main hoop")(
    lambda car: car.low("Accumulator container", "y") - car.middle("Main hoop", "y")
)
_low("accumulator underside", "Accumulator container", "z")
_measure("battery segments")(lambda car: float(len(car.all("Accumulator/Battery segment"))))
_between("segment gap", "Battery segment 1", "Battery segment 2", "x")
_measure("segment to wall")(
    lambda car: (
        car.high("Accumulator container", "x") - car.p.accumulator_wall_thickness - car.high("Battery segment 5", "x")
    )
)
_measure("maintenance plug off centre")(lambda car: abs(car.middle("Maintenance plug", "x")))
_low("low-voltage battery underside", "Low-voltage battery", "z")
_size("motor diameter", "Motor", "z")
_measure("motor ahead of axle")(lambda car: car.p.wheelbase - car.middle("Motor", "y"))
_measure("sprocket ratio")(lambda car: car.p.rear_sprocket_diameter / car.p.drive_sprocket_diameter)
_size("half shaft diameter", "Half shaft L", "z")
