#!/usr/bin/env python3
"""Makes headrace/io/testdata: files that the real TensorBoard and gzip wrote, seeds of the fuzzers.

The committed files were made with Python 3.11, tensorboard 2.21.0:
    .deps/python/bin/python tools/reference/io_testdata.py headrace/io/testdata
"""

import gzip
import pathlib
import sys

from tensorboard.summary.writer.record_writer import RecordWriter


def main():
    folder = pathlib.Path(sys.argv[1])
    (folder / "record_fuzz").mkdir(parents=True, exist_ok=True)
    (folder / "gzip_fuzz").mkdir(parents=True, exist_ok=True)
    with open(folder / "record_fuzz" / "two.tfrecord", "wb") as file:
        writer = RecordWriter(file)
        writer.write(b"first")
        writer.write(b"")
    table = "".join(f"{i},{i * i % 97},{i % 10}\n" for i in range(200)).encode()
    (folder / "gzip_fuzz" / "table.csv.gz").write_bytes(gzip.compress(table, mtime=0))
    (folder / "gzip_fuzz" / "members.gz").write_bytes(gzip.compress(b"one ", mtime=0) + gzip.compress(b"two", mtime=0))


if __name__ == "__main__":
    main()
