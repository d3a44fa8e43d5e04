"""The files that a visitor sees first, and the address of the repository: one constant that may be empty."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
import yaml

from puzzlec import version
from puzzlec.services.lsp.text import line_of

ROOT = Path(__file__).parents[1]

#: An address that leads nowhere. It is in two parts so that this file does not contain it.
NOWHERE = "github.com/" + "puzzlec/puzzlec"


def test_no_file_names_a_repository_that_does_not_exist() -> None:
    command = ["git", "grep", "--files-with-matches", "--fixed-strings", NOWHERE]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if found.returncode > 1:
        pytest.skip("this is not a checkout")
    assert not found.stdout.split()


def test_a_word_links_its_section_only_if_a_repository_is_configured(monkeypatch: pytest.MonkeyPatch) -> None:
    line = line_of("where")
    assert line is not None
    assert line.markdown == f"{line.meaning}."
    monkeypatch.setattr(version, "REPOSITORY", "https://example.org/puzzlec")
    address = "https://example.org/puzzlec/blob/main/docs/language.md#for"
    assert line.markdown == f"{line.meaning}. [The language]({address})"


def test_the_citation_names_the_version() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert str(citation["version"]) == version.__version__


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text("utf-8").splitlines()) <= 130
