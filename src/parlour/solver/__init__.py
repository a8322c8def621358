"""Exact values of positions: ``Solver`` searches single positions, ``tabulate`` searches all of them."""

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
