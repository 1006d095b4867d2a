"""A contact sheet: some pictures of each kind, for people who look before they load. It shows no answers."""

from collections.abc import Sequence
from pathlib import Path

from PIL import Image, ImageDraw

from dqgen.fonts import font
from dqgen.release.tables import Row

COLUMNS = 4
CELL = (480, 360)
_GAP, _TEXT = 20, 22
_INK, _PAPER = (40, 40, 40), (255, 255, 255)


def contact_sheet(rows: Sequence[Row], path: Path, of_each: int = COLUMNS) -> bool:
    """Draw the first pictures of each kind; returns False, and writes nothing, where there are none.

    Args:
        rows: in the order of the package.
        path: a PNG file.
        of_each: how many of a kind.

    Raises:
        OSError: it cannot be written.
    """
    kinds: dict[str, list[Row]] = {}
    for row in rows:
        if row.picture is not None and len(kinds.setdefault(row.kind, [])) < of_each:
            kinds[row.kind].append(row)
    if not kinds:
        return False
    width, height = CELL
    step = height + _TEXT + 2 * _GAP
    sheet = Image.new("RGB", (_GAP + (width + _GAP) * COLUMNS, _GAP + step * len(kinds)), _PAPER)
    draw = ImageDraw.Draw(sheet)
    for line, shown in enumerate(kinds.values()):
        for column, row in enumerate(shown):
            assert row.picture is not None
            with Image.open(row.picture) as picture:
                small = picture.convert("RGB")
                small.thumbnail(CELL, Image.Resampling.LANCZOS)
            left, top = _GAP + column * (width + _GAP), _GAP + line * step
            sheet.paste(small, (left + (width - small.width) // 2, top + (height - small.height) // 2))
            draw.rectangle((left, top, left + width - 1, top + height - 1), outline=(200, 200, 200))
            draw.text((left, top + height + 6), row.ident, fill=_INK, font=font(_TEXT))
    path.parent.mkdir(parents=True, exist_ok=True)
    sheet.save(path, format="PNG")
    return True
