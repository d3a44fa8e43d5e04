"""The manual pages: each has every option, valid macros only, and the installed page is current."""

from __future__ import annotations

import os
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from puzzlec.cli.commands import COMMANDS, made_command
from puzzlec.cli.man import command_page, whole_page
from puzzlec.cli.terminal import MEANINGS
from tests.commands import command

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "man" / "puzzlec.1"


def plain(page: str) -> str:
    for name, sign in ((r"\-", "-"), (r"\(aq", "'"), (r"\(ga", "`"), (r"\(ha", "^"), (r"\(ti", "~"), (r"\e", "\\")):
        page = page.replace(name, sign)
    return page


def test_the_installed_page_is_current() -> None:
    if os.environ.get("PUZZLEC_REGENERATE"):
        PAGE.write_text(whole_page(), encoding="utf-8", newline="\n")
    assert PAGE.read_text(encoding="utf-8") == whole_page(), "regenerate it: PUZZLEC_REGENERATE=1 pytest " + __file__


def test_the_wheel_puts_the_page_where_man_looks() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    shared = settings["tool"]["hatch"]["build"]["targets"]["wheel"]["shared-data"]
    assert shared["docs/man/puzzlec.1"] == "share/man/man1/puzzlec.1"


def test_every_option_and_argument_is_on_the_page_of_its_command_and_on_the_whole_page() -> None:
    whole = plain(whole_page()).split(".SS puzzlec ")
    for name in COMMANDS:
        (of_all,) = [part for part in whole if part.startswith(f"{name} ")]
        alone = plain(command_page(name))
        for each in (parameter for parameter in made_command(name).params if not parameter.hidden):
            is_option = each.param_type_name == "option"
            for word in [*each.opts, *each.secondary_opts] if is_option else [(each.metavar or each.name).strip("[].")]:
                assert word in of_all, f"{name}: {word}"
                assert word in alone, f"{name}: {word}"


def test_a_page_lists_statuses_and_variables() -> None:
    page = plain(command_page("solve"))
    for status in MEANINGS:
        assert f".TP\n\\fB{int(status)}\\fR\n" in page
    assert "\\fBNO_COLOR\\fR\n" in page


def test_no_text_of_a_page_is_a_macro() -> None:
    for name in (None, *COMMANDS):
        for line in (command_page(name) if name else whole_page()).splitlines():
            if line.startswith((".", "'")):
                assert line.split()[0] in (".TH", ".SH", ".SS", ".TP", ".PP", ".B", ".RS", ".RE", ".EX", ".EE"), line
            assert len(line) < 81, line


@pytest.mark.skipif(shutil.which("mandoc") is None, reason="there is no mandoc here")
def test_mandoc_accepts_the_pages() -> None:
    for page in (whole_page(), command_page("solve"), command_page("list")):
        done = subprocess.run(["mandoc", "-Tlint"], input=page, capture_output=True, text=True, timeout=60)
        assert (done.returncode, done.stdout) == (0, "")


def test_the_command_prints_the_source_into_a_pipe(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert command(capsys, monkeypatch, "man", "count") == (0, command_page("count"), "")
    status, printed, said = command(capsys, monkeypatch, "man", "cuont")
    assert (status, printed) == (2, "")
    assert "did you mean `count`?" in " ".join(said.split())
