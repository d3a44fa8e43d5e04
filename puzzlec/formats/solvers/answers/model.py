"""What an answer says: models, and that there are none or no more."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import NamedTuple, TypeAlias

from puzzlec.diagnostics import Diagnostic, PuzzleError, Report, Span
from puzzlec.engine.problem import ExactCover
from puzzlec.formats.solutions.claims import Claim
from puzzlec.ir import Fitting

#: How far a value may be from 0 or 1: the greatest tolerance that solvers have by default (Gurobi, GLPK: 1e-5).
TOLERANCE = 1e-5


class Ending(Enum):
    """What a solver says at the end: that there is no (further) solution, or that it does not know."""

    COMPLETE = "complete"
    UNKNOWN = "unknown"


class Model(NamedTuple):
    """What an answer says is a solution: the options that it chooses, numbered from 0, and where it stands.

    ``claim`` is set in place of ``options`` where pieces are told to lie somewhere. ``faults`` say why it cannot be
    read; there is nothing else of it then. ``told`` is how many variables have values where all have that the other
    program knew of (0: not known). ``note`` is said if it turns out to be no solution, and ``reasons`` in place of
    what is found to be wrong then.
    """

    span: Span
    options: tuple[int, ...] = ()
    claim: Claim | None = None
    faults: tuple[Diagnostic, ...] = ()
    told: int = 0
    note: str = ""
    reasons: tuple[Diagnostic, ...] = ()


class Said(NamedTuple):
    """An ending, and where it is said."""

    ending: Ending
    span: Span


Event: TypeAlias = Model | Said


@dataclass(frozen=True)
class Known:
    """What the names and numbers in an answer can mean.

    ``label`` gives what an option means, ``items`` are lists of the names of all items, as formats spell them.
    ``fitting`` is None where an exact cover cannot be raised to one; ``problem`` says which problem of a file it is.
    ``right`` says whether a model is a solution: so the kind of an answer is told where it is only numbers.
    """

    cover: ExactCover
    label: Callable[[int], str]
    items: tuple[Sequence[str], ...] = ()
    fitting: Fitting | None = field(default=None, repr=False)
    problem: str | None = None
    right: Callable[[Model], bool] | None = field(default=None, repr=False)

    @property
    def options(self) -> int:
        """The number of options, which is that of the variables that mean anything."""
        return len(self.cover)

    @cached_property
    def item_of(self) -> dict[str, int]:
        """The items by all their spellings; one that means two items is what the first spelling says."""
        found: dict[str, int] = {}
        for names in self.items:
            for item, name in enumerate(names):
                found.setdefault(name, item)
        return found

    def is_remark(self, text: str) -> bool:
        """Whether a line is a remark: it begins with ``#``, and not with the name of an item or an option."""
        bare = text.lstrip()
        if not bare.startswith("#"):
            return False
        first = re.split(r"[\s|]", bare, maxsplit=1)[0]
        named = first in self.item_of or first.rpartition(":")[0] in self.item_of
        return not named and all(
            self.labelled(each) is None for each in (first, bare.rstrip(), bare.split("|")[0].rstrip())
        )

    def labelled(self, name: str) -> list[int] | None:
        """Return the options that are called so, None where none is: blanks may be written `_`, and `|` as `/`."""
        return self._called.get(_plain(name))

    @cached_property
    def _called(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for option in range(len(self.cover)):
            found.setdefault(_plain(self.label(option)), []).append(option)
        return found

    @cached_property
    def options_with(self) -> dict[frozenset[int], list[int]]:
        """The options by their items, whatever colours they give them."""
        found: dict[frozenset[int], list[int]] = {}
        for option in range(len(self.cover)):
            found.setdefault(frozenset(self.cover.row(option)), []).append(option)
        return found


@contextmanager
def faults_of(faults: list[Diagnostic]) -> Iterator[Report]:
    """Give a report; what was added to it within the block, or raised there, comes to the faults."""
    report = Report()
    try:
        yield report
        faults += report.diagnostics
    except PuzzleError as error:
        faults += error.diagnostics


class Values:
    """The values of the variables of one model, told one after the other in any order; what is not told is 0."""

    def __init__(self, known: Known) -> None:
        self.known, self.report = known, Report()
        self.span: Span | None = None
        self._told = bytearray(known.options)  # 0: nothing told, 1: not chosen, 2: chosen
        self._chosen: list[int] = []
        self.named = 0

    def set(self, option: int, chosen: bool, at: Span) -> None:
        """Take the value of an option; it may be told again, but not otherwise."""
        self.named += 1
        before, value = self._told[option], 1 + chosen
        if not before:
            self._told[option] = value
            if chosen:
                self._chosen.append(option)
        elif before != value:
            self.report.add("PZ615", f"variable {option + 1} is told to be both 0 and 1", at)

    def option(self, name: str, at: Span, compare: bool = True) -> int | None:
        """Return the option that a name such as ``x12_F_0.0`` means; None for an auxiliary variable or a fault.

        ``compare``: what stands behind the number must agree with what the option means.
        """
        match = NAME.match(name)
        if match is None:
            if not AUXILIARY.match(name):
                self.report.add("PZ613", f"there is no variable `{name[:60]}`", at, note=_NAMES)
            return None
        option = int(match[1]) - 1
        if not 0 <= option < self.known.options:
            self.report.add("PZ613", f"there is no variable `{name[:60]}`", at, note=numbers_known(self.known))
            return None
        rest = _letters(match[2]) if compare else ""
        if rest:
            wanted = _letters(self.known.label(option))
            if not wanted.startswith(rest) and not rest.startswith(wanted):
                self.report.add(
                    "PZ619",
                    f"variable {option + 1} is called `{name[:60]}`, but this puzzle's means another thing",
                    at,
                    note=f"it is `{self.known.label(option)[:60]}`",
                    help="is this the answer for another puzzle, or for an older version of it?",
                )
                return None
        return option

    def value(self, name: Span, said: Span) -> None:
        """Take the value of a variable as a number in text."""
        option = self.option(name.text, name, compare=said.text != "0")  # the chosen ones tell enough
        if option is not None:
            self.set_number(option, name, said)

    def take_zero(self, line: Span) -> bool:
        """Take a line that says of one of the variables, in the plainest way, that it is 0; return whether it does."""
        match = _ZERO.match(line.text)
        if match is None or not 0 < int(match[1]) <= self.known.options:
            return False
        self.set(int(match[1]) - 1, False, line)
        return True

    def set_number(self, option: int, at: Span, said: Span, text: str | None = None) -> None:
        """Take the value of an option, which is told ``at`` a place, as a number in text: the one there, or another."""
        text = said.text if text is None else text
        value = number(text)
        if value is None:
            self.report.add("PZ612", f"`{text[:40]}` is no number", said)
        elif abs(value) <= TOLERANCE or abs(value - 1) <= TOLERANCE:
            self.set(option, value > 0.5, at)
        else:
            self.report.add(
                "PZ614",
                f"the value of variable {option + 1} is {text[:40]}, neither 0 nor 1",
                said,
                note=f"values may be {TOLERANCE:g} away from these",
            )

    def model(self, span: Span) -> Model:
        """Return the model that was told, or its faults."""
        if self.report.diagnostics:
            return Model(span, faults=tuple(self.report.diagnostics))
        return Model(span, tuple(sorted(self._chosen)))


#: A variable that stands for an option: its number, and what the option means.
NAME = re.compile(r"x([0-9]{1,9})(?![0-9A-Za-z])(.*)", re.DOTALL)

_ZERO = re.compile(r"x([0-9]{1,9})(?![0-9A-Za-z])\S* 0$")

#: A variable that a writer of puzzlec has added: it says nothing of its own.
AUXILIARY = re.compile(r"[nsy](?![A-Za-z])|_")

#: What to ask where an answer has another number of variables than the puzzle has options.
SAME = "is it an answer to this puzzle, with the same `-p`?"

_NAMES = "the variables of options are called `x`, the number of the option, and what it means"


def numbers_known(known: Known) -> str:
    """Return a note that says which numbers variables have."""
    return f"there are {known.options} options, so variables 1 to {known.options}" if known.options else "there is none"


def number(text: str) -> float | None:
    """Return the number that a text is, None where it is none or no finite one."""
    if not re.fullmatch(r"[-+]?(?:[0-9]{1,400}\.?[0-9]{0,400}|\.[0-9]{1,400})(?:[eE][-+]?[0-9]{1,4})?", text):
        return None
    return float(text)


def _plain(name: str) -> str:
    """Return a name as it is compared with others."""
    return re.sub(r"[\s_]+", " ", name.replace("|", "/")).strip()


def _letters(text: str) -> str:
    """Return what all spellings of a label have in common: its letters and digits."""
    return re.sub(r"[^0-9A-Za-z]+", "", text.removeprefix("_"))


def words_of(line: Span) -> list[Span]:
    """Return the words of a line with their places."""
    source, start = line.source, line.start
    return [source.span(start + each.start(), start + each.end()) for each in re.finditer(r"\S+", line.text)]
