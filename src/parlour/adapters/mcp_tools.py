"""The tools of the MCP server.

Matches belong to the match service: a web server with the same database shows them in the browser. Calls share no state
here: a match is identified by its ID, and a player by the secret of a seat.
"""

# No deferred annotations: Pydantic checks arguments by them and would look up their names in another module.

from asyncio import CancelledError
from contextlib import suppress
from secrets import token_urlsafe
from time import monotonic, sleep
from typing import Annotated, Literal

from parlour import catalog
from parlour.documents.solution import Solution
from parlour.documents.tools import (
    LegalMoves,
    MatchRecord,
    OfferedGames,
    RulesText,
    SeenMatch,
    TakenSeat,
    legal_moves,
    offered_games,
    rules_text,
    seen_match,
    without_names,
)
from parlour.errors import MissingExtra, UnknownPlayer
from parlour.limit import Limit
from parlour.solver import Solver
from parlour.study.hints import Hint, hint_at
from parlour.text import clip, joined

try:
    from anyio.from_thread import check_cancelled
    from pydantic import Field, StrictInt

    from parlour.service.commands import DealNextRound, MatchCommand, Play, Resign
    from parlour.service.computers import let_computers_move
    from parlour.service.loaded import LoadedMatch
    from parlour.service.matches import MatchService
    from parlour.service.new_matches import (
        MatchRequest,
        SeatedMatch,
        match_on_one_device,
        match_with_computer,
        match_with_friend,
    )
    from parlour.service.rights import DEALING, MOVING, RESIGNING, check_study
    from parlour.service.searches import solve_position
    from parlour.store.errors import BadDatabase, Busy, OutcomeUnknown
except ImportError as missing:
    raise MissingExtra("this adapter needs mcp", "mcp") from missing

THINKING_SECONDS = 10.0  # time limit of a hint or an analysis
MAX_MEMORY = 1 << 30  # bytes for a search
POLL_SECONDS = 0.2

MatchId = Annotated[str, Field(max_length=40, description="the ID of the match, from start_game or an invitation")]
Seat = Annotated[str, Field(max_length=80, description="the secret of your seat, from start_game or join_game")]
SeatIfAny = Annotated[str | None, Field(max_length=80, description="the secret of your seat; without it you watch")]
Name = Annotated[str, Field(max_length=60, description="your name; empty for Player 1 or Player 2")]
OptionValue = str | StrictInt | list[StrictInt] | None
Options = Annotated[
    dict[str, OptionValue],
    Field(max_length=20, description='options that differ from the defaults, such as {"limit": 50}'),
]


class Tools:
    """The tools: each public method is a tool, and its docstring is the description for models."""

    def __init__(self, matches: MatchService, seconds: float, *, advice: bool) -> None:
        """``advice`` includes strategic advice in the rules."""
        self._matches = matches
        self._seconds = seconds
        self._advice = advice
        self._visits: dict[tuple[str, int], str] = {}  # the ID of the visit by match and seat

    def list_games(self) -> OfferedGames:
        """List the games with their options, and the opponents."""
        return offered_games([catalog.find_game(key) for key in catalog.keys()], advice=self._advice)

    def read_rules(
        self, *, game: Annotated[str, Field(max_length=200, description="its name, from list_games")]
    ) -> RulesText:
        """Return the rules of a game. Read them before you play: they differ from games of similar names."""
        return rules_text(catalog.find_game(game), advice=self._advice)

    def see_position(self, *, match: MatchId, seat: SeatIfAny = None) -> SeenMatch:
        """Return the state of a match: the board, the player to move and the legal moves. No seat is needed."""
        return self._seen(self._matches.load(match, seat))

    def legal_moves(self, *, match: MatchId) -> LegalMoves:
        """Return the legal moves."""
        return legal_moves(self._matches.load(match).match)

    def read_record(self, *, match: MatchId) -> MatchRecord:
        """Return the record of a match as text, to save, replay or analyse."""
        return MatchRecord(record=self._matches.load(match).public_record())

    def hint(
        self,
        *,
        match: MatchId,
        seat: Seat,
        rung: Annotated[int, Field(ge=1, le=4, description="how much the hint reveals")] = 1,
    ) -> Hint:
        """Return an exact hint when it is your turn; not available while two seats play each other.

        Rung 1 is the value of the position, 2 the number of moves that keep it, 3 where to look, and 4 the move.
        """
        loaded = self._matches.load(match, seat)
        MOVING.check_holder(loaded)
        MOVING.check_moment(loaded)
        check_study(loaded)
        played = without_names(loaded.match)
        return hint_at(Solver(played.rules), played, rung, self._limit(self._seconds))

    def analyse(self, *, match: MatchId, seat: SeatIfAny = None) -> Solution:
        """Return the exact value of the position and of every move for the player to move, and a line of best play.

        Not available while two seats play each other; available to all when the match is over.
        """
        loaded = self._matches.load(match, seat)
        check_study(loaded)
        played = loaded.match
        return solve_position(Solver(played.rules), played, self._limit(self._seconds))

    def start_game(
        self,
        *,
        game: Annotated[str, Field(max_length=200, description="its name, from list_games")],
        opponent: Annotated[str, Field(max_length=200, description="an opponent from list_games")] = "level:2",
        options: Options = {},  # noqa: B006  (never changed)
        name: Name = "",
        first: Annotated[Literal["me", "you", "toss"], Field(description="who begins")] = "toss",
    ) -> TakenSeat:
        """Start a match, and take a seat in it.

        A computer that begins has already moved in the result. With the opponent "invitation" the match waits until
        another player joins with the invitation in the result; with "self" you have both seats.
        """
        texts = {key: _option_text(value) for key, value in options.items()}
        made = self._matches.add(self._new_match(MatchRequest(game, texts), opponent, name or None, first))
        assert made.seat is not None
        return TakenSeat(
            match=made.loaded.id,
            seat=made.seat,
            invitation=made.invitation,
            position=self._after_command(made.loaded),
        )

    def join_game(
        self,
        *,
        match: MatchId,
        invitation: Annotated[str, Field(max_length=80, description="from the player who started the match")],
        name: Name = "",
    ) -> TakenSeat:
        """Take the seat of an invitation, if it is free."""
        taken = self._matches.join(match, invitation, name or None)
        assert taken.seat is not None
        return TakenSeat(match=match, seat=taken.seat, invitation=None, position=self._after_command(taken.loaded))

    def play(
        self,
        *,
        match: MatchId,
        seat: Seat,
        move: Annotated[str | StrictInt, Field(description="one of legal_moves")],
        ply: Annotated[
            StrictInt | None,
            Field(
                ge=0,
                le=1_000_000,
                description="the ply of the position that you saw, so that the move can't be played twice",
            ),
        ] = None,
    ) -> SeenMatch:
        """Play a move when it is your turn. The result includes a computer's reply."""
        if ply is None:
            ply = self._matches.load(match, seat).ply
        return self._do(match, seat, Play(str(move), ply))

    def next_round(self, *, match: MatchId, seat: Seat) -> SeenMatch:
        """Deal the next round of a match, after a drawn round or when neither player can win any more."""
        return self._do(match, seat, DealNextRound(self._matches.load(match, seat).ply))

    def wait_for_turn(
        self,
        *,
        match: MatchId,
        seat: Seat,
        seconds: Annotated[float, Field(ge=0, le=60, description="the maximum time to wait")] = 20.0,
    ) -> SeenMatch:
        """Wait until it is your turn or the match is over, or until the time is up; see your_turn and status."""
        end = monotonic() + seconds
        self._mark_present(self._matches.load(match, seat))
        while True:
            loaded = self._with_replies(self._matches.load(match, seat))
            theirs = loaded.status == "playing" and loaded.match.turn not in loaded.seats
            if not (theirs or loaded.status == "waiting") or monotonic() >= end:
                return self._seen(loaded)
            sleep(POLL_SECONDS)
            check_cancelled()

    def resign(self, *, match: MatchId, seat: Seat) -> SeenMatch:
        """Resign the match."""
        return self._do(match, seat, Resign())

    def _new_match(self, request: MatchRequest, opponent: str, name: str | None, first: str) -> SeatedMatch:
        if opponent == "invitation":
            return match_with_friend(request, name, first)
        if opponent == "self":
            return match_on_one_device(request, (name, None), first)
        try:
            return match_with_computer(request, name, opponent, first)
        except UnknownPlayer:
            known = joined([level.key for level in self.list_games().opponents], "or")
            raise UnknownPlayer(f"unknown opponent {clip(opponent)!r}; {known}") from None

    def _do(self, match: str, seat: str, command: MatchCommand) -> SeenMatch:
        return self._after_command(self._matches.apply(match, seat, command))

    def _after_command(self, loaded: LoadedMatch) -> SeenMatch:
        """Return the match after a command, with the computer's reply."""
        loaded = self._with_replies(loaded)
        self._mark_present(loaded)
        return self._seen(loaded)

    def _mark_present(self, loaded: LoadedMatch) -> None:
        """Mark these seats as present until the match is over or this process ends."""
        store = self._matches.store
        for seat in loaded.seats:
            here, visit = (loaded.id, seat), token_urlsafe(12)
            with suppress(BadDatabase):  # presence is not essential
                if loaded.status == "over":
                    store.end_visit(self._visits.pop(here, ""))
                elif self._visits.setdefault(here, visit) == visit:
                    store.begin_visit(visit, *here)

    def _with_replies(self, loaded: LoadedMatch) -> LoadedMatch:
        """Return the match after the computer's move, or without it if it cannot be saved now."""
        with suppress(Busy, BadDatabase, OutcomeUnknown):
            return let_computers_move(self._matches, loaded, lambda: self._limit(None))
        return loaded

    def _seen(self, loaded: LoadedMatch) -> SeenMatch:
        can = {"play": MOVING, "resign": RESIGNING, "next_round": DEALING}
        return seen_match(
            loaded.match,
            id=loaded.id,
            status=loaded.status,
            waiting=loaded.free_seats,
            you=loaded.seats,
            can=[tool for tool, right in can.items() if right.is_usable(loaded)],
        )

    def _limit(self, seconds: float | None) -> Limit:
        """Return the limit of a search, which ends early if the client cancels the call."""

        def cancel_if_requested(_: int) -> None:
            try:
                check_cancelled()
            except CancelledError:
                limit.cancel()

        limit = Limit(seconds, memory=MAX_MEMORY, on_progress=cancel_if_requested)
        return limit


def _option_text(value: OptionValue) -> str:
    """Return an option as typed text."""
    if value is None:
        return "none"
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)
