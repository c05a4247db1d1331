#!/usr/bin/env python3
"""Writes random expression trees as C++: what test/fuzz/tree_fuzz_test.cpp evaluates on every route and compares.

usage: write_trees.py --seed S --trees N OUTPUT.cpp

A tree is written from its result downwards. Each axis is a variable that gets a value at run time (or a number that the
compiler knows), so that shapes fit by construction; a leaf may have 1 in place of an axis that nothing above it needs. Beside
the C++ stands the same tree in postfix order, which the naive interpreter (test/fuzz/interpreter.cpp) reads. The same seed
gives the same trees.
"""
import argparse
import random

CPP = {"b8": "bool", "i8": "std::int8_t", "i16": "std::int16_t", "i32": "std::int32_t", "i64": "std::int64_t",
       "u8": "std::uint8_t", "u16": "std::uint16_t", "u32": "std::uint32_t", "f32": "float", "f64": "double",
       "c64": "std::complex<float>", "c128": "std::complex<double>"}
CODE = {"b8": 0, "i8": 1, "i16": 2, "i32": 3, "i64": 4, "u8": 5, "u16": 6, "u32": 7, "f32": 9, "f64": 10, "c64": 11, "c128": 12}
WIDE_INTEGERS = ("i32", "i64", "u32", "u64")  # f32 would lose their digits
SIZE = {"b8": 1, "i8": 1, "i16": 2, "i32": 4, "i64": 8, "u8": 1, "u16": 2, "u32": 4, "f32": 4, "f64": 8, "c64": 8, "c128": 16}
UNARY_OWN = ["neg", "abs", "sign", "square", "floor", "ceil", "trunc", "round", "relu", "positive"]
UNARY_REAL = ["sqrt", "rsqrt", "reciprocal"]
STRIPS = ["exp", "exp2", "expm1", "log", "log2", "log1p", "cbrt", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh",
          "tanh", "asinh", "acosh", "atanh", "erf", "erfc", "lgamma", "sigmoid"]
STRIPS_FLOAT = ["silu", "gelu", "mish", "softplus", "selu"]
BINARY_OWN = ["add", "sub", "mul", "add", "sub", "mul", "maximum", "minimum", "fmax", "fmin", "heaviside"]
BINARY_STRIPS = ["pow", "atan2", "hypot", "fmod", "remainder", "xlogy", "logaddexp"]
OPERATORS = {"add": "+", "sub": "-", "mul": "*", "div": "/", "lt": "<", "gt": ">", "eq": "==", "bitwise_and": "&"}


def category(t):
    return 0 if t == "b8" else 1 if t[0] in "iu" else 2 if t[0] == "f" else 3


def promote_two(a, b):
    if a == b:
        return a
    ca, cb = category(a), category(b)
    if 3 in (ca, cb):
        return "c128" if {"c128", "f64"} & {a, b} else "c64"
    if ca != cb:
        return a if ca > cb else b
    if (a[0] == "u") == (b[0] == "u"):
        return a if SIZE[a] > SIZE[b] else b
    u, s = (a, b) if a[0] == "u" else (b, a)
    return s if SIZE[s] > SIZE[u] else {1: "i16", 2: "i32", 4: "i64"}[SIZE[u]]


class Axis:
    """An axis of a shape: a variable of the case, perhaps with a value that the compiler knows, or one that is always 1."""

    def __init__(self, var=None, known=None):
        self.var, self.known = var, known

    @property
    def is_one(self):
        return self.var is None


class Node:
    def __init__(self, code, post, dtype, rank, number=False):
        self.code, self.post, self.dtype, self.rank, self.number = code, post, dtype, rank, number


def promote(*nodes):
    result = None
    for level in (0, 1, 2):
        here = None
        for n in nodes:
            if (2 if n.number else 1 if n.rank == 0 else 0) == level:
                here = n.dtype if here is None else promote_two(here, n.dtype)
        if here is None:
            continue
        if result is None:
            result = here
        elif category(here) > category(result):
            if level == 2 and result in WIDE_INTEGERS:
                result = "c128" if category(here) == 3 else "f64"
                continue
            wide = {"f32": "c64", "f64": "c128"}.get(result)
            result = wide if category(here) == 3 and wide else here
    return result


class Tree:
    def __init__(self, rng):
        self.rng = rng
        self.variables, self.count = [], 0
        self.leaves, self.locals = [], []
        self.strips = False
        self.positive = rng.random() < 0.5  # operands of floating products
        self.lets = 0
        self.budget = rng.choice([3, 5, 7, 9, 12])
        rank = rng.choice([0, 1, 1, 2, 2, 2, 3, 3, 4])
        shape = [self.axis(True) for _ in range(rank)]
        want = rng.choices(["float", "int", "bool", "complex"], [70, 18, 9, 3])[0]
        root = self.gen(shape, [rng.random() < 0.5 for _ in shape], rng.choice([2, 3, 3, 4]), want)
        if root.post.count(" ") == 0:  # a leaf alone is no tree
            root = Node(f"bl::add({root.code}, {root.code})", f"{root.post} {root.post} m2:add", root.dtype, root.rank)
        out = root.dtype
        if rng.random() < 0.15:
            out = {"f32": "f64", "f64": "f32", "b8": "f32", "c64": "c128", "c128": "c128"}.get(out, "i64")
        self.root, self.out = root, out

    # --- variables and axes

    def variable(self, token, outputs=1):
        self.variables.append(token)
        first = self.count
        self.count += outputs
        return first

    def axis(self, may_be_empty):
        if self.rng.random() < 0.4:
            n = self.rng.choice([2, 3, 4, 5, 7, 8, 16, 17, 33] + ([0, 1] if may_be_empty else [1]))
            return Axis(self.variable(f"={n}"), n)
        return Axis(self.variable("any" if may_be_empty else "some"))

    def v(self, i):
        return f"s.v({i})"

    def extent(self, a):
        return "1" if a.is_one else f"v{a.var}"

    # --- leaves

    def leaf(self, shape, strict, want, flags=""):
        r = self.rng
        if want == "any":
            want = r.choices(["float", "int", "bool"], [65, 22, 13])[0]
        dtype = {"float": lambda: r.choices(["f32", "f64"], [70, 30])[0],
                 "int": lambda: r.choice(["i32", "i32", "i64", "i8", "u8", "i16", "u16", "u32"]),
                 "bool": lambda: "b8", "complex": lambda: r.choice(["c64", "c128"]),
                 "exact": lambda: r.choice(["f32", "f32", "f64"]), "exactint": lambda: r.choice(["i32", "i64"]),
                 "index": lambda: r.choice(["i32", "i64"])}[want]()
        if want in ("exact", "exactint", "complex"):
            flags += "p" if want == "exact" and self.positive else "m"
        types, dims = [], []
        for a, s in zip(shape, strict):
            if a.is_one:
                types.append(r.choice(["1", "bl::dyn"]))
                dims.append("1")
                continue
            how = "exact" if s else r.choices(["exact", "one", "either"], [75, 13, 12])[0]
            if how == "one":
                types.append(r.choice(["1", "bl::dyn"]))
                dims.append("1")
            elif how == "either":
                types.append("bl::dyn")
                dims.append(f"?v{a.var}")
            else:
                types.append(str(a.known) if a.known is not None and r.random() < 0.8 else "bl::dyn")
                dims.append(f"v{a.var}")
        k = len(self.leaves)
        kind = r.choices(["view", "rows", "tensor", "moved"], [50, 15, 20, 15])[0]
        self.leaves.append(f"{dtype}/{','.join(dims)}/{flags}")
        code = f"s.{'tensor' if kind == 'moved' else kind}<{CPP[dtype]}, bl::shape<{', '.join(types)}>>({k})"
        if kind == "tensor":
            self.locals.append(f"const auto a{k} = {code};")
            code = f"a{k}"
        return Node(code, f"L{k}", dtype, len(shape))

    # --- nodes

    def gen(self, shape, strict, depth, want, flags=""):
        r = self.rng
        if depth <= 0 or self.budget <= 0:
            return self.leaf(shape, strict, want)
        self.budget -= 1
        if want == "any":
            want = r.choices(["float", "int", "bool"], [65, 22, 13])[0]
        makers = [(self.view, 35)]
        if want in ("exact", "exactint"):
            makers += [(self.exact, 40), (self.leaf_only, 30)]
        elif want == "complex":
            makers += [(self.complex, 60)]
        elif want == "float":
            makers += [(self.float_map, 60), (self.reduction, 28), (self.let_pattern, 8), (self.rows_pattern, 7)]
            if len(shape) >= 2:
                makers += [(self.matmul, 8)]
        elif want == "int":
            makers += [(self.int_map, 50), (self.reduction, 30)]
            if len(shape) >= 2:
                makers += [(self.matmul, 5)]
        else:
            makers += [(self.bool_map, 60), (self.reduction, 20)]
        maker = r.choices([m for m, _ in makers], [w for _, w in makers])[0]
        node = maker(shape, strict, depth - 1, want)
        return node or self.leaf(shape, strict, want)

    def leaf_only(self, shape, strict, depth, want):
        return self.leaf(shape, strict, want)

    # An operand beside the first: it may have fewer axes, and 1 where it likes.
    def other(self, shape, depth, want):
        drop = 0
        while drop < len(shape) and self.rng.random() < 0.25:
            drop += 1
        rest = shape[drop:]
        return self.gen(rest, [False] * len(rest), depth, want)

    # -1 is no number beside unsigned integers.
    def number(self, of_floats, beside="f32"):
        r = self.rng
        if of_floats and r.random() < 0.6:
            x = r.choice(["0.5", "2.5", "-1.25", "0.75", "3.0", "-0.0"])
            return Node(x, f"real:{x}", "f32", 0, True)
        x = r.choice([2, 3, 4 if beside[0] == "u" else -1, 1, 5, 0])
        return Node(str(x), f"int:{x}", "i64", 0, True)

    def two(self, name, x, y, dtype):
        if name in OPERATORS and self.rng.random() < 0.5:
            code = f"({x.code} {OPERATORS[name]} {y.code})"
        else:
            code = f"bl::{name}({x.code}, {y.code})"
        return Node(code, f"{x.post} {y.post} m2:{name}", dtype, max(x.rank, y.rank))

    def one(self, name, x, dtype):
        return Node(f"bl::{name}({x.code})", f"{x.post} m1:{name}", dtype, x.rank)

    def real_of(self, t):
        return "f64" if t in WIDE_INTEGERS else "f32" if category(t) < 2 else t

    def float_map(self, shape, strict, depth, want):
        r = self.rng
        kind = r.choices(["unary", "real", "strip", "binary", "div", "binary strip", "ternary", "number", "cast", "where", "call",
                          "real part"], [14, 8, 14, 26, 8, 6, 10, 8, 4, 5, 3, 1])[0]
        if kind == "call":
            x = self.gen(shape, strict, depth, "float")
            return Node(f"bl::pointwise(fuzz::halved{{}}, {x.code})", f"{x.post} call", x.dtype, x.rank)
        if kind == "real part":
            x = self.gen(shape, strict, depth, "complex")
            return self.one(r.choice(["real", "imag"]), x, "f32" if x.dtype == "c64" else "f64")
        if kind == "unary":
            x = self.gen(shape, strict, depth, "float")
            return self.one(r.choice(UNARY_OWN), x, x.dtype)
        if kind == "real":
            x = self.gen(shape, strict, depth, r.choice(["float", "float", "int", "bool"]))
            return self.one(r.choice(UNARY_REAL), x, self.real_of(x.dtype))
        if kind == "strip":
            self.strips = True
            if r.random() < 0.25:
                x = self.gen(shape, strict, depth, "float")
                return self.one(r.choice(STRIPS_FLOAT), x, x.dtype)
            x = self.gen(shape, strict, depth, r.choice(["float", "float", "float", "int"]))
            return self.one(r.choice(STRIPS), x, self.real_of(x.dtype))
        if kind == "cast":
            x = self.gen(shape, strict, depth, "any")
            t = r.choice(["f32", "f64"])
            return Node(f"bl::cast<{CPP[t]}>({x.code})", f"{x.post} cast:{CODE[t]}", t, x.rank)
        x = self.gen(shape, strict, depth, "float")
        if kind == "number":
            n = self.number(True)
            name = r.choice(["add", "sub", "mul", "div", "maximum", "minimum"])
            pair = (x, n) if r.random() < 0.6 else (n, x)
            return self.two(name, *pair, promote(x, n))
        if kind == "where":
            m = self.other(shape, depth, "bool")
            y = self.other(shape, depth, "any")
            return Node(f"bl::where({m.code}, {x.code}, {y.code})", f"{m.post} {x.post} {y.post} m3:where", promote(x, y), x.rank)
        if kind == "ternary":
            name = r.choice(["addcmul", "addcmul", "addcdiv", "clamp", "lerp"])
            also = "float" if name == "lerp" else "any"
            y, z = self.other(shape, depth, also), self.other(shape, depth, also)
            if name in ("addcmul", "addcdiv"):
                inner = promote(y, z)
                if name == "addcdiv":
                    inner = self.real_of(inner)
                dtype = promote(x, Node("", "", inner, max(y.rank, z.rank)))
            else:
                dtype = promote(x, y, z)
            return Node(f"bl::{name}({x.code}, {y.code}, {z.code})", f"{x.post} {y.post} {z.post} m3:{name}", dtype, x.rank)
        if kind == "binary strip":
            self.strips = True
            y = self.other(shape, depth, "float")
            return self.two(r.choice(BINARY_STRIPS), x, y, promote(x, y))
        name = "div" if kind == "div" else r.choice(BINARY_OWN)
        y = self.other(shape, depth, "float" if name == "sub" else "any")
        first, second = (x, y) if r.random() < 0.7 else (y, x)
        return self.two(name, first, second, promote(x, y))

    def int_map(self, shape, strict, depth, want):
        r = self.rng
        kind = r.choices(["unary", "binary", "bits", "where", "number", "cast"], [15, 35, 12, 10, 12, 8])[0]
        x = self.gen(shape, strict, depth, "int")
        if kind == "unary":
            return self.one(r.choice(["neg", "abs", "sign", "square", "relu", "bitwise_not", "positive"]), x, x.dtype)
        if kind == "cast":
            t = r.choice(["i8", "i16", "i32", "i64", "u8", "u16", "u32"])
            return Node(f"bl::cast<{CPP[t]}>({x.code})", f"{x.post} cast:{CODE[t]}", t, x.rank)
        if kind == "number":
            return self.two(r.choice(["add", "sub", "mul", "maximum", "minimum"]), x, self.number(False, x.dtype), x.dtype)
        name = r.choice(["add", "sub", "mul", "maximum", "minimum"]) if kind == "binary" else r.choice(
            ["bitwise_and", "bitwise_or", "bitwise_xor"])
        y = self.other(shape, depth, "int" if name == "sub" or r.random() < 0.8 else "bool")
        if kind == "where":
            m = self.other(shape, depth, "bool")
            return Node(f"bl::where({m.code}, {x.code}, {y.code})", f"{m.post} {x.post} {y.post} m3:where", promote(x, y), x.rank)
        return self.two(name, x, y, promote(x, y))

    def bool_map(self, shape, strict, depth, want):
        r = self.rng
        kind = r.choices(["compare", "logic", "test", "bits", "where", "not"], [45, 20, 12, 8, 7, 8])[0]
        if kind == "compare":
            x, y = self.gen(shape, strict, depth, "any"), self.other(shape, depth, "any")
            return self.two(r.choice(["eq", "ne", "lt", "le", "gt", "ge"]), x, y, "b8")
        if kind == "test":
            # The sign of a NaN that arithmetic made is not promised; that of an element is.
            name = r.choice(["isnan", "isinf", "isfinite", "signbit"])
            return self.one(name, self.gen(shape, strict, 0 if name == "signbit" else depth, "float"), "b8")
        if kind == "not":
            return self.one("logical_not", self.gen(shape, strict, depth, "any"), "b8")
        if kind == "logic":
            x, y = self.gen(shape, strict, depth, "any"), self.other(shape, depth, "any")
            return self.two(r.choice(["logical_and", "logical_or", "logical_xor"]), x, y, "b8")
        x, y = self.gen(shape, strict, depth, "bool"), self.other(shape, depth, "bool")
        if kind == "where":
            m = self.other(shape, depth, "bool")
            return Node(f"bl::where({m.code}, {x.code}, {y.code})", f"{m.post} {x.post} {y.post} m3:where", "b8", x.rank)
        return self.two(r.choice(["bitwise_and", "bitwise_or", "bitwise_xor"]), x, y, "b8")

    def complex(self, shape, strict, depth, want):
        r = self.rng
        x = self.gen(shape, strict, depth, "complex")
        if r.random() < 0.3:
            return self.one(r.choice(["neg", "conj"]), x, x.dtype)
        y = self.other(shape, depth, "complex" if r.random() < 0.7 else "exact")
        return self.two(r.choice(["add", "sub", "mul"]), x, y, promote(x, y))

    # Small whole numbers stay small: operands of products.
    def exact(self, shape, strict, depth, want):
        r = self.rng
        x = self.gen(shape, strict, depth, want)
        if r.random() < 0.3:
            return self.one("abs" if self.positive else r.choice(["neg", "abs", "relu"]), x, x.dtype)
        y = self.other(shape, depth, want)
        return self.two(r.choice(["add", "maximum", "minimum"] + ([] if self.positive else ["sub"])), x, y, promote(x, y))

    # --- barriers

    # A fresh shape with some axes more, or with axes in place of ones, and the options that reduce it to `shape`.
    def reduced_shape(self, shape, strict, may_be_empty, single):
        r = self.rng
        free = [i for i, s in enumerate(strict) if not s]
        if free and r.random() < 0.5:  # keepdim
            chosen = sorted(r.sample(free, 1 if single else r.randint(1, len(free))))
            inner = [self.axis(may_be_empty) if i in chosen else a for i, a in enumerate(shape)]
            inner_strict = [False if i in chosen else s for i, s in enumerate(strict)]
            keep, axes = 1, chosen
        else:
            inner, inner_strict, axes = list(shape), list(strict), []
            for _ in range(1 if single or len(shape) >= 3 else r.choice([1, 1, 2])):
                at = r.randint(0, len(inner))
                inner.insert(at, self.axis(may_be_empty))
                inner_strict.insert(at, False)
                axes = [a + (a >= at) for a in axes] + [at]
            keep, axes = 0, sorted(axes)
        rank = len(inner)
        spelled = [a - rank if r.random() < 0.3 else a for a in axes]
        if len(axes) == rank and r.random() < 0.5 and not (single and rank > 1):
            options = ""
        elif len(axes) == 1 and r.random() < 0.25:
            options = f", {spelled[0]}"
        else:
            options = f", bl::axes<{', '.join(map(str, spelled))}>"
        if keep:
            options += ", bl::keepdim"
        return inner, inner_strict, options, f"{keep}:" + ":".join(map(str, axes))

    def reduction(self, shape, strict, depth, want):
        r = self.rng
        if want == "float" and shape and r.random() < 0.3:
            axis = r.randrange(len(shape))
            name = r.choice(["cumsum", "cumprod", "softmax", "log_softmax"])
            x = self.gen(shape, strict, depth, "float")
            if name in ("softmax", "log_softmax"):
                self.strips = True
            return Node(f"bl::{name}({x.code}, {axis}{r.choice(['', '_c'])})", f"{x.post} {name}:{axis}", x.dtype, x.rank)
        names = {"float": ["sum"] * 6 + ["mean", "mean", "prod", "amax", "amin", "var", "std", "logsumexp", "sum64"],
                 "int": ["sum", "sum", "prod", "amax", "amin", "argmax", "argmin", "count_nonzero"], "bool": ["any", "all"]}[want]
        name = r.choice(names)
        empty = name not in ("amax", "amin", "argmax", "argmin", "logsumexp", "var", "std")
        inner, inner_strict, options, spec = self.reduced_shape(shape, strict, empty, name in ("argmax", "argmin"))
        source = {"float": "float", "bool": "any", "int": "int"}[want]
        if name in ("argmax", "argmin", "count_nonzero"):
            source = r.choice(["float", "int"])
        if want == "int" and name in ("sum", "prod") and r.random() < 0.3:
            source = "bool"
        x = self.gen(inner, inner_strict, depth, source)
        if name == "logsumexp":
            self.strips = True
        dtype = x.dtype if name not in ("any", "all") else "b8"
        if want == "int" and name not in ("amax", "amin"):
            dtype = "i64"
        call = f"bl::sum({x.code}{options}, bl::accumulate_in<double>)" if name == "sum64" else f"bl::{name}({x.code}{options})"
        return Node(call, f"{x.post} reduce:{name}:{spec}", dtype, len(shape))

    # A named part that is used twice, itself and reduced.
    def let_pattern(self, shape, strict, depth, want):
        r = self.rng
        x = self.gen(shape, strict, depth, "float")
        k = self.lets
        self.lets += 1
        self.locals.append(f"const auto t{k} = bl::let({x.code});")
        first = Node(f"t{k}", f"{x.post} let:{k} use:{k}", x.dtype, x.rank)
        second = Node(f"t{k}", f"use:{k}", x.dtype, x.rank)
        if shape and r.random() < 0.6:
            axis = r.randrange(len(shape))
            second = Node(f"bl::sum(t{k}, bl::axes<{axis}>, bl::keepdim)", f"use:{k} reduce:sum:1:{axis}", x.dtype, x.rank)
        return self.two(r.choice(["add", "mul", "sub", "div"]), first, second, x.dtype)

    # What people write by rows: the array is mentioned twice, the second time reduced.
    def rows_pattern(self, shape, strict, depth, want):
        r = self.rng
        if not shape:
            return None
        axis = r.randrange(len(shape))
        empty = r.choice(["sum", "mean", "norm1"])
        x = self.leaf(shape, strict, "float")
        if x.code.startswith("s.tensor"):  # moved: mentioned twice by name
            self.locals.append(f"const auto m{x.post[1:]} = {x.code};")
            x = Node(f"m{x.post[1:]}", x.post, x.dtype, x.rank)
        f = r.choice(["", "", "exp", "abs", "square"])
        if f == "exp":
            self.strips = True
        inner = self.one(f, x, x.dtype) if f else x
        if empty == "norm1":
            inner = self.one("abs", inner, x.dtype)
        name = "mean" if empty == "mean" else "sum"
        second = Node(f"bl::{name}({inner.code}, bl::axes<{axis}>, bl::keepdim)", f"{inner.post} reduce:{name}:1:{axis}", x.dtype, x.rank)
        first = self.one(f, x, x.dtype) if f and r.random() < 0.5 else x
        return self.two(r.choice(["sub", "div", "mul", "maximum"]), first, second, x.dtype)

    def matmul(self, shape, strict, depth, want):
        exact = "exact" if want == "float" else "exactint"
        k = self.axis(True)
        a = self.gen(shape[:-2] + [shape[-2], k], strict[:-2] + [strict[-2], True], min(depth, 2), exact)
        loops = shape[:-2] if self.rng.random() < 0.5 else []
        b = self.gen(loops + [k, shape[-1]], [False] * len(loops) + [True, strict[-1]], min(depth, 2), exact)
        product = Node(f"bl::matmul({a.code}, {b.code})", f"{a.post} {b.post} matmul", promote(a, b), len(shape))
        if exact == "exactint" or self.positive:
            return product
        # A sum of zeros may be -0; which is not what is looked at here.
        return self.two("add", product, Node("0", "int:0", "i64", 0, True), product.dtype)

    # --- views

    def view(self, shape, strict, depth, want):
        r = self.rng
        rank = len(shape)
        choices = ["select", "squeeze", "let"]
        if rank >= 1:
            choices += ["flip", "range", "range", "narrow", "diagonal", "roll", "pad", "cat", "expand", "expand", "interleave",
                        "index_select", "gather", "unsqueeze", "reshape", "sort"]
        if rank >= 2:
            choices += ["permute", "permute", "permute", "transpose", "windows", "triu", "split"]
        kind = r.choice(choices)
        if kind == "sort" and want in ("bool", "complex"):
            kind = "flip"
        axis = r.randrange(rank) if rank else 0
        a = shape[axis] if rank else None

        def child(sh, st):
            return self.gen(sh, st, depth, want)

        def replaced(new, st=True):
            return shape[:axis] + [new] + shape[axis + 1:], strict[:axis] + [st] + strict[axis + 1:]

        def spelled(i):
            return r.choice([str(i), str(i - rank), f"{i}_c"])

        if kind == "let":
            x = child(shape, strict)
            k = self.lets
            self.lets += 1
            self.locals.append(f"const auto t{k} = bl::let({x.code});")
            return Node(f"t{k}", f"{x.post} let:{k} use:{k}", x.dtype, rank)
        if kind in ("permute", "transpose"):
            p = list(range(rank))
            if kind == "transpose":
                p.reverse()
            else:
                r.shuffle(p)
            inner = [None] * rank
            inner_strict = [False] * rank
            for i, q in enumerate(p):
                inner[q], inner_strict[q] = shape[i], strict[i]
            x = child(inner, inner_strict)
            code = f"bl::transpose({x.code})" if kind == "transpose" else f"bl::permute({x.code}, bl::axes<{', '.join(map(str, p))}>)"
            if kind == "permute" and r.random() < 0.3:
                code = f"bl::permute({x.code}, {', '.join(map(str, p))})"
            return Node(code, f"{x.post} permute:{':'.join(map(str, p))}", x.dtype, rank)
        if kind == "select":
            at = r.randint(0, rank)
            n = self.axis(False)
            i = self.variable(f"at:{n.var}")
            x = child(shape[:at] + [n] + shape[at:], strict[:at] + [True] + strict[at:])
            name = f"bl::select({x.code}, {at}{r.choice(['', '_c'])}, {self.v(i)})"
            if r.random() < 0.3:
                name = f"bl::slice({x.code}{', bl::all' * at}, {self.v(i)})"
            return Node(name, f"{x.post} select:{at}:v{i}", x.dtype, rank)
        if kind == "squeeze":
            at = r.randint(0, rank)
            x = child(shape[:at] + [Axis()] + shape[at:], strict[:at] + [True] + strict[at:])
            return Node(f"bl::squeeze({x.code}, {at}{r.choice(['', '_c'])})", f"{x.post} squeeze:{at}", x.dtype, rank)
        if kind == "unsqueeze":
            if strict[axis]:
                return None
            x = child(shape[:axis] + shape[axis + 1:], strict[:axis] + strict[axis + 1:])
            return Node(f"bl::unsqueeze({x.code}, {axis}{r.choice(['', '_c'])})", f"{x.post} unsqueeze:{axis}", x.dtype, rank)
        if kind == "expand":
            drop = r.choice([0, 0, 0, 1]) if rank > 1 else 0
            x = self.gen(shape[drop:], [False] * (rank - drop), depth, want)
            types = ", ".join(str(s.known) if s.known is not None else "1" if s.is_one else "bl::dyn" for s in shape)
            values = ", ".join("1" if s.is_one else self.v(s.var) for s in shape)
            return Node(f"bl::expand({x.code}, s.shape<bl::shape<{types}>>({{{values}}}))",
                        f"{x.post} expand:{':'.join(self.extent(s) for s in shape)}", x.dtype, rank)
        if kind == "flip":
            x = child(shape, strict)
            return Node(f"bl::flip({x.code}, {spelled(axis)})", f"{x.post} flip:{axis}", x.dtype, rank)
        if kind == "sort":
            x = child(shape, strict)
            down = r.choice([0, 1])
            return Node(f"bl::sort({x.code}, {axis}, {'true' if down else 'false'}).values", f"{x.post} sort:{axis}:{down}", x.dtype, rank)
        if kind == "roll":
            x = child(shape, strict)
            k = self.variable("shift")
            return Node(f"bl::roll({x.code}, {self.v(k)}, {axis})", f"{x.post} roll:{axis}:v{k}", x.dtype, rank)
        if kind == "triu":
            x = child(shape, strict)
            k = self.variable("shift")
            name = r.choice(["triu", "tril"])
            return Node(f"bl::{name}({x.code}, {self.v(k)})", f"{x.post} {name}:v{k}", x.dtype, rank)
        # What follows needs a variable for the axis.
        if a.is_one:
            return None
        if kind == "range":
            k = self.variable(f"range:{a.var}", 4)
            x = child(*replaced(Axis(k)))
            span = f"bl::range({self.v(k + 1)}, {self.v(k + 2)}, {self.v(k + 3)})"
            call = f"{', bl::all' * axis}, {span}" if r.random() < 0.7 else f", bl::ellipsis, {span}{', bl::all' * (rank - 1 - axis)}"
            return Node(f"bl::slice({x.code}{call})", f"{x.post} strided:{axis}:v{k + 1}:v{k + 3}:v{a.var}", x.dtype, rank)
        if kind == "narrow":
            k = self.variable(f"narrow:{a.var}", 2)
            x = child(*replaced(Axis(k)))
            return Node(f"bl::narrow({x.code}, {spelled(axis)}, {self.v(k + 1)}, {self.v(a.var)})",
                        f"{x.post} strided:{axis}:v{k + 1}:1:v{a.var}", x.dtype, rank)
        if kind == "pad":
            k = self.variable(f"pad:{a.var}", 3)
            x = child(*replaced(Axis(k)))
            zeros = "0, 0, " * (rank - 1 - axis)
            return Node(f"bl::pad({x.code}, {{{zeros}{self.v(k + 1)}, {self.v(k + 2)}}})",
                        f"{x.post} pad:{axis}:v{k + 1}:v{k + 2}", x.dtype, rank)
        if kind == "interleave":
            k = self.variable(f"divisor:{a.var}", 2)
            x = child(*replaced(Axis(k + 1)))
            return Node(f"bl::repeat_interleave({x.code}, {self.v(k)}, {axis})", f"{x.post} interleave:{axis}:v{k}", x.dtype, rank)
        if kind == "diagonal":
            last = shape[-1]
            if last.is_one:
                return None
            k = self.variable(f"diagonal:{last.var}", 3)
            x = child([Axis(k), Axis(k + 1)] + shape[:-1], [True, True] + strict[:-1])
            return Node(f"bl::diagonal({x.code}, {self.v(k + 2)})", f"{x.post} diagonal:v{k + 2}", x.dtype, rank)
        if kind == "windows":
            axis = r.randrange(rank - 1)
            a, size = shape[axis], shape[-1]
            if a.is_one or size.is_one:
                return None
            k = self.variable(f"windows:{a.var}:{size.var}", 2)
            inner, inner_strict = shape[:-1], strict[:-1]
            inner, inner_strict = inner[:axis] + [Axis(k)] + inner[axis + 1:], inner_strict[:axis] + [True] + inner_strict[axis + 1:]
            x = child(inner, inner_strict)
            return Node(f"bl::windows({x.code}, {axis}, {self.v(size.var)}, {self.v(k + 1)})",
                        f"{x.post} windows:{axis}:v{size.var}:v{k + 1}", x.dtype, rank)
        if kind == "split":  # two axes that were one
            if axis == rank - 1:
                axis -= 1
            b = shape[axis + 1]
            a = shape[axis]
            if a.is_one or b.is_one:
                return None
            k = self.variable(f"product:{a.var}:{b.var}")
            x = child(shape[:axis] + [Axis(k)] + shape[axis + 2:], [True] * (rank - 1))
            return Node(f"bl::reshape({x.code}, s.shape<bl::dshape<{rank}>>({{{', '.join('1' if s.is_one else self.v(s.var) for s in shape)}}}))",
                        f"{x.post} reshape:{':'.join(self.extent(s) for s in shape)}", x.dtype, rank)
        if kind == "reshape":  # one axis that was two
            k = self.variable(f"divisor:{a.var}", 2)
            x = child(shape[:axis] + [Axis(k), Axis(k + 1)] + shape[axis + 1:], [True] * (rank + 1))
            return Node(f"bl::reshape({x.code}, s.shape<bl::dshape<{rank}>>({{{', '.join('1' if s.is_one else self.v(s.var) for s in shape)}}}))",
                        f"{x.post} reshape:{':'.join(self.extent(s) for s in shape)}", x.dtype, rank)
        everything = [True] * rank
        if kind == "cat":
            p = self.variable(f"part:{a.var}")
            q = self.variable(f"rest:{a.var}:{p}")
            x = self.gen(replaced(Axis(p))[0], everything, depth, want)
            y = self.gen(replaced(Axis(q))[0], everything, depth, want)
            return Node(f"bl::cat({axis}{r.choice(['', '_c'])}, {x.code}, {y.code})", f"{x.post} {y.post} cat:{axis}", promote(x, y), rank)
        if kind == "gather":
            n = self.axis(False)
            x = self.gen(replaced(n)[0], everything, depth, want)
            i = self.leaf(shape, everything, "index", f"i{n.var}")
            return Node(f"bl::gather({x.code}, {axis}{r.choice(['', '_c'])}, {i.code})", f"{x.post} {i.post} gather:{axis}", x.dtype, rank)
        if kind == "index_select":
            n = self.axis(False)
            x = self.gen(*replaced(n), depth, want)
            i = self.leaf([a], [True], "index", f"i{n.var}")
            return Node(f"bl::index_select({x.code}, {axis}{r.choice(['', '_c'])}, {i.code})", f"{x.post} {i.post} index_select:{axis}", x.dtype, rank)
        raise AssertionError(kind)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--trees", type=int, default=30)
    parser.add_argument("output")
    options = parser.parse_args()
    functions, table, seen = [], [], set()
    k = 0
    while len(table) < options.trees:
        tree = Tree(random.Random(f"{options.seed}/{k}"))
        k += 1
        body = "\n  ".join(tree.locals + [f"s.run<{CPP[tree.out]}>({tree.root.code});"])
        if body in seen:
            continue
        seen.add(body)
        n = len(table)
        functions.append(f"void tree_{n}(fuzz::session& s) {{\n  {body}\n}}\n")
        table.append(f'    {{"{" ".join(tree.variables)}", "{" ".join(tree.leaves)}",\n     "{tree.root.post}",\n'
                     f"     {'true' if tree.strips else 'false'}, tree_{n}, {options.seed}, {n}}},\n")
    with open(options.output, "w", encoding="utf-8") as to:
        to.write(f"// Written by tools/write_trees.py --seed {options.seed} --trees {options.trees}\n"
                 '#include <complex>\n\n#include <broadloom/linalg.hpp>\n\n#include "fuzz/session.hpp"\n\nnamespace {\n\nnamespace bl = broadloom;\nusing namespace bl::literals;\n\n' + "\n".join(functions)
                 + "\nconst fuzz::tree trees[] = {\n" + "".join(table) + "};\nconst bool added = fuzz::add(trees);\n\n}  // namespace\n")


if __name__ == "__main__":
    main()
