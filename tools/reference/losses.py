#!/usr/bin/env python3
"""Makes headrace/nn/testdata/losses.safetensors: losses of optax and JAX.

The file in the tree was made with Python 3.13, jax and jaxlib 0.11.2, optax 0.2.8, numpy 2.5.5 and safetensors 0.8.0 on
CPU, and is laid out as layers.py says:

    python tools/reference/losses.py headrace/nn/testdata/losses.safetensors
"""

import sys

import jax
import jax.numpy as jnp
import numpy as np
import optax
from layers import normal, plain, tensors
from safetensors.numpy import save_file


def token_loss(logits, labels):
    """Smoothing 0.1, z-loss 0.02, and a label of -100 that does not count."""
    counts = labels != -100
    target = optax.smooth_labels(jax.nn.one_hot(jnp.where(counts, labels, 0), logits.shape[-1]), 0.1)
    loss = optax.softmax_cross_entropy(logits, target) + 0.02 * jax.nn.logsumexp(logits, -1) ** 2
    return jnp.where(counts, loss, 0)


def chunked(hidden, weight, labels):
    return optax.softmax_cross_entropy_with_integer_labels(hidden @ weight.T, labels)


def unit(x):
    return x / jnp.linalg.norm(x, axis=-1, keepdims=True)


def pairs(a, b):
    logits = unit(a) @ unit(b).T / 0.5
    own = np.arange(len(a))
    of = optax.softmax_cross_entropy_with_integer_labels
    return (of(logits, own) + of(logits.T, own)) / 2


def nt_xent(x, labels):
    logits = unit(x) @ unit(x).T / 0.5
    n = len(labels)
    others = ~np.eye(n, dtype=bool)
    partners = (labels[:, None] == labels[None]) & others
    log_share = logits - jax.nn.logsumexp(jnp.where(others, logits, -jnp.inf), -1, keepdims=True)
    return -jnp.where(partners, log_share, 0).sum(-1) / np.maximum(partners.sum(-1), 1)


def ctc():
    labels = np.array([[1, 2, 2], [3, 1, 0], [2, 0, 0], [0, 0, 0]], np.int32)  # a repeat, and three lengths below 3
    label_paddings = np.array([[0, 0, 0], [0, 0, 1], [0, 1, 1], [1, 1, 1]], np.int32)
    logit_paddings = np.zeros((4, 6), np.int32)
    logit_paddings[1, 4:] = 1
    logits = normal(4, 6, 5)
    loss = lambda x, ends, y, ends_y: optax.ctc_loss(x, ends.astype(np.float32), y, ends_y.astype(np.float32))
    plain("ctc", loss, logits, logit_paddings, labels, label_paddings)


def main():
    x, y = normal(4, 5) * 2, normal(4, 5)
    quarters = np.array([[2, 0, 1, 1, 0], [4, 0, 0, 0, 0], [1, 1, 1, 1, 0], [0, 1, 0, 0, 3]], np.int32)
    probabilities = np.asarray(jax.nn.softmax(normal(4, 5)))
    plain("token_cross_entropy", token_loss, x, np.array([2, -100, 0, 4], np.int32))
    plain("chunked_cross_entropy", chunked, normal(6, 3), normal(5, 3), np.array([2, 1, 0, 4, 3, 3], np.int32))
    plain("sigmoid_cross_entropy", optax.sigmoid_binary_cross_entropy, x * 20, probabilities)
    plain("absolute_error", lambda a, b: jnp.abs(a - b), x, y)
    plain("huber", lambda a, b: optax.huber_loss(a, b, delta=0.7), x, y)
    plain("hinge", lambda a, sign: optax.hinge_loss(a, sign.astype(np.float32)), x, np.sign(y).astype(np.int32))
    plain("kl_divergence", lambda a, q: optax.kl_divergence(a, q / 4.0), np.asarray(jax.nn.log_softmax(x)), quarters)
    plain("contrastive_pairs", pairs, normal(4, 3), normal(4, 3))
    plain("nt_xent", nt_xent, normal(6, 3), np.array([0, 1, 0, 2, 1, 0], np.int32))
    ctc()
    save_file(tensors, sys.argv[1])


if __name__ == "__main__":
    main()
