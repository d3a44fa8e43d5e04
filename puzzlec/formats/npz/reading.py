"""An exact cover in an archive of numpy arrays, with the puzzle or fitting that it was made from.

The reader also takes the archives of ``scipy.sparse.save_npz``: a matrix of 0 and 1 whose columns are all primary. Each
array is read and checked by name, and nothing in it is executed. numpy's own reader could execute a pickle, and
allocates the memory that a header asks for.
"""

from __future__ import annotations

import io
import json
import re
import zipfile
import zlib
from array import array
from collections.abc import Callable
from dataclasses import replace
from tokenize import TokenError
from typing import TYPE_CHECKING, Any, TypeVar

from puzzlec.diagnostics import Diagnostic, PuzzleError, Report, Source, counted
from puzzlec.diagnostics.error import fail
from puzzlec.engine.problem import ExactCover
from puzzlec.formats.json import fitting as json_fitting
from puzzlec.formats.json import read_json
from puzzlec.formats.json.checks import Checks
from puzzlec.formats.json.places import json_value
from puzzlec.formats.record import plain_stem
from puzzlec.formats.unchosen import NOTE, ignoring
from puzzlec.ir import Fitting, Placements, Puzzle
from puzzlec.language import Given

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Numbers = npt.NDArray[np.signedinteger]


#: Largest size of all arrays of an archive, decompressed, in bytes.
LARGEST = 2**29

#: Number of rows that a matrix with fewer entries may have, so that a short file cannot take much memory.
MOST_EMPTY_ROWS = 1_000_000

#: Maximum number of arrays in an archive.
MOST = 100


class Arrays:
    """The arrays of an archive by their names, each decompressed on demand."""

    def __init__(self, source: Source) -> None:
        self.source = source
        if not source.content:
            raise fail("PZ277", "expected an archive of numpy arrays, found a text", source.span(0))
        try:
            self.archive = zipfile.ZipFile(io.BytesIO(source.content))
        except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError, UnicodeDecodeError) as error:
            raise self.broken(f"cannot read this archive: {_why(error)}") from None
        found = self.archive.infolist()
        if len(found) > MOST:
            raise self.broken(f"the archive has too many members (limit {MOST:,})")
        self.members: dict[str, zipfile.ZipInfo] = {}
        for info in found:
            name = info.filename.removesuffix(".npy")
            if name == info.filename:
                raise self.broken(f"unexpected member `{_shown(info.filename)}`", "arrays end in `.npy`")
            if name in self.members:
                raise self.broken(f"duplicate array `{_shown(name)}`")
            self.members[name] = info
        size = sum(info.file_size for info in found)
        if size > LARGEST:
            raise self.broken(f"the arrays have {size} bytes", f"the limit is {LARGEST // 2**20} MB, decompressed")

    def __contains__(self, name: str) -> bool:
        return name in self.members

    def broken(self, message: str, note: str | tuple[str, ...] = ()) -> PuzzleError:
        """Return the error for an unreadable archive."""
        return fail("PZ277", message, note=note, file=self.source.name)

    def wrong(self, name: str, message: str, note: str | tuple[str, ...] = ()) -> PuzzleError:
        """Return the error for a missing or invalid array."""
        at = self.members[name].header_offset if name in self.members else None
        where = () if at is None else (f"the array `{name}` begins at byte {at} of the file",)
        notes = (*((note,) if isinstance(note, str) else note), *where)
        return fail("PZ278", f"the array `{name}` {message}", note=notes, file=self.source.name)

    def array(self, name: str) -> npt.NDArray[Any]:
        """Return an array of numbers or bytes; raise PuzzleError if it is missing, damaged, or of another kind."""
        import numpy as np
        from numpy.lib import format as npy

        if name not in self.members:
            known = ", ".join(f"`{_shown(member)}`" for member in self.members) or "none"
            raise self.wrong(name, "is missing", f"the arrays of this file are {known}")
        if self.members[name].compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise self.wrong(name, "has a compression that numpy does not write")
        try:
            with self.archive.open(self.members[name]) as member:
                content = member.read()
        except (
            zipfile.BadZipFile,
            zlib.error,
            EOFError,
            OSError,
            ValueError,
            RuntimeError,
            NotImplementedError,
        ) as error:
            raise self.wrong(name, f"cannot be decompressed: {_why(error)}") from None
        stream = io.BytesIO(content)
        try:
            version = npy.read_magic(stream)
            head = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}[version]
            shape, _, dtype = head(stream)
        except (ValueError, KeyError, TypeError, SyntaxError, RecursionError, MemoryError, TokenError):
            # numpy reads an old header that is not Python with `tokenize`.
            raise self.wrong(name, "has an unreadable header") from None
        if dtype.kind not in "iubfS" or dtype.itemsize == 0 or dtype.fields or dtype.subdtype:
            what = "Python objects, which are never read" if dtype.hasobject else f"type `{dtype}`"
            raise self.wrong(name, f"must contain numbers, found {what}")
        count = 1
        for size in shape:
            count *= int(size)
        rest = len(content) - stream.tell()
        if min(shape, default=0) < 0 or count * dtype.itemsize != rest:
            raise self.wrong(name, f"has {rest} bytes, its header says {count * dtype.itemsize}")
        return np.frombuffer(content, dtype, count, stream.tell()).reshape(shape)

    def numbers(self, name: str, length: int | None = None) -> Numbers:
        """Return a list of integers, of 32 or 64 bits with a sign; of this length, if one is given."""
        import numpy as np

        found = self.array(name)
        if found.ndim != 1:
            raise self.wrong(name, f"must have one dimension, found {found.ndim}")
        if found.dtype.kind not in "iu" and len(found):
            raise self.wrong(name, f"must contain integers, found type `{found.dtype}`")
        if length is not None and len(found) != length:
            raise self.wrong(name, f"must have {length} numbers, found {len(found)}")
        if found.dtype.kind == "u" and len(found) and int(found.max()) > 2**63 - 1:
            raise self.wrong(name, f"has the number {found.max()}, which is too large")
        return found if found.dtype == np.int32 else found.astype(np.int64)

    def number(self, name: str) -> int:
        """Return a single integer."""
        found = self.array(name)
        if found.size != 1 or found.dtype.kind not in "iu":
            raise self.wrong(name, "must be a single integer")
        return int(found.reshape(-1)[0])

    def text(self, name: str) -> str:
        """Return a text, which is an array of the bytes of UTF-8."""
        found = self.array(name)
        if found.ndim != 1 or found.dtype != "u1":
            raise self.wrong(name, f"must contain bytes (`uint8`), found type `{found.dtype}`")
        try:
            return found.tobytes().decode()
        except UnicodeDecodeError as error:
            raise self.wrong(name, f"is not UTF-8: invalid byte {error.start}") from None

    def word(self, name: str) -> str:
        """Return a single short text of ASCII, as scipy writes it."""
        found = self.array(name)
        if found.size != 1 or found.dtype.kind != "S":
            raise self.wrong(name, "must be one short text")
        return bytes(found.reshape(-1)[0]).decode("ascii", "replace")

    def names(self, name: str, length: int | None = None) -> tuple[str, ...]:
        """Return a list of texts from JSON in an array, of this length if given; empty without the array."""
        if name not in self.members:
            return ()
        content = self.text(name)
        try:
            found = json.loads(content)
            if not isinstance(found, list) or set(map(type, found)) - {str}:
                raise self.wrong(name, "must be a list of texts in JSON")
            if "\\u" in content:
                "".join(found).encode()
        except (ValueError, RecursionError):
            raise self.wrong(name, "must be a list of texts in JSON") from None
        if length is not None and len(found) != length:
            raise self.wrong(name, f"must have {length} names, found {len(found)}")
        return tuple(found)


def _why(error: Exception) -> str:
    """Return an error of the standard library in one line without a full stop."""
    return re.sub(r"\s+", " ", str(error)).strip().rstrip(".").lower() or "it is damaged"


def _shown(name: str) -> str:
    return name if len(name) <= 40 else name[:37] + "..."


Read = TypeVar("Read")

#: Maximum numbers of rows and columns: so a short file cannot take much memory.
_MOST = {"row": 2**28, "column": json_fitting.MOST}

#: The arrays of a sparse matrix by its format: the starts of the rows (or columns), or the row of each entry, and its
#: column.
_ARRAYS = {"csr": ("indptr", "indices"), "csc": ("indptr", "indices"), "coo": ("row", "col")}


def read_npz(source: Source, report: Report, given: Given) -> Puzzle | Fitting | ExactCover:
    """Return the puzzle or the fitting that an archive was made from, else the exact cover of its matrix.

    The matrix and the sizes of all arrays are always checked. Raises PuzzleError, which names the array.
    """
    arrays = Arrays(source)
    cover = _cover(arrays, report)
    if "puzzle" in arrays:
        inner = Source(f"{source.name}:puzzle", arrays.text("puzzle"))
        found = _within(arrays, "puzzle", report, lambda told: read_json(inner, told, given))
        if not isinstance(found, Puzzle):
            raise arrays.wrong("puzzle", "must contain a puzzle, found another level")
        return found
    if "fitting" in arrays:
        return _fitting(arrays, cover, report)
    return replace(cover, title=_title(arrays))


def _title(arrays: Arrays) -> str:
    """Return the title of an exact cover; a matrix from another program has the name of its file."""
    if "title" not in arrays:
        return "" if "primary" in arrays else plain_stem(arrays.source.name)
    title = arrays.text("title")
    if re.search(r"[\x00-\x1f\x7f-\x9f]", title):
        raise arrays.wrong("title", "must be a line of text, found control characters")
    return title


def _within(arrays: Arrays, name: str, report: Report, read: Callable[[Report], Read]) -> Read:
    """Return the result of reading a text in an array. Messages about it name the position in that text."""
    inner = Report()
    found: Read | None = None
    try:
        found = read(inner)
        told = inner.diagnostics
    except PuzzleError as error:
        told = list(error.diagnostics)
    for diagnostic in told:
        line, column = diagnostic.span.source.position(diagnostic.span.start) if diagnostic.span else (1, 1)
        message = f"in the array `{name}`, line {line}, column {column}: {diagnostic.message}"
        report.append(
            Diagnostic(diagnostic.code, message, None, (), diagnostic.notes, diagnostic.helps, arrays.source.name)
        )
    report.stop_on_errors()
    assert found is not None
    return found


def _cover(arrays: Arrays, report: Report) -> ExactCover:
    """Return the exact cover of the matrix and of the arrays beside it, without options that have no primary item."""
    import numpy as np

    rows, columns, starts, items = _matrix(arrays)
    primary = arrays.number("primary") if "primary" in arrays else columns
    if not 0 <= primary <= columns:
        raise arrays.wrong("primary", f"is {primary}, but there are {columns} items")
    low, high = _bounds(arrays, primary)
    colours = None
    if "colours" in arrays:
        if arrays.word("format") != "csr":
            raise _contradiction(arrays, "colours need the rows of a matrix in the format `csr`")
        colours = arrays.numbers("colours", len(items))
        if len(colours) and not 0 <= int(colours.min()) <= int(colours.max()) < 2**31:
            raise arrays.wrong("colours", "has an invalid colour", "colours are 1 or more, 0 means none")
    names = arrays.names("option_names", rows)
    costs = arrays.numbers("costs", rows) if "costs" in arrays else None
    kept = _with_primary_items(starts, items, primary)
    if not kept.all():
        lengths = np.diff(starts)
        entries = np.repeat(kept, lengths)
        starts, items = np.concatenate(([0], np.cumsum(lengths[kept]))), items[entries]
        colours = colours if colours is None else colours[entries]
        names = tuple([names[option] if names else str(option) for option in np.flatnonzero(kept).tolist()])
        costs = costs if costs is None else costs[kept]
        report.add("PZ285", ignoring(int((~kept).sum())), file=arrays.source.name, note=NOTE)
    try:
        cover = ExactCover.from_arrays(
            starts,
            items,
            colours,
            primary=primary,
            secondary=columns - primary,
            bounds=list(zip(low, high, strict=True)) if low is not None and high is not None else None,
            item_names=arrays.names("item_names", columns),
            option_names=names,
            colour_names=_colour_names(arrays, colours),
        )
        return cover if costs is None else cover.with_costs(costs.tolist())
    except ValueError as error:
        raise _contradiction(arrays, str(error), "options are numbered from 0") from None


def _with_primary_items(starts: Numbers, items: Numbers, primary: int) -> npt.NDArray[np.bool_]:
    """Return which options have a primary item."""
    import numpy as np

    found: npt.NDArray[np.bool_] = np.diff(starts) > 0
    if len(items) and int(items.max()) >= primary:
        rows = np.flatnonzero(found)
        found[rows] = np.minimum.reduceat(items, starts[rows]) < primary
    return found


def _colour_names(arrays: Arrays, colours: Numbers | None) -> tuple[str, ...]:
    """Return the names of the colours from 1; empty without names. There may be more names than colours."""
    names = arrays.names("colour_names")
    greatest = int(colours.max()) if colours is not None and len(colours) else 0
    if names and greatest > len(names):
        raise arrays.wrong("colour_names", f"has {counted(len(names), 'name')}, but there is a colour {greatest}")
    return names


def _contradiction(arrays: Arrays, message: str, note: str | tuple[str, ...] = ()) -> PuzzleError:
    return fail("PZ279", message, note=note, file=arrays.source.name)


def _bounds(arrays: Arrays, primary: int) -> tuple[list[int] | None, list[int] | None]:
    """Return the bounds of the primary items; None without bounds."""
    if "low" not in arrays and "high" not in arrays:
        return None, None
    low, high = arrays.numbers("low", primary), arrays.numbers("high", primary)
    for name, found in (("low", low), ("high", high)):
        if len(found) and not 0 <= int(found.min()) <= int(found.max()) < 2**31:
            raise arrays.wrong(name, "has an invalid bound", f"bounds are 0 to {2**31 - 1}")
    wrong = low > high
    if wrong.any():
        item = int(wrong.argmax())
        raise _contradiction(arrays, f"the bounds of item {item} run backwards: {low[item]} to {high[item]}")
    return low.tolist(), high.tolist()


def _matrix(arrays: Arrays) -> tuple[int, int, Any, Any]:
    """Return the size of the matrix, the starts of its rows, and the columns of their ones."""
    import numpy as np

    format = arrays.word("format")
    if format not in _ARRAYS:
        raise arrays.wrong(
            "format", f"is `{format[:20]}`", f"supported formats are {', '.join(_ARRAYS)}: save `matrix.tocsr()`"
        )
    shape = arrays.numbers("shape", 2)
    sizes = {"row": int(shape[0]), "column": int(shape[1])}
    for what, size in sizes.items():
        if not 0 <= size <= _MOST[what]:
            raise arrays.wrong("shape", f"states {size} {what}s", f"the allowed numbers are 0 to {_MOST[what]}")
    across = ("column", "row") if format == "csc" else ("row", "column")
    first, second = _ARRAYS[format]
    inner = arrays.numbers(second)
    _within_bounds(arrays, second, inner, 0, sizes[across[1]], f"there are {sizes[across[1]]} {across[1]}s")
    if sizes["row"] > max(len(inner), MOST_EMPTY_ROWS):
        said = f"{sizes['row']} options have {len(inner)} entries, but each needs at least one"
        raise _contradiction(arrays, said, "each row of the matrix needs a 1 to be an option")
    if format == "coo":
        outer = arrays.numbers(first, len(inner))
        _within_bounds(arrays, first, outer, 0, sizes["row"], f"there are {sizes['row']} rows")
    else:
        begins = arrays.numbers(first, sizes[across[0]] + 1)
        _follow(arrays, first, begins, len(inner))
    ones = _ones(arrays, len(inner))
    if format == "csr" and ones is None:
        return sizes["row"], sizes["column"], begins, inner
    if format != "coo":
        outer = np.repeat(np.arange(len(begins) - 1), np.diff(begins))
    rows, columns = (inner, outer) if format == "csc" else (outer, inner)
    if ones is not None:
        if "colours" in arrays:
            raise _contradiction(arrays, "a matrix with zeros among its entries cannot have colours")
        rows, columns = rows[ones], columns[ones]
    order = np.argsort(rows, kind="stable")
    starts = np.searchsorted(rows[order], np.arange(sizes["row"] + 1))
    return sizes["row"], sizes["column"], starts, columns[order]


def _within_bounds(arrays: Arrays, name: str, numbers: Numbers, low: int, below: int, note: str) -> None:
    """Refuse numbers that are out of range."""
    wrong = (numbers < low) | (numbers >= below)
    if wrong.any():
        at = int(wrong.argmax())
        raise arrays.wrong(name, f"has {numbers[at]} at {at}, which is out of range", note)


def _follow(arrays: Arrays, name: str, starts: Numbers, entries: int) -> None:
    """Refuse starts of rows (or columns) that do not ascend."""
    if len(starts) and (starts[0] != 0 or starts[-1] != entries):
        raise arrays.wrong(
            name, f"runs from {starts[0]} to {starts[-1]}", f"it must run from 0 to the {entries} entries"
        )
    falls = starts[1:] < starts[:-1]
    if falls.any():
        raise arrays.wrong(name, f"decreases after {int(falls.argmax())}", "each row ends where the next one starts")


def _ones(arrays: Arrays, entries: int) -> Any:
    """Return which of the entries are 1, None if all are; raise PuzzleError for values other than 0 and 1."""
    data = arrays.array("data")
    if data.ndim != 1 or len(data) != entries or data.dtype.kind == "S":
        raise arrays.wrong("data", f"must be a list of {entries} numbers")
    wrong = (data != 0) & (data != 1)
    if wrong.any():
        at = int(wrong.argmax())
        raise arrays.wrong("data", f"has {data[at]} at {at}, but the matrix of an exact cover has only 0 and 1")
    ones = data == 1
    return None if ones.all() else ones


def _fitting(arrays: Arrays, cover: ExactCover, report: Report) -> Fitting:
    """Return the fitting that a cover was made from. Its placements are the options."""
    inner = Source(f"{arrays.source.name}:fitting", arrays.text("fitting"))

    def head(told: Report) -> tuple[Fitting, list[json_fitting.Shown]] | None:
        checks = Checks()
        found = checks.keys(json_value(inner), (), "a fitting", json_fitting.NEEDED, json_fitting.OPTIONAL)
        missing = [key for key in json_fitting.NEEDED if key not in found]
        made = None if missing else json_fitting.unplaced_fitting_of(found, checks)
        checks.tell(inner, told)
        return made

    found = _within(arrays, "fitting", report, head)
    assert found is not None
    fitting, shown = found
    piece = arrays.numbers("piece", len(cover))
    location = arrays.numbers("location", cover.primary + cover.secondary)
    # Piece -1 means that a location stays empty, piece -2 is an option of a rule on a region.
    least = -2 if fitting.region_rules else -1
    for name, numbers, low, below in (
        ("piece", piece, least, len(fitting.pieces)),
        ("location", location, -1, fitting.locations),
    ):
        _within_bounds(arrays, name, numbers, low, below, f"allowed are {low} to {below - 1}")
    used = location[location >= 0]
    if len(set(used.tolist())) != fitting.locations or len(used) != fitting.locations:
        raise _contradiction(arrays, "the array `location` must name each location once")
    return _placed(arrays, fitting, shown, cover, piece, location)


def _placed(
    arrays: Arrays,
    fitting: Fitting,
    shown: list[json_fitting.Shown],
    cover: ExactCover,
    piece: Numbers,
    location: Numbers,
) -> Fitting:
    """Return a fitting whose placements are the options of its cover."""
    import numpy as np

    options = np.repeat(np.arange(len(cover)), np.diff(np.asarray(cover.starts)))
    covered = location[np.asarray(cover.items)] if len(cover.items) else np.zeros(0, np.int64)
    kept = covered >= 0
    options, covered = options[kept], covered[kept]
    order = np.lexsort((covered, options))
    options, covered = options[order], covered[order]
    pieces = []
    for number, described in enumerate(fitting.pieces):
        own = np.flatnonzero(piece == number)
        begins, ends = np.searchsorted(options, own), np.searchsorted(options, own, "right")
        lengths = ends - begins
        entries = np.arange(lengths.sum()) + np.repeat(begins - (np.cumsum(lengths) - lengths), lengths)
        for what, lists in shown[number]._asdict().items():
            if lists and len(lists) != len(own):
                name = fitting.piece_name(number)
                raise _contradiction(arrays, f"piece `{name}` has {len(lists)} lists of {what} for {len(own)} options")
        starts, locations = array("i", [0]), array("i")
        starts.frombytes(np.cumsum(lengths).astype(np.int32).tobytes())
        locations.frombytes(covered[entries].astype(np.int32).tobytes())
        placements = Placements.from_arrays(starts, locations)
        pieces.append(
            replace(described, placements=placements, sides=shown[number].sides, colours=shown[number].colours)
        )
        if shown[number].sides and not fitting.neighbours:
            raise _contradiction(arrays, "a piece has sides, but `neighbours` is missing")
        for at, why in json_fitting.wrong_sides(pieces[-1], fitting.neighbours):
            raise _contradiction(arrays, f"placement {at} of piece `{fitting.piece_name(number)}`: {why}")
    found = replace(fitting, pieces=tuple(pieces))
    try:
        found.verify()
    except ValueError as error:
        raise _contradiction(arrays, str(error)) from None
    return found
