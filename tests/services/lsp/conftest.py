"""One server for all tests that can share it, since a start takes a second."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.services.lsp.editing import Editor


@pytest.fixture(scope="session")
def editor() -> Iterator[Editor]:
    made = Editor()
    yield made
    assert made.end() == 0
