"""Fields of the elements of a spec: properties that check their values, from the table of the engine."""

from __future__ import annotations

import enum
from collections.abc import Iterable
from typing import Any

import numpy as np

from .. import _core, _enums

#: Fields of every kind of element with their default values.
DEFAULTS: dict[str, dict[str, Any]] = _core._spec_defaults()

#: Enum classes of fields: by kind and name, or by name alone.
_ENUMS: dict[tuple[str, str] | str, type[enum.IntEnum]] = {
    ("geom", "type"): _enums.mjtGeom,
    ("site", "type"): _enums.mjtGeom,
    ("joint", "type"): _enums.mjtJoint,
    ("light", "type"): _enums.mjtLightType,
    ("texture", "type"): _enums.mjtTexture,
    ("equality", "type"): _enums.mjtEq,
    ("sensor", "type"): _enums.mjtSensor,
    ("mesh", "inertia"): _enums.mjtMeshInertia,
    "typeinertia": _enums.mjtGeomInertia,
    "mode": _enums.mjtCamLight,
    "proj": _enums.mjtProjection,
    "sleep": _enums.mjtSleepPolicy,
    "colorspace": _enums.mjtColorSpace,
    "dyntype": _enums.mjtDyn,
    "gaintype": _enums.mjtGain,
    "biastype": _enums.mjtBias,
    "trntype": _enums.mjtTrn,
    "objtype": _enums.mjtObj,
    "reftype": _enums.mjtObj,
    "datatype": _enums.mjtDataType,
    "needstage": _enums.mjtStage,
}
#: Vectors whose length is not fixed.
_VARIABLE = {
    "userdata", "uservert", "usernormal", "usertexcoord", "userface", "params", "vert", "node", "elem", "texcoord",
    "elemtexcoord", "face", "bindpos", "bindquat", "objprm", "qpos", "qvel", "act", "ctrl", "mpos", "mquat",
    "cell_empty",
}  # fmt: skip
#: Vectors that may be given by their first elements.
_SHORTENED = {("geom", "size"): 1, ("site", "size"): 1}
#: Polynomials that may be given by one number.
_POLYNOMIALS = {"stiffness", "damping"}
#: Entries of the dictionaries that are not fields.
SPECIAL = {"alt", "ialt", "plugin"}


class Characters:
    """A string whose characters can be assigned."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = list(text)

    def __getitem__(self, index: int) -> str:
        return self._text[self._check(index)]

    def __setitem__(self, index: int, value: str) -> None:
        self._text[self._check(index)] = value

    def _check(self, index: int) -> int:
        if not 0 <= index < len(self._text):
            raise IndexError(f"index {index} is out of range: there are {len(self._text)} elements")
        return index

    def __len__(self) -> int:
        return len(self._text)

    def __iter__(self) -> Any:
        return iter(self._text)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Iterable) and list(other) == self._text

    def __str__(self) -> str:
        return "".join(self._text)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(self._text)


class Strings(Characters):
    """A list of strings of fixed length."""

    __slots__ = ()


def _vector(name: str, value: Any, dtype: Any) -> np.ndarray[Any, Any]:
    if isinstance(value, (str, bytes)):
        raise TypeError(f"{name} should be a list/array of numbers")
    try:
        return np.array(value, dtype=dtype).ravel()
    except ValueError as error:
        raise TypeError(f"{name} should be a list/array of numbers: {error}") from None


class Field:
    """A property of an element, stored in its dictionary of values."""

    def __init__(self, kind: str, name: str, default: Any) -> None:
        self.kind, self.name, self.default = kind, name, default
        self.enum = _ENUMS.get((kind, name)) or _ENUMS.get(name)
        self.variable = name in _VARIABLE or (kind, name) in {("numeric", "data"), ("tuple", "objtype")}
        if self.variable or kind == "tuple" or (kind, name) == ("flex", "elastic2d"):
            self.enum = None
        #: Whether a value of the engine has another type in Python.
        self.converted = self.enum is not None or isinstance(default, list) or name in ("gridlayout", "eulerseq")
        self.initial = self.convert(default)
        self.__doc__ = f"Field ``{name}`` of a {kind}."

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        if instance is None:
            return self
        return instance._values[self.name]

    def __set__(self, instance: Any, value: Any) -> None:
        instance._values[self.name] = self.convert(value, instance._values.get(self.name))

    def loaded(self, value: Any) -> Any:
        """A value of the engine, which is valid."""
        if self.converted:
            return self.convert(value)
        return value.copy() if isinstance(value, np.ndarray) else value

    def convert(self, value: Any, current: Any = None) -> Any:
        """A value of the type of the field."""
        name, default = self.name, self.default
        if self.enum is not None:
            return self._enum(value)
        if isinstance(default, np.ndarray):
            return self._array(value, current)
        if isinstance(default, str):
            return self._text(value)
        if isinstance(default, list):
            return self._list(value)
        if isinstance(default, bytes):
            return bytes(value)
        if isinstance(value, (str, bytes)) or value is None or np.ndim(value) != 0:
            raise TypeError(f"{name} should be a number, not {value!r}")
        return int(value) if isinstance(default, int) else float(value)

    def _enum(self, value: Any) -> Any:
        assert self.enum is not None
        if isinstance(value, (bool, int, np.integer, np.bool_)):
            return self.enum(int(value))
        raise TypeError(f"{self.name} should be a {self.enum.__name__}, not {value!r}")

    def _array(self, value: Any, current: Any) -> np.ndarray[Any, Any]:
        name, size = self.name, len(self.default)
        if name in _POLYNOMIALS and np.ndim(value) == 0 and not isinstance(value, str):
            value = [value, 0.0, 0.0]
        vector = _vector(name, value, self.default.dtype)
        if self.variable:
            return vector
        least = _SHORTENED.get((self.kind, name), size)
        if not least <= len(vector) <= size:
            sizes = str(size) if least == size else f"{least} to {size}"
            raise ValueError(f"{name} should be a list/array of size {sizes}.")
        if len(vector) < size:
            vector = np.concatenate([vector, np.zeros(size - len(vector), vector.dtype)])
        if current is not None:
            # views of the array stay valid
            current[:] = vector
            return current
        return vector

    def _text(self, value: Any) -> Any:
        name = self.name
        if name in ("gridlayout", "eulerseq"):
            characters = list(value)
            size = len(self.default)
            if len(characters) != size:
                raise ValueError(f"{name} should have length {size}.")
            if any(not isinstance(c, str) or len(c) != 1 for c in characters):
                raise ValueError(f"{name}: list elements must be single characters.")
            return Characters("".join(characters))
        if not isinstance(value, str):
            raise TypeError(f"{name} should be a string, not {value!r}")
        return value

    def _list(self, value: Any) -> Any:
        name, size = self.name, len(self.default)
        if isinstance(value, (str, bytes)):
            raise TypeError(f"{name} should be a list")
        if name in ("vertid", "vertweight"):
            return [list(row) for row in value]
        names = list(value)
        if any(not isinstance(x, str) for x in names):
            raise TypeError(f"{name} should be a list of strings")
        if size == 0:
            return names
        if len(names) != size:
            raise ValueError(f"{name} must have exactly {size} elements, got {len(names)}.")
        strings = Strings("")
        strings._text = names
        return strings


def fields(kind: str) -> dict[str, Field]:
    """The fields of a kind of element."""
    return {name: Field(kind, name, value) for name, value in DEFAULTS[kind].items() if name not in SPECIAL}


def plain(value: Any) -> Any:
    """The value of a field as the engine receives it."""
    if isinstance(value, Strings):
        return list(value)
    return str(value) if isinstance(value, Characters) else value


def copied(value: Any) -> Any:
    """An independent copy of the value of a field."""
    if isinstance(value, np.ndarray):
        return value.copy()
    if isinstance(value, Strings):
        strings = Strings("")
        strings._text = list(value)
        return strings
    if isinstance(value, Characters):
        return Characters(str(value))
    return [copied(x) for x in value] if isinstance(value, list) else value
