"""Reference for models_test: ten training losses of the MLP and the convnet, by a plain JAX program.

Makes headrace/models/testdata/{mlp,convnet,strided_convnet}.npz: initial parameters, ten batches, the losses of ten AdamW steps, and
the gradients of the first. Made with jax 0.11.2, optax 0.2.8, numpy 2.5.5.
Usage: python tools/reference/models.py
"""
import pathlib

import jax
import jax.numpy as jnp
import numpy as np
import optax

STEPS = 10
BATCH = 8
OUT = pathlib.Path(__file__).resolve().parents[2] / "headrace/models/testdata"


def linear(p, name, x):
    return x @ p[f"{name}.weight"] + p[f"{name}.bias"]


def mlp(p, x, state):
    x = x.reshape(x.shape[0], -1)
    x = jax.nn.relu(linear(p, "layers.0", x))
    x = jax.nn.relu(linear(p, "layers.1", x))
    return linear(p, "layers.2", x), state


def convnet(p, x, state):
    state = dict(state)
    for i in range(2):
        x = jax.lax.conv_general_dilated(x, p[f"blocks.{i}.conv.weight"], (1, 1), "SAME",
                                         dimension_numbers=("NHWC", "HWIO", "NHWC"))
        mean = x.mean((0, 1, 2))
        var = jnp.maximum((x * x).mean((0, 1, 2)) - mean * mean, 0)
        for name, value in (("mean", mean), ("var", var)):
            key = f"blocks.{i}.norm.running_{name}"
            state[key] = 0.9 * state[key] + 0.1 * value
        x = (x - mean) * jax.lax.rsqrt(var + 1e-5) * p[f"blocks.{i}.norm.weight"] + p[f"blocks.{i}.norm.bias"]
        x = jax.lax.reduce_window(jax.nn.relu(x), -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "SAME")
    x = x.reshape(x.shape[0], -1)
    x = jax.nn.relu(linear(p, "hidden", x))
    return linear(p, "classifier", x), state


def strided_convnet(p, x, state):
    for i, stride in enumerate((2, 1, 2)):
        x = jax.lax.conv_general_dilated(x, p[f"blocks.{i}.conv.weight"], (stride, stride), "SAME",
                                         dimension_numbers=("NHWC", "HWIO", "NHWC"))
        x = jax.nn.relu(x + p[f"blocks.{i}.conv.bias"])
    return linear(p, "classifier", x.reshape(x.shape[0], -1)), state


def shapes_of_mlp():
    widths = [10 * 10, 12, 9, 5]
    out = {}
    for i in range(3):
        out[f"layers.{i}.weight"] = (widths[i], widths[i + 1])
        out[f"layers.{i}.bias"] = (widths[i + 1],)
    return out, {}


def shapes_of_convnet():
    out, state, channels = {}, {}, [1, 4, 6]
    for i in range(2):
        out[f"blocks.{i}.conv.weight"] = (3, 3, channels[i], channels[i + 1])
        for name in ("weight", "bias"):
            out[f"blocks.{i}.norm.{name}"] = (channels[i + 1],)
        for name in ("mean", "var"):
            state[f"blocks.{i}.norm.running_{name}"] = (channels[i + 1],)
    out["hidden.weight"], out["hidden.bias"] = (3 * 3 * 6, 7), (7,)
    out["classifier.weight"], out["classifier.bias"] = (7, 5), (5,)
    return out, state


def shapes_of_strided_convnet():
    out, channels = {}, [1, 4, 6, 5]
    for i in range(3):
        out[f"blocks.{i}.conv.weight"] = (3, 3, channels[i], channels[i + 1])
        out[f"blocks.{i}.conv.bias"] = (channels[i + 1],)
    out["classifier.weight"], out["classifier.bias"] = (3 * 3 * 5, 5), (5,)
    return out, {}


def make(name, model, shapes):
    rng = np.random.default_rng(1)
    params = {k: (rng.normal(size=s) * 0.3).astype(np.float32) for k, s in shapes[0].items()}
    state = {k: (np.ones(s) if k.endswith("var") else np.zeros(s)).astype(np.float32) for k, s in shapes[1].items()}
    images = rng.uniform(size=(STEPS, BATCH, 10, 10, 1)).astype(np.float32)
    labels = rng.integers(0, 5, size=(STEPS, BATCH)).astype(np.int32)
    arrays = {"images": images, "labels": labels}
    arrays |= {f"param/{k}": v for k, v in (params | state).items()}

    def loss_of(p, state, x, y):
        logits, state = model(p, x, state)
        return optax.softmax_cross_entropy_with_integer_labels(logits, y).mean(), state

    optimizer = optax.adamw(0.01, weight_decay=0.01)
    opt_state = optimizer.init(params)
    losses = []
    for k in range(STEPS):
        (loss, state), grads = jax.value_and_grad(loss_of, has_aux=True)(params, state, images[k], labels[k])
        if k == 0:
            arrays |= {f"grad/{n}": np.asarray(g) for n, g in grads.items()}
        updates, opt_state = optimizer.update(grads, opt_state, params)
        params = optax.apply_updates(params, updates)
        losses.append(np.asarray(loss))
    arrays["losses"] = np.stack(losses)
    arrays |= {f"state/{k}": np.asarray(v) for k, v in state.items()}
    path = OUT / f"{name}.npz"
    np.savez_compressed(path, **arrays)
    print(f"{path}: {path.stat().st_size} bytes, losses {arrays['losses']}")


def main():
    OUT.mkdir(exist_ok=True)
    make("mlp", mlp, shapes_of_mlp())
    make("convnet", convnet, shapes_of_convnet())
    make("strided_convnet", strided_convnet, shapes_of_strided_convnet())


if __name__ == "__main__":
    main()
