"""Small deflections of an elastic part: quadratic tetrahedra by scikit-fem, a direct solver, stresses at the nodes."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import skfem
from numpy.typing import NDArray
from scipy.sparse.linalg import splu
from skfem.helpers import ddot, div, dot, sym_grad
from skfem.models.elasticity import lame_parameters

from dqgen.errors import UsageError
from dqgen.schemas.design import Floats
from dqgen.simulation.meshing import Rows

Span = tuple[float, float]
TOUCH = 1e-6
"""Parts of the box by which a region is widened, so that faces on its border belong to it."""


@dataclass(frozen=True)
class Region:
    """Part of the surface: within these shares of the part's box, from 0 to 1."""

    across: Span = (0.0, 1.0)
    up: Span = (0.0, 1.0)
    along: Span = (0.0, 1.0)

    def box(self, part: Floats) -> Floats:
        """(2, 3) its ends in mm, a little widened, in a part with that box (2, 3)."""
        shares = np.array([self.across, self.up, self.along]).T + np.array([[-TOUCH], [TOUCH]])
        made: Floats = part[0] + shares * (part[1] - part[0])
        return made

    def holds(self, points: Floats, part: Floats) -> NDArray[np.bool_]:
        """Whether points (n, 3) lie in it, for a part with that box (2, 3)."""
        least, most = self.box(part)
        held: NDArray[np.bool_] = ((points >= least) & (points <= most)).all(axis=1)
        return held


@dataclass(frozen=True)
class Load:
    """A force (3,) N spread evenly over a region, or a torque in N mm about the line along the part's middle."""

    region: Region
    force: tuple[float, float, float] = (0.0, 0.0, 0.0)
    torque: float = 0.0


@dataclass(frozen=True)
class Support:
    """A region on a bed of springs.

    Attributes:
        region: where.
        stiffness: N/mm³ of the bed across, up and along; a rigid hold would make stresses without bound at its border.
    """

    region: Region
    stiffness: tuple[float, float, float]


@dataclass(frozen=True)
class Case:
    """What is done to a part: modulus in MPa, Poisson's ratio, loads and supports."""

    modulus: float
    poisson: float
    loads: tuple[Load, ...]
    supports: tuple[Support, ...]


@dataclass(frozen=True)
class Solution:
    """What a part does under its loads, at the mesh's corners.

    Attributes:
        points: (n, 3) mm as (across, up, along).
        facets: (f, 3) triangles of the surface, counter-clockwise from outside.
        displacement: (n, 3) mm.
        mises: (n,) MPa, equivalent stress of von Mises.
        shear: (n,) MPa, largest shear stress.
        reaction: (3,) N that the supports exert.
        applied: (3,) N of the loads as assembled.
        work: N mm of the loads, half of force times displacement.
        energy: N mm of strain energy, springs included.
    """

    points: Floats
    facets: Rows
    displacement: Floats
    mises: Floats
    shear: Floats
    reaction: Floats
    applied: Floats
    work: float
    energy: float


def solve(points: Floats, tetrahedra: Rows, case: Case) -> Solution:
    """Displacements and stresses.

    Args:
        points: (n, 3) mm.
        tetrahedra: (m, 4) of positive volume.
        case: what is done.

    Raises:
        UsageError: a load or support touches nothing, or the part is not held.
    """
    box = np.array([points.min(axis=0), points.max(axis=0)])
    grid = skfem.MeshTet(points.T.copy(), tetrahedra.T.copy())
    element = skfem.ElementVector(skfem.ElementTetP2())
    basis = skfem.Basis(grid, element, intorder=2)  # strains are linear: their products need no more
    lam, mu = lame_parameters(case.modulus, case.poisson)

    def hooke(u: Any, v: Any, _: Any) -> Any:
        return lam * div(u) * div(v) + 2 * mu * ddot(sym_grad(u), sym_grad(v))

    body = skfem.BilinearForm(hooke).assemble(basis).tocsc()
    springs = body * 0.0
    for support in case.supports:
        stiffness = np.array(support.stiffness)[:, None, None]
        within = _within(support.region, box)
        bed = skfem.BilinearForm(lambda u, v, w, k=stiffness, within=within: within(w.x) * dot(k * u, v))
        springs = springs + bed.assemble(_side(grid, element, support.region, box))
    forces = np.zeros(basis.N)
    for load in case.loads:
        forces += _assembled(load, _side(grid, element, load.region, box), box)
    try:
        solver = splu((body + springs).tocsc(), permc_spec="MMD_AT_PLUS_A", options={"SymmetricMode": True})
        moved = solver.solve(forces)
    except RuntimeError as error:
        raise UsageError(f"the part is not held by its supports ({error})") from None
    if not np.isfinite(moved).all():
        raise UsageError("the part is not held by its supports")
    mises, shear = _stresses(basis, moved, case)
    displacement = moved[basis.nodal_dofs].T
    pushed = -(springs @ moved)
    return Solution(
        points, _surface(tetrahedra, points), displacement, mises, shear,
        _totals(basis, pushed), _totals(basis, forces),
        float(forces @ moved) / 2, float(moved @ ((body + springs) @ moved)) / 2,
    )  # fmt: skip


def _side(grid: skfem.MeshTet, element: skfem.Element, region: Region, box: Floats) -> skfem.FacetBasis:
    """The facets of the surface that reach into a region."""
    border = grid.boundary_facets()
    corners = grid.p[:, grid.facets[:, border]]  # (3, corners, facets)
    least, most = region.box(box)
    meets = (corners.min(axis=1) <= most[:, None]) & (corners.max(axis=1) >= least[:, None])
    found = border[meets.all(axis=0)]
    if not len(found):
        raise UsageError(f"no part of the surface lies in {region}", mend="widen the region")
    return skfem.FacetBasis(grid, element, facets=found, intorder=4)


def _within(region: Region, box: Floats) -> Callable[[Any], Any]:
    """1 at points of integration in a region, else 0: the region's border need not follow the mesh's."""
    least, most = (end[:, None, None] for end in region.box(box))
    return lambda x: ((x >= least) & (x <= most)).all(axis=0).astype(np.float64)


def _assembled(load: Load, side: skfem.FacetBasis, box: Floats) -> Floats:
    centre, within = box.mean(axis=0), _within(load.region, box)

    def twist(x: Any) -> Any:
        """Traction that grows with the distance from the axis."""
        return np.stack([-(x[1] - centre[1]), x[0] - centre[0], 0 * x[0]])

    area = float(skfem.Functional(lambda w: within(w.x)).assemble(side))
    polar = float(skfem.Functional(lambda w: within(w.x) * dot(twist(w.x), twist(w.x))).assemble(side))
    if area <= 0:
        raise UsageError(f"no part of the surface lies in {load.region}", mend="widen the region")
    even = np.array(load.force)[:, None, None] / area
    form = skfem.LinearForm(lambda v, w: within(w.x) * dot(even + load.torque / polar * twist(w.x), v))
    made: Floats = form.assemble(side)
    return made


def _stresses(basis: skfem.Basis, moved: Floats, case: Case) -> tuple[Floats, Floats]:
    """Von Mises' and the largest shear stress at the corners (n,), each the mean of the elements around."""
    lam, mu = lame_parameters(case.modulus, case.poisson)
    # The corners of an element as points to evaluate at: strains of quadratic elements are linear in each.
    corners = np.array([[0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]], dtype=np.float64)
    local = skfem.Basis(basis.mesh, basis.elem, quadrature=(corners, np.full(4, 1 / 24)))
    gradient = local.interpolate(moved).grad  # (3, 3, elements, 4)
    strain = (gradient + gradient.transpose(1, 0, 2, 3)) / 2
    trace = strain[0, 0] + strain[1, 1] + strain[2, 2]
    stress = 2 * mu * strain + lam * trace * np.eye(3)[:, :, None, None]
    count = basis.mesh.p.shape[1]
    nodes = basis.mesh.t.T.ravel()  # element by element, corner by corner
    many = np.bincount(nodes, minlength=count)
    at_nodes = np.empty((count, 3, 3))
    for i in range(3):
        for j in range(3):
            at_nodes[:, i, j] = np.bincount(nodes, weights=stress[i, j].ravel(), minlength=count) / many
    principal = np.linalg.eigvalsh(at_nodes)
    low, middle, high = principal.T
    mises = np.sqrt(((high - middle) ** 2 + (middle - low) ** 2 + (high - low) ** 2) / 2)
    return mises, (high - low) / 2


def _surface(tetrahedra: Rows, points: Floats) -> Rows:
    """Triangles that belong to one tetrahedron, seen counter-clockwise from outside."""
    sides = np.concatenate([tetrahedra[:, list(three)] for three in ((1, 2, 3), (0, 3, 2), (0, 1, 3), (0, 2, 1))])
    _, first, count = np.unique(np.sort(sides, axis=1), axis=0, return_index=True, return_counts=True)
    outer: Rows = sides[np.sort(first[count == 1])]
    return outer


def _totals(basis: skfem.Basis, forces: Floats) -> Floats:
    """Sum of nodal forces by direction, (3,)."""
    sums = np.zeros(3)
    for dofs in (basis.nodal_dofs, basis.edge_dofs):
        sums += forces[dofs].sum(axis=1)
    return sums
