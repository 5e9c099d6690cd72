"""In-app messages: one that is composed, read, changed and unpublished."""

import re

from browser import app, base, expect, given, message_field
from campaign_pages import COUNT_PRESSES, call, check_both


async def job(page):
    """From the composer to the numbers of a message and its end, with the presses of the mouse counted."""
    await page.add_init_script(COUNT_PRESSES)
    await page.goto(f"{base}/compose?to=*")
    await page.evaluate("sessionStorage.presses = 0")
    await page.get_by_label("In-app message only").check()
    await message_field(page, "Title").fill("New stores")
    await message_field(page, "Body").fill("Three have opened near you.")
    await page.get_by_label("Upload a file").set_input_files(given["picture"])
    await expect(page.get_by_label("URL", exact=True)).to_have_value(re.compile(r"/media/[0-9a-f]{32}\.png$"))
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
    presses = int(await page.evaluate("sessionStorage.presses"))
    print(f"an in-app message takes {presses} clicks")
    # Type, review, publish, view, edit, save twice, unpublish twice.
    assert presses == 9, f"{presses} clicks"
    await page.get_by_role("link", name="In-app messages").first.click()
    await check_both(page, "messages")
