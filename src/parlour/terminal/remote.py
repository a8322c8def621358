"""A match on a server, played at a terminal.

The server is the referee, but it is not trusted: a state is shown only if our own rules can replay it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from queue import Empty, Queue
from threading import Thread
from typing import NamedTuple

from parlour import catalog
from parlour.documents.match import OfferKind, State
from parlour.errors import ParlourError
from parlour.game import opponent
from parlour.installation import own_command
from parlour.match import Match
from parlour.outcome import Termination
from parlour.rules import read_rules
from parlour.setup import Setup
from parlour.terminal import events, narration
from parlour.terminal.connection import Follower, Gone, Link, Lost, Malformed, Refused, Server, read_link, save_seat
from parlour.terminal.drawn import DrawnBoard, Series
from parlour.terminal.game import GameSession, MatchSession
from parlour.terminal.keyboard import Keyboard, Quit
from parlour.terminal.narration import Viewer
from parlour.terminal.session import command
from parlour.text import cleaned, clip, sentence
from parlour.view import PLAYERS, PlayerNumber

MAX_MOVES = 5_000  # limit for one round
OFFERS: dict[OfferKind, str] = {
    "undo": "to take a move back",
    "next": "to go on to the next round",
    "rematch": "for a rematch",
    "delete": "to delete this match",
}


def replay_state(state: State) -> Match:
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


class Typed(NamedTuple):
    """A line that the player typed; None at the end of input."""

    text: str | None


class QueuedKeyboard(Keyboard):
    """A keyboard that a thread reads, so that lines and messages of the server arrive in one queue.

    ``receive`` is called with each message that arrives while a line is awaited.
    """

    def __init__(self, queue: Queue[object], receive: Callable[[object], None]) -> None:
        super().__init__()
        self._queue, self._receive = queue, receive
        self._prompts: Queue[tuple[str, Callable[[], list[str]]]] = Queue()
        Thread(target=self._read_lines, daemon=True).start()

    def _read_lines(self) -> None:
        while True:
            self._queue.put(Typed(super().read_line(*self._prompts.get())))

    def read_line(self, prompt: str, words: Callable[[], list[str]] = list) -> str | None:
        self._prompts.put((prompt, words))
        while True:
            try:
                message = self._queue.get(timeout=0.5)  # without a timeout, Windows ignores Ctrl-C
            except Empty:
                continue
            if isinstance(message, Typed):
                return message.text
            self._receive(message)


class RemoteBoard(DrawnBoard):
    """The board of a match on a server."""

    seats: Sequence[PlayerNumber] = ()  # the players at this terminal

    def viewer(self, match: Match) -> Viewer:
        own = self.seats[0] if len(self.seats) == 1 else None
        first, second = ("You" if player == own else match.names[player - 1] for player in PLAYERS)
        return Viewer((first, second), own)


class RemoteSession(MatchSession):
    """The prompt of a match on a server, for a player or a spectator."""

    def __init__(self, server: Server, link: Link, state: State) -> None:
        self.server, self.link, self.state = server, link, state
        self._queue: Queue[object] = Queue()
        self._series = Series()
        self._lost = False
        keyboard = QueuedKeyboard(self._queue, self._receive)
        self.board = RemoteBoard(keyboard, self._series, plain=False)
        super().__init__(replay_state(state), self.board, keyboard)

    def play(self) -> int:
        """Play until the player leaves; return the exit code.

        Raises:
            Malformed: the server sent a match that cannot be read.
        """
        code = 0
        self._follower = Follower(self.server, self.link, self._queue)
        try:
            with self.keyboard.without_echo(self.board.draw_again):
                self._begin(self.state)
                while True:
                    self.ask()
        except Quit as quit:
            code = quit.exit_code
        except KeyboardInterrupt:
            sys.stdout.write("\n")
            code = 130
        except Gone as gone:
            self.board.say(sentence(str(gone)))
            return 1
        finally:
            self._follower.close()
        if self.state.status != "over":
            self.board.say(f"Come back with: {own_command()} join {self.link.address}")
        return code

    # Messages of the server.

    def _receive(self, message: object) -> None:
        """Show a message that arrives while a line is awaited."""
        follower, content = message if isinstance(message, tuple) else (None, None)
        if follower is not self._follower:
            return
        if isinstance(content, Exception):
            self.board.interrupt()
            raise content
        if isinstance(content, State) and (self._lost or self._has_changed(content)):
            self.board.interrupt()
            if self._lost:
                self.board.log("Connected again.")
            self._lost = False
            self._show_state(content)
        elif isinstance(content, Lost) and not self._lost:
            self.board.interrupt()
            self._lost = True
            self.board.log(f"The connection is lost ({content.reason}). Trying again ...")
        else:
            return
        self.prompt(False)
        sys.stdout.write(self.keyboard.unfinished)
        sys.stdout.flush()

    def _has_changed(self, state: State) -> bool:
        """Return whether a new state differs from the shown one in more than its connections."""
        shown = self.state
        return state.id != shown.id or (
            state.seq >= shown.seq
            and (state.ply, state.status, state.offer, state.can, state.rematch, state.table.names)
            != (shown.ply, shown.status, shown.offer, shown.can, shown.rematch, shown.table.names)
        )

    def _show_state(self, state: State) -> None:
        """Show the changes since the last state."""
        if state.id != self.state.id:
            self._begin(state)
            return
        if not self._has_changed(state):
            return
        before, old = self.state, self.match
        match = self._accept_state(state)
        if before.status == "waiting" and state.status != "waiting":
            joined = [match.names[player - 1] for player in PLAYERS if player not in state.you]
            self.board.log(f"{' and '.join(joined)} has joined.")
        shown = 0
        if state.round != before.round:
            self.board.log(f"Round {state.round}: {narration.beginner(match, self.board.viewer(match))}.")
        else:
            was, now = old.round.moves, match.round.moves
            while shown < min(len(was), len(now)) and was[shown] == now[shown]:
                shown += 1
            if was[shown:]:
                self._show(events.TookBack(match.rules.spoken(was[shown:])))
        self._show_moves(shown)
        if state.status != before.status:
            self._show_end()
        if state.rematch:
            self._follow_rematch(state.rematch)

    def _accept_state(self, state: State) -> Match:
        self.state, self.match = state, replay_state(state)
        self.board.seats = state.you
        return self.match

    def _begin(self, state: State) -> None:
        """Show the first state of a match."""
        match = self._accept_state(state)
        self._show(events.Dealt(None))
        self._show_moves(len(match.round.moves) - 2)
        self._show_end()
        if state.rematch:
            self._follow_rematch(state.rematch)

    def _show_moves(self, shown: int) -> None:
        """Show the moves of the round after the first ``shown``."""
        replayed = self.match.at(0)
        for ply, move in enumerate(self.match.round.moves):
            replayed.play(move)
            if ply >= shown:
                self.renderer.show(events.Played(), replayed)

    def _show_end(self) -> None:
        """Show the end of the round or the match, if it has ended."""
        if self.state.status == "between":
            self._show(events.RoundEnded())
        elif self.state.status == "over":
            if self.match.outcome is not None:
                self._show(events.Ended(self.match.outcome))
            elif self.state.outcome is not None:
                self.board.log(sentence(cleaned(self.state.outcome.text)), bold=True)

    def _follow_rematch(self, id: str) -> None:
        """Follow the rematch, in which the secret of the seat is valid too."""
        link = read_link(f"{self.link.server}/m/{id}")
        if link is None or self.link.seat is None:
            return
        self._follower.close()
        self._series.count(self.match)
        self.link = link._replace(seat=self.link.seat)
        save_seat(self.link)
        self._follower = Follower(self.server, self.link, self._queue)

    # The prompt.

    def prompt(self, again: bool) -> str:
        state, match = self.state, self.match
        if state.offer is not None:
            name = self.board.viewer(match).name(state.offer.by)
            self.board.remark(
                f"You have asked {OFFERS[state.offer.kind]}; type no to withdraw it." if state.offer.by in state.you
                else f"{name} asks {OFFERS[state.offer.kind]}: yes or no?"
            )  # fmt: skip
        if state.status == "over":
            choices = [each.word for each in self.offered() if each.word in ("rematch", "undo")]
            return self.board.ask_below(f"Type {', '.join([*choices, 'moves'])} or quit.")
        if self.can_move:
            return super().prompt(again)
        if state.status == "waiting":
            question = "Waiting for your friend to join."
        elif not state.you:
            question = "You are watching."
        elif state.status == "between":
            question = "This round is a draw. Type next for another."
        else:
            question = f"{match.names[match.turn - 1]} is to move."
        return self.board.ask(match, question, about="? for help")

    @property
    def can_move(self) -> bool:
        return "move" in self.state.can

    def answer(self, text: str) -> None:
        """Send a move."""
        state = self.state
        word = text.strip().lower().partition(" ")[0]
        if not word:
            return
        if word in GameSession.commands:
            self.board.warn(f"You cannot use {word} in a match on a server.")
        elif self.can_move:
            self._send("move", move=self.match.rules.name(self.match.read(text)), ply=state.ply)
        elif state.status == "waiting":
            self.board.warn(f"{clip(text)!r} is not played: your friend has not joined yet.")
        elif state.status == "over":
            self.board.warn(f"{clip(text)!r} is not played: the game is over.")
        else:
            self.board.warn(f"{clip(text)!r} is not played: it is not your turn.")

    def _can(self, word: str) -> bool:
        return word in self.state.can or f"offer {word}" in self.state.can

    @command("undo", help="take your last move back, or ask your friend", listed=lambda session: session._can("undo"))
    def undo(self, text: str) -> None:
        self._act("undo")

    @command("next", help="the next round, or ask your friend", listed=lambda session: session._can("next"))
    def next_round(self, text: str) -> None:
        self._act("next")

    @command("rematch", "again", help="play again, or ask your friend", listed=lambda session: session._can("rematch"))
    def rematch(self, text: str) -> None:
        self._act("rematch")

    @command("yes", "y", "accept", help="accept an offer", listed=lambda session: "accept" in session.state.can)
    def accept(self, text: str) -> None:
        self._answer_offer("accept")

    @command("no", "n", "decline", help="decline or withdraw an offer", listed=lambda session: session.state.offer)
    def decline(self, text: str) -> None:
        self._answer_offer("decline" if "decline" in self.state.can else "withdraw")

    @command("resign", help="give up the game", listed=lambda session: session._can("resign"))
    def resign(self, text: str) -> None:
        if not self._can("resign"):
            self.board.warn("There is no game of yours to resign.")
        elif self._confirm_resignation():
            self._send("resign")

    @command("quit", "q", "exit", help="leave; your seat is saved")
    def quit(self, text: str) -> None:
        raise Quit(0)

    # Requests.

    def _act(self, kind: OfferKind) -> None:
        """Send a request, or an offer if the friend has to agree."""
        if kind not in self.state.can and self.state.kind == "friend":
            self._send("offer", kind=kind, ply=self.state.ply)
        elif kind == "rematch":
            self._send(kind)
        else:
            self._send(kind, ply=self.state.ply)

    def _answer_offer(self, answer: str) -> None:
        offer = self.state.offer
        if offer is None or answer not in self.state.can:
            self.board.warn("There is no offer to answer.")
        else:
            self._send(f"offer/{answer}", kind=offer.kind, ply=self.state.ply, seq=self.state.seq)

    def _send(self, path: str, **body: object) -> None:
        """Send a request until the server answers, and show the new state."""
        path = f"/api/matches/{self.link.match}/{path}"
        try:
            state = self.server.retry(State, path, body, self.link.seat, on_retry=self.board.say)
        except Refused as refused:
            if refused.state is not None:
                self._show_state(refused.state)
            self.board.warn(sentence(str(refused)))
        else:
            self._show_state(state)
