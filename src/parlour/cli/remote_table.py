"""A match on a server, played at a terminal.

The server decides everything. It is not trusted: what it sends counts only as far as our own rules can replay it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from queue import Empty, Queue
from threading import Event, Thread
from typing import Any, NamedTuple

import click

from parlour import catalog
from parlour.cli.connection import (
    MAX_BACKOFF,
    MIN_BACKOFF,
    Link,
    Malformed,
    NoAnswer,
    Refused,
    Server,
    delete_seat,
    read_link,
    save_seat,
)
from parlour.documents.match import State
from parlour.errors import MoveRefused, ParlourError
from parlour.game import PASS, opponent
from parlour.installation import own_command
from parlour.match import Match
from parlour.outcome import Termination
from parlour.rules import read_rules
from parlour.setup import Setup
from parlour.terminal.board import PROMPT, show_table
from parlour.terminal.keyboard import Keyboard
from parlour.terminal.narration import choices
from parlour.terminal.screen import Screen, reflow, width
from parlour.text import cleaned, clip, sentence
from parlour.view import PLAYERS, PlayerNumber

POLL_SECONDS = 2.0  # between two looks for a rematch
MAX_MOVES = 5_000  # of one round
WORDS = {
    "help": "what you can type",
    "board": "show the table again",
    "rules": "the rules of this game",
    "undo": "take your last move back, or ask your friend to let you",
    "next": "go on to the next round, or ask for it",
    "resign": "give the game up",
    "rematch": "play again, or ask for it",
    "yes": "accept what is asked of you",
    "no": "decline it",
    "quit": "leave; your seat is kept",
}


OFFERS = {
    "undo": "a move back",
    "next": "the next round",
    "rematch": "a rematch",
    "delete": "this match to be deleted",
}
OTHER_WORDS = {
    "?": "help",
    "h": "help",
    "q": "quit",
    "exit": "quit",
    "y": "yes",
    "accept": "yes",
    "n": "no",
    "decline": "no",
}


class Typed(NamedTuple):
    """A line that the player typed; None at the end of input."""

    text: str | None


class Lost(NamedTuple):
    """A lost connection, which the follower tries to restore."""

    reason: str


class Gone(Exception):
    """The end of the session: there is nothing more to follow."""


Message = State | Typed | Lost | Gone | Malformed


def print_once() -> Callable[[str], None]:
    """Return a function that prints the reason of a first retry."""
    reasons: list[str] = []

    def on_retry(reason: str) -> None:
        if not reasons:
            click.echo(f"No answer yet ({reason}); trying again. Ctrl-C gives up.", err=True)
        reasons.append(reason)

    return on_retry


def read_match(state: State) -> Match:
    """Return the current round of a state, replayed by our own rules.

    Raises:
        Malformed: the moves, names or options are illegal.
    """
    board = state.table
    try:
        rules = read_rules(catalog.find_game(board.game), {name: text for name, text in board.options.items() if text})
        first, second = board.names
        match = Match(Setup(rules, (first, second), first=board.first))
        match.play_line(board.moves[:MAX_MOVES])
        outcome = state.outcome
        if outcome and outcome.winner and outcome.how in (Termination.RESIGNED, Termination.FORFEITED):
            match.resign(opponent(outcome.winner), forfeit=outcome.how == Termination.FORFEITED)
    except (ParlourError, ValueError) as error:
        raise Malformed(f"this Parlour cannot play the match that the server sent: {cleaned(str(error))}") from None
    return match


class Follower:
    """A thread that puts the states of a match into a queue as they arrive."""

    def __init__(self, server: Server, link: Link, inbox: Queue[tuple[object, Message]]) -> None:
        self._server, self._link, self._inbox = server, link, inbox
        self._closed = Event()
        Thread(target=self._follow, daemon=True).start()

    def close(self) -> None:
        """Stop following; what has already been put into the queue stays there."""
        self._closed.set()

    def _put(self, message: Message) -> None:
        if not self._closed.is_set():
            self._inbox.put((self, message))

    def _follow(self) -> None:
        wait = MIN_BACKOFF
        while not self._closed.is_set():
            try:
                over = False
                for state in self._server.follow(self._link.match, self._link.seat):
                    if self._closed.is_set():
                        return
                    self._put(state)
                    wait, over = MIN_BACKOFF, state.status == "over"
                if over:
                    wait = POLL_SECONDS  # the stream of a finished match ends; there may be a rematch
            except NoAnswer as error:
                self._put(Lost(str(error)))
                wait = min(wait * 2, MAX_BACKOFF)
            except Malformed as error:
                self._put(error)
                return
            except Refused as refused:
                if not refused.retryable:
                    self._put(Gone(refused.reason))
                    return
                wait = max(refused.wait, min(wait * 2, MAX_BACKOFF))
            self._closed.wait(wait)


class RemoteTable:
    """One match on a server, at this terminal."""

    def __init__(self, server: Server, link: Link) -> None:
        self.server, self.link = server, link
        self.screen, self.keyboard = Screen(), Keyboard()
        self.state: State | None = None
        self.match: Match | None = None
        self._inbox: Queue[tuple[object, Message]] = Queue()
        self._wanted: Queue[str] = Queue()  # prompts for which the keyboard's thread reads a line
        self._reading = False
        self._lost = False
        self.follower = Follower(server, link, self._inbox)
        Thread(target=self._read_lines, daemon=True).start()

    def play(self) -> int:
        """Play until the player leaves; return the exit code."""
        code = 0
        try:
            with self.keyboard.at_table(self._ask):
                while True:
                    line = self._wait()
                    if line is None or not self._obey(line.strip()):
                        break
        except KeyboardInterrupt:
            sys.stdout.write("\n")
            code = 130
        except Gone as gone:
            self._remark(sentence(str(gone)))
            return 1
        except Malformed as error:
            raise click.ClickException(str(error)) from None
        finally:
            self.follower.close()
        if self.state is None or self.state.status != "over":
            self._remark(f"Come back with: {own_command()} join {self.link.address}")
        return code

    # Messages of the keyboard and the server.

    def _read_lines(self) -> None:
        """Read the lines that are asked for, in a thread."""
        while True:
            self._inbox.put((self.keyboard, Typed(self.keyboard.read_line(self._wanted.get()))))

    def _wait(self, prompt: str = PROMPT) -> str | None:
        """Return the next typed line, None at the end of input; show what happens in the match meanwhile."""
        if not self._reading:
            self._reading = True
            self._wanted.put(prompt)
        while True:
            try:
                source, message = self._inbox.get(timeout=0.5)  # without one, Ctrl-C has to wait on Windows
            except Empty:
                continue
            if isinstance(message, Typed):
                self._reading = False
                return message.text
            if source is self.follower:
                self._hear(message)

    def _hear(self, message: Message) -> None:
        if isinstance(message, Gone):
            delete_seat(self.link)
        if isinstance(message, Exception):
            raise message
        if isinstance(message, Lost):
            if not self._lost:
                self._lost = True
                self._news(f"The connection is lost ({message.reason}). Trying again ...")
        elif isinstance(message, State):
            found = self._lost
            if found:
                self._lost = False
                self._news("Connected again.")
            if not self._take(message) and found:
                self._ask()

    def _take(self, state: State) -> bool:
        """Show what is new in a state; return whether there is anything."""
        before = self.state
        if before is not None and state.seq < before.seq:
            return False
        match = read_match(state)
        news = self._what_happened(state, match)
        moved = before is None or state.ply != before.ply
        changed = moved or before is None or _situation(state) != _situation(before)
        self.state, self.match = state, match
        if state.rematch:
            self._change_to(state.rematch)
            return True
        if changed:
            sys.stdout.write("\n")
            for line in news:
                self._remark(line)
            if moved:
                self._show()
            if moved and state.status == "over":
                self._remark(self._end())
            self._ask()
        return changed

    def _change_to(self, rematch: str) -> None:
        """Follow the rematch; the seat's secret is valid there as well."""
        link = read_link(f"{self.link.server}/m/{rematch}")
        if link is None or self.link.seat is None:
            return
        self.follower.close()
        self.link = link._replace(seat=self.link.seat)
        save_seat(self.link)
        self._news("The rematch begins.")
        self.state, self.match = None, None
        self.follower = Follower(self.server, self.link, self._inbox)

    # What is said and shown.

    def _what_happened(self, state: State, match: Match) -> list[str]:
        """What was done since the last state that was shown, a sentence each."""
        before = self.match
        if before is None:
            return [f"{match.game.title}: {match.names[0]} - {match.names[1]}", match.rules.summary]
        lines = []
        if self.state and self.state.status == "waiting" and state.status != "waiting":
            others = [match.names[player - 1] for player in PLAYERS if player not in state.you]
            lines.append(f"{' and '.join(others)} has joined.")
        if self.state and state.round != self.state.round:
            lines.append(f"Round {state.round}. {match.names[match.round.first - 1]} begins.")
            known = 0
        else:
            known = len(before.round.moves)
            if match.round.moves[:known] != before.round.moves:
                known = len(match.round.moves)
                lines.append("A move was taken back.")
        again = match.at(0)
        for ply, move in enumerate(match.round.moves):
            position = again.position
            again.play(move)
            if ply >= known:
                why = f": {again.rules.stuck(position)}" if move == PASS else ""
                lines.append(f"{self._who(opponent(again.turn), state)} {again.game.display.told(again.moment)}{why}.")
        return lines

    def _show(self) -> None:
        """The table, as it is drawn wherever the game is played."""
        if self.match is not None and self.state is not None:
            one, two = (self._who(player, self.state) for player in PLAYERS)
            self.screen.say([""])
            show_table(self.screen, self.match, (one, two), 2 if two == "You" else 1)
            self.screen.say([""])

    def _ask(self) -> None:
        """Say how it stands and what can be done; whatever is typed is read when it comes."""
        state, match = self.state, self.match
        assert state is not None
        assert match is not None
        can, offer = state.can, state.offer
        if offer is not None:
            asked = {
                "undo": "to take a move back",
                "next": "to go on to the next round",
                "rematch": "for a rematch",
                "delete": "to delete this match",
            }
            what = asked[offer.kind]
            mine, other = offer.by in state.you, self._who(offer.by, state)
            self._remark(f"You have asked {what}." if mine else f"{other} asks {what}: yes or no?")
        if state.status == "waiting":
            question = "Waiting for somebody to join. Ctrl-C leaves."
        elif state.status == "over":
            again = "rematch" in can or "offer rematch" in can
            question = "Type rematch or quit" if again else "Type quit to leave"
        elif "move" in can:
            needs = match.rules.needs(match.position)
            question = f"Your turn: {choices(match)}{f' ({needs})' if needs else ''}  (?: help)"
        elif "next" in can:
            question = "This round is drawn. Type next for another"
        elif not state.you:
            question = "You are watching. Type quit to leave"
        else:
            question = f"{match.names[match.turn - 1]} is to move ...  (?: help)"
        self._remark(question)
        if self._reading:
            sys.stdout.write(PROMPT + self.keyboard.typed_so_far)
        sys.stdout.flush()

    def _end(self) -> str:
        """How it ended, and for whom."""
        assert self.match is not None
        assert self.state is not None
        match, outcome = self.match, self.match.outcome
        if outcome is None:
            said = self.state.outcome
            return sentence(cleaned(said.text)) if said else "It is over."
        if match.resigned is not None:
            told = f"{self._who(match.resigned, self.state)} gave up."
        else:
            subject, text = match.game.display.verdict(match.moment, match.round_winner)
            told = sentence(text if subject is None else f"{self._who(subject, self.state)} {text}")
        if outcome.winner is not None:
            winner = self._who(outcome.winner, self.state)
            told += " You win!" if winner == "You" else f" {winner} wins."
        return told

    def _who(self, player: PlayerNumber, state: State) -> str:
        if state.you == [player]:
            return "You"
        return (self.match or read_match(state)).names[player - 1]

    def _news(self, text: str) -> None:
        sys.stdout.write("\n")
        self._remark(text)

    def _remark(self, text: str) -> None:
        self.screen.say(reflow(text, min(width(), 80)))
        sys.stdout.flush()

    # What is done.

    def _obey(self, text: str) -> bool:
        """Do what was typed; False if somebody leaves."""
        word = OTHER_WORDS.get(text.lower(), text.lower())
        if word == "quit":
            return False
        if self.state is None or self.match is None:
            return True
        if not text:
            self._ask()
        elif word == "help":
            self._remark("Type a move, or one of these words:\n" + "\n".join(f"- {w}: {a}" for w, a in WORDS.items()))
            self._ask()
        elif word == "rules":
            self._remark(self.match.rules.rules_text)
            self._ask()
        elif word == "board":
            self._show()
            self._ask()
        elif word in WORDS:
            self._command(word)
        else:
            self._move(text)
        return True

    def _move(self, text: str) -> None:
        assert self.state is not None
        assert self.match is not None
        if "move" not in self.state.can:
            why = "nobody has joined yet" if self.state.status == "waiting" else "it is not your turn"
            self._refuse(f"{why}, so {clip(text)!r} is not played")
            return
        try:
            move = self.match.rules.name(self.match.read(text))
        except MoveRefused as refused:
            self._refuse(f"{refused.reason}; possible now: {choices(self.match)}")
            return
        self._send("move", {"move": move, "ply": self.state.ply})

    def _command(self, word: str) -> None:
        """A word that changes the match: at once where that is a right, and as an offer where the friend is asked."""
        assert self.state is not None
        can, ply, offer = self.state.can, self.state.ply, self.state.offer
        if word in ("yes", "no"):
            answer = {"yes": "accept", "no": "decline"}[word]
            if offer is None or answer not in can:
                self._refuse("nothing is asked of you just now")
            else:
                body = {"kind": offer.kind, "ply": ply, "seq": self.state.seq}
                self._send(f"offer/{answer}", body)
        elif word == "resign" and "resign" in can:
            if (self._wait("Give up this game? Type yes to confirm: ") or "").strip().lower() in ("y", "yes"):
                self._send("resign", {})
            else:
                self._ask()
        elif word in can:
            self._send(word, {} if word == "rematch" else {"ply": ply})
        elif f"offer {word}" in can:
            self._send("offer", {"kind": word, "ply": ply})
        else:
            self._refuse(f"{word} is not possible now")

    def _send(self, path: str, body: dict[str, Any]) -> None:
        try:
            path = f"/api/matches/{self.link.match}/{path}"
            answer = self.server.retry(State, path, body, self.link.seat, on_retry=print_once())
        except Refused as refused:
            if refused.state is not None:
                self._take(refused.state)
            self._refuse(str(refused))
            return
        self._take(answer)

    def _refuse(self, reason: str) -> None:
        self.screen.say(reflow(sentence(reason), min(width(), 80)), "yellow")
        self._ask()


def _situation(state: State) -> tuple[Any, ...]:
    """What a player wants to be told about besides the moves."""
    return state.status, state.offer, state.rematch, state.can
