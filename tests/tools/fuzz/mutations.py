"""First texts, and their mutations: from typing mistakes to moved statements."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

#: A text, or one in bytes.
Text = TypeVar("Text", str, bytes)

ROOT = Path(__file__).parents[3]

#: No longer texts are made: bugs that need them are rare, and each text costs time.
LONGEST = 300

_TOKEN = re.compile(r'"[^"\n]*"|\w[\w-]*|\.\.|[=!<>]=|//|\s+|.', re.DOTALL)
_NUMBER = re.compile(r"[0-9]+")
_FENCE = re.compile(r"```puzzle\n(.*?)```", re.DOTALL)

#: Statements for every rule of the grammar; ``@`` is a new number each time.
STATEMENTS = (
    'puzzle "T"', "lattice square", "lattice cubic", "lattice line", "lattice none", "lattice hexagonal",
    "lattice triangular", "colours r b 1 2", "colours 1", "param n = @", "param m = n*@-1", "param k = min(@,@)",
    "empty @", "empty @..@", "empty {n}..{n+1}", "frame r", "frame 1 {n}", "match r b", "match 1 2",
    "locations box @x@", "locations box {n}x@ - box @x@ at (@,@)", "locations box @x@ & { xx/?r } + cells (@,@) (@,@)",
    "locations cells (i,@) for i in @..@", "locations cells (i,j) for i in 0..n, j in (1, @, n) where i != j",
    "locations ( { xx } - box 1x1 ) at (@,@)", "locations { x{n}/{1}. } # drawn", "locations @",
    "locations names a b c", 'locations names "a b" c[@] c[i,@] for i in @..@', "locations names (a\n  b[@])",
    "optional locations box @x@", "optional locations names o[i] for i in @..@",
    "piece A { xx/x. }", "piece B x@ { x }", "piece C x@..@ one-sided { xr/b. }", "piece D x* { x }",
    "piece E fixed { xx x. }", "piece F = pentominoes.F", "piece @ = tetrominoes.I", "piece G[@] { x }",
    "piece G[i,@] x{n} { x }", "piece H covers {a b} {b c}", "piece I covers {c[i] for i in @..@} {a}",
    "piece J covers {(0,0) (@,@)} {(i,j) (j,i)} for i in @..@, j in @..@ where i < j and j < n",
    "piece K covers ({a}\n{b})", "piece K[i] covers {c[j] for j in 0..@ where j % 2 == i % 2}",
    "piece L sides r b r b", "piece M sides 1 {n} 1 2", "pieces pentominoes", "pieces trominoes x0..@",
    "pieces tetrominoes except L, I", "allow r on b", "allow r on b 1", "place A inside box @x@ at (@,@)",
    "place A off cells (@,@)", "place G[@] inside { .x/xx }", "fix A at cells (@,@) (@,@) (@,@)", "fix L sides r b r b"
    " at cells (@,@)", "forbid B at cells (i,@) for i in @..@", "forbid G[n-@] at { x }",
    "for i in @..@ { piece P[i] { x } }",
    "for i in @..n, j in (@,@) where i <= j or not j == @ {\n  locations names c[i]\n}",
    "for i in 0..@ { for j in i..@ { piece Q[i,j] covers {c[i]} } }",
    "for v at (x) in { 12. } { piece R[x] covers {c[v]} }",
    "for v at (x, y) in { 12/.3 } where v > 1 { fix B at cells (x,y) }", "for i in @..@ {\n}",
)  # fmt: skip

_WORDS = (
    "puzzle lattice colours param empty frame match locations optional piece pieces allow place fix forbid for\n"
    "in where at box edges of cells covers sides except on off and or not min max abs one-sided fixed free x2 x*\n"
    "x0..2 square cubic line none hexagonal triangular pentominoes tetrominoes soma dominoes F I A B a b n i j x y\n"
    "2x2 3x1x1 {n} {n-1} {1+} {} x{n} (0,0) (1,2,3) [1] [i] [i,j] 1..3 (1,2) == != <= >= < > // % * + - & = .\n"
    "{ } ( ) [ ] , .. ; : / # \" ' \\ | ~ ^ ! ? @ $ r b 1 2 .. ... -- {{ }} )) }} ]] for-i v_n __import__ "
)
WORDS = tuple(_WORDS.split())
SIGNS = (
    "{}()[]<>\"'#/?.,:;=*+-&|!%x0159 \n\n\t\r\f\v\0\x1b\x1c\x1f\x85"
    "aA_é\u0445\u00d7\u2212\u2013\u201c\u00a0\u2003\u200b\u202e\u2028\ufeff\uff08\uff5b\uff11\u0663\u00b2\u00b5\ud800"
    "\U0001f9e9\u0301"
)
#: Mostly small numbers: large ones make large puzzles, which cost time and show nothing new.
NUMBERS = ("0", "1", "1", "2", "2", "3", "3", "4", "5", "7", "-1", "12")
LARGE = ("99", "1000", "65536", "1000001", "2147483647", "2147483648", "9" * 30, "-2147483649", "007", "1.5", "1e9")


def seeds() -> list[str]:
    """Return the first texts: those of the catalogue and of the docs, short ones whole, and all in pieces."""
    texts = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "puzzles").rglob("*.puzzle"))]
    for path in sorted((ROOT / "docs").rglob("*.md")):
        texts += _FENCE.findall(path.read_text(encoding="utf-8"))
    found: dict[str, None] = {}
    for text in texts:
        if len(text) <= LONGEST:
            found[text] = None
        lines = text.splitlines(keepends=True)
        for start in range(0, min(len(lines), 40), 4):
            part = "".join(lines[start : start + 6])
            if 10 < len(part) <= LONGEST:
                found[part] = None
    return list(found)


class Mutator:
    """Makes texts from others. All choices come from one source of random numbers."""

    def __init__(self, source: random.Random) -> None:
        self.random = source
        self.steps: tuple[Callable[[str, Sequence[str]], str], ...] = (
            self.sign, self.sign, self.word, self.word, self.words_moved, self.number, self.number, self.bracket,
            self.line, self.line, self.statement, self.statement, self.splice, self.doubled, self.cut, self.end,
        )  # fmt: skip

    def fresh(self) -> str:
        """Return a text of some statements."""
        lines = [self.filled(self.random.choice(STATEMENTS)) for _ in range(self.random.randint(1, 5))]
        return "\n".join(lines) + self.random.choice(("\n", "\n", "", " "))

    def mutated(self, text: str, corpus: Sequence[str]) -> str:
        """Return a text after one to some steps."""
        for _ in range(self.random.choice((1, 1, 1, 1, 2, 2, 3, 6))):
            text = self.random.choice(self.steps)(text, corpus)
        return text[:LONGEST]

    def filled(self, statement: str) -> str:
        return re.sub("@", lambda _: self.digits(), statement)

    def digits(self) -> str:
        pick = self.random.random()
        if pick < 0.01:
            return self.random.choice(LARGE)
        if pick < 0.1:
            return self.random.choice(("n", "i", "j", "n+1", "(i*2)", "-i", "n//2", "n%3", "max(i,2)"))
        return self.random.choice(NUMBERS)

    def stretch(self, text: str, most: int = 20) -> tuple[int, int]:
        start = self.random.randint(0, len(text))
        return start, min(len(text), start + self.random.randint(0, most))

    # Steps

    def sign(self, text: str, _: Sequence[str]) -> str:
        start, end = self.stretch(text, 1)
        return text[:start] + self.random.choice(SIGNS) * (self.random.random() < 0.8) + text[end:]

    def word(self, text: str, _: Sequence[str]) -> str:
        tokens = _TOKEN.findall(text) or [""]
        at = self.random.randrange(len(tokens))
        new = self.random.choice(WORDS)
        match self.random.randrange(4):
            case 0:
                tokens[at] = new
            case 1:
                tokens.insert(at, f" {new} ")
            case 2:
                tokens.insert(at, new)
            case _:
                del tokens[at : at + self.random.randint(1, 3)]
        return "".join(tokens)

    def words_moved(self, text: str, _: Sequence[str]) -> str:
        tokens = _TOKEN.findall(text) or [""]
        one, two = self.random.randrange(len(tokens)), self.random.randrange(len(tokens))
        tokens[one], tokens[two] = tokens[two], tokens[one]
        return "".join(tokens)

    def number(self, text: str, _: Sequence[str]) -> str:
        places = list(_NUMBER.finditer(text))
        if not places:
            return text + self.digits()
        chosen = self.random.choice(places)
        new = self.digits()
        if self.random.random() < 0.15:
            new = "{" + new + "}"
        return text[: chosen.start()] + new + text[chosen.end() :]

    def bracket(self, text: str, _: Sequence[str]) -> str:
        start, end = self.stretch(text)
        opening, closing = self.random.choice(("()", "{}", "[]", "{}"))
        match self.random.randrange(4):
            case 0:
                return text[:start] + opening + text[start:end] + closing + text[end:]
            case 1:
                return text[:start] + opening * self.random.choice((1, 1, 2, 60)) + text[start:]
            case 2:
                return text[:start] + closing + text[start:]
            case _:
                places = [at for at, sign in enumerate(text) if sign in "(){}[]"]
                at = self.random.choice(places) if places else 0
                return text[:at] + text[at + 1 :]

    def line(self, text: str, corpus: Sequence[str]) -> str:
        lines = text.split("\n")
        at, other = self.random.randrange(len(lines)), self.random.randrange(len(lines))
        match self.random.randrange(5):
            case 0:
                del lines[at]
            case 1:
                lines.insert(at, lines[other])
            case 2:
                lines[at], lines[other] = lines[other], lines[at]
            case 3:
                lines.insert(at, self.random.choice(self.random.choice(corpus).split("\n")))
            case _:
                lines[at : at + 2] = [" ".join(lines[at : at + 2])]
        return "\n".join(lines)

    def statement(self, text: str, _: Sequence[str]) -> str:
        lines = text.split("\n")
        lines.insert(self.random.randint(0, len(lines)), self.filled(self.random.choice(STATEMENTS)))
        return "\n".join(lines)

    def splice(self, text: str, corpus: Sequence[str]) -> str:
        other = self.random.choice(corpus)
        start, end = self.stretch(other, 60)
        at, behind = self.stretch(text, 30)
        return text[:at] + other[start:end] + text[behind:]

    def doubled(self, text: str, _: Sequence[str]) -> str:
        start, end = self.stretch(text, 12)
        return text[:end] + text[start:end] * self.random.choice((1, 1, 2, 10)) + text[end:]

    def cut(self, text: str, _: Sequence[str]) -> str:
        start, end = self.stretch(text, 25)
        return text[:start] + text[end:]

    def end(self, text: str, _: Sequence[str]) -> str:
        match self.random.randrange(4):
            case 0:
                return text[: self.random.randint(0, len(text))]
            case 1:
                return text.replace("\n", self.random.choice(("\r\n", "\r", "\n\n", " ", " # c\n")))
            case 2:
                return text.rstrip()
            case _:
                return self.random.choice(("\ufeff", "#", "\n\n", " ", "for i in 1..2 {\n")) + text


def reduced(text: Text, fails: Callable[[Text], bool], most: int = 3000) -> Text:
    """Return a smaller text (or bytes) that also fails: lines and stretches of characters are left out as long as it
    fails.

    A simple form of delta debugging: Zeller and Hildebrandt, "Simplifying and isolating failure-inducing input",
    IEEE Transactions on Software Engineering 28 (2002).
    """
    tries = 0
    size = max(1, len(text) // 2)
    while size and tries < most:
        at, smaller = 0, False
        while at < len(text) and tries < most:
            shorter = text[:at] + text[at + size :]
            tries += 1
            if fails(shorter):
                text, smaller = shorter, True
            else:
                at += size
        if not smaller or size > 1:
            size = min(size // 2, len(text) // 2) if size > 1 else 0
    return text
