"""Diagnostics as data and as text on a terminal, the error that carries them, and the report that collects them.

The text has the message, the source line with a caret, notes and suggestions. :func:`needs` imports optional packages.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import Any, NamedTuple, TypeVar

from puzzlec.diagnostics.codes import CODES, Severity
from puzzlec.diagnostics.source import Span

_T = TypeVar("_T")


class Label(NamedTuple):
    """A stretch of text with a short remark, which may be empty."""

    span: Span
    text: str = ""


_EXCERPT_COLUMNS = 100
_RED, _YELLOW, _BLUE, _BOLD, _PLAIN = "\033[31m", "\033[33m", "\033[34m", "\033[1m", "\033[0m"


@dataclass(frozen=True)
class Diagnostic:
    """One problem: its code, a message that is complete alone, its position, notes and suggestions.

    ``message`` says what is wrong, in lower case and without a full stop. ``notes`` give facts. ``helps`` are
    suggestions: each can be typed. A diagnostic about a whole file has a ``file`` instead of a ``label``.

    >>> import puzzlec
    >>> try:
    ...     puzzlec.parse("piece A { xx }")
    ... except puzzlec.PuzzleError as error:
    ...     found = error.diagnostics[0]
    >>> found.code, found.message
    ('PZ308', 'puzzle has no locations')
    """

    def __repr__(self) -> str:
        return f"<Diagnostic {self.code}: {self.message[:70]}>"

    code: str
    message: str
    label: Label | None = None
    others: tuple[Label, ...] = ()
    notes: tuple[str, ...] = ()
    helps: tuple[str, ...] = ()
    file: str | None = None

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:  # noqa: ARG002
        """Return what a notebook shows: the diagnostic with its source line."""
        return {"text/plain": render(self)}

    @property
    def severity(self) -> Severity:
        """Severity of the code."""
        return CODES[self.code].severity

    @property
    def span(self) -> Span | None:
        """Position of the problem, if it is at a position in a text."""
        return self.label.span if self.label else None

    def __str__(self) -> str:
        where = str(self.span) if self.span else self.file
        return f"{where + ': ' if where else ''}{self.severity.value}[{self.code}]: {self.message}"


def render(diagnostic: Diagnostic, *, colour: bool = False) -> str:
    r"""Return the diagnostic as lines of text with the source line, as the pages in ``docs/errors/`` show it.

    >>> import puzzlec
    >>> try:
    ...     puzzlec.parse("locations box 2x3\npice D x3 { xx }")
    ... except puzzlec.PuzzleError as error:
    ...     print(puzzlec.render(error.diagnostics[0]))
    error[PZ102]: unknown statement `pice`
     --> <text>:2:1
      |
    2 | pice D x3 { xx }
      | ^^^^
      |
      = help: write `piece D x3 { xx }`

    """
    return "\n".join(_lines(diagnostic, colour))


def concise(diagnostic: Diagnostic) -> str:
    """Return the diagnostic on one line, the form that editors parse.

    ``file:line:column: error[PZ301]: message``
    """
    return _visible(str(diagnostic))


def as_dict(diagnostic: Diagnostic) -> dict[str, object]:
    """Return the diagnostic as plain data for other programs.

    Lines and columns count from 1, and columns count characters. ``end`` is the position after the last character.
    If a diagnostic is about a whole file, ``span`` is null.
    """
    return {
        "code": diagnostic.code,
        "severity": diagnostic.severity.value,
        "message": diagnostic.message,
        "file": diagnostic.span.source.name if diagnostic.span else diagnostic.file,
        "span": _span(diagnostic.label) if diagnostic.label else None,
        "label": diagnostic.label.text if diagnostic.label else "",
        "others": [{"span": _span(other), "label": other.text} for other in diagnostic.others],
        "notes": list(diagnostic.notes),
        "helps": list(diagnostic.helps),
    }


def _span(label: Label) -> dict[str, object]:
    source = label.span.source
    places = {}
    for name, offset in (("start", label.span.start), ("end", label.span.end)):
        line, column = source.position(offset)
        places[name] = {"line": line, "column": column, "offset": offset}
    return {"file": source.name, **places}


def _lines(diagnostic: Diagnostic, colour: bool) -> Iterator[str]:
    def paint(text: str, *codes: str) -> str:
        return "".join(codes) + text + _PLAIN if colour and text else text

    hue = {Severity.ERROR: _RED, Severity.WARNING: _YELLOW}.get(diagnostic.severity, _BLUE)
    head = f"{diagnostic.severity.value}[{diagnostic.code}]"
    yield f"{paint(head, _BOLD, hue)}{paint(': ' + _visible(diagnostic.message), _BOLD)}"
    labels = [label for label in (diagnostic.label, *diagnostic.others) if label]
    numbers = [label.span.source.position(label.span.start)[0] for label in labels]
    margin = max((len(str(number)) for number in numbers), default=1)
    gutter = " " * margin + paint(" |", _BLUE)
    if diagnostic.span:
        yield f"{' ' * margin}{paint('-->', _BLUE)} {_visible(str(diagnostic.span))}"
        yield gutter
        above: tuple[int, str] | None = None
        for number, label in sorted(zip(numbers, labels, strict=True), key=lambda pair: pair[1].span.start):
            main = label is diagnostic.label
            line, mark = _excerpt(label, "^" if main else "-")
            if (number, line) != above:
                yield f"{paint(f'{number:>{margin}} |', _BLUE)} {line}".rstrip()
            above = number, line
            yield f"{gutter} {paint(mark, hue if main else _BLUE)}".rstrip()
        if diagnostic.notes or diagnostic.helps:
            yield gutter
    elif diagnostic.file:
        yield f"{' ' * margin}{paint('-->', _BLUE)} {_visible(diagnostic.file)}"
    for kind, texts in (("note", diagnostic.notes), ("help", diagnostic.helps)):
        for text in texts:
            first, *rest = _visible(text, keep="\n").split("\n")
            yield f"{' ' * margin} {paint('=', _BLUE)} {paint(kind + ':', _BOLD)} {first}"
            yield from (f"{' ' * margin}   {' ' * (len(kind) + 1)} {line}" for line in rest)


def _excerpt(label: Label, sign: str) -> tuple[str, str]:
    """Return the source line of a label, cropped to a readable width, and the marks under it."""
    span = label.span
    number, column = span.source.position(span.start)
    line = span.source.line(number)
    start = min(column - 1, len(line))
    end = min(max(start + span.end - span.start, start + 1), max(len(line), start + 1))
    first = (
        0 if len(line) <= _EXCERPT_COLUMNS or end <= _EXCERPT_COLUMNS - 10 else max(0, start - _EXCERPT_COLUMNS // 2)
    )
    excerpt = line[first : first + _EXCERPT_COLUMNS]
    lead = "..." if first else ""
    tail = "..." if first + _EXCERPT_COLUMNS < len(line) else ""
    before = lead + _visible(line[first:start])
    marked = _visible(line[start : min(end, first + _EXCERPT_COLUMNS)]) or " "
    text = f" {_visible(label.text)}" if label.text else ""
    return lead + _visible(excerpt) + tail, " " * len(before) + sign * len(marked) + text


def _visible(text: str, keep: str = "") -> str:
    """Return the text with four spaces for each tab and `?` for each control character."""
    return "".join(
        character if character.isprintable() or character in keep else "    " if character == "\t" else "?"
        for character in text
    )


#: A report keeps this many diagnostics and only counts the rest.
MAX_DIAGNOSTICS_KEPT = 50


class PuzzleError(Exception):
    """A text cannot be compiled. At least one of ``diagnostics`` is an error.

    >>> import puzzlec
    >>> try:
    ...     puzzlec.load("som")
    ... except puzzlec.PuzzleError as error:
    ...     print(error.diagnostics[0].message)
    unknown file or puzzle `som`
    """

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__("\n".join(str(diagnostic) for diagnostic in self.diagnostics))

    def __repr__(self) -> str:
        others = f", and {len(self.diagnostics) - 1} more" * (len(self.diagnostics) > 1)
        return f"<PuzzleError {self.diagnostics[0].code}: {self.diagnostics[0].message[:60]}{others}>"

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
    """Collector of diagnostics: later problems are reported together with the first.

    >>> import puzzlec
    >>> report = puzzlec.Report()
    >>> puzzlec.check("soma/castle", report=report)
    <Fitting "Soma castle": 27 locations, 7 pieces, 216 placements>
    >>> report.errors, len(report.diagnostics)
    (0, 0)
    """

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
        repeated = bool(self.round) and any(
            diagnostic.code == code and diagnostic.span == span for diagnostic in self.diagnostics
        )
        if repeated:
            self.errors += CODES[code].severity is Severity.ERROR
        return repeated

    def append(self, diagnostic: Diagnostic) -> None:
        """Add a finished diagnostic, unless it is there already or the report is full."""
        errors = sum(diagnostic.severity is Severity.ERROR for diagnostic in self.diagnostics)
        if diagnostic.severity is not Severity.ERROR and len(self.diagnostics) - errors >= MAX_DIAGNOSTICS_KEPT:
            return
        if diagnostic in self.diagnostics:
            return
        self.diagnostics.append(diagnostic)
        if diagnostic.severity is Severity.ERROR:
            self.errors += 1
            if errors + 1 >= MAX_DIAGNOSTICS_KEPT:
                raise self.error()

    def error(self) -> PuzzleError:
        """Return the error that carries all diagnostics."""
        return PuzzleError(self.diagnostics)

    def stop_on_errors(self) -> None:
        """Raise PuzzleError if an error was collected; warnings alone do not raise."""
        if self.errors:
            raise self.error()


def unless_errors(report: Report, made: _T | None) -> _T:
    """Return what was made; raise PuzzleError if the report has an error. Without an error, something was made."""
    report.stop_on_errors()
    assert made is not None
    return made


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
