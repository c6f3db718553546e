#!/usr/bin/env python3
"""Makes headrace/models/testdata/torch_models.safetensors: models that are written out here, in torch on CPU.

The file in the tree was made with Python 3.11, torch 1.13.1 (Debian's python3-torch), numpy 1.24.2 and safetensors
0.8.0, in double precision, and is laid out as transformers_models.py says; state is m/state/NAME, and m/new/NAME what
becomes of it in training (of means alone: torch's running variance is that of a sample). Images are channels last.

    python tools/reference/torch_models.py headrace/models/testdata/torch_models.safetensors
"""

import sys

import torch
from safetensors.torch import save_file
from torch import nn
from torch.nn import functional as F

torch.manual_seed(7)
torch.set_default_dtype(torch.float64)
tensors = {}


def stored(tensor):
    return tensor.detach().to(torch.float32 if tensor.is_floating_point() else torch.int32).contiguous().clone()


def save(name, model, inputs, out, loss):
    model.zero_grad()
    loss.backward()
    found = {"out": out, "loss": loss}
    found |= {f"in{i}": x for i, x in enumerate(inputs)}
    for key, parameter in model.named_parameters():
        found |= {f"param/{key}": parameter, f"grad/{key}": parameter.grad}
    for key, value in found.items():
        tensors[f"{name}/{key}"] = stored(value)


class Rnn(nn.Module):
    """The layers of PyTorch's example of a language model at the level of words, without dropout."""

    def __init__(self, cell, vocabulary, embedding, hidden, layers, tied):
        super().__init__()
        self.encoder = nn.Embedding(vocabulary, embedding)
        self.rnn = cell(embedding, hidden, layers, batch_first=True)
        self.decoder = nn.Linear(hidden, vocabulary)
        if tied:
            self.decoder.weight = self.encoder.weight

    def forward(self, tokens):
        return self.decoder(self.rnn(self.encoder(tokens))[0])


def rnn(name, *config):
    model = Rnn(*config)
    for parameter in model.parameters():
        nn.init.normal_(parameter, std=0.4)
    tokens = torch.randint(0, 11, (2, 7))
    logits = model(tokens)
    save(name, model, [tokens], logits, F.cross_entropy(logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten()))


class DoubleConv(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        layers = []
        for channels in (inputs, outputs):
            layers += [nn.Conv2d(channels, outputs, 3, padding=1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU()]
        self.double_conv = nn.Sequential(*layers)

    def forward(self, x):
        return self.double_conv(x)


class Down(nn.Module):
    def __init__(self, inputs):
        super().__init__()
        self.maxpool_conv = nn.Sequential(nn.MaxPool2d(2), DoubleConv(inputs, 2 * inputs))

    def forward(self, x):
        return self.maxpool_conv(x)


class Up(nn.Module):
    def __init__(self, inputs):
        super().__init__()
        self.up = nn.ConvTranspose2d(inputs, inputs // 2, 2, stride=2)
        self.conv = DoubleConv(inputs, inputs // 2)

    def forward(self, x, before):
        return self.conv(torch.cat([before, self.up(x)], 1))


class OutConv(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.conv = nn.Conv2d(inputs, outputs, 1)

    def forward(self, x):
        return self.conv(x)


class Unet(nn.Module):
    """The paper's, with padding and batch normalization, halved twice."""

    def __init__(self, channels, width, classes):
        super().__init__()
        self.inc = DoubleConv(channels, width)
        self.down1 = Down(width)
        self.down2 = Down(2 * width)
        self.up1 = Up(4 * width)
        self.up2 = Up(2 * width)
        self.outc = OutConv(width, classes)

    def forward(self, x):
        full = self.inc(x)
        half = self.down1(full)
        return self.outc(self.up2(self.up1(self.down2(half), half), full))


def unet():
    model = Unet(3, 4, 5)
    for key, value in model.state_dict().items():
        if value.is_floating_point():
            nn.init.uniform_(value, 0.5, 1.5) if key.endswith("running_var") else nn.init.normal_(value, std=0.4)
    before = {key: value.clone() for key, value in model.named_buffers() if value.is_floating_point()}
    images, labels = torch.randn(2, 8, 12, 3), torch.randint(0, 5, (2, 8, 12))
    for name, train in (("unet_eval", False), ("unet", True)):
        model.train(train)
        logits = model(images.permute(0, 3, 1, 2))
        save(name, model, [images, labels], logits.permute(0, 2, 3, 1), F.cross_entropy(logits, labels))
        for key, value in before.items():
            tensors[f"{name}/state/{key}"] = stored(value)
            if train and key.endswith("running_mean"):
                tensors[f"{name}/new/{key}"] = stored(model.get_buffer(key))


def main():
    rnn("lstm", nn.LSTM, 11, 5, 6, 2, False)
    rnn("lstm_tied", nn.LSTM, 11, 6, 6, 1, True)
    rnn("gru", nn.GRU, 11, 5, 6, 2, False)
    unet()
    save_file(tensors, sys.argv[1])


if __name__ == "__main__":
    main()
