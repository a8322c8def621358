"""Files that a command writes."""

from __future__ import annotations

import os


def write_whole(path: str, data: bytes) -> None:
    """Write a file so that it is there as a whole or not at all."""
    temporary = f"{path}.{os.getpid()}.part"
    try:
        with open(temporary, "wb") as file:
            file.write(data)
        os.replace(temporary, path)
    except OSError:
        if os.path.exists(temporary):
            os.unlink(temporary)
        raise
