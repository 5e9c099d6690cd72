import MediaLoading
import PushPayload

/// What is said about one delivery, and when.
struct DeliveryTrace: Sendable {
  let clock: any DeliveryClock
  let start: Duration
  let sink: (@Sendable (TraceEvent) -> Void)?

  func note(
    _ stage: TraceEvent.Stage, _ rule: String, _ message: String, _ detail: String? = nil
  ) {
    sink?(
      TraceEvent(
        at: clock.now - start, stage: stage, rule: rule, message: message, privateDetail: detail))
  }

  func planned(_ plan: EnrichmentPlan) {
    guard sink != nil else { return }
    let content = plan.content
    if let decryption = content.decryption {
      note(.decryption, decryption, decryption == "ok" ? "opened" : content.note ?? "stays closed")
    }
    note(
      .dialect, content.dialect == .none ? "none" : "chosen",
      content.dialect == .none ? "none fits" : "\(content.dialect)")
    if plan.replacesText { note(.text, "replaced", "the payload or the app has other texts") }
    for finding in content.findings {
      note(.dialect, "wrong-type", "\(finding.path) \(finding.message)")
    }
    for errand in plan.errands {
      let wanted = errand.media.wanted
      note(.media, "planned", "\(wanted.path) asks for", wanted.url)
      for other in errand.media.alternatives {
        note(.media, "alternative", "\(other.path) may stand in", other.url)
      }
    }
  }

  func fetches(_ order: FetchOrder) {
    switch order.source {
    case .local(let path): note(.media, "local", "looks for a local file", path)
    case .remote(let request):
      let rule = order.partial == nil ? "fetch" : "resume"
      note(
        .media, rule, order.partial == nil ? "fetches" : "asks for the rest of", "\(request.url)")
    }
  }

  func waits(_ pause: Duration) {
    note(.media, "retry", "tries again in \(pause / .milliseconds(1)) ms")
  }

  func ended(_ order: FetchOrder, _ ending: FetchEnding) {
    switch ending {
    case .file(let file):
      if let before = file.reducedFrom {
        note(.media, "reduced", "\(before) bytes were too many; made smaller:", order.reference.url)
      }
      note(
        .media, "type",
        "\(file.type.identifier) by its \(file.typeSource.rawValue), \(file.bytes) bytes, from",
        order.reference.url)
    case .redirect(let location): note(.media, "redirect", "is sent on to", location)
    case .failed(let failure, _):
      let details = failure.details.map { ": \($0)" } ?? ""
      note(.media, failure.reason.rawValue, failure.message + ":", order.reference.url + details)
    }
  }

  func delivers(_ content: EnrichedContent, planned text: NotificationText) {
    guard sink != nil else { return }
    for outcome in content.media {
      let why = outcome.reason.map { " (\($0.rawValue))" } ?? ""
      note(.media, "outcome", outcome.result.rawValue + why + ":", outcome.url)
    }
    if content.text != text, !content.usedAlternativeText {
      note(.text, "replaced", "the payload has other texts where its media are shown")
    }
    if content.usedAlternativeText {
      note(.text, "alternative-text", "the alternative text is the body")
    }
    if content.media.isEmpty, let note = content.note { self.note(.deliver, "note", note) }
    let count = content.attachments.count
    let files = count == 1 ? "1 attachment" : "\(count) attachments"
    note(.deliver, "handed-over", count == 0 ? "text" : "text and \(files)")
  }
}
