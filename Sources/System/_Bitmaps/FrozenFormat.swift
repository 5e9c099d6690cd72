/// Checks bytes against the memory layout of CRoaring's frozen bitmaps.
///
/// A frozen bitmap is used in place, so CRoaring would follow any wrong count. The layout is:
/// bitsets of 8192 bytes, runs, arrays, then the key, the count and the type of each container, and
/// a word with the number of containers.
enum FrozenFormat {
  private static let cookie: UInt32 = 13766
  private static let bitsetSize = 8192
  private static let arrayLimit = 4096
  /// The alignment of the first byte, which the bitsets need.
  static let alignment = 32

  private enum Kind: UInt8 { case bitset = 1, array, run }

  static func validate(_ bytes: UnsafeRawBufferPointer) throws(BitmapError) {
    guard let base = bytes.baseAddress, bytes.count >= 4 else {
      throw BitmapError(.cutOff, "is cut off", at: 0)
    }
    guard Int(bitPattern: base) % alignment == 0 else {
      throw BitmapError(.damaged, "is not aligned to \(alignment) bytes", at: 0)
    }
    let end = bytes.count - 4
    let word = unsafe UInt32(
      littleEndian: bytes.loadUnaligned(fromByteOffset: end, as: UInt32.self))
    guard word & 0x7fff == cookie else {
      throw BitmapError(.notABitmap, "has an unknown cookie", at: end)
    }
    let containers = Int(word >> 15)
    guard containers <= 65536, end >= 5 * containers else {
      throw BitmapError(.damaged, "has too many containers", at: end)
    }
    let table = unsafe Table(
      bytes, keys: end - 5 * containers, counts: end - 3 * containers,
      types: end - containers)
    var sizes = (bitsets: 0, runs: 0, arrays: 0)
    var lastKey = -1
    for index in 0..<containers {
      let (key, count) = (table.key(index), table.count(index))
      guard key > lastKey else { throw BitmapError(.damaged, "has keys out of order", at: end) }
      lastKey = key
      switch table.kind(index) {
      case .bitset: sizes.bitsets += bitsetSize
      case .run: sizes.runs += 4 * count
      case .array: sizes.arrays += 2 * (count + 1)
      case nil: throw BitmapError(.damaged, "has a container of an unknown type", at: end)
      }
    }
    guard sizes.bitsets + sizes.runs + sizes.arrays == end - 5 * containers else {
      throw BitmapError(.damaged, "has containers of another size than their counts say", at: 0)
    }
    var (bitset, run, array) = (0, sizes.bitsets, sizes.bitsets + sizes.runs)
    for index in 0..<containers {
      let count = table.count(index)
      switch table.kind(index) {
      case .bitset:
        guard table.bits(at: bitset, size: bitsetSize) == count + 1 else {
          throw BitmapError(.damaged, "has a bitset with a wrong count", at: bitset)
        }
        bitset += bitsetSize
      case .run:
        guard table.areRuns(at: run, count: count) else {
          throw BitmapError(.damaged, "has runs out of order", at: run)
        }
        run += 4 * count
      case .array:
        guard count < arrayLimit, table.isAscending(at: array, count: count + 1) else {
          throw BitmapError(.damaged, "has elements out of order", at: array)
        }
        array += 2 * (count + 1)
      case nil: break
      }
    }
  }

  /// The bytes of a frozen bitmap, read only at checked offsets.
  @safe private struct Table {
    private let bytes: UnsafeRawBufferPointer
    private let keys: Int
    private let counts: Int
    private let types: Int

    init(_ bytes: UnsafeRawBufferPointer, keys: Int, counts: Int, types: Int) {
      unsafe self.bytes = unsafe bytes
      (self.keys, self.counts, self.types) = (keys, counts, types)
    }

    private func number(_ offset: Int) -> Int {
      Int(unsafe UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt16.self)))
    }

    func key(_ index: Int) -> Int { number(keys + 2 * index) }
    /// The number of elements minus one, or the number of runs.
    func count(_ index: Int) -> Int { number(counts + 2 * index) }
    func kind(_ index: Int) -> Kind? { unsafe Kind(rawValue: bytes[types + index]) }

    func bits(at start: Int, size: Int) -> Int {
      var total = 0
      for offset in stride(from: start, to: start + size, by: 8) {
        total += unsafe bytes.load(fromByteOffset: offset, as: UInt64.self).nonzeroBitCount
      }
      return total
    }

    func isAscending(at start: Int, count: Int) -> Bool {
      var last = -1
      for index in 0..<count {
        let element = number(start + 2 * index)
        guard element > last else { return false }
        last = element
      }
      return true
    }

    /// Whether the runs are valid and in order, and no run touches the previous one.
    func areRuns(at start: Int, count: Int) -> Bool {
      var next = 0
      for index in 0..<count {
        let first = number(start + 4 * index)
        let last = first + number(start + 4 * index + 2)
        guard first >= next, last <= 65535 else { return false }
        next = last + 2
      }
      return count > 0
    }
  }
}
