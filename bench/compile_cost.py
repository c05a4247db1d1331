"""What one compilation costs: processor seconds, memory, the object's size, and the compiler's instructions."""
import os
import re
import shlex
import subprocess
import tempfile


def run(command):
    """Processor seconds of user mode and of all, and peak memory in MB, of a command and what it starts."""
    with tempfile.TemporaryFile(mode="w+") as errors:
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=errors)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            errors.seek(0)
            raise RuntimeError(next((line.strip() for line in errors if "error" in line), "the compiler failed"))
    return used.ru_utime, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def compiler_proper(command):
    """The program that a driver starts to compile, with its arguments, for a command that compiles one file."""
    said = subprocess.run([*command, "-###"], capture_output=True, text=True, check=True).stderr
    for line in said.splitlines():
        words = shlex.split(line.strip()) if line.startswith(" ") else []
        if words and (os.path.basename(words[0]) == "cc1plus" or "-cc1" in words[1:2]):
            return words
    raise RuntimeError("the driver starts no compiler: " + shlex.join(command))


def instructions(command):
    """Instructions of the compiler proper, counted by valgrind: the same on every run, but for a few of 10^9."""
    words = compiler_proper(command)
    with tempfile.NamedTemporaryFile() as log:
        counted = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null", f"--log-file={log.name}", *words]
        done = subprocess.run(counted, capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(next((line for line in done.stderr.splitlines() if "error" in line), "the compiler failed"))
        found = re.search(r"I +refs: +([\d,]+)", log.read().decode())
    return int(found.group(1).replace(",", ""))
