"""npz: scipy reads the matrix, and puzzlec reads its origin."""

from __future__ import annotations

import io
import json
import zipfile
from itertools import pairwise, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

import puzzlec
from puzzlec.diagnostics import Report, Source
from puzzlec.engine.problem import ExactCover
from puzzlec.formats.reading import read
from puzzlec.formats.writing import labelled, write, write_chunks
from puzzlec.ir import Fitting, Puzzle
from tests.levels import covers, fittings
from tests.strategies import puzzles

DPF = "5 3 2 1 3 2 0 2 3 1 4 2 0 3 2 1 2 3 2 0 4 2 1 3 3 0 1 2"

#: Its solutions: piece and locations of each placement.
SOLUTIONS = [["0 3", "1 4", "2 0 1 2"], ["0 3", "1 1 2", "2 0 4"], ["0 0 2", "1 4", "2 1 3"]]


def written(what: Any) -> bytes:
    return b"".join(chunk for chunk in write_chunks(what, "npz") if isinstance(chunk, bytes))


def again(content: bytes) -> Puzzle | Fitting | ExactCover:
    found = read(Source("x.npz", "", content), None, Report())
    assert written(found) == content
    return found


@settings(max_examples=50)
@given(puzzles(wrapped=True))
def test_a_puzzle_is_read_again_as_it_was(puzzle: Puzzle) -> None:
    assert again(written(puzzle)) == puzzle


@given(fittings())
def test_a_fitting_is_read_again_as_it_was_with_its_names(fitting: Fitting) -> None:
    labelled(fitting).cover.verify()
    found = again(written(fitting))
    assert isinstance(found, Fitting)
    assert found == fitting
    assert [piece.name for piece in found.pieces] == [piece.name for piece in fitting.pieces]
    assert (found.names, found.title) == (fitting.names, fitting.title)


@given(covers())
def test_an_exact_cover_is_read_again_as_it_was_with_its_names(cover: ExactCover) -> None:
    found = again(written(cover))
    assert isinstance(found, ExactCover)
    assert found == cover
    assert (found.item_names, found.option_names) == (cover.item_names, cover.option_names)


def test_the_colours_of_an_exact_cover_keep_their_names() -> None:
    text = "A | X\nA X:0\nA X:red\n"
    cover = puzzlec.parse(text, format="dlx")
    assert isinstance(cover, ExactCover)
    found = again(written(cover))
    assert isinstance(found, ExactCover)
    assert found.colour_names == cover.colour_names
    assert [found.colour_name(max(colours.values())) for colours in map(dict, map(found.entries, (0, 1)))] == [
        "0",
        "red",
    ]
    assert write(found, "dlx") == text


@given(covers())
def test_scipy_reads_the_matrix_of_an_exact_cover(cover: ExactCover) -> None:
    sparse = pytest.importorskip("scipy.sparse")
    matrix = sparse.load_npz(io.BytesIO(written(cover))).toarray()
    assert matrix.shape == (len(cover), cover.primary + cover.secondary)
    for option in range(len(cover)):
        assert set(np.flatnonzero(matrix[option])) == set(cover.row(option))
        assert set(matrix[option]) <= {0, 1}


@pytest.mark.parametrize("format", ["csr", "csc", "coo"])
def test_a_matrix_of_scipy_is_read_as_an_exact_cover(format: str) -> None:
    sparse = pytest.importorskip("scipy.sparse")
    matrix = labelled(puzzlec.load("soma")).cover.as_matrix()
    for kind in (np.uint8, np.float64, np.bool_):
        stream = io.BytesIO()
        sparse.save_npz(stream, sparse.csr_matrix(matrix.astype(kind)).asformat(format))
        cover = read(Source("x.npz", "", stream.getvalue()), None, Report())
        assert isinstance(cover, ExactCover)
        assert (cover.as_matrix() == matrix).all()
    assert puzzlec.count(cover, symmetry="none") == 11520


def test_zeros_among_the_entries_of_a_matrix_are_left_out() -> None:
    sparse = pytest.importorskip("scipy.sparse")
    matrix = sparse.csr_matrix((np.array([1, 0, 1]), np.array([0, 1, 1]), np.array([0, 2, 3])), shape=(2, 2))
    stream = io.BytesIO()
    sparse.save_npz(stream, matrix)
    cover = read(Source("x.npz", "", stream.getvalue()), None, Report())
    assert cover == ExactCover.from_rows([[0], [1]], 2)


def test_numpy_alone_counts_the_solutions_from_the_arrays() -> None:
    """Sticks of 1 to 5 cut from sticks of 4, 5 and 6 have 3 solutions (docs/formats/faase.md)."""
    with np.load(io.BytesIO(written(puzzlec.parse(DPF, format="dpf"))), allow_pickle=False) as arrays:
        starts, items, piece = arrays["indptr"], arrays["indices"], arrays["piece"]
        low, high = arrays["low"], arrays["high"]
        names = json.loads(bytes(arrays["option_names"]))
    rows = [set(items[a:b]) for a, b in pairwise(starts)]
    own = [np.flatnonzero(piece == number) for number in range(3)]
    found = [
        chosen
        for chosen in product(*own)
        if sorted(item for option in chosen for item in rows[option]) == list(range(8))
    ]
    assert (low.tolist(), high.tolist()) == ([1] * 8, [1] * 8)
    assert [[names[option] for option in chosen] for chosen in found] == SOLUTIONS
    assert len(found) == 3


def test_each_level_of_soma_has_the_same_number_of_solutions() -> None:
    puzzle = puzzlec.load("soma")
    for level in (puzzle, puzzlec.compile(puzzle, level="fitting"), puzzlec.compile(puzzle)):
        assert puzzlec.count(again(written(level)), symmetry="none") == 11520


def test_the_bytes_depend_on_the_problem_only() -> None:
    content = written(puzzlec.load("soma"))
    assert content == written(puzzlec.load("soma"))
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert {info.date_time for info in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert {info.create_system for info in archive.infolist()} == {3}
        assert archive.testzip() is None


def test_tiles_keep_their_sides_and_colours() -> None:
    puzzle = puzzlec.parse("colours r b\nlocations box 2x1\npiece A sides r r b b\npiece B sides b b r r\n")
    fitting = puzzlec.compile(puzzle, level="fitting")
    assert any(piece.sides for piece in fitting.pieces)
    assert again(written(fitting)) == fitting
    with np.load(io.BytesIO(written(puzzle))) as arrays:
        assert set(arrays["colours"].tolist()) == {0, 1, 2}
