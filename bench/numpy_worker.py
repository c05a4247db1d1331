"""Runs what the programs of bench/ time beside it: a name on each line of the standard input, "done" when it has run."""
import sys


def serve(makers):
    """makers: for each name a function that makes its operands and returns what is run."""
    current, run, kept = None, None, None
    for line in sys.stdin:
        name = line.strip()
        if name != current:
            run = None
            current, run = name, makers[name]()
        kept = run()  # freed when the next has run
        print("done", flush=True)
