"""Type stubs of ``sim_physics.spec``, whose classes get their fields from the table of the engine."""

from __future__ import annotations

import inspect
from types import ModuleType
from typing import Any

import numpy as np

from sim_physics.spec import _elements, _spec, _tree
from sim_physics.spec._fields import Field

HEADER = '''"""Written by tools/stubs.py."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._core import MjData, MjModel, MjOption, MjStatistic, MjVisual
from .._enums import *
'''
#: Imports of each module.
IMPORTS = {
    "_elements": "from ._fields import Field\nfrom ._spec import MjSpec\n",
    "_tree": "from ._elements import *\nfrom ._elements import _Classified, _InBody, _WithPlugin\nfrom ._elements import MjsElement\n",
    "_spec": "import os\nfrom ._document import Writer\nfrom ._elements import *\nfrom ._tree import MjsBody, MjsFrame\n",
}
#: Attributes that constructors set.
ATTRIBUTES = {
    "MjSpec": {
        "modelname": "str", "comment": "str", "modelfiledir": "str", "override_assets": "bool", "compiler": "MjsCompiler",
        "worldbody": "MjsBody",
    },
    "MjsOrientation": {},
    "MjsPlugin": {},
}  # fmt: skip
#: Classes of the elements of each kind, by the prefix of the methods of specs and bodies.
KINDS = {cls._kind: cls.__name__ for module in (_elements, _tree) for cls in vars(module).values()
         if isinstance(cls, type) and getattr(cls, "_kind", "")}  # fmt: skip
PLURALS = {"bodies": "body", "meshes": "mesh", "flexes": "flex", "equalities": "equality"}


def field_type(field: Field) -> str:
    """The type of a field."""
    if field.enum is not None:
        return field.enum.__name__
    default = field.default
    if isinstance(default, np.ndarray):
        return f"NDArray[np.{default.dtype.name}]" if default.dtype != bool else "NDArray[np.bool_]"
    return "Any" if isinstance(default, list) or field.name in ("gridlayout", "eulerseq") else type(default).__name__


def annotation(value: Any, default: str) -> str:
    """An annotation as text."""
    if value is inspect.Signature.empty:
        return default
    return (value if isinstance(value, str) else getattr(value, "__name__", str(value))).replace("_core.", "")


def returned(name: str, declared: str) -> str:
    """The type of what a method that belongs to a kind of element returns."""
    for prefix, suffix in (("add_", ""), ("first_", " | None"), ("next_", " | None")):
        if name.startswith(prefix) and name[len(prefix) :] in KINDS:
            return KINDS[name[len(prefix) :]] + suffix
    return KINDS[name] + " | None" if name in KINDS and declared == "Any" else declared


def function_stub(name: str, function: Any, indent: str, decorator: str = "") -> list[str]:
    """The declaration of a function."""
    signature = inspect.signature(function)
    parts: list[str] = []
    star = False
    for p in signature.parameters.values():
        if p.kind is p.VAR_KEYWORD:
            parts.append(f"**{p.name}: {annotation(p.annotation, 'Any')}")
            continue
        if p.kind is p.VAR_POSITIONAL:
            parts.append(f"*{p.name}: {annotation(p.annotation, 'Any')}")
            star = True
            continue
        if p.kind is p.KEYWORD_ONLY and not star:
            parts.append("*")
            star = True
        first = not parts and p.name in ("self", "cls")
        kind = "" if first else f": {annotation(p.annotation, 'Any')}"
        parts.append(f"{p.name}{kind}{'' if p.default is p.empty else ' = ...'}")
    result = returned(name, annotation(signature.return_annotation, "Any"))
    doc = (inspect.getdoc(function) or "").split("\n")[0]
    declared = f"{indent}def {name}({', '.join(parts)}) -> {result}:"
    lines = [f"{indent}{decorator}"] if decorator else []
    return [*lines, f'{declared}\n{indent}    """{doc}"""' if doc else f"{declared} ..."]


def property_stub(name: str, kind: str, doc: str, readable: bool, writable: bool) -> list[str]:
    """The declaration of a property."""
    lines = [f'    @property\n    def {name}(self) -> {kind}:\n        """{doc}"""']
    if writable:
        lines.append(f"    @{name}.setter\n    def {name}(self, value: Any) -> None: ...")
    return lines


def class_stub(cls: type) -> list[str]:
    """The declaration of a class."""
    bases = ", ".join(base.__name__ for base in cls.__bases__ if base is not object)
    lines = [f"class {cls.__name__}{f'({bases})' if bases else ''}:"]
    lines.append(f'    """{(cls.__doc__ or "").strip().splitlines()[0].removesuffix("::")}"""')
    lines += [f"    {name}: {kind}" for name, kind in ATTRIBUTES.get(cls.__name__, {}).items()]
    for name, value in vars(cls).items():
        if name.startswith("_") and not name.startswith("__") and not isinstance(value, property):
            # other modules of the package use them
            lines.append(f"    {name}: Any")
            continue
        if name.startswith("__") and name not in ("__init__", "__len__", "__getitem__", "__iter__", "__enter__", "__exit__",
                                                 "__copy__", "__deepcopy__", "__getattr__", "__setattr__", "__dir__"):  # fmt: skip
            continue
        if isinstance(value, Field):
            lines += property_stub(name, field_type(value), value.__doc__ or name, True, True)
        elif isinstance(value, property):
            kind = annotation(inspect.signature(value.fget).return_annotation, "Any") if value.fget else "Any"
            single = PLURALS.get(name, name.removesuffix("s"))
            if kind.startswith("list") and single in KINDS:
                kind = f"list[{KINDS[single]}]"
            lines += property_stub(name, kind, (value.__doc__ or name).split("\n")[0], True, value.fset is not None)
        elif isinstance(value, staticmethod):
            lines += function_stub(name, value.__func__, "    ", "@staticmethod")
        elif inspect.isfunction(value):
            lines += function_stub(name, value, "    ")
        elif inspect.ismemberdescriptor(value):
            lines.append(f"    {name}: Any")
    return [*lines, ""]


def module_stub(module: ModuleType) -> str:
    """The stub of a module."""
    short = module.__name__.rsplit(".", 1)[1]
    lines = [HEADER + IMPORTS[short], f"__all__ = {list(module.__all__)!r}", ""]
    for name, value in vars(module).items():
        if isinstance(value, type) and value.__module__ == module.__name__ and value.__name__ == name:
            lines += class_stub(value)
        elif inspect.isfunction(value) and value.__module__ == module.__name__ and not name.startswith("_"):
            lines += function_stub(name, value, "")
        elif isinstance(value, tuple) and name.isupper():
            lines.append(f"{name}: tuple[str, ...]")
    return "\n".join(lines) + "\n"


def stubs() -> dict[str, str]:
    """Text of the stubs by file name."""
    return {f"spec/{m.__name__.rsplit('.', 1)[1]}.pyi": module_stub(m) for m in (_elements, _tree, _spec)}
