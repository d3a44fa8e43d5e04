"""No sentence has a phrase that is always wrong, and none is longer than 30 words."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.wording import bare_numbers, files, findings


@pytest.mark.parametrize(
    "phrase", ["It is told here.", "A mended file.", "Nobody knows.", "It starts anew.", "Nothing but for one."]
)
def test_a_wrong_phrase_is_found(phrase: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"# Title\n\n{phrase}\n", "utf-8")
    monkeypatch.setattr("tests.wording.ROOT", tmp_path)
    assert findings(page)


def test_a_long_sentence_is_found_and_code_counts_as_one_word(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "page.md"
    monkeypatch.setattr("tests.wording.ROOT", tmp_path)
    page.write_text("word " * 31 + "end.\n", "utf-8")
    assert findings(page)
    page.write_text("word " * 20 + "`" + "code " * 20 + "`.\n", "utf-8")
    assert not findings(page)


def test_every_sentence_follows_the_guide() -> None:
    wrong = [line for path in files([]) for line in findings(path)]
    assert not wrong, "\n".join(wrong)


#: Pages whose tables have the titles of others, such as "Polyhexes 1234".
TITLES = {"published-counts.md"}


def test_large_numbers_on_pages_have_commas(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pages = [path for path in files(["README.md", "CONTRIBUTING.md", "docs"]) if path.suffix == ".md"]
    wrong = [line for path in pages if path.name not in TITLES for line in bare_numbers(path)]
    assert not wrong, "\n".join(wrong)
    page = tmp_path / "page.md"
    monkeypatch.setattr("tests.wording.ROOT", tmp_path)
    page.write_text("It has 2339, not 2,339, since 1958: `2339`.\n\n```text\n2339\n```\n\n| 12345 |\n", "utf-8")
    assert list(bare_numbers(page)) == ["page.md:1: 2339: write 2,339", "page.md:7: 12345: write 12,345"]
