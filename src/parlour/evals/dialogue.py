"""Dialogues in which a language model plays a game.

Questions show the game's own rules and board; answers are parsed like typed moves. Forced moves are made without a
question. After an answer without a legal move, the model gets the reason and another attempt. When all attempts are
used up, a random legal move is made, so that the game can be scored under every policy.

A disguise changes words and the notation of numbers, never the game, to distinguish skill from memory. Answers are
translated back before they are read.
"""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from dataclasses import dataclass, field
from itertools import product
from random import Random
from typing import Literal, NamedTuple, Protocol

from parlour.arguments import check_choice
from parlour.errors import IllegalMove, MoveRefused
from parlour.match import Match
from parlour.picture import draw_rows
from parlour.rules import Rules
from parlour.view import Group, PlayerNumber, Tile, View

PLAIN, RENAMED, RELABELLED, MIRRORED = "plain", "renamed", "relabelled", "mirrored"
DISGUISES = (PLAIN, RENAMED, RELABELLED, MIRRORED)

# Replacements of whole words, singular and plural.
OTHER_WORDS = {
    "sequence": "trail",
    "pyramid": "stack",
    "grid": "field",
    "cell": "plot",
    "pool": "store",
    "bottom": "base row",
    "marker": "flag",
    "mark": "claim",
    "skip": "wait",
    "step": "stride",
}
TITLES = ("Larkspur", "Quillon", "Tamber", "Vesper", "Ostrava", "Merrow", "Hollin", "Candle")


@dataclass(frozen=True)
class Disguise:
    """The words and the notation of numbers in the questions to a model."""

    title: str = ""  # the title of the game; empty: its own
    words: dict[str, str] = field(default_factory=dict)
    written: dict[str, str] = field(default_factory=dict)  # the notation of each number; empty: digits
    note: str = ""  # an explanation of the notation for the model

    def say(self, text: str) -> str:
        """Return a text with its words replaced."""
        for word, other in self.words.items():
            for one, another in ((word, other), (word.capitalize(), other.capitalize())):
                text = re.sub(rf"\b{one}(s?)\b", rf"{another}\1", text)
        return text

    def write(self, text: str) -> str:
        """Return a text with its numbers in this notation."""
        return re.sub(r"\d+", lambda found: self.written.get(found[0], found[0]), text) if self.written else text

    def read(self, text: str) -> str:
        """Translate an answer back; numbers in digits are refused if the notation differs."""
        if not self.written:
            return text
        back = {written: number for number, written in self.written.items()}
        word = text.strip().strip("()[]{}. ").lower()
        return back.get(word, "?" if word not in ("pass", "skip") else word)

    def view(self, view: View) -> View:
        """Return a disguised view. Notes with numbers are left out if the notation differs."""

        def note(text: str) -> str:
            return "" if self.written and re.search(r"\d", text) else self.say(text)

        def tile(each: Tile) -> Tile:
            return each._replace(text=self.write(each.text), note=note(each.note))

        def group(each: Group) -> Group:
            rows = tuple(tuple(map(tile, row)) for row in each.rows)
            return each._replace(title=self.say(each.title), rows=rows, note=note(each.note))

        return tuple(map(group, view))

    def moves(self, rules: Rules, moves: Sequence[int]) -> str:
        """Return a list of moves as text."""
        if not self.written:
            return rules.spell(moves)
        return "  ".join(map(self.write, rules.spoken(moves)))


def make_disguise(name: str, rules: Rules, seed: str) -> Disguise:
    """Return the disguise of this name for a game, with random labels. Raises BadArgument if there is none."""
    check_choice("disguise", name, DISGUISES)
    random = Random(f"{seed} {name}")
    if name == PLAIN:
        return Disguise()
    title = random.choice(TITLES)
    if name == RENAMED:
        return Disguise(title, OTHER_WORDS)
    numbers = _numbers(rules)
    if name == MIRRORED:
        top = numbers[-1] + numbers[0]
        written = {str(number): str(top - number) for number in numbers}
        low, high = str(numbers[0]), str(numbers[-1])
        how = f"as what it lacks to {top}: {low} as {written[low]}, {high} as {written[high]}"
        return Disguise(title, {}, written, _note(how))
    syllables = ["".join(pair) for pair in product("bdfgklmnprstvz", "aeiou")]
    labels = random.sample(["".join(pair) for pair in product(syllables, repeat=2)], len(numbers))
    written = {str(number): label for number, label in zip(numbers, labels, strict=True)}
    listed = ", ".join(f"{number} is {label}" for number, label in written.items())
    return Disguise(title, {}, written, _note(f"as a word: {listed}"))


def _note(how: str) -> str:
    return (
        f"In this game every number is written {how}. The table is written so, and so are your moves; the rules speak "
        "of the numbers themselves."
    )


def _numbers(rules: Rules) -> list[int]:
    """Return the numbers in the names of moves."""
    bounds = rules.bounds
    assert bounds is not None  # instances are finite
    spoken = rules.spoken(range(1, bounds.moves))
    return sorted({int(number) for name in spoken for number in re.findall(r"\d+", name)})


MAX_ANSWER = 20_000  # characters; longer answers are read from their end
ATTEMPTS = 3

Kind = Literal["legal", "illegal", "unreadable"]
_MOVE_LINE = re.compile(r"^[\s>*_`#-]*move[\s*_`]*[:=](.*)$", re.IGNORECASE | re.MULTILINE)


class Asked(NamedTuple):
    """A turn at which the model was asked."""

    ply: int  # the index of its move in the round
    first: Kind  # the kind of its first answer
    attempts: int  # the number of answers
    answered: bool  # whether one was legal; otherwise a random move was made


class Host(Protocol):
    """The opponent of a model; it also decides when the game ends."""

    def reply(self, match: Match, random: Random) -> int:
        """Return the opponent's move."""
        ...

    def is_over(self, match: Match) -> bool:
        """Return whether the game is over."""
        ...


class _AllMoves:
    """A container of every move, to draw boards without marks of legal moves."""

    def __contains__(self, move: object) -> bool:
        return True


class Dialogue:
    """A game between a model and a host."""

    def __init__(
        self,
        match: Match,
        player: PlayerNumber,
        host: Host,
        disguise: Disguise,
        *,
        terms: str,
        attempts: int = ATTEMPTS,
        list_legal: bool = False,
    ) -> None:
        """``terms`` describes the treatment of illegal answers; ``list_legal`` adds the legal moves to questions."""
        self.match, self.player, self.disguise = match, player, disguise
        self.asked: list[Asked] = []
        self._host, self._terms, self._attempts, self._list_legal = host, terms, attempts, list_legal
        self._bad: list[Kind] = []  # the refused answers of this turn
        self._why = ""  # the reason for the last refusal
        self._seen = len(match.round.moves)  # moves that the model has seen

    @property
    def system_prompt(self) -> str:
        """Return the system prompt."""
        match, disguise = self.match, self.disguise
        rules, title = match.rules, disguise.title or match.game.title
        once = "" if rules.max_rounds is None else "Only one round is played; if nobody wins it, the game is a draw."
        example = disguise.write(rules.spoken([1])[0])  # a move of the game, not necessarily legal now
        parts = [
            f"You play {title}, a game for two. These are its rules.",
            disguise.say(rules.bare_rules).strip(),
            once,
            disguise.note,
            f"You are {match.names[self.player - 1]}. Where only one move is possible, it is made for you.",
            "Think as long as you like. End your answer with a line of its own that has nothing but your move.",
            f"If your move were {example}, it would be:\nMOVE: {example}",
            self._terms,
        ]
        return "\n\n".join(filter(None, parts))

    def question(self) -> str | None:
        """Make all forced moves and replies, and return the next question; None if the game is over."""
        match, host = self.match, self._host
        while not host.is_over(match) and (match.only_move is not None or match.turn != self.player):
            chance = match.setup.random("opponent", len(match.round.moves))
            match.play(match.only_move if match.only_move is not None else host.reply(match, chance))
        if host.is_over(match):
            return None
        if self._bad:
            left = self._attempts - len(self._bad)
            rest = "This is your last attempt" if left == 1 else f"You have {left} attempts left"
            return f"{self._why} {rest} at this turn. End your answer with a line like this:\nMOVE: your move"
        return self._describe()

    def answer(self, text: str) -> None:
        """Play the move that an answer names, or refuse it."""
        match = self.match
        try:
            move = match.read(self.disguise.read(named_move(text)))
        except MoveRefused as refused:
            kind: Kind = "illegal" if isinstance(refused, IllegalMove) else "unreadable"
            self._bad.append(kind)
            self._why = self._refusal(refused)
            if len(self._bad) < self._attempts:
                return
            move = match.setup.random("chance", len(match.round.moves)).choice(list(match.legal_moves))
            self._play(move, answered=False)
        else:
            self._play(move, answered=True)

    def _play(self, move: int, *, answered: bool) -> None:
        first = self._bad[0] if self._bad else "legal"
        self.asked.append(Asked(len(self.match.round.moves), first, len(self._bad) + answered, answered))
        self.match.play(move)
        if answered:
            self._seen = len(self.match.round.moves)
        self._bad.clear()

    def _refusal(self, refused: MoveRefused) -> str:
        """Return the reason for a refusal, without the legal moves."""
        if not isinstance(refused, IllegalMove):
            return "That names no move."
        return "That move is not allowed." if self.disguise.written else f"That move is not allowed: {refused.reason}."

    def _describe(self) -> str:
        """Return a question: the moves since the last one, and the board."""
        match, disguise = self.match, self.disguise
        names, rules = match.names, match.rules
        first = self._seen
        spoken = rules.spoken(match.round.moves[first:])
        news = [
            f"{names[match.round.player(ply) - 1]}: {disguise.write(name)}" for ply, name in enumerate(spoken, first)
        ]
        self._seen = len(match.round.moves)
        # Without a list of legal moves, leave out the groups that show the choices.
        view = [group for group in disguise.view(rules.view(match.moment)) if self._list_legal or group.range is None]
        shown: Container[int] = match.legal_moves if self._list_legal else _AllMoves()
        table = draw_rows(tuple(view), shown, rules.name)
        needed = f"Your move must be one of: {disguise.moves(rules, match.legal_moves)}" if self._list_legal else ""
        parts = ["\n".join(news), "\n".join(table), needed, f"It is your turn, {names[self.player - 1]}."]
        return "\n\n".join(filter(None, parts))


def named_move(answer: str) -> str:
    """Return the text after "MOVE:" in the last such line of an answer, or the whole answer if there is no such line.

    Other text is not searched, because it may discuss several moves.
    """
    text = answer[-MAX_ANSWER:]
    lines = _MOVE_LINE.findall(text)
    return (lines[-1] if lines else text).strip().strip("*_`\"'<> ").strip()
