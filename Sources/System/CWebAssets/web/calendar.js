// Moves what goes out to its day in the viewer's time zone: without JavaScript the days are those of UTC.
const calendar = document.querySelector(".calendar");
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
document.getElementById("calendar-zone").textContent = `Days and times are in your time zone, ${zone}.`;

const dayOf = (date) => [
  String(date.getFullYear()).padStart(4, "0"), ...[date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, "0")),
].join("-");

// The time that a device's clock shows, as the viewer's clock would show it.
const timeOf = (entry) => new Date("local" in entry.dataset ? entry.dataset.at.replace("Z", "") : entry.dataset.at);

const cells = new Map([...calendar.querySelectorAll("[data-day]")].map((cell) => [cell.dataset.day, cell]));
const entries = [...document.querySelectorAll("[data-at]")].sort((one, other) => timeOf(one) - timeOf(other));
for (const entry of entries) {
  const list = cells.get(dayOf(timeOf(entry)))?.querySelector("ul");
  if (list) list.append(entry);
  else entry.remove();
}
if (calendar.querySelector("[data-at]")) document.querySelector("main > .empty")?.remove();

const today = dayOf(new Date());
for (const [day, cell] of cells) {
  if (day === today) cell.setAttribute("aria-current", "date");
  else cell.removeAttribute("aria-current");
}
