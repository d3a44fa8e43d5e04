"""The requests of the page to the server: those for files and processes, and those that need neither."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

from puzzlec.services.sandbox.child import Child
from puzzlec.services.web import RefusalError, answers
from puzzlec.services.web.answers import Call, Download, string
from puzzlec.services.web.folder import Folder
from puzzlec.services.web.jobs import WORKER, Checking, Limits, Solving

Lines = AsyncIterator[bytes]


@dataclass
class Api:
    """All requests of the page. The methods raise RefusalError to refuse one."""

    folder: Folder
    limits: Limits
    checking: Checking = field(init=False)
    pictures: Checking = field(init=False)
    solving: Solving = field(init=False)

    def __post_init__(self) -> None:
        self.checking = Checking(self.folder.root, self.limits)
        self.pictures = Checking(self.folder.root, self.limits)
        self.solving = Solving(self.folder.root, self.limits)
        self._exports = 0
        self._writing = asyncio.Lock()

    async def start(self, call: Call) -> dict[str, Any]:  # noqa: ARG002
        """Return the data that the page needs at its start."""
        shown = _shown(self.folder.root.name or str(self.folder.root))
        return answers.start(shown, self.limits.seconds, self.limits.memory)

    async def puzzles(self, call: Call) -> dict[str, Any]:  # noqa: ARG002
        """Return the catalogue."""
        return await asyncio.to_thread(answers.puzzles)

    async def pieces(self, call: Call) -> dict[str, Any]:  # noqa: ARG002
        """Return the number of pieces of each puzzle of the catalogue."""
        return await asyncio.to_thread(answers.pieces)

    async def picture(self, call: Call) -> dict[str, Any]:
        """Return a small picture of a puzzle of the catalogue."""
        return await self.pictures.ask("", answers.picture_task(call.path["name"]))

    async def puzzle(self, call: Call) -> dict[str, Any]:
        """Return a puzzle of the catalogue."""
        return answers.puzzle(call.path["name"])

    async def example(self, call: Call) -> dict[str, Any]:
        """Return the starting file of a kind of puzzle, with comments as wide as the ``columns`` of the page."""
        return answers.example(call.path["name"], call.query.get("columns", ""))

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
        name, text = string(call.body, "name", 200), string(call.body, "text")
        known, force = string(call.body, "known", 64) or None, call.body.get("force") is True
        async with self._writing:  # one at a time: the file is compared, then overwritten
            written = await asyncio.to_thread(self.folder.write, name, text, known, force)
        return {"name": written.name, "digest": written.digest}

    async def check(self, call: Call) -> dict[str, Any]:
        """Return the errors of a text, its numbers, and its pictures."""
        return await self.checking.check(string(call.body, "page", 64), answers.task(call.body, self._place))

    async def edit(self, call: Call) -> dict[str, Any]:
        """Return the edits of a text that make a change of its board or pieces."""
        return await self.checking.ask(string(call.body, "page", 64), answers.edit_task(call.body, self._place))

    async def stages(self, call: Call) -> dict[str, Any]:
        """Return the stages of a puzzle: its texts, its exact cover, and the nodes of the search."""
        return await self.checking.ask(string(call.body, "page", 64), answers.stages_task(call.body, self._place))

    async def play(self, call: Call) -> dict[str, Any]:
        """Return the game of a text."""
        task = answers.play_task(call.body, self._place)
        return await self.checking.ask(string(call.body, "page", 64), task, overtakes=False)

    async def moves(self, call: Call) -> dict[str, Any]:
        """Return all moves from a state of a solution."""
        task = answers.moves_task(call.body, self._place)
        return await self.checking.ask(string(call.body, "page", 64), task, overtakes=False)

    async def libraries(self, call: Call) -> dict[str, Any]:
        """Return the shape libraries for a lattice."""
        return await asyncio.to_thread(answers.libraries_of, call.query.get("lattice", ""))

    async def solve(self, call: Call) -> dict[str, Any]:
        """Start to solve a text; return the name of the job."""
        seconds = answers.patience(call.body, self.limits.seconds)
        return {"job": self.solving.start(answers.solve_task(call.body, self._place), seconds).name}

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
        task = answers.export_task(call.body, self._place)
        if self._exports >= self.limits.at_once:
            raise RefusalError(429, "other exports are running; try again in a moment", "busy")
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
        return answers.exported(task, message)

    def _place(self, name: str) -> str:
        """Return the path of a file in the folder, which is also the position of its lattice."""
        return str(self.folder.path(name).relative_to(self.folder.root))

    async def close(self) -> None:
        """End all processes."""
        await self.checking.close()
        await self.pictures.close()
        await self.solving.close()


def _shown(name: str) -> str:
    """Return a name from the system as a text: it may contain bytes that are not characters."""
    return name.encode("utf-8", "replace").decode()
