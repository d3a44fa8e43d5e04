"""No sentence has a phrase that is always wrong, and none is longer than 30 words."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.wording import ROOT, bare_numbers, files, findings, page_lengths, share_of_short


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


#: The page that is made from docstrings, whose first lines are short.
MADE = {"api.md"}


def test_few_sentences_of_the_docs_are_short() -> None:
    pages = [path for path in files(["README.md", "CONTRIBUTING.md", "docs"]) if path.suffix == ".md"]
    lengths = {path.relative_to(ROOT): page_lengths(path) for path in pages if path.name not in MADE}
    every = [length for page in lengths.values() for length in page]
    worst = sorted(lengths, key=lambda page: -share_of_short(lengths[page]))[:9]
    assert share_of_short(every) < 0.12, f"join cause and effect: {', '.join(map(str, worst))}"
    assert 13 <= sum(every) / len(every) <= 18
    telegrams = [str(page) for page, found in lengths.items() if len(found) >= 20 and share_of_short(found) > 1 / 3]
    assert not telegrams, f"more than a third of the sentences are short: {telegrams}"


def test_short_sentences_are_counted_without_tables_code_headings_and_fragments(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = tmp_path / "page.md"
    monkeypatch.setattr("tests.wording.ROOT", tmp_path)
    page.write_text(
        "# A short heading.\n\nThis one is short. This sentence has `some code here` and exactly eight words.\n\n"
        "| a short cell. |\n\n```text\nSome short code.\n```\n\n- only a fragment\n",
        "utf-8",
    )
    assert page_lengths(page) == [4, 8]
    assert share_of_short(page_lengths(page)) == 0.5
