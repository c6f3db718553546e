"""Prints what Python's safetensors reads in a model folder, for checkpoint_test.cc."""

import json
import pathlib
import sys

from safetensors import safe_open

folder = pathlib.Path(sys.argv[1])
index = folder / "model.safetensors.index.json"
files = sorted(set(json.loads(index.read_text())["weight_map"].values())) if index.exists() else ["model.safetensors"]

tensors = {}
for name in files:
    with safe_open(folder / name, framework="numpy") as file:
        form = file.metadata()["format"]
        for key in file.keys():
            tensors[key] = file.get_tensor(key)

print(json.loads((folder / "config.json").read_text())["model_type"], form)
for key, value in sorted(tensors.items()):
    shown = value.tolist() if value.dtype == "int64" else f"{value.sum(dtype='float64'):.6g}"
    print(key, value.dtype, value.shape, shown)
