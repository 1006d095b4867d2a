"""Bounds in many words: ranges said as two bounds, comparatives, negated subjects, compound units, factors."""

import pytest

from dqgen.rulebook.comparatives import LESS, MORE
from dqgen.rulebook.quantities import read_quantities


@pytest.mark.parametrize(
    "said",
    [
        "more than 240 mm and less than 320 mm",
        "more than 240 and less than 320 mm",
        "greater than 240 mm, but less than 320 mm",
        "between 240 mm and 320 mm",
        "between 240 and 320 mm",
        "not less than 240 mm and not more than 320 mm",
        "no more than 320 mm and no less than 240 mm",
        "at least 240 mm but no more than 320 mm",
        "at least 240 mm and must not exceed 320 mm",
        "a minimum of 240 mm and a maximum of 320 mm",
        "240 mm to 320 mm",
        "≥ 240 mm and ≤ 320 mm",
    ],
)
def test_two_bounds_on_one_thing_are_a_range(said: str) -> None:
    text = f"The gap must be {said} above the floor."
    (found,) = read_quantities(text)
    assert (found.comparator, found.value, found.unit, found.role) == ("range", [240, 320], "mm", "limit")
    assert text[found.start : found.end] == found.raw


def test_a_range_keeps_its_second_unit_where_both_ends_have_it() -> None:
    (mass,) = read_quantities("It must weigh at least 165 kg (364 lb) and at most 290 kg (639 lb).")
    assert [(amount.value, amount.unit) for amount in mass.also] == [([364, 639], "lb")]
    (half,) = read_quantities("It must weigh at least 165 kg (364 lb) and at most 290 kg.")
    assert (half.value, half.also) == ([165, 290], [])


@pytest.mark.parametrize(
    ("text", "bounds"),
    [
        ("It must be at least 320 mm wide and at most 400 mm high.", ["minimum", "maximum"]),
        ("It must not be stored below 0 °C or above 45 °C.", ["minimum", "maximum"]),
        ("It must be at least 40 mm wide and at least 50 mm high.", ["minimum", "minimum"]),
    ],
)
def test_bounds_on_two_things_stay_apart(text: str, bounds: list[str]) -> None:
    assert [found.comparator for found in read_quantities(text)] == bounds


@pytest.mark.parametrize(("words", "bound", "other"), [(MORE, "minimum", "maximum"), (LESS, "maximum", "minimum")])
def test_every_comparative_with_and_without_negation(words: str, bound: str, other: str) -> None:
    for word in words.removeprefix("(?:").removesuffix(")").split("|"):
        for said, expected in [
            (f"It must be {word} than 20 mm.", bound),
            (f"It must not be {word} than 20 mm.", other),
            (f"It may not get {word} than 20 mm.", other),
            (f"No part may be {word} than 20 mm.", other),
            (f"Nothing on the cart may be {word} than 20 mm.", other),
            (f"It must be no {word} than 20 mm.", other),
        ]:
            (found,) = read_quantities(said)
            assert (found.comparator, found.role) == (expected, "limit"), said


@pytest.mark.parametrize(
    ("text", "comparator", "role"),
    [
        ("Nothing on the cart may reach more than 900 mm ahead.", "maximum", "limit"),
        ("No part may extend more than 900 mm ahead.", "maximum", "limit"),
        ("No part of the wing, except its struts and stays, may be lower than 800 mm.", "minimum", "limit"),
        ("No part, including the axle, the wheels and the flag, may be wider than 800 mm.", "maximum", "limit"),
        ("No part that stands out when the doors of the cart are open may be lower than 80 mm.", "minimum", "limit"),
        ("No cart may start if a gap is more than 5 mm.", "minimum", "condition"),
        ("Other metals may be as thin as 0.9 mm.", "minimum", "limit"),
        ("The rope may be as long as 3 m.", "maximum", "limit"),
        ("Under the forces in A.2 the sag must not exceed 22 mm anywhere, and no tube may bend.", "maximum", "limit"),
        ("Any rope that is longer than 2 m, and any chain, must be coiled.", "minimum", "condition"),
        ("The peak force must not exceed 106 kN.", "maximum", "limit"),
        ("The force at the rim must not exceed 180 N while the wheels are turned.", "maximum", "limit"),
        ("A test load must be at least 300 N.", "minimum", "test"),
        ("The hook must withstand a force of at least 2 kN.", "minimum", "test"),
        ("A load of not more than 300 N must be applied.", "maximum", "test"),
        ("It must sound once, for at least 2 s.", "minimum", "limit"),
        ("Glue at a place hotter than 80 °C is not accepted.", "minimum", "condition"),
    ],
)  # fmt: skip
def test_bounds_and_roles(text: str, comparator: str, role: str) -> None:
    assert [(found.comparator, found.role) for found in read_quantities(text)] == [(comparator, role)]


@pytest.mark.parametrize(
    ("text", "roles"),
    [
        ("A disc must not exceed 600 °C in a race, and the fluid must stay below 180 °C.", ["limit", "limit"]),
        ("It must be at least 1.5 mm thick if of steel, or at least 3.8 mm thick if of wood.", ["limit", "limit"]),
        ("Discs must be at least 4 mm thick when new, and at least 3.5 mm when worn.", ["limit", "limit"]),
        ("The resistance, measured at 500 V, must be at least 2 kΩ.", ["test", "limit"]),
        ("At an angle of 45° no oil may leak.", ["condition"]),
        ("No more than 2 L of oil may be carried.", ["limit"]),
        ("Any part no more than 2 mm thick must be painted.", ["condition"]),
        ("It must be tied if more than 5 mm wide or more than 3 mm high.", ["condition", "condition"]),
    ],
)
def test_roles_of_joined_bounds(text: str, roles: list[str]) -> None:
    assert [found.role for found in read_quantities(text)] == roles


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("The stiffness must be at least 1200 N m/° in all.", 1200, "Nm/deg"),
        ("The stiffness must be at least 1200 N m/deg.", 1200, "Nm/deg"),
        ("The stiffness must be at least 1200 Nm per degree.", 1200, "Nm/deg"),
        ("The spring must have at most 10 kN/mm.", 10, "kN/mm"),
        ("The slope must not exceed 20 mm per m.", 20, "mm/m"),
        ("The flow must be at least 5 L/min.", 5, "L/min"),
        ("The plate must be 3 mm thick per A.4.", 3, "mm"),
        ("It must be at least 3 mm per A.4 and B.2.", 3, "mm"),
        ("The stress must leave a safety factor of at least 1.5 against yield.", 1.5, "x"),
        ("The factor of safety must not be less than 2.", 2, "x"),
        ("The ratio of the two gears must not exceed 4:1.", 4, "x"),
        ("The ratio of the two gears must be at least 2.5 and must not be more than 4.5.", [2.5, 4.5], "x"),
    ],
)
def test_compound_units_and_plain_factors(text: str, value: object, unit: str) -> None:
    (found,) = read_quantities(text)
    assert (found.value, found.unit, found.role) == (value, unit, "limit")


@pytest.mark.parametrize(
    "text", ["See the safety factors of section 3.2.", "Give the safety factor in Table 5.", "A ratio must be shown."]
)
def test_no_factors(text: str) -> None:
    assert read_quantities(text) == []
