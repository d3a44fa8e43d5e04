"""Schema of the YAML file of a lattice: its keys, and the kind of each value.

All errors of a file are collected. ``geometry.proving`` verifies later that the numbers describe a lattice. Here they
only have to be numbers, one for each dimension.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from puzzlec.diagnostics import Report, counted, listed, suggestion
from puzzlec.diagnostics.suggest import compared_keys
from puzzlec.geometry import Freedom, lattice_names
from puzzlec.geometry.drawing import RULES
from puzzlec.language.yaml_tree import YamlNode

_REQUIRED_KEYS = ("summary", "dimension", "translations", "kinds", "rotations", "reflections", "freedom", "drawing")
_OPTIONAL_KEYS = ("axes", "crossings", "faces", "balls")
_FACES_KEYS = ("lattice", "at")
_KIND_KEYS = ("name", "at", "outline", "neighbours")

#: Lattices of up to five dimensions are verified within a second. In six dimensions the cube has 46080 symmetries,
#: more than groups may have, and its hull takes 15 seconds.
MOST_DIMENSIONS, MOST_KINDS, MOST_IN_LIST, MOST_GENERATORS = 5, 200, 120, 12

#: Maximum number of corners of an outline: a cube in five dimensions has this many. Hulls of more corners are slow.
MOST_CORNERS = {5: 32}

#: The largest number in a vector, and in a generator, whose powers are computed.
MAX_COORDINATE, MAX_GENERATOR_ENTRY = 10**6, 100


def lattice_document(root: YamlNode, report: Report) -> dict[str, Any] | None:
    """Return the content of a file as plain lists and numbers for ``geometry.lattice.from_document``.

    Return None if anything is missing or wrong; the report then has it.
    """
    before = report.errors
    document = _Schema(report).document(root)
    return document if report.errors == before else None


class _Schema:
    """One walk over a tree. Errors are reported, and None takes the place of a wrong value."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self.size: int | None = None  # the dimension, once known

    def document(self, root: YamlNode) -> dict[str, Any]:
        """Return the whole document."""
        members = self.keys(root, "a lattice", _REQUIRED_KEYS, _OPTIONAL_KEYS)
        if "dimension" in members:
            self.size = self.dimension(members["dimension"])
        read: dict[str, Callable[[YamlNode], Any]] = {
            "summary": self.text,
            "dimension": lambda _: self.size,
            "translations": lambda node: self.matrix(node, "translations"),
            "kinds": lambda node: self.several(node, "kinds", self.kind, 1, MOST_KINDS),
            "rotations": self.generators,
            "reflections": self.generators,
            "freedom": lambda node: self.choice(node, [freedom.value for freedom in Freedom], "freedom"),
            "drawing": lambda node: self.choice(node, (*RULES, "cells"), "drawing rule"),
            "axes": lambda node: self.matrix(node, "axes", whole=False),
            "crossings": lambda node: self.several(node, "crossings", self.crossing, 0, MOST_IN_LIST),
            "faces": self.faces,
            "balls": self.yes_or_no,
        }
        document = {key: read[key](node) for key, node in members.items()}
        if "drawing" in members:
            self.suits(members["drawing"], document)
        return document

    def keys(
        self, node: YamlNode, what: str, needed: Sequence[str], optional: Sequence[str] = ()
    ) -> dict[str, YamlNode]:
        """Return the values of the known keys; report unknown and missing ones."""
        if not isinstance(node.value, dict):
            self.wrong(node, f"expected {what} with its keys, found {node}")
            return {}
        keys = compared_keys(node.keys, needed, optional)
        for name, help in keys.unknown.items():
            note = f"its keys are {_quoted(*needed, *optional)}"
            self.report.add("PZ341", f"unknown key `{name[:40]}` in {what}", node.keys[name], note=note, help=help)
        if missing := keys.missing:
            several = len(missing) > 1
            self.report.add(
                "PZ343",
                f"missing key{'s' * several} {_quoted(*missing)}",
                node.head,
                f"{what} begins here",
                help=_MISSING.get(missing[0], ()),
            )
        return {name: member for name, member in node.value.items() if name in (*needed, *optional)}

    def wrong(
        self, node: YamlNode, message: str, note: str | tuple[str, ...] = (), help: str | tuple[str, ...] = ()
    ) -> None:
        """Report a value of the wrong type."""
        self.report.add("PZ344", message, node.head, note=note, help=help)

    def text(self, node: YamlNode) -> str | None:
        """Return a text on one line."""
        if isinstance(node.value, str) and node.value.strip() and "\n" not in node.value.strip():
            return node.value.strip()
        if isinstance(node.value, int | float):
            return node.span.text
        self.wrong(node, f"expected a text on one line, found {node}")
        return None

    def dimension(self, node: YamlNode) -> int | None:
        """Return the number of dimensions."""
        value = self.whole(node)
        if value is None:
            return None
        if not 1 <= value <= MOST_DIMENSIONS:
            code = "PZ347" if value > MOST_DIMENSIONS else "PZ344"
            self.report.add(code, f"dimension must be 1 to {MOST_DIMENSIONS}, found {value}", node.span)
            return None
        return value

    def whole(self, node: YamlNode, most: int = MAX_COORDINATE) -> int | None:
        """Return an integer; report another value, and one that is too large."""
        if isinstance(node.value, int):
            if abs(node.value) <= most:
                return node.value
            self.report.add("PZ347", f"number is too large (limit {most:,})", node.span)
        elif isinstance(node.value, float):
            whole = node.value.is_integer() and abs(node.value) <= MAX_COORDINATE
            self.wrong(
                node,
                f"expected an integer, found {node}",
                help=f"write `{int(node.value)}`"
                if whole
                else "multiply all points by a number that makes them integers",
            )
        else:
            self.wrong(node, f"expected an integer, found {node}")
        return None

    def number(self, node: YamlNode) -> float | None:
        """Return a number; report another value."""
        if isinstance(node.value, int | float) and abs(node.value) <= MAX_COORDINATE:
            return node.value
        if isinstance(node.value, int | float):
            self.report.add("PZ347", f"number is too large (limit {MAX_COORDINATE:,})", node.span)
        else:
            self.wrong(node, f"expected a number, found {node}")
        return None

    def several(
        self, node: YamlNode, what: str, read: Callable[[YamlNode], Any], least: int, most: int
    ) -> list[Any] | None:
        """Return a list whose entries are all read in one way; report one that is too short or too long."""
        if not isinstance(node.value, list):
            self.wrong(node, f"expected a list of {what}, found {node}")
            return None
        if len(node.value) < least:
            self.report.add("PZ345", f"expected {'at least ' * (least > 1)}{least} of {what}", node.span)
        if len(node.value) > most:
            self.report.add("PZ347", f"too many {what}: {len(node.value)}", node.head, note=f"the limit is {most}")
            return None
        return [read(entry) for entry in node.value]

    def vector(self, node: YamlNode, whole: bool = True, most: int = MAX_COORDINATE) -> list[Any] | None:
        """Return a vector: a number for each dimension. ``most`` is the limit of integers."""
        if not isinstance(node.value, list):
            self.wrong(node, f"expected a vector such as `{_example(self.size)}`, found {node}")
            return None
        if self.size is not None and len(node.value) != self.size:
            self.report.add(
                "PZ345",
                f"vector has {counted(len(node.value), 'number')}; the lattice has {counted(self.size, 'dimension')}",
                node.span,
                help=f"write {counted(self.size, 'number')}, such as `{_example(self.size)}`",
            )
            return None
        return [self.whole(entry, most) if whole else self.number(entry) for entry in node.value]

    def matrix(self, node: YamlNode, what: str, whole: bool = True, most: int = MAX_COORDINATE) -> list[Any] | None:
        """Return a square matrix: a vector for each dimension."""
        size = self.size
        if isinstance(node.value, list) and size is not None and len(node.value) != size:
            nested = size > 1 and len(node.value) == 1 and _is_matrix(node.value[0], size)
            self.report.add(
                "PZ345",
                f"{what} must have {counted(size, 'row')}, one for each dimension, found {len(node.value)}",
                node.span,
                help="remove one pair of brackets" if nested else (),
            )
            return None
        rows = "rows" if what == "a matrix" else what
        return self.several(node, rows, lambda row: self.vector(row, whole, most), 0, MOST_IN_LIST)

    def generators(self, node: YamlNode) -> list[Any] | None:
        """Return a list of matrices."""
        if isinstance(node.value, list) and self.size is not None and _is_matrix(node, self.size):
            self.wrong(
                node,
                "expected a list of matrices, found a single matrix",
                help=f"write `[{node.span.text}]`" if len(node.span.text) <= 60 and "\n" not in node.span.text else (),
            )
            return None
        return self.several(
            node,
            "matrices",
            lambda matrix: self.matrix(matrix, "a matrix", most=MAX_GENERATOR_ENTRY),
            0,
            MOST_GENERATORS,
        )

    def kind(self, node: YamlNode) -> dict[str, Any]:
        """Return a kind of cell."""
        members = self.keys(node, "a kind of cell", _KIND_KEYS)
        corners = MOST_CORNERS.get(self.size or 0, MOST_IN_LIST)
        read: dict[str, Callable[[YamlNode], Any]] = {
            "name": self.text,
            "at": self.vector,
            "outline": lambda outline: self.several(
                outline, "corners", lambda corner: self.vector(corner, False), 2, corners
            ),
            "neighbours": lambda neighbours: self.several(neighbours, "neighbours", self.vector, 0, MOST_IN_LIST),
        }
        return {key: read[key](member) for key, member in members.items()}

    def yes_or_no(self, node: YamlNode) -> bool | None:
        """Return the value of a property: true or false."""
        if node.value in ("true", "false") and node.span.text == node.value:
            return bool(node.value == "true")
        self.wrong(node, f"expected `true` or `false`, found {node}")
        return None

    def faces(self, node: YamlNode) -> dict[str, Any]:
        """Return the lattice of the cells whose sides are these edges, and the place of its origin."""
        members = self.keys(node, "`faces`", _FACES_KEYS)
        read: dict[str, Callable[[YamlNode], Any]] = {
            "lattice": lambda name: self.choice(name, lattice_names(), "lattice"),
            "at": self.vector,
        }
        return {key: read[key](member) for key, member in members.items()}

    def crossing(self, node: YamlNode) -> list[Any] | None:
        """Return a crossing: two or more ways through a point, each a pair of points."""
        return self.several(node, "ways", self.way, 2, MOST_IN_LIST)

    def way(self, node: YamlNode) -> list[Any] | None:
        """Return a way through a crossing: the points of two cells."""
        if isinstance(node.value, list) and len(node.value) != 2:
            self.report.add("PZ345", f"expected 2 cells in a way, found {len(node.value)}", node.span)
            return None
        return self.several(node, "points", self.vector, 2, 2)

    def choice(self, node: YamlNode, words: Sequence[str], what: str) -> str | None:
        """Return one of the allowed words."""
        if isinstance(node.value, str) and node.value in words:
            return node.value
        self.wrong(
            node,
            f"unknown {what} {node}",
            note=f"known: {_quoted(*words)}",
            help=suggestion(str(node.value), words),
        )
        return None

    def suits(self, node: YamlNode, document: dict[str, Any]) -> None:
        """Report a drawing rule that cannot show the cells of this lattice."""
        drawing, kinds = document["drawing"], document.get("kinds")
        if drawing not in RULES:
            return
        rule = RULES[drawing]
        reason = ""
        if self.size is not None and self.size not in rule.dimensions:
            reason = f"needs {' or '.join(map(str, rule.dimensions))} dimensions, this lattice has {self.size}"
        elif kinds is not None and len(kinds) != rule.kinds:
            reason = f"needs {counted(rule.kinds, 'kind')} of cell, this lattice has {len(kinds)}"
        if reason:
            self.wrong(
                node, f"drawing rule `{drawing}` {reason}", help="write `drawing: cells`, which suits every lattice"
            )


_MISSING = {
    "freedom": "write `freedom: free`, or `freedom: one-sided` if pieces must not be reflected",
    "drawing": "write `drawing: cells` to write pieces as lists of cells",
    "rotations": "write `rotations: []` if cells cannot be rotated",
    "reflections": "write `reflections: []` if cells cannot be reflected",
}


def _is_matrix(node: YamlNode, size: int) -> bool:
    """Return whether a node looks like a matrix: a list of ``size`` lists of numbers."""
    return isinstance(node.value, list) and all(
        isinstance(row.value, list) and row.value and all(isinstance(entry.value, int | float) for entry in row.value)
        for row in node.value
    ) and len(node.value) == size  # fmt: skip


def _example(size: int | None) -> str:
    return "[" + ", ".join(["1", *"0" * ((size or 2) - 1)]) + "]"


def _quoted(*names: str) -> str:
    return listed(f"`{name}`" for name in names)
