"""What is written on tiles: borders, titles and axis triads, drawn from the camera itself."""

import math

import numpy as np
from PIL import Image, ImageDraw

from dqgen.errors import RenderError
from dqgen.fonts import font
from dqgen.renderers.layout import Metrics, Tile
from dqgen.renderers.views import View
from dqgen.schemas.design import Colour

INK: Colour = (20, 22, 26)
AXIS_COLOURS: dict[str, Colour] = {"X": (200, 30, 30), "Y": (20, 135, 45), "Z": (35, 75, 215)}
SMOOTHING = 4
"""Pillow draws lines without smoothing: triads are drawn this much larger and averaged."""


def check_glyphs(text: str, size: int) -> None:
    """Refuse text that the font cannot show: a box in place of a sign would change what it says.

    Raises:
        RenderError: a character has no glyph.
    """
    face = font(size)
    missing = bytes(face.getmask("\U0010fffe"))
    for char in text:
        if not char.isspace() and bytes(face.getmask(char)) == missing:
            raise RenderError(f"the font has no glyph for '{char}' (U+{ord(char):04X}) in '{text}'")


def title(view: View) -> str:
    """A view's name as its tile shows it."""
    return view.name[0].upper() + view.name[1:]


def annotate(picture: Image.Image, tile: Tile, view: View, metrics: Metrics, ruled: bool) -> None:
    """Draw a tile's border, title and triad onto the picture, with a rule below the title if `ruled`."""
    draw = ImageDraw.Draw(picture)
    box, edge = tile.box, metrics.border
    opaque = (*INK, 255)
    outline = [box.x, box.y, box.x + box.width - 1, box.y + box.height - 1]
    draw.rectangle(outline, outline=opaque, width=edge)
    if ruled:
        rule = tile.viewport.y - 1
        draw.line([(box.x, rule), (box.x + box.width - 1, rule)], fill=opaque, width=max(1, edge // 2))
    text = title(view)
    check_glyphs(text, metrics.font)
    middle = box.y + edge + metrics.strip / 2
    draw.text(
        (box.x + edge + metrics.padding, middle),
        text,
        font=font(metrics.font, bold=True),
        fill=opaque,
        anchor="lm",
    )
    side = metrics.strip
    mark = triad(view, side, metrics)
    picture.alpha_composite(mark, (box.x + box.width - edge - metrics.padding // 2 - mark.width, box.y + edge))


def triad(view: View, height: int, metrics: Metrics) -> Image.Image:
    """The three axes as the view sees them, on a transparent ground.

    An axis along the line of sight is a ring: with a dot when it points to the viewer, with a cross when away.
    """
    big = SMOOTHING
    width = round(height * 1.5)
    image = Image.new("RGBA", (width * big, height * big), (255, 255, 255, 0))
    draw = ImageDraw.Draw(image)
    letter = font(max(9, round(height * 0.27)) * big)
    length = 0.40 * height * big
    gap = 0.15 * height * big
    stroke = max(1, round(height * 0.035)) * big
    axes = {name: view.rotation @ np.eye(3)[i] for i, name in enumerate("XYZ")}
    tips = {name: np.array([axis[0], -axis[1]]) * length for name, axis in axes.items()}
    along = [name for name, tip in tips.items() if np.linalg.norm(tip) < 0.1 * length]
    labels = {name: tip + gap * tip / np.linalg.norm(tip) for name, tip in tips.items() if name not in along}
    for name in along:  # its letter stands opposite the other two
        away = -sum((tips[other] for other in tips if other != name), np.zeros(2))
        labels[name] = away / max(float(np.linalg.norm(away)), 1e-9) * (gap * 1.45)
    # Centre the drawing, letters included.
    points = np.array([np.zeros(2), *tips.values(), *labels.values()])
    low, high = points.min(axis=0) - gap * 0.75, points.max(axis=0) + gap * 0.75
    origin = np.array([width * big - (high[0] - low[0]), (height * big - (high[1] - low[1])) / 2]) - low
    for name in sorted(tips, key=lambda axis: float(axes[axis][2])):
        colour = (*AXIS_COLOURS[name], 255)
        tip = origin + tips[name]
        if name in along:
            _line_of_sight(draw, origin, stroke, colour, towards=bool(axes[name][2] > 0))
        else:
            _arrow(draw, origin, tip, stroke, colour)
        x, y = origin + labels[name]
        draw.text((x, y), name, font=letter, fill=colour, anchor="mm")
    return image.resize((width, height), Image.Resampling.BOX)


def _arrow(draw: ImageDraw.ImageDraw, start: np.ndarray, tip: np.ndarray, stroke: int, colour: tuple[int, ...]) -> None:
    reach = tip - start
    length = float(np.linalg.norm(reach))
    along = reach / length
    across = np.array([-along[1], along[0]])
    head = min(stroke * 3.2, length * 0.6)
    neck = tip - along * head
    draw.line([tuple(start), tuple(neck)], fill=colour, width=stroke)
    draw.polygon([tuple(tip), tuple(neck + across * head * 0.42), tuple(neck - across * head * 0.42)], fill=colour)


def _line_of_sight(
    draw: ImageDraw.ImageDraw, centre: np.ndarray, stroke: int, colour: tuple[int, ...], towards: bool
) -> None:
    x, y = centre
    ring = stroke * 2.2
    draw.ellipse(
        [x - ring, y - ring, x + ring, y + ring],
        fill=(255, 255, 255, 255),
        outline=colour,
        width=round(stroke * 0.7),
    )
    if towards:
        draw.ellipse([x - stroke * 0.8, y - stroke * 0.8, x + stroke * 0.8, y + stroke * 0.8], fill=colour)
    else:
        reach = ring * math.sqrt(0.5)
        for side in (1, -1):
            draw.line(
                [(x - reach, y - side * reach), (x + reach, y + side * reach)],
                fill=colour,
                width=round(stroke * 0.6),
            )
