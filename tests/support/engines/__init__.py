"""Engines that are programs of their own."""

from pathlib import Path

RUNAWAY = Path(__file__).with_name("runaway.py")
STRANGER = Path(__file__).with_name("stranger.py")
