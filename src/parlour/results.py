"""The types of results, for annotations: objects that functions of ``parlour`` return."""

from parlour.batch import Playouts
from parlour.batch.encoding import Encoding
from parlour.batch.lockstep import BatchStep, Scores
from parlour.lab.sweep import Sweep
from parlour.solver import Analysis, Choice, ScoreTable, Statistics
from parlour.study.contest import Contest
from parlour.study.explain import Explanation
from parlour.study.exploitability import Exploitability
from parlour.study.hints import Hint, Reason
from parlour.study.report import (
    Account,
    Chances,
    Decision,
    LastChance,
    Report,
    Resignation,
    RoundEnd,
    RoundReport,
    TurningPoint,
)
from parlour.study.words import Line
from parlour.tournament import Tournament
from parlour.turn import Turn

__all__ = [
    "Account",
    "Analysis",
    "BatchStep",
    "Chances",
    "Choice",
    "Contest",
    "Decision",
    "Encoding",
    "Explanation",
    "Exploitability",
    "Hint",
    "LastChance",
    "Line",
    "Playouts",
    "Reason",
    "Report",
    "Resignation",
    "RoundEnd",
    "RoundReport",
    "ScoreTable",
    "Scores",
    "Statistics",
    "Sweep",
    "Tournament",
    "Turn",
    "TurningPoint",
]
