"""Texts for solvers of other kinds: clauses, pseudo-Boolean and integer programs, MiniZinc, SMT-LIB."""
