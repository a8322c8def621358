"""The process between Parlour and an outside program, which sees that nothing of the program is left behind.

Parlour runs this file by itself: ``supervisor.py CONTROL COMMAND...``, where CONTROL is the number of an open socket.
It starts the command with its own standard streams, and says on the socket what came of that: 0, or the number of the
error. When the program ends, or nobody is left at the other end of the socket, it kills whatever the program has
started, and then ends as the program did. A process that left the program's session or group is found all the same: on
Linux orphans become children of their nearest ancestor that asks for them, which this one does.
"""

from __future__ import annotations

import errno
import os
import select
import signal
import sys
import time
from contextlib import suppress
from typing import NoReturn

KILLING_SECONDS = 5.0  # after which what cannot be killed is left: it waits inside the system, or is another user's
DIE_WITH_PARENT, ADOPT_ORPHANS = 1, 36  # PR_SET_PDEATHSIG and PR_SET_CHILD_SUBREAPER of prctl(2)


def supervise(control: int, arguments: list[str]) -> NoReturn:
    """Run the command until it ends or nobody is left at the socket, and let nothing of it be left."""
    os.set_inheritable(control, False)
    _ask_system(ADOPT_ORPHANS, 1)
    bell, ringer = os.pipe()
    for end in (bell, ringer):
        os.set_blocking(end, False)
    signal.set_wakeup_fd(ringer)
    ended = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
    for each in (signal.SIGCHLD, *ended):
        signal.signal(each, lambda *_: None)  # the bell rings, and that is all
    program, error = _start(arguments)
    with suppress(OSError):  # nobody is there to hear it: that is noticed below
        os.write(control, f"{error}\n".encode())
    if error:
        os._exit(127)
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):  # they are the program's alone: when it closes one, that is to be seen
        os.dup2(nothing, stream)
    code: int | None = None
    while code is None:
        ready, _, _ = select.select([control, bell], [], [])
        rung = os.read(bell, 4096) if bell in ready else b""
        code = _bury(program)
        if control in ready or any(each in rung for each in ended):
            break
    last = _kill_all(program)
    _end_as(code if code is not None else last)


def _start(arguments: list[str]) -> tuple[int, int]:
    """The process of the command in a session of its own, and 0 or the number of the error that it could not start."""
    told, telling = os.pipe()  # closed by the program's beginning
    program = os.fork()
    if program == 0:
        try:
            os.setsid()
            _ask_system(DIE_WITH_PARENT, signal.SIGKILL)
            for each in (signal.SIGPIPE, signal.SIGXFSZ):  # Python ignores them; the program is not to
                signal.signal(each, signal.SIG_DFL)
            os.execvp(arguments[0], arguments)
        except (OSError, ValueError) as error:  # the latter for a program without a name
            os.write(telling, str(getattr(error, "errno", errno.ENOENT)).encode())
        finally:
            os._exit(127)
    os.close(telling)
    with open(told, "rb") as end:
        return program, int(end.read() or 0)


def _ask_system(what: int, value: int) -> None:
    """Ask Linux for something that concerns this process; elsewhere nobody can be asked."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(what, value, 0, 0, 0)


def _bury(program: int) -> int | None:
    """Let go of the children that have ended; the exit code of the program if it is among them."""
    code = None
    with suppress(ChildProcessError):
        while (found := os.waitpid(-1, os.WNOHANG))[0]:
            if found[0] == program:
                code = os.waitstatus_to_exitcode(found[1])
    return code


def _kill_all(program: int) -> int | None:
    """Kill the program and everything it has started; its exit code if it ended only now."""
    code, end = None, time.monotonic() + KILLING_SECONDS
    with suppress(OSError):
        os.killpg(program, signal.SIGKILL)
    while time.monotonic() < end:
        stopped: set[int] = set()
        while (found := _descendants() - stopped) and time.monotonic() < end:
            for each in found:  # stopped first, all of them: who is killed might have made others meanwhile
                _send(each, signal.SIGSTOP)
            stopped |= found
        for each in stopped:
            _send(each, signal.SIGKILL)
        buried = _bury(program)
        code = buried if buried is not None else code
        if not stopped and _is_childless():
            break
        time.sleep(0.002)
    return code


def _descendants() -> set[int]:
    """The processes below this one that still run; none where the system does not list them."""
    children: dict[int, list[int]] = {}
    with suppress(OSError):
        for name in os.listdir("/proc"):
            if name.isdecimal():
                with suppress(OSError), open(f"/proc/{name}/stat", "rb") as file:
                    state, parent = file.read().rpartition(b")")[2].split()[:2]
                    if state not in (b"Z", b"X"):
                        children.setdefault(int(parent), []).append(int(name))
    found: set[int] = set()
    reached = children.get(os.getpid(), [])
    while reached:
        found.update(reached)
        reached = [child for each in reached for child in children.get(each, []) if child not in found]
    return found


def _is_childless() -> bool:
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return True
    return False


def _send(process: int, number: int) -> None:
    with suppress(OSError):  # it is gone, or another user's
        os.kill(process, number)


def _end_as(code: int | None) -> NoReturn:
    """End with this exit code, or by this signal if it is less than 0."""
    if code is not None and code < 0:
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        with suppress(OSError):  # SIGKILL cannot be set, and needs not
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code or 0)


if __name__ == "__main__":
    supervise(int(sys.argv[1]), sys.argv[2:])
