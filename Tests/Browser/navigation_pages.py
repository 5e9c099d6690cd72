"""The navigation on a phone, the help, the home page and the calendar."""

from datetime import datetime, timedelta, timezone

from browser import base, begin_job, check, expect, keys, sign_in, takes, timeout, url
from campaign_pages import call


async def job(page):
    await menu(page)
    await help_of_page(page)
    await calendar(page)


async def menu(page):
    """A phone has a menu with all sections, which Escape closes; Compose and Help stand beside it."""
    await page.set_viewport_size({"width": 390, "height": 844})
    await page.goto(f"{base}/home")
    sections = page.get_by_role("navigation", name="Sections")
    await expect(sections).to_be_hidden()
    await page.get_by_role("button", name="Menu").click()
    for name in ["Home", "Messages", "Audiences", "People", "Reports", "Settings"]:
        await expect(sections.get_by_role("link", name=name, exact=True)).to_be_visible()
    await expect(page.get_by_role("button", name="Sign out")).to_be_visible()
    await page.keyboard.press("Escape")
    await expect(sections).to_be_hidden()
    for name in ["Compose", "Help"]:
        await expect(page.get_by_role("link", name=name, exact=True).first).to_be_in_viewport()
    await page.get_by_role("button", name="Menu").click()
    await sections.get_by_role("link", name="Messages", exact=True).click()
    tabs = page.get_by_role("navigation", name="Messages")
    for name in ["Sends", "Campaigns", "In-app messages", "Live Activities", "Templates", "Calendar"]:
        await expect(tabs.get_by_role("link", name=name, exact=True)).to_be_in_viewport()
    await page.set_viewport_size({"width": 1440, "height": 900})


async def help_of_page(page):
    await page.goto(f"{base}/sends/campaigns")
    await page.get_by_role("link", name="Help", exact=True).click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Help: Campaigns")
    await check(page, "help")


async def calendar(page):
    """A send is on the day of the viewer's time zone; its month and its week lead to it, and so does the home page."""
    # 20:00 in UTC is the next day in Kolkata.
    day = (datetime.now(timezone.utc) + timedelta(days=40)).replace(day=14, hour=20, minute=0, second=0, microsecond=0)
    await call(page, "POST", "/v6/notifications", {"notification": {
        "to": {"all": [{"name": "tags", "criteria": ["kinds"]}]}, "payload": {"alert": "On its day"},
        "scheduled_at": day.strftime("%Y-%m-%dT%H:%M:%SZ")}})
    local = (day + timedelta(days=1)).strftime("%Y-%m-%d")
    for view in ["month", "week"]:
        await page.goto(f"{base}/sends/calendar?view={view}&day={local}")
        cell = page.locator(f'[data-day="{local}"]')
        await expect(cell.get_by_role("link", name="On its day")).to_be_visible()
        await expect(page.locator("#calendar-zone")).to_contain_text("Asia/")
        await check(page, f"calendar-{view}")
    await begin_job(page)
    await page.get_by_role("link", name="Next").click()
    await expect(page.get_by_role("link", name="On its day")).to_have_count(0)
    await page.get_by_role("link", name="Previous").click()
    await page.get_by_role("link", name="On its day").click()
    await expect(page.locator(".tag.wait")).to_have_text("scheduled")
    await page.goto(f"{base}/home")
    await page.get_by_role("link", name="On its day").click()
    await page.get_by_text("Cancel…").click()
    await page.get_by_role("button", name="Cancel send").click()
    await page.wait_for_selector("#watch[data-over]")
    # From the next page on: a week back, the send, and from the home page the send, its menu and its end.
    await takes(page, "a send of the calendar, canceled", 5)
    await page.goto(f"{base}/home")
    await check(page, "home")


async def without_script(context):
    """The menu and the calendar work with JavaScript off, the calendar in UTC."""
    page = await context.new_page()
    page.set_default_timeout(timeout)
    await page.set_viewport_size({"width": 390, "height": 844})
    await page.goto(url)
    await sign_in(page, keys["push"])
    await page.get_by_role("button", name="Menu").click()
    await page.get_by_role("link", name="Messages", exact=True).click()
    await page.get_by_role("link", name="Calendar", exact=True).click()
    await expect(page.get_by_text("Days and times are in UTC.")).to_be_visible()
    await page.get_by_role("link", name="Week", exact=True).click()
    await expect(page.get_by_role("heading", level=1)).to_contain_text("Week of")
    await context.close()
