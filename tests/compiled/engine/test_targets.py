"""The C of an engine compiles for the processors and systems that cannot be tried here."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from parlour import catalog
from parlour.engine.build import write_c

pytest.importorskip("ziglang", reason="compiling needs ziglang: the extra compile")
ELF_ARM64 = b"\x7fELF\x02\x01", 18, b"\xb7\x00"  # 64 bits, low byte first; the number of the processor
MACH_ARM64 = b"\xcf\xfa\xed\xfe", 4, b"\x0c\x00\x00\x01"


@pytest.mark.parametrize(
    ("key", "target", "head"),
    [
        *((key, "aarch64-linux-gnu", ELF_ARM64) for key in catalog.keys()),
        ("increasing-differences", "aarch64-macos", MACH_ARM64),
    ],
)
def test_cross_compiled(tmp_path: Path, key: str, target: str, head: tuple[bytes, int, bytes]) -> None:
    (tmp_path / "engine.c").write_text(write_c(catalog.find_game(key), batches=True))
    command = [sys.executable, "-m", "ziglang", "cc", f"--target={target}", "-fPIC", "-w", "-c", "engine.c"]
    subprocess.run(command, cwd=tmp_path, check=True, timeout=300)
    made = (tmp_path / "engine.o").read_bytes()
    magic, place, processor = head
    assert made.startswith(magic)
    assert made[place : place + len(processor)] == processor
