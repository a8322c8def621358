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
from time import monotonic
from typing import Any

from parlour import catalog, players, record
from parlour.documents import fields_of
from parlour.documents.report import report_document
from parlour.documents.solution import hint_document, reason_document, solution_document
from parlour.errors import Cancelled, GameOver, MoveRefused, ParlourError, ThinkingFailed, TooBig, UnknownPlayer
from parlour.limit import Limit
from parlour.match import MOVE, Match, Setup
from parlour.rules import Rules, read_rules
from parlour.score import Score
from parlour.solver import Solver
from parlour.study import report
from parlour.study.hints import explain_move, hint_at
from parlour.turn import take_turn

MOST_CHOICES = 1000  # beyond which the rest is only counted
MOST_SOLVERS = 3  # that are remembered
MEMORY = 320 << 20  # bytes that each of them may take: these, one more for a report and Numba stay below 1.5 GB
PACE = 0.2  # seconds between two words of progress
NICENESS = 2  # the server goes first

Question = dict[str, Any]
Answer = dict[str, Any]


class Thinker:
    """Answers questions. What it has found out about a few games it remembers."""

    def __init__(self, say: Callable[[dict[str, Any]], None]) -> None:
        """``say`` sends a message."""
        self._say = say
        self._solvers: OrderedDict[Rules, Solver] = OrderedDict()  # what was asked last stands last
        self._cancelled = 0  # the highest question that was given up; set by another thread
        self._id = 0  # of the present question
        self._limit = Limit()  # of the present question
        self._reused: Rules | None = None  # whose solver was asked that knew something already
        self._told = 0.0  # when progress was told last
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
        if number >= self._id:
            self._limit.cancel()

    def answer(self, question: Question) -> None:
        """Answer a question, whatever comes of it."""
        self._limit = limit = Limit(question["seconds"], memory=MEMORY, on_progress=self._tell_progress)
        self._id, self._told, self._reused = question["id"], monotonic(), None
        if self._cancelled >= self._id:
            limit.cancel()
        try:
            answer = self._find(question)
        except Cancelled:
            self._say({"id": self._id, "error": _told_error(ThinkingFailed("the question was given up"))})
        except ParlourError as error:
            self._say({"id": self._id, "error": _told_error(error)})
        except Exception as error:  # a mistake of ours: say so, and trust nothing that was found out on the way
            sys.excepthook(type(error), error, error.__traceback__)
            self._solvers.clear()
            self._say({"id": self._id, "error": _told_error(ThinkingFailed("something went wrong while thinking"))})
        else:
            self._say({"id": self._id, "answer": answer, "complete": not limit.time_is_up})

    def _tell_progress(self, spent: int) -> None:
        now = monotonic()
        if now >= self._told + PACE:
            self._told = now
            self._say({"id": self._id, "progress": spent})

    def _find(self, question: Question) -> Answer:
        ask = self._asks[question["ask"]]
        try:
            return ask(question)
        except TooBig:
            if self._reused is None or self._limit.time_is_up:
                raise
            # What a solver remembers of other positions can fill the memory that it may take. A new one has room.
            del self._solvers[self._reused]
            return ask(question)

    def _solver(self, rules: Rules) -> Solver:
        """The one that knows this game under these options."""
        self._reused = rules if rules in self._solvers else None
        if self._reused is None:
            while len(self._solvers) >= MOST_SOLVERS:
                self._solvers.popitem(last=False)
            self._solvers[rules] = Solver(rules)
        self._solvers.move_to_end(rules)
        return self._solvers[rules]

    # The questions.

    def _solve(self, question: Question) -> Answer:
        match = _match(question)
        rules = match.rules
        position = rules.read_position(question["position"]) if "position" in question else match.position
        here = None if "position" in question else match
        legal = rules.legal(position)
        solver = self._solver(rules)
        if not legal:
            score = Score(solver.value(position), 0)
            return fields_of(solution_document(rules, position, score, [], match=here, line=[]))
        choices = solver.choices_or_values(position, self._limit, legal[:MOST_CHOICES])
        whole = rules.count_legal(position) == len(choices)
        score = max(choice.score for choice in choices) if whole else self._score(solver, position)
        line = None
        if not self._limit.time_is_up:
            with suppress(TooBig):  # the values are certain all the same
                line = solver.line(position, self._limit)
        return fields_of(solution_document(rules, position, score, choices, match=here, line=line))

    def _score(self, solver: Solver, position: Any) -> Score:
        """With the distance, if that can be had in time."""
        value = solver.value(position, self._limit)
        try:
            return solver.score(position, self._limit)
        except TooBig:
            return Score(value)

    def _hint(self, question: Question) -> Answer:
        match = record.read(question["record"])
        hint = hint_at(self._solver(match.rules), match, question["rung"], self._limit)
        return fields_of(hint_document(match.rules, hint))

    def _why(self, question: Question) -> Answer:
        match = record.read(question["record"])
        reason = explain_move(self._solver(match.rules), match, match.read(question["move"]), self._limit)
        return fields_of(reason_document(match.rules, reason))

    def _report(self, question: Question) -> Answer:
        match = record.read(question["record"])
        # The report leaves ungraded what comes when no time is left.
        made = report.make(match, self._limit, seconds=question["seconds"])
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
        try:
            action = take_turn(match, player, self._limit).action
        finally:
            player.close()
        return {"move": match.rules.name(action.move)} if action.kind == MOVE else {"resigned": True}


def _match(question: Question) -> Match:
    """The match that a question is about; a game at its beginning, where it is about a position without a history."""
    if "record" in question:
        return record.read(question["record"])
    rules = read_rules(catalog.load(question["game"]), question["options"])
    return Match(Setup(rules.game, rules.options))


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
