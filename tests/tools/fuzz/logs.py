"""Logs of runs of the fuzzer in a folder: a line of JSON after each few thousand inputs."""

from __future__ import annotations

import json
import os
import time
from collections import Counter
from pathlib import Path

from tests.tools.fuzz.rules import Outcome, same


class Log:
    """Counts the inputs of a run, keeps its findings, and writes both to a folder."""

    def __init__(self, target: str, folder: Path, runs: int = 0, every: int = 2_000) -> None:
        self.target, self.folder, self.runs, self.every = target, folder, runs, every
        self.run = f"{target}-{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}"
        self.inputs = self.accepted = 0
        self.kinds: Counter[str] = Counter()
        self.findings: dict[str, bytes] = {}
        self.slowest = (0.0, b"")
        self.begun, self.used = time.perf_counter(), time.process_time()
        folder.mkdir(parents=True, exist_ok=True)

    def note(self, content: bytes, outcome: Outcome) -> None:
        """Count an input; keep it if it is wrong in a new way."""
        self.inputs += 1
        self.accepted += outcome.accepted
        self.kinds.update(outcome.said)
        if outcome.seconds > self.slowest[0]:
            self.slowest = outcome.seconds, content
        if outcome.wrong and not any(same(outcome.wrong, known) for known in self.findings):
            self.findings[outcome.wrong] = content
            with (self.folder / "findings.jsonl").open("a") as stream:
                said = {"target": self.target, "wrong": outcome.wrong, "content": content.hex(), "shown": repr(content)}
                stream.write(json.dumps(said) + "\n")
        if self.inputs % self.every == 0 or self.inputs == self.runs:
            self.write()

    def write(self) -> None:
        """Append the results so far; the last line of each run counts."""
        said = {
            "target": self.target,
            "run": self.run,
            "inputs": self.inputs,
            "accepted": self.accepted,
            "kinds": len(self.kinds),
            "findings": len(self.findings),
            "seconds": round(time.perf_counter() - self.begun, 1),
            "processor": round(time.process_time() - self.used, 1),
            "slowest": round(self.slowest[0], 3),
            "of": repr(self.slowest[1][:80]),
        }
        with (self.folder / f"{self.target}.log").open("a") as stream:
            stream.write(json.dumps(said) + "\n")
            stream.flush()


def totals(folder: Path) -> dict[str, dict[str, float]]:
    """Return the sums of all runs in a folder for each target; the last line of each run counts."""
    last: dict[str, dict[str, float]] = {}
    target_of: dict[str, str] = {}
    for path in sorted(folder.glob("*.log")):
        for line in path.read_text().splitlines():
            try:
                said = json.loads(line)
            except ValueError:  # the last line of a run that ended while it wrote
                continue
            last[said["run"]], target_of[said["run"]] = said, said["target"]
    found: dict[str, dict[str, float]] = {}
    for run, said in last.items():
        sums = found.setdefault(target_of[run], dict.fromkeys(("runs", *_ADDED, *_GREATEST), 0.0))
        sums["runs"] += 1
        for key in _ADDED:
            sums[key] += said[key]
        for key in _GREATEST:
            sums[key] = max(sums[key], said[key])
    return found


_ADDED = ("inputs", "accepted", "seconds", "processor")
_GREATEST = ("kinds", "slowest")
