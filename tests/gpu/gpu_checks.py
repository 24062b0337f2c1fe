#!/usr/bin/env python3
"""The checks of docs/gpu-checks.md, on a machine with a GPU: what `headrace calibrate --gpu` and `headrace verify --gpu`
say is held against PyTorch, NVML and compute-sanitizer in the same run. A JSON line per check, then "N passed, M failed,
K skipped". The folders of libcublas, libnccl and libcufile belong into LD_LIBRARY_PATH.
Usage: gpu_checks.py PROGRAM FOLDER [CHECK...]; exit 77: no GPU or no PyTorch."""
import json
import os
import subprocess
import sys
import time

MIB = 1 << 20


def skip_all(why):
    print(f"skipped: {why}")
    sys.exit(77)


try:
    import torch
except ImportError:
    skip_all("no PyTorch in this Python")
if not torch.cuda.is_available():
    skip_all("PyTorch sees no GPU")


def rate(work, amount, seconds=0.4, rounds=5):
    """The median over rounds of amount per second of `work`, which waits for its own end."""
    for _ in range(3):
        work()
    rates = []
    for _ in range(rounds):
        begin, count = time.perf_counter(), 0
        while time.perf_counter() - begin < seconds:
            work()
            count += 1
        rates.append(amount * count / (time.perf_counter() - begin))
    return sorted(rates)[len(rates) // 2]


SMALL_COPIES = """
#include <cuda_runtime.h>
#include <chrono>
#include <cstdio>
int main() {
  void *host, *device;
  cudaStream_t stream;
  if (cudaMallocHost(&host, 4096) || cudaMalloc(&device, 4096) || cudaStreamCreate(&stream)) return 1;
  const auto now = [] { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); };
  double begin = now();
  for (int i = 0; i < 20000; ++i) {
    if (i == 4000) begin = now();
    for (int k = 0; k < 64; ++k) cudaMemcpyAsync(device, host, 4096, cudaMemcpyHostToDevice, stream);
    cudaStreamSynchronize(stream);
  }
  std::printf("%.9g", (now() - begin) / (16000.0 * 64));
  return cudaGetLastError();
}
"""


def compiled(folder):
    """The program of small copies; a machine with CUDA's compiler is asked for."""
    source, program = os.path.join(folder, "small_copies.cu"), os.path.join(folder, "small_copies")
    with open(source, "w", encoding="utf-8") as text:
        text.write(SMALL_COPIES)
    subprocess.run(["nvcc", "-O2", source, "-o", program], check=True)
    return program


class Peers:
    """What PyTorch and the CUDA runtime take for the same work."""

    def __init__(self, small_copies):
        self.device = torch.empty(64 * MIB, dtype=torch.uint8, device="cuda")
        self.pinned = torch.zeros(64 * MIB, dtype=torch.uint8).pin_memory()
        self.pageable = torch.zeros(64 * MIB, dtype=torch.uint8)
        self.small_copies = small_copies

    @staticmethod
    def waited(work):
        def whole():
            work()
            torch.cuda.synchronize()
        return whole

    def copied(self, to, source):
        return rate(self.waited(lambda: to.copy_(source, non_blocking=True)), 64 * MIB)

    def small_copy_s(self):
        """Time of one of many enqueued copies of 4 KiB, by a program of its own: calls from Python take longer."""
        return float(subprocess.run([self.small_copies], capture_output=True, text=True, check=True).stdout)

    def launch_per_s(self):
        def work():
            for _ in range(100):
                torch.cuda._sleep(0)
                torch.cuda.synchronize()
        return rate(work, 100)

    def product(self, side=8192):
        a, b = (torch.randn(side, side, device="cuda", dtype=torch.bfloat16) for _ in range(2))
        out = torch.empty_like(a)

        def work():
            for _ in range(10):
                torch.mm(a, b, out=out)
        return rate(self.waited(work), 10 * 2.0 * side**3)

    def memory_copy(self):
        a = torch.zeros(512 * MIB, dtype=torch.uint8, device="cuda")
        b = torch.empty_like(a)

        def work():
            for _ in range(10):
                b.copy_(a)
        return rate(self.waited(work), 10 * 2.0 * 512 * MIB)

    def all(self):
        return {"h2d pinned": self.copied(self.device, self.pinned), "d2h pinned": self.copied(self.pinned, self.device),
                "h2d pageable": self.copied(self.device, self.pageable), "small copy": self.small_copy_s(),
                "launch": self.launch_per_s(), "gemm bf16": self.product(), "hbm copy": self.memory_copy()}


class Checks:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        self.passed = self.failed = self.skipped = 0

    def say(self, check, held, **figures):
        self.passed += held is True
        self.failed += held is False
        self.skipped += held is None
        print(json.dumps({"check": check, "held": held, **figures}), flush=True)

    def near(self, check, estimate, peer, bar):
        """Within the bar; a figure that is marked as noisy: within its own interval."""
        value, noisy = estimate["value"], estimate["verdict"] == "noisy"
        held = abs(value / peer - 1.0) <= bar or noisy and estimate["low"] <= peer <= estimate["high"]
        self.say(check, held, value=value, low=estimate["low"], high=estimate["high"], verdict=estimate["verdict"], peer=peer,
                 ratio=round(value / peer, 4), bar=bar)

    def run(self, *arguments, before=(), seconds=300, **environment):
        done = subprocess.run([*before, self.program, *arguments], capture_output=True, text=True, timeout=seconds,
                              env={**os.environ, **environment}, check=False)
        return done.returncode, done.stdout, done.stderr

    def calibration(self, *arguments):
        file = os.path.join(self.folder, "gpu.json")
        code, _, errors = self.run("calibrate", "--path", self.folder, "--gpu", "0", "--accept-noisy", "--quiet", *arguments,
                                   "-o", file)
        if code != 0:
            raise RuntimeError(errors)
        with open(file, encoding="utf-8") as text:
            return json.load(text)["calibration"]

    def rates(self):
        small_copies = compiled(self.folder)
        before = Peers(small_copies).all()
        record = self.calibration("--only", "gpu")
        after = Peers(small_copies).all()
        peers = {name: (before[name] + after[name]) / 2.0 for name in before}
        drift = {name: round(after[name] / before[name], 3) for name in before}
        print(json.dumps({"peers": peers, "drift": drift}))
        cells = record["cells"]
        print(json.dumps({"cells": [[c["detail"], c["block_bytes"], c["depth"], c["estimate"]] for c in cells]}))
        print(json.dumps({"host": record["host"], "downgrades": record["downgrades"], "fits": record["fits"]}))

        def estimate(detail, size=None):
            return next(c["estimate"] for c in cells if c["detail"] == detail and c["depth"] == 1 and
                        (size is None or c["block_bytes"] == size))

        def cell(detail, size=None):
            return estimate(detail, size)["value"]
        for detail in ("h2d pinned", "d2h pinned", "h2d pageable"):
            self.near(f"{detail}, 64 MiB", estimate(detail, 64 * MIB), peers[detail], 0.03)
        fit = next(f for f in record["fits"] if f["parameter"] == "gpu h2d pinned: time over size")
        fixed = next(n for n in fit["numbers"] if n["name"] == "fixed_s")
        self.say("fixed cost of a small copy", fixed["low"] <= peers["small copy"] <= fixed["high"], **fixed,
                 cell=4096 / cell("h2d pinned", 4096), peer=peers["small copy"])
        self.near("bf16 GEMM, n = 8192", estimate("gemm bf16", 8192), peers["gemm bf16"], 0.03)
        self.near("HBM copy", estimate("hbm copy"), peers["hbm copy"], 0.03)
        self.say("launch", 0.1 < cell("launch") / peers["launch"] < 10, value=cell("launch"), peer=peers["launch"])
        alone = [cell(d, 16 * MIB) for d in ("h2d pinned", "d2h pinned")]
        both = [cell("h2d pinned beside d2h"), cell("d2h pinned beside h2d")]
        self.say("copies both ways at once", all(b <= 1.05 * a for a, b in zip(alone, both)), alone=alone, both=both)
        self.say("copies beside a kernel", cell("h2d pinned beside a kernel") > 0.9 * alone[0], alone=alone[0],
                 beside=cell("h2d pinned beside a kernel"))
        self.clocks({fact["key"]: fact["value"] for fact in record["host"]})
        modes = [d for d in record["downgrades"] if d["field"] == "gds"]
        self.say("cuFile", None if any(d["value"] == "no_cufile" for d in modes) else True, said=modes)
        self.say("all-reduce", None if torch.cuda.device_count() < 2 else True, gpus=torch.cuda.device_count())

    def clocks(self, facts):
        done = subprocess.run(["nvidia-smi", "--query-gpu=name,clocks.sm,clocks.max.sm,temperature.gpu,memory.total",
                               "--format=csv,noheader,nounits"], capture_output=True, text=True, check=True)
        name, now, most, celsius, _ = (part.strip() for part in done.stdout.splitlines()[0].split(","))
        said = facts["gpu_clocks_end"]
        degrees = next(int(part.split()[0]) for part in said.split(", ") if part.endswith(" C"))
        self.say("clocks and heat", f"of {most} MHz" in said and abs(degrees - int(celsius)) <= 5 and name in facts["gpu"],
                 start=facts["gpu_clocks_start"], end=said, nvidia_smi=f"{now} of {most} MHz, {celsius} C")

    def contention(self):
        record = self.calibration("--only", "contention", "--size", "256MiB")
        fits = [f for f in record["fits"] if "h2d" in f["parameter"]]
        print(json.dumps({"cells": [[c["detail"], c["estimate"]] for c in record["cells"]], "fits": fits}))
        found = [f["family"] == "slowdown" for f in fits]
        self.say("reading beside copies", len(fits) == 2 and all(found), fits=[[f["parameter"], f["numbers"]] for f in fits])

    def errors(self):
        quick = ("calibrate", "--path", self.folder, "--only", "gpu", "--gpu", "0", "--window", "10ms", "--accept-noisy",
                 "--json")
        code, out, _ = self.run(*quick, HEADRACE_CUDA_LIBRARY="/nowhere")
        self.say("no library", code == 0 and "no_cuda_library" in out, code=code)
        code, out, _ = self.run(*quick, CUDA_VISIBLE_DEVICES="")
        self.say("no GPU", code == 0 and "no_gpu" in out, code=code,
                 said=[d for d in json.loads(out)["calibration"]["downgrades"] if d["field"] == "gpu"])
        free, _ = torch.cuda.mem_get_info()
        full = [torch.empty(free - 700 * MIB, dtype=torch.uint8, device="cuda")]
        code, _, errors = self.run(*quick)
        self.say("errors, memory of the GPU is full", code == 2 and "cuda" in errors, code=code, said=errors[-600:])
        full.clear()
        torch.cuda.empty_cache()

    def leaks(self):
        code, out, errors = self.run(
            "calibrate", "--path", self.folder, "--only", "gpu", "--gpu", "0", "--window", "10ms", "--accept-noisy",
            "--quiet", "-o", os.path.join(self.folder, "leaks.json"), seconds=150,
            before=("compute-sanitizer", "--leak-check", "full", "--error-exitcode", "9"))
        text = (out + errors).splitlines()
        said = [line for line in text if line.startswith("=========")][:40]
        self.say("leaks", code == 0 and any("ERROR SUMMARY: 0 errors" in line for line in text), code=code, said=said)

    def closed_loop(self):
        code, out, errors = self.run("verify", "--path", self.folder, "--gpu", "0", "--json", "--quiet", seconds=400)
        if not out.strip():
            self.say("closed loop on a GPU", False, code=code, said=errors[-600:])
            return
        loop = json.loads(out)
        print(json.dumps({"verify": loop}))
        self.say("closed loop on a GPU", code == 0 and bool(loop["gpu"]), code=code, gpu=loop["gpu"],
                 idle=loop["idle_error_points"], step=loop["step_error_percent"])


def main():
    checks = Checks(os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]))
    for name in sys.argv[3:] or ("errors", "rates", "contention", "leaks", "closed_loop"):
        try:
            getattr(checks, name)()
        except Exception as error:  # the other checks still tell something
            checks.say(name, False, said=f"{type(error).__name__}: {error}"[:2000])
    print(f"{checks.passed} passed, {checks.failed} failed, {checks.skipped} skipped")
    sys.exit(1 if checks.failed else 0)


main()
