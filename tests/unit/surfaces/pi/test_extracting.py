from __future__ import annotations

from freehold.app.pi.settings import PiSettings
from freehold.memory.extraction.commands import catalog
from freehold.surfaces.pi import extracting, memory_events


def test_the_words_that_pi_completes_are_the_commands_there_are() -> None:
    assert tuple(command.name for command in catalog.COMMANDS) == memory_events.PMEM_WORDS


def test_every_setting_of_the_extraction_can_be_made_in_pi() -> None:
    settings = PiSettings(
        auto_extract=True,
        extract_model="session",
        extract_mode="fork",
        extract_every=2,
        extract_idle_seconds=3.0,
        extract_drain_seconds=1.0,
        daily_passes=4,
        daily_tokens=5,
    )
    chosen = extracting.chosen(settings)
    assert [getattr(chosen, name) for name in chosen.__struct_fields__] == [True, "session", "fork", 2, 3.0, 4, 5]
