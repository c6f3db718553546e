#!/usr/bin/env python3
"""Makes headrace/graph/testdata/convolution.{txt,safetensors}: 100 convolutions with their gradients, by JAX.

The files in the tree were made with jax 0.11.2, numpy 2.5.5 and safetensors 0.8.0 on CPU:

    python tools/reference/convolution.py headrace/graph/testdata

A line of the .txt is one convolution, "attributes | shape of the input | shape of the filter"; the .safetensors has
the elements of all inputs behind each other, those of all filters, of the results' cotangents, of the results and of
both gradients. All are small integers, so that every sum is exact and the comparison can be too. JAX computes in f64,
since XLA's f32 convolutions on CPU read out of bounds where padding is negative (jaxlib 0.11.2).
"""

import pathlib
import sys

import jax
import numpy as np
from jax import lax
from safetensors.numpy import save_file

jax.config.update("jax_enable_x64", True)

COUNT = 100
SEED = 7


def labels(count, first, second, order):
    """Of `order`, a permutation of dimensions: where batch, feature and the spatial dimensions stand."""
    names = [first, second] + [str(i) for i in range(count)]
    return "".join(names[i] for i in order)


def positions(text, first, second, count):
    return tuple(text.index(c) for c in (first, second, *(str(i) for i in range(count))))


def draw(rng):
    """A configuration whose result has elements."""
    count = int(rng.choice([1, 2, 2, 2, 3]))
    perms = [rng.permutation(count + 2) for _ in range(3)]
    lhs, rhs, out = (labels(count, a, b, p) for (a, b), p in zip(("bf", "io", "bf"), perms))
    groups = int(rng.choice([1, 1, 2, 3]))
    kind = rng.choice(["feature", "batch"])
    feature_groups, batch_groups = (groups, 1) if kind == "feature" else (1, groups)
    high = {1: 4, 2: 4, 3: 3}[count]

    def maybe(low, top, usual):
        return [int(rng.integers(low, top)) if rng.random() < 0.5 else usual for _ in range(count)]

    taken, made = int(rng.integers(1, 4)), int(rng.integers(1, 3)) * groups
    sizes = {
        "b": int(rng.integers(1, 3)) * batch_groups,
        "f": taken * feature_groups,
        **{str(i): int(rng.integers(3, 4 + high)) for i in range(count)},
    }
    window = {"i": taken, "o": made, **{str(i): int(rng.integers(1, high)) for i in range(count)}}
    config = {
        "strides": maybe(1, 4, 1),
        "padding": [[int(rng.integers(-2, 4)), int(rng.integers(-2, 4))] for _ in range(count)],
        "lhs_dilation": maybe(1, 4, 1),
        "rhs_dilation": maybe(1, 4, 1),
        "feature_groups": feature_groups,
        "batch_groups": batch_groups,
    }
    if rng.random() < 0.3:
        config["padding"] = [[0, 0]] * count
    dims = f"{lhs}_{rhs}->{out}"
    return dims, config, [sizes[c] for c in lhs], [window[c] for c in rhs], count


def convolution(dims, config, count):
    lhs, rest = dims.split("_")
    rhs, out = rest.split("->")
    numbers = lax.ConvDimensionNumbers(
        positions(lhs, "b", "f", count), positions(rhs, "o", "i", count), positions(out, "b", "f", count)
    )
    return lambda x, w: lax.conv_general_dilated(
        x,
        w,
        window_strides=config["strides"],
        padding=config["padding"],
        lhs_dilation=config["lhs_dilation"],
        rhs_dilation=config["rhs_dilation"],
        dimension_numbers=numbers,
        feature_group_count=config["feature_groups"],
        batch_group_count=config["batch_groups"],
        precision=lax.Precision.HIGHEST,
    )


def main(folder):
    rng = np.random.default_rng(SEED)
    lines, arrays = [], {name: [] for name in ("lhs", "rhs", "dy", "out", "d_lhs", "d_rhs")}
    while len(lines) < COUNT:
        dims, config, lhs_shape, rhs_shape, count = draw(rng)
        x = rng.integers(-3, 4, lhs_shape).astype(np.float64)
        w = rng.integers(-3, 4, rhs_shape).astype(np.float64)
        f = convolution(dims, config, count)
        try:
            shape = jax.eval_shape(f, x, w).shape
        except (ValueError, TypeError):
            continue  # padding removed more than there was
        if 0 in shape or np.prod(shape) > 1500:
            continue
        y, back = jax.vjp(f, x, w)
        dy = rng.integers(-3, 4, shape).astype(np.float64)
        d_x, d_w = back(dy)
        for name, array in zip(arrays, (x, w, dy, y, d_x, d_w)):
            arrays[name].append(np.asarray(array).ravel())
        text = ", ".join(f"{key} = {value}" for key, value in config.items())
        lines.append(f'dims = "{dims}", {text} | {lhs_shape} | {rhs_shape}')
    folder = pathlib.Path(folder)
    (folder / "convolution.txt").write_text("\n".join(lines) + "\n")
    joined = {name: np.concatenate(parts) for name, parts in arrays.items()}
    assert all(np.array_equal(a, a.astype(np.int16)) for a in joined.values())
    save_file({name: a.astype(np.int16) for name, a in joined.items()}, folder / "convolution.safetensors")


if __name__ == "__main__":
    main(sys.argv[1])
