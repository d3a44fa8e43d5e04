"""Reading a text in a format, which the user, the name of the file or the content decides.

The record of a format has the signs by which a text is recognised. More specific formats have lower ranks. Some texts
that are not puzzles are also recognised, for a better error.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from shlex import quote
from typing import NamedTuple, TypeAlias, cast

from puzzlec.diagnostics import Diagnostic, PuzzleError, Report, Source, Span, counted
from puzzlec.diagnostics.error import fail
from puzzlec.engine.problem import ExactCover
from puzzlec.formats.kind import MARKUP, is_program, json_keys, kind_of
from puzzlec.formats.record import WEAK_RANK, Format, first_words, plain_ending, plain_stem
from puzzlec.formats.registry import ALIASES, FORMATS, WRITERS, by_rank, meant
from puzzlec.geometry.regions import RegionTooLargeError, box
from puzzlec.ir import Fitting, Location, Puzzle
from puzzlec.language.given import Board, Given

#: The signs of formats that puzzlec reads, and of formats that it only writes.
_OF_READ = by_rank(FORMATS)
_OF_WRITTEN = by_rank({name: writer for name, writer in WRITERS.items() if name not in FORMATS})


def _begins(pattern: str) -> Callable[[Source], bool]:
    """Return a predicate: whether the text, without leading spaces, begins with a pattern."""
    compiled = re.compile(rf"\s*+(?:{pattern})")
    return lambda source: compiled.match(source.text) is not None


class Other(NamedTuple):
    """A text that is not a puzzle: its predicate ``tells``, then the code, the message and the suggestion.

    If ``anywhere`` is set, it is reported for any extension of the file. In the suggestion, FILE is its name.
    """

    tells: Callable[[Source], bool]
    code: str
    message: str
    help: str
    anywhere: bool = False


def _is_puzzle(source: Source) -> bool:
    """Whether the first word outside comments begins a statement of the puzzle language."""
    return FORMATS["puzzle"].recognise[0].is_in(source)


def _is_strange(source: Source) -> bool:
    """Whether a text has no sign of a format except, perhaps, a `#` at its beginning."""
    return recognised(source) in (None, "puzzle") and not _is_puzzle(source)


#: Texts that users give by mistake, most of them made from a puzzle.
OTHER_TEXTS = (
    Other(
        lambda source: source.text.startswith('{"certificate":'),
        "PZ640",
        "file is a certificate, not a puzzle",
        "`puzzlec check --certificate FILE`",
        anywhere=True,
    ),
    Other(
        _begins(rf"{MARKUP}<(?:\w+:)?svg\b"),
        "PZ008",
        "this is a picture, not a puzzle",
        "give the puzzle that it was drawn from",
    ),
    Other(
        _begins(rf"(?i:{MARKUP}<!doctype html|{MARKUP}<html\b)"),
        "PZ008",
        "this is an HTML page, not a puzzle",
        "give the puzzle that it was made from, or open the page in a browser",
    ),
    Other(
        _begins(r"\{\\rtf[0-9]"),
        "PZ008",
        "this is a word processor document (RTF), not plain text",
        "save it as plain text",
        anywhere=True,
    ),
    Other(
        lambda source: plain_ending(source.name) == ".py" and _is_strange(source),
        "PZ004",
        "this Python file has no table `piece_data`; puzzlec reads only tables of Polyform Puzzler",
        "write the pieces as a `.puzzle` file: start with `puzzlec new`",
    ),
    Other(
        lambda source: plain_ending(source.name) in (".yaml", ".yml") and _is_strange(source),
        "PZ004",
        "a YAML file contains a lattice, not a puzzle",
        "show the lattice with `puzzlec list lattices FILE`",
    ),
    Other(
        lambda source: plain_ending(source.name) in (".md", ".markdown", ".rst") and _is_strange(source),
        "PZ004",
        "this is a page of text, not a puzzle",
        "save the puzzle in this page as a separate file, such as `my.puzzle`",
    ),
)


def recognised_as_other(source: Source) -> Other | None:
    """Return the kind of a text that is not a puzzle, such as a picture of a puzzle; None if the kind is unknown."""
    return next((other for other in OTHER_TEXTS if other.tells(source)), None)


def recognised_as_written(source: Source) -> str | None:
    """Return the write-only format whose sign a text has; None if it has no such sign."""
    return next((name for sign, name in _OF_WRITTEN if sign.is_in(source)), None)


def readings(source: Source) -> list[str]:
    """Return the names of the formats that a text may be in: several only if one of them is for drawings."""
    name = recognised(source)
    if name is not None and ("like a drawing" not in FORMATS[name].traits or _is_puzzle(source)):
        return [name]
    drawn = [other for sign, other in _OF_READ if sign.rank >= WEAK_RANK and sign.is_in(source)]
    remark = name == "puzzle" and drawn  # a drawing in `#` looks like comments without a puzzle
    return [*drawn, *([name] if name is not None and not remark else [])]


def recognised(source: Source) -> str | None:
    """Return the name of the format whose sign a text has; None if it has none."""
    return next((name for sign, name in _OF_READ if sign.rank < WEAK_RANK and sign.is_in(source)), None)


#: The meaning of a text: a puzzle at one of the stages of the compiler.
AnyPuzzle: TypeAlias = Puzzle | Fitting | ExactCover

#: Characters that no text and no name may have: control characters except tabs, line ends and page ends, and
#: surrogates, which a text from Python may contain.
_NO_TEXT = re.compile(r"[\0-\x08\x0b\x0e-\x1f\x7f-\x9f\ud800-\udfff]")

#: A comment that gives the board, among the comments at the start of a text that has only pieces.
_BOARD_COMMENT = re.compile(
    r"(?:\s++|<\?[^>]*+>|(?:#|//)(?! The board is [0-9])[^\n]*+\n)*+"
    r"(?:#|//|<!--) The board is ([0-9]+(?:x[0-9]+){0,2})\."
)


def _no_puzzle(other: Other, source: Source) -> PuzzleError:
    """Return the error for a text that does not contain a puzzle."""
    return fail(other.code, other.message, file=source.name, help=other.help.replace("FILE", quote(source.name)))


def refuse_other(source: Source) -> Other | None:
    """Return the kind of a text that may not be a puzzle; raise PuzzleError if it certainly is not."""
    other = recognised_as_other(source)
    if other is not None and other.anywhere:
        raise _no_puzzle(other, source)
    return other


#: Extensions that other programs use also, so the content decides first.
SHARED_ENDINGS = (".board", ".cells", ".csv", ".json", ".poly", ".txt", ".xml")

#: Extensions of programs. A program may contain lists, but only the whole text counts.
PROGRAM_ENDINGS = (".c", ".cc", ".cpp", ".cs", ".go", ".h", ".hpp", ".java", ".js", ".lua", ".py", ".rb", ".rs", ".ts")

#: Shared extensions whose formats have certain signs: a file without a sign is of another program.
_CERTAIN_ENDINGS = (".json", ".xml")


#: Longest text that is read in other formats only for a message, in characters.
_MAX_TRIED_CHARACTERS = 2**20


class _FormatGuess(NamedTuple):
    """A guessed format, with the meaning of the text and the warnings if the text was read to guess."""

    name: str
    meaning: AnyPuzzle | None = None
    warnings: tuple[Diagnostic, ...] = ()


def guess_format(source: Source) -> str:
    """Return the name of the format of a text: by the extension of its name, else by its content.

    The content decides first if other programs use the extension also. Raises PuzzleError if both fail, and for a
    format that puzzlec only writes.
    """
    return _guess(source).name


def _guess(source: Source) -> _FormatGuess:
    """Return the guessed format of a text; see `guess_format`."""
    ending = plain_ending(source.name)
    owners = [record.name for record in FORMATS.values() if ending in record.endings]
    other = refuse_other(source)
    if len(owners) == 1 and ending not in SHARED_ENDINGS:
        return _FormatGuess(owners[0])
    written = next((writer.name for writer in WRITERS.values() if not writer.read and ending in writer.endings), None)
    written = written or recognised_as_written(source)
    if written is not None:
        raise _written_only(written, source)
    if other is not None and (not owners or ending in _CERTAIN_ENDINGS):
        raise _no_puzzle(other, source)
    if recognised(source) == "numeric" and _is_list_or_matrix(source) and _attempt("rows", source):
        raise fail(
            "PZ227",
            "these rows can be lists of columns, or a matrix of two columns",
            file=source.name,
            help=("for lists of columns: add `--from numeric`", "for a matrix: add `--from rows`"),
        )
    return _by_brackets(source) or _by_signs(source) or _by_numbers(source) or _by_owner(source, ending, owners)


def _by_signs(source: Source) -> _FormatGuess | None:
    """Return the format whose sign a text has; None without a sign.

    If a text has the signs of several formats, only those that can read it count. Raises PuzzleError if several can.
    """
    names = readings(source)
    if (
        len(names) < 2 and plain_ending(source.name) in PROGRAM_ENDINGS
    ):  # a part of a program may look like a list of cells
        return _attempt(names[0], source) if names else None
    if len(names) < 2:
        return _FormatGuess(names[0]) if names else None
    every = [guess for name in names if (guess := _attempt(name, source))]
    return _only(every, source) or _FormatGuess(names[0])


def _by_brackets(source: Source) -> _FormatGuess | None:
    """Return the format of a matrix in brackets, which lists of cells and of offsets resemble; None for other texts.

    A format with warnings, such as a piece in two parts or a row without a 1, is not meant if another one has none.
    """
    from puzzlec.formats.matrices import is_bracketed

    matrix = _attempt("rows", source) if is_bracketed(source.text) else None
    if matrix is None or not _is_substantial(matrix.meaning):
        return None
    name = recognised(source)
    other = _attempt(name, source) if name in ("cells", "offsets") else None
    every = [guess for guess in (other, matrix) if guess is not None]
    return _only([guess for guess in every if not guess.warnings] or every, source)


def _only(every: list[_FormatGuess], source: Source) -> _FormatGuess | None:
    """Return the only guess, None without one; raise PuzzleError for several."""
    if len(every) > 1:
        raise fail(
            "PZ223",
            f"this text can be read as {' or as '.join(f'`{guess.name}`' for guess in every)}",
            file=source.name,
            note=tuple(f"`{guess.name}`: {FORMATS[guess.name].summary}" for guess in every),
            help=tuple(f"choose with `--from {guess.name}`" for guess in every),
        )
    return every[0] if every else None


def _by_numbers(source: Source) -> _FormatGuess | None:
    """Return the only format of numbers that can read a text; None if none can."""
    if not re.match(r"(?:\s++|(?://|#)[^\n]*+\n)*+-?[0-9]", source.text):
        return None
    every = [
        guess
        for name, record in FORMATS.items()
        if "numbers" in record.traits and (guess := _attempt(name, source)) and _is_substantial(guess.meaning)
    ]
    return _only(every, source)


def _by_owner(source: Source, ending: str, owners: list[str]) -> _FormatGuess:
    """Return the format that an extension suggests, for the error of its reader; raise PuzzleError without one."""
    if ending == ".json":
        from puzzlec.formats.json.reading import STAGES

        keys = json_keys(source.text)
        if keys is None or any(set(needed) <= set(keys) for needed, _ in STAGES.values()):
            return _FormatGuess("json")  # not JSON, or without its version: the reader says what is missing, and where
    elif ending == ".csv":
        if re.search(r"(?m)^[ \t]*[01][ \t]*[,;][ \t]*[01][ \t\r]*(?:[,;]|$)", source.text):
            return _FormatGuess("rows")
    elif owners and ending not in _CERTAIN_ENDINGS:
        return _FormatGuess(owners[0])
    raise _unknown(source)


def _unknown(source: Source) -> PuzzleError:
    """Return the error for a text in no format, with its kind."""
    kind = kind_of(source)
    return fail(
        "PZ004",
        f"unknown format: {kind.words}",
        file=source.name,
        note=f"the nearest format is `{kind.nearest}`: {FORMATS[kind.nearest].summary}",
        help=kind.help,
    )


def _is_substantial(meaning: AnyPuzzle | None) -> bool:
    """Whether a puzzle from numbers is more than a coincidence.

    An exact cover has three items and several options, another puzzle has two locations, or pieces of two cells in
    all.
    """
    if isinstance(meaning, ExactCover):
        return meaning.secondary > 0 or (meaning.primary > 2 and len(meaning) > 1)
    if isinstance(meaning, Puzzle):
        return max(len(meaning.locations), sum(piece.low * len(piece.cells) for piece in meaning.pieces)) > 1
    return meaning is not None and len(meaning.pieces) > 0 and meaning.locations > 1


def _is_list_or_matrix(source: Source) -> bool:
    r"""Whether each line of a text can be two digits of a matrix, or a list of two columns.

    >>> _is_list_or_matrix(Source("", "0,1\n1,0\n")), _is_list_or_matrix(Source("", "0,1\n0,0\n"))
    (True, False)
    """
    first = first_words(source, "#", "//")
    return bool(first) and all(words[0] in ("0,1", "1,0") for words in first)


def _written_only(name: str, source: Source) -> PuzzleError:
    return fail(
        "PZ008",
        f"cannot read the format `{name}`: puzzlec only writes it",
        file=source.name,
        note="the text does not contain the puzzle that it was made from",
        help=(
            "give the puzzle that it was made from, or read the answer of a solver with `puzzlec check --to text`",
            "add `--from` if this text is in another format",
        ),
    )


def _format_named(word: str, source: Source) -> Format:
    """Return a format by name, ignoring case; raise PuzzleError if puzzlec cannot read it."""
    name = word.lower()
    if name in FORMATS:
        return FORMATS[name]
    if (written := ALIASES.get(name, name)) in WRITERS and written not in FORMATS:
        raise _written_only(written, source)
    raise fail(
        "PZ004",
        f"unknown format `{word}`",
        note="formats are " + ", ".join(FORMATS),
        help=meant(word, {record.name: record.endings for record in FORMATS.values()}),
    )


def _meaning(format: Format, source: Source, report: Report, given: Given) -> AnyPuzzle:
    """Return the meaning of a text in a format. Its module is imported now."""
    if len(source.text) > format.largest:
        raise fail("PZ007", f"the text is too large (limit {format.largest // 2**20} MB)", file=source.name)
    if strange := _NO_TEXT.search(source.text):
        what = "surrogate" if strange.group() >= "\ud800" else "control character"
        said = f"unexpected {what} U+{ord(strange.group()):04X}: this is not a text"
        raise fail("PZ002", said, source.span(strange.start()))
    assert format.read is not None
    return cast(AnyPuzzle, format.read(source, report, given))


def _meaning_of_puzzle(source: Source, report: Report, given: Given) -> AnyPuzzle:
    """Return the meaning of a text in the puzzle language.

    If not even its first statement can be read, the error may say that the text is of another kind.
    """
    try:
        return _meaning(FORMATS["puzzle"], source, report, given)
    except PuzzleError as error:
        raise refusal(source, error) from None


def refusal(source: Source, error: PuzzleError) -> PuzzleError:
    """Return the error of a text in the puzzle language, or the error that says that it is of another kind."""
    if not error.diagnostics[0].code.startswith("PZ10") or _is_puzzle(source):
        return error
    from puzzlec.formats.foreign import foreign

    return foreign(source, _guess_alone) or error


def _guess_alone(source: Source, sure: bool) -> str | None:
    """Return the format of a text without a name in which it can be read, or has its sign if it is long; None without.

    Raises PuzzleError for other kinds of text. If ``sure`` is set, the text need not be readable.
    """
    if len(source.text) > _MAX_TRIED_CHARACTERS:
        return recognised(source)
    guess = _guess(source)
    if guess.name == "puzzle" and is_program(source.text):  # its comments look like those of a puzzle
        raise _unknown(source)
    tried = guess if sure or guess.meaning is not None else _attempt(guess.name, source)
    if tried is None or (tried.meaning is not None and not _is_substantial(tried.meaning)):
        return None
    return guess.name


def _attempt(name: str, source: Source) -> _FormatGuess | None:
    """Return the meaning of a text in a format; None if the format cannot read it."""
    report = Report()
    try:
        meaning = _meaning(FORMATS[name], source, report, Given())
    except PuzzleError as error:
        # A text with a choice, such as one that suits two games, can be read once the user has chosen.
        is_ambiguous = all(diagnostic.code in ("PZ223", "PZ227") for diagnostic in error.diagnostics)
        return _FormatGuess(name) if is_ambiguous else None
    return _FormatGuess(name, meaning, tuple(report.diagnostics))


def read(
    source: Source,
    format: str | None,
    report: Report,
    board: str | Source | None = None,
    parameters: Mapping[str, int] | None = None,
    problem: str | None = None,
    pieces_alone: bool = False,
) -> AnyPuzzle:
    """Return the meaning of a text, at the stage of its format; warnings go into the report.

    An exact cover gets the name of the file as its title, if its format has no titles. Raises PuzzleError with all
    errors.

    Args:
        source: The text.
        format: The name of the format. Default: guessed.
        report: Gets warnings and errors. Default: none.
        board: The board for formats that hold only pieces. ``6x10`` is a box of six columns and ten rows. A number n
            is n columns, with as many rows as the pieces fill. It may also be the text of a drawing. Default: the
            board of a comment at the start of the text, ``The board is 6x10.``
        parameters: Values that replace those of the parameters in the text.
        problem: The puzzle to read from a text that contains several: its number from 1, or its name.
        pieces_alone: Whether a puzzle without a board is a puzzle without locations instead of an error.

    """
    guess = _FormatGuess(_format_named(format, source).name) if format else _guess(source)
    record, name = FORMATS[guess.name], guess.name
    if parameters and not record.has_parameters:
        raise fail("PZ331", f"the format `{name}` does not support parameters", file=source.name)
    if problem is not None and not record.has_problems:
        raise fail("PZ331", f"the format `{name}` contains one puzzle: leave out `--problem`", file=source.name)
    given = Given((), parameters or {}, problem)
    if record.pieces_only:
        return _read_pieces(record, source, report, given, board, pieces_alone)
    if guess.meaning is not None and given == Given():
        what = guess.meaning
        for warning in guess.warnings:
            report.append(warning)
    elif name == "puzzle":
        what = _meaning_of_puzzle(source, report, given)
    else:
        what = _meaning(record, source, report, given)
    untitled = isinstance(what, ExactCover) and record.stage == "cover"
    return replace(what, title=plain_stem(source.name)) if untitled else what


def _read_pieces(
    record: Format, source: Source, report: Report, given: Given, board: str | Source | None, alone: bool
) -> AnyPuzzle:
    """Return the meaning of a text that has only pieces, with the board from the options or from a comment."""
    comment = _BOARD_COMMENT.match(source.text) if board is None else None
    span = source.span(*comment.span(1)) if comment else None
    text = comment.group(1) if comment else board
    if text is None and alone:
        return _meaning(record, source, report, given)
    first = Report()
    puzzle = _meaning(record, source, first, given)  # errors of the text precede errors of the board
    if not isinstance(puzzle, Puzzle) or (puzzle.locations and (board is None or record.name != "drawn")):
        if board is not None:
            raise fail(
                "PZ252", "unexpected `--board`: this text has a board", file=source.name, help="leave out `--board`"
            )
        for diagnostic in first.diagnostics:
            report.append(diagnostic)
        return puzzle
    usual = record.board(puzzle) if text is None and record.board else None
    if isinstance(usual, tuple):
        return _meaning(record, source, report, given._replace(board=usual))
    text = usual or text
    try:
        if text is None:
            raise _no_board(record, puzzle, source)
        solid = "solid" in record.traits
        if text == "largest" and record.name == "drawn":
            from puzzlec.formats.drawn.drawings import largest_in

            locations = largest_in(source)
        elif isinstance(text, str):
            locations = _board(text, span, puzzle, solid)
        else:
            locations = _drawn_board(text, puzzle)
        given = given._replace(board=locations)
    except PuzzleError as error:
        raise PuzzleError([*first.diagnostics, *error.diagnostics]) from None
    return _meaning(record, source, report, given)


def _no_board(record: Format, puzzle: Puzzle, source: Source) -> PuzzleError:
    solid = puzzle.lattice is not None and puzzle.lattice.dimension == 3
    drawn = puzzle.lattice is not None and puzzle.lattice.name == "square"
    more = ", or name a file with its drawing: `--board FILE`" if drawn else ""
    first: tuple[str, ...] = (
        ("if the first line is the board, add `--from universe`",) if record.name == "cells" else ()
    )
    note = ""
    if record.name == "drawn":
        from puzzlec.formats.drawn.drawings import divided, drawings

        largest, others = divided(drawings(source, Report()), source)
        number = sum(len(drawn.cells) for drawn in others)
        note = "if this drawing is the board, give a file of pieces, and this one with `--board`"
        if largest is None:
            size = counted(max([len(drawn.cells) for drawn in others]), "cell")
            note = f"several of {len(others)} drawings have {size}, and no drawing has more"
        elif others:
            size = counted(len(largest.cells), "cell")
            note = f"the largest of {len(others) + 1} drawings has {size}, the others have {number} together"
            first = ("or add `--board largest` if the largest drawing is the board",)
    return fail(
        "PZ251",
        f"missing board: a text of the format `{record.name}` contains only pieces",
        file=source.name,
        note=note or (),
        help=(f"give the board with `--board`, such as `--board {'3x3x3' if solid else '10x6'}`{more}", *first),
    )


def _drawn_board(drawing: Source, puzzle: Puzzle) -> Board:
    """Return the locations of a board that a file draws; raise PuzzleError if the pieces are not flat."""
    from puzzlec.formats.drawn.drawings import board_in

    if puzzle.lattice is None or puzzle.lattice.name != "square":
        lattice = puzzle.lattice.name if puzzle.lattice else "none"
        raise fail("PZ252", f"a drawn board needs pieces on the lattice square, found {lattice}", file=drawing.name)
    return board_in(drawing)


def _board(text: str, span: Span | None, puzzle: Puzzle, solid: bool) -> Board:
    """Return the locations of a board such as ``10x6``, or of n columns that hold exactly the pieces of a puzzle.

    A board of three sizes is for solid pieces, or for flat pieces if the format allows them in space. ``span`` is the
    position of a comment with the board, or None.
    """
    plain = re.sub(r"\s*[xX*\u00d7]\s*", "x", text.strip())
    match = re.fullmatch(r"([0-9]{1,4})(?:x([0-9]{1,4}))?(?:x([0-9]{1,4}))?", plain, re.ASCII)
    sizes = [int(size) for size in match.groups() if size] if match else []
    dimension = puzzle.lattice.dimension if puzzle.lattice else 2
    form = "columns x rows x layers, such as `3x3x3`" if dimension == 3 else "columns x rows, such as `10x6`"
    other = "" if span is None else "a comment gives the board; `--board` overrides it"

    def wrong(message: str, help: str = "") -> PuzzleError:
        return fail("PZ252", message, span, note=other or (), help=help or ())

    if not sizes or 0 in sizes:
        raise wrong(f"unknown board `{text}`: expected a size or a file", f"write {form}, or the name of a file")
    volume = sum(len(piece.cells) for piece in puzzle.pieces)
    if len(sizes) == 1 and dimension == 2:
        if volume % sizes[0]:
            whole = [columns for columns in range(1, volume + 1) if volume % columns == 0]
            columns = min(whole, key=lambda columns: (abs(columns - sizes[0]), -columns))
            message = f"the {volume} cells of the pieces do not fill whole rows of {sizes[0]}"
            raise wrong(message, f"write `--board {columns}x{volume // columns}`")
        sizes.append(volume // sizes[0])
    if len(sizes) != dimension and not (solid and len(sizes) == 3):
        raise wrong(f"the board `{text}` does not match pieces of {dimension} dimensions", f"write {form}")
    try:
        return tuple(Location(cell) for cell in box(sizes))
    except RegionTooLargeError:
        raise wrong(f"the board `{text}` is too large (limit 1,000,000 cells)") from None
