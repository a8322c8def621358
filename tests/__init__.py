"""The tests. Machines are noisy, so no property fails for being slow once."""

from hypothesis import settings

settings.register_profile("parlour", deadline=None)
settings.load_profile("parlour")
