"""The ten scripts are short. `test_docs.py` runs them, and checks their types."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
SCRIPTS = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "ten-scripts.md").read_text(encoding="utf-8"), re.DOTALL)


def test_there_are_ten_scripts_of_at_most_six_lines() -> None:
    assert len(SCRIPTS) == 10
    for script in SCRIPTS:
        assert len([line for line in script.splitlines() if line.strip()]) <= 6, script
