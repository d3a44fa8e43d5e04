"""The set-up pages of editors, tried with the installed ones; and the extension for Visual Studio Code."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs_blocks import DOCS, blocks

EDITORS = DOCS / "editors"

PUZZLE = "locations   box 6x10\npieces pentominos\npiece A { xx }\nplace A inside box 3x3\n"

#: The steps in Neovim: wait for the error, fix it, format the text, rename a piece, and save.
NEOVIM = """
local function wait(what) assert(vim.wait(100000, what, 50), "nothing came") end
local function line(n) return vim.api.nvim_buf_get_lines(0, n - 1, n, false)[1] end
wait(function() return #vim.diagnostic.get(0) > 0 end)
local found = vim.diagnostic.get(0)[1]
io.stdout:write(found.code, " ", found.lnum, " ", found.col, "\\n")
vim.api.nvim_win_set_cursor(0, { 2, 9 })
vim.lsp.buf.code_action({ apply = true })
wait(function() return line(2) == "pieces pentominoes" end)
vim.lsp.buf.format({ timeout_ms = 100000 })
vim.api.nvim_win_set_cursor(0, { 4, 6 })
vim.lsp.buf.rename("bar")
wait(function() return line(4) == "place bar inside box 3x3" end)
vim.cmd("silent write")
vim.cmd("quitall!")
"""

#: The steps that Neovim 0.7 supports, with its names of functions.
NEOVIM_0_7 = """
local function wait(what) assert(vim.wait(100000, what, 50), "nothing came") end
wait(function() return #vim.diagnostic.get(0) > 0 end)
local found = vim.diagnostic.get(0)[1]
io.stdout:write(found.code, " ", found.lnum, " ", found.col, "\\n")
vim.api.nvim_buf_set_lines(0, 1, 2, false, { "pieces pentominoes" })
vim.lsp.buf.formatting_sync(nil, 100000)
vim.api.nvim_win_set_cursor(0, { 4, 6 })
vim.lsp.buf.rename("bar")
wait(function() return vim.api.nvim_buf_get_lines(0, 3, 4, false)[1] == "place bar inside box 3x3" end)
vim.cmd("silent write")
vim.cmd("quitall!")
"""

#: The same in Emacs, which has no action for this error: it is fixed by hand.
EMACS = """
(require 'eglot)
(setq eglot-sync-connect 100 eglot-confirm-server-initiated-edits nil)
(find-file "test.puzzle")
(call-interactively #'eglot)
(flymake-mode 1)
(with-timeout (100 (error "nothing came"))
  (while (null (flymake-diagnostics)) (accept-process-output nil 0.1) (flymake-start)))
(let ((found (car (flymake-diagnostics))))
  (princ (format "%s %s\\n" (line-number-at-pos (flymake-diagnostic-beg found)) (flymake-diagnostic-text found))))
(goto-char (point-min))
(search-forward "pentominos")
(replace-match "pentominoes")
(eglot-format-buffer)
(goto-char (point-min))
(search-forward "place ")
(eglot-rename "bar")
(save-buffer)
(eglot-shutdown (eglot-current-server))
"""


def block(page: str, number: int) -> str:
    """Return a block of code for the editor from a page, counted from 0."""
    found = [part for part in blocks(EDITORS / f"{page}.md") if part.language in ("lua", "elisp")]
    return found[number].text


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """An environment with a separate home and `puzzlec` on the path, and a folder with a puzzle."""
    (tmp_path / "test.puzzle").write_text(PUZZLE, encoding="utf-8")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    folders = {f"XDG_{kind}_HOME": str(tmp_path / kind.lower()) for kind in ("CONFIG", "DATA", "STATE")}
    cache = os.environ.get("PUZZLEC_CACHE", str(Path.home() / ".cache" / "puzzlec"))
    return {**os.environ, "PATH": path, "HOME": str(tmp_path), "PUZZLEC_CACHE": cache, **folders}


def after(folder: Path) -> str:
    return (folder / "test.puzzle").read_text(encoding="utf-8")


EXPECTED = "locations box 6x10\npieces pentominoes\npiece bar { xx }\nplace bar inside box 3x3\n"


def neovim() -> tuple[str, tuple[int, ...]]:
    """Return the program and its version; nothing if it is not installed."""
    program = os.environ.get("PUZZLEC_NEOVIM") or shutil.which("nvim")
    if program is None:
        return "", ()
    told = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    match = re.search(r"v(\d+)\.(\d+)", told)
    return program, tuple(map(int, match.groups())) if match else ()


@pytest.mark.slow
@pytest.mark.parametrize("older", [False, True], ids=["file", "autocommand"])
def test_neovim_set_up_by_its_page_shows_fixes_formats_and_renames(
    older: bool, environment: dict[str, str], tmp_path: Path
) -> None:
    program, version = neovim()
    if version < ((0, 8) if older else (0, 11)):
        pytest.skip("there is no Neovim here, or an older one")
    home = tmp_path / "config" / "nvim"
    (home / "lsp").mkdir(parents=True)
    if older:
        (home / "init.lua").write_text(block("neovim", 2))
    else:
        (home / "lsp" / "puzzlec.lua").write_text(block("neovim", 0))
        (home / "init.lua").write_text(block("neovim", 1))
    (tmp_path / "try.lua").write_text(NEOVIM)
    done = subprocess.run(
        [program, "--headless", "test.puzzle", "-c", "luafile try.lua", "-c", "cquit"],
        cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=250,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, "PZ304 1 7\n"), done.stderr
    assert after(tmp_path) == EXPECTED


@pytest.mark.slow
def test_neovim_0_7_set_up_by_its_page_shows_formats_and_renames(environment: dict[str, str], tmp_path: Path) -> None:
    program, version = neovim()
    if version != (0, 7):
        pytest.skip("there is no Neovim 0.7 here")
    (tmp_path / "config" / "nvim").mkdir(parents=True)
    (tmp_path / "config" / "nvim" / "init.lua").write_text(block("neovim", 3))
    (tmp_path / "try.lua").write_text(NEOVIM_0_7)
    done = subprocess.run(
        [program, "--headless", "test.puzzle", "-c", "luafile try.lua", "-c", "cquit"],
        cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=250,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, "PZ304 1 7\n"), done.stderr
    assert after(tmp_path) == EXPECTED


@pytest.mark.slow
def test_emacs_set_up_by_its_page_shows_formats_and_renames(environment: dict[str, str], tmp_path: Path) -> None:
    if not shutil.which("emacs"):
        pytest.skip("there is no Emacs here")
    there = subprocess.run(["emacs", "--batch", "--eval", "(require 'eglot)"], env=environment, capture_output=True)
    if there.returncode:
        pytest.skip("this Emacs has no Eglot")
    (tmp_path / "init.el").write_text(block("emacs", 0))
    (tmp_path / "try.el").write_text(EMACS)
    done = subprocess.run(
        ["emacs", "--batch", "-l", "init.el", "-l", "try.el"],
        cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=250,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    first, *_ = done.stdout.splitlines()
    assert re.match(r"2 .*unknown shape library `pentominos`", first)
    assert after(tmp_path) == EXPECTED


def test_the_extension_names_existing_files_and_starts_our_server() -> None:
    folder = EDITORS / "vscode"
    about = json.loads((folder / "package.json").read_text(encoding="utf-8"))
    json.loads((folder / "language.json").read_text(encoding="utf-8"))
    program = (folder / about["main"]).read_text(encoding="utf-8")
    (language,), (grammar,) = about["contributes"]["languages"], about["contributes"]["grammars"]
    assert (folder / language["configuration"]).is_file()
    assert (EDITORS / grammar["path"]).is_file(), "it is copied with the others"
    assert grammar["scopeName"] == json.loads((EDITORS / grammar["path"]).read_text(encoding="utf-8"))["scopeName"]
    (setting,) = about["contributes"]["configuration"]["properties"]
    assert setting == "puzzlec.command"
    assert 'getConfiguration("puzzlec").get("command")' in program
    assert re.findall(r'require\("([\w-]+)', program) == ["vscode", *about["dependencies"]]


def test_the_extension_starts_the_server_for_every_format_of_texts() -> None:
    from puzzlec.formats.registry import FORMATS

    program = (EDITORS / "vscode" / "extension.js").read_text(encoding="utf-8")
    (listed,) = re.findall(r"\*\.\{([^}]*)\}", program)
    endings = {ending.removeprefix(".") for record in FORMATS.values() for ending in record.endings}
    assert set(listed.split(",")) == endings - {"puzzle", "json", "xml", "scad"}
