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
from puzzlec.language.elaborate import KEYWORDS


class Row(NamedTuple):
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


def pattern_of(row: Row) -> re.Pattern[str]:
    """Return the pattern of a row, with its parts."""
    return _compiled(row.pattern)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    for part, meaning in PARTS.items():
        pattern = pattern.replace(part, meaning)
    return re.compile(pattern)


def _painted(found: re.Match[str]) -> str:
    """Return a piece without its colour in pictures, and the statement for that colour."""
    word = (found["paint"] or found["any"]).strip('"')
    colour = word if paint_of(word) else (near(word, PAINTS) or ["red"])[0]
    return f"{found[1]}{found['rest']}\npaint {found[2]} " + (f'"{colour}"' if colour[0] == "#" else colour)


def _names(text: str, joint: str) -> str:
    """Return the names in a text with another joint."""
    return joint.join(re.findall(_NAME, re.sub(r"\b(?:and|or|only|except)\b", " ", text)))


def _sizes(found: re.Match[str]) -> str:
    """Return a box with the sizes of a match, variables in braces."""
    sizes = re.findall(r"\{[^{}]*\}|\d+|[a-wyz]\d?", found["sizes"].replace("by", " "))
    return "box " + "x".join(size if size[0] in "{0123456789" else f"{{{size}}}" for size in sizes)


def _for_each(found: re.Match[str]) -> str:
    """Return a statement for each name of a list."""
    return "\n".join(f"{found['first']}{name}{found['rest']}" for name in _names(found["names"], "\n").split("\n"))


def _rounds(found: re.Match[str]) -> str:
    """Return a loop with a range for each variable of a list."""
    names = re.findall(r"\w+", found["names"])
    ranges = re.findall(r"\([^()\n]*\)|[^,\s][^,\n]*?(?=\s*(?:,|$))", found["ranges"].strip())
    ranges = ranges if len(ranges) == len(names) else [found["ranges"].strip()] * len(names)
    return "for " + ", ".join(f"{name} in {values}" for name, values in zip(names, ranges, strict=True)) + found["rest"]


def _spaced(cells: str) -> str:
    """Return a list of cells with spaces between them."""
    return re.sub(r"\)[\s,]*\(", ") (", cells)


def _scaled(found: re.Match[str]) -> str:
    """Return a decimal cost as an integer."""
    return f"{found[1]}{int(found[2] + found[3])}"


def _power(found: re.Match[str]) -> str:
    """Return a small power as a product."""
    return "*".join([found[1]] * min(int(found[2]), 9)) or found.group()


def _commas(found: re.Match[str]) -> str:
    """Return names with commas between them."""
    return found[1] + _names(found[2], " ")


def _board_shape(found: re.Match[str]) -> str:
    """Return the board shape that a word may mean, with its sizes."""
    nearest = near(found["word"], BOARD_SHAPES)
    return f"{found[1]} {nearest[0]} {found['sizes']}" if nearest else found.group()


def _only(found: re.Match[str]) -> str:
    """Return a library with the pieces to take."""
    names = re.findall(rf"(?<=\.){_NAME}|(?<![\w.])[A-Z]\w*(?!\w*\.)", found["names"])
    return f"{found['library']} only {' '.join(names)}" if names else found.group()


def _taken(found: re.Match[str]) -> str:
    """Return one piece of a library with its modifiers."""
    return f"piece {found[1].partition('.')[2]}{found[2]} = {found[1]}"


def _single(found: re.Match[str]) -> str:
    """Return one piece with a drawing, which a statement for libraries has."""
    head = found[1] if found[1][:1].isupper() else f"A x{found[1].lstrip('x')}" if found[1] else "A"
    return f"piece {head} {found[2]}"


def _padded(found: re.Match[str]) -> str:
    """Return a drawing whose rows have the same layers, each with the same number of characters.

    A row that begins further right than the others is filled on its left.
    """
    by_line = "\n" in found[1]
    rows = [row for row in re.split(r"\n|/", found[1]) if row.strip()]
    layers = [row.split() for row in rows]
    number, width = max(map(len, layers)), max(len(layer) for row in layers for layer in row)
    same = all(len(row) == number for row in layers)
    if re.search(r"\n[ \t]*\n", found[1]) or not (same or all(len(layer) == width for row in layers for layer in row)):
        return found.group()
    left = [len(row) - len(row.lstrip()) for row in rows]
    margin = min(left) if by_line else len(found[1]) * (" /" in found[1])
    left = [max(space - margin, 0) if by_line or place else 0 for place, space in enumerate(left)]
    full = []
    for row, space in zip(layers, left, strict=True):
        first = dotted(row[0], space, width) if number == 1 else row[0]
        full.append(" ".join(layer.ljust(width, ".") for layer in [first, *row[1:], *[""] * (number - len(row))]))
    if not by_line:
        return "{ " + "/".join(full) + " }"
    lines = "".join("\n" + " " * margin + row for row in full)
    return "{" + lines + found[1][len(found[1].rstrip()) :] + "}"


def _edges(found: re.Match[str]) -> str:
    """Return edges in a row, for a drawing that has cells or no points."""
    return "{ +" + "-+" * max(1, len(re.findall("[-x]", found[1]))) + " }"


def _block(found: re.Match[str]) -> str:
    """Return a piece with the drawing of a block of cells."""
    wide, *more = [int(size) for size in re.findall(r"\d+", found[2])]
    high, deep = (*more, 1)[:2]
    return f"{found[1]} {{ {'/'.join([' '.join(['x' * wide] * deep)] * high)} }}"


def _spread(found: re.Match[str]) -> str:
    """Return a drawing of hexagons: a space between them, and each second row half a hexagon further."""
    rows = [" " * (number % 2) + " ".join(row) for number, row in enumerate(found[1].split("/"))]
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
    Row(r"[“”„«»‘’]", '"'),
    Row(r"'([^'\n]*)'", r'"\1"'),
    Row(r'^([^"\n]*)"([^\s"]+)(?=\s[^"\n]*$)', r'\1"\2"'),
    Row(r"[−–—]", "-"),
    Row(r"[^\S \t\n]|[\u200b\u2060\ufeff]", " "),
    Row("≤", "<="),
    Row("≥", ">="),
    Row("≠", "!="),
    Row("×", "x"),
)

#: Mistakes in drawings.
DRAWINGS = (
    Row(r"\{\s*\{([^{}]*)\}\s*\}", r"{\1}"),
    Row(r"\{\s*\}", "{ x }"),
    Row(r"\{((?:[ \t\n]*[x.\d][x.\d/\s]*))\}", _padded),
    Row(r"\{\s*(x+|\+?-[-+]*)\s*\}", _edges),
    Row(r"\{\s*([x.]+(?:/[x.]+)*)\s*\}", _spread),
    Row(r"(?<=[x.])\s*[\\;,|]\s*(?=[x.][x.\s\\;,|]*\})", "/"),
    Row(r"(?<=[x.])[ \t]+(?=[x.]+(?:[ \t]+[x.]+)*[ \t]*\})", "/"),
    Row(r"(?<=[\s{/.x?])[XoO0*@■█_+?A-Za-wyz1-9-](?=[^{}=]*\})", "x"),
)

#: Cells with a coordinate less than the lattice has.
FLAT = (Row(r"\((-?\d+),(-?\d+)\)", r"(\1,\2,0)"),)

#: Mistakes in lists of colours or names.
LISTS = (
    Row(r"(?<=\S)\s*[,;]\s*(?=\S)|\s+(?:and|or)\s+", " "),
    Row(r"^(\w+)\s+[(\[{](.*)[)\]}]$", lambda found: f"{found[1]} {' '.join(found[2].replace(',', ' ').split())}"),
    Row(r"^(\w+)\s+(?:colou?rs?|is|are)\s+", r"\1 "),
)

#: Mistakes in any statement. Rows with a narrower meaning come first.
EVERYWHERE = (
    *CHARACTERS,
    Row(r"^(<KEYWORDS>|optional\s+locations)\s*(?::=|[:=]|\bis\b)\s*", r"\1 "),
    Row(r"[;,]\s*$", ""),
    Row(r"(?<=\S)(?:\s*[;,&]\s*|\s+(?:and\s+)?)(?=(?:<KEYWORDS>)\s+[^\s=:{])", "\n"),
    Row(r"^\s*(?://|--|%|;|'''|'|/\*)\s*(.*?)\s*(?:\*/|''')?$", r"# \1"),
    Row(r"\s+(?://|--|%|;|/\*)\s+(.*?)\s*(?:\*/)?$", r"  # \1"),
    *DRAWINGS,
    Row(r"\bcolors?\b", "colour"),
    Row(r"(?<![\w(,])(-?\d+),(-?\d+)(?:,(-?\d+))?(?![\w,)])", lambda found: f"({found.group()})"),
    Row(r"(?<!\w)\[(-?\w+(?:\s*,\s*-?\w+)+)\]", r"(\1)"),
    Row(r"(?<!\w)\((-?\w+)\s+(-?\w+)(?:\s+(-?\w+))?\)", lambda found: f"({','.join(filter(None, found.groups()))})"),
    Row(r"\b(poly\w+\s+)\{([^{}]*)\}", r"\1\2"),
    # Expressions
    Row(r"(?<=[\w)])\s*/\s*(?=[\w(])", "//"),
    Row(r"(\w+)\s*(?:\^|\*\*)\s*([2-9])\b", _power),
    Row(r"(?<=[\w)])\s+mod\s+(?=[\w(])", " % "),
    Row(r"(?<=[\w)])\s+div\s+(?=[\w(])", "//"),
    Row(r"\b(?:floor|int|trunc)\(([^()]*?)\s*/{1,2}\s*([^()]*)\)", r"\1//\2"),
    Row(r"(?<![\w.])(\d+)([a-wyz]\w*)\b", r"\1*\2"),
    Row(r"(?<=[\w)])\s*(?:<>|=/=|≠)\s*(?=[\w(])", " != "),
    Row(r"=<", "<="),
    Row(r"=>", ">="),
    Row(
        r"(?<==)\s*\{([^{}]*)\}|(?<=\.\.)\{([^{}]*)\}|\{(\w+)\}(?=[^{}]*\))",
        lambda found: " " * (found[1] is not None) + "".join(filter(None, found.groups())),
    ),
)

#: Mistakes in regions.
REGIONS = (
    Row(
        r"\bbox\s*[(\[{]?\s*(?P<sizes>(?:<N>|<VAR>)(?:\s*<BY>\s*(?:<N>|<VAR>)){1,3})\s*[)\]]?(?![\w(])",
        _sizes,
    ),
    Row(r"\bbox\s*\{\s*(\d+(?:\s*,\s*\d+)+)\s*\}", lambda found: "box " + re.sub(r"\s*,\s*", "x", found[1])),
    Row(r'\bbox\s*"(\d+(?:x\d+)*)"', r"box \1"),
    Row(r"\bboxe?s\b", "box"),
    Row(r"\bplus(?=\s+\d)", "cross"),
    Row(r"(?<=\d)\s*,?\s*(?:thick(?:ness)?|wide|of\s+width|with\s+width)\s+(?=\d)", " width "),
    Row(r"\b((?:cross|ring)\s+\S+)\s+width\s*=\s*(?=\d)", r"\1 width "),
    Row(r"\b((?!cross|ring)(?:<SHAPES>)\s+\d+)\s+width\s+\S+", r"\1"),
    Row(r"\bbox\s+\S*\.\d\S*", lambda found: re.sub(r"\.\d+", "", found.group()), before="write integers:"),
    Row(r"\bbox\s+\S*\b0x?\S*", lambda found: re.sub(r"\b0(?=x|$)|(?<=x)0(?=x|$)", "1", found.group())),
    Row(r"\bcells\s+\((\w),(\w)\)$", r"cells (\1,\2) for \1 in 0..3, \2 in 0..3"),
    Row(r"\bbox(?=\s+\S*-\d)(\s+)-?(\d+)x-?(\d+)", r"box\1\2x\3"),
    Row(r"\b(?:the|an?|all|of|region)\s+(?=box|cells|\{|corner|border|edge|left|right|top|bottom)", ""),
    Row(
        r"(?<=\S)\s+(?:with\s+)?(?:an?\s+)?(?:holes?|hollow|gaps?|without|minus|except(?:\s+for)?|remove|but\s+not)\s+(?:at\s+)?(?:cells?\s+)?(?=<CELL>)",
        " - cells ",
    ),
    Row(
        r"(?<=\S)\s*(?:\b(?:without|minus|except(?:\s+for)?|but(?:\s+not)?|and\s+not)\b|\\)\s*(?=box|cells|grid|\{|\(|\d+x\d)",
        " - ",
    ),
    Row(r"(?<=\S)\s*(?:\b(?:and|plus|or|with)\b|,|\|{1,2}|&&)\s*(?=box|cells|grid|\{)", " + "),
    Row(r"(?<=\S)\s+\*\s+(?=box|cells|grid|\{)", " & "),
    Row(r"\b(?:cell|squares?|locations?|positions?|points?)\s+(?=\()", "cells "),
    Row(r"\bcells\s*\{\s*(\(.*\))\s*\}", r"cells \1"),
    Row(
        r"(?:(?<=[-+&])|(?<=\b(?:on|at))|(?<=\boff)|(?<=\bper)|(?<=\binside)|(?<=^locations)|(?<=^wall)|(?<=^rule)|(?<=^cost))\s+(?=<CELL>(?!\s*$)|<CELL>$)(?!\(box|\(cells)",
        " cells ",
    ),
    Row(r"(?<=[\d})])\s*(?:@|\bat\b)?\s+(?=\(-?\w+,\s*-?\w+(?:,\s*-?\w+)?\))(?<!cells )", " at "),
    Row(r"(?<=at)\s+\[([^\[\]]*)\]", r" (\1)"),
    Row(r"\bat\s+(\([^()]*\))\s+(box\s+\S+|\{[^{}]*\})", r"\2 at \1"),
    Row(r"\bsides\s+of\b", "edges of"),
    Row(r"\((-?\w+),\s*(-?\w+),\s*0\)", r"(\1,\2)"),
    Row(r"\bregion\s+(?=\w+$)", ""),
    Row(r"\bcells(?=\s+[\w\"])", "names"),
    Row(r"(?<=[\s(])[\[(\"]([x.?]*x[x.?/]*)[\])\"]", r"{ \1 }"),
    Row(r"(?<=\s)((?:x[x.?/]|\.)[x.?/]*)\s*\}?$", r"{ \1 }"),
    Row(r"\b(?:the\s+)?(?:middle|cent(?:re|er))$", "centre"),
)

#: Mistakes by the first words of statements, as a pattern. A row of one statement comes before those of all.
ROWS: dict[str, tuple[Row, ...]] = {
    "puzzle": (Row(r"^puzzle\s+[\"'“”„«»‘’]?([^\"'“”„«»‘’\n]*[^\"'“”„«»‘’\s])[\"'“”„«»‘’]?$", r'puzzle "\1"'),),
    "lattice": (
        Row(r"^lattice\s+([./\\\w-]+\.ya?ml)$", r'lattice "\1"'),
        Row(r"^lattice\s+([\w-]+)\s+(?:grid|board|lattice|cells|tiling)$", r"lattice \1"),
        Row(r"^lattice\s+([\w-]+)\s+((?:box|grid)\s.*|\d+x\d.*)$", r"lattice \1\nlocations \2"),
        Row(r"^lattice\s+(?!is\b)(\w+)\s+\w+$", r"lattice \1"),
        Row(r"^lattice$", "lattice square"),
    ),
    "colours": (
        Row(r"^colours\s*[^\w\s\"']?$|^colours\s+x$", "colours b w"),
        Row(r"(?<=\s)([a-z])[a-z]+(?=\s|$)", r"\1"),
        Row(r"[\"'](.)[\"']", r"\1"),
        Row(r"\s(\S)(?=\s(?:.*\s)?\1(?:\s|$))", ""),
    ),
    "regions": (
        Row(r"^regions$", "regions P Q"),
        Row(r"^regions\s+(\w+\s*=)", r"region \1"),
        Row(r"^regions\s+\w$", "regions P"),
        Row(r"^regions\s+\w[\s,]+\w$", "regions P Q"),
    ),
    "region": (
        Row(r"^region\s*=?\s*(<SHAPE>.*)$", r"region P = \1"),
        Row(r"^region\s+(<NAME>)\s*(?::=|==|:|\bis\b(?:\s+(?:the|an?)\b)?|\s)\s*(?=[\w\"({])(?!=)", r"region \1 = "),
    ),
    "param": (
        Row(r"^param(?:eter)?\s+(\w+)\s*(?::=|==|:|\bis\b)?\s*(?=[\w(-])", r"param \1 = "),
        Row(r"^param\s+(\w+)\s*=\s*\"(-?\d+)\"$", r"param \1 = \2"),
        Row(r"^param\s+(\w+)\s*=\s*(\d+)[.,]\d+$", r"param \1 = \2", before="write an integer:"),
        Row(r"^param\s+(\w+)\s*=?$", r"param \1 = 1"),
    ),
    "locations|optional": (
        Row(r"^optional\s+(?!locations\b)", "optional locations "),
        Row(r"^locations\s+optional\s+", "optional locations "),
        Row(
            r"^((?:optional\s+)?locations)\s+(?:rectangle|rect|area|board|grid|size|sizes|cuboid|square|(?!box\b)(?:b\w{1,3}|\w?ox))?\s*\(?(?P<sizes><N>(?:\s*<BY>\s*<N>){1,2})\)?$",
            lambda found: f"{found[1]} {_sizes(found)}",
        ),
        Row(r"^((?:optional\s+)?locations)\s+width\s+(<N>)\W+height\s+(<N>)$", r"\1 box \2x\3"),
        Row(r"^(locations\s+.*?)\s+on\s+lattice\s+([\w-]+)$", r"lattice \2\n\1"),
        Row(r"^locations\s+\{\s*(\(.*\))\s*\}$", r"locations cells \1"),
        Row(r"^locations\s+[\[{(](?!-?\d)([^\[\]{}()]*)[\])}]$", r"locations \1"),
        Row(r"^locations\s+(\d+\.\.\d+)$", r"locations names \1"),
        Row(r"^locations\s+(\d{1,4})$", lambda found: f"locations names 0..{max(int(found[1]) - 1, 0)}"),
        Row(
            r"^((?:optional\s+)?locations)\s+(?:circle|dis[ck])\s+(?:of\s+)?(?:radius\s+)?(\d{1,2})$",
            r"\1 cells (x,y) for x in -\2..\2, y in -\2..\2 where x*x + y*y <= \2*\2",
        ),
        Row(
            r"^((?:optional\s+)?locations)\s+(?:sphere|ball)\s+(?:of\s+)?(?:radius\s+)?(\d{1,2})$",
            r"\1 cells (x,y,z) for x in -\2..\2, y in -\2..\2, z in -\2..\2 where \2*\2 >= x*x + y*y + z*z",
        ),
        Row(r"^((?:optional\s+)?locations)\s+(?:octahedron|rhombus)\s+(\d+)$", r"\1 diamond \2"),
        Row(r"^(locations\s+)(?:is|the|an?)\s+", r"\1"),
        *(
            Row(r"^((?:optional\s+)?locations)\s+(?:square|cube|box|board|size)?\s*(\d+)$", rf"\1 box {sizes}")
            for sizes in (r"\2", r"\2x\2", r"\2x\2x\2")
        ),
        Row(r"^((?:optional\s+)?locations)\s+(?P<word>[a-z]{4,})\s+(?P<sizes>\d+(?:x\d+)*)$", _board_shape),
        Row(
            r"^((?:optional\s+)?locations)\s+(?![a-z]{4,}\s+\d+(?:x\d+)*$)(?!(?:box|cells|grid|edges|names|sides|hole)\b|\(\s*-?\d)(?=[\w\"(])(.*)$",
            r"\1 names \2",
        ),
        Row(r"^(?=locations\s+names\s)", "lattice none\n"),
    ),
    "empty": (
        Row(r"^empty\s+(?:cells?|locations?|places?|exactly)\s+(?=\d)", "empty "),
        Row(r"^empty\s+(\d+)\s*(?:-|\.\.\.|to|,)\s*(\d+)$", r"empty \1..\2"),
        Row(r"^empty\s+(?:<=|≤|at\s+most|up\s+to|\.\.)\s*(\d+)$", r"empty 0..\1"),
        Row(r"^empty\s+<\s*(\d+)$", lambda found: f"empty 0..{max(int(found[1][:9]) - 1, 0)}"),
        Row(r"^empty\s+-(\d+)$", r"empty \1"),
        Row(r"^empty\s+(?:\d+\s*\.\.\s*\*?|\*|any)$", ""),
    ),
    "frame": (Row(r"^frame\s+(?:none|any|no)$", ""),),
    "crossing": (Row(r"^crossing\b.*$", "crossing"),),
    "turns": (Row(r"^turns\b.*$", "turns"),),
    "wrap": (
        Row(r"^wrap$", "wrap x y"),
        Row(r"^wrap\s+([xX])\s*([yY])$", "wrap x y"),
        Row(r"^wrap\s+([XYZ])\b", lambda found: found.group().lower()),
        Row(r"^wrap\s+[a-z]$", "wrap x y"),
        Row(r"^wrap\s+\(?(\d+)(?:\s*,\s*\d+)?\)?$", r"wrap (\1,0)"),
        Row(r"^wrap\s+(?:horizontal\w*|left|right|sides|columns|x-axis)$", "wrap x"),
        Row(r"^wrap\s+(?:vertical\w*|top|bottom|rows|y-axis)$", "wrap y"),
    ),
    "match": (
        Row(
            r"^match\s+[\[({]?\s*([^\s,])\s*(?:<->|->|=>|[=:,/+&-]|\b(?:with|to|and|on|meets|is)\b)?\s*([^\s,)])[\])}]?$",
            r"match \1 \2",
        ),
        Row(r"^match\s+(\S)$", r"match \1 \1"),
    ),
    "allow": (
        Row(r"^allow\s+crossings?$", "crossing"),
        Row(
            r"^allow\s+(\S)\s*(?:->|=>|[=:,]|\b(?:in|over|to|at|inside|for)\b)?\s*(?=\S)(?!on\b)([^\n]*)$",
            lambda found: found.group() if re.search(r"\bon\b", found[2]) else f"allow {found[1]} on {found[2]}",
        ),
        Row(
            r"^(?P<first>allow\s+)(?P<names>\S(?:(?:\s*,\s*|\s+(?:and\s+)?)\S)+)(?P<rest>\s+on\s+.*)$",
            lambda found: "\n".join(
                f"allow {colour}{found['rest']}"
                for colour in re.findall(r"[^\s,]", re.sub(r"\b(?:and|or)\b", " ", found["names"]))
            ),
        ),
    ),
    "paint": (
        Row(r"^(paint\s+<NAME>)\s*(?::|=|\bin\b|\bas\b|\bcolou?r\b)\s*(?=\S)", r"\1 "),
        Row(r"^(paint\s+<NAME>)\s+(?:light|dark|bright|pale|deep)[\s-]*(?=<PAINT>$)", r"\1 "),
        Row(r"^(?P<first>paint\s+)(?P<names><NAME>(?:[\s,]+(?:and\s+)?<NAME>)+?)(?P<rest>\s+<PAINT>)$", _for_each),
        Row(r"^paint\s+(<PAINT>)\s+(?!<PAINT>)(<NAME>)$", r"paint \2 \1"),
        Row(r"^paint\s+(<NAME>)\s+(#[0-9a-fA-F]{6})$", r'paint \1 "\2"'),
        Row(r"^paint\s+(<NAME>)$", r"paint \1 red"),
        Row(r"^paint$", "paint <PIECE> red"),
    ),
    "piece": (
        # The colour in pictures
        Row(
            r"^(piece\s+(<NAME>)(?:[^{}]*?|.*\}))\s*,?\s+(?:in\s+)?"
            r"(?:(?:colou?r(?:ed)?|paint(?:ed)?|fill)\s*[:=]?\s*(?P<any>[a-z]+)|"
            r"(?:(?:colou?r(?:ed)?|paint(?:ed)?|fill)\s*[:=]?\s*)?(?P<paint><PAINT>))(?P<rest>.*)$",
            _painted,
        ),
        # The name
        Row(r"^piece\s+(?==|\{|x[\d*{])", "piece A "),
        Row(r"^piece\s+(\d+)\s*[xX*×]?\s*([^\W\d][\w-]*)(?=\s*[{=])", r"piece \2 x\1"),
        Row(r"^piece\s+(x(?:<N>|\*)(?:\.\.(?:<N>|\*))?)\s+([^\W\d][\w-]*)(?=\s*[{=])", r"piece \2 \1"),
        Row(r"^piece\s+([\w-]+)[.'/]([\w-]+)(?=\s)", r'piece "\1.\2"'),
        Row(r"^(?P<first>piece\s+)(?P<names><NAME>(?:\s*,\s*<NAME>|\s+and\s+<NAME>)+)(?P<rest>.*)$", _for_each),
        Row(
            r"^(piece\s+[^\W\d]\w*)(?:\((\w+(?:,\s*\w+)*)\)|\{(\w+)\}|\.(\w))(?=\s*[{=])",
            lambda found: f"{found[1]}[{found[2] or found[3] or found[4]}]",
        ),
        Row(r"^(piece\s+[^\W\d]\w*)\[(\w+)\s*(?=[{=])", r"\1[\2] "),
        Row(r"^(piece\s+[^\W\d]\w*\[[^\]]*)[\];:]+\[?([^\]\[]*)\]", r"\1,\2]"),
        Row(r"^(piece\s+[^\W\d]\w*)\s*\[\s*\]", r"\1"),
        # Copies
        Row(r"(?<=\s)(x<N>\.\.)\*", r"\1"),
        Row(r"<HEAD>x\s*=?\s*(\d+)(?:\s*(?:-|to|\.\.\.)\s*(\d+))", r"\1x\2..\3"),
        Row(
            r"<HEAD>(?:copies|count|times|number|qty|amount)?\s*[:=]?\s*\(?[xX*×]?\s*(\d+)\s*[xX*×]?\)?(?![\w.])",
            r"\1x\2",
        ),
        Row(r"<HEAD>\(?(\d+)\s*(?:\.\.|-|to)\s*(\d+)\)?(?!\w)", r"\1x\2..\3"),
        Row(r"<HEAD>x\s*(\d+)\s*(?:\.\.|\+|or\s+more)(?=\s)", r"\1x\2.."),
        Row(r"<HEAD>x\s*\.\.\*?(?=\s)", r"\1x*"),
        Row(r"<HEAD>x\s*(?:<=|≤|\.\.)\s*(\d+)", r"\1x0..\2"),
        Row(r"<HEAD>x\s*(?:>=|≥)\s*(\d+)", r"\1x\2.."),
        Row(r"<HEAD>x(\d+)\.\d+", r"\1x\2", before="write an integer:"),
        Row(r"<HEAD>x-(\d+)", r"\1x\2"),
        Row(r"<HEAD>x\s*\(?([a-z])\)?(?=\s*[{=])", r"\1x{\2}"),
        Row(r"<HEAD>x\(([^{}]*)\)(?=\s*[{=])", r"\1x{\2}"),
        Row(r"<HEAD>(x\{[^{}]*[\w)])\s*/\s*([\w(][^{}]*\})", r"\1\2//\3"),
        Row(r"<HEAD>x\s*=?\s*(\{\s*[x./]+[x./\s]*\})$", r"\1x2 \2", expected="a number of copies"),
        Row(r"<HEAD>(?:any|many)(?=\s*[{=])", r"\1x*"),
        Row(r"<HEAD>(?:optional|maybe)(?=\s*[{=])", r"\1x0..1"),
        Row(r"^(piece\s+<NAME>)\s*(\{.*\}|covers\s.*?|=\s*\S*\.\S+)\s+[xX*]?\s*(\d+)$", r"\1 x\3 \2"),
        Row(r"^(piece\s+<NAME>)\s*(\{[^{}]*\}|=\s*\S+|covers\s.*?)\s+(x[\d*.]+|one-sided|fixed|free)$", r"\1 \3 \2"),
        Row(r"^(piece\s+[A-Z]\w*?)[_ .]?([a-z])(?=\s*[{=])", r"\1[\2]"),
        Row(r"^(piece\s+[^\W\d]\w*)\[(\w+)\.\.(\w+)\]\s*(.*)$", r"for i in \2..\3 { \1[i] \4 }"),
        Row(r"^(piece\s.*\})\s+(for\s.*)$", r"\2 { \1 }"),
        Row(r"\[(\w+)\.\d+\]", r"[\1]", before="write an integer:"),
        Row(r"\[(\w+)\+\+\]", r"[\1 + 1]"),
        # Freedom
        Row(
            r"<HEAD>(?:<ROTATED>|asymmetric|turns?)(?!-)\b",
            r"\1one-sided",
        ),
        Row(
            r"<HEAD><FREE>(?=\s*[{=])",
            r"\1free",
        ),
        Row(r"<HEAD>(?:no[- _]?(?:rotat|turn)\w*|unturned|static|fix|Fixed|fixd)(?=\s*[{=])", r"\1fixed"),
        Row(
            r"^(piece\s+<NAME>)\s*(\{.*\})\s+(?:<FREE>|rotatable|free)$",
            r"\1 free \2",
        ),
        # The shape
        Row(r"^(piece\s.*=\s*(?:mirror\s+)?[a-z]\w+\s+<N>)\s*\.\s*\"?([\w-]+)\"?$", r'\1 "\2"'),
        Row(r"^piece\s+([\w-]+(?:oes|cubes|iamonds|hexes|sticks|aboloes)|soma)$", r"pieces \1"),
        Row(r"^(piece\s+<NAME>(?:\s+x\S+)?)\s*(?::=|->|[:=]|\bis\b)?\s*(\{.*\})$", r"\1 \2"),
        Row(
            r"^(piece\s+<NAME>(?:\s+(?:x[\d*{]\S*|one-sided|fixed|free))*)\s*[:=]?\s*[\[(\"{]?\s*((?:x|\.+x)[x.]*(?:/[x.]+)*)\s*[\])\"}]?$",
            r"\1 { \2 }",
        ),
        Row(
            r"^(piece\s+<NAME>)\s*(?:[:=]|at|cells)?\s*[\[(]?\s*(<CELLS>)\s*[\])]?$",
            lambda found: f"{found[1]} cells {_spaced(found[2])}",
        ),
        Row(
            r"^(piece\s+<NAME>(?:\s+(?:x[\d*{]\S*|one-sided|fixed|free))*)\s*(?:=\s*|[:=]?\s*(?:box|block|brick|cuboid|rectangle)\s+)"
            r"(?:box\s+)?([1-9](?:\s*[x×]\s*[1-9]){1,2})$",
            _block,
        ),
        Row(r"^(piece\s+<NAME>)\s+at\s+\([^()]*\)\s*(\{.*\})$", r"\1 \2"),
        Row(
            r"^(piece\s+<NAME>(?:\s+x\S+)?)\s+=?\s*(?!covers|cells|sides|mirror)((?:[a-z]\w*-)?[a-z]\w+(?:\s+\d+)?)\s*(?:[./:]|\s)\s*(?!\d+$)([\w-]+)$",
            r"\1 = \2.\3",
        ),
        Row(r"^(piece\s+<NAME>)\s*=\s*([a-z][\w-]+)\[([\w-]+)\]$", r"\1 = \2.\3"),
        Row(r"^(piece\s+(<NAME>)\s*=\s*poly\w+\s+\d+)$", r"\1 \2"),
        Row(r"^(piece\s+(<NAME>)\s*=\s*[a-z]\w+\.)[A-Z]\w*$", r"\1\2"),
        Row(r"^(piece\s+<NAME>(?:\s+x\S+)?)$", r"\1 { x }"),
        Row(r"^(piece\s+<NAME>)\s+[^\W\d]\w*$", r"\1 { x }"),
        Row(r"^(piece\s+<NAME>)\s*\(\s*\)$", r"\1 { x }"),
        Row(r"\b(?:free|fixed|one-sided)\s+(?=(?:free|fixed|one-sided)\b)", ""),
        Row(
            r"^piece\s+(?!.*\b(?:covers|cells|sides|free|fixed)\b)([^\W\d][\w-]*(?:\s+[^\W\d][\w-]*)+?)(?=\s*(?:[{=]|x\d))",
            r'piece "\1"',
        ),
        Row(
            r"^(piece\s+<NAME>(?:\s+x\S+)?)\s*=?\s*(?:mirror(?:ed|s)?|reflect(?:ed|ion)?)\s*(?:of\s+)?\(?(<NAME>)\)?$",
            r"\1 = mirror \2",
        ),
        Row(r"^(piece\s+<NAME>)\s*=\s*(<NAME>)\s+(?:mirrored|reflected|flipped)$", r"\1 = mirror \2"),
        Row(r"^(piece\s+<NAME>)\s*=?\s*(?:(?:a\s+)?copy\s+of|same\s+as|like)\s+(<NAME>)$", r"\1 = \2"),
        # Placements and sides
        Row(r"\bcovers?\s*(?::=|[:=])\s*", "covers "),
        Row(r"^(piece\s+<NAME>(?:\s+x\S+)?)\s+cover\b", r"\1 covers"),
        Row(r"\bcovers\s+[\[(]?\s*(<CELLS>)\s*[\])]?$", lambda found: f"covers {{{_spaced(found[1])}}}"),
        Row(r"\bcovers\s+\{(-?\d+,-?\d+)\}", r"covers {(\1)}"),
        Row(r"\bcovers\s+(-?\d+)\s+(-?\d+)$", r"covers {(\1,\2)}"),
        Row(r"(?<=[{\s])([a-z]+)\((\w+(?:,\w+)*)\)(?=[\s}])", r"\1[\2]"),
        Row(r"(?<=[{\s])([a-z]+)_?(\d+)(?=[\s}])", r"\1[\2]"),
        Row(r"^(piece\s+<NAME>)\s+cells\s+([^\W\d].*)$", r"\1 covers {\2}"),
        Row(r"\bcovers\s+[\[(]?([^\s{}()\[\]][^{}()]*?)[\])]?$", r"covers {\1}"),
        Row(r"(?<=\})\s*(?:\bor\b|,|\|)\s*(?=\{)", " "),
        Row(r"(\[\w+\])\s+(\w+\s+in\s)", r"\1 for \2"),
        Row(r"^(piece\s+<NAME>)\s*=\s*(\{.*\})$", r"\1 covers \2"),
        Row(r"^(piece\s+<NAME>(?:\s+(?:x\S+|one-sided|fixed|free))*)\s+edges\b", r"\1 sides"),
        Row(r"\bsides\s*[:=(\[]\s*(.*?)[)\]]?$", lambda found: "sides " + " ".join(re.findall(r"[^ ,]", found[1]))),
        Row(r"\bsides\s+(\S)\s+(\S)$", r"sides \1 \2 \1 \2"),
    ),
    "pieces": (
        Row(r"^pieces\s+(?:all|the)\s+(?:of\s+)?(?:the\s+)?", "pieces "),
        Row(
            r"^(pieces?\s+)(\d+)-?(omino|iamond|hex|cube|stick|abolo)(?:e?s)?\b",
            lambda found: f"{found[1]}poly{found[3]}{'e' * (found[3][-1] in 'ox')}s {found[2]}",
        ),
        Row(r"^pieces\s+all$", "pieces pentominoes"),
        Row(r"^pieces\s+([\w-]+)\s*:?\s*\ball$", r"pieces \1"),
        Row(r"^pieces\s+(free|one-sided|fixed)\s+([\w-]+(?:\s+\d+)?)$", r"pieces \2 \1"),
        Row(
            r"^pieces\s+(?:x(\d[\d.*]*)|(\d+)\s*[xX*×]?)\s*([^\W\d][\w-]+(?:\s+\d+)?)$",
            lambda found: f"pieces {found[3]} x{found[1] or found[2]}",
        ),
        Row(
            r"^pieces\s+(poly\w+)\s*(?:[(\[-]|of\s+size|of\s+order|size|order|with|n\s*=)\s*=?\s*(\d+)[)\]]?(?:\s+cells)?$",
            r"pieces \1 \2",
        ),
        Row(
            r"^pieces\s+(poly\w+)\s+(\d)(?:\s*,\s*|\s+(?:and\s+)?)(\d)$",
            lambda found: _two_sets(f"{found[1]} {found[2]}", f"{found[1]} {found[3]}"),
        ),
        Row(
            r"^pieces\s+([a-z][\w-]+)(?:\s*[,+&]\s*|\s+(?:and\s+)?)([a-z][\w-]+)$",
            lambda found: _two_sets(found[1], found[2]),
        ),
        Row(
            r"^pieces\s+(poly\w+)\s+(\d)\s*(?:\.\.|-|to)\s*(\d)$",
            lambda found: (
                _two_sets(f"{found[1]} {found[2]}", f"{found[1]} {found[3]}")
                if int(found[3]) - int(found[2]) == 1
                else "\n".join(f"pieces {found[1]} {size}" for size in range(int(found[2]), int(found[3]) + 1))
                or found.group()
            ),
        ),
        Row(r"^pieces\s+(<SET>)\s*(?:[xX*×]\s*|copies\s+)(\d+)$", r"pieces \1 x\2"),
        Row(r"^pieces\s+([a-z][\w-]+)\s+(\d+)[xX*×]?$", r"pieces \1 x\2"),
        Row(r"^pieces\s+(<SET>)\s+x(\d+)\s*(?:-|to|\.\.\.)\s*(\d+)$", r"pieces \1 x\2..\3"),
        Row(r"^pieces\s+(<SET>)\s+x\s*(?:<=|≤|\.\.)\s*(\d+)$", r"pieces \1 x0..\2"),
        Row(r"^pieces\s+(<SET>)\s+x\s*(?:>=|≥)\s*(\d+)$", r"pieces \1 x\2.."),
        Row(
            r"^pieces\s+(<SET>)\s+<ROTATED>$",
            r"pieces \1 one-sided",
        ),
        Row(
            r"^pieces\s+(<SET>)\s+<FREE>$",
            r"pieces \1 free",
        ),
        Row(r"^pieces\s+([\w-]+)\s+from\s+(?:the\s+)?library$", r"pieces \1"),
        Row(r"^pieces\s+(?:(?:from|of|in)\s+)?(\"[^\"]+\")$", r"use \1"),
        Row(r"^pieces\s+([a-z][\w-]+\.[A-Z]\w*)((?:\s+(?:x\S+|free|fixed|one-sided))+)$", _taken),
        Row(r"^(.*?)\s+((?:except|only)\s.*?)\s+(x[\d*]\S*|one-sided|fixed|free)$", r"\1 \3 \2"),
        Row(r"^(.*\b(?:only|except)\s*:?\s*)[\[({](.*)[\])}]$", r"\1\2"),
        Row(r"^(.*\b(?:only|except)):\s*", r"\1 "),
        Row(r"^(.*\bexcept\s+.*?)\s+except\s+", r"\1, "),
        Row(r"^(.*\bonly\s+.*?)\s+except\s+.*$", r"\1"),
        Row(r"^(.*\b(?:only|except)\s+)(<NAME>(?:(?:\s*,\s*|\s+(?:and\s+)?)<NAME>)+)$", _commas),
        Row(
            r"^pieces\s+(<SET>)\s*(?:\b(?:but(?:\s+(?:not|for|without))?|without|minus|not|no|exclud(?:e|ing)|drop|omit)\b|-)\s*(?=[A-Z\"])",
            r"pieces \1 except ",
        ),
        Row(
            r"^(?P<library>pieces\s+<SET>(?:\s+x\S+)?)(?:\.|\s*[:=({\[]?\s*(?:just|with|take)?\s+|\s*[:=({\[]\s*)"
            r"(?P<names>(?:[\w-]+\.)?[A-Z][\w, .-]*)[)}\]]?$",
            _only,
        ),
        Row(
            r"^pieces\s+([FILNPT-Z](?:[\s,]+[FILNPT-Z])*)$",
            lambda found: f"pieces pentominoes only {_names(found[1], ', ')}",
            before="name the library first:",
        ),
        Row(
            r"^pieces\s+([A-Z](?:[\s,]+[A-Z])*)$",
            lambda found: "\n".join(f"piece {name} {{ x }}" for name in re.findall("[A-Z]", found[1])),
        ),
        Row(r"^pieces\s+(x?\d*|[A-Z]\w*(?:\s+x\d+)?)\s*=?\s*(\{.*\})$", _single),
        Row(r"^pieces$", "pieces pentominoes"),
        Row(r"^(pieces\s+tetrominoes\s+.*?)\bS\b", r"\1Z"),
    ),
    "place": (
        Row(r"^place\s+(?:the\s+)?piece\s+(?=\w)", "place "),
        Row(r"^(place)\s+(?=(?:inside|on|off|in)\s)", r"\1 <PIECE> "),
        Row(r"^(place)\s+(?:all|every|each|\*|any)\s+(?:pieces?\s+)?(?=inside|on|off|in\b)", r"\1 <PIECE> "),
        Row(r"^(place\s+<NAME>):\s*", r"\1 "),
        Row(
            r"^(?P<first>place\s+)(?P<names><NAME>(?:(?:\s*,\s*|\s+and\s+|\s+)<NAME>)+?)(?P<rest>\s+(?:inside|on|off|in)\s.*)$",
            lambda found: (
                found.group()
                if re.search(r"\b(?:not|on|off|inside|in|out|the|of)\b", found["names"])
                else _for_each(found)
            ),
        ),
        Row(r"^(place\s+<NAME>)\s+(?:in|within|into|inside\s+of|=)\s+(?:the\s+)?", r"\1 inside "),
        Row(r"^place\s+(<NAME>)\s+(?:exactly\s+)?at\s+", r"fix \1 at "),
        Row(
            r"^(place\s+<NAME>)\s+(?:touch(?:es|ing)?|over(?:laps|lapping)?|covers?|covering|meets|across|upon|onto)\s+(?:the\s+)?",
            r"\1 on ",
        ),
        Row(
            r"^(place\s+<NAME>)\s+(?:not\s+(?:in|inside|on|at|within)|outside(?:\s+of)?|out\s+of|off\s+of|away\s+from|avoids?)\s+(?:the\s+)?",
            r"\1 off ",
        ),
        Row(r"^(place\s+<NAME>)\s+<SHAPE>", r"\1 inside "),
        Row(r"^place\s+(<NAME>)\s+(?:exactly\s+)?at\s+", r"place \1 on "),
        Row(r"^place\s+(<NAME>)\s+(?:next\s+to|beside|touching|touches|at)\s+(<NAME>)$", r"touching \1 \2"),
        Row(r"^(place\s+<NAME>)$", r"\1 on cells (0,0)"),
    ),
    "fix|forbid": (
        Row(r"^fix\s+(\w+)\s+(?:at\s+)?(\(\d+,\d+\))$", r"fix \1 at cells \2"),
        Row(r"^fix\s+(\(\d+,\d+\))\s*(?:=|:|is|to)\s*(\w+)$", r"fix \2 at cells \1"),
        Row(r"(?<=[\d.])[ \t]+(?=[\d.](?:[ \t]+[\d.])*\s*\})", ""),
        Row(r"(?<=[\d.{ ])0(?=[\d.\s]*\})", "."),
        Row(r"^(fix|forbid)\s+(?=(?:at|in)\s)", r"\1 <PIECE> "),
        Row(r"^((?:fix|forbid)\s+<NAME>)\s+edges\b", r"\1 sides"),
        Row(
            r"^(?P<first>(?:fix|forbid)\s+)(?P<names><NAME>(?:(?:\s*,\s*|\s+and\s+|\s+)<NAME>)+?)(?P<rest>\s+(?:at|in)\s.*)$",
            lambda found: (
                found.group()
                if found["first"][:3] == "fix"
                or re.search(r"\b(?:in|inside|on|one-sided|fixed|free|rotated)\b", found["names"])
                else _for_each(found)
            ),
        ),
        Row(r"^((?:fix|forbid)\s+<NAME>)\s+(?:one-sided|fixed|free|rotated|mirrored|reflected)\s+at\b", r"\1 at"),
        Row(r"^forbid\s+(<NAME>)\s+(?:inside|on|touching)\s+<SHAPE>", r"place \1 off "),
        Row(r"^fix\s+(<NAME>)\s+(inside|on|off)\s+", r"place \1 \2 "),
        Row(r"^((?:fix|forbid)\s+<NAME>)\s*(?:\b(?:in|to|exactly)\b|=|:)?\s*<SHAPE>", r"\1 at "),
        *(
            Row(r"^fix\s+(<NAME>)\s+(?:at\s+)?(?:the\s+)?(?=<SHAPE>|-?\d|\w+$)", rf"place \1 {how} ")
            for how in ("on", "inside")
        ),
        Row(r"^forbid\s+(<NAME>)\s+(?:next\s+to|beside|near|touching)\s+(<NAME>)$", r"apart \1 \2"),
        Row(r"^fix\s+(<NAME>)$", r"place \1 on cells (0,0)"),
        Row(r"^forbid\s+(<NAME>)$", r"place \1 off cells (0,0)"),
    ),
    "expect": (
        Row(
            r"^(expect\b.*?\b\d{1,3}(?:[,_'. ]\s*\d{3})+)\b(.*)$",
            lambda found: re.sub(r"(?<=\d)[,_'. ]\s*(?=\d)", "", found.group()),
        ),
        Row(r"^expect\s*[:=]+\s*", "expect "),
        Row(r"^expect\s+(?:no|none|impossible)\b.*$", "expect 0"),
        Row(r"^expect\s+(?:one|unique|a\s+unique)\b.*$", "expect 1"),
        Row(r"^expect\s+(?:\?|open\b).*$", "expect unknown"),
        Row(r"^(expect\s+(?:\w+\s+)?)>=\s*(\d+)", r"\1at least \2"),
        Row(r"^expect\s+(?:distinct|solutions?)\s+(\d+)", r"expect \1"),
        Row(r"^expect\s+(raw|rotations|parts)\s*[:=]+\s*(\d+)", r"expect \1 \2"),
        Row(r"^expect\s+(\d+)\s+raw\b(?:\s+solutions?\b)?", r"expect raw \1"),
        Row(r"^(expect\s.*?\d)\s+(?:distinct\s+)?(?:solutions?|distinct)\b", r"\1"),
        Row(r"^expect\s+cost\s+(-?\d+)", r"expect min-cost \1"),
    ),
    "use": (
        Row(
            r"^use\s+(?:(?:the\s+)?pieces\s+)?(?:(?:from|of|in)\s+)?[\"'<]?([^\s\"'<>]+?)(?:\.puzzle)?[\"'>]?$",
            r'use "\1.puzzle"',
        ),
        Row(r'^use\s+("[^"]*"),?\s*("[^"]*")$', r"use \1\nuse \2"),
    ),
    "values": (
        Row(r"(?<=\w)\s*(?:\.\.\.|-|\bto\b)\s*(?=\w)", ".."),
        Row(r"^values\s*[:=]?\s*[(\[{]\s*(.*?)\s*[)\]}]$", r"values \1"),
        Row(r"\s+[xX*×]?\s*(\d+)$", r" x\1"),
        Row(r"\s*(?:,|\band\b)\s*", " "),
    ),
    "rule": (
        Row(
            r"^rule\s+(?:(?:for|in)\s+)?(?:each|every|all)\s*:?\s*(?=rows?|col|diagonal|box|line|region)", "rule each "
        ),
        Row(r"^rule\s+(?:for\s+)?(?=(?:rows?|columns?|diagonals?)\b)", "rule each "),
        Row(r"^(rule\s+each\s+[\w, ]+):\s*", r"\1 "),
        Row(r"^rule\s+each\s+(?=all\b|sum\b|exactly\b|at\s)", "rule each row "),
        Row(r"^(rule\s+each\s.*?)\bbox\s+(?!\d|\{)", r"\1box 3x3 "),
        Row(r"\b(row|column|diagonal|region)s\b", r"\1"),
        Row(r"\bcols?\b", "column"),
        Row(r"\b(?:boxes|blocks?|squares?)(?=\s+\d)", "box"),
        Row(r"^(rule\s+each\s.*(?:,|\band\b))\s*(?=\d+x\d+\b)", r"\1 box "),
        Row(r"(?<=\w)\s*(?:,|\band\b)?\s+(?:each\s+)?(?=(?:row|column|diagonal|box\s+\d\S*|region)\b)(?<!each )", ", "),
        Row(r"^(rule\s+each\s+<NAME>)\s+and\s+(?=<NAME>)", r"\1, "),
        Row(r"\b(exactly|at\s+most|at\s+least)\s+one\b", r"\1 1"),
        Row(r"\bat-?(most|least)\b", r"at \1"),
        Row(r"(?<=\w)\s+(?:<=|max(?:imum)?|no\s+more\s+than|up\s+to)\s+(?=\d+\s+\w)", " at most "),
        Row(r"\b((?:exactly|at\s+most|at\s+least)\s+\d+)\s+of\s+", r"\1 "),
        Row(r"^rule\s+(?:region\s+)(?=\w)", "rule "),
        Row(r"^(rule\s+\w)$", r"\1 all different"),
        Row(r"(?<=[\s{/.])[A-Z](?=[A-Z./\s]*\})|(?<=[A-Zx])[A-Z](?=[A-Z./\s]*\})", "x"),
        Row(
            r"^rule\s+sum\s*(?:of\s+)?(?:\(\s*(?P<a>[\w\"][^()<>=]*?)\s*\)|(?P<b>[\w\"(][^<>=]*?))\s*(?P<sign><=|>=|==?|<|>)\s*(?P<n>\d+)$",
            lambda found: (
                f"rule {found['a'] or found['b']} sum {'=' if found['sign'] == '==' else found['sign']} {found['n']}"
            ),
            expected="a region first",
        ),
        Row(
            r"^rule\s+all\s+(equal|different)\s+(?:(?:on|in|of)\s+)?(.*\S)$",
            r"rule \2 all \1",
            expected="a region first",
        ),
        Row(r"^rule\s+all\s+(\S+)\s+(equal|different)$", r"rule \1 all \2", expected="a region first"),
        Row(r"^(?P<first>rule\s+)(?P<names>\w(?:\s*,\s*\w)+)(?P<rest>\s+(?:sum|all)\s.*)$", _for_each),
        Row(r"^(rule\s+\S+):\s*", r"\1 "),
        Row(r"\bsum\s*(?:==|:=|:|=|\b(?:is|equals?)\b)?\s*(?=\d)(?!\d+\s*(?:\.\.|-|to))", "sum = "),
        Row(
            r"^(rule\s+.*?\bsum)\s*(?:=|\bbetween\b|\bis\b|\bfrom\b|\bin\b)?\s*(\d+)\s*(?:\.\.|-|to|and)\s*(\d+)$",
            r"\1 >= \2\n\1 <= \3",
        ),
        Row(r"^(rule\s+.*?\bsum)\s*(>=?\s*\d+)\s*(?:and|,|&)?\s*(<=?\s*\d+)$", r"\1 \2\n\1 \3"),
        Row(r"\bsum\s+(?:at\s+most|up\s+to|max(?:imum)?)\s+", "sum <= "),
        Row(r"\bsum\s+(?:at\s+least|min(?:imum)?)\s+", "sum >= "),
        Row(r"\bsum\s+(?:less\s+than|below|under)\s+", "sum < "),
        Row(r"\bsum\s+(?:more|greater)\s+than\s+", "sum > "),
        Row(
            r"^(rule\s+(?:\w|.*[\w)}\"]))\s+(<=|>=|<|>|=)\s*(\d+)$",
            lambda found: found.group() if re.search(r"\bsum$", found[1]) else f"{found[1]} sum {found[2]} {found[3]}",
        ),
        Row(r"(?<=\d)\.\d+$", "", before="write an integer:"),
        Row(r"(\bsum\s*(?:[<>]=?|=)\s*)-(?=\d)", r"\1"),
        Row(r"^rule$", "rule box 2x2 at most 1"),
        Row(r"(?<=,)\s*each\s+", " "),
        Row(r"\b(?:all\s+)?(?:the\s+)?(?:same|equal|identical|all_?equal)$", "all equal"),
        Row(r"\b(?:all[\s_-]*)?(?:different|distinct|unique|diff|unequal|not\s+equal)$", "all different"),
    ),
    "together|immovable": (
        Row(r"^(together|immovable)(?:\s+(?:all|every|everything))?$", r"\1 <PIECES>"),
        Row(r"\s+x0\b", ""),
        Row(r"^(together|immovable)\s+\((.*)\)$", lambda found: f"{found[1]} {_names(found[2], ' ')}"),
        Row(
            r"^(together|immovable)\s+(<NAME>(?:\s*(?:[+&,]|\band\b)\s*<NAME>)+)$",
            lambda found: f"{found[1]} {_names(found[2], ' ')}",
        ),
    ),
    "cost": (
        Row(r"^cost\s+(?:per|each|every|for\s+each|for\s+every|no)\s+(crossroad|fault)s?\b", r"cost \1s"),
        Row(r"^(cost\s+faults)\s+(?:in|along|over|on|inside)?\s*([xyz])\b", r"\1 across \2"),
        Row(r"^cost\s+(colour\s+\S|empty|<NAME>)\s*(?::=|==|:|\bis\b|\bof\b)?\s*(?=-?\d+$)", r"cost \1 = "),
        Row(r"^(cost\s[^=]*=\s*)(\d+)[.,](\d)$", _scaled, before="costs are integers, so multiply all by 10:"),
        Row(r"^(cost\s[^=]*=\s*)\"(-?\d+)\"$", r"\1\2"),
        Row(r"^(cost\s[^=]*=)$", r"\1 1"),
        Row(r"^(cost\s+(?:colour\s+\S|empty|<NAME>))$", r"\1 = 1"),
        Row(r"(?<=[\d)}])\s+(-?\d+)$", r" = \1"),
        Row(
            r"^(?P<first>cost\s+)(?P<names><NAME>(?:(?:\s*,\s*|\s+and\s+|\s+)<NAME>)+)(?P<rest>\s*=.*)$",
            lambda found: (
                found.group()
                if re.search(r"\b(?:colour|empty|in|inside|on|off|at|per|each|touching|apart)\b", found["names"])
                else _for_each(found)
            ),
        ),
        Row(
            r"^(cost\s+(?:(?:colour\s+\S|empty|<NAME>)\s+)?)(?:per|each|for\s+each|every)\s+(?:cells?|locations?)\s+(?:in|inside|on|of|at)\s+",
            r"\1per ",
        ),
        Row(r"^(cost\s+(?:(?:colour\s+\S|empty|<NAME>)\s+)?)(?:each|every|for\s+each)\s+", r"\1per "),
        Row(r"^(cost\s+<NAME>\s+)(?:not\s+(?:in|inside|on)|outside(?:\s+of)?|out\s+of)\s+", r"\1off "),
        Row(r"^(cost\s+(?:colour\s+\S|empty)\s+)(?:in|inside|on|at|within)\s+", r"\1per "),
        Row(r"^(cost\s+<NAME>\s+)(?:in|within|into)\s+", r"\1inside "),
        Row(r"^(cost\s[^=]*?)\s*=\s*(\S+)\s+((?:in|inside|on|off|at|per)\s.*)$", r"\1 \3 = \2"),
        Row(r"^cost\s+<SHAPE>", "cost per "),
        Row(r"^cost\s+(-?\d+)$", r"cost = \1"),
        Row(r"^cost\s+(\S)\s*=", r"cost colour \1 ="),
        Row(r"^(cost\s+colour\s+[a-z])[a-z]+", r"\1"),
    ),
    "for": (
        Row(r"^for\s*(?:each|every|all)\s+", "for "),
        Row(r"^for\s*\(\s*([^()]*\bin\b[^()]*)\)", r"for \1"),
        Row(
            r"\bfor\s*\(?\s*(?P<names>\w+(?:\s*,\s*\w+)+)\s*\)?\s+in\s+(?P<ranges>(?:\([^()\n]*\)|[\w.+*%-]+)(?:\s*,\s*[\w.+*%-]+(?!\s+in\b))*)(?P<rest>)",
            _rounds,
        ),
        Row(r"\b(for\s+\w+)\s*(?:=|from|:|∈)\s*", r"\1 in "),
        Row(r"\bin\s+range\(\s*(\d+)\s*\)", lambda found: f"in 0..{max(int(found[1][:9]) - 1, 0)}"),
        Row(r"\bin\s+range\(\s*(-?\d+)\s*,\s*(\d+)\s*\)", lambda found: f"in {found[1]}..{int(found[2][:9]) - 1}"),
        Row(r"(?<=[\w)])\s*(?:\.\.\.|\bto\b|:)\s*(?=\w)(?=[\w()+*-]+\s*[,{i]|[\w+*-]+$)", ".."),
        Row(r"\bin\s+[\[{]([^\[\]{}]*)[\]}]", r"in (\1)"),
        Row(r"\bin\s+(\w+(?:\s*,\s*\w+)+)(?!\s+in\b)(?=\s*(?:\{|$))", r"in (\1)"),
        Row(r"\bin\s+\((\w+(?:\s+\w+)+)\)", lambda found: f"in ({', '.join(found[1].split())})"),
        Row(r"\bin\s+(\w+)\.\.(?=\s)", r"in (\1)"),
        Row(
            r"(?<=[\w)])(?<!\bfor)(?:\s*(?:\band\b|;|&&?)\s*|(?<!\))\s+(?:for\s+)?)(?=(?!and\b|for\b)\w+\s+in\b)", ", "
        ),
        Row(r"\bin\s+(\w+)-(\w+)(?=\s*(?:[,{]|$))", r"in \1..\2"),
        Row(r"\bin\s+(\w+)(?=\s*(?:[,{]|$))", r"in 1..\1"),
        Row(r"\bwhere\s+(\w+\s*%\s*\w+)(?=\s*(?:[,{]|$))", r"where \1 != 0"),
        Row(r"\bdo\s*(?=\{)", ""),
        Row(r"^(for\s[^{}]*?)\s*:\s*((?:<KEYWORDS>)\s.*)$", r"\1 { \2 }"),
        Row(r"^(for\s[^{}]*?)\s+((?:<KEYWORDS>)\s.*)$", r"\1 { \2 }"),
        Row(
            r"\bfor\s+(\w+)\s+in\s+(\w+)\.\.([\w-]+)\s+(?:step|by)\s+(\d+)",
            r"for \1 in \2..\3 where (\1 - \2) % \4 = 0",
        ),
        Row(r"(?<=\S)\s*,?\s*\b(?:if|when)\b", " where"),
        Row(r"^(for\s+(\w+)\s+in\s+[^,{}]*?)\s*,\s*(\2\s*[<>=!])", r"\1 where \3"),
        Row(r"^(for\s.*\bwhere\b.*)\s+else\s*(?=\{)", r"\1 "),
        Row(r"^for\s+(\w+)\s*(?:in\s*)?(?=\{)", r"for \1 in 1..3 "),
        Row(r"^for\s*\{\s*piece\s+([^\W\d]\w*)", r"for i in 1..3 { piece \1[i]"),
        Row(r"^(for\s[^{}]*\S)$", r"\1 { piece A[i] { x } }"),
    ),
    "wall": (Row(r"^wall\s+(?:at\s+)?(?=<CELL>)", "wall cells "),),
    "no": (
        Row(
            r"^no\s+(?:tatami|corners|cross(?:es|ings?|road|[- ]roads?)?|(?:four|4)[- ](?:corners|pieces)\b.*)(?!\w)",
            "no crossroads",
        ),
        Row(r"^no\s+(?:straight\s+)?(?:fault[- ]?)?(?:lines?|planes?|fault|seams?)\b", "no faults"),
        Row(r"^(no\s+crossroads)\s+(?:in|within)\s+", r"\1 inside "),
        Row(r"^(no\s+faults)\s+(?:(?:along|in|on|for)\s+)?([xyz])$", r"\1 across \2"),
        Row(r"^no\s+(?:horizontal\s+(?:faults?|lines?|joints?)|faults\s+horizontal\w*)$", "no faults across y"),
        Row(r"^no\s+(?:vertical\s+(?:faults?|lines?|joints?)|faults\s+vertical\w*)$", "no faults across x"),
        Row(r"^no\s+touching\s+", "apart "),
        Row(r"^no\s+more\s+than\s+(\d+)\s+(?:pieces\s+)?(?:meet\s+)?(?=at\b)", r"at most \1 "),
    ),
    "at": (
        Row(r"^at\s+most\s+(two|three)\b", lambda found: f"at most {2 + (found[1] == 'three')}"),
        Row(r"^(at\s+most\s+\d+)\s+(?:pieces?\s+)?(?:may\s+)?(?:meet\s+)?(?=(?:at|per|in)\b)", r"\1 "),
        Row(
            r"^(at\s+most\s+\d+\s+)(?:at|per|in)\s+(?:an?\s+|any\s+|each\s+|every\s+)?(?:points?|corners?|edges?|vertex)\b",
            r"\1at a point",
        ),
        Row(r"^(at\s+most\s+\d+)$", r"\1 at a point"),
        Row(r"^(at\s+most\s+\d+\s+at\s+a\s+point\s+)(?:in|within)\s+", r"\1inside "),
    ),
    "apart": (Row(r"^(apart\s.*?)\s+(?:and\s+|at\s+|including\s+)?(?:the\s+)?corners$", r"\1 with corners"),),
    "touching": (
        Row(r"^(touching\s+<NAME>)\s*(?:\band\b|\bto\b|\bwith\b|[+&])\s*(?:the\s+)?(?=<NAME>)", r"\1 "),
        Row(r"^(touching\s+<NAME>)\s+the\s+border", r"\1 border"),
        Row(r"^touching\s+(?:every|each)(?:\s+piece)?\b", "touching all"),
        Row(r"^touching\s+(?:the\s+)?border$", "touching all border"),
        Row(r"^touching\s+(<NAME>)\s+(?:the\s+)?<SHAPE>", r"place \1 on ", expected="`place`"),
        Row(r"^(touching\s+all)(?:\s+(?:pieces\s*)?(?:the\s+)?(?:border)?)?$", r"\1 border"),
        Row(r"^(touching\s+<NAME>\s+<NAME>)(?:\s+<NAME>)+$", r"\1"),
    ),
    "symmetric": (
        Row(r"^symmetric\s+(?:(?:under|by|about|with|to)\s+)?(?:an?\s+|the\s+)?", "symmetric "),
        Row(r"^symmetric\s+(half|quarter|third|sixth)[ _]?turn\b", r"symmetric \1-turn"),
        Row(r"^symmetric\s+(?:180|rotation|rotated|point|centre|center)\b.*$", "symmetric half-turn"),
        Row(r"^symmetric\s+90\b.*$", "symmetric quarter-turn"),
        Row(r"^symmetric\s+(?=(?:[xyz]|diagonal)$)", "symmetric mirror "),
        Row(r"^symmetric\s+horizontal\w*$", "symmetric mirror x"),
        Row(r"^symmetric\s+vertical\w*$", "symmetric mirror y"),
        Row(r"^symmetric\s+(?:reflect\w*|mirrored|flip\w*)\b", "symmetric mirror"),
    ),
}

#: Mistakes in conditions, in any statement.
CONDITIONS = (
    Row(r"(?<=[\w)])\s*(?:&&?|,)\s*(?=[\w(])", " and "),
    Row(r"(?<=[\w)])\s*\|\|?\s*(?=[\w(])", " or "),
    Row(r"!\s*(?=[\w(])", "not "),
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
    Row(r"^(?:in\s+)?(?:each|every|all)\s+(?=(?:row|column|diagonal|box|region)s?\b)", "rule each "),
    Row(r"^all\s+different\s+(?:in\s+)?each\s+(.*)$", r"rule each \1 all different"),
    Row(r"^([^\W\d]\w*)\s*=\s*(?=\S)", r"param \1 = "),
    Row(r"^repeat\s+(\d+)\s*(?:times\s*)?\{\s*(piece\s+<NAME>)\s*(\{[^{}]*\})\s*\}$", r"\2 x\1 \3"),
    Row(r"^(\d+)\s*[xX*×]?\s*pieces?\s+(<NAME>)", r"piece \2 x\1"),
    Row(r"^sum\s+", "rule sum "),
    Row(r"^fault-free$", "no faults"),
    Row(r"^(?:max(?:imum)?|up\s+to)\s+(?=\d+\s+(?:pieces\s+)?(?:at|per)\b)", "at most "),
    Row(r"^(<NAME>)\s+(?:touching|touches)\s+", r"touching \1 "),
    Row(r"^(?:not|never)\s+touching\s+", "apart "),
    Row(r"^if\s+(.*?)\s*(?=\{)", r"for i in (1) where \1 "),
    Row(r"^while\b[^{]*(?=\{)", "for i in 1..3 "),
)

#: Statements that no other statement replaces, and what to do.
ELSEWHERE = (
    Row(r"^symmetry\b.*$", "remove it: `--symmetry` is an option of `puzzlec count` and `puzzlec solve`"),
    Row(
        r"^(?:lid|opening|slot|door|exit)\b.*$",
        "write the cells that never move, such as `wall cells (-1,0)`, in space `wall cells (0,0,-1)`",
    ),
    Row(r"^solve\b.*$", "remove it: `puzzlec solve` solves the puzzle"),
    Row(r"^count\b.*$", "remove it: `puzzlec count` counts the solutions"),
    Row(r"^(?:minimi[sz]e|maximi[sz]e)\b.*$", "remove it: `puzzlec solve --best` finds a solution of least cost"),
    Row(
        r"^(?:holes?|remove|gaps?|block(?:ed)?)\s+(?:at\s+)?(?:cells?\s+)?(<CELLS>)$",
        r"write `- cells \1` at the end of `locations`",
    ),
    Row(
        r"^(?:holes?|remove|gaps?|block(?:ed)?)\s+(?:at\s+)?(box\s+\d+(?:x\d+)*(?:\s+at\s+<CELL>)?)$",
        r"write `- \1` at the end of `locations`",
    ),
    Row(
        r"^(?:all\s+)?(?:different|distinct|unique)$",
        "say where, such as `rule each row, column all different` or `rule box 2x2 all different`",
    ),
    Row(
        r"^(rule\s+.*\S\s+sum)\s*!=\s*(\d+)$",
        r"no rule excludes one sum; write a bound such as `\1 < \2`",
    ),
    Row(r"^empty\s+(?:at\s+)?(?:cells?\s+)?(<CELLS>)$", r"write `- cells \1` at the end of `locations`"),
    Row(r"^place\s+(<NAME>)\s+(one-sided|free|fixed)$", r"write `\2` after the name in `piece \1 ...`"),
)


def rows_of(statement: str) -> tuple[Row, ...]:
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


def all_rows() -> list[Row]:
    """Return all rows that replace a statement."""
    rows = (*STRANGE, *EVERYWHERE, *LISTS, *REGIONS, *CONDITIONS, *FLAT)
    return [*rows, *(row for some in ROWS.values() for row in some)]
