import Markup
import PushStore

/// One device's push from the API's call to what the device reported.
extension SendView {
  var deviceTrace: HTML {
    """
    <h2 id="trace">One device</h2>
    <form method="get" action="\(path)#trace" class="row" role="search">
    <label for="device" class="hidden">Device id</label>
    <input id="device" name="device" placeholder="Device id" value="\(trace?.device ?? "")">
    <button>Trace it</button></form>
    \(trace.map(traced))
    """
  }

  private func traced(_ trace: Trace) -> HTML {
    guard let outcome = trace.outcome, let apnsID = trace.apnsID else {
      return """
        <p class="note" role="status">There is no outcome for this device: it was not targeted, or \
        Apple was not asked yet.</p>
        """
    }
    let status = outcome.status.map { "\($0) " } ?? ""
    let isGood = outcome.result == .sent
    return """
      <div class="card" role="status"><ol class="trace">
      \(step(send.createdAt, "The API took the call", "<code>\(send.id)</code>"))
      \(send.scheduledAt.map { step($0, "It was due", nil) })
      \(step(
        outcome.time, "Apple answered \(status)\(outcome.reason ?? outcome.result.rawValue)",
        "apns-id <code>\(apnsID)</code>", isGood: isGood))
      \(isGood ? nil : "<li class=\"bad\"><div>\(FailureAdvice.text(outcome.reason ?? ""))</div></li>")
      \(trace.receipts.map(told))
      </ol>
      \("<p class=\"muted\">The device reported nothing yet. It does where the app has the extension.</p>",
        if: isGood && trace.receipts.isEmpty)
      </div>
      """
  }

  private func told(_ receipt: Receipt) -> HTML {
    let event =
      switch receipt.event {
      case .received: "The phone had it"
      case .displayed: "The phone showed it"
      case .opened: "It was opened"
      case .dismissed: "It was dismissed"
      case .action: "A button was pressed"
      }
    var words: [String] = []
    if let media = receipt.media { words.append("media: \(media)") }
    if let reason = receipt.reason { words.append(reason) }
    if let time = receipt.milliseconds { words.append("\(time) ms") }
    let more: HTML = "\(words.joined(separator: " · "))"
    return step(
      receipt.at, event, words.isEmpty ? nil : more, isGood: receipt.reason == nil)
  }

  private func step(
    _ time: Timestamp, _ what: String, _ more: HTML?, isGood: Bool = true
  ) -> HTML {
    """
    <li\(" class=\"bad\"", if: !isGood)><div><strong>\(what)</strong> \(.second(time))</div>\
    \(more.map { "<div class=\"muted\">\($0)</div>" as HTML })</li>
    """
  }
}
