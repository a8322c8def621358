"""Games and puzzles for a model to play, and their scores under each policy for illegal answers.

Instances are determined by a game, a seed, a split and an opponent. Their options are the defaults of the game, a
variant, or the options of a puzzle. Random moves from the start lead to a position that can be searched completely.
Positions without critical decisions are dropped. Won, drawn and lost positions are equally frequent, as player 1 and as
player 2. Against a perfect opponent there are no lost positions.

Every position belongs permanently to one split: one in four is held out, chosen by a digest of the game, the options
and the canonical form. No seed brings a held-out position into the public split.
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
from parlour.evals.dialogue import Asked
from parlour.evals.metrics import AT_RANDOM, PERFECT, RANDOM, Known, Sums, chooser, ended, expect, grade, started
from parlour.game import Game, Move, player_at
from parlour.match import Match
from parlour.options import read_words, show_words
from parlour.rules import Rules, read_rules, show_position
from parlour.score import Value
from parlour.setup import Setup
from parlour.study.archive import Entry
from parlour.study.archive_file import archive
from parlour.study.puzzle import Puzzle, Stage
from parlour.text import counted
from parlour.view import PLAYERS, PlayerNumber

FORFEIT, RETRIES, RANDOM_MOVE, DROPPED = "forfeit", "retries", "random_move", "dropped"
POLICIES = {
    FORFEIT: "the first answer that is not a legal move loses the game",
    RETRIES: "the game is lost when all attempts at a turn are used up",
    RANDOM_MOVE: "when all attempts are used up, a random legal move is made, and the game goes on",
    DROPPED: "games with an answer that was not a legal move are left out",
}
_TERMS = {  # the wording of the policies in the prompt
    FORFEIT: "An answer that names no legal move loses you the game.",
    RETRIES: "An answer that names no legal move counts against you. If you use up all attempts at a turn, you lose "
    "the game.",
    RANDOM_MOVE: "An answer that names no legal move counts against you.",
    DROPPED: "A game with an answer that names no legal move is left out of your results.",
}


def terms(policy: str, attempts: int) -> str:
    """Return the part of the prompt about answers that are not legal moves."""
    return (
        f"You have {counted(attempts, 'attempt')} at each turn. {_TERMS[policy]} When all attempts are used up, a "
        "random legal move is made for you, and the game is played to its end."
    )


def outcome_for(match: Match, player: PlayerNumber) -> Value:
    """Return the outcome of a match for the model; an unfinished match is a loss."""
    outcome = match.outcome
    if outcome is None:
        return Value.LOSS
    if outcome.winner is None:
        return Value.DRAW
    return Value.WIN if outcome.winner == player else Value.LOSS


def forfeited_turn(asked: Sequence[Asked], policy: str) -> int | None:
    """Return the index of the turn at which illegal answers lost the game; None if there is none."""
    for place, turn in enumerate(asked):
        if (policy == FORFEIT and turn.first != "legal") or (policy == RETRIES and not turn.answered):
            return place
    return None


def count(
    known: Known[Any, Any], start: Value, match: Match, player: PlayerNumber, asked: Sequence[Asked], policy: str
) -> Sums:
    """Return the sums of a game from a position of value ``start`` for the model; empty if the policy leaves it out."""
    if policy == DROPPED and any(turn.first != "legal" for turn in asked):
        return Sums()
    lost_at = forfeited_turn(asked, policy)
    sums = started(start)
    for place, turn in enumerate(asked[: None if lost_at is None else lost_at + 1]):
        move = None if place == lost_at else match.round.moves[turn.ply]
        graded = grade(known, match.round.positions[turn.ply], move)
        sums = sums.plus(
            Sums(asked=1, readable=float(turn.first != "unreadable"), legal=float(turn.first == "legal"))._replace(
                **graded._asdict()
            )
        )
    return sums.plus(ended(start, Value.LOSS if lost_at is not None else outcome_for(match, player)))


def explain(sums: Sums, match: Match, asked: Sequence[Asked], policy: str, end: str = "") -> str:
    """Explain the score of a game; ``end`` replaces the description of its end."""
    bad = sum(turn.first != "legal" for turn in asked)
    turns = f"{counted(len(asked), 'turn')}, at {bad} of them the first answer was not a legal move"
    if not sums.games:
        return f"left out; {turns}"
    lost_at = forfeited_turn(asked, policy)
    if lost_at is not None:
        why = f"lost by its answers at its turn {lost_at + 1}: {POLICIES[policy]}"
    elif match.outcome is None:
        why = end or "the game was not played to its end"
    else:
        why = end or match.standing
    return f"{sums.points:g} of 1 point: {why}; {turns}"


PUBLIC, HELD_OUT = "public", "held-out"
SPLITS = (PUBLIC, HELD_OUT)
OPPONENT = "level:3"
MAX_MOVES = 120  # possible moves of a game; graded players only sample larger numbers
MIN_CRITICAL = 1.5  # minimum average of critical decisions in perfect play, for won and drawn starts
MIN_CRITICAL_LOST = 0.25  # the same for lost starts, where the opponent has to err first
WALKS = 8  # random walks from each small position in a quick try
MAX_FURTHER = 3  # moves in a walk
QUICK_TRIES = {PUBLIC: 300, HELD_OUT: 100}  # small positions tried by random walks before any is searched
MAX_BARREN = 400  # small positions searched in a row without a new instance


def min_critical(value: Value, opponent: str) -> float | None:
    """Return the minimum average of critical decisions for a start of this value; None if there can't be any.

    After a lost start, critical decisions are as rare as the opponent's errors. The minimum is proportionally lower for
    opponents that err less often than ``OPPONENT``.
    """
    if value is not Value.LOSS:
        return MIN_CRITICAL
    errs = AT_RANDOM[opponent]
    return MIN_CRITICAL_LOST * min(1.0, errs / AT_RANDOM[OPPONENT]) if errs else None


@dataclass(frozen=True)
class Instance:
    """A game to continue from a position, between a model and a graded player."""

    game: str
    options: str  # in the format of records, with everything dealt
    opening: tuple[int, ...]  # the moves that lead to the position
    player: PlayerNumber  # the model's player number
    opponent: str
    seed: str  # for the opponent's choices

    @property
    def id(self) -> str:
        """The permanent ID."""
        opening = ".".join(map(str, self.opening)) or "start"
        return f"{self.game} {self.options} {opening} seat {self.player}".replace(" ", "/")

    @cached_property
    def rules(self) -> Rules:
        """The game with its options."""
        return read_rules(find_game(self.game), read_words(self.options))

    def begin(self, names: tuple[str, str], players: tuple[str, str], epoch: int = 1) -> Match:
        """Return a match of one round at the position; each epoch has different random choices."""
        setup = Setup(self.rules, names, players, seed=seed_of(self.seed, epoch), cap=1)
        return Match.after(setup, self.opening, self.rules.options)

    @cached_property
    def position(self) -> Any:
        """The position at the start."""
        return self.rules.position_after(self.opening)

    @property
    def mine(self) -> bool:
        """Whether the model makes the first move."""
        return player_at(1, len(self.opening)) == self.player

    @property
    def known(self) -> Known[Any, Any]:
        """The exact scores of all positions that can follow."""
        return _known(self.rules, self.position)

    @property
    def value(self) -> Value:
        """The value of the position for the model."""
        value = self.known.value(self.position)
        return value if self.mine else value.for_opponent()

    def reply(self, match: Match, random: Random) -> int:
        """Return the opponent's move."""
        chances = chooser(self.opponent)(self.known, match.position)
        return random.choices([*chances], [*chances.values()])[0]

    def is_over(self, match: Match) -> bool:
        """Return whether the game is over."""
        return match.outcome is not None

    def count(self, match: Match, asked: Sequence[Asked], policy: str) -> Sums:
        """Return the sums of a played game under a policy."""
        return count(self.known, self.value, match, self.player, asked, policy)

    def explain(self, sums: Sums, match: Match, asked: Sequence[Asked], policy: str) -> str:
        """Explain the score of a game."""
        return explain(sums, match, asked, policy)

    def floor(self) -> Sums:
        """Return the expected sums of random play."""
        return self._expected(RANDOM)

    def ceiling(self) -> Sums:
        """Return the expected sums of perfect play."""
        return self._expected(PERFECT)

    def _expected(self, word: str) -> Sums:
        return expect(self.known, self.position, mine=self.mine, model=word, opponent=self.opponent)

    def as_metadata(self) -> dict[str, Any]:
        """Return JSON values; ``read`` is the inverse."""
        return {**asdict(self), "opening": list(self.opening)}

    @classmethod
    def read(cls, metadata: dict[str, Any]) -> Instance:
        """Read the values of ``as_metadata``; other keys are ignored."""
        if "seat" in metadata:  # logs before version 0.2 have 0 or 1
            metadata = {**metadata, "player": metadata["seat"] + 1}
        fields = {name: metadata[name] for name in cls.__dataclass_fields__}
        return cls(**{**fields, "opening": tuple(fields["opening"])})


def seed_of(seed: str, epoch: int) -> str:
    """Return the seed of an epoch."""
    return seed if epoch == 1 else f"{seed}+{epoch}"


@lru_cache(maxsize=256)
def _known(rules: Rules, position: Any) -> Known[Any, Any]:
    return Known(rules, position)


def sources(game: Game) -> list[str]:
    """Return the options that instances of a game can have, as text."""
    variants, puzzles = game.content.variants, game.content.puzzles
    words = [*(variant.words for variant in variants), "", *(source.options for source in puzzles)]
    found = {word: read_rules(game, read_words(word)) for word in words}
    return [word for word, rules in found.items() if rules.bounds is not None and rules.bounds.moves <= MAX_MOVES + 1]


def split_of(rules: Rules, position: Any) -> str:
    """Return the split of a position."""
    form = show_position(rules.canonical(position))
    text = f"{rules.game.key} {rules.game.version} {show_words(rules.options)} {form}"
    return HELD_OUT if hashlib.sha256(text.encode()).digest()[0] % 4 == 0 else PUBLIC


Start = tuple[tuple[Move, ...], Any]  # an opening and the position after it


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
    kinds = list(product([value for value in values if min_critical(value, opponent) is not None], PLAYERS))
    room = {kind: count // len(kinds) + (place < count % len(kinds)) for place, kind in enumerate(kinds)}
    random, found, barren = Random(f"{seed} {split} {game.key}"), dict[str, Instance](), 0
    for tries, (match, known) in enumerate(_small_games(game, random)):
        before, thorough = len(found), tries > QUICK_TRIES[split]
        for player in random.sample(PLAYERS, 2):
            for opening, position in _successors(match, known, random) if thorough else _walks(match, random):
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
    """Yield random matches at the first position that can be searched completely, with its scores."""
    words, moves = sources(game), dict[str, int]()  # moves until the game was small enough, by options
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
        moves[word] = min(moves.get(word, MAX_MOVES), len(match.round.moves))


def _walks(match: Match, random: Random) -> Iterator[Start]:
    """Yield the results of a few random walks from a match."""
    for _ in range(WALKS):
        further = match.copy()
        for _ in range(random.randrange(MAX_FURTHER + 1)):
            if further.outcome is None:
                further.play(random.choice(further.legal_moves))
        if further.outcome is None:
            yield tuple(further.round.moves), further.position


def _successors(match: Match, known: Known[Any, Any], random: Random) -> Iterator[Start]:
    """Yield every position that can follow a match in random order, those within reach of a walk first."""
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
    needed = min_critical(value, opponent)
    with suppress(TooBig):  # the opponent's move probabilities are unknown
        expected = expect(known, position, mine=mine, model=PERFECT, opponent=opponent)
        return needed is not None and expected.critical >= needed
    return False


@dataclass(frozen=True)
class PuzzleInstance:
    """A puzzle of the archive, by its number."""

    puzzle: int
    seed: str

    @property
    def id(self) -> str:
        """The permanent ID."""
        return f"puzzle-{self.puzzle}"

    @cached_property
    def _puzzle(self) -> Puzzle:
        return archive().find(str(self.puzzle))

    @property
    def game(self) -> str:
        """The key of the game."""
        return self._puzzle.rules.game.key

    @property
    def player(self) -> PlayerNumber:
        """The model's player number."""
        return self._puzzle.side

    @property
    def value(self) -> Value:
        """The value for the model: a win or a draw."""
        return self._puzzle.goal

    @property
    def opponent(self) -> str:
        """The opponent, which replies with the moves in the archive."""
        return "perfect"

    def begin(self, names: tuple[str, str], players: tuple[str, str], epoch: int = 1) -> Match:
        """Return a match at the position of the puzzle."""
        rules, seed = self._puzzle.rules, seed_of(self.seed, epoch)
        setup = Setup(rules, names, players, seed=seed, cap=1)
        return Match.after(setup, self._puzzle.moves, rules.options)

    @cached_property
    def _path(self) -> list[int]:
        """The moves to the position of the puzzle, and its solution."""
        return [*self._puzzle.moves, *self._puzzle.answer]

    def reply(self, match: Match, random: Random) -> int:
        """Return the reply that resists longest."""
        return self._path[len(match.round.moves)]

    def is_over(self, match: Match) -> bool:
        """Return whether a wrong move was made or the puzzle is solved."""
        played = len(match.round.moves)
        return match.outcome is not None or played >= len(self._path) or match.round.moves != self._path[:played]

    def count(self, match: Match, asked: Sequence[Asked], policy: str) -> Sums:
        """Return the sums of an answered puzzle under a policy."""
        if policy == DROPPED and any(turn.first != "legal" for turn in asked):
            return Sums()
        lost_at = forfeited_turn(asked, policy)
        sums, right = started(self.value), 0
        for place, (turn, puzzle) in enumerate(zip(asked, self._puzzle.stages, strict=False)):
            move = None if place == lost_at else match.round.moves[turn.ply]
            sums = sums.plus(
                Sums(asked=1, readable=float(turn.first != "unreadable"), legal=float(turn.first == "legal"))
            ).plus(self._graded(puzzle, move))
            if move != puzzle.answer:
                break
            right += 1
        return sums.plus(self._solved(), float(right == len(self._puzzle.stages)))

    def explain(self, sums: Sums, match: Match, asked: Sequence[Asked], policy: str) -> str:
        """Explain the score of a puzzle."""
        return explain(sums, match, asked, policy, "solved" if sums.points else "not solved")

    def _graded(self, stage: Stage, move: int | None) -> Sums:
        if move == stage.answer:
            return Sums(decisions=1, critical=1, held=1)
        left = Value.LOSS if move is None else self._refuted(stage.wrong[Move(move)], move, stage)
        return Sums(decisions=1, critical=1, regret=float(self.value - left))

    def _refuted(self, line: tuple[int, ...], move: int, stage: Stage) -> Value:
        """Return the value for the model after a wrong move and best play."""
        rules, place = self._puzzle.rules, self._puzzle.stages.index(stage)
        before = sum(1 + len(each.then) for each in self._puzzle.stages[:place])
        position = rules.position_after([*self._path[: len(self._puzzle.moves) + before], move, *line])
        value = Value.of_result(rules.result(position))
        return value if len(line) % 2 else value.for_opponent()

    def _solved(self) -> Sums:
        """Return the sums that solving the puzzle adds."""
        won = self.value is Value.WIN
        return Sums(points=1, converted=float(won), saved=float(not won))

    def floor(self) -> Sums:
        """Return the expected sums of random play."""
        whole, reached = started(self.value), 1.0
        for stage in self._puzzle.stages:
            choices = [stage.answer, *stage.wrong]
            for move in choices:
                each = self._graded(stage, move).plus(Sums(asked=1, readable=1, legal=1))
                whole = whole.plus(each, reached / len(choices))
            reached /= len(choices)
        return whole.plus(self._solved(), reached)

    def ceiling(self) -> Sums:
        """Return the expected sums of perfect play."""
        stages = len(self._puzzle.stages)
        every = Sums(decisions=1, critical=1, held=1, asked=1, readable=1, legal=1)
        return started(self.value).plus(every, stages).plus(self._solved())

    def as_metadata(self) -> dict[str, Any]:
        """Return JSON values; ``read`` is the inverse."""
        return {"puzzle": self.puzzle, "seed": self.seed, "game": self.game, "grade": self._puzzle.grade}

    @classmethod
    def read(cls, metadata: dict[str, Any]) -> PuzzleInstance:
        """Read the values of ``as_metadata``; other keys are ignored."""
        return cls(metadata["puzzle"], metadata["seed"])


def make_puzzles(count: int, *, seed: str = "0", split: str = PUBLIC) -> list[PuzzleInstance]:
    """Return random puzzles, balanced by game and grade.

    Raises:
        BadArgument: there is no such split, or it has too few puzzles.
    """
    check_choice("split", split, SPLITS)
    random, puzzles = Random(f"{seed} {split} puzzles"), archive()
    kinds: dict[tuple[str, int], list[Entry]] = {}
    for entry in puzzles.entries:
        kinds.setdefault((entry.game, entry.grade), []).append(entry)
    left = [random.sample(entries, len(entries)) for _, entries in sorted(kinds.items())]
    found: list[PuzzleInstance] = []
    while len(found) < count:
        if not any(left):
            raise BadArgument(f"there are no {count:,} puzzles in the split {split}; {len(found):,} at most")
        for entries in left:
            while entries and len(found) < count:
                puzzle = puzzles.find(str(entries.pop().number))
                if split_of(puzzle.rules, puzzle.rules.position_after(puzzle.moves)) == split:
                    found.append(PuzzleInstance(puzzle.number, str(random.random())))
                    break
    return random.sample(found, count)
