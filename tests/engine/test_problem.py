from __future__ import annotations

import subprocess
import sys
from array import array
from collections.abc import Callable, Iterable, Iterator
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzlec.engine import Limits, Search, count, count_covers, first, problem_numpy, solve
from puzzlec.engine import problem as module
from puzzlec.engine.problem import ExactCover
from puzzlec.engine.search.count_tasks import width
from tests import brute
from tests.engine.test_kernels import problems


@pytest.fixture
def in_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every problem is treated as a large one."""
    monkeypatch.setattr(module, "MIN_ENTRIES_OF_NUMPY", 0)
    monkeypatch.setattr(module, "MIN_ENTRIES_IF_LOADED", 0)


def both_ways() -> Iterator[None]:
    """Run what follows in plain Python first, then in numpy: at once, and part by part."""
    usual = (
        module.MIN_ENTRIES_OF_NUMPY,
        module.MIN_ENTRIES_IF_LOADED,
        problem_numpy.OPTIONS_AT_ONCE,
        problem_numpy.ENTRIES_AT_ONCE,
    )
    ways = [(10**9, 10**9, 1, 1), (0, 0, *usual[2:]), (0, 0, 2, 3)]
    try:
        for (
            module.MIN_ENTRIES_OF_NUMPY,
            module.MIN_ENTRIES_IF_LOADED,
            problem_numpy.OPTIONS_AT_ONCE,
            problem_numpy.ENTRIES_AT_ONCE,
        ) in ways:
            yield
    finally:
        (
            module.MIN_ENTRIES_OF_NUMPY,
            module.MIN_ENTRIES_IF_LOADED,
            problem_numpy.OPTIONS_AT_ONCE,
            problem_numpy.ENTRIES_AT_ONCE,
        ) = usual


def test_both_ways_are_plain_python_and_numpy() -> None:
    cover = ExactCover.from_rows([[0]], primary=1)
    used = [module.operations(cover.arrays) is problem_numpy for _ in both_ways()]
    assert used == [False, True, True]


# Constructors


def test_sets_are_options_and_items_come_in_the_order_of_their_appearance() -> None:
    cover = ExactCover.from_sets({"Q": ["c"], "R": ["a", "c"], "S": {"b", "d", "a"}})
    assert cover.item_names == ("c", "a", "b", "d")
    assert [cover.row(option) for option in range(3)] == [(0,), (1, 0), (1, 2, 3)]
    assert cover.names([0, 2]) == ("Q", "S")


def test_sets_may_hold_any_hashable_things_with_secondary_ones_and_bounds() -> None:
    sets = [{(0, 0), 1}, {1, "1"}, frozenset({(0, 0), "1"}), [1]]
    cover = ExactCover.from_sets(sets, secondary=["1"], bounds={1: (1, 2), (0, 0): 1})
    assert (cover.primary, cover.secondary) == (2, 1)
    assert cover.item_names == ("1", "(0, 0)", "'1'")  # 1 and "1" are different
    assert list(zip(cover.low, cover.high, strict=True)) == [(1, 2), (1, 1)]
    assert brute.covers(cover) == [(0,), (0, 1), (0, 3), (2, 3)]
    assert cover.names([0, 2]) == ("0", "2")


def test_items_without_options_can_be_given() -> None:
    cover = ExactCover.from_sets([{"a"}], primary=["b", "a"])
    assert cover.row(0) == (1,)
    assert brute.covers(cover) == []
    assert ExactCover.from_sets([{"a"}], primary=["a", "c"], bounds={"c": (0, 1)}).primary == 2


def test_the_order_of_items_is_the_same_in_every_run() -> None:
    code = "from puzzlec.engine.problem import ExactCover; print(ExactCover."
    code += "from_sets([set('puzzle'), {3, 'x', None}]).item_names)"
    shown = {
        subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout
        for seed in "123"
    }
    assert shown == {"('e', 'l', 'p', 'u', 'z', 'None', '3', 'x')\n"}


def test_named_options_may_colour_secondary_items() -> None:
    cover = ExactCover.from_names(
        primary=["p", "q:r"],
        secondary=["x", "y"],
        options={"one": ["p", "x:red"], "two": ["q:r", ("x", "red"), "y"], "three": ("q:r", "x:blue")},
        bounds={"q:r": (0, 2)},
    )
    assert [cover.entries(option) for option in range(3)] == [
        [(0, 0), (2, 1)],
        [(1, 0), (2, 1), (3, 0)],
        [(1, 0), (2, 2)],
    ]
    assert [cover.names(found) for found in brute.covers(cover)] == [("one",), ("one", "two")]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"one": ["p", "z"]}, "option 'one' has the unknown item 'z'"),
        ({"one": ["p", "z:red"]}, "option 'one' has the unknown item 'z'"),
        ([["p"], ["p:red"]], "option 1 gives the primary item 'p' a colour"),
        ({"one": "p"}, "option 'one' must be a list of items, found the text 'p'"),
        ({"one": ["p", "x", "x:red"]}, "option one has the item x twice"),
        ({"one": ["x"]}, "option one has no primary item"),
    ],
)
def test_an_error_in_a_named_option_names_option_and_item(options: Any, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}$"):
        ExactCover.from_names(["p"], options, ["x"])


def test_items_and_bounds_that_do_not_go_together_are_refused() -> None:
    cases: list[tuple[Callable[[], object], str]] = [
        (lambda: ExactCover.from_names(["p"], [], ["p"]), "item 'p' is both primary and secondary"),
        (lambda: ExactCover.from_names(["p"], [], bounds={"q": 1}), "bounds for 'q', which is not a primary item"),
        (lambda: ExactCover.from_sets([{"p"}], bounds={"p": (2, 1)}), "the bounds of 'p' run backwards: 2 to 1"),
        (lambda: ExactCover.from_sets([{"p", "q"}], primary=["p"]), "option 0 has the unknown item 'q'"),
        (lambda: ExactCover.from_rows([[0]], 1, item_names=["a", "b"]), "expected 1 names of items, found 2"),
        (lambda: ExactCover.from_rows([[0]], 1, option_names=["a", "b"]), "expected 1 names of options, found 2"),
        (
            lambda: ExactCover.from_rows([[0]], 1, bounds=[]),
            "`bounds` must have a pair for each of the 1 primary items, not 0",
        ),
    ]
    for refused, message in cases:
        with pytest.raises(ValueError, match=message):
            refused()


class Sparse:
    """The needed members of scipy's matrices of compressed rows."""

    def __init__(self, rows: list[list[int]], columns: int, values: list[int] | None = None) -> None:
        self.indptr = np.cumsum([0, *map(len, rows)])
        self.indices = np.array([column for row in rows for column in row], np.int32)
        self.data = np.ones(len(self.indices)) if values is None else np.array(values)
        self.shape = (len(rows), columns)

    def tocsr(self) -> Sparse:
        return self


@given(st.integers(1, 6), st.integers(1, 8), st.randoms(use_true_random=False), st.data())
def test_lists_numpy_and_sparse_matrices_give_the_same_problem(
    columns: int, options: int, random: Any, data: st.DataObject
) -> None:
    secondary = data.draw(st.sets(st.integers(0, columns - 1), max_size=columns - 1))
    spot = next(column for column in range(columns) if column not in secondary)  # every option has a primary item
    lines = [[int(column == spot or random.random() < 0.5) for column in range(columns)] for _ in range(options)]
    names = "ABCDEF"[:columns]
    cover = ExactCover.from_matrix(lines, secondary, item_names=names)
    assert ExactCover.from_matrix(np.array(lines), iter(secondary), item_names=names) == cover
    assert ExactCover.from_matrix(np.array(lines, bool), secondary) == cover
    rows = [[column for column in reversed(range(columns)) if line[column]] for line in lines]
    sparse = ExactCover.from_scipy(Sparse(rows, columns), secondary, item_names=names)
    assert (sparse, sparse.item_names) == (cover, cover.item_names)
    assert [names.index(name) for name in cover.item_names] == sorted(
        range(columns), key=lambda column: (column in secondary, column)
    )
    for option, line in enumerate(lines):
        assert {cover.item_name(item) for item in cover.row(option)} == {
            name for name, value in zip(names, line, strict=True) if value
        }
    back = cover.as_matrix()
    assert ExactCover.from_matrix(back, range(cover.primary, columns)) == cover


def test_invalid_matrices_are_refused() -> None:
    cases: list[tuple[Callable[[], object], str]] = [
        (lambda: ExactCover.from_matrix([[1, 0], [1]]), "row 1 has 1 entries, but row 0 has 2"),
        (lambda: ExactCover.from_matrix([[1, 0], [1, 2]]), "expected 0 or 1 in row 1 and column 1, found 2"),
        (
            lambda: ExactCover.from_matrix(np.array([[1, 0], [-1, 1]])),
            "expected 0 or 1 in row 1 and column 0, found -1",
        ),
        (lambda: ExactCover.from_matrix(np.ones(3)), "the matrix has 1 dimensions, not two"),
        (lambda: ExactCover.from_matrix([[1]], secondary=[1]), "unknown secondary column 1"),
        (lambda: ExactCover.from_matrix([[1, 0], [0, 0]]), "option 1 has no primary item"),
        (lambda: ExactCover.from_matrix(np.eye(2), item_names="abc"), "expected 2 names of columns, found 3"),
        (lambda: ExactCover.from_scipy(Sparse([[0], [1]], 2, [1, 3])), "in row 1 and column 1, found 3"),
        (lambda: ExactCover.from_scipy(Sparse([[0, 0]], 2)), "option 0 has the item 0 twice"),
    ]
    for refused, message in cases:
        with pytest.raises(ValueError, match=message):
            refused()


def test_scipy_gives_the_problem_of_its_matrix() -> None:
    sparse = pytest.importorskip("scipy.sparse")
    lines = [[1, 0, 1], [0, 1, 1], [1, 1, 0]]
    for kind in (sparse.csr_array, sparse.csc_matrix, sparse.coo_array, sparse.lil_matrix):
        cover = ExactCover.from_scipy(kind(lines), secondary=[0], item_names=["a", "b", "c"])
        assert cover == ExactCover.from_matrix(lines, secondary=[0])
        assert cover.item_names == ("b", "c", "a")


# Graphs


class Graph:
    """The needed members of a graph of networkx."""

    def __init__(self, nodes: Iterable[Any], edges: Iterable[tuple[Any, Any]]) -> None:
        self.nodes, self._edges = list(nodes), list(edges)

    def edges(self) -> list[tuple[Any, Any]]:
        return self._edges


@given(st.integers(1, 6), st.data())
def test_matchings_and_colourings_are_those_of_all_subsets_and_all_products(number: int, data: st.DataObject) -> None:
    pairs = list(combinations(range(number), 2))
    edges = data.draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    graph = Graph(range(number), [(b, a) if data.draw(st.booleans()) else (a, b) for a, b in edges])
    matchings = [
        some
        for size in range(len(edges) + 1)
        for some in combinations(edges, size)
        if sorted(node for edge in some for node in edge) == list(range(number))
    ]
    assert count(ExactCover.perfect_matchings(graph)) == len(matchings)
    for colours in range(4):
        all_ways = product(range(colours), repeat=number)
        proper = [way for way in all_ways if all(way[one] != way[other] for one, other in edges)]
        assert count(ExactCover.colourings(graph, colours)) == len(proper)


def test_graphs_of_networkx_with_several_or_directed_edges_are_plain_graphs() -> None:
    networkx = pytest.importorskip("networkx")
    plain = networkx.cycle_graph(4)
    for kind in (networkx.DiGraph, networkx.MultiGraph, networkx.MultiDiGraph):
        several = kind([*plain.edges(), *((two, one) for one, two in plain.edges())])
        assert count(ExactCover.perfect_matchings(several)) == 2
        assert count(ExactCover.colourings(several, 3)) == 18
    assert list(solve(ExactCover.perfect_matchings(networkx.path_graph(2)))) == [("(0, 1)",)]


def test_an_edge_to_the_same_node_and_a_thing_that_is_no_graph_are_refused() -> None:
    for convert in (ExactCover.perfect_matchings, lambda graph: ExactCover.colourings(graph, 2)):
        with pytest.raises(ValueError, match=r"^node 'a' has an edge to itself$"):
            convert(Graph("a", [("a", "a")]))
        with pytest.raises(TypeError, match=r"^expected a graph with `nodes` and `edges\(\)`, found list$"):
            convert([(0, 1)])


def test_zeros_in_a_sparse_matrix_are_not_entries() -> None:
    assert ExactCover.from_scipy(Sparse([[0, 1], [1]], 2, [1, 0, 1])).row(0) == (0,)


def test_an_empty_matrix_is_the_problem_without_options() -> None:
    assert len(ExactCover.from_matrix([])) == len(ExactCover.from_matrix(np.zeros((0, 2)))) == 0
    assert ExactCover.from_matrix(np.zeros((0, 2))).primary == 2
    assert ExactCover.from_arrays([0], [], primary=3).as_matrix().shape == (0, 3)


@given(problems())
def test_arrays_give_the_problem_that_rows_give(cover: ExactCover) -> None:
    bounds = list(zip(cover.low, cover.high, strict=True))
    for kind in (np.int64, np.uint16, np.int32):
        arrays = [np.array(numbers, kind) for numbers in (cover.starts, cover.items, cover.colours)]
        assert ExactCover.from_arrays(*arrays, primary=cover.primary, secondary=cover.secondary, bounds=bounds) == cover


@pytest.mark.parametrize(
    ("starts", "items", "message"),
    [
        ([0, 2, 1, 3], [0, 1, 0], "option 1 ends before it begins"),
        ([0, 1], [2**40], "items do not fit into 32 bits"),
        ([0, 1], [0.5], "items are not integers but of type float64"),
        ([[0, 1]], [0], "expected one dimension for starts, found 2"),
        ([0, 2], [0], "`starts` must begin with 0 and end with the number of entries"),
        ([], [], "`starts` must begin with 0 and end with the number of entries"),
        ([1, 1], [0], "`starts` must begin with 0 and end with the number of entries"),
        ([0, 1, 2], [0, 3], "out of range"),
        ([0, 1, 2], [0, -1], "out of range"),
        ([0, 1, 3], [1, 0, 0], "option 1 has the item 0 twice"),
        ([0, 1, 4], [1, 1, 0, 1], "option 1 has the item 1 twice"),
        ([0, 1, 2], [1, 2], "option 1 has no primary item"),
        ([0, 1, 1], [1], "option 1 has no primary item"),
    ],
)
def test_invalid_arrays_are_refused_large_or_small(starts: Any, items: Any, message: str) -> None:
    for _ in both_ways():
        with pytest.raises(ValueError, match=message):
            ExactCover.from_arrays(starts, items, primary=2, secondary=1)


def test_colours_are_checked_large_or_small() -> None:
    for _ in both_ways():
        for colours, message in (
            ([0, 0, -1], "colour"),
            ([0, 0, 0, 0], "each entry of an option needs a colour"),
            ([0, 2, 0], "option 1 gives the primary item 0 a colour"),
        ):
            with pytest.raises(ValueError, match=message):
                ExactCover.from_arrays([0, 1, 3], [1, 0, 2], colours, primary=2, secondary=1)


# Members of a problem


@given(problems(), st.data())
def test_a_subset_has_the_options_asked_for_large_or_small(cover: ExactCover, data: st.DataObject) -> None:
    options = data.draw(st.lists(st.sampled_from(range(len(cover))), unique=True)) if len(cover) else []
    for _ in both_ways():
        part = cover.subset(options)
        part.verify()
        assert [part.entries(k) for k in range(len(part))] == [cover.entries(option) for option in options]
        assert (part.low, part.high, part.secondary) == (cover.low, cover.high, cover.secondary)


@given(problems(), st.data())
def test_items_have_the_options_that_contain_them_large_or_small(cover: ExactCover, data: st.DataObject) -> None:
    items = range(cover.primary + cover.secondary)
    some = data.draw(st.none() | st.sets(st.sampled_from(items))) if len(items) else None
    having = [
        [option for option in range(len(cover)) if (some is None or item in some) and item in cover.row(option)]
        for item in items
    ]
    for _ in both_ways():
        assert [list(map(int, options)) for options in cover.options_of_items(some)] == having


@given(problems())
def test_the_width_is_the_same_large_or_small(cover: ExactCover) -> None:
    assert len({width(cover) for _ in both_ways()}) == 1


@given(problems())
def test_rows_with_colours_and_without_keep_their_entries(cover: ExactCover) -> None:
    rows = [[(item, colour) if colour else item for item, colour in cover.entries(k)] for k in range(len(cover))]
    assert (
        ExactCover.from_rows(rows, cover.primary, cover.secondary, list(zip(cover.low, cover.high, strict=True)))
        == cover
    )


@given(problems(), st.data())
def test_leaving_out_and_renumbering_items_works_for_large_and_small_problems(
    cover: ExactCover, data: st.DataObject
) -> None:
    items = data.draw(st.permutations(range(cover.primary))) + list(
        range(cover.primary, cover.primary + cover.secondary)
    )
    items = items[: data.draw(st.integers(0, len(items)))]
    primary = min(cover.primary, len(items))
    bounds = [cover.low[item] for item in items[:primary]], [cover.high[item] for item in items[:primary]]
    found = [cover.with_items(items, primary, *bounds) for _ in both_ways()]
    assert found[0] == found[1]
    for option in range(len(cover)):
        assert [(items[item], colour) for item, colour in found[0].entries(option)] == [
            entry for entry in cover.entries(option) if entry[0] in items
        ]


@pytest.mark.usefixtures("in_numpy")
def test_a_subset_of_a_large_problem_keeps_names_and_checks_options() -> None:
    cover = ExactCover.from_sets({"Q": {"a"}, "R": {"a", "b"}, "S": {"b"}})
    assert cover.subset(range(1, 3)).names([0, 1]) == ("R", "S")
    assert len(cover.subset([])) == 0
    with pytest.raises(IndexError):
        cover.subset([3])


def test_millions_of_options_are_checked_and_divided_without_a_loop_over_them() -> None:
    number = 2_000_000
    first = np.arange(number) % 999
    items = np.column_stack([first + 1, np.zeros(number, np.int64), 1000 + first]).ravel()  # none in ascending order
    cover = ExactCover.from_arrays(np.arange(0, 3 * number + 1, 3), items, primary=1000, secondary=999)
    assert repr(cover) == "<ExactCover: 1000 primary and 999 secondary items, 2000000 options, 6000000 entries>"
    assert cover.subset(range(1, number, 2)).row(700_000) == cover.row(1_400_001)
    items[3_000_001] = items[3_000_000]
    with pytest.raises(ValueError, match=r"^option 1000000 has the item 2 twice$"):
        ExactCover.from_arrays(np.arange(0, 3 * number + 1, 3), items, primary=1000, secondary=999)


def test_a_matrix_of_0_and_1_has_no_colours() -> None:
    with pytest.raises(ValueError, match="colours"):
        ExactCover.from_rows([[0, (1, 1)]], 1, 1).as_matrix()


def test_a_problem_prints_its_size_and_not_its_arrays() -> None:
    cover = ExactCover(1, array("i", [1]), array("i", [1]), 0, array("i", [0, 1]), array("i", [0]), array("i", [0]))
    assert repr(cover) == "<ExactCover: 1 primary and 0 secondary items, 1 options, 1 entries>"
    assert str(cover) == "exact cover with 1 primary and 0 secondary items, 1 options, 1 entries"


def test_a_small_problem_is_made_and_checked_without_numpy() -> None:
    code = (
        "import sys; from puzzlec.engine import ExactCover, solve, reduce; "
        "cover = ExactCover.from_sets({'Q': 'a', 'R': 'ab'}).subset([0, 1]); cover.verify(); list(solve(cover)); "
        "reduce(cover); ExactCover.from_matrix([[1]]); print({'numpy', 'numba'} & set(sys.modules))"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert shown == "set()\n"


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (
            lambda: ExactCover.from_sets([{"Ann", "train"}], secondary="train"),
            "expected a list for `secondary`, found the text 'train'",
        ),
        (lambda: ExactCover.from_sets("abc"), "expected a list for `sets`"),
        (lambda: ExactCover.from_sets([{"a"}], bounds={"A": (1, 2)}), "bounds for 'A', which is not a primary item"),
        (lambda: ExactCover.from_sets([{"a"}], bounds=[(1, 1)]), "`bounds` must be a mapping here"),  # type: ignore[arg-type]
        (lambda: ExactCover.from_rows([["a"]], 1), "option 0 has 'a', which is not an item number"),  # type: ignore[list-item]
        (lambda: ExactCover.from_rows([[0], [2**40]], 1), "option 1 has 1099511627776"),
        (lambda: ExactCover.from_rows([[0, 5]], 1), "option 0 has the item 5, which is out of range"),
        (lambda: ExactCover.from_rows([[0, (1, -2)]], 1, 1), "option 0 has the colour -2"),
        (lambda: ExactCover.from_rows([[0]], 1, bounds=[(2, 1)]), "the bounds of item 0 run backwards: 2 to 1"),
        (
            lambda: ExactCover.from_rows([[0]], 1, bounds=[(0, None)]),  # type: ignore[list-item]
            r"are \(0, None\): expected an integer, or a pair \(low, high\)",
        ),
        (lambda: ExactCover.from_rows([[0]], 1, bounds={3: 1}), "bounds for 3"),
        (lambda: ExactCover.from_rows([[0]], 2**31 - 1), "`primary` must be from 0 to 268435456 items, not 2147483647"),
        (lambda: ExactCover.from_rows([[0]], "2"), "`primary` must be the number of primary items, not '2'"),  # type: ignore[arg-type]
        (lambda: ExactCover.from_rows([[0]], 1, bounds=[(-1, 1)]), "the bounds of item 0 are negative: -1"),
        (lambda: ExactCover.from_rows([[0]], 1, bounds=[(1, 10**12)]), r"are too large: 1000000000000 \(limit"),
        (lambda: ExactCover.from_sets(["a"], bounds={"a": 1.5}), "the bounds of 'a' are 1.5: expected"),  # type: ignore[dict-item]
        (lambda: ExactCover.from_sets(["a"], bounds={"a": (1, 2, 3)}), "expected an integer, or a pair"),  # type: ignore[dict-item]
        (lambda: ExactCover.from_sets(["a"], bounds={"a": "12"}), "are '12': expected an integer"),  # type: ignore[dict-item]
        (lambda: ExactCover.from_sets([["apple"]], bounds={"aple": 2}), "primary item: did you mean 'apple'?"),
        (lambda: ExactCover.from_sets([1, 2]), "option 0 is 1, not a list of items"),  # type: ignore[list-item]
        (lambda: ExactCover.from_sets([["aple"]], primary=["apple"]), "the unknown item 'aple': did you mean 'apple'?"),
        (lambda: ExactCover.from_rows([0], 1), "option 0 is 0, not a list of items"),  # type: ignore[list-item]
        (lambda: ExactCover.from_rows([[0], [1]], 1), "option 1 has the item 1, .*: there are 1, numbered from 0"),
        (lambda: ExactCover.from_rows([["a"]], 1), "`from_sets` and `from_names` accept names"),  # type: ignore[list-item]
        (lambda: ExactCover.from_rows([[0, (1, "red")]], 1, 1), "expected the numbers of an item and a colour"),  # type: ignore[list-item]
        (lambda: ExactCover.from_rows([[0, (1, 1, 1)]], 1, 1), r"option 0 has \(1, 1, 1\): expected the numbers"),  # type: ignore[list-item]
        (lambda: ExactCover.from_names(["a"], [["a", ("x", "y", "z")]], ["x"]), r"expected \(item, colour\)"),  # type: ignore[list-item]
        (lambda: ExactCover.from_names(["a"], {"one": 3}), "option 'one' is 3, not a list of items"),
        (lambda: ExactCover.from_matrix([[1]], ["a"]), "`secondary` has 'a', which is not the number of a column"),  # type: ignore[list-item]
        (lambda: ExactCover.from_matrix([[1]], bounds={0: 2}), "`bounds` must be a list of pairs"),  # type: ignore[arg-type]
        (lambda: ExactCover.from_matrix(np.eye(1), bounds={0: 2}), "`bounds` must be a list of pairs"),  # type: ignore[arg-type]
        (lambda: ExactCover.from_scipy([[1]]), "a list is not a sparse matrix"),
    ],
)
def test_mistaken_arguments_are_refused_with_a_reason(make: Callable[[], ExactCover], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        make()


def test_bounds_of_rows_may_be_a_mapping_and_an_option_that_is_not_there_is_an_index_error() -> None:
    cover = ExactCover.from_rows([[0], [0], [1]], 2, bounds={0: (1, 2)})
    assert (list(cover.low), list(cover.high)) == ([1, 1], [2, 1])
    for option in (-1, 3):
        with pytest.raises(IndexError, match=f"unknown option {option}"):
            cover.names([option])
        with pytest.raises(IndexError, match=f"unknown option {option}"):
            cover.subset([option])


def test_numbers_of_items_and_bounds_may_be_numpy_integers() -> None:
    rows = np.array([[0, 1], [1, 2]])
    cover = ExactCover.from_rows(rows, rows.max() + 1, bounds={np.int64(1): (np.int64(1), np.int64(2))})  # type: ignore[dict-item]
    assert cover == ExactCover.from_rows([[0, 1], [1, 2]], 3, bounds={1: (1, 2)})
    assert type(cover.primary) is int
    assert cover == ExactCover.from_arrays(
        [0, 2, 4],
        rows.ravel(),
        primary=np.int64(3),  # type: ignore[arg-type]
        bounds=[(1, 1), (1, 2), (1, 1)],
    )


def test_an_option_may_be_an_iterator() -> None:
    assert ExactCover.from_sets([iter("ab"), iter("b")]) == ExactCover.from_sets(["ab", "b"])  # type: ignore[list-item]
    assert ExactCover.from_names("ab", [iter("ab"), iter("b")]) == ExactCover.from_sets(["ab", "b"])


def test_names_of_items_are_texts() -> None:
    assert ExactCover.from_names([1, 2], [[1], [2]]).item_names == ("1", "2")  # type: ignore[list-item]


def test_the_cost_of_a_cover_is_known_by_its_names_and_its_numbers() -> None:
    cover = ExactCover.from_sets({"Q": "a", "R": "ab", "P": "b"}).with_costs([1, 5, 3])
    assert [cover.cost(chosen) for chosen in solve(cover)] == [cover.cost(chosen) for chosen in Search(cover)] == [4, 5]
    with pytest.raises(ValueError, match=r"unknown option 'PP': did you mean 'P'\?"):
        cover.cost(["PP"])
    with pytest.raises(ValueError, match="unknown option 3: options are numbered from 0 to 2"):
        cover.cost([3])


def test_options_before_the_first_have_no_items() -> None:
    cover = ExactCover.from_sets({"Q": "a", "R": "ab"})
    for members in (cover.row, cover.entries):
        with pytest.raises(IndexError, match="there is no option -1: there are 2"):
            members(-1)
    with pytest.raises(TypeError, match="expected the number of an option, not 'Q'"):
        cover.names(["Q"])  # type: ignore[list-item]


def test_equal_covers_have_equal_hashes_whatever_their_names() -> None:
    named = ExactCover.from_sets({"Q": "a", "R": "ab"})
    plain = ExactCover.from_rows([[0], [0, 1]], primary=2)
    other = ExactCover.from_rows([[0], [0, 1]], primary=2, bounds={0: (0, 1)})
    assert hash(named) == hash(plain)
    assert {named: 1, other: 2}[plain] == 1
    assert len({named, plain, other}) == 2


@pytest.mark.parametrize("use", [count, first, Search])
def test_rows_instead_of_a_problem_are_refused(use: Callable[[Any], object]) -> None:
    with pytest.raises(TypeError, match="needs an ExactCover, not a list"):
        use([[1]])


def test_a_kernel_that_counts_at_once_refuses_limits() -> None:
    with pytest.raises(ValueError, match="supports no limit of solutions or nodes: it counts all covers at once"):
        count_covers(ExactCover.from_rows([[0]], primary=1), limits=Limits(nodes=1), kernel="frontier")
