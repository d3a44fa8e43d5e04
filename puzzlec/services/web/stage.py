"""The stage of the page: the cells of a board and of pieces with their outlines, and changes to them in the text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from puzzlec.diagnostics import Source
from puzzlec.geometry import Cell, Lattice, find_lattice, library_names
from puzzlec.geometry.drawing import rule_of
from puzzlec.geometry.faces import outline_above, spot
from puzzlec.geometry.families import find_family, find_shapes, lattice_of, sized_names
from puzzlec.ir import Fitting, Piece, Puzzle
from puzzlec.ir.location import Location
from puzzlec.ir.paints import paint_of
from puzzlec.ir.puzzle import copies_text
from puzzlec.ir.rules import RuleKind
from puzzlec.language.editing.changes import CHANGE_KINDS, edit
from puzzlec.language.editing.painting import EditError
from puzzlec.language.editing.reading import QuestionError
from puzzlec.language.elaborate.pieces import lies_in
from puzzlec.lower.parity import find_proof, steps
from puzzlec.show.page.forms import axes, can_be_built, forms
from puzzlec.show.ruling import as_data
from puzzlec.show.words.languages import languages, translated

#: Maximum number of locations of a board that can be painted, and of pieces in the tray.
LOCATIONS, PIECES = 3000, 200

#: The room between the sections of four dimensions, in cells, beside the empty cells around each.
SECTION_GAP = 1.5

#: Maximum number of characters of a pasted drawing.
DRAWING = 50_000

#: Maximum number of shapes of a library that the tray lists.
SHAPES = 60


def stage(puzzle: Puzzle) -> dict[str, Any]:
    """Return the cells that the page shows and paints: the cells of the board and of each piece.

    ``why`` is the reason if the board cannot be painted. The board also shows its ``rules``, its ``walls``, and the
    ``given`` pieces, which the text fixes.
    """
    lattice = puzzle.lattice
    data: dict[str, Any] = {"pieces": [_piece(puzzle, piece) for piece in puzzle.pieces[:PIECES]]}
    if lattice is None:
        return {**data, "why": "Locations with names have no cells to paint: change the text."}
    solids = lattice
    if lattice.dimension > 3:
        if not can_be_built(lattice):
            return {**data, "why": "These cells have too many dimensions to be painted: edit the text instead."}
        solids = find_lattice("cubic")
    if len(puzzle.locations) > LOCATIONS:
        return {**data, "why": f"The board has more than {LOCATIONS} locations: change the text."}
    cells = [(*at, _sign(location)) for location in puzzle.locations if not isinstance(at := location.at, str)]
    signs = [sign for sign in puzzle.colours.names if len(sign) == 1]
    rule = rule_of(lattice)
    model = _model(lattice, [at for location in puzzle.locations if not isinstance(at := location.at, str)])
    return {
        **data,
        "lattice": lattice.name,
        "rule": lattice.drawing if rule is not None else "",
        "solid": lattice.dimension > 2,
        "edges": lattice.of_edges,
        "picture": bool(puzzle.wraps) or (lattice.dimension > 2 and (not model or bool(puzzle.movement.walls))),
        "rules": as_data(puzzle) if lattice.dimension < 4 else {},
        "walls": puzzle.movement.walls,
        "given": [
            (*at, rule.piece)
            for rule in puzzle.rules.pieces
            if rule.kind is RuleKind.FIX
            for at in rule.region
            if not isinstance(at, str)
        ],
        "model": model,
        "kinds": [_kind(solids, number) for number in range(len(lattice.kinds))],
        "steps": [*(spot(solids, vector) for vector in solids.translations), *_beside(puzzle)],
        "freedom": lattice.freedom.value,
        "turns": [len(lattice.rotation_generators), len(lattice.reflection_generators)],
        "signs": list(dict.fromkeys(["x", "?", *signs, *(cell[-1] for cell in cells)])) if rule and rule.signs else [],
        "regions": any(len(region.name) == 1 for region in puzzle.regions),
        "valued": bool(puzzle.colours.names),
        "dyes": signs if rule and rule.signs else [],
        "cells": cells,
    }


def proof(fitting: Fitting) -> dict[str, Any] | None:
    """Return a colouring that proves that no solution exists: its cells, each with its weight, and its steps.

    The steps are sentences in each language of the page. ``weighed`` says whether the weights are to be seen. If all
    cells have the same weight, as when the proof only counts them, there are no cells to colour.
    """
    best = find_proof(fitting)
    if best is None or fitting.puzzle is None or fitting.puzzle.lattice is None:
        return None
    # Cells that are neither dark nor light fade.
    tones = {1: 1, -1: 0, 0: -1} if best.colouring is not None and best.colouring.light else {}
    cells = [
        (*at, tones.get(weight, weight))
        for location, weight in zip(fitting.puzzle.locations, best.witness.weights, strict=True)
        if not isinstance(at := location.at, str)
    ]
    if len({cell[-1] for cell in cells}) < 2:
        cells = []
    phrases = steps(fitting, best)
    sentences = {code: [translated(phrase, code) for phrase in phrases] for code in languages()}
    weighed = best.colouring is None and not set(best.witness.weights) <= {0, 1}
    return {"cells": cells, "weighed": weighed, "steps": sentences}


def _beside(puzzle: Puzzle) -> list[list[float]]:
    """Return the step between the sections of four dimensions, which are side by side; none for fewer dimensions."""
    if puzzle.geometry.lattice.dimension < 4:
        return []
    rows = [[cell[0] for cell in puzzle.geometry.cells]]
    rows += [[cell[0] for cell in piece.cells] for piece in puzzle.pieces]
    return [[max(max(row) - min(row) for row in rows if row) + 2 + SECTION_GAP, 0, 0]]


def _model(lattice: Lattice, cells: Sequence[Cell]) -> dict[str, Any] | None:
    """Return the data for painting solids on their sides: the forms, points and neighbours of cells."""
    if lattice.dimension < 3 or not can_be_built(lattice):
        return None
    return {
        "axes": axes(lattice, cells),
        "forms": forms(lattice, tiles=False),
        "origins": [kind.at for kind in lattice.kinds],
        "translations": lattice.translations,
        "next": [
            [
                (step, cell)
                for step in kind.neighbours
                if (cell := lattice.cell(tuple([a + b for a, b in zip(kind.at, step, strict=True)]))) is not None
            ]
            for kind in lattice.kinds
        ],
    }


def _sign(location: Location) -> str:
    """Return the character of a location, as in the drawing that has this location, if there is one."""
    span = location.span
    if location.optional and location.colour is None:
        return "?"
    if span is not None and span.end - span.start == 1 and span.text.strip():
        return span.text
    return location.colour or "x"


def _piece(puzzle: Puzzle, piece: Piece) -> dict[str, Any]:
    lattice = puzzle.lattice
    data: dict[str, Any] = {
        "name": piece.name,
        "copies": copies_text(piece.low, piece.high),
        "cells": None,
        "paint": paint_of(piece.paint),
        "freedom": "",
    }
    if lattice is None or piece.covers is not None or piece.sides:
        return data
    freedom = lattice.freedom_of(piece.turns)
    cells = [(*cell, colour or "x") for cell, colour in zip(piece.cells, piece.colours, strict=True)]
    return {**data, "cells": cells, "freedom": freedom.value if freedom else ""}


def _kind(lattice: Lattice, number: int) -> dict[str, Any]:
    """Return the position of a kind of cell, and its outline seen from above, relative to that place."""
    return {"at": spot(lattice, lattice.kinds[number].at), "outline": outline_above(lattice, number)}


def changed(source: Source, change: Mapping[str, Any], parameters: Mapping[str, int] | None) -> dict[str, Any]:
    """Return the ``edits`` of a text for a change, a ``question`` to confirm, or the ``reason`` against the change.

    ``shift`` is the vector by which the painted cells move, ``piece`` the name of the piece.
    """
    try:
        edited = edit(source, change, parameters)
    except QuestionError as question:
        return {"question": str(question)}
    except EditError as error:
        return {"reason": str(error)}
    return {"edits": [list(edit) for edit in edited.edits], "shift": list(edited.shift), "piece": edited.piece}


def is_change(change: object) -> bool:
    """Whether data from the page has the form of a change: its kind, cells with characters, and short texts."""
    if not isinstance(change, dict) or change.get("do") not in CHANGE_KINDS or len(change) > 8:
        return False
    if change["do"] == "fix":
        return all(_are_places(change.get(key)) for key in ("put", "take"))
    cells = change.get("cells", [])
    of_cells = _is_cell if change["do"] == "rule" else _is_painted_cell
    if not isinstance(cells, list) or len(cells) > LOCATIONS or not all(map(of_cells, cells)):
        return False
    needed = _NEEDED.get(change["do"], ("piece",))
    drawing = change.get("drawing", "")
    others = {key: value for key, value in change.items() if key not in ("cells", "sure", "axis", "drawing")}
    return (
        all(isinstance(value, str) and len(value) < 200 for value in others.values())
        and all(key in change for key in needed)
        and type(change.get("axis", 0)) is int
        and isinstance(drawing, str)
        and len(drawing) <= DRAWING
    )


#: The texts that a change needs. Other changes need the name of a piece.
_NEEDED: dict[str, tuple[str, ...]] = {
    "paint": ("cells",),
    "paste": ("drawing",),
    "add": ("library", "shape"),
    "draw": (),
    "copies": ("piece", "copies"),
    "freedom": ("piece", "freedom"),
    "tint": ("piece", "paint"),
    "rule": ("rule",),
}


def _are_places(places: object) -> bool:
    """Whether data is a list of positions of pieces: the name of each, and its cells."""
    return (
        isinstance(places, list)
        and len(places) <= LOCATIONS
        and all(isinstance(pair, list) and len(pair) == 2 and isinstance(pair[0], str) for pair in places)
        and all(isinstance(cells, list) and 0 < len(cells) <= LOCATIONS for _, cells in places)
        and all(_is_cell(cell) for _, cells in places for cell in cells)
    )


def _is_painted_cell(pair: object) -> bool:
    if not isinstance(pair, list) or len(pair) != 2:
        return False
    cell, sign = pair
    return _is_cell(cell) and isinstance(sign, str) and len(sign) == 1 and not sign.isspace() and sign not in "#{}/"


def _is_cell(cell: object) -> bool:
    return isinstance(cell, list) and 0 < len(cell) < 8 and all(type(at) is int and abs(at) < 10**6 for at in cell)


def libraries(lattice: str) -> list[dict[str, Any]]:
    """Return the shape libraries for a lattice with the names of their shapes; large ones are left out.

    >>> [library["name"] for library in libraries("tetrakis")]
    ['diaboloes', 'triaboloes', 'tetraboloes', 'pentaboloes']
    """
    listed = []
    for name in (*library_names(), *sized_names()):
        lattice_of_library = lattice_of(name)
        if not lies_in(lattice_of_library.name, lattice):
            continue
        family, size = sized_names().get(name, ("", 0))
        if family and _number(family, size) > SHAPES:
            continue
        shapes = list(find_shapes(name).shapes)
        if len(shapes) <= SHAPES:
            listed.append({"name": name, "shapes": shapes})
    return listed


def _number(family: str, size: int) -> int:
    """Return the published number of shapes of a family in some size."""
    about = find_family(family)
    return about.published[about.freedom].counts[size - 1]
