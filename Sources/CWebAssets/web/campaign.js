// The form of a campaign: times in the viewer's time zone, and the sum of the shares. Without JavaScript the server says
// what the shares add up to.
import { useInsertMenu } from "./insert.js";
import { useViewersTime } from "./zone.js";

const form = document.getElementById("campaign");
useViewersTime(form);
useInsertMenu(form, "v0_text");

const sum = document.getElementById("sum");
function addShares() {
  const shares = [...form.querySelectorAll('[name$="_share"], [name="control"]')].map((input) => Number(input.value) || 0);
  sum.textContent = `Together ${shares.reduce((total, share) => total + share, 0)} %.`;
  sum.hidden = false;
}
form.addEventListener("input", (event) => {
  if (/_share$|^control$/.test(event.target.name)) addShares();
});
addShares();
