"""`/nmem-config`."""

from __future__ import annotations

from pathlib import Path

import pytest

from freehold.app.pi import settings
from freehold.app.pi.settings import PiSettings
from freehold.archive.backend import Backend
from freehold.errors import UsageError
from freehold.surfaces.pi.nmem_config_command import NmemConfigCommand
from freehold.surfaces.pi.start import Start

pytestmark = pytest.mark.anyio


def backend() -> Backend:
    return Backend("embedded", "http://embedded", "a test", key="nmem_secret")


def command(folder: Path) -> NmemConfigCommand:
    return NmemConfigCommand(Start(cwd="/", agent_folder=str(folder)), backend)


async def test_it_shows_the_setting_and_the_server_and_no_key(tmp_path: Path) -> None:
    said = await command(tmp_path).run("")
    assert "injectContextBundle: false" in said.text
    assert "embedded: a test" in said.text
    assert "nmem_secret" not in said.text


async def test_what_it_sets_is_kept_beside_the_other_settings(tmp_path: Path) -> None:
    settings.save(PiSettings(recall=True), tmp_path)
    await command(tmp_path).run("injectContextBundle true")
    assert settings.load(tmp_path) == PiSettings(recall=True, inject_context_bundle=True)
    await command(tmp_path).run("injectContextBundle false")
    assert settings.load(tmp_path) == PiSettings(recall=True)


async def test_words_that_are_no_setting_change_nothing(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="injectContextBundle true") as raised:
        await command(tmp_path).run("server http://elsewhere")
    assert raised.value.code == "invalid_argument"
    assert not settings.file(tmp_path).exists()


async def test_a_server_that_cannot_be_chosen_is_said(tmp_path: Path) -> None:
    def refuse() -> Backend:
        raise UsageError("invalid_argument", "NMEM_API_URL must be an address.")

    said = await NmemConfigCommand(Start(cwd="/", agent_folder=str(tmp_path)), refuse).run("")
    assert "NMEM_API_URL must be an address." in said.text
