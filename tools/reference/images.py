"""Reference for image_test and resize_test: small JPEG and PNG files of every kind, and the pixels that they show.

Makes headrace/data/testdata/image_fuzz/*.{jpg,png}, which are also the seeds of image_fuzz, and
headrace/data/testdata/image_pixels.npz: u8 [height, width, 1 or 3] for each file. Pixels of JPEG are Pillow's; those of PNG
are computed from the samples that were written, and Pillow must agree where it reads the kind. And resize_pixels.npz: parts
of pictures at other sizes.
Made with Debian 12's python3-pil 9.4.0 (libjpeg-turbo 2.1.5), python3-numpy 1.24.2.
Usage: python3 tools/reference/images.py
"""
import io
import pathlib
import struct
import zlib

import numpy as np
from PIL import Image, ImageOps

DATA = pathlib.Path(__file__).resolve().parents[2] / "headrace/data/testdata"
FILES = DATA / "image_fuzz"
ADAM7 = [(0, 0, 8, 8), (0, 4, 8, 8), (4, 0, 8, 4), (0, 2, 4, 4), (2, 0, 4, 2), (0, 1, 2, 2), (1, 0, 2, 1)]


def picture(height, width):
    """Smooth colours with an edge: what JPEG is made for, and something for it to get wrong."""
    y, x = np.mgrid[0:height, 0:width].astype(np.float64)
    red = 255 * x / width
    green = 255 * (0.5 + 0.5 * np.sin(x / 5 + y / 7))
    blue = np.where((x - width / 2) ** 2 + (y - height / 2) ** 2 < (height / 3) ** 2, 230, 30)
    return np.stack([red, green, blue], -1).round().astype(np.uint8)


def exif(orientation, order="<"):
    head = b"II*\0" if order == "<" else b"MM\0*"
    tiff = head + struct.pack(order + "IHHHIHHI", 8, 1, 0x0112, 3, 1, orientation, 0, 0)
    return b"Exif\0\0" + tiff


def jpegs():
    rgb = Image.fromarray(picture(29, 37))
    small = Image.fromarray(picture(12, 17))
    yield "rgb_420", rgb, {"quality": 85}
    yield "rgb_422", rgb, {"quality": 85, "subsampling": "4:2:2"}
    yield "rgb_444", rgb, {"quality": 95, "subsampling": "4:4:4"}
    yield "progressive", rgb, {"quality": 85, "progressive": True}
    yield "gray", rgb.convert("L"), {"quality": 85}
    yield "gray_progressive", rgb.convert("L"), {"quality": 60, "progressive": True}
    yield "cmyk", rgb.convert("CMYK"), {"quality": 85}
    for orientation in range(2, 9):
        yield f"turned_{orientation}", small, {"exif": exif(orientation, "<" if orientation % 2 else ">")}


def png_bytes(samples, depth, colour_type, interlaced, chunks=()):
    """A PNG file of samples [height, width, channels], rows without filters."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    def rows(part):
        if part.size == 0:
            return b""
        out = b""
        for row in part.reshape(part.shape[0], -1):
            if depth == 16:
                packed = row.astype(">u2").tobytes()
            else:
                bits = (row[:, None] >> np.arange(depth - 1, -1, -1)) & 1
                packed = np.packbits(bits.astype(np.uint8).reshape(-1)).tobytes()
            out += b"\0" + packed
        return out

    height, width = samples.shape[:2]
    if interlaced:
        data = b"".join(rows(samples[y::dy, x::dx]) for y, x, dy, dx in ADAM7)
    else:
        data = rows(samples)
    head = struct.pack(">IIBBBBB", width, height, depth, colour_type, 0, 0, int(interlaced))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + b"".join(chunk(k, d) for k, d in chunks)
            + chunk(b"IDAT", zlib.compress(data, 9)) + chunk(b"IEND", b""))


def on_white(colours, alpha):
    alpha = alpha.astype(int)
    laid = (colours * alpha + 255 * (255 - alpha)) / 255
    return np.floor(laid + 0.5).astype(np.uint8)


def to_8_bits(samples, depth):
    return np.floor(samples * 255 / (2**depth - 1) + 0.5).astype(np.uint8)


def pngs():
    """Every kind of PNG: gray 0, colours 2, palette 3, gray and alpha 4, colours and alpha 6."""
    rng = np.random.default_rng(5)
    kinds = [(0, 1), (0, 2), (0, 4), (0, 8), (0, 16), (2, 8), (2, 16), (3, 1), (3, 2), (3, 4), (3, 8), (4, 8), (4, 16),
             (6, 8), (6, 16)]
    for colour_type, depth in kinds:
        channels = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[colour_type]
        samples = rng.integers(0, 2**depth, size=(11, 13, channels))
        for interlaced in (False, True):
            for transparent in (False, True):
                if transparent and colour_type in (4, 6):
                    continue
                chunks = []
                if colour_type == 3:
                    palette = rng.integers(0, 256, size=(2**depth, 3)).astype(np.uint8)
                    chunks.append((b"PLTE", palette.tobytes()))
                    pixels = palette[samples[..., 0]]
                    if transparent:
                        alphas = rng.integers(0, 256, size=2**depth).astype(np.uint8)
                        chunks.append((b"tRNS", alphas.tobytes()))
                        pixels = on_white(pixels, alphas[samples[..., 0]][..., None])
                elif colour_type in (4, 6):
                    eight = to_8_bits(samples, depth)
                    pixels = on_white(eight[..., :-1], eight[..., -1:])
                else:
                    pixels = to_8_bits(samples, depth)
                    if transparent:
                        key = samples[5, 5]
                        chunks.append((b"tRNS", key.astype(">u2").tobytes()))
                        pixels = np.where((samples == key).all(-1, keepdims=True), 255, pixels).astype(np.uint8)
                name = f"png_{colour_type}_{depth}{'_transparent' * transparent}{'_interlaced' * interlaced}"
                yield name, png_bytes(samples, depth, colour_type, interlaced, chunks), pixels
    samples = rng.integers(0, 256, size=(5, 9, 3))
    chunks = [(b"eXIf", exif(6)[6:])]
    yield "png_turned_6", png_bytes(samples, 8, 2, False, chunks), np.rot90(samples, -1).astype(np.uint8)


def check_with_pillow(name, data, pixels):
    image = ImageOps.exif_transpose(Image.open(io.BytesIO(data)))
    if image.mode.startswith("I"):  # Pillow keeps 16-bit gray as integers
        return
    if image.mode in ("LA", "PA", "RGBA") or "transparency" in image.info:
        return  # Pillow composes in another rounding
    seen = np.asarray(image.convert("L" if pixels.shape[2] == 1 else "RGB")).reshape(pixels.shape)
    difference = np.abs(seen.astype(int) - pixels).max()
    assert difference <= (1 if "16" in name else 0), (name, difference)  # Pillow cuts 16 bits off


def resizes():
    """[bicubic, top, left, height, width of the box, height, width of the result]"""
    rng = np.random.default_rng(7)
    boxes = [(0, 0, 41, 53), (3, 5, 30, 20), (40, 0, 1, 53), (10, 52, 20, 1), (7, 9, 13, 17)]
    sizes = [(20, 25), (41, 53), (50, 60), (7, 70), (70, 7), (1, 1), (13, 17), (30, 53)]
    return [(int(rng.integers(0, 2)), *box, *size) for box in boxes for size in sizes]


def make_resizes():
    rng = np.random.default_rng(6)
    colour = np.clip(picture(41, 53) + rng.integers(-40, 40, size=(41, 53, 3)), 0, 255).astype(np.uint8)
    arrays = {"colour": colour, "gray": colour[..., :1].copy(), "cases": np.array(resizes(), np.int64)}
    for i, (bicubic, top, left, box_height, box_width, height, width) in enumerate(resizes()):
        method = Image.Resampling.BICUBIC if bicubic else Image.Resampling.BILINEAR
        for name in ("gray",) if i % 4 == 0 else ("colour",):
            part = arrays[name][top : top + box_height, left : left + box_width]
            image = Image.fromarray(part[..., 0] if name == "gray" else part)
            small = np.asarray(image.resize((width, height), method))
            arrays[f"{name}_{i}"] = small.reshape(height, width, -1)
    np.savez_compressed(DATA / "resize_pixels.npz", **arrays)
    print(f"{len(resizes())} sizes, {(DATA / 'resize_pixels.npz').stat().st_size} bytes")


def main():
    make_resizes()
    FILES.mkdir(parents=True, exist_ok=True)
    expected = {}
    for name, image, options in jpegs():
        path = FILES / f"{name}.jpg"
        image.save(path, **options)
        back = ImageOps.exif_transpose(Image.open(path))
        pixels = np.asarray(back if back.mode == "L" else back.convert("RGB"))
        expected[path.name] = pixels.reshape(*pixels.shape[:2], -1)
    for name, data, pixels in pngs():
        (FILES / f"{name}.png").write_bytes(data)
        check_with_pillow(name, data, pixels)
        expected[f"{name}.png"] = pixels
    np.savez_compressed(DATA / "image_pixels.npz", **expected)
    sizes = [path.stat().st_size for path in FILES.iterdir()]
    print(f"{len(sizes)} files, {sum(sizes)} bytes; pixels: {(DATA / 'image_pixels.npz').stat().st_size} bytes")


if __name__ == "__main__":
    main()
