"""Sentences that people can see, and the wording that is always wrong in them: `python -m tests.wording [PATH...]`."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
LONGEST = 30
"""Words in the longest sentence."""
SHORT = 8
"""A sentence of fewer words is short: a row of them reads like a telegram."""

PHRASES = r"""
(is|are|was|were|be|been) (told|said)
tells? (what|how|where|whether|that|which)
told (what|how|where|whether|by|in|once|twice)
mend(s|ed|ing)?
anew
nobody
somebody
whoever
whomever
one's own
so it is without
but for
stands? (behind|above|below|in|on|at|for itself|there|here|alone|between|after|before)
(goes|go|going|went) on
(is|are) none of
has no character
for once
by themselves
per cent
held against
(write|written) over
put down
is called so
a nought
thousand million
all the same
of (one's|its|their|our) own
too[.,]
cannot be said
no more than that
nothing else than
what is more
turned or mirrored
turns and mirrorings
mirrorings?
whole numbers?
that is to say
(thereof|whereof|wherein|hereby|whence|nought)
in such a case
(?<!there )(?<!this )is no (number|name|axis|lattice|puzzle|piece|file|cell|shape|solution|colour|statement|word)
"""
"""What is always wrong, a pattern a line: see the rules of wording in CONTRIBUTING.md."""

WRONG = re.compile(rf"\b(?:{'|'.join(PHRASES.split(chr(10))[1:-1])})(?:\b|(?<=[.,]))", re.IGNORECASE)

BARE = re.compile(r"(?<![\w.,/#:$-])\d{4,}(?![\w/:-]|[.,]\d)")
"""A number of four digits or more without commas."""

NAMES = {"1024"}
"""Numbers that are names on pages, such as the stick 1024 of a burr."""

CODE = re.compile(r"``[^`]+``|`[^`\n]+`")
STRING_OR_COMMENT = re.compile(
    r"""'''.*?'''|\"\"\".*?\"\"\"|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|#[^\n]*""", re.DOTALL
)
SHOWN = frozenset(
    {".py", ".md", ".js", ".html", ".css", ".puzzle", ".yaml", ".yml", ".lark", ".toml", ".ipynb", ".cff"}
)
THEMSELVES = ("wording.py", "test_wording.py")


@dataclass(frozen=True)
class Text:
    """A piece of text in a file: where it begins, what kind it is, and its words."""

    path: str
    line: int
    kind: str
    words: str


def bare_numbers(path: Path) -> Iterator[str]:
    """Yield the numbers of a page that have no commas, except years, in prose and in tables."""
    page = path.read_text("utf-8")
    for hidden in (
        r"(?ms)^( *)(`{3,}).*?^\1\2$",
        r"(?s)<!--.*?-->",
        r"`[^`]*`",
        r"<[^>\n]*>",
        r"\]\([^)]*\)",
        r"\"[^\"\n]*\"",
    ):
        page = re.sub(hidden, lambda found: "\n" * found[0].count("\n"), page)
    page = re.sub(r"https?://\S+", "", page)
    for number, line in enumerate(page.split("\n"), 1):
        for found in BARE.findall(line):
            if found not in NAMES and not (len(found) == 4 and "1600" < found < "2100"):
                yield f"{path.relative_to(ROOT)}:{number}: {found}: write {int(found):,}"


def files(paths: list[str]) -> list[Path]:
    """Return the tracked files of text below some paths, or of the whole project."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", *(paths or ["."])]
    names = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\n")
    found = [ROOT / name for name in names if Path(name).suffix in SHOWN]
    return [path for path in found if path.is_file() and path.name not in THEMSELVES]


def texts(path: Path) -> Iterator[Text]:
    """Yield the texts of one file."""
    name = path.relative_to(ROOT).as_posix()
    source = path.read_text("utf-8")
    if path.suffix == ".py":
        yield from _python(name, source)
    elif path.suffix == ".md":
        yield from _markdown(name, source)
    else:
        yield from _comments(name, source)


def _python(name: str, source: str) -> Iterator[Text]:
    tree = ast.parse(source)
    docstrings: set[int] = set()
    parts: set[int] = set()
    nodes = [*ast.walk(tree)]
    for node in nodes:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            docstrings.add(id(node.value))
            for line, paragraph in _paragraphs(node.value.value, node.lineno):
                yield Text(name, line, "docstring", paragraph)
        if isinstance(node, ast.JoinedStr):
            parts.update(id(value) for value in node.values)
            words = "".join(str(value.value) if isinstance(value, ast.Constant) else "`x`" for value in node.values)
            yield Text(name, node.lineno, "string", words)
    skipped = docstrings | parts
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in skipped:
            yield Text(name, node.lineno, "string", node.value)
    yield from _comments_of_code(name, source)


def _comments_of_code(name: str, source: str) -> Iterator[Text]:
    """Yield the comments of a Python file; those in consecutive lines of their own are one text."""
    comment, start, end, line, counted = "", 0, 0, 1, 0
    for token in STRING_OR_COMMENT.finditer(source):
        if token[0][0] != "#":
            continue
        if comment and source[end : token.start()].strip():
            yield Text(name, start, "comment", comment)
            comment = ""
        line, counted = line + source.count("\n", counted, token.start()), token.start()
        comment, start = f"{comment} {token[0].lstrip('#').strip()}".strip(), start if comment else line
        end = token.end()
        if source[source.rfind("\n", 0, token.start()) + 1 : token.start()].strip():  # after code
            yield Text(name, start, "comment", comment)
            comment = ""
    if comment:
        yield Text(name, start, "comment", comment)


def _paragraphs(text: str, first: int) -> Iterator[tuple[int, str]]:
    """Yield line and words of each paragraph; examples, tables and fenced code are left out."""
    fenced, paragraph, start = False, "", first
    for number, line in enumerate([*text.split("\n"), ""], first):
        stripped = line.strip()
        if stripped.startswith(("```", "~~~")):
            fenced, stripped = not fenced, ""
        begins = re.match(
            r"([-*+]|\d+\.) |#|>>>|\.\.\. |\||<|Args:|Returns:|Yields:|Raises:|References:|\w[\w, *]*: ", stripped
        )
        if not stripped or fenced or begins:
            if paragraph:
                yield start, paragraph
            paragraph, start = "", number
        if stripped and not fenced and not stripped.startswith((">>>", "... ", "|", "<", "#")):
            start = start if paragraph else number
            paragraph = f"{paragraph} {stripped}".strip()


def _markdown(name: str, source: str) -> Iterator[Text]:
    for line, paragraph in _paragraphs(source, 1):
        yield Text(name, line, "prose", paragraph)
    fenced = False
    for number, row in enumerate(source.split("\n"), 1):
        if row.strip().startswith("```"):
            fenced = not fenced
        elif not fenced and row.startswith(("#", "|")):
            yield Text(name, number, "heading" if row.startswith("#") else "table", row)


def _comments(name: str, source: str) -> Iterator[Text]:
    for number, line in enumerate(source.split("\n"), 1):
        if " " in line.strip():
            yield Text(name, number, "text", line.strip())


def sentences(text: Text) -> list[str]:
    """Return the sentences of a text, code and links shortened to one word."""
    words = re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", CODE.sub("`x`", text.words))
    return [part for part in re.split(r"(?<=[.!?])\s+|\n\s*\n|\n(?=\s)", words) if re.search(r"\w", part)]


def findings(path: Path) -> list[str]:
    """Return what is wrong in one file: phrases that are always wrong, and sentences that are too long."""
    wrong = []
    for text in texts(path):
        plain = re.sub(r"\]\([^)]*\)", "]", CODE.sub("`x`", text.words))
        wrong += [
            f"{text.path}:{text.line}: {hit.group()!r} in {plain[max(0, hit.start() - 50) : hit.end() + 50]!r}"
            for hit in WRONG.finditer(plain)
        ]
        is_data = text.kind == "string" and text.path.startswith("tests/")
        if text.kind in ("prose", "docstring", "string", "comment") and not is_data:
            for sentence in sentences(text):
                count = len(re.findall(r"[^\W\d_]{2,}|\b[aI]\b|`x`", sentence))
                if count > LONGEST and "\n" not in sentence.strip():
                    wrong.append(f"{text.path}:{text.line}: {count} words in {sentence[:100]!r}")
    return wrong


def lengths(paths: list[Path]) -> list[int]:
    """Return the words of each sentence of at least three words in docs and docstrings."""
    kinds = ("prose", "docstring")
    counts = [
        len(sentence.split())
        for path in paths
        for text in texts(path)
        if text.kind in kinds
        for sentence in sentences(text)
    ]
    return [count for count in counts if count > 2]


def page_lengths(page: Path) -> list[int]:
    """Return the words of each sentence of a page, without tables, code, headings and fragments of lists."""
    found = [sentence for text in texts(page) if text.kind == "prose" for sentence in sentences(text)]
    return [len(words) for words in map(str.split, found) if len(words) > 2 and re.search(r"[.!?:]\)?$", words[-1])]


def share_of_short(lengths: list[int]) -> float:
    """Return the share of sentences below :data:`SHORT` words."""
    return sum(length < SHORT for length in lengths) / max(1, len(lengths))


def main(paths: list[str]) -> int:
    """Print the findings and the mean length of sentences."""
    chosen = files(paths)
    wrong = [line for path in chosen for line in findings(path)]
    counts = lengths(chosen)
    mean = sum(counts) / max(1, len(counts))
    summary = (
        f"{len(wrong)} findings in {len(chosen)} files; {len(counts)} sentences of {mean:.1f} words on average, "
        f"{share_of_short(counts):.0%} of them below {SHORT} words"
    )
    sys.stdout.write("\n".join([*wrong, summary, ""]))
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
