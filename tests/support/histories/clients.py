"""Clients that play: each makes matches or joins them, moves, takes back, offers, renames, resigns and comes back.

Whatever a client sends is noted with its begin, its end and its outcome. If it does not learn what became of something,
it sends the same again, to whichever server; what was refused it may do otherwise.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import secrets
import time
from contextlib import suppress
from random import Random
from typing import Any, NamedTuple

import httpx

from tests.support.histories.history import DONE, REFUSED, UNKNOWN, Attempt, History, seen_in

MOST_ACTIONS = 40  # of one player in one match, before he resigns it
MOST_ATTEMPTS = 12  # at one thing, before a player leaves the match as it is
UNSENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)  # no server has heard of it

State = dict[str, Any]


class Invitation(NamedTuple):
    """To a match that somebody has made."""

    match: str
    secret: str


class Scene:
    """What the clients of one run share: the servers, the games, the history, and the invitations that are open."""

    def __init__(self, urls: list[str], games: list[str], levels: list[str], *, keys: bool) -> None:
        """``keys``: whether new matches can have one."""
        self.urls = urls
        self.games = games
        self.levels = levels
        self.keys = keys
        self.history = History()
        self.invitations: list[Invitation] = []
        self.matches: dict[str, None] = {}  # every id that was heard of
        self.over = False  # the clients are to come to an end
        self._numbers = itertools.count(1)

    def new_name(self, word: str) -> str:
        """A name that nobody else has."""
        return f"{word} {next(self._numbers)}"


async def look_around(urls: list[str]) -> Scene:
    """The scene at these servers, as they describe themselves."""
    async with httpx.AsyncClient(base_url=urls[0], timeout=30) as client:
        cards = (await client.get("/api/games")).json()
        described = (await client.get("/api/openapi.json")).json()
    fields = described["components"]["schemas"]["LocalChallenge"]["properties"]
    levels = [level["key"] for level in cards["levels"]]
    return Scene(urls, [card["key"] for card in cards["games"]], levels[:3], keys="key" in fields)


class GivenUp(Exception):
    """The client leaves the match: it does not learn what became of something, or is not wanted."""


class Seat:
    """A client's place in one match; it may be both seats of it."""

    def __init__(self, match: str, secret: str | None, state: State) -> None:
        self.match = match
        self.secret = secret
        self.state = state
        self.streams = itertools.count(1)

    @property
    def players(self) -> tuple[int, ...]:
        return tuple(self.state["you"])

    def learn(self, state: State) -> None:
        """Keep a state if it is newer, or the same with other people present."""
        if state["seq"] >= self.state["seq"]:
            self.state = state


class Client:
    """One of those who play."""

    def __init__(self, scene: Scene, name: str, seed: str) -> None:
        self.scene = scene
        self.name = name
        self.random = Random(seed)
        self._operations = itertools.count(1)

    async def play(self) -> None:
        """One match after the other, until the scene is over."""
        # Half of them hang up when nothing comes; the others wait for what the server has to say.
        patience = self.random.choice([2.5, 40.0])
        limits = httpx.Limits(max_connections=6)
        async with httpx.AsyncClient(timeout=httpx.Timeout(patience, connect=5), limits=limits) as self.http:
            while not self.scene.over:
                with suppress(GivenUp):
                    seat = await self._sit_down()
                    while seat is not None:
                        await self._play_match(seat)
                        seat = await self._again(seat)
                await asyncio.sleep(self.random.uniform(0.01, 0.1))

    # Beginning a match.

    async def _sit_down(self) -> Seat | None:
        scene, random = self.scene, self.random
        if scene.invitations and random.random() < 0.8:
            # Some invitations are seen by two: the first has the seat.
            invitation = random.choice(scene.invitations)
            if random.random() < 0.7:
                scene.invitations.remove(invitation)
            return await self._join(invitation)
        kind = random.choices(["open", "local", "computer"], [4, 3, 2])[0]
        wish: dict[str, Any] = {"game": random.choice(scene.games)}
        key = ""
        if scene.keys:
            wish["key"] = key = secrets.token_urlsafe(16)
        if kind == "local":
            wish["names"] = [scene.new_name("Ann"), scene.new_name("Ben")]
        else:
            wish["name"] = scene.new_name("Cleo")
        if kind == "computer":
            wish["level"] = random.choice(scene.levels)
        # Without a key, what became of it cannot be found out, and another is made.
        made = await self._do("create", f"/api/challenge/{kind}", wish, text=key, attempts=None if key else 1)
        seat = Seat(made["id"], made["seat"], made["state"])
        if kind == "open":
            scene.invitations.append(Invitation(made["id"], made["invite"]))
            for _ in range(40):
                if seat.state["status"] != "waiting" or scene.over:
                    break
                await self._wait(seat)
            if seat.state["status"] == "waiting":
                return None
        return seat

    async def _join(self, invitation: Invitation) -> Seat | None:
        name = self.scene.new_name("Dan")
        body = {"invite": invitation.secret, "name": name, "seat": secrets.token_urlsafe(24)}
        joined = await self._do(
            "join", f"/api/matches/{invitation.match}/join", body, match=invitation.match, text=name
        )
        with suppress(ValueError):
            self.scene.invitations.remove(invitation)
        return Seat(joined["id"], joined["seat"], joined["state"])

    async def _again(self, seat: Seat) -> Seat | None:
        """A rematch, where it needs nobody's consent and this client wants one."""
        if self.scene.over or "rematch" not in seat.state["can"] or self.random.random() < 0.7:
            return None
        await self._act(seat, "rematch", "rematch", None)
        match = seat.state["rematch"]
        if match is None:
            return None
        self.scene.matches[match] = None
        again = Seat(match, seat.secret, seat.state)
        state = await self._look(again)
        return None if state is None else Seat(match, seat.secret, state)

    # Playing it.

    async def _play_match(self, seat: Seat) -> None:
        for action in itertools.count():
            if seat.state["status"] == "over":
                return
            if self.scene.over and action > 2:
                return
            await asyncio.sleep(self.random.uniform(0, 0.06))
            try:
                await self._do_something(seat, action)
            except Refused:
                if await self._look(seat) is None:
                    await asyncio.sleep(0.3)

    async def _do_something(self, seat: Seat, action: int) -> None:
        random, state, can = self.random, seat.state, seat.state["can"]
        ply, seq, luck = state["ply"], state["seq"], random.random()
        if action >= MOST_ACTIONS and "resign" in can:
            await self._act(seat, "resign", "resign", {})
        elif luck < 0.03 and "rename" in can:
            name = self.scene.new_name("Eve")
            await self._act(seat, "rename", "name", {"name": name, "seq": seq}, text=name)
        elif luck < 0.04 and "resign" in can:
            await self._act(seat, "resign", "resign", {})
        elif luck < 0.10:
            await self._look(seat)
        elif "accept" in can:
            answer = random.choice(["accept", "accept", "decline"])
            await self._answer(seat, answer)
        elif "withdraw" in can and luck < 0.4:
            await self._answer(seat, "withdraw")
        elif "next" in can and (luck < 0.5 or state["status"] == "between"):
            await self._act(seat, "next", "next", {"ply": ply}, ply=ply)
        elif "undo" in can and luck < 0.22:
            await self._act(seat, "undo", "undo", {"ply": ply}, ply=ply)
        elif "offer undo" in can and luck < 0.20:
            await self._act(seat, "offer", "offer", {"kind": "undo", "ply": ply, "seq": seq}, ply=ply, text="undo")
        elif "offer next" in can and luck < 0.5:
            await self._act(seat, "offer", "offer", {"kind": "next", "ply": ply, "seq": seq}, ply=ply, text="next")
        elif "move" in can:
            move = random.choice(state["table"]["legal"])
            late = ply > 0 and random.random() < 0.03  # a move for a ply that is past is refused, or was played there
            ply -= late
            again = random.choices([1, 2, 3], [10, 2, 1])[0]
            await self._act(seat, "move", "move", {"move": move, "ply": ply}, ply=ply, text=move, at_once=again)
        else:
            await self._wait(seat)

    async def _answer(self, seat: Seat, answer: str) -> None:
        state = seat.state
        ply, kind = state["ply"], state["offer"]["kind"]
        body = {"kind": kind, "ply": ply, "seq": state["seq"]}
        await self._act(seat, answer, f"offer/{answer}", body, ply=ply, text=kind)

    async def _act(self, seat: Seat, action: str, path: str, body: dict[str, Any] | None, **more: Any) -> None:
        """Do something in a match. If it is refused because the match has gone on, that is learned."""
        where = f"/api/matches/{seat.match}/{path}"
        state = await self._do(action, where, body, match=seat.match, seat=seat, **more)
        seat.learn(state)

    async def _look(self, seat: Seat) -> State | None:
        """See how the match stands, if a server tells."""
        operation = self._operation()
        got = await self._send("look", operation, "GET", f"/api/matches/{seat.match}", None, seat.match, seat, None, "")
        if got is None or got.outcome != DONE:
            return None
        seat.learn(got.body)
        return seat.state

    async def _wait(self, seat: Seat) -> None:
        """Wait for something to happen: on a stream, for a while, or by looking again."""
        if self.random.random() < 0.5:
            await asyncio.sleep(self.random.uniform(0.05, 0.3))
            await self._look(seat)
            return
        with suppress(httpx.HTTPError, TimeoutError, json.JSONDecodeError):
            async with asyncio.timeout(self.random.uniform(0.3, 2.5)):
                await self._listen(seat)

    async def _listen(self, seat: Seat) -> None:
        """Follow a stream until it tells of something newer than what is known."""
        operation, begin = self._operation(), time.monotonic()
        url = self.random.choice(self.scene.urls) + f"/api/matches/{seat.match}/stream"
        async with self.http.stream("GET", url, headers=_headers(seat)) as lines:
            if lines.status_code != 200:
                await asyncio.sleep(0.2)
                return
            known = seat.state["seq"]
            pushed = False
            async for line in lines.aiter_lines():
                if not line:
                    continue
                state = json.loads(line)["state"]
                now = time.monotonic()
                # The first line tells how the match stands. Those after it may come later than what others were told.
                self._note(
                    "look", operation, seat.match, seat, now if pushed else begin, now, DONE, state, stream=pushed
                )
                pushed = True
                seat.learn(state)
                if seat.state["seq"] > known:
                    return

    # Sending.

    def _operation(self) -> str:
        return f"{self.name}/{next(self._operations)}"

    async def _do(
        self,
        action: str,
        path: str,
        body: dict[str, Any] | None,
        *,
        match: str = "",
        seat: Seat | None = None,
        ply: int | None = None,
        text: str = "",
        attempts: int | None = None,
        at_once: int = 1,
    ) -> State:
        """Do one thing, and send it again until it is known what became of it; the answer, or Refused.

        ``at_once``: so many requests are sent at the same time, all of them the same.
        """
        operation = self._operation()
        tries = 0
        while True:
            sent = [self._send(action, operation, "POST", path, body, match, seat, ply, text) for _ in range(at_once)]
            got = [answer for answer in await asyncio.gather(*sent) if answer is not None]
            at_once = 1
            done = [answer for answer in got if answer.outcome == DONE]
            if done:
                return done[0].body
            if got and all(answer.outcome == REFUSED for answer in got):
                if seat is not None and "state" in got[0].body:
                    seat.learn(got[0].body["state"])
                raise Refused(got[0].code)
            tries += bool(got)
            if (attempts is not None and tries >= attempts) or tries >= MOST_ATTEMPTS:
                raise GivenUp
            await asyncio.sleep(self.random.uniform(0.1, 0.8))

    async def _send(
        self,
        action: str,
        operation: str,
        method: str,
        path: str,
        body: dict[str, Any] | None,
        match: str,
        seat: Seat | None,
        ply: int | None,
        text: str,
    ) -> Answer | None:
        """One request, noted; None if there is no server to hear it."""
        begin = time.monotonic()
        outcome, code, told = UNKNOWN, "", {}
        try:
            url = self.random.choice(self.scene.urls) + path
            answer = await self.http.request(method, url, json=body, headers=_headers(seat))
            told = answer.json()
            if answer.status_code < 300:
                outcome = DONE
            else:
                code = told["code"]
                outcome = UNKNOWN if answer.status_code == 504 else REFUSED
        except UNSENT:
            return None
        except (httpx.HTTPError, json.JSONDecodeError):
            outcome, told = UNKNOWN, {}
        state = told if "seq" in told else told.get("state")
        if outcome == DONE:
            match = match or told["id"]
            self.scene.matches[match] = None
        self._note(
            action, operation, match, seat, begin, time.monotonic(), outcome, state, code=code, ply=ply, text=text
        )
        return Answer(outcome, code, told)

    def _note(
        self,
        action: str,
        operation: str,
        match: str,
        seat: Seat | None,
        begin: float,
        end: float,
        outcome: str,
        state: State | None,
        **more: Any,
    ) -> None:
        players = () if seat is None else seat.players
        seen = None if state is None else seen_in(state)
        attempt = Attempt(operation, action, match, players, begin, end, outcome, seen=seen, **more)
        self.scene.history.attempts.append(attempt)


class Answer(NamedTuple):
    """What a server has answered."""

    outcome: str
    code: str
    body: dict[str, Any]


class Refused(GivenUp):
    """What was asked for did not happen, and will not."""


def _headers(seat: Seat | None) -> dict[str, str]:
    return {} if seat is None or seat.secret is None else {"Authorization": f"Bearer {seat.secret}"}
