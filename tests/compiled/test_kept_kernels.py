"""Kept kernels: there or not there, but never stale, wrong or harmful. Compilations are counted by Numba itself."""

from __future__ import annotations

import os
import pickle
import resource
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

pytest.importorskip("numba")

from parlour.kernels import kept
from parlour.kernels.kept import kept_jit
from tests.support.kernels import COUNTING, EVERYTHING, finish, start


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where this test keeps its kernels."""
    monkeypatch.setenv("PARLOUR_KERNELS", str(tmp_path / "kernels"))
    return tmp_path / "kernels"


def files(folder: Path) -> list[Path]:
    return sorted(folder.iterdir()) if folder.is_dir() else []


RULES = """
from typing import NamedTuple

STEP = {step}

class Place(NamedTuple):
    {field}: int
    high: int

def forward(place):
    return place.{field} + STEP

def follow(place):
    return forward(place) {operator} 1
"""


@pytest.fixture
def rules(monkeypatch: pytest.MonkeyPatch) -> Callable[..., ModuleType]:
    """The rules of a game as they would be after an edit: a module of their own, under the same name each time."""

    def write(step: int = 2, field: str = "low", operator: str = "+") -> ModuleType:
        module = ModuleType("edited_rules")
        monkeypatch.setitem(sys.modules, module.__name__, module)
        exec(RULES.format(step=step, field=field, operator=operator), module.__dict__)
        return module

    return write


def make_kernel(module: ModuleType, jit: Any = kept_jit) -> Any:
    """A function that calls itself and the rules, like our searches."""
    from parlour.kernels.compile import learn

    follow, place = module.follow, module.Place
    learn(follow)

    def climb(here: Any, times: int) -> int:
        if times == 0:
            return here[0]
        return climb(place(follow(here), here.high), times - 1)

    climb = jit(climb)
    return climb


def was_loaded(kernel: Any) -> bool:
    """Whether the kernel, called just now, came from the disk; otherwise it was compiled."""
    hits, misses = sum(kernel.stats.cache_hits.values()), sum(kernel.stats.cache_misses.values())
    assert hits + misses == 1
    return bool(hits)


def climbed(module: ModuleType, expected: int, jit: Any = kept_jit) -> bool:
    """Make the kernel, check its answer, and say whether it was loaded."""
    kernel = make_kernel(module, jit)
    assert kernel(module.Place(1, 9), 3) == expected
    return was_loaded(kernel)


def test_a_changed_rule_is_compiled_and_the_old_one_is_still_there(
    folder: Path, rules: Callable[..., ModuleType]
) -> None:
    # From 1 in three steps of (step + 1), or (step - 1).
    assert not climbed(rules(), 1 + 3 * 3)
    assert climbed(rules(), 10)
    assert not climbed(rules(step=5), 1 + 3 * 6)  # a constant that a function of the rules uses
    assert not climbed(rules(operator="-"), 1 + 3 * 1)  # the function itself
    assert not climbed(rules(field="least"), 10)  # the class of a position
    assert climbed(rules(), 10)
    assert climbed(rules(operator="-"), 4)
    assert len(files(folder)) == 4


def test_other_flags_and_types_are_other_kernels(folder: Path, rules: Callable[..., ModuleType]) -> None:
    module = rules()
    assert not climbed(module, 10)
    assert not climbed(module, 10, kept_jit(nogil=True))
    assert climbed(module, 10, kept_jit(nogil=True))
    kernel = make_kernel(module)
    assert kernel(module.Place(1.5, 9), 3) == 10.5
    assert not was_loaded(kernel)
    assert len(files(folder)) == 3


@pytest.mark.parametrize(
    "changed", ["__version__", "MAGIC"], ids=["another version of Parlour", "another form of file"]
)
def test_another_version_refuses_what_is_there(
    folder: Path, rules: Callable[..., ModuleType], changed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not climbed(rules(), 10)
    other = getattr(kept, changed) + (b"2" if changed == "MAGIC" else ".1")
    with monkeypatch.context() as patch:
        patch.setattr(kept, changed, other)
        kept._surroundings.cache_clear()
        assert not climbed(rules(), 10)
        assert climbed(rules(), 10)
    kept._surroundings.cache_clear()
    assert climbed(rules(), 10)


def test_numba_s_settings_count(
    folder: Path, rules: Callable[..., ModuleType], monkeypatch: pytest.MonkeyPatch
) -> None:
    import numba

    assert not climbed(rules(), 10)
    with monkeypatch.context() as patch:
        patch.setattr(numba.config, "BOUNDSCHECK", 1)
        kept._surroundings.cache_clear()
        assert not climbed(rules(), 10)
    kept._surroundings.cache_clear()


def test_damage_is_noticed_and_mended(folder: Path, rules: Callable[..., ModuleType]) -> None:
    assert not climbed(rules(), 10)
    [file] = files(folder)
    whole = file.read_bytes()
    climbed(rules(step=5), 19)
    [other] = {*files(folder)} - {file}
    flipped = len(whole) // 2
    for damaged in (
        b"",
        whole[:10],
        whole[: len(whole) // 3],
        whole[:-1],
        whole + b"\0",
        whole[:flipped] + bytes([whole[flipped] ^ 1]) + whole[flipped + 1 :],
        other.read_bytes(),  # whole, but another kernel
    ):
        file.write_bytes(damaged)
        assert not climbed(rules(), 10)
        assert climbed(rules(), 10)  # what was compiled has taken its place


def test_a_kernel_that_needs_what_is_not_there_is_not_loaded(folder: Path, rules: Callable[..., ModuleType]) -> None:
    """LLVM would end the process."""
    assert not climbed(rules(), 10)
    [file] = files(folder)
    needed, *parts = kept._unpack(file.name, file.read_bytes())
    file.write_bytes(kept._pack(file.name, ([*needed, "no_such_function"], *parts)))
    assert not climbed(rules(), 10)
    assert climbed(rules(), 10)


class Harm:
    """What runs when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return os.mkdir, (str(self.path),)


def test_what_others_could_have_written_is_never_loaded(
    folder: Path, rules: Callable[..., ModuleType], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not climbed(rules(), 10)
    [file] = files(folder)
    harm = tmp_path / "harm"
    monkeypatch.setattr(kept.serialize, "dumps", pickle.dumps)
    file.write_bytes(kept._pack(file.name, (Harm(harm),)))
    monkeypatch.undo()
    monkeypatch.setenv("PARLOUR_KERNELS", str(folder))

    for mode in (0o770, 0o707, 0o750):
        folder.chmod(mode)
        assert not climbed(rules(), 10)
    folder.chmod(0o700)
    file.chmod(0o660)
    with monkeypatch.context() as patch:
        patch.setattr(kept, "_write", lambda name, content: None)  # or it would be replaced by a good one
        assert not climbed(rules(), 10)
        file.chmod(0o600)
        with patch.context() as elsewhere:
            elsewhere.setattr(os, "geteuid", lambda: os.getuid() + 1)  # then the folder is somebody else's
            assert not climbed(rules(), 10)
        (tmp_path / "link").symlink_to(folder)
        patch.setenv("PARLOUR_KERNELS", str(tmp_path / "link"))
        assert not climbed(rules(), 10)
        folder.rename(tmp_path / "real")
        folder.mkdir(mode=0o700)
        (folder / file.name).symlink_to(tmp_path / "real" / file.name)
        patch.setenv("PARLOUR_KERNELS", str(folder))
        assert not climbed(rules(), 10)
    assert not harm.exists()
    monkeypatch.setenv("PARLOUR_KERNELS", str(tmp_path / "real"))
    climbed(rules(), 10)
    assert harm.exists(), "it would have done no harm in any case, so nothing is shown by this test"


def test_the_folder_is_for_its_owner_alone(folder: Path, rules: Callable[..., ModuleType]) -> None:
    climbed(rules(), 10)
    [file] = files(folder)
    assert folder.stat().st_mode & 0o777 == 0o700
    assert file.stat().st_mode & 0o777 == 0o600


def test_a_folder_that_cannot_be_does_not_matter(
    rules: Callable[..., ModuleType], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way")
    for place in (str(tmp_path / "file"), str(tmp_path / "file" / "below"), "/proc/1/kernels", ""):
        monkeypatch.setenv("PARLOUR_KERNELS", place)
        assert not climbed(rules(), 10)
    assert (tmp_path / "file").read_text() == "in the way"


def test_a_full_disk_does_not_matter(folder: Path, rules: Callable[..., ModuleType]) -> None:
    now = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(
        resource.RLIMIT_FSIZE, (1000, now[1])
    )  # no file becomes larger: writing breaks off in the middle
    try:
        assert not climbed(rules(), 10)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, now)
    assert files(folder) == []
    assert not climbed(rules(), 10)
    assert climbed(rules(), 10)


def test_the_folder_stays_small_and_what_is_used_stays_in_it(
    folder: Path, rules: Callable[..., ModuleType], monkeypatch: pytest.MonkeyPatch
) -> None:
    climbed(rules(step=1), 7)
    climbed(rules(step=2), 10)
    for age, file in enumerate(files(folder)):
        os.utime(file, (1000 - age, 1000 - age))
    (folder / "x.1-1.new").write_bytes(b"half-written")
    os.utime(folder / "x.1-1.new", (1000, 1000))
    assert climbed(rules(step=1), 7)  # used just now
    size = max(file.stat().st_size for file in files(folder))
    monkeypatch.setattr(kept, "MOST_BYTES", 2 * size + size // 2)
    assert not climbed(rules(step=3), 13)
    assert len(files(folder)) == 2
    assert climbed(rules(step=1), 7)
    assert climbed(rules(step=3), 13)
    assert not climbed(rules(step=2), 10)


def test_what_cannot_be_described_is_compiled_and_not_kept(folder: Path) -> None:
    numbers = np.array([3, 4])

    @kept_jit
    def first() -> Any:
        return numbers[0]

    assert first() == 3
    assert files(folder) == []


def test_a_numba_that_is_made_otherwise_is_used_without_keeping(
    folder: Path, rules: Callable[..., ModuleType], monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(kept, "KEEPS", False)
        assert not climbed(rules(), 10)
    with monkeypatch.context() as patch:
        patch.delattr(kept.CompileResult, "_reduce")
        assert not climbed(rules(), 10)
    assert files(folder) == []
    assert not climbed(rules(), 10)
    with monkeypatch.context() as patch:
        patch.delattr(kept.CompileResult, "_rebuild")
        assert not climbed(rules(), 10)


# In processes of their own.

SEARCH = (
    COUNTING
    + """
import parlour
rules = parlour.rules_of("sequence-builder", pool=12)
score = parlour.Solver(rules, compiled=True).score(rules.start)
print(json.dumps([str(score), compilations.count]))
"""
)


def test_what_two_processes_compile_at_once_the_next_one_uses(folder: Path) -> None:
    import parlour

    rules = parlour.rules_of("sequence-builder", pool=12)
    score = str(parlour.Solver(rules, compiled=False).score(rules.start))
    first, second = (finish(process) for process in [start(SEARCH), start(SEARCH)])
    assert (first[0], second[0]) == (score, score)
    assert max(first[1], second[1]) > 0
    assert len(files(folder)) == 1
    assert finish(start(SEARCH)) == [score, 0]


KILLED = """
import os, signal
os.replace = lambda *rest, **more: os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_process_that_is_killed_while_it_writes_leaves_no_kernel(folder: Path) -> None:
    climb = COUNTING + CLIMB
    killed = start(KILLED + climb, "1")
    killed.communicate(timeout=120)
    assert killed.returncode == -signal.SIGKILL
    [left] = files(folder)
    assert left.name.endswith(".new")
    os.utime(left, (1000, 1000))
    assert finish(start(climb, "1")) > 0
    assert [file.suffix for file in files(folder)] == [""]
    assert finish(start(climb, "1")) == 0


CLIMB = """
from parlour.kernels.compile import learn
from parlour.kernels.kept import kept_jit

LONG = "".join(f"        total = (total * {number} + step) % 1000003\\n" for number in range(3, 203))
exec("def make_follow(step):\\n    def follow(total):\\n" + LONG + "        return total\\n    return follow")

def make_kernel(step, jit):
    follow = make_follow(step)  # too long to become a part of what calls it
    learn(follow)
    def climb(here, times):
        return here if times == 0 else climb(follow(here), times - 1)
    climb = jit(climb)
    return climb

values = [int(make_kernel(int(word), kept_jit)(1, 3)) for word in sys.argv[1:]]
assert values == [make_kernel(int(word), lambda function: function)(1, 3) for word in sys.argv[1:]], values
print(json.dumps(compilations.count))
"""


def test_kernels_of_one_source_for_two_games_are_not_mixed_up(folder: Path) -> None:
    """Each is numbered alike in its process; the names of all that it calls are the same in both."""
    climb = COUNTING + CLIMB
    assert finish(start(climb, "1")) > 0
    assert finish(start(climb, "100")) > 0
    assert finish(start(climb, "1", "100")) == 0


def test_every_kernel_of_a_game_is_kept(folder: Path) -> None:
    """``tests/proofs/test_kernels.py`` has all games."""
    answers, compiled = finish(start(EVERYTHING, "double-up"))
    assert compiled > 0
    assert finish(start(EVERYTHING, "double-up")) == [answers, 0]


@pytest.fixture(autouse=True)
def same_settings() -> Iterator[None]:
    """What a process remembers of its surroundings is that of the test run afterwards."""
    yield
    kept._surroundings.cache_clear()
