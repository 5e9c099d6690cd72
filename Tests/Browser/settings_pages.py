"""Settings of the app, API keys, webhooks and the audit log."""

import re

from browser import base, check, expect, given


async def change(page):
    """The APNs key is replaced; an API key is created, shown once, and revoked."""
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
    await page.locator("summary", has_text="Add a webhook").click()
    await page.locator("summary", has_text="Create a key").click()
    await check(page, "settings")
    await page.get_by_label("Role").select_option("analytics")
    await page.get_by_role("button", name="Create key").click()
    await expect(page.get_by_label("New analytics key")).to_have_value(re.compile("^mk_"))
    await expect(page.get_by_role("button", name="Copy")).to_be_visible()
    await check(page, "settings-key")
    await page.get_by_text("Revoke the analytics key").last.click()
    await check(page, "settings-revoke")
    await page.get_by_role("button", name="Revoke", exact=True).click()
    await expect(page.get_by_label("New analytics key")).to_have_count(0)
    await page.get_by_role("link", name="Audit log").click()
    await expect(page.get_by_role("table")).to_contain_text("key.revoke")
    await check(page, "audit")
