"""`puzzlec explain --json`: the numbers and names of its sentences, for programs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from puzzlec import compile, convert, parse
from tests.cli.test_explain import STUCK
from tests.cli.test_manners_json import Ran, agrees

#: Each of the two dominoes has one placement; the rule removes that of the first.
FORCED = """puzzle "Forced"
locations { xxxx? }
empty 1
piece D x2 { xx }
place D inside box 4x1
"""

#: Items a to d, and the optional item e. The third option is in no cover; the others are the only cover.
COVER = "a b c d | e\na b\nc d e:red\nb c\n"


class Explained:
    """Explain a text by the command, and compare the output with the page."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str], patch: pytest.MonkeyPatch) -> None:
        self.folder, self.capsys, self.patch = folder, capsys, patch
        patch.chdir(folder)

    def __call__(self, text: str, ending: str = "puzzle", status: int = 0) -> dict[str, Any]:
        (self.folder / f"p.{ending}").write_text(text)
        return self.of(f"p.{ending}", status)

    def of(self, name: str, status: int = 0) -> dict[str, Any]:
        ran = Ran(self.capsys, self.patch, f"explain {name}")
        assert ran.status == status
        (told,) = ran.printed
        agrees(told, "explanation")
        assert isinstance(told, dict)
        return told


@pytest.fixture
def explained(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Explained:
    return Explained(tmp_path, capsys, monkeypatch)


def test_the_numbers_of_soma_are_members(explained: Explained) -> None:
    # Seven pieces of 27 cells, and 48 symmetries of a cube. Reflections swap the two mirror images.
    told = explained.of("soma")
    assert [piece["name"] for piece in told["pieces"]] == list("VLTZABP")
    assert sum(piece["cells"] for piece in told["pieces"]) == told["locations"] == len(told["names"]) == 27
    assert sum(piece["placements"] for piece in told["pieces"]) == told["cover"]["options"] == 688
    kinds = told["symmetry_kinds"]
    assert told["symmetries"] == sum(kind["number"] for kind in kinds) == 48
    assert sum(kind["number"] for kind in kinds if kind["pieces"] == [["A", "B"]]) == 24
    assert {"name": "identity", "number": 1, "pieces": []} in kinds
    assert told["left"] == {"options": 688, "primary": 34, "secondary": 0}
    held = told["search"]["held"]
    assert (held["item"], held["options"]) in [
        (f"piece {piece['name']}", piece["placements"]) for piece in told["pieces"]
    ]
    assert 688 // 48 > held["tried"] > 0


def test_forced_placements_are_reported_with_the_item_that_needs_them(explained: Explained) -> None:
    told = explained(FORCED)
    forced = told["forced"]
    chosen = [(choice["piece"], choice["locations"], choice["because"]) for choice in forced["chosen"]]
    assert sorted(chosen, key=str) == [
        ("D", [0, 1], "location 0,0"),
        ("D", [2, 3], "location 2,0"),
        (None, [4], "location 4,0"),
    ]  # fmt: skip
    assert [placement["locations"] for placement in forced["impossible"]] == [[1, 2]]
    assert (forced["lost"], forced["complete"], told["refuted"]) == (None, True, False)
    assert told["left"] == {"options": 0, "primary": 0, "secondary": 0}
    assert (told["search"], told["empty"]) == (None, [1, 1])
    assert told["rules"] == [
        {"rule": "place inside", "piece": "D", "locations": ["0,0", "1,0", "2,0", "3,0"], "sides": []}
    ]
    assert [(piece["placements"], piece["ruled_out"]) for piece in told["pieces"]] == [(3, 1)]


def test_a_piece_that_fits_nowhere_is_reported_by_its_name_without_later_stages(explained: Explained) -> None:
    told = explained('puzzle "P"\nlocations box 5x1\npiece D x0..5 { xx }\npiece T x0..1 { xxxxxx }\n', status=3)
    assert (told["refuted"], told["left"], told["search"]) == (True, None, None)
    assert told["forced"]["lost"].startswith("location ")


def test_an_exact_cover_is_reported_by_its_items_and_options(explained: Explained) -> None:
    told = explained(COVER, "dlx")
    assert [told[member] for member in ("lattice", "locations", "optional", "names", "pieces")] == [None] * 5
    assert told["cover"] == {"primary": 4, "secondary": 1, "options": 3, "entries": 7, "colours": 1}
    chosen = [(choice["items"], choice["because"]) for choice in told["forced"]["chosen"]]
    assert sorted(chosen) == [(["a", "b"], "item a"), (["c", "d", "e:red"], "item c")]
    assert [option["items"] for option in told["forced"]["impossible"]] == [["b", "c"]]
    assert told["redundant"] == {"idle": ["item e"], "items": [], "options": 0}


def test_members_about_placements_are_null_if_these_cannot_be_listed(explained: Explained) -> None:
    told = explained(STUCK, status=1)
    assert (told["title"], told["lattice"], told["locations"]) == ("Stuck", "square", 4)
    assert told["names"] == ["0,0", "1,0", "2,0", "3,0"]
    assert [rule["rule"] for rule in told["rules"]] == ["fix"]
    assert [told[member] for member in ("pieces", "cover", "symmetries", "forced", "refuted", "left", "search")] == [
        None
    ] * 7


def test_the_sentences_are_also_in_the_output(explained: Explained) -> None:
    told = explained(FORCED)
    titles = [section["title"] for section in told["sections"]]
    assert titles[:3] == ['puzzle "Forced"', "pieces", "exact cover"]
    (forced,) = [section["lines"] for section in told["sections"] if section["title"] == "forced"]
    assert forced[-1] == "no other placement is left: this is the only solution"


def test_the_number_of_empty_locations_is_also_known_of_a_fitting(explained: Explained) -> None:
    # The same two dominoes, by their placements alone.
    fitting = convert(compile(parse(FORCED), stage="fitting"), "json")
    assert '"stage": "fitting"' in fitting
    assert explained(fitting, "json")["empty"] == [1, 1]
