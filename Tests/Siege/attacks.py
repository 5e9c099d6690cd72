"""What strangers and holders of public keys send to a server, over and over.

Each attack is a function of a `Site` that makes one attempt, and returns the status of the answer, or a word where there was
none. `ATTACKS` has each with the number of attempts at the same time.
"""

import base64
import http.client
import json
import random
import re
import socket
import struct
import time
import urllib.parse


class Site:
    """A server under siege, from a client at an address of 127.0.0.0/8 of its own."""

    def __init__(self, port, app, keys, session, form_token, person, source):
        self.port, self.app, self.session, self.source = port, app, session, source
        self.form_token, self.person = form_token, person
        self.device_key, self.admin_key = (
            "Basic " + base64.b64encode(f":{keys[role]}".encode()).decode() for role in ("device", "admin"))

    def connect(self, timeout=10):
        return socket.create_connection(("127.0.0.1", self.port), timeout, (self.source(), 0))

    def send(self, method, path, headers=(), body=b"", length=None):
        """Sends a request, whose body may be a part that is repeated up to `length`, and reads the status."""
        with self.connect() as connection:
            length = len(body) if length is None else length
            fields = [f"Content-Length: {length}", *(f"{name}: {value}" for name, value in headers)]
            head = "\r\n".join([f"{method} {path} HTTP/1.1", "Host: siege.example", *fields, "", ""])
            try:
                connection.sendall(head.encode())
                sent = 0
                while sent < length:
                    part = body[: length - sent]
                    connection.sendall(part)
                    sent += len(part)
            except (BrokenPipeError, ConnectionResetError):
                pass  # The answer may have come before the body's end.
            return status(connection)

    def device(self, path, body, method="PUT"):
        body = body if isinstance(body, bytes) else json.dumps(body).encode()
        headers = [("Authorization", self.device_key), ("Content-Type", "application/json")]
        return self.send(method, path, headers, body)


class Browser:
    """A browser at the sign-in page, with the session and the form token that it got there."""

    def __init__(self, port, source=lambda: "127.0.0.1"):
        self.port, self.source, self.cookies = port, source, {}
        self.token = ""

    def request(self, method, path, fields=None):
        """Makes a request from a new address, and returns the status and the page."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30, source_address=(self.source(), 0))
        headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        body = None
        if fields is not None:
            body = urllib.parse.urlencode({"token": self.token, **fields})
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        page = answer.read().decode()
        connection.close()
        for name, value in answer.getheaders():
            if name == "Set-Cookie":
                cookie, _, value = value.split(";")[0].partition("=")
                self.cookies[cookie] = value
        token = re.search(r'name="token" value="([0-9a-f]+)"', page)
        if token:
            self.token = token[1]
        return answer.status, page

    def sign_in(self, email, password):
        if not self.token:
            self.request("GET", "/sign-in")
        return self.request("POST", "/sign-in/account", {"email": email, "password": password})


def status(connection):
    try:
        answer = connection.recv(65536)
    except TimeoutError:
        return "silent"
    except OSError:
        return "reset"
    return answer[9:12].decode(errors="replace") if answer.startswith(b"HTTP/1.1 ") else "closed"


def uploads_without_a_session(site):
    headers = [("Content-Type", "multipart/form-data; boundary=m")]
    part = b'--m\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n' + bytes(65536)
    return site.send("POST", f"/apps/{site.app}/compose", headers, part, 51 << 20)


def long_forms(site):
    headers = [("Content-Type", "application/x-www-form-urlencoded")]
    return site.send("POST", f"/apps/{site.app}/compose", headers, b"text=%41%42%43&" * 4096, 43 << 20)


def forms_to_sign_in(site):
    headers = [("Content-Type", "application/x-www-form-urlencoded")]
    return site.send("POST", "/sign-in", headers, b"a=b&" * 16384)


def forms_of_a_session(site):
    headers = [("Content-Type", "application/x-www-form-urlencoded"), ("Cookie", site.session)]
    return site.send("POST", f"/apps/{site.app}/compose", headers, b"text=%41%42&" * 87000)


def guessed_keys(site):
    key = base64.b64encode(f":mk_{random.randbytes(16).hex()}".encode()).decode()
    return site.send("GET", "/v6/notifications", [("Authorization", f"Basic {key}")])


def invented_methods(site):
    return site.send(f"X{random.randrange(10**9)}", "/healthz")


def held_connections(site):
    """Opens connections that send nothing, and holds each for a while."""
    with site.connect() as connection:
        connection.settimeout(random.uniform(1, 20))
        return status(connection)


def slow_heads(site):
    with site.connect() as connection:
        for byte in b"GET /healthz HTTP/1.1\r\nHost: siege.example\r\n":
            connection.sendall(bytes([byte]))
            time.sleep(0.5)
        return status(connection)


def slow_bodies(site):
    with site.connect() as connection:
        connection.sendall(
            f"PUT /v6/devices/slow HTTP/1.1\r\nHost: h\r\nAuthorization: {site.device_key}\r\n"
            "Content-Type: application/json\r\nContent-Length: 1000000\r\n\r\n{".encode()
        )
        for _ in range(20):
            connection.sendall(b" ")
            time.sleep(0.5)
        return status(connection)


def many_tags(site):
    return site.device("/v6/devices/tags", {"device": {"tags": [f"tag-{number}" for number in range(20000)]}})


def deep_json(site):
    return site.device("/v6/devices/deep", b'{"device":' + b"[" * 400000 + b"]" * 400000 + b"}")


def many_members(site):
    return site.device("/v6/devices/wide", {"device": {f"m{n}": n for n in range(50000)}})


def many_events(site):
    events = [{"name": f"event-{number}"} for number in range(20000)]
    return site.device("/v6/devices/tags/events", {"events": events}, "POST")


def many_receipts(site):
    receipts = [{"id": random.randbytes(16).hex(), "event": "received"} for _ in range(5000)]
    return site.device("/v6/receipts", {"receipts": receipts}, "POST")


def new_devices(site):
    token = random.randbytes(32).hex()
    return site.device(f"/v6/devices/{random.randbytes(8).hex()}", {"device": {"push_token": token}})


def other_peoples_devices(site):
    return site.device(f"/v6/devices/phone-{random.randrange(100)}", {"device": {"user_id": "victim@example.com"}})


def bad_framing(site):
    request = random.choice([
        b"GET /healthz HTTP/1.1\nHost: h\n\n",
        b"GET /healthz HTTP/1.1\r\nHost: h\r\nX: a\0b\r\n\r\n",
        b"POST /sign-in HTTP/1.1\r\nHost: h\r\nContent-Length: 2, 2\r\n\r\nab",
        b"POST /sign-in HTTP/1.1\r\nHost: h\r\nContent-Length: +2\r\n\r\nab",
        b"POST /sign-in HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\n" + b"X: y\r\n" * 2000 + b"\r\n",
        b"GET /" + b"a" * 40000 + b" HTTP/1.1\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + random.randbytes(500),
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + random.randbytes(200),
        random.randbytes(300),
    ])
    with site.connect() as connection:
        connection.sendall(request)
        return status(connection)


def pipelined(site):
    with site.connect() as connection:
        connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: h\r\n\r\n" * 500)
        return status(connection)


def abandoned_answers(site):
    """Asks for an answer and resets the connection before it comes."""
    with site.connect() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.sendall(b"GET /openapi.json HTTP/1.1\r\nHost: h\r\n\r\n" * 20)
        return "sent"


def slow_pictures(site):
    """Has a picture drawn that takes minutes to decode, with the session of a signed-in user."""
    body = b""
    for name, value in [("token", site.form_token), ("action", "card"), ("to", "*"), ("text", "x")]:
        body += f'--m\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
    picture = progressive_jpeg(8000, 8000, 50)
    body += b'--m\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\n\r\n' + picture
    body += b"\r\n--m--\r\n"
    headers = [("Content-Type", "multipart/form-data; boundary=m"), ("Cookie", site.session)]
    return site.send("POST", f"/apps/{site.app}/compose", headers, body)


def progressive_jpeg(width, height, scans):
    """A grey JPEG whose refinement scans are empty and many (ITU T.81, annex G)."""
    blocks = ((width + 7) // 8) * ((height + 7) // 8)
    bits = ""
    left = blocks
    while left > 0:
        run = min(max(left, 1 << 14), (1 << 15) - 1)
        bits += "0" + format(run - (1 << 14), "014b")
        left -= run
    bits += "1" * (-len(bits) % 8)
    empty = bytes(int(bits[place : place + 8], 2) for place in range(0, len(bits), 8)).replace(b"\xff", b"\xff\0")
    data = b"\xff\xd8\xff\xdb\0\x43\0" + b"\1" * 64
    data += b"\xff\xc2\0\x0b\x08" + struct.pack(">HH", height, width) + b"\1\1\x11\0"
    data += b"\xff\xc4\0\x14\x00\1" + bytes(15) + b"\0" + b"\xff\xc4\0\x14\x10\1" + bytes(15) + b"\xe0"
    data += b"\xff\xda\0\x08\1\1\0\0\0\1" + bytes((blocks + 7) // 8)
    for number in range(scans - 1):
        data += b"\xff\xda\0\x08\1\1\0\1\x3f" + (b"\1" if number == 0 else b"\x10") + empty
    return data + b"\xff\xd9"


def tiny_chunks(site):
    """A form whose megabyte comes in chunks of one byte."""
    with site.connect() as connection:
        head = "POST /sign-in HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n"
        connection.sendall((head + "Content-Type: application/x-www-form-urlencoded\r\n\r\n").encode())
        try:
            for _ in range(100):
                connection.sendall(b"1\r\na\r\n" * 10000)
            connection.sendall(b"0\r\n\r\n")
        except (BrokenPipeError, ConnectionResetError):
            pass  # The answer may have come before the body's end.
        return status(connection)


def nested_trees(site):
    """A megabyte of JSON that becomes thirty in memory, at the routes of the device key."""
    tree = random.choice([b'{"":{"":{"":[0]}}},', b'{"":0},', b"[[0]],"])
    body = b'{"events":[' + tree * ((1 << 20) // len(tree) - 2) + b"0]}"
    path = random.choice(["/v6/devices/tree/sync", "/v6/devices/tree/events", "/v6/receipts"])
    return site.device(path, body, "POST")


def wrong_imports(site):
    """A file of which no row is a device."""
    headers = [("Authorization", site.admin_key), ("Content-Type", "text/csv")]
    rows = b"token,os_name\n" + b"x,\n" * (8 << 20)
    return site.send("POST", "/v6/devices/import", headers, rows)


def kept_alive(site):
    """Makes a request on each of 32 connections, and keeps them open."""
    connections = []
    try:
        for _ in range(32):
            connections.append(site.connect(timeout=20))
            connections[-1].sendall(b"GET /healthz HTTP/1.1\r\nHost: h\r\n\r\n")
            answer = status(connections[-1])
        time.sleep(random.uniform(5, 15))
        return answer
    finally:
        for connection in connections:
            connection.close()


def guessed_passwords(site):
    """Tries passwords for the account of a person who signs in meanwhile."""
    browser = site.__dict__.setdefault("guesser", Browser(site.port, site.source))
    return browser.sign_in(site.person["email"], random.randbytes(8).hex())[0]


def guessed_codes(site):
    """Tries codes for an account whose password is known."""
    browser = Browser(site.port, site.source)
    code, page = browser.sign_in(site.person["robbed"], site.person["password"])
    if "Enter your code" not in page:
        return f"password {code}"
    answers = [browser.request("POST", "/sign-in/code", {"code": f"{random.randrange(10**6):06}"})[0] for _ in range(3)]
    return " ".join(f"code {answer}" for answer in answers)


ATTACKS = [
    (uploads_without_a_session, 40),
    (long_forms, 40),
    (forms_to_sign_in, 40),
    (forms_of_a_session, 8),
    (guessed_keys, 8),
    (invented_methods, 8),
    (held_connections, 600),
    (slow_heads, 100),
    (slow_bodies, 100),
    (many_tags, 8),
    (deep_json, 8),
    (many_members, 8),
    (many_events, 8),
    (many_receipts, 8),
    (new_devices, 8),
    (other_peoples_devices, 8),
    (bad_framing, 16),
    (pipelined, 8),
    (abandoned_answers, 8),
    (slow_pictures, 4),
    (tiny_chunks, 8),
    (nested_trees, 64),
    (wrong_imports, 2),
    (kept_alive, 140),
    (guessed_passwords, 40),
    (guessed_codes, 20),
]
