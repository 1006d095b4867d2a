"""Features and measures as the models that commands put out, and as lines for people."""

from collections.abc import Iterator

from dqgen.geometry.features import Catalogue, Hole, HolePattern
from dqgen.geometry.handles import direction_text, place_text
from dqgen.geometry.measurement import Measurement
from dqgen.geometry.transforms import Placed
from dqgen.schemas.design import Design, Floats
from dqgen.schemas.measure import (
    AxisModel,
    FeaturesReport,
    HoleModel,
    MeasurementModel,
    MeasureReport,
    PatternModel,
    PlaneModel,
    Triple,
)

PLACES = 6
"""Decimals of lengths that are put out: a nanometre."""


def measure_report(file: str, design: Design, leaves: list[Placed], measures: list[Measurement]) -> MeasureReport:
    """All that `dqgen measure` says."""
    return MeasureReport(
        file=file,
        sha256=design.source.sha256,
        measures=tuple(measurement_model(measured, leaves) for measured in measures),
        warnings=design.warnings,
    )


def measurement_model(measured: Measurement, leaves: list[Placed]) -> MeasurementModel:
    """A measurement as it is put out; numbers are rounded to a nanometre."""

    def pair(values: Floats | None) -> tuple[Triple, Triple] | None:
        return None if values is None else (_triple(values[0]), _triple(values[1]))

    return MeasurementModel(
        expression=measured.expression,
        kind=measured.kind,
        value=round(measured.value, PLACES + 3) + 0.0,
        unit=measured.unit,
        witnesses=pair(measured.witnesses),
        direction=None if measured.direction is None else _triple(measured.direction, 9),
        centre=None if measured.centre is None else _triple(measured.centre),
        axis=None if measured.axis is None else _triple(measured.axis, 9),
        arms=None if measured.arms is None else (_triple(measured.arms[0], 9), _triple(measured.arms[1], 9)),
        occurrences=tuple(leaves[row].path for row in measured.leaves),
        exact=measured.exact,
        parts=tuple(measurement_model(part, leaves) for part in measured.parts),
    )


def measure_lines(measured: Measurement) -> Iterator[str]:
    """A measurement for people: its value, then what it was taken between, then its parts."""
    unit = "°" if measured.unit == "deg" else f" {measured.unit}" if measured.unit else ""
    how = "" if measured.exact else ", fitted"
    yield f"{measured.value:.6g}{unit}{how}  {measured.expression}"
    if measured.witnesses is not None:
        first, second = (place_text(point) for point in measured.witnesses)
        yield f"  between {first} and {second}"
    for part in measured.parts:
        if part.kind != "number":
            yield from (f"  {line}" for line in measure_lines(part))


def features_report(file: str, design: Design, leaves: list[Placed], found: Catalogue) -> FeaturesReport:
    """All that `dqgen features` says."""
    paths = [leaf.path for leaf in leaves]
    return FeaturesReport(
        file=file,
        sha256=design.source.sha256,
        occurrences=tuple(paths),
        bounds=(_triple(found.bounds[0]), _triple(found.bounds[1])),
        axes=tuple(
            AxisModel(
                occurrence=paths[axis.leaf],
                faces=axis.faces,
                kind=axis.kind,
                origin=_triple(axis.origin),
                direction=_triple(axis.direction, 9),
                diameter=round(2 * axis.radius, PLACES),
                length=round(axis.length, PLACES),
                inner=axis.inner,
                sweep=round(axis.sweep, 1),
                exact=axis.exact,
            )
            for axis in found.axes
        ),
        holes=tuple(
            HoleModel(
                occurrence=paths[hole.leaf],
                faces=hole.faces,
                position=_triple(hole.position),
                direction=_triple(hole.direction, 9),
                diameter=round(hole.diameter, PLACES),
                depth=round(hole.depth, PLACES),
                through=hole.through,
                counterbore=_rounded(hole.counterbore),
                countersink=_rounded(hole.countersink),
                exact=hole.exact,
            )
            for hole in found.holes
        ),
        patterns=tuple(
            PatternModel(
                occurrence=paths[pattern.leaf],
                form=pattern.form,
                count=len(pattern.holes),
                holes=pattern.holes,
                centre=_triple(pattern.centre),
                circle_diameter=round(pattern.circle_diameter, PLACES),
            )
            for pattern in found.patterns
        ),
        planes=tuple(
            PlaneModel(
                occurrence=paths[plane.leaf],
                face=plane.face,
                origin=_triple(plane.origin),
                normal=_triple(plane.normal, 9),
                area=round(plane.area, PLACES),
                bounds=(_triple(plane.bounds[0]), _triple(plane.bounds[1])),
                exact=plane.exact,
            )
            for plane in found.planes
        ),
        warnings=design.warnings,
    )


def feature_lines(leaves: list[Placed], found: Catalogue) -> Iterator[str]:
    """A catalogue for people: the box, then leaf by leaf its holes, round faces and planes with counts."""
    low, high = found.bounds
    yield f"box {' × '.join(f'{size:.6g}' for size in high - low)} mm, from {place_text(low)} to {place_text(high)}"
    for row, leaf in enumerate(leaves):
        patterns = [pattern for pattern in found.patterns if pattern.leaf == row]
        axes = [axis for axis in found.axes if axis.leaf == row]
        flat = sum(plane.leaf == row for plane in found.planes)
        fitted = ", fitted to a mesh" if leaf.solid.fitted else ""
        yield f"{leaf.path}: {flat} flat faces, {len(axes)} round{fitted}"
        for pattern in patterns:
            yield f"  {callout(found.holes[pattern.holes[0]], pattern)}"
        of_holes = {face for hole in found.holes if hole.leaf == row for face in hole.faces}
        for axis in axes:
            if not set(axis.faces) <= of_holes:
                side = "inner" if axis.inner else "outer"
                about = f"along {direction_text(axis.direction)} through {place_text(axis.origin)}"
                turn = "" if axis.sweep > 359 else f", {axis.sweep:.0f}° around"
                yield f"  {side} {axis.kind} ⌀{2 * axis.radius:.6g}, {axis.length:.6g} long, {about}{turn}"


def callout(hole: Hole, pattern: HolePattern) -> str:
    """A group of holes as a drawing calls them out: `4× ⌀6.6 through`, and where they are."""
    count = f"{len(pattern.holes)}× " if len(pattern.holes) > 1 else ""
    text = f"{count}⌀{hole.diameter:.6g} " + ("through" if hole.through else f"{hole.depth:.6g} deep")
    if hole.counterbore:
        text += f", counterbore ⌀{hole.counterbore[0]:.6g} {hole.counterbore[1]:.6g} deep"
    if hole.countersink:
        text += f", countersink ⌀{hole.countersink[0]:.6g} × {hole.countersink[1]:.6g}°"
    if pattern.form == "circle":
        text += f", on ⌀{pattern.circle_diameter:.6g}"
    elif pattern.form in ("row", "grid"):
        text += f", in a {pattern.form}"
    return f"{text}, along {direction_text(hole.direction)} at {place_text(pattern.centre)}"


def _triple(values: Floats, places: int = PLACES) -> Triple:
    x, y, z = (round(float(value), places) + 0.0 for value in values)
    return x, y, z


def _rounded(pair: tuple[float, float] | None) -> tuple[float, float] | None:
    return None if pair is None else (round(pair[0], PLACES), round(pair[1], PLACES))
