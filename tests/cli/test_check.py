"""`puzzlec check` for other programs: one line or one object for each error."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

from tests.commands import run

FAULTY = "locations box 6x10\npieces pentominos\npieces dominoes\npiece D { xx }\n"


def test_concise_prints_a_line_for_each_error_in_the_form_of_compilers() -> None:
    done = run("check", "-", "--concise", stdin=FAULTY)
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.splitlines() == [
        "<stdin>:2:8: error[PZ304]: unknown shape library `pentominos`",
        "<stdin>:4:7: error[PZ301]: duplicate piece `D`",
    ]


def test_json_prints_an_object_for_each_error_with_its_span() -> None:
    done = run("check", "-", "--json", stdin=FAULTY)
    assert (done.returncode, done.stderr) == (1, "")
    told = {error["code"]: error for error in map(json.loads, done.stdout.splitlines())}
    library, twice = told["PZ304"], told["PZ301"]
    span = library["span"]
    assert FAULTY[span["start"]["offset"] : span["end"]["offset"]] == "pentominos"
    assert (span["start"]["line"], span["start"]["column"], span["end"]["column"]) == (2, 8, 18)
    assert (library["severity"], library["file"], library["helps"]) == (
        "error",
        "<stdin>",
        ["did you mean `pentominoes`?"],
    )
    assert twice["others"][0]["label"] == "first defined here"
    assert twice["others"][0]["span"]["start"]["line"] == 3


def test_a_valid_puzzle_has_no_errors_in_these_forms() -> None:
    done = run("check", "soma", "--concise")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    done = run("check", "soma", "--json")
    assert json.loads(done.stdout) == {"puzzle": "soma", "errors": 0, "warnings": 0}
    assert (done.returncode, done.stderr) == (0, "")
    assert run("check", "soma", "--to", "yaml").returncode == 2


def test_an_error_of_a_whole_file_has_no_span(tmp_path: Path) -> None:
    done = run("check", str(tmp_path / "none.puzzle"), "--json")
    told = json.loads(done.stdout)
    assert (done.returncode, told["code"], told["span"]) == (1, "PZ001", None)


def test_parameters_are_given_by_name_and_value() -> None:
    assert run("count", "queens/8", "-p", "n=6").stdout == "4\n"
    assert run("count", "queens/8", "-p", "m=6").returncode == 1
    for wrong in ("n", "n=", "n=x", "=6", "n=1.5"):
        assert run("count", "queens/8", "-p", wrong).returncode == 2
    assert run("count", "dpf/sticks", "-p", "n=6").returncode == 1


def test_a_certificate_is_recognised_and_the_command_that_checks_it_is_named(tmp_path: Path) -> None:
    file = tmp_path / "proof.cert"
    assert run("count", "queens/8", "--certificate", str(file)).returncode == 0
    for name in ("count", "solve", "explain"):
        done = run(name, str(file))
        assert (done.returncode, "error[PZ640]: file is a certificate" in done.stderr) == (1, True)
    assert run("check", str(file)).returncode == 0
    command = re.findall("help: `puzzlec (.*)`", done.stderr)[0]
    assert run(*shlex.split(command)).returncode == 0
