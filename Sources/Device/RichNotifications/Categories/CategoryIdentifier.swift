import Foundation
import PushPayload

/// The identifier of a category that was made for a payload's buttons.
///
/// `martlet.buttons.<8 hexadecimal digits: seconds since 1970>.<32 hexadecimal digits: hash of the buttons>`.
/// The system's list of categories therefore tells which ones Martlet has registered, when, and for which
/// buttons; nothing else is stored.
struct CategoryIdentifier: Hashable, Sendable {
  /// The prefix of every such identifier.
  ///
  /// Categories without it belong to the app or to other libraries.
  static let prefix = "martlet.buttons."

  let text: String
  private let time: String
  private let buttons: String

  init(at date: Date, buttons: WordHash) {
    let seconds = date.timeIntervalSince1970.rounded(.down)
    let whole = UInt32(exactly: seconds) ?? (seconds > 0 ? .max : 0)
    time = whole.hexadecimal(digits: 8)
    self.buttons = buttons.hexadecimal
    text = Self.prefix + time + "." + self.buttons
  }

  /// Parses an identifier; `nil` if it is not of this form.
  init?(_ text: String) {
    guard text.hasPrefix(Self.prefix) else { return nil }
    let parts = text.dropFirst(Self.prefix.count).split(
      separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].utf8.count == 8, parts[1].utf8.count == 32,
      parts.allSatisfy({ $0.utf8.allSatisfy(Self.isDigit) })
    else { return nil }
    self.text = text
    time = String(parts[0])
    buttons = String(parts[1])
  }

  func hasSameButtons(as other: CategoryIdentifier) -> Bool { buttons == other.buttons }

  /// Orders by date, then by hash, so that the order does not depend on the device.
  static func isOlder(_ left: CategoryIdentifier, _ right: CategoryIdentifier) -> Bool {
    left.text < right.text
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || UInt8(ascii: "a")...UInt8(ascii: "f") ~= byte
  }
}
