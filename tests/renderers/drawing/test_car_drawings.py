"""Measures of the sample car, drawn as dimensions and by scale bar; `car_drawings` draws all twenty."""

import pytest

from dqgen.geometry.measure import measure
from dqgen.loaders.load import LoadOptions, load
from dqgen.schemas.design import Design
from tests.renderers.drawing import car_drawings
from tests.renderers.drawing.car_drawings import CASES, MARGIN

NAMES = ("ground clearance", "brace angle", "steering wheel to front hoop")


@pytest.fixture(scope="module")
def car() -> Design:
    return load(car_drawings.CAR, LoadOptions())


@pytest.mark.parametrize("name", NAMES)
def test_a_limit_kept_and_broken_is_drawn_as_it_is_measured(car: Design, name: str) -> None:
    case = next(case for case in CASES if case.name == name)
    for variant, sign in zip(car_drawings.variants(car, case), (1, -1), strict=True):
        again = measure(variant.design, case.expression)
        assert again.value == pytest.approx(variant.after.value, rel=1e-12)
        assert case.limit.margin(again.value) == pytest.approx(sign * MARGIN * case.limit.value, rel=1e-6)
        assert list(car_drawings.direct_faults(car_drawings.direct(variant.design, case), again)) == []
        assert list(car_drawings.scale_faults(car_drawings.by_scale(variant.design, case), again)) == []
