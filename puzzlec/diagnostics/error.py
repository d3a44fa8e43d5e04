"""The error that carries diagnostics, and the report that collects them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from puzzlec.diagnostics.codes import CODES, Severity
from puzzlec.diagnostics.diagnostic import Diagnostic, Label, render
from puzzlec.diagnostics.source import Span

#: More than this many diagnostics help nobody; the rest is counted only.
MOST = 50


class PuzzleError(Exception):
    """A text cannot be compiled; ``diagnostics`` says why, at least one of them an error."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__("\n".join(str(each) for each in self.diagnostics))

    def __reduce__(self) -> tuple[type[PuzzleError], tuple[tuple[Diagnostic, ...]]]:
        # Exceptions are sent to another process with the arguments of their base, here the text.
        return type(self), (self.diagnostics,)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:  # noqa: ARG002
        """Return what a notebook shows: the diagnostics with their lines."""
        return {"text/plain": "\n\n".join(map(render, self.diagnostics))}

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:  # noqa: ARG002
        """Write the diagnostics where IPython would write what it writes of any exception."""
        printer.text(self._repr_mimebundle_()["text/plain"])

    def _render_traceback_(self) -> list[str]:
        """Return what IPython prints when nobody catches this: the diagnostics; where in puzzlec says nothing."""
        return "\n\n".join(render(each, colour=True) for each in self.diagnostics).split("\n")


class Report:
    """Collects diagnostics, so that the first fault does not hide the second."""

    def __init__(self) -> None:
        self.diagnostics: list[Diagnostic] = []
        self.errors = 0
        #: The values of the variables in the round of a loop that is being read; a fault is told once, with its round.
        self.round = ""

    def add(
        self,
        code: str,
        message: str,
        span: Span | None = None,
        label: str = "",
        *,
        others: Iterable[tuple[Span | None, str]] = (),
        note: str | Iterable[str] = (),
        help: str | Iterable[str] = (),
        file: str | None = None,
    ) -> None:
        """Add a diagnostic; ``others`` are further places with remarks, those without a span left out."""
        notes = (note,) if isinstance(note, str) else tuple(note)
        if self.round:
            if self.repeats(code, span):
                return
            notes = (*notes, f"in the round with {self.round}")
        self.append(
            Diagnostic(
                code,
                message,
                Label(span, label) if span else None,
                tuple(Label(place, text) for place, text in others if place is not None),
                notes,
                (help,) if isinstance(help, str) else tuple(help),
                file,
            )
        )

    def repeats(self, code: str, span: Span | None) -> bool:
        """Count a fault that another round of a loop has brought at the same place; say whether it is one."""
        told = bool(self.round) and any(each.code == code and each.span == span for each in self.diagnostics)
        if told:
            self.errors += CODES[code].severity is Severity.ERROR
        return told

    def append(self, diagnostic: Diagnostic) -> None:
        """Add a diagnostic that is made already; the same one twice is one. Of very many, the last are left out."""
        errors = sum(each.severity is Severity.ERROR for each in self.diagnostics)
        if diagnostic.severity is Severity.WARNING and len(self.diagnostics) - errors >= MOST:
            return
        if diagnostic in self.diagnostics:
            return
        self.diagnostics.append(diagnostic)
        if diagnostic.severity is Severity.ERROR:
            self.errors += 1
            if errors + 1 >= MOST:
                raise self.error()

    def error(self) -> PuzzleError:
        """Return the error that carries all that was collected."""
        return PuzzleError(self.diagnostics)

    def stop_on_errors(self) -> None:
        """Raise PuzzleError when an error was collected; warnings alone let the work go on."""
        if self.errors:
            raise self.error()


def fail(
    code: str,
    message: str,
    span: Span | None = None,
    label: str = "",
    *,
    note: str | Iterable[str] = (),
    help: str | Iterable[str] = (),
    file: str | None = None,
) -> PuzzleError:
    """Return the error for one fault after which nothing can go on."""
    report = Report()
    report.add(code, message, span, label, note=note, help=help, file=file)
    return report.error()
