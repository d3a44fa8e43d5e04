"""Blocks: reading returns the stored covers, and nothing else."""

from __future__ import annotations

import struct
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzlec.compiler import compile
from puzzlec.engine import Search
from puzzlec.jobs.blocks import MAX_BLOCK_COVERS, count, pack, unpack, unpack_array

OPTION = st.one_of(st.integers(0, 300), st.integers(0, 70_000), st.integers(0, 2**31 - 2))
RAGGED = st.lists(st.sets(OPTION, max_size=8).map(lambda options: tuple(sorted(options))), max_size=30)
EVEN = st.integers(0, 6).flatmap(
    lambda width: st.lists(
        st.sets(OPTION, min_size=width, max_size=width).map(lambda options: tuple(sorted(options))), max_size=30
    )
)


@given(st.one_of(RAGGED, EVEN))
def test_covers_of_any_lengths_are_read_unchanged(covers: list[tuple[int, ...]]) -> None:
    data = pack(covers)
    assert unpack(data) == covers
    assert count(data) == len(covers)
    table = unpack_array(data)
    if len(set(map(len, covers))) > 1:
        assert table is None
    else:
        assert table is not None
        assert table.dtype == np.int32
        assert list(map(tuple, table.tolist())) == covers
        assert pack(table) == data


def test_a_block_of_no_covers_is_empty() -> None:
    assert unpack(b"") == []
    assert count(b"") == 0
    assert unpack(pack([])) == []
    table = unpack_array(b"")
    assert table is not None
    assert table.shape == (0, 0)


def test_a_cover_without_options_is_a_cover() -> None:
    assert unpack(pack([()])) == [()]
    assert unpack(pack([(), (5,), ()])) == [(), (5,), ()]


@pytest.mark.parametrize(
    "covers",
    [
        [(2, 1)],
        [(1, 1)],
        [(-1, 2)],
        [(-1,), (1, 2)],
        [(3, 2), (1,)],
        [(2**31 - 1,), (1, 2)],
        [(0, 2**40), (1,)],
        [(2**31 - 1,)],
        [(0, 2**31)],
    ],
)
def test_a_list_that_is_not_a_cover_is_not_stored(covers: list[tuple[int, ...]]) -> None:
    with pytest.raises(ValueError, match="option"):
        pack(covers)


def test_too_many_covers_are_not_stored() -> None:
    with pytest.raises(ValueError, match="at most"):
        pack(np.zeros((MAX_BLOCK_COVERS + 1, 1), dtype=np.int32))
    with pytest.raises(ValueError, match="row for each"):
        pack(np.zeros(3, dtype=np.int32))


@given(st.one_of(RAGGED, EVEN), st.data())
def test_a_damaged_block_is_an_error_or_valid_covers(covers: list[tuple[int, ...]], data: st.DataObject) -> None:
    block = bytearray(pack(covers))
    place = data.draw(st.integers(0, len(block) - 1))
    block[place] ^= data.draw(st.integers(1, 255))
    if data.draw(st.booleans()):
        del block[place:]
    try:
        found = unpack(bytes(block))
    except ValueError:
        return
    assert all(list(cover) == sorted(set(cover)) for cover in found)


@given(st.binary(max_size=60))
def test_any_bytes_are_an_error_or_valid_covers(data: bytes) -> None:
    try:
        found = unpack(data)
    except ValueError:
        return
    assert len(found) == count(data)


@pytest.mark.parametrize(
    ("number", "width"),
    [
        (MAX_BLOCK_COVERS, 1 << 31),
        (MAX_BLOCK_COVERS, 1000),
        (MAX_BLOCK_COVERS + 1, 0),
        (1 << 31, 1),
        (1, 1 << 31),
        (5, 5),
    ],
)
def test_a_header_that_promises_too_much_costs_nothing(number: int, width: int) -> None:
    with pytest.raises(ValueError, match="a block"):
        unpack(struct.pack("<BBII", 1, 4, number, width) + zlib.compress(b"abc"))


def test_a_text_that_inflates_to_more_than_its_header_states_is_refused() -> None:
    with pytest.raises(ValueError, match="size"):
        unpack_array(struct.pack("<BBII", 1, 1, 2, 2) + zlib.compress(bytes(10**7)))


def test_solutions_of_the_soma_cube_take_less_than_four_bytes_each() -> None:
    encoding = compile("soma")
    covers = list(Search(encoding.cover))
    data = pack(covers)
    assert unpack(data) == covers
    assert len(covers) == 11520
    assert len(data) < 4 * len(covers)
