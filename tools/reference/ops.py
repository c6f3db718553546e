#!/usr/bin/env python3
"""Makes headrace/graph/testdata/cases/*.safetensors from the *.txt beside them: what each op gives in JAX.

The files in the tree were made with Python 3.13, jax and jaxlib 0.11.2, numpy 2.5.5, safetensors 0.8.0 on CPU:

    python tools/reference/ops.py [FILE.txt ...]        # all of them by default

For a case `c` a file has the operands c/in0 ..., the results c/out0 ..., and where the case has a gradient a random
cotangent c/seed0 ... of each floating-point or complex result and the cotangents c/grad0 ... of each such operand.
The grammar of cases stands in headrace/graph/test/op_case.h. An op is known to this script by its line in OPS.
"""

import pathlib
import re
import sys
import zlib

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
from jax import lax
from jax._src.lax.linalg import geqrf
from jax._src.random import threefry2x32
from safetensors.numpy import save_file

jax.config.update("jax_enable_x64", True)

CASES = pathlib.Path(__file__).parents[2] / "headrace/graph/testdata/cases"

DTYPES = {
    "pred": np.bool_,
    "i8": np.int8,
    "i16": np.int16,
    "i32": np.int32,
    "i64": np.int64,
    "u8": np.uint8,
    "u16": np.uint16,
    "u32": np.uint32,
    "u64": np.uint64,
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "f32": np.float32,
    "f64": np.float64,
    "c64": np.complex64,
    "c128": np.complex128,
}

# ---- ops as JAX has them: a function of the attributes and the operands ----


def gather(a, operand, indices):
    indices, batching = index_vectors_last(a, indices)
    numbers = lax.GatherDimensionNumbers(
        tuple(a["offset_dims"]),
        tuple(a["collapsed_dims"]),
        tuple(a["start_index_map"]),
        tuple(a["operand_batching_dims"]),
        batching,
    )
    return lax.gather(operand, indices, numbers, tuple(a["slice_sizes"]), mode="clip")


def scatter(a, operand, indices, updates):
    indices, batching = index_vectors_last(a, indices)
    numbers = lax.ScatterDimensionNumbers(
        tuple(a["offset_dims"]),
        tuple(a["collapsed_dims"]),
        tuple(a["start_index_map"]),
        tuple(a["operand_batching_dims"]),
        batching,
    )
    function = {
        "set": lax.scatter,
        "add": lax.scatter_add,
        "multiply": lax.scatter_mul,
        "maximum": lax.scatter_max,
        "minimum": lax.scatter_min,
    }[a["mode"]]
    return function(operand, indices, updates, numbers, unique_indices=a.get("unique", False), mode="drop")


def index_vectors_last(a, indices):
    """JAX has index vectors along the last dimension of the indices only."""
    at = a["index_vector_dim"]
    batching = tuple(d - (d > at) for d in a["indices_batching_dims"])
    return (indices[..., None] if at == indices.ndim else jnp.moveaxis(indices, at, -1)), batching


def reduce(a, x):
    axes = tuple(a["dims"])
    functions = {"add": jnp.sum, "multiply": jnp.prod, "maximum": jnp.max, "minimum": jnp.min}
    if a["reduction"] in functions:
        return functions[a["reduction"]](x, axis=axes).astype(x.dtype)
    bitwise, init = (lax.bitwise_and, ~np.zeros((), x.dtype)) if a["reduction"] == "and" else (lax.bitwise_or, 0)
    return lax.reduce(x, x.dtype.type(init), bitwise, axes)


def reduce_window(a, x):
    function, init = {
        "add": (lax.add, 0),
        "multiply": (lax.mul, 1),
        "maximum": (lax.max, -np.inf),
        "minimum": (lax.min, np.inf),
    }[a["reduction"]]
    ones = [1] * x.ndim
    return lax.reduce_window(
        x,
        x.dtype.type(init),
        function,
        a["window"],
        a.get("strides") or ones,
        a.get("padding") or [(0, 0)] * x.ndim,
        a.get("base_dilation") or ones,
        a.get("window_dilation") or ones,
    )


def convolution(a, lhs, rhs):
    inputs, filters, outputs = re.fullmatch(r"(\w+)_(\w+)->(\w+)", a["dims"]).groups()
    spatial = [str(i) for i in range(lhs.ndim - 2)]
    places = lambda text, names: tuple(text.index(c) for c in names)
    numbers = lax.ConvDimensionNumbers(
        places(inputs, ["b", "f", *spatial]), places(filters, ["o", "i", *spatial]), places(outputs, ["b", "f", *spatial])
    )
    return lax.conv_general_dilated(
        lhs,
        rhs,
        a["strides"],
        [tuple(p) for p in a["padding"]],
        a["lhs_dilation"],
        a["rhs_dilation"],
        numbers,
        a.get("feature_groups", 1),
        a.get("batch_groups", 1),
    )


def dot_general(a, lhs, rhs):
    dims = {k: tuple(a.get(k, ())) for k in ("lhs_contract", "rhs_contract", "lhs_batch", "rhs_batch")}
    numbers = ((dims["lhs_contract"], dims["rhs_contract"]), (dims["lhs_batch"], dims["rhs_batch"]))
    dtype = a.get("preferred_element_type")
    return lax.dot_general(lhs, rhs, numbers, preferred_element_type=dtype and DTYPES[dtype])


def cumulative(a, x):
    function = {"add": lax.cumsum, "multiply": lax.cumprod, "maximum": lax.cummax, "minimum": lax.cummin}
    if a["reduction"] in function:
        return function[a["reduction"]](x, a["dimension"], a.get("reverse", False))
    bitwise = {"and": lax.bitwise_and, "or": lax.bitwise_or}[a["reduction"]]
    return lax.associative_scan(bitwise, x, reverse=a.get("reverse", False), axis=a["dimension"])


def sort(a, *operands):
    """With the positions behind the others, where they are asked for."""
    dimension, descending = a.get("dimension", 0), a.get("descending", False)
    if a.get("positions"):
        operands += (lax.broadcasted_iota(np.int32, operands[0].shape, dimension),)
    turn = (lambda x: lax.rev(x, (dimension,))) if descending else (lambda x: x)  # twice, which keeps it stable
    sorted_ = lax.sort([turn(x) for x in operands], dimension, a.get("stable", True), a.get("num_keys", 1))
    return [turn(x) for x in sorted_]


def fft(a, x):
    return lax.fft(x, lax.FftType[a["type"]], tuple(a["lengths"]))


def cholesky(a, x):
    """Of the triangle that is read, as the other one would be."""
    lower = jnp.tril(x) if a["lower"] else jnp.swapaxes(jnp.triu(x), -1, -2).conj()
    strict = jnp.tril(lower, -1)
    diagonal = (lower - strict).real.astype(x.dtype)
    whole = diagonal + strict + jnp.swapaxes(strict, -1, -2).conj()
    factor = lax.linalg.cholesky(whole, symmetrize_input=False)
    return factor if a["lower"] else jnp.swapaxes(factor, -1, -2).conj()


def qr(a, x):
    """JAX has no gradient of wide matrices: the columns beyond the rows are q^H times what they were."""
    rows = x.shape[-2]
    q, r = lax.linalg.qr(x[..., :rows], full_matrices=False)
    beyond = x[..., rows:]
    return q, jnp.concatenate([r, jnp.swapaxes(q, -1, -2).conj() @ beyond], -1) if beyond.size else r


def triangular_solve(a, lhs, rhs):
    transpose = a.get("transpose_a", "NO_TRANSPOSE")
    return lax.linalg.triangular_solve(
        lhs,
        rhs,
        left_side=a.get("left_side", True),
        lower=a.get("lower", True),
        transpose_a=transpose != "NO_TRANSPOSE",
        conjugate_a=transpose == "ADJOINT",
        unit_diagonal=a.get("unit_diagonal", False),
    )


def plain(function):
    return lambda a, *operands: function(*operands)


OPS = {
    "abs": plain(lax.abs),
    "acos": plain(lax.acos),
    "acosh": plain(lax.acosh),
    "add": plain(lax.add),
    "and": plain(lax.bitwise_and),
    "asin": plain(lax.asin),
    "asinh": plain(lax.asinh),
    "atan": plain(lax.atan),
    "atan2": plain(lax.atan2),
    "atanh": plain(lax.atanh),
    "bessel_i0e": plain(lax.bessel_i0e),
    "bessel_i1e": plain(lax.bessel_i1e),
    "bitcast_convert": lambda a, x: lax.bitcast_convert_type(x, DTYPES[a["dtype"]]),
    "broadcast_in_dim": lambda a, x: lax.broadcast_in_dim(x, a["shape"], a["dims"]),
    "cbrt": plain(lax.cbrt),
    "ceil": plain(lax.ceil),
    "cholesky": cholesky,
    "clamp": plain(lax.clamp),
    "compare": lambda a, x, y: getattr(lax, a["direction"].lower())(x, y),
    "complex": plain(lax.complex),
    "concatenate": lambda a, *xs: lax.concatenate(xs, a["dimension"]),
    "convert": lambda a, x: lax.convert_element_type(x, DTYPES[a["dtype"]]),
    "convolution": convolution,
    "cosh": plain(lax.cosh),
    "cosine": plain(lax.cos),
    "count_leading_zeros": plain(lax.clz),
    "cumulative": cumulative,
    "digamma": plain(lax.digamma),
    "divide": plain(lax.div),
    "dot_general": dot_general,
    "dynamic_slice": lambda a, x, *starts: lax.dynamic_slice(x, starts, a["sizes"], allow_negative_indices=False),
    "dynamic_update_slice": lambda a, x, update, *starts: lax.dynamic_update_slice(
        x, update, starts, allow_negative_indices=False
    ),
    "erf": plain(lax.erf),
    "erf_inv": plain(lax.erf_inv),
    "erfc": plain(lax.erfc),
    "exp": plain(lax.exp),
    "expm1": plain(lax.expm1),
    "fft": fft,
    "floor": plain(lax.floor),
    "gather": gather,
    "householder_product": plain(lax.linalg.householder_product),
    "householder_qr": plain(geqrf),
    "imag": plain(lax.imag),
    "iota": lambda a: lax.broadcasted_iota(DTYPES[a["dtype"]], a["shape"], a["dimension"]),
    "is_finite": plain(lax.is_finite),
    "lgamma": plain(lax.lgamma),
    "log": plain(lax.log),
    "log1p": plain(lax.log1p),
    "logistic": plain(lax.logistic),
    "maximum": plain(lax.max),
    "minimum": plain(lax.min),
    "multiply": plain(lax.mul),
    "negate": plain(lax.neg),
    "next_after": plain(lax.nextafter),
    "not": plain(lax.bitwise_not),
    "optimization_barrier": lambda a, *xs: lax.optimization_barrier(xs),
    "or": plain(lax.bitwise_or),
    "pad": lambda a, x, fill: lax.pad(x, fill, [(*p, i) for p, i in zip(a["padding"], a["interior"])]),
    "polygamma": plain(lax.polygamma),
    "popcnt": plain(lax.population_count),
    "power": lambda a, x, y: lax.pow(x, y) if is_inexact(x) else jnp.power(x, y),
    "qr": qr,
    "real": plain(lax.real),
    "reduce": reduce,
    "reduce_precision": lambda a, x: lax.reduce_precision(x, a["exponent_bits"], a["mantissa_bits"]),
    "reduce_window": reduce_window,
    "remainder": plain(lax.rem),
    "reshape": lambda a, x: lax.reshape(x, a["shape"]),
    "reverse": lambda a, x: lax.rev(x, a["dims"]),
    "round_nearest_afz": plain(lambda x: lax.round(x, lax.RoundingMethod.AWAY_FROM_ZERO)),
    "round_nearest_even": plain(lambda x: lax.round(x, lax.RoundingMethod.TO_NEAREST_EVEN)),
    "rsqrt": plain(lax.rsqrt),
    "scatter": scatter,
    "select": plain(lax.select),
    "sharding_constraint": lambda a, x: x,
    "shift_left": plain(lax.shift_left),
    "shift_right_arithmetic": plain(lax.shift_right_arithmetic),
    "shift_right_logical": plain(lax.shift_right_logical),
    "sign": plain(lax.sign),
    "sine": plain(lax.sin),
    "sinh": plain(lax.sinh),
    "slice": lambda a, x: lax.slice(x, a["starts"], a["limits"], a["strides"]),
    "sort": sort,
    "sqrt": plain(lax.sqrt),
    "stop_gradient": plain(lax.stop_gradient),
    "subtract": plain(lax.sub),
    "tan": plain(lax.tan),
    "tanh": plain(lax.tanh),
    "threefry2x32": plain(threefry2x32.threefry2x32_p.bind),
    "top_k": lambda a, x: lax.top_k(x, a["k"]),
    "transpose": lambda a, x: lax.transpose(x, a["permutation"]),
    "triangular_solve": triangular_solve,
    "xor": plain(lax.bitwise_xor),
    "zeta": plain(lax.zeta),
}

# ---- reading cases ----


def split_top_level(text):
    parts, depth, start = [], 0, 0
    for i, c in enumerate(text + ","):
        depth += (c in "[{") - (c in "]}")
        if c == "," and depth == 0:
            parts.append(text[start:i].strip())
            start = i + 1
    return [p for p in parts if p]


def parse_value(text):
    if text in ("true", "false"):
        return text == "true"
    if text.startswith("["):
        return [parse_value(part) for part in split_top_level(text[1:-1])]
    try:
        return int(text)
    except ValueError:
        return text.strip('"')


def parse_op(text):
    """'slice {starts = [0]}' -> ('slice', {'starts': [0]})."""
    name, _, attributes = text.partition(" {")
    pairs = (part.split(" = ", 1) for part in split_top_level(attributes.removesuffix("}")))
    return name, {key: parse_value(value) for key, value in pairs}


def draw(text, rng):
    """The operand that an `in` line describes."""
    dtype_name, dims, how = re.fullmatch(r"(\w+)\[([^\]]*)\]\s*(.*)", text).groups()
    dtype = DTYPES[dtype_name]
    shape = [int(d) for d in dims.split(",") if d.strip()]
    kind, *numbers = how.split() or ["normal" if dtype_name.startswith(("f", "bf", "c")) else "integers"]
    if dtype_name.startswith("c") and kind in ("normal", "uniform"):
        part = f"f64[{dims}] {kind} {' '.join(numbers)}"
        drawn = draw(part, rng) + 1j * draw(part, rng)
    elif kind == "normal":
        drawn = rng.standard_normal(shape)
    elif kind == "uniform":
        drawn = rng.uniform(float(numbers[0]), float(numbers[1]), shape)
    elif kind == "integers":
        low, high = (int(n) for n in numbers) if numbers else (0, 2) if dtype is np.bool_ else (0, 10)
        drawn = rng.integers(low, high, shape)
    elif kind == "values":
        exact = int if np.issubdtype(dtype, np.integer) else complex if dtype_name.startswith("c") else float
        drawn = np.array([exact(n) for n in numbers]).reshape(shape)
    else:
        raise ValueError(f"'{kind}' is no way to draw an operand")
    return np.asarray(drawn).astype(dtype)


def read_cases(path):
    case = {}
    for number, line in enumerate(path.read_text().splitlines(), 1):
        word, _, rest = line.partition("#")[0].strip().partition(" ")
        if word == "case":
            if case:
                yield case
            case = {"name": rest, "in": [], "without": []}
        elif word == "op":
            case["op"] = rest
        elif word == "in":
            case["in"].append(rest)
        elif word == "without":
            case["without"].append(rest.partition(":")[0])
        elif word not in ("", "tolerance"):
            sys.exit(f"{path}:{number}: not a line of a case")
    yield case


# ---- computing ----


def is_inexact(x):
    return jnp.issubdtype(x.dtype, jnp.inexact)


def draw_seed(y, rng):
    seed = rng.standard_normal(y.shape)
    return (seed + 1j * rng.standard_normal(y.shape) if jnp.iscomplexobj(y) else seed).astype(y.dtype)


def references(case):
    rng = np.random.default_rng(zlib.crc32(case["name"].encode()))
    operands = [draw(text, rng) for text in case["in"]]
    name, attributes = parse_op(case["op"])

    def run(*xs):
        results = OPS[name](attributes, *xs)
        return tuple(results) if isinstance(results, (tuple, list)) else (results,)

    results = jax.jit(run)(*operands)
    tensors = {f"in{i}": x for i, x in enumerate(operands)} | {f"out{i}": y for i, y in enumerate(results)}
    places = [i for i, x in enumerate(operands) if is_inexact(x)]
    seeds = {i: draw_seed(y, rng) for i, y in enumerate(results) if is_inexact(y)}
    if "gradient" in case["without"] or not places or not seeds:
        return tensors

    def of_floats(*floats):
        xs = list(operands)
        for i, x in zip(places, floats):
            xs[i] = x
        ys = run(*xs)
        return tuple(ys[i] for i in seeds)

    def vjp(floats, cotangents):
        return jax.vjp(of_floats, *floats)[1](cotangents)

    grads = jax.jit(vjp)(tuple(operands[i] for i in places), tuple(seeds.values()))
    return tensors | {f"seed{i}": s for i, s in seeds.items()} | {f"grad{i}": g for i, g in zip(places, grads)}


def main():
    paths = [pathlib.Path(p) for p in sys.argv[1:]] or sorted(CASES.glob("*.txt"))
    for path in paths:
        tensors = {}
        for case in read_cases(path):
            try:
                found = references(case)
            except Exception as error:
                error.add_note(f"{path}: case {case['name']}")
                raise
            tensors |= {f"{case['name']}/{k}": np.ascontiguousarray(v).reshape(v.shape) for k, v in found.items()}
        output = path.with_suffix(".safetensors")
        save_file(tensors, output)
        print(f"{output.name}: {output.stat().st_size} bytes")


if __name__ == "__main__":
    main()
