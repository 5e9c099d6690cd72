import CZlib
import Testing

/// A writer of PNG files with a palette, which take a fraction of the space of cairo's.
///
/// Each channel is rounded to one of 16 values, and the rarest colors to the nearest of the 256 most frequent, which is
/// less than what the comparison of snapshots sees.
struct IndexedPNG {
  private static let step = 17

  let bytes: [UInt8]

  init(_ pixels: Pixels) throws {
    var counts = [Int](repeating: 0, count: 4096)
    var keys: [Int] = []
    keys.reserveCapacity(pixels.width * pixels.height)
    for y in 0..<pixels.height {
      for x in 0..<pixels.width {
        let color = pixels[x, y]
        let key =
          Self.level(color.red) << 8 | Self.level(color.green) << 4 | Self.level(color.blue)
        counts[key] += 1
        keys.append(key)
      }
    }
    let used = counts.indices.filter { counts[$0] > 0 }
    let palette = Array(used.sorted { (-counts[$0], $0) < (-counts[$1], $1) }.prefix(256))
    var indices = [UInt8](repeating: 0, count: 4096)
    for key in used {
      let nearest = palette.indices.min {
        Self.distance(palette[$0], key) < Self.distance(palette[$1], key)
      }
      indices[key] = UInt8(nearest ?? 0)
    }
    var rows: [UInt8] = []
    rows.reserveCapacity(keys.count + pixels.height)
    for y in 0..<pixels.height {
      // Each row begins with its filter, which is none.
      rows.append(0)
      for x in 0..<pixels.width { rows.append(indices[keys[y * pixels.width + x]]) }
    }
    let colors = palette.flatMap { key in
      [key >> 8, key >> 4 & 15, key & 15].map { UInt8($0 * Self.step) }
    }
    var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    file += Self.chunk(
      "IHDR", Self.number(pixels.width) + Self.number(pixels.height) + [8, 3, 0, 0, 0])
    file += Self.chunk("PLTE", colors)
    file += Self.chunk("IDAT", try Self.compressed(rows))
    bytes = file + Self.chunk("IEND", [])
  }

  private static func level(_ value: UInt8) -> Int { (Int(value) + step / 2) / step }

  private static func distance(_ one: Int, _ other: Int) -> Int {
    [8, 4, 0].reduce(0) { sum, shift in
      let difference = (one >> shift & 15) - (other >> shift & 15)
      return sum + difference * difference
    }
  }

  private static func number(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    let body = Array(name.utf8) + content
    let check = crc32(0, body, UInt32(body.count))
    return number(content.count) + body + number(Int(check))
  }

  private static func compressed(_ bytes: [UInt8]) throws -> [UInt8] {
    var result = [UInt8](repeating: 0, count: Int(compressBound(UInt(bytes.count))))
    var count = UInt(result.count)
    try #require(compress2(&result, &count, bytes, UInt(bytes.count), 9) == Z_OK)
    return Array(result.prefix(Int(count)))
  }
}
