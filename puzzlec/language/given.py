"""The options that a user gives beside a text; readers of all formats get them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from puzzlec.ir import Location

Board = tuple[Location, ...]


class Given(NamedTuple):
    """The options that are given with a text.

    ``board``: the locations, for formats that hold pieces only. ``parameters``: values for the parameters of a puzzle.
    ``problem``: one of several problems in the text, by its number from 1 or its name; None: the first.
    """

    board: Board = ()
    parameters: Mapping[str, int] = MappingProxyType({})
    problem: str | None = None
