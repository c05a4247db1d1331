#!/usr/bin/env python3
"""The batch service answers each request in order, goes on after a failure and a cancelled batch, and tells how far batches are.
Reports by TAP.

usage: service_test.py PROGRAM
"""
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
from tap import Tap  # noqa: E402


def serve(*requests):
    return subprocess.run([sys.argv[1]], input="\n".join(requests) + "\n", capture_output=True, text=True, timeout=120, check=False)


score = r"mean of the best scores 0\.\d+"
tap = Tap()
names = [f"batch{i}" for i in range(12)]
done = serve(*[f"score {name} {1000 * (i + 1)}" for i, name in enumerate(names)], "status")
found = re.findall(rf"^(\w+): {score}$", done.stdout, re.MULTILINE)
tap.case("each request is answered, in order", None if done.returncode == 0 and found == names else done.stdout + done.stderr)
# A number of its own: the same rows give the same answer, whatever runs beside them.
alone = serve("score one 5000").stdout.split(": ")[1:]
beside = re.findall(r"^one: (.*\n)", serve("score other 70000", "score one 5000", "score third 900").stdout, re.MULTILINE)
tap.case("an answer does not depend on what runs beside it", None if alone == beside else f"{alone}\n{beside}")
done = serve("score empty 0", "what is this", "score few 10")
wanted = rf"not understood: what is this\nempty: mean of the best scores -?nan\nfew: {score}\n|empty: mean of the best scores -?nan\nnot understood: what is this\nfew: {score}\n"
tap.case("it goes on after what it does not understand", None if re.fullmatch(wanted, done.stdout) else done.stdout)
# Whether the second batch is done before it is cancelled is a matter of time; the others are answered in any case.
for attempt in range(8):
    done = serve("score before 3000", "score long 1500000", "cancel long", "status", "score after 3000")
    good = re.fullmatch(rf"before: {score}\nlong: (cancelled|{score})\nafter: {score}\n", done.stdout)
    told = re.findall(r"^(\w+): (\d+) %$", done.stderr, re.MULTILINE)
    if not good or (good.group(1) == "cancelled" and "long" in dict(told)):
        break
tap.case("a batch is cancelled, and the others are not", None if good and good.group(1) == "cancelled" else done.stdout + done.stderr)
tap.case("status says how far each batch is", None if ("long" in dict(told)) and all(0 <= int(p) <= 100 for _, p in told) else done.stderr)
tap.finish()
