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

const link = document.getElementById("link");

function told(...words) {
  link.replaceChildren(...words);
  link.hidden = words.length === 0;
}

// A browser connects again by itself where the network failed, and gives up where the server answered
// anything else; then somebody has to sign in, or a proxy waits for the server.
async function connectAgain() {
  const answer = await fetch(location.href, { headers: { Accept: "text/html" } }).catch(() => null);
  if (answer?.status === 401) {
    const signIn = document.createElement("a");
    signIn.href = `/sign-in?next=${encodeURIComponent(location.pathname)}`;
    signIn.textContent = "Sign in again";
    told("The session is over. The send goes on. ", signIn);
  } else {
    setTimeout(follow, 2000);
  }
}

function follow() {
  const source = new EventSource(watch.dataset.events);
  source.addEventListener("open", () => told());
  source.addEventListener("error", () => {
    if ("over" in watch.dataset) return;
    told("The server cannot be reached. The numbers are the last that came; they go on when it is back.");
    if (source.readyState === EventSource.CLOSED) connectAgain();
  });
  source.addEventListener("message", async (event) => {
    const send = JSON.parse(event.data);
    show(send);
    const isOver = ["complete", "canceled", "failed"].includes(send.state);
    if (isOver) source.close();
    if (send.state !== document.getElementById("state").dataset.state || isOver) await renew();
    if (isOver) watch.dataset.over = "";
  });
}

if (watch && !("over" in watch.dataset)) follow();
