/// A value of a property list in OpenStep's old text form, and its range of bytes in the file.
///
/// Xcode writes `project.pbxproj` in this form. With the ranges, an editor can insert text and leave
/// every other byte unchanged.
struct OldPropertyList: Sendable {
  indirect enum Content: Sendable {
    case string(String)
    case data([UInt8])
    case array([OldPropertyList])
    case dictionary([Member])
  }

  /// A key with its value.
  struct Member: Sendable {
    let key: String
    /// The offset at which the key begins.
    let start: Int
    let value: OldPropertyList
    /// The offset after the semicolon.
    let end: Int
  }

  let content: Content
  /// The offsets of the value's bytes, including brackets and quotes.
  let range: Range<Int>
  /// Whether the last element of an array is followed by a comma, as Xcode writes it.
  var hasTrailingComma = false

  /// The most bytes of a file; the largest projects have about 30 MB.
  static let maximumBytes = 64 << 20
  /// The most levels; a project has about seven.
  static let maximumDepth = 64

  var string: String? { if case .string(let text) = content { text } else { nil } }
  var array: [OldPropertyList]? { if case .array(let values) = content { values } else { nil } }
  var members: [Member]? { if case .dictionary(let members) = content { members } else { nil } }
  /// The strings of an array.
  var strings: [String] { (array ?? []).compactMap(\.string) }

  subscript(key: String) -> OldPropertyList? { members?.first { $0.key == key }?.value }
}

/// An error in the bytes of a project file.
struct OldPropertyListError: Error, Sendable, CustomStringConvertible {
  /// The line, from 1; `nil` if the error is about the whole file.
  var line: Int?
  var message: String

  var description: String { line.map { "line \($0): \(message)" } ?? message }
}
