"""What the worker does: check a text, and say what a place in it means.

Each task is a dictionary: ``do`` says what; ``text`` with its ``name`` (a path, from which its format and lattices
beside it are found) and ``language`` is a document, ``encoding`` what the editor counts columns in.
"""

from __future__ import annotations

from typing import Any

from puzzlec.diagnostics import Diagnostic, PuzzleError, Report
from puzzlec.diagnostics.files import source_of
from puzzlec.engine.problem import ExactCover
from puzzlec.formats.reading import guess_format, read
from puzzlec.formats.registry import FORMATS
from puzzlec.ir import Puzzle
from puzzlec.services.lsp.findings import findings
from puzzlec.services.lsp.meaning import Understood
from puzzlec.services.lsp.syntax import Syntax, syntax_of
from puzzlec.services.lsp.text import Text
from puzzlec.services.sandbox.worker import Tell

#: So many names of pieces are told for completion.
_MOST_NAMES = 2000

#: What is known of the text that was checked last.
_last: list[Understood] = []


def do(task: dict[str, Any], tell: Tell) -> None:
    """Do a task; what is found is told, at last an ``end``."""
    if task["do"] == "hover":
        known = _understood(task)
        tell("end", why="complete", **known.hover(known.text.offset(*task["place"])))
    else:
        _check(task, tell)


def _understood(task: dict[str, Any]) -> Understood:
    """Return what is known of a document; where another one was checked last, it is read now."""
    if not _last or (_last[0].text.raw, _last[0].syntax.source.name) != (task["text"], task["name"]):
        _check(task, lambda event, **more: None)  # noqa: ARG005
    return _last[0]


def _check(task: dict[str, Any], tell: Tell) -> None:
    """Tell the faults of a text; then, together with those, reasons why there can be no solution."""
    from puzzlec.pipeline import check, compile

    text = Text(task["text"], task["encoding"])
    source = text.source(task["name"])
    report = Report()
    language = task["language"]
    syntax = Syntax(source, known=False)
    known = Understood(text, syntax, None, None)
    faults: tuple[Diagnostic, ...] = ()
    try:
        source_of(text.plain.encode(), source.name)  # refuses what is no text
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
        faults = error.diagnostics
    _last[:] = [known]
    seen = list(report.diagnostics)
    told = [*seen, *(each for each in faults if each not in seen)]
    names = [each.name for each in known.puzzle.pieces[:_MOST_NAMES]] if known.puzzle else None
    tell("end", why="complete", diagnostics=findings(told, text, syntax), pieces=names)
