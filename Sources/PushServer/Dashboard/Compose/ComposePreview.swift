import APNs
import NotificationHost
import NotificationPreview
import NotificationTemplates
import PayloadLint
import PushPayload
import PushStore
import _Card

/// The payload that would be sent to a sample device, its findings, and the card that the device would show.
struct ComposePreview: Sendable {
  /// A finding about a field of the form; about the whole form where the field is `nil`.
  struct Remark: Sendable {
    var field: ComposeField?
    var severity: String
    var message: String
    var advice: String?
    /// The name of the template's field; `nil` for a remark on another one.
    var templateField: String?

    /// The name of the form's field; `nil` for a remark on the whole form.
    var place: String? { templateField ?? field?.rawValue }

    /// A remark without whose remedy the form cannot be sent.
    static func refusal(_ message: String, at place: String) -> Remark {
      let field = ComposeField(rawValue: place)
      return Remark(
        field: field, severity: ComposePreview.refusal, message: message,
        templateField: field == nil ? place : nil)
    }
  }

  private(set) var remarks: [Remark] = []
  private(set) var bytes = 0
  private(set) var limit = 4096
  /// The number of devices of the audience that a push can reach; `nil` without an audience.
  private(set) var devices: Int?
  /// What a phone shows, after ``draw(_:waiting:)``; `nil` where it shows nothing.
  private(set) var card: NotificationCard?
  /// Whether the expanded notification is a template.
  private(set) var hasTemplate = false
  /// The path of an uploaded film, which plays beside the card: the card shows no frame of it.
  private(set) var film: String?
  /// The push to the sample device, decrypted.
  private var message: PushMessage?
  /// Whether the form can be sent: whether the API refuses nothing of it.
  var isSendable: Bool { !remarks.contains { $0.severity == Self.refusal } }

  static let refusal = "refusal"

  /// Reads a form as the API does, and composes its payload.
  ///
  /// - Parameters:
  ///   - form: The form.
  ///   - sample: The device to compose for; `nil` for one of which nothing is known.
  ///   - request: The request.
  /// - Throws: ``StoreError``. What is wrong with the form becomes a remark.
  init(_ form: ComposeForm, for sample: Device?, _ request: PageRequest) async throws {
    do {
      try await read(form, for: sample, request)
    } catch let error as APIError {
      refuse(error)
      if form.template != nil, error.path?.hasSuffix(".payload") == true {
        remarks[0].advice =
          "The template counts, too: shorten its texts and links, or remove pages."
      }
    } catch let error as ComposeError {
      refuse(error.apiError)
    }
  }

  /// Makes the card, waiting for media of other servers for up to `wait`.
  mutating func draw(
    _ request: PageRequest, waiting wait: Duration = MediaPreview.longWait
  ) async throws(APIError) {
    guard let message else { return }
    card = try await request.api.mediaPreview.card(
      of: message, appName: request.app.name, waiting: wait)
  }

  mutating func add(_ remark: Remark) { remarks.insert(remark, at: 0) }

  private mutating func refuse(_ error: APIError) {
    add(Remark(error))
  }

  private mutating func read(
    _ form: ComposeForm, for sample: Device?, _ request: PageRequest
  ) async throws {
    film = try await request.film(form[.media])
    var form = form
    remarks = form.templateProblems
    if !remarks.isEmpty {
      // The rest is shown as phones without the content extension show it.
      if form[.category].isEmpty { form[.category] = ComposeForm.templateCategory }
      form[.template] = ""
    }
    // The preview does not wait until an audience is chosen.
    let body = BodyValue(try form.request(to: form[.to].isEmpty ? "*" : nil))
    var payload: BodyValue?
    let target: Target
    if form.kind == .push {
      let new = try NewNotification(try body.required("notification"), at: request.now)
      (payload, target) = (new.payload, new.target)
    } else {
      let new = try NewMessage(try body.required("message"), at: request.now)
      payload = try new.attached(to: Identifiers.makeObjectID(), at: request.now)
      target = new.target
    }
    if form[.to].isEmpty {
      remarks.append(
        Remark(field: .to, severity: Self.refusal, message: "Choose who gets it."))
    } else {
      let audience = try await target.audience(
        app: request.app.id, at: request.now, request.api.store)
      devices = try await request.api.audiences.devices(of: audience, at: request.now).count
    }
    guard let payload else { return }
    try compose(payload, of: form, for: sample, request)
  }

  private mutating func compose(
    _ payload: BodyValue, of form: ComposeForm, for sample: Device?, _ request: PageRequest
  ) throws {
    let (composer, plain) = try payload.composed(
      at: request.now, paddingMultiple: request.api.site.paddingMultiple)
    limit = composer.pushType.payloadLimit
    var shown = plain
    bytes = plain.count
    if let sample {
      bytes = try composer.payload(for: Recipient(sample)).count
      // The card shows what an encrypted payload holds: a device without keys gets it in the clear.
      var open = sample
      (open.publicKey, open.authSecret) = (nil, nil)
      shown = try composer.payload(for: Recipient(open))
    }
    let headers = LintHeaders(
      pushType: composer.pushType.rawValue, priority: String(composer.priority))
    let subject = LintSubject(shown, headers: headers, now: request.now.milliseconds / 1000)
    remarks += LintReport(subject).entries.map { Remark($0, in: form) }
    message = (try? JSONValue(parsing: shown)).map {
      PushMessage(payload: $0, pushType: composer.pushType.rawValue)
    }
    hasTemplate =
      message.map { TemplateTable.standard.read($0.payload, delivered: 0).template != nil } == true
  }
}

extension ComposePreview.Remark {
  init(_ error: APIError) {
    self.init(
      field: error.path.flatMap(ComposeField.init(path:)),
      severity: ComposePreview.refusal, message: error.message)
  }

  fileprivate init(_ entry: LintReport.Entry, in form: ComposeForm) {
    let place = form.place(ofTemplatePath: entry.path)
    self.init(
      field: place == nil ? ComposeField(path: entry.path) : nil,
      severity: entry.rule.severity.rawValue,
      message: place.map { "\($0.title) \(entry.message)" } ?? entry.message,
      advice: entry.rule.fix, templateField: place?.name)
  }
}

extension ComposePreview {
  /// The preview as `compose.js` reads it while somebody types.
  var json: JSONValue {
    [
      "bytes": .integer(Int64(bytes)), "limit": .integer(Int64(limit)),
      "devices": devices.map { .integer(Int64($0)) } ?? .null, "sendable": .bool(isSendable),
      "film": .optional(film), "template": .bool(hasTemplate),
      "remarks": .array(
        remarks.map { remark in
          [
            "field": .optional(remark.place), "severity": .string(remark.severity),
            "message": .string(remark.message), "advice": .optional(remark.advice),
          ]
        }),
    ]
  }

  /// A JPEG of the banner, the collapsed and the expanded card, one above the other; with a template, its fallback below.
  ///
  /// - Parameters:
  ///   - appearance: Light or dark.
  ///   - scale: Pixels a point. At 1 it takes a third of the time that it takes at 2.
  ///   - cards: What draws it.
  /// - Returns: `nil` where nothing would show.
  func picture(
    _ appearance: CardStyle.Appearance, scale: Double = 2, by cards: CardProcess
  ) async -> [UInt8]? {
    guard let card else { return nil }
    let style = CardStyle(scale: scale, appearance: appearance)
    let fallback: [NotificationCard.View] = card.template == nil ? [] : [.expandedWithoutTemplate]
    return try? await cards.jpeg(
      card, [.banner, .collapsed, .expandedInColumn] + fallback, style: style)
  }
}
