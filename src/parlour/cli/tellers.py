"""Two ways to tell what happens at the table: in the words of the rule book, or as one JSON object a line."""

from __future__ import annotations

import sys
from typing import Any, Protocol

from parlour import record, referee
from parlour.cli.screen import Screen, reflow, width
from parlour.errors import ANSWERS, MoveRefused, ParlourError
from parlour.game import PASS
from parlour.match import Match, Outcome
from parlour.options import show_options

MANY = 1000  # legal moves beyond which a list of them is of no use


class Teller(Protocol):
    """Tells what happens."""

    def dealt(self, match: Match, number: int | None) -> None: ...  # a round begins
    def asks(self, match: Match) -> str: ...  # somebody at the keyboard is to move; the prompt
    def answers(self, match: Match, move: int) -> None: ...  # a computer has made up its mind
    def played(self, match: Match) -> None: ...  # a move or a pass
    def took_back(self, match: Match, moves: list[str]) -> None: ...
    def refuses(self, match: Match, text: str, error: ParlourError) -> None: ...
    def remarks(self, text: str) -> None: ...  # something beside the game
    def shows(self, match: Match) -> None: ...  # the table
    def round_ended(self, match: Match) -> None: ...
    def ended(self, match: Match, outcome: Outcome) -> None: ...


class TextTeller:
    """The rule book's own lines; on a terminal with the table before every question."""

    def __init__(self, terminal: bool) -> None:
        self.screen = Screen()
        self.terminal = terminal

    def dealt(self, match: Match, number: int | None) -> None:
        if len(match.rounds) > 1:
            self.screen.say([f"Round {len(match.rounds)}. {match.names[match.turn]} begins.", ""], bold=True)
        elif self.terminal:
            self._welcome(match, number)
        self.screen.say(match.game.opening(match.moment))

    def _welcome(self, match: Match, number: int | None) -> None:
        chosen = {name: text for name, text in show_options(match.setup.options).items() if text}
        self.screen.say([match.game.title], bold=True)
        self.remarks(match.game.summary)
        if chosen:
            self.screen.say([", ".join(f"{name.replace('_', '-')} {text}" for name, text in chosen.items())])
        kept = "" if number is None else f" This is game {number}; it is saved as you play."
        self.remarks(f"Type rules for the rules, help for what else you can type.{kept}")
        self.screen.say([""])

    def asks(self, match: Match) -> str:
        *lines, prompt = match.game.ask(match.moment)
        if self.terminal:
            self.shows(match)
            sys.stdout.write("\n")
        self.screen.say(lines)
        return prompt

    def answers(self, match: Match, move: int) -> None:
        *lines, prompt = match.game.ask(match.moment)
        self.screen.say([*lines, prompt + referee.name_move(match.game, match.options, move)])

    def shows(self, match: Match) -> None:
        self.screen.draw(match.game.view(match.moment), match.legal)

    def played(self, match: Match) -> None:
        self.screen.say(match.game.tell(match.moment))

    def took_back(self, match: Match, moves: list[str]) -> None:
        self.screen.say([f"Taken back: {', '.join(moves)}. It is {match.names[match.turn]}'s turn again.", ""])

    def refuses(self, match: Match, text: str, error: ParlourError) -> None:
        if not isinstance(error, MoveRefused):
            self.screen.say([f"{_sentence(str(error))}.", ""], "yellow")
            return
        want = f"please select {match.game.want(match.options, match.position)}"
        lines = (
            [f"Invalid move! {_sentence(error.reason)}."]
            if error.reason != want
            else [f"Invalid move! {referee.clip(text)!r} names no move."]
        )
        self.screen.say([*lines, f"{_sentence(want)}.", f"Possible now: {error.legal}"], "yellow")

    def remarks(self, text: str) -> None:
        self.screen.say(reflow(text, min(width(), 80)))

    def round_ended(self, match: Match) -> None:
        self.screen.say([*match.game.ending(match.moment, match.winner), ""])

    def ended(self, match: Match, outcome: Outcome) -> None:
        if outcome.how == "resigned":
            loser, winner = match.names[1 - (outcome.winner or 0)], match.names[outcome.winner or 0]
            self.screen.say([f"{loser} resigns. {winner} wins!"], bold=True)
            return
        if self.terminal:
            self.shows(match)
            sys.stdout.write("\n")
        self.screen.say(match.game.ending(match.moment, match.winner), bold=True)
        if outcome.how == "undecided":
            rounds = len(match.rounds)
            self.screen.say(
                [f"The match is undecided after {rounds} {'round' if rounds == 1 else 'rounds'}."], bold=True
            )


class JsonTeller:
    """One event a line, for programs. Players are numbered 1 and 2, moves go by their names."""

    def dealt(self, match: Match, number: int | None) -> None:
        options, names = show_options(match.options), list(match.names)
        self._write("deal", match, game=match.game.key, options=options, first=match.turn + 1, names=names, id=number)

    def asks(self, match: Match) -> str:
        legal = match.legal
        few = legal if not isinstance(legal, range) or legal[-1] - legal[0] < MANY else []
        names = [referee.name_move(match.game, match.options, move) for move in few]
        spelled = referee.spell_moves(match.game, match.options, legal)
        self._write("turn", match, player=match.turn + 1, legal=names or None, possible=spelled)
        return ""

    def answers(self, match: Match, move: int) -> None:
        pass  # the event of the move says it all

    def played(self, match: Match) -> None:
        move = match.round.moves[-1]
        event = "pass" if move == PASS else "move"
        name = referee.name_move(match.game, match.options, move)
        self._write(event, match, ply=len(match.round.moves), player=2 - match.turn, move=name)

    def took_back(self, match: Match, moves: list[str]) -> None:
        self._write("undo", match, moves=moves, player=match.turn + 1)

    def refuses(self, match: Match, text: str, error: ParlourError) -> None:
        answer = ANSWERS[type(error)]
        more = (
            {"reason": error.reason, "possible": error.legal}
            if isinstance(error, MoveRefused)
            else {"reason": str(error)}
        )
        self._write("refusal", match, player=match.turn + 1, input=referee.clip(text), code=answer.code, **more)

    def remarks(self, text: str) -> None:
        self._write("remark", None, text=" ".join(text.split()))

    def shows(self, match: Match) -> None:
        groups = [
            {**group._asdict(), "rows": [[tile._asdict() for tile in row] for row in group.rows]}
            for group in match.game.view(match.moment)
        ]
        self._write("board", match, view=groups)

    def round_ended(self, match: Match) -> None:
        self._write("round", match, winner=None)

    def ended(self, match: Match, outcome: Outcome) -> None:
        winner = None if outcome.winner is None else outcome.winner + 1
        self._write("result", match, winner=winner, how=outcome.how, result=record.show_result(outcome))

    def _write(self, event: str, match: Match | None, **fields: Any) -> None:
        import json

        head = {"event": event} if match is None else {"event": event, "round": len(match.rounds)}
        sys.stdout.write(json.dumps({**head, **fields}, ensure_ascii=False) + "\n")
        sys.stdout.flush()


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]
