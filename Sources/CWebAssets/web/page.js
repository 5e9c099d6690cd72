// What every page does: times in the viewer's own zone.
const format = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const precise = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });

const hour = new Intl.DateTimeFormat(undefined, { timeStyle: "short" });

export function localize(root) {
  for (const part of root.querySelectorAll("svg [data-time]")) {
    const date = new Date(part.dataset.time);
    part.textContent = part.localName === "title" ?
      part.textContent.replace(/^.* UTC/, format.format(date)) : hour.format(date);
  }
  for (const time of root.querySelectorAll("time[datetime]")) {
    const date = new Date(time.dateTime);
    if (isNaN(date)) continue;
    time.title = time.dateTime;
    time.textContent = ("seconds" in time.dataset ? precise : format).format(date);
  }
}

// Our own pages, which the server rendered, are trusted markup; nothing else is ever parsed.
const policy = window.trustedTypes?.createPolicy("martlet-page", { createHTML: (text) => text });

// Parts of one of our pages, by their ids, to take the place of those that are shown.
export async function parts(url, ids) {
  const answer = await fetch(url, { headers: { Accept: "text/html" } });
  if (!answer.ok) return new Map();
  const text = await answer.text();
  const page = new DOMParser().parseFromString(policy ? policy.createHTML(text) : text, "text/html");
  return new Map(ids.map((id) => [id, page.getElementById(id)]).filter(([, part]) => part));
}

localize(document);

// On a phone the sections scroll sideways: the one that is shown stands in sight.
document.querySelector("nav [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
