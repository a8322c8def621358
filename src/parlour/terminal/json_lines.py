"""Tells what happens at the table as one JSON object a line."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING

from parlour.documents import events
from parlour.documents.table import view_document
from parlour.errors import MoveRefused, ParlourError
from parlour.game import PASS, Moment, opponent
from parlour.match import Match
from parlour.outcome import Outcome
from parlour.rules import LISTED_MOVES
from parlour.text import clip
from parlour.writer import extend, write_json

if TYPE_CHECKING:
    from parlour.study.hints import Hint, Reason


class JsonTeller:
    """One event a line, for programs; ``documents.events`` describes them."""

    def names(self, match: Match) -> tuple[str, str]:
        return match.names

    def dealt(self, match: Match, number: int | None) -> None:
        self._write(
            events.DealEvent(
                event="deal",
                round=len(match.rounds),
                game=match.game.key,
                options=match.rules.option_texts,
                first=match.round.first,
                names=list(match.names),
                id=number,
            )
        )

    def resumed(self, match: Match, number: int) -> None:
        self.dealt(match, number)
        moves = match.rules.names(match.round.moves)
        self._write(events.ResumeEvent(event="resume", round=len(match.rounds), moves=moves))

    def asks(self, match: Match, again: bool) -> str:
        if again:
            return ""
        legal = match.legal_moves
        few = match.rules.count_legal(match.position) <= LISTED_MOVES
        self._write(
            events.TurnEvent(
                event="turn",
                round=len(match.rounds),
                player=match.turn,
                legal=match.rules.names(legal) if few else None,
                possible=match.rules.spell(legal),
            )
        )
        return ""

    def asks_to_pass(self, match: Match) -> str | None:
        return None

    def thinks(self, match: Match) -> AbstractContextManager[None]:
        return nullcontext()

    def computer_chose(self, match: Match, before: Moment) -> None:
        pass  # the event of the move says it all

    def played(self, match: Match) -> None:
        move = match.round.moves[-1]
        self._write(
            events.MoveEvent(
                event="pass" if move == PASS else "move",
                round=len(match.rounds),
                ply=len(match.round.moves),
                player=opponent(match.turn),
                move=match.rules.name(move),
            )
        )

    def took_back(self, match: Match, moves: list[str]) -> None:
        player = match.turn
        self._write(events.UndoEvent(event="undo", round=len(match.rounds), moves=moves, player=player))

    def played_again(self, match: Match, moves: list[str]) -> None:
        self.shows(match)

    def refuses(self, match: Match, text: str, error: ParlourError) -> None:
        move = error if isinstance(error, MoveRefused) else None
        self._write(
            events.RefusalEvent(
                event="refusal",
                round=len(match.rounds),
                player=match.turn,
                input=clip(text),
                code=error.code,
                reason=move.reason if move else str(error),
                possible=move.legal if move else None,
            )
        )

    def hints(self, match: Match, hint: Hint) -> None:
        self._write(extend(events.HintEvent, hint, event="hint", round=len(match.rounds), player=match.turn))

    def reasons(self, match: Match, reason: Reason) -> None:
        self._write(extend(events.WhyEvent, reason, event="why", round=len(match.rounds), player=match.turn))

    def remarks(self, text: str) -> None:
        self._write(events.RemarkEvent(event="remark", text=" ".join(text.split())))

    def shows(self, match: Match) -> None:
        self._write(events.BoardEvent(event="board", round=len(match.rounds), view=view_document(match)))

    def round_ended(self, match: Match) -> None:
        self._write(events.RoundEndEvent(event="round", round=len(match.rounds), winner=None))

    def ended(self, match: Match, outcome: Outcome) -> None:
        self._write(
            events.ResultEvent(
                event="result",
                round=len(match.rounds),
                winner=outcome.winner,
                how=outcome.how,
                result=outcome.result,
            )
        )

    def _write(self, event: events.TableEvent) -> None:
        sys.stdout.write(write_json(event) + "\n")
        sys.stdout.flush()
