"""Published numbers of solutions agree with ours, or the files say why not."""

from __future__ import annotations

import re

import pytest

from puzzlec.formats.catalogue import entries
from tests.published.isotopy import isotopy_classes
from tests.published.made import PAGE, page
from tests.published.rows import SYMMETRIES, TIMES, VERDICTS, Row, every, rows

#: A short run counts one of this many quick rows.
STRIDE = 16

COUNTABLE = [row for row in every() if row.countable]
MOMENTS = [row for row in COUNTABLE if row.ours and row.ours["takes"] == "a moment"]


def test_the_page_agrees_with_the_files() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "python -m tests.published.made"


def test_the_comparison_lists_the_wrong_numbers_of_the_polyform_puzzler() -> None:
    wrong = [row for row in every() if row.verdict == "published wrong" and "tiwo/puzzler" in row.source]
    small = sum(row.own is not None and row.count < row.own for row in wrong)
    held = sum(bool(re.search("fixes|same reason", row.outcome)) for row in wrong)
    assert (len(wrong), small, held) == (8, 7, 5)
    told = " ".join((PAGE.with_name("comparison.md")).read_text(encoding="utf-8").split())
    assert "eight are wrong. One is too large and seven are too small. For five of the seven, too many" in told


def test_every_published_number_has_a_name_a_source_and_a_verdict() -> None:
    assert len({row.id for row in every()}) == len(every()) == 516
    assert all(rows().values())
    for row in every():
        assert row.source, row.id
        assert row.title, row.id
        assert row.count >= 0, row.id
        assert row.verdict in VERDICTS, row.id
        assert row.convention in (*SYMMETRIES, "isotopy classes"), row.id
        assert sum((bool(row.puzzle and not row.parameters), row.ours is not None, bool(row.unchecked))) == 1, row.id
        assert row.ours is None or row.ours["takes"] in TIMES, row.id
        assert bool(row.unchecked) == (row.verdict == "not counted"), row.id


def test_a_puzzle_of_the_catalogue_has_the_published_number_or_the_row_says_why_not() -> None:
    # tests/test_catalogue.py recounts the numbers in the catalogue.
    stated = {entry.name: entry for entry in entries()}
    for row in every():
        if row.puzzle:
            assert row.puzzle in stated, row.id
        if row.unchecked:
            assert row.own is None, row.id
        elif row.verdict == "agrees":
            assert row.own == row.count, row.id
        else:
            assert row.own not in (None, row.count), row.id
            assert row.outcome, row.id


def check(row: Row) -> None:
    """Check that a new count equals the row."""
    assert row.recounted() == row.own


@pytest.mark.parametrize("row", MOMENTS[::STRIDE], ids=lambda row: row.id)
def test_some_rows_have_the_number_that_is_counted_now(row: Row) -> None:
    check(row)


@pytest.mark.slow
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("row", COUNTABLE, ids=lambda row: row.id)
def test_a_row_has_the_number_that_is_counted_now(row: Row) -> None:
    check(row)


@pytest.mark.parametrize(
    ("order", "classes"),
    [(3, 1), (4, 2), pytest.param(5, 2, marks=pytest.mark.slow), pytest.param(6, 22, marks=pytest.mark.slow)],
)
def test_latin_squares_have_the_published_number_of_isotopy_classes(order: int, classes: int) -> None:
    assert isotopy_classes(order) == classes


@pytest.mark.nightly
@pytest.mark.timeout(7200)
def test_latin_squares_of_order_7_have_the_published_number_of_isotopy_classes() -> None:
    assert isotopy_classes(7) == 564
