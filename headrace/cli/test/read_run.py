"""Prints what other software reads in the folder of a run, for other_software_test.cc."""

import json
import logging
import pathlib
import sys

from safetensors.numpy import load_file
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

run = pathlib.Path(sys.argv[1])
newest = max((run / "checkpoints").iterdir())
for name, tensor in sorted(load_file(newest / "model/model.safetensors").items()):
    print("tensor", name, tensor.dtype, "x".join(map(str, tensor.shape)))
print("model_type", json.loads((newest / "model/config.json").read_text())["model_type"])

logging.getLogger("tensorboard").setLevel(logging.ERROR)  # it warns of every resumption
events = EventAccumulator(str(run / "tensorboard"), {"scalars": 0}).Reload()
for tag in sorted(events.Tags()["scalars"]):
    scalars = events.Scalars(tag)
    print("scalar", tag, *(scalar.step for scalar in scalars))
loss, eval_loss = (events.Scalars(tag)[-1].value for tag in ("loss", "eval/loss"))
print(f"last loss {loss:.5g}, eval {eval_loss:.5g}")
