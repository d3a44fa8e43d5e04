"""Words of 64 bits in numba: two machine instructions that Python has no name for."""
# ruff: noqa: ARG001 - numba calls these functions by position, with more than they need

from __future__ import annotations

from typing import Any

from numba import types
from numba.extending import intrinsic

_SIGNATURE = types.uint64(types.uint64)


def _population(typing_context: Any, word: Any) -> Any:
    """Return the number of set bits of a word (LLVM's ``ctpop``), as a uint64."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return _SIGNATURE, code


def _lowest(typing_context: Any, word: Any) -> Any:
    """Return the place of the lowest set bit (LLVM's ``cttz``), as a uint64; 64 if no bit is set."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], context.get_constant(types.boolean, False))

    return _SIGNATURE, code


population: Any = intrinsic(_population)
lowest: Any = intrinsic(_lowest)
