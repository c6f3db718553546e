#!/usr/bin/env python3
"""Kills a training run at random moments, goes on with it, and holds what comes out against an undisturbed run.

  tools/kill_resume.py --program build/headrace [--kills N] [--seed S] [--keep DIR]

First trains on a few hundred real digits without disturbance. Then trains the same again and again, each run being
killed with SIGKILL one to four times and started once more with the same command, until N kills have struck. Moments
are drawn over the whole run, over its start-up, and in the middle of saves. After every kill what was committed must
be whole; at the end of a run:
  parameters, evaluation and every logged number equal the undisturbed run's, bit for bit;
  metrics.jsonl has each logged step once, in order; TensorBoard reads the same values (with .deps/python);
  the folder holds what the README says and nothing else: no temporary files, no halves of checkpoints.
Prints a line a kill. Exit code: 0 all held, 1 something did not (the folder is kept and named), 2 no program or data.
"""

import argparse
import collections
import gzip
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DIGITS = ROOT / ".deps/data/mnist_5k.csv.gz"
PYTHON = Path(os.environ.get("HEADRACE_PYTHON", ROOT / ".deps/python/bin/python"))
PRINT_EVENTS = ROOT / "headrace/telemetry/test/print_events.py"

STEPS, LOG_EVERY, SAVE_EVERY, KEEP = 60, 2, 5, 3
CONFIG = f"""\
name: killed
seed: 7
model: {{kind: convnet, classes: 10, channels: [4, 8], hidden: 16, batch_norm: true, dropout: 0.1}}
data:
  source: {{format: csv, path: digits.csv.gz, label: 784, image: {{shape: [28, 28, 1], scale: 255}}, shuffle_seed: 7}}
  split: {{train: 400, eval: 100}}
  augment: {{shift: 2, rotate: 10}}
train: {{steps: {STEPS}, global_batch_size: 20, log_every: {LOG_EVERY}, eval_every: 20}}
optimizer: {{kind: adamw, learning_rate: 2e-3, clip_norm: 1.0}}
schedule: {{kind: cosine, warmup_steps: 10}}
checkpoint: {{every: {SAVE_EVERY}, keep: {KEEP}}}
"""

TIMINGS = {"time", "step_time_ms", "examples_per_second"}  # of a logged step: they may differ
SAME = ("steps", "stop_reason", "eval", "params_sha256", "data_sha256", "config_sha256")  # of summary.json
PER_RUN = {"config.yaml", "metrics.jsonl", "summary.json"}
PER_CHECKPOINT = {"manifest.json", "model/config.json", "model/model.safetensors", "state/state.safetensors",
                  "state/writer.txt"}
EVENTS = re.compile(r"tensorboard/events\.out\.tfevents\.[0-9.]+")


class Broken(Exception):
    """A promise that was not kept."""


def expect(held, text):
    if not held:
        raise Broken(text)


def expect_equal(what, actual, expected):
    if actual == expected:
        return
    if isinstance(expected, list):  # a long one: where it differs is enough
        at = next((i for i, (one, other) in enumerate(zip(actual, expected)) if one != other),
                  min(len(actual), len(expected)))
        actual, expected = actual[at:at + 5], f"{expected[at:at + 5]} (from item {at} on)"
    raise Broken(f"{what}: {actual}, but undisturbed {expected}")


def saved_folders(run):
    """Step folders by name, and whether each is committed."""
    try:
        folders = sorted((run / "checkpoints").glob("step-*"))
    except FileNotFoundError:  # it went while it was looked into: an empty folder is not kept
        return {}
    return {folder.name: (folder / "manifest.json").exists() for folder in folders}


def metrics(run):
    """The whole lines of metrics.jsonl."""
    path = run / "metrics.jsonl"
    lines = path.read_text().split("\n")[:-1] if path.exists() else []
    return [json.loads(line) for line in lines]


def scalars(run):
    """What TensorBoard reads: 'tag step value' lines without the timings."""
    printed = subprocess.run([PYTHON, PRINT_EVENTS, run / "tensorboard"], capture_output=True, text=True, check=True)
    lines = [line.split()[1:4] for line in printed.stdout.splitlines() if line.startswith("scalar ")]
    return [line for line in lines if line[0] not in TIMINGS]


class Program:
    def __init__(self, path, folder):
        self.path, self.folder = path, folder
        self.environment = {**os.environ, "HEADRACE_PLUGIN_PATH": str(ROOT / ".deps/pjrt")}

    def start(self, name):
        """Trains in runs/NAME; what it prints is appended to NAME.log."""
        with open(self.folder / f"{name}.log", "ab") as log:
            return subprocess.Popen([self.path, "train", "run.yaml", "--out", f"runs/{name}"], cwd=self.folder,
                                    env=self.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def verify(self, name):
        """Rehashes every committed checkpoint."""
        run = subprocess.run([self.path, "checkpoint", "verify", f"runs/{name}"], cwd=self.folder,
                             env=self.environment, capture_output=True, text=True)
        expect(run.returncode == 0, f"checkpoint verify: {run.stdout}{run.stderr}")


class Undisturbed:
    """What a run comes to when nothing happens to it."""

    def __init__(self, program):
        began = time.monotonic()
        code = program.start("undisturbed").wait()
        self.seconds = time.monotonic() - began
        expect(code == 0, f"the undisturbed run ended with {code}; see undisturbed.log")
        self.run = program.folder / "runs/undisturbed"
        self.summary = json.loads((self.run / "summary.json").read_text())
        self.metrics = metrics(self.run)
        self.scalars = scalars(self.run) if PYTHON.exists() else None
        expect_folder(self.run, processes=1)
        expect([line["step"] for line in self.metrics] == list(range(LOG_EVERY, STEPS + 1, LOG_EVERY)),
               "the undisturbed run has not logged every step that it should")

    def expect_equals(self, run, processes):
        summary = json.loads((run / "summary.json").read_text())
        for key in SAME:
            expect_equal(f"summary.json, {key}", summary[key], self.summary[key])
        lines = metrics(run)
        expect_equal("metrics.jsonl, steps", [line["step"] for line in lines], [line["step"] for line in self.metrics])
        for line, before in zip(lines, self.metrics):
            for key in before.keys() - TIMINGS:
                expect_equal(f"metrics.jsonl, {key} of step {before['step']}", line[key], before[key])
        if self.scalars is not None:
            expect_equal("TensorBoard", scalars(run), self.scalars)
        expect_folder(run, processes)


def expect_folder(run, processes):
    """A finished run's folder holds what it should, and nothing else."""
    files = {str(path.relative_to(run)) for path in run.rglob("*") if not path.is_dir()}
    events = {name for name in files if EVENTS.fullmatch(name)}
    expect(1 <= len(events) <= processes, f"{len(events)} event files of {processes} processes")
    kept = [f"checkpoints/step-{step:06}" for step in range(STEPS, 0, -SAVE_EVERY)][:KEEP]
    expected = PER_RUN | {f"{folder}/{name}" for folder in kept for name in PER_CHECKPOINT}
    expect(files - events == expected, f"surplus files {sorted(files - events - expected)}, "
                                       f"missing files {sorted(expected - files)}")
    empty = [str(path.relative_to(run)) for path in run.rglob("*") if path.is_dir() and not any(path.iterdir())]
    expect(not empty, f"empty folders {empty}")


class Killer:
    """Strikes at moments drawn from a seed; `struck` counts those that hit a living process, by kind."""

    def __init__(self, seed, seconds):
        self.random, self.seconds = random.Random(seed), seconds
        self.struck = collections.Counter()

    def strike(self, process, run):
        """Waits for a moment and kills; returns the kind of moment, or None if the process had ended before."""
        kind = self.random.choices(["any", "start-up", "save"], weights=[4, 1, 6])[0]
        if kind == "save":
            hit = self.wait_for_save(process, run)
        else:
            hit = self.wait(process, self.random.uniform(0, self.seconds * (1 if kind == "any" else 0.3)))
        process.kill()  # no-op on one that has ended
        process.wait()
        if not hit or process.returncode >= 0:
            return None
        self.struck[kind] += 1
        return kind

    @staticmethod
    def wait(process, seconds):
        try:
            process.wait(seconds)
            return False
        except subprocess.TimeoutExpired:
            return True

    def wait_for_save(self, process, run):
        """Until some save, drawn too, has begun, and a little further: writing takes a few milliseconds."""
        known, left = set(saved_folders(run)), self.random.randint(1, 6)
        while process.poll() is None:
            new = saved_folders(run).keys() - known
            known |= new
            left -= len(new)
            if left <= 0:
                return self.wait(process, self.random.choice([0, self.random.uniform(0, 0.02)]))
            time.sleep(0.0005)
        return False


def describe(run):
    """What a kill left behind."""
    lines = metrics(run)
    folders = saved_folders(run)
    half = [name for name, committed in folders.items() if not committed]
    saved = max((name for name, committed in folders.items() if committed), default="nothing")
    text = f"step {lines[-1]['step'] if lines else 0} logged, {saved} saved"
    return text + (f", {', '.join(half)} half-way" if half else "")


def train_killed(program, killer, name, kills):
    """One run, killed up to `kills` times, then left alone until it ends; returns how many processes it took."""
    run = program.folder / "runs" / name
    processes = 0
    for _ in range(kills):
        process = program.start(name)
        processes += 1
        kind = killer.strike(process, run)
        if kind is None:
            expect(process.returncode == 0, f"it ended by itself with {process.returncode}")
            return processes
        print(f"kill {killer.struck.total()}: {name}, {kind}: {describe(run)}", flush=True)
        if (run / "config.yaml").exists():
            program.verify(name)
    code = program.start(name).wait()
    expect(code == 0, f"after the last kill it ended with {code}")
    return processes + 1


def hold(program, kills, seed):
    undisturbed = Undisturbed(program)
    tensorboard = "" if undisturbed.scalars is not None else "; no .deps/python, so TensorBoard is not asked"
    print(f"undisturbed: {undisturbed.seconds:.1f} s, params_sha256 {undisturbed.summary['params_sha256'][:12]}"
          f"{tensorboard}", flush=True)
    killer = Killer(seed, undisturbed.seconds)
    runs = 0
    while (left := kills - killer.struck.total()) > 0:
        runs += 1
        name = f"run{runs}"
        try:
            processes = train_killed(program, killer, name, min(left, killer.random.randint(1, 4)))
            program.verify(name)
            undisturbed.expect_equals(program.folder / "runs" / name, processes)
        except Broken as broken:
            raise Broken(f"{name}: {broken}") from None
    kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(killer.struck.items()))
    print(f"{killer.struck.total()} kills ({kinds}) in {runs} runs: every run ended with the undisturbed one's bits")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", type=Path, default=ROOT / "build/headrace")
    parser.add_argument("--kills", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1, help="decides the moments, as far as the machine allows")
    parser.add_argument("--keep", type=Path, help="work in this folder, and leave it")
    arguments = parser.parse_args()
    for needed in (arguments.program, DIGITS):
        if not needed.exists():
            print(f"there is no {needed}; `make build` makes it", file=sys.stderr)
            return 2

    folder = arguments.keep or Path(tempfile.mkdtemp(prefix="kill-resume-"))
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "run.yaml").write_text(CONFIG)
    with gzip.open(DIGITS, "rt") as every, gzip.open(folder / "digits.csv.gz", "wt") as few:
        few.writelines(line for number, line in enumerate(every) if number % 10 == 0)
    try:
        hold(Program(arguments.program.resolve(), folder), arguments.kills, arguments.seed)
    except Broken as broken:
        print(f"FAILED: {broken}\nSee {folder}", file=sys.stderr)
        return 1
    if not arguments.keep:
        shutil.rmtree(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
