"""The faces of a shape of the Open CASCADE kernel: exact surfaces, triangles with normals on them."""

import math
from collections.abc import Callable

import numpy as np
from OCP.BRep import BRep_Tool
from OCP.BRepAdaptor import BRepAdaptor_Surface
from OCP.BRepGProp import BRepGProp
from OCP.GeomAbs import GeomAbs_Cone, GeomAbs_Cylinder, GeomAbs_Plane, GeomAbs_Sphere, GeomAbs_Torus
from OCP.GProp import GProp_GProps
from OCP.StdPrs import StdPrs_ToolTriangulatedShape
from OCP.TopAbs import TopAbs_REVERSED
from OCP.TopLoc import TopLoc_Location
from OCP.TopoDS import TopoDS_Face, TopoDS_Shape

from dqgen.geometry.tessellation import triangle_normals, unit
from dqgen.loaders.brep_frames import matrix, xyz
from dqgen.schemas.design import Colour, FaceTable, Floats, Surface

FaceColour = Callable[[TopoDS_Shape], Colour | None]

_SURFACES = {
    GeomAbs_Plane: Surface.PLANE,
    GeomAbs_Cylinder: Surface.CYLINDER,
    GeomAbs_Cone: Surface.CONE,
    GeomAbs_Sphere: Surface.SPHERE,
    GeomAbs_Torus: Surface.TORUS,
}


class FaceMesh:
    """One face: its surface, and its triangles in the solid's frame."""

    def __init__(self, face: TopoDS_Face, colour: FaceColour | None) -> None:
        self.face = face
        self.colour = colour(face) if colour else None
        self.location = TopLoc_Location()
        self.triangulation = BRep_Tool.Triangulation_s(face, self.location)
        self._read_surface()
        if self.triangulation is None:
            self.vertices = np.zeros((0, 3))
            self.normals = np.zeros((0, 3))
            self.triangles = np.zeros((0, 3), dtype=np.int64)
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
        self.normals = self._normals(frame)

    def area(self) -> float:
        if self.tessellated:
            return float(triangle_normals(self.vertices, self.triangles.astype(np.int32))[1].sum())
        properties = GProp_GProps()
        BRepGProp.SurfaceProperties_s(self.face, properties)
        return float(properties.Mass())

    def _read_surface(self) -> None:
        self.kind = Surface.OTHER
        self.origin, self.axis = np.zeros(3), np.zeros(3)
        self.radius = self.second = self.sweep = 0.0
        flipped = self.face.Orientation() == TopAbs_REVERSED
        self.tessellated = BRep_Tool.Surface_s(self.face) is None
        if not self.tessellated:
            adaptor = BRepAdaptor_Surface(self.face, True)
            self.kind = _SURFACES.get(adaptor.GetType(), Surface.OTHER)
        if self.kind == Surface.OTHER:
            self.reversed = flipped
            return
        surface = {
            Surface.PLANE: adaptor.Plane,
            Surface.CYLINDER: adaptor.Cylinder,
            Surface.CONE: adaptor.Cone,
            Surface.SPHERE: adaptor.Sphere,
            Surface.TORUS: adaptor.Torus,
        }[self.kind]()
        position = surface.Position()
        self.origin, self.axis = xyz(position.Location()), xyz(position.Direction())
        # A left-handed frame turns the surface's parametric normal inward.
        self.reversed = flipped == position.Direct()
        if self.kind == Surface.CONE:
            self.radius, self.second = surface.RefRadius(), math.degrees(surface.SemiAngle())
        elif self.kind == Surface.TORUS:
            self.radius, self.second = surface.MajorRadius(), surface.MinorRadius()
        elif self.kind != Surface.PLANE:
            self.radius = surface.Radius()
        if self.kind != Surface.PLANE:
            self.sweep = math.degrees(adaptor.LastUParameter() - adaptor.FirstUParameter())

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
        if self.kind == Surface.PLANE:
            normals = np.broadcast_to(self.axis, self.vertices.shape)
        else:
            offset = self.vertices - self.origin
            along = offset @ self.axis
            radial = offset - along[:, None] * self.axis
            if self.kind == Surface.SPHERE:
                normals = offset
            elif self.kind == Surface.TORUS:
                normals = offset - self.radius * unit(radial)
            elif self.kind == Surface.CONE:
                tilt = math.radians(self.second)
                # Beyond the apex the radius changes sign, and the outward side with it.
                side = np.sign(self.radius + along * math.tan(tilt))[:, None]
                normals = side * (math.cos(tilt) * unit(radial)) - math.sin(tilt) * self.axis
            else:
                normals = radial
            normals = unit(normals)
        return -normals if self.reversed else normals


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
