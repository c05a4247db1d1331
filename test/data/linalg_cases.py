#!/usr/bin/python3
"""Writes linalg_cases.tsv: what PyTorch's linear algebra gives for random matrices, where the result is unique.

A row: function, its parameters, the inputs and the outputs, each as (extents)values; f64 throughout. Run it with a Python
that has torch: python3 test/data/linalg_cases.py > test/data/linalg_cases.tsv
"""
import torch

torch.manual_seed(20)
L = torch.linalg


def text(x):
    x = torch.as_tensor(x)
    if x.dtype != torch.float64:
        x = x.to(torch.float64)
    values = " ".join(f"{v:.14g}" for v in x.reshape(-1).tolist())
    return "(" + ",".join(str(n) for n in x.shape) + ")" + values


def row(function, parameters, inputs, outputs):
    if isinstance(outputs, torch.Tensor):
        outputs = [outputs]
    print(function, parameters, ";".join(text(x) for x in inputs), ";".join(text(x) for x in outputs), sep="\t")


def some(*shape):
    return torch.round(torch.randn(shape, dtype=torch.float64) * 100) / 100


def square(*shape):
    return some(*shape) + 2 * torch.eye(shape[-1], dtype=torch.float64)


def positive(*shape):
    a = some(*shape)
    return torch.round((a @ a.mT + torch.eye(shape[-1], dtype=torch.float64)) * 100) / 100


print("function", "parameters", "inputs", "outputs", sep="\t")
shapes = [(), (1,), (2,), (3, 1), (2, 3), (0,)]

# Every kind of stack against every other.
for left in shapes:
    for right in shapes:
        try:
            torch.broadcast_shapes(left, right)
        except RuntimeError:
            continue
        if len(left) > 2 or len(right) > 2:
            continue
        for m, k, n in [(2, 3, 4), (1, 5, 1), (0, 2, 3), (2, 0, 3), (3, 1, 2)]:
            a, b = some(*left, m, k), some(*right, k, n)
            row("matmul", "", [a, b], a @ b)
for a, b in [(some(3), some(3)), (some(3), some(3, 2)), (some(2, 3), some(3)), (some(4), some(2, 4, 3)), (some(2, 4, 3), some(3)),
             (some(4), some(2, 2, 4, 3)), (some(0), some(0)), (some(0), some(0, 2))]:
    row("matmul", "", [a, b], a @ b)

for stack in [(), (3,), (0,)]:
    for n in [1, 2, 3, 5, 9]:
        a, p = square(*stack, n, n), positive(*stack, n, n)
        row("inv", "", [a], L.inv(a))
        row("det", "", [a], L.det(a))
        row("slogdet", "", [a], L.slogdet(a))
        row("lu_factor", "", [a], L.lu_factor(a))
        row("lu", "", [a], L.lu(a))
        row("matrix_power", "3", [a], L.matrix_power(a, 3))
        row("matrix_power", "-2", [a], L.matrix_power(a, -2))
        if stack != (0,):
            row("matrix_exp", "", [a], L.matrix_exp(a))
        row("cholesky", "", [p], L.cholesky(p))
        l = L.cholesky(p)
        row("cholesky_inverse", "", [l], torch.cholesky_inverse(l))
        row("eigvalsh", "", [p], L.eigvalsh(p))
        for order in [1, -1, 2, -2, float("inf"), float("-inf")]:
            row("matrix_norm", order, [a], L.matrix_norm(a, order))
            if stack != (0,):
                row("cond", order, [a], L.cond(a, order))
        for upper in [0, 1]:
            b = some(*stack, n, 2)
            t = a.triu() if upper else a.tril()
            row("solve_triangular", upper, [t, b], L.solve_triangular(t, b, upper=bool(upper)))
    for m, n in [(4, 3), (3, 4), (5, 2), (1, 3)]:
        a = some(*stack, m, n)
        row("svdvals", "", [a], L.svdvals(a))
        row("qr", "reduced", [a], L.qr(a, mode="reduced"))
        row("qr", "complete", [a], L.qr(a, mode="complete"))
        row("lu", "", [a], L.lu(a))
        row("geqrf", "", [a], torch.geqrf(a))
        row("pinv", "", [a], L.pinv(a))
        row("matrix_norm", "fro", [a], L.matrix_norm(a, "fro"))
        row("matrix_norm", "nuc", [a], L.matrix_norm(a, "nuc"))
        row("matrix_rank", "", [a], L.matrix_rank(a))
        b = some(*stack, m, 2)
        row("lstsq", "", [a, b], L.lstsq(a, b).solution)
        q, tau = torch.geqrf(a)
        if m >= n:
            row("householder_product", "", [q, tau], L.householder_product(q, tau))
        c = some(*stack, m, 3)
        for transposed in [0, 1]:
            row("ormqr", transposed, [q, tau, c], torch.ormqr(q, tau, c, transpose=bool(transposed)))

for left, right in [((), ()), ((3,), ()), ((), (2,)), ((2, 1), (3,)), ((3,), (3,)), ((1,), (0,))]:
    a, b = square(*left, 4, 4), some(*right, 4, 2)
    row("solve", "", [a, b], L.solve(a, b.expand(*torch.broadcast_shapes(left, right), 4, 2)))
    p = positive(*left, 4, 4)
    l = L.cholesky(p)
    row("cholesky_solve", "", [b, l], torch.cholesky_solve(b, l))
    lu, pivots = L.lu_factor(a)
    row("lu_solve", "", [lu, pivots, b], L.solve(a, b.expand(*torch.broadcast_shapes(left, right), 4, 2)))
row("solve", "", [a4 := square(4, 4), b4 := some(4)], L.solve(a4, b4))
row("lstsq", "", [a5 := some(5, 3), b5 := some(5)], L.lstsq(a5, b5.unsqueeze(1)).solution.squeeze(1))

for c in [some(3, 5), some(5), some(3, 1), some(1), some()]:
    for beta, alpha in [(1, 1), (0, 1), (0.5, -2), (2, 0)]:
        a, b = some(3, 4), some(4, 5)
        row("addmm", f"{beta} {alpha}", [c, a, b], torch.addmm(c, a, b, beta=beta, alpha=alpha))
        a, b = some(2, 3, 4), some(2, 4, 5)
        row("addbmm", f"{beta} {alpha}", [c, a, b], torch.addbmm(c, a, b, beta=beta, alpha=alpha))
        row("baddbmm", f"{beta} {alpha}", [c, a, b], torch.baddbmm(c, a, b, beta=beta, alpha=alpha))
        x, y = some(3), some(5)
        row("addr", f"{beta} {alpha}", [c, x, y], torch.addr(c, x, y, beta=beta, alpha=alpha))
for c in [some(3), some(1), some()]:
    for beta, alpha in [(1, 1), (0, 1), (0.5, -2), (2, 0)]:
        a, x = some(3, 4), some(4)
        row("addmv", f"{beta} {alpha}", [c, a, x], torch.addmv(c, a, x, beta=beta, alpha=alpha))

row("kron", "", [x := some(2, 3), y := some(3, 2)], torch.kron(x, y))
row("kron", "", [x := some(2), y := some(3, 2)], torch.kron(x, y))
row("cross", "", [x := some(4, 3), y := some(3)], L.cross(x, y.expand(4, 3)))
row("vecdot", "", [x := some(4, 3), y := some(2, 1, 3)], L.vecdot(x, y))
row("inner", "", [x := some(2, 3), y := some(4, 2, 3)], torch.inner(x, y))
row("outer", "", [x := some(2), y := some(3)], torch.outer(x, y))
for subscripts, operands in [("ij,jk->ik", [some(2, 3), some(3, 4)]), ("bij,bjk->bki", [some(2, 3, 4), some(2, 4, 5)]),
                             ("...ij,jk->...ik", [some(2, 3, 4), some(4, 2)]), ("ii->i", [some(3, 3)]), ("ijk->ki", [some(2, 3, 4)]),
                             ("i,j->ij", [some(2), some(3)]), ("ijk,kl,lj->i", [some(2, 3, 4), some(4, 5), some(5, 3)]),
                             ("bi,bj", [some(3, 2), some(3, 4)])]:
    row("einsum", subscripts, operands, torch.einsum(subscripts, *operands))
