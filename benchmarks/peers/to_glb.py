"""A STEP file as the triangles that dqgen draws, for peers that read no STEP: MODEL OUTPUT.glb.

Prints the number of triangles over all instances, and of leaves. Runs in dqgen's own environment.
"""

import sys
from pathlib import Path

import trimesh

from dqgen.geometry.transforms import placed
from dqgen.loaders.load import LoadOptions, load

design = load(Path(sys.argv[1]), LoadOptions())
scene = trimesh.Scene()
names = {}
leaves = placed(design)
for row, leaf in enumerate(leaves):
    solid = leaf.solid
    if id(solid) not in names:
        names[id(solid)] = f"solid-{row}"
        mesh = trimesh.Trimesh(solid.vertices, solid.triangles, vertex_normals=solid.normals, process=False)
        scene.add_geometry(mesh, geom_name=names[id(solid)], node_name=f"leaf-{row}", transform=leaf.world)
    else:
        scene.graph.update(f"leaf-{row}", matrix=leaf.world, geometry=names[id(solid)])
scene.export(sys.argv[2])
print(sum(len(leaf.solid.triangles) for leaf in leaves), len(leaves))
