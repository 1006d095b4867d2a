"""`Sheet`: a drawing of one or more pages that needs neither its file nor a CAD library to be searched or drawn.

Loaders make it, everything else reads it. Positions are page millimetres: the origin is the page's upper left corner,
X runs right and Y down, as pixels run. Angles are degrees, counter-clockwise as one sees the page. Tables hold a
column an attribute, as numpy arrays or tuples of strings, so that a page of 40,000 paths stays light.
"""

from dataclasses import dataclass
from enum import IntEnum
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from dqgen.schemas.design import Bytes, Floats, Ints

Bools = NDArray[np.bool_]


class Verb(IntEnum):
    """The steps of a path, and how many points each takes."""

    MOVE = 0  # 1
    LINE = 1  # 1
    CURVE = 2  # 3: a cubic's two handles and its end
    CLOSE = 3  # 0


POINTS_OF = np.array([1, 1, 3, 0], dtype=np.int32)
"""Points that each `Verb` takes."""


@dataclass(frozen=True)
class Layer:
    """A layer of a drawing, or an optional content group of a PDF.

    Attributes:
        name: as the file spells it.
        shown: whether a viewer shows it at first: neither off nor frozen.
        state: `on`, `off` or `frozen`; what is frozen is off too.
        colour: sRGB of what is drawn `by layer`; black where the file gives none.
    """

    name: str
    shown: bool = True
    state: str = "on"
    colour: tuple[int, int, int] = (0, 0, 0)


@dataclass(frozen=True)
class PathTable:
    """Strokes and fills, N rows; hatches are paths too, filled or many short strokes.

    Attributes:
        verbs: (V,) `Verb`, path after path.
        points: (P, 2) mm, path after path.
        verb_starts: (N + 1,) where each path begins in `verbs`.
        point_starts: (N + 1,) where each path begins in `points`.
        stroke: (N, 4) sRGB and opacity; opacity 0 where nothing is stroked.
        fill: (N, 4) sRGB and opacity; opacity 0 where nothing is filled.
        even_odd: (N,) whether holes are told by the even-odd rule instead of winding.
        width: (N,) mm; 0 for the thinnest line that a device shows.
        dash: (N,) row of the dashes, -1 for a solid line.
        dash_starts: (D + 1,) where each row of dashes begins in `dash_lengths`.
        dash_lengths: mm, ink, gap, ink, gap …
        layer: (N,) row of `Sheet.layers`, -1 for none.
        entity: (N,) row of the page's `EntityTable`, -1 for none.
        clip: (N,) row of `Page.clips` outside which nothing shows, -1 for none.
        order: (N,) place in the page's order of drawing, which all its tables share; later ones cover earlier ones.
        box: (N, 4) left, top, right, bottom in mm of the geometry, without the line's width and before clipping.
    """

    verbs: Bytes
    points: Floats
    verb_starts: Ints
    point_starts: Ints
    stroke: Bytes
    fill: Bytes
    even_odd: Bools
    width: Floats
    dash: Ints
    dash_starts: Ints
    dash_lengths: Floats
    layer: Ints
    entity: Ints
    clip: Ints
    order: Ints
    box: Floats

    def __len__(self) -> int:
        return len(self.width)

    def path(self, row: int) -> tuple[Bytes, Floats]:
        """Verbs and points of one path."""
        return (
            self.verbs[self.verb_starts[row] : self.verb_starts[row + 1]],
            self.points[self.point_starts[row] : self.point_starts[row + 1]],
        )

    def dashes(self, row: int) -> tuple[float, ...]:
        """Ink and gaps of one path in mm; empty for a solid line."""
        at = self.dash[row]
        if at < 0:
            return ()
        return tuple(self.dash_lengths[self.dash_starts[at] : self.dash_starts[at + 1]].tolist())


@dataclass(frozen=True)
class TextTable:
    """Runs of text, T rows: each on one baseline, in one font and colour. A text of several lines has a row a line.

    Attributes:
        text: plain Unicode.
        origin: (T, 2) where the baseline begins.
        rotation: (T,) of the baseline.
        height: (T,) mm of capitals.
        width: (T,) mm that the run takes up along its baseline.
        quad: (T, 4, 2) corners of the run's box, from the lower left as one reads, counter-clockwise.
        oblique: (T,) degrees that the letters lean, 0 upright.
        font: the name that the file gives.
        bold: (T,).
        mirrored: (T,) whether the letters are seen from behind.
        colour: (T, 4) sRGB and opacity; opacity 0 for text that is there but not seen, as over a scan.
        layer: (T,) row of `Sheet.layers`, -1 for none.
        entity: (T,) row of the page's `EntityTable`, -1 for none.
        clip: (T,) row of `Page.clips`, -1 for none.
        order: (T,) as in `PathTable`.
    """

    text: tuple[str, ...]
    origin: Floats
    rotation: Floats
    height: Floats
    width: Floats
    quad: Floats
    oblique: Floats
    font: tuple[str, ...]
    bold: Bools
    mirrored: Bools
    colour: Bytes
    layer: Ints
    entity: Ints
    clip: Ints
    order: Ints

    def __len__(self) -> int:
        return len(self.text)

    @property
    def box(self) -> Floats:
        """(T, 4) left, top, right, bottom of each quad."""
        if not len(self):
            return np.zeros((0, 4))
        return np.hstack([self.quad.min(axis=1), self.quad.max(axis=1)])


@dataclass(frozen=True)
class ImageTable:
    """Raster pictures, I rows; their pixels stay in the file.

    Attributes:
        name: what the file calls it.
        quad: (I, 4, 2) corners, from the picture's own lower left, counter-clockwise where it is not mirrored.
        pixels: (I, 2) width and height; 0 where unknown.
        layer, entity, clip, order: (I,) as in `PathTable`.
    """

    name: tuple[str, ...]
    quad: Floats
    pixels: Ints
    layer: Ints
    entity: Ints
    clip: Ints
    order: Ints

    def __len__(self) -> int:
        return len(self.name)


@dataclass(frozen=True)
class EntityTable:
    """What the page is made of, E rows, parents before children.

    Blocks are opened: an insert has a row, and so has each entity in it, for every time and place it stands in. What
    draws a dimension, a table or a leader belongs to the row of that entity.

    Attributes:
        kinds: distinct names of kinds, as the format calls them: `LINE`, `INSERT` … or `path`, `text`, `image`.
        kind: (E,) row of `kinds`.
        handle: the file's own key, empty where it has none.
        name: of the block for an insert, of the pattern for a hatch, of the style for a dimension; else empty.
        content: what a text says, lines parted by line feeds; else empty.
        layer: (E,) row of `Sheet.layers`, -1 for none.
        colour: (E, 3) sRGB as drawn.
        parent: (E,) row of the insert that brought it, -1 for none.
        viewport: (E,) row of the viewport through which it is seen, -1 for what lies on the page itself.
        visible: (E,) whether it shows at first: nothing hides it, nor its layer.
        box: (E, 4) left, top, right, bottom in mm of what it draws, clipped; NaN for what draws nothing.
    """

    kinds: tuple[str, ...]
    kind: Ints
    handle: tuple[str, ...]
    name: tuple[str, ...]
    content: tuple[str, ...]
    layer: Ints
    colour: Bytes
    parent: Ints
    viewport: Ints
    visible: Bools
    box: Floats

    def __len__(self) -> int:
        return len(self.kind)

    def kind_of(self, row: int) -> str:
        """The name of a row's kind."""
        return self.kinds[int(self.kind[row])]

    def block_path(self, row: int) -> tuple[str, ...]:
        """Names of the blocks that a row lies in, outermost first."""
        names: list[str] = []
        while (row := int(self.parent[row])) >= 0:
            names.append(self.name[row])
        return tuple(reversed(names))


@dataclass(frozen=True)
class DimensionEntity:
    """A dimension that the file holds as such.

    Attributes:
        entity: row of the page's `EntityTable`.
        kind: `linear`, `aligned`, `angular`, `diameter`, `radius`, `ordinate` or `arc`.
        measured: what it measures, in units of the drawing or degrees, with the style's length factor; NaN if it
            cannot be told.
        stored: the measurement that the file itself states; NaN if it states none.
        override: text that replaces or frames the measurement, raw as in the file, `<>` standing for the
            measurement; empty if there is none.
        printed: the text as it stands on the page, plain, lines parted by line feeds.
        drawn: whether `printed` was read from what draws the dimension; else it was put together from its style.
        style: name of the dimension style.
        upper, lower: tolerances in units of the drawing, signed; NaN for none.
        limits: whether the tolerances are printed as two limits.
        angle: of a linear dimension, degrees on the page.
        points: (x, y) in page mm: of the points measured; for a radius centre and rim, for a diameter both ends,
            for an angle the ends of both legs (four) or vertex and two ends (three), for an ordinate origin and
            feature.
        line: (x, y) in page mm: a point on the dimension line.
        text_at: (x, y) in page mm: the middle of the text.
    """

    entity: int
    kind: str
    measured: float
    stored: float
    override: str
    printed: str
    drawn: bool
    style: str
    upper: float
    lower: float
    limits: bool
    angle: float
    points: tuple[tuple[float, float], ...]
    line: tuple[float, float]
    text_at: tuple[float, float]


@dataclass(frozen=True)
class InsertEntity:
    """A block that stands on the page.

    Attributes:
        entity: row of the page's `EntityTable`; an array of inserts is one entity.
        block: name of the block.
        point: (x, y) in page mm of its base point.
        rotation: degrees.
        scale: along its own X and Y.
        rows, columns: of an array, 1 and 1 for a single insert.
        attributes: tag and plain text of each attribute.
        rows_of: rows of the page's `EntityTable` with these attributes.
    """

    entity: int
    block: str
    point: tuple[float, float]
    rotation: float
    scale: tuple[float, float]
    rows: int
    columns: int
    attributes: tuple[tuple[str, str], ...]
    rows_of: tuple[int, ...]


@dataclass(frozen=True)
class TableCell:
    """A cell of a table entity: its place counted from 0, how far it spans, its plain text and box in page mm."""

    row: int
    column: int
    rows: int
    columns: int
    text: str
    box: tuple[float, float, float, float]


@dataclass(frozen=True)
class TableEntity:
    """A table that the file holds as such: its row of the `EntityTable`, its size, its cells in reading order."""

    entity: int
    rows: int
    columns: int
    cells: tuple[TableCell, ...]


@dataclass(frozen=True)
class Viewport:
    """A window of a layout onto model space.

    Attributes:
        entity: row of the page's `EntityTable`.
        box: left, top, right, bottom in page mm.
        scale: paper length to model length.
        matrix: model units to page mm, two rows of x, y and 1.
    """

    entity: int
    box: tuple[float, float, float, float]
    scale: float
    matrix: tuple[tuple[float, float, float], tuple[float, float, float]]


@dataclass(frozen=True)
class Page:
    """One page, layout, or the model space of a drawing.

    Attributes:
        number: counts from 1.
        name: of the layout; a PDF page's label or number.
        kind: `model`, `layout` or `page`.
        width, height: mm.
        scale: paper length to the drawing's own length: 0.02 for 1:50; 1 for layouts and PDF pages, whose scale is
            what they say of themselves.
        matrix: the drawing's own units to page mm, two rows of x, y and 1; for a PDF, points from the upper left
            corner of the page as it is shown.
        entities: what it is made of.
        paths, texts, images: what is drawn.
        clips: polygons, (n, 2) mm each.
        dimensions, inserts, tables, viewports: entities that a DXF holds as such.
        remarks: what was noticed on this page.
    """

    number: int
    name: str
    kind: Literal["model", "layout", "page"]
    width: float
    height: float
    scale: float
    matrix: Floats
    entities: EntityTable
    paths: PathTable
    texts: TextTable
    images: ImageTable
    clips: tuple[Floats, ...] = ()
    dimensions: tuple[DimensionEntity, ...] = ()
    inserts: tuple[InsertEntity, ...] = ()
    tables: tuple[TableEntity, ...] = ()
    viewports: tuple[Viewport, ...] = ()
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True)
class SheetSource:
    """Where a sheet comes from and how it was read.

    Attributes:
        name: file name without its folder.
        sha256: of the file's bytes.
        format: `dxf` or `pdf`.
        schema: version of the format, such as `AC1018 (R2004)` or `PDF 1.7`.
        units: the length unit as stated, named or assumed, such as `inch`; `point` for a PDF.
        mm_per_unit: its length in millimetres.
        units_from: `file`, `option` or `assumed`.
        encoding: of the file's strings; empty where it is always Unicode.
        loader: loader and its version, such as `dxf/1`.
        rung: `read` or `recover`.
    """

    name: str
    sha256: str
    format: str
    schema: str
    units: str
    mm_per_unit: float
    units_from: str
    encoding: str
    loader: str
    rung: str


@dataclass(frozen=True)
class Sheet:
    """A drawing: its pages, its layers, and what was noticed while reading it."""

    source: SheetSource
    pages: tuple[Page, ...]
    layers: tuple[Layer, ...]
    warnings: tuple[str, ...] = ()
