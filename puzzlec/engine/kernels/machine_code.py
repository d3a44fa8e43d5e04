"""Machine code from an object file of LLVM, linked without LLVM, whose import takes longer than most searches.

LLVM writes these files for x86_64, in the format ELF and for any place in memory. Their only references are whole
addresses of 64 bits: of constants, and of functions of Python and of the C library. So a link is a copy and an addition
for each address. Tables for exceptions are left out, since no exception passes through the code. A file with anything
else is refused.
"""

from __future__ import annotations

import ctypes
import mmap
from struct import calcsize, iter_unpack, pack_into, unpack_from
from typing import Any, NamedTuple


class _Section(NamedTuple):
    name: int
    kind: int
    flags: int
    address: int
    start: int
    size: int
    link: int
    target: int
    alignment: int
    row: int


class _Symbol(NamedTuple):
    name: str
    section: int
    value: int


#: The place of the table of sections, and their number, in the head of a file.
_TABLE, _NUMBER = 40, 60

#: A section, a symbol, and a reference: its place, its kind with the number of a symbol, and what is added to that.
_SECTION, _SYMBOL, _REFERENCE = "<IIQQQQIIQQ", "<IBBHQQ", "<QQq"

#: Kinds of sections: content, symbols, references; and the flag of content that is in memory.
_CONTENT, _SYMBOLS, _REFERENCES, _IN_MEMORY = 1, 2, 4, 2

#: The kind of a reference that is a whole address.
_ADDRESS = 1

#: The memory of all code.
_kept: list[Any] = []


def linked(file: bytes, entry: str) -> int:
    """Copy the code of an object file to memory, and return the address of one of its functions.

    Raises:
        ValueError: If the file has something else than content and whole addresses.
        OSError: If memory with code is not allowed.

    """
    (table,), (number,) = unpack_from("<Q", file, _TABLE), unpack_from("<H", file, _NUMBER)
    size = calcsize(_SECTION)
    sections = [_Section(*unpack_from(_SECTION, file, table + size * each)) for each in range(number)]
    begins, end = dict[int, int](), 0
    for each, section in enumerate(sections):
        if section.kind == _CONTENT and section.flags & _IN_MEMORY:
            begins[each] = -(-end // section.alignment) * section.alignment
            end = begins[each] + section.size
    memory = mmap.mmap(-1, end, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    first = ctypes.c_char.from_buffer(memory)
    base = ctypes.addressof(first)
    for each, begin in begins.items():
        memory[begin : begin + sections[each].size] = _content(file, sections[each])
    symbols = _symbols(file, sections)
    for section in sections:
        if section.kind != _REFERENCES or section.target not in begins:
            continue
        for at, info, added in iter_unpack(_REFERENCE, _content(file, section)):
            symbol, kind = symbols[info >> 32], info & 0xFFFFFFFF
            if kind != _ADDRESS or symbol.section not in (0, *begins):
                raise ValueError(f"a reference of kind {kind} to section {symbol.section}")
            to = base + begins[symbol.section] + symbol.value if symbol.section else _outside(symbol.name)
            pack_into("<q", memory, begins[section.target] + at, to + added)
    if ctypes.pythonapi.mprotect(ctypes.c_void_p(base), ctypes.c_size_t(end), mmap.PROT_READ | mmap.PROT_EXEC):
        raise OSError("memory with code is not allowed")
    _kept.append(first)
    (entry_symbol,) = [symbol for symbol in symbols if symbol.name == entry and symbol.section in begins]
    return base + begins[entry_symbol.section] + entry_symbol.value


def _content(file: bytes, section: _Section) -> bytes:
    return file[section.start : section.start + section.size]


def _symbols(file: bytes, sections: list[_Section]) -> list[_Symbol]:
    section = next(section for section in sections if section.kind == _SYMBOLS)
    names, symbols = _content(file, sections[section.link]), list[_Symbol]()
    for name, _, _, place, value, _ in iter_unpack(_SYMBOL, _content(file, section)):
        symbols.append(_Symbol(names[name : names.index(b"\0", name)].decode(), place, value))
    return symbols


def _outside(name: str) -> int:
    """Return the address of a function of Python or of the C library."""
    try:
        return ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value or 0
    except AttributeError:
        raise ValueError(f"unknown function {name}") from None
