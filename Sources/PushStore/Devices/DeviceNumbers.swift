package import _Bitmaps

/// A set of device numbers, and its packed form.
///
/// Numbers are dense, so that an audience of everyone is a few rows of neighbours.
package struct DeviceNumbers: Hashable, Sendable {
  package private(set) var bitmap: Bitmap

  package init() { bitmap = Bitmap() }

  package init(_ bitmap: Bitmap) { self.bitmap = bitmap }

  package init(_ numbers: some Sequence<UInt32>) { bitmap = Bitmap(Array(numbers)) }

  package var count: Int { bitmap.count }
  package var isEmpty: Bool { bitmap.isEmpty }
  package var first: UInt32? { bitmap.element(atRank: 0) }
  package var last: UInt32? { bitmap.element(atRank: count - 1) }

  package mutating func append(_ number: UInt32) { bitmap.insert(number) }

  package func contains(_ number: UInt32) -> Bool { bitmap.contains(number) }

  package func union(_ other: DeviceNumbers) -> DeviceNumbers {
    DeviceNumbers(bitmap | other.bitmap)
  }

  /// Those from a rank on.
  package func slice(from rank: Int, limit: Int) -> DeviceNumbers {
    DeviceNumbers(Bitmap(bitmap.elements(atRanks: rank..<(rank + limit))))
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    hasher.combine(first)
    hasher.combine(last)
  }
}

extension DeviceNumbers: Sequence {
  package func makeIterator() -> Iterator { Iterator(bitmap) }

  /// Reads ahead, some hundred numbers at a time.
  package struct Iterator: IteratorProtocol {
    private let bitmap: Bitmap
    private var read: [UInt32] = []
    private var place = 0
    private var rank = 0

    fileprivate init(_ bitmap: Bitmap) { self.bitmap = bitmap }

    package mutating func next() -> UInt32? {
      if place == read.count {
        read = bitmap.elements(atRanks: rank..<(rank + 1024))
        guard !read.isEmpty else { return nil }
        rank += read.count
        place = 0
      }
      defer { place += 1 }
      return read[place]
    }
  }
}

extension DeviceNumbers {
  // A byte for the format comes first. Format 1 told of each run the gap before it and its length
  // less one; format 2 is the portable form of Roaring.
  private static let (runs, roaring): (UInt8, UInt8) = (1, 2)

  package var packed: [UInt8] {
    var bitmap = bitmap
    bitmap.optimize()
    return [Self.roaring] + bitmap.serialized
  }

  /// `nil` for what ``packed`` did not write, now or in an earlier version.
  package init?(packed bytes: [UInt8]) {
    if bytes.first == Self.roaring, let bitmap = try? Bitmap(serialized: Array(bytes.dropFirst())) {
      self.init(bitmap)
    } else if let bitmap = Self.unpackRuns(bytes) {
      self.init(bitmap)
    } else {
      return nil
    }
  }

  private static func unpackRuns(_ bytes: [UInt8]) -> Bitmap? {
    var unpacker = Unpacker(bytes)
    guard unpacker.byte() == runs else { return nil }
    var bitmap = Bitmap()
    var next: UInt64 = 0
    while !unpacker.isAtEnd {
      guard let gap = unpacker.integer(), let length = unpacker.integer(),
        gap <= UInt32.max, length <= UInt32.max, next + gap + length <= UInt32.max,
        gap > 0 || next == 0
      else { return nil }
      bitmap.insert(UInt32(next + gap)...UInt32(next + gap + length))
      next += gap + length + 1
    }
    return bitmap
  }
}
