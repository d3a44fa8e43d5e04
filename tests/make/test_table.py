"""The table of outputs: the command line, the page and the library get their formats from it."""

from __future__ import annotations

import filecmp
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from puzzlec.cli.completion import words_for
from puzzlec.cli.model import FORMATS
from puzzlec.make.table import MESHES, OUTLINES, OUTPUTS, PICTURES, of_kind, output

ROOT = Path(__file__).parents[2]

#: The whole of a format of meshes: its entry, and its writer.
NULL = """
def _null(items: Sequence[PlacedThing], title: str) -> bytes:
    return f"{len(items)} items of {title}".encode()


OUTPUTS = (*OUTPUTS, Output("null", MESHES, "nothing to print", "model/null", _null, _SOLID, "print"))
"""

#: Ask the copy through each of its doors: the command, completion, the library, the page.
ASKED = """
import base64, json, sys
from pathlib import Path

import puzzlec
from puzzlec.cli.completion import words_for
from puzzlec.services.web.answers import exports
from puzzlec.services.web.exporting import export

messages = []
export(
    puzzlec.load("soma"),
    {"to": "null", "settings": {"cell": 10, "layout": "plate"}},
    lambda event, **more: messages.append(more),
)
(row,) = [each for each in exports() if each["name"] == "null"]
print(json.dumps({
    "copy": puzzlec.__file__,
    "completion": "null" in words_for(["model", "soma", "--to"], ""),
    "library": puzzlec.model("soma", format="null").decode(),
    "settings": [each["name"] for each in row["settings"]],
    "group": row["group"],
    "page": base64.b64decode(messages[-1]["content"]).decode(),
}))
"""


def different(one: Path, other: Path) -> list[str]:
    """Return the Python files that two folders do not share."""
    files = {path.relative_to(folder) for folder in (one, other) for path in folder.rglob("*.py")}
    return sorted(str(file) for file in files if not _is_same(one / file, other / file))


def _is_same(one: Path, other: Path) -> bool:
    return one.exists() and other.exists() and filecmp.cmp(one, other, shallow=False)


@pytest.mark.long
def test_a_new_mesh_format_is_one_entry_in_one_file(tmp_path: Path) -> None:
    pytest.importorskip("manifold3d")
    copy = tmp_path / "puzzlec"
    shutil.copytree(ROOT / "puzzlec", copy, ignore=shutil.ignore_patterns("__pycache__"))
    for data in ("grammars", "puzzles", "docs"):
        (tmp_path / data).symlink_to(ROOT / data)
    table = copy / "make" / "table.py"
    before, marker, after = table.read_text(encoding="utf-8").partition("\n\ndef of_kind(")
    table.write_text(before + NULL + marker + after, encoding="utf-8")
    assert different(ROOT / "puzzlec", copy) == [str(Path("make") / "table.py")]

    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}

    def run(*words: str) -> str:
        return subprocess.run(
            [sys.executable, *words], cwd=tmp_path, env=environment, check=True, capture_output=True, text=True
        ).stdout

    found = json.loads(run("-c", ASKED))
    assert found == {
        "copy": str(copy / "__init__.py"),
        "completion": True,
        "library": "7 items of Soma cube",
        "settings": [setting["name"] for setting in _settings("stl")],
        "group": "models",
        "page": "7 items of Soma cube",
    }
    run("-m", "puzzlec", "model", "soma", "-o", "soma.null")
    assert (tmp_path / "soma.null").read_text(encoding="utf-8") == "7 items of Soma cube"
    assert "glb, null" in run("-m", "puzzlec", "model", "--help")


def _settings(name: str) -> list[dict[str, str]]:
    from puzzlec.services.web.exporting import SETTINGS

    return [setting.as_data() for setting in SETTINGS[name]]


def test_completion_and_the_command_know_all_formats_of_the_table() -> None:
    assert set(FORMATS) == {record.format for record in OUTPUTS if record.kind in (MESHES, OUTLINES)}
    assert list(words_for(["model", "soma", "--to"], "")) == list(FORMATS)
    assert list(words_for(["draw", "soma", "--to"], "")) == list(of_kind(PICTURES))


def test_no_two_outputs_have_one_name_or_one_end_of_file_names() -> None:
    assert len({record.name for record in OUTPUTS}) == len({record.ending for record in OUTPUTS}) == len(OUTPUTS)


def test_an_unknown_format_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match="unknown format 'obj' for meshes; known: stl, 3mf, glb"):
        output(MESHES, "obj")
