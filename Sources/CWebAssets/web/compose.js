// The composer's help: a preview while typing, uploads with progress, and a draft that is never lost.
// Without it the buttons do the same.
const form = document.getElementById("compose");
const draftKey = `martlet-draft-${form.dataset.app}`;
const note = document.getElementById("draft");
const skipped = new Set(["token", "file", "action", "once", "confirm"]);

function say(text, ...actions) {
  note.replaceChildren(text, ...actions);
  note.hidden = false;
}

function button(title, action) {
  const made = document.createElement("button");
  made.type = "button";
  made.className = "quiet";
  made.textContent = title;
  made.addEventListener("click", action);
  return made;
}

// MARK: Times are typed in the viewer's zone

for (const hidden of form.querySelectorAll('input[type="hidden"][name$="_offset"]')) {
  const input = form.elements.namedItem(hidden.name.replace(/_offset$/, ""));
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const help = document.getElementById(`${input.id}-help`);
  if (help) help.textContent = help.textContent.replace("In UTC.", `In your time, ${zone}.`);
  const set = () => {
    const date = new Date(input.value);
    hidden.value = isNaN(date) ? "" : String(date.getTimezoneOffset());
  };
  // What comes from the server, or was typed without a script, is in UTC; a device's clock has no zone.
  const isWall = input.name === "scheduled_at" && form.elements.namedItem("local_time").checked;
  const utc = new Date(`${input.value}Z`);
  if (hidden.value === "" && !isNaN(utc) && !isWall) {
    const shown = new Date(utc.getTime() - utc.getTimezoneOffset() * 60_000);
    input.value = shown.toISOString().slice(0, 16);
    set();
  }
  input.addEventListener("input", set);
}

// MARK: Draft

function fields() {
  return [...new FormData(form)].filter(([name, value]) => !skipped.has(name) && typeof value === "string");
}

function keep() {
  sessionStorage.removeItem(draftKey);
  try { localStorage.setItem(draftKey, JSON.stringify({ at: Date.now(), fields: fields() })) } catch { /* full or forbidden */ }
}

function restore(kept) {
  const rows = kept.filter(([name]) => name === "pair_key").length;
  const pairs = form.querySelector(".pair");
  while (form.querySelectorAll(".pair").length < rows) pairs.after(pairs.cloneNode(true));
  const next = new Map();
  for (const check of form.querySelectorAll('input[type="checkbox"]')) check.checked = false;
  for (const [name, value] of kept) {
    const all = [...form.querySelectorAll(`[name="${CSS.escape(name)}"]`)];
    if (all[0]?.type === "radio" || all[0]?.type === "checkbox") {
      for (const input of all) input.checked = input.value === value;
    } else {
      const index = next.get(name) ?? 0;
      next.set(name, index + 1);
      if (all[index]) all[index].value = value;
    }
  }
}

if ("fresh" in form.dataset) {
  let draft = null;
  try { draft = JSON.parse(localStorage.getItem(draftKey)) } catch { /* none */ }
  if (draft?.fields?.some(([name, value]) => value && !["kind", "sample", "appearance"].includes(name))) {
    restore(draft.fields);
    say(`Your draft of ${new Date(draft.at).toLocaleString()} is back.`, button("Discard it", () => {
      sessionStorage.setItem(draftKey, JSON.stringify({ at: draft.at, fields: fields() }));
      localStorage.removeItem(draftKey);
      location.reload();
    }));
  } else {
    const discarded = sessionStorage.getItem(draftKey);
    if (discarded) say("The draft is discarded.", button("Undo", () => {
      sessionStorage.removeItem(draftKey);
      localStorage.setItem(draftKey, discarded);
      location.reload();
    }));
  }
}

// MARK: Preview

const signIn = () => `/sign-in?next=${encodeURIComponent(location.pathname)}`;
let running = null;

async function post(action, extra = {}, signal) {
  const body = new FormData(form);
  body.delete("file");
  body.set("action", action);
  for (const [name, value] of Object.entries(extra)) body.set(name, value);
  const answer = await fetch(form.getAttribute("action"), {
    method: "POST", body, signal, headers: { Accept: action === "card" ? "image/jpeg" : "application/json" },
  });
  if (answer.status === 401) {
    const link = document.createElement("a");
    link.href = signIn();
    link.textContent = "Sign in again";
    say("The session is over. Your draft is kept. ", link);
    throw new DOMException("signed out", "AbortError");
  }
  return answer;
}

function show(preview) {
  const devices = preview.devices === null ? "" : ` · ${preview.devices} ${preview.devices === 1 ? "device" : "devices"}`;
  const meter = document.getElementById("bytes");
  [meter.max, meter.high, meter.value] = [preview.limit, preview.limit * 0.9, preview.bytes];
  document.getElementById("budget").textContent = `${preview.bytes} of ${preview.limit} bytes${devices}`;
  const places = new Map([...form.querySelectorAll("[data-remarks]")].map((place) => [place.dataset.remarks, place]));
  const items = new Map();
  for (const remark of preview.remarks) {
    const item = document.createElement("div");
    const isRefusal = remark.severity === "refusal";
    item.className = `finding ${isRefusal ? "error" : remark.severity}`;
    const strong = document.createElement("strong");
    strong.textContent = remark.message;
    item.append(strong, remark.advice ?? "");
    const place = places.has(remark.field) ? remark.field : "";
    items.set(place, [...(items.get(place) ?? []), item]);
  }
  const film = document.getElementById("film");
  film.hidden = !preview.film;
  if (preview.film && film.getAttribute("src") !== preview.film) film.src = preview.film;
  document.getElementById("remarks").replaceChildren(...(items.get("") ?? []));
  for (const [field, place] of places) {
    if (field === "test_device") continue;
    place.replaceChildren(...(items.get(field) ?? []));
    const refused = preview.remarks.some((remark) => remark.field === field && remark.severity === "refusal");
    const input = document.getElementById(field);
    if (refused) input?.setAttribute("aria-invalid", "true");
    else input?.removeAttribute("aria-invalid");
  }
}

async function card(appearance, how, signal) {
  const image = document.getElementById(`card-${appearance}`);
  const answer = await post("card", { appearance, ...how }, signal);
  const nothing = document.getElementById("nothing");
  nothing.hidden = answer.status === 200;
  if (answer.status !== 200) { image.hidden = true; return }
  const old = image.src;
  image.src = URL.createObjectURL(await answer.blob());
  if (old.startsWith("blob:")) URL.revokeObjectURL(old);
  const words = ["title", "subtitle", "text"].map((name) => document.getElementById(name).value).filter(Boolean);
  image.alt = `${appearance === "dark" ? "Dark" : "Light"}: ${words.join(". ")}`;
  image.hidden = false;
}

const chosen = () => form.elements.namedItem("appearance").value;

let isDrawing = false;
let isStale = false;

// One at a time: what is typed meanwhile is drawn next, so that a fast writer sees each step.
async function preview() {
  isStale = true;
  // What is only drawn better gives way.
  running?.abort();
  if (isDrawing) return;
  isDrawing = true;
  try {
    while (isStale) {
      isStale = false;
      await draw();
    }
  } catch (error) {
    if (error.name !== "AbortError") say("The server cannot be reached. Your draft is kept.");
  }
  isDrawing = false;
}

async function draw() {
  const seen = chosen();
  const [answer] = await Promise.all([post("preview"), card(seen, { quick: "1" })]);
  if (!answer.ok) { say((await answer.json()).error ?? "The preview failed."); return }
  show(await answer.json());
  if (isStale) return;
  document.getElementById("budget").dataset.current = "true";
  // Sharp when nobody types any more, and then the one that nobody looks at.
  running = new AbortController();
  try {
    await pause(250, running.signal);
    await card(seen, {}, running.signal);
    await card(seen === "dark" ? "light" : "dark", {}, running.signal);
  } catch (error) {
    if (error.name !== "AbortError") throw error;
  }
}

function pause(milliseconds, signal) {
  return new Promise((done, fail) => {
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      fail(signal.reason);
    });
  });
}

let timer = 0;
function changed() {
  delete document.getElementById("budget").dataset.current;
  keep();
  clearTimeout(timer);
  timer = setTimeout(preview, 15);
}
form.addEventListener("input", (event) => { if (event.target.type !== "file") changed() });

form.addEventListener("submit", (event) => {
  const action = event.submitter?.value ?? "preview";
  if (action !== "preview") return;
  event.preventDefault();
  preview();
});

// MARK: Upload

const file = document.getElementById("file");
const progress = document.getElementById("upload");
file.addEventListener("change", async () => {
  const chosen = file.files[0];
  if (!chosen) return;
  progress.hidden = false;
  if (chosen.size > 50 * 1024 * 1024) {
    progress.textContent = `${chosen.name} is too large: a film may have 50 MB, a picture 10 MB, a sound 5 MB.`;
    file.value = "";
    return;
  }
  progress.textContent = `Uploading ${chosen.name}…`;
  const body = new FormData();
  body.set("token", form.elements.namedItem("token").value);
  body.set("action", "upload");
  body.set("file", chosen);
  try {
    const answer = await fetch(form.getAttribute("action"), { method: "POST", body, headers: { Accept: "application/json" } });
    const result = await answer.json();
    if (answer.ok) {
      document.getElementById("media").value = result.url;
      progress.textContent = `${chosen.name} is uploaded.`;
      changed();
    } else {
      progress.textContent = `${chosen.name}: ${result.error}`;
    }
  } catch {
    progress.textContent = "The upload did not get through. Try again.";
  }
  file.value = "";
});

// MARK: Small helps

for (const part of form.querySelectorAll("[data-script]")) part.hidden = false;

let lastText = document.getElementById("text");
form.addEventListener("focusin", (event) => {
  if (["title", "subtitle", "text", "message_text"].includes(event.target.id)) lastText = event.target;
});
const insert = document.getElementById("insert");
insert.addEventListener("change", () => {
  if (!insert.value) return;
  lastText.setRangeText(insert.value, lastText.selectionStart, lastText.selectionEnd, "end");
  insert.value = "";
  lastText.focus();
  changed();
});

const relevance = document.getElementById("relevance");
const slider = document.getElementById("relevance-slider");
slider.value = relevance.value || "0";
slider.addEventListener("input", () => { relevance.value = slider.value });
relevance.addEventListener("input", () => { slider.value = relevance.value || "0" });

form.querySelector(".pair").parentElement.addEventListener("input", (event) => {
  const rows = [...form.querySelectorAll(".pair")];
  const last = rows.at(-1);
  if (!last.contains(event.target)) return;
  const row = last.cloneNode(true);
  for (const input of row.querySelectorAll("input")) input.value = "";
  last.after(row);
});

if (note.hidden === false) preview();
