"""Six views by pyrender under EGL: MODEL.glb FOLDER SIZE. It reads no STEP, so it starts from triangles."""

import os
import sys

os.environ["PYOPENGL_PLATFORM"] = "egl"
import numpy as np
import pyrender
import trimesh
from cameras import VIEWS
from PIL import Image

model, folder, size = sys.argv[1], sys.argv[2], int(sys.argv[3])
source = trimesh.load(model, process=False)
scene = pyrender.Scene.from_trimesh_scene(source, bg_color=(1.0, 1.0, 1.0), ambient_light=(0.4, 0.4, 0.4))
middle, reach = source.bounds.mean(axis=0), float(np.linalg.norm(np.ptp(source.bounds, axis=0))) / 2
camera = scene.add(pyrender.OrthographicCamera(reach, reach, znear=0.1, zfar=5 * reach))
light = scene.add(pyrender.DirectionalLight(intensity=3.0))
renderer = pyrender.OffscreenRenderer(size, size)
for name, (toward, up) in VIEWS.items():
    back = np.array(toward, dtype=float)
    right = np.cross(np.array(up, dtype=float), back)
    right /= np.linalg.norm(right)
    pose = np.eye(4)
    pose[:3, :3] = np.stack([right, np.cross(back, right), back], axis=1)
    pose[:3, 3] = middle + 2 * reach * back
    scene.set_pose(camera, pose)
    scene.set_pose(light, pose)
    Image.fromarray(renderer.render(scene)[0]).save(f"{folder}/{name}.png")
renderer.delete()
