"""Exact knowledge: ``Solver`` answers about single positions by search, ``tabulate`` knows them all."""

from parlour.solver.solver import Choice, Solver, solve
from parlour.solver.tables import ScoreTable, Statistics, kept_table, tabulate

__all__ = ["Choice", "ScoreTable", "Solver", "Statistics", "kept_table", "solve", "tabulate"]
