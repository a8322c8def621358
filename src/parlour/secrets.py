"""Seeds and secrets that nobody can guess, from the operating system's source of randomness."""

from __future__ import annotations

import os

SEED_BYTES = 16  # too many to try them all
SECRET_BYTES = 16


def new_seed() -> str:
    """Return a seed, for deals that nobody knows in advance."""
    return os.urandom(SEED_BYTES).hex()


def secret_bytes(key: str | None = None, purpose: str = "") -> bytes:
    """Return 32 bytes: random ones, or for a key and a purpose always the same, which tell nothing about the key."""
    if key is None:
        return os.urandom(32)
    import hmac  # only servers need it

    return hmac.digest(key.encode(), f"parlour {purpose}".encode(), "sha256")


def new_secret(key: str | None = None, purpose: str = "") -> str:
    """Return a secret that fits into an address; for a key and a purpose always the same."""
    from base64 import urlsafe_b64encode

    return urlsafe_b64encode(secret_bytes(key, purpose)[:SECRET_BYTES]).rstrip(b"=").decode()


def hash_secret(secret: str) -> bytes:
    """Return the hash of a secret, which is stored instead of it."""
    import hashlib

    return hashlib.sha256(secret.encode()).digest()


def secret_fits(secret: str, stored_hash: bytes | None) -> bool:
    """Return whether this is the secret with the stored hash. Every wrong one takes the same time."""
    import hmac

    return stored_hash is not None and hmac.compare_digest(hash_secret(secret), stored_hash)
