"""Hints in four rungs: each request at the same position reveals a little more.

1. The standing: "You are winning."
2. The number of moves that keep it: "3 of 9 moves keep the win."
3. The region: "Look between 11 and 20."
4. The move, and how soon it ends the game: "Play 12: you win on your 3rd turn, counting this one."

Further requests repeat rung 4. A rung that would add nothing is skipped. ``hint_at`` returns any rung, ``Hints`` the
next one. ``explain_move`` returns the value of a move and the line of play that shows it.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, ClassVar, Generic

from parlour.errors import BadName, GameOver, TooBig
from parlour.fields import about, document, hidden
from parlour.game import Move, P, opponent
from parlour.limit import Limit, limit_of
from parlour.match import Match, check_match
from parlour.names import pair_of
from parlour.options import O
from parlour.rules import Rules
from parlour.score import Score, Value
from parlour.solver import Analysis, Choice, Solver
from parlour.study.words import line_in_words, on_turn, on_turn_from_now
from parlour.text import clip
from parlour.view import GRID
from parlour.writer import extend

HINT_SECONDS = 10.0  # time limit of a hint
STANDING, COUNT, REGION, MOVE = 1, 2, 3, 4  # the rungs
MIN_MOVES_FOR_REGION = 4  # with fewer legal moves a hint has no region


@document
class Hint:
    """One rung of a hint, with the facts of the rungs below; ``str`` returns its text. None: not revealed, or unknown.

    >>> import parlour
    >>> match = parlour.new_match("double-up", limit=30)
    >>> match.play_line("2 4 5")
    >>> hints = parlour.Hints(match)
    >>> while (hint := hints.hint()).move is None:
    ...     pass
    >>> hint.rung, hint.text, hint.plies
    (4, 'Play 6: you win on your 3rd turn, counting this one.', 5)
    """

    rules: Rules[Any, Any] = hidden()  # the rules of the round
    rung: int = about("the rung, from 1 to 4")
    text: str = about("the hint as text")
    value: Value = about("the value of the position for the player to move")
    legal: int | None = about("the number of legal moves")
    keeping: int | None = about("the number of legal moves that keep the value")
    region: str | None = about("the region of the board to look at")
    move: Move | None = about("the move to play")
    plies: int | None = about("the turns of both players until the end, from that move on")

    def __str__(self) -> str:
        return self.text


@document
class RankedMove(Choice):
    """The value of a move for the player who makes it."""

    WRITTEN: ClassVar[tuple[str, ...]] = ("move", "value", "keeps", "plies")

    keeps: bool = about("whether no other move is worth more")


@document
class Reason(RankedMove):
    """The value of a move, and the line of best play after it; ``str`` returns its text.

    >>> import parlour
    >>> match = parlour.new_match("double-up", limit=30)
    >>> match.play_line("2 4 5")
    >>> reason = parlour.Hints(match).why("10")
    >>> reason.value, reason.keeps, reason.line
    (<Value.LOSS: -1>, False, [14, 15, 30])
    """

    WRITTEN: ClassVar[tuple[str, ...]] = ("move", "value", "keeps", "*")

    rules: Rules[Any, Any] = hidden()  # the rules of the round
    line: list[Move] = about("best play after the move")
    text: str = about("the explanation as text")

    def __str__(self) -> str:
        return self.text


def hint_at(
    solver: Solver[O, P],
    match: Match[O, P],
    rung: int,
    limit: Limit | None = None,
    names: tuple[str, str] | None = None,
) -> Hint:
    """Return the hint at a rung, or at the next one that adds something; the solver is for the rules of this round.

    Raises:
        GameOver: the game is over.
        TooBig: there is no exact answer within the limit.
    """
    if not match.legal_moves:
        raise GameOver("the game is over: there is nothing to hint at")
    limit = limit_of(limit, HINT_SECONDS)
    position, other = match.position, (names or match.names)[opponent(match.turn) - 1]
    if rung <= STANDING:
        value = solver.value(position, limit)
        return _hint(match, STANDING, _standing(match, value, other), value)
    counts = rung == COUNT and len(match.legal_moves) > 1
    found = solver.analyse(position, limit, distances=not counts)
    value, choices, kept, best = found.score.value, found.choices, found.keeping, found.best
    known = _hint(match, COUNT, "", value, len(choices), len(kept))
    if counts:
        return replace(known, text=_count(solver, position, found, limit))
    if value is Value.LOSS and found.score.plies is None and len(choices) > 1:
        text = "Every move loses; there was no time to find out which holds out longest."
        return replace(known, rung=MOVE, text=text)
    # The region is that of the moves that keep the value, or of the best ones if all do.
    wanted = kept if value is not Value.LOSS and len(kept) < len(choices) else best
    is_useful = len(wanted) < len(choices) and len(choices) >= MIN_MOVES_FOR_REGION
    region = region_of(match, best[0]) if is_useful else None
    if region is not None:
        where, inside = region
        known = replace(known, region=where)
        if rung <= REGION:
            return replace(known, rung=REGION, text=_where(where, wanted, inside))
    chosen = next(choice for choice in choices if choice.move == best[0])
    text = _move(match, chosen, len(choices), all_equal=len(best) == len(choices))
    return replace(known, rung=MOVE, text=text, move=chosen.move, plies=chosen.plies)


def _hint(
    match: Match[O, P], rung: int, text: str, value: Value, legal: int | None = None, keeping: int | None = None
) -> Hint:
    return Hint(
        rules=match.rules,
        rung=rung,
        text=text,
        value=value,
        legal=legal,
        keeping=keeping,
        region=None,
        move=None,
        plies=None,
    )


class Hints(Generic[O, P]):
    """The hints of one match. Each reveals the next rung; after an action in the match they start again at the first.

    >>> import parlour
    >>> match = parlour.new_match("double-up", limit=30)
    >>> match.play_line("2 4 5")
    >>> hints = parlour.Hints(match)
    >>> print(hints.hint())
    You are winning.
    >>> print(hints.hint())
    1 of 5 moves keeps the win.
    >>> print(hints.why("10"))
    10 throws away the win: it loses after your 2nd turn, counting this one. Player 1: 14, Player 2: 15, ...
    """

    def __init__(self, match: Match[O, P], names: tuple[str, str] | None = None) -> None:
        """``names`` are the players' names in sentences, by default those of the match.

        Raises:
            ParlourError: this is not a match.
            BadName: the names are not two texts.
        """
        self.match = check_match(match)  # the match to study
        if names is not None and not all(isinstance(name, str) for name in pair_of(names)):
            raise BadName(f"bad names {clip(repr(names))}; a name is a text")
        self.names = None if names is None else pair_of(names)  # the names in the sentences; None: those of the match
        self._solver: Solver[O, P] | None = None  # for the round of the last question
        self._hinted_at = -1  # number of actions of the match at the last hint
        self._rung = 0

    def __repr__(self) -> str:
        return f"<Hints for {self.match!r}>"

    def hint(self, limit: Limit | None = None) -> Hint:
        """Return the next rung.

        Raises:
            GameOver: the game is over.
            TooBig: there is no exact answer within the limit; the next rung stays the same.
        """
        if not self.match.legal_moves:
            raise GameOver("the game is over: there is nothing to hint at")
        if self._hinted_at != len(self.match.log):
            self._hinted_at, self._rung = len(self.match.log), 0
        hint = hint_at(self._round_solver(), self.match, self._rung + 1, limit, self.names)
        self._rung = hint.rung
        return hint

    def why(self, move: int | str, limit: Limit | None = None) -> Reason:
        """Return the value of a legal move, given as a number or by name.

        Raises:
            UnreadableMove, IllegalMove, GameOver: the move may not be played.
            TooBig: there is no exact answer within the limit.
        """
        solver = self._round_solver()
        return explain_move(solver, self.match, self.match.check_move(move), limit, self.names)

    def _round_solver(self) -> Solver[O, P]:
        if self._solver is None or self._solver.rules != self.match.rules:
            self._solver = Solver(self.match.rules)
        return self._solver


def _standing(match: Match[O, P], value: Value, other: str) -> str:
    if value is Value.WIN:
        return "You are winning."
    if value is Value.LOSS:
        return f"You are losing, unless {other} makes a mistake."
    in_rounds = match.rules.max_rounds is not None
    if match.rules.settled(match.position):
        return f"Neither player can win this {'round' if in_rounds else 'game'}."
    return f"With best play this {'round ' if in_rounds else ''}is a draw."


def _count(solver: Solver[O, P], position: P, found: Analysis, limit: Limit) -> str:
    value, kept, number = found.score.value, len(found.keeping), len(found.choices)
    if kept < number:
        return f"{kept:,} of {number:,} moves {'keeps' if kept == 1 else 'keep'} the {value}."
    if value is Value.DRAW:
        return f"{_all(number)} keep the draw: you cannot go wrong here."
    every = f"{_all(number)} {'lose' if value is Value.LOSS else 'win'}"
    with suppress(TooBig):  # the values are known without the distances
        found = solver.analyse(position, limit)
    best = len(found.best)
    if found.score.plies is None:
        return f"{every}."
    if best == number:
        return f"{every}, equally fast."
    most = "holds out longest" if value is Value.LOSS else "is the quickest"
    if best > 1:
        most = "hold out longest" if value is Value.LOSS else "are the quickest"
    return f"{every}; {best:,} of them {most}."


def _all(number: int) -> str:
    return "Both moves" if number == 2 else f"All {number:,} moves"


def region_of(match: Match[O, P], move: int) -> tuple[str, list[int]] | None:
    """Return the name of a region of the board around a move, and the moves in it; None if there is no region.

    On a grid the region is a row, elsewhere half of the moves.
    """
    legal = match.legal_moves
    for group in match.rules.view(match.moment):
        if group.shape == GRID:
            for number, row in enumerate(group.rows, 1):
                inside = [tile.move for tile in row if tile.move is not None and tile.move in legal]
                if move in inside:
                    return (f"in row {number}", inside) if len(inside) > 1 else None
    middle = len(legal) // 2
    half = legal[:middle] if legal.index(move) < middle else legal[middle:]
    first, last = match.rules.spoken((half[0], half[-1]))
    if len(half) < 2:
        return None
    return f"{first} or {last}" if len(half) == 2 else f"between {first} and {last}", list(half)


def _where(region: str, wanted: Sequence[int], inside: Sequence[int]) -> str:
    if " or " in region:
        return f"Try {region}."
    if len(wanted) == 1:
        return f"Look {region}."
    return f"{'They are all' if set(wanted) <= set(inside) else 'One of them is'} {region}."


def _move(match: Match[O, P], choice: Choice, number: int, *, all_equal: bool) -> str:
    """Return the text of rung 4; ``number`` is that of the legal moves, ``all_equal`` whether all are equally good."""
    (name,) = match.rules.spoken([choice.move])
    play = f"Play {name}:" if number > 1 else f"{name} is your only move:"
    if all_equal and number > 1:
        play = f"All moves are equally good. Play {name}, for instance:"
    if choice.value is Value.DRAW:
        return f"{play} it keeps the draw."
    wins = choice.value is Value.WIN
    if choice.plies is None:
        known = "keeps the win. There was no time to find out how soon it wins" if wins else "loses"
        return f"{play} it {known}."
    soon = on_turn_from_now(choice.plies)
    if not wins and number > 1 and not all_equal:
        return f"{play} it holds out longest; you lose{soon}."
    if choice.plies == 1:
        return f"{play} it {'wins' if wins else 'loses'}{soon}."
    return f"{play} you {'win' if wins else 'lose'}{soon}."


def explain_move(
    solver: Solver[O, P],
    match: Match[O, P],
    move: Move,
    limit: Limit | None = None,
    names: tuple[str, str] | None = None,
) -> Reason:
    """Return the value of a legal move and best play after it; the solver is for the rules of this round.

    Raises:
        TooBig: the value is not found within the limit.
    """
    limit = limit_of(limit, HINT_SECONDS)
    found = solver.analyse(match.position, limit)
    after = match.rules.after(match.position, move)
    line: list[Move] = []
    with suppress(TooBig):  # the value is known without the line
        line = solver.line(after, limit)
    chosen, best = next(choice for choice in found.choices if choice.move == move), found.score
    (name,) = match.rules.spoken([move])
    verdict = _verdict(name, chosen.score, best, len(found.choices))
    proof = f"{line_in_words(match.rules, names or match.names, opponent(match.turn), after, line)}." if line else ""
    text = f"{verdict} {proof}".rstrip()
    return extend(Reason, chosen, rules=match.rules, keeps=chosen.value == best.value, line=line, text=text)


def _verdict(name: str, chosen: Score, best: Score, number: int) -> str:
    """Return the value of a move as a sentence; ``number`` is that of the legal moves."""
    soon = "" if chosen.plies is None else on_turn_from_now(chosen.plies)
    outcome = {Value.WIN: f"wins{soon}", Value.DRAW: "only draws", Value.LOSS: f"loses{soon}"}[chosen.value]
    if chosen.value != best.value:
        return f"{name} throws away the {best.value}: it {outcome}."
    if chosen.value is Value.DRAW:
        return f"{name} keeps the draw."
    better = "" if best == chosen or best.plies is None else on_turn(best.plies)
    if chosen.value is Value.WIN:
        quickest = f"; the quickest move wins{better}" if better else ""
        return f"{name} keeps the win: it {outcome}{quickest}."
    if number == 1:
        return f"{name} {outcome}, and it is the only move."
    longest = f"; the one that holds out longest loses{better}" if better else ""
    return f"{name} {outcome}. {_all(number)} lose here{longest}."
