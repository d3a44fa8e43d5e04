"""What of puzzlec is public, as lines of text: what the promise of docs/stability.md is about.

python -m tests.public_surface           prints the lines
python -m tests.public_surface --record  writes them down for the version that CHANGELOG.md has last
"""

from __future__ import annotations

import enum
import importlib
import inspect
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
RECORD = ROOT / "tests" / "golden" / "public_surface.txt"
CHANGES = ROOT / "CHANGELOG.md"

#: The modules whose ``__all__`` is public.
MODULES = ("puzzlec", "puzzlec.engine")


def surface() -> list[str]:
    """Return a line for everything that is public: names of Python, commands, formats, codes, exit statuses."""
    return sorted({*_python(), *_commands(), *_formats(), *_statuses()})


def subject(line: str) -> str:
    """Return what a line is about, without how it is called: `puzzlec.count`, `puzzlec solve --all`, `PZ301`.

    >>> subject("puzzlec.count(what: str) -> int"), subject("puzzlec solve --limit N: int = None")
    ('puzzlec.count', 'puzzlec solve --limit')
    """
    return re.split(r"[(:=]| [A-Z\[{]", line, maxsplit=1)[0].strip()


def released(changes: str) -> str:
    """Return the version that a changelog has released last; an empty text where it has none."""
    found = re.search(r"(?m)^## (\d+\.\d+\.\d+)", changes)
    return found.group(1) if found else ""


def announced(changes: str) -> dict[str, str]:
    """Return what a changelog says of the version to come, by section: Added, Changed, Deprecated, Removed."""
    found = re.search(r"(?ms)^## Unreleased\n(.*?)(?=^## |\Z)", changes)
    parts = re.split(r"(?m)^### (\w+)\n", found.group(1) if found else "")
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def unannounced(before: Sequence[str], after: Sequence[str], changes: str) -> list[str]:
    """Return what differs between two surfaces and is not told in the changelog.

    What is new may be told anywhere in the part about the version to come; what is gone or is called in another
    way is told under Changed, Deprecated or Removed. It is told by its last word, in backticks or as a code.
    """
    told = announced(changes)
    anywhere = " ".join(told.values())
    warned = " ".join(text for section, text in told.items() if section in ("Changed", "Deprecated", "Removed"))
    gone = {subject(line) for line in set(before) - set(after)}
    new = {subject(line) for line in set(after) - set(before)}
    return [f"{each} is gone or changed" for each in sorted(gone) if not _is_named(each, warned)] + [
        f"{each} is new" for each in sorted(new - gone) if not _is_named(each, anywhere)
    ]


def _is_named(name: str, text: str) -> bool:
    last = re.split(r"[ .]", name)[-1]
    return re.search(rf"(?<![\w-]){re.escape(last)}(?![\w-])", text) is not None


def _python() -> Iterator[str]:
    """Give the public names, and the public members of the public classes."""
    for module_name in MODULES:
        module = importlib.import_module(module_name)
        for name in module.__all__:
            found = getattr(module, name)
            yield f"{module_name}.{name}{_signature(found)}"
            if inspect.isclass(found):
                yield from _members(f"{module_name}.{name}", found)


def _members(name: str, found: type[Any]) -> Iterator[str]:
    """Give what a class has: its own, and what its bases of puzzlec give it."""
    if issubclass(found, enum.Enum):
        yield from (f"{name}.{each.name} = {each.value!r}" for each in found)
        return
    bases = [base for base in found.__mro__ if base.__module__.startswith("puzzlec")]
    members = {key: value for base in reversed(bases) for key, value in vars(base).items()}
    fields = {key for base in bases for key in vars(base).get("__annotations__", {})}
    for key in sorted({*members, *fields}):
        if not key.startswith("_"):
            value = members.get(key)
            value = value.__func__ if isinstance(value, (staticmethod, classmethod)) else value
            yield f"{name}.{key}{_signature(value) if inspect.isfunction(value) else ''}"


def _signature(found: object) -> str:
    """Return how something is called: parameters with their defaults, as written."""
    if not callable(found) or inspect.ismodule(found):
        return ""
    try:
        signature = inspect.signature(found)
    except (TypeError, ValueError):
        return ""
    text = str(signature.replace(return_annotation=inspect.Signature.empty))
    return re.sub(r" at 0x[0-9a-f]+", "", text)


def _commands() -> Iterator[str]:
    """Give the commands with their arguments and options."""
    from puzzlec.cli.commands import COMMANDS
    from puzzlec.cli.group import Commands

    commands = Commands(name="puzzlec")
    yield "puzzlec --version"
    for name in COMMANDS:
        command = commands.get_command(None, name)
        yield f"puzzlec {name}"
        for each in command.params:
            if each.param_type_name == "argument":
                yield f"puzzlec {name} {each.name}: argument{'' if each.required else ', optional'}"
            else:
                named = getattr(each.type_descriptor.annotation, "__name__", "text")
                kind = "flag" if each.is_flag else "list" if each.multiple else named
                for flag in each.opts:
                    yield f"puzzlec {name} {flag}: {kind} = {each.default!r}"


def _formats() -> Iterator[str]:
    """Give the formats that are read and written."""
    from puzzlec.readers.formats import FORMATS
    from puzzlec.writers.formats import WRITERS

    yield from (f"format read {name}: {' '.join(sorted(each.endings))}" for name, each in FORMATS.items())
    yield from (f"format written {name}: {' '.join(sorted(each.endings))}" for name, each in WRITERS.items())


def _statuses() -> Iterator[str]:
    """Give the exit statuses and the codes of diagnostics."""
    from puzzlec.cli.exit_status import ExitStatus
    from puzzlec.diagnostics import CODES

    yield from (f"ExitStatus.{each.name} = {each.value}" for each in ExitStatus)
    yield from (f"{code}: code of a diagnostic" for code in CODES)


def record() -> None:
    """Write the surface down as that of the version that was released last."""
    changes = CHANGES.read_text(encoding="utf-8")
    if any(announced(changes).values()):
        raise SystemExit("CHANGELOG.md has changes under Unreleased: give them a version first")
    RECORD.write_text("\n".join([f"# version {released(changes)}", *surface(), ""]), encoding="utf-8")


if __name__ == "__main__":
    if "--record" in sys.argv[1:]:
        record()
    else:
        print("\n".join(surface()))  # noqa: T201
