"""What is known about a game under its options, in words a player understands.

Everything is exact but what is said to be a sample: how players fare who pick their moves at random, and where chance
has a part, which deals were looked at. A sample comes from a seed and is the same each time.
"""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import groupby
from random import Random
from time import monotonic
from typing import Any, NamedTuple

from parlour import referee
from parlour.errors import TooBig
from parlour.game import MOVER_LOSES, NO_CAP, ONGOING, AnyGame
from parlour.options import declared, left_to_chance, show_options
from parlour.rules import Rules
from parlour.solver import Choice, Standing
from parlour.study.oracle import DRAW, LOSS, WIN, WORTH, Oracle, best_value, holding
from parlour.study.words import counted, drawn_round, listed, plies, sentence, share
from parlour.view import spell

SECONDS = 30.0  # that one question may take
SAMPLING = 4  # as many times that much for all questions about random games together
GAMES = 30  # random games that are looked at
DEALS = 300  # where something is dealt: deals that are looked at
MANY_GROUPS = 8  # of first moves before they are put together
EDGES = 200_000  # moves that are followed to list the lost positions
LAST_WORDS = "Good to know"  # the heading in a game's rules under which its errata stand


class Line(NamedTuple):
    """A heading, a paragraph, or an item that begins with ``- ``; an empty one separates parts."""

    text: str
    strong: bool = False  # a heading


class Opening(NamedTuple):
    """The first position with a choice, and what its moves are worth."""

    forced: list[int]  # moves without a choice before it
    choices: list[Choice]  # without plies where these are not known; none: there is never a choice


class Chance(NamedTuple):
    """What happened when both players picked at random."""

    games: int
    lengths: list[int]  # plies of each game
    decisions: int  # turns with more than one move, in a position not lost and not settled
    critical: int  # of these: some move would have thrown value away
    errors: int  # of the critical ones: the move picked did
    graded: bool  # the three above are known


class Deals(NamedTuple):
    """What the first round is worth for the player who begins it, over a sample of deals."""

    deals: int
    settled: int  # nobody can win, whatever is played
    values: dict[str, int]  # of the others


def explain(
    game: AnyGame,
    options: Any,
    *,
    seed: str = "1",
    seconds: float = SECONDS,
    games: int = GAMES,
    deals: int = DEALS,
    progress: Callable[[int], None] | None = None,
) -> Iterator[Line]:
    """All there is to say, part by part, as it is found out."""
    chosen = show_options(options)
    undealt = [name for name in left_to_chance(game.options) if not chosen[name]]
    said = ", ".join(f"{name.replace('_', '-')} {text}" for name, text in chosen.items() if text)
    yield Line(game.title + (f", {said}" if said else ""), True)
    yield Line(Rules(game, options).summary)
    if game.bounds(options) is None:
        yield from _endless(game, options)
    elif undealt:
        yield from _dealt(game, options, undealt, seed, seconds, games, deals, progress)
    else:
        yield from _solved(game, options, seed, seconds, games, progress)
    yield from _good_to_know(game)


# A game that is given in full.


def _solved(
    game: AnyGame, options: Any, seed: str, seconds: float, games: int, progress: Callable[[int], None] | None
) -> Iterator[Line]:
    oracle = Oracle(game, options, seconds, progress)
    yield Line("")
    yield Line("Who wins", True)
    start = game.start(options)
    if game.settled(options, start):
        yield Line(f"Nobody can win this {_what(game, options)}, whatever is played.")
        if game.rounds(options) is not None:
            yield Line(drawn_round(game, options))
        return
    value, opening = None, None
    with suppress(TooBig):
        value = oracle.value(start)
        opening = find_opening(oracle)  # first, because it makes the distance of the start cheap
    yield from _who_wins(oracle, value)
    yield Line("")
    yield from _first_moves(oracle, opening)
    yield Line("")
    yield Line("How easily it goes wrong", True)
    yield from _told_chance(play_at_random([oracle], games, seed, seconds * SAMPLING), seed)
    if game.theory is not None:
        yield Line("")
        yield from _secret(game, options, oracle)


def _what(game: AnyGame, options: Any) -> str:
    return "round" if game.rounds(options) is not None else "game"


def _who_wins(oracle: Oracle, value: str | None) -> Iterator[Line]:
    game, options = oracle.game, oracle.options
    start, what = game.start(options), _what(game, options)
    if value is None:
        yield Line(f"That is not known: the {what} is too big to be solved in this time, and Parlour does not guess.")
        yield Line("What would do: smaller options, more --seconds, or Parlour's extra fast, if it is not installed.")
        return
    standing, line = Standing(value, None), list[int]()
    with suppress(TooBig):
        standing = oracle.standing(start)
        line = oracle.line(start)
    if standing.value == DRAW:
        yield Line(f"Nobody, with best play: the {what} is a draw.")
    else:
        winner = "The player who begins" if standing.value == WIN else "The player who does not begin"
        soon = "; how soon was not found out in this time"
        if standing.plies is not None:
            soon = f", in {plies(standing.plies)}"
        yield Line(f"{winner} wins with best play{soon}. A ply is one player's turn, a pass included.")
    if line:
        names = " ".join(referee.name_move(game, options, move) for move in line)
        yield Line(f"One line of best play: {names}")
    if game.rounds(options) is not None and standing.value == DRAW:
        yield Line(drawn_round(game, options))


def find_opening(oracle: Oracle) -> Opening:
    """The first position that offers a choice, after the moves that are forced; TooBig if its moves are."""
    game, options = oracle.game, oracle.options
    position, forced = game.start(options), list[int]()
    while len(legal := referee.legal_moves(game, options, position)) == 1:
        forced.append(legal[0])
        position = game.play(options, position, legal[0])
    return Opening(forced, oracle.judged(position))


def _first_moves(oracle: Oracle, opening: Opening | None) -> Iterator[Line]:
    game, options = oracle.game, oracle.options
    yield Line("First moves", True)
    if opening is None:
        yield Line("What each of them is worth could not be found out in this time.")
        return
    if not opening.choices:
        yield Line("There is never a choice: every move of the game is forced.")
        return
    choices = opening.choices
    if opening.forced:
        names = " ".join(referee.name_move(game, options, move) for move in opening.forced)
        one = len(opening.forced) == 1
        begins = f"The first {'move is' if one else f'{len(opening.forced)} moves are'} forced: {names}. "
        yield Line(begins + f"After {'it' if one else 'them'} the next player has {counted(len(choices), 'move')}:")
    else:
        yield Line(f"The {counted(len(choices), 'first move')}, by what they are worth:")
    for text, moves in grouped(choices):
        yield Line(f"- {text}: {listed(game, options, moves)}")
    lost = len(choices) - len(holding(choices))
    if best_value(choices) == LOSS:
        yield Line("So there is nothing to go wrong yet: they all lose.")
    elif lost == 0:
        yield Line("So nothing can go wrong yet: a player who picks at random is as well off as any other.")
    else:
        yield Line(f"So a player who picks the first move at random goes wrong {_in_words(lost, len(choices))}.")


def _in_words(part: int, whole: int) -> str:
    times = "once" if part == 1 else f"{part:,} times"
    return f"{times} out of {whole:,} ({share(part, whole)})"


def grouped(choices: list[Choice]) -> list[tuple[str, list[int]]]:
    """The moves by value, the best first, and by distance as long as that does not make too many groups."""

    def order(choice: Choice) -> tuple[int, int]:
        hurry = choice.plies or 0
        return -WORTH[choice.value], hurry if choice.value == WIN else -hurry

    ordered = sorted(choices, key=order)
    parts = [list(part) for _, part in groupby(ordered, key=order)]
    if len(parts) > MANY_GROUPS:
        parts = [list(part) for _, part in groupby(ordered, key=lambda choice: choice.value)]
    groups = []
    for part in parts:
        distances = sorted({choice.plies for choice in part if choice.plies is not None})
        verb = {WIN: "win", DRAW: "draw", LOSS: "lose"}[part[0].value]
        if len(distances) == 1:
            verb += f" in {plies(distances[0])}"
        elif distances:
            verb += f" in {distances[0]} to {distances[-1]} plies"
        groups.append((verb, sorted(choice.move for choice in part)))
    return groups


# Players who pick at random.


def play_at_random(oracles: Sequence[Oracle], games: int, seed: str, seconds: float) -> Chance:
    """Let two players pick at random, one game after the other, the oracles by turns.

    What they play is graded as long as every position is solved, and all of them together in so many seconds.
    """
    random, deadline = Random(f"{seed} explain"), monotonic() + seconds
    lengths: list[int] = []
    decisions = critical = errors = 0
    graded = True
    for number in range(games):
        oracle = oracles[number % len(oracles)]
        game, options = oracle.game, oracle.options
        position, length = game.start(options), 0
        while game.result(options, position) == ONGOING:
            legal = referee.legal_moves(game, options, position)
            move = legal[random.randrange(len(legal))]
            graded = graded and monotonic() <= deadline
            if graded and len(legal) > 1 and not game.settled(options, position):
                try:
                    value = oracle.value(position)
                    if value != LOSS:
                        wrong = oracle.worth(position, move) != value
                        decisions += 1
                        errors += wrong
                        critical += wrong or any(oracle.worth(position, other) != value for other in legal)
                except TooBig:
                    graded = False
            position, length = game.play(options, position, move), length + 1
        lengths.append(length)
    return Chance(games, lengths, decisions, critical, errors, graded)


def _told_chance(chance: Chance, seed: str) -> Iterator[Line]:
    sample = f"In {counted(chance.games, 'game')} between two players who pick at random (a sample, seed {seed})"
    if not chance.graded:
        yield Line(f"{sample} not every position could be solved in this time, so their mistakes are not counted.")
    elif not chance.decisions:
        yield Line(f"{sample} there was not one real decision: only forced moves, and positions already lost.")
    elif not chance.critical:
        yield Line(f"{sample} there were {counted(chance.decisions, 'real decision')}, and no way to go wrong at any.")
    else:
        yield Line(
            f"{sample} {chance.critical:,} of {counted(chance.decisions, 'real decision')} were critical "
            f"({share(chance.critical, chance.decisions)}): some move would have thrown a win or a draw away. "
            f"Picking at random did so at {chance.errors:,} of them ({share(chance.errors, chance.critical)})."
        )
    least, most = min(chance.lengths), max(chance.lengths)
    average = sum(chance.lengths) / len(chance.lengths)
    yield Line(
        f"Those games took {plies(least)} each." if least == most
        else f"Those games took {least} to {most} plies, {average:.1f} on average."
    )  # fmt: skip


# The secret.


def _secret(game: AnyGame, options: Any, oracle: Oracle) -> Iterator[Line]:
    words = inspect.getdoc(game.theory) or ""
    yield Line("The secret", True)
    yield Line(sentence(" ".join(words.split("\n\n")[0].split()).removeprefix("The secret: ")))
    lost = lost_positions(game, options)
    if lost is not None:
        yield Line(f"Lost for the player who must move from them: {spell(lost)}")
        return
    start = game.start(options)
    if len(start) == 1:  # too many to look at each: at least those that best play visits
        visited, position = [start], start
        for move in oracle.line(start):
            position = game.play(options, position, move)
            visited.append(position)
        found = [position[0] for position in visited if oracle.value(position) == LOSS]
        yield Line(f"Best play visits these, lost for the player who must move from them: {spell(found)}")


def lost_positions(game: AnyGame, options: Any) -> list[int] | None:
    """All positions that are lost for the player to move, where a position is one number and there are not too many."""
    start = game.start(options)
    if game.theory is None or len(start) != 1:
        return None
    found, ahead, edges = {start}, [start], 0
    while ahead:
        position = ahead.pop()
        legal = referee.legal_moves(game, options, position)
        edges += len(legal)
        if edges > EDGES:
            return None
        following = {game.play(options, position, move) for move in legal} - found
        found |= following
        ahead += following
    return sorted(position[0] for position in found if game.theory(options, position)[0] == MOVER_LOSES)


# Where chance has a part.


def look_at_deals(oracles: Sequence[Oracle]) -> Deals:
    """What each of these rounds is worth for the player who begins it."""
    values, settled = Counter[str](), 0
    for oracle in oracles:
        start = oracle.game.start(oracle.options)
        if oracle.game.settled(oracle.options, start):
            settled += 1
        else:
            values[oracle.value(start)] += 1
    return Deals(len(oracles), settled, {value: values[value] for value in (WIN, DRAW, LOSS)})


def _dealt(
    game: AnyGame,
    options: Any,
    undealt: list[str],
    seed: str,
    seconds: float,
    games: int,
    deals: int,
    progress: Callable[[int], None] | None,
) -> Iterator[Line]:
    what = " and ".join(undealt)
    dealt = [game.deal(options, 1, Random(f"{seed} deal {number}")) for number in range(1, deals + 1)]
    oracles = [Oracle(game, each, seconds, progress) for each in dealt]
    yield Line("")
    yield Line("Who wins", True)
    yield Line(f"That depends on the {what}, which is dealt. In a sample of {counted(deals, 'deal')} (seed {seed})")
    try:
        found = look_at_deals(oracles)
    except TooBig:
        yield Line("not every round could be solved in this time, so nothing is said about them.")
        return
    told = {
        "nobody can win the round, whatever is played": found.settled,
        "with best play the round is a draw": found.values[DRAW],
        "the player who begins the round wins it": found.values[WIN],
        "the other player wins it": found.values[LOSS],
    }
    for text, number in told.items():
        yield Line(f"- {number:,} ({share(number, deals)}): {text}")
    yield from _match_of_rounds(game, options, found)
    yield Line("")
    yield Line("How easily it goes wrong", True)
    yield from _told_chance(play_at_random(oracles, max(games, deals), seed, seconds * SAMPLING), seed)
    yield Line(f"To know more about one {what} give it: --{undealt[0].replace('_', '-')}")


def _match_of_rounds(game: AnyGame, options: Any, found: Deals) -> Iterator[Line]:
    """What the rounds mean for the match."""
    if game.rounds(options) is None:
        return
    yield Line(drawn_round(game, options))
    win, loss = found.values[WIN] / found.deals, found.values[LOSS] / found.deals
    if not win + loss:
        yield Line(
            "Between players who make no mistake none of these rounds would have decided the match"
            + (": it goes on until somebody makes one." if game.rounds(options) == NO_CAP else ".")
        )
        return
    if game.rounds(options) == NO_CAP:
        about = f"So between players who make no mistake a match takes about {1 / (win + loss):.1f} rounds"
        # The player who begins a round wins the match with chance v = win + draw * (1 - v).
        begins = (1 - loss) / (2 - win - loss)
        yield Line(
            f"{about}, and the player who begins the first of them wins about {100 * begins:.0f} matches in 100."
        )


# A game without an end.


def _endless(game: AnyGame, options: Any) -> Iterator[Line]:
    yield Line("")
    yield Line("Who wins", True)
    yield Line(
        "Nobody can say, because under these options a game need not end. What a position is worth follows from how "
        "the game ends, counted backwards from there; where play can go on for ever there is nothing to count from, "
        "and no exact value exists."
    )
    flags = []
    defaults = game.defaults
    for (name, kind), default in zip(declared(game.options).items(), defaults, strict=True):
        if game.bounds(options._replace(**{name: default})) is not None:
            flags.append(f"--{name.replace('_', '-')} {kind.show(default)}")
    if flags:
        yield Line(f"What would do: {' or '.join(flags)}")


def _good_to_know(game: AnyGame) -> Iterator[Line]:
    """What the rules say at their end: errata, and what is worth knowing."""
    _, heading, rest = game.rules_text.partition(f"\n{LAST_WORDS}\n")
    if heading:
        yield Line("")
        yield Line(LAST_WORDS, True)
        items: list[str] = []
        for line in rest.strip().splitlines():
            if line.startswith("- ") or not items:
                items.append(line)
            else:
                items[-1] += " " + line.strip()
        yield from (Line(item) for item in items)
