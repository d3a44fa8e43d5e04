"""Restrictions of a set of solutions as they are written on the command line: ``PIECE@WHERE``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import typer

from puzzlec.cli.terminal import report_all
from puzzlec.diagnostics import PuzzleError
from puzzlec.solving.naming import UnknownNameError

if TYPE_CHECKING:
    from puzzlec.solving.every import EverySolution


def restricted(every: EverySolution, options: Mapping[str, list[str] | None]) -> EverySolution:
    """Return the solutions that all options leave, given by their names, such as ``--with``.

    A fault in one is a wrong use of the command.
    """
    for option, words in options.items():
        for text in words or ():
            every = _tried(option, every, text)
    return every


def _with(every: EverySolution, text: str) -> EverySolution:
    return every.with_piece(*_piece_and_place(every, text))


def _without(every: EverySolution, text: str) -> EverySolution:
    return every.without_piece(*_piece_and_place(every, text))


def _tried(option: str, every: EverySolution, text: str) -> EverySolution:
    try:
        return _RESTRICTIONS[option](every, text)
    except UnknownNameError as error:
        raise typer.BadParameter(str(error), param_hint=option) from None
    except PuzzleError as error:
        report_all(error.diagnostics)
        raise typer.BadParameter(f"`{text}` is not understood", param_hint=option) from None
    except ValueError as error:
        raise typer.BadParameter(f"`{text}`: {error}", param_hint=option) from None


def _inside(every: EverySolution, text: str) -> EverySolution:
    piece, place = _piece_and_place(every, text)
    if place is None:
        raise ValueError("say where: PIECE@WHERE")
    return every.inside(piece, place)


def _empty(every: EverySolution, text: str) -> EverySolution:
    return every.leaving_empty(text)


def _covered(every: EverySolution, text: str) -> EverySolution:
    return every.covering(text)


def _piece_and_place(every: EverySolution, text: str) -> tuple[str, str | None]:
    """Return the parts of ``PIECE@WHERE``; the name of a piece may itself hold an ``@``."""
    known = {every.fitting.piece_name(number) for number in range(len(every.fitting.pieces))}
    if text in known or "@" not in text:
        return text, None
    ends = [at for at, sign in enumerate(text) if sign == "@"]
    end = next((at for at in ends if text[:at] in known), ends[0])
    return text[:end], text[end + 1 :].strip()


_RESTRICTIONS: dict[str, Callable[[EverySolution, str], EverySolution]] = {
    "--with": _with,
    "--without": _without,
    "--inside": _inside,
    "--empty": _empty,
    "--covered": _covered,
}
