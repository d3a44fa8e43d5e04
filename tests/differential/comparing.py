"""All checks of one problem: the choice of checks, their results, and the failures."""

from __future__ import annotations

import traceback
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random

from puzzlec.compiler import compile
from puzzlec.diagnostics import PuzzleError
from tests.differential import distinct, pricing, searches, solvers, trips
from tests.differential.by_hand import TooLargeError
from tests.differential.case import Case
from tests.differential.problem import Problem
from tests.differential.searches import Compared

Check = Callable[[Case], Compared]

#: All checks, and the share of problems for each: in the nightly run, and in every run of the tests.
SHARES: Mapping[Check, tuple[float, float]] = {
    searches.counts: (1.0, 1.0),
    searches.listed: (1.0, 0.15),
    searches.stream: (1.0, 0.12),
    searches.solution_set: (0.25, 0.06),
    searches.reduced: (0.4, 0.06),
    searches.threads: (0.04, 0.01),
    searches.portions: (0.15, 0.04),
    searches.reasons: (0.3, 0.1),
    searches.restarts: (0.1, 0.04),
    distinct.counted: (1.0, 0.15),
    distinct.kept: (0.3, 0.02),
    distinct.conventions: (0.3, 0.03),
    distinct.automorphisms: (0.05, 0.01),
    distinct.sets: (0.5, 0.05),
    pricing.prices: (1.0, 0.3),
    pricing.by_cost: (1.0, 0.2),
    pricing.best: (1.0, 0.2),
    searches.added_up: (1.0, 0.3),
    solvers.sat: (0.25, 0.05),
    solvers.cpsat: (0.2, 0.02),
    trips.there_and_back: (1.0, 0.15),
}


#: Codes of puzzles that are refused because they cannot have a solution.
IMPOSSIBLE = {"PZ316", "PZ366"}


@dataclass
class Outcome:
    """The outcome of one problem: the number of comparisons of each kind, and the first that failed.

    ``check`` is the name of the failed check and comparison, or "" if none failed. ``refused`` has the codes of the
    diagnostics if the problem is invalid.
    """

    problem: Problem
    made: Counter[str] = field(default_factory=Counter)
    refused: str = ""
    check: str = ""
    fault: str = ""
    told: str = ""


def compare(what: Problem, light: bool = False, only: str = "") -> Outcome:
    """Run the checks of a problem, ``light`` checks or ``only`` one; stop at the first comparison that fails."""
    outcome = Outcome(what)
    try:
        encoding = compile(what.what)
    except PuzzleError as error:
        codes = {diagnostic.code for diagnostic in error.diagnostics}
        outcome.refused = "+".join(sorted(codes))
        if codes <= IMPOSSIBLE and what.expected:
            outcome.check = outcome.fault = "refusal"
            outcome.told = f"{outcome.refused}, where {len(what.expected)} solutions exist"
        return outcome
    except Exception:
        outcome.check, outcome.fault, outcome.told = "lowering", "the lowering raises", traceback.format_exc()
        return outcome
    for check, shares in SHARES.items():
        chance = Random(f"{what.seed} {check.__name__}")
        if chance.random() < shares[light] if not only else check.__name__ == only:
            _make(check, Case(what, encoding, chance), outcome)
        if outcome.fault:
            break
    return outcome


def _make(check: Check, case: Case, outcome: Outcome) -> None:
    """Run one check, and store its result."""
    try:
        for name, found, expected in check(case):
            outcome.made[name] += 1
            if found != expected:
                outcome.fault, outcome.told = name, f"{shown(found)}, where {shown(expected)} is right"
                break
    except TooLargeError:
        return
    except Exception:
        outcome.fault, outcome.told = f"{check.__name__} raises", traceback.format_exc()
    if outcome.fault:
        outcome.check = check.__name__


def shown(value: object) -> str:
    """Return a value in a few words."""
    text = repr(value)
    return text if len(text) < 200 else f"{text[:200]}..."
