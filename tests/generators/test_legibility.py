"""What is measured can be found in a drawing: covers are left out, twins stand for each other, and the proof looks."""

from pathlib import Path

import numpy as np
import pytest

from dqgen.errors import SpecError
from dqgen.generators.dimension_views import seen_from
from dqgen.generators.legibility import BAND, Side, lacking
from dqgen.geometry.edit import Edit, edited
from dqgen.schemas.spec import DimensionCheck
from tests.generators.desk import SPEC, Desk, desk_of

CORE = {"rule": "B.1.2.1", "name": "width of the core", "measure": "extent('Core', x)"}


def seen(bench: Desk, measure: str, view: str | None = None, **fields: object) -> tuple[str, list[str]]:
    check = DimensionCheck.model_validate({"rule": "B.1.1.1", "name": "it", "measure": measure, "view": view, **fields})
    view, left_out = seen_from(check, bench.sources, [bench.sources.design()])
    return view, [path.split("/")[-1] for path in left_out]


def test_what_covers_it_is_left_out(bench: Desk) -> None:
    assert seen(bench, "extent('Core', x)", "front") == ("front", ["Cover"])
    assert seen(bench, "extent('Core', x)") == ("front", ["Cover"])  # it is covered on all sides


def test_of_several_views_one_is_taken_in_which_it_shows(bench: Desk) -> None:
    view, left_out = seen(bench, "extent('Rail', x)")
    assert (view, left_out) == ("front", [])
    view, left_out = seen(bench, "distance(centre('Knob'), centre('Post R'), along=y)")
    assert left_out == []


def test_of_a_pair_the_one_that_is_measured_is_looked_at(bench: Desk) -> None:
    assert seen(bench, "extent('Post R', z)")[0] != seen(bench, "extent('Post L', z)")[0]


def test_twins_stand_for_each_other_unless_they_differ(bench: Desk) -> None:
    """Seen from the left one post covers the other wholly and looks the same; if that is shorter, it does not."""
    assert seen(bench, "extent('Post R', z)", "left") == ("left", [])
    shorter = edited(bench.sources.design(), Edit("scale", "Post R", factor=0.5))
    check = DimensionCheck(rule="B.1.1.1", name="it", measure="extent('Post R', z)", view="left")
    assert [path.split("/")[-1] for path in seen_from(check, bench.sources, [shorter])[1]] != []


def test_what_is_not_drawn_is_told(bench: Desk) -> None:
    with pytest.raises(SpecError, match="it cannot be seen what is measured"):
        seen(bench, "extent('Core', x)", "front", only=["Cover"])


def test_the_proof_looks_for_it(bench: Desk, tmp_path: Path) -> None:
    check = {**CORE, "violations": {"edits": "none"}, "limit": {"comparator": "maximum", "value": 80, "unit": "mm"}}
    desk = desk_of(tmp_path, {**SPEC, "dimension": [{**check, "view": "front"}]}, bench.sources.design())
    draft = desk.drafts("dimension")[0]
    assert [path.split("/")[-1] for path in draft.proof["left_out"]] == ["Cover"]
    assert desk.prove(draft) is None
    assert "it cannot be found where" in str(desk.prove(draft, proof={**draft.proof, "left_out": []}))


def square(low: int, high: int) -> np.ndarray:
    mask = np.zeros((100, 100), dtype=bool)
    mask[low:high, low:high] = True
    return mask


def test_ends_middles_and_parts() -> None:
    to_pixels = np.eye(4)[:3]
    alone, nothing = square(20, 80), square(0, 0)
    right = alone.copy()
    right[:, :50] = False
    along = np.array([1.0, 0.0, 0.0])
    end, start = (Side((0,), "end", np.array([at, 50.0, 0.0]), along) for at in (80.0, 20.0))
    assert lacking(end, to_pixels, right, alone, nothing) is None
    missing = lacking(start, to_pixels, right, alone, nothing)
    assert missing is not None
    assert np.flatnonzero(missing.any(axis=0)).max() <= 20 + BAND
    stub = alone.copy()
    stub[:, :65] = False
    assert lacking(end, to_pixels, stub, alone, nothing) is not None, "the end shows, but not of what"
    middle = Side((0,), "middle", np.array([50.0, 50.0, 0.0]), along)
    assert lacking(middle, to_pixels, right, alone, nothing) is not None
    frame = alone & ~square(30, 70)
    assert lacking(middle, to_pixels, frame, alone, nothing) is None
    assert lacking(Side((0,), "part"), to_pixels, right, alone, nothing) is None
    assert lacking(Side((0,), "part"), to_pixels, nothing, alone, nothing) is not None
    inside = Side((0,), "end", np.array([50.0, 50.0, 0.0]), along)
    assert lacking(inside, to_pixels, frame, alone, nothing) is not None
    assert lacking(inside, to_pixels, frame, alone, square(40, 60)) is None
