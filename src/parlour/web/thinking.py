"""The server's side of thinking: questions go to processes, and the event loop stays free.

Everything that solves runs in worker processes (``thinker``). Here is who asks whom. Every question has an owner, and
owners take turns: nobody waits for all that somebody else has asked. Where there are two processes or more, one is for
those moves of computers that come quickly, and the others are for what may take long. Equal questions are answered
once, and what was answered lately is remembered.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import Any

import parlour
from parlour import errors
from parlour.errors import Busy, MoveRefused, ParlourError, ThinkingFailed, TooBig

QUICK = "choose"  # the move of a computer that needs no proof of it
# The first of the processes that a kind of question may have. Reports take longest: where there are three processes,
# nobody who asks for something else waits for one.
PLACES = {QUICK: 0, "prove": 1, "solve": 1, "hint": 1, "why": 1, "report": 2}
REMEMBERED = ("solve", "hint", "why", "report")  # what is worth remembering; a computer's move is asked for once
ANSWERS = 300  # that are remembered at most
BYTES = 16 << 20  # that these may take together
LONGEST = 16 << 20  # bytes of one answer
OVERTIME = 3.0  # seconds that a process may take longer than it was told: a search looks at the clock now and then
GRACE = 2.0  # seconds to give up a question in, once told to
SHARE = 4  # of the questions that may wait, an owner may have one in so many
PATIENCE = 60.0  # seconds until a question that no process was free for is refused
TRIES = 2  # a process may die of something else than the question, once

Progress = Callable[[int], None]


class _Died(Exception):
    """The process is gone, or has said something that is not an answer."""


class _Job:
    """A question and all who wait for its answer."""

    def __init__(self, number: int, text: str, ask: str, owner: str, seconds: float) -> None:
        self.number = number
        self.text = text  # the question in JSON, always the same for the same
        self.ask = ask  # what kind of question it is
        self.owner = owner  # who asked first
        self.seconds = seconds
        self.askers: dict[asyncio.Future[bytes], Progress | None] = {}
        self.dropped = asyncio.Event()  # nobody waits any more
        self.patience: asyncio.TimerHandle | None = None  # while it waits for a process

    @property
    def key(self) -> tuple[str, float]:
        return self.text, self.seconds

    @property
    def line(self) -> bytes:
        """As the process reads it."""
        return f'{{"id":{self.number},"seconds":{self.seconds},{self.text[1:]}\n'.encode()

    def tell(self, positions: int) -> None:
        """Progress, for those who want to know."""
        for asker, progress in list(self.askers.items()):
            if progress is not None and not asker.done():
                try:
                    progress(positions)
                except Exception as error:  # his own affair, and none of the others'
                    asker.set_exception(error)

    def succeed(self, line: bytes) -> None:
        for asker in self.askers:
            if not asker.done():
                asker.set_result(line)

    def fail(self, make: Callable[[], ParlourError]) -> None:
        """Each who waits gets an error of his own: a traceback belongs to one task."""
        for asker in self.askers:
            if not asker.done():
                asker.set_exception(make())


class _Queue:
    """Questions that wait for a process. Their owners take turns, and whoever has had one stands last again."""

    def __init__(self) -> None:
        self._owners: dict[str, list[_Job]] = {}  # whose turn it is stands first

    def __iter__(self) -> Iterator[_Job]:
        """Each in its turn; of one owner's, moves go before study."""
        for jobs in self._owners.values():
            yield from sorted(jobs, key=lambda job: job.ask != "prove")

    def add(self, job: _Job) -> None:
        self._owners.setdefault(job.owner, []).append(job)

    def remove(self, job: _Job) -> None:
        jobs = self._owners.get(job.owner, [])
        if job in jobs:
            jobs.remove(job)
            if not jobs:
                del self._owners[job.owner]

    def end_turn(self, owner: str) -> None:
        if owner in self._owners:
            self._owners[owner] = self._owners.pop(owner)


class _Process:
    """One worker process. It answers one question at a time."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._process, self._input, self._output = process, process.stdin, process.stdout

    @classmethod
    async def start(cls) -> _Process:
        """A new one; _Died if it cannot be started."""
        try:
            return cls(
                await asyncio.create_subprocess_exec(
                    *_command(),
                    stdin=asyncio.subprocess.PIPE,
                    stdout=asyncio.subprocess.PIPE,
                    limit=LONGEST,
                    start_new_session=True,  # Ctrl-C at the terminal is for the server alone
                )
            )
        except OSError as error:
            raise _Died(error) from None

    @property
    def number(self) -> int:
        return self._process.pid

    @property
    def lives(self) -> bool:
        return self._process.returncode is None

    async def ask(self, job: _Job) -> bytes:
        """The line that answers a question, or refuses to; _Died if none comes."""
        try:
            self._input.write(job.line)
            await self._input.drain()
            while True:
                line = await self._output.readline()
                if not line.endswith(b"\n"):
                    raise _Died("it ended")
                if not line.startswith(b'{"id":%d,' % job.number):
                    raise _Died("it does not answer what it was asked")
                if not line.startswith(b'{"id":%d,"progress":' % job.number):
                    return line
                job.tell(json.loads(line)["progress"])
        except (OSError, ValueError) as error:  # a pipe that is closed; a line that is too long
            raise _Died(error) from None

    def cancel(self, job: _Job) -> None:
        """Let it give up a question. It still answers, soon: with an error, or what it has just found out."""
        with suppress(OSError):
            self._input.write(b'{"cancel":%d}\n' % job.number)

    async def end(self) -> None:
        """End it at once, by force: it has nothing to tidy up."""
        with suppress(ProcessLookupError):
            self._process.kill()
        self._input.close()
        with suppress(OSError, ValueError):
            while await self._output.read(1 << 16):  # to the end: then the pipe is closed
                pass
        await self._process.wait()
        with suppress(OSError):
            await self._input.wait_closed()


class Thinkers:
    """A few processes that think, and the queues before them. To be used in one event loop."""

    def __init__(self, workers: int = 2, waiting: int = 64, seconds: float = 10.0) -> None:
        """``workers`` processes at most, started when they are needed.

        So many questions may wait: as many quick ones, and as many others. ``seconds`` is what a question may take
        once a process has it, unless whoever asks says otherwise.
        """
        self._waiting = waiting
        self._seconds = seconds
        self._processes: list[_Process | None] = [None] * workers
        self._idle = set(range(workers))
        self._quick, self._long = _Queue(), _Queue()
        self._jobs: dict[tuple[str, float], _Job] = {}  # that others can join: waiting, or being thought about
        self._running: set[asyncio.Task[None]] = set()
        self._ending: set[asyncio.Task[None]] = set()  # processes
        self._asked = 0  # questions so far
        self._answers: OrderedDict[str, bytes] = OrderedDict()  # by question; what was used last stands last
        self._bytes = 0  # that they take
        self._closed = False

    @property
    def processes(self) -> list[int]:
        """The numbers of the processes that have been started and are alive."""
        return [process.number for process in self._processes if process is not None and process.lives]

    async def ask(
        self,
        question: dict[str, Any],
        *,
        owner: str = "",
        seconds: float | None = None,
        progress: Progress | None = None,
    ) -> dict[str, Any]:
        """The answer of a process to a question; ``thinker`` says which there are, and ``owner`` whose it is.

        A ParlourError as the process had it; Busy if too many wait already, or it has waited for too long; TooBig if
        the time is up; ThinkingFailed if two processes have died of it. ``progress`` is told now and then how many
        positions have been searched. Cancelling the task that awaits the answer gives up the work for it.
        """
        if self._closed:
            raise _closing()
        text = json.dumps(question, sort_keys=True, separators=(",", ":"))
        line = self._recall(text)
        if line is None:
            job = self._job(text, question["ask"], owner, self._seconds if seconds is None else seconds)
            line = await self._wait(job, progress)
        return _answer(line)

    async def _wait(self, job: _Job, progress: Progress | None) -> bytes:
        asker: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        job.askers[asker] = progress
        self._dispatch()
        try:
            return await asker
        finally:
            del job.askers[asker]
            if not job.askers:
                self._drop(job)

    def _job(self, text: str, ask: str, owner: str, seconds: float) -> _Job:
        """A new one in its queue, or the one that is there already; Busy if too many wait."""
        if (text, seconds) in self._jobs:
            return self._jobs[text, seconds]
        self._asked += 1
        job = _Job(self._asked, text, ask, owner, float(seconds))
        queue = self._queue(job)
        owners = [other.owner for other in queue]
        full = len(owners) >= self._waiting or owners.count(owner) >= max(1, self._waiting // SHARE)
        if full and not any(self._may_have(place, job) for place in self._idle):
            raise Busy("too many questions are waiting to be thought about; ask again in a little while")
        self._jobs[job.key] = job
        queue.add(job)
        job.patience = asyncio.get_running_loop().call_later(PATIENCE, self._tire, job)
        return job

    def _drop(self, job: _Job) -> None:
        """Nobody waits for it any more."""
        self._forget(job)
        job.dropped.set()
        self._queue(job).remove(job)

    def _forget(self, job: _Job) -> None:
        """Nobody can join those who wait for it: it is answered, refused or given up."""
        if job.patience is not None:
            job.patience.cancel()
        if self._jobs.get(job.key) is job:
            del self._jobs[job.key]

    def _tire(self, job: _Job) -> None:
        self._drop(job)
        reason = f"nobody was free to think about it for {PATIENCE:g} seconds; ask again in a little while"
        job.fail(lambda: Busy(reason))

    # Who thinks about what.

    def _queue(self, job: _Job) -> _Queue:
        return self._quick if job.ask == QUICK else self._long

    def _may_have(self, place: int, job: _Job) -> bool:
        """Whether the process at a place is for this kind of question; the last one is for all."""
        return place >= min(PLACES.get(job.ask, 1), len(self._processes) - 1)

    def _dispatch(self) -> None:
        """Give every process that is idle the next question that may have it."""
        for place in sorted(self._idle):
            # Quick questions have the first process to themselves, and the others when nothing else wants them.
            waiting = chain(self._quick, self._long) if place == 0 else chain(self._long, self._quick)
            job = next((job for job in waiting if self._may_have(place, job)), None)
            if job is None:
                continue
            self._idle.remove(place)
            self._queue(job).remove(job)
            self._queue(job).end_turn(job.owner)
            if job.patience is not None:
                job.patience.cancel()
            task = asyncio.get_running_loop().create_task(self._think(place, job))
            self._running.add(task)
            task.add_done_callback(self._running.discard)

    async def _think(self, place: int, job: _Job) -> None:
        """Let the process at a place answer a question, and be free again."""
        try:
            for _ in range(TRIES):
                try:
                    await self._try(place, job)
                    break
                except _Died:
                    await self._end(place)
        finally:
            self._forget(job)
            job.fail(lambda: ThinkingFailed("the search broke off twice; it may need more memory than there is"))
            self._queue(job).end_turn(job.owner)  # again: others may have come since it began
            self._idle.add(place)
            self._dispatch()

    async def _try(self, place: int, job: _Job) -> None:
        """Let it be answered, given up, or refused because the time is up; _Died if the process dies of it."""
        if job.dropped.is_set():
            return
        process = self._processes[place]
        if process is None or not process.lives:
            await self._end(place)
            process = self._processes[place] = await _Process.start()
        asking = asyncio.ensure_future(process.ask(job))
        dropped = asyncio.ensure_future(job.dropped.wait())
        try:
            limit = job.seconds + OVERTIME
            await asyncio.wait((asking, dropped), timeout=limit, return_when=asyncio.FIRST_COMPLETED)
            if not asking.done():
                self._forget(job)
                job.fail(lambda: TooBig(f"no exact answer within {job.seconds:g} seconds; ask later in the game"))
                process.cancel(job)
                await asyncio.wait((asking,), timeout=GRACE)
            if asking.done():
                line = asking.result()
                self._forget(job)
                self._remember(job, line)
                job.succeed(line)
                return
        except _Died:
            if job.dropped.is_set():
                await self._end(place)
                return
            raise
        finally:
            asking.cancel()
            dropped.cancel()
            await asyncio.gather(asking, dropped, return_exceptions=True)
        await self._end(place)  # it does not listen: the next question gets a new one

    async def _end(self, place: int) -> None:
        """End the process at a place, if there is one."""
        process, self._processes[place] = self._processes[place], None
        if process is not None:
            ending = asyncio.get_running_loop().create_task(process.end())
            self._ending.add(ending)
            ending.add_done_callback(self._ending.discard)
            await asyncio.shield(ending)  # nothing is left behind, even if we are being cancelled

    async def close(self) -> None:
        """End all processes at once; whoever waits for an answer is refused."""
        self._closed = True
        for job in list(self._jobs.values()):
            self._drop(job)
            job.fail(_closing)
        running = list(self._running)
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        await asyncio.gather(*(self._end(place) for place in range(len(self._processes))), *self._ending)

    # What was answered lately.

    def _recall(self, text: str) -> bytes | None:
        if text in self._answers:
            self._answers.move_to_end(text)
        return self._answers.get(text)

    def _remember(self, job: _Job, line: bytes) -> None:
        """Keep an answer, unless with more time there would be a better one."""
        if job.ask not in REMEMBERED or not line.endswith(b',"complete":true}\n') or len(line) > BYTES // 4:
            return
        self._bytes += len(line) + len(job.text) - self._size(job.text)
        self._answers[job.text] = line
        self._answers.move_to_end(job.text)
        while len(self._answers) > ANSWERS or self._bytes > BYTES:
            oldest = next(iter(self._answers))
            self._bytes -= self._size(oldest)
            del self._answers[oldest]

    def _size(self, text: str) -> int:
        return len(text) + len(self._answers[text]) if text in self._answers else 0


def _command() -> list[str]:
    """What starts a process."""
    # The current directory is not searched for modules (somebody's random.py), unless Parlour itself lies there.
    try:
        safely = [] if Path.cwd() == Path(parlour.__file__).parents[1] else ["-P"]
    except FileNotFoundError:  # it is gone
        safely = ["-P"]
    return [sys.executable, *safely, "-m", "parlour.web.thinker"]


def _closing() -> ParlourError:
    return ThinkingFailed("the server is being closed")


def _answer(line: bytes) -> dict[str, Any]:
    """What a line of a process says; the error it tells of is raised."""
    message = json.loads(line)
    if "answer" in message:
        answer: dict[str, Any] = message["answer"]
        return answer
    told = message["error"]
    kind = getattr(errors, told["type"], ThinkingFailed)
    if issubclass(kind, MoveRefused):
        reason, legal = told["reason"], told["legal"]
        raise kind(told["message"].removesuffix(f": {reason}; legal: {legal}"), reason, legal)
    raise kind(told["message"])
