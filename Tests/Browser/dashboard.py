"""Drives a real Chromium through the dashboard; a test in Swift starts the server and reads the end.

Usage: dashboard.py SERVER.json [SCREENSHOTS], with {"url", "keys": {role: key}, "app", "picture",
"device", "gone", "targeted", "folder", "film"}. Any axe violation, console error or violation of the
Content-Security-Policy fails it.
"""

import asyncio
import json
import pathlib
import re
import sys
import threading
import urllib.parse

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect, sync_playwright

sys.stderr = sys.stdout  # where the test reads
given = json.loads(pathlib.Path(sys.argv[1]).read_text())
pictures = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else None
url, keys, app = given["url"], given["keys"], given["app"]
base = f"{url}/apps/{app['id']}"
# Answers that a step provokes on purpose; the browser writes each to its console.
provoked = re.compile(r"Failed to load resource: .* status of (401|403|409|415|422) ")
problems = []
axe = Axe()
# As long as anything else is waited for: other tests may fill the processors.
expect.set_options(timeout=20_000)


def watch(page):
    page.on("pageerror", lambda error: problems.append(f"{page.url}: {error}"))
    page.on(
        "console",
        lambda message: problems.append(f"{page.url}: {message.text}")
        if message.type == "error" and not provoked.match(message.text)
        else None,
    )
    page.set_default_timeout(20_000)
    return page


def judge(page, name):
    """No finding of axe, light and dark; with a folder given, pictures of the page too."""
    for scheme in ["light", "dark"]:
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        result = axe.run(page)
        for violation in result.response["violations"]:
            nodes = [node["html"][:200] for node in violation["nodes"][:3]]
            problems.append(f"{name}, {scheme}: {violation['id']}: {violation['help']}: {nodes}")
        for size, width in [("phone", 390), ("desktop", 1280)]:
            page.set_viewport_size({"width": width, "height": 900})
            wide = page.evaluate("document.documentElement.scrollWidth")
            if wide > width:
                problems.append(f"{name} is {wide} wide on a screen of {width}")
            if pictures:
                page.screenshot(path=pictures / f"{name}-{scheme}-{size}.png", full_page=True)
    page.emulate_media(color_scheme="light")


def sign_in(page, key):
    page.get_by_label("API key").fill(key)
    page.get_by_role("button", name="Sign in").click()


def tab_to(page, selector):
    """By the keyboard alone, as far as the Tab key leads."""
    for _ in range(150):
        page.keyboard.press("Tab")
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"no Tab leads to {selector} on {page.url}")


def current(page):
    page.wait_for_selector("#budget[data-current]")


def whole_way(context):
    page = watch(context.new_page())
    page.goto(url)
    expect(page).to_have_title("Sign in · Martlet")
    judge(page, "sign-in")
    sign_in(page, "wrong")
    expect(page.get_by_role("alert")).to_contain_text("No app has this key")
    sign_in(page, keys["admin"])
    expect(page.get_by_role("heading", name="Compose")).to_be_visible()

    # Nothing was sent, and no audience is there: the empty pages.
    page.get_by_role("link", name="Sends", exact=True).click()
    expect(page.get_by_text("Nothing was sent yet")).to_be_visible()
    judge(page, "sends-empty")
    page.get_by_role("link", name="Compose").first.click()

    # Compose, with markup that stays text and a picture that is uploaded.
    page.get_by_label("Title", exact=True).fill('<b>Sale</b> & "more"')
    page.get_by_label("Text", exact=True).fill("Hello ")
    page.get_by_label("Insert what is known").select_option("{{ custom.name }}")
    expect(page.get_by_label("Text", exact=True)).to_have_value("Hello {{ custom.name }}")
    page.get_by_label("or a file").set_input_files(given["folder"] + "/page.png")
    expect(page.locator("#upload")).to_contain_text("the file is no JPEG")
    page.get_by_label("or a file").set_input_files(given["folder"] + "/large.png")
    expect(page.locator("#upload")).to_contain_text("too large")
    page.get_by_label("or a file").set_input_files(given["picture"])
    expect(page.locator("#upload")).to_contain_text("is uploaded")
    page.get_by_label("Text where it cannot be shown").fill("A picture")
    page.get_by_label("As seen by").select_option(given["device"])
    page.get_by_label("Badge").fill("-")
    expect(page.locator("#badge-remarks")).to_contain_text("must be")
    page.get_by_label("Badge").fill("+1")
    current(page)
    expect(page.locator("#badge-remarks")).to_be_empty()
    for shown, other in [("Dark", "light"), ("Light", "dark")]:
        page.get_by_label(shown, exact=True).check()
        current(page)
        expect(page.locator(f"#card-{other}")).to_be_hidden()
        size = page.evaluate("s => document.querySelector(s).naturalWidth", f"#card-{shown.lower()}")
        assert size > 300, f"the {shown} picture is {size} wide"
    expect(page.get_by_role("group", name="Button 2")).to_be_hidden()
    button = page.get_by_role("group", name="Button 1")
    button.get_by_label("Its title").fill("Read it")
    button.get_by_label("Its link").fill("app://sale")
    button.get_by_label("Opens the app").check()
    expect(page.get_by_role("group", name="Button 2")).to_be_visible()
    current(page)
    measure(page)
    judge(page, "compose")
    page.get_by_label("In-app message only").check()
    expect(page.get_by_label("Subtitle")).to_be_hidden()
    expect(page.get_by_label("Gone from the app at")).to_be_visible()
    current(page)
    judge(page, "compose-message")
    page.get_by_label("Push only").check()
    expect(page.get_by_label("Gone from the app at")).to_be_hidden()

    # An audience, counted while it is built.
    page.get_by_role("link", name="Audiences", exact=True).click()
    judge(page, "audiences-empty")
    page.get_by_role("link", name="New audience").click()
    page.get_by_label("Name").fill("Readers")
    page.get_by_label("Field").first.fill("tags")
    page.get_by_label("Value").first.fill("news")
    expect(page.locator("#count")).to_contain_text(f"{given['targeted']} devices")
    judge(page, "audience")
    page.get_by_role("button", name="Save").click()
    judge(page, "audiences")
    keep_words(page, context)

    # The draft is there; a test to one device.
    page.get_by_role("link", name="Compose", exact=True).click()
    expect(page.locator("#draft")).to_contain_text("is back")
    expect(page.get_by_label("Title", exact=True)).to_have_value('<b>Sale</b> & "more"')
    page.get_by_role("button", name="Discard it").click()
    expect(page.locator("#draft")).to_contain_text("is discarded")
    expect(page.get_by_label("Title", exact=True)).to_have_value("")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#draft")).to_contain_text("is back")
    expect(page.get_by_label("Title", exact=True)).to_have_value('<b>Sale</b> & "more"')
    page.get_by_label("Device id or test audience").fill(given["device"])
    page.get_by_role("button", name="Send test").click()
    expect(page.get_by_role("status").filter(has_text="The test is on its way")).to_be_visible()

    # The session ends in mid-compose: nothing is lost.
    cookies = context.cookies()
    context.clear_cookies()
    page.get_by_label("Subtitle").fill("Kept")
    expect(page.locator("#draft")).to_contain_text("The session is over")
    page.get_by_role("link", name="Sign in again").click()
    sign_in(page, keys["admin"])
    expect(page.get_by_label("Subtitle")).to_have_value("Kept")
    assert cookies != context.cookies()

    # Send, and watch to the end.
    page.get_by_label("Audience", exact=True).select_option(label="Readers")
    page.get_by_label("At most a second").fill("20")
    page.get_by_role("button", name="Continue to send").click()
    expect(page.get_by_role("heading")).to_have_text(f"Send to {given['targeted']} devices?")
    judge(page, "review")
    page.get_by_role("button", name="Send now").click()
    expect(page.locator("#progress")).to_be_visible()
    page.wait_for_selector("#watch[data-over]")
    expect(page.locator('[data-count="sent"]')).to_have_text(str(given["targeted"] - 1))
    expect(page.locator("#failures")).to_contain_text("Unregistered")
    expect(page.locator(".tag.good")).to_have_text("complete")
    judge(page, "send")
    page.get_by_label("Device id").fill(given["device"])
    page.get_by_role("button", name="Trace it").click()
    expect(page.get_by_text("apns-id")).to_be_visible()
    expect(page.get_by_text("The API took the call")).to_be_visible()
    judge(page, "send-trace")
    page.get_by_role("link", name="Write it again").click()
    expect(page.get_by_role("group", name="Button 1").get_by_label("Its title")).to_have_value("Read it")
    expect(page.get_by_label("Subtitle")).to_have_value("Kept")
    expect(page.get_by_label("Audience", exact=True)).to_contain_text("Readers")
    page.go_back()
    page.get_by_role("link", name="Report", exact=True).click()
    expect(page.get_by_role("link", name="Watch it")).to_be_visible()
    judge(page, "send-report")
    zone(page)
    page.get_by_role("link", name="Sends", exact=True).first.click()
    judge(page, "sends")

    # The draft was sent, so there is none; the send can be written again.
    page.get_by_role("link", name="Compose", exact=True).first.click()
    expect(page.get_by_label("Title", exact=True)).to_have_value("")
    page.goto(f"{base}/reports")
    judge(page, "reports")
    page.goto(f"{base}/reports?days=90")
    chart, told = page.get_by_role("img", name="Pushes sent by day"), page.locator(".chart", has=page.locator("#pushes_sent-desc")).locator(".readout")
    chart.hover()
    expect(told).to_contain_text(re.compile(r"^\d{4}-\d\d-\d\d: 0$"))
    chart.focus()
    page.keyboard.press("End")
    expect(told).to_contain_text(re.compile(r": [1-9]\d*$"))
    page.keyboard.press("Escape")
    expect(told).to_be_empty()
    page.get_by_text("Pushes sent as a table", exact=True).click()
    expect(page.locator("#pushes_sent-desc")).to_contain_text("90 bars")
    judge(page, "reports-table")
    with page.expect_download() as file:
        page.get_by_role("link", name="Save days as CSV").click()
    assert len(file.value.path().read_text().splitlines()) == 91
    reconnect(context)
    film(page)
    message(page)
    devices(page)
    settings(page)
    page.get_by_role("button", name="Sign out").click()
    expect(page).to_have_title("Sign in · Martlet")
    page.goto(f"{base}/sends")
    expect(page).to_have_title("Sign in · Martlet")
    page.close()


def keep_words(page, context):
    """The session ends while somebody names an audience; an audience that is deleted comes back."""
    page.get_by_role("link", name="New audience").click()
    page.get_by_label("Name").fill("Kept <b>")
    context.clear_cookies()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("What you wrote is kept")).to_be_visible()
    judge(page, "sign-in-kept")
    sign_in(page, keys["admin"])
    expect(page.get_by_role("heading", name="Signed in again")).to_be_visible()
    judge(page, "kept")
    page.get_by_role("button", name="Go on writing").click()
    expect(page.get_by_label("Name")).to_have_value("Kept <b>")
    page.get_by_role("button", name="Save").click()
    page.get_by_role("link", name="Kept <b>", exact=True).click()
    page.get_by_text("Delete this audience").click()
    judge(page, "audience-delete")
    page.get_by_role("button", name="Delete it").click()
    expect(page.get_by_role("status")).to_contain_text("is deleted")
    judge(page, "audience-deleted")
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_label("Name")).to_have_value("Kept <b>")
    page.get_by_text("Delete this audience").click()
    page.get_by_role("button", name="Delete it").click()


def zone(page):
    """Every moment of the page is told in the viewer's zone, those of the charts too."""
    told = page.evaluate(
        """() => [...document.querySelectorAll("main time, main svg text[data-time]")].map((part) => {
          const date = new Date(part.dateTime ?? part.dataset.time);
          const hour = date.toLocaleTimeString(undefined, { timeStyle: "short" });
          return part.textContent.includes(hour) && !part.textContent.includes("UTC");
        })"""
    )
    assert len(told) > 5 and all(told), told


def film(page):
    """A film that is uploaded plays beside its card."""
    page.goto(f"{base}/compose?to=*")
    page.get_by_label("Text", exact=True).fill("Watch")
    page.get_by_label("or a file").set_input_files(given["film"])
    expect(page.locator("#film")).to_be_visible()
    # Not by a function that waits: the second time it looks the page's own policy forbids it.
    expect(page.locator("#film")).not_to_have_js_property("videoWidth", 0)
    current(page)
    judge(page, "compose-film")
    page.get_by_label("URL").fill("")
    expect(page.locator("#film")).to_be_hidden()


def message(page):
    """What is published is not asked for once more."""
    page.goto(f"{base}/compose?to=*")
    page.get_by_label("In-app message only").check()
    page.get_by_label("Title", exact=True).fill("News")
    page.get_by_label("Text", exact=True).fill("For the stream")
    page.get_by_role("button", name="Continue to send").click()
    page.get_by_label("to confirm").fill("everyone")
    page.get_by_role("button", name="Send now").click()
    expect(page.get_by_role("alert")).to_contain_text("Type the app's name")
    judge(page, "review-refused")
    page.get_by_label("to confirm").fill(app["name"])
    page.get_by_role("button", name="Send now").click()
    expect(page.get_by_role("heading", name="Published")).to_be_visible()
    judge(page, "published")


def measure(page):
    """Prints how long after a letter the preview shows it: to read, not to judge."""
    times = page.evaluate(
        """async () => {
          const [title, budget] = [document.getElementById("title"), document.getElementById("budget")];
          const times = [];
          for (let i = 0; i < 21; i++) {
            const start = performance.now();
            title.value += "x";
            title.dispatchEvent(new Event("input", { bubbles: true }));
            while (!("current" in budget.dataset)) await new Promise(requestAnimationFrame);
            times.push(performance.now() - start);
            await new Promise((done) => setTimeout(done, 150));
          }
          title.value = title.value.replace(/x+$/, "");
          title.dispatchEvent(new Event("input", { bubbles: true }));
          return times.sort((a, b) => a - b);
        }"""
    )
    print(f"preview: {times[10]:.0f} ms after a letter, {times[-1]:.0f} ms at most")
    current(page)


class Line:
    """A way to the server that can be cut: what a browser sees when the server is restarted."""

    def __init__(self):
        self.loop, self.port, self.open = asyncio.new_event_loop(), 0, set()
        threading.Thread(target=self.loop.run_forever, daemon=True).start()
        self.call(self.start())

    def call(self, what):
        return asyncio.run_coroutine_threadsafe(what, self.loop).result(10)

    async def start(self):
        self.server = await asyncio.start_server(self.take, "127.0.0.1", self.port)
        self.port = self.server.sockets[0].getsockname()[1]

    async def cut(self):
        self.server.close()
        for writer in self.open:
            writer.transport.abort()

    async def take(self, reader, writer):
        target = urllib.parse.urlsplit(url)
        far_reader, far = await asyncio.open_connection(target.hostname, target.port)
        self.open |= {writer, far}
        await asyncio.gather(self.pipe(reader, far), self.pipe(far_reader, writer))

    async def pipe(self, reader, writer):
        try:
            while data := await reader.read(65536):
                writer.write(data)
                await writer.drain()
        except OSError:
            pass
        writer.close()


def reconnect(context):
    """The server goes away while somebody watches, and comes back; a session ends while they watch."""
    line = Line()
    near = f"http://127.0.0.1:{line.port}"
    page = context.new_page()  # its console tells of the connection that is cut
    page.goto(f"{near}/apps/{app['id']}/compose?to=*")
    page.get_by_label("Text", exact=True).fill("Later")
    page.get_by_label("Send at").fill("2099-01-01T10:00")
    page.get_by_role("button", name="Continue to send").click()
    page.get_by_label("to confirm").fill(app["name"])
    page.get_by_role("button", name="Schedule").click()
    expect(page.locator(".tag.wait")).to_have_text("scheduled")
    expect(page.locator("#link")).to_be_hidden()
    line.call(line.cut())
    expect(page.locator("#link")).to_contain_text("cannot be reached")
    judge(page, "send-unreachable")
    line.call(line.start())
    expect(page.locator("#link")).to_be_hidden()
    page.get_by_role("button", name="Pause").click()
    expect(page.locator(".tag.wait")).to_have_text("paused")
    page.get_by_role("button", name="Cancel the rest").click()
    page.wait_for_selector("#watch[data-over]")
    line.call(line.cut())
    page.close()


def devices(page):
    """The device that is gone is found, and erased."""
    page.get_by_role("link", name="Devices", exact=True).click()
    judge(page, "devices")
    page.get_by_label("Device id, user id or push token").fill(given["gone_token"][:10])
    page.get_by_role("button", name="Search").click()
    page.get_by_role("link", name=given["gone"], exact=True).click()
    page.get_by_role("button", name="Make it a test device").click()
    expect(page.get_by_role("button", name="No longer a test device")).to_be_visible()
    page.get_by_text("Erase this device").click()
    judge(page, "device")
    page.get_by_label("Type erase to confirm").fill("erase")
    page.get_by_role("button", name="Erase it for good").click()
    expect(page.get_by_role("status")).to_contain_text("answered 451")
    judge(page, "device-erased")


def settings(page):
    """The app's key is changed; one of ours is made, shown once, and revoked."""
    page.get_by_role("link", name="Settings", exact=True).click()
    page.get_by_text("Change the app or its key").click()
    page.get_by_label("A new key: the .p8 file").set_input_files(given["wrong_key"])
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("InvalidProviderToken")
    judge(page, "settings-app")
    page.get_by_label("A new key: the .p8 file").set_input_files(given["key"])
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("status")).to_contain_text("Apple accepts the key.")
    page.get_by_text("Add a webhook", exact=True).click()
    page.get_by_text("Make a key", exact=True).click()
    judge(page, "settings")
    page.get_by_label("Role").select_option("analytics")
    page.get_by_role("button", name="Make the key").click()
    expect(page.get_by_label("The new analytics key")).to_have_value(re.compile("^mk_"))
    expect(page.get_by_role("button", name="Copy")).to_be_visible()
    judge(page, "settings-key")
    page.get_by_text("Revoke the analytics key").last.click()
    judge(page, "settings-revoke")
    page.get_by_role("button", name="Revoke it").click()
    expect(page.get_by_label("The new analytics key")).to_have_count(0)
    page.get_by_role("link", name="Audit log").click()
    expect(page.get_by_role("table")).to_contain_text("key.revoke")
    judge(page, "audit")


def press(page, selector, key="Enter"):
    tab_to(page, selector)
    page.keyboard.press(key)


def by_keyboard(context):
    """The whole way once more, and no mouse."""
    page = watch(context.new_page())
    page.goto(url)
    page.keyboard.type(keys["admin"])
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Compose")).to_be_visible()
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()

    press(page, "nav a[href$='/audiences']")
    expect(page.get_by_role("heading", name="Audiences")).to_be_visible()
    press(page, "a[href$='/audiences/new']")
    expect(page.get_by_role("heading", name="New audience")).to_be_visible()
    tab_to(page, "#name")
    page.keyboard.type("By hand")
    tab_to(page, "[name=field]")
    page.keyboard.type("tags")
    tab_to(page, "[name=value]")
    page.keyboard.type("news")
    expect(page.locator("#count")).to_contain_text("devices, ")
    press(page, "button[value=save]")
    expect(page.get_by_role("link", name="By hand", exact=True)).to_be_visible()

    press(page, "nav a[href$='/compose']")
    expect(page.get_by_role("heading", name="Compose")).to_be_visible()
    press(page, ".skip")
    tab_to(page, "#to")
    page.keyboard.type("By hand")
    tab_to(page, "#title")
    page.keyboard.type("By keyboard")
    current(page)
    tab_to(page, "#file")
    with page.expect_file_chooser() as chooser:
        page.keyboard.press("Space")
    chooser.value.set_files(given["picture"])
    expect(page.locator("#upload")).to_contain_text("is uploaded")
    tab_to(page, "[name=appearance]")
    page.keyboard.press("ArrowRight")
    current(page)
    expect(page.locator("#card-dark")).to_be_visible()
    expect(page.locator("#card-light")).to_be_hidden()
    tab_to(page, "#test_device")
    page.keyboard.type(given["device"])
    press(page, "button[value=test]")
    expect(page.get_by_role("status").filter(has_text="The test is on its way")).to_be_visible()
    press(page, "button[value=review]")
    expect(page.get_by_role("heading")).to_have_text(f"Send to {given['targeted'] - 1} devices?")
    press(page, "button[value=send]")
    page.wait_for_selector("#watch[data-over]")
    press(page, "a[href*='/reports/sends/']")
    expect(page.get_by_role("link", name="Watch it")).to_be_visible()

    press(page, "nav a[href$='/devices']")
    expect(page.get_by_role("heading", name="Devices")).to_be_visible()
    tab_to(page, "#search")
    page.keyboard.type("d3")
    page.keyboard.press("Enter")
    expect(page.get_by_text("1 device for d3")).to_be_visible()
    press(page, "a[href$='/devices/d3']")
    expect(page.get_by_role("heading", name="d3")).to_be_visible()
    press(page, "details:has(#word) > summary")
    tab_to(page, "#word")
    page.keyboard.type("erase")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status")).to_contain_text("answered 451")
    page.close()


def refused(context):
    """What a key may not see is said on a page, which leads back."""
    page = watch(context.new_page())
    page.goto(url)
    sign_in(page, keys["push"])
    page.goto(f"{base}/settings")
    expect(page.get_by_role("alert")).to_contain_text("may not see Settings")
    judge(page, "problem")
    page.get_by_role("link", name="To what this key opens").click()
    expect(page.get_by_role("heading", name="Compose")).to_be_visible()
    page.close()


def without_script(browser):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(url)
    sign_in(page, keys["push"])
    page.get_by_label("Title", exact=True).fill("No script")
    page.get_by_label("or a file").set_input_files(given["picture"])
    page.get_by_label("Audience", exact=True).select_option(label="Readers")
    page.get_by_role("button", name="Preview", exact=True).last.click()
    expect(page.get_by_label("URL")).to_have_value(re.compile(r"/media/[0-9a-f]{32}\.png$"))
    expect(page.locator("#card-light")).to_be_visible()
    page.get_by_role("button", name="Continue to send").click()
    page.get_by_role("button", name="Send now").click()
    expect(page.get_by_role("heading", name="No script")).to_be_visible()
    context.close()


with sync_playwright() as playwright:
    browser = playwright.chromium.launch(
        executable_path="/usr/bin/chromium", args=["--no-sandbox", "--disable-dev-shm-usage"]
    )
    whole_way(browser.new_context(timezone_id="Asia/Kolkata"))
    by_keyboard(browser.new_context())
    refused(browser.new_context())
    without_script(browser)
    browser.close()

for problem in problems:
    print(problem)
sys.exit(1 if problems else 0)
