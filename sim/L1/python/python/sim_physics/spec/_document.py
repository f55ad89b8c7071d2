"""Conversion of a spec to and from the dictionaries of the engine (see ``src/spec/document.rs``)."""

from __future__ import annotations

from typing import Any

from .._enums import mjtGeom, mjtWrap
from ._elements import (
    MjsActuator, MjsCompiler, MjsDefault, MjsEquality, MjsExclude, MjsFlex, MjsHField, MjsKey, MjsMaterial, MjsMesh,
    MjsNumeric, MjsPair, MjsPlugin, MjsSensor, MjsSkin, MjsTendon, MjsText, MjsTexture, MjsTuple,
)  # fmt: skip
from ._tree import IN_BODY, MjsBody, MjsFrame

#: Kinds of elements outside the tree: the name of their list, and their class.
LISTS: dict[str, tuple[str, Any]] = {
    "texture": ("textures", MjsTexture), "material": ("materials", MjsMaterial), "mesh": ("meshes", MjsMesh),
    "hfield": ("hfields", MjsHField), "pair": ("pairs", MjsPair), "exclude": ("excludes", MjsExclude),
    "flex": ("flexes", MjsFlex), "skin": ("skins", MjsSkin), "tendon": ("tendons", MjsTendon),
    "equality": ("equalities", MjsEquality), "actuator": ("actuators", MjsActuator), "sensor": ("sensors", MjsSensor),
    "numeric": ("numerics", MjsNumeric), "text": ("texts", MjsText), "tuple": ("tuples", MjsTuple),
    "key": ("keys", MjsKey), "plugin": ("plugins", MjsPlugin),
}  # fmt: skip
_BODY_LISTS = {"joint": "joints", "geom": "geoms", "site": "sites", "camera": "cameras", "light": "lights"}


class Scope:
    """Compiler settings and directory of a model that a file attaches."""

    def __init__(self, compiler: MjsCompiler, directory: str) -> None:
        self.compiler, self.modelfiledir = compiler, directory


class Reader:
    """Fills a spec from a document."""

    def __init__(self, spec: Any, document: dict[str, Any]) -> None:
        self.spec, self.document = spec, document
        self.scopes = [spec, *(Scope(MjsCompiler(spec, entry), folder) for entry, folder in document["scopes"])]
        self.frames: list[Any] = []

    def read(self) -> None:
        """Creates all elements."""
        spec, document = self.spec, self.document
        spec.modelname, spec.modelfiledir = document["modelname"], document["directory"]
        spec.compiler._set_entry(document["compiler"])
        spec._sizes.update(document["size"])
        spec._defaults = []
        for entry in document["defaults"]:
            parent = entry["_parent"]
            spec._defaults.append(
                MjsDefault(spec, entry["name"], None if parent is None else spec._defaults[parent], entry)
            )
        self.frames = [self.element(MjsFrame, entry) for entry in document["frames"]]
        for frame, entry in zip(self.frames, document["frames"]):
            frame._class = None
            frame._frame = None if entry["_frame"] is None else self.frames[entry["_frame"]]
        spec.worldbody = self.body(document["bodies"], 0)
        spec.worldbody._frame = None
        for kind, (name, cls) in LISTS.items():
            if kind != "plugin":
                spec._lists[kind] = [self.element(cls, entry) for entry in document[name]]
        spec._lists["plugin"] = [MjsPlugin._of(spec, entry) for entry in document["plugins"]]
        spec._plugins_active = list(document["extensions"])
        # the compiler reports repeated names with their locations
        spec._names = {(element._kind, element.name): element for element in spec._everything() if element.name}

    def element(self, cls: Any, entry: dict[str, Any]) -> Any:
        """One element."""
        element = cls(self.spec, entry)
        if "_class" in entry:
            element._class = self.spec._defaults[entry["_class"]]
        file, line, column, scope = entry["_origin"]
        element._origin = (file, line, column)
        if line:
            element._info = f"line {line}"
        element._scope = self.scopes[scope]
        return element

    def body(self, entries: list[dict[str, Any]], root: int) -> MjsBody:
        """A body with its subtree."""
        bodies = {}
        stack = [root]
        while stack:
            index = stack.pop()
            entry = entries[index]
            body = bodies[index] = self.element(MjsBody, entry)
            self.link(body, body, entry)
            for kind, name in _BODY_LISTS.items():
                cls = MjsDefault._kinds[kind]
                for item in entry[name]:
                    element = self.element(cls, item)
                    element._parent = body
                    self.link(element, body, item)
                    body._children[kind].append(element)
            stack.extend(entry["_children"])
        for index, body in bodies.items():
            for child in entries[index]["_children"]:
                bodies[child]._parent = body
                body._children["body"].append(bodies[child])
                self.link(bodies[child], body, entries[child])
        # frames without elements belong to the world
        for frame in self.frames:
            if frame._parent is None:
                frame._parent = bodies[root]
                bodies[root]._children["frame"].append(frame)
        return bodies[root]

    def link(self, element: Any, body: MjsBody, entry: dict[str, Any]) -> None:
        """Sets the frame of an element, and the body of the frame."""
        index = entry["_frame"]
        if index is None or element is body:
            return
        element._frame = frame = self.frames[index]
        ancestors = []
        while frame is not None and frame._parent is None:
            ancestors.append(frame)
            frame._parent = body
            frame = frame._frame
        body._children["frame"].extend(reversed(ancestors))


class Writer:
    """Converts a spec to a document, and assigns the indices of the compiled model."""

    def __init__(self, spec: Any) -> None:
        self.spec = spec
        self.scopes: list[Any] = [spec]
        self.defaults = {id(default): index for index, default in enumerate(spec._defaults)}
        self.bodies: list[MjsBody] = []
        stack = [spec.worldbody]
        while stack:
            body = stack.pop()
            self.bodies.append(body)
            stack.extend(reversed(body._children["body"]))
        self.frames: list[MjsFrame] = []
        for body in self.bodies:
            self.frames.extend(_parents_first(body._children["frame"]))
        self.frame_index = {id(frame): index for index, frame in enumerate(self.frames)}
        self.body_index = {id(body): index for index, body in enumerate(self.bodies)}

    def document(self) -> dict[str, Any]:
        """The document."""
        spec = self.spec
        out: dict[str, Any] = {
            "modelname": spec.modelname,
            "directory": spec.modelfiledir,
            "compiler": spec.compiler._entry(),
            "size": spec._sizes,
            "defaults": [self.default(default) for default in spec._defaults],
            "bodies": [self.body(body) for body in self.bodies],
            "frames": [self.entry(frame) for frame in self.frames],
        }
        for kind, (name, _) in LISTS.items():
            if kind not in ("plugin", "key"):
                out[name] = [self.entry(element) for element in spec._lists[kind]]
        out["keys"] = [self.key(key) for key in spec._lists["key"]]
        out["plugins"] = [p._entry() for p in spec._lists["plugin"] if p.name and p.plugin_name]
        active = list(spec._plugins_active)
        used = [p.plugin_name for p in spec._lists["plugin"] if p.name]
        used += [e._plugin.plugin_name for e in spec._everything() if e._plugin is not None and e._plugin.active]
        out["extensions"] = active + [name for name in dict.fromkeys(used) if name and name not in active]
        out["scopes"] = [(scope.compiler._entry(), scope.modelfiledir) for scope in self.scopes[1:]]
        return out

    def entry(self, element: Any) -> dict[str, Any]:
        """The dictionary of an element."""
        entry = element._entry()
        if element._class is not None:
            entry["_class"] = self.defaults.get(id(element._class), 0)
        entry["_frame"] = None if element._frame is None else self.frame_index.get(id(element._frame))
        if not any(scope is element._scope for scope in self.scopes):
            self.scopes.append(element._scope)
        scope = next(i for i, scope in enumerate(self.scopes) if scope is element._scope)
        file, line, column = element._origin
        if not line and element._info:
            file = element._info
        entry["_origin"] = (file, line, column, scope)
        return entry

    def default(self, default: MjsDefault) -> dict[str, Any]:
        """The dictionary of a default class."""
        parent = default._parent
        out = {kind: self.entry(element) for kind, element in default._elements.items()}
        out["name"] = default._name  # type: ignore[assignment]
        out["_parent"] = None if parent is None else self.defaults.get(id(parent), 0)  # type: ignore[assignment]
        return out

    def body(self, body: MjsBody) -> dict[str, Any]:
        """The dictionary of a body."""
        out = self.entry(body)
        out["_children"] = [self.body_index[id(child)] for child in body._children["body"]]
        for kind, name in _BODY_LISTS.items():
            out[name] = [self.entry(element) for element in body._children[kind]]
        return out

    def key(self, key: Any) -> dict[str, Any]:
        """The dictionary of a keyframe, whose state may be stored per object."""
        out = self.entry(key)
        objects = getattr(key, "_objects", None)
        if objects is None:
            return out
        joints = {
            id(joint): (self.body_index[id(body)], index)
            for body in self.bodies
            for index, joint in enumerate(body._children["joint"])
        }
        actuators = {id(actuator): index for index, actuator in enumerate(self.spec._lists["actuator"])}
        state: dict[str, Any] = {}
        for name, values in objects.items():
            if name in ("qpos", "qvel"):
                state[name] = [(*joints[id(e)], list(v)) for e, v in values if id(e) in joints]
            elif name in ("act", "ctrl"):
                found = [(actuators[id(e)], v) for e, v in values if id(e) in actuators]
                state[name] = [(i, float(v[0]) if name == "ctrl" else list(v)) for i, v in found]
            else:
                state[name] = [(self.body_index[id(e)], list(v)) for e, v in values if id(e) in self.body_index]
        out["_objects"] = state
        return out

    def assign(self, model: Any) -> None:
        """Sets the indices in the compiled model, and the types of tendon wraps."""
        counts = {"body": model.nbody, "joint": model.njnt, "geom": model.ngeom, "site": model.nsite,
                  "camera": model.ncam, "light": model.nlight}  # fmt: skip
        for kind in IN_BODY:
            if kind == "frame":
                continue
            elements = self.bodies if kind == "body" else [e for b in self.bodies for e in b._children[kind]]
            self.number(model, kind, elements, counts[kind])
        for kind in LISTS:
            self.number(model, kind, self.spec._lists[kind], None)
        for tendon in self.spec._lists["tendon"]:
            for wrap in tendon._path:
                if wrap._number == 4 and wrap.target is not None:
                    sphere = wrap.target.type == mjtGeom.mjGEOM_SPHERE
                    wrap._type = mjtWrap.mjWRAP_SPHERE if sphere else mjtWrap.mjWRAP_CYLINDER

    @staticmethod
    def number(model: Any, kind: str, elements: list[Any], count: int | None) -> None:
        """Sets the indices of the elements of one kind; by name if the compiler removed some."""
        if count is None or count == len(elements):
            for index, element in enumerate(elements):
                element._id = index
            return
        for element in elements:
            try:
                element._id = getattr(model, kind)(element.name).id if element.name else -1
            except KeyError:
                element._id = -1


def _parents_first(frames: list[MjsFrame]) -> list[MjsFrame]:
    """Frames of a body, every one after the frame that contains it."""
    out: list[MjsFrame] = []
    pending = list(frames)
    while pending:
        ready = [f for f in pending if f._frame is None or f._frame in out or f._frame not in pending]
        if not ready:
            raise ValueError("frames contain each other")
        out.extend(ready)
        pending = [f for f in pending if f not in ready]
    return out
