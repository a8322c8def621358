"""A process that thinks: it answers questions that may take their time, one after the other.

The server starts a few of these (``thinking``), so that its own process never computes. A question is a line of JSON on
the standard input, and what is said about it are lines of JSON on the standard output::

    {"id": 7, "ask": "solve", "seconds": 10, "record": "[Parlour ...", ...}
    {"cancel": 7}

    {"id": 7, "progress": 120000}                                      now and then: positions searched so far
    {"id": 7, "answer": {...}, "complete": true}                       false: with more time there would be more to tell
    {"id": 7, "error": {"type": "TooBig", "message": "..."}}           a class of ``errors``

The input's end is the process's end, whatever it is doing: if the server dies, however it dies, nothing stays behind.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from random import Random
from time import monotonic
from typing import Any

from parlour import catalog, players, record, referee
from parlour.documents import fields_of
from parlour.documents.report import report_document
from parlour.errors import GameOver, MoveRefused, ParlourError, ThinkingFailed, TooBig, UnknownPlayer
from parlour.game import AnyGame
from parlour.match import Match
from parlour.options import show_options
from parlour.players import Resigned
from parlour.players.knowledge import solver_for
from parlour.players.perfect import best_move
from parlour.solver import Standing
from parlour.study import report
from parlour.study.hints import explain_move, hint_at
from parlour.study.oracle import Oracle, best_of, best_value
from parlour.study.words import drawn_round

MANY = 1000  # choices beyond which the rest is only counted
ORACLES = 3  # that are remembered
MEMORY = 320 << 20  # bytes that each of them may take: these, one more for a report and Numba stay below 1.5 GB
PACE = 0.2  # seconds between two words of progress
NICENESS = 2  # the server goes first

Question = dict[str, Any]
Answer = dict[str, Any]


class Cancelled(Exception):
    """Nobody wants to know any more."""


class Thinker:
    """Answers questions. What it has found out about a few games it remembers."""

    def __init__(self, say: Callable[[dict[str, Any]], None]) -> None:
        """``say`` sends a message."""
        self._say = say
        self._oracles: OrderedDict[tuple[str, Any], Oracle] = OrderedDict()  # what was asked last stands last
        self._cancelled = 0  # the highest question that was given up; set by another thread
        self._id = 0  # of the present question
        self._seconds = 0.0  # that it may take
        self._deadline = 0.0
        self._reused: tuple[str, Any] | None = None  # whose oracle was asked that knew something already
        self._told = 0.0  # when progress was told last
        self._before = 0  # positions that were searched for its parts that are done
        self._spent = 0  # and for the present part
        self._asks: dict[str, Callable[[Question], Answer]] = {
            "solve": self._solve,
            "hint": self._hint,
            "why": self._why,
            "report": self._report,
            "choose": self._choose,
            "prove": self._choose,  # by a player who may have to search for long, which is good to know beforehand
        }

    def cancel(self, number: int) -> None:
        """Give up a question at the next opportunity; any thread may say so."""
        self._cancelled = max(self._cancelled, number)

    def answer(self, question: Question) -> None:
        """Answer a question, whatever comes of it."""
        self._id, self._seconds = question["id"], question["seconds"]
        self._deadline, self._told = monotonic() + self._seconds, monotonic()
        self._before, self._spent, self._reused = 0, 0, None
        try:
            answer = self._find(question)
        except Cancelled:
            self._say({"id": self._id, "error": _told_error(ThinkingFailed("the question was given up"))})
        except ParlourError as error:
            self._say({"id": self._id, "error": _told_error(error)})
        except Exception as error:  # a mistake of ours: say so, and trust nothing that was found out on the way
            sys.excepthook(type(error), error, error.__traceback__)
            self._oracles.clear()
            self._say({"id": self._id, "error": _told_error(ThinkingFailed("something went wrong while thinking"))})
        else:
            self._say({"id": self._id, "answer": answer, "complete": monotonic() < self._deadline})

    def _find(self, question: Question) -> Answer:
        ask = self._asks[question["ask"]]
        try:
            return ask(question)
        except TooBig:
            if self._reused is None or monotonic() >= self._deadline:
                raise
            # What an oracle remembers of other positions can fill the memory that it may take. A new one has room.
            del self._oracles[self._reused]
            return ask(question)

    # The questions.

    def _solve(self, question: Question) -> Answer:
        match, game, options, position = _position(question)
        legal = referee.legal_moves(game, options, position)

        def names(moves: list[int]) -> list[str]:
            return [referee.name_move(game, options, move) for move in moves]

        answer: Answer = {
            "game": game.key,
            "options": show_options(options),
            "moves": names(match.round.moves) if match else [],
            "position": referee.show_position(position),
            "to_move": match.turn + 1 if match and legal else None,
            "about": None,
        }
        if game.rounds(options) is not None:
            answer["about"] = f"This is the value of one round. {drawn_round(game, options)}"
        oracle = self._oracle(game, options)
        if not legal:
            return answer | {
                "value": oracle.value(position), "plies": 0, "choices": [], "left_out": 0, "line": [],
            }  # fmt: skip
        choices = oracle.judged(position, None if len(legal) <= MANY else legal[:MANY])
        if len(choices) == len(legal):
            plies = {choice.move: choice.plies for choice in choices}
            standing = Standing(best_value(choices), plies[best_of(choices)[0]])
        else:
            standing = self._standing(oracle, position)
        line = None
        if monotonic() < self._deadline:
            with suppress(TooBig):  # the values are certain all the same
                line = names(oracle.line(position))
        return answer | {
            "value": standing.value,
            "plies": standing.plies,
            "choices": [
                {
                    "move": referee.name_move(game, options, choice.move),
                    "value": choice.value,
                    "plies": choice.plies,
                    "keeps": choice.value == standing.value,
                    "best": choice.value == standing.value and choice.plies == standing.plies,
                }
                for choice in choices
            ],
            "left_out": len(legal) - len(choices),
            "line": line,
        }

    def _standing(self, oracle: Oracle, position: Any) -> Standing:
        """With the distance, if that can be had in time."""
        value = oracle.value(position)
        try:
            return oracle.standing(position)
        except TooBig:
            return Standing(value, None)

    def _hint(self, question: Question) -> Answer:
        match = record.read(question["record"])
        hint = hint_at(self._oracle(match.game, match.options), match, question["rung"])
        name = None if hint.move is None else referee.name_move(match.game, match.options, hint.move)
        return hint._asdict() | {"move": name}

    def _why(self, question: Question) -> Answer:
        match = record.read(question["record"])
        move = match.read(question["move"])
        reason = explain_move(self._oracle(match.game, match.options), match, move)
        name, *line = (referee.name_move(match.game, match.options, move) for move in (reason.move, *reason.line))
        return reason._asdict() | {"move": name, "line": line}

    def _report(self, question: Question) -> Answer:
        match = record.read(question["record"])
        # The report gives that much time to each position, and leaves ungraded what comes when no time is left at all.
        made = report.make(match, seconds=self._seconds, progress=self._watch_the_whole)
        return fields_of(report_document(made, with_text=True))

    def _choose(self, question: Question) -> Answer:
        match = record.read(question["record"])
        if not match.legal:
            raise GameOver("the game is over: there is no move to choose")
        word = match.setup.players[match.turn]
        if players.starts_program(word):
            raise UnknownPlayer("no programs are started here: choose another player")
        player = players.load(word)
        if player is None:
            raise UnknownPlayer(f"{match.names[match.turn]} is a person and chooses without help")
        chance = match.setup.random("move", len(match.rounds), len(match.round.moves))
        try:
            move = self._perfect(match, chance) if word == "perfect" else player.choose(match, chance)
        except Resigned:
            return {"resigned": True}
        finally:
            player.close()
        return {"move": referee.name_move(match.game, match.options, move)}

    def _perfect(self, match: Match, chance: Random) -> int:
        """The move of ``PerfectPlayer``, but where it has to search it does so within our time and our memory."""
        if match.only_move is not None:
            return match.only_move
        solver = solver_for(match.game, match.options, match.position)
        if solver is not None:
            return best_move(solver, match.position, chance)
        try:
            oracle = self._oracle(match.game, match.options)
            return best_move(oracle.solver, match.position, chance, tempt=False)
        except TooBig as error:
            raise TooBig(f"the perfect player has no proof of a best move: {error}") from None

    # What they need.

    def _oracle(self, game: AnyGame, options: Any) -> Oracle:
        """The one that knows this game under these options, with the time that is left for the present question."""
        key = (game.key, options)
        if key in self._oracles:
            self._reused = key
        else:
            self._reused = None
            while len(self._oracles) >= ORACLES:
                self._oracles.popitem(last=False)
            self._oracles[key] = Oracle(game, options, self._seconds)
        self._oracles.move_to_end(key)
        oracle = self._oracles[key]
        oracle.allow(self._seconds, self._watch, until=self._deadline)
        return oracle

    def _watch(self, spent: int) -> None:
        """Told by a search how far it is. Whoever raises something here ends the search."""
        if self._cancelled >= self._id:
            raise Cancelled
        if spent <= self._spent:  # it counts anew for the next part
            self._before += self._spent
        self._spent = spent
        now = monotonic()
        if now >= self._told + PACE:
            self._told = now
            self._say({"id": self._id, "progress": self._before + spent})

    def _watch_the_whole(self, spent: int) -> None:
        self._watch(spent)
        if monotonic() >= self._deadline:
            raise TooBig(f"no exact answer within {self._seconds:g} seconds")


def _position(question: Question) -> tuple[Match | None, AnyGame, Any, Any]:
    """What is to be solved: a match if there is one, the game, its options, the position."""
    if "record" in question:
        match = record.read(question["record"])
        return match, match.game, match.options, match.position
    game = catalog.load(question["game"])
    options = referee.choose_options(game, question["options"])
    return None, game, options, referee.read_position(game, options, question["position"])


def _told_error(error: ParlourError) -> dict[str, str]:
    told = {"type": type(error).__name__, "message": str(error)}
    if isinstance(error, MoveRefused):
        told |= {"reason": error.reason, "legal": error.legal}
    return told


def main() -> None:
    """Answer until there is nobody left to ask."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends us
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    # Questions and answers go through descriptors of their own: what anybody prints by mistake goes to the error
    # output, and nobody else reads what is meant for us.
    incoming, outgoing = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    Oracle.memory = MEMORY

    def say(message: dict[str, Any]) -> None:
        try:
            outgoing.write(json.dumps(message, separators=(",", ":"), default=fields_of).encode() + b"\n")
            outgoing.flush()
        except OSError:  # nobody listens any more
            os._exit(1)

    thinker, questions = Thinker(say), SimpleQueue[Question]()

    def listen() -> None:
        try:
            for line in incoming:
                message = json.loads(line)
                if "cancel" in message:
                    thinker.cancel(message["cancel"])
                else:
                    questions.put(message)
        finally:  # the others cannot be told to hurry, and there is nothing to tidy up
            os._exit(0)

    threading.Thread(target=listen, daemon=True).start()
    while True:
        thinker.answer(questions.get())


if __name__ == "__main__":
    main()
