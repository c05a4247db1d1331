"""Test Anything Protocol for the script tests: numbered ok lines, the reason of each failure, and the plan last."""
import sys

longest = 80  # lines of a reason that are shown
widest = 300  # characters of a line that are shown


class Tap:
    def __init__(self):
        self.count = 0
        self.failures = 0

    def case(self, name, problem=None):
        """Reports one case; a problem (text, or None for success) is printed below it."""
        self.count += 1
        if problem is None:
            print(f"ok {self.count} - {name}", flush=True)
            return
        self.failures += 1
        print(f"not ok {self.count} - {name}")
        lines = str(problem).rstrip().splitlines()
        for line in lines[:longest]:
            print("# " + (line if len(line) <= widest else line[:widest] + " ..."))
        if len(lines) > longest:
            print(f"# ... and {len(lines) - longest} lines more")
        sys.stdout.flush()

    def skip(self, name, reason):
        """Reports one case that cannot be run here."""
        self.count += 1
        print(f"ok {self.count} - {name} # SKIP {reason}", flush=True)

    def finish(self):
        """Prints the plan and ends the program."""
        print(f"1..{self.count}")
        sys.exit(1 if self.failures else 0)
