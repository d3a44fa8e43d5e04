"""docs/cli.md lists every command with the summary of its help: PUZZLEC_REGENERATE=1 writes the tables again."""

from __future__ import annotations

import os
import re
from pathlib import Path

from puzzlec.cli.commands import GROUPS

PAGE = Path(__file__).parents[2] / "docs" / "cli.md"
BEGIN, END = "<!-- commands -->", "<!-- end of commands -->"


def tables() -> str:
    """Return a table of all commands, group by group."""
    lines = ["| group | command | what it does |", "|---|---|---|"]
    for title, group in GROUPS.items():
        lines += [f"| {title} | `puzzlec {name}` | {summary} |" for name, (_, summary) in group.items()]
    return "\n".join([BEGIN, *lines, END])


def test_the_page_lists_the_commands_as_the_help_does() -> None:
    text = PAGE.read_text("utf-8")
    before, middle, after = re.split(rf"(?s)({BEGIN}.*?{END})", text)
    if os.environ.get("PUZZLEC_REGENERATE"):
        PAGE.write_text(before + tables() + after, "utf-8")
        middle = tables()
    assert middle == tables(), "PUZZLEC_REGENERATE=1 pytest tests/cli/test_commands_page.py writes it again"
