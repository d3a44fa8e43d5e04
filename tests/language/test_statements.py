"""The table of statements: it agrees with the grammar, and a new statement is known everywhere by one entry."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from filecmp import dircmp
from pathlib import Path

import pytest

from puzzlec.diagnostics import Report, Source
from puzzlec.language.elaborate.context import Context
from puzzlec.language.elaborate.statements import BY_KIND, KEYWORDS, STATEMENTS
from puzzlec.language.grammar_words import statements

ROOT = Path(__file__).parents[2]
GRAMMAR = (ROOT / "grammars" / "puzzle.lark").read_text(encoding="utf-8")


def alternatives(rule: str) -> list[str]:
    """Return the rules that a rule of the grammar chooses from."""
    (body,) = re.findall(rf"(?m)^{rule}:((?:\s*\|?\s*\w+\n)+)", GRAMMAR)
    return re.findall(r"\w+", body)


def test_the_table_has_the_statements_of_the_grammar() -> None:
    once, repeatable = alternatives("_statement"), alternatives("_repeatable")
    assert sorted(BY_KIND) == sorted([*once[:-1], *repeatable])
    assert sorted(KEYWORDS) == sorted(statement.word for statement in statements())
    assert sorted(statement.kind for statement in STATEMENTS if statement.in_blocks) == sorted(repeatable)


def test_only_a_statement_outside_of_blocks_is_given_once() -> None:
    assert not [statement.word for statement in STATEMENTS if statement.once and statement.in_blocks]


def test_the_context_groups_its_members() -> None:
    context = Context(Source("x", ""), Report(), {}, ())
    assert len(vars(context)) <= 15
    assert all(len(vars(part)) <= 15 for part in vars(context).values() if hasattr(part, "__dict__"))


# A statement without a meaning, added to a copy as CONTRIBUTING.md describes: each file with its replacements

ENTRY = """STATEMENTS = (
    Statement(
        "remark", declarations.remark, Phase.RULES, page=RULES, help="A remark that is kept with the puzzle",
        expects={"the remark in double quotes": ("remark }",)},
    ),
"""
FUNCTION = '''

def remark(context: Context, statement: Tree) -> None:
    """Check nothing."""
'''
SECTION = """### `remark`

A remark that is kept with the puzzle. It changes nothing.

### `rule`
"""
CHANGES = {
    "grammars/puzzle.lark": [
        ("           | rule\n", "           | rule\n           | remark\n"),
        ('match: "match" SIGN ","? SIGN\n', 'match: "match" SIGN SIGN\nremark: "remark" STRING\n'),
    ],
    "puzzlec/language/elaborate/statements.py": [("STATEMENTS = (\n", ENTRY)],
    "puzzlec/language/elaborate/declarations.py": [("\n\ndef param(", f"{FUNCTION}\n\ndef param(")],
    "docs/language/rules-and-costs.md": [("### `rule`\n", SECTION)],
}

#: The files that are made from the table and the grammar.
GENERATED = ("docs/editors/puzzle.tmLanguage.json", "docs/language/grammar.md", "docs/language/numbers-and-loops.md")

KNOWN = r"""
from puzzlec import parse
from puzzlec.diagnostics import PuzzleError, Source
from puzzlec.language.elaborate.statements import KEYWORDS
from puzzlec.language.formatter.layout import formatted
from puzzlec.language.highlight.highlighter import PuzzleLexer
from puzzlec.language.grammar_words import words
from puzzlec.language.puzzle_text import read_puzzle
from puzzlec.language.editing.completion import offers
from puzzlec.language.editing.reference import line_of
from puzzlec.services.lsp.answers import outline
from puzzlec.language.editing.roles import word_at
from puzzlec.language.editing.syntax import syntax_of

def refusal(text):
    try:
        read_puzzle(Source("x", text))
    except PuzzleError as error:
        return error.diagnostics[0]

TEXT = 'remark   "first"\nlocations box 2x1\npiece A { xx }\n'
assert read_puzzle(Source("x", TEXT)).pieces[0].name == "A"
assert formatted(Source("x", TEXT)).startswith('remark "first"\n')
assert parse(TEXT).pieces[0].name == "A"
assert "remark" in KEYWORDS and "remark" in words().statements
remarks = [each.remark for each in offers(syntax_of(Source("x", "rem")), 3).offers if each.text == "remark"]
assert remarks == ["A remark that is kept with the puzzle"]
assert "remark" in {each.text for each in offers(syntax_of(Source("x", "for i in 1..2 {\n  \n}")), 18).offers}
assert word_at(TEXT, 3) == "remark" and line_of("remark")[1:] == ("rules-and-costs", "remark")
assert outline(syntax_of(Source("x", TEXT)))[0].kind == "remark"
assert [str(kind) for _, kind, word in PuzzleLexer().get_tokens_unprocessed(TEXT) if word == "remark"] == [
    "Token.Keyword.Declaration"
]
assert "expected the remark in double quotes" in refusal("remark 3\n" + TEXT).message
assert refusal("remrak 'x'\n" + TEXT).helps == ('write `remark "x"`',)
assert refusal("piece A { x } remark 'x'").helps == ('write `piece A { x }` and `remark "x"`',)
assert refusal("remark: 'x'\n" + TEXT).helps == ('write `remark "x"`',)
"""


def changed(one: dircmp[str]) -> list[str]:
    """Return the files that differ between two folders."""
    inner = [f"{name}/{file}" for name, sub in one.subdirs.items() for file in changed(sub)]
    return [*one.diff_files, *one.left_only, *one.right_only, *inner]


def run(folder: Path, *arguments: str, **environment: str) -> None:
    done = subprocess.run(
        [sys.executable, *arguments], cwd=folder, capture_output=True, text=True, timeout=300,
        env={**os.environ, "PYTHONPATH": str(folder), "PUZZLEC_CACHE": str(folder / "cache"), **environment},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.long
def test_a_new_statement_touches_few_files_and_is_known_everywhere(tmp_path: Path) -> None:
    for part in ("puzzlec", "grammars", "docs"):
        shutil.copytree(ROOT / part, tmp_path / part, ignore=shutil.ignore_patterns("__pycache__", "*.png", "*.svg"))
    (tmp_path / "tests").mkdir()
    shutil.copy(ROOT / "tests" / "test_language_reference.py", tmp_path / "tests")
    for name, replacements in CHANGES.items():
        text = (tmp_path / name).read_text(encoding="utf-8")
        for before, after in replacements:
            assert text.count(before) == 1, (name, before)
            text = text.replace(before, after)
        (tmp_path / name).write_text(text, encoding="utf-8")
    run(tmp_path, "-c", KNOWN)
    run(tmp_path, "-m", "puzzlec.language.highlight.textmate", "docs/editors/puzzle.tmLanguage.json")
    reference = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/test_language_reference.py")
    run(tmp_path, *reference, "-k", "parts_of_the_pages", PUZZLEC_REGENERATE="1")
    run(tmp_path, *reference)
    touched = [
        f"{part}/{file}"
        for part in ("puzzlec", "grammars", "docs")
        for file in changed(dircmp(ROOT / part, tmp_path / part))
        if not file.endswith((".png", ".svg")) and "__pycache__" not in file
    ]
    assert sorted(touched) == sorted([*CHANGES, *GENERATED])
    assert len(CHANGES) == 4


@pytest.mark.parametrize("name", [*CHANGES, *GENERATED, "tests/test_language_reference.py"])
def test_the_recipe_names_the_files_that_a_statement_touches(name: str) -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    row = re.search(r"(?m)^\| a statement of the language \|.*$", text)
    section = re.search(r"(?ms)^## A statement of the language\n.*?(?=^## )", text)
    assert row is not None
    assert section is not None
    recipe = row.group() + section.group()
    assert name in recipe or str(Path(name).parent) + "/" in recipe
