"""Programs that a script runs: commands to their end, servers until the script ends, and the API of a server."""
import base64
import json
import os
import subprocess
import sys
import time
import urllib.error
import urllib.request

# How many seconds a script waits for anything; a program under a checker takes many times as long.
patience = 60


def fail(message):
    sys.exit(f"{os.path.basename(sys.argv[0])}: {message}")


def run(*line, **more):
    done = subprocess.run(line, capture_output=True, text=True, **more)
    if done.returncode:
        fail(f"{' '.join(line[:3])}: {done.stdout}{done.stderr}")
    return done.stdout


def until(what, condition):
    """Waits until a condition is true, and returns what it returned."""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        value = condition()
        if value:
            return value
        time.sleep(0.05)
    fail(f"{what} did not happen in {patience} s")


class Process:
    """A server that says where it listens, and that ends with this script."""

    running = []

    def __init__(self, *command):
        self.log = []
        self.child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        Process.running.append(self)
        self.url = None
        for line in self.child.stdout:
            self.log.append(line)
            if "listening on " in line:
                self.url = line.split("listening on ")[1].split()[0]
                return
        fail(f"{command[0]} ended: {''.join(self.log)}")

    def stop(self):
        """Ends the server, and returns its exit code."""
        self.child.terminate()
        self.child.communicate()
        Process.running.remove(self)
        return self.child.returncode

    @classmethod
    def stop_all(cls):
        for process in list(cls.running):
            process.stop()


class API:
    def __init__(self, url, keys):
        self.url, self.keys = url, keys

    def authorization(self, role):
        return "Basic " + base64.b64encode(f":{self.keys[role]}".encode()).decode()

    def __call__(self, method, path, body=None, role="push", headers={}):
        text = self.answer(method, path, body, role, headers)
        return json.loads(text) if text else None

    def answer(self, method, path, body=None, role="push", headers={}):
        """The bytes of an answer, which must be a success."""
        request = urllib.request.Request(self.url + path, method=method)
        request.add_header("Authorization", self.authorization(role))
        for name, value in headers.items():
            request.add_header(name, value)
        data = None
        if body is not None:
            data = body if isinstance(body, bytes) else json.dumps(body).encode()
            request.add_header("Content-Type", headers.get("Content-Type", "application/json"))
        try:
            with urllib.request.urlopen(request, data, timeout=patience) as answer:
                return answer.read()
        except urllib.error.HTTPError as error:
            fail(f"{method} {path}: {error.code} {error.read().decode()}")

    def send(self, role="push", headers={}, **members):
        return self("POST", "/v6/notifications", {"notification": members}, role, headers)["notification"]["id"]

    def reaches(self, notification, state, sent=0):
        def condition():
            send = self("GET", f"/v6/notifications/{notification}")
            return send["state"] == state and send["counts"]["sent"] >= sent

        until(f"the state {state} of a notification", condition)
