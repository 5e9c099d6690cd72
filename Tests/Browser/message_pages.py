"""In-app messages: one that is composed, read, changed and unpublished, and a campaign of two that are compared."""

import re

from browser import app, base, begin_job, expect, fits, given, message_field, takes
from campaign_pages import call, check_both


async def job(page):
    """From the composer to the numbers of a message and its end, with the presses of the mouse counted."""
    await begin_job(page)
    await page.goto(f"{base}/compose?to=*")
    await page.get_by_label("In-app message only").check()
    await message_field(page, "Title").fill("New stores")
    await message_field(page, "Body").fill("Three have opened near you.")
    await page.get_by_label("Upload a file").set_input_files(given["picture"])
    await expect(page.get_by_label("Media URL")).to_have_value(re.compile(r"/media/[0-9a-f]{32}\.png$"))
    await fits(page, "message")
    await page.get_by_role("button", name="Review and send").click()
    await page.get_by_label("to confirm").fill(app["name"])
    await page.get_by_role("button", name="Send now").click()
    await page.get_by_role("link", name="View it").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("New stores")
    identifier = page.url.rsplit("/", 1)[1]
    for device, kind in [("d2", 1), ("d2", 2), ("d3", 1)]:
        await call(page, "POST", f"/v6/messages/{identifier}/impressions", {
            "impression": {"device_id": device, "kind": kind}})
    await page.reload()
    facts = page.locator("dl.facts")
    await expect(facts).to_contain_text("Listed on2 devices")
    await expect(facts).to_contain_text("Opened on1 device")
    await check_both(page, "message")
    await page.get_by_role("link", name="Edit").click()
    await check_both(page, "message-edit")
    await page.get_by_label("Title").fill("")
    await page.get_by_role("button", name="Save").click()
    await expect(page.locator(".alert")).to_be_focused()
    await check_both(page, "message-refused")
    await page.get_by_label("Title").fill("New stores for you")
    await page.get_by_role("button", name="Save").click()
    await expect(page.locator(".inbox-row")).to_contain_text("New stores for you")
    await page.locator("summary", has_text="Unpublish…").click()
    await page.get_by_role("button", name="Unpublish message").click()
    await expect(page.locator("#state")).to_contain_text("ended")
    # Type, review, publish, view, edit, save twice, unpublish twice.
    await takes(page, "an in-app message", 9)
    await page.get_by_role("link", name="In-app messages").first.click()
    await check_both(page, "messages")


async def campaign(page):
    """Two in-app messages in a campaign, one of which does better, with the presses of the mouse counted."""
    await begin_job(page)
    await call(page, "POST", "/v6/audiences", {"audience": {
        "name": "For messages", "to": [{"name": "device_id", "criteria": [f"d{number}" for number in range(5, 41)]}]}})
    await page.goto(f"{base}/sends/campaigns/new")
    await page.get_by_label("An in-app message").check()
    await expect(page.locator("#v0_subtitle")).to_be_hidden()
    await expect(page.locator("#throttle")).to_be_hidden()
    await page.get_by_label("Name", exact=True).fill("New in the app")
    await page.locator("#to").select_option(label="For messages")
    await page.get_by_label("The variants to everyone at once").check()
    await page.locator("#v0_title").fill("Try the map")
    await page.locator("#v0_life").fill("91")
    await page.locator("#v1_text").fill("It knows all stores.")
    await fits(page, "campaign-messages")
    await page.get_by_role("button", name="Save and review").click()
    await expect(page.locator("#refusals").get_by_role("link")).to_have_count(2)
    await check_both(page, "campaign-messages-refused")
    await page.locator("#v0_life").fill("7")
    await page.locator("#v1_title").fill("A map of all stores")
    await page.get_by_role("button", name="Save and review").click()
    await expect(page.locator("dl.facts")).to_contain_text("36 devices, also those that allow no pushes.")
    await expect(page.locator(".inbox-row")).to_have_count(2)
    await check_both(page, "campaign-messages-review")
    await page.get_by_label("Test device or audience").fill("off")
    await page.get_by_role("button", name="Send test").click()
    await expect(page.get_by_text("Test published.")).to_be_visible()
    await page.get_by_role("button", name="Start campaign").click()
    await expect(page.locator("#state")).to_contain_text("Published.")
    identifier = page.url.split("?")[0].rsplit("/", 1)[1]
    run = (await call(page, "GET", f"/v6/campaigns/{identifier}/runs"))["runs"][0]["id"]
    variants = (await call(page, "GET", f"/v6/runs/{run}"))["run"]["variants"]
    for device in range(5, 41):
        why = (await call(page, "GET", f"/v6/runs/{run}/explanations/d{device}"))["explanation"]
        assert why["code"] == "published", why
        for kind in [1, 2] if why["variant"] == "a" else [1]:
            await call(page, "POST", f"/v6/messages/{why['message_id']}/impressions", {
                "impression": {"device_id": f"d{device}", "kind": kind}})
    assert sum(variant["targeted"] for variant in variants) == 36
    await page.reload()
    await expect(page.locator("#result")).to_contain_text("“Variant A” did better than the others")
    await check_both(page, "campaign-messages")
    await page.locator("summary", has_text="End…").click()
    await page.get_by_role("button", name="End campaign").click()
    await expect(page.locator("#state")).to_contain_text("ended")
    await page.get_by_role("region", name="Variants").get_by_role("link", name="message").first.click()
    await expect(page.locator("#state")).to_contain_text("ended")
    # Type, no test, save twice, test, start, end twice, and the message.
    await takes(page, "a campaign of in-app messages", 9)
