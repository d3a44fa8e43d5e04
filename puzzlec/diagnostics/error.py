"""The error that carries diagnostics, the report that collects them, and imports of optional packages."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from typing import Any

from puzzlec.diagnostics.codes import CODES, Severity
from puzzlec.diagnostics.diagnostic import Diagnostic, Label, render
from puzzlec.diagnostics.source import Span

#: A report keeps this many diagnostics and only counts the rest.
MOST = 50


class PuzzleError(Exception):
    """A text cannot be compiled. At least one of ``diagnostics`` is an error."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__("\n".join(str(diagnostic) for diagnostic in self.diagnostics))

    def __reduce__(self) -> tuple[type[PuzzleError], tuple[tuple[Diagnostic, ...]]]:
        # Exceptions travel to another process with the arguments of their base class, here the text.
        return type(self), (self.diagnostics,)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:  # noqa: ARG002
        """Return what a notebook shows: the diagnostics with their lines."""
        return {"text/plain": "\n\n".join(map(render, self.diagnostics))}

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:  # noqa: ARG002
        """Write the diagnostics instead of IPython's own text for an exception."""
        printer.text(self._repr_mimebundle_()["text/plain"])

    def _render_traceback_(self) -> list[str]:
        """Return the diagnostics for IPython to print if this is not caught: the traceback would not help."""
        return "\n\n".join(render(diagnostic, colour=True) for diagnostic in self.diagnostics).split("\n")


class Report:
    """Collector of diagnostics: later problems are reported together with the first."""

    def __init__(self) -> None:
        self.diagnostics: list[Diagnostic] = []
        self.errors = 0
        #: Values of the variables in the current iteration of a loop. A problem is reported once, with its first
        #: iteration.
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
        """Add a diagnostic. ``others`` are further positions with remarks; those without a span are left out."""
        notes = (note,) if isinstance(note, str) else tuple(note)
        if self.round:
            if self.repeats(code, span):
                return
            notes = (*notes, f"in the iteration with {self.round}")
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
        """Return whether another iteration of a loop found the same problem at this position, and if so, count it."""
        told = bool(self.round) and any(
            diagnostic.code == code and diagnostic.span == span for diagnostic in self.diagnostics
        )
        if told:
            self.errors += CODES[code].severity is Severity.ERROR
        return told

    def append(self, diagnostic: Diagnostic) -> None:
        """Add a finished diagnostic, unless it is there already or the report is full."""
        errors = sum(diagnostic.severity is Severity.ERROR for diagnostic in self.diagnostics)
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
        """Return the error that carries all diagnostics."""
        return PuzzleError(self.diagnostics)

    def stop_on_errors(self) -> None:
        """Raise PuzzleError if an error was collected; warnings alone do not raise."""
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
    """Return the error with a single diagnostic."""
    report = Report()
    report.add(code, message, span, label, note=note, help=help, file=file)
    return report.error()


#: Packages whose modules have another name.
_PACKAGES = {"PIL": "pillow"}


def needs(module: str, extra: str, what: str) -> Any:
    """Return a module that an extra of puzzlec installs; ``what`` needs it, such as "a PNG picture".

    Raises PuzzleError (PZ505) if it is missing, or does not start on this machine.

    >>> needs("json", "print", "a mesh").__name__
    'json'
    """
    try:
        return import_module(module)
    except ImportError as error:
        package = module.split(".")[0]
        missing = isinstance(error, ModuleNotFoundError) and (error.name or "").split(".")[0] == package
        state = "is not installed" if missing else f"does not start: {error}"
        raise fail(
            "PZ505",
            f"{what} needs the package `{_PACKAGES.get(package, package)}`, which {state}",
            help=f"run `python -m pip install 'puzzlec[{extra}]'`",
        ) from None
