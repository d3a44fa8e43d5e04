"""Fixtures of all tests of faults."""

from __future__ import annotations

import pytest

from tests.faults.puzzles import LONG, PLAIN
from tests.faults.tried import Undisturbed, undisturbed


@pytest.fixture(scope="session")
def truth(tmp_path_factory: pytest.TempPathFactory) -> Undisturbed:
    """The result of the plain puzzle without a fault."""
    return undisturbed(PLAIN, tmp_path_factory.mktemp("truth"))


@pytest.fixture
def unfinished() -> Undisturbed:
    """A puzzle whose search does not end within a test; only the number of its solutions is known."""
    return Undisturbed(LONG, b"")
