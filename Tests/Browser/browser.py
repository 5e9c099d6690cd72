"""What the browser tests share: the server under test, checks of a page, and signing in."""

import json
import pathlib
import re
import sys
import traceback

from axe_playwright_python.base import AXE_SCRIPT
from playwright.async_api import Page, expect

given = json.loads(pathlib.Path(sys.argv[1]).read_text())
url, keys, app = given["url"], given["keys"], given["app"]
base = f"{url}/apps/{app['id']}"
# What is wrong with the pages that were checked, a line each.
problems = []
# The pages that were opened.
opened = []
# Answers that a test provokes on purpose; the browser logs each to its console.
provoked = re.compile(r"Failed to load resource: .* status of (401|403|409|415|422) ")
# Other tests may keep the processors busy. A condition that holds ends the wait at once.
timeout = 60_000
expect.set_options(timeout=timeout)


async def open_page(context) -> Page:
    """A new page whose console errors and violations of the Content-Security-Policy are problems."""
    page = await context.new_page()
    opened.append(page)
    page.set_default_timeout(timeout)
    page.on("pageerror", lambda error: problems.append(f"{page.url}: {error}"))
    page.on("console", lambda message: note(page, message))
    return page


def note(page, message):
    # The pages of a provider are not ours.
    if message.type == "error" and page.url.startswith(url) and not provoked.match(message.text):
        problems.append(f"{page.url}: {message.text}")


RUN_AXE = """async (rules) => {
  const options = { resultTypes: ["violations"], ...(rules && { runOnly: { type: "rule", values: rules } }) };
  const { violations } = await axe.run(options);
  return violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.slice(0, 3).map((node) => node.target.join(" ")).join(", ")}`);
}"""
# The dark style changes colours alone, so only these rules can find something new.
COLOUR_RULES = ["color-contrast", "link-in-text-block"]


async def check(page, name):
    """No finding of axe, light or dark, and nothing wider than the screen of a phone or a desktop."""
    if not await page.evaluate("'axe' in window"):
        await page.evaluate(AXE_SCRIPT)
    for scheme, rules in [("dark", COLOUR_RULES), ("light", None)]:
        await page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        for violation in await page.evaluate(RUN_AXE, rules):
            problems.append(f"{name}, {scheme}: {violation}")
    # A part of the page that was written as text, with the name of its type.
    if "HTML(markup" in await page.content():
        problems.append(f"{name} has markup that is written as text")
    for width in [390, 1280, 1440]:
        await page.set_viewport_size({"width": width, "height": 900})
        content = await page.evaluate("document.documentElement.scrollWidth")
        if content > width:
            problems.append(f"{name} is {content} wide on a screen of {width}")


# The height of a page with a form, at a window of 1440 × 900.
FORM_HEIGHT = 1500


async def fits(page, name):
    """A form is not higher than its limit, and its bar is low on a phone."""
    size = page.viewport_size
    await page.set_viewport_size({"width": 1440, "height": 900})
    height = await page.evaluate("document.documentElement.scrollHeight")
    print(f"{name} is {height} high")
    if height > FORM_HEIGHT:
        problems.append(f"{name} is {height} high at 1440 × 900")
    await page.set_viewport_size({"width": 390, "height": 844})
    bars = page.locator(".actions")
    bar = (await bars.bounding_box())["height"] if await bars.count() else 0
    if bar > 64:
        problems.append(f"the bar of {name} is {bar} high on a phone")
    await page.set_viewport_size(size)


# Presses of the mouse, counted over all pages of a tab: at once, since a press may lead to the next page. Playwright cancels one
# that would hit another element, since the page has moved meanwhile, and presses again. Several jobs may add it to a page.
COUNT_PRESSES = """window.countsPresses ??= addEventListener("pointerdown", (event) => {
  const count = (change) => sessionStorage.presses = Number(sessionStorage.presses ?? 0) + change;
  count(1);
  setTimeout(() => { if (event.defaultPrevented) count(-1); });
}, true) ?? true;"""


async def begin_job(page):
    """Counts the presses of the mouse from here, where the page is opened next, until `takes`."""
    await page.add_init_script(COUNT_PRESSES)
    if page.url.startswith(url):
        await page.evaluate("sessionStorage.presses = 0")


async def takes(page, name, clicks):
    """The job that people came for has taken so many presses of the mouse."""
    count = int(await page.evaluate("sessionStorage.presses ?? 0"))
    print(f"{name} takes {count} clicks")
    if count != clicks:
        problems.append(f"{name} takes {count} clicks, and not {clicks}")


async def sign_in(page, key):
    await page.get_by_label("API key").fill(key)
    await page.get_by_role("button", name="Sign in with the key").click()


async def is_home(page):
    """Somebody who has signed in is on the home page."""
    await expect(page).to_have_title("Home · Martlet")


async def preview_is_current(page):
    await page.wait_for_selector("#budget[data-current]")


# A sharp picture takes the place of the first one, and then the one that is being read is refused.
NATURAL_SIZE = """async (image) => {
  const end = performance.now() + 60000;
  for (;;) {
    try {
      await image.decode();
      return [image.naturalWidth, image.naturalHeight];
    } catch (error) {
      if (error.name !== "EncodingError" || performance.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}"""


async def natural_size(picture):
    """The width and height of a picture's file, once it is read."""
    return await picture.evaluate(NATURAL_SIZE)


async def unfold(page, words):
    """Opens a part of the form that is folded away behind a summary with these words."""
    part = page.locator("details.more", has=page.locator("summary", has_text=words)).first
    if await part.get_attribute("open") is None:
        await part.locator("summary").first.click()


async def expanded_part(page):
    """Opens the tab of the composer with the expanded notification."""
    await page.get_by_text("Expanded notification").first.click()


async def unfold_page(page, number):
    """Opens a page of the expanded notification; the first is 0."""
    row = page.locator(".page-row").nth(number)
    if await row.get_attribute("open") is None:
        await row.locator("summary").click()


def message_field(page, label):
    """A field of the composer's card "Message": buttons have a "Title" too."""
    return page.locator("#message").get_by_label(label, exact=True)


def describe(error):
    """An exception in a few lines: the lines of the test, and what was expected and found there."""
    here = pathlib.Path(__file__).parent
    # A time limit that passed says where in its cause.
    trace = traceback.extract_tb((error.__cause__ or error).__traceback__)
    frames = [frame for frame in trace if pathlib.Path(frame.filename).parent == here]
    places = [f"{pathlib.Path(frame.filename).name}:{frame.lineno}" for frame in frames]
    place = f"{', '.join(places)}: {frames[-1].line}" if frames else ""
    text = re.split(r"\n\s*(?:Call log|=+ logs)|\nAria snapshot", str(error))[0]
    lines = [line.strip() for line in text.splitlines() if line.strip()] or [type(error).__name__]
    return [line[:200] for line in [place, *lines[:4]]]
