"""The benchmark against other programs: its problems and their texts are right, and counts are read correctly."""

from __future__ import annotations

import math
import random
import re
import subprocess
import sys
from array import array
from dataclasses import replace
from datetime import date
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

from puzzlec import Puzzle, load
from puzzlec.engine import ExactCover, Search
from puzzlec.lower import encode, place
from tests.brute import covers
from tests.engine.test_kernels import problems
from tests.tools.bench import all as all_tables
from tests.tools.bench import build, chart, double_six, far, first, growth, inside, placing, tables, taking_apart
from tests.tools.bench.competitors import (
    COMPETITORS,
    PROGRAMS,
    Ours,
    Program,
    after_altogether,
    after_equals,
    after_found,
    find,
    last_number,
)
from tests.tools.bench.instances import (
    EMPTY,
    INSTANCES,
    design,
    edge_matching,
    factorizations,
    holding,
    isometries,
    langford,
    nonogram,
    queens,
    sudoku,
)
from tests.tools.bench.instances import find as instance_of
from tests.tools.bench.measuring import Measure, Warm, run
from tests.tools.bench.peers import figure, table
from tests.tools.bench.regret import I2, tiles
from tests.tools.bench.texts import dlx_text, polycube_text, read_rows, row_text

QUICK = ("soma", "3x20", "sudoku", "queens", "langford")


@pytest.mark.parametrize("name", QUICK)
def test_an_instance_has_its_stated_number_of_solutions(name: str) -> None:
    instance = instance_of(name)
    assert Search(instance.cover).count() == instance.solutions


def test_every_instance_covers_each_item_once_so_that_all_programs_can_read_it() -> None:
    for instance in INSTANCES:
        if not instance.slow:
            instance.cover.verify()
            assert set(instance.cover.low) == set(instance.cover.high) == {1}
    assert len({instance.name for instance in INSTANCES}) == len(INSTANCES)


def test_small_problems_of_each_family_have_the_counts_of_the_literature() -> None:
    assert [Search(langford(n)).count() for n in (3, 4, 5, 7)] == [2, 2, 0, 52]
    assert [Search(queens(n)).count() for n in (4, 5, 6, 8)] == [2, 10, 4, 92]
    assert Search(sudoku("." * 16)).count() == 288
    # Steiner systems: triples of 7 and 9 points, quadruples of 8; 1-factorizations of K6.
    assert [Search(design(*sizes)).count() for sizes in ((7, 3, 2), (9, 3, 2), (8, 4, 3))] == [30, 840, 30]
    assert Search(factorizations(6)).count() == 6


def test_a_nonogram_has_the_picture_that_it_was_made_from() -> None:
    side = 6
    cover, chance = nonogram(side, 0.6, 4), random.Random(4)
    picture = [[chance.random() < 0.6 for _ in range(side)] for _ in range(side)]
    found = []
    for solution in Search(cover):
        colours = dict(entry for option in solution for entry in cover.entries(option) if entry[0] >= cover.primary)
        found.append([[colours[cover.primary + r * side + c] == 2 for c in range(side)] for r in range(side)])
    assert picture in found
    assert len(found) == len({str(one) for one in found})


def test_the_tiles_of_a_cut_square_can_be_joined_again_in_four_directions() -> None:
    number = Search(edge_matching(3, 9, seed=2)).count()
    assert number > 0
    assert number % 4 == 0


def test_equal_tiles_are_refused() -> None:
    with pytest.raises(ValueError, match="alike"):
        edge_matching(5, 1, seed=1)


def test_a_box_has_as_many_isometries_as_its_sides_allow() -> None:
    cube = [(x, y, z) for x in range(2) for y in range(2) for z in range(2)]
    brick = [(x, y, z) for x in range(2) for y in range(3) for z in range(4)]
    assert [len(isometries(box, mirrors)) for box in (cube, brick) for mirrors in (True, False)] == [48, 24, 8, 4]
    assert all(sorted(map_.values()) == sorted(cube) for map_ in isometries(cube, mirrors=True))


def test_fixing_a_piece_leaves_one_of_each_class_of_solutions() -> None:
    held, raw = holding("pentominoes/3x20", "F", mirrors=True), instance_of("3x20")
    assert Search(held).count() * 4 == raw.solutions


def test_a_piece_with_symmetric_placements_cannot_be_fixed() -> None:
    with pytest.raises(ValueError, match="symmetric"):
        holding("soma/soma", "T", mirrors=True)


@given(problems())
@settings(max_examples=60)
def test_the_rows_describe_the_problem(cover: ExactCover) -> None:
    once = array("i", [1] * cover.primary)
    cover = replace(cover, low=once, high=once)  # rows have no bounds
    assert read_rows(row_text(cover)) == cover
    assert len(covers(read_rows(row_text(cover, sort=True)))) == len(covers(cover))
    read = inside.parse(row_text(cover))
    assert [len(option) for option in read.options] == [len(cover.row(option)) for option in range(len(cover))]
    assert sum(map(len, read.colours)) == sum(1 for colour in cover.colours if colour)


def test_names_in_a_text_for_knuths_programs_are_short_and_different() -> None:
    cover = instance_of("sudoku").cover
    head, *options = dlx_text(cover).splitlines()
    names = head.split()
    assert len(set(names)) == cover.primary
    assert max(map(len, names)) <= 8
    assert len(options) == len(cover)
    assert {word for option in options for word in option.split()} <= set(names)


def test_secondary_items_and_colours_are_where_knuths_programs_expect_them() -> None:
    cover = ExactCover.from_rows([[0, (1, 3)], [0, (1, 2)]], primary=1, secondary=1)
    assert dlx_text(cover) == "i0 | i1\ni0 i1:3\ni0 i1:2\n"


def test_the_holes_of_a_board_are_a_piece_that_cannot_move() -> None:
    encoding = instance_of("8x8").encoding
    assert encoding is not None
    lines = polycube_text(encoding.fitting).splitlines()
    assert lines[0] == "D:xDim=8:yDim=8:zDim=1"
    assert lines[1] == "C:name=outside:type=S:layout=3 3 0, 3 4 0, 4 3 0, 4 4 0"
    assert lines[-1] == "~D"
    assert sum(line.count(":type=M:") for line in lines) == 12


def test_copies_of_a_piece_are_written_one_by_one() -> None:
    encoding = instance_of("dominoes-8x8").encoding
    assert encoding is not None
    assert polycube_text(encoding.fitting).count(":type=M:layout=0 0 0, 1 0 0\n") == 32


def test_a_program_gets_no_problem_that_it_cannot_express() -> None:
    peers = {program.name: program for program in COMPETITORS}
    assert peers["polycube"].text(instance_of("queens")) is None
    assert peers["polycube"].text(instance_of("tetrasticks")) is None
    assert peers["libexact"].text(instance_of("queens")) is None
    assert peers["dlx1"].text(instance_of("edges")) is None
    assert peers["dlx2"].text(instance_of("edges")) is not None
    assert peers["dlx1"].text(instance_of("dominoes-12x12")) is None
    assert peers["dlx6"].text(instance_of("dominoes-12x12")) is not None


@pytest.mark.parametrize(
    ("read", "text", "count"),
    [
        (after_altogether, "Altogether 1 solution, 20+30 mems.", 1),
        (after_altogether, "Altogether 12988816 solutions, 4+9 mems, 12 updates", 12988816),
        (after_found, "\n\n\nFound 11520 solutions!\n", 11520),
        (after_equals, "UNIQUE=3\nSOLUTIONS=520\nSOLUTIONS_PER_SEC=7.5\n", 520),
        (last_number, "BC 2 3\n53060477521960000\n", 53060477521960000),
    ],
)
def test_the_count_is_found_in_what_a_program_prints(read: object, text: str, count: int) -> None:
    assert callable(read)
    assert read(text) == count


@pytest.mark.parametrize("read", [after_altogether, after_found, after_equals, last_number])
def test_a_text_without_a_count_is_no_count(read: object) -> None:
    assert callable(read)
    with pytest.raises(ValueError, match="no count"):
        read("segmentation fault")


def test_the_command_of_a_program_has_the_file_or_gets_it_on_its_input(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    for name in ("dlx1", "miniexact", "polycube"):
        (tmp_path / "bin" / name).touch()
    programs = {program.name: program for program in PROGRAMS}
    file, soma = tmp_path / "problem", instance_of("soma")
    assert programs["dlx1"].words(soma, file, tmp_path) == [str(tmp_path / "bin" / "dlx1")]
    assert not programs["dlx1"].by_name
    assert programs["miniexact"].words(soma, file, tmp_path)[-1] == str(file)
    assert programs["polycube"].words(instance_of("6x10-held"), file, tmp_path)[-2:] == ["-r#", str(file)]


def test_a_missing_program_is_reported(tmp_path: Path) -> None:
    absent = Program("absent", ("no-such-program-anywhere",), lambda instance: "", last_number)
    assert find(absent.command[0], tmp_path) is None
    assert absent.missing(tmp_path) == "there is no program no-such-program-anywhere"


def test_the_figure_is_a_median_or_a_reason() -> None:
    good = [Measure(0.3, 8), Measure(0.1, 8), Measure(0.2, 8)]
    assert figure(good, 8, 60) == "0.20"
    assert figure(good, 9, 60) == "WRONG (8)"
    assert figure([*good, Measure(60, fault="time")], 8, 60) == "> 60"
    assert figure([Measure(fault="exit status 1")], 8, 60) == "failed"
    assert figure([], 8, 60) == "-"


def test_a_table_is_aligned_or_in_markdown() -> None:
    rows = [("soma", ["0.1", "WRONG (2)"]), ("6x10", ["> 60", "-"])]
    lines = table(["a", "b"], rows).splitlines()
    assert len({len(line) for line in lines}) == 1
    assert table(["a", "b"], rows, markdown=True).splitlines()[1:3] == ["|---|--:|--:|", "| soma | 0.1 | WRONG (2) |"]


@pytest.mark.long
def test_the_cpu_seconds_of_a_process_are_measured_and_its_limit_is_kept() -> None:
    words = [sys.executable, "-S", "-c", "print(sum(range(10**6)) and 7)"]
    done = run(words, None, 20, last_number)
    assert (done.count, done.fault) == (7, "")
    assert done.seconds > 0
    endless = run([sys.executable, "-S", "-c", "while True: pass"], None, 0.2, last_number)
    assert endless.fault == "time"


def test_a_measured_process_keeps_the_bytecode_of_its_modules_as_an_installation_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    words = [sys.executable, "-c", "import sys; print(int(sys.dont_write_bytecode))"]
    assert run(words, None, 60.0, lambda text: int(text.split()[-1])).count == 0


def test_a_library_that_is_not_installed_is_missing_and_nothing_fails() -> None:
    words = [sys.executable, "-c", "import json; print(json.dumps({'missing': 'No module named x'}))"]
    process = Warm(words)
    assert process.measure("any", 1).fault == "No module named x"
    assert process.missing == "No module named x"
    process.close()


def test_the_engine_is_measured_in_a_warm_process() -> None:
    process = Warm(Ours("puzzlec-engine").python(None))
    try:
        for _ in range(2):
            measure = process.measure("3x20", 30)
            assert (measure.count, measure.fault) == (8, "")
    finally:
        process.close()


def test_the_command_lists_problems_and_competitors() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.tools.bench.peers", "--list"],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[1],
    )
    assert "dominoes-12x12" in done.stdout
    assert "ssxcc" in done.stdout


def test_the_empty_problem_has_its_one_cover() -> None:
    assert Search(EMPTY.cover).count() == EMPTY.solutions


def test_there_are_sixty_three_orientations_of_pentominoes_and_the_boards_have_as_many_options_as_asked_for() -> None:
    assert len(growth.orientations()) == 63
    for options in (2_000, 10_000):
        width, height = growth.board(options)
        number = sum(1 for _ in growth.rows(width, height))
        assert options <= number < 1.3 * options
        assert width * height % 5 == 0
    assert all(len(set(row)) == 5 and max(row) < 60 for row in growth.rows(6, 10))


def test_the_plot_is_the_same_for_the_same_points_and_shows_every_one() -> None:
    points = [growth.Point(10**k, 1000, 0.1 * k, 0.1 * k, 0.1, 0.2 * k, 10**8, 0.1 * k, 10**8) for k in (3, 4, 5)]
    plot = growth.svg(points)
    assert plot == growth.svg(points)
    assert plot.count("<circle") == 9
    assert "100,000" in plot


def test_the_table_of_descents_compares_puzzlec_with_the_better_program() -> None:
    point = growth.Point(1000, 20_000, 9.0, 0.1, 0.002, 0.05, 10**8, 0.25, 10**8)
    row = growth.beside(point, {"DLX1": growth.Descent(0.5, 0.5), "SSXCC": growth.Descent(0.1, 0.7)})
    assert row == "| 1,000 | 0.35 | 0.050 | 0.50 | 0.50 | 0.10 | 0.70 | 2.0 |"
    assert growth.beside(point, {"DLX1": None}).endswith("| 0.050 | - | - | - |")
    with pytest.raises(ValueError, match="no nodes"):
        growth.nodes_of("TIMEOUT!\n")


def test_growth_measures_its_stated_columns_on_a_small_board(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(growth, "SPELL", 0.0)
    found = growth.measure(10, 6, 2000)
    assert (found["options"], found["nodes"]) == (sum(1 for _ in growth.rows(10, 6)), 2000)
    assert 0 <= found["first"] <= found["searched"]
    assert growth.compiled(10, 6)["compiled"] > 0


@pytest.mark.parametrize("name", placing.BOARDS)
def test_plain_loops_find_the_placements_and_options_that_puzzlec_makes(name: str) -> None:
    puzzle = placing.board(name, side=7)
    fitting = place(puzzle)
    found = [list(piece.placements) for piece in fitting.pieces]
    assert sum(map(len, found)) > 1000
    for plain in (placing.plain_placements(puzzle), placing.packed_placements(puzzle)):
        assert list(map(sorted, plain)) == list(map(sorted, found))
    starts, items = placing.plain_options(fitting)
    cover = encode(fitting).cover
    assert (starts, items) == (cover.starts, cover.items)


def test_a_row_has_the_cost_of_placing_with_the_ratios() -> None:
    line = placing.measured("hexiamonds in a rhombus", runs=1, side=6)
    assert line.placements == sum(len(piece.placements) for piece in place(placing.board(line.board[:-8], 6)).pieces)
    assert len(line.place.seconds) == 3
    assert len(line.place.ratios) == len(line.encode.seconds) == 2
    cost = placing.Cost((3.0, 2.0, 0.5), (6.0, 4.0))
    assert placing.row("any", 1_000_000, cost) == "| any | 1,000,000 | 3.00 | 2.00 | 0.50 | 2.0 | 6.0 | 4.0 |"


def test_the_problems_of_first_solutions_are_those_of_their_titles() -> None:
    heptominoes = first.PROBLEMS["heptominoes"][1]()
    assert heptominoes.primary == 107 + 7 * 107
    assert first.PROBLEMS["hexominoes"][1]().primary == 60 + 15 * 24
    assert {heptominoes.starts[k + 1] - heptominoes.starts[k] for k in range(len(heptominoes))} == {8}
    blocks = first.PROBLEMS["blocks"][1]()
    assert (blocks.primary, blocks.secondary, len(blocks)) == (1, 15**3, 6 * 12 * 11 * 10)
    assert sum(n * n * n for n in range(1, 10)) == first.PROBLEMS["partridge"][1]().primary - 9
    assert not covers(first.squares(2))
    some, other = (first.shuffled("edges-7", seed) for seed in (0, 1))
    assert sorted(map(some.row, range(len(some)))) == sorted(map(other.row, range(len(other))))
    assert some.arrays.items != other.arrays.items


@pytest.mark.parametrize("column", first.WAYS)
def test_a_program_that_is_asked_for_a_first_solution_finds_one_if_there_is_one(column: str) -> None:
    if column in first.LIBRARIES:
        pytest.importorskip(first.LIBRARIES[column])
    assert first.WAYS[column](tiles(4, 4, I2))
    assert not first.WAYS[column](tiles(3, 3, I2))


def test_a_median_at_the_limit_is_a_bound_and_needs_no_more_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[float] = []

    def measured(column: str, name: str, seed: int, limit: float, peers: Path | None) -> float:
        taken.append([1.0, 10.0, 3.0, 10.0, 10.0][seed])
        return taken[-1]

    monkeypatch.setattr(first, "measure", measured)
    assert first.cell("puzzlec", "edges-7", 3, 10.0, None) == "3.0"
    assert first.cell("puzzlec", "edges-7", 4, 10.0, None) == "6.5"
    assert first.cell("puzzlec", "edges-7", 5, 10.0, None) == "> 10"
    taken.clear()
    assert first.cell("puzzlec", "edges-7", 2, 1.0, None) == "> 1"
    assert len(taken) == 2
    assert first.cell("SSXCC", "partridge", 5, 10.0, None) == "-"


def test_the_page_and_its_charts_follow_from_the_stored_measurements() -> None:
    found = all_tables.all_tables()
    page = tables.PAGE.read_text("utf-8")
    assert tables.page(page, found) == page, "run `python -m tests.tools.bench.all --write`"
    for path, text in {**chart.pictures(found), **chart.pages(found)}.items():
        assert path.read_text("utf-8") == text, "run `python -m tests.tools.bench.all --write`"
    assert sorted(tables.shown(page)) == sorted(found)
    figures = chart.figures(found["counting"])
    assert min(figures, key=lambda column: figures[column]) == "puzzlec-engine"


def test_the_text_of_the_chart_has_the_figures_of_its_bars() -> None:
    counting = all_tables.all_tables()["counting"]
    picture = chart.draw(counting)
    text = chart.described(counting)
    bars = re.findall(r'<text x="[\d.]+" y="\d+">(?:over )?([\d.]+)</text>', picture)
    assert re.findall(r"\d[\d.]*", text) == [str(len(bars)), *bars[:2]]
    assert (
        chart.with_description("![old](images/speed.svg) ![b](c.svg)", counting)
        == f"![{text}](images/speed.svg) ![b](c.svg)"
    )


def test_each_table_has_a_command_a_day_a_chart_and_what_was_not_measured() -> None:
    page = tables.PAGE.read_text("utf-8")
    found = all_tables.all_tables()
    for stored in found.values():
        module = stored.command.split()[0]
        assert (Path(tables.__file__).parent / f"{module}.py").exists()
        assert f"`python -m tests.tools.bench.{module}" in page.partition("## Conditions")[0]
        assert all(len(row) == len(stored.columns) for row in stored.rows)
        assert {*stored.chart.columns} <= {*stored.columns}
        assert (tables.PAGE.parent / stored.picture).exists()
        assert stored.missing
        assert date.fromisoformat(stored.date) > date(2026, 1, 1)
    assert len(re.findall(r"(?m)^\|[-:|]+\|$", page)) == len(found) + 2  # commands, programs


def test_stored_tables_are_the_same_after_writing_and_reading(tmp_path: Path) -> None:
    stored = tables.read()
    tables.write(stored, tmp_path / "tables.json")
    assert (tmp_path / "tables.json").read_text("utf-8") == tables.DATA.read_text("utf-8")


def test_a_measured_table_replaces_rows_and_keeps_the_columns_of_the_page() -> None:
    chart_of = tables.Chart("any", ("s",))
    stored = tables.Table(
        "any", "any", "2026-01-01", "once; x86_64, Linux.", "all", chart_of, ("a", "s"), (("x", "1"),)
    )
    output = "noise\n| a | more | s |\n|---|--:|--:|\n| y | 5 | 2 |\n"
    again = tables.renewed(stored, output, "2026-02-02", "arm64, Linux")
    assert (again.columns, again.rows, again.date) == (("a", "s"), (("y", "2"),), "2026-02-02")
    assert again.remark == "once; arm64, Linux."
    with pytest.raises(ValueError, match="printed no table with the columns a, s"):
        tables.renewed(stored, "| a | t |\n|---|---|\n| y | 2 |\n", "2026-02-02", "")


def test_a_column_of_a_program_that_is_no_longer_there_keeps_its_day(tmp_path: Path) -> None:
    chart_of = tables.Chart("any", ("s",), others=True)
    stored = tables.Table("any", "any", "2026-01-01", "once.", "all", chart_of, ("a", "s", "p"), (("x", "1", "7"),))
    output = "| a | s | q |\n|---|--:|--:|\n| x | 5 | 2 |\n"
    for day in ("2026-02-02", "2026-03-03"):
        stored = tables.renewed(stored, output, day, "")
        assert (stored.columns, stored.rows) == (("a", "s", "q", "p"), (("x", "5", "2", "7"),))
    tables.write({"any": stored}, tmp_path / "tables.json")
    (again,) = tables.read(tmp_path / "tables.json").values()
    assert again.conditions.startswith(
        "once. These figures were measured on 3 March 2026 by `python -m tests.tools.bench.any`. `p` was measured"
    )
    assert "`p` was measured on 1 January 2026. Not measured: all" in again.conditions
    cells = ("x", "1.0", "1.0", "1.0", "4.0", "2.0")
    names = ("", "puzzlec-engine", "puzzlec-count", "puzzlec-puzzle", "dlx1", "p")
    both = replace(stored, columns=names, rows=(cells,))
    assert tables.ratios({"counting": both, "slow": both}).column("fastest program") == ["dlx1", "dlx1"]
    other = tables.renewed(stored, output.replace("x", "y"), "2026-04-04", "")
    assert (other.columns, other.older) == (("a", "s", "q"), {})


def test_the_build_names_missing_sources_and_tools_and_makes_what_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    peer = build.Peer("x", "x", ("x.txt",), "https://example.org/x, version 1", (("cp", "x.txt", "{name}"),))
    assert build.lacking(peer, tmp_path) == f"missing sources in {tmp_path}/src/x: {peer.published}"
    (tmp_path / "src" / "x").mkdir(parents=True)
    assert build.lacking(peer, tmp_path).startswith("missing x.txt in ")
    (tmp_path / "src" / "x" / "x.txt").write_text("made")
    assert build.lacking(peer, tmp_path) == ""
    assert build.build(peer, tmp_path) == ""
    assert (tmp_path / "bin" / "x").read_text() == "made"
    assert sorted(path.name for path in (tmp_path / "src" / "x").iterdir()) == ["x.txt"]
    assert "no-such-tool" in build.lacking(replace(peer, commands=(("no-such-tool",),)), tmp_path)
    monkeypatch.setattr(build, "PEERS", (replace(peer, name="y", commands=(("cp", "none", "y"),)),))
    assert build.main([str(tmp_path)]) == 1


def test_the_build_names_each_program_of_the_benchmark_and_has_the_wrappers() -> None:
    others = {program.name for program in PROGRAMS} - {"dancing-links"}
    assert {peer.name for peer in build.PEERS} == {*others, "burrTxt"}
    words = " ".join(word for peer in build.PEERS for command in peer.commands for word in command)
    assert {f"{{wrappers}}/{path.name}" for path in build.WRAPPERS.iterdir()} <= {*words.split()}


@pytest.mark.long
def test_the_table_of_taking_apart_reads_both_programs_and_says_who_is_faster() -> None:
    assert taking_apart.counted("using assembler 0\n84 assemblies and 1 solutions found with 429 iterations") == 1
    assert taking_apart.counted("assembly 40: level 3, 37 moves\n1 of 84 assemblies comes apart, best level 3") == 1
    with pytest.raises(ValueError, match="no number"):
        taking_apart.counted("Segmentation fault")
    assert taking_apart.faster(0.1, 0.8) == "**BurrTools, 8.0 times**"
    assert taking_apart.warm("turns/two-bars")[1:] == (1, 1)
    seconds, apart, number = taking_apart.cubes(False, 4)
    assert (seconds > 0, apart, number) == (True, 2, 4)
    tests = taking_apart.turn_tests(1)
    assert (tests[False][0] < tests[True][0], tests[False][1] > tests[True][1] > 0) == (True, True)


def test_published_counts_far_beyond_a_search_agree_with_formulas() -> None:
    angles = [2 * math.cos(math.pi * k / 25) for k in range(1, 13)]
    kasteleyn = math.prod(a * a + b * b for a in angles for b in angles)
    assert far.PROBLEMS["dominoes"].count == pytest.approx(kasteleyn, rel=1e-9)


@pytest.mark.slow
def test_layers_find_a_published_count_far_beyond_a_search() -> None:
    assert far.measure("trominoes", 1 << 30)["states"] < 20_000_000


def test_a_count_that_stops_reports_its_layer() -> None:
    found = far.measure("pentominoes", 1 << 20)
    assert 1 < found["layer"] < found["layers"] < 100
    assert found["widest"] > 1000
    assert "layer" in far.measure("trominoes", 1 << 30, limit=0.0)


@pytest.mark.long
def test_layers_count_the_arrangements_of_double_six_dominoes() -> None:
    counter = double_six.Counter()
    for name, solutions in (("double-six", 20160), ("double-six-many", 839062)):
        puzzle = load(f"dominoes/{name}")
        assert isinstance(puzzle, Puzzle)
        board = np.zeros((7, 8), np.int64)
        for location in puzzle.locations:
            x, y = map(int, location.at)
            board[y, x] = int(location.colour or "")
        assert counter.solutions(board) == solutions
