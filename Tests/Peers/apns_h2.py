"""A server that answers as APNs does, on Python's h2: a judge of the client that shares no code with it.

    apns_h2.py CERTIFICATE KEY SCRIPT

SCRIPT is a word or several with commas: goaway:N says GOAWAY after each Nth request of a connection, refuse:N
refuses each Nth request once, limit:N allows one stream after N requests and a hundred after the next. It
prints `port N` first, then a line a request: what came, and what was said.
"""

import json
import socket
import ssl
import sys
import threading

import h2.config
import h2.connection
import h2.errors
import h2.events
import h2.settings

printing = threading.Lock()
refused = set()


def say(*words):
    with printing:
        print(*words, flush=True)


class Connection:
    def __init__(self, wire, rules):
        self.wire, self.rules = wire, rules
        config = h2.config.H2Configuration(client_side=False, header_encoding="utf-8")
        self.http = h2.connection.H2Connection(config)
        self.http.local_settings = h2.settings.Settings(
            client=False,
            initial_values={
                h2.settings.SettingCodes.MAX_CONCURRENT_STREAMS: 100,
                h2.settings.SettingCodes.MAX_HEADER_LIST_SIZE: 16384,
            },
        )
        self.open, self.count, self.last = {}, 0, None

    def every(self, rule):
        number = self.rules.get(rule)
        return number is not None and self.count % number == 0

    def run(self):
        self.http.initiate_connection()
        self.wire.sendall(self.http.data_to_send())
        while data := self.wire.recv(65536):
            for event in self.http.receive_data(data):
                self.take(event)
            self.wire.sendall(self.http.data_to_send())
            if self.last is not None and not self.open:
                return

    def take(self, event):
        if isinstance(event, h2.events.RequestReceived):
            self.open[event.stream_id] = (dict(event.headers), bytearray())
        elif isinstance(event, h2.events.DataReceived):
            self.http.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
            if event.stream_id in self.open:
                self.open[event.stream_id][1].extend(event.data)
        elif isinstance(event, h2.events.StreamReset):
            self.open.pop(event.stream_id, None)
        elif isinstance(event, h2.events.StreamEnded):
            # None for what GOAWAY left out.
            if request := self.open.pop(event.stream_id, None):
                self.answer(event.stream_id, request[0], bytes(request[1]))

    def answer(self, stream, headers, body):
        if self.last is not None and stream > self.last:
            return  # GOAWAY has said that it is not processed.
        self.count += 1
        apns_id = headers.get("apns-id", "-")
        if self.every("refuse") and apns_id not in refused:
            refused.add(apns_id)
            say("refused", apns_id)
            return self.http.reset_stream(stream, h2.errors.ErrorCodes.REFUSED_STREAM)
        status, reason = self.judge(headers, body)
        say("answered", apns_id, status)
        answer = [(":status", str(status)), ("apns-id", apns_id)]
        self.http.send_headers(stream, answer, end_stream=reason is None)
        if reason is not None:
            self.http.send_data(stream, json.dumps(reason).encode(), end_stream=True)
        if self.every("limit"):
            self.allow(1)
        elif self.count % self.rules.get("limit", self.count + 1) == 1:
            self.allow(100)
        if self.every("goaway") and self.last is None:
            self.last = stream
            say("goaway", stream)
            # By hand: h2 would refuse all that comes after it, though answers are due.
            self.wire.sendall(self.http.data_to_send())
            debug = b'{"reason":"Shutdown"}'
            frame = (8 + len(debug)).to_bytes(3, "big") + b"\x07\0\0\0\0\0"
            self.wire.sendall(frame + stream.to_bytes(4, "big") + bytes(4) + debug)
            self.open = {number: it for number, it in self.open.items() if number < stream}

    def allow(self, streams):
        say("limit", streams)
        self.http.update_settings({h2.settings.SettingCodes.MAX_CONCURRENT_STREAMS: streams})

    @staticmethod
    def judge(headers, body):
        if headers.get(":method") != "POST" or not headers.get(":path", "").startswith("/3/device/"):
            return 404, {"reason": "BadPath"}
        if not headers.get("authorization", "").startswith("bearer "):
            return 403, {"reason": "MissingProviderToken"}
        if "apns-topic" not in headers:
            return 400, {"reason": "MissingTopic"}
        if "aps" not in json.loads(body):
            return 400, {"reason": "PayloadEmpty"}
        if headers[":path"].endswith("/ee"):
            return 410, {"reason": "Unregistered", "timestamp": 1700000000123}
        return 200, None


def serve(connection, tls, rules):
    try:
        with tls.wrap_socket(connection, server_side=True) as wire:
            Connection(wire, rules).run()
    except (OSError, ValueError) as error:
        say("ended", type(error).__name__)
    except Exception as error:  # What h2 says the client did wrong is the test's business.
        say("fault", type(error).__name__, error)


def main():
    certificate, key, script = sys.argv[1:4]
    rules = {name: int(number) for name, _, number in (word.partition(":") for word in script.split(",")) if number}
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(certificate, key)
    tls.set_alpn_protocols(["h2"])
    listener = socket.create_server(("127.0.0.1", 0), backlog=64)
    say("port", listener.getsockname()[1])
    while True:
        connection, _ = listener.accept()
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        threading.Thread(target=serve, args=(connection, tls, rules), daemon=True).start()


if __name__ == "__main__":
    main()
