#!/usr/bin/env python3
"""Makes headrace/nn/testdata/layers.safetensors: what layers, losses and initializers give in flax, optax and JAX.

The file in the tree was made with Python 3.13, jax and jaxlib 0.11.2, flax 0.12.12, optax 0.2.8, numpy 2.5.5 and
safetensors 0.8.0 on CPU:

    python tools/reference/layers.py headrace/nn/testdata/layers.safetensors

For a case `c`: operands c/in0 ..., variables c/param/NAME and c/state/NAME by the names that Headrace gives them, the
result c/out, a random cotangent c/seed of it, the cotangents c/grad/in0 ... and c/grad/NAME, and what becomes of the
state, c/new/NAME. Initial values are init/NAME, all of the key 7.
"""

import sys

import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax import linen as nn
from safetensors.numpy import save_file

NAMES = {
    "kernel": "weight",
    "scale": "weight",
    "embedding": "weight",
    "bias": "bias",
    "mean": "running_mean",
    "var": "running_var",
}

rng = np.random.default_rng(7)
tensors = {}


def normal(*shape):
    return rng.standard_normal(shape).astype(np.float32)


def save(case, function, params, inputs, state=None):
    """`function(params, *floats)` -> (result, new state or None); integer inputs get no cotangent."""
    result, new_state = function(params, *inputs)
    seed = normal(*result.shape)
    floats = [i for i, x in enumerate(inputs) if np.issubdtype(x.dtype, np.floating)]

    def of_floats(params, *xs):
        operands = list(inputs)
        for i, x in zip(floats, xs):
            operands[i] = x
        return function(params, *operands)[0]

    _, back = jax.vjp(of_floats, params, *(inputs[i] for i in floats))
    d_params, *d_inputs = back(seed)
    found = {"out": result, "seed": seed}
    found |= {f"in{i}": x for i, x in enumerate(inputs)}
    found |= {f"grad/in{i}": d for i, d in zip(floats, d_inputs)}
    for kind, values in (("param", params), ("grad", d_params), ("state", state or {}), ("new", new_state or {})):
        found |= {f"{kind}/{NAMES[name]}": value for name, value in values.items()}
    for name, value in found.items():
        tensors[f"{case}/{name}"] = np.ascontiguousarray(value).reshape(np.shape(value))


def layer(case, module, *inputs, **kwargs):
    """A module of flax with parameters that are nowhere 0 or 1, and its batch statistics, if it has any."""
    variables = module.init(jax.random.key(0), *inputs, **kwargs)
    params = {k: normal(*v.shape) for k, v in variables.get("params", {}).items()}
    state = {k: np.abs(normal(*v.shape)) + 0.1 for k, v in variables.get("batch_stats", {}).items()}

    def function(params, *xs):
        y, new = module.apply({"params": params, "batch_stats": state}, *xs, mutable=["batch_stats"], **kwargs)
        return y, new.get("batch_stats")

    save(case, function, params, inputs, state)


def plain(case, function, *inputs):
    save(case, lambda _, *xs: (function(*xs), None), {}, inputs)


def path_hash(path):
    """FNV-1a of 32 bits: how a layer's path is folded into its key."""
    value = 2166136261
    for byte in path.encode():
        value = (value ^ byte) * 16777619 % 2**32
    return np.uint32(value)


def dropout(x):
    """With the key of a layer at "drop" in a step whose key is 7."""
    key = jax.random.fold_in(jax.random.key(7), path_hash("drop"))
    return nn.Dropout(rate=0.3).apply({}, x, deterministic=False, rng=key)


def smoothed(logits, labels):
    return optax.softmax_cross_entropy(logits, optax.smooth_labels(jax.nn.one_hot(labels, logits.shape[-1]), 0.1))


def layers():
    layer("linear", nn.Dense(5), normal(4, 3))
    layer("linear_sequence", nn.Dense(5), normal(2, 4, 3))
    layer("conv", nn.Conv(4, (3, 3)), normal(2, 6, 5, 3))
    layer("conv_strided", nn.Conv(4, (3, 2), strides=(2, 2), padding=((1, 0), (1, 1))), normal(2, 6, 5, 3))
    layer("conv_grouped", nn.Conv(6, (3, 3), feature_group_count=3, use_bias=False), normal(2, 4, 4, 3))
    layer("conv_vector", nn.Conv(2, (3,), padding="VALID"), normal(2, 7, 3))
    layer("batch_norm", nn.BatchNorm(), normal(4, 3, 3, 2), use_running_average=True)
    layer("batch_norm_train", nn.BatchNorm(momentum=0.9), normal(4, 3, 3, 2), use_running_average=False)
    layer("layer_norm", nn.LayerNorm(), normal(4, 3, 6))
    plain("max_pool", lambda x: nn.max_pool(x, (2, 2), strides=(2, 2), padding="SAME"), normal(2, 5, 4, 3))
    plain("avg_pool", lambda x: nn.avg_pool(x, (3, 3), strides=(2, 2), padding="SAME"), normal(2, 5, 4, 3))
    plain(
        "avg_pool_of_elements",
        lambda x: nn.avg_pool(x, (3, 3), strides=(2, 2), padding="SAME", count_include_pad=False),
        normal(2, 5, 4, 3),
    )
    plain("global_avg_pool", lambda x: x.mean((1, 2)), normal(2, 5, 4, 3))
    plain("dropout", dropout, normal(8, 16))


def functions():
    x = normal(3, 7) * 3
    labels = np.array([2, 0, 6], np.int32)
    plain("relu", jax.nn.relu, x)
    plain("gelu", lambda x: jax.nn.gelu(x, approximate=False), x)
    plain("gelu_tanh", jax.nn.gelu, x)
    plain("log_sum_exp", lambda x: jax.nn.logsumexp(x, axis=-1), x * 40)
    plain("softmax", jax.nn.softmax, x)
    plain("log_softmax", jax.nn.log_softmax, x * 40)
    plain("cross_entropy", optax.softmax_cross_entropy_with_integer_labels, x, labels)
    plain("cross_entropy_smoothed", smoothed, x, labels)
    plain("squared_error", lambda a, b: jnp.mean((a - b) ** 2, (1, 2)), normal(3, 2, 4), normal(3, 2, 4))


def initializers():
    key = jax.random.key(7)
    made = {
        "normal": jax.nn.initializers.normal(0.02),
        "truncated_normal": jax.nn.initializers.truncated_normal(0.02),
        "lecun_normal": jax.nn.initializers.lecun_normal(),
        "lecun_uniform": jax.nn.initializers.lecun_uniform(),
        "he_normal": jax.nn.initializers.he_normal(),
        "he_uniform": jax.nn.initializers.he_uniform(),
        "glorot_normal": jax.nn.initializers.glorot_normal(),
        "glorot_uniform": jax.nn.initializers.glorot_uniform(),
    }
    for name, make in made.items():
        tensors[f"init/{name}"] = np.asarray(make(key, (3, 3, 4, 5), jnp.float32))


if __name__ == "__main__":
    layers()
    functions()
    initializers()
    save_file(tensors, sys.argv[1])
