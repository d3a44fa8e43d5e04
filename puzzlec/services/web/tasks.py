"""The tasks of a worker for the page: check a text, change it, play and solve a puzzle, export it.

A task is a dictionary. ``do`` is its kind. ``text``, ``format``, ``board``, ``parameters`` and ``problem`` are those of
:func:`puzzlec.compiler.load`. ``name`` gives the format and the position of lattice files.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from puzzlec.diagnostics import Diagnostic, PuzzleError, Report, Severity, Source, as_dict
from puzzlec.diagnostics.error import fail
from puzzlec.diagnostics.files import source_of
from puzzlec.engine.problem import ExactCover
from puzzlec.formats.reading import AnyPuzzle, guess_format, read
from puzzlec.ir import Fitting, Puzzle
from puzzlec.services.sandbox.worker import Do, Tell
from puzzlec.show.words.languages import in_languages

if TYPE_CHECKING:
    from puzzlec.language.editing.syntax import Syntax
    from puzzlec.services.meaning import Meaning


def do(task: dict[str, Any], tell: Tell) -> None:
    """Do a task, and send its results. The last message is an ``end`` with a reason: ``complete``, or ``faulty``."""
    try:
        _TASKS[task["do"]](task, tell)
    except PuzzleError as error:
        tell("end", why="faulty", diagnostics=_data(error.diagnostics))


def _source_of(task: dict[str, Any]) -> tuple[Source, str]:
    """Return the text of a task, and the name of its format."""
    source = source_of(task["text"].encode("utf-8", "replace"), task["name"])
    return source, task.get("format") or guess_format(source)


def puzzle_of(task: dict[str, Any], report: Report) -> tuple[AnyPuzzle, str]:
    """Return the meaning of a text, and the name of its format; raise PuzzleError with all errors."""
    source, format = _source_of(task)
    parameters = task.get("parameters") or {}
    return read(source, format, report, task.get("board"), parameters, task.get("problem")), format


def _check(task: dict[str, Any], tell: Tell) -> None:
    """Send the errors of a text, then numbers and pictures, and finally reasons why there can be no solution."""
    from puzzlec.compiler import check, compile
    from puzzlec.services.web.showing import shown
    from puzzlec.services.web.stage import proof, stage

    report, compiled = Report(), None
    try:
        what, format = puzzle_of(task, report)
        tell("read", format=format)
        if isinstance(what, Puzzle):
            tell("stage", stage=stage(what))
        compiled = compile(what, stage="cover" if isinstance(what, ExactCover) else "fitting", report=report)
        tell("shown", **shown(compiled, task.get("palette") or "standard"))
        tell("diagnostics", diagnostics=_data(report.diagnostics))
        check(compiled, report=report)
    except PuzzleError as error:
        # A reader raises all its diagnostics. A later stage raises some diagnostics, and the report contains the
        # others.
        kept = [diagnostic for diagnostic in report.diagnostics if diagnostic not in error.diagnostics]
        diagnostics = sorted([*kept, *error.diagnostics], key=_place)
    else:
        diagnostics = sorted(report.diagnostics, key=_place)
    if isinstance(compiled, Fitting) and any(diagnostic.code == "PZ405" for diagnostic in diagnostics):
        tell("proof", proof=proof(compiled))
    tell("end", why="complete", diagnostics=_data(diagnostics))


def _data(diagnostics: Iterable[Diagnostic]) -> list[dict[str, object]]:
    """Return diagnostics as plain data for the page, with the fixes that their suggestions describe."""
    return [
        {**as_dict(diagnostic), "fixes": _fixes(diagnostic), "said": in_languages(diagnostic)}
        for diagnostic in diagnostics
    ]


def _fixes(diagnostic: Diagnostic) -> list[dict[str, object]]:
    """Return the fixes of a diagnostic, as in editors: a title, and edits [start, end, text]."""
    if diagnostic.span is None or not diagnostic.helps or guess_format(diagnostic.span.source) != "puzzle":
        return []

    return [{"title": fix.title, "edits": fix.edits} for fix in _syntax(diagnostic.span.source).fixes(diagnostic)]


@lru_cache(1)
def _syntax(source: Source) -> Syntax:
    """Return the syntax of a text, which is the same for all its diagnostics."""
    from puzzlec.language.editing.syntax import Syntax

    return Syntax(source)


def _place(diagnostic: Diagnostic) -> tuple[bool, int]:
    """Return a sort key: errors first, then by the position in the text."""
    start = diagnostic.span.start if diagnostic.span else -1
    return diagnostic.severity is not Severity.ERROR, start


def _edit(task: dict[str, Any], tell: Tell) -> None:
    """Change a text: send the edits, a question before them, or the reason why it is not possible."""
    from puzzlec.services.web.stage import changed

    source, format = _source_of(task)
    if format != "puzzle":
        tell("end", why="complete", reason="you can paint only texts in the puzzle language: see Export")
        return
    tell("end", why="complete", **changed(source, task["change"], task.get("parameters")))


#: Maximum number of completions that the page shows, and of libraries with a picture: each needs up to 0.2 s.
MAX_OFFERS, MAX_LIBRARIES = 40, 12


def _complete(task: dict[str, Any], tell: Tell) -> None:
    """Send the words that can follow at a position of a text and begin with the typed letters."""
    from puzzlec.language.editing.completion import offers
    from puzzlec.services.web.showing import library_picture, shape_picture

    name, text, at = task["name"], task["text"], task["at"]
    source = source_of(text.encode("utf-8", "replace"), name) if text.strip() else Source(name, text)
    if (task.get("format") or guess_format(source)) != "puzzle":
        tell("end", why="complete", start=at, offers=[])
        return
    completion = offers(_syntax(source), at, task["pieces"])
    typed = source.text[completion.start : at].casefold()
    some = [
        offer for offer in completion.offers if offer.text.casefold().startswith(typed) and len(offer.text) > len(typed)
    ]
    pictures: dict[str, Callable[[str], dict[str, str] | None]] = {
        "shape": lambda name: shape_picture(*completion.library, name)
    }
    if sum(offer.what == "library" for offer in some) <= MAX_LIBRARIES:
        pictures["library"] = library_picture
    tell(
        "end",
        why="complete",
        start=completion.start,
        offers=[
            {
                "text": offer.text,
                "remark": offer.remark or offer.what,
                "what": offer.what,
                "picture": pictures[offer.what](offer.text) if offer.what in pictures else None,
            }
            for offer in some[:MAX_OFFERS]
        ],
    )


def _explain(task: dict[str, Any], tell: Tell) -> None:
    """Send the meaning of a character of a text; nothing if it is unknown."""
    source, format = _source_of(task)
    parameters = tuple(sorted((task.get("parameters") or {}).items()))
    explained = _meaning(source, parameters).explain(task["at"]) if format == "puzzle" else None
    tell("end", why="complete", **(explained._asdict() if explained is not None else {}))


@lru_cache(1)
def _meaning(source: Source, parameters: tuple[tuple[str, int], ...]) -> Meaning:
    """Return the meaning of a text, also of one with errors: what can be compiled of it."""
    from puzzlec.compiler import compile
    from puzzlec.services.meaning import Meaning

    puzzle, fitting = None, None
    with suppress(PuzzleError):
        what = read(source, "puzzle", Report(), None, dict(parameters))
        if isinstance(what, Puzzle):
            puzzle = what
            fitting = compile(what, stage="fitting", report=Report())
    return Meaning(_syntax(source), puzzle, fitting)


def _solve(task: dict[str, Any], tell: Tell) -> None:
    """Find one solution, some, or the number of all; send progress and solutions on the way."""
    from puzzlec.compiler import compile
    from puzzlec.services.web.solving import solve

    end = time.monotonic() + task["seconds"]
    if task.get("goal") == "hint":
        from puzzlec.services.web.playing import hint

        hint(_playable(task), task, end, tell)
        return
    what, _ = puzzle_of(task, Report())
    if task.get("goal") == "given":
        from puzzlec.services.web.solving import given

        given(compile(what, stage="fitting", report=Report()), task["placements"], end, tell)
        return
    encoding = compile(what, report=Report())
    tell("compiled", options=len(encoding.cover))
    solve(encoding, task, max(0.05, end - time.monotonic()), tell)


def _stages(task: dict[str, Any], tell: Tell) -> None:
    """Send the stages of a puzzle."""
    from puzzlec.services.web.showing import stages

    what, _ = puzzle_of(task, Report())
    tell("end", why="complete", **stages(what, task["choice"], task["palette"]))


def _play(task: dict[str, Any], tell: Tell) -> None:
    """Send the data of a game for a text, and its pieces on the board."""
    from puzzlec.services.web.playing import game_of

    puzzle = _playable(task)
    tell("end", why="complete", **game_of(puzzle, task.get("palette") or "standard"))


def _playable(task: dict[str, Any]) -> Puzzle:
    """Return the puzzle of a text; raise PuzzleError if it is an exact cover."""
    what, format = puzzle_of(task, Report())
    if not isinstance(what, Puzzle):
        raise fail("PZ504", f"cannot play a text in the format `{format}`: it has no pieces")
    return what


def _moves(task: dict[str, Any], tell: Tell) -> None:
    """Send all moves from a state of a solution."""
    from puzzlec.services.web.playing import moves

    tell("end", why="complete", **moves(lambda: puzzle_of(task, Report())[0], task))


def _export(task: dict[str, Any], tell: Tell) -> None:
    """Export a puzzle with the solutions that the page shows."""
    from puzzlec.services.web.exporting import export

    what, _ = puzzle_of(task, Report())
    export(what, task, tell)


_TASKS: dict[str, Do] = {
    "check": _check,
    "edit": _edit,
    "complete": _complete,
    "explain": _explain,
    "play": _play,
    "moves": _moves,
    "stages": _stages,
    "solve": _solve,
    "export": _export,
}
