"""`--json`: each command prints the objects of docs/json.md, one a line, and errors as JSON."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from puzzlec.cli.commands import COMMANDS, made_command
from tests.commands import command

PAGE = Path(__file__).parents[2] / "docs" / "json.md"
TYPES: dict[str, tuple[type, ...]] = {
    "text": (str,),
    "integer": (int,),
    "number": (int, float),
    "true or false": (bool,),
    "list": (list,),
    "object": (dict,),
    "null": (type(None),),
}
#: Commands whose result is for people, or is a file for another program.
WITHOUT = {"completion", "lsp"}
UNTIDY = 'puzzle   "Two"\nlocations box 4x1\npiece D x2 {xx}\n'


def tables() -> dict[str, dict[str, str]]:
    """The members of each object, with their descriptions on the page."""
    found = re.findall(
        r"<!-- members: (\w+) -->\n\| member \| \|\n\|---\|---\|\n((?:\|.*\n)+)", PAGE.read_text("utf-8")
    )
    return {name: dict(re.findall(r"(?m)^\| `(\w+)` \| (.*) \|$", rows)) for name, rows in found}


def types(said: str) -> tuple[type, ...]:
    words = re.match(r"(?:true or false|text|integer|number|list|object)(?: or null)?", said)
    assert words, said
    name = words[0].removesuffix(" or null")
    return TYPES[name] + (TYPES["null"] if words[0].endswith("null") else ())


def agrees(what: dict[str, Any], name: str) -> None:
    """An object has exactly the members that the page lists, with their types."""
    table = tables()[name]
    for member, said in table.items():
        if member not in what:
            assert "optional" in said, f"{name}: {member} is missing"
            continue
        value = what[member]
        assert isinstance(value, types(said)), f"{name}: {member} is {value!r}"
        assert not isinstance(value, bool) or bool in types(said), f"{name}: {member} is {value!r}"
    assert set(what) <= set(table), f"{name}: the page lists no {set(what) - set(table)}"


class Ran:
    """The output of a command: objects on standard output, and on standard error."""

    def __init__(self, capsys: pytest.CaptureFixture[str], patch: pytest.MonkeyPatch, line: str) -> None:
        self.status, printed, said = command(capsys, patch, *line.split(), "--json")
        self.printed = list(map(json.loads, printed.splitlines()))
        self.said = list(map(json.loads, said.splitlines()))


@pytest.fixture
def untidy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "two.puzzle").write_text(UNTIDY)
    (tmp_path / "wrong.jsonl").write_text('{"locations": ["D", "D", "D", "D"]}\n')
    return tmp_path


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("solve two.puzzle --all", "solution"),
        ("solve soma --limit 2 --symmetry rotations --show-symmetry", "solution"),
        ("count two.puzzle", "count"),
        ("generate", "kind"),
        ("generate dominosa --size 2", "generated"),
        ("generate dominosa --size 2 -o grid.puzzle", "generated"),
        ("count two.puzzle --raw --limit 1", "count"),
        ("estimate two.puzzle", "estimate"),
        ("check two.puzzle wrong.jsonl", "judged"),
        ("explain two.puzzle", "explanation"),
        ("explain PZ301", "code"),
        ("explain", "code"),
        ("check two.puzzle", "faultless"),
        ("explain two.puzzle --stage cover", "stage"),
        ("list formats", "format"),
        ("list formats two.puzzle", "says"),
        ("list soma", "entry"),
        ("check --catalogue dominoes/4x4", "verified"),
        ("list shapes", "library"),
        ("list shapes polyominoes", "family"),
        ("list shapes tetrominoes", "shape"),
        ("list lattices", "lattice"),
        ("list lattices hex", "lattice"),
        ("convert two.puzzle two.dlx", "file"),
        ("convert two.puzzle two.cover --stage cover", "file"),
        ("draw two.puzzle -o two.svg", "file"),
        ("view two.puzzle -o two.html", "file"),
        ("play two.puzzle -o game.html", "file"),
        ("new latin mine.puzzle", "file"),
        ("new latin", "start"),
        ("fmt --check two.puzzle", "formatted"),
        ("fmt --diff two.puzzle", "formatted"),
        ("fmt two.puzzle", "formatted"),
    ],
)
def test_the_output_of_a_command_agrees_with_the_page(
    line: str, name: str, untidy: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = Ran(capsys, monkeypatch, line)
    assert ran.printed
    for printed in ran.printed:
        agrees(printed, name)


def test_sets_of_pieces_and_their_number_agree_with_the_page(
    untidy: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (untidy / "ranges.puzzle").write_text("locations box 4x1\npiece D x0..2 { xx }\npiece I x0..1 { xxxx }\n")
    *sets, last = Ran(capsys, monkeypatch, "sets ranges.puzzle").printed
    assert [record["pieces"] for record in sets] == [{"D": 2}, {"I": 1}]
    for record in sets:
        agrees(record, "set")
    agrees(last, "sets")


def test_counts_by_cost_and_their_sum_agree_with_the_page(
    untidy: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (untidy / "two.puzzle").write_text("locations box 3x2\npiece D x3 { xx }\ncost per box 2x1 = 3\n")
    *costs, last = Ran(capsys, monkeypatch, "count two.puzzle --cost all").printed
    assert len(costs) == 1
    agrees(costs[0], "costs")
    agrees(last, "count")


def test_clues_and_their_number_agree_with_the_page(
    untidy: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (untidy / "two.puzzle").write_text("locations box 3x2\npiece D x3 { xx }\n")
    *sets, last = Ran(capsys, monkeypatch, "clues two.puzzle --json").printed
    assert len(sets) == 1
    agrees(sets[0], "clued")
    agrees(last, "unique")


def test_assemblies_and_their_sum_agree_with_the_page(
    untidy: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = Ran(capsys, monkeypatch, "disassemble two.puzzle --all --together D")
    assert [printed.get("level") for printed in ran.printed] == ["0", None]
    agrees(ran.printed[0], "assembly")
    agrees(ran.printed[1], "assemblies")
    Ran(capsys, monkeypatch, "disassemble two.puzzle --checkpoint kept")
    (printed,) = Ran(capsys, monkeypatch, "job status kept").printed
    agrees(printed, "apart_status")


def test_stored_assemblies_agree_with_the_page(
    untidy: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    Ran(capsys, monkeypatch, "disassemble burrs/six-piece-6 -o with.xmpuzzle")
    text = (untidy / "with.xmpuzzle").read_text()
    begin, end = text.index("<separation>"), text.rindex("</separation>") + len("</separation>")
    numbers = "<separationInfo>2 0 0</separationInfo>"
    (untidy / "without.xmpuzzle").write_text(text[:begin] + numbers + text[end:])
    for name in ("with", "without"):
        (printed,) = Ran(capsys, monkeypatch, f"disassemble {name}.xmpuzzle --stored").printed
        agrees(printed, "stored")


def test_the_output_for_a_checkpoint_and_its_shards_agrees_with_the_page(
    untidy: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for line, name, number in (
        ("count two.puzzle --shard 1/2 --checkpoint one", "count", 1),
        ("job status one", "status", 1),
        ("job merge one", "merge", 1),
        ("job resume one", "count", 1),
        ("solve two.puzzle --all --checkpoint all", "solution", 1),
        ("solutions all", "solutions", 1),
        ("solutions all --limit 1", "solution", 1),
        ("solutions all -o all.jsonl", "file", 1),
    ):
        ran = Ran(capsys, monkeypatch, line)
        assert len(ran.printed) == number, line
        for printed in ran.printed:
            agrees(printed, name)


def test_every_command_with_results_for_programs_has_the_option() -> None:
    having = {name for name in COMMANDS if any("--json" in param.opts for param in made_command(name).params)}
    assert set(COMMANDS) - having == WITHOUT
    words = ", ".join(f"`{word}`" for word in sorted(WITHOUT)[:-1]) + f" and `{max(WITHOUT)}`"
    assert f"All commands have this option, except {words}" in " ".join(PAGE.read_text("utf-8").split())


def test_the_option_is_short_for_the_format_that_was_there_before(
    untidy: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, short, _ = command(capsys, monkeypatch, "solve", "soma", "--json")
    assert short == command(capsys, monkeypatch, "solve", "soma", "--to", "jsonl")[1]
    status, _, said = command(capsys, monkeypatch, "solve", "soma", "--json", "--to", "list")
    assert (status, json.loads(said)["message"]) == (
        2, "invalid value for --json: not available with --to: it is short for `--to jsonl`",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("line", "status", "code", "message"),
    [
        ("solve nothing-like-it", 1, "PZ006", "unknown file or puzzle"),
        ("count two.puzzle --frobnicate", 2, None, "no such option: --frobnicate"),
        ("count two.puzzle --kernel abacus", 2, None, ", found `abacus`"),
        ("count two.puzzle --quiet --verbose", 2, None, "not both"),
        ("convert two.puzzle", 2, None, "it needs -o or OUT"),
        ("job status nowhere", 1, "PZ620", "there is no folder"),
    ],
)
def test_errors_are_diagnostics_on_standard_error(
    line: str, status: int, code: str | None, message: str,
    untidy: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    ran = Ran(capsys, monkeypatch, line)
    assert (ran.status, ran.printed) == (status, [])
    (fault,) = ran.said
    agrees(fault, "diagnostic")
    assert (fault["code"], fault["severity"]) == (code, "error")
    assert message in fault["message"]


def test_the_errors_of_check_are_its_result(
    untidy: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (untidy / "bad.puzzle").write_text("locations box 4x1\npieces pentominos\n")
    ran = Ran(capsys, monkeypatch, "check bad.puzzle")
    assert (ran.status, ran.said) == (1, [])
    for printed in ran.printed:
        agrees(printed, "diagnostic")
    assert ran.printed[0]["span"]["start"] == {"line": 2, "column": 8, "offset": 25}


def test_the_end_of_a_search_is_reported_as_a_count(
    untidy: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for line, number, complete, stopped in (
        ("solve two.puzzle --all", 1, True, None),
        ("solve soma --limit 2", 2, False, "solutions"),
        ("solve soma --all --nodes 50", None, False, "nodes"),
    ):
        (remark,) = Ran(capsys, monkeypatch, line).said
        assert remark.pop("remark")
        agrees(remark, "count")
        assert (remark["complete"], remark["stopped"]) == (complete, stopped)
        assert number in (None, remark["solutions"])


def test_json_loses_no_character_that_the_terminal_cannot_show(
    untidy: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import io

    from puzzlec.cli.terminal import out_json

    narrow = io.TextIOWrapper(io.BytesIO(), encoding="cp1252", errors="replace")
    monkeypatch.setattr("sys.stdout", narrow)
    out_json({"name": "ﾀ é"})
    narrow.seek(0)
    assert json.loads(narrow.read()) == {"name": "ﾀ é"}
    wide = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors="replace")
    monkeypatch.setattr("sys.stdout", wide)
    out_json({"name": "\udcff.puzzle"})  # a file whose name is not valid text
    wide.seek(0)
    assert json.loads(wide.read()) == {"name": "\udcff.puzzle"}
    ascii = io.TextIOWrapper(io.BytesIO(), encoding="ascii", errors="replace")
    monkeypatch.setattr("sys.stdout", ascii)
    assert command(capsys, monkeypatch, "check", "nothing-like-ü", "--json")[0] == 1
    ascii.seek(0)
    assert "`nothing-like-ü`" in json.loads(ascii.read())["message"]
