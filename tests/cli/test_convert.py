"""``puzzlec convert`` and ``puzzlec list formats``: files by their names, streams, compressed files, choices."""

from __future__ import annotations

import gzip
import io
import json
import re
from pathlib import Path

import pytest

from puzzlec.cli.terminal import ExitStatus
from puzzlec.formats.registry import FORMATS, WRITERS
from tests.commands import command

Capture = pytest.CaptureFixture[str]
Patch = pytest.MonkeyPatch


def test_formats_are_listed_with_their_uses(capsys: Capture, monkeypatch: Patch) -> None:
    status, out, _ = command(capsys, monkeypatch, "list", "formats")
    assert status == 0
    rows = {line.split()[0]: line.split() for line in out.splitlines()[1:]}
    assert rows.keys() == FORMATS.keys() | WRITERS.keys()
    for name, row in rows.items():
        assert (row[1] == "yes", row[2] == "yes") == (name in FORMATS, name in WRITERS)
    status, out, _ = command(capsys, monkeypatch, "list", "formats", "--json")
    assert {row["name"]: row["read"] for row in map(json.loads, out.splitlines())} == {
        name: name in FORMATS for name in rows
    }


def test_extensions_select_the_formats_and_gz_compresses(tmp_path: Path, capsys: Capture, monkeypatch: Patch) -> None:
    monkeypatch.chdir(tmp_path)
    for step in (("soma", "a.dlx"), ("a.dlx", "b.rows"), ("soma", "c.dlx.gz"), ("c.dlx.gz", "d.dlx")):
        assert command(capsys, monkeypatch, "convert", *step) == (0, "", "")
    text = Path("a.dlx").read_bytes()
    assert gzip.decompress(Path("c.dlx.gz").read_bytes()) == text
    assert Path("d.dlx").read_bytes() == text
    packed = Path("c.dlx.gz").read_bytes()
    command(capsys, monkeypatch, "convert", "soma", "c.dlx.gz", "--force")
    assert Path("c.dlx.gz").read_bytes() == packed, "it contains neither the time nor the name of a file"
    for name in ("a.dlx", "b.rows", "c.dlx.gz"):
        assert command(capsys, monkeypatch, "count", name)[:2] == (0, "11520\n"), name


def test_texts_go_through_pipes(tmp_path: Path, capsys: Capture, monkeypatch: Patch) -> None:
    text = command(capsys, monkeypatch, "convert", "soma", "--to", "dlx")[1]

    class Pipe:
        buffer = io.BytesIO(text.encode())

    monkeypatch.setattr("sys.stdin", Pipe)
    status, out, _ = command(capsys, monkeypatch, "convert", "-", "--to", "dpf")
    assert status == 0
    assert out == command(capsys, monkeypatch, "convert", "soma", "--to", "dpf")[1]


def test_a_refusal_leaves_no_file_and_names_the_impossible_part(
    tmp_path: Path, capsys: Capture, monkeypatch: Patch
) -> None:
    monkeypatch.chdir(tmp_path)
    for target in ("a.dpf", "a.compact", "a.xmpuzzle"):
        status, out, err = command(capsys, monkeypatch, "convert", "new/tiles", target)
        assert (status, out) == (ExitStatus.FAULTY, "")
        assert "PZ501" in err
    assert not list(tmp_path.iterdir())


def test_an_existing_file_survives_a_refusal(tmp_path: Path, capsys: Capture, monkeypatch: Patch) -> None:
    target = tmp_path / "a.dpf"
    target.write_text("mine")
    assert command(capsys, monkeypatch, "convert", "soma", str(target))[0] == ExitStatus.FAULTY
    assert command(capsys, monkeypatch, "convert", "new/tiles", str(target), "--force")[0] == ExitStatus.FAULTY
    assert target.read_text() == "mine"
    assert command(capsys, monkeypatch, "convert", "soma", str(target), "--force")[0] == 0
    assert target.read_text().startswith("27\n7\n")


def test_a_puzzle_is_lowered_first_on_request(tmp_path: Path, capsys: Capture, monkeypatch: Patch) -> None:
    stages = {}
    for stage in ("puzzle", "fitting", "cover"):
        stages[stage] = json.loads(command(capsys, monkeypatch, "convert", "soma", "--to", "json", "--stage", stage)[1])
    assert [made["stage"] for made in stages.values()] == list(stages)
    target = tmp_path / "a.dlx"
    command(capsys, monkeypatch, "convert", "soma", str(target))
    status, _, err = command(capsys, monkeypatch, "convert", str(target), "--to", "json", "--stage", "puzzle")
    assert status == ExitStatus.USAGE
    assert "--stage" in err


def test_clauses_are_written_in_the_requested_form(capsys: Capture, monkeypatch: Patch) -> None:
    sizes = {}
    for how in ("pairwise", "sequential", "auto"):
        status, out, _ = command(capsys, monkeypatch, "convert", "soma", "--to", "cnf", "--at-most-one", how)
        assert status == 0
        sizes[how] = out.count("\n")
    assert sizes["sequential"] < sizes["pairwise"]
    assert sizes["auto"] <= sizes["pairwise"]


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (("soma",), "--to"),
        (("soma", "--to", "cnf", "--stage", "fitting"), "--stage"),
        (("soma", "--to", "dpf", "--stage", "text"), "--stage"),
        (("soma", "--to", "cnf", "--at-most-one", "binary"), "--at-most-one"),
    ],
)
def test_a_wrong_choice_is_wrong_usage(
    words: tuple[str, ...], named: str, tmp_path: Path, capsys: Capture, monkeypatch: Patch
) -> None:
    monkeypatch.chdir(tmp_path)
    status, out, err = command(capsys, monkeypatch, "convert", *words)
    assert (status, out) == (ExitStatus.USAGE, "")
    assert named in err


@pytest.mark.parametrize(
    ("words", "code", "help"),
    [
        (("soma", "a.xyz"), "PZ004", "add `--to` with a format of `puzzlec list formats`"),
        (("soma", "a"), "PZ004", "add `--to` with a format of `puzzlec list formats`"),
        (("soma", "--to", "minizinc"), "PZ004", "did you mean `mzn`?"),
        (("soma", "a.soma"), "PZ009", "choose another format of `puzzlec list formats`"),
        (("soma", "a.soma.gz"), "PZ009", "choose another format of `puzzlec list formats`"),
        (("soma", "--to", "Soma"), "PZ009", "choose another format of `puzzlec list formats`"),
    ],
)
def test_a_format_that_cannot_be_written_is_reported_in_one_style(
    words: tuple[str, ...], code: str, help: str, tmp_path: Path, capsys: Capture, monkeypatch: Patch
) -> None:
    monkeypatch.chdir(tmp_path)
    status, out, err = command(capsys, monkeypatch, "convert", *words)
    assert (status, out) == (ExitStatus.FAULTY, "")
    assert f"error[{code}]" in err
    assert help in err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(("limit", "said"), [("0", "0 is less than 1"), ("-3", "-3 is less than 1")])
def test_a_number_out_of_bounds_is_reported_with_the_bound(
    limit: str, said: str, capsys: Capture, monkeypatch: Patch
) -> None:
    status, out, err = command(capsys, monkeypatch, "count", "soma", f"--limit={limit}")
    assert (status, out) == (ExitStatus.USAGE, "")
    assert "--limit" in err
    assert said in err


def test_the_name_of_a_format_may_be_in_capitals(capsys: Capture, monkeypatch: Patch) -> None:
    assert command(capsys, monkeypatch, "convert", "soma", "--to", "CNF") == command(
        capsys, monkeypatch, "convert", "soma", "--to", "cnf"
    )


def test_lists_of_cells_keep_their_board_through_a_conversion(
    tmp_path: Path, capsys: Capture, monkeypatch: Patch
) -> None:
    monkeypatch.chdir(tmp_path)
    for target in ("a.cells", "a.polyform"):
        assert command(capsys, monkeypatch, "convert", "soma", target) == (0, "", "")
        status, out, _ = command(capsys, monkeypatch, "count", target)
        assert (status, out) == (0, "240\n")


def test_an_exact_cover_has_the_name_of_its_file_for_its_title(
    tmp_path: Path, capsys: Capture, monkeypatch: Patch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("pairs.dlx").write_text("a b\na b\na\nb\n")
    assert '"pairs"' in command(capsys, monkeypatch, "explain", "pairs.dlx")[1].splitlines()[0]
    assert command(capsys, monkeypatch, "convert", "pairs.dlx", "--to", "puzzle")[1].startswith('puzzle "pairs"\n')
    for step in (("pairs.dlx", "a.json"), ("a.json", "b.dlx"), ("a.json", "c.json")):
        assert command(capsys, monkeypatch, "convert", *step) == (0, "", "")
    assert '"title": "pairs"' in Path("a.json").read_text()
    assert Path("c.json").read_bytes() == Path("a.json").read_bytes(), "the names of intermediate files leave no trace"


def test_a_refusal_names_the_command_that_lists_the_formats_for_a_puzzle(capsys: Capture, monkeypatch: Patch) -> None:
    status, _, err = command(capsys, monkeypatch, "convert", "new/hex", "--to", "compact")
    assert status == ExitStatus.FAULTY
    assert err.count("`puzzlec list formats new/hex` lists the formats that can store it") == 1


def test_a_format_with_one_puzzle_takes_no_problem(capsys: Capture, monkeypatch: Patch) -> None:
    status, _, err = command(capsys, monkeypatch, "count", "soma", "--problem", "2")
    assert status == ExitStatus.FAULTY
    assert "contains one puzzle" in err


def test_exact_covers_with_colours_are_solved_counted_and_drawn_as_options(
    tmp_path: Path, capsys: Capture, monkeypatch: Patch
) -> None:
    # TAOCP 7.2.2.1, (49): primary items p, q, r, secondary items x, y, and one solution
    path = tmp_path / "xcc.dlx"
    path.write_text("p q r | x y\np q x y:A\np r x:A y\np x:B\nq x:A\nr y:B\n")
    assert command(capsys, monkeypatch, "count", str(path))[:2] == (0, "1\n")
    assert command(capsys, monkeypatch, "solve", str(path))[:2] == (0, "1: p r x:A y\n3: q x:A\n")
    assert command(capsys, monkeypatch, "check", str(path))[0] == 0
    status, _, err = command(capsys, monkeypatch, "convert", str(path), "--to", "dpf")
    assert status == ExitStatus.FAULTY
    assert "item `x` has one in option 1" in err or "item `y` has one in option 1" in err


def test_errors_of_a_puzzle_are_reported_before_limits_of_a_format(
    tmp_path: Path, capsys: Capture, monkeypatch: Patch
) -> None:
    path = tmp_path / "a.puzzle"
    path.write_text("lattice cubic\nlocations { xx?/xxx }\nempty 1\npiece A x3 { xxx/x.. }\n")
    status, _, err = command(capsys, monkeypatch, "convert", str(path), "--to", "xmpuzzle")
    assert status == ExitStatus.FAULTY
    assert re.findall(r"error\[(PZ\d+)\]", err) == ["PZ401", "PZ501"]
    assert "pieces are larger than the board" in err


def test_a_refusal_names_the_file_and_not_the_title(tmp_path: Path, capsys: Capture, monkeypatch: Patch) -> None:
    status, _, err = command(capsys, monkeypatch, "convert", "queens/8", "--to", "compact")
    assert status == ExitStatus.FAULTY
    assert re.search(r"--> \S*queens/8\.puzzle:\d+:1\n", err)
    path = tmp_path / "two.dpf"
    path.write_text("2 1\n1 2 0 1\n")
    _, _, err = command(capsys, monkeypatch, "convert", str(path), "--to", "compact")
    assert f"--> {path}\n" in err


@pytest.mark.parametrize(
    ("words", "help"),
    [
        (("--to", "pdf"), "`puzzlec draw soma -o soma.pdf`"),
        (("-o", "x.png"), "`puzzlec draw soma -o x.png`"),
        (("--to", "html"), "`puzzlec view soma -o soma.html`"),
        (("x.stl",), "`puzzlec model soma -o x.stl`"),
        (("x.dxf",), "`puzzlec model soma -o x.dxf`"),
    ],
)
def test_a_picture_or_model_is_refused_with_the_command_that_writes_it(
    words: tuple[str, ...], help: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    status, _, errors = command(capsys, monkeypatch, "convert", "soma", *words)
    assert status == 1
    assert "error[PZ004]" in errors
    assert f"help: {help}" in errors
