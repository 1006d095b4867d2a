"""The whole car. `build(**parameters)` is the one entry point."""

import cadquery as cq

from samples.formula.aero import aerodynamics
from samples.formula.cockpit import cockpit
from samples.formula.frame import frame
from samples.formula.layout import layout
from samples.formula.parameters import Parameters
from samples.formula.powertrain import accumulator, drivetrain
from samples.formula.safety import electrics, front_impact, jacking_point
from samples.formula.solids import point
from samples.formula.suspension import suspension
from samples.formula.wheels import wheel
from samples.parameter_table import from_values
from samples.products import group, place


def build(**parameters: float) -> cq.Assembly:
    """The car with some parameters replaced; see `samples.formula.parameters` for the table.

    Raises:
        ValueError: a parameter is unknown, or the values cannot make a car.
    """
    p = from_values(Parameters, parameters)
    at = layout(p)
    car = group("Formula student car")
    place(car, frame(p, at))
    place(car, front_impact(p, at))
    place(car, suspension(p, at))
    one_wheel = wheel(p)
    for name, corner, side in (
        ("Wheel FL", at.front, 1),
        ("Wheel FR", at.front, -1),
        ("Wheel RL", at.rear, 1),
        ("Wheel RR", at.rear, -1),
    ):
        # On the right a wheel is turned round, not mirrored, so that all four are the same.
        centre = point(side * corner.wheel.x, corner.wheel.y, corner.wheel.z)
        place(car, one_wheel, name, cq.Location(centre, point(0, 0, 1), 0 if side > 0 else 180))
    place(car, cockpit(p, at))
    place(car, accumulator(p, at))
    place(car, drivetrain(p, at))
    place(car, aerodynamics(p, at))
    place(car, jacking_point(p, at))
    place(car, electrics(p, at))
    return car
