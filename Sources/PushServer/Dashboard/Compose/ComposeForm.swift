import Foundation
import PushPayload
import PushStore

/// What the composer's form holds, and what it means as a request to the API.
///
/// The API's own readers check it: this only puts the fields where they belong.
struct ComposeForm: Sendable {
  enum Kind: String, CaseIterable, Sendable {
    case push, both, message

    var title: String {
      switch self {
      case .push: "Push only"
      case .both: "Push with an in-app message"
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

  var kind: Kind { Kind(rawValue: self[.kind]) ?? .push }

  /// `*` for every device, or the id of an audience.
  var isForEveryone: Bool { self[.to] == "*" }

  /// Keys of the app's own, in the order in which they were written.
  var pairs: [(key: String, value: String)] {
    zip(form.all("pair_key"), form.all("pair_value"))
      .map { ($0.trimmingCharacters(in: .whitespaces), $1) }.filter { !$0.0.isEmpty }
  }

  // MARK: As the API takes it

  /// `{"notification": …}` or `{"message": …}`.
  ///
  /// - Throws: ``APIError`` 422 where a field is no number or date, with the path of its place.
  func request(to target: JSONValue? = nil) throws(APIError) -> JSONValue {
    let to = target ?? (self[.to].isEmpty ? .null : .string(self[.to]))
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
    push["scheduled_at"] = time(.scheduledAt)
    return ["notification": .object(push)]
  }

  private func message(_ to: JSONValue) throws(APIError) -> [String: JSONValue] {
    var message: [String: JSONValue] = ["to": to]
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
    message["scheduled_at"] = time(.scheduledAt)
    message["unpublish_at"] = time(.unpublishAt)
    return message
  }

  /// The `payload` of a notification.
  func payload() throws(APIError) -> [String: JSONValue] {
    var payload = try more()
    for pair in pairs { payload[pair.key] = .string(pair.value) }
    payload["title"] = text(.title)
    payload["subtitle"] = text(.subtitle)
    payload["alert"] = text(.text)
    payload["category"] = text(.category)
    payload["sound"] = text(.sound)
    payload["collapse_key"] = text(.collapseKey)
    payload["interruption_level"] = text(.interruptionLevel)
    if kind == .push { payload["url"] = text(.link) ?? payload["url"] }
    if let badge = text(.badge) {
      let isStep = self[.badge].hasPrefix("+") || self[.badge].hasPrefix("-")
      payload["badge"] = isStep ? badge : number(.badge)
    }
    if !self[.relevance].isEmpty { payload["relevance_score"] = number(.relevance) }
    if !self[.shorten].isEmpty { payload["_overflow"] = "shorten" }
    let (media, buttons) = (text(.media), try self.buttons())
    if media != nil || buttons != nil {
      var rich = payload["_martlet"]?.object ?? [:]
      if let media { rich["media"] = [["url": media]] }
      rich["alternative_text"] = text(.alternativeText) ?? rich["alternative_text"]
      rich["buttons"] = buttons ?? rich["buttons"]
      payload["_martlet"] = .object(rich)
      // The extension shows them, which runs for such a push only.
      payload["mutable_content"] = true
    }
    return payload
  }

  private func more() throws(APIError) -> [String: JSONValue] {
    guard !self[.more].isEmpty else { return [:] }
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue(parsing: self[.more])
    } catch {
      throw .refused(Self.morePath, "is \(error.message)")
    }
    guard let members = value.object else {
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

  /// What is no number goes as it is, and the API says what it takes.
  private func number(_ field: ComposeField) -> JSONValue {
    let text = self[field]
    return Int64(text).map(JSONValue.integer) ?? Double(text).map(JSONValue.number)
      ?? .string(text)
  }

  /// A time as the browser's field has it, in the zone that a script told; without one, in UTC.
  private func time(_ field: ComposeField) -> JSONValue? {
    let text = self[field]
    guard !text.isEmpty else { return nil }
    let seconds = text.count == 16 ? text + ":00" : text
    let minutes = Int64(form[field.rawValue + "_offset"] ?? "") ?? 0
    let isWall = field == .scheduledAt && kind != .message && !self[.localTime].isEmpty
    guard !isWall,
      let wall = Timestamp(iso8601: seconds)
    else { return .string(seconds) }
    // As JavaScript's `getTimezoneOffset` has it: minutes that UTC is ahead.
    return .string((wall + .seconds(minutes * 60)).iso8601)
  }
}
