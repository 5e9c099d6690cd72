"""Recurring and triggered campaigns, written in the form, reviewed and started; and the limits of an app."""

import re

from browser import base, begin_job, expect, fits, keys, sign_in, takes, timeout, url
from campaign_pages import call, check_both
from keyboard import enter, press, tab_to


async def weekly(page):
    """A message every Monday and Thursday, in each device's local time."""
    await begin_job(page)
    await page.goto(f"{base}/sends/campaigns")
    await page.get_by_role("link", name="New recurring campaign").click()
    await page.get_by_label("Name", exact=True).fill("Weekly walk")
    for day in ["Monday", "Thursday"]:
        await page.get_by_label(day).check()
    await page.get_by_label("Time", exact=True).fill("18:00")
    await expect(page.locator("#every_zone")).to_be_hidden()
    await expect(page.locator("#every_day")).to_be_hidden()
    await expect(page.locator("#scheduled_at")).to_be_hidden()
    await expect(page.locator("#s0_after")).to_be_hidden()
    await page.locator("#to").select_option(label="For kinds")
    await page.locator("#v0_text").fill("Time for a walk")
    await fits(page, "campaign-weekly-form")
    await check_both(page, "campaign-weekly-form")
    await page.get_by_role("button", name="Save and review").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Weekly walk")
    facts = page.locator("dl.facts")
    await expect(facts).to_contain_text("every Monday, Thursday at 18:00, in each device's local time")
    await expect(facts.locator("ol li")).to_have_count(5)
    await expect(facts.locator("ol li").first).to_contain_text(
        re.compile(r"(Monday|Thursday), \d+ \w+ \d{4} at 18:00 on each device's clock"))
    await check_both(page, "campaign-weekly-review")
    await page.get_by_role("button", name="Schedule campaign").click()
    await expect(page.locator("#state")).to_contain_text("Starts at")
    await check_both(page, "campaign-weekly-live")
    # New recurring campaign, two days, save, schedule.
    await takes(page, "a weekly campaign in local time", 5)
    await page.locator("summary", has_text="End…").click()
    await page.get_by_role("button", name="End campaign").click()
    await expect(page.locator("#state")).to_contain_text("ended")


async def cart(page):
    """A reminder of what is in the cart, and one a day later unless it was bought meanwhile."""
    await begin_job(page)
    await page.goto(f"{base}/sends/campaigns")
    await page.get_by_role("link", name="New triggered campaign").click()
    await page.get_by_label("Name", exact=True).fill("Cart reminder")
    await page.locator("#trigger_event").fill("cart")
    await page.locator("summary", has_text="Only under conditions").first.click()
    await page.locator("#trigger_c0_name").fill("total")
    await page.locator("#trigger_c0_is").select_option(label="is at least")
    await page.locator("#trigger_c0_value").fill("50")
    await page.locator("#exit0_event").fill("bought")
    await page.locator("#to").select_option(label="For kinds")
    await page.locator("#v0_text").fill("Still in your cart: {{ event.what | default: 'something' }}")
    await page.get_by_role("button", name="Add a message").click()
    await expect(page.locator("#s1_after")).to_be_focused()
    await page.locator("#v1_text").fill("Your cart is still there")
    await expect(page.locator("#sample")).to_be_hidden()
    await expect(page.locator("#goal0_event")).to_be_hidden()
    # It has two messages, and conditions that are open.
    await fits(page, "campaign-cart-form")
    await check_both(page, "campaign-cart-form")
    await page.get_by_role("button", name="Save and review").click()
    facts = page.locator("dl.facts")
    await expect(facts).to_contain_text("Whoever does “cart” with total at least 50 enters.")
    await expect(facts).to_contain_text("Message 1 at once, then message 2 after 1 day.")
    await expect(facts).to_contain_text("Who does “bought” gets no further message.")
    await check_both(page, "campaign-cart-review")
    await page.get_by_role("button", name="Start campaign").click()
    await expect(page.locator("#state")).to_contain_text("People are enrolled")
    # New triggered campaign, the conditions, add a message, save, start.
    await takes(page, "a cart reminder", 5)
    campaign = page.url.split("?")[0].rsplit("/", 1)[1]
    await happen("kind-1", {"name": "cart", "data": {"total": 49, "what": "a sock"}}, page)
    await happen("kind-2", {"name": "cart", "data": {"total": 80, "what": "shoes"}}, page)
    await until(page, campaign, "kind-2", "waiting", "step 2")
    await happen("kind-2", {"name": "bought"}, page)
    await until(page, campaign, "kind-2", "exited", "exit_on")
    answer = await call(page, "GET", f"/v6/campaigns/{campaign}/explanations/kind-1")
    assert answer["explanation"]["code"] == "not_enrolled", answer
    await page.reload()
    await expect(page.get_by_role("region", name="People")).to_contain_text("Exited1")
    await check_both(page, "campaign-cart-report")
    await listed_as_campaign(page)
    await page.goto(f"{base}/sends/campaigns/{campaign}")
    await page.locator("summary", has_text="End…").click()
    await page.get_by_role("button", name="End campaign").click()
    await expect(page.locator("#state")).to_contain_text("ended")


async def listed_as_campaign(page):
    """The list of sends has the campaign in place of what it sends, unless that is asked for."""
    await page.goto(f"{base}/sends")
    await expect(page.get_by_text("Live triggered campaigns, whose sends are not in this list:")).to_be_visible()
    await expect(page.get_by_role("table")).not_to_contain_text("Cart reminder")
    await check_both(page, "sends-beside-triggered")
    await page.get_by_label("Triggered campaigns").select_option("1")
    await page.get_by_role("button", name="Search").click()
    await expect(page.get_by_role("table")).to_contain_text("Cart reminder")


async def happen(device, event, page):
    await call(page, "POST", f"/v6/devices/{device}/events", {"events": [event]})


async def until(page, campaign, device, code, words):
    """Waits until the explanation of a device has a code, and says why."""
    while True:
        answer = (await call(page, "GET", f"/v6/campaigns/{campaign}/explanations/{device}"))["explanation"]
        if answer["code"] == code and words in answer["message"]:
            return
        await page.wait_for_timeout(100)


async def by_keyboard(page):
    """A triggered campaign that is refused, mended and saved without a mouse."""
    await page.goto(f"{base}/sends/campaigns/new")
    await enter(page, "#name", "Kinds by keyboard")
    await tab_to(page, "[name=sent]")
    await page.keyboard.press("ArrowRight")
    await expect(page.locator("#every_time")).to_be_visible()
    await page.keyboard.press("ArrowRight")
    await expect(page.locator("#every_time")).to_be_hidden()
    await enter(page, "#to", "For kinds")
    await enter(page, "#v0_text", "Hello")
    await enter(page, "#v1_text", "Hello again")
    await press(page, "button[value=save]")
    summary = page.locator("#refusals")
    await expect(summary).to_be_focused()
    await check_both(page, "campaign-triggered-refused")
    await summary.focus()
    await press(page, "#refusals a[href='#trigger_event']")
    await expect(page.locator("#trigger_event")).to_be_focused()
    await page.keyboard.type("opened_shop")
    await press(page, "button[value=exit-add]")
    await expect(page.locator("#exit0_event")).to_be_focused()
    await page.keyboard.type("bought")
    await press(page, "button[value=save]")
    await expect(page.get_by_role("heading", level=1)).to_have_text("Kinds by keyboard")
    await tab_to(page, "details.ask > summary")
    await page.keyboard.press("Enter")
    await press(page, "button[value=discard]")
    await expect(page.get_by_role("heading", name="Campaigns")).to_be_visible()


async def without_script(context):
    """Both kinds with JavaScript off: messages and rows are added by the server."""
    page = await context.new_page()
    page.set_default_timeout(timeout)
    await page.goto(url)
    await sign_in(page, keys["push"])
    await page.goto(f"{base}/sends/campaigns/new")
    await page.get_by_label("Name", exact=True).fill("Kinds without script")
    await page.get_by_text("Recurring: on certain days").click()
    await page.get_by_text("One time zone").click()
    await page.locator("#every_zone").fill("Europe/Berlim")
    await page.locator("#to").select_option(label="For kinds")
    await page.locator("#v0_text").fill("One")
    await page.get_by_role("button", name="Remove Variant B").click()
    await page.get_by_text("The variants to everyone at once").click()
    await page.get_by_role("button", name="Save and review").click()
    summary = page.locator("#refusals")
    await summary.get_by_role("link", name="Choose the days of the week").click()
    await expect(page.get_by_label("Monday")).to_be_focused()
    await page.get_by_text("Monday", exact=True).click()
    await page.locator("#every_zone").fill("Europe/Berlin")
    await page.get_by_role("button", name="Save and review").click()
    await expect(page.locator("dl.facts")).to_contain_text("every Monday at 09:00, Europe/Berlin")
    await page.get_by_role("link", name="Edit").click()
    await page.get_by_text("Triggered: when something happens").click()
    await page.locator("#trigger_event").fill("cart")
    await page.get_by_role("button", name="Add a message").click()
    await page.locator("#v1_text").fill("Two")
    await page.get_by_role("button", name="Save and review").click()
    await expect(page.locator("dl.facts")).to_contain_text("Message 1 at once, then message 2 after 1 day.")
    await context.close()


async def limits(page, other):
    """The limits of the app; a second page that knows older ones does not overwrite them unseen."""
    await page.goto(f"{base}/settings")
    await page.get_by_role("link", name="Limits").click()
    await expect(page.locator("#quiet_from")).to_be_hidden()
    await check_both(page, "limits-none")
    await other.goto(f"{base}/settings/limits")
    await page.get_by_label("Each day").check()
    await page.locator("#quiet_from").fill("03:00")
    await page.locator("#quiet_to").fill("03:00")
    await page.locator("#cap0_most").fill("50")
    await page.locator("#cap0_within").fill("31")
    await page.get_by_role("button", name="Save limits").click()
    summary = page.locator("#refusals")
    await expect(summary.get_by_role("link")).to_have_count(2)
    await check_both(page, "limits-refused")
    await summary.get_by_role("link", name="The whole day cannot be quiet").click()
    await expect(page.locator("#quiet_to")).to_be_focused()
    await page.locator("#quiet_to").fill("03:01")
    await page.locator("#cap0_within").fill("1")
    await page.get_by_role("button", name="Save limits").click()
    await expect(page.get_by_role("status")).to_contain_text(
        "Saved. Quiet hours from 03:00 to 03:01. At most 50 pushes in 1 day. No holdout. Campaigns need no approval.")
    await check_both(page, "limits")
    await other.locator("#percent").fill("1")
    await other.get_by_role("button", name="Save limits").click()
    await expect(other.locator("#refusals")).to_contain_text("Somebody else has changed these limits meanwhile")
    # What the other tests send is not to be held back.
    await page.get_by_label("None").check()
    for field in ["most", "within"]:
        await page.locator(f"#cap0_{field}").fill("")
    await page.get_by_role("button", name="Save limits").click()
    await expect(page.get_by_role("status")).to_contain_text("Saved. No quiet hours. No frequency caps. No holdout.")
    # An approval for every send would refuse those of the other jobs.
    for choice, words in [("Campaigns", "Campaigns need an approval."), ("Nothing", "Campaigns need no approval.")]:
        await page.get_by_role("radio", name=choice, exact=True).check()
        await page.get_by_role("button", name="Save limits").click()
        await expect(page.get_by_role("status")).to_contain_text(words)


async def prepare(page):
    """The audience of these tests: the devices that the Swift test has registered for them."""
    await call(page, "POST", "/v6/audiences", {"audience": {
        "name": "For kinds", "to": [{"name": "tags", "criteria": ["kinds"]}]}})
