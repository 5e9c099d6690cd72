// The audience builder: a live count, and always an empty row for another condition.
import { released } from "./page.js";

const form = document.getElementById("audience");
const count = document.getElementById("count");
const problem = document.getElementById("problem");
let request = null;
let timer = 0;

async function recount() {
  request?.abort();
  request = new AbortController();
  const body = new FormData(form);
  body.set("action", "count");
  try {
    const response = await fetch(form.getAttribute("action"), { method: "POST", body, signal: request.signal, headers: { Accept: "application/json" } });
    if (response.status === 401) { count.textContent = "Your session has expired. Save to sign in again; your input is kept."; return }
    const result = await response.json();
    await released();
    const alert = document.createElement("p");
    alert.className = "alert";
    alert.textContent = result.error ?? "";
    problem.replaceChildren(...(result.error ? [alert] : []));
    count.textContent = result.error ? "Not counted" :
      `${result.targeted} ${result.targeted === 1 ? "device" : "devices"}, ${result.push_enabled} reachable by push, ${result.quiet} of them quietly`;
  } catch (error) {
    if (error.name !== "AbortError") count.textContent = "Cannot reach the server. Check the connection.";
  }
}

form.addEventListener("input", (event) => {
  const rows = form.querySelectorAll("#rows .pair");
  const last = rows[rows.length - 1];
  if (last.contains(event.target)) {
    const row = last.cloneNode(true);
    for (const input of row.querySelectorAll("input")) input.value = "";
    last.after(row);
  }
  clearTimeout(timer);
  timer = setTimeout(recount, 150);
});
