"""Parlour as an engine: another program sends commands, line by line, and gets a reply to each.

The protocol is in the style of GTP, the Go Text Protocol, version 2; ``docs/engine.md`` tells it command by command.
Whoever talks to an engine is a program that somebody is just writing: nothing it sends ends the engine, and every
refusal says what would do. The board changes only where a command has succeeded.
"""

from __future__ import annotations

import re
from random import Random
from time import monotonic
from typing import IO, NamedTuple

from parlour import __version__, catalog, players, referee
from parlour.errors import ParlourError, TooBig, UnknownPlayer
from parlour.game import count
from parlour.match import Match, Setup
from parlour.options import show_options, show_words
from parlour.players import Resigned
from parlour.solver import Solver
from parlour.view import GRID, POOL, Tile

LONGEST = 2000  # characters of a command
MANY = 1000  # legal moves beyond which they are not listed
PATIENCE = 60.0  # seconds that an exact value may take

SEATS = {"1": 0, "b": 0, "black": 0, "2": 1, "w": 1, "white": 1}  # who begins is player 1, as black does in Go


class Command(NamedTuple):
    """What a command takes."""

    usage: str = "no arguments"
    least: int = 0  # arguments
    most: int = 0


COMMANDS = {
    "name": Command(),
    "version": Command(),
    "protocol_version": Command(),
    "list_commands": Command(),
    "known_command": Command("a command", 1, 1),
    "game": Command("the name of a game", 1, 1),
    "options": Command("words like NAME=VALUE, or nothing", 0, 100),
    "clear_board": Command(),
    "play": Command("a move, or 1 or 2 and a move", 1, 2),
    "undo": Command(),
    "genmove": Command("1, 2 or nothing", 0, 1),
    "legal": Command(),
    "value": Command(),
    "showboard": Command(),
    "quit": Command(),
}

_UNPRINTED = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")


class Engine:
    """One board, a player who chooses moves for both sides of it, and the commands."""

    def __init__(self, player: str, seed: str) -> None:
        """``player`` is the word of a player; UnknownPlayer if it names none, or a person."""
        loaded = players.load(player)
        if loaded is None:
            raise UnknownPlayer(f"{player!r} is no player for an engine: nobody can be asked here")
        self.has_quit = False
        self._player = loaded
        self._chance = Random(seed)
        self._match: Match | None = None
        self._solver: Solver | None = None  # for the game and the options of the board
        self._deadline = 0.0  # of its present answer

    def close(self) -> None:
        """Nothing more will be asked."""
        self._player.close()

    def answer(self, line: str) -> str:
        """The reply to a line, with the empty line that ends it; nothing for a line without a command."""
        kept = line.partition("#")[0]
        text = _UNPRINTED.sub("", kept.replace("\t", " ")).strip()
        if not text:
            return ""
        found = re.match(r"[0-9]+(?= |$)", text, re.ASCII)
        number = found[0] if found and len(found[0]) <= 20 else ""
        try:
            if len(kept) > LONGEST:
                raise ParlourError(f"the line is too long: at most {LONGEST} characters")
            sign, reply = "=", self._obey(text.removeprefix(number).split())
        except ParlourError as error:
            sign, reply = "?", str(error)
        return f"{sign}{number} {reply}".rstrip() + "\n\n"

    def _obey(self, words: list[str]) -> str:
        """Do what a command says, and answer it; a ParlourError if it cannot be done."""
        name, arguments = (words[0], words[1:]) if words else ("", [])
        if name not in COMMANDS:
            raise ParlourError(f"unknown command {referee.clip(name)!r}; list_commands lists what there is")
        usage, least, most = COMMANDS[name]
        if not least <= len(arguments) <= most:
            raise ParlourError(f"{name} takes {usage}, not {referee.clip(' '.join(arguments))!r}")
        answer: str = getattr(self, f"_{name}")(*arguments)
        return answer

    # About the engine.

    def _name(self) -> str:
        return "Parlour"

    def _version(self) -> str:
        return __version__

    def _protocol_version(self) -> str:
        return "2"

    def _list_commands(self) -> str:
        return "\n".join(COMMANDS)

    def _known_command(self, name: str) -> str:
        return "true" if name in COMMANDS else "false"

    def _quit(self) -> str:
        self.has_quit = True
        return ""

    # Setting up.

    @property
    def _board(self) -> Match:
        if self._match is None:
            raise ParlourError(f"there is no game yet; send game and one of: {', '.join(catalog.keys())}")
        return self._match

    def _begin(self, setup: Setup) -> str:
        self._match, self._solver = Match(setup), None
        return ""

    def _game(self, word: str) -> str:
        game = catalog.load(word)
        return self._begin(Setup(game, game.defaults, seed=str(self._chance.getrandbits(64))))

    def _options(self, *words: str) -> str:
        match = self._board
        if not words:
            return show_words(match.options)
        texts = {name: text for name, text in show_options(match.setup.options).items() if text}
        for word in words:
            name, equals, text = word.partition("=")
            if not equals:
                raise ParlourError(f"options takes {COMMANDS['options'].usage}, not {referee.clip(word)!r}")
            texts[name.replace("-", "_")] = text
        setup = match.setup
        options = referee.choose_options(setup.game, texts)
        return self._begin(Setup(setup.game, options, seed=str(self._chance.getrandbits(64))))

    def _clear_board(self) -> str:
        """The same deal from its beginning."""
        match = self._board
        self._match = Match(match.setup, match.options)
        return ""

    # Playing.

    def _play(self, *words: str) -> str:
        match = self._board
        if len(words) == 2:
            self._check_turn(words[0])
        match.play(match.read(words[-1]))
        return ""

    def _undo(self) -> str:
        self._board.undo()
        return ""

    def _genmove(self, seat: str | None = None) -> str:
        match = self._board
        if match.result:
            raise ParlourError(f"the game is over: {_standing(match)}; undo or clear_board goes on")
        if seat is not None:
            self._check_turn(seat)
        try:
            move = match.legal[0] if match.stuck else self._player.choose(match, self._chance)
        except Resigned:
            return "resign"
        name = referee.name_move(match.game, match.options, move)
        match.play(match.read(name))  # nothing is answered that could not be sent to us
        return name

    def _check_turn(self, word: str) -> None:
        seat = SEATS.get(word.lower())
        if seat is None:
            raise ParlourError(f"{referee.clip(word)!r} is no player; 1 or b begins, 2 or w follows")
        turn = self._board.turn
        if seat != turn:
            raise ParlourError(f"it is not player {seat + 1}'s turn, but player {turn + 1}'s")

    # Looking.

    def _legal(self) -> str:
        match = self._board
        if match.result:
            return ""
        if count(match.game.moves(match.options, match.position)) > MANY:
            moves = referee.spell_moves(match.game, match.options, match.legal)
            raise ParlourError(f"more than {MANY} moves are too many to list: {moves}")
        return " ".join(referee.name_move(match.game, match.options, move) for move in match.legal)

    def _value(self) -> str:
        match = self._board
        self._deadline = monotonic() + PATIENCE
        try:
            if self._solver is None:
                self._solver = Solver(match.game, match.options, progress=self._lose_patience)
            value, plies = self._solver.standing(match.position)
        except TooBig as error:
            raise ParlourError(f"too big: {error}") from None
        return value if plies is None else f"{value} {plies}"

    def _lose_patience(self, nodes: int) -> None:
        if monotonic() > self._deadline:
            raise TooBig(f"no exact answer within {PATIENCE:g} seconds; ask later in the game")

    def _showboard(self) -> str:
        match = self._board
        lines = [f"{match.game.title}, {show_words(match.options)}"]
        for title, shape, rows, _ in match.game.view(match.moment):
            shown = [" ".join(_shown(shape, tile) for tile in row) for row in rows]
            lines += [f"{title}: {shown[0]}"] if len(shown) == 1 else [f"{title}:", *shown]
        return "\n".join([*lines, _standing(match)])


def _shown(shape: str, tile: Tile) -> str:
    """A tile as one word: a dot in a pool is a number that is gone, a line in a row is an empty place."""
    if shape == POOL:
        return "." if tile.owner is not None else tile.text + tile.note
    return tile.note + tile.text if shape == GRID else tile.text or "_"


def _standing(match: Match) -> str:
    """Who is to move, or how it ended."""
    if not match.result:
        return f"player {match.turn + 1} to move"
    return "nobody has won" if match.winner is None else f"player {match.winner + 1} has won"


def serve(engine: Engine, source: IO[bytes], target: IO[str]) -> None:
    """Answer every line of a stream, each before the next is read, until it ends or says quit."""
    try:
        while not engine.has_quit and (line := source.readline(4 * LONGEST)):
            rest = line
            while rest and not rest.endswith(b"\n"):  # the end of an endless line is of no interest
                rest = source.readline(1 << 16)
            reply = engine.answer(line.decode(errors="replace"))
            if reply:
                target.write(reply)
                target.flush()
    finally:
        engine.close()
