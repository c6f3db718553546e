#!/usr/bin/env python3
"""Cuts pictures into tiles that do not overlap, so that none shows what another does: small folders of real pictures to
train on. Reads and writes PNG, and reads plain TIFF, with the standard library alone.

From the photographs of scikit-image (skimage/data; PNG of 8 bits, gray or RGB): one folder a surface.
From the microscopy picture of stardist (stardist/data/images; TIFF of 16 bits, not compressed): images, and masks that
are 255 where there is a nucleus.
Usage: cut_tiles.py PICTURES OUT
"""
import os
import struct
import sys
import zlib

SURFACE_TILE, NUCLEI_TILE = 64, 128  # pixels
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


def read_tiff(path):
    """The rows of values of a gray picture of 16 bits; TIFF 6.0, sections 2 and 3."""
    with open(path, "rb") as file:
        data = file.read()
    if data[:4] != b"II*\0":
        raise ValueError(f"{path}: only TIFF of little endian is read here")
    (at,) = struct.unpack_from("<I", data, 4)
    (count,) = struct.unpack_from("<H", data, at)
    entries = [struct.unpack_from("<HHII", data, at + 2 + 12 * i) for i in range(count)]
    # A value of 16 bits stands in the first two of its four bytes.
    tags = {tag: value & 0xFFFF if kind == 3 else value for tag, kind, _, value in entries}
    width, height, bits, compression, begin = (tags[tag] for tag in (256, 257, 258, 259, 273))
    if bits != 16 or compression != 1 or len(data) < begin + 2 * width * height:
        raise ValueError(f"{path}: only 16 bits, not compressed, in one piece, are read here")
    return [struct.unpack_from(f"<{width}H", data, begin + 2 * width * y) for y in range(height)]


def cut(rows, channels, side, folder):
    os.makedirs(folder)
    for y in range(0, len(rows) - side + 1, side):
        for x in range(0, len(rows[0]) // channels - side + 1, side):
            tile = [bytes(row[x * channels : (x + side) * channels]) for row in rows[y : y + side]]
            write_png(os.path.join(folder, f"{y:03}-{x:03}.png"), tile, channels)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__.strip().splitlines()[-1])
    pictures, out = sys.argv[1:]
    nuclei = os.path.join(pictures, "img2d.tif")
    if os.path.exists(nuclei):
        cut(read_tiff(nuclei), 1, NUCLEI_TILE, os.path.join(out, "images"))  # none of its values is above 255
        numbers = read_tiff(os.path.join(pictures, "mask2d.tif"))  # of the nuclei, from 1
        cut([[255 if number else 0 for number in row] for row in numbers], 1, NUCLEI_TILE, os.path.join(out, "masks"))
        return
    for name, file in CLASSES.items():
        cut(*read_png(os.path.join(pictures, file)), SURFACE_TILE, os.path.join(out, name))


if __name__ == "__main__":
    main()
