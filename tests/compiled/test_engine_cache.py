"""Native code and its cache: nothing is loaded that somebody else could have written, or that is damaged."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from parlour import Batch, ParlourError, Solver, catalog, new_match, playouts, rules_of, tabulate
from parlour.batch.kernels import _load_native as load_native
from parlour.engine import native
from parlour.engine.native_batches import NativeKernels
from parlour.players.mcts import MctsPlayer
from parlour.study.contest import survey

pytestmark = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="needs owners of files")
ORIGIN = native.digest("some source")
BROKEN = [("/nowhere/cc", "/nowhere/cc cannot be used: "), ("false", "false cannot be used: ")]  # values of CC


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "parlour" / "native"


def stored(content: bytes = b"code") -> str:
    with native.open_cache() as opened:
        native.store_cached(opened, ORIGIN, content)
        name = native.find_cached(opened, ORIGIN)
    assert name
    return name


def found() -> str | None:
    with native.open_cache() as opened:
        return native.find_cached(opened, ORIGIN)


def test_what_was_stored_is_found_and_is_for_its_owner_alone(folder: Path) -> None:
    name = stored()
    assert (folder / name).read_bytes() == b"code"
    assert folder.stat().st_mode & 0o777 == 0o700
    assert (folder / name).stat().st_mode & 0o777 == 0o600
    with native.open_cache() as opened:
        assert native.find_cached(opened, native.digest("another source")) is None


def test_digests_keep_parts_apart() -> None:
    assert native.digest("a", "bc") != native.digest("ab", "c")
    assert native.digest("a") == native.digest(b"a")


@pytest.mark.parametrize("mode", [0o755, 0o770, 0o701])
def test_a_folder_that_is_open_to_others_is_refused(folder: Path, mode: int) -> None:
    stored()
    folder.chmod(mode)
    with pytest.raises(native.Untrusted), native.open_cache():
        pass


def test_a_link_is_no_folder(folder: Path, tmp_path: Path) -> None:
    stored()
    folder.rename(tmp_path / "elsewhere")
    folder.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OSError, match="native"), native.open_cache():
        pass


def test_a_folder_of_another_user_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stored()
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    with pytest.raises(native.Untrusted), native.open_cache():
        pass


def test_a_damaged_or_open_file_or_a_link_is_not_found(folder: Path, tmp_path: Path) -> None:
    path = folder / stored()
    path.write_bytes(b"cod")
    assert found() is None
    path.write_bytes(b"code")
    assert found() == path.name
    path.chmod(0o620)
    assert found() is None
    path.chmod(0o600)
    path.rename(tmp_path / "code")
    path.symlink_to(tmp_path / "code")
    assert found() is None
    path.unlink()
    os.mkfifo(path, 0o600)
    assert found() is None  # and does not wait for a writer


def test_the_files_used_longest_ago_are_removed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native, "MAX_FILES", 3)
    with native.open_cache() as opened:
        for number in range(5):
            native.store_cached(opened, native.digest(str(number)), b"code")
            for path in folder.iterdir():
                os.utime(path, (number, number)) if path.name.startswith(native.digest(str(number))) else None
        kept = [number for number in range(5) if native.find_cached(opened, native.digest(str(number)))]
    assert kept == [2, 3, 4]


# Native code.


@pytest.fixture
def fresh() -> Iterator[None]:
    native._library.cache_clear()
    yield
    native._library.cache_clear()


def plays() -> None:
    batch = Batch(rules_of("double-up"), 2, runtime="native")
    batch.step([2, 2])
    batch.step([4, 4])
    assert batch.fields.tolist() == [[4, 4]]
    assert isinstance(batch._runner.kernels, NativeKernels)


@pytest.mark.usefixtures("fresh")
def test_a_library_is_built_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plays()
    native._library.cache_clear()
    monkeypatch.setattr(native, "run_compiler", lambda command, text: pytest.fail("built again"))
    plays()


@pytest.mark.usefixtures("fresh")
def test_without_a_safe_folder_a_library_is_built_for_this_process(folder: Path) -> None:
    folder.mkdir(parents=True)
    folder.chmod(0o777)
    plays()
    assert not list(folder.iterdir())


@pytest.mark.usefixtures("fresh")
def test_games_are_not_mixed_up(folder: Path) -> None:
    """The loader takes two libraries for one if they have the same path."""
    names = [id(native.library(catalog.find_game(key), batches=True)) for key in ("double-up", "sequence-spot")]
    assert len(set(names)) == 2
    plays()


@pytest.mark.usefixtures("fresh")
@pytest.mark.parametrize(("command", "reason"), [("", "there is no C compiler"), *BROKEN])
def test_without_a_compiler_that_works(
    folder: Path, command: str, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CC", command)
    monkeypatch.setattr(native, "find_spec", lambda name: None)
    monkeypatch.setattr(native.shutil, "which", lambda name: None)
    asked = rules_of("increasing-differences", length=4, range=14)
    for ask in (
        lambda: Solver(asked, runtime="native").value(asked.start),
        lambda: tabulate(asked, runtime="native"),
        lambda: playouts(asked, 1, runtime="native"),
        lambda: Batch(asked, 2, runtime="native").step([1, 1]),
        lambda: MctsPlayer(1, runtime="native").choose(new_match("increasing-differences"), Random(1)),
        lambda: survey(asked, runtime="native"),
    ):
        with pytest.raises(ParlourError, match=rf"^no native code: {reason}[^\n]*$"):
            ask()
    assert load_native(asked.game) is None  # batches that have no choice go on without it
