"""Bodies and frames of a spec."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _core
from .._enums import mjtJoint, mjtObj
from ._attach import attach_body, attach_frame
from ._elements import (
    MjsCamera, MjsDefault, MjsElement, MjsGeom, MjsJoint, MjsLight, MjsOrientation, MjsSite, _Classified, _WithPlugin,
    add_fields,
)  # fmt: skip
from ._fields import plain

#: Kinds of elements in a body.
IN_BODY = ("body", "frame", "geom", "site", "joint", "light", "camera")
_OBJECTS = {
    int(mjtObj.mjOBJ_BODY): "body", int(mjtObj.mjOBJ_FRAME): "frame", int(mjtObj.mjOBJ_GEOM): "geom",
    int(mjtObj.mjOBJ_SITE): "site", int(mjtObj.mjOBJ_JOINT): "joint", int(mjtObj.mjOBJ_LIGHT): "light",
    int(mjtObj.mjOBJ_CAMERA): "camera",
}  # fmt: skip


class _Container(MjsElement):
    """What bodies and frames have in common: they contain elements."""

    __slots__ = ()

    def _place(self) -> tuple[MjsBody, MjsFrame | None]:
        """The body and the frame of new elements."""
        raise NotImplementedError

    def _add(self, element: Any, default: MjsDefault | None, keywords: dict[str, Any]) -> Any:
        body, frame = self._place()
        spec = body._spec
        if default is not None and not isinstance(default, MjsDefault):
            raise TypeError("default should be an MjsDefault, such as `spec.find_default(name)`")
        element._class = default or body._class
        kind = element._kind
        if kind in MjsDefault._kinds:
            element._copy_values(element._class._elements[kind])
        element._parent, element._frame, element._scope = body, frame, spec
        element._set(keywords)
        body._children[kind].append(element)
        spec._uncompiled()
        return element

    def add_body(self, default: MjsDefault | None = None, **keywords: Any) -> MjsBody:
        """Adds a child body."""
        return self._add(MjsBody(self._spec), default, keywords)

    def add_frame(self, default: Any = None, **keywords: Any) -> MjsFrame:
        """Adds a frame, in another frame if one is given."""
        frame = self._add(MjsFrame(self._spec), None, keywords)
        if default is not None:
            frame._frame = default
        return frame

    def add_geom(self, default: MjsDefault | None = None, **keywords: Any) -> MjsGeom:
        """Adds a geom."""
        return self._add(MjsGeom(self._spec), default, keywords)

    def add_joint(self, default: MjsDefault | None = None, **keywords: Any) -> MjsJoint:
        """Adds a joint."""
        return self._add(MjsJoint(self._spec), default, keywords)

    def add_site(self, default: MjsDefault | None = None, **keywords: Any) -> MjsSite:
        """Adds a site."""
        return self._add(MjsSite(self._spec), default, keywords)

    def add_camera(self, default: MjsDefault | None = None, **keywords: Any) -> MjsCamera:
        """Adds a camera."""
        return self._add(MjsCamera(self._spec), default, keywords)

    def add_light(self, default: MjsDefault | None = None, **keywords: Any) -> MjsLight:
        """Adds a light."""
        return self._add(MjsLight(self._spec), default, keywords)

    @property
    def childclass(self: Any) -> str:
        """Default class of the elements."""
        return "" if self._class is None else self._class.name

    @childclass.setter
    def childclass(self, name: str) -> None:
        found = self._spec.find_default(name)
        if found is None:
            raise ValueError(f"there is no default class '{name}'")
        self._class = found

    @property
    def parent(self) -> MjsBody | None:
        """The parent body; None for the world."""
        return self._parent

    @property
    def frame(self) -> MjsFrame | None:
        """The frame that contains the element, or None."""
        return self._frame

    def set_frame(self, frame: MjsFrame) -> None:
        """Moves the element into a frame of its body."""
        self._frame = frame


class MjsFrame(_Container):
    """A coordinate frame in a body."""

    __slots__ = ()
    _kind = "frame"

    def _place(self) -> tuple[MjsBody, MjsFrame | None]:
        return self._parent, self

    def attach_body(self, body: MjsBody, prefix: str | None = None, suffix: str | None = None) -> MjsBody:
        """Attaches a body of another spec, with everything that refers to it, in this frame."""
        return attach_body(self, body, prefix or "", suffix or "")


class MjsBody(_Classified, _WithPlugin, _Container):
    """A body, or the world."""

    __slots__ = ("_children",)
    _kind = "body"

    def __init__(self, spec: Any, values: dict[str, Any] | None = None) -> None:
        super().__init__(spec, values)
        self._children: dict[str, list[Any]] = {kind: [] for kind in IN_BODY}

    def _place(self) -> tuple[MjsBody, MjsFrame | None]:
        return self, None

    @property
    def ialt(self) -> MjsOrientation:
        """Alternative orientation specifier of the inertial frame."""
        return self._ialt

    def add_freejoint(self, **keywords: Any) -> MjsJoint:
        """Adds a free joint."""
        for name in keywords:
            if name not in ("align", "group", "name"):
                raise TypeError(f"Invalid {name} keyword argument. Valid options are: align, group, name.")
        joint = MjsJoint(self._spec)
        joint._class = self._spec.default
        joint._parent, joint.type = self, mjtJoint.mjJNT_FREE
        joint._set(keywords)
        self._children["joint"].append(joint)
        self._spec._uncompiled()
        return joint

    def find_all(self, kind: str | mjtObj) -> list[Any]:
        """All elements of a kind in the subtree of the body, without the body."""
        name = kind if isinstance(kind, str) else _OBJECTS.get(int(kind), "")
        if name not in IN_BODY:
            raise ValueError("body.find_all supports the types: " + ", ".join(IN_BODY) + ".")
        found = list(self._children[name]) if name != "body" else []
        for child in self._children["body"]:
            if name == "body":
                found.append(child)
            found.extend(child.find_all(name))
        return found

    def find_child(self, name: str) -> MjsBody | None:
        """The body of the subtree with this name, or None."""
        return next((body for body in self.find_all("body") if body.name == name), None)

    def to_frame(self) -> MjsFrame:
        """Replaces the body by a frame of its parent, which contains the elements of the body."""
        parent = self._parent
        if parent is None:
            raise ValueError("the world cannot be converted to a frame")
        frame = MjsFrame(self._spec)
        frame._parent, frame._frame, frame._scope, frame._class = parent, self._frame, self._scope, self._class
        frame._values.update(name=self.name, pos=self.pos.copy(), quat=self.quat.copy())
        frame._alternative = self._alternative
        parent._children["body"].remove(self)
        parent._children["frame"].append(frame)
        for kind in IN_BODY:
            for element in self._children[kind]:
                element._parent = parent
                if element._frame is None:
                    element._frame = frame
                parent._children[kind].append(element)
            self._children[kind] = []
        self._spec._uncompiled()
        return frame

    def attach_frame(self, frame: MjsFrame, prefix: str | None = None, suffix: str | None = None) -> MjsFrame:
        """Attaches a frame of another spec, with its elements and everything that refers to them, to this body."""
        return attach_frame(self, frame, prefix or "", suffix or "")


def _lists(kind: str, plural: str) -> None:
    def all_of(self: MjsBody) -> list[Any]:
        return list(self._children[kind])

    def first(self: MjsBody) -> Any:
        return next(iter(self._children[kind]), None)

    def following(self: MjsBody, element: Any) -> Any:
        elements = self._children[kind]
        index = elements.index(element) + 1
        return elements[index] if index < len(elements) else None

    first.__doc__ = f"The first {kind} of the body, or None."
    following.__doc__ = f"The {kind} after another one, or None."
    setattr(MjsBody, plural, property(all_of, doc=f"Elements of the kind {kind} that belong to the body."))
    setattr(MjsBody, f"first_{kind}", first)
    setattr(MjsBody, f"next_{kind}", following)


for _kind in IN_BODY:
    _lists(_kind, "bodies" if _kind == "body" else _kind + "s")
add_fields(MjsFrame)
add_fields(MjsBody)


def resolve(degree: bool, sequence: Any, orientation: MjsOrientation) -> np.ndarray[Any, Any]:
    """The quaternion of an orientation specifier."""
    number, values = orientation._entry()
    settings = {"degree": int(bool(degree)), "eulerseq": "xyz" if sequence is None else plain(sequence)}
    return np.array(_core._spec_orientation(number, values or [1.0, 0.0, 0.0, 0.0], settings))


__all__ = ["IN_BODY", "MjsBody", "MjsFrame", "resolve"]
