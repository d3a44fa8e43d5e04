"""Tests for all kinds of generated puzzles."""

from __future__ import annotations

import subprocess
import sys

import pytest

import puzzlec
from puzzlec.generators.generating import KINDS, Generator, find_kind
from tests.commands import ENVIRONMENT


@pytest.mark.long
def test_the_same_seed_gives_the_same_puzzle_with_any_hash_seed() -> None:
    code = (
        "import puzzlec; print(puzzlec.generate('dominosa', seed=4, size=3).text,"
        "puzzlec.generate('board', seed=2).text,"
        "puzzlec.generate('tiles', seed=2, size='3x3').text, puzzlec.generate('packing', seed=2, size='4x5').text)"
    )
    texts = {
        subprocess.run(
            [sys.executable, "-c", code], env={**ENVIRONMENT, "PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("0", "1", "77")
    }
    assert len(texts) == 1
    assert puzzlec.generate("dominosa", seed=5, size=3).text != puzzlec.generate("dominosa", seed=4, size=3).text


def test_the_first_line_makes_the_puzzle_again() -> None:
    found = puzzlec.generate("dominosa", seed=4, size=3)
    assert found.text.splitlines()[0] == "# puzzlec generate dominosa --seed 4 --size 3"
    assert (found.puzzle.title, found.options, found.solutions) == ("dominosa 4", {"size": 3}, 1)


@pytest.mark.parametrize(
    ("kind", "options", "words"),
    [
        ("domino", {}, "did you mean `dominosa`"),
        ("dominosa", {"size": 10}, "from 1 to 9"),
        ("dominosa", {"size": "2x2"}, "found `2x2`"),
        ("dominosa", {"colours": 3}, "has no option"),
    ],
)
def test_a_wrong_option_is_an_error(kind: str, options: dict[str, int | str], words: str) -> None:
    with pytest.raises(puzzlec.PuzzleError, match="PZ226") as caught:
        Generator(kind, options=options).find()
    assert words in str(caught.value)


def test_limits_end_in_an_error_that_describes_the_best_attempt() -> None:
    with pytest.raises(puzzlec.PuzzleError, match="PZ012") as caught:
        puzzlec.generate("dominosa", seed=2, attempts=1, size=9)
    assert "in 1 attempt" in str(caught.value)
    assert "the best has" in caught.value.diagnostics[0].notes[0]
    with pytest.raises(puzzlec.PuzzleError, match="PZ012") as caught:
        puzzlec.generate("packing", size="3x3x3", pieces="soma", attempts=1)
    assert caught.value.diagnostics[0].notes == ()
    with pytest.raises(puzzlec.UnfinishedError) as late:
        puzzlec.generate("dominosa", seed=2, limits=puzzlec.Limits(seconds=0))
    assert late.value.reason == "time"


@pytest.mark.parametrize("name", KINDS)
def test_a_kind_has_its_name(name: str) -> None:
    assert find_kind(name).name == name
