"""Names in singular and plural, with hyphens and without."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dqgen.rulebook.nouns import key, mention_pattern, plural, singular


@pytest.mark.parametrize(
    ("one", "many"),
    [
        ("side impact diagonal", "side impact diagonals"),
        ("battery", "batteries"),
        ("bus bar", "bus bars"),
        ("switch", "switches"),
        ("gearbox", "gearboxes"),
        ("glass", "glasses"),
        ("half shaft", "half shafts"),
        ("foot", "feet"),
        ("A-arm", "A-arms"),
        ("axis", "axes"),
        ("brake hose", "brake hoses"),
        ("tie", "ties"),
        ("lens", "lenses"),
    ],
)
def test_numbers(one: str, many: str) -> None:
    assert plural(one) == many
    assert singular(many) == one
    assert (plural(many), singular(one)) == (many, one)


@pytest.mark.parametrize("name", ["chassis", "aerodynamics", "main hoop bracing", "bodywork"])
def test_of_one_number(name: str) -> None:
    assert plural(name) == singular(name) == name


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("side impact diagonals", "the Side Impact Diagonal on each side"),
        ("anti-intrusion plate", "Composite Anti Intrusion Plates:"),
        ("anti intrusion plates", "the anti-intrusion plate"),
        ("anti-intrusion plate", "the anti-\nintrusion\nplate"),
        ("low‑voltage battery", "Low Voltage Batteries"),
        ("firewalls", "A Firewall(s) must separate"),
        ("rims", "of the steering wheel rim with"),
    ],
)
def test_found(name: str, text: str) -> None:
    assert mention_pattern([name]).search(text)
    assert not mention_pattern([name]).search("handbrake lighting, plateau, rimless, Side - Impact")


def test_what_is_not_the_name() -> None:
    assert not mention_pattern(["low voltage lv"]).search("Low Voltage - LV")  # a dash is no hyphen
    assert not mention_pattern(["gas"]).search("a gasket")
    assert not mention_pattern(["", " - "]).search("anything - at all")


NOUNS = [
    "brake",
    "disc",
    "battery",
    "box",
    "bracing",
    "lens",
    "hose",
    "switch",
    "glass",
    "tray",
    "chassis",
    "axis",
    "gas",
]


@given(st.lists(st.sampled_from(NOUNS), min_size=1, max_size=4))
def test_number_and_hyphens_do_not_matter(words: list[str]) -> None:
    name = " ".join(words)
    assert singular(plural(name)) == singular(name)
    for written in (name, "-".join(words), plural(name), singular(name), name.upper()):
        assert key(written) == key(name)
        assert mention_pattern([name]).fullmatch(written)
        assert mention_pattern([written]).fullmatch(name)
