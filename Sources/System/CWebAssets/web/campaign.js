// The form of a campaign: times in the viewer's time zone, and the sum of the shares. Without JavaScript the server says
// what the shares add up to.
import { useInsertMenu } from "./insert.js";
import { useViewersTime } from "./zone.js";

const form = document.getElementById("campaign");
useViewersTime(form);
useInsertMenu(form, "v0_text");

for (const zone of Intl.supportedValuesOf("timeZone")) {
  document.getElementById("zones").append(new Option(zone, zone));
}
const zone = form.elements.namedItem("every_zone");
if (zone.value === "") zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone;

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
