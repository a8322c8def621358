"""The types of results, for annotations: objects that functions of ``parlour`` return."""

from parlour.batch import Playouts
from parlour.batch.encoding import Encoding
from parlour.batch.lockstep import BatchStep, Scores
from parlour.lab.measures import Row
from parlour.lab.sweep import Sweep
from parlour.solver import Analysis, Choice, ScoreTable, Statistics
from parlour.study.contest import Contest, Exploitability
from parlour.study.explain import Explanation, ExplanationPart
from parlour.study.hints import Hint, Reason
from parlour.study.mastery import ExamQuestion, Marked
from parlour.study.puzzle import Features, Stage
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
from parlour.tournament import GameStandings, Played, Rating, Tournament
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
    "ExamQuestion",
    "Explanation",
    "ExplanationPart",
    "Exploitability",
    "Features",
    "GameStandings",
    "Hint",
    "LastChance",
    "Line",
    "Marked",
    "Played",
    "Playouts",
    "Rating",
    "Reason",
    "Report",
    "Resignation",
    "RoundEnd",
    "RoundReport",
    "Row",
    "ScoreTable",
    "Scores",
    "Stage",
    "Statistics",
    "Sweep",
    "Tournament",
    "Turn",
    "TurningPoint",
]
