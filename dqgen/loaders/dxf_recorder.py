"""The receiving end of ezdxf's drawing frontend: what it draws goes into a page's columns, undashed and unlettered."""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from ezdxf.addons.drawing.pipeline import AbstractPipeline
from ezdxf.addons.drawing.properties import Properties
from ezdxf.fonts import fonts
from ezdxf.math import Matrix44, Vec3
from ezdxf.path import Path

from dqgen.fonts import CAPITAL, measure
from dqgen.loaders.dxf_lettering import Engine, width_of
from dqgen.loaders.sheet_builder import CLEAR, Ink, PageBuilder, Place, Rgba, Run
from dqgen.schemas.design import Floats
from dqgen.schemas.sheet import Verb

LIGHT = 0.55
"""Luminance above which lines and letters are darkened, so that they can be read on white paper."""
MOST_POINTS = 8_000_000
VERBS = {1: bytes([Verb.LINE]), 2: bytes([Verb.CURVE]), 3: bytes([Verb.CURVE]), 4: bytes([Verb.MOVE])}
"""By ezdxf's path commands: line, quadratic, cubic, move."""


class FullError(Exception):
    """The page holds more than is kept."""


class Recorder(AbstractPipeline):  # type: ignore[misc]
    """Takes drawing calls. Whoever makes them says by `place` where things belong, and mutes what is not seen."""

    text_engine = Engine()
    default_font_face = fonts.FontFace()

    def __init__(self, builder: PageBuilder) -> None:
        self.builder = builder
        self.place = Place()
        self.muted = False
        self.paper_fill = False
        """Whether fills are as good as paper: colours of hatches stay as light as they are."""
        self.view: Matrix44 | None = None
        """Turns the model before it is flattened, where it is not seen from above."""
        self.paragraph: list[Run] | None = None
        """Runs of the paragraph that is being laid out."""
        self._inks: dict[tuple[Any, ...], Ink] = {}

    # What the frontend asks for and is not needed here: it draws no viewports of its own, and clips nothing.
    def set_draw_entities_callback(self, callback: Any) -> None: ...
    def set_config(self, config: Any) -> None: ...
    def set_current_entity_handle(self, handle: str) -> None: ...
    def push_clipping_shape(self, shape: Any, transform: Any) -> None: ...
    def pop_clipping_shape(self) -> None: ...
    def draw_viewport(self, vp: Any, layout_ctx: Any, bbox_cache: Any = None) -> None: ...
    def draw_image(self, image_data: Any, properties: Properties) -> None: ...
    def finalize(self) -> None: ...
    def set_background(self, color: str) -> None: ...
    def enter_entity(self, entity: Any, properties: Properties) -> None: ...
    def exit_entity(self, entity: Any) -> None: ...

    def draw_point(self, pos: Vec3, properties: Properties) -> None:
        """A dot as wide as the line."""
        self.draw_line(pos, pos, properties)

    def draw_line(self, start: Vec3, end: Vec3, properties: Properties) -> None:
        """A straight stroke."""
        if not self.muted:
            (x0, y0), (x1, y1) = self._flat((Vec3(start), Vec3(end)))
            self._add(_LINE, (x0, y0, x1, y1), self._stroke(properties))

    def draw_solid_lines(self, lines: Iterable[tuple[Vec3, Vec3]], properties: Properties) -> None:
        """Straight strokes without dashes, as one path."""
        if self.muted:
            return
        ends = [point for line in lines for point in self._flat((Vec3(line[0]), Vec3(line[1])))]
        self.draw_strokes(np.array(ends, dtype=np.float64).reshape(-1, 2, 2), properties)

    def draw_strokes(self, ends: Floats, properties: Properties) -> None:
        """Straight strokes, (n, 2, 2), without dashes, as one path."""
        if not self.muted:
            self.builder.segments(ends, self._stroke(properties, solid=True), self.place)
            self._bound()

    def draw_path(self, path: Path, properties: Properties) -> None:
        """An open or closed path."""
        if not self.muted and len(path):
            verbs, points = _steps(path)
            self._add(verbs, self._coordinates(points), self._stroke(properties))

    def draw_filled_paths(self, paths: Iterable[Path], properties: Properties) -> None:
        """A filled area with holes, told by the even-odd rule."""
        if self.muted:
            return
        verbs, points = bytearray(), []
        for path in paths:
            if len(path):
                steps, more = _steps(path)
                verbs += steps
                verbs.append(Verb.CLOSE)
                points += more
        if verbs:
            self._add(bytes(verbs), self._coordinates(points), self._fill(properties))

    def draw_filled_polygon(self, points: Iterable[Vec3], properties: Properties) -> None:
        """A filled polygon."""
        corners = [] if self.muted else [Vec3(point) for point in points]
        if len(corners) > 2:
            verbs = bytes([Verb.MOVE, *[Verb.LINE] * (len(corners) - 1), Verb.CLOSE])
            self._add(verbs, self._coordinates(corners), self._fill(properties))

    def draw_text(
        self, text: str, transform: Matrix44, properties: Properties, cap_height: float, dxftype: str = "TEXT"
    ) -> None:
        """A run of text: in its own coordinates it begins at the origin and runs along X."""
        text = "".join(char for char in text.replace("\t", " ") if char.isprintable())
        if self.muted or not text.strip():
            return
        face = properties.font or self.default_font_face
        width = width_of(text, face, cap_height)
        corners = transform.transform_vertices((Vec3(), Vec3(width, 0), Vec3(0, cap_height)))
        (x, y), (x1, y1), (x2, y2) = self._flat(corners)
        _, _, low, _, high = measure(text, face.is_bold)
        run = Run(
            text=text,
            origin=(x, y),
            along=(x1 - x, y1 - y),
            up=(x2 - x, y2 - y),
            low=min(0.0, low / CAPITAL),
            high=max(0.5, high / CAPITAL),
            font=face.filename or face.family,
            bold=face.is_bold,
            colour=readable(rgba(properties.color)),
            place=self.place,
        )
        if self.paragraph is None:
            self.builder.text(run)
        else:
            self.paragraph.append(run)

    def lay_out(self, draw: Callable[[], None]) -> None:
        """Let `draw` lay out a paragraph word by word, and join the words that stand on one line."""
        self.paragraph = []
        try:
            draw()
            for run in joined(self.paragraph):
                self.builder.text(run)
        finally:
            self.paragraph = None

    def _add(self, verbs: bytes, coordinates: Iterable[float], ink: Ink) -> None:
        self.builder.path(verbs, coordinates, ink, self.place)
        self._bound()

    def _bound(self) -> None:
        if len(self.builder.points) > 2 * MOST_POINTS:
            raise FullError(f"more than {MOST_POINTS:,} points")

    def _flat(self, points: Iterable[Vec3]) -> list[tuple[float, float]]:
        if self.view is not None:
            points = self.view.transform_vertices(points)
        return [(point.x, point.y) for point in points]

    def _coordinates(self, points: Iterable[Vec3]) -> list[float]:
        return [part for point in self._flat(points) for part in point]

    def _stroke(self, properties: Properties, solid: bool = False) -> Ink:
        pattern = () if solid else properties.linetype_pattern
        scale = properties.linetype_scale
        key = (properties.color, properties.lineweight, pattern, scale)
        ink = self._inks.get(key)
        if ink is None:
            dash = tuple(abs(part) * scale for part in pattern) if len(pattern) > 1 else ()
            dash = dash[: len(dash) // 2 * 2]
            ink = Ink(readable(rgba(properties.color)), CLEAR, max(properties.lineweight, 0.0), dash)
            self._inks[key] = ink
        return ink

    def _fill(self, properties: Properties) -> Ink:
        colour = rgba(properties.color)
        return Ink(CLEAR, colour if self.paper_fill else readable(colour), 0.0, (), even_odd=True)


_LINE = bytes([Verb.MOVE, Verb.LINE])


def _steps(path: Path) -> tuple[bytes, list[Vec3]]:
    """Verbs and points of an ezdxf path; quadratic curves become cubic ones."""
    points = path.control_vertices()
    commands = path.command_codes()
    verbs = bytes([Verb.MOVE]) + b"".join(VERBS[command] for command in commands)
    if 2 not in commands:
        return verbs, points
    raised, at = [points[0]], 0
    for command in commands:
        if command == 2:
            start, handle, end = points[at], points[at + 1], points[at + 2]
            raised += [start + (handle - start) * (2 / 3), end + (handle - end) * (2 / 3), end]
            at += 2
        else:
            count = 3 if command == 3 else 1
            raised += points[at + 1 : at + 1 + count]
            at += count
    return verbs, raised


def rgba(colour: str) -> Rgba:
    """`#rrggbb` or `#rrggbbaa` as numbers."""
    parts = [int(colour[at : at + 2], 16) for at in range(1, len(colour), 2)]
    return (parts[0], parts[1], parts[2], parts[3] if len(parts) > 3 else 255)


def readable(colour: Rgba) -> Rgba:
    """The colour, darkened at its hue if it is too light for a line on white paper; white itself becomes black."""
    red, green, blue, opacity = colour
    if min(red, green, blue) > 250:
        return (0, 0, 0, opacity)
    light = (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255
    if light <= LIGHT:
        return colour
    part = LIGHT / light
    return (round(red * part), round(green * part), round(blue * part), opacity)


def joined(runs: list[Run]) -> list[Run]:
    """Runs of a paragraph with those joined that follow each other on a line, in the same letters."""
    lines: list[Run] = []
    for run in runs:
        last = lines[-1] if lines else None
        between = _gap(last, run) if last else None
        if last is None or between is None:
            lines.append(run)
            continue
        end = (run.origin[0] + run.along[0] - last.origin[0], run.origin[1] + run.along[1] - last.origin[1])
        text = last.text + (" " if between > 0.1 else "") + run.text
        lines[-1] = Run(
            text,
            last.origin,
            end,
            last.up,
            min(last.low, run.low),
            max(last.high, run.high),
            last.font,
            last.bold,
            last.colour,
            last.place,
        )
    return lines


def _gap(last: Run, run: Run) -> float | None:
    """Between two runs, in heights of capitals; None if they do not follow each other on a line in the same letters."""
    if (last.font, last.bold, last.colour) != (run.font, run.bold, run.colour):
        return None
    height = float(np.hypot(*last.up))
    length = float(np.hypot(*last.along))
    if height <= 0 or length <= 0 or float(np.hypot(last.up[0] - run.up[0], last.up[1] - run.up[1])) > 0.01 * height:
        return None
    ux, uy = last.along[0] / length, last.along[1] / length
    dx, dy = run.origin[0] - last.origin[0] - last.along[0], run.origin[1] - last.origin[1] - last.along[1]
    gap, off = (dx * ux + dy * uy) / height, (dy * ux - dx * uy) / height
    return gap if abs(off) < 0.02 and -0.2 < gap < 1.5 else None
