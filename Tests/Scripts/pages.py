"""The dashboard as a browser without scripts sees it: signed in by a key, every page that links lead to."""
import html.parser
import http.client
import re
import urllib.parse

import servers


class Links(html.parser.HTMLParser):
    """The addresses that a page names, without those of its forms, and of the months beside one, which have no end."""

    def __init__(self, page):
        super().__init__()
        self.found = []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        if dict(attributes).get("rel") in ("prev", "next"):
            return
        self.found += [value for name, value in attributes if name in ("href", "src") and value]


class Answer:
    def __init__(self, response):
        self.status, self.headers, self.body = response.status, response.headers, response.read()

    @property
    def type(self):
        return self.headers.get_content_type() if "Content-Type" in self.headers else ""

    def links(self):
        moved = [self.headers["Location"]] if "Location" in self.headers else []
        return moved + (Links(self.body.decode()).found if self.type == "text/html" else [])


class Visitor:
    """A session of the dashboard."""

    def __init__(self, url, key):
        self.host = urllib.parse.urlsplit(url).netloc
        self.cookie = ""
        page = self.request("GET", "/sign-in")
        self.keep_cookie(page)
        token = re.search(r'name="token" value="([0-9a-f]+)"', page.body.decode())[1]
        form = urllib.parse.urlencode({"token": token, "key": key})
        entered = self.request("POST", "/sign-in", form, {"Content-Type": "application/x-www-form-urlencoded"})
        if entered.status != 303:
            servers.fail(f"POST /sign-in: {entered.status}")
        self.keep_cookie(entered)

    def keep_cookie(self, answer):
        self.cookie = answer.headers["Set-Cookie"].split(";")[0]

    def request(self, method, path, body=None, headers={}):
        connection = http.client.HTTPConnection(self.host, timeout=servers.patience)
        connection.request(method, path, body, {"Cookie": self.cookie} | headers)
        answer = Answer(connection.getresponse())
        connection.close()
        return answer

    def crawl(self, limit=None):
        """Reads the start page and, in the order of the links, each page that is linked; yields paths and answers."""
        known, waiting = {"/"}, ["/"]
        while waiting and limit != 0:
            path = waiting.pop(0)
            answer = self.request("GET", path)
            yield path, answer
            limit = limit and limit - 1
            for link in answer.links():
                address = urllib.parse.urlsplit(urllib.parse.urljoin(f"http://{self.host}{path}", link))
                found = urllib.parse.urlunsplit(("", "", address.path, address.query, ""))
                if address.netloc == self.host and found not in known:
                    known.add(found)
                    waiting.append(found)
