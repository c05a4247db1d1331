"""Broadloom's values as gdb prints them: an array as its type, shape and elements, a shape as its extents, an expression
as its formula over the arrays it reads.

gdb loads this file by itself with the installed libbroadloom.so; with a static library, `source` it.
"""
import re

import gdb
import gdb.printing

INFIX = {"add": "+", "sub": "-", "mul": "*", "div": "/", "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==",
         "ne": "!=", "logical_and": "&&", "logical_or": "||", "bitwise_and": "&", "bitwise_or": "|", "bitwise_xor": "^",
         "shift_left": "<<", "shift_right": ">>"}
PREFIX = {"neg": "-", "logical_not": "!", "bitwise_not": "~"}


def plain(kind):
    """The type itself, of a reference what it refers to."""
    kind = kind.strip_typedefs()
    if kind.code in (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF):
        kind = kind.target().strip_typedefs()
    return kind.unqualified()


def template_name(kind):
    """The name without namespaces and arguments: broadloom::lanes::add_f is add_f."""
    name = re.sub(r"<.*", "", plain(kind).name or "")
    return name.rsplit("::", 1)[-1]


def numbers(kind):
    """The template arguments of shape<2, -1> or static_strides<3, 1>; gdb knows a pack by the type's name alone."""
    inside = re.search(r"<(.*)>$", plain(kind).name).group(1)
    return [int(n.strip().rstrip("lL")) for n in inside.split(",") if n.strip()]


def argument(kind, n):
    return plain(kind).template_argument(n)


def extents(shape_type, read):
    """The extents; `read()` is the shape's value, which there is no need of where all are static."""
    known = numbers(shape_type)
    if all(n >= 0 for n in known):
        return known
    stored = read()["e"]
    return [int(stored[i]) for i in range(len(known))]


def row_major(shape):
    strides = []
    step = 1
    for n in reversed(shape):
        strides.insert(0, step)
        step *= n
    return strides


def strides_of(layout_type, shape, read):
    name = template_name(layout_type)
    if name == "static_strides":
        return numbers(layout_type)
    if name == "dyn_strides":
        stored = read()["s"]["v"]
        return [int(stored[i]) for i in range(len(shape))]
    return row_major(shape)


def shape_text(shape):
    return "(" + ", ".join(str(n) for n in shape) + ")"


def element_text(x):
    kind = plain(x.type)
    if kind.code == gdb.TYPE_CODE_STRUCT:  # std::complex
        return str(x["_M_value"])
    if kind.code == gdb.TYPE_CODE_INT and kind.sizeof == 1:  # not a character
        return str(int(x))
    return str(x)


class elements:
    """The text of elements in brackets, of as many as `set print elements` says."""

    def __init__(self, data, shape, strides):
        self.data, self.shape, self.strides = data, shape, strides
        limit = gdb.parameter("print elements")
        self.left = limit if limit else -1

    def text(self, axis=0, offset=0):
        if axis == len(self.shape):
            self.left -= 1
            return element_text((self.data + offset).dereference())
        parts = []
        for i in range(self.shape[axis]):
            if self.left == 0:
                parts.append("...")
                break
            parts.append(self.text(axis + 1, offset + i * self.strides[axis]))
        return "[" + ", ".join(parts) + "]"


class array:
    """What there is to know of an array in memory: element type, shape, strides, address of the first element."""

    def __init__(self, value):
        kind = plain(value.type)
        name = template_name(kind)
        self.element = argument(kind, 0)
        if name == "tensor":
            self._tensor(value, argument(kind, 1))
        elif name == "tensor_ref":
            self.shape = extents(argument(kind, 1), lambda: value["shape_"])
            self.strides, self.data = row_major(self.shape), value["of_"].dereference()["data"]
        elif name == "inline_array":
            self._strided(value, argument(kind, 2), argument(kind, 3))
            self.data = value["elements_"]["v"][0].address + int(value["offset_"])
        elif name == "tensor_ref_view":
            self._strided(value, argument(kind, 2), argument(kind, 3))
            self.data = value["of_"].dereference()["data"] + int(value["offset_"])
        else:
            self._strided(value, argument(kind, 1), argument(kind, 2))
            self.data = value["data_"]

    def _tensor(self, value, shape_type):
        held = value["elements_"]
        if all(n >= 0 for n in numbers(shape_type)):
            self.shape, self.data = numbers(shape_type), None
            if 0 not in self.shape:
                self.data = held["v"][0].address
        else:
            self.data = held["data"]
            self.shape = None if int(self.data) == 0 else extents(shape_type, lambda: held["shape"])
        self.strides = row_major(self.shape or [])

    def _strided(self, value, shape_type, layout_type):
        self.shape = extents(shape_type, lambda: value["shape_"])
        self.strides = strides_of(layout_type, self.shape, lambda: value["layout_"])

    def text(self):
        if 0 in self.shape:
            return "[]"
        return elements(self.data, self.shape, self.strides).text()


class shape_printer:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        return shape_text(extents(self.value.type, lambda: self.value))


class array_printer:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        seen = array(self.value)
        if seen.shape is None:
            return f"{seen.element} without a shape"
        return f"{seen.element}{shape_text(seen.shape)} {seen.text()}"


def operand_values(packed):
    """The values in detail::operands<...>."""
    names = [f.name for f in plain(packed.type).fields()]
    found = [packed[name] for name in ("first", "second", "third") if name in names]
    return found + (operand_values(packed["rest"]) if "rest" in names else [])


def call_text(function, parts):
    if function in INFIX and len(parts) == 2:
        return f"({parts[0]} {INFIX[function]} {parts[1]})"
    if function in PREFIX and len(parts) == 1:
        return PREFIX[function] + parts[0]
    return f"{function}({', '.join(parts)})"


def source_text(source):
    """A reduction with its axes; of other barriers the name."""
    kind = plain(source.type)
    if template_name(kind) != "reduced":
        return template_name(kind)
    combine = argument(kind, 0)
    name = re.sub(r"_r$", "", template_name(combine))
    if name == "combining":
        name = str(argument(combine, 0)).rsplit("::", 1)[-1].rstrip(")")
    bits = int(source["bits_"])
    axes = [str(i) for i in range(32) if bits >> i & 1]
    return f"{name}({formula(source['e_'])}, axes<{', '.join(axes)}>)"


def formula(value):
    kind = plain(value.type)
    name = template_name(kind)
    if name == "scalar":
        return element_text(value["value_"])
    if name == "deferred":
        return source_text(value["source_"])
    if name == "map":
        function = re.sub(r"_[ft]$", "", template_name(argument(kind, 0)))
        return call_text(function, [formula(x) for x in operand_values(value["args_"])])
    seen = array(value)
    return f"{plain(seen.element)}{shape_text(seen.shape)}"


class expression_printer:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        text = formula(self.value)
        if text.startswith("(") and text.endswith(")"):
            text = text[1:-1]
        kind = argument(self.value.type, 1)
        shape = shape_text(extents(kind, lambda: self.value["shape_"]))
        return f"{shape} = {text}"


def printers():
    found = gdb.printing.RegexpCollectionPrettyPrinter("broadloom")
    found.add_printer("shape", r"^broadloom::shape<.*>$", shape_printer)
    arrays = "tensor|view|shared_array|inline_array|tensor_ref|tensor_ref_view"
    found.add_printer("array", rf"^broadloom::({arrays})<.*>$", array_printer)
    found.add_printer("expression", r"^broadloom::(map|deferred)<.*>$", expression_printer)
    return found


gdb.printing.register_pretty_printer(gdb.current_objfile(), printers(), replace=True)
