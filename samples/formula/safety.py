"""Front impact structure, jacking point, lights and the low-voltage battery."""

import cadquery as cq

from samples.formula import palette
from samples.formula.layout import RING_INSET, Layout
from samples.formula.parameters import Parameters
from samples.formula.solids import SIDES, along, bored, hull, moved, one_solid, point, tube, turned
from samples.products import Part, group, place


def front_impact(p: Parameters, at: Layout) -> cq.Assembly:
    """Anti-intrusion plate on the front bulkhead and the attenuator on the plate, in the car's axes."""
    low, high = at.frame.bulkhead_low, at.frame.bulkhead_high
    middle = (low.z + high.z) / 2
    rim = p.tube_diameter
    sheet = cq.Workplane().box(p.bulkhead_width + rim, p.bulkhead_plate_thickness, p.bulkhead_height + rim)
    sheet = sheet.edges("|Y").fillet(30)
    block = cq.Workplane("XZ").rect(p.impact_attenuator_width, p.impact_attenuator_height)
    block = block.extrude(p.impact_attenuator_length, taper=7)

    assembly = group("Front impact structure")
    face = -p.bulkhead_position - p.tube_diameter / 2
    sheet_y = face - p.bulkhead_plate_thickness / 2
    place(
        assembly,
        Part("Anti-intrusion plate", one_solid(sheet), palette.ALUMINIUM),
        at=moved(0, sheet_y, middle),
    )
    attenuator = Part("Impact attenuator", one_solid(block), palette.HONEYCOMB)
    place(assembly, attenuator, at=moved(0, face - p.bulkhead_plate_thickness, middle))
    return assembly


def jacking_point(p: Parameters, at: Layout) -> cq.Assembly:
    """A bar behind the rear bulkhead on two plates."""
    tail = at.frame.tail_low - point(0, 0, RING_INSET)
    bar = tail + point(0, 120, 70)
    across = cq.Location(cq.Plane(origin=(0, 0, 0), xDir=(0, 1, 0), normal=(1, 0, 0)))
    y, z = bar.y - tail.y, bar.z - tail.z
    support = bored(hull([(0.0, 4.0, 16.0), (y, z, 18.0)], 6), [(0.0, 0.0, p.tube_diameter / 2), (y, z, 12.5)])
    support_part = Part("Jacking bar support", support.moved(across), palette.STEEL)
    reach = 150.0

    assembly = group("Jacking point")
    rod = Part("Jacking bar", tube(2 * reach, 25, 2), palette.HIGH_VOLTAGE)
    place(assembly, rod, at=along(point(-reach, bar.y, bar.z), point(reach, bar.y, bar.z)))
    for letter, side in SIDES:
        place(
            assembly,
            support_part,
            f"Jacking bar support {letter}",
            moved(side * (reach - 20), tail.y, tail.z),
        )
    return assembly


def electrics(p: Parameters, at: Layout) -> cq.Assembly:
    """Lights and the low-voltage battery."""
    light = cq.Workplane().box(120, 24, 36, centered=(True, True, False)).edges("|Z").fillet(6)
    lamp = turned([(0, 0), (20, 0), (20, 12), (26, 12), (26, 44), (18, 52), (0, 52)])
    battery = cq.Workplane().box(150, 90, 95, centered=(True, True, False)).faces(">Z").edges().chamfer(6)

    assembly = group("Electrics")
    on_tail = at.frame.tail_high + point(0, 0, RING_INSET + p.tube_diameter / 2)
    place(assembly, Part("Brake light", one_solid(light), palette.LAMP), at=moved(0, on_tail.y, on_tail.z))
    top = point(0, p.main_hoop_position, p.main_hoop_height - p.hoop_diameter)
    lamp_part = Part("Tractive system active light", lamp, palette.CELLS)
    place(assembly, lamp_part, at=along(top, top - point(0, 0, 1)))
    floor = p.ground_clearance + p.undertray_thickness
    spot = moved(110, p.front_hoop_position + 90, floor)
    place(assembly, Part("Low-voltage battery", one_solid(battery), palette.ANODISED), at=spot)
    return assembly
