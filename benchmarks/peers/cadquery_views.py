"""Six views by plain CadQuery, its importer and its own screenshot: MODEL FOLDER SIZE.

The tolerance is coarser than the default of its `show`, which would take several times longer.
"""

import sys

import cadquery
from cadquery.vis import show

# How its camera, which starts above the model, is turned: roll, then elevation. Straight up or down is refused.
TURNS = {
    "top": (0, 0),
    "front": (0, -89.9),
    "iso": (-35, -45),
    "bottom": (0, -179.9),
    "back": (180, -89.9),
    "left": (90, -89.9),
}

model, folder, size = sys.argv[1], sys.argv[2], int(sys.argv[3])
shape = cadquery.importers.importStep(model)
for name, (roll, elevation) in TURNS.items():
    show(
        shape,
        tolerance=0.1,
        screenshot=f"{folder}/{name}.png",
        interact=False,
        roll=roll,
        elevation=elevation,
        width=size,
        height=size,
        orthographic=True,
        trihedron=False,
    )
