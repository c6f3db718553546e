"""Prints what TensorBoard reads in a folder of event files, one line a value, for event_file_test.cc."""

import logging
import sys

from tensorboard.backend.event_processing import event_accumulator, plugin_event_accumulator
from tensorboard.util import tensor_util

logging.getLogger("tensorboard").setLevel(logging.ERROR)  # it warns of every resumption
folder = sys.argv[1]
everything = {"scalars": 0, "images": 0, "tensors": 0}

# What scripts use.
classic = event_accumulator.EventAccumulator(folder, everything).Reload()
for tag in classic.Tags()["scalars"]:
    for event in classic.Scalars(tag):
        print(f"scalar {tag} {event.step} {event.value:.6g} {event.wall_time:.3f}")
for tag in classic.Tags()["images"]:
    for event in classic.Images(tag):
        print(f"image {tag} {event.step} {event.width}x{event.height} {len(event.encoded_image_string)} bytes")

# What TensorBoard's own dashboards use.
modern = plugin_event_accumulator.EventAccumulator(folder, {"tensors": 0}).Reload()
for plugin in ("scalars", "images", "text"):
    for tag in sorted(modern.PluginTagToContent(plugin) if plugin in modern.ActivePlugins() else []):
        for event in modern.Tensors(tag):
            array = tensor_util.make_ndarray(event.tensor_proto)
            value = array.item() if array.ndim == 0 else f"{array[0].decode()}x{array[1].decode()}"
            shown = f"{value:.6g}" if isinstance(value, float) else value
            print(f"dashboard {plugin} {tag} {event.step} {shown}")
