"""Screenshots of the docs show the page of today, and pages describe them in the same words."""

from __future__ import annotations

import re

import pytest

from tests.tools.site.moving_picture import DESCRIBED, IMAGES, ROOT, stored_words, words_of


@pytest.mark.parametrize("name", DESCRIBED)
def test_a_picture_of_a_page_shows_the_page_of_today(name: str) -> None:
    pytest.importorskip("PIL")
    assert len(words_of(name)) >= 4
    assert stored_words(IMAGES / name) == words_of(name), "run `python -m tests.tools.site.moving_picture`"


def test_pages_describe_the_pictures_of_pages_in_the_same_words() -> None:
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    for page in pages:
        text = page.read_text("utf-8")
        shown = re.findall(r"!\[([^\]]*)\]\([\w./]*?([\w-]+\.webp)\)", text)
        shown += [(said, name) for name, said in re.findall(r'<img src="images/([\w-]+\.webp)" alt="([^"]*)"', text)]
        assert [(said, name) for said, name in shown if said != DESCRIBED.get(name, said)] == [], page
