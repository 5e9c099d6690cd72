public import Foundation

/// What became of one notification on one device, as the server is told.
///
/// Its ``id`` follows from the notification, the device and the event, so that an extension that is
/// run twice for one push tells the server one thing, and so does a receipt that is sent twice.
public struct Receipt: Hashable, Sendable, Identifiable {
  /// What names it to the server, which counts each once.
  public let id: String
  /// The push that it is about.
  public let notificationID: String
  /// The device, as the server knows it.
  public let deviceID: String
  /// What happened.
  public let event: Event
  /// When it happened, to the millisecond.
  public let at: Date
  /// What became of the media: `attached`, `alternative`, `failed`, `skipped`.
  public let media: String?
  /// Why, where something failed.
  public let reason: String?
  /// How long the extension took, in milliseconds.
  public let durationMilliseconds: Int?

  /// What happened to a notification.
  public struct Event: RawRepresentable, Hashable, Sendable, Codable {
    /// The name as the server knows it.
    public let rawValue: String

    /// Names an event.
    ///
    /// - Parameter rawValue: A lower-case word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// It reached the extension.
    public static let received = Event(rawValue: "received")
    /// It was handed to the system to be shown.
    public static let displayed = Event(rawValue: "displayed")
    /// It was tapped.
    public static let opened = Event(rawValue: "opened")
    /// It was swiped away.
    public static let dismissed = Event(rawValue: "dismissed")
    /// One of its buttons was tapped.
    public static let action = Event(rawValue: "action")
  }

  /// Makes a receipt.
  ///
  /// - Parameters:
  ///   - notificationID: The push that it is about.
  ///   - deviceID: The device, as the server knows it.
  ///   - event: What happened.
  ///   - date: When it happened; a date outside the years 1970 to 9999 is the nearest inside.
  ///   - media: What became of the media.
  ///   - reason: Why, where something failed.
  ///   - duration: How long the extension took.
  public init(
    notificationID: String, deviceID: String, event: Event, at date: Date, media: String? = nil,
    reason: String? = nil, duration: Duration? = nil
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
    id = WordHash(of: [notificationID, deviceID, event.rawValue]).hexadecimal
  }
}

extension Receipt: Codable {
  private enum CodingKeys: String, CodingKey {
    case id, event, at, media, reason
    case notificationID = "notification_id"
    case deviceID = "device_id"
    case durationMilliseconds = "duration_ms"
  }

  /// Reads a receipt as the server's API has it.
  ///
  /// - Parameter decoder: The decoder to read from.
  /// - Throws: `DecodingError` where a field is missing or wrong, or the id is not the receipt's own.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    guard let date = Timestamp.parse(try fields.decode(String.self, forKey: .at)) else {
      throw DecodingError.dataCorruptedError(
        forKey: .at, in: fields, debugDescription: "not a date of ISO 8601")
    }
    let milliseconds = try fields.decodeIfPresent(Int.self, forKey: .durationMilliseconds)
    self.init(
      notificationID: try fields.decode(String.self, forKey: .notificationID),
      deviceID: try fields.decode(String.self, forKey: .deviceID),
      event: try fields.decode(Event.self, forKey: .event), at: date,
      media: try fields.decodeIfPresent(String.self, forKey: .media),
      reason: try fields.decodeIfPresent(String.self, forKey: .reason),
      duration: milliseconds.map { .milliseconds($0) })
    guard try fields.decode(String.self, forKey: .id) == id else {
      throw DecodingError.dataCorruptedError(
        forKey: .id, in: fields, debugDescription: "the id is another receipt's")
    }
  }

  /// Writes it as the server's API has it; `at` is ISO 8601 in UTC with milliseconds.
  ///
  /// - Parameter encoder: The encoder to write to.
  /// - Throws: What the encoder throws.
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
  }
}

/// `2026-11-21T09:30:00.000Z`.
private enum Timestamp {
  private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
  private static let years = 0.0...253_402_300_799_999

  /// The nearest date of whole milliseconds that has such a text.
  static func whole(_ date: Date) -> Date {
    let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
    guard !milliseconds.isNaN else { return Date(timeIntervalSince1970: 0) }
    let possible = min(max(milliseconds, years.lowerBound), years.upperBound)
    return Date(timeIntervalSince1970: possible / 1000)
  }

  /// The style cuts where it should round; half a millisecond makes that the same.
  static func text(_ date: Date) -> String { date.addingTimeInterval(0.0005).formatted(style) }

  static func parse(_ text: String) -> Date? { try? style.parse(text) }
}
