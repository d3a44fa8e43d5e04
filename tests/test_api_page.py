"""docs/api.md describes every public name once, with its docstring."""

from __future__ import annotations

import inspect
import os
import re
from importlib.util import find_spec

import pytest

import puzzlec
from tests.tools.site import api
from tests.tools.site.pages import ROOT

PAGE = ROOT / "docs" / "api.md"


def described() -> list[str]:
    """Return the names that the page describes, in its order."""
    found = api.MARKED.findall(PAGE.read_text(encoding="utf-8"))
    return [name for _, names, _, _ in found for name in names.split()]


def test_the_reference_equals_the_docstrings() -> None:
    page = PAGE.read_text(encoding="utf-8")
    made = api.filled(page)
    if os.environ.get("PUZZLEC_REGENERATE"):
        PAGE.write_text(made, encoding="utf-8")
    else:
        assert page == made, "PUZZLEC_REGENERATE=1 python -m pytest tests/test_api_page.py writes it again"


def test_every_public_name_is_described_once() -> None:
    names = described()
    assert len(names) == len(set(names))
    spellings = api.public()
    missing = [spelt[0] for spelt in spellings.values() if not set(spelt) & set(names)]
    assert not missing, "docs/api.md needs them after one of its `<!-- api: -->`"
    assert set(names) <= {name for spelt in spellings.values() for name in spelt}


def inner(paragraph: str) -> set[str]:
    """Return the modules that a paragraph names and that are not public, unless it says so."""
    named = set(re.findall(r"(?<!python -m )\bpuzzlec\.(\w+)", paragraph)) - {*puzzlec.__all__, "engine"}
    return set() if "not public" in paragraph else {name for name in named if find_spec(f"puzzlec.{name}")}


def test_no_page_names_a_module_that_is_not_public_without_saying_so() -> None:
    assert inner("`puzzlec.lower.symmetries` and `puzzlec.compiler.load`, `puzzlec.load`") == {"lower", "compiler"}
    assert not inner("`puzzlec.lower` is not public")
    for page in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]:
        # Pages for contributors describe modules. Some pages of errors use modules to cause errors that are otherwise
        # rare.
        if page.parent.name not in ("decisions", "errors") and page.name not in ("architecture.md", "testing.md"):
            for paragraph in re.split(r"\n\s*\n", page.read_text(encoding="utf-8")):
                assert not inner(paragraph), f"{page.name}: {paragraph}"


@pytest.mark.parametrize("name", described())
def test_every_public_name_has_a_docstring(name: str) -> None:
    section = api.described_name(name, {})
    text = section.split("```\n", 1)[1].strip()
    assert text[:1].isupper(), "it has no docstring"
    assert not text.startswith("Properties of"), "it has no docstring"
    assert "``" not in text.replace("```", ""), "unknown markup in the docstring"
    assert " at 0x" not in section, "a default differs from run to run"


def test_a_long_signature_has_a_line_for_each_parameter() -> None:
    def short(one: int, *, two: str = "x") -> None: ...

    def long(first: str, *rest: int, a_word: str = "a long default", another_word: str = "a longer default") -> str:
        return first

    assert api.signature("def short", short) == 'def short(one: int, *, two: str = "x") -> None'
    assert api.signature("def long", long).splitlines() == [
        "def long(",
        "    first: str,",
        "    *rest: int,",
        '    a_word: str = "a long default",',
        '    another_word: str = "a longer default",',
        ") -> str",
    ]


def test_markup_of_docstrings_becomes_markdown() -> None:
    text = "Return ``x``, as :func:`load` and :class:`~puzzlec.engine.Search` do::\n\n    x = 1\n\n>>> 1 + 1\n2"
    assert api.markdown(text, {"load": "puzzlecload"}) == (
        "Return `x`, as [`load`](#puzzlecload) and `engine.Search` do:\n\n"
        "```py\nx = 1\n```\n\n```pycon\n>>> 1 + 1\n2\n```"
    )


def test_errors_of_functions_are_in_a_section() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert re.findall(r"\bRaises\s+[A-Z]\w+Error", text) == []
    assert sum(line.strip() == "Raises:" for line in text.splitlines()) > 40


def has_example(thing: object) -> bool:
    """Return whether the docstring of a function or class, or of a method that the class defines, has an example."""
    members = [member for key, member in vars(thing).items() if key[0] != "_"] if inspect.isclass(thing) else []
    parts = [thing, *(getattr(member, "__func__", member) for member in members)]
    return any(">>> " in (getattr(part, "__doc__", None) or "") for part in parts)


def test_every_public_function_has_an_example() -> None:
    things = {name: getattr(puzzlec, name) for name in puzzlec.__all__}
    functions = {name for name, thing in things.items() if callable(thing) and not inspect.isclass(thing)}
    functions -= {name for name in functions if api.is_alias(things[name])}
    assert len(functions) > 35
    things["formats"] = type(puzzlec.formats).__call__
    assert [name for name in sorted(functions) if not has_example(things[name])] == []


def test_every_public_class_has_an_example() -> None:
    classes = {name for name in puzzlec.__all__ if inspect.isclass(getattr(puzzlec, name))}
    assert len(classes) > 45
    assert [name for name in sorted(classes) if not has_example(getattr(puzzlec, name))] == []
