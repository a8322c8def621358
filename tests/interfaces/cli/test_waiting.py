"""Nobody wonders whether it hangs: what is said to those who wait."""

from __future__ import annotations

import os
import signal
from threading import Event, Timer
from time import sleep

import pytest

from parlour.cli import screen
from parlour.cli.screen import LONG_SEARCH, ProgressLine
from parlour.cli.thinking import CtrlC, Thinker
from parlour.errors import TooBig
from parlour.installation import install_command
from parlour.limit import Limit


def test_a_long_search_without_numba_says_once_what_would_help(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(screen, "can_compile", lambda: False)
    with ProgressLine() as progress:
        for positions in (LONG_SEARCH - 1, LONG_SEARCH, 2 * LONG_SEARCH):
            progress(positions)
    advice = f"parlour: this is up to 90 times as fast with Numba: {install_command('fast')}\n"
    assert capsys.readouterr().err == advice


def test_with_numba_nothing_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("numba")
    with ProgressLine() as progress:
        progress(2 * LONG_SEARCH)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(("presses", "error"), [(1, TooBig), (2, KeyboardInterrupt)])
def test_ctrl_c_ends_the_waiting_though_the_work_goes_on(presses: int, error: type[BaseException]) -> None:
    limit, stop = Limit(60), Event()
    thinker = Thinker()
    with CtrlC(limit) as ctrl_c:
        timers = [Timer(0.1 * n, os.kill, (os.getpid(), signal.SIGINT)) for n in range(1, presses + 1)]
        for timer in timers:
            timer.start()
        with pytest.raises(error):
            thinker.think(lambda: stop.wait(60), limit, ctrl_c)
    stop.set()
    assert thinker.abandoned
    assert limit.hurried


def test_work_that_stops_when_hurried_is_waited_for() -> None:
    limit = Limit(60)
    thinker = Thinker()

    def work() -> str:
        while not limit.time_is_up:
            sleep(0.01)
        return "the best so far"

    with CtrlC(limit) as ctrl_c:
        Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()
        assert thinker.think(work, limit, ctrl_c) == "the best so far"
    assert not thinker.abandoned
