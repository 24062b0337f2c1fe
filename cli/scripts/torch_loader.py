#!/usr/bin/env python3
"""A real PyTorch DataLoader in short runs, for `headrace verify` and `headrace calibrate`, both with `--loader torch`.

usage: python3 torch_loader.py RUNS.json

RUNS.json is a list of runs. Standard output gets one line of JSON with the versions of torch, Python and PIL, then one line for each
run. Nothing else is written, nothing is read but RUNS.json. What is needed: torch 1.11 or later (without it: exit status 3), and PIL
for runs that decode JPEG images (package pillow; without it its version is null).

A run: {"workers": 2, "prefetch": 2, "batch": 8, "steps": 200, "first": 20, "step_s": 0.03, "sleep_s": 0.01, "sleep_cv": 1.0,
"frame_bytes": 262144, "decoder": "zlib", "seed": 1}. Workers 0 loads in the training process. A sample sleeps as long as a far store
takes (gamma distributed), or makes a tensor of frame_bytes: decoder "zlib" unpacks a frame, as PNG images are; "jpeg" decodes a
square JPEG image of frame_bytes / 3 pixels with PIL. The training process takes a batch, copies it as it would copy it to a GPU, lets
go of it, and sleeps for step_s. Steps before `first` are not counted.

An answer, means in seconds: step_s, the time of a step; wait_s of that, until the batch is there, copied and let go; late_s of that,
what the sleep took longer than step_s; sample_s and collate_s, what samples and collation of a batch took in its worker, and
sample_cpu_s and collate_cpu_s, their processor time; steps, the number of steps counted. And start_s: from the call that makes the
iterator, which starts the workers, to its first batch.
"""
import io
import json
import math
import platform
import random
import sys
import time
import zlib

try:
    import torch
    from torch.utils.data import DataLoader, Dataset, default_collate
    from torch import frombuffer
except ImportError as missing:
    version = getattr(sys.modules.get("torch"), "__version__", "none")
    print(f"{sys.executable}: torch 1.11 or later is needed, found {version}: {missing}", file=sys.stderr)
    sys.exit(3)

try:
    import PIL
    from PIL import Image
except ImportError:
    PIL = None

MEANS = ("step_s", "wait_s", "late_s", "sample_s", "collate_s", "sample_cpu_s", "collate_cpu_s")


def packed_frame(run, draw):
    """What a sample unpacks: bytes of zlib, or of a JPEG file."""
    size = run["frame_bytes"]
    if size == 0:
        return None
    if run["decoder"] == "zlib":
        # Sixteen values in no order: zlib halves them, and unpacks them as slowly as a picture.
        return zlib.compress(bytes(draw.getrandbits(4) for _ in range(size)), 6)
    # Patches of random colours, smoothed: about as many bytes for a pixel as a photograph.
    side = math.isqrt(size // 3)
    patches = max(1, side // 4)
    colours = Image.frombytes("RGB", (patches, patches), bytes(draw.getrandbits(8) for _ in range(3 * patches * patches)))
    file = io.BytesIO()
    colours.resize((side, side), Image.BICUBIC).save(file, "JPEG", quality=90)
    return file.getvalue()


class Samples(Dataset):
    """Samples that sleep, unpack or decode, and the times that the process which makes them takes for a batch."""

    def __init__(self, run):
        # The loader asks ahead: it must not come to an end while steps are counted.
        batches = run["steps"] + (run["workers"] + 1) * run["prefetch"]
        self.length = batches * run["batch"]
        draw = random.Random(run["seed"])
        mean, cv = run["sleep_s"], run["sleep_cv"]
        self.sleeps = [draw.gammavariate(cv**-2, mean * cv**2) for _ in range(self.length)] if mean * cv > 0.0 else []
        if self.sleeps:
            # The mean of a few seconds of draws is percents off; with it exact, runs of the same point say the same.
            factor = mean * self.length / sum(self.sleeps)
            self.sleeps = [factor * sleep for sleep in self.sleeps]
        elif mean > 0.0:
            self.sleeps = [mean] * self.length
        self.frame = packed_frame(run, draw)
        self.is_jpeg = run["decoder"] == "jpeg"
        self.begin = None

    def __len__(self):
        return self.length

    def __getitem__(self, index):
        if self.begin is None:
            self.begin = (time.monotonic(), time.process_time())
        if self.sleeps:
            time.sleep(self.sleeps[index])
        if self.frame is None:
            return torch.zeros(1, dtype=torch.uint8)
        if self.is_jpeg:
            return frombuffer(bytearray(Image.open(io.BytesIO(self.frame)).convert("RGB").tobytes()), dtype=torch.uint8)
        return frombuffer(bytearray(zlib.decompress(self.frame)), dtype=torch.uint8)

    def collate(self, samples):
        sampled, sampled_cpu = time.monotonic(), time.process_time()
        batch = default_collate(samples)
        ended, ended_cpu = time.monotonic(), time.process_time()
        begin, begin_cpu = self.begin
        self.begin = None
        return batch, (sampled - begin, ended - sampled, sampled_cpu - begin_cpu, ended_cpu - sampled_cpu)


def answer(run):
    samples = Samples(run)
    ahead = {"prefetch_factor": run["prefetch"]} if run["workers"] > 0 else {}
    begun = time.monotonic()
    loader = iter(DataLoader(samples, batch_size=run["batch"], num_workers=run["workers"], collate_fn=samples.collate, **ahead))
    target = torch.zeros((run["batch"], max(1, run["frame_bytes"])), dtype=torch.uint8)
    sums = dict.fromkeys(MEANS, 0.0)
    started = None
    end = time.monotonic()
    for number in range(run["steps"]):
        begin = end
        batch, times = next(loader)
        if started is None:
            started = time.monotonic() - begun
        target.copy_(batch)
        del batch
        got = time.monotonic()
        if run["step_s"] > 0.0:
            time.sleep(run["step_s"])
        end = time.monotonic()
        if number >= run["first"]:
            for name, value in zip(MEANS, (end - begin, got - begin, end - got - run["step_s"], *times)):
                sums[name] += value
    steps = run["steps"] - run["first"]
    return {**{name: value / steps for name, value in sums.items()}, "start_s": started, "steps": steps}


def main():
    torch.set_num_threads(1)
    pil = None if PIL is None else PIL.__version__
    print(json.dumps({"torch": torch.__version__, "python": platform.python_version(), "pil": pil}), flush=True)
    with open(sys.argv[1], encoding="utf-8") as runs:
        for run in json.load(runs):
            print(json.dumps(answer(run)), flush=True)


if __name__ == "__main__":
    main()
