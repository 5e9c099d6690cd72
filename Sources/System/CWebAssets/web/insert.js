// The menu that inserts a name into the text that was last written.

export function showInsertMenu(form) {
  for (const element of form.querySelectorAll("[data-script]")) element.hidden = false;
}

// `first` is the id of the field that gets the name before another one had the focus.
export function useInsertMenu(form, first, inserted = () => {}) {
  showInsertMenu(form);
  let last = first;
  form.addEventListener("focusin", (event) => {
    if (/^(v\d+_)?(title|subtitle|text|message_text|lang_.*)$/.test(event.target.id)) last = event.target.id;
  });
  form.addEventListener("change", (event) => {
    const menu = event.target;
    if (menu.id !== "insert" || !menu.value) return;
    const field = document.getElementById(last) ?? document.getElementById(first);
    field.setRangeText(menu.value, field.selectionStart, field.selectionEnd, "end");
    menu.value = "";
    field.focus();
    inserted();
  });
}
