"""The words of pages in a browser: one file for each language, such as ``en.json``.

A file has the ``name`` of its language, ``words`` by their keys, and ``plain`` words that need no JavaScript. Its
``answers`` are translations of texts that other parts of puzzlec print, by these texts. ``exports`` are those of kinds
of files and their settings. ``proofs`` are those of phrases in proofs that a puzzle has no solution, and ``reasons``
those of texts of other reasons. A key begins with ``view.`` or ``game.`` if the files of ``view`` or ``play`` also need
it, with ``rules.`` or ``ways.`` (directions) if both need it.
"""

from __future__ import annotations

import json
import re
from contextlib import suppress
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from puzzlec.diagnostics import Diagnostic
from puzzlec.diagnostics.codes import NO_SOLUTION_CODES
from puzzlec.diagnostics.phrase import Phrase

_HERE = Path(__file__).parent


@cache
def languages() -> dict[str, dict[str, Any]]:
    """Return the files of all languages by their codes; English is the first."""
    files = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(_HERE.glob("*.json"))}
    return {"en": files["en"], **files}


def phrase_source() -> str:
    """Return the functions that find words, as plain JavaScript."""
    return (_HERE / "phrase.js").read_text(encoding="utf-8")


def language_source() -> str:
    """Return the function ``languageOf``, which chooses a language, as plain JavaScript."""
    return (_HERE / "language.js").read_text(encoding="utf-8")


@cache
def embedded(part: str, of: str = "", codes: tuple[str, ...] = (), has_rules: bool = True) -> str:
    """Return JavaScript with the words of one part in some languages, by default in all; it chooses one.

    ``part`` is the beginning of keys; those of directions are always there, and those of rules with ``has_rules``.
    ``of`` is the object that has the functions of :func:`phrase_source`.
    """
    parts = (f"{part}.", "ways.", *["rules."] * has_rules)
    phrases = {
        code: {"words": {key: text for key, text in file["words"].items() if key.startswith(parts)}, "answers": {}}
        for code, file in languages().items()
        if code in codes or not codes
    }
    data = json.dumps(phrases, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    dot = of and f"{of}."
    return (
        f"{{\n{language_source()}const files = {data};\n"
        f"const language = languageOf(Object.keys(files), document.documentElement.lang);\n"
        f"{dot}speak(language, files[language]);\n}}\n"
    )


@cache
def without_scripts(key: str) -> str:
    """Return a plain sentence in all languages, as HTML: a page without JavaScript cannot choose one."""
    return "".join(f'<p lang="{code}">{escape(file["plain"][key])}</p>' for code, file in languages().items())


def translated(phrase: Phrase | str | int, code: str) -> str:
    """Return a phrase of a proof in a language; words without a translation stay as they are.

    >>> from puzzlec.diagnostics.phrase import say
    >>> translated(say("{n} {cells}", n=2, cells="dark cells"), "de")
    '2 dunkle Zellen'
    """
    words: dict[str, str] = languages()[code]["proofs"]
    if not isinstance(phrase, Phrase):
        return words.get(str(phrase), str(phrase))
    values = {name: translated(value, code) for name, value in phrase.values.items()}
    return words.get(phrase.text, phrase.text).format_map(values)


@cache
def _reasons(code: str) -> list[tuple[re.Pattern[str], str]]:
    """Return the texts of reasons as patterns with their translations, the most special ones first."""
    texts: dict[str, str] = languages()[code].get("reasons", {})
    reasons = []
    for text in sorted(texts, key=len, reverse=True):
        pattern = re.escape(text).replace(r"\{n\}", "(?P<n>[0-9,]+)")
        pattern = re.sub(r"\\{(\w+)\\}", r"(?P<\1>.+?)", pattern)
        reasons.append((re.compile(pattern), texts[text]))
    return reasons


def translated_reason(text: str, code: str) -> str:
    """Return a text of a reason against solutions in a language; the text itself without a translation.

    >>> translated_reason("pieces cover 30 locations, 3 more than there are", "de")
    'die Teile belegen 30 Felder, 3 mehr, als es gibt'
    """
    for pattern, words in _reasons(code):
        if match := pattern.fullmatch(text):
            return words.format_map({name: translated_reason(value, code) for name, value in match.groupdict().items()})
    return text


def in_languages(diagnostic: Diagnostic) -> dict[str, dict[str, object]]:
    """Return the texts of a reason against solutions in each language but English; nothing for other diagnostics."""
    if diagnostic.code not in NO_SOLUTION_CODES:
        return {}
    return {
        code: {
            "message": translated_reason(diagnostic.message, code),
            "notes": [translated_reason(note, code) for note in diagnostic.notes],
            "helps": [translated_reason(text, code) for text in diagnostic.helps],
        }
        for code in languages()
        if code != "en"
    }


def spoken(accepted: str) -> str:
    """Return the code of the language that the header Accept-Language prefers; English if none is known.

    >>> spoken("fr;q=0.9, de-AT;q=0.8, en;q=0.5"), spoken("ja"), spoken("en, de;q=broken")
    ('de', 'en', 'en')
    """
    preferences: list[tuple[float, str]] = []
    for part in accepted.split(","):
        name, _, weight = part.partition(";q=")
        code = name.strip().lower().split("-")[0]
        with suppress(ValueError):
            if code in languages():
                preferences.append((-float(weight or 1), code))
    return min(preferences, key=lambda preference: preference[0], default=(0.0, "en"))[1]
