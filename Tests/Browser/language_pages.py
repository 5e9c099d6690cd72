"""Sending in several languages: from the audience's languages over the tabs to the review."""

from browser import base, begin_job, expect, fits, keys, message_field, preview_is_current, sign_in, takes, timeout, url
from campaign_pages import call, check_both
from keyboard import enter, press


async def send(page):
    """The job: two languages, of which one is written from right to left, and the fallback."""
    await begin_job(page)
    await call(page, "POST", "/v6/audiences", {"audience": {
        "name": "Speakers", "to": [{"name": "tags", "criteria": ["speakers"]}]}})
    await page.goto(f"{base}/compose")
    await page.get_by_label("Audience", exact=True).select_option(label="Speakers")
    coverage = page.locator("#coverage")
    await expect(coverage).to_contain_text("French: 2 devices, no text")
    await message_field(page, "Title").fill("Autumn sale")
    await message_field(page, "Body").fill("Everything 20% off")
    await check_both(page, "languages-none")
    await page.get_by_role("button", name="Add French", exact=True).click()
    await expect(page.locator("#lang_fr_title")).to_be_focused()
    await expect(page.locator("#title")).to_be_hidden()
    await page.keyboard.type("Soldes d'automne")
    await expect(coverage).to_contain_text("French: 2 devices, no body, they get that of the fallback")
    await page.locator("#lang_fr_text").fill("Tout à moins 20 %")
    await expect(coverage).not_to_contain_text("no body")
    await preview_is_current(page)
    await expect(page.locator("#card-light")).to_have_attribute("alt", "Light: Soldes d'automne. Tout à moins 20 %")
    await page.get_by_role("button", name="Add Arabic", exact=True).click()
    await page.locator("#lang_ar_title").fill("تخفيضات الخريف")
    await page.locator("#lang_ar_text").fill("خصم 20% على كل شيء")
    assert await page.locator("#lang_ar_text").evaluate("field => getComputedStyle(field).direction") == "rtl"
    await expect(page.locator("#preview_as")).to_contain_text("a device in Arabic without data")
    await preview_is_current(page)
    await fits(page, "languages-rtl")
    await check_both(page, "languages-rtl")
    await draft_is_restored(page)
    await page.get_by_role("button", name="Review and send").click()
    table = page.get_by_role("region", name="Devices and texts by language")
    await expect(table).to_contain_text("Tout à moins 20 %")
    await expect(table.get_by_role("row", name="French")).to_contain_text("2")
    await expect(page.get_by_text("The devices that get the fallback: German 1, English 1")).to_be_visible()
    await check_both(page, "languages-review")
    await page.get_by_role("button", name="Send now").click()
    await expect(page.get_by_role("heading", name="Autumn sale")).to_be_visible()
    # Add French, add Arabic, review, send.
    await takes(page, "a send in three languages", 4)


async def draft_is_restored(page):
    """The languages are in the draft, and in the form after a way back."""
    await page.goto(f"{base}/compose")
    await expect(page.locator("#draft")).to_contain_text("restored")
    await expect(page.get_by_role("radio", name="Arabic")).to_be_checked()
    await expect(page.locator("#lang_ar_title")).to_have_value("تخفيضات الخريف")
    await expect(page.locator("#lang_fr_title")).to_have_value("Soldes d'automne")
    await expect(page.locator("#lang_fr_title")).to_be_hidden()


async def mistakes(page):
    """A refused text opens its tab; a word without a break stays within the page."""
    await page.goto(f"{base}/compose?to=*")
    await message_field(page, "Body").fill("Hi")
    for code in ["de", "fr"]:
        await page.locator("#added_language").select_option(code)
        await page.get_by_role("button", name="Add language").click()
        await expect(page.locator(f"#lang_{code}_title")).to_be_focused()
    await page.locator("#lang_fr_text").fill("Donaudampfschifffahrtsgesellschaft" * 9)
    await page.get_by_role("radio", name="German").check()
    await page.locator("#lang_de_text").fill("Hallo {{ custom.name")
    await page.get_by_role("radio", name="Fallback").check()
    await expect(page.locator("#lang_de_text")).to_be_visible()
    await check_both(page, "languages-long")
    await page.get_by_role("button", name="Review and send").click()
    summary = page.locator("#refusals")
    await expect(summary).to_be_focused()
    await check_both(page, "languages-refused")
    await summary.get_by_role("link", name="Body in German").click()
    await expect(page.locator("#lang_de_text")).to_be_focused()
    await page.locator("#lang_de_text").fill("Hallo")
    await expect(page.locator("#refusals")).to_have_count(0)
    await expect(page.locator("#lang_de_text")).to_be_focused()
    await page.get_by_label("In-app message only").check()
    await expect(message_field(page, "Body")).to_be_visible()
    await expect(page.locator("#added_language")).to_be_hidden()
    await expect(page.get_by_role("radio", name="German")).to_be_hidden()


async def by_keyboard(page):
    """A language is added, written, left, and removed without a mouse."""
    await page.goto(f"{base}/compose?to=*")
    await enter(page, "#text", "Hi")
    # A busy browser that takes a second between two keys looks for the second one alone.
    for _ in range(10):
        await enter(page, "#added_language", "Swed")
        if await page.locator("#added_language").input_value() == "sv":
            break
    await press(page, "button[value=language-add]")
    await expect(page.locator("#lang_sv_title")).to_be_focused()
    await page.keyboard.type("Rea")
    await page.keyboard.press("Shift+Tab")
    await page.keyboard.press("ArrowUp")
    await expect(page.get_by_role("radio", name="Fallback")).to_be_checked()
    await expect(page.locator("#title")).to_be_visible()
    await page.keyboard.press("ArrowDown")
    await press(page, "button[value=language-remove-sv]")
    await expect(page.locator("#added_language")).to_be_focused()
    await expect(page.get_by_role("radio", name="Swedish")).to_have_count(0)


async def without_script(context):
    """Tabs, adding and the preview of a language with JavaScript off."""
    page = await context.new_page()
    page.set_default_timeout(timeout)
    await page.goto(url)
    await sign_in(page, keys["push"])
    await page.get_by_role("link", name="Compose", exact=True).first.click()
    await page.get_by_label("Audience", exact=True).select_option(label="Speakers")
    await message_field(page, "Body").fill("Hello")
    await page.get_by_role("button", name="Preview", exact=True).last.click()
    await page.get_by_role("button", name="Add French", exact=True).click()
    await expect(page.locator("#lang_fr_title")).to_be_focused()
    await page.locator("#lang_fr_text").fill("Bonjour")
    await page.get_by_role("radio", name="Fallback").check()
    await expect(page.locator("#text")).to_be_visible()
    await expect(page.locator("#lang_fr_text")).to_be_hidden()
    await page.get_by_role("radio", name="French").check()
    await page.get_by_role("button", name="Preview", exact=True).last.click()
    await expect(page.locator("#card-light")).to_have_attribute("alt", "Light: Bonjour")
    await page.get_by_role("button", name="Review and send").click()
    await expect(page.get_by_role("region", name="Devices and texts by language")).to_contain_text("Bonjour")
    await context.close()
