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


# One request of each operation of the sheet, and the role that may not make it.
OPERATIONS = [
    ("POST", "/notifications", "analytics"),
    ("POST", "/transactional/notifications", "analytics"),
    ("POST", "/messages", "device"),
    ("GET", "/audiences", "device"),
    ("GET", "/audiences/5f9b/devices", "analytics"),
    ("GET", "/audiences/5f9b", "device"),
    ("GET", "/devices/5f9b", "device"),
    ("PUT", "/devices/5f9b", "analytics"),
    ("POST", "/devices/5f9b/events", "analytics"),
    ("POST", "/devices/5f9b/erase", "device"),
    ("GET", "/devices/uninstalled", "device"),
    ("PUT", "/users/ada", "device"),
    ("POST", "/users/ada/events", "device"),
    ("GET", "/stats/notifications/5f9b/events", "push"),
    ("GET", "/stats/messages/5f9b/events", "push"),
    ("GET", "/transactional/notifications/SALES/stats", "push"),
    ("GET", "/stats/opens", "push"),
    ("GET", "/stats/installs", "push"),
    ("GET", "/stats/sessions", "push"),
    ("GET", "/stats/active_users", "push"),
    ("GET", "/stats/total_installs", "push"),
]


def keys():
    forbidden = '{"error":"your api client does not have the correct roles"}'
    for version in ["v4", "v5", "v6"]:
        for method, path, role in OPERATIONS:
            path = f"/{version}{path}"
            for auth in [None, ("", "mk_wrong"), ("com.example.weather", "mk_wrong")]:
                nobody = requests.request(method, BASE + path, auth=auth, json={}, timeout=30)
                assert nobody.status_code == 401, (method, path, nobody.status_code)
                assert nobody.text == '{"error":"unauthorized"}', nobody.text
                assert nobody.headers["WWW-Authenticate"] == "Basic"
            other = call(method, path, role=role, status=403, json={})
            assert other.text == forbidden, other.text
    path = BASE + "/v6/audiences"
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
    # What is valid is taken and the rest dropped; with nothing left it is 422.
    path = f"/{version}/devices/{version}-1"
    wide = {"wide": {"type": "integer", "value": 2**40}}
    mixed = {"tags": ["news"], "user_id": 5, "user_attributes": wide}
    taken = call("PUT", path, status=200, json={"device": mixed}).json()["device"]
    assert taken["user_id"] == "user-1" and "wide" not in taken["user_attributes"], taken
    wrong = call("PUT", path, status=422, json={"device": {"user_id": 5}})
    assert "user_id" in wrong.json()["error"], wrong.text
    call("PUT", path, status=422, json={})
    call("GET", f"/{version}/devices/nobody", status=404)
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
    empty = {"gps": {}, "geoip": {"lat": None, "lng": None, "city": None, "country": None}}
    assert erased["location"] == empty and erased["user_events"] == {} and erased["tags"] == []
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
    counted = call("POST", "/v6/audiences/count", status=200, json={"audience": {"to": to}}).json()
    assert counted["device_count"] == total and counted["quiet"] == 0, counted
    assert walk("/v6/devices/uninstalled") == ([], 0)
    call("GET", "/v6/devices/uninstalled", status=404, params={"cursor": "expired"})
    return id


def gone():
    """Apple reports some devices gone; they are walked until none come."""
    for number in range(3):
        device = {"user_id": "gone", "push_token": f"dead{number:04x}"}
        call("PUT", f"/v6/devices/gone-{number}", status=200, json={"device": device})
    one = {
        "to": {"field": "user_id", "value": "gone"},
        "group": "promotion-2018-March",
        "extra_filters": [{"name": "device_id", "criteria": ["gone-2"], "not_filter": True}],
        "notification": {"payload": {"alert": "Gone", "badge": 0}},
    }
    sent = call("POST", "/v6/transactional/notifications", status=200, json=one).json()["results"]
    assert sent == {"success": 0, "uninstalled": 2, "failures": []}, sent
    seen, total = walk("/v6/devices/uninstalled")
    assert sorted(seen) == ["gone-0", "gone-1"] and total == 2, (seen, total)
    page = call("GET", "/v6/devices/uninstalled", params={"from": "2015-07-25"}).json()
    assert all("push_token" not in device for device in page["devices"]), page
    call("GET", "/v6/devices/uninstalled", status=422, params={"from": "yesterday"})
    for number in range(3):
        call("POST", f"/v6/devices/gone-{number}/erase", status=200)
    assert walk("/v6/devices/uninstalled") == ([], 0)


def examples(version):
    """The requests of the sheet as it has them."""
    to = [
        {"name": "events.video_plays", "criteria": [{"gt": 10}]},
        {"name": "custom.string.video_category", "criteria": ["sports"]},
    ]
    payload = {
        "alert": "Hi", "badge": 1, "sound": "Default.caf", "category": "TEST_CATEGORY",
        "any_key": "any_value",
    }
    path = f"/{version}/notifications"
    body = {"notification": {"to": to, "payload": payload}}
    sent = call("POST", path, status=201, json=body).json()
    assert sent["notification"]["payload"] == payload and sent["state"] == "scheduled", sent
    made = sent["to"]["id"]
    for again in [made, {"audience": made}]:
        body["notification"]["to"] = again
        assert call("POST", path, status=201, json=body).json()["to"]["id"] == made
    for to, status in [("5f9b", 404), ([], 422), ([{"name": "shoe_size", "criteria": [1]}], 422)]:
        body["notification"]["to"] = to
        answer = call("POST", path, json=body)
        assert answer.status_code in (status, 422), (to, answer.status_code, answer.text)
    for wrong in [{"badge": -1}, {"collapse_key": "c" * 65}, {"relevance_score": 2}]:
        body = {"notification": {"to": "*", "payload": {"alert": "Hi", **wrong}}}
        call("POST", path, status=422, json=body)
    nothing = requests.post(BASE + path, auth=("", KEYS["push"]), data="{", timeout=30,
                            headers={"Content-Type": "application/json"})
    assert nothing.status_code == 400 and set(nothing.json()) == {"error"}, nothing.text
    message = {
        "to": "*", "title": "Link", "type": "text_message", "url": "app://offers",
        "custom": {"section": "sports"}, "unpublish_at": "2100-01-01T00:00:00Z",
        "notification": {"payload": {"alert": "foo", "interruption_level": "time-sensitive"}},
    }
    posted = call("POST", f"/{version}/messages", status=201, json={"message": message}).json()
    assert posted["to"]["type"] == "Audience" and posted["title"] == "Link", posted
    seen = call("GET", f"/{version}/stats/messages/{posted['id']}/events", role="analytics").json()
    assert seen == {
        "id": posted["id"], "full_screen_impressions": 0, "message_stream_impressions": 0,
        "in_app_notification_impressions": 0,
    }, seen
    for group in ["ab", "a" * 65, "a_b"]:
        short = {"to": {"field": "user_id", "value": "user-0"}, "group": group,
                 "notification": {"payload": {"alert": "Hi"}}}
        call("POST", f"/{version}/transactional/notifications", status=422, json=short)


def purchases():
    """A tap, an opening without one, and what is bought after it."""
    one = {
        "to": {"field": "device_id", "value": "v6-0"},
        "group": "purchases",
        "notification": {"payload": {"alert": "Umbrellas"}},
    }
    call("POST", "/v6/transactional/notifications", status=200, json=one)
    found = call("GET", "/v6/notifications", status=200).json()["notifications"][0]["id"]
    now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    receipt = {"id": "purchase-1", "notification_id": found, "device_id": "v6-0",
               "event": "received", "at": now}
    call("POST", "/v6/receipts", role="device", status=202, json={"receipts": [receipt]})
    opened = {"device": {"opened": True}}
    call("PUT", "/v6/devices/v6-0", role="device", status=200, json=opened)
    item = {"name": "Umbrella", "quantity": 2, "price": 1999}
    bought = {"events": [{"name": "order", "items": [item]}]}
    call("POST", "/v6/devices/v6-0/events", role="device", status=202, json=bought)
    path = "/v6/transactional/notifications/purchases/stats"
    stats = call("GET", path, role="analytics", status=200).json()
    assert stats == {
        "group": "purchases", "direct_opens": 0, "indirect_opens": 1, "notifications_sent": 1,
        "event_conversions": {"order": 1},
        "purchase_conversions": [{"name": "Umbrella", "total_value": 3998, "count": 2}],
    }, stats
    path = f"/v6/stats/notifications/{found}/events"
    stats = call("GET", path, role="analytics", status=200).json()
    assert stats["influenced_opens"] == 1 and stats["opens"] == 0, stats
    hours = call("GET", f"/v6/stats/notifications/{found}/hours", role="analytics").json()
    assert [hour["sent"] for hour in hours] == [1] and hours[0]["delivered"] == 1, hours


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
    examples(version)
purchases()
gone()
print("all as the sheet says")
