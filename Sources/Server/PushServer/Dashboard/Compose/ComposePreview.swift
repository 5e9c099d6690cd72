import APNs
import Markup
import NotificationHost
import NotificationPreview
import NotificationTemplates
import PayloadLint
import PushModel
import PushPayload
import NotificationCards

/// The payload that would be sent to a sample device, its findings, and the card that the device would show.
struct ComposePreview: Sendable {
  private(set) var remarks: [Remark] = []
  /// The size of the payload in bytes; `nil` if no push is sent, or if a field of it is refused.
  private(set) var bytes: Int?
  private(set) var limit = 4096
  /// The number of the audience's devices that a push can reach; `nil` if no audience is chosen.
  private(set) var devices: Int?
  /// The number of these devices for each language.
  private(set) var coverage: LanguageCoverage?
  /// The card that a phone shows, after ``draw(_:waiting:)``; `nil` if it shows nothing.
  private(set) var card: NotificationCard?
  /// Whether the expanded notification is a template.
  private(set) var hasTemplate = false
  /// The path of an uploaded video, which plays beside the card because the card shows no frame of it.
  private(set) var film: String?
  /// The in-app message as inboxes show it; `nil` if none is published.
  private(set) var inbox: HTML?
  /// The payload for the sample device, decrypted; `nil` if no push is sent.
  private(set) var payload: JSONValue?
  /// The push for the sample device, decrypted.
  var message: PushMessage?
  /// The form, as it was given.
  let form: ComposeForm
  var kind: ComposeForm.Kind { form.kind }
  /// The release of iOS and the place that the picture shows.
  var choice: CardChoice { CardChoice(form.form) }
  /// Whether the form has nothing yet that a phone could show.
  let isBlank: Bool
  /// The composer of each device's payload; `nil` if no push is sent.
  var composer: Composer?
  /// Whether the form can be sent, because the API refuses none of its fields.
  var isSendable: Bool { !remarks.contains { $0.severity == Self.refusal } }

  /// The possible mistakes that do not prevent the form from being sent.
  var warnings: [Remark] { remarks.filter { $0.severity == Self.warning } }

  static let refusal = "refusal"
  static let warning = "warning"

  /// Reads a form as the API does, and composes its payload.
  ///
  /// - Parameters:
  ///   - form: The form.
  ///   - sample: The device to compose for; `nil` composes for one of which only the open language is known.
  ///   - audience: The devices of a form without an audience, such as that of a variant.
  ///   - request: The request.
  /// - Throws: ``StoreError``. A mistake in the form becomes a remark.
  init(
    _ form: ComposeForm, for sample: Device?, of audience: AudienceLocales? = nil,
    _ request: PageRequest
  ) async throws {
    self.form = form
    isBlank = [.title, .subtitle, .text, .more, .media, .template].allSatisfy { form[$0].isEmpty }
    film = try await request.film(form[.media])
    if form.kind != .push {
      let message = try? CampaignMessage(BodyValue(.object(form.messageContent)), adding: nil)
      inbox = try await CampaignMessage.preview(message, request)
    }
    // The number of devices is known before anything is written.
    if let target = try await form.audience(request) {
      coverage = LanguageCoverage(
        form.languages, in: try await AudienceLocales(of: target, request))
      devices = coverage?.total
    } else {
      coverage = audience.map { LanguageCoverage(form.languages, in: $0) }
    }
    var refusals = form.templateProblems
    var readable = form
    let sample = sample ?? form.openLanguage.map { Device(locale: $0, createdAt: request.now) }
    if !refusals.isEmpty {
      // The preview shows the rest as phones without the content extension do.
      if form[.category].isEmpty { readable[.category] = ComposeForm.templateCategory }
      readable[.template] = ""
    }
    // A refused field is left out, and the others are read again. So all mistakes are listed at once, and the
    // preview shows the rest.
    var isWhole = true
    for problem in form.languageProblems + form.conditionProblems {
      refusals.append(problem)
      if let place = problem.place { isWhole = !readable.clear(place) && isWhole }
    }
    while true {
      let error: RequestError
      do {
        try await read(readable, for: sample, request)
        break
      } catch let refused as RequestError {
        error = refused
      } catch let refused as ComposeError {
        error = refused.requestError
      }
      var refusal = Remark(error)
      guard let place = refusal.place,
        readable.clear(place)
          || (refusal.field == .scheduledAt && readable.clear(ComposeField.localTime.rawValue))
      else {
        // An error may now be due to the fields that were left out.
        guard isWhole else { break }
        if form.template != nil, error.path?.hasSuffix(".payload") == true {
          refusal.advice = "The template counts, too: shorten its texts and links, or remove pages."
        }
        refusals.append(refusal)
        break
      }
      refusals.append(refusal)
      isWhole = false
    }
    if !isWhole { bytes = nil }
    if form[.to].isEmpty {
      refusals.append(
        Remark(field: .to, severity: Self.refusal, message: "Choose who gets it."))
    }
    remarks = refusals + remarks
  }

  /// Makes the card, waiting for media of other servers for up to `wait`.
  mutating func draw(
    _ request: PageRequest, waiting wait: Duration = MediaPreview.longWait
  ) async throws(RequestError) {
    guard let message else { return }
    card = try await request.actions.mediaPreview.card(
      of: message, appName: request.app.name, icon: request.app.icon, waiting: wait)
  }

  /// Adds a remark before the others, unless it is already there.
  mutating func add(_ remark: Remark) {
    guard !remarks.contains(where: { $0.message == remark.message }) else { return }
    remarks.insert(remark, at: 0)
  }

  mutating func removeRefusals(of field: ComposeField) {
    remarks.removeAll { $0.field == field && $0.severity == Self.refusal }
  }

  /// The reason why the lock screen shows nothing, for a notification without a card.
  var reasonForNothing: String {
    if kind == .message { return "An in-app message alone shows nothing on the lock screen." }
    if isBlank { return "The preview appears once there is a title or a body." }
    return message == nil
      ? "The preview appears once the refused fields have been changed."
      : "The lock screen shows nothing: there is neither a title nor a body."
  }

  private mutating func read(
    _ form: ComposeForm, for sample: Device?, _ request: PageRequest
  ) async throws {
    // The preview does not need an audience, so all devices stand for one that is not chosen yet.
    let body = BodyValue(try form.request(to: form[.to].isEmpty ? "*" : nil))
    var payload: BodyValue?
    let target: Target
    if form.kind == .push {
      let new = try NewNotification(
        try body.required("notification"), at: request.now, isJudged: false)
      (payload, target) = (new.payload, new.target)
    } else {
      let new = try NewMessage(try body.required("message"), at: request.now)
      payload = try new.attached(
        to: Identifiers.makeObjectID(), at: request.now, isJudged: false)
      target = new.target
    }
    if !form[.to].isEmpty {
      _ = try await target.audience(app: request.app.id, at: request.now, request.router.store)
    }
    guard let payload else { return }
    try compose(payload, of: form, for: sample, request)
    remarks += try await Personalization.remarks(
      on: payload, of: form, members: coverage?.members, request)
  }

  private mutating func compose(
    _ payload: BodyValue, of form: ComposeForm, for sample: Device?, _ request: PageRequest
  ) throws {
    let (composer, plain) = try payload.composed(
      at: request.now, paddingMultiple: request.router.site.paddingMultiple)
    self.composer = composer
    limit = composer.pushType.payloadLimit
    remarks = Self.problems(of: composer, in: form, at: request.now)
    var shown = plain
    bytes = plain.count
    // A refused language is reported at its field, and the preview shows the fallback.
    if let sample, !sample.id.isEmpty || remarks.isEmpty {
      bytes = try composer.payload(for: Recipient(sample)).count
      shown = try composer.payload(for: Recipient(readable: sample))
    }
    let headers = LintHeaders(
      pushType: composer.pushType.rawValue, priority: String(composer.priority))
    let subject = LintSubject(shown, headers: headers, now: request.now.milliseconds / 1000)
    let faults = try payload.faults(in: (composer, plain), at: request.now).map(\.code)
    remarks += LintReport(subject).entries.map { entry in
      var remark = Remark(entry, in: form)
      if faults.contains(entry.rule.code) {
        remark.severity = Self.refusal
      } else if remark.severity == LintRule.Severity.error.rawValue {
        remark.advice =
          "\(remark.advice ?? "") This does not keep it from being sent: the value is another one on each device."
      }
      return remark
    }
    self.payload = try? JSONValue(parsing: shown)
    message = self.payload.map {
      PushMessage(payload: $0, pushType: composer.pushType.rawValue)
    }
    hasTemplate =
      message.map { TemplateTable.standard.read($0.payload, delivered: 0).template != nil } == true
  }
}

extension ComposePreview {
  /// The refusals of languages in which the payload cannot be composed, for example because it is too large.
  private static func problems(
    of composer: Composer, in form: ComposeForm, at now: Timestamp
  ) -> [Remark] {
    form.languages.filter { form.hasText(in: $0) }.compactMap { language in
      let device = Device(locale: language, createdAt: now)
      do throws(ComposeError) {
        _ = try composer.payload(for: Recipient(device))
        return nil
      } catch {
        let field = localizedFields(form, language).last ?? .text
        let name = LanguageNames.name(of: language)
        let words = Remark(error.requestError).message
        return .refusal("\(name): \(words)", at: ComposeForm.name(field, in: language))
      }
    }
  }

  private static func localizedFields(_ form: ComposeForm, _ language: String) -> [ComposeField] {
    ComposeForm.localizedFields.filter { form.text($0, in: language) != nil }
  }
}

extension Device {
  /// A device of which only the locale is known.
  fileprivate init(locale: String, createdAt: Timestamp) {
    self.init(id: "", createdAt: createdAt)
    self.locale = locale
  }
}

extension Recipient {
  /// A device as the recipient of a payload that is not encrypted, whose content is the same.
  init(readable device: Device) {
    self.init(device)
    (publicKey, authSecret) = (nil, nil)
  }
}
