"""What dimensions of a DXF measure, against what their lines were drawn to be."""

from pathlib import Path

import ezdxf
import pytest

from dqgen.loaders.dxf_measure import printed_degrees
from dqgen.loaders.load import LoadOptions, load_sheet
from dqgen.schemas.sheet import DimensionEntity


def one(path: Path, draw) -> DimensionEntity:
    document = ezdxf.new("R2010", setup=True, units=4)
    space = document.modelspace()
    space.add_line((-10, 0), (10, 0))
    draw(space)
    document.saveas(path)
    (dimension,) = load_sheet(path, LoadOptions()).pages[0].dimensions
    return dimension


@pytest.mark.parametrize("printed", ["<>", "ca. <>", "A"])
@pytest.mark.parametrize(
    ("one_way", "other"), [(((-1, 0), (-5, 0)), ((1, 1), (5, 6))), (((1, 1), (5, 6)), ((-1, 0), (-5, 0)))]
)
def test_an_angle_between_two_lines(tmp_path: Path, one_way, other, printed: str) -> None:
    def draw(space) -> None:
        space.add_angular_dim_2l(base=(0, 8), line1=one_way, line2=other, text=printed).render()

    found = one(tmp_path / "a.dxf", draw)
    assert found.kind == "angular"
    angle = printed_degrees(found.printed)
    if printed == "A":  # nothing tells but where the arc lies: between the left and the upper right ray
        assert found.measured == pytest.approx(180 - 51.3402, abs=1e-3)
    else:
        assert found.measured == pytest.approx(angle, abs=0.01)


@pytest.mark.parametrize(("first", "second", "angle"), [((5, 0), (0, 5), 90), ((0, 5), (5, 0), 270)])
def test_an_angle_of_three_points(tmp_path: Path, first, second, angle: float) -> None:
    def draw(space) -> None:
        space.add_angular_dim_3p(base=(0, 8), center=(0, 0), p1=first, p2=second).render()

    assert one(tmp_path / "a.dxf", draw).measured == pytest.approx(angle)


def test_the_length_of_an_arc_is_no_angle(tmp_path: Path) -> None:
    def draw(space) -> None:
        arc = {"center": (0, 0), "radius": 5, "start_angle": 30, "end_angle": 120, "distance": 2}
        space.add_arc_dim_cra(**arc, override={"dimlfac": 1}).render()

    found = one(tmp_path / "a.dxf", draw)
    assert found.kind == "arc"
    assert found.measured == pytest.approx(7.854, abs=1e-3)


@pytest.mark.parametrize(
    ("text", "degrees"), [("36°", 36), ("36,5°", 36.5), ("36°30'", 36.5), ("12°7'30\"", 12.125), ("2x 45°", 2)]
)
def test_printed_degrees(text: str, degrees: float) -> None:
    assert printed_degrees(text) == pytest.approx(degrees)
