/// A grey progressive JPEG whose scans after the first two refine nothing, at 59 bytes and the time of the whole
/// picture each for 64 million pixels (ITU-T T.81, annex G).
package func progressiveJPEG(width: Int, height: Int, scans: Int) -> [UInt8] {
  let blocks = ((width + 7) / 8) * ((height + 7) / 8)
  var bytes: [UInt8] = [0xFF, 0xD8, 0xFF, 0xDB, 0, 67, 0] + [UInt8](repeating: 1, count: 64)
  bytes += [0xFF, 0xC2, 0, 11, 8, UInt8(height >> 8), UInt8(height & 0xFF)]
  bytes += [UInt8(width >> 8), UInt8(width & 0xFF), 1, 1, 0x11, 0]
  // One code in each Huffman table: a difference of nothing, and a run of 2^14 and more empty blocks.
  bytes += [0xFF, 0xC4, 0, 20, 0x00, 1] + [UInt8](repeating: 0, count: 15) + [0x00]
  bytes += [0xFF, 0xC4, 0, 20, 0x10, 1] + [UInt8](repeating: 0, count: 15) + [0xE0]
  func scan(_ first: UInt8, _ last: UInt8, _ bits: UInt8) -> [UInt8] {
    [0xFF, 0xDA, 0, 8, 1, 1, 0, first, last, bits]
  }
  bytes += scan(0, 0, 0x01) + [UInt8](repeating: 0, count: (blocks + 7) / 8)
  let empty = emptyBlocks(blocks)
  for number in 0..<max(0, scans - 1) { bytes += scan(1, 63, number == 0 ? 0x01 : 0x10) + empty }
  return bytes + [0xFF, 0xD9]
}

/// The entropy-coded data of a scan in which no block has a coefficient.
private func emptyBlocks(_ blocks: Int) -> [UInt8] {
  var bits: [Bool] = []
  var left = blocks
  while left > 0 {
    let run = min(max(left, 1 << 14), (1 << 15) - 1)
    bits.append(false)
    for bit in (0..<14).reversed() { bits.append((run - (1 << 14)) >> bit & 1 == 1) }
    left -= run
  }
  while bits.count % 8 != 0 { bits.append(true) }
  var bytes: [UInt8] = []
  for start in stride(from: 0, to: bits.count, by: 8) {
    let byte = bits[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
    bytes.append(byte)
    if byte == 0xFF { bytes.append(0) }
  }
  return bytes
}
