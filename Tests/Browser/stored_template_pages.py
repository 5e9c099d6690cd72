"""Templates with versions, and a campaign from one that a second key approves."""

from browser import base, begin_job, expect, fits, keys, message_field, sign_in, takes, url
from campaign_pages import call, check_both


async def job(page):
    """Writes a template and its second version, and starts a message from the first one."""
    await begin_job(page)
    await page.goto(f"{base}/compose/templates")
    await check_both(page, "templates-empty")
    await page.get_by_role("link", name="New template").first.click()
    await check_both(page, "template-new")
    await page.get_by_role("button", name="Save version 1").click()
    await expect(page.locator("#refusals")).to_be_focused()
    await check_both(page, "template-refused")
    await page.get_by_label("Name of the template").fill("welcome")
    await message_field(page, "Title").fill("Welcome")
    await message_field(page, "Body").fill("Good to have you here.")
    await fits(page, "template-new")
    await page.get_by_role("button", name="Save version 1").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("welcome")
    await page.get_by_role("link", name="Edit", exact=True).click()
    await message_field(page, "Body").fill("Good to see you.")
    await page.get_by_role("button", name="Save version 2").click()
    await expect(page.get_by_role("status").first).to_contain_text("Version 2, saved")
    await page.get_by_role("link", name="Version 1").click()
    await expect(page.get_by_text("The newest is")).to_be_visible()
    await check_both(page, "template")
    await page.get_by_role("link", name="Compose from it").click()
    await expect(message_field(page, "Body")).to_have_value("Good to have you here.")
    # New, save twice, edit, save, version 1, compose.
    await takes(page, "a template with two versions", 7)
    await page.goto(f"{base}/compose/templates")
    await check_both(page, "stored-templates")


async def approval(page, other):
    """Writes a campaign from a template, which the key of `other` approves; `page` has an admin's key."""
    await other.goto(url)
    await sign_in(other, keys["push"])
    await require(page, "required")
    await other.goto(f"{base}/sends/campaigns/new")
    await other.get_by_label("Name", exact=True).fill("From a template")
    await other.locator("#to").select_option(label="Readers")
    await other.locator("#v0_choice").select_option("welcome")
    await other.get_by_role("button", name="Use this template for Variant A").click()
    await other.get_by_role("button", name="Remove Variant B").click()
    await other.locator("[name=mode][value=all]").check()
    await other.locator("#v0_share").fill("100")
    await other.get_by_role("button", name="Save and review").click()
    await expect(other.get_by_text("Template welcome@2")).to_be_visible()
    await other.get_by_role("button", name="Submit for approval").click()
    await expect(other.locator("#approval")).to_contain_text("It waits for approval.")
    await check_both(other, "campaign-submitted")
    await page.goto(other.url)
    await page.locator("summary", has_text="Reject…").click()
    await page.get_by_label("Reason, for the author").fill("Say which stores.")
    await check_both(page, "campaign-rejecting")
    await page.get_by_role("button", name="Reject", exact=True).click()
    await other.reload()
    await expect(other.locator("blockquote")).to_have_text("Say which stores.")
    await other.get_by_role("button", name="Submit for approval").click()
    await page.reload()
    await page.get_by_role("button", name="Approve").click()
    await expect(page.locator("#approval")).to_contain_text("Approved by you")
    await check_both(page, "campaign-approved")
    await other.reload()
    await other.get_by_role("button", name="Start campaign").click()
    await expect(other.locator("#state")).to_contain_text("live")
    await require(page, "none")


async def require(page, approval):
    await call(page, "PUT", "/v6/limits", {"limits": {"approval": approval}}, role="admin")
