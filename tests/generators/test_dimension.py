"""Dimension questions on the bench."""

import io
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from dqgen.generators import dimension
from dqgen.generators import dimension_variants as variants
from dqgen.generators.dimension_words import explanation
from dqgen.generators.draft import Draft
from dqgen.generators.readings import bar_length, computed, written
from dqgen.generators.studio import Studio
from dqgen.geometry.measure import measure
from dqgen.renderers.compose import Plan, Scene
from dqgen.schemas.evidence import Evidence
from dqgen.schemas.spec import DimensionCheck, Limit
from tests.generators.desk import SPEC, Desk, desk_of


def of(bench: Desk, rule: str) -> list[Draft]:
    return [draft for draft in bench.drafts("dimension") if draft.tags["rule"] == rule]


def test_every_check_is_asked_in_all_ways(bench: Desk) -> None:
    ways = Counter((d.tags["dimension_type"], d.tags["context"], d.answer) for d in of(bench, "B.1.1.1"))
    assert ways == Counter(
        {(t, c, a): 1 for t in ("direct", "scale") for c in ("plain", "detailed") for a in ("yes", "no")}
    )
    assert len(of(bench, "B.1.1.2")) == 8 + 12  # with its ladder
    assert len(of(bench, "B.1.3.1")) == 4  # a changed text has no scale


def test_yes_and_no_are_made_alike(bench: Desk) -> None:
    for rule in {draft.tags["rule"] for draft in bench.drafts("dimension")}:
        drafts = of(bench, rule)
        assert Counter(draft.answer for draft in drafts)["yes"] * 2 == len(drafts)
        assert len({tuple(draft.proof["made"]) for draft in drafts}) == 1
        assert all(None not in draft.proof["made"].values() for draft in drafts)  # none is left as it was
        sizes = {(d.pictures[0].evidence["width"], d.pictures[0].evidence["height"]) for d in drafts}
        assert len(sizes) == 1
        decimals = {len(f"{draft.proof['value']:.6g}".partition(".")[2]) for draft in drafts}
        assert 0 not in decimals, "a round value would stand out"


def test_a_diameter_is_read_off_outlines_however_its_axis_lies(bench: Desk, tmp_path: Path) -> None:
    """From the side a wheel is as wide as its diameter, and the proof reads it so."""
    check = {
        "rule": "B.1.2.1", "name": "outer diameter of the wheel", "measure": "diameter('Wheel')", "only": ["Wheel"],
        "violations": {"text": False, "percent": 20},
    }  # fmt: skip
    for view in ("front", "top"):
        data = {**SPEC, "dimension": [{**check, "view": view}]}
        desk = desk_of(tmp_path / view, data, bench.sources.design())
        drafts = [draft for draft in desk.drafts("dimension") if draft.tags["dimension_type"] == "scale"]
        assert len(drafts) == 4
        assert [desk.prove(draft) for draft in drafts] == [None] * 4
        other = {**drafts[0].proof, "value": drafts[0].proof["value"] + 10}
        assert "retaken" in str(desk.prove(drafts[0], proof=other))


def test_suggested_edits_keep_a_design_symmetric(bench: Desk, tmp_path: Path) -> None:
    """Both posts are edited where one is measured, and the proof makes the same design again."""
    check = {
        "rule": "B.1.1.2", "name": "height of a post's upper edge", "view": "front",
        "measure": "distance(extreme('Post L', up), ground)", "violations": {"text": False, "percent": 12},
    }  # fmt: skip
    desk = desk_of(tmp_path, {**SPEC, "dimension": [check]}, bench.sources.design())
    drafts = desk.drafts("dimension")
    assert Counter(draft.answer for draft in drafts) == {"yes": 4, "no": 4}
    for draft in drafts:
        assert [edit["pattern"] for edit in draft.proof["made"]["edits"]] == ["/Bench/Post L", "/Bench/Post R"]
        assert desk.prove(draft) is None
        design = variants.rebuilt(desk.spec.dimension[0], draft.proof["made"], desk.sources)
        for post in ("Post L", "Post R"):
            assert measure(design, f"distance(extreme('{post}', up), ground)").value == draft.proof["value"]
    one_only = {**drafts[0].proof, "made": {"edits": drafts[0].proof["made"]["edits"][1:]}}
    assert desk.prove(drafts[0], proof=one_only) is not None


def test_ladders_miss_and_keep_the_limit_by_what_they_say(bench: Desk) -> None:
    values = sorted({d.proof["value"] for d in of(bench, "B.1.1.2") if "%" in d.key})
    assert values == pytest.approx([90 * (1 + step / 100) for step in (-20, -5, -1, 1, 5, 20)], abs=0.35)


def test_explanations_state_the_numbers(bench: Desk) -> None:
    total = next(d for d in of(bench, "B.1.3.2") if d.answer == "no" and d.tags["dimension_type"] == "direct")
    rail = total.proof["value"] - 60
    assert f"60 + {rail:.10g} = {total.proof['value']:.10g} mm" in str(total.explanation)
    assert "at most 150 mm" in str(total.explanation)
    assert "does not comply" in str(total.explanation)


def test_scale_bar_pictures_state_no_dimension(bench: Desk) -> None:
    for draft in bench.drafts("dimension"):
        drawing = Evidence.model_validate(draft.pictures[0].evidence).drawing
        assert drawing is not None
        scale = draft.tags["dimension_type"] == "scale"
        assert (drawing.scale_bar is not None) == scale
        assert (not drawing.dimensions) == scale


def test_the_scale_bar_is_read_off_the_pixels(bench: Desk) -> None:
    draft = next(d for d in of(bench, "B.1.1.1") if d.tags["dimension_type"] == "scale")
    evidence = Evidence.model_validate(draft.pictures[0].evidence)
    assert evidence.drawing is not None
    bar = evidence.drawing.scale_bar
    assert bar is not None
    assert bar_length(draft.pictures[0].data, bar) == pytest.approx(bar.length_mm * bar.pixels_per_mm, abs=2)
    blank = io.BytesIO()
    Image.new("RGB", (evidence.width, evidence.height), "white").save(blank, "PNG")
    with pytest.raises(ValueError, match="no scale bar"):
        bar_length(blank.getvalue(), bar)


def test_highlights_are_in_the_views_only(bench: Desk) -> None:
    for draft in of(bench, "B.1.2.1"):
        pixels = np.asarray(Image.open(io.BytesIO(draft.pictures[0].data)))
        evidence = Evidence.model_validate(draft.pictures[0].evidence)
        assert evidence.drawing is not None
        top = round(evidence.drawing.sheet.height_mm * evidence.drawing.sheet.pixels_per_mm)
        pink = (pixels[..., 0] > 180) & (pixels[..., 1] < 90) & (pixels[..., 2] > 120)
        assert not pink[:top].any()
        assert pink[top:].any() == (draft.tags["context"] == "detailed")


def test_proofs_hold_and_notice_the_other_answer(bench: Desk) -> None:
    for draft in bench.drafts("dimension"):
        assert bench.prove(draft) is None, draft.key
    for draft in bench.drafts("dimension")[::7]:
        assert bench.prove(draft, answer="no" if draft.answer == "yes" else "yes") is not None


def test_proofs_notice_another_design_and_another_limit(bench: Desk) -> None:
    draft = next(d for d in of(bench, "B.1.1.2") if d.answer == "yes")
    (edit,) = draft.proof["made"]["edits"]
    moved = {**edit, "vector": (0.0, 0.0, 34.0)}
    assert "retaken" in str(bench.prove(draft, proof={**draft.proof, "made": {"edits": [moved]}}))
    limit = {**draft.proof["limit"], "value": 71.0}
    assert "does not say 71" in str(bench.prove(draft, proof={**draft.proof, "limit": limit}))


def test_numbers_are_put_into_an_expression() -> None:
    values = {"extent('A', x)": 4.0, "extent('B', x)": 3.0}
    expression = "(extent('A', x) - extent('B', x)) / extent('A', x)"
    assert computed(expression, lambda text: values[text]) == 0.25
    assert written(expression, lambda text: f"{values[text]:g}") == "(4 − 3) / 4"


@pytest.mark.parametrize(("comparator", "value"), [("minimum", 1500.0), ("maximum", 40.0), ("range", (230.0, 280.0))])
def test_targets_lie_on_either_side(comparator: str, value: object) -> None:
    limit = Limit.model_validate({"comparator": comparator, "value": value, "unit": "mm"})
    for seed in range(40):
        chance = np.random.default_rng(seed)
        sense = variants.ends(limit, chance)[0]
        kept, missed = variants.targets(limit, variants.distances(8, chance), sense)
        assert limit.keeps(kept.value)
        assert not limit.keeps(missed.value)
        assert kept.end == missed.end
        assert round(kept.value * 100) % 10 or round(kept.value * 10) % 10


def test_rules_are_called_by_their_printed_number(bench: Desk) -> None:
    """A bullet has no number of its own."""
    draft = of(bench, "B.1.1.1")[0]
    check = DimensionCheck.model_validate({**draft.proof["check"], "rule": "B.2.d#1"})
    measured = measure(bench.sources.design(), check.measure)
    words = explanation(check, Limit(comparator="minimum", value=80, unit="mm"), measured.value, measured, None)
    assert "By rule B.2.d, it must be at least 80 mm." in words
    assert "#" not in words


def test_what_prompts_say_of_hidden_parts_fits_one_and_several(bench: Desk) -> None:
    detailed = [draft.prompt for draft in bench.drafts("dimension") if draft.tags["context"] == "detailed"]
    assert detailed
    assert all("Parts that would cover what is coloured may have been hidden" in prompt for prompt in detailed)


def test_what_one_design_hides_all_hide(bench: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else it would tell which is which."""
    bared, calls = dimension._bared, []

    def uneven(place: Studio, scene: Scene, layout: Plan) -> Scene:
        calls.append(layout)
        if len(calls) == 1:
            scene = place.scene(scene.options.model_copy(update={"hide": (*scene.options.hide, "Cover")}))
        return bared(place, scene, layout)

    monkeypatch.setattr(dimension, "_bared", uneven)
    task = next(task for task in bench.tasks("dimension") if task.key.startswith("B.1.2.1"))
    drafts = dimension.run(task, bench.spec, bench.sources)
    evidence = [draft.pictures[0].evidence for draft in drafts if draft.tags["context"] == "detailed"]
    hidden = [{one["path"] for one in told["occurrences"] if one["state"] == "hidden"} for told in evidence]
    assert len(hidden) > 1
    assert all(paths == hidden[0] for paths in hidden)
    assert any("Cover" in path for path in hidden[0])
