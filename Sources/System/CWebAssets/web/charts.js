// Shows the value of a bar, by pointer and by arrow keys. The values come from the chart's table.
const ns = "http://www.w3.org/2000/svg";

for (const section of document.querySelectorAll(".chart")) {
  const svg = section.querySelector("svg.bars");
  // Tables list the newest first, charts the oldest.
  const rows = [...section.querySelectorAll("tbody tr")].reverse();
  if (!svg || rows.length === 0) continue;
  const [left, right] = [Number(svg.dataset.left), Number(svg.dataset.right)];
  const slot = (right - left) / rows.length;
  const readout = document.createElement("p");
  readout.className = "readout";
  readout.setAttribute("role", "status");
  svg.after(readout);
  const band = document.createElementNS(ns, "rect");
  band.classList.add("band");
  for (const [name, value] of Object.entries({ y: svg.dataset.top, height: svg.dataset.height, width: slot })) {
    band.setAttribute(name, value);
  }
  let index = null;

  function show(next) {
    if (next === null) {
      band.remove();
      readout.textContent = "";
    } else if (next !== index) {
      band.setAttribute("x", left + next * slot);
      svg.insertBefore(band, svg.querySelector("g"));
      const [label, count] = rows[next].children;
      readout.textContent = `${label.textContent}: ${count.textContent}`;
    }
    index = next;
  }

  const clamp = (value) => Math.min(rows.length - 1, Math.max(0, value));
  svg.addEventListener("pointermove", (event) => {
    const box = svg.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * svg.viewBox.baseVal.width;
    show(x < left || x > right ? null : clamp(Math.floor((x - left) / slot)));
  });
  svg.addEventListener("pointerleave", () => show(null));
  svg.setAttribute("tabindex", "0");
  svg.addEventListener("blur", () => show(null));
  svg.addEventListener("keydown", (event) => {
    const last = rows.length - 1;
    const moves = {
      ArrowLeft: index === null ? last : index - 1, ArrowRight: index === null ? 0 : index + 1,
      Home: 0, End: last, Escape: null,
    };
    if (!(event.key in moves)) return;
    event.preventDefault();
    show(moves[event.key] === null ? null : clamp(moves[event.key]));
  });
}
