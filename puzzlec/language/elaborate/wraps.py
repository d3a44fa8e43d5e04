"""Boards that go around: the statement `wrap`."""

from __future__ import annotations

import re

import lark

from puzzlec.diagnostics import Span, counted
from puzzlec.geometry.wrapping import Wrap, WrapError, Wrapping, extent
from puzzlec.language.elaborate.regions import Regions
from puzzlec.language.expressions import Node, Tree

#: The names of the axes of a lattice, as many as it has dimensions.
AXES = "xyzwuv"

#: What people write behind an axis, or in its place, for a twist.
_TWISTS = frozenset(("twisted", "twist", "mobius", "moebius", "möbius", "flipped", "reversed", "mirrored"))

#: Boards that go around by their names, and how each is written.
_BOARDS = {
    "torus": "x y",
    "both": "x y",
    "toroidal": "x y",
    "cylinder": "x",
    "mobius": "x twisted",
    "moebius": "x twisted",
    "möbius": "x twisted",
    "klein": "x twisted y",
    "kleinbottle": "x twisted y",
    "klein-bottle": "x twisted y",
}

#: What to do about a board that is not its own mirror image, by the drawing rule of its lattice.
_MIRRORED = {
    "hex": "draw rows that are shifted back and forth; a box of hexagons is a rhombus",
    "triangle": "draw a board that is its own mirror image; a box of triangles is a parallelogram",
}


class Around(Regions):
    """The statement that makes a board go around; it is read when all locations are known."""

    def _wrap(self, statement: Tree) -> None:
        if not self.once(statement):
            return
        if self.lattice is None:
            self.report.add(
                "PZ320", "only a board on a lattice can go around", self.span(statement), help="leave `wrap` out"
            )
            return
        before = self.report.errors
        found = []
        for tree in statement.children:
            assert isinstance(tree, lark.Tree)
            vector = self.direction(tree)
            if vector is not None:
                found.append((Wrap(vector, len(tree.children) > 1), self.span(tree)))
        if self.broken or not self.locations or self.report.errors > before:
            return
        wraps = [wrap for wrap, _ in found]
        points = [self.lattice.point(at) for at in self.locations if not isinstance(at, str)]
        try:
            self.wrapping = Wrapping(self.lattice, wraps, points)
        except WrapError as error:
            span = found[error.number][1] if len(found) > error.number else self.span(statement)
            help = _MIRRORED.get(self.lattice.drawing, ()) if error.mirrored else ()
            self.report.add("PZ337", f"the board cannot go around so: {error.why}", span, help=help)

    def direction(self, tree: Tree) -> tuple[int, ...] | None:
        """Return the vector of a wrap: as it is written, or as far along an axis as the locations reach."""
        assert self.lattice is not None
        first = tree.children[0]
        dimension = self.lattice.dimension
        if isinstance(first, lark.Tree):
            vector = tuple(self.number(child) for child in first.children)
            if len(vector) != dimension:
                self.report.add(
                    "PZ312",
                    f"this vector has {counted(len(vector), 'coordinate')}, "
                    f"the lattice `{self.lattice.name}` has {counted(dimension, 'dimension')}",
                    self.span(first),
                )
                return None
            return None if self.too_large(vector, first) else vector
        name = self.name(first)
        if len(name) != 1 or name not in AXES[:dimension]:
            axes = AXES[:dimension]
            self.report.add(
                "PZ338",
                f"`{name}` is no axis of the lattice `{self.lattice.name}`",
                self.span(first),
                note=f"its axes are {', '.join(axes)}" if dimension > 1 else f"its axis is {axes}",
                help=self._axis_help(name, first),
            )
            return None
        axis = AXES.index(name)
        reach = extent([at for at in self.locations if not isinstance(at, str)], axis)
        return tuple(reach * (each == axis) for each in range(dimension))

    def _axis_help(self, name: str, token: Node) -> str:
        """Return how to mend what is no axis: it may be a twist in the wrong place, or a board by its name."""
        assert self.lattice is not None
        word, dimension = name.lower(), self.lattice.dimension
        before = re.search(r"\bwrap\b([^\n#]*)$", self.source.text[: self.span(token).start])
        axis = before.group(1).split()[-1:] if before else []
        if word in _TWISTS and dimension == 2:
            if axis and axis[0] in AXES[:dimension]:
                return f"write `wrap {axis[0]} twisted`"
            if word not in _BOARDS:
                return "`twisted` stands behind the axis: `wrap x twisted`"
        if word in _BOARDS and dimension == 2 and not axis:
            return f"write `wrap {_BOARDS[word]}`"
        vector = ",".join(["8"] + ["0"] * (dimension - 1))
        return f"name an axis, or write how far the board goes until it is back, such as `wrap ({vector})`"

    def refuse_sides_that_meet_twice(self) -> None:
        """Report pieces with edges on a board so narrow, or glued so, that two locations meet in two sides."""
        tile = next((piece for piece in self.pieces.values() if piece.sides), None)
        wrapping = self.wrapping
        if tile is None or wrapping is None or self.lattice is None or self.report.errors:
            return
        span: Span | None = self.seen.get("wrap")
        points = [self.lattice.point(at) for at in self.locations if not isinstance(at, str)]
        why = wrapping.against_tiles(points)
        if why:
            self.report.add(
                "PZ339", f"pieces with edges cannot lie on this board: {why}", span,
                note=f"piece `{tile.name}` has edges",
            )  # fmt: skip
