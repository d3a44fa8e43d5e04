"""The nodes of a search one by one, to show how Algorithm X works."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from puzzlec.engine.kernels.spec import NONE, Node, Tree
from puzzlec.engine.problem import ExactCover

#: How a node chooses its item: the item with the fewest branches, as in a search of puzzlec, or the first open item.
Choice = Literal["fewest", "first"]
CHOICES: tuple[Choice, ...] = ("fewest", "first")


class SearchStep(NamedTuple):
    """A node of the search.

    Args:
        above: Number of the node above, -1 for the first node.
        option: The option that the branch from there takes; :data:`NONE` if it takes no more options of the item above.
        kind: ``branch`` if branches follow, ``dead`` if an item has too few options left, ``solution`` if all items are
            covered.
        item: The item that the node branches on or that ends it, -1 for a solution.
        branches: Number of branches.
        gone: Options, except ``option``, that are possible at the node above but not at this one.
        done: Items that this branch closes.

    """

    above: int
    option: int
    kind: Literal["branch", "dead", "solution"]
    item: int
    branches: int
    gone: tuple[int, ...]
    done: tuple[int, ...]


def steps(cover: ExactCover, choice: Choice = "fewest") -> Iterator[SearchStep]:
    """Yield the nodes of the search tree of :mod:`puzzlec.engine.kernels.spec` in the order of the search.

    >>> cover = ExactCover.from_sets({"A": "ab", "B": "ac", "C": "bd", "D": "c"})
    >>> [(step.option, step.kind) for step in steps(cover, "first")]
    [(-1, 'branch'), (0, 'branch'), (3, 'dead'), (1, 'branch'), (2, 'solution')]
    """
    tree = Tree(cover.arrays)
    waiting: list[tuple[int, int, Node, Node | None]] = [(-1, NONE, tree.root(), None)]
    numbers = 0
    while waiting:
        above, option, node, before = waiting.pop()
        item, branches = _chosen(tree, node, choice)
        kind: Literal["branch", "dead", "solution"] = "solution" if item < 0 else "branch" if branches else "dead"
        gone = 0 if before is None else before.alive & ~node.alive
        if option != NONE:
            gone &= ~(1 << option)
        done = () if before is None else tuple(other for other in before.active if other not in set(node.active))
        yield SearchStep(above, option, kind, item, branches, tuple(_bits(gone)), done)
        if kind == "branch":
            start = Node(node.alive, node.active, node.bounds)
            below = [(numbers, branch, child, start) for branch, child in _below(tree, node, item)]
            waiting += reversed(below)
        numbers += 1


def _chosen(tree: Tree, node: Node, choice: Choice) -> tuple[int, int]:
    """Return the item of a node and its number of branches; -1 and 0 if it is a cover."""
    if choice == "fewest":
        return tree.choose(node)
    alone = (tree.choose(Node(node.alive, (item,), node.bounds)) for item in node.active)
    return next((pair for pair in alone if pair[0] >= 0), (-1, 0))


def _below(tree: Tree, node: Node, item: int) -> Iterator[tuple[int, Node]]:
    """Yield the branches of a node, each as its option and the node below."""
    while (option := tree.next_option(node, item)) is not None:
        if option == NONE:
            yield NONE, tree.close(node, item)
            return
        tree.exclude(node, option)
        yield option, tree.take(node, option)


def _bits(mask: int) -> Iterator[int]:
    while mask:
        yield (mask & -mask).bit_length() - 1
        mask &= mask - 1
