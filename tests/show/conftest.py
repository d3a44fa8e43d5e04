"""Pages of `puzzlec view` for tests in a browser."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from puzzlec.show.page.writing import viewer_source, viewer_style
from tests.browser import Tab

Opener = Callable[..., Tab]


@pytest.fixture
def shown(tab: Opener, tmp_path: Path) -> Opener:
    """A function that opens the page of a puzzle, and waits for its first picture."""

    def show(text: str, **settings: Any) -> Tab:
        path = tmp_path / "page.html"
        path.write_text(text, encoding="utf-8")
        found = tab(path.as_uri(), **{"width": 560, "height": 400, **settings})
        found.page.wait_for_selector("#view[data-shown=chart], #view[data-first-picture]")
        return found

    return show


@pytest.fixture
def blank(tab: Opener, tmp_path: Path) -> Tab:
    """A page with the program, but without content."""
    text = f"<!DOCTYPE html><style>{viewer_style()}</style><body><script>{viewer_source()}</script></body>"
    (tmp_path / "blank.html").write_text(text, encoding="utf-8")
    return tab((tmp_path / "blank.html").as_uri())
