"""Writes the type stubs of the extension module and the enums from the field tables and signatures of the installed
package: ``python tools/stubs.py`` rewrites them, ``python tools/stubs.py --check`` fails if they are not current."""

from __future__ import annotations

import inspect
import keyword
import pathlib
import sys
from typing import Any

import sim_physics
import spec_stubs
from sim_physics import _core, _enums

PACKAGE = pathlib.Path(__file__).parent.parent / "python" / "sim_physics"

#: NumPy types of the elements in the tables; enums are integers.
ELEMENTS = {"f64": "np.float64", "f32": "np.float32", "i64": "np.int64", "u8": "np.uint8", "bool": "np.bool_"}
#: Classes of builds with additional features.
OPTIONAL = {"Window"}
#: Arrays that are bytes in Python.
BYTES = {"names", "paths", "text_data"}
#: Types of arguments by name.
ARGUMENTS = {
    "m": "MjModel",
    "model": "MjModel",
    "models": "list[MjModel]",
    "d": "MjData",
    "data": "list[MjData]",
    "src": "MjData",
    "dst": "MjData",
    "dest": "MjData",
    "con": "MjContact",
    "name": "str",
    "filename": "str | os.PathLike[str]",
    "xml": "str | bytes",
    "seq": "str",
    "assets": "dict[str, Any] | None",
    "bytes": "bytes",
    "nstep": "int",
    "body": "int",
    "geom": "int",
    "site": "int",
    "id": "int",
    "key": "int",
    "k": "int",
    "index": "int",
    "sig": "int",
    "chains": "Chain | Sequence[Chain]",
    "scene": "SceneHandle",
    "num_envs": "int",
    "environment": "int",
    "tip": "str",
    "base": "str | None",
}
#: Return types; functions that are not listed return None.
RETURNS = {
    "mj_name2id": "int",
    "mj_id2name": "str | None",
    "mj_copyData": "MjData",
    "mj_getTotalmass": "float",
    "mj_sizeModel": "int",
    "mj_isSparse": "bool",
    "mj_isPyramidal": "bool",
    "mj_isDual": "bool",
    "mj_addContact": "int",
    "mj_geomDistance": "float",
    "mj_stateSize": "int",
    "mj_ray": "float",
    "mj_rayMesh": "float",
    "mj_rayHfield": "float",
    "mj_readCtrl": "float",
    "mju_mat2Rot": "int",
    "mju_eig3": "int",
    "mju_normalize3": "float",
    "mju_normalize4": "float",
    "mju_cholFactor": "int",
    "mju_cholUpdate": "int",
    "mju_springDamper": "float",
    "mju_sigmoid": "float",
    "mju_Halton": "float",
    "mju_isBad": "bool",
    "free_camera": "tuple[list[float], float, float, float, bool]",
    "_rollout": "tuple[NDArray[np.float64], NDArray[np.float64]]",
    "_spec_defaults": "dict[str, dict[str, Any]]",
    "_spec_parse": "tuple[dict[str, Any], MjModel, SpecBase]",
    "_spec_settings": "MjModel",
    "_spec_compile": "MjModel",
    "_spec_recompile": "tuple[MjModel, MjData]",
    "_spec_xml": "str",
    "_spec_orientation": "list[float]",
    "_spec_actuator": "dict[str, Any]",
    "mju_rayGeom": "float",
    "mj_printSchema": "str",
    "bind": "Any",
    "Loader.load": "MjModel",
    "Loader.load_string": "MjModel",
    "get_mjcb_control": "Any",
    "get_mjcb_passive": "Any",
    "get_mjcb_sensor": "Any",
    "get_mjcb_time": "Any",
    "get_mjcb_act_dyn": "Any",
    "_fields": "list[tuple[str, str, list[str], str]]",
    "_scalars": "list[tuple[str, str]]",
    "from_xml_path": "MjModel",
    "from_xml_string": "MjModel",
    "from_binary_path": "MjModel",
    "MjModel.from_bytes": "MjModel",
    "MjData.from_bytes": "MjData",
    "to_bytes": "bytes",
    "_is_in_place": "bool",
    "BatchSim.step": "dict[str, Any]",
    "_task_arrays": "list[str]",
    "VecEnv.model": "MjModel",
    "VecEnv.data": "MjData",
    "VecEnv.get": "NDArray[np.float64]",
    "VecEnv.times": "NDArray[np.float64]",
    "VecEnv.elapsed_steps": "list[int]",
    "VecEnv.errors": "list[tuple[int, str]]",
    "VecEnv.infos": "tuple[NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_]]",
    "VecEnv.finals": "tuple[NDArray[np.bool_], NDArray[np.float64], NDArray[np.float64]] | None",
    "BatchSim.get": "NDArray[np.float64]",
    "BatchRenderer.array": "Any",
    "BatchRenderer.depth": "NDArray[np.float32]",
    "BatchRenderer.render_timed": "float | None",
    "BatchRenderer.rgb": "NDArray[np.uint8]",
    "BatchRenderer.segmentation": "NDArray[np.int32]",
    "GpuBatch.array": "Any",
    "GpuBatch.row_len": "int",
    "GpuBatch.step_timed": "float | None",
    "GpuBatch.state": "NDArray[np.float64]",
    "GpuBatch.info": "dict[str, NDArray[Any]]",
    "GpuBatch.rewards": "NDArray[np.float64]",
    "GpuBatch.request": "bool",
    "GpuBatch.fetch": "bool",
    "_gpu_adapters": "list[str]",
    "__dlpack__": "Any",
    "__dlpack_device__": "tuple[int, int]",
    "Chain.forward": "tuple[NDArray[np.float64], NDArray[np.float64]]",
    "Chain.jacobian": "NDArray[np.float64]",
    "Chain.singular_values": "NDArray[np.float64]",
    "Solver.solve": "Solution",
    "SceneHandle.update": "list[float]",
    "SceneHandle.move_camera": "tuple[list[float], float, float, float]",
    "SceneHandle.geom": "tuple[Any, ...]",
    "SceneHandle.camera": "tuple[Any, ...]",
    "RendererHandle.render": "dict[str, NDArray[Any]]",
    "__copy__": "Self",
    "__deepcopy__": "Self",
    "__reduce__": "tuple[Any, ...]",
    "__len__": "int",
    "__getitem__": "Any",
    "__getattr__": "Any",
}
#: Types of properties that are not in a field table.
PROPERTIES = {
    "opt": "MjOption",
    "stat": "MjStatistic",
    "vis": "MjVisual",
    "model": "MjModel",
    "contact": "MjContactList",
    "plugin_data": "NDArray[np.uint64]",
    "warning": "MjWarningStatList",
    "timer": "list[MjTimerStat]",
    "signature": "int",
    "global_": "MjVisualGlobal",
    "quality": "MjVisualQuality",
    "headlight": "MjVisualHeadlight",
    "map": "MjVisualMap",
    "scale": "MjVisualScale",
    "rgba": "MjVisualRgba",
    "id": "int",
    "name": "str",
    "lastinfo": "int",
    "number": "int",
    "duration": "float",
    "num_envs": "int",
    "nu": "int",
    "observation_size": "int",
    "action_size": "int",
    "action_bounds": "NDArray[np.float64]",
    "dt": "float",
    "frame_skip": "int",
    "steps_in_lanes": "bool",
    "threads": "int",
    "info_fields": "list[tuple[str, int | None, bool]]",
    "camera": "tuple[int | None, float | None, list[float] | None, float | None]",
    "joints": "list[int]",
    "dofs": "list[int]",
    "qpos": "NDArray[np.float64]",
    "converged": "bool",
    "status": "str",
    "position_error": "float",
    "orientation_error": "float",
    "iterations": "int",
    "restarts": "int",
    "ngeom": "int",
    "nlight": "int",
    "flags": "bytes",
    "BatchRenderer.shape": "tuple[int, int, int, int]",
    "outputs": "list[str]",
    "GpuBatch.qpos": "Any",
    "adapter": "str",
    "zero_copy": "bool",
    "zero_copy_reason": "str | None",
    "cuda_device": "int | None",
    "capacity": "tuple[int, int]",
    "columns": "list[tuple[str, str, int, int]]",
    "shape": "tuple[int, int]",
    "dtype": "str",
    "__cuda_array_interface__": "dict[str, Any]",
}
#: Methods that `object` has with the same signature.
INHERITED = {"__repr__", "__dir__", "__setattr__", "__delattr__", "__getattribute__", "__new__", "__doc__", "__module__", "__weakref__", "__dict__"}


def element(name: str) -> str:
    """The annotation of an array."""
    return f"NDArray[{ELEMENTS.get(name, 'np.int32')}]"


def signature(function: Any, qualified: str, name: str, method: bool) -> str:
    """The declaration of a function from its text signature."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except ValueError:
        parameters = []
    parts: list[str] = []
    star = False
    for position, p in enumerate(parameters):
        if method and position == 0 and p.name in ("self", "$self"):
            parts.append("self")
            continue
        if p.kind is p.KEYWORD_ONLY and not star:
            parts.append("*")
            star = True
        if p.kind is p.VAR_KEYWORD:
            parts.append(f"**{p.name}: Any")
            continue
        if name.startswith("_spec_"):
            parts.append(f"{p.name}: Any")
            continue
        kind = "MjData" if p.annotation == "MjData" else ARGUMENTS.get(p.name, "Any") if not (qualified.startswith(("SceneHandle", "_rollout")) and p.name == "data") else "Any"
        if name in ("MjData.from_bytes",) and p.name == "model":
            kind = "MjModel"
        default = "" if p.default is p.empty else " = ..."
        if default and kind != "Any" and "None" not in kind and p.default is None:
            kind += " | None"
        parts.append(f"{p.name}: {kind}{default}")
        following = parameters[position + 1 :]
        if p.kind is p.POSITIONAL_ONLY and (not following or following[0].kind is not p.POSITIONAL_ONLY):
            parts.append("/")
    result = RETURNS.get(f"{qualified}.{name}" if qualified else name, RETURNS.get(name, "None"))
    return f"def {name}({', '.join(parts)}) -> {result}: ..."


def class_stub(name: str, cls: type) -> list[str]:
    """The declaration of a class."""
    table = {f[0]: (element(f[1]), f[3]) for f in _core._fields(name)} if name in ("MjModel", "MjData") else {}
    scalars = dict(_core._scalars(name)) if name.startswith("Mj") else {}
    section = {}
    if name not in ("MjModel", "MjData") and scalars:
        instance = cls()
        for field, doc in scalars.items():
            value = getattr(instance, field)
            kind = f"NDArray[np.{value.dtype}]" if hasattr(value, "dtype") else type(value).__name__
            section[field] = (kind, doc)
    lines = [f"@final\nclass {name}:"]
    if cls.__doc__:
        lines.append(f'    """{inspect.cleandoc(cls.__doc__).splitlines()[0]}"""')
    constructor = cls.__dict__.get("__new__")
    if constructor is not None:
        declared = signature(cls, name, "__new__", False).removeprefix("def __new__(").removesuffix(") -> None: ...")
        lines.append(f"    def __new__(cls{', ' + declared if declared else ''}) -> Self: ...")
    for attribute, value in sorted(vars(cls).items()):
        if attribute in INHERITED or attribute == "__new__" or keyword.iskeyword(attribute):
            continue
        if attribute in table or attribute in section:
            kind, doc = table.get(attribute) or section[attribute]
            kind = "bytes" if attribute in BYTES else kind
            lines += [f"    @property\n    def {attribute}(self) -> {kind}:\n        \"\"\"{doc.strip()}\"\"\""]
            lines += [f"    @{attribute}.setter\n    def {attribute}(self, value: ArrayLike) -> None: ..."]
        elif attribute in scalars:
            kind = "float" if attribute == "time" else "int"
            lines += [f"    @property\n    def {attribute}(self) -> {kind}:\n        \"\"\"{scalars[attribute]}\"\"\""]
            if attribute == "time":
                lines += ["    @time.setter\n    def time(self, value: float) -> None: ..."]
        elif inspect.isgetsetdescriptor(value) or inspect.ismemberdescriptor(value):
            kind = PROPERTIES.get(f"{name}.{attribute}", PROPERTIES.get(attribute, "Any"))
            if name in ("MjContact", "MjContactList", "MjWarningStatList"):
                kind = "Any"
            doc = (value.__doc__ or "").strip().splitlines()
            lines.append(f"    @property\n    def {attribute}(self) -> {kind}:\n        \"\"\"{doc[0] if doc else attribute}\"\"\"")
            if name == "MjContact":
                lines.append(f"    @{attribute}.setter\n    def {attribute}(self, value: Any) -> None: ...")
        elif attribute == "__eq__":
            lines.append("    def __eq__(self, other: object, /) -> bool: ...")
        elif attribute in ("__ne__", "__lt__", "__le__", "__gt__", "__ge__"):
            continue
        elif attribute == "__hash__":
            lines.append("    __hash__: ClassVar[None]  # type: ignore[assignment]" if value is None else "")
        elif isinstance(value, staticmethod):
            lines.append("    @staticmethod\n    " + signature(value.__func__, name, attribute, False))
        elif callable(value):
            text = signature(value, name, attribute, True)
            if attribute in ("body", "joint", "jnt") or "Access to the arrays" in (value.__doc__ or ""):
                text = f"def {attribute}(self, name: str | int | None = ..., /) -> NamedView: ..."
            if attribute == "__getitem__":
                text = "def __getitem__(self, index: Any, /) -> Any: ..."
            elif attribute == "__getattr__":
                text = "def __getattr__(self, name: str, /) -> Any: ..."
            elif attribute == "__deepcopy__":
                text = "def __deepcopy__(self, _memo: Any) -> Self: ..." if name != "MjData" else "def __deepcopy__(self, memo: Any) -> Self: ..."
            lines.append("    " + text)
    if name == "NamedView":
        lines.append("    def __getattr__(self, name: str, /) -> Any: ...")
        lines.append("    def __setattr__(self, name: str, value: Any, /) -> None: ...")
        lines.append("    def __delattr__(self, name: str, /) -> None: ...")
    return [line for line in lines if line]


def members() -> list[tuple[str, Any]]:
    """What every build of the extension module has."""
    return [(name, value) for name, value in sorted(vars(_core).items()) if name not in OPTIONAL]


def core_stub() -> str:
    """The stub of the extension module."""
    lines = [
        '"""Types of the extension module; written by tools/stubs.py."""',
        "",
        "import os",
        "from typing import Any, ClassVar, Self, Sequence, final",
        "",
        "import numpy as np",
        "from numpy.typing import ArrayLike, NDArray",
        "",
        "_version: str",
        f"__all__ = {sorted(set(_core.__all__) - OPTIONAL)!r}",
        "",
    ]
    for name, value in members():
        if isinstance(value, type):
            lines += class_stub(name, value) + [""]
    for name, value in members():
        if callable(value) and not isinstance(value, type) and not name.startswith("__"):
            lines.append(signature(value, "", name, False))
    return "\n".join(lines) + "\n"


def enum_stub() -> str:
    """The stub of the enums."""
    lines = ['"""Enums with MuJoCo\'s names and values; written by tools/stubs.py."""', "", "import enum", ""]
    lines += ["class _Enum(enum.IntEnum):  # type: ignore[misc]", "    def __str__(self) -> str: ...", ""]
    for name in _enums.__all__:
        lines.append(f"class {name}(_Enum):")
        lines += [f"    {member.name} = {int(member)}" for member in getattr(_enums, name)]
        lines.append("")
    lines.append(f"__all__ = {list(_enums.__all__)!r}")
    return "\n".join(lines) + "\n"


def main() -> None:
    stale = []
    files = {"_core.pyi": core_stub(), "_enums.pyi": enum_stub(), **spec_stubs.stubs()}
    for name, text in files.items():
        path = PACKAGE / name
        if "--check" in sys.argv:
            if not path.exists() or path.read_text() != text:
                stale.append(name)
        else:
            path.write_text(text)
    if stale:
        sys.exit(f"{', '.join(stale)}: run `python tools/stubs.py` with the package installed (version {sim_physics.package_version})")


if __name__ == "__main__":
    main()
