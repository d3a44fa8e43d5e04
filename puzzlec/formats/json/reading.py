"""Read a JSON text, at the stage that it names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from puzzlec.diagnostics import Report, Source, suggestion
from puzzlec.engine.problem import ExactCover
from puzzlec.formats.json import cover as json_cover
from puzzlec.formats.json import fitting as json_fitting
from puzzlec.formats.json import puzzle as json_puzzle
from puzzlec.formats.json.checks import Checks
from puzzlec.formats.json.places import json_value
from puzzlec.formats.record import Format, Sign, WriterChoices
from puzzlec.ir import Fitting, Puzzle
from puzzlec.language.given import Given
from puzzlec.lower.labels import Labelled
from puzzlec.resources import without_cycles

#: The version of the schema, under the key ``puzzlec``.
VERSION = 1

_HEAD_KEYS = ("puzzlec", "stage")

#: The stages, each with the required and the optional keys of an object.
STAGES = {
    "puzzle": (json_puzzle.REQUIRED_KEYS, json_puzzle.OPTIONAL_KEYS),
    "fitting": (json_fitting.REQUIRED_KEYS, json_fitting.OPTIONAL_KEYS),
    "cover": (json_cover.REQUIRED_KEYS, json_cover.OPTIONAL_KEYS),
}


def read_json(source: Source, report: Report, given: Given) -> Puzzle | Fitting | ExactCover:  # noqa: ARG001
    """Return the puzzle, fitting or exact cover of a JSON text, at the stage that it names.

    Raises PuzzleError with the first syntax error of JSON, or with all other errors, each at its value.
    """
    with without_cycles():
        return _read(source, report)


def _read(source: Source, report: Report) -> Puzzle | Fitting | ExactCover:
    checks = Checks()
    value = json_value(source)
    stage = _stage(value, checks)
    checks.tell(source, report)
    needed, optional = STAGES[stage]
    members = checks.keys(value, (), f"a {stage}", (*_HEAD_KEYS, *needed), optional)
    # A missing key is reported once. Values that do not need it are checked anyway.
    missing = [key for key in needed if key not in members]
    what: Puzzle | Fitting | ExactCover | None = None
    if not missing:
        if stage == "puzzle":
            what = json_puzzle.puzzle_of(members, checks, source, report)
        elif stage == "fitting":
            what = json_fitting.fitting_of(members, checks)
        else:
            what = json_cover.cover_of(members, checks)
    checks.tell(source, report)
    assert what is not None
    return what


def _stage(value: Any, checks: Checks) -> str:
    """Return the stage that an object names; note a missing stage and another version."""
    if not isinstance(value, dict):
        checks.wrong(value, (), "an object in braces")
        return ""
    if "puzzlec" not in value:
        checks.add("PZ274", "missing key `puzzlec`", (), help='add `"puzzlec": 1`, the version')
        return ""
    version = value["puzzlec"]
    if type(version) is not int or version != VERSION:
        checks.wrong(version, ("puzzlec",), f"the version {VERSION}")
        return ""
    if "stage" not in value:
        renamed = "rename the key `level` to `stage`" if value.get("level") in STAGES else ""
        checks.add("PZ274", "missing key `stage`", (), help=renamed or f"add one of the stages {', '.join(STAGES)}")
        return ""
    stage = value["stage"]
    if not isinstance(stage, str) or stage not in STAGES:
        help = suggestion(stage, STAGES) if isinstance(stage, str) else ()
        checks.wrong(stage, ("stage",), f"one of the stages {', '.join(STAGES)}", help)
    return str(stage)


def _write(what: Puzzle | Fitting | Labelled, choices: WriterChoices) -> Iterator[str]:
    from puzzlec.formats.json.writing import write_json

    return write_json(what, choices)


FORMAT = Format(
    "json",
    (".json",),
    "JSON, by a documented schema",
    stage="any",
    read=read_json,
    write=_write,
    recognise=(Sign(40, r'\s*+\{(?=[\s\S]*?"(?:puzzlec"\s*+:|stage"\s*+:\s*+"(?:puzzle|fitting|cover)"))'),),
    place=210,
    largest=2**27,
    traits=("costs",),
)
