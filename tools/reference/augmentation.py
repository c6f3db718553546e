"""Reference for color_test and image_fit_test: what torchvision makes of an image.

Makes headrace/data/testdata/augmentation.npz: `image` f32 [height, width, 3] from 0 to 1 in steps of 1/255, and each
function's result under its name and amount. And middles.npz: `picture` u8, and what Resize and CenterCrop leave of it. Made with Debian 12's python3-torchvision 0.14.1, python3-torch 1.13.1.
Usage: python3 tools/reference/augmentation.py
"""
import pathlib

import numpy as np
import torch
import torchvision.transforms.functional as F
from PIL import Image
from torchvision.transforms import InterpolationMode
from torchvision.transforms.autoaugment import _apply_op

OUT = pathlib.Path(__file__).resolve().parents[2] / "headrace/data/testdata/augmentation.npz"


def middles(rng):
    wide = np.clip(np.add.outer(np.linspace(0, 200, 31), np.linspace(0, 55, 47))[..., None] * [1, 0.5, 0.9]
                   + rng.integers(-30, 30, size=(31, 47, 3)), 0, 255).astype(np.uint8)
    arrays = {"picture": wide}
    for resize, size in ((20, 16), (16, 16), (40, 33), (31, 30)):
        for tall in (False, True):
            image = Image.fromarray(wide.transpose(1, 0, 2) if tall else wide)
            middle = F.center_crop(F.resize(image, resize), [size, size])
            arrays[f"{resize}_{size}_{int(tall)}"] = np.asarray(middle)
    np.savez_compressed(OUT.with_name("middles.npz"), **arrays)


def main():
    rng = np.random.default_rng(3)
    smooth = np.add.outer(np.linspace(20, 180, 14), np.linspace(0, 70, 17))[..., None] * [1, 0.7, 0.4]
    noisy = np.clip(smooth + rng.integers(-60, 60, size=(14, 17, 3)), 0, 255)
    noisy[3:6, 4:9] = 90  # gray, where hue is undefined
    image = np.round(noisy).astype(np.uint8)
    eight = torch.from_numpy(image).permute(2, 0, 1)
    unit = eight.float() / 255
    results = {}
    for factor in (0.0, 0.6, 1.0, 1.7):
        results[f"brightness_{factor}"] = F.adjust_brightness(unit, factor)
        results[f"contrast_{factor}"] = F.adjust_contrast(unit, factor)
        results[f"saturation_{factor}"] = F.adjust_saturation(unit, factor)
        results[f"sharpness_{factor}"] = F.adjust_sharpness(unit, factor)
    for turn in (-0.5, -0.1, 0.0, 0.3):
        results[f"hue_{turn}"] = F.adjust_hue(unit, turn)
    for bits in (1, 4, 8):
        results[f"posterize_{bits}"] = F.posterize(eight, bits).float() / 255
    results["solarize_0.4"] = F.solarize(unit, 0.4)
    results["autocontrast_0"] = F.autocontrast(unit)
    results["equalize_0"] = F.equalize(eight).float() / 255
    size = {"TranslateX": image.shape[1], "TranslateY": image.shape[0]}
    for name, most in (("ShearX", 0.3), ("ShearY", 0.3), ("TranslateX", 150 / 331), ("TranslateY", 150 / 331),
                       ("Rotate", 30.0)):
        for strength in (0.7, -0.3):
            amount = strength * most * size.get(name, 1)
            moved = _apply_op(unit, name, amount, InterpolationMode.BILINEAR, None)
            results[f"{name}_{strength}"] = moved
    middles(np.random.default_rng(4))
    arrays = {name: value.permute(1, 2, 0).numpy().astype(np.float32) for name, value in results.items()}
    np.savez_compressed(OUT, image=image.astype(np.float32) / 255, **arrays)
    print(f"{len(arrays)} results, {OUT.stat().st_size} bytes")


if __name__ == "__main__":
    main()
