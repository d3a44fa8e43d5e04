"""Texts from the grammar by hypothesis.extra.lark: valid, but unlike the texts of people."""

from __future__ import annotations

import re

import lark
from hypothesis import strategies as st
from hypothesis.extra.lark import from_lark

from puzzlec import resources

#: Texts for terminals that are not fixed words, with a space after them if words would join.
_TERMINALS: dict[str, st.SearchStrategy[str]] = {
    "NAME": st.sampled_from(["A ", "b ", "c ", "pentominoes ", "trominoes ", "I ", "square ", "none ", "cubic ", "7 "]),
    "STRING": st.sampled_from(['"A" ', '"a b" ', '"" ', '"7" ']),
    "COLOUR": st.sampled_from(["r ", "b ", "1 ", "x ", "{ ", "rb "]),
    "SIGN": st.sampled_from(["r ", "b ", "1 ", "{n} ", "{i+1} ", "{} ", "rb ", "? "]),
    "DRAWING": st.text("xx.rb? /12#\n", max_size=9).map(lambda text: "{" + text.replace("#", "# }\n") + "} ")
    | st.sampled_from(["{ x{n} } ", "{ {1}/{i} } ", "{} ", "{ {} } ", "{ 12/.1 } "]),
    "SIZE": st.sampled_from(["1", "2x2", "3x2x1", "{n}x2", "0x1", "{i}x{n+1}"]).map(lambda size: size + " "),
    "COPIES": st.sampled_from(["x2 ", "x0..2 ", "x* ", "x{n} ", "x2..1 ", "x{i}..* ", "x0 "]),
    "FREEDOM": st.sampled_from(["one-sided ", "fixed ", "free "]),
    "VARIABLE": st.sampled_from(["n ", "i ", "j ", "k "]),
    "NUMBER": st.sampled_from(["0 ", "1 ", "2 ", "3 ", "5 "]),
    "FUNCTION": st.sampled_from(["min", "max", "abs"]),
    "COMPARISON": st.sampled_from(["==", "!=", "<", ">="]),
    "TIMES": st.sampled_from(["*", "//", "%"]),
    "_NL": st.sampled_from(["\n", "\n\n", "\r\n"]),
}


def _explicit(grammar: lark.Lark) -> dict[str, st.SearchStrategy[str]]:
    """Return a strategy for every terminal; a space follows fixed words."""
    explicit = dict(_TERMINALS)
    for terminal in grammar.terminals:
        if terminal.name not in explicit:
            ignored = terminal.name in grammar.ignore_tokens
            word = " " if ignored else terminal.pattern.value + " "
            explicit[terminal.name] = st.just(word)
    return explicit


def texts() -> st.SearchStrategy[str]:
    """Texts, most of which fit the grammar; some have a part that is cut off or doubled."""
    grammar = lark.Lark(resources.grammar("puzzle"), parser="lalr", start="start")
    whole = from_lark(grammar, start="start", explicit=_explicit(grammar))
    statement = from_lark(
        lark.Lark(resources.grammar("puzzle") + "\none: _statement\n", parser="lalr", start=["start", "one"]),
        start="one",
        explicit=_explicit(grammar),
    )
    listed = st.lists(statement | st.sampled_from(_GOOD), min_size=1, max_size=6).map("\n".join)
    return (whole | listed | listed).flatmap(_harmed)


_GOOD = (
    "param n = 3", "colours r b 1 2 3", "locations box 3x2", "lattice none", "locations names a b A c[1] c[2] 7",
    "piece A { xx/x. }", "piece b covers {a b} {c[i] a} for i in 1..2", "for i in 1..2 {\n  piece A[i] { x }\n}",
)  # fmt: skip


def _harmed(text: str) -> st.SearchStrategy[str]:
    parts = re.findall(r"\w+|\s+|.", text) or [""]
    place = st.integers(0, len(parts) - 1)
    return st.just(text) | st.builds(
        lambda at, end, copy: "".join(parts[:at] + parts[at:end] * copy + parts[end:]),
        place,
        place,
        st.sampled_from([0, 0, 1, 2]),
    )
