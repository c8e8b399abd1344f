from __future__ import annotations

from pathlib import Path

import pytest

from freehold.errors import UsageError
from freehold.surfaces.cli.tour import run


def test_a_report_that_cannot_be_written_is_refused_before_anything_is_started(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as refused:
        run(tmp_path / "missing" / "report.html", json=False, headed=False)
    assert refused.value.code == "invalid_argument"


def test_a_folder_is_no_report(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as refused:
        run(tmp_path, json=False, headed=False)
    assert refused.value.code == "invalid_argument"
