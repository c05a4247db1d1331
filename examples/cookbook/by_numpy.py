"""The programs of the cookbook as one writes them with NumPy: functions of the arrays that a program keeps, which give its results."""
import numpy as np


def attention(a):
    scores = a["q"] @ a["k"].swapaxes(2, 3) / np.float32(np.sqrt(a["q"].shape[3]))
    scores = np.where(np.tril(np.ones(scores.shape[2:], bool)), scores, np.float32(-1e30))
    weights = np.exp(scores - scores.max(3, keepdims=True))
    return {"out": weights / weights.sum(3, keepdims=True) @ a["v"]}


def logistic(a):
    x, y, w = a["x"], a["y"], np.zeros(a["x"].shape[1])
    for _ in range(200):
        w -= x.T @ (1 / (1 + np.exp(-(x @ w))) - y) * (0.5 / len(x))
    return {"w": w}


def heat(a):
    t = np.zeros_like(a["t"])
    t[0] = 100
    t[20:30, 40:50] = 50
    for _ in range(300):
        t[1:-1, 1:-1] += 0.2 * (t[:-2, 1:-1] + t[2:, 1:-1] + t[1:-1, :-2] + t[1:-1, 2:] - 4 * t[1:-1, 1:-1])
    return {"t": t}


def life(a):
    x = a["first"].astype(bool)
    for _ in range(50):
        cells = x.view(np.uint8)
        rows = np.roll(cells, 1, 0) + cells + np.roll(cells, -1, 0)
        around = np.roll(rows, 1, 1) + rows + np.roll(rows, -1, 1)
        x = (around == 3) | (x & (around == 4))
    return {"last": x.astype(np.uint8)}


def pricing(a):
    dt = 1 / 50
    steps = (0.03 - 0.2 ** 2 / 2) * dt + 0.2 * np.sqrt(dt) * a["z"]
    return {"payoff": np.exp(-0.03) * np.maximum((100 * np.exp(np.cumsum(steps, 1))).mean(1) - 102, 0)}


def neighbours(a):
    d = np.sqrt(((a["asked"][:, None] - a["known"][None]) ** 2).sum(2))
    i = np.argpartition(d, 5, 1)[:, :5]
    i = np.take_along_axis(i, np.take_along_axis(d, i, 1).argsort(1), 1)
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


def mandelbrot(a):
    # Both sides use steps of linspace that may differ in their last bit, so a few points on the edge may differ, too.
    shape = a["steps"].shape
    re, im = np.linspace(-2, 1, shape[1]), np.linspace(-1, 1, shape[0])[:, None]
    x, y, steps = np.zeros(shape), np.zeros(shape), np.zeros(shape, np.int32)
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


PROGRAMS = (attention, logistic, heat, life, pricing, neighbours, kmeans, nbody, mandelbrot, moving, pca, solves)
