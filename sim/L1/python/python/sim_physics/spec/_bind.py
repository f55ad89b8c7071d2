"""Access to the arrays of a model or a data by the elements of a spec: ``model.bind(joints).qposadr``."""

from __future__ import annotations

from typing import Any

import numpy as np


def _rows(owner: Any, element: Any) -> Any:
    kind = element._kind
    return getattr(owner, kind)(element._id)


class Bound:
    """The arrays of several elements of one kind: attributes are concatenated over the elements."""

    __slots__ = ("_views",)

    def __init__(self, views: list[Any]) -> None:
        object.__setattr__(self, "_views", views)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        try:
            values = [np.atleast_1d(getattr(view, name)) for view in self._views]
        except AttributeError as error:
            raise AttributeError(f"'Bound' object has no attribute '{name}': {error}") from None
        if not values:
            return np.array([])
        if all(value.shape == (1,) for value in values) or name in ("qpos", "qvel", "qacc", "ctrl", "act", "data"):
            return np.concatenate(values)
        return np.stack(values) if len({value.shape for value in values}) == 1 else np.concatenate(values)

    def __setattr__(self, name: str, value: Any) -> None:
        current = getattr(self, name)
        values = np.broadcast_to(value, current.shape)
        start = 0
        for view in self._views:
            row = np.atleast_1d(getattr(view, name))
            count = row.shape[0] if current.ndim == row.ndim else 1
            part = values[start : start + count] if current.ndim == row.ndim else values[start]
            setattr(view, name, part if row.size > 1 else np.ravel(part)[0])
            start += count

    def __repr__(self) -> str:
        return f"<Bound {list(self._views)}>"


def bind(owner: Any, model: Any, elements: Any) -> Any:
    """The arrays of an element or of a list of elements."""
    single = hasattr(elements, "_kind")
    found = [elements] if single else list(elements)
    for element in found:
        if element._spec._signature != model.signature or element._id < 0:
            raise ValueError("The mjSpec does not match mjModel. Please recompile the mjSpec.")
    views = [_rows(owner, element) for element in found]
    return views[0] if single else Bound(views)
