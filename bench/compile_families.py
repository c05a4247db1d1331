"""What users write, as files for a compiler: families of statements, no two alike, for Broadloom and for Eigen.

bench/compile_time --families measures them, and tools/compile_growth.py compares those of Broadloom with a record.
"""
import dataclasses
import itertools
import os

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
OPERATIONS = [form.format(*ops) for ops in itertools.product("+*-/", repeat=3) for form in ("(a {0} b) {1} (c {2} d)", "a {0} (b {1} (c {2} d))")]


def expressions(count):
    """Trees of three operations over four operands, no two alike. Neighbours differ in few operations: taken from all over the list."""
    return [OPERATIONS[k * 37 % len(OPERATIONS)] for k in range(count)]


@dataclasses.dataclass(frozen=True)
class Library:
    name: str
    include: str
    flags: tuple
    vector: str  # types of arrays of one and two axes
    matrix: str
    indices: str

    def text(self, statements):
        """A file with a function for each of these pairs: the type of its result, and its statement."""
        operands = ", ".join(f"const {self.matrix}& {x}" for x in "abcd") + f", const {self.indices}& r"
        return self.include + "".join(f"void f{k}({result}& o, {operands}) {{ {statement} }}\n" for k, (result, statement) in enumerate(statements))


BROADLOOM = Library("Broadloom", "#include <broadloom/broadloom.hpp>\n#include <broadloom/linalg.hpp>\nnamespace bl = broadloom;\n",
                    ("-I", os.path.join(ROOT, "include")), "bl::dtensor<float, 1>", "bl::dtensor<float, 2>", "bl::index_array")
EIGEN = Library("Eigen", "#include <Eigen/Core>\n", ("-isystem", "/usr/include/eigen3"), "Eigen::ArrayXf", "Eigen::ArrayXXf", "Eigen::ArrayXi")
LIBRARIES = (BROADLOOM, EIGEN)


def of_trees(result, ours, theirs):
    def statements(library, count):
        form = ours if library is BROADLOOM else theirs
        kind = {"number": "float", "vector": library.vector, "matrix": library.matrix}[result]
        return [(kind, form.format(tree)) for tree in expressions(count)]
    return statements


def products(library, count):
    """Products of two operands, each an array, its transposed one, or an expression."""
    left = ["a", "{}", "(a + b)", "(a - b)", "(a * 2)"]
    right = ["c", "{}", "(c + d)", "(c - d)"]
    pairs = list(itertools.product(left, right))
    if library is BROADLOOM:
        turned = [(l.format("bl::transpose(a)"), r.format("bl::transpose(c)")) for l, r in pairs]
        return [(library.matrix, f"o = bl::matmul({l}, {r});") for l, r in turned[:count]]
    turned = [(l.format("a.transpose()"), r.format("c.transpose()")) for l, r in pairs]
    return [("Eigen::MatrixXf", f"o = {l}.matrix() * {r}.matrix();") for l, r in turned[:count]]


def indexings(library, count):
    """Four kinds of indices of rows, and five of columns."""
    if library is BROADLOOM:
        rows = ["bl::range(1, 5)", "bl::range(0, 8, 2)", "bl::all", "{}"]
        columns = ["2", "bl::all", "bl::range(1, 5)", "bl::range(0, 8, 2)", "r"]
    else:
        rows = ["Eigen::seq(1, 4)", "Eigen::seq(0, 7, 2)", "Eigen::all", "{}"]
        columns = ["2", "Eigen::all", "Eigen::seq(1, 4)", "Eigen::seq(0, 7, 2)", "r"]
    result = []
    for row, column in list(itertools.product(rows, columns))[:count]:
        # Two index arrays of NumPy's rules, which Broadloom follows, make a block where one is a column.
        array = "bl::unsqueeze(r, 1)" if library is BROADLOOM and column == "r" else "r"
        kind = library.vector if column == "2" else library.matrix
        result.append((kind, f"o = a({row.format(array)}, {column});"))
    return result


# The statements of a family, by library and count, of which there are up to 20.
FAMILIES = {
    "`o = e`": of_trees("matrix", "o = {};", "o = {};"),
    "`sum(e)`": of_trees("number", "o = bl::sum({});", "o = ({}).sum();"),
    "`sum(e, 1)`, rows": of_trees("vector", "o = bl::sum({}, bl::axes<1>);", "o = ({}).rowwise().sum();"),
    "`sum(e, 0)`, columns": of_trees("vector", "o = bl::sum({}, bl::axes<0>);", "o = ({}).colwise().sum();"),
    "products": products,
    "indexings": indexings,
}
MOST = 20
