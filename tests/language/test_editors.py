"""The language in editors: words from the grammar, a lexer for Pygments, a TextMate grammar."""

from __future__ import annotations

import json
import os
import plistlib
import re
import tomllib
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from _pytest.mark import ParameterSet
from pygments.token import Comment, Error, Keyword, Name, Number, Operator, String, _TokenType

from puzzlec.language.elaborate.statements import KEYWORDS
from puzzlec.language.grammar_words import joining, sized, statements, words
from puzzlec.language.highlight import textmate
from puzzlec.language.highlight.contexts import ROLES, contexts
from puzzlec.language.highlight.highlighter import PuzzleLexer
from tests.catalogue_share import share
from tests.docs_blocks import PAGES, blocks

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / "puzzles").rglob("*.puzzle"))
TEXTS = {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in FILES} | {
    f"{page.name}:{block.line}": block.text
    for page in PAGES
    for block in blocks(page)
    if block.language == "puzzle" and not block.said("fails")
}
#: Puzzles in every run: some of each family, and not the largest one.
USUAL = {f"puzzles/{case.id}.puzzle" for case in share(lambda entry: not entry.slow) if not case.marks}


def params(*others: str) -> list[ParameterSet]:
    """Return the texts, and others by their names; texts of the catalogue that are not in every run are slow."""
    slow = [name for name in TEXTS if name.startswith("puzzles/") and name not in USUAL]
    named = {"strange": STRANGE, "continued": CONTINUED}
    return [
        pytest.param(text, id=name, marks=[pytest.mark.slow] if name in slow else []) for name, text in TEXTS.items()
    ] + [pytest.param(named[name], id=name) for name in others]


GRAMMAR = textmate.grammar()

#: Everything that the language allows in a surprising place.
STRANGE = """\
puzzle "The # and the } in a title"  # and in a comment: { piece
lattice square
colours a b in
param n = 3*min(2, 1) // 1
locations box {n}x{2*n} - (box 1x1  # continues
  + { xa # }
      .? }) at (1, n-1)
locations box 5x5-box 1x1 at ( 2,2 )+{ xx }# close
optional locations cells (0,9) (i,8) for i in 1..n where not i == 2 or i > 1
empty 0..n
frame a {n}
match a b
allow a on b
piece for x2 { a{n}/.. }
piece "close" fixed x3{ xxx/x..}
piece closer x{n}..{2*n}{ xx }
piece closest x*{ xx }
piece "x2" x{n}.. one-sided sides a, b a {n}
piece few x..n { xx }
piece some x0..n one-sided = polyominoes n-1 "7-1"
piece in fixed covers (
  { (0,0) (1,0) } { (i,0) for i in 1..2 } for j in 1..2
)
pieces tetracubes free x0..1 except I, "L"
pieces tetracubes x2 only I,"L"
for d at (x,y) in { 1. # }
  .2 } {

  for i in (1, 3) where i != d { piece t[d,i] { xx/x. } }
}
fix t[1,3] sides a b a b at box 2x2 at (0,0)
place for off box 2x2
"""

#: Words that continue a statement: on separate lines, after comments and empty lines, in blocks and brackets.
CONTINUED = """\
locations cells (x,y) for x in 0..2, y in 0..2

  # not all of them
  where x < 2
  or y < 2  # close
    and x == 2 (5,5)
piece A covers {(x,0)} for x in 0..2
  where x < 2 {(0,1)}
for x in 0..3
  where x > 1
{
  place C inside cells (x,y) for y in 0..2
    where y > x
  place where inside (box 2x2
    - (cells (0,(1+0)*(2-(1)),0)))
  locations
  {
    where and
  }
}
"""


def tokens(text: str) -> list[tuple[_TokenType, str]]:
    return [(kind, value) for kind, value in PuzzleLexer().get_tokens(text) if value.strip()]


def first_words(text: str) -> set[int]:
    """The places of the words that begin statements: at the beginning of a line, or after the brace of a block.

    In catalogue and documentation no drawing, list or comment has such a line.
    """
    text = re.sub(r"#.*", lambda match: " " * len(match.group()), text)
    pattern = rf"(?:^[ \t]*|\bfor\b[^\n]*\{{[ \t]*)({'|'.join(KEYWORDS)})(?=[ \t]|$)"
    lines = {match.start(1) for match in re.finditer(rf"^[ \t]*({'|'.join(KEYWORDS)})(?=[ \t]|$)", text, re.MULTILINE)}
    return lines | {match.start(1) for match in re.finditer(pattern, text, re.MULTILINE)}


# Words


def test_the_words_of_statements_agree_with_the_reader() -> None:
    assert sorted(words().statements) == sorted(KEYWORDS)


def test_every_word_of_the_grammar_is_in_one_group() -> None:
    grammar = re.sub(r"//.*|/(?:[^/\\\n]|\\.)+/", "", (ROOT / "grammars" / "puzzle.lark").read_text(encoding="utf-8"))
    quoted = set(re.findall(r'"([a-z][a-z-]*)"', grammar)) | {"min", "max", "abs"}
    groups = list(vars(words()).values())
    assert sum(map(len, groups)) == len(quoted)
    assert set().union(*groups) == quoted


def test_words_are_grouped_by_use() -> None:
    assert set(words().modifiers) == {"one-sided", "fixed", "free"}
    assert {"box", "cells", "names"} <= set(words().regions)
    assert "box" in sized()
    assert "cells" not in sized()
    assert set(words().operators) == {"and", "or", "not"}
    assert set(words().functions) == {"min", "max", "abs"}


def test_a_statement_has_the_words_that_it_may_contain() -> None:
    known = {statement.word: statement for statement in statements()}
    assert list(known) == list(words().statements)
    assert {"in", "off", "box"} <= known["place"].inside
    assert not {"covers", "sides", "piece"} & known["place"].inside
    assert "piece" not in known["for"].inside
    assert {statement.word for statement in known.values() if statement.named} == {
        "lattice", "region", "piece", "pieces", "paint", "place", "fix", "forbid", "cost",
    }  # fmt: skip
    assert {statement.word for statement in known.values() if statement.signs} == {
        "colours",
        "regions",
        "frame",
        "allow",
        "match",
        "values",
    }


# Pygments


@pytest.mark.parametrize("text", params("strange", "continued"))
def test_the_lexer_returns_the_text_without_an_error(text: str) -> None:
    found = list(PuzzleLexer(stripnl=False).get_tokens(text))
    assert "".join(value for _, value in found) == text
    assert not [value for kind, value in found if kind in Error]


@pytest.mark.parametrize("text", params())
def test_the_words_that_begin_statements_are_keywords(text: str) -> None:
    at, found = 0, set()
    for kind, value in PuzzleLexer(stripnl=False).get_tokens(text):
        if kind in Keyword.Declaration:
            found.add(at)
        at += len(value)
    assert found == first_words(text)


def test_a_word_is_a_keyword_only_where_it_can_be_one() -> None:
    found = tokens("piece box x2 { box }\nlocations box 3x3\nplace inside inside box 2x2\nfix fix at cells (0,0)")
    assert (Name.Class, "box") in found
    assert (String.Drawing.Cell, "box") in found
    assert (Keyword.Type, "box") in found
    assert [kind for kind, value in found if value == "inside"] == [Name.Class, Keyword]
    assert [kind for kind, value in found if value == "fix"] == [Keyword.Declaration, Name.Class]
    assert [kind for kind, value in tokens("piece A covers { in[1] x2 }") if value in ("in", "x2")] == [Name, Name]


def test_a_word_is_a_keyword_beside_a_sign_and_not_beside_a_hyphen_of_a_name() -> None:
    found = tokens("locations box 5x5-box 1x1")
    assert [kind for kind, value in found if value == "box"] == [Keyword.Type] * 2
    assert (Name, "pill-box") in tokens("locations red-box pill-box box-1")


def test_a_drawing_may_follow_without_a_space() -> None:
    for piece in ("piece A x3{ b. }", "piece A x{n}..{2*n}{ b. }", "piece A x*{ b. }", "piece A{ b. }"):
        assert tokens(piece)[-3:] == [(String.Drawing.Cell, "b"), (String.Drawing.Blank, "."), (String.Drawing, "}")]


def test_drawings_modifiers_values_and_comments_have_separate_types() -> None:
    found = tokens("piece D x10 one-sided { a./{n+1}x } # D")
    assert found[:5] == [
        (Keyword.Declaration, "piece"), (Name.Class, "D"), (Keyword.Pseudo, "x"), (Number.Integer, "10"),
        (Keyword.Pseudo, "one-sided"),
    ]  # fmt: skip
    assert found[5:9] == [
        (String.Drawing, "{"), (String.Drawing.Cell, "a"), (String.Drawing.Blank, "."), (String.Drawing, "/"),
    ]  # fmt: skip
    assert [value for kind, value in found if kind is String.Interpol] == ["{", "}"]
    assert found[-3:] == [(String.Drawing.Cell, "x"), (String.Drawing, "}"), (Comment.Single, "# D")]


def test_a_word_that_cannot_begin_a_line_is_an_error_only_on_that_line() -> None:
    found = tokens("tile A { xx }\npiece A { xx }\n")
    assert found[0][0] is Error
    assert (Keyword.Declaration, "piece") in found


@pytest.mark.parametrize("cut", range(0, len(STRANGE), 7))
def test_a_text_that_ends_anywhere_is_returned_completely(cut: int) -> None:
    assert (
        "".join(value for _, value in PuzzleLexer(stripnl=False, ensurenl=False).get_tokens(STRANGE[:cut]))
        == STRANGE[:cut]
    )


def test_a_line_that_begins_with_a_joining_word_continues_the_statement_before() -> None:
    found = tokens(CONTINUED)
    assert not [value for kind, value in found if kind in Error]
    assert [value for kind, value in found if kind is Keyword.Declaration] == [
        "locations", "piece", "for", "place", "place", "locations",
    ]  # fmt: skip
    assert [value for kind, value in found if kind is Keyword].count("where") == 4
    assert [value for kind, value in found if kind is Operator.Word] == ["or", "and"]
    assert [value for kind, value in found if kind is String.Drawing.Cell] == ["where", "and"]
    assert (Name.Class, "where") in found


def test_the_joining_words_are_those_of_the_grammar() -> None:
    assert joining() == ("where", "and", "or")


def test_the_lexer_is_registered_under_its_name() -> None:
    # tests/test_wheel.py looks it up where puzzlec is installed.
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    ((_, place),) = project["entry-points"]["pygments.lexers"].items()
    module, name = place.split(":")
    assert getattr(import_module(module), name) is PuzzleLexer
    assert PuzzleLexer.name == "puzzlec"
    assert set(PuzzleLexer.aliases) == {"puzzle", "puzzlec"}
    assert "*.puzzle" in PuzzleLexer.filenames
    assert any("pygments" in package for package in project["optional-dependencies"]["highlight"])


# TextMate


def rules(patterns: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rules of a list of patterns, with included rules in place of their names."""
    found = []
    for pattern in patterns:
        if "include" in pattern:
            found += rules(GRAMMAR["repository"][pattern["include"][1:]]["patterns"])
        else:
            found.append(pattern)
    return found


def scopes(text: str) -> dict[int, str]:
    """The scope of each character, as an editor finds it: line by line, leftmost match first, ends before rules."""
    stack: list[dict[str, Any]] = [{"patterns": GRAMMAR["patterns"]}]
    found: dict[int, str] = {}
    base = 0

    def note(match: re.Match[str], captures: dict[str, dict[str, str]]) -> None:
        for group, look in captures.items():
            for at in range(*match.span(int(group))):
                found[base + at] = look["name"]

    # A last line that continues no statement ends all statements.
    for line in [*text.splitlines(keepends=True), "."]:
        at = 0
        while True:
            top = stack[-1]
            ended = re.compile(top["end"]).search(line, at) if "end" in top else None
            tried = [(top, ended)] if ended else []
            for rule in rules(top["patterns"]):
                match = re.compile(rule.get("match") or rule["begin"]).search(line, at)
                if match and match.start() < len(line):
                    tried.append((rule, match))
            if not tried:
                break
            rule, match = min(tried, key=lambda pair: pair[1].start())
            at = match.end()
            # A rule may open itself: brackets in brackets.
            if match is ended:
                note(match, rule.get("endCaptures", {}))
                stack.pop()
            elif "begin" in rule:
                note(match, rule["beginCaptures"])
                stack.append(rule)
            else:
                note(match, rule["captures"])
        base += len(line)
    assert len(stack) == 1, stack[-1]
    return found


def test_the_grammar_in_the_documentation_is_up_to_date() -> None:
    path = ROOT / "docs" / "editors" / "puzzle.tmLanguage.json"
    if os.environ.get("PUZZLEC_REGENERATE"):
        path.write_text(textmate.text(), encoding="utf-8")
    written = path.read_text(encoding="utf-8")
    assert written == textmate.text(), "PUZZLEC_REGENERATE=1 pytest tests/language/test_editors.py writes it again"
    assert json.loads(written) == GRAMMAR


def test_the_grammar_is_written_as_json_or_as_a_property_list(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    textmate.main([str(tmp_path / "a.json")])
    textmate.main([str(tmp_path / "a.tmLanguage")])
    textmate.main([])
    assert (tmp_path / "a.json").read_text(encoding="utf-8") == textmate.text() == capsys.readouterr().out
    assert plistlib.loads((tmp_path / "a.tmLanguage").read_bytes()) == GRAMMAR


def test_every_pattern_is_a_regular_expression_and_every_include_leads_somewhere() -> None:
    for name, context in contexts().items():
        re.compile(context.end)
        for rule in rules(GRAMMAR["patterns"] if name == "root" else GRAMMAR["repository"][name]["patterns"]):
            for key in {"match", "begin", "end"} & rule.keys():
                re.compile(rule[key])
                # Python knows these signs; Oniguruma reads them differently or not at all.
                assert not re.search(r"\(\?P|\(\?\(|\\Z|[*+?}]\+", rule[key])


@pytest.mark.parametrize("text", params())
def test_an_editor_marks_the_words_that_begin_statements(text: str) -> None:
    marked = scopes(text)
    places = {at for at, scope in marked.items() if scope == "keyword.control.statement.puzzle"}
    assert {at for at in places if at - 1 not in places} == first_words(text)


@pytest.mark.parametrize("text", params("strange", "continued"))
def test_an_editor_and_pygments_see_the_same(text: str) -> None:
    names = {f"Token.{look.token}": f"{look.scope}.puzzle" for look in ROLES.values() if look.scope}
    marked, at = scopes(text), 0
    for kind, value in PuzzleLexer(stripnl=False).get_tokens(text):
        for offset, sign in enumerate(value):
            if not sign.isspace():
                assert marked.get(at + offset) == names[str(kind)], (text[max(0, at - 20) : at], value)
        at += len(value)
