"""The server side of the protocol: Parlour as an engine that another program controls.

Invalid input never ends the engine. A command that fails does not change the board.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import IO

from parlour import catalog
from parlour.errors import MoveRefused, ParlourError, TooBig
from parlour.gtp.protocol import (
    COMMANDS,
    MAX_COMMAND,
    PLAYER_WORDS,
    PROTOCOL_VERSION,
    RESIGNATION,
    check_command,
    read_line,
    show_reply,
)
from parlour.limit import Limit
from parlour.match import FORFEIT, RESIGN, Match
from parlour.options import show_options, show_words, unflag
from parlour.rules import LISTED_MOVES, Rules, read_rules
from parlour.setup import Setup
from parlour.solver import Solver
from parlour.text import clip
from parlour.turn import Player, take_turn
from parlour.version import __version__
from parlour.view import GRID, POOL, Tile

THINKING_SECONDS = 60.0  # time limit for a move or an exact value
NAMES = ("player 1", "player 2")


class Engine:
    """A board, and a player that chooses moves for both sides. Each command is a method."""

    def __init__(self, player: Player, seed: str, seconds: float = THINKING_SECONDS) -> None:
        """``seconds`` limits each move or value. The same ``seed`` and commands give the same replies."""
        self.has_quit = False
        self._player = player
        self._chance = Random(seed)
        self._seconds = seconds
        self._match: Match | None = None
        self._solver: Solver | None = None  # for the rules of the board

    def close(self) -> None:
        """Close the player."""
        self._player.close()

    def answer(self, text: str) -> str:
        """Return the reply to a line, including the empty line at its end; empty if the line has no command."""
        line = read_line(text)
        if line is None:
            return ""
        try:
            if line.is_too_long:
                raise ParlourError(f"the line is too long: at most {MAX_COMMAND} characters")
            return show_reply(line.number, self._execute(line.words))
        except ParlourError as error:
            return show_reply(line.number, str(error), refused=True)

    def _execute(self, words: list[str]) -> str:
        """Execute a command and return its answer. Raises ParlourError if it fails."""
        name, arguments = check_command(words)
        answer: str = getattr(self, f"_{name}")(*arguments)
        return answer

    # Administrative commands.

    def _name(self) -> str:
        return "Parlour"

    def _version(self) -> str:
        return __version__

    def _protocol_version(self) -> str:
        return PROTOCOL_VERSION

    def _list_commands(self) -> str:
        return "\n".join(COMMANDS)

    def _known_command(self, name: str) -> str:
        return "true" if name in COMMANDS else "false"

    def _quit(self) -> str:
        self.has_quit = True
        return ""

    # Setup. The board is a match of one round.

    @property
    def _board(self) -> Match:
        if self._match is None:
            raise ParlourError(f"there is no game yet; send game and one of: {', '.join(catalog.keys())}")
        return self._match

    def _seed(self) -> str:
        """Draw the seed of a new game."""
        return str(self._chance.getrandbits(64))

    def _begin(self, setup: Setup) -> str:
        self._match, self._solver = Match(setup), None
        return ""

    def _game(self, word: str) -> str:
        game = catalog.find_game(word)
        return self._begin(Setup(Rules(game, game.defaults), seed=self._seed(), cap=1))

    def _options(self, *words: str) -> str:
        match = self._board
        if not words:
            return show_words(match.options)
        texts = {name: text for name, text in show_options(match.setup.options).items() if text}
        for word in words:
            name, equals, text = word.partition("=")
            if not equals:
                raise ParlourError(f"options takes {COMMANDS['options'].usage}, not {clip(word)!r}")
            texts[unflag(name)] = text
        return self._begin(replace(match.setup, rules=read_rules(match.game, texts), seed=self._seed()))

    def _clear_board(self) -> str:
        """Restart with the same deal."""
        match = self._board
        self._match = Match(replace(match.setup, seed=self._seed()), match.options)
        return ""

    # Moves.

    def _play(self, *words: str) -> str:
        if len(words) == 2:
            self._check_turn(words[0])
        self._board.play(self._board.read(words[-1]))
        return ""

    def _undo(self) -> str:
        self._board.undo()
        return ""

    def _genmove(self, player: str | None = None) -> str:
        match, position = self._board, self._board.position
        if match.outcome is not None:
            raise ParlourError(f"the game is over: {_standing(match)}; undo or clear_board goes on")
        if player is not None:
            self._check_turn(player)
        action, reason = take_turn(match, self._player, Limit(self._seconds))
        if action.kind in (RESIGN, FORFEIT):
            self._match = match.at(len(match.log) - 1)  # undone, because the client decides how the game continues
            if action.kind == FORFEIT:
                raise ParlourError(reason)
            return RESIGNATION
        name = match.rules.name(action.move)
        try:
            match.rules.read(position, name)  # the answer has to be a valid argument of play
        except MoveRefused:
            match.undo()
            raise
        return name

    def _check_turn(self, word: str) -> None:
        player = PLAYER_WORDS.get(word.lower())
        if player is None:
            raise ParlourError(f"{clip(word)!r} is not a player: 1 or b begins, 2 or w follows")
        turn = self._board.turn
        if player != turn:
            raise ParlourError(f"it is not player {player}'s turn, but player {turn}'s")

    # Queries.

    def _legal(self) -> str:
        match = self._board
        if match.rules.count_legal(match.position) > LISTED_MOVES:
            moves = match.rules.spell(match.legal_moves)
            raise ParlourError(f"more than {LISTED_MOVES} moves are too many to list: {moves}")
        return " ".join(match.legal_names)

    def _value(self) -> str:
        match = self._board
        try:
            if self._solver is None:
                self._solver = Solver(match.rules)
            score = self._solver.score(match.position, Limit(self._seconds))
        except TooBig as error:
            raise ParlourError(f"too big: {error}") from None
        return str(score.value) if score.plies is None else f"{score.value} {score.plies}"

    def _showboard(self) -> str:
        match = self._board
        lines = [f"{match.game.title}, {show_words(match.options)}"]
        for title, shape, rows, *_ in match.rules.view(match.moment):
            shown = [" ".join(_shown(shape, tile) for tile in row) for row in rows]
            lines += [f"{title}: {shown[0]}"] if len(shown) == 1 else [f"{title}:", *shown]
        return "\n".join([*lines, _standing(match)])


def _shown(shape: str, tile: Tile) -> str:
    """Return a tile as one word: a dot for a used number of a pool, an underscore for an empty place."""
    if shape == POOL:
        return "." if tile.owner is not None else tile.text + tile.note
    return tile.note + tile.text if shape == GRID else tile.text or "_"


def _standing(match: Match) -> str:
    """Describe the player to move, or the outcome."""
    outcome = match.outcome
    return f"{NAMES[match.turn - 1]} to move" if outcome is None else outcome.words(NAMES)


def serve(engine: Engine, source: IO[bytes], target: IO[str]) -> None:
    """Answer the lines of a stream until its end or ``quit``."""
    try:
        while not engine.has_quit and (line := source.readline(4 * MAX_COMMAND)):
            rest = line
            while rest and not rest.endswith(b"\n"):  # discard the rest of a long line
                rest = source.readline(1 << 16)
            reply = engine.answer(line.decode(errors="replace"))
            if reply:
                target.write(reply)
                target.flush()
    finally:
        engine.close()
