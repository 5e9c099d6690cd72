import Foundation
import PushModel
import PushPayload

/// The composer's form, and the API request that it makes.
///
/// The form only puts fields at their places in the request; the API validates it.
struct ComposeForm: Sendable {
  enum Kind: String, CaseIterable, Sendable {
    case push, both, message

    var title: String {
      switch self {
      case .push: "Push only"
      case .both: "Push and in-app message"
      case .message: "In-app message only"
      }
    }
  }

  private(set) var form: Form

  init(_ form: Form = Form()) { self.form = form }

  subscript(field: ComposeField) -> String {
    get { form[field.rawValue] ?? "" }
    set { form.set(field.rawValue, newValue) }
  }

  mutating func set(_ name: String, _ value: String) { form.set(name, value) }

  mutating func append(_ name: String, _ value: String) { form.append(name, value) }

  mutating func removeFields(where isRemoved: (String) -> Bool) {
    form = Form(form.fields.filter { !isRemoved($0.name) })
  }

  /// Clears the field with a name, a text with its languages, or all fields of the buttons.
  ///
  /// - Returns: `false` if it was empty.
  mutating func clear(_ place: String) -> Bool {
    let fields = form.fields.filter { name, _ in
      place == ComposeField.buttons.rawValue
        ? ComposeButton.isPart(name)
        : name == place || Self.localized(name)?.field.rawValue == place
    }
    guard fields.contains(where: { !$0.value.isEmpty }) else { return false }
    for field in fields { form.set(field.name, nil) }
    return true
  }

  var kind: Kind { Kind(rawValue: self[.kind]) ?? .push }

  /// The key-value pairs of the custom data, in the order of the form.
  var pairs: [(key: String, value: String)] {
    zip(form.all("pair_key"), form.all("pair_value"))
      .map { ($0.trimmingCharacters(in: .whitespaces), $1) }.filter { !$0.0.isEmpty }
  }

  // MARK: The API request

  /// The body of the API request: `{"notification": …}` or `{"message": …}`.
  ///
  /// With `target`, the request is for that target in place of the chosen audience.
  ///
  /// - Throws: ``RequestError`` `.invalid` with the JSON path if the additional JSON or a button is invalid.
  func request(to target: JSONValue? = nil) throws(RequestError) -> JSONValue {
    let to = target ?? self.target
    guard kind != .message else { return ["message": .object(try message(to))] }
    var push: [String: JSONValue] = ["payload": .object(try payload())]
    if !self[.localTime].isEmpty { push["local_time"] = true }
    push["expires_at"] = time(.expiresAt)
    if !self[.throttle].isEmpty { push["throttle_per_second"] = number(.throttle) }
    guard kind == .push else {
      var message = try message(to)
      message["notification"] = .object(push)
      return ["message": .object(message)]
    }
    push["to"] = to
    push["name"] = text(.sendName)
    if !labels.isEmpty { push["labels"] = .array(labels.map(JSONValue.string)) }
    push["scheduled_at"] = time(.scheduledAt)
    return ["notification": .object(push)]
  }

  private func message(_ to: JSONValue) throws(RequestError) -> [String: JSONValue] {
    var message = messageContent
    message["to"] = to
    message["scheduled_at"] = time(.scheduledAt)
    message["unpublish_at"] = time(.unpublishAt)
    return message
  }

  /// The members of the message that an inbox shows.
  var messageContent: [String: JSONValue] {
    var message: [String: JSONValue] = [:]
    message["title"] = text(.title)
    message["text"] = text(.messageText) ?? text(.text)
    message["url"] = text(.link)
    if let media = text(.media) {
      message[isVideo ? "card_media_url" : "card_image_url"] = media
    }
    if !pairs.isEmpty {
      message["custom"] = .object(
        Dictionary(pairs.map { ($0.key, .string($0.value)) }, uniquingKeysWith: { $1 }))
    }
    return message
  }

  /// The `payload` of a notification.
  func payload() throws(RequestError) -> [String: JSONValue] {
    var payload = try additionalPayload()
    for pair in pairs { payload[pair.key] = .string(pair.value) }
    // A localization key of the app is in the additional JSON, and stays if the field is empty.
    for (key, field) in Self.localizedKeys { payload[key] = localizedText(field) ?? payload[key] }
    for (key, field) in Self.textKeys { payload[key] = text(field) ?? payload[key] }
    if kind == .push { payload["url"] = text(.link) ?? payload["url"] }
    if let badge = text(.badge) {
      let isStep = self[.badge].hasPrefix("+") || self[.badge].hasPrefix("-")
      payload["badge"] = isStep ? badge : number(.badge)
    }
    if !self[.relevance].isEmpty { payload["relevance_score"] = number(.relevance) }
    if !self[.shorten].isEmpty { payload["_overflow"] = "shorten" }
    let template = try templateDocument()
    if template != nil { payload["category"] = text(.category) ?? .string(Self.templateCategory) }
    let (media, buttons) = (text(.media), template == nil ? try self.buttons() : nil)
    if media != nil || buttons != nil || template != nil {
      var rich = payload["_martlet"]?.object ?? [:]
      if let media { rich["media"] = [["url": media]] }
      if let members = template?.object {
        rich["template"] = .object((rich["template"]?.object ?? [:]).merging(members) { $1 })
      }
      rich["alternative_text"] = text(.alternativeText) ?? rich["alternative_text"]
      rich["buttons"] = buttons ?? rich["buttons"]
      payload["_martlet"] = .object(rich)
      // The service extension runs only for mutable content. It adds media and buttons, and prepares templates.
      payload["mutable_content"] = true
    }
    return payload
  }

  /// The keys of the payload whose values are the texts of fields.
  static let textKeys: [(key: String, field: ComposeField)] = [
    ("category", .category), ("sound", .sound), ("collapse_key", .collapseKey),
    ("interruption_level", .interruptionLevel),
  ]

  private func additionalPayload() throws(RequestError) -> [String: JSONValue] {
    guard !self[.more].isEmpty else { return [:] }
    let more = try BodyValue(
      parsing: Array(self[.more].utf8), as: Self.morePath, at: Self.morePath)
    guard let members = more.value.object else {
      throw .refused(Self.morePath, "must be a JSON object")
    }
    return members
  }

  static let morePath = "$.more"

  private var isVideo: Bool {
    let path = self[.media].prefix { $0 != "?" && $0 != "#" }
    let type = MediaType(pathExtension: String(path.split(separator: ".").last ?? ""))
    return type?.family == .movie
  }

  private func text(_ field: ComposeField) -> JSONValue? {
    self[field].isEmpty ? nil : .string(self[field])
  }

  /// A number, or the unchanged text, so that the API refuses it and names the allowed range.
  private func number(_ field: ComposeField) -> JSONValue { .entered(self[field]) }

  /// The labels, which commas separate.
  var labels: [String] {
    self[.labels].split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }
  }

  /// The value of a `datetime-local` input, in the time zone that a script submitted, otherwise UTC.
  func time(_ field: ComposeField) -> JSONValue? {
    let text = self[field]
    guard !text.isEmpty else { return nil }
    let isLocal = field == .scheduledAt && kind != .message && !self[.localTime].isEmpty
    guard isLocal else {
      return .string(time(text, offset: form[field.rawValue + "_offset"]))
    }
    return .string(Self.withSeconds(text))
  }

  /// Converts the value of a `datetime-local` input to ISO 8601; any other text stays as it is.
  ///
  /// - Parameters:
  ///   - text: The value of the input.
  ///   - offset: JavaScript's `getTimezoneOffset`, the number of minutes by which UTC is ahead; `nil` if the
  ///     text is in UTC.
  /// - Returns: The time in UTC.
  func time(_ text: String, offset: String?) -> String {
    let text = Self.withSeconds(text)
    guard let time = Timestamp(iso8601: text) else { return text }
    // The local time of every place differs from UTC by less than a day.
    let minutes =
      offset.flatMap { Int64($0) }.flatMap { (-1440...1440).contains($0) ? $0 : nil } ?? 0
    return (time + .seconds(minutes * 60)).iso8601
  }

  private static func withSeconds(_ text: String) -> String {
    text.count == 16 ? text + ":00" : text
  }
}
