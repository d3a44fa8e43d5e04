"""The files that a visitor sees first, and the address of the repository: one constant that may be empty."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
import yaml

from puzzlec import version
from puzzlec.language.editing.reference import line_of
from tests.public_surface import announced, released

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
    address = "https://example.org/puzzlec/blob/main/docs/language/numbers-and-loops.md#for"
    assert line.markdown == f"{line.meaning}. [The language]({address})"


def test_the_citation_names_the_version() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert str(citation["version"]) == version.__version__


def test_a_version_with_unreleased_changes_is_a_development_version_after_the_last_release() -> None:
    changes = (ROOT / "CHANGELOG.md").read_text("utf-8")
    numbers = re.fullmatch(r"(\d+)\.(\d+)\.(\d+)(\.dev0)?", version.__version__)
    assert numbers is not None
    assert bool(announced(changes)) == bool(numbers[4])
    last = tuple(map(int, released(changes).split(".")))
    assert (tuple(map(int, numbers.groups()[:3])) > last) == bool(numbers[4])


def test_every_page_that_names_a_version_of_puzzlec_names_this_one() -> None:
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    named = {
        (page.name, found)
        for page in pages
        if page.parent.name not in ("decisions", "errors")
        for found in re.findall(r"\bpuzzlec[ -](\d+\.\d+\.\d+[.\w]*?)(?=[-*, |]|$)", page.read_text("utf-8"))
        if page.name != "vscode.md"  # the extension has a separate version
    }
    assert {found for _, found in named} == {version.__version__}, named


def test_links_to_packages_lead_to_their_projects_and_not_to_package_indexes() -> None:
    indexes = re.compile(r"https?://(?:www\.)?(?:pypi\.org|npmjs\.com|crates\.io|anaconda\.org)/\S*")
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]
    assert {page.name: found for page in pages if (found := indexes.findall(page.read_text("utf-8")))} == {}


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text("utf-8").splitlines()) <= 130
