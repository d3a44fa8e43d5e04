"""Arguments and options that several commands share, and the puzzles and jobs that they describe."""

from __future__ import annotations

import time as clock
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, fields
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, TypeVar, cast

from puzzlec.cli.candidates import folders, puzzles_and_files, words
from puzzlec.cli.command import INPUT, JOBS, LIMITS, OUTPUT, SHARED_HEADING
from puzzlec.cli.deadline import bounded
from puzzlec.cli.options import FILE, Argument, Option, option_of
from puzzlec.cli.progress import ProgressKind
from puzzlec.cli.terminal import MODE, report_all, say
from puzzlec.compiler import compile, load
from puzzlec.diagnostics import Diagnostic, Report
from puzzlec.diagnostics.error import needs
from puzzlec.engine import Limits
from puzzlec.engine.limits import read_memory
from puzzlec.formats.reading import AnyPuzzle
from puzzlec.ir import Fitting
from puzzlec.language.parameters import read_parameters
from puzzlec.lower import Encoding
from puzzlec.show.settings import settings
from puzzlec.show.svg.choices import Choices

if TYPE_CHECKING:
    from puzzlec.lower.symmetries import SymmetryKind

_Search = TypeVar("_Search")


def named(table: str) -> Callable[[], Iterable[str]]:
    """Return a function that imports a table of names, such as `puzzlec.formats.registry.FORMATS`."""
    return lambda: cast("Iterable[str]", _imported(table))


def read_by(function: str) -> Callable[[Any], Any]:
    """Return a function that imports another one, such as `puzzlec.jobs.records.read_shard`, and calls it."""
    return lambda text: _imported(function)(text)


def _imported(path: str) -> Any:
    """Return what a module has under the last word of a path, such as `puzzlec.jobs.records.read_shard`."""
    module, _, name = path.rpartition(".")
    return getattr(import_module(module), name)


def folder_of(text: str) -> Path:
    """Return the folder with a name; raise ValueError for an empty one."""
    if not text:
        raise ValueError("the name of a folder is empty")
    return Path(text)


PuzzleName = Annotated[
    str,
    Argument(
        "File, `-` for standard input, or name of a puzzle in the catalogue.", "PUZZLE", offered=puzzles_and_files
    ),
]
From = Annotated[
    str | None,
    Option(
        "Input format. [default: from the file]",
        "FORMAT",
        name="--from",
        offered=words(named("puzzlec.formats.registry.FORMATS")),
        panel=INPUT,
    ),
]
Board = Annotated[
    str | None, Option("Board for a file of pieces: 10x6, 10, or a file with a drawing.", "CxR", panel=INPUT)
]
Parameters = Annotated[
    Mapping[str, int] | None,
    Option(
        "Value of a parameter, such as n=12.",
        "NAME=VALUE",
        "-p, --param",
        parse=read_parameters,
        many=True,
        panel=INPUT,
    ),
]
Problem = Annotated[str | None, Option("Problem to read, by number or name.", "WHICH", panel=INPUT)]
Raw = Annotated[bool, Option("Count rotations and reflections separately.", name="--raw")]
SymmetryName = Annotated[
    str | None,
    Option(
        "none, rotations, all (default), parts, automorphisms.",
        "WHICH",
        name="--symmetry",
        words=named("puzzlec.lower.symmetries.SYMMETRIES"),
    ),
]
TIME = Option("Stop after SECONDS.", "SECONDS", name="--time-limit", least=0, panel=LIMITS)
Time = Annotated[float | None, TIME]
Nodes = Annotated[int | None, Option("Stop after N nodes.", "N", least=1, hidden=True)]
Threads = Annotated[int, Option("Search in N threads; 0: one per core. [default: 1]", "N", least=0, panel=LIMITS)]
Own = Annotated[bool, Option("Print the symmetries of each solution.", name="--show-symmetry", panel=OUTPUT)]
ComesApart = Annotated[bool, Option("Only solutions that come apart.", name="--comes-apart")]
#: None: the best solution is shown for burrs, and for puzzles with walls or immovable pieces.
ShowsApart = Annotated[
    bool | None,
    Option(
        "Show the best solution that comes apart. [default: for burrs and walls]", name="--comes-apart/--no-comes-apart"
    ),
]
Seed = Annotated[int | None, Option("Search for one solution at random.", "N", name="--seed", least=0)]
Kernel = Annotated[
    str,
    Option(
        "Search kernel: auto, python, lists or bits.",
        "KERNEL",
        words=named("puzzlec.engine.search.selection.KERNELS"),
        hidden=True,
    ),
]
CountKernel = Annotated[
    str,
    Option(
        "Kernel: auto, python, lists, bits or frontier.",
        "KERNEL",
        words=named("puzzlec.engine.search.selection.METHODS"),
        hidden=True,
    ),
]

Memory = Annotated[
    int | None,
    Option("Use at most SIZE of memory. [default: 1G]", "SIZE", name="--memory", parse=read_memory, panel=LIMITS),
]
Ascii = Annotated[bool, Option("Draw with ASCII characters.", name="--ascii", panel=OUTPUT)]
Every = Annotated[bool, Option("All solutions.", name="--all")]
MostSolutions = Annotated[int | None, Option("At most N solutions.", "N", name="--limit", least=1)]
Force = Annotated[bool, Option("Overwrite files.", name="--force", panel=SHARED_HEADING)]
#: The setting of pictures that pages and models share.
Palette = Annotated[str, option_of("palette", dict(settings(Choices))["palette"], "standard")]
OUTPUT_FILE = FILE.saying("File to write; `-`: standard output.", name="-o, --output", panel=OUTPUT)
#: If it is missing, the error shows an example.
Output = Annotated[str | None, OUTPUT_FILE]


def _beginning() -> float:
    """Return when the command, or this row of a sweep, began: the start of Python is a part of the command."""
    return MODE.begun if MODE.begun is not None and MODE.sweep is None else clock.monotonic()


@dataclass(kw_only=True, eq=False, repr=False)
class Clock:
    """The limit of time of a command, from its beginning on the monotonic clock."""

    time: Time = None
    begun: float = field(default_factory=_beginning, init=False)

    @property
    def taken(self) -> float:
        """The seconds since the beginning."""
        return clock.monotonic() - self.begun

    @property
    def left(self) -> float | None:
        """The seconds that are left; None: no limit."""
        return None if self.time is None else max(0.0, self.time - self.taken)

    def bounded(self, grace: bool = False, before: str = "the search began") -> AbstractContextManager[None]:
        """Return the limit for a block, as :func:`puzzlec.cli.deadline.bounded`."""
        return bounded(self.time, self.begun, grace, before)


@dataclass(kw_only=True, eq=False, repr=False)
class SymmetryOptions:
    """The options for the symmetries under which solutions count as one."""

    symmetry: SymmetryName = None
    raw: Raw = False

    @property
    def which(self) -> SymmetryKind:
        """The symmetry."""
        return "none" if self.raw else cast("SymmetryKind", self.symmetry or "all")


@dataclass(kw_only=True, eq=False, repr=False)
class ReadingOptions:
    """The options for reading a puzzle."""

    given: Parameters = None
    source: From = None
    board: Board = None
    problem: Problem = None

    def of(self, puzzle: str) -> Named:
        """Return the puzzle with this name."""
        return Named(puzzle=puzzle, **{each.name: getattr(self, each.name) for each in fields(ReadingOptions)})


@dataclass(kw_only=True, eq=False, repr=False)
class Named(ReadingOptions):
    """A puzzle on the command line, with the options for reading it. Each method prints the warnings."""

    puzzle: PuzzleName

    def read(self, pieces_alone: bool = False) -> AnyPuzzle:
        """Return the puzzle at the stage of its format.

        With ``pieces_alone``, a file of pieces without a board is a puzzle without locations.
        """
        what = self.load(report := Report(), pieces_alone)
        report_all(report.diagnostics)
        return what

    def fitting(self) -> Fitting:
        """Return the puzzle with its placements."""
        fitting = compile(self.load(report := Report()), stage="fitting", report=report)
        report_all(report.diagnostics)
        return fitting

    def encoding(self, unsaid: Collection[str] = ()) -> Encoding:
        """Return the exact cover of the puzzle. Warnings with the codes ``unsaid`` are not printed."""
        encoding, warnings = self.encoding_with_warnings()
        report_all([diagnostic for diagnostic in warnings if diagnostic.code not in unsaid])
        return encoding

    def encoding_with_warnings(self) -> tuple[Encoding, tuple[Diagnostic, ...]]:
        """Return the exact cover of the puzzle, and its warnings without printing them."""
        encoding = compile(self.load(report := Report()), report=report)
        return encoding, tuple(report.diagnostics)

    def load(self, report: Report, pieces_alone: bool = False) -> AnyPuzzle:
        """Return the puzzle at the stage of its format; the report gets the warnings."""
        return load(
            self.puzzle,
            format=self.source,
            board=self.board,
            report=report,
            parameters=self.given,
            problem=self.problem,
            pieces_alone=pieces_alone,
        )


@dataclass(kw_only=True, eq=False, repr=False)
class QuestionOptions(Named, Clock, SymmetryOptions):
    """The options of a question about the solutions of a puzzle."""

    comes_apart: ComesApart = False

    def search(
        self,
        kind: type[_Search],
        what: Encoding | Fitting | None = None,
        solutions: int | None = None,
        nodes: int | None = None,
        memory: int | None = None,
        **settings: object,
    ) -> _Search:
        """Return the search for the answer, with the settings of its class. ``what``: the compiled puzzle."""
        with self.bounded():
            what = what or self.encoding()
            from puzzlec.questions import search_of

            searching: Any = search_of(kind, self.comes_apart)
            limits = Limits(solutions, self.left, nodes, memory)
            made: _Search = searching(what, limits=limits, symmetry=self.which, **settings)
        return made


@dataclass(kw_only=True, eq=False, repr=False)
class TargetOptions:
    """The options for the file to write."""

    output: Output = None
    force: Force = False


Folder = Annotated[str, Argument("Folder of a checkpoint.", "DIR", offered=folders)]
CHECKPOINT = Option(
    "Save the search in DIR, so that you can resume it.", "DIR", offered=folders, parse=folder_of, panel=JOBS
)
Processes = Annotated[int | None, Option("Search in N processes; 0: one per core.", "N", least=0, hidden=True)]
Cluster = Annotated[
    str | None,
    Option("Search on a Dask cluster: `local`, or tcp://host:8786.", "WHERE", offered=words(("local",)), panel=JOBS),
]
SHARD = Option(
    "Search part K of N, for `puzzlec job merge`.", "K/N", parse=read_by("puzzlec.jobs.records.read_shard"), panel=JOBS
)
Quiet = Annotated[
    bool, Option("Do not print remarks or the solutions in a checkpoint.", name="-q, --quiet", panel=JOBS)
]


class Pool(NamedTuple):
    """The workers of a search: threads, processes (0: none), or a cluster."""

    threads: int = 1
    processes: int = 0
    cluster: str | None = None


@dataclass(eq=False, repr=False)
class JobChoice:
    """The options for the workers of a search, and for searching in a job; without a folder, in a temporary one."""

    threads: Threads = 1
    checkpoint: Annotated[Path | None, CHECKPOINT] = None
    processes: Processes = None
    cluster: Cluster = None
    shard: Annotated[tuple[int, int] | None, SHARD] = None
    quiet: Quiet = False
    progress: ProgressKind = "bar"

    def pool(self) -> Pool | None:
        """Return the workers of a job, None without a job; raise PuzzleError for a cluster without Dask (PZ505)."""
        if self.checkpoint is None and self.processes is None and self.cluster is None:
            return None
        return pool_of(self.threads, self.processes, self.cluster)


def pool_of(threads: int, processes: int | None, cluster: str | None) -> Pool:
    """Return the workers; raise PuzzleError if Dask is missing."""
    from puzzlec.engine.search.tree_search import MAX_WORKERS_PER_CORE, cores, most_workers

    if cluster is not None:
        needs("distributed", "cluster", "a search on a cluster")
    if processes is not None and processes > most_workers() and cluster in (None, "local"):
        say(f"searching in {most_workers()} processes: more than {MAX_WORKERS_PER_CORE} per core would not be faster")
        processes = most_workers()
    return Pool(threads or cores(), 0 if processes is None else processes or cores(), cluster)
