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
    var notification: [String: JSONValue] = [
      "to": target ?? (self[.to].isEmpty ? .null : .string(self[.to])),
      "payload": .object(try payload()),
    ]
    guard kind == .push else { return ["message": .object(try message(notification))] }
    notification["scheduled_at"] = time(.scheduledAt)
    if !self[.localTime].isEmpty { notification["local_time"] = true }
    notification["expires_at"] = time(.expiresAt)
    if !self[.throttle].isEmpty { notification["throttle_per_second"] = number(.throttle) }
    return ["notification": .object(notification)]
  }

  private func message(
    _ notification: [String: JSONValue]
  ) throws(APIError) -> [String: JSONValue] {
    var message: [String: JSONValue] = ["to": notification["to"] ?? .null]
    message["title"] = text(.title)
    message["text"] = text(.messageText) ?? text(.text)
    message["url"] = text(.link)
    if let media = text(.media) {
      message[isVideo ? "card_media_url" : "card_image_url"] = media
    }
    if kind == .both {
      message["notification"] = ["payload": notification["payload"] ?? [:]]
    }
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
    if !self[.shorten].isEmpty { payload["overflow"] = "shorten" }
    if let media = text(.media) {
      var rich: [String: JSONValue] = ["media": [["url": media]]]
      rich["alternative_text"] = text(.alternativeText)
      payload["_martlet"] = .object(rich)
      // Media are shown by the extension, which runs for such a push only.
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
    guard self[.localTime].isEmpty || field != .scheduledAt,
      let wall = Timestamp(iso8601: seconds)
    else { return .string(seconds) }
    // As JavaScript's `getTimezoneOffset` has it: minutes that UTC is ahead.
    return .string((wall + .seconds(minutes * 60)).iso8601)
  }

  // MARK: From an earlier send

  /// The form that makes the same payload; keys that have no field go into the JSON beside them.
  init(_ send: Send, everyone: String) {
    var rest = send.payload.object ?? [:]
    self.init()
    self[.kind] = Kind.push.rawValue
    self[.to] = send.audience == everyone ? "*" : send.audience
    let texts: [(ComposeField, String)] = [
      (.title, "title"), (.subtitle, "subtitle"), (.text, "alert"), (.category, "category"),
      (.sound, "sound"), (.collapseKey, "collapse_key"),
      (.interruptionLevel, "interruption_level"), (.badge, "badge"), (.link, "url"),
    ]
    for (field, key) in texts {
      guard let value = rest[key]?.scalarText else { continue }
      self[field] = value
      rest[key] = nil
    }
    if let score = rest["relevance_score"]?.number {
      self[.relevance] = score.description
      rest["relevance_score"] = nil
    }
    if rest["overflow"] == "shorten" {
      self[.shorten] = "on"
      rest["overflow"] = nil
    }
    takeMedia(&rest)
    for key in rest.keys.sorted() {
      guard let value = rest[key]?.string else { continue }
      form.append("pair_key", key)
      form.append("pair_value", value)
      rest[key] = nil
    }
    if !rest.isEmpty {
      self[.more] = String(decoding: JSONValue.object(rest).serialized(), as: UTF8.self)
    }
    if let throttle = send.throttlePerSecond { self[.throttle] = String(throttle) }
  }

  private mutating func takeMedia(_ rest: inout [String: JSONValue]) {
    // Only what this form writes; anything richer stays whole in the JSON.
    guard let rich = rest["_martlet"]?.object, rest["mutable_content"] == true,
      rich.keys.allSatisfy({ $0 == "media" || $0 == "alternative_text" }),
      let media = rich["media"]?.array, media.count == 1, media[0].object?.count == 1,
      let url = media[0]["url"]?.string
    else { return }
    self[.media] = url
    self[.alternativeText] = rich["alternative_text"]?.string ?? ""
    rest["_martlet"] = nil
    rest["mutable_content"] = nil
  }
}

extension JSONValue {
  fileprivate var scalarText: String? { string ?? integer.map { String($0) } }
}
