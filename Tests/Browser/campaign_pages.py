"""The pages of campaigns: a campaign of two variants from its form to the report of its winner."""

import base64
import re
from datetime import datetime, timezone

from browser import base, begin_job, check, expect, fits, keys, preview_is_current, sign_in, takes, timeout, url
from keyboard import enter, press, tab_to

devices = [f"d{number}" for number in range(5, 41)]


async def call(page, method, path, body=None, role="push"):
    headers = {"Authorization": "Basic " + base64.b64encode(f"{keys[role]}:".encode()).decode()}
    answer = await page.context.request.fetch(f"{url}{path}", method=method, headers=headers, data=body)
    assert answer.status < 300, f"{method} {path}: {await answer.text()}"
    return await answer.json()


async def check_both(page, name):
    """What `check` does, with axe on a phone too."""
    for width in [390, 1280]:
        await page.set_viewport_size({"width": width, "height": 900})
        await check(page, f"{name} at {width}")
    await page.set_viewport_size({"width": 1280, "height": 900})


async def with_winner(page):
    """Writes two variants, tests one on a device, starts, and sends the better one to the rest."""
    await begin_job(page)
    await call(page, "POST", "/v6/audiences", {"audience": {
        "name": "For variants", "to": [{"name": "device_id", "criteria": devices}]}})
    await page.goto(f"{base}/sends/campaigns")
    await expect(page.get_by_role("heading", name="No campaigns yet")).to_be_visible()
    await check_both(page, "campaigns-empty")
    await page.get_by_role("link", name="New campaign").first.click()
    await check_both(page, "campaign-new")
    await write(page)
    await preview_is_current(page)
    await expect(page.locator("#shown-variant")).to_have_text("Variant B")
    await expect(page.locator("#card-light")).to_have_attribute("alt", "Light: Your autumn coat is here")
    await fits(page, "campaign-new")
    await page.get_by_role("button", name="Save and review").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Autumn coats")
    await expect(page.locator("dl.facts")).to_contain_text(f"{len(devices)} of {len(devices)} devices can receive pushes")
    await pictures_load(page)
    await check_both(page, "campaign-review")
    await page.get_by_label("Test device or audience").fill("d5")
    await page.get_by_role("button", name="Send test").click()
    await expect(page.get_by_text("Test sent.")).to_be_visible()
    await page.get_by_role("button", name="Start campaign").click()
    await expect(page.locator("#state")).to_contain_text("The test runs until you decide.")
    await check_both(page, "campaign-testing")
    await open_variant(page, "a")
    await page.reload()
    await expect(page.locator("#result")).to_contain_text("“Short” did better than the others in the test")
    await page.locator("summary", has_text="Decide…").click()
    await page.get_by_label("Short: 100.0 %").check()
    await check_both(page, "campaign-deciding")
    await page.get_by_role("button", name="Decide", exact=True).click()
    await expect(page.locator("#result")).to_contain_text("“Short” is sent to the rest, since it did better by more than chance")
    await check_both(page, "campaign-decided")
    await page.get_by_role("link", name="Report", exact=True).click()
    await expect(page.get_by_text("Decided by hand, with your key")).to_be_visible()
    await expect(page.locator("#result")).to_be_visible()
    await check_both(page, "campaign-report")
    # New campaign, who decides, save, test, start, Decide…, the variant, Decide, Report.
    await takes(page, "a test with a winner", 9)
    await prints(page)
    await page.go_back()
    await page.locator("summary", has_text="End…").click()
    await page.get_by_role("button", name="End campaign").click()
    await expect(page.locator("#state")).to_contain_text("ended")
    await page.get_by_role("link", name="Campaigns").first.click()
    await check_both(page, "campaigns")


async def write(page):
    await page.get_by_label("Name", exact=True).fill("Autumn coats")
    await page.get_by_label("Labels").fill("autumn")
    await page.locator("#to").select_option(label="For variants")
    for number, name, text in [(0, "Short", "20% off coats"), (1, "", "Your autumn coat is here")]:
        await page.locator(f"#v{number}_name").fill(name)
        await page.locator(f"#v{number}_text").fill(text)
    await page.locator("#sample").fill("60")
    await page.get_by_label("I decide").check()
    await expect(page.locator("#decide_after")).to_be_hidden()
    await page.locator("#goal0_event").fill("bought")


async def pictures_load(page):
    for picture in await page.locator(".cards img").all():
        await picture.scroll_into_view_if_needed()
        await expect(picture).to_have_js_property("naturalWidth", 786)


async def open_variant(page, variant):
    """The devices that got a variant report that it was opened, once all of the test was accepted."""
    campaign = page.url.split("?")[0].rsplit("/", 1)[1]
    run = (await call(page, "GET", f"/v6/campaigns/{campaign}/runs"))["runs"][0]["id"]
    while True:
        variants = (await call(page, "GET", f"/v6/runs/{run}"))["run"]["variants"]
        sends = [send for one in variants for send in one["notifications"]]
        if all(send["state"] == "complete" for send in sends):
            break
        await page.wait_for_timeout(100)
    send = next(one for one in variants if one["key"] == variant)["notifications"][0]["id"]
    outcomes = (await call(page, "GET", f"/v6/notifications/{send}/outcomes"))["outcomes"]
    now = datetime.now(timezone.utc).isoformat()
    await call(page, "POST", "/v6/receipts", role="device", body={"receipts": [
        {"id": f"{send}-{one['device_id']}", "notification_id": send, "device_id": one["device_id"],
         "event": "opened", "at": now} for one in outcomes]})


async def prints(page):
    """On paper the report has its tables, and none of what is pressed."""
    await page.emulate_media(media="print")
    await expect(page.get_by_role("region", name="Variants")).to_be_visible()
    await expect(page.locator(".top")).to_be_hidden()
    await expect(page.get_by_role("link", name="View campaign")).to_be_hidden()
    await page.emulate_media(media="screen")


async def by_keyboard(page):
    """A form that is refused, mended and saved without a mouse."""
    await page.goto(f"{base}/sends/campaigns/new")
    await enter(page, "#v0_text", "Written by keyboard")
    await press(page, "button[value=save]")
    summary = page.locator("#refusals")
    await expect(summary).to_be_focused()
    await expect(page).to_have_title("Error: New campaign · Martlet")
    await expect(summary.get_by_role("link")).to_have_count(3)
    await check_both(page, "campaign-refused")
    await summary.focus()
    await press(page, "#refusals a[href='#name']")
    await expect(page.locator("#name")).to_be_focused()
    await page.keyboard.type("By keyboard")
    await enter(page, "#to", "For variants")
    await press(page, "#variant-add")
    await expect(page.locator("#v2_title")).to_be_focused()
    await page.keyboard.type("A third one")
    await press(page, "#variant-even")
    await expect(page.locator("#v0_share")).to_have_value("34")
    await expect(page.locator(".sum")).to_have_text("Together 100 %.")
    await page.evaluate("scrollTo(0, 0); document.activeElement.blur()")
    await enter(page, "#v1_text", "Second")
    await press(page, "button[value=save]")
    await expect(page.get_by_role("heading", level=1)).to_have_text("By keyboard")
    await expect(page.locator(".cards section")).to_have_count(3)
    await tab_to(page, "details.ask > summary")
    await page.keyboard.press("Enter")
    await press(page, "button[value=discard]")
    await expect(page.get_by_role("heading", name="Campaigns")).to_be_visible()


async def expanded(page):
    """The fields of an expanded notification are shown as soon as one is chosen, with what was written before."""
    await page.goto(f"{base}/sends/campaigns/new")
    await page.locator("#v0_text").fill("Look")
    menu = page.locator("#v0_template")
    await menu.evaluate("(menu) => { for (let at = menu; at; at = at.parentElement) if (at.matches('details')) at.open = true }")
    await menu.select_option("carousel")
    await expect(page.locator("#v0_page0_media_url")).to_be_visible()
    await expect(page.locator("#v0_text")).to_have_value("Look")


async def without_script(context):
    """The form's post, its refusal and the review with JavaScript off."""
    page = await context.new_page()
    page.set_default_timeout(timeout)
    await page.goto(url)
    await sign_in(page, keys["push"])
    await page.goto(f"{base}/sends/campaigns/new")
    await page.get_by_label("Name", exact=True).fill("No script")
    await page.locator("#to").select_option(label="For variants")
    await page.locator("#v0_text").fill("One")
    await page.locator("#v1_text").fill("Two")
    await page.locator("#v1_share").fill("40")
    await page.get_by_role("button", name="Save and review").click()
    summary = page.locator("#refusals")
    await expect(summary).to_be_focused()
    await summary.get_by_role("link", name="The shares add up to 90").click()
    await expect(page.locator("#v0_share")).to_be_focused()
    await page.get_by_role("button", name="Divide the shares evenly").click()
    await page.get_by_text("The variants to everyone at once").click()
    await expect(page.locator("#sample")).to_be_hidden()
    await page.get_by_role("button", name="Preview", exact=True).last.click()
    await expect(page.locator(".preview img:visible")).to_have_attribute("alt", "Light: One")
    await page.get_by_role("button", name="Variant B", exact=True).click()
    await page.get_by_role("button", name="Preview", exact=True).last.click()
    await expect(page.locator(".preview img:visible")).to_have_attribute("alt", "Light: Two")
    await page.get_by_role("button", name="Save and review").click()
    await expect(page.locator("dl.facts")).to_contain_text("None: the variants are sent to everyone at once.")
    await page.get_by_role("button", name="Start campaign").click()
    # All of it may have been sent meanwhile.
    await expect(page.locator("#state")).to_contain_text(re.compile("Being sent|All of it was sent"))
    await context.close()
