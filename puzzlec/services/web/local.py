"""The page without a server: the compiler runs in a worker of the browser, and this module answers its requests.

The worker calls :func:`ask` with the requests that the server handles in :mod:`puzzlec.services.web.app`. The answers
are made by the same functions. Files, jobs and limits of time belong to the page (``static/local.js``). The build of
the site stores :func:`stored` answers beside the page, so that it shows a puzzle before the compiler has arrived.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator
from typing import Any

from puzzlec.diagnostics import as_dict
from puzzlec.diagnostics.error import fail
from puzzlec.formats.catalogue import entries
from puzzlec.geometry import lattice_names
from puzzlec.services.web import RefusalError, answers
from puzzlec.services.web.tasks import do

#: Limits of one solve in a browser: seconds, and bytes for the tables of a count. Python there has 2 GB at most.
SECONDS, MEMORY = 120.0, 2**29

#: Gets one message, as JSON.
Post = Callable[[str], object]

#: Requests that need no limits, with the functions that read them.
_TASKS = {
    "edit": answers.edit_task,
    "complete": answers.complete_task,
    "explain": answers.explain_task,
    "play": answers.play_task,
    "moves": answers.moves_task,
    "stages": answers.stages_task,
}


def ask(path: str, request: str, post: Post) -> None:
    """Answer a request, given as JSON; the last message is an ``end``.

    ``path`` is ``check``, ``edit``, ``complete``, ``explain``, ``play``, ``moves``, ``stages``, ``solve`` or
    ``export``. A refused request ends with the reason ``refused``.
    """

    def tell(event: str, **more: Any) -> None:
        post(json.dumps({"event": event, **more}, separators=(",", ":"), allow_nan=False))

    body = json.loads(request)
    try:
        if path == "export":
            _export(body, tell)
        elif path == "solve":
            seconds = answers.patience(body, SECONDS)
            _do({**answers.solve_task(body), "seconds": seconds, "memory": MEMORY}, tell)
        elif path in _TASKS:
            _do(_TASKS[path](body), tell)
        else:
            _do({**answers.task(body), "do": "check"}, tell)
    except RefusalError as refusal:
        tell("end", why="refused", status=refusal.status, message=refusal.message, reason=refusal.reason)
    except MemoryError:
        tell("end", why="memory")
    except Exception as error:  # a bug of puzzlec: the page reports it, without a traceback
        tell("end", why="internal", message=f"{type(error).__name__}: {error}"[:500])


def _do(task: dict[str, Any], tell: Callable[..., None]) -> None:
    """Do a task. A missing package, which the browser does not have, is reported like an error of the puzzle."""
    try:
        do(task, tell)
    except ModuleNotFoundError as missing:
        lacking = fail(
            "PZ505", f"this needs the package `{missing.name}`, which the browser lacks", help="use `puzzlec serve`"
        )
        tell("end", why="lacking", diagnostics=[as_dict(diagnostic) for diagnostic in lacking.diagnostics])


def _export(body: dict[str, Any], tell: Callable[..., None]) -> None:
    task = answers.export_task(body)
    last: dict[str, Any] = {}

    def keep(event: str, **more: Any) -> None:  # noqa: ARG001
        last.update(more)

    _do(task, keep)
    file = answers.exported(task, last)
    if isinstance(file, dict):
        tell("end", **{"why": "faulty", **file})
        return
    content = base64.b64encode(file.content).decode()
    tell("end", why="complete", name=file.name, media=file.media, content=content, remarks=file.remarks)


def stored() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the answers that are stored beside the page, with their paths: the start, the catalogue, its texts."""
    start = answers.start(None, SECONDS, MEMORY)
    start["exports"] = [export for export in start["exports"] if not export["extra"]]
    yield "start", start
    yield "catalogue", answers.puzzles()
    for name in lattice_names():
        yield f"libraries/{name}", answers.libraries_of(name)
    for example in start["examples"]:
        yield f"examples/{example['name']}", answers.example(example["name"])
    for entry in entries():
        if not entry.name.startswith("new/"):
            yield f"catalogue/{entry.name}", answers.puzzle(entry.name)


def checked(puzzle: dict[str, Any]) -> dict[str, Any]:
    """Return the answer to a check of a text of :func:`stored`, which the page shows until the compiler is there."""
    messages: dict[str, Any] = {}
    ask(
        "check",
        json.dumps({"text": puzzle["text"], "catalogue": puzzle["name"]}),
        lambda line: messages.update(json.loads(line)),
    )
    return messages
