"""Names: nouns of the field for local values, and one meaning for each name of a class."""

from __future__ import annotations

import ast
from collections import Counter, defaultdict

import puzzlec
from tests.test_house import modules, tree

#: Participles that do not say what a value is, and how many functions have such a parameter or local name. These are
#: parameters of the library. The numbers only get smaller.
PARTICIPLES = {
    "chosen": 5,
    "found": 1,
    "known": 0,
    "meant": 0,
    "own": 0,
    "shown": 0,
    "taken": 0,
    "told": 1,
    "wanted": 2,
}

FUNCTION = ast.FunctionDef | ast.AsyncFunctionDef


def local_names(function: FUNCTION) -> set[str]:
    """Return the parameters of a function and the names that it binds, without those of functions in it."""
    names, waiting = set(), list[ast.AST](ast.iter_child_nodes(function))
    while waiting:
        node = waiting.pop()
        if isinstance(node, FUNCTION | ast.ClassDef):
            continue
        if isinstance(node, ast.arg):
            names.add(node.arg)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        waiting += ast.iter_child_nodes(node)
    return names


def test_local_names_are_nouns_of_the_field() -> None:
    now = Counter(
        name
        for module in modules()
        for node in ast.walk(tree(module))
        if isinstance(node, FUNCTION)
        for name in local_names(node)
        if name in PARTICIPLES
    )
    more = {name: number for name, number in now.items() if number > PARTICIPLES[name]}
    assert not more, "name the thing that the value is"
    assert {name: now[name] for name in PARTICIPLES} == PARTICIPLES, "there are fewer now: change the numbers"


def test_no_three_classes_have_one_name_and_no_other_class_has_that_of_a_public_one() -> None:
    places = defaultdict[str, list[str]](list)
    for module in modules():
        for node in ast.walk(tree(module)):
            if isinstance(node, ast.ClassDef):
                places[node.name.lstrip("_")].append(module)
    assert not {name: some for name, some in places.items() if len(some) > 2}
    assert not {name: places[name] for name in puzzlec.__all__ if len(places[name]) > 1}
