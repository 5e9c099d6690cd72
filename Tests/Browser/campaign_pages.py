"""The pages of campaigns: the list, and one campaign from its start to its decision."""

import base64

from browser import base, check, expect, keys, url


async def decide(page):
    headers = {"Authorization": "Basic " + base64.b64encode(f"{keys['push']}:".encode()).decode()}
    await page.goto(f"{base}/sends")
    await page.get_by_role("link", name="Campaigns").click()
    await expect(page.get_by_role("heading", name="No campaigns yet")).to_be_visible()
    await check(page, "campaigns-empty")
    answer = await page.context.request.post(
        f"{url}/v6/campaigns", headers=headers,
        data={"campaign": {
            "name": "Two texts", "labels": ["test"], "to": [{"name": "device_id", "criteria": ["d5", "d6", "d7", "d8"]}],
            "variants": [
                {"key": "a", "name": "Short", "share": 50, "payload": {"alert": "Campaign A"}},
                {"key": "b", "name": "Long", "share": 50, "payload": {"alert": "Campaign B"}},
            ],
            "test": {"sample": 50}, "goals": [{"event": "bought"}],
        }},
    )
    assert answer.status == 201, await answer.text()
    await page.reload()
    await check(page, "campaigns")
    await page.get_by_role("link", name="Two texts").click()
    await expect(page.locator("#state")).to_contain_text("Nothing is sent until it starts.")
    await check(page, "campaign-draft")
    await page.get_by_role("button", name="Start").click()
    await expect(page.locator("#state")).to_contain_text("The test runs until you decide.")
    await check(page, "campaign-testing")
    await page.get_by_label("Send to the rest").select_option("Long")
    await page.get_by_role("button", name="Decide").click()
    await expect(page.get_by_text("“b” is sent to the rest")).to_be_visible()
    await check(page, "campaign-decided")
    await page.set_viewport_size({"width": 390, "height": 844})
    await check(page, "campaign-narrow")
    await page.locator("summary", has_text="End…").click()
    await page.get_by_role("button", name="End campaign").click()
    await expect(page.locator("#state")).to_contain_text("ended")
    await page.context.close()
