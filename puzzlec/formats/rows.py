"""Rows of 0 and 1, a line for each option, as Frans Faase's solver of exact cover problems reads them.

<https://www.iwriteiam.nl/> describes the form: the digits of a row are joined, and a name may follow a space. Other
programs separate the digits by spaces, tabs, commas or semicolons, and may name the columns in the first line.

Rows have only primary items, each covered once: everything else is expressed with those. An optional item gets a
separate row that covers only that item. Either that row is chosen or an option with the item, so solutions correspond
one to one.

A matrix may also be in brackets, as programs print it, and its first line may give its sizes:
:mod:`puzzlec.formats.matrices` has these forms.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from puzzlec.diagnostics import PuzzleError, Report, Source, counted
from puzzlec.diagnostics.error import fail
from puzzlec.diagnostics.source import lines
from puzzlec.engine.problem import ExactCover
from puzzlec.formats.matrices import bracketed_rows, is_bracketed
from puzzlec.formats.plain import Unsupported
from puzzlec.formats.record import LINES_EXAMINED, Format, Sign, WriterChoices, first_words, gathered
from puzzlec.formats.unchosen import Unchosen
from puzzlec.ir.puzzle import copies_text
from puzzlec.language.given import Given
from puzzlec.lower.labels import Labelled


@dataclass(frozen=True)
class PlainRows:
    """Rows over columns: those of the options, then ``more``, each with its label.

    ``column[item]`` is the column of an item, or -1 for an item without any demand.
    """

    what: Labelled
    columns: int
    column: Sequence[int]
    more: Sequence[tuple[tuple[int, ...], str]]

    def rows(self) -> Iterator[tuple[list[int], str]]:
        """Yield the columns of each row in ascending order, with its name as one word."""
        cover, column = self.what.cover, self.column
        starts, items, label = cover.starts, cover.items, self.what.option
        dropped = -1 in column
        for option in range(len(cover)):
            row = sorted([column[item] for item in items[starts[option] : starts[option + 1]]])
            if dropped:
                row = [column for column in row if column >= 0]
            yield row, word(label(option)) or str(option)
        for columns, name in self.more:
            yield list(columns), word(name)


def word(label: str) -> str:
    """Return a label as one word without ``|``, which separates names in answers.

    >>> word("F 0,0 1,0")
    'F_0,0_1,0'
    """
    return "_".join(label.replace("|", "/").split())


def plain(what: Labelled, format: str) -> PlainRows:
    """Return the rows of an exact cover; raise PuzzleError with everything that rows do not support.

    An item that may be covered any number of times has no column. Secondary items, and items covered at most once, get
    a separate row. An item that is never covered has a row with a further column, which forces that row.
    """
    report = Unsupported(f"the format `{format}`", what.title)
    cover = what.cover
    _refuse_colours(what, report)
    column: list[int] = []
    more: list[tuple[tuple[int, ...], str]] = []
    never: list[tuple[int, str]] = []
    columns = 0
    times = _times(cover)
    for item, name in enumerate(what.items):
        low, high = (cover.low[item], cover.high[item]) if item < cover.primary else (0, 1)
        if low == 0 and high >= max(1, times[item]) and item < cover.primary and high > 1:
            column.append(-1)
            continue
        column.append(columns)
        if (low, high) == (0, 1):
            more.append(((columns,), f"not {name}"))
        elif (low, high) == (0, 0):
            never.append((columns, f"no {name}"))
        elif (low, high) != (1, 1):
            help = "convert to `dlx`, or to a format with numbers such as `opb`"
            note = "it covers each column exactly once"
            report.whole(f"covering `{name}` {copies_text(low, high)} times", note=note, help=help)
        columns += 1
    report.stop_on_errors()
    for index, name in never:
        more.append(((index, columns), name))
        columns += 1
    if -1 in column:
        _refuse_empty(what, column, report)
    report.stop_on_errors()
    return PlainRows(what, columns, column, more)


def _times(cover: ExactCover) -> list[int]:
    """Return the number of options with each item."""
    times = [0] * (cover.primary + cover.secondary)
    for item in cover.items:
        times[item] += 1
    return times


def _refuse_colours(what: Labelled, report: Unsupported) -> None:
    """Report the first colour, if there is one, and the number of items with colours."""
    cover = what.cover
    painted = dict.fromkeys(item for item, colour in zip(cover.items, cover.colours, strict=True) if colour)
    if painted:
        others = f", and {len(painted) - 1} more" if len(painted) > 1 else ""
        note = "options with the same colour on an item are compatible, but rows with the same column are not"
        report.whole(f"colours: item `{what.items[next(iter(painted))]}`{others}", note=note, help="convert to `dlx`")


def _refuse_empty(what: Labelled, column: Sequence[int], report: Unsupported) -> None:
    """Report an option whose items may all be covered any number of times."""
    cover = what.cover
    for option in range(len(cover)):
        if all(column[item] < 0 for item in cover.row(option)):
            note = "it would be a row without a column"
            report.whole(f"the free option `{what.option(option)}`", note=note, help="convert to `dlx`")
            return


#: A comment with the number of columns, for rows that have two readings.
_COLUMNS_COMMENT = re.compile(
    r"(?:\s++|(?:#|//)(?!\s*[0-9]{1,9} columns?\b)[^\n]*+(?:\n|\Z))*+(?:#|//)\s*([0-9]{1,9}) columns?\b"
)

#: A digit in the forms that programs write: `1`, `1.0`, `0.000e+00`.
_DIGIT = r"[01](?:\.0*(?:[eE][+-]?0+)?)?"

#: The separators of digits.
_SEPARATORS = {",": r"[ \t]*,[ \t]*", ";": r"[ \t]*;[ \t]*", " ": r"[ \t]+"}

#: Digits at the beginning of a line, with each separator between them.
_RUNS = {
    sign: re.compile(rf"{_DIGIT}(?:{between}{_DIGIT})*(?={between}|\s|$)") for sign, between in _SEPARATORS.items()
}
_JOINED = re.compile(r"\S+")


class _DigitRow(NamedTuple):
    """A row: the position of its digits, the digits without separators, and the text after them."""

    start: int
    end: int
    digits: str
    name: str


class _RowForm(NamedTuple):
    """The separator of digits: a key of ``_SEPARATORS``, or empty for joined digits.

    ``columns`` are the names of the columns, from the line that begins at ``head``, or that line gives the sizes.
    ``indexed``: the first field of each row is its name. ``told``: the number of columns in a comment or in the sizes,
    or 0. ``secondary``: the number of secondary columns, which are the first ones. ``bracketed``: rows are in brackets.
    """

    separator: str = ""
    columns: tuple[str, ...] = ()
    head: int = -1
    indexed: bool = False
    told: int = 0
    secondary: int = 0
    bracketed: bool = False


def read_rows(source: Source, report: Report, given: Given) -> ExactCover:  # noqa: ARG001
    """Return the exact cover of rows of 0 and 1: each column is a primary item, each row an option.

    Digits are joined or separated, or rows are in brackets. A first line of other words names the columns, or gives the
    sizes. The reader skips empty lines and lines that begin with ``#`` or ``//``. A row without a 1 in a primary column
    is left out with a warning. Raises PuzzleError with all errors: rows of different lengths, other characters, and
    rows that have two readings (PZ227).
    """
    form = _form(source.text)
    starts, items = array("i", [0]), array("i")
    names: list[str] = []
    first: _DigitRow | None = None
    unchosen = Unchosen()
    doubtful = not form.separator and not form.told and not form.bracketed
    for row, line, start in _every_row(source, form):
        first = first or row
        before = len(items)
        at = row.digits.find("1")
        while at >= 0:
            items.append(at)
            at = row.digits.find("1", at + 1)
        length = form.told or len(first.digits)
        if len(row.digits) != length or row.digits.count("0") + len(items) - before != length:
            _report(source, report, row, first, form)
        elif form.separator and row.name and not (form.told or form.indexed):
            _look_at_name(source, report, row, line, start, form)
        doubtful = doubtful and _is_doubtful(row, first)
        if len(items) == before or items[-1] < form.secondary:
            unchosen.add(len(names), source.span(row.start, max(row.end, row.start + 1)))
            del items[before:]
            continue
        starts.append(len(items))
        names.append(row.name)
    if first is None:
        raise fail("PZ287", "missing rows of 0 and 1", source.end)
    if form.columns and len(form.columns) != len(first.digits):
        digits = counted(len(first.digits), "digit")
        many = f"this line names {counted(len(form.columns), 'column')}, the first row has {digits}"
        report.add("PZ287", many, source.span(form.head, source.text.find("\n", form.head)))
    report.stop_on_errors()
    if doubtful:
        raise _two_ways(source, first)
    unchosen.warn(report, "row")
    return plain_cover(len(first.digits), starts, items, unchosen.names(names), form.columns, form.secondary)


def _every_row(source: Source, form: _RowForm) -> Iterator[tuple[_DigitRow, str, int]]:
    """Yield each row with its line and the start of the line."""
    if form.bracketed:
        for start, end, digits in bracketed_rows(source.text):
            yield _DigitRow(start, end, digits, ""), source.text[start:end], start
        return
    for start, line in _data(source.text, form.head):
        yield _row(line, start, form), line, start


def plain_cover(
    columns: int,
    starts: array[int],
    items: array[int],
    names: Sequence[str],
    column_names: tuple[str, ...] = (),
    secondary: int = 0,
) -> ExactCover:
    """Return the exact cover of rows; the first ``secondary`` columns are secondary items, which follow the others.

    If only some rows have names, the others are named by number.
    """
    primary = columns - secondary
    if secondary:
        column_names = column_names or tuple(map(str, range(columns)))
        column_names = (*column_names[secondary:], *column_names[:secondary])
        items = array("i", [item - secondary if item >= secondary else item + primary for item in items])
    return ExactCover(
        primary=primary,
        low=array("i", [1]) * primary,
        high=array("i", [1]) * primary,
        secondary=secondary,
        starts=starts,
        items=items,
        colours=array("i", bytes(4 * len(items))),
        item_names=column_names,
        option_names=Unchosen().names(names),
    )


def separated(line: str) -> tuple[str, int]:
    """Return the separator of the digits 0 and 1 at the beginning of a line, and the number of digits.

    Without two separated digits the result is an empty string and 0.

    >>> separated("1 0 1"), separated("1, 0, 1 Q"), separated("101 Q"), separated("1 Q")
    ((' ', 3), (',', 3), ('', 0), ('', 0))
    """
    stripped = line.strip()
    for sign, run in _RUNS.items():
        match = run.match(stripped)
        if match and (number := len(_digits(match.group()))) > 1:
            return sign, number
    return "", 0


def _digits(run: str) -> str:
    """Return the digits of a run without separators and fractions."""
    return re.sub(r"\.0*(?:[eE][+-]?0+)?|[ \t,;]+", "", run)


def _data(text: str, head: int = -1) -> Iterator[tuple[int, str]]:
    """Yield the lines except empty lines, comments, and the line that begins at ``head``."""
    return (
        (start, line)
        for start, line in lines(text)
        if start != head and (plain := line.lstrip()) and not plain.startswith(("#", "//"))
    )


def _form(text: str) -> _RowForm:
    """Return the form of the rows, from the first two lines and a comment before them."""
    if is_bracketed(text):
        return _RowForm(bracketed=True)
    count = int(match.group(1)) if (match := _COLUMNS_COMMENT.match(text)) else 0
    (start, line), (_, second) = (*islice(_data(text), 2), (0, ""), (0, ""))[:2]
    if count and re.match(rf"[01]{{{count}}}(?:\s|$)", line.lstrip()):
        return _RowForm(told=count)
    if not count and (sizes := _sizes(text, line, second)):
        return _RowForm(separated(second)[0], (), start, False, *sizes)
    index = line.lstrip()[:1]
    between = index if index in (",", ";") else separated(second)[0] or separated(line)[0]
    if not between or count:
        return _RowForm(between, told=count)
    fields = [word.strip().strip("\"'") for word in re.split(_SEPARATORS[between], line.strip())]
    indexed = between != " " and not fields[0]
    width = len(_row(second, 0, _RowForm(between, indexed=indexed)).digits)
    words = fields[indexed:]
    numbered = words in ([str(column) for column in range(first, first + width)] for first in (0, 1))
    plain = len(set(words)) == len(words) and "" not in words
    if not (numbered and width + (words[0] == "1") > 2) and not (
        plain and not any(re.fullmatch(_DIGIT, word) for word in words)
    ):
        return _RowForm(between)
    return _RowForm(between, tuple(words[:width] if len(words) == width + 1 else words), start, indexed)


def _row(line: str, start: int, form: _RowForm) -> _DigitRow:
    """Return the row of a line."""
    at = len(line) - len(line.lstrip())
    name = ""
    if form.indexed:
        index, _, rest = line.partition(form.separator)
        name = index.strip().strip("\"'")
        at = len(line) - len(rest.lstrip())
    pattern = _RUNS[form.separator] if form.separator else _JOINED
    if form.separator and form.told:
        more = rf"(?:{_SEPARATORS[form.separator]}{_DIGIT}){{{form.told - 1}}}"
        pattern = re.compile(rf"{_DIGIT}{more}(?={_SEPARATORS[form.separator]}|\s|$)")
    run = pattern.match(line, at) or (_RUNS[form.separator].match(line, at) if form.separator else None)
    if run is None:
        return _DigitRow(start + at, start + at, "", line[at:].rstrip())
    digits = _digits(run.group()) if form.separator else run.group()
    rest = line[run.end() :].strip()
    rest = rest.removeprefix(form.separator).strip() if form.separator else rest
    return _DigitRow(start + at, start + run.end(), digits, name or rest)


def _sizes(text: str, line: str, second: str) -> tuple[int, int] | None:
    """Return the numbers of columns and of secondary columns that a first line gives; None if it gives no sizes.

    The line has the number of columns, perhaps with the number of secondary ones after it, or the numbers of rows and
    columns. The number of digits in the second line decides.

    >>> [_sizes("", line, "0 1 1") for line in ("3", "3 1", "1 0 1", "4")]
    [(3, 0), (3, 1), None, None]
    """
    match = re.fullmatch(r"\s*([0-9]{1,9})(?:[ \t]*[ \t,;][ \t]*([0-9]{1,9}))?\s*", line, re.ASCII)
    joined = re.match(r"\s*([01]+)(?:\s|$)", second)
    width = separated(second)[1] or (len(joined.group(1)) if joined else 0)
    if match is None or width < 2:
        return None
    one, two = int(match.group(1)), match.group(2)
    if one == width and int(two or 0) < width:
        return width, int(two or 0)
    rows = sum(1 for _ in _data(text)) - 1 if two and int(two) == width else 0
    return (width, 0) if rows and one == rows else None


def _where_told(form: _RowForm) -> str:
    return "the first line" if form.head >= 0 else "a comment"


def _is_doubtful(row: _DigitRow, first: _DigitRow) -> bool:
    """Whether the name of a row of joined digits may be further columns, up to the number in the first row."""
    name, other = "".join(row.name.split()), "".join(first.name.split())
    return bool(re.fullmatch("[01]+", name)) and len(row.digits + name) == len(first.digits + other)


def _two_ways(source: Source, row: _DigitRow) -> PuzzleError:
    """Return the error for rows whose names may be columns."""
    more, digits = len("".join(row.name.split())), len(row.digits)
    end = source.text.find("\n", row.end)
    return fail(
        "PZ227",
        f"`{source.text[row.start : end][:40].strip()}` can be {digits + more} columns, or {digits} and a name",
        source.span(row.start, end if end >= 0 else len(source.text)),
        help=(
            f"for names: write `# {digits} column{'s' * (digits != 1)}` in the first line",
            "for columns: join all digits of a row",
        ),
    )


def _look_at_name(source: Source, report: Report, row: _DigitRow, line: str, start: int, form: _RowForm) -> None:
    """Report a wrong digit after separated digits, or a name that may be columns."""
    at = start + line.rindex(row.name)
    span = source.span(at, at + len(row.name))
    if re.match(rf"{_DIGIT}(?:[\s,;]|$)", row.name):
        choose = f"for names: write `# {len(row.digits)} columns` in the first line"
        message = f"`{row.name[:40]}` can be columns or the name of the row"
        report.add("PZ227", message, span, help=(choose, "for columns: separate all digits in the same way"))
    elif re.match(r"[-+.]?[0-9]", row.name) or (form.separator != " " and form.separator in row.name):
        word = re.split(r"[\s,;]", row.name)[0][:20]
        report.add("PZ287", f"expected 0 or 1, found `{word}`", span, help="begin a name with a letter")


def _report(source: Source, report: Report, row: _DigitRow, first: _DigitRow, form: _RowForm) -> None:
    """Report the error of a row: a character, its length, or no 1."""
    span = source.span(row.start, max(row.end, row.start + 1))
    strange = re.search(r"[^01]", row.digits)
    length = form.told or len(first.digits)
    if strange:
        where = source.span(row.start + strange.start())
        report.add("PZ287", f"expected 0 or 1, found `{strange.group()}`", where)
    elif form.separator and len(row.digits) < length and row.name and not form.indexed:
        at = source.text.index(row.name, row.end)
        report.add("PZ287", f"expected 0 or 1, found `{row.name[0]}`", source.span(at))
    elif len(row.digits) != length:
        report.add(
            "PZ287",
            f"this row has {len(row.digits)} digits, "
            + (f"{_where_told(form)} says {length} columns" if form.told else f"the first one has {length}"),
            span,
            others=() if form.told else [(source.span(first.start, first.start + 1), "the first row")],
        )


def write_rows(what: Labelled, choices: WriterChoices) -> Iterator[str]:  # noqa: ARG001
    """Yield the rows of an exact cover in chunks: 0 and 1 for each column, a space, and the meaning of the option.

    Names that consist of 0 and 1 get the prefix ``r``, because they could be columns.

    Raises PuzzleError for colours, for bounds that rows do not support, and without a row.
    """
    table = plain(what, "rows")
    if not len(what.cover) and not table.more:
        raise fail("PZ501", "the format `rows` does not support a cover without options", file=what.title)
    return gathered(_lines(table))


def _lines(table: PlainRows) -> Iterator[str]:
    blank = b"0" * table.columns
    mark = "r" if _are_digits(table) else ""
    for columns, name in table.rows():
        row = bytearray(blank)
        for column in columns:
            row[column] = 49  # the character 1
        yield f"{row.decode()} {mark}{name}\n"


def _are_digits(table: PlainRows) -> bool:
    """Whether the names of the rows consist of 0 and 1, so that they could be columns."""
    if table.columns == 1 and any(re.fullmatch(r"[01](?:[.,;].*)?", name) for _, name in table.rows()):
        return True
    return all(re.fullmatch("[01]+", name) for _, name in table.rows())


def is_rows(source: Source) -> bool:
    r"""Whether the lines of a text begin with the same number of digits 0 and 1, three or more, joined or with commas.

    Fewer digits may begin any list of numbers or notes, unless a comment gives the number of columns.

    >>> is_rows(Source("", "1001 Q\n0110\n")), is_rows(Source("", "1,0,1\n0,1,1\n")), is_rows(Source("", "1 0\n1 1\n"))
    (True, True, False)
    >>> is_rows(Source("", "1 - buy milk\n1 - call\n")), is_rows(Source("", "101 dalmatians\n"))
    (False, False)
    """
    rows = [words[0] for words in first_words(source, "#", "//")]
    joined = len(rows) > 1 and all(re.fullmatch("[01]{3,}", row) and len(row) == len(rows[0]) for row in rows)
    has_count = (
        _COLUMNS_COMMENT.match(source.text) is not None and bool(rows) and all(row[:1] in ("0", "1") for row in rows)
    )
    return joined or has_count or _is_matrix(source)


def _is_matrix(source: Source) -> bool:
    """Whether each line begins with the same number of digits 0 and 1, at least three, with commas or semicolons."""
    plain = (line for _, line in lines(source.text) if line.strip() and not line.lstrip().startswith(("#", "//")))
    first = list(islice(plain, LINES_EXAMINED))
    forms = {separated(line) for line in first}
    return len(first) > 1 and len(forms) == 1 and all(sign in (",", ";") and number > 2 for sign, number in forms)


FORMAT = Format(
    "rows",
    (".rows", ".csv"),
    "rows of 0 and 1 with names",
    stage="cover",
    read=read_rows,
    write=write_rows,
    recognise=(Sign(140, is_rows),),
    aliases=("matrix",),
    place=90,
    traits=("numbers",),
    largest=2**29,
)
