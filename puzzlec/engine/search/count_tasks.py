"""Ways to count covers that take turns with a search: by a scan, by layers, by components, by a reduction."""

from __future__ import annotations

import logging
import math
from abc import abstractmethod
from collections.abc import Callable, Generator, Sequence
from typing import TYPE_CHECKING, TypeAlias

from puzzlec.engine.problem import ExactCover, operations
from puzzlec.engine.progress import MAX_UNFINISHED_FRACTION, NodeBudget, Progress, expected
from puzzlec.engine.search.race import NO_ANSWER, Foresight, Race, RaceOutcome, Task
from puzzlec.engine.search.selection import KernelChoice, note_use
from puzzlec.engine.search.tree_search import workers

if TYPE_CHECKING:  # they import numba, which a small count does not need
    from puzzlec.engine.kernels.frontier import FrontierKernel
    from puzzlec.engine.kernels.scan import ScanKernel
    from puzzlec.engine.search.shared_scan import SharedScan

_log = logging.getLogger(__name__)

#: A reduced problem is counted if at most this fraction of the options is left.
MAX_REDUCED_FRACTION = 0.85

#: The bits of all options may take this fraction of the memory of a frontier.
OPTION_BITS_DIVISOR = 16

#: The time to make a frontier, in nodes of a search: for any problem, and for each option.
SETUP_NODES, OPTION_SETUP_NODES = 3000, 7

#: The same for a scan.
SCAN_SETUP_NODES, SCAN_OPTION_SETUP_NODES = 3000, 1

#: The time of a node of a scan, in nanoseconds.
SCAN_NODE_NANOSECONDS = 22

#: A scan with more nodes than these has no turn: layers or components may need a fraction of its time.
MAX_SCAN_NODES = 1 << 26

#: Kinds of cells to cells of a flat board, at most. In a cube, each cell is another kind and needs other lists.
MAX_KINDS_PER_CELL = 0.75

#: A slice expands at least this many states.
MIN_STATES_IN_SLICE = 32

#: A function that makes the race for a problem.
Racing: TypeAlias = Callable[[ExactCover], Race]

#: A count that pauses after each slice of time, and its result.
Steps: TypeAlias = Generator[None, None, RaceOutcome]


class FrontierTooWideError(MemoryError):
    """A frontier does not fit into its memory, and no other way to count was allowed."""


class Layers(Task):
    """A frontier. It ends without an answer if a layer does not fit into the memory."""

    def __init__(self, cover: ExactCover, memory: int, weights: Sequence[int] | None, choice: KernelChoice) -> None:
        super().__init__()
        self.cover, self.memory, self.weights, self.choice = cover, memory, weights, choice
        self.lack = ""  # why it ended without an answer
        self._made: FrontierKernel | None = None
        self._fits: bool | None = None
        self._pace = NodeBudget(1 << 15)

    @property
    def kernel(self) -> FrontierKernel:
        """The frontier, made on first use."""
        if self._made is None:
            from puzzlec.engine.kernels import frontier
            from puzzlec.engine.kernels.jit import is_compiled

            if not is_compiled(frontier.advance):
                _log.info("compiling the frontier count: once on this machine, up to half a minute")
            note_use("frontier")
            self._made = frontier.FrontierKernel(self.cover.arrays, memory=self.memory, weights=self.weights)
        return self._made

    @property
    def effort(self) -> float:
        """The time of one stored state, in nodes of a search."""
        return self.kernel.effort if self.fits else 1.0

    @property
    def setup(self) -> int:
        """The time to make the frontier, in nodes of a search."""
        return SETUP_NODES + OPTION_SETUP_NODES * len(self.cover) if self.fits else 0

    @property
    def used(self) -> int:
        """The stored states so far."""
        return 0 if self._made is None else self._made.stored

    @property
    def fits(self) -> bool:
        """Whether the bits of all options need at most a part of the memory."""
        if self._fits is None:
            room = 8 * self.memory // OPTION_BITS_DIVISOR
            items = self.cover.primary + self.cover.secondary
            self._fits = len(self.cover) * items <= room or len(self.cover) * width(self.cover) <= room
        return self._fits

    def advance(self, budget: int) -> None:
        """Expand states for a slice of time, until about ``budget`` more are stored."""
        if not self.fits:
            self.lack = f"{len(self.cover):,} options do not fit into {self.memory:,} bytes (more `memory` may help)"
            self.outcome = NO_ANSWER
            return
        kernel = self.kernel
        if not kernel.finished:
            # States have more and more successors. So it expands at most as many as before, to store ``budget`` more.
            expanded = min(budget * (kernel.nodes_visited + 1) // kernel.stored, kernel.nodes_visited)
            kernel.advance(max(MIN_STATES_IN_SLICE, min(expanded, self._pace.next())))
        self.states = kernel.nodes_visited
        if kernel.finished:
            self.number = kernel.total()
            self.outcome = RaceOutcome(self.number, choice=self.choice)
        elif kernel.too_wide:
            layer, layers = kernel.progress
            wide = f"layer {layer + 1} of {layers} has more than {kernel.widest:,} states"
            self.lack = f"{wide}: they do not fit into {self.memory:,} bytes (more `memory` may help)"
            kernel.forget()  # its tables have no further use
            self.outcome = NO_ANSWER

    def expected(self) -> float:
        """Return the states that are left if the layers continue as they do: those that wait, and further ones."""
        made = self._made
        return math.inf if made is None else made.expected() + made.stored - made.nodes_visited

    def progress(self) -> Progress:
        """Return how many layers are done."""
        if self._made is None:
            return Progress(doing="by layers, for a while")
        layer, layers = self._made.progress
        busy, fraction = self.watch.seconds, layer / max(1, layers)
        rate = self.states / max(busy, 1e-3)
        return Progress(
            min(fraction, MAX_UNFINISHED_FRACTION),
            self.states,
            0,
            busy,
            rate,
            expected(fraction, busy),
            doing="by layers",
        )


class Scan(Task):
    """A count that fills a flat board cell by cell. It ends without an answer if the problem is no such board."""

    choice = KernelChoice("scan", "cells filled in their order were done before the search was")

    def __init__(self, cover: ExactCover, threads: int = 1) -> None:
        super().__init__()
        self.cover, self.threads = cover, workers(threads)
        self._made: ScanKernel | SharedScan | None = None
        self._pace = NodeBudget(1 << 13)

    @property
    def effort(self) -> float:
        """The time of a node, in nodes of a search."""
        return SCAN_NODE_NANOSECONDS / node_time(len(self.cover), self.cover.primary) / self.threads

    @property
    def setup(self) -> int:
        """The time to make the tables, in nodes of a search."""
        return SCAN_SETUP_NODES + SCAN_OPTION_SETUP_NODES * len(self.cover)

    @property
    def used(self) -> int:
        """The time so far, in nodes of the scan."""
        return 0 if self._made is None else self._made.work

    def advance(self, budget: int) -> None:
        """Count for a slice of time, at most ``budget`` nodes."""
        if self._made is None:
            from puzzlec.engine.kernels import scan

            made = scan.ScanKernel.of(self.cover.arrays)
            if made is None or len(made.board.sample) > MAX_KINDS_PER_CELL * len(made.board.kinds):
                self.outcome = NO_ANSWER
                return
            self._made, self.threads = made, min(self.threads, len(made.board.root_steps))
            if self.threads > 1:
                from puzzlec.engine.search.shared_scan import SharedScan  # its threads take time to import

                self._made = SharedScan(made.board, self.threads)
            note_use("scan")
        kernel = self._made
        kernel.advance(min(budget, self._pace.next()))
        self.nodes, self.number, self.before = kernel.nodes_visited, kernel.found, kernel.fraction
        if kernel.finished:
            self.outcome = RaceOutcome(self.number, choice=self.choice)

    def close(self) -> None:
        """End the threads."""
        if self._made is not None:
            self._made.close()

    def expected(self) -> float:
        """Return the nodes that are left, by the part of the tree that is done; infinity if they are too many."""
        left = self.nodes * (1 - self.before) / self.before if self.before > 0 else math.inf
        return left if left < MAX_SCAN_NODES else math.inf

    def progress(self) -> Progress:
        """Return how far the scan is."""
        busy = self.watch.seconds
        rate = self.nodes / max(busy, 1e-3)
        fraction = min(self.before, MAX_UNFINISHED_FRACTION)
        return Progress(fraction, self.nodes, self.number, busy, rate, expected(fraction, busy), doing="cell by cell")


class Instead(Task):
    """The count of other problems, each by a separate race."""

    def __init__(self, cover: ExactCover, racing: Racing, doing: str = "") -> None:
        super().__init__()
        self.cover, self.racing, self.doing = cover, racing, doing
        self.race: Race | None = None  # the current one
        self.span = (0.0, 1.0)  # the part of the whole before this race, and the race's part
        self._steps = self.count()

    @abstractmethod
    def count(self) -> Steps:
        """Count slice by slice."""

    def advance(self, budget: int) -> None:  # noqa: ARG002
        """Count for a slice of time. This task has only one turn, so it needs no budget."""
        try:
            next(self._steps)
        except StopIteration as end:
            self.outcome = end.value

    def counted(self, cover: ExactCover) -> Steps:
        """Count a problem slice by slice. Return its number and the kernel that found it."""
        self.race = race = self.racing(cover)
        nodes, states = self.nodes, self.states
        going_on = True
        while going_on:
            going_on = race.advance()
            self.nodes, self.states = nodes + race.nodes, states + race.states
            yield
        race.close()
        assert race.outcome is not None
        return race.outcome

    def close(self) -> None:
        """End the threads of the current race."""
        if self.race is not None:
            self.race.close()

    def progress(self) -> Progress:
        """Return how far the races are."""
        race, (before, share) = self.race, self.span
        if race is None:
            return Progress(doing=self.doing)
        now, seconds = race.progress(), self.watch.seconds
        last = before + share >= 1
        return now._replace(
            rate=now.rate or (self.nodes + self.states) / max(seconds, 1e-3),
            fraction=min(before + share * now.fraction, MAX_UNFINISHED_FRACTION),
            solutions=self.number,
            seconds=max(seconds, 1e-3),
            left=now.left if last else None,
            left_between=now.left_between if last else None,
            doing=now.doing or self.doing,
        )

    @property
    def foresight(self) -> Foresight | None:
        """The forecast of the current race."""
        return None if self.race is None else self.race.foresight


class Components(Instead):
    """The components of a problem: their numbers of covers are multiplied. A connected problem gives no answer."""

    def count(self) -> Steps:
        """Count one component after the other. Equal components are counted once."""
        from puzzlec.engine.reduction.components import parts

        apart = parts(self.cover)
        if len(apart.covers) == 1 and not apart.free:
            return NO_ANSWER
        number = 1 << apart.free if apart.possible else 0
        why = "every option can be taken or left" if apart.possible else "the problem has no cover"
        choice: KernelChoice | None = KernelChoice("components", why)
        counts: dict[object, int] = {}
        # Small ones first: if one of them has no cover, the others need no count.
        for place, part in enumerate(sorted(apart.covers, key=len)):
            key = tuple(field if isinstance(field, int) else field.tobytes() for field in part.arrays)
            if key not in counts:
                self.span = place / len(apart.covers), 1 / len(apart.covers)
                self.doing = f"component {place + 1} of {len(apart.covers)}"
                outcome = yield from self.counted(part)
                counts[key], choice = outcome.number or 0, outcome.choice
            number *= counts[key]
            if number == 0:
                break
        self.number = number
        return RaceOutcome(number, choice=choice)


class Reduced(Instead):
    """A smaller problem with the same number of covers. If there is none, this task has no answer."""

    def count(self) -> Steps:
        """Reduce the problem, and count the rest."""
        from puzzlec.engine.reduction.reductions import reduce

        reduction = reduce(self.cover)
        self.doing = ""
        if not reduction.refuted and len(reduction.cover) > MAX_REDUCED_FRACTION * len(self.cover):
            return NO_ANSWER
        return (yield from self.counted(reduction.cover))

    def advance(self, budget: int) -> None:
        """Count for a slice of time. Each cover of the smaller problem corresponds to one of the whole."""
        super().advance(budget)
        if self.race is not None:
            self.number = self.race.number


def width(cover: ExactCover) -> int:
    """Return the maximum number of items half done at a time, if options are taken in the order of their first item.

    An item is half done from the first option that has it until its own turn. A secondary item is half done until the
    last option that has it. Items with many more options than others come last: for example pieces, which are half done
    nearly all the time. Items with bounds other than 1..1 are left out, since the number of times they are covered
    usually follows from the other items. An example is the number of dominoes.
    """
    return operations(cover.arrays).width(cover.arrays) if len(cover) and cover.primary else 0


def node_time(options: int, items: int) -> float:
    """Return the rough time of a node of a search in nanoseconds: most nodes read a set of options for some items."""
    return 40 + min(-(-options // 64) * -(-items // 8) / 4, 65)


def with_estimate(choice: KernelChoice, race: Race) -> KernelChoice:
    """Return a choice between search and frontier, with the estimate for the other one if it is known."""
    leader, states = race.leader, race.states
    if isinstance(leader, Layers) or not states or not leader.before:
        return choice
    if choice.kernel == "frontier":
        nodes = leader.nodes / leader.before
        why = f"the search would need {about(nodes)} nodes, the frontier needed {about(states)} states"
    else:
        left = min((task.expected() for task in race.tasks), default=math.inf)
        more = "too many" if math.isinf(left) else about(states + left)
        why = f"the frontier would need {more} states"
    return KernelChoice(choice.kernel, f"{choice.reason}; {why}")


def about(number: float) -> str:
    """Return a number in words, with two digits.

    >>> about(1234567), about(12.7), about(3.7)
    ('about 1,200,000', 'about 13', 'about 4')
    """
    return f"about {int(float(f'{number:.1e}')):,}" if number >= 100 else f"about {number:.0f}"
