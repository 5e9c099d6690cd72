public import Foundation
package import PushPayload

/// A report to the server about one event of a notification on one device.
///
/// Its ``id`` is derived from the notification, the device, the event and the page. The server therefore counts a
/// receipt once, even if the extension runs twice for one push or the receipt is sent twice.
public struct Receipt: Hashable, Sendable, Identifiable {
  /// The receipt's identifier; the server counts each once.
  public let id: String
  /// The notification's identifier, from the payload.
  public let notificationID: String
  /// The device's identifier on the server.
  public let deviceID: String
  /// The event.
  public let event: Event
  /// The time of the event, in milliseconds.
  public let at: Date
  /// The worst result of the media: `attached`, `alternative`, `failed` or `skipped`.
  public let media: String?
  /// The reason of a failure.
  public let reason: String?
  /// The time that the extension took, in milliseconds.
  public let durationMilliseconds: Int?
  /// The index of the page of an expanded notification, from 0 to 99.
  public let page: Int?
  /// The time that the page was visible, in whole seconds and at most an hour.
  public let dwellSeconds: Int?
  /// The star, or the identifier of the choice, of at most 256 Unicode scalars.
  public let value: String?
  /// The text that the person typed, of at most 256 Unicode scalars.
  public let text: String?

  /// What the extension did, in named fields without the notification's content; see ``ReceiptSettings/sendsTrace``.
  package var trace: ReceiptTrace?

  /// An event of a notification.
  public struct Event: RawRepresentable, Hashable, Sendable, Codable {
    /// The name, as in the server's API.
    public let rawValue: String

    /// Creates an event.
    ///
    /// - Parameter rawValue: A lower-case word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The notification reached the extension.
    public static let received = Event(rawValue: "received")
    /// The notification was shown.
    public static let displayed = Event(rawValue: "displayed")
    /// The notification was tapped.
    public static let opened = Event(rawValue: "opened")
    /// The notification was dismissed.
    public static let dismissed = Event(rawValue: "dismissed")
    /// A button of the notification was tapped.
    public static let action = Event(rawValue: "action")
    /// The notification was expanded, and its template was shown.
    public static let templateViewed = Event(rawValue: "template_viewed")
    /// A page of the expanded notification was visible; has ``Receipt/page`` and ``Receipt/dwellSeconds``.
    public static let templatePage = Event(rawValue: "template_page")
    /// The person rated or chose, which is ``Receipt/value``, or typed an answer.
    public static let templateAnswered = Event(rawValue: "template_answered")
    /// A link of the expanded notification was opened, or the app if there is no link; may have ``Receipt/page``.
    public static let templateOpened = Event(rawValue: "template_opened")
    /// The face after the end of a countdown was seen.
    public static let templateExpired = Event(rawValue: "template_expired")
    /// The movie or sound was played.
    public static let templatePlayed = Event(rawValue: "template_played")
  }

  /// Creates a receipt.
  ///
  /// - Parameters:
  ///   - notificationID: The notification's identifier, from the payload.
  ///   - deviceID: The device's identifier on the server.
  ///   - event: The event.
  ///   - date: The time of the event, which is clamped to the years 1970 to 9999.
  ///   - media: The worst result of the media.
  ///   - reason: The reason of a failure.
  ///   - duration: The time that the extension took.
  ///   - page: The index of the page; an index outside 0 to 99 is left out.
  ///   - dwell: The time that the page was visible, which is rounded and clamped to an hour.
  ///   - value: The star or the identifier of the choice; a longer one is cut off.
  ///   - text: The text that the person typed; a longer text is cut off.
  public init(
    notificationID: String, deviceID: String, event: Event, at date: Date, media: String? = nil,
    reason: String? = nil, duration: Duration? = nil, page: Int? = nil, dwell: Duration? = nil,
    value: String? = nil, text: String? = nil
  ) {
    self.notificationID = notificationID
    self.deviceID = deviceID
    self.event = event
    self.media = media
    self.reason = reason
    at = Timestamp.whole(date)
    durationMilliseconds = duration.map {
      Int(clamping: Int64(max(0, min($0 / .milliseconds(1), 9e15))))
    }
    self.page = page.flatMap { (0...TemplateEventLimits.lastPage).contains(Int64($0)) ? $0 : nil }
    let longestDwell = Double(TemplateEventLimits.longestDwell)
    dwellSeconds = dwell.map { Int(max(0, min(($0 / .seconds(1)).rounded(), longestDwell))) }
    self.value = Self.cut(value)
    self.text = Self.cut(text)
    let words = [notificationID, deviceID, event.rawValue]
    id = WordHash(of: words + (self.page.map { ["\($0)"] } ?? [])).hexadecimal
  }
}

extension Receipt {
  /// The characters that the server accepts; `nil` if no character is left.
  private static func cut(_ text: String?) -> String? {
    let kept = (text ?? "").unicodeScalars.filter { $0 != "\0" }
      .prefix(TemplateEventLimits.longestValue)
    return kept.isEmpty ? nil : String(String.UnicodeScalarView(kept))
  }

  /// The identifier of a notification: Martlet's `_nid` before that of a vendor, because receipts go to Martlet's server.
  package static func notificationID(of payload: JSONValue, read request: PayloadRequest)
    -> String?
  {
    let own = payload["_nid"]?.string ?? ""
    return own.isEmpty ? request.messageID : own
  }
}

extension Receipt: Codable {
  private enum CodingKeys: String, CodingKey {
    case id, event, at, media, reason, page, value, text, trace
    case notificationID = "notification_id"
    case deviceID = "device_id"
    case durationMilliseconds = "duration_ms"
    case dwellSeconds = "dwell_seconds"
  }

  /// Decodes a receipt in the form of the server's API.
  ///
  /// - Parameter decoder: The decoder to read from.
  /// - Throws: `DecodingError` if a field is missing or invalid, or `id` does not match the other fields.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    guard let date = Timestamp.parse(try fields.decode(String.self, forKey: .at)) else {
      throw DecodingError.dataCorruptedError(
        forKey: .at, in: fields, debugDescription: "at must be a date in ISO 8601")
    }
    let milliseconds = try fields.decodeIfPresent(Int.self, forKey: .durationMilliseconds)
    self.init(
      notificationID: try fields.decode(String.self, forKey: .notificationID),
      deviceID: try fields.decode(String.self, forKey: .deviceID),
      event: try fields.decode(Event.self, forKey: .event), at: date,
      media: try fields.decodeIfPresent(String.self, forKey: .media),
      reason: try fields.decodeIfPresent(String.self, forKey: .reason),
      duration: milliseconds.map { .milliseconds($0) },
      page: try fields.decodeIfPresent(Int.self, forKey: .page),
      dwell: try fields.decodeIfPresent(Int.self, forKey: .dwellSeconds).map { .seconds($0) },
      value: try fields.decodeIfPresent(String.self, forKey: .value),
      text: try fields.decodeIfPresent(String.self, forKey: .text))
    trace = try fields.decodeIfPresent(ReceiptTrace.self, forKey: .trace)
    guard try fields.decode(String.self, forKey: .id) == id else {
      throw DecodingError.dataCorruptedError(
        forKey: .id, in: fields,
        debugDescription: "id does not match notification_id, device_id, event and page")
    }
  }

  /// Encodes the receipt in the form of the server's API; `at` is ISO 8601 in UTC with milliseconds.
  ///
  /// - Parameter encoder: The encoder to write to.
  /// - Throws: Any error of the encoder.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(id, forKey: .id)
    try fields.encode(notificationID, forKey: .notificationID)
    try fields.encode(deviceID, forKey: .deviceID)
    try fields.encode(event, forKey: .event)
    try fields.encode(Timestamp.text(at), forKey: .at)
    try fields.encodeIfPresent(media, forKey: .media)
    try fields.encodeIfPresent(reason, forKey: .reason)
    try fields.encodeIfPresent(durationMilliseconds, forKey: .durationMilliseconds)
    try fields.encodeIfPresent(page, forKey: .page)
    try fields.encodeIfPresent(dwellSeconds, forKey: .dwellSeconds)
    try fields.encodeIfPresent(value, forKey: .value)
    try fields.encodeIfPresent(text, forKey: .text)
    try fields.encodeIfPresent(trace, forKey: .trace)
  }
}

/// The date format of receipts: `2026-11-21T09:30:00.000Z`.
private enum Timestamp {
  private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
  private static let years = 0.0...253_402_300_799_999

  /// The date rounded to milliseconds and clamped to the range of the format.
  static func whole(_ date: Date) -> Date {
    let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
    guard !milliseconds.isNaN else { return Date(timeIntervalSince1970: 0) }
    let possible = min(max(milliseconds, years.lowerBound), years.upperBound)
    return Date(timeIntervalSince1970: possible / 1000)
  }

  /// Adds half a millisecond, because the format style truncates.
  static func text(_ date: Date) -> String { date.addingTimeInterval(0.0005).formatted(style) }

  static func parse(_ text: String) -> Date? { try? style.parse(text) }
}
