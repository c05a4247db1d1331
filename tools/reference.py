#!/usr/bin/python3
"""Writes the reference: pages of Markdown that list everything public, from the headers and the comments in them.

usage: reference.py SOURCE_ROOT [OUTPUT_FOLDER]     without a folder only looks for names that have no entry, or no example

Needs libclang and its Python module (Debian: python3-clang-19). A declaration in namespace broadloom outside `detail` is public; docs/reference/errors.md has
the types in `errors_md`.
What a comment above a declaration says belongs to the declarations directly below it, too, up to a blank line. The functions of
fn/catalogue.def have no comment: their type rule and formula are read from their line. Examples are those of examples.py.
"""
import functools
import glob
import html
import pathlib
import re
import sys

import examples
from catalogue import catalogue, split

# Pages, in their order: title, and the headers (or folders) whose names it has. The first that fits takes a name.
PAGES = [
    ("pointwise", "Pointwise functions", "fn/catalogue fn/aliases fn/composite fn/complex fn/in_place fn/integers fn/strict"),
    ("special", "Special functions", "special"),
    ("own", "Functions of your own", "fn/pointwise"),
    ("types", "Element types", "core/dtype core/complex fn/promote core/index fn/function"),
    ("operators", "Operators", "fn/"),
    ("reductions", "Reductions and scans", "plan/reductions reduce/"),
    ("linalg", "Linear algebra", "linalg"),
    ("geometry", "Vectors, rotations, poses", "geometry"),
    ("indexing", "Indexing, sorting, rearranging", "index/"),
    ("shapes", "Shapes", "shape/ core/constant core/list"),
    ("views", "Views and slices", "expr/views expr/slice expr/range expr/windows expr/broadcast_tensors tensor/reshape"),
    ("random", "Random numbers", "random tensor/generator tensor/rand"),
    ("printing", "Printing", "tensor/format tensor/print tensor/format_spec"),
    ("arrays", "Arrays, and how to make them", "tensor/ expr/view expr/owned_arrays expr/iterator expr/tensor_ref"),
    ("evaluation", "Evaluation, policies, plans", "eval/ plan/ core/isa"),
    ("expressions", "Expressions", "expr/"),
    ("signal", "Signals", "signal"),
    ("interop", "Other libraries, and files", "interop/ io/"),
    ("distributed", "Arrays over several machines", "distributed/"),
    ("basics", "Errors, versions, the rest", ""),
]
# Headers beside broadloom.hpp and what examples.py includes.
OPTIONAL = ["linalg.hpp", "random.hpp", "io/npy.hpp", "io/npz.hpp", "io/csv.hpp", "interop/mdspan.hpp", "interop/vector.hpp", "interop/any_tensor.hpp",
            "interop/format.hpp", "eval/scheduler.hpp", "fn/strictly.hpp"]
# Those that need another library: where its headers are in Debian, and one of them. They are left out where it is not.
FOREIGN = {
    "distributed/hdf5.hpp": ("/usr/include/hdf5/openmpi", "hdf5.h"),
    "distributed/distributed.hpp": ("/usr/lib/*/openmpi/include", "mpi.h"),
    "interop/armadillo.hpp": ("/usr/include", "armadillo"),
    "interop/dlpack.hpp": ("/usr/include", "dlpack/dlpack.h"),
    "interop/eigen.hpp": ("/usr/include/eigen3", "Eigen/Core"),
    "interop/eigen_tensor.hpp": ("/usr/include/eigen3", "unsupported/Eigen/CXX11/Tensor"),
    "interop/fmt.hpp": ("/usr/include", "fmt/format.h"),
    "interop/opencv.hpp": ("/usr/include/opencv4", "opencv2/core.hpp"),
    "interop/tbb.hpp": ("/usr/include", "tbb/task_arena.h"),
    "io/hdf5.hpp": ("/usr/include/hdf5/serial", "hdf5.h"),
}
RULES = {
    "same": "elements of any type; the result has the promoted type",
    "number": "any type but bool alone; the result has the promoted type",
    "no_bool": "any type but bool; the result has the promoted type",
    "whole": "integers", "shift": "integers, the second a count of bits", "bits": "integers and bool",
    "floats": "floating types only", "real": "any real type; integers of 32 and 64 bits become f64, narrower ones and bool f32",
    "test": "any type; the result is of bool", "logic": "any type, taken as its truth; the result is of bool",
}
# The functions of formulas, as LaTeX of their arguments.
TERMS = {
    "plus": "{0} + {1}", "minus": "{0} - {1}", "times": r"{0} \cdot {1}", "over": r"\frac{{{0}}}{{{1}}}", "negative": "-{0}",
    "larger": r"\max({0}, {1})", "smaller": r"\min({0}, {1})", "root": r"\sqrt{{{0}}}", "magnitude": r"\left|{0}\right|",
    "equal": "{0} = {1}", "unequal": r"{0} \neq {1}", "less": "{0} < {1}", "less_equal": r"{0} \leq {1}", "greater": "{0} > {1}",
    "greater_equal": r"{0} \geq {1}", "both": r"{0} \wedge {1}", "either": r"{0} \vee {1}", "down": r"\lfloor {0} \rfloor",
    "up": r"\lceil {0} \rceil", "fused": r"{0} \cdot {1} + {2}",
}
SUMS = re.compile(r"^(plus|minus)\(|^negative\(")

# Of names that have no comment of their own.
SAID = {
    "as_eigen_tensor_in": "as_eigen_tensor_in<Order>(x): as_eigen_tensor with this order of axes, Eigen::ColMajor or Eigen::RowMajor.",
    "distributed::dtensor": "dtensor<T, R>: a distributed tensor of rank R, its first axis named rows, all extents known at run time.",
    "hdf5::eval_all": "eval_all(e, ...): several expressions over stored arrays in the passes over the files that they need together, as a std::tuple of tensors.",
    "to_dlpack_as": "to_dlpack_as<Managed>(x): to_dlpack in the given version's struct.",
    "any_tensor": "any_tensor: an array whose element type and rank only the run knows; `visit_rank` hands it on as a tensor.",
    "dtype_of": "dtype_of<T>: the value of `dtype` that stands for the element type T.",
    "indexing::ij": "For meshgrid: axes in the order of the arguments.",
    "indexing::xy": "For meshgrid: the first two axes exchanged, NumPy's default.",
    "ldl_solve": "ldl_solve(ld, pivots, b, hermitian = false): x with a x = b from ldl_factor(a); lazy, stacks broadcast (torch.linalg.ldl_solve).",
    "map2_": "map2_(out, x, y, f): out = f(out, x, y), element by element; x and y broadcast to out.",
    "min": "As `max`: min(x) and min(x, y) are amin and minimum; a bare number beside an array is refused.",
    "mode::clip": "For take and choose: positions outside the range are moved to its ends.",
    "mode::raise": "For take and choose: positions outside the range throw index_error.",
    "mode::wrap": "For take and choose: positions count round and round.",
    "operator%": "x % y is refused: write `remainder` (Python's) or `fmod` (C's).",
    "operator%=": "x %= y is refused: write `remainder_` (Python's) or `fmod_` (C's).",
    "operator&&": "`logical_and` of two arrays: both operands are always evaluated.",
    "operator||": "`logical_or` of two arrays: both operands are always evaluated.",
    "polygamma": "polygamma(n, x): the n-th derivative of digamma at x (torch.special.polygamma).",
    "reduced": "The part of a factor that is needed: qr(a, reduced), svd(a, reduced).",
    "rounding::floor": "For div: the quotient is rounded down, as Python's //.",
    "rounding::trunc": "For div: the quotient is rounded toward zero, as C's.",
    "with_indices": "Asks intersect1d for the positions too.",
}


def latex(formula):
    formula = formula.strip()
    each = re.fullmatch(r"each<\w>\((.*)\)", formula)
    if each:
        value = each.group(1)
        return {"-__builtin_huge_val()": r"-\infty", "3.14159265358979323846": r"\pi"}.get(value, value[:8] if re.fullmatch(r"[\d.]+", value) else value)
    if re.fullmatch(r"\w\{\}", formula):
        return "0"
    call = re.fullmatch(r"(\w+)\((.*)\)", formula, re.DOTALL)
    if not call:
        return formula
    name, arguments = call.group(1), split(call.group(2))
    if name == "select" and len(arguments) == 3:
        return r"\begin{cases} %s & \text{if } %s \\ %s & \text{otherwise} \end{cases}" % (
            latex(arguments[1]), latex(arguments[0]), latex(arguments[2]))
    terms = [latex(a) for a in arguments]
    if name in ("times", "negative", "minus"):
        terms = [r"(%s)" % t if SUMS.match(a) and (name != "minus" or i) else t for i, (a, t) in enumerate(zip(arguments, terms))]
    if name in TERMS and TERMS[name].count("{") - 2 * TERMS[name].count("{{") <= 2 * len(terms):
        return TERMS[name].format(*terms)
    return r"\operatorname{%s}(%s)" % (name.replace("_", " "), ", ".join(terms))


def plain(comment):
    lines = [re.sub(r"^\s*///?<? ?", "", line) for line in comment.splitlines()]
    return "\n".join(lines)


class Name:
    def __init__(self, name, header, line):
        self.name, self.header, self.line = name, header, line
        self.kind, self.comment, self.signatures, self.members = "", "", [], []
        self.deprecated = False


def read(root):
    """Every public name, as a dictionary of Name."""
    from clang import cindex  # pylint: disable=import-outside-toplevel

    kind = cindex.CursorKind
    for candidate in sorted(pathlib.Path("/usr/lib").glob("*/libclang-1[5-9].so.1"), reverse=True):
        if not cindex.Config.loaded:
            cindex.Config.set_library_file(str(candidate))
        break
    include = root / "include"
    headers, folders = list(dict.fromkeys(examples.INCLUDES + OPTIONAL)), []
    for header, (place, probe) in FOREIGN.items():
        found = [f for f in sorted(glob.glob(place)) if (pathlib.Path(f) / probe).exists()]
        if found:
            headers.append(header)
            folders += [f"-I{found[0]}"] if found[0] != "/usr/include" else []
    source = "".join(f"#include <broadloom/{h}>\n" for h in headers if (include / "broadloom" / h).exists())
    unit = cindex.Index.create().parse(
        "reference.cpp", args=["-std=c++20", f"-I{include}", *folders, "-fparse-all-comments"], unsaved_files=[("reference.cpp", source)],
        options=cindex.TranslationUnit.PARSE_SKIP_FUNCTION_BODIES)
    serious = [str(d) for d in unit.diagnostics if d.severity >= cindex.Diagnostic.Error]
    if serious:
        sys.exit("the headers do not compile:\n" + "\n".join(serious[:10]))
    texts = {}

    def lines_of(path):
        if path not in texts:
            texts[path] = pathlib.Path(path).read_text().splitlines()
        return texts[path]

    def comment_above(path, line):
        """The comment above a line, over declarations that follow each other without a blank line."""
        lines, at = lines_of(path), line - 2
        while at >= 0 and lines[at].strip() and not lines[at].lstrip().startswith("//") and re.match(r"\S", lines[at]) \
                and re.search(r"[;})]$", lines[at]):
            at -= 1
        found = []
        while at >= 0 and lines[at].lstrip().startswith("//"):
            found.insert(0, lines[at])
            at -= 1
        return plain("\n".join(found))

    def head(cursor):
        """The declaration of a function up to its body."""
        text = ""
        start, end = cursor.extent.start, cursor.extent.end
        lines = lines_of(start.file.name)[start.line - 1:end.line]
        lines[0] = lines[0][start.column - 1:] if lines else ""
        depth = 0
        for c in "\n".join(lines):
            if c == "(":
                depth += 1
            if c == ")":
                depth -= 1
            if c in "{;" and depth == 0:
                break
            text += c
        if re.search(r"(=\s*delete|BROADLOOM_REFUSED)\s*$", text) or "BROADLOOM_" in text.split("(")[0].replace("BROADLOOM_API", ""):
            return None
        text = re.sub(r",?\s*int Native = BROADLOOM_NATIVE", "", text).replace("BROADLOOM_API ", "").replace(" BROADLOOM_LIFETIMEBOUND", "")
        text = text.replace("boost::hana::integral_constant<index, ", "constant<").replace("template <>\n", "")
        return re.sub(r"\n\s*", "\n  ", text).strip()

    names, hidden = {}, {}

    def members_of(cursor):
        functions = (kind.CXX_METHOD, kind.FUNCTION_TEMPLATE, kind.CONSTRUCTOR, kind.CONVERSION_FUNCTION)
        for child in cursor.get_children():
            if child.access_specifier == cindex.AccessSpecifier.PUBLIC and child.kind in functions + (kind.FIELD_DECL,):
                text = head(child)
                if text and "detail::" not in text.split("(")[0]:
                    yield child.spelling, text, plain(child.raw_comment or "")

    def walk(cursor, prefix):
        for child in cursor.get_children():
            path = child.location.file.name if child.location.file else ""
            if child.kind == kind.NAMESPACE:
                inside = child.spelling
                if not prefix and cursor.kind == kind.TRANSLATION_UNIT:
                    if inside == "broadloom":
                        walk(child, prefix)
                elif inside not in ("detail", "runtime", "lanes", "known_to_the_run", "errors_md"):
                    walk(child, prefix + inside + "::")
                continue
            if cursor.kind != kind.NAMESPACE or not path.startswith(str(include)) or not child.spelling:
                continue
            if child.spelling.startswith("<") or child.kind == kind.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION:
                continue
            if prefix == "linalg::" and child.kind == kind.USING_DECLARATION:
                continue  # the names of numpy.linalg: each has an entry without the namespace
            name = prefix + child.spelling
            header = str(pathlib.Path(path).relative_to(include / "broadloom"))
            entry = names.setdefault(name, Name(name, header, child.location.line))
            comment = comment_above(path, child.extent.start.line)
            entry.comment = entry.comment or comment
            entry.deprecated = entry.deprecated or child.availability == cindex.AvailabilityKind.DEPRECATED
            entry.kind = entry.kind or child.kind.name
            if child.kind in (kind.FUNCTION_DECL, kind.FUNCTION_TEMPLATE):
                text = head(child)
                entry.signatures += [text] if text else []
            elif child.kind in (kind.CLASS_TEMPLATE, kind.STRUCT_DECL, kind.CLASS_DECL):
                if child.is_definition() and not header.endswith(".def"):
                    entry.members = list(members_of(child))
                if not entry.signatures:
                    text = head(child)
                    entry.signatures += [re.split(r"\s+:\s", text)[0]] if text else []
            elif child.kind in (kind.TYPE_ALIAS_DECL, kind.TYPE_ALIAS_TEMPLATE_DECL, kind.CONCEPT_DECL, kind.ENUM_DECL) and not entry.signatures:
                line = lines_of(path)[child.extent.start.line - 1:child.extent.end.line]
                text = "\n".join(line).split(";")[0]
                entry.signatures += [text] if "BROADLOOM_" not in text and "detail::" not in text.replace("=", "") else []
            if child.kind in (kind.VAR_DECL, kind.UNEXPOSED_DECL):
                hidden[name] = re.sub(r"^const |broadloom::|<.*", "", child.type.spelling)

    walk(unit.cursor, "")
    return names, hidden


@functools.cache
def gather(root):
    """Entries: main name -> (Name, its type, other names that share it)."""
    names, types = read(root)
    lines = catalogue(root)
    entries = {}
    for name, entry in names.items():
        if name.endswith("_t") and (name[:-2] in names or name in types.values() or re.sub("(_out|_in_place)?_t$", "_", name) in names):
            continue  # the type of an object that has an entry
        if entry.kind == "UNEXPOSED_DECL" and name not in types:
            continue
        owner = types.get(name)
        if owner in names:
            typed = names[owner]
            entry.comment = entry.comment or typed.comment
            entry.signatures = entry.signatures or [re.sub(r"operator\(\)", name, text) for member, text, _ in typed.members
                                                    if member == "operator()"]
        entries[name] = entry
    operators = {op: name for name, line in lines.items() if line[2] for op in line[2] if op}
    for name, entry in list(entries.items()):
        typed = names.get(name + "_t")
        if typed and not entry.comment:
            entry.comment = typed.comment
            entry.signatures = entry.signatures or [text.replace("operator()", name) for member, text, _ in typed.members
                                                    if member == "operator()"]
        space, _, last = name.rpartition("::")
        if last.startswith("operator") and not entry.comment:
            function = operators.get(last[8:])
            entry.comment = f"The operator of `{function}`." if function else ""
        if space == "strictly" and not entry.comment:
            entry.comment = (f"`{last}` that refuses operands of different rank, and shapes of which each would be expanded: "
                             f"`strict({last})`." if not last.startswith("operator") else "The operator by strict functions.")
        if space == "compat" and not entry.comment and last in lines | {"addcmul": 0, "addcdiv": 0}:
            entry.comment = f"`{last}` that warns of operands of different shape and equal size that broadcast, where `broadcast_warning` is set."
        if name + "_" in entries and not entry.comment and name not in lines:
            entry.comment = f"`{name}_` of a copy of the first operand."
        entry.comment = entry.comment or SAID.get(name, "")
        base = name[:-1] if name.endswith("_") else None
        if base in entries and not entry.comment:
            entry.comment = f"In place: the result of `{base}` is written into its first operand, whose shape and type do not change."
    aliases = re.findall(r"^BROADLOOM_ALIAS\((\w+), (\w+)\)", (root / "include/broadloom/fn/aliases.hpp").read_text(), re.M)
    for alias, function in aliases:
        for tail in ("", "_"):
            if alias + tail in entries:
                entries[alias + tail].comment = f"Another name of `{function}{tail}`."
    return entries, lines


def page_of(entry):
    for key, _, headers in PAGES:
        if not headers or any(entry.header.startswith(h) for h in headers.split()):
            return key
    return PAGES[-1][0]


def describe(entry, lines):
    """The Markdown of an entry; None where nothing describes it."""
    text = []
    shown = [s for s in entry.signatures if s]
    line = lines.get(entry.name) if entry.header == "fn/catalogue.def" or entry.name in lines else None
    base = entry.name[:-1] if entry.name.endswith("_") else ""
    if line:
        kind, rule, operator, formula, defaults = line
        count = 1 if kind.endswith(("UNARY", "STRIP1", "STAGED1")) else 3 if kind == "TERNARY" else 2
        arguments = ["x", "y", "z"][:count]
        if defaults:
            arguments = ["x"] + [f"{n} = {v}".replace('__builtin_nan("")', "(the type's own)") for n, v in zip("yzw", split(defaults[1:-1]))]
        forms = [f"bl::{entry.name}({', '.join(arguments)})"]
        if operator:
            forms.append(f"x {operator[0]} y")
            forms += [f"x {operator[1]} y"] if operator[1] else []
        text.append("```\n" + "\n".join(forms) + "\n```\n")
        if formula and latex(formula) != "x":
            text.append("$$" + latex(formula) + "$$\n")
        shapes = "the result has the shape of x" if count == 1 else "the operands broadcast, and the result has their common shape"
        errors = "" if count == 1 else "- Errors: `shape_error` if the shapes do not broadcast; static shapes that do not broadcast do not compile.\n"
        text.append(f"- Shapes: {shapes}.\n"
                    f"- Types: {RULES.get(rule, rule)}.\n"
                    f"{errors}- In place: `bl::{entry.name}_`.\n"
                    f"- Lazy: computed element by element in the one loop of the expression that it is a part of.\n")
        if entry.comment:
            text.insert(1, html.escape(entry.comment, quote=False) + "\n")
        return "\n".join(text)
    if base in lines and not shown:
        return f"In place: `bl::{base}`, written into its first operand, whose shape and type do not change.\n"
    if not entry.comment and not shown:
        return None
    if shown:
        text.append("```\n" + "\n\n".join(dict.fromkeys(shown)) + "\n```\n")
    comment = entry.comment
    throws = re.findall(r"(?:^|(?<=[.)] ))(Throws [^.]*(?:\.[^ \n][^.]*)*\.)", comment.replace("\n", " "))
    text.append(re.sub(r"<(?=[\w.:])", r"\\<", comment) + "\n")
    source = re.findall(r"\(((?:torch|numpy)\.[\w.]+|(?:PyTorch|NumPy|Python)'s[^()]*|array API|LAPACK's[^()]*)[^()]*\)", comment)
    if throws:
        text.append("- Errors: " + " ".join(throws))
    if source:
        text.append("- The rule's source: " + "; ".join(source))
    text.append(f"- Declared in `broadloom/{entry.header}`\n")
    members = [(n, s, c) for n, s, c in entry.members if c and n != "operator()"]
    for _, signature, said in members:
        text.append("```\n" + signature + "\n```\n\n" + re.sub(r"<(?=[\w.:])", r"\\<", said) + "\n")
    return "\n".join(text)


def anchor(name):
    return "bl-" + re.sub(r"[^\w]+", lambda m: "-" + "".join(f"{ord(c):x}" for c in m.group()) + "-", name).strip("-")


def example_text(example):
    return f"```cpp\n{example.code}```\n" + (f"\n```text\n{example.output}```\n" if example.output else "")


def write(root, out):
    """Writes the pages; gives how many names have an entry, those that have none, and those that have no example. Headers in
    docs/reference/without_examples may go without."""
    entries, lines = gather(root)
    shown = examples.by_name(examples.load(root, lines))
    allowed = set((root / "docs/reference/without_examples").read_text().split())
    missing, bare, pages = [], [], {key: [] for key, _, _ in PAGES}
    for name, entry in sorted(entries.items(), key=lambda item: item[0].lower()):
        text = describe(entry, lines)
        if text is None or not text.strip():
            missing.append(f"{name} ({entry.header}:{entry.line})")
            continue
        if name in shown:
            text += "\n" + example_text(shown[name])
        elif entry.header not in allowed:
            bare.append(f"{name} ({entry.header}:{entry.line})")
        pages[page_of(entry)].append((name, text))
    count = sum(len(p) for p in pages.values())
    if out:
        out.mkdir(parents=True, exist_ok=True)
        index = ["# Reference\n", f"Everything public, {count} names, from the comments in the headers. Every name is in namespace",
                 "`broadloom`; `bl` stands for it. Examples are run by the tests; they stand in a function behind\n",
                 "```cpp\n#include <broadloom/broadloom.hpp>  // and linalg.hpp, or what the entry says it is declared in\n"
                 "#include <iostream>\nnamespace bl = broadloom;\nusing namespace bl::literals;\n```\n",
                 "Macros, environment variables and options of the build: [settings](settings.md).\n",
                 "```{toctree}\n:maxdepth: 1\n"]
        for key, title, _ in PAGES:
            if not pages[key]:
                continue
            index.append(key)
            written = root / "docs/reference" / f"{key}.md"
            # A page of the same name says what concerns all of its names; in the site it stands there already, with its links followed.
            staged = out / written.name
            head = (staged if staged.exists() else written).read_text() if written.exists() else f"# {title}\n"
            body = [head] + [f"({anchor(n)})=\n## `{n}`\n\n{t}\n" for n, t in pages[key]]
            (out / f"{key}.md").write_text("\n".join(body))
        index.append("```\n\n## All names\n")
        index += ["- " + f"[`{n}`]({anchor(n)})" for n in sorted(n for p in pages.values() for n, _ in p)]
        (out / "index.md").write_text("\n".join(index) + "\n")
    return count, missing, bare


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    count, missing, bare = write(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve() if len(sys.argv) > 2 else None)
    print(f"{count} public names have an entry, {len(missing)} have none; {len(bare)} have no example")
    for name in missing + bare:
        print("  " + name)
    sys.exit(1 if missing or bare else 0)


if __name__ == "__main__":
    main()
