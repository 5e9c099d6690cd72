"""Attacks a server and prints what each attack costs it; see docs/server/security.md.

Usage: siege.py MARTLET [--seconds 600] [--each 15] [--devices 100000] [--only NAME]...

Starts `martlet apns-sandbox` and `martlet serve` in a new folder, with an app and its devices. The server has one
processor; the attackers, the sandbox and this program have the others. First each attack runs alone, then all run
together beside a send to every device. Meanwhile a person signs in, in a browser that the server knows. It ends with 1 if
the server ended, a push was lost, the send was slower than its bound, `/healthz` took longer than its bound, the
person was kept out, more codes were judged than an account has attempts, or the server held more than 256 MiB.
"""

import argparse
import base64
import collections
import hmac
import http.client
import json
import multiprocessing
import os
import pathlib
import random
import re
import resource
import shutil
import struct
import subprocess
import sys
import tempfile
import threading
import time

import attacks

HEALTH_BOUND = 0.1  # seconds, of 99 in 100 answers beside one attack
MEMORY_BOUND = 256  # MiB
SEND_BOUND = 10_000  # pushes a second beside all attacks, with one processor
CODE_BOUND = 6  # codes that are judged, of an account with five attempts and one more in five minutes
PASSWORD = "a password of the siege 7"


class Server:
    def __init__(self, martlet, folder, devices):
        self.martlet, self.folder = martlet, folder
        self.judged_codes, self.began = 0, time.monotonic()
        self.sandbox, line = self.start(
            "apns-sandbox", "--listen", "127.0.0.1:0", "--data", "sandbox", "--journal", "journal")
        self.process, own = self.start(
            "serve", "--listen", "127.0.0.1:0", "--data", "data", "--apns", line, "--apns-ca", "sandbox/ca.pem",
            processors={0})
        self.port = int(own.rsplit(":", 1)[1])
        key = subprocess.run(
            ["openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"],
            check=True, capture_output=True).stdout
        (folder / "key.p8").write_bytes(key)
        app = self.command(
            "apps", "create", "--bundle-id", "example.siege", "--team-id", "A1B2C3D4E5", "--key-id", "K1L2M3N4O5",
            "--key-file", "key.p8", "--data", "data", "--json")
        self.app, self.keys = app["id"], app["keys"]
        rows = (f"{random.randbytes(32).hex()},iOS" for _ in range(devices))
        (folder / "devices.csv").write_text("\n".join(["token,os_name", *rows]) + "\n")
        self.command("devices", "import", "--app", self.app, "--data", "data", "--json", "devices.csv",
                     server=self.keys["admin"])
        self.session, self.form_token = self.sign_in()
        self.person = {"email": "ada@siege.example", "robbed": "eve@siege.example", "password": PASSWORD}
        self.browser = self.join(self.person["email"])
        set_up_code(self.join(self.person["robbed"]))

    def start(self, *arguments, processors=None):
        log = open(self.folder / f"{arguments[0]}.log", "w")
        process = subprocess.Popen(
            [self.martlet, *arguments], cwd=self.folder, stdout=subprocess.PIPE, stderr=log, text=True,
            preexec_fn=lambda: os.sched_setaffinity(0, processors or other_processors()))
        for line in process.stdout:
            if line.startswith("listening on "):
                threading.Thread(target=process.stdout.read, daemon=True).start()
                return process, line.split(" ", 2)[2].strip()
        sys.exit(f"martlet {arguments[0]} did not start:\n" + (self.folder / f"{arguments[0]}.log").read_text())

    def command(self, *arguments, server=None):
        arguments = [self.martlet, *arguments]
        environment = dict(os.environ)
        if server:
            place = arguments.index("--data")
            arguments[place : place + 2] = ["--server", f"http://127.0.0.1:{self.port}"]
            environment["MARTLET_API_KEY"] = server
        done = subprocess.run(arguments, cwd=self.folder, env=environment, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{' '.join(arguments[1:3])}: {done.stderr}")
        return json.loads(done.stdout)

    def request(self, method, path, body=None, headers=None, key=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        headers = dict(headers or {})
        if key:
            headers["Authorization"] = "Basic " + base64.b64encode(f":{key}".encode()).decode()
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return answer, text

    def join(self, email):
        """Invites a person, who chooses the password and signs in; returns the browser."""
        made = self.command("accounts", "invite", "--role", "viewer", "--data", "data", "--json", email)
        path = re.search(r"/invitation/[^\"]+", json.dumps(made))[0]
        browser = attacks.Browser(self.port)
        browser.request("GET", path)
        browser.request("POST", path, {"name": "Siege", "password": PASSWORD, "again": PASSWORD})
        answer, page = browser.sign_in(email, PASSWORD)
        if answer != 303:
            sys.exit(f"signing in as {email} was answered {answer}: {page}")
        return browser

    def sign_in(self):
        answer, page = self.request("GET", "/sign-in")
        cookie = answer.headers["Set-Cookie"].split(";")[0]
        token = re.search(r'name="token" value="([0-9a-f]+)"', page)[1]
        answer, _ = self.request(
            "POST", "/sign-in", f"token={token}&key={self.keys['push']}",
            {"Cookie": cookie, "Content-Type": "application/x-www-form-urlencoded"})
        cookie = answer.headers["Set-Cookie"].split(";")[0]
        _, page = self.request("GET", f"/apps/{self.app}/compose", headers={"Cookie": cookie})
        return cookie, re.search(r'name="token" value="([0-9a-f]+)"', page)[1]

    def memory(self, name):
        text = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(rf"{name}:\s+(\d+)", text)[1]) / 1024

    def forget_peak(self):
        pathlib.Path(f"/proc/{self.process.pid}/clear_refs").write_text("5")

    def send(self):
        """Sends to every device, and returns the send and its duration once it is complete."""
        begin = time.monotonic()
        body = json.dumps({"notification": {"to": "*", "payload": {"alert": "siege"}}})
        answer, text = self.request(
            "POST", "/v6/notifications", body, {"Content-Type": "application/json"}, self.keys["push"])
        if answer.status != 201:
            sys.exit(f"the send was answered {answer.status}: {text}")
        identifier = find(json.loads(text), "id")
        while True:
            _, text = self.request("GET", f"/v6/notifications/{identifier}", key=self.keys["push"])
            if find(json.loads(text), "state") in ("complete", "failed", "cancelled"):
                return json.loads(text), time.monotonic() - begin
            time.sleep(0.2)

    def delivered(self, start=0):
        """The tokens that the sandbox has taken, by its journal from a position on."""
        tokens = set()
        with open(self.folder / "journal") as journal:
            journal.seek(start)
            for line in journal:
                entry = json.loads(line)
                if entry["status"] == 200:
                    tokens.add(entry["token"])
        return tokens

    def stop(self):
        self.process.terminate()
        self.process.wait(60)
        self.sandbox.terminate()


def set_up_code(browser):
    """Turns on the second factor of a person who is signed in."""
    browser.request("GET", "/account")
    _, page = browser.request("POST", "/account", {"action": "set-up", "current": PASSWORD})
    key = base64.b32decode(pad(re.search(r'<code id="secret">([A-Z2-7 ]+)<', page)[1].replace(" ", "")))
    digest = hmac.digest(key, struct.pack(">Q", int(time.time()) // 30), "sha1")
    place = digest[-1] & 15
    code = (struct.unpack(">I", digest[place : place + 4])[0] & 0x7FFFFFFF) % 10**6
    sealed = re.search(r'name="secret" value="([^"]+)"', page)[1]
    answer, page = browser.request("POST", "/account", {"action": "turn-on", "secret": sealed, "code": f"{code:06}"})
    if answer != 200:
        sys.exit(f"the second factor was answered {answer}: {page}")


def pad(text):
    return text + "=" * (-len(text) % 8)


def find(value, name):
    """The first member of the name, at any depth."""
    if isinstance(value, dict):
        if name in value:
            return value[name]
        value = list(value.values())
    if isinstance(value, list):
        for element in value:
            found = find(element, name)
            if found is not None:
                return found
    return None


def other_processors():
    everything = os.sched_getaffinity(0)
    return everything - {0} or everything


class Health:
    """Asks `/healthz` about fifty times a second, over a new connection each time."""

    def __init__(self, port):
        self.port, self.times, self.failures, self.ends = port, [], 0, threading.Event()
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def run(self):
        while not self.ends.wait(0.02):
            begin = time.monotonic()
            try:
                connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
                connection.request("GET", "/healthz")
                if connection.getresponse().status != 200:
                    self.failures += 1
                connection.close()
            except OSError:
                self.failures += 1
            self.times.append(time.monotonic() - begin)

    def stop(self):
        self.ends.set()
        self.thread.join()
        times = sorted(self.times)
        return times[len(times) // 2], times[int(len(times) * 0.99)], times[-1], self.failures


class Person:
    """Signs in every two seconds, in a browser in which she has done so before."""

    def __init__(self, server):
        self.server, self.answers, self.ends = server, collections.Counter(), threading.Event()
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def run(self):
        browser = self.server.browser
        while not self.ends.wait(2):
            try:
                # Her session is over, and the browser has kept the mark alone.
                browser.cookies.pop("martlet_session", None)
                browser.token = ""
                self.answers[browser.sign_in(self.server.person["email"], PASSWORD)[0]] += 1
            except (OSError, http.client.HTTPException) as error:
                self.answers[type(error).__name__] += 1

    def stop(self):
        self.ends.set()
        self.thread.join()
        return self.answers


def attack(name, count, port, app, keys, session, form_token, person, until, results):
    """Runs attempts on threads in a process of its own, until the instant has come."""
    os.nice(15)
    function = getattr(attacks, name)
    counts = collections.Counter()
    # A net of phones: each attempt comes from one of 200 addresses.
    source = lambda: f"127.1.0.{random.randrange(1, 201)}"
    site = attacks.Site(port, app, keys, session, form_token, person, source)

    def attempts():
        while time.monotonic() < until:
            try:
                counts[str(function(site))] += 1
            except TimeoutError:
                counts["silent"] += 1
            except (OSError, http.client.HTTPException):
                counts["reset"] += 1

    threads = [threading.Thread(target=attempts, daemon=True) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(max(0, until + 30 - time.monotonic()))
    results.put((name, dict(counts)))


def besiege(server, chosen, seconds, meanwhile=None):
    """Runs attacks at the same time; returns the answers they got, peak memory, health, and what `meanwhile` returned.

    The person's answers are those of an attack named `person`.
    """
    server.forget_peak()
    health = Health(server.port)
    person = Person(server)
    results = multiprocessing.Queue()
    until = time.monotonic() + seconds
    processes = [
        multiprocessing.Process(target=attack, args=(
            function.__name__, count, server.port, server.app, server.keys, server.session,
            server.form_token, server.person, until, results))
        for function, count in chosen]
    for process in processes:
        process.start()
    done = meanwhile() if meanwhile else None
    answers = dict(results.get() for _ in processes)
    figures = health.stop()
    answers["person"] = person.stop()
    for process in processes:
        process.join()
    if server.process.poll() is not None:
        sys.exit(f"the server ended with {server.process.returncode} in {[f.__name__ for f, _ in chosen]}")
    return answers, server.memory("VmHWM"), figures, done


def judge(server, name, answers, peak, wrong):
    """Notes what is out of bounds beside an attack, or all."""
    if peak > MEMORY_BOUND:
        wrong.append(f"memory beside {name}")
    if set(answers["person"]) - {303}:
        wrong.append(f"a person who signs in beside {name}: {dict(answers['person'])}")
    judged = sum(
        count * status.count("code 401") for status, count in answers.get("guessed_codes", {}).items())
    server.judged_codes += judged
    if server.judged_codes > CODE_BOUND + time.monotonic() // 300 - server.began // 300:
        wrong.append(f"{server.judged_codes} codes were judged until {name}")


def row(name, peak, health, answers):
    middle, late, worst = (value * 1000 for value in health[:3])
    failures = health[3]
    words = ", ".join(f"{count} {status}" for status, count in sorted(answers.items(), key=lambda item: -item[1])[:5])
    lost = f", {failures} failed" if failures else ""
    print(f"| {name} | {peak:.0f} MiB | {middle:.1f}, {late:.1f}, {worst:.0f} ms{lost} | {words} |", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("martlet", type=os.path.abspath)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--each", type=float, default=15)
    parser.add_argument("--devices", type=int, default=100_000)
    parser.add_argument("--only", action="append")
    options = parser.parse_args()
    chosen = [pair for pair in attacks.ATTACKS if not options.only or pair[0].__name__ in options.only]
    os.sched_setaffinity(0, other_processors())
    # The attackers keep more connections than the server takes.
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    folder = pathlib.Path(tempfile.mkdtemp(prefix="martlet-siege-"))
    wrong = []
    server = Server(options.martlet, folder, options.devices)
    try:
        print("| Attack | Memory at most | `/healthz`: median, 99 %, longest | Answers |\n|---|---|---|---|")
        _, peak, health, _ = besiege(server, [], 0, lambda: time.sleep(options.each))
        row("none", peak, health, {})
        for function, count in chosen:
            answers, peak, health, _ = besiege(server, [(function, count)], options.each)
            name = function.__name__
            row(f"{count} × {name.replace('_', ' ')}", peak, health, answers[name])
            if health[1] > HEALTH_BOUND or health[3]:
                wrong.append(f"/healthz beside {name}")
            judge(server, name, answers, peak, wrong)
        if options.seconds:
            siege(server, chosen, options, wrong)
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)
    for word in wrong:
        print("out of bounds:", word)
    sys.exit(1 if wrong else 0)


def siege(server, chosen, options, wrong):
    """All attacks beside a send, after a send alone."""
    _, alone = server.send()
    time.sleep(1)
    before, start = len(server.delivered()), (server.folder / "journal").stat().st_size
    answers, peak, health, (send, beside) = besiege(server, chosen, options.seconds, server.send)
    judge(server, "all", answers, peak, wrong)
    together = sum((collections.Counter(counts) for counts in answers.values()), collections.Counter())
    row(f"all, {options.seconds:.0f} s", peak, health, together)
    time.sleep(1)
    imported = {line.split(",")[0] for line in (server.folder / "devices.csv").read_text().split()[1:]}
    lost = len(imported - server.delivered(start))
    print(f"send alone: {options.devices / alone:.0f} pushes/s ({before} tokens); beside all attacks: "
          f"{options.devices / beside:.0f}, lost: {lost}, counts: {json.dumps(find(send, 'counts'))}")
    key = server.command("keys", "create", "--role", "server", "--data", "data", "--json")["key"]
    _, text = server.request("GET", "/metrics", key=key)
    print(f"/metrics after it: {len(text)} bytes; open files: {len(os.listdir(f'/proc/{server.process.pid}/fd'))}")
    if lost:
        wrong.append("lost pushes")
    if options.devices / beside < SEND_BOUND:
        wrong.append("the rate of the send")
    if health[3]:
        wrong.append("/healthz beside all")


if __name__ == "__main__":
    main()
