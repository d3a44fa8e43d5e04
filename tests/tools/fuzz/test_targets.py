"""All targets of the fuzzer: shortly in every run, and at length with `pytest -m nightly`; and the fuzzer itself."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from puzzlec.diagnostics import Diagnostic, PuzzleError, Report, Source
from puzzlec.engine.problem import ExactCover
from puzzlec.engine.reduction import reductions
from puzzlec.formats.registry import FORMATS
from tests.covers import brute_covers
from tests.tools.fuzz import campaign, coverage_guided, files, levels
from tests.tools.fuzz.logs import Log, totals
from tests.tools.fuzz.picks import Picks
from tests.tools.fuzz.rules import Outcome, sound
from tests.tools.fuzz.tally import table
from tests.tools.fuzz.targets import TARGETS

#: Some inputs must be accepted and many refused, or the other way round: otherwise a target tests little.
ONE_SIDED = {"puzzle-level", "fitting-level", "cover-level"}


@pytest.mark.parametrize("name", [name for name in TARGETS if name not in ("puzzle", "lowered-text")])
def test_some_inputs_of_each_target_keep_the_rules(name: str) -> None:
    result = coverage_guided.run(60 if name == "puzzle-level" else 100, 1, name)
    assert result.findings == {}
    assert result.accepted > 0, "nothing is accepted"
    assert result.kept > 0, "nothing new is reached"
    assert name in ONE_SIDED or len(result.outcomes) > 1, "hardly anything is refused"


@pytest.mark.nightly
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("name", TARGETS)
def test_very_many_inputs_of_each_target_keep_the_rules(name: str) -> None:
    assert coverage_guided.run(200_000, 2, name).findings == {}


def test_every_reader_has_a_target() -> None:
    assert set(FORMATS) <= set(TARGETS)
    assert all(target.seeds for target in TARGETS.values())


# The rules themselves must notice bugs: silent rules would also pass.


def test_the_fuzzer_notices_a_format_that_changes_the_meaning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "SAMPLED", 1)
    assert TARGETS["dlx"].tried(b"a b\na b\na\n").wrong == ""
    other = ExactCover.from_rows([[0]], 1)
    again = files._again
    monkeypatch.setattr(files, "_again", lambda what, format: other if format == "json" else again(what, format))
    assert TARGETS["dlx"].tried(b"a b\na b\na\n").wrong == "JSON says something else"
    monkeypatch.setattr(files, "_again", lambda what, format: other if format == "dlx" else again(what, format))
    assert TARGETS["dlx"].tried(b"a b\na b\na\n").wrong == "dlx says something else"


def test_the_fuzzer_notices_a_wrong_reason_and_a_wrong_reduction(monkeypatch: pytest.MonkeyPatch) -> None:
    good = bytes([1, 1, 1, 1, 0, 0, 0, 0])
    assert TARGETS["cover-level"].tried(good).wrong == ""
    with monkeypatch.context() as patched:
        patched.setattr(levels, "impossible", lambda what, report: report.add("PZ401", "never", file="f"))
        assert "PZ401, and there is a solution" in {
            TARGETS["cover-level"].tried(random.Random(seed).randbytes(20)).wrong for seed in range(40)
        }
    empty = ExactCover.from_rows([], 1)
    monkeypatch.setattr(levels, "covers", lambda cover: {()} if cover is empty else brute_covers(cover))
    smaller = reductions.reduce(empty)
    monkeypatch.setattr(levels, "reduce", lambda cover, compiled: smaller)
    assert TARGETS["cover-level"].tried(good).wrong == "a reduction has other solutions"


def test_covers_are_those_that_brute_force_finds() -> None:
    for seed in range(150):
        cover = levels.cover_of(Picks(random.Random(seed).randbytes(40)))
        assert levels.covers(cover) == brute_covers(cover)


@pytest.mark.parametrize(
    ("text", "line", "wrong"),
    [
        ("a\nb\nc", "b", ""),
        ("a\nb\nc", "c", "PZ101 points into another text"),
        ("a", "b", "PZ101 points beyond the end of the text"),
    ],
)
def test_a_diagnostic_about_a_line_must_name_the_line_of_the_text(text: str, line: str, wrong: str) -> None:
    from puzzlec.formats.solvers.answers.lines import Excerpt

    report = Report()
    report.add("PZ101", "said", Excerpt("f", line, before=1).span(0))
    within = Source("f", text)
    if wrong:
        with pytest.raises(AssertionError, match=wrong):
            sound(report.diagnostics, within)
    else:
        sound(report.diagnostics, within)
    with pytest.raises(AssertionError, match="PZ101 has no place"):
        sound([Diagnostic("PZ101", "said", file="f")], within)
    with pytest.raises(AssertionError, match="no such code"):
        sound([Diagnostic("PZ000", "said", file="f")], within)


def test_choices_come_from_bytes_and_never_end() -> None:
    picks = Picks(bytes([7, 255, 3]))
    assert (picks.number(3), picks.among("abc"), picks.left) == (3, "a", 1)
    assert picks.some(range(5), 2) == [0, 1]
    assert (picks.number(9), picks.rarely(), picks.rest(4)) == (0, False, b"")


def test_the_logs_of_several_runs_add_up(tmp_path: Path) -> None:
    for number, inputs in ((1, 5), (2, 7)):
        log = Log("dpf", tmp_path, inputs, every=2)
        log.run = f"run {number}"
        for at in range(inputs):
            wrong = "KeyError at x, y: 1" if at == 3 else ""
            log.note(b"1 1", Outcome(frozenset({"PZ201 expected"}), 0.5, wrong, at % 2 == 0))
    with (tmp_path / "dpf.log").open("a") as stream:
        stream.write('{"target": "dpf", "inp')  # the run ended here
    found = totals(tmp_path)
    assert (found["dpf"]["inputs"], found["dpf"]["accepted"], found["dpf"]["runs"]) == (12, 7, 2)
    shown = table([tmp_path, tmp_path])
    assert "together" in shown
    assert "24" in shown.split("together")[1]
    assert "1 findings" in shown
    assert "KeyError at x, y: 1" in shown


def test_the_target_with_the_least_time_is_next_until_each_has_enough() -> None:
    done = {name: {"inputs": 10.0, "processor": 5.0} for name in TARGETS}
    done["soma"]["processor"] = 1.0
    assert campaign.next_target(done, 10_000, 5) == "soma"
    assert campaign.next_target({}, 10, 5) == next(iter(TARGETS))
    assert campaign.next_target(done, 100, 10) is None
    done["json"]["inputs"] = 9
    assert campaign.next_target(done, 100, 10) == "json"


def test_a_refusal_without_an_error_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        report = Report()
        report.add("PZ206", "only a warning", file="f")
        raise PuzzleError(report.diagnostics)

    monkeypatch.setattr(files, "read", refuse)
    assert TARGETS["dpf"].tried(b"1 1").wrong == "refused without an error"
