"""A page to play on has the part of the program that its puzzle can use."""

from __future__ import annotations

import re

import pytest

from puzzlec import parse
from puzzlec.make.outputs import subject
from puzzlec.show.game.writing import FLAT, MODULES, STAGED, TURNING, game, game_source
from puzzlec.show.page.needed import needed
from puzzlec.show.page.writing import STAGE, part_of_viewer

BALLS = "lattice fcc\nlocations cells (0,0,0) (1,1,0)\npiece A x2 cells (0,0,0)\n"

RULED = "locations box 3x1\npiece A x3 { x }\nno crossroads\n"


def test_what_is_mentioned_stays_with_its_comment_and_the_rest_goes() -> None:
    source = """\
// The file.

/** A limit. */
const LIMIT = 2, OTHER = 3;

/** Says a word. */
function say(word) {
  return `${word} ${LIMIT}`;
}

// Never used.
function silent() {
  return say("nothing");
}

class Box {
  constructor() {
    this.open();
  }

  /** Opens. */
  open() {}

  get size() {
    return 1;
  }

  // Closes.
  close() {
    silent();
  }
}
"""
    assert needed(source, "") == ""
    assert needed(source, "say(1)") == source[: source.index("// Never")].rstrip("\n") + "\n"
    boxed = needed(source, "new Box()")
    assert "Opens." in boxed
    assert not re.search("size|close|silent|Closes|LIMIT|say", boxed)
    assert needed(source, "new Box().close() + size") == source
    assert "OTHER" in needed(source, "OTHER")


def test_no_member_of_a_class_is_called_by_a_name_that_is_put_together() -> None:
    parts = [*map(part_of_viewer, STAGE), game_source(True, False, True), game_source(False, False)]
    named = r"\b(?:this|owner|game|view|host|stage|camera|assembly|painter|keeper|puzzle|mesh)(?:\?\.)?\[(?!\d)[^\]]*\]"
    found = {match for part in parts for match in re.findall(rf"{named}(?:\?\.)?\(", part)}
    assert found == set()


@pytest.mark.parametrize(
    ("text", "there", "missing"),
    [
        (BALLS, "function addBalls", "function noteWords"),
        (RULED, "function noteWords", "class Stage"),
        ("locations box 3x1\npiece A x3 { x }\n", "class Flat", "function noteWords"),
        ("lattice cubic\nlocations box 3x1x1\npiece A x3 { x }\n", "class Stage", "function addBalls"),
    ],
)
def test_a_game_has_the_parts_for_its_puzzle_only(text: str, there: str, missing: str) -> None:
    page = game(subject(parse(text), 1))
    assert there in page
    assert missing not in page


def test_the_parts_define_functions_and_nothing_that_runs_at_once() -> None:
    sources = [*map(part_of_viewer, STAGE), *(game_source(kind, False, kind) for kind in (True, False))]
    shader = r"#version|(?:in|out|uniform|precision|void|float|vec3) "
    begun = rf"(?:async )?(?:class|function\*?|const|let) |//|/\*\*|[\]}}) ]|$|{shader}"
    lines = {line for source in sources for line in source.splitlines() if not re.match(begun, line)}
    assert lines == set()
    assert len({*MODULES, *FLAT, *STAGED, *TURNING}) == 9
