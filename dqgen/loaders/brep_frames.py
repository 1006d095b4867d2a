"""The kernel's points and placements as numpy arrays, and back."""

from typing import Any

import numpy as np
from OCP.gp import gp_Trsf
from OCP.TopLoc import TopLoc_Location

from dqgen.schemas.design import Floats


def matrix(location: TopLoc_Location) -> Floats:
    """A location as a (4, 4) matrix."""
    transform = location.Transformation()
    result = np.eye(4)
    for row in range(3):
        for column in range(4):
            result[row, column] = transform.Value(row + 1, column + 1)
    return result


def location(world: Floats) -> TopLoc_Location:
    """A (4, 4) matrix as a location."""
    transform = gp_Trsf()
    transform.SetValues(*(float(value) for value in world[:3].ravel()))
    return TopLoc_Location(transform)


def xyz(triple: Any) -> Floats:
    """A point or direction of the kernel (3,)."""
    return np.array([triple.X(), triple.Y(), triple.Z()])
