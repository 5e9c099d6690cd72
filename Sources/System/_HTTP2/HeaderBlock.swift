/// A received header field.
package struct HeaderField: Hashable, Sendable {
  package var name: String
  package var value: String
  /// The index of the name in ``HTTP2Session/Settings/fieldNames``; `nil` if the name is not in it.
  package var number: Int?

  package init(_ name: String, _ value: String, number: Int? = nil) {
    self.name = name
    self.value = value
    self.number = number
  }
}

/// Header fields that many requests share, compressed once.
package final class SharedFields: Sendable {
  let bytes: [UInt8]
  let entries: [HeaderBlock.Entry]

  /// Makes shared fields from a block.
  package init(_ block: HeaderBlock) {
    bytes = block.bytes
    entries = block.entries
  }
}

/// The header fields of a message to send, in a buffer that is reused for the next message.
package struct HeaderBlock {
  struct Entry: Sendable {
    /// The name; `nil` if it is in the bytes before the value.
    let name: StaticString?
    let nameLength: Int
    let valueLength: Int
    let isIndexed: Bool

    /// The number of the block's bytes for this field.
    var byteCount: Int { valueLength + (name == nil ? nameLength : 0) }
  }

  private(set) var bytes: [UInt8] = []
  private(set) var entries: [Entry] = []
  /// The fields shared with other requests, and the number of the block's own fields before them.
  private(set) var shared: (fields: SharedFields, index: Int)?
  private var nameCount = 0

  package init() {}

  var byteCount: Int {
    bytes.count + nameCount + (shared?.fields.bytes.count ?? 0)
      + (shared?.fields.entries.reduce(0) { $0 + $1.nameLength } ?? 0)
  }

  /// The same block with the shared fields as its own fields.
  var flattened: HeaderBlock {
    guard let (fields, index) = shared else { return self }
    var flat = self
    let length = entries[..<index].reduce(0) { $0 + $1.byteCount }
    flat.bytes.insert(contentsOf: fields.bytes, at: length)
    flat.entries.insert(contentsOf: fields.entries, at: index)
    flat.shared = nil
    return flat
  }

  /// Appends shared fields; a block has at most one set of them.
  package mutating func append(_ fields: SharedFields) { shared = (fields, entries.count) }

  /// Appends a field.
  ///
  /// - Parameters:
  ///   - name: The name in lower case, as HTTP/2 requires.
  ///   - prefix: The start of the value.
  ///   - value: The value; control characters become spaces, so that a value cannot add a field.
  ///   - isIndexed: Whether HPACK indexes the field for later requests. Use `false` for a value that differs each time,
  ///     and for secrets (RFC 7541 section 7.1.3).
  package mutating func append(
    _ name: StaticString, prefix: StaticString = "", _ value: String, isIndexed: Bool = true
  ) {
    let start = bytes.count
    prefix.withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
    append(value)
    nameCount += name.utf8CodeUnitCount
    entries.append(
      Entry(
        name: name, nameLength: name.utf8CodeUnitCount, valueLength: bytes.count - start,
        isIndexed: isIndexed))
  }

  /// Appends a field whose name is not a literal.
  package mutating func append(dynamicName name: String, _ value: String) {
    bytes.append(contentsOf: name.utf8)
    let start = bytes.count
    append(value)
    entries.append(
      Entry(
        name: nil, nameLength: name.utf8.count, valueLength: bytes.count - start,
        isIndexed: true))
  }

  private mutating func append(_ value: String) {
    let start = bytes.count
    bytes.append(contentsOf: value.utf8)
    // A loop that the compiler vectorizes searches for control characters, which are very rare.
    let lowest = unsafe bytes.withUnsafeBufferPointer { bytes in
      var lowest = UInt8.max
      for index in start..<bytes.count { lowest = unsafe min(lowest, bytes[index]) }
      return lowest
    }
    guard lowest < 0x20 else { return }
    for index in start..<bytes.count where bytes[index] < 0x20 { bytes[index] = 0x20 }
  }

  /// Removes all fields and keeps the memory for the next request.
  package mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    entries.removeAll(keepingCapacity: true)
    nameCount = 0
    shared = nil
  }
}
