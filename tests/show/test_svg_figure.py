"""Figures and letters: well-formed, deterministic, and inside the picture."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzlec.show.svg import lettering
from puzzlec.show.svg.figure import Figure

PRINTABLE = "".join(map(chr, range(33, 127)))
LATIN = "".join(chr(code) for code in range(0xC0, 0x100)) + "ŠšŽžČčŐőŁł"


@given(st.text(), st.text())
def test_the_picture_is_well_formed_with_any_names(title: str, text: str) -> None:
    figure = Figure()
    with figure.group(title):
        figure.text((3, 4), text)
    root = ElementTree.fromstring(figure.svg(title, text).encode())
    assert root.get("role") == "img"


@pytest.mark.parametrize("character", PRINTABLE + LATIN)
def test_every_printable_character_and_latin_letter_has_separate_strokes(character: str) -> None:
    data, foreign = lettering.written(character, 0, 0, 10)
    assert data.startswith("M")
    assert not foreign


def test_no_two_characters_look_alike() -> None:
    drawn = [lettering.written(character, 0, 0, 10)[0] for character in PRINTABLE + LATIN]
    assert len(set(drawn)) == len(drawn)


def test_a_letter_with_an_accent_is_higher_than_without_one_and_as_long() -> None:
    assert lettering.reach("É", 10)[0] > lettering.reach("E", 10)[0]
    assert lettering.length("É", 10) == lettering.length("E", 10)


def test_no_path_has_the_extent_of_a_single_point() -> None:
    """Some programs leave out such a path, and with it the pip of a 1."""
    figure = Figure()
    figure.circles([(3, 4)], 2)
    figure.circles([(3, 4), (3, 4)], 2)
    figure.lines([[(3, 4), (3.001, 4)]])
    figure.text((3, 4), ".")
    paths = re.findall(r' d="([^"]*)"', figure.svg())
    assert [path[-4:] for path in paths] == ["h.01"] * 4
    assert all(path.count("M") == 1 for path in paths)


def test_characters_without_strokes_become_text_between_the_letters() -> None:
    figure = Figure()
    figure.text((0, 0), "a日本b<&")
    svg = figure.svg()
    assert ">日本</text>" in svg
    assert svg.count("<text") == 1


def test_the_length_of_a_text_agrees_with_its_anchor() -> None:
    boxes = []
    for anchor in ("start", "middle", "end"):
        figure = Figure()
        figure.text((0, 0), "Wide", 20, anchor)
        boxes.append(figure.box)
    start, middle, end = boxes
    assert start.left == pytest.approx(-end.right)
    assert middle.left == pytest.approx(-middle.right)
    assert start.width == pytest.approx(end.width) == pytest.approx(middle.width)


def test_the_box_contains_strokes_and_parts_added_scaled_rotated_and_moved() -> None:
    inner = Figure()
    inner.region([[(0, 0), (4, 0), (4, 2), (0, 2)]], "#ffffff", "#000000", 2)
    assert tuple(inner.box) == (-1, -1, 5, 3)
    outer = Figure()
    outer.add(inner, 10, 20, 2)
    assert tuple(outer.box) == (8, 18, 20, 26)
    turned = Figure()
    turned.add(inner, turn=90)
    assert tuple(turned.box) == pytest.approx((-3, -1, 1, 5))


def test_an_empty_figure_is_also_a_picture() -> None:
    assert Figure().is_empty
    assert ElementTree.fromstring(Figure().svg("nothing").encode()).get("viewBox") == "-8 -8 16 16"


def test_a_region_without_rings_paints_nothing() -> None:
    figure = Figure()
    figure.region([], "#ffffff")
    figure.lines([])
    figure.circles([], 2)
    figure.text((0, 0), "  ")
    assert figure.is_empty


@given(st.floats(-1e6, 1e6))
def test_numbers_are_written_with_two_decimals_at_most(value: float) -> None:
    text = lettering.number(value)
    assert abs(float(text) - value) <= 0.00501
    assert len(text.partition(".")[2]) <= 2
    assert text != "-0"
