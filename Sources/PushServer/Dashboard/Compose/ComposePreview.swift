import APNs
import PayloadLint
import PushPayload
import PushStore
import _Card

/// What would be sent to a sample device, and how it would look there.
struct ComposePreview: Sendable {
  /// Something to know about a field; about the whole where the field is `nil`.
  struct Remark: Sendable {
    var field: ComposeField?
    var severity: String
    var message: String
    var advice: String?
  }

  private(set) var remarks: [Remark] = []
  private(set) var bytes = 0
  private(set) var limit = 4096
  /// How many devices the audience has that a push can reach; `nil` without an audience.
  private(set) var devices: Int?
  /// What shows on a phone, once it is asked for with ``draw(_:)``; `nil` where nothing does.
  private(set) var card: NotificationCard?
  /// Where a film that was uploaded here plays: of a film the card shows no frame.
  private(set) var film: String?
  private var shown: JSONValue?
  /// Whether it can be sent.
  var isSendable: Bool { !remarks.contains { $0.severity == Self.refusal } }

  static let refusal = "refusal"

  /// Reads a form as the API would, and composes for a device, or for one of which nothing is known.
  init(_ form: ComposeForm, for sample: Device?, _ visit: PageRequest) async throws {
    do {
      try await read(form, for: sample, visit)
    } catch let error as APIError {
      refuse(error)
    } catch let error as ComposeError {
      refuse(error.apiError)
    }
  }

  /// Gets the media, which takes as long as their servers do.
  mutating func draw(_ visit: PageRequest) async {
    guard let shown else { return }
    let card = await NotificationCard(shown, visit)
    // Without words the phone shows nothing, whatever else there is.
    self.card = (card.title + card.subtitle + card.body).isEmpty ? nil : card
  }

  mutating func add(_ remark: Remark) { remarks.insert(remark, at: 0) }

  private mutating func refuse(_ error: APIError) {
    add(Remark(error))
  }

  private mutating func read(
    _ form: ComposeForm, for sample: Device?, _ visit: PageRequest
  ) async throws {
    film = try await visit.film(form[.media])
    // Without an audience yet, the rest is shown all the same.
    let body = BodyValue(try form.request(to: form[.to].isEmpty ? "*" : nil))
    var payload: BodyValue?
    let target: Target
    if form.kind == .push {
      let new = try NewNotification(try body.required("notification"), at: visit.now)
      (payload, target) = (new.payload, new.target)
    } else {
      let new = try NewMessage(try body.required("message"), at: visit.now)
      payload = try new.attached(to: Identifiers.makeObjectID(), at: visit.now)
      target = new.target
    }
    if form[.to].isEmpty {
      remarks.append(
        Remark(field: .to, severity: Self.refusal, message: "Choose who gets it."))
    } else {
      let audience = try await target.audience(
        app: visit.app.id, at: visit.now, visit.api.store)
      devices = try await visit.api.audiences.devices(of: audience, at: visit.now).count
    }
    guard let payload else { return }
    try compose(payload, for: sample, visit)
  }

  private mutating func compose(
    _ payload: BodyValue, for sample: Device?, _ visit: PageRequest
  ) throws {
    let (composer, plain) = try payload.composed(at: visit.now)
    limit = composer.pushType.payloadLimit
    var shown = plain
    bytes = plain.count
    if let sample {
      bytes = try composer.payload(for: Recipient(sample)).count
      // What is sealed for a device is shown as it reads once opened.
      var open = sample
      (open.publicKey, open.authSecret) = (nil, nil)
      shown = try composer.payload(for: Recipient(open))
    }
    let headers = LintHeaders(
      pushType: composer.pushType.rawValue, priority: String(composer.priority))
    remarks += LintReport(LintSubject(shown, headers: headers)).entries.map(Remark.init)
    self.shown = try? JSONValue(parsing: String(decoding: shown, as: UTF8.self))
  }
}

extension ComposePreview.Remark {
  init(_ error: APIError) {
    self.init(
      field: error.message.split(whereSeparator: { $0 == " " || $0 == ":" }).first
        .flatMap { ComposeField(path: String($0)) },
      severity: ComposePreview.refusal, message: error.message)
  }

  fileprivate init(_ entry: LintReport.Entry) {
    self.init(
      field: ComposeField(path: entry.path), severity: entry.rule.severity.rawValue,
      message: entry.message, advice: entry.rule.fix)
  }
}

extension ComposePreview {
  /// For the script that shows it while somebody types.
  var json: JSONValue {
    [
      "bytes": .integer(Int64(bytes)), "limit": .integer(Int64(limit)),
      "devices": devices.map { .integer(Int64($0)) } ?? .null, "sendable": .bool(isSendable),
      "film": .optional(film),
      "remarks": .array(
        remarks.map { remark in
          [
            "field": .optional(remark.field?.rawValue), "severity": .string(remark.severity),
            "message": .string(remark.message), "advice": .optional(remark.advice),
          ]
        }),
    ]
  }

  /// The phone's views of it, one above the other; `nil` where nothing would show.
  ///
  /// With one pixel a point it is drawn in a third of the time.
  func picture(
    _ appearance: CardStyle.Appearance, scale: Double = 2, _ pictures: PictureCache
  ) -> [UInt8]? {
    guard let card else { return nil }
    let style = CardStyle(scale: scale, appearance: appearance)
    return try? CardRenderer(style, pictures: pictures)
      .jpeg(card, [.banner, .collapsed, .expanded])
  }
}

/// The categories that apps with the older SDK have, by whose names these buttons show.
enum PresetCategory {
  static let names = [
    "yes_no", "accept_decline", "learn_more", "next_step", "view", "shop_now", "add", "watch",
    "subscribe", "share", "continue",
  ]

  static func titles(of category: String) -> [String] {
    guard names.contains(category) else { return [] }
    let words = category.split(separator: "_").map { $0.prefix(1).uppercased() + $0.dropFirst() }
    return ["yes_no", "accept_decline"].contains(category) ? words : [words.joined(separator: " ")]
  }
}
