"""Composing and sending with JavaScript off."""

import re

import audience_pages
from browser import expanded_part, expect, given, keys, message_field, sign_in, timeout, unfold_page, url


async def send(context):
    page = await context.new_page()
    page.set_default_timeout(timeout)
    await page.goto(url)
    await sign_in(page, keys["push"])
    await page.get_by_role("link", name="Compose", exact=True).first.click()
    await expect(page.get_by_role("heading", name="Compose")).to_be_visible()
    home = page.url
    await audience_pages.without_script(page)
    await page.goto(home)
    await message_field(page, "Title").fill("No script")
    await page.get_by_label("Upload a file").set_input_files(given["picture"])
    await page.get_by_label("Audience", exact=True).select_option(label="Readers")
    await expanded_part(page)
    await page.locator("#template").select_option("carousel")
    await page.get_by_role("button", name="Show its fields").click()
    for number in range(2):
        await unfold_page(page, number)
        await page.locator(f"#page{number}_title").fill(f"Page {number}")
        await page.locator(f"[name=page{number}_media_url_file]").set_input_files(given["picture"])
    await page.get_by_role("button", name="Add a page").click()
    await expect(page.locator("#page2_media_url")).to_be_focused()
    await page.locator("#page2_media_url").fill("https://img.example/2.png")
    await unfold_page(page, 1)
    await page.get_by_role("button", name="Move up page 2").click()
    await expect(page.locator("#page0_title")).to_have_value("Page 1")
    await expect(page.locator("#page1_media_url")).to_have_value(re.compile(r"/media/[0-9a-f]{32}\.png$"))
    await unfold_page(page, 2)
    await page.get_by_role("button", name="Remove page 3").click()
    await expect(page.locator(".page-row")).to_have_count(2)
    await page.get_by_role("button", name="Preview", exact=True).last.click()
    await expect(page.get_by_label("Media URL")).to_have_value(re.compile(r"/media/[0-9a-f]{32}\.png$"))
    await expect(page.locator("#card-light")).to_be_visible()
    await page.get_by_role("button", name="Review and send").click()
    await page.get_by_role("button", name="Send now").click()
    await expect(page.get_by_role("heading", name="No script")).to_be_visible()
    await context.close()
