"""An engine that has nothing to do with Parlour: written from docs/engine.md alone, it knows one game, Double Up.

``stranger.py MODE [LOG]``: ``good`` plays on by one number each time; every other mode does one thing wrong.
What it is sent goes to the file LOG, after a line with its process group.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

MODE = sys.argv[1]
LOG = sys.argv[2] if len(sys.argv) > 2 else os.devnull
KNOWN = ("protocol_version", "known_command", "game", "options", "clear_board", "play", "genmove", "quit")

sequence = [1]
asked: list[str] = []  # the commands so far


def write(text: str) -> None:
    os.write(1, text.encode())


def misbehave_at_once() -> None:
    if MODE == "dies":
        sys.exit("no licence found")
    if MODE == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    if MODE == "rubbish":
        write("Welcome to Stranger 1.0!\n")
    if MODE == "binary":
        os.write(1, bytes(range(128, 256)) * 4)
    if MODE == "flood":
        while True:
            os.write(1, b"x" * 65536)
    if MODE == "long reply":
        write("=")
        while True:
            os.write(1, b"1" * 65536)
    if MODE == "closes":
        os.close(1)
        time.sleep(60)
    if MODE == "closes all":
        os.close(0)
        os.close(1)
        os.close(2)
        time.sleep(60)
    if MODE == "mute":
        time.sleep(60)
    if MODE == "mutters":
        while True:
            os.write(2, b"thinking\n" * 1000)
    if MODE == "deaf":  # replies to commands that it has not read
        write("".join(f"={number} {2 if number == 1 else 'true'}\n\n" for number in range(1, 7)))
        write("".join(f"={number}\n\n" for number in range(7, 1000)))
        time.sleep(60)
    if MODE == "stubborn":
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGPIPE):
            signal.signal(number, signal.SIG_IGN)
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])


def misbehave_at_genmove() -> str | None:
    """The answer instead of a move."""
    if MODE in ("hangs", "stubborn"):
        time.sleep(60)
    if MODE == "late":
        time.sleep(5)
    if MODE == "dies in mid-game" and asked.count("genmove") == 2:
        print("Traceback\nDivisionByZero: 1/0", file=sys.stderr)
        sys.exit(3)
    if MODE == "half a reply":
        write("=13 ")
        sys.exit(0)
    return {
        "lies": "99999",
        "cheats": "1",
        "babbles": "my move is 2",
        "says nothing": "",
        "two lines": "2\n3",
        "passes": "pass",
        "resigns": "Resign",
    }.get(MODE)


def answer(words: list[str]) -> str:
    """What to say to a command; a ValueError with the reason if it is refused."""
    name, arguments = words[0], words[1:]
    asked.append(name)
    if name == "protocol_version":
        return "3" if MODE == "newer" else "2"
    if name == "known_command":
        return "true" if arguments[0] in KNOWN and MODE != "ignorant" else "false"
    if name == "game":
        if arguments != ["double-up"]:
            raise ValueError("this engine plays double-up only")
        sequence[:] = [1]
    elif name == "options":
        assert dict(word.split("=") for word in arguments)["limit"].isdigit()
        sequence[:] = [1]
    elif name == "clear_board":
        sequence[:] = [1]
    elif name == "play":
        colour, move = arguments
        assert colour == "bw"[(len(sequence) - 1) % 2]
        sequence.append(int(move))
    elif name == "genmove":
        assert arguments == ["bw"[(len(sequence) - 1) % 2]]
        wrong = misbehave_at_genmove()
        if wrong is not None:
            return wrong
        if MODE == "refuses":
            raise ValueError("I do not feel like it")
        sequence.append(sequence[-1] + 1)
        return str(sequence[-1])
    elif name != "quit":
        raise ValueError("unknown command")
    return ""


def main() -> None:
    with open(LOG, "a") as log:
        print(os.getpgrp(), file=log, flush=True)
        misbehave_at_once()
        for line in sys.stdin:
            print(line.strip(), file=log, flush=True)
            number, *words = line.split()
            if MODE == "another number":
                number = str(int(number) + 1)
            if MODE == "no number":
                number = ""
            end = "\r\n\r\n" if MODE == "from elsewhere" else "\n\n"
            try:
                text = answer(words)
                write(f"={number} {text}{end}" if text else f"={number}{end}")
            except ValueError as error:
                write(f"?{number} {error}{end}")
            if words[0] == "quit":
                if MODE == "stays":
                    time.sleep(60)
                return


main()
