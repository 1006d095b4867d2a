"""Drawings of twenty measures of the sample car: as dimension and by a scale bar, keeping and breaking a limit.

`python -m tests.renderers.drawing.car_drawings FOLDER` draws all of them there, with contact sheets to look at.
"""

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

from dqgen.geometry.measure import Measurement, measure
from dqgen.geometry.violations import Allowed, Limit, Variant, comply, violate
from dqgen.loaders.load import LoadOptions, load
from dqgen.renderers.drawing.draw import Drawing
from dqgen.renderers.drawing.explicit import COMPOSED
from dqgen.renderers.drawing.formats.pdf import pixels
from dqgen.renderers.drawing.numbers import read
from dqgen.schemas.design import Design, Floats
from tests.renderers.drawing.conftest import drawn

CAR = Path(__file__).parents[3] / "samples" / "formula" / "formula.step"
MARGIN = 0.06
"""Part of a limit by which it is kept and broken."""


@dataclass(frozen=True)
class Case:
    """A measure, the limit it is held against, from where it is drawn with which parts (all if none are named), and
    what may be moved along which axis (None: what the measure suggests)."""

    name: str
    expression: str
    limit: Limit
    view: str
    only: tuple[str, ...] = ()
    move: tuple[str, str] | None = None

    @property
    def allowed(self) -> list[Allowed] | None:
        """The edits that bring the measure to its limit."""
        if self.move is None:
            return None
        pattern, axis = self.move
        x, y, z = (float(axis == name) for name in "xyz")
        return [Allowed("move", pattern, (x, y, z))]


def _at_least(
    name: str, expression: str, value: float, view: str, *only: str, move: tuple[str, str] | None = None
) -> Case:
    return Case(name, expression, Limit(value, "min"), view, only, move)


def _at_most(
    name: str, expression: str, value: float, view: str, *only: str, move: tuple[str, str] | None = None
) -> Case:
    return Case(name, expression, Limit(value, "max"), view, only, move)


CASES = (
    _at_least(
        "wheelbase", "distance(axis('Wheel FL'), axis('Wheel RL'), along=y)", 1525, "left", move=("Wheel R?", "y")
    ),
    _at_least("front track", "distance(centre('*/Wheel FL/Tyre'), centre('*/Wheel FR/Tyre'), along=x)", 1150, "front"),
    _at_least(
        "rear track",
        "distance(centre('*/Wheel RL/Tyre'), centre('*/Wheel RR/Tyre'), along=x)",
        1100,
        "back",
        move=("Wheel RR", "x"),
    ),
    _at_most(
        "width inside the front tyres",
        "distance(extreme('*/Wheel FL/Tyre', left), extreme('*/Wheel FR/Tyre', right), along=x)",
        1000,
        "front",
        move=("Wheel FR", "x"),
    ),
    _at_least("ground clearance", "clearance('Undertray', ground)", 30, "left"),
    _at_least("tyre diameter", "extent('*/Wheel FL/Tyre', z)", 406, "left"),
    _at_least("main hoop tube", "diameter('Main hoop')", 25.4, "left", "Main hoop", "Main hoop brace*"),
    _at_least("brace angle", "angle(axis('Main hoop brace L'), z, seen=x)", 30, "left"),
    _at_most(
        "brace below the hoop's top",
        "distance(extreme('Main hoop', up), end(axis('Main hoop brace L'), up), along=z)",
        160,
        "left",
    ),
    _at_least(
        "main hoop above front hoop",
        "distance(extreme('Main hoop', up), ground) - distance(extreme('Front hoop', up), ground)",
        450,
        "left",
    ),
    _at_most(
        "front wing's overhang",
        "distance(extreme('Front wing', front), extreme('Wheel FL', front), along=y)",
        700,
        "left",
        move=("Front wing", "y"),
    ),
    _at_most(
        "rear wing's overhang", "distance(extreme('Rear wing', back), extreme('Wheel RL', back), along=y)", 250, "left"
    ),
    _at_most("rear wing's height", "distance(extreme('Rear wing', up), ground)", 1200, "back"),
    _at_most("rear wing's width", "extent('Rear wing', x)", 950, "top"),
    _at_most(
        "steering wheel to front hoop",
        "distance(extreme('Front hoop', back), extreme('Steering wheel', front), along=y)",
        75,
        "left",
        "Front hoop",
        "Steering wheel",
        "Dash*",
    ),
    _at_least(
        "front hoop above steering wheel",
        "distance(extreme('Front hoop', up), extreme('Steering wheel', up), along=z)",
        10,
        "left",
        "Front hoop",
        "Steering*",
    ),
    _at_least(
        "anti-intrusion plate",
        "thickness('Anti-intrusion plate')",
        4,
        "left",
        "Anti-intrusion plate",
        "Impact attenuator",
        "Front bulkhead",
    ),
    _at_least("impact attenuator", "extent('Impact attenuator', y)", 200, "left", "Impact attenuator", "Front bulk*"),
    _at_most("motor to rear axle", "distance(axis('Motor'), axis('Wheel RL'), along=y)", 200, "left", "Motor", "*Rim*"),
    _at_least(
        "hoop distance",
        "distance(extreme('Main hoop', front), extreme('Front hoop', back), along=y)",
        600,
        "left",
        "*hoop*",
    ),
)


def variants(design: Design, case: Case) -> tuple[Variant, Variant]:
    """A design that keeps the limit and one that breaks it."""
    margin = MARGIN * case.limit.value
    kept = comply(design, case.expression, case.limit, margin, case.allowed)
    return kept, violate(design, case.expression, case.limit, margin, case.allowed)


def parts(whole: Measurement) -> list[Measurement]:
    """What of a measure is drawn."""
    return [part for one in whole.parts for part in parts(one)] if whole.kind in COMPOSED else [whole]


def direct(design: Design, case: Case) -> Drawing:
    """The drawing with the measure as dimension."""
    return drawn(design, dimensions=(case.expression,), from_view=case.view, only=case.only, size=1600)


def by_scale(design: Design, case: Case) -> Drawing:
    """The drawing with a scale bar."""
    return drawn(design, scale_bar="auto", from_view=case.view, only=case.only, size=1600)


def direct_faults(drawing: Drawing, whole: Measurement) -> Iterator[str]:
    """Whether the printed numbers are those of the measure."""
    shown = drawing.evidence.drawing
    assert shown is not None
    yield from (finding.message for finding in shown.findings)
    wanted = [part.value for part in parts(whole)]
    for value, one in zip(wanted, shown.dimensions, strict=True):
        if abs(read(one.printed) - value) > 0.5 * 10**-one.decimals + 1e-6:
            yield f"prints {one.text}, measured {value:.6g}"


def scale_faults(drawing: Drawing, whole: Measurement) -> Iterator[str]:
    """Whether the measure can be read from the picture's pixels with the scale bar."""
    shown = drawing.evidence.drawing
    assert shown is not None
    assert shown.scale_bar is not None
    yield from (finding.message for finding in shown.findings)
    picture = picture_of(drawing)
    dark = np.asarray(picture.convert("L")) < 128
    bar = shown.scale_bar
    row = np.flatnonzero(dark[round(bar.start[1])])
    long = float(row.max() - row.min())  # from the middle of one frame line to that of the other
    per_pixel = read(re.sub(r"[^0-9.]", "", bar.text)) / long
    matrix = np.array(drawing.evidence.views[0].model_to_pixel)[:2]
    for part in parts(whole):
        if part.kind == "angle":
            assert part.arms is not None
            (ax, ay), (bx, by) = part.arms @ matrix[:, :3].T
            value = float(np.degrees(np.arctan2(abs(ax * by - ay * bx), ax * bx + ay * by)))
        else:
            assert part.witnesses is not None
            assert part.direction is not None
            feet = part.witnesses @ matrix[:, :3].T + matrix[:, 3]
            way: Floats = matrix[:, :3] @ part.direction
            value = abs(float((feet[1] - feet[0]) @ way / np.linalg.norm(way))) * per_pixel
        if abs(value - part.value) > 0.005 * abs(part.value):
            yield f"{part.expression} reads {value:.6g} from the pixels, measured {part.value:.6g}"


def picture_of(drawing: Drawing) -> Image.Image:
    """The drawing's pixels."""
    return pixels(drawing.composition.page, drawing.evidence.width, drawing.evidence.height)


def _tile(picture: Image.Image, title: str) -> Image.Image:
    tile = Image.new("RGB", (1200, 860), "white")
    copy = picture.copy()
    copy.thumbnail((1190, 820))
    tile.paste(copy, (5, 35))
    ImageDraw.Draw(tile).text((8, 8), title, fill="black", font_size=20)
    return tile


def main(folder: Path) -> int:
    """Draw all cases and print what is wrong; the number of faults."""
    folder.mkdir(parents=True, exist_ok=True)
    car = load(CAR, LoadOptions())
    bad = 0
    for number, case in enumerate(CASES):
        tiles = []
        for variant in variants(car, case):
            again = measure(variant.design, case.expression)
            faults = [] if abs(again.value - variant.after.value) < 1e-9 else ["another value when measured again"]
            if abs(abs(variant.margin) - MARGIN * case.limit.value) > 1e-6 * case.limit.value:
                faults.append(f"margin {variant.margin:.6g}")
            title = f"{case.name}: {variant.after.value:.6g}, {case.limit.sense} {case.limit.value:g}"
            for kind, draw, check in (("direct", direct, direct_faults), ("scale", by_scale, scale_faults)):
                drawing = draw(variant.design, case)
                faults += check(drawing, again)
                tiles.append(_tile(picture_of(drawing), f"{title} ({kind}) {'; '.join(map(str, variant.edits))}"))
            bad += len(faults)
            print(f"{title}: {faults or 'holds'}", flush=True)
        sheet = Image.new("RGB", (2400, 1720), "white")
        for place, tile in enumerate(tiles):
            sheet.paste(tile, (1200 * (place % 2), 860 * (place // 2)))
        sheet.save(folder / f"{number:02d}.png")
    return bad


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])) > 0)
