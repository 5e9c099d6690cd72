// The preview beside a form: its picture, size, remarks and steps follow what is typed. The composer and the form of a
// campaign have it.
import { localize, parseElements, released } from "./page.js";

// The look of the picture is that of the last message in this tab, unless the page has one of its own.
function rememberLook(form) {
  let isRemembered = false;
  for (const select of ["look", "place"].map((name) => form.elements.namedItem(name))) {
    const key = `martlet-${select.name}`;
    const remembered = sessionStorage.getItem(key);
    if (remembered !== null && remembered !== select.value && !("chosen" in select.dataset)) {
      select.value = remembered;
      isRemembered = true;
    }
    select.addEventListener("change", () => sessionStorage.setItem(key, select.value));
  }
  return isRemembered;
}

// `asked` are the fields that a request for a preview has beside those of the form, `prefix` is that of the names of the
// message that is shown, `note` says what is wrong, and `saved` says that nothing is lost.
export function usePreview(form, { asked = () => ({}), prefix = () => "", note, saved }) {
  let sharpRequest = null;
  let isDrawing = false;
  let isStale = false;
  let timer = 0;
  const budget = document.getElementById("budget");
  const appearance = () => form.elements.namedItem("appearance").value;

  async function post(action, extra = {}, signal, accept = "application/json") {
    const body = new FormData(form);
    for (const [name, value] of [...body]) if (typeof value !== "string") body.delete(name);
    body.set("action", action);
    for (const [name, value] of Object.entries({ ...asked(), ...extra })) body.set(name, value);
    const response = await fetch(form.getAttribute("action"), { method: "POST", body, signal, headers: { Accept: accept } });
    if (response.status === 401) {
      const link = document.createElement("a");
      link.href = `/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`;
      link.textContent = "Sign in again";
      note(`Your session has expired. ${saved()}`, link);
      throw new DOMException("signed out", "AbortError");
    }
    return response;
  }

  function finding(remark) {
    const item = document.createElement("div");
    item.className = `finding ${remark.severity === "refusal" ? "error" : remark.severity}`;
    const strong = document.createElement("strong");
    strong.textContent = remark.message;
    item.append(strong, remark.advice ?? "");
    return item;
  }

  function showRemarks(remarks) {
    const all = [...form.querySelectorAll("[data-remarks]")];
    const places = new Set(all.map(({ dataset }) => dataset.remarks));
    document.getElementById("remarks").replaceChildren(...remarks.filter(({ field }) => !places.has(field)).map(finding));
    for (const container of all) {
      const field = container.dataset.remarks;
      if (field === "test_device") continue;
      let here = remarks.filter((remark) => remark.field === field);
      if (!field.startsWith(prefix())) {
        // Of another variant goes what is no longer so, and nothing is said of one that is not written yet.
        if (!/^v\d+_/.test(field) || !container.firstChild) continue;
        const known = new Set([...container.querySelectorAll("strong")].map(({ textContent }) => textContent));
        here = here.filter(({ message }) => known.has(message));
      }
      container.replaceChildren(...here.map(finding));
      const isRefused = here.some(({ severity }) => severity === "refusal");
      const input = document.getElementById(field);
      if (isRefused) {
        input?.setAttribute("aria-invalid", "true");
        // The summary of a page says what it lacks.
        const details = container.closest("details:not(.page-row)");
        if (details) details.open = true;
      } else {
        input?.removeAttribute("aria-invalid");
      }
    }
  }

  function showSteps(steps) {
    for (const { step, words, done } of steps) {
      const item = form.querySelector(`.steps [data-step="${step}"]`);
      if (!item) continue;
      item.className = done ? "done" : "open";
      item.querySelector(".state").textContent = words;
    }
  }

  // How many devices get which language, unless a button in it has the focus.
  function showCoverage(html) {
    const id = `${prefix()}coverage`;
    const [shown, next] = [document.getElementById(id), parseElements(html, [id]).get(id)];
    if (next && shown && shown.innerHTML !== next.innerHTML && !shown.contains(document.activeElement)) shown.replaceWith(next);
  }

  function show(preview) {
    const meter = document.getElementById("bytes");
    [meter.max, meter.high, meter.value] = [preview.limit, preview.limit * 0.9, preview.bytes ?? 0];
    budget.textContent = preview.budget;
    document.getElementById("nothing").textContent = preview.nothing;
    showCoverage(preview.coverage);
    if (preview.sendable) document.getElementById("refusals")?.remove();
    const faces = document.getElementById("faces");
    faces.hidden = !preview.template;
    faces.textContent = preview.faces;
    const film = document.getElementById("film");
    film.hidden = !preview.film;
    if (preview.film && film.getAttribute("src") !== preview.film) film.src = preview.film;
    const inbox = parseElements(`<div id="inbox">${preview.inbox ?? ""}</div>`, ["inbox"]).get("inbox");
    localize(inbox);
    document.getElementById("inbox").replaceWith(inbox);
    for (const [part, words] of Object.entries(preview.set)) {
      const element = document.getElementById(`${prefix()}${part}-set`);
      if (element) element.textContent = words;
    }
    showRemarks(preview.remarks);
    showSteps(preview.steps);
  }

  // What the open tab shows of a text: that of its language, or else the fallback.
  function shownText(name) {
    const language = form.querySelector(`[name="${prefix()}tab"]:checked`)?.value;
    const field = (id) => document.getElementById(prefix() + id)?.value;
    return field(`lang_${language}_${name}`) || field(name);
  }

  async function loadCard(appearance, options, signal) {
    const response = await post("card", { appearance, ...options }, signal, "image/jpeg");
    return response.status === 200 ? response.blob() : null;
  }

  function showCard(appearance, picture) {
    const image = document.getElementById(`card-${appearance}`);
    document.getElementById("nothing").hidden = picture !== null || document.getElementById("inbox").firstChild !== null;
    if (!picture) { image.hidden = true; return }
    const old = image.src;
    image.src = URL.createObjectURL(picture);
    if (old.startsWith("blob:")) URL.revokeObjectURL(old);
    const texts = ["title", "subtitle", "text"].map(shownText).filter(Boolean);
    image.alt = `${appearance === "dark" ? "Dark" : "Light"}: ${texts.join(". ")}`;
    image.hidden = false;
  }

  // One request at a time; changes made meanwhile are drawn next.
  async function update() {
    isStale = true;
    // The sharp pictures of the last state are not needed any more.
    sharpRequest?.abort();
    if (isDrawing) return;
    isDrawing = true;
    try {
      while (isStale) {
        isStale = false;
        await draw();
      }
    } catch (error) {
      if (error.name !== "AbortError") tryAgain();
    }
    isDrawing = false;
  }

  // Until the server answers, the preview is asked for every few seconds.
  function tryAgain() {
    note(`Cannot reach the server. ${saved()}`);
    budget.dataset.unreachable = "";
    clearTimeout(timer);
    timer = setTimeout(update, 2000);
  }

  async function draw() {
    const visible = appearance();
    const [response, picture] = await Promise.all([post("preview"), loadCard(visible, { quick: "1" })]);
    if ("unreachable" in budget.dataset) {
      delete budget.dataset.unreachable;
      note(null);
    }
    if (!response.ok) { note((await response.json()).error ?? "The preview failed. Try again."); return }
    const preview = await response.json();
    await released();
    show(preview);
    showCard(visible, picture);
    if (isStale) return;
    budget.dataset.current = "true";
    // After a pause in typing, the sharp picture, and then that of the other appearance.
    sharpRequest = new AbortController();
    try {
      await pause(250, sharpRequest.signal);
      for (const appearance of [visible, visible === "dark" ? "light" : "dark"]) {
        showCard(appearance, await loadCard(appearance, {}, sharpRequest.signal));
      }
    } catch (error) {
      if (error.name !== "AbortError") throw error;
    }
  }

  function changed() {
    delete budget.dataset.current;
    clearTimeout(timer);
    timer = setTimeout(update, 15);
  }

  // What is typed in a text of a language that is shown because it was refused opens its tab, which the preview shows.
  form.addEventListener("focusin", (event) => { if (reveal(event.target)) changed() });
  // A link to a field that is folded away, or in another tab.
  document.addEventListener("click", (event) => {
    const link = event.target.closest('a[href^="#"]');
    const field = link && document.getElementById(link.hash.slice(1));
    if (!field || !form.contains(field)) return;
    if (reveal(field)) changed();
    // Firefox takes the focus from all fields where a link leads to that of a date.
    if (field.localName !== "input") return;
    event.preventDefault();
    field.focus();
  });
  // A page to which the user goes back may have been stored before its draft was sent.
  window.addEventListener("pageshow", (event) => { if (event.persisted) update() });
  showCurrentStep(form);
  if (rememberLook(form)) update();
  return { post, update, changed, tryAgain };
}

// Opens the tabs and the folded parts that an element is in; says whether another tab is open now.
function reveal(element) {
  let isChanged = false;
  let part = element.closest("summary")?.parentElement ?? element;
  while ((part = part.parentElement)) {
    if (part.localName === "details") part.open = true;
    const tab = part.matches(".tabs > .panel") && part.previousElementSibling.querySelector("input");
    if (!tab || tab.checked) continue;
    tab.checked = true;
    isChanged = true;
  }
  return isChanged;
}

function pause(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

// The step in which somebody writes.
function showCurrentStep(form) {
  form.addEventListener("focusin", (event) => {
    const section = event.target.closest("section[id$='-step']");
    if (!section) return;
    for (const link of form.querySelectorAll(".steps a")) {
      if (link.hash === `#${section.id}`) link.setAttribute("aria-current", "step");
      else link.removeAttribute("aria-current");
    }
  });
}

// MARK: Upload

// Files are uploaded as soon as they are chosen, and their URLs are put into the fields beside them.
export function useUploads(form, changed) {
  form.addEventListener("change", (event) => { if (event.target.type === "file") upload(form, event.target, changed) });
}

async function upload(form, input, changed) {
  const file = input.files[0];
  if (!file) return;
  const status = input.parentElement.querySelector('[role="status"]');
  status.hidden = false;
  if (file.size > 50 * 1024 * 1024) {
    status.textContent = `${file.name} is too large: videos may have 50 MB, pictures 10 MB, audio 5 MB.`;
    input.value = "";
    return;
  }
  status.textContent = `Uploading ${file.name}…`;
  const body = new FormData();
  body.set("token", form.elements.namedItem("token").value);
  body.set("action", "upload");
  body.set(input.name, file);
  try {
    const response = await fetch(form.getAttribute("action"), { method: "POST", body, headers: { Accept: "application/json" } });
    const result = await response.json();
    if (response.ok) {
      const field = input.name.endsWith("_url_file") ? input.name.replace(/_file$/, "") : input.name.replace(/file$/, "media");
      document.getElementById(field).value = result.url;
      status.textContent = `${file.name} was uploaded.`;
      changed();
    } else {
      status.textContent = `${file.name}: ${result.error}`;
    }
  } catch {
    status.textContent = "The upload failed. Check the connection and try again.";
  }
  input.value = "";
}

// An empty row of custom data follows the last one that is written.
export function useRows(form) {
  form.addEventListener("input", (event) => {
    const pair = event.target.closest(".pairs > .pair");
    if (!pair || pair.nextElementSibling) return;
    const row = pair.cloneNode(true);
    for (const input of row.querySelectorAll("input")) input.value = "";
    pair.after(row);
  });
}
