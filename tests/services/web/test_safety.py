"""The guard of the server: it refuses other pages, other names, other users and large requests."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

pytest.importorskip("starlette", reason="the extra `web` is not installed")
pytest.importorskip("uvicorn", reason="the extra `web` is not installed")

from puzzlec.services.web import RefusalError, server
from puzzlec.services.web.answers import MAX_TEXT_CHARACTERS
from puzzlec.services.web.safety import LARGEST_BODY, TOKEN, Guard, Message, Receive, Send, allows_host
from tests.services.web.serving import Running, running


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("inside")
    (folder / "own.puzzle").write_text('puzzle "own"\n')
    with running(folder) as found:
        yield found


@pytest.mark.parametrize(
    "header",
    ["evil.example", "evil.example:{port}", "127.0.0.1.evil.example:{port}", "localhost:1", "localhost",
     "10.0.0.1:{port}", "", "localhost:{port}:{port}", "[::2]:{port}", "localhost.:{port}", "user@localhost:{port}",
     "0.0.0.0:{port}"],
)  # fmt: skip
@pytest.mark.parametrize("path", ["/", "/api/start", "/main.js"])
def test_a_name_that_is_not_this_machine_s_is_refused(here: Running, header: str, path: str) -> None:
    answer = here.get(path, Host=header.format(port=here.served.port))
    assert answer.status in (400, 421)
    assert b"own" not in answer.body


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost", "LOCALHOST", "[::1]"])
def test_the_names_of_this_machine_are_served(here: Running, name: str) -> None:
    host = f"{name}:{here.served.port}"
    assert here.get("/api/files", Host=host).json == {"files": ["own.puzzle"]}


def test_a_ticket_gives_the_token_once(tmp_path: Path) -> None:
    with running(tmp_path) as found:
        ticket = found.served.once.split("ticket=")[1]
        assert ticket not in found.served.address
        assert found.post("/api/enter", {}).status == 403  # not even for the token
        assert found.get("/api/files", X_Puzzlec_Token=ticket).status == 403
        assert found.post("/api/enter", {}, X_Puzzlec_Token=ticket, Origin="http://evil.example").status == 403
        assert found.post("/api/enter", {}, X_Puzzlec_Token=ticket).json == {"token": found.served.token}
        for again in (ticket, ""):
            assert found.post("/api/enter", {}, X_Puzzlec_Token=again).status == 403


def test_idle_connections_are_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "protocol", partial(server.protocol, 0.3, 5))
    with running(tmp_path) as found, ExitStack() as stack:
        place = ("127.0.0.1", found.served.port)
        waiting = [stack.enter_context(socket.create_connection(place, timeout=5)) for _ in range(20)]
        for connection in waiting:
            with suppress(OSError):  # there are too many: the first ones are already closed
                connection.sendall(b"GET / HTTP/1.1\r\nHos")
        assert found.get("/api/files").status == 200
        for connection in waiting:
            with suppress(ConnectionError):
                assert connection.recv(1) == b""
        assert found.get("/api/files").status == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"X_Puzzlec_Token": None}, {"X_Puzzlec_Token": ""}, {"X_Puzzlec_Token": "x" * 22},
        {"Origin": "http://evil.example"}, {"Origin": "null"}, {"Origin": "http://localhost:1"},
        {"Origin": "https://127.0.0.1:{port}"}, {"Sec_Fetch_Site": "cross-site"}, {"Sec_Fetch_Site": "same-site"},
        {"Sec_Fetch_Site": "none"},
    ],
)  # fmt: skip
def test_other_pages_and_those_without_the_token_get_nothing(here: Running, headers: dict[str, str | None]) -> None:
    filled = {key: value and value.format(port=here.served.port) for key, value in headers.items()}
    for path in ("/api/start", "/api/files", "/api/file?name=own.puzzle", "/api/jobs/1"):
        assert here.get(path, **filled).status == 403
    for path in ("/api/save", "/api/solve", "/api/check", "/api/export", "/api/jobs/1/cancel"):
        answer = here.post(path, {"name": "new.puzzle", "text": "x", "to": "dpf"}, **filled)
        assert answer.status == 403
        assert "own" not in answer.body.decode()
    assert here.served.folder.listing() == ["own.puzzle"]


def test_a_form_of_another_page_cannot_send_a_valid_request(here: Running) -> None:
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", None):
        assert here.post("/api/save", {"name": "new.puzzle", "text": "x"}, Content_Type=kind).status == 415
    for method in ("PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"):
        assert here.ask(method, "/api/save", {}).status == 405
    assert here.get("/api/save").status == 405
    answer = here.ask("OPTIONS", "/api/start", Origin="http://evil.example", Access_Control_Request_Method="GET")
    assert not [name for name in answer.headers if name.startswith("access-control")]


@pytest.mark.parametrize("path", ["/", "/main.js", "/api/start", "/nothing", "/api/nothing", "/api/jobs/none"])
def test_every_answer_has_the_security_headers(here: Running, path: str) -> None:
    headers = here.get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert "server" not in headers
    assert not [name for name in headers if name.startswith("access-control")]


def test_what_is_loaded_by_the_page_is_in_its_policy() -> None:
    from puzzlec.services.web.app import STATIC

    page = (STATIC / "index.html").read_text(encoding="utf-8")
    for forbidden in ("style=", "onclick", "onload", "<style", "javascript:", "http://", "https://"):
        assert forbidden not in page
    for path in STATIC.glob("*.js"):
        text = path.read_text(encoding="utf-8")
        for forbidden in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function"):
            assert forbidden not in text, path.name


@pytest.mark.parametrize(
    "path",
    ["/../app.py", "/static/../app.py", "/..%2fapp.py", "/%2e%2e/app.py", "/app.py", "//etc/passwd", "/.git/config",
     "/index.html/../main.js", "/%00", "/main.js%00.html", "/api/../main.js"],
)  # fmt: skip
def test_no_address_leads_to_another_file(here: Running, path: str) -> None:
    answer = here.get(path)
    assert answer.status in (403, 404)
    assert b"import" not in answer.body


@pytest.mark.parametrize(
    "name",
    ["..%2fown.puzzle", "%2fetc%2fpasswd", "own.puzzle%00", "..%5cown.puzzle", ".hidden.puzzle", "C%3A%5Cx.puzzle", ""],
)
def test_no_file_outside_is_read_or_asked_for(here: Running, name: str) -> None:
    for what in ("file", "state"):
        assert here.get(f"/api/{what}?name={name}").status in (400, 403)


@pytest.mark.parametrize(
    "name", ["a/../../x", "..", "soma/../../x", "%2e%2e/soma/soma", "/etc/passwd", "SOMA/soma", "soma/soma.puzzle"]
)
def test_no_puzzle_outside_of_the_catalogue_is_opened(here: Running, name: str) -> None:
    assert here.get(f"/api/catalogue/{name}").status == 404


@pytest.mark.parametrize(
    "raw", [b"", b"{", b"[]", b"null", b"\xff", b"[" * 100_000, b'{"name": 1}', b'{"name": "x", "text": []}']
)
def test_an_invalid_body_is_refused_with_a_reason(here: Running, raw: bytes) -> None:
    for path in ("/api/save", "/api/check", "/api/solve", "/api/export"):
        answer = here.ask("POST", path, raw=raw)
        assert answer.status == 400
        assert answer.json["message"]
        assert b"Traceback" not in answer.body


@pytest.mark.long
def test_surrogates_and_huge_numbers_are_answered(here: Running) -> None:
    half = "\ud800"
    text = "locations box 2x1\npiece I { xx }\n"
    for more in ({"format": half}, {"board": half}, {"problem": half}, {"parameters": {half: 1}}, {"name": half}):
        assert here.post("/api/check", {"text": text, "page": "p", **more}).status == 200
    assert here.post("/api/export", {"text": text, "to": half}).status == 400
    for number in ("1" + "0" * 400, "NaN"):
        sent = f'{{"text": "x", "seconds": {number}, "limit": {number}}}'
        answer = here.ask("POST", "/api/solve", raw=sent.encode())
        assert answer.status == 200
        assert here.get(f"/api/jobs/{answer.json['job']}").lines[-1]["why"] == "faulty"


def test_the_longest_text_fits_into_a_request() -> None:
    assert len(json.dumps({"text": "é" * MAX_TEXT_CHARACTERS}, ensure_ascii=False).encode()) < LARGEST_BODY


def test_of_too_many_connections_the_one_that_waits_longest_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    from uvicorn.protocols.http.h11_impl import H11Protocol

    monkeypatch.setattr(H11Protocol, "connection_made", lambda made, transport: setattr(made, "transport", transport))
    kind, clock = server.protocol(most=3), iter(range(9))
    connections, answered = set[Any](), Mock(response_complete=True)
    for cycle in (Mock(response_complete=False), answered, None, None):  # the first one still gets its answer
        made: Any = kind.__new__(kind)
        made.loop, made.connections, made.cycle = Mock(time=lambda: next(clock)), connections, cycle
        connections.add(made)
        made.connection_made(Mock())
    assert [made._since for made in connections if made.transport.abort.called] == [1]


def test_a_body_that_is_too_large_is_not_read(here: Running) -> None:
    answer = here.ask("POST", "/api/save", raw=b"{}", Content_Length=str(LARGEST_BODY + 1))
    assert answer.status == 413
    assert here.post("/api/check", {"text": "x" * 5_000_000, "page": "p"}).status == 413
    assert here.ask("POST", "/api/save", raw=b"{}", Content_Length="-1").status in (400, 413)


def test_a_body_without_a_length_ends_at_the_limit(here: Running) -> None:
    head = (
        f"POST /api/save HTTP/1.1\r\nHost: 127.0.0.1:{here.served.port}\r\nX-Puzzlec-Token: {here.served.token}\r\n"
        "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
    )
    chunk = b"100000\r\n" + b" " * 2**20 + b"\r\n"
    with socket.create_connection(("127.0.0.1", here.served.port), timeout=20) as connection:
        connection.sendall(head.encode())
        try:
            for _ in range(LARGEST_BODY // 2**20 + 4):
                connection.sendall(chunk)
        except OSError:
            pass  # the server has hung up
        try:
            answer = connection.recv(200)
        except OSError:
            answer = b""
    assert not answer or b" 413 " in answer.split(b"\r\n")[0]
    assert here.get("/api/files").status == 200


def test_other_addresses_are_served_by_address_but_not_by_name() -> None:
    for host in ("0.0.0.0", "192.168.1.5"):
        assert allows_host("192.168.1.5:8000", host, 8000)
        assert allows_host("[fe80::1]:8000", host, 8000)
        assert not allows_host("evil.example:8000", host, 8000)
        assert not allows_host("192.168.1.5:8001", host, 8000)
    assert allows_host("puzzles.lan:80", "puzzles.lan", 80)
    assert allows_host("puzzles.lan", "puzzles.lan", 80)


def test_a_bug_is_reported_without_its_place(
    here: Running, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def broken(self: object) -> None:
        raise RuntimeError("at /home/user/secret")

    monkeypatch.setattr(type(here.served.folder), "listing", broken)
    answer = here.get("/api/files")
    assert answer.status == 500
    assert b"secret" not in answer.body
    assert b"Traceback" not in answer.body


def test_answers_about_files_never_contain_paths_of_the_machine(here: Running, tmp_path: Path) -> None:
    root = str(here.served.folder.root).encode()
    for path in ("/api/files", "/api/file?name=none.puzzle", "/api/start", "/api/file?name=..%2fx.puzzle"):
        assert root not in here.get(path).body


async def unreached(scope: Message, receive: Receive, send: Send) -> None:
    raise AssertionError(scope)


def test_a_refusal_does_not_begin_an_answer_again() -> None:
    begun: list[int] = []

    async def late(scope: Message, receive: Receive, send: Send) -> None:
        if scope["path"] == "/late":
            await send({"type": "http.response.start", "status": 200})
        raise RefusalError(400, "too late")

    async def send(message: Message) -> None:
        if message["type"] == "http.response.start":
            begun.append(message["status"])

    guard = Guard(late, "127.0.0.1", 8000, "secret")
    for path, status in (("/late", 200), ("/", 400)):
        begun.clear()
        scope = {"type": "http", "method": "GET", "path": path, "headers": [(b"host", b"127.0.0.1:8000")]}
        asyncio.run(guard(scope, Mock(), send))
        assert begun == [status]


def test_a_header_that_decides_may_occur_only_once() -> None:
    guard = Guard(unreached, "127.0.0.1", 8000, "secret")
    fine = {"host": "127.0.0.1:8000", "origin": "http://127.0.0.1:8000", "content-length": "2", TOKEN: "secret"}
    headers = [(name.encode(), value.encode()) for name, value in fine.items()]
    guard.examine("GET", "/api/files", headers)
    for name, value in fine.items():
        for again in (value, "other"):
            for double in (name, name.upper(), name.title()):
                for more in (
                    [*headers, (double.encode(), again.encode())],
                    [(double.encode(), again.encode()), *headers],
                ):
                    with pytest.raises(RefusalError, match=f"duplicate header {name}") as error:
                        guard.examine("GET", "/api/files", more)
                    assert error.value.status == 400
    guard.examine("GET", "/api/files", [*headers, (b"accept", b"a"), (b"accept", b"b")])
