"""Functions of vectors and matrices of any size (``mju_``), by NumPy; those of quaternions and poses are in the engine."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._enums import mjtObj
from ._errors import DTypeError, ShapeError

_MINVAL = 1e-15
_TYPE_NAMES = {
    mjtObj.mjOBJ_BODY: "body",
    mjtObj.mjOBJ_XBODY: "xbody",
    mjtObj.mjOBJ_JOINT: "joint",
    mjtObj.mjOBJ_DOF: "dof",
    mjtObj.mjOBJ_GEOM: "geom",
    mjtObj.mjOBJ_SITE: "site",
    mjtObj.mjOBJ_CAMERA: "camera",
    mjtObj.mjOBJ_LIGHT: "light",
    mjtObj.mjOBJ_FLEX: "flex",
    mjtObj.mjOBJ_MESH: "mesh",
    mjtObj.mjOBJ_SKIN: "skin",
    mjtObj.mjOBJ_HFIELD: "hfield",
    mjtObj.mjOBJ_TEXTURE: "texture",
    mjtObj.mjOBJ_MATERIAL: "material",
    mjtObj.mjOBJ_PAIR: "pair",
    mjtObj.mjOBJ_EXCLUDE: "exclude",
    mjtObj.mjOBJ_EQUALITY: "equality",
    mjtObj.mjOBJ_TENDON: "tendon",
    mjtObj.mjOBJ_ACTUATOR: "actuator",
    mjtObj.mjOBJ_SENSOR: "sensor",
    mjtObj.mjOBJ_NUMERIC: "numeric",
    mjtObj.mjOBJ_TEXT: "text",
    mjtObj.mjOBJ_TUPLE: "tuple",
    mjtObj.mjOBJ_KEY: "key",
    mjtObj.mjOBJ_PLUGIN: "plugin",
}


def _write(res: np.ndarray, value: Any) -> None:
    if not isinstance(res, np.ndarray) or res.dtype != np.float64:
        raise DTypeError("an output must be a NumPy array of float64: use numpy.zeros(shape)")
    value = np.asarray(value)
    if res.shape != value.shape and res.size != value.size:
        raise ShapeError(f"the output should have shape {value.shape}, but has {res.shape}")
    res[...] = value.reshape(res.shape)


def _same(*vectors: Any) -> list[np.ndarray]:
    arrays = [np.asarray(v, dtype=np.float64) for v in vectors]
    if any(a.shape != arrays[0].shape for a in arrays):
        raise ShapeError(f"the vectors have different shapes: {[a.shape for a in arrays]}")
    return arrays


def mju_zero(res: np.ndarray) -> None:
    """Sets all elements to zero."""
    res[...] = 0.0


def mju_fill(res: np.ndarray, val: float) -> None:
    """Sets all elements to a value."""
    res[...] = val


def mju_copy(res: np.ndarray, vec: Any) -> None:
    """Copies a vector."""
    _write(res, vec)


def mju_sum(vec: Any) -> float:
    """Sum of the elements."""
    return float(np.sum(vec))


def mju_L1(vec: Any) -> float:
    """Sum of the absolute values."""
    return float(np.sum(np.abs(vec)))


def mju_scl(res: np.ndarray, vec: Any, scl: float) -> None:
    """res = vec * scl."""
    _write(res, np.asarray(vec) * scl)


def mju_add(res: np.ndarray, vec1: Any, vec2: Any) -> None:
    """res = vec1 + vec2."""
    a, b = _same(vec1, vec2)
    _write(res, a + b)


def mju_sub(res: np.ndarray, vec1: Any, vec2: Any) -> None:
    """res = vec1 - vec2."""
    a, b = _same(vec1, vec2)
    _write(res, a - b)


def mju_addTo(res: np.ndarray, vec: Any) -> None:
    """res += vec."""
    a, b = _same(res, vec)
    _write(res, a + b)


def mju_subFrom(res: np.ndarray, vec: Any) -> None:
    """res -= vec."""
    a, b = _same(res, vec)
    _write(res, a - b)


def mju_addToScl(res: np.ndarray, vec: Any, scl: float) -> None:
    """res += vec * scl."""
    a, b = _same(res, vec)
    _write(res, a + b * scl)


def mju_addScl(res: np.ndarray, vec1: Any, vec2: Any, scl: float) -> None:
    """res = vec1 + vec2 * scl."""
    a, b = _same(vec1, vec2)
    _write(res, a + b * scl)


def mju_dot(vec1: Any, vec2: Any) -> float:
    """Scalar product."""
    a, b = _same(vec1, vec2)
    return float(np.dot(a.ravel(), b.ravel()))


def mju_norm(res: Any) -> float:
    """Length of a vector."""
    return float(np.linalg.norm(res))


def mju_normalize(res: np.ndarray) -> float:
    """Normalizes a vector in place and returns its length; a zero vector becomes the first axis."""
    length = float(np.linalg.norm(res))
    if length < _MINVAL:
        res[...] = 0.0
        res.flat[0] = 1.0
    else:
        res /= length
    return length


def mju_isZero(vec: Any) -> int:
    """1 if all elements are zero."""
    return int(not np.any(vec))


def mju_mulMatVec(res: np.ndarray, mat: Any, vec: Any) -> None:
    """res = mat vec."""
    _write(res, np.asarray(mat) @ np.asarray(vec))


def mju_mulMatTVec(res: np.ndarray, mat: Any, vec: Any) -> None:
    """res = mat' vec."""
    _write(res, np.asarray(mat).T @ np.asarray(vec))


def mju_mulVecMatVec(vec1: Any, mat: Any, vec2: Any) -> float:
    """vec1' mat vec2."""
    return float(np.asarray(vec1) @ np.asarray(mat) @ np.asarray(vec2))


def mju_transpose(res: np.ndarray, mat: Any) -> None:
    """res = mat'."""
    _write(res, np.asarray(mat).T.copy())


def mju_symmetrize(res: np.ndarray, mat: Any) -> None:
    """res = (mat + mat') / 2."""
    mat = np.asarray(mat)
    _write(res, 0.5 * (mat + mat.T))


def mju_eye(mat: np.ndarray) -> None:
    """Identity matrix."""
    _write(mat, np.eye(mat.shape[0]))


def mju_mulMatMat(res: np.ndarray, mat1: Any, mat2: Any) -> None:
    """res = mat1 mat2."""
    _write(res, np.asarray(mat1) @ np.asarray(mat2))


def mju_mulMatMatT(res: np.ndarray, mat1: Any, mat2: Any) -> None:
    """res = mat1 mat2'."""
    _write(res, np.asarray(mat1) @ np.asarray(mat2).T)


def mju_mulMatTMat(res: np.ndarray, mat1: Any, mat2: Any) -> None:
    """res = mat1' mat2."""
    _write(res, np.asarray(mat1).T @ np.asarray(mat2))


def mju_sqrMatTD(res: np.ndarray, mat: Any, diag: Any = None) -> None:
    """res = mat' diag mat, or mat' mat without a diagonal."""
    mat = np.asarray(mat)
    _write(res, mat.T @ (mat if diag is None else np.asarray(diag)[:, None] * mat))


def mju_zero3(res: np.ndarray) -> None:
    """Sets a 3-vector to zero."""
    res[...] = 0.0


def mju_zero4(res: np.ndarray) -> None:
    """Sets a 4-vector to zero."""
    res[...] = 0.0


def mju_unit4(res: np.ndarray) -> None:
    """Unit quaternion."""
    _write(res, [1.0, 0.0, 0.0, 0.0])


def mju_addTo3(res: np.ndarray, vec: Any) -> None:
    """res += vec."""
    mju_addTo(res, vec)


def mju_subFrom3(res: np.ndarray, vec: Any) -> None:
    """res -= vec."""
    mju_subFrom(res, vec)


def mju_addToScl3(res: np.ndarray, vec: Any, scl: float) -> None:
    """res += vec * scl."""
    mju_addToScl(res, vec, scl)


def mju_dot3(vec1: Any, vec2: Any) -> float:
    """Scalar product."""
    return mju_dot(vec1, vec2)


def mju_norm3(vec: Any) -> float:
    """Length of a vector."""
    return mju_norm(vec)


def mju_dist3(pos1: Any, pos2: Any) -> float:
    """Distance of two points."""
    a, b = _same(pos1, pos2)
    return float(np.linalg.norm(a - b))


def mju_min(a: float, b: float) -> float:
    """Smaller number."""
    return float(min(a, b))


def mju_max(a: float, b: float) -> float:
    """Larger number."""
    return float(max(a, b))


def mju_clip(x: float, min: float, max: float) -> float:
    """Number clipped to an interval."""
    return float(min if x < min else max if x > max else x)


def mju_sign(x: float) -> float:
    """1, 0 or -1."""
    return float((x > 0) - (x < 0))


def mju_round(x: float) -> int:
    """Nearest integer, halves away from the lower one."""
    lower = int(np.floor(x))
    return lower if x - lower < 0.5 else lower + 1


def mju_insertionSort(list: np.ndarray) -> None:
    """Sorts in increasing order, in place."""
    list.sort()


def mju_insertionSortInt(list: np.ndarray) -> None:
    """Sorts in increasing order, in place."""
    list.sort()


def mju_type2Str(type: int) -> str | None:
    """Name of an object type (``mjtObj``)."""
    return _TYPE_NAMES.get(mjtObj(int(type)))


def mju_str2Type(str: str | bytes) -> int:
    """Object type (``mjtObj``) of a name; 0 if there is none."""
    str = str.decode() if isinstance(str, bytes) else str
    return next((int(kind) for kind, name in _TYPE_NAMES.items() if name == str), 0)


def mju_writeNumBytes(nbytes: int) -> str:
    """A number of bytes with a unit, such as ``12K``."""
    for power, unit in ((60, "E"), (50, "P"), (40, "T"), (30, "G"), (20, "M"), (10, "K")):
        if nbytes >= 1 << power:
            return f"{nbytes >> power}{unit}"
    return str(nbytes)


def mju_f2n(res: np.ndarray, vec: Any) -> None:
    """Copies single to double precision."""
    res[...] = vec


def mju_n2f(res: np.ndarray, vec: Any) -> None:
    """Copies double to single precision."""
    res[...] = vec


def mju_d2n(res: np.ndarray, vec: Any) -> None:
    """Copies a vector."""
    res[...] = vec


def mju_n2d(res: np.ndarray, vec: Any) -> None:
    """Copies a vector."""
    res[...] = vec


def mj_version() -> int:
    """Version of MuJoCo's interface, as an integer."""
    return 3008000


def mj_versionString() -> str:
    """Version of MuJoCo's interface."""
    return "3.8.0"


__all__ = [
    "mj_version", "mj_versionString", "mju_L1", "mju_add", "mju_addScl", "mju_addTo", "mju_addTo3",
    "mju_addToScl", "mju_addToScl3", "mju_clip", "mju_copy", "mju_d2n", "mju_dist3", "mju_dot", "mju_dot3",
    "mju_eye", "mju_f2n", "mju_fill", "mju_insertionSort", "mju_insertionSortInt", "mju_isZero", "mju_max",
    "mju_min", "mju_mulMatMat", "mju_mulMatMatT", "mju_mulMatTMat", "mju_mulMatTVec", "mju_mulMatVec",
    "mju_mulVecMatVec", "mju_n2d", "mju_n2f", "mju_norm", "mju_norm3", "mju_normalize", "mju_round", "mju_scl",
    "mju_sign", "mju_sqrMatTD", "mju_str2Type", "mju_sub", "mju_subFrom", "mju_subFrom3", "mju_sum",
    "mju_symmetrize", "mju_transpose", "mju_type2Str", "mju_unit4", "mju_writeNumBytes", "mju_zero",
    "mju_zero3", "mju_zero4",
]
