"""The verifier of certificates."""

from tests.support.certificates import verifier

__all__ = ["verifier"]
