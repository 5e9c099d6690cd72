"""Fills the server of the demo with data, and saves a picture of every page in a folder.

Usage: screenshots.py MARTLET WORK PICTURES. Each page is taken light and dark, on a desktop and on a phone,
with a palette of 256 colours.
"""

import base64
import io
import json
import pathlib
import random
import sqlite3
import subprocess
import sys
import time
import urllib.request
from datetime import datetime, timedelta, timezone

from PIL import Image
from playwright.sync_api import expect, sync_playwright

martlet, work, pictures = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
root = pathlib.Path(__file__).parent.parent.parent
chance = random.Random(7)
demo = work / "demo"

# MARK: The server


def start(*arguments):
    process = subprocess.Popen([martlet, *map(str, arguments)], stdout=subprocess.PIPE, text=True)
    return process


def printed(process, prefix):
    for line in process.stdout:
        if line.startswith(prefix):
            return line[len(prefix) :].strip()
    raise SystemExit(f"{process.args[1]} ended before it printed {prefix!r}")


def push_token(number):
    return f"{number:064x}"


def faults():
    rules = [{"token": push_token(n), "do": "status", "status": 410, "reason": "Unregistered",
              "timestamp": int(time.time() * 1000)} for n in range(31, 37)]
    rules += [{"token": push_token(n), "do": "status", "status": 400, "reason": "BadDeviceToken"} for n in (52, 77)]
    file = work / "faults.json"
    file.write_text(json.dumps({"rules": rules}))
    return file


def api(method, path, body=None, key=None):
    password = base64.b64encode(f":{key or admin}".encode()).decode()
    request = urllib.request.Request(
        url + path, method=method, data=None if body is None else json.dumps(body).encode(),
        headers={"Authorization": f"Basic {password}", "Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.loads(answer.read() or b"null")
    except urllib.error.HTTPError as error:
        raise SystemExit(f"{method} {path}: {error.code} {error.read().decode()}")


# MARK: The data

names = "Ada Ben Chloe Dev Elif Finn Grace Hugo Ines Jon Kira Leo Mila Noor Otto Pia Quin Rosa Sam Tess".split()
cities = {"Berlin": "Europe/Berlin", "London": "Europe/London", "Oslo": "Europe/Oslo", "Boston": "America/New_York"}
walkers = range(1, 181)


def register_devices():
    for number in walkers:
        city = chance.choice(list(cities))
        api("PUT", f"/v6/devices/walker-{number:03}", {"device": {
            "push_token": push_token(number), "platform": "iOS", "push_enabled": number % 11 != 0,
            # One person has three devices.
            "user_id": f"user-{176 if number in (178, 180) else number:03}", "time_zone": cities[city], "app_version": "4.2.0",
            "os_version": "26.1", "tags": ["news"] + (["trails"] if number % 3 else []),
            "user_attributes": {
                "first_name": {"type": "string", "value": chance.choice(names)},
                "city": {"type": "string", "value": city},
                "walks": {"type": "integer", "value": chance.randrange(60)}},
            "opened": number % 2 == 0}})
    ids = {}
    for name, to, is_test in [
        ("Trail walkers", [{"name": "tags", "criteria": ["trails"]}], False),
        ("Berlin", [{"name": "custom.string.city", "criteria": ["Berlin"]}], False),
        ("The team", {"user_ids": ["user-001", "user-002", "user-004"]}, True),
    ]:
        made = api("POST", "/v6/audiences", {"audience": {"name": name, "to": to, "test": is_test}})
        ids[name] = made["audience"]["id"]
    return ids


def send(to, payload, **more):
    body = {"notification": {"to": to, "payload": payload, **more}}
    return api("POST", "/v6/notifications", body)["notification"]["id"]


def wait_for_end(id):
    for _ in range(600):
        if api("GET", f"/v6/notifications/{id}")["state"] in ("complete", "canceled", "failed"):
            return
        time.sleep(0.1)
    raise SystemExit(f"the send {id} does not end")


def report_events(id, share):
    """Most devices display the notification, some without its media, and some open it."""
    now, reports = datetime.now(timezone.utc), []
    outcomes = api("GET", f"/v6/notifications/{id}/outcomes")["outcomes"]
    for device in (outcome["device_id"] for outcome in outcomes if outcome["result"] == "sent"):
        if chance.random() > share:
            continue
        media, reason = chance.choices(
            [("attached", None), ("failed", "timeout"), ("failed", "too-large"), ("alternative", None)],
            [90, 4, 2, 4])[0]
        events = ["received", "displayed"] + (["opened"] if chance.random() < 0.28 else [])
        for event in events:
            report = {"id": f"{id}-{device}-{event}", "notification_id": id, "device_id": device,
                      "event": event, "at": (now + timedelta(seconds=events.index(event) * 2)).isoformat()}
            if event == "displayed":
                report |= {"media": media, "duration_ms": chance.randrange(180, 900)}
                if reason:
                    report["reason"] = reason
            reports.append(report)
    for first in range(0, len(reports), 500):
        api("POST", "/v6/receipts", {"receipts": reports[first : first + 500]}, device_key)


def history():
    """Writes the counts of two months into the database of the server, which is minutes old."""
    day = 86_400_000
    today = int(time.time() * 1000) // day * day
    database = sqlite3.connect(demo / "server/martlet.sqlite", timeout=30)
    app_number = database.execute("SELECT number FROM apps").fetchone()[0]
    typical = {"opens": 420, "sessions": 510, "active_users": 310, "installs": 24, "uninstalls": 6,
               "pushes_sent": 900, "pushes_rejected": 9}
    for back in range(1, 60):
        time_of_day = today - back * day
        weekend = 1.35 if datetime.fromtimestamp(time_of_day / 1000, timezone.utc).weekday() > 4 else 1
        for counter, usual in typical.items():
            is_push = counter.startswith("pushes")
            if is_push and back % 3:
                continue
            count = round(usual * weekend * (1 - back / 110) * chance.uniform(0.8, 1.2))
            database.execute(
                "INSERT OR REPLACE INTO counters (app, counter, time, count) VALUES (?, ?, ?, ?)",
                (app_number, counter, time_of_day, count))
    database.execute("UPDATE counters SET count = 24 WHERE counter = 'installs' AND time >= ?", (today,))
    database.commit()
    database.close()


def backdate(id):
    """Moves a send half a day back, with reports in every hour since."""
    hour, hours = 3_600_000, 12
    first = int(time.time() * 1000) // hour * hour - hours * hour
    database = sqlite3.connect(demo / "server/martlet.sqlite", timeout=30)
    app, number = database.execute("SELECT app, number FROM sends WHERE id = ?", (id,)).fetchone()
    for column in ["created_at", "started_at", "completed_at"]:
        database.execute(f"UPDATE sends SET {column} = {column} - ? WHERE number = ?", (hours * hour, number))
    sums = database.execute("SELECT kind, name, sum(count) FROM send_hours WHERE send = ? GROUP BY 1, 2", (number,)).fetchall()
    database.execute("DELETE FROM send_hours WHERE send = ?", (number,))
    for kind, name, count in sums:
        at_once = kind in ("sent", "rejected", "uninstalled")
        for back in range(hours):
            part = count if at_once or back == hours - 1 else round(count * 0.35)
            count -= part
            if part:
                database.execute("INSERT INTO send_hours VALUES (?, ?, ?, ?, ?, ?)",
                                 (app, number, first + back * hour, kind, name, part))
    database.commit()
    database.close()


def fill_sends(ids, media):
    walk = {"title": "A good evening for a walk", "subtitle": "Clear until midnight",
            "alert": "{{ custom.first_name | default: \"Hello\" }}, sunset over the valley is at 20:14.",
            "mutable_content": True, "url": "skyline://trails/valley",
            "_martlet": {"media": [{"url": media}], "alternative_text": "The valley at sunset",
                         "buttons": [{"title": "Show the trail", "url": "skyline://trails/valley", "options": ["foreground"]},
                                     {"title": "Not today", "id": "skip"}]}}
    for title, text, audience, share in [
        ("New: offline maps", "Save a region before you set out.", "Berlin", 0.7),
        ("Snow above 1200 m", "Take the lower path until Thursday.", "Trail walkers", 1)]:
        id = send(ids[audience], {"title": title, "alert": text})
        wait_for_end(id)
        report_events(id, share)
        traced = id
    send(ids["Trail walkers"], {"title": "Sunday’s group walk", "alert": "We meet at nine by the old mill."},
         scheduled_at=(datetime.now() + timedelta(days=2)).replace(hour=9, minute=0).strftime("%Y-%m-%dT%H:%M:00"),
         local_time=True)
    main = send(ids["Trail walkers"], walk)
    wait_for_end(main)
    report_events(main, 0.85)
    backdate(main)
    return main, traced, send("*", {"title": "Storm warning", "alert": "Winds of 90 km/h from noon. Stay in the valley.",
                            "interruption_level": "time-sensitive"}, throttle_per_second=1)


# MARK: Pictures


def take_pictures(page, name):
    for size, width in [("desktop", 1440), ("phone", 390)]:
        page.set_viewport_size({"width": width, "height": 844})
        for scheme in ["light", "dark"]:
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            page.set_viewport_size({"width": width, "height": 844})
            height = page.evaluate("document.documentElement.scrollHeight")
            page.set_viewport_size({"width": width, "height": min(max(height, 844), 3600)})
            if page.locator("#compose [name=appearance]").count():
                # On a phone the preview is a sheet that is closed.
                page.locator(f"#compose [name=appearance][value={scheme}]").evaluate("radio => radio.click()")
                page.wait_for_selector("#budget[data-current]", state="attached")
                expect(page.locator(f"#card-{scheme}")).to_have_js_property("naturalWidth", 786)
            # Pictures that the server draws for each appearance are fetched anew.
            page.wait_for_function(
                "dark => [...document.querySelectorAll('.cards img')].every("
                "(image) => image.complete && image.currentSrc.includes('dark=1') === dark)", arg=scheme == "dark")
            page.evaluate("scrollTo(0, 0)")
            page.evaluate("Promise.all([...document.images].map((image) => image.decode().catch(() => {})))")
            image = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
            palette = image.quantize(256, kmeans=1)
            # Photos need dithering; plain backgrounds would become noisy.
            dither = Image.Dither.FLOYDSTEINBERG if page.locator("main img").count() else Image.Dither.NONE
            image = image.quantize(palette=palette, dither=dither)
            image.save(pictures / f"{name}-{scheme}-{size}.png", optimize=True)
    page.set_viewport_size({"width": 1440, "height": 844})


def compose(page, ids):
    page.goto(f"{base}/compose")
    page.get_by_label("Audience", exact=True).select_option(label="Trail walkers")
    page.locator("#title").fill("A good evening for a walk")
    page.get_by_label("Subtitle").fill("Clear until midnight")
    page.get_by_label("Body", exact=True).fill(
        '{{ custom.first_name | default: "Hello" }}, sunset over the valley is at 20:14. The path to the lake is dry.')
    page.get_by_label("Deep link").fill("skyline://trails/valley")
    page.get_by_label("Upload a file").set_input_files(root / "Tests/Fixtures/media/picture.png")
    expect(page.locator("#upload")).to_contain_text("was uploaded")
    page.get_by_label("Fallback text").fill("The valley at sunset")
    for row, title, link in [(1, "Show the trail", "skyline://trails/valley"), (2, "Not today", "")]:
        button = page.get_by_role("group", name=f"Button {row}")
        button.get_by_label("Title").fill(title)
        button.get_by_label("Link").fill(link)
    page.get_by_role("group", name="Button 1").get_by_label("Opens the app").check()
    page.get_by_label("Badge").fill("+1")
    page.locator("#preview_as").select_option(label="user-001")
    page.wait_for_selector("#budget[data-current]", state="attached")
    for appearance in ["light", "dark"]:  # at scale 2
        expect(page.locator(f"#card-{appearance}")).to_have_js_property("naturalWidth", 786)
    page.evaluate("document.activeElement.blur()")
    take_pictures(page, "compose")
    page.get_by_role("button", name="Review and send").click()
    take_pictures(page, "review")
    page.get_by_role("button", name="Back to editing").click()
    page.get_by_text("Expanded notification").first.click()
    page.locator("#template").select_option("carousel")
    for number, title in enumerate(["The valley", "The lake"]):
        row = page.locator(".page-row").nth(number)
        if row.get_attribute("open") is None:
            row.locator("summary").click()
        page.locator(f"[name=page{number}_media_url_file]").set_input_files(root / "Tests/Fixtures/media/picture.png")
        expect(page.locator(f"#page{number}_media_url")).not_to_have_value("")
        page.locator(f"#page{number}_title").fill(title)
    page.wait_for_selector("#budget[data-current]", state="attached")
    for appearance in ["light", "dark"]:
        expect(page.locator(f"#card-{appearance}")).to_have_js_property("naturalWidth", 786)
    page.evaluate("document.activeElement.blur()")
    take_pictures(page, "compose-template")


def campaign(page):
    """A campaign of two variants from its form to its report."""
    page.goto(f"{base}/sends/campaigns/new")
    page.get_by_label("Name", exact=True).fill("Autumn walks")
    page.locator("#to").select_option(label="Trail walkers")
    for number, name, title, text in [
        (0, "The path", "A path above the fog", "Two hours, and a view over the whole valley."),
        (1, "The weather", "Sun on Saturday", "The first clear morning of the month.")]:
        page.locator(f"#v{number}_name").fill(name)
        page.locator(f"#v{number}_title").fill(title)
        page.locator(f"#v{number}_text").fill(text)
        page.locator(f"#v{number}_share").fill("45")
    page.get_by_label("Control (%)").fill("10")
    page.locator("#sample").fill("60")
    page.get_by_label("I decide").check()
    page.locator("#goal0_event").fill("walked")
    page.wait_for_selector("#budget[data-current]", state="attached")
    take_pictures(page, "campaign-form")
    page.get_by_role("button", name="Save and review").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Autumn walks")
    for picture in page.locator(".cards img").all():
        picture.scroll_into_view_if_needed()
        expect(picture).to_have_js_property("naturalWidth", 786)
    take_pictures(page, "campaign-review")
    page.get_by_role("button", name="Start campaign").click()
    id = page.url.split("?")[0].rsplit("/", 1)[1]
    run = api("GET", f"/v6/campaigns/{id}/runs")["runs"][0]["id"]
    variants = api("GET", f"/v6/runs/{run}")["run"]["variants"]
    for variant, share in zip(variants, [0.95, 0.3]):
        for one in variant["notifications"]:
            wait_for_end(one["id"])
            report_events(one["id"], share)
    api("POST", f"/v6/runs/{run}/decide", {"variant": "a"})
    page.goto(f"{base}/reports/campaigns/{id}")
    take_pictures(page, "campaign-report")


def campaign_kinds(page):
    """A weekly campaign and a cart reminder, in the form and in the review, and the limits of the app."""
    page.goto(f"{base}/settings/limits")
    page.get_by_label("Each day").check()
    page.locator("#cap0_most").fill("3")
    page.locator("#cap0_within").fill("7")
    page.get_by_role("button", name="Save limits").click()
    take_pictures(page, "limits")
    page.goto(f"{base}/sends/campaigns/new?sent=recurring")
    page.get_by_label("Name", exact=True).fill("Walk of the week")
    page.get_by_label("Thursday").check()
    page.get_by_label("Time", exact=True).fill("18:00")
    page.locator("#to").select_option(label="Trail walkers")
    page.locator("#v0_title").fill("The walk of the week")
    page.locator("#v0_text").fill("Along the lake, an hour and a half.")
    take_pictures(page, "campaign-weekly-form")
    page.get_by_role("button", name="Save and review").click()
    take_pictures(page, "campaign-weekly-review")
    page.goto(f"{base}/sends/campaigns/new?sent=triggered")
    page.get_by_label("Name", exact=True).fill("Boots in the cart")
    page.locator("#trigger_event").fill("cart")
    page.locator("#s0_after").fill("1")
    page.locator("#exit0_event").fill("bought")
    page.locator("#to").select_option(label="Trail walkers")
    page.locator("#v0_title").fill("Still in your cart")
    page.locator("#v0_text").fill("{{ event.what | default: 'Your boots' }} for the next walk.")
    take_pictures(page, "campaign-cart-form")
    page.get_by_role("button", name="Save and review").click()
    take_pictures(page, "campaign-cart-review")


def campaign_of_messages(page):
    """Two in-app messages that are compared, from the form to the report, and the page of one of them."""
    page.goto(f"{base}/sends/campaigns/new")
    page.get_by_label("An in-app message").check()
    page.get_by_label("Name", exact=True).fill("The new map")
    page.locator("#to").select_option(label="Trail walkers")
    page.get_by_label("The variants to everyone at once").check()
    for number, title, text in [
        (0, "A map of all trails", "Every trail of the valley, also without a network."),
        (1, "Never lost again", "The map now works without a network.")]:
        page.locator(f"#v{number}_title").fill(title)
        page.locator(f"#v{number}_text").fill(text)
        page.locator(f"#v{number}_life").fill("14")
    page.wait_for_selector("#budget[data-current]", state="attached")
    expect(page.locator(".inbox-row")).to_have_count(1)
    take_pictures(page, "campaign-messages-form")
    page.get_by_role("button", name="Save and review").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("The new map")
    take_pictures(page, "campaign-messages-review")
    page.get_by_role("button", name="Start campaign").click()
    id = page.url.split("?")[0].rsplit("/", 1)[1]
    run = api("GET", f"/v6/campaigns/{id}/runs")["runs"][0]["id"]
    for number in walkers:
        if number % 3 == 0:
            continue
        why = api("GET", f"/v6/runs/{run}/explanations/walker-{number:03}")["explanation"]
        share = 0.42 if why["variant"] == "a" else 0.16
        for kind in [1] + ([2] if chance.random() < share else []):
            api("POST", f"/v6/messages/{why['message_id']}/impressions",
                {"impression": {"device_id": f"walker-{number:03}", "kind": kind}}, device_key)
    page.reload()
    take_pictures(page, "campaign-messages-report")
    page.get_by_role("region", name="Variants").get_by_role("link", name="message").first.click()
    take_pictures(page, "message")


def languages(page):
    """A send in three languages, one of which is written from right to left."""
    page.goto(f"{base}/compose")
    page.locator("#to").select_option(label="Trail walkers")
    page.locator("#title").fill("The path is open again")
    page.locator("#text").fill("Snow has melted up to the pass.")
    for code, title, text in [
        ("de", "Der Weg ist wieder offen", "Bis zum Pass liegt kein Schnee mehr."),
        ("ar", "الطريق مفتوح من جديد", "ذاب الثلج حتى الممر.")]:
        page.locator("#added_language").select_option(code)
        page.get_by_role("button", name="Add language").click()
        page.locator(f"#lang_{code}_title").fill(title)
        page.locator(f"#lang_{code}_text").fill(text)
    page.wait_for_selector("#budget[data-current]", state="attached")
    page.evaluate("document.activeElement.blur()")
    take_pictures(page, "compose-languages")


def every_page(browser, ids, main, traced, live):
    page = browser.new_page(locale="en-GB", timezone_id="Europe/Berlin")
    page.set_default_timeout(20_000)
    page.goto(url)
    take_pictures(page, "sign-in")
    page.get_by_label("API key").fill(admin)
    page.get_by_role("button", name="Sign in with the key").click()
    expect(page).to_have_title("Home · Martlet")
    page.goto(f"{base}/sends/{live}")
    expect(page.locator('[data-count="done"]').first).not_to_have_text("0")
    take_pictures(page, "watch")
    compose(page, ids)
    campaign(page)
    campaign_kinds(page)
    campaign_of_messages(page)
    languages(page)
    for name, path in [
        ("home", "home"), ("calendar", "sends/calendar"), ("calendar-week", "sends/calendar?view=week"),
        ("campaigns", "sends/campaigns"), ("messages", "sends/messages"), ("activities", "sends/activities"),
        ("templates", "compose/templates"), ("help", "home/help/sends"),
        ("sends", "sends"), ("send", f"sends/{main}"), ("why-opened", f"sends/why?notification={traced}&device=walker-001"),
        ("why-opted-out", f"sends/why?notification={traced}&device=walker-011"),
        ("why-refused", f"sends/why?notification={traced}&device=walker-052"),
        ("why-waits", f"sends/why?notification={live}&device=walker-170"),
        ("why-not-known", f"sends/why?notification={live}&device=walker-001"),
        ("why-person", f"sends/why?notification={traced}&user=user-176"),
        ("why-question", f"sends/why?notification={traced}"),
        ("why-nobody", f"sends/why?notification={traced}&who=nobody"),
        ("why-several", f"sends/why?notification={traced}&who=user-00"),
        ("people-found", "people?search=user-176"),
        ("audiences", "audiences"), ("audience", f"audiences/{ids['Trail walkers']}"), ("people", "people"),
        ("people-search", "people?search=user-00"), ("person", "people/user?id=user-001"),
        ("device", "people/devices/walker-001"), ("import", "people/import"), ("reports", "reports"), ("send-report", f"reports/sends/{main}"),
        ("settings", "settings"), ("audit", "settings/audit")]:
        answer = page.goto(f"{base}/{path}")
        assert answer.status == 200, f"{path}: {answer.status}"
        take_pictures(page, name)
    team(browser, page)


def team(browser, page):
    """The team with an invitation, and the account of a person who has followed one."""
    page.goto(f"{base}/settings/people")
    take_pictures(page, "team-empty")
    for email, name, role in [("ines@example.com", "Ines Berg", "author"), ("otto@example.com", "Otto Lind", "approver")]:
        if not page.locator("#email").is_visible():
            page.get_by_text("Invite a person").click()
        page.locator("#email").fill(email)
        page.locator("#name").fill(name)
        page.locator("#role").select_option(role)
        if page.locator("#current").count():
            page.locator("#current").fill(admin)
        page.get_by_role("button", name="Make invitation link").click()
        expect(page.get_by_text(f"Invitation for {email}")).to_be_visible()
    link = page.locator("#link").input_value()
    page.get_by_text("What each role may do").click()
    take_pictures(page, "team")
    guest = browser.new_page(locale="en-GB", timezone_id="Europe/Berlin")
    guest.goto(url + link[link.index("/invitation/"):])
    take_pictures(guest, "invitation")
    for field in ["#password", "#again"]:
        guest.locator(field).fill("a long way up the valley")
    guest.get_by_role("button", name="Save").click()
    guest.wait_for_url(lambda address: "/invitation/" not in address)
    guest.goto(f"{url}/account")
    if guest.get_by_label("Email").count():
        guest.get_by_label("Email").fill("otto@example.com")
        guest.get_by_label("Password").fill("a long way up the valley")
        guest.get_by_role("button", name="Sign in", exact=True).click()
        expect(guest.get_by_role("heading", level=1)).not_to_have_text("Sign in")
        guest.goto(f"{url}/account")
    take_pictures(guest, "account")


subprocess.run([martlet, "demo", "--data", demo], check=True)
sandbox = start("apns-sandbox", "--listen", "127.0.0.1:0", "--data", demo / "sandbox", "--provider-key",
                f"MARTLETDEM:DEMOKEY001:{demo / 'AuthKey_DEMOKEY001.p8'}", "--script", faults())
server = None
try:
    apns, authority = printed(sandbox, "listening on "), printed(sandbox, "ca: ")
    server = start("serve", "--listen", "127.0.0.1:0", "--data", demo / "server", "--apns", apns, "--apns-ca", authority,
                   "--log-level", "error", "--public-url", "https://push.example.com")
    url = printed(server, "listening on ")
    admin = (demo / "admin.key").read_text().strip()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox", "--disable-dev-shm-usage"])
        context = browser.new_context()
        page = context.new_page()
        page.goto(url)
        page.get_by_label("API key").fill(admin)
        page.get_by_role("button", name="Sign in with the key").click()
        page.wait_for_url("**/home")
        base = page.url.removesuffix("/home")
        context.close()
        app = base.rsplit("/", 1)[1]
        device_key = api("POST", f"/v6/apps/{app}/keys", {"key": {"role": "device"}})["key"]["key"]
        ids = register_devices()
        history()
        photo = next((demo / "server/media").glob("*.png")).name
        main, traced, live = fill_sends(ids, f"https://push.example.com/media/{photo}")
        pictures.mkdir(parents=True, exist_ok=True)
        every_page(browser, ids, main, traced, live)
        browser.close()
finally:
    for process in [server, sandbox]:
        if process:
            process.terminate()
            process.wait()
