import Markup
import PushModel

/// The search for a device, and the trace of its push from the request to the device's reports.
extension SendView {
  var deviceSearch: HTML {
    """
    <h2 id="trace">Find a person</h2>
    <form method="get" action="\(path)#trace" class="row" role="search">
    <label for="device" class="hidden">User ID, email, name, device ID or push token</label>
    <input id="device" name="device" placeholder="User ID, email, name, device ID or push token" \
    value="\(trace?.search ?? "")" autocomplete="off" spellcheck="false" autocapitalize="none">
    <button>Trace</button></form>
    \(trace.map(timeline))
    """
  }

  private func choice(among devices: [Device]) -> HTML {
    let links = devices.map { device -> HTML in
      """
      <li><a href="\(path)?device=\(device.id)#trace"><code>\(device.id)</code></a> \
      \(device.pushTag) \(device.userID ?? "")</li>
      """
    }
    return """
      <div class="card" role="status"><p>\(devices.count) devices are found. Which one?</p>
      <ul class="found">\(links)</ul></div>
      """
  }

  private func timeline(of trace: DeviceTrace) -> HTML {
    if !trace.candidates.isEmpty { return choice(among: trace.candidates) }
    guard let device = trace.device else {
      return """
        <p class="note" role="status">Nobody is found by “\(trace.search)”. \
        <a href="\(PersonPages.path(request))?search=\(URLEncoded.encode(trace.search))">Search in People</a></p>
        """
    }
    let link: HTML = """
      <p><a href="\(PersonPages.path(ofDevice: device.id, request))"><code>\(device.id)</code></a> \
      \(device.userID.map { "of \($0)" })</p>
      """
    guard let outcome = trace.outcome, let apnsID = trace.apnsID else {
      return """
        <div class="note" role="status">\(link)<p>No result for this device: \
        \(trace.explanation ?? "it was not targeted, or its push was not sent yet").</p></div>
        """
    }
    let status = outcome.status.map { "\($0) " } ?? ""
    let isGood = outcome.result == .sent
    return """
      <div class="card" role="status">\(link)<ol class="trace">
      \(step("Request accepted", at: send.createdAt, details: "<code>\(send.id)</code>"))
      \(send.scheduledAt.map { step("Scheduled time", at: $0) })
      \(step(
        "APNs answered \(status)\(outcome.reason ?? outcome.result.rawValue)", at: outcome.time,
        details: "apns-id <code>\(apnsID)</code>", isGood: isGood))
      \(isGood ? nil : "<li class=\"bad\"><div>\(FailureAdvice.text(outcome.reason ?? ""))</div></li>")
      \(trace.receipts.map(step))
      </ol>
      \("<p class=\"muted\">No report from the device yet. Devices report only if the app has the service extension.</p>",
        if: isGood && trace.receipts.isEmpty)
      </div>
      """
  }

  private func step(for receipt: Receipt) -> HTML {
    let event =
      switch receipt.event {
      case .received: "Received by the device"
      case .displayed: "Displayed"
      case .opened: "Opened"
      case .dismissed: "Dismissed"
      case .action: "Button pressed"
      case .templateViewed: "Expanded"
      case .templatePage: "Page of the expanded notification seen"
      case .templateAnswered: "Answered in the expanded notification"
      case .templateOpened: "Link of the expanded notification opened"
      case .templateExpired: "Countdown ended in the expanded notification"
      case .templatePlayed: "Movie or sound played"
      }
    var details: [String] = []
    if let media = receipt.media { details.append("media: \(media)") }
    if let reason = receipt.reason { details.append(reason) }
    if let time = receipt.milliseconds { details.append("\(time) ms") }
    return step(
      event, at: receipt.at,
      details: details.isEmpty ? nil : "\(details.joined(separator: " · "))",
      isGood: receipt.reason == nil)
  }

  private func step(
    _ title: String, at time: Timestamp, details: HTML? = nil, isGood: Bool = true
  ) -> HTML {
    """
    <li\(" class=\"bad\"", if: !isGood)><div><strong>\(title)</strong> \(.timeWithSeconds(time))</div>\
    \(details.map { "<div class=\"muted\">\($0)</div>" as HTML })</li>
    """
  }
}
