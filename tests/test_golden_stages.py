"""Every stage of twenty puzzles compared with stored files, so that the first stage that changes is visible.

``PUZZLEC_REGENERATE=1 python -m pytest tests/test_golden_stages.py`` writes the files again.
"""

from __future__ import annotations

import json
import os
from itertools import islice
from pathlib import Path

import pytest

import puzzlec
from puzzlec.pipeline import EMITTED_STAGES

FOLDER = Path(__file__).parent / "golden" / "stages"

#: Small puzzles on all kinds of lattices, with copies, colours, crossings, wraps, optional locations and none of these.
PUZZLES = (
    "balls/pairs-square-pyramid",
    "cover/six-sets",
    "dominoes/4x4",
    "hypercubes/dominoes-2x2x2x2",
    "latin/order-4",
    "line/langford-7",
    "new/dominoes",
    "polyaboloes/tangram-rectangle",
    "polydrafters/tridrafters-hexagons",
    "polyhexes/stones-and-bones",
    "polyiamonds/lozenges",
    "polyominoes/l-tromino-5x5",
    "polysticks/polysticks-123-clipped-side",
    "polytrigs/quasiditrigs-two-triangles",
    "prisms/pairs-hexagon-2",
    "rhombic/pairs-cube",
    "soma/totem",
    "sticks/stick-cutting",
    "tetoct/pairs-octahedron",
    "tori/dominoes-moebius-4x4",
)

#: Solutions of each puzzle that are written, the first ones in the order of the search.
SOLUTIONS = 3


def stages(name: str) -> str:
    """Return all stages of a puzzle, with its number of solutions and the first of them."""
    blocks = [f"== {stage}\n{puzzlec.emit(name, stage).rstrip()}\n" for stage in EMITTED_STAGES]
    first = [json.dumps(solution.as_dict()) for solution in islice(puzzlec.solve(name, kernel="python"), SOLUTIONS)]
    numbers = f"number: {puzzlec.count(name)}, raw: {puzzlec.count(name, symmetry='none')}"
    return "\n".join([*blocks, "\n".join(["== solutions", numbers, *first, ""])])


@pytest.mark.parametrize("name", PUZZLES)
def test_each_stage_is_written_as_before(name: str) -> None:
    path = FOLDER / f"{name.replace('/', '-')}.txt"
    found = stages(name)
    if os.environ.get("PUZZLEC_REGENERATE"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(found, encoding="utf-8")
    assert found == path.read_text(encoding="utf-8"), "PUZZLEC_REGENERATE=1 writes it again if the change is meant"
