"""Changes to texts in any format: words, numbers, lines and stretches, with the words of its seeds."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence

_TOKEN = re.compile(rb"[A-Za-z_][\w.-]*|-?[0-9]+|\s+|.", re.DOTALL)
_NUMBER = re.compile(rb"-?[0-9]+")

_NUMBERS = tuple(
    b"0 1 2 3 4 5 7 -1 12 00 007 1.5 1e9 1e300 99 1000 65536 1000001 2147483647 2147483648 -2147483649 4294967296 "
    b"9223372036854775808 -9223372036854775808 999999999999999999999999999999".split()
)
_SIGNS = (
    b"\xff",
    b"\xc3",
    *(
        sign.encode("utf-8", "surrogatepass")
        for sign in "{}()[]<>\"'#/?.,:;=*+-&|!%x0159~^\\ \n\n\t\r\f\v\0\x1b\x1c\x85éх×−“\u00a0\u2003\u200b\u202e\u2028"
        "\ufeff（１٣²\ud800\U0001f9e9\u0301"
    ),
)


class TokenMutator:
    """Makes inputs from others. All choices come from one source of random numbers."""

    def __init__(self, source: random.Random, seeds: Sequence[bytes], longest: int) -> None:
        self.random, self.longest = source, longest
        found = dict.fromkeys(token for seed in seeds for token in _TOKEN.findall(seed) if not token.isspace())
        self.words = list(found)[:2000] or [b"x"]
        self.steps: tuple[Callable[[bytes, Sequence[bytes]], bytes], ...] = (
            self.sign, self.sign, self.word, self.word, self.swap, self.number, self.number, self.line, self.line,
            self.splice, self.doubled, self.cut, self.nested,
        )  # fmt: skip

    def mutated(self, content: bytes, corpus: Sequence[bytes]) -> bytes:
        """Return an input after one to some steps."""
        for _ in range(self.random.choice((1, 1, 1, 1, 2, 2, 3, 6))):
            content = self.random.choice(self.steps)(content, corpus)
        return content[: self.longest]

    def _stretch(self, content: bytes, most: int) -> tuple[int, int]:
        start = self.random.randint(0, len(content))
        return start, min(len(content), start + self.random.randint(0, most))

    def sign(self, content: bytes, _: Sequence[bytes]) -> bytes:
        start, end = self._stretch(content, 1)
        return content[:start] + self.random.choice(_SIGNS) * (self.random.random() < 0.8) + content[end:]

    def word(self, content: bytes, _: Sequence[bytes]) -> bytes:
        tokens = _TOKEN.findall(content) or [b""]
        at, new = self.random.randrange(len(tokens)), self.random.choice(self.words)
        match self.random.randrange(4):
            case 0:
                tokens[at] = new
            case 1:
                tokens.insert(at, b" " + new + b" ")
            case 2:
                tokens.insert(at, new)
            case _:
                del tokens[at : at + self.random.randint(1, 3)]
        return b"".join(tokens)

    def swap(self, content: bytes, _: Sequence[bytes]) -> bytes:
        tokens = _TOKEN.findall(content) or [b""]
        one, two = self.random.randrange(len(tokens)), self.random.randrange(len(tokens))
        tokens[one], tokens[two] = tokens[two], tokens[one]
        return b"".join(tokens)

    def number(self, content: bytes, _: Sequence[bytes]) -> bytes:
        places = list(_NUMBER.finditer(content))
        new = self.random.choice(_NUMBERS[:10] if self.random.random() < 0.9 else _NUMBERS)
        if not places:
            return content + new
        chosen = self.random.choice(places)
        return content[: chosen.start()] + new + content[chosen.end() :]

    def line(self, content: bytes, corpus: Sequence[bytes]) -> bytes:
        lines = content.split(b"\n")
        at, other = self.random.randrange(len(lines)), self.random.randrange(len(lines))
        match self.random.randrange(5):
            case 0:
                del lines[at]
            case 1:
                lines.insert(at, lines[other])
            case 2:
                lines[at], lines[other] = lines[other], lines[at]
            case 3:
                lines.insert(at, self.random.choice(self.random.choice(corpus).split(b"\n")))
            case _:
                lines[at : at + 2] = [b" ".join(lines[at : at + 2])]
        return b"\n".join(lines)

    def splice(self, content: bytes, corpus: Sequence[bytes]) -> bytes:
        other = self.random.choice(corpus)
        start, end = self._stretch(other, 60)
        at, behind = self._stretch(content, 30)
        return content[:at] + other[start:end] + content[behind:]

    def doubled(self, content: bytes, _: Sequence[bytes]) -> bytes:
        start, end = self._stretch(content, 12)
        return content[:end] + content[start:end] * self.random.choice((1, 1, 2, 10)) + content[end:]

    def cut(self, content: bytes, _: Sequence[bytes]) -> bytes:
        start, end = self._stretch(content, 25)
        return content[:start] + content[end:]

    def nested(self, content: bytes, _: Sequence[bytes]) -> bytes:
        start, end = self._stretch(content, 20)
        pair = self.random.choice((b"()", b"{}", b"[]", b"<>", b'""'))
        opening, closing = pair[:1], pair[1:]
        times = self.random.choice((1, 1, 1, 2, 60))
        return content[:start] + opening * times + content[start:end] + closing * times + content[end:]
