"""Broken archives of numpy arrays: each is refused with its code, and the array is named."""

from __future__ import annotations

import io
import json
import pickle
import struct
import tracemalloc
import zipfile
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import puzzlec
from puzzlec.diagnostics import PuzzleError, Report, Source
from puzzlec.formats.npz import reading as npz_arrays
from puzzlec.formats.reading import read
from puzzlec.formats.writing import write_chunks
from tests.broken import refused

Members = dict[str, bytes]
DPF = "5 3 2 1 3 2 0 2 3 1 4 2 0 3 2 1 2 3 2 0 4 2 1 3 3 0 1 2"
TILES = "colours r b\nlocations box 2x1\npiece A sides r r b b\npiece B sides b b r r\n"


def written(what: Any) -> bytes:
    return b"".join(chunk for chunk in write_chunks(what, "npz") if isinstance(chunk, bytes))


def members(content: bytes) -> Members:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {info.filename.removesuffix(".npy"): archive.read(info) for info in archive.infolist()}


def packed(found: Members, ending: str = ".npy") -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, content in found.items():
            archive.writestr(name + ending, content)
    return stream.getvalue()


def npy(value: Any) -> bytes:
    stream = io.BytesIO()
    np.lib.format.write_array(stream, np.asarray(value), allow_pickle=True)
    return stream.getvalue()


def text(content: str) -> bytes:
    return npy(np.frombuffer(content.encode(), np.uint8))


COVER = members(written(puzzlec.ExactCover.from_names(["p", "q"], {"a": ["p", "x:red"], "b": ["q", "x:red"]}, ["x"])))
FITTING = members(written(puzzlec.parse(DPF, format="dpf")))
PUZZLE = members(written(puzzlec.parse(TILES)))


def having(base: Members, **others: Any) -> bytes:
    """Return an archive with some arrays replaced; None leaves an array out."""
    changed = {
        name: content if isinstance(content, bytes) else npy(content)
        for name, content in others.items()
        if content is not None
    }
    return packed({name: content for name, content in (base | changed).items() if others.get(name, 0) is not None})


def head(base: Members, **others: Any) -> str:
    """Return the text of the fitting in an archive, with other values for some keys."""
    return json.dumps(json.loads(np.lib.format.read_array(io.BytesIO(base["fitting"])).tobytes()) | others)


BROKEN: dict[str, tuple[Callable[[], bytes], str, str]] = {
    "cut short": (lambda: packed(COVER)[:300], "PZ277", "cannot read this archive"),
    "no member": (lambda: packed({}), "PZ277 PZ278 PZ002", ""),
    "no array": (lambda: packed(COVER, ".txt"), "PZ277", "unexpected member `format.txt`"),
    "many members": (lambda: packed({str(k): b"" for k in range(101)}), "PZ277", "too many members (limit 100)"),
    "damaged": (lambda: packed(COVER).replace(COVER["indices"], b"\x07" * len(COVER["indices"])), "PZ278", "`indices`"),
    "no format": (lambda: having(COVER, format=None), "PZ278", "`format` is missing"),
    "format of diagonals": (lambda: having(COVER, format=np.array(b"dia")), "PZ278", "matrix.tocsr()"),
    "format as a number": (lambda: having(COVER, format=3), "PZ278", "`format`"),
    "no shape": (lambda: having(COVER, shape=None), "PZ278", "`shape`"),
    "shape of three": (lambda: having(COVER, shape=[2, 3, 4]), "PZ278", "`shape` must have 2 numbers, found 3"),
    "shape below zero": (lambda: having(COVER, shape=[-2, 3]), "PZ278", "-2 rows"),
    "shape too large": (lambda: having(COVER, shape=[2, 2**40]), "PZ278", "columns"),
    "shape of fewer columns": (lambda: having(COVER, shape=[2, 2]), "PZ278", "`indices` has 2 at 1"),
    "shape of more rows": (lambda: having(COVER, shape=[3, 3]), "PZ278", "`indptr` must have 4 numbers, found 3"),
    "a row without entries": (
        lambda: having(
            COVER, format=np.array(b"coo"), shape=[2**27, 3], row=[0, 0, 1, 1], col=[0, 2, 1, 2], colours=None
        ),
        "PZ279",
        "134217728 options have 4 entries",
    ),
    "many columns and nothing in them": (lambda: having(COVER, shape=[2, 2**27]), "PZ278", "columns"),
    "no indices": (lambda: having(COVER, indices=None), "PZ278", "`indices` is missing"),
    "indices below zero": (lambda: having(COVER, indices=[0, -1, 1, 2]), "PZ278", "`indices` has -1 at 1"),
    "indices as decimals": (lambda: having(COVER, indices=[0.0, 2, 1, 2]), "PZ278", "`float64`"),
    "indices in a square": (lambda: having(COVER, indices=[[0, 2], [1, 2]]), "PZ278", "one dimension, found 2"),
    "indices too large": (lambda: having(COVER, indices=np.full(4, 2**64 - 1, np.uint64)), "PZ278", "too large"),
    "indptr that falls": (lambda: having(COVER, indptr=[0, 5, 4]), "PZ278", "`indptr` decreases after 1"),
    "indptr that ends early": (lambda: having(COVER, indptr=[0, 2, 3]), "PZ278", "0 to 3"),
    "a value of 2": (lambda: having(COVER, data=[1, 1, 2, 1]), "PZ278", "`data` has 2 at 2"),
    "a value that is none": (lambda: having(COVER, data=[1, 1, np.nan, 1]), "PZ278", "`data`"),
    "too few values": (lambda: having(COVER, data=[1, 1]), "PZ278", "`data`"),
    "values as texts": (lambda: having(COVER, data=["1"] * 4), "PZ278", "`data` must contain numbers, found type"),
    "a pickle": (lambda: having(COVER, data=np.array([print], object)), "PZ278", "never read"),
    "no head": (lambda: having(COVER, data=pickle.dumps([1])), "PZ278", "head"),
    "a head that asks for much": (
        lambda: having(COVER, data=COVER["data"].replace(b"(4,), }           ", b"(4000000000,), }  ")),
        "PZ278",
        "its head",
    ),
    "a head that is code": (
        lambda: having(COVER, data=COVER["data"].replace(b"{'descr'", b"[print()")),
        "PZ278",
        "head",
    ),
    "an item twice": (lambda: having(COVER, indices=[0, 2, 1, 1], colours=None), "PZ279", "twice"),
    "more primary items": (lambda: having(COVER, primary=4), "PZ278", "`primary` is 4"),
    "primary as a list": (lambda: having(COVER, primary=[1, 2]), "PZ278", "a single integer"),
    "bounds that run backwards": (
        lambda: having(COVER, low=[2, 1]),
        "PZ279",
        "the bounds of item 0 run backwards: 2 to 1",
    ),
    "bounds below zero": (lambda: having(COVER, low=[-1, 1]), "PZ278", "`low`"),
    "too few bounds": (lambda: having(COVER, high=[1]), "PZ278", "`high` must have 2 numbers, found 1"),
    "one name of two colours": (
        lambda: having(COVER, colour_names=text('["r"]'), colours=[0, 1, 0, 2]),
        "PZ278",
        "has 1 name, but there is a colour 2",
    ),
    "a number as a colour's name": (lambda: having(COVER, colour_names=text("[1]")), "PZ278", "`colour_names`"),
    "a title of two lines": (lambda: having(COVER, title=text("a\nb")), "PZ278", "`title`"),
    "a title that is a number": (lambda: having(COVER, title=np.array(1)), "PZ278", "`title`"),
    "low alone": (lambda: having(COVER, high=None), "PZ278", "`high` is missing"),
    "a colour below zero": (lambda: having(COVER, colours=[0, -1, 0, 1]), "PZ278", "`colours`"),
    "a primary item with a colour": (lambda: having(COVER, colours=[1, 1, 0, 1]), "PZ279", "colour"),
    "colours of a matrix by columns": (
        lambda: having(COVER, format=np.array(b"csc"), indptr=[0, 1, 2, 4], indices=[0, 1, 0, 1]),
        "PZ279",
        "`csr`",
    ),
    "names that are none": (lambda: having(COVER, item_names=text("[1, 2, 3]")), "PZ278", "`item_names`"),
    "names that are no JSON": (lambda: having(COVER, option_names=text("[")), "PZ278", "`option_names`"),
    "too few names": (lambda: having(COVER, item_names=text('["p", "q"]')), "PZ278", "must have 3 names, found 2"),
    "names not in UTF-8": (lambda: having(COVER, item_names=np.frombuffer(b"\xff", np.uint8)), "PZ278", "UTF-8"),
    "names as an array": (lambda: having(COVER, item_names=np.array(["p", "q", "x"])), "PZ278", "`item_names`"),
    "half a character in a name": (lambda: having(COVER, item_names=text('["p", "q", "\\ud800"]')), "PZ278", ""),
    "a puzzle that is none": (
        lambda: having(PUZZLE, puzzle=text('{"puzzlec": 1,\n "level": 3}')),
        "PZ275",
        "line 2, column 11",
    ),
    "a puzzle of another level": (
        lambda: having(PUZZLE, puzzle=text('{"puzzlec": 1, "level": "cover", "items": 0, "options": []}')),
        "PZ278",
        "another",
    ),
    "a fitting without pieces": (lambda: having(FITTING, fitting=text('{"locations": 5}')), "PZ274", "`pieces`"),
    "a fitting with placements": (
        lambda: having(FITTING, fitting=text('{"locations": 5, "pieces": [{"placements": []}]}')),
        "PZ273",
        "`placements`",
    ),
    "a piece that is not there": (
        lambda: having(FITTING, piece=[0, 0, 1, 1, 1, 2, 2, 3]),
        "PZ278",
        "`piece` has 3 at 7",
    ),
    "too few pieces": (lambda: having(FITTING, piece=[0]), "PZ278", "`piece`"),
    "a location twice": (lambda: having(FITTING, location=[-1, -1, -1, 0, 1, 2, 3, 3]), "PZ279", "`location`"),
    "a location out of range": (lambda: having(FITTING, location=[-1, -1, -1, 0, 1, 2, 3, 5]), "PZ278", "`location`"),
    "sides for other options": (
        lambda: having(FITTING, fitting=text(head(FITTING, neighbours=[[]] * 5, pieces=[{"sides": [["r"]]}] * 3))),
        "PZ279",
        "1 lists of sides for 2 options",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_archive_is_refused_and_the_array_named(name: str) -> None:
    content, codes, words = BROKEN[name]
    broken = content()
    assert set(refused(broken, "npz")) <= set(codes.split())
    with pytest.raises(PuzzleError) as raised:
        read(Source("x.npz", "", broken), "npz", Report())
    assert words in "\n".join(f"{diagnostic} {diagnostic.notes}" for diagnostic in raised.value.diagnostics)


def test_many_broken_archives_are_tested_and_a_text_is_not_an_archive() -> None:
    assert len(BROKEN) >= 40
    assert refused("this is a text", "npz") == ["PZ277"]


def test_the_place_of_an_array_in_the_file_is_reported() -> None:
    broken = having(COVER, data=[1, 1, 2, 1])
    with zipfile.ZipFile(io.BytesIO(broken)) as archive:
        at = archive.getinfo("data.npy").header_offset
    with pytest.raises(PuzzleError) as raised:
        read(Source("x.npz", "", broken), "npz", Report())
    assert f"the array `data` begins at byte {at} of the file" in raised.value.diagnostics[0].notes


def test_an_archive_that_would_fill_the_memory_is_refused_before_decompression(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(npz_arrays, "LARGEST", 2**26)
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("data.npy", "w") as member:
        for _ in range(9):
            member.write(bytes(2**23))
    bomb = stream.getvalue()
    assert len(bomb) < npz_arrays.LARGEST // 500
    tracemalloc.start()
    assert refused(bomb, "npz") == ["PZ277"]
    assert tracemalloc.get_traced_memory()[1] < 20 * 2**20
    tracemalloc.stop()


def test_an_archive_with_a_false_size_of_an_array_is_refused() -> None:
    content = having(COVER)
    size = struct.pack("<I", len(COVER["indices"]))
    assert refused(content.replace(size, struct.pack("<I", 5)), "npz") in (["PZ277"], ["PZ278"])


@settings(max_examples=300)
@given(st.data())
def test_an_archive_with_other_bytes_is_read_or_refused(data: st.DataObject) -> None:
    content = bytearray(having(data.draw(st.sampled_from([COVER, FITTING, PUZZLE]))))
    for _ in range(data.draw(st.integers(1, 3))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    try:
        read(Source("x.npz", "", bytes(content)), "npz", Report())
    except PuzzleError as error:
        assert all(diagnostic.file for diagnostic in error.diagnostics)


@settings(max_examples=300)
@given(st.data())
def test_an_archive_with_a_changed_array_is_read_or_refused(data: st.DataObject) -> None:
    base = data.draw(st.sampled_from([COVER, FITTING, PUZZLE]))
    name = data.draw(st.sampled_from(sorted(base)))
    numbers = st.lists(st.integers(-2, 9) | st.sampled_from([2**31, -(2**63), 2**62]), max_size=9)
    other = data.draw(numbers.map(lambda number: np.array(number, np.int64)) | st.integers(-2, 9).map(np.int64))
    try:
        read(Source("x.npz", "", having(base, **{name: other})), "npz", Report())
    except PuzzleError as error:
        assert all(diagnostic.file for diagnostic in error.diagnostics)
