"""The words of pages in a browser: each language has all words, all are used, and sources contain no others."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import puzzlec
from puzzlec import parse
from puzzlec.compiler import check, compile
from puzzlec.diagnostics import Report
from puzzlec.diagnostics.codes import NO_SOLUTION_CODES
from puzzlec.diagnostics.phrase import Phrase
from puzzlec.formats.catalogue import kinds
from puzzlec.formats.registry import FORMATS, WRITERS
from puzzlec.geometry import lattice_names
from puzzlec.lower import place
from puzzlec.lower.colourings import colourings
from puzzlec.lower.parity import find_proof, steps
from puzzlec.make.outputs import subject
from puzzlec.make.table import OUTPUTS
from puzzlec.services.web.app import STATIC, first_page
from puzzlec.services.web.exporting import SETTINGS
from puzzlec.show import game
from puzzlec.show.page import writing as page
from puzzlec.show.words.languages import embedded, in_languages, languages, phrase_source
from tests.browser import Tab
from tests.lower.test_colourings import BOARDS
from tests.lower.test_parity_words import PROOFS, fitting_of

ENGLISH = languages()["en"]["words"]
OTHERS = [code for code in languages() if code != "en"]


@cache
def sources() -> dict[str, str]:
    """The sources of the pages by their names."""
    folders = (STATIC, Path(page.__file__).parent, Path(game.__file__).parent)
    paths = [path for folder in folders for path in sorted(folder.glob("*.js"))]
    return {f"{path.parent.name}/{path.name}": path.read_text(encoding="utf-8") for path in paths}


SKIPPED = re.compile(
    r"//[^\n]*|/\*[\s\S]*?\*/|(?<=[(,=:\[!&|?;])\s*/(?![*/])(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/\w*"
)
STRING = re.compile(r"\"((?:[^\"\\\n]|\\.)*)\"|'((?:[^'\\\n]|\\.)*)'")
TEMPLATE = re.compile(r"((?:[^`\\$]|\\.|\$(?!\{))*)(`|\$\{)")


def literals(source: str) -> Iterator[tuple[str, str]]:
    """Yield the literals of JavaScript, and the code before each; templates in parts."""
    at, braces = 0, list[int]()  # the open braces in each expression of a template
    while at < len(source):
        sign, before = source[at], source[max(0, at - 60) : at]
        if found := SKIPPED.match(source, at):
            at = found.end()
        elif found := STRING.match(source, at):
            yield before, found[1] if found[1] is not None else found[2]
            at = found.end()
        elif sign == "`" or (sign == "}" and braces and not braces[-1]):
            found = TEMPLATE.match(source, at + 1)
            assert found is not None
            yield before, found[1]
            at = found.end()
            if sign == "}":
                braces.pop()
            if found[2] != "`":
                braces.append(0)
        else:
            if braces:
                braces[-1] += {"{": 1, "}": -1}.get(sign, 0)
            at += 1


@cache
def markup() -> str:
    return (STATIC / "index.html").read_text(encoding="utf-8")


#: Names of keys and of the browser, classes, and texts that are data: puzzles, shaders, markup, Python.
KNOWN = re.compile(
    r"Arrow\w*|Backspace|Delete|Enter|Escape|Home|Page|Shift|Tab|Control|Top|Right|Bottom|Left|Worker"
    r"|use strict|a worker has no network"
    r"|letter beside|place shaded|group last|line fresh|Width|Color|0.6em solid |px system-ui, sans-serif"
    r"|(?:puzzle \"\{mine\}|#version 300 es|\\?\s*(?:import|in|float|vec|uniform)|<iframe|\" width=)[\s\S]*"
)
#: Words of the gallery of the site, which the page translates, and tags of puzzles.
FILTERS = {"Lattice", "Pieces", "Solutions", "Tag", "not counted", "varies", "comes apart"}


def asked_for() -> Iterator[str]:
    """The keys that the sources name. A part of a key that is computed is `*`."""
    for source in sources().values():
        for found in re.finditer(r"\bphrase\(", source):
            first = re.match(r"(?:\$\{[^}]*\}|[^,(){}]|\([^()]*\))*", source[found.end() :])
            assert first is not None
            keys = re.findall(r'"([^"]*)"|`([^`]*)`', re.sub(r'=== "[^"]*"', "", first[0]))
            yield from (re.sub(r"\$\{[^}]*\}", "*", plain or computed) for plain, computed in keys)
        yield from re.findall(r'"((?:game|painting)\.(?!css|js)\w+)"', source)  # keys that are given to a function
    yield from re.findall(r'data-(?:words|label|title)="([^"]*)"', markup())


def test_every_key_has_words_and_all_words_are_used() -> None:
    asked = set(asked_for())
    plain = {key for key in asked if "*" not in key}
    assert plain - set(ENGLISH) == set()
    computed = [re.compile(re.escape(key).replace(r"\*", r"[\w-]+")) for key in asked - plain]
    used = {key for key in ENGLISH if key in plain or any(way.fullmatch(key) for way in computed)}
    assert set(ENGLISH) - used == set()


#: Code before a literal for programs, and before a literal for people.
CODE = re.compile(r"(?:(?:class|role|rel|d|style|event|kind): |className = |=== |!== |from |querySelector(?:All)?\()$")
SHOWN = re.compile(
    r'(?:(?:"aria-label"|title|placeholder|alt): |"aria-label", |(?:textContent|innerText|\.title) = '
    r'|make\("(?:b|button|dt|dd|h\d|label|option|p|small|span|summary|th)", \{[^{}]*\}, )$'
)


def words_in(source: str) -> list[str]:
    """Return literals that look like words: two words, one with a capital, or any in a place that shows words."""
    return [
        text
        for before, text in literals(source)
        if (SHOWN.search(before) and re.search("[a-z]{2}", text))
        or (
            (re.search(r"[A-Za-z]{2,} [a-z]{2,}", text) or re.fullmatch(r"[A-Z][a-z]+…?", text))
            and not CODE.search(before)
        )
    ]


@pytest.mark.parametrize("name", sorted(sources()))
def test_words_are_in_the_files_of_languages_only(name: str) -> None:
    assert [text for text in words_in(sources()[name]) if not KNOWN.fullmatch(text) and text not in FILTERS] == []


def test_the_page_itself_has_no_words() -> None:
    text = re.sub(r"<[^>]*>|&nbsp;", " ", markup())
    assert set(re.findall(r"[A-Za-z]+", text)) == {"puzzlec"}
    assert re.findall(r' (?:aria-label|title|placeholder|alt)="[^"]+"', markup()) == []


def test_words_that_look_like_words_are_found() -> None:
    assert words_in('say("no solution", `Press ${f("solve now")} too late`, "Solve"); /* "Not this" */') == [
        "no solution",
        "solve now",
        " too late",
        "Solve",
    ]
    assert words_in('make("b", {}, "nothing"); x.textContent = "solve"; ({ title: "wide", class: "very wide" })') == [
        "nothing",
        "solve",
        "wide",
    ]


def forms(words: str | dict[str, str]) -> dict[str, str]:
    return {"other": words} if isinstance(words, str) else words


@pytest.mark.parametrize("code", OTHERS)
def test_a_language_has_every_word_with_the_same_values(code: str) -> None:
    own = languages()[code]["words"]
    assert set(own) == set(ENGLISH)
    for key, words in own.items():
        values = set(re.findall(r"\{(\w+)\}", forms(ENGLISH[key])["other"]))
        for form, text in forms(words).items():
            assert text.strip(), key
            assert values - set(re.findall(r"\{(\w+)\}", text)) <= ({"n"} if form == "one" else set()), key
            assert set(re.findall(r"\{(\w+)\}", text)) <= values, key
            assert text.count("`") == forms(ENGLISH[key])["other"].count("`"), key
    assert any(own[key] != ENGLISH[key] for key in own)


#: Texts about a list that is too long for the page, or about the characters of a long link: there are always several.
MANY = {"stages.some", "stages.columns", "stages.lines", "wall.shown", "wall.whole", "share.long", "share.oneOf"}
#: A number before a word in the plural, with one word between them at most: `{n} placed pieces`.
COUNTED = re.compile(r"\{(\w+)\} (?!is |in )(?:[a-z]+ )?[a-z]+s\b")
#: Values that are names or ways, so that the word after them is a verb, or texts for a number that is `n` also.
NAMES = {"name", "who", "line", "to", "copies"}


def test_a_number_before_a_noun_has_a_plural_for_each_number() -> None:
    """Each language has the forms: a text that depends on `n` is not "1 pieces"."""
    for key, words in ENGLISH.items():
        counted = {name for text in forms(words).values() for name in COUNTED.findall(text)} - NAMES
        if counted and key not in MANY:
            assert counted == {"n"}, key
            assert set(forms(words)) == {"one", "other"}, key
        if set(forms(words)) == {"one", "other"}:
            for code in OTHERS:
                assert set(forms(languages()[code]["words"][key])) == {"one", "other"}, (code, key)


def test_a_plural_follows_the_number(tab: Callable[..., Tab]) -> None:
    seen = tab("about:blank")
    script = f"{phrase_source()}\nspeak(code, file);"
    for code in languages():
        shown = seen.page.evaluate(
            f"([code, file]) => {{ {script} return [0, 1, 2].map(n => phrase('solve.stuck', {{n}})); }}",
            [code, languages()[code]],
        )
        own = languages()[code]["words"]["solve.stuck"]
        assert shown == [own["other"].format(n=0), own["one"], own["other"].format(n=2)]


def from_elsewhere() -> set[str]:
    """The texts of the server that languages translate: settings, summaries, names of numbers, filters."""
    settings = [setting for found in SETTINGS.values() for setting in found]
    texts = {words for setting in settings for words in (setting.label, setting.hint, *dict(setting.options).values())}
    texts |= {kind.summary for kind in kinds()}
    texts |= {record.summary for record in (*FORMATS.values(), *WRITERS.values())} | {
        output.summary for output in OUTPUTS
    }
    filters = sources()["static/filters.js"]
    texts |= set(re.findall(r'"([^"]*)"', filters)) - {"tag", "lattice", ""}
    texts |= set(lattice_names())
    texts -= {"solutions"}  # the name of a filter in the code
    return {text for text in texts if re.search("[a-z]{2}", text)}


@pytest.mark.parametrize("code", OTHERS)
def test_a_language_has_the_texts_from_elsewhere(code: str) -> None:
    own: dict[str, Any] = languages()[code]["answers"] | languages()[code]["exports"]
    names = {"BurrTools XMPuzzle", "Discrete Piece Fitting", "MiniZinc"}
    assert from_elsewhere() - set(own) - names == set()


def texts(found: object) -> set[str]:
    """Return the words of a phrase and of its values, without names, numbers and signs."""
    if isinstance(found, Phrase):
        return texts(found.text).union(*map(texts, found.values.values()))
    named = str(found).startswith("`")
    return set() if named or not re.search("[a-z]{2}", re.sub(r"\{\w+\}|modulo", "", str(found))) else {str(found)}


def of_proofs() -> set[str]:
    """Return the words for proofs that a puzzle has no solution, which languages translate."""
    phrases: list[object] = []
    for text, _ in PROOFS:
        fitting = fitting_of(text)
        proof = find_proof(fitting)
        assert proof is not None
        if fitting.puzzle is not None and fitting.puzzle.lattice is not None:
            phrases += steps(fitting, proof)
    for board in BOARDS:
        for colouring in colourings(place(board)):
            phrases += [colouring.where, colouring.dark, colouring.rule, colouring.light or ""]
    return set().union(*map(texts, phrases))


@pytest.mark.parametrize("code", OTHERS)
def test_a_language_has_the_words_of_proofs_with_the_same_values(code: str) -> None:
    own: dict[str, Any] = languages()[code]["proofs"]
    spoken = of_proofs()
    assert len(spoken) > 50
    assert spoken - set(own) == set()
    for text in own:
        values = set(re.findall(r"\{(\w+)\}", own[text]))
        assert values <= set(re.findall(r"\{(\w+)\}", text)), text


def test_a_file_for_one_part_has_its_words_only() -> None:
    found = embedded("game")
    assert "takeBack" in found
    assert "view." not in found
    assert all(f'"{code}":' in found for code in languages())


@pytest.mark.parametrize("code", OTHERS)
def test_words_without_scripts_are_in_every_language(code: str) -> None:
    assert languages()[code]["plain"].keys() == languages()["en"]["plain"].keys()
    assert not set(languages()[code]["plain"].values()) & set(languages()["en"]["plain"].values())


def test_files_without_javascript_speak_every_language() -> None:
    for text in (puzzlec.play("soma", limit=1), page.page(subject("soma", 0)), first_page()):
        silent = text.split("<noscript>")[-1].split("</noscript>")[0]
        assert re.findall(r'<p lang="(\w+)">', silent) == list(languages())


#: Puzzles without solutions, for each reason but those of proofs by colouring, and the German words of the first one.
IMPOSSIBLE = {
    "locations box 2x2\npiece A { xxx/xxx }\n": "die Teile sind größer als das Brett",
    "locations box 3x2\npiece A { xx }\n": "die Teile füllen das Brett nicht",
    "optional locations box 2x2\nempty 0\npiece A { xx }\n": "die Teile füllen das Brett nicht",
    "optional locations box 2x2\nempty 3\npiece A { xx }\n": "die Teile lassen zu wenige Felder leer",
    "locations box 5x1\npiece A { xx./.xx }\npiece B { x }\n": "Teil `A` passt nirgends",
    "locations box 4x2\npiece A { xx/x. }\npiece B { xxxxx }\n": "Teil `B` passt nirgends",
    "locations box 4x2\npiece A x2 { xxxx }\nplace A inside box 3x2\n": "Teil `A` passt nirgends",
    "locations {\n xx..x\n xx..x\n}\npiece A x2 { xx/x. }\n": "kein Teil kann Feld (4,0) und ein weiteres belegen",
}


@pytest.mark.parametrize("text", IMPOSSIBLE)
def test_reasons_against_solutions_are_in_german(text: str) -> None:
    report = Report()
    check(compile(parse(text), report=report), report=report)
    reason = next(each for each in report.diagnostics if each.code in NO_SOLUTION_CODES)
    said = in_languages(reason)["de"]
    assert said["message"] == IMPOSSIBLE[text]
    english = re.compile(r"\b(the|and|pieces|locations|box|placements|must|add|cover|more)\b")
    for own in (*said["notes"], *said["helps"]):  # type: ignore[misc]
        assert not english.search(re.sub("`[^`]*`", "", own)), own


def test_a_reason_in_german_keeps_its_values() -> None:
    for text, own in languages()["de"]["reasons"].items():
        assert set(re.findall(r"\{\w+\}|`[^`]*`", text)) == set(re.findall(r"\{\w+\}|`[^`]*`", own))
