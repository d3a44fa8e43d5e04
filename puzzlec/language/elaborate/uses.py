"""Pieces from another file: ``use "set.puzzle"``. The file is read as a puzzle, of which only the pieces are taken."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path, PurePath

from puzzlec.diagnostics import PuzzleError, Span, counted
from puzzlec.diagnostics.files import source_of
from puzzlec.ir import Puzzle
from puzzlec.language.elaborate.context import Context
from puzzlec.language.elaborate.pieces import add_piece
from puzzlec.language.expressions import Tree
from puzzlec.language.lattice_file import content_beside

#: The extension of files with pieces. Other files are not opened, so that messages show no line of them.
EXTENSION = ".puzzle"

#: Maximum number of errors of a file that are shown at its `use`.
MAX_ERRORS_SHOWN = 5

#: Maximum number of files of a puzzle, which may use each other.
MAX_FILES = 100


def use(context: Context, statement: Tree) -> None:
    """Add the pieces of another file, with the colours of their cells."""
    span = context.span(statement.children[0])
    name = context.name(statement.children[0])
    puzzle = _read(context, name, span)
    if puzzle is None:
        context.unread |= {"pieces", "colours"}
        return
    if puzzle.lattice != context.lattice:
        here = f"`{puzzle.lattice.name}`" if puzzle.lattice else "`none`"
        context.report.add(
            "PZ318",
            f"`{name}` has lattice {here}, but the puzzle has {context.here}",
            span,
            help=context.other_lattice(puzzle.lattice.name if puzzle.lattice else "none"),
        )
        context.unread.add("pieces")
        return
    for colour in puzzle.colours.names:
        context.colours.declared.setdefault(colour, span)
    for piece in puzzle.pieces:
        add_piece(context, replace(piece, span=span))


def _read(context: Context, name: str, span: Span) -> Puzzle | None:
    """Return the puzzle in a file, whose path is relative to that of the text; report why there is none."""
    report, uses = context.report, context.pieces.uses
    assert uses is not None
    path = PurePath(context.source.name).parent / name
    if path.suffix.lower() != EXTENSION:
        help = f'write `use "{name}{EXTENSION}"`' if re.search(r"\w$", name) and not path.suffix else ()
        report.add("PZ374", f"cannot use `{name}`: expected a {EXTENSION} file", span, help=help)
        return None
    here, there = (str(Path(file).resolve()) for file in (context.source.name, path))
    if there == here or there in uses.around:
        report.add("PZ374", f"`{name}` uses itself", span, help=f"remove `use {span.text}`")
        return None
    if len(uses.files) == MAX_FILES:
        report.add("PZ374", f"puzzle uses too many files (limit {MAX_FILES})", span)
        return None
    uses.files.append(there)
    try:
        content = content_beside(str(path), span)
    except PuzzleError as error:
        for diagnostic in error.diagnostics:
            report.append(diagnostic)
        return None
    try:
        return uses.read(source_of(content, str(path)), uses._replace(around=(*uses.around, here)))
    except PuzzleError as error:
        _refuse(context, name, span, error)
        return None


def _refuse(context: Context, name: str, span: Span, error: PuzzleError) -> None:
    """Report the errors of a file at its `use`, where editors and the page show them."""
    notes = []
    for diagnostic in error.diagnostics[:MAX_ERRORS_SHOWN]:
        line, column = diagnostic.span.source.position(diagnostic.span.start) if diagnostic.span else (1, 1)
        file = PurePath(diagnostic.span.source.name).name if diagnostic.span else PurePath(name).name
        notes.append(f"{file}:{line}:{column}: {diagnostic.message}")
    context.report.add("PZ374", f"cannot use `{name}`: {counted(len(error.diagnostics), 'error')}", span, note=notes)
