"""Strategies and certificates: files that prove the value of a position and that anybody can check.

A strategy has one side's move in every position that it can reach. Its file is text. The first line states the claim:
in this game, under these options, after these moves, this side wins (or holds the draw) in at most N plies. Each
further line has a position in which that side is to move, and its move there. A strategy may merge positions with the
same canonical form. One that merges nothing is longer and simpler to check; ``verifier/`` checks only these.

A check plays the strategy against all replies: every position must have a line, every move must be legal, every game
must end as claimed, and every line must be needed. It needs no search and no position table.

A certificate proves a won position by a strategy of the winner, and a draw by one strategy for each side. It merges
nothing.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from time import time
from typing import Generic, NamedTuple

from parlour.catalog import find_game
from parlour.errors import BadStrategy, GameOver, ParlourError
from parlour.game import Game, P, opponent, player_at
from parlour.limit import Limit, limit_of, limit_within
from parlour.match import Match
from parlour.options import O, OptionValue
from parlour.rules import Rules, read_rules, show_position
from parlour.score import Value
from parlour.solver.solver import Solver
from parlour.study.puzzle import ScoreOf, best_move
from parlour.subject import rules_and_moves
from parlour.text import clip, counted
from parlour.version import __version__
from parlour.view import PLAYERS, PlayerNumber
from parlour.writer import utc

KIND, FORMAT = "parlour strategy", 1
MAX_CHARACTERS = 100_000_000


class Claim(NamedTuple):
    """The claim of a strategy."""

    value: Value  # WIN, or DRAW for at least a draw
    plies: int | None  # maximum length from the start of the strategy; None: any length


@dataclass(frozen=True)
class Strategy(Generic[O, P]):
    """The moves of one side in every position that it can reach."""

    rules: Rules[O, P]
    moves: tuple[int, ...]  # moves from the start of the game to the start of the strategy
    side: PlayerNumber  # player of the strategy; player 1 begins the game
    claim: Claim
    answers: Mapping[P, int]  # move for each position
    notes: Mapping[str, str]  # author, date and other remarks
    merged: bool = True  # whether positions are canonical forms

    @property
    def start(self) -> P:
        """The position at the start of the strategy."""
        return self.rules.position_after(self.moves)


def write_strategy(strategy: Strategy[O, P]) -> str:
    """Return a strategy as the text of a file."""
    rules = strategy.rules
    head = {
        "kind": KIND,
        "format": FORMAT,
        "game": rules.game.key,
        "version": rules.game.version,
        "options": rules.option_texts,
        "moves": rules.names(strategy.moves),
        "side": strategy.side,
        "value": strategy.claim.value.word,
        "plies": strategy.claim.plies,
        "positions": len(strategy.answers),
        "merged": (rules.game.content.counted_once or "nothing but equal positions") if strategy.merged else "",
        "notes": dict(strategy.notes),
    }
    lines = (f"{show_position(position)} {rules.name(move)}" for position, move in sorted(strategy.answers.items()))
    return "\n".join([json.dumps(head, ensure_ascii=False), *lines, ""])


def read_strategy(text: str) -> Strategy:
    """Return the strategy in a text, without checking its claim.

    Raises:
        BadStrategy: the text holds no strategy, or several.
    """
    strategies = read_strategies(text)
    if len(strategies) != 1:
        raise BadStrategy(f"bad strategy: there are {len(strategies)} in this file, and one is wanted")
    return strategies[0]


def read_strategies(text: str) -> list[Strategy]:
    """Return the strategies of a text; BadStrategy if it holds none."""
    if len(text) > MAX_CHARACTERS:
        raise BadStrategy(f"bad strategy: longer than {MAX_CHARACTERS:,} characters")
    lines = text.splitlines() or [""]
    strategies, begin = [], 0
    while begin < len(lines):
        strategy = _read(lines, begin)
        strategies.append(strategy)
        begin += 1 + len(strategy.answers)
    return strategies


def _read(every_line: list[str], begin: int) -> Strategy:
    """Return the strategy that begins at a line."""
    first, lines = every_line[begin], every_line[begin + 1 :]
    here = "the first line" if begin == 0 else f"line {begin + 1}"
    try:
        head = json.loads(first)
        if not isinstance(head, dict) or head.get("kind") != KIND:
            raise BadStrategy(f'bad strategy: {here} must be a JSON object with "kind": "{KIND}"')
        if head["format"] != FORMAT:
            raise BadStrategy(f"bad strategy: format {clip(str(head['format']))}, and this Parlour reads {FORMAT}")
        rules = _rules(head)
        moves, position = [], rules.start
        for name in head["moves"]:
            move = rules.read(position, name)
            moves.append(move)
            position = rules.play(position, move)
        side, plies, value = head["side"], head["plies"], Value.read(str(head["value"]))
        if value is Value.LOSS:
            raise BadStrategy("bad strategy: a loss needs no proof; claim a win or a draw")
        notes = {str(name): str(note) for name, note in head.get("notes", {}).items()}
        if type(head["side"]) is not int or side not in (1, 2):
            raise BadStrategy('bad strategy: "side" is 1 or 2')
        if plies is not None and (type(plies) is not int or plies < 0):
            raise BadStrategy('bad strategy: "plies" is a number or null')
        merged, count = bool(head["merged"]), head["positions"]
        if type(count) is not int or not 0 <= count <= len(lines):
            raise BadStrategy(
                f"bad strategy: {len(lines)} lines follow, but {clip(str(head['positions']))} are claimed"
            )
    except (json.JSONDecodeError, RecursionError):
        raise BadStrategy(f"bad strategy: {here} cannot be read: it is not JSON") from None
    except (KeyError, TypeError, AttributeError) as error:
        raise BadStrategy(f"bad strategy: {here} cannot be read: {clip(str(error))}") from None
    answers = {}
    for number, line in enumerate(lines[:count], begin + 2):
        token, _, name = line.partition(" ")
        try:
            position = rules.position(map(int, token.split(".")))
            move = rules.read(position, name)
        except (ParlourError, ValueError, OverflowError, IndexError) as error:
            raise BadStrategy(f"bad strategy: line {number}: {clip(str(error))}") from None
        if position in answers:
            raise BadStrategy(f"bad strategy: line {number} has a position that came before")
        answers[position] = move
    return Strategy(rules, tuple(moves), side, Claim(value, plies), answers, notes, merged)


def _rules(head: dict[str, object]) -> Rules:
    """Return the rules of a strategy from the head of its file."""
    options = head["options"]
    if not isinstance(options, dict):
        raise BadStrategy('bad strategy: "options" must be an object')
    rules = read_rules(find_game(str(head["game"])), {str(name): str(text) for name, text in options.items()})
    if head["version"] != rules.game.version:
        raise BadStrategy(
            f"bad strategy: made for version {clip(str(head['version']))} of {rules.game.title}, "
            f"and this is version {rules.game.version}"
        )
    return rules


class Checked(NamedTuple):
    """The size of a strategy that was checked."""

    positions: int  # positions in which the strategy moved
    replies: int  # replies tried against it
    plies: int  # length of the longest game


def check_strategy(strategy: Strategy[O, P], limit: Limit | None = None) -> Checked:
    """Play a strategy against all replies; BadStrategy, with the reason, if its claim is wrong."""
    rules, answers, claim = strategy.rules, strategy.answers, strategy.claim
    limit = limit_of(limit)
    form: Callable[[P], P] = rules.canonical if strategy.merged else lambda position: position
    start = form(strategy.start)
    mine = len(strategy.moves) % 2 == strategy.side - 1
    longest: dict[tuple[P, bool], int] = {}  # plies to the end, by position and whether this side is to move
    needed: set[P] = set()
    replies = 0
    todo: list[tuple[P, bool]] = [(start, mine)]
    while todo:  # depth first, without recursion
        position, turn = here = todo[-1]
        if here in longest:
            todo.pop()
            continue
        if rules.is_over(position):
            value = Value.of_result(rules.result(position))
            value = value if turn else value.for_opponent()
            if value < claim.value:
                raise BadStrategy(f"the claim is wrong: a game ends with a {value} at {show_position(position)}")
            longest[here] = 0
            continue
        if turn:
            if position not in answers:
                raise BadStrategy(f"the strategy has no move for {show_position(position)}")
            needed.add(position)
            after = [rules.play(position, answers[position])]
        else:
            after = [rules.after(position, move) for move in rules.legal(position)]
        follows = [(form(each), not turn) for each in after]
        missing = [each for each in follows if each not in longest]
        if missing:
            replies += 0 if turn else len(follows)
            limit.spend(len(follows))
            limit.check()
            todo += missing
            continue
        longest[here] = 1 + max(longest[each] for each in follows)
    if len(needed) < len(answers):
        extra = len(answers) - len(needed)
        raise BadStrategy(f"the strategy has {counted(extra, 'position')} that no game reaches")
    plies = longest[start, mine]
    if claim.plies is not None and plies > claim.plies:
        raise BadStrategy(f"the claim is wrong: a game lasts {plies} turns, but {claim.plies} are claimed")
    return Checked(len(needed), replies, plies)


# Certificates.


def certify(
    rules: Rules[O, P],
    moves: Sequence[int],
    score: ScoreOf[P],
    notes: dict[str, str] | None = None,
    limit: Limit | None = None,
) -> list[Strategy[O, P]]:
    """Return the strategies that prove the value of the position after some moves: one, or two for a draw.

    They play the quickest wins, and the lowest of equal moves.
    """
    start, mover, limit = rules.position_after(moves), player_at(1, len(moves)), limit_of(limit)
    worth = score(start)
    if worth.value is Value.DRAW:
        sides = [(player, Claim(Value.DRAW, None)) for player in PLAYERS]
    else:
        winner = mover if worth.value is Value.WIN else opponent(mover)
        sides = [(winner, Claim(Value.WIN, worth.plies))]
    strategies = []
    for side, claim in sides:
        answers: dict[P, int] = {}
        seen: set[P] = set()  # positions with the other side to move
        todo = [(start, mover == side)]
        while todo:
            position, mine = todo.pop()
            if rules.is_over(position) or position in (answers if mine else seen):
                continue
            limit.spend(1)
            limit.check()
            if mine:
                move = answers[position] = best_move(rules, position, score)
                todo.append((rules.after(position, move), False))
            else:
                seen.add(position)
                todo += [(rules.after(position, move), True) for move in rules.legal(position)]
        strategies.append(Strategy(rules, tuple(moves), side, claim, answers, notes or {}, merged=False))
    return strategies


def claim_in_words(strategies: Sequence[Strategy[O, P]], limit: Limit | None = None) -> str:
    """Check a certificate and return its claim as text; BadStrategy, with the reason, if it proves nothing."""
    limit = limit_of(limit)
    if len({(each.rules, each.moves) for each in strategies}) != 1:
        raise BadStrategy("a certificate is about one position")
    checked = [check_strategy(each, limit) for each in strategies]
    first = strategies[0]
    after = f" after {' '.join(first.rules.names(first.moves))}" if first.moves else ""
    where, positions = f"{first.rules.title}{after}", sum(each.positions for each in checked)
    if len(strategies) == 1 and first.claim.value is Value.WIN:
        return f"{where}: Player {first.side} wins, in {checked[0].plies} turns at most ({positions:,} positions)"
    if sorted(each.side for each in strategies) == [1, 2] and all(
        each.claim.value is Value.DRAW for each in strategies
    ):
        return f"{where}: a draw, each side can hold it ({positions:,} positions)"
    raise BadStrategy("only one side is shown to hold the draw; a draw needs both")


def write_certificate(
    what: str | Game[O, P] | Rules[O, P] | Match[O, P],
    limit: Limit | None = None,
    /,
    *,
    seconds: float | None = None,
    **options: OptionValue,
) -> str:
    """Return a certificate: a text that proves the value of a match's position, or of the start of a game.

    A game and its options are as in ``new_match``. ``check_certificate`` checks a certificate. So does ``verifier/``,
    which shares no code with Parlour.

    Raises:
        UnknownGame: there is no such game.
        BadOptions: these options make no game, or come with a match.
        GameOver: the game is over, so there is nothing to prove.
        TooBig: there is no proof within the limit.

    >>> import parlour
    >>> print(parlour.check_certificate(parlour.write_certificate("double-up", limit=20)))
    Double Up: limit=20: Player 2 wins, in 6 turns at most (14 positions)
    """
    limit = limit_within(limit, seconds)
    rules, moves = rules_and_moves(what, options)
    if rules.is_over(rules.position_after(moves)):
        raise GameOver("the game is over: there is nothing to prove")
    solver = Solver(rules)
    notes = {"by": f"Parlour {__version__}", "date": utc(time())[:10]}
    strategies = certify(rules, moves, lambda position: solver.score(position, limit), notes, limit)
    return "".join(map(write_strategy, strategies))


def check_certificate(text: str, limit: Limit | None = None, *, seconds: float | None = None) -> str:
    """Return the proved claim of a certificate as text.

    Raises:
        BadStrategy: it is not a text, or its claim is not proved.
        TooBig, Cancelled: the limit is used up before the end of the check.

    >>> import parlour
    >>> print(parlour.check_certificate(parlour.write_certificate("double-up", limit=30)))
    Double Up: limit=30: Player 1 wins, in 7 turns at most (23 positions)
    """
    if not isinstance(text, str):
        raise BadStrategy(f"a certificate is a text, not {clip(repr(text))}")
    return claim_in_words(read_strategies(text), limit_within(limit, seconds))
