#!/usr/bin/env python3
"""Writes headrace/graph/testdata/random.safetensors: what jax.random gives, for headrace/jit/random_test.cc.

Made with Python 3.13, jax and jaxlib 0.11.2, numpy 2.5, safetensors 0.8 and JAX's defaults (32 bits, partitionable
threefry); 64-bit draws in a second pass with jax_enable_x64.
"""

import pathlib

import jax
import jax.numpy as jnp
import numpy as np
from safetensors.numpy import save_file

OUTPUT = pathlib.Path(__file__).parents[2] / "headrace/graph/testdata/random.safetensors"


def draws_32():
    key = jax.random.PRNGKey(7)
    random = jax.random
    yield "key", key
    yield "split", random.split(key, 3)
    yield "split_2d", random.split(key, (2, 3))
    yield "fold_in", random.fold_in(key, 42)
    yield "fold_in_large", random.fold_in(key, np.uint32(0xFFFFFFFE))
    yield "bits_u8", random.bits(key, (5, 7), np.uint8)
    yield "bits_u16", random.bits(key, (5, 7), np.uint16)
    yield "bits_u32", random.bits(key, (5, 7), np.uint32)
    yield "bits_scalar", random.bits(key, (), np.uint32)
    yield "uniform", random.uniform(key, (3, 50))
    yield "uniform_range", random.uniform(key, (3, 50), minval=-0.3, maxval=1.7)
    yield "uniform_bf16", random.uniform(key, (64,), jnp.bfloat16).view(np.uint16)
    yield "uniform_f16", random.uniform(key, (64,), jnp.float16)
    yield "normal", random.normal(key, (4, 250))
    yield "normal_bf16", random.normal(key, (64,), jnp.bfloat16).view(np.uint16)
    yield "truncated_normal", random.truncated_normal(key, -2.0, 2.0, (4, 250))
    yield "truncated_normal_far", random.truncated_normal(key, 3.0, 3.25, (100,))
    yield "bernoulli", random.bernoulli(key, 0.3, (200,))
    yield "bernoulli_by_row", random.bernoulli(key, jnp.array([[0.1], [0.9]]), (2, 50))
    yield "randint", random.randint(key, (100,), -3, 10)
    yield "randint_large", random.randint(key, (50,), -2_000_000_000, 2_000_000_000)
    yield "randint_all", random.randint(key, (50,), -(2**31), 2**31 - 1)
    yield "randint_u8", random.randint(key, (50,), 0, 256, np.uint8)
    yield "randint_i16", random.randint(key, (50,), -5, 1000, np.int16)
    yield "randint_u32", random.randint(key, (50,), 5, 7, np.uint32)
    yield "batched", jax.vmap(lambda k: random.normal(k, (10,)))(random.split(key, 4))


def draws_64():
    key = jax.random.PRNGKey(0x123456789ABCDEF)
    random = jax.random
    yield "key_64", key
    yield "bits_u64", random.bits(key, (5, 7), np.uint64)
    yield "uniform_f64", random.uniform(key, (50,), np.float64)
    yield "normal_f64", random.normal(key, (50,), np.float64)
    yield "randint_i64", random.randint(key, (50,), -(10**12), 10**15, np.int64)


def main():
    tensors = {name: np.asarray(value) for name, value in draws_32()}
    jax.config.update("jax_enable_x64", True)
    tensors |= {name: np.asarray(value) for name, value in draws_64()}
    save_file(tensors, OUTPUT)
    print(f"{OUTPUT}: {len(tensors)} tensors, {OUTPUT.stat().st_size} bytes")


if __name__ == "__main__":
    main()
