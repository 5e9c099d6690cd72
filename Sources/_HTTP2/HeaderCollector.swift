import Glibc

/// The header fields of one block after the other, as they come.
struct HeaderIntake {
  private let maxSize: Int
  /// Those that have a number.
  private let names: [StaticString]
  private let keepsOthers: Bool
  private var fields: [HeaderField] = []
  private var size = 0
  /// The fields of the block before, and how many of this block's first were the same: messages are
  /// alike, and then share theirs.
  private var last: [HeaderField] = []
  private var sameCount = 0

  init(maxSize: Int, names: [StaticString], keepsOthers: Bool) {
    self.maxSize = maxSize
    self.names = names
    self.keepsOthers = keepsOthers
  }

  /// A block begins.
  mutating func begin() {
    fields = []
    sameCount = 0
    size = 0
  }

  /// Takes a field; `false` where the block grows too large.
  mutating func take(
    name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    // RFC 9113 section 6.5.2 counts 32 bytes more for each field.
    size += name.count + value.count + 32
    guard size <= maxSize else { return false }
    let place = fields.isEmpty ? sameCount : fields.count
    guard place < last.count, unsafe last[place].name.equals(name) else {
      let number = names.firstIndex { unsafe $0.equals(name) }
      if number != nil || keepsOthers {
        append(
          HeaderField(
            unsafe String(decoding: name, as: UTF8.self),
            unsafe String(decoding: value, as: UTF8.self), number: number))
      }
      return true
    }
    if unsafe !last[place].value.equals(value) {
      var field = last[place]
      field.value = unsafe String(decoding: value, as: UTF8.self)
      append(field)
    } else if fields.isEmpty {
      sameCount += 1
    } else {
      fields.append(last[place])
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

  /// All fields of the block.
  mutating func end() -> [HeaderField] {
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
    guard let mine = baseAddress, let theirs = other.baseAddress else { return true }
    return unsafe memcmp(mine, theirs, count) == 0
  }
}
