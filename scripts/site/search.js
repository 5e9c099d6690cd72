// The search of the documents: puts a box in place of the link to all headings, and reads the index at the first use.
// Words match the beginnings of words, in titles, headings and texts; all words of a question must be on a page.
"use strict";

const place = document.querySelector(".find");
const root = place.dataset.root;
const most = 12;

const input = document.createElement("input");
Object.assign(input, { type: "search", placeholder: "Search", autocomplete: "off" });
input.setAttribute("aria-label", "Search the documents; the arrow keys move through the results");
input.setAttribute("aria-keyshortcuts", "/");
const results = document.createElement("div");
results.className = "results";
results.hidden = true;
results.setAttribute("aria-live", "polite");
const count = document.createElement("p");
const list = document.createElement("ol");
results.append(count, list);
place.replaceChildren(input, results);

// A long page list begins at the page that it is on.
document.querySelector('#_pages a[aria-current="page"]')?.scrollIntoView({ block: "nearest" });

// The index is a script, so that a copy of the site on a disk can be searched too.
let loading;
function load() {
  loading ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = `${root}search-index.js`;
    script.onload = () => resolve(prepare(window.searchIndex));
    script.onerror = () => reject(new Error("The index cannot be read."));
    document.head.append(script);
  });
  return loading;
}

function prepare({ pages, entries }) {
  return entries.map(([page, anchor, heading, text]) => {
    const [path, title, section] = pages[page];
    // The words inside a name such as TestPhone are words too.
    const name = `${title} ${heading}`;
    const words = `${name} ${name.replace(/([a-z\d])([A-Z])/g, "$1 $2")}`.toLowerCase();
    const address = root + path + (anchor && `#${encodeURIComponent(anchor)}`);
    return { address, title, section, heading, text, words, lower: text.toLowerCase() };
  });
}

const escape = (word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

// The worth of an entry for the words: a whole word counts more than a beginning, a title more than a text.
function score(entry, terms) {
  let sum = 0;
  for (const { word, begin, whole } of terms) {
    let worth = 0;
    if (begin.test(entry.words)) {
      worth = whole.test(entry.words) ? 40 : 20;
      if ((entry.heading || entry.title).toLowerCase() === word) worth += 60;
    }
    if (begin.test(entry.lower)) worth += whole.test(entry.lower) ? 6 : 3;
    if (!worth) return 0;
    sum += worth;
  }
  const phrase = terms.map(({ word }) => word).join(" ");
  if (terms.length > 1 && entry.words.includes(phrase)) sum += 60;
  if (terms.length > 1 && entry.lower.includes(phrase)) sum += 15;
  return entry.heading ? sum : sum + 5;
}

function find(entries, question) {
  const words = question.toLowerCase().split(/[\s,;:]+/).filter(Boolean);
  const terms = words.map((word) => {
    const start = /^\w/.test(word) ? "(?<!\\w)" : "";
    return { word, begin: new RegExp(start + escape(word)), whole: new RegExp(`${start}${escape(word)}(?!\\w)`) };
  });
  return entries.map((entry) => ({ entry, worth: terms.length ? score(entry, terms) : 0 }))
    .filter(({ worth }) => worth).sort((one, other) => other.worth - one.worth)
    .map(({ entry }) => ({ entry, terms }));
}

// The part of a text around the first word that matches, with the words marked.
function excerpt(text, terms) {
  const pattern = new RegExp(`(?<!\\w)(?:${terms.map(({ word }) => escape(word)).join("|")})`, "gi");
  const first = text.search(pattern);
  const from = first > 60 ? text.indexOf(" ", first - 50) + 1 : 0;
  const part = text.slice(from, from + 150);
  const span = document.createElement("span");
  let end = 0;
  for (const match of part.matchAll(pattern)) {
    const mark = document.createElement("mark");
    mark.textContent = match[0];
    span.append(part.slice(end, match.index), mark);
    end = match.index + match[0].length;
  }
  span.append(part.slice(end), from + 150 < text.length ? "…" : "");
  if (from) span.prepend("…");
  return span;
}

function item({ entry, terms }) {
  const link = document.createElement("a");
  link.href = entry.address;
  const name = document.createElement("strong");
  name.textContent = entry.heading || entry.title;
  const where = document.createElement("span");
  where.textContent = [entry.section, entry.heading && entry.title].filter(Boolean).join(" › ");
  link.append(name, where, excerpt(entry.text, terms));
  const line = document.createElement("li");
  line.append(link);
  return line;
}

async function show() {
  const question = input.value.trim();
  results.hidden = !question;
  if (!question) return;
  try {
    const found = find(await load(), question);
    if (question !== input.value.trim()) return;
    const all = `${found.length} ${found.length === 1 ? "result" : "results"}`;
    count.textContent = found.length > most ? `The first ${most} of ${all}` : all;
    list.replaceChildren(...found.slice(0, most).map(item));
  } catch (error) {
    count.textContent = error.message;
  }
}

input.addEventListener("focus", () => { load().catch(() => {}); if (input.value) show(); });
input.addEventListener("input", show);
place.addEventListener("keydown", (event) => {
  const stops = [input, ...list.querySelectorAll("a")];
  const now = stops.indexOf(document.activeElement);
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step && stops[now + step]) {
    event.preventDefault();
    stops[now + step].focus();
  } else if (event.key === "Enter" && now === 0 && stops[1]) {
    stops[1].click();
  } else if (event.key === "Escape") {
    results.hidden = true;
    input.focus();
  }
});
place.addEventListener("focusout", (event) => { if (!place.contains(event.relatedTarget)) results.hidden = true; });
list.addEventListener("click", () => { results.hidden = true; });
document.addEventListener("keydown", (event) => {
  if (event.key === "/" && !event.target.closest("input, textarea")) { event.preventDefault(); input.focus(); }
});
