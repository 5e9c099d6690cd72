/// A 64-bit checksum of blocks of 32 bytes, which changes if any single word changes.
///
/// It detects damage, not changes by somebody who can write the file.
struct Checksum {
  static let blockSize = 32
  private static let factor: UInt64 = 0x9e37_79b9_7f4a_7c15
  private var lanes: (UInt64, UInt64, UInt64, UInt64) = (1, 2, 3, 4)

  /// Adds bytes; their number must be a multiple of the block size.
  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    var (a, b, c, d) = lanes
    func mixed(_ lane: UInt64, _ offset: Int) -> UInt64 {
      let word = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      let product = (lane ^ UInt64(littleEndian: word)) &* Self.factor
      return product << 31 | product >> 33
    }
    for offset in stride(from: 0, to: bytes.count, by: Self.blockSize) {
      a = mixed(a, offset)
      b = mixed(b, offset + 8)
      c = mixed(c, offset + 16)
      d = mixed(d, offset + 24)
    }
    lanes = (a, b, c, d)
  }

  var value: UInt64 {
    [lanes.0, lanes.1, lanes.2, lanes.3].reduce(0) { sum, lane in
      let mixed = (sum ^ lane) &* Self.factor
      return mixed ^ mixed >> 29
    }
  }
}
