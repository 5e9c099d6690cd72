import Markup
import PushModel
import PushPayload

/// The page of one send: its progress, controls and delivery problems.
struct SendView {
  var request: PageRequest
  var send: Send
  var reasons: [OutcomeReason: Int]
  var mediaFailures: [String: Int]
  var template = TemplateCounts()
  /// The devices on which an event is credited to the send, by the name of the event.
  var conversions: [String: Int] = [:]
  /// The audience; `nil` if it was deleted.
  var audience: Audience?
  /// Whether the send belongs to an in-app message.
  var hasMessage = false
  var problem: String?

  var path: String { "\(request.path(.sends))/\(send.id)" }

  var html: HTML {
    """
    <p><a href="\(request.path(.sends))">Sends</a></p>
    <div class="head"><h1>\(send.summary)</h1>
    <div class="row">\(report)\(edit)\(resend)\(request.mayOpen(.compose) ? duplicate : nil)</div></div>
    \(problem.map { HTML.problem($0) })
    <p id="connection" class="note" role="status" hidden></p>
    <div class="beside">
    <div>
    <div id="watch" data-events="\(path)/events"\(" data-over=\"\"", if: send.state.isOver)>
    <div id="state" role="status" data-state="\(send.state.rawValue)"><p>\(send.stateTag) \(Audience.testTag, if: audience?.isTest == true) \(stateText)</p></div>
    \(progress)
    \(counts)
    <div id="controls" class="row">\(controls)</div>
    <div id="failures">\(failures)</div>
    </div>
    \(SendTemplate(template, of: send).html)
    \(requestDetails)
    </div>
    <section class="preview" aria-labelledby="preview-title"><h2 id="preview-title">Preview</h2>
    <picture><source media="(prefers-color-scheme: dark)" srcset="\(path)/card.png?dark=1">\
    <img class="shown" src="\(path)/card.png" width="393" alt="\(send.summary)"></picture>
    </section>
    </div>
    \(WhyForm(request: request, subject: .notification(send.id)).section())
    """
  }

  private var report: HTML? {
    guard request.mayOpen(.reports) else { return nil }
    return "<a class=\"button\" href=\"\(SendReport.path(of: send, request))\">Report</a>"
  }

  private var edit: HTML? {
    guard send.canBeEdited, !hasMessage, request.may(.send) else { return nil }
    return "<a class=\"button\" href=\"\(request.path(.compose))?edit=\(send.id)\">Edit</a>"
  }

  /// The link that composes the send again for the devices that did not open it.
  private var resend: HTML? {
    guard send.state.isOver, send.counts.sent > 0, !hasMessage, request.mayOpen(.compose) else {
      return nil
    }
    return """
      <a class="button" href="\(request.path(.compose))?from=\(send.id)&amp;unopened=1">Resend\
      <span class="wide-words"> to who did not open</span></a>
      """
  }

  private var stateText: HTML {
    switch send.state {
    case .scheduled:
      guard let time = send.scheduledAt else { return "Starts immediately." }
      guard send.isLocalTime else { return "Starts at \(.time(time))." }
      return "Starts at \(.wallTime(time)) in each device's local time."
    case .failed: return "\(send.failure ?? "")"
    case .paused, .pausing: return send.failure.map { "The server has paused it: \($0)." } ?? ""
    case .complete: return send.completedAt.map { "Completed at \(.time($0))." } ?? ""
    default: return ""
    }
  }

  private var progress: HTML {
    let done = send.counts.targeted - max(0, send.counts.left)
    return """
      <label for="progress" class="label">Processed by APNs: <span data-count="done">\(.count(done))</span> of \
      <span data-count="targeted">\(.count(send.counts.targeted))</span></label>
      <progress id="progress" max="\(max(1, send.counts.targeted))" value="\(done)"></progress>
      """
  }

  /// The way of the devices, and the counts beside it.
  private var counts: HTML {
    let counts = send.counts
    let limited: [(String, String, Int)] = [
      ("quiet", "of them in quiet hours", counts.quiet),
      ("capped", "of them capped", counts.capped),
    ].filter { $0.2 > 0 }
    let others: [(String, String, Int)] =
      [("rejected", "Rejected", counts.rejected)] + limited + [
        ("uninstalled", "Uninstalled", counts.uninstalled),
        ("expired", "Expired", send.expiredCount),
        ("delivered", "Delivered", counts.delivered),
      ]
    let items = others.map { name, title, count -> HTML in
      "<div><dt>\(title)</dt><dd data-count=\"\(name)\">\(.count(count))</dd></div>"
    }
    let funnel = Funnel(steps: [
      .init(name: "targeted", title: "Targeted", count: counts.targeted),
      .init(name: "sent", title: "Accepted", count: counts.sent),
      .init(name: "displayed", title: "Displayed", count: counts.displayed),
      .init(name: "opened", title: "Opened", count: counts.opened),
      Funnel.conversions(conversions),
    ])
    return "\(funnel.html)<dl class=\"aside\">\(items)</dl>"
  }

  private var duplicate: HTML {
    "<a class=\"button\" href=\"\(request.path(.compose))?from=\(send.id)\">Duplicate</a>"
  }

  private var controls: HTML? {
    guard !send.state.isOver, request.may(.stop) else { return nil }
    let isPaused = send.state == .paused || send.state == .pausing
    let toggle: HTML? =
      isPaused
      ? !request.may(.approve)
        ? nil
        : "<button class=\"primary\" name=\"action\" value=\"resume\">Resume</button>"
      : "<button name=\"action\" value=\"pause\">Pause</button>"
    return """
      <form method="post" action="\(path)" class="row">\(request.session.tokenField)\(toggle)
      <details class="ask"><summary class="button">Cancel…</summary>
      <p>\(consequence)</p>
      <button class="danger" name="action" value="cancel">Cancel send</button></details></form>
      """
  }

  private var consequence: String {
    guard send.startedAt != nil else {
      return "No device gets this notification. A canceled send cannot be resumed."
    }
    return "Devices that APNs has accepted it for keep it; the others do not get it. "
      + "A canceled send cannot be resumed."
  }

  /// The failed pushes and media by reason, each with advice.
  var failures: HTML? {
    let failed = reasons.filter { $0.key.result != .sent }
      .sorted { ($1.value, $0.key.reason ?? "") < ($0.value, $1.key.reason ?? "") }
    guard !failed.isEmpty || !mediaFailures.isEmpty else { return nil }
    let rows = failed.map { outcome, count -> HTML in
      let reason = outcome.reason ?? outcome.result.rawValue
      return Self.problem(
        FailureAdvice.title(reason), reason, count: count, advice: FailureAdvice.text(reason))
    }
    let media = mediaFailures.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { reason, count in
        Self.problem(
          FailureAdvice.mediaTitle(reason), reason, count: count,
          advice: FailureAdvice.media(reason))
      }
    let table: HTML = """
      <table class="list"><thead><tr><th scope="col">Reason</th>\
      <th scope="col" class="number">Devices</th><th scope="col" class="wide">What to do</th></tr></thead>
      <tbody>\(rows)\(media)</tbody></table>
      """
    return "<h2>Delivery problems</h2>\(HTML.table("Delivery problems", table))"
  }

  private static func problem(
    _ title: String, _ reason: String, count: Int, advice: String
  ) -> HTML {
    """
    <tr><th scope="row">\(title)\("<div class=\"muted\">\(reason)</div>", if: title != reason)\
    <div class="phone">\(advice)</div></th>\
    <td class="number">\(.count(count))</td><td class="wide">\(advice)</td></tr>

    """
  }

  private var audienceName: String {
    if send.audience == Identifiers.everyone(in: send.app) { return "All devices" }
    guard let audience else { return Audience.deletedName }
    return audience.name ?? "Filters"
  }

  private var requestDetails: HTML {
    let text = String(decoding: send.payload.serialized(), as: UTF8.self)
    return """
      <h2>Request</h2>
      <div class="card"><dl class="facts">
      \(send.name.map { "<dt>Name</dt><dd>\($0)</dd>" as HTML })\
      \(send.labels.isEmpty ? nil : "<dt>Labels</dt><dd>\(send.labels.joined(separator: ", "))</dd>" as HTML)
      <dt>Audience</dt><dd>\(audienceName)</dd>
      <dt>Created</dt><dd>\(.time(send.createdAt))</dd>
      \(send.expiresAt.map { "<dt>Expires at</dt><dd>\(.time($0))</dd>" as HTML })
      \(send.throttlePerSecond.map { "<dt>Rate limit</dt><dd>\($0) per second</dd>" as HTML })
      <dt>ID</dt><dd>\(.copyID(send.id, of: send.summary))</dd>
      </dl><details><summary>Payload</summary><pre tabindex="0"><code>\(text)</code></pre></details></div>
      """
  }
}
