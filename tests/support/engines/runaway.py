"""An engine that leaves processes behind, or tries to: ``runaway.py MODE LOG``.

It plays Double Up well enough, by one number each time. The processes it starts keep its command line, by which a test
finds those that are left; each writes a line into LOG as soon as it is out of the engine's session.
"""

from __future__ import annotations

import os
import signal
import sys
import time

MODE, LOG = sys.argv[1:]


def run_away() -> None:
    """Leave the session of the engine, and say so."""
    os.setsid()
    with open(LOG, "a", encoding="utf-8") as log:
        log.write(f"{os.getpid()}\n")


def start_another() -> None:
    if os.fork():
        return
    if MODE != "plain child":
        run_away()
    if MODE == "daemon" and os.fork():
        os._exit(0)  # nobody's child from now on
    if MODE == "deaf to signals":
        for each in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(each, signal.SIG_IGN)
    if MODE == "hands on":  # never the same process for long
        end = time.monotonic() + 60
        while time.monotonic() < end:
            if os.fork():
                os._exit(0)
            os.setsid()
            time.sleep(0.001)
    if MODE == "crowd":
        for _ in range(30):
            if os.fork() == 0:
                os.setsid()
                break
    for stream in (0, 1, 2):
        os.close(stream)
    time.sleep(60)
    os._exit(0)


def main() -> None:
    last = 1
    for line in sys.stdin:
        number, name, *words = line.split()
        if name == "game":
            start_another()
        if name == "play":
            last = int(words[1])
        if name == "genmove":
            while MODE != "plain child" and not os.path.getsize(LOG):
                time.sleep(0.01)
            if MODE == "kills its parent":
                os.kill(os.getppid(), signal.SIGKILL)
                time.sleep(60)
            if MODE == "ends itself":
                os._exit(3)
            last += 1
        known = {"protocol_version": "2", "known_command": "true", "genmove": str(last)}
        print(f"={number} {known.get(name, '')}\n", flush=True)
        if name == "quit":
            break


main()
