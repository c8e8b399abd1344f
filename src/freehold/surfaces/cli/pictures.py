"""A tool's pictures as files: a shell can show a path, not an image."""

from __future__ import annotations

import mimetypes
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

from freehold import paths
from freehold.errors import UsageError
from freehold.tools.result import Image


def save(images: Sequence[Image], output: Path | None) -> list[Path]:
    """Write each picture and return where: `output` (then `output-2` …), else new files in the screenshots folder.

    Raises `UsageError` (`invalid_argument`) when `output` cannot be written.
    """
    return [_save(image, output, number) for number, image in enumerate(images, 1)]


def _save(image: Image, output: Path | None, number: int) -> Path:
    if output is None:
        return _new(image)
    file = output if number == 1 else output.with_stem(f"{output.stem}-{number}")
    try:
        file.write_bytes(image.data)
    except OSError as error:
        message = f"The picture cannot be written to {file}: {error.strerror}. Name a file in a folder that exists."
        raise UsageError("invalid_argument", message, {"path": str(file)}) from error
    return file.absolute()


def _new(image: Image) -> Path:
    folder = paths.screenshots()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    suffix = mimetypes.guess_extension(image.mime_type) or ".img"
    descriptor, name = tempfile.mkstemp(prefix="screenshot-", suffix=suffix, dir=folder)
    with os.fdopen(descriptor, "wb") as stream:
        stream.write(image.data)
    return Path(name)
