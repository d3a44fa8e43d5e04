"""What all tests of faults know."""

from __future__ import annotations

import pytest

from tests.faults.puzzles import LONG, PLAIN
from tests.faults.tried import Undisturbed, undisturbed


@pytest.fixture(scope="session")
def truth(tmp_path_factory: pytest.TempPathFactory) -> Undisturbed:
    """What the plain puzzle gives where nothing happens."""
    return undisturbed(PLAIN, tmp_path_factory.mktemp("truth"))


@pytest.fixture
def unfinished() -> Undisturbed:
    """A puzzle whose search does not end within a test; its solutions are not known, only how many there are."""
    return Undisturbed(LONG, b"")
