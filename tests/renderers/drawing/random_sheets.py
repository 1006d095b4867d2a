"""Automatic sheets of random parts held against what is known of them.

`python -m tests.renderers.drawing.random_sheets [COUNT] [FIRST]` tries many and prints what is wrong.
"""

import itertools
import re
import sys
from collections import Counter
from collections.abc import Iterator

from dqgen.errors import DqgenError
from dqgen.renderers.drawing.numbers import read
from dqgen.schemas.evidence import DimensionEvidence, DrawingEvidence
from tests.geometry.shapes import part as design_of
from tests.renderers.drawing.conftest import drawn
from tests.renderers.drawing.random_parts import HoleSize, Part, random_part

UNITS = ("mm", "inch")
MM_PER_INCH = 25.4
_NUMBER = r"([0-9.]+)"
_HOLE = re.compile(
    rf"(?:[A-Z] = )?(?:(\d+)× )?⌀{_NUMBER}(?: ↧{_NUMBER})?(?: ⊔ ⌀{_NUMBER} ↧{_NUMBER})?(?: ∨ ⌀{_NUMBER} × {_NUMBER}°)?"
)


def faults(part: Part, unit: str) -> list[str]:
    """What is wrong with a part's automatic sheet."""
    try:
        drawing = drawn(design_of(part.body), unit=unit, force=True)
    except DqgenError as error:
        return [f"refused: {error}"]
    shown = drawing.evidence.drawing
    assert shown is not None
    found = [f"lint: {finding.rule} {finding.message}" for finding in shown.findings]
    found += [f"warning: {text}" for text in drawing.evidence.warnings]
    return found + list(_wrong(part, shown, unit))


def _wrong(part: Part, shown: DrawingEvidence, unit: str) -> Iterator[str]:
    for one in shown.dimensions:
        yield from _value_faults(part, one, unit)
    yield from _hole_faults(part, shown, unit)
    told: list[set[float]] = [set(), set(), set()]
    for one in shown.dimensions:
        for point in one.model_points:
            for axis in range(3):
                if one.kind in ("linear", "ordinate") and f" {'xyz'[axis]}" in one.expression:
                    told[axis].add(round(point[axis], 2))
    if part.family == "shaft" or part.family == "flange":
        return
    for axis in range(3):
        ends = min(part.places[axis]), max(part.places[axis])
        middle = sum(ends) / 2
        for value in part.centres[axis]:
            if value in ends or abs(value - middle) < 1e-6:
                continue
            if min((abs(value - known) for known in told[axis]), default=9.0) > 0.02:
                yield f"not told: {'xyz'[axis]} = {value:g}"


def _value_faults(part: Part, one: DimensionEvidence, unit: str) -> Iterator[str]:
    factor = MM_PER_INCH if unit == "inch" and one.unit != "deg" else 1.0
    half = 0.5 * 10**-one.decimals + 1e-6
    printed = read(one.printed)
    if one.kind in ("linear", "ordinate"):
        axis = next((k for k in range(3) if re.search(rf" {'xyz'[k]}\b", one.expression)), None)
        if axis is None:
            yield f"along no axis: {one.expression}"
            return
        gaps = [abs(a - b) for a, b in itertools.combinations(part.places[axis], 2)]
        gaps += [a - b for a, b in itertools.permutations(part.places[axis], 2)] + [0.0]
    elif one.kind in ("diameter", "callout"):
        gaps = sorted(part.diameters | {size[0] for size in part.holes})
    elif one.kind == "radius":
        gaps = sorted(part.radii)
    elif one.kind == "angular":
        gaps = sorted(part.angles)
    else:
        gaps = sorted(part.chamfers)
    if not any(abs(printed - gap / factor) <= half for gap in gaps):
        yield f"wrong value: '{one.text}' {one.kind} ({one.expression}) in {one.view}"


def _hole_faults(part: Part, shown: DrawingEvidence, unit: str) -> Iterator[str]:
    """Holes by size as they are printed against those that were drilled."""
    decimals = 3 if unit == "inch" else 2

    def rounded(value: float) -> float:
        return round(value / (MM_PER_INCH if unit == "inch" else 1.0) + 1e-9, decimals)

    def key(size: HoleSize) -> tuple[object, ...]:
        diameter, depth, bore, sink = size
        return (
            rounded(diameter),
            None if depth is None else rounded(depth),
            None if bore is None else (rounded(bore[0]), rounded(bore[1])),
            None if sink is None else (rounded(sink[0]), sink[1]),
        )

    wanted: Counter[tuple[object, ...]] = Counter()
    for size, count in part.holes.items():
        wanted[key(size)] += count
    printed: Counter[tuple[object, ...]] = Counter()
    for one in shown.dimensions:
        hollow = one.kind == "diameter" and "hollow" in one.expression
        if one.kind != "callout" and not hollow:
            continue
        match = _HOLE.fullmatch(one.text)
        if match is None:
            yield f"no callout: '{one.text}'"
            continue
        count, *numbers = match.groups()
        d, depth, bore, bore_depth, sink, angle = (None if text is None else float(text) for text in numbers)
        assert d is not None
        printed[d, depth, None if bore is None else (bore, bore_depth), None if sink is None else (sink, angle)] += int(
            count or 1
        )
    if wanted != printed:
        yield f"holes: missing {dict(wanted - printed)}, beyond {dict(printed - wanted)}"


def main(count: int, first: int) -> int:
    """Try seeds from `first` in both units and print the faults of each; the number of parts with any."""
    bad = 0
    for seed in range(first, first + count):
        part = random_part(seed)
        lines = [f"{seed} {part.family} {unit}: {fault}" for unit in UNITS for fault in faults(part, unit)]
        bad += bool(lines)
        print("\n".join(lines), flush=True) if lines else None
    print(f"{count - bad} of {count} parts without fault")
    return int(bad > 0)


if __name__ == "__main__":
    numbers = [int(text) for text in sys.argv[1:]]
    sys.exit(main(*(numbers + [200, 0][len(numbers) :])))
