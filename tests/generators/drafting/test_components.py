"""Components as a rulebook calls them."""

from pathlib import Path

import pytest

from dqgen.generators.drafting.components import find_components
from dqgen.generators.drafting.names import Names
from dqgen.generators.sources import Sources
from dqgen.geometry.transforms import placed
from dqgen.loaders.load import LoadOptions, load
from dqgen.rulebook.definitions import other_names
from dqgen.rulebook.document import parse
from dqgen.rulebook.profile import load_profile
from dqgen.schemas.rulebook import Rule
from dqgen.schemas.spec import Component

from ..texts import FORMULA

RULES = """# R.1 DEFINITIONS

**R.1.1** Upright – The part that carries the wheel. It is also known as the wheel carrier or the A-knuckle.

**R.1.2** "Chassis" or "Frame" means the tubes. It is also called the steering wheel.

## R.2 Parts

**R.2.1** The upper side impact member must be straight. The accelerator pedal must return by itself.

**R.2.2** The main hoop bracing must be straight. The low voltage battery (LV) must be dry.

**R.2.3** Firewalls (also called fire walls) must be tight.
"""


@pytest.fixture(scope="module")
def names() -> Names:
    return Names(placed(load(Path(FORMULA / "formula.step"), LoadOptions())), {})


def components(names: Names, rules: list[Rule]) -> dict[str, Component]:
    found = find_components(names, rules, other_names(rules))
    return {one.component.name: one.component for one in found}


def test_other_names_of_the_sample_rules(names: Names, formula: Sources) -> None:
    found = components(names, formula.rulebook.rules)
    assert {name: found[name].synonyms[-1:] for name in found if found[name].synonyms} == {
        "accumulator": ("traction battery",),
        "accumulator container": ("battery box",),
        "anti-intrusion plate": ("bulkhead plate",),
        "brake discs": ("brake rotors",),
        "firewall": ("fire barrier",),
        "frame": ("chassis",),
        "head restraint": ("headrest",),
        "impact attenuator": ("crash box",),
        "main hoop": ("rear roll hoop",),
        "rims": ("wheel rims",),
        "tyres": ("slick tyres",),
        "uprights": ("wheel carriers",),
    }


def test_names_and_words_of_other_rules(names: Names, tmp_path: Path) -> None:
    (tmp_path / "rules.md").write_text(RULES, encoding="utf-8")
    found = components(names, parse(tmp_path / "rules.md", load_profile("auto")).rules)
    assert found["uprights"].synonyms == ("machined uprights", "wheel carriers", "A-knuckles")
    assert found["frame"].synonyms == ("chassis",)  # the steering wheel is another part of the design
    assert found["upper side impact tubes"].synonyms == ("upper side impact members",)
    assert found["throttle pedal"].synonyms == ("accelerator pedal",)
    assert found["main hoop braces"].synonyms == ("main hoop bracing",)
    assert found["firewall"].synonyms == ("fire wall",)  # one of it
    assert found["lower side impact tubes"].synonyms == ()  # of which these rules say nothing
    assert "low-voltage battery" in found  # which they write without the hyphen
