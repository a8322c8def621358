"""Everything that changes something ends as done, refused or unknown; what is unknown is asked again, and done once."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import httpx
import pytest

from parlour.service.commands import Play
from parlour.service.matches import MatchService
from parlour.service.new_matches import MatchRequest, match_on_one_device
from parlour.store import open_store
from parlour.store.errors import OutcomeUnknown
from tests.support.eventually import eventually
from tests.support.postgres import Server as Postgres
from tests.support.postgres import postgresql_is_frozen
from tests.support.seats import Seat, challenge, refused
from tests.support.server import Server

KEY = "a-key-of-somebody-s-own"
LONG = 30  # seconds


def statements_running(url: str) -> int:
    """Count the statements of other connections that PostgreSQL has not finished."""
    import psycopg

    with psycopg.connect(url) as connection:
        query = "SELECT count(*) FROM pg_stat_activity WHERE state <> 'idle' AND pid <> pg_backend_pid()"
        row = connection.execute(query).fetchone()
        assert row is not None
        return int(row[0])


def make_match(service: MatchService) -> tuple[str, str]:
    made = service.add(match_on_one_device(MatchRequest("double-up", {}), ("Ann", "Ben"), "1"))
    assert made.seat is not None
    return made.loaded.id, made.seat


# Refused: then it never happens.


def test_a_move_that_was_refused_is_not_played_when_the_database_wakes(
    serve: Callable[..., Server], postgres_url: str, postgres_server: Postgres
) -> None:
    server = serve(postgres_url, "--unlimited", constants={"parlour.web.limits.ANSWER_SECONDS": 1.5})
    with httpx.Client(base_url=server.url, timeout=60) as client:
        made = [challenge(client, "local", game="double-up", first="1") for _ in range(6)]
        seats = [Seat(client, match["id"], match["seat"]) for match in made]
        answers: dict[str, httpx.Response] = {}

        def move(seat: Seat) -> None:
            answers[seat.id] = seat.post("move", move="2", ply=0)

        with postgresql_is_frozen(postgres_server):
            threads = [threading.Thread(target=move, args=(seat,)) for seat in seats]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        eventually(lambda: client.get(f"/api/matches/{seats[0].id}").status_code == 200)
        eventually(lambda: not statements_running(postgres_url), "PostgreSQL to finish")
        for seat in seats:
            refused(answers[seat.id], 503, answers[seat.id].json()["code"])
            assert seat.state()["ply"] == 0
            assert seat.post("move", move="2", ply=0).status_code == 200


# Done: then it is said, whatever else cannot be told.


def test_what_is_on_the_disk_is_not_refused_because_nobody_can_tell_who_is_present(
    serve: Callable[..., Server], postgres_url: str, postgres_server: Postgres
) -> None:
    import psycopg

    with serve(postgres_url).client() as client:
        made = challenge(client, "local", game="double-up", first="1")
        seat = Seat(client, made["id"], made["seat"])
        with psycopg.connect(postgres_url) as connection:
            connection.execute("LOCK TABLE visits IN ACCESS EXCLUSIVE MODE")
            answer = seat.post("move", move="2", ply=0)
            again = challenge(client, "local", game="double-up")
        assert (answer.status_code, answer.json()["ply"]) == (200, 1)
        assert seat.state()["ply"] == 1
        assert client.get(f"/api/matches/{again['id']}").status_code == 200


# Unknown: asking again tells.


class CuttingProxy:
    """Stands between Parlour and PostgreSQL, and can cut the line when a COMMIT has passed, or before it does."""

    def __init__(self, directory: Path, server: Postgres) -> None:
        self.cut: str | None = None  # "before" or "after" the next COMMIT reaches PostgreSQL
        self._committed = threading.Event()  # set by PostgreSQL's answer to that COMMIT, which is dropped
        self._target = f"{server.directory}/.s.PGSQL.5432"
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(str(directory / ".s.PGSQL.5432"))
        self._listening.listen()
        threading.Thread(target=self._serve, daemon=True).start()

    def close(self) -> None:
        self._listening.close()

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listening.accept()
                threading.Thread(target=self._pass_on, args=(client,), daemon=True).start()

    def _pass_on(self, client: socket.socket) -> None:
        with client, socket.socket(socket.AF_UNIX) as server, suppress(OSError):
            server.connect(self._target)
            threading.Thread(target=self._answer, args=(server, client), daemon=True).start()
            while data := client.recv(65536):
                if self.cut is not None and b"COMMIT\0" in data:  # and not READ COMMITTED
                    if self.cut == "after":
                        self.cut = "the answer"
                        server.sendall(data)
                        self._committed.wait(LONG)
                    self.cut = None
                    for end in (server, client):  # at once, although the other thread still reads from one of them
                        end.shutdown(socket.SHUT_RDWR)
                    return
                server.sendall(data)

    def _answer(self, server: socket.socket, client: socket.socket) -> None:
        with suppress(OSError):
            while data := server.recv(65536):
                if self.cut == "the answer":
                    self._committed.set()
                else:
                    client.sendall(data)


@pytest.mark.parametrize("cut", ["before", "after"])
def test_when_the_line_is_cut_at_the_commit_asking_again_tells(
    tmp_path: Path, postgres_url: str, postgres_server: Postgres, cut: str
) -> None:
    proxy = CuttingProxy(tmp_path, postgres_server)
    store = open_store(postgres_url.replace(postgres_server.directory, str(tmp_path)))
    service = MatchService(store)
    try:
        id, seat = make_match(service)
        proxy.cut = cut
        with pytest.raises(OutcomeUnknown, match="send the same request again"):
            service.apply(id, seat, Play("2", 0))
        assert service.load(id).ply == {"before": 0, "after": 1}[cut]
        assert service.apply(id, seat, Play("2", 0)).ply == 1, "played once, whichever way it was"
        assert [action.move for action in service.load(id).match.log] == [2]

        proxy.cut = cut
        request = MatchRequest("double-up", {}, key=KEY)
        with pytest.raises(OutcomeUnknown):
            service.add(match_on_one_device(request, ("Ann", "Ben"), "1"))
        once = service.add(match_on_one_device(request, ("Ann", "Ben"), "1"))
        twice = service.add(match_on_one_device(request, ("Ann", "Ben"), "1"))
        assert (once.loaded.id, once.seat) == (twice.loaded.id, twice.seat)
    finally:
        store.close()
        proxy.close()
