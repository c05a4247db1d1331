#!/usr/bin/python3
"""Writes linalg_cases.tsv: what PyTorch's linear algebra gives for random matrices, where the result is unique.

A row: function, its parameters, the inputs and the outputs, each as (extents)values, or ! and the sentence with which it is
refused; f64 throughout. Run it with a Python that has torch: python3 test/data/linalg_cases.py > test/data/linalg_cases.tsv
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

# Matrices without rows or columns.
for stack in [(), (2,), (0,)]:
    e = some(*stack, 0, 0)
    for function, call in [("inv", L.inv), ("det", L.det), ("slogdet", L.slogdet), ("lu_factor", L.lu_factor), ("lu", L.lu),
                           ("cholesky", L.cholesky), ("eigvalsh", L.eigvalsh)]:
        row(function, "", [e], call(e))
    row("matrix_power", "3", [e], L.matrix_power(e, 3))
    row("matrix_power", "0", [e], L.matrix_power(e, 0))
    row("cond", "1", [e], L.cond(e, 1))
    row("cond", "2", [e], L.cond(e))
    row("solve", "", [e, b := some(*stack, 0, 3)], L.solve(e, b))
    a = square(*stack, 3, 3)
    row("solve", "", [a, b := some(*stack, 3, 0)], L.solve(a, b))
    row("solve_triangular", "1", [a, b], L.solve_triangular(a.triu(), b, upper=True))
    for m, n in [(0, 3), (3, 0), (0, 0)]:
        a = some(*stack, m, n)
        for function, call in [("svdvals", L.svdvals), ("lu", L.lu), ("geqrf", torch.geqrf), ("pinv", L.pinv),
                               ("matrix_rank", L.matrix_rank)]:
            row(function, "", [a], call(a))
        row("qr", "reduced", [a], L.qr(a, mode="reduced"))
        row("qr", "complete", [a], L.qr(a, mode="complete"))
        row("matrix_norm", "fro", [a], L.matrix_norm(a, "fro"))
        row("matrix_norm", "nuc", [a], L.matrix_norm(a, "nuc"))
        if n > 0:
            row("matrix_norm", "1", [a], L.matrix_norm(a, 1))
        if m > 0:
            row("matrix_norm", "-inf", [a], L.matrix_norm(a, float("-inf")))
        row("lstsq", "", [a, b := some(*stack, m, 2)], L.lstsq(a, b).solution)
for m, k, n in [(3, 0, 5), (0, 4, 5), (3, 4, 0)]:
    c = some(n)
    row("addmm", "0.5 2", [c, a := some(m, k), b := some(k, n)], torch.addmm(c, a, b, beta=0.5, alpha=2))
    row("baddbmm", "0.5 2", [c, a := some(2, m, k), b := some(2, k, n)], torch.baddbmm(c, a, b, beta=0.5, alpha=2))
    row("addbmm", "0.5 2", [c, a, b], torch.addbmm(c, a, b, beta=0.5, alpha=2))

# From the right, and stacks of vectors.
for stack in [(), (3,)]:
    for unit in [0, 1]:
        for upper in [0, 1]:
            a, b = square(*stack, 4, 4), some(*stack, 2, 4)
            row("solve_triangular_right", f"{upper} {unit}", [a, b],
                L.solve_triangular(a.triu() if upper else a.tril(), b, upper=bool(upper), left=False, unitriangular=bool(unit)))
    q, tau = torch.geqrf(some(*stack, 4, 3))
    for transposed in [0, 1]:
        row("ormqr_right", transposed, [q, tau, c := some(*stack, 2, 4)],
            torch.ormqr(q, tau, c, left=False, transpose=bool(transposed)))
row("solve_vec", "", [a := square(3, 4, 4), b := some(3, 4)], L.solve(a, b))
row("lstsq_vec", "", [a := some(3, 5, 2), b := some(3, 5)], L.lstsq(a, b.unsqueeze(-1)).solution.squeeze(-1))


def refused(function, parameters, inputs, call):
    """What PyTorch says, of the function that was called, without the module's name."""
    try:
        call(*inputs)
    except (RuntimeError, IndexError) as error:
        sentence = str(error).split("\n")[0]
        if function != "lstsq":
            sentence = sentence.removeprefix("torch.")
        for inner in ["linalg.svd:", "linalg.eigh:"]:
            if sentence.startswith(inner):
                sentence = f"linalg.{function}:" + sentence.removeprefix(inner)
        if function == "solve_vec":
            sentence = sentence.replace("linalg.solve", function)
        # There is no form that does not check.
        sentence = sentence.replace("linalg.lu(A, pivot) or linalg.lu_factor_ex(A, pivot)", "lu(A)")
        print(function, parameters, ";".join(text(x) for x in inputs), "!" + sentence, sep="\t")
    else:
        raise SystemExit(f"{function} is not refused")


singular = square(3, 3)
singular[2] = singular[1]
zero = torch.zeros(2, 2, dtype=torch.float64)
among = torch.stack([torch.eye(2, dtype=torch.float64)] * 3 + [zero] + [torch.eye(2, dtype=torch.float64)])
nan = torch.full((2, 9, 9), float("nan"), dtype=torch.float64)
for stack in [(), (2,)]:
    a = some(*stack, 2, 3)
    for function, call in [("inv", L.inv), ("det", L.det), ("slogdet", L.slogdet), ("cholesky", L.cholesky),
                           ("eigvalsh", L.eigvalsh), ("matrix_exp", L.matrix_exp)]:
        refused(function, "", [a], call)
    refused("matrix_power", "2", [a], lambda x: L.matrix_power(x, 2))
    refused("cholesky_inverse", "", [a], torch.cholesky_inverse)
    for order in [1, -1, float("inf"), float("-inf")]:
        refused("cond", order, [a], lambda x: L.cond(x, order))
        refused("matrix_norm", order, [some(*stack, 0, 0)], lambda x: L.matrix_norm(x, order))
    refused("matrix_norm", "2", [some(*stack, 0, 2)], lambda x: L.matrix_norm(x, 2))
    refused("matrix_norm", "-2", [some(*stack, 3, 0)], lambda x: L.matrix_norm(x, -2))
    refused("matrix_norm", "3", [a], lambda x: L.matrix_norm(x, 3))
    refused("cond", "3", [a[..., :2]], lambda x: L.cond(x, 3))
    refused("solve", "", [a, some(*stack, 2, 1)], L.solve)
    refused("solve", "", [a[..., :2], some(*stack, 3, 1)], L.solve)
    for function in ["solve_triangular", "solve_triangular_right"]:
        left = function == "solve_triangular"
        b = some(*stack, 3, 1) if left else some(*stack, 1, 3)
        parameters = "1" if left else "1 0"
        refused(function, parameters, [a, b], lambda x, y: L.solve_triangular(x, y, upper=True, left=left))
        refused(function, parameters, [a[..., :2], b], lambda x, y: L.solve_triangular(x, y, upper=True, left=left))
    refused("cholesky_solve", "", [some(*stack, 3, 1), a[..., :2]], torch.cholesky_solve)
    refused("cholesky_solve", "", [some(*stack, 2, 1), a], torch.cholesky_solve)
    refused("lstsq", "", [a, some(*stack, 4, 1)], L.lstsq)
    refused("householder_product", "", [a, some(*stack, 2)], L.householder_product)
    refused("householder_product", "", [some(*stack, 4, 3), some(*stack, 4)], L.householder_product)
    refused("ormqr", "0", [some(*stack, 4, 3), some(*stack, 3), some(*stack, 3, 2)], torch.ormqr)
    refused("ormqr", "0", [some(*stack, 4, 3), some(*stack, 4), some(*stack, 4, 2)], torch.ormqr)
    refused("ormqr", "0", [some(*stack, 3, 4), some(*stack, 4), some(*stack, 3, 2)], torch.ormqr)
    for m, n, k, p in [(4, 3, 3, 3), (4, 3, 4, 4), (3, 4, 4, 3)]:
        refused("ormqr_right", "0", [some(*stack, m, n), some(*stack, k), some(*stack, 2, p)],
                lambda x, t, c: torch.ormqr(x, t, c, left=False))
    for pivots, size in [((1, 2), 3), ((1, 2, 2), 2), ((1, 3), 2), ((0, 1), 2)]:
        p = torch.tensor(pivots, dtype=torch.int32).expand(*stack, len(pivots)).contiguous()
        refused("lu_solve", "", [square(*stack, 2, 2), p, some(*stack, size, 1)], lambda lu, q, b: torch.lu_solve(b, lu, q))
for a in [singular, among]:
    refused("inv", "", [a], L.inv)
    refused("lu_factor", "", [a], lambda x: L.lu_factor(x))
    refused("matrix_power", "-2", [a], lambda x: L.matrix_power(x, -2))
    refused("solve", "", [a, some(a.shape[-1], 1)], L.solve)
    refused("solve_vec", "", [among, some(5, 2)], L.solve)
    refused("cholesky", "", [a - 3 * a.mT @ a], L.cholesky)
refused("cholesky", "", [among], L.cholesky)
refused("cholesky_inverse", "", [among], torch.cholesky_inverse)
for a in [nan, nan[0]]:
    for function, call in [("svdvals", L.svdvals), ("pinv", L.pinv), ("matrix_rank", L.matrix_rank)]:
        refused(function, "", [a], call)
for left, right in [((3,), (4,)), ((3,), (4, 2)), ((2, 3), (4, 2)), ((2, 3), (4,)), ((5, 2, 3), (4,)), ((5, 2, 3), (4, 2)),
                    ((5, 2, 3), (5, 4, 2)), ((5, 2, 3), (4, 3, 2)), ((2, 2, 2, 3), (2, 4, 2)), ((5, 2, 3), (4, 4, 2)),
                    ((2, 1, 2, 3), (5, 4, 2)), ((2, 1, 2, 3), (5, 3, 3, 2))]:
    refused("matmul", "", [some(*left), some(*right)], torch.matmul)
a, b = some(2, 3), some(3, 4)
for c, x, y in [(some(4), a, some(2, 4)), (some(5), a, b), (some(3, 4), a, b)]:
    refused("addmm", "1 1", [c, x, y], torch.addmm)
for c, x, y in [(some(2), a, some(4)), (some(5), a, some(3))]:
    refused("addmv", "1 1", [c, x, y], torch.addmv)
for c in [some(5), some(3, 4)]:
    refused("addr", "1 1", [c, some(2), some(4)], torch.addr)
a, b = some(2, 2, 3), some(2, 3, 4)
for c, x, y in [(some(5), a, b), (some(4), a, some(3, 3, 4)), (some(4), a, some(2, 2, 4))]:
    refused("baddbmm", "1 1", [c, x, y], torch.baddbmm)
    refused("addbmm", "1 1", [c, x, y], torch.addbmm)
