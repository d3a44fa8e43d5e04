"""The manual page: it has every option, valid macros only, and the installed page is current."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest

from puzzlec.cli.commands import COMMANDS, made_command
from puzzlec.cli.terminal import MEANINGS
from tests.tools.site.manual import environment, whole_page
from tests.tools.site.pages import ROOT

PAGE = ROOT / "docs" / "man" / "puzzlec.1"


def plain(page: str) -> str:
    for name, sign in ((r"\-", "-"), (r"\(aq", "'"), (r"\(ga", "`"), (r"\(ha", "^"), (r"\(ti", "~"), (r"\e", "\\")):
        page = page.replace(name, sign)
    return page


def test_the_installed_page_is_current() -> None:
    if os.environ.get("PUZZLEC_REGENERATE"):
        PAGE.write_text(whole_page(), encoding="utf-8", newline="\n")
    assert PAGE.read_text(encoding="utf-8") == whole_page(), "regenerate it: PUZZLEC_REGENERATE=1 pytest " + __file__


def test_every_option_and_argument_is_on_the_page() -> None:
    whole = plain(whole_page()).split(".SS puzzlec ")
    for name in COMMANDS:
        (of_all,) = [part for part in whole if part.startswith(f"{name} ")]
        for shown in (parameter for parameter in made_command(name).params if not parameter.hidden):
            is_option = shown.param_type_name == "option"
            for word in (
                [*shown.opts, *shown.secondary_opts] if is_option else [(shown.metavar or shown.name).strip("[].")]
            ):
                assert word in of_all, f"{name}: {word}"


def test_the_page_lists_statuses_and_variables() -> None:
    page = plain(whole_page())
    for status in MEANINGS:
        assert f".TP\n\\fB{int(status)}\\fR\n" in page
    assert {"NO_COLOR, FORCE_COLOR", "PUZZLEC_CACHE", "PUZZLEC_DEBUG"} <= dict(environment()).keys()
    for names, _ in environment():
        assert f".TP\n\\fB{names}\\fR\n" in page


def test_no_text_of_the_page_is_a_macro() -> None:
    for line in whole_page().splitlines():
        if line.startswith((".", "'")):
            assert line.split()[0] in (".TH", ".SH", ".SS", ".TP", ".PP", ".B", ".RS", ".RE", ".EX", ".EE"), line
        assert len(line) < 81, line


@pytest.mark.skipif(shutil.which("mandoc") is None, reason="there is no mandoc here")
def test_mandoc_accepts_the_page() -> None:
    done = subprocess.run(["mandoc", "-Tlint"], input=whole_page(), capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (0, "")
