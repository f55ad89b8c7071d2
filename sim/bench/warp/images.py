"""Measures the images per second of MuJoCo Warp with the protocol of `cargo xtask bench --gpu MODEL --images N`.

    pip install mujoco mujoco-warp
    images.py MODEL --worlds 1024 [--pixels 64] [--shadows]

Colour and depth of the first camera of every world, or, in a model without cameras, of a camera that shows the whole
model. One step is taken before each rendering, outside the timed section. Poses, bounding volumes and rays are timed;
compile time is excluded. Prints one JSON object.

The script needs an NVIDIA GPU.
"""

import argparse
import json
import math
import time

import mujoco
import mujoco_warp as mjw
import numpy as np
import warp as wp

RENDERED = 50


def load(path):
    """The model, with a camera if it has none."""
    spec = mujoco.MjSpec.from_file(path)
    model = spec.compile()
    if model.ncam:
        return model
    azimuth = math.radians(model.vis.global_.azimuth)
    elevation = math.radians(model.vis.global_.elevation)
    forward = [
        math.cos(elevation) * math.cos(azimuth),
        math.cos(elevation) * math.sin(azimuth),
        math.sin(elevation),
    ]
    distance = 1.5 * model.stat.extent
    camera = spec.worldbody.add_camera()
    camera.pos = [c - distance * f for c, f in zip(model.stat.center, forward)]
    right = [math.sin(azimuth), -math.cos(azimuth), 0.0]
    up = [
        -math.sin(elevation) * math.cos(azimuth),
        -math.sin(elevation) * math.sin(azimuth),
        math.cos(elevation),
    ]
    axes = np.array([right, up, [-x for x in forward]]).T
    quat = np.zeros(4)
    mujoco.mju_mat2Quat(quat, axes.flatten())
    camera.quat = quat
    camera.fovy = model.vis.global_.fovy
    return spec.compile()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model")
    parser.add_argument("--worlds", type=int, required=True)
    parser.add_argument("--pixels", type=int, default=64)
    parser.add_argument("--shadows", action="store_true")
    args = parser.parse_args()

    mjm = load(args.model)
    mjd = mujoco.MjData(mjm)
    if mjm.nkey:
        mujoco.mj_resetDataKeyframe(mjm, mjd, 0)
    mujoco.mj_forward(mjm, mjd)
    m = mjw.put_model(mjm)
    d = mjw.put_data(mjm, mjd, nworld=args.worlds)
    context = mjw.create_render_context(
        mjm,
        nworld=args.worlds,
        cam_res=(args.pixels, args.pixels),
        render_rgb=True,
        render_depth=True,
        use_shadows=args.shadows,
        cam_active=[0],
    )

    def render():
        mjw.kinematics(m, d)
        mjw.camlight(m, d)
        mjw.refit_bvh(m, d, context)
        mjw.render(m, d, context)

    mjw.step(m, d)
    render()
    wp.synchronize()
    with wp.ScopedCapture() as step_graph:
        mjw.step(m, d)
    with wp.ScopedCapture() as render_graph:
        render()
    seconds = 0.0
    for k in range(RENDERED + 10):
        wp.capture_launch(step_graph.graph)
        wp.synchronize()
        start = time.perf_counter()
        wp.capture_launch(render_graph.graph)
        wp.synchronize()
        seconds += (time.perf_counter() - start) if k >= 10 else 0.0
    print(json.dumps({
        "engine": f"MuJoCo Warp {mjw.__version__}",
        "device": wp.get_device().name,
        "model": args.model,
        "worlds": args.worlds,
        "pixels": args.pixels,
        "shadows": args.shadows,
        "images_per_s": args.worlds * RENDERED / seconds,
    }))


if __name__ == "__main__":
    main()
