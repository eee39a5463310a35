#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lays out the pages of the site:  stage.py TREE FOLDER

The README and docs/ are copied as they are.  A link that leaves them, to a source file or a folder, works
in the tree but not in a site; so each such file becomes a page with its text, each folder a page that
lists it, and each other Markdown file a page of its own.  The README gets the table of contents: the
headings and links of docs/README.md, in their order.
"""
import os
import pathlib
import re
import sys

# A link, whose text may go over several lines; or a span of code, whose brackets are no link.
LINK = re.compile(r"(!?\[(?:`[^`]*`|[^\]`])*\])\(([^()\s]+)\)|`[^`]*`")
LANGUAGES = {".v": "verilog", ".vh": "verilog", ".c": "c", ".h": "c", ".cc": "cpp", ".sh": "bash", ".py": "python",
             ".yaml": "yaml", ".cmake": "cmake", ".awk": "awk", ".sql": "sql"}


def parts_of(text):
    """The page in parts of whole lines: text and code in turn, each with whether it is text."""
    code, lines = False, []
    for line in text.split("\n"):
        fence = line.lstrip().startswith("```")
        if fence and not code:
            yield "\n".join(lines), True
            lines = [line]
        elif fence:
            yield "\n".join(lines + [line]), False
            lines = []
        else:
            lines.append(line)
        code ^= fence
    yield "\n".join(lines), not code


class Stage:
    def __init__(self, tree, folder):
        self.tree, self.folder = tree, folder
        self.waiting, self.seen = [], set()

    def page_of(self, path):
        """Where the page of a file or folder of the tree stands, from the top."""
        if path.is_dir():
            return path.relative_to(self.tree) / "index.md"
        name = path.relative_to(self.tree)
        return name if path.suffix == ".md" else name.with_name(name.name + ".md")

    def need(self, path):
        if path not in self.seen:
            self.seen.add(path)
            self.waiting.append(path)
        return self.page_of(path)

    def link(self, match, page):
        text, target = match.groups()
        if text is None:
            return match.group(0)
        file, _, anchor = target.partition("#")
        if re.match(r"[a-z]+:", target) or not file or text.startswith("!"):
            return match.group(0)
        path = (page.parent / file).resolve()
        if not path.exists() or self.tree not in path.parents:
            return match.group(0)
        up = "../" * (len(self.page_of(page).parts) - 1)
        return f"{text}({up}{self.need(path)}{'#' + anchor if anchor else ''})"

    def markdown(self, path):
        parts = [LINK.sub(lambda m: self.link(m, path), part) if is_text else part
                 for part, is_text in parts_of(path.read_text())]
        return "\n".join(parts)

    def listing(self, path):
        lines = [f"# {path.relative_to(self.tree)}/", ""]
        for entry in sorted(path.iterdir()):
            if not entry.name.startswith((".", "__")):
                page = self.page_of(entry)
                name = entry.name + ("/" if entry.is_dir() else "")
                here = entry in self.seen
                lines.append(f"- [`{name}`](" + "../" * len(path.relative_to(self.tree).parts) + f"{page})" if here
                             else f"- `{name}`")
        return "\n".join(lines) + "\n"

    def source(self, path):
        """A fence longer than any in the file, so that the text is as it stands."""
        language = LANGUAGES.get(path.suffix, "text")
        return f"# {path.relative_to(self.tree)}\n\n`````{language}\n{path.read_text(errors='replace')}`````\n"

    def contents(self):
        """docs/README.md as tables of contents, one a heading of the second order."""
        lines = []
        for section in re.split(r"^## ", (self.tree / "docs/README.md").read_text(), flags=re.M)[1:]:
            heading, _, text = section.partition("\n")
            lines += ["", "```{toctree}", ":hidden:", f":caption: {heading.split(':')[0]}", ""]
            lines += [os.path.normpath("docs/" + target.partition("#")[0]) for _, target in LINK.findall(text) if target]
            lines += ["```"]
        return "\n".join(lines) + "\n"

    def run(self):
        # folders last: their lists link to whatever has a page
        self.need(self.tree / "README.md")
        for page in sorted((self.tree / "docs").rglob("*.md")):
            self.need(page)
        folders = []
        while self.waiting:
            path = self.waiting.pop()
            if path.is_dir():
                folders.append(path)
                continue
            text = self.markdown(path) if path.suffix == ".md" else self.source(path)
            if path == self.tree / "README.md":
                text += self.contents()
            elif self.tree / "docs" not in path.parents or path.name == "README.md" or "decisions" in path.parts:
                text = "---\norphan: true\n---\n\n" + text
            self.write(path, text)
        for picture in [p for p in (self.tree / "docs").rglob("*") if p.suffix in (".svg", ".png")]:
            to = self.folder / picture.relative_to(self.tree)
            to.parent.mkdir(parents=True, exist_ok=True)
            to.write_bytes(picture.read_bytes())
        for path in folders:
            self.write(path, "---\norphan: true\n---\n\n" + self.listing(path))
        return len(self.seen)

    def write(self, path, text):
        to = self.folder / self.page_of(path)
        to.parent.mkdir(parents=True, exist_ok=True)
        to.write_text(text)


print(Stage(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])).run(), "pages")
