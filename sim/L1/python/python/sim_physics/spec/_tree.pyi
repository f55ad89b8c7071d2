"""Written by tools/stubs.py."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._core import MjData, MjModel, MjOption, MjStatistic, MjVisual
from .._enums import *
from ._elements import *
from ._elements import _Classified, _InBody, _WithPlugin
from ._elements import MjsElement

__all__ = ['IN_BODY', 'MjsBody', 'MjsFrame', 'resolve']

IN_BODY: tuple[str, ...]
class _Container(MjsElement):
    """What bodies and frames have in common: they contain elements."""
    _place: Any
    _add: Any
    def add_body(self, default: MjsDefault | None = ..., **keywords: Any) -> MjsBody:
        """Adds a child body."""
    def add_frame(self, default: Any = ..., **keywords: Any) -> MjsFrame:
        """Adds a frame, in another frame if one is given."""
    def add_geom(self, default: MjsDefault | None = ..., **keywords: Any) -> MjsGeom:
        """Adds a geom."""
    def add_joint(self, default: MjsDefault | None = ..., **keywords: Any) -> MjsJoint:
        """Adds a joint."""
    def add_site(self, default: MjsDefault | None = ..., **keywords: Any) -> MjsSite:
        """Adds a site."""
    def add_camera(self, default: MjsDefault | None = ..., **keywords: Any) -> MjsCamera:
        """Adds a camera."""
    def add_light(self, default: MjsDefault | None = ..., **keywords: Any) -> MjsLight:
        """Adds a light."""
    @property
    def childclass(self) -> str:
        """Default class of the elements."""
    @childclass.setter
    def childclass(self, value: Any) -> None: ...
    @property
    def parent(self) -> MjsBody | None:
        """The parent body; None for the world."""
    @property
    def frame(self) -> MjsFrame | None:
        """The frame that contains the element, or None."""
    def set_frame(self, frame: MjsFrame) -> None:
        """Moves the element into a frame of its body."""

class MjsFrame(_Container):
    """A coordinate frame in a body."""
    _kind: Any
    _place: Any
    def attach_body(self, body: MjsBody, prefix: str | None = ..., suffix: str | None = ...) -> MjsBody:
        """Attaches a body of another spec, with everything that refers to it, in this frame."""
    _fields: Any
    @property
    def name(self) -> str:
        """Name; empty if the element has none."""
    @name.setter
    def name(self, value: Any) -> None: ...
    @property
    def pos(self) -> NDArray[np.float64]:
        """Field ``pos`` of a frame."""
    @pos.setter
    def pos(self, value: Any) -> None: ...
    @property
    def quat(self) -> NDArray[np.float64]:
        """Field ``quat`` of a frame."""
    @quat.setter
    def quat(self, value: Any) -> None: ...
    @property
    def alt(self) -> Any:
        """Alternative orientation specifier."""

class MjsBody(_Classified, _WithPlugin, _Container):
    """A body, or the world."""
    _kind: Any
    def __init__(self, spec: Any, values: dict[str, Any] | None = ...) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    _place: Any
    @property
    def ialt(self) -> MjsOrientation:
        """Alternative orientation specifier of the inertial frame."""
    def add_freejoint(self, **keywords: Any) -> MjsJoint:
        """Adds a free joint."""
    def find_all(self, kind: str | mjtObj) -> list[Any]:
        """All elements of a kind in the subtree of the body, without the body."""
    def find_child(self, name: str) -> MjsBody | None:
        """The body of the subtree with this name, or None."""
    def to_frame(self) -> MjsFrame:
        """Replaces the body by a frame of its parent, which contains the elements of the body."""
    def attach_frame(self, frame: MjsFrame, prefix: str | None = ..., suffix: str | None = ...) -> MjsFrame:
        """Attaches a frame of another spec, with its elements and everything that refers to them, to this body."""
    _children: Any
    @property
    def bodies(self) -> list[MjsBody]:
        """Elements of the kind body that belong to the body."""
    def first_body(self) -> MjsBody | None:
        """The first body of the body, or None."""
    def next_body(self, element: Any) -> MjsBody | None:
        """The body after another one, or None."""
    @property
    def frames(self) -> list[MjsFrame]:
        """Elements of the kind frame that belong to the body."""
    def first_frame(self) -> MjsFrame | None:
        """The first frame of the body, or None."""
    def next_frame(self, element: Any) -> MjsFrame | None:
        """The frame after another one, or None."""
    @property
    def geoms(self) -> list[MjsGeom]:
        """Elements of the kind geom that belong to the body."""
    def first_geom(self) -> MjsGeom | None:
        """The first geom of the body, or None."""
    def next_geom(self, element: Any) -> MjsGeom | None:
        """The geom after another one, or None."""
    @property
    def sites(self) -> list[MjsSite]:
        """Elements of the kind site that belong to the body."""
    def first_site(self) -> MjsSite | None:
        """The first site of the body, or None."""
    def next_site(self, element: Any) -> MjsSite | None:
        """The site after another one, or None."""
    @property
    def joints(self) -> list[MjsJoint]:
        """Elements of the kind joint that belong to the body."""
    def first_joint(self) -> MjsJoint | None:
        """The first joint of the body, or None."""
    def next_joint(self, element: Any) -> MjsJoint | None:
        """The joint after another one, or None."""
    @property
    def lights(self) -> list[MjsLight]:
        """Elements of the kind light that belong to the body."""
    def first_light(self) -> MjsLight | None:
        """The first light of the body, or None."""
    def next_light(self, element: Any) -> MjsLight | None:
        """The light after another one, or None."""
    @property
    def cameras(self) -> list[MjsCamera]:
        """Elements of the kind camera that belong to the body."""
    def first_camera(self) -> MjsCamera | None:
        """The first camera of the body, or None."""
    def next_camera(self, element: Any) -> MjsCamera | None:
        """The camera after another one, or None."""
    _fields: Any
    @property
    def name(self) -> str:
        """Name; empty if the element has none."""
    @name.setter
    def name(self, value: Any) -> None: ...
    @property
    def pos(self) -> NDArray[np.float64]:
        """Field ``pos`` of a body."""
    @pos.setter
    def pos(self, value: Any) -> None: ...
    @property
    def mocap(self) -> int:
        """Field ``mocap`` of a body."""
    @mocap.setter
    def mocap(self, value: Any) -> None: ...
    @property
    def gravcomp(self) -> float:
        """Field ``gravcomp`` of a body."""
    @gravcomp.setter
    def gravcomp(self, value: Any) -> None: ...
    @property
    def sleep(self) -> mjtSleepPolicy:
        """Field ``sleep`` of a body."""
    @sleep.setter
    def sleep(self, value: Any) -> None: ...
    @property
    def userdata(self) -> NDArray[np.float64]:
        """Field ``userdata`` of a body."""
    @userdata.setter
    def userdata(self, value: Any) -> None: ...
    @property
    def quat(self) -> NDArray[np.float64]:
        """Field ``quat`` of a body."""
    @quat.setter
    def quat(self, value: Any) -> None: ...
    @property
    def iquat(self) -> NDArray[np.float64]:
        """Field ``iquat`` of a body."""
    @iquat.setter
    def iquat(self, value: Any) -> None: ...
    @property
    def mass(self) -> float:
        """Field ``mass`` of a body."""
    @mass.setter
    def mass(self, value: Any) -> None: ...
    @property
    def ipos(self) -> NDArray[np.float64]:
        """Field ``ipos`` of a body."""
    @ipos.setter
    def ipos(self, value: Any) -> None: ...
    @property
    def inertia(self) -> NDArray[np.float64]:
        """Field ``inertia`` of a body."""
    @inertia.setter
    def inertia(self, value: Any) -> None: ...
    @property
    def fullinertia(self) -> NDArray[np.float64]:
        """Field ``fullinertia`` of a body."""
    @fullinertia.setter
    def fullinertia(self, value: Any) -> None: ...
    @property
    def explicitinertial(self) -> int:
        """Field ``explicitinertial`` of a body."""
    @explicitinertial.setter
    def explicitinertial(self, value: Any) -> None: ...
    @property
    def alt(self) -> Any:
        """Alternative orientation specifier."""

def resolve(degree: bool, sequence: Any, orientation: MjsOrientation) -> np.ndarray[Any, Any]:
    """The quaternion of an orientation specifier."""
