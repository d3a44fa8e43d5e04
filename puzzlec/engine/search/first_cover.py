"""A first cover of a large problem: many short randomised searches instead of one long one.

The time of a depth-first search to its first cover is heavy-tailed: most runs are lucky soon, some never end. So a run
is given up after a number of nodes and another one begins, with the options shuffled (C. P. Gomes, B. Selman and H.
Kautz, "Boosting combinatorial search through randomization", AAAI 1998). The limits follow the sequence 1 1 2 1 1 2 4
..., which is never much worse than the best sequence for the problem (M. Luby, A. Sinclair and D. Zuckerman, "Optimal
speedup of Las Vegas algorithms", Information Processing Letters 47, 1993). A run that ends within its limit has proved
that there is no cover.

CP-SAT of OR-Tools is the other way to a first cover. It learns from conflicts, which helps if depth-first search fails.
It is an optional extra: ``python -m pip install 'puzzlec[cpsat]'``. OR-Tools
(https://developers.google.com/optimization) is imported only when it is called.
"""

from __future__ import annotations

import random
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from puzzlec.engine.kernels.python import PythonKernel
from puzzlec.engine.limits import Limits, Stop, UnfinishedError, limits_of
from puzzlec.engine.problem import ExactCover
from puzzlec.engine.progress import NodeBudget, Progress
from puzzlec.engine.search import selection
from puzzlec.engine.search.race import NO_ANSWER, Race, RaceOutcome, Schedule, Task
from puzzlec.engine.search.search import Chosen, Search, searched_tiny
from puzzlec.engine.search.selection import KernelName

if TYPE_CHECKING:  # it imports numba, which a small search does not need
    from puzzlec.engine.kernels.randomized_dfs import RandomizedRun

#: Nodes of the search in order before random searches begin, in a small problem. If a node takes longer, this number is
#: proportionally smaller.
FIRST_TURN_NODES = 1 << 22

#: With options of at least this many items on average, random searches begin after a fraction of these nodes. A node of
#: a sweep is then some hundred times cheaper than one of the search in order.
LONG_OPTION_ITEMS, LONG_OPTION_FRACTION = 16, 1 / 16

#: The nodes of the shortest run.
MIN_RUN_NODES = 30_000

#: The nodes of the shortest sweep, whose nodes are cheaper, and their usual work in nanoseconds.
MIN_SWEEP_NODES, SWEEP_NANOSECONDS = 300_000, 10_000_000

#: With more options, a set of different pieces needs a sweep that sees at once that no piece fits in some place.
MAX_PLAIN_SWEEP_OPTIONS = 24_000

#: Limit for the work of a shortest run. It is needed because nodes are slow if options are long.
MAX_SHORT_RUN_WORK = 1_000_000_000

#: The status of a run that has found a cover.
COVER_STATUS = 1

#: In plain Python, the time of a node grows with items times options. This bounds nodes times items times options.
MAX_PYTHON_WORK = 1_000_000_000

#: The least limit of a run in plain Python.
MIN_PYTHON_RUN_NODES = 3_000

#: A node in nanoseconds: of a search in order in a small problem, and of a random search in plain Python. Both differ
#: much.
NODE_NANOSECONDS, PYTHON_NODE_NANOSECONDS = 250, 50_000

#: The work of random searches between two looks at their work, in nanoseconds.
CHUNK_NANOSECONDS = 5_000_000

#: CP-SAT has no turn with fewer options or with more. Fewer need no help, and more take too long to model.
MIN_OPTIONS_OF_CP_SAT, MAX_OPTIONS_OF_CP_SAT = 1_000, 100_000

#: CP-SAT has no turn if a piece has several copies, but fewer than these.
MIN_CP_SAT_COPIES = 10

#: CP-SAT has its first turn early if this fraction of the items has one option, as the clues of a sudoku have.
CP_SAT_CLUE_FRACTION = 1 / 20

#: The nodes of a search, times the number of entries, that take about as long as one of CP-SAT's units of work.
CP_SAT_UNIT_WORK = 48_000_000_000

#: A search that pauses before each slice of time. Its result is None if it is given up.
Steps: TypeAlias = Generator[None, None, RaceOutcome | None]


class FirstCover(NamedTuple):
    """The result of the search for one cover.

    ``options`` is the cover, ascending, or None. ``proved`` is true if the search has proved that there is no cover.
    ``restarts`` is the number of runs after the first one, ``stopped`` the limit that ended the search, if one did.
    """

    def __repr__(self) -> str:
        return f"<FirstCover: found: {self.options is not None}, proved: {self.proved}, stopped: {self.stopped}>"

    options: tuple[int, ...] | None
    restarts: int
    nodes: int
    seconds: float
    stopped: Stop | None
    proved: bool


def first_cover(
    cover: ExactCover,
    *,
    seed: int | None = None,
    limits: Limits | None = None,
    seconds: float | None = None,
    kernel: KernelName = "auto",
    threads: int = 1,
) -> FirstCover:
    """Return some cover of a problem, or the proof that there is none.

    A search in order has the first turns. If it finds nothing for long, random searches take turns with it, and CP-SAT
    if it is installed. The same problem has the same result, unless a limit of seconds ends the search.

    Args:
        cover: The exact cover.
        seed: Search only at random, from this seed; another seed may find another cover.
        limits: Limits of seconds and nodes. With a limit of nodes, there is only one way to search.
        seconds: Short for a limit of seconds.
        kernel: The kernel of the search in order. With another one than "auto", it is the only search.
        threads: The number of threads of the search in order, 0 for one per processor.

    >>> cover = ExactCover.from_rows([[0], [0, 1], [1, 3], [2], [2, 3]], primary=4)
    >>> first_cover(cover).options in [(0, 2, 3), (1, 4)]
    True

    """
    selection.need_cover("a search", cover)
    limits = limits_of(limits, None, seconds, only=("seconds", "nodes"))
    if seed is not None:
        restarts = Restarts(cover, seed)
        running = Race(restarts, (), limits)
        while running.advance():
            pass
        return restarts.found(running)
    begun = time.monotonic()
    tasks: list[Beside | Learning] = []
    if kernel == "auto" and limits.nodes is None and not selection.is_tiny(cover):
        tasks = other_ways(cover, lambda: limits.seconds and limits.seconds - (time.monotonic() - begun))
    others = [(task, task.schedule) for task in tasks]
    search = Search(cover, limits=limits, kernel=kernel, threads=threads, others=others)
    options = next(iter(search), None)
    answers = [task.outcome for task in tasks if task.outcome is not None and task.outcome.number is not None]
    options = next((outcome.cover for outcome in answers), None) if options is None else options
    nodes, runs = search.nodes + sum(task.nodes for task in tasks), sum(task.runs for task in tasks)
    proved = options is None and (search.complete or bool(answers))
    stopped = None if answers else search.stopped
    return FirstCover(options, max(0, runs - 1), nodes, time.monotonic() - begun, stopped, proved)


def first(
    cover: ExactCover,
    *,
    limits: Limits | None = None,
    seconds: float | None = None,
    kernel: KernelName = "auto",
    threads: int = 1,
) -> Chosen | None:
    """Return some cover as :func:`solve` yields it, or None if there is none.

    It is found in the ways of :func:`first_cover`.

    Raises:
        UnfinishedError: If a limit ends the search.

    >>> first(ExactCover.from_sets([{"a"}, {"b"}, {"a", "b"}]))
    (0, 1)

    """
    selection.need_cover("a search", cover)
    limits = limits_of(limits, None, seconds, only=("seconds", "nodes"))
    tiny = searched_tiny(cover, limits, kernel, threads)
    if tiny is not None:
        options = tiny[0] if tiny else None
    else:
        answer = first_cover(cover, limits=limits, kernel=kernel, threads=threads)
        if answer.stopped is not None:
            raise UnfinishedError(answer.stopped, f"stopped at the limit of {answer.stopped}: no cover found so far")
        options = answer.options
    return cover.names(options) if options is not None and cover.option_names else options


def other_ways(cover: ExactCover, seconds_left: Callable[[], float | None]) -> list[Beside | Learning]:
    """Return the tasks that take turns with a search in order for one cover, if it finds nothing for long."""
    turn = max(1, FIRST_TURN_NODES * NODE_NANOSECONDS // slow_node(cover))
    if not cover.secondary and len(cover.items) >= LONG_OPTION_ITEMS * len(cover):
        turn = max(1, int(LONG_OPTION_FRACTION * turn))
    tasks: list[Beside | Learning] = [Beside(cover, turn)]
    if Learning.is_possible(cover):
        later = 4 if not has_clues(cover) else 1 / 4
        tasks.append(Learning(cover, max(1, int(later * turn)), seconds_left))
    return tasks


def slow_node(cover: ExactCover) -> int:
    """Return the rough time of a slow node of the search in order, in nanoseconds. Long options exclude many others.

    A thousand options of six items are a small problem.
    """
    length = len(cover.items) / max(1, len(cover))
    return int(NODE_NANOSECONDS * max(1.0, len(cover) / 1000 * (length / 6) ** 2))


def has_clues(cover: ExactCover) -> bool:
    """Return whether many primary items have one option at the root. What it fixes helps CP-SAT more than a search."""
    sizes = Counter(cover.items)
    return sum(sizes[item] == 1 for item in range(cover.primary)) >= cover.primary * CP_SAT_CLUE_FRACTION


def luby(number: int) -> int:
    """Return an element of the sequence of Luby, Sinclair and Zuckerman, counted from 1.

    >>> [luby(number) for number in range(1, 16)]
    [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]
    """
    size = number.bit_length()
    if number == (1 << size) - 1:
        return 1 << (size - 1)
    return luby(number - (1 << (size - 1)) + 1)


class Restarts(Task):
    """Consecutive runs on one problem, as a task. ``alone`` says whether no other task searches before."""

    def __init__(self, cover: ExactCover, seed: int, alone: bool = True) -> None:
        super().__init__()
        self.cover, self.seed, self.alone, self.runs = cover, seed, alone, 0
        self.work = 0  # roughly in nanoseconds, but the same on every machine
        self.node = NODE_NANOSECONDS  # of the search in order, in the same unit
        self._budget = 0  # of the current slice
        self._steps = self._search()

    def advance(self, budget: int) -> None:
        """Search for a slice of time, at most ``budget`` nodes."""
        self._budget = budget
        try:
            next(self._steps)
        except StopIteration as end:
            self.outcome = end.value

    def progress(self) -> Progress:
        """Return the number of visited nodes. The rest of the work is unknown."""
        return Progress(0.0, self.nodes, 0, 0.0, self.nodes / max(self.watch.seconds, 1e-3), doing="at random")

    def found(self, race: Race) -> FirstCover:
        """Return the result of a race that this task led."""
        options = None if self.outcome is None else self.outcome.cover
        proved = self.outcome is not None and options is None
        return FirstCover(options, max(0, self.runs - 1), self.nodes, race.seconds, race.stopped, proved)

    def _search(self) -> Steps:
        # The choice depends only on the problem, not on functions already compiled, so a seed always finds the same
        # cover.
        if not selection.has_numba() or (self.alone and not selection.is_large(self.cover)):
            outcome = yield from self._in_python(_patience(self.cover) if selection.has_numba() else None)
            if outcome is not None:
                return outcome
            yield
        return (yield from self._compiled())

    def _in_python(self, most: int | None) -> Steps:
        """Search in plain Python, one run of ``most`` nodes or restarts without end."""
        generator = random.Random(self.seed)
        while True:
            self.runs += 1
            order = list(range(len(self.cover)))
            generator.shuffle(order)
            shuffled = self.cover.subset(order)
            kernel = PythonKernel(shuffled.arrays)
            before, end = self.nodes, most or luby(self.runs) * MIN_PYTHON_RUN_NODES
            while not kernel.finished and kernel.nodes_visited < end:
                yield
                covers = kernel.covers(min(self._budget, 128, end - kernel.nodes_visited))
                self.work += PYTHON_NODE_NANOSECONDS * (before + kernel.nodes_visited - self.nodes)
                self.nodes = before + kernel.nodes_visited
                if covers:
                    return _one([order[option] for option in covers[0]])
            if kernel.finished:
                return RaceOutcome(0)
            if most:
                return None

    def _compiled(self) -> Steps:
        """Search run after run. The ways of searching get work in the ratio of their shares."""
        ways = _ways(self.cover)
        if ways[0].share > 1:  # with different pieces, most nodes of the search in order are fast
            self.node = slow_node(self.cover)
        pace = NodeBudget(1024, len(self.cover.items))
        while True:
            way = min(ways, key=lambda way: (way.spent + way.next) / way.share)  # ties: the first
            way.runs += 1
            self.runs += 1
            pace.nodes = min(pace.nodes, 2048)  # this way may be slower than the last
            pace.rest()
            run, limit = way.begin(self.seed * 1_000_003 + self.runs), luby(way.runs)
            before, earlier = self.nodes, 0
            while run.nodes < limit * way.shortest and run.work < limit * MAX_SHORT_RUN_WORK:
                yield
                end = run.advance(min(self._budget, pace.next(), limit * way.shortest - run.nodes))
                self.nodes = before + run.nodes
                way.spent += run.work - earlier
                self.work += run.work - earlier
                earlier = run.work
                if end:
                    return _one(run.taken) if end == COVER_STATUS else RaceOutcome(0)
            way.each = earlier / limit


def _one(options: Sequence[int]) -> RaceOutcome:
    """Return the outcome of a search that has found a cover."""
    return RaceOutcome(1, complete=False, cover=tuple(sorted(options)))


class Beside(Task):
    """Random searches beside a search in order. Each turn has a new seed, and twice the work of the previous turn.

    A turn lasts as long as its nodes of the search in order would take. This is measured in work, which is the same on
    every machine, after each chunk of nodes.
    """

    name = "restarts"

    def __init__(self, cover: ExactCover, turn: int) -> None:
        super().__init__()
        self.turn = turn  # the current turn, in nodes of the search in order
        self._cover = cover
        self._restarts = Restarts(cover, turn.bit_length(), alone=False)
        self.runs = 0
        self._before = self._spent = 0  # work until this turn and until the last chunk, in nodes of the search in order
        self._chunk = 0  # the nodes left of a chunk

    @property
    def schedule(self) -> Schedule:
        """Turns as long as those of the search in order, from now on."""
        return Schedule(self.turn, growth=2, more=self.turn)

    @property
    def used(self) -> int:
        """The work so far, in nodes of the search in order."""
        return self._spent

    def advance(self, budget: int) -> None:  # noqa: ARG002
        """Search for a slice of time."""
        if self._spent - self._before >= self.turn:
            self.turn *= 2
            self._before = self._spent
            self._restarts = Restarts(self._cover, self.turn.bit_length(), alone=False)
        restarts = self._restarts
        if not self._chunk:
            each = max(1, restarts.work // max(1, restarts.nodes))
            self._chunk = min(max(CHUNK_NANOSECONDS // each, 16), 4096)
        before, runs = restarts.nodes, restarts.runs
        restarts.advance(self._chunk)
        self._chunk -= restarts.nodes - before
        self.nodes += restarts.nodes - before
        self.runs += restarts.runs - runs
        self.outcome = restarts.outcome
        if not self._chunk:
            self._spent = self._before + restarts.work // restarts.node

    def progress(self) -> Progress:
        """Return the number of visited nodes."""
        return self._restarts.progress()


def _patience(cover: ExactCover) -> int:
    """Return how many nodes to search in plain Python if numba is installed: a few tenths of a second."""
    return max(1, min(selection.NODES_BEFORE_NUMBA, MAX_PYTHON_WORK // max(1, cover.primary * len(cover))))


@dataclass
class SearchWay:
    """A way of searching: how a seed begins a run, the least limit of nodes, its share, and the work so far.

    ``each`` is the expected work of a shortest run.
    """

    begin: Callable[[int], RandomizedRun]
    each: float
    shortest: int = MIN_RUN_NODES
    share: int = 1
    runs: int = 0
    spent: int = 0

    @property
    def next(self) -> float:
        """The expected work of the next run."""
        return luby(self.runs + 1) * self.each


def _ways(cover: ExactCover) -> list[SearchWay]:
    """Return the ways that suit a problem: two by least degree, one by weights, long options first, and sweeps.

    Boards of equal pieces are best for a sweep in a fixed order, so it gets half of the work there.
    """
    from puzzlec.engine.kernels.fixed_order_dfs import FixedOrderDfs
    from puzzlec.engine.kernels.incidence import incidence_of, root_of
    from puzzlec.engine.kernels.randomized_dfs import LEAST, SWEEP, WEIGHTED, RandomizedDfs

    incidence = incidence_of(cover.arrays)
    root = root_of(incidence, cover.arrays)
    randomized = RandomizedDfs(incidence, root)
    each = min(MIN_RUN_NODES * slow_node(cover), MAX_SHORT_RUN_WORK)

    def way(rule: int, shuffled: bool, long_first: bool) -> SearchWay:
        def begin(seed: int) -> RandomizedRun:
            randomized.begin(seed, rule, shuffled, long_first)
            return randomized

        return SearchWay(begin, each)

    ways = [way(LEAST, False, False), way(LEAST, True, False), way(WEIGHTED, True, False)]
    lengths = {cover.starts[k + 1] - cover.starts[k] for k in range(len(cover))}
    differ = len(lengths) > 1
    if differ:
        ways.append(way(LEAST, False, True))
    sweep = way(SWEEP, False, differ)
    if FixedOrderDfs.suits(incidence, root):
        fixed = FixedOrderDfs(incidence, root)

        def begin_fixed(seed: int) -> RandomizedRun:
            fixed.begin(seed)
            return fixed

        if not fixed.has_pieces and not cover.secondary:
            ways.insert(0, SearchWay(begin_fixed, SWEEP_NANOSECONDS, MIN_SWEEP_NODES, share=len(ways)))
            return ways
        if len(cover) <= MAX_PLAIN_SWEEP_OPTIONS:
            sweep = SearchWay(begin_fixed, each, MIN_SWEEP_NODES)  # it is the last to have a first run
    return [*ways, sweep]


def solve_with_cpsat(cover: ExactCover, limits: Limits | None = None, seed: int = 0, workers: int = 1) -> FirstCover:
    """Return some cover, or the proof that there is none, found by CP-SAT.

    ``restarts`` is 0, and ``nodes`` is the number of branches that CP-SAT reports. The only supported limit is that of
    seconds. With one worker and without a limit of seconds the same seed gives the same cover. Raise ValueError if
    OR-Tools is not installed, or for a limit of nodes.
    """
    limits = limits or Limits()
    if limits.nodes is not None:
        raise ValueError("CP-SAT does not support a limit of nodes")
    if workers < 1:
        raise ValueError("CP-SAT needs at least one worker")
    begun = time.monotonic()
    if limits.solutions == 0:
        return FirstCover(None, 0, 0, 0.0, Stop.SOLUTIONS, False)
    solver = _solver(seed, workers)
    if limits.seconds is not None:
        solver.parameters.max_time_in_seconds = limits.seconds
    options, proved = _run(solver, cover)
    stopped = None if proved or options is not None else Stop.SECONDS
    return FirstCover(options, 0, solver.num_branches, time.monotonic() - begun, stopped, proved)


class Learning(Task):
    """CP-SAT beside a search in order. Each turn begins again, and lasts four times as long as the previous one.

    The same problem has the same turns on each machine, because CP-SAT counts its work. ``seconds`` returns the seconds
    that a limit leaves, or None.
    """

    name, runs = "cpsat", 0

    def __init__(self, cover: ExactCover, turn: int, seconds: Callable[[], float | None]) -> None:
        super().__init__()
        self.schedule = Schedule(turn, growth=4, share=2)
        self._cover, self._seconds = cover, seconds
        self._spent = 0

    @property
    def used(self) -> int:
        """The nodes of the leader in whose time this task has worked."""
        return self._spent

    @staticmethod
    def is_possible(cover: ExactCover) -> bool:
        """Return whether OR-Tools is installed, and the number of options suits it."""
        return MIN_OPTIONS_OF_CP_SAT <= len(cover) <= MAX_OPTIONS_OF_CP_SAT and _has_cpsat()

    def _suits(self) -> bool:
        """Return whether CP-SAT may be faster than a search.

        In all tables of first solutions, that was so for large boards and copies of a few pieces. Pieces that are used
        once are items that share options with most other items. Pieces with copies are items with other bounds.
        """
        cover = self._cover
        single = [bounds == (1, 1) for bounds in zip(cover.low, cover.high, strict=True)]
        most = [high for high, one in zip(cover.high, single, strict=True) if not one]
        if cover.secondary or not any(single) or min(most, default=MIN_CP_SAT_COPIES) < MIN_CP_SAT_COPIES:
            return False
        near = [0] * cover.primary  # sets of items as bits
        for option in range(len(cover)):
            items = [item for item in cover.items[cover.starts[option] : cover.starts[option + 1]] if single[item]]
            together = 0
            for item in items:
                together |= 1 << int(item)
            for item in items:
                near[item] |= together
        return 2 * max(map(int.bit_count, near)) <= cover.primary

    def advance(self, budget: int) -> None:
        """Work for a whole turn: as long as ``budget`` nodes of the leader take."""
        if not self._spent and not self._suits():
            self.outcome = NO_ANSWER
            return
        self._spent += budget
        solver = _solver(self._spent.bit_length(), 1)
        solver.parameters.max_deterministic_time = budget * len(self._cover.items) / CP_SAT_UNIT_WORK
        seconds = self._seconds()
        if seconds is not None:
            solver.parameters.max_time_in_seconds = max(0.0, seconds)
        options, proved = _run(solver, self._cover)
        if options is not None:
            self.outcome = RaceOutcome(1, complete=False, cover=options)
        elif proved:
            self.outcome = RaceOutcome(0)

    def progress(self) -> Progress:
        """Return what is done now. The rest of the work is unknown."""
        return Progress(doing="by CP-SAT, for a while")


@cache
def _has_cpsat() -> bool:
    return find_spec("ortools") is not None


def _solver(seed: int, workers: int) -> Any:
    """Return a solver of CP-SAT. Python handles its signals."""
    solver = _library().CpSolver()
    solver.parameters.num_workers = workers
    solver.parameters.random_seed = seed % (1 << 31)
    solver.parameters.catch_sigint_signal = False
    return solver


def _run(solver: Any, cover: ExactCover) -> tuple[tuple[int, ...] | None, bool]:
    """Let CP-SAT look for a cover. Return the cover or None, and whether it has proved that there is none.

    It works in a thread, so that an interruption stops it at once. Making the model takes some of a limit of seconds.
    """
    from concurrent.futures import ThreadPoolExecutor, wait

    library, begun = _library(), time.monotonic()
    model, option_variables = _model(library, cover)
    limit = solver.parameters.max_time_in_seconds
    solver.parameters.max_time_in_seconds = max(0.0, limit - (time.monotonic() - begun))
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(solver.solve, model)
        try:
            while not running.done():
                wait([running], timeout=0.05)
        except BaseException:
            while not running.done():  # before the solver has begun, it cannot be stopped
                solver.stop_search()
                time.sleep(0.01)
            raise
    status = running.result()
    options = None
    if status in (library.OPTIMAL, library.FEASIBLE):
        options = tuple(option for option, variable in enumerate(option_variables) if solver.boolean_value(variable))
    return options, status == library.INFEASIBLE


def _library() -> Any:
    """Return the module of CP-SAT. Raise ValueError if it is not installed."""
    try:
        from ortools.sat.python import cp_model
    except ImportError:
        raise ValueError("CP-SAT is not installed: python -m pip install 'puzzlec[cpsat]'") from None
    return cp_model


def _model(library: Any, cover: ExactCover) -> tuple[Any, list[Any]]:
    """Return the model, and the variable of each option."""
    model = library.CpModel()
    option_variables = [model.new_bool_var("") for _ in range(len(cover))]
    chosen_by_item: list[list[Any]] = [[] for _ in range(cover.primary)]
    coloured: dict[int, dict[int, list[Any]]] = defaultdict(lambda: defaultdict(list))
    for option, variable in enumerate(option_variables):
        for item, colour in cover.entries(option):
            if item < cover.primary:
                chosen_by_item[item].append(variable)
            else:
                coloured[item][colour].append(variable)
    for item, variables in enumerate(chosen_by_item):
        low, high = cover.low[item], cover.high[item]
        if (low, high) == (1, 1):
            model.add_exactly_one(variables)
        else:
            model.add_linear_constraint(sum(variables), low, high)
    for colours in coloured.values():
        # At most one option without a colour, or one colour. An option implies the colour that it gives.
        alternatives = list(colours.pop(0, []))
        for variables in colours.values():
            worn = model.new_bool_var("")
            for variable in variables:
                model.add_implication(variable, worn)
            alternatives.append(worn)
        model.add_at_most_one(alternatives)
    return model, option_variables
