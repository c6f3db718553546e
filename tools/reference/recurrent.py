#!/usr/bin/env python3
"""Makes headrace/nn/testdata/recurrent.safetensors: torch's LSTM and GRU, in double precision.

The file in the tree was made with Python 3.11, torch 1.13.1 (Debian's python3-torch), numpy 1.24.2 and safetensors
0.8.0 on CPU, and is laid out as layers.py says:

    python tools/reference/recurrent.py headrace/nn/testdata/recurrent.safetensors

Those called `..._states` begin with the states in1 ... of each layer, and their result is the output and then the last
states, all elements behind each other. The result of those called `..._gradient` is the gradient of half the sum of the
squared outputs with respect to in0.
"""

import sys

import torch
from safetensors.torch import save_file

torch.manual_seed(7)
torch.set_default_dtype(torch.float64)
tensors = {}


def save(case, module, x, states=(), of_gradient=False):
    """`states`: [layers, B, hidden] of the output and, of an LSTM, of the cell."""
    for parameter in module.parameters():
        torch.nn.init.normal_(parameter, std=0.5)
    operands = [x.requires_grad_()]
    if states:
        # By layer, as Headrace orders them.
        parts = [state[layer].clone().requires_grad_() for layer in range(states[0].shape[0]) for state in states]
        operands += parts
        stacked = [torch.stack(parts[kind :: len(states)]) for kind in range(len(states))]
        out, last = module(x, tuple(stacked) if len(states) > 1 else stacked[0])
        last = last if len(states) > 1 else (last,)
        ends = [end[layer] for layer in range(last[0].shape[0]) for end in last]
        out = torch.cat([value.reshape(-1) for value in (out, *ends)])
    else:
        out, _ = module(x)
    if of_gradient:
        out, = torch.autograd.grad((out * out).sum() / 2, x, create_graph=True)
    seed = torch.randn_like(out)
    out.backward(seed)
    found = {"out": out, "seed": seed}
    for i, operand in enumerate(operands):
        found |= {f"in{i}": operand, f"grad/in{i}": operand.grad}
    for name, parameter in module.named_parameters():
        found |= {f"param/{name}": parameter, f"grad/{name}": parameter.grad}
    for name, value in found.items():
        tensors[f"{case}/{name}"] = value.detach().to(torch.float32).contiguous().clone()


def main():
    for name, kind, states in (("lstm", torch.nn.LSTM, 2), ("gru", torch.nn.GRU, 1)):
        save(name, kind(3, 4, batch_first=True), torch.randn(2, 5, 3))
        save(f"{name}_deep", kind(3, 4, num_layers=3, batch_first=True), torch.randn(2, 5, 3))
        both = kind(3, 4, num_layers=2, bidirectional=True, batch_first=True)
        save(f"{name}_bidirectional", both, torch.randn(2, 5, 3))
        save(f"{name}_gradient", kind(3, 4, batch_first=True), torch.randn(2, 5, 3), of_gradient=True)
        before = [torch.randn(2, 2, 4) for _ in range(states)]
        save(f"{name}_states", kind(3, 4, num_layers=2, batch_first=True), torch.randn(2, 5, 3), before)
    save_file(tensors, sys.argv[1])


if __name__ == "__main__":
    main()
