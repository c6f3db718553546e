#!/usr/bin/env python3
"""Makes headrace/nn/testdata/transformer.safetensors: what transformers are made of, in flax and JAX.

The file in the tree was made with Python 3.13, jax and jaxlib 0.11.2, flax 0.12.12, numpy 2.5.5 and safetensors 0.8.0
on CPU, and is laid out as layers.py says:

    python tools/reference/transformer.py headrace/nn/testdata/transformer.safetensors
"""

import sys

import jax
import jax.numpy as jnp
import numpy as np
from flax import linen as nn
from layers import layer, normal, plain, save, tensors
from safetensors.numpy import save_file

HIGHEST = jax.lax.Precision.HIGHEST


def embedding():
    numbers = np.array([[4, 0, 2], [4, 1, 4]], np.int32)
    layer("embedding", nn.Embed(5, 3), numbers)
    table = nn.Embed(5, 3)
    weight = normal(5, 3)
    attend = lambda params, x: (table.apply({"params": params}, x, method="attend"), None)
    save("embedding_attend", attend, {"embedding": weight}, (normal(2, 4, 3),))


def rotate(x, positions, base, turned, neighbours):
    """Each pair as a complex number, turned by multiplication."""
    frequencies = base ** (-np.arange(0, turned, 2) / turned)
    turn = np.exp(1j * positions[..., None] * frequencies).astype(np.complex64)[..., None, :]
    part, rest = x[..., :turned], x[..., turned:]
    if neighbours:
        z = (part[..., 0::2] + 1j * part[..., 1::2]) * turn
        part = jnp.stack([z.real, z.imag], -1).reshape(part.shape)
    else:
        z = (part[..., : turned // 2] + 1j * part[..., turned // 2 :]) * turn
        part = jnp.concatenate([z.real, z.imag], -1)
    return jnp.concatenate([part, rest], -1)


def rotary():
    x = normal(2, 5, 3, 8)
    each = np.array([[0, 1, 2, 3, 4], [7, 8, 0, 1, 2]], np.int32)
    plain("rotary_halves", lambda x: rotate(x, np.arange(5), 10000.0, 8, False), x)
    plain("rotary_neighbours", lambda x: rotate(x, np.arange(5), 500.0, 8, True), x)
    plain("rotary_part", lambda x: rotate(x, np.arange(5), 10000.0, 4, False), x)
    plain("rotary_positions", lambda x, p: rotate(x, p, 10000.0, 8, False), x, each)


def masked_attention(q, k, v, mask, cap=None):
    """mask [B or 1, T, S]; zeros for queries that see nothing."""
    group = q.shape[2] // k.shape[2]
    k, v = jnp.repeat(k, group, 2), jnp.repeat(v, group, 2)
    scores = jnp.einsum("btnh,bsnh->bnts", q, k, precision=HIGHEST) / np.sqrt(q.shape[-1])
    scores = scores if cap is None else cap * jnp.tanh(scores / cap)
    weights = jax.nn.softmax(jnp.where(mask[:, None], scores, -1e30), -1) * mask.any(-1)[:, None, :, None]
    return jnp.einsum("bnts,bsnh->btnh", weights, v, precision=HIGHEST)


def attention():
    q, k, v = normal(2, 5, 4, 6), normal(2, 5, 4, 6), normal(2, 5, 4, 6)
    grouped_k, grouped_v = normal(2, 7, 2, 6), normal(2, 7, 2, 6)
    jax_attention = jax.nn.dot_product_attention
    plain("attention", jax_attention, q, k, v)
    plain("attention_causal", lambda *x: jax_attention(*x, is_causal=True), q, k, v)
    plain("attention_scaled", lambda *x: jax_attention(*x, scale=0.7), q, k, v)
    plain("attention_window", lambda *x: jax_attention(*x, is_causal=True, local_window_size=(2, 0)), q, k, v)
    plain("attention_grouped", jax_attention, q, grouped_k, grouped_v)

    earlier = np.tril(np.ones((5, 5), bool))[None]
    plain("attention_soft_cap", lambda *x: masked_attention(*x, earlier, cap=1.5), q, k, v)

    segments = np.array([[1, 1, 2, 2, 2], [3, 0, 3, 3, 4]], np.int32)
    packed = lambda q, k, v, a, b: masked_attention(q, k, v, (a[:, :, None] == b[:, None, :]) & earlier)
    plain("attention_segments", packed, q, k, v, segments, segments)
    strangers = np.array([[1, 1, 1, 1, 1], [9, 9, 9, 9, 9]], np.int32)
    plain("attention_strangers", packed, q, k, v, segments, strangers)

    def from_offset(q, k, v, offset):
        query = offset[:, None] + np.arange(q.shape[1])
        return masked_attention(q, k, v, np.arange(k.shape[1]) <= query[:, :, None])

    plain("attention_offset", from_offset, normal(2, 2, 4, 6), grouped_k, grouped_v, np.array([3, 0], np.int32))

    keep = jax.random.bernoulli(jax.random.key(11), 0.7, (2, 4, 5, 1, 5))[:, :, :, 0]

    def dropped(q, k, v):
        scores = jnp.einsum("btnh,bsnh->bnts", q, k, precision=HIGHEST) / np.sqrt(6)
        weights = jnp.where(keep, jax.nn.softmax(scores, -1) / 0.7, 0)
        return jnp.einsum("bnts,bsnh->btnh", weights, v, precision=HIGHEST)

    plain("attention_dropout", dropped, q, k, v)


def functions():
    x, y = normal(3, 7) * 3, normal(3, 7)
    plain("silu", jax.nn.silu, x)
    plain("gelu_quick", lambda x: x * jax.nn.sigmoid(1.702 * x), x)
    plain("swiglu", lambda a, b: jax.nn.silu(a) * b, x, y)
    plain("geglu", lambda a, b: jax.nn.gelu(a, approximate=False) * b, x, y)
    mask = np.array([[1, 0, 1, 1, 0, 0, 1], [0, 0, 0, 0, 0, 0, 0], [1, 1, 1, 1, 1, 1, 1]], np.int32)

    def masked_softmax(x, mask):
        e = jnp.exp(x - x.max(-1, keepdims=True)) * mask
        total = e.sum(-1, keepdims=True)
        return e / jnp.where(total > 0, total, 1)

    plain("masked_softmax", masked_softmax, x * 3, mask)
    some = np.where(mask[[0, 2]] > 0, x[:2], -np.inf).astype(np.float32)
    plain("log_sum_exp_of_some", lambda x: jax.nn.logsumexp(x, axis=-1), some)


if __name__ == "__main__":
    embedding()
    layer("rms_norm", nn.RMSNorm(), normal(4, 3, 6))
    rotary()
    attention()
    functions()
    save_file(tensors, sys.argv[1])
