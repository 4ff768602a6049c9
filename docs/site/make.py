#!/usr/bin/python3
"""The documentation as a site: README.md, docs/*.md and the man page, as files that need no server.

    docs/site/make.py [OUT]     by default into build/docs

Strict: exit code 1, and a line for each link, anchor, picture or page that is not there, for HTML in a
page, and for anything that a browser would ask a host for. Run by Debian's own Python, which is the one that
finds python3-markdown-it.
"""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True
from pages import Site, find_pages  # noqa: E402
from render import anchors_of, page_html  # noqa: E402
from requests_made import requests_of  # noqa: E402


def write(site, out):
    """All pages, the files that they link to, and the style; returns the names of what was written."""
    out.mkdir(parents=True, exist_ok=True)
    texts = {page.html: page_html(site, page) for page in site.pages}
    for name, text in texts.items():
        (out / name).write_text(text, encoding="utf-8")
    (out / "page.css").write_bytes((HERE / "page.css").read_bytes())
    for path in sorted(site.files):
        target = out / "files" / path.relative_to(site.root)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(path.read_bytes())
    return [*texts, "page.css", *(f"files/{path.relative_to(site.root)}" for path in sorted(site.files))]


def main():
    root = HERE.parent.parent
    out = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else root / "build" / "docs"
    pages = find_pages(root)
    site = Site(root, pages, {page.source: anchors_of(root, page) for page in pages})
    names = write(site, out)
    wrong = site.wrong + [found for name in names for found in requests_of(out / name)]
    for line in wrong:
        print(line, file=sys.stderr)
    if wrong:
        return 1
    print(f"{out / 'index.html'}: {len(site.pages)} pages")
    return 0


if __name__ == "__main__":
    sys.exit(main())
