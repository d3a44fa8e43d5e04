"""The kernel in plain Python: sets of options as long integers. It starts at once and needs no numba.

It walks the tree of :mod:`puzzlec.engine.kernels.spec` by the functions there. Each level keeps its node, so nothing
needs to be undone.
"""

from __future__ import annotations

from puzzlec.engine.arrays import Arrays
from puzzlec.engine.kernels.spec import NONE, Node, Tree


class PythonKernel:
    """A search kernel; see :mod:`puzzlec.engine.kernels` for its members."""

    def __init__(self, arrays: Arrays) -> None:
        self.tree = Tree(arrays)
        self.nodes_visited = 0
        self.finished = False
        self.profile: list[int] = []
        self.path: list[int] = []
        self.stack: list[_Level] = []
        self._fresh: Node | None = self.tree.root()

    def covers(self, budget: int) -> list[tuple[int, ...]]:
        """Search at most ``budget`` nodes and return the covers found, their options ascending."""
        found: list[tuple[int, ...]] = []
        self._search(budget, found)
        return found

    def count(self, budget: int) -> int:
        """Search at most ``budget`` nodes and return the number of covers found."""
        return self._search(budget, None)

    def position(self) -> list[tuple[int, int]]:
        """Return for each level of the current path the number of finished branches and the greatest number."""
        # A begun branch is not finished. All levels have one, except the last if the search is at a fresh node.
        begun = len(self.stack) - (self._fresh is None)
        return [(level.tried - (k < begun), level.degree) for k, level in enumerate(self.stack)]

    def _search(self, budget: int, found: list[tuple[int, ...]] | None) -> int:
        number = 0
        while not self.finished:
            if self._fresh is not None:
                node, self._fresh = self._fresh, None
                if not node.active:
                    number += 1
                    if found is not None:
                        found.append(tuple(sorted(option for option in self.path if option != NONE)))
                else:
                    item, degree = self.tree.choose(node)
                    if degree:
                        self.stack.append(_Level(item, degree, node))
                        if len(self.profile) < len(self.stack):
                            self.profile.append(0)
            if not self.stack:
                self.finished = True
            elif budget <= 0:
                break
            else:
                budget -= self._advance(self.stack[-1])
        return number

    def _advance(self, level: _Level) -> int:
        """Take the next branch of a level, or leave the level. Return the number of nodes visited."""
        del self.path[len(self.stack) - 1 :]
        option = None if level.closed else self.tree.next_option(level.node, level.item)
        if option is None:
            self.stack.pop()
            return 0
        level.tried += 1
        self.nodes_visited += 1
        self.profile[len(self.stack) - 1] += 1
        self.path.append(option)
        if option == NONE:
            level.closed = True
            self._fresh = self.tree.close(level.node, level.item)
        else:
            self.tree.exclude(level.node, option)
            self._fresh = self.tree.take(level.node, option)
        return 1


class _Level:
    """A level of the search: the item branched on, and the node, without the options that were taken."""

    __slots__ = ("closed", "degree", "item", "node", "tried")

    def __init__(self, item: int, degree: int, node: Node) -> None:
        self.item, self.degree, self.node = item, degree, node
        self.closed, self.tried = False, 0
