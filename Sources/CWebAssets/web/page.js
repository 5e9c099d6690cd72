// What every page does: times in the viewer's own zone.
const format = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

export function localize(root) {
  for (const time of root.querySelectorAll("time[datetime]")) {
    const date = new Date(time.dateTime);
    if (isNaN(date)) continue;
    time.title = time.dateTime;
    time.textContent = format.format(date);
  }
}

localize(document);
