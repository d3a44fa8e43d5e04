"""The tasks of the worker: check a text, and explain a position in it.

A task is a dictionary. ``do`` is its kind. ``text``, ``name`` and ``language`` are a document: its name is a path,
which gives the format and the position of lattice files. ``encoding`` is the unit of the editor's columns.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from puzzlec.diagnostics import Diagnostic, PuzzleError, Report, Severity, Source, Span
from puzzlec.diagnostics.files import source_of
from puzzlec.engine.problem import ExactCover
from puzzlec.formats.reading import guess_format, read
from puzzlec.formats.registry import FORMATS
from puzzlec.ir import Fitting, Puzzle
from puzzlec.language.editing.syntax import NameKind, Syntax, syntax_of
from puzzlec.services.lsp.text import EditorText
from puzzlec.services.meaning import Meaning
from puzzlec.services.sandbox.worker import Tell
from puzzlec.version import repository_file

#: Maximum number of names of pieces that are sent for completion.
_MAX_PIECE_NAMES = 2000

#: The meaning of the text that was checked last.
_last: list[tuple[EditorText, Meaning]] = []


def do(task: dict[str, Any], tell: Tell) -> None:
    """Do a task, and send its results. The last message is ``end``."""
    if task["do"] == "hover":
        text, meaning = _understood(task)
        explained = meaning.explain(text.offset(*task["place"]))
        here = explained and {
            "markdown": explained.markdown,
            "range": [*text.place(explained.start), *text.place(explained.end)],
        }
        tell("end", why="complete", **(here or {}))
    else:
        _check(task, tell)


def _understood(task: dict[str, Any]) -> tuple[EditorText, Meaning]:
    """Return the meaning of a document; read the document if another one was checked last."""
    if not _last or (_last[0][0].raw, _last[0][1].syntax.source.name) != (task["text"], task["name"]):
        _check(task, None)
    return _last[0]


def _check(task: dict[str, Any], tell: Tell | None) -> None:
    """Send the errors of a text; then send them again, with reasons why there can be no solution, and wrong numbers.

    Without ``tell``, only keep the meaning of the text.
    """
    from puzzlec.compiler import check, compile

    text = EditorText(task["text"], task["encoding"])
    source = text.source(task["name"])
    report = Report()
    language = task["language"]
    syntax = Syntax(source, known=False)
    meaning = Meaning(syntax, None, None)
    errors: tuple[Diagnostic, ...] = ()
    try:
        source_of(text.plain.encode(), source.name)  # rejects binary data
        format = language if language in FORMATS else guess_format(source)
        if format == "puzzle":
            syntax = syntax_of(source)
            meaning = Meaning(syntax, None, None)
        what = read(source, format, report)
        if tell is not None:
            tell("read", diagnostics=_findings(report.diagnostics, text, syntax))
        compiled = compile(what, stage="cover" if isinstance(what, ExactCover) else "fitting", report=report)
        if isinstance(what, Puzzle):
            meaning = Meaning(syntax, what, compiled)
        check(compiled, report=report)
    except PuzzleError as error:
        errors = error.diagnostics
    _last[:] = [(text, meaning)]
    if tell is None:
        return
    seen = list(report.diagnostics)
    findings = [*seen, *(error for error in errors if error not in seen)]
    names = [piece.name for piece in meaning.puzzle.pieces[:_MAX_PIECE_NAMES]] if meaning.puzzle else None
    if not any(error.severity is Severity.ERROR for error in findings):
        tell("read", diagnostics=_findings(findings, text, syntax))
        findings += _wrong_numbers(meaning.fitting)
    tell("end", why="complete", diagnostics=_findings(findings, text, syntax), pieces=names)


#: Seconds for a count of the solutions that `expect` promises.
MAX_COUNT_SECONDS = 1.0


def _wrong_numbers(fitting: Fitting | None) -> list[Diagnostic]:
    """Return the errors for numbers of `expect` that are wrong, as far as a short count finds them."""
    if fitting is None or fitting.puzzle is None or not fitting.puzzle.expected:
        return []
    from puzzlec.lower import encode
    from puzzlec.recount import check_expected

    report = Report()
    check_expected(encode(fitting), report, seconds=MAX_COUNT_SECONDS)
    return [diagnostic for diagnostic in report.diagnostics if diagnostic.severity is Severity.ERROR]


#: Codes of diagnostics that suggest an option of the command line, which an editor does not have.
_HIDDEN_CODES = {"PZ004", "PZ251"}

#: Four numbers: line and column of the start, and of the end (exclusive).
Stretch = list[int]


def _findings(diagnostics: Iterable[Diagnostic], text: EditorText, syntax: Syntax) -> list[dict[str, Any]]:
    """Return diagnostics as plain data; ``text`` is the text of the editor, ``syntax`` its tree."""
    return [_finding(diagnostic, text, syntax) for diagnostic in diagnostics if diagnostic.code not in _HIDDEN_CODES]


def _finding(diagnostic: Diagnostic, text: EditorText, syntax: Syntax) -> dict[str, Any]:
    source = syntax.source
    here = diagnostic.span is not None and diagnostic.span.source.text == source.text
    related = [_elsewhere(other.span, other.text, text, source) for other in diagnostic.others]
    if diagnostic.span is not None and not here:  # it is in a lattice file
        related.insert(0, _elsewhere(diagnostic.span, "here", text, source))
    page = repository_file(f"docs/errors/{diagnostic.code}.md")
    label = f" ({diagnostic.label.text})" if diagnostic.label and diagnostic.label.text else ""
    return {
        "range": stretch(diagnostic.span, text) if diagnostic.span is not None and here else _named(text, syntax),
        "severity": list(Severity).index(diagnostic.severity) + 1,  # the protocol numbers them in this order
        "code": diagnostic.code,
        "href": page,
        "message": "\n".join(
            [
                f"{diagnostic.message}{label}",
                *(f"note: {note}" for note in diagnostic.notes),
                *(f"help: {suggestion}" for suggestion in diagnostic.helps),
                *([] if page else [f"more: `puzzlec explain {diagnostic.code}`"]),
            ]
        ),
        "related": related,
        "fixes": [
            {
                "title": fix.title,
                "edits": [
                    {"range": [*text.place(start), *text.place(end)], "new": new} for start, end, new in fix.edits
                ],
            }
            for fix in (syntax.fixes(diagnostic) if here else ())
        ],
    }


def stretch(span: Span, text: EditorText) -> Stretch:
    """Return the range of a span. An empty span, or the end of a line, becomes the character before it."""
    start, end = text.place(span.start), text.place(span.end)
    if span.text in ("", "\n"):
        end = start
        if start[1]:
            start = text.place(span.start - 1)
    return [*start, *end]


def _named(text: EditorText, syntax: Syntax) -> Stretch:
    """Return the range for an error that is not in this text: the name of the lattice, or the first line."""
    named = next((name for name in syntax.names if name.kind is NameKind.LATTICE), None)
    if named is not None:
        return [*text.place(named.start), *text.place(named.end)]
    return [0, 0, *text.place(len(syntax.source.line(1)))]


def _elsewhere(span: Span, remark: str, text: EditorText, source: Source) -> dict[str, Any]:
    """Return a further position; ``file`` is None in the document itself."""
    if span.source.text == source.text:
        return {"file": None, "range": stretch(span, text), "message": remark}
    other = EditorText(span.source.text, text.encoding)
    return {"file": span.source.name, "range": stretch(span, other), "message": remark}
