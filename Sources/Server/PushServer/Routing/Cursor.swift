import Foundation
import PushModel
import PushPayload

/// A position in a list, in an opaque form that callers send back for the next page.
struct Cursor: Sendable {
  /// The time for which a cursor is valid.
  static let life = Duration.seconds(24 * 60 * 60)
  /// The difference that the clocks of two servers may have.
  static let clockTolerance = Duration.seconds(5 * 60)

  /// The store's key of the last element of the page; `nil` past the end of the list.
  var position: String?

  /// The cursor as base64url text, which names its list and is valid for no other list.
  func text(of list: String, at now: Timestamp) -> String {
    let text = "\(now.milliseconds)/\(list)/\(position ?? "")"
    return Data(text.utf8).base64EncodedString()
      .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }

  /// The `cursor` of an answer; `null` at the end of the list.
  static func next(_ position: String?, of list: String, at now: Timestamp) -> JSONValue {
    .optional(position.map { Cursor(position: $0).text(of: list, at: now) })
  }

  /// Parses a cursor.
  ///
  /// - Throws: ``RequestError`` `.notFound` if the cursor is of another list, or too old.
  init(_ text: String, of list: String, at now: Timestamp) throws(RequestError) {
    let base64 = text.replacing("-", with: "+").replacing("_", with: "/").replacing("=", with: "")
    let padding = String(repeating: "=", count: (4 - base64.utf8.count % 4) % 4)
    let parts = Data(base64Encoded: base64 + padding).map {
      String(decoding: $0, as: UTF8.self)
        .split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
    }
    guard let parts, parts.count == 3, parts[1] == list, let made = Int64(parts[0]),
      made > (now + (.zero - Self.life)).milliseconds,
      made <= (now + Self.clockTolerance).milliseconds
    else { throw .expiredCursor }
    position = parts[2].isEmpty ? nil : String(parts[2])
  }

  init(position: String?) { self.position = position }
}
