"""A custom lattice in JSON: the keys of its YAML file, and its name."""

from __future__ import annotations

import json
from typing import Any

from puzzlec.diagnostics import Report, Source, Span
from puzzlec.diagnostics.error import fail
from puzzlec.formats.json.checks import Checks
from puzzlec.formats.json.places import Path, places
from puzzlec.geometry import Lattice, find_lattice, lattice_names
from puzzlec.geometry.lattice import from_document
from puzzlec.language.lattice_file import LARGEST
from puzzlec.language.lattice_schema import lattice_document
from puzzlec.language.yaml_tree import MOST_VALUES, Node


def own_lattice(source: Source, path: Path, value: dict[str, Any], checks: Checks) -> Lattice | None:
    """Return the lattice of an object, checked and proved like one from a file.

    Returns None and notes an error for an invalid name. Raises PuzzleError with all other errors.
    """
    rest = {key: each for key, each in value.items() if key != "name"}
    if "name" not in value:
        checks.add("PZ274", "missing key `name` of the lattice", path)
        return None
    name = checks.text(value["name"], (*path, "name"), "the name of the lattice", empty=False)
    whole = places(source, [(path, False)])[path, False]
    if len(json.dumps(rest)) > LARGEST:
        raise fail("PZ347", f"the lattice is too large (limit {LARGEST // 2**20} MB)", whole)
    wanted = [(way, of_key) for way in _ways(rest, path) for of_key in (False, True)]
    if len(wanted) > 2 * MOST_VALUES:
        raise fail("PZ347", f"the lattice has too many values (limit {MOST_VALUES})", whole)
    tree = _node(rest, path, places(source, wanted))
    report = Report()
    document = lattice_document(tree, report)
    report.stop_on_errors()
    assert document is not None
    lattice = from_document(name, document)
    if name in lattice_names():
        if lattice == find_lattice(name):
            return lattice
        checks.add("PZ276", f"another lattice is named `{name}`", (*path, "name"), help="choose another name")
        return None
    from puzzlec.geometry.proving import faults

    for fault in faults(lattice):
        report.add("PZ346", fault.why, tree.at(fault.where).head, help=fault.help or ())
    report.stop_on_errors()
    return lattice


def _ways(value: Any, path: Path) -> list[Path]:
    """Return the paths to a value and to everything in it."""
    found = [path]
    steps = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, each in steps:
        found.extend(_ways(each, (*path, step)))
    return found


def _node(value: Any, path: Path, spans: dict[tuple[Path, bool], Span]) -> Node:
    """Return a value as a YAML tree with its places."""
    span = spans[path, False]
    if isinstance(value, dict):
        inner = {key: _node(each, (*path, key), spans) for key, each in value.items()}
        return Node(span, inner, {key: spans[(*path, key), True] for key in value})
    if isinstance(value, list):
        return Node(span, [_node(each, (*path, at), spans) for at, each in enumerate(value)])
    if isinstance(value, bool):
        return Node(span, str(value).lower())
    return Node(span, value)
