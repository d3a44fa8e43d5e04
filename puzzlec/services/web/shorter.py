"""Scripts and styles of the page without comments, and without spaces that mean nothing, so that it loads sooner.

The library rjsmin makes the same size (0.1 % more), but it removes spaces and `//` inside a template within a template.
"""

from __future__ import annotations

import re

_TOKEN = re.compile(r"""(?s)"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|//[^\n]*|/\*.*?\*/|[\w$]+|[ \t]+|\n|.""")
_PATTERN = re.compile(r"/(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\\n\[])+/\w*")
_FRACTION = re.compile(r"\.\d")
_NAME = re.compile(r"[\w$]")
#: The words after which a slash begins a regular expression. After other words, and after brackets, it divides.
_BEFORE_PATTERN = {"return", "typeof", "case", "of", "in", "await", "yield"}
#: The words before a bracket after which a semicolon can be a whole statement, which a loop without a body needs.
_BEFORE_BODY = {"for", "while", "if", "with", "await"}


def short_script(source: str) -> bytes:
    r"""Return JavaScript without comments, spaces and semicolons that mean nothing, and zeros before a point.

    Declarations that follow each other are joined. Strings and templates stay, but shaders lose the same.

    >>> short_script("const a = `${ b ? `  ${c}` : 'd  e' }  f`; // g")
    b"const a=`${b?`  ${c}`:'d  e'}  f`;"
    >>> short_script("x = a ? 0.5 - 10.5 : 0;")
    b'x=a?.5-10.5:0;'
    >>> short_script("const a = () => { const b = 1; f(b); }; const { c } = d; let e; let f; { const g = f; }")
    b'const a=()=>{const b=1;f(b)},{c}=d;let e,f;{const g=f}'
    >>> short_script("{ f(); } { while (a()); } { if (b) c; else; }")
    b'{f()}{while(a());}{if(b)c;else;}'
    >>> short_script("a = [\nb,\nc\n]\nd()\ne = f")
    b'a=[b,c]\nd()\ne=f'
    """
    return _Script(source).code()[0].strip().encode()


class _Script:
    def __init__(self, source: str) -> None:
        self.source = source

    def code(self, at: int = 0) -> tuple[str, int]:
        """Return the code from an index to its end, or to the brace that ends an expression in a template."""
        parts: list[str] = []
        depth, is_spaced = 0, False
        heads: list[bool] = []  # for each open bracket, whether a statement follows it
        is_head = False  # whether a statement follows the last bracket
        firsts = [""]  # for each open bracket, the first word of the current statement; of the last one after its end
        is_ended = True
        while at < len(self.source) and (depth or self.source[at] != "}"):
            token, at = self._token(at, parts[-1] if parts else "")
            if token.isspace() or token.startswith(("//", "/*")):
                is_spaced = True
                if "\n" in token and parts and parts[-1][-1] not in "{;,([\n":
                    parts.append("\n")
                continue
            if token == "0" and _FRACTION.match(self.source, at):
                continue
            depth += (token == "{") - (token == "}")
            if is_ended and token == firsts[-1] and token in ("const", "let"):  # after a semicolon
                parts[-1] = ","
                is_ended, is_spaced = False, False
                continue
            if is_ended:
                firsts[-1] = token
            is_ended = token in ";{}"
            if token in "([{":
                firsts.append("")
            elif token in ")]}" and len(firsts) > 1:
                firsts.pop()
                is_ended = is_ended and firsts[-1] not in ("const", "let")
            if token in "})]" and parts and parts[-1] == "\n":
                parts.pop()
            if token == "(":
                heads.append(bool(parts) and parts[-1] in _BEFORE_BODY)
            elif token == ")":
                is_head = heads.pop()
            elif token == "}" and parts[-1:] == [";"] and parts[-2] != "else" and not (is_head and parts[-2] == ")"):
                parts.pop()
            if is_spaced and parts and _must_part(parts[-1][-1], token[0]):
                parts.append(" ")
            parts.append(token)
            is_spaced = False
        return "".join(parts), at

    def _token(self, at: int, before: str) -> tuple[str, int]:
        if self.source[at] == "`":
            return self._template(at)
        is_pattern = not before or before in _BEFORE_PATTERN or before[-1] in "(,=:[!&|?{};+-*%<>~^\n"
        pattern = _PATTERN.match(self.source, at) if is_pattern and self.source[at + 1 : at + 2] not in "/*" else None
        match = pattern or _TOKEN.match(self.source, at)
        assert match is not None
        return match.group(), match.end()

    def _template(self, at: int) -> tuple[str, int]:
        """Return a template: its text as it is, and its expressions without spaces; a shader is shorter also."""
        text, end = "`", at + 1
        while self.source[end] != "`":
            if self.source.startswith("${", end):
                inside, end = self.code(end + 2)
                text += f"${{{inside.strip()}}}"
                end += 1
            else:
                size = 2 if self.source[end] == "\\" else 1
                text += self.source[end : end + size]
                end += size
        return f"{_short_shader(text) if text.startswith('`#version') else text}`", end + 1


def _short_shader(source: str) -> str:
    r"""Return a shader without comments, spaces that mean nothing, and zeros beside a point.

    >>> _short_shader("#version 300 es\nout vec2 a; // b\nvoid main() {\n  a = vec2(0.5, 1.0) - -c;\n}")
    '#version 300 es\nout vec2 a;void main(){a=vec2(.5,1.)- -c;}'
    """
    head, _, code = source.partition("\n")
    code = re.sub(r"//[^\n]*", "", code)
    code = re.sub(r"\b0(\.\d)", r"\1", re.sub(r"(\d\.)0+\b", r"\1", code))
    code = re.sub(r"([+-]) +(?=\1)", "\\1\0", re.sub(r"\s+", " ", code))
    return f"{head}\n" + re.sub(r" ?([^\w.\0]) ?", r"\1", code).replace("\0", " ").strip()


def _must_part(one: str, other: str) -> bool:
    """Whether a space between two characters has a meaning."""
    return bool(_NAME.match(one) and _NAME.match(other)) or (one == other and one in "+-/")


def short_style(source: str) -> bytes:
    r"""Return a style sheet without comments, line ends, and spaces beside punctuation.

    >>> short_style("a b,\n.c { d: e f; /* g */\n}")
    b'a b,.c{d:e f}'
    """
    source = re.sub(r"/\*[\s\S]*?\*/", "", source)
    return re.sub(r"(?<=:) +", "", re.sub(r"\s*([{};,>])\s*", r"\1", source)).replace(";}", "}").encode()
