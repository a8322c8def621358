"""Pools of search processes, and questions for them."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any, BinaryIO, TypeVar, cast

import pytest

from parlour import catalog, record
from parlour.documents.solution import Solution
from parlour.game import Game
from parlour.match import MOVE, Match
from parlour.rules import read_rules, show_position
from parlour.setup import Setup
from parlour.study.hints import Hint
from parlour.web.framing import frame, read_message
from parlour.web.messages import (
    QUESTIONS,
    ChosenMove,
    Lane,
    MatchQuestion,
    Question,
    QuestionMessage,
)
from parlour.web.pool import Pool
from parlour.writer import plain
from tests.support.eventually import eventually_async
from tests.support.naive import Textbook

SOON = 10.0  # seconds: what takes next to none may take so many on a busy machine, and what must not happen takes more


T = TypeVar("T")


Asked = Question[Any]


# A worker without wasmtime: in pure Python a large question keeps it busy for as long as a test needs.
PLAIN = ("-c", "import sys; sys.modules['wasmtime'] = None; from parlour.web import worker; worker.main()")


def with_plain_pool(work: Callable[[Pool], Awaitable[T]], **how: Any) -> T:
    """The same as ``with_pool``, with processes that search in pure Python."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("parlour.web.pool._command", lambda: [sys.executable, *PLAIN])
        return with_pool(work, **how)


def with_pool(work: Callable[[Pool], Awaitable[T]], **how: Any) -> T:
    """What comes of some work; nothing of it stays behind."""

    async def run() -> T:
        pool = Pool(**how)
        try:
            return await work(pool)
        finally:
            processes = pool.processes
            await pool.close()
            assert not any(map(alive, processes))

    return asyncio.run(run())


def alive(process: int) -> bool:
    """Whether a process runs; one that only waits to be buried does not."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        if Path("/proc/self").exists():
            return False
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return False
        return True
    return state not in "ZX"


def of(match: Match, ask: str = "solve", **more: Any) -> Asked:
    return QUESTIONS[ask](record=record.write_record(match), **more)


def book(key: str, moves: int = 0, seed: int = 1, **texts: str) -> Match:
    """A game with so many random moves played."""
    game, random = catalog.find_game(key), Random(seed)
    match = Match(Setup(read_rules(game, texts), seed=str(seed)))
    while moves and match.legal_moves:
        match.play(random.choice(match.legal_moves))
        moves -= 1
    return match


def large(**more: Any) -> Asked:
    """A question that keeps a plain process busy for much longer than any test takes."""
    return of(book("increasing-differences", length="12", range="39"), **more)


def larger() -> Asked:
    """Another one, for a process that compiles."""
    return of(book("pyramid-challenge", base="5", highest="20"))


def small(seed: int = 1, moves: int = 3) -> Asked:
    """A question that is answered at once; another seed, another question."""
    return of(book(catalog.keys()[0], moves, seed))


async def begun(pool: Pool, question: Asked, **how: Any) -> asyncio.Task[Any]:
    """A task that waits for the answer to a large question, as soon as a process is searching for it."""
    told: list[int] = []
    task = asyncio.create_task(pool.ask(question, progress=told.append, **how))
    await eventually_async(lambda: told or task.done())
    assert not task.done()
    return task


async def given_up(task: asyncio.Task[Any]) -> None:
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task


def told_hint(match: Match, hint: Hint) -> dict[str, Any]:
    return dict(plain(hint))


async def check_solution(pool: Pool, match: Match, textbook: Textbook) -> None:
    rules, position = match.rules, match.position
    solution = await pool.ask(of(match))
    worth, moves, best = textbook.worth(position), textbook.moves(position), textbook.best(position)
    assert (str(worth.value), worth.plies) == (solution.value, solution.plies)
    assert (solution.game, solution.rules) == (rules.game.key, rules.option_texts)
    assert solution.moves == rules.names(match.round.moves)
    assert solution.to_move == match.turn
    assert (solution.about is not None) == (rules.max_rounds is not None)
    assert solution.left_out == 0
    assert [vars(choice) for choice in solution.choices] == [
        {
            "move": rules.name(move),
            "value": value.word,
            "plies": plies,
            "keeps": str(value) == solution.value,
            "best": move in best,
            "line": None,
        }
        for move, (value, plies) in moves.items()
    ]
    line = [rules.read(position, solution.line[0])] if solution.line else []
    textbook.is_best_play(position, line)
    token = solution.position_text
    assert token == show_position(position)
    beginning = Match(match.setup, match.options)
    again = await pool.ask(of(beginning, position=token))
    assert again == replace(solution, moves=[], to_move=None)


MATCHES = [
    *(("level:3", "perfect", key, {}) for key in catalog.keys()),
    ("perfect", "random", "pyramid-challenge", {"highest": "11"}),  # it has to search
    ("mcts:50", "level:5", catalog.keys()[0], {}),
]


def chooses_as_at_the_terminal(
    run: Callable[..., Any], state: Path, first: str, second: str, key: str, texts: dict[str, str]
) -> None:
    """Check that a pool chooses the moves of a match that was played by the command."""
    before = set(state.glob("*.parlour"))
    how = [word for name, text in texts.items() for word in (f"--{name}", text)]
    assert run("play", key, "--p1", first, "--p2", second, "--seed", "5", *how).code == 0
    (path,) = set(state.glob("*.parlour")) - before
    whole = record.read_record(path.read_text())

    async def work(pool: Pool) -> None:
        match = Match(whole.setup, whole.rounds[0].options)
        for action in whole.log[:40]:  # there are games with a great many rounds
            if action.kind == MOVE:
                answer = await pool.ask(of(match, "choose"))
                assert answer == ChosenMove(move=match.rules.name(action.move))
            match.repeat(action)

    with_pool(work)


def by(player: str, game: Game | None = None, **texts: str) -> Match:
    """A match in which this player is to move."""
    game = game or catalog.find_game(catalog.keys()[0])
    return Match(Setup(read_rules(game, texts), players=(player, "human")))


@dataclass(frozen=True, kw_only=True)
class Unheard(MatchQuestion[Solution]):
    """A question that nobody answers."""

    ask = "nothing that there is"
    answered_by = Solution
    lane = Lane.STUDY
    seconds = None
    remembered = False


def long_game() -> Match:
    return book("increasing-differences", 100, length="12", range="39")


def perfect(**texts: str) -> Asked:
    """A computer's move for which nobody finds a proof."""
    match = by("perfect", catalog.find_game("increasing-differences"), **{"length": "12", "range": "39", **texts})
    return of(match, "prove")


async def in_order(pool: Pool, asked: list[tuple[str, Asked]], running: asyncio.Task[Any]) -> list[str]:
    """The owners of these questions in the order of their answers, when they have all waited for another one."""
    order: list[str] = []

    async def ask(owner: str, question: Asked) -> None:
        await pool.ask(question, owner=owner)
        order.append(owner)

    tasks = []
    for owner, question in asked:
        tasks.append(asyncio.create_task(ask(owner, question)))
        await asyncio.sleep(0)
    await given_up(running)
    await asyncio.gather(*tasks)
    return order


SERVER = """
import asyncio, sys
from parlour.web.messages import SolveQuestion
from parlour.web import pool as module
from parlour.web.pool import Pool

if sys.argv[2] == "plain":
    module._command = lambda: [sys.executable, *sys.argv[3:]]

async def serve():
    pool = Pool()
    def progress(positions):
        print(*pool.processes, flush=True)
    await pool.ask(SolveQuestion(record=sys.argv[1]), seconds=60, progress=progress)

asyncio.run(serve())
"""


Process = subprocess.Popen[bytes]


Starter = Callable[..., Process]


@pytest.fixture
def process() -> Iterator[Starter]:
    """Starts a process as the server does, or something like it."""
    started: list[Process] = []

    def start(*command: str) -> Process:
        pipe = subprocess.PIPE
        process = subprocess.Popen(
            [sys.executable, *(command or ("-m", "parlour.web.worker"))], stdin=pipe, stdout=pipe, stderr=pipe
        )
        started.append(process)
        return process

    yield start
    for one in started:
        one.kill()
        one.communicate()


def asked(id: int, question: Asked, seconds: float = 30) -> QuestionMessage:
    return QuestionMessage(type="question", id=id, seconds=seconds, ask=question.ask, question=vars(question))


def put(process: Process, id: int, question: Asked) -> None:
    assert process.stdin is not None
    process.stdin.write(frame(asked(id, question)))
    process.stdin.flush()


def said_by(process: Process) -> dict[str, Any]:
    """The next message of a process."""
    assert process.stdout is not None
    message = read_message(cast(BinaryIO, process.stdout))
    assert message is not None
    return message
