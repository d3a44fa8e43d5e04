"""Mistakes in the puzzle language: each has the right place, and its suggestion works when it is followed.

`PUZZLEC_REGENERATE=1 pytest tests/language/test_mistakes.py` writes the messages of `mistakes.txt` again.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from puzzlec.compiler import check
from puzzlec.diagnostics import Diagnostic, PuzzleError, Report, Severity, Source
from puzzlec.formats.reading import read
from puzzlec.language import hints
from puzzlec.language.editing.syntax import syntax_of
from puzzlec.language.fixing import applied
from puzzlec.language.mistakes import Slip, all_rows
from tests.mistakes import Mistake, listed

LIST = Path(__file__).parent / "mistakes.txt"

#: The name of a text with a mistake; the files that it uses are beside it.
NAME = str(Path(__file__).parent / "mistakes" / "x.puzzle")
MISTAKES = listed(LIST)


def errors(text: str) -> list[Diagnostic]:
    """Return the errors of a text."""
    report = Report()
    try:
        check(read(Source(NAME, text), "puzzle", report), report=report)
        found = report.diagnostics
    except PuzzleError as error:
        found = [*report.diagnostics, *(new for new in error.diagnostics if new not in report.diagnostics)]
    return [each for each in found if each.severity is Severity.ERROR]


def place_of(found: Diagnostic, mistake: Mistake) -> str:
    """Return the position of a diagnostic within the mistake, `base` outside of it."""
    before = mistake.base.partition("@")[0]
    if found.span is None or not len(before) <= found.span.start <= len(before) + len(mistake.text):
        return "base"
    inside = mistake.text[: found.span.start - len(before)].split("\n")
    return f"{len(inside)}:{len(inside[-1]) + 1}"


def followed(found: Diagnostic, mistake: Mistake) -> list[str]:
    """Return the text of the mistake after each fix of a diagnostic; or the whole text if other parts change."""
    text = mistake.within(mistake.text)
    before, _, after = mistake.base.partition("@")
    results = []
    for fix in syntax_of(Source(NAME, text)).fixes(found):
        result = applied(text, list(fix.edits))
        if result.startswith(before) and result.endswith(after):
            result = result[len(before) : len(result) - len(after)]
        results.append(result.rstrip("\n"))
    return results


def whole(mistake: Mistake, fixed: str) -> str:
    """Return the whole text once a suggestion is followed."""
    before = mistake.base.partition("@")[0]
    return fixed if before and before.split("\n")[0] in fixed else mistake.within(fixed)


def message_of(mistake: Mistake) -> tuple[str, Diagnostic | None]:
    """Return the line of a list for the first error of a mistake."""
    found = errors(mistake.within(mistake.text))
    if not found:
        return "allowed", None
    first = found[0]
    more = "".join(f" +{other.code}" for other in found[1:])
    return f"{first.code}{more} {place_of(first, mistake)} {'; '.join(first.helps)}".rstrip().replace(
        "\n", "\\n"
    ), first


def written() -> None:
    """Write the messages of the list again."""
    for mistake in MISTAKES.mistakes:
        mistake.message, first = message_of(mistake)
        results = followed(first, mistake) if first else []
        if results or not mistake.decided or not first:
            mistake.fixed, mistake.decided = results, False
        mistake.then = remaining(mistake)
        if mistake.fixed or mistake.message == "allowed":
            mistake.because = ""
    MISTAKES.write(LIST)


def remaining(mistake: Mistake) -> str:
    """Return the codes of the errors that come once the suggestion is followed; those reported before do not count."""
    before = {(error.code, error.message) for error in errors(mistake.within(mistake.text))} if mistake.fixed else set()
    after = [error for fixed in mistake.fixed for error in errors(whole(mistake, fixed))]
    return " ".join(sorted({error.code for error in after if (error.code, error.message) not in before}))


if os.environ.get("PUZZLEC_REGENERATE"):
    written()


@pytest.mark.parametrize("mistake", list(MISTAKES.mistakes), ids=lambda mistake: f"{mistake.line}: {mistake.text[:40]}")
def test_a_mistake_has_its_place_and_a_suggestion_that_works(mistake: Mistake) -> None:
    message, first = message_of(mistake)
    assert message == mistake.message, "PUZZLEC_REGENERATE=1 writes it again"
    results = followed(first, mistake) if first else []
    assert results == ([] if mistake.decided else mistake.fixed)
    assert remaining(mistake) == mistake.then
    if mistake.decided and first:
        typed = [part for help in first.helps for part in re.findall("`([^`]+)`", help)]
        assert any(part in fixed for part in typed for fixed in mistake.fixed)


def test_no_suggestion_leads_to_another_error() -> None:
    assert [mistake.text for mistake in MISTAKES.mistakes if mistake.then] == []


def test_a_mistake_has_a_suggestion_to_follow_or_a_reason_why_not() -> None:
    errors = [mistake for mistake in MISTAKES.mistakes if mistake.message != "allowed"]
    assert [mistake.text for mistake in errors if bool(mistake.fixed) == bool(mistake.because)] == []
    assert sum(not mistake.fixed for mistake in errors) < len(errors) * 0.05


@pytest.mark.long
def test_each_row_of_the_table_of_mistakes_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    used: set[str] = set()
    suggested = hints.suggested

    def noted(old: str, new: str, rows: tuple[Slip, ...]) -> hints.Rewriting:
        used.update(row.pattern for row in rows)
        return suggested(old, new, rows)

    monkeypatch.setattr(hints, "suggested", noted)
    for mistake in MISTAKES.mistakes:
        errors(mistake.within(mistake.text))
    assert [row.pattern for row in all_rows() if row.pattern not in used] == []


def test_the_suggestion_for_a_long_statement_is_the_part_that_changes() -> None:
    text = "piece A x 3 {\n" + "  xxxx\n" * 12 + "}"
    meant = hints.meant_by(text)
    assert meant is not None
    assert meant.help == "write `x3` instead of `x 3`"
    (error,) = errors(f"locations box 12x12\n{text}\n")
    (fix,) = syntax_of(Source("x.puzzle", f"locations box 12x12\n{text}\n")).fixes(error)
    assert "piece A x3 {\n  xxxx" in applied(f"locations box 12x12\n{text}\n", list(fix.edits))
