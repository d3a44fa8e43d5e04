"""A search through consecutive subproblems that can be stopped anywhere, and continued elsewhere.

Paths and a position (:mod:`puzzlec.engine.search.splitting`) describe the position of the search. Their meaning depends
only on the problem, not on the state of a kernel. The continued search finds the remaining covers in the order of the
search, and visits each remaining node once.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import TypeAlias

from puzzlec.engine.search import selection
from puzzlec.engine.search.selection import Kernel
from puzzlec.engine.search.splitting import Path, Residual, SearchTree, Subproblem, remaining

#: For each depth after a path, the number of finished branches and the number of all; () before the first node.
Position: TypeAlias = tuple[tuple[int, int], ...]


class NoSuchPlaceError(ValueError):
    """A path or a position does not exist in a tree."""


class TreeWalk:
    """A walk through the subproblems of a tree at ``paths``. In the first one it begins at ``position``.

    ``nodes`` is the number of nodes visited. Nodes on the paths to the given subproblems do not count. Nodes on
    unfinished paths of a position do count. ``kernel`` is one of :data:`puzzlec.engine.search.selection.KERNELS`.

    Paths and positions may come from anywhere: if one does not exist in the tree, :class:`NoSuchPlaceError` is raised.
    """

    def __init__(self, tree: SearchTree, paths: Sequence[Path], position: Position = (), kernel: str = "auto") -> None:
        self.tree, self.kernel = tree, kernel
        self.paths = deque(paths)
        self.nodes = 0
        self._parts: deque[Subproblem] = deque()
        self._running: Kernel | None = None
        self._residual: Residual | None = None
        self._counted = 0  # nodes of the running kernel that ``nodes`` already includes
        if self.paths:
            self._unfold(position)

    @property
    def finished(self) -> bool:
        """Whether all subproblems are searched."""
        return not self.paths

    def covers(self, budget: int) -> list[tuple[int, ...]]:
        """Search about this many nodes of one subproblem. Return the covers found, options ascending."""
        kernel, residual = self._begun()
        cover_list = residual.lift(kernel.covers(budget))
        self._note(kernel)
        return cover_list

    def count(self, budget: int) -> int:
        """Search about this many nodes of one subproblem. Return the number of covers found."""
        kernel, _ = self._begun()
        number = kernel.count(budget)
        self._note(kernel)
        return number

    def left(self) -> tuple[tuple[Path, ...], Position]:
        """Return what is left: the paths of subproblems, and the position in the first.

        A position does not include a cover that did not fit into the kernel's buffer. Search for covers with a budget
        of 0 first (:meth:`settle` does this).
        """
        return tuple(self.paths), self._position() if self.paths else ()

    def settle(self) -> list[tuple[int, ...]]:
        """Return covers that were found and not yet returned. Afterwards the walk is before a branch."""
        return self.covers(0) if self._running is not None else []

    def _unfold(self, position: Position) -> None:
        """Make the parts of the first subproblem from a position on."""
        check_place(self.tree, self.paths[0], position)
        whole = Subproblem(self.paths[0], 1.0, 0)
        self._parts = deque(remaining(self.tree, whole, position) if position else [whole])
        if not self._parts:
            self._go_on()

    def _go_on(self) -> None:
        """Move to the next subproblem."""
        self.paths.popleft()
        if self.paths:
            self._unfold(())

    def _begun(self) -> tuple[Kernel, Residual]:
        """Return the kernel of the part whose turn it is."""
        if self._running is None or self._residual is None:
            self._residual = self.tree.residual(self._parts[0].path)
            name = self.kernel if self.kernel != "auto" else _chosen(self._residual)
            self._running, self._counted = selection.make(self._residual.cover, name), 0
        return self._running, self._residual

    def _note(self, kernel: Kernel) -> None:
        """Count the nodes, and leave a finished part."""
        if not self._counted and (kernel.nodes_visited or kernel.finished):
            self.nodes += self._parts[0].visited
        self.nodes += kernel.nodes_visited - self._counted
        self._counted = kernel.nodes_visited
        if kernel.finished:
            self._running = self._residual = None
            self._parts.popleft()
            if not self._parts:
                self._go_on()

    def _position(self) -> Position:
        """Return the position in the first subproblem."""
        whole, here = self.paths[0], self._parts[0].path
        inside = tuple(self._running.position()) if self._running is not None and self._counted else ()
        levels = []
        node = self.tree.at(whole)
        for branch in here[len(whole) :]:
            branches = self.tree.branches(node)
            levels.append((branches.index(branch), len(branches)))
            node = self.tree.down(node, branch)
        return (*levels, *inside)


def check_place(tree: SearchTree, path: Path, position: Position = ()) -> None:
    """Raise NoSuchPlaceError unless a path leads through branches of a tree, and a position continues from its end."""
    node = tree.root()
    for level, branch in enumerate(path):
        if branch not in tree.branches(node):
            raise NoSuchPlaceError(f"unknown branch {branch} on level {level}")
        node = tree.down(node, branch)
    for level, (done, number) in enumerate(position):
        branches = tree.branches(node)
        last = level == len(position) - 1
        if number != len(branches) or not 0 <= done < number + last:
            raise NoSuchPlaceError(f"{done} of {number} branches cannot be done on level {level} after the path")
        if not last:
            node = tree.down(node, branches[done])


def _chosen(residual: Residual) -> str:
    return selection.choose(residual.cover).kernel if selection.has_numba() else "python"
