"""What lies on the graphics side: programs, a canvas, and solids; handed on from one stage to the next."""

from collections.abc import Iterable
from dataclasses import dataclass

import moderngl
import numpy as np

from dqgen.renderers import outlines, shaders
from dqgen.renderers.outlines import Joints
from dqgen.schemas.design import Floats, Solid

SAMPLES = 2
"""Supersampling in each direction."""


@dataclass(frozen=True)
class Buffers:
    """A solid on the graphics side. Its vertices are counted from its own middle: single precision stays precise."""

    solid: Solid
    middle: Floats
    faces: moderngl.VertexArray
    ids: moderngl.VertexArray
    memory: tuple[moderngl.Buffer, ...]
    closed: bool


@dataclass(frozen=True)
class Canvas:
    """What pictures are drawn on. It outlives a picture: fresh memory costs more than drawing on it."""

    width: int
    height: int
    large: moderngl.Texture
    samples: moderngl.Framebuffer
    averages: moderngl.Framebuffer
    numbers: moderngl.Framebuffer
    stores: tuple[moderngl.Renderbuffer, ...]


class Graphics:
    """Programs, canvas and solids of one context. moderngl frees nothing by itself: what is let go is released here."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self.programs = {
            "face": context.program(vertex_shader=shaders.FACE_VERTEX, fragment_shader=shaders.FACE_FRAGMENT),
            "id": context.program(vertex_shader=shaders.ID_VERTEX, fragment_shader=shaders.ID_FRAGMENT),
            "line": context.program(vertex_shader=shaders.LINE_VERTEX, fragment_shader=shaders.LINE_FRAGMENT),
            "shrink": context.program(vertex_shader=shaders.SHRINK_VERTEX, fragment_shader=shaders.SHRINK_FRAGMENT),
        }
        self._canvas: Canvas | None = None
        # By the solid's id, which is its own as long as its buffers hold it.
        self._buffers: dict[int, Buffers] = {}
        self._joints: dict[int, list[Joints]] = {}

    def keep(self, solids: Iterable[Solid]) -> None:
        """Have these solids, and let go of all others."""
        wanted = {id(solid): solid for solid in solids}
        for gone in self._buffers.keys() - wanted.keys():
            buffers = self._buffers.pop(gone)
            self._joints.pop(gone, None)
            for part in (buffers.faces, buffers.ids):
                part.release()
            for memory in buffers.memory:
                memory.release()
        for name, solid in wanted.items():
            if name not in self._buffers:
                self._buffers[name] = self._upload(solid)

    def buffers(self, solid: Solid) -> Buffers:
        """Of a solid that is kept."""
        return self._buffers[id(solid)]

    def joints(self, solid: Solid) -> list[Joints]:
        """The joints of a solid that is kept, in its own frame."""
        if id(solid) not in self._joints:
            self._joints[id(solid)] = outlines.joints(solid)
        return self._joints[id(solid)]

    def canvas(self, width: int, height: int) -> Canvas:
        """A canvas with room for a picture of so many pixels, which covers its first rows and columns."""
        old = self._canvas
        if old is not None and old.width >= width and old.height >= height:
            return old
        wide, high = width, height
        if old is not None:
            wide, high = max(wide, old.width), max(high, old.height)
            for frame in (old.samples, old.averages, old.numbers):
                frame.release()
            for store in old.stores:
                store.release()
            old.large.release()
        context, many = self._context, (wide * SAMPLES, high * SAMPLES)
        large = context.texture(many, 4)
        small, numbers = context.renderbuffer((wide, high), 4), context.renderbuffer((wide, high), 1, dtype="u4")
        depths = context.depth_renderbuffer(many), context.depth_renderbuffer((wide, high))
        canvas = self._canvas = Canvas(
            wide,
            high,
            large,
            context.framebuffer([large], depths[0]),
            context.framebuffer([small]),
            context.framebuffer([numbers], depths[1]),
            (*depths, small, numbers),
        )
        return canvas

    def _upload(self, solid: Solid) -> Buffers:
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
        return Buffers(
            solid,
            middle,
            self._context.vertex_array(self.programs["face"], [both, (paints, "4f1", "paint")], index),
            self._context.vertex_array(self.programs["id"], [(buffer, "3f 12x", "position")], index),
            (buffer, paints, index),
            solid.closed,
        )
