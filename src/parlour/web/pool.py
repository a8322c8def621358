"""A pool of worker processes: questions go to them, and the server's event loop stays free.

Everything that searches runs in worker processes (``worker``). Here is who asks whom. Every question has an owner, and
owners take turns: nobody waits for all that somebody else has asked. Where there are two processes or more, one is for
those moves of computers that come quickly, and the others are for what may take long. Equal questions are answered
once, and what was answered lately is remembered.
"""

from __future__ import annotations

import asyncio
import sys
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import Any

import parlour
from parlour.errors import ParlourError, TooBig, restore
from parlour.service.errors import SearchFailed
from parlour.store.errors import Busy
from parlour.web.compression import Encoded
from parlour.web.framing import frame, receive
from parlour.web.messages import A, CancelMessage, Lane, ProveQuestion, Question, QuestionMessage
from parlour.web.refusals import ERRORS
from parlour.web.wire import read
from parlour.writer import write_json

MOST_ANSWERS = 600  # that are remembered: what is known beforehand is about a third of it
MOST_ANSWER_BYTES = 16 << 20  # that these may take together
OVERTIME_SECONDS = 3.0  # that a process may take longer than it was told: a search looks at the clock now and then
GIVE_UP_SECONDS = 2.0  # to give up a question in, once told to
OWNER_SHARE = 4  # of the questions that may wait, an owner may have one in so many
LONGEST_WAIT_SECONDS = 60.0  # seconds until a question that no process was free for is refused
MOST_ANSWER_ATTEMPTS = 2  # a process may die of something else than the question, once

OnProgress = Callable[[int], None]
_Reply = dict[str, Any]  # the last message of a process about a question


class _Died(Exception):
    """The process is gone, or has said something that is not an answer."""


class _BadAnswer(_Died):
    """The process has sent what cannot be an answer: another would do the same."""


class _Job:
    """A question and all who wait for its answer."""

    def __init__(self, id: int, question: Question[Any], text: str, owner: str, seconds: float) -> None:
        self.id = id
        self.question = question
        self.text = text
        self.owner = owner  # who asked first
        self.seconds = seconds
        self.askers: dict[asyncio.Future[_Reply], OnProgress | None] = {}
        self.dropped = asyncio.Event()  # nobody waits any more
        self.patience: asyncio.TimerHandle | None = None  # while it waits for a process

    @property
    def key(self) -> tuple[str, float]:
        return self.text, self.seconds

    @property
    def message(self) -> QuestionMessage:
        """As the process reads it."""
        question = self.question
        return QuestionMessage(
            type="question", id=self.id, seconds=self.seconds, ask=question.ask, question=vars(question)
        )

    def tell(self, positions: int) -> None:
        """Progress, for those who want to know."""
        for asker, progress in list(self.askers.items()):
            if progress is not None and not asker.done():
                try:
                    progress(positions)
                except Exception as error:  # the affair of one, and not of the others
                    asker.set_exception(error)

    def succeed(self, reply: _Reply) -> None:
        for asker in self.askers:
            if not asker.done():
                asker.set_result(reply)

    def fail(self, make: Callable[[], ParlourError]) -> None:
        """Everybody who waits gets an error of their own: a traceback belongs to one task."""
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
            yield from sorted(jobs, key=lambda job: not isinstance(job.question, ProveQuestion))

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


class _WorkerProcess:
    """One worker process, seen from the server. It answers one question at a time."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._process, self._input, self._output = process, process.stdin, process.stdout

    @classmethod
    async def start(cls) -> _WorkerProcess:
        """A new one; _Died if it cannot be started."""
        try:
            return cls(
                await asyncio.create_subprocess_exec(
                    *_command(),
                    stdin=asyncio.subprocess.PIPE,
                    stdout=asyncio.subprocess.PIPE,
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

    async def ask(self, job: _Job) -> _Reply:
        """The message that answers a question, or refuses to; _Died if none comes."""
        try:
            self._input.write(frame(job.message))
            await self._input.drain()
            while True:
                message = await receive(self._output)
                if message["id"] != job.id:
                    raise _Died("it does not answer what it was asked")
                if message["type"] != "progress":
                    return message
                job.tell(message["positions"])
        except (OSError, EOFError) as error:  # a pipe that is closed
            raise _Died(error) from None
        except (ValueError, LookupError) as error:  # no message of ours, or one that is too large
            raise _BadAnswer(error) from None

    def cancel(self, job: _Job) -> None:
        """Let it give up a question. It still answers, soon: with an error, or what it has just found out."""
        with suppress(OSError):
            self._input.write(frame(CancelMessage(type="cancel", id=job.id)))

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


class Pool:
    """A few worker processes, and the queues before them. To be used in one event loop."""

    def __init__(self, workers: int = 2, waiting: int = 64, seconds: float = 10.0) -> None:
        """``workers`` processes at most, started when they are needed.

        So many questions may wait: as many quick ones, and as many others. ``seconds`` is what a question may take
        once a process has it, unless whoever asks says otherwise.
        """
        self._waiting = waiting
        self._seconds = seconds
        self._processes: list[_WorkerProcess | None] = [None] * workers
        self._idle = set(range(workers))
        self._quick, self._long = _Queue(), _Queue()
        self._jobs: dict[tuple[str, float], _Job] = {}  # that others can join: waiting, or being thought about
        self._running: set[asyncio.Task[None]] = set()
        self._ending: set[asyncio.Task[None]] = set()  # processes
        self._asked = 0  # questions so far
        self._answers: OrderedDict[str, Encoded] = OrderedDict()  # answer by question, least recently used first
        self._bytes = 0  # that they take
        self._closed = False

    @property
    def processes(self) -> list[int]:
        """The numbers of the processes that have been started and are alive."""
        return [process.number for process in self._processes if process is not None and process.lives]

    @property
    def size(self) -> int:
        """How many questions may be thought about at the same time."""
        return len(self._processes)

    @property
    def busy(self) -> int:
        """How many are."""
        return len(self._processes) - len(self._idle)

    @property
    def waiting(self) -> int:
        """How many wait for that."""
        return sum(1 for _ in chain(self._quick, self._long))

    async def ask(
        self,
        question: Question[A],
        *,
        owner: str = "",
        seconds: float | None = None,
        progress: OnProgress | None = None,
    ) -> A:
        """The answer of a process to a question; ``owner`` says whose it is. The rest is as in ``ask_json``."""
        found = await self.ask_json(question, owner=owner, seconds=seconds, progress=progress)
        answer: A = read(question.answered_by, found.json)
        return answer

    async def ask_json(
        self,
        question: Question[Any],
        *,
        owner: str = "",
        seconds: float | None = None,
        progress: OnProgress | None = None,
    ) -> Encoded:
        """The answer as the process has written it, to be passed on as it is.

        A ParlourError as the process had it; Busy if too many wait already, or it has waited for too long; TooBig if
        the time is up; SearchFailed if two processes have died of it. ``progress`` is told now and then how many
        positions have been searched. Cancelling the task that awaits the answer gives up the work for it.
        """
        if self._closed:
            raise _closing()
        text = f"{question.ask} {write_json(vars(question))}"
        known = self._recall(text)
        if known is not None:
            return known
        usual = self._seconds if question.seconds is None else question.seconds
        job = self._job(question, text, owner, float(usual if seconds is None else seconds))
        return _answer(await self._wait(job, progress))

    async def _wait(self, job: _Job, progress: OnProgress | None) -> _Reply:
        asker: asyncio.Future[_Reply] = asyncio.get_running_loop().create_future()
        job.askers[asker] = progress
        self._dispatch()
        try:
            return await asker
        finally:
            del job.askers[asker]
            if not job.askers:
                self._drop(job)

    def _job(self, question: Question[Any], text: str, owner: str, seconds: float) -> _Job:
        """A new one in its queue, or the one that is there already; Busy if too many wait."""
        job = _Job(self._asked + 1, question, text, owner, seconds)
        if job.key in self._jobs:
            return self._jobs[job.key]
        self._asked += 1
        queue = self._queue(job)
        owners = [other.owner for other in queue]
        full = len(owners) >= self._waiting or owners.count(owner) >= max(1, self._waiting // OWNER_SHARE)
        if full and not any(self._may_have(place, job) for place in self._idle):
            raise Busy("too many questions are waiting to be thought about; ask again in a little while")
        self._jobs[job.key] = job
        queue.add(job)
        job.patience = asyncio.get_running_loop().call_later(LONGEST_WAIT_SECONDS, self._tire, job)
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
        reason = f"nobody was free to think about it for {LONGEST_WAIT_SECONDS:g} seconds; ask again in a little while"
        job.fail(lambda: Busy(reason))

    # Who answers what.

    def _queue(self, job: _Job) -> _Queue:
        return self._quick if job.question.lane is Lane.QUICK else self._long

    def _may_have(self, place: int, job: _Job) -> bool:
        """Whether the process at a place is for this kind of question; the last one is for all."""
        return place >= min(job.question.lane, len(self._processes) - 1)

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
            task = asyncio.get_running_loop().create_task(self._answer_by(place, job))
            self._running.add(task)
            task.add_done_callback(self._running.discard)

    async def _answer_by(self, place: int, job: _Job) -> None:
        """Let the process at a place answer a question, and be free again."""
        try:
            for _ in range(MOST_ANSWER_ATTEMPTS):
                try:
                    await self._try(place, job)
                    break
                except _BadAnswer:
                    job.fail(lambda: SearchFailed("the search process sent no answer that can be read"))
                    await self._end(place)
                    break
                except _Died:
                    await self._end(place)
        finally:
            self._forget(job)
            job.fail(lambda: SearchFailed("the search broke off twice; it may need more memory than there is"))
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
            process = self._processes[place] = await _WorkerProcess.start()
        asking = asyncio.ensure_future(process.ask(job))
        dropped = asyncio.ensure_future(job.dropped.wait())
        try:
            limit = job.seconds + OVERTIME_SECONDS
            await asyncio.wait((asking, dropped), timeout=limit, return_when=asyncio.FIRST_COMPLETED)
            if not asking.done():
                self._forget(job)
                job.fail(lambda: TooBig(f"no exact answer within {job.seconds:g} seconds; ask later in the game"))
                process.cancel(job)
                await asyncio.wait((asking,), timeout=GIVE_UP_SECONDS)
            if asking.done():
                reply = asking.result()
                self._forget(job)
                self._remember(job, reply)
                job.succeed(reply)
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

    def _recall(self, text: str) -> Encoded | None:
        if text in self._answers:
            self._answers.move_to_end(text)
        return self._answers.get(text)

    def _remember(self, job: _Job, reply: _Reply) -> None:
        """Keep an answer, unless with more time there would be a better one."""
        if not job.question.remembered or not reply.get("complete"):
            return
        answer: Encoded = reply["answer"]
        if answer.size > MOST_ANSWER_BYTES // 4:
            return
        self._bytes += answer.size + len(job.text) - self._size(job.text)
        self._answers[job.text] = answer
        self._answers.move_to_end(job.text)
        while len(self._answers) > MOST_ANSWERS or self._bytes > MOST_ANSWER_BYTES:
            oldest = next(iter(self._answers))
            self._bytes -= self._size(oldest)
            del self._answers[oldest]

    def _size(self, text: str) -> int:
        return len(text) + self._answers[text].size if text in self._answers else 0


def _command() -> list[str]:
    """What starts a process."""
    # The current directory is not searched for modules (somebody's random.py), unless Parlour itself lies there.
    try:
        safely = [] if Path.cwd() == Path(parlour.__file__).parents[1] else ["-P"]
    except FileNotFoundError:  # it is gone
        safely = ["-P"]
    return [sys.executable, *safely, "-m", "parlour.web.worker"]


def _closing() -> ParlourError:
    return SearchFailed("the server is being closed")


def _answer(reply: _Reply) -> Encoded:
    """What a process has answered; an error in it is raised."""
    if reply["type"] == "answer":
        answer: Encoded = reply["answer"]
        return answer
    raise restore(ERRORS.get(reply["error"], SearchFailed), reply["message"], reply["fields"])
