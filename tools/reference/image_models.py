"""Reference for image_models_test: ResNet, MobileNetV2 and EfficientNet-Lite in PyTorch, in double precision.

Makes headrace/models/testdata/image_models.npz. The weights are not in it: both sides compute them from the names of the
parameters (`numbers`). For each model: logits of a batch in evaluation and in training, the mean loss in training and the
running means after it; and of the gradient of every parameter its sum, its norm, its product with such numbers, and its
first 8 elements. Gradients are of a weighted sum of the logits in evaluation; those of the loss in training, through the
statistics of a batch, are too ill-conditioned in deep models to compare (PyTorch's own are off by 3 % in single
precision), so ResNet-18 alone has them.
ResNet and MobileNetV2 are torchvision's; EfficientNet-Lite is written out here, after the paper and Google's table of
its blocks. Made with Debian 12's python3-torch 1.13.1, python3-torchvision 0.14.1.
Usage: python3 tools/reference/image_models.py
"""
import math
import pathlib

import numpy as np
import torch
import torchvision
from torch import nn
from torch.nn import functional as F

OUT = pathlib.Path(__file__).resolve().parents[2] / "headrace/models/testdata/image_models.npz"
CLASSES, BATCH, SIZE = 10, 8, 64


def mixed(x):
    """A 32-bit hash of 32-bit numbers (two rounds of multiply and shift)."""
    x = x.astype(np.uint32)
    x = (x ^ (x >> np.uint32(16))) * np.uint32(0x7FEB352D)
    x = (x ^ (x >> np.uint32(15))) * np.uint32(0x846CA68B)
    return x ^ (x >> np.uint32(16))


def numbers(name, count):
    """`count` numbers from 0 to 1 that depend on the name alone."""
    seed = np.uint32(2166136261)
    with np.errstate(over="ignore"):
        for byte in name.encode():
            seed = (seed ^ np.uint32(byte)) * np.uint32(16777619)
        bits = mixed(np.arange(count, dtype=np.uint32) + mixed(np.array([seed]))[0])
    return bits.astype(np.float64) / 2**32


def parameter(name, shape):
    u = numbers(name, math.prod(shape)).reshape(shape)
    if len(shape) == 4:
        value = (2 * u - 1) * math.sqrt(6 / math.prod(shape[1:]))
    elif len(shape) == 2:
        value = (2 * u - 1) * math.sqrt(3 / shape[1])
    elif name.endswith(".weight"):
        value = 0.8 + 0.4 * u
    elif name.endswith(".running_var"):
        value = 0.5 + u
    else:
        value = 0.2 * (2 * u - 1)
    return value.astype(np.float32)


class SameConv(nn.Conv2d):
    """TensorFlow's SAME: as much padding as makes ceil(size / stride) outputs, the odd one behind."""

    def forward(self, x):
        pads = []
        for size, kernel, stride in zip(reversed(x.shape[2:]), reversed(self.kernel_size), reversed(self.stride)):
            total = max((math.ceil(size / stride) - 1) * stride + kernel - size, 0)
            pads += [total // 2, total - total // 2]
        return super().forward(F.pad(x, pads))


class Block(nn.Module):
    def __init__(self, inputs, outputs, expansion, kernel, stride):
        super().__init__()
        middle = inputs * expansion
        norm = {"eps": 1e-3, "momentum": 0.01}
        if expansion != 1:
            self._expand_conv = SameConv(inputs, middle, 1, bias=False)
            self._bn0 = nn.BatchNorm2d(middle, **norm)
        self._depthwise_conv = SameConv(middle, middle, kernel, stride, groups=middle, bias=False)
        self._bn1 = nn.BatchNorm2d(middle, **norm)
        self._project_conv = SameConv(middle, outputs, 1, bias=False)
        self._bn2 = nn.BatchNorm2d(outputs, **norm)
        self.residual = stride == 1 and inputs == outputs

    def forward(self, x):
        y = x
        if hasattr(self, "_expand_conv"):
            y = F.relu6(self._bn0(self._expand_conv(y)))
        y = F.relu6(self._bn1(self._depthwise_conv(y)))
        y = self._bn2(self._project_conv(y))
        return x + y if self.residual else y


class EfficientNetLite(nn.Module):
    # blocks, kernel, stride, expansion, channels
    STAGES = [(1, 3, 1, 1, 16), (2, 3, 2, 6, 24), (2, 5, 2, 6, 40), (3, 3, 2, 6, 80), (3, 5, 1, 6, 112), (4, 5, 2, 6, 192),
              (1, 3, 1, 6, 320)]
    VARIANTS = [(1.0, 1.0), (1.0, 1.1), (1.1, 1.2), (1.2, 1.4), (1.4, 1.8)]  # width, depth

    def __init__(self, variant, classes):
        super().__init__()
        width, depth = self.VARIANTS[variant]

        def channels(count):
            scaled = max(8, int(count * width + 4) // 8 * 8)
            return scaled + 8 if scaled < 0.9 * count * width else scaled

        self._conv_stem = SameConv(3, 32, 3, 2, bias=False)
        self._bn0 = nn.BatchNorm2d(32, eps=1e-3, momentum=0.01)
        self._blocks = nn.ModuleList()
        inputs = 32
        for i, (blocks, kernel, stride, expansion, outputs) in enumerate(self.STAGES):
            repeats = blocks if i in (0, len(self.STAGES) - 1) else math.ceil(blocks * depth)
            for block in range(repeats):
                self._blocks.append(Block(inputs, channels(outputs), expansion, kernel, stride if block == 0 else 1))
                inputs = channels(outputs)
        self._conv_head = SameConv(inputs, 1280, 1, bias=False)
        self._bn1 = nn.BatchNorm2d(1280, eps=1e-3, momentum=0.01)
        self._fc = nn.Linear(1280, classes)

    def forward(self, x):
        x = F.relu6(self._bn0(self._conv_stem(x)))
        for block in self._blocks:
            x = block(x)
        x = F.relu6(self._bn1(self._conv_head(x)))
        return self._fc(x.mean((2, 3)))


def without_dropout(model):
    for module in model.modules():
        if isinstance(module, nn.Dropout):
            module.p = 0.0
    return model


MODELS = {
    "resnet_18": lambda: torchvision.models.resnet18(num_classes=CLASSES),
    "resnet_50": lambda: torchvision.models.resnet50(num_classes=CLASSES),
    "mobilenet_v2": lambda: without_dropout(torchvision.models.mobilenet_v2(num_classes=CLASSES)),
    "efficientnet_lite": lambda: EfficientNetLite(0, CLASSES),
}


def summary(name, gradient):
    flat = gradient.numpy().reshape(-1)
    first = np.zeros(8)
    first[: min(8, flat.size)] = flat[:8]
    product = float(flat @ (2 * numbers(name + "?", flat.size) - 1))
    return np.concatenate([[flat.sum(), np.linalg.norm(flat), product], first])


def main():
    torch.set_default_dtype(torch.float64)
    images = (2 * numbers("images", BATCH * SIZE * SIZE * 3) - 1).astype(np.float32).reshape(BATCH, SIZE, SIZE, 3)
    x = torch.from_numpy(images.astype(np.float64)).permute(0, 3, 1, 2)
    labels = torch.tensor([(7 * i + 3) % CLASSES for i in range(BATCH)])
    arrays = {}
    for name, make in MODELS.items():
        model = make()
        state = {key: value for key, value in model.state_dict().items() if not key.endswith("num_batches_tracked")}
        values = {key: torch.from_numpy(parameter(key, tuple(value.shape)).astype(np.float64)) for key, value in state.items()}
        model.load_state_dict(values, strict=False)
        model.eval()
        logits = model(x)
        weights = torch.from_numpy(2 * numbers("logits", BATCH * CLASSES) - 1).reshape(BATCH, CLASSES)
        (logits * weights).sum().backward()
        arrays[f"{name}/eval"] = logits.detach().numpy()
        gradients = {key: summary(key, value.grad) for key, value in model.named_parameters()}
        arrays[f"{name}/gradients"] = np.stack(list(gradients.values()))
        model.train()
        model.zero_grad()
        logits = model(x)
        loss = F.cross_entropy(logits, labels)
        loss.backward()
        arrays[f"{name}/train"] = logits.detach().numpy()
        arrays[f"{name}/loss"] = np.asarray(loss.item())
        if name == "resnet_18":
            in_training = [summary(key, value.grad) for key, value in model.named_parameters()]
            arrays[f"{name}/gradients_in_training"] = np.stack(in_training)
        means = {key: value.numpy()[:8] for key, value in model.named_buffers() if key.endswith("running_mean")}
        arrays[f"{name}/names"] = np.frombuffer("\n".join(gradients).encode(), np.uint8)
        arrays[f"{name}/mean_names"] = np.frombuffer("\n".join(means).encode(), np.uint8)
        arrays[f"{name}/means"] = np.stack(list(means.values()))
        print(name, "loss", loss.item(), "eval", np.abs(arrays[f"{name}/eval"]).max())
    np.savez_compressed(OUT, **arrays)
    print(OUT.stat().st_size, "bytes")
    for variant in range(5):
        count = sum(p.numel() for p in EfficientNetLite(variant, 1000).parameters())
        print(f"EfficientNet-Lite{variant}: {count} parameters")


if __name__ == "__main__":
    main()
