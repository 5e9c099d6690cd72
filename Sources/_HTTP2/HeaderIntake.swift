import Glibc

/// The header fields of one block after the other, as they come.
struct HeaderIntake {
  private let maxSize: Int
  /// Those that are kept; `nil` for all.
  private let names: [StaticString]?
  private var fields: [HeaderField] = []
  private var size = 0
  /// The fields of the block before, and how many of this block's first were the same: answers are
  /// alike, and then share theirs.
  private var last: [HeaderField] = []
  private var sameCount = 0

  init(maxSize: Int, names: [StaticString]?) {
    self.maxSize = maxSize
    self.names = names
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
    if let names, !names.contains(where: { unsafe $0.equals(name) }) { return true }
    if fields.isEmpty, sameCount < last.count, unsafe last[sameCount].equals(name, value) {
      sameCount += 1
      return true
    }
    if fields.isEmpty { fields = Array(last.prefix(sameCount)) }
    fields.append(
      unsafe HeaderField(
        String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self)))
    return true
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

extension HeaderField {
  fileprivate func equals(
    _ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    unsafe self.name.utf8.span.withUnsafeBufferPointer { unsafe $0.equals(name) }
      && self.value.utf8.span.withUnsafeBufferPointer { unsafe $0.equals(value) }
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
