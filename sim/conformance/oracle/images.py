"""Records images of MuJoCo's renderer: images.py MODEL OUT [--width W] [--height H]

Views: the default free camera, two other angles of it, and the first cameras of the model. For view K, OUT has
`K/camera` (type, camera id, azimuth, elevation), `K/rgb`, `K/depth` (m) and `K/segmentation` (id, type).
Rendering runs on the CPU with OSMesa (package libosmesa6) unless MUJOCO_GL names another backend.
"""

import argparse
import os
import time

os.environ.setdefault("MUJOCO_GL", "osmesa")

import mujoco  # noqa: E402  the backend is chosen before

import pack  # noqa: E402

MODEL_CAMERAS = 3


def views(m):
    free = mujoco.MjvCamera()
    mujoco.mjv_defaultFreeCamera(m, free)
    yield 0, -1, free.azimuth, free.elevation
    yield 0, -1, free.azimuth + 120, -20
    yield 0, -1, free.azimuth + 240, -60
    for i in range(min(m.ncam, MODEL_CAMERAS)):
        yield 2, i, 0, 0


def camera(m, kind, fixed, azimuth, elevation):
    found = mujoco.MjvCamera()
    if kind == 0:
        mujoco.mjv_defaultFreeCamera(m, found)
        found.azimuth, found.elevation = azimuth, elevation
    else:
        found.type, found.fixedcamid = mujoco.mjtCamera.mjCAMERA_FIXED, fixed
    return found


def record(path, width, height):
    m = mujoco.MjModel.from_xml_path(path)
    # a size that the model's framebuffer allows
    m.vis.global_.offwidth = max(m.vis.global_.offwidth, width)
    m.vis.global_.offheight = max(m.vis.global_.offheight, height)
    d = mujoco.MjData(m)
    mujoco.mj_forward(m, d)
    start = time.perf_counter()
    renderer = mujoco.Renderer(m, height, width)
    found = {}
    for k, view in enumerate(views(m)):
        renderer.update_scene(d, camera(m, *view))
        found[f"{k}/camera"] = view
        found[f"{k}/rgb"] = renderer.render().reshape(-1)
        if k == 0:
            found["first_seconds"] = [time.perf_counter() - start]
            start = time.perf_counter()
            renderer.render()
            found["seconds"] = [time.perf_counter() - start]
        renderer.enable_depth_rendering()
        found[f"{k}/depth"] = renderer.render().reshape(-1)
        renderer.disable_depth_rendering()
        renderer.enable_segmentation_rendering()
        found[f"{k}/segmentation"] = renderer.render().reshape(-1)
        renderer.disable_segmentation_rendering()
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model")
    parser.add_argument("out")
    parser.add_argument("--width", type=int, default=320)
    parser.add_argument("--height", type=int, default=240)
    args = parser.parse_args()
    try:
        found, loads = record(args.model, args.width, args.height), True
    except Exception as error:  # the oracle cannot load or render the model
        print(error)
        found, loads = {}, False
    pack.write(args.out, found, {"oracle_version": mujoco.__version__, "loads": loads})


if __name__ == "__main__":
    main()
