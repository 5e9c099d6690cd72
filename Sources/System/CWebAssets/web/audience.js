// The builder of conditions, on each page that has one. The server renders it: its buttons and menus ask for the next state,
// and whatever is typed for another count and for values. Without JavaScript the buttons submit the form.
import { parseElements, released } from "./page.js";

const builder = () => document.getElementById("who");
const form = builder()?.closest("form");
// In a form with a menu of audiences, conditions are counted only where they are chosen.
const isUsed = () => [undefined, "conditions"].includes(form.elements.namedItem("to")?.value);
let request = null;
let timer = 0;

// The elements of the builder after an action, by their IDs; none if the server cannot be asked.
async function ask(action, ids) {
  clearTimeout(timer);
  request?.abort();
  request = new AbortController();
  const body = new FormData();
  for (const [name, value] of new FormData(form)) {
    if (/^(who_.*|token|user_ids|audience_id)$/.test(name)) body.append(name, value);
  }
  body.set("action", action);
  try {
    const response = await fetch(builder().dataset.path, { method: "POST", body, signal: request.signal, headers: { Accept: "text/html" } });
    if (response.status === 401) say("Your session has expired. Save to sign in again; your input is kept.");
    if (!response.ok) return new Map();
    const elements = parseElements(await response.text(), ids);
    await released();
    return elements;
  } catch (error) {
    if (error.name !== "AbortError") say("Cannot reach the server. Check the connection.");
    return new Map();
  }
}

const say = (text) => { document.getElementById("count").textContent = text };

function showCount(elements) {
  const count = elements.get("count");
  if (count && isUsed()) document.getElementById("count").replaceWith(count);
}

const recount = async () => { if (isUsed()) showCount(await ask("who_count", ["count"])) };

// A button's action. The form's other scripts learn of it as of any input.
async function change(action) {
  const elements = await ask(action, ["who", "count"]);
  const who = elements.get("who");
  if (!who) return;
  builder().replaceWith(who);
  showCount(elements);
  who.querySelector("[autofocus]")?.focus();
  form.dispatchEvent(new Event("input", { bubbles: true }));
  form.dispatchEvent(new Event("change", { bubbles: true }));
}

// Another field has other comparisons, and another comparison other values. The menu itself stays, so that it keeps the focus.
async function choose(menu) {
  const elements = await ask("who_show", [menu.id, "count"]);
  const next = elements.get(menu.id);
  if (!next) return;
  while (menu.nextElementSibling) menu.nextElementSibling.remove();
  while (next.nextElementSibling) menu.parentElement.append(next.nextElementSibling);
  showCount(elements);
}

// The builder of a draft that the browser has kept.
export function restoreConditions(fields) {
  for (const input of builder().querySelectorAll("[name^=who_]")) input.remove();
  for (const [name, value] of fields) {
    const input = document.createElement("input");
    [input.type, input.name, input.value] = ["hidden", name, value];
    builder().append(input);
  }
  return change("who_show");
}

// MARK: Values

async function suggest(input) {
  const row = input.closest(".condition");
  const isList = ["any", "none"].includes(row.querySelector("[name$=_is]").value);
  if (!input.list || !(isList || "more" in input.list.dataset)) return;
  const start = isList ? input.value.lastIndexOf(",") + 1 : 0;
  const query = new URLSearchParams({ field: row.querySelector("[name$=_field]").value, text: input.value.slice(start).trim() });
  const typed = input.value;
  try {
    const response = await fetch(`${builder().dataset.path}/values?${query}`, { headers: { Accept: "application/json" } });
    if (!response.ok || input.value !== typed) return;
    const before = start ? `${typed.slice(0, start)} ` : "";
    input.list.replaceChildren(...(await response.json()).values.map(({ text, devices }) => {
      const option = new Option("", before + text);
      option.label = `${text} · ${devices} ${devices === 1 ? "device" : "devices"}`;
      return option;
    }));
  } catch { /* What is typed is taken without suggestions. */ }
}

// MARK: Events

form?.addEventListener("input", ({ target }) => {
  if (!["INPUT", "TEXTAREA"].includes(target.tagName) || !/^(user_ids$|who_)/.test(target.name)) return;
  clearTimeout(timer);
  timer = setTimeout(recount, 150);
  if (target.name.endsWith("_value")) suggest(target);
});

form?.addEventListener("change", ({ target }) => {
  if (target.tagName !== "SELECT" || !/^(who_|to$)/.test(target.name)) return;
  if (/_(field|is)$/.test(target.name)) choose(target);
  else recount();
});

form?.addEventListener("submit", (event) => {
  const action = event.submitter?.value ?? "";
  if (!action.startsWith("who_") && !(action === "count" && !form.querySelector("#file")?.files.length)) return;
  event.preventDefault();
  if (action === "count") recount();
  else change(action);
});
