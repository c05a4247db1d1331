#!/usr/bin/python3
"""Writes linalg_complex_cases.tsv: what PyTorch's linear algebra gives for stacks of complex matrices, where it is unique.

A row: function, its parameters, the inputs and the outputs, each as (extents)values with a real and an imaginary part for each
element; c128 throughout. Run it with a Python that has torch: python3 test/data/linalg_complex_cases.py > test/data/linalg_complex_cases.tsv
"""
import torch

torch.manual_seed(21)
L = torch.linalg


def text(x):
    x = torch.view_as_real(torch.as_tensor(x).to(torch.complex128))
    values = " ".join(f"{v:.14g}" for v in x.reshape(-1).tolist())
    return "(" + ",".join(str(n) for n in x.shape[:-1]) + ")" + values


def row(function, parameters, inputs, outputs):
    if isinstance(outputs, torch.Tensor):
        outputs = [outputs]
    print(function, parameters, ";".join(text(x) for x in inputs), ";".join(text(x) for x in outputs), sep="\t")


def some(*shape):
    x = torch.randn(shape + (2,), dtype=torch.float64)
    return torch.view_as_complex(torch.round(x * 100) / 100)


def square(*shape):
    return some(*shape) + 2 * torch.eye(shape[-1], dtype=torch.complex128)


def positive(*shape):
    a = some(*shape)
    p = a @ a.mH + torch.eye(shape[-1], dtype=torch.complex128)
    return p


print("function", "parameters", "inputs", "outputs", sep="\t")
for n in [1, 2, 3, 6]:
    a, p = square(2, n, n), positive(2, n, n)
    row("inv", "", [a], L.inv(a))
    row("det", "", [a], L.det(a))
    row("slogdet", "", [a], L.slogdet(a))
    row("lu_factor", "", [a], L.lu_factor(a))
    row("lu", "", [a], L.lu(a))
    row("matrix_power", "3", [a], L.matrix_power(a, 3))
    row("matrix_power", "-2", [a], L.matrix_power(a, -2))
    row("matrix_exp", "", [a], L.matrix_exp(a))
    row("cholesky", "0", [p], L.cholesky(p))
    row("cholesky", "1", [p], L.cholesky(p, upper=True))
    row("cholesky_inverse", "0", [l := L.cholesky(p)], torch.cholesky_inverse(l))
    row("cholesky_inverse", "1", [u := L.cholesky(p, upper=True)], torch.cholesky_inverse(u, upper=True))
    row("eigvalsh", "", [p], L.eigvalsh(p))
    for order in [1, -1, 2, -2, float("inf"), float("-inf")]:
        row("matrix_norm", order, [a], L.matrix_norm(a, order))
        row("cond", order, [a], L.cond(a, order))
    b = some(2, n, 2)
    for upper in [0, 1]:
        t = a.triu() if upper else a.tril()
        row("solve_triangular", upper, [t, b], L.solve_triangular(t, b, upper=bool(upper)))
        f = L.cholesky(p, upper=bool(upper))
        row("cholesky_solve", upper, [b, f], torch.cholesky_solve(b, f, upper=bool(upper)))
    row("solve", "", [a, b], L.solve(a, b))
    row("lu_solve", "", [a, b], L.solve(a, b))
for m, n in [(4, 3), (3, 4), (1, 3)]:
    a, b, c = some(2, m, n), some(2, m, 2), some(2, m, 3)
    row("svdvals", "", [a], L.svdvals(a))
    row("qr", "reduced", [a], L.qr(a, mode="reduced"))
    row("qr", "complete", [a], L.qr(a, mode="complete"))
    row("geqrf", "", [a], torch.geqrf(a))
    row("pinv", "", [a], L.pinv(a))
    row("matrix_norm", "fro", [a], L.matrix_norm(a, "fro"))
    row("matrix_norm", "nuc", [a], L.matrix_norm(a, "nuc"))
    row("matrix_rank", "", [a], L.matrix_rank(a))
    row("lstsq", "", [a, b], L.lstsq(a, b).solution)
    q, tau = torch.geqrf(a)
    if m >= n:
        row("householder_product", "", [q, tau], L.householder_product(q, tau))
    for transposed in [0, 1]:
        row("ormqr", transposed, [q, tau, c], torch.ormqr(q, tau, c, transpose=bool(transposed)))
for m, k, n in [(2, 3, 4), (1, 5, 1), (5, 1, 3), (5, 40, 6), (0, 2, 3), (2, 0, 3)]:
    a, b, c = some(2, m, k), some(2, k, n), some(2, m, n)
    row("matmul", "", [a, b], a @ b)
    row("einsum", "", [a, b], torch.einsum("bij,bjk->bki", a, b))
    row("baddbmm", "", [c, a, b], (0.5 - 1j) * c + (2 + 0.25j) * (a @ b))
x, y = some(2, 4, 3), some(2, 4, 3)
row("vecdot", "", [x, y], L.vecdot(x, y))
row("inner", "", [x, y], torch.inner(x, y))
row("cross", "", [x, y], L.cross(x, y))
row("kron", "", [x, y], torch.kron(x, y))

# From the right.
for upper in [0, 1]:
    a, b = square(2, 4, 4), some(2, 3, 4)
    row("solve_triangular_right", f"{upper} 0", [a, b],
        L.solve_triangular(a.triu() if upper else a.tril(), b, upper=bool(upper), left=False))
q, tau = torch.geqrf(some(2, 4, 3))
for transposed in [0, 1]:
    row("ormqr_right", transposed, [q, tau, c := some(2, 3, 4)], torch.ormqr(q, tau, c, left=False, transpose=bool(transposed)))
