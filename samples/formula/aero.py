"""Front wing, rear wing and floor. Left and right parts are the same solids, moved along X."""

import math

import cadquery as cq

from samples.formula import palette
from samples.formula.layout import RING_INSET, Layout
from samples.formula.parameters import Parameters
from samples.formula.solids import (
    SIDES,
    Point2,
    along,
    at_y,
    at_z,
    mirrored,
    moved,
    one_solid,
    plate,
    point,
    tube,
)
from samples.products import Part, group, place


def aerodynamics(p: Parameters, at: Layout) -> cq.Assembly:
    """All aerodynamic devices, in the car's axes."""
    assembly = group("Aerodynamics")
    place(assembly, _front_wing(p, at))
    place(assembly, _rear_wing(p, at))
    place(assembly, _floor(p, at))
    return assembly


def _nose_radius(chord: float) -> float:
    return 0.045 * chord


def _aerofoil(chord: float, rise: float, span: float) -> cq.Solid:
    """A wing that pushes down: nose at the origin, trailing edge at (chord, rise) in YZ, centred along X.

    Three arcs that meet smoothly stand for the section, so that its surfaces are cylinders.
    """
    nose, edge = _nose_radius(chord), 2.0
    section = (
        cq.Workplane("YZ")
        .moveTo(0, -nose)
        .threePointArc((-nose, 0), (0, nose))
        .threePointArc(_on_level_arc(nose, chord, rise), (chord, rise))
        .lineTo(chord, rise - edge)
        .threePointArc(_on_level_arc(-nose, chord, rise - edge), (0, -nose))
        .close()
    )
    return one_solid(section.extrude(span / 2, both=True))


def _on_level_arc(start: float, y: float, z: float) -> Point2:
    """A middle point of the arc that leaves (0, start) along +Y and ends at (y, z)."""
    rise = z - start
    radius = (y * y + rise * rise) / (2 * rise)
    middle = y / 2
    return middle, start + radius - (radius * radius - middle * middle) ** 0.5


def _camber(chord: float, rise: float, y: float) -> float:
    """Height of a section's middle line at `y`, near enough to end a support inside the wing."""
    return rise * (y / chord) ** 2


def _front_wing(p: Parameters, at: Layout) -> cq.Assembly:
    chord, rise = p.front_wing_chord, 0.12 * p.front_wing_chord
    inner = p.front_wing_span - 2 * p.endplate_thickness
    tip = -(p.tyre_diameter / 2 + p.front_wing_overhang)
    nose_y = tip + 6 + _nose_radius(chord)
    nose_z = p.front_wing_clearance + 4 + _nose_radius(chord)
    flap_start = p.bulkhead_width / 2 + 36
    flap_span = inner / 2 - flap_start

    wing = group("Front wing")
    main = Part("Front wing main plane", _aerofoil(chord, rise, inner), palette.CARBON)
    place(wing, main, at=moved(0, nose_y, nose_z))
    y, z = nose_y + chord, nose_z + rise
    for number, (flap_chord, flap_rise) in enumerate(((130.0, 48.0), (105.0, 60.0)), start=1):
        flap = Part(f"Front wing flap {number}", _aerofoil(flap_chord, flap_rise, flap_span), palette.LIVERY)
        y, z = y - 8, z + 10
        for letter, side in SIDES:
            place(wing, flap, f"{flap.product} {letter}", moved(side * (flap_start + flap_span / 2), y, z))
        y, z = y + flap_chord, z + flap_rise

    bottom, top, rear = p.front_wing_clearance, z + 12, y + 10
    outline = [
        (tip, bottom),
        (rear - 60, bottom),
        (rear, bottom + 60),
        (rear, top),
        (rear - 110, top),
        (tip + 60, bottom + 110),
        (tip, bottom + 70),
    ]
    end = Part("Front wing endplate", plate(outline, p.endplate_thickness), palette.LIVERY)
    main_rear = nose_y + chord
    fence_outline = [
        (main_rear - 90, nose_z + _camber(chord, rise, chord - 90)),
        (main_rear - 12, nose_z + rise - 8),
        (rear - 4, top - 26),
        (rear - 4, top - 4),
        (rear - 60, top - 4),
        (main_rear - 60, nose_z + rise + 30),
    ]
    fence = Part("Front wing flap fence", plate(fence_outline, p.endplate_thickness), palette.CARBON)
    face = -(p.bulkhead_position + p.tube_diameter / 2 + p.bulkhead_plate_thickness)
    low = at.frame.bulkhead_low.z
    pylon_outline = [
        (face, low),
        (face, low + 110),
        (face - 30, low + 105),
        (nose_y + 70, nose_z + 30),
        (nose_y + 50, nose_z + _camber(chord, rise, 50)),
        (nose_y + 170, nose_z + _camber(chord, rise, 170)),
    ]
    pylon = Part("Front wing pylon", plate(pylon_outline, 6), palette.CARBON)
    for letter, side in SIDES:
        place(wing, end, f"Front wing endplate {letter}", moved(side * (inner + p.endplate_thickness) / 2))
        place(
            wing,
            fence,
            f"Front wing flap fence {letter}",
            moved(side * (flap_start - p.endplate_thickness / 2)),
        )
        place(wing, pylon, f"Front wing pylon {letter}", moved(side * (p.impact_attenuator_width / 2 + 20)))
    return wing


def _rear_wing(p: Parameters, at: Layout) -> cq.Assembly:
    chord, rise = p.rear_wing_chord, 0.15 * p.rear_wing_chord
    inner = p.rear_wing_span - 2 * p.endplate_thickness
    flaps = ((140.0, 78.0), (100.0, 90.0))
    rear = p.wheelbase + p.tyre_diameter / 2 + p.rear_wing_overhang
    nose_y = rear - 12 - sum(c for c, _ in flaps) + 20 - chord
    nose_z = p.rear_wing_height - 12 - sum(r for _, r in flaps) - 24 - rise

    wing = group("Rear wing")
    main = Part("Rear wing main plane", _aerofoil(chord, rise, inner), palette.CARBON)
    place(wing, main, at=moved(0, nose_y, nose_z))
    y, z = nose_y + chord, nose_z + rise
    for number, (flap_chord, flap_rise) in enumerate(flaps, start=1):
        flap = Part(f"Rear wing flap {number}", _aerofoil(flap_chord, flap_rise, inner), palette.LIVERY)
        y, z = y - 10, z + 12
        place(wing, flap, at=moved(0, y, z))
        y, z = y + flap_chord, z + flap_rise

    front, bottom, top = nose_y - 35, nose_z - 60, p.rear_wing_height
    outline = [
        (front, bottom),
        (rear - 90, bottom),
        (rear, bottom + 120),
        (rear, top),
        (rear - 260, top),
        (front, bottom + 170),
    ]
    end = Part("Rear wing endplate", plate(outline, p.endplate_thickness), palette.LIVERY)

    # Struts from the rear bulkhead carry the wing, stays from the main hoop's braces steady it.
    spread = 130.0
    strut_y = nose_y + 0.7 * chord
    foot = at.frame.tail_high
    strut = (foot, point(spread, strut_y, nose_z + _camber(chord, rise, 0.7 * chord)))
    stay_foot = at_z(at.frame.main_hoop_brace, at.frame.brace_foot, 0.62 * nose_z)
    stay = (stay_foot, point(spread, nose_y + 40, nose_z))
    for name, (a, b) in (("Rear wing strut", strut), ("Rear wing stay", stay)):
        part = Part(name, tube((b - a).Length, 20, 1.5), palette.STEEL)
        for letter, side in SIDES:
            place(wing, part, f"{name} {letter}", along(mirrored(a, side), mirrored(b, side)))
    for letter, side in SIDES:
        place(wing, end, f"Rear wing endplate {letter}", moved(side * (inner + p.endplate_thickness) / 2))
    return wing


def _floor(p: Parameters, at: Layout) -> cq.Assembly:
    """Undertray below the frame, floors beside it and the diffuser."""
    n, thick, low = at.frame, p.undertray_thickness, p.ground_clearance
    half_tube = p.tube_diameter / 2
    edge = n.main_hoop.knee.x + 10
    front, middle, rear = p.front_hoop_position + 6, p.front_hoop_position + 220, n.rear_low.y + half_tube
    flat_end = p.main_hoop_position + 230

    floor = group("Undertray")
    right = [
        (n.front_hoop.low.x + half_tube, front),
        (edge, middle),
        (edge, flat_end),
        (n.rear_low.x + half_tube, rear),
    ]
    outline = right + [(-x, y) for x, y in reversed(right)]
    flat = plate(outline, thick, "XY").moved(moved(z=low + thick / 2))
    place(floor, Part("Flat floor", flat, palette.CARBON))

    fence_thick, outer = 4.0, p.undertray_width / 2
    width = outer - fence_thick - edge
    ramp = [
        (middle, 0.0),
        (flat_end - 170, 0.0),
        (flat_end, 100.0),
        (flat_end, 100 + thick),
        (flat_end - 171, thick),
    ]
    side_floor = Part("Side floor", plate([*ramp, (middle, thick)], width), palette.CARBON)
    fence_outline = [
        (middle, 0.0),
        (flat_end, 0.0),
        (flat_end, 120.0),
        (flat_end - 160, 60.0),
        (middle + 120, 60.0),
    ]
    fence = Part("Floor fence", plate([*fence_outline, (middle, 20.0)], fence_thick), palette.LIVERY)
    core = cq.Workplane().box(150, 44, 240, centered=(True, True, False)).faces("<Y or >Y").edges().chamfer(6)
    radiator = Part("Radiator", one_solid(core), palette.ALUMINIUM)
    for letter, side in SIDES:
        place(floor, side_floor, f"Side floor {letter}", moved(side * (edge + width / 2), 0, low))
        place(floor, fence, f"Floor fence {letter}", moved(side * (outer - fence_thick / 2), 0, low))
        spot = moved(side * (edge + width / 2), p.main_hoop_position - 210, low + thick)
        place(floor, radiator, f"Radiator {letter}", spot)
    for name, y in (("Front floor stay", middle + 110), ("Rear floor stay", p.main_hoop_position - 30)):
        a, b = at_y(n.front_hoop.knee, n.main_hoop.knee, y), point(outer - 14, y, low + thick + 1.5)
        part = Part(name, tube((b - a).Length, 10, 1), palette.STEEL)
        for letter, side in SIDES:
            place(floor, part, f"{name} {letter}", along(mirrored(a, side), mirrored(b, side)))

    # The ramp's upper face passes under the rear bulkhead's lower tube and is carried by it.
    carried = n.tail_low.z - RING_INSET - half_tube - low - thick
    slope = carried / (n.tail_low.y - rear)
    slope -= half_tube * (math.hypot(1, slope) - 1) / (n.tail_low.y - rear)
    end = n.tail_low.y + 120
    climb = slope * (end - rear)
    half = n.rear_low.x - 18
    body = cq.Workplane(plate([(rear, 0.0), (end, climb), (end, climb + thick), (rear, thick)], 2 * half))
    strake = [(rear + 20, 0.0), (end, 0.0), (end, climb + thick / 2), (rear + 20, 20 * slope + thick / 2)]
    for x in (-half + 1.5, -half / 3, half / 3, half - 1.5):
        body = body.union(cq.Workplane(plate(strake, 3).moved(moved(x))))
    place(floor, Part("Diffuser", one_solid(body), palette.CARBON), at=moved(z=low))
    return floor
