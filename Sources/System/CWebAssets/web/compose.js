// The composer: a live preview, uploads, and a draft that is saved in the browser. Without JavaScript
// its buttons do the same.
import { showInsertMenu, useInsertMenu } from "./insert.js";
import { parseElements, released } from "./page.js";
import { useViewersTime } from "./zone.js";

const form = document.getElementById("compose");
const draftPrefix = `martlet-draft-${form.dataset.app}-`;
const discardedKey = `martlet-discarded-${form.dataset.app}`;
const draftNote = document.getElementById("draft");
const unsavedFields = new Set(["token", "action", "once", "confirm", "draft", "replaces", "stored_name"]);
const isTemplateField = (name) => /^(template_|pages$|page\d+_)/.test(name);
// The parts of the page that depend on the audience, and with them the texts.
const audienceParts = ["added_language", "personalization", "samples"];
const languageParts = ["languages", "personalization", "samples"];
const isLanguageField = (name) => /^(language$|tab$|lang_)/.test(name);

function showNote(text, ...actions) {
  draftNote.replaceChildren(text, ...actions);
  draftNote.hidden = false;
  delete draftNote.dataset.unreachable;
}

function button(title, action) {
  const element = document.createElement("button");
  element.type = "button";
  element.className = "quiet";
  element.textContent = title;
  element.addEventListener("click", action);
  return element;
}

useViewersTime(form);

// The look of the picture is that of the last message in this tab, unless the page has one of its own.
let hasRememberedLook = false;
for (const select of ["look", "place"].map((name) => form.elements.namedItem(name))) {
  const key = `martlet-${select.name}`;
  const remembered = sessionStorage.getItem(key);
  if (remembered !== null && remembered !== select.value && !("chosen" in select.dataset)) {
    select.value = remembered;
    hasRememberedLook = true;
  }
  select.addEventListener("change", () => sessionStorage.setItem(key, select.value));
}

// MARK: Draft

// Each tab has a draft of its own, so that two tabs do not overwrite each other's.
const draftInput = form.elements.namedItem("draft");
const newDraftID = () => [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const draftKey = () => draftPrefix + draftInput.value;
// An edited send or template is stored on the server, and a draft of it would become a second send.
const keepsDraft = !form.elements.namedItem("replaces") && !form.elements.namedItem("stored_version");
draftInput.value ||= newDraftID();

// Another tab writes the draft that this one has restored: this tab continues with a copy.
window.addEventListener("storage", (event) => {
  if (event.key === draftKey() && event.newValue !== null) draftInput.value = newDraftID();
});

function fields() {
  return [...new FormData(form)].filter(([name, value]) => !unsavedFields.has(name) && typeof value === "string");
}

function saveDraft() {
  if (!keepsDraft) return;
  sessionStorage.removeItem(discardedKey);
  try { localStorage.setItem(draftKey(), JSON.stringify({ at: Date.now(), fields: fields() })) } catch { /* full or forbidden */ }
}

// The drafts with content, the latest first.
function drafts() {
  const keys = Object.keys(localStorage).filter((key) => key.startsWith(draftPrefix));
  const read = (key) => { try { return { ...JSON.parse(localStorage.getItem(key)), key } } catch { return {} } };
  return keys.map(read).filter((draft) => draft.fields?.some(([name, value]) => value && !["kind", "sample", "appearance", "look", "place"].includes(name)))
    .sort((one, other) => other.at - one.at);
}

function restore(draft, others) {
  draftInput.value = draft.key.slice(draftPrefix.length);
  fill(draft.fields);
  const more = others.slice(0, 3).map((other) => button(`Open that of ${new Date(other.at).toLocaleString()}`, () => {
    restore(other, drafts().filter(({ key }) => key !== other.key));
    updatePreview();
  }));
  showNote(`Draft of ${new Date(draft.at).toLocaleString()} restored.`, button("Discard draft", () => {
    sessionStorage.setItem(discardedKey, JSON.stringify({ fields: fields(), key: draft.key, discardedAt: Date.now() }));
    localStorage.removeItem(draft.key);
    location.reload();
  }), ...more);
}

function fill(saved) {
  const rows = saved.filter(([name]) => name === "pair_key").length;
  const pairs = form.querySelector(".pair");
  while (form.querySelectorAll(".pair").length < rows) pairs.after(pairs.cloneNode(true));
  const next = new Map();
  for (const check of form.querySelectorAll('input[type="checkbox"]')) check.checked = false;
  // The languages of another draft.
  for (const input of document.getElementById("languages").querySelectorAll("[name]")) {
    if (isLanguageField(input.name)) input.remove();
  }
  for (const [name, value] of saved) {
    const all = [...form.querySelectorAll(`[name="${CSS.escape(name)}"]`)];
    if (all[0]?.type === "radio" || all[0]?.type === "checkbox") {
      for (const input of all) if (input.value === value) input.checked = true;
    } else {
      const index = next.get(name) ?? 0;
      next.set(name, index + 1);
      if (all[index]) all[index].value = value;
      else if (isTemplateField(name)) keepHidden("template-fields", name, value);
      else if (isLanguageField(name)) keepHidden("languages", name, value);
    }
  }
  const hasLanguages = saved.some(([name]) => name === "language");
  if (hasLanguages || form.elements.namedItem("to").value) updateLanguages("preview", hasLanguages ? languageParts : audienceParts);
  if (form.elements.namedItem("template").value) updateTemplate("preview");
}

// A field of the template, or of a language, that is not there yet.
function keepHidden(part, name, value) {
  const input = document.createElement("input");
  [input.type, input.name, input.value] = ["hidden", name, value];
  document.getElementById(part).append(input);
}

if ("fresh" in form.dataset) {
  const discarded = JSON.parse(sessionStorage.getItem(discardedKey));
  const [latest, ...others] = drafts();
  if (discarded && !(latest?.at > discarded.discardedAt)) {
    showNote("Draft discarded.", button("Undo", () => {
      sessionStorage.removeItem(discardedKey);
      localStorage.setItem(discarded.key, JSON.stringify({ at: Date.now(), fields: discarded.fields }));
      location.reload();
    }));
  } else if (latest) {
    restore(latest, others);
  }
}

// MARK: Preview

const signIn = () => `/sign-in?next=${encodeURIComponent(location.pathname)}`;
let sharpRequest = null;

async function post(action, extra = {}, signal, accept = "application/json") {
  const body = new FormData(form);
  for (const [name, value] of [...body]) if (typeof value !== "string") body.delete(name);
  body.set("action", action);
  for (const [name, value] of Object.entries(extra)) body.set(name, value);
  const response = await fetch(form.getAttribute("action"), {
    method: "POST", body, signal, headers: { Accept: accept },
  });
  if (response.status === 401) {
    const link = document.createElement("a");
    link.href = signIn();
    link.textContent = "Sign in again";
    showNote("Your session has expired. Your draft is saved. ", link);
    throw new DOMException("signed out", "AbortError");
  }
  return response;
}

function showPreview(preview) {
  const meter = document.getElementById("bytes");
  [meter.max, meter.high, meter.value] = [preview.limit, preview.limit * 0.9, preview.bytes ?? 0];
  document.getElementById("budget").textContent = preview.budget;
  document.getElementById("nothing").textContent = preview.nothing;
  showCoverage(preview.coverage);
  const containers = new Map([...form.querySelectorAll("[data-remarks]")].map((element) => [element.dataset.remarks, element]));
  const items = new Map();
  for (const remark of preview.remarks) {
    const item = document.createElement("div");
    const isRefusal = remark.severity === "refusal";
    item.className = `finding ${isRefusal ? "error" : remark.severity}`;
    const strong = document.createElement("strong");
    strong.textContent = remark.message;
    item.append(strong, remark.advice ?? "");
    const key = containers.has(remark.field) ? remark.field : "";
    items.set(key, [...(items.get(key) ?? []), item]);
  }
  if (preview.sendable) document.getElementById("refusals")?.remove();
  const faces = document.getElementById("faces");
  faces.hidden = !preview.template;
  faces.textContent = preview.faces;
  const film = document.getElementById("film");
  film.hidden = !preview.film;
  if (preview.film && film.getAttribute("src") !== preview.film) film.src = preview.film;
  document.getElementById("remarks").replaceChildren(...(items.get("") ?? []));
  for (const [field, container] of containers) {
    if (field === "test_device") continue;
    container.replaceChildren(...(items.get(field) ?? []));
    const isRefused = preview.remarks.some((remark) => remark.field === field && remark.severity === "refusal");
    const input = document.getElementById(field);
    if (isRefused) input?.setAttribute("aria-invalid", "true");
    else input?.removeAttribute("aria-invalid");
  }
}

// How many devices get which language, unless a button in it has the focus.
function showCoverage(html) {
  const [shown, next] = [document.getElementById("coverage"), parseElements(html, ["coverage"]).get("coverage")];
  if (next && shown.innerHTML !== next.innerHTML && !shown.contains(document.activeElement)) shown.replaceWith(next);
}

// What the open tab shows of a text: that of its language, or else the fallback.
function shownText(name) {
  const language = form.querySelector('[name="tab"]:checked')?.value;
  return document.getElementById(`lang_${language}_${name}`)?.value || document.getElementById(name).value;
}

async function loadCard(appearance, options, signal) {
  const response = await post("card", { appearance, ...options }, signal, "image/jpeg");
  return response.status === 200 ? response.blob() : null;
}

function showCard(appearance, picture) {
  const image = document.getElementById(`card-${appearance}`);
  document.getElementById("nothing").hidden = picture !== null;
  if (!picture) { image.hidden = true; return }
  const old = image.src;
  image.src = URL.createObjectURL(picture);
  if (old.startsWith("blob:")) URL.revokeObjectURL(old);
  const texts = ["title", "subtitle", "text"].map(shownText).filter(Boolean);
  image.alt = `${appearance === "dark" ? "Dark" : "Light"}: ${texts.join(". ")}`;
  image.hidden = false;
}

const appearance = () => form.elements.namedItem("appearance").value;

let isDrawing = false;
let isStale = false;

// One request at a time; changes made meanwhile are drawn next.
async function updatePreview() {
  isStale = true;
  // The sharp pictures of the last state are not needed any more.
  sharpRequest?.abort();
  if (isDrawing) return;
  isDrawing = true;
  try {
    while (isStale) {
      isStale = false;
      await draw();
    }
  } catch (error) {
    if (error.name !== "AbortError") tryAgain();
  }
  isDrawing = false;
}

// Until the server answers, the preview is asked for every few seconds.
function tryAgain() {
  showNote(keepsDraft ? "Cannot reach the server. Your draft is saved." : "Cannot reach the server.");
  draftNote.dataset.unreachable = "";
  clearTimeout(timer);
  timer = setTimeout(updatePreview, 2000);
}

async function draw() {
  const visible = appearance();
  const [response, picture] = await Promise.all([post("preview"), loadCard(visible, { quick: "1" })]);
  if ("unreachable" in draftNote.dataset) draftNote.hidden = true;
  if (!response.ok) { showNote((await response.json()).error ?? "The preview failed. Try again."); return }
  const preview = await response.json();
  await released();
  showPreview(preview);
  showCard(visible, picture);
  if (isStale) return;
  document.getElementById("budget").dataset.current = "true";
  // After a pause in typing, the sharp picture, and then that of the other appearance.
  sharpRequest = new AbortController();
  try {
    await pause(250, sharpRequest.signal);
    for (const appearance of [visible, visible === "dark" ? "light" : "dark"]) {
      showCard(appearance, await loadCard(appearance, {}, sharpRequest.signal));
    }
  } catch (error) {
    if (error.name !== "AbortError") throw error;
  }
}

function pause(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

let timer = 0;
function changed() {
  delete document.getElementById("budget").dataset.current;
  saveDraft();
  clearTimeout(timer);
  timer = setTimeout(updatePreview, 15);
}
form.addEventListener("input", (event) => { if (event.target.type !== "file") changed() });

form.addEventListener("submit", (event) => {
  const action = event.submitter?.value ?? "preview";
  if (action !== "preview" && !/^(page|language)-/.test(action)) return;
  event.preventDefault();
  if (action.startsWith("page-")) updateTemplate(action);
  else if (action.startsWith("language-")) updateLanguages(action, languageParts);
  else updatePreview();
});

// A page to which the user goes back may have been stored before its draft was sent.
window.addEventListener("pageshow", (event) => { if (event.persisted) updatePreview() });

// MARK: Languages

// The server renders the fields of the languages, and what depends on the audience.
async function updateLanguages(action, parts) {
  try {
    const response = await post(action, { part: "languages" }, undefined, "text/html");
    const elements = response.ok ? parseElements(await response.text(), parts) : new Map();
    if (elements.size < parts.length) { showNote("The languages cannot be loaded. Your draft is saved."); return }
    await released();
    for (const [id, element] of elements) document.getElementById(id).replaceWith(element);
    showInsertMenu(form);
    if (action !== "preview") elements.get("languages")?.querySelector("[autofocus]")?.focus();
    changed();
  } catch (error) {
    if (error.name !== "AbortError") tryAgain();
  }
}

// Another audience has other languages, devices and attributes.
form.addEventListener("change", (event) => {
  if (["to", "also", "except", "received"].includes(event.target.name)) updateLanguages("preview", audienceParts);
});

// MARK: Template

// The server renders the fields of a template, with pages added, removed and moved.
async function updateTemplate(action) {
  try {
    const response = await post(action, { part: "template" }, undefined, "text/html");
    const fields = response.ok && parseElements(await response.text(), ["template-fields"]).get("template-fields");
    if (!fields) { showNote("The fields of the template cannot be loaded. Your draft is saved."); return }
    await released();
    document.getElementById("template-fields").replaceWith(fields);
    useViewersTime(form, fields);
    fields.querySelector("[autofocus]")?.focus();
    changed();
  } catch (error) {
    if (error.name !== "AbortError") tryAgain();
  }
}

form.elements.namedItem("template").addEventListener("change", () => updateTemplate("preview"));

// MARK: Upload

form.addEventListener("change", (event) => { if (event.target.type === "file") upload(event.target) });

async function upload(fileInput) {
  const file = fileInput.files[0];
  if (!file) return;
  const uploadStatus = fileInput.parentElement.querySelector('[role="status"]');
  uploadStatus.hidden = false;
  if (file.size > 50 * 1024 * 1024) {
    uploadStatus.textContent = `${file.name} is too large: videos may have 50 MB, pictures 10 MB, audio 5 MB.`;
    fileInput.value = "";
    return;
  }
  uploadStatus.textContent = `Uploading ${file.name}…`;
  const body = new FormData();
  body.set("token", form.elements.namedItem("token").value);
  body.set("action", "upload");
  body.set("file", file);
  try {
    const response = await fetch(form.getAttribute("action"), { method: "POST", body, headers: { Accept: "application/json" } });
    const result = await response.json();
    if (response.ok) {
      const field = fileInput.name === "file" ? "media" : fileInput.name.replace(/_file$/, "");
      document.getElementById(field).value = result.url;
      uploadStatus.textContent = `${file.name} was uploaded.`;
      changed();
    } else {
      uploadStatus.textContent = `${file.name}: ${result.error}`;
    }
  } catch {
    uploadStatus.textContent = "The upload failed. Check the connection and try again.";
  }
  fileInput.value = "";
}

// MARK: Personalization, relevance score and custom data

useInsertMenu(form, "text", changed);

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

if (draftNote.hidden === false || hasRememberedLook) updatePreview();
