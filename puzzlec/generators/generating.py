"""Generate a puzzle of a kind: its options, its seed and its text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Literal, TypeAlias, get_args

from puzzlec.compiler import parse
from puzzlec.diagnostics import none_of
from puzzlec.engine import Limits
from puzzlec.engine.limits import limits_of
from puzzlec.formats import catalogue
from puzzlec.generators.kind import GenerationEffort, GeneratorKind, Value, wrong
from puzzlec.ir import Puzzle
from puzzlec.shown import brief, mimebundle

#: A kind. Each is a file of this package.
KindName: TypeAlias = Literal["dominosa", "board", "tiles", "packing", "calendar", "burr", "turning"]
KINDS: tuple[KindName, ...] = get_args(KindName)


@dataclass(frozen=True)
class Generated:
    """A generated puzzle: its ``kind``, ``seed`` and ``text``, and the number of attempts it took.

    ``solutions`` is its number of solutions. A calendar has the number of the day with the fewest. Burrs and cubes that
    turn have their number of assemblies, of which one comes apart. ``options`` are the options of the kind, with
    defaults.

    >>> import puzzlec
    >>> grid = puzzlec.generate("dominosa", seed=1, size=3)
    >>> grid.kind, grid.seed, grid.solutions
    ('dominosa', 1, 1)
    """

    _repr_mimebundle_ = mimebundle

    def __repr__(self) -> str:
        return brief(self)

    kind: str
    seed: int
    text: str
    solutions: int
    attempts: int
    options: Mapping[str, str | int | bool]

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle itself."""
        return parse(self.text)


class Generator:
    """The search for a puzzle of a kind. An interruption leaves the best attempt in ``effort``.

    Raises PuzzleError (PZ226) for an unknown kind, or an option that the kind does not have.
    """

    def __init__(
        self,
        kind: str,
        seed: int = 0,
        limits: Limits | None = None,
        options: Mapping[str, Value] | None = None,
        attempts: int | None = None,
    ) -> None:
        self.kind, self.seed = find_kind(kind), seed
        for name in options or ():
            if name not in self.kind.options:
                has = "`, `".join(map(option_name, self.kind.options))
                raise wrong(f"`{kind}` has no option `{option_name(name)}`", f"the options of `{kind}` are `{has}`")
        self.options = {**self.kind.options, **{name: _number(value) for name, value in (options or {}).items()}}
        apart = bool(self.options.get("comes_apart"))
        self.effort = GenerationEffort(seed, limits or Limits(), attempts or self.kind.attempts, apart)

    def find(self) -> Generated:
        """Return the puzzle; raise PuzzleError or UnfinishedError if there is none within the limits."""
        body, solutions = self.kind.make(self.options, self.effort)
        given = " ".join(
            f"{option_name(name)} {_quoted(value)}" for name, value in self.options.items() if value not in (False, "")
        )
        head = f"# puzzlec generate {self.kind.name} --seed {self.seed} {given}".replace(" True", "").rstrip()
        text = f'{head}\npuzzle "{self.kind.name} {self.seed}"\n{body}\n'
        return Generated(self.kind.name, self.seed, text, solutions, self.effort.attempts, self.options)


def option_name(name: str) -> str:
    """Return an option of a kind as it is typed.

    >>> option_name("comes_apart")
    '--comes-apart'
    """
    return "--" + name.replace("_", "-")


def _number(value: Value) -> Value:
    return int(value) if isinstance(value, str) and re.fullmatch("[0-9]{1,9}", value) else value


def _quoted(value: Value) -> str:
    return f'"{value}"' if " " in str(value) else str(value)


def find_kind(name: str) -> GeneratorKind:
    """Return a kind by its name; raise PuzzleError (PZ226) if it is unknown."""
    if name not in KINDS:
        starts = {kind.name for kind in catalogue.kinds()}
        helps = {"unique": "`puzzlec clues PUZZLE` finds clues that leave one solution"}
        helps |= {start: f"`puzzlec new {start}` prints one to start from" for start in starts}
        raise wrong(none_of(name, KINDS), helps.get(name, ""))
    kind = import_module(f"puzzlec.generators.{name}").KIND
    assert isinstance(kind, GeneratorKind)
    return kind


def generate(
    kind: KindName,
    *,
    seed: int = 0,
    limits: Limits | None = None,
    seconds: float | None = None,
    attempts: int | None = None,
    **options: str | int | bool,
) -> Generated:
    """Return a generated puzzle. The same seed and options give the same puzzle.

    >>> import puzzlec
    >>> grid = puzzlec.generate("dominosa", seed=1, size=3)
    >>> puzzlec.count(grid.puzzle, symmetry="none")
    1

    Args:
        kind: A kind that `puzzlec generate` lists, such as ``dominosa``.
        seed: The seed of the random numbers.
        limits: A limit of seconds.
        seconds: Short for a limit of seconds.
        attempts: The maximum number of attempts. Default: by the kind.
        options: The options of the kind, as on the command line.

    Raises:
        PuzzleError: If an option is wrong (PZ226), or all attempts fail (PZ012).
        UnfinishedError: If the limit of time ends the search.

    """
    limits = limits_of(limits, None, seconds, only=("seconds",))
    return Generator(kind, seed, limits, options, attempts).find()
