"""Rays in one direction through triangles: Embree, bound here to its own C interface.

embreex brings the library, but fills its buffers and asks its rays one number at a time through Python objects, which
takes longer than Embree's own work. Here buffers are shared with numpy arrays, and rays go in packets of sixteen.
Where a platform does not find the library's functions by way of embreex's module, embreex itself is asked.
"""

import ctypes
import functools
import os
import weakref
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Protocol

import numpy as np
from embreex import mesh_construction, rtcore_scene
from numpy.typing import NDArray

from dqgen.schemas.design import Floats

WIDTH = 16
"""Rays of a packet."""
WORTH_SHARING = 1024
"""Rays from which on several threads ask faster than one."""
THREADS = os.cpu_count() or 1
# Rows of RTCRayHit16, each of sixteen values of four bytes: where it starts, from where and how far it may go, its
# mask, and what it met. The last rows are room for what builds of Embree append.
_ORIGIN, _NEAR, _DIRECTION, _FAR, _MASK, _TRIANGLE, _ROWS = slice(0, 3), 3, slice(4, 7), 8, 9, 17, 24
_LOW_QUALITY = 0
_TRIANGLES, _INDICES, _VERTICES, _UINT3, _FLOAT3 = 0, 0, 1, 0x5003, 0x9003
_NONE = np.uint32(0xFFFFFFFF)


class RayScene(Protocol):
    """Triangles, ready for rays."""

    def first_hits(self, origins: Floats, direction: Floats) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """The nearest triangle (n,) in one direction (3,) from origins (n, 3), -1 for none, and its distance in mm."""


def ray_scene(vertices: NDArray[np.float32], triangles: NDArray[np.uint32]) -> RayScene:
    """A scene of triangles (T, 3), rows of vertices (V, 4) in mm, of which the last column says nothing."""
    try:
        _embree()
    except (OSError, AttributeError):
        return PlainScene(vertices, triangles)
    return PacketScene(vertices, triangles)


class PlainScene:
    """A `RayScene` by embreex's own interface."""

    def __init__(self, vertices: NDArray[np.float32], triangles: NDArray[np.uint32]) -> None:
        self._scene = rtcore_scene.EmbreeScene()
        corners, rows = np.ascontiguousarray(vertices[:, :3]), triangles.astype(np.int32)
        self._mesh = mesh_construction.TriangleMesh(scene=self._scene, vertices=corners, indices=rows)

    def first_hits(self, origins: Floats, direction: Floats) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """See `RayScene`."""
        starts = np.ascontiguousarray(origins, dtype=np.float32)
        along = np.tile(direction.astype(np.float32), (len(origins), 1))
        answer = self._scene.run(starts, along, output=True)
        triangle = answer["primID"].astype(np.int64)
        return triangle, np.where(triangle >= 0, answer["tfar"], np.float32(np.inf))


@functools.cache
def _embree() -> ctypes.CDLL:
    """The library, by way of the extension module that is linked with it.

    Raises:
        OSError, AttributeError: not to be found so on this platform.
    """
    library = ctypes.CDLL(rtcore_scene.__file__)
    pointer, number, size = ctypes.c_void_p, ctypes.c_uint, ctypes.c_size_t
    for name, result, arguments in (
        ("rtcNewDevice", pointer, [ctypes.c_char_p]),
        ("rtcNewScene", pointer, [pointer]),
        ("rtcSetSceneBuildQuality", None, [pointer, ctypes.c_int]),
        ("rtcReleaseScene", None, [pointer]),
        ("rtcCommitScene", None, [pointer]),
        ("rtcNewGeometry", pointer, [pointer, ctypes.c_int]),
        ("rtcSetSharedGeometryBuffer", None, [pointer, ctypes.c_int, number, ctypes.c_int, pointer, size, size, size]),
        ("rtcCommitGeometry", None, [pointer]),
        ("rtcAttachGeometry", number, [pointer, pointer]),
        ("rtcSetGeometryBuildQuality", None, [pointer, ctypes.c_int]),
        ("rtcReleaseGeometry", None, [pointer]),
        ("rtcIntersect16", None, [pointer, pointer, pointer, pointer]),
    ):
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


@functools.cache
def _device() -> int:
    return int(_embree().rtcNewDevice(None))


@functools.cache
def _threads() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(THREADS)


def _release(scene: int, grown: "Future[None]", buffers: tuple[NDArray[np.generic], ...]) -> None:
    """Free a scene when it is grown, and not before: until then it reads its buffers."""
    grown.add_done_callback(functools.partial(_released, scene, buffers))


def _released(scene: int, buffers: tuple[NDArray[np.generic], ...], grown: "Future[None]") -> None:
    _embree().rtcReleaseScene(scene)


class PacketScene:
    """A `RayScene` on shared buffers, whose tree grows while its maker goes on."""

    def __init__(self, vertices: NDArray[np.float32], triangles: NDArray[np.uint32]) -> None:
        embree = _embree()
        # Embree reads sixteen bytes a vertex, and keeps reading these arrays for as long as the scene lives.
        self._vertices, self._triangles = vertices, triangles
        self._scene = int(embree.rtcNewScene(_device()))
        # A view asks some ten thousand rays: a tree that is built in a quarter of the time is worth more than a better.
        embree.rtcSetSceneBuildQuality(self._scene, _LOW_QUALITY)
        geometry = embree.rtcNewGeometry(_device(), _TRIANGLES)
        for kind, form, array in (
            (_VERTICES, _FLOAT3, self._vertices),
            (_INDICES, _UINT3, self._triangles),
        ):
            embree.rtcSetSharedGeometryBuffer(
                geometry, kind, 0, form, array.ctypes.data, 0, array.strides[0], len(array)
            )
        embree.rtcSetGeometryBuildQuality(geometry, _LOW_QUALITY)
        embree.rtcCommitGeometry(geometry)
        embree.rtcAttachGeometry(self._scene, geometry)
        embree.rtcReleaseGeometry(geometry)
        self._grown = _threads().submit(embree.rtcCommitScene, self._scene)
        weakref.finalize(self, _release, self._scene, self._grown, (vertices, triangles))

    def first_hits(self, origins: Floats, direction: Floats) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """See `RayScene`."""
        count = len(origins)
        packets = -(-count // WIDTH)
        room = np.empty(packets * _ROWS * WIDTH + WIDTH, dtype=np.float32)
        start = -(room.ctypes.data // 4) % WIDTH  # packets begin at multiples of 64 bytes
        packet = room[start : start + packets * _ROWS * WIDTH].reshape(packets, _ROWS, WIDTH)
        padded = np.zeros((packets * WIDTH, 3), dtype=np.float32)
        padded[:count] = origins
        padded[count:] = origins[-1:]
        packet[:, _ORIGIN] = padded.reshape(packets, WIDTH, 3).transpose(0, 2, 1)
        packet[:, _NEAR] = 0
        packet[:, _DIRECTION] = direction[:, None]
        packet[:, 7] = 0  # time
        packet[:, _FAR] = np.inf
        bits = packet.view(np.uint32)
        bits[:, _MASK:12] = _NONE
        bits[:, _TRIANGLE:] = _NONE
        valid = np.full(2 * WIDTH, -1, dtype=np.int32)
        every = valid.ctypes.data + -valid.ctypes.data % 64
        embree, scene, size = _embree(), self._scene, _ROWS * WIDTH * 4

        def ask(part: NDArray[np.float32]) -> None:
            for address in range(part.ctypes.data, part.ctypes.data + part.nbytes, size):
                embree.rtcIntersect16(every, scene, address, None)

        self._grown.result()
        # Embree is called without the interpreter's lock.
        if count < WORTH_SHARING:
            ask(packet)
        else:
            list(_threads().map(ask, np.array_split(packet, THREADS)))
        triangle = bits[:, _TRIANGLE].ravel()[:count].view(np.int32).astype(np.int64)
        return triangle, packet[:, _FAR].ravel()[:count]
