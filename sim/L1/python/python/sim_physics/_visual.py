"""Visualization structures and functions with MuJoCo's names: cameras, options, scenes and images."""

from __future__ import annotations

import warnings
from typing import Any, Iterator

import numpy as np

from . import _core
from ._core import MjData, MjModel
from ._enums import mjtCamera, mjtCatBit, mjtFramebuffer, mjtGeom, mjtObj, mjtVisFlag
from ._errors import UnsupportedError


class _Struct:
    """A structure whose attributes have a default; vectors keep their shape and element type."""

    __slots__: tuple[str, ...] = ()
    _defaults: dict[str, Any] = {}

    def __init__(self) -> None:
        for name, value in self._defaults.items():
            object.__setattr__(self, name, value.copy() if isinstance(value, np.ndarray) else value)

    def __setattr__(self, name: str, value: Any) -> None:
        current = getattr(self, name)
        if isinstance(current, np.ndarray):
            current[...] = np.asarray(value).reshape(current.shape)
        else:
            object.__setattr__(self, name, value)

    def __copy__(self) -> Any:
        copy = type(self)()
        for name in self._defaults:
            setattr(copy, name, getattr(self, name))
        return copy

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        return self.__copy__()

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return all(np.array_equal(getattr(self, name), getattr(other, name)) for name in self._defaults)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        lines = [f"\n  {name}: {getattr(self, name)!r}" for name in self._defaults]
        return f"<{type(self).__name__}{''.join(lines)}\n>"


class MjvCamera(_Struct):
    """An abstract camera (``mjvCamera``)."""

    type: int
    fixedcamid: int
    trackbodyid: int
    lookat: np.ndarray
    distance: float
    azimuth: float
    elevation: float
    orthographic: int

    _defaults = {
        "type": int(mjtCamera.mjCAMERA_FREE),
        "fixedcamid": -1,
        "trackbodyid": -1,
        "lookat": np.zeros(3),
        "distance": 2.0,
        "azimuth": 90.0,
        "elevation": -45.0,
        "orthographic": 0,
    }
    __slots__ = tuple(_defaults)

    def _values(self) -> tuple[Any, ...]:
        return (
            int(self.type),
            int(self.fixedcamid),
            int(self.trackbodyid),
            list(map(float, self.lookat)),
            float(self.distance),
            float(self.azimuth),
            float(self.elevation),
            int(self.orthographic),
        )


_GROUPS = ("geomgroup", "sitegroup", "jointgroup", "tendongroup", "actuatorgroup", "flexgroup", "skingroup")
_FLAGS = (
    mjtVisFlag.mjVIS_TEXTURE,
    mjtVisFlag.mjVIS_TENDON,
    mjtVisFlag.mjVIS_RANGEFINDER,
    mjtVisFlag.mjVIS_PERTOBJ,
    mjtVisFlag.mjVIS_STATIC,
    mjtVisFlag.mjVIS_SKIN,
    mjtVisFlag.mjVIS_FLEXEDGE,
    mjtVisFlag.mjVIS_FLEXSKIN,
)


def _default_flags() -> np.ndarray:
    flags = np.zeros(int(mjtVisFlag.mjNVISFLAG), dtype=np.uint8)
    flags[[int(flag) for flag in _FLAGS]] = 1
    return flags


class MjvOption(_Struct):
    """What is visualized (``mjvOption``)."""

    label: int
    frame: int
    geomgroup: np.ndarray
    sitegroup: np.ndarray
    jointgroup: np.ndarray
    tendongroup: np.ndarray
    actuatorgroup: np.ndarray
    flexgroup: np.ndarray
    skingroup: np.ndarray
    flags: np.ndarray
    bvh_depth: int
    flex_layer: int

    _defaults = {
        "label": 0,
        "frame": 0,
        **{group: np.array([1, 1, 1, 0, 0, 0], dtype=np.uint8) for group in _GROUPS},
        "flags": _default_flags(),
        "bvh_depth": 1,
        "flex_layer": 0,
    }
    __slots__ = tuple(_defaults)

    def _values(self) -> tuple[list[int], list[int], list[int]]:
        groups = np.concatenate([getattr(self, group) for group in _GROUPS]).tolist()
        integers = [int(self.label), int(self.frame), int(self.bvh_depth), int(self.flex_layer)]
        return groups, self.flags.tolist(), integers


class MjvPerturb(_Struct):
    """Selection and perturbation of a body (``mjvPerturb``)."""

    select: int
    flexselect: int
    skinselect: int
    active: int
    active2: int
    refpos: np.ndarray
    refquat: np.ndarray
    refselpos: np.ndarray
    localpos: np.ndarray
    localmass: float
    scale: float

    _defaults = {
        "select": 0,
        "flexselect": -1,
        "skinselect": -1,
        "active": 0,
        "active2": 0,
        "refpos": np.zeros(3),
        "refquat": np.array([1.0, 0.0, 0.0, 0.0]),
        "refselpos": np.zeros(3),
        "localpos": np.zeros(3),
        "localmass": 0.0,
        "scale": 1.0,
    }
    __slots__ = tuple(_defaults)

    def _values(self) -> tuple[list[int], list[float]]:
        selected = [self.select, self.flexselect, self.skinselect, self.active, self.active2]
        return [int(x) for x in selected], list(map(float, self.localpos))


class MjvGeom(_Struct):
    """A shape of a scene (``mjvGeom``)."""

    type: int
    dataid: int
    objtype: int
    objid: int
    category: int
    matid: int
    texcoord: int
    segid: int
    size: np.ndarray
    pos: np.ndarray
    mat: np.ndarray
    rgba: np.ndarray
    emission: float
    specular: float
    shininess: float
    reflectance: float
    camdist: float
    modelrbound: float
    label: str
    transparent: int

    _INTEGERS = ("type", "dataid", "objtype", "objid", "category", "matid", "texcoord", "segid")
    _REALS = ("emission", "specular", "shininess", "reflectance", "camdist", "modelrbound")
    _defaults = {
        "type": int(mjtGeom.mjGEOM_NONE),
        "dataid": -1,
        "objtype": int(mjtObj.mjOBJ_UNKNOWN),
        "objid": -1,
        "category": int(mjtCatBit.mjCAT_DECOR),
        "matid": -1,
        "texcoord": 0,
        "segid": -1,
        "size": np.full(3, 0.1, dtype=np.float32),
        "pos": np.zeros(3, dtype=np.float32),
        "mat": np.eye(3, dtype=np.float32),
        "rgba": np.array([0.5, 0.5, 0.5, 1.0], dtype=np.float32),
        "emission": 0.0,
        "specular": 0.5,
        "shininess": 0.5,
        "reflectance": 0.0,
        "camdist": 0.0,
        "modelrbound": 0.0,
        "label": "",
        "transparent": 0,
    }
    __slots__ = tuple(_defaults)

    def _values(self) -> tuple[Any, ...]:
        integers = [int(getattr(self, name)) for name in self._INTEGERS]
        vectors = (self.size.tolist(), self.pos.tolist(), self.mat.ravel().tolist(), self.rgba.tolist())
        return integers, vectors, [float(getattr(self, name)) for name in self._REALS], self.label

    def _set_values(self, values: tuple[Any, ...]) -> None:
        integers, vectors, reals, label = values
        for name, value in zip(self._INTEGERS, integers):
            object.__setattr__(self, name, value)
        for name, value in zip(("size", "pos", "mat", "rgba"), vectors):
            setattr(self, name, value)
        for name, value in zip(self._REALS, reals):
            object.__setattr__(self, name, value)
        object.__setattr__(self, "label", label)


class MjvFigure(_Struct):
    """Data of a plot (``mjvFigure``). Plots are not drawn on images."""

    flg_legend: int
    flg_ticklabel: np.ndarray
    flg_extend: int
    flg_barplot: int
    flg_selection: int
    flg_symmetric: int
    linewidth: float
    gridwidth: float
    gridsize: np.ndarray
    gridrgb: np.ndarray
    figurergba: np.ndarray
    panergba: np.ndarray
    legendrgba: np.ndarray
    textrgb: np.ndarray
    linergb: np.ndarray
    range: np.ndarray
    xformat: str
    yformat: str
    minwidth: str
    title: str
    xlabel: str
    linename: np.ndarray
    legendoffset: int
    subplot: int
    highlight: np.ndarray
    highlightid: int
    selection: float
    linepnt: np.ndarray
    linedata: np.ndarray
    xaxispixel: np.ndarray
    yaxispixel: np.ndarray
    xaxisdata: np.ndarray
    yaxisdata: np.ndarray

    _defaults = {
        "flg_legend": 1, "flg_ticklabel": np.ones(2, dtype=np.int32), "flg_extend": 1, "flg_barplot": 0,
        "flg_selection": 0, "flg_symmetric": 0, "linewidth": 3.0, "gridwidth": 1.0,
        "gridsize": np.full(2, 2, dtype=np.int32), "gridrgb": np.full(3, 0.4, dtype=np.float32),
        "figurergba": np.array([0.1, 0.1, 0.1, 1.0], dtype=np.float32),
        "panergba": np.array([0.0, 0.0, 0.0, 0.5], dtype=np.float32),
        "legendrgba": np.array([0.0, 0.0, 0.0, 0.3], dtype=np.float32), "textrgb": np.ones(3, dtype=np.float32),
        "linergb": np.zeros((100, 3), dtype=np.float32), "range": np.zeros((2, 2), dtype=np.float32),
        "xformat": "%.0f", "yformat": "%.2g", "minwidth": "XXX", "title": "", "xlabel": "",
        "linename": np.zeros(100, dtype="S100"), "legendoffset": 0, "subplot": 0,
        "highlight": np.full(2, -1, dtype=np.int32), "highlightid": -1, "selection": 0.0,
        "linepnt": np.zeros(100, dtype=np.int32), "linedata": np.zeros((100, 2002), dtype=np.float32),
        "xaxispixel": np.zeros(2, dtype=np.int32), "yaxispixel": np.zeros(2, dtype=np.int32),
        "xaxisdata": np.zeros(2, dtype=np.float32), "yaxisdata": np.zeros(2, dtype=np.float32),
    }  # fmt: skip
    __slots__ = tuple(_defaults)


class MjvGLCamera:
    """A camera of the renderer (``mjvGLCamera``)."""

    def __init__(self, values: tuple[Any, ...] | None = None) -> None:
        pos, forward, up, frustum, orthographic = values or ([0.0] * 3, [0.0] * 3, [0.0] * 3, [0.0] * 6, False)
        self.pos = np.array(pos, dtype=np.float32)
        self.forward = np.array(forward, dtype=np.float32)
        self.up = np.array(up, dtype=np.float32)
        (
            self.frustum_center,
            self.frustum_width,
            self.frustum_bottom,
            self.frustum_top,
            self.frustum_near,
            self.frustum_far,
        ) = frustum
        self.orthographic = int(orthographic)


class _Geoms:
    """The geoms of a scene: those of the last update, and others that the program adds."""

    def __init__(self, scene: MjvScene) -> None:
        self._scene = scene

    def __len__(self) -> int:
        return self._scene.maxgeom

    def __getitem__(self, index: int) -> MjvGeom:
        index = int(index)
        if index < 0 or index >= self._scene.maxgeom:
            raise IndexError(f"geom {index} is out of range: maxgeom is {self._scene.maxgeom}")
        return self._scene._geom(index)

    def __iter__(self) -> Iterator[MjvGeom]:
        return (self[index] for index in range(self._scene.ngeom))


class MjvScene:
    """Everything that is drawn (``mjvScene``)."""

    def __init__(self, model: MjModel | None = None, maxgeom: int = 1000) -> None:
        if model is None:
            model = MjModel.from_xml_string("<mujoco/>")
        self.maxgeom: int = int(maxgeom)
        self._handle = _core.SceneHandle(model, self.maxgeom)
        self._changed: dict[int, MjvGeom] = {}
        self._ngeom = 0
        self.flags: np.ndarray = np.frombuffer(self._handle.flags, dtype=np.uint8).copy()
        self.status: int = 0
        self.stereo: int = 0
        self.framewidth: int = 0
        self.framergb: np.ndarray = np.zeros(3, dtype=np.float32)

    @property
    def ngeom(self) -> int:
        """Number of geoms; increase it after initializing ``geoms[ngeom]``."""
        return self._ngeom

    @ngeom.setter
    def ngeom(self, count: int) -> None:
        if not 0 <= count <= self.maxgeom:
            raise ValueError(f"ngeom must be between 0 and maxgeom = {self.maxgeom}")
        self._ngeom = int(count)

    @property
    def nlight(self) -> int:
        """Number of lights."""
        return self._handle.nlight

    @property
    def geoms(self) -> _Geoms:
        """The geoms; indices of at least ``ngeom`` are free for those of the program."""
        return _Geoms(self)

    @property
    def camera(self) -> tuple[MjvGLCamera, MjvGLCamera]:
        """Cameras of the left and right eye."""
        return MjvGLCamera(self._handle.camera(0)), MjvGLCamera(self._handle.camera(1))

    def _geom(self, index: int) -> MjvGeom:
        geom = self._changed.get(index)
        if geom is None:
            geom = self._changed[index] = MjvGeom()
            if index < self._handle.ngeom:
                geom._set_values(self._handle.geom(index))
        return geom

    def _updated(self) -> None:
        """Drops the geoms of the program after the engine has listed new ones."""
        self._changed.clear()
        self._ngeom = self._handle.ngeom

    def _commit(self) -> None:
        """Writes the geoms and flags that the program has changed to the engine."""
        self._handle.set_ngeom(self._ngeom)
        for index, geom in self._changed.items():
            if index < self._ngeom:
                self._handle.set_geom(index, geom._values())
        self._handle.set_flags(self.flags.tolist())


class MjrRect:
    """A rectangle in pixels (``mjrRect``)."""

    __slots__ = ("left", "bottom", "width", "height")

    def __init__(self, left: int, bottom: int, width: int, height: int) -> None:
        self.left, self.bottom, self.width, self.height = int(left), int(bottom), int(width), int(height)

    def __repr__(self) -> str:
        return f"MjrRect(left={self.left}, bottom={self.bottom}, width={self.width}, height={self.height})"


class MjrContext:
    """The resources of a model on the GPU (``mjrContext``)."""

    def __init__(self, model: MjModel | None = None, fontscale: int = 150, /) -> None:
        self._model = model
        self._renderer: Any = None
        self._picture: dict[str, np.ndarray] = {}
        self._scene: MjvScene | None = None
        self.fontScale = int(fontscale)
        self.currentBuffer = int(mjtFramebuffer.mjFB_OFFSCREEN)
        self.readDepthMap = 0
        self.offWidth = int(model.vis.global_.offwidth) if model else 0
        self.offHeight = int(model.vis.global_.offheight) if model else 0

    def free(self) -> None:
        """Releases the resources."""
        self._renderer = None
        self._picture = {}

    def _render(self, viewport: MjrRect, scene: MjvScene) -> None:
        if self._model is None:
            raise ValueError("this MjrContext has no model: create it with MjrContext(model, fontscale)")
        if self._renderer is None:
            self._renderer = _core.RendererHandle(self._model, viewport.width, viewport.height)
        scene._commit()
        self._scene = scene
        self._picture = self._renderer.render(scene._handle, viewport.width, viewport.height, 3)


def mjv_defaultFigure(fig: MjvFigure) -> None:
    """Sets the data of a plot to their defaults."""
    fig.__init__()  # type: ignore[misc]


def mjv_defaultCamera(cam: MjvCamera) -> None:
    """Sets a camera to its defaults."""
    cam.__init__()  # type: ignore[misc]


def mjv_defaultOption(opt: MjvOption) -> None:
    """Sets visualization options to their defaults."""
    opt.__init__()  # type: ignore[misc]


def mjv_defaultPerturb(pert: MjvPerturb) -> None:
    """Sets a perturbation to its defaults."""
    pert.__init__()  # type: ignore[misc]


def mjv_defaultFreeCamera(m: MjModel, cam: MjvCamera) -> None:
    """Sets a free camera that shows the whole model."""
    cam.type, cam.fixedcamid, cam.trackbodyid = int(mjtCamera.mjCAMERA_FREE), -1, -1
    lookat, cam.distance, cam.azimuth, cam.elevation, orthographic = _core.free_camera(m)
    cam.lookat[:] = lookat
    cam.orthographic = int(orthographic)


def mjv_updateScene(
    m: MjModel,
    d: MjData,
    opt: MjvOption,
    pert: MjvPerturb | None,
    cam: MjvCamera,
    catmask: int,
    scn: MjvScene,
) -> None:
    """Lists what there is to draw of a simulation."""
    groups, flags, integers = opt._values()
    selected = pert._values() if pert is not None else None
    cam.lookat[:] = scn._handle.update(m, d, groups, flags, integers, selected, cam._values(), int(catmask))
    scn._updated()


def mjv_moveCamera(m: MjModel, action: int, reldx: float, reldy: float, scn: MjvScene, cam: MjvCamera) -> None:
    """Moves a camera with the mouse."""
    lookat, *angles = scn._handle.move_camera(m, int(action), reldx, reldy, cam._values())
    cam.lookat[:] = lookat
    cam.distance, cam.azimuth, cam.elevation = angles


def mjv_initGeom(geom: MjvGeom, type: int, size: Any, pos: Any, mat: Any, rgba: Any) -> None:
    """Initializes a geom of the program; other attributes get their defaults."""
    kept = [getattr(geom, name) for name in ("objtype", "objid", "category", "segid")]
    geom.__init__()  # type: ignore[misc]
    geom.objtype, geom.objid, geom.category, geom.segid = kept
    geom.type = int(type)
    if size is not None:
        size = np.array(size, dtype=np.float64).ravel()
        if geom.type == mjtGeom.mjGEOM_SPHERE:
            size = np.full(3, size[0])
        elif geom.type in (mjtGeom.mjGEOM_CAPSULE, mjtGeom.mjGEOM_CYLINDER):
            size = np.array([size[0], size[0], size[1]])
        geom.size = size
    if pos is not None:
        geom.pos = pos
    if mat is not None:
        geom.mat = mat
    if rgba is not None:
        geom.rgba = rgba


def mjr_setBuffer(framebuffer: int, con: MjrContext) -> None:
    """Selects the offscreen buffer; there is no window."""
    if int(framebuffer) != mjtFramebuffer.mjFB_OFFSCREEN:
        raise UnsupportedError("there is no window: use mjtFramebuffer.mjFB_OFFSCREEN, or sim_physics.viewer")
    con.currentBuffer = int(framebuffer)


def mjr_resizeOffscreen(width: int, height: int, con: MjrContext) -> None:
    """Sets the size of the offscreen buffer."""
    con.offWidth, con.offHeight = int(width), int(height)


def mjr_maxViewport(con: MjrContext) -> MjrRect:
    """The size of the offscreen buffer."""
    return MjrRect(0, 0, con.offWidth, con.offHeight)


def mjr_render(viewport: MjrRect, scn: MjvScene, con: MjrContext) -> None:
    """Renders a scene; ``mjr_readPixels`` reads the image."""
    con._render(viewport, scn)


def mjr_readPixels(rgb: np.ndarray | None, depth: np.ndarray | None, viewport: MjrRect, con: MjrContext) -> None:
    """Copies the image: colours, and depth from 0 at the near plane to 1 at the far plane. The first row is the lowest."""
    picture = con._picture
    if not picture or con._scene is None:
        raise ValueError("there is no image: call mjr_render before mjr_readPixels")
    if rgb is not None:
        rgb[...] = picture["rgb"][::-1].reshape(rgb.shape)
    if depth is not None:
        z = picture["depth"][::-1].astype(np.float64)
        camera = con._scene.camera[0]
        near, far = camera.frustum_near, camera.frustum_far
        if camera.orthographic:
            buffer = (z - near) / (far - near)
        else:
            buffer = far * (z - near) / ((far - near) * np.maximum(z, near))
        if con.readDepthMap:
            buffer = 1.0 - buffer
        depth[...] = np.clip(buffer, 0.0, 1.0).reshape(depth.shape)


def mjr_overlay(font: int, gridpos: int, viewport: MjrRect, overlay: Any, overlay2: Any, con: MjrContext) -> None:
    """Text overlays are not drawn; a warning says so."""
    warnings.warn("text overlays are not drawn on images", stacklevel=2)


def mjr_uploadHField(m: MjModel, con: MjrContext, hfieldid: int) -> None:
    """Renders the current values of height fields: the resources are created again by the next image."""
    con._renderer = None


def mjr_uploadMesh(m: MjModel, con: MjrContext, meshid: int) -> None:
    """Renders the current values of meshes: the resources are created again by the next image."""
    con._renderer = None


def mjr_uploadTexture(m: MjModel, con: MjrContext, texid: int) -> None:
    """Renders the current values of textures: the resources are created again by the next image."""
    con._renderer = None


def mjr_finish() -> None:
    """Waits for the GPU; images are complete when ``mjr_render`` returns."""


def mjr_getError() -> int:
    """Errors are exceptions; returns 0."""
    return 0


__all__ = [
    "MjrContext", "MjrRect", "MjvCamera", "MjvFigure", "MjvGLCamera", "MjvGeom", "MjvOption", "MjvPerturb", "MjvScene",
    "mjr_finish", "mjr_getError", "mjr_maxViewport", "mjr_overlay", "mjr_readPixels", "mjr_render",
    "mjr_resizeOffscreen", "mjr_setBuffer", "mjr_uploadHField", "mjr_uploadMesh", "mjr_uploadTexture", "mjv_defaultCamera", "mjv_defaultFigure", "mjv_defaultFreeCamera", "mjv_defaultOption",
    "mjv_defaultPerturb", "mjv_initGeom", "mjv_moveCamera", "mjv_updateScene",
]
