"""The tasks of the worker: check a text, and explain a place in it.

A task is a dictionary. ``do`` is its kind. ``text``, ``name`` and ``language`` are a document: its name is a path,
which gives the format and the place of lattice files. ``encoding`` is the unit of the editor's columns.
"""

from __future__ import annotations

from typing import Any

from puzzlec.diagnostics import Diagnostic, PuzzleError, Report
from puzzlec.diagnostics.files import source_of
from puzzlec.engine.problem import ExactCover
from puzzlec.formats.reading import guess_format, read
from puzzlec.formats.registry import FORMATS
from puzzlec.ir import Puzzle
from puzzlec.language.editing.syntax import Syntax, syntax_of
from puzzlec.services.lsp.findings import findings
from puzzlec.services.lsp.meaning import Understood
from puzzlec.services.lsp.text import Text
from puzzlec.services.sandbox.worker import Tell

#: Most names of pieces that are sent for completion.
_MOST_NAMES = 2000

#: The meaning of the text that was checked last.
_last: list[Understood] = []


def do(task: dict[str, Any], tell: Tell) -> None:
    """Do a task, and send its results. The last message is ``end``."""
    if task["do"] == "hover":
        known = _understood(task)
        tell("end", why="complete", **known.hover(known.text.offset(*task["place"])))
    else:
        _check(task, tell)


def _understood(task: dict[str, Any]) -> Understood:
    """Return the meaning of a document; read it if another one was checked last."""
    if not _last or (_last[0].text.raw, _last[0].syntax.source.name) != (task["text"], task["name"]):
        _check(task, lambda event, **more: None)  # noqa: ARG005
    return _last[0]


def _check(task: dict[str, Any], tell: Tell) -> None:
    """Send the errors of a text; then send them again, with reasons why there can be no solution."""
    from puzzlec.pipeline import check, compile

    text = Text(task["text"], task["encoding"])
    source = text.source(task["name"])
    report = Report()
    language = task["language"]
    syntax = Syntax(source, known=False)
    known = Understood(text, syntax, None, None)
    errors: tuple[Diagnostic, ...] = ()
    try:
        source_of(text.plain.encode(), source.name)  # rejects binary data
        format = language if language in FORMATS else guess_format(source)
        if format == "puzzle":
            syntax = syntax_of(source)
            known = Understood(text, syntax, None, None)
        what = read(source, format, report)
        tell("read", diagnostics=findings(report.diagnostics, text, syntax))
        compiled = compile(what, "cover" if isinstance(what, ExactCover) else "fitting", report)
        if isinstance(what, Puzzle):
            known = Understood(text, syntax, what, compiled)
        check(compiled, report)
    except PuzzleError as error:
        errors = error.diagnostics
    _last[:] = [known]
    seen = list(report.diagnostics)
    found = [*seen, *(error for error in errors if error not in seen)]
    names = [piece.name for piece in known.puzzle.pieces[:_MOST_NAMES]] if known.puzzle else None
    tell("end", why="complete", diagnostics=findings(found, text, syntax), pieces=names)
