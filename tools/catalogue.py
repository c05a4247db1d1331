"""Reads the list of pointwise functions, include/broadloom/fn/catalogue.def."""
import re


def split(text):
    """Splits at the commas outside brackets."""
    parts, depth, part = [], 0, ""
    for c in text:
        depth += c in "({"
        depth -= c in ")}"
        if c == "," and depth == 0:
            parts.append(part.strip())
            part = ""
        else:
            part += c
    return parts + [part.strip()]


def catalogue(root):
    """The functions of the catalogue: name -> (kind, type rule, operator, formula, defaults of parameters)."""
    text = (root / "include/broadloom/fn/catalogue.def").read_text()
    found = {}
    for line in text.splitlines():
        match = re.fullmatch(r"BROADLOOM_(\w+)\((.*)\)", line)
        if not match:
            continue
        kind, fields = match.group(1), split(match.group(2))
        name, rule, operator, defaults = fields[0], "same", None, None
        formula = fields[-1]
        if kind in ("UNARY", "BINARY", "TERNARY"):
            rule = fields[1]
        elif kind == "BINARY_OPERATOR":
            rule, operator = fields[1], (fields[3], fields[4])
        elif kind == "COMPARISON":
            rule, operator = "test", (fields[1], None)
        elif kind == "PARAMETERS":
            rule, defaults = fields[1], fields[3]
        elif kind in ("STRIP1", "STRIP2"):
            rule, formula = fields[1], None
        elif kind == "DIVISION":
            rule, formula = "number", None
        elif kind in ("STAGED1", "STAGED2"):
            rule = fields[1]
        elif kind == "STAGED_PARAMETERS":
            rule, defaults = fields[1], fields[2]
        if kind.startswith("STAGED"):
            strip, first, then, second, last = fields[-5:]
            s = f"{strip}({first})"
            if then != "no":
                s = f"{then}({re.sub(r'(?<![A-Za-z_])s(?![A-Za-z_])', s, second)})"
            formula = re.sub(r"(?<![A-Za-z_])s(?![A-Za-z_])", s, last)
        found[name] = (kind, rule, operator, formula, defaults)
    return found
