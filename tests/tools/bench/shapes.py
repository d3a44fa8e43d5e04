"""The measured shapes of real search trees: ``python -m tests.tools.bench.shapes`` measures them again.

A search is stopped at regular numbers of nodes, and its position is stored. Consecutive positions lie in the same
branches down to some level, so all positions together form a tree. It has every branch of the search with at least a
few of these steps, and the number of steps below it. A *unit* is one step, a few hundred nodes. The table has about ten
bits for each unit. They contain the number of levels that it shares with the unit before, and the number of levels
until it differs from all others. They also contain the degrees of the nodes there.

The table also has the errors of estimates by a few random probes in the same tree: estimated by true nodes of some
subproblems (:mod:`puzzlec.engine.search.estimating`).
"""

from __future__ import annotations

import argparse
import base64
import json
import lzma
import math
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import pairwise, takewhile
from pathlib import Path

import numpy as np

from puzzlec.engine.problem import ExactCover
from puzzlec.engine.search import selection
from puzzlec.engine.search.estimating import SubtreeSizes
from puzzlec.engine.search.splitting import Branch, SearchTree, TreeNode, split
from puzzlec.engine.search.splitting import Path as Way
from tests.tools.bench.instances import find

FOLDER = Path(__file__).parent / "measured"

#: The measured instances, each with the approximate number of units of its search.
MEASURED = {"3x4x5": 300_000, "Y-15x15": 30_000}

#: Number of subproblems that are estimated, from two levels of splitting.
ESTIMATED = 100

Positions = Sequence[tuple[tuple[int, int], ...]]


@dataclass(frozen=True)
class Shape:
    """A measured tree.

    ``instance`` names the problem (:mod:`tests.tools.bench.instances`), ``nodes`` is the number of nodes of its search,
    ``step`` that of a unit. For each unit, ``shared`` has the levels that it shares with the unit before, and
    ``following`` the levels that follow. ``degrees`` has the degrees of the new nodes, in their order. ``ratios`` are
    estimated by true nodes.
    """

    instance: str
    nodes: int
    step: int
    shared: bytes
    following: bytes
    degrees: bytes
    ratios: tuple[float, ...]

    def text(self) -> str:
        """Return the shape as JSON text, with compressed lists."""
        packed = lzma.compress(self.shared + self.following + self.degrees, preset=9 | lzma.PRESET_EXTREME)
        told = {
            "instance": self.instance,
            "nodes": self.nodes,
            "step": self.step,
            "units": len(self.shared),
            "ratios": self.ratios,
            "units_packed": base64.b85encode(packed).decode(),
        }
        return json.dumps(told, indent=1) + "\n"

    @classmethod
    def read(cls, text: str) -> Shape:
        """Return the shape in a text."""
        told = json.loads(text)
        number = told["units"]
        packed = lzma.decompress(base64.b85decode(told["units_packed"]))
        return cls(
            told["instance"], told["nodes"], told["step"], packed[:number], packed[number : 2 * number],
            packed[2 * number :], tuple(told["ratios"]),
        )  # fmt: skip

    @classmethod
    def named(cls, instance: str) -> Shape:
        """Return the measured shape of an instance."""
        return cls.read((FOLDER / f"{instance}.json").read_text(encoding="utf-8"))

    @classmethod
    def of(cls, instance: str, nodes: int, step: int, positions: Positions, ratios: Sequence[float] = ()) -> Shape:
        """Return the shape of a search from its positions after each step."""
        shared, following, degrees = bytearray(), bytearray(), bytearray()
        before: tuple[tuple[int, int], ...] = ()
        common = [0, *(_common(a, b) for a, b in pairwise(positions)), 0]
        for number, position in enumerate(positions):
            same = common[number]
            short = position[: max(same, common[number + 1]) + 1]
            shared.append(same)
            following.append(len(short) - same)
            degrees += bytes(min(degree, 255) for _, degree in short[same + (len(before) > same) :])
            before = short
        return cls(instance, nodes, step, bytes(shared), bytes(following), bytes(degrees), tuple(ratios))


def _common(one: Sequence[tuple[int, int]], other: Sequence[tuple[int, int]]) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


@dataclass(frozen=True)
class Place(TreeNode):
    """A node of a measured tree by its number; -1 for a node that was too small to measure."""

    number: int


NOTHING = np.zeros(0, dtype=np.int32)
LEFT = np.ones(1, dtype=np.bool_)


class MeasuredTree(SearchTree):
    """A measured tree. The code for problems can visit its nodes.

    ``begins`` and ``ends`` bound the units below each node, the root first. ``children`` are the measured children,
    ``degrees`` the numbers of branches. Branches without a measured child are smaller than a unit, and nothing is below
    them here. A branch is (number of the node, number of the child).
    """

    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        self.begins, self.ends, self.degrees = [0], [len(shape.shared)], [1]
        self.children: list[list[int]] = [[]]
        stack, degrees = [0], iter(shape.degrees)
        for unit, (shared, following) in enumerate(zip(shape.shared, shape.following, strict=True)):
            for node in stack[shared + 1 :]:
                self.ends[node] = unit
            known = len(stack) > shared + 1  # the degree at the first level that differs
            del stack[shared + 1 :]
            self._note(stack, unit, following, known, degrees)
        for node in stack:
            self.ends[node] = len(shape.shared)
        # A unit that ended at a node goes to the first branch after it, so that no unit is lost.
        for node, children in enumerate(self.children):
            end = self.begins[node]
            for child in children:
                self.begins[child], end = end, self.ends[child]

    def _note(self, stack: list[int], unit: int, following: int, known: bool, degrees: Iterator[int]) -> None:
        """Store the nodes on the way to a unit that are not on the way to the unit before."""
        for level in range(following):
            if level or not known:
                self.degrees[stack[-1]] = max(next(degrees), 1)
            self.children[stack[-1]].append(len(self.begins))
            stack.append(len(self.begins))
            self.begins.append(unit)
            self.ends.append(unit)
            self.degrees.append(0)
            self.children.append([])

    @property
    def units(self) -> int:
        """The number of units."""
        return self.ends[0]

    @cached_property
    def shares(self) -> list[float]:
        """The share of the tree below each node, if all branches of a node had equal weights."""
        found = [1.0] * len(self.begins)
        for node, children in enumerate(self.children):
            for child in children:
                found[child] = found[node] / max(self.degrees[node], len(children))
        return found

    def number(self, way: Way) -> int:
        """Return the node at the end of a path; -1 for a node that was not measured."""
        if not way:
            return 0
        above, which = way[-1]
        return self.children[above][which] if which < len(self.children[above]) else -1

    def span(self, way: Way) -> tuple[int, int]:
        """Return the units below a path.

        If its node was too small, this is an empty range after the units of its siblings.
        """
        number = self.number(way)
        if number < 0:
            end = self.ends[way[-1][0]]
            return end, end
        return self.begins[number], self.ends[number]

    def root(self) -> TreeNode:
        """Return the node where the search begins."""
        return Place(LEFT, LEFT, NOTHING, NOTHING, 0)

    def at(self, path: Way) -> TreeNode:
        """Return the node at the end of a path."""
        return Place(LEFT, LEFT, NOTHING, NOTHING, self.number(path))

    def branches(self, node: TreeNode) -> list[Branch]:
        """Return the branches of a node; none if the measurement did not divide it."""
        assert isinstance(node, Place)
        if node.number < 0 or not self.children[node.number]:
            return []
        return [(node.number, k) for k in range(max(self.degrees[node.number], len(self.children[node.number])))]

    def down(self, node: TreeNode, branch: Branch) -> TreeNode:
        """Return the node that a branch leads to."""
        return self.at((branch,))

    def rest(self, way: Way, unit: int) -> list[Way]:
        """Return the remaining work below a path after the units before ``unit``, in the order of the search."""
        begin, end = self.span(way)
        if begin >= unit:
            return [way]
        if end <= unit:
            return []
        node = self.number(way)
        if not self.children[node]:
            return [way]  # it is not divided, although a part of it is done
        return [
            left for which, _ in enumerate(self.children[node]) for left in self.rest((*way, (node, which)), unit)
        ]  # fmt: skip


def measure(
    cover: ExactCover, instance: str, nodes: int, units: int, estimated: int = ESTIMATED, seed: int = 8
) -> Shape:
    """Search a problem with this many nodes, and return the shape of its tree in about ``units`` units.

    Subproblems of two sizes are estimated.
    """
    kernel = selection.make(cover, selection.choose(cover).kernel)
    step = max(1, nodes // units)
    positions = []
    kernel.count(step)
    while not kernel.finished:
        positions.append(tuple(kernel.position()))
        kernel.count(step)
    return Shape.of(instance, kernel.nodes_visited, step, positions, ratios(cover, estimated, seed))


def size(cover: ExactCover) -> int:
    """Return the number of nodes of a search, by running it."""
    kernel = selection.make(cover, selection.choose(cover).kernel)
    while not kernel.finished:
        kernel.count(1 << 30)
    return kernel.nodes_visited


def ratios(cover: ExactCover, number: int, seed: int) -> list[float]:
    """Return the ratios of estimated to true nodes of some random subproblems, in ascending order."""
    tree = SearchTree(cover)
    estimates, found = SubtreeSizes(tree, math.inf), []
    for wanted in (1000, 8000):
        parts = [part for part in split(tree, wanted) if part.covers is None]
        for part in random.Random(seed).sample(parts, min(number, len(parts))):
            true = size(tree.residual(part.path).cover)
            if true > 1:
                found.append(estimates(part.path, partial(tree.at, part.path), 1) / true)
    return sorted(round(ratio, 3) for ratio in found)


def main(words: Sequence[str]) -> None:
    """Measure the shapes and write their tables."""
    parser = argparse.ArgumentParser(prog="python -m tests.tools.bench.shapes")
    parser.add_argument("instances", nargs="*", default=list(MEASURED))
    for name in parser.parse_args(words).instances:
        cover = find(name).cover
        shape = measure(cover, name, size(cover), MEASURED.get(name, 30_000))
        text = shape.text()
        FOLDER.mkdir(exist_ok=True)
        (FOLDER / f"{name}.json").write_text(text, encoding="utf-8")
        print(f"{name}: {shape.nodes:,} nodes, {len(shape.shared):,} units of {shape.step}, {len(text):,} bytes")


if __name__ == "__main__":
    main(sys.argv[1:])
