"""Reads the states of another recording, so that two releases of MuJoCo are compared at the same states."""

import json
import os

import numpy as np


class Inputs:
    """The arrays of a recording by name; none if there is no recording."""

    def __init__(self, path=None):
        self.index, self.numbers = {}, np.zeros(0)
        if path is not None and os.path.isfile(path):
            with np.load(path) as archive:
                self.index = json.loads(archive["meta"].tobytes())["index"]
                self.numbers = archive["numbers"]

    def row(self, name, k):
        """Row `k` of an array; None if the recording does not have it."""
        if name not in self.index:
            return None
        offset, size, rows = self.index[name]
        width = size // max(rows, 1)
        return self.numbers[offset + k * width:offset + (k + 1) * width] if k < rows else None

    def restore(self, d, names, prefix, k):
        """Copies row `k` of the fields below a prefix to `d`, where their sizes are equal."""
        for name in names:
            value, field = self.row(prefix + name, k), getattr(d, name)
            if value is not None and value.size == field.size:
                field[:] = value.reshape(field.shape)

    def restore_flat(self, d, names, prefix):
        """Like `restore`, for fields that are recorded once and flat."""
        for name in names:
            offset, size, _ = self.index.get(prefix + name, (0, 0, 0))
            field = getattr(d, name)
            if size and size == field.size:
                field[:] = self.numbers[offset:offset + size].reshape(field.shape)
