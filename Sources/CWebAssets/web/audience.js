// Counts while somebody builds an audience, and always offers one more line.
const form = document.getElementById("audience");
const count = document.getElementById("count");
const problem = document.getElementById("problem");
let running = null;
let timer = 0;

async function recount() {
  running?.abort();
  running = new AbortController();
  const body = new FormData(form);
  body.set("action", "count");
  try {
    const answer = await fetch(form.getAttribute("action"), { method: "POST", body, signal: running.signal, headers: { Accept: "application/json" } });
    if (answer.status === 401) { count.textContent = "The session is over. Copy what you wrote and sign in again."; return }
    const result = await answer.json();
    const alert = document.createElement("p");
    alert.className = "alert";
    alert.textContent = result.error ?? "";
    problem.replaceChildren(...(result.error ? [alert] : []));
    count.textContent = result.error ? "Not counted" :
      `${result.targeted} ${result.targeted === 1 ? "device" : "devices"}, ${result.push_enabled} reached by push, ${result.quiet} of them quietly`;
  } catch (error) {
    if (error.name !== "AbortError") count.textContent = "The server cannot be reached.";
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
