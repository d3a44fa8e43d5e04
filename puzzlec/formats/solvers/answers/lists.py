"""Answers as lists of names or numbers, printed from Python or written by hand.

A name is that of an option, of a variable of our files (``x12_F_0.0``), or of a node of our graphs (``n11``). Names are
on separate lines, or in quotes in a list, a set or a tuple; in a dict each has its value. Several lists, or an empty
line between names, make several solutions.

Numbers are those of the chosen options, or a vector with a value for each option. A solution is a line, a list in
brackets of Python or numpy, or, if no line has more than one number, all lines up to an empty one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial

from puzzlec.diagnostics import Source, Span
from puzzlec.formats.solvers.answers.covers import Cover
from puzzlec.formats.solvers.answers.lines import Lines
from puzzlec.formats.solvers.answers.model import (
    AUXILIARY,
    NAME,
    TRUTHS,
    Event,
    Known,
    Model,
    Values,
    numbers_known,
)

_QUOTED = r"'(?:[^'\\\n]|\\.)*'|\"(?:[^\"\\\n]|\\.)*\""
_NUMBER = r"(?:(?:np|numpy)\.\w+\()?\s*([-+.\w]+)\s*\)?"
#: A name with its value, as in a dict or in a list of pairs; a name; a bracket; anything else.
_NAME_TOKEN = re.compile(
    rf"\(\s*({_QUOTED})\s*,\s*{_NUMBER}\s*\)|({_QUOTED})\s*:\s*{_NUMBER}|({_QUOTED})|([\[({{])|([\])}}])"
    r"|\b(?:array|set|frozenset|list|dict|dict_keys)(?=\()|[^\s,\[\](){}]+"
)
_NODE = re.compile(r"n([0-9]{1,9})")


def read_names(lines: Lines, known: Known) -> Iterator[Event]:
    """Yield the solutions of an answer that names options, variables or nodes."""
    if _is_quoted([line.text for line in lines.peek(300)]):
        yield from _listed(lines.whole(), known)
        return
    cover: Cover | None = None
    for line in lines:
        text = line.text.strip()
        if not text and cover is not None:
            yield cover.model()
            cover = None
        elif text and not known.is_remark(text):
            cover = cover or Cover(known, line)
            start = line.start + len(line.text) - len(line.text.lstrip())
            _take(cover, line.source.span(start, start + len(text)))
    if cover is not None:
        yield cover.model()


def _is_quoted(texts: Sequence[str]) -> bool:
    first = next((text.strip() for text in texts if text.strip() and not text.lstrip().startswith("#")), "")
    return re.match(rf"(?:[a-z_]+)?[\[({{]|{_QUOTED}", first) is not None


def _listed(source: Source, known: Known) -> Iterator[Event]:
    cover: Cover | None = None
    opened = 0
    for match in _NAME_TOKEN.finditer(source.text):
        at = source.span(match.start(), match.end())
        cover = cover or Cover(known, at)
        group = next((group for group in (1, 3, 5) if match[group]), 0)
        if group:
            name = source.span(match.start(group) + 1, match.end(group) - 1)
            if group == 5 or cover.truth(match[group + 1], at):
                _take(cover, name)
        elif match[6]:
            opened += 1
            if cover.chosen or cover.report.errors:
                yield cover.model()
                cover = Cover(known, at)
        elif match[7]:
            opened -= 1
            if cover.chosen or cover.report.errors:
                yield cover.model()
            cover = None
        elif match[0][0].isalpha() and source.text[match.end() : match.end() + 1] == "(":
            continue
        else:
            cover.report.add("PZ612", f"expected a name in quotes, found `{match[0][:40]}`", at)
    if opened > 0:
        cover = cover or Cover(known, source.end)
        cover.report.add("PZ616", "unexpected end of file: missing a closing bracket", source.end)
    if cover is not None and (cover.chosen or cover.report.errors):
        yield cover.model()


def _take(cover: Cover, name: Span) -> None:
    """Add the option of a name."""
    known, text = cover.known, name.text
    node = _NODE.fullmatch(text)
    if cover.by_label(name):
        return
    if node and int(node[1]) < known.options:
        cover.add(int(node[1]), name)
    elif node:
        cover.report.add("PZ613", f"unknown node `{text}`", name, note=numbers_known(known))
    elif NAME.match(text):
        option = cover.option(text, name)
        if option is not None:
            cover.add(option, name)
    elif not AUXILIARY.match(text):
        cover.by_name(name)


def are_names(texts: Sequence[str], known: Known) -> bool:
    """Whether the first lines of an answer look like lists of names, or like names of variables or nodes."""
    shown = [text for text in texts if not text.startswith("#")]
    if not shown:
        return False
    if not _is_quoted(shown):
        return all(_NODE.fullmatch(text) or re.fullmatch(r"x[0-9]{1,9}(?:_\S*)?", text) for text in shown)
    match = re.search(rf"({_QUOTED})(?!\s*:\s*[\[{{\"'])", "\n".join(shown[:3]))
    name = match[1][1:-1] if match else ""
    return bool(_NODE.fullmatch(name) or NAME.match(name) or known.labelled(name) is not None)


def are_labels(texts: Sequence[str], known: Known) -> bool:
    """Whether the first line of an answer is the name of an option; this searches all names."""
    return any("|" not in text and known.labelled(text) is not None for text in texts[:1])


#: Lines that are examined to find the layout of the numbers.
LOOKED_AT = 300

#: A number in numpy's form, ``np.int64(5)``; the beginning of a list, ``array([``; a bracket; a word.
_NUMBER_TOKEN = re.compile(
    r"(?:np|numpy)\.\w+\(\s*([^()\s,]+)\s*\)|[A-Za-z_.]+(?=\()|([\[({])|([\])}])|([^\s,;\[\](){}]+)"
)

#: A line of numbers: digits and everything around them in Python, or a comment.
_NUMBERS = re.compile(
    r"(?:[-+.,;0-9\s\[\](){}]|[eE][-+]?[0-9]|np\.|numpy\.|\w+(?=\()|(?i:true|false|dtype=\w+))*+\w*|\s*#.*"
)

Word = tuple[str, Span]


def _words(line: Span) -> Iterator[Word]:
    """Yield the brackets (as `[` and `]`) and the numbers of a line with their positions."""
    for match in _NUMBER_TOKEN.finditer(line.text):
        at = line.source.span(line.start + match.start(), line.start + match.end())
        if match[2] or match[3]:
            yield "[" if match[2] else "]", at
        elif number := match[1] or match[4]:
            yield number, at


def _groups(lines: Lines, column: bool) -> Iterator[tuple[Span, list[Word], bool]]:
    """Yield the start of each solution, its words, and whether it is complete; ``column``: it ends at an empty line."""
    found: list[Word] = []
    start: Span | None = None
    listed = False
    for line in lines:
        if line.text.lstrip().startswith("#"):
            continue
        if not line.text.strip():
            if found and start is not None and not listed:
                yield start, found, True
                found, start = [], None
            continue
        for word, at in _words(line):
            if word == "[":
                if found and start is not None:
                    yield start, found, True
                found, start, listed = [], line, True
            elif word != "]":
                start = start or line
                found.append((word, at))
            elif listed and start is not None:
                yield start, found, True
                found, start, listed = [], None, False
        if start is not None and not listed and not column:
            yield start, found, True
            found, start = [], None
    if start is not None:
        yield start, found, not listed


def rows_of(lines: Sequence[Span]) -> list[list[str]]:
    """Return the words of some lines, including brackets, without comments and empty lines."""
    return [
        [word for word, _ in _words(line)]
        for line in lines
        if line.text.strip() and not line.text.lstrip().startswith("#")
    ]


def _is_column(lines: Lines) -> bool:
    rows = rows_of(lines.peek(LOOKED_AT))
    return len(rows) > 1 and all(len(row) == 1 and row[0] not in ("[", "]") for row in rows)


def _read_numbers(lines: Lines, known: Known, first: int) -> Iterator[Event]:
    """Yield the covers of an answer that lists the numbers of their options."""
    column = _is_column(lines)
    if column and known.right is not None:  # unless the first number is a complete solution
        text = lines.peek(LOOKED_AT)[0].text.strip()
        if re.fullmatch(r"[0-9]{1,12}", text) and first <= int(text) < known.options + first:
            column = not known.right(Model(lines.peek(1)[0], (int(text) - first,)))
    for start, words, complete in _groups(lines, column):
        cover = Cover(known, start)
        for word, at in words:
            if not re.fullmatch(r"[0-9]{1,12}", word):
                cover.report.add("PZ612", f"expected the number of an option, found `{word[:40]}`", at)
            elif not first <= int(word) < known.options + first:
                last = known.options - 1 + first
                note = (
                    numbers_known(known) if first else f"options are numbered {first} to {last} in this kind of answer"
                )
                cover.report.add("PZ613", f"unknown {'variable' if first else 'option'} {word}", at, note=note)
            else:
                cover.add(int(word) - first, at)
        if not complete:
            cover.report.add("PZ616", "unexpected end of file: missing `]` after this list", lines.end)
        yield cover.model()


#: Numbers of options from 0, and numbers of variables from 1.
read_options = partial(_read_numbers, first=0)
read_variables = partial(_read_numbers, first=1)


def read_vector(lines: Lines, known: Known) -> Iterator[Event]:
    """Yield the solutions of an answer with 0 or 1, or true or false, for each option in order.

    Values after the last option belong to auxiliary variables. A vector that is too short is an error (PZ619).
    """
    rows = rows_of(lines.peek(LOOKED_AT))
    column = not rows or len(rows[0]) < known.options
    for start, words, complete in _groups(lines, column):
        values = Values(known, start)
        if not complete:
            values.report.add("PZ616", "unexpected end of file: missing `]` after this vector", lines.end)
        elif "..." in (word for word, _ in words[: known.options]):
            at = next(at for word, at in words if word == "...")
            help = "print all values with `numpy.set_printoptions(threshold=sys.maxsize)`"
            values.report.add("PZ616", "missing values: numpy has shortened this vector", at, help=help)
        else:
            values.array(words, start)
        yield values.model(told=len(words))


def is_vector(lines: Sequence[Span], known: Known) -> bool:
    """Whether the first lines of an answer look like a vector of zeros and ones."""
    if not all(
        _NUMBERS.fullmatch(line.source.text[:200]) for line in lines
    ):  # a quick check, because lines can be very long
        return False
    rows = rows_of(lines)
    words = [TRUTHS.get(word.lower(), word) for row in rows for word in row if word not in ("[", "]", "...")]
    if not words or not all(re.fullmatch(r"[01](?:\.0*(?:[eE][+-]0+)?)?|1e[+]?00?", word) for word in words):
        return False
    return len(words) >= known.options or len(lines) >= LOOKED_AT or 2 < len(words) > len(set(words))


def may_be_notation(lines: Sequence[Span], known: Known) -> bool:
    """Whether integers may be a notation of DPF: each line has one for each piece, or one for each location."""
    row = rows_of(lines)[0]
    fitting = known.fitting
    if fitting is None or len(row) == known.options or not all(map(str.isdecimal, row)):
        return False
    return len(row) in (len(fitting.pieces), fitting.locations)


def are_numbers(lines: Sequence[Span]) -> bool:
    """Whether the first lines of an answer are integers of 0 or more, with any brackets."""
    if not all(_NUMBERS.fullmatch(line.source.text[:200]) for line in lines):
        return False
    rows = rows_of(lines)
    return bool(rows) and all(re.fullmatch(r"[0-9]+|\[|\]", word) for row in rows for word in row)
