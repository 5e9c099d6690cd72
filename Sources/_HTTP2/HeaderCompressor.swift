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

    func equals(_ field: Field) -> Bool {
      unsafe bytes.count == field.name.count + field.value.count && hasName(field.name)
        && bytes.withUnsafeBufferPointer { own in
          unsafe UnsafeBufferPointer(rebasing: own[nameLength...]).equals(field.value)
        }
    }

    func hasName(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
      unsafe nameLength == name.count
        && bytes.withUnsafeBufferPointer { own in
          unsafe UnsafeBufferPointer(rebasing: own[..<nameLength]).equals(name)
        }
    }
  }

  /// A field of a block where it lies.
  @unsafe private struct Field {
    let name: UnsafeBufferPointer<UInt8>
    let value: UnsafeBufferPointer<UInt8>
    /// Whether the name stays where it is in memory.
    let isStatic: Bool
    let isIndexed: Bool
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

  /// Where names of the program's own text were found while nothing changes, by their place in memory.
  private var knownNames: (changes: Int, places: [(name: UInt, index: Int)]) = (0, [])

  /// How much the peer remembers.
  var maxSize = defaultSize {
    didSet { evict(for: 0) }
  }

  /// Writes the fields and remembers what the peer will.
  mutating func append(_ block: HeaderBlock, to output: inout [UInt8]) {
    guard let (fields, place) = block.shared else {
      return append(block.entries, of: block.bytes, to: &output)
    }
    append(block.entries, of: block.bytes, to: &output) { compressor, next, output in
      if next == place { compressor.append(fields, to: &output) }
    }
  }

  private mutating func append(_ fields: SharedFields, to output: inout [UInt8]) {
    if let known, known.fields === fields, known.changes == changes {
      output.append(contentsOf: known.compressed)
      return
    }
    let (start, before) = (output.count, changes)
    append(fields.entries, of: fields.bytes, to: &output)
    // What was said of fields that the peer did not know is not said again.
    if changes == before { known = (fields, changes, Array(output[start...])) }
  }

  /// Writes fields, with what comes before each and after the last.
  private mutating func append(
    _ entries: [HeaderBlock.Entry], of bytes: [UInt8], to output: inout [UInt8],
    before: (inout HeaderCompressor, Int, inout [UInt8]) -> Void = { _, _, _ in }
  ) {
    unsafe bytes.withUnsafeBufferPointer { bytes in
      var rest = unsafe bytes
      func take(_ count: Int) -> UnsafeBufferPointer<UInt8> {
        defer { unsafe rest = UnsafeBufferPointer(rebasing: rest[count...]) }
        return unsafe UnsafeBufferPointer(rebasing: rest[..<count])
      }
      for (place, entry) in entries.enumerated() {
        before(&self, place, &output)
        let name =
          unsafe entry.name.map {
            unsafe UnsafeBufferPointer(start: $0.utf8Start, count: $0.utf8CodeUnitCount)
          } ?? take(entry.nameLength)
        unsafe append(
          Field(
            name: name, value: take(entry.valueLength), isStatic: entry.name != nil,
            isIndexed: entry.isIndexed), to: &output)
      }
      before(&self, entries.count, &output)
    }
  }

  private mutating func append(_ field: Field, to output: inout [UInt8]) {
    if unsafe field.isIndexed, let index = index(where: { unsafe $0.equals(field) }) {
      return Self.append(index, prefix: 7, flags: 0x80, to: &output)
    }
    let nameIndex = unsafe index(ofName: field)
    let size = unsafe field.name.count + field.value.count + 32
    // A name that is new is remembered with its first value, so that it is short afterwards.
    let isAdded = unsafe (field.isIndexed || nameIndex == nil) && size <= maxSize
    if isAdded {
      Self.append(nameIndex ?? 0, prefix: 6, flags: 0x40, to: &output)
    } else {
      Self.append(nameIndex ?? 0, prefix: 4, flags: 0, to: &output)
    }
    if nameIndex == nil {
      Self.append(unsafe field.name.count, prefix: 7, flags: 0, to: &output)
      unsafe output.append(contentsOf: field.name)
    }
    Self.append(unsafe field.value.count, prefix: 7, flags: 0, to: &output)
    unsafe output.append(contentsOf: field.value)
    guard isAdded else { return }
    let entry = unsafe Entry(
      bytes: Array(field.name) + Array(field.value), nameLength: field.name.count)
    evict(for: entry.size)
    changes += 1
    entries.append(entry)
    self.size += entry.size
  }

  private mutating func index(ofName field: Field) -> Int? {
    guard unsafe field.isStatic, let address = unsafe field.name.baseAddress else {
      return index { unsafe $0.hasName(field.name) }
    }
    let name = UInt(bitPattern: address)
    if knownNames.changes != changes { knownNames = (changes, []) }
    if let known = knownNames.places.first(where: { $0.name == name }) { return known.index }
    let index = index { unsafe $0.hasName(field.name) }
    if let index { knownNames.places.append((name, index)) }
    return index
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
