"""docs/language/ describes the whole language: tables are made from grammar and statements, no word is missing."""

from __future__ import annotations

import os
import re
import textwrap
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import pytest

from puzzlec.language.elaborate.statements import BY_KIND, KEYWORDS, STATEMENTS, Statement
from puzzlec.language.grammar_words import words
from tests.tools.site.pages import Anchors

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs" / "language"
PAGES = {path.stem: path for path in sorted(FOLDER.glob("*.md"))}
GRAMMAR = ROOT / "grammars" / "puzzle.lark"
END = "<!-- end of what is generated -->"

#: Names on the page for symbols of the grammar that a reader would not understand. All other symbols keep their names,
#: in capitals.
CALLED = {
    "COLOUR": "CHARACTER",
    "SIGN": "COLOUR",
    "SIZE": "SIZES",
    "INDEXED_NAME": "NAME",
    "_NL": "END-OF-LINE",
}

#: The grammar writes names out, because LALR needs that (a comment there says why); for a reader they are one thing.
NAMES = (
    ("(CHOSEN | STRING)", "(NAME | STRING)"),
    ('(NAME | STRING) ("[" subscript "]")?', "INDEXED_NAME"),
    ("(NAME | STRING)", "PLAIN_NAME"),
    ('("," round | _next)*', '("," round)*'),
    (" _next*", ' ("," round)*'),
    ("VARIABLE _round", 'VARIABLE "in" range'),
    ("VARIABLE _traced", 'VARIABLE "at" "(" VARIABLE ("," VARIABLE)* ")" "in" DRAWING'),
    ("_signs", "SIGN+"),
    ('SIGN ","? SIGN\n', "SIGN SIGN\n"),
    ("sized", "_sum"),
    ("FIRST", "(NUMBER | VARIABLE)"),
    ("(COMPARISON | EQUAL) bounds", '("=" | "==" | "<=" | ">=" | "<" | ">") bounds'),
    ("(COMPARISON | EQUAL | UNEQUAL)", "COMPARISON"),
    ('COMPARISON: "=="', 'COMPARISON: "=" | "==" | "!="'),
    ("OPEN", '".."'),
)


@dataclass(frozen=True)
class Ref:
    """A symbol of the grammar."""

    name: str


@dataclass(frozen=True)
class Word:
    """Text that is typed literally."""

    text: str


@dataclass(frozen=True)
class Sequence:
    items: tuple[Node, ...]


@dataclass(frozen=True)
class Choice:
    items: tuple[Node, ...]


@dataclass(frozen=True)
class Repeat:
    item: Node
    sign: str


Node: TypeAlias = Ref | Word | Sequence | Choice | Repeat


# Reading the grammar


def rules() -> dict[str, Node]:
    """Return the rules of the grammar, and those of its terminals that are words of the language."""
    text = re.sub(r"(?m)^\s*(//|%).*$", "", GRAMMAR.read_text(encoding="utf-8"))
    for long, short in NAMES:
        text = text.replace(long, short)
    # The page says once that a comma may be between the things of a list.
    text = re.sub(r'(\([^()\n]*\)|\w+) \(","\? \1\)\*', r"\1+", text).replace(
        "((element | spot)+)?", "(element | spot)*"
    )
    found: dict[str, Node] = {}
    for name, body in re.findall(r"(?m)^[?!]?(\w+)(?:\.-?\d+)?:(.*(?:\n[ \t]+\S.*)*)", text):
        if name.islower() or re.fullmatch(r'\s*"[^"]*"(\s*\|\s*"[^"]*")*\s*', body):
            found[name] = parsed(body)
    return found


def parsed(body: str) -> Node:
    """Return the right side of a rule as a tree."""
    tokens = re.findall(r'->\s*\w+|"[^"]*"|\w+|[()|?+*]', body)
    tree, rest = _choice(tokens)
    assert not rest, f"cannot read {body!r}"
    return tree


def _choice(tokens: list[str]) -> tuple[Node, list[str]]:
    branches: list[Node] = []
    items: list[Node] = []
    while tokens and tokens[0] != ")":
        token, *tokens = tokens
        if token == "|":
            branches.append(sequence(items))
            items = []
        elif token == "(":
            inner, tokens = _choice(tokens)
            tokens = tokens[1:]
            items.append(inner)
        elif token in "?+*":
            items.append(Repeat(items.pop(), token))
        elif token[0] == '"':
            items.append(Word(token[1:-1]))
        elif not token.startswith("->"):
            items.append(Ref(token))
    return choice([*branches, sequence(items)]), tokens


def sequence(items: list[Node]) -> Node:
    return items[0] if len(items) == 1 else Sequence(tuple(items))


def choice(items: list[Node]) -> Node:
    flat: dict[Node, None] = {}
    for item in items:
        flat.update(dict.fromkeys(item.items if isinstance(item, Choice) else (item,)))
    for one in flat:
        for other in flat:
            if isinstance(other, Sequence) and other.items[0] == one:  # `a | a b` is `a b?`, and `a | a b+` is `a b*`
                rest = sequence(list(other.items[1:]))
                joined = sequence([one, Repeat(rest.item, "*") if isinstance(rest, Repeat) else Repeat(rest, "?")])
                return choice([joined if item == one else item for item in flat if item != other])
    return Choice(tuple(flat)) if len(flat) > 1 else next(iter(flat))


# Making it readable


def used(node: Node) -> list[str]:
    """Return the symbols in a tree, in their order."""
    if isinstance(node, Ref):
        return [node.name]
    if isinstance(node, Repeat):
        return used(node.item)
    return [name for item in node.items for name in used(item)] if isinstance(node, (Sequence, Choice)) else []


def replaced(node: Node, name: str, by: Node) -> Node:
    if node == Ref(name):
        return by
    if isinstance(node, Repeat):
        return Repeat(replaced(node.item, name, by), node.sign)
    if isinstance(node, Sequence):
        flat: list[Node] = []
        for item in node.items:
            new = replaced(item, name, by)
            flat.extend(new.items if isinstance(new, Sequence) else (new,))
        return sequence(flat)
    if isinstance(node, Choice):
        return choice([replaced(item, name, by) for item in node.items])
    return node


def unrolled(name: str, node: Node) -> Node:
    """Return a rule without recursion at the left: ``a: b | a "+" b`` is ``b ("+" b)*``."""
    if not isinstance(node, Choice):
        return node
    again = [item for item in node.items if isinstance(item, Sequence) and item.items[0] == Ref(name)]
    if not again:
        return node
    first = choice([item for item in node.items if item not in again])
    more = choice([sequence(list(item.items[1:])) for item in again if isinstance(item, Sequence)])
    return sequence([first, Repeat(more, "*")])


def readable(kept: set[str]) -> dict[str, Node]:
    """Return the rules after inlining each rule that is used once or is one word.

    Rules in ``kept`` stay.
    """
    found = rules()
    found["INDEXED_NAME"] = sequence([Ref("PLAIN_NAME"), Repeat(parsed('"[" subscript "]"'), "?")])
    while True:
        uses = [symbol for node in found.values() for symbol in used(node)]
        for name, node in found.items():
            once = uses.count(name) == 1 and not (name.isupper() and "_" in name)
            if name not in kept and name not in used(node) and (once or small(name, node)):
                break
        else:
            return {name: unrolled(name, node) for name, node in found.items()}
        del found[name]
        found = {key: unrolled(key, replaced(body, name, node)) for key, body in found.items()}


def small(name: str, node: Node) -> bool:
    """Whether a rule is easier to read if it is inlined."""
    return name.isupper() and "_" not in name and isinstance(node, (Word, Choice))


def kinds() -> dict[str, str]:
    """Return the statements, each with the rule that describes it."""
    found = rules()
    statements = [name for top in ("_statement", "_repeatable") for name in used(found[top])]
    heads = {name: first(found[name]) for name in statements if name != "_repeatable"}
    assert all(heads.values()), heads
    return {str(word): name for name, word in heads.items()}


def first(node: Node) -> str | None:
    """Return the word that a rule begins with."""
    while isinstance(node, Sequence):
        node = node.items[0]
    return node.text if isinstance(node, Word) else None


def text(node: Node, inside: str = "") -> str:
    """Return a tree in readable form: words as they are typed, signs in quotes, parts in capitals."""
    if isinstance(node, Ref):
        statement = next((word for word, name in kinds().items() if name == node.name), None)
        return (
            f"{statement} ..." if statement else CALLED.get(node.name, node.name).strip("_").replace("_", "-").upper()
        )
    if isinstance(node, Word):
        return node.text if node.text[0].isalpha() else f'"{node.text}"'
    if isinstance(node, Repeat):
        return text(node.item, "repeat") + node.sign
    if isinstance(node, Sequence):
        shown = " ".join(text(item, "sequence") for item in node.items)
        return f"({shown})" if inside == "repeat" else shown
    shown = " | ".join(text(item) for item in node.items)
    return f"({shown})" if inside else shown


# The pages


def text_of(page: str) -> str:
    """Return a page without its generated parts."""
    return re.sub(f"(?s)<!-- generated: .*?{re.escape(END)}", "", PAGES[page].read_text(encoding="utf-8"))


def headings(page: str) -> dict[str, tuple[str, str]]:
    """Return the heading and the paragraph after it for each anchor of a page, in the form of GitHub."""
    found: dict[str, tuple[str, str]] = {}
    plain = re.sub(r"(?m)^```(.*\n)*?```$", "", PAGES[page].read_text(encoding="utf-8"))
    anchors = Anchors()
    for heading, body in re.findall(r"(?m)^#+ (.*)\n+((?:[^#\n].*\n)*)", plain):
        found[anchors.of(heading)] = heading, " ".join(body.split())
    return found


def sections() -> dict[str, tuple[str, str, str]]:
    """Return the page, the anchor and the first sentence of its section for each statement in a heading."""
    return {
        heading.strip("`"): (page, anchor, re.split(r"(?<=[^.])\.(?: |$)", paragraph)[0])
        for page in PAGES
        for anchor, (heading, paragraph) in headings(page).items()
        if re.fullmatch(r"`[\w-]+`", heading)
    }


def forms() -> dict[str, Node]:
    """Return the rules that the page of the grammar shows."""
    return readable({*kinds().values(), "region", "range", "clause", "cell", "expression", "names", "block"})


def table_of_statements() -> str:
    """Return the table of statements and the grammar of their parts."""
    statements, known = kinds(), forms()
    lines = ["| statement | form | meaning |", "|---|---|---|"]
    for word, rule in statements.items():
        form, about = text(known[rule]).replace("|", "\\|"), BY_KIND[rule]
        lines.append(f"| [`{word}`]({about.page}.md#{about.anchor}) | `{form}` | {about.help} |")
    lines += ["", "These are the parts. The table after them describes single words.", "", "```ebnf"]
    reached = [name for rule in statements.values() for name in used(known[rule])]
    seen: set[str] = set(statements.values())
    parts: list[tuple[str, str]] = []
    while reached:
        name, *reached = reached
        if name in known and name not in seen:
            seen.add(name)
            parts.append((text(Ref(name)), text(known[name])))
            reached = [*used(known[name]), *reached]
    width = max(len(name) for name, _ in parts)
    lines += [f"{name:<{width}} ::= {form}" for name, form in parts]
    return "\n".join([*lines, "```"])


def sentence_of_blocks() -> str:
    """Return the sentence that lists the statements of a block."""
    inside = [f"`{statement.word}`" for statement in STATEMENTS if statement.in_blocks]
    sentence = f"A block may contain these statements: {', '.join(inside[:-1])} and {inside[-1]}."
    return textwrap.fill(sentence, 120, break_on_hyphens=False)


#: The generated parts of the pages, by their marks.
GENERATED = {"statements": ("grammar", table_of_statements), "block": ("numbers-and-loops", sentence_of_blocks)}


@pytest.mark.parametrize("mark", GENERATED)
def test_the_table_of_statements_and_the_grammar_make_parts_of_the_pages(mark: str) -> None:
    page, made = GENERATED[mark]
    begin = f"<!-- generated: {mark} -->"
    before, middle, after = re.split(
        f"(?s){re.escape(begin)}\n(.*?)\n{re.escape(END)}", PAGES[page].read_text(encoding="utf-8")
    )
    if os.environ.get("PUZZLEC_REGENERATE"):
        PAGES[page].write_text(f"{before}{begin}\n{made()}\n{END}{after}", encoding="utf-8")
    else:
        assert middle == made(), "PUZZLEC_REGENERATE=1 pytest tests/test_language_reference.py writes it again"


def test_the_generated_parts_have_no_other_marks() -> None:
    marks = [
        mark for path in PAGES.values() for mark in re.findall(r"<!-- generated: (.*?) -->", path.read_text("utf-8"))
    ]
    assert sorted(marks) == sorted(GENERATED)


def test_the_grammar_of_the_page_allows_the_same_statements_in_a_block_as_the_table() -> None:
    (repeatable,) = re.findall(r"(?m)^REPEATABLE +::= (.*)$", table_of_statements())
    inside = {statement.word for statement in STATEMENTS if statement.in_blocks}
    assert {form.removesuffix(" ...") for form in repeatable.split(" | ")} == inside


@pytest.mark.parametrize("statement", STATEMENTS, ids=KEYWORDS)
def test_a_statement_has_a_section_that_begins_with_its_meaning(statement: Statement) -> None:
    assert statement.word in sections(), f"no heading in docs/language names `{statement.word}`"
    assert sections()[statement.word] == (statement.page, statement.anchor, statement.help)
    assert 10 < len(statement.help) < 120


def test_every_statement_that_the_parser_knows_is_in_the_table() -> None:
    assert set(kinds()) == set(words().statements)


def test_every_word_of_the_language_is_explained_in_the_pages() -> None:
    pages = "".join(text_of(page) for page in PAGES if page != "cheat-sheet")
    shown = " ".join(re.findall(r"(?s)```.*?```|`[^`]+`", pages))
    known = words()
    groups = (known.statements, known.modifiers, known.regions, known.operators, known.functions, known.links)
    missing = [word for group in groups for word in group if not re.search(rf"(?<![\w-]){word}(?![\w-])", shown)]
    assert not missing


def test_every_part_that_the_table_names_is_described() -> None:
    parts = set(re.findall(r"\b[A-Z]{2,}(?:-[A-Z]+)*\b", table_of_statements()))
    described = set(re.findall(r"(?m)^([A-Z-]+) +::=", table_of_statements()))
    described |= set(re.findall(r"\| `([A-Z-]+)` \|", text_of("grammar")))
    assert parts - described == set()


def test_links_to_sections_of_the_reference_lead_to_its_headings() -> None:
    links = 0
    for path in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]:
        for target, anchor in re.findall(r"\]\(([^)\s#:]*)#([\w-]+)\)", path.read_text(encoding="utf-8")):
            page = (path.parent / target).resolve() if target else path
            if page.parent == FOLDER:
                assert anchor in headings(page.stem), f"{path.relative_to(ROOT)}: {target}#{anchor}"
                links += 1
    assert links > len(kinds())


def test_the_reference_links_the_index_of_errors() -> None:
    assert "](../errors/README.md)" in PAGES["README"].read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES)
def test_the_prose_of_the_reference_is_wrapped_at_120_characters(page: str) -> None:
    prose = re.sub(r"(?ms)^```.*?^```$", "", text_of(page))
    long = [line for line in prose.splitlines() if len(line) > 120 and not line.startswith(("|", "<"))]
    assert not long
