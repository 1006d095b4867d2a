"""Wheels and what turns with them or carries them: rim, tyre, nut, hub, brake disc, caliper, upright.

All are built about the wheel's centre with +X pointing out of the car, and are symmetric front to back: the
other side's part is the same part turned by half a turn about Z.
"""

import math

import cadquery as cq

from samples.formula import palette
from samples.formula.parameters import Parameters
from samples.formula.solids import Point2, cylinder, one_solid, plate, point
from samples.products import Part, group, place

# Planes of a wheel along its axis, from its middle plane outwards, mm. The hub's flange carries the wheel.
_FLANGE = (25.0, 35.0)
_CENTRE = (35.0, 50.0)
_UPRIGHT = (-55.0, -20.0)
_AXLE_RADIUS = 35.0
_SPOKES = 5
_FLANGE_INSET, _FLANGE_WIDTH = 6.0, 5.0  # of the rim, from the tyre's sides


def _turned_about_x(profile: list[Point2]) -> cq.Solid:
    """A turned part about the X axis; `profile` holds (x, radius)."""
    work = cq.Workplane("XY").polyline(profile).close()
    return one_solid(work.revolve(360, (0, 0, 0), (1, 0, 0)))


def wheel(p: Parameters) -> cq.Assembly:
    """Rim, tyre and central nut."""
    assembly = group("Wheel")
    place(assembly, Part("Wheel rim", _rim(p), palette.ALUMINIUM), "Rim")
    place(assembly, Part("Slick tyre", _tyre(p), palette.RUBBER), "Tyre")
    place(assembly, Part("Wheel nut", _nut(), palette.ANODISED))
    return assembly


def _rim(p: Parameters) -> cq.Solid:
    seat, half, wall = p.rim_diameter / 2, p.tyre_width / 2 - _FLANGE_INSET, 4.0
    barrel = _turned_about_x(
        [
            (-half, seat - wall),
            (half, seat - wall),
            (half, seat + 14),
            (half - _FLANGE_WIDTH, seat + 14),
            (half - _FLANGE_WIDTH, seat),
            (_FLANGE_WIDTH - half, seat),
            (_FLANGE_WIDTH - half, seat + 14),
            (-half, seat + 14),
        ]
    )
    inner, outer = _CENTRE
    centre = cq.Workplane("YZ").workplane(offset=inner).circle(62).circle(20).extrude(outer - inner)
    rim = cq.Workplane(barrel).union(centre)
    for index in range(_SPOKES):
        # One spoke points straight up, which makes the wheel symmetric front to back.
        spoke = (
            cq.Workplane("YZ")
            .workplane(offset=inner)
            .polyline([(-17, 50), (17, 50), (11, seat - wall / 2), (-11, seat - wall / 2)])
            .close()
            .extrude(outer - inner - 3)
            .rotate((0, 0, 0), (1, 0, 0), 360 / _SPOKES * index)
        )
        rim = rim.union(spoke)
    return one_solid(rim)


def _tyre(p: Parameters) -> cq.Solid:
    seat, outer, half = p.rim_diameter / 2, p.tyre_diameter / 2, p.tyre_width / 2
    bead, shoulder = half - _FLANGE_INSET - _FLANGE_WIDTH, 26.0
    outline = (
        cq.Workplane("XY")
        .moveTo(-bead, seat)
        .lineTo(-bead, seat + 15)
        .lineTo(-half, seat + 42)
        .lineTo(-half, outer - shoulder)
        .threePointArc(_on_arc(-half + shoulder, outer - shoulder, shoulder, 135), (-half + shoulder, outer))
        .lineTo(half - shoulder, outer)
        .threePointArc(_on_arc(half - shoulder, outer - shoulder, shoulder, 45), (half, outer - shoulder))
        .lineTo(half, seat + 42)
        .lineTo(bead, seat + 15)
        .lineTo(bead, seat)
        .lineTo(bead - 12, seat)
        .lineTo(half - 12, seat + 42)
        .lineTo(half - 12, outer - shoulder - 4)
        .lineTo(half - shoulder, outer - 12)
        .lineTo(shoulder - half, outer - 12)
        .lineTo(12 - half, outer - shoulder - 4)
        .lineTo(12 - half, seat + 42)
        .lineTo(12 - bead, seat)
        .close()
    )
    return one_solid(outline.revolve(360, (0, 0, 0), (1, 0, 0)))


def _on_arc(x: float, y: float, radius: float, degrees: float) -> Point2:
    return x + radius * math.cos(math.radians(degrees)), y + radius * math.sin(math.radians(degrees))


def _nut() -> cq.Solid:
    start = _CENTRE[1]
    body = cq.Workplane("YZ").workplane(offset=start).polygon(6, 56).circle(15).extrude(20)
    return one_solid(body)


def upright_unit(p: Parameters, rise: float) -> cq.Assembly:
    """Upright, hub and brake disc; the ball joints lie `rise` above and below the axle."""
    unit = group("Upright unit")
    place(unit, _upright(p, rise), "Upright")
    place(unit, _hub(), "Hub")
    place(unit, _brake_disc(p), "Brake disc")
    return unit


def _hub() -> Part:
    """Axle through the upright, seat of the brake disc, flange and spigot for the wheel."""
    profile = [
        (-72, 0),
        (-72, 25),
        (_UPRIGHT[0], 25),
        (_UPRIGHT[0], _AXLE_RADIUS),
        (_UPRIGHT[1], _AXLE_RADIUS),
        (_UPRIGHT[1], 30),
        (_FLANGE[0], 30),
        (_FLANGE[0], 56),
        (_FLANGE[1], 56),
        (_FLANGE[1], 20),
        (_CENTRE[1], 20),
        (_CENTRE[1], 15),
        (_CENTRE[1] + 26, 15),
        (_CENTRE[1] + 26, 0),
    ]
    return Part("Wheel hub", _turned_about_x([(float(x), float(r)) for x, r in profile]), palette.STEEL)


def _brake_disc(p: Parameters) -> Part:
    """A flat disc in the wheel's middle plane with a ring of cooling holes."""
    radius, half = p.brake_disc_diameter / 2, p.brake_disc_thickness / 2
    disc = (
        cq.Workplane("YZ")
        .workplane(offset=-half)
        .circle(radius)
        .circle(30)
        .polarArray((radius + 40) / 2, 0, 360, 12)
        .circle(7)
        .extrude(2 * half)
    )
    return Part("Drilled brake disc", one_solid(disc), palette.STEEL)


def caliper(p: Parameters) -> Part:
    """Brake caliper about the wheel's centre, at the +Y end of the disc. Symmetric about the disc."""
    tip = p.brake_disc_diameter / 2
    body = cq.Workplane().box(56, 38, 56).translate((0, tip - 13, 0)).edges("|X and >Y").chamfer(8)
    slot = cq.Workplane().box(p.brake_disc_thickness + 5, 40, 60).translate((0, tip - 18, 0))
    return Part("Brake caliper", one_solid(body.cut(slot)), palette.LIVERY)


def _upright(p: Parameters, rise: float) -> Part:
    """Carrier of the hub, with slots for ball joints `rise` above and below the axle, and caliper ears."""
    inner, outer = _UPRIGHT
    middle, thickness = (inner + outer) / 2, outer - inner
    top = rise + 17
    side = [(45.0, 32.0), (18.0, rise - 14), (18.0, top)]
    outline = side + [(-y, z) for y, z in reversed(side)]
    outline += [(-y, -z) for y, z in side] + [(y, -z) for y, z in reversed(side)]
    body = cq.Workplane(plate(outline, thickness).moved(cq.Location(point(middle, 0, 0))))
    ear_end = p.brake_disc_diameter / 2 - 18
    ears = cq.Workplane().box(22, 2 * ear_end, 40).translate((-39, 0, 0))
    body = body.union(ears)
    body = body.cut(cq.Workplane(cylinder(_AXLE_RADIUS, point(inner - 1, 0, 0), point(outer + 1, 0, 0))))
    for z in (-rise, rise):
        body = body.cut(cq.Workplane().box(36, 40, 17).translate((outer - 4.5 - 18, 0, z)))
        body = body.union(cq.Workplane(cylinder(5, point(-44, 0, z - 15), point(-44, 0, z + 15))))
    return Part("Machined upright", one_solid(body), palette.ANODISED)
