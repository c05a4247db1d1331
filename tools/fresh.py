#!/usr/bin/env python3
"""Does what README.md says on a fresh machine: a minimal Debian root that mmdebstrap makes, with a clone of HEAD in it.

usage: fresh.py SOURCE_ROOT [demo] [install] [test] [options] [recipes] [--keep]      demo and install unless said otherwise

  demo      ./dev demo, as an ordinary user with sudo, and as root
  install   the commands below "Install", and the README's program by each way below "Use": of the shared library, and of a static one
  test      ./dev test, as an ordinary user with sudo, where the demonstration was built if that is wanted, too
  options   configures tests, benchmarks and examples with each package left out that the library can do without
  recipes   the build lines of each recipe in packaging/, from a release's tarball

Commands are read from README.md; nothing is repeated here. Runs as root: a root folder is entered by chroot, in a mount and process namespace
of its own, which end with it. The minimal root and the packages that apt fetched are kept between runs in broadloom/fresh below
$XDG_CACHE_HOME, or /var/cache; each run starts from copies. The packages come from where this machine's apt has Debian's.

The library is compiled once, by the first command that needs it. The others take its objects where they would compile the same text
by the same command (tools/share_objects.py). The last line is "N passed, N failed".
"""
import concurrent.futures
import fcntl
import importlib.machinery
import importlib.util
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import threading
import time

source = pathlib.Path(sys.argv[1]).resolve()
readme = (source / "README.md").read_text()
cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or "/var/cache") / "broadloom" / "fresh"
clone = "/srv/broadloom"  # in each root
keep = "--keep" in sys.argv
started = time.monotonic()
days_kept = 30
removed = "removed-"  # begins the name of what is being removed

# What the README leaves to the reader: the tool that the reader has anyway, and a `yes` to apt.
consumers_bring = {"CMake": "cmake"}


class Failed(Exception):
    pass


class Count:
    """The cases, as they come from several threads."""

    def __init__(self):
        self.passed = self.failed = 0
        self.lock = threading.Lock()

    def case(self, name, seconds, problem=None):
        with self.lock:
            print(f"{'not ok' if problem else 'ok'} - {name} ({seconds:.0f} s, at {time.monotonic() - started:.0f} s)", flush=True)
            for line in str(problem or "").rstrip().splitlines()[-60:]:
                print(f"     | {line[:400]}", flush=True)
            self.passed += not problem
            self.failed += bool(problem)

    def add(self, passed, failed):
        with self.lock:
            self.passed += passed
            self.failed += failed


count = Count()


def case(name, step, *arguments):
    """Runs a step as a case; whether it passed."""
    start = time.monotonic()
    problem = None
    try:
        step(*arguments)
    except (Failed, OSError) as caught:
        problem = str(caught) or repr(caught)
    count.case(name, time.monotonic() - start, problem)
    return problem is None


def run(words, show=False, **how):
    """What a command on this machine printed, which is shown as it comes where that is wanted; raises Failed with all of it if it fails."""
    with subprocess.Popen([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                          stdin=subprocess.DEVNULL, **how) as started_one:
        lines = []
        for line in started_one.stdout:
            lines.append(line)
            if show:
                print(line, end="", flush=True)
    said = "".join(lines)
    if started_one.returncode != 0:
        raise Failed(f"{said}\n$ {shlex.join(str(word) for word in words)}\n(exit status {started_one.returncode})")
    return said


# --- what README.md says ----------------------------------------------------------------------------------------------


def blocks(title):
    """The indented blocks of a section, each a list of lines."""
    found = re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", readme, re.MULTILINE | re.DOTALL)
    if not found:
        raise Failed(f"README.md has no section '{title}'")
    kept, block = [], []
    for line in found.group(1).splitlines() + [""]:
        if line.startswith("    "):
            block.append(line[4:])
        elif block:
            kept.append(block)
            block = []
    return kept


def command(title, start):
    """The one command of a section that begins so."""
    found = [line for block in blocks(title) for line in block if line.startswith(start)]
    if len(found) != 1:
        raise Failed(f"README.md has {len(found)} commands '{start}' below '{title}'")
    return found[0]


def fenced(language):
    found = re.search(rf"^```{language}\n(.*?)^```", readme, re.MULTILINE | re.DOTALL)
    if not found:
        raise Failed(f"README.md has no block of {language}")
    return found.group(1)


def build_folder():
    return re.search(r"^meson setup (\S+)", "\n".join(blocks("Install")[0]), re.MULTILINE).group(1)


# --- roots ------------------------------------------------------------------------------------------------------------


def apt_lines():
    """Debian's archives of this release, as this machine's apt is told them, and how apt reaches them."""
    codename = re.search(r"^VERSION_CODENAME=(\S+)", pathlib.Path("/etc/os-release").read_text(), re.MULTILINE)
    if not codename:
        raise Failed("/etc/os-release names no release")

    def listed():
        said = run(["apt-get", "indextargets", "--format", "$(REPO_URI) $(RELEASE) $(COMPONENT)", "Created-By: Packages", "Origin: Debian"])
        return [line.split() for line in said.splitlines() if re.fullmatch(rf"{codename.group(1)}(-updates|-security)?", line.split()[1])]

    targets = listed()
    if not targets:
        run(["apt-get", "update", "-q"])
        targets = listed()
    if not targets:
        raise Failed(f"this machine's apt has no archive of Debian {codename.group(1)}")
    lines = sorted({f"deb {uri} {release} {component}" for uri, release, component in targets})
    proxies = [line for line in run(["apt-config", "dump", "Acquire"]).splitlines() if "::Proxy" in line and '""' not in line]
    return codename.group(1), lines, proxies


def make_base():
    """The minimal root that every run copies; kept while it is young and its archives are the same."""
    codename, lines, proxies = apt_lines()
    base, stamp = cache / "base", cache / "base.json"
    made_of = [codename, lines, proxies, "ca-certificates,git,sudo"]
    try:
        kept = json.loads(stamp.read_text())
        if kept == made_of and time.time() - stamp.stat().st_mtime < days_kept * 86400:
            return f"kept since {time.strftime('%F', time.localtime(stamp.stat().st_mtime))}"
    except (OSError, ValueError):
        pass
    stamp.unlink(missing_ok=True)
    remove(base)
    (cache / "archives").mkdir(parents=True, exist_ok=True)
    options = ["APT::Get::Assume-Yes true", *proxies]
    # The disk need not be waited for: after a crash the root is made anew.
    run(["mmdebstrap", "--mode=root", "--variant=apt", f"--include={made_of[3]}", "--dpkgopt=force-unsafe-io", "--skip=cleanup/reproducible",
         *(f"--aptopt={option.rstrip(';')}" for option in options), codename, base, *lines])
    stamp.write_text(json.dumps(made_of))
    return "made"


class Root:
    """A copy of the base with a clone, and one who works in it: root without sudo, or an ordinary user with it."""

    def __init__(self, name, user):
        self.name, self.folder = name, cache / f"root-{name}"
        self.user = "user" if user else "root"
        self.title = "an ordinary user with sudo" if user else "root"
        leave(self.folder)
        run(["cp", "-a", "--reflink=auto", cache / "base", self.folder])
        for name in ("resolv.conf", "hosts"):
            shutil.copy(pathlib.Path("/etc") / name, self.folder / "etc" / name)
        archives = self.folder / "var/cache/apt/archives"
        for deb in (cache / "archives").glob("*.deb"):
            os.link(deb, archives / deb.name)
        if user:
            self.run("useradd --create-home --shell /bin/bash user", user="root")
            (self.folder / "etc/sudoers.d/user").write_text("user ALL=(ALL) NOPASSWD: ALL\n")
        else:
            self.run("SUDO_FORCE_REMOVE=yes dpkg --purge sudo", user="root")
        if (source / ".git").exists():
            run(["git", "-c", "safe.directory=*", "clone", "--quiet", "--depth", "1", f"file://{source}", f"{self.folder}{clone}"])
        self.own(clone)

    def own(self, path):
        self.run(f"chown -R {self.user}:{self.user} {path}", user="root")

    def run(self, text, user=None, folder="/", home=None, show=False, **variables):
        """Runs text by sh in the root and returns what it printed."""
        user = user or self.user
        home = home or ("/root" if user == "root" else "/home/user")
        path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
        environment = {"HOME": home, "USER": user, "LOGNAME": user, "PATH": path, "SHELL": "/bin/sh", "TERM": "dumb",
                       "DEBIAN_FRONTEND": "noninteractive", **variables}
        if "JOBS" in os.environ:
            environment["JOBS"] = os.environ["JOBS"]
        # /sys is left out: not every container has it.
        inside = (f"mount --make-rprivate / && mount -t proc proc {self.folder}/proc && mount --rbind /dev {self.folder}/dev && "
                  f'exec chroot --userspec={user}:{user} {self.folder} /bin/sh -c "cd {folder} || exit 1\n$1"')
        return run(["unshare", "--mount", "--pid", "--fork", "--kill-child", "/bin/sh", "-c", inside, "sh", text], show, env=environment)

    def close(self):
        """Keeps the packages that were fetched, and removes the rest."""
        for deb in (self.folder / "var/cache/apt/archives").glob("*.deb"):
            if not (cache / "archives" / deb.name).exists():
                os.link(deb, cache / "archives" / deb.name)
        if not keep:
            leave(self.folder)

    # --- objects of the library that were compiled before

    def take_library(self, held, folder):
        """Puts a build folder, held on this machine and made as `folder` in a root, into `built` beside it, and compilers before the others that
        look there first."""
        beside = str(pathlib.Path(folder).parent / "built")
        built = self.folder / beside[1:]
        remove(built)
        shutil.copytree(held, built, symlinks=True, copy_function=shutil.copyfile)
        for made in built.rglob("*.o"):
            made.touch()  # it is not older than the copies of what it was made from
        commands = built / "compile_commands.json"
        commands.write_text(re.sub(rf'{folder}(?=["/])', beside, commands.read_text()))
        # Not the clone's own: it would be among the files that git does not know.
        shutil.copy(source / "tools/share_objects.py", self.folder / "usr/local/lib/share_objects.py")
        for name in ("c++", "g++"):
            wrapper = self.folder / "usr/local/bin" / name
            wrapper.write_text(f'#!/bin/sh\nPATH=/usr/bin:/bin exec python3 /usr/local/lib/share_objects.py {beside} /usr/bin/{name} "$@"\n')
            wrapper.chmod(0o755)

    def forget_library(self):
        for name in ("c++", "g++"):
            (self.folder / "usr/local/bin" / name).unlink(missing_ok=True)


def remove(folder):
    """Removes a root; none is mounted in, as mounts end with the namespace of the command that made them."""
    if folder.exists():
        run(["rm", "-rf", "--one-file-system", folder])


def leave(folder):
    """Gives the folder of a root another name, and has it removed while other things go on, after this script if need be: it takes minutes
    on some disks."""
    if folder.exists():
        aside = folder.with_name(f"{removed}{time.time_ns()}")
        folder.rename(aside)
        remove_beside(aside)


def remove_beside(folder):
    nothing = subprocess.DEVNULL
    subprocess.Popen(["rm", "-rf", "--one-file-system", folder], stdin=nothing, stdout=nothing, stderr=nothing, start_new_session=True)


# --- the steps --------------------------------------------------------------------------------------------------------


def as_said(root, line):
    """A command as this user enters it."""
    return re.sub(r"^sudo ", "", line) if root.user == "root" else line


def demo(root):
    def shown():
        root.run(command("Try it", "./dev demo"), folder=clone)
        pictures = list((root.folder / clone[1:] / "demo-out").glob("*.png"))
        if len(pictures) < 6:
            raise Failed(f"it wrote {len(pictures)} pictures")

    case(f"demo, as {root.title}", shown)


def write(root, path, text):
    file = root.folder / path[1:]
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def consume(root, kind, home):
    """The README's program in each of the three ways, with the variables as the README sets them."""
    exports = "\n".join(blocks("Install")[1])
    by_pkg_config, by_cmake, by_meson = ("\n".join(block) for block in blocks("Use"))
    name = re.search(r"target_link_libraries\((\w+)", by_cmake).group(1)
    ways = {
        "pkg-config": (by_pkg_config, "./a.out", {}),
        "CMake": ("cmake -G Ninja -S . -B build && cmake --build build", f"build/{name}", {
            "CMakeLists.txt": f"cmake_minimum_required(VERSION 3.20)\nproject(program CXX)\nadd_executable({name} main.cpp)\n{by_cmake}\n"}),
        "meson": ("meson setup build && ninja -C build", f"build/{name}", {
            "meson.build": "project('program', 'cpp', default_options: ['cpp_std=c++20', 'buildtype=release'])\n" + by_meson + "\n"}),
    }
    for way, (build, program, files) in ways.items():
        folder = f"{home}/by_{way}"

        def built(way=way, build=build, program=program, files=files, folder=folder):
            if way in consumers_bring:
                root.run(f"apt-get install -q --no-install-recommends {consumers_bring[way]}", user="root")
            for path, text in {"main.cpp": fenced("cpp"), **files}.items():
                write(root, f"{folder}/{path}", text)
            root.own(folder)
            root.run(f"{exports}\n{build}", folder=folder, home=home)
            said = root.run(f"{exports}\n{program}", folder=folder, home=home)
            if said != fenced("text"):
                raise Failed(f"the program should print {fenced('text')!r} and prints {said!r}")
            linked = "libbroadloom.so" in root.run(f"{exports}\nldd {program}", folder=folder, home=home)
            if linked != (kind == "shared"):
                raise Failed(f"the program was {'' if linked else 'not '}linked to the shared library")

        case(f"the program by {way}, {kind}, as {root.title}", built)


def install(root, ready=None):
    """README's commands; `ready` comes before the first that compiles."""
    lines = blocks("Install")[0]
    home = "/root" if root.user == "root" else "/home/user"
    for line in lines:
        if line.startswith("ninja") and ready:
            ready()
        if not case(f"{line.split('  ')[0][:60]}, as {root.title}", root.run, as_said(root, line), None, clone):
            return
    root.forget_library()
    consume(root, "shared", home)


def install_static(root):
    """The same with the option that the README names, in another home and with the objects of the shared library."""
    option = "-Ddefault_library=static"
    if f"`{option}`" not in readme:
        count.case("README.md says how a static library is built", 0, f"it does not name {option}")
        return
    home = "/home/static"
    folder = f"{clone}/{build_folder()}"
    root.run(f"mkdir -p {home} && chown {root.user}: {home}", user="root")
    root.take_library(root.folder / folder[1:], folder)
    root.run(f"rm -rf {folder}")
    for line in blocks("Install")[0]:
        if "apt-get" in line:
            continue
        text = line.replace("meson setup", f"meson setup {option}")
        if not case(f"{text.split('  ')[0][:60]}, as {root.title}", root.run, text, None, clone, home):
            return
    root.forget_library()
    consume(root, "static", home)


def demo_and_install(wanted):
    """As an ordinary user with sudo in one root, and as root in another, in the opposite order: the first command of each finds nothing
    installed. All tests are run by the first, in the build folder that the demonstration left."""
    folders = {"demo": "build", "install": build_folder()}
    steps = [stage for stage in wanted if stage in folders]
    first_folder = f"{clone}/{folders[steps[0]]}"
    compiled = threading.Event()

    def by_user():
        root = None
        try:
            root = Root("user", user=True)
            made["user"] = root
            for stage in steps:
                if stage != steps[0]:
                    root.take_library(root.folder / first_folder[1:], first_folder)
                demo(root) if stage == "demo" else install(root)
                compiled.set()
                root.forget_library()
            if "install" in wanted:
                install_static(root)
                root.forget_library()
            if "test" in wanted:
                test(root)
        finally:
            compiled.set()

    def by_root():
        root = Root("root", user=False)
        made["root"] = root

        def ready():
            compiled.wait()
            if "user" not in made:
                raise Failed("the library was not built in the other root")
            root.take_library(made["user"].folder / first_folder[1:], first_folder)

        for stage in reversed(steps):
            if stage == "demo":
                ready()
                demo(root)
            else:
                install(root, ready)
        made.pop("root").close()

    made = {}
    with concurrent.futures.ThreadPoolExecutor() as pool:
        for title, done in (("the ordinary user's root", pool.submit(by_user)), ("root's root", pool.submit(by_root))):
            try:
                done.result()
            except (Failed, OSError) as caught:
                count.case(title, 0, caught)
    for root in made.values():
        root.close()


def test(root):
    """./dev test; its own totals are added to these."""

    def all_of_it():
        said = root.run(command("Try it", "./dev test") + "\nexit 0", folder=clone, show=True)
        last = re.search(r"^(\d+) passed, (\d+) failed.*\Z", said.rstrip(), re.MULTILINE)
        if not last:
            raise Failed("./dev test ended without totals")
        count.add(int(last.group(1)), int(last.group(2)))

    case(f"./dev test, as {root.title}", all_of_it)


def optional_packages():
    """What ./dev installs for tests, benchmarks and examples, but for what the library itself needs."""
    lists = dict(re.findall(r'^(\w+)_packages="([^"]*)"', (source / "dev").read_text(), re.MULTILINE))
    wanted = {name for key in ("base", "test", "bench", "reference") for name in lists[key].split()}
    return sorted(wanted - set(" ".join(blocks("Install")[0]).split()) - {"python3"})


def options():
    """Configures with each package left out in turn: it and what apt would remove with it, moved aside."""
    root = Root("options", user=False)
    setup = "meson setup ../configured -Dtests=auto -Dexamples=auto -Dbench=enabled"

    def configured(without=()):
        aside = {}
        for name in without:
            for line in (root.folder / "var/lib/dpkg/info").glob(f"{name}.list"), (root.folder / "var/lib/dpkg/info").glob(f"{name}:*.list"):
                for listing in line:
                    for path in listing.read_text().splitlines():
                        file = root.folder / path[1:]
                        if path.startswith("/usr/") and (file.is_symlink() or file.is_file()):
                            aside[file] = file.with_name(file.name + ".aside")
        try:
            for file, other in aside.items():
                file.rename(other)
            root.run(f"rm -rf ../configured && {setup}", folder=clone)
        finally:
            for file, other in aside.items():
                if other.is_symlink() or other.exists():
                    other.rename(file)

    try:
        packages = optional_packages()
        if not case("README's packages alone", lambda: ([root.run(as_said(root, line)) for line in blocks("Install")[0] if "apt-get" in line], configured())):
            return
        if not case("all packages", lambda: (root.run("apt-get install -q --no-install-recommends " + " ".join(packages)), configured())):
            return
        needed = set(re.findall(r"^(\S+?)(?::\S+)?$", root.run("dpkg-query -W -f '${Package}\\n' g++ meson ninja-build pkgconf python3"), re.MULTILINE))
        for name in packages:
            said = root.run(f"apt-get --simulate autoremove {name}")
            gone = set(re.findall(r"^Remv (\S+)", said, re.MULTILINE))
            if needed & gone:
                print(f"{name} is not optional: {', '.join(sorted(needed & gone))} would go with it", flush=True)
                continue
            case(f"without {name}, and {len(gone) - 1} packages with it", configured, gone)
    finally:
        root.close()


def release_script():
    """tools/release, which makes the archives of releases."""
    loader = importlib.machinery.SourceFileLoader("release", str(source / "tools/release"))
    script = importlib.util.module_from_spec(importlib.util.spec_from_loader("release", loader))
    loader.exec_module(script)
    return script


def recipes():
    """Each recipe's build lines, from an archive of HEAD; what it depends on comes from Debian."""
    root = Root("recipes", user=False)
    try:
        version = (source / "VERSION").read_text().strip()
        packages = " ".join(blocks("Install")[0]).split("apt-get install ")[1].split(" meson setup")[0] + " cmake libminizip-dev zlib1g-dev"
        if not case("packages of the recipes", root.run, f"apt-get update -q && apt-get install -q --no-install-recommends {packages}"):
            return
        tree, archive, work, held = f"/srv/broadloom-{version}", f"/srv/broadloom-{version}.tar.xz", "/srv/work", root.folder / "srv/held"
        release_script().pack(root.folder / clone[1:], version, root.folder / archive[1:])
        with tarfile.open(root.folder / archive[1:]) as archived:
            archived.extractall(root.folder / "srv")
        if fenced("cpp") not in (root.folder / tree[1:] / "packaging/conan/test_package/main.cpp").read_text():
            count.case("the program of Conan's test_package is the README's", 0, "it is another")
        stands_in = f"{tree}/test/package/recipes"
        for name, words, kind in (
            ("conda-forge", f"python3 {stands_in}/conda.py {tree}/packaging/conda-forge {archive} {work} {{prefix}}", "meson"),
            ("Spack", f"python3 {stands_in}/spack.py {tree}/packaging/spack/broadloom {archive} {work} {{prefix}}", "CMake"),
            ("Conan", f"python3 {stands_in}/conan.py {tree}/packaging/conan {archive} {work} {{prefix}}", "CMake"),
            ("vcpkg", f"cmake -DRECIPE={tree}/packaging/vcpkg/broadloom -DARCHIVE={archive} -DWORK={work} -DPREFIX={{prefix}} -P {stands_in}/vcpkg.cmake", "CMake"),
        ):
            prefix = f"/srv/prefix-{name}"

            def built(name=name, words=words, prefix=prefix, kind=kind):
                root.run(f"rm -rf {work} && mkdir -p {work} {prefix}")
                if kind == "CMake" and held.exists():
                    # Three recipes compile the same files by CMake with the same flags.
                    root.take_library(held, f"{work}/build")
                try:
                    root.run(words.format(prefix=prefix), folder=work, CMAKE_EXPORT_COMPILE_COMMANDS="ON")
                finally:
                    root.forget_library()
                # Conan makes the files by which CMake finds a package itself, and its recipe has a program of its own.
                if name != "Conan":
                    said = root.run(f"cmake -G Ninja -S {tree}/test/package/cmake -B /srv/program-{name} -DCMAKE_PREFIX_PATH={prefix} >&2 && "
                                    f"cmake --build /srv/program-{name} >&2 && LD_LIBRARY_PATH={prefix}/lib /srv/program-{name}/foreign")
                    if not said.endswith("11 36\n"):
                        raise Failed(said)
                if kind == "CMake" and not held.exists():
                    (root.folder / work[1:] / "build").rename(held)

            case(f"the recipe for {name}", built)
    finally:
        root.close()


def main():
    wanted = [word for word in sys.argv[2:] if word != "--keep"] or ["demo", "install"]
    unknown = [word for word in wanted if word not in ("demo", "install", "test", "options", "recipes")]
    if unknown:
        sys.exit(__doc__)
    if os.geteuid() != 0:
        sys.exit("fresh.py: only root can enter a root: ./dev fresh calls sudo")
    cache.mkdir(parents=True, exist_ok=True)
    with open(cache / "lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for left in cache.glob(f"{removed}*"):
            remove_beside(left)  # whose removal was interrupted
        how = []
        if case("a minimal Debian root", lambda: how.append(make_base())):
            print(f"the root was {how[0]}", flush=True)
            if "demo" in wanted or "install" in wanted:
                demo_and_install(wanted)
            elif "test" in wanted:
                root = Root("test", user=True)
                test(root)
                root.close()
            for stage, step in (("options", options), ("recipes", recipes)):
                if stage in wanted:
                    try:
                        step()
                    except (Failed, OSError) as caught:
                        count.case(stage, 0, caught)
    print(f"\na fresh machine: {', '.join(wanted)}, {time.monotonic() - started:.0f} s")
    print(f"{count.passed} passed, {count.failed} failed", flush=True)
    sys.exit(1 if count.failed else 0)


if __name__ == "__main__":
    main()
