"""Records convex hulls and mesh polygons of MuJoCo, for a folder of models with one mesh each.

    hulls.py FOLDER OUT

For each FOLDER/NAME.xml, OUT has the arrays `NAME/mesh_…` below and the time to load the model in
`NAME/seconds`; a model that is rejected has `NAME/qhull_error` or `NAME/other_error` instead.
"""

import argparse
import pathlib
import time

import mujoco

import pack

ARRAYS = ["graph", "polynormal", "polyvertadr", "polyvertnum", "polyvert", "polymapadr",
          "polymapnum", "polymap", "quat"]


def record(path):
    start = time.perf_counter()
    try:
        m = mujoco.MjModel.from_xml_path(str(path))
    except Exception as error:  # errors of the compiler are ValueError, internal ones FatalError
        hull = any(text in str(error) for text in ("qhull", "convex hull"))
        return {"qhull_error" if hull else "other_error": [1]}
    seconds = time.perf_counter() - start
    arrays = {"mesh_" + name: getattr(m, "mesh_" + name).reshape(-1) for name in ARRAYS}
    return {**arrays, "seconds": [seconds]}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("out")
    args = parser.parse_args()
    found = {}
    for path in sorted(args.folder.glob("*.xml")):
        for name, value in record(path).items():
            found[f"{path.stem}/{name}"] = value
    pack.write(args.out, found, {"oracle_version": mujoco.__version__})


if __name__ == "__main__":
    main()
