"""One position of a round: the board and its tiles."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache

from parlour.fields import about, document, retired
from parlour.game import PASS, ShownOnTable, opponent
from parlour.match import Match
from parlour.options import unusual_in_words, unusual_options
from parlour.picture import grid_labels
from parlour.rules import Rules
from parlour.view import GRID, Group, PlayerNumber, Range, Shape, Tile

MAX_LISTED_MOVES = 200  # legal moves listed by name
UNQUOTED = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~,"


# A view caches its tiles across positions, so they have no marks of legal moves and the last move. Documents add them.
@document
class TileDocument:
    """One tile: a number, or an empty place."""

    text: str = about("the text on the tile; empty for an empty place")
    owner: PlayerNumber | None = about("the owner: player 1 or 2; null if there is none")
    player: PlayerNumber | None = retired("the same as `owner`")
    move: str | None = about("the move made by choosing the tile; null if there is none")
    legal: bool = about("whether the move is legal now")
    note: str = about("a note beside the tile: a step, a marker, the number left")
    last: bool = about("whether the last move chose it")
    won: bool = about("whether it is one of those that won the round, such as the three of a line")


@document
class GroupDocument:
    """A group of tiles."""

    title: str = about("the title")
    shape: Shape = about("the layout: `pool`, `line`, `grid` or `pyramid`")
    owner: PlayerNumber | None = about("the owner: player 1 or 2; null if there is none")
    player: PlayerNumber | None = retired("the same as `owner`")
    rows: list[list[TileDocument]] = about("the rows of tiles, from top to bottom")
    across: list[str] = about("the labels of a grid's columns, from the left; empty elsewhere")
    down: list[str] = about("the labels of a grid's rows, from the top; empty elsewhere")
    note: str = about('a note on the whole group, such as "next step: more than 3"; often empty')
    range: Range | None = about("the numbers to choose from, in a pool with too many for one tile each; null elsewhere")


@document
class LastMove:
    """The last move."""

    player: PlayerNumber = about("the player who made it")
    move: str = about("the name of the move")
    passed: bool = about("whether it was a pass")
    text: list[str] = about("the game's own description, one line each")
    told: str = about('a short description to follow a name or "You": "took 8, 3 more than 5"')
    why: str = about("for a pass: the reason why nothing else could be played")


@document
class RoundResult:
    """The end of a round."""

    winner: PlayerNumber | None = about("the player who won; null if there is none")
    text: list[str] = about("the game's own description, one line each")
    subject: PlayerNumber | None = about(
        'the player whose name, or "You", goes before `told`; null if `told` is a whole sentence'
    )
    told: str = about('the reason in short: "completed 5, 8, 12, 2"')


@document
class TableDocument:
    """One position of a round."""

    game: str = about("the name of the game")
    title: str = about("the title of the game")
    summary: str = about("the game in one sentence")
    options: dict[str, str] = about("all options as text, including the deal")
    terms: list[str] = about('the options other than those of the book, as text: "up to 50"')
    names: list[str] = about("the players' names")
    first: PlayerNumber = about("the player who began this round")
    moves: list[str] = about("the moves of this round")
    token: str = about("the moves as one word for an address: `5.7.8`, or `start`")
    study: str = about("the address of this position on the study board")
    turn: PlayerNumber | None = about("the player to move; null when the round is over")
    legal: list[str] = about(f"the legal moves, the first {MAX_LISTED_MOVES} at most")
    legal_count: int = about("the number of legal moves")
    legal_text: str = about('the legal moves in short: "4-6"')
    want: str = about('a description of the legal moves, to follow "select"')
    settled: bool = about("whether neither player can win this round any more")
    needs: str = about('the constraint on the player to move: "more than 3 away from 8"; empty if there is none')
    stuck: str = about("the reason why the player to move can only pass; empty otherwise")
    result: RoundResult | None = about("the end of the round; null while it is in progress")
    last: LastMove | None = about("the last move; null at the start")
    view: list[GroupDocument] = about("the groups of tiles on the board")


@document
class Replay:
    """All positions of a round, from the start."""

    round: int = about("the number of the round, counted from 1")
    rounds: int = about("the number of rounds")
    tables: list[TableDocument] = about("the positions: the start, then one for each ply")


def table_document(match: Match) -> TableDocument:
    """Return the current position of a match."""
    game, rules, position, moment = match.game, match.rules, match.position, match.moment
    over = rules.is_over(position)
    closed = over or match.resigned is not None  # no move can be played
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
        legal=rules.names(legal[:MAX_LISTED_MOVES]),
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
            text=narration_beside_board(game.display.announce(moment)),
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
        text=narration_beside_board(match.game.display.ending(moment, winner)),
        subject=subject,
        told=told,
    )


def view_document(match: Match) -> list[GroupDocument]:
    """Return the groups on the board of a match."""
    moves, legal = match.round.moves, match.legal_moves
    last = moves[-1] if moves else None
    return [_group(group, match.rules.name, legal, last) for group in match.rules.view(match.moment)]


def replay_document(match: Match, round: int) -> Replay:
    """Return the positions of a round, counted from 0."""
    return Replay(round=round + 1, rounds=len(match.rounds), tables=round_tables(match, round))


def round_tables(match: Match, round: int) -> list[TableDocument]:
    """Return the positions of a round, counted from 0, from its start to its last move."""
    played = match.rounds[round]
    shown = Match(replace(match.setup, first=played.first), played.options)
    tables = [table_document(shown)]
    for move in played.moves:
        shown.play(move)
        tables.append(table_document(shown))
    return tables


def narration_beside_board(lines: list[str]) -> list[str]:
    """Return lines of narration without empty ones and those that repeat the board."""
    return [line for line in lines if line.strip() and not isinstance(line, ShownOnTable)]


def option_label(name: str) -> str:
    """Return the label of an option."""
    return name.replace("_", " ")


def _token(names: list[str]) -> str:
    return ".".join(names) or "start"


def _study_address(rules: Rules, names: list[str], first: PlayerNumber) -> str:
    """Return the address of a position on the study board; default options are left out."""
    given = unusual_options(rules.options)
    if first == 2:
        given["first"] = "2"
    query = "&".join(f"{name}={_quoted(text)}" for name, text in given.items())
    return f"/study/{rules.game.key}/{_quoted(_token(names))}{query and f'?{query}'}"


def _quoted(text: str) -> str:
    """Return a text with percent encoding."""
    return "".join(each if each in UNQUOTED else f"%{each.encode().hex('%').upper()}" for each in text)


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


@lru_cache(maxsize=2000)  # a replay repeats tiles
def _tile(tile: Tile, move: str | None, legal: bool, last: bool) -> TileDocument:
    owner = tile.owner
    return TileDocument(
        text=tile.text, owner=owner, player=owner, move=move, legal=legal, note=tile.note, last=last, won=tile.won
    )
