"""Parse long texts faster: a line whose form the grammar has parsed before is read by its form.

The form of a line is the line with one sign for each number, free word, plain drawing and comment. Whether a word is
free follows from the terminals of the grammar: no word of a terminal may begin it. So the lexer makes the same tokens
from all lines of a form, and the parser the same tree, with other positions. The grammar parses one line of each form,
and that tree becomes a function from a line to its tree. All other lines, and each text with an error, go to the
grammar. Nothing here has a rule of the language, except which signs begin and end brackets.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from itertools import groupby
from typing import Any, NamedTuple

import lark
from lark.exceptions import UnexpectedInput
from lark.tree import Meta

from puzzlec.language import parsing
from puzzlec.language.parsing import GluedError, LengthError, NestingError, parser
from puzzlec.resources import without_cycles

Tree = lark.Tree[lark.Token]
Regions = Sequence[tuple[int, int]]

#: Shorter texts, in characters, are parsed as a whole.
_MIN_CHARACTERS = 10_000
#: Lines of a form that the grammar parses before the form is kept; forms that are kept; parts that a form may have.
_LINES_BEFORE_FORM, _MAX_FORMS, _MAX_PARTS = 3, 2_000, 120

_BRACKETS = re.compile(r'"[^"\n]*"|#[^\n]*|[(){}\[\]]')
_COMMENT, _DRAWING, _DIGITS = re.compile(r"#.*"), re.compile(r"\{[x./? \t]*\}"), re.compile(r"[0-9]+")
_WORD = re.compile(r"\w+")


class _FormPattern(NamedTuple):
    """The pattern of a form with a group for each of its parts, its number of tokens, and what makes its trees."""

    pattern: re.Pattern[str]
    tokens: int
    trees: Callable[[Regions, str], list[Tree]]


class _TreePosition(Meta):
    """The position of a part of the tree."""

    def __init__(self, start: int, end: int) -> None:
        self.empty, self.start_pos, self.end_pos = False, start, end


class _LineToken(lark.Token):
    """A token without the number of its line, which only Lark's parser uses."""

    __slots__ = ()
    line = column = end_line = end_column = None


def _word(kind: str, text: str, start: int, end: int) -> _LineToken:
    word = str.__new__(_LineToken, text[start:end])
    word.type, word.start_pos, word.end_pos = kind, start, end
    return word


#: What the functions of forms use.
_NAMES = {"T": lark.Tree, "P": _TreePosition, "W": _word, "__builtins__": {}}

#: The form of each line that was parsed often enough; None: it has no form; a number: the lines parsed so far.
_forms: dict[str, _FormPattern | int | None] = {}


def parse_statements(text: str) -> Tree:
    """Return the tree of a text that ends with a line break; raise the errors of the parser of the grammar."""
    if len(text) >= _MIN_CHARACTERS:
        try:
            with without_cycles():
                return _tree_by_lines(text)
        except (UnexpectedInput, GluedError, NestingError):
            pass  # the parser of the whole text raises it with its position
    return parser("puzzle").parse(text, start="start")


def _tree_by_lines(text: str) -> Tree:
    """Return the tree of a text, from its lines with known forms and from the runs of other lines between them."""
    statements: list[Tree] = []
    form_of, tokens = _form_of(), 0
    start = run = depth = 0  # where the line begins, and the lines that wait for the grammar; brackets open there
    for line_end in _line_end().finditer(text):
        line = text[start : line_end.start()]
        if not depth and (form := form_of(line)) is not None:
            if run < start:
                tokens += _read(text, run, start, statements)
            match = form.pattern.fullmatch(text, start, line_end.start())
            assert match is not None
            statements += form.trees(match.regs, text)
            tokens += form.tokens
            run = line_end.end()
        else:
            depth = max(0, depth + _opened(line))
        start = line_end.end()
        if tokens > parsing.MAX_TOKENS:
            raise LengthError(start)
    if run < start:
        tokens += _read(text, run, start, statements)
    if tokens > parsing.MAX_TOKENS:
        raise LengthError(start)
    return lark.Tree("start", list(statements), _TreePosition(0, len(text)))


@cache
def _line_end() -> re.Pattern[str]:
    """Return the pattern of a line break that ends a statement, from the grammar."""
    return re.compile(
        next(terminal.pattern.to_regexp() for terminal in parser("puzzle").terminals if terminal.name == "_NL")
    )


def _opened(line: str) -> int:
    """Return how many more brackets a line opens than it closes."""
    signs = _BRACKETS.findall(line)
    return sum(sign in "([{" for sign in signs) - sum(sign in ")]}" for sign in signs)


def _read(text: str, start: int, end: int, statements: list[Tree]) -> int:
    """Add the trees of whole statements by the grammar; return the number of tokens."""
    tree, tokens = _parsed(text[start:end])
    stack: list[Tree | lark.Token] = [tree]
    while stack and start:
        node = stack.pop()
        if isinstance(node, lark.Token):
            node.start_pos, node.end_pos = (node.start_pos or 0) + start, (node.end_pos or 0) + start
        else:
            stack += node.children
            if not node.meta.empty:
                node.meta.start_pos += start
                node.meta.end_pos += start
    statements += [child for child in tree.children if isinstance(child, lark.Tree)]
    return len(tokens)


def _parsed(text: str) -> tuple[Tree, list[lark.Token]]:
    """Return the tree of whole statements, and their tokens."""
    machine: Any = parser("puzzle").parse_interactive(text, start="start")
    tokens = list(machine.iter_parse())
    return machine.feed_eof(), tokens


@cache
def _free_word() -> re.Pattern[str]:
    """Return the pattern of a word that no word in a terminal of the grammar begins."""
    sources = [re.sub(r"\\.", " ", terminal.pattern.to_regexp()) for terminal in parser("puzzle").terminals]
    words = sorted({word for source in sources for word in re.findall(r"[a-zA-Z]+", source)})
    # Branches with the same first letter are one: the lexer of Python tries all branches in order.
    letters = [
        f"{first}(?:{'|'.join(word[1:] for word in group)})" for first, group in groupby(words, lambda word: word[0])
    ]
    return re.compile(rf"(?<!\w)(?!{'|'.join(letters)})[^\W\d]\w*+")


def _form_of() -> Callable[[str], _FormPattern | None]:
    """Return the function that gives the form of a line, or None if the grammar has to parse the line."""
    free, digits = _free_word().sub, _DIGITS.sub

    def form_of(line: str) -> _FormPattern | None:
        sketch = line
        if "#" in sketch:
            sketch = _COMMENT.sub("#", sketch)
        if "{" in sketch:
            sketch = _DRAWING.sub("{x}", sketch)
        sketch = digits("0", free("n", sketch))
        form = _forms.get(sketch, 0)
        if not isinstance(form, int):
            return form
        if len(_forms) >= _MAX_FORMS:
            _forms.clear()
        if form < _LINES_BEFORE_FORM:
            _forms[sketch] = form + 1
            return None
        _forms[sketch] = learnt = _form(line)
        return learnt

    return form_of


def _form(line: str) -> _FormPattern | None:
    """Return the form of a line; None if the line is not a whole statement, or if its parts are not whole tokens."""
    every = re.compile(f"{_COMMENT.pattern}|{_DRAWING.pattern}|{_free_word().pattern}|{_DIGITS.pattern}")
    parts = list(every.finditer(line))
    if len(parts) > _MAX_PARTS:
        return None
    try:
        tree, tokens = _parsed(line + "\n")
    except (UnexpectedInput, GluedError, NestingError):
        return None
    spans = [(token.start_pos or 0, token.end_pos or 0) for token in tokens]
    for part in parts:
        touching = [span for span in spans if span[0] < part.end() and part.start() < span[1]]
        inside = len(touching) == 1 and touching[0][0] <= part.start() and part.end() <= touching[0][1]
        if not inside and (touching or part.group()[0] != "#"):
            return None
    patterns, at = [], 0
    for part in parts:
        patterns.append(re.escape(line[at : part.start()]))
        first = part.group()[0]
        kind = _COMMENT if first == "#" else _DRAWING if first == "{" else _DIGITS if first.isdecimal() else _WORD
        patterns.append(f"({kind.pattern})")
        at = part.end()
    pattern = re.compile("".join(patterns) + re.escape(line[at:]))
    marks = [(0, "r[0][0]")]
    for number, part in enumerate(parts, 1):
        marks += [(part.start(), f"r[{number}][0]"), (part.end(), f"r[{number}][1]")]
    code = ",".join(_code(child, marks) for child in tree.children)
    return _FormPattern(pattern, len(tokens), eval(f"lambda r, t: [{code}]", _NAMES))


def _code(node: Any, marks: list[tuple[int, str]]) -> str:
    """Return the expression that makes a node again from the regions of a line's parts and the text."""
    if isinstance(node, lark.Token):
        return f"W({node.type!r},t,{_position(node.start_pos or 0, marks)},{_position(node.end_pos or 0, marks)})"
    children = ",".join(_code(child, marks) for child in node.children)
    meta = node.meta
    place = "None" if meta.empty else f"P({_position(meta.start_pos, marks)},{_position(meta.end_pos, marks)})"
    return f"T({str(node.data)!r},[{children}],{place})"


def _position(at: int, marks: list[tuple[int, str]]) -> str:
    """Return the expression for a position: that of the last part before it, and the characters between them."""
    begin, name = next(mark for mark in reversed(marks) if mark[0] <= at)
    return f"{name}+{at - begin}" if at > begin else name
