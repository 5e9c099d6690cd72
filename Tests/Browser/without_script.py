"""Composing and sending with JavaScript off."""

import re

from browser import expect, given, keys, message_field, sign_in, timeout, url


async def send(context):
    page = await context.new_page()
    page.set_default_timeout(timeout)
    await page.goto(url)
    await sign_in(page, keys["push"])
    await message_field(page, "Title").fill("No script")
    await page.get_by_label("Upload a file").set_input_files(given["picture"])
    await page.get_by_label("Audience", exact=True).select_option(label="Readers")
    await page.get_by_role("button", name="Preview", exact=True).last.click()
    await expect(page.get_by_label("URL")).to_have_value(re.compile(r"/media/[0-9a-f]{32}\.png$"))
    await expect(page.locator("#card-light")).to_be_visible()
    await page.get_by_role("button", name="Review and send").click()
    await page.get_by_role("button", name="Send now").click()
    await expect(page.get_by_role("heading", name="No script")).to_be_visible()
    await context.close()
