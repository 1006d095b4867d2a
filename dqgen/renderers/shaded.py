"""Shaded pictures with edges, and id buffers, by OpenGL without a screen.

One `Stage` holds a design's geometry on the graphics side; `shoot` draws it from any view. The picture is drawn at
twice the size in both directions and averaged (4 samples a pixel); the id buffer is drawn at its own size without
any smoothing, one sample at each pixel's centre, by the same vertices.
"""

from dataclasses import dataclass

import moderngl
import numpy as np
from numpy.typing import NDArray

from dqgen.errors import SetupError
from dqgen.geometry.transforms import Placed
from dqgen.loaders.sandbox import SYSTEM_LIBRARIES
from dqgen.loaders.tessellation import triangle_normals
from dqgen.renderers.views import View
from dqgen.schemas.design import Bytes, Colour, EdgeClass, Floats, Solid

SAMPLES = 2
"""Supersampling in each direction."""
BACKGROUND_ID = 0
EDGE_ON = 1e-5
"""Cosine to the line of sight below which a triangle counts as seen edge-on."""
TIE_STEP, TIE_CYCLE = 4e-7, 61
"""Parts that share a plane are told apart by a step in depth each, so that they never fight for pixels; in parts of
the scene's radius, a few steps of a 24-bit depth buffer."""
LINE_STAND_OFF = 3e-5
MAX_SLOPE = 3.0
GHOST_ALPHA = 0.16
GHOST_EDGE_ALPHA = 0.45

_FACE_VERTEX = """
#version 330
in vec3 position;
in vec3 normal;
uniform mat4 to_clip;
uniform mat3 to_camera;
uniform float nudge;
out vec3 facing;
void main() {
    gl_Position = to_clip * vec4(position, 1.0);
    gl_Position.z += nudge;
    facing = to_camera * normal;
}
"""
_FACE_COLOUR_VERTEX = """
#version 330
in vec3 position;
in vec3 normal;
in vec4 paint;
uniform mat4 to_clip;
uniform mat3 to_camera;
uniform float nudge;
out vec3 facing;
flat out vec4 own;
void main() {
    gl_Position = to_clip * vec4(position, 1.0);
    gl_Position.z += nudge;
    facing = to_camera * normal;
    own = paint;
}
"""
# A key light over the left shoulder, a weak fill from the right, and light from above that fades downwards.
_SHADE = """
    vec3 n = length(facing) > 0.0 ? normalize(facing) : vec3(0.0, 0.0, 1.0);
    if (n.z < 0.0) n = -n;
    float key = max(dot(n, vec3(-0.36, 0.48, 0.80)), 0.0);
    float fill = max(dot(n, vec3(0.70, -0.10, 0.70)), 0.0);
    float light = 0.47 + 0.36 * key + 0.13 * fill + 0.10 * (0.5 + 0.5 * n.y);
    light = max(light, mix(light, 1.0, floor_light));
    float gloss = pow(key, 24.0) * 0.10;
"""
_FACE_FRAGMENT = (
    """
#version 330
in vec3 facing;
uniform vec4 colour;
uniform float floor_light;
out vec4 pixel;
void main() {
"""
    + _SHADE
    + """
    pixel = vec4(min(colour.rgb * light + gloss, 1.0), colour.a);
}
"""
)
_FACE_COLOUR_FRAGMENT = (
    """
#version 330
in vec3 facing;
flat in vec4 own;
uniform vec4 colour;
uniform float floor_light;
out vec4 pixel;
void main() {
    vec4 base = vec4(mix(colour.rgb, own.rgb, own.a), colour.a);
"""
    + _SHADE
    + """
    pixel = vec4(min(base.rgb * light + gloss, 1.0), base.a);
}
"""
)
_ID_VERTEX = """
#version 330
in vec3 position;
uniform mat4 to_clip;
uniform float nudge;
void main() {
    gl_Position = to_clip * vec4(position, 1.0);
    gl_Position.z += nudge;
}
"""
_ID_FRAGMENT = """
#version 330
uniform uint number;
out uint pixel;
void main() { pixel = number; }
"""
# A segment becomes a quad in the picture's plane, half a width longer at both ends so that corners close.
_LINE_VERTEX = """
#version 330
in vec3 start;             // in clip space
in vec3 end;
in vec4 colour;
uniform vec2 half_width;   // of the line, in clip units of x and y
out vec4 ink;
void main() {
    vec2 along = (end.xy - start.xy) / half_width;
    along = length(along) > 1e-6 ? normalize(along) : vec2(1.0, 0.0);
    vec2 across = vec2(-along.y, along.x);
    bool first = gl_VertexID < 2;
    float side = (gl_VertexID & 1) == 0 ? 1.0 : -1.0;
    gl_Position = vec4(first ? start : end, 1.0);
    gl_Position.xy += half_width * (across * side + along * (first ? -1.0 : 1.0));
    ink = colour;
}
"""
_LINE_FRAGMENT = """
#version 330
in vec4 ink;
out vec4 pixel;
void main() { pixel = ink; }
"""
_SHRINK_VERTEX = """
#version 330
void main() {
    vec2 corner = vec2((gl_VertexID & 1) * 4.0 - 1.0, (gl_VertexID & 2) * 2.0 - 1.0);
    gl_Position = vec4(corner, 0.0, 1.0);
}
"""
# Colours are stored multiplied by their coverage, so that a transparent background bleeds into nothing.
_SHRINK_FRAGMENT = """
#version 330
uniform sampler2D large;
out vec4 pixel;
void main() {
    ivec2 at = ivec2(gl_FragCoord.xy) * 2;
    pixel = 0.25 * (texelFetch(large, at, 0) + texelFetch(large, at + ivec2(1, 0), 0)
                  + texelFetch(large, at + ivec2(0, 1), 0) + texelFetch(large, at + ivec2(1, 1), 0));
}
"""


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
    painted: moderngl.VertexArray
    ids: moderngl.VertexArray
    triangle_normals: Floats
    drawn: NDArray[np.bool_]


def create_context() -> moderngl.Context:
    """An OpenGL 3.3 context without a window.

    Raises:
        SetupError: no driver is found; the message names the missing packages.
    """
    failures = []
    for backend in ("egl", None):  # None: the platform's own, which on Linux needs an X server
        try:
            return moderngl.create_context(require=330, standalone=True, **({"backend": backend} if backend else {}))
        except Exception as error:  # moderngl raises nothing more special
            failures.append(f"{backend or 'native'}: {error}")
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
            "face": context.program(vertex_shader=_FACE_VERTEX, fragment_shader=_FACE_FRAGMENT),
            "painted": context.program(vertex_shader=_FACE_COLOUR_VERTEX, fragment_shader=_FACE_COLOUR_FRAGMENT),
            "id": context.program(vertex_shader=_ID_VERTEX, fragment_shader=_ID_FRAGMENT),
            "line": context.program(vertex_shader=_LINE_VERTEX, fragment_shader=_LINE_FRAGMENT),
            "shrink": context.program(vertex_shader=_SHRINK_VERTEX, fragment_shader=_SHRINK_FRAGMENT),
        }
        self._buffers: dict[int, _Buffers] = {}
        for leaf in leaves:
            if id(leaf.solid) not in self._buffers:
                self._buffers[id(leaf.solid)] = self._upload(leaf.solid)

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
        context, wide, high = self._context, frame.width * SAMPLES, frame.height * SAMPLES
        large = context.texture((wide, high), 4)
        target = context.framebuffer([large], context.depth_renderbuffer((wide, high)))
        small = context.framebuffer([context.renderbuffer((frame.width, frame.height), 4)])
        target.use()
        target.clear(*(0.0, 0.0, 0.0, 0.0) if background is None else (*_unit_colour(background), 1.0), depth=1.0)
        context.enable(moderngl.DEPTH_TEST)
        context.depth_func = "<="
        solid = {row: look for row, look in looks.items() if not look.ghost}
        ghosts = {row: look for row, look in looks.items() if look.ghost}
        for row, look in solid.items():
            self._draw_faces(frame, row, look, 1.0)
        half_width = line_width / np.array([frame.width, frame.height])
        self._draw_lines(frame, solid, half_width, 1.0)
        if ghosts:
            self._draw_ghosts(frame, target, ghosts, half_width)
        context.disable(moderngl.DEPTH_TEST)
        small.use()
        large.use(0)
        self._context.vertex_array(self._programs["shrink"], []).render(vertices=3)
        pixels = np.frombuffer(small.read(components=4), dtype=np.uint8).reshape(frame.height, frame.width, 4)
        for part in (target, large, small):
            part.release()
        return pixels if background is not None else _straight(pixels)

    def ids(self, frame: Frame, rows: list[int]) -> NDArray[np.uint32]:
        """The id buffer: for each pixel the leaf seen at its centre, as its row plus one, or `BACKGROUND_ID`.

        Args:
            frame: what to show.
            rows: the leaves that can be seen and that hide each other.

        Returns:
            (height, width), rows from the top.
        """
        context, size = self._context, (frame.width, frame.height)
        numbers = context.texture(size, 1, dtype="u4")
        target = context.framebuffer([numbers], context.depth_renderbuffer(size))
        target.use()
        target.clear(depth=1.0)
        context.enable(moderngl.DEPTH_TEST)
        context.depth_func = "<="
        program = self._programs["id"]
        for row in rows:
            buffers = self._place(program, frame, row)
            program["number"].value = row + 1
            buffers.ids.render()
        pixels = np.frombuffer(target.read(components=1, dtype="u4"), dtype=np.uint32)
        target.release()
        numbers.release()
        return pixels.reshape(frame.height, frame.width)

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
        drawn = np.zeros(len(solid.links), dtype=np.bool_)
        on_edge = solid.link_edge >= 0
        drawn[on_edge] = np.isin(solid.edges.edge_class[solid.link_edge[on_edge]], (EdgeClass.SHARP, EdgeClass.FREE))
        drawn |= solid.links[:, 1] < 0
        return _Buffers(
            middle,
            self._context.vertex_array(self._programs["face"], [both], index),
            self._context.vertex_array(self._programs["painted"], [both, (paints, "4f1", "paint")], index),
            self._context.vertex_array(self._programs["id"], [(buffer, "3f 12x", "position")], index),
            triangle_normals(solid.vertices, solid.triangles)[0],
            drawn,
        )

    def _clip(self, frame: Frame, world: Floats) -> Floats:
        """(4, 4): from a leaf's own frame to clip space, first row of pixels first, nearer is smaller."""
        matrix = np.zeros((4, 4))
        matrix[:3, :3] = frame.view.rotation
        matrix[:3, 3] = -frame.view.rotation @ frame.centre
        scale = np.diag([2 * frame.scale / frame.width, -2 * frame.scale / frame.height, -1 / self._radius, 1.0])
        matrix[3, 3] = 1.0
        clip: Floats = scale @ matrix @ world
        # Depth counts from the middle of everything, wherever the frame looks.
        clip[2, 3] -= scale[2, 2] * float(frame.view.rotation[2] @ (self._centre - frame.centre))
        return clip

    def _place(self, program: moderngl.Program, frame: Frame, row: int) -> _Buffers:
        """Set a program's matrices for a leaf."""
        leaf = self._leaves[row]
        buffers = self._buffers[id(leaf.solid)]
        shifted = leaf.world.copy()
        shifted[:3, 3] += leaf.world[:3, :3] @ buffers.middle
        program["to_clip"].write(self._clip(frame, shifted).T.astype("f4").tobytes())
        program["nudge"].value = TIE_STEP * (row % TIE_CYCLE)
        return buffers

    def _draw_faces(self, frame: Frame, row: int, look: Look, alpha: float) -> None:
        program = self._programs["painted" if look.face_colours else "face"]
        buffers = self._place(program, frame, row)
        turn = frame.view.rotation @ np.linalg.inv(self._leaves[row].world[:3, :3]).T
        program["to_camera"].write(turn.T.astype("f4").tobytes())
        program["colour"].value = (*_unit_colour(look.colour), alpha)
        program["floor_light"].value = look.floor
        (buffers.painted if look.face_colours else buffers.faces).render()

    def _draw_ghosts(self, frame: Frame, target: moderngl.Framebuffer, ghosts: dict[int, Look], width: Floats) -> None:
        """The nearest layer of the ghosts, translucent over what is there."""
        context = self._context
        target.color_mask = False, False, False, False
        for row, look in ghosts.items():
            self._draw_faces(frame, row, look, 0.0)
        target.color_mask = True, True, True, True
        context.enable(moderngl.BLEND)
        context.blend_func = (moderngl.SRC_ALPHA, moderngl.ONE_MINUS_SRC_ALPHA, moderngl.ONE, moderngl.ONE_MINUS_SRC_ALPHA)
        for row, look in ghosts.items():
            self._draw_faces(frame, row, look, GHOST_ALPHA)
        self._draw_lines(frame, ghosts, width * 0.6, GHOST_EDGE_ALPHA)
        context.disable(moderngl.BLEND)

    def _draw_lines(self, frame: Frame, looks: dict[int, Look], half_width: Floats, alpha: float) -> None:
        """Sharp edges, and the mesh edges between what faces the viewer and what does not."""
        batches = []
        for row, look in looks.items():
            leaf = self._leaves[row]
            buffers = self._buffers[id(leaf.solid)]
            turn = np.linalg.inv(leaf.world[:3, :3]) @ frame.view.rotation[2]
            facing = buffers.triangle_normals @ (turn / np.linalg.norm(turn))
            front = facing > EDGE_ON
            first, second = leaf.solid.links[:, 0], leaf.solid.links[:, 1]
            chosen = np.flatnonzero(buffers.drawn | (front[first] != front[second]))
            if not len(chosen):
                continue
            clip = self._clip(frame, leaf.world)
            ends = leaf.solid.vertices[leaf.solid.link_vertices[chosen]] @ clip[:3, :3].T + clip[:3, 3]
            # A line is flat: it must stand off the surfaces beside it by what they rise across half its width.
            steepest = np.minimum(np.abs(facing[first[chosen]]), np.abs(facing[second[chosen]]))
            slope = np.minimum(np.sqrt(1 - np.minimum(steepest, 1) ** 2) / np.maximum(steepest, 1e-3), MAX_SLOPE)
            mm = half_width[0] * frame.width / 2 / frame.scale
            ends[:, :, 2] -= (slope * mm / self._radius + LINE_STAND_OFF)[:, None] - TIE_STEP * (row % TIE_CYCLE)
            batch = np.zeros(len(chosen), dtype=_SEGMENT)
            batch["start"], batch["end"] = ends[:, 0], ends[:, 1]
            batch["colour"] = (*look.edge, round(255 * alpha))
            batches.append(batch)
        if not batches:
            return
        segments = self._context.buffer(np.concatenate(batches).tobytes())
        program = self._programs["line"]
        program["half_width"].value = tuple(half_width)
        lines = self._context.vertex_array(program, [(segments, "3f 3f 4f1 /i", "start", "end", "colour")])
        lines.render(moderngl.TRIANGLE_STRIP, vertices=4, instances=sum(len(batch) for batch in batches))
        lines.release()
        segments.release()


_SEGMENT = np.dtype([("start", "f4", 3), ("end", "f4", 3), ("colour", "u1", 4)])


def _unit_colour(colour: Colour) -> tuple[float, float, float]:
    red, green, blue = (value / 255 for value in colour)
    return red, green, blue


def _straight(pixels: Bytes) -> Bytes:
    """Colours divided by the coverage that they were averaged with."""
    alpha = pixels[..., 3:].astype(np.float64)
    colour = np.where(alpha > 0, pixels[..., :3] * 255.0 / np.maximum(alpha, 1), 255.0)
    return np.concatenate([np.minimum(np.rint(colour), 255), alpha], axis=2).astype(np.uint8)
