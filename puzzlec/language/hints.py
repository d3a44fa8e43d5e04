"""Help for errors in the puzzle language: a table of frequent mistakes, and descriptions of expected parts.

Malformed examples decide which part is expected: the parser has the same state after each. As in Lark's
`match_examples` the state decides, but each example is parsed once, not once for each error.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

import lark
from lark.exceptions import UnexpectedInput

from puzzlec.geometry.families import apart_by_mirror, family_names
from puzzlec.language.elaborate import KEYWORDS, STATEMENTS, WORDS
from puzzlec.language.parsing import parser

#: First words of lines from other languages, and the statement that is meant.
BEGINNINGS = {
    "title": "puzzle",
    "name": "puzzle",
    "grid": "lattice",
    "board": "locations",
    "box": "locations box",
    "cells": "locations cells",
    "area": "locations",
    "shape": "piece",
    "tile": "piece",
    "tiles": "pieces",
    "library": "pieces",
    "put": "place",
    "holes": "empty",
    "rim": "border",
}


class Slip(NamedTuple):
    """Patterns for the text before an error (to its end) and for the text at it, and the suggestion.

    ``{1}`` and so on in the suggestion are groups of the second pattern, ``{name}`` a named group of the first.
    If the first pattern has the group ``wrong``, the mistake is there, and ``expected`` says what should be there.
    """

    before: str
    there: str
    help: str
    expected: str = ""


#: The words of statements except `for` and `param`, which have their own hints.
_STATEMENTS = "|".join(word for word in KEYWORDS if word not in ("for", "param"))

_PIECE = r"^\s*piece\s.*"
_REGION = r"\b(?:box|cells|inside|on|off|locations)\b.*"

#: What separates two sizes instead of a small x, or a small x with spaces.
_TIMES = r"(?:\s*[xX×*,]\s*|\s*by\s+|\s+)"

#: Cells that are left out, written in brackets.
_HOLES = r"(?:holes?|hollow|gaps?|remove)\s+(?:at\s+)?(\([-\d,\s]+\)(?:\s*,?\s*\([-\d,\s]+\))*)"

#: The value of a loop, and a list of variables or values after the first one.
_VALUE, _MORE = r"[\w.+*%-]+", r"((?:\s*,\s*\w+)*)"

#: Mistakes before the place where the parser stops.
EARLIER = (
    Slip(
        r"^\s*(?:optional\s+)?locations\s+\(?\s*(?P<wrong>sides)\s+of\b[^\n]*$",
        r"",
        "write `edges of`",
        "`edges of`",
    ),
    Slip(
        r"\bfor\b.*\bin\s+\S.*?(?P<wrong>\band)\s+\w+\s*$",
        r"in\b",
        "write `,` instead of `and`",
        "`,` between two variables of a loop",
    ),
    Slip(
        r"^\s*match\s+(?P<first>\S+?)(?P<wrong><->|->|[=:,/+-])(?P<second>\S+)\s*$",
        r"$",
        "write `match {first} {second}`",
        "a space between the colours",
    ),
    Slip(
        r"^\s*match\s+(?P<first>\S+)\s+(?P<wrong>with|to|and|on|meets|<->|->|[=:,/+-])\s+$",
        r"(\S+)\s*$",
        "write `match {first} {1}`",
        "a second colour",
    ),
    Slip(
        r"^\s*allow\s+(?P<first>[^\s,]+)\s*(?P<wrong>,)\s*$",
        r"\S+\s+on\s+(\S(?:[^#\n]*[^\s#])?)",
        "write a separate statement for each colour: `allow {first} on {1}`",
        "one colour before `on`",
    ),
    Slip(
        r"^\s*allow\s+(?P<first>[^\s:]+)\s*(?P<wrong>:)\s*$",
        r"(\S(?:[^#\n]*[^\s#])?)",
        "write `allow {first} on {1}`",
        "`on` between the colours",
    ),
    Slip(
        r"^\s*rule\s+(?P<wrong>sum)\s*$",
        r"(?:of\s+)?(?:\(\s*([\w\"][^()\n]*?)\s*\)|([^<>=\s(][^<>=\n]*[^<>=\s]|\w))\s*(<=|>=|<|>|=)=?\s*(\d+)",
        "write `rule {1}{2} sum {3} {4}`",
        "a region first",
    ),
    Slip(
        r"^\s*rule\s+(?P<wrong>all)\s+$",
        r"(equal|different)\s+(?:(?:on|in|of)\s+)?([^#\n]*[^#\s])",
        "write `rule {2} all {1}`",
        "a region first",
    ),
    Slip(
        r"^\s*piece\s+(?P<name>[\w-]+)\s+(?P<wrong>x)\{(?P<drawing>[x./\s]+)\}\s*$",
        r"$",
        "write the number of copies after it: `piece {name} x2 {{{drawing}}}`",
        "a number of copies",
    ),
)

SLIPS = (
    # Words of version 0.1
    Slip(_PIECE, r"edges\s+(\S[^#\n]*[^\s#]|\S)", "write `sides` for the colours of a tile: `sides {1}`"),
    Slip(
        r"^\s*(?:fix|forbid)\s+\S+\s+$",
        r"edges\s+(\S[^#\n]*?)\s+at\b",
        "write `sides` for the colours of a tile: `sides {1}`",
    ),
    Slip(r"", r"sides\s+of\b", "write `edges of`"),
    # Lists of variables and of pieces
    Slip(
        r"\bfor\s+(?P<first>\w+)\s*$",
        rf",\s*(\w+)\s+in\s+({_VALUE})\s*,\s*({_VALUE})(?![\w.]|\s+in\b)",
        "write each variable with its range: `for {first} in {2}, {1} in {3}`",
    ),
    Slip(
        r"\bfor\s+(?P<first>\w+)\s*$",
        rf",\s*(\w+)\s+in\s+({_VALUE}|\([^()\n]*\))",
        "write each variable with its range: `for {first} in {2}, {1} in {2}`",
    ),
    Slip(
        r"\bfor\s+(?P<first>\w+)\s*$",
        rf",\s*(\w+)\s*,\s*(\w+)\s+in\s+({_VALUE}|\([^()\n]*\))",
        "write each variable with its range: `for {first} in {3}, {1} in {3}, {2} in {3}`",
    ),
    Slip(r"\bfor\b.*\bin\s+\S.*$", r"(&&?|;|for\b)(?=\s*\w+\s+in\b)", "write `,` instead of `{1}`"),
    Slip(
        r"^\s*(?P<word>place|fix|forbid)\s+(?:\w\S*|\"[^\"\n]*\")\s*$",
        r"(?:,|and\b)|[\w\"][^\n]*?\s(?:inside|on|off|at)\s",
        "write a separate `{word}` for each piece",
    ),
    # Names
    Slip(
        r"\S",
        rf"({'|'.join((*WORDS, 'inside', 'x'))})\[",
        'write the name in quotes: `"{1}"[...]`',
    ),
    Slip(
        r"^\s*lattice\s+\w[\w-]*$",
        r"[./\\]\S*ya?ml\b",
        'write a file name in quotes, such as `lattice "my.yaml"`',
    ),
    # Comments and ends of statements
    Slip("", r"//|--|/\*|%|'''", "write `#` before a comment"),
    Slip(r"^\s*$", ";", "write `#` before a comment"),
    Slip("", r";", "remove the `;`"),
    Slip(
        r"\bcovers\b.*\}\s*$",
        r"(x\s*[\d*]\S*|one-sided|fixed|free)\b",
        "write it before `covers`: `piece A {1} covers ...`",
    ),
    Slip(r"\bcovers\s+\(\s*$", r"-?\d", "write each placement in braces: `covers {{(0,0) (1,0)}}`"),
    Slip(
        r"\}\s*$",
        r"(x\s*[\d*]\S*|one-sided|fixed|free)\b",
        "write it before the drawing: `piece A {1} {{ ... }}`",
    ),
    Slip(
        r"\}\s*$",
        r"mirror(?:ed|able)?\b|reflect(?:ed|able)\b|rotatable|flippable|reversible",
        "write `free` before the drawing: `piece A free {{ ... }}`",
    ),
    # A word before a brace or `=` is part of a name; the first word after `puzzle` is part of a title.
    Slip(
        r"^(?!\s*puzzle\s+$).*\S\s*$",
        rf"(?:locations|(?!\w+\s*[={{])(?:{_STATEMENTS}))\s",
        "begin each statement on a new line",
    ),
    Slip(r"\*$", r"\*", "write a product: `n*n`"),
    Slip(r"\bin\s+\S*\.\.$", r"\.", "write a range as `1..8`, which includes both ends"),
    # Typographic characters of word processors
    Slip("", r"[“”„«»‘’]", 'write names in straight double quotes: `"big L"`'),
    Slip("", r"[−–—]", "write the minus of the keyboard: `-`"),
    Slip("", r"[^\S \t\n]", "write a plain space"),
    # Titles and names
    Slip(r"^\s*puzzle\s+$", r"'([^'\n]*)'|(\w(?:[^\"#\n]*\w)?)", 'write the title in double quotes: `puzzle "{*}"`'),
    Slip(r"^\s*piece\s+$", r"\{", "give the piece a name: `piece A {{ ... }}`"),
    Slip(r"^\s*piece\s+$", r"=", "give the piece a name before the `=`"),
    Slip(
        r"^\s*$",
        r"\d+\s*[xX*×]?\s*pieces?\s+(\"[^\"\n]*\"|[^\W\d][\w-]*)",
        "write the number of copies after the name, such as `piece {1} x3 {{ ... }}`",
    ),
    # Freedom and number of copies
    Slip(_PIECE, r"one[ _]?sided", "write `one-sided`"),
    Slip(_PIECE, r"two[ _-]?sided|flippable", "write `free`, or nothing"),
    Slip(_PIECE + r"x(?P<least>\d+)$", r"\s*(?:-|to|\.\.\.)\s*(\d+)", "write a range as `x{least}..{1}`"),
    Slip(_PIECE + r"x\d+$", r"\.", "write a range as `x2..4` or `x2..*`"),
    Slip(_PIECE + r"\bcovers\s+$", r"[^{(\s]", "write each placement in braces: `covers {{0 1}} {{2 3}}`"),
    Slip(
        r"^\s*piece\s+(?P<name>\S+).*?\s*=\s*(?P<shape>.*?)\s*$",
        r"(x\s*[\d*]\S*|one-sided|fixed|free)(?!\w)",
        "write it before the `=`: `piece {name} {1} = {shape}`",
    ),
    Slip(_PIECE, r"[xX*×]\s*(\d+)\b", "write a number of copies as `x{1}`"),
    Slip(_PIECE, r"\(?(\d+)[xX*×]?\)?(?![\w.,])", "write a number of copies as `x{1}`"),
    Slip(r"^\s*piece\s+\S+\s+$", r"(\d+)\s*(?:\.\.|-|to\b)\s*(\d+)(?!\w)", "write a range of copies as `x{1}..{2}`"),
    Slip(_PIECE, r"chiral\b|asymmetric\b|rotat(?:es?|ed|ing)\b", "write `one-sided` (rotated, not reflected)"),
    Slip(r"^\s*piece\s+[\w-]+\s+$", r"x\s*([a-z])\s*[{=]", "write a number of copies as `x{{{1}}}`"),
    Slip(
        r"^\s*piece\s+[\w-]+\s+$",
        r"x\s*=?\s*(\d*)\s*[{=]",
        "write the number of copies after the `x`, such as `x2`",
    ),
    # The shape of a piece
    Slip(
        r"^\s*piece\s+(?:[\w-]*oes|[\w-]*cubes|soma)\s*$",
        r"$|except\b",
        "write `pieces` for all shapes of a library",
    ),
    Slip(r"^\s*piece\s+\w+\s*$", r"[x.]*x[x./]*\s*$", "write a drawing in braces: `{{ xx/x. }}`"),
    Slip(
        _PIECE,
        r"mirror(?:ed|able)?\b|reflect(?:ed|able)\b|reversible",
        "write `free` to allow rotations and reflections",
    ),
    Slip(
        _PIECE,
        r"no[ -]?(?:rotat|turn|flip)\w*|unturned|static",
        "write `fixed` (as drawn) or `one-sided` (not reflected)",
    ),
    Slip(r"^\s*pieces\s+\w+\s*(?:x\S+\s*)?$", r"\{", "write `piece` for one piece with its drawing"),
    Slip(
        r"^\s*piece\s+(?P<copies>x[\d*][\d.*]*)\s+$",
        r"([^\W\d][\w-]*)\s*[{=]",
        "write the number of copies after the name: `piece {1} {copies}`",
    ),
    Slip(
        r"^\s*piece\s+(?P<name>[^\W\d][\w-]*)\s+$",
        r"([^\W\d][\w-]*(?:\s+(?!x[\d*])[^\W\d][\w-]*)*)\s*(?:x[\d*]\S*\s*)?[{=]",
        'write a name with spaces in double quotes: `piece "{name} {1}"`',
    ),
    Slip(
        r"^\s*piece\s+(?P<copies>\d+)\s*[xX*×]?\s+$",
        r"([^\W\d][\w-]*)\s*[{=]",
        "write the number of copies after the name: `piece {1} x{copies}`",
    ),
    Slip(
        r"^\s*piece\s+(?P<name>[^\W\d][\w-]*)\s+(?P<copies>x[\d*][\d.*]*)\s*$",
        r"$",
        "write its shape: `piece {name} {copies} {{ xx/x. }}`",
    ),
    Slip(_PIECE + r"=\s*$", r"\{", "remove the `=` before the drawing"),
    Slip(_PIECE, r":\s*\{", "remove the `:` before the drawing"),
    Slip(_PIECE, r":\s*([x.]*x[x./ ]*[x.])\s*$", "write a drawing in braces: `{{ {1} }}`"),
    Slip(_PIECE, r":", "write `=` before a shape of a library"),
    Slip(
        rf"^\s*(?:{_STATEMENTS}|optional\s+locations)\s*$",
        r"([:=])",
        "remove the `{1}`",
    ),
    Slip(_PIECE, r"[\[(][x./\s]+", "write a drawing in braces: `{{ xx/x. }}`"),
    Slip(r"^\s*piece\s+\w+\s*\[[x.\s]*$", r"[/.\]]", "write a drawing in braces: `{{ xx/x. }}`"),
    # Expressions
    Slip(
        r"^\s*for\b[^{]*$",
        r"$",
        "write repeated statements in braces, and a `for` clause on the line of the entry that it repeats",
    ),
    Slip(
        r"[\[({=][^\]})]*$|\b(?:in|where)\b.*$|\.\.\s*\S*$",
        r"/(?!/)",
        "write `//` to divide and round down",
    ),
    Slip(r"\b(?:in|where)\b.*$|\[[^\]]*$", r"\^|\*\*", "write a product: `n*n`"),
    Slip(r"\bwhere\b.*$", r"=", "write `==` to compare"),
    Slip(r"\bwhere\b.*$", r"<>|≠", "write `!=` to compare"),
    Slip(r"\bwhere\b.*$", r"&&?|,", "write `and` between conditions"),
    Slip(r"\bwhere\b.*$", r"\|", "write `or` between conditions"),
    Slip(r"\bwhere\s+$|\b(?:and|or)\s+$", r"!", "write `not` before a condition"),
    Slip(r"\bfor\s+\w+\s*$", r"=|from\b|:", "write `in` before the range: `for i in 1..8`"),
    Slip(r"\bfor\s.*\bin\s+range\s*$", r"\(", "write a range as `1..8`, which includes both ends"),
    Slip(r"\bfor\b.*\bin\s+[\w+*-]+\s*$", r"(?:\.\.\.|-|to\b|:)", "write a range as `1..8`, which includes both ends"),
    Slip(r"\bfor\b.*\bin\s+$", r"[\[{]", "write a list in brackets: `in (1, 3, 7)`"),
    Slip(r"\bfor\b.*$", r"if\b|when\b", "write `where` before a condition"),
    Slip(r"\bfor\b[^{]*$", r":", "write the statements that repeat in braces: `for i in 1..8 {{ ... }}`"),
    Slip(r"\}\s*$", r"for\b", "write a block to repeat a piece: `for i in 1..8 {{ piece A[i] {{ ... }} }}`"),
    Slip(r"^\s*param\s+\w+\s*$", r"\S+", "write `=` before the value: `param n = 8`"),
    Slip(r"^\s*\w+\s+\S+\s*\[[^\]]*$", r"$", "write `]` after the index"),
    Slip(_PIECE + r"=\s*mirror\s*$", r"$", "write the name of a piece: `= mirror A`"),
    Slip(
        _PIECE + r"=\s*(?:mirror\s+)?(?P<library>[\w-]+)\s*$",
        r"([\w-]+)",
        "write a dot between library and shape: `{library}.{1}`",
    ),
    Slip(_PIECE + r"=\s*[\w-]+\s+\d+\s*$", r"$|-?[\w-]+", "write a dot before the shape: `polyominoes 7.7-12`"),
    Slip(r"^\s*piece\s+\w+\s*$", r"[\w-]+\s*\.\s*\w+", "write `=` before a shape of a library"),
    Slip(
        r"^\s*piece\s+\w+\s*$",
        r"[^\W\d]\w*\s*$|$",
        "write its shape: `piece A {{ xx/x. }}` or `piece F = pentominoes.F`",
    ),
    Slip(r"^\s*piece\s+\w+\s*$", r",", "write a separate statement for each piece"),
    Slip(r"^\s*pieces\s+all\s+$", r"(?:the\s+)?([\w-]+)", "remove `all`: `pieces {1}`"),
    Slip(
        r"^\s*pieces\s+(?P<name>[A-Z]\d*)\s*$",
        r"((?:\s*,\s*[A-Z]\d*)+)",
        "name the library before the pieces, such as `pieces pentominoes only {name}{1}`",
    ),
    Slip(r"^\s*pieces\s+[\w-]+(?:\s+\d+)?\s*$", r",", "write a separate statement for each library"),
    Slip(
        r"^\s*pieces\s+(?P<name>[\w-]+)$",
        r"\.([\w-]+)",
        "write `only` before the pieces to take: `pieces {name} only {1}`",
    ),
    Slip(r"^\s*pieces\s+poly\w+\s+\d+\s*$", r"\.\.|\d", "write a separate statement for each size"),
    Slip(
        r"^\s*pieces\s+poly\w+\s*$",
        r"\(|(?!but|without|minus|not?\b)[^\W\d]\w*(?:\s|$)|-?\d",
        "write the size after the family, as a number or in braces: `polyominoes 7`, `polyominoes {{n}}`",
    ),
    *(
        Slip(
            rf"^\s*pieces\s+{word}\s+$",
            r"([\w-]+(?:\s+\d+)?)",
            f"write `{word}` after the shapes: `pieces {{1}} {word}`",
        )
        for word in ("free", "one-sided", "fixed")
    ),
    Slip(
        r"^\s*pieces\s+(?P<size>\d+)\s*$",
        rf"({'|'.join(family_names())})\s*(?:#|$)",
        "write the size after the family: `{1} {size}`",
    ),
    Slip(
        r"^\s*pieces\s+(?:x(?P<copies>\d[\d.*]*)|(?P<number>\d+)[xX*×]?)\s*$",
        r"[xX*×]?\s*([^\W\d][\w-]+(?:\s+\d+)?)",
        "write the number of copies after the name: `pieces {1} x{copies}{number}`",
    ),
    Slip(r"^\s*pieces\s+[\w-]+\s*$", r"but|without|minus|not|no|-", "write `except` before the pieces to leave out"),
    Slip(
        r"^\s*pieces\s+(?!(?:x[\d*]|free\b|fixed\b|one-))[a-z][\w-]+(?:\s+\d+)?(?:\s+(?:x[\d*]\S*|one-sided|fixed|free))*\s*$",
        r"(?:with|just|=|:|\{)?\s*([A-Z]\w*(?:\s*,\s*\w+)*)",
        "write `only` before the pieces to take: `only {1}`",
    ),
    Slip(r"\b(?:only|except)\s.*\w\s*$", r"only\b|except\b", "write `only` or `except`, not both"),
    *(
        Slip(rf"\b{word}\s.*\w\s*$", found, help)
        for word in ("except", "only")
        for found, help in (
            (r"(x[\d*]\S*|one-sided|fixed|free)(?!\w)", f"write `{{1}}` before `{word}`"),
            (r"\w|and", "write a comma between the names"),
        )
    ),
    # Regions
    Slip(r"^\s*$", _HOLES, "write it at the end of `locations`: `- cells {1}`"),
    Slip(_REGION, _HOLES, "write `- cells {1}`"),
    Slip(
        r"\bbox\s+$",
        r"(?:\d+[xX×*])?\(?([^\W\d]\w*?)\)?(?:\s*[xX×*]|\s*$)",
        "write a parameter in braces: `{{{1}}}`",
    ),
    *(
        Slip(
            rf"\bbox\s+(?P<first>\d+{already})\s*$",
            rf"{_TIMES}?(\d+){more}(?![\w(])",
            f"write the sizes without spaces and with a small x: `box {{first}}x{{1}}{last}`",
        )
        for already, more, last in (("", rf"{_TIMES}(\d+)", "x{2}"), (r"(?:x\d+)?", "", ""))
    ),
    Slip(r"\bbox\s+(\d+)(?:x\d+)*\s*$", r"[xX×*]|by\b", "write the sizes without spaces and with a small x: `box 3x3`"),
    Slip(r"\bbox\s+$", r"(\d+)\s*[xX×*,]\s*(\d+)", "write the sizes without spaces and with a small x: `box {1}x{2}`"),
    Slip(r"\bbox\s+$", r"\(\s*(\d+)\s*,\s*(\d+)\s*\)", "write the sizes without brackets: `box {1}x{2}`"),
    Slip(r"[-+&(]\s*$|\b(?:inside|on|off|at|per)\s+$", r"(\d+x\d+\S*)", "write `box {1}`"),
    Slip(
        r"(?:[-+&]|locations|\b(?:inside|on|off|at|per))\s*\(\s*$",
        r"-?\d",
        "write `cells` before it: `cells (0,0) (1,0)`",
    ),
    Slip(_REGION, r"(?:without|minus|except|but)\b", "write `-` before the region to leave out"),
    Slip(_REGION, r"(?:and|plus|or)\b", "write `+` between regions"),
    Slip(
        r"^(?!\s*(?:fix|forbid)\s+\S+\s+at\s+$).*\bat\s+$",
        r"(-?\d+\s*,\s*-?\d+(?:\s*,\s*-?\d+)?)",
        "write the coordinates in brackets: `at ({1})`",
    ),
    Slip(r"\b(?:box\s+[\dx]+|\})\s*$", r"\(", "write `at` before the coordinates"),
    Slip(r"\(\s*-?\d+\s+$", r"-?\d", "write a comma between coordinates: `(3,3)`"),
    Slip(
        r"^\s*(?:place|fix|forbid)\s.*\b(?:inside|on|off|at|per)\s+$",
        r"(?:the\s+|an?\s+)?(?:corner|edge|face|border|rim|middle|cent(?:re|er))s?\b",
        "write a region such as `box 2x2 at (0,0)` (`corner` and `edge` work only with `puzzlec solutions --where`)",
    ),
    # Rules
    Slip(r"^\s*(?:place|cost)\s.*$", r"(?:in|within)\b", "write `inside` (all of the piece) or `on` (a part of it)"),
    Slip(r"^\s*place\s+\S+\s+$", r"at\b", "write `inside`, or `fix` for exactly these cells"),
    Slip(r"^\s*place\s+\S+\s+$", r"touch(?:es|ing)?\b", "write `on` and a region: `on box 2x2 at (0,0)`"),
    Slip(r"^\s*place\s+\S+\s+$", r"(?:not|out|outside)\b", "write `off` and a region"),
    Slip(r"^\s*(?:fix|forbid)\s+\S+\s+$", r"in\b", "write `at` before the cells of the placement"),
    Slip(r"^\s*(?:fix|forbid)\s+\S+\s+$", r"\S+", "write `at` and all cells of the placement: `at cells (0,0) (1,0)`"),
    Slip(
        r"^\s*(?:place|fix|forbid)\s.*\b(?:inside|on|off|at|per)\s+$",
        r"(-?\d+\s*,\s*-?\d+(?:\s*,\s*-?\d+)?)",
        "write `cells` before it, and coordinates in brackets: `cells ({1})`",
    ),
    Slip(r"^\s*(?:place|fix|forbid)\s+(?:inside|on|off|at)\s+$", r"\w", "name the piece before the region"),
    Slip(
        r"^\s*allow\s+(?P<first>\S+)\s+$",
        r"(?:and\s+|,\s*)?[^\s,]+\s+on\s+(\S(?:[^#\n]*[^\s#])?)",
        "write a separate statement for each colour: `allow {first} on {1}`",
    ),
    Slip(r"^\s*allow\s+(?P<first>\S+)\s+$", r"(\S+)", "write `on` between the colours: `allow {first} on {1}`"),
    Slip(r"^\s*empty\s+\d+\s*$", r"\.\.\s*\*|\.\.$", "remove `empty` if any number may stay empty"),
    Slip(r"^\s*empty\s+$", r"\d+\.\.\*", "remove `empty` if any number may stay empty"),
    Slip(r"^\s*empty\s+\d+\s*$", r"(?:-|to|,)?\s*(\d+)", "write a range as `0..{1}`"),
    Slip(r"^\s*empty\s+$", r"[^\W\d]\w*\s+(\d+)", "write the number alone: `empty {1}`"),
    Slip(r"^\s*optional\s+$", r"\S", "write `optional locations` before the region"),
    # Lists
    Slip(r"\S\s*$", r",", "write a space instead of the comma"),
)


def help_for(before: str, there: str) -> tuple[str, ...]:
    """Return the suggestion for a statement with an error, from the text before and after it; nothing if unknown.

    >>> help_for("piece A ", "x 3 { xx }")
    ('write a number of copies as `x3`',)
    """
    if re.fullmatch(r"\s*pieces\s+one-sided\s+", before) and (name := re.match(r"([\w-]+)(?:\s+(\d+))?", there)):
        apart = apart_by_mirror(name[1])
        if apart is not None and not name[2]:
            return (f"write `pieces {apart.name}`",)
    for slip in SLIPS:
        if filled := _filled(slip, before, there):
            return (filled[0],)
    return ()


class Misplaced(NamedTuple):
    """A mistake before an error: its beginning and end in the text before the error, the message, the suggestion."""

    start: int
    end: int
    message: str
    help: str


def earlier(before: str, there: str) -> Misplaced | None:
    """Return the mistake that precedes an error, from the text before and after the error; None if unknown.

    >>> earlier("match A=a", "")
    Misplaced(start=7, end=8, message='expected a space between the colours, found `=`', help='write `match A a`')
    """
    for slip in EARLIER:
        if filled := _filled(slip, before, there):
            help, found = filled
            message = f"expected {slip.expected}, found `{found['wrong']}`"
            return Misplaced(*found.span("wrong"), message, help)
    return None


def _filled(slip: Slip, before: str, there: str) -> tuple[str, re.Match[str]] | None:
    """Return the suggestion for a mistake, and the match of its first pattern; None if the patterns do not match."""
    match = re.match(slip.there, there)
    found = re.search(slip.before, before, re.DOTALL) if match else None
    if not match or not found:
        return None
    groups = match.groups("")
    whole = next((group for group in groups if group), "")
    named = {name: text or "" for name, text in found.groupdict().items()}
    return slip.help.replace("{*}", "{whole}").format(match.group(), *groups, whole=whole, **named), found


#: Descriptions of parts that several statements have, with malformed examples that end where the part is missing.
_PARTS: dict[str, tuple[str, ...]] = {
    "a region such as `box 2x2 at (0,0)` or a drawing": ("locations box 1x1 + }", "locations box 1x1 - }"),
    "sizes such as `10x6`": ("locations box }",),
    "cells such as `(0,0)`, or names": ("locations cells }",),
    "coordinates such as `(3,3)`": ("locations box 1x1 at }",),
    "a variable": ("piece A covers {a} for }",),
    "`in` and a range such as `1..8`": ("piece A covers {a} for i }",),
    "a range such as `1..8`, or a list such as `(1, 3, 7)`": ("piece A covers {a} for i in }",),
    "a condition": ("piece A covers {a} for i in 1..2 where }",),
    "an index such as `1` or `i+1`": ("piece A[ ]", "locations a[ ]", "fix A[ ]"),
    "a coordinate": ("locations cells ( )",),
}


def _examples() -> dict[str, tuple[str, ...]]:
    examples: dict[str, tuple[str, ...]] = {}
    for part in (*(statement.expects for statement in STATEMENTS), _PARTS):
        for words, texts in part.items():
            examples[words] = (*examples.get(words, ()), *texts)
    return examples


#: Descriptions of expected parts, with malformed examples that end where the part is missing.
EXAMPLES = _examples()


def by_example(error: Exception) -> str | None:
    """Return a description of the expected part at a parse error; None if no example matches."""
    here = _position(error)
    if here is None:
        return None
    for words, examples in EXAMPLES.items():
        for example in examples:
            if _state(example, parser("puzzle")) == here:
                return words
    return None


def _position(error: Exception) -> object:
    """Return the number of the parser's state at an error."""
    state = getattr(error, "state", None)
    return getattr(state, "position", state)


@cache
def _state(example: str, machine: lark.Lark) -> object:
    """Return the parser's state at the end of an example. Another parser may number its states differently."""
    try:
        machine.parse(example + "\n", start="start")
    except UnexpectedInput as error:
        return _position(error)
    raise AssertionError(f"the example {example!r} is not malformed")
