"""What keeps people from mistakes: refusals that are seen, the review, the way back, drafts of two tabs."""

import base64
import re

from browser import app, base, check, expect, given, keys, message_field, natural_size, open_page, preview_is_current, sign_in, timeout, unfold, url
from proxy import Proxy

refusals = "#refusals"


async def is_refused(page, words, field):
    """The page begins with what is wrong, which has the focus and leads to the field; its title says it too."""
    summary = page.get_by_role("alert")
    await expect(summary).to_contain_text(words)
    await expect(summary).to_be_focused()
    await expect(page).to_have_title(re.compile("^Error: "))
    assert "$." not in await summary.inner_text()
    await summary.get_by_role("link", name=words).first.click()
    await expect(page.locator(field)).to_be_focused()


async def past_time(page):
    """A time that is over is refused, also where the browser would not submit a field that is hidden."""
    await page.goto(f"{base}/compose?to=*")
    await message_field(page, "Body").fill("Too late")
    await page.get_by_label("Send at").fill("2020-01-01T10:00")
    await page.get_by_role("button", name="Review and send").click()
    await is_refused(page, "Send at is in the past", "#scheduled_at")
    await check(page, "compose-past")
    await page.get_by_label("Send at").fill("")
    await expect(page.locator(refusals)).to_have_count(0)
    await unfold(page, "Expiry")
    await page.get_by_label("Rate limit").fill("0")
    await page.get_by_label("In-app message only").check()
    await page.get_by_role("button", name="Review and send").click()
    await is_refused(page, "Title is missing", "#title")


async def refused_fields(page):
    """All refused fields are listed, and the preview shows the others."""
    await page.goto(f"{base}/compose?to=*")
    await message_field(page, "Title").fill("Autumn")
    await page.get_by_label("Badge").fill("-")
    await unfold(page, "Advanced")
    await page.locator("#relevance").fill("7")
    await preview_is_current(page)
    await expect(page.locator("#card-light")).to_be_visible()
    await expect(page.locator("#nothing")).to_be_hidden()
    await expect(page.locator("#budget")).to_contain_text("Size not known")
    await page.keyboard.press("Enter")
    await page.get_by_role("button", name="Review and send").press("Enter")
    await is_refused(page, "Badge must be", "#badge")
    await expect(page.locator(refusals).get_by_role("link")).to_have_count(2)
    await expect(page.locator("#card-light")).to_have_attribute("alt", "Light: Autumn")
    await check(page, "compose-refused")
    await page.get_by_label("Badge").fill("")
    await page.locator("#relevance").fill("")
    await page.get_by_label("Additional JSON").fill("{")
    await expect(page.locator("#more-remarks")).to_contain_text("Additional JSON")
    await page.get_by_label("Additional JSON").fill("")


async def tests(page):
    """A test that would not arrive is refused; the field is not under the bar; a test is marked among the sends."""
    await page.goto(f"{base}/compose")
    await message_field(page, "Title").fill("Just a test")
    field = page.get_by_label("Test device or audience")
    for device, words in [("nobody", "no device has the ID “nobody”"), (given["off"], "Notifications are turned off")]:
        await field.fill(device)
        await page.get_by_role("button", name="Send test").click()
        await is_refused(page, words, "#test_device")
    await check(page, "compose-test-refused")
    await page.set_viewport_size({"width": 1440, "height": 900})
    await preview_is_shown(page)
    await field.scroll_into_view_if_needed()
    box, bar = await field.bounding_box(), await page.locator(".actions").bounding_box()
    is_beside = box["x"] >= bar["x"] + bar["width"]
    assert is_beside or box["y"] + box["height"] <= bar["y"], f"the test field {box} is under the bar {bar}"
    await field.fill(given["device"])
    await page.get_by_role("button", name="Send test").click()
    notice = page.get_by_role("status").filter(has_text="Test sent.")
    await expect(notice).to_contain_text("on its way to 1 device")
    await page.get_by_role("link", name="View what APNs answers").click()
    await expect(page.locator("#state")).to_contain_text("test")
    await page.wait_for_selector("#watch[data-over]")
    await expect(page.locator("#state")).to_contain_text("test")
    await page.goto(f"{base}/sends")
    row = page.get_by_role("row").filter(has_text="Just a test").first
    await expect(row.locator("td.wide .tag", has_text="test")).to_be_visible()


async def preview_is_shown(page):
    await expect(page.locator("#card-light")).to_be_visible()


async def audience(page, name, field, values):
    """Makes an audience by the API, and returns its id."""
    headers = {"Authorization": "Basic " + base64.b64encode(f"{keys['push']}:".encode()).decode()}
    answer = await page.context.request.post(
        f"{url}/v6/audiences", headers=headers,
        data={"audience": {"name": name, "to": [{"name": field, "criteria": values}]}},
    )
    return (await answer.json())["audience"]["id"]


async def review(page):
    """The review shows the picture and all that is sent; without a device there is no button."""
    await page.goto(f"{base}/compose?to={await audience(page, 'Nobody', 'tags', ['off'])}")
    await message_field(page, "Title").fill("Hello {{ custom.name | default: \"there\" }}")
    await page.get_by_role("button", name="Review and send").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("There is no device to send to")
    await expect(page.get_by_role("button", name=re.compile("^(Send now|Schedule)$"))).to_have_count(0)
    await expect(page.locator("main")).to_contain_text("1 opted out")
    await check(page, "review-nobody")
    await page.get_by_role("button", name="Back to editing").click()
    await page.get_by_label("Audience", exact=True).select_option("*")
    await unfold(page, "Expiry")
    await page.get_by_label("Rate limit").fill("5")
    await page.get_by_label("Send at").fill("2099-05-04T10:30")
    group = page.get_by_role("group", name="Button 1")
    await group.get_by_label("Title").fill("Open")
    await group.get_by_label("Link").fill("app://open")
    await page.get_by_role("button", name="Review and send").click()
    facts = page.locator("dl.facts")
    for words in ["Monday", "10:30", "5 per second", "Open · app://open", "can receive pushes"]:
        await expect(facts).to_contain_text(words)
    await expect(page.locator("table.texts")).to_contain_text("Hello Ada")
    # One pixel a point, since the screen of the test has as many.
    _, height = await natural_size(page.locator(".preview img"))
    assert height > 200, f"the picture of the review is {height} high"
    await page.get_by_label("to confirm").fill("something")
    await page.get_by_role("button", name="Schedule", exact=True).click()
    await expect(page.get_by_role("alert")).to_be_focused()
    await expect(page.get_by_label("to confirm")).to_have_value("something")
    await check(page, "review-whole")


async def edit(page):
    """The scheduled send of the review is edited, takes the place of the first, and is canceled after a question."""
    await page.get_by_label("to confirm").fill(app["name"])
    await page.get_by_role("button", name="Schedule", exact=True).click()
    first = page.url.split("?")[0]
    await page.get_by_role("link", name="Edit", exact=True).click()
    await expect(page.get_by_text("You edit a scheduled send")).to_be_visible()
    await check(page, "compose-edit")
    await expect(page.get_by_label("Send at")).to_have_value("2099-05-04T10:30")
    await message_field(page, "Title").fill("Second version")
    await page.get_by_role("button", name="Review and send").click()
    await expect(page.locator("dl.facts")).to_contain_text("Replaces")
    await page.get_by_label("to confirm").fill(app["name"])
    await page.get_by_role("button", name="Schedule", exact=True).click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Second version")
    second = page.url
    await page.goto(first)
    await expect(page.locator("#state")).to_contain_text("canceled")
    await page.goto(second)
    cancel = page.get_by_role("button", name="Cancel send")
    await expect(cancel).to_be_hidden()
    await page.locator("summary", has_text="Cancel…").press("Enter")
    await expect(page.get_by_text("A canceled send cannot be resumed.")).to_be_visible()
    await check(page, "send-cancel")
    await cancel.press("Enter")
    await expect(page.locator("#state")).to_contain_text("canceled")


async def back(page):
    """After a send the way back leads to its review, from which it is not sent twice."""
    two = await audience(page, "Two devices", "device_id", ["d5", "d6"])
    await page.goto(f"{base}/compose?to={two}")
    await message_field(page, "Title").fill("Once only")
    await page.get_by_label("Badge").fill("-")
    await page.get_by_role("button", name="Review and send").click()
    await expect(page.get_by_role("alert")).to_contain_text("Badge")
    await page.get_by_label("Badge").fill("1")
    await page.get_by_role("button", name="Review and send").click()
    await page.get_by_role("button", name="Send now").click()
    await expect(page.get_by_role("heading", name="Once only")).to_be_visible()
    sent = page.url.split("?")[0]
    await page.go_back()
    await expect(page.get_by_role("heading", level=1)).to_contain_text("Send to")
    await page.get_by_role("button", name="Send now").click()
    await expect(page.get_by_role("heading", name="Once only")).to_be_visible()
    assert page.url.split("?")[0] == sent, f"{page.url} is another send than {sent}"
    await page.go_back()
    await expect(page.get_by_role("button", name="Send now")).to_be_visible()
    await page.go_back()
    await expect(page.locator("#badge")).to_be_visible()


async def two_tabs(context):
    """Each tab keeps a draft of its own, and the one that is sent is removed alone."""
    one, other = await open_page(context), await open_page(context)
    await one.goto(f"{base}/compose")
    await message_field(one, "Title").fill("First tab")
    await preview_is_current(one)
    await other.goto(f"{base}/compose")
    await expect(message_field(other, "Title")).to_have_value("First tab")
    await message_field(one, "Title").fill("First tab, longer")
    await preview_is_current(one)
    await expect(other.locator("[name=draft]")).not_to_have_value(await one.locator("[name=draft]").input_value())
    await message_field(other, "Title").fill("Second tab")
    await preview_is_current(other)
    await one.goto(f"{base}/compose")
    await expect(message_field(one, "Title")).to_have_value("Second tab")
    await one.get_by_role("button", name="Open that of").click()
    await expect(message_field(one, "Title")).to_have_value("First tab, longer")
    await check(one, "compose-two-drafts")
    await one.get_by_role("button", name="Discard draft").click()
    await expect(one.locator("#draft")).to_contain_text("discarded")
    await other.goto(f"{base}/compose")
    await expect(message_field(other, "Title")).to_have_value("Second tab")
    await expect(other.get_by_role("button", name="Open that of")).to_have_count(0)


async def unreachable(context):
    """The note that the server cannot be reached goes when it can be."""
    proxy = Proxy()
    await proxy.start()
    page = await context.new_page()  # not open_page: the console reports the cut connection
    page.set_default_timeout(timeout)
    await page.goto(f"http://127.0.0.1:{proxy.port}/apps/{app['id']}/compose")
    await message_field(page, "Title").fill("Written")
    await preview_is_current(page)
    proxy.stop()
    await message_field(page, "Title").fill("Written offline")
    note = page.locator("#draft")
    await expect(note).to_contain_text("Cannot reach the server")
    await check(page, "compose-unreachable")
    await proxy.start()
    await expect(note).to_be_hidden()
    await preview_is_current(page)
    await context.close()
    proxy.stop()


async def narrow(page):
    """Long words break, and on a phone every number of a list is on the screen."""
    await page.goto(f"{base}/compose?to=*")
    await page.get_by_label("Test device or audience").fill(given["device"])
    await message_field(page, "Title").fill("Donaudampfschifffahrtsgesellschaft" * 3)
    await page.get_by_role("button", name="Send test").click()
    await expect(page.get_by_role("status").filter(has_text="Test sent.")).to_be_visible()
    for path, numbers in [("sends", ["targeted", "sent", "failed", "opened"]), ("reports", ["rejected", "delivered"])]:
        await page.goto(f"{base}/{path}")
        await page.set_viewport_size({"width": 390, "height": 844})
        table = page.get_by_role("region", name="Sends")
        assert await table.evaluate("table => table.scrollWidth <= table.clientWidth"), f"{path} scrolls at 390 px"
        row = table.get_by_role("row").filter(has_text="Donaudampf").first
        for number in numbers:
            await expect(row).to_contain_text(re.compile(rf"\d+ {number}"))
        if path == "sends":
            await expect(row).to_contain_text(re.compile("(–|\\d %) open rate"))
        await check(page, f"{path}-narrow")
        await page.set_viewport_size({"width": 1440, "height": 900})
        assert await table.evaluate("table => table.scrollWidth <= table.clientWidth"), f"{path} scrolls at 1440 px"


async def save_files(page):
    """The sends of the app, and the devices of a send, as CSV."""
    await page.goto(f"{base}/sends")
    await page.get_by_role("link", name="Once only").first.click()
    await page.get_by_role("link", name="Report", exact=True).click()
    async with page.expect_download() as download:
        await page.get_by_role("link", name="Export devices as CSV").click()
    lines = (await (await download.value).path()).read_text().splitlines()
    assert lines[0].startswith('"device_id"') and len(lines) == 3, lines
    await page.goto(f"{base}/reports")
    async with page.expect_download() as download:
        await page.get_by_role("link", name="Export sends as CSV").click()
    assert "Once only" in (await (await download.value).path()).read_text()


async def without_script(context):
    """The refusal, the review and the way back with JavaScript off."""
    page = await context.new_page()
    page.set_default_timeout(timeout)
    await page.goto(url)
    await sign_in(page, keys["push"])
    await page.get_by_role("link", name="Compose", exact=True).first.click()
    await page.get_by_label("Audience", exact=True).select_option(label="Two devices")
    await message_field(page, "Title").fill("Without a script")
    await page.get_by_label("Send at").fill("2020-01-01T10:00")
    await page.get_by_role("button", name="Review and send").click()
    summary = page.get_by_role("alert")
    await expect(summary).to_contain_text("Send at is in the past")
    await expect(summary).to_be_focused()
    await expect(page).to_have_title(re.compile("^Error: "))
    await page.get_by_label("Send at").fill("2099-01-01T10:00")
    await page.get_by_role("button", name="Review and send").click()
    await expect(page.locator("dl.facts")).to_contain_text("2099-01-01 10:00 UTC")
    await expect(page.locator(".preview img")).to_be_visible()
    await page.get_by_role("button", name="Schedule", exact=True).click()
    await expect(page.get_by_role("heading", name="Without a script")).to_be_visible()
    await page.go_back()
    await expect(page.get_by_role("button", name="Schedule", exact=True)).to_be_visible()
    await page.get_by_role("button", name="Schedule", exact=True).click()
    await page.locator("summary", has_text="Cancel…").click()
    await page.get_by_role("button", name="Cancel send").click()
    await expect(page.locator("#state")).to_contain_text("canceled")
    await context.close()
