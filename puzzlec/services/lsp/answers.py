"""Convert results of puzzlec to the types of the protocol."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import lark
from lsprotocol import types
from pygls.uris import from_fs_path

from puzzlec.language.editing.syntax import Syntax
from puzzlec.language.elaborate.statements import BY_KIND
from puzzlec.language.expressions import Tree
from puzzlec.services.lsp.text import EditorText, Place


@dataclass(frozen=True)
class StatementOutline:
    """A statement: its title, its kind (the first word), its position, and the statements inside it."""

    title: str
    kind: str
    start: int
    end: int
    named: tuple[int, int]
    inside: tuple[StatementOutline, ...] = ()


_MAX_TITLE_CHARACTERS = 60


def outline(syntax: Syntax) -> list[StatementOutline]:
    """Return the statements of a text. Statements of a block are inside the block."""
    return [_statement_outline(statement, syntax) for statement in syntax.statements()]


def _statement_outline(tree: Tree, syntax: Syntax) -> StatementOutline:
    text = syntax.source.text
    start, end = tree.meta.start_pos, tree.meta.end_pos
    kind = BY_KIND[str(tree.data)].word
    first = next(iter(tree.children), None)
    named = (start, min(start + len(kind), end))
    if isinstance(first, lark.Token) and first.type in ("NAME", "STRING", "VARIABLE"):
        behind = first.end_pos or start
        following = tree.children[1] if len(tree.children) > 1 else None
        if isinstance(following, lark.Tree) and following.data == "subscript":
            behind = following.meta.end_pos + 1
        named = (first.start_pos or start, behind)
    inside: tuple[StatementOutline, ...] = ()
    title_end = end
    if tree.data == "repeat":
        block = tree.children[-1]
        assert isinstance(block, lark.Tree)
        inside = tuple(_statement_outline(child, syntax) for child in block.children if isinstance(child, lark.Tree))
        title_end = block.meta.start_pos
    title = text[named[0] : named[1]] if tree.data in ("piece", "param", "named_region") else text[start:title_end]
    return StatementOutline(_on_one_line(title), kind, start, end, named, inside)


def _on_one_line(text: str) -> str:
    """Return a title for a statement: its first line, shortened if necessary.

    >>> _on_one_line("locations {  # the board")
    'locations {'
    """
    first = text.split("\n")[0].split(" #")[0].strip()
    return first if len(first) <= _MAX_TITLE_CHARACTERS else f"{first[: _MAX_TITLE_CHARACTERS - 3]}..."


def folds(syntax: Syntax) -> Iterator[tuple[int, int]]:
    """Yield the first and last line, from 0, of each statement, block or drawing with several lines."""
    seen = set()
    for tree in syntax.tree.iter_subtrees() if syntax.tree is not None else ():
        if tree.data != "start" and not tree.meta.empty:
            first = syntax.source.position(tree.meta.start_pos)[0] - 1
            last = syntax.source.position(max(tree.meta.end_pos - 1, tree.meta.start_pos))[0] - 1
            if last > first and first not in seen:
                seen.add(first)
                yield first, last


#: Why a check did not finish, in words.
_WHY = {
    "seconds": "checking stopped after {seconds:g} s: more errors may follow",
    "memory": "checking stopped: it needs too much memory; more errors may follow",
}

_KINDS = {
    "puzzle": types.SymbolKind.File,
    "lattice": types.SymbolKind.Namespace,
    "param": types.SymbolKind.Constant,
    "colours": types.SymbolKind.Enum,
    "region": types.SymbolKind.Array,
    "locations": types.SymbolKind.Array,
    "optional": types.SymbolKind.Array,
    "piece": types.SymbolKind.Class,
    "pieces": types.SymbolKind.Package,
    "for": types.SymbolKind.Operator,
}


def range_of(four: list[int] | tuple[int, ...]) -> types.Range:
    """Return four numbers as a range of the protocol."""
    return types.Range(types.Position(four[0], four[1]), types.Position(four[2], four[3]))


def stretch(text: EditorText, start: int, end: int) -> types.Range:
    """Return the range of some characters of the plain text."""
    return range_of((*text.place(start), *text.place(end)))


def diagnostic(finding: dict[str, Any], uri: str) -> types.Diagnostic:
    """Return a diagnostic of the protocol. Its code links to its page."""
    related = [
        types.DiagnosticRelatedInformation(
            types.Location((from_fs_path(other["file"]) if other["file"] else None) or uri, range_of(other["range"])),
            other["message"] or "see also",
        )
        for other in finding["related"]
    ]
    return types.Diagnostic(
        range_of(finding["range"]),
        finding["message"],
        types.DiagnosticSeverity(finding["severity"]),
        finding["code"],
        types.CodeDescription(finding["href"]) if finding["href"] else None,
        "puzzlec",
        related_information=related or None,
    )


def unfinished(why: str, seconds: float) -> types.Diagnostic:
    """Return a remark on the first line that a check did not finish."""
    message = _WHY.get(why, "the check failed; run `puzzlec check` for details")
    return types.Diagnostic(
        range_of((0, 0, 0, 1)), message.format(seconds=seconds), types.DiagnosticSeverity.Information, source="puzzlec"
    )


def actions(document: Any, extent: types.Range) -> list[types.CodeAction]:
    """Return the fixes for diagnostics in a range of a document."""
    first, last = _place(extent.start), _place(extent.end)
    code_actions = []
    for finding in document.found if document.checked == document.version else ():
        here = range_of(finding["range"])
        if _place(here.start) <= last and first <= _place(here.end):
            for fix in finding["fixes"]:
                edits = [types.TextEdit(range_of(edit["range"]), edit["new"]) for edit in fix["edits"]]
                code_actions.append(
                    types.CodeAction(
                        fix["title"],
                        types.CodeActionKind.QuickFix,
                        [diagnostic(finding, document.uri)],
                        is_preferred=len(finding["fixes"]) == 1,
                        edit=types.WorkspaceEdit({document.uri: edits}),
                    )
                )
    return code_actions


def _place(position: types.Position) -> Place:
    return position.line, position.character


def symbol(entry: StatementOutline, text: EditorText) -> types.DocumentSymbol:
    """Return a statement as an entry of the outline."""
    return types.DocumentSymbol(
        entry.title or entry.kind,
        _KINDS.get(entry.kind, types.SymbolKind.Property),
        stretch(text, entry.start, entry.end),
        stretch(text, *entry.named),
        entry.kind,
        children=[symbol(inner, text) for inner in entry.inside] or None,
    )
