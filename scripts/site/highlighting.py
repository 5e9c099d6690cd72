"""Code as HTML: blocks by Pygments, declarations by DocC's tokens. style.css colours the classes of both."""
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

from pages import escape

NAMES = {"": "text", "objc": "objective-c", "caddyfile": "text", "haproxy": "text"}
# Pygments marks as an error what a shortened example has, such as "…" in JSON.
FORMATTER = HtmlFormatter(nowrap=True)
TOKENS = {"keyword": "k", "identifier": "nf", "typeIdentifier": "nc", "genericParameter": "nc", "externalParam": "na", "label": "na",
          "attribute": "nd", "number": "m", "string": "s"}


def block(text, language):
    """A block of code. It takes the focus, since a narrow screen scrolls it."""
    language = (language or "").split()[0].lower() if (language or "").strip() else ""
    try:
        lexer = get_lexer_by_name(NAMES.get(language, language), stripnl=False)
        content = highlight(text.rstrip("\n"), lexer, FORMATTER).rstrip("\n")
    except ClassNotFound:
        content = escape(text.rstrip("\n"))
    return f'<pre tabindex="0"><code>{content}</code></pre>\n'


def lines(tokens):
    """The tokens, with a line for each parameter if the declaration is long."""
    if sum(len(token["text"]) for token in tokens) <= 84:
        return tokens
    result, depth, is_broken = [], 0, False
    for token in tokens:
        if token["kind"] != "text":
            result.append(token)
            continue
        text = ""
        for character in token["text"]:
            if character in "([<{":
                depth += 1
                text += character
                if character == "(" and depth == 1 and not is_broken:
                    is_broken = True
                    text += "\n    "
            elif character in ")]>}" and not (character == ">" and text.endswith("-")):
                depth -= 1
                text += "\n)" if character == ")" and depth == 0 and is_broken is True else character
                if depth == 0 and is_broken is True and character == ")":
                    is_broken = "ended"
            elif character == " " and depth == 1 and is_broken is True and text.endswith(","):
                text += "\n    "
            else:
                text += character
        result.append({**token, "text": text})
    return result


def declaration(tokens, link):
    """A declaration. `link` gives the address of a token's type, or nothing."""
    content = ""
    for token in lines(tokens):
        text, name = escape(token["text"]), TOKENS.get(token["kind"], "")
        address = link(token) if token["kind"] == "typeIdentifier" else None
        if address:
            content += f'<a class="{name}" href="{escape(address)}">{text}</a>'
        else:
            content += f'<span class="{name}">{text}</span>' if name else text
    return f'<pre class="declaration" tabindex="0"><code>{content}</code></pre>\n'
