"""Exact knowledge: ``Solver`` answers about single positions by search, ``tabulate`` knows them all."""

from parlour.solver.solution import Choice, Solver, Standing

__all__ = ["Choice", "Solver", "Standing"]
