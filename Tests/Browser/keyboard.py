"""Signing in, an audience, a notification, its report and a device, without a mouse."""

from browser import base, expect, given, is_home, keys, open_page, preview_is_current, url


async def tab_to(page, selector):
    """Presses Tab until the element that the selector names has the focus."""
    for _ in range(150):
        await page.keyboard.press("Tab")
        if await page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"no Tab leads to {selector} on {page.url}")


async def press(page, selector):
    await tab_to(page, selector)
    await page.keyboard.press("Enter")


async def enter(page, selector, text):
    await tab_to(page, selector)
    await page.keyboard.type(text)


async def whole_way(context):
    page = await open_page(context)
    # Chromium hands the file chooser over only once there is a listener, and takes a moment to learn of it.
    page.on("filechooser", lambda _: None)
    await page.goto(url)
    await enter(page, "#key", keys["admin"])
    await page.keyboard.press("Enter")
    await is_home(page)
    await page.keyboard.press("Tab")
    await expect(page.get_by_role("link", name="Skip to main content")).to_be_focused()
    await build_audience(page)
    await write_and_send(page)
    await count_keys(page)
    await erase_device(page)
    await context.close()


async def build_audience(page):
    await press(page, "nav a[href$='/audiences']")
    await expect(page.get_by_role("heading", name="Audiences", exact=True)).to_be_visible()
    await press(page, "a[href$='/audiences/new']")
    await expect(page.get_by_role("heading", name="New audience")).to_be_visible()
    await enter(page, "#name", "By hand")
    await enter(page, "#who_all_0_field", "Tags")
    await expect(page.locator("#who_all_0_value")).to_be_visible()
    await enter(page, "#who_all_0_value", "keyboard")
    await expect(page.locator("#count")).to_contain_text(f"{given['keyboard_devices']} devices match")
    await press(page, "button[value=save]")
    await expect(page.get_by_role("link", name="By hand", exact=True)).to_be_visible()


async def write_and_send(page):
    await press(page, ".top a[href$='/compose']")
    await expect(page.get_by_role("heading", name="Compose")).to_be_visible()
    await press(page, ".skip")
    await enter(page, "#to", "By hand")
    await enter(page, "#title", "By keyboard")
    await preview_is_current(page)
    await tab_to(page, "#file")
    async with page.expect_file_chooser() as chooser:
        await page.keyboard.press("Space")
    await (await chooser.value).set_files(given["picture"])
    await expect(page.locator("#upload")).to_contain_text("was uploaded")
    await choose_template(page)
    await tab_to(page, "[name=appearance]")
    await page.keyboard.press("ArrowRight")
    await preview_is_current(page)
    await expect(page.locator("#card-dark")).to_be_visible()
    await expect(page.locator("#card-light")).to_be_hidden()
    await enter(page, "#test_device", given["device"])
    await press(page, "button[value=test]")
    await expect(page.get_by_role("status").filter(has_text="Test sent.")).to_be_visible()
    await press(page, "button[value=review]")
    await expect(page.get_by_role("heading", level=1)).to_have_text(f"Send to {given['keyboard_devices']} devices?")
    await press(page, "button[value=send]")
    await page.wait_for_selector("#watch[data-over]")
    await press(page, "a[href*='/reports/sends/']")
    await expect(page.get_by_role("link", name="View send")).to_be_visible()


async def count_keys(page):
    """A message is written and sent with few keys, those of its words included."""
    count = 0

    async def press(key):
        nonlocal count
        count += 1
        await page.keyboard.press(key)

    async def reach(selector, key="Tab"):
        for _ in range(60):
            await press(key)
            if await page.evaluate("selector => document.activeElement.matches(selector)", selector):
                return
        raise AssertionError(f"{key} does not lead to {selector} on {page.url}")

    await page.goto(f"{base}/compose")
    await reach(".skip")
    await press("Enter")
    await reach("#to")
    await page.keyboard.type("By hand")
    await reach("#title")
    await page.keyboard.type("Few keys")
    count += len("By handFew keys")
    await reach("button[value=review]", "Shift+Tab")
    await press("Enter")
    await expect(page.get_by_role("heading", level=1)).to_have_text(f"Send to {given['keyboard_devices']} devices?")
    await reach(".skip")
    await press("Enter")
    await reach("button[value=send]")
    await press("Enter")
    await expect(page.get_by_role("heading", name="Few keys")).to_be_visible()
    print(f"a message takes {count} keys")
    assert count <= 60, f"{count} keys"


async def choose_template(page):
    """A carousel, whose pages are added, moved and removed; the focus stays at what was done."""
    await tab_to(page, "[name=message_part]")
    await page.keyboard.press("ArrowRight")
    await enter(page, "#template", "Carousel")
    await expect(page.locator("#page0_title")).to_be_visible()
    for number in range(2):
        if number > 0:
            await press(page, ".page-row + .page-row > summary")
        await enter(page, f"#page{number}_media_url", f"https://img.example/{number}.png")
        await enter(page, f"#page{number}_title", f"Page {number}")
    await press(page, "#page1_up")
    await expect(page.locator("#page0_down")).to_be_focused()
    await expect(page.locator("#page0_title")).to_have_value("Page 1")
    await press(page, "#page-add")
    await expect(page.locator("#page2_media_url")).to_be_focused()
    await press(page, "#page2_remove")
    await expect(page.locator("#page-add")).to_be_focused()
    await expect(page.locator(".page-row")).to_have_count(2)


async def erase_device(page):
    await press(page, "nav a[href$='/people']")
    await expect(page.get_by_role("heading", name="People")).to_be_visible()
    await enter(page, "#search", "k3")
    await page.keyboard.press("Enter")
    await expect(page.get_by_text("1 person found by device ID")).to_be_visible()
    await press(page, "a[href$='/devices/k3']")
    await expect(page.get_by_role("heading", name="k3")).to_be_visible()
    await press(page, "details:has(#word) > summary")
    await enter(page, "#word", "erase")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("status")).to_contain_text("451")
