#!/usr/bin/env python3
"""Makes a .safetensors file of a state dict that torch.save wrote in its old format (before 1.6), without torch.

The old format is a few pickles, in which a tensor names its storage, and then the bytes of the storages
(torch/serialization.py, _legacy_save). Pickles can run code; this one may only make the few things of a state dict.
Counters of batches (num_batches_tracked) are left out.
Usage: torch_to_safetensors.py IN.pth OUT.safetensors
"""
import collections
import json
import os
import pickle
import struct
import sys

MAGIC = 0x1950A86A20F9469CFC6C
# Of each kind of storage: the name in safetensors and the bytes of an element.
KINDS = {"FloatStorage": ("F32", 4), "DoubleStorage": ("F64", 8), "HalfStorage": ("F16", 2), "BFloat16Storage": ("BF16", 2),
         "LongStorage": ("I64", 8), "IntStorage": ("I32", 4), "ByteStorage": ("U8", 1)}


class Storage:
    def __init__(self, kind, key, count):
        self.dtype, self.width = KINDS[kind]
        self.key, self.count, self.data = key, count, b""


class Tensor:
    def __init__(self, storage, offset, shape, strides, *_):
        self.storage, self.offset, self.shape, self.strides = storage, offset, shape, strides

    def bytes(self):
        """The elements in row-major order, whatever their order in the storage."""
        codes = {1: "B", 2: "H", 4: "I", 8: "Q"}
        elements = memoryview(self.storage.data).cast(codes[self.storage.width])
        if not self.shape:
            return elements[self.offset : self.offset + 1].tobytes()
        *outer, (size, stride) = zip(self.shape, self.strides)
        begins = [self.offset]
        for outer_size, outer_stride in outer:
            begins = [begin + i * outer_stride for begin in begins for i in range(outer_size)]
        return b"".join(elements[begin : begin + (size - 1) * stride + 1 : stride].tobytes() for begin in begins)


class Reader(pickle.Unpickler):
    KNOWN = {("collections", "OrderedDict"): collections.OrderedDict, ("torch._utils", "_rebuild_tensor_v2"): Tensor}

    def __init__(self, file):
        super().__init__(file)
        self.storages = {}

    def find_class(self, module, name):
        if (module, name) in self.KNOWN:
            return self.KNOWN[module, name]
        if module == "torch" and name in KINDS:
            return name
        raise pickle.UnpicklingError(f"the file asks for {module}.{name}, which no state dict needs")

    def persistent_load(self, identity):
        what, kind, key, _location, count, _view = identity
        if what != "storage":
            raise pickle.UnpicklingError(f"the file holds a {what}")
        return self.storages.setdefault(key, Storage(kind, key, count))


def read(path):
    with open(path, "rb") as file:
        if pickle.load(file) != MAGIC:
            raise ValueError("this is no file of torch.save's old format")
        pickle.load(file)  # version of the format
        pickle.load(file)  # sizes of the machine's types
        reader = Reader(file)
        state = reader.load()
        for key in pickle.load(file):
            storage = reader.storages[key]
            (count,) = struct.unpack("<q", file.read(8))
            storage.data = file.read(count * storage.width)
            if count != storage.count or len(storage.data) != count * storage.width:
                raise ValueError("the file ends early")
        return state


def write(path, tensors):
    """Tensors whose sizes are multiples of 64 bytes come first, so that they lie aligned."""
    header, blocks, at = {"__metadata__": {"format": "pt"}}, [], 0
    contents = {name: tensor.bytes() for name, tensor in tensors.items()}
    for name in sorted(tensors, key=lambda name: (-len(contents[name]) % 64 != 0, name)):
        tensor, data = tensors[name], contents[name]
        header[name] = {"dtype": tensor.storage.dtype, "shape": list(tensor.shape), "data_offsets": [at, at + len(data)]}
        blocks.append(data)
        at += len(data)
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-(len(text) + 8) % 64)
    with open(path + ".part", "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + b"".join(blocks))
    os.replace(path + ".part", path)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__.strip().splitlines()[-1])
    tensors = {name: tensor for name, tensor in read(sys.argv[1]).items() if not name.endswith("num_batches_tracked")}
    write(sys.argv[2], tensors)
    print(f"{sys.argv[2]}: {len(tensors)} tensors")


if __name__ == "__main__":
    main()
