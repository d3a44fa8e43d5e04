"""Builds the site: copies the pages into a folder, adds the pages of the puzzles, and runs zensical there.

Warnings of zensical are errors.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from html import escape
from pathlib import Path
from typing import Any

import yaml

from puzzlec.formats.catalogue import entries
from puzzlec.services.web.app import STATIC
from tests.tools.gallery import file_of
from tests.tools.site import links, live, navigation, pictures, puzzles, workbench
from tests.tools.site.pages import ROOT, description, places, sources, staged

SETTINGS = ROOT / "docs" / "site" / "site.yml"

#: The name of the settings that zensical reads.
CONFIGURATION = "mkdocs.yml"

GALLERY = "gallery.md"

#: The pages with a separate style sheet, beside those of puzzles.
STYLES = {
    "index.md": "site/landing.css",
    GALLERY: "site/gallery.css",
    "language/cheat-sheet.md": "site/sheet.css",
}


class SiteError(Exception):
    """The errors of the site, one in each line."""


def stage(folder: Path, address: str = "", is_whole: bool = True, has_workbench: bool = False) -> Path:
    """Write the pages and the settings into a folder, and return the file of the settings.

    Only changed files are written. ``address`` is the address at which the site will be published, if it is known.
    Without ``is_whole``, no pictures are made for links to puzzles. ``has_workbench``: whether puzzles link it.

    Raises SiteError if the navigation and the pages differ.
    """
    files = sources()
    settings: dict[str, Any] = yaml.safe_load(SETTINGS.read_text(encoding="utf-8"))
    if address:
        settings["site_url"] = address.rstrip("/") + "/"
    try:
        settings["nav"] = navigation.complete(settings["nav"], files)
    except KeyError as error:
        raise SiteError(f"nav: no page {error.args[0]}") from None
    if faults := navigation.amiss(settings["nav"], files):
        raise SiteError("\n".join(faults))
    there = places(files)
    for name, source in files.items():
        target = folder / "docs" / name
        if source.suffix == ".md":
            page = staged(source.read_text(encoding="utf-8"), source, there)
            if has_workbench:
                page = links.opened(page, name)
            if name == "index.md":
                page = live.opening(page)
            _write(target, front_matter(name, page) + (puzzles.filtered(page) if name == GALLERY else page))
        elif source.suffix == ".svg":
            _write(target, pictures.for_any_ground(source.read_text(encoding="utf-8")))
        else:
            _copy(source, target)
    for entry in entries():
        extras = live.made(folder / "docs", entry, is_whole)
        for name, text in puzzles.staged(entry, is_whole, has_workbench, extras).items():
            _write(folder / "docs" / name, text)
    _write_cards(folder / "docs", is_whole)
    _copy(STATIC / "filters.js", folder / "docs" / "site" / "filters.js")
    for name, text_of in live.VIEWER.items():
        _write(folder / "docs" / name, text_of())
    _write(folder / "docs" / live.SCENES_PAGE, live.scenes())
    for source in (SETTINGS.parent / "theme").iterdir():
        _copy(source, folder / "theme" / source.name)
    configuration = folder / CONFIGURATION
    _write(configuration, yaml.safe_dump(settings, sort_keys=False, allow_unicode=True))
    return configuration


def front_matter(name: str, page: str) -> str:
    """Return the settings of a page: its description, and what the theme leaves out on it."""
    # The theme does not escape descriptions.
    head: dict[str, Any] = {"description": escape(description(page))} if description(page) else {}
    if name in STYLES:
        head |= {"style": STYLES[name]}
    if name == "index.md":
        head |= {"hide": ["navigation", "toc"]}
    if name == GALLERY:
        head |= {"scripts": ["site/gallery.js"], "hide": ["navigation"]}
    return f"---\n{yaml.safe_dump(head, allow_unicode=True, width=1000)}---\n" if head else ""


def _write_cards(docs: Path, is_whole: bool) -> None:
    """Write the pictures that links to the pages show, each only if it is missing or too old."""
    made = {docs / "site" / "card.png": pictures.ICON}
    if is_whole:
        made |= {(docs / puzzles.name_of(entry)).with_suffix(".png"): file_of(entry) for entry in entries()}
    for target, source in made.items():
        if not target.exists() or target.stat().st_mtime < source.stat().st_mtime:
            is_site = source == pictures.ICON
            svg = source.read_text(encoding="utf-8")
            target.write_bytes(pictures.site_card() if is_site else pictures.card(svg))


def _copy(source: Path, target: Path) -> None:
    """Copy a file unless the copy is as new."""
    target.parent.mkdir(parents=True, exist_ok=True)
    if not target.exists() or target.stat().st_mtime < source.stat().st_mtime:
        shutil.copy2(source, target)


def _write(target: Path, text: str) -> None:
    """Write a file unless it has this text already: a server that watches it would build again."""
    target.parent.mkdir(parents=True, exist_ok=True)
    if not target.exists() or target.read_text(encoding="utf-8") != text:
        target.write_text(text, encoding="utf-8")


def build(folder: Path, address: str = "", is_whole: bool = True) -> Path:
    """Build the site below a folder and return the folder of its pages.

    The arguments are those of :func:`stage`. Raises SiteError with all broken links. If Pyodide is not available, the
    site has no workbench, and a message says so.
    """
    try:
        workbench.made(is_whole)
    except workbench.MissingError as missing:
        sys.stderr.write(f"the site has no workbench: {missing}\n")
        return zensical(stage(folder, address, is_whole))
    site = zensical(stage(folder, address, is_whole, has_workbench=True))
    workbench.write(site, address, is_whole)
    return site


def zensical(configuration: Path) -> Path:
    """Run zensical and return the folder of the pages. Raises SiteError with its warnings."""
    done = subprocess.run(
        [sys.executable, "-m", "zensical", "build", "--clean", "--strict", "--config-file", str(configuration)],
        cwd=configuration.parent, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, encoding="utf-8",
    )  # fmt: skip
    said = plain(done.stdout)
    # zensical exits with status 0 after some warnings.
    if done.returncode or re.search(r"(?m)^(Warning|Error)\b", said):
        raise SiteError(said)
    return configuration.parent / "site"


def plain(said: str) -> str:
    """Return output for a terminal without its colours and its traceback."""
    return re.sub(r"\x1b\[[\d;]*m", "", said).split("Traceback (most recent call last)")[0].rstrip()
