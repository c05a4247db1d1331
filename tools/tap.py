"""Test Anything Protocol for the script tests: numbered ok lines, the reason of each failure, and the plan last."""
import sys


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
        for line in str(problem).rstrip().splitlines():
            print("# " + line)
        sys.stdout.flush()

    def finish(self):
        """Prints the plan and ends the program."""
        print(f"1..{self.count}")
        sys.exit(1 if self.failures else 0)
