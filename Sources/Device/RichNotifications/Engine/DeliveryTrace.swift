import MediaLoading
import NotificationTemplates
import PushPayload

/// The trace of one delivery: turns steps of the engine into ``TraceEvent`` values.
struct DeliveryTrace: Sendable {
  let clock: any DeliveryClock
  let start: Duration
  let sink: (@Sendable (TraceEvent) -> Void)?

  init(
    clock: any DeliveryClock, start: Duration, sinks: [(@Sendable (TraceEvent) -> Void)?]
  ) {
    self.clock = clock
    self.start = start
    let all = sinks.compactMap { $0 }
    guard !all.isEmpty else {
      sink = nil
      return
    }
    sink = { event in for receive in all { receive(event) } }
  }

  func note(
    _ stage: TraceEvent.Stage, _ rule: String, message: String, detail: String? = nil
  ) {
    sink?(
      TraceEvent(
        at: clock.now - start, stage: stage, rule: rule, message: message, privateDetail: detail))
  }

  func didPlan(_ plan: EnrichmentPlan) {
    guard sink != nil else { return }
    let content = plan.content
    if let decryption = content.decryption {
      note(
        .decryption, decryption,
        message: decryption == "ok" ? "decrypted" : content.note ?? "not decrypted")
    }
    if plan.repeatIsUnknown {
      note(
        .decryption, "replay-unchecked",
        message: "the list of earlier messages cannot be read or written")
    }
    if content.isWithheld {
      note(
        .text, "placeholder",
        message: "the placeholder is shown, and nothing of the payload")
    }
    note(
      .dialect, content.dialect == .none ? "none" : "chosen",
      message: content.dialect == .none ? "no known dialect matches" : "\(content.dialect)")
    for line in plan.replacedLines { note(.text, "replaced", message: line) }
    if let reason = plan.reasonWithoutButtons { note(.buttons, "not-shown", message: reason) }
    for finding in content.findings {
      note(.dialect, "wrong-type", message: "\(finding.path) \(finding.message)")
    }
    if let template = plan.template {
      let count = template.template.media.count
      note(
        .template, "read",
        message: "\(template.template.kind.rawValue) of \(template.template.source) with "
          + (count == 1 ? "1 medium" : "\(count) media")
          + (template.manifest == nil ? ", which are attached" : ""))
    }
    let requested = Set(plan.attemptIndices)
    for (number, attempt) in plan.attempts.enumerated() {
      let isTemplate = !requested.contains(number)
      let wanted = attempt.media.wanted
      note(
        .media, "planned",
        message: isTemplate ? "the template requests" : "\(wanted.path) requests",
        detail: wanted.url)
      for other in attempt.media.alternatives {
        note(
          .media, "alternative",
          message: "\(isTemplate ? "another URL" : "\(other.path)") is the fallback",
          detail: other.url)
      }
    }
  }

  func willStart(_ fetch: MediaFetch) {
    switch fetch.source {
    case .local(let path):
      note(.media, "local", message: "looking for the local file", detail: path)
    case .remote(let request):
      let rule = fetch.partial == nil ? "fetch" : "resume"
      note(
        .media, rule, message: fetch.partial == nil ? "fetching" : "resuming the download of",
        detail: "\(request.url)")
    }
  }

  func willRetry(after pause: Duration) {
    note(.media, "retry", message: "retrying in \(pause / .milliseconds(1)) ms")
  }

  func didEnd(_ fetch: MediaFetch, with result: MediaFetchResult) {
    switch result {
    case .file(let file):
      if let before = file.reducedFrom {
        note(
          .media, "reduced", message: "scaled down from \(before) bytes, over the system's limit:",
          detail: fetch.reference.url)
      }
      note(
        .media, "type",
        message:
          "\(file.type.identifier) by its \(file.typeSource.rawValue), \(file.bytes) bytes, from",
        detail: fetch.reference.url)
    case .redirect(let location):
      note(.media, "redirect", message: "redirected to", detail: location)
    case .failed(let failure, _):
      let details = failure.details.map { ": \($0)" } ?? ""
      note(
        .media, failure.reason.rawValue, message: failure.message + ":",
        detail: fetch.reference.url + details)
    }
  }

  func willDeliver(_ content: EnrichedContent, of plan: EnrichmentPlan) {
    guard sink != nil else { return }
    for outcome in content.media {
      let why = outcome.reason.map { " (\($0.rawValue))" } ?? ""
      note(.media, "outcome", message: outcome.result.rawValue + why + ":", detail: outcome.url)
    }
    for outcome in content.templateMedia {
      if let reason = outcome.reason {
        note(
          .template, "missing", message: "a medium is missing (\(reason.rawValue)):",
          detail: outcome.url)
      } else {
        note(.template, "ready", message: "a medium is ready\(outcome.size):", detail: outcome.url)
      }
    }
    if !content.usedAlternativeText {
      for line in plan.replacedLines(from: plan.content.text, to: content.text) {
        note(.text, "replaced", message: line + ", because media are attached")
      }
    }
    if content.usedAlternativeText {
      note(
        .text, "alternative-text", message: "the fallback text replaces the body: media are missing"
      )
    }
    if content.media.isEmpty, let note = content.note { self.note(.deliver, "note", message: note) }
    let count = content.attachments.count
    let files = count == 1 ? "1 attachment" : "\(count) attachments"
    note(.deliver, "handed-over", message: count == 0 ? "text" : "text and \(files)")
  }
}

extension TemplateMediaOutcome {
  /// The pixels and bytes of the stored file, if there is one.
  fileprivate var size: String {
    guard let file else { return "" }
    let pixels = file.pixels.map { " of \($0.width) × \($0.height) pixels" } ?? ""
    return "\(pixels) with \(file.bytes) bytes"
  }
}
