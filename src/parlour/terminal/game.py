"""A match between two players at a terminal or through a pipe; every action is saved."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from time import monotonic
from typing import TYPE_CHECKING

from parlour import players
from parlour.errors import NothingToUndo, ParlourError, TooBig, UnknownPlayer
from parlour.game import PASS, opponent
from parlour.installation import own_command
from parlour.limit import Limit
from parlour.match import DEAL, MOVE, UNDO, Action, Match
from parlour.outcome import Outcome
from parlour.saves import SaveFile, path_of
from parlour.terminal import events, narration
from parlour.terminal.keyboard import Keyboard, Quit
from parlour.terminal.session import Session, command, unlisted
from parlour.text import clip, sentence
from parlour.turn import Player, Turn, take_turn, turns
from parlour.view import POOL, PlayerNumber

if TYPE_CHECKING:
    from parlour.study.hints import Hints
    from parlour.terminal.background import SearchThread

MAX_COMPLETIONS = 200  # moves that Tab completes
MOVE_SECONDS = 60.0  # the default limit of a computer's move while a person waits
HURRIED_SECONDS = 0.5  # the limit of a stand-in's move


class MatchSession(Session):
    """The prompt of a match, local or on a server."""

    watched = True  # whether people watch at a terminal

    def __init__(self, match: Match, renderer: events.Renderer, keyboard: Keyboard) -> None:
        super().__init__(keyboard)
        self.match = match
        self.renderer = renderer

    def _show(self, event: events.Event) -> None:
        self.renderer.show(event, self.match)

    def prompt(self, again: bool) -> str:
        return self.renderer.prompt(self.match, again)

    def remark(self, text: str) -> None:
        self._show(events.Remarked(text))

    def refuse(self, text: str, error: ParlourError) -> None:
        head, _, rest = text.strip().partition(" ")
        self._show(events.Refused(rest.strip() if head.lower() == "why" and rest else text, error))

    @property
    def can_move(self) -> bool:
        """Whether a move can be typed now."""
        return bool(self.match.legal_moves)

    def moves(self) -> list[str]:
        return self.match.rules.names(self.match.legal_moves[:MAX_COMPLETIONS]) if self.can_move else []

    @command("help", "?", "h", help="what you can type")
    def show_help(self, text: str) -> None:
        match, shown = self.match, f"You can type:\n{self.help_text()}"
        if self.can_move:
            legal = narration.legal_moves(match) if self.watched else match.rules.spell(match.legal_moves)
            shown = (
                f"Select {match.rules.expected(match.position)}. Possible now: {legal}\n\nYou can also type:\n"
                f"{self.help_text()}"
            )
        if not self.watched and any(group.shape == POOL for group in match.rules.view(match.moment)):
            shown += (
                "\n\nAmong the numbers to choose from, brackets mark those you cannot choose now, and dots those taken."
            )
        self.remark(shown)

    @command("rules", help="the rules of this game")
    def show_rules(self, text: str) -> None:
        self.remark(self.match.rules.rules_text)

    @command("board", help="show the board again")
    def show_board(self, text: str) -> None:
        self._show(events.BoardShown())

    @command("moves", help="the moves so far")
    def show_moves(self, text: str) -> None:
        match, round = self.match, self.match.round
        if not round.moves:
            self.remark("Nothing has been played yet." if len(match.rounds) == 1 else "This round has just begun.")
            return
        viewer = self.renderer.viewer(match)
        played = (f"{viewer.name(round.player(ply))}: {self._short(move)}" for ply, move in enumerate(round.moves))
        self.remark(", ".join(played))

    def _short(self, move: int) -> str:
        """Return the name of a move as people type it: by the number on the board, if it has one."""
        return self.match.rules.spoken([move])[0]

    def _confirm_resignation(self) -> bool:
        if self.keyboard.terminal:
            answer = self.keyboard.read_line("Give up this game? y or n: ")
            if (answer or "").strip().lower() not in ("y", "yes"):
                self.remark("The game continues.")
                return False
        return True


class GameSession(MatchSession):
    """The prompt of a local match."""

    def __init__(
        self,
        match: Match,
        save: SaveFile | None,
        renderer: events.Renderer,
        keyboard: Keyboard,
        *,
        watched: bool = False,
        strict: bool = False,
        seconds: float | None = None,
    ) -> None:
        """``watched``: people watch at a terminal; they can hurry a computer, and a quicker one may replace it.

        ``strict``: no hints and no undo, as in a strict match. ``seconds`` limits each move of a computer.
        """
        super().__init__(match, renderer, keyboard)
        self.save = save
        self.watched = watched
        self.strict = strict or match.setup.strict
        self.seconds = seconds
        self.players = [players.load(word) for word in match.setup.players]
        self._hints: Hints | None = None
        self._search_thread: SearchThread | None = None
        self._undone: list[list[Action]] = []  # the actions of each undo, in the order of play
        self._has_rounds = match.rules.max_rounds is not None

    def play(self) -> Outcome:
        """Play to the end.

        Raises:
            Quit: the person leaves, or the input has ended.
        """
        number = self.save.number if self.save else None
        if number is not None and self.match.log:
            self._show(events.Resumed(number))
        else:
            self._show(events.Dealt(number))
        return self.play_on()

    def play_on(self) -> Outcome:
        """Continue without an introduction, for example after the end was undone."""
        match = self.match
        try:
            for turn in turns(match, self._end_round):
                player = self.players[turn - 1]
                if player is not None and not match.stuck:
                    self._play_computer(player)
                elif player is None and (not match.stuck or self.renderer.confirms_pass):
                    self.ask()
                else:
                    self._play(PASS)
        finally:
            self._close_players()
        outcome = match.outcome
        assert outcome is not None  # there are no more turns
        self._show(events.Ended(outcome))
        return outcome

    def _close_players(self) -> None:
        for player in self.players:
            if player is not None:
                player.close()

    def _end_round(self) -> None:
        self._show(events.RoundEnded())
        self._next_round()

    def _next_round(self) -> None:
        self._save(self.match.next_round())
        self._show(events.Dealt(None))

    def _save(self, action: Action) -> None:
        if self.save:
            self.save.append(action)

    def _play(self, move: int) -> None:
        self._save(self.match.play(move))
        self._show(events.Played())

    # Computers.

    def _play_computer(self, player: Player) -> None:
        """Play a computer's turn; if it fails or resigns, it loses."""
        match, before = self.match, self.match.moment
        try:
            turn = self._search(player)
        except KeyboardInterrupt:
            if not self.watched or not match.steps_back(self._people):
                raise
            self.undo("")
            return
        if turn is None:
            return
        action, reason = turn
        self._save(action)
        if action.kind == MOVE:
            self._show(events.Chose(before))
            self._show(events.Played())
        elif reason:
            self.remark(f"{match.names[action.player - 1]} forfeits: {reason}")

    def _search(self, player: Player) -> Turn | None:
        """Return the turn of a computer; None if another computer replaces it from now on."""
        match = self.match
        if not self.watched:
            return take_turn(match, player, None if self.seconds is None else Limit(self.seconds))
        from parlour.terminal.background import CtrlC, SearchThread  # slow to load

        limit = Limit(MOVE_SECONDS if self.seconds is None else self.seconds)
        with CtrlC(limit) as ctrl_c:  # Ctrl-C must not interrupt between a move and saving it
            self._search_thread = self._search_thread or SearchThread()
            copy = match.copy()
            try:
                with self.renderer.thinking(match):
                    turn = self._search_thread.run(lambda: take_turn(copy, player, limit), limit, ctrl_c)
                match.repeat(turn.action)
                return turn
            except TooBig as error:
                reason = str(error).partition(";")[0]  # without the advice for programs
                if ctrl_c.pressed > 1:
                    raise KeyboardInterrupt from None
                kind = players.find_kind(match.setup.players[match.turn - 1])
                if limit.hurried or not kind.needs_proof:
                    return self._move_now(kind.stand_in)
            finally:
                if self._search_thread.abandoned:
                    self._search_thread = None
                    self._load_players()  # the abandoned thread still uses the old ones
        setup = players.hand_over(match.setup, match.turn)
        easier = players.find_kind(setup.players[match.turn - 1])
        self._change_players(match.names, setup.players)
        self.remark(f"{sentence(reason)} {_short_title(easier)} plays on in its place.")
        return None

    def _move_now(self, word: str) -> Turn:
        """Return the turn of a quicker computer, or of its stand-in if that is too slow as well."""
        kind = players.find_kind(word)
        player = players.find_player(word)
        try:
            turn = take_turn(self.match, player, Limit(HURRIED_SECONDS))
        except TooBig:
            return self._move_now(kind.stand_in)
        finally:
            player.close()
        self.remark(f"That was {_short_title(kind)}'s move: there was no time for a better one.")
        return turn

    def _load_players(self) -> None:
        self._close_players()
        self.players = [players.load(word) for word in self.match.setup.players]

    def _change_players(self, names: tuple[str, str], words: tuple[str, str]) -> None:
        for word in words:
            players.check_start(word)
        self.match.change_setup(replace(self.match.setup, names=names, players=words))
        if self.save:
            self.save.rewrite()
        self._load_players()

    @property
    def has_computer(self) -> bool:
        """Whether one person plays against one computer."""
        return len(self._people) == 1

    @property
    def _people(self) -> list[PlayerNumber]:
        return players.people_of(self.match.setup)

    # The prompt.

    def answer(self, text: str) -> bool:
        """Play a move."""
        match = self.match
        move = PASS if match.stuck and not text.strip() else match.read(text)
        self._undone.clear()
        self._play(move)
        return True

    @command("hint", help="how you stand; ask again for more", strict=False)
    def hint(self, text: str) -> None:
        from parlour.study.hints import STANDING

        match = self.match

        def show(hints: Hints, limit: Limit) -> None:
            hint = hints.hint(limit)
            if hint.rung == STANDING and match.rules.settled(match.position) and not match.last_round:
                hint = replace(hint, text=f"{hint.text} Type next for the next round.")
            self._show(events.Hinted(hint))

        self._study(show)

    @command("why", help="what a move is worth, and why: why 7", argument=True, strict=False)
    def why(self, text: str) -> None:
        match = self.match
        if not text:
            example = self._short(match.legal_moves[0])
            self.remark(f"Which move? Type why and the move, for example: why {example}")
            return
        self._study(lambda hints, limit: self._show(events.Hinted(hints.why(match.read(text), limit))))

    def _study(self, show: Callable[[Hints, Limit], None]) -> None:
        """Search for an answer and show it. Ctrl-C stops the search, not the game."""
        from parlour.study.hints import HINT_SECONDS, Hints  # slow to load

        if self._hints is None:
            self._hints = Hints(self.match)
        self._hints.names = self.renderer.viewer(self.match).names
        wait = _WaitNotice()
        try:
            show(self._hints, Limit(HINT_SECONDS, on_progress=wait if self.keyboard.terminal else None))
        except KeyboardInterrupt:
            if not self.keyboard.terminal:
                raise
            self.remark("Search stopped. The game continues.")
        finally:
            wait.end()

    @command("undo", help="take back your last move and the answer to it", strict=False)
    def undo(self, text: str) -> bool:
        """Undo everything since the last choice of a person."""
        match = self.match
        steps = match.steps_back(self._people)
        if not steps:
            raise NothingToUndo(
                "there is no move of yours to take back" if _not_undone(match.log) else "nothing has been played yet"
            )
        undone = _not_undone(match.log)[-steps:]
        names = [self._action_name(action) for action in undone]
        for _ in undone:
            self._save(match.undo())
        self._undone.append(undone)
        self._show(events.TookBack(names))
        return True

    @command("redo", help="play again what you took back", strict=False)
    def redo(self, text: str) -> bool:
        if not self._undone:
            raise NothingToUndo("nothing was taken back that could be played again")
        undone = self._undone.pop()
        for action in undone:
            self._save(self.match.repeat(action))
        self._show(events.PlayedAgain([self._action_name(action) for action in undone]))
        return True

    def _action_name(self, action: Action) -> str:
        if action.kind == MOVE:
            return self._short(action.move) if self.watched else self.match.rules.name(action.move)
        return "the next round" if action.kind == DEAL else "the resignation"

    @command("next", help="the next round, once this one cannot be won", when=lambda session: session._has_rounds)
    def next_round(self, text: str) -> bool:
        self._undone.clear()
        self._next_round()
        return True

    @command(
        "level",
        help="another computer takes over: level 2, level random, level perfect",
        argument=True,
        strict=False,
        listed=lambda session: session.has_computer,
    )
    def change_level(self, text: str) -> None:
        word = self.read_level(text)
        if word is not None:
            match = self.match
            player = opponent(self._people[0])
            self._change_players(match.names, players.with_player(match.setup, player, word).players)
            self.remark(f"{_short_title(players.find_kind(word))} takes over from here.")

    def read_level(self, text: str, now: str | None = None) -> str | None:
        """Return the word of the computer that a text names; without a text, list them and return None.

        ``now`` is the current choice if it differs from the computer that plays.

        Raises:
            UnknownPlayer: there is no such computer, or no computer plays in this match.
        """
        if not self.has_computer:
            raise UnknownPlayer("you are playing a person: there is no level to change")
        words = ", ".join(kind.word.removeprefix("level:") for kind in players.offered())
        if not text:
            title = players.find_kind(now or self.match.setup.players[opponent(self._people[0]) - 1]).title
            self.remark(f"You play against {title}. Type level and one of these: {words}")
            return None
        word = f"level:{text}" if text.isdigit() else text.lower()
        try:
            players.find_player(word)
        except UnknownPlayer as error:
            if ":" in text:
                raise
            raise UnknownPlayer(f"there is no level {clip(text)!r}; type level and one of these: {words}") from error
        return word

    @command("swap", help="change sides with the computer", strict=False, listed=lambda session: session.has_computer)
    def swap(self, text: str) -> bool:
        match = self.match
        if not self.has_computer:
            raise UnknownPlayer("you are playing a person: there is no computer to change sides with")
        names, words = match.names, match.setup.players
        self._change_players((names[1], names[0]), (words[1], words[0]))
        self._undone.clear()
        self.remark("You have changed sides.")
        return True

    @command("resign", help="give up the game")
    def resign(self, text: str) -> bool | None:
        if not self._confirm_resignation():
            return None
        self._undone.clear()
        self._save(self.match.resign(self.match.turn))
        return True

    @command("save", help="where this game is saved")
    def show_file(self, text: str) -> None:
        number = self.save.number if self.save else None
        self.remark(
            "This game cannot be saved." if number is None
            else f"Saved as game {number} after every move, in {path_of(number)}. "
            f"Resume it with: {own_command()} resume {number}"
        )  # fmt: skip

    @command("report", help="where the game turned", listed=unlisted)
    def defer_report(self, text: str) -> None:
        now = "" if self.strict or not self.save else f" To see it now: {own_command()} report {self.save.number}"
        self.remark(f"The report comes when the game is over.{now}")

    @command("quit", "q", "exit", help="leave; the game is saved and can be resumed")
    def quit(self, text: str) -> None:
        raise Quit(0)


def _short_title(kind: players.PlayerKind) -> str:
    """Return the title of a kind of computer for use inside a sentence, without its nickname."""
    return kind.title.removesuffix(f", {kind.nickname}")


def _not_undone(log: list[Action]) -> list[Action]:
    """Return the actions that were not undone."""
    actions: list[Action] = []
    for action in log:
        if action.kind == UNDO:
            actions.pop()
        else:
            actions.append(action)
    return actions


class _WaitNotice:
    """A notice on standard error once a hint takes longer than a second."""

    TEXT = "Thinking ... Ctrl-C stops the hint, not the game."

    def __init__(self) -> None:
        self._start = monotonic()
        self._shown = False

    def __call__(self, spent: int) -> None:
        if not self._shown and monotonic() - self._start > 1:
            self._shown = True
            sys.stderr.write(self.TEXT)
            sys.stderr.flush()

    def end(self) -> None:
        if self._shown:
            sys.stderr.write("\r" + " " * len(self.TEXT) + "\r")
            sys.stderr.flush()
