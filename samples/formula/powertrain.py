"""Accumulator, motor, chain drive, differential and half shafts."""

import math

import cadquery as cq

from samples.formula import palette
from samples.formula.layout import ACCUMULATOR_GAP, RING_INSET, Layout
from samples.formula.parameters import Parameters
from samples.formula.solids import (
    SIDES,
    along,
    bored,
    cylinder,
    hull,
    moved,
    one_solid,
    point,
    turned,
)
from samples.products import Part, group, place

_SPROCKET_PLANE = 49.0  # X of the chain, mm
_SPROCKET_WIDTH = 6.0
_MOTOR_PLATE = 19.0  # X of the middle of the motor's plate
_SEGMENTS = 5


def accumulator(p: Parameters, at: Layout) -> cq.Assembly:
    """Container, lid, battery segments, maintenance plug and motor controller, in the car's axes."""
    length, width, height = p.accumulator_length, p.accumulator_width, p.accumulator_height
    wall, floor = p.accumulator_wall_thickness, p.accumulator_floor_thickness
    origin = point(0, p.main_hoop_position + ACCUMULATOR_GAP + length / 2, at.floor + p.tube_diameter / 2)
    upright = (True, True, False)

    container = cq.Workplane().box(width, length, height, centered=upright)
    container = container.cut(
        cq.Workplane().box(width - 2 * wall, length - 2 * wall, height, centered=upright).translate((0, 0, floor))
    )
    lid = cq.Workplane().box(width + 12, length + 12, wall, centered=upright)
    lid = lid.edges("|Z").fillet(8)
    pitch = (width - 2 * wall - 20) / _SEGMENTS
    segment = cq.Workplane().box(pitch - 8, length - 2 * wall - 20, height - floor - 30, centered=upright)
    plug = turned([(0, 0), (26, 0), (26, 10), (18, 10), (18, 26), (0, 26)])

    assembly = group("Accumulator")
    place(
        assembly,
        Part("Accumulator container", one_solid(container), palette.HIGH_VOLTAGE),
        at=cq.Location(origin),
    )
    segment_part = Part("Battery segment", one_solid(segment), palette.CELLS)
    for index in range(_SEGMENTS):
        x = (index - (_SEGMENTS - 1) / 2) * pitch
        place(assembly, segment_part, f"Battery segment {index + 1}", cq.Location(origin + point(x, 0, floor)))
    top = origin + point(0, 0, height)
    place(assembly, Part("Accumulator lid", one_solid(lid), palette.PANEL), at=cq.Location(top))
    top += point(0, 0, wall)
    place(assembly, Part("Maintenance plug", plug, palette.HIGH_VOLTAGE), at=cq.Location(top + point(135, 0, 0)))
    place(assembly, Part("Motor controller", _controller(), palette.ALUMINIUM), at=cq.Location(top))
    return assembly


def _controller() -> cq.Solid:
    """A box with cooling fins on it and, towards the motor, the glands of the three phases."""
    width, length, height, fins = 150.0, 120.0, 30.0, 11
    body = cq.Workplane().box(width, length, height, centered=(True, True, False))
    fin = cq.Workplane().box(4, length - 16, 17, centered=(True, True, False))
    pitch = (width - 14) / (fins - 1)
    for index in range(fins):
        body = body.union(fin.translate(((index - (fins - 1) / 2) * pitch, 0, height - 1)))
    for x in (-42, 0, 42):
        body = body.union(cq.Workplane(cylinder(10, point(x, length / 2 - 1, 15), point(x, length / 2 + 24, 15))))
    return one_solid(body)


def drivetrain(p: Parameters, at: Layout) -> cq.Assembly:
    """From the motor to the half shafts, in the car's axes."""
    axle = point(0, p.wheelbase, p.tyre_diameter / 2)
    motor = point(0, p.wheelbase - p.chain_distance, at.floor + p.side_impact_height / 2 + 15)

    assembly = group("Drivetrain")
    place(assembly, _motor_unit(p, at), at=cq.Location(motor))
    rear = _sprocket("Rear sprocket", p.rear_sprocket_diameter, 36, palette.STEEL)
    place(assembly, rear, at=cq.Location(axle + point(_SPROCKET_PLANE, 0, 0)))
    place(assembly, _chain(p, axle - motor), at=cq.Location(motor + point(_SPROCKET_PLANE, 0, 0)))
    place(assembly, _differential(), at=cq.Location(axle))

    carrier = _carrier(p, at, axle.z)
    joint = Part("Tripod joint", _tripod(p.half_shaft_diameter / 2), palette.STEEL)
    inner, outer = 130.0, p.rear_track / 2 - 90
    shaft = cylinder(p.half_shaft_diameter / 2, point(0, 0, 0), point(0, 0, outer - inner))
    shaft_part = Part("Half shaft", shaft, palette.STEEL)
    for letter, side in SIDES:
        place(assembly, carrier, f"Differential carrier {letter}", cq.Location(axle + point(80 * side, 0, 0)))
        start, end = axle + point(inner * side, 0, 0), axle + point(outer * side, 0, 0)
        place(assembly, joint, f"Inner tripod joint {letter}", along(start, end))
        place(assembly, shaft_part, f"Half shaft {letter}", along(start, end))
        place(assembly, joint, f"Outer tripod joint {letter}", along(end, start))
    return assembly


def _motor_unit(p: Parameters, at: Layout) -> cq.Assembly:
    """Motor, its plate between the rear cross tubes, and the drive sprocket, about the motor's axis."""
    radius = p.motor_diameter / 2
    face = _MOTOR_PLATE - 4
    body = turned(
        [
            (0, face),
            (0, face - 95),
            (60, face - 95),
            (radius, face - 82),
            (radius, face - 6),
            (radius - 10, face),
        ]
    )
    shaft = cylinder(14, point(0, 0, face - 1), point(0, 0, _SPROCKET_PLANE + 8))
    body = one_solid(body.fuse(shaft))
    across = cq.Location(cq.Plane(origin=(0, 0, 0), xDir=(0, 1, 0), normal=(1, 0, 0)))

    y = at.frame.rear_low.y - (p.wheelbase - p.chain_distance)
    bottom = -(p.side_impact_height / 2 + 15)
    top = p.side_impact_height / 2 - 15
    # Saddles on the two cross tubes, level with the undersides of the lower one.
    mount = hull([(0.0, 0.0, 66.0), (y, bottom + 8, 20.0), (y, top - 8, 20.0)], 8)
    mount_plate = bored(mount, [(0.0, 0.0, 16.0), (y, bottom, p.tube_diameter / 2), (y, top, p.tube_diameter / 2)])

    unit = group("Motor unit")
    place(unit, Part("Motor", body, palette.ANODISED), at=across)
    place(unit, Part("Motor plate", mount_plate, palette.ALUMINIUM), at=moved(_MOTOR_PLATE) * across)
    drive = _sprocket("Drive sprocket", p.drive_sprocket_diameter, 14, palette.STEEL)
    place(unit, drive, at=moved(_SPROCKET_PLANE))
    return unit


def _sprocket(name: str, diameter: float, bore: float, colour: tuple[float, float, float]) -> Part:
    """A plain disc in the YZ plane with lightening holes if it is large; the chain hides its rim."""
    radius = diameter / 2 - 4
    disc = cq.Workplane("YZ").workplane(offset=-_SPROCKET_WIDTH / 2).circle(radius).circle(bore)
    if radius - bore > 40:
        disc = disc.polarArray((radius + bore) / 2, 0, 360, 6).circle((radius - bore) / 4)
    return Part(name, one_solid(disc.extrude(_SPROCKET_WIDTH)), colour)


def _chain(p: Parameters, to_axle: cq.Vector) -> Part:
    """A closed band around both sprockets, about the motor's axis."""
    reach = math.hypot(to_axle.y, to_axle.z)
    small, large = p.drive_sprocket_diameter / 2, p.rear_sprocket_diameter / 2
    if reach <= small + large:
        raise ValueError("the sprockets overlap: reduce a sprocket diameter")
    outer = hull([(0.0, 0.0, small + 4), (reach, 0.0, large + 4)], 12)
    inner = hull([(0.0, 0.0, small - 4), (reach, 0.0, large - 4)], 20)
    band = one_solid(outer.cut(inner))
    across = cq.Plane(origin=(0, 0, 0), xDir=(0, to_axle.y, to_axle.z), normal=(1, 0, 0))
    return Part("Drive chain", band.moved(cq.Location(across)), palette.CHAIN)


def _differential() -> Part:
    profile = [
        (0, -112),
        (22, -112),
        (22, -60),
        (46, -48),
        (52, -36),
        (52, 28),
        (36, 40),
        (36, 60),
        (22, 60),
        (22, 112),
        (0, 112),
    ]
    body = turned([(float(r), float(z)) for r, z in profile])
    across = cq.Location(cq.Plane(origin=(0, 0, 0), xDir=(0, 1, 0), normal=(1, 0, 0)))
    return Part("Differential", body.moved(across), palette.ALUMINIUM)


def _carrier(p: Parameters, at: Layout, axle_z: float) -> Part:
    """A plate that holds the differential from the rear bulkhead's cross tubes, about the axle."""
    tail_y, half_tube = at.frame.tail_low.y - at.rear.wheel.y, p.tube_diameter / 2
    low, high = at.frame.tail_low.z - RING_INSET - axle_z, at.frame.tail_high.z + RING_INSET - axle_z
    outline = hull([(0.0, 0.0, 42.0), (tail_y, low + 7, 18.0), (tail_y, high - 7, 18.0)], 10)
    body = cq.Workplane(bored(outline, [(0.0, 0.0, 22.0), (tail_y, low, half_tube), (tail_y, high, half_tube)]))
    window = hull([(50.0, 0.0, 8.0), (tail_y - 24, -32.0, 8.0), (tail_y - 24, 32.0, 8.0)], 20)
    across = cq.Location(cq.Plane(origin=(0, 0, 0), xDir=(0, 1, 0), normal=(1, 0, 0)))
    return Part("Differential carrier", one_solid(body.cut(cq.Workplane(window))).moved(across), palette.ALUMINIUM)


def _tripod(bore: float) -> cq.Solid:
    """Housing and boot along +Z from the differential or hub towards the shaft, which ends in the bore."""
    profile = [
        (0, -18),
        (24, -18),
        (24, -8),
        (38, -8),
        (38, 26),
        (30, 34),
        (30, 42),
        (24, 46),
        (24, 54),
        (18, 60),
    ]
    return turned([(float(r), float(z)) for r, z in profile] + [(bore, 60.0), (bore, 0.0), (0.0, 0.0)])
