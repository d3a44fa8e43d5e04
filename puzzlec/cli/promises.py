"""``puzzlec check --count``: the numbers that `expect` promises, counted again."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from puzzlec.cli.arguments import Clock
from puzzlec.cli.terminal import MODE, out_json, say
from puzzlec.diagnostics import Report, counted
from puzzlec.engine import Limits
from puzzlec.ir import Fitting
from puzzlec.lower import encode

if TYPE_CHECKING:
    from puzzlec.recount import Verified


@dataclass
class Promises:
    """The promised numbers of a puzzle, with the ``results`` of the counts. ``number`` is counted without any."""

    clock: Clock
    results: list[Verified] = field(default_factory=list)
    number: int | None = None

    @property
    def stopped(self) -> bool:
        """Whether a count reached the time limit."""
        return any(found.outcome.value == "unfinished" for found in self.results)

    def check(self, fitting: Fitting, report: Report) -> None:
        """Count the promised numbers and report those that differ; without a promise, count the solutions."""
        from puzzlec.recount import check_expected
        from puzzlec.solving.solutions import Solutions

        with self.clock.bounded(grace=True, before="all was counted"):
            encoding = encode(fitting)
            self.results = check_expected(encoding, report, seconds=self.clock.left)
            if not any(found.convention for found in self.results):
                solutions = Solutions(encoding, limits=Limits(seconds=self.clock.left))
                number = solutions.count()
                self.number = number if solutions.stopped is None else None

    def say(self, name: str) -> None:
        """Print what was counted."""
        if MODE.json:
            for found in self.results:
                row = {"puzzle": name, "measure": found.convention or None, "expected": found.stated}
                out_json({**row, "counted": found.counted, "outcome": found.outcome.value})
            return
        agree = sum(found.outcome.value == "agrees" for found in self.results)
        if agree:
            say(f"{name}: {counted(agree, 'number')} as expected")
        elif self.number is not None:
            say(f"{name}: `expect {self.number}` would be right")
