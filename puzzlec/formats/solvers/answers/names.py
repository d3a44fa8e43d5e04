"""Answers in names: lists of the options that were chosen, as people print them from Python or write them down.

A name is that of an option, of a variable of our files (``x12_F_0.0``), or of a node of our graphs (``n11``). Names
stand on a line each, or in quotes in a list, a set or a tuple; in a dict each has its value. Several lists, and lines
with an empty one between, are several solutions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from puzzlec.diagnostics import Source, Span
from puzzlec.formats.solvers.answers.covers import Cover
from puzzlec.formats.solvers.answers.lines import Lines
from puzzlec.formats.solvers.answers.model import (
    AUXILIARY,
    NAME,
    TOLERANCE,
    Event,
    Known,
    Values,
    number,
    numbers_known,
)

_QUOTED = r"'(?:[^'\\\n]|\\.)*'|\"(?:[^\"\\\n]|\\.)*\""
_NUMBER = r"(?:(?:np|numpy)\.\w+\()?\s*([-+.\w]+)\s*\)?"
#: A name with its value, as in a dict or in a list of pairs; a name; a bracket; what else there is.
_TOKEN = re.compile(
    rf"\(\s*({_QUOTED})\s*,\s*{_NUMBER}\s*\)|({_QUOTED})\s*:\s*{_NUMBER}|({_QUOTED})|([\[({{])|([\])}}])"
    r"|\b(?:array|set|frozenset|list|dict|dict_keys)(?=\()|[^\s,\[\](){}]+"
)
_NODE = re.compile(r"n([0-9]{1,9})")


def read_names(lines: Lines, known: Known) -> Iterator[Event]:
    """Give the solutions of an answer that names options, variables or nodes."""
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
    for match in _TOKEN.finditer(source.text):
        at = source.span(match.start(), match.end())
        cover = cover or Cover(known, at)
        group = next((each for each in (1, 3, 5) if match[each]), 0)
        if group:
            name = source.span(match.start(group) + 1, match.end(group) - 1)
            if group == 5 or _is_chosen(cover, match[group + 1], at):
                _take(cover, name)
        elif match[6]:
            opened += 1
            if cover.options or cover.report.errors:
                yield cover.model()
                cover = Cover(known, at)
        elif match[7]:
            opened -= 1
            if cover.options or cover.report.errors:
                yield cover.model()
            cover = None
        elif match[0][0].isalpha() and source.text[match.end() : match.end() + 1] == "(":
            continue
        else:
            cover.report.add("PZ612", f"`{match[0][:40]}` is no name in quotes", at)
    if opened > 0:
        cover = cover or Cover(known, source.end)
        cover.report.add("PZ616", "this list breaks off: a bracket is not closed", source.end)
    if cover is not None and (cover.options or cover.report.errors):
        yield cover.model()


def _is_chosen(cover: Cover, word: str, at: Span) -> bool:
    """Whether a value is 1; a fault where it is neither 0 nor 1."""
    value = {"true": 1.0, "false": 0.0}.get(word.lower(), number(word))
    if value is None:
        cover.report.add("PZ612", f"`{word[:40]}` is no number", at)
    elif min(abs(value), abs(value - 1)) > TOLERANCE:
        cover.report.add("PZ614", f"the value is {word[:40]}, neither 0 nor 1", at)
    return value is not None and abs(value - 1) <= TOLERANCE


def _take(cover: Cover, name: Span) -> None:
    """Add the option that a name means."""
    known, text = cover.known, name.text
    node = _NODE.fullmatch(text)
    if cover.by_label(name):
        return
    if node and int(node[1]) < known.options:
        cover.add(int(node[1]), name)
    elif node:
        cover.report.add("PZ613", f"there is no node `{text}`", name, note=numbers_known(known))
    elif NAME.match(text):
        values = Values(known)
        option = values.option(text, name)
        for fault in values.report.diagnostics:
            cover.report.append(fault)
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
    """Whether the first line of an answer is the name of an option; all names are looked through for it."""
    return any("|" not in text and known.labelled(text) is not None for text in texts[:1])
