"""Reads bench/every.txt: the rows, with those of fn/catalogue.def that it does not spell out, which public names have none, and
why some are behind."""
import dataclasses
import fnmatch
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))
import examples  # noqa: E402
from catalogue import catalogue  # noqa: E402

# NumPy's names of functions of the catalogue that have another one here.
NUMPY = {"neg": "negative", "mul": "multiply", "sub": "subtract", "div": "divide", "eq": "equal", "ne": "not_equal", "lt": "less", "le": "less_equal",
         "gt": "greater", "ge": "greater_equal", "acos": "arccos", "asin": "arcsin", "atan": "arctan", "asinh": "arcsinh", "acosh": "arccosh",
         "atanh": "arctanh", "atan2": "arctan2", "pow": "power", "bitwise_left_shift": "left_shift", "bitwise_right_shift": "right_shift",
         "clamp": "clip", "erf": "", "clamp_min": "maximum", "clamp_max": "minimum"}
# PyTorch's places of functions, in their order.
TORCH = {"softsign": "F.", "hardsigmoid": "F.", "hardswish": "F.", "relu6": "F.", "hardtanh": "F.", "leaky_relu": "F.", "hardshrink": "F.",
         "softshrink": "F.", "tanhshrink": "F.", "mish": "F.", "logsigmoid": "F.", "elu": "F.", "softplus": "F.", "threshold": "F.",
         "entr": "torch.special.", "xlog1py": "torch.special.", "celu": "F.", "selu": "F.", "gelu": "F."}


@dataclasses.dataclass
class Row:
    key: str
    family: str
    headers: list
    types: list
    largest: int
    draws: bool
    ours: str
    torch: str
    numpy: str
    derived: bool = False

    @property
    def name(self):
        return self.key.split()[0]


@dataclasses.dataclass
class Table:
    rows: list
    left_out: list  # (pattern, reason)
    faults: list
    behind: dict = dataclasses.field(default_factory=dict)  # why a row may take longer than its peers: (where, a set, and row)

    def reason(self, row, *where):
        """The reason of a row at a level, as a type, with more threads, of a size or on a processor: that of most of them, the first of equals."""
        fit = [places for places, name in self.behind if name == row and places <= set(where)]
        best = max(fit, key=lambda places: (len(places), -min((where.index(at) for at in places), default=0)), default=None)
        return "" if best is None else self.behind[best, row]


def arguments(line, names):
    """The operands of a line of docs/reference/pointwise.tsv: arrays take the names in turn, numbers stay."""
    names = iter(names)
    return [next(names) if part.startswith("{") else part.rstrip("f") for part in (part.strip() for part in line.split(";"))]


def from_catalogue(root, given, spelled):
    """A row for each function of the catalogue that has none of its own."""
    functions = catalogue(root)
    found = []
    for line in (root / "docs/reference/pointwise.tsv").read_text().splitlines():
        name, _, rest = line.partition("\t")
        if line.startswith("#") or not line or name in spelled:
            continue
        rule = functions[name][1] if name in functions else "same"
        parts = arguments(rest.split("\t")[0], given.get(name, []) + ["v", "w", "u"][len(given.get(name, [])):])
        call = ", ".join(parts)
        there = f"{TORCH.get(name, 'torch.')}{name}({call})"
        numpy = NUMPY.get(name, name)
        found.append(Row(name, "pointwise", [], ["i32"] if rule in ("whole", "shift", "bits") else ["f32"], 1 << 62, False, f"bl::{name}({call})",
                         there, f"np.{numpy}({call})" if numpy else "", True))
    return found


def read(root=ROOT, text=None):
    text = (root / "bench/every.txt").read_text() if text is None else text
    table, given, family, headers = Table([], [], []), {}, "", []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith("== "):
            words = line[3:].split()
            headers = [word for word in words if word.endswith(".hpp")]
            family = " ".join(word for word in words if not word.endswith(".hpp"))
        elif line.startswith("! "):
            names, _, reason = line[2:].rpartition(" : ")
            if not names or not reason.strip():
                table.faults.append(f"bench/every.txt:{number}: no reason: ! NAMES : REASON")
            table.left_out += [(name, reason) for name in names.split()]
        elif line.startswith("? "):
            names, _, reason = line[2:].rpartition(" : ")
            if not names or not reason.strip():
                table.faults.append(f"bench/every.txt:{number}: no reason: ? [@LEVEL|@TYPE|@threads|@SIZE|@PROCESSOR]... ROW, ROW : REASON")
            where, names = re.fullmatch(r"((?:@\w+ )*)(.*)", names).groups()
            for name in (name.strip() for name in names.split(",") if name.strip()):
                table.behind[frozenset(re.findall(r"\w+", where)), name] = reason.strip()
        elif line.startswith("+ "):
            name, *operands = line[2:].split()
            given[name] = operands
        else:
            parts = [part.strip() for part in re.split(r" \|(?= |$)", line)]
            if len(parts) != 4:
                table.faults.append(f"bench/every.txt:{number}: not NAME | C++ | PyTorch | NumPy")
                continue
            words, types, largest, draws, own = [], ["f32"], 1 << 62, False, []
            for word in parts[0].split():
                if word.startswith("@"):
                    types = word[1:].split(",")
                elif word.startswith("max="):
                    largest = int(word[4:])
                elif word == "draws":
                    draws = True
                elif word.endswith(".hpp"):
                    own.append(word)
                else:
                    words.append(word)
            row = Row(" ".join(words), family, headers + own, types, largest, draws, *parts[1:])
            if not re.search(rf"\bbl::{re.escape(row.name)}[(<]", row.ours) and row.name != "index_array":
                table.faults.append(f"bench/every.txt:{number}: the row {row.key} does not call bl::{row.name}")
            table.rows.append(row)
    spelled = {row.key for row in table.rows}
    for key in {key for key in spelled if sum(row.key == key for row in table.rows) > 1}:
        table.faults.append(f"bench/every.txt: two rows are named {key}")
    table.rows[:0] = from_catalogue(root, given, spelled)
    known = {row.key for row in table.rows}
    table.faults += [f"bench/every.txt: a reason for {key}, which is no row" for _, key in table.behind if key not in known]
    return table


def public_names(root):
    """Those of the reference, whose examples docs/reference_test demands."""
    return {name.strip("()") for example in examples.load(root, catalogue(root)) for name in example.names}


def uncovered(table, names):
    """What is wrong with the table for these public names, as sentences."""
    timed = {row.name for row in table.rows}
    patterns = [pattern for pattern, _ in table.left_out]

    def covered(name):
        return name in timed or any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns if pattern != "*_") or (
            name.endswith("_") and covered(name[:-1]))

    problems = [f"{name} has no row in bench/every.txt: add one, or a line ! with the reason"
                for name in sorted(names) if not covered(name)]
    problems += [f"bench/every.txt has a row for {name}, which is no public name" for name in sorted(timed - names)]
    problems += [f"bench/every.txt leaves out {pattern}, but there is no such public name"
                 for pattern in patterns if not any(fnmatch.fnmatchcase(name, pattern) for name in names)]
    return problems
