/// A set of device numbers as runs in ascending order, and its packed form.
///
/// Numbers are dense, so that an audience of everyone is one run.
package struct DeviceNumbers: Hashable, Sendable {
  /// Ascending, and never touching.
  private var runs: [ClosedRange<UInt32>] = []
  package private(set) var count = 0

  package init() {}

  package init(_ numbers: some Sequence<UInt32>) {
    for number in numbers.sorted() { append(number) }
  }

  package var isEmpty: Bool { count == 0 }
  package var first: UInt32? { runs.first?.lowerBound }
  package var last: UInt32? { runs.last?.upperBound }

  /// Adds a number that is not below the last one.
  package mutating func append(_ number: UInt32) {
    if let last = runs.last {
      guard number > last.upperBound else {
        precondition(number == last.upperBound, "numbers are appended in ascending order")
        return
      }
      if number == last.upperBound + 1 {
        runs[runs.count - 1] = last.lowerBound...number
        count += 1
        return
      }
    }
    runs.append(number...number)
    count += 1
  }

  private mutating func append(run: ClosedRange<UInt32>) {
    runs.append(run)
    count += run.count
  }

  package func contains(_ number: UInt32) -> Bool {
    var low = 0
    var high = runs.count
    while low < high {
      let middle = (low + high) / 2
      if runs[middle].upperBound < number { low = middle + 1 } else { high = middle }
    }
    return low < runs.count && runs[low].contains(number)
  }

  /// Those from a rank on.
  package func slice(from rank: Int, limit: Int) -> DeviceNumbers {
    var slice = DeviceNumbers()
    var skip = rank
    for run in runs {
      guard slice.count < limit else { break }
      guard skip < run.count else {
        skip -= run.count
        continue
      }
      let length = Swift.min(run.count - skip, limit - slice.count)
      let first = run.lowerBound + UInt32(skip)
      slice.append(run: first...(first + UInt32(length - 1)))
      skip = 0
    }
    return slice
  }
}

extension DeviceNumbers: Sequence {
  package func makeIterator() -> some IteratorProtocol<UInt32> { runs.joined().makeIterator() }
}

extension DeviceNumbers {
  private static let format: UInt8 = 1

  /// A byte for the format; then of each run the gap before it and its length less one.
  package var packed: [UInt8] {
    var packer = Packer()
    packer.append(byte: Self.format)
    var next: UInt64 = 0
    for run in runs {
      packer.append(UInt64(run.lowerBound) - next)
      packer.append(UInt64(run.upperBound - run.lowerBound))
      next = UInt64(run.upperBound) + 1
    }
    return packer.bytes
  }

  /// `nil` for what ``packed`` did not write.
  package init?(packed bytes: [UInt8]) {
    var unpacker = Unpacker(bytes)
    guard unpacker.byte() == Self.format else { return nil }
    var next: UInt64 = 0
    while !unpacker.isAtEnd {
      guard let gap = unpacker.integer(), let length = unpacker.integer(),
        gap <= UInt32.max, length <= UInt32.max, next + gap + length <= UInt32.max,
        gap > 0 || runs.isEmpty
      else { return nil }
      append(run: UInt32(next + gap)...UInt32(next + gap + length))
      next += gap + length + 1
    }
  }
}
