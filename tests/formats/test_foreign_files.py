"""Small files as other programs write them, in the folder `foreign`: each has its count, or a refusal that helps.

The count of the BurrTools file is stored in it. The others are counted by hand.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.commands import run

FOLDER = Path(__file__).parent / "foreign"

COUNTS = {
    ("burrtools.xml", "--symmetry", "rotations"): 96,
    ("matrix.rows",): 1,
    ("matrix-with-width.txt",): 1,
    ("matrix-with-secondary.txt",): 1,
    ("matrix-in-brackets.txt",): 13,
    ("matrix-in-brackets.txt", "--from", "rows"): 13,
    ("covers.ccxc",): 1,
    ("option-without-primary.dlx",): 2,
}

REFUSALS = {
    ("numbers.txt",): "error[PZ004]: unknown format: one line of 16 numbers",
    ("note.txt",): "error[PZ004]: unknown format: text that begins with `1 - buy milk`",
    ("pieces.json", "--board", "3x3"): "unknown format: JSON of another program, with the keys `name`, `shape`",
    ("lua.txt",): "error[PZ004]: unknown format: text that begins with `problem = {`",
    ("empty-board.json", "--problem", "hard"): "error[PZ299]: the board `hard` is empty (null)",
}


@pytest.mark.parametrize("words", COUNTS, ids=" ".join)
def test_a_foreign_file_has_its_count(words: tuple[str, ...]) -> None:
    done = run("count", *words, cwd=FOLDER)
    assert (done.returncode, done.stdout) == (0, f"{COUNTS[words]}\n")


@pytest.mark.parametrize("words", REFUSALS, ids=" ".join)
def test_a_foreign_file_without_a_reader_is_refused_by_its_kind(words: tuple[str, ...]) -> None:
    done = run("count", *words, cwd=FOLDER)
    assert (done.returncode, done.stdout) == (1, "")
    assert REFUSALS[words] in done.stderr


def test_a_drawing_is_not_offered_as_an_exact_cover() -> None:
    done = run("count", "drawn.txt", cwd=FOLDER)
    assert "dlx" not in done.stdout + done.stderr


def test_xml_read_in_the_wrong_format_is_told_the_right_one() -> None:
    done = run("count", "burrtools.xml", "--from", "piezas", cwd=FOLDER)
    assert "error[PZ233]: expected the root element `PIEZAS`, found `puzzle`" in done.stderr
    assert "help: add `--from xmpuzzle`, the format of BurrTools" in done.stderr
