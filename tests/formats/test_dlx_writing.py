from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import puzzlec
from puzzlec.diagnostics import Report, Source
from puzzlec.engine import Search, count
from puzzlec.engine.problem import ExactCover
from puzzlec.formats.dlx import OPTIONS_IN_CHUNK, write_dlx
from puzzlec.formats.reading import read
from puzzlec.formats.writing import write
from puzzlec.ir import ANY
from puzzlec.lower.labels import Labelled
from tests.covers import brute_covers, covers


def again(text: str) -> ExactCover:
    found = read(Source("again.dlx", text), "dlx", Report())
    assert isinstance(found, ExactCover)
    return found


@given(covers())
def test_a_cover_that_is_written_and_read_is_the_same_except_for_unlimited_numbers(cover: ExactCover) -> None:
    text = write(cover, "dlx")
    found = again(text)
    assert write(found, "dlx") == text
    assert found.starts == cover.starts
    assert found.items == cover.items
    assert found.colours == cover.colours
    assert found.low == cover.low
    for item, (mine, theirs) in enumerate(zip(found.high, cover.high, strict=True)):
        assert mine == (theirs if theirs < ANY else max(1, cover.low[item], list(cover.items).count(item)))


@given(covers())
def test_a_cover_that_is_written_and_read_has_the_same_covers_and_search_tree(cover: ExactCover) -> None:
    found = again(write(cover, "dlx"))
    assert set(Search(found)) == brute_covers(cover)
    if ANY not in cover.high:
        one, two = Search(cover), Search(found)
        assert list(one) == list(two)
        assert one.profile == two.profile


@given(st.lists(st.integers(0, 5), max_size=4), st.integers(0, 3))
def test_items_that_are_never_covered_are_expressed_by_a_forced_option(uses: list[int], low: int) -> None:
    rows = [[use % 3, 3 + use % 2] for use in uses]
    cover = ExactCover.from_rows(rows, 5, bounds=[(0, 0), (0, 1), (0, 3), (0, ANY), (0, max(low, 1))])
    text = write(cover, "dlx")
    assert "0|" not in text.replace("10|", "")
    found = again(text)
    forced = len(cover)
    assert set(Search(found)) == {(*chosen, forced) for chosen in brute_covers(cover)}
    assert write(found, "dlx") == text


def test_a_cover_without_primary_items_has_one_solution_when_it_is_written_and_read() -> None:
    for cover in (ExactCover.from_rows([], 0), ExactCover.from_rows([], 0, 2, item_names=["none", "x"])):
        found = again(write(cover, "dlx"))
        assert count(found) == count(cover) == 1


def test_names_lose_signs_with_a_meaning_and_stay_different() -> None:
    cover = ExactCover.from_names(["a b", "a|b", "a:b"], [["a b", "a|b"], ["a:b"]])
    assert write(cover, "dlx") == "a_b a_b' a_b''\na_b a_b'\na_b''\n"


def test_names_of_options_are_kept_in_remarks() -> None:
    cover = ExactCover.from_sets({"Q": "a", "R s": "ab", "": "b"})
    text = write(cover, "dlx")
    assert text == "a b\n| option: Q\na\n| option: R s\na b\n| option: 2\nb\n"
    assert again(text).option_names == ("Q", "R s", "2")
    assert write(again(text), "dlx") == text


def test_colours_are_single_characters_as_knuths_programs_expect() -> None:
    cover = ExactCover.from_rows([[0, (1, colour)] for colour in range(1, 95)], 1, 1)
    words = [line.split(":")[1] for line in write(cover, "dlx").splitlines()[1:]]
    assert [len(word) for word in words] == [1] * 92 + [2, 2]
    assert words[:11] == list("123456789ab")


def test_colours_beyond_all_words_get_free_ones() -> None:
    cover = ExactCover.from_rows([[0, (1, 2)], [0, (1, 2**31 - 1)], [0, (1, 2_000_000)]], 1, 1)
    text = write(cover, "dlx")
    assert text == "0 | 1\n0 1:2\n0 1:3\n0 1:1\n"
    assert write(again(text), "dlx") == text


def test_the_text_comes_in_chunks_of_complete_lines() -> None:
    cover = ExactCover.from_rows([[option % 7, 7 + option % 3] for option in range(3 * OPTIONS_IN_CHUNK + 5)], 10)
    chunks = list(write_dlx(Labelled(cover)))
    assert len(chunks) == 5
    assert all(chunk.endswith("\n") for chunk in chunks)
    assert again("".join(chunks)) == cover


@pytest.mark.parametrize(("name", "number"), [("soma", 11520), ("8x8-hole", 520), ("queens/8", 92)])
def test_a_puzzle_of_the_catalogue_keeps_its_solutions(name: str, number: int) -> None:
    encoding = puzzlec.compile(puzzlec.load(name))
    text = write(encoding, "dlx")
    found = again(text)
    assert found == encoding.cover
    assert write(found, "dlx") == text
    assert count(found) == number
    assert all(re.fullmatch(r"\S{1,8}", name) for name in text.split("\n")[0].split())  # the input of DLX1
