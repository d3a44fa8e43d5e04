"""JSON: a written text is read again without changes, names included, and follows the schema."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

import puzzlec
from puzzlec.diagnostics import PuzzleError, Report, Source
from puzzlec.engine.problem import ExactCover
from puzzlec.formats import catalogue
from puzzlec.formats.json import cover as json_cover
from puzzlec.formats.json import fitting as json_fitting
from puzzlec.formats.json import puzzle as json_puzzle
from puzzlec.formats.json.reading import STAGES, VERSION
from puzzlec.formats.reading import read
from puzzlec.formats.writing import labelled, write
from puzzlec.ir import Fitting, Puzzle
from puzzlec.lower.labels import Labelled
from tests.levels import covers, fittings
from tests.strategies import puzzles

ROOT = Path(__file__).parents[2]
SCHEMA = json.loads((ROOT / "docs" / "puzzle.schema.json").read_text(encoding="utf-8"))


def again(text: str) -> Puzzle | Fitting | ExactCover:
    report = Report()
    found = read(Source("x.json", text), None, report)
    assert {diagnostic.code for diagnostic in report.diagnostics} <= {"PZ206"}
    assert write(found, "json") == text
    assert wrong(json.loads(text), SCHEMA, "") == []
    return found


def same_names(one: Fitting, two: Fitting) -> bool:
    called = [[piece.name for piece in fitting.pieces] for fitting in (one, two)]
    return called[0] == called[1] and (one.names, one.title) == (two.names, two.title)


@given(puzzles(wrapped=True))
def test_a_puzzle_is_read_again_as_it_was(puzzle: Puzzle) -> None:
    assert again(write(puzzle, "json")) == puzzle


@given(fittings())
def test_a_fitting_is_read_again_as_it_was_with_its_names(fitting: Fitting) -> None:
    found = again(write(fitting, "json"))
    assert isinstance(found, Fitting)
    assert found == fitting
    assert same_names(found, fitting)


@given(covers())
@pytest.mark.long
def test_an_exact_cover_is_read_again_as_it_was_with_its_names(cover: ExactCover) -> None:
    found = again(write(cover, "json"))
    assert isinstance(found, ExactCover)
    assert found == cover
    assert (found.item_names, found.option_names) == (cover.item_names, cover.option_names)


def test_the_colours_of_an_exact_cover_keep_their_names() -> None:
    text = "A | X\nA X:0\nA X:red\n"
    cover = puzzlec.parse(text, format="dlx")
    assert isinstance(cover, ExactCover)
    found = again(write(cover, "json"))
    assert isinstance(found, ExactCover)
    assert found.colour_names == cover.colour_names
    assert [found.colour_name(max(colours.values())) for colours in map(dict, map(found.entries, (0, 1)))] == [
        "0",
        "red",
    ]
    assert write(found, "dlx") == text


@pytest.mark.parametrize(
    "entry", [pytest.param(entry, id=entry.name) for at, entry in enumerate(catalogue.entries()) if at % 9 == 0]
)
def test_puzzles_of_the_catalogue_are_read_again_as_they_were(entry: catalogue.Entry) -> None:
    puzzle = puzzlec.load(str(entry.path))
    assert again(write(puzzle, "json")) == puzzle


def test_a_custom_lattice_is_written_completely_and_read_again_without_its_file() -> None:
    puzzle = puzzlec.load(str(ROOT / "puzzles" / "lattices" / "nine-cubes.puzzle"))
    assert isinstance(puzzle, Puzzle)
    assert puzzle.lattice is not None
    text = write(puzzle, "json")
    found = again(text)
    assert isinstance(found, Puzzle)
    assert found.lattice == puzzle.lattice
    assert f'"name": "{puzzle.lattice.name}"' in text


def test_each_level_of_soma_has_the_same_number_of_solutions() -> None:
    puzzle = puzzlec.load("soma")
    for level in (puzzle, puzzlec.compile(puzzle, stage="fitting"), puzzlec.compile(puzzle)):
        assert puzzlec.count(again(write(level, "json")), symmetry="none") == 11520


def test_options_of_a_cover_are_named_by_piece_and_locations() -> None:
    text = write(puzzlec.compile(puzzlec.load("soma")), "json")
    assert '{"name": "V 0,0,0 1,0,0 0,1,0", "items": [0, 7, 8, 10]}' in text
    found = again(text)
    assert isinstance(found, ExactCover)
    assert found == labelled(puzzlec.load("soma")).cover
    assert list(found.option_names) == list(labelled(puzzlec.load("soma")).labels())
    assert Labelled(found).items == labelled(puzzlec.load("soma")).items


def test_the_order_of_keys_and_of_locations_in_a_placement_and_the_layout_do_not_matter() -> None:
    fitting = puzzlec.parse("5 3 2 1 3 2 0 2 3 1 4 2 0 3 2 1 2 3 2 0 4 2 1 3 3 0 1 2", format="dpf")
    document = json.loads(write(fitting, "json"))
    for piece in document["pieces"]:
        piece["placements"] = [row[::-1] for row in piece["placements"]]
    text = json.dumps(dict(reversed(document.items())), indent=3)
    assert read(Source("x", text), "json", Report()) == fitting


@pytest.mark.long
def test_a_large_cover_is_read_quickly_and_with_its_errors() -> None:
    rows = [[at % 50, 50 + at % 70] for at in range(200_000)]
    head = '{"puzzlec": 1, "stage": "cover", "items": 120, "options": ['
    text = head + ",\n".join(map(str, rows)) + "]}"
    cover = read(Source("x", text), "json", Report())
    assert isinstance(cover, ExactCover)
    assert [cover.row(option) for option in (0, 199_999)] == [(0, 50), (49, 59)]
    wrong_text = text.replace("[49, 59]]", "[49, 120]]")
    with pytest.raises(PuzzleError) as raised:
        read(Source("x", wrong_text), "json", Report())
    assert str(raised.value) == "x:200000:6: error[PZ276]: item 120 is out of range"


def test_the_examples_of_the_docs_are_written_as_shown() -> None:
    page = (ROOT / "docs" / "formats" / "own.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```json\n(.*?)```", page, re.DOTALL)
    assert [type(again(block)) for block in blocks] == [Puzzle, Fitting, ExactCover]


# The schema


def wrong(value: Any, schema: dict[str, Any], at: str) -> list[str]:
    """Return the errors of a value by the JSON schema of the project; this check uses no code of puzzlec."""
    known = {
        "$ref", "$defs", "$schema", "$id", "title", "description", "type", "const", "enum", "minimum", "maximum",
        "minLength", "pattern", "items", "minItems", "maxItems", "prefixItems", "properties", "required",
        "additionalProperties", "oneOf", "uniqueItems", "anyOf", "default",
    }  # fmt: skip
    assert set(schema) <= known, set(schema) - known
    if "$ref" in schema:
        return wrong(value, SCHEMA["$defs"][schema["$ref"].removeprefix("#/$defs/")], at)
    found = []
    for key in ("oneOf", "anyOf"):
        fits = [not wrong(value, branch, at) for branch in schema.get(key, ())]
        if fits and (sum(fits) != 1 if key == "oneOf" else not any(fits)):
            found.append(f"{at}: {sum(fits)} of {key}")
    types: dict[str, Any] = {
        "object": dict, "array": list, "string": str, "boolean": bool, "null": type(None), "integer": int,
        "number": (int, float),
    }  # fmt: skip
    allowed = [schema["type"]] if isinstance(schema.get("type"), str) else schema.get("type", [])
    if allowed and not any(
        isinstance(value, types[kind]) and (kind == "boolean" or not isinstance(value, bool)) for kind in allowed
    ):
        return [*found, f"{at}: {value!r} is not of type {allowed}"]
    if ("const" in schema and value != schema["const"]) or ("enum" in schema and value not in schema["enum"]):
        found.append(f"{at}: {value!r}")
    if isinstance(value, int | float) and not schema.get("minimum", value) <= value <= schema.get("maximum", value):
        found.append(f"{at}: {value!r} is out of range")
    if isinstance(value, str) and (
        len(value) < schema.get("minLength", 0) or not re.search(schema.get("pattern", ""), value)
    ):
        found.append(f"{at}: {value!r}")
    if isinstance(value, list):
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            found.append(f"{at}: {len(value)} items")
        if schema.get("uniqueItems") and len(set(map(json.dumps, value))) < len(value):
            found.append(f"{at}: not all are different")
        for number, member in enumerate(value):
            if "items" in schema:
                found += wrong(member, schema["items"], f"{at}[{number}]")
    if isinstance(value, dict):
        found += [f"{at}: no {key}" for key in schema.get("required", ()) if key not in value]
        for key, member in value.items():
            if key in schema.get("properties", {}):
                found += wrong(member, schema["properties"][key], f"{at}.{key}")
            elif schema.get("additionalProperties", True) is False:
                found.append(f"{at}: {key}")
    return found


def test_the_schema_has_the_keys_that_the_reader_knows() -> None:
    known = {"puzzle": json_puzzle, "fitting": json_fitting, "cover": json_cover}
    for level, module in known.items():
        schema = SCHEMA["$defs"][level]
        assert set(schema["properties"]) == {"puzzlec", "stage", *module.REQUIRED_KEYS, *module.OPTIONAL_KEYS}
        assert schema["required"] == ["puzzlec", "stage", *module.REQUIRED_KEYS]
        assert schema["properties"]["stage"] == {"const": level}
    assert set(known) == set(STAGES)
    assert SCHEMA["$defs"]["puzzle"]["properties"]["puzzlec"]["const"] == VERSION
    assert set(SCHEMA["$defs"]["piece"]["properties"]) == {"name", *json_puzzle._PIECE_KEYS}
    assert set(SCHEMA["$defs"]["placedPiece"]["properties"]) == {"placements", *json_fitting._PIECE_KEYS}


@pytest.mark.parametrize(
    "text",
    [
        '{"puzzlec": 2, "stage": "cover", "items": 1, "options": []}',
        '{"puzzlec": 1, "stage": "puzzle", "items": 1, "options": []}',
        '{"puzzlec": 1, "stage": "cover", "items": 1, "options": [{}]}',
        '{"puzzlec": 1, "stage": "cover", "items": [1], "options": []}',
        '{"puzzlec": 1, "stage": "fitting", "locations": 2, "pieces": [{"placements": [[-1]]}]}',
        '{"puzzlec": 1, "stage": "fitting", "locations": 2, "pieces": [], "more": 1}',
        '{"puzzlec": 1, "stage": "puzzle", "lattice": null, "locations": ["a"], "pieces": [{"name": ""}]}',
    ],
)
def test_the_reader_refuses_everything_that_the_schema_forbids(text: str) -> None:
    assert wrong(json.loads(text), SCHEMA, "")
    with pytest.raises(PuzzleError):
        read(Source("x", text), "json", Report())


@given(puzzles(wrapped=True))
@pytest.mark.long
def test_a_validator_of_json_schema_agrees(puzzle: Puzzle) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    validator = jsonschema.Draft202012Validator(SCHEMA)
    validator.check_schema(SCHEMA)
    for what in (puzzle, puzzlec.compile(puzzle, stage="fitting"), puzzlec.compile(puzzle)):
        assert not list(validator.iter_errors(json.loads(write(what, "json"))))
