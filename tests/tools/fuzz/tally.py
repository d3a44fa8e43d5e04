"""Add up the logs of the fuzzer in folders: inputs for each target, and findings.

python tests/tools/fuzz/tally.py FOLDER [FOLDER ...]
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[3]))

from tests.tools.fuzz.logs import totals


def table(folders: list[Path]) -> str:
    """Return the sums of all logs in some folders as a table, and one line for each finding."""
    lines = [f"{'target':16}{'inputs':>12}{'accepted':>12}{'kinds':>7}{'runs':>6}{'inputs/s':>10}{'slowest':>9}"]
    sums: dict[str, dict[str, float]] = {}
    for folder in folders:
        for target, found in totals(folder).items():
            old = sums.get(target, dict.fromkeys(found, 0.0))
            most = {key: max(old[key], found[key]) for key in ("kinds", "slowest")}
            sums[target] = {key: old[key] + found[key] for key in found} | most
    for target, sum_ in sorted(sums.items()):
        rate = sum_["inputs"] / max(sum_["processor"], 0.1)
        lines.append(
            f"{target:16}{sum_['inputs']:12,.0f}{sum_['accepted']:12,.0f}{sum_['kinds']:7.0f}{sum_['runs']:6.0f}"
            f"{rate:10,.0f}{sum_['slowest']:8.2f}s"
        )
    whole = sum(sum_["inputs"] for sum_ in sums.values())
    lines.append(f"{'together':16}{whole:12,.0f}{sum(sum_['accepted'] for sum_ in sums.values()):12,.0f}")
    return "\n".join([*lines, "", *_findings(folders)])


def _findings(folders: list[Path]) -> list[str]:
    """Return a line for each kind of finding, with its shortest input."""
    found: dict[str, tuple[str, str]] = {}
    for folder in folders:
        path = folder / "findings.jsonl"
        for line in path.read_text().splitlines() if path.exists() else ():
            said = json.loads(line)
            wrong, shown = f"{said['target']}: {said['wrong']}", said["shown"]
            alike = (known for known in found if known.split(": ")[:2] == wrong.split(": ")[:2])
            key = next(alike, wrong)
            if key not in found or len(shown) < len(found[key][1]):
                found[key] = wrong, shown
    return [f"{len(found)} findings", *(f"  {wrong}\n      {shown}" for wrong, shown in found.values())]


if __name__ == "__main__":
    print(table(list(map(Path, sys.argv[1:]))))  # noqa: T201
