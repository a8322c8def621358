"""The version of Parlour stands here and nowhere else; ``pyproject.toml`` and whoever needs it read it here."""

__version__ = "0.2.0.dev0"
