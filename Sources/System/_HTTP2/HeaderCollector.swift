import Glibc

/// Collects the header fields of received blocks; a block that equals the previous one shares its array.
struct HeaderCollector {
  private let maxSize: Int
  /// The names of the fields that have a number.
  private let names: [StaticString]
  private let keepsOthers: Bool
  private var fields: [HeaderField] = []
  private var size = 0
  /// The fields of the last block.
  private var last: [HeaderField] = []
  /// The number of fields at the start of this block that equal those of the last one.
  ///
  /// Until they differ, ``fields`` is empty.
  private var sameCount = 0

  init(maxSize: Int, names: [StaticString], keepsOthers: Bool) {
    self.maxSize = maxSize
    self.names = names
    self.keepsOthers = keepsOthers
  }

  /// Begins a block.
  mutating func begin() {
    fields = []
    sameCount = 0
    size = 0
  }

  /// Adds a field; `false` if the block is too large.
  mutating func add(
    name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    // Each field counts 32 additional bytes (RFC 9113 section 6.5.2).
    size += name.count + value.count + 32
    guard size <= maxSize else { return false }
    let index = fields.isEmpty ? sameCount : fields.count
    guard index < last.count, unsafe last[index].name.equals(name) else {
      let number = names.firstIndex { unsafe $0.equals(name) }
      if number != nil || keepsOthers {
        append(
          HeaderField(
            unsafe String(decoding: name, as: UTF8.self),
            unsafe String(decoding: value, as: UTF8.self), number: number))
      }
      return true
    }
    if unsafe !last[index].value.equals(value) {
      var field = last[index]
      field.value = unsafe String(decoding: value, as: UTF8.self)
      append(field)
    } else if fields.isEmpty {
      sameCount += 1
    } else {
      fields.append(last[index])
    }
    return true
  }

  private mutating func append(_ field: HeaderField) {
    if fields.isEmpty {
      fields.reserveCapacity(last.count)
      fields.append(contentsOf: last.prefix(sameCount))
    }
    fields.append(field)
  }

  /// Ends the block and returns its fields.
  mutating func endBlock() -> [HeaderField] {
    if fields.isEmpty {
      if sameCount == last.count { return last }
      fields = Array(last.prefix(sameCount))
    }
    last = fields
    fields = []
    return last
  }
}

extension String {
  fileprivate func equals(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    unsafe utf8.span.withUnsafeBufferPointer { unsafe $0.equals(bytes) }
  }
}

extension StaticString {
  fileprivate func equals(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    withUTF8Buffer { unsafe $0.equals(bytes) }
  }
}

extension UnsafeBufferPointer<UInt8> {
  func equals(_ other: Self) -> Bool {
    guard count == other.count else { return false }
    guard let address = baseAddress, let otherAddress = other.baseAddress else { return true }
    return unsafe memcmp(address, otherAddress, count) == 0
  }
}
