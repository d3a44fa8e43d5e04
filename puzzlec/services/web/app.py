"""The requests of the page to the server, and the application of starlette with its routes."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import cache, partial
from html import escape
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, Any

from puzzlec.services.sandbox.child import Child
from puzzlec.services.web import RefusalError, answers
from puzzlec.services.web.answers import Call, Download, string
from puzzlec.services.web.folder import Folder
from puzzlec.services.web.jobs import WORKER, Checking, Solving, WebLimits
from puzzlec.services.web.safety import LARGEST_BODY, Application, Guard
from puzzlec.services.web.shorter import short_script, short_style
from puzzlec.show.words.languages import languages, spoken, without_scripts

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import Route


Lines = AsyncIterator[bytes]


@dataclass
class Api:
    """All requests of the page. The methods raise RefusalError to refuse one."""

    folder: Folder
    limits: WebLimits
    checking: Checking = field(init=False)
    completing: Checking = field(init=False)
    solving: Solving = field(init=False)

    def __post_init__(self) -> None:
        self.checking = Checking(self.folder.root, self.limits)
        self.completing = Checking(self.folder.root, self.limits)
        self.solving = Solving(self.folder.root, self.limits)
        self._exports = 0
        self._writing = asyncio.Lock()

    async def start(self, call: Call) -> dict[str, Any]:  # noqa: ARG002
        """Return the data that the page needs at its start."""
        folder_name = _shown(self.folder.root.name or str(self.folder.root))
        return answers.start(folder_name, self.limits.seconds, self.limits.memory)

    async def puzzles(self, call: Call) -> dict[str, Any]:  # noqa: ARG002
        """Return the catalogue."""
        return await asyncio.to_thread(answers.puzzles)

    async def picture(self, call: Call) -> dict[str, Any]:
        """Return the picture of a puzzle of the catalogue."""
        return await asyncio.to_thread(answers.picture, call.path["name"])

    async def apart(self, call: Call) -> dict[str, Any]:
        """Return the stored moves of a burr of the catalogue."""
        return await asyncio.to_thread(answers.apart, call.path["name"])

    async def puzzle(self, call: Call) -> dict[str, Any]:
        """Return a puzzle of the catalogue."""
        return answers.puzzle(call.path["name"])

    async def example(self, call: Call) -> dict[str, Any]:
        """Return the starting file of a kind of puzzle."""
        return answers.example(call.path["name"])

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
        seen, force = string(call.body, "known", 64) or None, call.body.get("force") is True
        async with self._writing:  # one at a time: the file is compared, then overwritten
            written = await asyncio.to_thread(self.folder.write, name, text, seen, force)
        return {"name": written.name, "digest": written.digest}

    async def check(self, call: Call) -> dict[str, Any]:
        """Return the errors of a text, its numbers, and its pictures."""
        task = answers.task(call.body, self._place)
        return await self.checking.check(string(call.body, "page", 64), task, call.body.get("fresh") is True)

    async def edit(self, call: Call) -> dict[str, Any]:
        """Return the edits of a text that make a change of its board or pieces."""
        return await self.checking.ask(string(call.body, "page", 64), answers.edit_task(call.body, self._place))

    async def complete(self, call: Call) -> dict[str, Any]:
        """Return the words that can follow at a position of a text. A check of the text does not delay them."""
        return await self.completing.ask(string(call.body, "page", 64), answers.complete_task(call.body, self._place))

    async def explain(self, call: Call) -> dict[str, Any]:
        """Return the meaning of a character of a text. A check of the text does not delay it."""
        return await self.completing.ask(string(call.body, "page", 64), answers.explain_task(call.body, self._place))

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
                async for answer in child.ask(task, min(60.0, self.limits.seconds)):
                    message = answer  # the last message is the end
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
        await self.completing.close()
        await self.solving.close()


def _shown(name: str) -> str:
    """Return a name from the system as a text: it may contain bytes that are not characters."""
    return name.encode("utf-8", "replace").decode()


#: The files of the page with their types. No other file is served.
STATIC = Path(__file__).parent / "static"
MEDIA = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css",
    ".js": "text/javascript",
    ".json": "application/json",
    ".svg": "image/svg+xml",
}

Answer = Callable[[Call], Awaitable[dict[str, Any] | Download]]


#: Seconds within which a body must arrive.
SLOWEST_BODY = 30


def application(api: Api, host: str, port: int, token: str, ticket: str = "") -> Application:
    """Return the server as an ASGI application, with its guard."""
    from starlette.applications import Starlette
    from starlette.routing import Route

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:  # noqa: ARG001
        yield
        await api.close()

    async def enter(call: Call) -> dict[str, Any]:  # noqa: ARG001
        return {"token": token}

    asked, sent = partial(_route, "GET"), partial(_route, "POST")
    routes: list[Route] = [
        sent("enter", enter),
        asked("start", api.start),
        asked("catalogue", api.puzzles),
        asked("catalogue/{name:path}", api.puzzle),
        asked("pictures/{name:path}", api.picture),
        asked("apart/{name:path}", api.apart),
        asked("examples/{name}", api.example),
        asked("files", api.files),
        asked("file", api.file),
        asked("state", api.state),
        sent("save", api.save),
        asked("libraries", api.libraries),
        sent("check", api.check),
        sent("edit", api.edit),
        sent("complete", api.complete),
        sent("explain", api.explain),
        sent("stages", api.stages),
        sent("play", api.play),
        sent("moves", api.moves),
        sent("solve", api.solve),
        sent("export", api.export),
        sent("jobs/{job}/cancel", api.cancel),
        Route("/api/jobs/{job}", _followed(api.follow)),
        *_pages(),
    ]
    inside = Starlette(
        routes=routes, lifespan=lifespan, exception_handlers={RefusalError: _refusal, 404: _missing, Exception: _fault}
    )
    return Guard(inside, host, port, token, ticket)


def _route(method: str, path: str, answer: Answer) -> Route:
    from starlette.routing import Route

    async def endpoint(request: Request) -> Response:
        body = await _body(request) if method == "POST" else {}
        return _response(await answer(Call(request.path_params, request.query_params, body)))

    return Route(f"/api/{path}", endpoint, methods=[method])


def _followed(follow: Callable[[Call], Lines]) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        from starlette.responses import StreamingResponse

        return StreamingResponse(
            follow(Call(request.path_params, request.query_params)), media_type="application/x-ndjson"
        )

    return endpoint


def _pages() -> list[Route]:
    """Return a route for each file of the page. They come from a table, so no address leads to another file."""
    from starlette.routing import Route

    files = {f"/{name}": (make, MEDIA[Path(name).suffix]) for name, make in contents().items()}
    files["/"] = files["/index.html"] = (first_page("local.js", "compiler.js").encode, MEDIA[".html"])
    return [Route(address, _page(make, media)) for address, (make, media) in files.items()]


def contents() -> dict[str, Callable[[], bytes]]:
    """Return functions that return the files of the page, by their names. Scripts and styles are shorter than here."""
    paths = [path for path in STATIC.iterdir() if path.suffix in MEDIA and path.name != "missing.html"]
    return {path.name: partial(_content, path) for path in sorted(paths)} | FILES


def _content(path: Path) -> bytes:
    short = {".js": short_script, ".css": short_style}.get(path.suffix)
    return short(path.read_text(encoding="utf-8")) if short else path.read_bytes()


def first_page(*without: str) -> str:
    """Return the page, with the names of the languages and of its modules except ``without``.

    So the browser requests all modules at once. Otherwise it would find some only after others have arrived. A module
    that a pane loads when it is opened first is left out.
    """
    page = re.sub(r"(?m)^ +", "", (STATIC / "index.html").read_text(encoding="utf-8"))
    names = json.dumps({code: file["name"] for code, file in languages().items()}, ensure_ascii=False)
    scripts = {path.name: path.read_text(encoding="utf-8") for path in STATIC.glob("*.js")}
    later = {name for text in scripts.values() for name in re.findall(r'import\("\./([\w-]+\.js)"\)', text)}
    modules = sorted({*scripts, "language.js"} - {*without, *later, "worker.js"})
    modules.sort(key=lambda name: f'"./{name}"' not in scripts["early.js"])  # its requests are the first that leave
    head = "".join(f'<link rel="modulepreload" href="{name}">\n' for name in modules)
    page = page.replace('<html lang="en"', f'<html lang="en" data-languages="{escape(names)}"', 1)
    page = page.replace("<body>", f"<body>\n<noscript>{without_scripts('page')}</noscript>", 1)
    return page.replace("</head>", f"{head}</head>", 1)


def _page(make: Callable[[], bytes], media: str) -> Callable[[Request], Awaitable[Response]]:
    content = cache(make)

    async def endpoint(request: Request) -> Response:  # noqa: ARG001
        from starlette.responses import Response

        return Response(content(), headers={"content-type": media})

    return endpoint


async def _body(request: Request) -> dict[str, Any]:
    """Return the JSON of a request; raise RefusalError if it is invalid or too large."""
    content = bytearray()
    try:
        async with asyncio.timeout(SLOWEST_BODY):
            async for chunk in request.stream():
                content += chunk
                if len(content) > LARGEST_BODY:
                    raise RefusalError(413, f"request is larger than {LARGEST_BODY // 2**20} MB")
    except TimeoutError:
        raise RefusalError(408, f"the request did not arrive within {SLOWEST_BODY} s") from None
    try:
        body = json.loads(content)
    except (ValueError, RecursionError):
        raise RefusalError(400, "expected JSON") from None
    if not isinstance(body, dict):
        raise RefusalError(400, "expected a JSON object")
    return body


def _response(answer: dict[str, Any] | Download) -> Response:
    from starlette.responses import Response

    if isinstance(answer, Download):
        headers = {"content-disposition": f'attachment; filename="{_plain(answer.name)}"', "content-type": answer.media}
        if answer.remarks:  # JSON in ASCII, as headers need
            headers["x-puzzlec-remarks"] = json.dumps([remark[:300] for remark in answer.remarks[:5]])
        return Response(answer.content, headers=headers)
    return _json(answer)


def _json(data: dict[str, Any], status: int = 200) -> Response:
    """Return data as JSON in ASCII: it may contain surrogates, which have no other encoding."""
    from starlette.responses import Response

    content = json.dumps(data, separators=(",", ":"), allow_nan=False).encode()
    return Response(content, status, media_type="application/json")


def _plain(name: str) -> str:
    """Return a name in ASCII for a header; the page knows the full name."""
    return "".join(sign if sign.isascii() and sign.isprintable() and sign not in '"\\' else "_" for sign in name)


async def _refusal(request: Request, error: Exception) -> Response:  # noqa: ARG001
    assert isinstance(error, RefusalError)
    return _json({"message": error.message, "reason": error.reason}, error.status)


async def _missing(request: Request, error: Exception) -> Response:  # noqa: ARG001
    """Answer a request for a missing page, with a link back, in a language of the browser."""
    from starlette.responses import HTMLResponse

    code = spoken(request.headers.get("accept-language", ""))
    words = {key.split(".")[-1]: escape(text) for key, text in languages()[code]["plain"].items()}
    page = Template((STATIC / "missing.html").read_text(encoding="utf-8"))
    return HTMLResponse(page.substitute(words, language=code), 404, {"Vary": "Accept-Language"})


async def _fault(request: Request, error: Exception) -> Response:  # noqa: ARG001
    """Answer after a bug of puzzlec, without its position in the code."""
    return _json({"message": "this is a bug in puzzlec", "reason": "internal"}, 500)


def _script() -> bytes:
    from puzzlec.show.game.writing import game_source, shared_names
    from puzzlec.show.page.writing import silent_source

    games = game_source(True, False, True) + game_source(False, False)
    return short_script(silent_source(shared_names(games)))


def _style() -> bytes:
    from puzzlec.show.page.writing import viewer_style

    return short_style(viewer_style())


def _language() -> bytes:
    from puzzlec.show.words.languages import language_source

    return short_script(f"{language_source()}export {{ languageOf }};\n")


def _game(staged: bool, turning: bool = False) -> bytes:
    from puzzlec.show.game.writing import game_source, shared_names

    source = game_source(staged, False, turning)
    names = (
        f"const {{ grouped, phrase, parts }} = PuzzleView;\nconst {{ {', '.join(shared_names(source))} }} = parts;\n"
    )
    return short_script(f"{names}{source}\nexport {{ keyOf, PuzzleGame }};\n")


def _game_style() -> bytes:
    from puzzlec.show.game.writing import game_style

    return short_style(game_style())


#: The parts of the page that are loaded when they are opened first, with their words.
_LATER = ("export", "rule", "stages")


def _words(code: str, part: str = "") -> Callable[[], bytes]:
    """Return the function that returns the words of a language: those of a part, or those that the page needs first."""
    words_of_page = languages()[code]
    beginnings = (f"{part}.",) if part else tuple([f"{later}." for later in _LATER])
    words = {key: text for key, text in words_of_page["words"].items() if key.startswith(beginnings) is bool(part)}
    file = {
        "words": words,
        "answers": {"": words_of_page["answers"], "export": words_of_page["exports"]}.get(part, {}),
    }
    return json.dumps(file, ensure_ascii=False, separators=(",", ":")).encode


#: The files of `puzzlec view` and `puzzlec play` that the page uses, and the functions that make them.
FILES: dict[str, Callable[[], bytes]] = {
    "viewer.js": _script,
    "language.js": _language,
    "viewer.css": _style,
    "game-flat.js": partial(_game, staged=False),
    "game-solid.js": partial(_game, staged=True),
    "game-turning.js": partial(_game, staged=True, turning=True),
    "game.css": _game_style,
    **{f"words-{code}.json": _words(code) for code in languages()},
    **{f"words-{part}-{code}.json": _words(code, part) for part in _LATER for code in languages()},
}
