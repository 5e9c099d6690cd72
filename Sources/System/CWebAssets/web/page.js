// Loaded on every page: converts times to the viewer's time zone, and numbers to the viewer's way of writing them.
const toMinutes = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const toSeconds = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });
const inWords = new Intl.DateTimeFormat(undefined, {
  weekday: "long", year: "numeric", month: "long", day: "numeric", hour: "numeric", minute: "2-digit", timeZoneName: "short",
});
const onTheWall = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });
const timeOnly = new Intl.DateTimeFormat(undefined, { timeStyle: "short" });

function formatOf(data) {
  if ("words" in data) return inWords;
  if ("clock" in data) return timeOnly;
  if ("wall" in data) return onTheWall;
  return "seconds" in data ? toSeconds : toMinutes;
}

// A number as the viewer's language writes it, with the decimals of the text.
export function formatNumber(text) {
  const digits = (String(text).split(".")[1] ?? "").length;
  const format = new Intl.NumberFormat(undefined, { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return format.format(Number(text)).replace("-", "−");
}

export function localize(root) {
  for (const number of root.querySelectorAll("data[value]")) number.textContent = formatNumber(number.value);
  for (const label of root.querySelectorAll("svg [data-time]")) {
    const date = new Date(label.dataset.time);
    label.textContent = label.localName === "title" ?
      label.textContent.replace(/^.* UTC/, toMinutes.format(date)) : timeOnly.format(date);
  }
  for (const time of root.querySelectorAll("time[datetime]")) {
    const date = new Date(time.dateTime);
    if (isNaN(date)) continue;
    time.title = time.dateTime;
    time.textContent = formatOf(time.dataset).format(date);
  }
}

// The Trusted Types policy: only pages of this server are parsed as HTML.
const policy = window.trustedTypes?.createPolicy("martlet-page", { createHTML: (text) => text });

// Loads a page of the dashboard and returns its elements with the given IDs.
export async function loadElements(url, ids) {
  const response = await fetch(url, { headers: { Accept: "text/html" } });
  return response.ok ? parseElements(await response.text(), ids) : new Map();
}

// The elements with the given IDs of a page of the dashboard, or of a part of one.
export function parseElements(text, ids) {
  const page = new DOMParser().parseFromString(policy ? policy.createHTML(text) : text, "text/html");
  return new Map(ids.map((id) => [id, page.getElementById(id)]).filter(([, element]) => element));
}

// A button that moves away between press and release gets no click. What changes the page by itself waits for the release.
let release = Promise.resolve();
let letGo = () => {};
window.addEventListener("pointerdown", (event) => {
  letGo();
  if (event.buttons === 1) release = new Promise((resolve) => { letGo = resolve });
});
for (const name of ["pointerup", "pointercancel", "pointermove"]) {
  // On a touch screen the click follows the release a little later.
  window.addEventListener(name, (event) => { if (event.buttons === 0) setTimeout(letGo, 30) });
}
export const released = () => release;

localize(document);

// An id that is shown is also copied, where the browser lets the page write to the clipboard.
document.addEventListener("click", async (event) => {
  const summary = event.target.closest?.(".copy-id > summary");
  if (!summary || summary.parentElement.open || !navigator.clipboard) return;
  try {
    await navigator.clipboard.writeText(summary.nextElementSibling.textContent);
    summary.firstChild.textContent = "Copied";
  } catch {
    // The id is on the page, to be copied by hand.
  }
});
