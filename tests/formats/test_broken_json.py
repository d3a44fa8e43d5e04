"""Broken JSON: each error has its code, and the line and column of the wrong value."""

from __future__ import annotations

import json
import re
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzlec.compiler import compile
from puzzlec.diagnostics import PuzzleError, Report, Source
from puzzlec.formats.json.places import json_value, places
from puzzlec.formats.reading import read
from tests.broken import refused

HEAD = '{"puzzlec": 1, "stage": '
PUZZLE = HEAD + '"puzzle", "lattice": "square", '
FITTING = HEAD + '"fitting", "locations": 3, '
COVER = HEAD + '"cover", "items": ["a", "b"], '
DOMINO = '"pieces": [{"name": "D", "cells": [[0, 0], [1, 0]], "turns": "free"}]'
BOARD = '"locations": [[0, 0], [1, 0]]'

#: Texts with a mark `@` before each wrong value, and the codes in the order of the marks.
BROKEN = [
    # the form of JSON
    ("@", "PZ003"),
    ('{"puzzlec": 1, "stage"@', "PZ271"),
    ('{"puzzlec": 1, @}', "PZ271"),
    ('{"puzzlec": @NaN, "stage": "cover"}', "PZ271"),
    ('{"puzzlec": @-Infinity}', "PZ271"),
    ('{"puzzlec": @1234567890123456789, "stage": "cover"}', "PZ271"),
    ('{"puzzlec": @1e999}', "PZ271"),
    ("{@'puzzlec': 1}", "PZ271"),
    ('{@// a comment\n"puzzlec": 1}', "PZ271"),
    ('{"puzzlec": 1} @{', "PZ271"),
    ('{"puzzlec": 1, "title": "abc@\n}', "PZ271"),
    ('{"puzzlec": 1, "title": @"\\ud800"}', "PZ271"),
    ('{"a": ' + "[" * 49 + "@" + "[" * 100_000, "PZ271"),
    ('{"puzzlec": 1, @"puzzlec": 1}', "PZ272"),
    (PUZZLE + BOARD + ', "pieces": [{"name": "D", @"name": "E"}]}', "PZ272"),
    # version, level and keys
    ("@[]", "PZ275"),
    ("@7", "PZ275"),
    ('@{"stage": "puzzle"}', "PZ274"),
    ('@{"puzzlec": 1}', "PZ274"),
    ('{"puzzlec": @2, "stage": "puzzle"}', "PZ275"),
    ('{"puzzlec": @true, "stage": "puzzle"}', "PZ275"),
    ('{"puzzlec": 1, "stage": @"puzle"}', "PZ275"),
    ("@" + HEAD + '"puzzle"}', "PZ274"),
    (PUZZLE + BOARD + ', @"piece": [], ' + DOMINO + "}", "PZ273"),
    # a puzzle
    (HEAD + '"puzzle", "lattice": @"sqare", ' + BOARD + ", " + DOMINO + "}", "PZ302"),
    (HEAD + '"puzzle", "lattice": @4, ' + BOARD + ", " + DOMINO + "}", "PZ275"),
    (HEAD + '"puzzle", "lattice": @{"summary": "x"}, ' + BOARD + ", " + DOMINO + "}", "PZ274"),
    (HEAD + '"puzzle", "lattice": {"name": "x.yaml", @"sumary": "x"}, ' + BOARD + ", " + DOMINO + "}", "PZ341 PZ343"),
    (PUZZLE + '"locations": @[], ' + DOMINO + "}", "PZ308"),
    (PUZZLE + BOARD + ', "pieces": @[]}', "PZ309"),
    (PUZZLE + '"locations": [[0, 0], @[0, 0], @[1], [@"x", 0], @"a", [0, @1.5], [@9999999999, 0]], ' + DOMINO + "}",
     "PZ310 PZ312 PZ275 PZ275 PZ275 PZ275"),
    (PUZZLE + '"locations": [{"at": [0, 0], "colour": @7}, @{"optional": true}], ' + DOMINO + "}", "PZ275 PZ274"),
    (PUZZLE + '"locations": [{"at": [0, 0], "optional": @1}], ' + DOMINO + "}", "PZ275"),
    (PUZZLE + BOARD + ', "pieces": [{"name": "D", "cells": [[0, 0]], "turns": @"fre"}]}', "PZ275"),
    (PUZZLE + BOARD + ', "pieces": [{"name": "D", "cells": [[0, 0]], "turns": [@[[2, 0], [0, 1]]]}]}', "PZ276"),
    (PUZZLE + BOARD + ', "pieces": [@{"name": "D", "cells": [[0, 0]]}]}', "PZ274"),
    (PUZZLE + BOARD + ', "pieces": [{"name": "D", "cells": @[], "turns": "free"}]}', "PZ276"),
    (PUZZLE + BOARD + ', "pieces": [{"name": "D", "cells": [[0, 0], @[0, 0]], "turns": "free"}]}', "PZ310"),
    (PUZZLE + BOARD + ', "pieces": [{"name": @"", "low": @-1, "high": @"many", "covers": []}]}', "PZ275 PZ275 PZ275"),
    (PUZZLE + BOARD + ', "pieces": [{"name": "D", "low": 3, "high": @2, "covers": []}]}', "PZ276"),
    (PUZZLE + BOARD + ', "pieces": [{"name": "D", "covers": [[@[5, 5]], [[0, 0], @[0, 0]]]}]}', "PZ311 PZ205"),
    (PUZZLE + BOARD + ', "pieces": [{"name": "D", "covers": []}, @{"name": "D", "covers": []}]}', "PZ301"),
    (PUZZLE + BOARD + ', "pieces": [{"name": "D", "covers": [], "sides": @["r"]}]}', "PZ276"),
    (PUZZLE + BOARD + ', "pieces": [@{"name": @"a\\u0007b"}]}', "PZ275 PZ274"),
    (PUZZLE + BOARD + ', "rules": [{"kind": @"fixed", "piece": @"E", "region": []}], ' + DOMINO + "}", "PZ275 PZ306"),
    (PUZZLE + BOARD + ', "empty": @[3, 1], "frame": @"r", "crossing": @0, ' + DOMINO + "}", "PZ276 PZ275 PZ275"),
    (PUZZLE + BOARD + ', "mates": [@["a", "b"], @["a"]], "colours": ["r", @"r"], ' + DOMINO + "}", "PZ276 PZ275 PZ276"),
    (PUZZLE + BOARD + ', "wraps": [@{"vector": [1, 0]}], ' + DOMINO + "}", "PZ337"),
    (PUZZLE + BOARD + ', "wraps": [{"vector": @[1]}], ' + DOMINO + "}", "PZ312"),
    (HEAD + '"puzzle", "lattice": null, "locations": [@4, "a"], "pieces": [{"name": "D", "covers": []}]}', "PZ275"),
    (HEAD + '"puzzle", "lattice": null, "locations": ["a"], "pieces": [@{"name": "D"}], "wraps": [@{"vector": []}]}',
     "PZ274 PZ276"),
    # a fitting
    (FITTING + '"pieces": [{"placements": [[0, @3], [@-1], [1, @1], [@true], @4]}]}', "PZ204 PZ204 PZ205 PZ275 PZ275"),
    (FITTING + '"pieces": [@{"name": "A"}]}', "PZ274"),
    (FITTING + '"optional": [@3], "empty": [0, @"x"], "pieces": []}', "PZ204 PZ275"),
    (FITTING + '"crossings": [[[0, 1], @[0]], [[0, @7]]], "pieces": []}', "PZ275 PZ204"),
    (FITTING + '"neighbours": @[[1]], "pieces": []}', "PZ276"),
    (FITTING + '"neighbours": [[@1], [-1], [-1]], "pieces": []}', "PZ276"),
    (FITTING + '"pieces": [{"placements": [[0]], "sides": @[["r"]]}]}', "PZ276"),
    (FITTING + '"neighbours": [[1], [0], []], "pieces": [{"placements": [[0]], "sides": [@["r", "r"]]}]}', "PZ276"),
    (HEAD + '"fitting", "locations": @99999999999, "pieces": []}', "PZ275"),
    # a cover
    (COVER + '"options": [[0, @2], [], [0, @0], [@"a"], {@"item": 1}]}', "PZ276 PZ205 PZ275 PZ273"),
    (COVER + '"options": @{}}', "PZ275"),
    (COVER + '"secondary": ["c"], "options": [{"items": [0, 2], "colours": @[1]}]}', "PZ276"),
    (COVER + '"secondary": 1, "colours": @["r"], "options": [{"items": [0, 2], "colours": [0, 2]}]}', "PZ276"),
    (COVER + '"secondary": 1, "colours": ["r", @2], "options": [[0]]}', "PZ275"),
    (COVER + '"colours": @"r", "options": [[0]]}', "PZ275"),
    (COVER + '"title": @"two\\nlines", "options": [[0]]}', "PZ275"),
    (COVER + '"secondary": ["c"], "options": [{"items": [0, 2], "colours": [@1, 0]}]}', "PZ276"),
    (COVER + '"secondary": ["c"], "options": [{"items": [0, 2], "colours": [0, @-1], "name": @3}]}', "PZ275 PZ275"),
    (HEAD + '"cover", "items": [{"name": "a", "low": 2, "high": @1}, @4, {@"hi": 2}], "options": []}',
     "PZ276 PZ275 PZ273"),
    (HEAD + '"cover", "items": @-3, "options": []}', "PZ275"),
    (HEAD + '"cover", "items": @99999999999, "options": []}', "PZ275"),
]  # fmt: skip


def marked(text: str) -> tuple[str, list[tuple[int, int]]]:
    """Return a text without its marks, and the lines and columns of the marks."""
    plain = text.replace("@", "")
    offsets = [match.start() - number for number, match in enumerate(re.finditer("@", text))]
    source = Source("x", plain)
    return plain, [source.position(min(offset, source.end.start)) for offset in offsets]


@pytest.mark.parametrize(("text", "codes"), BROKEN, ids=range(len(BROKEN)))
def test_each_error_of_a_broken_json_text_has_its_position(text: str, codes: str) -> None:
    plain, wanted = marked(text)
    assert sorted(set(refused(plain, "json"))) == sorted(set(codes.split()))
    if codes == "PZ003":
        return
    report = Report()
    with pytest.raises(PuzzleError) as raised:
        read(Source("x", plain), "json", report)
    found = [
        diagnostic.span.source.position(diagnostic.span.start)
        for diagnostic in raised.value.diagnostics
        if diagnostic.span
    ]
    assert sorted(set(found)) == sorted(set(wanted)), str(raised.value)


def test_no_error_hides_another_one() -> None:
    assert len(BROKEN) >= 40
    text = FITTING + '"empty": 7, "optional": [9], "pieces": [{"low": -1, "placements": [[5]]}], "what": 1}'
    with pytest.raises(PuzzleError) as raised:
        read(Source("x", text), "json", Report())
    assert [diagnostic.code for diagnostic in raised.value.diagnostics] == ["PZ273", "PZ204", "PZ275", "PZ275", "PZ204"]


def test_messages_name_the_expected_value_and_the_path() -> None:
    text = FITTING + '"pieces": [{"low": "two", "placements": []}]}'
    with pytest.raises(PuzzleError, match="expected an integer of 0 or more in `pieces\\[0\\]\\.low`"):
        read(Source("x", text), "json", Report())


def test_equal_placements_count_once_and_a_piece_without_any_is_reported() -> None:
    report = Report()
    text = FITTING + '"pieces": [{"placements": [[0, 1], [1, 0]]}, {"placements": []}]}'
    read(Source("x", text), "json", report)
    assert [diagnostic.code for diagnostic in report.diagnostics] == ["PZ208", "PZ206"]
    assert [diagnostic.span.text for diagnostic in report.diagnostics if diagnostic.span] == ["[1, 0]", "[]"]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-999, 999) | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(JSON, st.sampled_from([None, 1]))
@pytest.mark.long
def test_json_is_read_as_by_the_standard_library_and_each_value_has_its_position(
    value: object, indent: int | None
) -> None:
    text = json.dumps(value, indent=indent)
    source = Source("x", text)
    try:
        assert json_value(source) == value
    except PuzzleError as error:
        assert "half a character" in str(error) or "digits" in str(error)
        return
    paths = list(ways(value, ()))
    found = places(source, [(path, False) for path in paths])
    for path in paths:
        here = value
        for step in path:
            here = here[step]  # type: ignore[index]
        shown = found[path, False].text
        assert shown in ("[", "{") or json.loads(shown) == here


def ways(value: object, path: tuple[str | int, ...]) -> list[tuple[str | int, ...]]:
    steps = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(way for step, member in steps for way in ways(member, (*path, step)))]


WHOLE = json.dumps({
    "puzzlec": 1, "stage": "puzzle", "title": "t", "lattice": "square", "colours": ["r"], "locations": [[0, 0], [1, 0]],
    "pieces": [{"name": "D", "cells": [[0, 0]], "colours": [None], "turns": "free", "low": 1, "high": "any"}],
    "rules": [{"kind": "fix", "piece": "D", "region": [[0, 0]]}], "wraps": [{"vector": [2, 0]}], "empty": [0, 1],
})  # fmt: skip
TILES = json.dumps({
    "puzzlec": 1, "stage": "puzzle", "lattice": "square", "colours": ["r", "b"], "locations": [[0, 0], [1, 0]],
    "pieces": [{"name": "A", "cells": [[0, 0]], "turns": "one-sided", "sides": ["r", "b", "r", "b"], "high": 2}],
    "mates": [["r", "b"], ["b", "r"]], "frame": ["r"], "crossing": True,
})  # fmt: skip
PLACED = json.dumps({
    "puzzlec": 1, "stage": "fitting", "locations": 3, "optional": [2], "empty": [0, 1],
    "neighbours": [[1, -1], [0, 2], [1, -1]], "mates": [["r", "b"], ["b", "r"]], "crossings": [[[0, 1], [1, 2]]],
    "pieces": [
        {"placements": [[0, 1], [1, 2]], "low": 0},
        {"name": "T", "placements": [[0], [2]], "sides": [["r", "b"], ["b", "b"]]},
    ],
})  # fmt: skip
OPTIONS = json.dumps({
    "puzzlec": 1, "stage": "cover", "items": ["a", {"name": "b", "low": 0, "high": "any"}], "secondary": ["c"],
    "options": [[0, 1], {"name": "x", "items": [0, 2], "colours": [0, 3]}],
})  # fmt: skip


@settings(max_examples=400)
@given(st.data())
@pytest.mark.long
def test_a_text_with_one_changed_value_is_compiled_or_refused_with_a_position(data: st.DataObject) -> None:
    value = json.loads(data.draw(st.sampled_from([WHOLE, TILES, PLACED, OPTIONS])))
    path = data.draw(st.sampled_from(ways(value, ())[1:]))
    inner = value
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = data.draw(
        JSON | st.lists(st.integers(-2, 4) | st.lists(st.integers(-1, 3), max_size=3), max_size=3)
    )
    report = Report()
    try:
        what = read(Source("x", json.dumps(value)), "json", report)
    except PuzzleError as error:
        assert all(diagnostic.span for diagnostic in error.diagnostics)
        return
    with suppress(PuzzleError):
        encoding = compile(what)
        encoding.cover.verify()


@given(st.integers(0, len(WHOLE) - 1), st.sampled_from(["", '"', "{", "]", ",", "\\", "9"]))
def test_a_text_with_one_changed_character_is_read_or_refused_with_a_position(at: int, sign: str) -> None:
    try:
        read(Source("x", WHOLE[:at] + sign + WHOLE[at + 1 :]), "json", Report())
    except PuzzleError as error:
        assert all(diagnostic.span for diagnostic in error.diagnostics)


def test_the_old_key_for_the_stage_is_named() -> None:
    with pytest.raises(PuzzleError) as caught:
        read(Source("<text>", '{"puzzlec": 1, "level": "puzzle"}'), "json", Report())
    assert caught.value.diagnostics[0].helps == ("rename the key `level` to `stage`",)
