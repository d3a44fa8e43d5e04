"""All covers as a decision diagram, as Knuth's DLX6 prints it: a zero-suppressed one (TAOCP 7.1.4) over the options.

A line ``5: (~3?4:2)`` says of node 5: without option 3 (from 1) go to node 4, with it to node 2. The numbers of nodes
are hexadecimal. Node 0 means no cover, node 1 that this is one; the root is that of the last line, which has option 0
(https://www-cs-faculty.stanford.edu/~knuth/programs.html, DLX6). The diagram is held, the covers are listed one by
one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from puzzlec.diagnostics import Report, Span
from puzzlec.formats.solvers.answers.lines import Lines
from puzzlec.formats.solvers.answers.model import Ending, Event, Known, Model, Said, numbers_known

_NODE = re.compile(r"\s*([0-9a-f]{1,15}): \(~([0-9]{1,12})\?([0-9a-f]{1,15}):([0-9a-f]{1,15})\)\s*$")
_REMARK = re.compile(r"\s*(?:\([0-9]+ options, .*\)|Altogether [0-9]+ solutions?\b.*|#.*)?\s*$")


class _Node(NamedTuple):
    option: int
    without: int
    having: int


def read_zdd(lines: Lines, known: Known) -> Iterator[Event]:
    """Give the covers of a decision diagram, those with the first option of the root first.

    Raises PuzzleError for lines that are no nodes, and for nodes that lead to unknown options or nodes.
    """
    report = Report()
    nodes: dict[int, _Node] = {}
    dead = {0}  # nodes from which no way leads to node 1: none of them is gone
    root: int | None = None
    first: Span | None = None
    for line in lines:
        match = _NODE.match(line.text)
        if match is None:
            if not _REMARK.match(line.text):
                report.add("PZ612", "this is no node of a decision diagram", line, note="such as `5: (~3?4:2)`")
            continue
        first = first or line
        number, without, having = (int(match[group], 16) for group in (1, 3, 4))
        if number in nodes or number < 2:
            report.add("PZ615", f"node {match[1]} is told twice", line)
        for target in (without, having):
            if target > 1 and target not in nodes:  # so there is no way back, and all ways end
                report.add("PZ613", f"there is no node {target:x} before this one", line)
        option = int(match[2])
        if option > known.options:
            at = line.source.span(line.start + match.start(2), line.start + match.end(2))
            report.add("PZ613", f"there is no option {option}", at, note=numbers_known(known))
        nodes[number] = _Node(option, 0 if without in dead else without, 0 if having in dead else having)
        if not nodes[number].without and not nodes[number].having:
            dead.add(number)
        root = nodes[number].having if not option else None
    report.stop_on_errors()
    if first is None or root is None:
        report.add("PZ616", "this diagram breaks off: its last node is not the root, `(~0?0:...)`", lines.end)
        report.stop_on_errors()
    assert first is not None
    assert root is not None
    yield from _covers(nodes, root, first)
    yield Said(Ending.COMPLETE, lines.end)


def _covers(nodes: dict[int, _Node], root: int, at: Span) -> Iterator[Model]:
    """Give the options of each way from a node to node 1; the diagram has no circles."""
    # What is still to be done: a node, how many options are chosen before it, and the one that leads there (0: none).
    stack = [(root, 0, 0)]
    chosen: list[int] = []
    while stack:
        node, length, option = stack.pop()
        del chosen[length:]
        if option:
            chosen.append(option)
        if node == 1:
            yield Model(at, tuple(sorted(each - 1 for each in chosen)))
        elif node:
            found = nodes[node]
            stack.append((found.without, len(chosen), 0))
            stack.append((found.having, len(chosen), found.option))
