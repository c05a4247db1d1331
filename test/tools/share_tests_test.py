#!/usr/bin/env python3
"""Test files share a program only where they mean the same there, and are run as programs of their own where a few are asked for.

usage: share_tests_test.py SOURCE_ROOT
"""
import pathlib
import sys
import tempfile

root = pathlib.Path(sys.argv[1]).resolve()
sys.path.insert(0, str(root / "tools"))
import run_tests  # noqa: E402
import share_tests  # noqa: E402
from tap import Tap  # noqa: E402

tap = Tap()
usual = "// Says.\n#include <vector>\n\n#include <boost/test/unit_test.hpp>\n\nBOOST_AUTO_TEST_CASE(a) {}\n"
# What is added behind the includes, or else put before the file; whether the file may share a program then.
behind = {
    "nothing": ("", True),
    "names without a namespace's name": ("namespace {\nint f();\n}\n", True),
    "another name of a namespace": ("namespace rt = broadloom::runtime;\n", True),
    "a macro that ends in the file": ("#define A(X) X\n#undef A\n", True),
    "a macro that does not": ("#define A(X) X\n", False),
    "code for one processor": ("#if defined(__x86_64__)\nint f();\n#endif\n", True),
    "a header for one processor": ("#if defined(__x86_64__)\n#include <immintrin.h>\n#endif\n", False),
    "an include behind code": ("int f();\n#include <list>\n", False),
    "a namespace": ("namespace broadloom::runtime {\n", False),
    "a specialisation": ("template <>\nstruct std::hash<int>;\n", False),
    "a program's allocation": ("void* operator new(std::size_t bytes) { return f(bytes); }\n", False),
    "a fixture of the program": ("BOOST_TEST_GLOBAL_FIXTURE(f);\n", False),
    "a printer of Boost.Test": ("BOOST_TEST_DONT_PRINT_LOG_VALUE(std::vector<int>)\n", False),
    "a header that is read several times": ('#include "lines.def"\n', False),
    "a header that is read once": ('#include "once.hpp"\n', True),
}
with tempfile.TemporaryDirectory() as scratch:
    tests = pathlib.Path(scratch) / "test"
    (tests / "expr").mkdir(parents=True)
    (tests / "expr" / "lines.def").write_text("LINE(1)\n")
    (tests / "expr" / "once.hpp").write_text("#pragma once\n")

    def may_share(text):
        (tests / "expr" / "a_test.cpp").write_text(text)
        return share_tests.may_share(tests, "expr/a_test.cpp") is not None

    for title, (text, expected) in behind.items():
        said = may_share(usual.replace("\nBOOST_AUTO", text + "\nBOOST_AUTO"))
        tap.case(f"{title}: {'shares' if expected else 'a program of its own'}", None if said == expected else "it is otherwise")
    tap.case("a macro before the includes: a program of its own", "it shares" if may_share("#define A\n" + usual) else None)
    tap.case("a file as long as some allow: a program of its own",
             "it shares" if may_share(usual + "\n" * share_tests.LARGE) else None)

    (tests / "io").mkdir()
    names = [f"expr/{letter}_test.cpp" for letter in "abcdefgh"] + ["io/a_test.cpp"]
    for name in names:
        (tests / name).write_text(usual)
    (tests / "expr" / "h_test.cpp").write_text(usual + '#include "once.hpp"\n')
    found = dict(share_tests.groups(tests, 1000, [(name, "0" if name == "expr/b_test.cpp" else "2") for name in names]))
    wanted = {"expr.shared_1": [f"expr/{letter}_test.cpp" for letter in "acdefg"]}
    tap.case("files of one folder and one kind go together, as many as fit", None if found == wanted else str(found))
    (tests / "expr" / "c_test.cpp").write_text('#include "once.hpp"\n' + usual)
    text = share_tests.source(tests, ["expr/a_test.cpp", "expr/c_test.cpp"])
    lines = text.splitlines()
    first = [line for line in lines if line.startswith("#include")][:3]
    tap.case(
        "includes come first and once, then each file as a suite",
        None
        if sorted(first) == sorted(["#include <vector>", "#include <boost/test/unit_test.hpp>", '#include "expr/once.hpp"'])
        and lines[-3:] == ["BOOST_AUTO_TEST_SUITE(expr_c_test)", '#include "expr/c_test.cpp"', "BOOST_AUTO_TEST_SUITE_END()"]
        else text,
    )

tests = [
    {"name": f"expr/{letter}_test", "cmd": ["b/test/expr.shared_1", f"--run_test=expr_{letter}_test"], "depends": ["id"]}
    for letter in "ab"
] + [{"name": "expr/c_test", "cmd": ["b/test/expr.c_test"], "depends": ["other"]}]
tap.case("all tests of a program are run in it", None if list(run_tests.own_programs(tests, tests, "b")) == tests else "not so")
one = list(run_tests.own_programs(tests[1:], tests, "b"))
tap.case(
    "one of them is built and run as a program of its own",
    None
    if one[0]["cmd"] == [str(pathlib.Path("b/test/expr.b_test").resolve())]
    and (one[0]["built"], one[0]["depends"]) == (["test/expr.b_test"], [])
    and one[1] == tests[2]
    else str(one),
)
tap.finish()
