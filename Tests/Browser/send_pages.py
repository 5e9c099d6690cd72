"""Sending, the page of a send with its progress and delivery problems, and why somebody did not get it."""

from browser import app, base, begin_job, check, expect, fits, given, message_field, preview_is_current, takes, timeout, unfold
from proxy import Proxy


async def send(page):
    """The composed notification is sent, and its progress followed to the end."""
    await page.get_by_label("Audience", exact=True).select_option(label="Readers")
    await unfold(page, "Expiry")
    await page.get_by_label("Rate limit").fill("20")
    await page.get_by_role("button", name="Review and send").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text(f"Send to {given['targeted']} devices?")
    await check(page, "review")
    await page.get_by_role("button", name="Send now").click()
    await expect(page.locator("#progress")).to_be_visible()
    await page.wait_for_selector("#watch[data-over]")
    await expect(page.locator('[data-count="sent"]')).to_have_text(str(given["targeted"] - 1))
    await expect(page.locator("#failures")).to_contain_text("Unregistered")
    await expect(page.locator(".tag.good")).to_have_text("complete")
    await check(page, "send")


async def message(page):
    """The job: a title and a body to an audience, and nothing else."""
    await begin_job(page)
    await page.goto(f"{base}/compose")
    await page.get_by_label("Audience", exact=True).select_option(label="Speakers")
    await message_field(page, "Title").fill("Closed on Monday")
    await message_field(page, "Body").fill("We are back on Tuesday.")
    await preview_is_current(page)
    await fits(page, "compose-plain")
    await page.get_by_role("button", name="Review and send").click()
    await page.get_by_role("button", name="Send now").click()
    await expect(page.get_by_role("heading", name="Closed on Monday")).to_be_visible()
    # Review, send.
    await takes(page, "a message to an audience", 2)


async def read(page):
    """It is asked why somebody did not get it, the send is duplicated, and its report is read."""
    sent = page.url
    await ask_why(page, given["device"])
    await expect(page.locator(".verdict")).to_contain_text("No cause is known")
    await expect(page.locator("ol.trace").first).to_contain_text("apns-id")
    await times_are_local(page, 3)
    await check(page, "why")
    await ask_why(page, given["off"])
    await expect(page.locator(".verdict")).to_contain_text("Cause found")
    await check(page, "why-left-out")
    await ask_why(page, "nobody at all")
    await expect(page.get_by_role("status")).to_contain_text("Nobody is found")
    await check(page, "why-nobody")
    await page.goto(sent)
    await page.get_by_role("link", name="Duplicate").click()
    await expect(page.get_by_role("group", name="Button 1").get_by_label("Title")).to_have_value("Read it")
    await expect(page.get_by_label("Subtitle")).to_have_value("Kept")
    await expect(page.get_by_label("Audience", exact=True)).to_contain_text("Readers")
    await page.go_back()
    await page.get_by_role("link", name="Report", exact=True).click()
    await expect(page.get_by_role("link", name="View send")).to_be_visible()
    await check(page, "send-report")
    await times_are_local(page)
    await page.get_by_role("link", name="Messages", exact=True).click()
    await check(page, "sends")
    await page.get_by_role("link", name="Live Activities").click()
    await check(page, "activities-empty")
    await page.get_by_role("link", name="Sends", exact=True).first.click()
    # The draft was sent, so the composer is empty.
    await page.get_by_role("link", name="Compose", exact=True).first.click()
    await expect(message_field(page, "Title")).to_have_value("")


async def ask_why(page, who):
    """From the page of a send, or from an answer, to the answer about somebody."""
    await page.get_by_label("Who did not get it?").fill(who)
    await page.get_by_role("button", name="Find out why").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Why was it not shown?")


async def times_are_local(page, least=6):
    """Every time of the page is in the viewer's time zone, those of charts too."""
    local = await page.evaluate(
        """() => [...document.querySelectorAll("main time, main svg text[data-time]")].map((element) => {
          const date = new Date(element.dateTime ?? element.dataset.time);
          const hour = date.toLocaleTimeString(undefined, { timeStyle: "seconds" in element.dataset ? "medium" : "short" });
          return element.textContent.includes(hour) && !element.textContent.includes("UTC");
        })"""
    )
    assert len(local) >= least and all(local), local


async def reconnect(context):
    """The server is unreachable while a send is watched, and comes back."""
    proxy = Proxy()
    await proxy.start()
    page = await context.new_page()  # not open_page: the console reports the cut connection
    page.set_default_timeout(timeout)
    await page.goto(f"http://127.0.0.1:{proxy.port}/apps/{app['id']}/compose?to=*")
    await message_field(page, "Body").fill("Later")
    await page.get_by_label("Send at").fill("2099-01-01T10:00")
    await page.get_by_role("button", name="Review and send").click()
    await page.get_by_label("to confirm").fill(app["name"])
    await page.get_by_role("button", name="Schedule", exact=True).click()
    await expect(page.locator(".tag.wait")).to_have_text("scheduled")
    note = page.locator("#connection")
    await expect(note).to_be_hidden()
    proxy.stop()
    await expect(note).to_contain_text("Cannot reach the server")
    await check(page, "send-unreachable")
    await proxy.start()
    await expect(note).to_be_hidden()
    await page.get_by_role("button", name="Pause").click()
    await expect(page.locator(".tag.wait")).to_have_text("paused")
    await page.get_by_text("Cancel…").click()
    await page.get_by_role("button", name="Cancel send").click()
    await page.wait_for_selector("#watch[data-over]")
    await context.close()
    proxy.stop()


async def refine(page):
    """A send with a name and labels that leaves an audience out; it is found by them, and sent again to who did not open it."""
    await page.goto(f"{base}/compose?to=*")
    await message_field(page, "Title").fill("Refined")
    await page.locator("summary", has_text="Include or leave out more audiences").click()
    await page.get_by_role("group", name="Leave out").get_by_label("Readers").check()
    await unfold(page, "Expiry")
    await page.get_by_label("Name", exact=True).fill("Named by the team")
    await page.get_by_label("Labels").fill("autumn, sale")
    await preview_is_current(page)
    await check(page, "compose-refined")
    await page.get_by_role("button", name="Review and send").click()
    facts = page.locator("dl.facts")
    await expect(facts).to_contain_text("without “Readers”")
    await expect(facts).to_contain_text("Named by the team")
    await page.get_by_label("to confirm").fill(app["name"])
    await page.get_by_role("button", name="Send now").click()
    await page.wait_for_selector("#watch[data-over]")
    sent = page.url.split("?")[0]
    await page.goto(f"{base}/sends")
    search = page.get_by_role("search")
    await search.get_by_label("Name, label, title or text").fill("team autu")
    await search.get_by_label("Status").select_option("complete")
    await search.get_by_role("button", name="Search").click()
    await expect(page.get_by_role("table").get_by_role("link", name="Named by the team")).to_have_count(1)
    await check(page, "sends-found")
    await page.get_by_label("Name, label, title or text").fill("nowhere")
    await page.get_by_role("button", name="Search").click()
    await expect(page.get_by_text("No send matches.")).to_be_visible()
    await check(page, "sends-nothing")
    await page.goto(sent)
    await page.get_by_role("link", name="Resend to who did not open").click()
    await expect(page.get_by_label("Audience", exact=True)).to_contain_text("and did not open it")
    await page.get_by_role("button", name="Review and send").click()
    await expect(facts).to_contain_text("Devices that received “Refined” and did not open it")
