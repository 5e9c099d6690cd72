/// The HPACK encoder of one side of a connection (RFC 7541).
///
/// It replaces the encoder of nghttp2, which never indexes `authorization`. A provider token is most of a push's
/// header, and costs one byte here from the second push on. The encoder has only the fields of the static table that
/// pushes and answers use. It does not use Huffman codes, because they would save 30 bytes of a push but take more
/// time than everything else.
struct HeaderCompressor {
  /// The initial size of the dynamic table (RFC 7541 section 4.2); a larger size that the peer allows is not used.
  static let defaultSize = 4096

  private struct Entry {
    /// The name, followed by the value.
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

  /// A field of a block, which points into the block's memory.
  @unsafe private struct Field {
    let name: UnsafeBufferPointer<UInt8>
    let value: UnsafeBufferPointer<UInt8>
    /// Whether the name is a literal, whose address does not change.
    let isStatic: Bool
    let isIndexed: Bool
  }

  /// The part of HPACK's static table that pushes and answers use.
  private static let table: [(index: Int, entry: Entry)] = [
    (1, ":authority", ""), (3, ":method", "POST"), (4, ":path", "/"), (7, ":scheme", "https"),
    (8, ":status", "200"), (23, "authorization", ""), (31, "content-type", ""),
  ].map { ($0.0, Entry(bytes: Array(($0.1 + $0.2).utf8), nameLength: $0.1.utf8.count)) }
  /// The index of the newest entry of the dynamic table.
  private static let firstIndex = 62

  /// The dynamic table, with the newest entry last.
  private var entries: [Entry] = []
  private var size = 0

  /// The number of changes of the dynamic table.
  private var changes = 0
  /// The encoding of shared fields, which is valid until the dynamic table changes.
  private var cached: (fields: SharedFields, changes: Int, encoded: [UInt8])?

  /// The indices of literal names by their address, which are valid until the dynamic table changes.
  private var cachedNames: (changes: Int, indices: [(name: UInt, index: Int)]) = (0, [])

  /// The size of the dynamic table.
  var maxSize = defaultSize {
    didSet { evict(for: 0) }
  }

  /// Appends the encoding of a block.
  mutating func append(_ block: HeaderBlock, to output: inout [UInt8]) {
    guard let (fields, index) = block.shared else {
      return append(block.entries, of: block.bytes, to: &output)
    }
    append(block.entries, of: block.bytes, to: &output) { compressor, next, output in
      if next == index { compressor.append(fields, to: &output) }
    }
  }

  private mutating func append(_ fields: SharedFields, to output: inout [UInt8]) {
    if let cached, cached.fields === fields, cached.changes == changes {
      output.append(contentsOf: cached.encoded)
      return
    }
    let (start, before) = (output.count, changes)
    append(fields.entries, of: fields.bytes, to: &output)
    // An encoding that added entries to the table cannot be reused.
    if changes == before { cached = (fields, changes, Array(output[start...])) }
  }

  /// Appends the encoding of fields; `before` runs before each field and after the last one.
  private mutating func append(
    _ entries: [HeaderBlock.Entry], of bytes: [UInt8], to output: inout [UInt8],
    before: (inout HeaderCompressor, Int, inout [UInt8]) -> Void = { _, _, _ in }
  ) {
    unsafe bytes.withUnsafeBufferPointer { bytes in
      var remaining = unsafe bytes
      func next(_ count: Int) -> UnsafeBufferPointer<UInt8> {
        defer { unsafe remaining = UnsafeBufferPointer(rebasing: remaining[count...]) }
        return unsafe UnsafeBufferPointer(rebasing: remaining[..<count])
      }
      for (index, entry) in entries.enumerated() {
        before(&self, index, &output)
        let name =
          unsafe entry.name.map {
            unsafe UnsafeBufferPointer(start: $0.utf8Start, count: $0.utf8CodeUnitCount)
          } ?? next(entry.nameLength)
        unsafe append(
          Field(
            name: name, value: next(entry.valueLength), isStatic: entry.name != nil,
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
    // A new name is added to the table with its first value, so that it later takes one byte.
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
    if cachedNames.changes != changes { cachedNames = (changes, []) }
    if let cached = cachedNames.indices.first(where: { $0.name == name }) { return cached.index }
    let index = index { unsafe $0.hasName(field.name) }
    if let index { cachedNames.indices.append((name, index)) }
    return index
  }

  private func index(where matches: (Entry) -> Bool) -> Int? {
    for (index, entry) in Self.table where matches(entry) { return index }
    guard let offset = entries.lastIndex(where: matches) else { return nil }
    return Self.firstIndex + entries.count - 1 - offset
  }

  private mutating func evict(for added: Int) {
    while size + added > maxSize, let oldest = entries.first {
      changes += 1
      size -= oldest.size
      entries.removeFirst()
    }
  }

  /// Appends an integer with a prefix of some bits, after flags (RFC 7541 section 5.1).
  private static func append(
    _ number: Int, prefix: Int, flags: UInt8, to output: inout [UInt8]
  ) {
    let limit = (1 << prefix) - 1
    guard number >= limit else { return output.append(flags | UInt8(number)) }
    output.append(flags | UInt8(limit))
    var remainder = number - limit
    while remainder >= 128 {
      output.append(UInt8(remainder & 127) | 128)
      remainder >>= 7
    }
    output.append(UInt8(remainder))
  }
}
