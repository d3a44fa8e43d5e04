"""Certificates in one call: written, checked, and refused."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

import pytest

import puzzlec

TWO = 'puzzle "Two"\nlocations box 4x1\npiece D x2 { xx }\n'
BOARD = 'puzzle "Board"\nlocations box 4x3\npiece I x4 { xxx }\n'


@pytest.fixture
def board(tmp_path: Path) -> Path:
    """A certificate of a puzzle with a few solutions."""
    path = tmp_path / "board.cert"
    puzzlec.write_certificate(puzzlec.parse(BOARD), path)
    return path


def bare(path: Path) -> Path:
    """Return a certificate without its puzzle, with a new digest."""
    *lines, last = [json.loads(line) for line in path.read_text().splitlines()]
    lines[0] = {key: value for key, value in lines[0].items() if key not in ("puzzle", "fitting")}
    text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
    end = last | {"sha256": sha256(text.encode()).hexdigest()}
    target = path.with_name("bare.cert")
    target.write_text(text + json.dumps(end) + "\n")
    return target


def test_a_written_certificate_proves_the_counts_of_the_search(board: Path) -> None:
    puzzle = puzzlec.parse(BOARD)
    raw, distinct = puzzlec.count(puzzle, symmetry="none"), puzzlec.count(puzzle)
    expected = puzzlec.Proof({"raw": raw, "listed": raw, "distinct": distinct}, "all", True, True, 10)
    assert puzzlec.check_certificate(board, puzzle) == puzzlec.check_certificate(str(board)) == expected
    assert [path.name for path in board.parent.iterdir()] == ["board.cert"]


def test_the_symmetries_of_a_certificate_without_a_puzzle_have_no_name(board: Path) -> None:
    proof = puzzlec.check_certificate(bare(board))
    assert (proof.symmetry, proof.puzzle, proof.solutions, proof.placements) == (None, False, None, None)
    assert puzzlec.check_certificate(bare(board), puzzlec.parse(BOARD)).symmetry == "all"


def test_some_solutions_are_certified_in_a_compressed_file(tmp_path: Path) -> None:
    first, second, *_ = puzzlec.solve(puzzlec.parse(BOARD), symmetry="none")
    path = tmp_path / "some.cert.gz"
    assert puzzlec.write_certificate(first.fitting, path, solutions=[first, second, first]) == {"listed": 2}
    assert path.read_bytes()[:2] == b"\x1f\x8b"
    proof = puzzlec.check_certificate(path)
    assert (proof.claims, proof.symmetry, proof.solutions) == ({"listed": 2}, None, True)


def test_a_solution_of_another_puzzle_is_refused_and_no_file_is_left(tmp_path: Path) -> None:
    other = list(puzzlec.solve(puzzlec.parse(TWO)))
    with pytest.raises(ValueError, match=r"no solution of the puzzle|of another puzzle"):
        puzzlec.write_certificate(puzzlec.parse(BOARD), tmp_path / "some.cert", solutions=other)
    assert not list(tmp_path.iterdir())


def test_a_certificate_that_is_not_done_in_time_is_an_error_and_leaves_the_old_file(board: Path) -> None:
    before = board.read_bytes()
    with pytest.raises(puzzlec.PuzzleError, match="PZ635"):
        puzzlec.write_certificate("new/torus", board, seconds=0)
    assert board.read_bytes() == before
    assert [path.name for path in board.parent.iterdir()] == ["board.cert"]


def test_the_certificate_of_another_puzzle_proves_nothing_about_this_one(board: Path) -> None:
    with pytest.raises(puzzlec.PuzzleError, match="PZ634"):
        puzzlec.check_certificate(board, puzzlec.parse(TWO))


@pytest.mark.parametrize(
    "other", ["piece A fixed {\n x\n x\n}\npiece B fixed {\n x\n x\n}", "piece B { xx }\npiece A { xx }"]
)
def test_a_solution_whose_numbers_have_another_meaning_is_refused(other: str, tmp_path: Path) -> None:
    board = "locations box 2x2\n"
    solution = next(iter(puzzlec.solve(puzzlec.parse(board + "piece A { xx }\npiece B { xx }"), symmetry="none")))
    with pytest.raises(ValueError, match="another puzzle"):
        puzzlec.write_certificate(puzzlec.parse(board + other), tmp_path / "made", solutions=[solution])
    with pytest.raises(ValueError, match="no solutions"):
        puzzlec.write_certificate(puzzlec.parse(board + other), tmp_path / "made", solutions=[])
    assert not list(tmp_path.iterdir())


def test_links_and_the_mode_of_a_file_are_kept(tmp_path: Path) -> None:
    link, file = tmp_path / "link", tmp_path / "file"
    file.write_text("mine")
    file.chmod(0o600)
    link.symlink_to(file)
    puzzlec.write_certificate(puzzlec.parse(TWO), link)
    assert link.is_symlink()
    assert file.stat().st_mode & 0o777 == 0o600
    assert puzzlec.check_certificate(file).claims["raw"] == 1
    for wrong in (tmp_path, tmp_path / "nowhere" / "made"):
        with pytest.raises(OSError, match=wrong.name):
            puzzlec.write_certificate(puzzlec.parse(TWO), wrong)
