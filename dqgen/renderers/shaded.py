"""Shaded pictures with edges, and id buffers, by OpenGL without a screen.

One `Stage` holds a design's geometry on the graphics side; `picture` and `ids` draw it from any view. The picture is
drawn at twice the size in both directions and averaged (4 samples a pixel); the id buffer is drawn at its own size
without any smoothing, one sample at each pixel's centre, by the same vertices.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

import moderngl
import numpy as np
from numpy.typing import NDArray

from dqgen.errors import SetupError
from dqgen.geometry.transforms import Placed
from dqgen.loaders.sandbox import SYSTEM_LIBRARIES
from dqgen.renderers import outlines
from dqgen.renderers.graphics import SAMPLES, Graphics
from dqgen.renderers.outlines import Joints
from dqgen.renderers.views import SHEET, View
from dqgen.schemas.design import Bytes, Colour, Floats

BACKGROUND_ID = 0
SHEETS_KEPT = 2
"""Sheets of views of which a stage keeps what was found, for further pictures of the same."""
TIE_STEP, TIE_CYCLE = 4e-7, 61
"""Parts that share a plane are told apart by a step in depth each, so that they never fight for pixels; in parts of
the scene's radius, a few steps of a 24-bit depth buffer."""
LINE_STAND_OFF = 3e-5
GHOST_ALPHA = 0.16
GHOST_EDGE_ALPHA = 0.45


Value = TypeVar("Value")


@dataclass(frozen=True)
class Look:
    """How one leaf is drawn.

    Attributes:
        colour: sRGB of its faces.
        face_colours: whether faces with a colour of their own show it.
        edge: sRGB of its edges.
        ghost: drawn translucent, after everything solid.
        floor: how far towards full light its shade is raised, 0 to 1.
    """

    colour: Colour
    face_colours: bool = False
    edge: Colour = (24, 26, 30)
    ghost: bool = False
    floor: float = 0.0


@dataclass(frozen=True)
class Frame:
    """What part of a view a picture shows: `width` × `height` pixels around a point, at a scale.

    Attributes:
        view: the camera.
        centre: (3,) mm, the design's point at the middle of the picture.
        scale: pixels a millimetre.
        width: pixels.
        height: pixels.
    """

    view: View
    centre: Floats
    scale: float
    width: int
    height: int

    def to_pixels(self) -> Floats:
        """(3, 4): from the design's mm to pixels right and down from the frame's upper left corner, and mm of depth
        towards the viewer, counted from `centre`."""
        rotation = self.view.rotation
        scaled = np.diag([self.scale, -self.scale, 1.0]) @ rotation
        offset = np.array([self.width / 2, self.height / 2, 0.0]) - scaled @ self.centre
        return np.column_stack([scaled, offset])


def create_context() -> moderngl.Context:
    """An OpenGL 3.3 context without a window.

    Raises:
        SetupError: no driver is found; the message names the missing packages.
    """
    failures = []
    openers: dict[str, Callable[[], moderngl.Context]] = {
        "egl": lambda: moderngl.create_context(require=330, standalone=True, **_EGL),
        # The platform's own, which on Linux needs an X server.
        "native": lambda: moderngl.create_context(require=330, standalone=True),
    }
    for backend, opener in openers.items():
        try:
            return opener()
        except Exception as error:  # moderngl raises nothing more special
            failures.append(f"{backend}: {error}")
    raise SetupError(f"no OpenGL driver can be used ({'; '.join(failures)})", mend=SYSTEM_LIBRARIES)


class Stage:
    """Leaves ready to be drawn from any view.

    Args:
        context: from `create_context`.
        leaves: what may be drawn; a leaf's number in the id buffer is its row here plus one.
        centre: (3,) mm, middle of a sphere that holds all of it.
        radius: of that sphere, mm.
        former: a stage of the same context that is no longer used; what it holds of the same solids is taken over.
    """

    def __init__(
        self,
        context: moderngl.Context,
        leaves: list[Placed],
        centre: Floats,
        radius: float,
        former: "Stage | None" = None,
    ) -> None:
        self._context = context
        self._leaves = leaves
        self._centre = centre
        self._radius = max(radius, 1e-9) * 1.01
        self._enter()
        self._graphics: Graphics = Graphics(context) if former is None else former._graphics
        self._graphics.keep(leaf.solid for leaf in leaves)
        self._kept: tuple[list[int], Joints] | None = None
        self._drawn: dict[tuple[Any, ...], tuple[NDArray[np.int32], NDArray[np.void]]] = {}
        self._numbers: dict[tuple[Any, ...], NDArray[np.uint32]] = {}
        links = {id(leaf.solid): len(leaf.solid.links) for leaf in leaves}
        self._links = np.array([links[id(leaf.solid)] for leaf in leaves])
        self._worlds = np.empty((len(leaves), 4, 4))  # from a solid's middle to millimetres from the centre
        self._upright = [float(np.linalg.det(leaf.world[:3, :3])) > 0 for leaf in leaves]
        self._turns = np.empty((len(leaves), 3, 3))  # what normals turn by
        for row, leaf in enumerate(leaves):
            self._worlds[row] = leaf.world
            self._worlds[row, :3, 3] += leaf.world[:3, :3] @ self._graphics.buffers(leaf.solid).middle - centre
            self._turns[row] = np.linalg.inv(leaf.world[:3, :3]).T

    def release(self) -> None:
        """Free all on the graphics side; nothing can be drawn any more."""
        self._enter()
        self._graphics.release()

    @property
    def backend(self) -> str:
        """The driver's own name and version."""
        self._enter()
        return f"{self._context.info['GL_RENDERER']}, OpenGL {self._context.info['GL_VERSION']}"

    def picture(self, frame: Frame, looks: dict[int, Look], line_width: float, background: Colour | None) -> Bytes:
        """The shaded picture.

        Args:
            frame: what to show.
            looks: how to draw each leaf, by its row; leaves not in it leave nothing behind.
            line_width: of edges, in pixels.
            background: sRGB, or None for transparent.

        Returns:
            (height, width, 4) sRGB and alpha, rows from the top.
        """
        self._enter()
        pixels = self._painted(frame, looks, line_width, background)
        return pixels if background is not None else _straight(pixels)

    def _painted(self, frame: Frame, looks: dict[int, Look], line_width: float, background: Colour | None) -> Bytes:
        context, canvas, area = (
            self._context,
            self._graphics.canvas(frame.width, frame.height),
            (0, 0, frame.width, frame.height),
        )
        target, small = canvas.samples, canvas.averages
        target.viewport = (0, 0, frame.width * SAMPLES, frame.height * SAMPLES)
        small.viewport = area
        target.use()
        target.clear(*(0.0, 0.0, 0.0, 0.0) if background is None else (*_unit_colour(background), 1.0), depth=1.0)
        context.enable(moderngl.DEPTH_TEST)
        context.depth_func = "<="
        solid = {row: look for row, look in looks.items() if not look.ghost}
        ghosts = {row: look for row, look in looks.items() if look.ghost}
        context.blend_func = _OVER
        self._draw_faces(frame, solid, 1.0)
        self._draw_lines(frame, target, solid, line_width, 1.0)
        if ghosts:
            self._draw_ghosts(frame, target, ghosts, line_width)
        context.disable(moderngl.DEPTH_TEST)
        small.use()
        canvas.large.use(0)
        self._context.vertex_array(self._graphics.programs["shrink"], []).render(vertices=3)
        return np.frombuffer(small.read(area, components=4), dtype=np.uint8).reshape(frame.height, frame.width, 4)

    def ids(self, frame: Frame, rows: list[int], keep: bool = False) -> NDArray[np.uint32]:
        """The id buffer: for each pixel the leaf seen at its centre, as its row plus one, or `BACKGROUND_ID`.

        Args:
            frame: what to show.
            rows: the leaves that can be seen and that hide each other.
            keep: the same will be asked for again; the last `SHEETS_KEPT` sheets are kept.

        Returns:
            (height, width), rows from the top; not to be written to.
        """
        key = _key(frame, *rows)
        known = self._numbers.pop(key, None)
        found = self._seen(frame, rows) if known is None else known
        if keep or known is not None:
            _keep(self._numbers, key, found)
        return found

    def _enter(self) -> None:
        """Make this stage's context the one that OpenGL draws in: a process may have several."""
        self._context.__enter__()  # type: ignore[no-untyped-call]

    def _seen(self, frame: Frame, rows: list[int]) -> NDArray[np.uint32]:
        self._enter()
        context, target = self._context, self._graphics.canvas(frame.width, frame.height).numbers
        target.viewport = area = (0, 0, frame.width, frame.height)
        target.use()
        target.clear(depth=1.0)
        context.enable(moderngl.DEPTH_TEST)
        context.depth_func = "<="
        program = self._graphics.programs["id"]
        matrices = self._matrices(frame)
        for row in rows:
            _write(program, "to_clip", matrices[row])
            program["nudge"] = TIE_STEP * (row % TIE_CYCLE)
            program["number"] = row + 1
            self._cull(row)
            self._graphics.buffers(self._leaves[row].solid).ids.render()
        context.disable(moderngl.CULL_FACE)
        pixels = np.frombuffer(target.read(area, components=1, dtype="u4"), dtype=np.uint32)
        return pixels.reshape(frame.height, frame.width)

    def _clip(self, frame: Frame) -> Floats:
        """(4, 4): from millimetres counted from the stage's centre to clip space, nearer is smaller in depth. The
        picture's first row of pixels comes first."""
        scale = np.array([2 * frame.scale / frame.width, -2 * frame.scale / frame.height, -1 / self._radius])
        clip = np.eye(4)
        clip[:3, :3] = scale[:, None] * frame.view.rotation
        clip[:3, 3] = clip[:3, :3] @ (self._centre - frame.centre)
        # Depth counts from the middle of everything, wherever the frame looks.
        clip[2, 3] = 0.0
        return clip

    def _matrices(self, frame: Frame) -> list[bytes]:
        """For each leaf, from its solid's buffer to clip space, as the shaders take it."""
        return [matrix.tobytes() for matrix in (self._clip(frame) @ self._worlds).transpose(0, 2, 1).astype("f4")]

    def _cull(self, row: int) -> None:
        """Leave out the back faces of a solid that shows none."""
        if self._graphics.buffers(self._leaves[row].solid).closed:
            self._context.enable(moderngl.CULL_FACE)
            # The picture stands on its head in clip space, which turns every winding once.
            self._context.front_face = "cw" if self._upright[row] else "ccw"
        else:
            self._context.disable(moderngl.CULL_FACE)

    def _draw_faces(self, frame: Frame, looks: dict[int, Look], alpha: float) -> None:
        matrices = self._matrices(frame)
        turns = (frame.view.rotation @ self._turns).transpose(0, 2, 1).astype("f4")
        program = self._graphics.programs["face"]
        for row, look in looks.items():
            _write(program, "to_clip", matrices[row])
            _write(program, "to_camera", turns[row].tobytes())
            program["nudge"] = TIE_STEP * (row % TIE_CYCLE)
            program["colour"] = (*_unit_colour(look.colour), alpha)
            program["painted"] = float(look.face_colours)
            program["floor_light"] = look.floor
            self._cull(row)
            self._graphics.buffers(self._leaves[row].solid).faces.render()
        self._context.disable(moderngl.CULL_FACE)

    def _draw_ghosts(self, frame: Frame, target: moderngl.Framebuffer, ghosts: dict[int, Look], width: float) -> None:
        """The nearest layer of the ghosts, translucent over what is there."""
        context = self._context
        # moderngl applies masks when the framebuffer is next used.
        target.color_mask = False, False, False, False
        target.use()
        self._draw_faces(frame, ghosts, 0.0)
        target.color_mask = True, True, True, True
        target.use()
        context.enable(moderngl.BLEND)
        self._draw_faces(frame, ghosts, GHOST_ALPHA)
        context.disable(moderngl.BLEND)
        self._draw_lines(frame, target, ghosts, width * 0.6, GHOST_EDGE_ALPHA)

    def _draw_lines(
        self, frame: Frame, target: moderngl.Framebuffer, looks: dict[int, Look], width: float, alpha: float
    ) -> None:
        """Edges and outlines, `width` pixels wide, over the faces that are drawn already."""
        self._context.enable(moderngl.BLEND)
        target.depth_mask = False  # a faded side must not hide what follows
        target.use()
        inks = np.zeros((len(self._leaves), 4), dtype=np.uint8)
        for row, look in looks.items():
            inks[row] = [*look.edge, round(255 * alpha)]
        program = self._graphics.programs["line"]
        program["samples"] = (frame.width * SAMPLES / 2, frame.height * SAMPLES / 2)
        program["half_width"] = width * SAMPLES / 2
        for leaf, batch in self._segments(frame, list(looks), width):
            if not len(batch):
                continue
            batch["colour"] = inks[leaf]
            segments = self._context.buffer(batch.tobytes())
            content = [(segments, "3f 3f 1f 1f 4f1 /i", "start", "end", "shift", "fineness", "colour")]
            vertices = self._context.vertex_array(program, content)
            vertices.render(moderngl.TRIANGLE_STRIP, vertices=4, instances=len(batch))
            vertices.release()
            segments.release()
        target.depth_mask = True
        target.use()
        self._context.disable(moderngl.BLEND)

    def _segments(
        self, frame: Frame, rows: list[int], width: float
    ) -> Iterator[tuple[NDArray[np.int32], NDArray[np.void]]]:
        """The lines of leaves in a view, in chunks: the leaf of each, and what the program takes, without colours. For
        most leaves of a model of moderate size they are picked from those of all, which are kept: another picture of
        the view colours or hides others."""
        most = 2 * self._links[rows].sum() > self._links.sum() and rows == sorted(rows)
        if not most or self._links.sum() > outlines.CHUNK or self._links.max() > outlines.PIECE:
            for joints in self._joints(rows):
                yield self._batch(frame, joints, width)
            return
        key = _key(frame, width)
        whole = self._drawn.pop(key, None)
        if whole is None:
            [joints] = self._joints(list(range(len(self._leaves))))
            whole = self._batch(frame, joints, width)
        _keep(self._drawn, key, whole)
        if len(rows) == len(self._leaves):
            yield whole
        else:
            picked = np.isin(whole[0], rows)
            yield whole[0][picked], whole[1][picked]

    def _batch(self, frame: Frame, joints: Joints, width: float) -> tuple[NDArray[np.int32], NDArray[np.void]]:
        drawn = outlines.lines(joints, frame.view.rotation, frame.scale, width)
        clip = self._clip(frame)
        ends = drawn.ends @ clip[:3, :3].T + clip[:3, 3]
        stand_off = drawn.stand_off * (width / 2 / frame.scale / self._radius) + LINE_STAND_OFF
        ends[:, :, 2] += (TIE_STEP * (drawn.leaf % TIE_CYCLE) - stand_off)[:, None]
        batch = np.empty(len(drawn.leaf), dtype=_SEGMENT)
        # The picture's rows run downwards: what was left on paper is right of the line there.
        batch["start"], batch["end"], batch["shift"] = ends[:, 0], ends[:, 1], -drawn.shift
        batch["fineness"] = drawn.fineness
        return drawn.leaf, batch

    def _joints(self, rows: list[int]) -> Iterator[Joints]:
        """The joints of these leaves, in chunks; those of a model of moderate size are kept for the next view."""
        if self._kept is not None and self._kept[0] == rows:
            yield self._kept[1]
            return
        self._kept = None
        parts: list[tuple[Joints, Placed, int]] = []
        whole, count = True, 0
        for row in rows:
            pieces = self._graphics.joints(self._leaves[row].solid)
            for own in pieces:
                parts.append((own, self._leaves[row], row))
                count += len(own.leaf)
                if len(pieces) > 1 or count > outlines.CHUNK:
                    whole = False
                    yield outlines.placed_joints(parts, self._centre)
                    parts, count = [], 0
        if parts:
            chunk = outlines.placed_joints(parts, self._centre)
            if whole:
                self._kept = (rows, chunk)
            yield chunk


def _key(frame: Frame, *more: float) -> tuple[Any, ...]:
    return (frame.view.rotation.tobytes(), frame.centre.tobytes(), frame.scale, frame.width, frame.height, *more)


def _keep(kept: dict[tuple[Any, ...], Value], key: tuple[Any, ...], value: Value) -> None:
    """Add to what is kept, and let go of what was not asked for longest."""
    kept[key] = value
    while len(kept) > SHEETS_KEPT * len(SHEET):
        del kept[next(iter(kept))]


def _write(program: moderngl.Program, name: str, data: bytes) -> None:
    member = program[name]
    assert isinstance(member, moderngl.Uniform)
    member.write(data)


# Colour by its alpha, alpha as coverage. (moderngl takes four factors, though its annotation says two.)
_OVER: Any = (moderngl.SRC_ALPHA, moderngl.ONE_MINUS_SRC_ALPHA, moderngl.ONE, moderngl.ONE_MINUS_SRC_ALPHA)
_EGL: Any = {"backend": "egl"}  # moderngl's own annotation of its settings is too narrow
_SEGMENT = np.dtype([("start", "f4", 3), ("end", "f4", 3), ("shift", "f4"), ("fineness", "f4"), ("colour", "u1", 4)])


def _unit_colour(colour: Colour) -> tuple[float, float, float]:
    red, green, blue = (value / 255 for value in colour)
    return red, green, blue


def _straight(pixels: Bytes) -> Bytes:
    """Colours divided by the coverage that they were averaged with."""
    alpha = pixels[..., 3:].astype(np.float64)
    colour = np.where(alpha > 0, pixels[..., :3] * 255.0 / np.maximum(alpha, 1), 255.0)
    return np.concatenate([np.minimum(np.rint(colour), 255), alpha], axis=2).astype(np.uint8)
