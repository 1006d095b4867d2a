"""The faces of a shape of the Open CASCADE kernel: exact surfaces, triangles with normals on them."""

import math
from collections.abc import Callable

import numpy as np
from OCP.BRep import BRep_Tool
from OCP.BRepAdaptor import BRepAdaptor_Surface
from OCP.BRepGProp import BRepGProp
from OCP.GeomAbs import GeomAbs_Cone, GeomAbs_Cylinder, GeomAbs_Plane, GeomAbs_Sphere, GeomAbs_Torus
from OCP.GeomAdaptor import GeomAdaptor_Surface
from OCP.GProp import GProp_GProps
from OCP.StdPrs import StdPrs_ToolTriangulatedShape
from OCP.TopAbs import TopAbs_REVERSED
from OCP.TopLoc import TopLoc_Location
from OCP.TopoDS import TopoDS_Face, TopoDS_Shape

from dqgen.geometry.tessellation import triangle_normals, unit
from dqgen.loaders.brep_frames import matrix, xyz
from dqgen.loaders.brep_recognition import analytic_surface
from dqgen.schemas.design import Colour, FaceTable, Floats, Surface

INTEGRATED = 1e-6
"""Part of a free surface's area, or of a volume that such surfaces bound, to which it is integrated."""
CLOSED_GAP = 40.0
"""Degrees between neighbouring points around an axis that are less than a gap."""
FaceColour = Callable[[TopoDS_Shape], Colour | None]

_SURFACES = {
    GeomAbs_Plane: Surface.PLANE,
    GeomAbs_Cylinder: Surface.CYLINDER,
    GeomAbs_Cone: Surface.CONE,
    GeomAbs_Sphere: Surface.SPHERE,
    GeomAbs_Torus: Surface.TORUS,
}


class FaceMesh:
    """One face: its surface, and its triangles in the solid's frame.

    Attributes:
        tessellated: it has triangles and no surface.
        free: its surface is stored as a spline or by sweeping a curve, or not at all.
    """

    def __init__(self, face: TopoDS_Face, colour: FaceColour | None) -> None:
        self.face = face
        self.colour = colour(face) if colour else None
        self.location = TopLoc_Location()
        self.triangulation = BRep_Tool.Triangulation_s(face, self.location)
        if self.triangulation is None:
            self.vertices = np.zeros((0, 3))
            self.normals = np.zeros((0, 3))
            self.triangles = np.zeros((0, 3), dtype=np.int64)
            self._read_surface()
            return
        mesh = self.triangulation
        self.vertices = np.array([mesh.Node(i).Coord() for i in range(1, mesh.NbNodes() + 1)])
        self.triangles = np.array([mesh.Triangle(i).Get() for i in range(1, mesh.NbTriangles() + 1)]) - 1
        self.triangles = self.triangles.reshape(-1, 3)
        frame = None if self.location.IsIdentity() else matrix(self.location)
        if frame is not None:
            self.vertices = self.vertices @ frame[:3, :3].T + frame[:3, 3]
        if face.Orientation() == TopAbs_REVERSED:
            self.triangles = self.triangles[:, [0, 2, 1]]
        self._read_surface()
        self.normals = self._normals(frame)

    def area(self) -> float:
        if self.tessellated:
            return float(triangle_normals(self.vertices, self.triangles.astype(np.int32))[1].sum())
        properties = GProp_GProps()
        if self.free:
            BRepGProp.SurfaceProperties_s(self.face, properties, INTEGRATED)
        else:
            BRepGProp.SurfaceProperties_s(self.face, properties)
        return float(properties.Mass())

    def _read_surface(self) -> None:
        self.kind = Surface.OTHER
        self.origin, self.axis = np.zeros(3), np.zeros(3)
        self.radius = self.second = self.sweep = 0.0
        flipped = self.face.Orientation() == TopAbs_REVERSED
        self.reversed = flipped
        self.tessellated = self.free = BRep_Tool.Surface_s(self.face) is None
        if self.tessellated:
            return
        adaptor = BRepAdaptor_Surface(self.face, True)
        self.free = adaptor.GetType() not in _SURFACES
        found: GeomAdaptor_Surface | None = None
        if self.free and len(self.vertices):
            found = analytic_surface(self.face, float(np.linalg.norm(np.ptp(self.vertices, axis=0))))
        form = adaptor if found is None else found
        self.kind = _SURFACES.get(form.GetType(), Surface.OTHER)
        if self.kind == Surface.OTHER:
            return
        surface = {
            Surface.PLANE: form.Plane,
            Surface.CYLINDER: form.Cylinder,
            Surface.CONE: form.Cone,
            Surface.SPHERE: form.Sphere,
            Surface.TORUS: form.Torus,
        }[self.kind]()
        position = surface.Position()
        self.origin, self.axis = xyz(position.Location()), xyz(position.Direction())
        if self.kind == Surface.CONE:
            self.radius, self.second = surface.RefRadius(), math.degrees(surface.SemiAngle())
        elif self.kind == Surface.TORUS:
            self.radius, self.second = surface.MajorRadius(), surface.MinorRadius()
        elif self.kind != Surface.PLANE:
            self.radius = surface.Radius()
        if found is None:
            # A left-handed frame turns the surface's parametric normal inward.
            self.reversed = flipped == position.Direct()
            if self.kind != Surface.PLANE:
                self.sweep = math.degrees(adaptor.LastUParameter() - adaptor.FirstUParameter())
        else:
            # The surface that was found has parameters of its own: the triangles tell its sides and its ends.
            self.reversed = False
            facing, areas = triangle_normals(self.vertices, self.triangles.astype(np.int32))
            middles = self.vertices[self.triangles].mean(axis=1)
            self.reversed = bool(areas @ (facing * self._formula(middles)).sum(axis=1) < 0)
            if self.kind != Surface.PLANE:
                self.sweep = _swept(self.vertices - self.origin, self.axis)

    def _normals(self, frame: Floats | None) -> Floats:
        """Exact outward unit normals at the vertices; the kernel's where the surface has no formula."""
        if self.kind == Surface.OTHER:
            if self.tessellated:
                self.triangulation.ComputeNormals()
            else:
                StdPrs_ToolTriangulatedShape.ComputeNormals_s(self.face, self.triangulation)
            read = [self.triangulation.Normal(i) for i in range(1, self.triangulation.NbNodes() + 1)]
            normals = np.array([(normal.X(), normal.Y(), normal.Z()) for normal in read])
            if frame is not None:
                normals = normals @ frame[:3, :3].T
            return -normals if self.reversed else normals
        normals = self._formula(self.vertices)
        return -normals if self.reversed else normals

    def _formula(self, points: Floats) -> Floats:
        """Unit normals of the surface at points (n, 3) on it: away from its axis or middle, or along a plane's axis."""
        if self.kind == Surface.PLANE:
            return np.broadcast_to(self.axis, points.shape)
        offset = points - self.origin
        along = offset @ self.axis
        radial = offset - along[:, None] * self.axis
        if self.kind == Surface.SPHERE:
            return unit(offset)
        if self.kind == Surface.TORUS:
            return unit(offset - self.radius * unit(radial))
        if self.kind == Surface.CONE:
            tilt = math.radians(self.second)
            # Beyond the apex the radius changes sign, and the outward side with it.
            side = np.sign(self.radius + along * math.tan(tilt))[:, None]
            return unit(side * (math.cos(tilt) * unit(radial)) - math.sin(tilt) * self.axis)
        return unit(radial)


def _swept(offset: Floats, axis: Floats) -> float:
    """Degrees around an axis that points (n, 3), relative to a point of it, cover: all but the largest gap between
    them, and all if that is no larger than those between neighbours of a turn."""
    across = np.linalg.svd(axis[None, :])[2][1:]
    flat = offset @ across.T
    flat = flat[np.linalg.norm(flat, axis=1) > 1e-9]
    angles = np.unique(np.round(np.degrees(np.arctan2(flat[:, 1], flat[:, 0])), 6))
    gap = float(np.diff(angles, append=angles[:1] + 360).max(initial=0.0))
    return 360.0 if gap < CLOSED_GAP else 360.0 - gap


def face_table(meshes: list[FaceMesh]) -> FaceTable:
    boxes = [box(mesh) if len(mesh.vertices) else np.zeros((2, 3)) for mesh in meshes]
    return FaceTable(
        kind=np.array([mesh.kind for mesh in meshes], dtype=np.uint8),
        origin=np.array([mesh.origin for mesh in meshes]),
        axis=np.array([mesh.axis for mesh in meshes]),
        radius=np.array([mesh.radius for mesh in meshes]),
        second=np.array([mesh.second for mesh in meshes]),
        sweep=np.array([mesh.sweep for mesh in meshes]),
        reversed=np.array([mesh.reversed for mesh in meshes], dtype=np.bool_),
        area=np.array([mesh.area() for mesh in meshes]),
        bounds=np.array(boxes),
        colour=np.array([(*mesh.colour, 255) if mesh.colour else (0, 0, 0, 0) for mesh in meshes], dtype=np.uint8),
    )


def box(mesh: FaceMesh) -> Floats:
    return np.stack([mesh.vertices.min(axis=0), mesh.vertices.max(axis=0)])
