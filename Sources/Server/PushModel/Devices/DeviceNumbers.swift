package import _Bitmaps

/// A set of the numbers of devices.
///
/// Numbers have no gaps, so an audience of every device takes a few bytes.
package struct DeviceNumbers: Hashable, Sendable {
  package private(set) var bitmap: Bitmap

  package init() { bitmap = Bitmap() }

  package init(_ bitmap: Bitmap) { self.bitmap = bitmap }

  package init(_ numbers: some Sequence<UInt32>) { bitmap = Bitmap(Array(numbers)) }

  package var count: Int { bitmap.count }
  package var isEmpty: Bool { bitmap.isEmpty }
  package var first: UInt32? { bitmap.element(atRank: 0) }
  package var last: UInt32? { bitmap.element(atRank: count - 1) }

  /// The count of the numbers up to and including `number`.
  package func rank(through number: UInt32) -> Int { bitmap.rank(of: number) }

  package mutating func append(_ number: UInt32) { bitmap.insert(number) }

  package func contains(_ number: UInt32) -> Bool { bitmap.contains(number) }

  package func union(_ other: DeviceNumbers) -> DeviceNumbers {
    DeviceNumbers(bitmap | other.bitmap)
  }

  package func subtracting(_ other: DeviceNumbers) -> DeviceNumbers {
    DeviceNumbers(bitmap.subtracting(other.bitmap))
  }

  /// Up to `limit` numbers, starting at the number with `rank` smaller numbers before it.
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

  /// An iterator that reads 1024 numbers of the bitmap at a time.
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
  /// The first byte of the packed form; the portable form of Roaring follows.
  private static let format: UInt8 = 2

  /// The set as bytes, for a column of the database.
  package var packed: [UInt8] {
    var bitmap = bitmap
    bitmap.optimize()
    return [Self.format] + bitmap.serialized
  }

  /// Unpacks ``packed``; `nil` if the bytes are malformed.
  package init?(packed bytes: [UInt8]) {
    guard bytes.first == Self.format,
      let bitmap = try? Bitmap(serialized: Array(bytes.dropFirst()))
    else { return nil }
    self.init(bitmap)
  }
}
