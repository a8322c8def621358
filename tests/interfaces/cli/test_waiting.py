"""Nobody wonders whether it hangs: what is said to those who wait."""

from __future__ import annotations

import os
import signal
from threading import Event

import pytest

from parlour.errors import TooBig
from parlour.limit import Limit
from parlour.terminal import background
from parlour.terminal.background import CtrlC, SearchThread
from tests.support.eventually import eventually


def press_ctrl_c(ctrl_c: CtrlC, presses: int) -> None:
    """Send the signal of Ctrl-C, one after the other: two at the same time would count as one."""
    for number in range(1, presses + 1):
        os.kill(os.getpid(), signal.SIGINT)
        eventually(lambda expected=number: ctrl_c.pressed >= expected, "the signal")


@pytest.mark.parametrize(("presses", "error", "grace"), [(1, TooBig, 0.02), (2, KeyboardInterrupt, 60)])
def test_ctrl_c_ends_the_waiting_though_the_work_goes_on(
    presses: int, error: type[BaseException], grace: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background, "POLL", 0.01)
    monkeypatch.setattr(background, "GRACE", grace)
    limit, stop, thread = Limit(60), Event(), SearchThread()
    with CtrlC(limit) as ctrl_c:

        def work() -> bool:
            press_ctrl_c(ctrl_c, presses)
            return stop.wait(60)

        with pytest.raises(error):
            thread.run(work, limit, ctrl_c)
    stop.set()
    assert thread.abandoned
    assert limit.hurried


def test_work_that_stops_when_hurried_is_waited_for() -> None:
    limit, thread = Limit(60), SearchThread()
    with CtrlC(limit) as ctrl_c:

        def work() -> str:
            press_ctrl_c(ctrl_c, 1)
            eventually(lambda: limit.time_is_up, "the end of the time")
            return "the best so far"

        assert thread.run(work, limit, ctrl_c) == "the best so far"
    assert not thread.abandoned
