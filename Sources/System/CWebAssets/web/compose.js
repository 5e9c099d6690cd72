// The composer: a live preview, uploads, and a draft that is saved in the browser. Without JavaScript
// its buttons do the same.
import { restoreConditions } from "./audience.js";
import { showInsertMenu, useInsertMenu } from "./insert.js";
import { parseElements, released } from "./page.js";
import { usePreview, useRows, useUploads } from "./preview.js";
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
  return keys.map(read).filter((draft) => draft.fields?.some(([name, value]) => value && !/^who_.*_(is|extra|kind)$/.test(name) && !["kind", "preview_as", "appearance", "look", "place", "message_part"].includes(name)))
    .sort((one, other) => other.at - one.at);
}

function restore(draft, others) {
  draftInput.value = draft.key.slice(draftPrefix.length);
  fill(draft.fields);
  const more = others.slice(0, 3).map((other) => button(`Open that of ${new Date(other.at).toLocaleString()}`, () => {
    restore(other, drafts().filter(({ key }) => key !== other.key));
    preview.update();
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
    if (name.startsWith("who_")) continue;
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
  const conditions = saved.filter(([name]) => name.startsWith("who_"));
  if (conditions.some(([name, value]) => value && name.endsWith("_field"))) restoreConditions(conditions);
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

// MARK: Preview

const preview = usePreview(form, {
  note: (text, ...actions) => { if (text === null) draftNote.hidden = true; else showNote(text, ...actions) },
  saved: () => keepsDraft ? "Your draft is saved. " : "",
});

function changed() {
  saveDraft();
  preview.changed();
}
form.addEventListener("input", (event) => { if (event.target.type !== "file") changed() });

form.addEventListener("submit", (event) => {
  const action = event.submitter?.value ?? "preview";
  if (action !== "preview" && !/^(page|language)-/.test(action)) return;
  event.preventDefault();
  if (action.startsWith("page-")) updateTemplate(action);
  else if (action.startsWith("language-")) updateLanguages(action, languageParts);
  else preview.update();
});

// MARK: Languages

// The server renders the fields of the languages, and what depends on the audience.
async function updateLanguages(action, parts) {
  try {
    const response = await preview.post(action, { part: "languages" }, undefined, "text/html");
    const elements = response.ok ? parseElements(await response.text(), parts) : new Map();
    if (elements.size < parts.length) { showNote("The languages cannot be loaded. Your draft is saved."); return }
    await released();
    for (const [id, element] of elements) document.getElementById(id).replaceWith(element);
    showInsertMenu(form);
    if (action !== "preview") elements.get("languages")?.querySelector("[autofocus]")?.focus();
    changed();
  } catch (error) {
    if (error.name !== "AbortError") preview.tryAgain();
  }
}

// Another audience has other languages, devices and attributes.
form.addEventListener("change", (event) => {
  if (event.target === form || /^(to|also|except|received|who_.*)$/.test(event.target.name)) updateLanguages("preview", audienceParts);
});

// MARK: Template

// The server renders the fields of a template, with pages added, removed and moved.
async function updateTemplate(action) {
  try {
    const response = await preview.post(action, { part: "template" }, undefined, "text/html");
    const fields = response.ok && parseElements(await response.text(), ["template-fields"]).get("template-fields");
    if (!fields) { showNote("The fields of the template cannot be loaded. Your draft is saved."); return }
    await released();
    document.getElementById("template-fields").replaceWith(fields);
    useViewersTime(form, fields);
    fields.querySelector("[autofocus]")?.focus();
    changed();
  } catch (error) {
    if (error.name !== "AbortError") preview.tryAgain();
  }
}

form.elements.namedItem("template").addEventListener("change", () => updateTemplate("preview"));

// MARK: Uploads, personalization and custom data

useUploads(form, changed);
useInsertMenu(form, "text", changed);
useRows(form);

// MARK: The draft of this page

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
if (!draftNote.hidden) preview.update();
