"""Runs a program over several ranks on this machine, by mpirun."""
import os
import subprocess

# More ranks than processors, as root in a container: ranks yield while they wait, and messages go through memory that
# both have, as a container may not let one process read another.
environment = dict(
    os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_rmaps_base_oversubscribe="1",
    OMPI_MCA_mpi_yield_when_idle="1", OMPI_MCA_hwloc_base_binding_policy="none", OMPI_MCA_btl_vader_single_copy_mechanism="none",
)
# Open MPI keeps memory until the process ends; a test asks for more memory than there is.
environment["ASAN_OPTIONS"] = environment.get("ASAN_OPTIONS", "") + ":detect_leaks=0:allocator_may_return_null=1"


def run(mpirun, ranks, program, *words, preload=None, folder=None):
    """Exit status (None: it hung), what was printed, and what came as errors, which may be other programs' words. preload: a library that
    ranks load before others; folder: where they run."""
    loaded = ["/usr/bin/env", f"LD_PRELOAD={preload}"] if preload else []
    try:
        ran = subprocess.run([mpirun, "-n", str(ranks), *loaded, program, *words], capture_output=True, text=True, check=False,
                             timeout=300, env=environment, cwd=folder, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired as e:
        return None, (e.stdout or b"").decode(errors="replace"), "stopped after five minutes"
    return ran.returncode, ran.stdout, ran.stderr
