/// A value of a property list in the old text form of OpenStep, and the bytes that it spans in its
/// file.
///
/// Xcode writes `project.pbxproj` in this form. The ranges let an editor insert text and leave every
/// other byte as it is.
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
  /// The offsets of the value's bytes, brackets and quotes included.
  let range: Range<Int>
  /// Whether the last element of an array has a comma after it, as Xcode writes.
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
  /// The line, from 1; `nil` where the error is of the whole file.
  var line: Int?
  var message: String

  var description: String { line.map { "line \($0): \(message)" } ?? message }
}
