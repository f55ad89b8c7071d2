"""``MjSpec``: models that are built and edited in code, with the names of ``mujoco.MjSpec``.

A spec is a tree of MJCF elements. Attributes have the names and units of MJCF, so that ``geom.pos``, ``joint.range`` or
``body.gravcomp`` can be read and set; an attribute that is not set reads as ``None``. ``compile`` compiles the tree.
"""

from __future__ import annotations

import os
import xml.etree.ElementTree as ET
from typing import Any, Iterator

import numpy as np

from . import _core
from ._core import MjData, MjModel
from ._enums import mjtGeom, mjtJoint, mjtTrn
from ._errors import UnknownNameError
from ._lookup import Lookup

#: Keywords of the attribute `type` by element, as enums of MuJoCo.
_TYPES: dict[str, dict[int, str]] = {
    "geom": {int(mjtGeom[f"mjGEOM_{name.upper()}"]): name for name in (
        "plane", "hfield", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh", "sdf")},
    "joint": {int(mjtJoint[f"mjJNT_{name.upper()}"]): name for name in ("free", "ball", "slide", "hinge")},
}  # fmt: skip
_TYPES["site"] = _TYPES["geom"]
#: Section of the model and MJCF elements of each kind of object.
_SECTIONS = {
    "actuator": ("actuator", ("general", "motor", "position", "velocity", "intvelocity", "damper", "cylinder", "muscle",
                              "adhesion", "dcmotor")),
    "sensor": ("sensor", None),
    "tendon": ("tendon", ("spatial", "fixed")),
    "equality": ("equality", None),
    "pair": ("contact", ("pair",)),
    "exclude": ("contact", ("exclude",)),
    "mesh": ("asset", ("mesh",)),
    "material": ("asset", ("material",)),
    "texture": ("asset", ("texture",)),
    "hfield": ("asset", ("hfield",)),
    "key": ("keyframe", ("key",)),
    "numeric": ("custom", ("numeric",)),
    "text": ("custom", ("text",)),
    "tuple": ("custom", ("tuple",)),
}  # fmt: skip
_TRANSMISSION = {int(mjtTrn.mjTRN_JOINT): "joint", int(mjtTrn.mjTRN_TENDON): "tendon", int(mjtTrn.mjTRN_SITE): "site",
                 int(mjtTrn.mjTRN_BODY): "body", int(mjtTrn.mjTRN_JOINTINPARENT): "jointinparent"}  # fmt: skip
_IN_BODY = ("body", "joint", "geom", "site", "camera", "light", "frame")


def _text(element: str, name: str, value: Any) -> str:
    """The text of an attribute."""
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if name == "type" and isinstance(value, (int, np.integer)):
        return _TYPES.get(element, {}).get(int(value), str(int(value)))
    if isinstance(value, str):
        return value
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    return " ".join(repr(float(x)) for x in np.ravel(value))


class MjsElement:
    """An element of a spec. Its attributes are those of MJCF."""

    __slots__ = ("_spec", "_element")

    def __init__(self, spec: MjSpec, element: ET.Element) -> None:
        object.__setattr__(self, "_spec", spec)
        object.__setattr__(self, "_element", element)

    @property
    def name(self) -> str:
        """Name of the element; empty if it has none."""
        return self._element.get("name", "world" if self._element.tag == "worldbody" else "")

    @name.setter
    def name(self, name: str) -> None:
        self._element.set("name", name)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        text = self._element.get(name)
        if text is None:
            return None
        types = _TYPES.get(self._element.tag)
        if name == "type" and types is not None:
            return next(number for number, keyword in types.items() if keyword == text)
        try:
            numbers = np.array([float(word) for word in text.split()])
        except ValueError:
            return text
        if len(numbers) == 1:
            return float(numbers[0])
        numbers.setflags(write=False)
        return numbers

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "name":
            type(self).name.fset(self, value)  # type: ignore[attr-defined]
        elif value is None:
            self._element.attrib.pop(name, None)
        else:
            self._element.set(name, _text(self._element.tag, name, value))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MjsElement) and other._element is self._element

    def __hash__(self) -> int:
        return id(self._element)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._element.tag} {dict(self._element.attrib)}>"

    def _add(self, tag: str, attributes: dict[str, Any]) -> ET.Element:
        child = ET.SubElement(self._element, tag)
        for name, value in attributes.items():
            if value is not None:
                child.set(name, _text(tag, name, value))
        return child


class MjsBody(MjsElement):
    """A body, the world or a frame of a spec."""

    __slots__ = ()

    def add_body(self, **attributes: Any) -> MjsBody:
        """Adds a child body."""
        return MjsBody(self._spec, self._add("body", attributes))

    def add_frame(self, **attributes: Any) -> MjsBody:
        """Adds a frame."""
        return MjsBody(self._spec, self._add("frame", attributes))

    def add_joint(self, **attributes: Any) -> MjsElement:
        """Adds a joint."""
        return MjsElement(self._spec, self._add("joint", attributes))

    def add_freejoint(self, **attributes: Any) -> MjsElement:
        """Adds a free joint."""
        return MjsElement(self._spec, self._add("freejoint", attributes))

    def add_geom(self, **attributes: Any) -> MjsElement:
        """Adds a geom."""
        return MjsElement(self._spec, self._add("geom", attributes))

    def add_site(self, **attributes: Any) -> MjsElement:
        """Adds a site."""
        return MjsElement(self._spec, self._add("site", attributes))

    def add_camera(self, **attributes: Any) -> MjsElement:
        """Adds a camera."""
        return MjsElement(self._spec, self._add("camera", attributes))

    def add_light(self, **attributes: Any) -> MjsElement:
        """Adds a light."""
        return MjsElement(self._spec, self._add("light", attributes))

    def _children(self, *tags: str) -> list[Any]:
        found = [child for child in self._element if child.tag in tags]
        return [self._spec._wrap(child) for child in found]

    @property
    def bodies(self) -> list[MjsBody]:
        """Child bodies."""
        return self._children("body")

    @property
    def joints(self) -> list[MjsElement]:
        """Joints."""
        return self._children("joint", "freejoint")

    @property
    def geoms(self) -> list[MjsElement]:
        """Geoms."""
        return self._children("geom")

    @property
    def sites(self) -> list[MjsElement]:
        """Sites."""
        return self._children("site")


class MjSpec(Lookup):
    """An editable model::

        spec = MjSpec()
        arm = spec.worldbody.add_body(name="arm", pos=[0, 0, 1])
        arm.add_joint(name="swing", axis=[0, 1, 0])
        arm.add_geom(type=mjtGeom.mjGEOM_CAPSULE, size=0.05, fromto=[0, 0, 0, 0, 0, -1])
        spec.add_actuator(name="push", joint="swing")
        model = spec.compile()
    """

    def __init__(self) -> None:
        self._root = ET.Element("mujoco", {"model": "MuJoCo Model"})
        ET.SubElement(self._root, "worldbody")
        self.assets: dict[str, bytes] = {}
        self._directory = ""

    @staticmethod
    def from_string(xml: str, include: Any = None, assets: dict[str, bytes] | None = None) -> MjSpec:
        """Parses MJCF or URDF."""
        spec = MjSpec()
        spec.assets = dict(assets or {})
        spec._root = ET.fromstring(_core._normalize_xml(xml, None, spec.assets))
        return spec

    @staticmethod
    def from_file(filename: str | os.PathLike[str], include: Any = None, assets: dict[str, bytes] | None = None) -> MjSpec:
        """Parses an MJCF or URDF file."""
        spec = MjSpec()
        spec.assets = dict(assets or {})
        spec._directory = os.path.dirname(os.path.abspath(filename))
        spec._root = ET.fromstring(_core._normalize_xml(None, os.fspath(filename), spec.assets))
        return spec

    @property
    def modelname(self) -> str:
        """Name of the model."""
        return self._root.get("model", "")

    @modelname.setter
    def modelname(self, name: str) -> None:
        self._root.set("model", name)

    @property
    def worldbody(self) -> MjsBody:
        """The world."""
        return MjsBody(self, self._section("worldbody"))

    @property
    def option(self) -> MjsElement:
        """Simulation options."""
        return MjsElement(self, self._section("option"))

    @property
    def compiler(self) -> MjsElement:
        """Compiler settings."""
        return MjsElement(self, self._section("compiler"))

    def compile(self) -> MjModel:
        """Compiles the model.

        Raises:
            XMLError: the model has errors.
        """
        return _core._compile_xml(self.to_xml(), self._directory, self.assets)

    def recompile(self, model: MjModel, data: MjData) -> tuple[MjModel, MjData]:
        """Compiles the model and transfers the state of objects that exist in both models."""
        return _core._recompile_xml(self.to_xml(), self._directory, self.assets, model, data)

    def to_xml(self) -> str:
        """The spec as MJCF."""
        return ET.tostring(self._root, encoding="unicode")

    def to_file(self, filename: str | os.PathLike[str]) -> None:
        """Writes the spec as MJCF."""
        with open(filename, "w", encoding="utf-8") as file:
            file.write(self.to_xml())

    def delete(self, element: MjsElement) -> None:
        """Deletes an element with its children."""
        for parent in self._root.iter():
            if element._element in list(parent):
                parent.remove(element._element)
                return
        raise ValueError("the element does not belong to this spec")

    def copy(self) -> MjSpec:
        """An independent copy."""
        copy = MjSpec()
        copy._root = ET.fromstring(self.to_xml())
        copy.assets, copy._directory = dict(self.assets), self._directory
        return copy

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> MjSpec:
        return self.copy()

    def add_actuator(self, *, kind: str = "general", trntype: int | None = None, target: str | None = None,
                     **attributes: Any) -> MjsElement:  # fmt: skip
        """Adds an actuator: a `general` one, or a shortcut such as `motor` or `position`."""
        if target is not None:
            attributes[_TRANSMISSION[int(trntype or 0)]] = target
        return self._add("actuator", kind, attributes)

    def add_sensor(self, kind: str, **attributes: Any) -> MjsElement:
        """Adds a sensor; `kind` is the MJCF element, such as `jointpos`."""
        return self._add("sensor", kind, attributes)

    def add_equality(self, kind: str, **attributes: Any) -> MjsElement:
        """Adds an equality constraint; `kind` is the MJCF element, such as `weld`."""
        return self._add("equality", kind, attributes)

    def add_key(self, **attributes: Any) -> MjsElement:
        """Adds a keyframe."""
        return self._add("key", "key", attributes)

    def add_mesh(self, **attributes: Any) -> MjsElement:
        """Adds a mesh."""
        return self._add("mesh", "mesh", attributes)

    def add_material(self, **attributes: Any) -> MjsElement:
        """Adds a material."""
        return self._add("material", "material", attributes)

    def add_texture(self, **attributes: Any) -> MjsElement:
        """Adds a texture."""
        return self._add("texture", "texture", attributes)

    def add_hfield(self, **attributes: Any) -> MjsElement:
        """Adds a height field."""
        return self._add("hfield", "hfield", attributes)

    def add_pair(self, **attributes: Any) -> MjsElement:
        """Adds a contact pair."""
        return self._add("pair", "pair", attributes)

    def add_exclude(self, **attributes: Any) -> MjsElement:
        """Excludes contacts of two bodies."""
        return self._add("exclude", "exclude", attributes)

    def add_numeric(self, **attributes: Any) -> MjsElement:
        """Adds a custom numeric array."""
        return self._add("numeric", "numeric", attributes)

    def _section(self, name: str) -> ET.Element:
        found = self._root.find(name)
        return ET.SubElement(self._root, name) if found is None else found

    def _add(self, kind: str, tag: str, attributes: dict[str, Any]) -> MjsElement:
        section = MjsElement(self, self._section(_SECTIONS[kind][0]))
        return MjsElement(self, section._add(tag, attributes))

    def _wrap(self, element: ET.Element) -> Any:
        return MjsBody(self, element) if element.tag in ("body", "worldbody", "frame") else MjsElement(self, element)

    def _all(self, kind: str) -> Iterator[ET.Element]:
        if kind in _IN_BODY:
            tags = ("joint", "freejoint") if kind == "joint" else (kind,)
            if kind == "body":
                yield self._section("worldbody")
            yield from (e for e in self._section("worldbody").iter() if e.tag in tags)
            return
        section, tags_or_none = _SECTIONS[kind]
        for element in self._root.iterfind(section):
            yield from (e for e in element if tags_or_none is None or e.tag in tags_or_none)

    def _find(self, kind: str, name: str) -> Any:
        elements = [self._wrap(e) for e in self._all(kind)]
        for element in elements:
            if element.name == name:
                return element
        raise UnknownNameError(f"no {kind} is named '{name}'; there are {[e.name for e in elements][:12]}")


MjsGeom = MjsJoint = MjsSite = MjsCamera = MjsLight = MjsActuator = MjsSensor = MjsElement
MjsFrame = MjsBody

__all__ = [
    "MjSpec", "MjsActuator", "MjsBody", "MjsCamera", "MjsElement", "MjsFrame", "MjsGeom", "MjsJoint", "MjsLight",
    "MjsSensor", "MjsSite",
]  # fmt: skip
