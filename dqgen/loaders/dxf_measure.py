"""What the dimensions of a DXF file measure, worked out from their points."""

import math
import re
from collections.abc import Sequence

from ezdxf.entities import Dimension
from ezdxf.math import ConstructionLine, Vec2, Vec3

ARC, LARGE_RADIUS = 8, 9
ANGLES = (2, 5)
SAME_ANGLE = 0.6  # degrees: printed angles are often rounded to whole ones


def kind_number(entity: Dimension) -> int:
    """Of the seven kinds of DIMENSION, 8 for lengths of arcs, 9 for large radii, whatever their flags say."""
    named = {"ARC_DIMENSION": ARC, "LARGE_RADIAL_DIMENSION": LARGE_RADIUS}
    return named.get(entity.dxftype(), int(entity.dimtype))


def measured(entity: Dimension, printed: str) -> float:
    """In units of the drawing or degrees, before the style's factor; NaN where points are missing, fall together, or
    tell less than the measurement that the file states.

    Args:
        entity: the dimension.
        printed: its text, which tells an angle from those that complete it.
    """
    kind = kind_number(entity)
    try:
        if kind == ARC:
            centre, start, end = _points(entity, "defpoint4", "defpoint2", "defpoint3")
            return math.radians(_turn(centre, start, end)) * float((start - centre).magnitude)
        if kind == LARGE_RADIUS:
            if entity.dxf.get("actual_measurement"):
                return math.nan  # what is stated counts: there are files whose point on the arc lies off it
            centre, chord = _points(entity, "defpoint", "chord_point")
            return float((chord - centre).magnitude)
        if kind in ANGLES:
            return _angle(entity, kind, printed)
        value = entity.get_measurement()
    except Exception:  # points that are missing or fall together
        return math.nan
    if kind == 6:
        offset = Vec3(value)
        return abs(float(offset.x if entity.dxf.dimtype & 64 else offset.y))
    return float(value) if isinstance(value, (int, float)) else math.nan


def _points(entity: Dimension, *names: str) -> list[Vec2]:
    return [Vec2(entity.dxf.get(name)) for name in names]


def _turn(centre: Vec2, start: Vec2, end: Vec2) -> float:
    return float((end - centre).angle_deg - (start - centre).angle_deg) % 360


def _angle(entity: Dimension, kind: int, printed: str) -> float:
    """The angle that the file states or prints if its lines can make it, else the one in which its arc lies."""
    if kind == 5:
        apex, one, two, place = _points(entity, "defpoint4", "defpoint2", "defpoint3", "defpoint")
        whole = _turn(apex, one, two)
        inside = _turn(apex, one, place) <= whole
        possible = [whole if inside else 360 - whole, 360 - whole if inside else whole]
    else:
        a, b, c, d, place = _points(entity, "defpoint2", "defpoint3", "defpoint4", "defpoint", "defpoint5")
        met = ConstructionLine(a, b).ray.intersect(ConstructionLine(c, d).ray)
        between = ((d - c).angle_deg - (b - a).angle_deg) % 180
        # Four sectors about the apex, by turns `between` and what completes it to 180 degrees.
        at = ((place - met).angle_deg - (b - a).angle_deg) % 180
        own = between if at <= between else 180 - between
        possible = [own, 180 - own, 360 - own, 180 + own]
    stored = entity.dxf.get("actual_measurement")
    for told in (math.degrees(stored) if stored else math.nan, printed_degrees(printed)):
        nearest = min(possible, key=lambda angle: abs(angle - told))
        if abs(nearest - told) < SAME_ANGLE:
            return float(nearest)
    return float(possible[0])


def printed_degrees(text: str) -> float:
    """Degrees of `36°`, `36,5°` or `36°52'12"`; NaN of other texts."""
    numbers: Sequence[str] = re.findall(r"\d+(?:[.,]\d+)?", text)
    if not numbers:
        return math.nan
    parts = [float(number.replace(",", ".")) for number in numbers[:3]]
    return sum(part / 60.0**place for place, part in enumerate(parts if "'" in text else parts[:1]))
