"""Answers that speak of pieces and locations: the notations of ``puzzlec solve``, and those of programs for puzzles."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from puzzlec.diagnostics import PuzzleError, Span
from puzzlec.diagnostics.error import fail
from puzzlec.formats.solutions.claims import read_claims
from puzzlec.formats.solvers.answers.lines import Lines
from puzzlec.formats.solvers.answers.model import Event, Known, Model
from puzzlec.ir import Fitting


def fitting_of(known: Known, lines: Lines) -> Fitting:
    """Return the fitting that an answer speaks of; raise PuzzleError where there is none."""
    if known.fitting is None:
        raise fail(
            "PZ611",
            "this answer speaks of pieces, but the puzzle is an exact cover that has none",
            file=lines.name,
            help="an answer that tells options or variables can be read",
        )
    return known.fitting


def unclear(at: Span | None, file: str, help: str = "") -> PuzzleError:
    """Return the error that the kind of an answer cannot be told."""
    return fail(
        "PZ611",
        "cannot tell what kind of answer this is",
        at,
        file=file,
        help=(*([help] if help else []), "say it with `--kind`; `puzzlec lift --help` lists the kinds"),
    )


def _read(lines: Lines, known: Known, notation: str) -> Iterator[Event]:
    """Give what a text in a notation of ``puzzlec solve`` says are solutions."""
    fitting, source = fitting_of(known, lines), lines.whole()
    for claim in read_claims(source, fitting, notation):
        yield Model(claim.span, claim=claim, faults=claim.faults)


read_jsonl = partial(_read, notation="jsonl")
read_list = partial(_read, notation="list")
read_orientations = partial(_read, notation="orientations")
read_locations = partial(_read, notation="locations")
