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

from puzzlec.diagnostics import Report, Span
from puzzlec.formats.solvers.answers.lines import SourceLines
from puzzlec.formats.solvers.answers.model import AnswerMeaning, Ending, EndingClaim, Event, Model, refused

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

#: A literal, `-12` or `~x12`, of at most 15 digits; a bracket; other text.
_PIECE = re.compile(r"(?P<literal>[-~]?x[0-9]{1,15}|-?[0-9]{1,15})(?![^\s,\[\]()])|[^\s,\[\]()]+|[\[\](),]")


def read_literals(lines: SourceLines, meaning: AnswerMeaning) -> Iterator[Event]:
    """Yield the models of an answer of a SAT or pseudo-Boolean solver, and its final status.

    Variables that are not options are skipped. Options that a model does not mention are not chosen. Comments are
    allowed everywhere, other text only outside of models. The errors of a model are in it.
    """
    return _Reader(lines, meaning).events()


class _Reader:
    def __init__(self, lines: SourceLines, meaning: AnswerMeaning) -> None:
        self.lines, self.meaning = lines, meaning
        # The positions of the literals of the current model, and the literals.
        self.parts: list[tuple[Span, list[int]]] = []
        self.report = Report()
        self.open = self.listed = False  # whether a model has begun; whether it is a list in brackets
        self.named = False  # whether its literals are `x12`: there is no 0 at its end
        self.promise: Span | None = None  # the position of a claimed model that has not come yet
        # The first line without meaning: a program may print text before and after models.
        self.stray: Span | None = None
        self.models = 0
        self.any = False  # whether a model or a status has been read
        self.early = False  # whether a model came before the status of its solver

    def events(self) -> Iterator[Event]:
        for line in self.lines:
            text = line.text.strip()
            head, _, rest = text.partition(" ")
            if self.named and self.open and head != "v":
                yield self.close()
            if head == "c" and rest.strip() == "UNKNOWN":  # CaDiCaL, after its time limit
                self.any = True
                yield EndingClaim(Ending.UNKNOWN, line)
            elif head in ("c", "o", "d", "") or text[0] in "#%" or text.startswith(("WARNING", "c\t")):
                pass
            elif head == "s" or text.upper() in STATUS:
                yield from self.status(line, rest.strip() if head == "s" else text)
            elif head == "v" and self.are_bits(rest.strip()):
                self.add(line, [number if bit == "1" else -number for number, bit in enumerate(rest.strip(), 1)])
                yield self.close()
            elif head == "v" or re.match(r"[-0-9\[]|\([\s(\[]*[-0-9]", text):
                yield from self.literals(line, line.text.index("v") + 1 if head == "v" else 0)
            else:
                at = line.source.span(line.start + line.text.index(text), line.end)
                if self.open and not self.named:  # in the middle of a model
                    self.unexpected(at, "expected literals or a status")
                self.stray = self.stray or at
        if self.open and self.named:
            yield self.close()
        elif self.open:
            yield self.cut("unexpected end of file: ")
        elif self.promise is not None:
            yield self.broken_promise()
        elif self.stray is not None and not self.any:
            self.unexpected(self.stray, "expected literals or a status")
            yield Model(self.stray, faults=tuple(self.report.diagnostics))

    def are_bits(self, word: str) -> bool:
        """Whether a word has a 0 or 1 for each variable, as MaxSAT solvers print a model."""
        return not self.open and len(word) >= max(2, self.meaning.options) and not word.strip("01")

    def status(self, line: Span, words: str) -> Iterator[Event]:
        """Take a status: an ending, or that a model is there."""
        self.any = True
        at = line.source.span(line.end - len(words or line.text.lstrip()), line.end)
        if self.open:
            yield self.cut("")
        said = STATUS.get(" ".join(words.upper().split()))
        total = re.match(r"SOLUTIONS\s+(\d{1,12})$", words.upper())  # picosat prints this when it lists all models
        if total:
            said = Ending.COMPLETE if int(total[1]) <= self.models else Ending.UNKNOWN
        if said is None:
            yield refused(at, "PZ612", f"unknown status `{words[:40]}`")
            return
        # Some solvers print their models first.
        if self.promise is not None and not (said is True and self.early):
            yield self.broken_promise()
        if isinstance(said, Ending):
            yield EndingClaim(said, at)
        elif not self.early:
            self.promise = at
        self.early = False

    def broken_promise(self) -> Model:
        """Return the error for a claimed model that has not come."""
        at, self.promise = self.promise or self.lines.end, None
        help = "give the file of the model: some solvers write a separate one"
        return refused(at, "PZ616", "the answer claims a solution but lists none", help=help)

    def literals(self, line: Span, start: int) -> Iterator[Event]:
        """Take a line of literals from a position, and yield the models that end in it."""
        simple = line.text[start:].strip(" ")
        listed = simple.startswith("[") and not self.open
        if not self.listed and re.fullmatch(r"\[[-0-9, ]*\]" if listed else r"[-0-9 ]+", simple):
            with suppress(ValueError):  # an error is reported below, with its position
                numbers = list(map(int, simple.strip("[]").replace(",", " ").split()))
                ended = listed or numbers[-1] == 0
                literals = numbers[:-1] if ended and not listed else numbers
                if 0 not in literals and (listed or max(numbers) < 10**15):
                    self.add(line, literals)
                    if ended:
                        yield self.close()
                    return
        yield from self.pieces(line, start)

    def pieces(self, line: Span, start: int) -> Iterator[Event]:
        """Take a line part by part: with lists, names, several models, or errors."""
        numbers: list[int] = []
        for match in _PIECE.finditer(line.text, start):
            word, at = match[0], line.source.span(line.start + match.start(), line.start + match.end())
            if word in ",()":
                continue
            if word == "[":
                self.listed = True
                continue
            number = int(re.sub("~", "-", word).replace("x", "")) if match["literal"] else None
            ended = word == "]" or (number == 0 and not self.listed and "x" not in word)
            if ended and (self.open or self.listed or word != "]"):
                self.add(line, numbers)
                numbers = []
                if self.listed or word != "]":
                    yield self.close()
            if ended:
                continue
            self.open = True
            self.named = self.named or "x" in word
            if number:
                numbers.append(number)
            else:
                self.unexpected(at, "expected a literal" if number is None else "variables are numbered from 1")
        if numbers:
            self.add(line, numbers)

    def unexpected(self, at: Span, reason: str) -> None:
        self.report.add("PZ612", f"unexpected `{at.text[:40]}`: {reason}", at)

    def add(self, line: Span, numbers: list[int]) -> None:
        self.open = self.any = True
        self.parts.append((line, numbers))

    def cut(self, before: str) -> Model:
        """Return the model that has no end, as an error."""
        what = "`]`" if self.listed else "0"
        at = self.parts[-1][0] if self.parts else self.lines.end
        self.report.add("PZ616", f"{before}missing {what} after the last literal of this model", at)
        return self.close()

    def close(self) -> Model:
        """Return the model that ends here."""
        parts, report = self.parts, self.report
        self.parts, self.report = [], Report()
        self.open = self.listed = self.named = False
        self.early = self.early or self.promise is None
        self.promise = None
        self.models += 1
        span = parts[0][0] if parts else self.lines.last or self.lines.end
        numbers = parts[0][1] if len(parts) == 1 else [number for _, several in parts for number in several]
        if len(set(map(abs, numbers))) != len(numbers):
            _find_contradiction(parts, report)
        if report.errors:
            return Model(span, faults=tuple(report.diagnostics))
        count = self.meaning.options
        value_count = len(numbers) if min(numbers, default=0) < 0 and max(map(abs, numbers)) == len(numbers) else 0
        return Model(span, tuple(sorted({number - 1 for number in numbers if 0 < number <= count})), told=value_count)


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
