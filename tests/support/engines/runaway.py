"""An engine that starts another process in its group: ``runaway.py MODE LOG``.

It plays Double Up, one number higher each time. The child keeps the engine's command line, by which a test finds it,
and writes a line into LOG when it runs.
"""

from __future__ import annotations

import os
import signal
import sys
import time

MODE, LOG = sys.argv[1:]


def start_child() -> None:
    if os.fork():
        return
    if MODE == "deaf to signals":
        for each in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(each, signal.SIG_IGN)
    if MODE == "daemon" and os.fork():
        os._exit(0)
    with open(LOG, "a", encoding="utf-8") as log:
        log.write(f"{os.getpid()}\n")
    if MODE != "holds the output":
        for stream in (0, 1, 2):
            os.close(stream)
    time.sleep(60)
    os._exit(0)


def main() -> None:
    last = 1
    if MODE == "deaf to signals":
        for each in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(each, signal.SIG_IGN)
    for line in sys.stdin:
        number, name, *words = line.split()
        if name == "game":
            start_child()
        if name == "play":
            last = int(words[1])
        if name == "genmove":
            while not os.path.getsize(LOG):
                time.sleep(0.01)
            if MODE in ("ends itself", "holds the output"):
                os._exit(3)
            last += 1
        known = {"protocol_version": "2", "known_command": "true", "genmove": str(last)}
        print(f"={number} {known.get(name, '')}\n", flush=True)
        if name == "quit" and MODE != "deaf to signals":
            break
    if MODE == "deaf to signals":
        time.sleep(60)


main()
