"""``puzzlec fmt`` upgrades texts of version 0.1: the exact covers stay, and each change has a remark.

``tests/golden/upgrade`` has texts of the catalogue and of the reference of version 0.1, with the covers and numbers
of solutions that version 0.1 made of them. One cover is newer, that of `reference/951`: values that must all occur in
a region have primary items since then.
"""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

import pytest

import puzzlec
from puzzlec.ir import Puzzle
from puzzlec.language.upgrade import REWRITES, upgraded
from tests.commands import command
from tests.docs_blocks import PAGES, blocks

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "tests" / "golden" / "upgrade"
TEXTS = dict(re.findall(r"(?ms)^== (\S+)\n(.*?)(?=^== |\Z)", (FOLDER / "texts.txt").read_text(encoding="utf-8")))
COVERS = json.loads((FOLDER / "covers.json").read_text(encoding="utf-8"))

BOARD = "locations box 4x3\npiece A { xxx/x.. }\npiece B x0..1 { xx }\npiece C x* { xx }\n"


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def facts(text: str) -> dict[str, object]:
    """Return the exact cover of a text and its costs in a form that can be compared, and numbers of solutions."""
    puzzle = puzzlec.parse(text)
    assert isinstance(puzzle, Puzzle)
    items, *options = (line for line in puzzlec.convert(puzzle, "dlx").splitlines() if not line.startswith("|"))
    found: dict[str, object] = {
        "items": len(items.replace("|", " ").split()),
        "options": len(options),
        "cover": digest("\n".join([items, *sorted(options)])),
    }
    if puzzle.costs:
        found["costs"] = digest(next(line for line in puzzlec.convert(puzzle, "opb").splitlines() if "min" in line[:3]))
    if len(options) < 1_499:
        found |= {"distinct": puzzlec.count(puzzle), "raw": puzzlec.count(puzzle, symmetry="none")}
    return found


@pytest.mark.parametrize("name", TEXTS)
def test_an_upgraded_text_has_the_exact_cover_that_version_01_made(name: str) -> None:
    new, changes = upgraded(TEXTS[name])
    assert facts(new) == COVERS[name], [*map(str, changes)]
    assert upgraded(new) == (new, [])


def test_the_texts_of_version_01_need_every_rewrite() -> None:
    made = {change.rewrite for text in [*TEXTS.values(), EVERY] for change in upgraded(text)[1]}
    assert made == set(REWRITES)


@pytest.mark.parametrize("path", sorted((ROOT / "puzzles").rglob("*.puzzle")), ids=lambda path: path.stem)
def test_a_text_of_today_is_not_changed(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert upgraded(text) == (text, [])


def test_no_puzzle_of_the_docs_has_an_old_form() -> None:
    for page in PAGES:
        for block in blocks(page):
            if block.language == "puzzle" and not block.said("fails"):
                assert upgraded(block.text) == (block.text, []), f"{page}:{block.line}"


#: Old forms in one text: in a block, beside a comment, and twice.
EVERY = (
    f'puzzle "place A in box 3x3"\n{BOARD}place A in box 3x3  # place A in box 3x3\n'
    "fix A in cells (0,0) (1,0) (2,0) (0,1)\nforbid C in { xx }\n"
    "cost A on box 2x2 = 3\nfor x in 0..1 { cost B in box 1x2 at (x,0) = x }\nplace B in box 4x3\nturns allowed\n"
)


@pytest.mark.parametrize("word", ["crossing", "turns"])
def test_crossing_and_turns_have_one_form(word: str) -> None:
    head = "lattice sticks\nlocations grid 2x2\n" if word == "crossing" else "locations box 2x2\n"
    pieces = "pieces disticks x0..\n" if word == "crossing" else "piece A x0.. { x }\n"
    with pytest.raises(puzzlec.PuzzleError) as caught:
        puzzlec.parse(f"{head}{pieces}{word} allowed\n")
    (error,) = caught.value.diagnostics
    assert error.helps == (f"write `{word}`",)
    assert upgraded(f"{head}{pieces}{word} allowed\n")[0] == f"{head}{pieces}{word}\n"
    assert puzzlec.count(puzzlec.parse(f"{head}{pieces}{word}\n")) > 0


def test_fmt_says_each_change_with_its_lines(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "old.puzzle"
    file.write_text(EVERY, encoding="utf-8")
    status, printed, _ = command(capsys, monkeypatch, "fmt", "--check", "--json", str(file))
    assert status == 1
    upgrades = json.loads(printed)["upgrades"]
    assert {"old": "place ... in", "new": "place ... inside", "lines": [6, 11]} in upgrades
    status, _, remarks = command(capsys, monkeypatch, "fmt", str(file))
    assert status == 0
    assert f"{file}: lines 6 and 11: `place ... in` is now `place ... inside`" in remarks
    assert f"{file}: line 7: `fix ... in` is now `fix ... at`" in remarks
    assert remarks.count("` is now `") == len(upgraded(EVERY)[1])
    new = file.read_text(encoding="utf-8")
    assert 'puzzle "place A in box 3x3"' in new
    assert "place A inside box 3x3  # place A in box 3x3" in new
    puzzle = puzzlec.parse(new)
    assert isinstance(puzzle, Puzzle)
    assert [cost.where for cost in puzzle.costs] == ["per", "inside", "inside"]


def test_an_old_form_that_is_valid_today_is_rewritten_only_beside_another_one() -> None:
    line = "cost A on box 2x2 = 3\n"
    assert upgraded(line) == (line, [])
    assert upgraded(f"{line}place A in box 2x2\n")[0] == "cost A per box 2x2 = 3\nplace A inside box 2x2\n"


@pytest.mark.long
def test_a_long_line_is_upgraded_in_time_that_grows_with_it() -> None:
    text = "locations cells " + "(0,0) " * 200_000 + "\nplace A in box 3x3\n"
    assert upgraded(text)[0].endswith("place A inside box 3x3\n")
