"""What the tests of several layers share."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
