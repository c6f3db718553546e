#!/usr/bin/env python3
"""Makes headrace/models/testdata/torch_models.safetensors: models that are written out here, in torch on CPU.

The file in the tree was made with Python 3.11, torch 1.13.1 (Debian's python3-torch), numpy 1.24.2 and safetensors
0.8.0, in double precision, and is laid out as transformers_models.py says:

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


def main():
    rnn("lstm", nn.LSTM, 11, 5, 6, 2, False)
    rnn("lstm_tied", nn.LSTM, 11, 6, 6, 1, True)
    rnn("gru", nn.GRU, 11, 5, 6, 2, False)
    save_file(tensors, sys.argv[1])


if __name__ == "__main__":
    main()
