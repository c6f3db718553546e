"""Reference for optim_test: every learning-rate schedule at every step, by optax.

Makes headrace/optim/testdata/schedules.npz: the factor on the peak at steps 0 to 119 of a run of 100.
optax has neither wsd nor rsqrt: those are written here, from their papers, in float64.
Made with jax 0.11.2, optax 0.2.8, numpy 2.5.5.
Usage: python tools/reference/schedules.py
"""
import pathlib

import numpy as np
import optax

STEPS = 100
BEYOND = 20
OUT = pathlib.Path(__file__).resolve().parents[2] / "headrace/optim/testdata/schedules.npz"


def warmed_up(schedule, steps, start=0.0):
    return optax.join_schedules([optax.linear_schedule(start, 1.0, steps), schedule], [steps])


def wsd(shape, decay, end):
    falls = {"linear": lambda s: 1 - s, "cosine": lambda s: 0.5 * (1 + np.cos(np.pi * s)), "sqrt": lambda s: 1 - np.sqrt(s)}
    return lambda step: end + (1 - end) * falls[shape](min(max((step - (STEPS - decay)) / decay, 0), 1))


def rsqrt(warmup, timescale, end):
    def factor(step):
        if step < warmup:
            return step / warmup
        return max(np.sqrt(timescale / (timescale + step - warmup)), end)

    return factor


CASES = {
    "constant": optax.constant_schedule(1.0),
    "constant_warmup": warmed_up(optax.constant_schedule(1.0), 7, 0.25),
    "linear": optax.linear_schedule(1.0, 0.0, STEPS),
    "linear_warmup": warmed_up(optax.linear_schedule(1.0, 0.1, STEPS - 10), 10),
    "cosine": optax.cosine_decay_schedule(1.0, STEPS),
    "cosine_warmup": optax.warmup_cosine_decay_schedule(0.2, 1.0, 10, STEPS, 0.05),
    "polynomial": optax.polynomial_schedule(1.0, 0.0, 2.0, STEPS),
    "polynomial_warmup": warmed_up(optax.polynomial_schedule(1.0, 0.1, 0.5, STEPS - 10), 10),
    "step": optax.piecewise_constant_schedule(1.0, {30: 0.1, 60: 0.1}),
    "step_warmup": warmed_up(optax.piecewise_constant_schedule(1.0, {20: 0.5, 40: 0.2, 80: 2.0}), 10),
    "exponential": optax.exponential_decay(1.0, 10, 0.8),
    "exponential_warmup": optax.warmup_exponential_decay_schedule(0.1, 1.0, 10, 15, 0.5, staircase=True, end_value=0.1),
    "wsd": wsd("linear", 10, 0.0),
    "wsd_cosine": wsd("cosine", 25, 0.1),
    "wsd_sqrt": wsd("sqrt", 30, 0.0),
    "rsqrt": rsqrt(16, 16, 0.0),
    "rsqrt_timescale": rsqrt(0, 5, 0.3),
}


def main():
    arrays = {name: np.array([schedule(k) for k in range(STEPS + BEYOND)], np.float32) for name, schedule in CASES.items()}
    np.savez_compressed(OUT, **arrays)
    print(f"{OUT}: {OUT.stat().st_size} bytes")


if __name__ == "__main__":
    main()
