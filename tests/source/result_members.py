#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""result_members.py ACESIM FILE... -- each member of results is in the list of acesim help members.

A file is NAME.json or NAME.N.json, a result of the command or view NAME. Prints the members that the
list lacks, and those of the list that no result has: of the commands whose files between them have all.
"""
import json
import pathlib
import re
import subprocess
import sys

WHOLE = "collective run train search astra msccl diff rtl model footprint strategy pipeline workload".split()
# Members that need what a test of minutes has: unlike networks, calibrations, links of a file.
RARE = re.compile(r"^(interval|expected_error|beyond_measured|unsure_cycles|links|memory_fits|memory_local|"
                  r"algorithms_by_size|"
                  r"memory_expanded|memory_bandwidth_(GBps|optimizer|of_both)|samples.collectives_left_out|jobs\.|"
                  r"memory_bytes_per_npu|expanded_memory|configuration\.rtl|message$|cycles_by_pins|register_path)")


def listed(acesim, command):
    """Paths of the members of a command, by its own words."""
    text = subprocess.run([acesim, "help", "members", command], capture_output=True, text=True, check=True).stdout
    return [line.split("`")[1] for line in text.splitlines() if line.startswith("- `")]


def member_of(paths, path):
    """The listed path that stands for this one: the longest, exact before `*`."""
    words = path.split(".")
    for i in range(len(words)):
        rest = ".".join(words[i:])
        if rest in paths:
            return rest
        for p in paths:
            if p.endswith("*") and rest.startswith(p[:-1]):
                return p
    return None


def walk(value, path, command, found):
    """Adds (command, path) of each value that is no object; a result inside a result is of its own command."""
    if isinstance(value, dict):
        said = value.get("command")
        if path and isinstance(said, list) and said:
            found.add((command, path))
            command, path = said[0], ""
        for name, inner in value.items():
            walk(inner, f"{path}.{name}" if path else name, command, found)
    elif isinstance(value, list) and any(isinstance(v, dict) for v in value):
        for v in value:
            walk(v, path, command, found)
    else:
        found.add((command, path))


def main():
    acesim, found, failed = sys.argv[1], set(), 0
    for name in sys.argv[2:]:
        walk(json.loads(pathlib.Path(name).read_text()), "", pathlib.Path(name).name.split(".")[0], found)
    lists, seen = {}, set()
    for command, path in sorted(found):
        if command not in lists:
            lists[command] = listed(acesim, command)
        paths = lists[command]
        member = member_of(paths, path)
        if member is None:
            print(f"acesim help members {command}: found no line for the member {path}")
            failed += 1
        seen.add((command, member))
        for k in range(path.count(".")):  # objects on the way may have lines of their own
            seen.add((command, member_of(paths, ".".join(path.split(".")[:k + 1]))))
    for command in WHOLE:
        for path in lists.get(command, []):
            if (command, path) not in seen and not RARE.match(path):
                if not any(c != command and p == path for c, p in seen):
                    print(f"acesim help members {command}: found a line for {path}, which no result has")
                    failed += 1
    print(f"{len(found)} members of {len(lists)} commands, {failed} amiss")
    return 1 if failed or len(found) < 10 * len(sys.argv[2:]) else 0


sys.exit(main())
