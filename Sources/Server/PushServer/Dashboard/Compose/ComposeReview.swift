import PushModel
import PushPayload
import NotificationCards

/// The review of a send: its devices, its times, and the texts that they would show.
struct ComposeReview: Sendable {
  /// A device of the audience with the texts that it would show.
  struct Sample: Sendable {
    var device: String
    var texts: Result<ComposePreview.Texts, ComposeError>
  }

  /// The smallest and the largest number of devices whose texts are shown: one for each language.
  private static let sampleCounts = 3...10

  var preview: ComposePreview
  /// The preview for the chosen device, or for the first one of the audience.
  private(set) var shown: ComposePreview
  private(set) var card: [UInt8]?
  /// The audience's name, with quotation marks.
  private(set) var audience: String
  private(set) var reach: AudienceReach
  private(set) var samples: [Sample] = []
  /// The number of devices for each language; `nil` if no push is sent.
  private(set) var coverage: LanguageCoverage?
  /// The times at which devices are due, the earliest first, with the numbers of devices.
  private(set) var due: [(time: Timestamp, devices: Int)] = []
  /// The largest number of pushes in a second; `nil` if there is no limit.
  private(set) var rate: Int?
  /// The scheduled send that this one replaces.
  private(set) var replaced: Send?
  /// The number of devices that get the push, or the in-app message if the form sends one.
  private(set) var recipients: Int

  /// Reads the facts of the review; `nil` if the form cannot be sent.
  init?(_ form: ComposeForm, _ request: PageRequest) async throws {
    preview = try await ComposePreview(form, for: nil, request)
    guard preview.isSendable, let target = try await form.audience(request) else { return nil }
    audience = try await form.audienceInWords(request)
    let (audiences, store) = (request.router.audiences, request.router.store)
    reach = try await audiences.reach(of: target, at: request.now)
    recipients = form.kind == .push ? reach.reached : reach.targeted
    let coverage = LanguageCoverage(
      form.languages, in: try await AudienceLocales(of: target, request))
    let devices = coverage.members
    let count = max(Self.sampleCounts.lowerBound, coverage.rows.count)
    let first = try await store.devices(
      app: request.app.id,
      numbers: coverage.samples(min(count, Self.sampleCounts.upperBound)))
    if form.kind != .message { self.coverage = coverage }
    shown = preview
    let chosen = try await ComposePages.sample(request)
    if form.kind != .message, let device = chosen ?? first.first {
      let own = try await ComposePreview(form, for: device, request)
      if own.isSendable { shown = own }
      for device in first {
        do throws(ComposeError) {
          guard let texts = try preview.texts(for: device) else { continue }
          samples.append(Sample(device: device.userID ?? device.id, texts: .success(texts)))
        } catch {
          samples.append(Sample(device: device.userID ?? device.id, texts: .failure(error)))
        }
      }
    }
    try await shown.draw(request)
    card = await shown.picture(
      PreviewPane.appearance(of: form.form), scale: 1, by: request.router.cards)
    rate = Int(form[.throttle])
    if rate == nil { rate = try await store.app(request.app.id)?.throttlePerSecond }
    replaced = try await form.replacedSend(request)
    due = try await times(of: form, devices, request)
  }

  private func times(
    of form: ComposeForm, _ devices: DeviceNumbers, _ request: PageRequest
  ) async throws -> [(time: Timestamp, devices: Int)] {
    var send = Send(
      id: "", messageID: "", app: request.app.id, audience: "", payload: [:],
      createdAt: request.now)
    let body = BodyValue(try form.request())
    var quiet: QuietHours?
    if form.kind == .push {
      var new = try NewNotification(
        try body.required("notification"), at: request.now, isJudged: false)
      if let replaced { new.takeLimits(of: replaced) }
      quiet = try await new.quietHours(app: request.app.id, request.router.store)
      send.apply(new.timing)
    } else {
      send.apply(try NewMessage(try body.required("message"), at: request.now).timing)
    }
    return try await request.router.actions.planner.segments(of: send, to: devices, quiet: quiet)
      .map { ($0.dueAt, $0.devices.count) }.sorted { $0.0 < $1.0 }
  }
}
