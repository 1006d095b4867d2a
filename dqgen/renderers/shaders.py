"""The programs that run on the graphics side (GLSL 3.30)."""

FACE_VERTEX = """
#version 330
in vec3 position;
in vec3 normal;
in vec4 paint;             // the face's own colour, alpha 0 if it has none
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
FACE_FRAGMENT = """
#version 330
in vec3 facing;
flat in vec4 own;
uniform vec4 colour;
uniform float painted;     // 1 to let faces show their own colour
uniform float floor_light;
out vec4 pixel;
void main() {
    vec3 n = length(facing) > 0.0 ? normalize(facing) : vec3(0.0, 0.0, 1.0);
    if (n.z < 0.0) n = -n;
    float key = max(dot(n, vec3(-0.36, 0.48, 0.80)), 0.0);
    float fill = max(dot(n, vec3(0.70, -0.10, 0.70)), 0.0);
    float light = 0.47 + 0.36 * key + 0.13 * fill + 0.10 * (0.5 + 0.5 * n.y);
    light = mix(light, max(light, 1.0), floor_light);
    float gloss = pow(key, 24.0) * 0.10;
    vec3 base = mix(colour.rgb, own.rgb, own.a * painted);
    pixel = vec4(min(base * light + gloss, 1.0), colour.a);
}
"""
ID_VERTEX = """
#version 330
in vec3 position;
uniform mat4 to_clip;
uniform float nudge;
void main() {
    gl_Position = to_clip * vec4(position, 1.0);
    gl_Position.z += nudge;
}
"""
ID_FRAGMENT = """
#version 330
uniform uint number;
out uint pixel;
void main() { pixel = number; }
"""
# A segment becomes a quad in the picture's plane, half a width longer at both ends so that corners close, and half a
# sample wider on both sides, where it fades: whether a line falls on one row of samples or between two does not show.
LINE_VERTEX = """
#version 330
in vec3 start;             // in clip space
in vec3 end;
in float shift;            // half widths to the left
in float fineness;         // part of the usual width
in vec4 colour;
uniform vec2 samples;      // half the picture's size in samples: samples to a clip unit
uniform float half_width;  // of the line, in samples
out vec4 ink;
out float off;             // samples from the middle of the line
flat out float reach;      // samples from its middle to its side
void main() {
    reach = half_width * fineness;
    vec2 along = (end.xy - start.xy) * samples;
    float span = length(along);
    along = span > 1e-6 ? along / span : vec2(1.0, 0.0);
    vec2 across = vec2(-along.y, along.x);
    bool first = gl_VertexID < 2;
    off = ((gl_VertexID & 1) == 0 ? 1.0 : -1.0) * (reach + 0.5);
    gl_Position = vec4(first ? start : end, 1.0);
    float beyond = first ? -reach : reach;
    gl_Position.xy += (across * (off + shift * reach) + along * beyond) / samples;
    gl_Position.z += (end.z - start.z) * clamp(beyond / max(span, 1e-6), -1.0, 1.0);
    ink = colour;
}
"""
LINE_FRAGMENT = """
#version 330
in vec4 ink;
in float off;
flat in float reach;
out vec4 pixel;
void main() { pixel = vec4(ink.rgb, ink.a * clamp(reach + 0.5 - abs(off), 0.0, 1.0)); }
"""
SHRINK_VERTEX = """
#version 330
void main() {
    vec2 corner = vec2((gl_VertexID & 1) * 4.0 - 1.0, (gl_VertexID & 2) * 2.0 - 1.0);
    gl_Position = vec4(corner, 0.0, 1.0);
}
"""
# Colours are stored multiplied by their coverage, so that a transparent background bleeds into nothing.
SHRINK_FRAGMENT = """
#version 330
uniform sampler2D large;
out vec4 pixel;
void main() {
    ivec2 at = ivec2(gl_FragCoord.xy) * 2;
    pixel = 0.25 * (texelFetch(large, at, 0) + texelFetch(large, at + ivec2(1, 0), 0)
                  + texelFetch(large, at + ivec2(0, 1), 0) + texelFetch(large, at + ivec2(1, 1), 0));
}
"""
