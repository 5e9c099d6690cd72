"""Reports by day, of a send, and of two side by side."""

import re
from datetime import datetime, timezone

from browser import base, begin_job, check, expect, takes
from campaign_pages import call, check_both


async def read(page):
    """A chart is read by pointer, by keyboard and as a table, and saved as CSV."""
    await page.goto(f"{base}/reports")
    await check(page, "reports")
    await page.goto(f"{base}/reports?days=90")
    chart = page.get_by_role("img", name="Pushes sent by day")
    readout = page.locator(".chart", has=page.locator("#pushes_sent-desc")).locator(".readout")
    await chart.hover()
    await expect(readout).to_contain_text(re.compile(r"^\d{4}-\d\d-\d\d: 0$"))
    await chart.focus()
    await page.keyboard.press("End")
    await expect(readout).to_contain_text(re.compile(r": [1-9]\d*$"))
    await page.keyboard.press("Escape")
    await expect(readout).to_be_empty()
    await page.get_by_text("Pushes sent as a table", exact=True).click()
    await expect(page.locator("#pushes_sent-desc")).to_contain_text("90 bars")
    await check(page, "reports-table")
    async with page.expect_download() as download:
        await page.get_by_role("link", name="Export days as CSV").click()
    path = await (await download.value).path()
    assert len(path.read_text().splitlines()) == 91


async def job(page):
    """The job: from the list of reports to the rates of a send, its languages, a comparison and a file."""
    await begin_job(page)
    sent = [await send(page, text) for text in ["Hello {{ custom.name | default: \"there\" }}", "Autumn is here"]]
    await opened(page, sent[0], ["l0", "l1", "l2"])
    await page.goto(f"{base}/reports")
    await page.get_by_role("link", name="Hello there", exact=True).first.click()
    await expect(page).to_have_title("Report: Hello there · Martlet")
    rates = page.get_by_role("region", name="Rates", exact=True)
    await expect(rates.get_by_role("row", name="Click-through rate").first).to_contain_text("60.0 %")
    await expect(page.get_by_role("region", name="Languages", exact=True)).to_contain_text("French")
    await check_both(page, "report")
    await same_size(page)
    async with page.expect_download() as download:
        await page.get_by_role("link", name="Export report as CSV").click()
    assert '"rates","ctr","3","5"' in (await (await download.value).path()).read_text()
    await page.get_by_label("Compare with").select_option(sent[1])
    await page.get_by_role("button", name="Compare", exact=True).click()
    table = page.get_by_role("region", name="Two sends side by side")
    await expect(table).to_contain_text("Autumn is here")
    await expect(table.get_by_role("row", name="Click-through rate")).to_contain_text("−60.0 points")
    await check_both(page, "report-comparison")
    await same_size(page)
    # The send, the file, compare.
    await takes(page, "a report, its file and a comparison", 3)
    await prints(page)


async def send(page, text):
    """Sends a text to the devices with languages, and waits until APNs has answered for all of them."""
    answer = await call(page, "POST", "/v6/notifications", {"notification": {
        "to": [{"name": "tags", "criteria": ["speakers"]}], "payload": {"alert": text}}})
    number = answer["notification"]["id"]
    while (await call(page, "GET", f"/v6/notifications/{number}"))["state"] != "complete":
        await page.wait_for_timeout(100)
    return number


async def opened(page, number, devices):
    now = datetime.now(timezone.utc).isoformat()
    await call(page, "POST", "/v6/receipts", role="device", body={"receipts": [
        {"id": f"{number}-{device}", "notification_id": number, "device_id": device, "event": "opened", "at": now}
        for device in devices]})


async def same_size(page):
    """All charts of a page have one size."""
    sizes = await page.evaluate("[...document.querySelectorAll('svg.bars')].map((svg) => svg.getBoundingClientRect().width)")
    assert len(sizes) >= 2 and max(sizes) - min(sizes) < 1, f"charts of {sizes} on {page.url}"


async def prints(page):
    """On paper a comparison has its table, and none of what is pressed."""
    await page.emulate_media(media="print")
    await expect(page.get_by_role("region", name="Two sends side by side")).to_be_visible()
    await expect(page.locator(".top")).to_be_hidden()
    await page.emulate_media(media="screen")


async def empty(page):
    """A send that waits for its time has a report that says so."""
    answer = await call(page, "POST", "/v6/notifications", {"notification": {
        "to": "*", "scheduled_at": "2100-01-01T00:00:00Z", "payload": {"alert": "Later"}}})
    number = answer["notification"]["id"]
    await page.goto(f"{base}/reports/sends/{number}")
    await expect(page.get_by_text("There is nothing to report yet")).to_be_visible()
    await check_both(page, "report-empty")
    await call(page, "DELETE", f"/v6/notifications/{number}")
