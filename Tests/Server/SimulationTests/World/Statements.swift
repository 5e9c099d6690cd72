import Synchronization

@testable import PushStore

/// The statements by which a store changes rows, one of which may be left out.
final class Statements: Sendable {
  /// The statement that is left out, by its name; `nil` if all run.
  let leftOut: String?
  private let names = Mutex<Set<String>>([])

  init(leavingOut name: String? = nil) { leftOut = name }

  /// The names of the statements that have run or were left out.
  var seen: Set<String> { names.withLock(\.self) }

  /// Counts a statement as seen.
  ///
  /// - Returns: Whether it is left out.
  func leaveOut(_ text: String) -> Bool {
    let name = Self.name(of: text)
    names.withLock { _ = $0.insert(name) }
    return name == leftOut
  }

  /// The text on one line, the same for any number of values in a list.
  static func name(of text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      .replacing(/\$\d+/, with: "?").replacing(/\?(, ?\?)+/, with: "?…")
      .replacing(/\(\?…?\)(, ?\(\?…?\))+/, with: "(?…)…")
  }
}
