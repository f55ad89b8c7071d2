"""The elements of a spec outside the tree, and what all elements have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterator

import numpy as np

from .. import _core
from .._enums import mjtOrientation, mjtWrap
from ._fields import Field, copied, fields, plain

if TYPE_CHECKING:
    from ._spec import MjSpec

#: Number of values of the alternative orientation specifiers, in the order of their types.
_ALTERNATIVES = {"axisangle": 4, "xyaxes": 6, "zaxis": 3, "euler": 3}


class MjsOrientation:
    """An alternative to a quaternion: ``type`` says which of the vectors is used."""

    __slots__ = ("type", "axisangle", "xyaxes", "zaxis", "euler")

    def __init__(self, kind: int = 0, values: Any = ()) -> None:
        self.type = mjtOrientation(kind)
        for number, (name, size) in enumerate(_ALTERNATIVES.items(), start=1):
            object.__setattr__(self, name, np.array(values, float) if number == kind else np.zeros(size))

    def __setattr__(self, name: str, value: Any) -> None:
        if name in _ALTERNATIVES:
            vector = np.array(value, float).ravel()
            if len(vector) != _ALTERNATIVES[name]:
                raise ValueError(f"{name} should be a list/array of size {_ALTERNATIVES[name]}.")
            value = vector
        elif name == "type":
            value = mjtOrientation(value)
        object.__setattr__(self, name, value)

    def _entry(self) -> tuple[int, list[float]]:
        number = int(self.type)
        if number == 0:
            return 0, []
        return number, getattr(self, list(_ALTERNATIVES)[number - 1]).tolist()


class MjsElement:
    """An element of a spec. Its fields have the names of MuJoCo's ``mjs`` structs."""

    __slots__ = ("_spec", "_values", "_class", "_frame", "_parent", "_origin", "_scope", "_alternative", "_inertial", "_plugin", "_id",
                 "_info", "__weakref__")  # fmt: skip
    _kind = ""
    _fields: dict[str, Field] = {}

    def __init__(self, spec: MjSpec | None, values: dict[str, Any] | None = None) -> None:
        self._spec: Any = spec
        self._class: Any = None
        self._frame: Any = None
        self._parent: Any = None
        self._origin = ("<spec>", 0, 0)
        self._scope: Any = spec
        self._id = -1
        self._info = ""
        self._set_entry({} if values is None else values)

    def _set_entry(self, entry: dict[str, Any]) -> None:
        """Sets all values from a dictionary of the engine."""
        self._values = {
            name: field.loaded(entry[name]) if name in entry else copied(field.initial)
            for name, field in self._fields.items()
        }
        # most elements have a quaternion and no plugin: these objects are created when they are accessed
        self._alternative = MjsOrientation(*entry["alt"]) if entry.get("alt", (0,))[0] else None
        self._inertial = MjsOrientation(*entry["ialt"]) if entry.get("ialt", (0,))[0] else None
        self._plugin = MjsPlugin._of(self._spec, entry.get("plugin")) if self._has_plugin() else None

    @property
    def _alt(self) -> MjsOrientation:
        if self._alternative is None:
            self._alternative = MjsOrientation()
        return self._alternative

    @property
    def _ialt(self) -> MjsOrientation:
        if self._inertial is None:
            self._inertial = MjsOrientation()
        return self._inertial

    def _copy_values(self, other: MjsElement) -> None:
        """Takes the values of another element, but not its name."""
        name = self._values.get("name", "")
        self._values = {key: copied(value) for key, value in other._values.items()}
        self._alternative = other._alternative and MjsOrientation(*other._alternative._entry())
        self._inertial = other._inertial and MjsOrientation(*other._inertial._entry())
        if other._plugin is not None and other._plugin.active:
            self._plugin = MjsPlugin._of(self._spec, other._plugin._entry())
        if "name" in self._values:
            self._values["name"] = name

    def _entry(self) -> dict[str, Any]:
        """The dictionary for the engine."""
        entry = {name: plain(value) for name, value in self._values.items()}
        for name, orientation in (("alt", self._alternative), ("ialt", self._inertial)):
            if orientation is not None and orientation.type:
                entry[name] = orientation._entry()
        if self._plugin is not None and self._plugin.active:
            entry["plugin"] = self._plugin._entry()
        return entry

    def _set(self, keywords: dict[str, Any]) -> None:
        """Sets the fields given as keyword arguments."""
        for prefix in ("", "i"):
            names = [prefix + name for name in _ALTERNATIVES]
            given = [name for name in names if keywords.get(name) is not None]
            if len(given) > 1:
                raise ValueError(f"Only one of: {', '.join(names[:-1])}, or {names[-1]} can be set.")
        for name, value in keywords.items():
            if value is None:
                continue
            if name in _ALTERNATIVES and "quat" in self._fields:
                self._set_alternative(self._alt, name, value)
            elif name[1:] in _ALTERNATIVES and name[0] == "i" and self._kind == "body":
                self._set_alternative(self._ialt, name[1:], value)
            elif name in self._fields or name in ("plugin", "classname", "info", "childclass"):
                if name == "plugin" and not self._has_plugin():
                    raise TypeError(f"a {self._kind} has no plugin")
                setattr(self, name, value)
            else:
                raise TypeError(f"Invalid {name} keyword argument. Valid options are: {', '.join(self._options())}.")

    @staticmethod
    def _set_alternative(orientation: MjsOrientation, name: str, value: Any) -> None:
        setattr(orientation, name, value)
        orientation.type = mjtOrientation(list(_ALTERNATIVES).index(name) + 1)

    def _options(self) -> list[str]:
        return sorted([*self._fields, "info"])

    def _has_plugin(self) -> bool:
        return self._kind in ("body", "geom", "mesh", "actuator", "sensor")

    @property
    def id(self) -> int:
        """Index in the compiled model; -1 before compilation."""
        return self._id

    @property
    def info(self) -> str:
        """Text that error messages about this element contain."""
        return self._info

    @info.setter
    def info(self, text: str) -> None:
        if not isinstance(text, str):
            raise TypeError("info should be a string")
        self._info = text

    @property
    def signature(self) -> int:
        """Signature of the compiled model; 0 before compilation."""
        return self._spec._signature

    @property
    def compiler(self) -> MjsCompiler:
        """Compiler settings that apply to this element: those of the spec that it was created in."""
        return self._scope.compiler

    def __repr__(self) -> str:
        return f"<{type(self).__name__} '{self._values.get('name', '')}'>"


class MjsCompiler(MjsElement):
    """Compiler settings."""

    __slots__ = ()
    _kind = "compiler"


class _Classified:
    """Elements with a default class."""

    __slots__ = ()

    @property
    def classname(self: Any) -> MjsDefault:
        """Default class."""
        return self._class

    @classname.setter
    def classname(self: Any, default: MjsDefault) -> None:
        if not isinstance(default, MjsDefault):
            raise TypeError("classname should be an MjsDefault, such as `spec.find_default(name)`")
        self._class = default


class _InBody:
    """Elements of a body."""

    __slots__ = ()

    @property
    def parent(self: Any) -> Any:
        """The body."""
        return self._parent

    @property
    def frame(self: Any) -> Any:
        """The frame, or None."""
        return self._frame

    def set_frame(self: Any, frame: Any) -> None:
        """Moves the element into a frame of its body."""
        self._frame = frame


class _WithPlugin:
    """Elements with a plugin."""

    __slots__ = ()

    @property
    def plugin(self: Any) -> MjsPlugin:
        """Plugin; not active if the element has none."""
        return self._plugin

    @plugin.setter
    def plugin(self: Any, plugin: MjsPlugin) -> None:
        if not isinstance(plugin, MjsPlugin):
            raise TypeError("plugin should be an MjsPlugin")
        copy = MjsPlugin._of(self._spec, (plugin.name, plugin.plugin_name, {}))
        copy.active, copy._info = plugin.active, plugin._info
        setattr(self, "_plugin", copy)


class MjsPlugin(MjsElement):
    """A plugin instance, or the reference of an element to one."""

    __slots__ = ("_name", "plugin_name", "active", "_config")
    _kind = "plugin"

    @classmethod
    def _of(cls, spec: Any, entry: tuple[str, str, dict[str, str]] | None) -> MjsPlugin:
        plugin = cls(spec)
        plugin._name, plugin.plugin_name, plugin._config = entry or ("", "", {})
        plugin._config = dict(plugin._config)
        plugin.active = entry is not None
        return plugin

    def __init__(self, spec: Any, values: dict[str, Any] | None = None) -> None:
        super().__init__(spec, values)
        self._name = self.plugin_name = ""
        self.active: Any = False
        self._config: dict[str, str] = {}

    def _set(self, keywords: dict[str, Any]) -> None:
        for name, value in keywords.items():
            if name not in ("name", "plugin_name", "active", "info", "config"):
                raise TypeError(f"Invalid {name} keyword argument. Valid options are: active, info, name, plugin_name.")
            if value is not None:
                setattr(self, name, value)

    def _entry(self) -> Any:
        return self._name, self.plugin_name, self._config

    @property
    def name(self) -> str:
        """Name of the instance; empty for an instance of its own."""
        return self._name

    @name.setter
    def name(self, name: str) -> None:
        self._name = name

    @property
    def config(self) -> dict[str, str]:
        """Configuration."""
        return dict(self._config)

    @config.setter
    def config(self, config: dict[str, str]) -> None:
        self._config = {str(key): str(value) for key, value in config.items()}


class MjsGeom(_InBody, _Classified, _WithPlugin, MjsElement):
    """A geom."""

    __slots__ = ()
    _kind = "geom"


class MjsJoint(_InBody, _Classified, MjsElement):
    """A joint."""

    __slots__ = ()
    _kind = "joint"


class MjsSite(_InBody, _Classified, MjsElement):
    """A site."""

    __slots__ = ()
    _kind = "site"

    def attach_body(self, body: Any, prefix: str | None = None, suffix: str | None = None) -> Any:
        """Attaches a body of another spec at this site."""
        return self._spec._frame_of(self).attach_body(body, prefix, suffix)


class MjsCamera(_InBody, _Classified, MjsElement):
    """A camera."""

    __slots__ = ()
    _kind = "camera"


class MjsLight(_InBody, _Classified, MjsElement):
    """A light."""

    __slots__ = ()
    _kind = "light"


class MjsMesh(_Classified, _WithPlugin, MjsElement):
    """A mesh."""

    __slots__ = ()
    _kind = "mesh"

    def _make(self, builtin: str, *params: float) -> None:
        self._values["builtin"] = builtin
        self._values["params"] = np.array(params, float)

    def make_sphere(self, subdivision: int) -> None:
        """A subdivided icosahedron."""
        self._make("sphere", subdivision)

    def make_hemisphere(self, resolution: int) -> None:
        """Half a sphere."""
        self._make("hemisphere", resolution)

    def make_cone(self, nedge: int, radius: float) -> None:
        """A cone or a prism; `radius` is that of the top."""
        self._make("cone", nedge, radius)

    def make_supersphere(self, resolution: int, e: float, n: float) -> None:
        """A superellipsoid."""
        self._make("supersphere", resolution, e, n)

    def make_supertorus(self, resolution: int, radius: float, s: float, t: float) -> None:
        """A supertoroid."""
        self._make("supertorus", resolution, radius, s, t)

    def make_wedge(self, resolution: Any = (0, 0), fov: Any = (0, 0), gamma: float = 0) -> None:
        """Part of a sphere as a grid of points."""
        self._make("wedge", *resolution, *fov, gamma)

    def make_plate(self, resolution: Any = (0, 0)) -> None:
        """A flat grid."""
        self._make("plate", *resolution)


class MjsHField(MjsElement):
    """A height field."""

    __slots__ = ()
    _kind = "hfield"


class MjsTexture(MjsElement):
    """A texture."""

    __slots__ = ()
    _kind = "texture"


class MjsMaterial(_Classified, MjsElement):
    """A material."""

    __slots__ = ()
    _kind = "material"


class MjsPair(_Classified, MjsElement):
    """A contact pair."""

    __slots__ = ()
    _kind = "pair"


class MjsExclude(MjsElement):
    """A pair of bodies whose geoms do not collide."""

    __slots__ = ()
    _kind = "exclude"


class MjsEquality(_Classified, MjsElement):
    """An equality constraint."""

    __slots__ = ()
    _kind = "equality"


class MjsSensor(_WithPlugin, MjsElement):
    """A sensor."""

    __slots__ = ()
    _kind = "sensor"

    def get_data_size(self) -> int:
        """Number of values in ``sensordata``; it is determined by compiling the spec."""
        model = self._spec.compile()
        return int(model.sensor_dim[self._id])


class MjsFlex(MjsElement):
    """A flex."""

    __slots__ = ()
    _kind = "flex"


class MjsSkin(MjsElement):
    """A skin."""

    __slots__ = ()
    _kind = "skin"


class MjsNumeric(MjsElement):
    """A custom numeric field."""

    __slots__ = ()
    _kind = "numeric"


class MjsText(MjsElement):
    """A custom text field."""

    __slots__ = ()
    _kind = "text"


class MjsTuple(MjsElement):
    """A custom tuple."""

    __slots__ = ()
    _kind = "tuple"


class MjsKey(MjsElement):
    """A keyframe."""

    __slots__ = ("_objects",)
    _kind = "key"


class MjsWrap:
    """An element of the path of a tendon."""

    __slots__ = ("_tendon", "_number", "_name", "_side", "_value", "_type", "info")

    def __init__(self, tendon: MjsTendon, entry: tuple[int, str, str, float]) -> None:
        self._tendon = tendon
        self._number, self._name, self._side, self._value = entry
        self._type = mjtWrap(self._number)
        self.info = ""

    @property
    def type(self) -> mjtWrap:
        """Type; that of a geom is known after compilation."""
        return self._type

    @property
    def target(self) -> Any:
        """The joint, site or geom; None for a pulley."""
        kind = {1: "joint", 3: "site", 4: "geom"}.get(self._number)
        return None if kind is None else self._tendon._spec._find(kind, self._name)

    @property
    def sidesite(self) -> Any:
        """The site that selects the side of a geom, or None."""
        return self._tendon._spec._find("site", self._side) if self._side else None

    @property
    def coef(self) -> float:
        """Coefficient of a joint."""
        return self._value

    @property
    def divisor(self) -> float:
        """Divisor of a pulley."""
        return self._value


class MjsTendonPath:
    """The path of a tendon."""

    __slots__ = ("_wraps",)

    def __init__(self, wraps: list[MjsWrap]) -> None:
        self._wraps = wraps

    def __len__(self) -> int:
        return len(self._wraps)

    def __getitem__(self, index: int) -> MjsWrap:
        return self._wraps[index]

    def __iter__(self) -> Iterator[MjsWrap]:
        return iter(self._wraps)


class MjsTendon(_Classified, MjsElement):
    """A tendon."""

    __slots__ = ("_path",)
    _kind = "tendon"

    def __init__(self, spec: Any, values: dict[str, Any] | None = None) -> None:
        super().__init__(spec, values)
        self._path = [MjsWrap(self, entry) for entry in (values or {}).get("path", ())]

    @property
    def path(self) -> MjsTendonPath:
        """The path."""
        return MjsTendonPath(self._path)

    def default(self) -> MjsDefault:
        """Default class."""
        return self._class

    def _wrap(self, number: int, name: str, side: str, value: float) -> MjsWrap:
        self._path.append(MjsWrap(self, (number, name, side, value)))
        return self._path[-1]

    def wrap_site(self, name: str) -> MjsWrap:
        """Adds a site to the path."""
        return self._wrap(3, name, "", 0.0)

    def wrap_geom(self, name: str, sidesite: str = "") -> MjsWrap:
        """Adds a sphere or cylinder that the path wraps around."""
        return self._wrap(4, name, sidesite, 0.0)

    def wrap_joint(self, name: str, coef: float) -> MjsWrap:
        """Adds a joint with a coefficient."""
        return self._wrap(1, name, "", float(coef))

    def wrap_pulley(self, divisor: float) -> MjsWrap:
        """Adds a pulley."""
        return self._wrap(2, "", "", float(divisor))

    def _entry(self) -> dict[str, Any]:
        path = [(w._number, w._name, w._side, w._value) for w in self._path]
        return {**super()._entry(), "path": path}


class MjsActuator(_Classified, _WithPlugin, MjsElement):
    """An actuator."""

    __slots__ = ()
    _kind = "actuator"

    def _shortcut(self, kind: str, **params: Any) -> None:
        entry = _core._spec_actuator(self._entry(), kind, params)
        for name in ("dyntype", "gaintype", "biastype", "dynprm", "gainprm", "biasprm", "ctrllimited", "actlimited", "ctrlrange",
                     "actrange", "inheritrange", "actdim", "actearly"):  # fmt: skip
            setattr(self, name, entry[name])

    def set_to_motor(self) -> None:
        """The control is the force."""
        self._shortcut("motor")

    def set_to_position(self, kp: float, kv: float | None = None, dampratio: float | None = None,
                        timeconst: float | None = None, inheritrange: float | bool | None = None) -> None:  # fmt: skip
        """A position servo."""
        self._shortcut("position", kp=kp, kv=kv, dampratio=dampratio, timeconst=timeconst, inheritrange=_number(inheritrange))

    def set_to_intvelocity(self, kp: float, kv: float | None = None, dampratio: float | None = None,
                           timeconst: float | None = None, inheritrange: float | bool | None = None) -> None:  # fmt: skip
        """An integrated-velocity servo."""
        if timeconst is not None:
            self.dynprm[0] = timeconst
        self._shortcut("intvelocity", kp=kp, kv=kv, dampratio=dampratio, inheritrange=_number(inheritrange))

    def set_to_velocity(self, kv: float) -> None:
        """A velocity servo."""
        self._shortcut("velocity", kv=kv)

    def set_to_damper(self, kv: float) -> None:
        """An active damper."""
        self._shortcut("damper", kv=kv)

    def set_to_cylinder(self, timeconst: float, bias: float, area: float, diameter: float = -1) -> None:
        """A pneumatic or hydraulic cylinder."""
        self._shortcut("cylinder", timeconst=timeconst, bias=bias, area=area, diameter=diameter)

    def set_to_muscle(self, timeconst: Any = None, tausmooth: float | None = None, range: Any = None,
                      force: float | None = None, scale: float | None = None, lmin: float | None = None,
                      lmax: float | None = None, vmax: float | None = None, fpmax: float | None = None,
                      fvmax: float | None = None) -> None:  # fmt: skip
        """A muscle."""
        self._shortcut("muscle", timeconst=timeconst, tausmooth=tausmooth, range=range, force=force, scale=scale,
                       lmin=lmin, lmax=lmax, vmax=vmax, fpmax=fpmax, fvmax=fvmax)  # fmt: skip

    def set_to_adhesion(self, gain: float) -> None:
        """Adhesion of a body."""
        self._shortcut("adhesion", gain=gain)

    def set_to_dcmotor(self, **params: Any) -> None:
        """A DC motor."""
        self._shortcut("dcmotor", **params)


def _number(value: float | bool | None) -> float | None:
    return None if value is None else float(value)


class MjsDefault:
    """A default class: the default of every kind of element that has defaults."""

    __slots__ = ("_spec", "_name", "_parent", "_elements")
    #: Kinds of elements that have defaults, and their classes.
    _kinds: dict[str, Any] = {
        "mesh": MjsMesh, "material": MjsMaterial, "joint": MjsJoint, "geom": MjsGeom, "site": MjsSite,
        "camera": MjsCamera, "light": MjsLight, "pair": MjsPair, "equality": MjsEquality, "tendon": MjsTendon,
        "actuator": MjsActuator,
    }  # fmt: skip

    def __init__(self, spec: Any, name: str, parent: MjsDefault | None, entry: dict[str, Any] | None = None) -> None:
        self._spec, self._name, self._parent = spec, name, parent
        self._elements: dict[str, Any] = {}
        for kind, cls in self._kinds.items():
            element = cls(spec, (entry or {}).get(kind))
            if entry is None and parent is not None:
                element._copy_values(parent._elements[kind])
            element._class = self
            self._elements[kind] = element

    @property
    def name(self) -> str:
        """Name."""
        return self._name

    @name.setter
    def name(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in self._elements:
            raise AttributeError(f"'MjsDefault' object has no attribute '{name}'")
        return self._elements[name]

    def __dir__(self) -> list[str]:
        return [*object.__dir__(self), *self._kinds]

    def __repr__(self) -> str:
        return f"<MjsDefault '{self._name}'>"


def _name_property() -> property:
    def get(self: Any) -> str:
        return self._values["name"]

    def set_name(self: Any, name: str) -> None:
        if not isinstance(name, str):
            raise TypeError("name should be a string")
        self._spec._rename(self, name)

    return property(get, set_name, doc="Name; empty if the element has none.")


def add_fields(cls: Any) -> None:
    """Adds the properties of the fields to a class of elements."""
    cls._fields = fields(cls._kind)
    for name, field in cls._fields.items():
        setattr(cls, name, _name_property() if name == "name" else field)
    if "quat" in cls._fields:
        cls.alt = property(lambda self: self._alt, doc="Alternative orientation specifier.")


for _class in (
    MjsCompiler, MjsGeom, MjsJoint, MjsSite, MjsCamera, MjsLight, MjsMesh, MjsHField, MjsTexture, MjsMaterial, MjsPair,
    MjsExclude, MjsEquality, MjsSensor, MjsFlex, MjsSkin, MjsNumeric, MjsText, MjsTuple, MjsKey, MjsTendon, MjsActuator,
):  # fmt: skip
    add_fields(_class)

__all__ = [
    "MjsActuator", "MjsCamera", "MjsCompiler", "MjsDefault", "MjsElement", "MjsEquality", "MjsExclude", "MjsFlex",
    "MjsGeom", "MjsHField", "MjsJoint", "MjsKey", "MjsLight", "MjsMaterial", "MjsMesh", "MjsNumeric", "MjsOrientation",
    "MjsPair", "MjsPlugin", "MjsSensor", "MjsSite", "MjsSkin", "MjsTendon", "MjsTendonPath", "MjsText", "MjsTexture",
    "MjsTuple", "MjsWrap",
]  # fmt: skip
