"""A machined angle bracket: a base with counterbored holes, a wall with a bore, a rib between them.

Axes: the base lies on Z=0, X runs along the bracket's width with the origin in its middle, the wall's back is
at Y=0 and the base reaches to +Y.
"""

import math
from dataclasses import dataclass

import cadquery as cq

from samples.parameter_table import from_values, parameter
from samples.products import Part, leaf


@dataclass(frozen=True)
class Parameters:
    """Lengths in millimetres."""

    width: float = parameter(90, "mm", "width of the bracket")
    depth: float = parameter(70, "mm", "depth of the base from the wall's back")
    height: float = parameter(80, "mm", "height of the axis of the bore above the base's underside")
    base_thickness: float = parameter(14, "mm", "thickness of the base")
    wall_thickness: float = parameter(16, "mm", "thickness of the wall")
    eye_radius: float = parameter(28, "mm", "radius of the wall's round top about the bore")
    bore: float = parameter(32, "mm", "diameter of the bore")
    fillet: float = parameter(8, "mm", "radius between base and wall")
    corner_radius: float = parameter(12, "mm", "radius of the base's front corners")
    hole: float = parameter(9, "mm", "diameter of the base's through holes")
    counterbore: float = parameter(15, "mm", "diameter of their counterbores")
    counterbore_depth: float = parameter(6, "mm", "depth of their counterbores")
    hole_spacing: float = parameter(62, "mm", "distance between the two base holes across the width")
    hole_offset: float = parameter(50, "mm", "distance of the base holes from the wall's back")
    tapped_hole: float = parameter(5, "mm", "diameter of the blind holes around the bore")
    tapped_depth: float = parameter(10, "mm", "depth of the blind holes to the end of their cylinder")
    tapped_circle: float = parameter(44, "mm", "diameter of the circle of the blind holes")
    rib_thickness: float = parameter(10, "mm", "thickness of the rib")
    chamfer: float = parameter(1.5, "mm", "chamfer of the bore's front edge")


def build(**parameters: float) -> cq.Assembly:
    """The bracket with some parameters replaced.

    Raises:
        ValueError: a parameter is unknown or no positive number.
    """
    p = from_values(Parameters, parameters)
    half, top = p.width / 2, p.base_thickness
    base = cq.Workplane().box(p.width, p.depth, top, centered=(True, False, False))
    base = base.edges("|Z and >Y").fillet(p.corner_radius)
    # The wall's sides run from the shoulders and touch its round top.
    shoulder = top + 10
    reach = math.hypot(half, p.height - shoulder)
    angle = math.asin(half / reach) - math.asin(p.eye_radius / reach)
    length = math.sqrt(reach**2 - p.eye_radius**2)
    x, z = half - length * math.sin(angle), shoulder + length * math.cos(angle)
    wall = (
        cq.Workplane("XZ")
        .moveTo(-half, 0)
        .lineTo(-half, shoulder)
        .lineTo(-x, z)
        .threePointArc((0, p.height + p.eye_radius), (x, z))
        .lineTo(half, shoulder)
        .lineTo(half, 0)
        .close()
        .extrude(-p.wall_thickness)
    )
    body = base.union(wall)
    inner = cq.selectors.NearestToPointSelector((0, p.wall_thickness, top))
    body = body.edges(inner).fillet(p.fillet)
    rib_top = p.height - p.eye_radius - 4
    rib = (
        cq.Workplane("YZ")
        .polyline([(4, 4), (p.hole_offset + 8, top), (p.wall_thickness, rib_top), (4, rib_top)])
        .close()
        .extrude(p.rib_thickness / 2, both=True)
    )
    body = body.union(rib)
    spots = [(-p.hole_spacing / 2, p.hole_offset), (p.hole_spacing / 2, p.hole_offset)]
    on_base = cq.Workplane(origin=(0, 0, top)).pushPoints(spots)
    body = body.cut(on_base.circle(p.hole / 2).extrude(-top))
    body = body.cut(on_base.circle(p.counterbore / 2).extrude(-p.counterbore_depth))
    front = cq.Workplane("XZ", origin=(0, p.wall_thickness, p.height))
    body = body.cut(front.circle(p.bore / 2).extrude(p.wall_thickness))
    edge = cq.Solid.makeCone(
        p.bore / 2 + p.chamfer,
        p.bore / 2,
        p.chamfer,
        cq.Vector(0, p.wall_thickness, p.height),
        cq.Vector(0, -1, 0),
    )
    body = body.cut(cq.Workplane(edge))
    blind = front.polarArray(p.tapped_circle / 2, 45, 360, 4).circle(p.tapped_hole / 2).extrude(p.tapped_depth)
    body = body.cut(blind)
    return leaf(Part("Bracket", body.solids().vals()[0], (0.70, 0.72, 0.75)))
