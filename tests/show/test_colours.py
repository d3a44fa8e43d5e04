"""Colours on a terminal: few, readable, distinct for colour-blind people, and different for neighbours."""

from __future__ import annotations

import math
import random
import re
from itertools import combinations, islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import puzzlec
from puzzlec.geometry import find_lattice
from puzzlec.geometry.colouring import few_colours
from puzzlec.make.outputs import draw, subject, view
from puzzlec.show.palette import COLOURS, INK, PALETTES, XTERM, body_hues, hues, pools, rgb
from puzzlec.show.scene import solution_scene
from puzzlec.show.terminal.style import BRIGHT, BoardOfSigns, Style, colours_of_terminal
from puzzlec.show.terminal.text import draw_solution

Colour = tuple[int, int, int]
Linear = tuple[float, ...]

#: Linear red, green and blue, as seen by people who lack a kind of cones (G. M. Machado, M. M. Oliveira, L. A. F.
#: Fernandes, A physiologically-based model for simulation of color vision deficiency, 2009, severity 1.0), and by all
#: others.
SEEN = {
    "all cones": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}

#: The colours of xterm for the codes of backgrounds (its defaults).
OF_16 = {
    46: (0, 205, 205),
    100: (127, 127, 127),
    101: (255, 0, 0),
    103: (255, 255, 0),
    105: (255, 0, 255),
}


def of_256(number: int) -> Colour:
    """A colour of xterm's cube of 6 x 6 x 6 colours, or one of its greys."""
    if number >= 232:
        return (8 + 10 * (number - 232),) * 3
    red, green, blue = (0 if value == 0 else 55 + 40 * value for value in divided(number - 16))
    return red, green, blue


def divided(number: int) -> Colour:
    return number // 36, number // 6 % 6, number % 6


SETS = {
    "16": [OF_16[code] for code in BRIGHT],
    "256": [of_256(number) for number in XTERM],
    "all": [rgb(colour) for colour in COLOURS],
}


def linear(colour: Colour) -> Linear:
    """Linear light from sRGB (IEC 61966-2-1)."""
    return tuple(v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in (c / 255 for c in colour))


def seen(colour: Colour, how: str) -> Linear:
    light = linear(colour)
    return tuple(min(1.0, max(0.0, sum(a * b for a, b in zip(row, light, strict=True)))) for row in SEEN[how])


def lab(light: Linear) -> tuple[float, float, float]:
    """CIELAB of linear sRGB, white D65."""
    rows = ((0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.0721750), (0.0193339, 0.1191920, 0.9503041))
    xyz = (sum(a * b for a, b in zip(row, light, strict=True)) for row in rows)
    white = (0.95047, 1.0, 1.08883)
    x, y, z = (
        t ** (1 / 3) if t > 216 / 24389 else (24389 / 27 * t + 16) / 116
        for t in (value / full for value, full in zip(xyz, white, strict=True))
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def contrast_with_black(colour: Colour) -> float:
    """The contrast ratio of WCAG 2."""
    red, green, blue = linear(colour)
    return (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05) / 0.05


@pytest.mark.parametrize("name", SETS)
def test_dark_letters_can_be_read_on_every_colour(name: str) -> None:
    assert min(map(contrast_with_black, SETS[name])) >= 4.5


@pytest.mark.parametrize("name", PALETTES)
def test_letters_can_be_read_on_every_colour_of_a_palette_and_its_colours_differ(name: str) -> None:
    colours = [rgb(colour) for colour in PALETTES[name]]
    assert len(colours) == len(COLOURS)
    assert min(map(contrast_with_black, colours)) / contrast_with_black(rgb(INK)) >= 4.5
    assert min(math.dist(lab(linear(one)), lab(linear(two))) for one, two in combinations(colours, 2)) >= 9


def oklch(colour: Colour) -> tuple[float, float]:
    """Lightness and chroma in OKLCH (B. Ottosson, A perceptual color space for image processing, 2020)."""
    red, green, blue = linear(colour)
    long = (0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue) ** (1 / 3)
    middle = (0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue) ** (1 / 3)
    short = (0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue) ** (1 / 3)
    return (
        0.2104542553 * long + 0.793617785 * middle - 0.0040720468 * short,
        math.hypot(
            1.9779984951 * long - 2.428592205 * middle + 0.4505937099 * short,
            0.0259040371 * long + 0.7827717662 * middle - 0.808675766 * short,
        ),
    )


def test_quiet_colours_are_equally_light_and_full() -> None:
    looks = [oklch(rgb(colour)) for colour in PALETTES["quiet"]]
    for values in zip(*looks, strict=True):
        assert max(values) - min(values) < 0.004


def test_a_picture_and_a_page_have_the_colours_of_their_palette() -> None:
    for name in ("soma", "pentominoes/6x10", "polysticks/tetrasticks-5x5", "balls/kanoodle-pyramid"):
        found = subject(name)
        for palette, colours in PALETTES.items():
            others = {other for key, every in PALETTES.items() if key != palette for other in every} - {*colours}
            text = draw(found, palette=palette)
            assert sum(colour in text for colour in colours) >= 4
            assert not any(colour in text for colour in others)
    assert '"palette":"wood"' in view(found, palette="wood")
    with pytest.raises(ValueError, match="palette must be one of standard, wood, quiet, not 'oak'"):
        view(found, palette="oak")


@pytest.mark.parametrize("how", SEEN)
@pytest.mark.parametrize(
    ("name", "distances"), [("16", {4: 35, 5: 24}), ("256", {4: 14, 8: 12, 12: 9}), ("all", {4: 19, 8: 15, 12: 9})]
)
def test_people_without_a_kind_of_cones_can_distinguish_the_colours(
    name: str, distances: dict[int, int], how: str
) -> None:
    for number, distance in distances.items():
        places = [lab(seen(colour, how)) for colour in SETS[name][:number]]
        assert min(math.dist(one, two) for one, two in combinations(places, 2)) >= distance


def test_the_simulation_confuses_red_and_green_without_cones() -> None:
    red, green = (200, 80, 60), (120, 120, 60)
    usual = math.dist(lab(seen(red, "all cones")), lab(seen(green, "all cones")))
    assert math.dist(lab(seen(red, "deuteranopia")), lab(seen(green, "deuteranopia"))) < usual / 3


def graphs() -> st.SearchStrategy[dict[int, set[int]]]:
    def made(pairs: set[tuple[int, int]]) -> dict[int, set[int]]:
        near: dict[int, set[int]] = {vertex: set() for vertex in range(9)}
        for one, two in pairs:
            if one != two:
                near[one].add(two)
                near[two].add(one)
        return near

    return st.sets(st.tuples(st.integers(0, 8), st.integers(0, 8)), max_size=30).map(made)


@given(graphs(), st.integers(1, 4))
def test_neighbours_differ_if_there_are_more_colours_than_neighbours(near: dict[int, set[int]], least: int) -> None:
    most = max(map(len, near.values())) + 1
    colours = few_colours(near, most, least)
    assert list(colours) == list(near)
    assert all(colours[one] != colours[two] for one, others in near.items() for two in others)
    assert max(colours.values()) < most


@given(graphs(), st.integers(1, 3))
def test_with_too_few_colours_no_others_are_used(near: dict[int, set[int]], most: int) -> None:
    colours = few_colours(near, most, 4)
    assert set(colours) == set(near)
    assert set(colours.values()) <= set(range(most))


@settings(max_examples=30)
@given(st.lists(st.lists(st.integers(0, 14), min_size=7, max_size=7), min_size=2, max_size=7))
def test_four_colours_are_enough_for_a_map(rows: list[list[int]]) -> None:
    # Each connected area of equal numbers is a country.
    cells = {(x, y): number for y, row in enumerate(rows) for x, number in enumerate(row)}
    countries: dict[tuple[int, ...], int] = {}
    for cell in cells:
        if cell not in countries:
            country, fresh = len(set(countries.values())), [cell]
            countries[cell] = country
            while fresh:
                x, y = fresh.pop()
                for other in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
                    if other not in countries and cells.get(other) == cells[x, y]:
                        countries[other] = country
                        fresh.append(other)
    board = BoardOfSigns(find_lattice("square"), countries, dict.fromkeys(countries, "x"))
    number = len(set(countries.values()))
    for most in (5, len(COLOURS)):
        hues = board.hues(most)
        assert all(isinstance(hue, int) and hue < (4 if number > most else number) for hue in hues.values())
        assert all(hues[one] != hues[two] for one, others in board.near().items() for two in others)


def board_of(name: str) -> BoardOfSigns:
    """The first solution of a puzzle of the catalogue, each cell with the number of the piece on it."""
    solution = next(iter(puzzlec.solve(name)))
    puzzle = solution.fitting.puzzle
    assert puzzle is not None
    assert puzzle.lattice is not None
    owners = {location.at: -1 for location in puzzle.locations if isinstance(location.at, tuple)}
    cells = list(owners)
    for number, placement in enumerate(solution.placements):
        owners |= {cells[index]: number for index in placement.locations}
    return BoardOfSigns(puzzle.lattice, owners, dict.fromkeys(owners, "x"))


@pytest.mark.parametrize("name", ["soma/soma", "tori/dominoes-torus-4x4", "pentominoes/6x10"])
def test_each_piece_has_a_separate_colour_if_there_are_enough(name: str) -> None:
    board = board_of(name)
    pieces = set(board.owners.values())
    assert 4 < len(pieces) <= len(COLOURS)
    assert sorted(board.hues().values()) == list(range(len(pieces)))


def shown_on_a_terminal(solution: puzzlec.Solution, depth: int) -> dict[str, set[int]]:
    """The hues of the pieces of a solution, by their names, as a terminal shows them."""
    drawn = draw_solution(solution, Style(colour=True, depth=depth))
    if depth == 256:
        codes = {f"48;5;{code}": hue for hue, code in enumerate(XTERM)}
    else:
        codes = {"48;2;" + ";".join(map(str, rgb(colour))): hue for hue, colour in enumerate(COLOURS)}
    found: dict[str, set[int]] = {}
    for code, sign in re.findall(r"(48;[0-9;]+)m *(\w+) *\033", drawn):
        found.setdefault(sign, set()).add(codes[code])
    return found


@pytest.mark.parametrize("depth", [256, 2**24])
@pytest.mark.parametrize("name", ["pentominoes/6x10", "soma/soma", "polycubes/bedlam-cube", "balls/kanoodle-pyramid"])
def test_a_piece_has_the_same_colour_on_a_terminal_and_in_a_picture(name: str, depth: int) -> None:
    solution = next(iter(puzzlec.solve(name)))
    scene = solution_scene(solution)
    assert scene is not None
    assert shown_on_a_terminal(solution, depth) == {body.label: {body.hue} for body in scene.bodies}


def test_different_pieces_and_copies_have_different_colours_if_there_are_enough() -> None:
    puzzle = puzzlec.parse("lattice cubic\nlocations box 3x3x2\npiece I x3 { xx }\npiece V x4 { xx/x. }\n")
    scene = solution_scene(next(iter(puzzlec.solve(puzzle))))
    assert scene is not None
    assert len({body.hue for body in scene.bodies}) == 7
    # Seventeen bodies of three pieces: copies may share a colour, different pieces do not.
    puzzle = puzzlec.parse("locations box 9x5\npiece I x5 { xxx }\npiece V x6 { xx/x. }\npiece D x6 { xx }\n")
    scene = solution_scene(next(iter(puzzlec.solve(puzzle))))
    assert scene is not None
    of_piece: dict[int, set[int]] = {}
    for body in scene.bodies:
        of_piece.setdefault(body.piece, set()).add(body.hue)
    assert sum(map(len, of_piece.values())) == len(set().union(*of_piece.values()))


def test_a_piece_has_the_same_colour_in_all_solutions_if_each_has_a_separate_one() -> None:
    found = [shown_on_a_terminal(solution, 256) for solution in islice(puzzlec.Solutions("soma/soma"), 4)]
    assert len(found[0]) == 7
    assert all(colours == found[0] for colours in found)


def test_no_two_pieces_share_a_hue_and_copies_have_the_other_hues() -> None:
    assert pools([1] * 12) == [(hue,) for hue in range(12)]
    assert [len(hues) for hues in pools([1, 5, 2, 9])] == [1, 3, 2, 6]
    assert sorted(hue for hues in pools([10, 10, 10]) for hue in hues) == list(range(12))
    assert pools([2] * 14)[12:] == [(0,), (1,)]


@given(graphs(), st.lists(st.integers(0, 15), min_size=9, max_size=9), st.booleans())
def test_hues_suit_any_pieces(near: dict[int, set[int]], pieces: list[int], flat: bool) -> None:
    of_piece = pools([9] * 16)
    found = body_hues(pieces, of_piece, lambda: near, flat)
    assert len(set(found)) == 9  # of sixteen pieces these are few enough for twelve hues
    few = [piece % 3 for piece in pieces]
    of_few = pools([1, 9, 9])
    found = body_hues(few, of_few, lambda: near, flat)
    of_each: dict[int, set[int]] = {}
    for hue, piece in zip(found, few, strict=True):
        of_each.setdefault(piece, set()).add(hue)
    assert sum(map(len, of_each.values())) == len(set(found))  # no two pieces share a hue
    alike = body_hues([2] * 9, pools([9] * 12), lambda: near, flat)
    assert len(set(alike)) == 9  # the other pieces are missing
    crowd = {body: {other for other in range(30) if abs(other - body) < 5} - {body} for body in range(30)}
    found = body_hues([body % 16 for body in range(30)], of_piece, lambda: crowd, flat)
    assert all(found[one] != found[two] for one in crowd for two in crowd[one])


@pytest.mark.parametrize("name", ["soma/soma", "polycubes/bedlam-cube"])
def test_a_solid_of_many_pieces_has_all_colours_and_neighbours_differ(name: str) -> None:
    board, style = board_of(name), Style(colour=True, depth=16)
    hues = board.hues(style.colours)
    often = [list(hues.values()).count(hue) for hue in range(style.colours)]
    assert min(often) >= 1
    assert max(often) - min(often) <= 1
    assert all(hues[one] != hues[two] for one, others in board.near().items() for two in others)


def test_a_flat_board_of_many_pieces_keeps_to_four_of_sixteen_colours() -> None:
    assert set(board_of("pentominoes/6x10").hues(len(BRIGHT)).values()) == set(range(4))


@pytest.mark.parametrize(("depth", "number"), [(16, 4), (256, 8), (2**24, 8)])
def test_eight_dominoes_have_different_colours_if_the_terminal_has_twelve(depth: int, number: int) -> None:
    solution = next(iter(puzzlec.solve("dominoes/4x4")))
    drawn = draw_solution(solution, Style(colour=True, depth=depth))
    assert len(set(re.findall(r"\033\[(3[^m]*)m", drawn))) == number


def test_exchanging_two_colours_frees_one() -> None:
    # A crown graph: a greedy choice by number would use a colour for each pair, but two are enough.
    near = {k: {j for j in range(8) if j % 2 != k % 2 and j // 2 != k // 2} for k in range(8)}
    assert len(set(few_colours(near, 8).values())) == 2
    # A wheel of five needs four.
    wheel = {k: {(k + 1) % 5, (k + 4) % 5, 5} for k in range(5)} | {5: set(range(5))}
    assert len(set(few_colours(wheel, 8).values())) == 4


@pytest.mark.parametrize(
    ("depth", "code"),
    [(16, r"\033\[30;10?\d{1,2}m"), (256, r"\033\[38;5;16;48;5;\d+m"), (2**24, r"\033\[38;2;0;0;0;48;2;")],
)
def test_a_terminal_gets_its_supported_codes(depth: int, code: str) -> None:
    solution = next(iter(puzzlec.solve("dominoes/4x4")))
    drawn = draw_solution(solution, Style(colour=True, depth=depth))
    assert re.search(code, drawn) or (depth == 16 and "\033[30;46m" in drawn)
    assert re.sub(r"\033\[[0-9;]*m", "", drawn) == draw_solution(solution)


@pytest.mark.parametrize(
    ("environment", "number"),
    [
        ({"TERM": "xterm-256color"}, 256),
        ({"TERM": "xterm"}, 256),
        ({}, 256),
        ({"TERM": "xterm-16color"}, 16),
        ({"TERM": "linux"}, 16),
        ({"TERM": "screen"}, 16),
        ({"TERM": "screen-256color"}, 256),
        ({"TERM": "linux", "COLORTERM": "truecolor"}, 2**24),
        ({"TERM": "xterm-direct"}, 2**24),
    ],
)
def test_the_environment_says_how_many_colours_there_are(environment: dict[str, str], number: int) -> None:
    assert colours_of_terminal(environment) == number


def test_no_vertex_is_lost_when_colours_around_it_are_exchanged() -> None:
    for seed in range(400):
        chance = random.Random(seed)
        near: dict[int, set[int]] = {vertex: set() for vertex in range(chance.randrange(4, 40))}
        for one, two in combinations(near, 2):
            if chance.random() < 0.2:
                near[one].add(two)
                near[two].add(one)
        assert set(few_colours(near, 5)) == set(hues(near)) == set(near)
