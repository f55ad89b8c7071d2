"""Written by tools/stubs.py."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._core import MjData, MjModel, MjOption, MjStatistic, MjVisual
from .._enums import *
import os
from ._document import Writer
from ._elements import *
from ._tree import MjsBody, MjsFrame

__all__ = ['MjSpec', 'mju_getXMLDependencies']

IN_BODY: tuple[str, ...]
class MjSpec:
    """An editable model"""
    modelname: str
    comment: str
    modelfiledir: str
    override_assets: bool
    compiler: MjsCompiler
    worldbody: MjsBody
    def __init__(self) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    _parse: Any
    @staticmethod
    def from_string(xml: str, include: Any = ..., assets: dict[str, Any] | None = ...) -> MjSpec:
        """Parses MJCF or URDF. `include` and `assets` map file names to their contents."""
    @staticmethod
    def from_file(filename: str | os.PathLike[str], include: Any = ..., assets: dict[str, Any] | None = ...) -> MjSpec:
        """Parses an MJCF or URDF file. `include` and `assets` map file names to their contents."""
    @staticmethod
    def from_zip(file: Any) -> MjSpec:
        """Parses the model of a zip archive, whose other files are its assets."""
    def to_xml(self) -> str:
        """The spec as MJCF."""
    def to_file(self, filename: str | os.PathLike[str]) -> None:
        """Writes the spec as MJCF."""
    def to_zip(self, file: Any) -> None:
        """Writes the spec and its assets to a zip archive."""
    _files: Any
    def compile(self) -> MjModel:
        """Compiles the model."""
    def recompile(self, model: MjModel, data: MjData) -> tuple[MjModel, MjData]:
        """Compiles the model and transfers the state of objects that exist in both models."""
    _writer: Any
    _compiled: Any
    _uncompiled: Any
    @property
    def option(self) -> MjOption:
        """Simulation options."""
    @property
    def stat(self) -> MjStatistic:
        """Statistics that replace those of the compiler; NaN if they do not."""
    @property
    def visual(self) -> MjVisual:
        """Visualization settings."""
    @property
    def assets(self) -> dict[str, Any]:
        """Contents of asset files by name."""
    @assets.setter
    def assets(self, value: Any) -> None: ...
    @property
    def parent(self) -> MjSpec | None:
        """The spec that this one is attached to, or None."""
    @property
    def _address(self) -> int:
        """_address"""
    _set_copy_during_attach: Any
    @property
    def copy_during_attach(self) -> Any:
        """Whether attaching this spec attaches a copy."""
    @copy_during_attach.setter
    def copy_during_attach(self, value: Any) -> None: ...
    @staticmethod
    def resolve_orientation(degree: bool, sequence: Any = ..., orientation: Any = ...) -> np.ndarray[Any, Any]:
        """The quaternion of an alternative orientation specifier."""
    @property
    def default(self) -> MjsDefault:
        """The default class ``main``."""
    def find_default(self, name: str) -> MjsDefault | None:
        """The default class with this name, or None."""
    def add_default(self, name: str, parent: MjsDefault | None = ...) -> MjsDefault:
        """Adds a default class as a copy of its parent, ``main`` if none is given."""
    _everything: Any
    _all: Any
    _find: Any
    _register: Any
    _rename: Any
    _add: Any
    def activate_plugin(self, name: str) -> None:
        """Declares that the model uses a plugin."""
    def delete(self, element: Any) -> None:
        """Deletes an element with its children; with a body also the elements that refer to it."""
    _delete_references: Any
    _delete_default: Any
    def copy(self) -> MjSpec:
        """An independent copy."""
    _copied: Any
    _ordered: Any
    def __copy__(self) -> MjSpec:
        """An independent copy."""
    def __deepcopy__(self, memo: dict[int, Any]) -> MjSpec: ...
    _frame_of: Any
    def attach(self, child: MjSpec, prefix: str | None = ..., suffix: str | None = ..., site: Any = ..., frame: Any = ...) -> MjsFrame:
        """Attaches another spec at a site or in a frame, given by the element or its name."""
    _split_key: Any
    @property
    def njmax(self) -> int:
        """Size ``njmax``."""
    @njmax.setter
    def njmax(self, value: Any) -> None: ...
    @property
    def nconmax(self) -> int:
        """Size ``nconmax``."""
    @nconmax.setter
    def nconmax(self, value: Any) -> None: ...
    @property
    def nstack(self) -> int:
        """Size ``nstack``."""
    @nstack.setter
    def nstack(self, value: Any) -> None: ...
    @property
    def nuserdata(self) -> int:
        """Size ``nuserdata``."""
    @nuserdata.setter
    def nuserdata(self, value: Any) -> None: ...
    @property
    def nkey(self) -> int:
        """Size ``nkey``."""
    @nkey.setter
    def nkey(self, value: Any) -> None: ...
    @property
    def nuser_body(self) -> int:
        """Size ``nuser_body``."""
    @nuser_body.setter
    def nuser_body(self, value: Any) -> None: ...
    @property
    def nuser_jnt(self) -> int:
        """Size ``nuser_jnt``."""
    @nuser_jnt.setter
    def nuser_jnt(self, value: Any) -> None: ...
    @property
    def nuser_geom(self) -> int:
        """Size ``nuser_geom``."""
    @nuser_geom.setter
    def nuser_geom(self, value: Any) -> None: ...
    @property
    def nuser_site(self) -> int:
        """Size ``nuser_site``."""
    @nuser_site.setter
    def nuser_site(self, value: Any) -> None: ...
    @property
    def nuser_cam(self) -> int:
        """Size ``nuser_cam``."""
    @nuser_cam.setter
    def nuser_cam(self, value: Any) -> None: ...
    @property
    def nuser_tendon(self) -> int:
        """Size ``nuser_tendon``."""
    @nuser_tendon.setter
    def nuser_tendon(self, value: Any) -> None: ...
    @property
    def nuser_actuator(self) -> int:
        """Size ``nuser_actuator``."""
    @nuser_actuator.setter
    def nuser_actuator(self, value: Any) -> None: ...
    @property
    def nuser_sensor(self) -> int:
        """Size ``nuser_sensor``."""
    @nuser_sensor.setter
    def nuser_sensor(self, value: Any) -> None: ...
    @property
    def memory(self) -> int:
        """Size ``memory``."""
    @memory.setter
    def memory(self, value: Any) -> None: ...
    @property
    def meshdir(self) -> Any:
        """Compiler setting ``meshdir``."""
    @meshdir.setter
    def meshdir(self, value: Any) -> None: ...
    @property
    def texturedir(self) -> Any:
        """Compiler setting ``texturedir``."""
    @texturedir.setter
    def texturedir(self, value: Any) -> None: ...
    @property
    def strippath(self) -> Any:
        """Compiler setting ``strippath``."""
    @strippath.setter
    def strippath(self, value: Any) -> None: ...
    def body(self, name: str) -> MjsBody | None:
        """The body with this name, or None."""
    @property
    def bodies(self) -> list[MjsBody]:
        """All elements of the kind body."""
    def frame(self, name: str) -> MjsFrame | None:
        """The frame with this name, or None."""
    @property
    def frames(self) -> list[MjsFrame]:
        """All elements of the kind frame."""
    def geom(self, name: str) -> MjsGeom | None:
        """The geom with this name, or None."""
    @property
    def geoms(self) -> list[MjsGeom]:
        """All elements of the kind geom."""
    def site(self, name: str) -> MjsSite | None:
        """The site with this name, or None."""
    @property
    def sites(self) -> list[MjsSite]:
        """All elements of the kind site."""
    def joint(self, name: str) -> MjsJoint | None:
        """The joint with this name, or None."""
    @property
    def joints(self) -> list[MjsJoint]:
        """All elements of the kind joint."""
    def light(self, name: str) -> MjsLight | None:
        """The light with this name, or None."""
    @property
    def lights(self) -> list[MjsLight]:
        """All elements of the kind light."""
    def camera(self, name: str) -> MjsCamera | None:
        """The camera with this name, or None."""
    @property
    def cameras(self) -> list[MjsCamera]:
        """All elements of the kind camera."""
    def texture(self, name: str) -> MjsTexture | None:
        """The texture with this name, or None."""
    @property
    def textures(self) -> list[MjsTexture]:
        """All elements of the kind texture."""
    def add_texture(self, default: MjsDefault | None = ..., **keywords: Any) -> MjsTexture:
        """Adds an element of the kind texture; keywords are its fields."""
    def material(self, name: str) -> MjsMaterial | None:
        """The material with this name, or None."""
    @property
    def materials(self) -> list[MjsMaterial]:
        """All elements of the kind material."""
    def add_material(self, default: MjsDefault | None = ..., **keywords: Any) -> MjsMaterial:
        """Adds an element of the kind material; keywords are its fields."""
    def mesh(self, name: str) -> MjsMesh | None:
        """The mesh with this name, or None."""
    @property
    def meshes(self) -> list[MjsMesh]:
        """All elements of the kind mesh."""
    def add_mesh(self, default: MjsDefault | None = ..., **keywords: Any) -> MjsMesh:
        """Adds an element of the kind mesh; keywords are its fields."""
    def hfield(self, name: str) -> MjsHField | None:
        """The hfield with this name, or None."""
    @property
    def hfields(self) -> list[MjsHField]:
        """All elements of the kind hfield."""
    def add_hfield(self, default: MjsDefault | None = ..., **keywords: Any) -> MjsHField:
        """Adds an element of the kind hfield; keywords are its fields."""
    def pair(self, name: str) -> MjsPair | None:
        """The pair with this name, or None."""
    @property
    def pairs(self) -> list[MjsPair]:
        """All elements of the kind pair."""
    def add_pair(self, default: MjsDefault | None = ..., **keywords: Any) -> MjsPair:
        """Adds an element of the kind pair; keywords are its fields."""
    def exclude(self, name: str) -> MjsExclude | None:
        """The exclude with this name, or None."""
    @property
    def excludes(self) -> list[MjsExclude]:
        """All elements of the kind exclude."""
    def add_exclude(self, default: MjsDefault | None = ..., **keywords: Any) -> MjsExclude:
        """Adds an element of the kind exclude; keywords are its fields."""
    def flex(self, name: str) -> MjsFlex | None:
        """The flex with this name, or None."""
    @property
    def flexes(self) -> list[MjsFlex]:
        """All elements of the kind flex."""
    def add_flex(self, default: MjsDefault | None = ..., **keywords: Any) -> MjsFlex:
        """Adds an element of the kind flex; keywords are its fields."""
    def skin(self, name: str) -> MjsSkin | None:
        """The skin with this name, or None."""
    @property
    def skins(self) -> list[MjsSkin]:
        """All elements of the kind skin."""
    def add_skin(self, default: MjsDefault | None = ..., **keywords: Any) -> MjsSkin:
        """Adds an element of the kind skin; keywords are its fields."""
    def tendon(self, name: str) -> MjsTendon | None:
        """The tendon with this name, or None."""
    @property
    def tendons(self) -> list[MjsTendon]:
        """All elements of the kind tendon."""
    def add_tendon(self, default: MjsDefault | None = ..., **keywords: Any) -> MjsTendon:
        """Adds an element of the kind tendon; keywords are its fields."""
    def equality(self, name: str) -> MjsEquality | None:
        """The equality with this name, or None."""
    @property
    def equalities(self) -> list[MjsEquality]:
        """All elements of the kind equality."""
    def add_equality(self, default: MjsDefault | None = ..., **keywords: Any) -> MjsEquality:
        """Adds an element of the kind equality; keywords are its fields."""
    def actuator(self, name: str) -> MjsActuator | None:
        """The actuator with this name, or None."""
    @property
    def actuators(self) -> list[MjsActuator]:
        """All elements of the kind actuator."""
    def add_actuator(self, default: MjsDefault | None = ..., **keywords: Any) -> MjsActuator:
        """Adds an element of the kind actuator; keywords are its fields."""
    def sensor(self, name: str) -> MjsSensor | None:
        """The sensor with this name, or None."""
    @property
    def sensors(self) -> list[MjsSensor]:
        """All elements of the kind sensor."""
    def add_sensor(self, default: MjsDefault | None = ..., **keywords: Any) -> MjsSensor:
        """Adds an element of the kind sensor; keywords are its fields."""
    def numeric(self, name: str) -> MjsNumeric | None:
        """The numeric with this name, or None."""
    @property
    def numerics(self) -> list[MjsNumeric]:
        """All elements of the kind numeric."""
    def add_numeric(self, default: MjsDefault | None = ..., **keywords: Any) -> MjsNumeric:
        """Adds an element of the kind numeric; keywords are its fields."""
    def text(self, name: str) -> MjsText | None:
        """The text with this name, or None."""
    @property
    def texts(self) -> list[MjsText]:
        """All elements of the kind text."""
    def add_text(self, default: MjsDefault | None = ..., **keywords: Any) -> MjsText:
        """Adds an element of the kind text; keywords are its fields."""
    def tuple(self, name: str) -> MjsTuple | None:
        """The tuple with this name, or None."""
    @property
    def tuples(self) -> list[MjsTuple]:
        """All elements of the kind tuple."""
    def add_tuple(self, default: MjsDefault | None = ..., **keywords: Any) -> MjsTuple:
        """Adds an element of the kind tuple; keywords are its fields."""
    def key(self, name: str) -> MjsKey | None:
        """The key with this name, or None."""
    @property
    def keys(self) -> list[MjsKey]:
        """All elements of the kind key."""
    def add_key(self, default: MjsDefault | None = ..., **keywords: Any) -> MjsKey:
        """Adds an element of the kind key; keywords are its fields."""
    def plugin(self, name: str) -> MjsPlugin | None:
        """The plugin with this name, or None."""
    @property
    def plugins(self) -> list[MjsPlugin]:
        """All elements of the kind plugin."""
    def add_plugin(self, default: MjsDefault | None = ..., **keywords: Any) -> MjsPlugin:
        """Adds an element of the kind plugin; keywords are its fields."""

def mju_getXMLDependencies(filename: str | os.PathLike[str]) -> list[str]:
    """The file of a model, the files that it includes, and its asset files."""
