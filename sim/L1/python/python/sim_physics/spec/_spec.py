"""``MjSpec``: models that are built and edited in code."""

from __future__ import annotations

import os
import zipfile
from typing import Any, Iterator

import numpy as np

from .. import _core
from .._core import MjData, MjModel
from .._enums import mjtJoint
from ._attach import attach_spec, references, subtree
from ._document import LISTS, Reader, Writer
from ._elements import MjsCompiler, MjsDefault, MjsOrientation
from ._fields import DEFAULTS
from ._tree import IN_BODY, MjsBody, MjsFrame, resolve

#: Number of coordinates and dofs of the types of joints.
_COORDINATES = {int(mjtJoint.mjJNT_FREE): (7, 6), int(mjtJoint.mjJNT_BALL): (4, 3)}


class MjSpec:
    """An editable model::

        spec = MjSpec()
        arm = spec.worldbody.add_body(name="arm", pos=[0, 0, 1])
        arm.add_joint(name="swing", axis=[0, 1, 0])
        arm.add_geom(type=mjtGeom.mjGEOM_CAPSULE, size=[0.05], fromto=[0, 0, 0, 0, 0, -1])
        motor = spec.add_actuator(name="push", trntype=mjtTrn.mjTRN_JOINT, target="swing")
        motor.set_to_motor()
        model = spec.compile()

    Elements have the fields of MuJoCo's ``mjs`` structs; vectors are NumPy arrays, which can be changed in place.
    """

    def __init__(self) -> None:
        self._settings: MjModel = _core._spec_settings()
        self._base = _core.SpecBase()
        self._sizes: dict[str, int] = dict(DEFAULTS["size"])
        self._lists: dict[str, list[Any]] = {kind: [] for kind in LISTS}
        self._names: dict[tuple[str, str], Any] = {}
        self._plugins_active: list[str] = []
        self._signature = 0
        self._attached_to: MjSpec | None = None
        self._copy_during_attach = False
        self._assets: dict[str, Any] = {}
        #: Name of the model.
        self.modelname = "MuJoCo Model"
        #: Comment of the model file.
        self.comment = ""
        #: Directory to which asset files are relative.
        self.modelfiledir = ""
        #: Whether files of an attached spec replace files of the same name.
        self.override_assets = True
        self.compiler = MjsCompiler(self)
        self._defaults = [MjsDefault(self, "main", None)]
        self.worldbody = MjsBody(self)
        self.worldbody._values["name"] = "world"
        self.worldbody._class = self._defaults[0]
        self._register(self.worldbody, "world")

    # parsing and writing

    @staticmethod
    def _parse(xml: str | None, filename: str | None, include: Any, assets: Any) -> MjSpec:
        spec = MjSpec()
        spec._assets = assets if assets is not None else {}
        files = {**(include or {}), **spec._assets}
        document, spec._settings, spec._base = _core._spec_parse(xml, filename, files)
        Reader(spec, document).read()
        return spec

    @staticmethod
    def from_string(xml: str, include: Any = None, assets: dict[str, Any] | None = None) -> MjSpec:
        """Parses MJCF or URDF. `include` and `assets` map file names to their contents."""
        return MjSpec._parse(xml, None, include, assets)

    @staticmethod
    def from_file(filename: str | os.PathLike[str], include: Any = None, assets: dict[str, Any] | None = None) -> MjSpec:
        """Parses an MJCF or URDF file. `include` and `assets` map file names to their contents."""
        return MjSpec._parse(None, os.fspath(filename), include, assets)

    @staticmethod
    def from_zip(file: Any) -> MjSpec:
        """Parses the model of a zip archive, whose other files are its assets."""
        with zipfile.ZipFile(file) as archive:
            contents = {name: archive.read(name) for name in archive.namelist() if not name.endswith("/")}
        models = [name for name in contents if name.endswith(".xml")]
        if not models:
            raise ValueError("the archive contains no XML file")
        models.sort(key=lambda name: (name.count("/"), name))
        folder = os.path.dirname(models[0])
        strip = len(folder) + 1 if folder else 0
        assets: dict[str, Any] = {name[strip:]: data for name, data in contents.items() if name not in models}
        include = {name[strip:]: contents[name] for name in models[1:]}
        return MjSpec.from_string(contents[models[0]].decode(), include, assets)

    def to_xml(self) -> str:
        """The spec as MJCF."""
        return _core._spec_xml(Writer(self).document(), self._settings, self._base, self._files())

    def to_file(self, filename: str | os.PathLike[str]) -> None:
        """Writes the spec as MJCF."""
        with open(filename, "w", encoding="utf-8") as file:
            file.write(self.to_xml())

    def to_zip(self, file: Any) -> None:
        """Writes the spec and its assets to a zip archive."""
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(f"{self.modelname}.xml", self.to_xml())
            for name, contents in self._assets.items():
                archive.writestr(name, contents)

    def _files(self) -> dict[str, Any]:
        return {name: data for name, data in self._assets.items() if isinstance(data, (str, bytes))}

    # compilation

    def compile(self) -> MjModel:
        """Compiles the model.

        Raises:
            XMLError: the model has errors.
        """
        writer = self._writer()
        model = _core._spec_compile(writer.document(), self._settings, self._base, self._files())
        return self._compiled(writer, model)

    def recompile(self, model: MjModel, data: MjData) -> tuple[MjModel, MjData]:
        """Compiles the model and transfers the state of objects that exist in both models."""
        writer = self._writer()
        new, state = _core._spec_recompile(writer.document(), self._settings, self._base, self._files(), model, data)
        return self._compiled(writer, new), state

    def _writer(self) -> Writer:
        if self._attached_to is not None:
            raise ValueError("a spec that is attached to another one cannot be compiled: compile its parent or a copy")
        return Writer(self)

    def _compiled(self, writer: Writer, model: MjModel) -> MjModel:
        writer.assign(model)
        self._signature = model.signature
        return model

    def _uncompiled(self) -> None:
        self._signature = 0

    # settings

    @property
    def option(self) -> _core.MjOption:
        """Simulation options."""
        return self._settings.opt

    @property
    def stat(self) -> _core.MjStatistic:
        """Statistics that replace those of the compiler; NaN if they do not."""
        return self._settings.stat

    @property
    def visual(self) -> _core.MjVisual:
        """Visualization settings."""
        return self._settings.vis

    @property
    def assets(self) -> dict[str, Any]:
        """Contents of asset files by name."""
        return self._assets

    @assets.setter
    def assets(self, assets: dict[str, Any]) -> None:
        self._assets = assets

    @property
    def parent(self) -> MjSpec | None:
        """The spec that this one is attached to, or None."""
        return self._attached_to

    @property
    def _address(self) -> int:
        return id(self)

    def _set_copy_during_attach(self, value: bool) -> None:
        self._copy_during_attach = bool(value)

    copy_during_attach = property(None, _set_copy_during_attach, doc="Whether attaching this spec attaches a copy.")

    @staticmethod
    def resolve_orientation(degree: bool, sequence: Any = None, orientation: Any = None) -> np.ndarray[Any, Any]:
        """The quaternion of an alternative orientation specifier."""
        return resolve(degree, sequence, orientation)

    # defaults

    @property
    def default(self) -> MjsDefault:
        """The default class ``main``."""
        return self._defaults[0]

    def find_default(self, name: str) -> MjsDefault | None:
        """The default class with this name, or None."""
        return next((default for default in self._defaults if default.name == name), None)

    def add_default(self, name: str, parent: MjsDefault | None = None) -> MjsDefault:
        """Adds a default class as a copy of its parent, ``main`` if none is given."""
        if self.find_default(name) is not None:
            raise ValueError(f"Error: repeated default class name '{name}'")
        default = MjsDefault(self, name, parent or self.default)
        self._defaults.append(default)
        return default

    # elements

    def _everything(self) -> Iterator[Any]:
        yield from subtree([self.worldbody])
        for elements in self._lists.values():
            yield from elements

    def _all(self, kind: str) -> list[Any]:
        if kind in self._lists:
            return list(self._lists[kind])
        if kind == "body":
            return [self.worldbody, *self.worldbody.find_all("body")]
        bodies = [self.worldbody, *self.worldbody.find_all("body")]
        return [element for body in bodies for element in body._children[kind]]

    def _find(self, kind: str, name: str) -> Any:
        found = self._names.get((kind, name))
        if found is not None and found._spec is self and found.name == name:
            return found
        for element in self._all(kind):
            file = element._values.get("file", "") if kind in ("mesh", "texture", "hfield", "skin") else ""
            if element.name == name or (not element.name and file and os.path.splitext(os.path.basename(file))[0] == name):
                return element
        return None

    def _register(self, element: Any, name: str) -> None:
        key = (element._kind, name)
        found = self._names.get(key)
        if found is not None and found is not element and found._spec is self and found.name == name:
            raise ValueError(f"Error: repeated name '{name}' in {element._kind}")
        self._names[key] = element

    def _rename(self, element: Any, name: str) -> None:
        if element._values["name"] == name:
            return
        if name:
            self._register(element, name)
        element._values["name"] = name
        self._uncompiled()

    def _add(self, kind: str, default: MjsDefault | None, keywords: dict[str, Any]) -> Any:
        element = LISTS[kind][1](self)
        if kind in MjsDefault._kinds:
            element._class = default or self.default
            element._copy_values(element._class._elements[kind])
        element._set(keywords)
        element._id = len(self._lists[kind])
        self._lists[kind].append(element)
        self._uncompiled()
        return element

    def activate_plugin(self, name: str) -> None:
        """Declares that the model uses a plugin."""
        if name not in self._plugins_active:
            self._plugins_active.append(name)

    def delete(self, element: Any) -> None:
        """Deletes an element with its children; with a body also the elements that refer to it."""
        if self._attached_to is not None:
            raise ValueError("Cannot delete element from an attached mjSpec.")
        if isinstance(element, MjsDefault):
            self._delete_default(element)
            return
        if element._spec is not self or element is self.worldbody:
            raise ValueError("the element cannot be deleted: it is the world, or belongs to another spec")
        removed = subtree([element])
        if element._kind in self._lists:
            self._lists[element._kind] = [e for e in self._lists[element._kind] if e is not element]
        else:
            if element._kind == "frame":
                inside = [element]
                for frame in element._parent._children["frame"]:
                    if frame._frame in inside:
                        inside.append(frame)
                for kind in IN_BODY:
                    removed += [e for e in element._parent._children[kind] if e._frame in inside]
            gone = {id(e) for e in removed}
            for kind in IN_BODY:
                children = element._parent._children
                children[kind] = [e for e in children[kind] if id(e) not in gone]
        if element._kind in ("body", "frame"):
            self._delete_references({(e._kind, e.name) for e in removed if e.name})
        for e in removed:
            self._names.pop((e._kind, e.name), None)
        self._uncompiled()

    def _delete_references(self, names: set[tuple[str, str]]) -> None:
        """Deletes elements that refer to deleted ones."""
        for kind in ("pair", "exclude", "flex", "skin", "tendon", "equality", "actuator", "sensor", "tuple"):
            kept = []
            for element in self._lists[kind]:
                if any(reference in names for reference in references(element)):
                    names.add((kind, element.name))
                else:
                    kept.append(element)
            self._lists[kind] = kept

    def _delete_default(self, default: MjsDefault) -> None:
        if default is self.default:
            raise ValueError("the class 'main' cannot be deleted")
        gone = [default]
        for candidate in self._defaults:
            if candidate._parent in gone:
                gone.append(candidate)
        self._defaults = [d for d in self._defaults if d not in gone]
        for element in self._everything():
            if element._class in gone:
                element._class = self.default

    # copies and attachment

    def copy(self) -> MjSpec:
        """An independent copy."""
        return self._copied({})

    def _copied(self, copies: dict[int, Any]) -> MjSpec:
        """A copy; `copies` receives the copies of the elements by the identity of the originals."""
        spec = MjSpec()
        spec._settings, spec._base = self._settings.__copy__(), self._base
        spec._sizes, spec._assets = dict(self._sizes), dict(self._assets)
        spec._plugins_active = list(self._plugins_active)
        spec.modelname, spec.modelfiledir, spec.comment = self.modelname, self.modelfiledir, self.comment
        spec.compiler._set_entry(self.compiler._entry())
        writer = Writer(self)
        document = writer.document()
        # the reader creates elements in the order of the lists of the document
        document["scopes"] = [(entry, folder) for entry, folder in document["scopes"]]
        reader = Reader(spec, document)
        reader.read()
        for original, copy in zip(self._ordered(writer), spec._ordered(None)):
            copies[id(original)] = copy
            copy._info, copy._id = original._info, original._id
            if original._kind == "plugin":
                copy.active = original.active
        for original, copy in zip(writer.frames, reader.frames):
            copies[id(original)] = copy
        spec._signature = self._signature
        return spec

    def _ordered(self, writer: Writer | None) -> list[Any]:
        """All elements except frames in an order that a copy has too."""
        bodies = (writer or Writer(self)).bodies
        out: list[Any] = list(bodies)
        for body in bodies:
            for kind in IN_BODY:
                if kind not in ("body", "frame"):
                    out.extend(body._children[kind])
        for kind, elements in self._lists.items():
            out.extend(e for e in elements if kind != "plugin" or (e.name and e.plugin_name))
        return out

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> MjSpec:
        return self.copy()

    def _frame_of(self, site: Any) -> MjsFrame:
        """A new frame at a site."""
        frame = site._parent.add_frame()
        frame._frame, frame._scope = site._frame, site._scope
        frame.pos, frame.quat = site.pos, site.quat
        frame._alternative = site._alternative and MjsOrientation(*site._alternative._entry())
        return frame

    def attach(self, child: MjSpec, prefix: str | None = None, suffix: str | None = None, site: Any = None,
               frame: Any = None) -> MjsFrame:  # fmt: skip
        """Attaches another spec at a site or in a frame, given by the element or its name.

        The elements of the child become elements of this spec: changes of them change this spec. Their names get
        the prefix and the suffix.
        """
        if (site is None) == (frame is None):
            raise ValueError("one of site and frame must be given")
        target = site if frame is None else frame
        if isinstance(target, str):
            target = self._find("site" if frame is None else "frame", target)
            if target is None:
                raise ValueError("Site not found." if frame is None else "Frame not found.")
        if frame is None:
            place = self._frame_of(target)
        else:
            place = target.add_frame()
        return attach_spec(place, child, prefix or "", suffix or "")

    def _split_key(self, key: Any) -> None:
        """Stores the state of a keyframe per object, so that it is independent of changes of the tree."""
        if getattr(key, "_objects", None) is not None:
            return
        writer = Writer(self)
        joints = [joint for body in writer.bodies for joint in body._children["joint"]]
        sizes = [_COORDINATES.get(int(joint.type), (1, 1)) for joint in joints]
        mocap = [body for body in writer.bodies if body.mocap]
        actuators = self._lists["actuator"]
        layout = {
            "qpos": (joints, [nq for nq, _ in sizes]),
            "qvel": (joints, [nv for _, nv in sizes]),
            "ctrl": (actuators, [1] * len(actuators)),
            "act": ([a for a in actuators if a.dyntype or a.actdim > 0], None),
            "mpos": (mocap, [3] * len(mocap)),
            "mquat": (mocap, [4] * len(mocap)),
        }
        objects: dict[str, Any] = {}
        for name, (elements, counts) in layout.items():
            values = key._values[name]
            if len(values) == 0:
                continue
            lengths = [max(int(a.actdim), 1) for a in elements] if counts is None else counts
            if sum(lengths) != len(values):
                raise ValueError(f"keyframe '{key.name}': {name} has {len(values)} numbers instead of {sum(lengths)}")
            parts = np.split(np.array(values), np.cumsum(lengths)[:-1])
            objects[name] = list(zip(elements, parts))
            key._values[name] = np.zeros(0)
        key._objects = objects


def _size_property(name: str) -> property:
    def get(self: MjSpec) -> int:
        return self._sizes[name]

    def set_size(self: MjSpec, value: int) -> None:
        self._sizes[name] = int(value)

    return property(get, set_size, doc=f"Size ``{name}``.")


def _compiler_property(name: str) -> property:
    def get(self: MjSpec) -> Any:
        return getattr(self.compiler, name)

    def set_value(self: MjSpec, value: Any) -> None:
        setattr(self.compiler, name, value)

    return property(get, set_value, doc=f"Compiler setting ``{name}``.")


def _methods(kind: str, plural: str) -> None:
    def find(self: MjSpec, name: str) -> Any:
        return self._find(kind, name)

    def all_of(self: MjSpec) -> list[Any]:
        return self._all(kind)

    find.__name__, find.__doc__ = kind, f"The {kind} with this name, or None."
    setattr(MjSpec, kind, find)
    setattr(MjSpec, plural, property(all_of, doc=f"All elements of the kind {kind}."))
    if kind not in LISTS:
        return

    def add(self: MjSpec, default: MjsDefault | None = None, **keywords: Any) -> Any:
        return self._add(kind, default, keywords)

    add.__name__, add.__doc__ = f"add_{kind}", f"Adds an element of the kind {kind}; keywords are its fields."
    setattr(MjSpec, f"add_{kind}", add)


for _name in DEFAULTS["size"]:
    setattr(MjSpec, _name, _size_property(_name))
for _name in ("meshdir", "texturedir", "strippath"):
    setattr(MjSpec, _name, _compiler_property(_name))
for _name in IN_BODY:
    _methods(_name, "bodies" if _name == "body" else _name + "s")
for _name, (_plural, _) in LISTS.items():
    _methods(_name, _plural)


def mju_getXMLDependencies(filename: str | os.PathLike[str]) -> list[str]:
    """The file of a model, the files that it includes, and its asset files."""
    spec = MjSpec.from_file(filename)
    folder = os.path.dirname(os.fspath(filename))
    found = [os.fspath(filename)]
    found += [e._origin[0] for e in spec._everything() if e._kind != "plugin" and e._origin[1]]
    for kind, setting in (("mesh", "meshdir"), ("hfield", "meshdir"), ("skin", "meshdir"), ("texture", "texturedir")):
        for element in spec._lists[kind]:
            files = [element._values["file"], *element._values.get("cubefiles", ())]
            assets = getattr(element.compiler, setting)
            found += [os.path.join(folder, assets, file) for file in files if file]
    return list(dict.fromkeys(found))


__all__ = ["MjSpec", "mju_getXMLDependencies"]
