"""People: an invitation, signing in with a password and a code, sessions, and the approval of a campaign."""

import base64
import hashlib
import hmac
import re
import struct
import time

from browser import base, begin_job, check, expect, is_home, keys, open_page, sign_in, takes, url

PASSWORD = "four quite new words"


async def invite(page, email, role, name):
    """The path of an invitation link, which the page shows once."""
    await page.goto(f"{base}/settings/people")
    invitation = page.locator("details.card", has_text="Invite a person")
    if await invitation.get_attribute("open") is None:
        await invitation.locator("summary").click()
    await invitation.get_by_label("Email").fill(email)
    await invitation.get_by_label("Name").fill(name)
    await invitation.get_by_label("Role").select_option(role)
    await page.get_by_role("button", name="Make invitation link").click()
    link = page.get_by_label(f"Invitation for {email}")
    await expect(link).to_be_visible()
    await check(page, f"people-{role}")
    return re.sub("^https?://[^/]+", "", await link.input_value())


async def join(page, link, name, email):
    """Chooses a password on the page of a link, and signs in."""
    await page.goto(url.rstrip("/") + link)
    await expect(page.get_by_role("heading", name="Welcome")).to_be_visible()
    await check(page, "invitation")
    await page.get_by_label("Your name").fill(name)
    await page.get_by_label("Password", exact=True).fill(PASSWORD)
    await page.get_by_label("Password, once more").fill("another password")
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_role("alert")).to_contain_text("The two passwords differ.")
    await check(page, "invitation-refused")
    await page.get_by_label("Password", exact=True).fill(PASSWORD)
    await page.get_by_label("Password, once more").fill(PASSWORD)
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_role("status")).to_contain_text("Your password is set.")
    await check(page, "sign-in-welcome")
    await enter_password(page, email)


async def enter_password(page, email, password=PASSWORD):
    await page.get_by_label("Email").fill(email)
    await page.get_by_label("Password", exact=True).fill(password)
    await page.get_by_role("button", name="Sign in", exact=True).click()


def code(secret, steps=0):
    """The one-time password of RFC 6238, some steps from now.

    The server takes one step before and after its own, so the code of this step or the next one is taken even if
    a step ends before the form arrives. The code of the step before is not.
    """
    counter = struct.pack(">Q", int(time.time()) // 30 + steps)
    digest = hmac.new(base64.b32decode(secret), counter, hashlib.sha1).digest()
    start = digest[19] & 15
    return f"{(struct.unpack('>I', digest[start:start + 4])[0] & 0x7FFFFFFF) % 1_000_000:06}"


async def second_factor(page, email):
    """Sets up an app, signs in with its code, and ends another session."""
    await page.get_by_role("link", name="Your account: ").click()
    await expect(page.get_by_role("heading", name="Your account")).to_be_visible()
    await check(page, "account")
    await page.get_by_text("Set up an authenticator app").click()
    await page.locator("#current-set-up").fill(PASSWORD)
    await page.get_by_role("button", name="Set up").click()
    await expect(page.get_by_role("heading", name="Set up an authenticator app")).to_be_visible()
    await expect(page.get_by_role("img", name="QR code of the key below")).to_be_visible()
    await check(page, "second-factor")
    secret = (await page.locator("#secret").inner_text()).replace(" ", "")
    await page.get_by_label("Code", exact=True).fill(code(secret))
    await page.get_by_role("button", name="Turn on").click()
    await expect(page.get_by_role("heading", name="Keep your recovery codes")).to_be_visible()
    await expect(page.get_by_role("listitem")).to_have_count(10)
    await check(page, "recovery-codes")
    await page.get_by_role("link", name="I have kept them").click()
    await page.get_by_role("button", name="Sign out").click()
    await enter_password(page, email, "wrong wrong wrong")
    await expect(page.get_by_role("alert")).to_contain_text("The email address or the password is wrong.")
    await check(page, "sign-in-refused")
    await enter_password(page, email)
    await expect(page.get_by_role("heading", name="Enter your code")).to_be_visible()
    await check(page, "code")
    await page.get_by_label("Code", exact=True).fill("000000")
    await page.get_by_role("button", name="Sign in").click()
    await expect(page.get_by_role("alert")).to_contain_text("The code is wrong")
    await page.get_by_label("Code", exact=True).fill(code(secret, 1))
    await page.get_by_role("button", name="Sign in").click()
    await is_home(page)


async def whole_way(browser):
    """An admin invites an author and an approver; the author submits a campaign, and the approver starts it."""
    context = await browser.new_context()
    admin = await open_page(context)
    await admin.goto(url)
    await sign_in(admin, keys["admin"])
    await is_home(admin)
    await admin.goto(f"{base}/settings/people")
    await expect(admin.get_by_text("Nobody yet")).to_be_visible()
    await check(admin, "people-empty")
    await begin_job(admin)
    author_link = await invite(admin, "ada@example.com", "author", "Ada Lovelace")
    # The card is open while nobody is invited.
    await takes(admin, "an invitation", 1)
    approver_link = await invite(admin, "grace@example.com", "approver", "")

    # Without scripts, as all pages work.
    author = await open_page(await browser.new_context(java_script_enabled=False))
    await author.goto(url.rstrip("/") + author_link)
    await author.get_by_label("Password", exact=True).fill(PASSWORD)
    await author.get_by_label("Password, once more").fill(PASSWORD)
    await author.get_by_role("button", name="Save").click()
    await enter_password(author, "ada@example.com")
    await is_home(author)
    await author.get_by_role("link", name="Compose", exact=True).first.click()
    await expect(author.get_by_role("heading", name="Compose")).to_be_visible()
    await expect(author.get_by_role("button", name="Review and send…")).to_have_count(0)
    await expect(author.get_by_role("link", name="Settings")).to_have_count(0)
    await author.goto(f"{base}/sends/campaigns/new")
    await author.get_by_label("Name", exact=True).fill("For approval")
    await author.locator("#to").select_option(label="For variants")
    await author.locator("#v0_text").fill("One")
    await author.locator("#v1_text").fill("Two")
    await author.get_by_text("The variants to everyone at once").click()
    await author.get_by_role("button", name="Save and review").click()
    await author.get_by_role("button", name="Submit for approval").click()
    await expect(author.get_by_text("Submitted by you")).to_be_visible()
    campaign = author.url

    approver = await open_page(await browser.new_context())
    await join(approver, approver_link, "Grace Hopper", "grace@example.com")
    await second_factor(approver, "grace@example.com")
    await approver.goto(campaign)
    await expect(approver.get_by_text("Submitted by Ada Lovelace")).to_be_visible()
    await check(approver, "campaign-submitted")
    await approver.locator("summary", has_text="Reject…").click()
    await approver.get_by_label("Reason, for the author").fill("Too many words")
    await approver.get_by_role("button", name="Reject", exact=True).click()
    await expect(approver.get_by_text("Rejected by you")).to_be_visible()

    await admin.goto(f"{base}/settings/people")
    await admin.locator("summary", has_text="Change ada@example.com").click()
    await check(admin, "people-change")
    await admin.get_by_role("button", name="End sessions").click()
    await expect(admin.get_by_role("status")).to_contain_text("was signed out of 1 sessions")
    await author.goto(f"{base}/sends")
    await expect(author).to_have_title("Sign in · Martlet")
    await admin.goto(f"{base}/settings/audit")
    await expect(admin.get_by_role("table")).to_contain_text("Grace Hopper")
    await check(admin, "audit-people")
    await approver.goto(url.rstrip("/") + "/account")
    await check(approver, "account-second-factor")


async def with_provider(browser):
    """People sign in at an OpenID provider: by their address, by a link, and not at all."""
    context = await browser.new_context()
    admin = await open_page(context)
    await admin.goto(url)
    await sign_in(admin, keys["admin"])
    await is_home(admin)
    await invite(admin, "barbara@example.com", "viewer", "")
    link = await invite(admin, "margaret@example.com", "author", "")

    person = await open_page(await browser.new_context())
    # The address is kept over the way through the provider.
    await person.goto(f"{base}/reports")
    await check(person, "sign-in-provider")
    await person.get_by_role("button", name="Sign in with Example ID").click()
    await person.get_by_role("button", name="Deny").click()
    await expect(person.get_by_role("alert")).to_contain_text("You were not signed in")
    await check(person, "sign-in-provider-refused")
    await person.get_by_role("button", name="Sign in with Example ID").click()
    await person.get_by_role("button", name="barbara").click()
    await expect(person.get_by_role("heading", name="Reports")).to_be_visible()
    await person.get_by_role("link", name="Barbara Liskov").click()
    await expect(person.get_by_text("You can sign in with it.")).to_be_visible()
    await check(person, "account-provider")
    await person.get_by_role("button", name="Sign out").click()
    await expect(person).to_have_title("Sign in · Martlet")

    # Without scripts, and with an address that the provider does not name.
    other = await open_page(await browser.new_context(java_script_enabled=False))
    await other.goto(url.rstrip("/") + "/sign-in")
    await other.get_by_role("button", name="Sign in with Example ID").click()
    await other.get_by_role("button", name="margaret").click()
    await expect(other.get_by_role("alert")).to_contain_text("nobody has invited you here")
    await other.goto(url.rstrip("/") + link)
    await other.get_by_role("button", name="Sign in with Example ID").click()
    await other.get_by_role("button", name="margaret").click()
    await is_home(other)
    await admin.goto(f"{base}/settings/people")
    await expect(admin.get_by_role("row", name="Margaret Hamilton")).not_to_contain_text("invited")


async def with_passkey(browser):
    """A person adds a passkey, signs in with it, and removes it. The authenticator is Chromium's own."""
    context = await browser.new_context()
    admin = await open_page(context)
    await admin.goto(url)
    await sign_in(admin, keys["admin"])
    await is_home(admin)
    link = await invite(admin, "katherine@example.com", "author", "Katherine Johnson")
    page = await open_page(await browser.new_context())
    # A number of an address has no passkeys.
    await join(page, link, "Katherine Johnson", "katherine@example.com")
    await page.get_by_role("link", name="Your account: ").click()
    await expect(page.get_by_role("heading", name="Sessions")).to_be_visible()
    await expect(page.get_by_role("heading", name="Passkeys")).to_have_count(0)

    named = url.replace("127.0.0.1", "localhost").rstrip("/")
    debugger = await page.context.new_cdp_session(page)
    await debugger.send("WebAuthn.enable")
    device = await debugger.send("WebAuthn.addVirtualAuthenticator", {"options": {
        "protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True,
        "isUserVerified": True, "automaticPresenceSimulation": True}})
    await page.goto(f"{named}/sign-in")
    await page.get_by_role("button", name="Sign in with a passkey").click()
    await expect(page.get_by_role("alert")).to_contain_text("No passkey was used.")
    await check(page, "sign-in-passkey")
    await enter_password(page, "katherine@example.com")
    await is_home(page)
    await page.goto(f"{named}/account")
    for name in ["This computer", "Twice"]:
        await page.locator("summary", has_text="Add a passkey").click()
        await page.locator("#current-passkey").fill(PASSWORD)
        await page.get_by_role("button", name="Add a passkey").click()
        await page.get_by_label("Name", exact=True).fill(name)
        await check(page, "passkey-new")
        await page.get_by_role("button", name="Continue").click()
        if name == "Twice":
            await expect(page.get_by_role("alert")).to_contain_text("This device has a passkey")
            await page.get_by_role("link", name="Cancel").click()
        else:
            await expect(page.get_by_role("status")).to_contain_text("sign in with the passkey “This computer”")
    await check(page, "account-passkey")
    await page.get_by_role("button", name="Sign out").click()
    await page.get_by_role("button", name="Sign in with a passkey").click()
    await is_home(page)
    await debugger.send("WebAuthn.setUserVerified", {"authenticatorId": device["authenticatorId"], "isUserVerified": False})
    await page.get_by_role("button", name="Sign out").click()
    await page.get_by_role("button", name="Sign in with a passkey").click()
    await expect(page.get_by_role("alert")).to_contain_text("No passkey was used.")
    await debugger.send("WebAuthn.setUserVerified", {"authenticatorId": device["authenticatorId"], "isUserVerified": True})
    await page.get_by_role("button", name="Sign in with a passkey").click()
    await is_home(page)
    await page.goto(f"{named}/account")
    await page.locator("summary", has_text="Remove a passkey").click()
    await page.locator("#current-remove-passkey").fill(PASSWORD)
    await page.get_by_role("button", name="Remove").click()
    await expect(page.get_by_text("With a passkey you sign in by a finger")).to_be_visible()
    await page.get_by_role("button", name="Sign out").click()
    await page.get_by_role("button", name="Sign in with a passkey").click()
    await expect(page.get_by_role("alert")).to_contain_text("This passkey was not accepted.")
    await check(page, "sign-in-passkey-refused")
