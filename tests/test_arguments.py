"""Wrong arguments of the public functions are refused with the name of the argument and its value."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import pytest

import puzzlec

PUZZLE = puzzlec.parse("locations box 4x1\npiece A x2 { xx }\ncost A = 3\n")
assert isinstance(PUZZLE, puzzlec.Puzzle)

NOT_INTEGERS = [1.5, "3", None, float("nan"), float("inf")]


@pytest.mark.parametrize("value", NOT_INTEGERS)
def test_the_value_of_a_parameter_is_an_integer(value: Any) -> None:
    for text in ("param n = 1\nlocations box {n}x1\npiece A x* { x }\n",
                 "param n = 1\nlocations cells (x,0) for x in 0..3 where x <= n\npiece A x* { x }\n"):  # fmt: skip
        with pytest.raises(ValueError, match=f"`n` must be an integer, not {value!r}"):
            puzzlec.parse(text, parameters={"n": value})


def test_integers_of_numpy_are_parameters() -> None:
    np = pytest.importorskip("numpy")
    puzzle = puzzlec.parse("param n = 1\nlocations box {n}x1\npiece A x* { x }\n", parameters={"n": np.int64(3)})
    assert isinstance(puzzle, puzzlec.Puzzle)
    assert len(puzzle.locations) == 3


CALLS: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "best": ("number", lambda value: list(puzzlec.best(PUZZLE, number=value))),
    "threads of count": ("threads", lambda value: puzzlec.count(PUZZLE, threads=value)),
    "threads of disassemble": ("threads", lambda value: list(puzzlec.disassemble(PUZZLE, threads=value))),
    "sample": ("number", lambda value: puzzlec.every_solution(PUZZLE).sample(value)),
}


@pytest.mark.parametrize("value", [*NOT_INTEGERS, -1])
@pytest.mark.parametrize("call", CALLS)
def test_a_number_is_an_integer_that_is_not_negative(call: str, value: Any) -> None:
    if call == "sample":
        pytest.importorskip("numba")
    name, function = CALLS[call]
    with pytest.raises(ValueError, match=f"`{name}` must be an integer.*, not {value!r}"):
        function(value)


def test_a_wall_has_the_coordinates_of_the_lattice() -> None:
    with pytest.raises(ValueError, match=r"cell \(9, 9, 9\) of a wall has another number of coordinates"):
        list(puzzlec.disassemble(PUZZLE, walls=[(9, 9, 9)]))


def test_limits_and_symmetries_are_refused_with_what_is_expected() -> None:
    with pytest.raises(TypeError, match="`limits` must be of type Limits, not int"):
        puzzlec.count(PUZZLE, limits=5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="unknown symmetry 'mirror': expected one of none, rotations, all"):
        puzzlec.count(PUZZLE, symmetry="mirror")  # type: ignore[arg-type]


#: Public functions that search without a limit of solutions.
WITHOUT_LIMIT_OF_SOLUTIONS: dict[str, Callable[[puzzlec.Limits], Any]] = {
    "best": lambda limits: list(puzzlec.best(PUZZLE, limits=limits)),
    "clues": lambda limits: puzzlec.clues(PUZZLE, limits=limits),
    "count_by_cost": lambda limits: puzzlec.count_by_cost(PUZZLE, limits=limits),
    "estimate": lambda limits: puzzlec.estimate(PUZZLE, limits=limits),
    "every_solution": lambda limits: puzzlec.every_solution(PUZZLE, limits=limits),
    "generate": lambda limits: puzzlec.generate("dominosa", limits=limits),
    "sets": lambda limits: list(puzzlec.sets(PUZZLE, limits=limits)),
    "state_graph": lambda limits: puzzlec.state_graph(next(puzzlec.disassemble(PUZZLE)), limits=limits),
    "verify": lambda limits: list(puzzlec.verify(limits=limits)),
    "write_certificate": lambda limits: puzzlec.write_certificate(PUZZLE, "any.cert", limits=limits),
}


def test_every_function_that_can_limit_solutions_has_the_short_form() -> None:
    functions = [value for name in puzzlec.__all__ if inspect.isfunction(value := getattr(puzzlec, name))]
    searching = {value.__name__: set(inspect.signature(value).parameters) for value in functions}
    searching = {name: parameters for name, parameters in searching.items() if "limits" in parameters}
    assert all("seconds" in parameters for parameters in searching.values())
    without = {name for name, parameters in searching.items() if "limit" not in parameters}
    assert without == {*WITHOUT_LIMIT_OF_SOLUTIONS, "sweep"}  # the limits of a sweep are those of each row
    for call in WITHOUT_LIMIT_OF_SOLUTIONS.values():
        with pytest.raises(ValueError, match="cannot limit `solutions` here"):
            call(puzzlec.Limits(solutions=1))
    assert len(list(puzzlec.disassemble("soma", limit=2))) == 2
