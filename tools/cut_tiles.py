#!/usr/bin/env python3
"""Cuts photographs of surfaces into tiles that do not overlap, one folder a photograph: a small folder of real pictures
to train a classifier on, of which none shows what another does. Reads and writes PNG with the standard library alone.

The photographs are those of scikit-image (skimage/data), 8 bits, gray or RGB.
Usage: cut_tiles.py PHOTOGRAPHS OUT
"""
import os
import struct
import sys
import zlib

TILE = 64  # pixels
CLASSES = {"brick": "brick.png", "coins": "coins.png", "grass": "grass.png", "gravel": "gravel.png", "moon": "moon.png",
           "tissue": "ihc.png"}
SIGNATURE = b"\x89PNG\r\n\x1a\n"
CHANNELS = {0: 1, 2: 3}  # by PNG's color type


def chunks(data):
    at = len(SIGNATURE)
    while at < len(data):
        size, kind = struct.unpack_from(">I4s", data, at)
        yield kind, data[at + 8 : at + 8 + size]
        at += size + 12


def paeth(left, up, corner):
    distance, nearest = min((abs(up - corner), 0), (abs(left - corner), 1), (abs(left + up - 2 * corner), 2))
    return (left, up, corner)[nearest]


def unfilter(kind, row, above, width):
    """One row of bytes, given the one above; PNG (Third Edition), section 9."""
    for i, value in enumerate(row):
        left = row[i - width] if i >= width else 0
        up, corner = above[i], above[i - width] if i >= width else 0
        row[i] = value + (0, left, up, (left + up) // 2, paeth(left, up, corner))[kind] & 255


def read_png(path):
    """The rows of bytes, and the channels."""
    with open(path, "rb") as file:
        data = file.read()
    parts = list(chunks(data))
    width, height, bits, color, *_, interlaced = struct.unpack(">IIBBBBB", parts[0][1])
    if bits != 8 or color not in CHANNELS or interlaced:
        raise ValueError(f"{path}: only 8 bits, gray or RGB, not interlaced, are read here")
    packed = zlib.decompress(b"".join(body for kind, body in parts if kind == b"IDAT"))
    stride, rows = width * CHANNELS[color], []
    for y in range(height):
        begin = y * (stride + 1)
        row = bytearray(packed[begin + 1 : begin + 1 + stride])
        unfilter(packed[begin], row, rows[-1] if rows else bytes(stride), CHANNELS[color])
        rows.append(row)
    return rows, CHANNELS[color]


def write_png(path, rows, channels):
    color = {1: 0, 3: 2}[channels]
    header = struct.pack(">IIBBBBB", len(rows[0]) // channels, len(rows), 8, color, 0, 0, 0)
    # Stored in one block: what compression gives differs from zlib to zlib, and these files are known by their hash.
    data = b"".join(b"\0" + row for row in rows)
    packed = struct.pack("<BBBHH", 0x78, 0x01, 1, len(data), len(data) ^ 0xFFFF) + data + struct.pack(">I", zlib.adler32(data))
    with open(path, "wb") as file:
        file.write(SIGNATURE)
        for kind, body in (b"IHDR", header), (b"IDAT", packed), (b"IEND", b""):
            file.write(struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body)))


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__.strip().splitlines()[-1])
    photographs, out = sys.argv[1:]
    for name, file in CLASSES.items():
        rows, channels = read_png(os.path.join(photographs, file))
        os.makedirs(os.path.join(out, name))
        for y in range(0, len(rows) - TILE + 1, TILE):
            for x in range(0, len(rows[0]) // channels - TILE + 1, TILE):
                tile = [bytes(row[x * channels : (x + TILE) * channels]) for row in rows[y : y + TILE]]
                write_png(os.path.join(out, name, f"{y:03}-{x:03}.png"), tile, channels)


if __name__ == "__main__":
    main()
