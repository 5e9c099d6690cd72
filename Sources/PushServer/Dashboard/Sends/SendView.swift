import Markup
import PushPayload
import PushStore

/// One send: how far it is, what may be done with it, and why some devices did not get it.
struct SendView {
  /// What became of one device.
  struct Trace {
    var device: String
    var outcome: Outcome?
    var apnsID: String?
    /// What the device itself reported.
    var receipts: [Receipt] = []
  }

  var visit: Visit
  var send: Send
  var reasons: [OutcomeReason: Int]
  var mediaFailures: [String: Int]
  var audience: Audience?
  var problem: String?
  var trace: Trace?

  var path: String { "\(visit.path(.sends))/\(send.id)" }

  var html: HTML {
    """
    <p><a href="\(visit.path(.sends))">Sends</a></p>
    <div class="head"><h1>\(send.words)</h1>
    <div class="row">\(report)<a class="button" href="\(visit.path(.compose))?from=\(send.id)">Write it again</a></div></div>
    \(problem.map(HTML.alert))
    <p id="link" class="note" role="status" hidden></p>
    <div class="beside">
    <div>
    <div id="watch" data-events="\(path)/events"\(" data-over=\"\"", if: send.state.isOver)>
    <div id="state" role="status" data-state="\(send.state.rawValue)"><p>\(send.stateTag) \(told)</p></div>
    \(progress)
    \(counts)
    <div id="orders" class="row">\(orders)</div>
    <div id="failures">\(failures)</div>
    </div>
    \(facts)
    </div>
    <section class="preview" aria-labelledby="phone"><h2 id="phone">On the phone</h2>
    <picture><source media="(prefers-color-scheme: dark)" srcset="\(path)/card.png?dark=1">\
    <img class="shown" src="\(path)/card.png" width="393" alt="\(send.words)"></picture>
    </section>
    </div>
    \(deviceTrace)
    """
  }

  private var report: HTML? {
    guard Section.reports.admits(visit.key.role) else { return nil }
    return "<a class=\"button\" href=\"\(SendReport.path(of: send, visit))\">Report</a>"
  }

  private var told: HTML {
    switch send.state {
    case .scheduled:
      guard let time = send.scheduledAt else { return "It begins at once." }
      guard send.isLocalTime else { return "It begins at \(.time(time))." }
      return "It begins when each device's clock shows \(time.words.prefix(16))."
    case .failed: return "\(send.failure ?? "")"
    case .complete: return send.completedAt.map { "It ended at \(.time($0))." } ?? ""
    default: return ""
    }
  }

  private var progress: HTML {
    let done = send.counts.targeted - max(0, send.counts.left)
    return """
      <label for="progress" class="label">Answered by Apple: <span data-count="done">\(done)</span> of \
      <span data-count="targeted">\(send.counts.targeted)</span></label>
      <progress id="progress" max="\(max(1, send.counts.targeted))" value="\(done)"></progress>
      """
  }

  private var counts: HTML {
    let table: [(String, String, Int)] = [
      ("sent", "Sent", send.counts.sent), ("rejected", "Rejected", send.counts.rejected),
      ("uninstalled", "Uninstalled", send.counts.uninstalled),
      ("delivered", "Delivered", send.counts.delivered),
      ("displayed", "Shown", send.counts.displayed), ("opened", "Opened", send.counts.opened),
    ]
    let items = table.map { name, title, count -> HTML in
      "<div><dt>\(title)</dt><dd data-count=\"\(name)\">\(count)</dd></div>"
    }
    return "<dl class=\"counts\">\(items)</dl>"
  }

  private var orders: HTML? {
    guard !send.state.isOver else { return nil }
    let isHeld = send.state == .paused || send.state == .pausing
    let hold: HTML =
      isHeld
      ? "<button class=\"primary\" name=\"action\" value=\"resume\">Resume</button>"
      : "<button name=\"action\" value=\"pause\">Pause</button>"
    return """
      <form method="post" action="\(path)" class="row">\(visit.session.tokenField)\(hold)
      <button class="danger" name="action" value="cancel">Cancel the rest</button></form>
      """
  }

  /// By reason, of pushes and of media, with what to do about each.
  var failures: HTML? {
    let ends = reasons.filter { $0.key.result != .sent }
      .sorted { ($1.value, $0.key.reason ?? "") < ($0.value, $1.key.reason ?? "") }
    guard !ends.isEmpty || !mediaFailures.isEmpty else { return nil }
    let rows = ends.map { end, count -> HTML in
      let reason = end.reason ?? end.result.rawValue
      return """
        <tr><th scope="row">\(reason)</th><td class="number">\(end.status.map { String($0) } ?? "–")</td>\
        <td class="number">\(count)</td><td>\(FailureAdvice.text(reason))</td></tr>
        """
    }
    let media = mediaFailures.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { reason, count -> HTML in
        """
        <tr><th scope="row">\(reason)</th><td class="number">–</td><td class="number">\(count)</td>\
        <td>\(FailureAdvice.media(reason))</td></tr>
        """
      }
    let table: HTML = """
      <table><thead><tr><th scope="col">Reason</th><th scope="col" class="number">Status</th>\
      <th scope="col" class="number">Devices</th><th scope="col">What to do</th></tr></thead>
      <tbody>\(rows)\(media)</tbody></table>
      """
    return "<h2>What did not arrive whole</h2>\(HTML.table("Failures", table))"
  }

  private var facts: HTML {
    let isForEveryone = send.audience == Identifiers.everyone(in: send.app)
    let text = String(decoding: send.payload.serialized(), as: UTF8.self)
    return """
      <h2>As it was asked for</h2>
      <div class="card"><dl class="facts">
      <dt>Id</dt><dd><code>\(send.id)</code></dd>
      <dt>To</dt><dd>\(isForEveryone ? "every device" : audience?.name ?? "filters")</dd>
      <dt>Accepted</dt><dd>\(.time(send.createdAt))</dd>
      \(send.expiresAt.map { "<dt>Given up at</dt><dd>\(.time($0))</dd>" as HTML })
      \(send.throttlePerSecond.map { "<dt>At most</dt><dd>\($0) a second</dd>" as HTML })
      </dl><details><summary>Payload</summary><pre tabindex="0"><code>\(text)</code></pre></details></div>
      """
  }
}
