"""The content of an answer: models, and whether there are none or no more."""

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

#: Largest distance of a value from 0 or 1: the greatest default tolerance of solvers (Gurobi, GLPK: 1e-5).
TOLERANCE = 1e-5


class Ending(Enum):
    """The final status of a solver: there is no (further) solution, or it does not know.

    >>> import puzzlec
    >>> [ending.name for ending in puzzlec.Ending]
    ['COMPLETE', 'UNKNOWN']
    """

    COMPLETE = "complete"
    UNKNOWN = "unknown"


class Model(NamedTuple):
    """A claimed solution: the options that it chooses, numbered from 0, and its position.

    ``claim`` replaces ``options`` in an answer about pieces. ``faults`` are the errors of an unreadable model, which
    has nothing else. ``told`` is the number of variables with values if the answer has all of them (0: unknown). If the
    model is not a solution, ``note`` is reported, and ``reasons`` replace the errors of the check.
    """

    span: Span
    options: tuple[int, ...] = ()
    claim: Claim | None = None
    faults: tuple[Diagnostic, ...] = ()
    told: int = 0
    note: str = ""
    reasons: tuple[Diagnostic, ...] = ()


class EndingClaim(NamedTuple):
    """An ending, and its position."""

    ending: Ending
    span: Span


Event: TypeAlias = Model | EndingClaim


@dataclass(frozen=True)
class AnswerMeaning:
    """The meaning of the names and numbers in an answer.

    ``label`` returns the meaning of an option, ``items`` are lists of the names of all items, in the spellings of the
    formats. ``fitting`` is None for an exact cover that cannot be raised to one. ``problem`` is the number or name of
    the problem in a file. ``right`` returns whether a model is a solution, which decides the kind of an answer of
    numbers.
    """

    cover: ExactCover
    label: Callable[[int], str]
    items: tuple[Sequence[str], ...] = ()
    fitting: Fitting | None = field(default=None, repr=False)
    problem: str | None = None
    right: Callable[[Model], bool] | None = field(default=None, repr=False)

    @property
    def options(self) -> int:
        """The number of options, which is that of the variables with a meaning."""
        return len(self.cover)

    @cached_property
    def item_of(self) -> dict[str, int]:
        """The items by all their spellings. A name of two items means the one of the first spelling."""
        spellings: dict[str, int] = {}
        for names in self.items:
            for item, name in enumerate(names):
                spellings.setdefault(name, item)
        return spellings

    def is_remark(self, text: str) -> bool:
        """Whether a line is a comment: it begins with ``#``, and not with the name of an item or an option."""
        bare = text.lstrip()
        if not bare.startswith("#"):
            return False
        first = re.split(r"[\s|]", bare, maxsplit=1)[0]
        named = first in self.item_of or first.rpartition(":")[0] in self.item_of
        return not named and all(
            self.labelled(reading) is None for reading in (first, bare.rstrip(), bare.split("|")[0].rstrip())
        )

    def labelled(self, name: str) -> list[int] | None:
        """Return the options with a name, None without any: `_` may replace a space, and `/` may replace `|`."""
        return self._called.get(_plain(name))

    @cached_property
    def _called(self) -> dict[str, list[int]]:
        options: dict[str, list[int]] = {}
        for option in range(len(self.cover)):
            options.setdefault(_plain(self.label(option)), []).append(option)
        return options

    @cached_property
    def options_with(self) -> dict[frozenset[int], list[int]]:
        """The options by their items, ignoring colours."""
        options: dict[frozenset[int], list[int]] = {}
        for option in range(len(self.cover)):
            options.setdefault(frozenset(self.cover.row(option)), []).append(option)
        return options


def refused(at: Span, code: str, message: str, help: str | tuple[str, ...] = ()) -> Model:
    """Return an unreadable model with one error."""
    report = Report()
    report.add(code, message, at, help=help)
    return Model(at, faults=tuple(report.diagnostics))


@contextmanager
def faults_of(faults: list[Diagnostic]) -> Iterator[Report]:
    """Yield a report. Errors that are added or raised within the block are appended to ``faults``."""
    report = Report()
    try:
        yield report
        faults += report.diagnostics
    except PuzzleError as error:
        faults += error.diagnostics


class Values:
    """The values of the variables of one model, in any order. The default is 0."""

    def __init__(self, meaning: AnswerMeaning, span: Span) -> None:
        self.meaning, self.span, self.report = meaning, span, Report()
        self._states = bytearray(meaning.options)  # 0: no value, 1: not chosen, 2: chosen
        self.options: list[int] = []

    def set(self, option: int, is_chosen: bool, at: Span) -> None:
        """Take the value of an option; a repeated value must agree."""
        before, state = self._states[option], 1 + is_chosen
        if not before:
            self._states[option] = state
            if is_chosen:
                self.options.append(option)
        elif before != state:
            self.report.add("PZ615", f"variable {option + 1} is both 0 and 1", at)

    def add(self, option: int, at: Span) -> None:
        """Choose an option; a duplicate is an error."""
        if self._states[option]:
            self.report.add("PZ615", f"duplicate option {option + 1}", at, note=f"it is `{self.meaning.label(option)}`")
        self.set(option, True, at)

    def first_missing(self, options: Sequence[int]) -> int:
        """Return the first of some options without a value; the first of all if each has one."""
        return next((option for option in options if not self._states[option]), options[0])

    def option(self, name: str, at: Span, compare: bool = True) -> int | None:
        """Return the option of a name such as ``x12_F_0.0``; None for an auxiliary variable or after an error.

        ``compare``: the text after the number must agree with the meaning of the option.
        """
        match = NAME.match(name)
        if match is None and AUXILIARY.match(name):
            return None
        if match is None or not 0 < int(match[1]) <= self.meaning.options:
            note = numbers_known(self.meaning) if match else _NAMES
            self.report.add("PZ613", f"unknown variable `{name[:60]}`", at, note=note)
            return None
        option = int(match[1]) - 1
        rest, letters = _letters(match[2]) if compare else "", ""
        if rest:
            letters = _letters(self.meaning.label(option))
        if letters.startswith(rest) or rest.startswith(letters):
            return option
        self.report.add(
            "PZ619",
            f"variable {option + 1} is named `{name[:60]}`, which is another option in this puzzle",
            at,
            note=f"it is `{self.meaning.label(option)[:60]}`",
            help="give the answer for this version of the puzzle",
        )
        return None

    def value(self, name: Span, said: Span) -> None:
        """Take the value of a variable as a number in text."""
        option = self.option(name.text, name, compare=said.text != "0")  # comparing the chosen ones is enough
        if option is not None:
            self.set_number(option, name, said)

    def take_zero(self, line: Span) -> bool:
        """Take a line in the plainest form with the value 0; return whether it has that form."""
        match = _ZERO.match(line.text)
        if match is None or not 0 < int(match[1]) <= self.meaning.options:
            return False
        self.set(int(match[1]) - 1, False, line)
        return True

    def set_number(self, option: int, at: Span, said: Span, text: str | None = None) -> None:
        """Take the value of an option ``at`` a position, as a number in the text there, or in another text."""
        is_chosen = self.truth(said.text if text is None else text, said)
        if is_chosen is not None:
            self.set(option, is_chosen, at)

    def truth(self, text: str, at: Span) -> bool | None:
        """Return whether a value is 1, or true in Python; None after an error if it is neither 0 nor 1."""
        value = number(TRUTHS.get(text.lower(), text))
        if value is None:
            self.report.add("PZ612", f"expected a number, found `{text[:40]}`", at)
        elif abs(value) <= TOLERANCE or abs(value - 1) <= TOLERANCE:
            return value > 0.5
        else:
            note = f"the tolerance is {TOLERANCE:g}"
            self.report.add("PZ614", f"the value must be 0 or 1, found {text[:40]}", at, note=note)
        return None

    def array(self, words: Sequence[tuple[str, Span]], at: Span, exact: bool = False) -> None:
        """Take the values of all options in order. ``exact``: there are no more values, and each is a Boolean."""
        options = self.meaning.options
        for option, (word, place) in enumerate(words[:options]):
            if exact and number(TRUTHS.get(word, word)) not in (0, 1):
                self.report.add("PZ612", f"expected true or false, found `{word[:40]}`", place)
            else:
                self.set_number(option, place, place, word)
        if len(words) < options or (exact and len(words) > options):
            message = f"expected {options} values, one for each option, found {len(words)}"
            self.report.add("PZ619", message, at, help=SAME_PUZZLE_HELP)

    def model(self, value_count: int = 0) -> Model:
        """Return the model, or its errors."""
        if self.report.diagnostics:
            return Model(self.span, faults=tuple(self.report.diagnostics))
        return Model(self.span, tuple(sorted(self.options)), told=value_count)


#: The values of Python and MiniZinc as numbers.
TRUTHS = {"true": "1", "false": "0"}

#: A variable of an option: its number, and the meaning of the option.
NAME = re.compile(r"x([0-9]{1,9})(?![0-9A-Za-z])(.*)", re.DOTALL)

_ZERO = re.compile(r"x([0-9]{1,9})(?![0-9A-Za-z])\S* 0$")

#: An auxiliary variable of a writer of puzzlec, without a meaning.
AUXILIARY = re.compile(r"[nsy](?![A-Za-z])|_")

#: Suggestion for an answer with another number of variables than the puzzle has options.
SAME_PUZZLE_HELP = "give the answer for this puzzle, with the same `-p`"

_NAMES = "variables of options are named `x`, the number of the option, and its meaning"


def numbers_known(meaning: AnswerMeaning) -> str:
    """Return a note about the numbers of variables."""
    return (
        f"there are {meaning.options} options, so variables 1 to {meaning.options}"
        if meaning.options
        else "there are no variables"
    )


def number(text: str) -> float | None:
    """Return the number in a text; None for anything but a finite number."""
    if not re.fullmatch(r"[-+]?(?:[0-9]{1,400}\.?[0-9]{0,400}|\.[0-9]{1,400})(?:[eE][-+]?[0-9]{1,4})?", text):
        return None
    return float(text)


def _plain(name: str) -> str:
    """Return a name in the form in which names are compared."""
    return re.sub(r"[\s_]+", " ", name.replace("|", "/")).strip()


def _letters(text: str) -> str:
    """Return the common part of all spellings of a label: its letters and digits."""
    return re.sub(r"[^0-9A-Za-z]+", "", text.removeprefix("_"))
