// Times that are entered in the viewer's time zone: without JavaScript they are in UTC.

// Converts the times of a form below `root`, each of which has a hidden field for the offset after it.
export function useViewersTime(form, root = form) {
  for (const hidden of root.querySelectorAll('input[type="datetime-local"] + input[type="hidden"]')) setZone(form, hidden);
}

function setZone(form, hidden) {
  const input = form.elements.namedItem(hidden.name.replace(/_offset$/, ""));
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const help = document.getElementById(`${input.id}-help`);
  if (help) help.textContent = help.textContent.replace("In UTC.", `In your time, ${zone}.`);
  const setOffset = () => {
    const date = new Date(input.value);
    hidden.value = isNaN(date) ? "" : String(date.getTimezoneOffset());
  };
  // Values from the server are in UTC, except for a device's local time.
  const isLocal = input.name === "scheduled_at" && form.elements.namedItem("local_time").checked;
  const utc = new Date(`${input.value}Z`);
  if (hidden.value === "" && !isNaN(utc)) {
    if (!isLocal) {
      const shown = new Date(utc.getTime() - utc.getTimezoneOffset() * 60_000);
      input.value = shown.toISOString().slice(0, 16);
    }
    setOffset();
  }
  input.addEventListener("input", setOffset);
}
