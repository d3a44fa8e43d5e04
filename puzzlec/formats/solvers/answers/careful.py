"""Nothing is concluded from an answer that says nothing; and one mistake, such as a wrong kind, is one error."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from puzzlec.diagnostics import Diagnostic, PuzzleError, Span
from puzzlec.diagnostics.error import fail
from puzzlec.formats.solvers.answers.foreign import log_of
from puzzlec.formats.solvers.answers.lines import Lines
from puzzlec.formats.solvers.answers.model import Event, Model

#: So many faults of one code are told where nothing can be read; of more, the first is, and their number.
TOLD = 10

#: After so many models none of which can be read, the others are not looked at.
HOPELESS = 1000

#: Faults that a wrong kind may be the cause of.
_OF_KIND = ("PZ601", "PZ602", "PZ603", "PZ604", "PZ605", "PZ606", "PZ612", "PZ613", "PZ618")


def carefully(events: Iterable[Event], lines: Lines, head: Sequence[Span], kind: str, guessed: bool) -> Iterator[Event]:
    """Give the events of an answer whose first lines are ``head``; raise PuzzleError where there is none (PZ616).

    Models that cannot be read are held back until one can be: if none can, and they are many, one error is raised
    that says the kind. Where that was ``guessed``, the first fault says so.
    """
    held: list[Model] = []
    good = False
    try:
        for event in events:
            if not good and isinstance(event, Model) and event.faults and len(held) < HOPELESS:
                held.append(event)
                continue
            if not good and isinstance(event, Model) and event.faults:
                break
            yield from held
            held, good = [], True
            yield event
    except PuzzleError as error:
        if good:
            raise
        faults = [fault for model in held for fault in model.faults] + list(error.diagnostics)
        raise _hopeless(faults, head, kind, guessed) from None
    if good:
        return
    if not held:
        message = "this answer breaks off: no solution is told, nor that there is none"
        raise log_of(head) or fail("PZ616", message, lines.end, help=_kind_help(kind, guessed))
    faults = [fault for model in held for fault in model.faults]
    one = _hopeless(faults, head, kind, guessed).diagnostics
    if len(one) < len(faults) or one[0].code == "PZ611":
        raise PuzzleError(one)
    yield held[0]._replace(faults=one[: len(held[0].faults)])
    yield from held[1:]


def _hopeless(faults: list[Diagnostic], head: Sequence[Span], kind: str, guessed: bool) -> PuzzleError:
    """Return the error for an answer of which nothing can be read: many faults of one code are one."""
    log = log_of(head)
    if log is not None:
        return log
    first = faults[0]
    if len(faults) > TOLD and len({fault.code for fault in faults}) <= 3:
        first = replace(
            first, notes=(*first.notes, f"nothing of this can be read as `{kind}`: so it is {len(faults)} times")
        )
        faults = [first]
    if first.code in _OF_KIND and guessed:
        faults = [replace(first, helps=(*first.helps, *_kind_help(kind, guessed))), *faults[1:]]
    return PuzzleError(faults)


def _kind_help(kind: str, guessed: bool) -> tuple[str, ...]:
    return (f"this was read as `{kind}`; if it is another kind of answer, say it with `--kind`",) if guessed else ()
