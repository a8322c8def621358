"""The report of a match: every decision that was not undone, graded by exact value and distance.

A *real decision* is a turn with several legal moves in a position that is neither lost nor settled. All other turns are
left out and counted by reason. A real decision is *held* if no other move was worth more, however long the win takes.
``accuracy`` is the share of held decisions. A decision is *critical* if some move would have thrown value away.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import StrEnum
from typing import Final, Generic, Literal

from parlour.fields import about, document, hidden, written
from parlour.game import Game, Move, P, opponent, player_at
from parlour.match import Match
from parlour.options import O, show_words
from parlour.outcome import Termination
from parlour.rules import LISTED_MOVES, Rules
from parlour.score import Score, Value
from parlour.study.words import Line, in_per_cent, one_of
from parlour.text import counted, decimal, joined
from parlour.view import PlayerNumber

Grade = Literal["kept", "slower", "threw-win", "threw-draw", "forced", "lost", "settled", "ungraded"]
# Grades of real decisions, and of turns that are left out.
KEPT: Final = "kept"
SLOWER: Final = "slower"
THREW_WIN: Final = "threw-win"
THREW_DRAW: Final = "threw-draw"
FORCED: Final = "forced"
LOST: Final = "lost"
SETTLED: Final = "settled"
UNGRADED: Final = "ungraded"
COUNTED = (KEPT, SLOWER, THREW_WIN, THREW_DRAW)
LEFT_OUT: tuple[Grade, ...] = (FORCED, LOST, SETTLED, UNGRADED)


class RoundEnd(StrEnum):
    """The way a round ended. Each member equals its text.

    >>> from parlour.results import RoundEnd
    >>> RoundEnd("settled"), RoundEnd.WON == "won", str(RoundEnd.DRAWN)
    (<RoundEnd.SETTLED: 'settled'>, True, 'drawn')
    """

    WON = "won"  # the winner won by play
    DRAWN = "drawn"  # the round is a draw
    SETTLED = "settled"  # the players left it, because neither could win it any more
    RESIGNED = "resigned"  # the loser gave up
    FORFEITED = "forfeited"  # the loser did not play by the rules
    UNFINISHED = "unfinished"  # the match is in progress


@document
class Decision:
    """One turn of a round. Scores are for the player who moved; their turns count from before the move.

    >>> import parlour
    >>> match = parlour.new_match("double-up", limit=30, names=("Ann", "Ben"))
    >>> match.play_line("2 4 5 6 7 14 15 30")
    >>> decision = parlour.make_report(match).rounds[0].decisions[2]
    >>> decision.move, decision.grade, str(decision.before), str(decision.after), decision.held_by
    (5, 'threw-win', 'win in 5 turns', 'loss in 6 turns', (6,))
    """

    ply: int = about("the number of the move in the round, counted from 1")
    player: PlayerNumber = about("the player who moved")
    move: Move = about("the move")
    grade: Grade = about("the effect on the value of the position")
    before: Score | None = about("the value of the position; null: unknown")
    after: Score | None = about("the value of the move; null: unknown")
    legal: int = about("the number of legal moves")
    held_by: tuple[Move, ...] = hidden()  # the moves that keep the value; empty if the turn is left out

    @property
    @written
    def holding(self) -> int:
        """the number of moves that would have kept the value; 0 if the turn is left out"""
        return len(self.held_by)

    critical: bool = about("whether some move would have thrown value away")

    @property
    def turning(self) -> bool:
        """Whether the move threw value away."""
        return self.grade in (THREW_WIN, THREW_DRAW)


@document
class TurningPoint:
    """A decision that threw value away, and the play that shows it.

    >>> import parlour
    >>> match = parlour.new_match("double-up", limit=30, names=("Ann", "Ben"))
    >>> match.play_line("2 4 5 6 7 14 15 30")
    >>> point = parlour.make_report(match).rounds[0].turning_points[0]
    >>> point.move, point.told
    (5, 'Ben: 6, Ann: 7, Ben: 14, Ann: 15, Ben: 30, and Ben wins')
    """

    decision: Decision = hidden()  # the decision
    ply: int = about("the number of the move in the round, counted from 1")
    player: PlayerNumber = about("the player who moved")
    move: Move = about("the move")
    from_: Value | None = about("the value of the position", name="from")
    to: Value | None = about("the value of the move")
    held_by: tuple[Move, ...] = about(
        f"the moves that would have kept the value, the first {LISTED_MOVES:,}", most=LISTED_MOVES
    )
    line: list[Move] = about("best play after the move", most=LISTED_MOVES)
    told: str = hidden()  # the line with names


@document
class LastChance:
    """The last turn at which a player still had a win or a draw.

    >>> import parlour
    >>> match = parlour.new_match("double-up", limit=30, names=("Ann", "Ben"))
    >>> match.play_line("2 4 5 6 7 14 15 30")
    >>> parlour.make_report(match).rounds[0].chances[0].win
    LastChance(ply=3, moves=(6,))
    """

    ply: int = about("the number of the move in the round, counted from 1")
    moves: tuple[Move, ...] = about(f"the moves that would have kept it, the first {LISTED_MOVES:,}", most=LISTED_MOVES)


@document
class Chances:
    """The last chances of a player in a round.

    >>> import parlour
    >>> match = parlour.new_match("double-up", limit=30, names=("Ann", "Ben"))
    >>> match.play_line("2 4 5 6 7 14 15 30")
    >>> ann, ben = parlour.make_report(match).rounds[0].chances
    >>> ann.win.ply, ben.winning_since
    (3, 4)
    """

    player: PlayerNumber = about("the player")
    win: LastChance | None = about("the last turn at which the position was won; null: none is known")
    draw: LastChance | None = about("the last turn at which it was at least drawn; null: none is known")
    winning_since: int | None = about("for the winner: the first turn from which the position stayed won")
    now: Score | None = about(
        "the value of an unfinished round for this player; null: finished, or unknown", default=None
    )


@document
class Resignation:
    """A resignation.

    >>> import parlour
    >>> match = parlour.new_match("double-up", limit=30)
    >>> match.play_line("2 4 5")
    >>> action = match.resign(2)
    >>> print(parlour.make_report(match).rounds[0].resignation.score)
    win in 5 turns
    """

    player: PlayerNumber = about("the player who resigned")
    score: Score | None = about("the value of the position for that player; null: unknown", name="standing")

    @property
    def threw(self) -> Value | None:
        """The win or draw that was given up; None if the position was lost or its value is unknown."""
        return self.score.value if self.score is not None and self.score.value > Value.LOSS else None


@document
class RoundReport(Generic[O, P]):
    """One round of a report.

    >>> import parlour
    >>> match = parlour.new_match("double-up", limit=30, names=("Ann", "Ben"))
    >>> match.play_line("2 4 5 6 7 14 15 30")
    >>> graded = parlour.make_report(match).rounds[0]
    >>> graded.how, graded.winner, str(graded.start), len(graded.turning_points)
    (<RoundEnd.WON: 'won'>, 2, 'win in 7 turns', 1)
    """

    number: int = about("the number of the round, counted from 1", name="round")
    rules: Rules[O, P] = about("all options as text, including the deal", name="options")
    first: PlayerNumber = about("the player who began")
    start: Score | None = about("the value for the player who began; null: unknown")
    how: RoundEnd = about("the way the round ended; `settled`: left, because neither player could win it any more")
    winner: PlayerNumber | None = about("the player who won by playing; null if there is none")
    decisions: list[Decision] = about("every turn")
    turning_points: list[TurningPoint] = about("the decisions that threw value away")
    chances: list[Chances] = about("the last chances of each player")
    resignation: Resignation | None = about("the resignation or forfeit, if there was one")


@document
class Account:
    """One player's decisions, all rounds together.

    >>> import parlour
    >>> match = parlour.new_match("double-up", limit=30, names=("Ann", "Ben"))
    >>> match.play_line("2 4 5 6 7 14 15 30")
    >>> ann, ben = parlour.make_report(match).accounts
    >>> ann.decisions, ann.threw_win, ben.decisions, ben.accuracy
    (1, 1, 3, 1.0)
    """

    player: PlayerNumber = about("the player")

    @property
    @written(name="accuracy")
    def rounded_accuracy(self) -> float | None:
        """the share of real decisions that were held, from 0 to 1; null without a real decision"""
        return None if self.accuracy is None else round(self.accuracy, 4)

    decisions: int = about(
        "the number of real decisions: with several legal moves, in a position that is not lost or settled"
    )
    held: int = about("real decisions where no other move would have been worth more")
    critical: int = about("real decisions where some move would have thrown value away")
    slower: int = about("real decisions that kept the win but delayed it")
    threw_win: int = about("wins thrown away")
    threw_draw: int = about("draws thrown away")
    left_out: dict[str, int] = about("turns that are not real decisions, by grade")

    @property
    def accuracy(self) -> float | None:
        """The share of held decisions; None without a real decision."""
        return self.held / self.decisions if self.decisions else None


@document
class Report(Generic[O, P]):
    """A match with every decision graded by its exact value.

    >>> import parlour
    >>> match = parlour.new_match("double-up", limit=30, names=("Ann", "Ben"))
    >>> match.play_line("2 4 5 6 7 14 15 30")
    >>> parlour.make_report(match)
    <Report on <Match of Double Up: Ann - Ben, 8 moves, Ben won>>
    """

    match: Match[O, P] = hidden()  # the match
    format: int = about("the version of all JSON documents")

    @property
    @written
    def game(self) -> Game[O, P]:
        """the name of the game"""
        return self.rules.game

    @property
    @written
    def version(self) -> int:
        """the version of the rules"""
        return self.game.version

    rules: Rules[O, P] = about("the options as chosen", name="options")
    names: tuple[str, str] = about("the players' names")
    players: tuple[str, str] = about("the kinds of player")
    result: str = about('the result as in a record: "1-0", "0-1", "1/2-1/2", "undecided" or "*"')
    how: Termination | None = about("the way the match ended; null while it is in progress")
    winner: PlayerNumber | None = about("the player who won; null if there is none")
    undone: int = about("the number of undone moves")
    seconds: float = about("the time limit for one position")
    accounts: tuple[Account, Account] = about("one account for each player", name="accuracy")
    rounds: list[RoundReport[O, P]] = about("the rounds, in the order of play")

    @property
    @written
    def text(self) -> list[str]:
        """the report as text, line by line"""
        return [line.text for line in self.lines]

    def __repr__(self) -> str:
        return f"<Report on {self.match!r}>"

    def __str__(self) -> str:
        return "\n".join(self.text)

    @property
    def lines(self) -> list[Line]:
        """The report as text, line by line."""
        return list(report_lines(self))


def report_lines(report: Report[O, P]) -> Iterator[Line]:
    """Yield the lines of a report; an empty line separates its parts."""
    match = report.match
    yield Line("All values are exact and from the mover's side. Move numbers count both players, passes included.")
    if report.undone:
        gone = f"{counted(report.undone, 'move')} {'was' if report.undone == 1 else 'were'} undone"
        yield Line(f"{gone}; the report grades the moves that remain.")
    for round in report.rounds:
        yield Line("")
        if len(report.rounds) > 1:
            dealt = show_words(round.rules.options, match.setup.options).replace("=", " ")
            yield Line(f"Round {round.number} of {len(report.rounds)}" + (f", {dealt}" if dealt else ""), True)
        yield from _round_lines(match, round)
    yield Line("")
    yield Line("Accuracy", True)
    for account in report.accounts:
        yield Line(f"- {_account_text(match.names[account.player - 1], account)}")
    yield Line(
        "Graded: choices in positions not yet lost. A choice keeps the best result if no other move was worth more."
    )
    if any(account.left_out[UNGRADED] for account in report.accounts):
        if match.rules.bounds is None:
            yield Line("A game that may never end has no exact values, so no move is graded.")
        else:
            took = f"{decimal(report.seconds)} seconds each"
            yield Line(f"Ungraded moves could not be solved within {took}; --seconds allows more.")


def _round_lines(match: Match[O, P], round: RoundReport[O, P]) -> Iterator[Line]:
    names, rules = match.names, round.rules
    yield Line(_start_text(match, round))
    settled = [decision.ply for decision in round.decisions if decision.grade == SETTLED]
    if round.decisions and len(settled) < len(round.decisions):
        yield Line("")
        yield Line("Move by move", True)
    for decision, name in zip(round.decisions, rules.spoken(each.move for each in round.decisions), strict=True):
        if decision.grade != SETTLED:
            text = f"- {decision.ply}. {names[decision.player - 1]}: {name} {_grade_text(decision)}"
            yield Line(text, decision.turning)
    if settled and len(settled) < len(round.decisions):
        span = f"{settled[0]}." if len(settled) == 1 else f"{settled[0]}. to {settled[-1]}."
        yield Line(f"- {span} (neither player could win any more)")
    elif settled:
        yield Line("Neither player could win this round, so no move is graded.")
        return
    yield Line("")
    given_up = round.resignation.threw if round.resignation is not None else None
    unknown = round.resignation is not None and round.resignation.score is None
    if round.turning_points or given_up is not None:
        yield Line("Turning points", True)
    elif unknown or any(decision.grade == UNGRADED for decision in round.decisions):
        yield Line("No turning points among the graded moves.")
    else:
        yield Line("No turning points.")
    for point in round.turning_points:
        (name,) = rules.spoken([point.move])
        better = one_of(rules, point.held_by)
        yield Line(
            f"- Move {point.ply}, {names[point.player - 1]}: {name} threw away the {point.from_}; "
            f"{better} would have kept it. After {name}: {point.told}."
        )
    if round.resignation is not None and given_up is not None:
        was = "won" if given_up is Value.WIN else "drawn"
        yield Line(
            f"- {names[round.resignation.player - 1]} {round.how} a {was} position and so threw away the {given_up}."
        )
    yield Line("")
    yield Line("How it stands" if round.how is RoundEnd.UNFINISHED else "Last chances", True)
    for chances in round.chances:
        yield Line(f"- {_chances_text(match, round, chances)}")


def _start_text(match: Match[O, P], round: RoundReport[O, P]) -> str:
    names = match.names
    first, second = names[round.first - 1], names[opponent(round.first) - 1]
    if round.start is None:
        start = "the winner with best play is unknown"
    elif round.start.value is Value.DRAW:
        start = "with best play it is a draw"
    else:
        winner = first if round.start.value is Value.WIN else second
        start = f"with best play {winner} wins{_distance_text(round.start)}"
    return f"{first} began; {start}. {_end_text(match, round)}."


def _end_text(match: Match[O, P], round: RoundReport[O, P]) -> str:
    what = "game" if len(match.rounds) == 1 else "round"
    if round.resignation is not None:
        return _resignation_text(match.names, round)
    if round.winner is not None:
        return f"{match.names[round.winner - 1]} won in {counted(len(round.decisions), 'move')}"
    if round.how is RoundEnd.DRAWN:
        return f"The {what} was drawn"
    if round.how is RoundEnd.SETTLED:
        return f"The {what} was left because neither player could win it any more"
    return f"The {what} is not finished"


def _distance_text(score: Score) -> str:
    """Return `` in 7 moves``, or nothing if the distance is unknown."""
    return "" if score.plies is None else f" in {counted(score.plies, 'move')}"


def _grade_text(decision: Decision) -> str:
    before, after = decision.before, decision.after
    if decision.grade == FORCED:
        return "(the only move)"
    if before is None or after is None:
        return "(ungraded)"
    soon = _distance_text(after)
    if decision.grade == LOST:
        return "(lost already)" if after.plies is None else f"(lost already, {counted(after.plies, 'move')} to go)"
    if decision.grade == SLOWER:
        return f"kept the win{soon}, though {counted(before.plies or 0, 'move')} would have done"
    if decision.grade == KEPT:
        return f"kept the {after.value}{soon}"
    return f"threw away the {before.value}: now a {after.value}{soon}"


def _chances_text(match: Match[O, P], round: RoundReport[O, P], chances: Chances) -> str:
    name = match.names[chances.player - 1]
    resigned = None if round.resignation is None else round.resignation.player

    def when(found: LastChance) -> str:
        return f"was move {found.ply}, with {one_of(round.rules, found.moves)}"

    if round.winner == chances.player:
        if chances.winning_since is None:
            return f"{name} won; the move that made it certain is unknown."
        since = "the start" if chances.winning_since == 1 else f"move {chances.winning_since} on"
        return f"{name} won, and was winning from {since}."
    if resigned == opponent(chances.player):
        return f"{match.standing}."
    now = None if chances.now is None else chances.now.value
    if now is Value.WIN:
        return f"{name} is winning."
    left = _left_on_resigning(round, chances)
    when_left = f"after move {len(round.decisions)}" if round.decisions else "at the start"
    if left is Value.WIN:
        return f"{name} was still winning {when_left}."
    has_lost = round.winner is not None or resigned == chances.player or now is Value.LOSS
    said = []
    if chances.win is not None:
        said.append(f"to win {when(chances.win)}")
    if left is Value.DRAW:
        lost = f"{name}'s last chance {said[0]}; " if said else ""
        return f"{lost}{name} still had a draw {when_left}."
    if chances.draw is not None and chances.draw != chances.win and has_lost:
        said.append(f"to draw {when(chances.draw)}")
    if now is not None:
        standing = f"{name} is losing" if now is Value.LOSS else f"{name} has a draw with best play"
        return f"{standing}; the last chance {'; the last '.join(said)}." if said else f"{standing}."
    if said:
        return f"{name}'s last chance {'; the last '.join(said)}."
    if round.how is RoundEnd.UNFINISHED:
        return f"{name}'s chances are unknown."
    if any(decision.grade == UNGRADED for decision in round.decisions):
        return f"{name}'s chances are unknown."
    could = "neither win nor draw" if has_lost and match.game.rules.can_draw else "not win"
    return f"{name} could {could} at any point."


def _left_on_resigning(round: RoundReport[O, P], chances: Chances) -> Value | None:
    """Return the win or draw that a player gave up while the other was to move; None if it gave up neither."""
    resignation, turn = round.resignation, player_at(round.first, len(round.decisions))
    if resignation is None or resignation.player != chances.player or turn == chances.player:
        return None
    return resignation.threw


def _resignation_text(names: tuple[str, str], round: RoundReport[O, P]) -> str:
    assert round.resignation is not None
    player, score = round.resignation.player, round.resignation.score
    if score is None:
        return f"{names[player - 1]} {round.how}; the value of the position is unknown"
    soon = _distance_text(score)
    worth = {Value.WIN: f"won{soon}", Value.DRAW: "a draw with best play", Value.LOSS: f"lost{soon} against best play"}
    return f"{names[player - 1]} {round.how} when the position was {worth[score.value]}"


def _account_text(name: str, account: Account) -> str:
    counts = account.left_out
    left_out = joined([_LEFT_OUT_TEXTS[grade](counts[grade]) for grade in LEFT_OUT if counts[grade]])
    if not account.decisions:
        return f"{name} had no real choice" + (f": {left_out}." if left_out else ".")
    text = f"{name}: {in_per_cent(account.held, account.decisions)}. "
    text += f"{account.held} of {counted(account.decisions, 'choice')} kept the best result"
    if 0 < account.critical < account.decisions:
        errors = account.threw_win + account.threw_draw
        text += f"; {account.critical} could have gone wrong" + (f", and {errors} did" if errors else "")
    return f"{text}. Not graded: {left_out}." if left_out else f"{text}."


_LEFT_OUT_TEXTS: dict[Grade, Callable[[int], str]] = {
    FORCED: lambda number: counted(number, "forced move"),
    LOST: lambda number: f"{counted(number, 'move')} in {'a lost position' if number == 1 else 'lost positions'}",
    SETTLED: lambda number: f"{counted(number, 'move')} that could not change the result",
    UNGRADED: lambda number: f"{counted(number, 'unsolved move')}",
}
