"""Fixed pieces, including one of several copies, and puzzles with more placements than are listed."""

from __future__ import annotations

import pytest

import puzzlec
from puzzlec.diagnostics import PuzzleError
from puzzlec.ir import Puzzle
from puzzlec.lower import place, placing


def _puzzle(text: str) -> Puzzle:
    puzzle = puzzlec.parse(text)
    assert isinstance(puzzle, Puzzle)
    return puzzle


def test_no_other_piece_covers_the_locations_of_a_fixed_copy() -> None:
    pieces = "piece A x0..2 { x }\npiece B x0..2 { x }\npiece D x0..1 { xx }\n"
    fitting = place(_puzzle("optional locations box 3x1\n" + pieces + "fix A at cells (1,0)"))
    assert [list(piece.placements) for piece in fitting.pieces] == [[(0,), (1,), (2,)], [(0,), (2,)], []]
    assert [(piece.low, piece.high) for piece in fitting.pieces] == [(1, 2), (0, 2), (0, 1)]
    assert fitting.optional == {0, 2}


def test_the_search_keeps_other_pieces_from_a_single_fixed_piece() -> None:
    fitting = place(_puzzle("optional locations box 3x1\npiece A { x }\npiece B x0..1 { x }\nfix B at cells (1,0)"))
    assert [list(piece.placements) for piece in fitting.pieces] == [[(0,), (1,), (2,)], [(1,)]]
    assert [(piece.low, piece.high) for piece in fitting.pieces] == [(1, 1), (1, 1)]
    assert fitting.optional == {0, 1, 2}


def test_a_copy_fixed_in_one_orientation_leaves_the_others_to_other_copies() -> None:
    text = "colours a b\nlocations box 2x1\npiece T x2 one-sided sides a b b b\nfix T {}at cells (0,0)"
    sides = ["b a b b", "b b a b", "b b b a"]
    for way, there in [("sides b a b b ", ["b a b b"]), ("", ["a b b b", *sides])]:
        piece = place(_puzzle(text.format(way))).pieces[0]
        lies = [(at, " ".join(shown)) for (at,), shown in zip(piece.placements, piece.sides, strict=True)]
        assert sorted(shown for at, shown in lies if at == 0) == there
        assert sorted(shown for at, shown in lies if at == 1) == ["a b b b", *sides]


@pytest.mark.parametrize(
    ("text", "message", "note"),
    [
        ("piece D { xx }\nfix D at cells (0,0) (2,0)", "", "it has 2 placements, none on exactly these 2 locations"),
        ("piece D { xx }\nfix D at cells (1,0)", "", "the piece covers 2 locations, found 1"),
        ("piece D { xxx }\nfix D at cells (1,0)", "", "the piece covers 3 locations, found 1"),
        (
            "piece D fixed sides a a b b\nfix D sides a b b b at cells (1,0)",
            " in this orientation",
            "it has 3 placements, none on exactly this 1 location",
        ),
    ],
)
def test_a_piece_fixed_to_an_impossible_placement_keeps_its_possible_placements(
    text: str, message: str, note: str
) -> None:
    with pytest.raises(PuzzleError) as caught:
        place(_puzzle("colours a b\nlocations box 3x1\n" + text))
    (found,) = caught.value.diagnostics
    assert found.message == f"piece `D` cannot be fixed here{message}"
    assert found.notes == (note,)


@pytest.mark.parametrize(
    ("limit", "most", "line", "message", "note"),
    [
        ("MAX_PLACEMENTS", 17, 3, "too many placements: pieces up to `B` have up to 18", "17 of them at most"),
        ("MAX_PLACEMENTS", 80, 10, "too many placements: pieces up to `D` have up to 90", "80 of them at most"),
        (
            "MOST_ENTRIES",
            107,
            10,
            "too many placements: pieces up to `D` have up to 90, which cover up to 108 locations in all",
            "107 locations in all of them at most",
        ),
    ],
)
def test_more_placements_than_a_limit_are_refused_with_their_number(
    limit: str, most: int, line: int, message: str, note: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "locations box 3x3\n" + "".join(f"piece {name} {{ x }}\n" for name in "ABCEFGHI") + "piece D x* { xx }"
    puzzle = _puzzle(text)
    monkeypatch.setattr(placing, "MAX_PLACEMENTS", 90)  # exactly their number
    monkeypatch.setattr(placing, limit, most)
    with pytest.raises(PuzzleError) as caught:
        place(puzzle)
    (found,) = caught.value.diagnostics
    assert (found.code, found.message) == ("PZ325", message)
    assert found.notes == (f"puzzlec lists all placements, {note}",)
    assert found.span is not None
    assert found.span.source.position(found.span.start)[0] == line
    monkeypatch.setattr(placing, limit, {"MAX_PLACEMENTS": 90, "MOST_ENTRIES": 108}[limit])
    place(puzzle)
