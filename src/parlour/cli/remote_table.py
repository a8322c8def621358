"""A match on a server at this terminal: what it says is drawn and told here, and what is typed here is sent there.

The server decides everything; what it sends is a stranger's, and counts only as far as our own rules can play it again.
"""

from __future__ import annotations

import os
import select
import sys
from collections import deque
from collections.abc import Mapping
from threading import Event, Lock, Thread
from typing import Any

import click

from parlour import catalog
from parlour.cli.connection import (
    FIRST_WAIT,
    LONGEST_WAIT,
    Link,
    NoAnswer,
    Refused,
    Server,
    forget_seat,
    keep_seat,
    read_link,
)
from parlour.errors import MoveRefused, ParlourError, UnknownGame
from parlour.game import PASS, opponent
from parlour.installation import own_command
from parlour.match import Match
from parlour.outcome import Termination
from parlour.rules import read_rules
from parlour.setup import Setup, player_number
from parlour.terminal.drawn import choices_in_words, show_table
from parlour.terminal.screen import Screen, reflow, width
from parlour.text import cleaned, clip, sentence
from parlour.view import PLAYERS, PlayerNumber

POLL_SECONDS = 2.0  # between two looks at a match that is over: whether there is a rematch
MOST_MOVES = 5_000  # of one round that are played again here
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


class NotAMatch(Exception):
    """What the server has sent makes no sense to this Parlour."""


class Gone(Exception):
    """There is no more to see, for this reason."""


def refused_in_words(refused: Refused) -> str:
    words = {
        "match/unknown": "there is no such match, or no longer: it has expired or was deleted",
        "seat/taken": "somebody else has taken this seat already",
        "seat/wrong": "this link is not good for this match; was it copied whole?",
    }
    return words.get(refused.code, str(refused))


def impatient() -> Any:
    """Tells once that it takes longer."""
    told: list[str] = []

    def waiting(reason: str) -> None:
        if not told:
            click.echo(f"No answer yet ({reason}); trying again. Ctrl-C gives up.", err=True)
        told.append(reason)

    return waiting


# A match as the server tells of it.


def read_match(state: Mapping[str, Any]) -> Match:
    """The round of a state, played again by our own rules; NotAMatch if it cannot be."""
    try:
        table = state["table"]
        texts = {str(name): str(text) for name, text in table["options"].items() if text}
        game = catalog.find_game(str(table["game"]))
        names = (str(table["names"][0]), str(table["names"][1]))
        match = Match(Setup(read_rules(game, texts), names, first=player_number(table["first"])))
        match.play_line([str(move) for move in table["moves"][:MOST_MOVES]])
        outcome = state.get("outcome")
        if outcome and outcome["how"] in (Termination.RESIGNED, Termination.FORFEITED):
            loser = opponent(player_number(outcome["winner"]))
            match.resign(loser, forfeit=outcome["how"] == Termination.FORFEITED)
    except UnknownGame as error:
        raise NotAMatch(f"this Parlour does not know the game: {error}") from None
    except (ParlourError, KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
        raise NotAMatch(f"what the server sent is not a match: {cleaned(str(error))}") from None
    return match


class Follower:
    """Listens to a match in a thread of its own, and lays what it hears where the table finds it."""

    def __init__(self, server: Server, link: Link) -> None:
        self._server, self._link = server, link
        self.news: deque[tuple[str, Any]] = deque()  # ("state", it), ("lost", why), ("gone", why)
        self.readable, self._wake = os.pipe()
        self._closed = Event()
        self._pipe_lock = Lock()
        Thread(target=self._listen, daemon=True).start()

    def close(self) -> None:
        """Stop listening and close the pipe; the thread ends as soon as the server lets it."""
        with self._pipe_lock:
            if not self._closed.is_set():
                self._closed.set()
                os.close(self.readable)
                os.close(self._wake)

    def _tell(self, kind: str, what: Any) -> None:
        with self._pipe_lock:  # otherwise close() could free the descriptor between the check and the write
            if not self._closed.is_set():
                self.news.append((kind, what))
                os.write(self._wake, b".")

    def _listen(self) -> None:
        wait, last = FIRST_WAIT, None
        while not self._closed.is_set():
            try:
                for last in self._server.follow(self._link.match, self._link.seat):
                    wait = FIRST_WAIT
                    if self._closed.is_set():
                        return
                    self._tell("state", last)
                if last is not None and last.get("status") == "over":
                    wait = POLL_SECONDS  # the stream of a match that is over ends; there may be a rematch
            except NoAnswer as error:
                self._tell("lost", str(error))
                wait = min(wait * 2, LONGEST_WAIT)
            except Refused as refused:
                if not refused.passes:
                    self._tell("gone", refused_in_words(refused))
                    return
                wait = max(refused.wait, min(wait * 2, LONGEST_WAIT))
            self._closed.wait(wait)


class RemoteTable:
    """One match on a server, at this terminal."""

    def __init__(self, server: Server, link: Link) -> None:
        self.server, self.link = server, link
        self.screen = Screen()
        self.state: dict[str, Any] | None = None
        self.match: Match | None = None
        self.follower = Follower(server, link)
        self._typed = b""
        self._lost = False

    def play(self) -> int:
        """Play until somebody leaves; the exit code."""
        code = 0
        try:
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
        except NotAMatch as error:
            raise click.ClickException(str(error)) from None
        finally:
            self.follower.close()
        if self.state is None or self.state.get("status") != "over":
            self._remark(f"Come back with: {own_command()} join {self.link.address}")
        return code

    # What comes from outside.

    def _wait(self) -> str | None:
        """The next line that is typed; meanwhile whatever happens in the match is told. None at the end of input."""
        while True:
            ready, _, _ = select.select([0, self.follower.readable], [], [])
            if self.follower.readable in ready:
                os.read(self.follower.readable, 1000)
                while self.follower.news:
                    self._hear(*self.follower.news.popleft())
            if 0 in ready:
                data = os.read(0, 4096)
                if not data:
                    return None
                self._typed += data
            line, end, rest = self._typed.partition(b"\n")
            if end:
                self._typed = rest
                return line.decode(errors="replace")

    def _hear(self, kind: str, what: Any) -> None:
        if kind == "gone":
            forget_seat(self.link)
            raise Gone(what)
        if kind == "lost":
            if not self._lost:
                self._lost = True
                self._news(f"The connection is lost ({what}). Trying again ...")
            return
        if self._lost:
            self._lost = False
            self._news("Connected again.")
            if not self._take(what):
                self._ask()
        else:
            self._take(what)

    def _take(self, state: dict[str, Any]) -> bool:
        """Show what is new in a state; whether there is anything."""
        if self.state is not None and _number(state, "seq") < _number(self.state, "seq"):
            return False
        match = read_match(state)
        news = self._what_happened(state, match)
        moved = self.match is None or _number(state, "ply") != _number(self.state or {}, "ply")
        changed = moved or _situation(state) != _situation(self.state or {})
        self.state, self.match = state, match
        if rematch := state.get("rematch"):
            self._change_to(str(rematch))
            return True
        if changed:
            sys.stdout.write("\n")
            for line in news:
                self._remark(line)
            if moved:
                self._show()
            if moved and state.get("status") == "over":
                self._remark(self._end())
            self._ask()
        return bool(changed)

    def _change_to(self, rematch: str) -> None:
        """Go on with the match that follows this one; the seat is good there as well."""
        link = read_link(f"{self.link.server}/m/{rematch}")
        if link is None or self.link.seat is None:
            return
        self.follower.close()
        self.link = link._replace(seat=self.link.seat)
        keep_seat(self.link)
        self._news("The rematch begins.")
        self.state, self.match = None, None
        self.follower = Follower(self.server, self.link)

    # What is said and shown.

    def _what_happened(self, state: Mapping[str, Any], match: Match) -> list[str]:
        """What was done since the last state that was shown, a sentence each."""
        before = self.match
        if before is None:
            return [f"{match.game.title}: {match.names[0]} - {match.names[1]}", match.rules.summary]
        lines = []
        if (self.state or {}).get("status") == "waiting" and state.get("status") != "waiting":
            others = [match.names[player - 1] for player in PLAYERS if player not in _own_players(state)]
            lines.append(f"{' and '.join(others)} has joined.")
        if state.get("round") != (self.state or {}).get("round"):
            lines.append(f"Round {_number(state, 'round')}. {match.names[match.round.first - 1]} begins.")
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
        can = _can(state)
        offer = state.get("offer")
        if isinstance(offer, dict):
            asked = {
                "undo": "to take a move back",
                "next": "to go on to the next round",
                "rematch": "for a rematch",
                "delete": "to delete this match",
            }
            what = asked.get(str(offer.get("kind")), "for something")
            mine = offer.get("by") in _own_players(state)
            other = self._who(1 if _number(offer, "by") == 1 else 2, state)
            self._remark(f"You have asked {what}." if mine else f"{other} asks {what}: yes or no?")
        if state.get("status") == "waiting":
            prompt = "Waiting for somebody to join. Ctrl-C leaves. "
        elif state.get("status") == "over":
            again = "rematch" in can or "offer rematch" in can
            prompt = "Type rematch or quit > " if again else "Type quit to leave > "
        elif "move" in can:
            needs = match.rules.needs(match.position)
            prompt = f"Your turn: {choices_in_words(match)}{f' ({needs})' if needs else ''}  (?: help)\n> "
        elif "next" in can:
            prompt = "This round is drawn. Type next for another > "
        elif not _own_players(state):
            prompt = "You are watching. Type quit to leave > "
        else:
            prompt = f"{match.names[match.turn - 1]} is to move ...  (?: help)\n> "
        sys.stdout.write(prompt)
        sys.stdout.flush()

    def _end(self) -> str:
        """How it ended, and for whom."""
        assert self.match is not None
        assert self.state is not None
        match, outcome = self.match, self.match.outcome
        if outcome is None:
            said = self.state.get("outcome")
            return sentence(cleaned(str(said.get("text")))) if isinstance(said, dict) else "It is over."
        if match.resigned is not None:
            told = f"{self._who(match.resigned, self.state)} gave up."
        else:
            subject, text = match.game.display.verdict(match.moment, match.round_winner)
            told = sentence(text if subject is None else f"{self._who(subject, self.state)} {text}")
        if outcome.winner is not None:
            winner = self._who(outcome.winner, self.state)
            told += " You win!" if winner == "You" else f" {winner} wins."
        return told

    def _who(self, player: PlayerNumber, state: Mapping[str, Any]) -> str:
        if _own_players(state) == [player]:
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
        if "move" not in _can(self.state):
            why = "nobody has joined yet" if self.state.get("status") == "waiting" else "it is not your turn"
            self._refuse(f"{why}, so {clip(text)!r} is not played")
            return
        try:
            move = self.match.rules.name(self.match.read(text))
        except MoveRefused as refused:
            self._refuse(f"{refused.reason}; possible now: {choices_in_words(self.match)}")
            return
        self._send("move", {"move": move, "ply": self.state.get("ply")})

    def _command(self, word: str) -> None:
        """A word that changes the match: at once where that is a right, and as an offer where the friend is asked."""
        assert self.state is not None
        can, ply, offer = _can(self.state), self.state.get("ply"), self.state.get("offer")
        if word in ("yes", "no"):
            answer = {"yes": "accept", "no": "decline"}[word]
            if not isinstance(offer, dict) or answer not in can:
                self._refuse("nothing is asked of you just now")
            else:
                body = {"kind": offer.get("kind"), "ply": ply, "seq": self.state.get("seq")}
                self._send(f"offer/{answer}", body)
        elif word == "resign" and "resign" in can:
            sys.stdout.write("Give up this game? Type yes to confirm: ")
            sys.stdout.flush()
            if (self._wait() or "").strip().lower() in ("y", "yes"):
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
            answer = self.server.insist(
                f"/api/matches/{self.link.match}/{path}", body, self.link.seat, waiting=impatient()
            )
        except Refused as refused:
            if refused.state is not None:
                self._take(refused.state)
            self._refuse(str(refused))
            return
        self._take(answer)

    def _refuse(self, reason: str) -> None:
        self.screen.say(reflow(sentence(reason), min(width(), 80)), "yellow")
        self._ask()


def _can(state: Mapping[str, Any]) -> list[str]:
    found = state.get("can")
    return [str(word) for word in found] if isinstance(found, list) else []


def _own_players(state: Mapping[str, Any]) -> list[PlayerNumber]:
    found = state.get("you")
    return [player for player in PLAYERS if player in found] if isinstance(found, list) else []


def _number(state: Mapping[str, Any], name: str) -> int:
    found = state.get(name)
    return found if isinstance(found, int) else 0


def _situation(state: Mapping[str, Any]) -> tuple[Any, ...]:
    """What a player wants to be told about besides the moves."""
    return state.get("status"), state.get("offer"), state.get("rematch"), _can(state)
