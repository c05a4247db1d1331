#!/usr/bin/env python3
"""The programs of examples/cookbook, each against NumPy: a program writes its inputs and results as .npy files, and what
NumPy makes of the same inputs must be the results. Reports by TAP.

usage: cookbook_test.py FOLDER_OF_PROGRAMS
"""
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
from tap import Tap  # noqa: E402

programs = pathlib.Path(sys.argv[1])
tap = Tap()


def attention(a):
    scores = np.einsum("bhqd,bhkd->bhqk", a["q"], a["k"]) / np.sqrt(a["q"].shape[3])
    scores = np.where(np.tril(np.ones(scores.shape[2:], bool)), scores, -1e30)
    weights = np.exp(scores - scores.max(3, keepdims=True))
    return {"out": np.einsum("bhqk,bhkv->bhqv", weights / weights.sum(3, keepdims=True), a["v"])}


def logistic(a):
    x, y, w = a["x"], a["y"], np.zeros(5)
    for _ in range(200):
        w = w - x.T @ (1 / (1 + np.exp(-x @ w)) - y) * (0.5 / 400)
    return {"w": w}


def heat(_):
    t = np.zeros((65, 65))
    t[0] = 100
    t[20:30, 40:50] = 50
    for _ in range(300):
        t[1:-1, 1:-1] += 0.2 * (t[:-2, 1:-1] + t[2:, 1:-1] + t[1:-1, :-2] + t[1:-1, 2:] - 4 * t[1:-1, 1:-1])
    return {"t": t}


def life(a):
    x = a["first"].astype(bool)
    for _ in range(50):
        around = sum(np.roll(x.astype(int), (i, j), (0, 1)) for i in (-1, 0, 1) for j in (-1, 0, 1))
        x = (around == 3) | (x & (around == 4))
    return {"last": x.astype(np.uint8)}


def pricing(a):
    dt = 1 / 50
    steps = (0.03 - 0.2 ** 2 / 2) * dt + 0.2 * np.sqrt(dt) * a["z"]
    return {"payoff": np.exp(-0.03) * np.maximum((100 * np.exp(np.cumsum(steps, 1))).mean(1) - 102, 0)}


def neighbours(a):
    d = np.sqrt(((a["asked"][:, None] - a["known"][None]) ** 2).sum(2))
    i = np.argsort(d, 1, kind="stable")[:, :5]
    return {"distances": np.take_along_axis(d, i, 1), "indices": i}


def kmeans(a):
    x, centres = a["x"], a["x"][:3]
    for _ in range(10):
        nearest = ((x[:, None] - centres[None]) ** 2).sum(2).argmin(1)
        centres = np.stack([x[nearest == k].mean(0) for k in range(3)])
    return {"centres": centres}


def nbody(a):
    x, mass, dt = a["start"], a["mass"], 0.01

    def acceleration(x):
        d = x[None] - x[:, None]
        r2 = (d ** 2).sum(2, keepdims=True) + 1e-2
        return (d * mass[:, None] / (r2 * np.sqrt(r2))).sum(1)

    v = acceleration(x) * dt / 2
    for _ in range(20):
        x = x + v * dt
        v = v + acceleration(x) * dt
    return {"end": x}


def mandelbrot(_):
    # Both sides use steps of linspace that may differ in their last bit, so a few points on the edge may differ, too.
    re, im = np.linspace(-2, 1, 90), np.linspace(-1, 1, 60)[:, None]
    x, y, steps = np.zeros((60, 90)), np.zeros((60, 90)), np.zeros((60, 90), np.int32)
    for _ in range(60):
        inside = x * x + y * y <= 4
        steps += inside
        x, y = np.where(inside, x * x - y * y + re, x), np.where(inside, 2 * x * y + im, y)
    return {"steps": steps}


def moving(a):
    x = a["x"]
    w = np.lib.stride_tricks.sliding_window_view(x, 20, 1)
    mean, std = w.mean(2), w.std(2, ddof=1)
    return {"mean": mean, "std": std, "largest": w.max(2), "zscore": (x[:, 19:] - mean) / std}


def pca(a):
    centred = a["x"] - a["x"].mean(0)
    _, s, vh = np.linalg.svd(centred, full_matrices=False)
    return {"share": s ** 2 / (s ** 2).sum(), "squares": (centred @ vh[:2].T) ** 2}


def solves(a):
    return {"x": np.linalg.solve(a["a"], a["b"][..., None])[..., 0]}


def difference(name, got, wanted):
    if got.shape != wanted.shape:
        return f"{name} has shape {got.shape}, not {wanted.shape}"
    if name == "steps":
        off = np.count_nonzero(got != wanted)
        return None if off <= got.size // 100 else f"{off} of {got.size} steps differ"
    tolerance = 1e-5 if got.dtype == np.float32 else 1e-9
    if np.allclose(got, wanted, rtol=tolerance, atol=tolerance):
        return None
    return f"{name} differs by up to {np.abs(got - wanted).max()}"


for function in (attention, logistic, heat, life, pricing, neighbours, kmeans, nbody, mandelbrot, moving, pca, solves):
    name = function.__name__
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([str(programs / f"cookbook_{name}"), folder], capture_output=True, text=True, check=False, timeout=300)
        arrays = {path.stem: np.load(path) for path in pathlib.Path(folder).glob("*.npy")}
        if done.returncode != 0:
            tap.case(f"{name} runs", f"status {done.returncode}\n{done.stdout}{done.stderr}")
            continue
        wanted = function(arrays)
        missing = [key for key in wanted if key not in arrays]
        problems = [f"no {key}.npy" for key in missing]
        problems += [p for key in wanted if key in arrays for p in [difference(key, arrays[key], wanted[key])] if p]
        tap.case(f"{name} gives what NumPy gives", "\n".join(problems) or None)
tap.finish()
