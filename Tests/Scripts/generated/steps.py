"""The steps that scripts/generated-clients takes with each generated client.

Each is a function of a `Session`, and its documentation is the line that is printed. Steps use what the ones before have made.
"""
import datetime, json

import servers
from adapters import Failed

DEVICES = ["phone-1", "phone-2", "phone-3"]
SECRET = "A" * 43  # the secret of a device, base64url of 32 bytes
TAGGED = [{"name": "tags", "criteria": ["gold"]}]
ADULT = {"name": "custom.integer.age", "criteria": [{"gte": 18, "lt": 99}, 7]}
LOCALIZED = {"default": "Hello", "de": "Hallo", "fr": "Bonjour"}
VARIANTS = [{"key": "a", "payload": {"alert": "Now"}}]


def later(**time):
    """A time to come, as an answer writes it."""
    now = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)
    return (now + datetime.timedelta(**time)).isoformat().replace("+00:00", "Z")


class Session:
    """An app of the server, used by one client.

    `server` is the server's key, `private_key` a provider key, and `journal` the file in which the sandbox lists what it gets.
    """

    def __init__(self, client, server, private_key, journal):
        self.client, self.keys, self.private_key, self.journal = client, {"server": server}, private_key, journal
        self.bundle = f"com.example.{client.name}"
        self.made = {}  # ids by what the steps call them

    def call(self, operation, body=None, role="push", status=200, **parameters):
        """The answer to a request, which must have the status."""
        found, answer = self.client.call(operation, self.keys[role], body, **parameters)
        if found != status:
            raise Failed(f"{operation}: {found} in place of {status}: {json.dumps(answer)}")
        return answer

    def send(self, payload, to, **members):
        """The id of a new notification."""
        notification = {"to": to, "payload": payload, **members}
        created = self.call("createNotification", {"notification": notification}, status=201)
        equal(created["notification"]["payload"], payload)
        return created["notification"]["id"]

    def pushes(self):
        """The requests that the sandbox got for the app."""
        lines = [json.loads(line) for line in self.journal.read_text().splitlines()]
        return [line for line in lines if line["headers"].get("apns-topic") == self.bundle]

    def count(self, to):
        return self.call("countAudience", {"audience": {"to": to}})["device_count"]

    def campaign(self, when, starts="live", **content):
        """Makes and starts a campaign, and returns its id."""
        new = {"name": "Sale", "to": "*", "variants": VARIANTS, **({"when": when} if when else {}), **content}
        campaign = self.call("createCampaign", {"campaign": new}, status=201)["campaign"]
        equal([campaign.get("when"), campaign["state"]], [when, "draft"])
        started = self.call("startCampaign", campaign_id=campaign["id"])["campaign"]
        equal(started["state"], starts)
        return campaign["id"]


def equal(found, expected):
    if found != expected:
        raise Failed(f"{json.dumps(found)} in place of {json.dumps(expected)}")


def app(session):
    """creates an app and an API key, and revokes the key"""
    new = {"bundle_id": session.bundle, "team_id": "TEAM123456", "key_id": "KEY1234567", "private_key": session.private_key,
           "name": session.client.name, "identity": "off"}
    created = session.call("createApp", {"app": new}, role="server", status=201)
    session.keys.update(created["keys"])
    given = {"app": created["id"], "role": "admin"}
    changed = session.call("changeApp", {"app": {"throttle_per_second": 1000}}, **given)["app"]
    equal([changed["throttle_per_second"], changed["identity"]], [1000, "off"])
    new = {"role": "push", "name": "one job", "allow": ["127.0.0.0/8"], "per_second": 5, "expires_at": later(days=1)}
    key = session.call("createKey", {"key": new}, status=201, **given)["key"]
    listed = session.call("listKeys", **given)["keys"]
    equal([each["allow"] for each in listed if each["id"] == key["id"]], [["127.0.0.0/8"]])
    equal(session.call("revokeKey", key_id=key["id"], **given)["key"]["id"], key["id"])
    session.made["app"] = created["id"]


def devices(session):
    """stores devices with attributes of every type, and reads one"""
    attributes = {
        "age": {"type": "integer", "value": 30}, "score": {"type": "float", "value": 0.5},
        "name": {"type": "string", "value": "Ada"}, "seen": {"type": "date", "value": "2026-01-02"},
        "paid": {"type": "boolean", "value": True}, "teams": {"type": "string", "value": ["red", "blue"]}}
    for number, device in enumerate(DEVICES):
        update = {
            "user_id": f"user-{number}", "push_token": f"{number:02x}" * 32, "tags": ["gold"] if number else [],
            "locale": "de", "time_zone": "Europe/Berlin", "badge": number, "user_attributes": attributes,
            "location": {"gps": {"lat": 52.5, "lng": "13.4"}}, "not_known_yet": True}
        answer = session.call("updateDevice", {"device": update}, device_id=device)
        equal([dropped["path"] for dropped in answer["dropped"]], ["$.device.not_known_yet"])
    device = session.call("readDevice", device_id=DEVICES[1])["devices"]
    equal([device["tags"], device["user_attributes"]["teams"]["value"], device["badge"]], [["gold"], ["red", "blue"], 1])


def imports(session):
    """imports devices from CSV, and erases one"""
    table = "token,os_name,user_id\n" + "0a" * 32 + ",iOS,imported\n" + "zz,iOS,nobody\n"
    answer = session.call("importDevices", table, role="admin", app=session.made["app"], content_type="text/csv")
    equal([answer["accepted"], answer["rejected"], [line["line"] for line in answer["lines"]]], [1, 1, [3]])
    imported = session.call("createAudience", {"audience": {"name": "All", "to": "*"}}, status=201)["audience"]
    listed = session.call("listAudienceDevices", audience_id=imported["id"])["devices"]
    device = next(each["id"] for each in listed if each.get("user_id") == "imported")
    session.call("eraseDevice", device_id=device)
    equal("erased_at" in session.call("readDevice", device_id=device)["devices"], True)


def audience(session):
    """creates, reads and changes an audience of filters"""
    new = {"name": "Gold", "to": TAGGED + [{"name": "push_enabled", "criteria": [True], "not_filter": False}]}
    made = session.call("createAudience", {"audience": new}, status=201)["audience"]
    equal(session.call("readAudience", audience_id=made["id"])["audience"]["device_count"], 2)
    changed = session.call("updateAudience", {"audience": {"to": TAGGED, "test": True}}, audience_id=made["id"])
    equal([changed["audience"]["device_count"], changed["audience"]["test"]], [2, True])
    session.made["gold"] = made["id"]


def filters(session):
    """counts the devices of filters of every kind"""
    kinds = {
        "tags": ["gold", "silver"], "push_enabled": [True], "custom.integer.age": [30, {"gt": 40}],
        "custom.float.score": [{"gte": 0.5, "lt": 1}], "custom.boolean.paid": [True], "custom.string.name": ["Ada"],
        "custom.date.seen": ["2026-01-02", {"gt": "2025-01-01", "lt": "now"}],
        "created_at": [{"gt": "-1d"}], "location": [{"lat": 52.5, "lng": 13.4, "radius": 1000}]}
    for name, criteria in kinds.items():
        equal([name, session.count([{"name": name, "criteria": criteria}])], [name, 2 if name == "tags" else 3])
    equal(session.count([{"name": "os_version", "criteria": [{"gte": "17.1"}, "18"]}]), 0)


def targets(session):
    """counts the devices of every other form of a target"""
    gold = session.made["gold"]
    for to, expected in [
            ("*", 3), (gold, 2), ({"audience": gold}, 2), ({"user_ids": ["user-0", "user-1"]}, 2),
            ({"all": [ADULT]}, 3), ({"any": [gold, TAGGED, [{"name": "user_id", "criteria": ["user-0"]}]]}, 3),
            ({"except": [gold]}, 1), ({"all": [ADULT], "any": [gold], "except": [[{"name": "badge", "criteria": [2]}]]}, 1)]:
        equal([to, session.count(to)], [to, expected])


def alerts(session):
    """sends a text to every device, and localized texts to an audience"""
    session.made["sent"] = session.send({"alert": "Hello {{ custom.name }}", "badge": 1, "screen": {"name": "offers"}}, "*")
    session.made["localized"] = session.send(
        {"alert": LOCALIZED, "title": {"default": "News", "de": "Neues"}, "subtitle": {"loc-key": "SUB", "loc-args": ["x"]},
         "badge": "+1", "interruption_level": "time-sensitive"}, session.made["gold"])


def apple(session):
    """sends an alert in Apple's form to the devices of filters"""
    session.send({"alert": {"title": {"default": "Sale", "de": "Angebot"}, "body": "Today", "launch-image": "sale"}}, TAGGED + [ADULT])
    session.send({"alert": {"loc-key": "HELLO", "loc-args": ["Ada"]}}, {"user_ids": ["user-1"]})
    session.send({"alert": "Again"}, {"except": [{"received": session.made["sent"], "opened": False}]})


def preview(session):
    """previews a notification"""
    notification = {"to": [ADULT], "payload": {"alert": LOCALIZED, "screen": 5}, "limits": {"quiet": "obey", "caps": "obey"}}
    shown = session.call("previewNotification", {"notification": notification})
    equal([shown["device_count"], shown["payload"]["aps"]["alert"], shown["payload"]["screen"]], [3, "Hallo", 5])


def schedule(session):
    """schedules a notification, and reads and lists it"""
    session.made["scheduled"] = session.send(
        {"alert": "Tomorrow"}, TAGGED, scheduled_at=later(days=1), expires_at=later(days=2), local_time=True,
        name="Tomorrow", labels=["later"], throttle_per_second=10,
        limits={"quiet": {"from": "22:00", "to": "07:30", "else": "drop"}, "counts": False})
    found = session.call("readNotification", notification_id=session.made["scheduled"])
    equal([found["state"], found["counts"]["targeted"], found["labels"]], ["scheduled", 2, ["later"]])
    listed = session.call("listNotifications", label="later")
    equal([[each["id"] for each in listed["notifications"]], listed["meta"]["total"]], [[found["id"]], 1])


def control(session):
    """pauses, resumes and cancels a notification"""
    for operation, state in [
            ("pauseNotification", "paused"), ("resumeNotification", "scheduled"), ("cancelNotification", "canceled")]:
        equal(session.call(operation, notification_id=session.made["scheduled"])["state"], state)
    session.call("pauseNotification", notification_id=session.made["scheduled"], status=409)
    session.call("readNotification", notification_id="0" * 24, status=404)


def delivery(session):
    """finds that devices got what was sent"""
    for name, devices in [("sent", 3), ("localized", 2)]:
        def is_sent():
            found = session.call("readNotification", notification_id=session.made[name])
            return found["counts"]["sent"] == devices

        servers.until(f"{devices} pushes", is_sent)
        outcomes = session.call("listOutcomes", notification_id=session.made[name])["outcomes"]
        equal([outcome["status"] for outcome in outcomes], [200] * devices)
    alerts = [push["payload"]["aps"].get("alert") for push in session.pushes()]
    german = {"title": "Neues", "body": "Hallo", "subtitle-loc-key": "SUB", "subtitle-loc-args": ["x"]}
    equal([alerts.count(german), alerts.count("Hello Ada")], [2, 3])


def receipts(session):
    """records events and receipts of a device"""
    update = {"push_token": "01" * 32, "user_id": "user-1", "locale": "de"}
    session.call("updateDevice", {"device": update}, role="device", device_id=DEVICES[1], martlet_device_secret=SECRET)
    event = {"id": "e1", "name": "bought", "items": [{"name": "Hat", "quantity": 2, "price": 900}], "data": {"plan": "gold"}}
    session.call("recordDeviceEvents", {"events": [event]}, status=202, device_id=DEVICES[1])
    receipt = {"id": "r1", "notification_id": session.made["sent"], "device_id": DEVICES[1], "event": "opened", "at": later()}
    session.call("recordReceipts", {"receipts": [receipt]}, role="device", status=202, martlet_device_secret=SECRET)


def message(session):
    """publishes an in-app message with a push"""
    new = {"to": TAGGED, "title": "Offers", "text": "New", "custom": {"screen": "offers"}, "notification": {"payload": {"alert": LOCALIZED}}}
    created = session.call("createMessage", {"message": new}, status=201)
    equal(created["notification"]["payload"], {"alert": LOCALIZED})
    equal(session.call("readMessage", message_id=created["id"])["message"]["custom"], {"screen": "offers"})
    inbox = session.call("readInbox", device_id=DEVICES[1])
    equal([each["title"] for each in inbox["messages"]], ["Offers"])


def template(session):
    """saves and reads templates, and sends one in a campaign"""
    for alert in ["First", LOCALIZED]:
        session.call("saveTemplate", {"template": {"payload": {"alert": alert}}}, template="welcome")
    found = session.call("readTemplate", template="welcome")["template"]
    equal([found["version"], found["payload"]], [2, {"alert": LOCALIZED}])
    session.campaign({"at": later(days=1)}, variants=[{"key": "a", "template": "welcome@2"}])


def once(session):
    """starts campaigns that send now, and at a time"""
    split = [{"key": "a", "share": 45, "payload": {"alert": LOCALIZED}}, {"key": "b", "share": 45, "payload": {"alert": "Sale"}},
             {"key": "control", "share": 10}]
    session.made["campaign"] = session.campaign(
        {"at": "now"}, variants=split, test={"sample": 50, "metric": "opens", "decide_after": "PT4H"},
        goals=[{"event": "bought", "within": "P3D"}], limits={"quiet": "ignore", "caps": "ignore"}, utm={"source": "push"})
    session.campaign({"at": later(days=1), "local_time": True})
    session.campaign({"at": later(days=1)[:10] + "T08:00Z", "best_time": True})


def recurring(session):
    """starts campaigns of every day, week and month"""
    for every in [{"unit": "day"}, {"unit": "week", "days": ["mon", "fri"]}, {"unit": "month", "day": 31}]:
        session.campaign({"every": {**every, "time": "09:30", "zone": "Europe/Berlin"}, "missed": "late PT2H"})


def triggered(session):
    """starts campaigns that an event, the server and an audience trigger"""
    cart = {"event": "cart", "where": [{"name": "total", "criteria": [{"gte": 10}]}]}
    session.campaign({"trigger": cart, "after": "PT1H", "exit_on": [{"event": "bought"}], "again_after": "P7D"})
    session.campaign({"enters": session.made["gold"], "current": False, "check_at_send": True})
    session.campaign({"leaves": session.made["gold"]})
    called = session.campaign({"trigger": "api"})
    answer = session.call("triggerCampaign", {"to": {"user_ids": ["user-1"]}, "data": {"plan": "gold"}}, status=202, campaign_id=called)
    equal(answer["enrolled"], 1)
    report = session.call("readCampaignReport", campaign_id=called)["report"]
    equal(report["enrolled"], 1)


def manage(session):
    """previews, pauses, resumes, lists and ends a campaign"""
    copy = session.call("duplicateCampaign", status=201, campaign_id=session.made["campaign"])["campaign"]
    shown = session.call("previewCampaign", campaign_id=copy["id"])
    equal([shown["device_count"], [each["key"] for each in shown["variants"]]], [3, ["a", "b"]])
    session.call("testCampaign", {"to": [DEVICES[1]], "variant": "a"}, status=201, campaign_id=copy["id"])
    for operation, state in [("pauseCampaign", "paused"), ("resumeCampaign", "live"), ("endCampaign", "ended")]:
        equal(session.call(operation, campaign_id=session.made["campaign"])["campaign"]["state"], state)
    listed = session.call("listCampaigns", state="ended")["campaigns"]
    equal([each["id"] for each in listed], [session.made["campaign"]])


def limits(session):
    """sets the limits of an app, and reads them"""
    equal(session.call("readLimits", role="admin")["limits"]["approval"], "none")
    new = {"holdout": {"percent": 5}, "quiet": {"from": "22:00", "to": "07:00", "else": "wait"},
           "caps": [{"most": 3, "within": "P1D"}], "approval": "required"}
    session.call("updateLimits", {"limits": new}, role="admin")
    found = session.call("readLimits", role="admin")["limits"]
    equal([found["holdout"]["percent"], found["quiet"], found["caps"], found["approval"]],
          [5, new["quiet"], new["caps"], "required"])


STEPS = [app, devices, imports, audience, filters, targets, alerts, apple, preview, schedule, control, delivery, receipts,
         message, template, once, recurring, triggered, manage, limits]
