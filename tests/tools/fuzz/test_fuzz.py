"""The reader of `.puzzle` texts is fuzzed: shortly in every run, and at length with `pytest -m slow`."""

from __future__ import annotations

import random
import sys

import pytest
from hypothesis import HealthCheck, event, given, settings

from puzzlec.diagnostics import Diagnostic, PuzzleError, Report, Source, Span
from puzzlec.language import repetition
from tests.tools.fuzz import coverage_guided, rules, target
from tests.tools.fuzz.grammar_texts import texts
from tests.tools.fuzz.mutations import Mutator, reduced, seeds


@pytest.mark.timeout(900)
@pytest.mark.long
def test_five_hundred_texts_are_read_or_refused_with_a_position() -> None:
    result = coverage_guided.run(500, seed=1, every=8)
    assert result.findings == {}
    assert result.tried == 500
    assert result.accepted > 70, "too few texts pass the grammar to test the stages after it"
    assert result.kept > 20, "nothing new was reached"
    assert len(result.outcomes) > 40, "few kinds of messages were reached"


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("seed", range(2, 6))
def test_very_many_texts_are_read_or_refused_with_a_position(seed: int) -> None:
    assert coverage_guided.run(250_000, seed).findings == {}


def _grammar_texts_hold(examples: int) -> None:
    @settings(
        max_examples=examples,
        derandomize=True,
        deadline=None,
        database=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
    @given(texts())
    def holds(text: str) -> None:
        outcome = target.try_text(text)
        event("accepted" if outcome.accepted else "refused")
        assert not outcome.wrong, outcome.wrong

    with rules.small_bounds():
        holds()


@pytest.mark.long
def test_texts_from_the_grammar_are_read_or_refused_with_a_position() -> None:
    _grammar_texts_hold(200)


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_very_many_texts_from_the_grammar_are_read_or_refused_with_a_position() -> None:
    _grammar_texts_hold(50_000)


def test_a_word_for_too_many_shapes_is_reported_at_the_word() -> None:
    with rules.small_bounds():
        outcome = target.try_text("locations box 5x3\npieces decominoes\n")
    assert outcome.said == {"PZ351 too many free polyominoes of size "}
    assert not outcome.wrong


# The fuzzer itself must notice bugs: a silent fuzzer would also pass.


def test_the_fuzzer_notices_a_crash_and_reduces_its_text(monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(source: Source, warnings: Report | None = None) -> None:
        if "piece" in source.text and "{" in source.text:
            raise KeyError("planted")

    monkeypatch.setattr(target, "read_puzzle", crash)
    text = "locations box 2x2\npiece A { xx/xx }\npiece B { x }\n"
    outcome = target.try_text(text)
    assert outcome.wrong.startswith("KeyError at ")
    assert sorted(reduced(text, lambda shorter: rules.same(target.try_text(shorter).wrong, outcome.wrong))) == sorted(
        "piece{"
    )


@pytest.mark.parametrize(
    ("start", "end", "message", "wrong"),
    [
        (0, 1, "", "PZ101 says nothing"),
        (5, 6, "said", "PZ101 points out of the text"),
        (-1, 1, "said", "PZ101 points out of the text"),
        (1, 9, "said", "PZ101 has an impossible end"),
        (1, 1, "said", "PZ101 has an impossible end"),
    ],
)
def test_the_fuzzer_notices_a_diagnostic_without_a_position_or_a_message(
    start: int, end: int, message: str, wrong: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(source: Source, warnings: Report | None = None) -> None:
        report = Report()
        report.add("PZ101", message, Span(source, start, end))
        raise report.error()

    monkeypatch.setattr(target, "read_puzzle", refuse)
    assert target.try_text("abcd").wrong == wrong


def test_the_fuzzer_notices_a_refusal_without_a_position(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(source: Source, warnings: Report | None = None) -> None:
        raise PuzzleError([Diagnostic("PZ101", "said", file="f.puzzle")])

    monkeypatch.setattr(target, "read_puzzle", refuse)
    assert target.try_text("abcd").wrong == "PZ101 has no place"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no timers")
def test_the_fuzzer_notices_a_text_that_takes_forever(monkeypatch: pytest.MonkeyPatch) -> None:
    def hang(source: Source, warnings: Report | None = None) -> None:
        while True:
            pass

    monkeypatch.setattr(rules, "STOPPED", 0.2)
    monkeypatch.setattr(target, "read_puzzle", hang)
    assert target.try_text("abcd").wrong.startswith("HangError")


def test_the_fuzzer_tries_the_same_texts_for_the_same_seed() -> None:
    corpus = seeds()
    one, other = (Mutator(random.Random(3)) for _ in range(2))
    assert [one.mutated(corpus[0], corpus) for _ in range(50)] == [other.mutated(corpus[0], corpus) for _ in range(50)]


def test_the_bounds_are_restored() -> None:
    before = repetition.MAX_ITERATIONS
    with rules.small_bounds():
        assert rules.SMALL_BOUNDS["puzzlec.language.repetition"]["MAX_ITERATIONS"] == repetition.MAX_ITERATIONS
    assert before == repetition.MAX_ITERATIONS
