"""What surrounds the driver: steering, pedal box, seat, head restraint, firewall, panels, switches."""

import cadquery as cq

from samples.formula import palette
from samples.formula.frame import column_support_height
from samples.formula.layout import Layout
from samples.formula.parameters import Parameters
from samples.formula.solids import (
    SIDES,
    Point,
    along,
    at_y,
    bent_path,
    cylinder,
    framed,
    hull,
    moved,
    one_solid,
    pipe,
    plate,
    point,
    turned,
)
from samples.products import Part, group, place

_PANEL = 2.0  # thickness of the floor panel, mm


def cockpit(p: Parameters, at: Layout) -> cq.Assembly:
    """The cockpit, in the car's axes."""
    assembly = group("Cockpit")
    place(assembly, _steering(p, at))
    panel, panel_frame = _floor_panel(p, at)
    place(assembly, panel, at=panel_frame)
    place(assembly, _pedal_box(), at=panel_frame * moved(z=_PANEL / 2))
    place(assembly, _seat(p, at), at=moved(y=p.main_hoop_position, z=at.floor + p.tube_diameter / 2))
    place(assembly, _firewall(p, at))
    place(assembly, _head_restraint(p))
    place(assembly, _dashboard(p, at))
    button = _shutdown_button()
    dash = point(-70, p.front_hoop_position + p.hoop_diameter / 2 + 3, p.front_hoop_height - 70)
    place(assembly, button, "Cockpit shutdown button", along(dash, dash + point(0, 1, 0)))
    hoop = at.frame.main_hoop.at(p.harness_bar_height - 130)
    for letter, side in SIDES:
        spot = point(side * (hoop.x + p.hoop_diameter / 2 - 2), hoop.y, hoop.z)
        place(assembly, button, f"Side shutdown button {letter}", along(spot, spot + point(side, 0, 0)))
    return assembly


def _steering(p: Parameters, at: Layout) -> cq.Assembly:
    rack = point(0, at.front.link_inner.y, at.front.link_inner.z)
    hub = point(0, p.front_hoop_position + p.steering_wheel_offset, p.steering_wheel_height)
    # The upper column passes over its support tube in the plane of the front hoop.
    support = point(0, p.front_hoop_position, column_support_height(p) + 30)
    joint = at_y(support, hub, p.front_hoop_position - 90)
    rack_tube = at_y(at.frame.bulkhead_low, at.frame.front_hoop.low, rack.y)

    release = turned([(0, -40), (22, -40), (22, -8), (32, -8), (32, 0), (0, 0)])
    upper = cylinder(9.5, point(0, 0, 14), point(0, 0, (hub - joint).Length - 40))
    lower = cylinder(9.5, point(0, 0, 48), point(0, 0, (joint - rack).Length - 14))
    universal = cq.Solid.makeSphere(17, point(0, 0, 0), angleDegrees1=-90)
    block = cq.Workplane().box(60, 24, 2 * (30 - p.tube_diameter / 2))
    block = block.cut(cq.Workplane(cylinder(9.5, support - hub, hub - support)))
    mount = Part("Rack mount", _rack_mount(rack.z - rack_tube.z - p.tube_diameter / 2), palette.ALUMINIUM)

    steering = group("Steering")
    towards_driver = along(hub, hub + (hub - support))
    place(steering, Part("Steering wheel", _steering_wheel(p), palette.RUBBER), at=towards_driver)
    place(steering, Part("Quick release", release, palette.ANODISED), at=towards_driver)
    place(steering, Part("Upper steering column", upper, palette.STEEL), at=along(joint, hub))
    place(steering, Part("Universal joint", universal, palette.STEEL), at=along(joint, hub))
    place(steering, Part("Lower steering column", lower, palette.STEEL), at=along(rack, joint))
    place(steering, Part("Column bearing", one_solid(block), palette.ALUMINIUM), at=cq.Location(support))
    place(steering, Part("Steering rack", _rack(at, joint - rack), palette.ALUMINIUM), at=cq.Location(rack))
    for letter, side in SIDES:
        place(steering, mount, f"Rack mount {letter}", moved(130 * side, rack.y, rack.z))
    return steering


def _steering_wheel(p: Parameters) -> cq.Solid:
    """About the hub; +Z points to the driver, -Y up."""
    grip = 14.0
    radius = p.steering_wheel_diameter / 2 - grip
    wheel = cq.Workplane(cq.Solid.makeTorus(radius, grip, point(0, 0, 4)))
    spokes = cq.Workplane("XY").rect(2 * radius, 34).extrude(8)
    spokes = spokes.union(cq.Workplane("XY").center(0, radius / 2).rect(34, radius).extrude(8))
    spokes = spokes.union(cq.Workplane("XY").circle(48).extrude(8))
    return one_solid(wheel.union(spokes))


def _rack(at: Layout, column: Point) -> cq.Solid:
    """Housing along X with the rack itself reaching to the tie rods' joints, and the pinion's neck."""
    reach = at.front.link_inner.x
    body = cylinder(20, point(-175, 0, 0), point(175, 0, 0))
    bar = cylinder(9, point(-reach, 0, 0), point(reach, 0, 0))
    neck = cylinder(18, point(0, 0, 0), column.normalized() * 48)
    return one_solid(body.fuse(bar, neck))


def _rack_mount(height: float) -> cq.Solid:
    """A block from the rack's axis down to the tube `height` below it, bored for the rack's housing."""
    block = cq.Workplane().box(24, 32, height + 2).translate((0, 0, -(height + 2) / 2))
    block = block.union(cq.Workplane(cylinder(26, point(-12, 0, 0), point(12, 0, 0))))
    return one_solid(block.cut(cq.Workplane(cylinder(20, point(-13, 0, 0), point(13, 0, 0)))))


def _floor_panel(p: Parameters, at: Layout) -> tuple[Part, cq.Location]:
    """The panel under the lower bulkhead supports; X across, Y rearwards from the bulkhead, Z up."""
    front, rear = at.frame.bulkhead_low, at.frame.front_hoop.low
    slope = point(0, rear.y - front.y, rear.z - front.z)
    normal = point(1, 0, 0).cross(slope).normalized()
    origin = point(0, front.y, front.z) - normal * (p.tube_diameter / 2 + _PANEL / 2)
    length = slope.Length
    start = p.tube_diameter / 2  # behind the bulkhead's own tube, which lies a little lower
    outline = [(-front.x, start), (front.x, start), (rear.x, length), (-rear.x, length)]
    return Part("Floor panel", plate(outline, _PANEL, "XY"), palette.PANEL), framed(origin, point(1, 0, 0), slope)


def _pedal_box() -> cq.Assembly:
    """Pedals on their base; X across (brake on the driver's left), Y rearwards from the bulkhead, Z up."""
    rail = cq.Workplane().box(24, 320, 12, centered=(True, False, False))
    base = cq.Workplane().box(250, 250, 6, centered=(True, False, False)).faces(">Z").workplane()
    base = base.pushPoints([(-60, 40), (60, 40), (0, 125)]).hole(36)
    bracket = cq.Workplane().box(36, 44, 6, centered=(True, True, False))
    for x in (-16, 16):
        bracket = bracket.union(cq.Workplane().box(4, 36, 34, centered=(True, True, False)).translate((x, 0, 0)))
    bracket = bracket.union(cq.Workplane(cylinder(5, point(-22, 0, 24), point(22, 0, 24))))
    cylinder_body = turned([(0, 0), (13, 0), (13, 70), (9, 70), (9, 76), (4, 76), (4, 120), (0, 120)])
    cylinder_body = one_solid(cq.Workplane(cylinder_body).union(cq.Workplane().box(30, 36, 12).translate((0, 4, 14))))
    stop = cq.Workplane().box(14, 24, 130, centered=(True, True, False))
    stop = stop.union(cq.Workplane(cylinder(7, point(0, 0, 112), point(0, 24, 112))))
    heel = cq.Workplane().box(250, 30, 4, centered=(True, True, False))
    heel = heel.union(cq.Workplane().box(250, 4, 34, centered=(True, True, False)).translate((0, -13, 0)))

    box = group("Pedal box")
    rail_part = Part("Pedal rail", one_solid(rail), palette.STEEL)
    for letter, side in SIDES:
        place(box, rail_part, f"Pedal rail {letter}", moved(85 * side, 30, 0))
    place(box, Part("Pedal base", one_solid(base), palette.ALUMINIUM), at=moved(y=60, z=12))
    bracket_part = Part("Pedal bracket", one_solid(bracket), palette.STEEL)
    for name, x, width, height in (("Brake", 65, 70, 200.0), ("Throttle", -65, 56, 180.0)):
        place(box, bracket_part, f"{name} pedal bracket", moved(x, 210, 18))
        colour = palette.LIVERY if name == "Brake" else palette.ANODISED
        place(box, Part(f"{name} pedal", _pedal(width, height), colour), at=moved(x, 210, 42))
    master = Part("Master cylinder", cylinder_body, palette.ANODISED)
    for name, x in (("Front", 42), ("Rear", 88)):
        place(box, master, f"{name} master cylinder", along(point(x, 84, 36), point(x, 200, 76)))
    bar = cylinder(6, point(-34, 0, 0), point(34, 0, 0))
    place(box, Part("Balance bar", bar, palette.STEEL), at=moved(65, 203, 76.5))
    place(box, Part("Brake over-travel switch", one_solid(stop), palette.HIGH_VOLTAGE), at=moved(65, 140, 18))
    place(box, Part("Heel rest", one_solid(heel), palette.ALUMINIUM), at=moved(y=290, z=18))
    return box


def _pedal(width: float, height: float) -> cq.Solid:
    """A lever in the YZ plane from its pivot at the origin upwards, with a foot plate at the top."""
    lever = hull([(0.0, 0.0, 12.0), (24.0, height, 9.0)], 14)
    lever = lever.moved(cq.Location(cq.Plane(origin=(0, 0, 0), xDir=(0, 1, 0), normal=(1, 0, 0))))
    pad = cq.Workplane().box(width, 8, 76).edges("|Y").fillet(10).rotate((0, 0, 0), (1, 0, 0), -7)
    pad = pad.translate((0, 33, height - 14))
    bore = cylinder(5, point(-20, 0, 0), point(20, 0, 0))
    return one_solid(cq.Workplane(lever).union(pad).cut(cq.Workplane(bore)))


def _seat(p: Parameters, at: Layout) -> Part:
    """A bucket seat, about a point in the main hoop's plane on the floor tubes; the firewall backs it.

    A rounded channel is drawn along pan and back, then trimmed to the bolsters' outline.
    """
    back = -(p.hoop_diameter / 2 + p.firewall_thickness)
    half, depth, corner, bend, wall = p.seat_width / 2, 240.0, 50.0, 260.0, 5.0
    top = p.seat_height - at.floor - p.tube_diameter / 2
    path = bent_path([point(0, -560, 0), point(0, -200, 0), point(0, back, top + 5)], bend)

    def channel(inset: float) -> cq.Shape:
        x, r = half - inset, corner - inset
        section = (
            cq.Workplane("XZ", origin=(0, -560, 0))
            .moveTo(-x, depth)
            .lineTo(-x, corner)
            .radiusArc((-x + r, inset), -r)
            .lineTo(x - r, inset)
            .radiusArc((x, corner), -r)
            .lineTo(x, depth)
            .close()
        )
        return pipe(path, section.wires().vals()[0])

    outline = [
        (-600.0, 95.0),
        (-330.0, 190.0),
        (-175.0, 300.0),
        (back - 75, top),
        (back + 20, top),
        (back + 20, -20.0),
        (-600.0, -20.0),
    ]
    shell = channel(0).cut(channel(wall)).intersect(plate(outline, 2 * half + 20))
    return Part("Seat", one_solid(shell), palette.FOAM)


def _firewall(p: Parameters, at: Layout) -> Part:
    """A sheet in front of the main hoop: between the side impact tubes, above them over the hoop's legs."""
    hoop, half_tube = at.frame.main_hoop, p.tube_diameter / 2
    right = [
        (hoop.low.x - half_tube - 3, at.floor - half_tube),
        (hoop.knee.x - half_tube - 3, hoop.knee.z - 16),
    ]
    right += [(hoop.knee.x - half_tube - 3, hoop.knee.z + 50)]
    right += [(hoop.at(z).x, z) for z in (hoop.knee.z + 60, p.harness_bar_height - 25)]
    outline = right + [(-x, z) for x, z in reversed(right)]
    y = p.main_hoop_position - p.hoop_diameter / 2 - p.firewall_thickness / 2
    sheet = plate(outline, p.firewall_thickness, "XZ").moved(moved(y=y))
    return Part("Firewall", sheet, palette.ALUMINIUM)


def _head_restraint(p: Parameters) -> cq.Assembly:
    """A plate on the harness bar and the bar above it, and the pad on the plate."""
    width, height, plate_thickness, foam = p.head_restraint_width, p.head_restraint_height, 3.0, 40.0
    front = p.main_hoop_position - p.tube_diameter / 2
    middle = p.harness_bar_height + 0.45 * height
    sheet = cq.Workplane().box(width, plate_thickness, height).edges("|Y").fillet(15)
    pad = cq.Workplane().box(width - 12, foam, height - 12).edges("|Y").fillet(15).faces("<Y").edges().chamfer(10)
    restraint = group("Head restraint")
    place(
        restraint,
        Part("Head restraint plate", one_solid(sheet), palette.ALUMINIUM),
        at=moved(0, front - plate_thickness / 2, middle),
    )
    place(
        restraint,
        Part("Head restraint pad", one_solid(pad), palette.FOAM),
        at=moved(0, front - plate_thickness - foam / 2, middle),
    )
    return restraint


def _dashboard(p: Parameters, at: Layout) -> Part:
    """A sheet across the top of the front hoop, on the driver's side."""
    hoop = at.frame.front_hoop
    heights = [p.front_hoop_height - drop for drop in (125, 90, 60, 40, 26)]
    right = [(hoop.at(z).x, z) for z in heights]
    outline = right + [(-x, z) for x, z in reversed(right)]
    y = p.front_hoop_position + p.hoop_diameter / 2 + 1.5
    return Part("Dashboard", plate(outline, 3, "XZ").moved(moved(y=y)), palette.CARBON)


def _shutdown_button() -> Part:
    """A mushroom button along +Z."""
    profile = [(0, 0), (16, 0), (16, 14), (9, 14), (9, 22), (20, 22), (20, 28), (14, 34), (0, 34)]
    return Part("Shutdown button", turned([(float(r), float(z)) for r, z in profile]), palette.LAMP)
