"""Formats: texts of other programs, read into a stage of the compiler and written from one.

``puzzlec.formats`` is a package and a public function: calling the package returns the records of all formats.
"""

from __future__ import annotations

import sys
from types import ModuleType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puzzlec.formats.record import Format


class _Callable(ModuleType):
    """A package that can be called, since its name is also that of a function."""

    def __call__(self) -> tuple[Format, ...]:
        """Return the formats that puzzlec and installed packages read and write.

        >>> import puzzlec
        >>> [format.name for format in puzzlec.formats() if format.name.startswith("d")]
        ['dpf', 'dlx', 'drawn']

        """
        from puzzlec.formats.registry import formats

        return formats()


sys.modules[__name__].__class__ = _Callable
