"""The composer: fields, preview, uploads, drafts, tests and in-app messages."""

from browser import app, base, check, expect, fits, given, keys, message_field, natural_size, preview_is_current, sign_in


async def write(page):
    """A notification with markup that stays text, an uploaded picture and a button."""
    await page.goto(f"{base}/compose")
    await message_field(page, "Title").fill('<b>Sale</b> & "more"')
    body = message_field(page, "Body")
    await body.fill("Hello ")
    await page.get_by_label("Insert personalization").select_option("{{ custom.name }}")
    await expect(body).to_have_value("Hello {{ custom.name }}")
    file, upload = page.get_by_label("Upload a file"), page.locator("#upload")
    await file.set_input_files(given["folder"] + "/page.png")
    await expect(upload).to_contain_text("JPEG")
    await file.set_input_files(given["folder"] + "/large.png")
    await expect(upload).to_contain_text("too large")
    await file.set_input_files(given["picture"])
    await expect(upload).to_contain_text("was uploaded")
    await page.get_by_label("Fallback text").fill("A picture")
    await page.locator("#preview_as").select_option(given["device"])
    await page.get_by_label("Badge").fill("-")
    await expect(page.locator("#badge-remarks")).to_contain_text("must be")
    await page.get_by_label("Badge").fill("+1")
    await preview_is_current(page)
    await expect(page.locator("#badge-remarks")).to_be_empty()
    for shown, other in [("Dark", "light"), ("Light", "dark")]:
        await page.get_by_label(shown, exact=True).check()
        await preview_is_current(page)
        await expect(page.locator(f"#card-{other}")).to_be_hidden()
        width, _ = await natural_size(page.locator(f"#card-{shown.lower()}"))
        assert width > 300, f"the {shown} picture is {width} wide"
    await expect(page.get_by_role("group", name="Button 2")).to_be_hidden()
    button = page.get_by_role("group", name="Button 1")
    await button.get_by_label("Title").fill("Read it")
    await button.get_by_label("Link").fill("app://sale")
    await button.get_by_label("Opens the app").check()
    await expect(page.get_by_role("group", name="Button 2")).to_be_visible()
    await preview_is_current(page)
    await fits(page, "compose")
    await check(page, "compose")
    await show_sheet(page)
    await page.get_by_label("In-app message only").check()
    await expect(page.get_by_label("Subtitle")).to_be_hidden()
    await expect(page.get_by_label("Unpublish at")).to_be_visible()
    await preview_is_current(page)
    await expect(page.locator("#inbox .inbox-row")).to_contain_text("Sale")
    await fits(page, "compose-message")
    await check(page, "compose-message")
    await page.get_by_label("Push only").check()
    await expect(page.get_by_label("Unpublish at")).to_be_hidden()


async def show_sheet(page):
    """On a phone the preview is a sheet, which a button of the bar opens."""
    await page.set_viewport_size({"width": 390, "height": 844})
    sheet = page.locator("#preview-pane")
    await expect(sheet).to_be_hidden()
    await page.get_by_role("button", name="Show preview").click()
    await expect(sheet.locator("#card-light")).to_be_visible()
    box = await sheet.bounding_box()
    assert box["y"] >= 0 and round(box["y"] + box["height"]) == 844, f"the sheet is at {box}"
    await check(page, "compose-sheet")
    await page.set_viewport_size({"width": 390, "height": 844})
    await page.get_by_role("button", name="Close").click()
    await expect(sheet).to_be_hidden()
    await page.set_viewport_size({"width": 1280, "height": 900})
    await expect(sheet).to_be_visible()


async def new_audience(page):
    """An audience is made on the way, and the message that was begun has it then."""
    await page.goto(f"{base}/compose?to=*")
    await message_field(page, "Title").fill("On the way")
    await page.get_by_role("button", name="New audience…").click()
    await expect(page.get_by_role("heading", name="New audience")).to_be_visible()
    await check(page, "compose-audience")
    await page.get_by_label("Name", exact=True).fill("Made on the way")
    await page.get_by_role("button", name="Save", exact=True).click()
    await expect(page.locator("#to option:checked")).to_have_text("Made on the way")
    await expect(message_field(page, "Title")).to_have_value("On the way")
    await expect(page.locator(".steps [data-step=audience]")).to_have_class("done")


async def restore_draft(page):
    """The draft is restored, discarded and brought back; a test is sent to one device."""
    title, draft = message_field(page, "Title"), page.locator("#draft")
    await page.get_by_role("link", name="Messages", exact=True).click()
    await page.get_by_role("link", name="Compose", exact=True).first.click()
    await expect(draft).to_contain_text("restored")
    await expect(title).to_have_value('<b>Sale</b> & "more"')
    await page.get_by_role("button", name="Discard draft").click()
    await expect(draft).to_contain_text("discarded")
    await expect(title).to_have_value("")
    await page.get_by_role("button", name="Undo").click()
    await expect(draft).to_contain_text("restored")
    await expect(title).to_have_value('<b>Sale</b> & "more"')
    await page.get_by_label("Test device or audience").fill(given["device"])
    await page.get_by_role("button", name="Send test").click()
    await expect(page.get_by_role("status").filter(has_text="Test sent.")).to_be_visible()


async def lose_session(page, context):
    """The session ends while a notification is written: the draft stays."""
    cookies = await context.cookies()
    await context.clear_cookies()
    # Both answers set a session; signing in needs the last one.
    async with refusal(page, "application/json"), refusal(page, "image/jpeg"):
        await page.get_by_label("Subtitle").fill("Kept")
    await expect(page.locator("#draft")).to_contain_text("Your session has expired")
    await page.get_by_role("link", name="Sign in again").click()
    await sign_in(page, keys["admin"])
    await expect(page.get_by_label("Subtitle")).to_have_value("Kept")
    assert cookies != await context.cookies()


def refusal(page, accepted):
    return page.expect_response(
        lambda response: response.status == 401 and response.request.headers["accept"] == accepted
    )


async def upload_video(page):
    """A video that is uploaded plays below its card."""
    await page.goto(f"{base}/compose?to=*")
    await message_field(page, "Body").fill("Watch")
    await page.get_by_label("Upload a file").set_input_files(given["video"])
    video = page.locator("#film")
    await expect(video).to_be_visible()
    # Not by wait_for_function: its second look is forbidden by the page's Content-Security-Policy.
    await expect(video).not_to_have_js_property("videoWidth", 0)
    await preview_is_current(page)
    await check(page, "compose-video")
    await page.get_by_label("Media URL").fill("")
    await expect(video).to_be_hidden()


async def publish_message(page):
    """An in-app message to all devices needs the app's name."""
    await page.goto(f"{base}/compose?to=*")
    await page.get_by_label("In-app message only").check()
    await message_field(page, "Title").fill("News")
    await message_field(page, "Body").fill("For the stream")
    await page.get_by_role("button", name="Review and send").click()
    await page.get_by_label("to confirm").fill("everyone")
    await page.get_by_role("button", name="Send now").click()
    await expect(page.get_by_role("alert")).to_contain_text("Type the app's name")
    await check(page, "review-refused")
    await page.get_by_label("to confirm").fill(app["name"])
    await page.get_by_role("button", name="Send now").click()
    await expect(page.get_by_role("heading", name="Published")).to_be_visible()
    await check(page, "published")


async def measure(page):
    """Prints the time from a keystroke to its preview, which nothing depends on."""
    # Scripts have run then.
    await page.wait_for_load_state()
    times = await page.evaluate(
        """async () => {
          const [title, budget] = [document.getElementById("title"), document.getElementById("budget")];
          const times = [];
          for (let i = 0; i < 7; i++) {
            const start = performance.now();
            title.value += "x";
            title.dispatchEvent(new Event("input", { bubbles: true }));
            while (!("current" in budget.dataset)) await new Promise(requestAnimationFrame);
            times.push(performance.now() - start);
          }
          return times.sort((a, b) => a - b);
        }"""
    )
    print(f"preview: {times[3]:.0f} ms after a keystroke, {times[-1]:.0f} ms at most")
