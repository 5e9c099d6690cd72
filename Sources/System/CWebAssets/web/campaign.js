// The form of a campaign: the preview of the variant that is written, times in the viewer's time zone, and the sum of the
// shares. Without JavaScript the server says what the shares add up to, and a button shows another variant.
import { useInsertMenu } from "./insert.js";
import { usePreview, useRows, useUploads } from "./preview.js";
import { useViewersTime } from "./zone.js";

const form = document.getElementById("campaign");
const noteText = document.getElementById("remarks");
useViewersTime(form);

for (const zone of Intl.supportedValuesOf("timeZone")) {
  document.getElementById("zones").append(new Option(zone, zone));
}
const zone = form.elements.namedItem("every_zone");
if (zone.value === "") zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone;

// MARK: Preview

// The number of the variant that was written last.
let shown = "0";
const preview = usePreview(form, {
  asked: () => ({ shown }),
  prefix: () => `v${shown}_`,
  note: (text, ...actions) => noteText.replaceChildren(...(text === null ? [] : [text, ...actions])),
  saved: () => "What you wrote stays on this page. ",
});
form.addEventListener("input", (event) => { if (event.target.type !== "file") preview.changed() });
form.addEventListener("focusin", (event) => {
  const variant = event.target.closest("[data-variant]");
  if (!variant || variant.dataset.variant === shown) return;
  shown = variant.dataset.variant;
  document.getElementById("shown-variant").textContent = variant.querySelector("legend").textContent;
  preview.changed();
});
form.addEventListener("submit", (event) => {
  if ((event.submitter?.value ?? "preview") !== "preview") return;
  event.preventDefault();
  preview.update();
});
useInsertMenu(form, "v0_text", preview.changed);
useUploads(form, preview.changed);
useRows(form);
const hasTexts = [...form.querySelectorAll(".variant textarea")].some(({ value }) => value);
if (hasTexts && !document.getElementById("refusals")) preview.update();

// The server renders the fields of a template.
form.addEventListener("change", (event) => {
  const field = event.target;
  if (/^v\d+_template$/.test(field.id)) form.querySelector(`#${field.id.replace("template", "expanded")} button`).click();
});

// MARK: Shares

// The shares of each message.
function addShares() {
  const control = form.elements.namedItem("control");
  for (const step of form.querySelectorAll(".step")) {
    const shares = [...step.querySelectorAll('[name$="_share"]'), control].map((input) => Number(input.value) || 0);
    const sum = step.querySelector(".sum");
    sum.textContent = `Together ${shares.reduce((total, share) => total + share, 0)} %.`;
    sum.hidden = false;
  }
}
form.addEventListener("input", (event) => {
  if (/_share$|^control$/.test(event.target.name)) addShares();
});
addShares();
