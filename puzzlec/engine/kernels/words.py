"""The functions of :mod:`puzzlec.engine.kernels.word_intrinsics` for kernels, without numba until it compiles them."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from puzzlec.engine.kernels.jit import Later


def _intrinsics() -> ModuleType:
    from puzzlec.engine.kernels import word_intrinsics

    return word_intrinsics


population: Any = Later(lambda: _intrinsics().population)
lowest: Any = Later(lambda: _intrinsics().lowest)
intersect: Any = Later(lambda: _intrinsics().intersect)
intersect_and_meet: Any = Later(lambda: _intrinsics().intersect_and_meet)
remove: Any = Later(lambda: _intrinsics().remove)
meets: Any = Later(lambda: _intrinsics().meets)
common: Any = Later(lambda: _intrinsics().common)
least_degree: Any = Later(lambda: _intrinsics().least_degree)
copy_shorts: Any = Later(lambda: _intrinsics().copy_shorts)
least_short: Any = Later(lambda: _intrinsics().least_short)
find_short: Any = Later(lambda: _intrinsics().find_short)
get: Any = Later(lambda: _intrinsics().get)
put: Any = Later(lambda: _intrinsics().put)
peek: Any = Later(lambda: _intrinsics().peek)
poke: Any = Later(lambda: _intrinsics().poke)
fetch: Any = Later(lambda: _intrinsics().fetch)
