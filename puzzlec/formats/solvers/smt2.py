"""An exact cover for SMT solvers: SMT-LIB 2.6 (https://smt-lib.org/language.shtml) in linear integer arithmetic."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from puzzlec.formats.record import Format, Sign, WriterChoices, gathered
from puzzlec.formats.solvers.linear import Use, enclosed, filled, in_one_line, uses
from puzzlec.lower.labels import Labelled

#: Characters that a quoted symbol cannot contain.
_STRANGE = r"[|\\]"


def write_smt2(what: Labelled, choices: WriterChoices) -> Iterator[str]:  # noqa: ARG001
    """Yield a script of SMT-LIB that asks for a cover. Its logic is QF_LIA, which all solvers with integers support.

    A symbol such as ``|x1 F 0,0 1,0|`` is true if option 1, with this meaning, is used; n1 is then 1, else 0. Each item
    is an assertion with its name, such as ``|s5 0,0|``. Options that give an item the same colour together cover it
    once. The script asks for the values of all options. The same cover gives the same text.
    """
    return gathered(f"{line}\n" for line in _lines(what))


def _lines(what: Labelled) -> Iterator[str]:
    cover = what.cover
    if title := in_one_line(what.title):
        yield f"; {title}"
    yield "; Which options cover each item as often as they must?"
    yield "(set-info :smt-lib-version 2.6)"
    yield "(set-option :produce-models true)"
    yield "(set-logic QF_LIA)"
    yield from (f"(declare-fun {name} () Bool)" for name in _symbols(what))
    for option, name in enumerate(_symbols(what), 1):
        yield f"(define-fun n{option} () Int (ite {name} 1 0))"
    names = [re.sub(_STRANGE, "/", label) for label in what.items]
    for use in uses(cover):
        yield from _assertion(what, use, names[use.item])
    yield "(check-sat)"
    if len(cover):
        yield from filled(_symbols(what), first="(get-value (", rest=" ", behind="))")
    yield "(exit)"


def _symbols(what: Labelled) -> Iterator[str]:
    """Yield the symbol of each option."""
    return (_symbol(option, label) for option, label in enumerate(what.labels(), 1))


def _symbol(option: int, label: str) -> str:
    label = re.sub(_STRANGE, "/", label)
    return f"|x{option} {label}|" if label else f"x{option}"


def _assertion(what: Labelled, use: Use, name: str) -> Iterator[str]:
    """Yield the lines of the assertion of an item."""
    terms: Iterator[str] = (f"n{option}" for option in use.alone)
    for shade in use.shades:
        either = (_symbol(option, what.option(option - 1)) for option in shade)
        terms = chain(terms, enclosed(either, "(ite (or ", ") 1 0)"))
    number = len(use.alone) + len(use.shades)
    terms = enclosed(terms, "(+ ", ")") if number > 1 else enclosed(terms, "" if number else "0")
    before, behind = _within(use.low, use.high)
    yield from filled(terms, first=f"(assert (! {before} ", behind=f"{behind} :named |s{use.item + 1} {name}|))")


def _within(low: int, high: int | None) -> tuple[str, str]:
    """Return the text before and after a number of uses that must be in some bounds."""
    if high is None:
        return "(>=", f" {low})"
    if low == high:
        return "(=", f" {low})"
    return (f"(<= {low}", f" {high})") if low else ("(<=", f" {high})")


FORMAT = Format(
    "smt2",
    (".smt2",),
    "SMT-LIB",
    stage="cover",
    write=write_smt2,
    recognise=(Sign(370, r"\s*+(?:(?:;[^\n]*+\s*+)*+\((?:set-(?:info|option|logic)|declare-|define-|assert\b))"),),
    aliases=("smt", "smtlib", "smt-lib", "smtlib2", "z3", "cvc5"),
    place=270,
)
