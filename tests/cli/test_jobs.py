"""Searches with a checkpoint: the commands print the same as without it, also after interruptions."""

from __future__ import annotations

import json
import os
import re
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from puzzlec.cli import deadline
from puzzlec.cli.showing import Showing
from puzzlec.cli.texts.progress import Bar
from puzzlec.diagnostics import PuzzleError
from puzzlec.ir import Solution
from puzzlec.jobs import beginning
from puzzlec.jobs.job import Job
from puzzlec.jobs.records import read_shard
from tests.cli.test_commands import UNSOLVABLE
from tests.commands import command

#: The result of a command: exit status, standard output, standard error without times.
Said = tuple[int, str, str]

IMPOSSIBLE = 'puzzle "Six cells"\nlocations box 2x3\npiece I x2 { xxx }\npiece O { xx / xx }\n'
NONE = 'puzzle "None"\nlocations { xxx / x.x / xxx }\npiece L x2 { xx / x. }\npiece I { xx }\n'
TINY = 'puzzle "Dominoes"\nlocations box 4x4\npiece D x8 { xx }\n'
HOLES = 'puzzle "Holes"\nlocations { x?xx / xxxx / x?xx }\npiece D x3..5 { xx }\npiece L x1..2 { xx / x. }\n'


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., Said]:
    monkeypatch.chdir(tmp_path)
    for name, text in (("impossible", IMPOSSIBLE), ("none", NONE), ("tiny", TINY), ("holes", HOLES)):
        Path(f"{name}.puzzle").write_text(text, encoding="utf-8")
    Path("queens.dlx").write_text("a b c | x\na x\nb x\nb c\na\nc x\n", encoding="utf-8")

    return lambda line: command(capsys, monkeypatch, *line.split())


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a limit of time end only the search, as on a system without timers: `--time-limit 0` plans a job."""
    monkeypatch.setattr(deadline, "can_interrupt", lambda: False)


def untimed(said: str) -> str:
    """Return the remarks without times."""
    return re.sub(r"\b\d+\.\d\d s(, including a one-time.*)?", "? s", said)


@pytest.mark.parametrize(
    "line",
    [
        "solve tiny.puzzle --all",
        "solve tiny.puzzle --all --to jsonl --symmetry rotations --show-symmetry",
        "solve tiny.puzzle --raw --all --to list",
        "solve tiny.puzzle --limit 3 --to orientations",
        "solve soma --all --to orientations --threads 2",
        "solve holes.puzzle --all --to locations",
        "solve none.puzzle --all",
        "solve impossible.puzzle",
        "solve queens.dlx --all --to jsonl --symmetry automorphisms",
        "count soma --symmetry rotations",
        "count soma --raw --threads 2",
        "count tiny.puzzle --limit 4",
        "count holes.puzzle --raw",
        "count queens.dlx",
        "count none.puzzle",
        "count impossible.puzzle",
    ],
)
def test_a_checkpoint_does_not_change_the_output_and_repeats_it(run: Callable[..., Said], line: str) -> None:
    plain = run(line)
    status, printed, said = run(f"{line} --checkpoint job")
    assert (status, printed) == plain[:2]
    assert untimed(re.sub("; `puzzlec job resume job --all` continues", "", said)) == untimed(plain[2])
    again = run(f"{line} --checkpoint job")
    assert (*again[:2], untimed(again[2])) == (status, printed, untimed(said))
    if "--show-symmetry" not in line and "limit" not in line:
        chosen = re.search(r"--to \w+", line)
        assert run(f"job resume job {chosen[0] if chosen else ''}")[:2] == plain[:2]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("solve tiny.puzzle --checkpoint job --nodes 7", "--nodes: not available with --checkpoint"),
        ("solve tiny.puzzle --processes 2 --seed 1", "--seed: not available with --processes"),
        ("solve tiny.puzzle --checkpoint job --engine cpsat", "--engine: not available with --checkpoint"),
        ("count tiny.puzzle --checkpoint job --kernel frontier", "--kernel frontier: not available with --checkpoint"),
        ("count tiny.puzzle --checkpoint job --memory 1G", "--memory: not available with --checkpoint"),
        ("count tiny.puzzle --shard 1/2", "--shard: it needs --checkpoint"),
        ("count tiny.puzzle --threads 2 --processes 2", "--threads: not available with --processes"),
        ("count tiny.puzzle --cluster tcp://x:1 --processes 2", "use `--processes` only with `--cluster local`"),
        ("solve tiny.puzzle --checkpoint=", "--checkpoint: the name of a folder is empty"),
        ("count tiny.puzzle --checkpoint job --progress film", "expected `bar`, `json` or `none`, found `film`"),
        ("job resume job --all --limit 2", "--limit: not available with --all"),
        ("job resume job --to picture", ", found `picture`"),
    ],
)
def test_contradictory_options_are_refused_before_anything_is_made(
    run: Callable[..., Said], line: str, words: str
) -> None:
    status, printed, said = run(line)
    assert (status, printed) == (2, "")
    assert words in said
    assert not Path("job").exists()


@pytest.mark.parametrize("shard", ["0/4", "5/4", "3", "1/0", "a/b", "1/2/3", "-1/4", "1/10001", "", "1/99999999999999"])
def test_a_wrong_shard_is_refused(run: Callable[..., Said], shard: str) -> None:
    with pytest.raises(PuzzleError, match="PZ629"):
        read_shard(shard)
    assert (read_shard("1/1"), read_shard(" 4 / 4 "), read_shard("10000/10000")) == ((1, 1), (4, 4), (10000, 10000))
    with pytest.raises(PuzzleError, match="shards are not possible"):
        read_shard("1/99999999999")
    if shard:
        status, printed, said = run(f"count tiny.puzzle --checkpoint job --shard {shard}")
        assert (status, printed) == (1, "")
        assert "error[PZ629]" in said


def test_a_checkpoint_of_another_search_is_refused_and_stays_as_it_is(run: Callable[..., Said]) -> None:
    first = run("solve tiny.puzzle --all --checkpoint job")
    Path("tiny.puzzle").write_text(TINY.replace("4x4", "2x8"), encoding="utf-8")
    for line, words in (
        ("solve tiny.puzzle --all --checkpoint job", "belongs to an earlier text of this puzzle"),
        ("solve tiny.puzzle --all --checkpoint job", "what differs: the board (its locations)\n"),
        ("solve soma --all --checkpoint job", 'belongs to another puzzle, "Dominoes"'),
    ):
        status, printed, said = run(line)
        assert (status, printed) == (1, "")
        assert "error[PZ627]" in said
        assert words in said
    Path("tiny.puzzle").write_text(TINY, encoding="utf-8")
    for line, note in (
        ("count tiny.puzzle", "there: solutions are searched for and kept; here: solutions are counted"),
        ("solve tiny.puzzle --raw", "there: `--symmetry all`; here: `--symmetry none`"),
        ("solve tiny.puzzle --shard 1/2", "there: the whole search; here: shard 1 of 2"),
    ):
        status, printed, said = run(f"{line} --checkpoint job")
        assert (status, printed) == (1, "")
        assert note in said
    assert run("solve tiny.puzzle --all --checkpoint job") == first


def test_a_folder_with_other_content_is_refused_for_a_checkpoint(run: Callable[..., Said]) -> None:
    Path("job").mkdir()
    assert run("count tiny.puzzle --checkpoint job")[0] == 0
    Path("other").mkdir()
    Path("other/notes.txt").write_text("mine", encoding="utf-8")
    for place in ("other", "tiny.puzzle", "tiny.puzzle/job"):
        status, printed, said = run(f"count tiny.puzzle --checkpoint {place}")
        assert (status, printed) == (1, "")
        assert said.startswith("error[PZ")
    assert [path.name for path in Path("other").iterdir()] == ["notes.txt"]
    Path("cut").mkdir()
    Path("cut/job.sqlite3.part").write_bytes(b"half of it")
    assert run("count tiny.puzzle --checkpoint cut")[0] == 0


def test_a_changed_name_makes_another_puzzle_although_the_search_is_the_same(run: Callable[..., Said]) -> None:
    run("solve tiny.puzzle --checkpoint job")
    Path("tiny.puzzle").write_text(TINY.replace("piece D", "piece E"), encoding="utf-8")
    said = run("solve tiny.puzzle --checkpoint job")[2]
    assert "error[PZ627]" in said
    assert "note: what differs: the pieces\n" in said


def test_another_title_does_not_make_another_search(run: Callable[..., Said]) -> None:
    first = run("solve tiny.puzzle --all --checkpoint job")
    Path("tiny.puzzle").write_text(TINY.replace('"Dominoes"', '"Others"'), encoding="utf-8")
    assert run("solve tiny.puzzle --all --checkpoint job") == first


def test_a_shard_that_stopped_at_its_limit_is_resumed_without_it(run: Callable[..., Said]) -> None:
    run("count pentominoes/4x15 --shard 2/3 --checkpoint in/s --limit 3")
    assert ": `puzzlec job resume in/s --all`" in run("job merge in/s")[2]
    run("job resume in/s --all")
    assert "not finished" not in run("job merge in/s")[2]
    assert "help: did you mean `in/s` in it?" in run("job merge in")[2]


def test_an_unknown_cluster_is_refused(run: Callable[..., Said]) -> None:
    pytest.importorskip("distributed")
    status, _, said = run("count tiny.puzzle --cluster nonsense")
    assert status == 1
    assert "error[PZ624]: `nonsense` is not a cluster" in said


def test_a_limit_may_be_raised_by_the_same_command_or_by_resume(run: Callable[..., Said]) -> None:
    every = run("solve tiny.puzzle --all --to list")
    for command_line in ("solve tiny.puzzle --checkpoint job", "job resume job"):
        for limit in ("--limit 2", "--limit 5", "--all", "--limit 3"):
            plain = run(f"solve tiny.puzzle {limit} --to list")
            status, printed, said = run(f"{command_line} {limit} --to list")
            assert (status, printed, said.replace("; `puzzlec job resume job --all` continues", "")) == plain
            # Without a number of solutions, the earlier number applies.
            assert run("solve tiny.puzzle --to list --checkpoint job")[1] == printed
    assert run("job resume job --all --to list") == every


def test_a_checkpoint_is_for_all_solutions_without_a_limit(run: Callable[..., Said]) -> None:
    assert run("solve tiny.puzzle --checkpoint job --to list") == run("solve tiny.puzzle --all --to list")


@pytest.mark.usefixtures("patient")
def test_a_limit_of_time_suggests_how_to_continue_and_loses_nothing(run: Callable[..., Said]) -> None:
    for task, plain in (
        ("solve soma --all --to list", run("solve soma --all --to list")),
        ("count soma", run("count soma")),
    ):
        status, printed, said = run(f"{task} --checkpoint job-{task[:5]} --time-limit 0")
        assert status == 4
        assert printed in ("", "0\n")
        assert f"; `puzzlec job resume job-{task[:5]}` continues" in said
        again = run(f"job resume job-{task[:5]}" + " --to list" * ("solve" in task))
        assert (*again[:2], untimed(again[2])) == (*plain[:2], untimed(plain[2]))


def test_solutions_stay_in_the_checkpoint_with_quiet(run: Callable[..., Said]) -> None:
    plain = run("solve tiny.puzzle --all")
    assert run("solve tiny.puzzle --all --checkpoint job --quiet") == (0, "", plain[2])
    assert run("job resume job --quiet") == (0, "", plain[2])
    assert run("job resume job") == plain


@pytest.mark.parametrize(("signals", "status"), [((signal.SIGINT,), 130), ((signal.SIGTERM,), 143), ((2, 2), 130)])
def test_ctrl_c_reports_the_saved_progress_and_loses_nothing(
    run: Callable[..., Said], monkeypatch: pytest.MonkeyPatch, signals: tuple[int, ...], status: int
) -> None:
    plain = run("solve tiny.puzzle --all --raw --to jsonl")
    show, shown = Showing.show, []

    def interrupt(self: Showing, solution: Solution, bar: Bar) -> None:
        show(self, solution, bar)
        shown.append(solution)
        if len(shown) == 1:
            for number in signals:
                os.kill(os.getpid(), number)

    monkeypatch.setattr(Showing, "show", interrupt)
    said = run("solve tiny.puzzle --all --raw --to jsonl --checkpoint job")
    assert said[0] == status
    assert plain[1].startswith(said[1])
    assert re.fullmatch(
        r"interrupted after \d+\.\d s with [\d,]+ raw solutions? found(, about .* of the search done)?; "
        r"everything is saved in job: `puzzlec job resume job` continues\n",
        said[2],
    )
    assert run("job resume job --to jsonl") == plain


@pytest.mark.long
def test_a_job_without_a_checkpoint_leaves_no_file(
    run: Callable[..., Said], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    before = set(tmp_path.iterdir())
    assert run("solve tiny.puzzle --all --processes 1") == run("solve tiny.puzzle --all")
    assert set(tmp_path.iterdir()) == before


@pytest.mark.usefixtures("patient")
@pytest.mark.long
def test_shards_are_searched_by_hand_and_added_up(run: Callable[..., Said]) -> None:
    plain = run("solve pentominoes/4x15 --all --to jsonl")
    numbers = []
    for number in (1, 3):
        status, printed, said = run(f"count pentominoes/4x15 --shard {number}/3 --checkpoint {number}")
        assert status == 0
        assert said.startswith("this is one shard of the search: `puzzlec job merge` adds up the shards\n")
        assert f"{int(printed)} distinct solutions in shard {number} of 3 in " in said
        numbers.append(int(printed))
    together = f"at least {sum(numbers)} distinct solutions in 2 of 3 shards\nmissing: 2\n"
    assert run("job merge 1 3") == (4, f"{sum(numbers)}\n", together)
    assert run("count pentominoes/4x15 --shard 2/3 --checkpoint 2 --time-limit 0")[0] == 4
    status, printed, said = run("job merge 3 2 1 2")
    assert (status, printed) == (4, f"{sum(numbers)}\n")
    assert re.search(r"3 of 3 shards\nnot finished: 2, (0|0\.\d+)% searched: `puzzlec job resume 2`\n$", said)
    said = run("job merge 1 2 3 --into whole")[2]
    assert said.endswith("all shards are in whole; `puzzlec job resume whole` searches the rest\n")
    assert run("job resume whole")[:2] == (0, f"{plain[1].count(chr(10))}\n")
    run("job resume 2")
    assert run("job merge 1 2 3") == (0, "368\n", "368 distinct solutions in 3 shards: all are complete\n")


def test_shards_of_an_impossible_puzzle_are_merged_and_resumed(run: Callable[..., Said]) -> None:
    for number in (1, 2):
        status, printed, said = run(f"count impossible.puzzle --shard {number}/2 --checkpoint {number}")
        assert (status, printed) == (3, "0\n")
        assert "error[PZ401]" in said
    assert run("job merge 1 2") == (3, "0\n", "0 distinct solutions in 2 shards: all are complete\n")
    assert run("job resume 1")[:2] == (3, "0\n")
    assert "searched    all of it" in run("job status 2")[1]
    assert run("solve impossible.puzzle --shard 1/1 --checkpoint 3")[:2] == (3, "")
    assert run("solutions 3")[:2] == (3, "0\n")


def test_a_shard_without_solutions_is_not_a_failure_but_a_search_without_any_is(run: Callable[..., Said]) -> None:
    Path("none.puzzle").write_text(UNSOLVABLE, encoding="utf-8")
    plain = run("solve none.puzzle")
    assert plain[0] == 3
    for number in (1, 2):
        status, printed, said = run(f"solve none.puzzle --shard {number}/2 --checkpoint {number}")
        assert (status, printed) == (0, "")
        assert f"no solution in shard {number} of 2: the search is complete" in said
    assert run("job merge 1 2") == (3, "0\n", "0 distinct solutions in 2 shards: all are complete\n")


@pytest.mark.long
def test_the_status_shows_the_progress_and_the_owner_of_a_search(run: Callable[..., Said]) -> None:
    run("solve pentominoes/4x15 --limit 3 --shard 2/3 --checkpoint job --quiet")
    status, printed, said = run("job status job")
    told = dict(re.findall(r"^(\w+) +(.*)$", printed, re.MULTILINE))
    assert (status, said) == (0, "")
    assert told["search"] == "solutions are kept: the first 3, --symmetry all"
    assert told["shard"] == "2 of 3"
    assert re.fullmatch(r"(\d+ done, )?(\d+ begun, )?\d+ to come", told["units"])
    assert re.fullmatch(r"about \d+(\.\d+)?%; all requested solutions were found", told["searched"])
    assert told["worker"] == "none"
    with Job.open("job"):
        now = json.loads(run("job status job --json")[1])
        assert now["worker"]["process"] == os.getpid()
        assert f"process {os.getpid()} on " in run("job status job")[1]
        busy = run("job resume job")
        assert busy[0] == 1
        assert "error[PZ621]" in busy[2]
    assert (now["task"], now["limit"], now["shard"], now["complete"]) == ("solutions", 3, [2, 3], False)
    assert 0 < now["fraction"] < 1
    assert now["expected_nodes"] > now["nodes"] > 0
    run("job resume job --all --quiet")
    now = json.loads(run("job status job --json")[1])
    assert (now["complete"], now["fraction"], now["left"], now["worker"]) == (True, 1.0, 0.0, None)
    assert now["work_units"]["begun"] == now["work_units"]["fresh"] == 0
    assert now["bytes"] == sum(path.stat().st_size for path in Path("job").iterdir() if not path.name.endswith("-shm"))
    assert "all of it" in run("job status job")[1]


def test_damage_is_reported_without_a_number(run: Callable[..., Said]) -> None:
    run("count soma --checkpoint job --shard 1/1")
    file = Path("job/job.sqlite3")
    data = bytearray(file.read_bytes())
    for at in range(4096, len(data), 64):
        data[at] ^= 0x55
    file.write_bytes(data)
    for line in ("job status job", "job resume job", "job merge job", "count soma --checkpoint job --shard 1/1"):
        status, printed, said = run(line)
        assert (status, printed) == (1, "")
        assert "error[PZ622]" in said
    for line in ("job status nowhere", "job resume nowhere", "job merge nowhere"):
        assert run(line)[:2] == (1, "")


@pytest.mark.usefixtures("patient")
@pytest.mark.long
def test_a_remark_suggests_counting_a_narrow_problem_by_layers(run: Callable[..., Said]) -> None:
    Path("long.puzzle").write_text('puzzle "Long"\nlocations box 4x18\npiece D x36 { xx }\n', encoding="utf-8")
    assert "this narrow problem" in run("count long.puzzle --checkpoint job --time-limit 0")[2]
    assert "narrow" not in run("count soma --checkpoint soma")[2]


def test_a_job_that_another_command_has_just_begun_is_resumed_or_left_to_it(
    run: Callable[..., Said], monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = run("count tiny.puzzle --checkpoint job")
    monkeypatch.setattr(beginning, "is_taken", lambda _folder: False)  # another process makes it meanwhile
    assert run("count tiny.puzzle --checkpoint job")[:2] == plain[:2]
    with Job.open("job"):
        status, printed, said = run("count tiny.puzzle --checkpoint job")
    assert (status, printed) == (1, "")
    assert "error[PZ621]" in said
    Path("full").mkdir()
    Path("full/other").touch()
    assert "error[PZ620]: the folder `full` is not empty" in run("count tiny.puzzle --checkpoint full")[2]
