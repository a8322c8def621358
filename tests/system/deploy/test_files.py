"""The files in deploy/ are what the programs that read them take."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import httpx
from starlette.routing import Route

from parlour.cli.server import serve_command
from parlour.web import pool
from parlour.web.app import ROUTERS, ServerSettings
from parlour.web.costs import declared_cost
from parlour.web.messages import QUESTIONS, ChosenMove
from tests.support.deploy import DEPLOY, installed
from tests.support.seats import Seat, challenge


def outcome(*command: str, **environment: str) -> str:
    done = subprocess.run(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=60,
        check=False,
        env={**os.environ, **environment},
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


def test_nginx_takes_its_file_as_it_is(tmp_path: Path) -> None:
    """With a certificate, and at other ports in case these are taken."""
    certificate, key = tmp_path / "certificate.pem", tmp_path / "key.pem"
    outcome(
        *(installed("openssl"), "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"),
        *("-subj", "/CN=parlour.example", "-keyout", str(key), "-out", str(certificate)),
    )
    text = (DEPLOY / "nginx.conf").read_text()
    for pattern, replacement in (
        (r"(?<=ssl_certificate ).*(?=;)", str(certificate)),
        (r"(?<=ssl_certificate_key ).*(?=;)", str(key)),
    ):
        text, count = re.subn(pattern, replacement, text)
        assert count == 1
    text = re.sub(r"listen (?:\[::\]:)?(\d+)", r"listen 127.0.0.1:2\1", text)
    text = re.sub(r"(    listen .*\n)\1", r"\1", text)
    (tmp_path / "parlour.conf").write_text(text)
    around = f"pid {tmp_path}/pid; events {{}} http {{ access_log off; include {tmp_path}/parlour.conf; }}"
    (tmp_path / "nginx.conf").write_text(around)
    told = outcome(installed("nginx"), "-t", "-e", str(tmp_path / "log"), "-c", str(tmp_path / "nginx.conf"))
    assert "test is successful" in told
    assert "[warn]" not in told


def test_caddy_takes_its_file_as_it_is(tmp_path: Path) -> None:
    command = [installed("caddy"), "validate", "--adapter", "caddyfile", "--config", str(DEPLOY / "Caddyfile")]
    assert "Valid configuration" in outcome(*command, HOME=str(tmp_path), XDG_DATA_HOME=str(tmp_path))


def test_systemd_takes_the_unit_as_it_is(tmp_path: Path) -> None:
    unit = tmp_path / "parlour@.service"
    text = (DEPLOY / unit.name).read_text()
    command = re.search(r"^ExecStart=(\S+) (.*)$", text, re.MULTILINE)
    assert command
    unit.write_text(text.replace(command[1], shutil.which("true") or ""))
    told = outcome(installed("systemd-analyze"), "verify", "--man=no", str(unit))
    assert not told.strip(), told
    outcome(installed("systemd-analyze"), "security", "--offline=true", "--threshold=25", str(unit))
    options = {word for word in command[2].split() if word.startswith("--")}
    assert options <= {name for parameter in serve_command.params for name in parameter.opts}


def test_the_servers_are_the_same_in_all_files() -> None:
    servers = {
        name: re.findall(r"127\.0\.0\.1:\d+", (DEPLOY / name).read_text()) for name in ("nginx.conf", "Caddyfile")
    }
    assert servers["nginx.conf"] == servers["Caddyfile"] == ["127.0.0.1:8001", "127.0.0.1:8002"]


def test_what_nginx_sends_twice_is_done_once() -> None:
    """Each of these answers a ply, or can be done but once; offers and names may come back, if they were held up."""
    found = re.search(r"/api/matches/\[\^/\]\+/\((move.*)\)\$", (DEPLOY / "nginx.conf").read_text())
    assert found
    harmless = {"move", "undo", "next", "rematch", "resign"}
    assert set(found[1].split("|")) == harmless
    page = (DEPLOY.parent / "docs" / "api.md").read_text()
    for what in harmless:
        assert f"### POST /api/matches/{{id}}/{what}\n" in page, what


def test_proxies_wait_for_every_question_as_long_as_it_may_take() -> None:
    """And nginx hands no question to the next server, which would search for it again."""
    routes = [route for router in ROUTERS for route in router.routes if isinstance(route, Route)]
    slow = {route.path for route in routes if (cost := declared_cost(route)) and cost.lasting == "questions"}
    assert {"/api/exams/{game}/{number}/diploma", "/api/practice"} <= slow
    asked = [kind for kind in QUESTIONS.values() if kind.answered_by is not ChosenMove]
    longest = max(kind.seconds or ServerSettings().seconds for kind in asked)
    needed = pool.LONGEST_WAIT_SECONDS + longest + pool.OVERTIME_SECONDS + pool.GIVE_UP_SECONDS
    text = (DEPLOY / "nginx.conf").read_text()
    found = re.search(r'location ~ "([^"]+)" \{\s+proxy_read_timeout (\d+)s;([^}]+)', text)
    assert found
    assert {route.path for route in routes if re.match(found[1], re.sub(r"\{[^}]+\}", "5", route.path))} == slow
    assert int(found[2]) > needed
    assert "proxy_next_upstream error;" in found[3]
    caddy = re.search(r"response_header_timeout (\d+)s", (DEPLOY / "Caddyfile").read_text())
    assert caddy
    assert int(caddy[1]) > needed


def left_behind() -> set[Path]:
    return set(Path(tempfile.gettempdir()).glob("parlour-try-*"))


def test_one_command_shows_it_all_and_leaves_nothing_behind() -> None:
    for name in ("nginx", "initdb"):
        installed(name)
    command = [sys.executable, str(DEPLOY / "try.py"), "--port", "0"]
    before = left_behind()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout
    with process, process.stdout:
        said = process.stdout.readline()
        url = re.search(r"http://\S+(?=/)", said)
        assert url, said
        with httpx.Client(base_url=url[0], timeout=30) as client:
            made = challenge(client, "local", game="double-up", first="1")
            assert Seat(client, made["id"], made["seat"]).move("2", 0).status_code == 200
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0
    assert not left_behind() - before
