"""Lists of mistakes with the messages that they get: text files that a test reads and, if asked, writes again.

A block of a list is one mistake:

    > piece C x 3 { xx }
    PZ101 1:9 write `x3`
    = piece C x3 { xx }

The line with `>` is the mistake, and `|` begins further lines of it. The next line has the code, the position within
the mistake, and the suggestion of its first diagnostic. The lines with `=` are the text once the suggestion is
followed. `allowed` instead of a code means that it is no mistake. A line `base NAME` begins the text around the
mistakes, in which `@` stands for the mistake, and `with NAME` takes it for the blocks that follow. `then PZ401` is a
second mistake that remains. `because REASON` tells why there is no suggestion to follow. `!` instead of `=` is a text
that follows the suggestion by hand, because it needs a decision.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Mistake:
    """A mistake, the text around it, its message, and the text once the suggestion is followed."""

    text: str
    base: str
    line: int
    message: str = ""
    fixed: list[str] = field(default_factory=list)
    decided: bool = False
    then: str = ""
    because: str = ""

    def within(self, text: str) -> str:
        """Return a text in place of the mistake."""
        return self.base.replace("@", text, 1)


@dataclass
class Listing:
    """The lines of a list: mistakes, and headings and other lines between them."""

    parts: list[str | Mistake]

    @property
    def mistakes(self) -> Iterator[Mistake]:
        """The mistakes, in order."""
        return (part for part in self.parts if isinstance(part, Mistake))

    def write(self, path: Path) -> None:
        """Write the list again."""
        lines: list[str] = []
        for part in self.parts:
            if isinstance(part, str):
                lines.append(part)
                continue
            lines += [f"> {part.text}".replace("\n", "\n| ")]
            lines += [part.message] * bool(part.message)
            sign = "!" if part.decided else "="
            for number, fixed in enumerate(part.fixed):
                lines += ["or"] * bool(number) + [f"{sign} {line}".rstrip() for line in fixed.split("\n")]
            lines += [f"then {part.then}"] * bool(part.then)
            lines += [f"because {part.because}"] * bool(part.because)
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def listed(path: Path) -> Listing:
    """Return the list in a file."""
    bases: dict[str, str] = {}
    parts: list[str | Mistake] = []
    base, now = "@", ""
    here: Mistake | None = None
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        sign, rest = line[:1], line[2:]
        if sign == "|" and here is not None:
            here.text += f"\n{rest}"
            continue
        if sign == ">":
            here = Mistake(rest, base, number)
            parts.append(here)
            continue
        if here is not None and sign in ("=", "!"):
            here.decided = sign == "!"
            if now == "fixed":
                here.fixed[-1] += f"\n{rest}"
            else:
                here.fixed.append(rest)
            now = "fixed"
            continue
        now = ""
        if line.startswith("then ") and here is not None:
            here.then = line[5:]
        elif line.startswith("because ") and here is not None:
            here.because = line[8:]
        elif line == "or":
            pass
        elif here is not None and not here.message and line.strip() and not line.startswith(("with ", "base ", "#")):
            here.message = line
        else:
            here = None
            parts.append(line)
            word, _, name = line.partition(" ")
            if word == "base":
                bases[name] = ""
                last = name
            elif sign == " ":
                bases[last] += f"{line[2:]}\n"
            elif word == "with":
                base = bases[name]
    return Listing(parts)
