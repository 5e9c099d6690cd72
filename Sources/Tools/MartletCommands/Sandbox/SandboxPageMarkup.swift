import Markup

/// The document, style sheet and script of the sandbox's page.
enum SandboxPageMarkup {
  /// The document with the rows after a change, with the newest first.
  static func document(rows: [HTML], change: Int) -> HTML {
    """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>APNs sandbox</title>
    <link rel="stylesheet" href="/page.css">
    <script src="/page.js" defer></script>
    </head>
    <body>
    <header>
    <h1>APNs sandbox</h1>
    <button id="pause" type="button" hidden>Pause</button>
    <form id="phone" hidden>
    <label>Device token <input name="token" required autocomplete="off" spellcheck="false"></label>
    <button value="offline">Take offline</button>
    <button value="online">Bring back</button>
    </form>
    <p id="state" role="status"></p>
    <noscript><p>Without JavaScript this list does not update: reload the page to see later \
    requests.</p></noscript>
    </header>
    <main>
    <h2>Requests, newest first</h2>
    <ol id="rows" reversed data-after="\(change)" data-most="\(SandboxFeed.rowLimit)">
    \(rows.map { "\($0)\n" as HTML })</ol>
    <p id="empty"\(" hidden", if: !rows.isEmpty)>No request yet.</p>
    </main>
    </body>
    </html>

    """
  }

  static let style = """
    body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
    header { display: flex; flex-wrap: wrap; gap: .75rem 1rem; align-items: center }
    h1 { margin: 0; flex: 1 }
    h2 { font-size: 1rem }
    noscript, #state, #phone { flex-basis: 100%; margin: 0 }
    button, input { font: inherit; padding: .4rem 1rem; min-width: 6rem }
    #phone:not([hidden]) { display: flex; flex-wrap: wrap; gap: .5rem }
    label { display: flex; flex-wrap: wrap; gap: .25rem .5rem; align-items: center; flex: 0 1 24rem }
    input { flex: 1 1 12rem; min-width: 0 }
    :focus-visible { outline: 3px solid Highlight; outline-offset: 2px }
    ol { list-style: none; padding: 0 }
    li { border-block-start: 1px solid #8886; border-inline-start: .3rem solid; padding: .6rem 1rem }
    li p { margin: 0 }
    .accepted { border-inline-start-color: #2a7d46 }
    .refused { border-inline-start-color: #c4312d }
    .head { display: flex; flex-wrap: wrap; gap: 0 1rem }
    .alert { white-space: pre-line }
    code, span, .alert { overflow-wrap: anywhere }
    time { font-variant-numeric: tabular-nums }
    img { display: block; max-width: min(100%, 24rem); height: auto; margin-block: .5rem }
    pre { overflow-x: auto; margin: .3rem 0; padding: .5rem; background: #8882 }

    """

  static let script = #"""
    "use strict";
    const list = document.getElementById("rows");
    const state = document.getElementById("state");
    const pause = document.getElementById("pause");
    const most = Number(list.dataset.most);
    let held = null;

    // The server makes the rows, in which all text of a request is escaped.
    function put(markup) {
      const box = document.createElement("template");
      box.innerHTML = markup;
      const row = box.content.firstElementChild;
      const old = document.getElementById(row.id);
      if (old) {
        const [shown, had] = [row.querySelector("details"), old.querySelector("details")];
        if (shown && had) shown.open = had.open;
        const place = old.contains(document.activeElement) ? document.activeElement.tagName : null;
        old.replaceWith(row);
        if (place) row.querySelector(place.toLowerCase())?.focus();
      } else {
        list.prepend(row);
      }
      while (list.children.length > most) list.lastElementChild.remove();
      document.getElementById("empty").hidden = true;
    }

    function showState() {
      state.textContent = held === null ? "Live." : `Paused, ${held.length} changes waiting.`;
    }

    function receive(markup) {
      if (held === null) return put(markup);
      held.push(markup);
      // More than twice the rows of the list would be dropped by now.
      if (held.length > 2 * most) held.shift();
      showState();
    }

    pause.addEventListener("click", () => {
      const waiting = held;
      held = held === null ? [] : null;
      if (waiting) waiting.forEach(put);
      pause.textContent = held === null ? "Pause" : "Resume";
      showState();
    });

    const phone = document.getElementById("phone");
    phone.addEventListener("submit", async (event) => {
      event.preventDefault();
      const token = encodeURIComponent(phone.elements.token.value.trim());
      try {
        const answer = await fetch(`/phones/${token}/${event.submitter.value}`, { method: "POST" });
        state.textContent = await answer.text();
      } catch {
        state.textContent = "The sandbox is not reachable.";
      }
    });
    phone.hidden = false;

    const events = new EventSource("/events?after=" + list.dataset.after);
    events.addEventListener("open", showState);
    events.addEventListener("message", (event) => receive(event.data));
    events.addEventListener("reset", () => list.replaceChildren());
    events.addEventListener("error", () => { state.textContent = "The sandbox is not reachable."; });
    pause.hidden = false;

    """#
}
