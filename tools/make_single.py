"""Writes broadloom_single.hpp: the headers that tools/single/broadloom_single.hpp includes, with what these include, and
the sources of lib/ that it includes, as inline functions. A function of the library that is not among them is declared
so that a call of it does not compile.

usage: make_single.py ROOT TO [HANA]     HANA: the folder that has boost/hana, /usr/include unless given
"""
import pathlib
import re
import sys

# Headers of the standard library that sources include, and that cost more than all that is used of them: std::min and
# std::max are in <string>, too, and std::complex, of which core/complex.hpp knows the name, is for programs to include.
DROPPED = {"algorithm", "complex"}

INCLUDE = re.compile(r'\s*#\s*include\s*([<"])([^>"]+)[>"]')
# Where a function is defined in a source: at the beginning of a line, unless it is a template or constexpr anyway.
DEFINITION = re.compile(
    r"(?!namespace|using|struct|class|enum|union|constexpr|constinit|inline|static|extern|typedef|public|private|return|"
    r"template|friend|else|case|default|switch|if\b|for\b|while\b|requires|concept)"
    r"((?:\[\[[^\]]*\]\]\s*)*)([A-Za-z_][\w:<>,*& ]*?[ *&])?(~?[\w:~]+(?:operator[^\s(]*)?)\(")
NAMESPACE = re.compile(r"(inline )?namespace(?: ([\w:]+))? \{$")
DECLARED = re.compile(r"BROADLOOM_API\s+([^;{=]*?)\(")


# Text that is no comment though it may look so, or a comment.
COMMENT = re.compile(r'R"(\w*)\(.*?\)\1"|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)\'|//[^\n]*|/\*.*?\*/', re.S)


def without_comments(text):
    """A header's or source's text without comments but those of copyright, and without lines that are left empty."""

    def kept(found):
        comment = found[0].startswith("/")
        return found[0] if not comment or re.search("copyright|license", found[0], re.I) else " "

    return re.sub(r"(?<!\\)\n\s*\n+", "\n", re.sub(r"[ \t]+$", "", COMMENT.sub(kept, text), flags=re.M)).lstrip("\n")


# A function of a header that is not in it, as headers declare them.
OBJECT = re.compile(r"^(?:\} |inline constexpr [\w:<>\", ]+? )(\w+)\{\};", re.M)
LACKS = """
namespace broadloom {

namespace errors_md {
struct broadloom_single_hpp_does_not_have_this_function_include_broadloom_hpp_and_link_libbroadloom;
}

namespace detail {
struct needs_library {
  template <class... A>
  errors_md::broadloom_single_hpp_does_not_have_this_function_include_broadloom_hpp_and_link_libbroadloom operator()(
      A&&...) const = delete;
};
}  // namespace detail

%s

}  // namespace broadloom
"""


class Amalgam:
    def __init__(self, root, hana):
        self.root = root
        self.hana = hana
        self.seen = set()
        self.defined = set()
        self.lines = []

    def find(self, kind, name, within):
        if kind == '"':
            path = (within / name).resolve()
            other = self.root / "tools/single" / path.name
            return other if other.exists() else path
        if name.startswith("broadloom/"):
            return self.root / "include" / name
        if name.startswith("boost/"):
            return self.hana / name
        return None

    def expand(self, path):
        """Appends a file's text, with that of the files that it includes in their place."""
        text = path.read_text()
        once = "#pragma once" in text or re.search(r"^#ifndef (\w+_HPP)\n#define \1$", text, re.M)
        if once:
            if path in self.seen:
                return
            self.seen.add(path)
        source = path.suffix == ".cpp"
        lines = text.split("\n")
        if lines[-1] == "":
            lines.pop()
        if source:
            lines = self.inlined(lines, path.stem)
        if path.name != "broadloom_single.hpp":
            lines = without_comments("\n".join(lines)).split("\n")
        depth = 0
        for line in lines:
            depth += line.startswith(("#if", "# if")) - line.startswith(("#endif", "# endif"))
            include = INCLUDE.match(line)
            if include:
                kind, name = include.groups()
                inner = self.find(kind, name, path.parent)
                if inner is not None:
                    self.expand(inner)
                elif name not in DROPPED and (depth > 0 or name not in self.seen):
                    if depth == 0:
                        self.seen.add(name)
                    self.lines.append(line)
            elif line.strip() != "#pragma once" and not line.startswith("#define BROADLOOM_API"):
                self.lines.append(line)

    @staticmethod
    def inlined(lines, stem):
        """A source's functions, which a header may define; its own get a namespace with a name."""
        own = f"of_{stem}"
        result = []
        for line in lines:
            if line == "namespace {":
                line = f"namespace {own} {{"
            elif line == "}  // namespace":
                line = f"}}  // namespace {own}\nusing namespace {own};"
            elif line.startswith("#pragma GCC optimize"):
                continue
            else:
                found = DEFINITION.match(line)
                if found and not line.rstrip().endswith(";"):
                    line = f"{found[1]}inline {line[found.end(1):]}"
                elif found and ") { " in line or found and line.rstrip().endswith("= default;"):
                    line = f"{found[1]}inline {line[found.end(1):]}"
            result.append(line)
        return "\n".join(result).split("\n")

    def lacking(self):
        """Functions of the other headers, which refuse every call."""
        has = set(OBJECT.findall("\n".join(self.lines)))
        names = set()
        for folder in ("eval", "geometry", "index", "io", "linalg", "random", "signal", "special", "tensor"):
            for path in (self.root / "include/broadloom" / folder).glob("*.hpp"):
                if path not in self.seen and not path.name.startswith("hdf5"):  # those are in a namespace of their own
                    names |= set(OBJECT.findall(path.read_text()))
        return LACKS % "\n".join(f"inline constexpr detail::needs_library {name}{{}};" for name in sorted(names - has))

    def text(self):
        """What was expanded, with the library's marks replaced."""
        text = "\n".join(self.lines) + "\n" + self.lacking()
        text = text.replace("class BROADLOOM_API ", "class ").replace("BROADLOOM_API extern ", "extern ")
        defined = set(re.findall(r"^(?:\[\[[^\]]*\]\] )?inline (?:[\w:<>,*& ]*?[ *&])?([\w:~]+)\(", text, re.M))

        def mark(declaration):
            head = declaration[1]
            name = re.findall(r"(\w+)$", head.strip())
            return ("inline " if name and name[0] in defined else "BROADLOOM_NEEDS_LIBRARY ") + head + "("

        text = DECLARED.sub(mark, text)
        return text.replace("BROADLOOM_API ", "BROADLOOM_NEEDS_LIBRARY ")


def main():
    root, to = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    hana = pathlib.Path(sys.argv[3] if len(sys.argv) > 3 else "/usr/include")
    amalgam = Amalgam(root, hana)
    amalgam.expand(root / "tools/single/broadloom_single.hpp")
    version = (root / "VERSION").read_text().strip()
    text = amalgam.text().replace("@VERSION@", version)
    to.parent.mkdir(parents=True, exist_ok=True)
    to.write_text(text)


if __name__ == "__main__":
    main()
