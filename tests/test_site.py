"""The site of the documentation builds without a warning, and its pages have no broken link."""

from __future__ import annotations

import json
import re
from collections import Counter
from importlib.util import find_spec
from pathlib import Path

import pytest

from puzzlec.formats.catalogue import entries
from tests.tools.site import live, navigation, pictures, puzzles
from tests.tools.site.building import SiteError, build, front_matter, zensical
from tests.tools.site.checking import faults
from tests.tools.site.images import FOLDER, IMAGES, steps
from tests.tools.site.pages import ROOT, Anchors, description, places, sources, staged
from tests.tools.site.reading import difference

pytest.importorskip("zensical", reason="zensical is not installed; the extra `site` has it")


@pytest.mark.timeout(1200)
def test_the_site_builds_without_a_warning_and_shows_the_same_text_as_github(tmp_path: Path) -> None:
    # One test, because a build takes long.
    address = "https://example.org/docs"
    site = build(tmp_path, address, is_whole=False)
    assert not faults(site, address)
    pages = {name: path for name, path in sources().items() if name.endswith(".md")}
    assert len(pages) > 200
    for name, source in pages.items():
        html = (site / re.sub(r"(README|index)\.md$", "index.html", name).replace(".md", ".html")).read_text("utf-8")
        assert not difference(source.read_text("utf-8"), html), name
    check_heads(site)
    check_puzzles(site)
    check_missing_page((site / "404.html").read_text("utf-8"))
    # Puzzles have colours, so the lexer of puzzlec works.
    assert '<span class="kd">puzzle</span>' in (site / "tutorial.html").read_text("utf-8")
    search = (site / "search.json").read_text("utf-8")
    assert "PZ304" in search
    assert "Bedlam cube" in search


def check_heads(site: Path) -> None:
    """Check that every page has the logo of puzzlec, and a description, a title and a picture for links."""
    for path in {*site.rglob("*.html")} - {site / live.SCENES_PAGE}:
        head = path.read_text("utf-8").partition("</head>")[0]
        found = dict(re.findall(r'<meta (?:name|property)="([^"]*)" content="([^"]*)">', head))
        assert {"description", "og:description", "og:title", "og:image"} <= {key for key in found if found[key]}, path
        assert found["og:image"].startswith("https://example.org/docs/"), path
        assert re.search(r'<link rel="icon" href="[^"]*site/icon\.svg">', head), path
    assert (site / "site" / "card.png").read_bytes().startswith(b"\x89PNG")
    assert (site / "site" / "icon.svg").read_bytes() == pictures.ICON.read_bytes()


def check_puzzles(site: Path) -> None:
    """Check that the gallery links a page for each puzzle, and that the page has its facts and files."""
    gallery = (site / "gallery.html").read_text("utf-8")
    assert len(re.findall("<td [^>]*data-lattice=", gallery)) == len(entries())
    for entry in entries():
        assert f'href="puzzles/{entry.name}.html"' in gallery
        folder = (site / "puzzles" / entry.name).parent
        page = (site / "puzzles" / f"{entry.name}.html").read_text("utf-8")
        files = re.findall(r'href="([^"]*)" download', page)
        assert len(files) >= 3
        assert all((folder / file).is_file() for file in files)
        assert (folder / files[0]).read_bytes() == entry.path.read_bytes()
    soma = (site / "puzzles" / "soma" / "soma.html").read_text("utf-8")
    for words in (
        "<strong>240</strong> distinct",
        "<strong>11,520</strong> raw",
        "Winning Ways",
        "screw pieces A and B",
    ):
        assert words in soma
    assert 'href="../../gallery.html?tag=comes+apart"' in soma
    assert 'aria-label="4 of 5 stars"' in soma
    for name in live.SOME:
        page = (site / "puzzles" / f"{name}.html").read_text("utf-8")
        stem = name.rpartition("/")[2]
        assert f'data-view="{stem}.view.json"' in page
        data = json.loads((site / "puzzles" / f"{name}.view.json").read_text("utf-8"))
        assert data["solutions"]["number"] == 1
        assert (f'href="{stem}.pdf">Print' in page) is (find_spec("typst") is not None)
    assert "plans" in json.loads((site / "puzzles" / "burrs" / "six-piece-2.view.json").read_text("utf-8"))
    assert not re.search(r'fill="#ffffff"/>\n<', (site / "gallery" / "soma-soma.svg").read_text("utf-8"))


def test_next_leads_through_the_whole_gallery_and_previous_back() -> None:
    entry = first = live.in_order()[0]
    seen = []
    for _ in entries():
        before, after = live.beside(entry)
        assert live.beside(after)[0] == live.beside(before)[1] == entry
        seen.append(entry)
        entry = after
    assert entry == first
    assert set(seen) == set(entries())


def test_similar_puzzles_share_tags_and_each_number_of_stars_is_for_many_puzzles() -> None:
    named = {entry.name: entry for entry in entries()}
    assert [entry.name.split("/")[0] for entry in live.similar(named["burrs/six-piece-2"])] == ["burrs"] * live.SIMILAR
    for entry in entries():
        similar = live.similar(entry)
        assert entry not in similar
        assert len(set(similar)) == live.SIMILAR
    stars = Counter(live.stars_of(entry) for entry in entries())
    assert stars[0] == sum(entry.grade == "unknown" or 0 in (entry.distinct, entry.raw) for entry in entries())
    assert all(60 < stars[number] < 150 for number in range(1, 6)), stars


def check_missing_page(page: str) -> None:
    """Check that the page for missing addresses has links that work at any depth, and a way to search."""
    links = re.findall(r'<li><a href="([^"]*)"', page)
    assert "/docs/gallery.html" in links
    assert "search-instead" in page


def test_the_landing_page_repeats_the_readme_word_for_word() -> None:
    readme, landing = (ROOT / "README.md").read_text("utf-8"), (ROOT / "docs" / "index.md").read_text("utf-8")
    top, _, _ = landing.partition("## Where to go")
    claim, command = top.split("\n\n")[1], re.search(r"```sh\n.*?```", top, re.DOTALL)
    assert claim in readme
    assert command is not None
    assert command.group() in readme
    for name in ("serve.webp", "speed.svg"):
        described = re.search(rf"!\[([^\]]*)\]\(docs/images/{name}\)", readme)
        assert described is not None
        assert described.group(1) in top
    doors = re.findall(r"(?m)^## (.*)$", top)
    assert [heading for heading in re.findall(r"(?m)^## (.*)$", readme) if heading in doors] == doors
    assert len(doors) == 3


def test_numbers_of_pieces_include_copies() -> None:
    known = {entry.name: puzzles.facts(entry) for entry in entries()}
    assert known["soma/soma"] == ("cubic", 7, 7)
    assert known["dominoes/4x4"] == ("square", 8, 8)
    assert known["queens/8"].lattice == "none"
    words = [puzzles.Facts("none", *bounds).words for bounds in ((1, 1), (2, 3), (2, None), (0, None))]
    assert words == ["1 piece", "2 to 3 pieces", "at least 2 pieces", "any number of pieces"]


DESCRIBED = {
    "# A\n\n<p>x</p>\n\n![x](y.svg)\n\nSee [the `b`](b.md).\nIt **is** short.\n\nMore.": "See the b. It is short.",
    "# A\n\n```sh\nls\n```\n": "",
    "# A\n\n**Status:** in use.\n\n* a\n\n`b` is.\n": "b is.",
    f"# A\n\n{'Twelve words. ' * 20}": ("Twelve words. " * 14).strip(),
    f"# A\n\n{'word ' * 60}": "word " * 39 + "word \N{HORIZONTAL ELLIPSIS}",
}


@pytest.mark.parametrize("text", DESCRIBED)
def test_the_description_of_a_page_is_its_first_paragraph(text: str) -> None:
    assert description(text) == DESCRIBED[text]


def test_the_style_of_all_pages_looks_into_the_header_only() -> None:
    # The theme changes a long page hundreds of times. With :has() on the article, the browser looks at all of it each
    # time, and the Python reference took 47 s instead of 3 s to load.
    style = (ROOT / "docs" / "site" / "site.css").read_text("utf-8")
    assert re.findall(r"(?m)^.*:has\(.*$", style) == [".md-header__source:not(:has(*)) {"]


def test_pages_have_settings_on_the_site_only() -> None:
    assert front_matter("a.md", '# A\n\n"It": is.\n') == "---\ndescription: '&quot;It&quot;: is.'\n---\n"
    assert "site/gallery.js" in front_matter("gallery.md", "# A\n")


def test_a_picture_has_no_background_and_its_chart_is_light_on_a_dark_page() -> None:
    gallery = ROOT / "docs" / "gallery"
    solid, chart, board = (
        pictures.for_any_ground((gallery / f"{name}.svg").read_text("utf-8"))
        for name in ("soma-soma", "cover-items", "latin-order-4")
    )
    assert "<rect" not in solid + chart + board
    assert pictures.LIGHT_INK in chart
    assert pictures.LIGHT_INK not in solid + board
    assert pictures.for_any_ground(solid) == solid


SETTINGS = "site_name: x\nuse_directory_urls: false\nnav: [index.md, other.md]\ntheme: {font: false}\n"


def small(folder: Path, text: str) -> Path:
    """Return the settings of a site of two pages, the first with this text."""
    (folder / "docs").mkdir()
    (folder / "docs" / "index.md").write_text(f"# Home\n\n{text}\n", encoding="utf-8")
    (folder / "docs" / "other.md").write_text("# Other\n\n## There\n", encoding="utf-8")
    (folder / "mkdocs.yml").write_text(SETTINGS, encoding="utf-8")
    return folder / "mkdocs.yml"


def test_broken_links_stop_the_build(tmp_path: Path) -> None:
    with pytest.raises(SiteError) as raised:
        zensical(small(tmp_path, "[a](gone.md)\n[b](other.md#gone)\n[c](#gone)\n[d](other.md#there)"))
    assert re.findall(r"index\.md:(\d+)", str(raised.value)) == ["3", "4", "5"]


def test_raw_html_is_checked(tmp_path: Path) -> None:
    wrong = {
        '<a href="gone.html">a</a>': "gone.html does not exist",
        '<a href="other.html#gone">b</a>': "other.html#gone has no such heading",
        '<img src="gone.svg">': "gone.svg does not exist",
        '<picture><source srcset="gone.webp"></picture>': "gone.webp does not exist",
        '<img src="https://example.org/x.png">': "https://example.org/x.png is loaded from another server",
        '<a href="../../etc/passwd">c</a>': "../../etc/passwd does not exist",
    }
    right = '<a href="other.html#there">d</a> [e](other.md#there) <a href="https://example.org">f</a>'
    site = zensical(small(tmp_path, "\n\n".join([*wrong, right])))
    found = [fault for fault in faults(site) if fault.startswith("index.html: ")]
    assert found == [f"index.html: {fault}" for fault in wrong.values()]


def test_style_sheets_load_nothing_from_other_servers(tmp_path: Path) -> None:
    (tmp_path / "a.css").write_text('@import "https://example.org/a.css"; b { mask: url(gone.svg), url("data:x") }')
    assert faults(tmp_path) == [
        "a.css: https://example.org/a.css is loaded from another server",
        "a.css: gone.svg does not exist",
    ]


def test_the_navigation_has_every_page_once() -> None:
    files = {name: ROOT / "docs" / name for name in ("a.md", "b.md", "c.md", "picture.svg")}
    nav: list[navigation.Entry] = [{"A": "a.md"}, {"More": [{"B": "b.md"}, "a.md", {"D": "d.md"}]}]
    assert navigation.amiss(nav, files) == [
        "nav: no page d.md",
        "nav: missing page c.md",
        "nav: duplicate page a.md",
    ]


def test_the_navigation_has_the_pages_of_an_index_page_in_groups(tmp_path: Path) -> None:
    texts = {
        "README.md": "# E\n\n- [A](a.md)\n\n## Of `b`\n\n| [B](b.md) | [A](a.md), [there](../there.md) |\n\n## Else\n",
        "a.md": "# The first\n",
        "b.md": "# The `second`\n",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    files = {f"e/{name}": tmp_path / name for name in texts}
    assert navigation.complete([{"E": {"from": "e/README.md"}}], files) == [
        {"E": ["e/README.md", {"The first": "e/a.md"}, {"Of b": [{"The second": "e/b.md"}]}]}
    ]


STAGED = {
    "[a](language/puzzles.md#piece)": "[a](language/puzzles.md#piece)",
    "[a](../README.md)": "[a](readme.md)",
    "[a](../CHANGELOG.md#x)": "[a](changes.md#x)",
    "[a](decisions)": "[a](decisions/README.md)",
    "[a](../puzzlec/compiler.py)": "a",
    "[a](../puzzles/soma/soma.puzzle)": "[a](puzzles/soma/soma.md)",
    "[a](https://example.org/b.md)": "[a](https://example.org/b.md)",
    "[a](gone.md)": "[a](gone.md)",
    "`[a](../README.md)`": "`[a](../README.md)`",
    '<img src="../docs/growth.svg">': '<img src="growth.svg">',
    "## Colours: `a-b`": "## Colours: `a-b`{: .whole } {#colours-a-b}",
    "| `a\\|b` | x \\| y |": "| `a|b` | x \\| y |",
    "<!-- count: 3 -->": "",
}


@pytest.mark.parametrize("text", STAGED)
def test_links_of_a_page_lead_to_pages_of_the_site(text: str) -> None:
    assert staged(text, ROOT / "docs" / "cli.md", places(sources())).rstrip("\n") == STAGED[text]


def test_nothing_changes_in_a_fenced_block() -> None:
    text = "````text\n# a\n```\n[a](../README.md)\n<!-- b -->\n````\n"
    assert staged(text, ROOT / "docs" / "cli.md", places(sources())) == text


def test_anchors_are_those_of_github() -> None:
    anchors = Anchors()
    written = ["Rows of 0 and 1, rows of numbers (Frans Faase)", "`colours`", "Colours", "A [link](x.md) - here"]
    made = ["rows-of-0-and-1-rows-of-numbers-frans-faase", "colours", "colours-1", "a-link---here"]
    assert [anchors.of(heading) for heading in written] == made


def test_pages_with_different_elements_differ() -> None:
    assert not difference("# A\n\n- b `c`\n", "<nav>x</nav><article><h1>A<a class='headerlink'>#</a></h1>"
                          "<ul><li>b <code>c</code></li></ul></article>")  # fmt: skip
    assert "<li>" in difference("A\n- b\n", "<article><p>A - b</p></article>")


@pytest.mark.parametrize("name", IMAGES)
def test_a_picture_of_the_docs_is_current(name: str) -> None:
    assert (FOLDER / name).read_text("utf-8") == IMAGES[name](), "run `python -m tests.tools.site.images`"


def test_algorithm_x_meets_a_dead_end_and_a_solution() -> None:
    captions = [step.caption for step in steps()]
    assert sum("dead end" in caption for caption in captions) == 1
    assert captions[-1] == "Every item is covered once: B and C are a solution."
