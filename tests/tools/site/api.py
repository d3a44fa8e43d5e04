"""The reference of the Python interface: signatures and docstrings of the public names, as Markdown.

docs/api.md is written by hand, except the parts between ``<!-- api: NAME NAME ... -->`` and ``<!-- end -->``.
``PUZZLEC_REGENERATE=1 python -m pytest tests/test_api_page.py`` writes these parts again.
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable, Iterator
from enum import Enum
from functools import cached_property
from importlib import import_module
from textwrap import dedent
from types import UnionType
from typing import Any, ForwardRef, Literal, get_args, get_origin

#: The packages with public names in ``__all__``. A name that both have is described once.
PACKAGES = ("puzzlec", "puzzlec.engine")

#: Classes whose own methods make the values. Their constructors may change, so the page omits the parameters.
MADE_BY_METHODS = ("puzzlec.Job",)

MARKED = re.compile(r"(<!-- api: ([\w. ]+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)

#: A wider signature has one line for each parameter.
WIDTH = 92


def public() -> dict[str, list[str]]:
    """Return the one or two names (such as ``puzzlec.load``) of each public object, by the first one."""
    found: dict[int, list[str]] = {}
    for package in PACKAGES:
        module = import_module(package)
        for name in module.__all__:
            found.setdefault(id(getattr(module, name)), []).append(f"{package}.{name}")
    return {names[0]: names for names in found.values()}


def filled(page: str) -> str:
    """Return the text of the page with new parts between the marks."""
    places = dict(_places(page))

    def described(match: re.Match[str]) -> str:
        parts = (described_name(name, places) for name in match.group(2).split())
        return match.group(1) + "\n" + "\n".join(parts) + "\n" + match.group(4)

    return MARKED.sub(described, page)


def _places(page: str) -> Iterator[tuple[str, str]]:
    """Yield each described name, short and full, with the anchor of its section."""
    for match in MARKED.finditer(page):
        for name in match.group(2).split():
            anchor = name.replace(".", "").lower()
            yield name, anchor
            yield name.rpartition(".")[2], anchor


def described_name(name: str, places: dict[str, str]) -> str:
    """Return the section of a public name: heading, signature and docstring, and for a class also its methods."""
    package, _, own = name.rpartition(".")
    # If both packages have a name, it means the one of this package.
    places = places | {
        place[len(package) + 1 :]: places[place] for place in places if place.rpartition(".")[0] == package
    }
    thing = getattr(import_module(package), own)
    parts = [f"### `{name}`\n"]
    if isinstance(thing, type) and issubclass(thing, Enum):
        parts += [_block(f"class {own}"), prose(thing, places)]
        parts += [f"- `{own}.{member.name}`: `{member.value!r}`\n" for member in thing]
    elif isinstance(thing, type):
        head = f"class {own}"
        parts += [_block(head if name in MADE_BY_METHODS else signature(head, thing)), prose(thing, places)]
        parts += _members(own, thing, places)
    elif is_alias(thing):
        text, meaning = alias(name)
        parts += [_block(text), _inline(meaning, places) + "\n"]
    else:
        function = thing if callable(thing) and not inspect.ismodule(thing) else type(thing).__call__
        parts += [_block(signature(f"def {own}", function)), prose(function, places)]
    return "\n".join(parts)


def is_alias(thing: object) -> bool:
    """Return whether a public name stands for several types, or for several words."""
    return isinstance(thing, UnionType) or get_origin(thing) is Literal


def alias(name: str) -> tuple[str, str]:
    """Return the definition of a public name for several types, and the comment above it in its module."""
    package, _, own = name.rpartition(".")
    homes = import_module(package)._HOMES
    home = next((home for home, names in homes.items() if own in names.split()), "compiler")
    text = inspect.getsource(import_module(f"{package}.{home}"))
    found = re.search(rf"(?m)((?:^#: .*\n)*)^({own}: TypeAlias = .*)$", text)
    assert found, f"{name} is not defined on one line"
    return found[2], " ".join(line.removeprefix("#: ") for line in found[1].splitlines())


def _members(owner: str, thing: type, places: dict[str, str]) -> Iterator[str]:
    """Yield the sections of the documented methods of a class, `Run` included, then a list of its properties."""
    properties: list[str] = []
    inner = [base for base in thing.__mro__[1:] if base.__module__ == "puzzlec.engine.search.run"]
    members = {name: member for base in (*inner, thing) for name, member in vars(base).items()}
    for name, member in members.items():
        if name.startswith("_"):
            continue
        if isinstance(member, property | cached_property):
            getter = member.fget if isinstance(member, property) else member.func
            kind = inspect.signature(getter).return_annotation if getter else "Any"
            said = (inspect.getdoc(member) or "").split("\n\n>>>")[0]
            said, _, errors = said.partition("\n\nRaises:\n")
            # GitHub and the site show a block within an item of a list in different ways.
            errors = re.sub(r"(?m)^\s*(\w+): I", r"Error: `\1` i", errors)
            text = " ".join(f"{markdown(said, places)} {errors}".split())
            properties.append(f"- `{name}: {kind}`: {text}" if text else f"- `{name}: {kind}`")
        elif isinstance(member, classmethod | staticmethod) or inspect.isfunction(member):
            function = getattr(thing, name)
            above = "@classmethod\n" if isinstance(member, classmethod) else ""
            yield f"#### `{owner}.{name}`\n"
            yield _block(above + signature(f"def {name}", function))
            yield prose(function, places)
    if properties:
        yield f"Properties of `{owner}`:\n"
        yield "\n".join(properties) + "\n"


def _block(text: str) -> str:
    return f"```py\n{text}\n```\n"


def signature(head: str, thing: Callable[..., Any]) -> str:
    """Return a signature as in a stub file: on one line if it fits, else with one line for each parameter."""
    try:
        found = inspect.signature(thing)
    except ValueError:
        return f"{head}(...)"
    shown: list[str] = []
    star = False
    for name, parameter in found.parameters.items():
        if name == "self":
            continue
        if parameter.kind is parameter.KEYWORD_ONLY and not star:
            shown.append("*")
        star = star or parameter.kind in (parameter.KEYWORD_ONLY, parameter.VAR_POSITIONAL)
        mark = "*" * (parameter.kind is parameter.VAR_POSITIONAL) + "**" * (parameter.kind is parameter.VAR_KEYWORD)
        kind = "" if parameter.annotation is parameter.empty else f": {written(parameter.annotation)}"
        default = "" if parameter.default is parameter.empty else f" = {_value(parameter.default)}"
        shown.append(f"{mark}{name}{kind}{default}")
    back = found.return_annotation
    is_class = head.startswith("class ") or back is inspect.Signature.empty
    end = "" if is_class else f" -> {written(back)}"
    line = f"{head}({', '.join(shown)}){end}"
    if len(line) <= WIDTH:
        return line
    return f"{head}(\n" + "".join(f"    {parameter},\n" for parameter in shown) + f"){end}"


def _value(default: object) -> str:
    """Return a default in the style of this project: texts in double quotes, and three dots for a factory."""
    if isinstance(default, Enum):
        return str(default)
    text = json.dumps(default, ensure_ascii=False) if isinstance(default, str) else repr(default)
    return "..." if text == "<factory>" else text


#: Names of words that a parameter accepts, which are not public, with their definitions.
WORDS = {
    name: f"Literal[{', '.join(json.dumps(word) for word in get_args(getattr(import_module(home), name)))}]"
    for name, home in (
        ("AtMostOne", "puzzlec.formats.record"),
        ("ClueKind", "puzzlec.solving.clues"),
        ("EmittedStage", "puzzlec.pipeline"),
        ("KindName", "puzzlec.generators.generating"),
        ("StageName", "puzzlec.compiler"),
        ("TaskName", "puzzlec.jobs.records"),
    )
}


def written(annotation: Any) -> str:
    """Return an annotation as in its module. Named tuples contain references, other annotations are texts.

    >>> from typing import ForwardRef
    >>> written(ForwardRef("int | None")), written("Path"), written(Enum)
    ('int | None', 'Path', 'Enum')
    """
    if isinstance(annotation, str):
        return re.sub(rf"\b(?:{'|'.join(WORDS)})\b", lambda name: WORDS[name[0]], annotation)
    if isinstance(annotation, ForwardRef):
        return annotation.__forward_arg__
    return re.sub(r"\b(?:\w+\.)+(?=\w)", "", inspect.formatannotation(annotation))


def prose(thing: object, places: dict[str, str]) -> str:
    """Return the docstring of an object as Markdown, with examples as blocks; empty if it has no docstring."""
    return markdown(inspect.getdoc(thing) or "", places).rstrip() + "\n"


def markdown(docstring: str, places: dict[str, str]) -> str:
    """Return a docstring as Markdown, with code, links to other names, and examples as blocks."""
    parts: list[str] = []
    for paragraph in re.split(r"\n\s*\n", docstring):
        if paragraph.lstrip().startswith(">>>"):
            parts.append(f"```pycon\n{dedent(paragraph).rstrip()}\n```")
        elif paragraph.startswith("    "):
            parts.append(f"```py\n{dedent(paragraph).rstrip()}\n```")
        else:
            parts.append(_inline(paragraph.strip(), places))
    return "\n\n".join(parts)


def _inline(text: str, places: dict[str, str]) -> str:
    """Return a paragraph with the marks of Markdown. ``::`` before a block becomes a colon."""

    def linked(match: re.Match[str]) -> str:
        name = match.group(1).lstrip("~")
        shown = name.removeprefix("puzzlec.")
        anchor = places.get(name) or places.get(name.split(".")[0])
        return f"[`{shown}`](#{anchor})" if anchor else f"`{shown}`"

    text = re.sub(r":\w+:`([^`]+)`", linked, text)
    return re.sub(r"::$", ":", re.sub(r"``([^`]+)``", r"`\1`", text))
