"""The six views of a multiview sheet as cameras, for the peers: direction towards the viewer, and up."""

VIEWS = {
    "top": ((0, 0, 1), (0, 1, 0)),
    "front": ((0, -1, 0), (0, 0, 1)),
    "iso": ((3**-0.5, -(3**-0.5), 3**-0.5), (0, 0, 1)),
    "bottom": ((0, 0, -1), (0, -1, 0)),
    "back": ((0, 1, 0), (0, 0, 1)),
    "left": ((-1, 0, 0), (0, 0, 1)),
}
