"""The public interface changes only with a line in the changelog."""

from __future__ import annotations

import ast
import builtins
import inspect
import re
from collections.abc import Callable, Iterator
from dataclasses import is_dataclass
from typing import Any

import pytest

import puzzlec
import puzzlec.engine
from tests.public_surface import CHANGES, RECORD, announced, released, subject, surface, unannounced
from tests.tools.site.api import MADE_BY_METHODS, written

#: Names in signatures that do not belong to puzzlec: those of Python and numpy, and aliases of their types. Types that
#: are only passed on follow.
KNOWN = {
    *("Any", "Callable", "Literal", "Collection", "Hashable", "Iterable", "Iterator", "Mapping", "Path", "Sequence"),
    *(
        "Unpack",
        "np",
        "npt",
        "Bound",
        "Cell",
        "Ints",
        "Locations",
        "Longs",
        "Matrix",
        "Place",
        "Point",
        "Copies",
        "SceneBody",
        "Freedom",
        "Geometry",
    ),
    *(
        "Arrays",
        "Chosen",
        "Forecast",
        "JobProblem",
        "KernelChoice",
        "Scheduled",
        "Status",
        "Moves",
        "Wrapping",
        "Joints",
    ),
}

CHANGELOG = """# Changes

## Unreleased

### Added

- `puzzlec.fresh` and `puzzlec solve --shiny`. The board has two sides, and a count is made.
- `--plain` for all commands. PZ901 to PZ903. The command `polish`, and
  `puzzlec polish
  --wet`; `fresh.kinds` of JSON.

### Removed

- `puzzlec.stale`; use `puzzlec.fresh`.

### Fixed

- `soma/castle` has 6 solutions.

## 0.1.0 - 2026-01-01
"""


def test_changes_since_the_last_version_are_in_the_changelog() -> None:
    first, *before = RECORD.read_text(encoding="utf-8").splitlines()
    changes = CHANGES.read_text(encoding="utf-8")
    assert first == f"# version {released(changes)}"
    assert unannounced(before, surface(), changes) == []


def test_a_new_name_without_a_line_in_the_changelog_is_reported() -> None:
    before = ["puzzlec.count(what)", "puzzlec solve --all: flag = False"]
    assert unannounced(before, [*before, "puzzlec.fresh()", "puzzlec solve --shiny: flag = False"], CHANGELOG) == []
    assert unannounced(before, [*before, "puzzlec.other()"], CHANGELOG) == ["puzzlec.other is new"]


@pytest.mark.parametrize(
    "line",
    [
        "puzzlec.board()",  # a word of the prose
        "puzzlec.count()",  # another word, and the result is not a function
        "puzzlec.sides: int",
        "puzzlec count --shiny: flag = False",  # an option of another command
        "puzzlec shiny",
        "PZ904: code of a diagnostic",
        "json stale.fresher: integer",
        "format read polished: .polished",
        "lattice board",
    ],
)
def test_a_word_with_another_meaning_announces_nothing(line: str) -> None:
    assert unannounced([], [line], CHANGELOG) == [f"{subject(line)} is new"]


@pytest.mark.parametrize(
    "line",
    [
        "puzzlec count --plain: flag = False",
        "puzzlec polish",
        "puzzlec polish --wet: flag = False",
        "PZ902: code of a diagnostic",
        "json fresh.kinds: integer",
    ],
)
def test_names_in_backticks_and_codes_are_announced(line: str) -> None:
    assert unannounced([], [line], CHANGELOG) == []


def test_members_of_a_new_thing_and_a_new_puzzle_need_no_separate_line() -> None:
    assert unannounced([], ["puzzlec.fresh(a)", "puzzlec.fresh.run(b)", "puzzle soma/new: raw 1"], CHANGELOG) == []
    assert unannounced(["puzzlec.fresh()"], ["puzzlec.fresh()", "puzzlec.fresh.run()"], CHANGELOG) == [
        "puzzlec.fresh.run is new"
    ]


def test_members_of_a_removed_thing_need_no_separate_line() -> None:
    gone = ["puzzlec stale", "puzzlec stale --wet: flag = False"]
    assert unannounced(gone, [], CHANGELOG) == ["puzzlec stale is gone or changed"]
    assert unannounced(gone, gone[:1], CHANGELOG) == ["puzzlec stale --wet is gone or changed"]


def test_a_number_of_solutions_changes_with_a_line_that_names_the_puzzle() -> None:
    assert unannounced(["puzzle soma/castle: raw 5"], ["puzzle soma/castle: raw 6"], CHANGELOG) == []
    assert unannounced(["puzzle soma/screw: raw 5"], ["puzzle soma/screw: raw 6"], CHANGELOG) == [
        "puzzle soma/screw is gone or changed"
    ]


def test_a_removed_name_must_be_announced_as_removed() -> None:
    assert unannounced(["puzzlec.stale()"], [], CHANGELOG) == []
    assert unannounced(["puzzlec solve --shiny: flag = False"], [], CHANGELOG) == [
        "puzzlec solve --shiny is gone or changed"
    ]


def test_a_changed_signature_must_be_announced_as_a_change() -> None:
    before, after = ["puzzlec.solid(a)"], ["puzzlec.solid(a, b=1)"]
    assert unannounced(before, after, CHANGELOG) == ["puzzlec.solid is gone or changed"]
    assert unannounced(["puzzlec.stale(a)"], ["puzzlec.stale(b)"], CHANGELOG) == []


def test_a_name_within_another_name_does_not_announce_it() -> None:
    assert unannounced([], ["puzzlec.fre()"], CHANGELOG) == ["puzzlec.fre is new"]


def test_a_changelog_is_read_by_versions_and_sections() -> None:
    assert released(CHANGELOG) == "0.1.0"
    assert list(announced(CHANGELOG)) == ["Added", "Removed", "Fixed"]
    assert announced("# Changes\n\n## 0.1.0\n\n### Added\n\n- x\n") == {}


def test_the_surface_names_every_public_name_once_and_nothing_that_begins_with_an_underscore() -> None:
    lines = surface()
    subjects = [subject(line) for line in lines]
    assert {f"puzzlec.{name}" for name in puzzlec.__all__} <= set(subjects)
    assert not [spelling for spelling in subjects if "._" in spelling or " _" in spelling]
    assert {"puzzlec solve --all", "PZ348", "ExitStatus.NO_SOLUTION", "json count.nodes", "lattice hex"} <= set(
        subjects
    )
    assert {"puzzle soma/castle", "shapes pentominoes", "format read dlx", "puzzlec.Solutions.stopped"} <= set(subjects)
    assert len(set(lines)) == len(lines)


def test_the_surface_has_results_and_no_text_that_differs_from_run_to_run() -> None:
    lines = set(surface())
    assert 'puzzlec.own_symmetry(solution: Solution, *, symmetry: SymmetryKind = "all") -> OwnSymmetry' in lines
    assert "puzzlec.Solution.names_on: tuple[str | None, ...]" in lines
    assert "puzzle soma/castle: distinct 5, rotations 10, raw 20" in lines
    assert not [
        line for line in lines if re.search(r" at 0x|ForwardRef|<class|<factory>|/", re.sub("^puzzle .*", "", line))
    ]


def functions() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Yield the public functions and methods, and the constructors that classes define."""
    for module in (puzzlec, puzzlec.engine):
        for name in module.__all__:
            found = getattr(module, name)
            if not inspect.isclass(found):
                yield from [(name, found)] * inspect.isfunction(found)
                continue
            made = vars(found).get("__init__")
            if inspect.isfunction(made) and not is_dataclass(found) and f"puzzlec.{name}" not in MADE_BY_METHODS:
                yield name, made
            for key, member in vars(found).items():
                thing = member.__func__ if isinstance(member, staticmethod | classmethod) else member
                thing = thing.fget if isinstance(thing, property) else getattr(thing, "func", thing)
                if not key.startswith("_") and inspect.isfunction(thing):
                    yield f"{name}.{key}", thing


def test_parameters_and_results_of_public_functions_have_public_types() -> None:
    public = {*puzzlec.__all__, *puzzlec.engine.__all__, *KNOWN}
    seen = set()
    for name, function in functions():
        for annotation in inspect.get_annotations(function).values():
            tree = ast.parse(written(annotation), mode="eval")
            needed = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
            unknown = {word for word in needed - public if not hasattr(builtins, word)}
            assert not unknown, f"{name} needs {unknown}: make it public, or say in KNOWN why it need not be"
            seen |= needed
    assert seen >= KNOWN, "a name is not needed anymore"
