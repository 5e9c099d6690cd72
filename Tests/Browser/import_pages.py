"""The import of a file of devices: its columns, its check, and what is imported."""

from browser import base, begin_job, check, expect, fits, keys, sign_in, takes, timeout, url

columns = b"Push Token,Customer ID,plan,notes\n"
good = [b"%064x,shopper-%d,%s,-\n" % (0xabc000 + number, number, plan) for number, plan in enumerate([b"gold", b"", b"silver"])]


async def bring_in(page, check=check, counts=True):
    """A column is chosen by hand, a line is rejected, and the people are found afterwards."""
    if counts:
        await begin_job(page)
    await page.goto(f"{base}/people")
    await page.get_by_role("link", name="Import").click()
    await check(page, "import")
    await page.get_by_label("File with devices").set_input_files(
        {"name": "shoppers.csv", "mimeType": "text/csv", "buffer": columns + b"".join(good) + b"nonsense,shopper-9,,-\n"})
    await page.get_by_role("button", name="Upload and check").click()
    await expect(page.get_by_role("heading", name="shoppers.csv")).to_be_visible()
    await expect(page.get_by_text("2 columns are not imported: “plan”, “notes”")).to_be_visible()
    await page.get_by_label("plan", exact=True).select_option(label="plan (text)")
    await page.get_by_role("button", name="Check again").click()
    await expect(page.get_by_text("One column is not imported: “notes”")).to_be_visible()
    await page.get_by_text("Lines that are rejected, or imported in part (1)").click()
    await expect(page.get_by_text("must be an even number of hex digits")).to_be_visible()
    if counts:
        await fits(page, "import-checked")
    await check(page, "import-checked")
    await page.get_by_role("button", name="Import 3 devices").click()
    await expect(page.get_by_role("heading", name="Imported")).to_be_visible()
    await check(page, "imported")
    async with page.expect_download() as download:
        await page.get_by_text("Lines that are rejected, or imported in part (1)").click()
        await page.get_by_role("link", name="Download this line as CSV").click()
    lines = (await (await download.value).path()).read_text().splitlines()
    assert lines[0].startswith('"line","problem","Push Token"') and '"nonsense","shopper-9"' in lines[1], lines
    await page.get_by_role("button", name="Remove the file").click()
    await expect(page.get_by_label("File with devices")).to_be_visible()
    await page.goto(f"{base}/people?search=shopper-2")
    await page.get_by_role("link", name="shopper-2").click()
    await expect(page.get_by_role("definition").filter(has_text="silver")).to_be_visible()
    if counts:
        # Import, upload, check, the rejected lines, import, their file, remove, and a person.
        await takes(page, "an import", 9)
    await check(page, "person")


async def without_script(context):
    """The same with JavaScript off, where axe cannot run."""
    page = await context.new_page()
    page.set_default_timeout(timeout)
    await page.goto(url)
    await sign_in(page, keys["admin"])

    async def unchecked(page, name):
        pass

    await bring_in(page, unchecked, counts=False)
