"""Uses the dashboard in a browser; a test in Swift starts the server and checks what was sent.

Usage: dashboard.py SERVER.json, with {"browser", "url", "keys": {role: key}, "app", "picture", "video", "device",
"gone", "off", "gone_token", "key", "wrong_key", "targeted", "keyboard_devices", "folder", "whole"}. The browser is
"chromium", which does one job on every page, and if "whole" is true all others, also by keyboard and without scripts; or
"firefox", which does most of them. It prints what is wrong, a line each, and ends with 1 then. Violations of axe, console errors, violations of the
Content-Security-Policy and pages wider than the screen are wrong too.

The tests run at the same time, each in a context of its own in one browser. Those that need another's
audience or send wait for it.
"""

import asyncio
import contextlib
import os
import pathlib
import sys
import time

sys.stderr = sys.stdout  # which the Swift test reads

import access_pages
import account_pages
import audience_pages
import campaign_kinds
import campaign_pages
import compose_pages
import device_pages
import import_pages
import keyboard
import language_pages
import message_pages
import mistakes
import navigation_pages
import report_pages
import send_pages
import settings_pages
import stored_template_pages
import template_pages
import without_script
from browser import describe, given, open_page, opened, problems
from playwright.async_api import async_playwright

is_firefox = given.get("browser") == "firefox"
is_whole = given.get("whole", False)
in_every_way = is_whole and not is_firefox


class Tests:
    """A job on every page; if the run is whole also by keyboard, without scripts, and with mistakes.

    One window of Firefox has the focus, so its tests run one after the other, each after those that it waits for.
    """

    names = ["campaign", "administration", "templates", "campaigns", "languages", "reports", "messages"]
    if is_whole:
        names += ["campaign_kinds"]
    names += ["people", "conditions", "navigation"]
    if is_whole:
        names += ["mistakes"]
    if in_every_way:
        names += ["stored_templates", "other_ways", "interruptions"]

    def __init__(self, browser, signed_in):
        self.browser, self.signed_in = browser, signed_in
        self.audience_exists, self.send_is_complete = asyncio.Event(), asyncio.Event()
        self.has_campaigns, self.campaigns_are_over = asyncio.Event(), asyncio.Event()
        self.limits_are_over = asyncio.Event()

    async def context(self, **options):
        return await self.browser.new_context(storage_state=self.signed_in, **options)

    async def page(self, **options):
        return await open_page(await self.context(**options))

    async def without_script(self):
        return await self.browser.new_context(java_script_enabled=False)

    async def campaign(self):
        """From an audience over the composer and the send to its reports."""
        context = await self.context(timezone_id="Asia/Kolkata")
        page = await open_page(context)
        await audience_pages.build(page)
        self.audience_exists.set()
        await compose_pages.write(page)
        await compose_pages.restore_draft(page)
        await compose_pages.lose_session(page, context)
        await send_pages.send(page)
        self.send_is_complete.set()
        await send_pages.read(page)
        await report_pages.read(page)
        await send_pages.refine(page)
        await access_pages.sign_out(page)

    async def administration(self):
        page = await self.page()
        await settings_pages.change(page)
        await compose_pages.new_audience(page)
        await compose_pages.upload_video(page)
        await compose_pages.publish_message(page)
        await self.send_is_complete.wait()
        await device_pages.find_and_erase(page)
        await import_pages.bring_in(page)

    async def templates(self):
        page = await self.page(timezone_id="America/New_York")
        await template_pages.write(page)
        await template_pages.mend(page)
        await template_pages.keep(page)
        await template_pages.try_out(page)
        if is_whole:
            await template_pages.every_kind(page)

    async def navigation(self):
        await navigation_pages.job(await self.page(timezone_id="Asia/Kolkata"))
        if in_every_way:
            await navigation_pages.without_script(await self.without_script())

    async def other_ways(self):
        await keyboard.whole_way(await self.browser.new_context())
        await access_pages.refused(await self.browser.new_context())
        await self.audience_exists.wait()
        await without_script.send(await self.without_script())
        await import_pages.without_script(await self.without_script())

    async def mistakes(self):
        await mistakes.two_tabs(await self.context())
        page = await self.page(timezone_id="Asia/Kolkata")
        await mistakes.past_time(page)
        await mistakes.refused_fields(page)
        await mistakes.tests(page)
        await mistakes.review(page)
        await mistakes.edit(page)
        if is_firefox:
            # Its driver does not go back to a page that the browser has kept.
            return
        await mistakes.back(page)
        await mistakes.narrow(page)
        await mistakes.save_files(page)
        await mistakes.without_script(await self.without_script())

    async def campaigns(self):
        """A test of two variants with its winner."""
        await self.audience_exists.wait()
        page = await self.page(timezone_id="Asia/Kolkata")
        await campaign_pages.with_winner(page)
        self.has_campaigns.set()
        if in_every_way:
            await campaign_pages.by_keyboard(page)
            await campaign_pages.expanded(page)
            await campaign_pages.without_script(await self.without_script())
        self.campaigns_are_over.set()

    async def messages(self):
        """In-app messages, alone and in a campaign."""
        await message_pages.job(await self.page())
        await self.has_campaigns.wait()
        await message_pages.campaign(await self.page())

    async def stored_templates(self):
        page = await self.page()
        await stored_template_pages.job(page)
        # All campaigns of the app need an approval then, and its limits have another version.
        await self.campaigns_are_over.wait()
        await self.limits_are_over.wait()
        other = await open_page(await self.browser.new_context())
        await stored_template_pages.approval(page, other)

    async def campaign_kinds(self):
        """A weekly campaign and a cart reminder."""
        await self.has_campaigns.wait()
        page = await self.page(timezone_id="Europe/Berlin")
        await campaign_kinds.prepare(page)
        await campaign_kinds.weekly(page)
        await campaign_kinds.cart(page)
        if in_every_way:
            await campaign_kinds.by_keyboard(page)
            await campaign_kinds.without_script(await self.without_script())
            await campaign_kinds.limits(page, await self.page())
        self.limits_are_over.set()

    async def languages(self):
        page = await self.page()
        await language_pages.send(page)
        await send_pages.message(page)
        if in_every_way:
            await language_pages.mistakes(await self.page())
            await language_pages.by_keyboard(await self.page())
            await language_pages.without_script(await self.without_script())

    async def people(self):
        # Its campaign would be the first one.
        await self.has_campaigns.wait()
        await account_pages.whole_way(self.browser)
        if is_whole:
            await account_pages.with_provider(self.browser)
        if in_every_way:
            await account_pages.with_passkey(self.browser)

    async def reports(self):
        page = await self.page()
        await report_pages.job(page)
        if in_every_way:
            await report_pages.empty(page)

    async def interruptions(self):
        await mistakes.unreachable(await self.context())
        await send_pages.reconnect(await self.context())
        context = await self.context()
        page = await open_page(context)
        await audience_pages.lose_session(page, context)

    async def conditions(self):
        await self.audience_exists.wait()
        await audience_pages.groups(await self.page())


async def timed(name, test, *arguments, turns=contextlib.nullcontext()):
    async with turns:
        start = time.monotonic()
        # What evaluates JavaScript or asks the API again and again has no time limit of its own.
        try:
            async with asyncio.timeout(time_limit):
                result = await test(*arguments)
        except Exception:
            await tell(name)
            raise
        print(f"{name}: {time.monotonic() - start:.1f} s")
        return result


async def tell(name):
    """Notes what the pages show while a test fails."""
    for page in opened:
        if not page.is_closed():
            with contextlib.suppress(Exception):
                text = await page.locator("main").inner_text(timeout=5000)
                shown.append(f"during {name}, {page.url} shows: {' '.join(text.split())}")


async def launch(playwright):
    if is_firefox:
        return await playwright.firefox.launch(
            channel="moz-firefox", executable_path="/usr/bin/firefox-esr", args=["--remote-allow-system-access"]
        )
    return await playwright.chromium.launch(
        executable_path="/usr/bin/chromium", args=["--no-sandbox", "--disable-dev-shm-usage"]
    )


async def main():
    if is_firefox:
        os.environ["NODE_OPTIONS"] = f'--require "{pathlib.Path(__file__).with_name("firefox.cjs")}"'
    async with async_playwright() as playwright:
        browser = await launch(playwright)
        signed_in = await timed("first_visit", access_pages.first_visit, await browser.new_context())
        tests = Tests(browser, signed_in)
        turns = asyncio.Semaphore(1 if is_firefox else len(tests.names))
        try:
            async with asyncio.TaskGroup() as group:
                for name in tests.names:
                    group.create_task(timed(name, getattr(tests, name), turns=turns))
        finally:
            await browser.close()


# Seconds for a test of these.
time_limit = 1500
# What pages showed when a test failed.
shown = []
try:
    asyncio.run(main())
except ExceptionGroup as group:
    problems += [line for error in group.exceptions for line in describe(error)]
except Exception as error:
    problems += describe(error)
for problem in problems + shown:
    print(f"problem: {problem[:400]}")
sys.exit(1 if problems else 0)
