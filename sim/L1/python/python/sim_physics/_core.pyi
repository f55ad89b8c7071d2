"""Types of the extension module; written by tools/stubs.py."""

import os
from typing import Any, ClassVar, Self, Sequence, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

_version: str
__all__ = ['BatchRenderer', 'BatchSim', 'Chain', 'DeviceArray', 'GpuBatch', 'Loader', 'MjContact', 'MjContactList', 'MjData', 'MjModel', 'MjOption', 'MjStatistic', 'MjTimerStat', 'MjVisual', 'MjVisualGlobal', 'MjVisualHeadlight', 'MjVisualMap', 'MjVisualQuality', 'MjVisualRgba', 'MjVisualScale', 'MjWarningStat', 'MjWarningStatList', 'NamedView', 'RendererHandle', 'SceneHandle', 'Solution', 'Solver', 'SpecBase', 'VecEnv', '_fields', '_gpu_adapters', '_panic', '_rollout', '_scalars', '_spec_actuator', '_spec_compile', '_spec_defaults', '_spec_orientation', '_spec_parse', '_spec_recompile', '_spec_settings', '_spec_xml', '_task_arrays', '_version', 'free_camera', 'get_mjcb_act_dyn', 'get_mjcb_control', 'get_mjcb_passive', 'get_mjcb_sensor', 'get_mjcb_time', 'mj_Euler', 'mj_RungeKutta', 'mj_addContact', 'mj_angmomMat', 'mj_applyFT', 'mj_camlight', 'mj_checkAcc', 'mj_checkPos', 'mj_checkVel', 'mj_collision', 'mj_comPos', 'mj_comVel', 'mj_compareFwdInv', 'mj_constraintUpdate', 'mj_contactForce', 'mj_copyData', 'mj_copyState', 'mj_crb', 'mj_differentiatePos', 'mj_energyPos', 'mj_energyVel', 'mj_extractState', 'mj_factorM', 'mj_forward', 'mj_forwardSkip', 'mj_fullM', 'mj_fwdAcceleration', 'mj_fwdActuation', 'mj_fwdConstraint', 'mj_fwdKinematics', 'mj_fwdPosition', 'mj_fwdVelocity', 'mj_geomDistance', 'mj_getState', 'mj_getTotalmass', 'mj_id2name', 'mj_implicit', 'mj_initCtrlHistory', 'mj_initSensorHistory', 'mj_integratePos', 'mj_invConstraint', 'mj_invPosition', 'mj_invVelocity', 'mj_inverse', 'mj_inverseSkip', 'mj_isDual', 'mj_isPyramidal', 'mj_isSparse', 'mj_island', 'mj_jac', 'mj_jacBody', 'mj_jacBodyCom', 'mj_jacDot', 'mj_jacGeom', 'mj_jacPointAxis', 'mj_jacSite', 'mj_jacSubtreeCom', 'mj_kinematics', 'mj_makeConstraint', 'mj_makeM', 'mj_mulJacTVec', 'mj_mulJacVec', 'mj_mulM', 'mj_mulM2', 'mj_multiRay', 'mj_name2id', 'mj_normalizeQuat', 'mj_objectAcceleration', 'mj_objectVelocity', 'mj_passive', 'mj_printData', 'mj_printModel', 'mj_printSchema', 'mj_projectConstraint', 'mj_ray', 'mj_rayHfield', 'mj_rayMesh', 'mj_readCtrl', 'mj_readSensor', 'mj_referenceConstraint', 'mj_resetCallbacks', 'mj_resetData', 'mj_resetDataDebug', 'mj_resetDataKeyframe', 'mj_rne', 'mj_rnePostConstraint', 'mj_saveModel', 'mj_sensorAcc', 'mj_sensorPos', 'mj_sensorVel', 'mj_setConst', 'mj_setKeyframe', 'mj_setState', 'mj_setTotalmass', 'mj_sizeModel', 'mj_solveM', 'mj_solveM2', 'mj_stateSize', 'mj_step', 'mj_step1', 'mj_step2', 'mj_subtreeVel', 'mj_tendon', 'mj_transmission', 'mjd_inverseFD', 'mjd_quatIntegrate', 'mjd_subQuat', 'mjd_transitionFD', 'mju_Halton', 'mju_add3', 'mju_addScl3', 'mju_axisAngle2Quat', 'mju_cholFactor', 'mju_cholSolve', 'mju_cholUpdate', 'mju_copy3', 'mju_copy4', 'mju_cross', 'mju_derivQuat', 'mju_eig3', 'mju_euler2Quat', 'mju_isBad', 'mju_mat2Quat', 'mju_mat2Rot', 'mju_mulMatTVec3', 'mju_mulMatVec3', 'mju_mulPose', 'mju_mulQuat', 'mju_mulQuatAxis', 'mju_negPose', 'mju_negQuat', 'mju_normalize3', 'mju_normalize4', 'mju_quat2Mat', 'mju_quat2Vel', 'mju_quatIntegrate', 'mju_quatZ2Vec', 'mju_rayGeom', 'mju_rotVecQuat', 'mju_scl3', 'mju_sigmoid', 'mju_springDamper', 'mju_sub3', 'mju_subQuat', 'mju_transformSpatial', 'mju_trnVecPose', 'set_mjcb_act_dyn', 'set_mjcb_control', 'set_mjcb_passive', 'set_mjcb_sensor', 'set_mjcb_time']

@final
class BatchRenderer:
    """Images of cameras of all environments of a `GpuBatch`, made by `GpuBatch.renderer`."""
    def array(self, name: str) -> Any: ...
    def depth(self) -> NDArray[np.float32]: ...
    @property
    def outputs(self) -> list[str]:
        """What is rendered: a subset of `rgb`, `depth` and `segmentation`."""
    def render(self, *, wait: Any = ...) -> None: ...
    def render_timed(self) -> float | None: ...
    def rgb(self) -> NDArray[np.uint8]: ...
    def segmentation(self) -> NDArray[np.int32]: ...
    @property
    def shape(self) -> tuple[int, int, int, int]:
        """Number of environments, number of cameras, height and width."""
    @property
    def zero_copy(self) -> bool:
        """Whether the images share their memory with CUDA."""

@final
class BatchSim:
    """A batch of independent environments of one model, stepped in parallel."""
    def __new__(cls, model: MjModel, num_envs: int, *, threads: Any = ..., time_limit: Any = ..., auto_reset: Any = ..., lanes: Any = ...) -> Self: ...
    def __len__(self) -> int: ...
    def get(self, name: str) -> NDArray[np.float64]: ...
    @property
    def nu(self) -> int:
        """Number of controls per environment."""
    @property
    def num_envs(self) -> int:
        """Number of environments."""
    def reset(self, mask: Any = ...) -> None: ...
    def set(self, name: str, values: Any) -> None: ...
    def step(self, ctrl: Any = ..., nstep: int = ...) -> dict[str, Any]: ...
    @property
    def steps_in_lanes(self) -> bool:
        """Whether environments are stepped in SIMD lanes: requested, and supported for the model."""
    def vary(self, environment: int, **arrays: Any) -> None: ...

@final
class Chain:
    """The joints between two bodies or sites of a model."""
    def __new__(cls, model: MjModel, tip: str, base: str | None = ...) -> Self: ...
    @property
    def dofs(self) -> list[int]:
        """Indices of the dofs of the model, one per column of the Jacobian."""
    def forward(self, qpos: Any) -> tuple[NDArray[np.float64], NDArray[np.float64]]: ...
    def jacobian(self, qpos: Any) -> NDArray[np.float64]: ...
    @property
    def joints(self) -> list[int]:
        """Indices of the joints of the model, from base to tip."""
    def singular_values(self, qpos: Any) -> NDArray[np.float64]: ...

@final
class DeviceArray:
    """An array in the memory of a GPU that other libraries use without a copy: `torch.from_dlpack(array)`."""
    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        """The interface of Numba and CuPy."""
    def __dlpack__(self, *, stream: Any = ..., max_version: Any = ..., dl_device: Any = ..., copy: Any = ...) -> Any: ...
    def __dlpack_device__(self) -> tuple[int, int]: ...
    @property
    def dtype(self) -> str:
        """Name of the element type."""
    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""

@final
class GpuBatch:
    """A batch of environments of one model on a GPU."""
    def __new__(cls, model: MjModel, num_envs: int, *, adapter: Any = ..., contacts: Any = ..., rows: Any = ..., task: Any = ..., max_episode_steps: Any = ..., seed: Any = ..., applied: Any = ..., one_lane: Any = ..., portable: Any = ..., two_passes: Any = ..., zero_copy: Any = ...) -> Self: ...
    @property
    def act(self) -> Any:
        """Activations, of shape (num_envs, na): see `array`."""
    @property
    def adapter(self) -> str:
        """Name of the adapter."""
    def array(self, name: str) -> Any: ...
    @property
    def capacity(self) -> tuple[int, int]:
        """Capacity of an environment: contacts and constraint rows."""
    def clear_info(self, mask: Any) -> None: ...
    @property
    def columns(self) -> list[tuple[str, str, int, int]]:
        """The arrays as columns of four buffers with a row per environment: name, buffer, first column and number of"""
    @property
    def ctrl(self) -> Any:
        """Controls, of shape (num_envs, nu): see `array`."""
    @property
    def cuda_device(self) -> int | None:
        """Index of the CUDA device of the arrays; None if they do not share their memory with CUDA."""
    def fetch(self, state: Any, output: Any, info: Any) -> bool: ...
    def info(self) -> dict[str, NDArray[Any]]: ...
    @property
    def nu(self) -> int:
        """Number of controls per environment."""
    @property
    def num_envs(self) -> int:
        """Number of environments."""
    @property
    def qpos(self) -> Any:
        """Positions, of shape (num_envs, nq): see `array`."""
    @property
    def qvel(self) -> Any:
        """Velocities, of shape (num_envs, nv): see `array`."""
    def randomize(self, **arrays: Any) -> None: ...
    def renderer(self, width: Any = ..., height: Any = ..., cameras: Any = ..., *, rgb: Any = ..., depth: Any = ..., segmentation: Any = ..., shadows: Any = ..., reflections: Any = ..., antialiasing: Any = ...) -> None: ...
    def request(self) -> bool: ...
    def reset(self, mask: Any = ...) -> None: ...
    @property
    def reward(self) -> Any:
        """Rewards of a task, of shape (num_envs, 1): see `array`."""
    def rewards(self) -> NDArray[np.float64]: ...
    def row_len(self, name: str) -> int: ...
    @property
    def sensordata(self) -> Any:
        """Sensor data, of shape (num_envs, nsensordata): see `array`."""
    def set_ctrl(self, ctrl: Any) -> None: ...
    def set_initial_states(self, states: Any) -> None: ...
    def set_state(self, state: Any) -> None: ...
    def state(self) -> NDArray[np.float64]: ...
    def step(self, nstep: int = ..., *, wait: Any = ...) -> None: ...
    def step_timed(self, nstep: int = ...) -> float | None: ...
    @property
    def time(self) -> Any:
        """Times, of shape (num_envs, 1): see `array`."""
    def wait(self) -> None: ...
    def write(self, name: str, values: Any) -> None: ...
    @property
    def zero_copy(self) -> bool:
        """Whether the arrays share their memory with CUDA."""
    @property
    def zero_copy_reason(self) -> str | None:
        """Why the arrays do not share their memory with CUDA; None if they do."""

@final
class Loader:
    """Loads models that use plugins written in Python, and files in memory."""
    def __new__(cls, plugins: Any = ..., assets: dict[str, Any] | None = ...) -> Self: ...
    def load(self, filename: str | os.PathLike[str]) -> MjModel: ...
    def load_string(self, xml: str | bytes) -> MjModel: ...

@final
class MjContact:
    """A contact (`mjContact`). Contacts of a data are copies: a change does not affect the simulation."""
    def __new__(cls) -> Self: ...
    @property
    def H(self) -> Any:
        """Hessian of the elliptic cone's cost, 6 x 6."""
    @H.setter
    def H(self, value: Any) -> None: ...
    def __copy__(self) -> Self: ...
    def __eq__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    @property
    def dim(self) -> Any:
        """Number of force dimensions: 1, 3, 4 or 6."""
    @dim.setter
    def dim(self, value: Any) -> None: ...
    @property
    def dist(self) -> Any:
        """Distance between the nearest points; negative when the shapes overlap."""
    @dist.setter
    def dist(self, value: Any) -> None: ...
    @property
    def efc_address(self) -> Any:
        """First constraint row, or -1."""
    @efc_address.setter
    def efc_address(self, value: Any) -> None: ...
    @property
    def elem(self) -> Any:
        """Flex elements, or -1."""
    @elem.setter
    def elem(self, value: Any) -> None: ...
    @property
    def exclude(self) -> Any:
        """Why the contact has no rows: 0 it has, 1 in the gap, 2 fused, 3 no dofs, 4 passive."""
    @exclude.setter
    def exclude(self, value: Any) -> None: ...
    @property
    def flex(self) -> Any:
        """The two flexes, or -1 for a geom."""
    @flex.setter
    def flex(self, value: Any) -> None: ...
    @property
    def frame(self) -> Any:
        """Contact frame by rows: normal, then two tangents."""
    @frame.setter
    def frame(self, value: Any) -> None: ...
    @property
    def friction(self) -> Any:
        """Sliding (2), torsional and rolling (2) friction."""
    @friction.setter
    def friction(self, value: Any) -> None: ...
    @property
    def geom(self) -> Any:
        """The two geoms, or -1 for a flex."""
    @geom.setter
    def geom(self, value: Any) -> None: ...
    @property
    def geom1(self) -> Any:
        """The first geom, or -1 for a flex."""
    @geom1.setter
    def geom1(self, value: Any) -> None: ...
    @property
    def geom2(self) -> Any:
        """The second geom, or -1 for a flex."""
    @geom2.setter
    def geom2(self, value: Any) -> None: ...
    @property
    def includemargin(self) -> Any:
        """The contact exerts force while `dist` is below this."""
    @includemargin.setter
    def includemargin(self, value: Any) -> None: ...
    @property
    def mu(self) -> Any:
        """Friction coefficient of the regularised cone."""
    @mu.setter
    def mu(self, value: Any) -> None: ...
    @property
    def pos(self) -> Any:
        """World position halfway between the nearest points."""
    @pos.setter
    def pos(self, value: Any) -> None: ...
    @property
    def solimp(self) -> Any:
        """Impedance parameters."""
    @solimp.setter
    def solimp(self, value: Any) -> None: ...
    @property
    def solref(self) -> Any:
        """Reference acceleration parameters along the normal."""
    @solref.setter
    def solref(self, value: Any) -> None: ...
    @property
    def solreffriction(self) -> Any:
        """Reference acceleration parameters along the tangents."""
    @solreffriction.setter
    def solreffriction(self, value: Any) -> None: ...
    @property
    def vert(self) -> Any:
        """Flex vertices, or -1."""
    @vert.setter
    def vert(self, value: Any) -> None: ...

@final
class MjContactList:
    """The contacts of a data after its last collision detection, as a sequence and as arrays with one row per contact."""
    @property
    def H(self) -> Any:
        """Hessian of the elliptic cone's cost, 6 x 6."""
    def __eq__(self, other: object, /) -> bool: ...
    def __getitem__(self, index: Any, /) -> Any: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __len__(self) -> int: ...
    @property
    def dim(self) -> Any:
        """Number of force dimensions: 1, 3, 4 or 6."""
    @property
    def dist(self) -> Any:
        """Distance between the nearest points; negative when the shapes overlap."""
    @property
    def efc_address(self) -> Any:
        """First constraint row, or -1."""
    @property
    def elem(self) -> Any:
        """Flex elements, or -1."""
    @property
    def exclude(self) -> Any:
        """Why the contact has no rows: 0 it has, 1 in the gap, 2 fused, 3 no dofs, 4 passive."""
    @property
    def flex(self) -> Any:
        """The two flexes, or -1 for a geom."""
    @property
    def frame(self) -> Any:
        """Contact frame by rows: normal, then two tangents."""
    @property
    def friction(self) -> Any:
        """Sliding (2), torsional and rolling (2) friction."""
    @property
    def geom(self) -> Any:
        """The two geoms, or -1 for a flex."""
    @property
    def geom1(self) -> Any:
        """The first geom of each contact."""
    @property
    def geom2(self) -> Any:
        """The second geom of each contact."""
    @property
    def includemargin(self) -> Any:
        """The contact exerts force while `dist` is below this."""
    @property
    def mu(self) -> Any:
        """Friction coefficient of the regularised cone."""
    @property
    def pos(self) -> Any:
        """World position halfway between the nearest points."""
    @property
    def solimp(self) -> Any:
        """Impedance parameters."""
    @property
    def solref(self) -> Any:
        """Reference acceleration parameters along the normal."""
    @property
    def solreffriction(self) -> Any:
        """Reference acceleration parameters along the tangents."""
    @property
    def vert(self) -> Any:
        """Flex vertices, or -1."""

@final
class MjData:
    """State, inputs and computed quantities of a simulation (`mjData`)."""
    def __new__(cls, model: MjModel) -> Self: ...
    @property
    def M(self) -> NDArray[np.float64]:
        """joint-space inertia, lower triangle in compressed rows"""
    @M.setter
    def M(self, value: ArrayLike) -> None: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, memo: Any) -> Self: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    @property
    def _address(self) -> Any:
        """Address of the memory of the arrays."""
    def _is_in_place(self) -> bool: ...
    @property
    def act(self) -> NDArray[np.float64]:
        """actuator activations, by actuator_actadr"""
    @act.setter
    def act(self, value: ArrayLike) -> None: ...
    @property
    def act_dot(self) -> NDArray[np.float64]:
        """rate of change of act (1/s)"""
    @act_dot.setter
    def act_dot(self, value: ArrayLike) -> None: ...
    def actuator(self, name: str | int | None = ..., /) -> NamedView: ...
    @property
    def actuator_force(self) -> NDArray[np.float64]:
        """scalar force of every actuator"""
    @actuator_force.setter
    def actuator_force(self, value: ArrayLike) -> None: ...
    @property
    def actuator_length(self) -> NDArray[np.float64]:
        """current transmission length, gear included"""
    @actuator_length.setter
    def actuator_length(self, value: ArrayLike) -> None: ...
    @property
    def actuator_moment(self) -> NDArray[np.float64]:
        """sparse moment arms: generalized force per unit of actuator force"""
    @actuator_moment.setter
    def actuator_moment(self, value: ArrayLike) -> None: ...
    @property
    def actuator_velocity(self) -> NDArray[np.float64]:
        """rate of change of each transmission length"""
    @actuator_velocity.setter
    def actuator_velocity(self, value: ArrayLike) -> None: ...
    def bind(self, elements: Any) -> Any: ...
    def body(self, name: str | int | None = ..., /) -> NamedView: ...
    @property
    def body_awake(self) -> NDArray[np.int32]:
        """1 awake, 0 asleep, -1 fixed to the world"""
    @body_awake.setter
    def body_awake(self, value: ArrayLike) -> None: ...
    @property
    def body_awake_ind(self) -> NDArray[np.int32]:
        """bodies not asleep, in increasing order; the first nbody_awake entries are valid"""
    @body_awake_ind.setter
    def body_awake_ind(self, value: ArrayLike) -> None: ...
    @property
    def bvh_aabb_dyn(self) -> NDArray[np.float64]:
        """world bounding box of each dynamic BVH node: centre, half-extents (m)"""
    @bvh_aabb_dyn.setter
    def bvh_aabb_dyn(self, value: ArrayLike) -> None: ...
    @property
    def bvh_active(self) -> NDArray[np.bool_]:
        """whether the BVH node was visited in this step's collision detection"""
    @bvh_active.setter
    def bvh_active(self, value: ArrayLike) -> None: ...
    @property
    def cacc(self) -> NDArray[np.float64]:
        """body acceleration, angular then linear, at the tree's centre of mass; gravity enters as upward acceleration"""
    @cacc.setter
    def cacc(self, value: ArrayLike) -> None: ...
    def cam(self, name: str | int | None = ..., /) -> NamedView: ...
    @property
    def cam_xmat(self) -> NDArray[np.float64]:
        """camera-to-world rotation matrix, row-major"""
    @cam_xmat.setter
    def cam_xmat(self, value: ArrayLike) -> None: ...
    @property
    def cam_xpos(self) -> NDArray[np.float64]:
        """camera viewpoint in the world (m)"""
    @cam_xpos.setter
    def cam_xpos(self, value: ArrayLike) -> None: ...
    def camera(self, name: str | int | None = ..., /) -> NamedView: ...
    @property
    def cdof(self) -> NDArray[np.float64]:
        """spatial axis of each dof, angular then linear, world axes about the tree's centre of mass"""
    @cdof.setter
    def cdof(self, value: ArrayLike) -> None: ...
    @property
    def cdof_dot(self) -> NDArray[np.float64]:
        """rate of change of cdof as the bodies move"""
    @cdof_dot.setter
    def cdof_dot(self, value: ArrayLike) -> None: ...
    @property
    def cfrc_ext(self) -> NDArray[np.float64]:
        """external wrench of contacts, connect and weld constraints and xfrc_applied, torque then force, at the tree's centre of mass"""
    @cfrc_ext.setter
    def cfrc_ext(self, value: ArrayLike) -> None: ...
    @property
    def cfrc_int(self) -> NDArray[np.float64]:
        """interaction wrench exerted on the body by its parent, torque then force, at the tree's centre of mass"""
    @cfrc_int.setter
    def cfrc_int(self, value: ArrayLike) -> None: ...
    @property
    def cinert(self) -> NDArray[np.float64]:
        """body inertia about the tree's centre of mass: 6 rotational terms, 3 of mass times offset, mass"""
    @cinert.setter
    def cinert(self, value: ArrayLike) -> None: ...
    @property
    def contact(self) -> NDArray[np.int32]:
        """contacts of this step with frame, distance and parameters"""
    @contact.setter
    def contact(self, value: ArrayLike) -> None: ...
    @property
    def crb(self) -> NDArray[np.float64]:
        """inertia of the body with all descendants, laid out like cinert"""
    @crb.setter
    def crb(self, value: ArrayLike) -> None: ...
    @property
    def ctrl(self) -> NDArray[np.float64]:
        """control of every actuator"""
    @ctrl.setter
    def ctrl(self, value: ArrayLike) -> None: ...
    @property
    def cvel(self) -> NDArray[np.float64]:
        """body velocity, angular then linear, world axes at the tree's centre of mass"""
    @cvel.setter
    def cvel(self, value: ArrayLike) -> None: ...
    @property
    def dof_awake_ind(self) -> NDArray[np.int32]:
        """dofs of awake trees, in increasing order; the first nv_awake entries are valid"""
    @dof_awake_ind.setter
    def dof_awake_ind(self, value: ArrayLike) -> None: ...
    @property
    def dof_island(self) -> NDArray[np.int32]:
        """island of the dof; -1 if its tree is unconstrained"""
    @dof_island.setter
    def dof_island(self, value: ArrayLike) -> None: ...
    @property
    def efc_AR(self) -> NDArray[np.float64]:
        """regularized inverse inertia in constraint space, J M^-1 J' + R"""
    @efc_AR.setter
    def efc_AR(self, value: ArrayLike) -> None: ...
    @property
    def efc_AR_colind(self) -> NDArray[np.int32]:
        """constraint row coupled by every entry of efc_AR"""
    @efc_AR_colind.setter
    def efc_AR_colind(self, value: ArrayLike) -> None: ...
    @property
    def efc_AR_rowadr(self) -> NDArray[np.int32]:
        """start of the row in efc_AR and efc_AR_colind"""
    @efc_AR_rowadr.setter
    def efc_AR_rowadr(self, value: ArrayLike) -> None: ...
    @property
    def efc_AR_rownnz(self) -> NDArray[np.int32]:
        """stored entries in the row of efc_AR"""
    @efc_AR_rownnz.setter
    def efc_AR_rownnz(self, value: ArrayLike) -> None: ...
    @property
    def efc_D(self) -> NDArray[np.float64]:
        """constraint stiffness (mass) of each row, the reciprocal of efc_R"""
    @efc_D.setter
    def efc_D(self, value: ArrayLike) -> None: ...
    @property
    def efc_J(self) -> NDArray[np.float64]:
        """sparse constraint Jacobian: velocity of each row = efc_J qvel"""
    @efc_J.setter
    def efc_J(self, value: ArrayLike) -> None: ...
    @property
    def efc_J_colind(self) -> NDArray[np.int32]:
        """dof of every entry of efc_J"""
    @efc_J_colind.setter
    def efc_J_colind(self, value: ArrayLike) -> None: ...
    @property
    def efc_J_rowadr(self) -> NDArray[np.int32]:
        """start of the row in efc_J and efc_J_colind"""
    @efc_J_rowadr.setter
    def efc_J_rowadr(self, value: ArrayLike) -> None: ...
    @property
    def efc_J_rownnz(self) -> NDArray[np.int32]:
        """stored entries in the row"""
    @efc_J_rownnz.setter
    def efc_J_rownnz(self, value: ArrayLike) -> None: ...
    @property
    def efc_J_rowsuper(self) -> NDArray[np.int32]:
        """number of following rows with the same column pattern (supernode size - 1)"""
    @efc_J_rowsuper.setter
    def efc_J_rowsuper(self, value: ArrayLike) -> None: ...
    @property
    def efc_KBIP(self) -> NDArray[np.float64]:
        """reference stiffness and damping, impedance, and the derivative of the impedance with respect to distance"""
    @efc_KBIP.setter
    def efc_KBIP(self, value: ArrayLike) -> None: ...
    @property
    def efc_R(self) -> NDArray[np.float64]:
        """regularization added to the diagonal of each row, the reciprocal of efc_D"""
    @efc_R.setter
    def efc_R(self, value: ArrayLike) -> None: ...
    @property
    def efc_aref(self) -> NDArray[np.float64]:
        """reference acceleration of each row, -b vel - k pos"""
    @efc_aref.setter
    def efc_aref(self, value: ArrayLike) -> None: ...
    @property
    def efc_b(self) -> NDArray[np.float64]:
        """unconstrained acceleration in constraint space minus efc_aref"""
    @efc_b.setter
    def efc_b(self, value: ArrayLike) -> None: ...
    @property
    def efc_diagApprox(self) -> NDArray[np.float64]:
        """estimated diagonal of the constraint-space inverse inertia"""
    @efc_diagApprox.setter
    def efc_diagApprox(self, value: ArrayLike) -> None: ...
    @property
    def efc_force(self) -> NDArray[np.float64]:
        """constraint force of each row"""
    @efc_force.setter
    def efc_force(self, value: ArrayLike) -> None: ...
    @property
    def efc_frictionloss(self) -> NDArray[np.float64]:
        """bound on a friction-loss row's force; 0 for other kinds"""
    @efc_frictionloss.setter
    def efc_frictionloss(self, value: ArrayLike) -> None: ...
    @property
    def efc_id(self) -> NDArray[np.int32]:
        """index of the element of the row, by efc_type: equality, dof, tendon, joint or contact"""
    @efc_id.setter
    def efc_id(self, value: ArrayLike) -> None: ...
    @property
    def efc_island(self) -> NDArray[np.int32]:
        """island of the constraint row"""
    @efc_island.setter
    def efc_island(self, value: ArrayLike) -> None: ...
    @property
    def efc_margin(self) -> NDArray[np.float64]:
        """inclusion margin of the row"""
    @efc_margin.setter
    def efc_margin(self, value: ArrayLike) -> None: ...
    @property
    def efc_pos(self) -> NDArray[np.float64]:
        """residual of an equality, or signed distance of a limit or contact; 0 for friction"""
    @efc_pos.setter
    def efc_pos(self, value: ArrayLike) -> None: ...
    @property
    def efc_state(self) -> NDArray[np.int32]:
        """state of each row: satisfied, quadratic, at a friction bound or on the cone"""
    @efc_state.setter
    def efc_state(self, value: ArrayLike) -> None: ...
    @property
    def efc_type(self) -> NDArray[np.int32]:
        """type of each constraint row"""
    @efc_type.setter
    def efc_type(self, value: ArrayLike) -> None: ...
    @property
    def efc_vel(self) -> NDArray[np.float64]:
        """constraint velocity of each row, efc_J qvel"""
    @efc_vel.setter
    def efc_vel(self, value: ArrayLike) -> None: ...
    @property
    def energy(self) -> NDArray[np.float64]:
        """potential and kinetic energy (J)"""
    @energy.setter
    def energy(self, value: ArrayLike) -> None: ...
    def eq(self, name: str | int | None = ..., /) -> NamedView: ...
    @property
    def eq_active(self) -> NDArray[np.bool_]:
        """whether each equality constraint is active"""
    @eq_active.setter
    def eq_active(self, value: ArrayLike) -> None: ...
    def equality(self, name: str | int | None = ..., /) -> NamedView: ...
    @property
    def flexedge_J(self) -> NDArray[np.float64]:
        """sparse Jacobian of flex edge lengths"""
    @flexedge_J.setter
    def flexedge_J(self, value: ArrayLike) -> None: ...
    @property
    def flexedge_length(self) -> NDArray[np.float64]:
        """current length of each flex edge (m)"""
    @flexedge_length.setter
    def flexedge_length(self, value: ArrayLike) -> None: ...
    @property
    def flexedge_velocity(self) -> NDArray[np.float64]:
        """rate of change of each flex edge's length (m/s)"""
    @flexedge_velocity.setter
    def flexedge_velocity(self, value: ArrayLike) -> None: ...
    @property
    def flexelem_aabb(self) -> NDArray[np.float64]:
        """world bounding box of each flex element: centre, half-extents (m)"""
    @flexelem_aabb.setter
    def flexelem_aabb(self, value: ArrayLike) -> None: ...
    @property
    def flexvert_J(self) -> NDArray[np.float64]:
        """sparse Jacobian of the two strain measures of each vertex"""
    @flexvert_J.setter
    def flexvert_J(self, value: ArrayLike) -> None: ...
    @property
    def flexvert_length(self) -> NDArray[np.float64]:
        """two strain invariants around each vertex (trace, determinant), mass scaled; zero at rest"""
    @flexvert_length.setter
    def flexvert_length(self, value: ArrayLike) -> None: ...
    @property
    def flexvert_xpos(self) -> NDArray[np.float64]:
        """flex vertex in the world (m)"""
    @flexvert_xpos.setter
    def flexvert_xpos(self, value: ArrayLike) -> None: ...
    @property
    def flg_energypos(self) -> int:
        """whether potential energy is up to date with the current state"""
    @property
    def flg_energyvel(self) -> int:
        """whether kinetic energy is up to date with the current state"""
    @property
    def flg_rnepost(self) -> int:
        """whether body accelerations and forces are up to date with the current state"""
    @property
    def flg_subtreevel(self) -> int:
        """whether subtree velocities are up to date with the current state"""
    @staticmethod
    def from_bytes(model: MjModel, bytes: bytes) -> MjData: ...
    def geom(self, name: str | int | None = ..., /) -> NamedView: ...
    @property
    def geom_xmat(self) -> NDArray[np.float64]:
        """geom-to-world rotation matrix, row-major"""
    @geom_xmat.setter
    def geom_xmat(self, value: ArrayLike) -> None: ...
    @property
    def geom_xpos(self) -> NDArray[np.float64]:
        """geom origin in the world (m)"""
    @geom_xpos.setter
    def geom_xpos(self, value: ArrayLike) -> None: ...
    @property
    def history(self) -> NDArray[np.float64]:
        """timestamped ring buffers of past controls and readings for delayed actuators and sensors"""
    @history.setter
    def history(self, value: ArrayLike) -> None: ...
    @property
    def iLD(self) -> NDArray[np.float64]:
        """factor qLD permuted to one block per island"""
    @iLD.setter
    def iLD(self, value: ArrayLike) -> None: ...
    @property
    def iLDiagInv(self) -> NDArray[np.float64]:
        """qLDiagInv gathered in island order"""
    @iLDiagInv.setter
    def iLDiagInv(self, value: ArrayLike) -> None: ...
    @property
    def iM(self) -> NDArray[np.float64]:
        """joint-space inertia permuted to one block per island"""
    @iM.setter
    def iM(self, value: ArrayLike) -> None: ...
    @property
    def iM_colind(self) -> NDArray[np.int32]:
        """column of every entry of iM, relative to the island"""
    @iM_colind.setter
    def iM_colind(self, value: ArrayLike) -> None: ...
    @property
    def iM_rowadr(self) -> NDArray[np.int32]:
        """start of the row of iM"""
    @iM_rowadr.setter
    def iM_rowadr(self, value: ArrayLike) -> None: ...
    @property
    def iM_rownnz(self) -> NDArray[np.int32]:
        """stored entries in a row of iM, diagonal included"""
    @iM_rownnz.setter
    def iM_rownnz(self, value: ArrayLike) -> None: ...
    @property
    def iacc(self) -> NDArray[np.float64]:
        """qacc in island order, as written by the island solvers"""
    @iacc.setter
    def iacc(self, value: ArrayLike) -> None: ...
    @property
    def iacc_smooth(self) -> NDArray[np.float64]:
        """qacc_smooth gathered in island order"""
    @iacc_smooth.setter
    def iacc_smooth(self, value: ArrayLike) -> None: ...
    @property
    def iefc_D(self) -> NDArray[np.float64]:
        """efc_D gathered in island order"""
    @iefc_D.setter
    def iefc_D(self, value: ArrayLike) -> None: ...
    @property
    def iefc_J(self) -> NDArray[np.float64]:
        """constraint Jacobian permuted to one block per island"""
    @iefc_J.setter
    def iefc_J(self, value: ArrayLike) -> None: ...
    @property
    def iefc_J_colind(self) -> NDArray[np.int32]:
        """column of every entry of iefc_J, relative to the island"""
    @iefc_J_colind.setter
    def iefc_J_colind(self, value: ArrayLike) -> None: ...
    @property
    def iefc_J_rowadr(self) -> NDArray[np.int32]:
        """start of the row in iefc_J and iefc_J_colind"""
    @iefc_J_rowadr.setter
    def iefc_J_rowadr(self, value: ArrayLike) -> None: ...
    @property
    def iefc_J_rownnz(self) -> NDArray[np.int32]:
        """stored entries in a row of iefc_J"""
    @iefc_J_rownnz.setter
    def iefc_J_rownnz(self, value: ArrayLike) -> None: ...
    @property
    def iefc_J_rowsuper(self) -> NDArray[np.int32]:
        """number of following rows of iefc_J with the same column pattern"""
    @iefc_J_rowsuper.setter
    def iefc_J_rowsuper(self, value: ArrayLike) -> None: ...
    @property
    def iefc_R(self) -> NDArray[np.float64]:
        """efc_R gathered in island order"""
    @iefc_R.setter
    def iefc_R(self, value: ArrayLike) -> None: ...
    @property
    def iefc_aref(self) -> NDArray[np.float64]:
        """efc_aref gathered in island order"""
    @iefc_aref.setter
    def iefc_aref(self, value: ArrayLike) -> None: ...
    @property
    def iefc_force(self) -> NDArray[np.float64]:
        """efc_force in island order, as written by the island solvers"""
    @iefc_force.setter
    def iefc_force(self, value: ArrayLike) -> None: ...
    @property
    def iefc_frictionloss(self) -> NDArray[np.float64]:
        """efc_frictionloss gathered in island order"""
    @iefc_frictionloss.setter
    def iefc_frictionloss(self, value: ArrayLike) -> None: ...
    @property
    def iefc_id(self) -> NDArray[np.int32]:
        """efc_id gathered in island order"""
    @iefc_id.setter
    def iefc_id(self, value: ArrayLike) -> None: ...
    @property
    def iefc_state(self) -> NDArray[np.int32]:
        """efc_state in island order, as written by the island solvers"""
    @iefc_state.setter
    def iefc_state(self, value: ArrayLike) -> None: ...
    @property
    def iefc_type(self) -> NDArray[np.int32]:
        """efc_type gathered in island order"""
    @iefc_type.setter
    def iefc_type(self, value: ArrayLike) -> None: ...
    @property
    def ifrc_constraint(self) -> NDArray[np.float64]:
        """qfrc_constraint in island order, as written by the island solvers"""
    @ifrc_constraint.setter
    def ifrc_constraint(self, value: ArrayLike) -> None: ...
    @property
    def ifrc_smooth(self) -> NDArray[np.float64]:
        """qfrc_smooth gathered in island order"""
    @ifrc_smooth.setter
    def ifrc_smooth(self, value: ArrayLike) -> None: ...
    @property
    def island_dofadr(self) -> NDArray[np.int32]:
        """lowest original dof of the island, a stable label for display"""
    @island_dofadr.setter
    def island_dofadr(self, value: ArrayLike) -> None: ...
    @property
    def island_idofadr(self) -> NDArray[np.int32]:
        """start of the island's dofs in island order"""
    @island_idofadr.setter
    def island_idofadr(self, value: ArrayLike) -> None: ...
    @property
    def island_iefcadr(self) -> NDArray[np.int32]:
        """start of the island's rows in island order"""
    @island_iefcadr.setter
    def island_iefcadr(self, value: ArrayLike) -> None: ...
    @property
    def island_itreeadr(self) -> NDArray[np.int32]:
        """start of the island's trees in map_itree2tree"""
    @island_itreeadr.setter
    def island_itreeadr(self, value: ArrayLike) -> None: ...
    @property
    def island_ne(self) -> NDArray[np.int32]:
        """equality rows in the island; they come first"""
    @island_ne.setter
    def island_ne(self, value: ArrayLike) -> None: ...
    @property
    def island_nefc(self) -> NDArray[np.int32]:
        """row count of the island over all constraint kinds"""
    @island_nefc.setter
    def island_nefc(self, value: ArrayLike) -> None: ...
    @property
    def island_nf(self) -> NDArray[np.int32]:
        """friction-loss rows in the island; they follow the equality rows"""
    @island_nf.setter
    def island_nf(self, value: ArrayLike) -> None: ...
    @property
    def island_ntree(self) -> NDArray[np.int32]:
        """number of trees in the island"""
    @island_ntree.setter
    def island_ntree(self, value: ArrayLike) -> None: ...
    @property
    def island_nv(self) -> NDArray[np.int32]:
        """number of dofs of the island"""
    @island_nv.setter
    def island_nv(self, value: ArrayLike) -> None: ...
    def jnt(self, name: str | int | None = ..., /) -> NamedView: ...
    def joint(self, name: str | int | None = ..., /) -> NamedView: ...
    def light(self, name: str | int | None = ..., /) -> NamedView: ...
    @property
    def light_xdir(self) -> NDArray[np.float64]:
        """direction of emission in the world, unit length"""
    @light_xdir.setter
    def light_xdir(self, value: ArrayLike) -> None: ...
    @property
    def light_xpos(self) -> NDArray[np.float64]:
        """light origin in the world (m)"""
    @light_xpos.setter
    def light_xpos(self, value: ArrayLike) -> None: ...
    @property
    def map_dof2idof(self) -> NDArray[np.int32]:
        """position of each dof in island order"""
    @map_dof2idof.setter
    def map_dof2idof(self, value: ArrayLike) -> None: ...
    @property
    def map_efc2iefc(self) -> NDArray[np.int32]:
        """position of each constraint row in island order"""
    @map_efc2iefc.setter
    def map_efc2iefc(self, value: ArrayLike) -> None: ...
    @property
    def map_idof2dof(self) -> NDArray[np.int32]:
        """dof at each position in island order; those past nidof are unconstrained"""
    @map_idof2dof.setter
    def map_idof2dof(self, value: ArrayLike) -> None: ...
    @property
    def map_iefc2efc(self) -> NDArray[np.int32]:
        """constraint row at each position in island order"""
    @map_iefc2efc.setter
    def map_iefc2efc(self, value: ArrayLike) -> None: ...
    @property
    def map_itree2tree(self) -> NDArray[np.int32]:
        """trees ordered by island, unconstrained ones last"""
    @map_itree2tree.setter
    def map_itree2tree(self, value: ArrayLike) -> None: ...
    @property
    def mocap_pos(self) -> NDArray[np.float64]:
        """commanded position of each mocap body (m, world)"""
    @mocap_pos.setter
    def mocap_pos(self, value: ArrayLike) -> None: ...
    @property
    def mocap_quat(self) -> NDArray[np.float64]:
        """commanded orientation of each mocap body (w, x, y, z); normalised when used"""
    @mocap_quat.setter
    def mocap_quat(self, value: ArrayLike) -> None: ...
    @property
    def model(self) -> MjModel:
        """The model for which the data was created."""
    @property
    def moment_colind(self) -> NDArray[np.int32]:
        """dof of every entry of actuator_moment"""
    @moment_colind.setter
    def moment_colind(self, value: ArrayLike) -> None: ...
    @property
    def moment_rowadr(self) -> NDArray[np.int32]:
        """start of the actuator's row in actuator_moment and moment_colind"""
    @moment_rowadr.setter
    def moment_rowadr(self, value: ArrayLike) -> None: ...
    @property
    def moment_rownnz(self) -> NDArray[np.int32]:
        """number of dofs in the actuator's row of actuator_moment"""
    @moment_rownnz.setter
    def moment_rownnz(self, value: ArrayLike) -> None: ...
    @property
    def nA(self) -> int:
        """number of nonzeros in efc_AR"""
    @property
    def nJ(self) -> int:
        """number of nonzeros in efc_J"""
    @property
    def nbody_awake(self) -> int:
        """number of bodies that are not asleep, static bodies included"""
    @property
    def ncon(self) -> int:
        """number of contacts, those excluded from the solver included"""
    @property
    def ne(self) -> int:
        """number of equality rows, which come first"""
    @property
    def nefc(self) -> int:
        """number of constraint rows, contact rows last"""
    @property
    def nf(self) -> int:
        """number of friction-loss rows, which follow the equality rows"""
    @property
    def nidof(self) -> int:
        """number of dofs in all islands"""
    @property
    def nisland(self) -> int:
        """number of islands: groups of trees coupled by constraints in this step"""
    @property
    def nl(self) -> int:
        """number of limit rows, which follow the friction-loss rows"""
    @property
    def nparent_awake(self) -> int:
        """number of bodies whose parent is not asleep, excluding the world"""
    @property
    def ntree_awake(self) -> int:
        """number of awake trees"""
    @property
    def nv_awake(self) -> int:
        """number of awake dofs"""
    @property
    def parent_awake_ind(self) -> NDArray[np.int32]:
        """bodies whose parent is not asleep; the first nparent_awake entries are valid"""
    @parent_awake_ind.setter
    def parent_awake_ind(self, value: ArrayLike) -> None: ...
    @property
    def plugin(self) -> NDArray[np.int32]:
        """registry index of each plugin instance"""
    @plugin.setter
    def plugin(self, value: ArrayLike) -> None: ...
    @property
    def plugin_data(self) -> NDArray[np.uint64]:
        """Addresses of the data of plugins in MuJoCo; zero here, since instances have no data of their own."""
    @property
    def plugin_state(self) -> NDArray[np.float64]:
        """state owned by plugins, by plugin_stateadr"""
    @plugin_state.setter
    def plugin_state(self, value: ArrayLike) -> None: ...
    @property
    def qDeriv(self) -> NDArray[np.float64]:
        """derivative of the smooth joint force with respect to qvel, in the D pattern"""
    @qDeriv.setter
    def qDeriv(self, value: ArrayLike) -> None: ...
    @property
    def qH(self) -> NDArray[np.float64]:
        """factor of the inertia plus implicit damping terms, laid out like qLD"""
    @qH.setter
    def qH(self, value: ArrayLike) -> None: ...
    @property
    def qHDiagInv(self) -> NDArray[np.float64]:
        """reciprocals of the diagonal of qH"""
    @qHDiagInv.setter
    def qHDiagInv(self, value: ArrayLike) -> None: ...
    @property
    def qLD(self) -> NDArray[np.float64]:
        """factor of M in the same layout: unit triangle L, with D on the diagonal"""
    @qLD.setter
    def qLD(self, value: ArrayLike) -> None: ...
    @property
    def qLDiagInv(self) -> NDArray[np.float64]:
        """reciprocals of the diagonal D of qLD"""
    @qLDiagInv.setter
    def qLDiagInv(self, value: ArrayLike) -> None: ...
    @property
    def qLU(self) -> NDArray[np.float64]:
        """LU factor of inertia minus timestep times qDeriv, in the D pattern"""
    @qLU.setter
    def qLU(self, value: ArrayLike) -> None: ...
    @property
    def qM(self) -> NDArray[np.float64]:
        """joint-space inertia with armature: for each dof its diagonal, then its ancestors"""
    @qM.setter
    def qM(self, value: ArrayLike) -> None: ...
    @property
    def qacc(self) -> NDArray[np.float64]:
        """joint acceleration after constraints (m/s^2 or rad/s^2)"""
    @qacc.setter
    def qacc(self, value: ArrayLike) -> None: ...
    @property
    def qacc_smooth(self) -> NDArray[np.float64]:
        """unconstrained acceleration (m/s^2 or rad/s^2)"""
    @qacc_smooth.setter
    def qacc_smooth(self, value: ArrayLike) -> None: ...
    @property
    def qacc_warmstart(self) -> NDArray[np.float64]:
        """acceleration of the last solve, the warm start of the next one (m/s^2 or rad/s^2)"""
    @qacc_warmstart.setter
    def qacc_warmstart(self, value: ArrayLike) -> None: ...
    @property
    def qfrc_actuator(self) -> NDArray[np.float64]:
        """joint force from all actuators, after joint-level clamping"""
    @qfrc_actuator.setter
    def qfrc_actuator(self, value: ArrayLike) -> None: ...
    @property
    def qfrc_applied(self) -> NDArray[np.float64]:
        """joint force added by the application (N or N m)"""
    @qfrc_applied.setter
    def qfrc_applied(self, value: ArrayLike) -> None: ...
    @property
    def qfrc_bias(self) -> NDArray[np.float64]:
        """joint force from Coriolis, centrifugal and gravity effects, M qacc + qfrc_bias = applied forces"""
    @qfrc_bias.setter
    def qfrc_bias(self, value: ArrayLike) -> None: ...
    @property
    def qfrc_constraint(self) -> NDArray[np.float64]:
        """joint force of all constraints"""
    @qfrc_constraint.setter
    def qfrc_constraint(self, value: ArrayLike) -> None: ...
    @property
    def qfrc_damper(self) -> NDArray[np.float64]:
        """joint force from viscous damping of joints, tendons and flexes"""
    @qfrc_damper.setter
    def qfrc_damper(self, value: ArrayLike) -> None: ...
    @property
    def qfrc_fluid(self) -> NDArray[np.float64]:
        """joint force from fluid drag, lift and added mass"""
    @qfrc_fluid.setter
    def qfrc_fluid(self, value: ArrayLike) -> None: ...
    @property
    def qfrc_gravcomp(self) -> NDArray[np.float64]:
        """joint force that offsets body weight by body_gravcomp"""
    @qfrc_gravcomp.setter
    def qfrc_gravcomp(self, value: ArrayLike) -> None: ...
    @property
    def qfrc_inverse(self) -> NDArray[np.float64]:
        """applied joint force that produces qacc"""
    @qfrc_inverse.setter
    def qfrc_inverse(self, value: ArrayLike) -> None: ...
    @property
    def qfrc_passive(self) -> NDArray[np.float64]:
        """sum of spring, damper, fluid, plugin and non-actuator gravity-compensation force"""
    @qfrc_passive.setter
    def qfrc_passive(self, value: ArrayLike) -> None: ...
    @property
    def qfrc_smooth(self) -> NDArray[np.float64]:
        """passive, actuator and applied joint force minus qfrc_bias"""
    @qfrc_smooth.setter
    def qfrc_smooth(self, value: ArrayLike) -> None: ...
    @property
    def qfrc_spring(self) -> NDArray[np.float64]:
        """joint force from springs of joints, tendons and flexes"""
    @qfrc_spring.setter
    def qfrc_spring(self, value: ArrayLike) -> None: ...
    @property
    def qpos(self) -> NDArray[np.float64]:
        """joint configuration: positions (m), angles (rad) and unit quaternions, by jnt_qposadr"""
    @qpos.setter
    def qpos(self, value: ArrayLike) -> None: ...
    @property
    def qvel(self) -> NDArray[np.float64]:
        """joint velocity (m/s or rad/s), by jnt_dofadr"""
    @qvel.setter
    def qvel(self, value: ArrayLike) -> None: ...
    def sensor(self, name: str | int | None = ..., /) -> NamedView: ...
    @property
    def sensordata(self) -> NDArray[np.float64]:
        """concatenated readings of all sensors, by sensor_adr"""
    @sensordata.setter
    def sensordata(self, value: ArrayLike) -> None: ...
    @property
    def signature(self) -> int:
        """Hash of the structure of the model."""
    def site(self, name: str | int | None = ..., /) -> NamedView: ...
    @property
    def site_xmat(self) -> NDArray[np.float64]:
        """site-to-world rotation matrix, row-major"""
    @site_xmat.setter
    def site_xmat(self, value: ArrayLike) -> None: ...
    @property
    def site_xpos(self) -> NDArray[np.float64]:
        """site origin in the world (m)"""
    @site_xpos.setter
    def site_xpos(self, value: ArrayLike) -> None: ...
    @property
    def solver_fwdinv(self) -> NDArray[np.float64]:
        """norms of the difference between forward and inverse dynamics: constraint force, applied force"""
    @solver_fwdinv.setter
    def solver_fwdinv(self, value: ArrayLike) -> None: ...
    @property
    def solver_niter(self) -> NDArray[np.int32]:
        """constraint-solver iterations of each of the first 20 islands"""
    @solver_niter.setter
    def solver_niter(self, value: ArrayLike) -> None: ...
    @property
    def solver_nnz(self) -> NDArray[np.int32]:
        """nonzeros in the Hessian (Newton) or efc_AR (PGS) of each of the first 20 islands"""
    @solver_nnz.setter
    def solver_nnz(self, value: ArrayLike) -> None: ...
    @property
    def subtree_angmom(self) -> NDArray[np.float64]:
        """angular momentum of each subtree about its own centre of mass, world axes (kg m^2/s)"""
    @subtree_angmom.setter
    def subtree_angmom(self, value: ArrayLike) -> None: ...
    @property
    def subtree_com(self) -> NDArray[np.float64]:
        """centre of mass of the body and all its descendants in the world (m)"""
    @subtree_com.setter
    def subtree_com(self, value: ArrayLike) -> None: ...
    @property
    def subtree_linvel(self) -> NDArray[np.float64]:
        """velocity of each subtree's centre of mass in world axes (m/s)"""
    @subtree_linvel.setter
    def subtree_linvel(self, value: ArrayLike) -> None: ...
    def ten(self, name: str | int | None = ..., /) -> NamedView: ...
    @property
    def ten_J(self) -> NDArray[np.float64]:
        """sparse Jacobian of tendon lengths"""
    @ten_J.setter
    def ten_J(self, value: ArrayLike) -> None: ...
    @property
    def ten_length(self) -> NDArray[np.float64]:
        """current tendon length (m, or joint units when fixed)"""
    @ten_length.setter
    def ten_length(self, value: ArrayLike) -> None: ...
    @property
    def ten_velocity(self) -> NDArray[np.float64]:
        """velocity of each tendon (m/s)"""
    @ten_velocity.setter
    def ten_velocity(self, value: ArrayLike) -> None: ...
    @property
    def ten_wrapadr(self) -> NDArray[np.int32]:
        """index of the tendon's first path point in wrap_xpos, counted in points"""
    @ten_wrapadr.setter
    def ten_wrapadr(self, value: ArrayLike) -> None: ...
    @property
    def ten_wrapnum(self) -> NDArray[np.int32]:
        """current number of path points of the tendon"""
    @ten_wrapnum.setter
    def ten_wrapnum(self, value: ArrayLike) -> None: ...
    def tendon(self, name: str | int | None = ..., /) -> NamedView: ...
    @property
    def tendon_efcadr(self) -> NDArray[np.int32]:
        """first constraint row that acts on the tendon; -1 when none does"""
    @tendon_efcadr.setter
    def tendon_efcadr(self, value: ArrayLike) -> None: ...
    @property
    def time(self) -> float:
        """simulation time (s)"""
    @time.setter
    def time(self, value: float) -> None: ...
    @property
    def timer(self) -> list[MjTimerStat]:
        """Time spent in each stage; zero without a clock callback."""
    def to_bytes(self) -> bytes: ...
    @property
    def tree_asleep(self) -> NDArray[np.int32]:
        """awake: negative counter of steps at rest; asleep: next tree in the cycle of its sleeping island"""
    @tree_asleep.setter
    def tree_asleep(self, value: ArrayLike) -> None: ...
    @property
    def tree_awake(self) -> NDArray[np.int32]:
        """1 awake, 0 asleep"""
    @tree_awake.setter
    def tree_awake(self, value: ArrayLike) -> None: ...
    @property
    def tree_island(self) -> NDArray[np.int32]:
        """island of the tree; -1 if it is unconstrained"""
    @tree_island.setter
    def tree_island(self, value: ArrayLike) -> None: ...
    @property
    def userdata(self) -> NDArray[np.float64]:
        """user data, not used by the engine"""
    @userdata.setter
    def userdata(self, value: ArrayLike) -> None: ...
    @property
    def warning(self) -> MjWarningStatList:
        """Number of times each warning was raised, and the index that raised it last."""
    @property
    def wrap_obj(self) -> NDArray[np.int32]:
        """object of each path point: geom index, -1 for a site, -2 for a pulley"""
    @wrap_obj.setter
    def wrap_obj(self, value: ArrayLike) -> None: ...
    @property
    def wrap_xpos(self) -> NDArray[np.float64]:
        """path points of all tendons in the world (m); capacity of two points per wrap entry"""
    @wrap_xpos.setter
    def wrap_xpos(self, value: ArrayLike) -> None: ...
    @property
    def xanchor(self) -> NDArray[np.float64]:
        """joint pivot in the world (m)"""
    @xanchor.setter
    def xanchor(self, value: ArrayLike) -> None: ...
    @property
    def xaxis(self) -> NDArray[np.float64]:
        """joint axis in the world, unit length"""
    @xaxis.setter
    def xaxis(self, value: ArrayLike) -> None: ...
    @property
    def xfrc_applied(self) -> NDArray[np.float64]:
        """force (N) then torque (N m) added by the application at the body's centre of mass, world axes"""
    @xfrc_applied.setter
    def xfrc_applied(self, value: ArrayLike) -> None: ...
    @property
    def ximat(self) -> NDArray[np.float64]:
        """rotation matrix from principal inertia axes to world, row-major"""
    @ximat.setter
    def ximat(self, value: ArrayLike) -> None: ...
    @property
    def xipos(self) -> NDArray[np.float64]:
        """body centre of mass in the world (m)"""
    @xipos.setter
    def xipos(self, value: ArrayLike) -> None: ...
    @property
    def xmat(self) -> NDArray[np.float64]:
        """body-to-world rotation matrix, row-major"""
    @xmat.setter
    def xmat(self, value: ArrayLike) -> None: ...
    @property
    def xpos(self) -> NDArray[np.float64]:
        """body origin in the world (m)"""
    @xpos.setter
    def xpos(self, value: ArrayLike) -> None: ...
    @property
    def xquat(self) -> NDArray[np.float64]:
        """rotation from body to world axes (w, x, y, z)"""
    @xquat.setter
    def xquat(self, value: ArrayLike) -> None: ...

@final
class MjModel:
    """A compiled model: everything that is constant during simulation (`mjModel`)."""
    @property
    def B_colind(self) -> NDArray[np.int32]:
        """dofs moving each body, in increasing order"""
    @B_colind.setter
    def B_colind(self, value: ArrayLike) -> None: ...
    @property
    def B_rowadr(self) -> NDArray[np.int32]:
        """start of the body's dof list in B_colind"""
    @B_rowadr.setter
    def B_rowadr(self, value: ArrayLike) -> None: ...
    @property
    def B_rownnz(self) -> NDArray[np.int32]:
        """number of dofs that move the body"""
    @B_rownnz.setter
    def B_rownnz(self, value: ArrayLike) -> None: ...
    @property
    def D_colind(self) -> NDArray[np.int32]:
        """column dof of every entry of the D pattern"""
    @D_colind.setter
    def D_colind(self, value: ArrayLike) -> None: ...
    @property
    def D_diag(self) -> NDArray[np.int32]:
        """offset of the diagonal inside the dof's row of the D pattern"""
    @D_diag.setter
    def D_diag(self, value: ArrayLike) -> None: ...
    @property
    def D_rowadr(self) -> NDArray[np.int32]:
        """start of the dof's row of the D pattern"""
    @D_rowadr.setter
    def D_rowadr(self, value: ArrayLike) -> None: ...
    @property
    def D_rownnz(self) -> NDArray[np.int32]:
        """stored entries in a dof's row of the D pattern"""
    @D_rownnz.setter
    def D_rownnz(self, value: ArrayLike) -> None: ...
    @property
    def M_colind(self) -> NDArray[np.int32]:
        """column dof of every entry of M; increasing in a row, the diagonal last"""
    @M_colind.setter
    def M_colind(self, value: ArrayLike) -> None: ...
    @property
    def M_rowadr(self) -> NDArray[np.int32]:
        """start of the dof's row of M"""
    @M_rowadr.setter
    def M_rowadr(self, value: ArrayLike) -> None: ...
    @property
    def M_rownnz(self) -> NDArray[np.int32]:
        """stored entries in a dof's row of M, its diagonal included"""
    @M_rownnz.setter
    def M_rownnz(self, value: ArrayLike) -> None: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: Any) -> Self: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    @property
    def _address(self) -> Any:
        """Address of the memory of the arrays."""
    def actuator(self, name: str | int | None = ..., /) -> NamedView: ...
    @property
    def actuator_acc0(self) -> NDArray[np.float64]:
        """norm of the joint acceleration per unit of actuator force at qpos0"""
    @actuator_acc0.setter
    def actuator_acc0(self, value: ArrayLike) -> None: ...
    @property
    def actuator_actadr(self) -> NDArray[np.int32]:
        """index of the actuator's first entry in act; -1 when it has no state"""
    @actuator_actadr.setter
    def actuator_actadr(self, value: ArrayLike) -> None: ...
    @property
    def actuator_actearly(self) -> NDArray[np.bool_]:
        """whether the force uses the activation at the end of the step, which removes one step of delay"""
    @actuator_actearly.setter
    def actuator_actearly(self, value: ArrayLike) -> None: ...
    @property
    def actuator_actlimited(self) -> NDArray[np.bool_]:
        """whether the activation is clamped to actuator_actrange"""
    @actuator_actlimited.setter
    def actuator_actlimited(self, value: ArrayLike) -> None: ...
    @property
    def actuator_actnum(self) -> NDArray[np.int32]:
        """number of entries of the actuator in act"""
    @actuator_actnum.setter
    def actuator_actnum(self, value: ArrayLike) -> None: ...
    @property
    def actuator_actrange(self) -> NDArray[np.float64]:
        """lowest and highest activation"""
    @actuator_actrange.setter
    def actuator_actrange(self, value: ArrayLike) -> None: ...
    @property
    def actuator_armature(self) -> NDArray[np.float64]:
        """rotor inertia (armature) added to the joint or tendon, before multiplication by gear squared"""
    @actuator_armature.setter
    def actuator_armature(self, value: ArrayLike) -> None: ...
    @property
    def actuator_biasprm(self) -> NDArray[np.float64]:
        """coefficients of the bias, read by actuator_biastype"""
    @actuator_biasprm.setter
    def actuator_biasprm(self, value: ArrayLike) -> None: ...
    @property
    def actuator_biastype(self) -> NDArray[np.int32]:
        """bias type: none, affine, muscle, DC motor or user"""
    @actuator_biastype.setter
    def actuator_biastype(self, value: ArrayLike) -> None: ...
    @property
    def actuator_cranklength(self) -> NDArray[np.float64]:
        """rod length of a slider-crank (m)"""
    @actuator_cranklength.setter
    def actuator_cranklength(self, value: ArrayLike) -> None: ...
    @property
    def actuator_ctrllimited(self) -> NDArray[np.bool_]:
        """whether the control is clamped to actuator_ctrlrange"""
    @actuator_ctrllimited.setter
    def actuator_ctrllimited(self, value: ArrayLike) -> None: ...
    @property
    def actuator_ctrlrange(self) -> NDArray[np.float64]:
        """lowest and highest control"""
    @actuator_ctrlrange.setter
    def actuator_ctrlrange(self, value: ArrayLike) -> None: ...
    @property
    def actuator_damping(self) -> NDArray[np.float64]:
        """damping added to the joint or tendon, before multiplication by gear squared"""
    @actuator_damping.setter
    def actuator_damping(self, value: ArrayLike) -> None: ...
    @property
    def actuator_dampingpoly(self) -> NDArray[np.float64]:
        """polynomial damping coefficients of speed and speed squared, before multiplication by gear squared"""
    @actuator_dampingpoly.setter
    def actuator_dampingpoly(self, value: ArrayLike) -> None: ...
    @property
    def actuator_delay(self) -> NDArray[np.float64]:
        """delay of the control (s); 0 for none"""
    @actuator_delay.setter
    def actuator_delay(self, value: ArrayLike) -> None: ...
    @property
    def actuator_dynprm(self) -> NDArray[np.float64]:
        """coefficients of the activation dynamics, read by actuator_dyntype"""
    @actuator_dynprm.setter
    def actuator_dynprm(self, value: ArrayLike) -> None: ...
    @property
    def actuator_dyntype(self) -> NDArray[np.int32]:
        """activation dynamics: none, integrator, filter, muscle, DC motor or user"""
    @actuator_dyntype.setter
    def actuator_dyntype(self, value: ArrayLike) -> None: ...
    @property
    def actuator_forcelimited(self) -> NDArray[np.bool_]:
        """whether the output force is clamped to actuator_forcerange"""
    @actuator_forcelimited.setter
    def actuator_forcelimited(self, value: ArrayLike) -> None: ...
    @property
    def actuator_forcerange(self) -> NDArray[np.float64]:
        """lowest and highest scalar output force"""
    @actuator_forcerange.setter
    def actuator_forcerange(self, value: ArrayLike) -> None: ...
    @property
    def actuator_gainprm(self) -> NDArray[np.float64]:
        """coefficients of the gain, read by actuator_gaintype"""
    @actuator_gainprm.setter
    def actuator_gainprm(self, value: ArrayLike) -> None: ...
    @property
    def actuator_gaintype(self) -> NDArray[np.int32]:
        """gain type: fixed, affine, muscle, DC motor or user"""
    @actuator_gaintype.setter
    def actuator_gaintype(self, value: ArrayLike) -> None: ...
    @property
    def actuator_gear(self) -> NDArray[np.float64]:
        """moment-arm multipliers; only the first counts for a scalar target, six for ball, free or site"""
    @actuator_gear.setter
    def actuator_gear(self, value: ArrayLike) -> None: ...
    @property
    def actuator_group(self) -> NDArray[np.int32]:
        """group, used for visualization and by opt.disableactuator"""
    @actuator_group.setter
    def actuator_group(self, value: ArrayLike) -> None: ...
    @property
    def actuator_history(self) -> NDArray[np.int32]:
        """number of samples in the history buffer, and interpolation order (0 hold, 1 linear, 2 cubic)"""
    @actuator_history.setter
    def actuator_history(self, value: ArrayLike) -> None: ...
    @property
    def actuator_historyadr(self) -> NDArray[np.int32]:
        """start of the actuator's buffer in history; -1 for none"""
    @actuator_historyadr.setter
    def actuator_historyadr(self, value: ArrayLike) -> None: ...
    @property
    def actuator_length0(self) -> NDArray[np.float64]:
        """length of the transmission at qpos0 (m or rad, times gear)"""
    @actuator_length0.setter
    def actuator_length0(self, value: ArrayLike) -> None: ...
    @property
    def actuator_lengthrange(self) -> NDArray[np.float64]:
        """minimum and maximum feasible transmission length, used by muscles"""
    @actuator_lengthrange.setter
    def actuator_lengthrange(self, value: ArrayLike) -> None: ...
    @property
    def actuator_plugin(self) -> NDArray[np.int32]:
        """plugin instance computing the actuator; -1 for a built-in one"""
    @actuator_plugin.setter
    def actuator_plugin(self, value: ArrayLike) -> None: ...
    @property
    def actuator_trnid(self) -> NDArray[np.int32]:
        """target index; then slider site of a crank or reference site, -1 if absent"""
    @actuator_trnid.setter
    def actuator_trnid(self, value: ArrayLike) -> None: ...
    @property
    def actuator_trntype(self) -> NDArray[np.int32]:
        """transmission type: joint, tendon, site, slider-crank or body"""
    @actuator_trntype.setter
    def actuator_trntype(self, value: ArrayLike) -> None: ...
    @property
    def actuator_user(self) -> NDArray[np.float64]:
        """user data, nuser_actuator values per row"""
    @actuator_user.setter
    def actuator_user(self, value: ArrayLike) -> None: ...
    def bind(self, elements: Any) -> Any: ...
    def body(self, name: str | int | None = ..., /) -> NamedView: ...
    @property
    def body_bvhadr(self) -> NDArray[np.int32]:
        """root node of the body's BVH of geoms; -1 without BVH"""
    @body_bvhadr.setter
    def body_bvhadr(self, value: ArrayLike) -> None: ...
    @property
    def body_bvhnum(self) -> NDArray[np.int32]:
        """number of nodes of the body's BVH"""
    @body_bvhnum.setter
    def body_bvhnum(self, value: ArrayLike) -> None: ...
    @property
    def body_conaffinity(self) -> NDArray[np.int32]:
        """union of the conaffinity bits of the body's geoms, for broad-phase filtering"""
    @body_conaffinity.setter
    def body_conaffinity(self, value: ArrayLike) -> None: ...
    @property
    def body_contype(self) -> NDArray[np.int32]:
        """union of the contype bits of the body's geoms, for broad-phase filtering"""
    @body_contype.setter
    def body_contype(self, value: ArrayLike) -> None: ...
    @property
    def body_dofadr(self) -> NDArray[np.int32]:
        """index of the body's first dof; -1 for none"""
    @body_dofadr.setter
    def body_dofadr(self, value: ArrayLike) -> None: ...
    @property
    def body_dofnum(self) -> NDArray[np.int32]:
        """number of dofs of the body's joints"""
    @body_dofnum.setter
    def body_dofnum(self, value: ArrayLike) -> None: ...
    @property
    def body_geomadr(self) -> NDArray[np.int32]:
        """index of the body's first geom; -1 for none"""
    @body_geomadr.setter
    def body_geomadr(self, value: ArrayLike) -> None: ...
    @property
    def body_geomnum(self) -> NDArray[np.int32]:
        """number of geoms attached to the body"""
    @body_geomnum.setter
    def body_geomnum(self, value: ArrayLike) -> None: ...
    @property
    def body_gravcomp(self) -> NDArray[np.float64]:
        """fraction of the weight that is compensated"""
    @body_gravcomp.setter
    def body_gravcomp(self, value: ArrayLike) -> None: ...
    @property
    def body_inertia(self) -> NDArray[np.float64]:
        """principal moments about the centre of mass (kg m^2), along the axes of body_iquat"""
    @body_inertia.setter
    def body_inertia(self, value: ArrayLike) -> None: ...
    @property
    def body_invweight0(self) -> NDArray[np.float64]:
        """average inverse inertia seen at the body in qpos0: translation (1/kg), rotation (1/(kg m^2))"""
    @body_invweight0.setter
    def body_invweight0(self, value: ArrayLike) -> None: ...
    @property
    def body_ipos(self) -> NDArray[np.float64]:
        """centre of mass in the body frame (m)"""
    @body_ipos.setter
    def body_ipos(self, value: ArrayLike) -> None: ...
    @property
    def body_iquat(self) -> NDArray[np.float64]:
        """rotation from principal inertia axes to body axes (w, x, y, z)"""
    @body_iquat.setter
    def body_iquat(self, value: ArrayLike) -> None: ...
    @property
    def body_jntadr(self) -> NDArray[np.int32]:
        """index of the body's first joint; -1 for none"""
    @body_jntadr.setter
    def body_jntadr(self, value: ArrayLike) -> None: ...
    @property
    def body_jntnum(self) -> NDArray[np.int32]:
        """number of joints between the body and its parent; 0 if welded"""
    @body_jntnum.setter
    def body_jntnum(self, value: ArrayLike) -> None: ...
    @property
    def body_margin(self) -> NDArray[np.float64]:
        """largest collision margin among the body's geoms (m)"""
    @body_margin.setter
    def body_margin(self, value: ArrayLike) -> None: ...
    @property
    def body_mass(self) -> NDArray[np.float64]:
        """mass of the body alone (kg)"""
    @body_mass.setter
    def body_mass(self, value: ArrayLike) -> None: ...
    @property
    def body_mocapid(self) -> NDArray[np.int32]:
        """row in mocap_pos and mocap_quat; -1 for an ordinary body"""
    @body_mocapid.setter
    def body_mocapid(self, value: ArrayLike) -> None: ...
    @property
    def body_parentid(self) -> NDArray[np.int32]:
        """index of the parent body, which is lower; 0 for the world"""
    @body_parentid.setter
    def body_parentid(self, value: ArrayLike) -> None: ...
    @property
    def body_plugin(self) -> NDArray[np.int32]:
        """plugin instance acting on the body; -1 for none"""
    @body_plugin.setter
    def body_plugin(self, value: ArrayLike) -> None: ...
    @property
    def body_pos(self) -> NDArray[np.float64]:
        """origin of the body in its parent's frame at zero joint displacement (m)"""
    @body_pos.setter
    def body_pos(self, value: ArrayLike) -> None: ...
    @property
    def body_quat(self) -> NDArray[np.float64]:
        """rotation from body to parent axes at zero joint displacement (w, x, y, z)"""
    @body_quat.setter
    def body_quat(self, value: ArrayLike) -> None: ...
    @property
    def body_rootid(self) -> NDArray[np.int32]:
        """root of the kinematic branch: ancestor whose parent is the world; 0 for the world"""
    @body_rootid.setter
    def body_rootid(self, value: ArrayLike) -> None: ...
    @property
    def body_sameframe(self) -> NDArray[np.int32]:
        """coincidence of the inertial frame with the body frame"""
    @body_sameframe.setter
    def body_sameframe(self, value: ArrayLike) -> None: ...
    @property
    def body_simple(self) -> NDArray[np.uint8]:
        """0 general; 1 its inertia block is diagonal; 2 diagonal and every joint is a slide"""
    @body_simple.setter
    def body_simple(self, value: ArrayLike) -> None: ...
    @property
    def body_subtreemass(self) -> NDArray[np.float64]:
        """mass of the body plus all its descendants (kg)"""
    @body_subtreemass.setter
    def body_subtreemass(self, value: ArrayLike) -> None: ...
    @property
    def body_treeid(self) -> NDArray[np.int32]:
        """kinematic tree the body moves with; -1 when no dof moves it"""
    @body_treeid.setter
    def body_treeid(self, value: ArrayLike) -> None: ...
    @property
    def body_user(self) -> NDArray[np.float64]:
        """user data, nuser_body values per row"""
    @body_user.setter
    def body_user(self, value: ArrayLike) -> None: ...
    @property
    def body_weldid(self) -> NDArray[np.int32]:
        """top body of the weld group: highest ancestor without joints in between; 0 if fixed to the world"""
    @body_weldid.setter
    def body_weldid(self, value: ArrayLike) -> None: ...
    @property
    def bvh_aabb(self) -> NDArray[np.float64]:
        """box centre and half-extents (m), in the inertial frame of a body or the frame of a mesh"""
    @bvh_aabb.setter
    def bvh_aabb(self, value: ArrayLike) -> None: ...
    @property
    def bvh_child(self) -> NDArray[np.int32]:
        """child nodes, relative to the root of the BVH; -1 at a leaf"""
    @bvh_child.setter
    def bvh_child(self, value: ArrayLike) -> None: ...
    @property
    def bvh_depth(self) -> NDArray[np.int32]:
        """depth of the node in its BVH, 0 at the root"""
    @bvh_depth.setter
    def bvh_depth(self, value: ArrayLike) -> None: ...
    @property
    def bvh_nodeid(self) -> NDArray[np.int32]:
        """element bounded by a leaf: geom, mesh triangle or flex element; -1 at an inner node"""
    @bvh_nodeid.setter
    def bvh_nodeid(self, value: ArrayLike) -> None: ...
    def cam(self, name: str | int | None = ..., /) -> NamedView: ...
    @property
    def cam_bodyid(self) -> NDArray[np.int32]:
        """body carrying the camera"""
    @cam_bodyid.setter
    def cam_bodyid(self, value: ArrayLike) -> None: ...
    @property
    def cam_fovy(self) -> NDArray[np.float64]:
        """vertical opening: degrees in perspective, visible height (m) in orthographic"""
    @cam_fovy.setter
    def cam_fovy(self, value: ArrayLike) -> None: ...
    @property
    def cam_intrinsic(self) -> NDArray[np.float32]:
        """focal lengths in x and y, then principal-point offsets in x and y (m)"""
    @cam_intrinsic.setter
    def cam_intrinsic(self, value: ArrayLike) -> None: ...
    @property
    def cam_ipd(self) -> NDArray[np.float64]:
        """distance between the two eyes in stereo rendering (m)"""
    @cam_ipd.setter
    def cam_ipd(self, value: ArrayLike) -> None: ...
    @property
    def cam_mat0(self) -> NDArray[np.float64]:
        """camera-to-world rotation at qpos0, row-major"""
    @cam_mat0.setter
    def cam_mat0(self, value: ArrayLike) -> None: ...
    @property
    def cam_mode(self) -> NDArray[np.int32]:
        """tracking mode: fixed, tracking the body, or aiming at a target"""
    @cam_mode.setter
    def cam_mode(self, value: ArrayLike) -> None: ...
    @property
    def cam_output(self) -> NDArray[np.int32]:
        """bit mask of the rendered images: colour, depth, distance, normals, segmentation"""
    @cam_output.setter
    def cam_output(self, value: ArrayLike) -> None: ...
    @property
    def cam_pos(self) -> NDArray[np.float64]:
        """viewpoint in the carrying body's frame (m)"""
    @cam_pos.setter
    def cam_pos(self, value: ArrayLike) -> None: ...
    @property
    def cam_pos0(self) -> NDArray[np.float64]:
        """world-axes offset from the carrying body's origin to the camera at qpos0 (m)"""
    @cam_pos0.setter
    def cam_pos0(self, value: ArrayLike) -> None: ...
    @property
    def cam_poscom0(self) -> NDArray[np.float64]:
        """world-axes offset from the subtree centre of mass to the camera at qpos0 (m)"""
    @cam_poscom0.setter
    def cam_poscom0(self, value: ArrayLike) -> None: ...
    @property
    def cam_projection(self) -> NDArray[np.int32]:
        """whether the image is perspective or orthographic"""
    @cam_projection.setter
    def cam_projection(self, value: ArrayLike) -> None: ...
    @property
    def cam_quat(self) -> NDArray[np.float64]:
        """rotation from camera to body axes; the camera looks along its own -z"""
    @cam_quat.setter
    def cam_quat(self, value: ArrayLike) -> None: ...
    @property
    def cam_resolution(self) -> NDArray[np.int32]:
        """image width and height in pixels"""
    @cam_resolution.setter
    def cam_resolution(self, value: ArrayLike) -> None: ...
    @property
    def cam_sensorsize(self) -> NDArray[np.float32]:
        """physical width and height of the imaging chip (m); zero means cam_fovy is used"""
    @cam_sensorsize.setter
    def cam_sensorsize(self, value: ArrayLike) -> None: ...
    @property
    def cam_targetbodyid(self) -> NDArray[np.int32]:
        """body the camera aims at in the targeting modes; -1 when unset"""
    @cam_targetbodyid.setter
    def cam_targetbodyid(self, value: ArrayLike) -> None: ...
    @property
    def cam_user(self) -> NDArray[np.float64]:
        """user data, nuser_cam values per row"""
    @cam_user.setter
    def cam_user(self, value: ArrayLike) -> None: ...
    def camera(self, name: str | int | None = ..., /) -> NamedView: ...
    @property
    def dof_M0(self) -> NDArray[np.float64]:
        """diagonal of the inertia at qpos0 (kg or kg m^2)"""
    @dof_M0.setter
    def dof_M0(self, value: ArrayLike) -> None: ...
    @property
    def dof_Madr(self) -> NDArray[np.int32]:
        """address of the dof's diagonal in qM; the entries of its ancestors follow"""
    @dof_Madr.setter
    def dof_Madr(self, value: ArrayLike) -> None: ...
    @property
    def dof_armature(self) -> NDArray[np.float64]:
        """armature: inertia added to the diagonal of M (kg or kg m^2)"""
    @dof_armature.setter
    def dof_armature(self, value: ArrayLike) -> None: ...
    @property
    def dof_bodyid(self) -> NDArray[np.int32]:
        """body whose joint owns this dof"""
    @dof_bodyid.setter
    def dof_bodyid(self, value: ArrayLike) -> None: ...
    @property
    def dof_damping(self) -> NDArray[np.float64]:
        """viscous force per unit velocity (N s/m or N m s/rad)"""
    @dof_damping.setter
    def dof_damping(self, value: ArrayLike) -> None: ...
    @property
    def dof_dampingpoly(self) -> NDArray[np.float64]:
        """polynomial damping coefficients of speed and speed squared"""
    @dof_dampingpoly.setter
    def dof_dampingpoly(self, value: ArrayLike) -> None: ...
    @property
    def dof_frictionloss(self) -> NDArray[np.float64]:
        """largest friction-loss force opposing motion (N or N m); 0 for none"""
    @dof_frictionloss.setter
    def dof_frictionloss(self, value: ArrayLike) -> None: ...
    @property
    def dof_invweight0(self) -> NDArray[np.float64]:
        """diagonal of the inverse inertia at qpos0, averaged over a joint's like dofs"""
    @dof_invweight0.setter
    def dof_invweight0(self, value: ArrayLike) -> None: ...
    @property
    def dof_jntid(self) -> NDArray[np.int32]:
        """joint that owns this dof"""
    @dof_jntid.setter
    def dof_jntid(self, value: ArrayLike) -> None: ...
    @property
    def dof_length(self) -> NDArray[np.float64]:
        """length that converts angular to linear velocity in the sleep criterion (m); 1 for a translation"""
    @dof_length.setter
    def dof_length(self, value: ArrayLike) -> None: ...
    @property
    def dof_parentid(self) -> NDArray[np.int32]:
        """next dof towards the world along the chain; -1 at the start of a tree"""
    @dof_parentid.setter
    def dof_parentid(self, value: ArrayLike) -> None: ...
    @property
    def dof_simplenum(self) -> NDArray[np.int32]:
        """length of the run of simple-body dofs starting here; 0 for a general dof"""
    @dof_simplenum.setter
    def dof_simplenum(self, value: ArrayLike) -> None: ...
    @property
    def dof_solimp(self) -> NDArray[np.float64]:
        """friction-loss constraint impedance curve: start, end, width, midpoint, power"""
    @dof_solimp.setter
    def dof_solimp(self, value: ArrayLike) -> None: ...
    @property
    def dof_solref(self) -> NDArray[np.float64]:
        """friction-loss constraint response: time constant (s) and damping ratio, or the direct form"""
    @dof_solref.setter
    def dof_solref(self, value: ArrayLike) -> None: ...
    @property
    def dof_treeid(self) -> NDArray[np.int32]:
        """kinematic tree this dof belongs to"""
    @dof_treeid.setter
    def dof_treeid(self, value: ArrayLike) -> None: ...
    def eq(self, name: str | int | None = ..., /) -> NamedView: ...
    @property
    def eq_active0(self) -> NDArray[np.bool_]:
        """whether the constraint is on after a reset"""
    @eq_active0.setter
    def eq_active0(self, value: ArrayLike) -> None: ...
    @property
    def eq_data(self) -> NDArray[np.float64]:
        """values read according to eq_type: anchors, relative pose, torque scale or polynomial"""
    @eq_data.setter
    def eq_data(self, value: ArrayLike) -> None: ...
    @property
    def eq_obj1id(self) -> NDArray[np.int32]:
        """index of the first object, of type eq_objtype"""
    @eq_obj1id.setter
    def eq_obj1id(self, value: ArrayLike) -> None: ...
    @property
    def eq_obj2id(self) -> NDArray[np.int32]:
        """index of the second object; -1 if a joint or tendon is constrained to a constant"""
    @eq_obj2id.setter
    def eq_obj2id(self, value: ArrayLike) -> None: ...
    @property
    def eq_objtype(self) -> NDArray[np.int32]:
        """object type of both objects: body, site, joint or tendon"""
    @eq_objtype.setter
    def eq_objtype(self, value: ArrayLike) -> None: ...
    @property
    def eq_solimp(self) -> NDArray[np.float64]:
        """impedance curve: start, end, width, midpoint, power"""
    @eq_solimp.setter
    def eq_solimp(self, value: ArrayLike) -> None: ...
    @property
    def eq_solref(self) -> NDArray[np.float64]:
        """response: time constant (s) and damping ratio, or negated stiffness and damping"""
    @eq_solref.setter
    def eq_solref(self, value: ArrayLike) -> None: ...
    @property
    def eq_type(self) -> NDArray[np.int32]:
        """constraint type: connect, weld, joint, tendon, flex"""
    @eq_type.setter
    def eq_type(self, value: ArrayLike) -> None: ...
    def equality(self, name: str | int | None = ..., /) -> NamedView: ...
    def exclude(self, name: str | int | None = ..., /) -> NamedView: ...
    @property
    def exclude_signature(self) -> NDArray[np.int32]:
        """the two body indices packed into one integer, 16 bits each; sort key"""
    @exclude_signature.setter
    def exclude_signature(self, value: ArrayLike) -> None: ...
    def flex(self, name: str | int | None = ..., /) -> NamedView: ...
    @property
    def flex_activelayers(self) -> NDArray[np.int32]:
        """for solids, how many element layers from the surface inward may collide"""
    @flex_activelayers.setter
    def flex_activelayers(self, value: ArrayLike) -> None: ...
    @property
    def flex_bandwidth(self) -> NDArray[np.int32]:
        """dof bandwidth of the implicit elasticity system; the same maximum for every flex"""
    @flex_bandwidth.setter
    def flex_bandwidth(self, value: ArrayLike) -> None: ...
    @property
    def flex_bending(self) -> NDArray[np.float64]:
        """for each edge of a cloth: a 4x4 bending matrix, then a term for a curved rest shape"""
    @flex_bending.setter
    def flex_bending(self, value: ArrayLike) -> None: ...
    @property
    def flex_bvhadr(self) -> NDArray[np.int32]:
        """root node of the flex's BVH of elements; -1 without BVH"""
    @flex_bvhadr.setter
    def flex_bvhadr(self, value: ArrayLike) -> None: ...
    @property
    def flex_bvhnum(self) -> NDArray[np.int32]:
        """number of nodes of the flex's BVH"""
    @flex_bvhnum.setter
    def flex_bvhnum(self, value: ArrayLike) -> None: ...
    @property
    def flex_cellnum(self) -> NDArray[np.int32]:
        """interpolation cells along x, y and z"""
    @flex_cellnum.setter
    def flex_cellnum(self, value: ArrayLike) -> None: ...
    @property
    def flex_centered(self) -> NDArray[np.bool_]:
        """true when every vertex sits at its body's origin, so offsets can be skipped"""
    @flex_centered.setter
    def flex_centered(self, value: ArrayLike) -> None: ...
    @property
    def flex_conaffinity(self) -> NDArray[np.int32]:
        """32-bit mask matched against the other object's contype"""
    @flex_conaffinity.setter
    def flex_conaffinity(self, value: ArrayLike) -> None: ...
    @property
    def flex_condim(self) -> NDArray[np.int32]:
        """contact directions: 1 normal, 3 adds sliding, 4 adds torsion, 6 adds rolling"""
    @flex_condim.setter
    def flex_condim(self, value: ArrayLike) -> None: ...
    @property
    def flex_contype(self) -> NDArray[np.int32]:
        """32-bit mask matched against the other object's conaffinity"""
    @flex_contype.setter
    def flex_contype(self, value: ArrayLike) -> None: ...
    @property
    def flex_damping(self) -> NDArray[np.float64]:
        """damping proportional to stiffness (s)"""
    @flex_damping.setter
    def flex_damping(self, value: ArrayLike) -> None: ...
    @property
    def flex_dim(self) -> NDArray[np.int32]:
        """dimension of the elements: 1 cable, 2 cloth, 3 solid"""
    @flex_dim.setter
    def flex_dim(self, value: ArrayLike) -> None: ...
    @property
    def flex_edge(self) -> NDArray[np.int32]:
        """two end vertices, relative to the flex's first vertex"""
    @flex_edge.setter
    def flex_edge(self, value: ArrayLike) -> None: ...
    @property
    def flex_edgeadr(self) -> NDArray[np.int32]:
        """index of the flex's first edge"""
    @flex_edgeadr.setter
    def flex_edgeadr(self, value: ArrayLike) -> None: ...
    @property
    def flex_edgedamping(self) -> NDArray[np.float64]:
        """viscous coefficient of every edge (N s/m); 0 for none"""
    @flex_edgedamping.setter
    def flex_edgedamping(self, value: ArrayLike) -> None: ...
    @property
    def flex_edgeequality(self) -> NDArray[np.int32]:
        """equality constraint type: 0 none, 1 edge lengths, 2 vertex strain, 3 cell strain"""
    @flex_edgeequality.setter
    def flex_edgeequality(self, value: ArrayLike) -> None: ...
    @property
    def flex_edgeflap(self) -> NDArray[np.int32]:
        """in cloth, the far corners of the two triangles sharing the edge; -1 where missing"""
    @flex_edgeflap.setter
    def flex_edgeflap(self, value: ArrayLike) -> None: ...
    @property
    def flex_edgenum(self) -> NDArray[np.int32]:
        """number of edges of the flex"""
    @flex_edgenum.setter
    def flex_edgenum(self, value: ArrayLike) -> None: ...
    @property
    def flex_edgestiffness(self) -> NDArray[np.float64]:
        """spring constant of every edge (N/m); 0 for none"""
    @flex_edgestiffness.setter
    def flex_edgestiffness(self, value: ArrayLike) -> None: ...
    @property
    def flex_elem(self) -> NDArray[np.int32]:
        """corners of all elements, dim+1 per element, relative to the flex's first vertex"""
    @flex_elem.setter
    def flex_elem(self, value: ArrayLike) -> None: ...
    @property
    def flex_elemadr(self) -> NDArray[np.int32]:
        """index of the flex's first element"""
    @flex_elemadr.setter
    def flex_elemadr(self, value: ArrayLike) -> None: ...
    @property
    def flex_elemdataadr(self) -> NDArray[np.int32]:
        """start of the flex's corners in flex_elem"""
    @flex_elemdataadr.setter
    def flex_elemdataadr(self, value: ArrayLike) -> None: ...
    @property
    def flex_elemedge(self) -> NDArray[np.int32]:
        """bounding edges of all elements, relative to the flex's first edge"""
    @flex_elemedge.setter
    def flex_elemedge(self, value: ArrayLike) -> None: ...
    @property
    def flex_elemedgeadr(self) -> NDArray[np.int32]:
        """start of the flex's entries in flex_elemedge"""
    @flex_elemedgeadr.setter
    def flex_elemedgeadr(self, value: ArrayLike) -> None: ...
    @property
    def flex_elemlayer(self) -> NDArray[np.int32]:
        """distance of the element from the surface in element layers; 0 at the boundary"""
    @flex_elemlayer.setter
    def flex_elemlayer(self, value: ArrayLike) -> None: ...
    @property
    def flex_elemnum(self) -> NDArray[np.int32]:
        """number of elements of the flex"""
    @flex_elemnum.setter
    def flex_elemnum(self, value: ArrayLike) -> None: ...
    @property
    def flex_elemtexcoord(self) -> NDArray[np.int32]:
        """uv index of every corner, laid out like flex_elem"""
    @flex_elemtexcoord.setter
    def flex_elemtexcoord(self, value: ArrayLike) -> None: ...
    @property
    def flex_evpair(self) -> NDArray[np.int32]:
        """element and vertex of one flex to be tested together, both relative to the flex"""
    @flex_evpair.setter
    def flex_evpair(self, value: ArrayLike) -> None: ...
    @property
    def flex_evpairadr(self) -> NDArray[np.int32]:
        """index of the flex's first row in flex_evpair"""
    @flex_evpairadr.setter
    def flex_evpairadr(self, value: ArrayLike) -> None: ...
    @property
    def flex_evpairnum(self) -> NDArray[np.int32]:
        """number of rows of the flex in flex_evpair"""
    @flex_evpairnum.setter
    def flex_evpairnum(self, value: ArrayLike) -> None: ...
    @property
    def flex_flatskin(self) -> NDArray[np.bool_]:
        """true to draw faceted, false to smooth normals across faces"""
    @flex_flatskin.setter
    def flex_flatskin(self, value: ArrayLike) -> None: ...
    @property
    def flex_friction(self) -> NDArray[np.float64]:
        """coefficients: sliding (unitless), torsional (m), rolling (m)"""
    @flex_friction.setter
    def flex_friction(self, value: ArrayLike) -> None: ...
    @property
    def flex_gap(self) -> NDArray[np.float64]:
        """part of the margin in which contacts are detected but generate no force (m)"""
    @flex_gap.setter
    def flex_gap(self, value: ArrayLike) -> None: ...
    @property
    def flex_group(self) -> NDArray[np.int32]:
        """visualization group"""
    @flex_group.setter
    def flex_group(self, value: ArrayLike) -> None: ...
    @property
    def flex_internal(self) -> NDArray[np.bool_]:
        """whether internal collisions between vertices and adjacent elements are enabled"""
    @flex_internal.setter
    def flex_internal(self, value: ArrayLike) -> None: ...
    @property
    def flex_interp(self) -> NDArray[np.int32]:
        """0 when vertices move on their own, else the polynomial order that maps nodes to vertices"""
    @flex_interp.setter
    def flex_interp(self, value: ArrayLike) -> None: ...
    @property
    def flex_margin(self) -> NDArray[np.float64]:
        """surface separation (m) under which a contact is generated"""
    @flex_margin.setter
    def flex_margin(self, value: ArrayLike) -> None: ...
    @property
    def flex_matid(self) -> NDArray[np.int32]:
        """material used for display; -1 to use flex_rgba alone"""
    @flex_matid.setter
    def flex_matid(self, value: ArrayLike) -> None: ...
    @property
    def flex_node(self) -> NDArray[np.float64]:
        """node offset in the frame of its body (m)"""
    @flex_node.setter
    def flex_node(self, value: ArrayLike) -> None: ...
    @property
    def flex_node0(self) -> NDArray[np.float64]:
        """node position in the world at qpos0 (m)"""
    @flex_node0.setter
    def flex_node0(self, value: ArrayLike) -> None: ...
    @property
    def flex_nodeadr(self) -> NDArray[np.int32]:
        """index of the flex's first node"""
    @flex_nodeadr.setter
    def flex_nodeadr(self, value: ArrayLike) -> None: ...
    @property
    def flex_nodebodyid(self) -> NDArray[np.int32]:
        """body of each node"""
    @flex_nodebodyid.setter
    def flex_nodebodyid(self, value: ArrayLike) -> None: ...
    @property
    def flex_nodenum(self) -> NDArray[np.int32]:
        """number of nodes of the flex"""
    @flex_nodenum.setter
    def flex_nodenum(self, value: ArrayLike) -> None: ...
    @property
    def flex_passive(self) -> NDArray[np.int32]:
        """nonzero turns contacts with this flex into passive forces, not solver constraints"""
    @flex_passive.setter
    def flex_passive(self, value: ArrayLike) -> None: ...
    @property
    def flex_priority(self) -> NDArray[np.int32]:
        """priority: the higher of two colliding objects determines the contact parameters"""
    @flex_priority.setter
    def flex_priority(self, value: ArrayLike) -> None: ...
    @property
    def flex_radius(self) -> NDArray[np.float64]:
        """collision radius around every element (m)"""
    @flex_radius.setter
    def flex_radius(self, value: ArrayLike) -> None: ...
    @property
    def flex_rgba(self) -> NDArray[np.float32]:
        """display colour and opacity, each in 0 to 1, used without a material"""
    @flex_rgba.setter
    def flex_rgba(self, value: ArrayLike) -> None: ...
    @property
    def flex_rigid(self) -> NDArray[np.bool_]:
        """true when the whole flex is attached to a single body and cannot deform"""
    @flex_rigid.setter
    def flex_rigid(self, value: ArrayLike) -> None: ...
    @property
    def flex_selfcollide(self) -> NDArray[np.int32]:
        """self-collision mode: none, narrow phase only, BVH, sweep-and-prune or automatic"""
    @flex_selfcollide.setter
    def flex_selfcollide(self, value: ArrayLike) -> None: ...
    @property
    def flex_shell(self) -> NDArray[np.int32]:
        """vertices of all surface fragments, dim per fragment, relative to the flex's first vertex"""
    @flex_shell.setter
    def flex_shell(self, value: ArrayLike) -> None: ...
    @property
    def flex_shelldataadr(self) -> NDArray[np.int32]:
        """start of the flex's corners in flex_shell"""
    @flex_shelldataadr.setter
    def flex_shelldataadr(self, value: ArrayLike) -> None: ...
    @property
    def flex_shellnum(self) -> NDArray[np.int32]:
        """number of surface fragments of the flex"""
    @flex_shellnum.setter
    def flex_shellnum(self, value: ArrayLike) -> None: ...
    @property
    def flex_size(self) -> NDArray[np.float64]:
        """half-extents of the box around all vertices at qpos0 (m)"""
    @flex_size.setter
    def flex_size(self, value: ArrayLike) -> None: ...
    @property
    def flex_solimp(self) -> NDArray[np.float64]:
        """contact impedance curve: start, end, width, midpoint, power"""
    @flex_solimp.setter
    def flex_solimp(self, value: ArrayLike) -> None: ...
    @property
    def flex_solmix(self) -> NDArray[np.float64]:
        """weight of this flex when contact solver parameters are averaged"""
    @flex_solmix.setter
    def flex_solmix(self, value: ArrayLike) -> None: ...
    @property
    def flex_solref(self) -> NDArray[np.float64]:
        """contact response: time constant (s) and damping ratio, or negated stiffness and damping"""
    @flex_solref.setter
    def flex_solref(self, value: ArrayLike) -> None: ...
    @property
    def flex_stiffness(self) -> NDArray[np.float64]:
        """elastic coefficients: 21 per element, or a dense block per cell if interpolated"""
    @flex_stiffness.setter
    def flex_stiffness(self, value: ArrayLike) -> None: ...
    @property
    def flex_stiffnessadr(self) -> NDArray[np.int32]:
        """start of the flex's coefficients in flex_stiffness"""
    @flex_stiffnessadr.setter
    def flex_stiffnessadr(self, value: ArrayLike) -> None: ...
    @property
    def flex_texcoord(self) -> NDArray[np.float32]:
        """uv coordinates of all flexes"""
    @flex_texcoord.setter
    def flex_texcoord(self, value: ArrayLike) -> None: ...
    @property
    def flex_texcoordadr(self) -> NDArray[np.int32]:
        """index of the flex's first uv coordinate; -1 for none"""
    @flex_texcoordadr.setter
    def flex_texcoordadr(self, value: ArrayLike) -> None: ...
    @property
    def flex_vert(self) -> NDArray[np.float64]:
        """vertex offset in the frame of its body (m)"""
    @flex_vert.setter
    def flex_vert(self, value: ArrayLike) -> None: ...
    @property
    def flex_vert0(self) -> NDArray[np.float64]:
        """vertex at qpos0, scaled so the flex's bounding box is the unit cube"""
    @flex_vert0.setter
    def flex_vert0(self, value: ArrayLike) -> None: ...
    @property
    def flex_vertadr(self) -> NDArray[np.int32]:
        """index of the flex's first vertex"""
    @flex_vertadr.setter
    def flex_vertadr(self, value: ArrayLike) -> None: ...
    @property
    def flex_vertbodyid(self) -> NDArray[np.int32]:
        """body of each vertex; -1 when the vertex is interpolated from nodes"""
    @flex_vertbodyid.setter
    def flex_vertbodyid(self, value: ArrayLike) -> None: ...
    @property
    def flex_vertedge(self) -> NDArray[np.int32]:
        """incident edges of all vertices concatenated, relative to the flex's first edge"""
    @flex_vertedge.setter
    def flex_vertedge(self, value: ArrayLike) -> None: ...
    @property
    def flex_vertedgeadr(self) -> NDArray[np.int32]:
        """start of a vertex's incident edges in flex_vertedge"""
    @flex_vertedgeadr.setter
    def flex_vertedgeadr(self, value: ArrayLike) -> None: ...
    @property
    def flex_vertedgenum(self) -> NDArray[np.int32]:
        """number of edges incident to the vertex; filled only for cloth with vertex-strain constraints"""
    @flex_vertedgenum.setter
    def flex_vertedgenum(self, value: ArrayLike) -> None: ...
    @property
    def flex_vertmetric(self) -> NDArray[np.float64]:
        """2x2 inverse of the rest-shape matrix around the vertex, row-major; zero if singular"""
    @flex_vertmetric.setter
    def flex_vertmetric(self, value: ArrayLike) -> None: ...
    @property
    def flex_vertnum(self) -> NDArray[np.int32]:
        """number of vertices of the flex"""
    @flex_vertnum.setter
    def flex_vertnum(self, value: ArrayLike) -> None: ...
    @property
    def flexedge_J_colind(self) -> NDArray[np.int32]:
        """dof of every entry of flexedge_J"""
    @flexedge_J_colind.setter
    def flexedge_J_colind(self, value: ArrayLike) -> None: ...
    @property
    def flexedge_J_rowadr(self) -> NDArray[np.int32]:
        """start of the edge's row in flexedge_J and flexedge_J_colind"""
    @flexedge_J_rowadr.setter
    def flexedge_J_rowadr(self, value: ArrayLike) -> None: ...
    @property
    def flexedge_J_rownnz(self) -> NDArray[np.int32]:
        """number of dofs that affect the edge length"""
    @flexedge_J_rownnz.setter
    def flexedge_J_rownnz(self, value: ArrayLike) -> None: ...
    @property
    def flexedge_invweight0(self) -> NDArray[np.float64]:
        """inverse inertia along the edge direction at qpos0 (1/kg)"""
    @flexedge_invweight0.setter
    def flexedge_invweight0(self, value: ArrayLike) -> None: ...
    @property
    def flexedge_length0(self) -> NDArray[np.float64]:
        """edge length at qpos0 (m), the rest length"""
    @flexedge_length0.setter
    def flexedge_length0(self, value: ArrayLike) -> None: ...
    @property
    def flexedge_rigid(self) -> NDArray[np.bool_]:
        """true when the edge's two ends are attached to one body, so its length is constant"""
    @flexedge_rigid.setter
    def flexedge_rigid(self, value: ArrayLike) -> None: ...
    @property
    def flexvert_J_colind(self) -> NDArray[np.int32]:
        """dof of every entry of flexvert_J"""
    @flexvert_J_colind.setter
    def flexvert_J_colind(self, value: ArrayLike) -> None: ...
    @property
    def flexvert_J_rowadr(self) -> NDArray[np.int32]:
        """start of each of the vertex's two rows in flexvert_J"""
    @flexvert_J_rowadr.setter
    def flexvert_J_rowadr(self, value: ArrayLike) -> None: ...
    @property
    def flexvert_J_rownnz(self) -> NDArray[np.int32]:
        """number of dofs that affect each of the two strain measures of the vertex"""
    @flexvert_J_rownnz.setter
    def flexvert_J_rownnz(self, value: ArrayLike) -> None: ...
    @staticmethod
    def from_binary_path(filename: str | os.PathLike[str], assets: dict[str, Any] | None = ...) -> MjModel: ...
    @staticmethod
    def from_bytes(bytes: bytes) -> MjModel: ...
    @staticmethod
    def from_xml_path(filename: str | os.PathLike[str], assets: dict[str, Any] | None = ...) -> MjModel: ...
    @staticmethod
    def from_xml_string(xml: str | bytes, assets: dict[str, Any] | None = ...) -> MjModel: ...
    def geom(self, name: str | int | None = ..., /) -> NamedView: ...
    @property
    def geom_aabb(self) -> NDArray[np.float64]:
        """box centre and half-extents in the geom frame (m)"""
    @geom_aabb.setter
    def geom_aabb(self, value: ArrayLike) -> None: ...
    @property
    def geom_bodyid(self) -> NDArray[np.int32]:
        """body the geom is rigidly attached to"""
    @geom_bodyid.setter
    def geom_bodyid(self, value: ArrayLike) -> None: ...
    @property
    def geom_conaffinity(self) -> NDArray[np.int32]:
        """32-bit mask matched against the other geom's contype"""
    @geom_conaffinity.setter
    def geom_conaffinity(self, value: ArrayLike) -> None: ...
    @property
    def geom_condim(self) -> NDArray[np.int32]:
        """contact directions: 1 normal, 3 adds sliding, 4 adds torsion, 6 adds rolling"""
    @geom_condim.setter
    def geom_condim(self, value: ArrayLike) -> None: ...
    @property
    def geom_contype(self) -> NDArray[np.int32]:
        """32-bit mask matched against the other geom's conaffinity; any shared bit lets them collide"""
    @geom_contype.setter
    def geom_contype(self, value: ArrayLike) -> None: ...
    @property
    def geom_dataid(self) -> NDArray[np.int32]:
        """mesh or height-map asset giving the shape; -1 for a primitive"""
    @geom_dataid.setter
    def geom_dataid(self, value: ArrayLike) -> None: ...
    @property
    def geom_fluid(self) -> NDArray[np.float64]:
        """ellipsoid fluid model: on switch, five force coefficients, three added masses, three added inertias"""
    @geom_fluid.setter
    def geom_fluid(self, value: ArrayLike) -> None: ...
    @property
    def geom_friction(self) -> NDArray[np.float64]:
        """coefficients: sliding (unitless), torsional (m), rolling (m)"""
    @geom_friction.setter
    def geom_friction(self, value: ArrayLike) -> None: ...
    @property
    def geom_gap(self) -> NDArray[np.float64]:
        """part of the margin in which contacts are detected but generate no force (m)"""
    @geom_gap.setter
    def geom_gap(self, value: ArrayLike) -> None: ...
    @property
    def geom_group(self) -> NDArray[np.int32]:
        """visualization group"""
    @geom_group.setter
    def geom_group(self, value: ArrayLike) -> None: ...
    @property
    def geom_margin(self) -> NDArray[np.float64]:
        """surface separation (m) under which a contact is generated"""
    @geom_margin.setter
    def geom_margin(self, value: ArrayLike) -> None: ...
    @property
    def geom_matid(self) -> NDArray[np.int32]:
        """material used for display; -1 to use geom_rgba alone"""
    @geom_matid.setter
    def geom_matid(self, value: ArrayLike) -> None: ...
    @property
    def geom_plugin(self) -> NDArray[np.int32]:
        """plugin instance supplying the distance function; -1 for none"""
    @geom_plugin.setter
    def geom_plugin(self, value: ArrayLike) -> None: ...
    @property
    def geom_pos(self) -> NDArray[np.float64]:
        """origin of the geom in its body's frame (m)"""
    @geom_pos.setter
    def geom_pos(self, value: ArrayLike) -> None: ...
    @property
    def geom_priority(self) -> NDArray[np.int32]:
        """priority: the higher of two geoms determines the contact parameters; equal ones are mixed"""
    @geom_priority.setter
    def geom_priority(self, value: ArrayLike) -> None: ...
    @property
    def geom_quat(self) -> NDArray[np.float64]:
        """rotation from geom to body axes (w, x, y, z)"""
    @geom_quat.setter
    def geom_quat(self, value: ArrayLike) -> None: ...
    @property
    def geom_rbound(self) -> NDArray[np.float64]:
        """distance from the geom origin that encloses the shape (m); 0 for an unbounded plane"""
    @geom_rbound.setter
    def geom_rbound(self, value: ArrayLike) -> None: ...
    @property
    def geom_rgba(self) -> NDArray[np.float32]:
        """display colour and opacity, each in 0 to 1, used without a material"""
    @geom_rgba.setter
    def geom_rgba(self, value: ArrayLike) -> None: ...
    @property
    def geom_sameframe(self) -> NDArray[np.int32]:
        """coincidence of the geom frame with its body or inertial frame"""
    @geom_sameframe.setter
    def geom_sameframe(self, value: ArrayLike) -> None: ...
    @property
    def geom_size(self) -> NDArray[np.float64]:
        """dimensions in the convention of the shape, mostly half-lengths and radii (m)"""
    @geom_size.setter
    def geom_size(self, value: ArrayLike) -> None: ...
    @property
    def geom_solimp(self) -> NDArray[np.float64]:
        """contact impedance curve: start, end, width, midpoint, power"""
    @geom_solimp.setter
    def geom_solimp(self, value: ArrayLike) -> None: ...
    @property
    def geom_solmix(self) -> NDArray[np.float64]:
        """weight of this geom when contact solver parameters of two geoms are averaged"""
    @geom_solmix.setter
    def geom_solmix(self, value: ArrayLike) -> None: ...
    @property
    def geom_solref(self) -> NDArray[np.float64]:
        """contact response: time constant (s) and damping ratio, or negated stiffness and damping"""
    @geom_solref.setter
    def geom_solref(self, value: ArrayLike) -> None: ...
    @property
    def geom_type(self) -> NDArray[np.int32]:
        """shape of the geom: plane, sphere, box, mesh and so on"""
    @geom_type.setter
    def geom_type(self, value: ArrayLike) -> None: ...
    @property
    def geom_user(self) -> NDArray[np.float64]:
        """user data, nuser_geom values per row"""
    @geom_user.setter
    def geom_user(self, value: ArrayLike) -> None: ...
    def hfield(self, name: str | int | None = ..., /) -> NamedView: ...
    @property
    def hfield_adr(self) -> NDArray[np.int32]:
        """start of the height field's samples in hfield_data"""
    @hfield_adr.setter
    def hfield_adr(self, value: ArrayLike) -> None: ...
    @property
    def hfield_data(self) -> NDArray[np.float32]:
        """heights scaled to 0 through 1, row by row"""
    @hfield_data.setter
    def hfield_data(self, value: ArrayLike) -> None: ...
    @property
    def hfield_ncol(self) -> NDArray[np.int32]:
        """samples along x"""
    @hfield_ncol.setter
    def hfield_ncol(self, value: ArrayLike) -> None: ...
    @property
    def hfield_nrow(self) -> NDArray[np.int32]:
        """samples along y"""
    @hfield_nrow.setter
    def hfield_nrow(self, value: ArrayLike) -> None: ...
    @property
    def hfield_pathadr(self) -> NDArray[np.int32]:
        """start of the height field's file name in paths; -1 without a file"""
    @hfield_pathadr.setter
    def hfield_pathadr(self, value: ArrayLike) -> None: ...
    @property
    def hfield_size(self) -> NDArray[np.float64]:
        """half-length in x, half-length in y, height of a full-scale sample, base depth below zero (m)"""
    @hfield_size.setter
    def hfield_size(self, value: ArrayLike) -> None: ...
    def jnt(self, name: str | int | None = ..., /) -> NamedView: ...
    @property
    def jnt_actfrclimited(self) -> NDArray[np.bool_]:
        """whether the summed actuator force on the joint is clamped to jnt_actfrcrange"""
    @jnt_actfrclimited.setter
    def jnt_actfrclimited(self, value: ArrayLike) -> None: ...
    @property
    def jnt_actfrcrange(self) -> NDArray[np.float64]:
        """lowest and highest total actuator force passed to the joint (N or N m)"""
    @jnt_actfrcrange.setter
    def jnt_actfrcrange(self, value: ArrayLike) -> None: ...
    @property
    def jnt_actgravcomp(self) -> NDArray[np.bool_]:
        """whether gravity compensation on this joint counts as actuator force, not passive"""
    @jnt_actgravcomp.setter
    def jnt_actgravcomp(self, value: ArrayLike) -> None: ...
    @property
    def jnt_actuatorid(self) -> NDArray[np.int32]:
        """actuator that adds damping or armature; -1 for none, -2 for several"""
    @jnt_actuatorid.setter
    def jnt_actuatorid(self, value: ArrayLike) -> None: ...
    @property
    def jnt_axis(self) -> NDArray[np.float64]:
        """unit axis of a hinge or slide in the body frame"""
    @jnt_axis.setter
    def jnt_axis(self, value: ArrayLike) -> None: ...
    @property
    def jnt_bodyid(self) -> NDArray[np.int32]:
        """body that the joint moves relative to its parent"""
    @jnt_bodyid.setter
    def jnt_bodyid(self, value: ArrayLike) -> None: ...
    @property
    def jnt_dofadr(self) -> NDArray[np.int32]:
        """index of the joint's first dof"""
    @jnt_dofadr.setter
    def jnt_dofadr(self, value: ArrayLike) -> None: ...
    @property
    def jnt_group(self) -> NDArray[np.int32]:
        """visualization group"""
    @jnt_group.setter
    def jnt_group(self, value: ArrayLike) -> None: ...
    @property
    def jnt_limited(self) -> NDArray[np.bool_]:
        """whether jnt_range is enforced"""
    @jnt_limited.setter
    def jnt_limited(self, value: ArrayLike) -> None: ...
    @property
    def jnt_margin(self) -> NDArray[np.float64]:
        """distance from the limit below which the constraint is active (m or rad)"""
    @jnt_margin.setter
    def jnt_margin(self, value: ArrayLike) -> None: ...
    @property
    def jnt_pos(self) -> NDArray[np.float64]:
        """pivot point in the body frame (m); ignored for free joints"""
    @jnt_pos.setter
    def jnt_pos(self, value: ArrayLike) -> None: ...
    @property
    def jnt_qposadr(self) -> NDArray[np.int32]:
        """index of the joint's first entry in qpos"""
    @jnt_qposadr.setter
    def jnt_qposadr(self, value: ArrayLike) -> None: ...
    @property
    def jnt_range(self) -> NDArray[np.float64]:
        """lower and upper position (m or rad); for a ball only the upper, its largest angle"""
    @jnt_range.setter
    def jnt_range(self, value: ArrayLike) -> None: ...
    @property
    def jnt_solimp(self) -> NDArray[np.float64]:
        """limit constraint impedance curve: start, end, width, midpoint, power"""
    @jnt_solimp.setter
    def jnt_solimp(self, value: ArrayLike) -> None: ...
    @property
    def jnt_solref(self) -> NDArray[np.float64]:
        """limit constraint response: time constant (s) and damping ratio, or negated stiffness and damping"""
    @jnt_solref.setter
    def jnt_solref(self, value: ArrayLike) -> None: ...
    @property
    def jnt_stiffness(self) -> NDArray[np.float64]:
        """spring constant about qpos_spring (N/m or N m/rad)"""
    @jnt_stiffness.setter
    def jnt_stiffness(self, value: ArrayLike) -> None: ...
    @property
    def jnt_stiffnesspoly(self) -> NDArray[np.float64]:
        """polynomial stiffness coefficients of deflection and deflection squared"""
    @jnt_stiffnesspoly.setter
    def jnt_stiffnesspoly(self, value: ArrayLike) -> None: ...
    @property
    def jnt_type(self) -> NDArray[np.int32]:
        """kind of joint: free, ball, slide or hinge"""
    @jnt_type.setter
    def jnt_type(self, value: ArrayLike) -> None: ...
    @property
    def jnt_user(self) -> NDArray[np.float64]:
        """user data, nuser_jnt values per row"""
    @jnt_user.setter
    def jnt_user(self, value: ArrayLike) -> None: ...
    def joint(self, name: str | int | None = ..., /) -> NamedView: ...
    def key(self, name: str | int | None = ..., /) -> NamedView: ...
    @property
    def key_act(self) -> NDArray[np.float64]:
        """activations to restore"""
    @key_act.setter
    def key_act(self, value: ArrayLike) -> None: ...
    @property
    def key_ctrl(self) -> NDArray[np.float64]:
        """controls to restore"""
    @key_ctrl.setter
    def key_ctrl(self, value: ArrayLike) -> None: ...
    @property
    def key_mpos(self) -> NDArray[np.float64]:
        """positions of mocap bodies to restore (m, world)"""
    @key_mpos.setter
    def key_mpos(self, value: ArrayLike) -> None: ...
    @property
    def key_mquat(self) -> NDArray[np.float64]:
        """orientations of mocap bodies to restore (w, x, y, z)"""
    @key_mquat.setter
    def key_mquat(self, value: ArrayLike) -> None: ...
    @property
    def key_qpos(self) -> NDArray[np.float64]:
        """joint configuration to restore"""
    @key_qpos.setter
    def key_qpos(self, value: ArrayLike) -> None: ...
    @property
    def key_qvel(self) -> NDArray[np.float64]:
        """joint velocity to restore"""
    @key_qvel.setter
    def key_qvel(self, value: ArrayLike) -> None: ...
    @property
    def key_time(self) -> NDArray[np.float64]:
        """simulation time to restore (s)"""
    @key_time.setter
    def key_time(self, value: ArrayLike) -> None: ...
    def keyframe(self, name: str | int | None = ..., /) -> NamedView: ...
    def light(self, name: str | int | None = ..., /) -> NamedView: ...
    @property
    def light_active(self) -> NDArray[np.bool_]:
        """whether the light is switched on at start"""
    @light_active.setter
    def light_active(self, value: ArrayLike) -> None: ...
    @property
    def light_ambient(self) -> NDArray[np.float32]:
        """colour contributed everywhere regardless of direction (r, g, b)"""
    @light_ambient.setter
    def light_ambient(self, value: ArrayLike) -> None: ...
    @property
    def light_attenuation(self) -> NDArray[np.float32]:
        """constant, linear and quadratic falloff with distance"""
    @light_attenuation.setter
    def light_attenuation(self, value: ArrayLike) -> None: ...
    @property
    def light_bodyid(self) -> NDArray[np.int32]:
        """body carrying the light"""
    @light_bodyid.setter
    def light_bodyid(self, value: ArrayLike) -> None: ...
    @property
    def light_bulbradius(self) -> NDArray[np.float32]:
        """size of the emitter (m); larger gives softer shadow edges"""
    @light_bulbradius.setter
    def light_bulbradius(self, value: ArrayLike) -> None: ...
    @property
    def light_castshadow(self) -> NDArray[np.bool_]:
        """whether objects lit by it throw shadows"""
    @light_castshadow.setter
    def light_castshadow(self, value: ArrayLike) -> None: ...
    @property
    def light_cutoff(self) -> NDArray[np.float32]:
        """half-angle of the spot cone (degrees)"""
    @light_cutoff.setter
    def light_cutoff(self, value: ArrayLike) -> None: ...
    @property
    def light_diffuse(self) -> NDArray[np.float32]:
        """colour of the matt reflection (r, g, b)"""
    @light_diffuse.setter
    def light_diffuse(self, value: ArrayLike) -> None: ...
    @property
    def light_dir(self) -> NDArray[np.float64]:
        """unit vector of emission in the carrying body's frame"""
    @light_dir.setter
    def light_dir(self, value: ArrayLike) -> None: ...
    @property
    def light_dir0(self) -> NDArray[np.float64]:
        """unit vector of emission in world axes at qpos0"""
    @light_dir0.setter
    def light_dir0(self, value: ArrayLike) -> None: ...
    @property
    def light_exponent(self) -> NDArray[np.float32]:
        """exponent of the intensity falloff from the axis of a spot light"""
    @light_exponent.setter
    def light_exponent(self, value: ArrayLike) -> None: ...
    @property
    def light_intensity(self) -> NDArray[np.float32]:
        """luminous strength in candela, for physically based renderers"""
    @light_intensity.setter
    def light_intensity(self, value: ArrayLike) -> None: ...
    @property
    def light_mode(self) -> NDArray[np.int32]:
        """tracking mode: fixed, tracking the body, or aiming at a target"""
    @light_mode.setter
    def light_mode(self, value: ArrayLike) -> None: ...
    @property
    def light_pos(self) -> NDArray[np.float64]:
        """origin of the light in the carrying body's frame (m)"""
    @light_pos.setter
    def light_pos(self, value: ArrayLike) -> None: ...
    @property
    def light_pos0(self) -> NDArray[np.float64]:
        """world-axes offset from the carrying body's origin to the light at qpos0 (m)"""
    @light_pos0.setter
    def light_pos0(self, value: ArrayLike) -> None: ...
    @property
    def light_poscom0(self) -> NDArray[np.float64]:
        """world-axes offset from the subtree centre of mass to the light at qpos0 (m)"""
    @light_poscom0.setter
    def light_poscom0(self, value: ArrayLike) -> None: ...
    @property
    def light_range(self) -> NDArray[np.float32]:
        """distance (m) beyond which the light has no effect"""
    @light_range.setter
    def light_range(self, value: ArrayLike) -> None: ...
    @property
    def light_specular(self) -> NDArray[np.float32]:
        """colour of the mirror-like highlight (r, g, b)"""
    @light_specular.setter
    def light_specular(self, value: ArrayLike) -> None: ...
    @property
    def light_targetbodyid(self) -> NDArray[np.int32]:
        """body the light aims at in the targeting modes; -1 when unset"""
    @light_targetbodyid.setter
    def light_targetbodyid(self, value: ArrayLike) -> None: ...
    @property
    def light_texid(self) -> NDArray[np.int32]:
        """environment texture of an image light; -1 when unused"""
    @light_texid.setter
    def light_texid(self, value: ArrayLike) -> None: ...
    @property
    def light_type(self) -> NDArray[np.int32]:
        """kind of emitter: spot, directional, point or image"""
    @light_type.setter
    def light_type(self, value: ArrayLike) -> None: ...
    @property
    def mapD2M(self) -> NDArray[np.int32]:
        """address in the D pattern of each entry of M"""
    @mapD2M.setter
    def mapD2M(self, value: ArrayLike) -> None: ...
    @property
    def mapM2D(self) -> NDArray[np.int32]:
        """address in M of each entry of the D pattern; -1 if M does not store it"""
    @mapM2D.setter
    def mapM2D(self, value: ArrayLike) -> None: ...
    @property
    def mapM2M(self) -> NDArray[np.int32]:
        """address in qM of each entry of M"""
    @mapM2M.setter
    def mapM2M(self, value: ArrayLike) -> None: ...
    def mat(self, name: str | int | None = ..., /) -> NamedView: ...
    @property
    def mat_emission(self) -> NDArray[np.float32]:
        """emission, as a multiple of the material colour"""
    @mat_emission.setter
    def mat_emission(self, value: ArrayLike) -> None: ...
    @property
    def mat_metallic(self) -> NDArray[np.float32]:
        """physically based metalness, 0 to 1; negative when unspecified"""
    @mat_metallic.setter
    def mat_metallic(self, value: ArrayLike) -> None: ...
    @property
    def mat_reflectance(self) -> NDArray[np.float32]:
        """reflectance of planes and boxes, 0 to 1"""
    @mat_reflectance.setter
    def mat_reflectance(self, value: ArrayLike) -> None: ...
    @property
    def mat_rgba(self) -> NDArray[np.float32]:
        """display colour and opacity, each in 0 to 1"""
    @mat_rgba.setter
    def mat_rgba(self, value: ArrayLike) -> None: ...
    @property
    def mat_roughness(self) -> NDArray[np.float32]:
        """physically based micro-roughness, 0 to 1; negative when unspecified"""
    @mat_roughness.setter
    def mat_roughness(self, value: ArrayLike) -> None: ...
    @property
    def mat_shininess(self) -> NDArray[np.float32]:
        """shininess, 0 to 1"""
    @mat_shininess.setter
    def mat_shininess(self, value: ArrayLike) -> None: ...
    @property
    def mat_specular(self) -> NDArray[np.float32]:
        """specular coefficient, 0 to 1"""
    @mat_specular.setter
    def mat_specular(self, value: ArrayLike) -> None: ...
    @property
    def mat_texid(self) -> NDArray[np.int32]:
        """texture used in each of the ten roles (colour, roughness, normal map and others); -1 where unused"""
    @mat_texid.setter
    def mat_texid(self, value: ArrayLike) -> None: ...
    @property
    def mat_texrepeat(self) -> NDArray[np.float32]:
        """tiling count of a flat texture along its two directions"""
    @mat_texrepeat.setter
    def mat_texrepeat(self, value: ArrayLike) -> None: ...
    @property
    def mat_texuniform(self) -> NDArray[np.bool_]:
        """whether texture scale is in metres instead of following the object's size"""
    @mat_texuniform.setter
    def mat_texuniform(self, value: ArrayLike) -> None: ...
    def material(self, name: str | int | None = ..., /) -> NamedView: ...
    def mesh(self, name: str | int | None = ..., /) -> NamedView: ...
    @property
    def mesh_bvhadr(self) -> NDArray[np.int32]:
        """root node of the mesh's BVH of triangles; -1 without BVH"""
    @mesh_bvhadr.setter
    def mesh_bvhadr(self, value: ArrayLike) -> None: ...
    @property
    def mesh_bvhnum(self) -> NDArray[np.int32]:
        """number of nodes of the mesh's BVH"""
    @mesh_bvhnum.setter
    def mesh_bvhnum(self, value: ArrayLike) -> None: ...
    @property
    def mesh_face(self) -> NDArray[np.int32]:
        """three vertices of a triangle, relative to the mesh's first vertex, counter-clockwise outside"""
    @mesh_face.setter
    def mesh_face(self, value: ArrayLike) -> None: ...
    @property
    def mesh_faceadr(self) -> NDArray[np.int32]:
        """index of the mesh's first triangle"""
    @mesh_faceadr.setter
    def mesh_faceadr(self, value: ArrayLike) -> None: ...
    @property
    def mesh_facenormal(self) -> NDArray[np.int32]:
        """normal used at each triangle corner, relative to the mesh's first normal"""
    @mesh_facenormal.setter
    def mesh_facenormal(self, value: ArrayLike) -> None: ...
    @property
    def mesh_facenum(self) -> NDArray[np.int32]:
        """number of triangles of the mesh"""
    @mesh_facenum.setter
    def mesh_facenum(self, value: ArrayLike) -> None: ...
    @property
    def mesh_facetexcoord(self) -> NDArray[np.int32]:
        """uv used at each triangle corner, relative to the mesh's first uv coordinate"""
    @mesh_facetexcoord.setter
    def mesh_facetexcoord(self, value: ArrayLike) -> None: ...
    @property
    def mesh_graph(self) -> NDArray[np.int32]:
        """convex hull of each mesh as vertex adjacency lists followed by hull triangles"""
    @mesh_graph.setter
    def mesh_graph(self, value: ArrayLike) -> None: ...
    @property
    def mesh_graphadr(self) -> NDArray[np.int32]:
        """start of the mesh's hull in mesh_graph; -1 when no hull was built"""
    @mesh_graphadr.setter
    def mesh_graphadr(self, value: ArrayLike) -> None: ...
    @property
    def mesh_normal(self) -> NDArray[np.float32]:
        """unit normal in the mesh frame"""
    @mesh_normal.setter
    def mesh_normal(self, value: ArrayLike) -> None: ...
    @property
    def mesh_normaladr(self) -> NDArray[np.int32]:
        """index of the mesh's first normal"""
    @mesh_normaladr.setter
    def mesh_normaladr(self, value: ArrayLike) -> None: ...
    @property
    def mesh_normalnum(self) -> NDArray[np.int32]:
        """number of normals of the mesh"""
    @mesh_normalnum.setter
    def mesh_normalnum(self, value: ArrayLike) -> None: ...
    @property
    def mesh_octadr(self) -> NDArray[np.int32]:
        """root cell of the mesh's octree; -1 when it has no distance field"""
    @mesh_octadr.setter
    def mesh_octadr(self, value: ArrayLike) -> None: ...
    @property
    def mesh_octnum(self) -> NDArray[np.int32]:
        """cells in the mesh's octree"""
    @mesh_octnum.setter
    def mesh_octnum(self, value: ArrayLike) -> None: ...
    @property
    def mesh_pathadr(self) -> NDArray[np.int32]:
        """start of the mesh's file name in paths; -1 without a file"""
    @mesh_pathadr.setter
    def mesh_pathadr(self, value: ArrayLike) -> None: ...
    @property
    def mesh_polyadr(self) -> NDArray[np.int32]:
        """index of the mesh's first hull polygon"""
    @mesh_polyadr.setter
    def mesh_polyadr(self, value: ArrayLike) -> None: ...
    @property
    def mesh_polymap(self) -> NDArray[np.int32]:
        """polygons around every vertex concatenated, relative to the mesh's first polygon"""
    @mesh_polymap.setter
    def mesh_polymap(self, value: ArrayLike) -> None: ...
    @property
    def mesh_polymapadr(self) -> NDArray[np.int32]:
        """start of the vertex's polygons in mesh_polymap"""
    @mesh_polymapadr.setter
    def mesh_polymapadr(self, value: ArrayLike) -> None: ...
    @property
    def mesh_polymapnum(self) -> NDArray[np.int32]:
        """number of polygons incident to the vertex"""
    @mesh_polymapnum.setter
    def mesh_polymapnum(self, value: ArrayLike) -> None: ...
    @property
    def mesh_polynormal(self) -> NDArray[np.float64]:
        """outward unit normal of a hull polygon in the mesh frame"""
    @mesh_polynormal.setter
    def mesh_polynormal(self, value: ArrayLike) -> None: ...
    @property
    def mesh_polynum(self) -> NDArray[np.int32]:
        """number of hull polygons of the mesh"""
    @mesh_polynum.setter
    def mesh_polynum(self, value: ArrayLike) -> None: ...
    @property
    def mesh_polyvert(self) -> NDArray[np.int32]:
        """corners of all polygons concatenated, relative to the mesh's first vertex"""
    @mesh_polyvert.setter
    def mesh_polyvert(self, value: ArrayLike) -> None: ...
    @property
    def mesh_polyvertadr(self) -> NDArray[np.int32]:
        """start of the polygon's corners in mesh_polyvert"""
    @mesh_polyvertadr.setter
    def mesh_polyvertadr(self, value: ArrayLike) -> None: ...
    @property
    def mesh_polyvertnum(self) -> NDArray[np.int32]:
        """number of corners of the polygon"""
    @mesh_polyvertnum.setter
    def mesh_polyvertnum(self, value: ArrayLike) -> None: ...
    @property
    def mesh_pos(self) -> NDArray[np.float64]:
        """offset that was taken out of the file's vertices to centre the mesh (m)"""
    @mesh_pos.setter
    def mesh_pos(self, value: ArrayLike) -> None: ...
    @property
    def mesh_quat(self) -> NDArray[np.float64]:
        """rotation that was taken out of the file's vertices to align the mesh (w, x, y, z)"""
    @mesh_quat.setter
    def mesh_quat(self, value: ArrayLike) -> None: ...
    @property
    def mesh_scale(self) -> NDArray[np.float64]:
        """factors that were multiplied into the file's vertices along x, y, z"""
    @mesh_scale.setter
    def mesh_scale(self, value: ArrayLike) -> None: ...
    @property
    def mesh_texcoord(self) -> NDArray[np.float32]:
        """u and v texture coordinates, reached through mesh_facetexcoord"""
    @mesh_texcoord.setter
    def mesh_texcoord(self, value: ArrayLike) -> None: ...
    @property
    def mesh_texcoordadr(self) -> NDArray[np.int32]:
        """index of the mesh's first uv coordinate; -1 for none"""
    @mesh_texcoordadr.setter
    def mesh_texcoordadr(self, value: ArrayLike) -> None: ...
    @property
    def mesh_texcoordnum(self) -> NDArray[np.int32]:
        """number of uv coordinates of the mesh"""
    @mesh_texcoordnum.setter
    def mesh_texcoordnum(self, value: ArrayLike) -> None: ...
    @property
    def mesh_triangles(self) -> NDArray[np.bool_]:
        """whether geoms collide with the mesh's triangles instead of its hull; not in MuJoCo"""
    @mesh_triangles.setter
    def mesh_triangles(self, value: ArrayLike) -> None: ...
    @property
    def mesh_vert(self) -> NDArray[np.float32]:
        """vertex in the mesh frame, which is centred and aligned with principal axes (m)"""
    @mesh_vert.setter
    def mesh_vert(self, value: ArrayLike) -> None: ...
    @property
    def mesh_vertadr(self) -> NDArray[np.int32]:
        """index of the mesh's first vertex"""
    @mesh_vertadr.setter
    def mesh_vertadr(self, value: ArrayLike) -> None: ...
    @property
    def mesh_vertnum(self) -> NDArray[np.int32]:
        """number of vertices of the mesh"""
    @mesh_vertnum.setter
    def mesh_vertnum(self, value: ArrayLike) -> None: ...
    @property
    def nB(self) -> int:
        """entries of the pattern that lists, for each body, the dofs moving it"""
    @property
    def nC(self) -> int:
        """entries of the lower-triangular inertia once dofs of simple bodies keep only their diagonal"""
    @property
    def nD(self) -> int:
        """entries of the square dof-by-dof pattern with both triangles stored"""
    @property
    def nJfe(self) -> int:
        """entries of the sparse matrix from joint velocity to flex edge stretch rate"""
    @property
    def nJfv(self) -> int:
        """entries per strain component of the sparse matrix from joint velocity to vertex strain rate"""
    @property
    def nJmom(self) -> int:
        """capacity reserved for the sparse moment arms of actuators"""
    @property
    def nJten(self) -> int:
        """entries of the sparse matrix from joint velocity to tendon velocity"""
    @property
    def nM(self) -> int:
        """entries of the joint-space inertia when every ancestor dof of a dof is stored"""
    @property
    def na(self) -> int:
        """length of the activation vector; zero when every actuator is stateless"""
    @property
    def name_actuatoradr(self) -> NDArray[np.int32]:
        """byte offset of the actuator's name in names"""
    @name_actuatoradr.setter
    def name_actuatoradr(self, value: ArrayLike) -> None: ...
    @property
    def name_bodyadr(self) -> NDArray[np.int32]:
        """byte offset of the body's name in names"""
    @name_bodyadr.setter
    def name_bodyadr(self, value: ArrayLike) -> None: ...
    @property
    def name_camadr(self) -> NDArray[np.int32]:
        """byte offset of the camera's name in names"""
    @name_camadr.setter
    def name_camadr(self, value: ArrayLike) -> None: ...
    @property
    def name_eqadr(self) -> NDArray[np.int32]:
        """byte offset of the equality constraint's name in names"""
    @name_eqadr.setter
    def name_eqadr(self, value: ArrayLike) -> None: ...
    @property
    def name_excludeadr(self) -> NDArray[np.int32]:
        """byte offset of the contact exclusion's name in names"""
    @name_excludeadr.setter
    def name_excludeadr(self, value: ArrayLike) -> None: ...
    @property
    def name_flexadr(self) -> NDArray[np.int32]:
        """byte offset of the flex's name in names"""
    @name_flexadr.setter
    def name_flexadr(self, value: ArrayLike) -> None: ...
    @property
    def name_geomadr(self) -> NDArray[np.int32]:
        """byte offset of the geom's name in names"""
    @name_geomadr.setter
    def name_geomadr(self, value: ArrayLike) -> None: ...
    @property
    def name_hfieldadr(self) -> NDArray[np.int32]:
        """byte offset of the height field's name in names"""
    @name_hfieldadr.setter
    def name_hfieldadr(self, value: ArrayLike) -> None: ...
    @property
    def name_jntadr(self) -> NDArray[np.int32]:
        """byte offset of the joint's name in names"""
    @name_jntadr.setter
    def name_jntadr(self, value: ArrayLike) -> None: ...
    @property
    def name_keyadr(self) -> NDArray[np.int32]:
        """byte offset of the keyframe's name in names"""
    @name_keyadr.setter
    def name_keyadr(self, value: ArrayLike) -> None: ...
    @property
    def name_lightadr(self) -> NDArray[np.int32]:
        """byte offset of the light's name in names"""
    @name_lightadr.setter
    def name_lightadr(self, value: ArrayLike) -> None: ...
    @property
    def name_matadr(self) -> NDArray[np.int32]:
        """byte offset of the material's name in names"""
    @name_matadr.setter
    def name_matadr(self, value: ArrayLike) -> None: ...
    @property
    def name_meshadr(self) -> NDArray[np.int32]:
        """byte offset of the mesh's name in names"""
    @name_meshadr.setter
    def name_meshadr(self, value: ArrayLike) -> None: ...
    @property
    def name_numericadr(self) -> NDArray[np.int32]:
        """byte offset of the numeric array's name in names"""
    @name_numericadr.setter
    def name_numericadr(self, value: ArrayLike) -> None: ...
    @property
    def name_pairadr(self) -> NDArray[np.int32]:
        """byte offset of the contact pair's name in names"""
    @name_pairadr.setter
    def name_pairadr(self, value: ArrayLike) -> None: ...
    @property
    def name_pluginadr(self) -> NDArray[np.int32]:
        """byte offset of the plugin instance's name in names"""
    @name_pluginadr.setter
    def name_pluginadr(self, value: ArrayLike) -> None: ...
    @property
    def name_sensoradr(self) -> NDArray[np.int32]:
        """byte offset of the sensor's name in names"""
    @name_sensoradr.setter
    def name_sensoradr(self, value: ArrayLike) -> None: ...
    @property
    def name_siteadr(self) -> NDArray[np.int32]:
        """byte offset of the site's name in names"""
    @name_siteadr.setter
    def name_siteadr(self, value: ArrayLike) -> None: ...
    @property
    def name_skinadr(self) -> NDArray[np.int32]:
        """byte offset of the skin's name in names"""
    @name_skinadr.setter
    def name_skinadr(self, value: ArrayLike) -> None: ...
    @property
    def name_tendonadr(self) -> NDArray[np.int32]:
        """byte offset of the tendon's name in names"""
    @name_tendonadr.setter
    def name_tendonadr(self, value: ArrayLike) -> None: ...
    @property
    def name_texadr(self) -> NDArray[np.int32]:
        """byte offset of the texture's name in names"""
    @name_texadr.setter
    def name_texadr(self, value: ArrayLike) -> None: ...
    @property
    def name_textadr(self) -> NDArray[np.int32]:
        """byte offset of the string's name in names"""
    @name_textadr.setter
    def name_textadr(self, value: ArrayLike) -> None: ...
    @property
    def name_tupleadr(self) -> NDArray[np.int32]:
        """byte offset of the tuple's name in names"""
    @name_tupleadr.setter
    def name_tupleadr(self, value: ArrayLike) -> None: ...
    @property
    def names(self) -> bytes:
        """packed name table: the model's name first, then every element's, each ended by a zero byte"""
    @names.setter
    def names(self, value: ArrayLike) -> None: ...
    @property
    def names_map(self) -> NDArray[np.int32]:
        """open-addressing table from hashed name to element index, one section per object type; -1 for an empty slot"""
    @names_map.setter
    def names_map(self, value: ArrayLike) -> None: ...
    @property
    def narena(self) -> int:
        """bytes requested for step-varying storage"""
    @property
    def nbody(self) -> int:
        """number of bodies, the world (index 0) included"""
    @property
    def nbuffer(self) -> int:
        """bytes taken by all model arrays"""
    @property
    def nbvh(self) -> int:
        """BVH nodes of bodies, meshes and flexes together"""
    @property
    def nbvhdynamic(self) -> int:
        """BVH nodes refitted in every step (flexes)"""
    @property
    def nbvhstatic(self) -> int:
        """BVH nodes with a constant box in the local frame (bodies and meshes)"""
    @property
    def ncam(self) -> int:
        """number of cameras"""
    @property
    def nconmax(self) -> int:
        """legacy limit of contacts; negative for no limit"""
    @property
    def nemax(self) -> int:
        """upper bound on constraint rows from equality constraints"""
    @property
    def neq(self) -> int:
        """number of equality constraints, inactive ones included"""
    @property
    def nexclude(self) -> int:
        """number of body pairs excluded from collision"""
    @property
    def nflex(self) -> int:
        """number of flexes"""
    @property
    def nflexedge(self) -> int:
        """edges summed over flexes, each shared edge counted once per flex"""
    @property
    def nflexelem(self) -> int:
        """segments, triangles or tetrahedra summed over flexes"""
    @property
    def nflexelemdata(self) -> int:
        """total number of element corners"""
    @property
    def nflexelemedge(self) -> int:
        """total number of edges bounding the elements"""
    @property
    def nflexevpair(self) -> int:
        """candidate element/vertex pairs tested for collision inside flexes"""
    @property
    def nflexnode(self) -> int:
        """control nodes summed over interpolated flexes"""
    @property
    def nflexshelldata(self) -> int:
        """total number of outer-surface fragment corners"""
    @property
    def nflexstiffness(self) -> int:
        """total number of elastic coefficients"""
    @property
    def nflextexcoord(self) -> int:
        """uv coordinates stored for flexes"""
    @property
    def nflexvert(self) -> int:
        """vertices summed over flexes"""
    @property
    def ngeom(self) -> int:
        """number of geoms"""
    @property
    def ngravcomp(self) -> int:
        """number of bodies with gravity compensation; with 0 its computation is skipped"""
    @property
    def nhfield(self) -> int:
        """number of height fields"""
    @property
    def nhfielddata(self) -> int:
        """grid samples summed over height fields"""
    @property
    def nhistory(self) -> int:
        """length of the concatenated delay buffers of actuators and sensors"""
    @property
    def njmax(self) -> int:
        """legacy limit of constraint rows; negative for no limit"""
    @property
    def njnt(self) -> int:
        """number of joints"""
    @property
    def nkey(self) -> int:
        """number of keyframes"""
    @property
    def nlight(self) -> int:
        """number of lights"""
    @property
    def nmat(self) -> int:
        """number of material assets"""
    @property
    def nmesh(self) -> int:
        """number of mesh assets"""
    @property
    def nmeshface(self) -> int:
        """triangles summed over mesh assets"""
    @property
    def nmeshgraph(self) -> int:
        """integers taken by the convex-hull graphs of all meshes"""
    @property
    def nmeshnormal(self) -> int:
        """normals summed over mesh assets"""
    @property
    def nmeshpoly(self) -> int:
        """flat hull polygons, made by merging coplanar triangles, summed over meshes"""
    @property
    def nmeshpolymap(self) -> int:
        """total number of polygons incident to each vertex"""
    @property
    def nmeshpolyvert(self) -> int:
        """total number of polygon corners"""
    @property
    def nmeshtexcoord(self) -> int:
        """uv coordinates summed over mesh assets"""
    @property
    def nmeshvert(self) -> int:
        """vertices summed over mesh assets"""
    @property
    def nmocap(self) -> int:
        """number of mocap bodies"""
    @property
    def nnames(self) -> int:
        """bytes of the packed name table, terminators included"""
    @property
    def nnames_map(self) -> int:
        """length of the name lookup table, a fixed multiple of the named element count"""
    @property
    def nnumeric(self) -> int:
        """number of user-named numeric arrays"""
    @property
    def nnumericdata(self) -> int:
        """values stored over all user-named numeric arrays"""
    @property
    def noct(self) -> int:
        """octree cells summed over the meshes that carry a distance field"""
    @property
    def npair(self) -> int:
        """number of predefined contact pairs"""
    @property
    def npaths(self) -> int:
        """bytes of the packed asset-path table, terminators included"""
    @property
    def nplugin(self) -> int:
        """plugin instances attached to the model"""
    @property
    def npluginattr(self) -> int:
        """bytes taken by plugin configuration strings, terminators included"""
    @property
    def npluginstate(self) -> int:
        """length of the concatenated state of all plugins"""
    @property
    def nq(self) -> int:
        """length of the position vector qpos; exceeds nv by one for every ball or free joint"""
    @property
    def nsensor(self) -> int:
        """number of sensors"""
    @property
    def nsensordata(self) -> int:
        """length of the concatenated sensor output"""
    @property
    def nsite(self) -> int:
        """number of sites"""
    @property
    def nskin(self) -> int:
        """number of skins"""
    @property
    def nskinbone(self) -> int:
        """bones summed over skins"""
    @property
    def nskinbonevert(self) -> int:
        """vertex influences summed over skin bones"""
    @property
    def nskinface(self) -> int:
        """triangles summed over skins"""
    @property
    def nskintexvert(self) -> int:
        """uv coordinates summed over skins"""
    @property
    def nskinvert(self) -> int:
        """vertices summed over skins"""
    @property
    def ntendon(self) -> int:
        """number of tendons"""
    @property
    def ntex(self) -> int:
        """number of texture assets"""
    @property
    def ntexdata(self) -> int:
        """bytes of pixel data over all textures"""
    @property
    def ntext(self) -> int:
        """number of user-named strings"""
    @property
    def ntextdata(self) -> int:
        """bytes stored over all user-named strings, terminators included"""
    @property
    def ntree(self) -> int:
        """kinematic trees: moving subtrees attached to the world"""
    @property
    def ntuple(self) -> int:
        """user-named lists of model elements"""
    @property
    def ntupledata(self) -> int:
        """list members summed over tuples"""
    @property
    def nu(self) -> int:
        """number of actuators, equal to the number of controls"""
    def numeric(self, name: str | int | None = ..., /) -> NamedView: ...
    @property
    def numeric_adr(self) -> NDArray[np.int32]:
        """start of the array's values in numeric_data"""
    @numeric_adr.setter
    def numeric_adr(self, value: ArrayLike) -> None: ...
    @property
    def numeric_data(self) -> NDArray[np.float64]:
        """values of all user-named arrays concatenated"""
    @numeric_data.setter
    def numeric_data(self, value: ArrayLike) -> None: ...
    @property
    def numeric_size(self) -> NDArray[np.int32]:
        """number of values of the array"""
    @numeric_size.setter
    def numeric_size(self, value: ArrayLike) -> None: ...
    @property
    def nuser_actuator(self) -> int:
        """number of user values per actuator"""
    @property
    def nuser_body(self) -> int:
        """number of user values per body"""
    @property
    def nuser_cam(self) -> int:
        """number of user values per camera"""
    @property
    def nuser_geom(self) -> int:
        """number of user values per geom"""
    @property
    def nuser_jnt(self) -> int:
        """number of user values per joint"""
    @property
    def nuser_sensor(self) -> int:
        """number of user values per sensor"""
    @property
    def nuser_site(self) -> int:
        """number of user values per site"""
    @property
    def nuser_tendon(self) -> int:
        """number of user values per tendon"""
    @property
    def nuserdata(self) -> int:
        """number of user values in userdata"""
    @property
    def nv(self) -> int:
        """dimension of velocity, acceleration and force vectors (one entry per dof)"""
    @property
    def nwrap(self) -> int:
        """waypoints, pulleys and joint terms summed over tendons"""
    @property
    def oct_aabb(self) -> NDArray[np.float64]:
        """cell centre and half-extents in the mesh frame (m)"""
    @oct_aabb.setter
    def oct_aabb(self, value: ArrayLike) -> None: ...
    @property
    def oct_child(self) -> NDArray[np.int32]:
        """child cells, relative to the root of the octree; -1 if absent"""
    @oct_child.setter
    def oct_child(self, value: ArrayLike) -> None: ...
    @property
    def oct_coeff(self) -> NDArray[np.float64]:
        """signed distance (m) at the cell's eight corners, for trilinear lookup"""
    @oct_coeff.setter
    def oct_coeff(self, value: ArrayLike) -> None: ...
    @property
    def oct_depth(self) -> NDArray[np.int32]:
        """depth of the cell in the octree of its mesh, 0 at the root"""
    @oct_depth.setter
    def oct_depth(self, value: ArrayLike) -> None: ...
    @property
    def opt(self) -> MjOption:
        """Simulation options."""
    def pair(self, name: str | int | None = ..., /) -> NamedView: ...
    @property
    def pair_dim(self) -> NDArray[np.int32]:
        """contact directions of the pair: 1, 3, 4 or 6"""
    @pair_dim.setter
    def pair_dim(self, value: ArrayLike) -> None: ...
    @property
    def pair_friction(self) -> NDArray[np.float64]:
        """coefficients: two sliding (unitless), one torsional (m), two rolling (m)"""
    @pair_friction.setter
    def pair_friction(self, value: ArrayLike) -> None: ...
    @property
    def pair_gap(self) -> NDArray[np.float64]:
        """part of the margin in which contacts are detected but generate no force (m)"""
    @pair_gap.setter
    def pair_gap(self, value: ArrayLike) -> None: ...
    @property
    def pair_geom1(self) -> NDArray[np.int32]:
        """one geom of the pair"""
    @pair_geom1.setter
    def pair_geom1(self, value: ArrayLike) -> None: ...
    @property
    def pair_geom2(self) -> NDArray[np.int32]:
        """the other geom of the pair"""
    @pair_geom2.setter
    def pair_geom2(self, value: ArrayLike) -> None: ...
    @property
    def pair_margin(self) -> NDArray[np.float64]:
        """surface separation (m) under which a contact is generated"""
    @pair_margin.setter
    def pair_margin(self, value: ArrayLike) -> None: ...
    @property
    def pair_signature(self) -> NDArray[np.int32]:
        """the two geoms' body indices packed into one integer, 16 bits each; sort key"""
    @pair_signature.setter
    def pair_signature(self, value: ArrayLike) -> None: ...
    @property
    def pair_solimp(self) -> NDArray[np.float64]:
        """contact impedance curve: start, end, width, midpoint, power"""
    @pair_solimp.setter
    def pair_solimp(self, value: ArrayLike) -> None: ...
    @property
    def pair_solref(self) -> NDArray[np.float64]:
        """response along the normal: time constant (s) and damping ratio, or the direct form"""
    @pair_solref.setter
    def pair_solref(self, value: ArrayLike) -> None: ...
    @property
    def pair_solreffriction(self) -> NDArray[np.float64]:
        """response along friction directions; all zero to reuse pair_solref"""
    @pair_solreffriction.setter
    def pair_solreffriction(self, value: ArrayLike) -> None: ...
    @property
    def paths(self) -> bytes:
        """packed file names of assets, each ended by a zero byte"""
    @paths.setter
    def paths(self, value: ArrayLike) -> None: ...
    @property
    def plugin(self) -> NDArray[np.int32]:
        """position of the instance's plugin in the registry"""
    @plugin.setter
    def plugin(self, value: ArrayLike) -> None: ...
    @property
    def plugin_attr(self) -> NDArray[np.uint8]:
        """configuration values of all instances, packed as zero-terminated strings"""
    @plugin_attr.setter
    def plugin_attr(self, value: ArrayLike) -> None: ...
    @property
    def plugin_attradr(self) -> NDArray[np.int32]:
        """first byte of the instance's settings within plugin_attr"""
    @plugin_attradr.setter
    def plugin_attradr(self, value: ArrayLike) -> None: ...
    @property
    def plugin_stateadr(self) -> NDArray[np.int32]:
        """start of the instance's state in plugin_state"""
    @plugin_stateadr.setter
    def plugin_stateadr(self, value: ArrayLike) -> None: ...
    @property
    def plugin_statenum(self) -> NDArray[np.int32]:
        """number of state values of the instance"""
    @plugin_statenum.setter
    def plugin_statenum(self, value: ArrayLike) -> None: ...
    @property
    def qpos0(self) -> NDArray[np.float64]:
        """configuration in which the model was defined; hinge and slide zeros are relative to it"""
    @qpos0.setter
    def qpos0(self, value: ArrayLike) -> None: ...
    @property
    def qpos_spring(self) -> NDArray[np.float64]:
        """configuration at which joint springs exert no force"""
    @qpos_spring.setter
    def qpos_spring(self, value: ArrayLike) -> None: ...
    def sensor(self, name: str | int | None = ..., /) -> NamedView: ...
    @property
    def sensor_adr(self) -> NDArray[np.int32]:
        """start of the sensor's values in sensordata"""
    @sensor_adr.setter
    def sensor_adr(self, value: ArrayLike) -> None: ...
    @property
    def sensor_cutoff(self) -> NDArray[np.float64]:
        """readings are clamped to this magnitude; 0 leaves them unclamped"""
    @sensor_cutoff.setter
    def sensor_cutoff(self, value: ArrayLike) -> None: ...
    @property
    def sensor_datatype(self) -> NDArray[np.int32]:
        """range of the output: any real, non-negative, unit vector or quaternion"""
    @sensor_datatype.setter
    def sensor_datatype(self, value: ArrayLike) -> None: ...
    @property
    def sensor_delay(self) -> NDArray[np.float64]:
        """delay of the reading (s); 0 for none"""
    @sensor_delay.setter
    def sensor_delay(self, value: ArrayLike) -> None: ...
    @property
    def sensor_dim(self) -> NDArray[np.int32]:
        """number of output values"""
    @sensor_dim.setter
    def sensor_dim(self, value: ArrayLike) -> None: ...
    @property
    def sensor_history(self) -> NDArray[np.int32]:
        """number of samples in the history buffer, and interpolation order (0 hold, 1 linear, 2 cubic)"""
    @sensor_history.setter
    def sensor_history(self, value: ArrayLike) -> None: ...
    @property
    def sensor_historyadr(self) -> NDArray[np.int32]:
        """start of the sensor's buffer in history; -1 for none"""
    @sensor_historyadr.setter
    def sensor_historyadr(self, value: ArrayLike) -> None: ...
    @property
    def sensor_interval(self) -> NDArray[np.float64]:
        """sampling period and offset of the first sample (s); a zero period samples every step"""
    @sensor_interval.setter
    def sensor_interval(self, value: ArrayLike) -> None: ...
    @property
    def sensor_intprm(self) -> NDArray[np.int32]:
        """integer settings of the sensor, such as reported fields and contact reduction"""
    @sensor_intprm.setter
    def sensor_intprm(self, value: ArrayLike) -> None: ...
    @property
    def sensor_needstage(self) -> NDArray[np.int32]:
        """earliest stage after which it can be read: position, velocity or acceleration"""
    @sensor_needstage.setter
    def sensor_needstage(self, value: ArrayLike) -> None: ...
    @property
    def sensor_noise(self) -> NDArray[np.float64]:
        """standard deviation advertised for noise models; the engine adds no noise"""
    @sensor_noise.setter
    def sensor_noise(self, value: ArrayLike) -> None: ...
    @property
    def sensor_objid(self) -> NDArray[np.int32]:
        """element the sensor is attached to, by sensor_objtype; -1 when it needs none"""
    @sensor_objid.setter
    def sensor_objid(self, value: ArrayLike) -> None: ...
    @property
    def sensor_objtype(self) -> NDArray[np.int32]:
        """object type the sensor is attached to"""
    @sensor_objtype.setter
    def sensor_objtype(self, value: ArrayLike) -> None: ...
    @property
    def sensor_plugin(self) -> NDArray[np.int32]:
        """plugin instance computing the sensor; -1 for a built-in one"""
    @sensor_plugin.setter
    def sensor_plugin(self, value: ArrayLike) -> None: ...
    @property
    def sensor_refid(self) -> NDArray[np.int32]:
        """element whose frame readings are expressed in; -1 for world axes"""
    @sensor_refid.setter
    def sensor_refid(self, value: ArrayLike) -> None: ...
    @property
    def sensor_reftype(self) -> NDArray[np.int32]:
        """object type of the frame in which readings are expressed"""
    @sensor_reftype.setter
    def sensor_reftype(self, value: ArrayLike) -> None: ...
    @property
    def sensor_type(self) -> NDArray[np.int32]:
        """quantity the sensor reports"""
    @sensor_type.setter
    def sensor_type(self, value: ArrayLike) -> None: ...
    @property
    def sensor_user(self) -> NDArray[np.float64]:
        """user data, nuser_sensor values per row"""
    @sensor_user.setter
    def sensor_user(self, value: ArrayLike) -> None: ...
    @property
    def signature(self) -> int:
        """Hash of the sizes and names, which differs for models of different structure."""
    def site(self, name: str | int | None = ..., /) -> NamedView: ...
    @property
    def site_bodyid(self) -> NDArray[np.int32]:
        """body the site is rigidly attached to"""
    @site_bodyid.setter
    def site_bodyid(self, value: ArrayLike) -> None: ...
    @property
    def site_group(self) -> NDArray[np.int32]:
        """visualization group"""
    @site_group.setter
    def site_group(self, value: ArrayLike) -> None: ...
    @property
    def site_matid(self) -> NDArray[np.int32]:
        """material used for display; -1 to use site_rgba alone"""
    @site_matid.setter
    def site_matid(self, value: ArrayLike) -> None: ...
    @property
    def site_pos(self) -> NDArray[np.float64]:
        """origin of the site in its body's frame (m)"""
    @site_pos.setter
    def site_pos(self, value: ArrayLike) -> None: ...
    @property
    def site_quat(self) -> NDArray[np.float64]:
        """rotation from site to body axes (w, x, y, z)"""
    @site_quat.setter
    def site_quat(self, value: ArrayLike) -> None: ...
    @property
    def site_rgba(self) -> NDArray[np.float32]:
        """display colour and opacity, each in 0 to 1, used without a material"""
    @site_rgba.setter
    def site_rgba(self, value: ArrayLike) -> None: ...
    @property
    def site_sameframe(self) -> NDArray[np.int32]:
        """coincidence of the site frame with its body or inertial frame"""
    @site_sameframe.setter
    def site_sameframe(self, value: ArrayLike) -> None: ...
    @property
    def site_size(self) -> NDArray[np.float64]:
        """dimensions in the convention of site_type (m)"""
    @site_size.setter
    def site_size(self, value: ArrayLike) -> None: ...
    @property
    def site_type(self) -> NDArray[np.int32]:
        """shape drawn for the site, and its volume for touch sensing"""
    @site_type.setter
    def site_type(self, value: ArrayLike) -> None: ...
    @property
    def site_user(self) -> NDArray[np.float64]:
        """user data, nuser_site values per row"""
    @site_user.setter
    def site_user(self, value: ArrayLike) -> None: ...
    def skin(self, name: str | int | None = ..., /) -> NamedView: ...
    @property
    def skin_boneadr(self) -> NDArray[np.int32]:
        """index of the skin's first bone"""
    @skin_boneadr.setter
    def skin_boneadr(self, value: ArrayLike) -> None: ...
    @property
    def skin_bonebindpos(self) -> NDArray[np.float32]:
        """position of the bone's body when the skin was attached (m)"""
    @skin_bonebindpos.setter
    def skin_bonebindpos(self, value: ArrayLike) -> None: ...
    @property
    def skin_bonebindquat(self) -> NDArray[np.float32]:
        """orientation of the bone's body when the skin was attached (w, x, y, z)"""
    @skin_bonebindquat.setter
    def skin_bonebindquat(self, value: ArrayLike) -> None: ...
    @property
    def skin_bonebodyid(self) -> NDArray[np.int32]:
        """body the bone moves with"""
    @skin_bonebodyid.setter
    def skin_bonebodyid(self, value: ArrayLike) -> None: ...
    @property
    def skin_bonenum(self) -> NDArray[np.int32]:
        """number of bones of the skin"""
    @skin_bonenum.setter
    def skin_bonenum(self, value: ArrayLike) -> None: ...
    @property
    def skin_bonevertadr(self) -> NDArray[np.int32]:
        """start of the bone's influences in skin_bonevertid and skin_bonevertweight"""
    @skin_bonevertadr.setter
    def skin_bonevertadr(self, value: ArrayLike) -> None: ...
    @property
    def skin_bonevertid(self) -> NDArray[np.int32]:
        """influenced vertices of every bone, relative to the skin's first vertex"""
    @skin_bonevertid.setter
    def skin_bonevertid(self, value: ArrayLike) -> None: ...
    @property
    def skin_bonevertnum(self) -> NDArray[np.int32]:
        """number of vertices influenced by the bone"""
    @skin_bonevertnum.setter
    def skin_bonevertnum(self, value: ArrayLike) -> None: ...
    @property
    def skin_bonevertweight(self) -> NDArray[np.float32]:
        """strength of each influence; a vertex's weights add up to one"""
    @skin_bonevertweight.setter
    def skin_bonevertweight(self, value: ArrayLike) -> None: ...
    @property
    def skin_face(self) -> NDArray[np.int32]:
        """three vertices of a triangle, relative to the skin's first vertex"""
    @skin_face.setter
    def skin_face(self, value: ArrayLike) -> None: ...
    @property
    def skin_faceadr(self) -> NDArray[np.int32]:
        """index of the skin's first triangle"""
    @skin_faceadr.setter
    def skin_faceadr(self, value: ArrayLike) -> None: ...
    @property
    def skin_facenum(self) -> NDArray[np.int32]:
        """number of triangles of the skin"""
    @skin_facenum.setter
    def skin_facenum(self, value: ArrayLike) -> None: ...
    @property
    def skin_group(self) -> NDArray[np.int32]:
        """visualization group"""
    @skin_group.setter
    def skin_group(self, value: ArrayLike) -> None: ...
    @property
    def skin_inflate(self) -> NDArray[np.float32]:
        """distance (m) every vertex is pushed along its normal before drawing"""
    @skin_inflate.setter
    def skin_inflate(self, value: ArrayLike) -> None: ...
    @property
    def skin_matid(self) -> NDArray[np.int32]:
        """material used for display; -1 to use skin_rgba alone"""
    @skin_matid.setter
    def skin_matid(self, value: ArrayLike) -> None: ...
    @property
    def skin_pathadr(self) -> NDArray[np.int32]:
        """start of the skin's file name in paths; -1 without a file"""
    @skin_pathadr.setter
    def skin_pathadr(self, value: ArrayLike) -> None: ...
    @property
    def skin_rgba(self) -> NDArray[np.float32]:
        """display colour and opacity, each in 0 to 1"""
    @skin_rgba.setter
    def skin_rgba(self, value: ArrayLike) -> None: ...
    @property
    def skin_texcoord(self) -> NDArray[np.float32]:
        """uv coordinates of all skins"""
    @skin_texcoord.setter
    def skin_texcoord(self, value: ArrayLike) -> None: ...
    @property
    def skin_texcoordadr(self) -> NDArray[np.int32]:
        """index of the skin's first uv coordinate; -1 for none"""
    @skin_texcoordadr.setter
    def skin_texcoordadr(self, value: ArrayLike) -> None: ...
    @property
    def skin_vert(self) -> NDArray[np.float32]:
        """vertex in the world at the bind pose (m)"""
    @skin_vert.setter
    def skin_vert(self, value: ArrayLike) -> None: ...
    @property
    def skin_vertadr(self) -> NDArray[np.int32]:
        """index of the skin's first vertex"""
    @skin_vertadr.setter
    def skin_vertadr(self, value: ArrayLike) -> None: ...
    @property
    def skin_vertnum(self) -> NDArray[np.int32]:
        """number of vertices of the skin"""
    @skin_vertnum.setter
    def skin_vertnum(self, value: ArrayLike) -> None: ...
    @property
    def stat(self) -> MjStatistic:
        """Statistics: typical magnitudes of the model."""
    @property
    def ten_J_colind(self) -> NDArray[np.int32]:
        """dof of every entry of ten_J"""
    @ten_J_colind.setter
    def ten_J_colind(self, value: ArrayLike) -> None: ...
    @property
    def ten_J_rowadr(self) -> NDArray[np.int32]:
        """start of the tendon's row in ten_J and ten_J_colind"""
    @ten_J_rowadr.setter
    def ten_J_rowadr(self, value: ArrayLike) -> None: ...
    @property
    def ten_J_rownnz(self) -> NDArray[np.int32]:
        """number of dofs that affect the tendon length"""
    @ten_J_rownnz.setter
    def ten_J_rownnz(self, value: ArrayLike) -> None: ...
    def tendon(self, name: str | int | None = ..., /) -> NamedView: ...
    @property
    def tendon_actfrclimited(self) -> NDArray[np.bool_]:
        """whether the summed actuator force on the tendon is clamped to tendon_actfrcrange"""
    @tendon_actfrclimited.setter
    def tendon_actfrclimited(self, value: ArrayLike) -> None: ...
    @property
    def tendon_actfrcrange(self) -> NDArray[np.float64]:
        """lowest and highest total actuator force passed to the tendon (N)"""
    @tendon_actfrcrange.setter
    def tendon_actfrcrange(self, value: ArrayLike) -> None: ...
    @property
    def tendon_actuatorid(self) -> NDArray[np.int32]:
        """actuator that adds damping or armature; -1 for none, -2 for several"""
    @tendon_actuatorid.setter
    def tendon_actuatorid(self, value: ArrayLike) -> None: ...
    @property
    def tendon_adr(self) -> NDArray[np.int32]:
        """index of the tendon's first entry in the wrap arrays"""
    @tendon_adr.setter
    def tendon_adr(self, value: ArrayLike) -> None: ...
    @property
    def tendon_armature(self) -> NDArray[np.float64]:
        """armature: inertia along the tendon (kg)"""
    @tendon_armature.setter
    def tendon_armature(self, value: ArrayLike) -> None: ...
    @property
    def tendon_damping(self) -> NDArray[np.float64]:
        """viscous force per unit velocity (N s/m)"""
    @tendon_damping.setter
    def tendon_damping(self, value: ArrayLike) -> None: ...
    @property
    def tendon_dampingpoly(self) -> NDArray[np.float64]:
        """polynomial damping coefficients of speed and speed squared"""
    @tendon_dampingpoly.setter
    def tendon_dampingpoly(self, value: ArrayLike) -> None: ...
    @property
    def tendon_frictionloss(self) -> NDArray[np.float64]:
        """largest friction-loss force along the tendon (N); 0 for none"""
    @tendon_frictionloss.setter
    def tendon_frictionloss(self, value: ArrayLike) -> None: ...
    @property
    def tendon_group(self) -> NDArray[np.int32]:
        """visualization group"""
    @tendon_group.setter
    def tendon_group(self, value: ArrayLike) -> None: ...
    @property
    def tendon_invweight0(self) -> NDArray[np.float64]:
        """inverse inertia along the tendon at qpos0 (1/kg)"""
    @tendon_invweight0.setter
    def tendon_invweight0(self, value: ArrayLike) -> None: ...
    @property
    def tendon_length0(self) -> NDArray[np.float64]:
        """length at qpos0 (m)"""
    @tendon_length0.setter
    def tendon_length0(self, value: ArrayLike) -> None: ...
    @property
    def tendon_lengthspring(self) -> NDArray[np.float64]:
        """band of lengths (m) in which the spring is slack: lower and upper end"""
    @tendon_lengthspring.setter
    def tendon_lengthspring(self, value: ArrayLike) -> None: ...
    @property
    def tendon_limited(self) -> NDArray[np.bool_]:
        """whether tendon_range is enforced"""
    @tendon_limited.setter
    def tendon_limited(self, value: ArrayLike) -> None: ...
    @property
    def tendon_margin(self) -> NDArray[np.float64]:
        """distance from the limit below which the constraint is active (m)"""
    @tendon_margin.setter
    def tendon_margin(self, value: ArrayLike) -> None: ...
    @property
    def tendon_matid(self) -> NDArray[np.int32]:
        """material used for display; -1 to use tendon_rgba alone"""
    @tendon_matid.setter
    def tendon_matid(self, value: ArrayLike) -> None: ...
    @property
    def tendon_num(self) -> NDArray[np.int32]:
        """number of entries of the tendon in the wrap arrays"""
    @tendon_num.setter
    def tendon_num(self, value: ArrayLike) -> None: ...
    @property
    def tendon_range(self) -> NDArray[np.float64]:
        """shortest and longest permitted length (m, or joint units when fixed)"""
    @tendon_range.setter
    def tendon_range(self, value: ArrayLike) -> None: ...
    @property
    def tendon_rgba(self) -> NDArray[np.float32]:
        """display colour and opacity, each in 0 to 1, used without a material"""
    @tendon_rgba.setter
    def tendon_rgba(self, value: ArrayLike) -> None: ...
    @property
    def tendon_solimp_fri(self) -> NDArray[np.float64]:
        """friction-loss impedance curve: start, end, width, midpoint, power"""
    @tendon_solimp_fri.setter
    def tendon_solimp_fri(self, value: ArrayLike) -> None: ...
    @property
    def tendon_solimp_lim(self) -> NDArray[np.float64]:
        """length-limit impedance curve: start, end, width, midpoint, power"""
    @tendon_solimp_lim.setter
    def tendon_solimp_lim(self, value: ArrayLike) -> None: ...
    @property
    def tendon_solref_fri(self) -> NDArray[np.float64]:
        """friction-loss response: time constant (s) and damping ratio, or the direct form"""
    @tendon_solref_fri.setter
    def tendon_solref_fri(self, value: ArrayLike) -> None: ...
    @property
    def tendon_solref_lim(self) -> NDArray[np.float64]:
        """length-limit response: time constant (s) and damping ratio, or the direct form"""
    @tendon_solref_lim.setter
    def tendon_solref_lim(self, value: ArrayLike) -> None: ...
    @property
    def tendon_stiffness(self) -> NDArray[np.float64]:
        """spring constant outside the resting band (N/m)"""
    @tendon_stiffness.setter
    def tendon_stiffness(self, value: ArrayLike) -> None: ...
    @property
    def tendon_stiffnesspoly(self) -> NDArray[np.float64]:
        """polynomial stiffness coefficients of deflection and deflection squared"""
    @tendon_stiffnesspoly.setter
    def tendon_stiffnesspoly(self, value: ArrayLike) -> None: ...
    @property
    def tendon_treeid(self) -> NDArray[np.int32]:
        """the first two distinct trees met along the tendon; -1 where fewer"""
    @tendon_treeid.setter
    def tendon_treeid(self, value: ArrayLike) -> None: ...
    @property
    def tendon_treenum(self) -> NDArray[np.int32]:
        """number of distinct kinematic trees coupled by the tendon"""
    @tendon_treenum.setter
    def tendon_treenum(self, value: ArrayLike) -> None: ...
    @property
    def tendon_user(self) -> NDArray[np.float64]:
        """user data, nuser_tendon values per row"""
    @tendon_user.setter
    def tendon_user(self, value: ArrayLike) -> None: ...
    @property
    def tendon_width(self) -> NDArray[np.float64]:
        """rendered radius (m)"""
    @tendon_width.setter
    def tendon_width(self, value: ArrayLike) -> None: ...
    def tex(self, name: str | int | None = ..., /) -> NamedView: ...
    @property
    def tex_adr(self) -> NDArray[np.int64]:
        """byte offset of the image in tex_data"""
    @tex_adr.setter
    def tex_adr(self, value: ArrayLike) -> None: ...
    @property
    def tex_colorspace(self) -> NDArray[np.int32]:
        """whether pixel values are linear or gamma-encoded"""
    @tex_colorspace.setter
    def tex_colorspace(self, value: ArrayLike) -> None: ...
    @property
    def tex_data(self) -> NDArray[np.uint8]:
        """pixels of all images, row by row with channels interleaved"""
    @tex_data.setter
    def tex_data(self, value: ArrayLike) -> None: ...
    @property
    def tex_height(self) -> NDArray[np.int32]:
        """image height in pixels; six faces are stacked for a cube"""
    @tex_height.setter
    def tex_height(self, value: ArrayLike) -> None: ...
    @property
    def tex_nchannel(self) -> NDArray[np.int32]:
        """bytes per pixel, for example 3 for rgb and 4 with opacity"""
    @tex_nchannel.setter
    def tex_nchannel(self, value: ArrayLike) -> None: ...
    @property
    def tex_pathadr(self) -> NDArray[np.int32]:
        """start of the texture's file name in paths; -1 without a file"""
    @tex_pathadr.setter
    def tex_pathadr(self, value: ArrayLike) -> None: ...
    @property
    def tex_type(self) -> NDArray[np.int32]:
        """texture type: 2D, cube or skybox"""
    @tex_type.setter
    def tex_type(self, value: ArrayLike) -> None: ...
    @property
    def tex_width(self) -> NDArray[np.int32]:
        """image width in pixels"""
    @tex_width.setter
    def tex_width(self, value: ArrayLike) -> None: ...
    def text(self, name: str | int | None = ..., /) -> NamedView: ...
    @property
    def text_adr(self) -> NDArray[np.int32]:
        """byte at which the string begins within text_data"""
    @text_adr.setter
    def text_adr(self, value: ArrayLike) -> None: ...
    @property
    def text_data(self) -> bytes:
        """all user-named strings concatenated, each ended by a zero byte"""
    @text_data.setter
    def text_data(self, value: ArrayLike) -> None: ...
    @property
    def text_size(self) -> NDArray[np.int32]:
        """bytes of the string, its terminator counted"""
    @text_size.setter
    def text_size(self, value: ArrayLike) -> None: ...
    def texture(self, name: str | int | None = ..., /) -> NamedView: ...
    def to_bytes(self) -> bytes: ...
    @property
    def tree_bodyadr(self) -> NDArray[np.int32]:
        """index of the tree's first body"""
    @tree_bodyadr.setter
    def tree_bodyadr(self, value: ArrayLike) -> None: ...
    @property
    def tree_bodynum(self) -> NDArray[np.int32]:
        """number of bodies of the tree"""
    @tree_bodynum.setter
    def tree_bodynum(self, value: ArrayLike) -> None: ...
    @property
    def tree_dofadr(self) -> NDArray[np.int32]:
        """index of the tree's first dof"""
    @tree_dofadr.setter
    def tree_dofadr(self, value: ArrayLike) -> None: ...
    @property
    def tree_dofnum(self) -> NDArray[np.int32]:
        """number of dofs of the tree"""
    @tree_dofnum.setter
    def tree_dofnum(self, value: ArrayLike) -> None: ...
    @property
    def tree_sleep_policy(self) -> NDArray[np.int32]:
        """sleep policy of the tree and its origin (automatic or user)"""
    @tree_sleep_policy.setter
    def tree_sleep_policy(self, value: ArrayLike) -> None: ...
    def tuple(self, name: str | int | None = ..., /) -> NamedView: ...
    @property
    def tuple_adr(self) -> NDArray[np.int32]:
        """index of the tuple's first member"""
    @tuple_adr.setter
    def tuple_adr(self, value: ArrayLike) -> None: ...
    @property
    def tuple_objid(self) -> NDArray[np.int32]:
        """element index of each member within its kind"""
    @tuple_objid.setter
    def tuple_objid(self, value: ArrayLike) -> None: ...
    @property
    def tuple_objprm(self) -> NDArray[np.float64]:
        """free number attached to each member by the model author"""
    @tuple_objprm.setter
    def tuple_objprm(self, value: ArrayLike) -> None: ...
    @property
    def tuple_objtype(self) -> NDArray[np.int32]:
        """object type of each member"""
    @tuple_objtype.setter
    def tuple_objtype(self, value: ArrayLike) -> None: ...
    @property
    def tuple_size(self) -> NDArray[np.int32]:
        """number of members of the tuple"""
    @tuple_size.setter
    def tuple_size(self, value: ArrayLike) -> None: ...
    @property
    def vis(self) -> MjVisual:
        """Visualization settings."""
    @property
    def wrap_objid(self) -> NDArray[np.int32]:
        """joint, site or geom of the path entry, by wrap_type; unused for a pulley"""
    @wrap_objid.setter
    def wrap_objid(self, value: ArrayLike) -> None: ...
    @property
    def wrap_prm(self) -> NDArray[np.float64]:
        """joint multiplier, pulley divisor, or side-site index of a wrapping geom (-1 without one)"""
    @wrap_prm.setter
    def wrap_prm(self, value: ArrayLike) -> None: ...
    @property
    def wrap_type(self) -> NDArray[np.int32]:
        """type of the path entry: joint, pulley, site, sphere or cylinder"""
    @wrap_type.setter
    def wrap_type(self, value: ArrayLike) -> None: ...

@final
class MjOption:
    """Simulation options (`mjOption`)."""
    def __new__(cls) -> Self: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: Any) -> Self: ...
    def __eq__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    @property
    def ccd_iterations(self) -> int:
        """Iteration limit of convex collision."""
    @ccd_iterations.setter
    def ccd_iterations(self, value: ArrayLike) -> None: ...
    @property
    def ccd_tolerance(self) -> float:
        """Stopping tolerance of convex collision."""
    @ccd_tolerance.setter
    def ccd_tolerance(self, value: ArrayLike) -> None: ...
    @property
    def cone(self) -> int:
        """Friction cone."""
    @cone.setter
    def cone(self, value: ArrayLike) -> None: ...
    @property
    def density(self) -> float:
        """Density of the surrounding medium."""
    @density.setter
    def density(self, value: ArrayLike) -> None: ...
    @property
    def disableactuator(self) -> int:
        """Bit mask of disabled actuator groups."""
    @disableactuator.setter
    def disableactuator(self, value: ArrayLike) -> None: ...
    @property
    def disableflags(self) -> int:
        """Bits of [`DisableBit`]."""
    @disableflags.setter
    def disableflags(self, value: ArrayLike) -> None: ...
    @property
    def enableflags(self) -> int:
        """Bits of [`EnableBit`]."""
    @enableflags.setter
    def enableflags(self, value: ArrayLike) -> None: ...
    @property
    def gravity(self) -> NDArray[np.float64]:
        """Gravitational acceleration."""
    @gravity.setter
    def gravity(self, value: ArrayLike) -> None: ...
    @property
    def impratio(self) -> float:
        """Ratio of friction to normal impedance of elliptic contacts."""
    @impratio.setter
    def impratio(self, value: ArrayLike) -> None: ...
    @property
    def integrator(self) -> int:
        """Time-stepping scheme."""
    @integrator.setter
    def integrator(self, value: ArrayLike) -> None: ...
    @property
    def iterations(self) -> int:
        """Iteration limit of the main solver."""
    @iterations.setter
    def iterations(self, value: ArrayLike) -> None: ...
    @property
    def jacobian(self) -> int:
        """Storage of the constraint Jacobian."""
    @jacobian.setter
    def jacobian(self, value: ArrayLike) -> None: ...
    @property
    def ls_iterations(self) -> int:
        """Iteration limit of the line search."""
    @ls_iterations.setter
    def ls_iterations(self, value: ArrayLike) -> None: ...
    @property
    def ls_tolerance(self) -> float:
        """Stopping tolerance of the line search, relative to `tolerance`."""
    @ls_tolerance.setter
    def ls_tolerance(self, value: ArrayLike) -> None: ...
    @property
    def magnetic(self) -> NDArray[np.float64]:
        """Global magnetic flux, read by magnetometers."""
    @magnetic.setter
    def magnetic(self, value: ArrayLike) -> None: ...
    @property
    def noslip_iterations(self) -> int:
        """Iteration limit of the noslip post-processor; 0 disables it."""
    @noslip_iterations.setter
    def noslip_iterations(self, value: ArrayLike) -> None: ...
    @property
    def noslip_tolerance(self) -> float:
        """Stopping tolerance of the noslip post-processor."""
    @noslip_tolerance.setter
    def noslip_tolerance(self, value: ArrayLike) -> None: ...
    @property
    def o_friction(self) -> NDArray[np.float64]:
        """Contact friction when contact override is on."""
    @o_friction.setter
    def o_friction(self, value: ArrayLike) -> None: ...
    @property
    def o_margin(self) -> float:
        """Contact margin when contact override is on."""
    @o_margin.setter
    def o_margin(self, value: ArrayLike) -> None: ...
    @property
    def o_solimp(self) -> NDArray[np.float64]:
        """Contact impedance when contact override is on."""
    @o_solimp.setter
    def o_solimp(self, value: ArrayLike) -> None: ...
    @property
    def o_solref(self) -> NDArray[np.float64]:
        """Contact reference when contact override is on."""
    @o_solref.setter
    def o_solref(self, value: ArrayLike) -> None: ...
    @property
    def sdf_initpoints(self) -> int:
        """Starting points of signed-distance collision."""
    @sdf_initpoints.setter
    def sdf_initpoints(self, value: ArrayLike) -> None: ...
    @property
    def sdf_iterations(self) -> int:
        """Gradient steps of signed-distance collision."""
    @sdf_iterations.setter
    def sdf_iterations(self, value: ArrayLike) -> None: ...
    @property
    def sleep_tolerance(self) -> float:
        """Velocity tolerance of sleeping."""
    @sleep_tolerance.setter
    def sleep_tolerance(self, value: ArrayLike) -> None: ...
    @property
    def solver(self) -> int:
        """Constraint solver."""
    @solver.setter
    def solver(self, value: ArrayLike) -> None: ...
    @property
    def timestep(self) -> float:
        """Time step in seconds."""
    @timestep.setter
    def timestep(self, value: ArrayLike) -> None: ...
    @property
    def tolerance(self) -> float:
        """Stopping tolerance of the main solver."""
    @tolerance.setter
    def tolerance(self, value: ArrayLike) -> None: ...
    @property
    def viscosity(self) -> float:
        """Viscosity of the surrounding medium."""
    @viscosity.setter
    def viscosity(self, value: ArrayLike) -> None: ...
    @property
    def wind(self) -> NDArray[np.float64]:
        """Velocity of the surrounding medium."""
    @wind.setter
    def wind(self, value: ArrayLike) -> None: ...

@final
class MjStatistic:
    """Typical magnitudes of a model (`mjStatistic`)."""
    def __new__(cls) -> Self: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: Any) -> Self: ...
    def __eq__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    @property
    def center(self) -> NDArray[np.float64]:
        """Centre of the model's bounding box."""
    @center.setter
    def center(self, value: ArrayLike) -> None: ...
    @property
    def extent(self) -> float:
        """Half size of the model's bounding box."""
    @extent.setter
    def extent(self, value: ArrayLike) -> None: ...
    @property
    def meaninertia(self) -> float:
        """Mean diagonal of the joint-space inertia at `qpos0`."""
    @meaninertia.setter
    def meaninertia(self, value: ArrayLike) -> None: ...
    @property
    def meanmass(self) -> float:
        """Mean body mass."""
    @meanmass.setter
    def meanmass(self, value: ArrayLike) -> None: ...
    @property
    def meansize(self) -> float:
        """Mean body size."""
    @meansize.setter
    def meansize(self, value: ArrayLike) -> None: ...

@final
class MjTimerStat:
    """Accumulated time of a stage (`mjTimerStat`)."""
    def __new__(cls) -> Self: ...
    def __eq__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    @property
    def duration(self) -> float:
        """Accumulated time."""
    @property
    def number(self) -> int:
        """Number of calls."""

@final
class MjVisual:
    """Visualization settings of a model (`mjVisual`)."""
    def __new__(cls) -> Self: ...
    @property
    def global_(self) -> MjVisualGlobal:
        """Global parameters."""
    @property
    def headlight(self) -> MjVisualHeadlight:
        """Light at the camera."""
    @property
    def map(self) -> MjVisualMap:
        """Maps between simulated quantities and their visualization."""
    @property
    def quality(self) -> MjVisualQuality:
        """Rendering quality."""
    @property
    def rgba(self) -> MjVisualRgba:
        """Colours of decorative elements."""
    @property
    def scale(self) -> MjVisualScale:
        """Sizes of decorative elements."""

@final
class MjVisualGlobal:
    """Global visualization parameters."""
    def __new__(cls) -> Self: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: Any) -> Self: ...
    def __eq__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    @property
    def azimuth(self) -> float:
        """Initial azimuth of the free camera (degrees)."""
    @azimuth.setter
    def azimuth(self, value: ArrayLike) -> None: ...
    @property
    def bvactive(self) -> int:
        """1 if bounding volumes visited by collision detection are highlighted."""
    @bvactive.setter
    def bvactive(self, value: ArrayLike) -> None: ...
    @property
    def cameraid(self) -> int:
        """Initial camera: -1 for the free camera, otherwise an index."""
    @cameraid.setter
    def cameraid(self, value: ArrayLike) -> None: ...
    @property
    def elevation(self) -> float:
        """Initial elevation of the free camera (degrees)."""
    @elevation.setter
    def elevation(self, value: ArrayLike) -> None: ...
    @property
    def ellipsoidinertia(self) -> int:
        """Shape of equivalent inertias: 0 box, 1 ellipsoid."""
    @ellipsoidinertia.setter
    def ellipsoidinertia(self, value: ArrayLike) -> None: ...
    @property
    def fovy(self) -> float:
        """Vertical field of view of the free camera: degrees, or metres if orthographic."""
    @fovy.setter
    def fovy(self, value: ArrayLike) -> None: ...
    @property
    def glow(self) -> float:
        """Emission added to the selected body."""
    @glow.setter
    def glow(self, value: ArrayLike) -> None: ...
    @property
    def ipd(self) -> float:
        """Distance between the two eyes of the free camera (m)."""
    @ipd.setter
    def ipd(self, value: ArrayLike) -> None: ...
    @property
    def linewidth(self) -> float:
        """Width of lines in pixels."""
    @linewidth.setter
    def linewidth(self, value: ArrayLike) -> None: ...
    @property
    def offheight(self) -> int:
        """Height of the offscreen buffer in pixels."""
    @offheight.setter
    def offheight(self, value: ArrayLike) -> None: ...
    @property
    def offwidth(self) -> int:
        """Width of the offscreen buffer in pixels."""
    @offwidth.setter
    def offwidth(self, value: ArrayLike) -> None: ...
    @property
    def orthographic(self) -> int:
        """1 if the free camera is orthographic."""
    @orthographic.setter
    def orthographic(self, value: ArrayLike) -> None: ...
    @property
    def realtime(self) -> float:
        """Initial real-time factor."""
    @realtime.setter
    def realtime(self, value: ArrayLike) -> None: ...

@final
class MjVisualHeadlight:
    """Light at the camera."""
    def __new__(cls) -> Self: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: Any) -> Self: ...
    def __eq__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    @property
    def active(self) -> int:
        """1 if the light is on."""
    @active.setter
    def active(self, value: ArrayLike) -> None: ...
    @property
    def ambient(self) -> NDArray[np.float32]:
        """Ambient colour (r, g, b)."""
    @ambient.setter
    def ambient(self, value: ArrayLike) -> None: ...
    @property
    def diffuse(self) -> NDArray[np.float32]:
        """Diffuse colour (r, g, b)."""
    @diffuse.setter
    def diffuse(self, value: ArrayLike) -> None: ...
    @property
    def specular(self) -> NDArray[np.float32]:
        """Specular colour (r, g, b)."""
    @specular.setter
    def specular(self, value: ArrayLike) -> None: ...

@final
class MjVisualMap:
    """Maps between simulated quantities and their visualization."""
    def __new__(cls) -> Self: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: Any) -> Self: ...
    def __eq__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    @property
    def actuatortendon(self) -> float:
        """Width of an actuated tendon relative to the tendon's width."""
    @actuatortendon.setter
    def actuatortendon(self, value: ArrayLike) -> None: ...
    @property
    def alpha(self) -> float:
        """Factor on the opacity of moving geoms if they are drawn transparent."""
    @alpha.setter
    def alpha(self, value: ArrayLike) -> None: ...
    @property
    def fogend(self) -> float:
        """End of fog, relative to the extent of the model."""
    @fogend.setter
    def fogend(self, value: ArrayLike) -> None: ...
    @property
    def fogstart(self) -> float:
        """Start of fog, relative to the extent of the model."""
    @fogstart.setter
    def fogstart(self, value: ArrayLike) -> None: ...
    @property
    def force(self) -> float:
        """Length of a force arrow per unit of acceleration at the mean body mass."""
    @force.setter
    def force(self, value: ArrayLike) -> None: ...
    @property
    def haze(self) -> float:
        """Fraction of the distance to the horizon that is hazy."""
    @haze.setter
    def haze(self, value: ArrayLike) -> None: ...
    @property
    def shadowclip(self) -> float:
        """Shadow volume of directional lights, relative to the extent of the model."""
    @shadowclip.setter
    def shadowclip(self, value: ArrayLike) -> None: ...
    @property
    def shadowscale(self) -> float:
        """Shadow volume of spot lights, relative to their cutoff."""
    @shadowscale.setter
    def shadowscale(self, value: ArrayLike) -> None: ...
    @property
    def stiffness(self) -> float:
        """Stiffness of a mouse perturbation per unit of mass (1/s²)."""
    @stiffness.setter
    def stiffness(self, value: ArrayLike) -> None: ...
    @property
    def stiffnessrot(self) -> float:
        """Rotational stiffness of a mouse perturbation per unit of inertia (1/s²)."""
    @stiffnessrot.setter
    def stiffnessrot(self, value: ArrayLike) -> None: ...
    @property
    def torque(self) -> float:
        """Length of a torque arrow per unit of torque."""
    @torque.setter
    def torque(self, value: ArrayLike) -> None: ...
    @property
    def zfar(self) -> float:
        """Far clipping plane, relative to the extent of the model."""
    @zfar.setter
    def zfar(self, value: ArrayLike) -> None: ...
    @property
    def znear(self) -> float:
        """Near clipping plane, relative to the extent of the model."""
    @znear.setter
    def znear(self, value: ArrayLike) -> None: ...

@final
class MjVisualQuality:
    """Rendering quality."""
    def __new__(cls) -> Self: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: Any) -> Self: ...
    def __eq__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    @property
    def numquads(self) -> int:
        """Subdivisions of a box face."""
    @numquads.setter
    def numquads(self, value: ArrayLike) -> None: ...
    @property
    def numslices(self) -> int:
        """Slices of round shapes."""
    @numslices.setter
    def numslices(self, value: ArrayLike) -> None: ...
    @property
    def numstacks(self) -> int:
        """Stacks of round shapes."""
    @numstacks.setter
    def numstacks(self, value: ArrayLike) -> None: ...
    @property
    def offsamples(self) -> int:
        """Samples per pixel of the offscreen buffer."""
    @offsamples.setter
    def offsamples(self, value: ArrayLike) -> None: ...
    @property
    def shadowsize(self) -> int:
        """Side of the shadow map in texels."""
    @shadowsize.setter
    def shadowsize(self, value: ArrayLike) -> None: ...

@final
class MjVisualRgba:
    """Colours of decorative elements."""
    def __new__(cls) -> Self: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: Any) -> Self: ...
    def __eq__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    @property
    def actuator(self) -> NDArray[np.float32]:
        """Actuator in its neutral state."""
    @actuator.setter
    def actuator(self, value: ArrayLike) -> None: ...
    @property
    def actuatornegative(self) -> NDArray[np.float32]:
        """Actuator at its negative limit."""
    @actuatornegative.setter
    def actuatornegative(self, value: ArrayLike) -> None: ...
    @property
    def actuatorpositive(self) -> NDArray[np.float32]:
        """Actuator at its positive limit."""
    @actuatorpositive.setter
    def actuatorpositive(self, value: ArrayLike) -> None: ...
    @property
    def bv(self) -> NDArray[np.float32]:
        """Bounding volume."""
    @bv.setter
    def bv(self, value: ArrayLike) -> None: ...
    @property
    def bvactive(self) -> NDArray[np.float32]:
        """Bounding volume visited by collision detection."""
    @bvactive.setter
    def bvactive(self, value: ArrayLike) -> None: ...
    @property
    def camera(self) -> NDArray[np.float32]:
        """Camera."""
    @camera.setter
    def camera(self, value: ArrayLike) -> None: ...
    @property
    def com(self) -> NDArray[np.float32]:
        """Centre of mass."""
    @com.setter
    def com(self, value: ArrayLike) -> None: ...
    @property
    def connect(self) -> NDArray[np.float32]:
        """Connection of bodies and joints."""
    @connect.setter
    def connect(self, value: ArrayLike) -> None: ...
    @property
    def constraint(self) -> NDArray[np.float32]:
        """Active constraint."""
    @constraint.setter
    def constraint(self, value: ArrayLike) -> None: ...
    @property
    def contactforce(self) -> NDArray[np.float32]:
        """Contact force."""
    @contactforce.setter
    def contactforce(self, value: ArrayLike) -> None: ...
    @property
    def contactfriction(self) -> NDArray[np.float32]:
        """Friction force of a contact."""
    @contactfriction.setter
    def contactfriction(self, value: ArrayLike) -> None: ...
    @property
    def contactgap(self) -> NDArray[np.float32]:
        """Contact that is excluded from the solver."""
    @contactgap.setter
    def contactgap(self, value: ArrayLike) -> None: ...
    @property
    def contactpoint(self) -> NDArray[np.float32]:
        """Contact point."""
    @contactpoint.setter
    def contactpoint(self, value: ArrayLike) -> None: ...
    @property
    def contacttorque(self) -> NDArray[np.float32]:
        """Torque of a contact."""
    @contacttorque.setter
    def contacttorque(self, value: ArrayLike) -> None: ...
    @property
    def crankbroken(self) -> NDArray[np.float32]:
        """Slider-crank whose rod is too short."""
    @crankbroken.setter
    def crankbroken(self, value: ArrayLike) -> None: ...
    @property
    def fog(self) -> NDArray[np.float32]:
        """Fog."""
    @fog.setter
    def fog(self, value: ArrayLike) -> None: ...
    @property
    def force(self) -> NDArray[np.float32]:
        """External force."""
    @force.setter
    def force(self, value: ArrayLike) -> None: ...
    @property
    def frustum(self) -> NDArray[np.float32]:
        """Camera frustum."""
    @frustum.setter
    def frustum(self, value: ArrayLike) -> None: ...
    @property
    def haze(self) -> NDArray[np.float32]:
        """Haze."""
    @haze.setter
    def haze(self, value: ArrayLike) -> None: ...
    @property
    def inertia(self) -> NDArray[np.float32]:
        """Equivalent inertia."""
    @inertia.setter
    def inertia(self, value: ArrayLike) -> None: ...
    @property
    def joint(self) -> NDArray[np.float32]:
        """Joint."""
    @joint.setter
    def joint(self, value: ArrayLike) -> None: ...
    @property
    def light(self) -> NDArray[np.float32]:
        """Light."""
    @light.setter
    def light(self, value: ArrayLike) -> None: ...
    @property
    def rangefinder(self) -> NDArray[np.float32]:
        """Ray of a rangefinder."""
    @rangefinder.setter
    def rangefinder(self, value: ArrayLike) -> None: ...
    @property
    def selectpoint(self) -> NDArray[np.float32]:
        """Selection point."""
    @selectpoint.setter
    def selectpoint(self, value: ArrayLike) -> None: ...
    @property
    def slidercrank(self) -> NDArray[np.float32]:
        """Slider-crank."""
    @slidercrank.setter
    def slidercrank(self, value: ArrayLike) -> None: ...

@final
class MjVisualScale:
    """Sizes of decorative elements."""
    def __new__(cls) -> Self: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: Any) -> Self: ...
    def __eq__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    @property
    def actuatorlength(self) -> float:
        """Length of actuator arrows."""
    @actuatorlength.setter
    def actuatorlength(self, value: ArrayLike) -> None: ...
    @property
    def actuatorwidth(self) -> float:
        """Radius of actuator arrows."""
    @actuatorwidth.setter
    def actuatorwidth(self, value: ArrayLike) -> None: ...
    @property
    def camera(self) -> float:
        """Size of cameras."""
    @camera.setter
    def camera(self, value: ArrayLike) -> None: ...
    @property
    def com(self) -> float:
        """Radius of centre-of-mass spheres."""
    @com.setter
    def com(self, value: ArrayLike) -> None: ...
    @property
    def connect(self) -> float:
        """Radius of the capsules that connect bodies and joints."""
    @connect.setter
    def connect(self, value: ArrayLike) -> None: ...
    @property
    def constraint(self) -> float:
        """Radius of constraint spheres and perturbation capsules."""
    @constraint.setter
    def constraint(self, value: ArrayLike) -> None: ...
    @property
    def contactheight(self) -> float:
        """Half-height of contact cylinders."""
    @contactheight.setter
    def contactheight(self, value: ArrayLike) -> None: ...
    @property
    def contactwidth(self) -> float:
        """Radius of contact cylinders."""
    @contactwidth.setter
    def contactwidth(self, value: ArrayLike) -> None: ...
    @property
    def forcewidth(self) -> float:
        """Radius of force arrows."""
    @forcewidth.setter
    def forcewidth(self, value: ArrayLike) -> None: ...
    @property
    def framelength(self) -> float:
        """Length of frame axes."""
    @framelength.setter
    def framelength(self, value: ArrayLike) -> None: ...
    @property
    def framewidth(self) -> float:
        """Radius of frame axes."""
    @framewidth.setter
    def framewidth(self, value: ArrayLike) -> None: ...
    @property
    def frustum(self) -> float:
        """Distance of the far plane of a drawn camera frustum."""
    @frustum.setter
    def frustum(self, value: ArrayLike) -> None: ...
    @property
    def jointlength(self) -> float:
        """Length of joint arrows."""
    @jointlength.setter
    def jointlength(self, value: ArrayLike) -> None: ...
    @property
    def jointwidth(self) -> float:
        """Radius of joint arrows."""
    @jointwidth.setter
    def jointwidth(self, value: ArrayLike) -> None: ...
    @property
    def light(self) -> float:
        """Size of lights."""
    @light.setter
    def light(self, value: ArrayLike) -> None: ...
    @property
    def selectpoint(self) -> float:
        """Radius of the selection point."""
    @selectpoint.setter
    def selectpoint(self, value: ArrayLike) -> None: ...
    @property
    def slidercrank(self) -> float:
        """Radius of slider-cranks."""
    @slidercrank.setter
    def slidercrank(self, value: ArrayLike) -> None: ...

@final
class MjWarningStat:
    """Statistics of a warning (`mjWarningStat`)."""
    def __new__(cls) -> Self: ...
    def __eq__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    @property
    def lastinfo(self) -> int:
        """Index that last raised the warning."""
    @property
    def number(self) -> int:
        """Number of times the warning was raised."""

@final
class MjWarningStatList:
    """Statistics of all warnings: a sequence, and views of its two columns."""
    def __eq__(self, other: object, /) -> bool: ...
    def __getitem__(self, index: Any, /) -> Any: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __len__(self) -> int: ...
    @property
    def lastinfo(self) -> Any:
        """Index that last raised each warning."""
    @property
    def number(self) -> Any:
        """Number of times each warning was raised."""

@final
class NamedView:
    """Arrays of one element of a model or data."""
    @property
    def id(self) -> int:
        """Index of the element."""
    @property
    def name(self) -> str:
        """Name of the element; empty if it has none."""
    def __getattr__(self, name: str, /) -> Any: ...
    def __setattr__(self, name: str, value: Any, /) -> None: ...
    def __delattr__(self, name: str, /) -> None: ...

@final
class RendererHandle:
    """Renders scenes of one model to images."""
    def __new__(cls, m: MjModel, width: Any, height: Any) -> Self: ...
    def render(self, scene: SceneHandle, width: Any, height: Any, outputs: Any) -> dict[str, NDArray[Any]]: ...

@final
class SceneHandle:
    """The geoms, lights and cameras that are drawn."""
    def __new__(cls, m: MjModel, maxgeom: Any) -> Self: ...
    def camera(self, eye: Any) -> tuple[Any, ...]: ...
    @property
    def flags(self) -> bytes:
        """Rendering flags."""
    def geom(self, index: int) -> tuple[Any, ...]: ...
    def move_camera(self, m: MjModel, action: Any, reldx: Any, reldy: Any, camera: Any) -> tuple[list[float], float, float, float]: ...
    @property
    def ngeom(self) -> int:
        """Number of geoms."""
    @property
    def nlight(self) -> int:
        """Number of lights."""
    def set_flags(self, flags: Any) -> None: ...
    def set_geom(self, index: int, values: Any) -> None: ...
    def set_ngeom(self, count: Any) -> None: ...
    def update(self, m: MjModel, d: MjData, groups: Any, flags: Any, integers: Any, selected: Any, camera: Any, catmask: Any) -> list[float]: ...

@final
class Solution:
    """Result of a solve."""
    @property
    def converged(self) -> bool:
        """Whether every target is reached."""
    @property
    def iterations(self) -> int:
        """Number of iterations."""
    @property
    def orientation_error(self) -> float:
        """Largest remaining orientation error, rad."""
    @property
    def position_error(self) -> float:
        """Largest remaining position error, m."""
    @property
    def qpos(self) -> NDArray[np.float64]:
        """Joint positions of the whole model."""
    @property
    def restarts(self) -> int:
        """Number of restarts."""
    @property
    def status(self) -> str:
        """Description of the status."""

@final
class Solver:
    """Inverse kinematics of one or several chains."""
    def __new__(cls, chains: Chain | Sequence[Chain], *, position_tolerance: Any = ..., orientation_tolerance: Any = ..., max_iterations: Any = ..., restarts: Any = ..., seed: Any = ...) -> Self: ...
    def solve(self, start: Any, pos: Any = ..., quat: Any = ..., *, cold: Any = ...) -> Solution: ...

@final
class SpecBase:
    """What a spec has besides its elements: deformable bodies, and settings that have no name in Python."""
    def __new__(cls) -> Self: ...

@final
class VecEnv:
    """Environments of one task, stepped together on one or several threads."""
    def __new__(cls, task: Any, num_envs: int = ..., *, model: MjModel | None = ..., options: Any = ..., frame_skip: Any = ..., max_episode_steps: Any = ..., autoreset: Any = ..., threads: Any = ..., lanes: Any = ...) -> Self: ...
    def __len__(self) -> int: ...
    @property
    def action_bounds(self) -> NDArray[np.float64]:
        """Lower and upper bound of the values of an action."""
    @property
    def action_size(self) -> int:
        """Number of values of an action."""
    @property
    def camera(self) -> tuple[int | None, float | None, list[float] | None, float | None]:
        """The camera of images: tracked body, distance, point, elevation; None where the default applies."""
    def data(self, environment: int, model: MjModel) -> MjData: ...
    @property
    def dt(self) -> float:
        """Duration of a step in seconds."""
    def elapsed_steps(self) -> list[int]: ...
    def errors(self) -> list[tuple[int, str]]: ...
    def finals(self) -> tuple[NDArray[np.bool_], NDArray[np.float64], NDArray[np.float64]] | None: ...
    @property
    def frame_skip(self) -> int:
        """Number of time steps of the simulation per step."""
    def get(self, name: str) -> NDArray[np.float64]: ...
    @property
    def info_fields(self) -> list[tuple[str, int | None, bool]]:
        """Name, length (None for a number) and validity after a reset of the values that `infos` has."""
    def infos(self) -> tuple[NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_]]: ...
    def model(self, environment: int) -> MjModel: ...
    @property
    def num_envs(self) -> int:
        """Number of environments."""
    @property
    def observation_size(self) -> int:
        """Number of values of an observation."""
    def observe(self, observations: Any) -> None: ...
    def randomize(self, seed: Any, *, mass: Any = ..., friction: Any = ..., gain: Any = ..., damping: Any = ...) -> None: ...
    def reset(self, observations: Any, seed: Any = ..., mask: Any = ...) -> None: ...
    def set_state(self, environments: Any, qpos: Any, qvel: Any, time: Any) -> None: ...
    def step(self, actions: Any, observations: Any, rewards: Any, terminated: Any, truncated: Any) -> None: ...
    @property
    def steps_in_lanes(self) -> bool:
        """Whether the environments are stepped in SIMD lanes: requested, and supported for the model."""
    @property
    def threads(self) -> int:
        """Number of threads."""
    def times(self) -> NDArray[np.float64]: ...
    def vary(self, environment: int, **arrays: Any) -> None: ...

def _fields() -> list[tuple[str, str, list[str], str]]: ...
def _gpu_adapters() -> list[str]: ...
def _panic(m: MjModel, d: MjData) -> None: ...
def _rollout(models: list[MjModel], data: list[MjData], nstep: int, control_spec: Any, initial_state: Any, initial_warmstart: Any, control: Any, lanes: Any = ...) -> tuple[NDArray[np.float64], NDArray[np.float64]]: ...
def _scalars() -> list[tuple[str, str]]: ...
def _spec_actuator(fields: Any, kind: Any, params: Any) -> dict[str, Any]: ...
def _spec_compile(document: Any, settings: Any, base: Any, assets: Any) -> MjModel: ...
def _spec_defaults() -> dict[str, dict[str, Any]]: ...
def _spec_orientation(number: Any, values: Any, compiler: Any) -> list[float]: ...
def _spec_parse(xml: Any, filename: Any, assets: Any) -> tuple[dict[str, Any], MjModel, SpecBase]: ...
def _spec_recompile(document: Any, settings: Any, base: Any, assets: Any, model: Any, data: Any) -> tuple[MjModel, MjData]: ...
def _spec_settings() -> MjModel: ...
def _spec_xml(document: Any, settings: Any, base: Any, assets: Any) -> str: ...
def _task_arrays() -> list[str]: ...
def free_camera(m: MjModel) -> tuple[list[float], float, float, float, bool]: ...
def get_mjcb_act_dyn() -> Any: ...
def get_mjcb_control() -> Any: ...
def get_mjcb_passive() -> Any: ...
def get_mjcb_sensor() -> Any: ...
def get_mjcb_time() -> Any: ...
def mj_Euler(m: MjModel, d: MjData) -> None: ...
def mj_RungeKutta(m: MjModel, d: MjData, N: Any) -> None: ...
def mj_addContact(m: MjModel, d: MjData, con: MjContact) -> int: ...
def mj_angmomMat(m: MjModel, d: MjData, mat: Any, body: int) -> None: ...
def mj_applyFT(m: MjModel, d: MjData, force: Any, torque: Any, point: Any, body: int, qfrc_target: Any) -> None: ...
def mj_camlight(m: MjModel, d: MjData) -> None: ...
def mj_checkAcc(m: MjModel, d: MjData) -> None: ...
def mj_checkPos(m: MjModel, d: MjData) -> None: ...
def mj_checkVel(m: MjModel, d: MjData) -> None: ...
def mj_collision(m: MjModel, d: MjData) -> None: ...
def mj_comPos(m: MjModel, d: MjData) -> None: ...
def mj_comVel(m: MjModel, d: MjData) -> None: ...
def mj_compareFwdInv(m: MjModel, d: MjData) -> None: ...
def mj_constraintUpdate(m: MjModel, d: MjData, jar: Any, cost: Any = ..., flg_coneHessian: Any = ...) -> None: ...
def mj_contactForce(m: MjModel, d: MjData, id: int, result: Any) -> None: ...
def mj_copyData(dest: MjData, m: MjModel, src: MjData) -> MjData: ...
def mj_copyState(m: MjModel, src: MjData, dst: MjData, sig: int) -> None: ...
def mj_crb(m: MjModel, d: MjData) -> None: ...
def mj_differentiatePos(m: MjModel, qvel: Any, dt: Any, qpos1: Any, qpos2: Any) -> None: ...
def mj_energyPos(m: MjModel, d: MjData) -> None: ...
def mj_energyVel(m: MjModel, d: MjData) -> None: ...
def mj_extractState(m: MjModel, src: MjData, srcsig: Any, dst: MjData, dstsig: Any) -> None: ...
def mj_factorM(m: MjModel, d: MjData) -> None: ...
def mj_forward(m: MjModel, d: MjData) -> None: ...
def mj_forwardSkip(m: MjModel, d: MjData, skipstage: Any, skipsensor: Any) -> None: ...
def mj_fullM(m: MjModel, dst: MjData, M: Any) -> None: ...
def mj_fwdAcceleration(m: MjModel, d: MjData) -> None: ...
def mj_fwdActuation(m: MjModel, d: MjData) -> None: ...
def mj_fwdConstraint(m: MjModel, d: MjData) -> None: ...
def mj_fwdKinematics(m: MjModel, d: MjData) -> None: ...
def mj_fwdPosition(m: MjModel, d: MjData) -> None: ...
def mj_fwdVelocity(m: MjModel, d: MjData) -> None: ...
def mj_geomDistance(m: MjModel, d: MjData, geom1: Any, geom2: Any, distmax: Any, fromto: Any = ...) -> float: ...
def mj_getState(m: MjModel, d: MjData, state: Any, sig: int) -> None: ...
def mj_getTotalmass(m: MjModel) -> float: ...
def mj_id2name(m: MjModel, type: Any, id: int) -> str | None: ...
def mj_implicit(m: MjModel, d: MjData) -> None: ...
def mj_initCtrlHistory(m: MjModel, d: MjData, id: int, times: Any, values: Any) -> None: ...
def mj_initSensorHistory(m: MjModel, d: MjData, id: int, times: Any, values: Any, phase: Any) -> None: ...
def mj_integratePos(m: MjModel, qpos: Any, qvel: Any, dt: Any) -> None: ...
def mj_invConstraint(m: MjModel, d: MjData) -> None: ...
def mj_invPosition(m: MjModel, d: MjData) -> None: ...
def mj_invVelocity(m: MjModel, d: MjData) -> None: ...
def mj_inverse(m: MjModel, d: MjData) -> None: ...
def mj_inverseSkip(m: MjModel, d: MjData, skipstage: Any, skipsensor: Any) -> None: ...
def mj_isDual(m: MjModel) -> bool: ...
def mj_isPyramidal(m: MjModel) -> bool: ...
def mj_isSparse(m: MjModel) -> bool: ...
def mj_island(m: MjModel, d: MjData) -> None: ...
def mj_jac(m: MjModel, d: MjData, jacp: Any, jacr: Any, point: Any, body: int) -> None: ...
def mj_jacBody(m: MjModel, d: MjData, jacp: Any, jacr: Any, body: int) -> None: ...
def mj_jacBodyCom(m: MjModel, d: MjData, jacp: Any, jacr: Any, body: int) -> None: ...
def mj_jacDot(m: MjModel, d: MjData, jacp: Any, jacr: Any, point: Any, body: int) -> None: ...
def mj_jacGeom(m: MjModel, d: MjData, jacp: Any, jacr: Any, geom: int) -> None: ...
def mj_jacPointAxis(m: MjModel, d: MjData, jacPoint: Any, jacAxis: Any, point: Any, axis: Any, body: int) -> None: ...
def mj_jacSite(m: MjModel, d: MjData, jacp: Any, jacr: Any, site: int) -> None: ...
def mj_jacSubtreeCom(m: MjModel, d: MjData, jacp: Any, body: int) -> None: ...
def mj_kinematics(m: MjModel, d: MjData) -> None: ...
def mj_makeConstraint(m: MjModel, d: MjData) -> None: ...
def mj_makeM(m: MjModel, d: MjData) -> None: ...
def mj_mulJacTVec(m: MjModel, d: MjData, res: Any, vec: Any) -> None: ...
def mj_mulJacVec(m: MjModel, d: MjData, res: Any, vec: Any) -> None: ...
def mj_mulM(m: MjModel, d: MjData, res: Any, vec: Any) -> None: ...
def mj_mulM2(m: MjModel, d: MjData, res: Any, vec: Any) -> None: ...
def mj_multiRay(m: MjModel, d: MjData, pnt: Any, vec: Any, geomgroup: Any, flg_static: Any, bodyexclude: Any, geomid: Any, dist: Any, normal: Any = ..., nray: Any = ..., cutoff: Any = ...) -> None: ...
def mj_name2id(m: MjModel, type: Any, name: str) -> int: ...
def mj_normalizeQuat(m: MjModel, qpos: Any) -> None: ...
def mj_objectAcceleration(m: MjModel, d: MjData, objtype: Any, objid: Any, res: Any, flg_local: Any) -> None: ...
def mj_objectVelocity(m: MjModel, d: MjData, objtype: Any, objid: Any, res: Any, flg_local: Any) -> None: ...
def mj_passive(m: MjModel, d: MjData) -> None: ...
def mj_printData(m: MjModel, d: MjData, filename: str | os.PathLike[str]) -> None: ...
def mj_printModel(m: MjModel, filename: str | os.PathLike[str]) -> None: ...
def mj_printSchema(flg_html: Any, flg_pad: Any) -> str: ...
def mj_projectConstraint(m: MjModel, d: MjData) -> None: ...
def mj_ray(m: MjModel, d: MjData, pnt: Any, vec: Any, geomgroup: Any, flg_static: Any, bodyexclude: Any, geomid: Any, normal: Any = ...) -> float: ...
def mj_rayHfield(m: MjModel, d: MjData, geomid: Any, pnt: Any, vec: Any, normal: Any = ...) -> float: ...
def mj_rayMesh(m: MjModel, d: MjData, geomid: Any, pnt: Any, vec: Any, normal: Any = ...) -> float: ...
def mj_readCtrl(m: MjModel, d: MjData, id: int, time: Any, interp: Any = ...) -> float: ...
def mj_readSensor(m: MjModel, d: MjData, id: int, time: Any, result: Any, interp: Any = ...) -> None: ...
def mj_referenceConstraint(m: MjModel, d: MjData) -> None: ...
def mj_resetCallbacks() -> None: ...
def mj_resetData(m: MjModel, d: MjData) -> None: ...
def mj_resetDataDebug(m: MjModel, d: MjData, debug_value: Any) -> None: ...
def mj_resetDataKeyframe(m: MjModel, d: MjData, key: int) -> None: ...
def mj_rne(m: MjModel, d: MjData, flg_acc: Any, result: Any) -> None: ...
def mj_rnePostConstraint(m: MjModel, d: MjData) -> None: ...
def mj_saveModel(m: MjModel, filename: str | os.PathLike[str] | None = ..., buffer: Any = ...) -> None: ...
def mj_sensorAcc(m: MjModel, d: MjData) -> None: ...
def mj_sensorPos(m: MjModel, d: MjData) -> None: ...
def mj_sensorVel(m: MjModel, d: MjData) -> None: ...
def mj_setConst(m: MjModel, d: MjData) -> None: ...
def mj_setKeyframe(m: MjModel, d: MjData, k: int) -> None: ...
def mj_setState(m: MjModel, d: MjData, state: Any, sig: int) -> None: ...
def mj_setTotalmass(m: MjModel, newmass: Any) -> None: ...
def mj_sizeModel(m: MjModel) -> int: ...
def mj_solveM(m: MjModel, d: MjData, res: Any, vec: Any) -> None: ...
def mj_solveM2(m: MjModel, d: MjData, res: Any, vec: Any) -> None: ...
def mj_stateSize(m: MjModel, sig: int) -> int: ...
def mj_step(m: MjModel, d: MjData, nstep: int = ...) -> None: ...
def mj_step1(m: MjModel, d: MjData) -> None: ...
def mj_step2(m: MjModel, d: MjData) -> None: ...
def mj_subtreeVel(m: MjModel, d: MjData) -> None: ...
def mj_tendon(m: MjModel, d: MjData) -> None: ...
def mj_transmission(m: MjModel, d: MjData) -> None: ...
def mjd_inverseFD(m: MjModel, d: MjData, eps: Any, flg_actuation: Any, DfDq: Any = ..., DfDv: Any = ..., DfDa: Any = ..., DsDq: Any = ..., DsDv: Any = ..., DsDa: Any = ..., DmDq: Any = ...) -> None: ...
def mjd_quatIntegrate(vel: Any, scale: Any, Dquat: Any, Dvel: Any, Dscale: Any) -> None: ...
def mjd_subQuat(qa: Any, qb: Any, Da: Any = ..., Db: Any = ...) -> None: ...
def mjd_transitionFD(m: MjModel, d: MjData, eps: Any, flg_centered: Any, A: Any = ..., B: Any = ..., C: Any = ..., D: Any = ...) -> None: ...
def mju_Halton(index: int, base: str | None) -> float: ...
def mju_add3(res: Any, vec1: Any, vec2: Any) -> None: ...
def mju_addScl3(res: Any, vec1: Any, vec2: Any, scl: Any) -> None: ...
def mju_axisAngle2Quat(res: Any, axis: Any, angle: Any) -> None: ...
def mju_cholFactor(mat: Any, mindiag: Any) -> int: ...
def mju_cholSolve(res: Any, mat: Any, vec: Any) -> None: ...
def mju_cholUpdate(mat: Any, x: Any, flg_plus: Any) -> int: ...
def mju_copy3(res: Any, data: list[MjData]) -> None: ...
def mju_copy4(res: Any, data: list[MjData]) -> None: ...
def mju_cross(res: Any, a: Any, b: Any) -> None: ...
def mju_derivQuat(res: Any, quat: Any, vel: Any) -> None: ...
def mju_eig3(eigval: Any, eigvec: Any, quat: Any, mat: Any) -> int: ...
def mju_euler2Quat(quat: Any, euler: Any, seq: str) -> None: ...
def mju_isBad(x: Any) -> bool: ...
def mju_mat2Quat(quat: Any, mat: Any) -> None: ...
def mju_mat2Rot(quat: Any, mat: Any) -> int: ...
def mju_mulMatTVec3(res: Any, mat: Any, vec: Any) -> None: ...
def mju_mulMatVec3(res: Any, mat: Any, vec: Any) -> None: ...
def mju_mulPose(posres: Any, quatres: Any, pos1: Any, quat1: Any, pos2: Any, quat2: Any) -> None: ...
def mju_mulQuat(res: Any, quat1: Any, quat2: Any) -> None: ...
def mju_mulQuatAxis(res: Any, quat: Any, axis: Any) -> None: ...
def mju_negPose(posres: Any, quatres: Any, pos: Any, quat: Any) -> None: ...
def mju_negQuat(res: Any, quat: Any) -> None: ...
def mju_normalize3(vec: Any) -> float: ...
def mju_normalize4(vec: Any) -> float: ...
def mju_quat2Mat(res: Any, quat: Any) -> None: ...
def mju_quat2Vel(res: Any, quat: Any, dt: Any) -> None: ...
def mju_quatIntegrate(quat: Any, vel: Any, scale: Any) -> None: ...
def mju_quatZ2Vec(quat: Any, vec: Any) -> None: ...
def mju_rayGeom(pos: Any, mat: Any, size: Any, pnt: Any, vec: Any, geomtype: Any, normal: Any = ...) -> float: ...
def mju_rotVecQuat(res: Any, vec: Any, quat: Any) -> None: ...
def mju_scl3(res: Any, vec: Any, scl: Any) -> None: ...
def mju_sigmoid(x: Any) -> float: ...
def mju_springDamper(pos0: Any, vel0: Any, Kp: Any, Kv: Any, dt: Any) -> float: ...
def mju_sub3(res: Any, vec1: Any, vec2: Any) -> None: ...
def mju_subQuat(res: Any, qa: Any, qb: Any) -> None: ...
def mju_transformSpatial(res: Any, vec: Any, flg_force: Any, newpos: Any, oldpos: Any, rotnew2old: Any = ...) -> None: ...
def mju_trnVecPose(res: Any, pos: Any, quat: Any, vec: Any) -> None: ...
def set_mjcb_act_dyn(py_function: Any) -> None: ...
def set_mjcb_control(py_function: Any) -> None: ...
def set_mjcb_passive(py_function: Any) -> None: ...
def set_mjcb_sensor(py_function: Any) -> None: ...
def set_mjcb_time(py_function: Any) -> None: ...
