"""The public surface of puzzlec as lines of text: docs/stability.md promises to keep it.

python -m tests.public_surface           prints the lines
python -m tests.public_surface --record  records them for the last version in CHANGELOG.md
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from functools import cache

from tests.public_surface_lines import ROOT, command_lines, data_lines, python_lines, text_lines

RECORD = ROOT / "tests" / "golden" / "public_surface.txt"
CHANGES = ROOT / "CHANGELOG.md"

#: Sections that announce removed or changed things. A changed number of solutions may also be under Fixed.
CHANGED = ("Renamed", "Changed", "Deprecated", "Removed")


@cache
def surface() -> tuple[str, ...]:
    """Return a line for each public thing: its name, then its signature."""
    return tuple(sorted({*python_lines(), *command_lines(), *text_lines(), *data_lines()}))


def subject(line: str) -> str:
    """Return the subject of a line, without its signature: `puzzlec.count`, `puzzlec solve --all`, `PZ301`.

    >>> subject("puzzlec.count(what: str) -> int"), subject("puzzlec solve --limit N: int = None")
    ('puzzlec.count', 'puzzlec solve --limit')
    """
    return re.split(r"[(:=]| [A-Z\[{]", line, maxsplit=1)[0].strip()


def released(changes: str) -> str:
    """Return the last released version in a changelog, or an empty text."""
    found = re.search(r"(?m)^## (\d+\.\d+\.\d+)", changes)
    return found.group(1) if found else ""


def announced(changes: str) -> dict[str, str]:
    """Return the text of the next version in a changelog, by section: Added, Changed, Deprecated, Removed."""
    found = re.search(r"(?ms)^## Unreleased\n(.*?)(?=^## |\Z)", changes)
    parts = re.split(r"(?m)^### (\w+)\n", found.group(1) if found else "")
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def unannounced(before: Sequence[str], after: Sequence[str], changes: str) -> list[str]:
    """Return the differences between two surfaces that the changelog does not name.

    New things may be named anywhere in the part about the next version. Removed or changed things must be under
    Renamed, Changed, Deprecated or Removed; a number of solutions may also be under Fixed. Members and options of a
    new or removed thing need no separate line, nor does a new puzzle. :func:`is_named` decides whether a text names a
    thing.
    """
    named = announced(changes)
    anywhere = "\n".join(named.values())
    warned = "\n".join(text for section, text in named.items() if section in CHANGED)
    fixed = warned + named.get("Fixed", "")
    gone = {subject(line) for line in set(before) - set(after)}
    whole = {name for name in gone if not any(subject(line) == name for line in after)}
    new = {subject(line) for line in set(after) - set(before)} - gone
    fresh = {name for name in new if not name.startswith("puzzle ") and _owner(name) not in new}
    return [
        f"{name} is gone or changed"
        for name in sorted(gone)
        if _owner(name) not in whole and not is_named(name, fixed if name.startswith("puzzle ") else warned)
    ] + [f"{name} is new" for name in sorted(fresh) if not is_named(name, anywhere)]


def _owner(name: str) -> str:
    """Return the owner of a thing: the class of a member, the command of an option.

    >>> _owner("puzzlec.Job.run"), _owner("puzzlec count --raw"), _owner("json count.nodes")
    ('puzzlec.Job', 'puzzlec count', 'json count')
    """
    return name.rpartition(" " if name.startswith("puzzlec ") else ".")[0]


def is_named(name: str, text: str) -> bool:
    """Whether a text in Markdown names a thing: a code of a diagnostic anywhere, everything else in backticks.

    An option must be in the same list entry as its command or the word "commands". An argument is named with its
    command. Other names may be alone or with their owner. Words of a command line do not name a function.

    >>> is_named("PZ302", "PZ301 to PZ303"), is_named("puzzlec solve --all", "- `solve` has `--all`")
    (True, True)
    >>> is_named("puzzlec.board", "the board"), is_named("puzzlec.count", "`puzzlec count soma`")
    (False, False)
    >>> [is_named("puzzlec.Job.run", each) for each in ("`run`", "`Job.run(processes=4)`", "`job.running`")]
    [True, True, False]
    """
    if re.fullmatch(r"PZ\d{3}", name):
        named = re.findall(r"PZ(\d{3})(?: to PZ(\d{3}))?", text)
        return any(int(first) <= int(name[2:]) <= int(last or first) for first, last in named)
    if name.startswith("puzzlec "):
        return any(_is_option_named(name.split(" ")[1:], point) for point in re.split(r"(?m)^- ", text))
    last = name.split(" ")[-1]
    own = re.compile(rf"\.?{re.escape(last.rpartition('.')[2])}(\(.*\))?")
    return any(
        own.fullmatch(code)
        or any(word == last or last.endswith(f".{word}") for word in re.findall(r"\w[\w-]*[./][\w./-]*\w", code))
        for code in _codes(text)
    )


def _is_option_named(words: Sequence[str], point: str) -> bool:
    """Whether a list entry names a command and this option of it."""
    command, *option = words
    codes = _codes(point)
    if not option or not option[0].startswith("-"):
        return any(re.match(rf"(?:puzzlec )?{command}(?![\w./(-])", code) for code in codes)
    has_option = any(option[0] in re.split(r"[\s=|\[\]]", code) for code in codes)
    has_command = command.startswith("-") or any(
        re.search(rf"(?<![\w./-]){command}(?![\w./(-])", code) for code in codes
    )
    return has_option and (has_command or "commands" in point)


def _codes(text: str) -> list[str]:
    """Return the texts in backticks, with each white space as one space."""
    return [" ".join(code.split()) for code in re.findall(r"`([^`]+)`", text)]


def record() -> None:
    """Record the surface for the last released version."""
    changes = CHANGES.read_text(encoding="utf-8")
    if any(announced(changes).values()):
        raise SystemExit("CHANGELOG.md has changes under Unreleased: give them a version first")
    RECORD.write_text("\n".join([f"# version {released(changes)}", *surface(), ""]), encoding="utf-8")


if __name__ == "__main__":
    if "--record" in sys.argv[1:]:
        record()
    else:
        print("\n".join(surface()))  # noqa: T201
