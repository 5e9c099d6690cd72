import Markup
import PushModel

/// The page of a timeline: the verdict, the steps, the person's other devices, and what the phone has reported.
struct TimelineView {
  var request: PageRequest
  var question: WhyQuestion
  var recipient: Actions.TimelineRecipient
  /// The device that is told whole.
  var first: Actions.DeviceTimeline
  /// The other devices of the person, the furthest first.
  var others: [Actions.DeviceTimeline]
  var receipts: [Receipt] = []

  var html: HTML {
    """
    <p><a href="\(question.home)">\(question.title)</a></p>
    <h1>\(WhyPages.title)</h1>
    <p>To \(person)\(allDevices)</p>
    <div class="beside">
    <div>
    \(verdict)
    <section class="card" aria-labelledby="steps"><h2 id="steps">The way of the notification</h2>
    <ol class="trace">\(TimelineSteps(first, request).html)</ol></section>
    </div>
    <div>
    \(devices)
    \(ReceiptList(receipts: receipts).html)
    <section class="card"><h2>Ask about somebody else</h2>
    \(WhyForm(request: request, subject: question.subject).html)</section>
    </div>
    </div>
    """
  }

  // MARK: The person and the device

  private var person: HTML {
    let device: HTML = """
      <a href="\(PersonPages.path(ofDevice: first.device.id, request))"><code>\(first.device.id)</code></a> \
      \(first.device.pushTag)
      """
    guard let user = first.device.userID, let path = AppPerson([first.device])?.path(request) else {
      return device
    }
    return "<a href=\"\(path)\">\(user)</a>, device \(device)"
  }

  // MARK: The verdict

  private var verdict: HTML {
    let verdict = first.timeline.verdict
    let stage = first.timeline.cause.map { " \($0.title)" } ?? ""
    return """
      <section class="card verdict" role="status" aria-labelledby="verdict">
      <h2 id="verdict">\(first.timeline.tag)\(stage)</h2>
      <p>\(HTML.withTimes(verdict.text))</p>
      \(verdict.advice.map { "<p><strong>What to do:</strong> \($0)</p>" as HTML })
      <p class="help"><code>\(verdict.code)</code> · <a href="\(HelpTopic.why.path(app: request.app.id))">What the \
      answers mean</a></p></section>
      """
  }

  // MARK: Several devices

  private var devices: HTML? {
    guard !others.isEmpty else { return nil }
    let count = others.count + 1
    let items = [item(first, isTold: true)] + others.map { item($0, isTold: false) }
    return """
      <section class="card" aria-labelledby="devices"><h2 id="devices">The devices of the person</h2>
      <p class="help">\(count < Actions.timelineDeviceLimit ? "\(count)" : "The first \(count)") devices. It got \
      furthest on the first.</p>
      <ol class="plain told">\(items)</ol></section>
      """
  }

  private func item(_ told: Actions.DeviceTimeline, isTold: Bool) -> HTML {
    let device = told.device
    let path = WhyPages.path(of: question.subject, to: .device(device.id), request)
    let name: HTML = "<code>\(device.id)</code>"
    return """
      <li>\(isTold ? name : "<a href=\"\(path)\">\(name)</a>") \(told.timeline.tag)
      <p class="under">\(HTML.withTimes(told.timeline.verdict.text))</p>
      <p class="under">\(device.lastOpenedAt.map { "Last opened \(.time($0))" } ?? "Never opened" as HTML)\
      \(". Told on this page", if: isTold)</p></li>

      """
  }

  /// The link to the answer for all devices of the person whose one device this is.
  private var allDevices: HTML? {
    guard case .device = recipient, let user = first.device.userID else { return nil }
    let path = WhyPages.path(of: question.subject, to: .user(user), request)
    return " · <a href=\"\(path)\">All devices of \(user)</a>"
  }
}
