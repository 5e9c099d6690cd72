import Markup
import PushModel
import PushPayload

/// The page of one in-app message.
struct MessageView {
  var request: PageRequest
  var message: Message
  var problem: String?
  var seen: [Message.Impression: Int] = [:]
  var readers = (read: 0, hidden: 0)
  /// The audience; `nil` if it was deleted.
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
    guard let audience else { return "\(Audience.deletedName)" }
    if audience.isEveryone { return "All devices, also those that register later" }
    return "\(audience.name ?? "Devices chosen for it")"
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

extension Message {
  /// The state of a message at a time.
  func stateTag(at now: Timestamp) -> HTML {
    let state = state(at: now)
    let kind: HTML =
      switch state {
      case .planned: " wait"
      case .published: ""
      case .ended: " good"
      }
    return "<span class=\"tag\(kind)\">\(state.rawValue)</span>"
  }
}
