"""From the text of a page to HTML."""
import html
import re
from itertools import zip_longest

from markdown_it import MarkdownIt
from markdown_it.token import Token

from pages import Slugs

FRAME = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy"
      content="default-src 'none'; style-src 'self' file:; img-src 'self' file: data:">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="page.css">
<title>{title}</title>
</head>
<body>
<header><a class="home" href="index.html">Pequod</a> <a class="to-pages" href="#pages">All pages</a></header>
<div class="columns">
<main>
{body}
</main>
<nav id="pages" aria-label="Pages">
{pages}
</nav>
</div>
</body>
</html>
"""


def parser():
    """CommonMark with tables: what repository hosts show is what the site shows."""
    return MarkdownIt("commonmark").enable(["table", "strikethrough"])


def markdown_of_man_page(text):
    """The man page as Markdown: its sections, and what is set as it stands between .nf and .fi."""
    lines = ["# Command line", "",
             "What `pequod --help` says, and `--help` after each command; as a man page: `man pequod`.", ""]
    plain = False
    for line in text.splitlines():
        if match := re.match(r"\.(SH|SS) (.*)", line):
            lines += ["", ("## " if match[1] == "SH" else "### ") + match[2].capitalize(), ""]
        elif line in (".nf", ".fi"):
            plain = line == ".nf"
            lines.append("```text" if plain else "```")
        elif plain or not line.startswith("."):
            lines.append(line.removeprefix("\\&").replace("\\-", "-").replace("\\e", "\\"))
    return "\n".join(lines)


def text_of(root, page):
    text = (root / page.source).read_text(encoding="utf-8")
    return markdown_of_man_page(text) if page.source.endswith(".1") else text


def tokens_of(root, page):
    return parser().parse(text_of(root, page))


def plain_text(inline):
    """What a reader sees of inline tokens."""
    return "".join(token.content for token in inline.children or [] if token.type in ("text", "code_inline"))


def headings(tokens):
    """(opening token, its text), in order."""
    return [(token, plain_text(tokens[i + 1])) for i, token in enumerate(tokens)
            if token.type == "heading_open"]


def anchors_of(root, page):
    slugs = Slugs()
    return {slugs.of(text) for _, text in headings(tokens_of(root, page))}


def set_links(site, page, tokens):
    """Links and pictures lead to files of the site. HTML is refused but for comments, which are dropped."""
    line = 1
    names = {other.html: other.name for other in site.pages}
    for token in tokens:
        line = token.map[0] + 1 if token.map else line
        for child, follower in zip_longest(token.children or [], (token.children or [])[1:]):
            for attribute in ("href", "src"):
                if attribute in child.attrs:
                    child.attrs[attribute] = site.resolve(page, line, str(child.attrs[attribute]))
            # Where a file's name is the text of a link, the site says the name of its page.
            target = str(child.attrs.get("href", "")).partition("#")[0]
            if target in names and follower.content.endswith(".md"):
                follower.content = names[target]
            if child.type == "html_inline":
                site.wrong.append(f"{page.source}:{line}: HTML in a page: {child.content}")
        if token.type == "html_block":
            if not re.fullmatch(r"<!--.*-->\s*", token.content, re.S):
                site.wrong.append(f"{page.source}:{line}: HTML in a page: {token.content.strip()}")
            token.content = ""


def set_anchors(tokens):
    slugs = Slugs()
    found = []
    for token, text in headings(tokens):
        token.attrs["id"] = slugs.of(text)
        found.append((token.tag, token.attrs["id"], text))
    return found


def cells_of(row):
    """Number of cells of a row of a table: a bar ends one unless a backslash stands before it."""
    return len(re.findall(r"(?<!\\)\|", row.strip().removeprefix("|").rstrip("|")))


def check_tables(site, page, text, tokens):
    """A row with more cells than the head loses what is in them."""
    rows = text.splitlines()
    for token in tokens:
        if token.type == "table_open":
            head, end = token.map
            site.wrong += [f"{page.source}:{i + 1}: a row of a table has more cells than its head"
                           for i in range(head, end) if cells_of(rows[i]) > cells_of(rows[head])]


def scrolling_tables(tokens):
    """Each table in a box of its own that scrolls, so that on a phone the page does not."""
    out = []
    for token in tokens:
        if token.type == "table_open":
            out.append(Token("html_block", "", 0, content='<div class="wide" tabindex="0">\n'))
        out.append(token)
        if token.type == "table_close":
            out.append(Token("html_block", "", 0, content="</div>\n"))
    return out


def list_of_pages(site, current, sections):
    """The list of pages, with the sections of the one that is shown."""
    lines, group = [], None
    for page in site.pages:
        if page.group != group:
            if group is not None:
                lines.append("</ul>")
            lines += [f"<h2>{html.escape(page.group)}</h2>", "<ul>"]
            group = page.group
        here = ' aria-current="page"' if page is current else ""
        lines.append(f'<li><a href="{page.html}"{here}>{html.escape(page.name)}</a>')
        if page is current and sections:
            items = "".join(f'<li><a href="#{anchor}">{html.escape(text)}</a></li>'
                            for anchor, text in sections)
            lines.append(f"<ul>{items}</ul>")
        lines.append("</li>")
    lines.append("</ul>")
    return "\n".join(lines)


def page_html(site, page):
    tokens = tokens_of(site.root, page)
    found = set_anchors(tokens)
    set_links(site, page, tokens)
    check_tables(site, page, text_of(site.root, page), tokens)
    title = found[0][2] if found else page.name
    sections = [(anchor, text) for tag, anchor, text in found if tag == "h2"]
    markdown = parser()
    body = markdown.renderer.render(scrolling_tables(tokens), markdown.options, {})
    # Blocks of code scroll, too: the keyboard has to reach them.
    body = body.replace("<pre>", '<pre tabindex="0">')
    return FRAME.format(title=html.escape(title if title == "Pequod" else f"{title} – Pequod"),
                        body=body, pages=list_of_pages(site, page, sections))
