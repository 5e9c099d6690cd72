"""Drives a running server as callers of the API do: api.py FILE, a JSON of its URL and a key a role."""
import json
import sys
import time

import requests

sys.stderr = sys.stdout

with open(sys.argv[1]) as file:
    given = json.load(file)
BASE, KEYS = given["url"], given["keys"]


def call(method, path, role="push", status=None, **more):
    auth = ("", KEYS[role]) if role else None
    answer = requests.request(method, BASE + path, auth=auth, timeout=30, **more)
    if status is not None:
        assert answer.status_code == status, (method, path, answer.status_code, answer.text)
    return answer


def walk(path):
    """Reads on from cursor to cursor until a page has no devices."""
    seen, cursor = [], None
    while True:
        page = call("GET", path, status=200, params={"cursor": cursor} if cursor else {}).json()
        if not page["devices"]:
            return seen, page["meta"]["total"]
        seen += [device["id"] for device in page["devices"]]
        cursor = page["meta"]["cursor"]


def keys():
    path = BASE + "/v6/audiences"
    nobody = requests.get(path, timeout=30)
    assert nobody.status_code == 401 and nobody.text == '{"error":"unauthorized"}', nobody.text
    assert nobody.headers["WWW-Authenticate"] == "Basic"
    wrong = requests.get(path, auth=("", "mk_wrong"), timeout=30)
    assert wrong.status_code == 401 and wrong.json() == {"error": "unauthorized"}
    other = call("GET", "/v6/audiences", role="device", status=403)
    assert other.text == '{"error":"your api client does not have the correct roles"}', other.text
    for auth in [("", KEYS["push"]), (KEYS["push"], ""), ("com.example.weather", KEYS["push"])]:
        assert requests.get(path, auth=auth, timeout=30).status_code == 200


def devices(version):
    for number in range(3):
        device = {
            "user_id": f"user-{number % 2}",
            "user_email": "a@example.com",
            "tags": ["news"],
            "push_token": f"{number:064x}",
            "user_attributes": {"plays": {"type": "integer", "value": number}},
        }
        path = f"/{version}/devices/{version}-{number}"
        made = call("PUT", path, status=200, json={"device": device}).json()["device"]
        assert made["user_email"] == "a@example.com" and made["tags"] == ["news"]
        read = call("GET", path, status=200).json()["devices"]
        assert read["email"] == "a@example.com" and read["platform"] == "iOS"
    events = {"events": [{"name": "video_plays", "date": "2015-07-25"}]}
    accepted = call("POST", f"/{version}/devices/{version}-0/events", status=202, json=events)
    assert accepted.json() == {}
    assert call("POST", f"/{version}/devices/{version}-0/events", status=400, json={}).json() == {}
    counted = call("GET", f"/{version}/devices/{version}-0").json()["devices"]["user_events"]
    name = "Public Api:video_plays" if version == "v4" else "video_plays"
    assert counted[name]["count"] == 1, counted
    user = {"user": {"custom": {"vip": {"type": "boolean", "value": True}}}}
    call("PUT", f"/{version}/users/user-0", status=200, json=user)
    call("POST", f"/{version}/users/user-0/events", status=202, json=events)
    erased = call("POST", f"/{version}/devices/{version}-2/erase", status=200).json()["device"]
    assert erased["platform"] == "Unknown" and erased["push_token"] is None
    again = {"device": {"tags": []}}
    call("PUT", f"/{version}/devices/{version}-2", status=451, json=again)


def audiences():
    to = [{"name": "tags", "criteria": ["news"]}]
    made = call("POST", "/v6/audiences", status=201, json={"audience": {"name": "News", "to": to}})
    id = made.json()["audience"]["id"]
    page = call("GET", "/v6/audiences", status=200, params={"per": 50, "page": 1}).json()
    assert [audience["name"] for audience in page["audiences"]] == ["News"]
    assert call("GET", "/v6/audiences", params={"page": 2}).json() == {"audiences": []}
    one = call("GET", f"/v6/audiences/{id}", status=200).json()["audience"]
    seen, total = walk(f"/v6/audiences/{id}/devices")
    assert len(seen) == len(set(seen)) == total == one["device_count"], (seen, total, one)
    call("GET", f"/v6/audiences/{id}/devices", status=404, params={"cursor": "expired"})
    assert walk("/v6/devices/uninstalled") == ([], 0)
    call("GET", "/v6/devices/uninstalled", status=404, params={"cursor": "expired"})
    return id


def notifications(audience, version):
    payload = {"alert": "Hi", "badge": 1, "any_key": "any_value"}
    body = {"notification": {"to": {"audience": audience}, "payload": payload}}
    sent = call("POST", f"/{version}/notifications", status=201, json=body).json()
    assert sent["state"] == "scheduled" and sent["to"] == {"id": audience, "type": "Audience"}
    id = sent["notification"]["id"]
    while call("GET", f"/v6/notifications/{id}", status=200).json()["state"] != "complete":
        time.sleep(0.05)
    path = f"/{version}/stats/notifications/{id}/events"
    stats = call("GET", path, role="analytics", status=200).json()
    assert stats["pushes_succeeded"] > 0 and stats["message_id"] == sent["id"]
    assert stats["published_time"].endswith("Z" if version == "v6" else "+00:00")
    one = {
        "to": {"field": "user_id", "value": "user-0"},
        "group": "SALES",
        "notification": {"payload": {"alert": "Paid", "mutable_content": True}},
    }
    results = call("POST", f"/{version}/transactional/notifications", status=200, json=one).json()
    assert results["results"]["success"] > 0 and results["results"]["failures"] == []
    path = f"/{version}/transactional/notifications/SALES/stats"
    assert call("GET", path, role="analytics", status=200).json()["notifications_sent"] > 0
    message = {"message": {"to": "*", "title": "test", "text": "test message",
                           "notification": {"payload": {"alert": "foo", "bar": "baz"}}}}
    posted = call("POST", f"/{version}/messages", status=201, json=message).json()
    assert posted["notification"]["payload"] == {"alert": "foo", "bar": "baz"}
    for name in ["opens", "installs", "sessions", "active_users"]:
        hours = call("GET", f"/{version}/stats/{name}", role="analytics", status=200).json()
        assert all(set(hour) == {"date", "count"} for hour in hours)
    total = call("GET", f"/{version}/stats/total_installs", role="analytics", status=200).json()
    assert total == {"total_installs": 9}, total


keys()
for version in ["v4", "v5", "v6"]:
    devices(version)
audience = audiences()
for version in ["v4", "v5", "v6"]:
    notifications(audience, version)
print("all as the sheet says")
