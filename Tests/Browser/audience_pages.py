"""The list of audiences and the builder."""

from browser import base, begin_job, check, expect, fits, given, keys, message_field, preview_is_current, sign_in, takes


# The devices with the tag "kinds", which no job erases.
KINDS = 2


async def build(page):
    """An audience is counted while it is built."""
    await begin_job(page)
    await page.goto(f"{base}/audiences")
    await page.get_by_role("link", name="New audience").click()
    await page.get_by_label("Name").fill("Readers")
    await page.get_by_label("Field, condition 1 of all").select_option(label="Tags")
    await page.get_by_label("Value, condition 1 of all").fill("news")
    await expect(page.locator("#count")).to_contain_text(f"{given['targeted']} devices match")
    await fits(page, "audience")
    await check(page, "audience")
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_role("link", name="Readers", exact=True)).to_be_visible()
    # New audience, save.
    await takes(page, "an audience", 2)
    await check(page, "audiences")


async def groups(page):
    """Alternatives, exclusions, values to choose from and conditions that nobody meets; the same in Compose."""
    await begin_job(page)
    await page.goto(f"{base}/audiences/new")
    await page.get_by_label("Name").fill("Groups")
    await page.get_by_label("Field, condition 1 of all").select_option(label="Last opened")
    comparison = page.get_by_label("Comparison, condition 1 of all")
    await expect(comparison).to_contain_text("is in the last")
    await comparison.select_option(label="is not in the last")
    await page.get_by_label("Amount, condition 1 of all").fill("36500")
    await expect(page.locator("#count")).to_contain_text("match")
    await page.get_by_role("button", name="Add group of conditions as an alternative").click()
    await expect(page.locator("#who_any0_0_field")).to_be_focused()
    await page.locator("#who_any0_0_field").select_option(label="Tags")
    await page.locator("#who_any0_0_value").fill("news")
    await page.get_by_role("button", name="Add group of conditions as an alternative").click()
    await page.locator("#who_any1_0_field").select_option(label="Tags")
    await page.locator("#who_any1_0_value").fill("kinds")
    await page.get_by_role("button", name="Add audience to leave out").click()
    await expect(page.locator("#who_except0_audience")).to_be_focused()
    await page.locator("#who_except0_audience").select_option(label="Readers")
    await expect(page.locator("#count")).to_contain_text(f"{KINDS} devices match")
    await page.get_by_role("button", name="Add condition to group 2").click()
    await page.locator("#who_any1_1_field").select_option(label="Platform")
    listed = page.locator("#who_any1_1_list option")
    await expect(listed.first).to_have_attribute("value", "iOS")
    await page.locator("#who_any1_1_value").fill("iOs")
    await expect(page.locator("#count")).to_contain_text("No device matches “Platform is iOs”")
    await fits(page, "audience-groups")
    await check(page, "audience-groups")
    await page.get_by_role("button", name="Remove condition 2 of group 2").click()
    await expect(page.locator("#count")).to_contain_text(f"{KINDS} devices match")
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_role("table")).to_contain_text("or Tags include kinds, but not in “Readers”")
    # Two groups, an audience to leave out, a condition more and less, save.
    await takes(page, "conditions in groups", 6)
    await page.get_by_role("link", name="Groups", exact=True).click()
    await expect(page.locator("#who_any1_0_value")).to_have_value("kinds")
    await page.goto(f"{base}/compose")
    await expect(page.locator("#who_all_0_field")).to_be_hidden()
    await page.locator("#to").select_option(label="Devices that match conditions…")
    await page.locator("#who_all_0_field").select_option(label="Tags")
    await page.locator("#who_all_0_value").fill("kinds")
    await expect(page.locator("#count")).to_contain_text(f"{KINDS} devices match")
    await message_field(page, "Title").fill("By conditions")
    await preview_is_current(page)
    await check(page, "compose-conditions")
    await page.get_by_role("button", name="Review and send").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text(f"Send to {KINDS} devices?")
    await expect(page.locator("dl.facts")).to_contain_text("Tags include kinds")


async def without_script(page):
    """The buttons of the builder submit the form, which comes back with the change."""
    await page.goto(f"{base}/audiences/new")
    await page.get_by_label("Name").fill("No script")
    await page.get_by_label("Field, condition 1 of all").select_option(label="Tags")
    await page.get_by_role("button", name="Update the menus").click()
    await page.get_by_label("Value, condition 1 of all").fill("kinds")
    await page.get_by_role("button", name="Add group of conditions to leave out").click()
    await expect(page.locator("#who_except0_0_field")).to_be_focused()
    await page.locator("#who_except0_0_field").select_option(label="Tags")
    await page.get_by_role("button", name="Save").click()
    await page.get_by_role("link", name="Tags: Enter a value.").click()
    await expect(page.locator("#who_except0_0_value")).to_be_focused()
    await page.locator("#who_except0_0_value").fill("keyboard")
    await page.get_by_role("button", name="Count").last.click()
    await expect(page.locator("#count")).to_contain_text(f"{KINDS} devices match")
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_role("table")).to_contain_text("Tags include kinds, but not Tags include keyboard")


async def lose_session(page, context):
    """A form that is submitted without a session is restored; so is an audience that was deleted."""
    await page.goto(f"{base}/audiences/new")
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
