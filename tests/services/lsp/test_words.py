"""Words of the language in the server: descriptions, colours, and completion."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from puzzlec.diagnostics import Source
from puzzlec.language.editing.completion import _MEMBERS, Offer, offers
from puzzlec.language.editing.reference import line_of
from puzzlec.language.editing.roles import stretches, word_at
from puzzlec.language.editing.syntax import syntax_of
from puzzlec.language.elaborate.statements import STATEMENTS, WORDS
from puzzlec.language.grammar_words import words
from puzzlec.language.highlight.contexts import ROLES
from puzzlec.language.highlight.highlighter import PuzzleLexer
from puzzlec.services.lsp.answers import _KINDS
from puzzlec.services.lsp.tokens import TYPES
from tests.tools.site.pages import Anchors, headings

ROOT = Path(__file__).parents[3]
PUZZLES = sorted((ROOT / "puzzles").rglob("*.puzzle"))


def test_each_statement_is_described_in_the_words_of_the_reference() -> None:
    page = (ROOT / "docs" / "language" / "grammar.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| \[`(\w+)`\]\(([\w-]+)\.md#([\w-]+)\) \| .* \| ([^|]*) \|$", page, re.MULTILINE)
    assert {one.word: (one.help, one.anchor, one.page) for one in STATEMENTS} == {
        word: (meaning, part, page) for word, page, part, meaning in rows
    }


def test_every_word_of_the_language_has_a_description_and_a_link() -> None:
    known = words()
    every = {*known.statements, *known.modifiers, *known.regions, *known.operators, *known.functions, *known.links}
    assert every - WORDS.keys() == set()
    for word in WORDS:
        line = line_of(word)
        assert line is not None
        anchors = Anchors()
        page = (ROOT / "docs" / "language" / f"{line.page}.md").read_text(encoding="utf-8")
        assert line.section in {anchors.of(title) for title in headings(page)}, word


def test_the_server_knows_only_statements_and_expectations_of_the_language() -> None:
    expected = {words for statement in STATEMENTS for words in statement.expects}
    assert set(_MEMBERS) <= expected, "reworded in the table of statements"
    assert _KINDS.keys() <= {statement.word for statement in STATEMENTS}


@pytest.mark.parametrize("path", PUZZLES[::9], ids=lambda path: path.stem)
def test_words_have_the_colours_that_pygments_gives_them(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    names = {look.token: role for role, look in ROLES.items()}
    expected = [
        (at, at + len(shown), names[str(kind).removeprefix("Token.")])
        for at, kind, shown in PuzzleLexer().get_tokens_unprocessed(text)
        if shown.strip()
    ]
    assert list(map(tuple, stretches(text))) == [stretch for stretch in expected if stretch[2]]


def test_each_role_except_punctuation_has_a_type_of_the_protocol() -> None:
    assert set(ROLES) - set(TYPES) == {"", "punctuation", "value", "drawing"}


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [
        ("|", {"puzzle", "locations", "pieces"}),
        ('puzzle "x"\n|', {"locations", "pieces"}),
        ("lattice |", {"square", "hex", "none"}),
        ("lattice he|", {"hex"}),
        ("pieces |", {"pentominoes", "polyominoes", "heptominoes"}),
        ("pieces pentominoes |", {"free", "one-sided", "fixed", "except", "only"}),
        ("pieces pentominoes only |", {"F", "I", "L"}),
        ("pieces pentominoes only F, |", {"I", "L"}),
        ("pieces pentominoes except F, |", {"I", "L"}),
        ("piece A = soma.|", {"V", "L", "T"}),
        ("piece A |", {"cells", "covers", "sides", "free"}),
        ("place |\npiece B { x }\npieces pentominoes", {"B", "F"}),
        ('piece "a b" { x }\nplace "|', {'"a b"'}),
        ("place A |", {"inside", "on", "off"}),
        ('piece "a b" |', {"one-sided", "cells"}),
        ('piece "a b" fi|', {"fixed"}),
        ("locations |", {"box", "cells", "grid", "edges"}),
        ("param n = 2\nparam m = |", {"n", "min"}),
        ("lattice none\nlocations names a b\npiece A covers { |", {"a", "b"}),
        ("lattice none\nlocations names a b\nfix A at names |", {"a", "b"}),
        ("for i in 1..2 {\n  piece A[|", {"i"}),
        ("for i in 1..2 {\n  |\n}", {"piece", "for", "fix"}),
        ("lattice none\nlocations names a[|] for k in 1..2", {"k"}),
        ("lattice none\npiece A covers { a[|] for k in 1..2 }", {"k"}),
        ("locations cells (x,0) for x in 1..4 where |", {"x", "not"}),
        ("colours r b\nallow r on |", {"r", "b"}),
        ("colours r b\npiece A sides r |", {"r", "b"}),
        ("wrap |", {"x", "y"}),
        ("paint A |", {"red", "turquoise"}),
        ("paint A[1] tur|", {"turquoise"}),
        ("regions A\nrule A all |", {"equal", "different"}),
    ],
)
def test_completion_offers_allowed_words_and_known_names(typed: str, wanted: set[str]) -> None:
    found = {offer.text for offer in offered(typed)}
    assert wanted <= found


@pytest.mark.parametrize(
    ("typed", "unwanted"),
    [
        ('puzzle "x"\n|', {"puzzle"}),
        ("lattice hex\n|", {"lattice"}),
        ("for i in 1..2 {\n  |\n}", {"puzzle", "lattice", "param"}),
        ("locations |", {"pieces", "free"}),
        ("for i in 1..2 { piece A[i] { x } }\nparam m = |", {"i"}),
    ],
)
def test_completion_offers_only_allowed_words(typed: str, unwanted: set[str]) -> None:
    assert not {offer.text for offer in offered(typed)} & unwanted


@pytest.mark.parametrize("typed", ["# pie|", "locations { x|x }", 'puzzle "pie|"', "piece A ) |"])
def test_completion_is_silent_in_comments_drawings_and_titles_and_after_errors(typed: str) -> None:
    assert offered(typed) == []


def offered(typed: str) -> list[Offer]:
    """Return the completions at the bar in a text."""
    at = typed.index("|")
    return list(offers(syntax_of(Source("x", typed.replace("|", ""))), at).offers)


def test_a_word_belongs_to_the_language_only_at_an_allowed_place() -> None:
    text = "piece box { x }\nplace box inside box 1x1"
    assert [word_at(text, at) for at in (0, 7, 17, 23, 26, 35)] == ["piece", "", "place", "", "inside", "box"]


def test_an_unknown_word_leaves_the_end_of_its_block_and_the_next_lines() -> None:
    syntax = syntax_of(Source("x", "for i in 1..2 {\n  piece A[i] { x }\n  pie\n}\nlattice \npiece B { x }\n"))
    assert [name.word for name in syntax.names if name.defines] == ["i", "A", "B"]


def test_names_of_a_very_long_text_are_not_collected() -> None:
    assert syntax_of(Source("x", "piece A { x }\n" + "#" * 200_001)).names == []


@pytest.mark.parametrize(
    ("typed", "first", "missing"),
    [
        ("locations box 4x4\npieces |", "monominoes", {"soma", "trihexes", "polycubes"}),
        ("locations box 4x4x2\npieces |", "monocubes", {"trihexes", "tristicks"}),
        ("lattice hex\nlocations hexagon 3\npiece A = |", "monohexes", {"pentominoes", "soma"}),
        ("lattice triangle\nlocations |", "box", {"diamond", "grid", "edges", "names"}),
        ("lattice sticks\nlocations |", "box", {"hexagon", "names"}),
        ("locations box 4x4\nrule |", "each", {"hexagon", "grid"}),
        ("locations box 4x4\npiece A { xx }\napart |", "A", {"pentominoes"}),
        ("locations box 4x4\npiece A { xx }\nrule each row at most 2 |", "A", set[str]()),
        ("locations box 4x4\npiece A = pentominoes |", "", {"min", "max"}),
        ("locations box 4x4\n|", "lattice", {"puzzle"}),
        ("|", "puzzle", set[str]()),
    ],
)
def test_only_what_suits_the_lattice_and_the_place_is_offered(typed: str, first: str, missing: set[str]) -> None:
    at = typed.index("|")
    words = [offer.text for offer in offers(syntax_of(Source("x", typed.replace("|", ""))), at).offers]
    assert words[:1] == [first] * bool(first)
    assert not missing & set(words)


def test_statements_are_offered_in_the_order_of_the_reference() -> None:
    words = [offer.text for offer in offers(syntax_of(Source("x", "")), 0).offers]
    order = [statement.word for statement in STATEMENTS]
    assert words == [word for word in order if word in words]


def test_places_of_every_board_are_regions_except_where_the_board_is_made() -> None:
    def words(text: str) -> set[str]:
        return {offer.text for offer in offers(syntax_of(Source("x", text)), len(text)).offers}

    assert {"border", "corner", "centre"} <= words("locations box 2x2\npiece A { x }\nplace A on ")
    assert "border" not in words("locations ")
