"""Exact knowledge: ``Solver`` answers about single positions by search, ``tabulate`` knows them all."""

from parlour.solver.solver import Analysis, Choice, ReproducibleSolver, Solver, solve
from parlour.solver.tables import ScoreTable, Statistics, kept_table, tabulate

__all__ = [
    "Analysis",
    "Choice",
    "ReproducibleSolver",
    "ScoreTable",
    "Solver",
    "Statistics",
    "kept_table",
    "solve",
    "tabulate",
]
