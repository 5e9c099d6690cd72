/// Checks bytes against the Roaring format specification.
///
/// CRoaring checks only lengths. Elements out of order or a wrong count would later make it read or
/// write outside of its memory.
enum PortableFormat {
  private static let arrayCookie: UInt32 = 12346
  private static let runCookie: UInt32 = 12347
  /// A container with more elements is a bitset.
  private static let arrayLimit = 4096
  private static let bitsetSize = 8192

  /// Checks all containers of a serialized bitmap.
  static func validate(_ bytes: [UInt8]) throws(BitmapError) {
    var reader = Reader(bytes)
    let cookie = try reader.uint32()
    let containers: Int
    var runFlags: ArraySlice<UInt8> = []
    if cookie & 0xffff == runCookie {
      containers = Int(cookie >> 16) + 1
      runFlags = try reader.read((containers + 7) / 8)
    } else if cookie == arrayCookie {
      containers = Int(try reader.uint32())
      guard containers <= 65536 else { throw reader.error(.damaged, "has too many containers") }
    } else {
      throw BitmapError(.notABitmap, "has an unknown cookie", at: 0)
    }
    let headers = try readHeaders(containers, &reader)
    let hasOffsets = cookie == arrayCookie || containers >= 4
    var offsets = Reader(hasOffsets ? try reader.read(4 * containers) : [])
    for (index, count) in headers.enumerated() {
      if hasOffsets, Int(try offsets.uint32()) != reader.offset {
        throw reader.error(.damaged, "has a container at another offset than its header says")
      }
      let isRun =
        !runFlags.isEmpty && runFlags[runFlags.startIndex + index / 8] >> (index % 8) & 1 == 1
      if isRun {
        try checkRuns(count, &reader)
      } else if count > arrayLimit {
        try checkBits(count, &reader)
      } else {
        try checkArray(count, &reader)
      }
    }
    guard reader.isAtEnd else { throw reader.error(.trailingBytes, "has more bytes after its end") }
  }

  /// The number of elements of each container, whose keys must ascend.
  private static func readHeaders(
    _ containers: Int, _ reader: inout Reader
  ) throws(BitmapError) -> [Int] {
    var counts: [Int] = []
    var last = -1
    for _ in 0..<containers {
      let key = Int(try reader.uint16())
      guard key > last else { throw reader.error(.damaged, "has keys out of order") }
      last = key
      counts.append(Int(try reader.uint16()) + 1)
    }
    return counts
  }

  private static func checkRuns(_ count: Int, _ reader: inout Reader) throws(BitmapError) {
    var total = 0
    var next = 0  // The least start of a run that does not touch the previous one.
    for _ in 0..<(try reader.uint16()) {
      let start = Int(try reader.uint16())
      let end = start + Int(try reader.uint16())
      guard start >= next, end <= 65535 else {
        throw reader.error(.damaged, "has runs out of order")
      }
      total += end - start + 1
      next = end + 2
    }
    guard total == count else { throw reader.error(.damaged, "has runs with a wrong count") }
  }

  private static func checkBits(_ count: Int, _ reader: inout Reader) throws(BitmapError) {
    let total = try reader.read(bitsetSize).reduce(0) { $0 + $1.nonzeroBitCount }
    guard total == count else { throw reader.error(.damaged, "has a bitset with a wrong count") }
  }

  private static func checkArray(_ count: Int, _ reader: inout Reader) throws(BitmapError) {
    var last = -1
    for _ in 0..<count {
      let element = Int(try reader.uint16())
      guard element > last else { throw reader.error(.damaged, "has elements out of order") }
      last = element
    }
  }

  /// Reads little-endian numbers from the front.
  private struct Reader {
    private var remaining: ArraySlice<UInt8>

    init(_ bytes: some Sequence<UInt8>) { remaining = Array(bytes)[...] }

    var offset: Int { remaining.startIndex }
    var isAtEnd: Bool { remaining.isEmpty }

    mutating func read(_ count: Int) throws(BitmapError) -> ArraySlice<UInt8> {
      guard remaining.count >= count else { throw error(.cutOff, "is cut off") }
      defer { remaining = remaining.dropFirst(count) }
      return remaining.prefix(count)
    }

    mutating func uint16() throws(BitmapError) -> UInt16 {
      let bytes = try read(2)
      return UInt16(bytes[bytes.startIndex]) | UInt16(bytes[bytes.startIndex + 1]) << 8
    }

    mutating func uint32() throws(BitmapError) -> UInt32 {
      let low = try uint16()
      return UInt32(try uint16()) << 16 | UInt32(low)
    }

    func error(_ code: BitmapError.Code, _ problem: String) -> BitmapError {
      BitmapError(code, problem, at: offset)
    }
  }
}
