"""What is public changes only with a line in the changelog."""

from __future__ import annotations

import puzzlec
from tests.public_surface import CHANGES, RECORD, announced, released, subject, surface, unannounced

CHANGELOG = """# Changes

## Unreleased

### Added

- `puzzlec.fresh` and `puzzlec solve --shiny`.

### Removed

- `puzzlec.stale`; use `puzzlec.fresh`.

## 0.1.0 - 2026-01-01
"""


def test_what_changed_since_the_last_version_stands_in_the_changelog() -> None:
    first, *before = RECORD.read_text(encoding="utf-8").splitlines()
    changes = CHANGES.read_text(encoding="utf-8")
    assert first == f"# version {released(changes)}"
    assert unannounced(before, surface(), changes) == []


def test_a_new_name_that_nobody_announced_is_told() -> None:
    before = ["puzzlec.count(what)", "puzzlec solve --all: flag = False"]
    assert unannounced(before, [*before, "puzzlec.fresh()", "puzzlec solve --shiny: flag = False"], CHANGELOG) == []
    assert unannounced(before, [*before, "puzzlec.other()"], CHANGELOG) == ["puzzlec.other is new"]


def test_what_is_gone_must_be_told_as_that() -> None:
    assert unannounced(["puzzlec.stale()"], [], CHANGELOG) == []
    assert unannounced(["puzzlec solve --shiny: flag = False"], [], CHANGELOG) == [
        "puzzlec solve --shiny is gone or changed"
    ]


def test_another_way_to_call_a_function_must_be_told_as_a_change() -> None:
    before, after = ["puzzlec.solid(a)"], ["puzzlec.solid(a, b=1)"]
    assert unannounced(before, after, CHANGELOG) == ["puzzlec.solid is gone or changed"]
    assert unannounced(["puzzlec.stale(a)"], ["puzzlec.stale(b)"], CHANGELOG) == []


def test_a_name_within_another_name_does_not_announce_it() -> None:
    assert unannounced([], ["puzzlec.fre()"], CHANGELOG) == ["puzzlec.fre is new"]


def test_a_changelog_is_read_by_versions_and_sections() -> None:
    assert released(CHANGELOG) == "0.1.0"
    assert list(announced(CHANGELOG)) == ["Added", "Removed"]
    assert announced("# Changes\n\n## 0.1.0\n\n### Added\n\n- x\n") == {}


def test_the_surface_names_every_public_name_once_and_nothing_that_begins_with_an_underscore() -> None:
    lines = surface()
    subjects = [subject(line) for line in lines]
    assert {f"puzzlec.{name}" for name in puzzlec.__all__} <= set(subjects)
    assert not [each for each in subjects if "._" in each or " _" in each]
    assert {"puzzlec solve --all", "PZ348", "ExitStatus.NO_SOLUTION"} <= set(subjects)
    assert len(set(lines)) == len(lines)
