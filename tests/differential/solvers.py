"""Other programs: python-sat on the clauses that puzzlec writes, CP-SAT on the placements of brute force."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from itertools import chain, combinations, repeat
from typing import Any

from puzzlec.engine.problem import ExactCover
from puzzlec.formats.record import AT_MOST_ONE, WriterChoices
from puzzlec.formats.writing import write
from puzzlec.ir import Condition, Fitting, Piece, Puzzle, RegionRule, RuleKind
from puzzlec.ir.fitting import FittingPiece
from tests.differential.by_hand_placements import placements
from tests.differential.by_hand_rules import number_of
from tests.differential.case import Case
from tests.differential.lying import Lying
from tests.differential.searches import Compared

#: Problems with more solutions are too large for solvers that find them one by one.
MOST_MODELS = 300


def sat(case: Case) -> Compared:
    """The models of the clauses correspond to the solutions one to one."""
    if len(case.expected) > MOST_MODELS or find_spec("pysat") is None:
        return
    solvers = import_module("pysat.solvers")
    form = case.chance.choice(AT_MOST_ONE)
    lines = write(case.encoding, "cnf", WriterChoices(form)).splitlines()
    clauses = [list(map(int, line.split()[:-1])) for line in lines if line[:1] not in "cp"]
    options = len(case.cover)
    if [] in clauses:
        yield "clauses", 0, len(case.expected)
        return
    with solvers.Solver(
        name=case.chance.choice(("minisat22", "glucose4", "cadical195")), bootstrap_with=clauses
    ) as one:
        models: list[tuple[int, ...]] = []
        while one.solve() and len(models) <= len(case.expected):
            # Variables without a clause are free: nothing forces or forbids their options.
            true = {literal for literal in one.get_model() if literal > 0}
            models.append(tuple(option for option in range(options) if option + 1 in true))
            block = [-v if v in true else v for v in range(1, options + 1)]
            if not block:
                break
            one.add_clause(block)
    yield (
        "models of the clauses",
        (len(models), frozenset(map(case.found, models))),
        (len(case.expected), case.expected),
    )


def cpsat(case: Case) -> Compared:
    """CP-SAT finds all solutions of a model that is made without the lowering."""
    what = case.problem.what
    if len(case.expected) > MOST_MODELS or find_spec("ortools") is None:
        return
    if isinstance(what, Puzzle) and any(piece.sides for piece in what.pieces):
        return
    if isinstance(what, Puzzle) and what.rules.meetings:
        return
    if isinstance(what, Puzzle) and what.lattice is not None and what.lattice.crossings and not what.rules.crossing:
        return
    library = import_module("ortools.sat.python.cp_model")
    model = library.CpModel()
    chosen = _of_cover(model, what) if isinstance(what, ExactCover) else _of_pieces(model, what)
    if not chosen:
        return
    solver = library.CpSolver()
    solver.parameters.enumerate_all_solutions = True
    solver.parameters.num_workers = 1
    solver.parameters.cp_model_presolve = False
    counter = _counter(library)
    status = solver.solve(model, counter)
    if status not in (library.OPTIMAL, library.INFEASIBLE):
        raise AssertionError(f"CP-SAT ended with {solver.status_name(status)}")
    yield "CP-SAT", counter.number, len(case.expected)


def _counter(library: Any) -> Any:
    """Return a callback that counts the solutions."""

    class Counter(library.CpSolverSolutionCallback):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.number = 0

        def on_solution_callback(self) -> None:
            self.number += 1

    return Counter()


def _of_cover(model: Any, cover: ExactCover) -> list[Any]:
    """Add an exact cover to a model, with separate numbers for colours. Return a variable for each option."""
    chosen = [model.new_bool_var("") for _ in range(len(cover))]
    having: list[list[Any]] = [[] for _ in range(cover.primary)]
    worn: dict[int, list[tuple[Any, int]]] = defaultdict(list)
    for option, variable in enumerate(chosen):
        for item, colour in cover.entries(option):
            if item < cover.primary:
                having[item].append(variable)
            else:
                worn[item].append((variable, colour))
    for item, variables in enumerate(having):
        model.add(sum(variables) >= cover.low[item])
        model.add(sum(variables) <= min(cover.high[item], len(cover)))
    for entries in worn.values():
        for number, (one, colour) in enumerate(entries):
            for two, other in entries[:number]:
                if colour == 0 or colour != other:
                    model.add_bool_or(one.negated(), two.negated())
    return chosen


def _of_pieces(model: Any, what: Puzzle | Fitting) -> list[Any]:
    """Add a puzzle by the placements of brute force; return a variable for each."""
    if isinstance(what, Fitting):
        lying: list[set[Lying]] = [
            {
                Lying(frozenset((k,) for k in row), (), frozenset(zip(((k,) for k in row), shown, strict=False)))
                for row, shown in zip(piece.placements, piece.colours or repeat(()), strict=False)
            }
            for piece in what.pieces
        ]
        places: dict[Any, bool] = {(k,): k in what.optional for k in range(what.locations)}
    else:
        lying = placements(what)
        places = {location.at: location.optional for location in what.locations}
    fixed = [rule for rule in what.rules.pieces if rule.kind is RuleKind.FIX] if isinstance(what, Puzzle) else []
    on: dict[Any, list[Any]] = defaultdict(list)
    chosen: list[Any] = []
    pieces: Sequence[Piece | FittingPiece] = what.pieces
    for piece, own in zip(pieces, lying, strict=True):
        low, high = piece.low, piece.high
        variables = {placed: model.new_bool_var("") for placed in own}
        chosen += variables.values()
        for placed, variable in variables.items():
            for cell in placed.cells:
                on[cell].append(variable)
        model.add(sum(variables.values()) >= low)
        model.add(
            sum(variables.values()) <= min(max(high, int(any(r.piece == piece.name for r in fixed))), len(variables))
        )
        for rule in fixed:
            if rule.piece == piece.name:
                model.add(sum(v for placed, v in variables.items() if placed.cells == frozenset(rule.region)) == 1)
    for place, optional in places.items():
        model.add(sum(on[place]) <= 1)
        if not optional:
            model.add(sum(on[place]) == 1)
    shown = [
        (variable, dict(placed.paint)) for placed, variable in zip(chain.from_iterable(lying), chosen, strict=True)
    ]
    named = [piece.name for piece, own in zip(pieces, lying, strict=True) for _ in own]
    for demand in what.rules.regions if isinstance(what, Puzzle) else ():
        if demand.kind is Condition.COUNT:
            on_region = [
                variable
                for name, placed, variable in zip(named, chain.from_iterable(lying), chosen, strict=True)
                if demand.piece in ("", name) and not placed.cells.isdisjoint(demand.region)
            ]
            model.add_linear_constraint(sum(on_region), demand.low, min(demand.high, len(on_region)))
        else:
            _demand(model, demand, shown)
    if (empty := what.rules.empty if isinstance(what, Puzzle) else what.empty) is not None:
        bare = sum(optional for optional in places.values()) - sum(
            sum(on[p]) for p, optional in places.items() if optional
        )
        model.add(bare >= empty[0])
        model.add(bare <= empty[1])
    return chosen


def _demand(model: Any, rule: RegionRule[Any], shown: list[tuple[Any, dict[Any, str | None]]]) -> None:
    """Add a rule on a region to a model; ``shown`` has each placement with its colours."""
    entries = [(variable, paint[at]) for variable, paint in shown for at in rule.region if paint.get(at) is not None]
    if rule.kind is Condition.SUM:
        total = sum(number_of(colour) * variable for variable, colour in entries)
        model.add_linear_constraint(total, rule.low, rule.high)
        return
    for (one, colour), (two, other) in combinations(entries, 2):
        if (colour == other) is (rule.kind is Condition.DIFFERENT):
            model.add_bool_or(one.negated(), two.negated())
