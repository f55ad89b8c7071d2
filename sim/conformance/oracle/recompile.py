"""Records the state after recompilation of an edited spec (mj_recompile).

    recompile.py MODEL OUT

Compiles the model, assigns distinct values to every entry of the state, edits the spec in several ways and writes
the state that MuJoCo transfers to the new model: for each case a line with its name, then a line for each array. The
cases are those of `sim/L0/mjcf/tests/mjcf/recompile.rs`.
"""

import sys

import mujoco

FIELDS = ["qpos", "qvel", "act", "ctrl", "mocap_pos", "mocap_quat"]
HINGE, SLIDE, BALL = (getattr(mujoco.mjtJoint, "mjJNT_" + x) for x in ("HINGE", "SLIDE", "BALL"))


def add_body(parent, name, joint):
    body = parent.add_body(name=name)
    body.add_geom(size=[0.1, 0, 0])
    if joint is not None:
        body.add_joint(name=name, type=joint)
    return body


def add_motor(spec, name, joint):
    return spec.add_actuator(name=name, target=joint, trntype=mujoco.mjtTrn.mjTRN_JOINT)


def new_child(spec):
    add_body(spec.body("hand"), "finger", HINGE)


def new_body_with_actuator(spec):
    add_body(spec.worldbody, "new", BALL)
    add_motor(spec, "new", "shoulder").dyntype = mujoco.mjtDyn.mjDYN_INTEGRATOR


def new_joint(spec):
    spec.body("arm").add_joint(name="second", type=SLIDE)


def new_mocap(spec):
    add_body(spec.worldbody, "third_target", None).mocap = True


def delete_arm(spec):
    spec.delete(spec.body("arm"))


def delete_box(spec):
    spec.delete(spec.body("box"))


def delete_target(spec):
    spec.delete(spec.body("target"))


def delete_actuator(spec):
    spec.delete(spec.actuator("wide"))


def another_reference(spec):
    spec.joint("shoulder").ref = 20
    spec.body("target").pos = [3, 0, 0]


def activation(spec):
    spec.actuator("drive").dyntype = mujoco.mjtDyn.mjDYN_INTEGRATOR


def no_mocap(spec):
    spec.body("target").mocap = False


def several(spec):
    delete_box(spec)
    new_child(spec)
    new_mocap(spec)
    delete_actuator(spec)
    add_motor(spec, "late", "rail")


CASES = {
    "unchanged": lambda spec: None,
    "new_child": new_child,
    "new_body_with_actuator": new_body_with_actuator,
    "new_joint": new_joint,
    "new_mocap": new_mocap,
    "delete_arm": delete_arm,
    "delete_box": delete_box,
    "delete_target": delete_target,
    "delete_actuator": delete_actuator,
    "another_reference": another_reference,
    "activation": activation,
    "no_mocap": no_mocap,
    "several": several,
}


def state_after(path, edit):
    spec = mujoco.MjSpec.from_file(path)
    model = spec.compile()
    data = mujoco.MjData(model)
    for k, name in enumerate(FIELDS):
        flat = getattr(data, name).reshape(-1)
        flat[:] = [k + 1 + 0.01 * (i + 1) for i in range(len(flat))]
    data.time = 0.5
    edit(spec)
    _, data = spec.recompile(model, data)
    return [("time", [data.time])] + [(name, getattr(data, name).reshape(-1)) for name in FIELDS]


def main():
    path, out = sys.argv[1:]
    with open(out, "w") as file:
        for case, edit in CASES.items():
            print(case, file=file)
            for name, values in state_after(path, edit):
                print(" ", name, *(repr(float(x)) for x in values), file=file)


if __name__ == "__main__":
    sys.exit(main())
