"""What rules define, and the names they give to one thing."""

from pathlib import Path

import pytest

from dqgen.rulebook.definitions import definitions, other_names
from dqgen.rulebook.document import parse
from dqgen.rulebook.profile import load_profile
from dqgen.rulebook.terms import mention_type
from dqgen.schemas.rulebook import Rulebook

RULES = """# Cart rules

## F.1 DEFINITIONS

**F.1.1** Main Hoop

A roll bar located beside or behind the torso of the driver. Its plane may lean.

**F.1.2** Crash Box (CB) – A block that is crushed. It is also called the impact attenuator or a "nose block" where it
sits ahead of the bulkhead.

**F.1.3** "Left Wing" means the wing at the left. "Right Wing" means the corresponding one.

**F.1.4** "Tub" or "Monocoque" means a body that carries loads.

**F.1.5** "Front Ring" means the foremost tubes. The ring at the rear end is the Rear Ring.

**F.1.6** The hoops must be painted.

## T.2 PARTS

**T.2.1** Catch Can: must be at least 1 l.

**T.2.2** Chain Guard - All guards must be 6 mm thick.

**T.2.3** Cell – a unit that stores charge.

**T.2.4** The tractive system of the cart is defined as every part that is connected to the motor.

**T.2.5** A BUMPER is an assembly that must be fitted. Bolts and rods (also called studs) must be steel. The seat cover
(also known as the shell) must be red, and the pole switch (or "kill switch") too.

**T.2.6** The guard provides the means to stop parts. The part should not be called "damper".

**T.2.7** The Ground Fault Detector (GFD) must be fitted.
"""


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Rulebook:
    file = tmp_path_factory.mktemp("rules") / "rules.md"
    file.write_text(RULES, encoding="utf-8")
    return parse(Path(file), load_profile("auto"))


def test_definitions(book: Rulebook) -> None:
    assert [(one.rule, *one.names) for one in definitions(book.rules)] == [
        ("F.1.1", "Main Hoop"),
        ("F.1.2", "Crash Box", "CB", "impact attenuator", "nose block"),
        ("F.1.3", "Left Wing"),
        ("F.1.3", "Right Wing"),
        ("F.1.4", "Tub", "Monocoque"),
        ("F.1.5", "Front Ring"),
        ("F.1.5", "Rear Ring"),
        ("T.2.3", "Cell"),
        ("T.2.4", "tractive system"),
        ("T.2.5", "BUMPER"),
    ]


def test_other_names(book: Rulebook) -> None:
    names = other_names(book.rules)
    assert ("seat cover", "shell") in names
    assert ("pole switch", "kill switch") in names
    assert not any("studs" in group or "damper" in group for group in names)  # of which of several?


@pytest.mark.parametrize(
    ("names", "mention", "where"),
    [
        (["main hoops"], "definition", ["F.1.1"]),
        (["wing left", "nose blocks"], "definition", ["F.1.2"]),
        (["catch-can"], "mentioned", ["T.2.1"]),
        (["chain guards"], "mentioned", ["T.2.2"]),
        (["ground fault detector"], "mentioned", ["T.2.7"]),  # what letters stand for tells not what a thing is
        (["antenna"], "not_mentioned", []),
    ],
)
def test_mentions(book: Rulebook, names: list[str], mention: str, where: list[str]) -> None:
    assert mention_type(book.rules, names[0], names[1:]) == (mention, where)
