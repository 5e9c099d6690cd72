import Markup
import PushModel
import PushPayload

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

/// The page of one in-app message.
struct MessageView {
  var request: PageRequest
  var message: Message
  var problem: String?
  var seen: [Message.Impression: Int] = [:]
  var readers = (read: 0, hidden: 0)
  var audience: Audience?
  /// The push that was sent with the message.
  var send: Send?
  var preview: MessagePreview?

  private var path: String { MessagesPages.path(of: message, request) }
  private var edit: HTML? {
    request.may(.send) ? "<a class=\"button\" href=\"\(path)/edit\">Edit</a>" : nil
  }

  private var isOver: Bool { message.unpublishAt <= request.now }

  var html: HTML {
    """
    <p><a href="\(request.path(.sends))\(MessagesPages.path)">In-app messages</a></p>
    <div class="head"><h1>\(message.title)</h1><div class="row">\(edit)</div></div>
    \(problem.map { HTML.alert($0) })
    <div id="state" role="status"><p>\(message.stateTag(at: request.now)) \(time)</p></div>
    <section class="card"><h2>Result</h2><dl class="facts">
    \(facts.map { "<dt>\($0.title)</dt><dd>\($0.text)</dd>\n" as HTML })</dl></section>
    <h2>As the app shows it</h2>
    \(preview?.html)
    \(isOver ? nil : end)
    """
  }

  private var time: HTML {
    if isOver { return "Inboxes have shown it until \(.time(message.unpublishAt))." }
    return message.publishAt > request.now
      ? "Inboxes show it from \(.time(message.publishAt)) until \(.time(message.unpublishAt))."
      : "Inboxes show it until \(.time(message.unpublishAt))."
  }

  private var facts: [(title: String, text: HTML)] {
    func devices(_ kind: Message.Impression) -> HTML {
      "\(AudienceReach.devices(seen[kind] ?? 0))"
    }
    func people(_ count: Int) -> HTML {
      "\(count) \(count == 1 ? "person, or device" : "people, or devices") without a user"
    }
    var facts: [(title: String, text: HTML)] = [
      ("Audience", audienceName), ("Listed on", devices(.stream)), ("Opened on", devices(.detail)),
      ("Shown over the app on", devices(.inApp)), ("Read by", people(readers.read)),
      ("Removed by", people(readers.hidden)),
    ]
    if let send {
      let counts = send.counts
      facts.append(
        (
          "Push",
          """
          <a href="\(request.path(.sends))/\(send.id)">\(send.stateTag)</a> accepted for \
          \(AudienceReach.devices(counts.sent)), opened on \(AudienceReach.devices(counts.opened))
          """
        ))
    }
    return facts
  }

  private var audienceName: HTML {
    if audience?.isEveryone == true { return "All devices, also those that register later" }
    return "\(audience?.name ?? "Devices chosen for it")"
  }

  private var end: HTML {
    let pending: HTML? =
      send.map { $0.state == .scheduled } == true
      ? " Its push is not sent yet, and is canceled on its own page." : nil
    return """
      <form method="post" action="\(path)">\(request.session.tokenField)
      <details class="ask"><summary class="button">Unpublish…</summary>
      <p>Inboxes stop showing it when they next load. An edit of “\(MessageForm.Field.unpublishAt.title)” shows it \
      again.\(pending)</p>
      <button class="danger" name="action" value="unpublish">Unpublish message</button></details></form>
      """
  }
}

/// A message in the inbox of MartletKitUI: in its list, and opened.
struct MessagePreview {
  var message: Message
  /// The path of the picture; `nil` if it is not one of this server's uploads.
  var picture: String?
  /// The host of a picture that the app loads from elsewhere.
  var host: String?

  init(_ message: Message, _ request: PageRequest) async throws {
    self.message = message
    guard let url = message.content["card_image_url"]?.string else { return }
    if let name = url.split(separator: "/").last,
      try await request.actions.uploads?.file(url: url) != nil
    {
      picture = "/media/\(name)"
    } else {
      host = url.split(separator: "/").dropFirst().first.map(String.init) ?? url
    }
  }

  private var text: String? { message.content["text"]?.string }

  var html: HTML {
    """
    <div class="cards">
    <section class="card"><h3>In the inbox</h3>
    <div class="inbox-row">\(image("inbox-picture"))<div>
    <p class="inbox-title"><span class="inbox-unread"><span class="hidden">Unread</span></span>\(message.title)</p>
    \(text.map { "<p class=\"inbox-text\" dir=\"auto\">\($0)</p>" as HTML })
    <p class="muted">\(.time(message.publishAt))</p></div></div></section>
    <section class="card"><h3>Opened</h3>\(image("inbox-large"))
    <p class="inbox-title" dir="auto">\(message.title)</p>
    \(text.map { "<p dir=\"auto\">\($0)</p>" as HTML })\(more)</section>
    </div>
    <p class="help">A likeness of the inbox of MartletKitUI. An app with an inbox of its own may show it otherwise.</p>
    """
  }

  private func image(_ style: String) -> HTML? {
    if let picture { return "<img class=\"\(style)\" src=\"\(picture)\" alt=\"\">" }
    guard let host else { return nil }
    return
      "<div class=\"\(style) inbox-remote\"><span class=\"muted\">Picture of \(host)</span></div>"
  }

  private var more: [HTML] {
    let content = message.content
    let parts = [
      ("Video", content["card_media_url"]?.string), ("Link", content["url"]?.string),
    ]
    return parts.compactMap { title, value in
      value.map { "<p>\(title): <code>\($0)</code></p>" }
    }
  }
}

extension Message {
  /// The state of a message at a time.
  func stateTag(at now: Timestamp) -> HTML {
    if unpublishAt <= now { return "<span class=\"tag good\">ended</span>" }
    return publishAt > now
      ? "<span class=\"tag wait\">planned</span>" : "<span class=\"tag\">published</span>"
  }
}
