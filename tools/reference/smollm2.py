#!/usr/bin/env python3
"""Makes headrace/models/testdata/smollm2.safetensors: loss and gradients of SmolLM2-135M on a text, by JAX on CPU.

The file in the tree was made with Python 3.13, jax and jaxlib 0.11.2, numpy 2.5.5, safetensors 0.8.0 and tokenizers
0.23.3, from the folder that tools/dequantize_gguf.py makes and the GGUF file that it came from:

    python tools/reference/smollm2.py FOLDER MODEL.gguf headrace/models/testdata/smollm2.safetensors

`tokens` [1, length]; `loss`, the mean cross-entropy of each next token; of the gradient of each parameter grad/NAME its
first 8 elements, and norm/NAME its Euclidean norm.
"""

import json
import pathlib
import sys

import jax
import jax.numpy as jnp
import numpy as np
from safetensors.numpy import load_file, save_file
from tokenizers import Tokenizer, models, pre_tokenizers

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import dequantize_gguf  # noqa: E402

TEXT = (
    "It was the best of times, it was the worst of times, it was the age of wisdom, it was the age of foolishness, it "
    "was the epoch of belief, it was the epoch of incredulity, it was the season of Light, it was the season of "
    "Darkness, it was the spring of hope, it was the winter of despair."
)
HIGHEST = jax.lax.Precision.HIGHEST


def tokens_of(gguf):
    fields, _ = dequantize_gguf.read(gguf)
    vocabulary = {token: i for i, token in enumerate(fields["tokenizer.ggml.tokens"])}
    merges = [tuple(merge.split(" ")) for merge in fields["tokenizer.ggml.merges"]]
    tokenizer = Tokenizer(models.BPE(vocabulary, merges))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    )
    return np.array([tokenizer.encode(TEXT).ids], np.int32)


def rms_norm(x, weight, eps):
    return x * jax.lax.rsqrt((x * x).mean(-1, keepdims=True) + eps) * weight


def rotate(x, base):
    """x [B, T, heads, d]: the halves of a head as real and imaginary parts."""
    half = x.shape[-1] // 2
    angle = np.arange(x.shape[1])[:, None] * base ** (-np.arange(half) / half)
    cos, sin = (f(angle).astype(np.float32)[:, None] for f in (np.cos, np.sin))
    a, b = x[..., :half], x[..., half:]
    return jnp.concatenate([a * cos - b * sin, b * cos + a * sin], -1)


def loss_of(p, tokens, c):
    heads, key_heads = c["num_attention_heads"], c["num_key_value_heads"]
    linear = lambda x, name: jnp.einsum("bti,oi->bto", x, p[name + ".weight"], precision=HIGHEST)
    x = p["model.embed_tokens.weight"][tokens]
    length = tokens.shape[1]
    mask = np.tril(np.ones((length, length), bool))
    for i in range(c["num_hidden_layers"]):
        at = f"model.layers.{i}."
        h = rms_norm(x, p[at + "input_layernorm.weight"], c["rms_norm_eps"])
        q, k, v = (linear(h, f"{at}self_attn.{name}_proj") for name in "qkv")
        split = lambda y, n: y.reshape(*y.shape[:2], n, -1)
        q, k = rotate(split(q, heads), c["rope_theta"]), rotate(split(k, key_heads), c["rope_theta"])
        k, v = (jnp.repeat(y, heads // key_heads, 2) for y in (k, split(v, key_heads)))
        scores = jnp.einsum("btnh,bsnh->bnts", q, k, precision=HIGHEST) / np.sqrt(q.shape[-1])
        weights = jax.nn.softmax(jnp.where(mask, scores, -jnp.inf), -1)
        y = jnp.einsum("bnts,bsnh->btnh", weights, v, precision=HIGHEST).reshape(x.shape)
        x = x + linear(y, at + "self_attn.o_proj")
        h = rms_norm(x, p[at + "post_attention_layernorm.weight"], c["rms_norm_eps"])
        x = x + linear(jax.nn.silu(linear(h, at + "mlp.gate_proj")) * linear(h, at + "mlp.up_proj"), at + "mlp.down_proj")
    x = rms_norm(x, p["model.norm.weight"], c["rms_norm_eps"])
    logits = linear(x, "model.embed_tokens")[:, :-1]
    return -jnp.take_along_axis(jax.nn.log_softmax(logits), tokens[:, 1:, None], -1).mean()


def main():
    folder, gguf, out = (pathlib.Path(argument) for argument in sys.argv[1:])
    config = json.loads((folder / "config.json").read_text())
    tokens = tokens_of(gguf)
    loss, gradients = jax.jit(jax.value_and_grad(lambda p: loss_of(p, tokens, config)))(
        load_file(folder / "model.safetensors")
    )
    tensors = {"tokens": tokens, "loss": np.asarray(loss)}
    for name, gradient in gradients.items():
        gradient = np.asarray(gradient)
        tensors[f"grad/{name}"] = gradient.reshape(-1)[:8].copy()
        tensors[f"norm/{name}"] = np.asarray(np.linalg.norm(gradient.astype(np.float64)), np.float32)
    print(f"{tokens.size} tokens, loss {loss:.4f}")
    save_file(tensors, out)


if __name__ == "__main__":
    main()
