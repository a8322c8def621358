"""One position of a round, as everybody may see it: the table and what lies on it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from urllib.parse import quote, urlencode

from parlour.game import PASS, ShownOnTable, opponent
from parlour.match import Match
from parlour.options import unusual_in_words, unusual_options
from parlour.picture import grid_labels
from parlour.rules import Rules
from parlour.view import GRID, Group, PlayerNumber, Range, Shape, Tile
from parlour.writer import about, document, retired

MOST_TABLE_MOVES = 200  # moves that a table names one by one


# Tiles and groups are classes of their own here: a tile of a view is the same whatever may be played and whatever was
# played last, so that it can be shared between positions. Here it has both, and its move by name.
@document
class TileDocument:
    """One number on the table, or one empty place."""

    text: str = about("what it shows; empty for an empty place")
    owner: PlayerNumber | None = about("the player who has it")
    player: PlayerNumber | None = retired("the same as `owner`")
    move: str | None = about("the move that choosing it makes")
    legal: bool = about("it may be chosen now")
    note: str = about("what stands beside it: a step, a marker, how many are left")
    last: bool = about("the last move chose it")
    won: bool = about("it is one of those that won the round")


@document
class GroupDocument:
    """Tiles that belong together."""

    title: str = about("what it is called")
    shape: Shape = about("how it is drawn")
    owner: PlayerNumber | None = about("the player it belongs to")
    player: PlayerNumber | None = retired("the same as `owner`")
    rows: list[list[TileDocument]] = about("its tiles, the top row first")
    across: list[str] = about("what the columns of a grid are called; empty elsewhere")
    down: list[str] = about("what its rows are called; empty elsewhere")
    note: str = about('what holds for all of it now: "next step: more than 3"')
    range: Range | None = about("of a pool: the numbers that it is there to choose from; null elsewhere")


@document
class LastMove:
    """The move that led here."""

    player: PlayerNumber = about("who made it")
    move: str = about("its name")
    passed: bool = about("it was a pass")
    text: list[str] = about("the game's own words for it, line by line")
    told: str = about('the same in short, to follow a name or "You": "took 8, 3 more than 5"')
    why: str = about("of a pass: why nothing else could be played")


@document
class RoundResult:
    """How a round ended."""

    winner: PlayerNumber | None = about("who has won it; null if nobody")
    text: list[str] = about("the game's own words for it, line by line")
    subject: PlayerNumber | None = about('whose name, or "You", goes before `told`; null: it is a sentence of its own')
    told: str = about('why it ended, in short: "completed 5, 8, 12, 2"')


@document
class TableDocument:
    """One position of a round, for everybody to see."""

    game: str = about("the name of the game")
    title: str = about("what it is called")
    summary: str = about("the game in one sentence")
    options: dict[str, str] = about("all its options, with everything that was dealt")
    terms: list[str] = about('what is not as usual, in words: "up to 50"')
    names: list[str] = about("what the players are called")
    first: PlayerNumber = about("who began this round")
    moves: list[str] = about("what was played in this round")
    token: str = about("the moves as one word of an address")
    study: str = about("the address of this position on the study board")
    turn: PlayerNumber | None = about("who is to move; null when the round is over")
    legal: list[str] = about(f"the moves that can be played, the first {MOST_TABLE_MOVES} at most")
    legal_count: int = about("how many there are")
    legal_text: str = about("all of them in short")
    want: str = about('what can be chosen now, to follow "select"')
    settled: bool = about("nobody can win this round any more")
    needs: str = about('what binds the player to move: "more than 3 away from 8"; empty where nothing does')
    stuck: str = about("why the player to move can only pass; empty where there is something to play")
    result: RoundResult | None = about("how the round ended; null while it goes on")
    last: LastMove | None = about("the last move; null before the first one")
    view: list[GroupDocument] = about("what lies on the table")


@document
class Replay:
    """A round, position by position, the start first."""

    round: int = about("which one, counted from 1")
    rounds: int = about("how many there are")
    tables: list[TableDocument] = about("one for the start and one for every ply")


def table_document(match: Match) -> TableDocument:
    """The table of a match as it stands."""
    game, rules, position, moment = match.game, match.rules, match.position, match.moment
    over = rules.is_over(position)
    closed = over or match.resigned is not None  # nothing can be played any more
    legal, names = match.legal_moves, rules.names(moment.moves)
    return TableDocument(
        game=game.key,
        title=game.title,
        summary=rules.summary,
        options=rules.option_texts,
        terms=unusual_in_words(rules.options),
        names=list(match.names),
        first=moment.first,
        moves=names,
        token=_token(names),
        study=_study_address(rules, names, moment.first),
        turn=None if closed else match.turn,
        legal=rules.names(legal[:MOST_TABLE_MOVES]),
        legal_count=0 if closed else rules.count_legal(position),
        legal_text="" if closed else rules.spell(legal),
        want="" if closed else rules.expected(position),
        settled=not over and rules.settled(position),
        needs="" if closed else rules.needs(position),
        stuck="" if closed else rules.stuck(position),
        result=_round_result(match) if over else None,
        last=LastMove(
            player=opponent(match.turn),
            move=names[-1],
            passed=moment.moves[-1] == PASS,
            text=words_beside_the_table(game.display.announce(moment)),
            told=game.display.told(moment),
            why=rules.stuck(match.round.positions[-2]) if moment.moves[-1] == PASS else "",
        )
        if names
        else None,
        view=view_document(match),
    )


def _round_result(match: Match) -> RoundResult:
    moment, winner = match.moment, match.round_winner
    subject, told = match.game.display.verdict(moment, winner)
    return RoundResult(
        winner=winner,
        text=words_beside_the_table(match.game.display.ending(moment, winner)),
        subject=subject,
        told=told,
    )


def view_document(match: Match) -> list[GroupDocument]:
    """What lies on the table of a match as it stands."""
    moves, legal = match.round.moves, match.legal_moves
    last = moves[-1] if moves else None
    return [_group(group, match.rules.name, legal, last) for group in match.rules.view(match.moment)]


def replay_document(match: Match, round: int) -> Replay:
    """One round of a match, counted from 0."""
    return Replay(round=round + 1, rounds=len(match.rounds), tables=round_tables(match, round))


def round_tables(match: Match, round: int) -> list[TableDocument]:
    """The tables of a round, counted from 0, from its start to its last move, which need not be the match's end."""
    played = match.rounds[round]
    shown = Match(replace(match.setup, first=played.first), played.options)
    tables = [table_document(shown)]
    for move in played.moves:
        shown.play(move)
        tables.append(table_document(shown))
    return tables


def words_beside_the_table(lines: list[str]) -> list[str]:
    """A game's words without what the table shows anyway, and without the empty lines that set them apart."""
    return [line for line in lines if line.strip() and not isinstance(line, ShownOnTable)]


def option_label(name: str) -> str:
    """What an option is called in words."""
    return name.replace("_", " ")


def _token(names: list[str]) -> str:
    return ".".join(names) or "start"


def _study_address(rules: Rules, names: list[str], first: PlayerNumber) -> str:
    """The address of a position on the study board; options that are the game's own are left out."""
    given = unusual_options(rules.options)
    if first == 2:
        given["first"] = "2"
    query = f"?{urlencode(given, safe=',')}" if given else ""
    return f"/study/{rules.game.key}/{quote(_token(names), safe=',.')}{query}"


def _group(group: Group, name: Callable[[int], str], legal: Sequence[int], last: int | None) -> GroupDocument:
    def shown(tile: Tile) -> TileDocument:
        move = tile.move
        return _tile(tile, None, False, False) if move is None else _tile(tile, name(move), move in legal, move == last)

    owner = group.owner
    rows = [[shown(tile) for tile in row] for row in group.rows]
    across, down = grid_labels(group, name) if group.shape == GRID else ([], [])
    return GroupDocument(
        title=group.title,
        shape=group.shape,
        owner=owner,
        player=owner,
        rows=rows,
        across=across,
        down=down,
        note=group.note,
        range=group.range,
    )


@lru_cache(maxsize=2000)  # a replay shows the same tiles over and over
def _tile(tile: Tile, move: str | None, legal: bool, last: bool) -> TileDocument:
    owner = tile.owner
    return TileDocument(
        text=tile.text, owner=owner, player=owner, move=move, legal=legal, note=tile.note, last=last, won=tile.won
    )
