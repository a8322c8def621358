#!/usr/bin/env python3
"""Two servers on one PostgreSQL behind nginx, on this machine and for a look: nothing of it is left afterwards.

    python deploy/try.py [--port 8000] [--servers 2]

It wants nginx and PostgreSQL installed (on Debian: apt install nginx-light postgresql), and Parlour with its extra
`postgres` for the Python that runs this. nginx reads deploy/nginx.conf, with this machine's ports in it and without a
certificate. Ctrl-C ends it all.
"""

from __future__ import annotations

import argparse
import glob
import os
import pwd
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
OWNER = "parlour"
AROUND = """
{user}
worker_processes 1;
pid {folder}/nginx.pid;
error_log {folder}/nginx.log warn;
events {{ worker_connections 4096; }}
http {{
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/parlour.conf;
}}
"""


class Missing(Exception):
    """A program that is needed is not installed."""


def program(name: str) -> str:
    """Where a program is; of PostgreSQL's the newest, where Debian puts them."""
    places = sorted(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda place: int(place.split("/")[4]), reverse=True)
    found = shutil.which(name, path=os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", *places]))
    if found is None:
        raise Missing(f"there is no {name} here; on Debian: apt install nginx-light postgresql")
    return found


def free_port() -> int:
    with socket.socket() as asked:
        asked.bind(("127.0.0.1", 0))
        port: int = asked.getsockname()[1]
        return port


@contextmanager
def running(command: Sequence[str], by: int = signal.SIGTERM, **more: Any) -> Iterator[subprocess.Popen[Any]]:
    """A process, ended when this is left. Ctrl-C is for us alone."""
    process = subprocess.Popen(command, start_new_session=True, **more)
    try:
        yield process
    finally:
        if process.poll() is None:
            process.send_signal(by)
        try:
            process.wait(15)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@contextmanager
def postgresql(folder: Path) -> Iterator[tuple[str, int]]:
    """A PostgreSQL of our own, reached through a socket in the folder: the URL of a database, and its process."""
    data = folder / "data"
    data.mkdir(mode=0o700)
    user: dict[str, Any] = {}
    if os.getuid() == 0:  # which PostgreSQL refuses to be
        other = pwd.getpwnam("postgres")
        user = {"user": other.pw_uid, "group": other.pw_gid, "extra_groups": []}
        for path in (folder, data):
            os.chown(path, other.pw_uid, other.pw_gid)
    with (folder / "postgresql.log").open("wb") as log:
        quiet: dict[str, Any] = {"stdin": subprocess.DEVNULL, "stdout": log, "stderr": log, "cwd": folder, **user}
        make = [program("initdb"), "--pgdata", str(data), "--username", OWNER, "--auth", "trust", "--locale", "C"]
        subprocess.run([*make, "--encoding", "UTF8", "--no-sync"], check=True, **quiet)
        serve = [program("postgres"), "-D", str(data), "-k", str(folder), "-c", "listen_addresses="]
        with running(serve, signal.SIGINT, **quiet) as process:  # INT: whoever is connected is thrown out
            create = [program("createdb"), "--host", str(folder), "--username", OWNER, "parlour"]
            end = time.monotonic() + 30
            while subprocess.run(create, check=False, **quiet).returncode:
                if process.poll() is not None or time.monotonic() > end:
                    raise Missing(f"PostgreSQL does not start: {(folder / 'postgresql.log').read_text()}")
                time.sleep(0.1)
            yield f"postgresql://{OWNER}@/parlour?host={folder}", process.pid


@contextmanager
def server(database: str, *options: str, port: int = 0) -> Iterator[tuple[int, int]]:
    """A server that is ready: its port, and its process."""
    command = [sys.executable, "-m", "parlour", "serve", "--port", str(port), *options]
    environment = {**os.environ, "PARLOUR_DATABASE": database, "PYTHONUNBUFFERED": "1"}
    with running(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        with process.stdout:
            said = re.search(r"http://\S+:(\d+)/", process.stdout.readline())
            if said is None:
                raise Missing("the server does not start")
            yield int(said[1]), process.pid


def configuration(port: int, servers: Sequence[int]) -> str:
    """deploy/nginx.conf for this machine: other ports, and no certificate."""
    text = (HERE / "nginx.conf").read_text(encoding="utf-8")
    first = "    server 127.0.0.1:8001"
    rest = text[text.index(first) + len(first) :].partition(";")[0]  # max_fails and so on: ours as well
    ours = "".join(f"    server 127.0.0.1:{each}{rest};\n" for each in servers)
    for pattern, replacement in (
        (r"(?:    server 127\.0\.0\.1:.*\n)+", ours),
        (r"server \{\n    listen 80;\n(?:    .*\n)+\}\n", ""),
        (r"    listen 443 ssl;\n    listen \[::\]:443 ssl;\n    server_name .*\n", f"    listen 127.0.0.1:{port};\n"),
        (r"    ssl_certificate .*\n    ssl_certificate_key .*\n    add_header Strict.*\n", ""),
    ):
        text, count = re.subn(pattern, replacement, text)
        assert count == 1, pattern
    return text


@contextmanager
def nginx(folder: Path, port: int, servers: Sequence[int]) -> Iterator[int]:
    """nginx before these servers: its process."""
    (folder / "parlour.conf").write_text(configuration(port, servers), encoding="utf-8")
    user = "user root;" if os.getuid() == 0 else ""  # nobody else can enter the folder
    (folder / "nginx.conf").write_text(AROUND.format(folder=folder, user=user), encoding="utf-8")
    command = [program("nginx"), "-p", str(folder), "-e", str(folder / "nginx.log"), "-c", str(folder / "nginx.conf")]
    with running([*command, "-g", "daemon off;"], signal.SIGQUIT) as process:
        end = time.monotonic() + 10
        while not _answers(port):
            if process.poll() is not None or time.monotonic() > end:
                raise Missing(f"nginx does not start: {(folder / 'nginx.log').read_text()}")
            time.sleep(0.05)
        yield process.pid


def _answers(port: int) -> bool:
    with socket.socket() as asked:
        return asked.connect_ex(("127.0.0.1", port)) == 0


def main() -> int:
    parser = argparse.ArgumentParser(description="Parlour behind nginx on this machine, for a look.")
    parser.add_argument("--port", type=int, default=8000, help="where to look; 0: any that is free")
    parser.add_argument("--servers", type=int, default=2)
    asked = parser.parse_args()
    with ExitStack() as stack:
        try:
            for name in ("nginx", "initdb"):
                program(name)
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="parlour-try-")))
            database_folder, proxy_folder = folder / "postgresql", folder / "nginx"
            folder.chmod(0o711)  # PostgreSQL's user has to pass
            database_folder.mkdir()
            proxy_folder.mkdir()
            database, _ = stack.enter_context(postgresql(database_folder))
            ports = [stack.enter_context(server(database, "--metrics"))[0] for _ in range(asked.servers)]
            port = asked.port or free_port()
            stack.enter_context(nginx(proxy_folder, port, ports))
        except Missing as missing:
            print(missing, file=sys.stderr)
            return 1
        print(f"Parlour is open at http://127.0.0.1:{port}/ (Ctrl-C closes it)")
        for each in ports:
            print(f"  a server of its own: http://127.0.0.1:{each}/, numbers at http://127.0.0.1:{each}/metrics")
        sys.stdout.flush()
        try:
            signal.pause()
        except KeyboardInterrupt:
            print()
    return 0


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    sys.exit(main())
