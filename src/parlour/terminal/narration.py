"""Sentences about a match: moves, undo, questions, refusals, and the ends of rounds and matches."""

from __future__ import annotations

from typing import NamedTuple

from parlour.errors import MoveRefused, ParlourError, UnreadableMove
from parlour.game import PASS, opponent
from parlour.match import DEAL, MOVE, RESIGN, UNDO, Action, Match
from parlour.names import DEFAULT_NAMES
from parlour.options import unusual_in_words
from parlour.outcome import Outcome, Termination
from parlour.players import people_of
from parlour.rules import Rules
from parlour.text import clip, counted, sentence
from parlour.view import PlayerNumber, spell

COMPUTER = "Computer"  # the name of a computer that plays against a person at a terminal
MAX_CHOICES = 160  # characters of a list of moves; longer ones are described instead


class Viewer(NamedTuple):
    """A reader's view of a match."""

    names: tuple[str, str]  # the players' names as shown
    own: PlayerNumber | None = None  # the player shown as "You"; None: neither

    def name(self, player: PlayerNumber) -> str:
        return self.names[player - 1]


def viewer_of(match: Match) -> Viewer:
    """Return the viewer at a terminal; a person who plays against a computer is "You"."""
    people = people_of(match.setup)
    if len(people) != 1:
        return Viewer(match.names)
    own = people[0]
    other = match.names[opponent(own) - 1]
    if other in DEFAULT_NAMES:
        other = COMPUTER
    return Viewer(("You", other) if own == 1 else (other, "You"), own)


# The game.


def title(rules: Rules) -> str:
    """Return the title of a game with the options that differ from the book's."""
    chosen = unusual_in_words(rules.options)
    return f"{rules.game.title} ({'; '.join(chosen)})" if chosen else rules.game.title


def beginner(match: Match, viewer: Viewer) -> str:
    """Return who begins the round: "you begin"."""
    first = match.round.first
    return "you begin" if first == viewer.own else f"{viewer.name(first)} begins"


def progress(match: Match, viewer: Viewer) -> str:
    """Return the game, the players and the number of moves, without a full stop."""
    round = f"round {len(match.rounds)}, " if len(match.rounds) > 1 else ""
    moves = f"{round}{counted(len(match.round.moves), 'move')} played"
    return f"{match.game.title}, {' - '.join(viewer.names)}, {moves}"


# Moves.


def move(match: Match, viewer: Viewer) -> str:
    """Return the last move as a sentence, with the reason of another player's pass."""
    player, why = opponent(match.turn), ""
    if match.round.moves[-1] == PASS and player != viewer.own:
        why = match.rules.stuck(match.round.positions[-2])
    told = match.game.display.told(match.moment)
    return sentence(f"{viewer.name(player)} {told}{f': {why}' if why else ''}")


def action(match: Match, last: Action) -> str:
    """Return the last action of a match, without a full stop; a move has its name."""
    name = match.names[last.player - 1]
    if last.kind == MOVE:
        return f"{name} passes" if last.move == PASS else f"{name}: {match.rules.name(last.move)}"
    if last.kind == DEAL:
        return f"Round {len(match.rounds)} is dealt; {name} begins"
    if last.kind == UNDO:
        return f"{name}'s move is taken back"
    return f"{name} resigns" if last.kind == RESIGN else f"{name} forfeits"


def taken_back(moves: list[str]) -> str:
    return f"Taken back: {', '.join(moves)}."


def played_again(moves: list[str]) -> str:
    return f"Played again: {', '.join(moves)}."


# Questions and refusals.


def question(match: Match, viewer: Viewer) -> str:
    """Return whose turn it is, and the legal moves."""
    turn = "Your turn" if match.turn == viewer.own else f"{viewer.name(match.turn)}'s turn"
    needs = match.rules.needs(match.position)
    return f"{turn}: {choices(match)}" + (f" ({needs})" if needs else "")


def choices(match: Match) -> str:
    """Return the legal moves in a line or two."""
    text = legal_moves(match)
    if len(text) > MAX_CHOICES:
        return match.rules.expected(match.position)
    return " or ".join(text.rsplit(", ", 1))


def legal_moves(match: Match) -> str:
    """Return all legal moves as players type them: by the numbers on the board, if they have some."""
    rules, legal = match.rules, match.legal_moves
    if rules.numbers_only:
        return spell(legal)
    names = rules.spoken(legal)
    return spell(sorted(map(int, names))) if all(name.isdigit() for name in names) else ", ".join(names)


def forced_pass(match: Match, viewer: Viewer) -> str:
    """Return a sentence with the reason why the player to move has to pass."""
    who = "You pass" if match.turn == viewer.own else f"{viewer.name(match.turn)} passes"
    return f"{sentence(match.rules.stuck(match.position))} {who}."


def refusal(text: str, error: ParlourError) -> str:
    """Return the reason why a typed text is refused, as a sentence."""
    if isinstance(error, UnreadableMove):
        return unknown(text)
    return sentence(error.reason if isinstance(error, MoveRefused) else str(error))


def unknown(text: str) -> str:
    """Return the answer to a text that is neither a move nor a command."""
    return f"I don't know {clip(text)!r}. Type a move, or ? for help." if text.strip() else (
        "Type a move, or ? for help."
    )  # fmt: skip


# Ends.


def verdict(match: Match, viewer: Viewer) -> str:
    """Return how the round ended, as a sentence."""
    if match.resigned is not None:
        forfeited = match.outcome is not None and match.outcome.how == Termination.FORFEITED
        return f"{viewer.name(match.resigned)} {'forfeited' if forfeited else 'resigned'}."
    subject, text = match.game.display.verdict(match.moment, match.round_winner)
    return sentence(text if subject is None else f"{viewer.name(subject)} {text}")


def ending(match: Match, outcome: Outcome, viewer: Viewer) -> str:
    """Return how the match ended and who won, as a sentence that names no player twice."""
    how, winner = verdict(match, viewer).rstrip("."), outcome.winner
    if outcome.how == Termination.UNDECIDED:
        return f"{how}: undecided after {counted(len(match.rounds), 'round')}."
    if winner is None:
        return f"{how}: a draw."
    subject, you = match.game.display.verdict(match.moment, match.round_winner)[0], winner == viewer.own
    if match.resigned is None and subject == winner:
        return f"{how}, and win!" if you else f"{how}, and wins."
    return f"{how}: you win!" if you else f"{how}: {viewer.name(winner)} wins."


def standing(match: Match) -> str:
    """Return the outcome of a match as a sentence, or the state of an unfinished one."""
    outcome = match.outcome
    if outcome is None:
        return f"Not finished: {match.standing}."
    return f"{match.standing}." if outcome.winner is not None else sentence(match.standing)  # never capitalise a name
