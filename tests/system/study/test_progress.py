"""Progress that several processes change at the same time."""

from __future__ import annotations

import subprocess
import sys

from parlour.study import progress_file


def test_two_processes_at_once_lose_nothing_of_each_other() -> None:
    script = (
        "import sys\n"
        "from parlour.study import progress as kept, progress_file\n"
        "for n in range(int(sys.argv[1]), int(sys.argv[1]) + 25):\n"
        "    with progress_file.changing() as here:\n"
        "        here.progress = kept.with_daily(here.progress, n, kept.Result(1, 0, '2027-01-01'))\n"
    )
    running = [subprocess.Popen([sys.executable, "-c", script, str(begin)]) for begin in (1, 26, 51)]
    assert [each.wait(timeout=60) for each in running] == [0, 0, 0]
    assert set(progress_file.load().progress.daily) == set(range(1, 76))
