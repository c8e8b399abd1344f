from __future__ import annotations

from pathlib import Path

import pytest

from freehold import config
from freehold.errors import UsageError


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("FREEHOLD_HOME", str(tmp_path))
    return tmp_path / config.FILE_NAME


def test_no_model_is_asked_until_the_user_names_one(settings: Path) -> None:
    assert not settings.exists()
    assert config.load().model.endpoint == ""


@pytest.mark.parametrize(
    "endpoint",
    ["https://models.example/v1", "http://127.0.0.1:11434/v1", "http://[::1]:8080/v1", "http://localhost/v1"],
)
def test_an_endpoint_is_https_or_on_this_machine(settings: Path, endpoint: str) -> None:
    settings.write_text(f'[model]\nendpoint = "{endpoint}"\nname = "little"\n')
    assert config.load().model.endpoint == endpoint


@pytest.mark.parametrize(
    "endpoint",
    ["http://models.example/v1", "http://10.0.0.7/v1", "ftp://127.0.0.1/v1", "127.0.0.1:8080", "https://", "file:///x",
     "http://127.0.0.1.example/v1", "https://me:secret@models.example/v1"],
)  # fmt: skip
def test_any_other_endpoint_is_refused(settings: Path, endpoint: str) -> None:
    settings.write_text(f'[model]\nendpoint = "{endpoint}"\nname = "little"\n')
    with pytest.raises(UsageError) as raised:
        config.load()
    assert raised.value.code == "invalid_argument"
    assert "secret" not in raised.value.message


def test_an_endpoint_without_a_model_is_refused(settings: Path) -> None:
    settings.write_text('[model]\nendpoint = "https://models.example/v1"\n')
    with pytest.raises(UsageError):
        config.load()
