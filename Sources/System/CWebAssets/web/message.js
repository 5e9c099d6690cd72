// The form of an in-app message: the preview follows what is typed.
import { localize, parseElements, released } from "./page.js";

const form = document.getElementById("in-app");
let timer = 0;
form.addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(update, 100);
});

async function update() {
  const body = new FormData(form);
  body.set("action", "preview");
  const response = await fetch(form.getAttribute("action"), { method: "POST", body, headers: { Accept: "text/html" } });
  const inbox = response.ok && parseElements(await response.text(), ["inbox"]).get("inbox");
  await released();
  if (!inbox) return;
  localize(inbox);
  document.getElementById("inbox").replaceWith(inbox);
}
