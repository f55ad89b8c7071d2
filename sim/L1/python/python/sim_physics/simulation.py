"""``Simulation``: a model with its state, accessed by name."""

from __future__ import annotations

import os
from typing import Sequence

import numpy as np
import numpy.typing as npt

from . import _core
from ._core import MjData, MjModel
from ._enums import mjtObj, mjtState
from ._errors import UnknownNameError

_Vector = npt.NDArray[np.float64]


class Simulation:
    """A model and its state::

        sim = Simulation.load("robot.xml")
        sim.reset("home")
        while sim.time < 10.0:
            sim.set_ctrl("elbow", np.sin(3.0 * sim.time))
            sim.step()
        print(sim.site_pos("hand"))

    ``model`` and ``data`` have all arrays under MuJoCo's names.
    """

    def __init__(self, model: MjModel) -> None:
        self.model: MjModel = model
        self.data: MjData = MjData(model)

    @staticmethod
    def load(path: str | os.PathLike[str]) -> Simulation:
        """Loads an MJCF or URDF file.

        Raises:
            XMLError: the file has errors; all are listed with line and column.
        """
        return Simulation(MjModel.from_xml_path(os.fspath(path)))

    @staticmethod
    def from_xml(text: str, assets: dict[str, bytes] | None = None) -> Simulation:
        """Loads MJCF or URDF from a string; ``assets`` maps file names to their contents."""
        return Simulation(MjModel.from_xml_string(text, assets))

    @property
    def time(self) -> float:
        """Simulated time, s."""
        return self.data.time

    @property
    def timestep(self) -> float:
        """Time step, s."""
        return float(self.model.opt.timestep)

    @timestep.setter
    def timestep(self, seconds: float) -> None:
        self.model.opt.timestep = seconds

    def step(self, nstep: int = 1) -> None:
        """Advances by time steps.

        Raises:
            DivergedError: the state is not finite and automatic reset is disabled.
        """
        _core.mj_step(self.model, self.data, nstep)

    def forward(self) -> None:
        """Computes all quantities at the current state without advancing time."""
        _core.mj_forward(self.model, self.data)

    def reset(self, keyframe: str | int | None = None) -> None:
        """Resets the state to the reference configuration or to a keyframe."""
        if keyframe is None:
            _core.mj_resetData(self.model, self.data)
        else:
            _core.mj_resetDataKeyframe(self.model, self.data, self.model.key(keyframe).id)

    def save(self) -> _Vector:
        """The state: every input of the next step."""
        state = np.zeros(_core.mj_stateSize(self.model, mjtState.mjSTATE_INTEGRATION))
        _core.mj_getState(self.model, self.data, state, mjtState.mjSTATE_INTEGRATION)
        return state

    def restore(self, state: npt.ArrayLike) -> None:
        """Restores a saved state; the next steps are bit-identical to those after the save."""
        _core.mj_setState(self.model, self.data, state, mjtState.mjSTATE_INTEGRATION)

    def joint_pos(self, joint: str | int) -> _Vector:
        """Position of a joint, a view: 1 value (hinge, slide), 4 (ball) or 7 (free)."""
        return self.data.joint(joint).qpos

    def set_joint_pos(self, joint: str | int, value: npt.ArrayLike) -> None:
        """Sets the position of a joint."""
        self.data.joint(joint).qpos = value

    def joint_vel(self, joint: str | int) -> _Vector:
        """Velocity of a joint, a view: 1 value (hinge, slide), 3 (ball) or 6 (free)."""
        return self.data.joint(joint).qvel

    def set_joint_vel(self, joint: str | int, value: npt.ArrayLike) -> None:
        """Sets the velocity of a joint."""
        self.data.joint(joint).qvel = value

    def ctrl(self, actuator: str | int) -> float:
        """The control of an actuator."""
        return float(self.data.actuator(actuator).ctrl[0])

    def set_ctrl(self, actuator: str | int, value: float) -> None:
        """Sets the control of an actuator."""
        self.data.actuator(actuator).ctrl = value

    def body_pos(self, body: str | int) -> _Vector:
        """World position of a body's origin as of the last step, a view."""
        return self.data.body(body).xpos

    def body_quat(self, body: str | int) -> _Vector:
        """World orientation of a body (w, x, y, z) as of the last step, a view."""
        return self.data.body(body).xquat

    def site_pos(self, site: str | int) -> _Vector:
        """World position of a site as of the last step, a view."""
        return self.data.site(site).xpos

    def geom_pos(self, geom: str | int) -> _Vector:
        """World position of a geom as of the last step, a view."""
        return self.data.geom(geom).xpos

    def sensor(self, sensor: str | int) -> _Vector:
        """Reading of a sensor as of the last step, a view."""
        return self.data.sensor(sensor).data

    def tendon_length(self, tendon: str | int) -> float:
        """Length of a tendon as of the last step."""
        return float(self.data.tendon(tendon).length[0])

    def set_force(self, body: str | int, force: npt.ArrayLike, torque: npt.ArrayLike = (0.0, 0.0, 0.0)) -> None:
        """Sets the external force and torque on a body at its centre of mass, in world axes."""
        self.data.body(body).xfrc_applied = np.concatenate([np.asarray(force), np.asarray(torque)])

    @property
    def energy(self) -> tuple[float, float]:
        """Potential and kinetic energy of the current state, J. Runs the position and velocity stages."""
        for stage in (_core.mj_fwdPosition, _core.mj_fwdVelocity, _core.mj_energyPos, _core.mj_energyVel):
            stage(self.model, self.data)
        return float(self.data.energy[0]), float(self.data.energy[1])

    def names(self, kind: str) -> Sequence[str]:
        """Names of all elements of a kind: ``body``, ``joint``, ``actuator`` and so on."""
        try:
            number = mjtObj[f"mjOBJ_{kind.upper()}"]
        except KeyError:
            kinds = [member.name.removeprefix("mjOBJ_").lower() for member in mjtObj]
            raise UnknownNameError(f"'{kind}' is not a kind of element; use one of {kinds}") from None
        names: list[str] = []
        while (name := _core.mj_id2name(self.model, number, len(names))) is not None:
            names.append(name)
        return names

    def render(self, camera: str | int = -1, width: int = 320, height: int = 240) -> npt.NDArray[np.uint8]:
        """An image (height, width, 3) of the state; for many images use ``Renderer``."""
        from .renderer import Renderer

        with Renderer(self.model, height, width) as renderer:
            self.forward()
            renderer.update_scene(self.data, camera)
            return renderer.render()


__all__ = ["Simulation"]
