"""Answers as lists of names or numbers, printed from Python or written by hand.

A name is that of an option, of a variable of our files (``x12_F_0.0``), or of a node of our graphs (``n11``). Names are
on separate lines, or in quotes in a list, a set or a tuple; in a dict each has its value. Several lists, or an empty
line between names, make several solutions.

Numbers are those of the chosen options, or a vector with a value for each option. A solution is a line, a list in
brackets of Python or numpy, or, if no line has more than one number, all lines up to an empty one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

from puzzlec.diagnostics import Span
from puzzlec.formats.solvers.answers.covers import NamedCover
from puzzlec.formats.solvers.answers.lines import SourceLines
from puzzlec.formats.solvers.answers.model import (
    AUXILIARY,
    NAME,
    TRUTHS,
    AnswerMeaning,
    Event,
    Model,
    Values,
    numbers_known,
)

#: A bracket (`[` or `]`), a number or the value of a name, and its position.
Word = tuple[str, Span]

_QUOTED = r"'(?:[^'\\\n]|\\.)*'|\"(?:[^\"\\\n]|\\.)*\""
_NUMBER = r"(?:(?:np|numpy)\.\w+\()?\s*[-+.\w]+\s*\)?"
#: A name with its value, as in a list of pairs or in a dict; a name; a bracket, or the function before it; other text.
_NAME_TOKEN = re.compile(
    rf"\(\s*(?P<pair>{_QUOTED})\s*,\s*(?P<of_pair>{_NUMBER})\s*\)|(?P<key>{_QUOTED})\s*:\s*(?P<of_key>{_NUMBER})"
    rf"|(?P<name>{_QUOTED})|[\[({{\])}}]|[A-Za-z_.]+(?=\()|(?P<other>[^\s,\[\](){{}}]+)"
)
_NODE = re.compile(r"n([0-9]{1,9})")


def read_names(lines: SourceLines, meaning: AnswerMeaning) -> Iterator[Event]:
    """Yield the solutions of an answer that names options, variables or nodes."""
    text: Iterable[Span] = lines
    is_quoted = _is_quoted([line.text for line in lines.peek(300)])
    if is_quoted:  # a pair of a name and its value may be on two lines
        source = lines.whole()
        text = [source.span(0, len(source.text.rstrip()))]
    for start, words, is_complete in _groups(text, meaning, True, _names if is_quoted else _whole_line):
        cover = NamedCover(meaning, start)
        for value, name in words:
            if not value:
                cover.report.add("PZ612", f"expected a name in quotes, found `{name.text[:40]}`", name)
            elif cover.truth(value, name):
                _take(cover, name)
        if not is_complete:
            cover.report.add("PZ616", "unexpected end of file: missing a closing bracket", lines.end)
        if words:
            yield cover.model()


def _is_quoted(texts: Sequence[str]) -> bool:
    first = next((text.strip() for text in texts if text.strip() and not text.lstrip().startswith("#")), "")
    return re.match(rf"(?:[a-z_]+)?[\[({{]|{_QUOTED}", first) is not None


def _whole_line(line: Span) -> Iterator[Word]:
    """Yield a line as a name."""
    start = line.start + len(line.text) - len(line.text.lstrip())
    yield "1", line.source.span(start, start + len(line.text.strip()))


def _names(text: Span) -> Iterator[Word]:
    """Yield the brackets and the names of a text, each name with its value; other words have no value."""
    for match in _NAME_TOKEN.finditer(text.text):
        group = next((group for group in ("pair", "key", "name") if match[group]), None)
        at = text.source.span(*(text.start + end for end in match.span(group or 0)))
        if group:
            value = match["of_pair"] or match["of_key"] or "1"
            yield value.rpartition("(")[2].rstrip(") \n"), text.source.span(at.start + 1, at.end - 1)
        elif match[0] in "[({":
            yield "[", at
        elif match[0] in "])}":
            yield "]", at
        elif match["other"]:
            yield "", at


def _take(cover: NamedCover, name: Span) -> None:
    """Add the option of a name."""
    meaning, text = cover.meaning, name.text
    node = _NODE.fullmatch(text)
    if cover.by_label(name):
        return
    if node and int(node[1]) < meaning.options:
        cover.add(int(node[1]), name)
    elif node:
        cover.report.add("PZ613", f"unknown node `{text}`", name, note=numbers_known(meaning))
    elif NAME.match(text):
        option = cover.option(text, name)
        if option is not None:
            cover.add(option, name)
    elif not AUXILIARY.match(text):
        cover.by_name(name)


def are_names(texts: Sequence[str], meaning: AnswerMeaning) -> bool:
    """Whether the first lines of an answer look like lists of names, or like names of variables or nodes."""
    content = [text for text in texts if not text.startswith("#")]
    if not content:
        return False
    if not _is_quoted(content):
        return all(_NODE.fullmatch(text) or re.fullmatch(r"x[0-9]{1,9}(?:_\S*)?", text) for text in content)
    match = re.search(rf"({_QUOTED})(?!\s*:\s*[\[{{\"'])", "\n".join(content[:3]))
    name = match[1][1:-1] if match else ""
    return bool(_NODE.fullmatch(name) or NAME.match(name) or meaning.labelled(name) is not None)


def are_labels(texts: Sequence[str], meaning: AnswerMeaning) -> bool:
    """Whether the first line of an answer is the name of an option; this searches all names."""
    return any("|" not in text and meaning.labelled(text) is not None for text in texts[:1])


#: Lines that are examined to find the layout of the numbers.
MAX_LAYOUT_LINES = 300

#: A number in numpy's form, ``np.int64(5)``; the beginning of a list, ``array([``; a bracket; a word.
_NUMBER_TOKEN = re.compile(
    r"(?:np|numpy)\.\w+\(\s*([^()\s,]+)\s*\)|[A-Za-z_.]+(?=\()|([\[({])|([\])}])|([^\s,;\[\](){}]+)"
)

#: A line of numbers: digits and everything around them in Python, or a comment.
_NUMBERS = re.compile(
    r"(?:[-+.,;0-9\s\[\](){}]|[eE][-+]?[0-9]|np\.|numpy\.|\w+(?=\()|(?i:true|false|dtype=\w+))*+\w*|\s*#.*"
)


def _words(line: Span) -> Iterator[Word]:
    """Yield the brackets (as `[` and `]`) and the numbers of a line with their positions."""
    for match in _NUMBER_TOKEN.finditer(line.text):
        at = line.source.span(line.start + match.start(), line.start + match.end())
        if match[2] or match[3]:
            yield "[" if match[2] else "]", at
        elif number := match[1] or match[4]:
            yield number, at


def _groups(
    lines: Iterable[Span], meaning: AnswerMeaning, column: bool, words_in: Callable[[Span], Iterator[Word]] = _words
) -> Iterator[tuple[Span, list[Word], bool]]:
    """Yield the start of each solution, its words, and whether it is complete; ``column``: it ends at an empty line."""
    words: list[Word] = []
    start: Span | None = None
    listed = False
    for line in lines:
        if meaning.is_remark(line.text):
            continue
        if not line.text.strip():
            if words and start is not None and not listed:
                yield start, words, True
                words, start = [], None
            continue
        for word, at in words_in(line):
            here = at if words_in is _names else line
            if word == "[":
                if words and start is not None:
                    yield start, words, True
                words, start, listed = [], here, True
            elif word != "]":
                start = start or here
                words.append((word, at))
            elif listed and start is not None:
                yield start, words, True
                words, start, listed = [], None, False
        if start is not None and not listed and not column:
            yield start, words, True
            words, start = [], None
    if start is not None:
        yield start, words, not listed


def rows_of(lines: Sequence[Span]) -> list[list[str]]:
    """Return the words of some lines, including brackets, without comments and empty lines."""
    return [
        [word for word, _ in _words(line)]
        for line in lines
        if line.text.strip() and not line.text.lstrip().startswith("#")
    ]


def _is_column(lines: SourceLines) -> bool:
    rows = rows_of(lines.peek(MAX_LAYOUT_LINES))
    return len(rows) > 1 and all(len(row) == 1 and row[0] not in ("[", "]") for row in rows)


def _read_numbers(lines: SourceLines, meaning: AnswerMeaning, first: int) -> Iterator[Event]:
    """Yield the covers of an answer that lists the numbers of their options."""
    column = _is_column(lines)
    if column and meaning.right is not None:  # unless the first number is a complete solution
        text = lines.peek(MAX_LAYOUT_LINES)[0].text.strip()
        if re.fullmatch(r"[0-9]{1,12}", text) and first <= int(text) < meaning.options + first:
            column = not meaning.right(Model(lines.peek(1)[0], (int(text) - first,)))
    for start, words, complete in _groups(lines, meaning, column):
        cover = NamedCover(meaning, start)
        for word, at in words:
            if not re.fullmatch(r"[0-9]{1,12}", word):
                cover.report.add("PZ612", f"expected the number of an option, found `{word[:40]}`", at)
            elif not first <= int(word) < meaning.options + first:
                last = meaning.options - 1 + first
                note = f"the numbers in this kind of answer are {first} to {last}"
                cover.report.add("PZ613", f"unknown {'variable' if first else 'option'} {word}", at, note=note)
            else:
                cover.add(int(word) - first, at)
        if not complete:
            cover.report.add("PZ616", "unexpected end of file: missing `]` after this list", lines.end)
        yield cover.model()


#: Numbers of options from 0, and numbers of variables from 1.
read_options = partial(_read_numbers, first=0)
read_variables = partial(_read_numbers, first=1)


def read_vector(lines: SourceLines, meaning: AnswerMeaning) -> Iterator[Event]:
    """Yield the solutions of an answer with 0 or 1, or true or false, for each option in order.

    Values after the last option belong to auxiliary variables. A vector that is too short is an error (PZ619).
    """
    rows = rows_of(lines.peek(MAX_LAYOUT_LINES))
    column = not rows or len(rows[0]) < meaning.options
    for start, words, complete in _groups(lines, meaning, column):
        values = Values(meaning, start)
        if not complete:
            values.report.add("PZ616", "unexpected end of file: missing `]` after this vector", lines.end)
        elif "..." in (word for word, _ in words[: meaning.options]):
            at = next(at for word, at in words if word == "...")
            help = "print all values with `numpy.set_printoptions(threshold=sys.maxsize)`"
            values.report.add("PZ616", "missing values: numpy has shortened this vector", at, help=help)
        else:
            values.array(words, start)
        yield values.model(value_count=len(words))


def is_vector(lines: Sequence[Span], meaning: AnswerMeaning) -> bool:
    """Whether the first lines of an answer look like a vector of zeros and ones."""
    # A quick check, because lines can be very long.
    if not all(_NUMBERS.fullmatch(line.source.text[:200]) for line in lines):
        return False
    rows = rows_of(lines)
    words = [TRUTHS.get(word.lower(), word) for row in rows for word in row if word not in ("[", "]", "...")]
    if not words or not all(re.fullmatch(r"[01](?:\.0*(?:[eE][+-]0+)?)?|1e[+]?00?", word) for word in words):
        return False
    return len(words) >= meaning.options or len(lines) >= MAX_LAYOUT_LINES or 2 < len(words) > len(set(words))


def may_be_notation(lines: Sequence[Span], meaning: AnswerMeaning) -> bool:
    """Whether integers may be a notation of DPF: each line has one for each piece, or one for each location."""
    row = rows_of(lines)[0]
    fitting = meaning.fitting
    if fitting is None or len(row) == meaning.options or not all(map(str.isdecimal, row)):
        return False
    return len(row) in (len(fitting.pieces), fitting.locations)


def are_numbers(lines: Sequence[Span]) -> bool:
    """Whether the first lines of an answer are integers of 0 or more, with any brackets."""
    if not all(_NUMBERS.fullmatch(line.source.text[:200]) for line in lines):
        return False
    rows = rows_of(lines)
    return bool(rows) and all(re.fullmatch(r"[0-9]+|\[|\]", word) for row in rows for word in row)
