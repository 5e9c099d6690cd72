"""Opens pages of the site in Chromium: accessibility, widths, the text without scripts, the search, and pictures."""
import asyncio, functools, http.server, threading

from axe_playwright_python.base import AXE_SCRIPT
from playwright.async_api import async_playwright

WIDTHS = {"phone": (390, 844), "desktop": (1280, 900)}
# What is asked of the search, and a part of the address of the page that must be among the first results.
QUESTIONS = {"extension not called": "troubleshooting", "BadDeviceToken": "", "TestPhone": "notificationhosttesting/testphone",
             "push dev": "pushdevice"}
PICTURES = ["index.html", "reference/martletkit/pushdevice.html"]
RUN_AXE = """async (rules) => {
  const options = { resultTypes: ["violations"], ...(rules && { runOnly: { type: "rule", values: rules } }) };
  const { violations } = await axe.run(options);
  const places = (nodes) => nodes.slice(0, 3).map((node) => node.target.join(" ")).join(", ");
  return violations.map(({ id, help, nodes }) => `${id}: ${help}: ${places(nodes)}`);
}"""
# The dark style changes colours alone, so only these rules can find something new.
COLOUR_RULES = ["color-contrast", "link-in-text-block"]


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    def handle_error(self, *_):  # A page that is left while it is read.
        pass


class Browser:
    def __init__(self, browser, base):
        self.browser, self.base, self.wrong = browser, base, []

    async def page(self, **options):
        """A new page, whose console and whose requests to other hosts are problems."""
        context = await self.browser.new_context(reduced_motion="reduce", **options)
        page = await context.new_page()
        page.on("console", lambda message: message.type == "error" and self.wrong.append(f"{page.url}: {message.text}"))
        page.on("pageerror", lambda error: self.wrong.append(f"{page.url}: {error}"))
        page.on("request", lambda request: request.url.startswith(self.base)
                or self.wrong.append(f"{page.url} asks for {request.url}"))
        return page

    async def inspect(self, names):
        """axe and the width of each page, and its text with and without scripts."""
        page, plain = await self.page(), await self.page(java_script_enabled=False)
        while names:
            name = names.pop()
            await page.goto(self.base + name)
            await page.wait_for_selector(".find input")
            await page.evaluate(AXE_SCRIPT)
            for width, height in WIDTHS.values():
                await page.set_viewport_size({"width": width, "height": height})
                content = await page.evaluate("document.documentElement.scrollWidth")
                if content > width:
                    self.wrong.append(f"{name} is {content} wide on a screen of {width}")
                for scheme, rules in [("dark", COLOUR_RULES), ("light", None)]:
                    await page.emulate_media(color_scheme=scheme)
                    self.wrong += [f"{name}, {width}, {scheme}: {violation}" for violation in await page.evaluate(RUN_AXE, rules)]
            await plain.goto(self.base + name)
            if await plain.inner_text("main") != await page.inner_text("main") or not (await plain.inner_text("main")).strip():
                self.wrong.append(f"{name} has another text without scripts")
            if not await plain.get_by_role("link", name="All headings").count():
                self.wrong.append(f"{name} has no link to all headings without scripts")
        await page.context.close()
        await plain.context.close()

    async def search(self):
        """The search by keyboard: what it finds, how it says so, and that Enter and the arrows lead to the page."""
        page = await self.page(viewport={"width": 1280, "height": 900})
        for question, expected in QUESTIONS.items():
            await page.goto(self.base + "server/index.html")
            await page.keyboard.press("/")
            await page.keyboard.type(question)
            await page.wait_for_selector("[aria-live] ol a")
            addresses = await page.eval_on_selector_all("[aria-live] ol a", "links => links.map(link => link.pathname)")
            if not any(expected in address for address in addresses[:3]):
                self.wrong.append(f'the search for "{question}" finds {addresses[:3]}, and not {expected}')
            await page.keyboard.press("ArrowDown")
            await page.evaluate(AXE_SCRIPT)
            self.wrong += [f'the search for "{question}": {violation}' for violation in await page.evaluate(RUN_AXE, None)]
            await page.keyboard.press("Enter")
            await page.wait_for_url(lambda url, found=addresses[0]: found in url)
            print(f'site: "{question}" leads to {page.url.removeprefix(self.base)}')
        await page.context.close()

    async def menu(self):
        """The page list of a phone, which opens without scripts."""
        page = await self.page(viewport={"width": 390, "height": 844}, java_script_enabled=False)
        await page.goto(self.base + PICTURES[1])
        await page.get_by_role("button", name="Menu").click()
        await page.get_by_role("navigation", name="Pages").get_by_role("link", name="Server", exact=True).click()
        await page.wait_for_url(self.base + "server/**")
        await page.context.close()

    async def pictures(self, folder):
        folder.mkdir(parents=True, exist_ok=True)
        for name, (width, height) in WIDTHS.items():
            for scheme in ["light", "dark"]:
                page = await self.page(viewport={"width": width, "height": height}, color_scheme=scheme)
                for path in PICTURES:
                    await page.goto(self.base + path)
                    await page.wait_for_selector(".find input")
                    await page.screenshot(path=folder / f"{path.rpartition('/')[2].removesuffix('.html')}-{scheme}-{name}.png")
                await page.context.close()


async def check(site, names, pictures):
    """What is wrong with the pages of these names, a line each."""
    server = Server(("127.0.0.1", 0), functools.partial(Quiet, directory=site))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    async with async_playwright() as playwright:
        chromium = await playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox", "--disable-dev-shm-usage"])
        browser, left = Browser(chromium, f"http://127.0.0.1:{server.server_port}/"), list(reversed(names))
        await asyncio.gather(browser.inspect(left), browser.inspect(left))
        await browser.search()
        await browser.menu()
        if pictures:
            await browser.pictures(pictures)
        await chromium.close()
    server.shutdown()
    return browser.wrong
