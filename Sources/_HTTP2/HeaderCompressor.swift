import Glibc

/// HPACK for the requests of one connection (RFC 7541), in the order in which they are written.
///
/// Not nghttp2's own, for that never remembers `authorization`: a provider token is most of a push's
/// header, and here costs one byte from the second push on. It knows the few static fields a push has,
/// and leaves out Huffman codes: they would save 30 bytes of a push and cost more time than all the rest.
struct HeaderCompressor {
  /// What HPACK begins with (RFC 7541 section 4.2); a peer's greater offer is not used.
  static let defaultSize = 4096

  private struct Entry {
    /// Name and value.
    let bytes: [UInt8]
    let nameLength: Int
    var size: Int { bytes.count + 32 }

    func equals(_ other: UnsafeRawBufferPointer) -> Bool {
      unsafe bytes.count == other.count && hasPrefix(other)
    }

    func hasPrefix(_ other: UnsafeRawBufferPointer) -> Bool {
      unsafe bytes.withUnsafeBytes { own in
        guard let mine = own.baseAddress, let theirs = other.baseAddress else { return false }
        return unsafe own.count >= other.count && memcmp(mine, theirs, other.count) == 0
      }
    }
  }

  /// The part of HPACK's static table that requests to APNs have, from the first entry on.
  private static let table: [(index: Int, entry: Entry)] = [
    (1, ":authority", ""), (3, ":method", "POST"), (4, ":path", "/"), (7, ":scheme", "https"),
    (23, "authorization", ""),
  ].map { ($0.0, Entry(bytes: Array(($0.1 + $0.2).utf8), nameLength: $0.1.utf8.count)) }
  /// The index of the newest entry that was added.
  private static let firstIndex = 62

  /// What the peer remembers, the newest last.
  private var entries: [Entry] = []
  private var size = 0

  /// How often that has changed.
  private var changes = 0
  /// Shared fields as they are written while nothing changes.
  private var known: (fields: SharedFields, changes: Int, compressed: [UInt8])?

  /// How much the peer remembers.
  var maxSize = defaultSize {
    didSet { evict(for: 0) }
  }

  /// Writes the fields and remembers what the peer will.
  mutating func append(_ block: HeaderBlock, to output: inout [UInt8]) {
    guard let (fields, place) = block.shared else {
      _ = append(block.entries[...], of: block.bytes, from: 0, to: &output)
      return
    }
    let next = append(block.entries[..<place], of: block.bytes, from: 0, to: &output)
    append(fields, to: &output)
    _ = append(block.entries[place...], of: block.bytes, from: next, to: &output)
  }

  private mutating func append(_ fields: SharedFields, to output: inout [UInt8]) {
    if let known, known.fields === fields, known.changes == changes {
      output.append(contentsOf: known.compressed)
      return
    }
    let (start, before) = (output.count, changes)
    _ = append(fields.entries[...], of: fields.bytes, from: 0, to: &output)
    // What was said of fields that the peer did not know is not said again.
    if changes == before { known = (fields, changes, Array(output[start...])) }
  }

  private mutating func append(
    _ entries: ArraySlice<HeaderBlock.Entry>, of bytes: [UInt8], from first: Int,
    to output: inout [UInt8]
  ) -> Int {
    unsafe bytes.withUnsafeBytes { bytes in
      var start = first
      for field in entries {
        let end = start + field.nameLength + field.valueLength
        unsafe append(
          UnsafeRawBufferPointer(rebasing: bytes[start..<end]), nameLength: field.nameLength,
          isIndexed: field.isIndexed, to: &output)
        start = end
      }
      return start
    }
  }

  private mutating func append(
    _ field: UnsafeRawBufferPointer, nameLength: Int, isIndexed: Bool, to output: inout [UInt8]
  ) {
    if isIndexed, let index = index(where: { unsafe $0.equals(field) }) {
      return Self.append(index, prefix: 7, flags: 0x80, to: &output)
    }
    let name = unsafe UnsafeRawBufferPointer(rebasing: field[..<nameLength])
    let nameIndex = index { unsafe $0.nameLength == nameLength && $0.hasPrefix(name) }
    // A name that is new is remembered with its first value, so that it is short afterwards.
    let isAdded = (isIndexed || nameIndex == nil) && field.count + 32 <= maxSize
    if isAdded {
      Self.append(nameIndex ?? 0, prefix: 6, flags: 0x40, to: &output)
    } else {
      Self.append(nameIndex ?? 0, prefix: 4, flags: 0, to: &output)
    }
    if nameIndex == nil {
      Self.append(nameLength, prefix: 7, flags: 0, to: &output)
      unsafe output.append(contentsOf: name)
    }
    Self.append(field.count - nameLength, prefix: 7, flags: 0, to: &output)
    unsafe output.append(contentsOf: field[nameLength...])
    guard isAdded else { return }
    let entry = unsafe Entry(bytes: Array(field), nameLength: nameLength)
    evict(for: entry.size)
    changes += 1
    entries.append(entry)
    size += entry.size
  }

  private func index(where matches: (Entry) -> Bool) -> Int? {
    for (index, entry) in Self.table where matches(entry) { return index }
    guard let place = entries.lastIndex(where: matches) else { return nil }
    return Self.firstIndex + entries.count - 1 - place
  }

  private mutating func evict(for added: Int) {
    while size + added > maxSize, let oldest = entries.first {
      changes += 1
      size -= oldest.size
      entries.removeFirst()
    }
  }

  /// A whole number behind some flags (RFC 7541 section 5.1).
  private static func append(
    _ number: Int, prefix: Int, flags: UInt8, to output: inout [UInt8]
  ) {
    let most = (1 << prefix) - 1
    guard number >= most else { return output.append(flags | UInt8(number)) }
    output.append(flags | UInt8(most))
    var rest = number - most
    while rest >= 128 {
      output.append(UInt8(rest & 127) | 128)
      rest >>= 7
    }
    output.append(UInt8(rest))
  }
}
