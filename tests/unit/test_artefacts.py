"""Compiled engines as files: up to date, intact, and replaced by pure Python where they cannot be used."""

from __future__ import annotations

import builtins
import logging
import shutil
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import wasmtime

from parlour import catalog
from parlour.engine import artefacts, wasm
from parlour.engine.artefacts import NoEngine
from parlour.errors import TooBig
from parlour.game import Game, as_it_is
from parlour.rules import read_rules
from parlour.solver import Solver
from tests.support.compiled import forget_engines

DOUBLE_UP = catalog.find_game("double-up")


@pytest.fixture(autouse=True)
def _fresh() -> Iterator[None]:
    forget_engines()
    yield
    forget_engines()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the shipped engines, and no compiler."""
    shutil.copytree(artefacts.FOLDER, tmp_path / "games")
    monkeypatch.setattr(artefacts, "FOLDER", tmp_path / "games")
    monkeypatch.setattr(artefacts, "find_spec", lambda name: None)
    return tmp_path / "games"


def check_fallback(caplog: pytest.LogCaptureFixture, *parts: str, game: Game[Any, Any] = DOUBLE_UP) -> None:
    """Answers are right, one line says why they take longer, and a caller who demands the engine gets an error."""
    with caplog.at_level(logging.WARNING):
        rules = read_rules(game, {})
        assert not wasm.has_engine(game)
        assert not wasm.has_engine(game)
        assert len(Solver(rules).choices(rules.start)) == len(rules.legal(rules.start))
    (line,) = [record.getMessage() for record in caplog.records]
    assert line.startswith("parlour: searches run in pure Python, which takes longer: ")
    assert "\n" not in line
    for part in parts:
        assert part in line
    with pytest.raises(NoEngine, match=r"^[^\n]+$"):
        wasm.WasmInstance(game)


# What is shipped.


@pytest.mark.parametrize("key", catalog.keys())
@pytest.mark.parametrize("batches", [False, True])
def test_shipped_engines_belong_to_their_sources(key: str, batches: bool) -> None:
    """If this fails: make engine."""
    path = artefacts.FOLDER / f"{key}{'.batch' * batches}.wasm"
    assert artefacts.read(catalog.find_game(key), path) == path.read_bytes()
    assert artefacts.load(catalog.find_game(key), batches=batches) == path.read_bytes()


def test_a_variation_of_a_game_does_not_run_on_the_engine_of_the_game(folder: Path) -> None:
    """Its key and its file are the same."""
    spot = catalog.find_game("sequence-spot")
    assert wasm.has_engine(replace(spot, search=replace(spot.search, theory=None), title="Spot"))
    assert not wasm.has_engine(replace(spot, search=replace(spot.search, canonical=as_it_is)))
    endless = replace(DOUBLE_UP.rules, result=lambda options, position: 0)
    assert not wasm.has_engine(replace(DOUBLE_UP, rules=endless))


def test_the_section_is_skipped_by_browsers_and_read_by_us() -> None:
    """A custom section at the end: id 0, its length, and a name with its length."""
    content = (artefacts.FOLDER / "double-up.wasm").read_bytes()
    code, mark, payload = content.rpartition(artefacts.MARK)
    assert mark
    assert code[-2] == 0
    assert code[-1] == len(mark) + len(payload)
    assert wasmtime.Module.validate(wasmtime.Engine(), content) is None


# What can be wrong with them.


def test_missing(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    shutil.rmtree(folder)
    check_fallback(caplog, "double-up.wasm: No such file", "to compile it: ")


@pytest.mark.parametrize("size", [0, 7, 1000, -1, -60, -200])
def test_truncated(folder: Path, caplog: pytest.LogCaptureFixture, size: int) -> None:
    path = folder / "double-up.wasm"
    path.write_bytes(path.read_bytes()[:size])
    check_fallback(caplog, f"{path} is damaged", "to compile it: ")


def test_one_wrong_bit(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = folder / "double-up.wasm"
    content = bytearray(path.read_bytes())
    content[2000] ^= 4
    path.write_bytes(content)
    check_fallback(caplog, f"{path} is damaged or older than its sources", "to compile it: ")


def test_another_version(folder: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(artefacts, "__version__", "9.9")
    check_fallback(caplog, "belongs to version ", ", not 9.9", "to compile it: ")


def test_older_than_its_sources(
    folder: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    edited = folder / "double_up.py"
    edited.write_bytes(Path(sys.modules[DOUBLE_UP.rules.play.__module__].__file__ or "").read_bytes() + b"\n")
    sources = [*artefacts.source_files(DOUBLE_UP)[:-1], str(edited)]
    monkeypatch.setattr(artefacts, "source_files", lambda game: sources)
    check_fallback(caplog, "older than its sources", "to compile it: ")


def test_line_ends_of_another_system_are_no_change(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    edited = folder / "double_up.py"
    text = Path(sys.modules[DOUBLE_UP.rules.play.__module__].__file__ or "").read_bytes()
    edited.write_bytes(text.replace(b"\n", b"\r\n"))
    sources = [*artefacts.source_files(DOUBLE_UP)[:-1], str(edited)]
    monkeypatch.setattr(artefacts, "source_files", lambda game: sources)
    assert wasm.has_engine(DOUBLE_UP)


def test_without_sources_the_version_counts(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(artefacts, "source_files", lambda game: [str(folder / "nothing.py")])
    assert wasm.has_engine(DOUBLE_UP)
    monkeypatch.setattr(artefacts, "__version__", "9.9")
    forget_engines()
    assert not wasm.has_engine(DOUBLE_UP)


def test_intact_but_no_module(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    (folder / "double-up.wasm").write_bytes(artefacts.stamp(DOUBLE_UP, b"\0asm\1\0\0\0nonsense"))
    check_fallback(caplog, "Double Up: ")


# wasmtime that does not work here.


@pytest.mark.parametrize("error", [ImportError("no module"), RuntimeError("no library\nfor it"), OSError("bad ELF")])
def test_importing_wasmtime_fails(
    error: Exception, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = builtins.__import__

    def fail(name: str, *rest: Any) -> Any:
        if name == "wasmtime":
            raise error
        return original(name, *rest)

    monkeypatch.setattr(builtins, "__import__", fail)
    check_fallback(caplog, "wasmtime cannot start", type(error).__name__)


@pytest.mark.parametrize("name", ["Engine", "Module"])
@pytest.mark.parametrize("error", [wasmtime.WasmtimeError("no"), RuntimeError("no such"), OSError(12, "no")])
def test_starting_wasmtime_fails(
    name: str, error: Exception, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*arguments: Any) -> Any:
        raise error

    monkeypatch.setattr(wasmtime, name, fail)
    check_fallback(caplog, str(error))


def test_a_trap_is_an_error_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    instance = wasm.WasmInstance(DOUBLE_UP)

    def trap(store: Any) -> None:
        raise wasmtime.Trap("wasm trap: unreachable")

    instance._functions["at_least"] = trap
    with pytest.raises(TooBig, match=r"^no exact answer within 64 bits[^\n]*$"):
        instance.call("at_least")
