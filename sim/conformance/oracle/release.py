"""Differences between the Python interface of the reference release of MuJoCo and that of later releases.

Recordings of other releases have the names and shapes of the reference. Arrays that a release does not have
are missing from its recordings and are not compared.
"""

import functools

import mujoco
import numpy as np

# Release that all goldens are recorded with.
REFERENCE = "3.8.0"
IS_REFERENCE = mujoco.__version__ == REFERENCE

# New names of fields, by the name in the reference.
RENAMED = {"efc_diagApprox": "efc_diagA"}
# Number of columns of arrays in the reference, to which later releases append columns.
COLUMNS = {"eq_data": 11}
# Options whose default has changed, with the new default.
DEFAULTS = {"sleep_tolerance": 1e-3}


def is_new_default(name, value):
    """Whether an option has a default that differs from the reference; it is not recorded."""
    return not IS_REFERENCE and name in DEFAULTS and value == DEFAULTS[name]


def field(struct, name):
    """A field by its name in the reference."""
    return getattr(struct, name if hasattr(struct, name) else RENAMED.get(name, name))


def columns(name, value):
    """An array of the model without the columns that the reference does not have."""
    return value[:, :COLUMNS[name]] if name in COLUMNS else value


def full_m(m, d):
    """The dense inertia matrix."""
    dense = np.zeros((m.nv, m.nv))
    try:
        mujoco.mj_fullM(m, d, dense)
    except TypeError:  # before 3.10
        mujoco.mj_fullM(m, dense, d.qM)
    return dense


def stack(rows):
    """One row per state; None for arrays of later releases whose length depends on the state."""
    if not IS_REFERENCE and len({len(row) for row in rows}) > 1:
        return None
    return np.stack(rows)


def has_differences(m):
    """Whether mjd_transitionFD and mjd_inverseFD support the model; from 3.14 on not with sleeping."""
    return IS_REFERENCE or not m.opt.enableflags & mujoco.mjtEnableBit.mjENBL_SLEEP


def has_implicit(m):
    """Whether the implicit integrators support the model; from 3.13 on not with elastic flexes."""
    return IS_REFERENCE or not m.nflex


@functools.cache
def centred_sign():
    """Sign of D in centred differences of controls: 3.8.0 subtracts in the wrong order."""
    m = mujoco.MjModel.from_xml_string(ONE_MOTOR)
    D = np.zeros((1, 1))
    mujoco.mjd_transitionFD(m, mujoco.MjData(m), 1e-6, True, None, None, None, D)
    return np.sign(D[0, 0])


# The sensor reads the control.
ONE_MOTOR = """
<mujoco>
  <worldbody><body><joint name="j"/><geom size="1"/></body></worldbody>
  <actuator><motor name="a" joint="j"/></actuator>
  <sensor><actuatorfrc actuator="a"/></sensor>
</mujoco>
"""
