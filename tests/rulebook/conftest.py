"""A small rulebook in Markdown that several tests read."""

from pathlib import Path

import pytest

from dqgen.rulebook.document import parse
from dqgen.rulebook.profile import Profile
from dqgen.schemas.rulebook import Rulebook

CART = """# Cart Rules

# T - TECHNICAL

## T.1 FRAME

### T.1.1 Tubes

**T.1.1.1** The frame must be made of steel tubes meeting T.1.2.1.b

**T.1.1.2** Each tube must:

a. Have a minimum wall thickness of 2.0 mm (0.079 in)
b. Be no more than 900 mm long
c. Meet one of:
    - ISO 3183
    - T.2.1 to T.2.3

**T.1.1.3** If the frame weighs more than 40 kg, the axles must meet T.9.9

### T.1.2 Sizes

**T.1.2.1** A tube must meet these sizes:

| Size | Minimum Wall | Outside |
|------|--------------|---------|
| a. A | 2.0 mm | 25 mm |
| b. B | 1.2 mm | 25 mm |

## T.2 BRAKES

**T.2.1** Brake Light - A red lamp at the rear

**T.2.2** The Brake Light must have an area of at least 15 cm2

> Fit it high.

**T.2.3** The Ground Fault Detector (GFD) is defined as a device that opens within 30 s
"""


def read_text(folder: Path, text: str, suffix: str = ".md", profile: Profile | None = None) -> Rulebook:
    """Parse a text as if it were a file."""
    path = folder / f"rules{suffix}"
    path.write_text(text, encoding="utf-8")
    return parse(path, profile)


@pytest.fixture
def cart(tmp_path: Path) -> Rulebook:
    return read_text(tmp_path, CART)
