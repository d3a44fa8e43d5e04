"""Builds the site: a copy of the pages in a folder of its own, and zensical run on it, warnings being errors."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import yaml

from tests.site import navigation
from tests.site.pages import ROOT, places, sources, staged

SETTINGS = ROOT / "docs" / "site" / "site.yml"

#: The name that zensical looks for in a folder.
CONFIGURATION = "mkdocs.yml"


class SiteError(Exception):
    """What is wrong with the site, a line for each fault."""


def stage(folder: Path) -> Path:
    """Copy the pages into a folder, with the settings, and return the file of those. Only what changed is written.

    Raises SiteError where the navigation and the pages do not agree.
    """
    files = sources()
    settings: dict[str, Any] = yaml.safe_load(SETTINGS.read_text(encoding="utf-8"))
    try:
        settings["nav"] = navigation.complete(settings["nav"], files)
    except KeyError as error:
        raise SiteError(f"nav: there is no page {error.args[0]}") from None
    if faults := navigation.amiss(settings["nav"], files):
        raise SiteError("\n".join(faults))
    there = places(files)
    for name, source in files.items():
        target = folder / "docs" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.suffix == ".md":
            _write(target, staged(source.read_text(encoding="utf-8"), source, there))
        elif not target.exists() or target.stat().st_mtime < source.stat().st_mtime:
            shutil.copy2(source, target)
    configuration = folder / CONFIGURATION
    _write(configuration, yaml.safe_dump(settings, sort_keys=False, allow_unicode=True))
    return configuration


def _write(target: Path, text: str) -> None:
    """Write a file unless it holds this already: a server that watches it would build anew."""
    if not target.exists() or target.read_text(encoding="utf-8") != text:
        target.write_text(text, encoding="utf-8")


def build(folder: Path) -> Path:
    """Build the site below a folder and return where it is. Raises SiteError with all that is wrong with its links."""
    return zensical(stage(folder))


def zensical(configuration: Path) -> Path:
    """Run zensical and return the folder that it made. Raises SiteError with what it warns of."""
    done = subprocess.run(
        [sys.executable, "-m", "zensical", "build", "--clean", "--strict", "--config-file", str(configuration)],
        cwd=configuration.parent, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, encoding="utf-8",
    )  # fmt: skip
    said = plain(done.stdout)
    # Not every warning ends in a status: what is said counts, too.
    if done.returncode or re.search(r"(?m)^(Warning|Error)\b", said):
        raise SiteError(said)
    return configuration.parent / "site"


def plain(said: str) -> str:
    """Return what was said for a terminal, without colours and without the traceback behind it."""
    return re.sub(r"\x1b\[[\d;]*m", "", said).split("Traceback (most recent call last)")[0].rstrip()
