"""The set of all covers of an exact cover as an object: counted, sampled, filtered and saved without a search.

It is a decision diagram after Nishino, Yasuda, Minato and Nagata, "Dancing with Decision Diagrams" (AAAI 2017). A node
is a subproblem. Each branch of a node takes an option, or none, and leads to the remaining subproblem. Each cover is
one path from the root to the node "done". Equal nodes are stored once, so the set is usually far smaller than its
number of covers.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np

from puzzlec.engine import diagram_file as solution_file
from puzzlec.engine.integers import integer
from puzzlec.engine.limits import Limits, Stop, UnfinishedError, limits_of, memory_of
from puzzlec.engine.naming import number_of_option
from puzzlec.engine.problem import ExactCover
from puzzlec.engine.progress import NodeBudget, fraction_done

if TYPE_CHECKING:
    from puzzlec.engine.kernels.diagram import Ints, Longs
    from puzzlec.engine.kernels.memo import MemoKernel

#: The orders of branching. ``auto`` tries the two others and keeps the one that finishes first.
ORDERS = ("auto", "mrv", "sweep")

#: The number of nodes in the first turn of an order. Each turn is 1.5 times as long as the previous one.
FIRST_TURN_NODES = 20_000

#: The turns of the order that has completed more of its tree are longer by this factor.
LEADER_TURN_FACTOR = 3


class SolutionSet:
    """A set of covers. It does not change: every filter returns a new set.

    ``options`` is the number of options of the exact cover, ``fingerprint`` its sha256. Node 0 has no cover. Node 1
    has one cover, without options. ``names`` are the names of the options, if the exact cover has them: filters accept
    an option by its number or its name. Node ``n`` has the branches ``starts[n] .. starts[n + 1] - 1`` of
    ``branch_options`` (-1: none) and ``branch_children``, whose nodes have numbers below ``n``. ``root`` is the first
    node.

    >>> cover = ExactCover.from_rows([[0], [0, 1], [1, 3], [2], [2, 3]], primary=4)
    >>> found = SolutionSet.of(cover)
    >>> found.count, list(found), list(found.with_option(4))
    (2, [(0, 2, 3), (1, 4)], [(1, 4)])
    """

    def __init__(
        self,
        options: int,
        fingerprint: str,
        starts: Longs,
        branch_options: Ints,
        branch_children: Ints,
        root: int,
        names: Sequence[str] = (),
    ) -> None:
        self.options, self.fingerprint, self.root, self.names = options, fingerprint, root, tuple(names)
        self.starts, self.branch_options, self.branch_children = starts, branch_options, branch_children
        for array in (starts, branch_options, branch_children):
            array.flags.writeable = False

    @classmethod
    def of(
        cls,
        cover: ExactCover,
        *,
        order: Literal["auto", "mrv", "sweep"] = "auto",
        limits: Limits | None = None,
        seconds: float | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> SolutionSet:
        """Return the set of all covers of an exact cover.

        Args:
            cover: The exact cover.
            order: ``mrv`` suits problems with different pieces, ``sweep`` those with repeated pieces. ``auto``
                alternates between the two, gives longer turns to the order that is ahead, and keeps the order that
                finishes first.
            limits: Limits of seconds and memory.
            seconds: Short for a limit of seconds.
            progress: Called now and then with the nodes visited and the nodes of the diagram.

        Raises:
            UnfinishedError: If the memory or the time is not enough.

        """
        if not isinstance(cover, ExactCover):
            raise TypeError(f"a set of solutions needs an ExactCover, not a {type(cover).__name__}")
        if order not in ORDERS:
            raise ValueError(f"unknown order {order!r}: expected auto, mrv or sweep")
        from puzzlec.engine.kernels.diagram import trimmed
        from puzzlec.engine.kernels.memo import MemoKernel

        limits = limits_of(limits, None, seconds, only=("seconds", "memory"))
        memory = memory_of(limits)
        if len(cover) ** 2 // 8 > memory:  # the sets of options alone need more
            raise UnfinishedError(Stop.MEMORY, f"a problem of {len(cover)} options needs more than {memory >> 20} MB")
        orders = ORDERS[1:] if order == "auto" else (order,)
        kernels = [MemoKernel(cover.arrays, name, memory // len(orders), diagram=True) for name in orders]
        kernel = _first_finished(kernels, memory, limits.seconds, progress)
        return cls(len(cover), solution_file.fingerprint(cover), *trimmed(*kernel.branches()), cover.option_names)

    @property
    def nodes(self) -> int:
        """Number of nodes, including the node "done" but not the node without a cover."""
        return len(self.starts) - 2

    @property
    def branches(self) -> int:
        """Number of branches."""
        return len(self.branch_options)

    @cached_property
    def count(self) -> int:
        """Number of covers."""
        return self._ways[self.root]

    def __len__(self) -> int:
        """Return the number of covers. Raise OverflowError if there are 2**63 or more; ``count`` has no such limit."""
        if self.count >= 1 << 63:
            raise OverflowError("there are more covers than len() can return: use `count`")
        return self.count

    def __bool__(self) -> bool:
        return self.root != 0

    def __eq__(self, other: object) -> bool:
        """Return whether both are the same diagram of the same problem. The same covers may have unequal diagrams."""
        if not isinstance(other, SolutionSet):
            return NotImplemented
        return (
            self.fingerprint == other.fingerprint
            and self.root == other.root
            and np.array_equal(self.starts, other.starts)
            and np.array_equal(self.branch_options, other.branch_options)
            and np.array_equal(self.branch_children, other.branch_children)
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<SolutionSet of {self.count} covers in {self.nodes} nodes>"

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        """Yield the covers as tuples of ascending options, depth first, with the branches of each node in order.

        This is the order of the search that made the diagram. Filters keep it.
        """
        starts, options, children = self._lists
        if self.root < 2:
            yield from [()] * self.root
            return
        path: list[int] = []
        ways = [iter(range(starts[self.root], starts[self.root + 1]))]
        while ways:
            branch = next(ways[-1], None)
            if branch is None:
                ways.pop()
                if path:
                    path.pop()
                continue
            child = children[branch]
            path.append(options[branch])
            if child == 1:
                yield tuple(sorted(option for option in path if option >= 0))
                path.pop()
            else:
                ways.append(iter(range(starts[child], starts[child + 1])))

    def __getitem__(self, place: int) -> tuple[int, ...]:
        """Return the cover at a position of the order, without visiting those before it."""
        if not 0 <= place < self.count:
            raise IndexError(f"there is no cover {place} among {self.count}")
        starts, options, children = self._lists
        node, path = self.root, []
        while node != 1:
            for branch in range(starts[node], starts[node + 1]):
                below = self._ways[children[branch]]
                if place < below:
                    break
                place -= below
            if options[branch] >= 0:
                path.append(options[branch])
            node = children[branch]
        return tuple(sorted(path))

    def sample(self, number: int, seed: int = 0) -> list[tuple[int, ...]]:
        """Return this many random covers. Each draw gives all covers the same probability. A seed fixes the covers.

        Raise ValueError if there is no cover, or if the number is negative.
        """
        number = integer(number, "number", 0)
        if number and not self:
            raise ValueError("there are no covers to choose from")
        draw = random.Random(seed)
        return [self[draw.randrange(self.count)] for _ in range(number)]

    def contains(self, cover: Iterable[int | str]) -> bool:
        """Return whether a set of options is one of the covers. Options are numbers or names."""
        starts, options, children = self._lists
        numbers = {name: number for number, name in enumerate(self.names)}
        members = {numbers.get(option, -1) if isinstance(option, str) else option for option in cover}
        node, path = self.root, set[int]()
        while node > 1:
            # All branches of a node share an item, or each excludes the options before it. So the path takes the first
            # branch with a member. At the end, the options of the path and the members are compared.
            first, last = starts[node], starts[node + 1]
            branch = next((k for k in range(first, last) if options[k] in members), None)
            if branch is None:
                if options[last - 1] >= 0:
                    return False
                branch = last - 1
            else:
                path.add(options[branch])
            node = children[branch]
        return node == 1 and path == members

    def __contains__(self, cover: object) -> bool:
        return isinstance(cover, tuple) and self.contains(cover)

    def with_option(self, option: int | str) -> SolutionSet:
        """Return the covers that contain a given option, by its number or name."""
        return self.taking([option])

    def without_option(self, option: int | str) -> SolutionSet:
        """Return the covers that do not have an option."""
        return self.taking([option], 0, 0)

    def any_of(self, options: Iterable[int | str]) -> SolutionSet:
        """Return the covers that have one of these options, or several."""
        return self.taking(options)

    def restrict(self, required: Iterable[int | str] = (), forbidden: Iterable[int | str] = ()) -> SolutionSet:
        """Return the covers that have all required options and no forbidden one."""
        covers = self.taking(forbidden, 0, 0)
        for option in sorted(set(map(self._number, required))):  # one by one, since each makes the set smaller
            covers = covers.with_option(option)
        return covers

    def taking(self, options: Iterable[int | str], low: int = 1, high: int | None = None) -> SolutionSet:
        """Return the covers that have at least ``low`` and at most ``high`` (None: any number) of these options.

        Raise ValueError if an option is unknown, or if ``low`` is greater than ``high``.
        """
        from puzzlec.engine.kernels.diagram import restricted

        if low < 0 or (high is not None and high < low):
            raise ValueError(f"`low` must be from 0 to `high`, not {low}")
        marked = np.zeros(max(self.options, 1), dtype=np.uint8)
        for option in options:
            marked[self._number(option)] = 1
        most = int(marked.sum())
        high = None if high is None or high >= most else high
        if low > most:
            low, marked[:] = 1, 0  # ``low`` is more than all options: without marked options, no cover remains
        parts = restricted(self.starts, self.branch_options, self.branch_children, self.root, marked, low, high)
        return SolutionSet(self.options, self.fingerprint, *parts, self.names)

    def accepted(self, accepts: Callable[[tuple[int, ...]], bool]) -> SolutionSet:
        """Return the covers that a function accepts. It is called once for each cover, in their order.

        >>> found = SolutionSet.of(ExactCover.from_rows([[0], [0, 1], [1, 3], [2], [2, 3]], primary=4))
        >>> list(found.accepted(lambda cover: len(cover) == 2))
        [(1, 4)]
        """
        starts, options, children = self._lists
        made: dict[tuple[tuple[int, int], ...], int] = {}

        def visit(node: int, path: list[int]) -> Generator[tuple[int, list[int]], int | None, int]:
            """Return the new node of a node below a path; yield the nodes that are visited first."""
            if node < 2:
                return int(node == 1 and accepts(tuple(sorted(path))))
            kept = []
            for branch in range(starts[node], starts[node + 1]):
                option = options[branch]
                if child := (yield children[branch], path + [option] * (option >= 0)):
                    kept.append((option, child))
            if not kept:
                return 0
            return kept[0][1] if len(kept) == 1 and kept[0][0] < 0 else made.setdefault(tuple(kept), len(made) + 2)

        path, new = [visit(self.root, [])], None  # a path may be longer than Python's stack
        while path:
            try:
                path.append(visit(*path[-1].send(new)))
                new = None
            except StopIteration as end:
                new = end.value
                path.pop()
        lengths = [0, 0, 0, *map(len, made)]
        branches = np.array([branch for kept in made for branch in kept], dtype=np.int32).reshape(-1, 2)
        return SolutionSet(
            self.options,
            self.fingerprint,
            np.cumsum(lengths, dtype=np.int64),
            branches[:, 0].copy(),
            branches[:, 1].copy(),
            new or 0,
            self.names,
        )

    def _number(self, option: int | str) -> int:
        """Return the number of an option that is given by its number or name; raise ValueError if it is unknown."""
        return number_of_option(option, self.options, self.names)

    def occurrences(self) -> list[int]:
        """Return for each option the number of covers that have it."""
        starts, options, children = self._lists
        ways = self._ways
        # The number of ways from the root to each node. A node's parents have higher numbers.
        above = [0] * (len(starts) - 1)
        above[self.root] = 1
        numbers = [0] * (self.options + 1)  # the last position is for branches without an option
        for node in range(self.root, 1, -1):
            here = above[node]
            for branch in range(starts[node], starts[node + 1]):
                child = children[branch]
                above[child] += here
                numbers[options[branch]] += here * ways[child]
        return numbers[:-1]

    def save(self, path: str | Path) -> None:
        """Write the set to a file (npz: numpy arrays in a zip file)."""
        solution_file.write(
            Path(path),
            self.options,
            self.fingerprint,
            self.starts,
            self.branch_options,
            self.branch_children,
            self.root,
        )

    @classmethod
    def load(cls, path: str | Path, cover: ExactCover | None = None) -> SolutionSet:
        """Return the set in a file.

        Raise ValueError if the file is damaged, is not a set of covers, or belongs to another exact cover than
        ``cover``. Raise OSError if it cannot be read. The file has no names of options: ``cover`` gives them.
        """
        return cls(*solution_file.read(Path(path), cover), names=cover.option_names if cover is not None else ())

    @cached_property
    def _lists(self) -> tuple[list[int], list[int], list[int]]:
        """The arrays as lists, whose elements are read faster one by one."""
        return self.starts.tolist(), self.branch_options.tolist(), self.branch_children.tolist()

    @cached_property
    def _ways(self) -> list[int]:
        from puzzlec.engine.kernels.diagram import ways

        return ways(self.starts, self.branch_children)


def _first_finished(
    kernels: list[MemoKernel], memory: int, seconds: float | None, progress: Callable[[int, int], None] | None
) -> MemoKernel:
    """Let kernels search in turns and return the first to finish. Turns are counted in nodes, so the result is fixed.

    The kernel that is ahead gets longer turns. If the memory runs out, it gets all of the memory.
    """
    begun, turn = time.monotonic(), FIRST_TURN_NODES
    while True:
        shares = [fraction_done(kernel.position()) for kernel in kernels]
        for kernel, share in zip(kernels, shares, strict=True):
            factor, pace = LEADER_TURN_FACTOR if share > min(shares) else 1, NodeBudget(1024)
            goal = kernel.nodes_visited + factor * turn
            while not (kernel.finished or kernel.too_large or kernel.nodes_visited >= goal):
                kernel.advance(min(pace.next(), goal - kernel.nodes_visited))
                if progress:
                    progress(sum(other.nodes_visited for other in kernels), kernel.nodes)
                if seconds is not None and time.monotonic() - begun >= seconds and not kernel.finished:
                    raise UnfinishedError(
                        Stop.SECONDS, f"the diagram of all solutions was incomplete after {seconds:g} s"
                    )
            if kernel.finished:
                return kernel
        if any(kernel.too_large for kernel in kernels):
            best = max(kernels, key=lambda kernel: fraction_done(kernel.position()))
            if best.memory == memory:
                raise UnfinishedError(Stop.MEMORY, f"the diagram of all solutions needs more than {memory >> 20} MB")
            kernels, best.memory, best.too_large = [best], memory, False
        turn += turn // 2
