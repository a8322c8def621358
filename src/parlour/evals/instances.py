"""Games for a model to play: the position, the player that the model is, and its opponent.

An instance follows from a game, a seed, a split and an opponent. Its options are those that the game itself names as
worth playing (its variants, where its puzzles come from, and the book's). From the start random moves are played until
all that can follow is small enough to be known exactly. Positions without critical decisions are dropped. As player 1
and as player 2, the model begins equally often with a won, a drawn and a lost position. Against an opponent that never
errs there are no lost positions: nothing can be decided after them.

Every position belongs to one split for ever, whatever the seed: one in four is held out, by a digest of its game, its
options and what stands for it in a table. Whoever trains on what other seeds give never meets what is held out.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cached_property, lru_cache
from itertools import product
from random import Random
from typing import Any

from parlour.arguments import check_choice
from parlour.catalog import find_game
from parlour.errors import BadArgument, TooBig
from parlour.evals.chances import AT_RANDOM, PERFECT, RANDOM, chooser
from parlour.evals.counting import count, explain
from parlour.evals.dialogue import Asked
from parlour.evals.expected import expect
from parlour.evals.known import Known
from parlour.evals.sums import Sums
from parlour.game import Game, Move, player_at
from parlour.match import Match
from parlour.options import read_words, show_words
from parlour.rules import Rules, read_rules, show_position
from parlour.score import Value
from parlour.setup import Setup
from parlour.view import PLAYERS, PlayerNumber

PUBLIC, HELD_OUT = "public", "held-out"
SPLITS = (PUBLIC, HELD_OUT)
OPPONENT = "level:3"
MOST_MOVES = 120  # of a game: with more, a graded player compares some of them by lot
CRITICAL = 1.5  # critical decisions that perfect play has to meet on average, from a won or drawn position
CRITICAL_AFTER_LOSS = 0.25  # the same from a lost position, where the opponent has to err first
WALKS = 8  # random walks from each small position in a quick try
MAX_FURTHER = 3  # moves of a walk
QUICK_TRIES = {PUBLIC: 300, HELD_OUT: 100}  # small positions to take random walks from, before any is searched
MAX_BARREN = 400  # small positions to search in a row without finding a new instance


def critical_needed(value: Value, opponent: str) -> float | None:
    """Return how many critical decisions a start of this value needs on average; None if it can't have any.

    After a lost start they are as rare as the opponent's random moves, so opponents that err less often than the usual
    one need proportionally fewer.
    """
    if value is not Value.LOSS:
        return CRITICAL
    errs = AT_RANDOM[opponent]
    return CRITICAL_AFTER_LOSS * min(1.0, errs / AT_RANDOM[OPPONENT]) if errs else None


@dataclass(frozen=True)
class Instance:
    """A game to continue from a position, between a model and a graded player."""

    game: str
    options: str  # as a record has them, everything dealt
    opening: tuple[int, ...]  # the moves that lead to the position
    player: PlayerNumber  # the player of the model
    opponent: str
    seed: str  # for the opponent's choices

    @property
    def id(self) -> str:
        """A name for it: the same for ever."""
        opening = ".".join(map(str, self.opening)) or "start"
        return f"{self.game} {self.options} {opening} seat {self.player}".replace(" ", "/")

    @cached_property
    def rules(self) -> Rules:
        """The game under its options."""
        return read_rules(find_game(self.game), read_words(self.options))

    def begin(self, names: tuple[str, str], players: tuple[str, str], epoch: int = 1) -> Match:
        """A match that stands at the position; one round of it is played, with other luck in each epoch."""
        setup = Setup(self.rules, names, players, seed=seed_of(self.seed, epoch), cap=1)
        return Match.after(setup, self.opening, self.rules.options)

    @cached_property
    def position(self) -> Any:
        """Where it begins."""
        return self.rules.position_after(self.opening)

    @property
    def mine(self) -> bool:
        """Whether the model makes the first move."""
        return player_at(1, len(self.opening)) == self.player

    @property
    def known(self) -> Known[Any, Any]:
        """All that can follow."""
        return _known(self.rules, self.position)

    @property
    def value(self) -> Value:
        """What the position is worth to the model."""
        value = self.known.value(self.position)
        return value if self.mine else value.for_opponent()

    def reply(self, match: Match, random: Random) -> int:
        """The opponent's move."""
        chances = chooser(self.opponent)(self.known, match.position)
        return random.choices([*chances], [*chances.values()])[0]

    def is_over(self, match: Match) -> bool:
        """Whether the game is."""
        return match.outcome is not None

    def count(self, match: Match, asked: Sequence[Asked], policy: str) -> Sums:
        """A game that was played, under a policy."""
        return count(self.known, self.value, match, self.player, asked, policy)

    def explain(self, sums: Sums, match: Match, asked: Sequence[Asked], policy: str) -> str:
        """Return in words why a game was counted like this."""
        return explain(sums, match, asked, policy)

    def floor(self) -> Sums:
        """What a model can expect that plays any legal move."""
        return self._expected(RANDOM)

    def ceiling(self) -> Sums:
        """What a model can expect that plays perfectly."""
        return self._expected(PERFECT)

    def _expected(self, word: str) -> Sums:
        return expect(self.known, self.position, mine=self.mine, model=word, opponent=self.opponent)

    def as_metadata(self) -> dict[str, Any]:
        """As JSON has it; ``read`` is the inverse."""
        return {**asdict(self), "opening": list(self.opening)}

    @classmethod
    def read(cls, metadata: dict[str, Any]) -> Instance:
        """From what ``as_metadata`` has made, and whatever stands beside it."""
        if "seat" in metadata:  # a log from before version 0.2: 0 and 1 for the players
            metadata = {**metadata, "player": metadata["seat"] + 1}
        fields = {name: metadata[name] for name in cls.__dataclass_fields__}
        return cls(**{**fields, "opening": tuple(fields["opening"])})


def seed_of(seed: str, epoch: int) -> str:
    """What decides about luck when the same is played for the first, second, ... time."""
    return seed if epoch == 1 else f"{seed}+{epoch}"


@lru_cache(maxsize=256)
def _known(rules: Rules, position: Any) -> Known[Any, Any]:
    return Known(rules, position)


def sources(game: Game) -> list[str]:
    """The options that instances of a game can have."""
    variants, puzzles = game.content.variants, game.content.puzzles
    words = [*(variant.words for variant in variants), "", *(source.options for source in puzzles)]
    found = {word: read_rules(game, read_words(word)) for word in words}
    return [word for word, rules in found.items() if rules.bounds is not None and rules.bounds.moves <= MOST_MOVES + 1]


def split_of(rules: Rules, position: Any) -> str:
    """Which split a position belongs to."""
    form = show_position(rules.canonical(position))
    text = f"{rules.game.key} {rules.game.version} {show_words(rules.options)} {form}"
    return HELD_OUT if hashlib.sha256(text.encode()).digest()[0] % 4 == 0 else PUBLIC


Start = tuple[tuple[Move, ...], Any]  # the opening of an instance, and the position it leads to


@lru_cache(maxsize=32)  # several models in one run play the same games
def make_instances(
    game: Game, count: int, *, seed: str = "0", split: str = PUBLIC, opponent: str = OPPONENT
) -> tuple[Instance, ...]:
    """Return instances in random order, balanced by player and by the value of their positions.

    The same seed gives the same instances.

    Raises:
        BadArgument: there is no such split or opponent, or the game has too few such positions.
    """
    chooser(opponent)  # UnknownPlayer if there is none
    check_choice("split", split, SPLITS)
    values = [Value.WIN, Value.DRAW, Value.LOSS] if game.rules.can_draw else [Value.WIN, Value.LOSS]
    kinds = list(product([value for value in values if critical_needed(value, opponent) is not None], PLAYERS))
    room = {kind: count // len(kinds) + (place < count % len(kinds)) for place, kind in enumerate(kinds)}
    random, found, barren = Random(f"{seed} {split} {game.key}"), dict[str, Instance](), 0
    for tries, (match, known) in enumerate(_small_games(game, random)):
        before, thorough = len(found), tries > QUICK_TRIES[split]
        for player in random.sample(PLAYERS, 2):
            for opening, position in _all_that_follow(match, known, random) if thorough else _walks(match, random):
                mine, value = player_at(1, len(opening)) == player, known.value(position)
                value = value if mine else value.for_opponent()
                if not room.get((value, player)) or split_of(match.rules, position) != split:
                    continue
                if _is_decisive(known, position, mine, value, opponent):
                    luck = str(random.random())
                    instance = Instance(game.key, show_words(match.options), opening, player, opponent, luck)
                    if instance.id not in found:
                        found[instance.id] = instance
                        room[value, player] -= 1
                        break
                    if not thorough:
                        break
        if not any(room.values()):
            break
        barren = barren + 1 if thorough and len(found) == before else 0
        if barren == MAX_BARREN:
            raise BadArgument(f"{game.title} has no {count} instances in the split {split}; ask for fewer")
    return tuple(random.sample([*found.values()], count))


def _small_games(game: Game, random: Random) -> Iterator[tuple[Match, Known[Any, Any]]]:
    """Matches by lot that have just become small enough to be known, and what is known of them."""
    words, moves = sources(game), dict[str, int]()  # after how many moves a game was small enough
    while True:
        word = random.choice(words)
        options = read_rules(game, read_words(word)).options
        match = Match(Setup(Rules(game, options), seed=str(random.random()), cap=1))
        while match.outcome is None:
            if len(match.round.moves) >= moves.get(word, 0):
                with suppress(TooBig):
                    yield match, Known(match.rules, match.position)
                    break
            match.play(random.choice(match.legal_moves))
        moves[word] = min(moves.get(word, MOST_MOVES), len(match.round.moves))


def _walks(match: Match, random: Random) -> Iterator[Start]:
    """Yield the ends of a few random walks from a match."""
    for _ in range(WALKS):
        further = match.copy()
        for _ in range(random.randrange(MAX_FURTHER + 1)):
            if further.outcome is None:
                further.play(random.choice(further.legal_moves))
        if further.outcome is None:
            yield tuple(further.round.moves), further.position


def _all_that_follow(match: Match, known: Known[Any, Any], random: Random) -> Iterator[Start]:
    """Yield every position that can follow a match in random order, those that a walk can reach first."""
    opening = tuple(match.round.moves)
    seen, near = {match.position}, list[Start]()
    newest: list[Start] = [(opening, match.position)]
    while newest:
        near += newest
        if len(newest[0][0]) - len(opening) >= MAX_FURTHER:
            yield from random.sample(near, len(near))
            near = []
        after = list[Start]()
        for moves, position in newest:
            for move in known.moves(position):
                if move.after not in seen and not match.rules.is_over(move.after):
                    seen.add(move.after)
                    after.append(((*moves, Move(move.move)), move.after))
        newest = after
    yield from random.sample(near, len(near))


def _is_decisive(known: Known[Any, Any], position: Any, mine: bool, value: Value, opponent: str) -> bool:
    """Return whether a start of this value has enough critical decisions."""
    needed = critical_needed(value, opponent)
    with suppress(TooBig):  # then the opponent's chances are not known exactly
        expected = expect(known, position, mine=mine, model=PERFECT, opponent=opponent)
        return needed is not None and expected.critical >= needed
    return False
