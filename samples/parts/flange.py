"""A turned flange: a plate with a bolt circle, a hub, a stepped bore and a spigot.

Axes: Z is the axis; the plate's mating face lies on Z=0, the hub rises to +Z, the spigot reaches below.
"""

from dataclasses import dataclass

import cadquery as cq

from samples.parameter_table import from_values, parameter
from samples.products import Part, leaf


@dataclass(frozen=True)
class Parameters:
    """Lengths in millimetres, angles in degrees."""

    diameter: float = parameter(140, "mm", "outer diameter of the plate")
    thickness: float = parameter(16, "mm", "thickness of the plate")
    hub_diameter: float = parameter(72, "mm", "diameter of the hub")
    hub_height: float = parameter(46, "mm", "height of the hub's face above the mating face")
    hub_fillet: float = parameter(6, "mm", "radius between plate and hub")
    spigot_diameter: float = parameter(80, "mm", "diameter of the spigot")
    spigot_height: float = parameter(5, "mm", "reach of the spigot below the mating face")
    bore: float = parameter(40, "mm", "diameter of the bore")
    seat: float = parameter(52, "mm", "diameter of the bearing seat, from the hub's face")
    seat_depth: float = parameter(15, "mm", "depth of the bearing seat")
    bolt_circle: float = parameter(112, "mm", "diameter of the bolt circle")
    bolt_count: float = parameter(6, "1", "number of bolt holes")
    bolt_hole: float = parameter(11, "mm", "diameter of the bolt holes")
    counterbore: float = parameter(18, "mm", "diameter of their counterbores, on the hub's side")
    counterbore_depth: float = parameter(6.5, "mm", "depth of their counterbores")
    jack_hole: float = parameter(8.5, "mm", "diameter of the two jacking holes on the bolt circle")
    dowel_hole: float = parameter(6, "mm", "diameter of the blind dowel hole in the mating face")
    dowel_depth: float = parameter(9, "mm", "depth of the dowel hole")
    dowel_radius: float = parameter(48, "mm", "distance of the dowel hole from the axis")
    chamfer: float = parameter(2, "mm", "chamfer of the outer edges")


def build(**parameters: float) -> cq.Assembly:
    """The flange with some parameters replaced.

    Raises:
        ValueError: a parameter is unknown or no positive number, or the number of bolts is not whole.
    """
    p = from_values(Parameters, parameters)
    count = int(p.bolt_count)
    if count != p.bolt_count:
        raise ValueError(f"parameter 'bolt_count' must be a whole number, not {p.bolt_count:g}")
    r, hub, spigot, c = p.diameter / 2, p.hub_diameter / 2, p.spigot_diameter / 2, p.chamfer
    seat_floor = p.hub_height - p.seat_depth
    fillet = p.hub_fillet
    profile = (
        cq.Workplane("XZ")
        .moveTo(p.bore / 2, -p.spigot_height)
        .lineTo(spigot - 1, -p.spigot_height)
        .lineTo(spigot, 1 - p.spigot_height)
        .lineTo(spigot, 0)
        .lineTo(r - c, 0)
        .lineTo(r, c)
        .lineTo(r, p.thickness - c)
        .lineTo(r - c, p.thickness)
        .lineTo(hub + fillet, p.thickness)
        .radiusArc((hub, p.thickness + fillet), fillet)
        .lineTo(hub, p.hub_height - c)
        .lineTo(hub - c, p.hub_height)
        .lineTo(p.seat / 2 + 1, p.hub_height)
        .lineTo(p.seat / 2, p.hub_height - 1)
        .lineTo(p.seat / 2, seat_floor)
        .lineTo(p.bore / 2, seat_floor)
        .close()
    )
    body = profile.revolve(360, (0, 0, 0), (0, 1, 0))
    top = cq.Workplane(origin=(0, 0, p.thickness))
    ring = p.bolt_circle / 2
    for cut in (
        top.polarArray(ring, 90, 360, count).circle(p.bolt_hole / 2).extrude(-p.thickness),
        top.polarArray(ring, 90, 360, count).circle(p.counterbore / 2).extrude(-p.counterbore_depth),
        # Jacking holes lie half-way between bolts, on opposite sides.
        top.polarArray(ring, 90 + 180 / count, 360, 2).circle(p.jack_hole / 2).extrude(-p.thickness),
        cq.Workplane().center(p.dowel_radius, 0).circle(p.dowel_hole / 2).extrude(p.dowel_depth),
    ):
        body = body.cut(cut)
    return leaf(Part("Flange", body.solids().vals()[0], (0.62, 0.66, 0.72)))
