"""Kernels as bitcode of LLVM, shipped with the package: a first search waits less than a second for machine code.

numba needs ten seconds for a kernel, most of them to infer types and to optimise. ``python -m tests.tools.bitcode``
stores the optimised bitcode. A search gives it to LLVM, which numba installs, and gets machine code for this processor.
This takes half a second, and numba is not imported. The machine code is kept in the user's cache. Its name is a digest
of the bitcode and the processor, so it stays valid for later versions with the same kernels. On x86_64, later
processes link it themselves, without LLVM.

Bitcode is used if the meaning of its sources has not changed, and by the version of LLVM that made it. Otherwise numba
compiles. It has no instructions of one kind of processor, so the same bitcode serves several platforms. Where it was
not tried, another process makes and loads the machine code of each function first. If that process fails, numba
compiles. ``PUZZLEC_KERNELS=numba`` selects numba.

A function takes the address of its *slots* of 64 bits. A number takes one slot. An array takes several, in the order of
numba: its length, its address and so on. The first slot is the address of the memory for the result.
"""

from __future__ import annotations

import ast
import ctypes
import hashlib
import json
import os
import platform
import sys
import zlib
from array import array
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from operator import index
from pathlib import Path
from typing import Any, TypeAlias

from puzzlec.engine.kernels import compiling
from puzzlec.engine.kernels.machine_code import linked

_HERE = Path(__file__).resolve().parent

#: The folder with a file for each function, and an index.
FOLDER = _HERE / "bitcode_files"

#: The name of the index. It has an entry for each function.
INDEX = "index.json"

#: The function in each file.
ENTRY = "entry"

#: The platforms that use the bitcode, by system and processor, and whether it was tried there.
PLATFORMS = {
    ("linux", "x86_64"): True,
    ("linux", "aarch64"): True,
    ("darwin", "arm64"): False,
    ("win32", "AMD64"): False,
}

#: The platform whose machine code is linked without LLVM.
QUICKLY_LINKED = "linux", "x86_64"

#: Maximum number of seconds in which another process makes the machine code of a function.
LONGEST_ATTEMPT_SECONDS = 60

#: The type of a value: a number ("int64", "uint64", "float64", "bool"), an array ("int32*1" has one dimension), or a
#: tuple of types.
Kind: TypeAlias = "str | list[Kind]"

#: Lines of `/proc/cpuinfo`.
_OF_PROCESSOR = {b"vendor_id", b"cpu family", b"model", b"flags"}

#: Size of the memory for a result, in bytes.
_RESULT_BYTES = 2048

_byte_of, _address_of = ctypes.c_char.from_buffer, ctypes.addressof


def shipped(function: Callable[..., Any]) -> Shipped | None:
    """Return the machine code of a function from its bitcode, or None if there is no bitcode for its sources."""
    entry = _entry(function)
    if entry is None:
        return None
    return _shipped(_name(function), entry)


def _shipped(name: str, entry: dict[str, Any]) -> Shipped | None:
    """Return the machine code of a function by its name in the index."""
    try:
        packed, kept = _files(name)
        code = _read(kept)
        if code is None:
            compiling.began()
            try:
                if PLATFORMS[_platform()]:
                    code = _emitted(packed, entry["llvm"])
                    address = _loaded(code)
                    _keep(kept, code)  # it can be loaded
                else:
                    address = _loaded(_made_by_another_process(name, kept))
            finally:
                compiling.ended()
        else:
            address = _loaded(code)
    except (OSError, ImportError, RuntimeError, ValueError, zlib.error):  # another version of LLVM, perhaps
        return None
    return Shipped(ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p)(address), entry["takes"], entry["gives"])


def is_ready(function: Callable[..., Any]) -> bool:
    """Return whether the machine code of a function is in the cache, so that it is ready in a moment."""
    if _entry(function) is None:
        return False
    try:
        _, kept = _files(_name(function))
    except OSError:
        return False
    return kept is not None and kept.exists()


def _name(function: Callable[..., Any]) -> str:
    return f"{function.__module__.rpartition('.')[2]}.{function.__name__}"


def _entry(function: Callable[..., Any]) -> dict[str, Any] | None:
    """Return what the index says about a function, or None if there is no bitcode for its sources."""
    entry: dict[str, Any] | None = _index().get(_name(function))
    return entry if entry is not None and is_of_sources(entry) else None


def _files(name: str) -> tuple[bytes, Path | None]:
    """Return the bitcode of a function, and the path of its machine code in the cache."""
    packed = (FOLDER / f"{name}.bc.z").read_bytes()
    key = hashlib.sha256(packed)
    key.update(_processor())
    return packed, _kept(f"{name}.{key.hexdigest()[:24]}.o")


def _platform() -> tuple[str, str]:
    """Return the system and the processor."""
    return sys.platform, platform.machine()


@cache
def _index() -> dict[str, Any]:
    """Return the index of the bitcode, empty if this platform does not use it."""
    if _platform() not in PLATFORMS or sys.maxsize < 1 << 32:
        return {}
    if os.environ.get("PUZZLEC_KERNELS") == "numba":
        return {}
    try:
        index: dict[str, Any] = json.loads((FOLDER / INDEX).read_bytes())
    except (OSError, ValueError):
        return {}
    return index


def is_of_sources(entry: dict[str, Any]) -> bool:
    """Return whether the bitcode of an entry belongs to its sources: the same text, or a text with the same meaning."""
    sources = entry["sources"]
    return bool(digest(sources, text) == entry["text"] or digest(sources, meaning) == entry["meaning"])


def digest(sources: Sequence[str], of: Callable[[str], bytes]) -> str:
    """Return a digest of the ``text`` or the ``meaning`` of source files in this folder."""
    sha = hashlib.sha256()
    for name in sources:
        sha.update(of(name) + b"\0")
    return sha.hexdigest()


@cache
def text(name: str) -> bytes:
    """Return the text of a file with uniform line ends."""
    try:
        return (_HERE / name).resolve().read_bytes().replace(b"\r\n", b"\n")
    except OSError:
        return b""


@cache
def meaning(name: str) -> bytes:
    """Return the syntax tree of a file without positions and docstrings. It is the same in each version of Python."""
    try:
        return repr(_told(ast.parse(text(name)))).encode()
    except SyntaxError:
        return b""


def _told(part: Any) -> Any:
    """Return a part of a syntax tree as tuples of names and values. Versions of Python differ in empty fields."""
    if isinstance(part, ast.AST):
        fields = ((name, _told(getattr(part, name, None))) for name in part._fields if name not in ("ctx", "kind"))
        return type(part).__name__, *((name, value) for name, value in fields if value not in (None, []))
    if isinstance(part, list):
        return [_told(piece) for piece in part if not _is_text(piece)]
    return None if part is None else repr(part)


def _is_text(part: Any) -> bool:
    """Return whether a statement is a docstring, or the description of a constant."""
    return isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant) and isinstance(part.value.value, str)


@cache
def _processor() -> bytes:
    """Return what Linux or LLVM says about the first processor, on which its machine code depends."""
    if _platform() != QUICKLY_LINKED:
        import llvmlite.binding as llvm

        processor, features = llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()
        return f"{processor} {features} {llvm.llvm_version_info}".encode()
    first = Path("/proc/cpuinfo").read_bytes().partition(b"\n\n")[0]
    named = [line.partition(b":") for line in first.splitlines()]
    return b"\n".join([value for name, _, value in named if name.strip() in _OF_PROCESSOR])


def _emitted(packed: bytes, version: int) -> bytes:
    """Return an object file with the machine code of some bitcode.

    Raise RuntimeError if LLVM has another version than the one that made the bitcode. Otherwise LLVM might end the
    process.
    """
    import llvmlite.binding as llvm

    if llvm.llvm_version_info[0] != version:
        raise RuntimeError("bitcode of another version of LLVM")
    machine = _target()
    module = llvm.parse_bitcode(zlib.decompress(packed))
    module.triple, module.data_layout = machine.triple, str(machine.target_data)
    code: bytes = machine.emit_object(module)
    return code


def _target() -> Any:
    """Return what LLVM makes machine code for: this processor."""
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    processor, features = llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()
    return llvm.Target.from_default_triple().create_target_machine(
        cpu=processor, features=features, opt=2, reloc="default", codemodel="jitdefault"
    )


def _loaded(code: bytes) -> int:
    """Return the address of the function in an object file. Raise ValueError, OSError or RuntimeError without one."""
    if _platform() == QUICKLY_LINKED:
        return linked(code, ENTRY)
    import llvmlite.binding as llvm

    for symbol in ("PyMem_RawMalloc", "PyMem_RawFree"):
        llvm.add_symbol(symbol, ctypes.cast(getattr(ctypes.pythonapi, symbol), ctypes.c_void_p).value)
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _target())
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    address: int = engine.get_function_address(ENTRY)
    if not address:
        raise RuntimeError("the machine code has no entry point")
    _engines.append(engine)
    return address


#: The owners of the machine code that LLVM has linked.
_engines: list[Any] = []


def _made_by_another_process(name: str, kept: Path | None) -> bytes:
    """Return machine code that another process has made, loaded and kept in a file.

    A fault of LLVM ends a process, so it must not be this one. Raise RuntimeError if the other process fails, or has
    failed before.
    """
    import subprocess

    python = Path(sys.executable or "-")
    failed = kept and kept.with_suffix(".failed")
    if failed is None or failed.exists() or not python.stem.lower().startswith("python"):
        raise RuntimeError("the machine code cannot be tried here")
    call = f"from {__name__} import attempt; attempt({name!r})"
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    with suppress(subprocess.TimeoutExpired):
        subprocess.run(
            [python, "-c", call], env=environment, capture_output=True, timeout=LONGEST_ATTEMPT_SECONDS, check=False
        )
    code = _read(kept)
    if code is None:
        _keep(failed, b"")
        raise RuntimeError("the machine code cannot be loaded here")
    return code


def attempt(name: str) -> None:
    """Make, load and keep the machine code of a function, in a process that may end by it.

    First, a function that needs memory for its result is called. Item 1 occurs four times, and items 0 and 1 must be
    covered. So these two are binding, and item 0 has no option.
    """
    import numpy as np

    PLATFORMS[_platform()] = True
    ones = np.ones(4, np.int32)
    binding = _shipped("components.binding", _index()["components.binding"])
    slots = binding.slots((2, 4, ones, ones, ones)) if binding else None
    if binding and slots:
        binds, is_possible = binding.call(slots)
        if binds.tolist() == [True, True, False, False] and not is_possible:
            _shipped(name, _index()[name])


def _kept(name: str) -> Path | None:
    """Return the path of a file in a folder that only this user can write to, since the file is executed."""
    try:
        folder = _cache_place() / "kernels"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for place in (folder, folder.parent):
            state = place.stat()
            if sys.platform != "win32" and (state.st_uid != os.getuid() or state.st_mode & 0o022):
                return None
    except (OSError, RuntimeError):  # no folder, or no home
        return None
    return folder / name


def _cache_place() -> Path:
    """Return where the cache is; raise RuntimeError if the user has no home. ``resources.py`` has the same rule."""
    if named := os.environ.get("PUZZLEC_CACHE"):
        return Path(named)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "puzzlec"


def _read(kept: Path | None) -> bytes | None:
    """Return the machine code in a file; None if the file is missing or damaged."""
    try:
        content = kept.read_bytes() if kept is not None else b""
    except OSError:
        return None
    code = content[32:]
    return code if code and hashlib.sha256(code).digest() == content[:32] else None


def _keep(kept: Path | None, code: bytes) -> None:
    """Write machine code to a file. If that fails, no partial file is left."""
    if kept is None:
        return
    fresh = kept.with_name(f"{kept.name}.{os.getpid()}")
    try:
        fresh.write_bytes(hashlib.sha256(code).digest() + code)
        fresh.replace(kept)
    except OSError:  # a full disk, a folder that cannot be written to
        with suppress(OSError):
            fresh.unlink(missing_ok=True)


#: Some tuples with their kinds and slots, by identity. A kernel passes the same tuples of arrays in each call.
_recent: dict[int, tuple[Any, str, array[int]]] = {}

#: Maximum number of these tuples. They keep their arrays in memory.
_MAX_REMEMBERED = 6

#: The formats of views of memory that are accepted as arrays.
_FORMATS = {"int32": "i", "int64": "q"}

_NO_SLOTS: tuple[Any, str, array[int]] = (None, "", array("q"))


class Shipped:
    """A function in machine code. ``takes`` are the kinds of its arguments, ``gives`` is the kind of its result."""

    def __init__(self, code: Any, takes: list[Kind], gives: Kind) -> None:
        self._code, self._takes, self._gives = code, takes, gives
        named = {name for kind in takes for name in _arrays(kind)}
        split = {name: name.split("*") for name in named}
        #: The type and the number of dimensions of the arrays of each kind.
        self._types = {name: (dtype, int(dimensions)) for name, (dtype, dimensions) in split.items()}
        self._names = [str(kind) for kind in takes]

    def slots(self, arguments: tuple[Any, ...]) -> array[int] | None:
        """Return the slots of arguments, or None if the function was not compiled for these."""
        slots = array("q", [0])
        if len(arguments) != len(self._takes):
            return None
        try:
            for value, kind, name in zip(arguments, self._takes, self._names, strict=True):
                if isinstance(kind, str):
                    self._put(slots, value, kind)
                    continue
                earlier, its_name, its = _recent.get(id(value), _NO_SLOTS)
                if earlier is not value or its_name != name:
                    numbers: list[int] = []
                    self._put(numbers, value, kind)
                    its = array("q", numbers)
                    for oldest in list(_recent)[: len(_recent) + 1 - _MAX_REMEMBERED]:
                        _recent.pop(oldest, None)
                _recent.pop(id(value), None)
                _recent[id(value)] = value, name, its  # the last one used is the last to go
                slots += its
        except (TypeError, AttributeError):
            return None
        return slots

    def call(self, slots: array[int]) -> Any:
        """Call the function and return its result; raise MemoryError if memory is short."""
        return self.prepared(slots, ())()

    def prepared(self, slots: array[int], arguments: tuple[Any, ...]) -> Callable[[], Any]:
        """Return a function without arguments that calls this one with the slots. It keeps ``arguments`` in memory."""
        result = ctypes.create_string_buffer(_RESULT_BYTES)
        slots[0] = ctypes.addressof(result)
        kept = arguments, slots
        code, gives, place = self._code, self._gives, slots.buffer_info()[0]

        def call(_: Any = kept) -> Any:
            if code(place):
                raise MemoryError("a kernel is out of memory")
            return None if gives == "none" else _taken(result, 0, gives)[0]

        return call

    def _put(self, slots: list[int] | array[int], value: Any, kind: Kind) -> None:
        """Add the slots of a value. Raise TypeError or AttributeError if it is of another kind."""
        if isinstance(kind, list):
            if not isinstance(value, tuple) or len(value) != len(kind):
                raise TypeError
            for part, its in zip(value, kind, strict=True):
                self._put(slots, part, its)
        elif kind in self._types:
            dtype, dimensions = self._types[kind]
            if value.ndim != dimensions:
                raise TypeError
            if type(value) is memoryview:
                if value.format != _FORMATS.get(dtype) or not value.c_contiguous:
                    raise TypeError
                size = value.nbytes // value.itemsize
            elif value.dtype != _dtype(dtype) or not value.flags.c_contiguous:
                raise TypeError
            else:
                size = value.size
            try:  # a fast way, which fails for empty and read-only arrays
                address = _address_of(_byte_of(value))
            except (TypeError, ValueError):
                address = value.__array_interface__["data"][0]
            slots.extend((0, 0, size, value.itemsize, address, *value.shape, *value.strides))
        elif kind == "bool" and not isinstance(value, bool):
            raise TypeError
        elif kind == "uint64":
            number = index(value)
            slots.append(number - (1 << 64 if number >> 63 else 0))
        elif kind == "float64":
            slots.extend(array("q", array("d", [value]).tobytes()))
        else:
            slots.append(index(value))


@cache
def _dtype(name: str) -> Any:
    """Return a type of numpy, whose arrays have imported it."""
    import numpy as np

    return np.dtype(name)


def _arrays(kind: Kind) -> list[str]:
    """Return the types of all arrays in a type."""
    if isinstance(kind, list):
        return [name for member in kind for name in _arrays(member)]
    return [kind] if "*" in kind else []


def _taken(result: Any, at: int, kind: Kind) -> tuple[Any, int]:
    """Return the value at a position of a result, and the next position. Copy arrays, and release their memory."""
    if isinstance(kind, list):
        parts = []
        for its in kind:
            part, at = _taken(result, at, its)
            parts.append(part)
        return tuple(parts), at
    if kind == "bool":
        return bool(result[at][0] & 1), at + 1
    at = (at + 7) & ~7
    if kind == "int64":
        return ctypes.c_int64.from_buffer(result, at).value, at + 8
    import numpy as np

    dtype, _, dimensions = kind.partition("*")
    number = int(dimensions)
    owner, _, size, width, data, *shape = (ctypes.c_int64 * (5 + number)).from_buffer(result, at)
    content = bytearray(ctypes.string_at(data, size * width))
    references = ctypes.c_int64.from_address(owner)
    references.value -= 1
    if references.value == 0:
        ctypes.pythonapi.PyMem_RawFree(ctypes.c_void_p(owner))
    return np.frombuffer(content, dtype=dtype).reshape(shape), at + 8 * (5 + 2 * number)
