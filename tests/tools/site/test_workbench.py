"""The workbench of the site in a browser: answers without a server, links, and limits. It asks no other host."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from puzzlec.formats.catalogue import entries
from puzzlec.services.web.jobs import WebLimits
from puzzlec.services.web.safety import HEADERS
from tests.browser import Tab, findings, image_is_there
from tests.services.web.serving import Running, running
from tests.tools.site import links, workbench

Open = Callable[..., Tab]

#: Puzzles of several lattices, with errors, without geometry, and without a solution.
TEN = (
    *("soma/soma", "pentominoes/6x10", "polyhexes/tetrahexes-4x7", "queens/8", "dominoes/4x4", "cover/items"),
    *("polysticks/tetrasticks-5x5-without-J", "balls/kanoodle-pyramid", "burrs/six-piece-1", "latin/order-4"),
)

#: A puzzle with so many solutions that its count does not end.
LONG = 'puzzle "Long"\nlattice cubic\nlocations box 5x5x5\npieces pentacubes x0..1\n'

#: The page after the first worker has started.
READY = "html[data-compiler=ready]"


class _Silent(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture(scope="module")
def site(chromium: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the workbench. A plain server of files runs during the tests of this file.

    Without a browser, the workbench would be built for nothing.
    """
    folder: Path = tmp_path_factory.mktemp("site")
    try:
        workbench.write(folder, is_whole=False)
    except workbench.MissingError as missing:
        pytest.skip(f"no workbench: {missing}")
    (folder / "site").mkdir()
    (folder / "site" / "icon.svg").write_bytes((folder / "workbench" / "icon.svg").read_bytes())
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Silent, directory=str(folder))) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}/workbench/index.html"
        server.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    pytest.importorskip("starlette", reason="the extra `web` is not installed")
    with running(tmp_path_factory.mktemp("served"), WebLimits(seconds=10, memory=2**29)) as found:
        yield found


def says(page: Any, selector: str, text: str | re.Pattern[str], seconds: float = 90) -> None:
    page.locator(selector).filter(has_text=text).first.wait_for(timeout=1000 * seconds)


def is_ready(page: Any) -> None:
    page.locator(READY).wait_for(state="attached", timeout=120_000)


def asked_here(page: Any, path: str, body: dict[str, Any], seconds: float = 120) -> list[dict[str, Any]]:
    """Return the messages of the compiler in the browser about a request."""
    script = """async ([path, body, seconds]) => {
      const { run } = await import("./compiler.js");
      return new Promise((resolve) => {
        const found = [];
        run(path, body, seconds, (message) => {
          if (message.event !== "progress") found.push(message);
          if (message.event === "end") resolve(found);
        });
      });
    }"""
    return list(page.evaluate(script, [path, body, seconds]))


def request(name: str) -> dict[str, Any]:
    """Return the request of the page for a puzzle of the catalogue."""
    path = next(entry.path for entry in entries() if entry.name == name)
    return {"text": path.read_text(encoding="utf-8"), "catalogue": name, "parameters": {}}


def portable(found: object) -> Any:
    """Return an answer without times, folders, and nodes of unfinished searches, which kernels report differently."""
    text = re.sub(r'"[^"]*/(puzzles/)', r'"\1', json.dumps(found))
    return json.loads(
        text,
        object_hook=lambda members: {key: members[key] for key in members if key not in ("seconds", "number", "nodes")},
    )


def outcome(messages: list[dict[str, Any]]) -> Any:
    """Return the solutions and the end of a solve."""
    views = [message for message in messages if message["event"] == "view"]
    return portable([views[-1:], messages[-1]])


def answers_of_serve(server: Running, name: str) -> tuple[Any, Any]:
    body = request(name)
    check = server.post("/api/check", {**body, "page": name}).json
    job = server.solve(**{**body, "goal": "first"})
    lines = [message for message in server.get(f"/api/jobs/{job}").lines if message["event"] != "progress"]
    return check, lines


def difference_of(page: Any, server: Running, name: str, seconds: float = 120) -> str:
    """Return what differs between the answers of the server and of the browser; empty if nothing does."""
    check, lines = answers_of_serve(server, name)
    if lines[-1]["why"] in ("limit", "seconds") or check["why"] != "complete":
        return ""
    merged: dict[str, Any] = {}
    for message in asked_here(page, "check", request(name)):
        merged.update(message)
    if portable(merged) != portable(check):
        return f"{name}: another check"
    here = asked_here(page, "solve", {**request(name), "goal": "first", "seconds": seconds}, seconds + 30)
    if here[-1]["why"] in ("limit", "seconds"):
        return f"{name}: no end in {seconds} s"
    return "" if outcome(here) == outcome(lines) else f"{name}: another solution"


def test_ten_puzzles_have_the_answers_of_the_server(site: str, server: Running, tab: Open) -> None:
    page = tab(site).page
    is_ready(page)
    assert [fault for name in TEN if (fault := difference_of(page, server, name))] == []


#: Its 121 moves take the Python kernel longer than the first picture waits.
LONG_MOVES = "burrs/plates-level-65"


@pytest.mark.slow
def test_a_long_search_for_moves_ends_before_the_solve(site: str, server: Running, tab: Open) -> None:
    page = tab(site).page
    is_ready(page)
    assert difference_of(page, server, LONG_MOVES) == ""


#: A page without a server answers like the server if its search ends in this many seconds. After some minutes a search
#: without numba is another one.
SOON = 10


@pytest.mark.slow
@pytest.mark.timeout(4 * 3600)
def test_every_puzzle_has_the_answers_of_the_server(site: str, server: Running, tab: Open) -> None:
    page = tab(site).page
    page.set_default_timeout(300_000)
    is_ready(page)
    names = [entry.name for entry in entries() if entry.name != LONG_MOVES]
    faults = [fault for name in names if (fault := difference_of(page, server, name, SOON))]
    assert [fault for fault in faults if ": no end" not in fault] == []


def test_a_picture_is_there_before_the_compiler(site: str, tab: Open) -> None:
    seen = tab("about:blank", width=1440, height=860)
    page = seen.page
    page.route("**/compiler/**", lambda route: None)  # it never arrives
    page.goto(f"{site}#soma/soma")
    says(page, "#title", "Soma cube", 20)
    image_is_there(page)
    assert page.locator("#pieces li").count() == 7
    assert page.input_value("#source").splitlines()[2] == 'puzzle "Soma cube"'
    says(page, "#arriving", "getting the compiler, once")
    seen.keep("workbench-waiting")
    assert findings(page) == []


def test_a_puzzle_is_typed_solved_counted_and_cancelled(site: str, tab: Open) -> None:
    seen = tab(f"{site}#{links.fragment(LONG)}", width=1440, height=860)
    page = seen.page
    says(page, "#arriving", re.compile("getting the compiler, 9 MB, once|starting the compiler"))
    is_ready(page)
    says(page, "#title", "Long")
    page.select_option("#goal", "count")
    page.click("#solve")
    says(page, "#figures", "nodes")
    page.keyboard.press("Escape")
    says(page, "#result", "cancelled")
    # The worker of the search has ended. The other one answers at once.
    page.focus("#source")
    page.keyboard.press("Control+A")
    page.keyboard.insert_text('puzzle "Rows"\nlocations box 3x2\npiece I { xxx }\npiece I { xxx }\n')
    says(page, "#faults .message", "duplicate piece I")
    page.locator("#faults button").click()
    page.keyboard.type("J")
    says(page, "#verdict:not(.stale)", "no errors")
    page.check("#raw")
    page.click("#solve")
    says(page, "#result", "2 raw solutions")
    seen.keep("workbench-solved")
    origin = site.split("/workbench/")[0]
    assert {address for address in seen.asked if not address.startswith((origin, "blob:", "data:"))} == set()


def test_a_puzzle_is_played_and_taken_apart_by_hand(site: str, tab: Open) -> None:
    text = 'puzzle "Row"\nlocations box 5x1\npiece D { xx }\npiece T { xxx }\n'
    page = tab(f"{site}#{links.fragment(text)}", width=1440, height=860).page
    is_ready(page)
    page.click("#tab-play")
    page.focus("#play-table .piece >> nth=0")
    for key in ("Enter", "ArrowRight", "Space"):
        page.keyboard.press(key)
    says(page, "#play-table #progress", "2 of 5")
    page.click("#play-table #hint")
    says(page, "#play-table #status", "No solution from here: take back D.")
    page.locator("#play-table .placed g").first.click()
    says(page, "#play-table #progress", "0 of 5")
    page.click("#play-table #solve")
    says(page, "#play-table #status", "This is one solution.")
    page.click("#play-table #write")
    page.wait_for_function("() => document.getElementById('source').value.split('\\nfix ').length === 3")
    page.click("#tab-solutions")
    page.click("#solve")
    page.click("#exploring summary")
    page.locator("#exploring-moves button").filter(has_text=re.compile("^[DT] out, to the (left|right)$")).first.click()
    says(page, "#exploring-why", "All pieces are apart.")


def test_the_worker_has_no_network(site: str, tab: Open) -> None:
    seen = tab(site)
    page = seen.page
    is_ready(page)
    page.wait_for_timeout(200)
    workers = page.workers
    assert workers
    assert all(worker.url.startswith("blob:") for worker in workers)
    for name in ("fetch", "XMLHttpRequest", "WebSocket", "importScripts", "Worker", "indexedDB"):
        assert workers[0].evaluate(f"typeof self.{name}") == "undefined", name
    refused = workers[0].evaluate("import('https://example.org/x.js').then(() => 'loaded', () => 'refused')")
    assert refused == "refused"
    seen.complaints.clear()  # the browser reports the refused import


def test_only_the_workbench_allows_webassembly() -> None:
    assert "wasm-unsafe-eval" in workbench.POLICY
    assert "unsafe-eval" not in HEADERS["content-security-policy"]
    assert "'unsafe-inline'" not in workbench.POLICY


HOSTILE = {
    "text=" + "A" * 10_000_000: "this link is too long",
    "text=" + "A" * 1000: "this link is damaged",
    "text=%ff": "this link is damaged",
    links.fragment("# " + "x" * 2**21): "the text of this link is too large",
    "../../etc/passwd": "this link is damaged",
    "no/such-puzzle": "this page has no such puzzle",
}


@pytest.mark.parametrize("number", range(len(HOSTILE)))
def test_a_hostile_link_gets_an_error(site: str, number: int, tab: Open) -> None:
    fragment, message = list(HOSTILE.items())[number]
    seen = tab("about:blank")
    page = seen.page
    page.route("**/compiler/**", lambda route: None)
    page.goto(site)
    page.locator(".wall img").first.wait_for()
    page.evaluate("held => (location.hash = held)", fragment)
    says(page, "#toast", message, 20)
    page.click(".wall .start button")
    page.wait_for_function(
        "() => document.getElementById('source').value.startsWith('puzzle \"My puzzle\"')"
    )  # it works
    seen.complaints[:] = [complaint for complaint in seen.complaints if "404" not in complaint]


def test_a_script_in_a_title_stays_a_text(site: str, tab: Open) -> None:
    title = "<img src=x onerror=alert(1)><script>alert(1)</script>"
    text = f'puzzle "{title}"\nlocations box 2x1\npiece A {{ xx }}\n'
    seen = tab(f"{site}#{links.fragment(text)}")
    is_ready(seen.page)
    says(seen.page, "#title", title)
    seen.page.click("#share")
    says(seen.page, "#dialog-title", "Share")
    assert findings(seen.page) == []
    frame = seen.page.get_by_label("embedding", exact=True).input_value()
    assert "<script" not in frame
    assert seen.page.locator("img[src=x]").count() == 0


def test_a_link_opens_the_text_the_solution_and_the_view(site: str, tab: Open) -> None:
    seen = tab(f"{site}#soma/soma&solution=3&view=1.000+0.250+1.500+0.000+0.000&palette=wood", width=1440, height=860)
    page = seen.page
    view = page.locator("#viewer .puzzle-view")
    says(page, "#result", "3 distinct solutions")
    seen.settles(lambda: view.get_attribute("data-solution"), "3")
    seen.settles(lambda: view.get_attribute("data-view"), "1.000 0.250 1.500 0.000 0.000")
    seen.settles(lambda: view.get_attribute("data-palette"), "wood")
    page.evaluate("navigator.clipboard.writeText = async (text) => { window.copied = text; }")
    page.click("#share")
    page.get_by_role("button", name="Copy link").click()
    held = page.wait_for_function("() => window.copied").json_value().split("#")[1]
    named, _, shown = held.partition("&shown=")
    assert named == "soma/soma&solution=3&view=1.000+0.250+1.500+0.000+0.000&palette=wood"
    assert 300 < len(shown) < 1000
    sizes = page.evaluate("""async () => {
      const { picture, card } = await import("./sharing.js");
      const [one, other] = [await picture(), await card()];
      const corner = (each) => each.getContext("2d").getImageData(0, 0, 1, 1).data[3];
      const middle = one.getContext("2d").getImageData(one.width / 2, one.height / 2, 1, 1).data[3];
      return [one.width, other.width, other.height, corner(one), corner(other), middle];
    }""")
    wide = page.locator("#viewer canvas").evaluate("each => each.clientWidth")
    assert sizes == [2 * wide, 1200, 630, 0, 255, 255]
    seen.complaints[:] = [complaint for complaint in seen.complaints if "readback" not in complaint]  # of this test


def shared_by(page: Any, start: str, solution: int, count: str | re.Pattern[str]) -> str:
    """Return the part after `#` of the link that *Share* copies for a solution of a puzzle."""
    page.goto("about:blank")
    page.goto(f"{start}&solution={solution}")
    says(page, "#result", count)
    page.evaluate("navigator.clipboard.writeText = async (text) => { window.copied = text; }")
    page.click("#share")
    page.get_by_role("button", name="Copy link").click()
    return str(page.wait_for_function("() => window.copied").json_value()).split("#")[1]


#: Puzzles whose pictures have moves, tiles with sides, a chart with a grid, a board that wraps, and colours.
SHOWN = ("burrs/six-piece-2", "tiles/macmahon-squares", "queens/8", "tori/pentominoes-loop-3x20", "dominoes/double-six")


def test_a_shared_solution_is_there_before_the_compiler(site: str, tab: Open) -> None:
    view = "#viewer .puzzle-view"
    first = tab("about:blank", width=1440, height=860)
    for name in SHOWN:
        held = shared_by(first.page, f"{site}#{name}", 1, re.compile("solution"))
        was = first.page.locator(view).first.evaluate("each => ({ ...each.dataset })")
        seen = tab("about:blank", width=1440, height=860)
        for late in ("compiler", "stored/catalogue/*"):  # neither the compiler nor the text arrives
            seen.page.route(f"**/{late}/**", lambda route: None)
        seen.page.goto(f"{site}#{held}")
        seen.page.locator(f"{view}[data-solution='1']").wait_for(timeout=20_000)
        now = seen.page.locator(view).first.evaluate("each => ({ ...each.dataset })")
        assert {**now, "firstPicture": ""} == {**was, "firstPicture": ""}, name
        assert len(held) < 2000, (name, len(held))
        for each in (first, seen):  # few answers are stored for this test
            each.complaints[:] = [complaint for complaint in each.complaints if "404" not in complaint]


def test_a_picture_goes_if_its_link_names_no_puzzle(site: str, tab: Open) -> None:
    held = shared_by(tab("about:blank").page, f"{site}#soma/soma", 1, re.compile("solution"))
    seen = tab(f"{site}#{held.replace('soma/soma', 'no/such', 1)}")
    says(seen.page, "#toast", "this page has no such puzzle", 20)
    says(seen.page, "#wall output", re.compile("puzzles"))
    assert seen.page.locator("#viewer .puzzle-view").count() == 0
    assert all("404" in complaint for complaint in seen.complaints)
    seen.complaints.clear()


def test_the_solution_of_a_link_is_compared_with_the_text(site: str, tab: Open) -> None:
    seen = tab("about:blank", width=1440, height=860)
    page = seen.page
    third = shared_by(page, f"{site}#soma/soma", 3, "3 distinct solutions")
    page.goto("about:blank")
    page.goto(f"{site}#{third}")
    says(page, "#result", "the solution of the link")
    assert page.evaluate("import('./solving.js').then(({ shown }) => shown().solutions.length)") == 1
    page.click("#find-more")
    says(page, "#result", "3 distinct solutions")
    # The picture belongs to another puzzle, so the page searches for the solution with the number in the link.
    page.goto("about:blank")
    page.goto(f"{site}#{third.replace('soma/soma', 'soma/castle').replace('solution=3', 'solution=2')}")
    says(page, "#toast", "the solution in this link is damaged")
    says(page, "#result", "2 distinct solutions")
    page.locator("#viewer .puzzle-view[data-solution='2']").wait_for()
    seen.complaints[:] = [complaint for complaint in seen.complaints if "404" not in complaint]


def shown(text: str) -> str:
    """Return the part of a link that has a picture of a solution."""
    return links.fragment(text).replace("text=", "shown=", 1)


#: The picture of a solution of one cell, and changes after which it is not whole.
WHOLE = {
    "shown": "flat", "title": "", "pieces": [{"name": "A", "label": "A", "low": 1, "high": 1}], "axes": [[1, 0, 0]],
    "forms": [{"neighbours": [], "faces": []}], "kinds": [0], "points": [0], "optional": [], "placed": [0],
    "sizes": [1], "covered": [0], "solutions": {"number": 1, "placements": [0], "length": 1},
}  # fmt: skip
CHANGES: tuple[dict[str, Any], ...] = (
    *({"covered": [7]}, {"sizes": [1e9]}, {"placed": [-1]}, {"shown": "x"}, {"forms": []}, {"forms": [{}]}),
    *({"title": {}}, {"points": ["a"]}, {"pieces": [None]}, {"solutions": {"number": 2}}),
)
BROKEN = (
    *("shown=x", "shown=%ff", *(shown(text) for text in ("[1, 2", "null", "[]", '{"data":{}}', "[" * 5000))),
    *(shown(json.dumps({"data": WHOLE | change, "placements": [[0]]})) for change in CHANGES),
)


def test_a_damaged_picture_in_a_link_gets_a_message_and_the_puzzle_opens(site: str, tab: Open) -> None:
    for part in BROKEN:
        page = tab("about:blank").page
        page.route("**/compiler/**", lambda route: None)
        page.goto(f"{site}#soma/soma&{part}&solution=1")
        says(page, "#toast", "the solution in this link is damaged", 20)
        says(page, "#title", "Soma cube")
        assert page.locator("#viewer .puzzle-view").count() == 0, part
        page.close()


def test_a_link_opens_the_board_on_a_phone(site: str, tab: Open) -> None:
    page = tab(f"{site}#soma/soma&part=play", width=390, height=844, touch=True).page
    page.locator("main[data-part=play]").wait_for()
    page.goto(f"{site}#queens/8&part=nothing")
    page.goto(f"{site}#soma/soma")
    page.locator("main[data-part=puzzle]").wait_for()
    says(page, "#title", "Soma cube")
    page.tap("#tab-solutions")
    says(page, "#waiting code", "Solve")  # not in backticks


def test_the_browser_and_the_build_write_the_same_links(site: str, tab: Open) -> None:
    page = tab(site).page
    text = 'puzzle "Caf\u00e9 \U0001f9e9"\n' + "locations box 3x2\npiece I { xxx } x2\n" * 40
    script = """async ([text, fragment]) => {
      const { encoded, decoded } = await import("./links.js");
      const own = await encoded({ text, parameters: { n: "6" }, format: "puzzle" });
      return [(await decoded("#" + fragment)).text, await decoded(own)];
    }"""
    theirs, own = page.evaluate(script, [text, links.fragment(text)])
    assert theirs == text
    assert (own["text"], own["parameters"], own["format"]) == (text, {"n": "6"}, "puzzle")


def test_every_text_of_the_catalogue_fits_into_a_link_of_two_kilobytes() -> None:
    address = "https://example.org/docs/workbench/index.html#"
    texts = {entry.name: entry.path for entry in entries()}
    long = {
        name: size
        for name, path in texts.items()
        if (size := len(address + links.fragment(path.read_text(encoding="utf-8")))) > 2000
    }
    # A list of more than a thousand coordinates. Unchanged, it has a link by its name.
    assert set(long) == {"eternity/eternity"}, long


def test_blocks_of_the_docs_have_a_link() -> None:
    page = "# A\n\n- x\n\n  ```puzzle\n  locations box 2x1\n  piece A { xx }\n  ```\n\nText\n"
    found = re.search(r'  <p class="workbench"><a href="(\S*)#(\S*)">', links.opened(page, "how-to/a.md"))
    assert found is not None
    assert found.group(1) == "../workbench/index.html"
    assert found.group(2) == links.fragment("locations box 2x1\npiece A { xx }\n")
