"""Games of users: compiled on first use where ziglang is installed, cached, and played in pure Python otherwise."""

from __future__ import annotations

import importlib.util
import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from parlour.engine import artefacts, build, sessions, wasm
from parlour.engine.artefacts import NotCompilable
from parlour.engine.plain import PlainFill
from parlour.engine.search import STOPPED, compiles, pack
from parlour.errors import TooBig
from parlour.game import Game
from parlour.rules import read_rules
from parlour.solver import Solver
from tests.support.compiled import forget_engines
from tests.support.foreign_games import COUNTDOWN, chomp, wythoff
from tests.support.naive import minimax

needs_compiler = pytest.mark.skipif(
    importlib.util.find_spec("ziglang") is None, reason="compiling needs ziglang: the extra compile"
)


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty cache for engines; that of ziglang, with its own library, is shared."""
    monkeypatch.setenv("ZIG_GLOBAL_CACHE_DIR", os.path.expanduser("~/.cache/zig"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    forget_engines()
    yield tmp_path / "cache" / "parlour" / "engine"
    forget_engines()


def load(folder: Path, text: str = COUNTDOWN) -> Game[Any, Any]:
    """A user's game, from a file."""
    path = folder / "countdown.py"
    path.write_text(text)
    spec = importlib.util.spec_from_file_location("countdown_of_a_user", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    game: Game[Any, Any] = module.GAME
    return game


def check_scores(game: Game[Any, Any], texts: dict[str, str]) -> None:
    """Whatever runs it, its scores are those of minimax."""
    rules = read_rules(game, texts)
    solver, score = Solver(rules), minimax(rules)
    for choice in solver.choices(rules.start):
        assert choice.score == score(rules.play(rules.start, choice.move)).before_move()


@needs_compiler
@pytest.mark.parametrize(
    ("game", "texts"), [(wythoff.GAME, {"left": "6", "right": "6"}), (chomp.GAME, {}), (None, {"heap": "15"})]
)
def test_compiled_on_first_use_and_cached(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch, game: Game[Any, Any] | None, texts: dict[str, str]
) -> None:
    game = game or load(tmp_path)
    assert wasm.has_engine(game)
    (path,) = cache.iterdir()  # and no temporary file
    assert artefacts.read(game, path) == artefacts.load(game)
    rules = read_rules(game, texts)
    compiled, plain = sessions.CompiledFill(rules), PlainFill(rules)
    while (score := compiled.fill(rules.start, 1 << 20)) == STOPPED:
        pass
    assert score == plain.fill(rules.start, 1 << 30)
    keys, entries = compiled.entries()
    assert dict(zip(keys, entries, strict=True)) == {pack(rules, key): entry for key, entry in plain.table.items()}
    check_scores(game, texts)
    # From the cache, without a compiler.
    monkeypatch.setattr(artefacts, "find_spec", lambda name: None)
    forget_engines()
    assert wasm.has_engine(game)


@needs_compiler
def test_masks_that_need_more_than_64_bits_trap() -> None:
    """The solver does not use the engine for them. Should it be asked all the same, it does not answer wrongly."""
    rules = read_rules(wythoff.GAME, {"left": "12", "right": "9"})
    assert not compiles(rules)
    with pytest.raises(TooBig, match="64 bits"):
        sessions.CompiledFill(rules).fill(rules.start, 1 << 20)


@needs_compiler
def test_an_edited_game_is_compiled_again(tmp_path: Path, cache: Path) -> None:
    game = load(tmp_path)
    first = artefacts.load(game)
    path = tmp_path / "countdown.py"
    path.write_text(path.read_text() + "\n# Edited.\n")
    assert len(artefacts.load(game)) == len(first)
    assert len(list(cache.iterdir())) == 2


@needs_compiler
def test_a_damaged_cache_is_replaced_and_an_unwritable_one_ignored(tmp_path: Path, cache: Path) -> None:
    game = load(tmp_path)
    content = artefacts.load(game)
    (path,) = cache.iterdir()
    path.write_bytes(content[:500])
    assert artefacts.load(game) == content
    assert path.read_bytes() == content
    path.unlink()
    cache.rmdir()
    cache.write_bytes(b"")  # a file where the folder would be
    assert artefacts.load(game) == content


def test_without_a_compiler_it_is_quiet(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(artefacts, "find_spec", lambda name: None)
    game = load(tmp_path)
    with caplog.at_level(logging.INFO):
        check_scores(game, {"heap": "9"})
        assert not wasm.has_engine(game)
    (record,) = caplog.records
    assert record.levelno == logging.INFO
    assert "Countdown is not compiled; to compile it: " in record.getMessage()
    assert "[compile]" in record.getMessage()


HEAD = "def play(options: Options, position: Position, move: int) -> Position:"
UNLUCKY = """def unlucky(heap: int) -> bool:
    return str(heap) == "13"


"""


@needs_compiler
def test_outside_the_subset(tmp_path: Path, caplog: pytest.LogCaptureFixture, cache: Path) -> None:
    text = COUNTDOWN.replace(HEAD, f"{UNLUCKY}{HEAD}\n    lucky = not unlucky(move)")
    game = load(tmp_path, text)
    line = text[: text.index("    return str(heap)")].count("\n") + 1
    with caplog.at_level(logging.WARNING):
        check_scores(game, {"heap": "9"})
        assert not wasm.has_engine(game)
    (message,) = [record.getMessage() for record in caplog.records]
    assert f"{tmp_path / 'countdown.py'}:{line}: " in message
    assert "cannot be compiled; use " in message
    assert "\n" not in message
    assert not cache.exists()


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("heap: Annotated[int,", "heap: Annotated[float,", "a field that is not an integer"),
        (
            "def play(options: Options, position: Position, move: int) -> Position:",
            "def play(options, position, move):",
            "its result",
        ),
    ],
)
def test_records_outside_the_subset(tmp_path: Path, old: str, new: str, what: str) -> None:
    assert old in COUNTDOWN
    game = load(tmp_path, COUNTDOWN.replace(old, new))
    with pytest.raises(NotCompilable, match=rf"countdown\.py:\d+: .*{what}.* cannot be compiled; use "):
        build.write_c(game)


@needs_compiler
@pytest.mark.parametrize(
    ("error", "text"),
    [
        (
            subprocess.CalledProcessError(1, "zig", stderr="warning: x\nengine.c:1: error: no\n"),
            "engine.c:1: error: no",
        ),
        (subprocess.TimeoutExpired("zig", 300), "timed out after 300 seconds"),
        (PermissionError(13, "Permission denied"), "Permission denied"),
    ],
)
def test_a_compiler_that_fails(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, error: Exception, text: str
) -> None:
    def fail(*arguments: Any, **more: Any) -> Any:
        raise error

    monkeypatch.setattr(build.subprocess, "run", fail)
    game = load(tmp_path)
    with caplog.at_level(logging.WARNING):
        check_scores(game, {"heap": "9"})
        assert not wasm.has_engine(game)
    (message,) = [record.getMessage() for record in caplog.records]
    assert "ziglang cannot compile" in message
    assert text in message
