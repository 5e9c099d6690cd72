"""Signing in and out, and pages that a key may not open."""

import compose_pages
from browser import base, begin_job, check, expect, is_home, keys, open_page, sign_in, takes, url


async def first_visit(context):
    """Signs in, and returns the session for other contexts; nothing was sent yet, and no audience exists."""
    page = await open_page(context)
    await page.goto(url)
    await expect(page).to_have_title("Sign in · Martlet")
    await check(page, "sign-in")
    await sign_in(page, "wrong")
    await expect(page.get_by_role("alert")).to_contain_text("This key is unknown")
    await begin_job(page)
    await page.goto(url)
    await sign_in(page, keys["admin"])
    await is_home(page)
    await takes(page, "signing in", 1)
    session = await context.storage_state()
    await expect(page.get_by_text("Nothing waits for a decision.")).to_be_visible()
    await check(page, "home-empty")
    await page.get_by_role("link", name="Messages", exact=True).click()
    await expect(page.get_by_text("No sends yet")).to_be_visible()
    await check(page, "sends-empty")
    await page.get_by_role("link", name="Audiences", exact=True).click()
    await expect(page.get_by_text("No audiences yet")).to_be_visible()
    await check(page, "audiences-empty")
    await page.get_by_role("link", name="Compose", exact=True).click()
    await compose_pages.measure(page)
    await context.close()
    return session


async def refused(context):
    """A section that a key may not open is an error page, which leads to one that it may."""
    page = await open_page(context)
    await page.goto(url)
    await sign_in(page, keys["push"])
    await is_home(page)
    await page.goto(f"{base}/settings")
    await expect(page.get_by_role("alert")).to_contain_text("no access to Settings")
    await check(page, "error")
    await page.get_by_role("link", name="Go to the home page").click()
    await is_home(page)
    await context.close()


async def sign_out(page):
    await page.get_by_role("button", name="Sign out").click()
    await expect(page).to_have_title("Sign in · Martlet")
    await page.goto(f"{base}/sends")
    await expect(page).to_have_title("Sign in · Martlet")
