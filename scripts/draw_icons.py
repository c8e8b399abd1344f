"""Draw the extension's icons: a house on its own ground. Run it after changing the shape; the PNGs are kept in Git."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

SIZES = (16, 32, 48, 128)
FOLDER = Path(__file__).parent.parent / "extension" / "icons"
SAMPLES = 6  # a side of a pixel, for smooth edges
GROUND, HOUSE = (31, 106, 84), (255, 255, 255)


def in_rounded_square(x: float, y: float, radius: float = 0.22) -> bool:
    """Tell whether a point of the unit square lies on the ground, whose corners are rounded."""
    dx, dy = max(radius - x, x - 1 + radius, 0.0), max(radius - y, y - 1 + radius, 0.0)
    return dx * dx + dy * dy <= radius * radius


def in_house(x: float, y: float) -> bool:
    """Tell whether a point lies on the roof or the walls, outside the door."""
    off = abs(x - 0.5)
    roof = 0.2 <= y <= 0.5 and off <= (y - 0.2) * 1.12
    walls = 0.5 <= y <= 0.8 and off <= 0.24
    door = y >= 0.58 and off <= 0.075
    return (roof or walls) and not door


def pixel(column: int, row: int, size: int) -> bytes:
    """Return the RGBA bytes of one pixel, averaged over its samples."""
    ground = house = 0
    for sample in range(SAMPLES * SAMPLES):
        x = (column + (sample % SAMPLES + 0.5) / SAMPLES) / size
        y = (row + (sample // SAMPLES + 0.5) / SAMPLES) / size
        ground += in_rounded_square(x, y)
        house += in_house(x, y)
    share = house / (SAMPLES * SAMPLES)
    color = (round(g + (h - g) * share) for g, h in zip(GROUND, HOUSE, strict=True))
    return bytes((*color, round(255 * ground / (SAMPLES * SAMPLES))))


def chunk(kind: bytes, data: bytes) -> bytes:
    """Return one chunk of a PNG file."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(size: int) -> bytes:
    """Return the icon of `size` pixels a side as a PNG file."""
    rows = (b"\0" + b"".join(pixel(column, row, size) for column in range(size)) for row in range(size))
    header = struct.pack(">IIBBBBB", size, size, 8, 6, 0, 0, 0)
    body = zlib.compress(b"".join(rows), 9)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for side in SIZES:
        (FOLDER / f"{side}.png").write_bytes(png(side))
