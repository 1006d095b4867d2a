"""The length units that files state and users name."""

MM_PER_UNIT = {
    "micrometre": 1e-3,
    "millimetre": 1.0,
    "centimetre": 10.0,
    "metre": 1000.0,
    "inch": 25.4,
    "foot": 304.8,
}

NAMES = {"um": "micrometre", "mm": "millimetre", "cm": "centimetre", "m": "metre", "in": "inch", "ft": "foot"}
"""Short names that users may type, beside the full ones."""
NAMES |= {"micron": "micrometre", "millimeter": "millimetre", "centimeter": "centimetre", "meter": "metre"}
NAMES |= {name: name for name in MM_PER_UNIT}
