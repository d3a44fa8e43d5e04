"""Merge shards: add counts, join solutions, and refuse shards of different searches."""

from __future__ import annotations

import shutil
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import puzzlec
from puzzlec.diagnostics import PuzzleError
from puzzlec.jobs.job import Job
from puzzlec.jobs.merging import Merged, merge
from puzzlec.jobs.status import read_status
from puzzlec.jobs.streams import Settled
from puzzlec.lower.symmetries import SymmetryKind

DOMINOES = 'puzzle "Dominoes"\nlocations box 4x5\npiece D x10 { xx }\n'
SQUARES = 'puzzle "Squares"\nlocations box 4x5\npiece D x6 { xx }\npiece O x2 { xx / xx }\n'
PENTOMINOES = (Path(__file__).parents[2] / "puzzles" / "pentominoes" / "4x15.puzzle").read_text(encoding="utf-8")


def shard(folder: Path, which: int, of: int, text: str = DOMINOES, limit: int | None = None, **more: object) -> Path:
    """Search a shard, up to a limit of solutions."""
    settings = {"task": "solutions", "wanted": 24, **more}
    with Job.begin(folder / f"{which} of {of}", puzzlec.parse(text), shard=(which, of), **settings) as job:  # type: ignore[arg-type]
        job.limit = limit
        job.run()
        return job.store.folder


def found(folder: Path) -> list[str]:
    """Return the solutions of a complete checkpoint in their order."""
    with Job.open(folder) as job:
        job.run()
        return [solution.listing() for solution in Settled(job).more()]


def listed(text: str, symmetry: SymmetryKind = "all") -> list[str]:
    """Return the solutions of a search without a job."""
    return [solution.listing() for solution in puzzlec.solve(puzzlec.parse(text), symmetry=symmetry)]


@settings(max_examples=3, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(of=st.integers(1, 5), symmetry=st.sampled_from(["all", "none"]), data=st.data())
@pytest.mark.long
def test_any_number_of_shards_in_any_order_are_the_whole(
    of: int, symmetry: SymmetryKind, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("shards")
    limits = data.draw(st.lists(st.sampled_from([None, 1, 2]), min_size=of, max_size=of))
    shards = [
        shard(folder, number, of, symmetry=symmetry, limit=limit) for number, limit in enumerate(limits, 1)
    ]  # fmt: skip
    merged = merge(data.draw(st.permutations(shards)), into=folder / "whole")
    whole = listed(DOMINOES, symmetry)
    assert [part.folder.name for part in merged.shards] == [path.name for path in shards]
    assert merged.is_complete == all(read_status(path).is_complete for path in shards)
    assert merged.number == len(whole) if merged.is_complete else merged.number <= len(whole)
    assert not merged.missing
    now = read_status(folder / "whole")
    assert (now.number, now.raw, now.kept, now.header.shard) == (merged.number, merged.raw, merged.number, None)
    assert now.nodes == sum(part.nodes for part in merged.shards)
    assert found(folder / "whole") == whole
    assert read_status(folder / "whole").raw == len(listed(DOMINOES, "none"))


@pytest.mark.long
def test_missing_shards_are_named_and_searched_in_the_whole(tmp_path: Path) -> None:
    shards = [shard(tmp_path, number, 4, PENTOMINOES, wanted=None) for number in (1, 3, 4)]
    merged = merge([shards[2], shards[0]], into=tmp_path / "whole")
    assert (merged.missing, merged.unfinished, merged.is_complete) == ((2, 3), (), False)
    assert [part.done > 0 for part in merged.shards] == [True, True]
    assert 0 < merged.number < 368
    assert read_status(tmp_path / "whole").fresh > 0
    assert found(tmp_path / "whole") == listed(PENTOMINOES)


@pytest.mark.parametrize("task", ["solutions", "count"])
def test_the_most_advanced_copy_of_a_shard_counts(tmp_path: Path, task: str) -> None:
    ended = shard(tmp_path / "ended", 1, 2, task=task)
    begun = shard(tmp_path / "begun", 1, 2, task=task, limit=1)
    other = shard(tmp_path, 2, 2, task=task)
    link = tmp_path / "link"
    link.symlink_to(ended)
    for folders in ([ended, begun, other], [begun, other, ended], [link, other, ended, other]):
        merged = merge(folders)
        assert (merged.number, merged.is_complete) == (len(listed(DOMINOES)), True)
    assert not merge([begun, other]).is_complete
    assert [part.folder for part in merge([begun, other]).unfinished] == [begun]


@pytest.mark.long
def test_the_more_complete_of_two_unfinished_copies_counts(tmp_path: Path) -> None:
    # A run stops after a whole batch, whose size follows from the speed of the machine. So the limits do not say which
    # copy is the most complete, only that they differ.
    copies = [shard(tmp_path / str(limit), 1, 2, PENTOMINOES, limit=limit) for limit in (1, 120, 20)]
    ranks = {path: (read_status(path).fraction, read_status(path).nodes) for path in copies}
    best = max(copies, key=lambda path: ranks[path])
    assert 0 < ranks[copies[0]][0] <= ranks[best][0]
    for folders in permutations(copies):
        merged = merge(folders)
        assert [ranks[part.folder] for part in merged.shards] == [ranks[best]]
        assert merged.number == read_status(best).number


def test_merged_shards_of_a_count_can_be_resumed(tmp_path: Path) -> None:
    shards = [shard(tmp_path, number, 3, task="count", limit=None if number > 1 else 1) for number in (1, 2, 3)]
    merge(shards, into=tmp_path / "whole")
    with Job.open(tmp_path / "whole") as job:
        job.run()
        assert (job.number, job.complete) == (len(listed(DOMINOES)), True)


def refused(code: str, *folders: Path, into: Path | None = None) -> str:
    with pytest.raises(PuzzleError) as error:
        merge(folders, into=into)
    (told,) = error.value.diagnostics
    assert told.code == code
    return " ".join((told.message, *told.notes))


@pytest.mark.long
def test_shards_of_different_searches_are_refused_with_the_reason(tmp_path: Path) -> None:
    first = shard(tmp_path, 1, 2)
    for name, words, made in (
        ("puzzle", "another puzzle", {"text": SQUARES}),
        ("title", "another puzzle", {"text": DOMINOES.replace("Dominoes", "Others")}),
        ("task", "counts them only", {"task": "count"}),
        (
            "both",
            "another puzzle",
            {"text": DOMINOES.replace("Dominoes", "Others"), "task": "count", "symmetry": "none"},
        ),
        ("symmetry", "`--symmetry none`", {"symmetry": "none"}),
        ("plan", "another plan", {"wanted": 12}),
    ):
        other = shard(tmp_path / name, 2, 2, **made)
        assert words in refused("PZ628", first, other)
        assert words in refused("PZ628", other, first)
    second = shard(tmp_path, 2, 2)
    assert "2 of 2, and this one 1 of 3" in refused("PZ628", second, shard(tmp_path, 1, 3))
    other = shard(tmp_path / "many", 1, 3, text=SQUARES, task="count", wanted=12)
    assert "another number of shards" in refused("PZ628", second, other)  # the first of several differences
    with Job.begin(tmp_path / "whole", puzzlec.parse(DOMINOES)):
        pass
    assert "whole search" in refused("PZ628", tmp_path / "whole")
    assert "whole search" in refused("PZ628", first, tmp_path / "whole")


def test_no_shards_are_not_merged() -> None:
    with pytest.raises(ValueError, match="no shards"):
        merge([])


def test_merging_overwrites_no_file_and_uses_no_damaged_shard(tmp_path: Path) -> None:
    shards = [shard(tmp_path, number, 2) for number in (1, 2)]
    taken = tmp_path / "taken"
    taken.mkdir()
    assert merge(shards, into=taken).is_complete, "an empty folder counts as missing"
    assert found(taken) == listed(DOMINOES)
    refused("PZ620", *shards, into=taken)
    refused("PZ620", *shards, into=taken / "job.sqlite3")
    before = {path.name for path in tmp_path.iterdir()}
    file = shards[1] / "job.sqlite3"
    data = bytearray(file.read_bytes())
    for at in range(4096, len(data), 64):
        data[at] ^= 0x55
    file.write_bytes(data)
    refused("PZ622", *shards, into=tmp_path / "whole")
    refused("PZ620", shards[0], tmp_path / "nowhere")
    assert {path.name for path in tmp_path.iterdir()} == before


def test_a_plan_that_cannot_be_made_again_is_not_guessed(tmp_path: Path) -> None:
    first = shard(tmp_path, 1, 2)
    assert merge([first]).missing == (2,)
    assert "planned" in refused("PZ623", first, into=tmp_path / "whole")
    assert not (tmp_path / "whole").exists()


def test_an_impossible_puzzle_also_has_shards(tmp_path: Path) -> None:
    text = 'puzzle "Five"\nlocations box 1x5\npiece D x2 { xx }\n'
    merged = merge([shard(tmp_path, number, 3, text, wanted=None) for number in (1, 2)], into=tmp_path / "whole")
    assert isinstance(merged, Merged)
    assert (merged.number, merged.missing) == (0, (3,))
    assert found(tmp_path / "whole") == []


def test_shards_may_be_read_while_they_are_searched(tmp_path: Path) -> None:
    first, second = (shard(tmp_path, number, 2, limit=1) for number in (1, 2))
    with Job.open(first) as job:
        merged = merge([first, second])
        owner = merged.shards[0].owner
        assert owner is not None
        assert merged.shards[1].owner is None
        job.run()
    assert merge([first, second]).number >= merged.number
    shutil.rmtree(second)
    assert merge([first]).missing == (2,)


@pytest.mark.slow
@pytest.mark.parametrize("symmetry", ["all", "none"])
@pytest.mark.parametrize(
    "name",
    ["soma", "pentominoes/5x12", "pentominoes/8x8-hole", "queens/8", "pentominoes/impossible-cross", "langford/pairs"],
)
def test_shards_of_the_catalogue_that_were_stopped_anywhere_are_the_whole(
    name: str, symmetry: SymmetryKind, tmp_path: Path
) -> None:
    encoding = puzzlec.compile(name)
    shards = []
    for number, seconds in ((1, 0.0), (2, 0.05), (4, None)):
        with Job.begin(tmp_path / str(number), encoding, task="solutions", symmetry=symmetry, shard=(number, 4)) as job:
            job.run(seconds=seconds)
            shards.append(tmp_path / str(number))
    merge(shards, into=tmp_path / "whole")
    assert found(tmp_path / "whole") == [solution.listing() for solution in puzzlec.solve(encoding, symmetry=symmetry)]
