"""An archive, open for one command."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy.exc import NoSuchModuleError, SQLAlchemyError

from freehold.errors import UnavailableError
from freehold.server.store import failure
from freehold.server.store.archive import Archive


@contextmanager
def opened(place: Path | str) -> Generator[Archive]:
    """Yield the archive at `place`; raise `UnavailableError` (`database_failed`) where its database does not answer."""
    with told():
        archive = Archive(place)
        try:
            archive.open()
            yield archive
        finally:
            archive.close()


@contextmanager
def told() -> Generator[None]:
    """Make of a database's error one that says what to do."""
    try:
        yield
    except (ModuleNotFoundError, NoSuchModuleError) as error:
        message = "PostgreSQL needs a package that is not installed. Install it: pip install 'freehold[postgres]'."
        raise UnavailableError("database_failed", message) from error
    except SQLAlchemyError as error:
        raise failure.unavailable(error) from error
