"""Writes named arrays to an .npz file with one flat array and an index.

An .npz entry has an overhead of several hundred bytes, and a model has hundreds of small arrays, so all
values are stored in the single entry `numbers`. The entry `meta` is JSON; its `index` has the offset, length
and number of rows of each array.
"""

import json

import numpy as np


def write(path, arrays, meta, compress=False, names_of_empty=False):
    index, offset, parts = {}, 0, []
    for name, value in arrays.items():
        value = np.asarray(value, dtype=np.float64)
        if value.size or names_of_empty:
            rows = value.shape[0] if value.ndim else 1
            index[name] = [offset, value.size, rows]
            offset += value.size
            parts.append(value.reshape(-1))
    text = json.dumps({**meta, "index": index}, separators=(",", ":")).encode()
    save = np.savez_compressed if compress else np.savez
    save(path, meta=np.frombuffer(text, dtype=np.uint8),
         numbers=np.concatenate(parts) if parts else np.zeros(0))
