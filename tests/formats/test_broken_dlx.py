from __future__ import annotations

import pytest

from puzzlec.diagnostics import PuzzleError, Report, Source
from puzzlec.formats.reading import read
from tests.broken import refused

BROKEN: dict[str, tuple[str | bytes, list[str]]] = {
    "only remarks": ("| nothing\n| here\n", ["PZ281"]),
    "no items before the options": ("|\n\n  | a\n", ["PZ281"]),
    "an item twice": ("a b a\na\n", ["PZ281"]),
    "an item primary and secondary": ("a b | a\na\n", ["PZ281"]),
    "a second bar": ("a | x | y\na\n", ["PZ281"]),
    "bars glued to the names": ("a|b\na\n", ["PZ281"]),
    "a lower bound without an upper one": ("2:a b\nb\n", ["PZ281"]),
    "bounds of no name": ("a 2:3|\na\n", ["PZ281"]),
    "bounds that run backwards": ("3:2|a\na\n", ["PZ281"]),
    "an upper bound of nothing": ("0|a b\nb\n", ["PZ281"]),
    "bounds that are no numbers": ("x:3|a\na\n", ["PZ281"]),
    "an upper bound that is a star": ("0:*|a b\nb\n", ["PZ281"]),
    "a negative bound": ("-1:3|a\na\n", ["PZ281"]),
    "a huge bound": ("0:99999999999|a\na\n", ["PZ281"]),
    "a bound just too great": ("0:2147483648|a\na\n", ["PZ281"]),
    "bounds of a secondary item": ("a | 2|x\na\n", ["PZ281"]),
    "two bounds": ("2|3|a\na\n", ["PZ281"]),
    "an unknown item": ("a b\na c\n", ["PZ282"]),
    "copies as polycube-dlx writes them": ("a 4*Z\na Z\n", ["PZ282"]),
    "a bar in an option": ("a b\na | b\n", ["PZ282"]),
    "a cost that is not a number": ("a b\na b |x\n", ["PZ282"]),
    "an item twice in an option": ("a b\na b a\n", ["PZ283"]),
    "an item twice with colours": ("a | x\na x:1 x:2\n", ["PZ283"]),
    "a colour of a primary item": ("a b | x\na:1 b\n", ["PZ284"]),
    "no colour behind the colon": ("a | x\na x:\n", ["PZ284"]),
    "two colours": ("a | x\na x:1:2\n", ["PZ284"]),
    "an item without a name": ("a | x\na :2\n", ["PZ282"]),
    "a blank between bounds and their bar": ("2 | a b\na\nb\na b\n", ["PZ281"]),
    "a blank that belongs there": ("1 2 | a b\n1 a\na c\na\nb\n", ["PZ281", "PZ282"]),
    "commas between the items": ("a,b,c\na\nb\nc\n", ["PZ282"]),
    "commas in an option": ("a b c\na,b\nc\n", ["PZ282"]),
    "a cost glued to an item": ("a b\na b|5\n", ["PZ282"]),
    "many faults": ("a | x\nb\na a\nx\n", ["PZ282", "PZ283", "PZ285"]),
    "null": (b"a\0b\n", ["PZ002"]),
    "not UTF-8": (b"a b\n\xff\n", ["PZ002"]),
    "empty": ("", ["PZ003"]),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_dlx_text_is_refused_with_a_position(name: str) -> None:
    text, codes = BROKEN[name]
    assert sorted(refused(text, "dlx")) == codes


HINTS = {
    "2 | a b\na\n": "write `2|a`, without a space, for bounds",
    "2 | a b\na\n2 b\nz\n": None,
    "a,b,c\na\nb\n": "write `a b c` in the line of items: spaces separate them",
    "0,0 1,0\n0,0\n1,0 0\n": None,
    "a b c\na,b\nc\n": "write `a b`: spaces separate items",
    "a b\na b|5\n": "write `b |5`, with a space, for a cost",
    "a b\na b|c\n": None,
}


@pytest.mark.parametrize("text", HINTS)
def test_mistakes_with_spaces_get_a_suggestion(text: str) -> None:
    with pytest.raises(PuzzleError) as caught:
        read(Source("x.dlx", text), "dlx", Report())
    hints = [line for diagnostic in caught.value.diagnostics for line in diagnostic.helps if line.startswith("write")]
    assert hints == ([HINTS[text]] if HINTS[text] else [])
