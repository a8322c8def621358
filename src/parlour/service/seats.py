"""Seats and invitations. Each is a secret, of which only the SHA-256 is stored."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from base64 import urlsafe_b64encode

from parlour.service.errors import SeatWrong
from parlour.store import StoredMatch
from parlour.view import PLAYERS, PlayerNumber

SECRET_BYTES = 16  # that nobody can guess


def new_secret(key: str | None = None, purpose: str = "") -> str:
    """A secret that fits into an address; out of a ``key`` always the same for the same purpose."""
    if key is None:
        return secrets.token_urlsafe(SECRET_BYTES)
    return urlsafe_b64encode(bytes_of_key(key, purpose)[:SECRET_BYTES]).rstrip(b"=").decode()


def bytes_of_key(key: str, purpose: str) -> bytes:
    """What follows from a key that somebody has made up, for one purpose; nothing else does, and the key does not."""
    return hmac.digest(key.encode(), f"parlour {purpose}".encode(), "sha256")


def hash_secret(secret: str) -> bytes:
    """What is stored of a secret."""
    return hashlib.sha256(secret.encode()).digest()


def secret_fits(secret: str, stored_hash: bytes | None) -> bool:
    """Whether this is the secret whose hash is stored; takes as long for any wrong one."""
    return stored_hash is not None and hmac.compare_digest(hash_secret(secret), stored_hash)


def seats_of(stored: StoredMatch, secret: str | None) -> tuple[PlayerNumber, ...]:
    """Return the players whose seats a secret has in a match, none without one; SeatWrong if it fits no seat."""
    if secret is None:
        return ()
    seats = tuple(player for player in PLAYERS if secret_fits(secret, stored.seat_hash(player)))
    if not seats:
        raise SeatWrong("this secret fits no seat of the match; without one you can watch")
    return seats
