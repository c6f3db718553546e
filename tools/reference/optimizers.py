"""Reference for optim_test: 20 steps of each optimizer on one small problem, by optax.

Makes headrace/optim/testdata/optimizers.npz. Made with jax 0.11.2, optax 0.2.8, numpy 2.5.5.
Usage: python tools/reference/optimizers.py
"""
import pathlib

import jax
import jax.numpy as jnp
import numpy as np
import optax

STEPS = 20
OUT = pathlib.Path(__file__).resolve().parents[2] / "headrace/optim/testdata/optimizers.npz"

CASES = {
    "sgd": optax.sgd(0.1),
    "sgd_momentum": optax.sgd(0.1, momentum=0.9),
    "sgd_nesterov": optax.sgd(0.1, momentum=0.9, nesterov=True),
    "adam": optax.adam(0.05),
    "adam_betas": optax.adam(0.05, b1=0.8, b2=0.95, eps=1e-3),
    "adamw": optax.adamw(0.05, weight_decay=0.1),
    "adamw_clipped": optax.chain(optax.clip(0.5), optax.clip_by_global_norm(0.7), optax.adamw(0.05)),
    "sgd_cosine": optax.sgd(optax.warmup_cosine_decay_schedule(0.0, 0.1, 5, STEPS, 0.01)),
    "sgd_warmup": optax.sgd(optax.join_schedules([optax.linear_schedule(0, 0.1, 4), optax.constant_schedule(0.1)], [4])),
}


def loss_of(params, x, y):
    hidden = jnp.tanh(x @ params["w"] + params["b"])
    return jnp.mean((hidden - y) ** 2)


def main():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(16, 5)).astype(np.float32)
    y = rng.normal(size=(16, 3)).astype(np.float32)
    start = {"w": rng.normal(size=(5, 3)).astype(np.float32), "b": rng.normal(size=(3,)).astype(np.float32)}
    arrays = {"x": x, "y": y, "w": start["w"], "b": start["b"]}
    for name, optimizer in CASES.items():
        @jax.jit
        def step(params, state):
            loss, grads = jax.value_and_grad(loss_of)(params, x, y)
            updates, state = optimizer.update(grads, state, params)
            return optax.apply_updates(params, updates), state, loss

        params, state = start, optimizer.init(start)
        losses, weights = [], []
        for _ in range(STEPS):
            params, state, loss = step(params, state)
            losses.append(loss)
            weights.append(params["w"])
        arrays[f"{name}/loss"] = np.stack(losses)
        arrays[f"{name}/w"] = np.stack(weights)
    np.savez_compressed(OUT, **arrays)
    print(f"{OUT}: {OUT.stat().st_size} bytes")


if __name__ == "__main__":
    main()
