"""A strategy as a file that anybody can check: what one side plays against every reply.

The file is text. Its first line says what is claimed: in this game, under these options, after these moves, this side
wins (or holds the draw), in so many plies at most. Each further line has a position in which that side is to move, and
its move there. A strategy may count positions with the same future as one, as the game's file says, or merge nothing,
which is longer, and simpler to check for somebody who trusts nobody: ``verifier/`` does. To check a claim one plays the
strategy against all replies: every position must have its line, every move must be legal, every game must end as
claimed, and every line must have been needed. No search and no table is wanted for that.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, NamedTuple

from parlour.catalog import find_game
from parlour.errors import BadStrategy, ParlourError
from parlour.game import P
from parlour.limit import Limit, limit_of
from parlour.options import O
from parlour.rules import Rules, read_rules, show_position
from parlour.score import Value, ValueWord
from parlour.text import clip, counted
from parlour.view import PlayerNumber

KIND, FORMAT = "parlour strategy", 1
MOST_CHARACTERS = 100_000_000


class Claim(NamedTuple):
    """What a strategy is to prove."""

    value: Value  # WIN, or DRAW: at least that
    plies: int | None  # in which it is done at most, counted from where it begins; None: however long it takes


@dataclass(frozen=True)
class Strategy(Generic[O, P]):
    """What one side plays in every position that it can come to."""

    rules: Rules[O, P]
    moves: tuple[int, ...]  # that lead to where it begins
    side: PlayerNumber  # who plays it: 1 for the player who begins the game
    claim: Claim
    answers: Mapping[P, int]  # a move for each position
    notes: Mapping[str, str]  # who made it, when, and whatever else is worth knowing
    merged: bool = True  # a position stands for all with the same future

    @property
    def start(self) -> P:
        """The position where it begins."""
        return self.rules.position_after(self.moves)


def write_strategy(strategy: Strategy[O, P]) -> str:
    """A strategy as the text of a file."""
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
    """The strategy that a text has; BadStrategy if it has none. Whether it proves its claim is for `check_strategy`."""
    strategies = read_strategies(text)
    if len(strategies) != 1:
        raise BadStrategy(f"bad strategy: there are {len(strategies)} in this file, and one is wanted")
    return strategies[0]


def read_strategies(text: str) -> list[Strategy]:
    """The strategies that a text has, one after the other; BadStrategy if it has none."""
    if len(text) > MOST_CHARACTERS:
        raise BadStrategy(f"bad strategy: longer than {MOST_CHARACTERS:,} characters")
    lines = text.splitlines() or [""]
    strategies, begin = [], 0
    while begin < len(lines):
        strategy = _read(lines, begin)
        strategies.append(strategy)
        begin += 1 + len(strategy.answers)
    return strategies


def _read(every: list[str], begin: int) -> Strategy:
    """The strategy that begins at a line."""
    first, lines = every[begin], every[begin + 1 :]
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
        side, plies, value = head["side"], head["plies"], _value(head["value"])
        notes = {str(name): str(note) for name, note in head.get("notes", {}).items()}
        if (
            type(head["side"]) is not int
            or side not in (1, 2)
            or not (plies is None or (type(plies) is int and plies >= 0))
        ):
            raise BadStrategy('bad strategy: "side" is 1 or 2, and "plies" a number or null')
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
    """The rules that a strategy is for."""
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


def _value(word: ValueWord) -> Value:
    value = Value.read(str(word))
    if value is Value.LOSS:
        raise BadStrategy("bad strategy: nothing has to be proved to lose; a win or a draw")
    return value


def _as_it_is(position: P) -> P:
    return position


class Checked(NamedTuple):
    """What checking a strategy came to."""

    positions: int  # in which it was asked for its move
    replies: int  # that were tried against it
    plies: int  # of the longest game


def check_strategy(strategy: Strategy[O, P], limit: Limit | None = None) -> Checked:
    """Play a strategy against all replies; BadStrategy, with the reason, if it does not do what it claims."""
    rules, answers, claim = strategy.rules, strategy.answers, strategy.claim
    limit = limit_of(limit)
    form = rules.canonical if strategy.merged else _as_it_is
    start = form(strategy.start)
    mine = len(strategy.moves) % 2 == strategy.side - 1
    longest: dict[tuple[P, bool], int] = {}  # plies to the end, by position and whose turn it is
    needed: set[P] = set()
    replies = 0
    todo: list[tuple[P, bool]] = [(start, mine)]
    while todo:  # deep first, without recursion
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
        raise BadStrategy(f"the strategy has {counted(extra, 'position')} that no game comes to")
    plies = longest[start, mine]
    if claim.plies is not None and plies > claim.plies:
        raise BadStrategy(f"the claim is wrong: a game lasts {plies} turns, and {claim.plies} are claimed")
    return Checked(len(needed), replies, plies)
