"""Words of 64 bits in numba, single or in rows: machine instructions and loops that Python and numba have no name for.

Most functions take arrays of uint64 with a position to begin at, and work on blocks of eight words. Functions for
tallies work on blocks of 32 numbers of 16 bits. LLVM turns such blocks into the widest instructions of the processor,
which a compiler's own vectoriser does not do for these loops. ``get`` and ``put`` are for single elements of any array,
``peek``, ``poke`` and ``fetch`` for words of arrays known by their addresses.
Places are not checked: callers must keep them within the array. Sets of items are read byte by byte, the lowest first:
numba runs on machines that keep words in that order.
"""
# ruff: noqa: ARG001 - numba calls these functions by position, with more than they need

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils as _cgutils
from numba.extending import intrinsic

_SIGNATURE = types.uint64(types.uint64)


def _population(typing_context: Any, word: Any) -> Any:
    """Return the number of set bits of a word (LLVM's ``ctpop``), as a uint64."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return _SIGNATURE, code


def _lowest(typing_context: Any, word: Any) -> Any:
    """Return the position of the lowest set bit (LLVM's ``cttz``), as a uint64; 64 if no bit is set."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], context.get_constant(types.boolean, False))

    return _SIGNATURE, code


population: Any = intrinsic(_population)
lowest: Any = intrinsic(_lowest)


cgutils: Any = _cgutils  # numba has no types for these

_LANES = 8
_INT64 = ir.IntType(64)
_BYTE = ir.IntType(8)
_VECTOR = ir.VectorType(_INT64, _LANES)
_MASK = ir.VectorType(ir.IntType(1), _LANES)
_WORDS = types.Array(types.uint64, 1, "C")
_SHORTS = types.Array(types.uint16, 1, "C")
_PLACE = types.int64


def _places(number: int) -> Any:
    """Return the type of a tuple of positions."""
    made: Any = types.UniTuple
    return made(_PLACE, number)


def _pointer(context: Any, builder: Any, kind: Any, array: Any) -> Any:
    """Return the address of the first element of an array."""
    return context.make_array(kind)(context, builder, array).data


def _constant(values: list[int]) -> Any:
    return ir.Constant(_VECTOR, values)


def _splat(builder: Any, scalar: Any) -> Any:
    """Return a vector with the same word in all lanes."""
    undefined = ir.Constant(_VECTOR, ir.Undefined)
    one = builder.insert_element(undefined, scalar, ir.Constant(ir.IntType(32), 0))
    return builder.shuffle_vector(one, undefined, ir.Constant(ir.VectorType(ir.IntType(32), _LANES), [0] * _LANES))


def _call(builder: Any, name: str, result: Any, *arguments: Any) -> Any:
    """Call an LLVM intrinsic."""
    kind = ir.FunctionType(result, [argument.type for argument in arguments])
    return builder.call(cgutils.get_or_insert_function(builder.module, kind, name), arguments)


def _load(builder: Any, pointer: Any, place: Any, kind: Any = _VECTOR, align: int = 8) -> Any:
    return builder.load(builder.bitcast(builder.gep(pointer, [place]), kind.as_pointer()), align=align)


def _store(builder: Any, value: Any, pointer: Any, place: Any, align: int = 8) -> None:
    builder.store(value, builder.bitcast(builder.gep(pointer, [place]), value.type.as_pointer()), align=align)


def _has_bit(builder: Any, vector: Any) -> Any:
    """Return whether a vector has a bit."""
    return builder.icmp_unsigned("!=", _call(builder, "llvm.vector.reduce.or.v8i64", _INT64, vector), _INT64(0))


def _intersect(typing: Any, out: Any, at: Any, left: Any, l: Any, right: Any, r: Any, blocks: Any) -> Any:  # noqa: E741
    """``out[at:] = left[l:] & right[r:]`` for a number of blocks of eight words."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        to, one, two = (_pointer(context, builder, signature.args[k], arguments[k]) for k in (0, 2, 4))
        with cgutils.for_range(builder, arguments[6]) as loop:
            step = builder.mul(loop.index, _INT64(_LANES))
            both = builder.and_(
                _load(builder, one, builder.add(arguments[3], step)),
                _load(builder, two, builder.add(arguments[5], step)),
            )
            _store(builder, both, to, builder.add(arguments[1], step))
        return context.get_dummy_value()

    return types.void(_WORDS, _PLACE, _WORDS, _PLACE, _WORDS, _PLACE, _PLACE), code


def _intersect_and_meet(typing: Any, out: Any, left: Any, right: Any, other: Any, places: Any, blocks: Any) -> Any:
    """As ``intersect``. Return whether the result has a bit of ``other``. ``places`` is where to begin in each."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointers = (_pointer(context, builder, signature.args[k], arguments[k]) for k in range(4))
        to, one, two, three = pointers
        at, l, r, o = (builder.extract_value(arguments[4], k) for k in range(4))  # noqa: E741
        met = cgutils.alloca_once_value(builder, _constant([0] * _LANES))
        builder.store(_constant([0] * _LANES), met)
        with cgutils.for_range(builder, arguments[5]) as loop:
            step = builder.mul(loop.index, _INT64(_LANES))
            both = builder.and_(_load(builder, one, builder.add(l, step)), _load(builder, two, builder.add(r, step)))
            _store(builder, both, to, builder.add(at, step))
            here = builder.and_(both, _load(builder, three, builder.add(o, step)))
            builder.store(builder.or_(builder.load(met), here), met)
        return _has_bit(builder, builder.load(met))

    return types.boolean(_WORDS, _WORDS, _WORDS, _WORDS, _places(4), _PLACE), code


def _remove(typing: Any, out: Any, at: Any, right: Any, r: Any, blocks: Any) -> Any:
    """``out[at:] &= ~right[r:]`` for a number of blocks of eight words."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        to, other = (_pointer(context, builder, signature.args[k], arguments[k]) for k in (0, 2))
        with cgutils.for_range(builder, arguments[4]) as loop:
            step = builder.mul(loop.index, _INT64(_LANES))
            place = builder.add(arguments[1], step)
            gone = builder.xor(_load(builder, other, builder.add(arguments[3], step)), _constant([-1] * _LANES))
            _store(builder, builder.and_(_load(builder, to, place), gone), to, place)
        return context.get_dummy_value()

    return types.void(_WORDS, _PLACE, _WORDS, _PLACE, _PLACE), code


def _meets(typing: Any, left: Any, l: Any, right: Any, r: Any, blocks: Any) -> Any:  # noqa: E741
    """Return whether ``left[l:]`` and ``right[r:]`` have a bit in common, in at least one block of eight words."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        one, two = (_pointer(context, builder, signature.args[k], arguments[k]) for k in (0, 2))
        entry = builder.block
        look, done = (builder.append_basic_block(name) for name in ("look", "done"))
        builder.branch(look)
        builder.position_at_end(look)
        block = builder.phi(_INT64)
        block.add_incoming(_INT64(0), entry)
        step = builder.mul(block, _INT64(_LANES))
        both = builder.and_(
            _load(builder, one, builder.add(arguments[1], step)),
            _load(builder, two, builder.add(arguments[3], step)),
        )
        met = _has_bit(builder, both)
        following = builder.add(block, _INT64(1))
        block.add_incoming(following, look)
        last = builder.icmp_signed(">=", following, arguments[4])
        builder.cbranch(builder.or_(met, last), done, look)
        builder.position_at_end(done)
        return met

    return types.boolean(_WORDS, _PLACE, _WORDS, _PLACE, _PLACE), code


def _common(typing: Any, left: Any, l: Any, right: Any, r: Any, blocks: Any) -> Any:  # noqa: E741
    """Return the number of bits of ``left[l:] & right[r:]`` in a number of blocks of eight words."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        one, two = (_pointer(context, builder, signature.args[k], arguments[k]) for k in (0, 2))
        total = cgutils.alloca_once_value(builder, _constant([0] * _LANES))
        builder.store(_constant([0] * _LANES), total)
        with cgutils.for_range(builder, arguments[4]) as loop:
            step = builder.mul(loop.index, _INT64(_LANES))
            both = builder.and_(
                _load(builder, one, builder.add(arguments[1], step)),
                _load(builder, two, builder.add(arguments[3], step)),
            )
            builder.store(builder.add(builder.load(total), _call(builder, "llvm.ctpop.v8i64", _VECTOR, both)), total)
        return _call(builder, "llvm.vector.reduce.add.v8i64", _INT64, builder.load(total))

    return types.int64(_WORDS, _PLACE, _WORDS, _PLACE, _PLACE), code


def _least_degree(typing: Any, planes: Any, alive: Any, open_items: Any, spare: Any, places: Any, sizes: Any) -> Any:
    """Count the options left of each open item. Return the least branching degree with its item.

    - ``planes``: for each block of eight items, for each word of options, the words of the eight items side by side
    - ``alive``: the options left
    - ``open_items``: the items as bits
    - ``spare`` (uint64, eight a block): for each item the difference of its degree and its number of options
    - ``places``: where to begin in these arrays
    - ``sizes``: words of options, and blocks of eight items

    The result is ``degree << 32 | item``, the lowest item if several have the least degree, or all ones if no item is
    open. Counting stops at the first block with an item of degree 0.
    """

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointers = (_pointer(context, builder, signature.args[k], arguments[k]) for k in range(4))
        plane, left, masks, extra = pointers
        base, a, m, s = (builder.extract_value(arguments[4], k) for k in range(4))
        words, blocks = (builder.extract_value(arguments[5], k) for k in range(2))
        masks = builder.bitcast(builder.gep(masks, [m]), _BYTE.as_pointer())
        entry = builder.block
        names = ("head", "body", "word", "block", "next", "done")
        head, body, word, block, following, done = (builder.function.append_basic_block(name) for name in names)
        nothing, zero = _constant([-1] * _LANES), _constant([0] * _LANES)
        builder.branch(head)

        builder.position_at_end(head)  # for each block of items
        b, best = builder.phi(_INT64), builder.phi(_VECTOR)
        b.add_incoming(_INT64(0), entry)
        best.add_incoming(nothing, entry)
        builder.cbranch(builder.icmp_signed("<", b, blocks), body, done)

        builder.position_at_end(body)
        mask = builder.load(builder.gep(masks, [b]))
        row = builder.add(base, builder.mul(builder.mul(b, words), _INT64(_LANES)))
        first = builder.mul(b, _INT64(_LANES))
        start = _load(builder, extra, builder.add(s, first))
        builder.cbranch(builder.icmp_unsigned("==", mask, _BYTE(0)), following, word)

        builder.position_at_end(word)  # for each word of options
        w, sums = builder.phi(_INT64), builder.phi(_VECTOR)
        w.add_incoming(_INT64(0), body)
        sums.add_incoming(start, body)
        have = _load(builder, plane, builder.add(row, builder.mul(w, _INT64(_LANES))))
        here = _splat(builder, builder.load(builder.gep(left, [builder.add(a, w)])))
        more = builder.add(sums, _call(builder, "llvm.ctpop.v8i64", _VECTOR, builder.and_(have, here)))
        w_next = builder.add(w, _INT64(1))
        w.add_incoming(w_next, word)
        sums.add_incoming(more, word)
        builder.cbranch(builder.icmp_signed("<", w_next, words), word, block)

        builder.position_at_end(block)
        more = builder.select(builder.icmp_signed("<", more, zero), zero, more)
        items = builder.add(_splat(builder, first), _constant(list(range(_LANES))))
        keys = builder.or_(builder.shl(more, _constant([32] * _LANES)), items)
        keys = builder.select(builder.bitcast(mask, _MASK), keys, nothing)
        better = builder.select(builder.icmp_unsigned("<", keys, best), keys, best)
        empty = builder.and_(builder.bitcast(builder.icmp_unsigned("==", more, zero), _BYTE), mask)
        dead = builder.icmp_unsigned("!=", empty, _BYTE(0))
        builder.cbranch(dead, done, following)

        builder.position_at_end(following)
        so_far = builder.phi(_VECTOR)
        so_far.add_incoming(best, body)
        so_far.add_incoming(better, block)
        b.add_incoming(builder.add(b, _INT64(1)), following)
        best.add_incoming(so_far, following)
        builder.branch(head)

        builder.position_at_end(done)
        last = builder.phi(_VECTOR)
        last.add_incoming(best, head)
        last.add_incoming(better, block)
        return _call(builder, "llvm.vector.reduce.umin.v8i64", _INT64, last)

    four, two = _places(4), _places(2)
    signature = types.uint64(_WORDS, _WORDS, _WORDS, _WORDS, four, two)
    return signature, code


_SHORT = ir.IntType(16)
_SHORT_LANES = 32
_SHORT_VECTOR = ir.VectorType(_SHORT, _SHORT_LANES)


def _copy_shorts(typing: Any, array: Any, to: Any, at: Any, blocks: Any) -> Any:
    """``array[to:] = array[at:]`` for a number of blocks of 32 numbers of 16 bits."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = _pointer(context, builder, signature.args[0], arguments[0])
        with cgutils.for_range(builder, arguments[3]) as loop:
            step = builder.mul(loop.index, _INT64(_SHORT_LANES))
            block = _load(builder, pointer, builder.add(arguments[2], step), _SHORT_VECTOR, 2)
            _store(builder, block, pointer, builder.add(arguments[1], step), 2)
        return context.get_dummy_value()

    return types.void(_SHORTS, _PLACE, _PLACE, _PLACE), code


def _least_short(typing: Any, array: Any, at: Any, blocks: Any) -> Any:
    """Return the least of a number of blocks of 32 numbers of 16 bits, as an int64."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = _pointer(context, builder, signature.args[0], arguments[0])
        most = ir.Constant(_SHORT_VECTOR, [-1] * _SHORT_LANES)
        least = cgutils.alloca_once_value(builder, most)
        builder.store(most, least)
        with cgutils.for_range(builder, arguments[2]) as loop:
            place = builder.add(arguments[1], builder.mul(loop.index, _INT64(_SHORT_LANES)))
            block, best = _load(builder, pointer, place, _SHORT_VECTOR, 2), builder.load(least)
            builder.store(builder.select(builder.icmp_unsigned("<", block, best), block, best), least)
        return builder.zext(_call(builder, "llvm.vector.reduce.umin.v32i16", _SHORT, builder.load(least)), _INT64)

    return types.int64(_SHORTS, _PLACE, _PLACE), code


def _find_short(typing: Any, array: Any, at: Any, value: Any) -> Any:
    """Return the first position of a number of 16 bits that is in the array, counted from the position to begin at."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = _pointer(context, builder, signature.args[0], arguments[0])
        undefined = ir.Constant(_SHORT_VECTOR, ir.Undefined)
        one = builder.insert_element(undefined, builder.trunc(arguments[2], _SHORT), ir.Constant(ir.IntType(32), 0))
        lanes = ir.Constant(ir.VectorType(ir.IntType(32), _SHORT_LANES), [0] * _SHORT_LANES)
        value = builder.shuffle_vector(one, undefined, lanes)
        entry = builder.block
        look, on, end = (builder.function.append_basic_block(name) for name in ("look", "on", "found"))
        builder.branch(look)
        builder.position_at_end(look)
        place = builder.phi(_INT64)
        place.add_incoming(_INT64(0), entry)
        block = _load(builder, pointer, builder.add(arguments[1], place), _SHORT_VECTOR, 2)
        same = builder.bitcast(builder.icmp_unsigned("==", block, value), ir.IntType(32))
        builder.cbranch(builder.icmp_unsigned("==", same, ir.IntType(32)(0)), on, end)
        builder.position_at_end(on)
        place.add_incoming(builder.add(place, _INT64(_SHORT_LANES)), on)
        builder.branch(look)
        builder.position_at_end(end)
        lane = builder.zext(builder.cttz(same, ir.IntType(1)(1)), _INT64)
        return builder.add(place, lane)

    return types.int64(_SHORTS, _PLACE, _PLACE), code


def _load_word(typing: Any, array: Any, place: Any) -> Any:
    """Return an element of an array at a position that is within it: no test for negative positions."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = _pointer(context, builder, signature.args[0], arguments[0])
        return builder.load(builder.gep(pointer, [arguments[1]]))

    return array.dtype(array, _PLACE), code


def _store_word(typing: Any, array: Any, place: Any, value: Any) -> Any:
    """Set an element of an array at a position that is within it."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = _pointer(context, builder, signature.args[0], arguments[0])
        builder.store(arguments[2], builder.gep(pointer, [arguments[1]]))
        return context.get_dummy_value()

    return types.void(array, _PLACE, array.dtype), code


def _peek(typing: Any, address: Any, place: Any) -> Any:
    """Return a word, by the address of an array and a position in it."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = builder.inttoptr(arguments[0], _INT64.as_pointer())
        return builder.load(builder.gep(pointer, [arguments[1]]))

    return types.uint64(types.int64, _PLACE), code


def _poke(typing: Any, address: Any, place: Any, value: Any) -> Any:
    """Set a word, by the address of an array and a position in it."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = builder.inttoptr(arguments[0], _INT64.as_pointer())
        builder.store(arguments[2], builder.gep(pointer, [arguments[1]]))
        return context.get_dummy_value()

    return types.void(types.int64, _PLACE, types.uint64), code


def _fetch(typing: Any, address: Any, place: Any) -> Any:
    """Begin to load a word into the cache, by the address of an array and a position in it."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = builder.inttoptr(arguments[0], _BYTE.as_pointer())
        number = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [pointer.type, number, number, number])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        # 1: it will be written; 3: keep it in all caches; 1: it is data
        place = builder.gep(pointer, [builder.shl(arguments[1], _INT64(3))])
        builder.call(function, [place, number(1), number(3), number(1)])
        return context.get_dummy_value()

    return types.void(types.int64, _PLACE), code


intersect: Any = intrinsic(_intersect)
intersect_and_meet: Any = intrinsic(_intersect_and_meet)
remove: Any = intrinsic(_remove)
meets: Any = intrinsic(_meets)
common: Any = intrinsic(_common)
least_degree: Any = intrinsic(_least_degree)
copy_shorts: Any = intrinsic(_copy_shorts)
least_short: Any = intrinsic(_least_short)
find_short: Any = intrinsic(_find_short)
get: Any = intrinsic(_load_word)
put: Any = intrinsic(_store_word)
peek: Any = intrinsic(_peek)
poke: Any = intrinsic(_poke)
fetch: Any = intrinsic(_fetch)
