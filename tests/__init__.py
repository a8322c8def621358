"""The tests. Machines are noisy, so no property fails for being slow once."""

import pytest
from hypothesis import settings

pytest.register_assert_rewrite("tests.support")  # before it is imported: many assertions are there

settings.register_profile("parlour", deadline=None)
settings.load_profile("parlour")
