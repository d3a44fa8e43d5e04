"""Answers in numbers: those of the chosen options, or a vector that says of each option whether it is chosen.

A solution is a line, a list in brackets as Python and numpy print it, or, where no line has more than one number, all
lines up to an empty one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial

from puzzlec.diagnostics import Span
from puzzlec.formats.solvers.answers.covers import Cover
from puzzlec.formats.solvers.answers.lines import Lines
from puzzlec.formats.solvers.answers.model import SAME, Event, Known, Model, Values, numbers_known

#: So many lines are looked at to find out how the numbers are laid out.
LOOKED_AT = 300

#: A number that numpy has wrapped, as in ``np.int64(5)``; what calls a list, as in ``array([``; a bracket; a word.
_TOKEN = re.compile(r"(?:np|numpy)\.\w+\(\s*([^()\s,]+)\s*\)|[A-Za-z_.]+(?=\()|([\[({])|([\])}])|([^\s,;\[\](){}]+)")

#: What lines begin with that can be numbers: these and what is around them in Python, or a remark.
_NUMBERS = re.compile(
    r"(?:[-+.,;0-9\s\[\](){}]|[eE][-+]?[0-9]|np\.|numpy\.|\w+(?=\()|(?i:true|false|dtype=\w+))*+\w*|\s*#.*"
)

_WORDS = {"true": "1", "false": "0"}

Word = tuple[str, Span]


def _words(line: Span) -> Iterator[Word]:
    """Give the brackets (as `[` and `]`) and the numbers of a line with their places."""
    for match in _TOKEN.finditer(line.text):
        at = line.source.span(line.start + match.start(), line.start + match.end())
        if match[2] or match[3]:
            yield "[" if match[2] else "]", at
        elif number := match[1] or match[4]:
            yield number, at


def _groups(lines: Lines, column: bool) -> Iterator[tuple[Span, list[Word], bool]]:
    """Give where each solution begins, its words, and whether it is complete; ``column``: it goes to an empty line."""
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
    """Return the words of some lines, brackets among them, without remarks and empty lines."""
    return [
        [word for word, _ in _words(line)]
        for line in lines
        if line.text.strip() and not line.text.lstrip().startswith("#")
    ]


def _is_column(lines: Lines) -> bool:
    rows = rows_of(lines.peek(LOOKED_AT))
    return len(rows) > 1 and all(len(row) == 1 and row[0] not in ("[", "]") for row in rows)


def _read_numbers(lines: Lines, known: Known, first: int) -> Iterator[Event]:
    """Give the covers of an answer that tells the numbers of their options."""
    column = _is_column(lines)
    if column and known.right is not None:  # unless the first number is a solution of its own
        text = lines.peek(LOOKED_AT)[0].text.strip()
        if re.fullmatch(r"[0-9]{1,12}", text) and first <= int(text) < known.options + first:
            column = not known.right(Model(lines.peek(1)[0], (int(text) - first,)))
    for start, words, complete in _groups(lines, column):
        cover = Cover(known, start)
        for word, at in words:
            if not re.fullmatch(r"[0-9]{1,12}", word):
                cover.report.add("PZ612", f"`{word[:40]}` is no number of an option", at)
            elif not first <= int(word) < known.options + first:
                last = known.options - 1 + first
                note = (
                    numbers_known(known) if first else f"options are numbered {first} to {last} in this kind of answer"
                )
                cover.report.add("PZ613", f"there is no {'variable' if first else 'option'} {word}", at, note=note)
            else:
                cover.add(int(word) - first, at)
        if not complete:
            cover.report.add("PZ616", "this list breaks off: there is no `]` after it", lines.end)
        yield cover.model()


#: Numbers of options from 0, and numbers of variables from 1.
read_options = partial(_read_numbers, first=0)
read_variables = partial(_read_numbers, first=1)


def read_vector(lines: Lines, known: Known) -> Iterator[Event]:
    """Give the solutions of an answer that says 0 or 1, or true or false, of each option in its order.

    What stands behind the last option is of auxiliary variables. A vector that is too short is a fault (PZ619).
    """
    rows = rows_of(lines.peek(LOOKED_AT))
    column = not rows or len(rows[0]) < known.options
    for start, words, complete in _groups(lines, column):
        values = Values(known)
        for option, (word, at) in enumerate(words[: known.options]):
            if word == "...":
                help = "numpy prints all with `numpy.set_printoptions(threshold=sys.maxsize)`"
                values.report.add("PZ616", "this vector is shortened", at, help=help)
                break
            values.set_number(option, at, at, _WORDS.get(word.lower(), word))
        if not complete:
            values.report.add("PZ616", "this vector breaks off: there is no `]` after it", lines.end)
        elif len(words) < known.options and not values.report.errors:
            message = f"this vector has {len(words)} values, the puzzle {known.options} options"
            values.report.add("PZ619", message, start, help=SAME)
        yield values.model(start)._replace(told=len(words))


def is_vector(lines: Sequence[Span], known: Known) -> bool:
    """Whether the first lines of an answer look like a vector of zeros and ones."""
    if not all(_NUMBERS.fullmatch(line.source.text[:200]) for line in lines):  # a quick look: lines can be very long
        return False
    rows = rows_of(lines)
    words = [_WORDS.get(word.lower(), word) for row in rows for word in row if word not in ("[", "]", "...")]
    if not words or not all(re.fullmatch(r"[01](?:\.0*(?:[eE][+-]0+)?)?|1e[+]?00?", word) for word in words):
        return False
    return len(words) >= known.options or len(lines) >= LOOKED_AT or 2 < len(words) > len(set(words))


def may_be_notation(lines: Sequence[Span], known: Known) -> bool:
    """Whether whole numbers may be of one of the notations of DPF: as many on a line as pieces or locations."""
    row = rows_of(lines)[0]
    fitting = known.fitting
    if fitting is None or len(row) == known.options or not all(map(str.isdecimal, row)):
        return False
    return len(row) in (len(fitting.pieces), fitting.locations)


def are_numbers(lines: Sequence[Span]) -> bool:
    """Whether the first lines of an answer are whole numbers, none of them negative, whatever brackets there are."""
    if not all(_NUMBERS.fullmatch(line.source.text[:200]) for line in lines):
        return False
    rows = rows_of(lines)
    return bool(rows) and all(re.fullmatch(r"[0-9]+|\[|\]", word) for row in rows for word in row)
