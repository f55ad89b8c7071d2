"""Functions of banded, sparse and constrained matrices, of muscles and of friction pyramids (``mju_``), by NumPy.

A band-dense matrix is symmetric: its first ``ntotal - ndense`` rows have ``nband`` elements left of and on the
diagonal, its last ``ndense`` rows have all elements. Only the lower triangle is stored, row by row.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ._errors import FatalError, ShapeError
from ._math import _write

_MINVAL = 1e-15


def _rows(ntotal: int, nband: int, ndense: int) -> list[tuple[slice, slice]]:
    """Columns of every row, and their places in the storage."""
    sparse = ntotal - ndense
    if not 0 <= ndense <= ntotal or not 0 <= nband <= ntotal:
        raise ShapeError(f"a matrix with {ntotal} rows cannot have {nband} bands and {ndense} dense rows")
    rows = []
    for i in range(ntotal):
        if i < sparse:
            # elements left of column 0 are stored but not used
            width = min(nband, i + 1)
            end = (i + 1) * nband
            rows.append((slice(i + 1 - width, i + 1), slice(end - width, end)))
        else:
            start = sparse * nband + (i - sparse) * ntotal
            rows.append((slice(0, i + 1), slice(start, start + i + 1)))
    return rows


def _size(ntotal: int, nband: int, ndense: int) -> int:
    return (ntotal - ndense) * nband + ndense * ntotal


def _check_band(mat: np.ndarray, ntotal: int, nband: int, ndense: int) -> np.ndarray:
    size = _size(ntotal, nband, ndense)
    if mat.size != size:
        raise ShapeError(f"a band-dense matrix of this shape has {size} elements, but {mat.size} are given")
    return mat.reshape(-1)


def mju_dense2Band(res: np.ndarray, mat: Any, ntotal: int, nband: int, ndense: int) -> None:
    """Converts a symmetric matrix to a band-dense one."""
    dense = np.asarray(mat, float).reshape(ntotal, ntotal)
    band = _check_band(res, ntotal, nband, ndense)
    band[:] = 0.0
    for i, (columns, places) in enumerate(_rows(ntotal, nband, ndense)):
        band[places] = dense[i, columns]
    _write(res, band)


def mju_band2Dense(res: np.ndarray, mat: Any, ntotal: int, nband: int, ndense: int, flg_sym: int) -> None:
    """Converts a band-dense matrix to a dense one, only its lower triangle if `flg_sym` is 0."""
    band = _check_band(np.asarray(mat, float), ntotal, nband, ndense)
    dense = np.zeros((ntotal, ntotal))
    for i, (columns, places) in enumerate(_rows(ntotal, nband, ndense)):
        dense[i, columns] = band[places]
    if flg_sym:
        dense += np.tril(dense, -1).T
    _write(res, dense)


def mju_bandDiag(i: int, ntotal: int, nband: int, ndense: int) -> int:
    """Place of the diagonal element of row `i`."""
    return _rows(ntotal, nband, ndense)[i][1].stop - 1


def mju_bandMulMatVec(res: np.ndarray, mat: Any, vec: Any, ntotal: int, nband: int, ndense: int, nvec: int,
                      flg_sym: int) -> None:  # fmt: skip
    """Products of a band-dense matrix and `nvec` vectors."""
    dense = np.zeros((ntotal, ntotal))
    mju_band2Dense(dense, mat, ntotal, nband, ndense, flg_sym)
    vectors = np.asarray(vec, float).reshape(nvec, ntotal)
    _write(res, vectors @ dense.T)


def mju_cholFactorBand(mat: np.ndarray, ntotal: int, nband: int, ndense: int, diagadd: float, diagmul: float) -> float:
    """Factorises a band-dense matrix A + diag(`diagadd` + `diagmul` A) = L Lᵀ in place; returns the smallest pivot, 0 if
    the matrix is not positive definite."""
    dense = np.zeros((ntotal, ntotal))
    mju_band2Dense(dense, mat, ntotal, nband, ndense, 1)
    diagonal = np.diag_indices(ntotal)
    dense[diagonal] += diagadd + diagmul * dense[diagonal]
    smallest = np.inf
    for j in range(ntotal):
        pivot = dense[j, j]
        if pivot < _MINVAL:
            return 0.0
        smallest = min(smallest, pivot)
        dense[j:, j] /= np.sqrt(pivot)
        dense[j + 1 :, j + 1 :] -= np.outer(dense[j + 1 :, j], dense[j + 1 :, j])
    mju_dense2Band(mat, dense, ntotal, nband, ndense)
    return float(smallest) if ntotal else 0.0


def mju_cholSolveBand(res: np.ndarray, mat: Any, vec: Any, ntotal: int, nband: int, ndense: int) -> None:
    """Solves a system with the factor of ``mju_cholFactorBand``."""
    factor = np.zeros((ntotal, ntotal))
    mju_band2Dense(factor, mat, ntotal, nband, ndense, 0)
    right = np.asarray(vec, float).reshape(ntotal)
    _write(res, np.linalg.solve(factor.T, np.linalg.solve(factor, right)))


def mju_dense2sparse(res: np.ndarray, mat: Any, rownnz: np.ndarray, rowadr: np.ndarray, colind: np.ndarray) -> int:
    """Converts a matrix to compressed rows; returns 1 if `res` has too few elements."""
    dense = np.asarray(mat, float)
    if dense.ndim != 2:
        raise ShapeError("mat should be a matrix")
    rows, columns = np.nonzero(dense)
    if len(rows) > min(res.size, colind.size):
        return 1
    rownnz[:] = np.count_nonzero(dense, axis=1)
    rowadr[:] = np.concatenate([[0], np.cumsum(rownnz)[:-1]])
    res[: len(rows)] = dense[rows, columns]
    colind[: len(columns)] = columns
    return 0


def mju_sparse2dense(res: np.ndarray, mat: Any, rownnz: Any, rowadr: Any, colind: Any) -> None:
    """Converts compressed rows to a matrix."""
    values, columns = np.asarray(mat, float), np.asarray(colind)
    dense = np.zeros(res.shape)
    for i, (count, start) in enumerate(zip(rownnz, rowadr)):
        dense[i, columns[start : start + count]] = values[start : start + count]
    _write(res, dense)


def mju_boxQP(res: np.ndarray, R: np.ndarray, index: np.ndarray | None, H: Any, g: Any, lower: Any = None,
              upper: Any = None) -> int:  # fmt: skip
    """Minimises ½ xᵀ H x + gᵀ x with `lower` ≤ x ≤ `upper` by projected Newton iterations, from `res`.

    `R` receives the Cholesky factor of the unclamped rows and columns, and `index` their indices; returns their
    number, or -1 if the matrix is not positive definite.
    """
    n = res.size
    hessian, gradient0 = np.asarray(H, float).reshape(n, n), np.asarray(g, float).reshape(n)
    low = np.full(n, -np.inf) if lower is None else np.asarray(lower, float).reshape(n)
    high = np.full(n, np.inf) if upper is None else np.asarray(upper, float).reshape(n)
    if np.any(low > high):
        raise FatalError("mju_boxQP: a lower bound is larger than the upper bound")

    def value(x: np.ndarray) -> float:
        return float(0.5 * x @ hessian @ x + gradient0 @ x)

    x = np.clip(res.reshape(n), low, high)
    free = np.zeros(n, bool)
    factor = np.zeros((0, 0))
    for _ in range(100):
        gradient = hessian @ x + gradient0
        free = ~(((x <= low) & (gradient > 0)) | ((x >= high) & (gradient < 0)))
        if not free.any():
            factor = np.zeros((0, 0))
            break
        try:
            factor = np.linalg.cholesky(hessian[np.ix_(free, free)])
        except np.linalg.LinAlgError:
            return -1
        direction = np.zeros(n)
        direction[free] = -np.linalg.solve(factor.T, np.linalg.solve(factor, gradient[free]))
        if np.linalg.norm(gradient[free]) < 1e-16 * max(1.0, float(np.linalg.norm(gradient0))) or not direction.any():
            break
        step, before = 1.0, value(x)
        candidate = np.clip(x + direction, low, high)
        while value(candidate) > before + 0.1 * gradient @ (candidate - x) and step > 1e-20:
            step *= 0.5
            candidate = np.clip(x + step * direction, low, high)
        if np.array_equal(candidate, x):
            break
        x = candidate
    _write(res, x)
    count = len(factor)
    R.reshape(-1)[: count * count] = factor.reshape(-1)
    if index is not None and count:
        index[:count] = np.flatnonzero(free)
    return count


def mju_encodePyramid(pyramid: np.ndarray, force: Any, mu: Any) -> None:
    """Forces along the edges of a friction pyramid that add up to a contact force."""
    force, mu = np.asarray(force, float), np.asarray(mu, float)
    n = len(mu)
    edges = np.empty(2 * n)
    for i in range(n):
        normal, tangential = force[0] / n, np.clip(force[i + 1] / mu[i], -force[0] / n, force[0] / n)
        edges[2 * i : 2 * i + 2] = 0.5 * (normal + tangential), 0.5 * (normal - tangential)
    _write(pyramid, edges)


def mju_decodePyramid(force: np.ndarray, pyramid: Any, mu: Any) -> None:
    """The contact force of forces along the edges of a friction pyramid."""
    edges, mu = np.asarray(pyramid, float), np.asarray(mu, float)
    pairs = edges.reshape(-1, 2)
    _write(force, np.concatenate([[edges.sum()], (pairs[:, 0] - pairs[:, 1]) * mu]))


__all__ = [
    "mju_band2Dense", "mju_bandDiag", "mju_bandMulMatVec", "mju_boxQP", "mju_cholFactorBand", "mju_cholSolveBand",
    "mju_decodePyramid", "mju_dense2Band", "mju_dense2sparse", "mju_encodePyramid", "mju_sparse2dense",
]  # fmt: skip
