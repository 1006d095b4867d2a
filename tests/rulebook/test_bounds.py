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


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Plates must be 5 mm thick or thicker.", [("minimum", 5, "mm")]),
        ("A step of 1/4 inch (6 mm) high maximum is permitted.", [("maximum", 0.25, "in")]),
        ("Grips must be 34 inches minimum and 38 inches maximum above the floor.", [("range", [34, 38], "in")]),
        (
            "It must be 48 in. wide minimum and 60 in. high minimum.",
            [("minimum", 48, "in"), ("minimum", 60, "in")],
        ),
        ("It must be 4 ft. wide minimum and 9 ft. high maximum.", [("minimum", 4, "ft"), ("maximum", 9, "ft")]),
        ("Tubes must be 25.4 x 2.4 mm or larger.", [("minimum", 25.4, "mm"), ("minimum", 2.4, "mm")]),
        ("It must be 12 in. x 9 in. x 5 in. or smaller.", [("maximum", n, "in") for n in (12, 9, 5)]),
        ("The box must measure 30 x 20 x 10 cm at most.", [("maximum", n, "cm") for n in (30, 20, 10)]),
        ("At least 2 x 8 mm bolts must be used.", [("minimum", 8, "mm")]),
        (
            "Carts must not exceed 5.0 m in length, 2.2 m in width, and 1.6 m in height.",
            [("maximum", n, "m") for n in (5, 2.2, 1.6)],
        ),
        ("It may not reach more than 1 ft. 6 in. (~45 cm) out.", [("maximum", 18, "in")]),
        ("The width must be 810 mm +0/-5 mm.", [("range", [805, 810], "mm")]),
        ("The volume must be 1600 cc (+0/-10 cc).", [("range", [1590, 1600], "cc")]),
        ("The supply must be 12 V DC ± 10%.", [("range", [10.8, 13.2], "V")]),
        ("The slope must not be steeper than 1:12.", [("maximum", 0.083333, "x")]),
        ("It must have a minimum thrust to weight ratio of 5.0:1.0.", [("minimum", 5, "x")]),
        ("The stability margin must be at least 2.0 calibers.", [("minimum", 2, "x")]),
        ("The gap d must satisfy 5 mm < d <= 20 mm.", [("range", [5, 20], "mm")]),
        ("The limiter must limit power to 1000 W.", [("maximum", 1000, "W")]),
        ("The robot must fit into a cylinder of 22 cm.", [("maximum", 22, "cm")]),
        ("No holes larger than 4 mm may be drilled.", [("maximum", 4, "mm")]),
        ("Speeds over 25 km/h are prohibited.", [("maximum", 25, "km/h")]),
        ("Openings smaller than 9 mm are not allowed.", [("minimum", 9, "mm")]),
        ("A landing not less than 1.5 m long must be provided.", [("minimum", 1.5, "m")]),
        ("A run lasts no longer than 3 minutes.", [("maximum", 3, "min")]),
        ("The impulse must not exceed 40 N·s.", [("maximum", 40, "Ns")]),
        ("Wires must be 1.3 mm2 (16 AWG) or larger.", [("minimum", 1.3, "mm2")]),
    ],
)
def test_limits_as_codes_and_game_manuals_print_them(text: str, found: list[tuple[str, object, str]]) -> None:
    quantities = read_quantities(text)
    assert [(one.comparator, one.value, one.unit) for one in quantities] == found
    assert {one.role for one in quantities} <= {"limit", "information"}
    assert all(text[one.start : one.end] == one.raw for one in quantities)


def test_a_value_in_two_units_keeps_the_larger_and_the_bracket() -> None:
    (reach,) = read_quantities("It may not reach more than 1 ft. 6 in. (~45 cm) out.")
    assert [(amount.value, amount.unit) for amount in reach.also] == [(1.5, "ft"), (45, "cm")]


@pytest.mark.parametrize(
    ("text", "roles"),
    [
        ("Panels behind a point lying 150 mm before the axle must not exceed 900 mm.", ["condition", "limit"]),
        ("The battery may not hold more than 10 Ah at 12 V.", ["limit", "condition"]),
        ("It must stop within 10 m from 40 km/h.", ["limit", "condition"]),
        ("Carts of not more than 200 kg must be fitted with a hook.", ["condition"]),
        ("It may be narrower, which is permitted provided that its parts are 48 in long minimum.", ["limit"]),
        ("For drawings 1A to 6A see the annex.", []),
    ],
)
def test_roles_of_values_beside_a_limit(text: str, roles: list[str]) -> None:
    assert [one.role for one in read_quantities(text)] == roles
