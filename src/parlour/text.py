"""Functions for text in messages and typed input."""

from __future__ import annotations

from collections.abc import Iterable

MAX_CLIP_LENGTH = 60  # characters of input repeated in a message
MIN_SIMILARITY = 0.6  # share of characters that a mistyped word has in common with a known one


def clip(text: str) -> str:
    """Return input shortened and without control characters, to repeat it in a message."""
    shown = "".join(c if c.isprintable() else "?" for c in text[:MAX_CLIP_LENGTH])
    return shown if len(text) <= MAX_CLIP_LENGTH else shown[:40] + "..."


def nearest(word: str, known: Iterable[str]) -> str | None:
    """Return the known word most similar to a mistyped one; None if none is similar."""
    typed = word.lower()[:MAX_CLIP_LENGTH]
    similarities = ((2 * _matching(each, typed) / (len(each) + len(typed) or 1), each) for each in known)
    similarity, found = max(similarities, default=(0, ""))
    return found if similarity >= MIN_SIMILARITY else None


def _matching(one: str, other: str) -> int:
    """Count the characters of the longest common substring and, recursively, of those on both sides of it."""
    for size in range(min(len(one), len(other)), 0, -1):
        for start in range(len(one) - size + 1):
            place = other.find(one[start : start + size])
            if place >= 0:
                before, after = (one[:start], other[:place]), (one[start + size :], other[place + size :])
                return _matching(*before) + size + _matching(*after)
    return 0


def did_you_mean(near: str | None) -> str:
    """Return the suggestion `` (did you mean 'double-up'?)``; empty without a near word."""
    return f" (did you mean {near!r}?)" if near else ""


def cleaned(text: str, longest: int = 300) -> str:
    """Return untrusted text as one shortened line without control characters."""
    shown = "".join(c if c.isprintable() else " " for c in text[:longest])
    return shown if len(text) <= longest else shown + "..."


def sentence(text: str) -> str:
    """Return text with a capital letter and a full stop."""
    return f"{text[:1].upper()}{text[1:]}" + ("" if text.endswith((".", "!", "?")) else ".")


def counted(number: int, one: str, many: str | None = None) -> str:
    """Return a number with its noun: ``1 move``, ``1,000 moves``."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def decimal(number: float) -> str:
    """Return a number with at most three decimals: ``2``, ``0.5``, ``0.333``."""
    return f"{number:.3f}".rstrip("0").rstrip(".")


def joined(words: list[str] | tuple[str, ...], last: str = "and") -> str:
    """Return words as ``a, b and c``."""
    return f"{', '.join(words[:-1])} {last} {words[-1]}" if len(words) > 1 else "".join(words)


def ordinal(number: int) -> str:
    """Return an ordinal: ``1st``, ``2nd``, ``11th``."""
    ending = "th" if number // 10 % 10 == 1 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number:,}{ending}"
