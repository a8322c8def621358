"""What the web says, as JSON: the shapes, and how a match and a game become them.

Players are 1 and 2, a move is its name, times are UTC. Nothing here decides anything: it tells what the core says.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, Literal
from urllib.parse import quote, urlencode

from pydantic import BaseModel, Field

from parlour import players, referee
from parlour.errors import ANSWERS
from parlour.game import ONGOING, PASS, AnyGame, ShownOnTable, count
from parlour.match import Match, Setup
from parlour.options import Arrangement, Number, Numbers, Word, declared, left_to_chance, read_words, show_options
from parlour.service.loaded import LoadedMatch
from parlour.view import Group, Tile

MOST_LISTED = 200  # moves that a table names one by one
LONGEST_DEMO = 30  # tables

Player = Literal[1, 2]


class Document(BaseModel):
    """A part of an answer."""


# One position.


class TileDocument(Document):
    """One number on the table, or one empty place."""

    text: str
    owner: Player | None
    move: str | None = Field(description="what choosing it plays")
    legal: bool = Field(description="it may be chosen now")
    note: str
    last: bool = Field(description="the last move chose it")
    won: bool = Field(description="it is one of those that won the round")


class GroupDocument(Document):
    """Tiles that belong together, in rows, the top row first."""

    title: str
    shape: Literal["pool", "line", "grid", "pyramid"]
    owner: Player | None
    rows: list[list[TileDocument]]


class LastMove(Document):
    """The move that led here."""

    player: Player
    move: str
    passed: bool
    text: list[str] = Field(description="the game's own words for it")


class RoundResult(Document):
    """How a round ended."""

    winner: Player | None
    text: list[str]


class Table(Document):
    """One position of a round, for everybody to see."""

    game: str
    title: str
    summary: str = Field(description="the game in one sentence")
    options: dict[str, str] = Field(description="with everything that was dealt")
    terms: list[str] = Field(description='what is not as usual, in words: "limit 50"')
    names: list[str]
    first: Player = Field(description="who began this round")
    moves: list[str] = Field(description="of this round")
    token: str = Field(description="the moves as one word of an address")
    study: str = Field(description="the address of this position on the study board")
    turn: Player | None = Field(description="null when the round is over")
    legal: list[str] = Field(description=f"the first {MOST_LISTED} at most")
    legal_count: int
    legal_text: str
    want: str = Field(description='what would do now, to follow "select"')
    settled: bool = Field(description="nobody can win this round any more")
    result: RoundResult | None
    last: LastMove | None
    view: list[GroupDocument]


def player(seat: int) -> Player:
    """The number a seat goes by outside."""
    return 1 if seat == 0 else 2


def numbered(seat: int | None) -> Player | None:
    return None if seat is None else player(seat)


def table_of(match: Match) -> Table:
    """The table of a match as it stands."""
    game, options, position, moment = match.game, match.options, match.position, match.moment
    over = match.result != ONGOING
    closed = over or match.resigned is not None  # nothing can be played any more
    legal = match.legal

    def name(move: int) -> str:
        return referee.name_move(game, options, move)

    names = [name(move) for move in moment.moves]
    last = moment.moves[-1] if moment.moves else None
    return Table(
        game=game.key,
        title=game.title,
        summary=game.summary,
        options=show_options(options),
        terms=_terms(game, options),
        names=list(match.names),
        first=player(moment.first),
        moves=names,
        token=token_of(names),
        study=study_link(game, options, names, moment.first),
        turn=None if closed else player(match.turn),
        legal=[name(move) for move in legal[:MOST_LISTED]],
        legal_count=0 if closed else count(game.moves(options, position)),
        legal_text="" if closed else referee.spell_moves(game, options, legal),
        want="" if closed else game.expected(options, position),
        settled=not over and game.settled(options, position),
        result=RoundResult(winner=numbered(match.winner), text=said(game.ending(moment, match.winner)))
        if over
        else None,
        last=None
        if last is None
        else LastMove(
            player=player(1 - match.turn),
            move=names[-1],
            passed=last == PASS,
            text=said(game.announce(moment)),
        ),
        view=[_group(group, name, legal, last) for group in game.view(moment)],
    )


def tables_of(match: Match, round: int) -> list[Table]:
    """The tables of a round from its start to its last move, which need not be the end of the match."""
    played = match.rounds[round]
    shown = Match(match.setup, played.options)
    shown.round.first = played.first
    tables = [table_of(shown)]
    for move in played.moves:
        shown.play(move)
        tables.append(table_of(shown))
    return tables


def said(lines: list[str]) -> list[str]:
    """A game's words without what the table shows anyway, and without the empty lines that set them apart."""
    return [line for line in lines if line.strip() and not isinstance(line, ShownOnTable)]


def token_of(names: list[str]) -> str:
    return ".".join(names) or "start"


def study_link(game: AnyGame, options: Any, names: list[str], first: int) -> str:
    """The address of a position on the study board; options that are the game's own are left out."""
    given = _unusual(game, options)
    if first:
        given["first"] = "2"
    query = f"?{urlencode(given, safe=',')}" if given else ""
    return f"/study/{game.key}/{quote(token_of(names), safe=',.')}{query}"


def _unusual(game: AnyGame, options: Any) -> dict[str, str]:
    """The options that are not the game's own, as texts."""
    usual = show_options(game.defaults)
    return {name: text for name, text in show_options(options).items() if text != usual[name]}


def _terms(game: AnyGame, options: Any) -> list[str]:
    dealt = left_to_chance(game.options)
    return [f"{label(name)} {text}" for name, text in _unusual(game, options).items() if name not in dealt]


def label(option: str) -> str:
    """What an option is called in words."""
    return option.replace("_", " ")


def _group(group: Group, name: Any, legal: Sequence[int], last: int | None) -> GroupDocument:
    def shown(tile: Tile) -> TileDocument:
        move = tile.move
        return _tile(tile, None, False, False) if move is None else _tile(tile, name(move), move in legal, move == last)

    rows = [[shown(tile) for tile in row] for row in group.rows]
    return GroupDocument(title=group.title, shape=group.shape, owner=numbered(group.owner), rows=rows)  # type: ignore[arg-type]


@lru_cache(maxsize=2000)  # a replay shows the same tiles over and over
def _tile(tile: Tile, move: str | None, legal: bool, last: bool) -> TileDocument:
    return TileDocument(
        text=tile.text,
        owner=numbered(tile.owner),
        move=move,
        legal=legal,
        note=tile.note,
        last=last,
        won=tile.won,
    )


# A match.


class PlayerDocument(Document):
    """One side of a match."""

    name: str
    computer: str | None = Field(description='which one: "level:3"; null for a person')
    present: bool = Field(description="at the table right now")
    joined: bool


class OutcomeDocument(Document):
    """How a match ended."""

    winner: Player | None
    how: Literal["won", "resigned", "forfeited", "drawn", "undecided"]
    text: str


class OfferDocument(Document):
    """What one player asks the other for."""

    kind: Literal["undo", "next", "rematch"]
    by: Player


class RoundDocument(Document):
    """One round of a match in short."""

    first: Player
    moves: list[str]
    winner: Player | None
    over: bool


class State(Document):
    """A match, complete: whoever has the newest one needs nothing else."""

    id: str
    seq: int = Field(description="goes up with every change")
    ply: int = Field(description="counts everything done at the table, and never goes back: a move answers a ply")
    kind: Literal["friend", "computer", "local", "record"]
    status: Literal["waiting", "playing", "between", "over"]
    players: list[PlayerDocument]
    you: list[Player] = Field(description="the seats that whoever asks has; none: watching")
    can: list[str] = Field(description="what whoever asks may do now")
    round: int
    rounds: list[RoundDocument]
    table: Table
    thinking: bool = Field(description="the computer is choosing its move")
    outcome: OutcomeDocument | None
    offer: OfferDocument | None
    rematch: str | None = Field(description="the match that follows this one")
    created: str
    expires: str


def state_of(loaded: LoadedMatch, *, present: frozenset[int], can: list[str], expires: float) -> State:
    """A match as whoever has loaded it may see it."""
    stored, match = loaded.stored, loaded.match
    names, kinds = match.names, match.setup.players
    waits = {seat for seat in (0, 1) if loaded.waiting and stored.seat_hashes[seat] is None}
    return State(
        id=stored.id,
        seq=stored.seq,
        ply=len(match.log),
        kind=stored.kind,  # type: ignore[arg-type]
        status=loaded.status,
        players=[
            PlayerDocument(
                name=names[seat],
                computer=None if kinds[seat] == players.HUMAN else kinds[seat],
                present=seat in present or kinds[seat] != players.HUMAN,
                joined=seat not in waits,
            )
            for seat in (0, 1)
        ],
        you=[player(seat) for seat in loaded.seats],
        can=can,
        round=len(match.rounds),
        rounds=[_round(match, number) for number in range(len(match.rounds))],
        table=table_of(match),
        thinking=loaded.computer_to_move,
        outcome=_outcome(match),
        offer=_offer(stored.offer),
        rematch=stored.rematch or None,
        created=clock(stored.created_at),
        expires=clock(expires),
    )


def clock(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _round(match: Match, number: int) -> RoundDocument:
    played, last = match.rounds[number], number == len(match.rounds) - 1
    names = [referee.name_move(match.game, played.options, move) for move in played.moves]
    return RoundDocument(
        first=player(played.first),
        moves=names,
        winner=numbered(match.winner) if last else None,
        over=not last or match.result != ONGOING or match.outcome is not None,
    )


def _offer(text: str) -> OfferDocument | None:
    if not text:
        return None
    kind, by = text.split()
    return OfferDocument(kind=kind, by=int(by))  # type: ignore[arg-type]


def _outcome(match: Match) -> OutcomeDocument | None:
    outcome = match.outcome
    if outcome is None:
        return None
    return OutcomeDocument(winner=numbered(outcome.winner), how=outcome.how, text=_told(match))


def _told(match: Match) -> str:
    outcome = match.outcome
    assert outcome is not None
    if match.resigned is not None:
        winner, loser = match.names[1 - match.resigned], match.names[match.resigned]
        return f"{winner} wins: {loser} has {'resigned' if outcome.how == 'resigned' else 'forfeited the game'}."
    words = " ".join(said(match.game.ending(match.moment, outcome.winner)))
    return f"{words} The rounds are used up: the match is undecided." if outcome.how == "undecided" else words


class NewMatch(Document):
    """A match that was just made, and your seat in it."""

    id: str
    seat: str | None = Field(
        description="the secret that proves who you are; send it as Authorization: Bearer SEAT. "
        "null: nobody sits there, as in a record that is over"
    )
    invite: str | None = Field(description="the secret for whoever you invite: /m/ID#join=INVITE")
    state: State


class Replay(Document):
    """A round, position by position, the start first."""

    round: int
    rounds: int
    tables: list[Table]


def replay_of(match: Match, round: int) -> Replay:
    return Replay(round=round + 1, rounds=len(match.rounds), tables=tables_of(match, round))


# A game.


class OptionDocument(Document):
    """One option, enough to make a form of."""

    name: str
    label: str
    help: str
    kind: Literal["number", "word", "numbers", "arrangement"]
    default: str = Field(description="empty: left to chance")
    allowed: str
    low: int | None
    high: int | None
    none: bool = Field(description='"none" will do as well')
    words: list[str]
    by_chance: bool


class VariantDocument(Document):
    """Options worth trying, and why."""

    title: str
    options: dict[str, str]
    why: str


class Card(Document):
    """A game in short."""

    key: str
    title: str
    version: int
    summary: str
    known: str
    rounds: bool
    options: list[OptionDocument]
    variants: list[VariantDocument]
    sample: Table = Field(description="a position in the middle of the worked example")
    demo: list[Table] = Field(description="the worked example")


class Block(Document):
    """A part of a text: a paragraph, a heading or a list."""

    kind: Literal["p", "h", "ul"]
    text: str | None = None
    items: list[str] | None = None


class Rules(Card):
    """A game with its rules."""

    rules: list[Block]


class LevelDocument(Document):
    """A computer to play against."""

    key: str
    title: str
    about: str


class Games(Document):
    """Everything on offer."""

    games: list[Card]
    levels: list[LevelDocument]


def card_of(game: AnyGame) -> Card:
    demo = tables_of(worked_example(game), 0)[:LONGEST_DEMO]
    usual = show_options(game.defaults)
    return Card(
        key=game.key,
        title=game.title,
        version=game.version,
        summary=game.summary,
        known=game.known,
        rounds=game.rounds(game.defaults) is not None,
        options=[_option(name, kind, usual[name]) for name, kind in declared(game.options).items()],
        variants=[
            VariantDocument(title=variant.title, options=read_words(variant.options), why=variant.why)
            for variant in game.variants
        ],
        sample=demo[(2 * len(demo)) // 3],
        demo=demo,
    )


def rules_of(game: AnyGame) -> Rules:
    return Rules(**dict(card_of(game)), rules=blocks(game.rules_text))


def worked_example(game: AnyGame) -> Match:
    """The game's example played to its end; the beginning of a game where it has none."""
    moves, texts = (game.example.moves, game.example.options) if game.example else ("", "")
    match = Match(Setup(game, referee.choose_options(game, read_words(texts))))
    match.play_line(moves.split())
    return match


def _option(name: str, kind: Any, default: str) -> OptionDocument:
    kinds = {Number: "number", Word: "word", Numbers: "numbers", Arrangement: "arrangement"}
    return OptionDocument(
        name=name,
        label=label(name),
        help=kind.help,
        kind=kinds[type(kind)],  # type: ignore[arg-type]
        default=default,
        allowed=kind.allowed,
        low=getattr(kind, "low", None),
        high=getattr(kind, "high", None),
        none=getattr(kind, "none", False),
        words=list(getattr(kind, "words", ())),
        by_chance=isinstance(kind, Arrangement),
    )


def blocks(text: str) -> list[Block]:
    """Prose as a game's docstring has it: paragraphs, "- " items, and a line before items as their heading.

    Options are called as forms call them: limit none, where a command line has --limit none.
    """
    found: list[Block] = []
    for part in re.sub(r"--([a-z]+)", r"\1", text).strip().split("\n\n"):
        lines = part.splitlines()
        items: list[str] = []
        prose: list[str] = []
        for line in lines:
            if line.startswith("- "):
                items.append(line[2:])
            elif items:
                items[-1] += f" {line.strip()}"
            else:
                prose.append(line.strip())
        if prose:
            found.append(Block(kind="h" if items else "p", text=" ".join(prose)))
        if items:
            found.append(Block(kind="ul", items=items))
    return found


def levels() -> list[LevelDocument]:
    """The computers that the web offers, the easiest first."""
    return [LevelDocument(key=kind.word, title=kind.title, about=kind.about) for kind in players.offered()]


# Answers of the solver.


class Choice(Document):
    """What a move is worth to the player who makes it."""

    move: str
    value: Literal["win", "draw", "loss"]
    plies: int | None = Field(description="until the game is over; null for a draw, or where it is not known")
    keeps: bool = Field(description="no other move is worth more")
    best: bool = Field(description="and none is quicker, or holds out longer")


class Solution(Document):
    """What a position is exactly worth to the player to move."""

    game: str
    options: dict[str, str]
    moves: list[str]
    position: str
    to_move: Player | None
    value: Literal["win", "draw", "loss"]
    plies: int | None
    choices: list[Choice]
    left_out: int = Field(description="choices too many to be listed")
    line: list[str] | None = Field(description="best play from here; null where it was not found in time")
    about: str | None


class Hint(Document):
    """One rung of the ladder: 1 how you stand, 2 how many moves keep that, 3 where to look, 4 the move."""

    rung: int
    text: str
    value: Literal["win", "draw", "loss"]
    legal: int | None
    keeping: int | None
    region: str | None
    move: str | None
    plies: int | None


class Reason(Document):
    """What one move is worth, and the play that shows it."""

    move: str
    value: Literal["win", "draw", "loss"]
    keeps: bool
    plies: int | None
    line: list[str]
    text: str


# What can go wrong besides what ``errors.ANSWERS`` has: before Parlour is asked, and if it has a mistake.
HTTP_ERRORS = {
    400: ("request/bad", "the request cannot be read"),
    404: ("page/unknown", "there is nothing at this address; GET /api/openapi.json lists what there is"),
    405: ("method/wrong", "this address does not do that; GET /api/openapi.json lists what it does"),
    413: ("body/too-large", "the request is too large; 128 KB are the most"),
    500: ("server/failed", "something went wrong on this side; try again in a moment"),
}


def _codes() -> str:
    """Every code by its status: "401 seat/needed; 403 seat/wrong"."""
    by_status: dict[int, list[str]] = {status: [code] for status, (code, _) in HTTP_ERRORS.items()}
    for answer in ANSWERS.values():
        by_status.setdefault(answer.status, []).append(answer.code)
    return "; ".join(f"{status} {', '.join(codes)}" for status, codes in sorted(by_status.items()))


class Refusal(Document):
    """What every refusal looks like."""

    code: str = Field(description=f"stable, for programs. By status: {_codes()}")
    error: str = Field(description="what was wrong and what would do, in one line")
    reason: str | None = None
    legal: str | None = None
    state: State | None = Field(default=None, description="where the match stands, for a move that came too late")


class Code(Document):
    """A QR code as one SVG path over unit modules, without its quiet zone."""

    size: int
    path: str


class Health(Document):
    """The server is up."""

    ok: bool
    version: str
    expiry: str = Field(description="how long matches are kept, in words")
