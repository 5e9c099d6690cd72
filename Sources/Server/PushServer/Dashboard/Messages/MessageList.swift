import Markup
import PushModel

/// The list of an app's in-app messages, the newest first.
struct MessageList {
  var request: PageRequest
  var page: Page<Message>
  /// The number of devices that have shown each message, by the place.
  var seen: [String: [Message.Impression: Int]]
  /// Whether the list includes the messages of triggered campaigns.
  var hasTriggered = false
  /// The number of messages of triggered campaigns that the list leaves out.
  var leftOut = 0

  private var path: String { request.path(.sends) + MessagesPages.path }

  var html: HTML {
    """
    <p><a href="\(request.path(.sends))">Sends</a></p>
    <div class="head"><h1>In-app messages</h1>\
    <a class="button primary" href="\(request.path(.compose))">Compose</a></div>
    \(page.elements.isEmpty && leftOut == 0 ? empty : table)
    \(triggeredNote)
    """
  }

  private var triggeredNote: HTML? {
    guard leftOut > 0 else { return nil }
    return """
      <p class="muted">Not in this list: \(leftOut) of triggered campaigns, which have one for all people who are due at \
      the same time. <a href="\(path)?triggered=1">List them, too</a></p>
      """
  }

  private var empty: HTML {
    """
    <div class="card empty"><h2>No in-app messages yet</h2>
    <p>An in-app message is in the inbox that the app shows, with or without a push. Choose its type in the composer.</p>
    <p><a class="button primary" href="\(request.path(.compose))">Compose</a></p></div>
    """
  }

  private var table: HTML {
    let rows = page.elements.map { message -> HTML in
      let counts = seen[message.id] ?? [:]
      return """
        <tr><th scope="row"><a href="\(path)/\(message.id)">\(message.title)</a></th>\
        <td>\(message.stateTag(at: request.now))</td><td>\(.time(message.publishAt))</td>\
        <td class="number">\(counts[.stream] ?? 0)</td><td class="number">\(counts[.detail] ?? 0)</td></tr>

        """
    }
    let table: HTML = """
      <table class="list"><caption>\(page.elements.count) of \(page.total) \
      \(page.total == 1 ? "message" : "messages")</caption>
      <thead><tr><th scope="col">Message</th><th scope="col">Status</th><th scope="col">Published</th>\
      <th scope="col" class="number">Listed</th><th scope="col" class="number">Opened</th></tr></thead>
      <tbody>\(rows)</tbody></table>
      """
    let older: HTML? = page.cursor.map { cursor in
      let triggered = hasTriggered ? [(name: "triggered", value: "1")] : []
      let query = Form(triggered + [(name: "after", value: cursor)]).urlEncoded
      return "<a class=\"button\" href=\"\(path)?\(query)\">Older</a>"
    }
    return "\(HTML.table("In-app messages", table))<div class=\"row\">\(older)</div>"
  }
}
