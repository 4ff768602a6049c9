"""What the site is made of: pages in their order, and what they may link to."""
import dataclasses
import pathlib
import re

# Group, then file and name in the list of pages. Every file of docs/*.md has to stand here.
ORDER = [
    ("Start", [("README.md", "Quick start"), ("docs/tutorial.md", "Tutorial"),
               ("docs/coming-from.md", "Coming from other simulators"),
               ("docs/limits.md", "Limits")]),
    ("Reference", [("docs/scene.md", "Scenes"), ("docs/pequod.1", "Command line"),
                   ("docs/run-folder.md", "Run folders"), ("docs/recipes.md", "Reading runs in Python"),
                   ("docs/energy.md", "The energy log"), ("docs/compare.md", "Comparing"),
                   ("docs/certify.md", "Certificates"),
                   ("docs/problems.md", "Problem files")]),
    ("Models and methods", [("docs/models.md", "Contact models"),
                            ("docs/equations.md", "Equations and sources"),
                            ("docs/trot.md", "The trot"),
                            ("docs/quasistatic.md", "Quasistatic problems"),
                            ("docs/lcp-notes.md", "Complementarity and fits")]),
    ("Evidence", [("docs/evidence.md", "Claims and figures"), ("docs/experiments.md", "Experiments"),
                  ("docs/performance.md", "Performance"),
                  ("docs/testing.md", "Tests")]),
    ("Inside", [("docs/architecture.md", "Architecture"), ("docs/changing.md", "Changing it"),
                ("docs/dependencies.md", "Libraries"), ("CONTRIBUTING.md", "Contributing"),
                ("CHANGELOG.md", "Changes")]),
]


@dataclasses.dataclass
class Page:
    source: str  # relative to the root
    name: str    # in the list of pages
    group: str

    @property
    def html(self):
        stem = pathlib.Path(self.source).name.split(".")[0]
        return "index.html" if stem == "README" else stem.lower() + ".html"


def find_pages(root):
    return [Page(source, name, group) for group, entries in ORDER for source, name in entries
            if (root / source).exists()]


class Slugs:
    """Anchors of headings as repository hosts make them, so that a link holds there and here."""

    def __init__(self):
        self.seen = {}

    def of(self, heading):
        slug = re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")
        count = self.seen.get(slug, -1) + 1
        self.seen[slug] = count
        return slug if count == 0 else f"{slug}-{count}"


class Site:
    """The pages, the files they turned out to link to, and what was found wrong."""

    def __init__(self, root, pages, anchors):
        self.root, self.pages = root, pages
        self.anchors = anchors  # of each page's headings, by its source
        self.files, self.wrong = set(), []
        listed = {source for _, entries in ORDER for source, _ in entries}
        for source in sorted(str(path.relative_to(root)) for path in (root / "docs").glob("*.md")):
            if source not in listed:
                self.wrong.append(f"{source}: not in the list of pages, docs/site/pages.py")
        for source in sorted(listed):
            if not (root / source).exists():
                self.wrong.append(f"{source}: in the list of pages, but not there")

    def resolve(self, page, line, link):
        """The address of a link of a page within the site; keeps what is wrong with it."""
        if re.match(r"https?://", link):
            return link  # followed by a reader, never loaded by a page
        target, _, anchor = link.partition("#")
        path = (self.root / page.source).parent / target if target else self.root / page.source
        path = path.resolve()
        where = f"{page.source}:{line}: {link}"
        if not path.is_file() or self.root not in path.parents:
            self.wrong.append(f"{where}: there is no such file")
            return link
        source = str(path.relative_to(self.root))
        other = next((one for one in self.pages if one.source == source), None)
        if other is None:
            if anchor or path.suffix == ".md":
                self.wrong.append(f"{where}: not a page of the site")
            self.files.add(path)
            return f"files/{source}"
        if anchor and anchor not in self.anchors[source]:
            self.wrong.append(f"{where}: {source} has no heading of this name")
        return other.html + (f"#{anchor}" if anchor else "")
