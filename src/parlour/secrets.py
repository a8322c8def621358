"""Unguessable seeds and secrets, from the operating system's source of randomness."""

from __future__ import annotations

import os

SEED_BYTES = 16
SECRET_BYTES = 16


def new_seed() -> str:
    """Return a random seed."""
    return os.urandom(SEED_BYTES).hex()


def secret_bytes(key: str | None = None, purpose: str = "") -> bytes:
    """Return 32 bytes: random ones, or a hash of a key and a purpose, which doesn't reveal the key."""
    if key is None:
        return os.urandom(32)
    import hmac  # only servers need it

    return hmac.digest(key.encode(), f"parlour {purpose}".encode(), "sha256")


def new_secret(key: str | None = None, purpose: str = "") -> str:
    """Return a secret for a URL; the same key and purpose give the same secret."""
    from base64 import urlsafe_b64encode

    return urlsafe_b64encode(secret_bytes(key, purpose)[:SECRET_BYTES]).rstrip(b"=").decode()


def hash_secret(secret: str) -> bytes:
    """Return the hash of a secret, for storage."""
    import hashlib

    return hashlib.sha256(secret.encode()).digest()


def secret_fits(secret: str, stored_hash: bytes | None) -> bool:
    """Return whether a secret has the stored hash, in constant time."""
    import hmac

    return stored_hash is not None and hmac.compare_digest(hash_secret(secret), stored_hash)
