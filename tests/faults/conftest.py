"""What all tests of faults know."""

from __future__ import annotations

import pytest

from tests.faults.puzzles import PLAIN
from tests.faults.tried import Undisturbed, undisturbed


@pytest.fixture(scope="session")
def truth(tmp_path_factory: pytest.TempPathFactory) -> Undisturbed:
    """What the plain puzzle gives where nothing happens."""
    return undisturbed(PLAIN, tmp_path_factory.mktemp("truth"))
