#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension JSONValue {
  /// The most levels of arrays and objects, so that hostile input cannot exhaust the stack.
  package static let maximumDepth = 512

  /// Reads one JSON document.
  ///
  /// The grammar is RFC 8259's, strictly: no comma before a closing bracket, no unpaired surrogate, no number that
  /// a `Double` cannot hold. Nesting is limited to 512 levels. A whole number that fits in 64 bits becomes
  /// ``integer(_:)`` however it is written. If a key is repeated, its first value is kept.
  ///
  /// - Parameter data: UTF-8 JSON; the document may be any value.
  /// - Throws: ``JSONError`` if the bytes are not valid JSON.
  public init(parsing data: Data) throws(JSONError) { try self.init(parsing: Array(data)) }

  /// Reads one JSON document from text.
  ///
  /// - Parameter text: JSON text.
  /// - Throws: ``JSONError`` if the text is not valid JSON.
  public init(parsing text: String) throws(JSONError) { try self.init(parsing: Array(text.utf8)) }

  /// Reads one JSON document from bytes.
  ///
  /// - Parameters:
  ///   - bytes: UTF-8 JSON.
  ///   - refusingRepeatedKeys: Whether an object that has a key twice is refused, as for the requests of a server:
  ///     two readers of the same text may take different values (RFC 8259 section 4).
  /// - Throws: ``JSONError`` if the bytes are not valid JSON, or repeat a key that must not be repeated.
  package init(parsing bytes: [UInt8], refusingRepeatedKeys: Bool = false) throws(JSONError) {
    do throws(JSONFault) {
      var tokens = try JSONTokens(bytes)
      self = try tokens.value(depth: 0, isUnique: refusingRepeatedKeys)
      tokens.skipSpace()
      if !tokens.isAtEnd { throw tokens.fault("has text after its end") }
    } catch { throw JSONError(error, in: bytes) }
  }
}

extension JSONTokens {
  /// Reads a value with all its elements or members.
  ///
  /// `isUnique` is whether an object that has a key twice is refused.
  fileprivate mutating func value(depth: Int, isUnique: Bool) throws(JSONFault) -> JSONValue {
    skipSpace()
    let start = offset
    let isObject = next == UInt8(ascii: "{")
    guard isObject || next == UInt8(ascii: "[") else { return try scalar() }
    guard depth < JSONValue.maximumDepth else {
      throw JSONFault(
        kind: .depth, offset: start,
        message: "nests deeper than \(JSONValue.maximumDepth) levels")
    }
    return isObject
      ? .object(try members(depth: depth + 1, isUnique: isUnique))
      : .array(try elements(depth: depth + 1, isUnique: isUnique))
  }

  private mutating func members(
    depth: Int, isUnique: Bool
  ) throws(JSONFault) -> [String: JSONValue] {
    var members: [(String, JSONValue)] = []
    var offsets: [Int] = []
    try expect(UInt8(ascii: "{"))
    if skip(UInt8(ascii: "}")) { return [:] }
    repeat {
      skipSpace()
      if isUnique { offsets.append(offset) }
      let key = try string()
      try expect(UInt8(ascii: ":"))
      members.append((key, try value(depth: depth, isUnique: isUnique)))
    } while skip(UInt8(ascii: ","))
    try expect(UInt8(ascii: "}"))
    let object = Dictionary(members) { first, _ in first }
    if isUnique, object.count < members.count {
      var seen: Set<String> = []
      let repeated = members.firstIndex { !seen.insert($0.0).inserted } ?? 0
      throw JSONFault(
        kind: .repeatedKey, offset: offsets[repeated], message: "repeats a key of the same object")
    }
    return object
  }

  private mutating func elements(depth: Int, isUnique: Bool) throws(JSONFault) -> [JSONValue] {
    var elements: [JSONValue] = []
    try expect(UInt8(ascii: "["))
    if skip(UInt8(ascii: "]")) { return elements }
    repeat {
      elements.append(try value(depth: depth, isUnique: isUnique))
    } while skip(UInt8(ascii: ","))
    try expect(UInt8(ascii: "]"))
    return elements
  }
}

/// An error that describes why bytes are not valid JSON, with the place of the fault.
public struct JSONError: Error, Sendable, CustomStringConvertible {
  /// A description of the fault, with line and column.
  ///
  /// It never contains text from the document.
  public var message: String
  /// The underlying error.
  public var cause: (any Error)?

  init(_ fault: JSONFault, in bytes: [UInt8]) {
    let position = JSONPosition(of: fault.offset, in: bytes)
    let what = fault.kind == .repeatedKey ? "ambiguous JSON" : "not JSON"
    message = "\(what): line \(position.line), column \(position.column): \(fault.message)"
    cause = fault
  }

  /// The message.
  public var description: String { message }
}

/// A line and a column of a text, counted from 1; columns count Unicode scalars.
package struct JSONPosition: Hashable, Sendable {
  package var line = 1
  package var column = 1

  package init(of offset: Int, in bytes: [UInt8]) {
    for byte in bytes.prefix(offset) {
      if byte == UInt8(ascii: "\n") {
        line += 1
        column = 1
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
    }
  }
}
