"""A game by question and answer: what a model is told, and what becomes of its answers.

The questions are made of the game's own rules and table, and the answer is read as at any other table of Parlour. About
what is forced nobody is asked. Whoever names no legal move is told why and asked again; when all attempts are used up,
a random legal move is made in their place, so that the game goes on and can be counted under every policy.
"""

from __future__ import annotations

import re
from collections.abc import Container
from random import Random
from typing import Literal, NamedTuple, Protocol

from parlour.errors import IllegalMove, MoveRefused
from parlour.evals.disguise import Disguise
from parlour.match import Match
from parlour.picture import draw_rows
from parlour.view import PlayerNumber

LONGEST_ANSWER = 20_000  # characters of an answer that are looked at: its end
ATTEMPTS = 3

Kind = Literal["legal", "illegal", "unreadable"]
_MOVE_LINE = re.compile(r"^[\s>*_`#-]*move[\s*_`]*[:=](.*)$", re.IGNORECASE | re.MULTILINE)


class Asked(NamedTuple):
    """A turn at which the model was asked."""

    ply: int  # the place of its move in the round, counted from 0
    first: Kind  # what its first answer was
    attempts: int  # answers that it gave
    answered: bool  # one of them was legal; otherwise chance has moved in its place


class Host(Protocol):
    """The opponent of a model, which also decides when the game ends."""

    def reply(self, match: Match, random: Random) -> int:
        """The other player's move."""
        ...

    def is_over(self, match: Match) -> bool:
        """Whether there is nothing more to ask."""
        ...


class _Everything:
    """All moves look alike, where the legal ones are not to be told."""

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
        """``terms`` says what becomes of answers that are not legal moves; ``list_legal``: the model is told those."""
        self.match, self.player, self.disguise = match, player, disguise
        self.asked: list[Asked] = []
        self._host, self._terms, self._attempts, self._list_legal = host, terms, attempts, list_legal
        self._bad: list[Kind] = []  # the answers to the question that is open
        self._why = ""  # the last of them will not do
        self._told = len(match.round.moves)  # moves that the model knows of

    @property
    def rules_told(self) -> str:
        """What a model is told before the first question."""
        match, disguise = self.match, self.disguise
        rules, title = match.rules, disguise.title or match.game.title
        once = "" if rules.max_rounds is None else "Only one round is played; if nobody wins it, the game is a draw."
        example = disguise.write(rules.spoken([1])[0])  # any move of the game: not one that is legal now
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
        """What the model is asked next, once everybody else has moved; None when the game is over."""
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
        """Take an answer to the question."""
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
            self._told = len(self.match.round.moves)
        self._bad.clear()

    def _refusal(self, refused: MoveRefused) -> str:
        """Why an answer will not do, without the list of what would."""
        if not isinstance(refused, IllegalMove):
            return "That names no move."
        return "That move is not allowed." if self.disguise.written else f"That move is not allowed: {refused.reason}."

    def _describe(self) -> str:
        """The moves since the last question, and the table."""
        match, disguise = self.match, self.disguise
        names, rules = match.names, match.rules
        first = self._told
        spoken = rules.spoken(match.round.moves[first:])
        news = [
            f"{names[match.round.player(ply) - 1]}: {disguise.write(name)}" for ply, name in enumerate(spoken, first)
        ]
        self._told = len(match.round.moves)
        # Without a list of legal moves the table must not be one: what is there to choose from is left out of it.
        view = [group for group in disguise.view(rules.view(match.moment)) if self._list_legal or group.range is None]
        shown: Container[int] = match.legal_moves if self._list_legal else _Everything()
        table = draw_rows(tuple(view), shown, rules.name)
        needed = f"Your move must be one of: {disguise.moves(rules, match.legal_moves)}" if self._list_legal else ""
        parts = ["\n".join(news), "\n".join(table), needed, f"It is your turn, {names[self.player - 1]}."]
        return "\n\n".join(filter(None, parts))


def named_move(answer: str) -> str:
    """What stands in the last line of an answer that names a move; the whole of a short answer that has no such line.

    Nothing is looked for in running text: a move that is only considered there would be taken for the answer.
    """
    text = answer[-LONGEST_ANSWER:]
    lines = _MOVE_LINE.findall(text)
    return (lines[-1] if lines else text).strip().strip("*_`\"'<> ").strip()
