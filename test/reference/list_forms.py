#!/usr/bin/env python3
"""Lists the catalogue's functions in groups that make one file of forms each: a name, then calls in form.hpp's terms.

usage: list_forms.py CATALOGUE all|some|few

With `all` every function meets every pair of types; with `some` only one function of each type rule does; with `few` each
function has one form and its in-place form.
"""
import pathlib
import re
import sys

every = sys.argv[2] == "all"
few = sys.argv[2] == "few"
COMPLEX_GROUP = 24
GROUP = {"unary": 10, "parameters": 10, "binary": 2, "some_binary": 8, "ternary": 1, "some_ternary": 4}
# What these compare with has numbers where the catalogue has arrays: forms_other.cpp has them.
BY_HAND = {"threshold"}
# PyTorch has no function of this name: fn/fma_test compares it with the C library's.
NOT_IN_PYTORCH = {"fma"}
# One function of each type rule, and of each kind of loop.
PAIRS_OF_ALL_TYPES = {"add", "sub", "div", "bitwise_and", "fmod", "pow", "hypot", "logical_and", "eq", "gcd", "lerp"}

text = pathlib.Path(sys.argv[1]).read_text()
groups = {kind: [] for kind in GROUP}
FEW_GROUP = 40
of_few = []
of_complex = []
number = 0
for kind, name, rest in re.findall(r"^BROADLOOM_([A-Z0-9_]+)\((\w+), (.*)$", text, re.M):
    if name in BY_HAND | NOT_IN_PYTORCH:
        continue
    number += 1
    functor = f"bl::{name}_t, bl::detail::in_place<bl::{name}_t>"
    pairs = every or name in PAIRS_OF_ALL_TYPES
    some = "" if pairs else "some_"
    if kind in ("PARAMETERS", "STAGED_PARAMETERS"):
        count = len(re.search(r"\(([^()]*(?:\([^()]*\)[^()]*)*)\)", rest).group(1).split(","))
        groups["parameters"].append(f'parameters<{functor}, {count}>("{name}")')
        of_few.append(f'few_parameters<{functor}, {count}, {number}>("{name}")')
    elif kind in ("UNARY", "STRIP1", "STAGED1"):
        groups["unary"].append(f'unary<{functor}>("{name}")')
        of_few.append(f'few<{functor}, {number}, 1>("{name}")')
        of_complex.append(f'complex_unary<{functor}>("{name}")')
    else:
        places = "ternary" if kind == "TERNARY" else "binary"
        of_few.append(f'few<{functor}, {number}, {3 if kind == "TERNARY" else 2}>("{name}")')
        groups[some + places].append(f'{places}<{functor}, {number}, {str(pairs).lower()}>("{name}")')
        of_complex.append(f'complex_{places}<{functor}>("{name}")')
if few:
    for i in range(0, len(of_few), FEW_GROUP):
        print(f"few_{i // FEW_GROUP}\t" + "; ".join(of_few[i:i + FEW_GROUP]) + ";")
    sys.exit()
for kind, calls in groups.items():
    for i in range(0, len(calls), GROUP[kind]):
        print(f"{kind}_{i // GROUP[kind]}\t" + "; ".join(calls[i:i + GROUP[kind]]) + ";")
for i in range(0, len(of_complex), COMPLEX_GROUP):
    print(f"complex_{i // COMPLEX_GROUP}\t" + "; ".join(of_complex[i:i + COMPLEX_GROUP]) + ";")
