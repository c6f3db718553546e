"""Compares what the real numpy and safetensors read from our files with what they read from their own.

Usage: python_reads.py TESTDATA OURS
"""

import pathlib
import sys

import numpy as np
import safetensors
import safetensors.numpy


def check_equal(ours, theirs, what):
    assert ours.dtype == theirs.dtype, f"{what}: {ours.dtype} is not {theirs.dtype}"
    assert ours.shape == theirs.shape, f"{what}: {ours.shape} is not {theirs.shape}"
    assert ours.tobytes() == theirs.tobytes(), f"{what}: {ours} is not {theirs}"


def main():
    testdata, ours = map(pathlib.Path, sys.argv[1:])
    types = np.load(testdata / "npz_fuzz" / "types.npz")
    for name, theirs in types.items():
        check_equal(np.load(ours / f"{name}.npy"), theirs, f"{name}.npy")
    for archive in ["stored.npz", "deflated.npz"]:
        arrays = np.load(ours / archive)
        assert list(arrays) == list(types), list(arrays)
        for name, theirs in types.items():
            check_equal(arrays[name], theirs, f"{archive}: {name}")

    tensors = safetensors.numpy.load_file(ours / "types.safetensors")
    assert set(tensors) == set(types) - {"complex128"}, set(tensors)
    for name, tensor in tensors.items():
        check_equal(tensor, types[name], f"types.safetensors: {name}")
    with safetensors.safe_open(ours / "types.safetensors", "np") as file:
        assert file.metadata() == {"format": "pt"}, file.metadata()  # what from_pretrained asks for

    def raw(folder):  # numpy has no small floats, but the format's own reader gives their bytes
        return {k: (v["dtype"], v["shape"], bytes(v["data"])) for k, v in
                safetensors.deserialize((folder / "small_floats.safetensors").read_bytes())}

    assert raw(ours) == raw(testdata / "safetensors_fuzz"), raw(ours)


if __name__ == "__main__":
    main()
