"""A store that is filled over the API with every kind of object in every state."""
import base64
import json
import os
import subprocess
import urllib.error
import urllib.request
from datetime import datetime, timedelta, timezone

from servers import API, Process, fail, run, until

LATER = "2099-01-01T00:00:00Z"
DEVICES = 60
TOKEN = "%064x"
BUNDLE = ["--bundle-id", "com.example.app", "--team-id", "TEAM123456", "--key-id", "KEY1234567"]
KEEP = [f"--keep-{what}=3650" for what in "outcomes receipts messages uploads audit idempotency-keys".split()]


def encoded(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def now(**later):
    return (datetime.now(timezone.utc) + timedelta(**later)).strftime("%Y-%m-%dT%H:%M:%SZ")


class World:
    """One store that is filled, and what is to be read from it."""

    def __init__(self, program, folder, database=None):
        self.program, self.folder = program, folder
        self.data = os.path.join(folder, "data")
        self.p8, self.pem = os.path.join(folder, "key.p8"), os.path.join(folder, "identity.pem")
        run("openssl", "genpkey", "-quiet", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", self.p8)
        run("openssl", "ec", "-in", self.p8, "-pubout", "-out", self.pem)
        self.options = ["--data", self.data] + (["--database", database] if database else [])
        self.facts = {}

    def command(self, *line):
        return json.loads(run(self.program, *line, *self.options, "--json"))

    def create_apps(self):
        made = self.command("apps", "create", "--name", "Weather", *BUNDLE, "--key-file", self.p8)
        self.app, self.keys = made["id"], made["keys"]
        # APNs refuses the key of this app, for it knows no such id.
        bundle = ["--bundle-id", "com.example.other", "--team-id", "TEAM123456", "--key-id", "KEY0000000"]
        other = self.command("apps", "create", "--name", "Refused", *bundle, "--key-file", self.p8)
        self.keys["other"] = other["keys"]["push"]
        self.facts["app"] = self.app

    def start_sandbox(self):
        """Starts a model of APNs, which a server of this store is to push to."""
        data, tokens = os.path.join(self.folder, "sandbox"), os.path.join(self.folder, "tokens.json")
        with open(tokens, "w") as file:
            json.dump({"gone": [TOKEN % 1], "foreign": [TOKEN % 2]}, file)
        sandbox = Process(
            self.program, "apns-sandbox", "--listen", "127.0.0.1:0", "--data", data, "--tokens", tokens,
            "--provider-key", f"TEAM123456:KEY1234567:{self.p8}", "--journal", os.path.join(self.folder, "journal"))
        self.apns = ["--apns", sandbox.url, "--apns-ca", os.path.join(data, "ca.pem")]
        return sandbox

    def serve(self):
        server = Process(
            self.program, "serve", "--listen", "127.0.0.1:0", "--log-level", "warning", *self.options, *self.apns, *KEEP)
        self.keys["server"] = open(os.path.join(self.data, "admin.key")).read().strip()
        api = API(server.url, self.keys)
        until("/readyz", lambda: self.is_ready(api))
        return server, api

    def is_ready(self, api):
        try:
            return urllib.request.urlopen(api.url + "/readyz", timeout=10).status == 200
        except urllib.error.HTTPError:
            return False

    def make(self):
        """Fills the store, and returns what the server answers to a GET of each object."""
        self.create_apps()
        sandbox = self.start_sandbox()
        server, api = self.serve()
        self.fill(api)
        server.stop()
        sandbox.stop()
        # With the same store, and an APNs that cannot be reached: nothing moves while it is read.
        server, api = self.serve()
        answers = [{"role": role, "path": path, "answer": api("GET", path, role=role)} for role, path in self.paths(api)]
        server.stop()
        return answers

    def fill(self, api):
        self.devices(api)
        self.notifications(api)
        self.messages(api)
        self.activities(api)
        self.campaigns(api)
        self.refusal(api)
        # The last one: it is under way when the server is stopped.
        self.facts["sending"] = api.send(
            to=[{"name": "tags", "criteria": ["every"]}], payload={"alert": "Under way"}, throttle_per_second=10)
        api.reaches(self.facts["sending"], "sending", sent=5)

    def devices(self, api):
        api("POST", "/v6/apps/%s/keys" % self.app, {"key": {"role": "push", "allow": ["10.0.0.0/8"], "per_second": 5,
            "expires_at": LATER}}, "admin")
        api("POST", "/v6/apps/%s/identity_keys" % self.app, {"identity_key": {"id": "1", "public_key": open(self.pem).read()}},
            "admin")
        api("POST", "/v6/webhooks", {"webhook": {"url": "https://hooks.example.invalid/martlet",
            "events": ["device.erase"]}}, "admin")
        for number in range(DEVICES):
            device = {
                "push_token": TOKEN % number, "platform": "iOS", "user_id": f"user{number % 40}", "locale": "de_DE",
                "time_zone": "Europe/Berlin", "app_version": "1.10", "os_version": "18.1", "sdk_version": "0.1",
                "tags": ["every", f"tag{number % 3}"], "push_quiet": number % 7 == 0, "badge": number % 5,
                "location": {"gps": {"lat": 52.5, "lng": 13.4}, "geoip": {"city": "Berlin", "country": "DE"}},
                "user_attributes": {
                    "plan": {"type": "string", "value": "gold"}, "visits": {"type": "integer", "value": number},
                    "ratio": {"type": "float", "value": 0.5}, "paid": {"type": "boolean", "value": True},
                    "born": {"type": "date", "value": "2000-02-29T00:00:00Z"}},
            }
            if number == 4:
                device |= {"public_key": self.point(), "auth_secret": encoded(bytes(16))}
            answer = api("PUT", f"/v6/devices/device{number}", {"device": device})
            if answer.get("dropped"):
                fail(f"a device was stored in part: {answer['dropped']}")
        self.secret = {"Martlet-Device-Secret": encoded(bytes(range(32)))}
        api("PUT", "/v6/devices/secretive", {"device": {"push_token": TOKEN % 900, "platform": "iOS", "tags": ["few"]}},
            "device", self.secret)
        api("PUT", "/v6/devices/android", {"device": {"push_token": "fcm:token", "platform": "Android"}})
        api("PUT", "/v6/devices/erased", {"device": {"push_token": TOKEN % 901, "platform": "iOS"}})
        api("DELETE", "/v6/devices/erased")
        api("POST", "/v6/devices/device3/events", {"events": [{"name": "played"}, {"name": "bought", "id": "e1"}]})
        self.audience = api("POST", "/v6/audiences", {"audience": {"name": "Gold", "to": [
            {"name": "custom.string.plan", "criteria": ["gold"]}, {"name": "tags", "criteria": ["tag0"], "not_filter": True}]}}
            )["audience"]["id"]

    def point(self):
        """The public key in the form of Web Push: a point of 65 bytes."""
        key = subprocess.run(["openssl", "ec", "-in", self.p8, "-pubout", "-outform", "DER"], capture_output=True, check=True)
        return encoded(key.stdout[-65:])

    def notifications(self, api):
        everyone = [{"name": "tags", "criteria": ["every"]}]
        one = {"user_ids": ["user5"]}
        page = {"title": "Coat", "media": {"url": "https://example.com/1.jpg", "alt": "A coat"}}
        template = {"template": {"version": 1, "kind": "carousel", "advance": 4, "pages": [page | {"id": "1"}, page | {"id": "2"}]}}
        self.sends = {"complete": api.send(
            to=everyone, name="Spring sale", labels=["sale", "spring"],
            payload={"alert": {"default": "Hello {{ user_id }}", "de": "Hallo"}, "title": "Weather", "badge": 1,
                     "mutable_content": True, "category": "expanded", "_st": {"image_url": "https://example.com/a.png"},
                     "_martlet": template},
            headers={"Idempotency-Key": "spring"})}
        complete = self.facts["complete"] = self.sends["complete"]
        api.reaches(complete, "complete")
        at = now()
        receipts = [{"id": f"r{number}{event}", "notification_id": complete, "device_id": f"device{number}", "event": event,
                     "at": at} for number in range(3, 9) for event in ("received", "displayed", "opened")]
        receipts += [
            {"id": "t1", "notification_id": complete, "device_id": "device3", "event": "template_page", "at": at, "page": 1,
             "dwell_seconds": 4},
            {"id": "t2", "notification_id": complete, "device_id": "device4", "event": "template_answered", "at": at, "value": "yes"},
        ]
        api("POST", "/v6/receipts", {"receipts": receipts}, "device")
        api("POST", "/v6/devices/device3/events", {"events": [{"name": "bought", "notification_id": complete,
            "items": [{"name": "coat", "quantity": 1, "price": 9900}]}]})
        self.sends["received"] = api.send(to={"any": [{"received": complete, "opened": False}]}, payload={"alert": "Still there"})
        api.reaches(self.sends["received"], "complete")
        self.sends["scheduled"] = api.send(to={"audience": self.audience}, payload={"alert": "Later"}, scheduled_at=LATER)
        self.sends["local"] = api.send(to=everyone, payload={"alert": "Good morning"}, scheduled_at=LATER, local_time=True)
        self.sends["canceled"] = api.send(to=one, payload={"alert": "Never"}, scheduled_at=LATER)
        api("DELETE", f"/v6/notifications/{self.sends['canceled']}")
        self.sends["paused"] = api.send(to=everyone, payload={"alert": "Paused"}, throttle_per_second=1)
        api("POST", f"/v6/notifications/{self.sends['paused']}/pause")
        api.reaches(self.sends["paused"], "paused")
        self.sends["expired"] = api.send(
            to=everyone, payload={"alert": "Too late"}, throttle_per_second=1, expires_at=now(seconds=2))
        api.reaches(self.sends["expired"], "complete")
        api("POST", "/v6/transactional/notifications", {"to": {"field": "user_id", "value": "user6"}, "group": "SALES",
            "notification": {"payload": {"alert": "Your order"}}})

    def messages(self, api):
        self.message = api("POST", "/v6/messages", {"message": {"to": "*", "title": "News", "text": "For all",
            "custom": {"color": "red"}, "unpublish_at": LATER}})["id"]
        few = api("POST", "/v6/messages", {"message": {"to": [{"name": "tags", "criteria": ["few"]}], "title": "Few",
            "text": "For few", "unpublish_at": LATER}})["id"]
        self.few = few
        api("POST", f"/v6/messages/{few}/impressions", {"impression": {"device_id": "secretive", "kind": 1}}, "device", self.secret)
        api("POST", "/v6/devices/device5/messages/read", {"ids": [self.message]})

    def activities(self, api):
        path = "/v6/devices/secretive/activities/OrderAttributes/start-token"
        api("PUT", path, {"token": "00ff"}, "device", self.secret)
        api("PUT", "/v6/activities/order-7/tokens/secretive", {"token": "00aa", "type": "OrderAttributes"}, "device", self.secret)
        activity = {"event": "start", "type": "OrderAttributes", "devices": ["secretive"], "attributes": {"number": 7},
                    "content_state": {"status": "cooking"}, "alert": {"title": "Order", "body": "The kitchen has begun"}}
        api("POST", "/v6/activities/order-7/notifications", {"activity": activity})
        update = {"event": "update", "content_state": {"status": "on its way"}, "priority": 5}
        sent = api("POST", "/v6/activities/order-7/notifications", {"activity": update})
        self.update = sent["notification"]["id"]
        api.reaches(self.update, "complete")
        api("POST", f"/v6/apps/{self.app}/channels", {"channel": {"storage": "most_recent"}})

    def campaigns(self, api):
        campaign = {
            "name": "Autumn sale", "labels": ["sale"], "to": {"all": [{"name": "tags", "criteria": ["every"]}]},
            "variants": [{"key": "a", "share": 45, "payload": {"alert": "20% off"}},
                         {"key": "b", "share": 45, "payload": {"alert": "Your coat"}}, {"key": "control", "share": 10}],
            "test": {"sample": 50, "metric": "opens"},
        }
        api("PUT", "/v6/limits", {"limits": {"holdout": {"percent": 5}}}, "admin")
        self.draft = api("POST", "/v6/campaigns", {"campaign": campaign | {
            "name": "Winter", "goals": [{"event": "bought", "within": "P3D"}]}})["campaign"]["id"]
        self.campaign = api("POST", "/v6/campaigns", {"campaign": campaign})["campaign"]["id"]
        api("POST", f"/v6/campaigns/{self.campaign}/start")
        path = f"/v6/campaigns/{self.campaign}/runs"
        until("the test of a campaign", lambda: api("GET", path)["runs"] and api("GET", path)["runs"][0]["state"] == "testing")
        self.run = api("GET", path)["runs"][0]["id"]
        self.facts["run"] = self.run

    def refusal(self, api):
        device = {"device": {"push_token": TOKEN % 3, "platform": "iOS", "user_id": "user3"}}
        api("PUT", "/v6/devices/device3", device, "other")
        self.refused = api.send("other", to="*", payload={"alert": "Refused"})
        path = f"/v6/notifications/{self.refused}"
        until("the pause of a send whose key is refused", lambda: api("GET", path, role="other")["state"] == "paused")

    def paths(self, api):
        day = now()[:10]
        stats = f"?from={day}&to={day}"
        yield "server", "/v6/apps"
        for name in ("keys", "identity_keys"):
            yield "admin", f"/v6/apps/{self.app}/{name}"
        yield "push", f"/v6/apps/{self.app}/channels"
        yield "admin", "/v6/webhooks"
        for device in ("device0", "device1", "device2", "device3", "device59", "secretive", "android", "erased"):
            yield "push", f"/v6/devices/{device}"
        yield "push", "/v6/audiences"
        yield "push", f"/v6/audiences/{self.audience}"
        yield "push", f"/v6/audiences/{self.audience}/devices"
        for send in [*self.sends.values(), self.facts["sending"]]:
            yield "push", f"/v6/notifications/{send}"
            yield "push", f"/v6/notifications/{send}/outcomes"
            yield "push", f"/v6/notifications/{send}/report"
        for suffix in ("", "/outcomes", "/report"):
            yield "other", f"/v6/notifications/{self.refused}{suffix}"
        yield "other", "/v6/devices/device3"
        yield "push", "/v6/notifications"
        yield "push", "/v6/notifications?q=spring&label=sale"
        complete = self.sends["complete"]
        yield "analytics", f"/v6/stats/notifications/{complete}/events"
        yield "analytics", f"/v6/stats/notifications/{complete}/hours"
        yield "analytics", f"/v6/stats/notifications/{complete}/template"
        yield "analytics", "/v6/transactional/notifications/SALES/stats" + stats
        for name in ("opens", "installs", "sessions", "active_users", "total_installs"):
            yield "analytics", f"/v6/stats/{name}" + stats
        yield "push", "/v6/messages"
        for message in (self.message, self.few):
            yield "push", f"/v6/messages/{message}"
            yield "analytics", f"/v6/stats/messages/{message}/events"
        for device in ("device5", "device6", "secretive"):
            yield "push", f"/v6/devices/{device}/messages"
        yield "push", "/v6/activities/order-7"
        yield "push", f"/v6/notifications/{self.update}"
        yield "push", "/v6/campaigns"
        for campaign in (self.draft, self.campaign):
            yield "push", f"/v6/campaigns/{campaign}"
        yield "push", f"/v6/campaigns/{self.campaign}/runs"
        yield "push", f"/v6/runs/{self.run}"
        yield "push", "/v6/limits"
        yield "admin", "/v6/audit"
