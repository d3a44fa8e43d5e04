"""The puzzle language as a TextMate grammar for VS Code, Sublime Text and GitHub.

``python -m puzzlec.language.highlight.textmate docs/editors/puzzle.tmLanguage.json`` writes it. The extension
``.tmLanguage`` makes a property list.
"""

from __future__ import annotations

import json
import plistlib
import re
import sys
from pathlib import Path
from typing import Any

from puzzlec.language.highlight.contexts import ROLES, HighlightContext, HighlightRule, contexts

SCOPE = "source.puzzle"


def grammar() -> dict[str, Any]:
    """Return the grammar as plain dictionaries and lists."""
    by_name = contexts()
    inside = {
        name: {"patterns": [_pattern(rule, by_name) for rule in context.rules]} for name, context in by_name.items()
    }
    return {
        "$schema": "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json",
        "comment": "made by `python -m puzzlec.language.highlight.textmate`: change contexts.py beside it",
        "name": "puzzlec",
        "scopeName": SCOPE,
        "fileTypes": ["puzzle"],
        "patterns": inside.pop("root")["patterns"],
        "repository": inside,
    }


def text() -> str:
    """Return the grammar as JSON text, with each pattern on a new line."""
    lines: dict[str, str] = {}

    def placed(pattern: dict[str, Any]) -> str:
        mark = f"<{len(lines)}>"
        lines[f'"{mark}"'] = json.dumps(pattern)
        return mark

    whole = grammar()
    for part in (whole, *whole["repository"].values()):
        part["patterns"] = [placed(inner) for inner in part["patterns"]]
    return re.sub(r'"<[0-9]+>"', lambda mark: lines[mark.group()], json.dumps(whole, indent=2)) + "\n"


def _pattern(rule: HighlightRule | str, by_name: dict[str, HighlightContext]) -> dict[str, Any]:
    """Return a rule in TextMate's form; if it opens a context, with the end and the rules of that context."""
    if isinstance(rule, str):
        return {"include": f"#{rule}"}
    if not rule.opens:
        return {"match": rule.pattern, "captures": _captures(rule.roles)}
    opened = by_name[rule.opens]
    return {
        "begin": rule.pattern,
        "beginCaptures": _captures(rule.roles),
        "end": opened.end,
        **({"endCaptures": _captures((opened.role,))} if opened.role else {}),
        "patterns": [{"include": f"#{rule.opens}"}],
    }


def _captures(roles: tuple[str, ...]) -> dict[str, dict[str, str]]:
    return {str(n): {"name": f"{ROLES[role].scope}.puzzle"} for n, role in enumerate(roles, 1) if role}


def main(arguments: list[str]) -> None:
    """Write the grammar to the named file, or to standard output."""
    if not arguments:
        sys.stdout.write(text())
    elif arguments[0].endswith(".tmLanguage"):
        Path(arguments[0]).write_bytes(plistlib.dumps(grammar()))
    else:
        Path(arguments[0]).write_text(text(), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
