"""`parlour engine` as a process: replies without delay, an interrupt, and pipes that are closed."""

from __future__ import annotations

import select
import signal
import subprocess

from tests.support.command import command


def started(*arguments: str) -> subprocess.Popen[str]:
    pipe = subprocess.PIPE
    return subprocess.Popen(
        command("engine", "--player", "random", *arguments), stdin=pipe, stdout=pipe, stderr=pipe, text=True
    )


def test_every_reply_comes_at_once() -> None:
    with started() as process:
        assert process.stdin
        assert process.stdout
        for line, reply in {"game double-up": "=\n", "1 genmove b": "=1 2\n", "foo": "? unknown"}.items():
            process.stdin.write(line + "\n")
            process.stdin.flush()
            assert select.select([process.stdout], [], [], 20)[0], f"no reply to {line!r}"
            assert process.stdout.readline().startswith(reply)
            assert process.stdout.readline() == "\n"
        process.stdin.close()
        assert process.wait(20) == 0


def test_an_interrupt_ends_it_quietly() -> None:
    with started() as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write("name\n")
        process.stdin.flush()
        assert process.stdout.readline() == "= Parlour\n"
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 130
        assert process.stdout.read() == "\n"
        assert process.stderr
        assert process.stderr.read() == ""


def test_nobody_reads_its_replies() -> None:
    with started() as process:
        assert process.stdin
        assert process.stdout
        process.stdout.close()
        process.stdin.write("name\n" * 10)
        process.stdin.close()
        assert process.wait(20) == 1
        assert process.stderr
        assert process.stderr.read() == ""
