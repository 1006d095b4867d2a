"""A stepped drive shaft: keyway, retaining ring groove, blind centre hole, cross hole, two flats.

Axes: X is the axis; the shaft runs from X=0 (input end) to +X, the keyway opens to +Z.
"""

from dataclasses import dataclass

import cadquery as cq

from samples.parameter_table import from_values, parameter
from samples.products import Part, leaf


@dataclass(frozen=True)
class Parameters:
    """Lengths in millimetres."""

    input_diameter: float = parameter(24, "mm", "diameter of the input end")
    input_length: float = parameter(45, "mm", "length of the input end")
    bearing_diameter: float = parameter(30, "mm", "diameter of both bearing seats")
    bearing_length: float = parameter(20, "mm", "length of each bearing seat")
    body_diameter: float = parameter(42, "mm", "diameter of the body")
    body_length: float = parameter(70, "mm", "length of the body")
    output_diameter: float = parameter(22, "mm", "diameter of the output end")
    output_length: float = parameter(38, "mm", "length of the output end")
    fillet: float = parameter(1.6, "mm", "radius at the body's shoulders")
    chamfer: float = parameter(1.5, "mm", "chamfer of both ends")
    key_width: float = parameter(8, "mm", "width of the keyway")
    key_length: float = parameter(32, "mm", "length of the keyway over its round ends")
    key_depth: float = parameter(4, "mm", "depth of the keyway below the input end's surface")
    key_start: float = parameter(6, "mm", "distance of the keyway from the input end")
    groove_diameter: float = parameter(28.6, "mm", "bottom diameter of the retaining ring groove")
    groove_width: float = parameter(1.3, "mm", "width of the retaining ring groove")
    groove_offset: float = parameter(3, "mm", "distance of the groove from the rear seat's outer end")
    centre_hole: float = parameter(6.8, "mm", "diameter of the blind hole in the output end")
    centre_depth: float = parameter(22, "mm", "depth of that hole to the end of its cylinder")
    cross_hole: float = parameter(5, "mm", "diameter of the through hole across the body")
    flat_width: float = parameter(18, "mm", "width across the flats of the output end")
    flat_length: float = parameter(20, "mm", "length of the flats")


def build(**parameters: float) -> cq.Assembly:
    """The shaft with some parameters replaced.

    Raises:
        ValueError: a parameter is unknown or no positive number.
    """
    p = from_values(Parameters, parameters)
    a, b, d, e = (v / 2 for v in (p.input_diameter, p.bearing_diameter, p.body_diameter, p.output_diameter))
    x1 = p.input_length
    x2 = x1 + p.bearing_length
    x3 = x2 + p.body_length
    x4 = x3 + p.bearing_length
    x5 = x4 + p.output_length
    f, c, g = p.fillet, p.chamfer, p.groove_diameter / 2
    groove = x4 - p.groove_offset
    profile = (
        cq.Workplane("XY")
        .moveTo(0, 0)
        .lineTo(0, a - c)
        .lineTo(c, a)
        .lineTo(x1, a)
        .lineTo(x1, b - 1)
        .lineTo(x1 + 1, b)
        .lineTo(x2 - f, b)
        .radiusArc((x2, b + f), -f)
        .lineTo(x2, d - 1)
        .lineTo(x2 + 1, d)
        .lineTo(x3 - 1, d)
        .lineTo(x3, d - 1)
        .lineTo(x3, b + f)
        .radiusArc((x3 + f, b), -f)
        .lineTo(groove - p.groove_width, b)
        .lineTo(groove - p.groove_width, g)
        .lineTo(groove, g)
        .lineTo(groove, b)
        .lineTo(x4 - 1, b)
        .lineTo(x4, b - 1)
        .lineTo(x4, e)
        .lineTo(x5 - c, e)
        .lineTo(x5, e - c)
        .lineTo(x5, 0)
        .close()
    )
    body = profile.revolve(360, (0, 0, 0), (1, 0, 0))
    key = (
        cq.Workplane(origin=(p.key_start + p.key_length / 2, 0, a - p.key_depth))
        .slot2D(p.key_length, p.key_width)
        .extrude(2 * p.key_depth)
    )
    drill = cq.Workplane("YZ", origin=(x5, 0, 0)).circle(p.centre_hole / 2).extrude(-p.centre_depth)
    cross = cq.Workplane(origin=((x2 + x3) / 2, 0, -d)).circle(p.cross_hole / 2).extrude(2 * d)
    body = body.cut(key).cut(drill).cut(cross)
    for side in (1, -1):
        flat = cq.Workplane().box(p.flat_length, 2 * e, e, centered=(False, True, True))
        body = body.cut(flat.translate((x5 - p.flat_length, 0, side * (p.flat_width / 2 + e / 2))))
    return leaf(Part("Shaft", body.solids().vals()[0], (0.66, 0.66, 0.68)))
