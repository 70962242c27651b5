#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Does what HACKING.md says, on copies, and tries what comes of it.

  recipes.py ROOT BUILD NAME     apply NAME.patch to copies of the files that it changes, build them
                                 with the objects of that build, and try the result
  recipes.py ROOT BUILD names    check that HACKING.md names files and functions that there are

The build must be one by make: the commands that link are taken from it.
"""

import concurrent.futures
import itertools
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent


class Stale(Exception):
    """A recipe does not fit the sources."""


# ---- patches


def parse_patch(text):
    """[(path, is new, [lines of each hunk])] of the output of git diff."""
    files = []
    for line in text.splitlines(True):
        if line.startswith("diff --git "):
            files.append([line.split(" b/")[1].strip(), False, []])
        elif line.startswith("new file"):
            files[-1][1] = True
        elif line.startswith("@@"):
            files[-1][2].append([])
            hunks = files[-1][2]
        elif files and files[-1][2] and line[0] in " +-":
            hunks[-1].append(line)
    return files


def context(hunk):
    """How many lines of context the hunk begins with."""
    return next(i for i, line in enumerate(hunk) if line[0] != " ")


def apply_hunk(path, lines, hunk):
    """The hunk where its old lines stand, with less of its context if they stand nowhere."""
    before, after = context(hunk), context(hunk[::-1])
    for less in sorted(itertools.product(range(before + 1), range(after + 1)), key=sum):
        part = hunk[less[0]:len(hunk) - less[1]]
        old = [line[1:] for line in part if line[0] in " -"]
        found = [i for i in range(len(lines)) if old and lines[i:i + len(old)] == old]
        if len(found) == 1:
            new = [line[1:] for line in part if line[0] in " +"]
            return lines[:found[0]] + new + lines[found[0] + len(old):]
    raise Stale(f"{path}: these lines do not stand there once:\n{''.join(hunk)}")


def apply_patch(root, folder, patch):
    """Writes what the patch makes of the files into the folder. Returns their paths."""
    files = parse_patch(patch.read_text())
    for path, is_new, hunks in files:
        if is_new == (root / path).exists():
            raise Stale(f"{patch.name}: {path} {'exists' if is_new else 'is missing'}")
        lines = [] if is_new else (root / path).read_text().splitlines(True)
        for hunk in hunks:
            lines = [x[1:] for x in hunk] if is_new else apply_hunk(path, lines, hunk)
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text("".join(lines))
    return [path for path, _, _ in files]


# ---- a build beside the build


def run(command, **more):
    done = subprocess.run([str(word) for word in command], text=True, capture_output=True, **more)
    if done.returncode != 0:
        raise SystemExit(f"failed: {shlex.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


class Changed:
    """Copies of the files that a recipe changes, and objects made of them."""

    def __init__(self, root, build, folder, name):
        self.root, self.build, self.folder = root, build, folder
        self.paths = apply_patch(root, folder, HERE / f"{name}.patch")
        entries = json.loads((build / "compile_commands.json").read_text())
        self.commands = {os.path.relpath(x["file"], root): x for x in entries}
        cache = (build / "CMakeCache.txt").read_text()
        self.program = re.search(r"^CMAKE_MAKE_PROGRAM:\w+=(.*)$", cache, re.M)[1]
        self.check_lists()

    def check_lists(self):
        """Each new source stands in a list of sources."""
        lists = "".join((self.folder / p).read_text() for p in self.paths
                        if p.endswith((".txt", ".cmake")))
        for path in self.sources():
            if path not in self.commands and os.path.basename(path) not in lists:
                raise Stale(f"{path} is in no list of sources")

    def sources(self):
        return [p for p in self.paths if p.endswith(".c")]

    def includes(self):
        """The folders of changed headers, as they are written in an -I of the build."""
        for path in self.paths:
            above = pathlib.PurePath(path).parent
            if path.endswith(".h"):
                yield self.folder / (above.parent if above.parent.name == "include" else above)

    def compile(self, path):
        """Of a changed file, or of one that includes a changed header. A new one is compiled as the
        file of its folder whose name begins most like its own."""
        same_folder = [p for p in self.commands if os.path.dirname(p) == os.path.dirname(path)]
        like = max(same_folder, key=lambda p: len(os.path.commonprefix((p, path))))
        entry = self.commands[path if path in self.commands else like]
        source = self.folder / path if (self.folder / path).exists() else self.root / path
        made = self.folder / "objects" / (path.replace("/", "+") + ".o")
        words = shlex.split(entry["command"])
        at = words.index("-o")
        words = words[:at] + words[words.index("-c"):]
        words[words.index("-c") + 1:] = [str(source), "-o", str(made), "-O0"]
        own = [f"-I{x}" for x in (*self.includes(), self.root / os.path.dirname(path))]
        made.parent.mkdir(exist_ok=True)
        run([words[0], *own, *words[1:]], cwd=entry["directory"])
        return made

    def compile_all(self, paths):
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            return dict(zip(paths, pool.map(self.compile, paths)))

    def ninja(self, *words):
        """The lines that Ninja says of the build."""
        return subprocess.run([self.program, "-C", self.build, "-t", *words], check=True, text=True,
                              capture_output=True).stdout.splitlines()

    def users(self, header, under):
        """Sources below that folder that include the header, by the build's dependencies."""
        made = ""
        for line in self.ninja("deps"):
            if not line.startswith(" "):
                made = line.partition(":")[0]
            elif made.startswith(f"{under}/") and line.endswith(f"/{header}"):
                yield re.sub(r"/CMakeFiles/[^/]*\.dir/(.*)\.o$", r"/\1", made)

    def link(self, folder, target, objects, instead=()):
        """The program of that target with these objects in place of those of the same sources.
        instead: names of objects that are left out."""
        # ": && cc ... -o PROGRAM ... && :"
        words = shlex.split(self.ninja("commands", target)[-1])[2:-2]
        names = {os.path.relpath(p, folder) + ".o" for p in objects} | set(instead)
        at = words.index("-o")
        kept = [w for w in words[1:at] if w.partition(".dir/")[2] not in names]
        program = self.folder / target
        run([words[0], *kept, *objects.values(), "-o", program, *words[at + 2:]], cwd=self.build)
        return program


def build_mprof(changed):
    return changed.link("cli/command", "mprof", changed.compile_all(changed.sources()))


def profile_file(changed):
    """A file of a profile: of main 5 hits, of idle 7."""
    sys.path.insert(0, str(changed.root / "tests/system"))
    import pprof_file
    return pprof_file.write(changed.folder / "a.pb.gz", {"main": 5, "idle": 7})


def expect(said, wanted):
    if said != wanted:
        raise SystemExit(f"it says {said!r} and not {wanted!r}")


# ---- the recipes


def try_column(changed):
    mprof, profile = build_mprof(changed), profile_file(changed)
    report = [mprof, "report", profile, "--fields", "lost,hits,function"]
    expect(run([*report, "--format", "csv"]),
           "time,lost,hits,function\n10,0,7,idle\n10,0,5,main\n")
    assert "\n      LOST        HITS  FUNCTION\n         0           5  main\n" in run(report)
    assert "\n  lost        the most lost hits that the row may have" in run([mprof, "report", "--help"])


def try_verb(changed):
    mprof = build_mprof(changed)
    expect(run([mprof, "types", profile_file(changed)]), "samples count\n")
    assert "  types      List what files of profiles count\n" in run([mprof, "--help"])
    assert run([mprof, "types", "--help"]).startswith("usage: mprof types FILE... [OPTION]...\n")


def try_format(changed):
    mprof = build_mprof(changed)
    expect(run([mprof, "export", "--format", "tsv", profile_file(changed)]), "5\tmain\n7\tidle\n")
    assert "tsv" in run([mprof, "export", "--help"])


def try_link(changed):
    users = sorted({*changed.users("gdbmi/link.h", "gdbmi"), *changed.sources()})
    objects = changed.compile_all(users)
    for part in "set", "table":
        objects.pop(f"cli/options/option_{part}.c")
    run([changed.link("tests/unit", "test-link-pid", objects, ["test_link_pid.c.o"])])


def try_rig(changed):
    test = next(p for p in changed.paths if p.endswith(".py"))
    name = re.fullmatch(r"test_(\w+)\.py", os.path.basename(test))[1]
    lists = "".join((changed.folder / p).read_text() for p in changed.paths if p.endswith(".cmake"))
    assert f"mprof_system_test({name})" in lists
    env = dict(os.environ, MPROF_BUILD=str(changed.build), PYTHONDONTWRITEBYTECODE="1",
               PYTHONPATH=str(changed.root / "tests/system"))
    run([sys.executable, changed.folder / test], env=env)


PORT_MAIN = """
#include <mprof/mprof.h>
#include <stdio.h>
int main(void)
{
    mprof_init();
    mprof_sample(0x1000);
    mprof_sample(0x1004);
    const char *broken = mprof_port_check();
    printf("%u %u %s\\n", (unsigned)MPROF_PROF->header.heartbeat, MPROF_CNT - (unsigned)MPROF_PROF->items_lead.free,
           broken ? broken : "fine");
}
"""

# Ports that are not right, and how the text begins by which the check finds each.
PORT_FAULTS = [
    ("mprof_port_add(object, member, n)", "((object)->member += (uint32_t)(n), (object)->member - 1)",
     "mprof_port_add() adds"),
    ("mprof_port_add_if(object, member, n, condition, otherwise)",
     "do { (void)(condition); (object)->member += (n); if (0) { otherwise; } } while (0)",
     "mprof_port_add_if() adds"),
    ("mprof_port_add_if(object, member, n, condition, otherwise)",
     "do { uint32_t old_ = (object)->member; if (!(condition)) { otherwise; } "
     "(object)->member = old_ + (n); } while (0)", "mprof_port_add_if() loses"),
    ("mprof_port_switch(word, byte, on, off)",
     "do { (void)(byte); *(word) = ((*(word) | (on)) & ~(off)) & 0xff000000U; } while (0)",
     "mprof_port_switch()"),
    ("mprof_port_add_if(object, member, n, condition, otherwise)",
     "do { uint32_t mask_ = mprof_port_mask(); if (!(condition)) { otherwise; } "
     "(object)->member += (uint32_t)(n); mprof_port_unmask(mask_); } while (0)",
     "interrupts are as before"),
]


def try_port(changed):
    stub, folder = changed.root / "target-stub", changed.folder
    port = folder / os.path.dirname(changed.paths[0])
    header, text = port / "mprof_port.h", (port / "mprof_port.h").read_text()
    main = folder / "main.c"
    main.write_text(PORT_MAIN)
    flags = ["-std=c99", "-Wall", "-Wextra", "-Werror", f"-I{stub}/include", f"-I{stub}/src", f"-I{port}"]
    compiler = shlex.split(changed.commands["cli/command/main.c"]["command"])[0]
    sources = sorted((stub / "src").glob("*.c"))

    def says(*more):
        run([compiler, *flags, *more, main, *sources, "-o", folder / "port"])
        return run([folder / "port"])

    def end_with(lines):
        header.write_text(text.replace("\n#endif\n", f"\n{lines}\n#endif\n"))

    expect(says(), "2 1 fine\n")
    contract = (stub / "src/port.h").read_text()
    for name in re.findall(r"#ifndef ((?:MPROF_PORT_|mprof_port_)\w+)", contract):
        end_with(f"#undef {name}")
        refused = subprocess.run([compiler, *flags, "-fsyntax-only", stub / "src/table.c"],
                                 text=True, capture_output=True)
        assert f"mprof_port.h must define {name}" in refused.stderr, (name, refused.stderr)
    sources = [stub / "src" / name for name in
               ("port_check.c", "init.c", "clear.c", "gate.c", "table.c")]
    for macro, body, rule in PORT_FAULTS:
        name = macro.partition("(")[0]
        end_with(f"#undef {name}\n#define {macro} {body}")
        found = says("-w").split(" ", 2)[2]
        assert found.startswith(rule), (macro, body, found)


# ---- what HACKING.md names


def code_of(root):
    files = subprocess.run(["git", "ls-files"], cwd=root, text=True, capture_output=True)
    paths = files.stdout.split() if files.returncode == 0 else \
        [os.path.relpath(p, root) for top in ("cli", "gdbmi", "target-stub", "tests", "tools", "docs", "examples")
         for p in (root / top).rglob("*") if p.is_file()]
    return {p: (root / p).read_text(errors="replace") for p in paths
            if p.endswith((".c", ".h", ".py", ".cmake", "CMakeLists.txt")) and (root / p).is_file()}


def defines(text, name):
    """Whether the file defines the function or macro, or declares it: calls are indented."""
    return re.search(rf"^(?:#define {name}\(|function\({name}\b|\s*def {name}\(|"
                     rf"[^\s#/*}}].*\b{name}\(|{name}\()", text, re.M)


def check_names(root):
    page = (root / "HACKING.md").read_text()
    prose = re.sub(r"^```.*?^```$", "", page, flags=re.S | re.M)
    code = code_of(root)
    faults = []
    words = set(re.findall(r"`([^`\n]+)`", prose)) | set(re.findall(r"\]\(([^)#:]+)\)", prose))
    for word in sorted(w for w in words if not re.search("NAME|BOARD", w)):
        is_file = re.fullmatch(r"[\w.-]+(/[\w.-]+)+/?|[A-Z]\w+\.md", word)
        if is_file and not word.startswith(("build", "port/")) and not (root / word).exists():
            faults.append(f"there is no file {word}")
        function = re.fullmatch(r"(\w+)\(\)", word)
        if function and not any(defines(text, function[1]) for text in code.values()):
            faults.append(f"there is no function {function[1]}()")
    for name, path in re.findall(r"^\d+\. `(\w+)\(\)` \(`([\w./-]+)`\)", prose, re.M):
        if path in code and not defines(code[path], name):
            faults.append(f"{path} has no {name}()")
    for patch in sorted(HERE.glob("*.patch")):
        for path, is_new, _ in parse_patch(patch.read_text()):
            if f"`{path}`" not in prose and not is_new:
                faults.append(f"{patch.name} changes {path}, which HACKING.md does not name")
        if patch.stem not in TRIALS:
            faults.append(f"nobody tries {patch.name}")
    if faults:
        raise Stale("\n".join(faults))


TRIALS = {"column": try_column, "verb": try_verb, "format": try_format, "link": try_link,
          "port": try_port, "rig": try_rig}


def main():
    root, build, name = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve(), sys.argv[3]
    try:
        if name == "names":
            check_names(root)
            return
        with tempfile.TemporaryDirectory() as folder:
            TRIALS[name](Changed(root, build, pathlib.Path(folder), name))
    except Stale as fault:
        raise SystemExit(f"HACKING.md: {fault}") from None


main()
