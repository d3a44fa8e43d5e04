"""A coverage-guided fuzzer of all targets in plain Python.

    python tests/tools/fuzz/coverage_guided.py [TARGET] --inputs 500000 --seed 1 [--jobs 2] [--logs FOLDER]

Inputs are mutated as in AFL. Inputs that reach new code are kept and mutated in turn. Tracing every input would take
most of the time, so only some are traced: inputs with a new pair of adjacent kinds of words, inputs with a new kind of
message, and a few others. With `atheris` installed, `with_atheris.py` does the same with libFuzzer.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import re
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from types import FrameType
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[3]))

from tests.tools.fuzz.logs import Log
from tests.tools.fuzz.mutations import WORDS, reduced
from tests.tools.fuzz.rules import SLOW, Outcome, same, small_bounds
from tests.tools.fuzz.targets import TARGETS, Target

Arc = tuple[str, int, int]

#: An input that takes longer than this is not kept: its children would be as slow.
_KEPT_SECONDS = 0.05
_TRACED_ANYWAY = 50
_MOST_MEMORY = 4 * 2**30
#: Valid inputs are parents even if they reach no new code, up to this many.
_MOST_ACCEPTED = 500
#: The steps of modules with one of these in their paths guide the search.
_GUIDING = ("language", "formats", "diagnostics", "drawing", "lower", "conditions", "reductions")
_KEYWORDS = frozenset(word for word in WORDS if word.isalpha() and len(word) > 1)
_TOKEN = re.compile(r'"[^"\n]*"?|\w[\w-]*|\.\.|//|[=!<>]=|\n|[^ \t]')


@dataclass
class Result:
    """The findings of a run."""

    tried: int = 0
    accepted: int = 0
    kept: int = 0
    seconds: float = 0.0
    arcs: set[Arc] = field(default_factory=set)
    #: Number of inputs for each outcome.
    outcomes: dict[str, int] = field(default_factory=dict)
    #: The broken rules, each with the smallest input found for it.
    findings: dict[str, bytes] = field(default_factory=dict)
    slowest: tuple[float, bytes] = (0.0, b"")

    def add(self, other: Result) -> None:
        """Add the findings of another process."""
        self.tried += other.tried
        self.accepted += other.accepted
        self.kept += other.kept
        self.seconds = max(self.seconds, other.seconds)
        self.arcs |= other.arcs
        for kind, number in other.outcomes.items():
            self.outcomes[kind] = self.outcomes.get(kind, 0) + number
        self.findings = {**other.findings, **self.findings}
        self.slowest = max(self.slowest, other.slowest)


def run(inputs: int, seed: int, name: str = "puzzle", log: Log | None = None, every: int = 1) -> Result:
    """Try this many inputs of a target, and begin with every n-th of its seeds; the same seed tries the same inputs."""
    with small_bounds():
        return _run(inputs, seed, TARGETS[name], log, every)


def _run(inputs: int, seed: int, target: Target, log: Log | None, every: int) -> Result:
    source = random.Random(seed)
    mutated = target.mutator(source)
    corpus = list(target.seeds)
    accepted: list[bytes] = []
    begun = time.perf_counter()
    result = Result()
    looks: set[tuple[str, str]] = set()
    waiting = corpus[::-every]
    while result.tried < inputs:
        if waiting:
            content = waiting.pop()
        else:
            # Inputs with many errors are easy to make, and the first errors hide the others: so most parents are valid.
            # The latest inputs reach farthest.
            parents = accepted if source.random() < 0.6 and accepted else corpus
            content = mutated(source.choice(parents[-100:] if source.random() < 0.3 else parents), corpus)
        seen = _looks(content.decode("latin-1"))
        traced = not seen <= looks or result.tried % _TRACED_ANYWAY == 0
        looks |= seen
        outcome = None if traced else target.tried(content)
        if outcome is None or not outcome.said <= result.outcomes.keys():
            with _traced(result.arcs) as arcs:
                outcome = target.tried(content)
            if (arcs or not outcome.said <= result.outcomes.keys()) and outcome.seconds < _KEPT_SECONDS:
                (accepted if outcome.accepted else corpus).append(content)
                result.kept += 1
            result.arcs |= arcs
            if outcome.seconds > SLOW:
                outcome = target.tried(content)
        if outcome.accepted and len(accepted) < _MOST_ACCEPTED and outcome.seconds < _KEPT_SECONDS:
            accepted.append(content)
        _note(result, content, outcome, target)
        if log is not None:
            log.note(content, outcome)
    result.seconds = time.perf_counter() - begun
    return result


def _note(result: Result, content: bytes, outcome: Outcome, target: Target) -> None:
    result.tried += 1
    result.accepted += outcome.accepted
    for said in outcome.said:
        result.outcomes[said] = result.outcomes.get(said, 0) + 1
    result.slowest = max(result.slowest, (outcome.seconds, content))
    if outcome.wrong and not any(same(outcome.wrong, known) for known in result.findings):
        wrong = outcome.wrong
        print(f"found: {wrong}\n    {content!r}", flush=True)  # noqa: T201
        tries = 3000 if outcome.seconds < SLOW else 30
        result.findings[wrong] = reduced(content, lambda shorter: same(target.tried(shorter).wrong, wrong), tries)


def _looks(text: str) -> set[tuple[str, str]]:
    """Return each pair of neighbouring words of a text by their kinds."""
    kinds = [_kind(word) for word in _TOKEN.findall(text)]
    return set(pairwise(kinds))


def _kind(word: str) -> str:
    if word in _KEYWORDS:
        return word
    first = word[0]
    return "0" if first.isdecimal() else "a" if first.isalnum() or first == "_" else '"' if first == '"' else word


@contextmanager
def _traced(known: set[Arc]) -> Iterator[set[Arc]]:
    """Collect the new steps from line to line in the code of puzzlec."""
    found: set[Arc] = set()
    ours: dict[str, bool] = {}
    before = sys.gettrace()

    def outer(frame: FrameType, event: str, argument: Any) -> Any:
        name = frame.f_code.co_filename
        own = ours.get(name)
        if own is None:
            own = ours[name] = "puzzlec" in name and any(part in name for part in _GUIDING)
        if not own:
            return None
        last = 0

        def inner(frame: FrameType, event: str, argument: Any) -> Any:
            nonlocal last
            if event == "line":
                arc = name, last, frame.f_lineno
                last = frame.f_lineno
                if arc not in known:
                    found.add(arc)
            return inner

        return inner

    sys.settrace(outer)
    try:
        yield found
    finally:
        sys.settrace(before)


def _limit_memory() -> None:
    """Let an input that would fill the memory be a finding, instead of stopping the machine."""
    if sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (_MOST_MEMORY, _MOST_MEMORY))


def _job(arguments: tuple[int, int, str, Path]) -> Result:
    inputs, seed, name, logs = arguments
    return run(inputs, seed, name, Log(name, logs, inputs))


def main() -> int:
    """Run the fuzzer from the command line; return 1 if it found something."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target", nargs="?", default="puzzle", choices=TARGETS)
    parser.add_argument("--inputs", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--logs", type=Path, default=Path("fuzz-logs"))
    given = parser.parse_args()
    result = Result()
    _limit_memory()
    jobs = [
        (given.inputs // given.jobs, given.seed * 1000 + number, given.target, given.logs)
        for number in range(given.jobs)
    ]
    with multiprocessing.Pool(given.jobs) as pool:
        for job_result in pool.imap_unordered(_job, jobs):
            result.add(job_result)
    for number, (wrong, content) in enumerate(result.findings.items(), 1):
        print(f"finding {number}: {wrong}\n    {content!r}")  # noqa: T201
    print(  # noqa: T201
        f"{result.tried} inputs in {result.seconds:.0f} s ({result.tried / result.seconds:.0f}/s), "
        f"{result.accepted} accepted; {result.kept} kept for what was new in them, "
        f"{len(result.arcs)} arcs, {len(result.outcomes)} kinds of messages\n"
        f"slowest: {result.slowest[0]:.3f} s {result.slowest[1]!r}\n{len(result.findings)} findings"
    )
    return 1 if result.findings else 0


if __name__ == "__main__":
    sys.exit(main())
