from __future__ import annotations

from pathlib import Path

from freehold.errors import DeniedError
from freehold.host import log


def test_the_log_is_ours_alone_and_one_line_an_error(tmp_path: Path) -> None:
    log.append(tmp_path, DeniedError("envelope_forged", "two\nlines \ud83d"))
    file = tmp_path / log.NAME
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.read_bytes().count(b"\n") == 1


def test_the_log_never_grows_beyond_its_limit(tmp_path: Path) -> None:
    for _ in range(500):
        log.append(tmp_path, DeniedError("envelope_forged", "x" * 2_000))
        assert (tmp_path / log.NAME).stat().st_size <= log.LIMIT + 600


def test_a_log_that_is_a_link_is_not_followed_and_no_folder_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("kept")
    (tmp_path / log.NAME).symlink_to(tmp_path / "precious")
    log.append(tmp_path, DeniedError("envelope_forged", "x"))
    log.append(tmp_path / "none", DeniedError("envelope_forged", "x"))
    assert (tmp_path / "precious").read_text() == "kept"
