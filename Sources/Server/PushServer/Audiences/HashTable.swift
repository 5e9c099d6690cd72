import _Bitmaps

/// Pairs of a hash and a number, sorted by hash: 12 bytes each, in memory or in a mapped snapshot.
struct HashTable: Sendable {
  typealias Entry = (hash: UInt64, number: UInt32)

  /// The hashes, followed by the numbers.
  private let bytes: FixedBytes
  private let start: Int
  let count: Int

  static let entrySize = 12

  init() { self.init(sorted: []) }

  /// Makes a table of entries that are sorted by hash.
  init(sorted entries: [Entry]) {
    let bytes = FixedBytes(count: entries.count * Self.entrySize) { buffer in
      let numbers = entries.count * 8
      for (index, entry) in entries.enumerated() {
        unsafe buffer.storeBytes(
          of: entry.hash.littleEndian, toByteOffset: index * 8, as: UInt64.self)
        unsafe buffer.storeBytes(
          of: entry.number.littleEndian, toByteOffset: numbers + index * 4, as: UInt32.self)
      }
    }
    (self.bytes, start, count) = (bytes, 0, entries.count)
  }

  /// Makes a table of bytes that ``encoded`` returned; `nil` if they are not a sorted table.
  init?(_ range: Range<Int>, in bytes: FixedBytes) {
    guard range.count % Self.entrySize == 0 else { return nil }
    (self.bytes, start, count) = (bytes, range.lowerBound, range.count / Self.entrySize)
    for index in 1..<max(1, count) where hash(index - 1) > hash(index) { return nil }
  }

  var encoded: [UInt8] { bytes.copy(start..<start + count * Self.entrySize) }

  func hash(_ index: Int) -> UInt64 { bytes.load(UInt64.self, at: start + index * 8) ?? 0 }

  func number(_ index: Int) -> UInt32 {
    bytes.load(UInt32.self, at: start + count * 8 + index * 4) ?? 0
  }

  /// The indexes of the entries with a hash.
  func indexes(of wanted: UInt64) -> Range<Int> {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if hash(middle) < wanted { low = middle + 1 } else { high = middle }
    }
    var end = low
    while end < count, hash(end) == wanted { end += 1 }
    return low..<end
  }

  /// The table with added entries, without those of its own entries that are not kept.
  func merged(with added: [Entry], keeping isKept: (Entry) -> Bool) -> HashTable {
    let added = added.sorted { ($0.hash, $0.number) < ($1.hash, $1.number) }
    var entries: [Entry] = []
    entries.reserveCapacity(count + added.count)
    var next = 0
    for index in 0..<count {
      let entry = (hash: hash(index), number: number(index))
      while next < added.count, added[next].hash <= entry.hash {
        entries.append(added[next])
        next += 1
      }
      if isKept(entry) { entries.append(entry) }
    }
    entries += added[next...]
    return HashTable(sorted: entries)
  }
}
