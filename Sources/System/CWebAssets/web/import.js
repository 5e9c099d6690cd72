// Imports: says that a file is being uploaded, and follows a check or an import.
import { loadElements, localize, released } from "./page.js";

const form = document.getElementById("upload");
const file = document.getElementById("file");
const status = document.getElementById("uploading");

file?.addEventListener("change", () => {
  const isTooLarge = file.files[0]?.size > Number(form.dataset.limit);
  file.setCustomValidity(isTooLarge ? "The file is too large. Divide it, and import its parts." : "");
  file.reportValidity();
});
form?.addEventListener("submit", () => {
  status.textContent = `Uploading ${file.files[0].name} …`;
});

async function follow() {
  while (document.querySelector("[data-running]")) {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const elements = await loadElements(location.href, ["import"]).catch(() => new Map());
    await released();
    const element = elements.get("import");
    if (!element) continue;
    const old = document.getElementById("import");
    const hadFocus = old.contains(document.activeElement);
    old.replaceWith(element);
    localize(element);
    if (hadFocus) (element.querySelector("button") ?? document.getElementById("main")).focus();
  }
}

follow();
