"""One scheme of subproblems, for threads, processes and machines: a subproblem is a path from the root.

The tree of a search is described in ``puzzlec.engine.kernels``. A path is a tuple of branches, each a pair (item,
option): the item branched on, and the option taken, with the earlier ones excluded. The option is :data:`NO_OPTION` if
no more options are taken. The item is redundant, but it saves choosing an item again when a path is followed.

The exact cover problem that is left at the end of a path is the *residual*. It has the items in their old order, so a
kernel walks exactly the part of the tree below, node for node. Three facts make it small and simple:

- all options with a settled item are left out
- a secondary item with a colour is only in options of this colour, so it forbids nothing
- bounds are the numbers of options still to be taken
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from heapq import heappop, heappush
from itertools import takewhile

import numpy as np
import numpy.typing as npt

from puzzlec.engine.problem import ExactCover

Ints = npt.NDArray[np.int32]
Flags = npt.NDArray[np.bool_]
#: A branch: the item branched on, and the option taken or :data:`NO_OPTION`.
Branch = tuple[int, int]
Path = tuple[Branch, ...]

#: Instead of an option: the item takes no more options.
NO_OPTION = -1

#: The version of the rule by which a tree branches. It changes whenever paths or positions change their meaning.
TREE_VERSION = 2

#: The version before it. Its trees are the same ones if no item may have more options than it needs.
EARLIER_TREE_VERSION = 1

#: Maximum number of visited nodes for each wanted subproblem, even if there are too few subproblems then.
VISITS_PER_SUBPROBLEM = 8


@dataclass(frozen=True)
class Subproblem:
    """A part of the tree: all below a path.

    ``share`` is its part of the whole tree if all branches of a node have equal weight. ``visited`` is the number of
    new nodes on the way to it, if subproblems are searched in their order. ``covers`` is the number of covers, 0 or 1,
    if the path ends at a leaf, or None if there is something to search. ``size`` is the estimated number of nodes below
    it, if there is an estimate.
    """

    path: Path
    share: float
    visited: int
    covers: int | None = None
    size: float = 0.0


@dataclass(frozen=True)
class Residual:
    """The exact cover that is left at the end of a path.

    ``options`` has for each of its options the number in the whole problem (int32). ``taken`` are the options of the
    path.
    """

    cover: ExactCover
    options: Ints
    taken: tuple[int, ...]

    def lift(self, covers: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]]:
        """Return covers of the residual as covers of the whole problem, their options ascending."""
        names = self.options.tolist()
        return [tuple(sorted([*self.taken, *(names[option] for option in cover)])) for cover in covers]


@dataclass(frozen=True)
class TreeNode:
    """The state of a node: the options left, the items to be settled, and their bounds.

    ``alive`` has a bool for each option, ``active`` a bool for each primary item. ``low`` and ``high`` have an int32
    for each primary item, which has no meaning for items that are not active.
    """

    alive: Flags
    active: Flags
    low: Ints
    high: Ints

    @property
    def needing(self) -> Flags:
        """A bool for each primary item: whether it needs an option."""
        needing: Flags = self.active & (self.low > 0)
        return needing


#: Estimates the part of the tree below a path. Arguments: the path, a function that returns its end, the number of
#: siblings.
Size = Callable[[Path, Callable[[], TreeNode], int], float]


class SearchTree:
    """The search tree of a problem. Any node can be visited.

    >>> tree = SearchTree(ExactCover.from_rows([[0], [0, 1], [1, 3], [2], [2, 3]], primary=4))
    >>> tree.branches(tree.root())
    [(0, 0), (0, 1)]
    """

    def __init__(self, cover: ExactCover) -> None:
        self.cover = cover
        self.primary = cover.primary
        self.starts, self.items, self.colours = _ints(cover.starts), _ints(cover.items), _ints(cover.colours)
        self.option_of = np.repeat(np.arange(len(cover), dtype=np.int32), np.diff(self.starts))
        main = self.items < cover.primary
        self._main_items, self._main_options = self.items[main], self.option_of[main]
        # The entries of each item: by_item[item_starts[i] : item_starts[i + 1]], the options ascending
        self._by_item = np.argsort(self.items, kind="stable")
        sizes = np.bincount(self.items, minlength=cover.primary + cover.secondary)
        self._item_starts = np.concatenate(([0], np.cumsum(sizes)))

    def root(self) -> TreeNode:
        """Return the node at which the search begins."""
        low, high = _ints(self.cover.low), _ints(self.cover.high)
        alive = np.ones(len(self.cover), dtype=np.bool_)
        alive[self._main_options[high[self._main_items] == 0]] = False
        return TreeNode(alive, high > 0, low.copy(), high.copy())

    def at(self, path: Path) -> TreeNode:
        """Return the node at the end of a path."""
        node = self.root()
        for branch in path:
            node = self.down(node, branch)
        return node

    def branches(self, node: TreeNode) -> list[Branch]:
        """Return the branches of a node in their order, or none if a cover is complete or an item is hopeless."""
        left = self._left(node)
        candidates = needing if (needing := node.needing).any() else node.active & (left > 0)
        if not candidates.any():
            return []
        degrees = np.where(candidates, np.maximum(left + 1 - node.low, 0), np.iinfo(np.int64).max)
        item = int(np.argmin(degrees))
        options = self._options_of(item)
        options = options[node.alive[options]]
        low = int(node.low[item])
        branches = [(item, int(option)) for option in options[: max(0, len(options) + 1 - max(low, 1))]]
        return branches if low else [*branches, (item, NO_OPTION)]

    def down(self, node: TreeNode, branch: Branch) -> TreeNode:
        """Return the node that a branch leads to."""
        item, option = branch
        alive, active, low, high = node.alive.copy(), node.active.copy(), node.low.copy(), node.high.copy()
        options_of = self._options_of(item)
        if option == NO_OPTION:
            alive[options_of] = False
            active[item] = False
            return TreeNode(alive, active, low, high)
        alive[options_of[options_of <= option]] = False
        for entry in range(self.starts[option], self.starts[option + 1]):
            item = int(self.items[entry])
            if item >= self.primary:
                colour = self.colours[entry]
                entries = self._entries(item)
                agree = (self.colours[entries] == colour) & (colour > 0)
                alive[self.option_of[entries[~agree]]] = False
            elif high[item] == 1:
                alive[self._options_of(item)] = False
                active[item] = False
            else:
                low[item] = max(0, low[item] - 1)
                high[item] -= 1
        alive[option] = False
        return TreeNode(alive, active, low, high)

    def residual(self, path: Path, node: TreeNode | None = None) -> Residual:
        """Return the exact cover that is left at the end of a path. ``node`` is that end, if it is known."""
        node = node if node is not None else self.at(path)
        options = np.flatnonzero(node.alive).astype(np.int32)
        inside = node.alive[self.option_of]
        items, colours = self.items[inside], self.colours[inside]
        # Active items keep their order. Secondary items without options are left out.
        kept = np.concatenate((node.active, np.zeros(self.cover.secondary, dtype=np.bool_)))
        kept[items] = True
        primary = int(np.count_nonzero(node.active))
        new = np.cumsum(kept, dtype=np.int32) - 1
        cover = ExactCover(
            primary,
            _array(node.low[node.active]),
            _array(node.high[node.active]),
            int(np.count_nonzero(kept[self.primary :])),
            _array(np.concatenate(([0], np.cumsum(np.diff(self.starts)[node.alive])))),
            _array(new[items]),
            _array(colours),
        )
        return Residual(cover, options, tuple(option for _, option in path if option != NO_OPTION))

    def _left(self, node: TreeNode) -> npt.NDArray[np.int64]:
        """Return the number of options left of each primary item."""
        return np.bincount(self._main_items[node.alive[self._main_options]], minlength=self.primary)

    def _entries(self, item: int) -> npt.NDArray[np.int64]:
        return self._by_item[self._item_starts[item] : self._item_starts[item + 1]]

    def _options_of(self, item: int) -> Ints:
        return self.option_of[self._entries(item)]


def split(
    tree: SearchTree,
    target: int,
    size: Size | None = None,
    least: float = 0.0,
    begin: Sequence[Subproblem] | None = None,
) -> list[Subproblem]:
    """Return subproblems that together are the whole tree, or all of ``begin``, in the order of the search.

    The largest subproblem (ties: the first) is divided into its branches, again and again. This ends when ``target``
    subproblems are open, the tree ends, or no subproblem is larger than ``least``. The measure is ``size``, such as an
    estimate of the nodes, or by default the share. Subproblems that prove to be leaves are included: their nodes and
    covers count.
    """
    starts = begin if begin is not None else [Subproblem((), 1.0, 0)]
    # Sorted by size, largest first: (minus the size, positions of the branches below the start, share, path, parent
    # node).
    waiting: list[tuple[float, tuple[int, ...], float, Path, TreeNode | None]] = []
    for number, start in reversed(list(enumerate(starts))):  # the last one in the order of a search is the largest
        large = start.share if size is None else size(start.path, partial(tree.at, start.path), len(starts))
        heappush(waiting, (-large, (number,), start.share, start.path, None))
    ended: list[tuple[tuple[int, ...], Path, float, float, int | None]] = []
    for _ in range(VISITS_PER_SUBPROBLEM * target):
        if not waiting or len(waiting) >= target or -waiting[0][0] < least:
            break
        large, places, share, path, above = heappop(waiting)
        node = tree.at(path) if above is None else tree.down(above, path[-1])
        branches = tree.branches(node)
        if not branches:
            ended.append((places, path, share, -large, int(not node.needing.any())))
        for place, branch in enumerate(branches):
            part, below = share / len(branches), (*path, branch)
            large = part if size is None else size(below, partial(tree.down, node, branch), len(branches))
            heappush(waiting, (-large, (*places, place), part, below, node))
    opened = ((places, path, share, -large, None) for large, places, share, path, *_ in waiting)
    subproblems: list[Subproblem] = []
    before: tuple[int, ...] = ()
    for places, path, share, large, covers in sorted([*ended, *opened], key=lambda leaf: leaf[0]):
        shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(places, before, strict=False)))
        visited = len(places) - max(shared, 1) + (0 if shared else starts[places[0]].visited)
        subproblems.append(Subproblem(path, share, visited, covers, 0.0 if size is None else large))
        before = places
    return subproblems


def remaining(tree: SearchTree, begun: Subproblem, position: Sequence[tuple[int, int]]) -> list[Subproblem]:
    """Return what is left of a subproblem in which a kernel was stopped, as subproblems in the order of the search.

    ``position`` is the position of the kernel after a call that spent its budget. The kernel is before the next branch
    of the last level, and within a branch of every other level. Nothing is searched twice or left out.
    """
    levels: list[list[Subproblem]] = []
    node, path, share = tree.at(begun.path), begun.path, begun.share
    for level, (done, _) in enumerate(position):
        branches = tree.branches(node)
        share /= max(len(branches), 1)
        last = level == len(position) - 1
        untouched = branches[done if last else done + 1 :]
        levels.append([Subproblem((*path, branch), share, 1) for branch in untouched])
        if not last:
            path = (*path, branches[done])
            node = tree.down(node, branches[done])
    return [subproblem for level in reversed(levels) for subproblem in level]


def _ints(numbers: array[int]) -> Ints:
    return np.frombuffer(numbers, dtype=np.int32) if len(numbers) else np.zeros(0, dtype=np.int32)


def _array(numbers: npt.NDArray[np.generic]) -> array[int]:
    result = array("i")
    result.frombytes(numbers.astype(np.int32).tobytes())
    return result
