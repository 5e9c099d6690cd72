import Foundation
import PushPayload

/// A JSON object in a file, whose first member is a hash that reveals damage.
enum CheckedJSON {
  private static let start = Data(#"{"check":""#.utf8)
  private static let end = Data(#"","#.utf8)
  private static let digits = 32

  /// The bytes of a file with members; there must be at least one.
  static func bytes(_ members: [String: JSONValue]) -> Data {
    let content = JSONValue.object(members).serialized()
    return head(of: content) + content.dropFirst()
  }

  /// The members in the bytes of a file; `nil` if any byte differs from the one that was written.
  static func members(_ bytes: Data) -> [String: JSONValue]? {
    let length = start.count + digits + end.count
    let content = Data("{".utf8) + bytes.dropFirst(length)
    guard bytes.prefix(length) == head(of: content) else { return nil }
    return (try? JSONValue(parsing: content))?.object
  }

  private static func head(of content: Data) -> Data {
    var hash = WordHash(of: [] as [String])
    hash.add(content)
    return start + Data(hash.hexadecimal.utf8) + end
  }
}
