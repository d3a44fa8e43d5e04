"""Puzzles for tests of the whole catalogue: some of each family in every run, and all in the slow set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest
from _pytest.mark import ParameterSet

from puzzlec.formats.catalogue import Entry, entries

#: Number of puzzles of a family in every run.
OF_EACH_FAMILY = 8


def share(wanted: Callable[[Entry], bool] = lambda _: True, most: int = OF_EACH_FAMILY) -> list[ParameterSet]:
    """Return the wanted entries as parameters; after the first ``most`` of each family, they are slow."""
    seen: Counter[str] = Counter()
    found = []
    for entry in entries():
        family = entry.name.split("/")[0]
        if wanted(entry):
            seen[family] += 1
            slow = seen[family] > most
            found.append(pytest.param(entry, id=entry.name, marks=[pytest.mark.slow] if slow else []))
    return found
