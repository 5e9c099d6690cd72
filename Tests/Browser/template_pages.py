"""The composer with the template of an expanded notification."""

import re

from browser import base, check, expanded_part, expect, fits, given, message_field, natural_size, preview_is_current, unfold_page

uploaded = re.compile(r"/media/[0-9a-f]{32}\.png$")


async def write(page):
    """A carousel of three pages, two of them with an upload, is moved about and previewed."""
    await page.goto(f"{base}/compose")
    await message_field(page, "Title").fill("Autumn")
    await message_field(page, "Body").fill("New coats")
    await preview_is_current(page)
    plain = await height(page)
    await expect(page.locator("#faces")).to_be_hidden()
    await expanded_part(page)
    await page.locator("#template").select_option("carousel")
    await expect(page.locator("#template-set")).to_have_text("Carousel")
    for number, title in enumerate(["Coat", "Hat"]):
        await unfold_page(page, number)
        await page.locator(f"[name=page{number}_media_url_file]").set_input_files(given["picture"])
        await expect(page.locator(f"#page{number}_media_url")).to_have_value(uploaded)
        await page.locator(f"#page{number}_title").fill(title)
    await expect(page.locator("#page1-set")).to_have_text("Hat")
    await press_while_remarks_come(page)
    third = page.locator("#page2_media_url")
    await expect(third).to_be_focused()
    await third.fill(await page.locator("#page0_media_url").input_value())
    group = page.get_by_role("group", name="Page 3", exact=True)
    await group.get_by_label("Title", exact=True).fill("Scarf")
    await group.get_by_label("Link", exact=True).fill("app://scarf")
    await preview_is_current(page)
    await expect(page.locator("#faces")).to_be_visible()
    # This server's address is private, so that a phone fetches no upload: the template's texts are drawn, and the fallback.
    shown = await height(page)
    assert shown > plain + 80, f"the preview shows no fallback: {shown}, not {plain}"
    await check(page, "compose-template")

    await page.get_by_role("button", name="Move up page 3").click()
    await expect(page.locator("#page1_up")).to_be_focused()
    await has_titles(page, ["Coat", "Scarf", "Hat"])
    await unfold_page(page, 0)
    await page.get_by_role("button", name="Move down page 1").click()
    await has_titles(page, ["Scarf", "Coat", "Hat"])
    await page.get_by_role("button", name="Remove page 2").click()
    await has_titles(page, ["Scarf", "Hat"])
    await expect(page.locator("#page0_link")).to_have_value("app://scarf")
    await unfold_page(page, 0)
    await expect(page.get_by_role("button", name="Move up page 1")).to_be_disabled()


# Playwright's own way would scroll to the field, and the button away from the mouse.
TYPE = """(field, text) => {
  field.value = text;
  field.dispatchEvent(new Event("input", { bubbles: true }));
}"""


async def press_while_remarks_come(page):
    """The button "Add a page" keeps its click while it is pressed and remarks above it come and go."""
    picture = page.locator("#page1_media_url")
    url = await picture.input_value()
    await preview_is_current(page)
    await page.get_by_role("button", name="Add a page").hover()
    await page.mouse.down()
    async with page.expect_response(lambda response: "json" in response.headers["content-type"]):
        async with page.expect_response(lambda response: "json" not in response.headers["content-type"]):
            await picture.evaluate(TYPE, "")
    await page.evaluate("() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
    await picture.evaluate(TYPE, url)
    await page.mouse.up()


async def mend(page):
    """A page without a picture is named, and the list at the top leads to its field."""
    await unfold_page(page, 1)
    url = await page.locator("#page1_media_url").input_value()
    await page.locator("#page1_media_url").fill("")
    remarks = page.locator("#page1_media_url-remarks")
    await expect(remarks).to_contain_text("Page 2 has no picture")
    await expect(page.locator("#page1_media_url")).to_have_attribute("aria-invalid", "true")
    await page.get_by_label("Audience", exact=True).select_option("*")
    await page.get_by_role("button", name="Review and send").click()
    await expect(page.get_by_role("alert")).to_contain_text("Nothing was sent")
    await check(page, "compose-template-refused")
    await page.get_by_role("alert").get_by_role("link").first.click()
    await expect(page.locator("#page1_media_url")).to_be_focused()
    await page.locator("#page1_media_url").fill(url)
    await expect(remarks).to_be_empty()
    await expect(page.get_by_role("alert")).to_be_hidden()


async def keep(page):
    """Another kind keeps what was entered; the draft and the review keep it too."""
    await page.locator("#template").select_option("timer")
    await page.locator("#template_end").fill("2030-06-01T12:00")
    await expect(page.get_by_role("button", name="Add a page")).to_be_hidden()
    await page.locator("#template").select_option("carousel")
    await has_titles(page, ["Scarf", "Hat"])
    await page.get_by_role("link", name="Messages", exact=True).click()
    await page.get_by_role("link", name="Compose", exact=True).first.click()
    await expect(page.locator("#draft")).to_contain_text("restored")
    await expect(page.locator("#template")).to_have_value("carousel")
    await has_titles(page, ["Scarf", "Hat"])
    await page.locator("#template").select_option("timer")
    # In the time zone of the viewer, as it was entered.
    await expect(page.locator("#template_end")).to_have_value("2030-06-01T12:00")
    await page.locator("#template").select_option("carousel")
    await has_titles(page, ["Scarf", "Hat"])
    await page.get_by_role("button", name="Review and send").click()
    await expect(page.get_by_text("Carousel, 2 pages")).to_be_visible()
    await check(page, "review-template")
    await page.get_by_role("button", name="Back to editing").click()
    await has_titles(page, ["Scarf", "Hat"])


async def try_out(page):
    """The template is sent to one device."""
    await page.get_by_label("Test device or audience").fill(given["device"])
    await page.get_by_role("button", name="Send test").click()
    await expect(page.get_by_role("status").filter(has_text="Test sent.")).to_be_visible()


async def every_kind(page):
    """The fields of every kind pass the checks."""
    await page.goto(f"{base}/compose?to=*")
    await expanded_part(page)
    kinds = await page.locator("#template option").evaluate_all("all => all.map((option) => option.value).filter(Boolean)")
    assert len(kinds) == 12, kinds
    for kind in kinds:
        await page.locator("#template").select_option(kind)
        await expect(page.locator(f"#template-fields[data-kind={kind}]")).to_be_visible()
        await fits(page, f"compose-{kind}")
        await check(page, f"compose-{kind}")


async def has_titles(page, titles):
    await expect(page.locator(".page-row")).to_have_count(len(titles))
    for number, title in enumerate(titles):
        await expect(page.locator(f"#page{number}_title")).to_have_value(title)


async def height(page):
    """The height of the light picture, in points."""
    width, height = await natural_size(page.locator("#card-light"))
    return height / width * 393
