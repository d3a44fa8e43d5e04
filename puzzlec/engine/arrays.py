"""The arrays of an exact cover, as kernels take them."""

from __future__ import annotations

from array import array
from typing import NamedTuple


class Arrays(NamedTuple):
    """The fields of :class:`puzzlec.engine.problem.ExactCover` that kernels are made from."""

    primary: int
    low: array[int]
    high: array[int]
    secondary: int
    starts: array[int]
    items: array[int]
    colours: array[int]
