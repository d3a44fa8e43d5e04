"""Pieces from another file: what is taken, and mistakes with files."""

from __future__ import annotations

from pathlib import Path

import pytest

import puzzlec
from puzzlec.diagnostics import Diagnostic, PuzzleError
from puzzlec.ir import Puzzle
from puzzlec.language.elaborate.uses import MAX_FILES

LETTERS = 'puzzle "Letters"\nlocations box 5x3\ncolours r b\npiece L x2 { xxx/x.. }\npiece V one-sided { rx/b. }\n'


def written(folder: Path, **files: str) -> None:
    """Write files, each with its text."""
    for name, text in files.items():
        (folder / f"{name}.puzzle").write_text(text, encoding="utf-8")


def loaded(folder: Path, **files: str) -> Puzzle:
    """Return the puzzle in the first of these files."""
    written(folder, **files)
    puzzle = puzzlec.load(folder / f"{next(iter(files))}.puzzle")
    assert isinstance(puzzle, Puzzle)
    return puzzle


def errors(folder: Path, **files: str) -> tuple[Diagnostic, ...]:
    """Return the errors of the first of these files."""
    with pytest.raises(PuzzleError) as error:
        loaded(folder, **files)
    return tuple(error.value.diagnostics)


def test_the_pieces_of_a_file_are_those_of_its_text(tmp_path: Path) -> None:
    board = "locations box 5x3\n"
    used = loaded(tmp_path, main=f'{board}use "set.puzzle"\npiece M x4 {{ x }}\n', set=LETTERS)
    direct = puzzlec.parse(LETTERS + "piece M x4 { x }\n")
    assert isinstance(direct, Puzzle)
    assert used.pieces == direct.pieces
    assert used.colours.names == direct.colours.names
    assert used.title == "main"
    assert {piece.span.text for piece in used.pieces[:2] if piece.span} == {'"set.puzzle"'}


def test_a_file_that_is_used_needs_no_board_and_may_use_others_beside_it(tmp_path: Path) -> None:
    (tmp_path / "sets").mkdir()
    written(tmp_path / "sets", more='use "one.puzzle"\npiece B { xx }\n', one="piece A { x }\n")
    puzzle = loaded(tmp_path, main='locations box 3x1\nuse "sets/more.puzzle"\n')
    assert [piece.name for piece in puzzle.pieces] == ["A", "B"]
    assert puzzlec.count(puzzle) == 1


@pytest.mark.parametrize("format", ["puzzle", "json"])
def test_other_formats_contain_the_pieces(tmp_path: Path, format: str) -> None:
    puzzle = loaded(tmp_path, main='locations box 5x3\nuse "set.puzzle"\npiece M x4 { x }\n', set=LETTERS)
    text = puzzlec.convert(puzzle, to=format)
    assert "set.puzzle" not in text
    again = puzzlec.parse(text, format=format)
    assert isinstance(again, Puzzle)
    assert [(piece.name, piece.low, len(piece.cells)) for piece in again.pieces] == [
        ("L", 2, 4),
        ("V", 1, 3),
        ("M", 4, 1),
    ]


def test_the_formatter_keeps_the_statement() -> None:
    assert puzzlec.fmt('locations box 1x1\nuse   "a b.puzzle"\n') == 'locations box 1x1\nuse "a b.puzzle"\n'


def test_a_missing_file_and_another_kind_of_file_are_errors_at_the_name(tmp_path: Path) -> None:
    missing, other, bare = errors(
        tmp_path, main='locations box 1x1\nuse "no.puzzle"\nuse "set.txt"\nuse "set"\nplace A on box 1x1\n'
    )
    assert (missing.code, missing.span and missing.span.text) == ("PZ001", '"no.puzzle"')
    assert other.message == "cannot use `set.txt`: expected a .puzzle file"
    assert bare.helps == ('write `use "set.puzzle"`',)


@pytest.mark.parametrize("way", [("main",), ("main", "b"), ("main", "b", "c")])
def test_a_file_that_uses_itself_is_an_error(tmp_path: Path, way: tuple[str, ...]) -> None:
    following = (*way[1:], way[0])
    files = {name: f'locations box 1x1\nuse "{other}.puzzle"\n' for name, other in zip(way, following, strict=True)}
    (error,) = errors(tmp_path, **files)
    assert (error.code, error.span and error.span.source.name) == ("PZ374", str(tmp_path / "main.puzzle"))
    if len(way) == 1:
        assert error.message == "`main.puzzle` uses itself"
        assert error.helps == ('remove `use "main.puzzle"`',)
    else:
        assert error.message == f"cannot use `{way[1]}.puzzle`: 1 error"


def test_errors_of_a_file_are_notes_at_its_use(tmp_path: Path) -> None:
    (error,) = errors(
        tmp_path, main='locations box 1x1\nuse "bad.puzzle"\nplace Z on box 1x1\n', bad="\npiece A = pentominoes.Q\n"
    )
    assert error.message == "cannot use `bad.puzzle`: 1 error"
    assert error.notes[0].startswith("bad.puzzle:2:23: ")


def test_a_file_of_another_lattice_is_an_error(tmp_path: Path) -> None:
    (error,) = errors(tmp_path, main='lattice cubic\nlocations box 1x1x1\nuse "set.puzzle"\n', set=LETTERS)
    assert (error.code, error.helps) == ("PZ318", ("write `lattice square` instead of `lattice cubic`",))


def test_a_name_that_is_used_twice_is_an_error_that_shows_both(tmp_path: Path) -> None:
    (error,) = errors(tmp_path, main='locations box 5x3\nuse "set.puzzle"\npiece L { xx }\n', set=LETTERS)
    assert (error.code, error.span and error.span.text) == ("PZ301", "L")
    assert error.others[0].span.text == '"set.puzzle"'


def test_files_that_use_each_other_many_times_end_with_an_error(tmp_path: Path) -> None:
    levels = range(12)
    files = {f"{side}{n}": f'use "a{n + 1}.puzzle"\nuse "b{n + 1}.puzzle"\n' for n in levels for side in "ab"}
    (error,) = errors(tmp_path, main='locations box 1x1\nuse "a0.puzzle"\n', **files, a12="# none\n", b12="# none\n")
    assert error.code == "PZ374"
    assert 2 ** len(levels) > MAX_FILES
