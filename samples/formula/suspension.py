"""Control arms, pull rods, rockers, spring dampers, tie rods and what joins them to the frame.

Every part here is symmetric about a plane of its own, so the right side uses the same solids as the left one,
placed by the mirrored points.
"""

from dataclasses import dataclass

import cadquery as cq

from samples.formula import palette, wheels
from samples.formula.layout import LINK_DROP, LINK_REACH, PULL_ROD_REACH, ROCKER_ARM, Corner, Layout
from samples.formula.parameters import Parameters
from samples.formula.solids import (
    SIDES,
    Point,
    along,
    between,
    cylinder,
    framed,
    hull,
    linkage,
    mirrored,
    one_solid,
    plate,
    point,
    turned,
)
from samples.products import Part, group, place

_ARM_RADIUS = 6.5
_BALL_RADIUS = 9.0
_ARM_PLANE = -61.0  # middle of the steering arms, along the axle from the wheel's middle plane
# The ball joint's housing is wide enough to part the legs before they meet: every joint line is a circle.
_HOUSING_RADIUS, _HOUSING_HALF = 18.0, 8.0


def suspension(p: Parameters, at: Layout) -> cq.Assembly:
    """Both axles with uprights, hubs and brakes, in the car's axes."""
    shared = _Shared(
        wheels.upright_unit(p, at.front.upper_ball.z - at.front.wheel.z),
        wheels.caliper(p),
        _bracket(p),
        _steering_arm(),
        _rocker(),
    )
    assembly = group("Suspension")
    place(assembly, _axle("Front", at.front, shared))
    place(assembly, _axle("Rear", at.rear, shared))
    return assembly


@dataclass(frozen=True)
class _Shared:
    """What both axles have in common."""

    upright_unit: cq.Assembly
    caliper: Part
    bracket: Part
    arm: Part
    rocker: Part


def _axle(name: str, c: Corner, shared: _Shared) -> cq.Assembly:
    front = name == "Front"
    lower = _control_arm(f"{name} lower control arm", c.lower_ball, c.lower_pickups)
    upper = _control_arm(f"{name} upper control arm", c.upper_ball, c.upper_pickups, gusset=PULL_ROD_REACH)
    rocker_joint = c.rocker - point(0, c.rearward * ROCKER_ARM, 0)
    damper_start = c.rocker + c.rocker_out * ROCKER_ARM
    pull_rod = _rod(f"{name} pull rod", rocker_joint, c.pull_rod_outer)
    link = _rod("Tie rod" if front else "Toe link", c.link_inner, c.link_outer)
    post = Part(f"{name} rocker post", _post(c.post_foot, c.rocker), palette.STEEL)
    mount = Part(f"{name} damper mount", _post(c.damper_foot, c.damper_end), palette.STEEL)
    unit = _spring_damper(f"{name} spring damper unit", (c.damper_end - damper_start).Length)

    axle = group(f"{name} suspension")
    for letter, side in SIDES:
        corner = f"{name[0]}{letter}"

        def on(p: Point, side: float = side) -> Point:
            return mirrored(p, side)

        def outwards(p: Point, side: float = side) -> cq.Location:
            """At that point with local X out of the car: turned round on the right, not mirrored."""
            return cq.Location(mirrored(p, side), point(0, 0, 1), 0 if side > 0 else 180)

        place(axle, shared.upright_unit, f"Upright unit {corner}", outwards(c.wheel))
        # Brakes lie behind the front axle and ahead of the rear one, away from the tie rod or toe link. A
        # caliper is the same inside out.
        brake = cq.Location(on(c.wheel), point(0, 0, 1), 0 if front else 180)
        place(axle, shared.caliper, f"Brake caliper {corner}", brake)
        for part, ball, pickups, label in (
            (lower, c.lower_ball, c.lower_pickups, "Lower"),
            (upper, c.upper_ball, c.upper_pickups, "Upper"),
        ):
            place(axle, part, f"{label} control arm {corner}", _arm_frame(on(ball), *map(on, pickups)))
            for pickup, end in zip(pickups, ("front", "rear"), strict=True):
                place(axle, shared.bracket, f"{label} {end} pickup {corner}", outwards(pickup))
        place(axle, pull_rod, f"Pull rod {corner}", along(on(rocker_joint), on(c.pull_rod_outer)))
        rocker = framed(on(c.rocker), point(0, -c.rearward, 0), on(c.rocker_out))
        place(axle, shared.rocker, f"Rocker {corner}", rocker)
        place(axle, post, f"Rocker post {corner}", along(on(c.post_foot), on(c.rocker)))
        place(axle, unit, f"Spring damper unit {corner}", along(on(damper_start), on(c.damper_end)))
        place(axle, mount, f"Damper mount {corner}", along(on(c.damper_foot), on(c.damper_end)))
        place(axle, link, f"{link.product} {corner}", along(on(c.link_inner), on(c.link_outer)))
        ahead = point(0, -1 if front else 1, 0)
        arm = framed(on(c.wheel + point(_ARM_PLANE, 0, 0)), ahead, point(0, 0, 1))
        place(axle, shared.arm, f"{'Steering' if front else 'Toe'} arm {corner}", arm)
        if not front:
            place(axle, shared.bracket, f"Toe link pickup {corner}", outwards(c.link_inner))
    return axle


def _arm_frame(ball: Point, front: Point, rear: Point) -> cq.Location:
    """Local X from the ball joint to the middle of the pickups, local Y towards the front pickup."""
    return framed(ball, between(front, rear, 0.5) - ball, front - ball)


def _control_arm(name: str, ball: Point, pickups: tuple[Point, Point], gusset: float = 0) -> Part:
    """An A-arm in its own plane, see `_arm_frame`; a plate at the reach `gusset` takes the pull rod."""
    local = _arm_frame(ball, *pickups).inverse
    ends = [cq.Vertex.makeVertex(*q.toTuple()).moved(local).Center() for q in pickups]
    origin = point(0, 0, 0)
    housing = cq.Workplane().sphere(_HOUSING_RADIUS)
    housing = housing.intersect(cq.Workplane().box(50, 50, 2 * _HOUSING_HALF))
    shapes = [cylinder(_ARM_RADIUS, origin, end) for end in ends]
    shapes += [cq.Solid.makeSphere(10, end, angleDegrees1=-90) for end in ends]
    if gusset:
        near, far = ([end * (x / end.x) for end in ends] for x in (gusset - 10, gusset + 10))
        shapes.append(plate([(c.x, c.y) for c in (*near, *reversed(far))], 6, "XY"))
    return Part(name, one_solid(housing.val().fuse(*shapes)), palette.STEEL)


def _rod(name: str, start: Point, end: Point) -> Part:
    return Part(name, linkage((end - start).Length, _BALL_RADIUS, _ARM_RADIUS, 4.5), palette.STEEL)


def _bracket(p: Parameters) -> Part:
    """A clevis with its pin, about the pivot; the frame tube's axis lies 35 mm inwards (-X)."""
    base = -35 + p.tube_diameter / 2
    foot = cq.Workplane().box(8, 28, 24).translate((base + 2, 0, 0))
    tabs = [
        cq.Workplane("XZ", origin=(0, y, 0))
        .moveTo(base, -12)
        .lineTo(0, -11)
        .threePointArc((11, 0), (0, 11))
        .lineTo(base, 12)
        .close()
        .extrude(4)
        for y in (14, -10)
    ]
    pin = cq.Workplane(cylinder(4, point(0, -17, 0), point(0, 17, 0)))
    return Part("Suspension bracket", one_solid(foot.union(tabs[0]).union(tabs[1]).union(pin)), palette.STEEL)


def _rocker() -> Part:
    """Two cheeks around a hub; local X points to the pull rod's joint, local Y to the damper's."""
    circles = [(0.0, 0.0, 15.0), (ROCKER_ARM, 0.0, 12.0), (0.0, ROCKER_ARM, 12.0)]
    cheek = hull(circles, 4)
    body = cq.Workplane(cheek.moved(cq.Location(point(0, 0, 11)))).union(
        cq.Workplane(cheek.moved(cq.Location(point(0, 0, -11))))
    )
    body = body.union(cq.Workplane(cylinder(12, point(0, 0, -13), point(0, 0, 13))))
    body = body.cut(cq.Workplane(cylinder(8, point(0, 0, -14), point(0, 0, 14))))
    for x, y, _ in circles[1:]:
        body = body.union(cq.Workplane(cylinder(4, point(x, y, -15), point(x, y, 15))))
    return Part("Rocker", one_solid(body), palette.ANODISED)


def _post(foot: Point, end: Point) -> cq.Solid:
    """A stud along +Z from the axis of a frame tube, a little longer than the way to what it carries."""
    length = (end - foot).Length
    return turned([(0, 0), (11, 0), (11, length - 20), (8, length - 20), (8, length + 16), (0, length + 16)])


def _steering_arm() -> Part:
    """A plate on the upright's inner face, about the axle; local X points to the link's joint, Y up."""
    x, y = LINK_REACH, -LINK_DROP
    body = cq.Workplane(hull([(22.0, -42.0, 13.0), (x, y, 13.0)], 12))
    body = body.union(cq.Workplane(cylinder(4, point(x, y, -18), point(x, y, 18))))
    return Part("Steering arm", one_solid(body), palette.ANODISED)


def _spring_damper(name: str, length: float) -> cq.Assembly:
    """Damper and coil spring between two joints, along +Z from 0 to `length`."""
    seat = (34.0, length - 62)
    ball = _BALL_RADIUS
    body = turned(
        [
            (0, 0),
            (5, 0),
            (5, seat[0] - 4),
            (25, seat[0] - 4),
            (25, seat[0]),
            (5, seat[0]),
            (5, length / 2),
            (16, length / 2),
            (16, seat[1]),
            (25, seat[1]),
            (25, seat[1] + 6),
            (16, seat[1] + 6),
            (16, length - 22),
            (5, length - 22),
            (5, length),
            (0, length),
        ]
    )
    eyes = [cq.Solid.makeSphere(ball, point(0, 0, z), angleDegrees1=-90) for z in (0.0, length)]
    unit = group(name)
    prefix = name.split()[0]
    place(unit, Part(f"{prefix} damper", one_solid(body.fuse(*eyes)), palette.ANODISED), "Damper")
    place(unit, Part(f"{prefix} coil spring", _spring(*seat), palette.SPRING), "Coil spring")
    return unit


def _spring(start: float, end: float) -> cq.Solid:
    """A coil spring of round wire on a helix, its ends against the seats."""
    coils, radius, wire = 7, 21.0, 3.0
    height = end - start - 2 * wire
    helix = cq.Wire.makeHelix(height / coils, height, radius, point(0, 0, start + wire))
    section = cq.Workplane("XZ").center(radius, start + wire).circle(wire)
    return one_solid(section.sweep(cq.Workplane(helix), isFrenet=True))
