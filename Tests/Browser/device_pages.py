"""The list of devices, and one device."""

from browser import base, begin_job, check, expect, given, takes


async def find_and_erase(page):
    """A device is found by its push token, made a test device, and erased."""
    await begin_job(page)
    await page.goto(f"{base}/devices")
    await expect(page.get_by_role("heading", name="People")).to_be_visible()
    await check(page, "people")
    await page.get_by_label("Find a person").fill(given["gone_token"][:10])
    await page.get_by_role("button", name="Find").click()
    await page.get_by_role("link", name="Why?").first.click()
    await expect(page.locator(".verdict")).to_be_visible()
    await check(page, "why-from-people")
    await page.go_back()
    await page.get_by_role("link", name=given["gone"], exact=True).first.click()
    await page.get_by_role("button", name="Mark as test device").click()
    await expect(page.get_by_role("button", name="Remove from test devices")).to_be_visible()
    await page.get_by_text("Erase this device").click()
    await check(page, "device")
    await page.get_by_label("Type erase to confirm").fill("erase")
    await page.get_by_role("button", name="Erase permanently").click()
    await expect(page.get_by_role("status")).to_contain_text("451")
    # Find, why, the device, mark, erase twice.
    await takes(page, "finding a person and the reason, and erasing a device", 6)
    await check(page, "device-erased")
