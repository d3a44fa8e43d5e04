"""The server over its real protocol: the answers to an editor."""

from __future__ import annotations

import json

import pytest

from puzzlec.compiler import fmt
from puzzlec.language.editing.syntax import MAX_SYNTAX_CHARACTERS
from tests.services.lsp.editing import Document, Editor, RefusedError

HOUSE = """puzzle "A house \U0001f3e0"
colours r
param n = 2
locations box {3*n}x10
piece A x{n} { xx/x. }   # \U0001f600 an L
pieces pentominoes except F, I
place A inside box 3x3
for i in 1..2 {
  forbid A at cells (i,0) (i,1) (i+1,0)
}
"""


@pytest.fixture
def house(editor: Editor) -> Document:
    return editor.open(HOUSE, "house.puzzle")


def test_a_server_lists_its_abilities_and_ends_on_request(editor: Editor) -> None:
    assert editor.can["positionEncoding"] == "utf-16"
    assert editor.can["textDocumentSync"]["change"] == 2, "stretches, not whole texts"
    for ability in ("completion", "hover", "definition", "references", "documentSymbol", "documentFormatting"):
        assert editor.can[f"{ability}Provider"], ability
    assert editor.can["renameProvider"] == {"prepareProvider": True}


def test_an_error_has_its_place_its_page_and_its_fix(editor: Editor) -> None:
    document = editor.open('puzzle "\U0001f3e0"\nlocations box 6x10\r\npieces   "pentominos"\n', "slip.puzzle")
    (fault,) = document.diagnostics()
    assert (fault["code"], fault["severity"], fault["source"]) == ("PZ304", 1, "puzzlec")
    assert "codeDescription" not in fault, "no repository is configured"
    assert fault["message"].endswith("\nmore: `puzzlec explain PZ304`")
    assert document.shown(fault["range"]) == '"pentominos"'
    assert "did you mean `pentominoes`?" in fault["message"]
    (action,) = document.ask("codeAction", range=fault["range"], context={"diagnostics": [fault]})
    assert action["isPreferred"] is True
    (change,) = action["edit"]["changes"][document.uri]
    document.text, start = document.apply([change]), document.text
    assert document.text == start.replace('"pentominos"', "pentominoes")


def test_errors_follow_the_text(editor: Editor) -> None:
    document = editor.open("locations box 5x3\npieces pentominoes except F, I, L, N, P, T, U, V, W\n", "typed.puzzle")
    assert document.codes() == []
    document.replace("5x3", "5x4")
    assert document.codes() == ["PZ401"]
    document.replace("5x4", "5x")
    assert document.codes() == ["PZ101"]
    document.replace("5x", "5x3")
    assert document.codes() == []
    document.replace("except F, I", "x1 except F, K")
    assert sorted(document.codes()) == ["PZ305"]


def test_a_wrong_promise_is_marked(editor: Editor) -> None:
    document = editor.open("locations box 4x2\npiece D x4 { xx }\nexpect 4\n", "promised.puzzle")
    assert document.codes() == []
    document.replace("expect 4", "expect 5")
    assert document.codes() == ["PZ382"]
    document.replace("expect 5", "expect raw 5")
    assert document.codes() == []


def test_an_error_can_have_a_second_place(editor: Editor) -> None:
    text = "locations box 2x1\npiece A { x }  # \U0001f600\n# \U0001f600\npiece A { x }\n"
    document = editor.open(text, "twice.puzzle")
    (fault,) = document.diagnostics()
    assert fault["code"] == "PZ301"
    (other,) = fault["relatedInformation"]
    assert (other["message"], other["location"]["uri"]) == ("first defined here", document.uri)
    assert other["location"]["range"]["start"]["line"] == 1
    assert fault["range"] == {"start": {"line": 3, "character": 6}, "end": {"line": 3, "character": 7}}


def test_a_warning_has_its_severity(editor: Editor) -> None:
    document = editor.open("locations box 1x1\npiece A { x }\nfor i in 1..0 { forbid A at box 1x1 }\n", "warned.puzzle")
    assert [(diagnostic["code"], diagnostic["severity"]) for diagnostic in document.diagnostics()] == [("PZ332", 2)]


@pytest.mark.parametrize(
    ("name", "language", "text", "codes"),
    [
        ("a.dlx", "dlx", "a b\na\na c\n", ["PZ282"]),
        ("a.dpf", "plaintext", "1 4 2\n0 7\n", ["PZ202"]),
        ("a.soma", "soma", "", ["PZ003"]),
        ("a.xml", "xml", "<PIEZAS", ["PZ231"]),
        ("a.txt", "plaintext", "Dear diary, today nothing was an exact cover.\n", []),
    ],
)
def test_texts_of_other_formats_are_checked(
    editor: Editor, name: str, language: str, text: str, codes: list[str]
) -> None:
    document = editor.open(text, name, language)
    assert document.codes() == codes
    assert document.ask("documentSymbol") == []


def test_only_puzzles_that_are_not_too_large_have_colours(editor: Editor) -> None:
    assert colours(editor.open("locations box 2x2\n", "small.puzzle"))
    assert colours(editor.open("locations box\n", "small.dlx", "dlx")) == []
    assert colours(editor.open("# large\n" * (MAX_SYNTAX_CHARACTERS // 8 + 1), "large.puzzle")) == []


def test_an_unsaved_document_is_checked_by_its_language(editor: Editor) -> None:
    assert editor.open("piece", "untitled:Untitled-1").codes() == ["PZ101"]


#: Words before a place in the house, and what hovering there shows.
HOVERS = [
    ("piece A", ["piece `A` x2: 3 cells, 4 orientations (free)", "```text\nxx\nx.\n```"]),
    ("pieces pento", ["the twelve free pentominoes", "`F`, `I`, `L`"]),
    ("except F, I", ["`I` of `pentominoes`: 5 cells", "```text\nxxxxx\n```"]),
    ("param n", ["parameter `n` = 2"]),
    ("{3*n", ["parameter `n` = 2"]),
    ("box {3*n}x1", ["60 cells here", "this statement makes 60 locations of 60"]),
    ("locat", ["this statement makes 60 locations", "The locations that must be covered"]),
    ("inside box 3x", ["9 cells here"]),
    ("cells (i", ["variable `i`: `i in 1..2`"]),
    ("forb", ["No copy of the piece lies exactly on these cells"]),
    ("colours r", ["colour `r`"]),
]  # fmt: skip


@pytest.mark.parametrize(("before", "told"), HOVERS)
def test_hovering_shows_the_meaning_of_a_word(editor: Editor, before: str, told: list[str]) -> None:
    house = editor.open(HOUSE, "hovered.puzzle")
    shown = house.hover(before)
    for words in told:
        assert words in shown


def test_hovering_shows_the_number_of_placements_of_a_piece(editor: Editor) -> None:
    document = editor.open("locations box 6x10\npieces pentominoes\nplace X inside box 6x4\n", "placements.puzzle")
    assert "piece `X`: 5 cells, 1 orientation (free), 8 placements" in document.hover("place X")


def test_completion_offers_what_is_allowed(editor: Editor, house: Document) -> None:
    house.change(len(house.text), len(house.text), "place ")
    assert {"A", "L", "Z"} <= set(house.words("(i+1,0)\n}\nplace "))
    assert "box" not in house.words("(i+1,0)\n}\nplace ")
    house.replace("}\nplace ", "}\nlattice ")
    assert {"square", "hex", "none"} <= set(house.words("}\nlattice "))
    house.replace("}\nlattice ", "}\npiece B = pentominoes.")
    assert set(house.words("pentominoes.")) == set("FILNPTUVWXYZ")
    house.replace("\npiece B = pentominoes.", "\n")
    begin = house.words("(i+1,0)\n}\n")  # at the end
    assert {"piece", "locations", "for"} <= set(begin)
    assert "colours" in begin
    assert "puzzle" not in begin, "it has a title"


def test_words_of_the_language_have_their_reference(editor: Editor) -> None:
    document = editor.open("locations box 3x1\n", "words.puzzle")
    offers = {item["label"]: item for item in document.ask("completion", "locations box 3x1\n")["items"]}
    assert "piece" in offers["piece"]["documentation"]["value"]


def test_completion_replaces_the_part_that_is_typed(editor: Editor) -> None:
    document = editor.open('# \U0001f600\npieces "pent', "part.puzzle")
    items = document.ask("completion", 'pieces "pent')["items"]
    (wanted,) = [item for item in items if item["label"] == '"pentominoes"']
    assert document.apply([wanted["textEdit"]]).endswith('pieces "pentominoes"')


def test_a_name_leads_to_its_definition_and_to_all_its_places(editor: Editor, house: Document) -> None:
    (where,) = house.ask("definition", "place A")
    assert where["range"] == {"start": {"line": 4, "character": 6}, "end": {"line": 4, "character": 7}}
    found = house.ask("references", "place A", context={"includeDeclaration": True})
    assert [place["range"]["start"]["line"] for place in found] == [4, 6, 8]
    found = house.ask("references", "place A", context={"includeDeclaration": False})
    assert [place["range"]["start"]["line"] for place in found] == [6, 8]
    assert [highlight["kind"] for highlight in house.ask("documentHighlight", "param n")] == [3, 2, 2]
    assert house.ask("definition", "A house") == []


def test_a_piece_of_a_library_leads_to_the_statement_that_takes_it(editor: Editor) -> None:
    document = editor.open("locations box 6x10\npieces pentominoes\nplace X inside box 6x4\n", "taken.puzzle")
    (where,) = document.ask("definition", "place X")
    assert document.shown(where["range"]) == "pentominoes"


def test_a_name_is_changed_in_all_its_places(editor: Editor, house: Document) -> None:
    assert house.shown(house.ask("prepareRename", "param n")) == "n"
    edit = house.ask("rename", "param n", newName="side")["changes"][house.uri]
    assert house.apply(edit) == HOUSE.replace("param n", "param side").replace("{3*n}", "{3*side}").replace(
        "{n}", "{side}"
    )
    edit = house.ask("rename", "place A", newName="a corner")["changes"][house.uri]
    assert house.apply(edit).count('"a corner"') == 3


@pytest.mark.parametrize(
    ("before", "new", "reason"),
    [
        ("place A", "L", "a library already"),
        ("param n", "2n", "not a variable name"),
        ("param n", "i", "already exists here"),
        ("(i", "n", "already exists here"),
        ("place A", 'a"b', "quotes"),
        ("place A", " ", "at least one character"),
        ("pieces pent", "hexominoes", "a library cannot be renamed"),
        ("except F", "Q", "a shape cannot be renamed"),
        ("puzz", "x", "no name at this place"),
    ],
)
def test_a_name_that_would_collide_is_refused(house: Document, before: str, new: str, reason: str) -> None:
    with pytest.raises(RefusedError, match=reason):
        house.ask("rename", before, newName=new)


def test_nothing_is_renamed_in_a_text_that_cannot_be_read(editor: Editor) -> None:
    document = editor.open("locations box 1x1\npiece A { x }\npiece\n", "unreadable.puzzle")
    with pytest.raises(RefusedError, match="fix the text first"):
        document.ask("rename", "piece A", newName="B")


def test_formatting_lays_a_text_out_and_keeps_the_ends_of_its_lines(editor: Editor) -> None:
    untidy = 'puzzle   "\U0001f600"\r\nlocations   box 2x2\r\npiece A x2 {xx}\r\n\r\n\r\n\r\n# the end'
    document = editor.open(untidy, "untidy.puzzle")
    edits = document.ask("formatting", options={"tabSize": 2, "insertSpaces": True})
    expected = fmt(untidy)
    assert "\r" not in expected
    assert document.apply(edits) == expected.replace("\n", "\r\n")
    document.replace("{xx}", "{xx")
    assert document.ask("formatting", options={"tabSize": 2, "insertSpaces": True}) is None


def test_the_outline_has_every_statement_and_blocks_can_be_folded(house: Document) -> None:
    found = house.ask("documentSymbol")
    titles = [symbol["name"] for symbol in found]
    assert titles[2:5] == ["n", "locations box {3*n}x10", "A"]
    assert [symbol["name"] for symbol in found[-1]["children"]] == ["forbid A at cells (i,0) (i,1) (i+1,0)"]
    assert [house.shown(symbol["selectionRange"]) for symbol in found[2:5]] == ["n", "locations", "A"]
    assert {"startLine": 7, "endLine": 9} in [
        {key: fold[key] for key in ("startLine", "endLine")} for fold in house.ask("foldingRange")
    ]


def test_the_readable_parts_of_an_incomplete_text_have_answers(editor: Editor) -> None:
    text = "param n = 3\nlattice \nlocations box {n}x\npiece A { xx }\nfor i in 1..2 {\n  piece B[i] \n}\nplace A i"
    document = editor.open(text, "half.puzzle")
    assert [symbol["name"] for symbol in document.ask("documentSymbol")] == ["n", "A", "for i in 1..2"]
    assert document.words("piece B[i] ") == ["one-sided", "fixed", "free", "cells", "covers", "sides"]
    assert "parameter `n` = 3" in document.hover("param n")
    assert document.codes() == ["PZ101"], "the rest has no meaning without its lattice"
    document.replace("lattice ", "lattice square")
    assert document.codes() == ["PZ101"] * 3


def colours(document: Document) -> list[tuple[str, str]]:
    """Return the words of a document with the types of their colours."""
    types = document.editor.can["semanticTokensProvider"]["legend"]["tokenTypes"]
    data = document.ask("semanticTokens/full")["data"]
    line = column = 0
    found = []
    for at in range(0, len(data), 5):
        down, right, width, kind, _ = data[at : at + 5]
        line, column = line + down, right if down else column + right
        start, end = {"line": line, "character": column}, {"line": line, "character": column + width}
        found.append((document.shown({"start": start, "end": end}), types[kind]))
    return found


def test_words_of_the_language_have_colours(house: Document) -> None:
    found = colours(house)
    assert found[:3] == [("puzzle", "keyword"), ('"A house \U0001f3e0"', "string"), ("colours", "keyword")]
    assert ("# \U0001f600 an L", "comment") in found
    assert ("xx", "string") in found


def test_documents_that_are_not_open_are_refused(editor: Editor) -> None:
    document = editor.open("piece", "closed.puzzle")
    assert document.codes() == ["PZ101"]
    document.close()
    with pytest.raises(RefusedError, match="not open"):
        document.ask("documentSymbol")
    assert editor.published[document.uri]["diagnostics"] == []


@pytest.mark.long
def test_a_slow_check_blocks_nothing_and_gives_way_to_a_newer_text(editor: Editor) -> None:
    slow = "lattice cubic\nlocations box 12x12x12\npieces polycubes 6 x0..9\n"
    document = editor.open(slow, "slow.puzzle")
    assert next(symbol["name"] for symbol in document.ask("documentSymbol")) == "lattice cubic"
    document.replace(slow, "locations box 1x1\npiece A { x }\n")
    assert document.codes() == []


@pytest.mark.slow
def test_columns_are_counted_in_the_encoding_of_the_editor() -> None:
    editor = Editor(encodings=["utf-8", "utf-16"])
    assert editor.can["positionEncoding"] == "utf-8"
    document = editor.open('puzzle "\U0001f600" x\n', "bytes.puzzle")
    (fault, *_) = document.diagnostics()
    assert fault["range"]["start"]["character"] == len('puzzle "\U0001f600" '.encode())
    assert editor.end() == 0


def test_a_broken_message_does_not_end_the_server(editor: Editor) -> None:
    editor.tell(
        "textDocument/didChange", textDocument={"uri": "file:///nowhere/no.puzzle", "version": 3}, contentChanges=[]
    )
    assert editor.process.stdin is not None
    body = json.dumps({"jsonrpc": "2.0", "method": "no/such"}).encode()
    editor.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
    assert editor.open("piece", "after.puzzle").codes() == ["PZ101"]
