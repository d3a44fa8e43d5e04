"""What is too large is listed, and the lists only get shorter.

These are functions that are complex or have many parameters, and classes with many attributes.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.attributes import attributes

ROOT = Path(__file__).parents[1]
LISTED = ROOT / "tests" / "golden" / "complexity.txt"

#: The most attributes of an object, cached properties included. Larger ones are listed: how many, and why.
MOST = 15
LARGE = {
    "puzzlec/engine/kernels/bits.py BitsLevels": (21, "the arrays of a kernel: its functions take one argument"),
    "puzzlec/formats/catalogue.py Entry": (18, "a public record with the members of `catalogue.yaml`"),
    "puzzlec/geometry/lattice.py Lattice": (
        18,
        "a public record with the members of a file of a lattice, and one more",
    ),
    "puzzlec/show/svg/choices.py Choices": (16, "the table of the settings of pictures, with a field for each"),
    "puzzlec/jobs/status.py Status": (17, "a public record of plain numbers, as in JSON"),
}


def found() -> set[str]:
    """Ruff's findings without the exceptions of the configuration, except for commands: `code path name`."""
    rules = ["--config", "lint.mccabe.max-complexity=15", "--config", "lint.pylint.max-args=8"]
    command = [sys.executable, "-m", "ruff", "check", "--isolated", "--ignore-noqa", "--select", "C901,PLR0913", *rules]
    done = subprocess.run([*command, "--output-format", "json", "puzzlec"], cwd=ROOT, capture_output=True, check=False)
    lines = set()
    for finding in json.loads(done.stdout):
        path = Path(finding["filename"]).relative_to(ROOT)
        if finding["code"] == "PLR0913" and path.parts[:2] == ("puzzlec", "cli"):
            continue
        source = (ROOT / path).read_text("utf-8").splitlines()[finding["location"]["row"] - 1]
        name = source.partition("def ")[2].partition("(")[0]
        lines.add(f"{finding['code']} {path.as_posix()} {name}")
    return lines


def test_no_function_becomes_too_complex_or_takes_too_many_parameters() -> None:
    listed = set(LISTED.read_text("utf-8").splitlines())
    now = found()
    assert not now - listed, "split these functions, or pass tuples: the list only gets shorter"
    assert not listed - now, "these functions are simple enough now: remove them from the list"


def test_no_object_has_more_than_15_attributes() -> None:
    now = {name: len(own) for name, own in attributes().items() if len(own) > MOST}
    listed = {name: number for name, (number, _) in LARGE.items()}
    assert not {name: own for name, own in now.items() if own > listed.get(name, MOST)}, "divide these classes"
    assert now == listed, "these classes are smaller now: change the list"
