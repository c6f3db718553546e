"""Reference for optim_test: 20 steps of each optimizer on one small problem, by optax.

Makes headrace/optim/testdata/optimizers.npz: for each case the loss of every step, and the parameters after
the first, second and last. Made with jax 0.11.2, optax 0.2.8, numpy 2.5.5.
Usage: python tools/reference/optimizers.py
"""
import pathlib

import jax
import jax.numpy as jnp
import numpy as np
import optax

STEPS = 20
KEPT = [0, 1, STEPS - 1]
OUT = pathlib.Path(__file__).resolve().parents[2] / "headrace/optim/testdata/optimizers.npz"
SHAPES = {"first.weight": (5, 7), "first.bias": (7,), "second.weight": (7, 3)}


def weights_only(tree):
    return {name: name.endswith("weight") for name in tree}


def clip_each_by_norm(limit):
    one = optax.clip_by_global_norm(limit)
    return optax.stateless(lambda updates, _: {k: one.update(g, one.init(g))[0] for k, g in updates.items()})


def add_l1(factor):
    return optax.stateless(lambda updates, params: jax.tree.map(lambda g, p: g + factor * jnp.sign(p), updates, params))


def scaled_rates(multipliers):
    return optax.stateless(lambda updates, _: {k: multipliers.get(k, 1) * u for k, u in updates.items()})


CASES = {
    "sgd": optax.sgd(0.1),
    "sgd_momentum": optax.sgd(0.1, momentum=0.9),
    "sgd_nesterov": optax.sgd(0.1, momentum=0.9, nesterov=True),
    "adam": optax.adam(0.05),
    "adam_betas": optax.adam(0.05, b1=0.8, b2=0.95, eps=1e-3, eps_root=1e-4),
    "adam_nesterov": optax.nadam(0.05),
    "adamw": optax.adamw(0.05, weight_decay=0.1),
    "adamw_nesterov": optax.nadamw(0.05),
    "adamw_clipped": optax.chain(optax.clip(0.5), optax.clip_by_global_norm(0.7), optax.adamw(0.05)),
    "adamw_masked": optax.adamw(0.05, weight_decay=0.3, mask=weights_only),
    "lion": optax.lion(0.01),
    "lion_masked": optax.lion(0.01, b1=0.8, b2=0.9, weight_decay=0.5, mask=weights_only),
    "adafactor": optax.adafactor(0.1),
    "adafactor_factored": optax.adafactor(0.1, min_dim_size_to_factor=3),
    "adafactor_all": optax.adafactor(
        0.1, min_dim_size_to_factor=3, decay_rate=0.7, multiply_by_parameter_scale=False, clipping_threshold=0.5,
        momentum=0.9, weight_decay_rate=1e-2, eps=1e-4, weight_decay_mask=weights_only),
    "adafactor_unclipped": optax.adafactor(0.1, clipping_threshold=None, factored=False),
    "lamb": optax.lamb(0.05),
    "lamb_decayed": optax.lamb(0.05, b1=0.8, b2=0.95, eps=1e-4, weight_decay=0.2, mask=weights_only),
    "muon": optax.contrib.muon(0.05),
    "muon_all": optax.contrib.muon(
        0.05, ns_coeffs=(3.0, -3.2, 1.2), ns_steps=4, beta=0.9, eps=1e-6, weight_decay=0.1, nesterov=False, adam_b1=0.8,
        adam_b2=0.95, adam_eps_root=1e-5, adam_weight_decay=0.2, adam_learning_rate=0.02, consistent_rms=0.2),
    "muon_adaptive": optax.contrib.muon(0.05, adaptive=True),
    "muon_one_matrix": optax.contrib.muon(
        0.05, muon_weight_dimension_numbers={"first.weight": optax.contrib.MuonDimensionNumbers(), "first.bias": None,
                                             "second.weight": None}),
    "rmsprop": optax.rmsprop(0.01),
    "rmsprop_centered": optax.rmsprop(0.01, decay=0.8, eps=1e-3, centered=True),
    "rmsprop_corrected": optax.rmsprop(0.01, decay=0.8, eps=1e-3, bias_correction=True),
    "rmsprop_momentum": optax.rmsprop(0.01, initial_scale=0.1, eps_in_sqrt=False, momentum=0.9),
    "rmsprop_nesterov": optax.rmsprop(0.01, momentum=0.9, nesterov=True),
    "adagrad": optax.adagrad(0.1),
    "adagrad_from_zero": optax.adagrad(0.1, initial_accumulator_value=0.0, eps=1e-3),
    "sgd_cosine": optax.sgd(optax.warmup_cosine_decay_schedule(0.0, 0.1, 5, STEPS, 0.01)),
    "sgd_warmup": optax.sgd(optax.join_schedules([optax.linear_schedule(0, 0.1, 4), optax.constant_schedule(0.1)], [4])),
    "sgd_leaf_norm": optax.chain(clip_each_by_norm(0.3), optax.sgd(0.1)),
    "sgd_all_clips": optax.chain(optax.clip(0.3), clip_each_by_norm(0.4), optax.clip_by_global_norm(0.5), optax.sgd(0.1)),
    "sgd_regularized": optax.chain(
        optax.masked(optax.add_decayed_weights(0.05), weights_only), optax.masked(add_l1(0.02), weights_only),
        optax.clip_by_global_norm(0.7), optax.sgd(0.1)),
    "adam_rates": optax.chain(optax.adam(0.05), scaled_rates({"first.weight": 0.02, "first.bias": 0.1})),
}


def loss_of(params, x, y):
    hidden = jnp.tanh(x @ params["first.weight"] + params["first.bias"])
    return jnp.mean((hidden @ params["second.weight"] - y) ** 2)


def main():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(16, 5)).astype(np.float32)
    y = rng.normal(size=(16, 3)).astype(np.float32)
    start = {name: rng.normal(size=shape).astype(np.float32) for name, shape in SHAPES.items()}
    arrays = {"x": x, "y": y, **{f"start/{name}": value for name, value in start.items()}}
    for case, optimizer in CASES.items():
        @jax.jit
        def step(params, state):
            loss, grads = jax.value_and_grad(loss_of)(params, x, y)
            updates, state = optimizer.update(grads, state, params)
            return optax.apply_updates(params, updates), state, loss

        params, state = start, optimizer.init(start)
        losses, kept = [], {name: [] for name in start}
        for k in range(STEPS):
            params, state, loss = step(params, state)
            losses.append(loss)
            if k in KEPT:
                for name in start:
                    kept[name].append(params[name])
        arrays[f"{case}/loss"] = np.stack(losses)
        for name in start:
            arrays[f"{case}/{name}"] = np.stack(kept[name])
    np.savez_compressed(OUT, **arrays)
    print(f"{OUT}: {OUT.stat().st_size} bytes")


if __name__ == "__main__":
    main()
