"""Reports by day."""

import re

from browser import base, check, expect


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
