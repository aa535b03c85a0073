"""Asserts in shared suites explain themselves as those in test modules do."""

import pytest

pytest.register_assert_rewrite("tests.building", "tests.stores.contract", "tests.faces.http.server")
