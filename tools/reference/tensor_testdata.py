#!/usr/bin/env python3
"""Makes headrace/tensor/testdata: files that the real numpy, ml_dtypes and safetensors wrote.

The committed files were made with Python 3.13, numpy 2.5.5, ml_dtypes 0.6.0, safetensors 0.8.0:
    python tools/reference/tensor_testdata.py headrace/tensor/testdata
The folders x_fuzz are seeds of x_fuzz.cc too.
"""

import pathlib
import sys

import ml_dtypes
import numpy as np
import safetensors.numpy

SIGNED = [np.int8, np.int16, np.int32, np.int64]
UNSIGNED = [np.uint8, np.uint16, np.uint32, np.uint64]
FLOATS = [np.float16, np.float32, np.float64]
COMPLEX = [np.complex64, np.complex128]
SMALL_FLOATS = {
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "f8e5m2": ml_dtypes.float8_e5m2,
    "f8e4m3fn": ml_dtypes.float8_e4m3fn,
    "f8e3m4": ml_dtypes.float8_e3m4,
    "f8e4m3": ml_dtypes.float8_e4m3,
    "f8e4m3fnuz": ml_dtypes.float8_e4m3fnuz,
    "f8e4m3b11fnuz": ml_dtypes.float8_e4m3b11fnuz,
    "f8e5m2fnuz": ml_dtypes.float8_e5m2fnuz,
    "f8e8m0fnu": ml_dtypes.float8_e8m0fnu,
    "f4e2m1fn": ml_dtypes.float4_e2m1fn,
}
IN_SAFETENSORS = ["f16", "bf16", "f8e5m2", "f8e4m3fn"]


def arrays_of_every_type():
    """By numpy's name of the type; the tests know these values."""
    arrays = {"bool": np.array([[True, False, True], [False, False, True]])}
    for t in UNSIGNED:
        arrays[np.dtype(t).name] = np.array([[0, 1, 2], [3, 4, np.iinfo(t).max]], t)
    for t in SIGNED:
        arrays[np.dtype(t).name] = np.array([[0, 1, 2], [-3, np.iinfo(t).min, np.iinfo(t).max]], t)
    for t in FLOATS:
        arrays[np.dtype(t).name] = np.array([[0, 1, -2.5], [np.finfo(t).max, np.inf, -np.inf]], t)
    for t in COMPLEX:
        arrays[np.dtype(t).name] = np.array([[0, 1 + 2j, -2.5], [1j, 3 - 4j, 100]], t)
    return arrays


def npy_files(folder):
    grid = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    np.save(folder / "grid.npy", grid)
    np.save(folder / "fortran.npy", np.asfortranarray(grid))
    np.save(folder / "fortran_vector.npy", np.asfortranarray(np.arange(5, dtype=np.int32)))
    np.save(folder / "scalar.npy", np.float64(2.5))
    np.save(folder / "empty.npy", np.zeros((0, 3), np.int16))
    for version in [(2, 0), (3, 0)]:
        with open(folder / f"grid_v{version[0]}.npy", "wb") as file:
            np.lib.format.write_array(file, grid, version)
    # What we refuse.
    np.save(folder / "big_endian.npy", grid.astype(">f4"))
    np.save(folder / "bfloat16.npy", grid.astype(ml_dtypes.bfloat16))
    np.save(folder / "float8.npy", grid.astype(ml_dtypes.float8_e5m2))
    np.save(folder / "fields.npy", np.zeros(2, [("x", "<f4"), ("y", "<i4")]))
    np.save(folder / "objects.npy", np.array([None, "text"], object), allow_pickle=True)
    np.save(folder / "text.npy", np.array(["a", "bc"]))


def npz_files(folder):
    np.savez(folder / "types.npz", **arrays_of_every_type())
    np.savez_compressed(folder / "types_deflated.npz", **arrays_of_every_type())


def safetensors_files(folder):
    arrays = {k: v for k, v in arrays_of_every_type().items() if k != "complex128"}
    safetensors.numpy.save_file(arrays, folder / "types.safetensors", metadata={"format": "np", "note": "ü \" \\"})
    values = np.array([0, 1, -2.5, 448, 0.001], np.float32)
    small = {name: values.astype(SMALL_FLOATS[name]) for name in IN_SAFETENSORS}
    small |= {"scalar": np.array(7, np.float32), "empty": np.zeros((0, 4), np.float32)}
    safetensors.numpy.save_file(small, folder / "small_floats.safetensors")


def small_float_tables(folder):
    """The value of every pattern, and the pattern of many f32 inputs around every kind of rounding."""
    tables = {}
    inputs = [np.float32([0.0, -0.0, np.inf, -np.inf, np.nan, 1e-45, 3.4028235e38, 65519.996, 65520, 464, 464.00003])]
    random = np.random.default_rng(7)
    inputs.append(random.integers(0, 1 << 32, 2000, np.uint32).view(np.float32))
    inputs.append((random.standard_normal(2000) * np.exp2(random.integers(-30, 18, 2000))).astype(np.float32))
    for name, t in SMALL_FLOATS.items():
        bits = np.arange(1 << ml_dtypes.finfo(t).bits, dtype=f"u{np.dtype(t).itemsize}")
        with np.errstate(invalid="ignore"):
            values = bits.view(t).astype(np.float32)
        if name != "bf16":  # those are the upper halves of f32: no table needed
            tables[f"{name}_values"] = values
        finite = np.unique(values[np.isfinite(values)])
        middles = ((finite[:-1].astype(np.float64) + finite[1:]) / 2).astype(np.float32)  # ties, all exact in f32
        if middles.size > 600:
            middles = np.concatenate([middles[:50], middles[-50:], middles[middles.size // 2 - 50 : middles.size // 2 + 50],
                                      random.choice(middles, 450)])
        inputs += [middles, np.nextafter(middles, np.float32(np.inf)), np.nextafter(middles, np.float32(-np.inf))]
    tables["inputs"] = np.concatenate(inputs)
    for name, t in SMALL_FLOATS.items():
        with np.errstate(over="ignore", invalid="ignore"):
            encoded = tables["inputs"].astype(t)
        tables[f"{name}_bits"] = encoded.view(f"u{np.dtype(t).itemsize}")
    np.savez_compressed(folder / "small_floats.npz", **tables)


def main():
    folder = pathlib.Path(sys.argv[1])
    for make, sub in [(npy_files, "npy_fuzz"), (npz_files, "npz_fuzz"), (safetensors_files, "safetensors_fuzz")]:
        (folder / sub).mkdir(exist_ok=True)
        make(folder / sub)
    small_float_tables(folder)


if __name__ == "__main__":
    main()
