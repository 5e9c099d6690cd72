/// A QR code of a text in byte mode with error correction level M, of the versions 1 to 20 (ISO/IEC 18004:2015).
struct QRCode: Hashable, Sendable {
  /// The number of modules in a row.
  private(set) var size: Int
  /// The dark modules, row by row.
  private(set) var isDark: [Bool]

  /// Whether each module belongs to a pattern that is the same for every text.
  private var isFixed: [Bool]

  /// The error correction codewords per block, and the number of blocks, by version (table 9, level M).
  private static let correction = [
    10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26,
  ]
  private static let blocks = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16]

  /// Makes the code of a text; `nil` if the text has more than 666 bytes.
  ///
  /// `mask` is one of the eight masks; `nil` chooses the one that is the easiest to read.
  init?(_ text: String, mask: Int? = nil) {
    let bytes = Array(text.utf8)
    let versions = 1...Self.correction.count
    guard let version = versions.first(where: { Self.capacity(of: $0) >= bytes.count }) else {
      return nil
    }
    size = version * 4 + 17
    isDark = Array(repeating: false, count: size * size)
    isFixed = isDark
    drawPatterns(version)
    draw(Self.codewords(of: bytes, version))
    let plain = self
    let masked = (mask.map { [$0] } ?? Array(0..<8)).map { mask in
      var code = plain
      code.apply(mask)
      code.drawFormat(mask)
      return code
    }
    guard let best = masked.min(by: { $0.penalty < $1.penalty }) else { return nil }
    self = best
  }

  subscript(x: Int, y: Int) -> Bool { isDark[y * size + x] }

  // MARK: Data

  private static func codewordCount(_ version: Int) -> Int {
    var modules = (16 * version + 128) * version + 64
    if version >= 2 {
      let lines = version / 7 + 2
      modules -= (25 * lines - 10) * lines - 55
      if version >= 7 { modules -= 36 }
    }
    return modules / 8
  }

  private static func dataCount(_ version: Int) -> Int {
    codewordCount(version) - correction[version - 1] * blocks[version - 1]
  }

  /// The number of bytes that remain for the text beside the mode and the length.
  private static func capacity(of version: Int) -> Int {
    dataCount(version) - (version < 10 ? 2 : 3)
  }

  /// The data and error correction codewords of all blocks, interleaved (clause 7.6).
  private static func codewords(of bytes: [UInt8], _ version: Int) -> [UInt8] {
    // Mode 0100, the length in 8 or 16 bits, the bytes, and a terminator of four zeros.
    var nibbles: [UInt8] = [4]
    if version >= 10 {
      nibbles += [UInt8(bytes.count >> 12 & 15), UInt8(bytes.count >> 8 & 15)]
    }
    nibbles += [UInt8(bytes.count >> 4 & 15), UInt8(bytes.count & 15)]
    nibbles += bytes.flatMap { [$0 >> 4, $0 & 15] } + [0]
    var data = stride(from: 0, to: nibbles.count - 1, by: 2).map {
      nibbles[$0] << 4 | nibbles[$0 + 1]
    }
    let count = dataCount(version)
    data += (0..<count - data.count).map { $0.isMultiple(of: 2) ? 0xec : 0x11 }

    let (blockCount, correctionCount) = (blocks[version - 1], correction[version - 1])
    let (short, longCount) = (count / blockCount, count % blockCount)
    var rest = data[...]
    let parts = (0..<blockCount).map { block -> [UInt8] in
      let part = Array(rest.prefix(block < blockCount - longCount ? short : short + 1))
      rest = rest.dropFirst(part.count)
      return part
    }
    let divisor = ReedSolomon.divisor(correctionCount)
    let corrections = parts.map { ReedSolomon.remainder(of: $0, by: divisor) }
    return (0...short).flatMap { index in parts.compactMap { index < $0.count ? $0[index] : nil } }
      + (0..<correctionCount).flatMap { index in corrections.map { $0[index] } }
  }

  // MARK: Patterns

  private mutating func fix(_ x: Int, _ y: Int, dark: Bool) {
    guard 0..<size ~= x, 0..<size ~= y else { return }
    isDark[y * size + x] = dark
    isFixed[y * size + x] = true
  }

  private mutating func drawPatterns(_ version: Int) {
    for index in 0..<size {
      fix(6, index, dark: index.isMultiple(of: 2))
      fix(index, 6, dark: index.isMultiple(of: 2))
    }
    for (x, y) in [(3, 3), (size - 4, 3), (3, size - 4)] {
      for (dx, dy) in Self.square(4) {
        let distance = max(abs(dx), abs(dy))
        fix(x + dx, y + dy, dark: distance != 2 && distance != 4)
      }
    }
    let centers = Self.alignment(version)
    for x in centers {
      for y in centers where !Self.isCorner(x, y, of: centers) {
        for (dx, dy) in Self.square(2) { fix(x + dx, y + dy, dark: max(abs(dx), abs(dy)) != 1) }
      }
    }
    drawFormat(0)
    guard version >= 7 else { return }
    let bits = version << 12 | Self.remainder(of: version, bits: 12, by: 0x1f25)
    for index in 0..<18 {
      let (far, near) = (size - 11 + index % 3, index / 3)
      fix(far, near, dark: bits >> index & 1 == 1)
      fix(near, far, dark: bits >> index & 1 == 1)
    }
  }

  private static func square(_ radius: Int) -> [(Int, Int)] {
    (-radius...radius).flatMap { dy in (-radius...radius).map { ($0, dy) } }
  }

  private static func isCorner(_ x: Int, _ y: Int, of centers: [Int]) -> Bool {
    let (first, last) = (centers[0], centers[centers.count - 1])
    return (x == first && (y == first || y == last)) || (x == last && y == first)
  }

  /// The rows and columns of the alignment patterns (annex E).
  private static func alignment(_ version: Int) -> [Int] {
    guard version > 1 else { return [] }
    let count = version / 7 + 2
    let step = (version * 4 + count * 2 + 1) / (count * 2 - 2) * 2
    return [6] + (0..<count - 1).map { version * 4 + 10 - $0 * step }.reversed()
  }

  /// Draws the level and the mask twice beside the finder patterns (clause 7.9); level M has the bits 00.
  private mutating func drawFormat(_ mask: Int) {
    let bits = (mask << 10 | Self.remainder(of: mask, bits: 10, by: 0x537)) ^ 0x5412
    for index in 0..<15 {
      let isSet = bits >> index & 1 == 1
      let near = index < 6 ? index : index < 8 ? index + 1 : 14 - index
      if index < 8 { fix(8, near, dark: isSet) } else { fix(index == 8 ? 7 : near, 8, dark: isSet) }
      if index < 8 {
        fix(size - 1 - index, 8, dark: isSet)
      } else {
        fix(8, size - 15 + index, dark: isSet)
      }
    }
    fix(8, size - 8, dark: true)
  }

  /// The remainder of a BCH code.
  private static func remainder(of value: Int, bits: Int, by divisor: Int) -> Int {
    (0..<bits).reduce(value) { rest, _ in rest << 1 ^ ((rest >> (bits - 1)) * divisor) }
  }

  /// Fills columns of two modules from the right, alternately upwards and downwards (clause 7.7.3).
  private mutating func draw(_ codewords: [UInt8]) {
    var index = 0
    var right = size - 1
    while right >= 1 {
      if right == 6 { right = 5 }
      let isUpward = (right + 1) & 2 == 0
      for step in 0..<size {
        let y = isUpward ? size - 1 - step : step
        for x in [right, right - 1] where !isFixed[y * size + x] && index < codewords.count * 8 {
          isDark[y * size + x] = codewords[index / 8] >> (7 - index % 8) & 1 == 1
          index += 1
        }
      }
      right -= 2
    }
  }

  private mutating func apply(_ mask: Int) {
    for y in 0..<size {
      for x in 0..<size where !isFixed[y * size + x] {
        let isInverted =
          switch mask {
          case 0: (x + y) % 2 == 0
          case 1: y % 2 == 0
          case 2: x % 3 == 0
          case 3: (x + y) % 3 == 0
          case 4: (x / 3 + y / 2) % 2 == 0
          case 5: x * y % 2 + x * y % 3 == 0
          case 6: (x * y % 2 + x * y % 3) % 2 == 0
          default: ((x + y) % 2 + x * y % 3) % 2 == 0
          }
        if isInverted { isDark[y * size + x].toggle() }
      }
    }
  }
}
