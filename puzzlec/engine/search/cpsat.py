"""A first cover by CP-SAT of OR-Tools, which learns from conflicts. It helps if depth-first search fails.

An optional extra: ``pip install 'puzzlec[cpsat]'``. OR-Tools (https://developers.google.com/optimization) is imported
only when it is called.
"""

from __future__ import annotations

import time
from collections import defaultdict
from typing import Any

from puzzlec.engine.problem import ExactCover
from puzzlec.engine.search.race import Limits, Stop
from puzzlec.engine.search.restarts import Found


def solve_with_cpsat(cover: ExactCover, limits: Limits | None = None, seed: int = 0, workers: int = 1) -> Found:
    """Return some cover, or the proof that there is none, found by CP-SAT.

    ``restarts`` is 0, ``nodes`` the number of branches that CP-SAT reports. Of the limits only the seconds are
    supported. With one worker and without a limit of seconds the same seed gives the same cover. Raise ValueError if
    OR-Tools is not installed, or for a limit of nodes.
    """
    limits = limits or Limits()
    if limits.nodes is not None:
        raise ValueError("CP-SAT does not support a limit of nodes")
    if workers < 1:
        raise ValueError("CP-SAT needs at least one worker")
    begun = time.monotonic()
    if limits.solutions == 0:
        return Found(None, 0, 0, 0.0, Stop.SOLUTIONS, False)
    solver_library = _library()
    model, chosen = _model(solver_library, cover)
    solver = solver_library.CpSolver()
    solver.parameters.num_workers = workers
    solver.parameters.random_seed = seed % (1 << 31)
    if limits.seconds is not None:
        solver.parameters.max_time_in_seconds = max(0.0, limits.seconds - (time.monotonic() - begun))
    status = solver.solve(model)
    options = None
    if status in (solver_library.OPTIMAL, solver_library.FEASIBLE):
        options = tuple(option for option, variable in enumerate(chosen) if solver.boolean_value(variable))
    proved = status == solver_library.INFEASIBLE
    stopped = None if proved or options is not None else Stop.SECONDS
    return Found(options, 0, solver.num_branches, time.monotonic() - begun, stopped, proved)


def _library() -> Any:
    """Return the module of CP-SAT. Raise ValueError if it is not installed."""
    try:
        from ortools.sat.python import cp_model
    except ImportError:
        raise ValueError("CP-SAT is not installed: pip install 'puzzlec[cpsat]'") from None
    return cp_model


def _model(library: Any, cover: ExactCover) -> tuple[Any, list[Any]]:
    """Return the model, and the variable of each option."""
    model = library.CpModel()
    chosen = [model.new_bool_var("") for _ in range(len(cover))]
    having: list[list[Any]] = [[] for _ in range(cover.primary)]
    coloured: dict[int, dict[int, list[Any]]] = defaultdict(lambda: defaultdict(list))
    for option, variable in enumerate(chosen):
        for item, colour in cover.entries(option):
            if item < cover.primary:
                having[item].append(variable)
            else:
                coloured[item][colour].append(variable)
    for item, variables in enumerate(having):
        low, high = cover.low[item], cover.high[item]
        if (low, high) == (1, 1):
            model.add_exactly_one(variables)
        else:
            model.add_linear_constraint(sum(variables), low, high)
    for colours in coloured.values():
        # At most one option without a colour, or one colour. An option implies the colour that it gives.
        alternatives = list(colours.pop(0, []))
        for variables in colours.values():
            worn = model.new_bool_var("")
            for variable in variables:
                model.add_implication(variable, worn)
            alternatives.append(worn)
        model.add_at_most_one(alternatives)
    return model, chosen
