#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension JSONValue {
  /// How deep arrays and objects may nest, so that hostile input cannot exhaust the stack.
  package static let maximumDepth = 512

  /// Reads one JSON document.
  ///
  /// By RFC 8259, strictly: no comma before a closing bracket, no half of a surrogate pair, no number
  /// that is infinite. Nesting is limited to 512 levels. A whole number that fits in 64 bits becomes
  /// ``integer(_:)`` however it is written; of a key that stands twice the first value counts.
  ///
  /// - Parameter data: UTF-8 JSON; any value may stand at the top.
  /// - Throws: ``JSONError`` where the bytes are no JSON.
  public init(parsing data: Data) throws(JSONError) { try self.init(parsing: Array(data)) }

  /// Reads one JSON document from text.
  ///
  /// - Parameter text: JSON text.
  /// - Throws: ``JSONError`` where the text is no JSON.
  public init(parsing text: String) throws(JSONError) { try self.init(parsing: Array(text.utf8)) }

  package init(parsing bytes: [UInt8]) throws(JSONError) {
    do throws(JSONFault) {
      var tokens = try JSONTokens(bytes)
      self = try tokens.value(depth: 0)
      tokens.skipSpace()
      if !tokens.isAtEnd { throw tokens.fault("has something behind its end") }
    } catch { throw JSONError(error, in: bytes) }
  }
}

extension JSONTokens {
  /// Takes a value with all that is in it.
  fileprivate mutating func value(depth: Int) throws(JSONFault) -> JSONValue {
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
      ? .object(try members(depth: depth + 1)) : .array(try elements(depth: depth + 1))
  }

  private mutating func members(depth: Int) throws(JSONFault) -> [String: JSONValue] {
    var members: [(String, JSONValue)] = []
    try expect(UInt8(ascii: "{"))
    if take(UInt8(ascii: "}")) { return [:] }
    repeat {
      skipSpace()
      let key = try string()
      try expect(UInt8(ascii: ":"))
      members.append((key, try value(depth: depth)))
    } while take(UInt8(ascii: ","))
    try expect(UInt8(ascii: "}"))
    return Dictionary(members) { first, _ in first }
  }

  private mutating func elements(depth: Int) throws(JSONFault) -> [JSONValue] {
    var elements: [JSONValue] = []
    try expect(UInt8(ascii: "["))
    if take(UInt8(ascii: "]")) { return elements }
    repeat { elements.append(try value(depth: depth)) } while take(UInt8(ascii: ","))
    try expect(UInt8(ascii: "]"))
    return elements
  }
}

/// Why bytes are not JSON.
public struct JSONError: Error, Sendable, CustomStringConvertible {
  /// What is wrong and where, by line and column, without a word of the document itself.
  public var message: String
  /// What was found.
  public var cause: (any Error)?

  init(_ fault: JSONFault, in bytes: [UInt8]) {
    let place = JSONPosition(of: fault.offset, in: bytes)
    message = "not JSON: line \(place.line), column \(place.column): \(fault.message)"
    cause = fault
  }

  /// The message.
  public var description: String { message }
}

/// A line and a column, from 1; columns count Unicode scalars.
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
