"""The addresses of the page, each with what it says of itself, and the pictures that are shown beside links to them.

Nothing here tells more than the page itself shows to whoever has the address: of a match, what those see who watch it.
What is secret about a link follows its #, and never comes here.
"""

from __future__ import annotations

import asyncio
from base64 import b64decode
from collections.abc import Callable, Coroutine
from functools import cache, partial
from importlib.util import find_spec
from typing import Any

from fastapi import APIRouter, Request, Response
from starlette.exceptions import HTTPException

from parlour import catalog, record
from parlour.documents.puzzles import match_of_puzzle
from parlour.documents.table import table_document
from parlour.errors import ParlourError
from parlour.service.loaded import LoadedMatch
from parlour.study.archive import daily_number, read_day
from parlour.study.archive_file import archive
from parlour.study.puzzle import Puzzle
from parlour.text import counted, joined, sentence
from parlour.version import __version__
from parlour.view import PLAYERS
from parlour.web import chores
from parlour.web.costs import ASK, LOOK, costs
from parlour.web.games import SHORT_LINE, First, check_line, line_of
from parlour.web.messages import CardQuestion
from parlour.web.pages import ALL_PAGES, FOR_A_DAY, LinkPicture, PageHead, has_it, show_page, weak_tag
from parlour.web.requests import Services, WithServices

router = APIRouter(include_in_schema=False)

SECONDS_FOR_A_HEAD = 1.0  # after which a page is sent without: it is to open even if the database is slow
A_WHILE = "public, max-age=300"  # a match goes on
UNNAMED = ("Player 1", "Player 2")


@cache
def can_draw() -> bool:
    """Whether pictures can be made here; without, a link has the picture of all pages."""
    return find_spec("resvg_py") is not None


def drawn(path: str, words: str) -> LinkPicture | None:
    return LinkPicture(path, words) if can_draw() else None


# The pages.


@router.api_route("/", methods=["GET", "HEAD"])
@costs(LOOK)
async def home(request: Request) -> Response:
    return show_page(request)


@router.api_route("/import", methods=["GET", "HEAD"])
@costs(LOOK)
async def import_page(request: Request) -> Response:
    return show_page(request, PageHead("Import a record", "Put a game that was written down on the table.", "/import"))


@router.api_route("/about", methods=["GET", "HEAD"])
@costs(LOOK)
async def about_page(request: Request) -> Response:
    return show_page(request, PageHead("About", path="/about"))


@router.api_route("/play/{game}", methods=["GET", "HEAD"])
@costs(LOOK)
async def play_page(request: Request, game: str) -> Response:
    return show_page(request, _game_head(game, "Play {}", "/play/{}"))


@router.api_route("/rules/{game}", methods=["GET", "HEAD"])
@costs(LOOK)
async def rules_page(request: Request, game: str) -> Response:
    return show_page(request, _game_head(game, "Rules of {}", "/rules/{}"))


def _game_head(key: str, title: str, path: str) -> PageHead:
    """What a page about a game says; nothing of it, if there is no such game."""
    try:
        game = catalog.find_game(key)
    except ParlourError:
        return ALL_PAGES
    picture = drawn(f"/study/{game.key}/start/table.png", f"{game.title} at its start")
    return PageHead(title.format(game.title), game.content.summary, path.format(game.key), picture)


@router.api_route("/study/{game}", methods=["GET", "HEAD"])
@router.api_route("/study/{game}/{token}", methods=["GET", "HEAD"])
@costs(LOOK)
async def study_page(
    request: Request, services: WithServices, game: str, token: str = "start", first: First = 1
) -> Response:
    async def head() -> PageHead:
        line = await line_of(request, game, token, first)
        if len(line.moves) > SHORT_LINE:
            return _game_head(game, "Study {}", "/study/{}")
        table = await services.run(partial(chores.position, line))
        path, _, query = table.study.partition("?")
        whose = f"{table.names[table.turn - 1]} to move" if table.turn else "the end"
        after = f"After {counted(len(table.moves), 'move')}" if table.moves else "The start"
        picture = drawn(f"{path}/table.png{query and '?' + query}", f"{table.title}. {after}, {whose}")
        terms = f" {sentence(', '.join(table.terms))}" if table.terms else ""
        return PageHead(
            f"Study {table.title}",
            f"{after}, {whose}: what each move is exactly worth. {table.summary}{terms}",
            table.study,
            picture,
        )

    return show_page(request, await _in_time(head))


@router.api_route("/daily", methods=["GET", "HEAD"])
@costs(LOOK)
async def daily_page(request: Request) -> Response:
    """Today's puzzle, whatever day it is for whoever opens it."""
    words = "A new puzzle every day: a position in which exactly one move is right, proved to the end."
    return show_page(request, PageHead("Puzzle of the day", words, "/daily"))


@router.api_route("/daily/{day}", methods=["GET", "HEAD"])
@costs(LOOK)
async def day_page(request: Request, services: WithServices, day: str) -> Response:
    def head() -> PageHead:
        date = read_day(day)
        number = daily_number(date)
        return _puzzle_head(archive().daily(date), f"Puzzle of the day {number}, {date:%A} {date}", f"/daily/{number}")

    return show_page(request, await _in_time(partial(services.run, head)))


@router.api_route("/puzzles", methods=["GET", "HEAD"])
@costs(LOOK)
async def puzzles_page(request: Request) -> Response:
    words = "Thousands of puzzles in five grades, and all puzzles of the day. In each, exactly one move is right."
    return show_page(request, PageHead("Puzzles", words, "/puzzles"))


@router.api_route("/atlas", methods=["GET", "HEAD"])
@router.api_route("/atlas/{game}", methods=["GET", "HEAD"])
@costs(LOOK)
async def atlas_page(request: Request, game: str = "") -> Response:
    words = "Hundreds of ways to set up each game, solved: who wins, how long it takes, what makes the best contest."
    return show_page(request, PageHead("Atlas", words, "/atlas"))


@router.api_route("/mistakes", methods=["GET", "HEAD"])
@router.api_route("/mistakes/{id}", methods=["GET", "HEAD"])
@costs(LOOK)
async def mistakes_page(request: Request) -> Response:
    """What somebody has got wrong stays on their device: of it nothing is known here."""
    return show_page(request, PageHead("Your mistakes", "Practise the turning points of your own games.", "/mistakes"))


@router.api_route("/master", methods=["GET", "HEAD"])
@costs(LOOK)
async def exams_page(request: Request) -> Response:
    words = "Answer every position that matters, prove that nobody can beat you, and get a diploma for it."
    return show_page(request, PageHead("Master a game", words, "/master"))


@router.api_route("/master/{game}/{number}", methods=["GET", "HEAD"])
@costs(LOOK)
async def exam_page(request: Request, game: str, number: str) -> Response:
    return show_page(request, _game_head(game, "Master {}", f"/master/{{}}/{number}"))


@router.api_route("/puzzle/{id}", methods=["GET", "HEAD"])
@costs(LOOK)
async def puzzle_page(request: Request, services: WithServices, id: str) -> Response:
    def head() -> PageHead:
        puzzle = archive().find(id)
        return _puzzle_head(puzzle, f"Puzzle {puzzle.number}", f"/puzzle/{puzzle.id}")

    return show_page(request, await _in_time(partial(services.run, head)))


def _puzzle_head(puzzle: Puzzle, title: str, path: str) -> PageHead:
    """What the page of a puzzle says of itself: the question, and never its answer."""
    table = table_document(match_of_puzzle(puzzle))
    place, _, query = table.study.partition("?")
    picture = drawn(f"{place}/table.png{query and '?' + query}", f"{table.title}. {puzzle.question}")
    return PageHead(
        f"{title}: {table.title}", f"{puzzle.question} Grade {puzzle.grade} of 5. {table.summary}", path, picture
    )


@router.api_route("/m/{id}", methods=["GET", "HEAD"])
@costs(LOOK)
async def match_page(request: Request, services: WithServices, id: str) -> Response:
    async def head() -> PageHead:
        return await services.run(lambda: match_head(services.matches.load(id)))

    return show_page(request, await _in_time(head, PageHead(listed=False)))


async def _in_time(head: Callable[[], Coroutine[Any, Any, PageHead]], otherwise: PageHead = ALL_PAGES) -> PageHead:
    """A head if it can be had soon; the page itself will say what is wrong."""
    try:
        async with asyncio.timeout(SECONDS_FOR_A_HEAD):
            return await head()
    except (ParlourError, TimeoutError):
        return otherwise


def match_head(loaded: LoadedMatch) -> PageHead:
    """What the page of a match says of itself."""
    match, table = loaded.match, table_document(loaded.match)
    names, title = match.names, match.game.title
    inviting = [names[player - 1] for player in PLAYERS if loaded.stored.seat_hash(player) is not None]
    if loaded.status == "waiting":
        known = [name for name in inviting if name not in UNNAMED]
        heading = f"{known[0]} invites you to play {title}" if known else f"An invitation to play {title}"
        stands = ""
    else:
        heading, stands = f"{title}: {joined(names)}", sentence(match.standing) + " "
    terms = f" {sentence(', '.join(table.terms))}" if table.terms else ""
    return PageHead(
        heading,
        f"{stands}{table.summary}{terms}",
        f"/m/{loaded.id}",
        drawn(f"/m/{loaded.id}/table.png?seq={loaded.stored.seq}", f"{title}. {sentence(match.standing)}"),
        listed=False,
    )


# The pictures.


@router.api_route("/m/{id}/table.png", methods=["GET", "HEAD"])
@costs(ASK)
async def match_picture(request: Request, services: WithServices, id: str) -> Response:
    """The table of a match as it stands. A number may follow, so that what is kept of an earlier state is not shown."""
    _check_can_draw()
    text = await services.run(lambda: record.write_record(services.matches.load(id).match))
    return await _picture(request, services, text, A_WHILE)


@router.api_route("/study/{game}/{token}/table.png", methods=["GET", "HEAD"])
@costs(ASK)
async def study_picture(request: Request, services: WithServices, game: str, token: str, first: First = 1) -> Response:
    """The table after some moves."""
    _check_can_draw()
    line = await check_line(services, await line_of(request, game, token, first))
    return await _picture(request, services, line.record, FOR_A_DAY)


def _check_can_draw() -> None:
    if not can_draw():
        raise HTTPException(404)


async def _picture(request: Request, services: Services, text: str, keep: str) -> Response:
    """The card of a match by its record, drawn by a worker process; or that whoever asks has it already."""
    tag = weak_tag(f"{__version__}\n{text}".encode())
    # Others show it on their pages: that is what it is for.
    headers = {"ETag": tag, "Cache-Control": keep, "Cross-Origin-Resource-Policy": "cross-origin"}
    if has_it(request, tag):
        return Response(status_code=304, headers=headers)
    answer = await services.pool.ask(CardQuestion(record=text), owner=services.address)
    return Response(b64decode(answer.png), headers=headers, media_type="image/png")
