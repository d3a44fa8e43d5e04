"""Fixes of errors: after its edits, the error is gone."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from puzzlec.compiler import check
from puzzlec.diagnostics import Diagnostic, PuzzleError, Report, Source
from puzzlec.formats.reading import read
from puzzlec.language.editing.syntax import syntax_of
from puzzlec.language.fixing import applied

PAGES = sorted((Path(__file__).parents[2] / "docs" / "errors").glob("PZ*.md"))


#: Pages with examples that are too large and take seconds to check. They have no fix.
LARGE = {"PZ325", "PZ329", "PZ503", "PZ507"}


def errors(text: str) -> list[Diagnostic]:
    report = Report()
    try:
        check(read(Source("x.puzzle", text), "puzzle", report), report=report)
    except PuzzleError as error:
        return [
            *report.diagnostics,
            *(diagnostic for diagnostic in error.diagnostics if diagnostic not in report.diagnostics),
        ]
    return report.diagnostics


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("locations box 1x1\npieces pentominos", "locations box 1x1\npieces pentominoes"),
        ("lattice sqare\nlocations box 1x1", "lattice square\nlocations box 1x1"),
        ("locatons box 1x1", "locations box 1x1"),
        ("locations box 1x1\npiece long { x }\nplace lang inside box 1x1", None),
        ('locations box 1x1\npiece "a long one" { x }\nplace "a long on" inside box 1x1', None),
        ("locations { r }", "colours r\nlocations { r }"),
        ('puzzle "x"\ncolours b\nlocations { r }', 'puzzle "x"\ncolours b r\nlocations { r }'),
        ('puzzle "x"\nlocations { r }', 'puzzle "x"\ncolours r\nlocations { r }'),
        ("locations box 1x1\npieces soma", "lattice cubic\nlocations box 1x1\npieces soma"),
        ("empty 3..1", "empty 1..3"),
        ("colours r g\nlocations { r }\nallow r on rg", "colours r g\nlocations { r }\nallow r on r g"),
        ("piece A x4..2 { x }", "piece A x2..4 { x }"),
        ("locations 6x10\npieces pentominoes", "locations box 6x10\npieces pentominoes"),
        ("locations box 1x1\ncrossing\npiece A { x }", "locations box 1x1\npiece A { x }"),
        ("param side = 2\nlocations box {sde}x1", "param side = 2\nlocations box {side}x1"),
    ],
)
def test_a_fix_follows_its_suggestion(text: str, wanted: str | None) -> None:
    syntax = syntax_of(Source("x.puzzle", text))
    found = [(error, fix) for error in errors(text) for fix in syntax.fixes(error)]
    error, fix = found[0]
    result = applied(text, list(fix.edits))
    if wanted is not None:
        assert result == wanted
    assert error.message not in [other.message for other in errors(result)]


def failing() -> list[object]:
    """Return the failing examples in the puzzle language of the error pages."""
    found: list[object] = []
    for page in PAGES:
        if page.stem in LARGE:
            continue
        part = page.read_text(encoding="utf-8").split("## Fix")[0]
        found += [pytest.param(text, id=page.stem) for text in re.findall(r"```puzzle\n(.*?)```", part, re.DOTALL)]
    return found


@pytest.mark.parametrize("text", failing())
def test_a_fix_of_an_example_of_the_error_pages_removes_the_error(text: str) -> None:
    syntax = syntax_of(Source("x.puzzle", text))
    for error in errors(text):
        for fix in syntax.fixes(error):
            after = errors(applied(text, list(fix.edits)))
            assert (error.code, error.message) not in [(other.code, other.message) for other in after], fix.title
