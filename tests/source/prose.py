#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Finds sentences of pages and comments that are hard to read.

    prose.py [--list N] [--limits] FILE...

Prints one line a kind of text (pages, comments): its sentences, its long ones, and the ones with a
construction that hides who does what.  --list N adds the N worst with file and line.  --limits fails
when a kind breaks a limit of LIMITS.  tests/source/prose.sh runs this on the tree and tests it.
"""
import argparse
import re
import sys

LONG, TOO_LONG = 30, 40  # words in a sentence
LIMITS = {"long": 0.02, "odd": 0.03}  # shares of the sentences; none is too long
CONSTRUCTIONS = {
    "begins with a clause, not with its subject": r"^(Of|What|Who|Whoever|Whatever|Whose)\b(?!.*\?$)",
    "ends with a pronoun": r"\b(of|beside|behind|before|after|among|with) (it|them|those|that)[.;:]",
    "'that of' stands for a thing": r"\b(that|those) of\b",
    "a thing is told": r"\b(is|are|was|were) told\b|\btells? of\b",
    "a thing is 'who'": r"\b(node|packet|row|queue|link|engine|unit|machine|program|command|switch)s? who\b",
    "an idiom of this project": r"\b(found anew|on its way|at rest|goes by|and so on back|as well as else)\b",
}
BLOCK_COMMENTS = ("c", "h", "cc", "v", "vh", "def")
HASH_COMMENTS = ("sh", "py", "cmake", "txt", "awk")


def comment_lines(extension, text):
    """Yields (number, text or None, begins) of each line; None where the line has no prose."""
    inside = False
    for number, line in enumerate(text.splitlines(), 1):
        begins = False
        if extension in HASH_COMMENTS:
            found = re.match(r"\s*#(?!!)\s?(.*)", line)
            prose = found[1] if found else None
        elif inside or re.search(r'^[^"]*/\*', line):
            begins = not inside
            body = line if inside else line[line.index("/*") + 2 :]
            inside = "*/" not in body
            prose = re.sub(r"\*/.*$", "", re.sub(r"^\s*\*+(?!/)", "", body) if not begins else body)
        else:
            found = re.search(r'^([^"]*?)//+[!<]*\s?(.*)$', line)
            prose = found[2] if found else None
            begins = bool(found and found[1].strip())
        yield number, prose, begins


def page_lines(text):
    fenced = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
            yield number, None, True
        elif fenced or re.match(r"\s*(\||#|<|\[|!\[|---|>)", line):
            yield number, None, True
        else:
            item = re.match(r"\s*(?:[-*+]|\d+\.)\s+(.*)", line)
            yield number, item[1] if item else line, bool(item)


def is_drawing(prose):
    """A row of a table or a picture: columns, or hardly a word."""
    return bool(
        re.search(r"\S {3,}\S|--+>|<--+|[|+]--|^\s*[-*\d]\S*\s{2,}", prose)
        or re.match(r"\S+( \S+)? {2,}\S", prose.strip())
        or prose.strip().startswith("----")  # the head of a section
        or not re.search(r"[A-Za-z]{3}", prose)
        or "SPDX" in prose
    )


def blocks(path, text):
    """Lists of (line number, text) that belong together."""
    extension = path.rsplit(".", 1)[-1]
    lines = page_lines(text) if extension == "md" else comment_lines(extension, text)
    block = []
    for number, prose, begins in lines:
        item = prose is not None and re.match(r"\s*[-*] ", prose)  # an item of a list in a comment
        if begins or item or prose is None or not prose.strip() or is_drawing(prose):
            if block:
                yield block
            block = []
        if prose is not None and prose.strip() and not is_drawing(prose):
            block.append((number, prose.strip()))
    if block:
        yield block


def sentences(block):
    """Yields (first line, sentence); text in backquotes counts as one word."""
    words, first = [], None
    for number, prose in block:
        prose = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", prose)
        for word in re.sub(r"`[^`]*`", "CODE", prose).split():
            first = first or number
            words.append(word)
            if re.search(r"[.?!:][)\"'*_]*$", word) and not re.match(r"\(?(e\.g|i\.e|etc|vs|cf|al|Fig)\.", word):
                yield first, " ".join(words)
                words, first = [], None
    if len(words) > 4:
        yield first, " ".join(words)


def faults(sentence):
    return [name for name, pattern in CONSTRUCTIONS.items() if re.search(pattern, sentence)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", type=int, default=0, metavar="N")
    parser.add_argument("--limits", action="store_true")
    parser.add_argument("files", nargs="+", metavar="FILE")
    options = parser.parse_args()
    counts, worst, broken = {}, [], []
    for path in options.files:
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read()
        kind = counts.setdefault("pages" if path.endswith(".md") else "comments", {"all": 0, "long": 0, "odd": 0})
        for block in blocks(path, text):
            for line, sentence in sentences(block):
                length, why = len(sentence.split()), faults(sentence)
                kind["all"] += 1
                kind["long"] += length > LONG
                kind["odd"] += bool(why)
                if length > LONG or why:
                    worst.append((max(0, length - LONG) + 8 * len(why), path, line, length, why, sentence))
                if length > TOO_LONG:
                    broken.append(f"{path}:{line}: {length} words in a sentence, at most {TOO_LONG}: {sentence[:80]}")
    for name, kind in sorted(counts.items()):
        print(f"{name}: {kind['all']} sentences, {kind['long']} above {LONG} words, {kind['odd']} with a construction to avoid")
        for key, share in LIMITS.items():
            if kind[key] > share * kind["all"]:
                what = f"above {LONG} words" if key == "long" else "with a construction to avoid"
                broken.append(f"{name}: {kind[key]} of {kind['all']} sentences {what}, at most {100 * share:.0f} %")
    for _, path, line, length, why, sentence in sorted(worst, reverse=True)[: options.list]:
        print(f"{path}:{line}: {length} words{''.join('; ' + w for w in why)}\n    {sentence}")
    if options.limits:
        print("\n".join(broken), file=sys.stderr, end="\n" if broken else "")
        return 1 if broken else 0
    return 0


sys.exit(main())
