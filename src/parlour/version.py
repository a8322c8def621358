"""The version of Parlour stands here and nowhere else; ``pyproject.toml`` and whoever needs it read it here."""

__version__ = "0.1.0"
