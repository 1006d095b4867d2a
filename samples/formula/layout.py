"""Where things are: the key points of the car, derived from its parameters.

Axes: X to the driver's left, Y to the rear, Z up; the origin lies on the ground below the front axle's
middle.
Points of pairs are given for the left side (X above zero).
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

from samples.formula.parameters import Parameters
from samples.formula.solids import Point, at_y, at_z, between, mirrored, point

# Stations of the frame that no rule limits, mm.
_FRONT_VERTICAL = 170.0  # ahead of the front axle
_REAR_VERTICAL = 130.0  # ahead of the rear axle
_REAR_BULKHEAD = 110.0  # behind the rear axle
_BALL_JOINT_RISE = 88.0  # ball joints above and below the wheel's centre
RING_BEND = 20.0  # of the front and rear bulkheads
RING_INSET = RING_BEND * (1 - math.sqrt(0.5))  # of their nodes from the corners, along each side
LINK_REACH, LINK_DROP = 75.0, 60.0  # outer joints of tie rods and toe links, from the wheel's centre
PULL_ROD_REACH = 60.0  # of the pull rod's outer joint from the upper ball joint, along the arm
ROCKER_ARM = 50.0  # both arms of a rocker
ACCUMULATOR_GAP = 30.0  # between the main hoop's plane and the accumulator
_PICKUP_REACH = 35.0  # pivots of the control arms beside the tube that carries them


@dataclass(frozen=True)
class Hoop:
    """Half of a roll hoop's axis: a leg with a knee, and a rounded top corner."""

    low: Point
    knee: Point
    corner: Point  # where leg and top would meet without the bend
    bend: float  # radius

    def at(self, z: float) -> Point:
        """The point of the axis at that height."""
        if z <= self.knee.z:
            return at_z(self.low, self.knee, z)
        leg = (self.knee - self.corner).normalized()
        half = math.acos(-leg.x) / 2
        start = self.corner + leg * (self.bend / math.tan(half))
        if z <= start.z:
            return at_z(self.knee, self.corner, z)
        centre = self.corner + (leg + point(-1, 0, 0)).normalized() * (self.bend / math.sin(half))
        return point(centre.x + math.sqrt(self.bend**2 - (z - centre.z) ** 2), self.corner.y, z)

    def axis(self) -> list[Point]:
        """The corners of the whole axis, from the left foot to the right one."""
        left = [self.low, self.knee, self.corner]
        return left + [mirrored(p, -1) for p in reversed(left)]


@dataclass(frozen=True)
class Frame:
    """The nodes of the tube frame, on the tubes' axes, left side."""

    bulkhead_low: Point
    bulkhead_high: Point
    vertical_low: Point
    vertical_high: Point
    front_hoop: Hoop
    front_hoop_brace: Point
    main_hoop: Hoop
    main_hoop_brace: Point
    brace_foot: Point
    rear_low: Point
    rear_high: Point
    tail_low: Point
    tail_high: Point


@dataclass(frozen=True)
class Corner:
    """The joints of one wheel's suspension, left side."""

    wheel: Point
    lower_ball: Point
    upper_ball: Point
    lower_pickups: tuple[Point, Point]  # front, rear
    upper_pickups: tuple[Point, Point]
    link_inner: Point  # tie rod or toe link
    link_outer: Point
    pull_rod_outer: Point
    post_foot: Point  # where the rocker's post meets the frame
    rearward: float  # +1 if the damper lies behind the rocker, else -1
    damper_end: Point
    damper_foot: Point  # where the damper's mount meets the frame
    rocker: Point
    rocker_out: Point  # unit, from the rocker's pivot towards the pull rod, across the car


@dataclass(frozen=True)
class Layout:
    """All key points of one car."""

    frame: Frame
    front: Corner
    rear: Corner
    floor: float  # height of the lower tubes' axes


def layout(p: Parameters) -> Layout:
    """Derive the key points.

    Raises:
        ValueError: the parameters contradict each other.
    """
    frame = _frame(p)
    return Layout(frame, _front(p, frame), _rear(p, frame), floor_height(p))


def floor_height(p: Parameters) -> float:
    """Height of the axes of the lower frame tubes: they lie on the undertray."""
    return p.ground_clearance + p.undertray_thickness + p.tube_diameter / 2


def _frame(p: Parameters) -> Frame:
    floor = floor_height(p)
    waist = floor + p.side_impact_height
    # The nodes of a bent ring lie on its corners' bends, so that the tubes that end there stay within it.
    half_bulkhead = p.bulkhead_width / 2 - RING_INSET
    bulkhead_low = point(half_bulkhead, -p.bulkhead_position, floor + 55)
    bulkhead_high = bulkhead_low + point(0, 0, p.bulkhead_height - 2 * RING_INSET)

    y = p.front_hoop_position
    top = p.front_hoop_height - p.hoop_diameter / 2
    front_hoop = Hoop(point(210, y, floor), point(240, y, waist), point(175, y, top), bend=90)

    y = p.main_hoop_position
    top = p.main_hoop_height - p.hoop_diameter / 2
    half = p.main_hoop_width / 2
    main_hoop = Hoop(point(half - 5, y, floor), point(half, y, waist), point(165, y, top), bend=120)
    brace = main_hoop.at(p.main_hoop_height - p.main_hoop_brace_drop)

    vertical_y, rear_y, tail_y = -_FRONT_VERTICAL, p.wheelbase - _REAR_VERTICAL, p.wheelbase + _REAR_BULKHEAD
    rear_low, rear_high = point(195, rear_y, floor), point(195, rear_y, waist)
    tail_low, tail_high = point(185, tail_y, floor + 52), point(185, tail_y, waist)

    accumulator_end = p.main_hoop_position + ACCUMULATOR_GAP + p.accumulator_length
    motor_start = p.wheelbase - p.chain_distance - p.motor_diameter / 2
    for ahead, behind, what in (
        (-p.bulkhead_position, vertical_y, "the front bulkhead must lie ahead of the front suspension"),
        (vertical_y, p.front_hoop_position, "the front hoop must lie behind the front suspension"),
        (p.front_hoop_position, p.main_hoop_position - 500, "the hoops leave no room for a driver"),
        (accumulator_end, motor_start, "the accumulator does not fit between the main hoop and the motor"),
    ):
        if ahead >= behind:
            raise ValueError(what)

    # The waist is level, so the foot of the brace follows from its angle alone.
    foot_y = y + (brace.z - waist) * math.tan(math.radians(p.main_hoop_brace_angle))
    if not y + 100 < foot_y <= tail_y:
        raise ValueError(
            f"main_hoop_brace_angle: the braces miss the rear frame at {p.main_hoop_brace_angle:g} degrees"
        )
    foot = at_y(main_hoop.knee, rear_high, foot_y) if foot_y < rear_y else at_y(rear_high, tail_high, foot_y)

    return Frame(
        bulkhead_low=bulkhead_low,
        bulkhead_high=bulkhead_high,
        vertical_low=at_y(bulkhead_low, front_hoop.low, vertical_y),
        vertical_high=point(200, vertical_y, waist),
        front_hoop=front_hoop,
        front_hoop_brace=front_hoop.at(p.front_hoop_height - p.front_hoop_brace_drop),
        main_hoop=main_hoop,
        main_hoop_brace=brace,
        brace_foot=foot,
        rear_low=rear_low,
        rear_high=rear_high,
        tail_low=tail_low,
        tail_high=tail_high,
    )


def _front(p: Parameters, frame: Frame) -> Corner:
    wheel = point(p.front_track / 2, 0, p.tyre_diameter / 2)

    def pickups(z: float) -> tuple[Point, Point]:
        front = at_z(frame.vertical_low, frame.vertical_high, z)
        return front + point(_PICKUP_REACH, 0, 0), frame.front_hoop.at(z) + point(_PICKUP_REACH, 0, 0)

    return _corner(
        wheel,
        lower=pickups(wheel.z - 118),
        upper=pickups(wheel.z + 62),
        link_side=-1,
        link_inner=point(235, -LINK_REACH, wheel.z - LINK_DROP),
        post_foot=at_y(frame.vertical_high, frame.front_hoop.low, 30),
        rearward=1,
        damper_length=p.front_hoop_position - 30,
        damper_foot=frame.front_hoop.at,
    )


def _rear(p: Parameters, frame: Frame) -> Corner:
    wheel = point(p.rear_track / 2, p.wheelbase, p.tyre_diameter / 2)

    def pickups(z: float) -> tuple[Point, Point]:
        front = at_z(frame.rear_low, frame.rear_high, z)
        return front + point(_PICKUP_REACH, 0, 0), beside_tail(z)

    def beside_tail(z: float) -> Point:
        return at_z(frame.tail_low, frame.tail_high, z) + point(RING_INSET + _PICKUP_REACH, 0, 0)

    diagonal = (frame.main_hoop.low, frame.rear_high)
    damper_length = 190.0
    return _corner(
        wheel,
        lower=pickups(wheel.z - 98),
        upper=pickups(wheel.z + 62),
        link_side=1,
        link_inner=beside_tail(wheel.z - LINK_DROP),
        post_foot=at_z(frame.rear_low, frame.rear_high, wheel.z - 10),
        rearward=-1,
        damper_length=damper_length,
        damper_foot=lambda z: at_y(*diagonal, frame.rear_low.y - damper_length),
    )


def _corner(
    wheel: Point,
    lower: tuple[Point, Point],
    upper: tuple[Point, Point],
    link_side: float,
    link_inner: Point,
    post_foot: Point,
    rearward: float,
    damper_length: float,
    damper_foot: Callable[[float], Point],
) -> Corner:
    lower_ball = wheel + point(-44, 0, -_BALL_JOINT_RISE)
    upper_ball = wheel + point(-44, 0, _BALL_JOINT_RISE)
    link_outer = wheel + point(-76, LINK_REACH * link_side, -LINK_DROP)
    pull_rod_outer = upper_ball + (between(*upper, 0.5) - upper_ball).normalized() * PULL_ROD_REACH

    # The rocker turns on a post that stands square to its plane. The plane holds the car's Y axis and the
    # pull rod's outer end, so its slope follows from the post's length.
    post = 50.0
    x, z = pull_rod_outer.x - post_foot.x, pull_rod_outer.z - post_foot.z
    slope = math.atan2(z, x) + math.asin(post / math.hypot(x, z))
    out, normal = point(math.cos(slope), 0, math.sin(slope)), point(-math.sin(slope), 0, math.cos(slope))
    rocker = post_foot - normal * post
    damper_end = rocker + out * ROCKER_ARM + point(0, rearward * damper_length, 0)
    return Corner(
        wheel=wheel,
        lower_ball=lower_ball,
        upper_ball=upper_ball,
        lower_pickups=lower,
        upper_pickups=upper,
        link_inner=link_inner,
        link_outer=link_outer,
        pull_rod_outer=pull_rod_outer,
        post_foot=post_foot,
        rearward=rearward,
        damper_end=damper_end,
        damper_foot=damper_foot(damper_end.z),
        rocker=rocker,
        rocker_out=out,
    )
