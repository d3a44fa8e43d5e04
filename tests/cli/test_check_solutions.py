"""`puzzlec check --solutions`: solutions from elsewhere, the errors of each, and the solutions that are kept."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

import puzzlec
from puzzlec.cli.texts.solutions import formatted
from puzzlec.ir import Fitting
from puzzlec.show.terminal.style import Style
from puzzlec.solving import judging
from puzzlec.solving.judging import Verdict, check_solutions
from tests.cli.test_manners_json import Ran, agrees
from tests.commands import command, run

NOTATIONS = ("jsonl", "list", "orientations", "locations")

#: Two bars in 3x2: one distinct solution, two raw ones.
BARS = 'puzzle "Two bars"\nlocations box 3x2\npiece A { xxx }\npiece B { xxx }\n'


#: A solution of this puzzle, as placements in JSON.
LAID = '[{"piece":"A","placement":0,"locations":[0,1,2]},{"piece":"B","placement":1,"locations":[3,4,5]}]'

#: A tile that may be rotated.
TILE = "colours r g b y\nlocations box 1x1\npiece A sides r g b y"


def written(puzzle: str, notation: str, raw: bool = False) -> str:
    solutions = puzzlec.solve(puzzle, symmetry="none" if raw else "all")
    return (
        "\n".join(formatted(solution, number, notation, Style()) for number, solution in enumerate(solutions, 1)) + "\n"
    )


@pytest.mark.parametrize("notation", NOTATIONS)
@pytest.mark.parametrize(
    "name",
    # copies with one name, empty locations, colours of sides, no geometry, sticks
    ["new/copies", "new/tiles", "queens/8", "dominoes/4x4", "polysticks/tetrasticks-4x4"],
)
def test_the_output_of_solve_is_valid_in_every_notation(name: str, notation: str, tmp_path: Path) -> None:
    file = tmp_path / "found"
    file.write_text(written(name, notation), encoding="utf-8")
    verdicts = list(check_solutions(name, str(file)))
    expected = list(puzzlec.solve(name))
    assert [verdict.reason for verdict in verdicts] == [""] * len(expected)
    if notation in ("jsonl", "orientations"):
        assert [verdict.solution for verdict in verdicts] == expected
    else:  # the same pieces on the same locations
        assert [verdict.solution.names_on for verdict in verdicts if verdict.solution] == [
            solution.names_on for solution in expected
        ]


@pytest.mark.parametrize("notation", NOTATIONS)
@pytest.mark.long
def test_the_crossing_filter_keeps_the_solutions_without_crossings(
    notation: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # D. E. Knuth, Dancing Links (2000): ten tetrasticks in 4x4 have 83 distinct solutions, or 91 if pieces may cross.
    found, kept = tmp_path / "found", tmp_path / "kept"
    found.write_text(written("polysticks/tetrasticks-4x4-crossing", notation), encoding="utf-8")
    status, shown, told = command(
        capsys, monkeypatch,
        "check", "polysticks/tetrasticks-4x4", str(found), "--save-valid", str(kept),
    )  # fmt: skip
    assert status == 1
    assert told.splitlines() == ["91 solutions: 83 right, 8 cross", "of the right ones: 83 distinct"]
    reasons = [line.split(": ", 1)[1] for line in shown.splitlines()]
    assert len(reasons) == 91
    assert reasons.count("right") == 83
    assert sum("two pieces cross at" in reason for reason in reasons) == 8
    verdicts = list(check_solutions("polysticks/tetrasticks-4x4", str(kept)))
    assert all(verdict.solution for verdict in verdicts)
    wanted = {solution.names_on for solution in puzzlec.solve("polysticks/tetrasticks-4x4", symmetry="none")}
    assert {verdict.solution.names_on for verdict in verdicts if verdict.solution} <= wanted
    # Kept solutions stay exactly as they were written.
    pieces = "\n\n" if notation == "list" else "\n"
    assert set(kept.read_text().strip().split(pieces)) < set(found.read_text().strip().split(pieces))


@pytest.mark.slow
def test_of_22965_solutions_with_crossings_72_have_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = tmp_path / "found"
    found.write_text(written("polysticks/tetrasticks-5x5-crossing", "orientations"), encoding="utf-8")
    status, _, told = command(capsys, monkeypatch, "check", "polysticks/tetrasticks-5x5", str(found))
    assert status == 1
    assert told.splitlines() == ["22965 solutions: 72 right, 22893 cross", "of the right ones: 72 distinct"]


def verdicts_of(text: str, tmp_path: Path, puzzle: str = BARS, notation: str | None = None) -> list[Verdict]:
    file = tmp_path / "found"
    file.write_text(text, encoding="utf-8")
    return list(check_solutions(puzzlec.parse(puzzle), str(file), format=notation))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("0 0", "a location is covered twice: 0,0, by A and B"),
        ("0,1 -", "piece A is used 2 times"),
        ("A: 0,0 1,0 2,0", "piece B is used 0 times"),
        ("A: 0,0 1,0 2,0\nB: 0,1 1,1", "piece B does not fit on 0,1 1,1"),
        ("A A B B B A", "piece A does not fit on 0,0 1,0 2,1"),
        ("A A A - - -", "piece B is used 0 times"),
        ('{"placements":[{"piece":"A","locations":[0,1,3]}]}', "piece A does not fit on 0,0 1,0 0,1"),
        ('{"locations":["B","B","B","A","A",null]}', "piece A does not fit on 0,1 1,1"),
        (
            '{"placements":[{"piece":"A","placement":1,"locations":[0,1,2]}]}',
            "piece A lies on 0,0 1,0 2,0, but by its number 1 on 0,1 1,1 2,1",
        ),
        (
            f'{{"placements":{LAID},"locations":["B","B","B","A","A","A"]}}',
            "`locations` has B on 0,0, but the placements have A",
        ),
        (
            f'{{"placements":{LAID},"locations":["A","A","A","B","B",null]}}',
            "`locations` has nothing on 2,1, but the placements have B",
        ),
    ],
)
def test_errors_are_reported(text: str, reason: str, tmp_path: Path) -> None:
    (verdict,) = verdicts_of(text, tmp_path)
    assert (verdict.reason, verdict.solution) == (reason, None)


@pytest.mark.parametrize(
    ("puzzle", "text", "reason"),
    [
        ("locations box 4x1\npiece D x0..2 { xx }", "D: 0,0 1,0", "a location is not covered: 2,0"),
        ("locations { xx? }\nempty 1\npiece I x0..1 { xx }\npiece M x0..1 { x }", "M: 0,0",
         "a location is not covered: 1,0"),
        ("locations { xx? }\nempty 0\npiece I { xx }\npiece M x0..1 { x }", "I: 0,0 1,0", "1 locations stay empty"),
        ("locations box 2x2\npiece I x2 { xx }\nfix I at cells (0,0) (1,0)", "I I I I", ""),
        ("locations box 2x2\npiece I x2 { xx }\nfix I at cells (0,0) (1,0)", "I: 0,0 0,1\nI: 1,0 1,1",
         "piece I does not fit on 0,0 0,1"),
        ("colours r g b y\nlocations box 2x1\npiece A sides r g b y\npiece B sides b y r r",
         "A: 0,0 sides r g b y\nB: 1,0 sides b y r r",
         "g meets r"),
        (TILE, '{"placements":[{"piece":"A","locations":[0],"sides":["r","g","b","y"],"placement":0}]}', ""),
        (TILE, '{"placements":[{"piece":"A","locations":[0],"sides":["r","g","b","y"],"placement":1}]}',
         "piece A lies on 0,0 with sides r g b y, but by its number 1 on 0,0 with sides y r g b"),
    ],
)  # fmt: skip
def test_rules_of_all_kinds_are_checked(puzzle: str, text: str, reason: str, tmp_path: Path) -> None:
    (verdict,) = verdicts_of(text, tmp_path, f'puzzle "P"\n{puzzle}\n')
    assert verdict.reason == reason
    assert (verdict.solution is None) == bool(reason)


def test_copies_with_different_names_are_distinguished(tmp_path: Path) -> None:
    puzzle = 'puzzle "D"\nlocations box 40x40\npiece D x800 { xx }'
    (verdict,) = verdicts_of(" ".join(["D"] * 1600), tmp_path, puzzle)
    assert verdict.solution is not None
    assert len(verdict.solution.placements) == 800


def test_pieces_with_one_name_share_its_reports(tmp_path: Path) -> None:
    fitting = puzzlec.compile(puzzlec.parse(BARS), stage="fitting")
    pieces = tuple(type(piece)(piece.placements, piece.low, piece.high, piece.sides, "A") for piece in fitting.pieces)
    both = Fitting(fitting.locations, pieces, names=fitting.names)
    file = tmp_path / "found"
    for text in ("A A A A A A", "A: 0,0 1,0 2,0\nA: 0,1 1,1 2,1"):
        file.write_text(text)
        (verdict,) = check_solutions(both, str(file))
        assert verdict.solution is not None
        assert sorted(placement.number for placement in verdict.solution.placements) == [0, 1]


def test_all_raw_solutions_have_the_known_number_of_distinct_ones(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = tmp_path / "found"
    found.write_text(written("pentominoes/3x20", "locations", raw=True))
    status, _, told = command(capsys, monkeypatch, "check", "pentominoes/3x20", str(found))
    assert (status, told.splitlines()) == (0, ["8 solutions: 8 right", "of the right ones: 2 distinct"])


def test_the_summary_counts_distinct_and_repeated_solutions(tmp_path: Path) -> None:
    (tmp_path / "bars.puzzle").write_text(BARS)
    done = run("check", "bars.puzzle", "-", stdin="0 1\n# a remark\n1 0\n\n0 1\n0 0\n", cwd=tmp_path)
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        "solution 1, line 1: right",
        "solution 2, line 3: right",
        "solution 3, line 5: right, but repeated",
        "solution 4, line 6: a location is covered twice: 0,0, by A and B",
    ]
    assert done.stderr.splitlines() == [
        "4 solutions: 3 right, 1 covers a location twice",
        "of the right ones: 1 distinct, 1 repeated",
    ]


def test_other_programs_get_a_line_for_each_error_or_an_object_for_each_solution(tmp_path: Path) -> None:
    (tmp_path / "bars.puzzle").write_text(BARS)
    concise = run("check", "bars.puzzle", "-", "--concise", stdin="0 1\n  0 0\n", cwd=tmp_path)
    assert (concise.returncode, concise.stderr) == (1, "")
    assert concise.stdout == "<stdin>:2:3: a location is covered twice: 0,0, by A and B\n"
    done = run("check", "bars.puzzle", "-", "--json", stdin="0 1\n0 0\n0 1\n", cwd=tmp_path)
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(answer["right"], answer["repeated"], answer["line"]) for answer in told] == [
        (True, False, 1),
        (False, False, 2),
        (True, True, 3),
    ]
    assert [answer["reason"] for answer in told] == [None, "a location is covered twice: 0,0, by A and B", None]


def test_programs_get_the_sum_as_an_object_on_standard_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bars.puzzle").write_text(BARS)
    (tmp_path / "found").write_text(
        f'{{"placements":{LAID}}}\n' * 2 + '{"locations":["B","B","B","A","A","A"]}\n{"placements":[]}\n[]\n'
    )
    monkeypatch.chdir(tmp_path)
    ran = Ran(capsys, monkeypatch, "check bars.puzzle found")
    first, second = ran.said
    assert first.pop("remark") == "5 solutions: 3 right, 1 cannot be read, 1 uses a piece too often or too seldom"
    agrees(first, "judgement")
    assert first == {
        "solutions": 5,
        "right": 3,
        "wrong": {"use a piece too often or too seldom": 1, "cannot be read": 1},
        "distinct": 1,
        "repeated": 1,
        "unclear": 0,
    }
    assert second == {"remark": "of the right ones: 1 distinct, 1 repeated"}
    assert Ran(capsys, monkeypatch, "check bars.puzzle --quiet found").said == []


def test_no_file_is_overwritten_without_force(tmp_path: Path) -> None:
    (tmp_path / "bars.puzzle").write_text(BARS)
    kept = tmp_path / "kept"
    kept.write_text("precious")
    words = ("check", "bars.puzzle", "-", "--save-valid", "kept")
    done = run(*words, stdin="0 1\n0 0\n", cwd=tmp_path)
    assert (done.returncode, kept.read_text()) == (1, "precious")
    assert "PZ005" in done.stderr
    done = run(*words, "--force", stdin="0 1\n0 0\n", cwd=tmp_path)
    assert (done.returncode, kept.read_text()) == (1, "0 1\n")
    # A file with an error leaves no output, and existing files unchanged.
    done = run(*words, "--force", stdin="what is this\n", cwd=tmp_path)
    assert (done.returncode, kept.read_text()) == (1, "0 1\n")
    kept.unlink()
    assert run(*words, stdin="what is this\n", cwd=tmp_path).returncode == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bars.puzzle"]


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("0 1\n0 5\n3 1\n", ["PZ606 2:3", "PZ606 3:1"]),
        ("0 1\n0 1 1\n", ["PZ605 2:1"]),
        ("0 1 1\n0 1\n", ["PZ605 1:1"]),
        ("this is a remark of another program\n0 1\n", ["PZ605 1:1"]),
        ("0 1\nx 1\n", ["PZ606 2:1"]),
        ("A A A B B B\nA A A C B B\n", ["PZ603 2:7"]),
        ("A: 0,0 1,0 2,0\nC: 0,1 1,1 2,1\n", ["PZ603 2:1"]),
        ("A: 0,0 1,0 9,0\nB: 0,1 1,1 2,1\n", ["PZ604 1:12"]),
        ("A: 0,0 1,0 2,0\nnonsense\n", ["PZ602 2:1"]),
        ('{"solution":1,"placements":[]}\n{"solution":2\n', ["PZ602 2:14"]),
        ('{"placements":[{"piece":"C","placement":0}]}', ["PZ603 1:1"]),
        ('{"placements":[{"piece":"A","placement":9}]}', ["PZ606 1:1"]),
        ('{"placements":[{"piece":"A","locations":[0,1,9]}]}', ["PZ604 1:1"]),
        ('{"placements":[{"piece":"A","locations":["0,0","x"]}]}', ["PZ604 1:1"]),
        ('{"placements":[{"piece":"A","placement":-1}]}', ["PZ602 1:1"]),
        ('{"placements":[{"piece":"A","placement":true}]}', ["PZ602 1:1"]),
        ('{"placements":7}', ["PZ602 1:1"]),
        ('{"locations":["A"]}', ["PZ605 1:1"]),
        ('{"placements":[{"piece":"A","placement":9,"locations":[0,1,2]}]}', ["PZ606 1:1"]),
        (f'{{"placements":{LAID},"locations":["A"]}}', ["PZ605 1:1"]),
        (f'{{"placements":{LAID},"locations":["A","A","A","C","C","C"]}}', ["PZ603 1:1"]),
        (f'{{"placements":{LAID},"locations":"A A A B B B"}}', ["PZ602 1:1"]),
        ('{"placements":7,"locations":["A","A","A","B","B","B"]}', ["PZ602 1:1"]),
        (f'{{"placements":[],"placements":{LAID}}}', ["PZ602 1:1"]),
        ('{"placements":[{"piece":"B","piece":"A","placement":0}]}', ["PZ602 1:1"]),
    ],
)
def test_what_cannot_be_read_is_wrong_with_its_places(text: str, faults: list[str], tmp_path: Path) -> None:
    verdicts = verdicts_of(text, tmp_path)
    places = [f"{fault.code} {str(fault.span).split('found:')[-1]}" for v in verdicts for fault in v.claim.faults]
    assert places == faults
    assert all(not v.solution and v.reason == v.claim.faults[0].message for v in verdicts if v.claim.faults)


@pytest.mark.parametrize(("text", "fault"), [("what is this\n", "PZ601 1:1"), ("# nothing but a remark\n", "PZ003 ")])
def test_a_file_without_solutions_is_refused(text: str, fault: str, tmp_path: Path) -> None:
    with pytest.raises(puzzlec.PuzzleError) as caught:
        verdicts_of(text, tmp_path)
    (only,) = caught.value.diagnostics
    assert f"{only.code} {str(only.span).split('found:')[-1] if only.span else ''}" == fault


def test_repeated_facts_that_agree_are_right(tmp_path: Path) -> None:
    names = '"locations":["A","A","A","B","B","B"]'
    lines = (
        f'{{"placements":{LAID},{names}}}',
        f'{{"placements":{LAID},"locations":null}}',
        f'{{"placements":null,{names}}}',
    )
    assert [verdict.reason for verdict in verdicts_of("\n".join(lines), tmp_path)] == ["", "", ""]


#: Four places, all of which may stay empty: 1 + 4 + 2 solutions with none, one and two dominoes.
NO_NEED = 'puzzle "N"\noptional locations box 2x2\npiece D x0..2 { xx }\n'


@pytest.mark.parametrize("notation", NOTATIONS)
def test_the_empty_solution_is_one_in_every_notation(notation: str, tmp_path: Path) -> None:
    solutions = sorted(
        puzzlec.solve(puzzlec.parse(NO_NEED), symmetry="none"), key=lambda solution: len(solution.placements)
    )
    assert [len(solution.placements) for solution in solutions] == [0, 1, 1, 1, 1, 2, 2]
    text = "\n".join(formatted(solution, number, notation, Style()) for number, solution in enumerate(solutions, 1))
    for order in (text, "\n".join(reversed(text.split("\n")))):
        verdicts = verdicts_of(order, tmp_path, NO_NEED)
        assert sum(verdict.solution is not None for verdict in verdicts) == 7
        assert sum(verdict.solution is not None and not verdict.solution.placements for verdict in verdicts) == 1


@pytest.mark.parametrize(
    ("puzzle", "notation"),
    [
        (NO_NEED, "orientations"),
        ('puzzle "N"\noptional locations box 1x1\npiece D x0..1 { x }\npiece E x0..1 { x }', "locations"),
        (NO_NEED + "piece E x0..1 { x }", "list"),
    ],
)
def test_a_file_with_the_empty_solution_alone_is_read(puzzle: str, notation: str, tmp_path: Path) -> None:
    (verdict,) = verdicts_of("-\n", tmp_path, puzzle)
    assert verdict.solution is not None
    assert (verdict.reason, verdict.solution.placements) == ("", ())
    assert formatted(verdict.solution, 1, notation, Style()).strip() == "-"
    if notation == "locations":
        assert [answer.reason for answer in verdicts_of("D\n-\n", tmp_path, puzzle)] == ["", ""]
    if notation == "list":
        assert [answer.reason for answer in verdicts_of("-\n-\n", tmp_path, puzzle)] == [
            "expected a piece, a colon and its locations"
        ]


def test_a_line_that_cannot_be_read_does_not_hide_the_others(tmp_path: Path) -> None:
    (tmp_path / "bars.puzzle").write_text(BARS)
    words = ("check", "bars.puzzle", "-")
    done = run(*words, "--save-valid", "kept", stdin="0 1\n0 7\n0 0\n1 0\n", cwd=tmp_path)
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        "solution 1, line 1: right",
        "solution 2, line 2: cannot be read (PZ606)",
        "solution 3, line 3: a location is covered twice: 0,0, by A and B",
        "solution 4, line 4: right",
    ]
    assert done.stderr.splitlines()[:2] == [
        "error[PZ606]: unknown placement 7 of piece `B` (numbered from 0)",
        " --> <stdin>:2:3",
    ]
    assert "4 solutions: 2 right, 1 cannot be read, 1 covers a location twice" in done.stderr
    assert (tmp_path / "kept").read_text() == "0 1\n1 0\n"
    done = run(*words, "--concise", stdin="0 1\n0 7\n", cwd=tmp_path)
    assert done.stdout == "<stdin>:2:3: error[PZ606]: unknown placement 7 of piece `B` (numbered from 0)\n"
    done = run(*words, "--json", stdin="0 1\n0 7\n", cwd=tmp_path)
    _, wrong = map(json.loads, done.stdout.splitlines())
    assert (wrong["right"], wrong["line"], wrong["faults"][0]["code"]) == (False, 2, "PZ606")


@pytest.mark.parametrize("format", ["concise", "json"])
def test_faults_of_the_whole_file_are_reported_in_the_format(
    format: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "found").write_text("what is this\n")
    words = ("check", "soma", str(tmp_path / "found"), f"--{format}")
    status, shown, told = command(capsys, monkeypatch, *words)
    assert (status, told) == (1, "")
    assert "PZ611" in shown
    assert format == "concise" or json.loads(shown)["code"] == "PZ611"


#: Two dominoes on a square of four lie in one of two ways, which names alone do not tell.
DOMINOES = 'puzzle "D"\nlocations box 2x2\npiece D x2 { xx }\n'


def test_copies_that_are_not_distinguished_are_neither_distinct_nor_repeated(tmp_path: Path) -> None:
    (tmp_path / "d.puzzle").write_text(DOMINOES)
    done = run("solve", "d.puzzle", "--all", "--raw", "--to", "locations", cwd=tmp_path)
    assert done.stdout == "D D D D\nD D D D\n"
    lost = "this notation does not distinguish copies: `--to list` does"
    assert done.stderr.count(lost) == 1
    judged = run("check", "d.puzzle", "-", stdin=done.stdout, cwd=tmp_path)
    assert (judged.returncode, judged.stdout) == (0, "solution 1, line 1: right\nsolution 2, line 2: right\n")
    assert judged.stderr.splitlines() == [
        "2 solutions: 2 right",
        "of the right ones: 2 not known: this notation does not distinguish copies",
    ]
    told = run("check", "d.puzzle", "-", "--json", stdin=done.stdout, cwd=tmp_path)
    assert [json.loads(line)["repeated"] for line in told.stdout.splitlines()] == [None, None]


def test_a_solution_is_one_of_several_if_not_all_ways_to_read_it_were_tried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for tried in (2, 3):  # the first way only, and both
        monkeypatch.setattr(judging, "MAX_PLACEMENTS_TRIED", tried)
        (of_two,) = verdicts_of("D D D D\n", tmp_path, DOMINOES)
        (of_one,) = verdicts_of("D D D D\n", tmp_path, DOMINOES.replace("2x2", "4x1"))
        assert (of_two.several, of_one.several) == (True, False)


def test_nothing_is_lost_if_copies_are_distinguished(tmp_path: Path) -> None:
    (tmp_path / "d.puzzle").write_text(DOMINOES)
    assert "told apart" not in run("solve", "d.puzzle", "--to", "list", cwd=tmp_path).stderr
    assert "told apart" not in run("solve", "soma", "--to", "locations").stderr
    # copies that do not touch are distinct: their cells can be cut in one way only
    puzzle = 'puzzle "D"\nlocations { xx.xx }\npiece D x2 { xx }'
    one, two = verdicts_of("D D D D\nD D D D\n", tmp_path, puzzle)
    assert not one.several
    assert one.solution == two.solution


def test_a_check_takes_the_notation_in_which_numbers_are_a_solution(tmp_path: Path) -> None:
    puzzle = 'puzzle "N"\nlattice none\nlocations names a b\npiece 0 covers { a } { b }\npiece 1 covers { a } { b }'
    (tmp_path / "n.puzzle").write_text(puzzle)
    done = run("check", "n.puzzle", "-", cwd=tmp_path, stdin="1 0\n")
    assert (done.returncode, done.stdout) == (0, "solution 1, line 1: right\n")
    done = run("check", "n.puzzle", "-", cwd=tmp_path, stdin="1 1\n")
    assert (done.returncode, done.stdout) == (1, "")
    assert "PZ611" in done.stderr


def test_the_notation_can_be_given_if_it_cannot_be_detected(tmp_path: Path) -> None:
    puzzle = 'puzzle "N"\nlattice none\nlocations names a b\npiece 0 covers { a } { b }\npiece 1 covers { a } { b }'
    with pytest.raises(puzzlec.PuzzleError, match="PZ607"):
        verdicts_of("1 0", tmp_path, puzzle)
    (by_number,) = verdicts_of("1 0", tmp_path, puzzle, "orientations")
    (by_place,) = verdicts_of("1 0", tmp_path, puzzle, "locations")
    assert by_number.solution is not None
    assert by_number.solution == by_place.solution
    assert by_number.solution.orientations == ((1,), (0,))
    with pytest.raises(ValueError, match="unknown notation 'morse'"):
        verdicts_of("1 0", tmp_path, puzzle, "morse")


@pytest.mark.parametrize(
    "words",
    [
        ("soma", "--save-valid", "x"),
        ("soma", "--solutions-from", "list"),
        ("soma", "-", "--solutions-from", "morse"),
        ("soma", "-", "--to", "list", "--save-valid", "x"),
        ("soma", "--json", "--concise"),
    ],
)
def test_options_that_make_no_sense_are_a_wrong_use(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    status, shown, _ = command(capsys, monkeypatch, "check", *words)
    assert (status, shown) == (2, "")


def test_no_text_whatever_ends_in_a_traceback(tmp_path: Path) -> None:
    draw = random.Random(5)
    words = [
        "A",
        "B",
        "A:",
        "0,0",
        "1,0",
        "0",
        "1",
        "7",
        "-",
        "0,1",
        "{",
        "}",
        '"piece"',
        ":",
        "[",
        "]",
        "#",
        "sides",
        "é",
    ]
    for _ in range(150):
        text = "".join(draw.choice([*words, "\n"]) + draw.choice([" ", " ", ""]) for _ in range(draw.randint(1, 25)))
        try:
            verdicts = verdicts_of(text, tmp_path)
        except puzzlec.PuzzleError as error:
            assert error.diagnostics
        else:
            assert all(bool(verdict.reason) == (verdict.solution is None) for verdict in verdicts)
