"""Shaded pictures with edges, and id buffers, by OpenGL without a screen.

One `Stage` holds a design's geometry on the graphics side; `picture` and `ids` draw it from any view. The picture is
drawn at twice the size in both directions and averaged (4 samples a pixel); the id buffer is drawn at its own size
without any smoothing, one sample at each pixel's centre, by the same vertices.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import moderngl
import numpy as np
from numpy.typing import NDArray

from dqgen.errors import SetupError
from dqgen.geometry.transforms import Placed
from dqgen.loaders.sandbox import SYSTEM_LIBRARIES
from dqgen.renderers import outlines, shaders
from dqgen.renderers.outlines import Joints
from dqgen.renderers.views import View
from dqgen.schemas.design import Bytes, Colour, Floats, Solid

SAMPLES = 2
"""Supersampling in each direction."""
BACKGROUND_ID = 0
TIE_STEP, TIE_CYCLE = 4e-7, 61
"""Parts that share a plane are told apart by a step in depth each, so that they never fight for pixels; in parts of
the scene's radius, a few steps of a 24-bit depth buffer."""
LINE_STAND_OFF = 3e-5
GHOST_ALPHA = 0.16
GHOST_EDGE_ALPHA = 0.45


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


@dataclass(frozen=True)
class _Buffers:
    """A solid on the graphics side. Its vertices are counted from its own middle: single precision stays precise."""

    middle: Floats
    faces: moderngl.VertexArray
    ids: moderngl.VertexArray
    closed: bool


@dataclass(frozen=True)
class _Canvas:
    """What pictures are drawn on. It outlives a picture: fresh memory costs more than drawing on it."""

    width: int
    height: int
    large: moderngl.Texture
    samples: moderngl.Framebuffer
    averages: moderngl.Framebuffer
    numbers: moderngl.Framebuffer


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
    """

    def __init__(self, context: moderngl.Context, leaves: list[Placed], centre: Floats, radius: float) -> None:
        self._context = context
        self._leaves = leaves
        self._centre = centre
        self._radius = max(radius, 1e-9) * 1.01
        self._programs = {
            "face": context.program(vertex_shader=shaders.FACE_VERTEX, fragment_shader=shaders.FACE_FRAGMENT),
            "id": context.program(vertex_shader=shaders.ID_VERTEX, fragment_shader=shaders.ID_FRAGMENT),
            "line": context.program(vertex_shader=shaders.LINE_VERTEX, fragment_shader=shaders.LINE_FRAGMENT),
            "shrink": context.program(vertex_shader=shaders.SHRINK_VERTEX, fragment_shader=shaders.SHRINK_FRAGMENT),
        }
        self._buffers: dict[int, _Buffers] = {}
        self._canvas: _Canvas | None = None
        self._own_joints: dict[int, list[Joints]] = {}
        self._kept: tuple[list[int], Joints] | None = None
        self._worlds = np.empty((len(leaves), 4, 4))  # from a solid's middle to millimetres from the centre
        self._upright = [float(np.linalg.det(leaf.world[:3, :3])) > 0 for leaf in leaves]
        self._turns = np.empty((len(leaves), 3, 3))  # what normals turn by
        for row, leaf in enumerate(leaves):
            if id(leaf.solid) not in self._buffers:
                self._buffers[id(leaf.solid)] = self._upload(leaf.solid)
            self._worlds[row] = leaf.world
            self._worlds[row, :3, 3] += leaf.world[:3, :3] @ self._buffers[id(leaf.solid)].middle - centre
            self._turns[row] = np.linalg.inv(leaf.world[:3, :3]).T

    @property
    def backend(self) -> str:
        """The driver's own name and version."""
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
        context, canvas, area = self._context, self._canvas_for(frame), (0, 0, frame.width, frame.height)
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
        self._context.vertex_array(self._programs["shrink"], []).render(vertices=3)
        pixels = np.frombuffer(small.read(area, components=4), dtype=np.uint8).reshape(frame.height, frame.width, 4)
        return pixels if background is not None else _straight(pixels)

    def ids(self, frame: Frame, rows: list[int]) -> NDArray[np.uint32]:
        """The id buffer: for each pixel the leaf seen at its centre, as its row plus one, or `BACKGROUND_ID`.

        Args:
            frame: what to show.
            rows: the leaves that can be seen and that hide each other.

        Returns:
            (height, width), rows from the top.
        """
        context, target = self._context, self._canvas_for(frame).numbers
        target.viewport = area = (0, 0, frame.width, frame.height)
        target.use()
        target.clear(depth=1.0)
        context.enable(moderngl.DEPTH_TEST)
        context.depth_func = "<="
        program = self._programs["id"]
        matrices = self._matrices(frame)
        for row in rows:
            _write(program, "to_clip", matrices[row])
            program["nudge"] = TIE_STEP * (row % TIE_CYCLE)
            program["number"] = row + 1
            self._cull(row)
            self._buffers[id(self._leaves[row].solid)].ids.render()
        context.disable(moderngl.CULL_FACE)
        pixels = np.frombuffer(target.read(area, components=1, dtype="u4"), dtype=np.uint32)
        return pixels.reshape(frame.height, frame.width)

    def _canvas_for(self, frame: Frame) -> _Canvas:
        """A canvas with room for a frame, which covers its first rows and columns."""
        old = self._canvas
        if old is not None and old.width >= frame.width and old.height >= frame.height:
            return old
        wide, high = frame.width, frame.height
        if old is not None:
            wide, high = max(wide, old.width), max(high, old.height)
            for part in (old.samples, old.large, old.averages, old.numbers):
                part.release()
        context, many = self._context, (wide * SAMPLES, high * SAMPLES)
        large = context.texture(many, 4)
        self._canvas = _Canvas(
            wide,
            high,
            large,
            context.framebuffer([large], context.depth_renderbuffer(many)),
            context.framebuffer([context.renderbuffer((wide, high), 4)]),
            context.framebuffer(
                [context.renderbuffer((wide, high), 1, dtype="u4")], context.depth_renderbuffer((wide, high))
            ),
        )
        return self._canvas

    def _upload(self, solid: Solid) -> _Buffers:
        middle = solid.bounds.mean(axis=0)
        vertices = np.empty((len(solid.vertices), 6), dtype=np.float32)
        vertices[:, :3] = solid.vertices - middle
        vertices[:, 3:] = solid.normals
        paint = np.zeros((len(solid.vertices), 4), dtype=np.uint8)
        paint[solid.triangles] = solid.faces.colour[solid.triangle_face][:, None]
        buffer = self._context.buffer(vertices.tobytes())
        paints = self._context.buffer(paint.tobytes())
        index = self._context.buffer(solid.triangles.tobytes())
        both = (buffer, "3f 3f", "position", "normal")
        return _Buffers(
            middle,
            self._context.vertex_array(self._programs["face"], [both, (paints, "4f1", "paint")], index),
            self._context.vertex_array(self._programs["id"], [(buffer, "3f 12x", "position")], index),
            solid.closed,
        )

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
        if self._buffers[id(self._leaves[row].solid)].closed:
            self._context.enable(moderngl.CULL_FACE)
            # The picture stands on its head in clip space, which turns every winding once.
            self._context.front_face = "cw" if self._upright[row] else "ccw"
        else:
            self._context.disable(moderngl.CULL_FACE)

    def _draw_faces(self, frame: Frame, looks: dict[int, Look], alpha: float) -> None:
        matrices = self._matrices(frame)
        turns = (frame.view.rotation @ self._turns).transpose(0, 2, 1).astype("f4")
        program = self._programs["face"]
        for row, look in looks.items():
            _write(program, "to_clip", matrices[row])
            _write(program, "to_camera", turns[row].tobytes())
            program["nudge"] = TIE_STEP * (row % TIE_CYCLE)
            program["colour"] = (*_unit_colour(look.colour), alpha)
            program["painted"] = float(look.face_colours)
            program["floor_light"] = look.floor
            self._cull(row)
            self._buffers[id(self._leaves[row].solid)].faces.render()
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
        clip = self._clip(frame)
        program = self._programs["line"]
        program["samples"] = (frame.width * SAMPLES / 2, frame.height * SAMPLES / 2)
        program["half_width"] = width * SAMPLES / 2
        for joints in self._joints(list(looks)):
            drawn = outlines.lines(joints, frame.view.rotation, frame.scale, width)
            ends = drawn.ends @ clip[:3, :3].T + clip[:3, 3]
            stand_off = drawn.stand_off * (width / 2 / frame.scale / self._radius) + LINE_STAND_OFF
            ends[:, :, 2] += (TIE_STEP * (drawn.leaf % TIE_CYCLE) - stand_off)[:, None]
            batch = np.empty(len(drawn.leaf), dtype=_SEGMENT)
            # The picture's rows run downwards: what was left on paper is right of the line there.
            batch["start"], batch["end"], batch["shift"] = ends[:, 0], ends[:, 1], -drawn.shift
            batch["fineness"], batch["colour"] = drawn.fineness, inks[drawn.leaf]
            if not len(batch):
                continue
            segments = self._context.buffer(batch.tobytes())
            content = [(segments, "3f 3f 1f 1f 4f1 /i", "start", "end", "shift", "fineness", "colour")]
            vertices = self._context.vertex_array(program, content)
            vertices.render(moderngl.TRIANGLE_STRIP, vertices=4, instances=len(batch))
            vertices.release()
            segments.release()
        target.depth_mask = True
        target.use()
        self._context.disable(moderngl.BLEND)

    def _joints(self, rows: list[int]) -> Iterator[Joints]:
        """The joints of these leaves, in chunks; those of a model of moderate size are kept for the next view."""
        if self._kept is not None and self._kept[0] == rows:
            yield self._kept[1]
            return
        parts: list[Joints] = []
        whole = True
        for row in rows:
            solid = self._leaves[row].solid
            if id(solid) not in self._own_joints:
                self._own_joints[id(solid)] = outlines.joints(solid)
            pieces = self._own_joints[id(solid)]
            for own in pieces:
                parts.append(outlines.placed_joints(own, self._leaves[row], row, self._centre))
                if len(pieces) > 1 or sum(len(part.leaf) for part in parts) > outlines.CHUNK:
                    whole = False
                    yield outlines.merged(parts)
                    parts = []
        if parts:
            chunk = outlines.merged(parts)
            if whole:
                self._kept = (rows, chunk)
            yield chunk


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
