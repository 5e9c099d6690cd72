"""The list of audiences and the builder."""

from browser import base, check, expect, given, keys, sign_in


async def build(page):
    """An audience is counted while it is built."""
    await page.goto(f"{base}/audiences")
    await page.get_by_role("link", name="New audience").click()
    await page.get_by_label("Name").fill("Readers")
    await page.get_by_label("Field").first.fill("tags")
    await page.get_by_label("Value").first.fill("news")
    await expect(page.locator("#count")).to_contain_text(f"{given['targeted']} devices")
    await check(page, "audience")
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_role("link", name="Readers", exact=True)).to_be_visible()
    await check(page, "audiences")


async def lose_session(page, context):
    """A form that is submitted without a session is restored; so is an audience that was deleted."""
    await page.goto(f"{base}/audiences/new")
    # The count comes first: its answer would set another session beside that of the form.
    async with page.expect_response(lambda response: response.request.method == "POST"):
        await page.get_by_label("Name").fill("Kept <b>")
    await context.clear_cookies()
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_text("Your input is saved")).to_be_visible()
    await check(page, "sign-in-saved-form")
    await sign_in(page, keys["admin"])
    await expect(page.get_by_role("heading", name="Signed in again")).to_be_visible()
    await check(page, "saved-form")
    await page.get_by_role("button", name="Continue editing").click()
    await expect(page.get_by_label("Name")).to_have_value("Kept <b>")
    await page.get_by_role("button", name="Save").click()
    await page.get_by_role("link", name="Kept <b>", exact=True).click()
    await page.get_by_text("Delete audience").click()
    await check(page, "audience-delete")
    await page.get_by_role("button", name="Delete", exact=True).click()
    await expect(page.get_by_role("status")).to_contain_text("was deleted")
    await check(page, "audience-deleted")
    await page.get_by_role("button", name="Undo").click()
    await expect(page.get_by_label("Name")).to_have_value("Kept <b>")
    await page.get_by_text("Delete audience").click()
    await page.get_by_role("button", name="Delete", exact=True).click()
    await expect(page.get_by_role("status")).to_contain_text("was deleted")
