"""Settings of the app, API keys, webhooks and the audit log."""

import re

from browser import base, begin_job, check, expect, given, takes


async def change(page):
    """The APNs key is replaced; an API key is created, shown once, and revoked; the audit log is filtered and saved."""
    await begin_job(page)
    await page.goto(f"{base}/settings")
    await page.get_by_text("Edit app or APNs key").click()
    file = page.get_by_label("New APNs key")
    await file.set_input_files(given["wrong_key"])
    await page.get_by_role("button", name="Save", exact=True).click()
    await expect(page.get_by_role("alert")).to_contain_text("InvalidProviderToken")
    await check(page, "settings-app")
    await file.set_input_files(given["key"])
    await page.get_by_role("button", name="Save", exact=True).click()
    await expect(page.get_by_role("status")).to_contain_text(re.compile(r"Saved\. .*key"))
    await page.locator("summary", has_text="Create a key").click()
    await page.locator("summary", has_text="Add a webhook").click()
    await check(page, "settings")
    await page.get_by_label("Name", exact=True).last.fill("Board")
    await page.get_by_label("Role").select_option("analytics")
    await page.get_by_role("button", name="Create key").click()
    await expect(page.get_by_label("New analytics key")).to_have_value(re.compile("^mk_"))
    await expect(page.get_by_role("button", name="Copy")).to_be_visible()
    await check(page, "settings-key")
    row = page.get_by_role("region", name="API keys").get_by_role("row", name="Board")
    await expect(row).to_contain_text("No use recorded")
    await row.locator("summary", has_text="Copy ID").click()
    await expect(row.locator("code")).to_be_visible()
    await page.set_viewport_size({"width": 390, "height": 844})
    await row.locator("summary", has_text="Revoke the key “Board”").click()
    button = row.get_by_role("button", name="Revoke", exact=True)
    await expect(button).to_be_in_viewport(ratio=1)
    await check(page, "settings-revoke")
    await page.set_viewport_size({"width": 1280, "height": 720})
    await button.click()
    await expect(page.get_by_label("New analytics key")).to_have_count(0)
    # Edit, save twice, the forms of a key and a webhook, create, the id, revoke twice.
    await takes(page, "the APNs key, and a key made and revoked", 9)
    await page.get_by_role("link", name="Audit log").click()
    await expect(page.get_by_role("table")).to_contain_text("Revoked the API key")
    await check(page, "audit")
    await page.get_by_label("What").select_option(label="App and limits")
    await page.get_by_role("button", name="Show").click()
    await expect(page.get_by_role("table")).to_contain_text("Changed the settings of the app")
    await expect(page.get_by_role("table")).not_to_contain_text("Revoked the API key")
    await check(page, "audit-filtered")
    async with page.expect_download() as download:
        await page.get_by_role("link", name="Export as CSV").click()
    text = (await (await download.value).path()).read_text()
    assert '"app.update","Changed the settings of the app"' in text and "key.revoke" not in text, text
