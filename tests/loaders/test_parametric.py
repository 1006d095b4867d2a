"""Parametric sources: rebuilt in the sandbox, tuned to a limit, refused in one line."""

from pathlib import Path

import pytest

from dqgen.errors import LoadError, UsageError
from dqgen.geometry.measure import measure
from dqgen.geometry.violations import Limit
from dqgen.loaders import archive
from dqgen.loaders.parametric import Workshop, defaults, rebuild, retuned
from dqgen.schemas.design import walk

MODEL = """
import cadquery as cq

def build(width=40.0, hole=6.0):
    if width <= hole:
        raise ValueError("the hole does not fit")
    plate = cq.Workplane().box(width, 30, 5).faces(">Z").workplane().hole(hole)
    pin = cq.Workplane().circle(hole / 2).extrude(20).val()
    both = cq.Assembly(name="Set")
    both.add(plate, name="Plate")
    both.add(pin, name="Pin 1", loc=cq.Location(cq.Vector(100, 0, 0)))
    both.add(pin, name="Pin 2", loc=cq.Location(cq.Vector(120, 0, 0)))
    return both
"""


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "set.py"
    path.write_text(MODEL)
    return path


def test_a_source_is_rebuilt_with_names_and_shared_shapes(model: Path) -> None:
    design = rebuild(model, {"width": 55})
    assert [node.label for node in walk(design.root)] == ["Set", "Plate", "Pin 1", "Pin 2"]
    assert measure(design, "extent('Plate', x)").value == pytest.approx(55)
    assert design.source.name == "set.py"
    pins = [node.solid for node in walk(design.root) if node.label.startswith("Pin")]
    assert len({design.solids[row].volume for row in pins if row is not None}) == 1
    assert defaults(model) == {"width": 40.0, "hole": 6.0}


def test_a_parameter_is_tuned_to_a_limit(model: Path) -> None:
    found = retuned(model, "width", 40.0, "extent('Plate', x)", Limit(50, "max"), -2.5)
    assert found.after.value == pytest.approx(52.5)
    assert found.value == pytest.approx(52.5)
    assert found.margin == pytest.approx(-2.5)


def test_sources_that_cannot_be_built_are_refused(model: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="the hole does not fit"):
        rebuild(model, {"width": 5})
    with pytest.raises(UsageError, match="widht"):
        rebuild(model, {"widht": 5})
    with pytest.raises(LoadError, match="no such file"):
        rebuild(tmp_path / "none.py", {})
    for text, words in (
        ("def build(): return 3", "returns int"),
        ("x = 1", "no function build"),
        ("import nothing_of_that_name", "cannot be imported"),
        ("def build(): return 1 / 0", "ZeroDivisionError"),
        ("import os\ndef build(): os._exit(9)", "ended with code 9"),
    ):
        model.write_text(text)
        with pytest.raises(LoadError, match=words):
            rebuild(model, {})


def test_variants_do_not_depend_on_those_before_them(model: Path) -> None:
    counting = "made = []\n" + MODEL.replace('name="Plate")', 'name=f"Plate {len(made)}")').replace(
        "    plate =", "    made.append(width)\n    plate ="
    )
    model.write_text(counting)
    with Workshop() as workshop:
        first, wider, again = (workshop.rebuild(model, {"width": width}) for width in (40, 55, 40))
    alone = rebuild(model, {"width": 55})
    assert archive.dump(wider) == archive.dump(alone)
    assert archive.dump(first) == archive.dump(again) != archive.dump(alone)
    assert [node.label for node in walk(again.root)][1] == "Plate 1"
    assert first.source.sha256 == alone.source.sha256
    model.write_text(counting + "\n")
    assert rebuild(model, {"width": 55}).source.sha256 != alone.source.sha256
