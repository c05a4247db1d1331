#!/usr/bin/python3
"""Standardises the columns of an HDF5 file larger than the budget of memory: ours, HDF5 alone moving the same bytes, h5py with
NumPy by blocks, and dask. Prints times, peak memory and ratios. The file lies in the folder, which needs three times its size; the page
cache holds it, as far as memory goes, or with --cold nothing of it when a run begins.

usage: standardise.py PROGRAMS FOLDER [--rows N] [--columns N] [--memory MIB] [--repeats N] [--cold] [--kills N]

PROGRAMS has `bench/hdf5_ours` and `bench/hdf5_alone`: a build folder. --only NAME...: some of ours, alone, h5py, dask. --kills N: ends
ours at N random moments instead, and looks at what is left of a file that was there. Needs python3-h5py, and python3-dask for dask.
"""
import argparse
import os
import pathlib
import random
import signal
import statistics
import subprocess
import sys
import time


def make(path, rows, columns):
    import h5py  # pylint: disable=import-outside-toplevel
    import numpy  # pylint: disable=import-outside-toplevel
    generator = numpy.random.default_rng(1)
    step = max(1, (64 << 20) // (4 * columns))
    with h5py.File(path, "w") as f:
        x = f.create_dataset("x", (rows, columns), dtype="f4")
        for first in range(0, rows, step):
            x[first:first + step] = generator.standard_normal((min(step, rows - first), columns), dtype="f4") * 3 + 5


def by_h5py(source, target):
    """The same in NumPy, by blocks of 8 MiB; sums in its order."""
    import h5py  # pylint: disable=import-outside-toplevel
    import numpy  # pylint: disable=import-outside-toplevel
    with h5py.File(source, "r") as f, h5py.File(target, "w") as g:
        x = f["x"]
        n, columns = x.shape
        step = max(1, (8 << 20) // (4 * columns))
        blocks = [(i, min(n, i + step)) for i in range(0, n, step)]
        mean = sum(x[a:b].sum(axis=0, dtype="f4") for a, b in blocks) / numpy.float32(n)
        variance = sum(numpy.square(x[a:b] - mean).sum(axis=0) for a, b in blocks) / numpy.float32(n - 1)
        deviation = numpy.sqrt(variance)
        y = g.create_dataset("y", x.shape, dtype="f4")
        for a, b in blocks:
            y[a:b] = (x[a:b] - mean) / deviation
    descriptor = os.open(target, os.O_RDONLY)
    os.fsync(descriptor)
    os.close(descriptor)


def by_dask(source, target):
    """The same in dask.array, by chunks of 8 MiB on two threads."""
    import dask  # pylint: disable=import-outside-toplevel
    import dask.array as da  # pylint: disable=import-outside-toplevel
    import h5py  # pylint: disable=import-outside-toplevel
    with h5py.File(source, "r") as f, h5py.File(target, "w") as g:
        x = da.from_array(f["x"], chunks=(max(1, (8 << 20) // (4 * f["x"].shape[1])), f["x"].shape[1]))
        with dask.config.set(scheduler="threads", num_workers=2):
            mean, deviation = dask.compute(x.mean(axis=0), x.std(axis=0, ddof=1))
            y = g.create_dataset("y", x.shape, dtype="f4")
            da.store((x - mean) / deviation, y)
    descriptor = os.open(target, os.O_RDONLY)
    os.fsync(descriptor)
    os.close(descriptor)


def forget(path):
    """Takes a file from the page cache."""
    descriptor = os.open(path, os.O_RDONLY)
    os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
    os.close(descriptor)


def run(command):
    """Wall time in seconds and the peak of resident memory in MiB."""
    began = time.monotonic()
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        peak = 0
        while process.poll() is None:
            # of the program alone: what wait4 tells has this script's in it, from between fork and exec
            for line in pathlib.Path(f"/proc/{process.pid}/status").read_text().splitlines():
                if line.startswith("VmHWM:"):
                    peak = int(line.split()[1]) / 1024
            time.sleep(0.02)
        if process.returncode != 0:
            sys.exit(f"failed: {command}")
        return time.monotonic() - began, peak


def kill(command, target, times, whole):
    """Ends the command at random moments: what is at `target` is the old file or the new one, whole."""
    old = b"the old file"
    outcomes = {"old": 0, "new": 0}
    for _ in range(times):
        target.write_bytes(old)
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        time.sleep(random.uniform(0, whole))
        process.send_signal(signal.SIGKILL)
        process.wait()
        if target.stat().st_size == len(old):
            assert target.read_bytes() == old
            outcomes["old"] += 1
        else:
            check(target)
            outcomes["new"] += 1
        for left in target.parent.glob(target.name + ".*"):
            left.unlink()
    print(f"{times} kills: the old file was whole {outcomes['old']} times, the new one {outcomes['new']} times")


def check(path):
    import h5py  # pylint: disable=import-outside-toplevel
    with h5py.File(path, "r") as f:
        y = f["y"]
        assert abs(y[:1024].mean()) < 1 and y[-1].any() and y[len(y) // 2].any()


def main():
    options = argparse.ArgumentParser(usage=__doc__)
    options.add_argument("programs", type=pathlib.Path)
    options.add_argument("folder", type=pathlib.Path)
    for name, value in (("rows", 4 << 20), ("columns", 256), ("memory", 256), ("repeats", 3), ("kills", 0)):
        options.add_argument(f"--{name}", type=int, default=value)
    options.add_argument("--cold", action="store_true")
    options.add_argument("--only", nargs="+", default=["ours", "alone", "h5py", "dask"])
    options.add_argument("--h5py", nargs=2, help=argparse.SUPPRESS)
    options.add_argument("--dask", nargs=2, help=argparse.SUPPRESS)
    o = options.parse_args()
    if o.h5py:
        return by_h5py(*o.h5py)
    if o.dask:
        return by_dask(*o.dask)
    source, target = o.folder / "standardise_in.h5", o.folder / "standardise_out.h5"
    if not source.exists() or source.stat().st_size < 4 * o.rows * o.columns:
        make(source, o.rows, o.columns)
    ours = [o.programs / "bench/hdf5_ours", source, target, str(o.memory)]
    if o.kills:
        return kill(ours, target, o.kills, run(ours)[0])
    contenders = {
        "ours": ours,
        "HDF5 alone (the same bytes)": [o.programs / "bench/hdf5_alone", source, target, "3"],
        "h5py and NumPy by blocks": [sys.executable, __file__, o.programs, o.folder, "--h5py", source, target],
        "dask": [sys.executable, __file__, o.programs, o.folder, "--dask", source, target],
    }
    contenders = {name: command for name, command in contenders.items() if any(word in name.split() for word in o.only)}
    times = {name: [] for name in contenders}
    peaks = {}
    for repeat in range(o.repeats):
        # what the disk still does after one run meets each of the others as often
        for name, command in list(contenders.items())[:: 1 if repeat % 2 == 0 else -1]:
            # All begin without a file of that name: the memory of one that is replaced would be free for some and not for others.
            target.unlink(missing_ok=True)
            os.sync()
            if o.cold:
                forget(source)
            seconds, peaks[name] = run([str(word) for word in command])
            times[name].append(seconds)
    print(f"{o.rows} x {o.columns} float32, {4 * o.rows * o.columns / (1 << 30):.2f} GiB; budget {o.memory} MiB; {o.repeats} runs")
    for name, all_times in times.items():
        print(f"{name}: median {statistics.median(all_times):.2f} s, least {min(all_times):.2f} s, peak {peaks[name]:.0f} MiB", flush=True)
    alone = next((times[name] for name in times if name.startswith("HDF5 alone")), None)
    if alone and "ours" in times:
        ours = times["ours"]
        print(f"ours over HDF5 alone: of medians {statistics.median(ours) / statistics.median(alone):.2f}, of the least "
              f"{min(ours) / min(alone):.2f}, median of pairs {statistics.median(a / b for a, b in zip(ours, alone)):.2f}")


if __name__ == "__main__":
    main()
