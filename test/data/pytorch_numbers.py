# The numbers that PyTorch's own tests of functions try, as its generators give them.
import sys
import types
import unittest

import torch


def lists(name, dtype):
    """Small, large and extremal numbers of an element type, each once: those of test_reference_numerics_..."""
    if dtype == torch.bool:
        return {"small": [False, True]}
    # Only PyTorch's own test cases need this package, the generators do not.
    stub = types.ModuleType("expecttest")
    stub.TestCase, stub.ACCEPT = unittest.TestCase, False
    sys.modules.setdefault("expecttest", stub)
    from torch.testing._internal.opinfo import core
    kinds = ["small"]
    if name not in ("u8", "i8"):
        kinds.append("large")
    if name[0] in "fc":
        kinds.append("extremal")
    r = {}
    for kind in kinds:
        generate = getattr(core, "generate_elementwise_binary_%s_value_tensors" % kind)
        first = next(generate(None, device="cpu", dtype=dtype)).input
        r[kind] = list({repr(x): x for x in first.tolist()}.values())
    return r
