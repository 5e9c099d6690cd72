"""Objects of every kind that requests at random may change and delete, by the names in `schemathesis.toml`."""
from world import BUNDLE, LATER

# The secret that `schemathesis_hooks.py` sends with each request.
SECRET = {"Martlet-Device-Secret": "A" * 43}
COUNT = 20


def new(api, path, body, role="push"):
    """Makes an object, and returns its id."""
    answer = api("POST", path, body, role)
    return next(part["id"] for part in (answer, *answer.values()) if isinstance(part, dict) and "id" in part)


def make(api, world):
    """Makes the objects over the API of a world; returns the ids of each kind."""
    path = f"/v6/apps/{world.app}"
    numbers = range(COUNT)
    ids = {
        "app": [world.app], "user_id": ["user1", "user2"], "group": ["SALES"], "to": ["*"], "variant": ["a", "b"],
        "template_version": ["1"], "activity_type": ["OrderAttributes"], "activity_id": ["order-7", "kept-8"],
        "identity_key": ["1"], "private_key": [open(world.p8).read()], "public_key": [open(world.pem).read()],
        "sent_notification": [world.sends["complete"]], "testing_run": [world.run],
    }
    ids["device_id"] = [f"phone-{number}" for number in numbers]
    ids["reached_device"] = [f"device{number}" for number in range(3, 9)]
    for number, device in enumerate(ids["device_id"]):
        body = {"push_token": "%064x" % (1000 + number), "platform": "iOS", "user_id": f"user{number}"}
        api("PUT", f"/v6/devices/{device}", {"device": body}, "device", SECRET)
    kept = {"type": "OrderAttributes", "content_state": {}, "devices": ids["device_id"]}
    api("PUT", "/v6/activities/kept-8", {"activity": kept})
    ids["key_id"] = [new(api, path + "/keys", {"key": {"role": "push"}}, "admin") for _ in numbers]
    ids["channel_id"] = [
        new(api, path + "/channels", {"channel": {"storage": storage}}) for storage in ("none", "most_recent")]
    webhook = {"webhook": {"url": "https://hooks.example.invalid/", "events": ["device.erase"]}}
    ids["webhook_id"] = [new(api, "/v6/webhooks", webhook, "admin") for _ in range(COUNT // 2)]
    everyone = [{"name": "tags", "criteria": ["every"]}]
    ids["audience_id"] = [
        new(api, "/v6/audiences", {"audience": {"name": f"Audience {number}", "to": everyone}}) for number in numbers]
    ids["notification_id"] = [
        api.send(to=everyone, payload={"alert": f"Later {number}"}, scheduled_at=LATER) for number in numbers]
    ids["message_id"] = [
        new(api, "/v6/messages", {"message": {"to": "*", "title": f"News {number}", "text": "Text", "unpublish_at": LATER}})
        for number in numbers]
    ids["template"] = [f"template-{number}" for number in numbers]
    for name in ids["template"]:
        api("PUT", f"/v6/templates/{name}", {"template": {"payload": {"alert": "Hello", "title": name}}})
    ids["spare_app"] = [spare_app(api, ids["private_key"][0], number) for number in range(COUNT // 4)]
    return ids | campaigns(api)


def spare_app(api, key, number):
    app = dict(zip(("bundle_id", "team_id", "key_id"), BUNDLE[1::2])) | {"private_key": key}
    app["bundle_id"] += f".spare{number}"
    return new(api, "/v6/apps", {"app": app}, "server")


def campaigns(api):
    """Campaigns that are drafts, have been submitted, are live and are paused."""
    document = {
        "to": "*", "when": {"at": LATER}, "test": {"sample": 50},
        "variants": [{"key": key, "share": 50, "payload": {"alert": key}} for key in ("a", "b")]}
    triggered = {
        "name": "Cart", "to": "*", "when": {"trigger": {"event": "cart"}},
        "variants": [{"key": "a", "payload": {"alert": "Your cart"}}]}

    def made(campaign, *actions):
        identifier = new(api, "/v6/campaigns", {"campaign": campaign})
        for action in actions:
            api("POST", f"/v6/campaigns/{identifier}/{action}")
        return identifier

    kinds = {
        "draft_campaign": (document, ()), "submitted_campaign": (document, ("submit",)),
        "live_campaign": (document, ("start",)), "paused_campaign": (document, ("start", "pause")),
        "triggered_campaign": (triggered, ("start",))}
    return {
        name: [made({"name": f"{name} {number}"} | campaign, *actions) for number in range(COUNT // 2)]
        for name, (campaign, actions) in kinds.items()}
