"""What strangers and holders of public keys send to a server, over and over.

Each attack is a function of a `Site` that makes one attempt, and returns the status of the answer, or a word where there was
none. `ATTACKS` has each with the number of attempts at the same time.
"""

import base64
import json
import random
import socket
import struct
import time


class Site:
    """A server under siege, from a client at an address of 127.0.0.0/8 of its own."""

    def __init__(self, port, app, device_key, session, form_token, source):
        self.port, self.app, self.session, self.source = port, app, session, source
        self.form_token = form_token
        self.device_key = "Basic " + base64.b64encode(f":{device_key}".encode()).decode()

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
]
