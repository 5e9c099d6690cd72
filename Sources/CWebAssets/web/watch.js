// A send as it goes: counts by server-sent events; where its state changes, the parts that depend on
// it come anew from the server.
import { localize, parts } from "./page.js";

const watch = document.getElementById("watch");

// What was sent is no draft any more.
const query = new URLSearchParams(location.search);
if (query.has("sent") || !watch) {
  const app = location.pathname.split("/")[2];
  localStorage.removeItem(`martlet-draft-${app}`);
}
if (query.has("sent")) history.replaceState(null, "", location.pathname);

async function renew() {
  const fresh = await parts(location.href, ["state", "orders", "failures"]);
  for (const [id, part] of fresh) {
    const old = document.getElementById(id);
    const hadFocus = old.contains(document.activeElement);
    old.replaceWith(part);
    localize(part);
    if (hadFocus) (part.querySelector("button") ?? document.getElementById("main")).focus();
  }
}

function show(send) {
  const { counts } = send;
  const done = counts.sent + counts.rejected + counts.uninstalled;
  for (const [name, count] of Object.entries({ ...counts, done })) {
    for (const place of document.querySelectorAll(`[data-count="${name}"]`)) place.textContent = count;
  }
  const progress = document.getElementById("progress");
  progress.max = Math.max(1, counts.targeted);
  progress.value = done;
}

if (watch && !("over" in watch.dataset)) {
  // The browser connects again by itself when the server restarts.
  const source = new EventSource(watch.dataset.events);
  let over = false;
  source.addEventListener("message", async (event) => {
    const send = JSON.parse(event.data);
    show(send);
    over = ["complete", "canceled", "failed"].includes(send.state);
    if (over) source.close();
    if (send.state !== document.getElementById("state").dataset.state || over) await renew();
    if (over) watch.dataset.over = "";
  });
}
