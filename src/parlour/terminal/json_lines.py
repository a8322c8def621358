"""The renderer for programs: one JSON object a line; ``documents.events`` describes them."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager, nullcontext

from parlour.documents import events as documents
from parlour.documents.table import view_document
from parlour.errors import MoveRefused, ParlourError
from parlour.game import PASS, opponent
from parlour.match import Match
from parlour.rules import LISTED_MOVES
from parlour.study.hints import Hint
from parlour.terminal import events
from parlour.terminal.narration import Viewer
from parlour.text import clip
from parlour.writer import extend, write_json


class JsonLines:
    """Events as JSON, one a line."""

    confirms_pass = False

    def viewer(self, match: Match) -> Viewer:
        return Viewer(match.names)

    def thinking(self, match: Match) -> AbstractContextManager[None]:
        return nullcontext()

    def prompt(self, match: Match, again: bool) -> str:
        if not again:
            legal = match.legal_moves
            few = match.rules.count_legal(match.position) <= LISTED_MOVES
            self._write(
                documents.TurnEvent(
                    event="turn",
                    round=len(match.rounds),
                    player=match.turn,
                    legal=match.rules.names(legal) if few else None,
                    possible=match.rules.spell(legal),
                )
            )
        return ""

    def show(self, event: events.Event, match: Match) -> None:
        round = len(match.rounds)
        match event:
            case events.Dealt(number):
                self._deal(match, number)
            case events.Resumed(number):
                self._deal(match, number)
                moves = match.rules.names(match.round.moves)
                self._write(documents.ResumeEvent(event="resume", round=round, moves=moves))
            case events.Chose():
                pass  # the event of the move contains everything
            case events.Played():
                move = match.round.moves[-1]
                self._write(
                    documents.MoveEvent(
                        event="pass" if move == PASS else "move",
                        round=round,
                        ply=len(match.round.moves),
                        player=opponent(match.turn),
                        move=match.rules.name(move),
                    )
                )
            case events.TookBack(moves):
                self._write(documents.UndoEvent(event="undo", round=round, moves=moves, player=match.turn))
            case events.PlayedAgain() | events.BoardShown():
                self._write(documents.BoardEvent(event="board", round=round, view=view_document(match)))
            case events.Refused(text, error):
                self._refuse(match, text, error)
            case events.Hinted(Hint() as hint):
                self._write(extend(documents.HintEvent, hint, event="hint", round=round, player=match.turn))
            case events.Hinted(reason):
                self._write(extend(documents.WhyEvent, reason, event="why", round=round, player=match.turn))
            case events.Remarked(text):
                self._write(documents.RemarkEvent(event="remark", text=" ".join(text.split())))
            case events.RoundEnded():
                self._write(documents.RoundEndEvent(event="round", round=round, winner=None))
            case events.Ended(outcome):
                winner, how, notation = outcome.winner, outcome.how, outcome.result
                self._write(documents.ResultEvent(event="result", round=round, winner=winner, how=how, result=notation))

    def _deal(self, match: Match, number: int | None) -> None:
        self._write(
            documents.DealEvent(
                event="deal",
                round=len(match.rounds),
                game=match.game.key,
                options=match.rules.option_texts,
                first=match.round.first,
                names=list(match.names),
                id=number,
            )
        )

    def _refuse(self, match: Match, text: str, error: ParlourError) -> None:
        move = error if isinstance(error, MoveRefused) else None
        self._write(
            documents.RefusalEvent(
                event="refusal",
                round=len(match.rounds),
                player=match.turn,
                input=clip(text),
                code=error.code,
                reason=move.reason if move else str(error),
                possible=move.legal if move else None,
            )
        )

    def _write(self, event: documents.TableEvent) -> None:
        sys.stdout.write(write_json(event) + "\n")
        sys.stdout.flush()
