"""The requests of the page: check, solve and export puzzles, within limits."""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the extra `web` is not installed")
pytest.importorskip("uvicorn", reason="the extra `web` is not installed")

from puzzlec import compiler
from puzzlec.formats import catalogue
from puzzlec.services.web.jobs import Checking, WebLimits
from tests.services.web.serving import Running, running

ROWS = 'puzzle "Rows"\nlocations box 3x3\npiece I x3 { xxx }\n'

#: A count takes more than an hour in any way: 25 of 29 pieces fill a cube of 125 cells.
LONG = 'puzzle "Long"\nlattice cubic\nlocations box 5x5x5\npieces pentacubes x0..1\n'

#: Too many placements: they take minutes to list, and gigabytes.
HUGE = "locations box 150x150\n" + "".join(f"piece p{k} {{ {'x' * k}./{'x' * (k + 1)} }}\n" for k in range(1, 40))


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    limits = WebLimits(seconds=20, memory=2**29, checking=20.0, absent=1.0)
    with running(tmp_path_factory.mktemp("inside"), limits) as found:
        yield found


def workers() -> set[int]:
    """The worker processes of this process."""
    listed = subprocess.run(["ps", "-ww", "-eo", "pid,ppid,args"], capture_output=True, text=True, check=True).stdout
    rows = (line.split(None, 2) for line in listed.splitlines()[1:])
    return {int(row[0]) for row in rows if int(row[1]) == os.getpid() and "puzzlec.services.web.worker" in row[2]}


def wait_until(true: Any, seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it did not come about"
        time.sleep(0.05)


def check(here: Running, text: str, **more: object) -> Any:
    answer = here.post("/api/check", {"text": text, "page": "test", **more})
    assert answer.status == 200, answer.body
    return answer.json


def test_the_errors_of_a_text_have_places(here: Running) -> None:
    found = check(here, 'puzzle "x"\nlocations box 3x3\npiece I { xx }\npiece I { x }\nlokations box 1x1\n')
    assert {diagnostic["code"][:3] for diagnostic in found["diagnostics"]} == {
        "PZ1",
        "PZ3",
    }  # the first error hides no other
    doubled = check(here, "locations box 3x3\npiece I { xx }\npiece I { x }\n")["diagnostics"][0]
    assert (doubled["code"], doubled["span"]["start"]) == ("PZ301", {"line": 3, "column": 7, "offset": 39})


def test_a_text_without_errors_has_numbers_and_pictures(here: Running) -> None:
    found = check(here, ROWS)
    assert found["why"] == "complete"
    assert found["diagnostics"] == []
    assert found["numbers"] == {"locations": 9, "pieces": 1, "placements": 6}
    assert found["board"]["svg"].startswith("<svg")
    assert [(piece["name"], piece["copies"], piece["placements"]) for piece in found["pieces"]] == [("I", "3", 6)]
    assert found["pieces"][0]["picture"]["svg"].startswith("<svg")


def test_a_reason_why_there_is_no_solution_comes_with_the_pictures(here: Running) -> None:
    found = check(here, "locations box 3x3\npiece I x4 { xx }\n")
    assert [diagnostic["code"] for diagnostic in found["diagnostics"]] == ["PZ401"]
    assert found["numbers"]["placements"] == 12


@pytest.mark.parametrize("name", ["soma/soma", "queens/8", "cover/items", "dpf/dominoes"])
def test_puzzles_of_the_catalogue_are_shown(here: Running, name: str) -> None:
    found = here.get(f"/api/catalogue/{name}").json
    path = catalogue.find(name)
    assert path is not None
    assert found["text"] == path.read_text(encoding="utf-8")
    shown = check(here, found["text"], catalogue=name)
    assert shown["why"] == "complete"
    assert shown["diagnostics"] == []
    assert shown["numbers"]


def test_a_lattice_beside_a_text_is_found_in_the_folder_and_nowhere_else(here: Running, tmp_path: Path) -> None:
    wall = Path(compiler.__file__).parents[1] / "puzzles" / "new" / "wall.yaml"
    text = here.get("/api/examples/lattice").json["text"]
    assert check(here, text)["diagnostics"][0]["code"] == "PZ001"
    (here.served.folder.root / "wall.yaml").write_bytes(wall.read_bytes())
    assert check(here, text)["diagnostics"] == []
    secret = tmp_path / "secret.yaml"
    secret.write_text("secret: 12345\n")
    (here.served.folder.root / "link.yaml").symlink_to(secret)
    for name in (str(secret), os.path.relpath(secret, here.served.folder.root), "link.yaml"):
        (only,) = check(here, f'puzzle "x"\nlattice "{name}"\nlocations box 2x2\npiece I {{ xx }}\n')["diagnostics"]
        assert (only["code"], "12345" in json.dumps(only)) == ("PZ001", False)
        assert "outside the folder" in only["message"]


def test_files_in_the_folder_are_never_run(tmp_path: Path) -> None:
    for name in ("puzzlec", "json", "lark", "numpy"):
        (tmp_path / f"{name}.py").write_text(f"open({str(tmp_path / 'run')!r}, 'w')\n")
    with running(tmp_path) as found:
        assert check(found, ROWS)["numbers"]["placements"] == 6
    assert not (tmp_path / "run").exists()


@pytest.mark.slow
def test_a_huge_text_does_not_stop_the_server_and_the_next_text_is_checked(here: Running) -> None:
    begun = time.monotonic()
    slow: list[Any] = []
    thread = threading.Thread(target=lambda: slow.append(check(here, HUGE)))
    thread.start()
    assert here.get("/api/files").status == 200
    thread.join()
    assert slow[0]["why"] in ("seconds", "memory")
    assert time.monotonic() - begun < 60  # not the minutes that the text needs
    assert check(here, ROWS)["numbers"]["placements"] == 6


@pytest.mark.slow
def test_the_newest_text_of_a_page_wins(here: Running) -> None:
    found: dict[int, Any] = {}
    threads = []
    for number, text in enumerate([HUGE, *[ROWS.replace("Rows", str(k)) for k in range(6)]]):
        threads.append(threading.Thread(target=lambda k=number, t=text: found.__setitem__(k, check(here, t))))
        threads[-1].start()
        time.sleep(0.1)
    for thread in threads:
        thread.join()
    assert found[6]["title"] == "5"
    assert found[0]["why"] == "newer"
    assert sum(end["why"] == "complete" for end in found.values()) < 7


@pytest.mark.slow
def test_the_memory_of_one_text_is_free_for_the_next_one(tmp_path: Path) -> None:
    with running(tmp_path, WebLimits(memory=2**23)) as found:  # half of it is less than the libraries take
        before = workers()
        for number in range(2):
            assert check(found, ROWS.replace("Rows", str(number)))["numbers"]["placements"] == 6
            assert workers() == before


def test_many_pages_do_not_take_each_other_s_turns(tmp_path: Path) -> None:
    checking, begun = Checking(tmp_path, WebLimits()), asyncio.Event()

    async def checked(page: str, task: dict[str, Any]) -> dict[str, Any]:
        await begun.wait()
        return {"why": "complete"}

    checking._asked = checked  # type: ignore[method-assign]

    async def ask() -> list[dict[str, Any]]:
        asked = [asyncio.create_task(checking.check(str(page), {})) for page in range(110)]
        await asyncio.sleep(0)
        begun.set()
        return await asyncio.gather(*asked)

    assert sum(end["why"] == "complete" for end in asyncio.run(ask())) >= 100


def test_a_solve_sends_its_solutions_and_its_end(here: Running) -> None:
    lines = here.get(f"/api/jobs/{here.solve(ROWS, goal='some', raw=True)}").lines
    last = lines[-1]
    assert (last["event"], last["why"], last["found"]) == ("end", "complete", "2")
    views = [message for message in lines if message["event"] == "view"]
    assert len(views[-1]["solutions"]) == 2
    assert views[-1]["data"]["solutions"]["number"] == 2
    assert [message["number"] for message in lines] == sorted({message["number"] for message in lines})


def test_a_count_is_that_of_the_catalogue(here: Running) -> None:
    text = here.get("/api/catalogue/soma/soma").json["text"]
    last = here.get(f"/api/jobs/{here.solve(text, goal='count')}").lines[-1]
    assert (last["why"], last["found"], last["counted"]) == ("complete", "240", "240 distinct solutions")


def test_a_puzzle_without_solutions_has_a_reason(here: Running) -> None:
    last = here.get(f"/api/jobs/{here.solve('locations box 3x3' + chr(10) + 'piece I x4 { xx }' + chr(10))}").lines[-1]
    assert last["found"] == "0"
    assert [diagnostic["code"] for diagnostic in last["diagnostics"]] == ["PZ401"]


def test_a_text_with_errors_is_not_solved_and_the_errors_are_sent(here: Running) -> None:
    (last,) = here.get(f"/api/jobs/{here.solve('piece')}").lines
    assert (last["event"], last["why"]) == ("end", "faulty")
    assert last["diagnostics"][0]["severity"] == "error"


def test_parameters_boards_and_problems_are_taken(here: Running) -> None:
    text = here.get("/api/examples/queens").json["text"]
    for n in (5, 9):
        assert check(here, text, parameters={"n": n})["numbers"]["optional"] == n * n
    assert check(here, text, parameters={"m": 5})["diagnostics"][0]["code"] == "PZ331"
    pieces = compiler.convert("soma", "cells")
    plain = pieces.split("\n", 1)[1]  # without the comment with the board
    assert check(here, plain, format="cells")["diagnostics"][0]["code"] == "PZ251"
    assert check(here, plain, format="cells", board="3x3x3")["numbers"]["locations"] == 27
    for wrong in ({"n": "5"}, {"n": 1.5}, [5], {"n": 10**12}):
        assert here.post("/api/check", {"text": text, "page": "p", "parameters": wrong}).status == 400


def test_cancelling_ends_the_process_and_makes_room(here: Running) -> None:
    jobs = [here.solve(LONG, goal="count") for _ in range(2)]
    refused = here.post("/api/solve", {"text": ROWS})
    assert (refused.status, refused.json["reason"]) == (429, "busy")
    wait_until(lambda: len(workers()) >= 2)
    told: list[Any] = []
    thread = threading.Thread(target=lambda: told.extend(here.get(f"/api/jobs/{jobs[0]}").lines))
    thread.start()
    time.sleep(0.3)
    before = workers()
    for job in jobs:
        assert here.post(f"/api/jobs/{job}/cancel", {}).status == 200
    thread.join(10)
    assert (told[-1]["event"], told[-1]["why"]) == ("end", "cancelled")
    wait_until(lambda: len(workers() & before) <= len(before) - 2)
    assert here.get(f"/api/jobs/{here.solve(ROWS)}").lines[-1]["why"] == "some"


@pytest.mark.slow
def test_a_long_search_sends_progress_and_ends_at_its_limit(here: Running) -> None:
    job = here.solve(LONG, goal="count", seconds=0.6)
    lines = here.get(f"/api/jobs/{job}").lines
    assert [message["event"] for message in lines].count("progress") >= 1
    assert lines[-1]["why"] in ("limit", "seconds")
    again = here.get(f"/api/jobs/{job}").lines  # a page that was loaded again also gets the end
    assert again[-1] == lines[-1]
    assert here.get(f"/api/jobs/{job}?after={lines[-1]['number']}").lines == []


@pytest.mark.slow
def test_a_solve_without_a_listener_ends(here: Running) -> None:
    job = here.solve(LONG, goal="count")
    connection = http.client.HTTPConnection("127.0.0.1", here.served.port, timeout=20)
    connection.request("GET", f"/api/jobs/{job}", headers={"X-Puzzlec-Token": here.served.token})
    assert connection.getresponse().readline()
    connection.close()  # the page has closed
    wait_until(lambda: here.get("/api/files").status == 200 and _ended(here, job))
    assert here.get(f"/api/jobs/{job}").lines[-1]["why"] == "absent"


def _ended(here: Running, job: str) -> bool:
    time.sleep(0.3)
    return here.post("/api/solve", {"text": "", "goal": "nothing"}).status == 400 and not _process_of(job)


def _process_of(job: str) -> bool:
    return len(workers()) > 1  # the one that checks texts stays


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux bounds the memory of a process")
def test_a_solve_that_needs_too_much_memory_is_ended(tmp_path: Path) -> None:
    with running(tmp_path, WebLimits(seconds=60, memory=2**25)) as found:
        lines = found.get(f"/api/jobs/{found.solve(HUGE)}").lines
        assert (lines[-1]["event"], lines[-1]["why"]) == ("end", "memory")
        assert found.get(f"/api/jobs/{found.solve(ROWS)}").lines[-1]["why"] == "some"


def test_files_are_written_and_their_state_is_reported(here: Running) -> None:
    saved = here.post("/api/save", {"name": "mine/rows.puzzle", "text": ROWS}).json
    assert (here.served.folder.root / "mine" / "rows.puzzle").read_text() == ROWS
    assert "mine/rows.puzzle" in here.get("/api/files").json["files"]
    assert here.get("/api/file?name=mine/rows.puzzle").json["text"] == ROWS
    assert here.get("/api/state?name=mine/rows.puzzle").json["digest"] == saved["digest"]
    again = here.post("/api/save", {"name": "mine/rows.puzzle", "text": "other"})
    assert (again.status, again.json["reason"]) == (409, "exists")
    assert here.post("/api/save", {"name": "mine/rows.puzzle", "text": "other", "known": saved["digest"]}).status == 200


@pytest.mark.parametrize(
    "format", ["dlx", *(pytest.param(name, marks=pytest.mark.slow) for name in ("dpf", "compact", "cnf", "json"))]
)
def test_a_puzzle_is_written_in_other_formats(here: Running, format: str) -> None:
    text = here.get("/api/catalogue/soma/soma").json["text"]
    answer = here.post("/api/export", {"text": text, "name": "mine.puzzle", "to": format})
    assert answer.headers["content-disposition"].startswith('attachment; filename="mine.')
    assert answer.body.decode() == compiler.convert("soma/soma", format)
    titled = here.post("/api/export", {"text": ROWS.replace("Rows", "My Own, 3 pieces!"), "to": "json"})
    assert titled.headers["content-disposition"] == 'attachment; filename="my-own-3-pieces.json"', titled.body


@pytest.mark.slow
@pytest.mark.parametrize(
    ("format", "module", "begins"),
    [("svg", "json", b"<svg"), ("png", "resvg_py", b"\x89PNG"), ("html", "json", b"<!DOCTYPE html>"),
     ("stl", "manifold3d", b"puzzlec"), ("3mf", "manifold3d", b"PK"), ("glb", "manifold3d", b"glTF"),
     ("dxf", "shapely", b"  0")],
)  # fmt: skip
def test_a_solution_is_written_as_a_picture_and_as_a_model(
    here: Running, format: str, module: str, begins: bytes
) -> None:
    pytest.importorskip(module)
    text = here.get("/api/catalogue/pentominoes/6x10").json["text"]
    lines = here.get(f"/api/jobs/{here.solve(text)}").lines
    chosen = next(message for message in lines if message["event"] == "view")["solutions"]
    answer = here.post("/api/export", {"text": text, "name": "mine.puzzle", "to": format, "solutions": chosen})
    assert answer.headers["content-disposition"] == f'attachment; filename="mine.{format}"', answer.body
    assert answer.body.startswith(begins)


@pytest.mark.slow
def test_unsupported_features_of_a_format_are_reported(here: Running) -> None:
    text = here.get("/api/catalogue/cover/items").json["text"]
    answer = here.post("/api/export", {"text": text, "catalogue": "cover/items", "to": "compact"})
    assert answer.json["diagnostics"][0]["code"] == "PZ502"
    assert here.post("/api/export", {"text": ROWS, "to": "exe"}).status == 400
    wrong = here.post("/api/export", {"text": ROWS, "to": "svg", "solutions": [[[0, 1, 9]]]})
    assert wrong.json["diagnostics"][0]["code"] == "PZ608"


def test_a_title_with_markup_stays_a_text(here: Running) -> None:
    title = "<script>alert(1)</script><img src=x onerror=alert(2)>&amp;"
    text = ROWS.replace("Rows", title)
    found = check(here, text)
    assert found["title"] == title
    assert "<script" not in found["board"]["svg"]
    lines = here.get(f"/api/jobs/{here.solve(text)}").lines
    assert next(message for message in lines if message["event"] == "view")["data"]["title"] == title


@pytest.mark.long
def test_ctrl_c_ends_every_process_and_gives_the_port_back(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "puzzlec", "serve", str(tmp_path), "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        port, token = int(address.split(":")[2].split("/")[0]), address.split("token=")[1]
        headers = {"X-Puzzlec-Token": token, "Content-Type": "application/json"}
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        connection.request("POST", "/api/solve", json.dumps({"text": LONG, "goal": "count"}), headers)
        job = json.loads(connection.getresponse().read())["job"]
        connection.request("GET", f"/api/jobs/{job}", headers=headers)
        answer = connection.getresponse()
        assert answer.readline()
        children = subprocess.run(
            ["ps", "-o", "pid=", "--ppid", str(process.pid)], capture_output=True, text=True
        ).stdout.split()
        assert children
        process.send_signal(signal.SIGINT)
        lines = [json.loads(line) for line in answer.read().splitlines() if line]
        assert lines[-1]["why"] == "closed"
        connection.close()
        assert process.wait(15) == 0
        assert process.stderr is not None
        assert "Traceback" not in process.stderr.read()
    for child in children:
        with pytest.raises(ProcessLookupError):
            os.kill(int(child), 0)
    again = subprocess.run(
        [sys.executable, "-c", f"import socket; socket.create_server(('127.0.0.1', {port}))"], capture_output=True
    )
    assert again.returncode == 0, again.stderr


@pytest.mark.slow
def test_a_worker_ends_when_the_server_was_killed(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "puzzlec", "serve", str(tmp_path), "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        headers = {"X-Puzzlec-Token": address.split("token=")[1], "Content-Type": "application/json"}
        connection = http.client.HTTPConnection(address.split("/")[2], timeout=20)
        connection.request("POST", "/api/solve", json.dumps({"text": LONG, "goal": "count"}), headers)
        job = json.loads(connection.getresponse().read())["job"]
        connection.request("GET", f"/api/jobs/{job}", headers=headers)
        assert connection.getresponse().readline()
        children = subprocess.run(
            ["ps", "-o", "pid=", "--ppid", str(process.pid)], capture_output=True, text=True
        ).stdout.split()
        process.kill()
        connection.close()
    assert children
    wait_until(lambda: not any(_is_alive(int(child)) for child in children))


def _is_alive(process: int) -> bool:
    found = subprocess.run(["ps", "-o", "stat=", "-p", str(process)], capture_output=True, text=True).stdout.strip()
    return bool(found) and not found.startswith("Z")


@pytest.mark.parametrize(
    ("accepted", "words"), [("de-AT,de;q=0.9,en;q=0.8", "Diese Seite gibt es nicht"), ("fr", "No such page")]
)
def test_a_missing_page_speaks_the_language_of_the_browser(here: Running, accepted: str, words: str) -> None:
    answer = here.ask("GET", "/nothing", Accept_Language=accepted)
    assert answer.status == 404
    assert f"<h1>{words}</h1>" in answer.body.decode()
    assert here.ask("GET", "/missing.html").status == 404
