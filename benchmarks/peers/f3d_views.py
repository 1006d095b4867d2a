"""Six views by f3d's own library: MODEL FOLDER SIZE. Defaults throughout, so without anti-aliasing."""

import sys

import f3d
from cameras import VIEWS

model, folder, size = sys.argv[1], sys.argv[2], int(sys.argv[3])
f3d.Log.set_verbose_level(f3d.Log.ERROR)
f3d.Engine.autoload_plugins()
engine = f3d.Engine.create_egl()
engine.options["ui.loader_progress"] = False
engine.options["scene.up_direction"] = "+Z"
engine.options["scene.camera.orthographic"] = True
engine.window.size = size, size
engine.scene.add(model)
camera = engine.window.camera
for name, (toward, up) in VIEWS.items():
    camera.state = f3d.CameraState(toward, (0.0, 0.0, 0.0), up)
    camera.reset_to_bounds()
    engine.window.render_to_image().save(f"{folder}/{name}.png")
