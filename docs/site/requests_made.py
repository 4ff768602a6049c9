"""What a browser would ask a host for when it shows a file: nothing, in this site."""
import html.parser
import re

# Elements that load what these attributes name; <a href> loads nothing until it is followed.
LOADING = {"src", "srcset", "poster", "data", "xlink:href"}
REMOTE = re.compile(r"^\s*(https?:)?//", re.I)
REMOTE_IN_STYLE = re.compile(r"(url\(\s*['\"]?|@import\s+['\"]?)(https?:)?//", re.I)


class Loads(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            loads = name in LOADING or (name == "href" and tag != "a")
            if loads and REMOTE.match(value or ""):
                self.found.append(f"<{tag} {name}=\"{value}\">")


def requests_of(path):
    """A line for each request that showing the file would make of a host."""
    if path.suffix not in (".html", ".css", ".svg"):
        return []
    text = path.read_text(encoding="utf-8")
    loads = Loads()
    if path.suffix != ".css":
        loads.feed(text)
    found = loads.found + [match.group(0) for match in REMOTE_IN_STYLE.finditer(text)]
    return [f"{path}: asks a host: {what}" for what in found]
