"""Attaching a body, a frame or a whole spec to another spec (``mjs_attach``).

Elements are moved, not copied: references to them stay valid, and they remain in the lists of the spec that they come
from. Their names and their references get the prefix and the suffix.
"""

from __future__ import annotations

import os
from typing import Any, Callable

from .._enums import mjtEq, mjtObj, mjtTrn

#: Lists of elements outside the tree that refer to it. They are moved if they refer to moved elements only.
REFERRING = ("pair", "exclude", "flex", "skin", "tendon", "equality", "actuator", "sensor", "tuple")
#: Lists of elements outside the tree that are always moved.
GLOBAL = ("texture", "material", "mesh", "hfield", "numeric", "text", "plugin", "key")
#: Kinds that are moved by their references, so that a reference to another one is not to a moved element.
_TREE = ("body", "frame", "geom", "site", "joint", "light", "camera", *REFERRING)

_TARGETS = {
    int(mjtTrn.mjTRN_JOINT): "joint", int(mjtTrn.mjTRN_JOINTINPARENT): "joint", int(mjtTrn.mjTRN_SLIDERCRANK): "site",
    int(mjtTrn.mjTRN_TENDON): "tendon", int(mjtTrn.mjTRN_SITE): "site", int(mjtTrn.mjTRN_BODY): "body",
}  # fmt: skip
_OBJECTS = {
    int(getattr(mjtObj, f"mjOBJ_{name.upper()}")): name
    for name in ("body", "joint", "geom", "site", "camera", "light", "flex", "mesh", "skin", "hfield", "texture", "material",
                 "pair", "exclude", "equality", "tendon", "actuator", "sensor", "numeric", "text", "tuple", "key", "plugin")
}  # fmt: skip
_OBJECTS[int(mjtObj.mjOBJ_XBODY)] = "body"
_EQUALITIES = {
    int(mjtEq.mjEQ_JOINT): "joint", int(mjtEq.mjEQ_TENDON): "tendon", int(mjtEq.mjEQ_FLEX): "flex",
    int(mjtEq.mjEQ_FLEXVERT): "flex", int(mjtEq.mjEQ_FLEXSTRAIN): "flex",
}  # fmt: skip
#: References of fixed kind: kind and name of the field, kind of the target.
_FIXED = {
    "geom": {"material": "material", "meshname": "mesh", "hfieldname": "hfield"},
    "site": {"material": "material"},
    "camera": {"targetbody": "body"},
    "light": {"targetbody": "body", "texture": "texture"},
    "mesh": {"material": "material"},
    "pair": {"geomname1": "geom", "geomname2": "geom"},
    "exclude": {"bodyname1": "body", "bodyname2": "body"},
    "flex": {"material": "material"},
    "skin": {"material": "material"},
    "tendon": {"material": "material"},
    "actuator": {"refsite": "site", "slidersite": "site"},
}
#: Lists of references of fixed kind.
_LISTS = {"flex": {"vertbody": "body", "nodebody": "body"}, "skin": {"bodyname": "body"}, "material": {"textures": "texture"}}
_Rename = Callable[[str, str], str]


def visit_references(element: Any, rename: _Rename) -> None:
    """Replaces every reference of an element to another one by ``rename(kind, name)``."""
    kind, values = element._kind, element._values

    def one(name: str, target: str | None) -> None:
        if target is not None and values[name]:
            values[name] = rename(target, values[name])

    for name, target in _FIXED.get(kind, {}).items():
        one(name, target)
    for name, target in _LISTS.get(kind, {}).items():
        names = values[name]
        for i, text in enumerate(names):
            if text:
                names[i] = rename(target, text)
    if kind == "actuator":
        one("target", _TARGETS.get(int(values["trntype"])))
    elif kind == "sensor":
        one("objname", _OBJECTS.get(int(values["objtype"])))
        one("refname", _OBJECTS.get(int(values["reftype"])))
    elif kind == "equality":
        target = _EQUALITIES.get(int(values["type"])) or _OBJECTS.get(int(values["objtype"]), "body")
        one("name1", target)
        one("name2", target)
    elif kind == "tuple":
        kinds = [_OBJECTS.get(int(x)) for x in values["objtype"]]
        values["objname"] = [rename(k, n) if k and n else n for k, n in zip(kinds, values["objname"])]
    elif kind == "tendon":
        for wrap in element._path:
            along = {1: "joint", 3: "site", 4: "geom"}.get(wrap._number)
            if along and wrap._name:
                wrap._name = rename(along, wrap._name)
            if wrap._side:
                wrap._side = rename("site", wrap._side)
    if kind != "plugin" and element._plugin is not None and element._plugin._name:
        element._plugin._name = rename("plugin", element._plugin._name)


def references(element: Any) -> list[tuple[str, str]]:
    """Kind and name of the elements that an element refers to."""
    found: list[tuple[str, str]] = []

    def note(kind: str, name: str) -> str:
        found.append((kind, name))
        return name

    visit_references(element, note)
    return found


def subtree(elements: list[Any]) -> list[Any]:
    """Elements with everything in them, depth first."""
    out = []
    for element in elements:
        out.append(element)
        if element._kind == "body":
            for children in element._children.values():
                out.extend(subtree(children))
    return out


def _source(body: Any, parent: Any) -> tuple[Any, Any]:
    """The element to attach and its spec: a copy if it belongs to the parent or is attached already."""
    spec = body._spec
    if spec is not parent and spec._attached_to is None and not spec._copy_during_attach:
        return body, spec
    copies: dict[int, Any] = {}
    spec = spec._copied(copies)
    return copies[id(body)], spec


def _move(parent: Any, child: Any, elements: list[Any], prefix: str, suffix: str) -> None:
    """Moves elements of the tree of a child, and everything that refers to them, to a parent spec."""
    moved = subtree(elements)
    names = {(e._kind, e.name) for e in moved if e.name}
    others = [e for kind in GLOBAL for e in child._lists[kind]]
    names |= {(e._kind, _asset_name(e)) for e in others}
    for kind in REFERRING:
        for element in child._lists[kind]:
            targets = [r for r in references(element) if r[0] in _TREE]
            if all(r in names or r == ("body", "world") for r in targets):
                others.append(element)
                names.add((kind, element.name))
    for key in child._lists["key"]:
        child._split_key(key)

    def rename(kind: str, name: str) -> str:
        return f"{prefix}{name}{suffix}" if (kind, name) in names else name

    for default in child._defaults:
        default._name = f"{prefix}{default._name}{suffix}"
        default._spec = parent
        if default._parent is None:
            default._parent = parent.default
        for element in default._elements.values():
            visit_references(element, rename)
            element._spec = parent
        parent._defaults.append(default)
    for element in moved + others:
        visit_references(element, rename)
        name = _asset_name(element)
        if element._kind == "plugin":
            element._name = f"{prefix}{name}{suffix}" if name else ""
        elif name:
            element._values["name"] = f"{prefix}{name}{suffix}"
    for element in moved + others:
        element._spec = parent
        if element._kind != "plugin" and element._plugin is not None:
            element._plugin._spec = parent
        name = element.name
        if name:
            parent._register(element, name)
    for element in others:
        parent._lists[element._kind].append(element)
    parent._plugins_active.extend(x for x in child._plugins_active if x not in parent._plugins_active)
    _move_assets(parent, child, prefix, suffix, others)
    child._attached_to = parent
    parent._uncompiled()


def _asset_name(element: Any) -> str:
    """Name of an element; that of an unnamed asset is derived from its file."""
    name: str = element.name
    if not name and element._kind in ("mesh", "texture", "hfield", "skin"):
        name = os.path.splitext(os.path.basename(element._values["file"]))[0]
    return name


def _move_assets(parent: Any, child: Any, prefix: str, suffix: str, elements: list[Any]) -> None:
    """Adds the files of a child, with the prefix and the suffix, and changes the names in its elements."""
    new = {}
    for path in child.assets:
        folder, name = os.path.split(path)
        stem, extension = os.path.splitext(name)
        name = f"{prefix}{stem}{suffix}{extension}"
        # without a prefix the folder is kept apart by an empty component
        new[path] = f"{folder}/{name}" if prefix and folder else f"{folder}//{name}" if folder else name
    if child.assets is parent.assets:
        return
    for path, name in new.items():
        parent.assets[name] = child.assets[path]
    for element in elements:
        if "file" in element._values and element._values["file"] in new:
            element._values["file"] = new[element._values["file"]]


def attach_body(frame: Any, body: Any, prefix: str, suffix: str) -> Any:
    """Attaches a body in a frame."""
    parent = frame._spec
    body, child = _source(body, parent)
    if body._parent is None:
        raise ValueError("the world cannot be attached: use `spec.attach`")
    _move(parent, child, [body], prefix, suffix)
    body._parent, body._frame = frame._parent, frame
    frame._parent._children["body"].append(body)
    return body


def attach_frame(body: Any, frame: Any, prefix: str, suffix: str) -> Any:
    """Attaches a frame to a body."""
    parent = body._spec
    frame, child = _source(frame, parent)
    source = frame._parent
    inside = [frame]
    for candidate in source._children["frame"]:
        if candidate._frame in inside:
            inside.append(candidate)
    elements = [e for kind, children in source._children.items() if kind != "frame" for e in children if e._frame in inside]
    _move(parent, child, elements + inside, prefix, suffix)
    frame._frame = None
    for element in elements + inside:
        element._parent = body
        body._children[element._kind].append(element)
    return frame


def attach_spec(frame: Any, child: Any, prefix: str, suffix: str) -> Any:
    """Attaches the world of a spec in a frame, and returns the frame."""
    parent = frame._spec
    world, child = _source(child.worldbody, parent)
    elements = [e for children in world._children.values() for e in children]
    _move(parent, child, elements, prefix, suffix)
    body = frame._parent
    for element in elements:
        element._parent = body
        if element._frame is None:
            element._frame = frame
        body._children[element._kind].append(element)
    return frame
