#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Names of files in comments and pages: named_files.py [TREE]

A name that ends in .c, .h, .cc, .v, .md, .sh, .py or .def is a file of the tree, whole or by the end of its path.
Exempt are names with a part in capitals (PAGE.md, ace_NAME.c), names that are made by a build, and names
of other projects; the two lists below say which.  Three more rules hold for what is said of a file:

  a list      A C file that a list (*.def) names uses the list: the file has the list's name in the singular.
  a function  In `name() (file.c)` and `file.c's name()` the file has the name.  In a page, a source has the name of
              "`name()`".
  a struct    In a page, after "`name` in [`file.h`](path)", the file has `struct name`.  Of a struct with members that
              is named so, "`name.member`" anywhere in the page is a member.

Prints what is wrong as FILE:LINE and exits with status 1.
"""
import pathlib
import re
import subprocess
import sys

MADE = {"CLASS___024root.h", "ace_node_pin_names.h", "ace_set.h"}
FOREIGN = {"doc/PERFORMANCE.md", "docs/slurm-cluster/slurm-perf-cluster.md", "msccl/topologies/nvidia.py", "src/graph/topo.cc",
           "src/collectives/device/msccl_interpreter.h", "src/core/executor/execution_plan.cc", "src/graph/tuning.cc"}
NAME = re.compile(r"[A-Za-z0-9_./$-]*[A-Za-z0-9_]\.(?:cc|c|h|v|md|sh|py|def)\b(?![A-Za-z0-9_(*]|\.[A-Za-z0-9])")
PLACEHOLDER = re.compile(r"(^|[/_])(?:[A-Z]+|x)(?:\.|_test|/)")
BRACED = re.compile(r"\{[^}]*\}|\*|<")
SAID = re.compile(r"\b([a-z][a-z0-9_]+)\(\)\s*\(([a-z0-9_]+\.[ch])\)|\b([a-z0-9_]+\.[ch])'s\s+([a-z][a-z0-9_]+)\(\)")
STRUCT = re.compile(r"`([a-z][a-z0-9_]+)`\s+in\s+\[`([a-z0-9_]+\.h)`\]")
CALL = re.compile(r"`([a-zA-Z_][a-zA-Z0-9_]+)\(\)`")
MEMBER = re.compile(r"`([a-z][a-z0-9_]+)\.(?!(?:cc?|h|v|def|yaml)`)([a-z0-9_]+)`")
C_LIKE = {".c", ".h", ".cc", ".v", ".vh", ".def", ".proto"}
HASHED = {".sh", ".py", ".cmake", ".txt", ".yaml", ".gnuplot", ".awk", ".gtkw", ".tcl", ".sdc", ".sql"}


def comments(path, text):
    """The comments of a source file, or the text of a page, each with the number of its first line."""
    if path.suffix == ".md":
        code = False
        for number, line in enumerate(text.split("\n"), 1):
            code ^= line.lstrip().startswith("```")
            if not code:
                yield number, line
    elif path.suffix in C_LIKE:
        for match in re.finditer(r'"(?:\\.|[^"\\\n])*"|/\*.*?\*/|//[^\n]*', text, re.S):
            if match.group(0)[0] != '"':
                yield text.count("\n", 0, match.start()) + 1, match.group(0)
    elif path.suffix in HASHED or path.name in ("CMakeLists.txt",):
        for number, line in enumerate(text.split("\n"), 1):
            match = re.search(r"(?:^|\s)(?:#|--|\[\*\])\s(.*)", line)
            if match:
                yield number, match.group(1)


def body(name, text):
    """The members of a struct as text; "" where the text declares the struct without them, None where it does not."""
    if not re.search(rf"\bstruct {name}\b", text):
        return None
    found = re.search(rf"\bstruct {name} \{{(.*?)^\}}", text, re.S | re.M)
    return re.sub(r"/\*.*?\*/", "", found.group(1), flags=re.S) if found else ""


def structs(page, of_name):
    """Yields what is wrong with the structs that a page names with their files: line, found, expected."""
    bodies = {}
    for match in STRUCT.finditer(page):
        name, file = match.groups()
        members = body(name, of_name.get(file, ""))
        if members is None:
            yield page.count("\n", 0, match.start()) + 1, f"struct {name} of {file}", "a file that has it"
        elif members:
            bodies[name] = members
    for match in MEMBER.finditer(page):
        name, member = match.groups()
        if name in bodies and not re.search(rf"\b{member}\b", bodies[name]):
            yield page.count("\n", 0, match.start()) + 1, f"{name}.{member}", "a member of the struct"


def main(tree):
    listed = subprocess.run(["git", "-C", tree, "ls-files", "-co", "--exclude-standard"], capture_output=True, text=True)
    if listed.returncode == 0:
        files = [pathlib.Path(name) for name in listed.stdout.splitlines()]
    else:
        files = [path.relative_to(tree) for path in pathlib.Path(tree).rglob("*")
                 if not {"build", "out", ".git"} & set(path.relative_to(tree).parts)]
    files = [path for path in files if (tree / path).is_file()]
    ends = {"/".join(path.parts[i:]) for path in files for i in range(len(path.parts))}
    texts = {}
    for path in files:
        try:
            texts[path] = (tree / path).read_text()
        except UnicodeDecodeError:
            pass
    of_name = {path.name: text for path, text in texts.items() if path.suffix in C_LIKE}
    words = {word for path, text in texts.items() if path.suffix != ".md" for word in re.findall(r"\w+", text)}
    names = wrong = 0

    def report(path, line, found, expected):
        nonlocal wrong
        wrong += 1
        print(f"{path}:{line}: found {found}, expected {expected}")

    for path, text in texts.items():
        if path.name == "CHANGELOG.md" or path.parts[:3] == ("docs", "results", "campaign"):
            continue                    # what was, and what a command printed
        if path.suffix == ".md":
            for line, found, expected in structs(text, of_name):
                report(path, line, found, expected)
            for match in CALL.finditer(text):
                if match.group(1) not in words:
                    report(path, text.count("\n", 0, match.start()) + 1, f"{match.group(1)}()", "a function of the tree")
        for first, comment in comments(path, text):
            for match in NAME.finditer(comment):
                name, line = match.group(0), first + comment.count("\n", 0, match.start())
                before = comment[max(0, match.start() - 1):match.start()]
                if name.startswith("/") or before in ("}", "*", ">", "{") or BRACED.search(name) or "$" in name:
                    continue
                while name.startswith(("./", "../")):
                    name = name.split("/", 1)[1]
                if PLACEHOLDER.search("/" + name) or name in MADE or name in FOREIGN:
                    continue
                names += 1
                if name not in ends and not (tree / path.parent / match.group(0)).exists():
                    report(path, line, name, "a file of the tree")
                elif path.suffix == ".def" and name.endswith(".c") and "/" not in name:
                    if path.stem.rstrip("s") not in of_name.get(name, ""):
                        report(path, line, name, f"a file that uses {path.stem}")
            for match in SAID.finditer(comment):
                function, file = match.group(1) or match.group(4), match.group(2) or match.group(3)
                if file in of_name and not re.search(rf"\b{function}\b", of_name[file]):
                    report(path, first + comment.count("\n", 0, match.start()), f"{function}() of {file}", "a file that has it")
    print(f"{names} names of files, {wrong} wrong")
    return wrong > 0 or not names


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()))
