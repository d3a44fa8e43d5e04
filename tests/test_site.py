"""The site of the documentation is built without a warning, and nobody stumbles on it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.site import navigation
from tests.site.building import SiteError, build, zensical
from tests.site.checking import faults
from tests.site.images import FOLDER, images, steps
from tests.site.pages import ROOT, Anchors, places, sources, staged
from tests.site.reading import difference

pytest.importorskip("zensical", reason="zensical is not installed; the extra `site` has it")


def test_the_site_is_built_without_a_warning_and_reads_as_the_pages_do_at_github(tmp_path: Path) -> None:
    # One test, since the site is built once for it.
    site = build(tmp_path)
    assert not faults(site)
    pages = {name: path for name, path in sources().items() if name.endswith(".md")}
    assert len(pages) > 200
    for name, source in pages.items():
        html = (site / re.sub(r"(README|index)\.md$", "index.html", name).replace(".md", ".html")).read_text("utf-8")
        assert not difference(source.read_text("utf-8"), html), name
    # Puzzles have colours: the lexer of puzzlec.language.highlight was found.
    assert '<span class="kd">puzzle</span>' in (site / "tutorial.html").read_text("utf-8")
    assert "PZ304" in (site / "search.json").read_text("utf-8")


SETTINGS = "site_name: x\nuse_directory_urls: false\nnav: [index.md, other.md]\ntheme: {font: false}\n"


def small(folder: Path, text: str) -> Path:
    """Return the settings of a site of two pages, of which the first is this text."""
    (folder / "docs").mkdir()
    (folder / "docs" / "index.md").write_text(f"# Home\n\n{text}\n", encoding="utf-8")
    (folder / "docs" / "other.md").write_text("# Other\n\n## There\n", encoding="utf-8")
    (folder / "mkdocs.yml").write_text(SETTINGS, encoding="utf-8")
    return folder / "mkdocs.yml"


def test_links_that_lead_nowhere_end_the_build(tmp_path: Path) -> None:
    with pytest.raises(SiteError) as raised:
        zensical(small(tmp_path, "[a](gone.md)\n[b](other.md#gone)\n[c](#gone)\n[d](other.md#there)"))
    assert re.findall(r"index\.md:(\d+)", str(raised.value)) == ["3", "4", "5"]


def test_what_zensical_does_not_look_at_is_looked_at_here(tmp_path: Path) -> None:
    wrong = {
        '<a href="gone.html">a</a>': "gone.html is not there",
        '<a href="other.html#gone">b</a>': "other.html#gone has no such heading",
        '<img src="gone.svg">': "gone.svg is not there",
        '<img src="https://example.org/x.png">': "https://example.org/x.png is loaded from another server",
        '<a href="../../etc/passwd">c</a>': "../../etc/passwd is not there",
    }
    right = '<a href="other.html#there">d</a> [e](other.md#there) <a href="https://example.org">f</a>'
    site = zensical(small(tmp_path, "\n\n".join([*wrong, right])))
    found = [fault for fault in faults(site) if fault.startswith("index.html: ")]
    assert found == [f"index.html: {fault}" for fault in wrong.values()]


def test_pages_and_navigation_are_held_against_each_other() -> None:
    files = {name: ROOT / "docs" / name for name in ("a.md", "b.md", "c.md", "picture.svg")}
    nav: list[navigation.Entry] = [{"A": "a.md"}, {"More": [{"B": "b.md"}, "a.md", {"D": "d.md"}]}]
    assert navigation.amiss(nav, files) == [
        "nav: there is no page d.md",
        "nav: c.md is not in it",
        "nav: a.md is in it twice",
    ]


def test_an_index_page_gives_the_navigation_its_pages_in_groups(tmp_path: Path) -> None:
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
    "[a](language.md#param)": "[a](language.md#param)",
    "[a](../README.md)": "[a](readme.md)",
    "[a](../CHANGELOG.md#x)": "[a](changes.md#x)",
    "[a](decisions)": "[a](decisions/README.md)",
    "[a](../puzzlec/pipeline.py)": "a",
    "[a](https://example.org/b.md)": "[a](https://example.org/b.md)",
    "[a](gone.md)": "[a](gone.md)",
    "`[a](../README.md)`": "`[a](../README.md)`",
    '<img src="../docs/growth.svg">': '<img src="growth.svg">',
    "## Colours: `a-b`": "## Colours: `a-b`{: .whole } {#colours-a-b}",
    "| `a\\|b` | x \\| y |": "| `a|b` | x \\| y |",
    "<!-- count: 3 -->": "",
}


@pytest.mark.parametrize("text", STAGED)
def test_a_copied_page_has_links_that_lead_somewhere_on_the_site(text: str) -> None:
    assert staged(text, ROOT / "docs" / "cli.md", places(sources())).rstrip("\n") == STAGED[text]


def test_nothing_changes_in_a_fenced_block() -> None:
    text = "````text\n# a\n```\n[a](../README.md)\n<!-- b -->\n````\n"
    assert staged(text, ROOT / "docs" / "cli.md", places(sources())) == text


def test_anchors_are_those_of_github() -> None:
    anchors = Anchors()
    written = ["Rows of 0 and 1, rows of numbers (Frans Faase)", "`colours`", "Colours", "A [link](x.md) - here"]
    made = ["rows-of-0-and-1-rows-of-numbers-frans-faase", "colours", "colours-1", "a-link---here"]
    assert [anchors.of(heading) for heading in written] == made


def test_pages_that_read_differently_are_told_apart() -> None:
    assert not difference("# A\n\n- b `c`\n", "<nav>x</nav><article><h1>A<a class='headerlink'>#</a></h1>"
                          "<ul><li>b <code>c</code></li></ul></article>")  # fmt: skip
    assert "<li>" in difference("A\n- b\n", "<article><p>A - b</p></article>")


@pytest.mark.parametrize("name", images())
def test_a_picture_of_the_docs_is_current(name: str) -> None:
    assert (FOLDER / name).read_text("utf-8") == images()[name], "run `python -m tests.site.images`"


def test_algorithm_x_meets_a_dead_end_and_a_solution() -> None:
    captions = [step.caption for step in steps()]
    assert sum("dead end" in caption for caption in captions) == 1
    assert captions[-1] == "Every item is covered once: B and C are a solution."
