"""Exact knowledge: ``Solver`` answers about single positions by search, ``tabulate`` knows them all."""

from parlour.solver.solution import Choice, Solver, Standing
from parlour.solver.tables import TableOfScores, kept_table, tabulate

__all__ = ["Choice", "Solver", "Standing", "TableOfScores", "kept_table", "tabulate"]
