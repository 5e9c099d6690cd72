// The progress of a send: counts by server-sent events. When the state changes, the elements that
// depend on it are loaded again.
import { formatNumber, loadElements, localize, released } from "./page.js";

const watch = document.getElementById("watch");

// The draft was sent, so it is removed.
const query = new URLSearchParams(location.search);
const sent = query.get("sent") ?? document.getElementById("published")?.dataset.draft;
if (sent) localStorage.removeItem(`martlet-draft-${location.pathname.split("/")[2]}-${sent}`);
if (query.has("sent")) history.replaceState(null, "", location.pathname);

async function reloadElements() {
  const elements = await loadElements(location.href, ["state", "controls", "failures"]);
  await released();
  for (const [id, element] of elements) {
    const old = document.getElementById(id);
    const hadFocus = old.contains(document.activeElement);
    old.replaceWith(element);
    localize(element);
    if (hadFocus) (element.querySelector("button") ?? document.getElementById("main")).focus();
  }
}

function showCounts(send) {
  const { counts } = send;
  const processed = counts.sent + counts.rejected + counts.uninstalled;
  for (const [name, count] of Object.entries({ ...counts, done: processed })) {
    for (const place of document.querySelectorAll(`[data-count="${name}"]`)) {
      place.textContent = formatNumber(count);
      const share = place.parentElement.querySelector("small:not(.note-line)");
      if (share) share.textContent = `${formatNumber((100 * count / Math.max(1, counts.targeted)).toFixed(1))} %`;
    }
  }
  const progress = document.getElementById("progress");
  progress.max = Math.max(1, counts.targeted);
  progress.value = processed;
}

const connectionNote = document.getElementById("connection");

function showConnectionNote(...contents) {
  connectionNote.replaceChildren(...contents);
  connectionNote.hidden = contents.length === 0;
}

// The browser reconnects an EventSource after a network error, but not after an HTTP error. Then the
// session has expired, or a proxy answers for the server.
async function reconnect() {
  const response = await fetch(location.href, { headers: { Accept: "text/html" } }).catch(() => null);
  if (response?.status === 401) {
    const signIn = document.createElement("a");
    signIn.href = `/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`;
    signIn.textContent = "Sign in again";
    showConnectionNote("Your session has expired. The send continues. ", signIn);
  } else {
    setTimeout(connect, 2000);
  }
}

function connect() {
  const source = new EventSource(watch.dataset.events);
  source.addEventListener("open", () => showConnectionNote());
  source.addEventListener("error", () => {
    if ("over" in watch.dataset) return;
    showConnectionNote("Cannot reach the server. The counts are the last known; they update once it is back.");
    if (source.readyState === EventSource.CLOSED) reconnect();
  });
  source.addEventListener("message", async (event) => {
    const send = JSON.parse(event.data);
    showCounts(send);
    const isOver = ["complete", "canceled", "failed"].includes(send.state);
    if (isOver) source.close();
    if (send.state !== document.getElementById("state").dataset.state || isOver) await reloadElements();
    if (isOver) watch.dataset.over = "";
  });
}

if (watch && !("over" in watch.dataset)) connect();
