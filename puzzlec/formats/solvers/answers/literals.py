"""Output of SAT and pseudo-Boolean solvers: literals of a model.

The SAT competitions (https://satcompetition.github.io, "Output Format") use lines `c` (comments), `s` (the status), `v`
(literals, 0 at the end of a model). The pseudo-Boolean competitions (https://www.cril.univ-artois.fr/PB16/format.pdf)
use `x12` and `-x12` as literals, no 0, and lines `o`. The reader also takes result files of minisat (`SAT`, a line of
literals) and lists from Python. The MaxSAT Evaluations (https://maxsat-evaluations.github.io) print a model as one word
of a 0 or 1 for each variable.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress

from puzzlec.diagnostics import Diagnostic, Report, Span
from puzzlec.diagnostics.error import MAX_DIAGNOSTICS_KEPT
from puzzlec.formats.solvers.answers.lines import Lines
from puzzlec.formats.solvers.answers.model import Ending, Event, Known, Model, Said, faults_of

#: The meaning of a status in capitals. True: a model follows.
STATUS: dict[str, Ending | bool] = {
    "SATISFIABLE": True,
    "OPTIMUM FOUND": True,
    "SAT": True,
    "OPT": True,
    "TRUE": True,
    "UNSATISFIABLE": Ending.COMPLETE,
    "UNSAT": Ending.COMPLETE,
    "UNS": Ending.COMPLETE,
    "FALSE": Ending.COMPLETE,
    "NONE": Ending.UNKNOWN,  # also Python's answer of a solver that was not called or was stopped
    "UNKNOWN": Ending.UNKNOWN,
    "INDETERMINATE": Ending.UNKNOWN,
    "INDET": Ending.UNKNOWN,
    "UNSUPPORTED": Ending.UNKNOWN,
}

#: Maximum number of digits of a variable.
_DIGITS = 15

_SIGNED = re.compile(rf"-?[0-9]{{1,{_DIGITS}}}")
_NAMED = re.compile(rf"([-~]?)x([0-9]{{1,{_DIGITS}}})")
_PIECE = re.compile(r"[^\s,\[\]()]+|[\[\](),]")


def read_literals(lines: Lines, known: Known) -> Iterator[Event]:
    """Yield the models of an answer of a SAT or pseudo-Boolean solver, and its final status.

    Variables that are not options are skipped. Options that a model does not mention are not chosen. Comments are
    allowed everywhere, other text only outside of models. The errors of a model are in it.
    """
    return _Reader(lines, known).events()


class _Reader:
    def __init__(self, lines: Lines, known: Known) -> None:
        self.lines, self.known = lines, known
        # The positions of the literals of the current model, and the literals (0: none).
        self.parts: list[tuple[Span, list[int]]] = []
        self.faults: list[Diagnostic] = []
        self.open = self.listed = False  # whether a model has begun; whether it is a list in brackets
        self.named = False  # whether its literals are `x12`: there is no 0 at its end
        self.promised: Span | None = None  # the position of a claimed model that has not come yet
        # The first line without meaning: a program may print text before and after models.
        self.stray: Span | None = None
        self.models = 0
        self.any = False  # whether a model or a status has been read
        self.told = False  # a model came before the status of its solver

    def events(self) -> Iterator[Event]:
        for line in self.lines:
            text = line.text.strip()
            head, _, rest = text.partition(" ")
            if self.named and self.open and head != "v":
                yield self.close()
            if head == "c" and rest.strip() == "UNKNOWN":  # CaDiCaL, after its time limit
                self.any = True
                yield Said(Ending.UNKNOWN, line)
            elif head in ("c", "o", "d", "") or text[0] in "#%" or text.startswith(("WARNING", "c\t")):
                pass
            elif head == "s":
                yield from self.status(line, rest.strip())
            elif text.upper() in STATUS:
                yield from self.status(line, text)
            elif head == "v" and self.are_bits(rest.strip()):
                self.add(line, [number if bit == "1" else -number for number, bit in enumerate(rest.strip(), 1)])
                yield self.close()
            elif head == "v" or re.match(r"[-0-9\[]|\([\s(\[]*[-0-9]", text):
                yield from self.literals(line, 1 if head == "v" else 0)
            else:
                at = line.source.span(line.start + line.text.index(text), line.end)
                if self.open and not self.named:  # in the middle of a model
                    self.fault(at, "expected literals or a status")
                elif self.stray is None:
                    self.stray = at
        if self.open and self.named:
            yield self.close()
        elif self.open:
            what = "`]` after" if self.listed else "0 after"
            at = self.parts[-1][0] if self.parts else self.lines.end
            with faults_of(self.faults) as report:
                report.add("PZ616", f"unexpected end of file: missing {what} the last literal of this model", at)
            yield self.close()
        elif self.promised is not None:
            yield self.broken_promise()
        elif self.stray is not None and not self.any:
            yield Model(self.stray, faults=(_cannot(self.stray, "expected literals or a status"),))

    def are_bits(self, word: str) -> bool:
        """Whether a word has a 0 or 1 for each variable, as MaxSAT solvers print a model."""
        return not self.open and len(word) >= max(2, self.known.options) and not word.strip("01")

    def status(self, line: Span, words: str) -> Iterator[Event]:
        """Take a status: an ending, or that a model is there."""
        self.any = True
        at = line.source.span(line.end - len(line.text.lstrip()) if not words else line.end - len(words), line.end)
        if self.open:  # the model before it has no end
            with faults_of(self.faults) as report:
                at_last = self.parts[-1][0] if self.parts else at
                report.add("PZ616", "missing 0 after the last literal of this model", at_last)
            yield self.close()
        said = STATUS.get(" ".join(words.upper().split()))
        total = re.match(r"SOLUTIONS\s+(\d{1,12})$", words.upper())  # picosat prints this when it lists all models
        if total:
            said = Ending.COMPLETE if int(total[1]) <= self.models else Ending.UNKNOWN
        if said is None:
            yield Model(at, faults=(_cannot(at, f"unknown status `{words[:40]}`"),))
        elif isinstance(said, Ending):
            if self.promised is not None:
                yield self.broken_promise()
            self.told = False
            yield Said(said, at)
        elif self.told:  # some solvers print their models first
            self.told = False
        else:
            if self.promised is not None:
                yield self.broken_promise()
            self.promised = at

    def broken_promise(self) -> Model:
        at, self.promised = self.promised, None
        assert at is not None
        help = "give the file of the model: some solvers write a separate one"
        with faults_of([]) as report:
            report.add("PZ616", "the answer claims a solution but lists none", at, help=help)
        return Model(at, faults=tuple(report.diagnostics))

    def literals(self, line: Span, skip: int) -> Iterator[Event]:
        """Take a line of literals, and yield the models that end in it."""
        text = line.text
        start = text.index("v") + 1 if skip else 0
        body = text[start:]
        simple = body.strip(" ")
        listed = simple.startswith("[") and not self.open
        if not self.listed and re.fullmatch(r"\[[-0-9, ]*\]" if listed else r"[-0-9 ]+", simple):
            with suppress(ValueError):  # an error is reported below, with its position
                numbers = list(map(int, simple.strip("[]").replace(",", " ").split()))
                ended = listed or numbers[-1] == 0
                literals = numbers[:-1] if ended and not listed else numbers
                if 0 not in literals and (listed or max(numbers) < 10**_DIGITS):
                    self.add(line, literals)
                    if ended:
                        yield self.close()
                    return
        yield from self.pieces(line, start)

    def pieces(self, line: Span, start: int) -> Iterator[Event]:
        """Take a line part by part: with lists, names, several models, or errors."""
        found: list[int] = []
        for match in _PIECE.finditer(line.text, start):
            word, at = match[0], line.source.span(line.start + match.start(), line.start + match.end())
            if word in ",()":
                continue
            if word == "[":
                self.listed = True
                continue
            if word == "]":
                if self.open or self.listed:
                    self.add(line, found)
                    found = []
                    if self.listed:
                        yield self.close()
                continue
            self.open = True
            named = _NAMED.fullmatch(word)
            if named:
                self.named = True
                found.append(-int(named[2]) if named[1] else int(named[2]))
                if not int(named[2]):
                    self.fault(at, "variables are numbered from 1")
            elif _SIGNED.fullmatch(word):
                value = int(word)
                if value or self.listed:
                    found.append(value)
                if not value:
                    if self.listed:
                        self.fault(at, "unexpected variable 0 in a list")
                        continue
                    self.add(line, found)
                    found = []
                    yield self.close()
            else:
                self.fault(at, "expected a literal")
        if found:
            self.add(line, found)

    def fault(self, at: Span, what: str) -> None:
        if len(self.faults) >= MAX_DIAGNOSTICS_KEPT:
            return
        with faults_of(self.faults) as report:
            report.append(_cannot(at, what))

    def add(self, line: Span, numbers: list[int]) -> None:
        self.open = self.any = True
        self.parts.append((line, numbers))

    def close(self) -> Model:
        """Return the model that ends here."""
        self.models += 1
        parts, faults = self.parts, self.faults
        self.parts, self.faults = [], []
        self.open = self.listed = self.named = False
        if self.promised is None:
            self.told = True
        self.promised = None
        span = parts[0][0] if parts else self.lines.last
        assert span is not None
        numbers = parts[0][1] if len(parts) == 1 else [number for _, several in parts for number in several]
        if len(set(map(abs, numbers))) != len(numbers):
            with faults_of(faults) as report:
                _find_contradiction(parts, report)
        if faults:
            return Model(span, faults=tuple(faults))
        count = self.known.options
        told = len(numbers) if min(numbers, default=0) < 0 and max(map(abs, numbers)) == len(numbers) else 0
        return Model(span, tuple(sorted({number - 1 for number in numbers if 0 < number <= count})), told=told)


def _cannot(at: Span, what: str) -> Diagnostic:
    """Return the error for unreadable text."""
    faults: list[Diagnostic] = []
    with faults_of(faults) as report:
        message = what if what.startswith("`") else f"unexpected `{at.text[:40]}`: {what}"
        report.add("PZ612", message, at)
    return faults[0]


def _find_contradiction(parts: list[tuple[Span, list[int]]], report: Report) -> None:
    """Add to a report the first variable that a model has both true and false."""
    seen: dict[int, int] = {}
    for line, numbers in parts:
        for number in numbers:
            if seen.setdefault(abs(number), number) != number:
                match = list(re.finditer(rf"(?<![0-9])[-~]?x?0*{abs(number)}(?![0-9])", line.text))[-1]
                at = line.source.span(line.start + match.start(), line.start + match.end())
                report.add("PZ615", f"variable {abs(number)} is both true and false", at)
                return
