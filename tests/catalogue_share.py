"""Which puzzles a test takes that asks the same of the whole catalogue: some of each family; all in the slow set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest
from _pytest.mark import ParameterSet

from puzzlec.formats.catalogue import Entry, entries

#: So many puzzles of a family are in every run.
OF_EACH_FAMILY = 8


def share(wanted: Callable[[Entry], bool] = lambda _: True, most: int = OF_EACH_FAMILY) -> list[ParameterSet]:
    """Return the entries wanted as parameters; those beyond the first ``most`` of each family are slow."""
    seen: Counter[str] = Counter()
    found = []
    for entry in entries():
        family = entry.name.split("/")[0]
        if wanted(entry):
            seen[family] += 1
            slow = seen[family] > most
            found.append(pytest.param(entry, id=entry.name, marks=[pytest.mark.slow] if slow else []))
    return found
