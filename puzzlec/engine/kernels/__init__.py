"""Kernels: algorithms on arrays of integers, without any knowledge of puzzles.

The search kernels walk the same tree in the same order, so that they can be compared node for node.
:mod:`puzzlec.engine.kernels.spec` specifies the tree.

The search kernels are ``python``, ``lists`` and ``bits``. Each is made from the arrays of an exact cover and offers:

- ``covers(budget)``: search at most that many nodes and return the covers found
- ``count(budget)``: the same, but return their number
- ``finished``: whether the tree is exhausted
- ``nodes_visited``: number of branches taken
- ``position()``: the position of the search in the tree
- ``fraction``: the part of the tree before the position
- ``profile``: number of nodes at each depth

``frontier`` and ``memo`` count without visiting each cover. ``random_probes`` and the probes in ``python`` sample the
same tree. ``randomized_dfs`` and ``fixed_order_dfs`` look for a first cover in other trees.
"""
