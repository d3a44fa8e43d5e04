"""The requests of the page: a method for each, independent of HTTP except for the request itself."""

from __future__ import annotations

import asyncio
import re
import textwrap
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from puzzlec.formats import catalogue
from puzzlec.formats.catalogue import kinds, starting_file
from puzzlec.formats.registry import FORMATS, WRITERS
from puzzlec.language.highlight.syntax import contexts
from puzzlec.make.table import OUTPUTS, PAGES, PICTURES
from puzzlec.services.sandbox.child import Child, content_of
from puzzlec.services.web.exporting import KINDS
from puzzlec.services.web.folder import ENDINGS, Folder, name_error
from puzzlec.services.web.jobs import WORKER, Checking, Limits, Solving
from puzzlec.services.web.refusals import RefusalError
from puzzlec.services.web.settings import SETTINGS, settings_of
from puzzlec.version import __version__

#: Characters in a line of the editor, in a window of usual width.
WIDTH = 54

#: Fewest characters in a line of a comment: narrower ones are hard to read.
NARROWEST = 30

_COMMENT = re.compile(r"(\s*#[ ]*)(\S.*)")
_STATEMENT = re.compile(r"(\w.*?\S)\s+#\s+(\S.*)")


def folded(text: str, width: int = WIDTH) -> str:
    r"""Return a text of the puzzle language with comments of at most this width. Its meaning stays the same.

    If a line is too long, the comment after its statement moves above it. Statements do not change.

    >>> print(folded("# one two three four\npiece I { xx }  # five six", 16), end="")
    # one two three
    # four
    # five six
    piece I { xx }
    """
    return "".join(f"{line}\n" for each in text.splitlines() for line in _lines(each, width))


def _lines(line: str, width: int) -> Iterator[str]:
    comment, statement = _COMMENT.fullmatch(line), _STATEMENT.fullmatch(line)
    if len(line) <= width or (comment is None and statement is None):
        yield line
    elif comment is not None:
        first, words = comment.groups()
        # Explanations have a separate column, so their further lines are indented.
        further = first + "    " if re.search(r"\S {2,}\S", words) else first
        yield from textwrap.wrap(
            words,
            width,
            initial_indent=first,
            subsequent_indent=further,
            break_long_words=False,
            break_on_hyphens=False,
        )
    elif statement is not None:
        yield from _lines(f"# {statement[2]}", width)
        yield statement[1]


#: Most characters of a text that is checked or solved.
LONGEST = 4 * 2**20


class Call(NamedTuple):
    """A request: the parts of its address (``path`` by names, ``query``), and the JSON in its body."""

    path: Mapping[str, str] = {}
    query: Mapping[str, str] = {}
    body: Mapping[str, Any] = {}


class Download(NamedTuple):
    """A file for the user, and remarks about it."""

    name: str
    media: str
    content: bytes
    remarks: tuple[str, ...] = ()


Lines = AsyncIterator[bytes]


@dataclass
class Api:
    """All requests of the page. The methods raise RefusalError to refuse one."""

    folder: Folder
    limits: Limits
    checking: Checking = field(init=False)
    solving: Solving = field(init=False)

    def __post_init__(self) -> None:
        self.checking = Checking(self.folder.root, self.limits)
        self.solving = Solving(self.folder.root, self.limits)
        self._exports = 0
        self._writing = asyncio.Lock()

    async def start(self, call: Call) -> dict[str, Any]:  # noqa: ARG002
        """Return the data that the page needs at its start."""
        rules = {
            name: {
                "rules": [
                    each if isinstance(each, str) else [each.pattern, each.roles, each.opens] for each in one.rules
                ],
                "end": one.end,
                "role": one.role,
            }
            for name, one in contexts().items()
        }
        return {
            "version": __version__,
            "folder": _shown(self.folder.root.name or str(self.folder.root)),
            "seconds": self.limits.seconds,
            "memory": self.limits.memory,
            "endings": ENDINGS,
            "syntax": rules,
            "examples": [each._asdict() for each in kinds()],
            "readable": {each.name: each.summary for each in FORMATS.values() if each.name != "npz"},
            "pieces_only": [each.name for each in FORMATS.values() if each.pieces_only],
            "problems": [each.name for each in FORMATS.values() if each.has_problems],
            "exports": exports(),
        }

    async def puzzles(self, call: Call) -> dict[str, Any]:  # noqa: ARG002
        """Return the catalogue."""
        return {
            "puzzles": [
                {
                    "name": each.name,
                    "title": each.title,
                    "tags": each.tags,
                    "distinct": None if each.distinct is None else str(each.distinct),
                    "raw": None if each.raw is None else str(each.raw),
                    "slow": each.slow,
                }
                for each in catalogue.entries()
                if not each.name.startswith("new/")
            ]
        }

    async def puzzle(self, call: Call) -> dict[str, Any]:
        """Return a puzzle of the catalogue."""
        name = call.path["name"]
        path = catalogue.find(name) if re.fullmatch(r"[a-z0-9-]+(?:/[a-z0-9-]+)*", name) else None
        if path is None or path.suffix == ".npz":
            raise RefusalError(404, f"no puzzle `{name}` in the catalogue", "missing")
        text = path.read_text(encoding="utf-8")
        if len(text) > LONGEST:
            raise RefusalError(413, f"`{name}` is too large for this page", "size")
        return {"name": name, "file": path.name, "text": text}

    async def example(self, call: Call) -> dict[str, Any]:
        """Return the starting file of a kind of puzzle, with comments as wide as the ``columns`` of the page."""
        name = call.path["name"]
        if name not in {each.name for each in kinds()}:
            raise RefusalError(404, f"no example `{name}`", "missing")
        columns = call.query.get("columns", "")
        width = max(NARROWEST, int(columns)) if columns.isdecimal() and len(columns) < 5 else WIDTH
        return {"name": f"new/{name}", "file": f"{name}.puzzle", "text": folded(starting_file(name), width)}

    async def files(self, call: Call) -> dict[str, Any]:  # noqa: ARG002
        """Return the names of the files in the folder."""
        return {"files": await asyncio.to_thread(self.folder.listing)}

    async def file(self, call: Call) -> dict[str, Any]:
        """Return the text of a file."""
        return (await asyncio.to_thread(self.folder.read, call.query.get("name", "")))._asdict()

    async def state(self, call: Call) -> dict[str, Any]:
        """Return the current digest of a file."""
        return {"digest": await asyncio.to_thread(self.folder.state, call.query.get("name", ""))}

    async def save(self, call: Call) -> dict[str, Any]:
        """Write a file."""
        name, text = _string(call, "name", 200), _string(call, "text")
        known, force = _string(call, "known", 64) or None, call.body.get("force") is True
        async with self._writing:  # one at a time: the file is compared, then overwritten
            written = await asyncio.to_thread(self.folder.write, name, text, known, force)
        return {"name": written.name, "digest": written.digest}

    async def check(self, call: Call) -> dict[str, Any]:
        """Return the errors of a text, its numbers, and its pictures."""
        return await self.checking.check(_string(call, "page", 64), self.task(call))

    async def solve(self, call: Call) -> dict[str, Any]:
        """Start to solve a text; return the name of the job."""
        task = {**self.task(call), "do": "solve", "raw": call.body.get("raw") is True}
        task["goal"] = _string(call, "goal", 10) or "first"
        if task["goal"] not in ("first", "some", "count"):
            raise RefusalError(400, "unknown goal; choose first, some or count")
        limit, seconds = call.body.get("limit"), call.body.get("seconds")
        task["limit"] = limit if isinstance(limit, int) and limit > 0 else None
        patience = min(seconds, self.limits.seconds) if isinstance(seconds, int | float) else self.limits.seconds
        return {"job": self.solving.start(task, patience if patience > 0 else self.limits.seconds).name}

    def follow(self, call: Call) -> Lines:
        """Yield the messages of a job, as lines of JSON, until it ends."""
        after = call.query.get("after", "0")
        job = self.solving.named(call.path["job"])
        return self.solving.listen(job, int(after) if after.isdecimal() and len(after) < 10 else 0)

    async def cancel(self, call: Call) -> dict[str, Any]:
        """End a job."""
        self.solving.cancel(self.solving.named(call.path["job"]))
        return {}

    async def export(self, call: Call) -> Download | dict[str, Any]:
        """Return a puzzle as a file in some format; or ``diagnostics`` with the reason why that fails."""
        to = _string(call, "to", 20)
        if to not in WRITERS and to not in KINDS:
            raise RefusalError(400, f"nothing is made that is called `{to}`")
        if self._exports >= self.limits.at_once:
            raise RefusalError(429, "other exports are running; try again in a moment", "busy")
        solutions = call.body.get("solutions") or []
        if not _is_numbers(solutions):
            raise RefusalError(400, "expected the solutions as lists of numbers")
        settings = call.body.get("settings") or {}
        settings_of(to, settings)  # others are refused at once
        task = {**self.task(call), "do": "export", "to": to, "solutions": solutions, "settings": settings}
        message: dict[str, Any] = {}
        self._exports += 1
        try:
            try:
                child = await Child.start(WORKER, self.folder.root, self.limits.memory)
            except OSError:  # too many processes, or the folder is gone
                raise RefusalError(503, "cannot start a process for the export", "system") from None
            try:
                await child.ready()
                async for told in child.ask(task, min(60.0, self.limits.seconds)):
                    message = told  # the last message is the end
            finally:
                await child.end()
        finally:
            self._exports -= 1
        if message.get("why") != "complete":
            return {key: message[key] for key in ("why", "diagnostics", "message") if key in message}
        ending = KINDS[to].ending if to in KINDS else WRITERS[to].endings[0]
        stem = re.sub(r"[^\w-]+", "-", task["name"].rpartition("/")[2].split(".")[0]) or "puzzle"
        media = KINDS[to].media if to in KINDS else "application/octet-stream"
        if message.get("packed"):
            ending, media = ".zip", "application/zip"
        return Download(stem + ending, media, content_of(message), tuple(message.get("remarks", ())))

    def task(self, call: Call) -> dict[str, Any]:
        """Return the puzzle of a call, in the form of a task; raise RefusalError for invalid data."""
        text = _string(call, "text")
        if len(text) > LONGEST:
            raise RefusalError(413, f"the text is too long (limit {LONGEST // 2**20} million characters)", "size")
        name = _string(call, "name", 200)
        known = _string(call, "catalogue", 200)
        path = catalogue.find(known) if re.fullmatch(r"[a-z0-9-]+(?:/[a-z0-9-]+)*", known) else None
        if path is None:
            # The format comes from the extension. A text without a name is in the puzzle language.
            path = self.folder.path(name).relative_to(self.folder.root) if name and not name_error(name) else None
        parameters = call.body.get("parameters") or {}
        if not isinstance(parameters, dict) or not all(
            isinstance(value, int) and abs(value) < 10**9 for value in parameters.values()
        ):
            raise RefusalError(400, "expected an integer for each parameter")
        return {
            "text": text,
            "name": str(path or "puzzle.puzzle"),
            "format": _string(call, "format", 20) or None,
            "board": _string(call, "board", 40) or None,
            "problem": _string(call, "problem", 200) or None,
            "parameters": parameters,
        }

    async def close(self) -> None:
        """End all processes."""
        await self.checking.close()
        await self.solving.close()


def exports() -> list[dict[str, Any]]:
    """Return the kinds of files that the page can make; ``extra`` is a missing package."""
    rows = [
        (each.name, each.summary, "pictures" if each.kind in (PICTURES, PAGES) else "models", each.missing)
        for each in OUTPUTS
    ]
    rows += [(writer.name, writer.summary, "formats", "") for writer in WRITERS.values()]
    return [
        {
            "name": name,
            "summary": summary,
            "group": group,
            "extra": extra,
            "settings": [setting.as_data() for setting in SETTINGS.get(name, ())],
        }
        for name, summary, group, extra in rows
    ]


def _shown(name: str) -> str:
    """Return a name from the system as a text: it may hold bytes that are not characters."""
    return name.encode("utf-8", "replace").decode()


def _string(call: Call, name: str, longest: int = 2**25) -> str:
    value = call.body.get(name)
    if value is None:
        return ""
    if not isinstance(value, str) or len(value) > longest:
        raise RefusalError(400, f"expected a text of at most {longest} characters for `{name}`")
    return value


def _is_numbers(solutions: object) -> bool:
    """Whether this is a list of lists of lists of integers, and not too long."""
    if not isinstance(solutions, list) or len(solutions) > 1000:
        return False
    return all(
        isinstance(one, list) and all(isinstance(of, list) and all(type(k) is int for k in of) for of in one)
        for one in solutions
    )
