/// One received header field.
package struct HeaderField: Hashable, Sendable {
  package var name: String
  package var value: String
  /// Which of ``HTTP2Session/Settings/fieldNames`` it is; `nil` where it is another.
  package var number: Int?

  package init(_ name: String, _ value: String, number: Int? = nil) {
    self.name = name
    self.value = value
    self.number = number
  }
}

/// Fields that many requests have alike, made and compressed once.
package final class SharedFields: Sendable {
  let bytes: [UInt8]
  let entries: [HeaderBlock.Entry]

  /// Takes the fields of a block.
  package init(_ block: HeaderBlock) {
    bytes = block.bytes
    entries = block.entries
  }
}

/// Header fields on their way out, in one buffer that is used again for the next request.
package struct HeaderBlock {
  struct Entry: Sendable {
    /// `nil` where the name stands in the bytes, before the value.
    let name: StaticString?
    let nameLength: Int
    let valueLength: Int
    let isIndexed: Bool

    /// How many of the block's bytes are its.
    var byteCount: Int { valueLength + (name == nil ? nameLength : 0) }
  }

  private(set) var bytes: [UInt8] = []
  private(set) var entries: [Entry] = []
  /// Those of other requests too, and how many of its own come before.
  private(set) var shared: (fields: SharedFields, place: Int)?
  private var nameCount = 0

  package init() {}

  var byteCount: Int {
    bytes.count + nameCount + (shared?.fields.bytes.count ?? 0)
      + (shared?.fields.entries.reduce(0) { $0 + $1.nameLength } ?? 0)
  }

  /// With the shared fields among its own.
  var flattened: HeaderBlock {
    guard let (fields, place) = shared else { return self }
    var flat = self
    let length = entries[..<place].reduce(0) { $0 + $1.byteCount }
    flat.bytes.insert(contentsOf: fields.bytes, at: length)
    flat.entries.insert(contentsOf: fields.entries, at: place)
    flat.shared = nil
    return flat
  }

  /// Adds fields that other requests have too; a block has them once.
  package mutating func append(_ fields: SharedFields) { shared = (fields, entries.count) }

  /// Adds a field.
  ///
  /// - Parameters:
  ///   - name: In lower case, as HTTP/2 wants it.
  ///   - prefix: What stands before the value.
  ///   - value: Control characters become spaces, so that no value adds a field.
  ///   - isIndexed: Whether HPACK may remember it for the next request; wrong for what is new each
  ///     time and for secrets (RFC 7541 section 7.1.3).
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

  /// Adds a field whose name is not known when this is compiled.
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
    // Looked for first in a loop that the compiler can vectorize, as nearly no value has any.
    let lowest = unsafe bytes.withUnsafeBufferPointer { bytes in
      var lowest = UInt8.max
      for index in start..<bytes.count { lowest = unsafe min(lowest, bytes[index]) }
      return lowest
    }
    guard lowest < 0x20 else { return }
    for index in start..<bytes.count where bytes[index] < 0x20 { bytes[index] = 0x20 }
  }

  /// Empties it for the next request and keeps its memory.
  package mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    entries.removeAll(keepingCapacity: true)
    nameCount = 0
    shared = nil
  }
}
