"""The search of a careful person for a first cover: forced moves, guesses in random order, and what this costs.

A person looks at the items in random order until one has a single option, which is then taken: a *forced move*. If
``n`` items are open and ``k`` of these have a single option, this takes ``(n + 1) / (k + 1)`` looks on average. If no
item has one, the person has looked at all ``n`` items, and tries the options of the item with the fewest options in
random order: a *choice*. An item without an option is a *dead end*, which costs one look. The person then takes back
the last choice that has other options left.

The expected numbers follow from the whole tree if it is small. They do not depend on the order of options. If ``s``
options of a choice lead to a cover, another option is tried before all of these with the probability ``1 / (s + 1)``.
For a large tree, some searches are made with random numbers, and the means of these searches are returned.

Every node of the tree is one of :mod:`puzzlec.engine.kernels.spec`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import log2
from random import Random
from typing import NamedTuple

from puzzlec.engine.arrays import Arrays
from puzzlec.engine.kernels.spec import ONCE, Node, Tree, branching_degree

#: Nodes of the largest tree that is walked as a whole, and of all random searches together.
MAX_WHOLE_NODES, MAX_SAMPLED_NODES = 4_000, 10_000

#: Maximum number of bytes that the nodes of a walk read from sets of options. If each node reads more, the walk has
#: fewer nodes.
MAX_WALK_BYTES = 1 << 27


@dataclass(frozen=True)
class Grade:
    """How hard a puzzle is for a person: what a careful person does until the first solution, on average.

    ``str`` gives the figure in one word, such as `12.6`; `>=12.6` if it is a lower bound.

    - ``looks``: locations and pieces (items) that the person looks at
    - ``options``: placements of all pieces: options of the exact cover
    - ``forced``: forced moves before the first choice
    - ``choices``: choices on the way to the solution, without those that were taken back
    - ``dead_ends``: dead ends before the solution
    - ``depth``: moves from a wrong choice to a dead end, the choice included; 0 if no choice is wrong
    - ``solutions``: the number of raw solutions; None if the search was too large to know it
    - ``least``: whether no search found a solution: ``looks`` and ``dead_ends`` are then lower bounds

    >>> import puzzlec
    >>> print(puzzlec.grade("soma/castle"))
    7.1
    """

    def __repr__(self) -> str:
        return f"<Grade {self}: {self.forced} forced, depth {self.depth:.4g}>"

    looks: float
    options: int
    forced: int
    choices: float
    dead_ends: float
    depth: float
    solutions: int | None
    least: bool = False

    @property
    def figure(self) -> float:
        """The grade: the binary logarithm of the looks, with one digit. An increase of 1 means twice as many looks."""
        return round(log2(max(self.looks, 1.0)), 1)

    def as_dict(self) -> dict[str, float | int | bool | None]:
        """Return the figure and all parts by their names, with two digits after the point."""
        parts = {name: round(value, 2) if isinstance(value, float) else value for name, value in vars(self).items()}
        return {"figure": self.figure, **parts}

    def __str__(self) -> str:
        return f"{'>=' * self.least}{self.figure}"


class _EndedError(Exception):
    """A walk has reached its limit of nodes."""


class _ForcedNode(NamedTuple):
    """The node after some forced moves: a choice, a cover or a dead end.

    ``item`` is that of the choice, -1 at a cover or a dead end. ``looks`` and ``moves`` were made on the way.
    """

    node: Node
    item: int
    is_cover: bool
    looks: float
    moves: int


@dataclass
class _Sum:
    """The numbers of a subtree: its covers, looks and dead ends, and the looks and dead ends expected before a cover.

    ``depths`` is the sum of the moves from the top of the subtree to its dead ends.
    """

    covers: int = 0
    looks: float = 0.0
    dead_ends: int = 0
    depths: int = 0
    first_looks: float = 0.0
    first_dead_ends: float = 0.0
    first_choices: float = 0.0


class _WalkChoice:
    """A choice of the walk of a whole tree: its branches, and the sums of the finished ones."""

    __slots__ = ("branches", "lost", "place", "won")

    def __init__(self, place: _ForcedNode, branches: Iterator[Node]) -> None:
        self.place, self.branches = place, branches
        self.won: list[_Sum] = []
        self.lost: list[_Sum] = []


class _Wrong:
    """Moves from wrong choices to dead ends: their number and their sum."""

    def __init__(self) -> None:
        self.dead_ends = self.depths = 0

    def add(self, guesses: Sequence[_RandomChoice]) -> None:
        """Add the dead ends below the choices that are on the way to a cover."""
        for guess in guesses:
            self.dead_ends += guess.dead_ends
            self.depths += guess.moves - guess.dead_ends * guess.before

    @property
    def depth(self) -> float:
        """The mean number of moves."""
        return self.depths / self.dead_ends if self.dead_ends else 0.0


class _GradeWalk:
    """A walk through the tree of a problem, with a limit of nodes."""

    def __init__(self, arrays: Arrays) -> None:
        self.tree = Tree(arrays)
        self.options = len(self.tree.rows)
        self.left = 0
        size = arrays.primary * (self.options // 8 + 8)
        self.nodes = MAX_WALK_BYTES // size if size else MAX_WALK_BYTES

    def allow(self, nodes: int) -> None:
        """Allow this many nodes, or fewer if each node takes much time."""
        self.left = min(nodes, self.nodes)

    def descend(self, node: Node) -> _ForcedNode:
        """Make the forced moves from a node, until there is a choice, a cover or a dead end."""
        looks, moves = 0.0, 0
        while True:
            if self.left <= 0:
                raise _EndedError
            self.left -= 1
            item, degree = self.tree.choose(node)
            if item < 0:
                return _ForcedNode(node, -1, True, looks, moves)
            if degree == 0:
                return _ForcedNode(node, -1, False, looks + 1, moves)
            number = len(node.active)
            if degree > 1:
                return _ForcedNode(node, item, False, looks + number, moves)
            looks += (number + 1) / (self._forced(node) + 1)
            node = next(self.branches(node, item))
            moves += 1

    def branches(self, node: Node, item: int, random: Random | None = None) -> Iterator[Node]:
        """Yield the nodes below a choice, in the order of the options or in random order."""
        tree, here = self.tree, Node(node.alive, node.active, node.bounds)
        left = node.alive & tree.options_of[item]
        options = []
        while left:
            options.append((left & -left).bit_length() - 1)
            left &= left - 1
        if random is not None:
            random.shuffle(options)
        low = node.bounds.get(item, ONCE)[0]
        for option in options[: branching_degree(len(options), low) if low else len(options)]:
            tree.exclude(here, option)
            yield tree.take(here, option)
        if low == 0:
            yield tree.close(here, item)

    def _forced(self, node: Node) -> int:
        """Return the number of items that need all their options."""
        alive, bounds, options_of = node.alive, node.bounds, self.tree.options_of
        return sum((alive & options_of[item]).bit_count() == bounds.get(item, ONCE)[0] for item in node.active)


def grade(arrays: Arrays, seed: int = 0) -> Grade:
    """Return what a careful person does until the first cover, on average.

    The result depends on the problem, its order and the seed alone. The order of options and the seed only matter in a
    large tree. The order of items decides which of the items with the fewest options is taken.

    >>> from puzzlec.engine import ExactCover
    >>> cover = ExactCover.from_rows([[0, 1], [1, 2], [2, 3], [0], [3]], primary=4)
    >>> str(grade(cover.arrays)), grade(cover.arrays).solutions
    ('2.6', 2)

    Args:
        arrays: The arrays of an exact cover.
        seed: Seed of the searches in a large tree.

    """
    walk = _GradeWalk(arrays)
    walk.allow(MAX_WHOLE_NODES)
    try:
        return _whole(walk)
    except _EndedError:
        walk.allow(MAX_SAMPLED_NODES)
        return _sampled(walk, Random(seed))


def _whole(walk: _GradeWalk) -> Grade:
    """Return the grade from the whole tree; raise _EndedError if it is too large."""
    wrong = _Wrong()
    frames: list[_WalkChoice] = []
    place = walk.descend(walk.tree.root())
    forced = place.moves
    while True:
        done = None
        if place.item >= 0:
            frames.append(_WalkChoice(place, walk.branches(place.node, place.item)))
        else:
            done = _end(place)
        while frames:
            top = frames[-1]
            if done is not None:
                (top.won if done.covers else top.lost).append(done)
                done = None
            branch = next(top.branches, None)
            if branch is not None:
                place = walk.descend(branch)
                break
            done = _joined(frames.pop(), wrong)
        else:
            assert done is not None
            looks, dead = (done.first_looks, done.first_dead_ends) if done.covers else (done.looks, done.dead_ends)
            return Grade(looks, walk.options, forced, done.first_choices, dead, wrong.depth, done.covers)


def _end(place: _ForcedNode) -> _Sum:
    """Return the sums of a cover or a dead end."""
    if place.is_cover:
        return _Sum(1, place.looks, first_looks=place.looks)
    return _Sum(0, place.looks, 1, place.moves)


def _joined(frame: _WalkChoice, wrong: _Wrong) -> _Sum:
    """Return the sums of a choice from those of its branches."""
    looks, moves, won, lost = frame.place.looks, frame.place.moves, frame.won, frame.lost
    both = won + lost
    total = _Sum(sum(branch.covers for branch in won), looks + sum(branch.looks for branch in both))
    total.dead_ends = sum(branch.dead_ends for branch in both)
    if not won:
        total.depths = sum(branch.depths + branch.dead_ends * (moves + 1) for branch in lost)
        return total
    for branch in lost:
        wrong.dead_ends += branch.dead_ends
        wrong.depths += branch.depths + branch.dead_ends
    before, share = len(won) + 1, len(won)
    total.first_looks = (
        looks + sum(branch.looks for branch in lost) / before + sum(branch.first_looks for branch in won) / share
    )
    total.first_dead_ends = (
        sum(branch.dead_ends for branch in lost) / before + sum(branch.first_dead_ends for branch in won) / share
    )
    total.first_choices = 1 + sum(branch.first_choices for branch in won) / share
    return total


class _RandomChoice:
    """A choice of a random search: its other branches, the moves before it, and the dead ends met below it."""

    __slots__ = ("before", "branches", "dead_ends", "moves")

    def __init__(self, branches: Iterator[Node], before: int) -> None:
        self.branches, self.before = branches, before
        self.dead_ends = self.moves = 0

    def add(self, dead_ends: int, moves: int) -> None:
        """Record dead ends, and the sum of all moves at them."""
        self.dead_ends += dead_ends
        self.moves += moves


def _sampled(walk: _GradeWalk, random: Random) -> Grade:
    """Return the grade from random searches, one after the other until all nodes are used up."""
    root = walk.descend(walk.tree.root())
    looks, choices, dead_ends, covers, wrong = 0.0, 0, 0, 0, _Wrong()
    guesses: list[_RandomChoice] = []
    try:
        while True:
            guesses, place, moves = [], root, root.moves
            looks += root.looks
            while not place.is_cover:
                if place.item >= 0:
                    guesses.append(_RandomChoice(walk.branches(place.node, place.item, random), moves))
                else:
                    dead_ends += 1
                    guesses[-1].add(1, moves)
                branch = _next(guesses)
                if branch is None:
                    return Grade(looks, walk.options, root.moves, 0.0, dead_ends, wrong.depth, 0)
                place = walk.descend(branch)
                looks += place.looks
                moves = guesses[-1].before + 1 + place.moves
            covers += 1
            choices += len(guesses)
            wrong.add(guesses)
    except _EndedError:
        if not covers:
            wrong.add(guesses)
    share = max(covers, 1)
    means = looks / share, choices / share, dead_ends / share
    return Grade(means[0], walk.options, root.moves, means[1], means[2], wrong.depth, None, covers == 0)


def _next(guesses: list[_RandomChoice]) -> Node | None:
    """Return the next branch of the last choice that has branches left, or None. Remove the choices after it."""
    while guesses:
        branch = next(guesses[-1].branches, None)
        if branch is not None:
            return branch
        done = guesses.pop()
        if guesses:
            guesses[-1].add(done.dead_ends, done.moves)
    return None
