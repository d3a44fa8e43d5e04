"""The table of common mistakes in the puzzle language: how each is written, and what is meant.

:mod:`puzzlec.language.hints` tries the rows on a statement that cannot be read, alone and one after another, and
suggests the first statement that can be read. So a row needs no context: a row that does not help is never seen.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from puzzlec.diagnostics import near
from puzzlec.geometry.board_shapes import BOARD_SHAPES
from puzzlec.geometry.drawing.rows import dotted
from puzzlec.geometry.families import ShapesError, find_shapes
from puzzlec.ir.paints import PAINTS, paint_of
from puzzlec.language.elaborate.statements import KEYWORDS


class Slip(NamedTuple):
    """A mistake: a pattern of a whole statement or of a part of it, and what replaces each match.

    Attributes:
        pattern: Regular expression, searched in a statement from its first word to its end.
        new: What is meant, with groups of the pattern as in `re.sub`, or a function of a match. Two lines are two
            statements.
        expected: What should be in the place of the mistake, if the parser only stops after it.
        before: Words before the suggestion. Default: ``write``.

    """

    pattern: str
    new: str | Callable[[re.Match[str]], str]
    expected: str = ""
    before: str = ""


#: Parts of patterns: a name, a size, a cell, cells, the beginning of a region, a keyword, the head of a piece.
_NAME = r'(?:"[^"\n]*"|[^\W\d][\w-]*(?:\[[^\]\n]*\])?)'
_CELL = r"\(\s*-?\w+(?:\s*,\s*-?\w+)*\s*\)"
_SHAPES = "|".join(BOARD_SHAPES)
PARTS = {
    "<NAME>": _NAME,
    "<N>": r"(?:\d+|\{[^{}\n]*\})",
    "<VAR>": r"(?:[a-wyz]\d?(?![a-wyz])|\([a-z]\w*\))",
    "<CELL>": _CELL,
    "<CELLS>": rf"{_CELL}(?:[\s,]*{_CELL})*",
    "<SET>": r"[a-z][\w-]+(?:\s+\d+)?",
    "<BY>": r"(?:[xX*,]|\bby\b|\s)",
    "<ROTATED>": r"(?:one[ _]?sided|chiral|no[- _]?(?:mirror|flip|reflect)\w*|rotat(?:es?|ed|ing|able|ions?))",
    "<FREE>": r"(?:two[ _-]?sided|mirror(?:ed|able)?|reflect(?:ed|able|s)?|flip(?:ped|pable|s)?|reversible)",
    "<SHAPE>": rf"(?=(?:box|cells|names|grid|sides|edges|border|corner|centre)\b|(?:{_SHAPES})\s+\d|[{{(]|\d+x\d)",
    "<SHAPES>": _SHAPES,
    "<PAINT>": rf"\"?(?:{'|'.join(PAINTS)}|#[0-9a-fA-F]{{6}})\"?(?!\w)",
    "<KEYWORDS>": "|".join(KEYWORDS),
    "<HEAD>": rf"^(pieces?\s+{_NAME}(?:\s+\d+(?=\s+(?:x|f|one)))?\s+)",
}


def pattern_of(row: Slip) -> re.Pattern[str]:
    """Return the pattern of a row, with its parts."""
    return _compiled(row.pattern)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    for part, meaning in PARTS.items():
        pattern = pattern.replace(part, meaning)
    return re.compile(pattern)


def _painted(match: re.Match[str]) -> str:
    """Return a piece without its colour in pictures, and the statement for that colour."""
    word = (match["paint"] or match["any"]).strip('"')
    colour = word if paint_of(word) else (near(word, PAINTS) or ["red"])[0]
    return f"{match[1]}{match['rest']}\npaint {match[2]} " + (f'"{colour}"' if colour[0] == "#" else colour)


def _names(text: str, joint: str) -> str:
    """Return the names in a text with another joint."""
    return joint.join(re.findall(_NAME, re.sub(r"\b(?:and|or|only|except)\b", " ", text)))


def _sizes(match: re.Match[str]) -> str:
    """Return a box with the sizes of a match, variables in braces."""
    sizes = re.findall(r"\{[^{}]*\}|\d+|[a-wyz]\d?", match["sizes"].replace("by", " "))
    return "box " + "x".join(size if size[0] in "{0123456789" else f"{{{size}}}" for size in sizes)


def _for_each(match: re.Match[str]) -> str:
    """Return a statement for each name of a list."""
    return "\n".join(f"{match['first']}{name}{match['rest']}" for name in _names(match["names"], "\n").split("\n"))


def _rounds(match: re.Match[str]) -> str:
    """Return a loop with a range for each variable of a list."""
    names = re.findall(r"\w+", match["names"])
    ranges = re.findall(r"\([^()\n]*\)|[^,\s][^,\n]*?(?=\s*(?:,|$))", match["ranges"].strip())
    ranges = ranges if len(ranges) == len(names) else [match["ranges"].strip()] * len(names)
    return "for " + ", ".join(f"{name} in {values}" for name, values in zip(names, ranges, strict=True)) + match["rest"]


def _spaced(cells: str) -> str:
    """Return a list of cells with spaces between them."""
    return re.sub(r"\)[\s,]*\(", ") (", cells)


def _scaled(match: re.Match[str]) -> str:
    """Return a decimal cost as an integer."""
    return f"{match[1]}{int(match[2] + match[3])}"


def _power(match: re.Match[str]) -> str:
    """Return a small power as a product."""
    return "*".join([match[1]] * min(int(match[2]), 9)) or match.group()


def _commas(match: re.Match[str]) -> str:
    """Return names with commas between them."""
    return match[1] + _names(match[2], " ")


def _board_shape(match: re.Match[str]) -> str:
    """Return the board shape that a word may mean, with its sizes."""
    nearest = near(match["word"], BOARD_SHAPES)
    return f"{match[1]} {nearest[0]} {match['sizes']}" if nearest else match.group()


def _only(match: re.Match[str]) -> str:
    """Return a library with the pieces to take."""
    names = re.findall(rf"(?<=\.){_NAME}|(?<![\w.])[A-Z]\w*(?!\w*\.)", match["names"])
    return f"{match['library']} only {' '.join(names)}" if names else match.group()


def _taken(match: re.Match[str]) -> str:
    """Return one piece of a library with its modifiers."""
    return f"piece {match[1].partition('.')[2]}{match[2]} = {match[1]}"


def _single(match: re.Match[str]) -> str:
    """Return one piece with a drawing, which a statement for libraries has."""
    head = match[1] if match[1][:1].isupper() else f"A x{match[1].lstrip('x')}" if match[1] else "A"
    return f"piece {head} {match[2]}"


def _padded(match: re.Match[str]) -> str:
    """Return a drawing whose rows have the same layers, each with the same number of characters.

    A row that begins further right than the others is filled on its left.
    """
    by_line = "\n" in match[1]
    rows = [row for row in re.split(r"\n|/", match[1]) if row.strip()]
    layers = [row.split() for row in rows]
    number, width = max(map(len, layers)), max(len(layer) for row in layers for layer in row)
    same = all(len(row) == number for row in layers)
    if re.search(r"\n[ \t]*\n", match[1]) or not (same or all(len(layer) == width for row in layers for layer in row)):
        return match.group()
    left = [len(row) - len(row.lstrip()) for row in rows]
    margin = min(left) if by_line else len(match[1]) * (" /" in match[1])
    left = [max(space - margin, 0) if by_line or place else 0 for place, space in enumerate(left)]
    full = []
    for row, space in zip(layers, left, strict=True):
        first = dotted(row[0], space, width) if number == 1 else row[0]
        full.append(" ".join(layer.ljust(width, ".") for layer in [first, *row[1:], *[""] * (number - len(row))]))
    if not by_line:
        return "{ " + "/".join(full) + " }"
    lines = "".join("\n" + " " * margin + row for row in full)
    return "{" + lines + match[1][len(match[1].rstrip()) :] + "}"


def _edges(match: re.Match[str]) -> str:
    """Return edges in a row, for a drawing that has cells or no points."""
    return "{ +" + "-+" * max(1, len(re.findall("[-x]", match[1]))) + " }"


def _block(match: re.Match[str]) -> str:
    """Return a piece with the drawing of a block of cells."""
    wide, *more = [int(size) for size in re.findall(r"\d+", match[2])]
    high, deep = (*more, 1)[:2]
    return f"{match[1]} {{ {'/'.join([' '.join(['x' * wide] * deep)] * high)} }}"


def _spread(match: re.Match[str]) -> str:
    """Return a drawing of hexagons: a space between them, and each second row half a hexagon further."""
    rows = [" " * (number % 2) + " ".join(row) for number, row in enumerate(match[1].split("/"))]
    return "{ " + "/".join(rows) + " }"


def _two_sets(first: str, second: str) -> str:
    """Return the statements for two sets of shapes. A shape whose name both have gets another name."""
    try:
        names, others = ([*find_shapes(*_set(words)).named] for words in (first, second))
    except ShapesError:
        return f"pieces {first}\npieces {second}"
    both = [name for name in others if name in names]
    if not both or len(both) > 2:
        return f"pieces {first}\npieces {second}"
    dot = " " if " " in second else "."
    again = [f"piece {second.replace(' ', '-')}-{name} = {second}{dot}{name}" for name in both]
    return "\n".join([f"pieces {first}", f"pieces {second} except {' '.join(both)}", *again])


def _set(words: str) -> tuple[str, int | None]:
    """Return the name and the size of a set of shapes."""
    name, _, size = words.partition(" ")
    return name, int(size) if size else None


#: Characters of word processors and of other languages, in any statement.
CHARACTERS = (
    Slip(r"[“”„«»‘’]", '"'),
    Slip(r"'([^'\n]*)'", r'"\1"'),
    Slip(r'^([^"\n]*)"([^\s"]+)(?=\s[^"\n]*$)', r'\1"\2"'),
    Slip(r"[−–—]", "-"),
    Slip(r"[^\S \t\n]|[\u200b\u2060\ufeff]", " "),
    Slip("≤", "<="),
    Slip("≥", ">="),
    Slip("≠", "!="),
    Slip("×", "x"),
)

#: Mistakes in drawings.
DRAWINGS = (
    Slip(r"\{\s*\{([^{}]*)\}\s*\}", r"{\1}"),
    Slip(r"\{\s*\}", "{ x }"),
    Slip(r"\{((?:[ \t\n]*[x.\d][x.\d/\s]*))\}", _padded),
    Slip(r"\{\s*(x+|\+?-[-+]*)\s*\}", _edges),
    Slip(r"\{\s*([x.]+(?:/[x.]+)*)\s*\}", _spread),
    Slip(r"(?<=[x.])\s*[\\;,|]\s*(?=[x.][x.\s\\;,|]*\})", "/"),
    Slip(r"(?<=[x.])[ \t]+(?=[x.]+(?:[ \t]+[x.]+)*[ \t]*\})", "/"),
    Slip(r"(?<=[\s{/.x?])[XoO0*@■█_+?A-Za-wyz1-9-](?=[^{}=]*\})", "x"),
)

#: Cells with a coordinate less than the lattice has.
FLAT = (Slip(r"\((-?\d+),(-?\d+)\)", r"(\1,\2,0)"),)

#: Mistakes in lists of colours or names.
LISTS = (
    Slip(r"(?<=\S)\s*[,;]\s*(?=\S)|\s+(?:and|or)\s+", " "),
    Slip(r"^(\w+)\s+[(\[{](.*)[)\]}]$", lambda match: f"{match[1]} {' '.join(match[2].replace(',', ' ').split())}"),
    Slip(r"^(\w+)\s+(?:colou?rs?|is|are)\s+", r"\1 "),
)

#: Mistakes in any statement. Rows with a narrower meaning come first.
EVERYWHERE = (
    *CHARACTERS,
    Slip(r"^(<KEYWORDS>|optional\s+locations)\s*(?::=|[:=]|\bis\b)\s*", r"\1 "),
    Slip(r"[;,]\s*$", ""),
    Slip(r"(?<=\S)(?:\s*[;,&]\s*|\s+(?:and\s+)?)(?=(?:<KEYWORDS>)\s+[^\s=:{])", "\n"),
    Slip(r"^\s*(?://|--|%|;|'''|'|/\*)\s*(.*?)\s*(?:\*/|''')?$", r"# \1"),
    Slip(r"\s+(?://|--|%|;|/\*)\s+(.*?)\s*(?:\*/)?$", r"  # \1"),
    *DRAWINGS,
    Slip(r"\bcolors?\b", "colour"),
    Slip(r"(?<![\w(,])(-?\d+),(-?\d+)(?:,(-?\d+))?(?![\w,)])", lambda match: f"({match.group()})"),
    Slip(r"(?<!\w)\[(-?\w+(?:\s*,\s*-?\w+)+)\]", r"(\1)"),
    Slip(r"(?<!\w)\((-?\w+)\s+(-?\w+)(?:\s+(-?\w+))?\)", lambda match: f"({','.join(filter(None, match.groups()))})"),
    Slip(r"\b(poly\w+\s+)\{([^{}]*)\}", r"\1\2"),
    # Expressions
    Slip(r"(?<=[\w)])\s*/\s*(?=[\w(])", "//"),
    Slip(r"(\w+)\s*(?:\^|\*\*)\s*([2-9])\b", _power),
    Slip(r"(?<=[\w)])\s+mod\s+(?=[\w(])", " % "),
    Slip(r"(?<=[\w)])\s+div\s+(?=[\w(])", "//"),
    Slip(r"\b(?:floor|int|trunc)\(([^()]*?)\s*/{1,2}\s*([^()]*)\)", r"\1//\2"),
    Slip(r"(?<![\w.])(\d+)([a-wyz]\w*)\b", r"\1*\2"),
    Slip(r"(?<=[\w)])\s*(?:<>|=/=|≠)\s*(?=[\w(])", " != "),
    Slip(r"=<", "<="),
    Slip(r"=>", ">="),
    Slip(
        r"(?<==)\s*\{([^{}]*)\}|(?<=\.\.)\{([^{}]*)\}|\{(\w+)\}(?=[^{}]*\))",
        lambda match: " " * (match[1] is not None) + "".join(filter(None, match.groups())),
    ),
)

#: Mistakes in regions.
REGIONS = (
    Slip(
        r"\bbox\s*[(\[{]?\s*(?P<sizes>(?:<N>|<VAR>)(?:\s*<BY>\s*(?:<N>|<VAR>)){1,3})\s*[)\]]?(?![\w(])",
        _sizes,
    ),
    Slip(r"\bbox\s*\{\s*(\d+(?:\s*,\s*\d+)+)\s*\}", lambda match: "box " + re.sub(r"\s*,\s*", "x", match[1])),
    Slip(r'\bbox\s*"(\d+(?:x\d+)*)"', r"box \1"),
    Slip(r"\bboxe?s\b", "box"),
    Slip(r"\bplus(?=\s+\d)", "cross"),
    Slip(r"(?<=\d)\s*,?\s*(?:thick(?:ness)?|wide|of\s+width|with\s+width)\s+(?=\d)", " width "),
    Slip(r"\b((?:cross|ring)\s+\S+)\s+width\s*=\s*(?=\d)", r"\1 width "),
    Slip(r"\b((?!cross|ring)(?:<SHAPES>)\s+\d+)\s+width\s+\S+", r"\1"),
    Slip(r"\bbox\s+\S*\.\d\S*", lambda match: re.sub(r"\.\d+", "", match.group()), before="write integers:"),
    Slip(r"\bbox\s+\S*\b0x?\S*", lambda match: re.sub(r"\b0(?=x|$)|(?<=x)0(?=x|$)", "1", match.group())),
    Slip(r"\bcells\s+\((\w),(\w)\)$", r"cells (\1,\2) for \1 in 0..3, \2 in 0..3"),
    Slip(r"\bbox(?=\s+\S*-\d)(\s+)-?(\d+)x-?(\d+)", r"box\1\2x\3"),
    Slip(r"\b(?:the|an?|all|of|region)\s+(?=box|cells|\{|corner|border|edge|left|right|top|bottom)", ""),
    Slip(
        r"(?<=\S)\s+(?:with\s+)?(?:an?\s+)?(?:holes?|hollow|gaps?|without|minus|except(?:\s+for)?|remove|but\s+not)\s+(?:at\s+)?(?:cells?\s+)?(?=<CELL>)",
        " - cells ",
    ),
    Slip(
        r"(?<=\S)\s*(?:\b(?:without|minus|except(?:\s+for)?|but(?:\s+not)?|and\s+not)\b|\\)\s*(?=box|cells|grid|\{|\(|\d+x\d)",
        " - ",
    ),
    Slip(r"(?<=\S)\s*(?:\b(?:and|plus|or|with)\b|,|\|{1,2}|&&)\s*(?=box|cells|grid|\{)", " + "),
    Slip(r"(?<=\S)\s+\*\s+(?=box|cells|grid|\{)", " & "),
    Slip(r"\b(?:cell|squares?|locations?|positions?|points?)\s+(?=\()", "cells "),
    Slip(r"\bcells\s*\{\s*(\(.*\))\s*\}", r"cells \1"),
    Slip(
        r"(?:(?<=[-+&])|(?<=\b(?:on|at))|(?<=\boff)|(?<=\bper)|(?<=\binside)|(?<=^locations)|(?<=^wall)|(?<=^rule)|(?<=^cost))\s+(?=<CELL>(?!\s*$)|<CELL>$)(?!\(box|\(cells)",
        " cells ",
    ),
    Slip(r"(?<=[\d})])\s*(?:@|\bat\b)?\s+(?=\(-?\w+,\s*-?\w+(?:,\s*-?\w+)?\))(?<!cells )", " at "),
    Slip(r"(?<=at)\s+\[([^\[\]]*)\]", r" (\1)"),
    Slip(r"\bat\s+(\([^()]*\))\s+(box\s+\S+|\{[^{}]*\})", r"\2 at \1"),
    Slip(r"\bsides\s+of\b", "edges of"),
    Slip(r"\((-?\w+),\s*(-?\w+),\s*0\)", r"(\1,\2)"),
    Slip(r"\bregion\s+(?=\w+$)", ""),
    Slip(r"\bcells(?=\s+[\w\"])", "names"),
    Slip(r"(?<=[\s(])[\[(\"]([x.?]*x[x.?/]*)[\])\"]", r"{ \1 }"),
    Slip(r"(?<=\s)((?:x[x.?/]|\.)[x.?/]*)\s*\}?$", r"{ \1 }"),
    Slip(r"\b(?:the\s+)?(?:middle|cent(?:re|er))$", "centre"),
)

#: Mistakes by the first words of statements, as a pattern. A row of one statement comes before those of all.
ROWS: dict[str, tuple[Slip, ...]] = {
    "puzzle": (Slip(r"^puzzle\s+[\"'“”„«»‘’]?([^\"'“”„«»‘’\n]*[^\"'“”„«»‘’\s])[\"'“”„«»‘’]?$", r'puzzle "\1"'),),
    "lattice": (
        Slip(r"^lattice\s+([./\\\w-]+\.ya?ml)$", r'lattice "\1"'),
        Slip(r"^lattice\s+([\w-]+)\s+(?:grid|board|lattice|cells|tiling)$", r"lattice \1"),
        Slip(r"^lattice\s+([\w-]+)\s+((?:box|grid)\s.*|\d+x\d.*)$", r"lattice \1\nlocations \2"),
        Slip(r"^lattice\s+(?!is\b)(\w+)\s+\w+$", r"lattice \1"),
        Slip(r"^lattice$", "lattice square"),
    ),
    "colours": (
        Slip(r"^colours\s*[^\w\s\"']?$|^colours\s+x$", "colours b w"),
        Slip(r"(?<=\s)([a-z])[a-z]+(?=\s|$)", r"\1"),
        Slip(r"[\"'](.)[\"']", r"\1"),
        Slip(r"\s(\S)(?=\s(?:.*\s)?\1(?:\s|$))", ""),
    ),
    "regions": (
        Slip(r"^regions$", "regions P Q"),
        Slip(r"^regions\s+(\w+\s*=)", r"region \1"),
        Slip(r"^regions\s+\w$", "regions P"),
        Slip(r"^regions\s+\w[\s,]+\w$", "regions P Q"),
    ),
    "region": (
        Slip(r"^region\s*=?\s*(<SHAPE>.*)$", r"region P = \1"),
        Slip(r"^region\s+(<NAME>)\s*(?::=|==|:|\bis\b(?:\s+(?:the|an?)\b)?|\s)\s*(?=[\w\"({])(?!=)", r"region \1 = "),
    ),
    "param": (
        Slip(r"^param(?:eter)?\s+(\w+)\s*(?::=|==|:|\bis\b)?\s*(?=[\w(-])", r"param \1 = "),
        Slip(r"^param\s+(\w+)\s*=\s*\"(-?\d+)\"$", r"param \1 = \2"),
        Slip(r"^param\s+(\w+)\s*=\s*(\d+)[.,]\d+$", r"param \1 = \2", before="write an integer:"),
        Slip(r"^param\s+(\w+)\s*=?$", r"param \1 = 1"),
    ),
    "locations|optional": (
        Slip(r"^optional\s+(?!locations\b)", "optional locations "),
        Slip(r"^locations\s+optional\s+", "optional locations "),
        Slip(
            r"^((?:optional\s+)?locations)\s+(?:rectangle|rect|area|board|grid|size|sizes|cuboid|square|(?!box\b)(?:b\w{1,3}|\w?ox))?\s*\(?(?P<sizes><N>(?:\s*<BY>\s*<N>){1,2})\)?$",
            lambda match: f"{match[1]} {_sizes(match)}",
        ),
        Slip(r"^((?:optional\s+)?locations)\s+width\s+(<N>)\W+height\s+(<N>)$", r"\1 box \2x\3"),
        Slip(r"^(locations\s+.*?)\s+on\s+lattice\s+([\w-]+)$", r"lattice \2\n\1"),
        Slip(r"^locations\s+\{\s*(\(.*\))\s*\}$", r"locations cells \1"),
        Slip(r"^locations\s+[\[{(](?!-?\d)([^\[\]{}()]*)[\])}]$", r"locations \1"),
        Slip(r"^locations\s+(\d+\.\.\d+)$", r"locations names \1"),
        Slip(r"^locations\s+(\d{1,4})$", lambda match: f"locations names 0..{max(int(match[1]) - 1, 0)}"),
        Slip(
            r"^((?:optional\s+)?locations)\s+(?:circle|dis[ck])\s+(?:of\s+)?(?:radius\s+)?(\d{1,2})$",
            r"\1 cells (x,y) for x in -\2..\2, y in -\2..\2 where x*x + y*y <= \2*\2",
        ),
        Slip(
            r"^((?:optional\s+)?locations)\s+(?:sphere|ball)\s+(?:of\s+)?(?:radius\s+)?(\d{1,2})$",
            r"\1 cells (x,y,z) for x in -\2..\2, y in -\2..\2, z in -\2..\2 where \2*\2 >= x*x + y*y + z*z",
        ),
        Slip(r"^((?:optional\s+)?locations)\s+(?:octahedron|rhombus)\s+(\d+)$", r"\1 diamond \2"),
        Slip(r"^(locations\s+)(?:is|the|an?)\s+", r"\1"),
        *(
            Slip(r"^((?:optional\s+)?locations)\s+(?:square|cube|box|board|size)?\s*(\d+)$", rf"\1 box {sizes}")
            for sizes in (r"\2", r"\2x\2", r"\2x\2x\2")
        ),
        Slip(r"^((?:optional\s+)?locations)\s+(?P<word>[a-z]{4,})\s+(?P<sizes>\d+(?:x\d+)*)$", _board_shape),
        Slip(
            r"^((?:optional\s+)?locations)\s+(?![a-z]{4,}\s+\d+(?:x\d+)*$)(?!(?:box|cells|grid|edges|names|sides|hole)\b|\(\s*-?\d)(?=[\w\"(])(.*)$",
            r"\1 names \2",
        ),
        Slip(r"^(?=locations\s+names\s)", "lattice none\n"),
    ),
    "empty": (
        Slip(r"^empty\s+(?:cells?|locations?|places?|exactly)\s+(?=\d)", "empty "),
        Slip(r"^empty\s+(\d+)\s*(?:-|\.\.\.|to|,)\s*(\d+)$", r"empty \1..\2"),
        Slip(r"^empty\s+(?:<=|≤|at\s+most|up\s+to|\.\.)\s*(\d+)$", r"empty 0..\1"),
        Slip(r"^empty\s+<\s*(\d+)$", lambda match: f"empty 0..{max(int(match[1][:9]) - 1, 0)}"),
        Slip(r"^empty\s+-(\d+)$", r"empty \1"),
        Slip(r"^empty\s+(?:\d+\s*\.\.\s*\*?|\*|any)$", ""),
    ),
    "frame": (Slip(r"^frame\s+(?:none|any|no)$", ""),),
    "crossing": (Slip(r"^crossing\b.*$", "crossing"),),
    "turns": (Slip(r"^turns\b.*$", "turns"),),
    "wrap": (
        Slip(r"^wrap$", "wrap x y"),
        Slip(r"^wrap\s+([xX])\s*([yY])$", "wrap x y"),
        Slip(r"^wrap\s+([XYZ])\b", lambda match: match.group().lower()),
        Slip(r"^wrap\s+[a-z]$", "wrap x y"),
        Slip(r"^wrap\s+\(?(\d+)(?:\s*,\s*\d+)?\)?$", r"wrap (\1,0)"),
        Slip(r"^wrap\s+(?:horizontal\w*|left|right|sides|columns|x-axis)$", "wrap x"),
        Slip(r"^wrap\s+(?:vertical\w*|top|bottom|rows|y-axis)$", "wrap y"),
    ),
    "match": (
        Slip(
            r"^match\s+[\[({]?\s*([^\s,])\s*(?:<->|->|=>|[=:,/+&-]|\b(?:with|to|and|on|meets|is)\b)?\s*([^\s,)])[\])}]?$",
            r"match \1 \2",
        ),
        Slip(r"^match\s+(\S)$", r"match \1 \1"),
    ),
    "allow": (
        Slip(r"^allow\s+crossings?$", "crossing"),
        Slip(
            r"^allow\s+(\S)\s*(?:->|=>|[=:,]|\b(?:in|over|to|at|inside|for)\b)?\s*(?=\S)(?!on\b)([^\n]*)$",
            lambda match: match.group() if re.search(r"\bon\b", match[2]) else f"allow {match[1]} on {match[2]}",
        ),
        Slip(
            r"^(?P<first>allow\s+)(?P<names>\S(?:(?:\s*,\s*|\s+(?:and\s+)?)\S)+)(?P<rest>\s+on\s+.*)$",
            lambda match: "\n".join(
                f"allow {colour}{match['rest']}"
                for colour in re.findall(r"[^\s,]", re.sub(r"\b(?:and|or)\b", " ", match["names"]))
            ),
        ),
    ),
    "paint": (
        Slip(r"^(paint\s+<NAME>)\s*(?::|=|\bin\b|\bas\b|\bcolou?r\b)\s*(?=\S)", r"\1 "),
        Slip(r"^(paint\s+<NAME>)\s+(?:light|dark|bright|pale|deep)[\s-]*(?=<PAINT>$)", r"\1 "),
        Slip(r"^(?P<first>paint\s+)(?P<names><NAME>(?:[\s,]+(?:and\s+)?<NAME>)+?)(?P<rest>\s+<PAINT>)$", _for_each),
        Slip(r"^paint\s+(<PAINT>)\s+(?!<PAINT>)(<NAME>)$", r"paint \2 \1"),
        Slip(r"^paint\s+(<NAME>)\s+(#[0-9a-fA-F]{6})$", r'paint \1 "\2"'),
        Slip(r"^paint\s+(<NAME>)$", r"paint \1 red"),
        Slip(r"^paint$", "paint <PIECE> red"),
    ),
    "piece": (
        # The colour in pictures
        Slip(
            r"^(piece\s+(<NAME>)(?:[^{}]*?|.*\}))\s*,?\s+(?:in\s+)?"
            r"(?:(?:colou?r(?:ed)?|paint(?:ed)?|fill)\s*[:=]?\s*(?P<any>[a-z]+)|"
            r"(?:(?:colou?r(?:ed)?|paint(?:ed)?|fill)\s*[:=]?\s*)?(?P<paint><PAINT>))(?P<rest>.*)$",
            _painted,
        ),
        # The name
        Slip(r"^piece\s+(?==|\{|x[\d*{])", "piece A "),
        Slip(r"^piece\s+(\d+)\s*[xX*×]?\s*([^\W\d][\w-]*)(?=\s*[{=])", r"piece \2 x\1"),
        Slip(r"^piece\s+(x(?:<N>|\*)(?:\.\.(?:<N>|\*))?)\s+([^\W\d][\w-]*)(?=\s*[{=])", r"piece \2 \1"),
        Slip(r"^piece\s+([\w-]+)[.'/]([\w-]+)(?=\s)", r'piece "\1.\2"'),
        Slip(r"^(?P<first>piece\s+)(?P<names><NAME>(?:\s*,\s*<NAME>|\s+and\s+<NAME>)+)(?P<rest>.*)$", _for_each),
        Slip(
            r"^(piece\s+[^\W\d]\w*)(?:\((\w+(?:,\s*\w+)*)\)|\{(\w+)\}|\.(\w))(?=\s*[{=])",
            lambda match: f"{match[1]}[{match[2] or match[3] or match[4]}]",
        ),
        Slip(r"^(piece\s+[^\W\d]\w*)\[(\w+)\s*(?=[{=])", r"\1[\2] "),
        Slip(r"^(piece\s+[^\W\d]\w*\[[^\]]*)[\];:]+\[?([^\]\[]*)\]", r"\1,\2]"),
        Slip(r"^(piece\s+[^\W\d]\w*)\s*\[\s*\]", r"\1"),
        # Copies
        Slip(r"(?<=\s)(x<N>\.\.)\*", r"\1"),
        Slip(r"<HEAD>x\s*=?\s*(\d+)(?:\s*(?:-|to|\.\.\.)\s*(\d+))", r"\1x\2..\3"),
        Slip(
            r"<HEAD>(?:copies|count|times|number|qty|amount)?\s*[:=]?\s*\(?[xX*×]?\s*(\d+)\s*[xX*×]?\)?(?![\w.])",
            r"\1x\2",
        ),
        Slip(r"<HEAD>\(?(\d+)\s*(?:\.\.|-|to)\s*(\d+)\)?(?!\w)", r"\1x\2..\3"),
        Slip(r"<HEAD>x\s*(\d+)\s*(?:\.\.|\+|or\s+more)(?=\s)", r"\1x\2.."),
        Slip(r"<HEAD>x\s*\.\.\*?(?=\s)", r"\1x*"),
        Slip(r"<HEAD>x\s*(?:<=|≤|\.\.)\s*(\d+)", r"\1x0..\2"),
        Slip(r"<HEAD>x\s*(?:>=|≥)\s*(\d+)", r"\1x\2.."),
        Slip(r"<HEAD>x(\d+)\.\d+", r"\1x\2", before="write an integer:"),
        Slip(r"<HEAD>x-(\d+)", r"\1x\2"),
        Slip(r"<HEAD>x\s*\(?([a-z])\)?(?=\s*[{=])", r"\1x{\2}"),
        Slip(r"<HEAD>x\(([^{}]*)\)(?=\s*[{=])", r"\1x{\2}"),
        Slip(r"<HEAD>(x\{[^{}]*[\w)])\s*/\s*([\w(][^{}]*\})", r"\1\2//\3"),
        Slip(r"<HEAD>x\s*=?\s*(\{\s*[x./]+[x./\s]*\})$", r"\1x2 \2", expected="a number of copies"),
        Slip(r"<HEAD>(?:any|many)(?=\s*[{=])", r"\1x*"),
        Slip(r"<HEAD>(?:optional|maybe)(?=\s*[{=])", r"\1x0..1"),
        Slip(r"^(piece\s+<NAME>)\s*(\{.*\}|covers\s.*?|=\s*\S*\.\S+)\s+[xX*]?\s*(\d+)$", r"\1 x\3 \2"),
        Slip(r"^(piece\s+<NAME>)\s*(\{[^{}]*\}|=\s*\S+|covers\s.*?)\s+(x[\d*.]+|one-sided|fixed|free)$", r"\1 \3 \2"),
        Slip(r"^(piece\s+[A-Z]\w*?)[_ .]?([a-z])(?=\s*[{=])", r"\1[\2]"),
        Slip(r"^(piece\s+[^\W\d]\w*)\[(\w+)\.\.(\w+)\]\s*(.*)$", r"for i in \2..\3 { \1[i] \4 }"),
        Slip(r"^(piece\s.*\})\s+(for\s.*)$", r"\2 { \1 }"),
        Slip(r"\[(\w+)\.\d+\]", r"[\1]", before="write an integer:"),
        Slip(r"\[(\w+)\+\+\]", r"[\1 + 1]"),
        # Freedom
        Slip(
            r"<HEAD>(?:<ROTATED>|asymmetric|turns?)(?!-)\b",
            r"\1one-sided",
        ),
        Slip(
            r"<HEAD><FREE>(?=\s*[{=])",
            r"\1free",
        ),
        Slip(r"<HEAD>(?:no[- _]?(?:rotat|turn)\w*|unturned|static|fix|Fixed|fixd)(?=\s*[{=])", r"\1fixed"),
        Slip(
            r"^(piece\s+<NAME>)\s*(\{.*\})\s+(?:<FREE>|rotatable|free)$",
            r"\1 free \2",
        ),
        # The shape
        Slip(r"^(piece\s.*=\s*(?:mirror\s+)?[a-z]\w+\s+<N>)\s*\.\s*\"?([\w-]+)\"?$", r'\1 "\2"'),
        Slip(r"^piece\s+([\w-]+(?:oes|cubes|iamonds|hexes|sticks|aboloes)|soma)$", r"pieces \1"),
        Slip(r"^(piece\s+<NAME>(?:\s+x\S+)?)\s*(?::=|->|[:=]|\bis\b)?\s*(\{.*\})$", r"\1 \2"),
        Slip(
            r"^(piece\s+<NAME>(?:\s+(?:x[\d*{]\S*|one-sided|fixed|free))*)\s*[:=]?\s*[\[(\"{]?\s*((?:x|\.+x)[x.]*(?:/[x.]+)*)\s*[\])\"}]?$",
            r"\1 { \2 }",
        ),
        Slip(
            r"^(piece\s+<NAME>)\s*(?:[:=]|at|cells)?\s*[\[(]?\s*(<CELLS>)\s*[\])]?$",
            lambda match: f"{match[1]} cells {_spaced(match[2])}",
        ),
        Slip(
            r"^(piece\s+<NAME>(?:\s+(?:x[\d*{]\S*|one-sided|fixed|free))*)\s*(?:=\s*|[:=]?\s*(?:box|block|brick|cuboid|rectangle)\s+)"
            r"(?:box\s+)?([1-9](?:\s*[x×]\s*[1-9]){1,2})$",
            _block,
        ),
        Slip(r"^(piece\s+<NAME>)\s+at\s+\([^()]*\)\s*(\{.*\})$", r"\1 \2"),
        Slip(
            r"^(piece\s+<NAME>(?:\s+x\S+)?)\s+=?\s*(?!covers|cells|sides|mirror)((?:[a-z]\w*-)?[a-z]\w+(?:\s+\d+)?)\s*(?:[./:]|\s)\s*(?!\d+$)([\w-]+)$",
            r"\1 = \2.\3",
        ),
        Slip(r"^(piece\s+<NAME>)\s*=\s*([a-z][\w-]+)\[([\w-]+)\]$", r"\1 = \2.\3"),
        Slip(r"^(piece\s+(<NAME>)\s*=\s*poly\w+\s+\d+)$", r"\1 \2"),
        Slip(r"^(piece\s+(<NAME>)\s*=\s*[a-z]\w+\.)[A-Z]\w*$", r"\1\2"),
        Slip(r"^(piece\s+<NAME>(?:\s+x\S+)?)$", r"\1 { x }"),
        Slip(r"^(piece\s+<NAME>)\s+[^\W\d]\w*$", r"\1 { x }"),
        Slip(r"^(piece\s+<NAME>)\s*\(\s*\)$", r"\1 { x }"),
        Slip(r"\b(?:free|fixed|one-sided)\s+(?=(?:free|fixed|one-sided)\b)", ""),
        Slip(
            r"^piece\s+(?!.*\b(?:covers|cells|sides|free|fixed)\b)([^\W\d][\w-]*(?:\s+[^\W\d][\w-]*)+?)(?=\s*(?:[{=]|x\d))",
            r'piece "\1"',
        ),
        Slip(
            r"^(piece\s+<NAME>(?:\s+x\S+)?)\s*=?\s*(?:mirror(?:ed|s)?|reflect(?:ed|ion)?)\s*(?:of\s+)?\(?(<NAME>)\)?$",
            r"\1 = mirror \2",
        ),
        Slip(r"^(piece\s+<NAME>)\s*=\s*(<NAME>)\s+(?:mirrored|reflected|flipped)$", r"\1 = mirror \2"),
        Slip(r"^(piece\s+<NAME>)\s*=?\s*(?:(?:a\s+)?copy\s+of|same\s+as|like)\s+(<NAME>)$", r"\1 = \2"),
        # Placements and sides
        Slip(r"\bcovers?\s*(?::=|[:=])\s*", "covers "),
        Slip(r"^(piece\s+<NAME>(?:\s+x\S+)?)\s+cover\b", r"\1 covers"),
        Slip(r"\bcovers\s+[\[(]?\s*(<CELLS>)\s*[\])]?$", lambda match: f"covers {{{_spaced(match[1])}}}"),
        Slip(r"\bcovers\s+\{(-?\d+,-?\d+)\}", r"covers {(\1)}"),
        Slip(r"\bcovers\s+(-?\d+)\s+(-?\d+)$", r"covers {(\1,\2)}"),
        Slip(r"(?<=[{\s])([a-z]+)\((\w+(?:,\w+)*)\)(?=[\s}])", r"\1[\2]"),
        Slip(r"(?<=[{\s])([a-z]+)_?(\d+)(?=[\s}])", r"\1[\2]"),
        Slip(r"^(piece\s+<NAME>)\s+cells\s+([^\W\d].*)$", r"\1 covers {\2}"),
        Slip(r"\bcovers\s+[\[(]?([^\s{}()\[\]][^{}()]*?)[\])]?$", r"covers {\1}"),
        Slip(r"(?<=\})\s*(?:\bor\b|,|\|)\s*(?=\{)", " "),
        Slip(r"(\[\w+\])\s+(\w+\s+in\s)", r"\1 for \2"),
        Slip(r"^(piece\s+<NAME>)\s*=\s*(\{.*\})$", r"\1 covers \2"),
        Slip(r"^(piece\s+<NAME>(?:\s+(?:x\S+|one-sided|fixed|free))*)\s+edges\b", r"\1 sides"),
        Slip(r"\bsides\s*[:=(\[]\s*(.*?)[)\]]?$", lambda match: "sides " + " ".join(re.findall(r"[^ ,]", match[1]))),
        Slip(r"\bsides\s+(\S)\s+(\S)$", r"sides \1 \2 \1 \2"),
    ),
    "pieces": (
        Slip(r"^pieces\s+(?:all|the)\s+(?:of\s+)?(?:the\s+)?", "pieces "),
        Slip(
            r"^(pieces?\s+)(\d+)-?(omino|iamond|hex|cube|stick|abolo)(?:e?s)?\b",
            lambda match: f"{match[1]}poly{match[3]}{'e' * (match[3][-1] in 'ox')}s {match[2]}",
        ),
        Slip(r"^pieces\s+all$", "pieces pentominoes"),
        Slip(r"^pieces\s+([\w-]+)\s*:?\s*\ball$", r"pieces \1"),
        Slip(r"^pieces\s+(free|one-sided|fixed)\s+([\w-]+(?:\s+\d+)?)$", r"pieces \2 \1"),
        Slip(
            r"^pieces\s+(?:x(\d[\d.*]*)|(\d+)\s*[xX*×]?)\s*([^\W\d][\w-]+(?:\s+\d+)?)$",
            lambda match: f"pieces {match[3]} x{match[1] or match[2]}",
        ),
        Slip(
            r"^pieces\s+(poly\w+)\s*(?:[(\[-]|of\s+size|of\s+order|size|order|with|n\s*=)\s*=?\s*(\d+)[)\]]?(?:\s+cells)?$",
            r"pieces \1 \2",
        ),
        Slip(
            r"^pieces\s+(poly\w+)\s+(\d)(?:\s*,\s*|\s+(?:and\s+)?)(\d)$",
            lambda match: _two_sets(f"{match[1]} {match[2]}", f"{match[1]} {match[3]}"),
        ),
        Slip(
            r"^pieces\s+([a-z][\w-]+)(?:\s*[,+&]\s*|\s+(?:and\s+)?)([a-z][\w-]+)$",
            lambda match: _two_sets(match[1], match[2]),
        ),
        Slip(
            r"^pieces\s+(poly\w+)\s+(\d)\s*(?:\.\.|-|to)\s*(\d)$",
            lambda match: (
                _two_sets(f"{match[1]} {match[2]}", f"{match[1]} {match[3]}")
                if int(match[3]) - int(match[2]) == 1
                else "\n".join(f"pieces {match[1]} {size}" for size in range(int(match[2]), int(match[3]) + 1))
                or match.group()
            ),
        ),
        Slip(r"^pieces\s+(<SET>)\s*(?:[xX*×]\s*|copies\s+)(\d+)$", r"pieces \1 x\2"),
        Slip(r"^pieces\s+([a-z][\w-]+)\s+(\d+)[xX*×]?$", r"pieces \1 x\2"),
        Slip(r"^pieces\s+(<SET>)\s+x(\d+)\s*(?:-|to|\.\.\.)\s*(\d+)$", r"pieces \1 x\2..\3"),
        Slip(r"^pieces\s+(<SET>)\s+x\s*(?:<=|≤|\.\.)\s*(\d+)$", r"pieces \1 x0..\2"),
        Slip(r"^pieces\s+(<SET>)\s+x\s*(?:>=|≥)\s*(\d+)$", r"pieces \1 x\2.."),
        Slip(
            r"^pieces\s+(<SET>)\s+<ROTATED>$",
            r"pieces \1 one-sided",
        ),
        Slip(
            r"^pieces\s+(<SET>)\s+<FREE>$",
            r"pieces \1 free",
        ),
        Slip(r"^pieces\s+([\w-]+)\s+from\s+(?:the\s+)?library$", r"pieces \1"),
        Slip(r"^pieces\s+(?:(?:from|of|in)\s+)?(\"[^\"]+\")$", r"use \1"),
        Slip(r"^pieces\s+([a-z][\w-]+\.[A-Z]\w*)((?:\s+(?:x\S+|free|fixed|one-sided))+)$", _taken),
        Slip(r"^(.*?)\s+((?:except|only)\s.*?)\s+(x[\d*]\S*|one-sided|fixed|free)$", r"\1 \3 \2"),
        Slip(r"^(.*\b(?:only|except)\s*:?\s*)[\[({](.*)[\])}]$", r"\1\2"),
        Slip(r"^(.*\b(?:only|except)):\s*", r"\1 "),
        Slip(r"^(.*\bexcept\s+.*?)\s+except\s+", r"\1, "),
        Slip(r"^(.*\bonly\s+.*?)\s+except\s+.*$", r"\1"),
        Slip(r"^(.*\b(?:only|except)\s+)(<NAME>(?:(?:\s*,\s*|\s+(?:and\s+)?)<NAME>)+)$", _commas),
        Slip(
            r"^pieces\s+(<SET>)\s*(?:\b(?:but(?:\s+(?:not|for|without))?|without|minus|not|no|exclud(?:e|ing)|drop|omit)\b|-)\s*(?=[A-Z\"])",
            r"pieces \1 except ",
        ),
        Slip(
            r"^(?P<library>pieces\s+<SET>(?:\s+x\S+)?)(?:\.|\s*[:=({\[]?\s*(?:just|with|take)?\s+|\s*[:=({\[]\s*)"
            r"(?P<names>(?:[\w-]+\.)?[A-Z][\w, .-]*)[)}\]]?$",
            _only,
        ),
        Slip(
            r"^pieces\s+([FILNPT-Z](?:[\s,]+[FILNPT-Z])*)$",
            lambda match: f"pieces pentominoes only {_names(match[1], ', ')}",
            before="name the library first:",
        ),
        Slip(
            r"^pieces\s+([A-Z](?:[\s,]+[A-Z])*)$",
            lambda match: "\n".join(f"piece {name} {{ x }}" for name in re.findall("[A-Z]", match[1])),
        ),
        Slip(r"^pieces\s+(x?\d*|[A-Z]\w*(?:\s+x\d+)?)\s*=?\s*(\{.*\})$", _single),
        Slip(r"^pieces$", "pieces pentominoes"),
        Slip(r"^(pieces\s+tetrominoes\s+.*?)\bS\b", r"\1Z"),
    ),
    "place": (
        Slip(r"^place\s+(?:the\s+)?piece\s+(?=\w)", "place "),
        Slip(r"^(place)\s+(?=(?:inside|on|off|in)\s)", r"\1 <PIECE> "),
        Slip(r"^(place)\s+(?:all|every|each|\*|any)\s+(?:pieces?\s+)?(?=inside|on|off|in\b)", r"\1 <PIECE> "),
        Slip(r"^(place\s+<NAME>):\s*", r"\1 "),
        Slip(
            r"^(?P<first>place\s+)(?P<names><NAME>(?:(?:\s*,\s*|\s+and\s+|\s+)<NAME>)+?)(?P<rest>\s+(?:inside|on|off|in)\s.*)$",
            lambda match: (
                match.group()
                if re.search(r"\b(?:not|on|off|inside|in|out|the|of)\b", match["names"])
                else _for_each(match)
            ),
        ),
        Slip(r"^(place\s+<NAME>)\s+(?:in|within|into|inside\s+of|=)\s+(?:the\s+)?", r"\1 inside "),
        Slip(r"^place\s+(<NAME>)\s+(?:exactly\s+)?at\s+", r"fix \1 at "),
        Slip(
            r"^(place\s+<NAME>)\s+(?:touch(?:es|ing)?|over(?:laps|lapping)?|covers?|covering|meets|across|upon|onto)\s+(?:the\s+)?",
            r"\1 on ",
        ),
        Slip(
            r"^(place\s+<NAME>)\s+(?:not\s+(?:in|inside|on|at|within)|outside(?:\s+of)?|out\s+of|off\s+of|away\s+from|avoids?)\s+(?:the\s+)?",
            r"\1 off ",
        ),
        Slip(r"^(place\s+<NAME>)\s+<SHAPE>", r"\1 inside "),
        Slip(r"^place\s+(<NAME>)\s+(?:exactly\s+)?at\s+", r"place \1 on "),
        Slip(r"^place\s+(<NAME>)\s+(?:next\s+to|beside|touching|touches|at)\s+(<NAME>)$", r"touching \1 \2"),
        Slip(r"^(place\s+<NAME>)$", r"\1 on cells (0,0)"),
    ),
    "fix|forbid": (
        Slip(r"^fix\s+(\w+)\s+(?:at\s+)?(\(\d+,\d+\))$", r"fix \1 at cells \2"),
        Slip(r"^fix\s+(\(\d+,\d+\))\s*(?:=|:|is|to)\s*(\w+)$", r"fix \2 at cells \1"),
        Slip(r"(?<=[\d.])[ \t]+(?=[\d.](?:[ \t]+[\d.])*\s*\})", ""),
        Slip(r"(?<=[\d.{ ])0(?=[\d.\s]*\})", "."),
        Slip(r"^(fix|forbid)\s+(?=(?:at|in)\s)", r"\1 <PIECE> "),
        Slip(r"^((?:fix|forbid)\s+<NAME>)\s+edges\b", r"\1 sides"),
        Slip(
            r"^(?P<first>(?:fix|forbid)\s+)(?P<names><NAME>(?:(?:\s*,\s*|\s+and\s+|\s+)<NAME>)+?)(?P<rest>\s+(?:at|in)\s.*)$",
            lambda match: (
                match.group()
                if match["first"][:3] == "fix"
                or re.search(r"\b(?:in|inside|on|one-sided|fixed|free|rotated)\b", match["names"])
                else _for_each(match)
            ),
        ),
        Slip(r"^((?:fix|forbid)\s+<NAME>)\s+(?:one-sided|fixed|free|rotated|mirrored|reflected)\s+at\b", r"\1 at"),
        Slip(r"^forbid\s+(<NAME>)\s+(?:inside|on|touching)\s+<SHAPE>", r"place \1 off "),
        Slip(r"^fix\s+(<NAME>)\s+(inside|on|off)\s+", r"place \1 \2 "),
        Slip(r"^((?:fix|forbid)\s+<NAME>)\s*(?:\b(?:in|to|exactly)\b|=|:)?\s*<SHAPE>", r"\1 at "),
        *(
            Slip(r"^fix\s+(<NAME>)\s+(?:at\s+)?(?:the\s+)?(?=<SHAPE>|-?\d|\w+$)", rf"place \1 {how} ")
            for how in ("on", "inside")
        ),
        Slip(r"^forbid\s+(<NAME>)\s+(?:next\s+to|beside|near|touching)\s+(<NAME>)$", r"apart \1 \2"),
        Slip(r"^fix\s+(<NAME>)$", r"place \1 on cells (0,0)"),
        Slip(r"^forbid\s+(<NAME>)$", r"place \1 off cells (0,0)"),
    ),
    "expect": (
        Slip(
            r"^(expect\b.*?\b\d{1,3}(?:[,_'. ]\s*\d{3})+)\b(.*)$",
            lambda match: re.sub(r"(?<=\d)[,_'. ]\s*(?=\d)", "", match.group()),
        ),
        Slip(r"^expect\s*[:=]+\s*", "expect "),
        Slip(r"^expect\s+(?:no|none|impossible)\b.*$", "expect 0"),
        Slip(r"^expect\s+(?:one|unique|a\s+unique)\b.*$", "expect 1"),
        Slip(r"^expect\s+(?:\?|open\b).*$", "expect unknown"),
        Slip(r"^(expect\s+(?:\w+\s+)?)>=\s*(\d+)", r"\1at least \2"),
        Slip(r"^expect\s+(?:distinct|solutions?)\s+(\d+)", r"expect \1"),
        Slip(r"^expect\s+(raw|rotations|parts)\s*[:=]+\s*(\d+)", r"expect \1 \2"),
        Slip(r"^expect\s+(\d+)\s+raw\b(?:\s+solutions?\b)?", r"expect raw \1"),
        Slip(r"^(expect\s.*?\d)\s+(?:distinct\s+)?(?:solutions?|distinct)\b", r"\1"),
        Slip(r"^expect\s+cost\s+(-?\d+)", r"expect min-cost \1"),
    ),
    "use": (
        Slip(
            r"^use\s+(?:(?:the\s+)?pieces\s+)?(?:(?:from|of|in)\s+)?[\"'<]?([^\s\"'<>]+?)(?:\.puzzle)?[\"'>]?$",
            r'use "\1.puzzle"',
        ),
        Slip(r'^use\s+("[^"]*"),?\s*("[^"]*")$', r"use \1\nuse \2"),
    ),
    "values": (
        Slip(r"(?<=\w)\s*(?:\.\.\.|-|\bto\b)\s*(?=\w)", ".."),
        Slip(r"^values\s*[:=]?\s*[(\[{]\s*(.*?)\s*[)\]}]$", r"values \1"),
        Slip(r"\s+[xX*×]?\s*(\d+)$", r" x\1"),
        Slip(r"\s*(?:,|\band\b)\s*", " "),
    ),
    "rule": (
        Slip(
            r"^rule\s+(?:(?:for|in)\s+)?(?:each|every|all)\s*:?\s*(?=rows?|col|diagonal|box|line|region)", "rule each "
        ),
        Slip(r"^rule\s+(?:for\s+)?(?=(?:rows?|columns?|diagonals?)\b)", "rule each "),
        Slip(r"^(rule\s+each\s+[\w, ]+):\s*", r"\1 "),
        Slip(r"^rule\s+each\s+(?=all\b|sum\b|exactly\b|at\s)", "rule each row "),
        Slip(r"^(rule\s+each\s.*?)\bbox\s+(?!\d|\{)", r"\1box 3x3 "),
        Slip(r"\b(row|column|diagonal|region)s\b", r"\1"),
        Slip(r"\bcols?\b", "column"),
        Slip(r"\b(?:boxes|blocks?|squares?)(?=\s+\d)", "box"),
        Slip(r"^(rule\s+each\s.*(?:,|\band\b))\s*(?=\d+x\d+\b)", r"\1 box "),
        Slip(
            r"(?<=\w)\s*(?:,|\band\b)?\s+(?:each\s+)?(?=(?:row|column|diagonal|box\s+\d\S*|region)\b)(?<!each )", ", "
        ),
        Slip(r"^(rule\s+each\s+<NAME>)\s+and\s+(?=<NAME>)", r"\1, "),
        Slip(r"\b(exactly|at\s+most|at\s+least)\s+one\b", r"\1 1"),
        Slip(r"\bat-?(most|least)\b", r"at \1"),
        Slip(r"(?<=\w)\s+(?:<=|max(?:imum)?|no\s+more\s+than|up\s+to)\s+(?=\d+\s+\w)", " at most "),
        Slip(r"\b((?:exactly|at\s+most|at\s+least)\s+\d+)\s+of\s+", r"\1 "),
        Slip(r"^rule\s+(?:region\s+)(?=\w)", "rule "),
        Slip(r"^(rule\s+\w)$", r"\1 all different"),
        Slip(r"(?<=[\s{/.])[A-Z](?=[A-Z./\s]*\})|(?<=[A-Zx])[A-Z](?=[A-Z./\s]*\})", "x"),
        Slip(
            r"^rule\s+sum\s*(?:of\s+)?(?:\(\s*(?P<a>[\w\"][^()<>=]*?)\s*\)|(?P<b>[\w\"(][^<>=]*?))\s*(?P<sign><=|>=|==?|<|>)\s*(?P<n>\d+)$",
            lambda match: (
                f"rule {match['a'] or match['b']} sum {'=' if match['sign'] == '==' else match['sign']} {match['n']}"
            ),
            expected="a region first",
        ),
        Slip(
            r"^rule\s+all\s+(equal|different)\s+(?:(?:on|in|of)\s+)?(.*\S)$",
            r"rule \2 all \1",
            expected="a region first",
        ),
        Slip(r"^rule\s+all\s+(\S+)\s+(equal|different)$", r"rule \1 all \2", expected="a region first"),
        Slip(r"^(?P<first>rule\s+)(?P<names>\w(?:\s*,\s*\w)+)(?P<rest>\s+(?:sum|all)\s.*)$", _for_each),
        Slip(r"^(rule\s+\S+):\s*", r"\1 "),
        Slip(r"\bsum\s*(?:==|:=|:|=|\b(?:is|equals?)\b)?\s*(?=\d)(?!\d+\s*(?:\.\.|-|to))", "sum = "),
        Slip(
            r"^(rule\s+.*?\bsum)\s*(?:=|\bbetween\b|\bis\b|\bfrom\b|\bin\b)?\s*(\d+)\s*(?:\.\.|-|to|and)\s*(\d+)$",
            r"\1 >= \2\n\1 <= \3",
        ),
        Slip(r"^(rule\s+.*?\bsum)\s*(>=?\s*\d+)\s*(?:and|,|&)?\s*(<=?\s*\d+)$", r"\1 \2\n\1 \3"),
        Slip(r"\bsum\s+(?:at\s+most|up\s+to|max(?:imum)?)\s+", "sum <= "),
        Slip(r"\bsum\s+(?:at\s+least|min(?:imum)?)\s+", "sum >= "),
        Slip(r"\bsum\s+(?:less\s+than|below|under)\s+", "sum < "),
        Slip(r"\bsum\s+(?:more|greater)\s+than\s+", "sum > "),
        Slip(
            r"^(rule\s+(?:\w|.*[\w)}\"]))\s+(<=|>=|<|>|=)\s*(\d+)$",
            lambda match: match.group() if re.search(r"\bsum$", match[1]) else f"{match[1]} sum {match[2]} {match[3]}",
        ),
        Slip(r"(?<=\d)\.\d+$", "", before="write an integer:"),
        Slip(r"(\bsum\s*(?:[<>]=?|=)\s*)-(?=\d)", r"\1"),
        Slip(r"^rule$", "rule box 2x2 at most 1"),
        Slip(r"(?<=,)\s*each\s+", " "),
        Slip(r"\b(?:all\s+)?(?:the\s+)?(?:same|equal|identical|all_?equal)$", "all equal"),
        Slip(r"\b(?:all[\s_-]*)?(?:different|distinct|unique|diff|unequal|not\s+equal)$", "all different"),
    ),
    "together|immovable": (
        Slip(r"^(together|immovable)(?:\s+(?:all|every|everything))?$", r"\1 <PIECES>"),
        Slip(r"\s+x0\b", ""),
        Slip(r"^(together|immovable)\s+\((.*)\)$", lambda match: f"{match[1]} {_names(match[2], ' ')}"),
        Slip(
            r"^(together|immovable)\s+(<NAME>(?:\s*(?:[+&,]|\band\b)\s*<NAME>)+)$",
            lambda match: f"{match[1]} {_names(match[2], ' ')}",
        ),
    ),
    "cost": (
        Slip(r"^cost\s+(?:per|each|every|for\s+each|for\s+every|no)\s+(crossroad|fault)s?\b", r"cost \1s"),
        Slip(r"^(cost\s+faults)\s+(?:in|along|over|on|inside)?\s*([xyz])\b", r"\1 across \2"),
        Slip(r"^cost\s+(colour\s+\S|empty|<NAME>)\s*(?::=|==|:|\bis\b|\bof\b)?\s*(?=-?\d+$)", r"cost \1 = "),
        Slip(r"^(cost\s[^=]*=\s*)(\d+)[.,](\d)$", _scaled, before="costs are integers, so multiply all by 10:"),
        Slip(r"^(cost\s[^=]*=\s*)\"(-?\d+)\"$", r"\1\2"),
        Slip(r"^(cost\s[^=]*=)$", r"\1 1"),
        Slip(r"^(cost\s+(?:colour\s+\S|empty|<NAME>))$", r"\1 = 1"),
        Slip(r"(?<=[\d)}])\s+(-?\d+)$", r" = \1"),
        Slip(
            r"^(?P<first>cost\s+)(?P<names><NAME>(?:(?:\s*,\s*|\s+and\s+|\s+)<NAME>)+)(?P<rest>\s*=.*)$",
            lambda match: (
                match.group()
                if re.search(r"\b(?:colour|empty|in|inside|on|off|at|per|each|touching|apart)\b", match["names"])
                else _for_each(match)
            ),
        ),
        Slip(
            r"^(cost\s+(?:(?:colour\s+\S|empty|<NAME>)\s+)?)(?:per|each|for\s+each|every)\s+(?:cells?|locations?)\s+(?:in|inside|on|of|at)\s+",
            r"\1per ",
        ),
        Slip(r"^(cost\s+(?:(?:colour\s+\S|empty|<NAME>)\s+)?)(?:each|every|for\s+each)\s+", r"\1per "),
        Slip(r"^(cost\s+<NAME>\s+)(?:not\s+(?:in|inside|on)|outside(?:\s+of)?|out\s+of)\s+", r"\1off "),
        Slip(r"^(cost\s+(?:colour\s+\S|empty)\s+)(?:in|inside|on|at|within)\s+", r"\1per "),
        Slip(r"^(cost\s+<NAME>\s+)(?:in|within|into)\s+", r"\1inside "),
        Slip(r"^(cost\s[^=]*?)\s*=\s*(\S+)\s+((?:in|inside|on|off|at|per)\s.*)$", r"\1 \3 = \2"),
        Slip(r"^cost\s+<SHAPE>", "cost per "),
        Slip(r"^cost\s+(-?\d+)$", r"cost = \1"),
        Slip(r"^cost\s+(\S)\s*=", r"cost colour \1 ="),
        Slip(r"^(cost\s+colour\s+[a-z])[a-z]+", r"\1"),
    ),
    "for": (
        Slip(r"^for\s*(?:each|every|all)\s+", "for "),
        Slip(r"^for\s*\(\s*([^()]*\bin\b[^()]*)\)", r"for \1"),
        Slip(
            r"\bfor\s*\(?\s*(?P<names>\w+(?:\s*,\s*\w+)+)\s*\)?\s+in\s+(?P<ranges>(?:\([^()\n]*\)|[\w.+*%-]+)(?:\s*,\s*[\w.+*%-]+(?!\s+in\b))*)(?P<rest>)",
            _rounds,
        ),
        Slip(r"\b(for\s+\w+)\s*(?:=|from|:|∈)\s*", r"\1 in "),
        Slip(r"\bin\s+range\(\s*(\d+)\s*\)", lambda match: f"in 0..{max(int(match[1][:9]) - 1, 0)}"),
        Slip(r"\bin\s+range\(\s*(-?\d+)\s*,\s*(\d+)\s*\)", lambda match: f"in {match[1]}..{int(match[2][:9]) - 1}"),
        Slip(r"(?<=[\w)])\s*(?:\.\.\.|\bto\b|:)\s*(?=\w)(?=[\w()+*-]+\s*[,{i]|[\w+*-]+$)", ".."),
        Slip(r"\bin\s+[\[{]([^\[\]{}]*)[\]}]", r"in (\1)"),
        Slip(r"\bin\s+(\w+(?:\s*,\s*\w+)+)(?!\s+in\b)(?=\s*(?:\{|$))", r"in (\1)"),
        Slip(r"\bin\s+\((\w+(?:\s+\w+)+)\)", lambda match: f"in ({', '.join(match[1].split())})"),
        Slip(r"\bin\s+(\w+)\.\.(?=\s)", r"in (\1)"),
        Slip(
            r"(?<=[\w)])(?<!\bfor)(?:\s*(?:\band\b|;|&&?)\s*|(?<!\))\s+(?:for\s+)?)(?=(?!and\b|for\b)\w+\s+in\b)", ", "
        ),
        Slip(r"\bin\s+(\w+)-(\w+)(?=\s*(?:[,{]|$))", r"in \1..\2"),
        Slip(r"\bin\s+(\w+)(?=\s*(?:[,{]|$))", r"in 1..\1"),
        Slip(r"\bwhere\s+(\w+\s*%\s*\w+)(?=\s*(?:[,{]|$))", r"where \1 != 0"),
        Slip(r"\bdo\s*(?=\{)", ""),
        Slip(r"^(for\s[^{}]*?)\s*:\s*((?:<KEYWORDS>)\s.*)$", r"\1 { \2 }"),
        Slip(r"^(for\s[^{}]*?)\s+((?:<KEYWORDS>)\s.*)$", r"\1 { \2 }"),
        Slip(
            r"\bfor\s+(\w+)\s+in\s+(\w+)\.\.([\w-]+)\s+(?:step|by)\s+(\d+)",
            r"for \1 in \2..\3 where (\1 - \2) % \4 = 0",
        ),
        Slip(r"(?<=\S)\s*,?\s*\b(?:if|when)\b", " where"),
        Slip(r"^(for\s+(\w+)\s+in\s+[^,{}]*?)\s*,\s*(\2\s*[<>=!])", r"\1 where \3"),
        Slip(r"^(for\s.*\bwhere\b.*)\s+else\s*(?=\{)", r"\1 "),
        Slip(r"^for\s+(\w+)\s*(?:in\s*)?(?=\{)", r"for \1 in 1..3 "),
        Slip(r"^for\s*\{\s*piece\s+([^\W\d]\w*)", r"for i in 1..3 { piece \1[i]"),
        Slip(r"^(for\s[^{}]*\S)$", r"\1 { piece A[i] { x } }"),
    ),
    "wall": (Slip(r"^wall\s+(?:at\s+)?(?=<CELL>)", "wall cells "),),
    "no": (
        Slip(
            r"^no\s+(?:tatami|corners|cross(?:es|ings?|road|[- ]roads?)?|(?:four|4)[- ](?:corners|pieces)\b.*)(?!\w)",
            "no crossroads",
        ),
        Slip(r"^no\s+(?:straight\s+)?(?:fault[- ]?)?(?:lines?|planes?|fault|seams?)\b", "no faults"),
        Slip(r"^(no\s+crossroads)\s+(?:in|within)\s+", r"\1 inside "),
        Slip(r"^(no\s+faults)\s+(?:(?:along|in|on|for)\s+)?([xyz])$", r"\1 across \2"),
        Slip(r"^no\s+(?:horizontal\s+(?:faults?|lines?|joints?)|faults\s+horizontal\w*)$", "no faults across y"),
        Slip(r"^no\s+(?:vertical\s+(?:faults?|lines?|joints?)|faults\s+vertical\w*)$", "no faults across x"),
        Slip(r"^no\s+touching\s+", "apart "),
        Slip(r"^no\s+more\s+than\s+(\d+)\s+(?:pieces\s+)?(?:meet\s+)?(?=at\b)", r"at most \1 "),
    ),
    "at": (
        Slip(r"^at\s+most\s+(two|three)\b", lambda match: f"at most {2 + (match[1] == 'three')}"),
        Slip(r"^(at\s+most\s+\d+)\s+(?:pieces?\s+)?(?:may\s+)?(?:meet\s+)?(?=(?:at|per|in)\b)", r"\1 "),
        Slip(
            r"^(at\s+most\s+\d+\s+)(?:at|per|in)\s+(?:an?\s+|any\s+|each\s+|every\s+)?(?:points?|corners?|edges?|vertex)\b",
            r"\1at a point",
        ),
        Slip(r"^(at\s+most\s+\d+)$", r"\1 at a point"),
        Slip(r"^(at\s+most\s+\d+\s+at\s+a\s+point\s+)(?:in|within)\s+", r"\1inside "),
    ),
    "apart": (Slip(r"^(apart\s.*?)\s+(?:and\s+|at\s+|including\s+)?(?:the\s+)?corners$", r"\1 with corners"),),
    "touching": (
        Slip(r"^(touching\s+<NAME>)\s*(?:\band\b|\bto\b|\bwith\b|[+&])\s*(?:the\s+)?(?=<NAME>)", r"\1 "),
        Slip(r"^(touching\s+<NAME>)\s+the\s+border", r"\1 border"),
        Slip(r"^touching\s+(?:every|each)(?:\s+piece)?\b", "touching all"),
        Slip(r"^touching\s+(?:the\s+)?border$", "touching all border"),
        Slip(r"^touching\s+(<NAME>)\s+(?:the\s+)?<SHAPE>", r"place \1 on ", expected="`place`"),
        Slip(r"^(touching\s+all)(?:\s+(?:pieces\s*)?(?:the\s+)?(?:border)?)?$", r"\1 border"),
        Slip(r"^(touching\s+<NAME>\s+<NAME>)(?:\s+<NAME>)+$", r"\1"),
    ),
    "symmetric": (
        Slip(r"^symmetric\s+(?:(?:under|by|about|with|to)\s+)?(?:an?\s+|the\s+)?", "symmetric "),
        Slip(r"^symmetric\s+(half|quarter|third|sixth)[ _]?turn\b", r"symmetric \1-turn"),
        Slip(r"^symmetric\s+(?:180|rotation|rotated|point|centre|center)\b.*$", "symmetric half-turn"),
        Slip(r"^symmetric\s+90\b.*$", "symmetric quarter-turn"),
        Slip(r"^symmetric\s+(?=(?:[xyz]|diagonal)$)", "symmetric mirror "),
        Slip(r"^symmetric\s+horizontal\w*$", "symmetric mirror x"),
        Slip(r"^symmetric\s+vertical\w*$", "symmetric mirror y"),
        Slip(r"^symmetric\s+(?:reflect\w*|mirrored|flip\w*)\b", "symmetric mirror"),
    ),
}

#: Mistakes in conditions, in any statement.
CONDITIONS = (
    Slip(r"(?<=[\w)])\s*(?:&&?|,)\s*(?=[\w(])", " and "),
    Slip(r"(?<=[\w)])\s*\|\|?\s*(?=[\w(])", " or "),
    Slip(r"!\s*(?=[\w(])", "not "),
)

#: First words of statements of other languages, and what is meant.
BEGINNINGS = {
    "color": "paint|colours",
    "colour": "paint|colours",
    "painted": "paint",
    "tint": "paint",
    "include": "use",
    "import": "use",
    "title": "puzzle",
    "name": "puzzle",
    "grid": "locations box",
    "board": "locations",
    "box": "locations box",
    "cells": "locations cells",
    "area": "locations",
    "rectangle": "locations box",
    "shape": "piece",
    "tile": "piece",
    "block": "piece|forbid",
    "polyomino": "pieces polyominoes",
    "tiles": "pieces",
    "library": "pieces",
    "put": "fix",
    "given": "fix",
    "givens": "fix",
    "clue": "fix",
    "clues": "fix",
    "digits": "values",
    "numbers": "values",
    "symbols": "values",
    "require": "place",
    "constraint": "place",
    "exclude": "forbid|place",
    "avoid": "forbid",
    "holes": "empty",
    "border": "frame",
    "rim": "frame",
    "boundary": "frame",
    "edge": "frame",
    "outside": "frame",
    "parameter": "param",
    "let": "param",
    "const": "param",
    "set": "param",
    "var": "param",
    "int": "param",
    "foreach": "for",
    "price": "cost",
    "weight": "cost",
    "rules": "rule",
    "costs": "cost",
    "walls": "wall",
    "matches": "match",
    "allows": "allow",
    "wrapped": "wrap",
    "crossings": "crossing",
    "turn": "turns",
    "rotation": "turns",
    "rotations": "turns",
    "turning": "turns",
    "touch": "touching",
    "touches": "touching",
    "separate": "apart",
    "separated": "apart",
    "symmetrical": "symmetric",
    "tatami": "no crossroads",
    "faultless": "no faults",
}

#: Statements that begin with a word that is no keyword.
STRANGE = (
    Slip(r"^(?:in\s+)?(?:each|every|all)\s+(?=(?:row|column|diagonal|box|region)s?\b)", "rule each "),
    Slip(r"^all\s+different\s+(?:in\s+)?each\s+(.*)$", r"rule each \1 all different"),
    Slip(r"^([^\W\d]\w*)\s*=\s*(?=\S)", r"param \1 = "),
    Slip(r"^repeat\s+(\d+)\s*(?:times\s*)?\{\s*(piece\s+<NAME>)\s*(\{[^{}]*\})\s*\}$", r"\2 x\1 \3"),
    Slip(r"^(\d+)\s*[xX*×]?\s*pieces?\s+(<NAME>)", r"piece \2 x\1"),
    Slip(r"^sum\s+", "rule sum "),
    Slip(r"^fault-free$", "no faults"),
    Slip(r"^(?:max(?:imum)?|up\s+to)\s+(?=\d+\s+(?:pieces\s+)?(?:at|per)\b)", "at most "),
    Slip(r"^(<NAME>)\s+(?:touching|touches)\s+", r"touching \1 "),
    Slip(r"^(?:not|never)\s+touching\s+", "apart "),
    Slip(r"^if\s+(.*?)\s*(?=\{)", r"for i in (1) where \1 "),
    Slip(r"^while\b[^{]*(?=\{)", "for i in 1..3 "),
)

#: Statements that no other statement replaces, and what to do.
ELSEWHERE = (
    Slip(r"^symmetry\b.*$", "remove it: `--symmetry` is an option of `puzzlec count` and `puzzlec solve`"),
    Slip(
        r"^(?:lid|opening|slot|door|exit)\b.*$",
        "write the cells that never move, such as `wall cells (-1,0)`, in space `wall cells (0,0,-1)`",
    ),
    Slip(r"^solve\b.*$", "remove it: `puzzlec solve` solves the puzzle"),
    Slip(r"^count\b.*$", "remove it: `puzzlec count` counts the solutions"),
    Slip(r"^(?:minimi[sz]e|maximi[sz]e)\b.*$", "remove it: `puzzlec solve --best` finds a solution of least cost"),
    Slip(
        r"^(?:holes?|remove|gaps?|block(?:ed)?)\s+(?:at\s+)?(?:cells?\s+)?(<CELLS>)$",
        r"write `- cells \1` at the end of `locations`",
    ),
    Slip(
        r"^(?:holes?|remove|gaps?|block(?:ed)?)\s+(?:at\s+)?(box\s+\d+(?:x\d+)*(?:\s+at\s+<CELL>)?)$",
        r"write `- \1` at the end of `locations`",
    ),
    Slip(
        r"^(?:all\s+)?(?:different|distinct|unique)$",
        "say where, such as `rule each row, column all different` or `rule box 2x2 all different`",
    ),
    Slip(
        r"^(rule\s+.*\S\s+sum)\s*!=\s*(\d+)$",
        r"no rule excludes one sum; write a bound such as `\1 < \2`",
    ),
    Slip(r"^empty\s+(?:at\s+)?(?:cells?\s+)?(<CELLS>)$", r"write `- cells \1` at the end of `locations`"),
    Slip(r"^place\s+(<NAME>)\s+(one-sided|free|fixed)$", r"write `\2` after the name in `piece \1 ...`"),
)


def rows_of(statement: str) -> tuple[Slip, ...]:
    """Return the rows for a statement, by its first word."""
    first = re.match(r"\w*", statement)
    word = first.group() if first else ""
    mine = next((rows for words, rows in ROWS.items() if word in words.split("|")), None)
    if mine is None:
        return (*STRANGE, *EVERYWHERE)
    regions = REGIONS if re.fullmatch("place|fix|forbid|cost|rule|wall|locations|optional|region|for", word) else ()
    lists = LISTS if re.fullmatch("colours|frame|allow|match|wrap|regions|together|immovable", word) else ()
    conditions = CONDITIONS if re.search(r"\b(?:where|if|when)\b", statement) else ()
    inner = ROWS["for"] if word != "for" and re.search(r"\bfor\b", statement) else ()
    return (*mine, *inner, *lists, *regions, *conditions, *EVERYWHERE, *FLAT)


def all_rows() -> list[Slip]:
    """Return all rows that replace a statement."""
    rows = (*STRANGE, *EVERYWHERE, *LISTS, *REGIONS, *CONDITIONS, *FLAT)
    return [*rows, *(row for some in ROWS.values() for row in some)]
