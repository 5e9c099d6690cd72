import Markup

extension QRCode {
  /// The penalty score of runs, blocks, patterns like the finders', and imbalance (clause 7.8.3); lower is easier
  /// to read.
  var penalty: Int {
    var penalty = 0
    for line in 0..<size {
      penalty += Self.penalty(of: (0..<size).map { self[$0, line] })
      penalty += Self.penalty(of: (0..<size).map { self[line, $0] })
    }
    for y in 0..<size - 1 {
      for x in 0..<size - 1 {
        let first = self[x, y]
        if first == self[x + 1, y], first == self[x, y + 1], first == self[x + 1, y + 1] {
          penalty += 3
        }
      }
    }
    let dark = isDark.count(where: \.self)
    // Each 5 % of deviation from one half counts 10.
    let percent = dark * 100 / (size * size)
    return penalty + abs(percent - 50) / 5 * 10
  }

  private static func penalty(of line: [Bool]) -> Int {
    var (penalty, run) = (0, 0)
    for index in line.indices {
      run = index > 0 && line[index] == line[index - 1] ? run + 1 : 1
      if run == 5 { penalty += 3 } else if run > 5 { penalty += 1 }
    }
    // A finder pattern: dark, light, three dark, light, dark, with four light modules on one side.
    let finder = [true, false, true, true, true, false, true]
    for start in 0..<max(0, line.count - 6) where line[start..<start + 7].elementsEqual(finder) {
      let before = line[max(0, start - 4)..<start]
      let after = line[(start + 7)..<min(line.count, start + 11)]
      if before.allSatisfy({ !$0 }) || after.allSatisfy({ !$0 }) { penalty += 40 }
    }
    return penalty
  }

  /// The code as an SVG image with its quiet zone, in black on white in any colour scheme.
  ///
  /// Adjacent dark modules of a row are one rectangle of the path.
  func svg(label: String) -> HTML {
    let border = 4
    let side = size + 2 * border
    var path = ""
    for y in 0..<size {
      var x = 0
      while x < size {
        guard self[x, y] else {
          x += 1
          continue
        }
        let start = x
        while x < size, self[x, y] { x += 1 }
        path += "M\(start + border),\(y + border)h\(x - start)v1h-\(x - start)z"
      }
    }
    return """
      <svg class="qr" viewBox="0 0 \(side) \(side)" width="220" height="220" role="img" aria-label="\(label)">\
      <rect width="100%" height="100%" fill="#fff"/><path fill="#000" d="\(path)"/></svg>
      """
  }
}

/// Reed-Solomon codes over the field of 256 elements with the polynomial x⁸ + x⁴ + x³ + x² + 1.
enum ReedSolomon {
  static func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
    (0..<8).reversed().reduce(UInt8(0)) { sum, bit in
      let doubled = sum << 1 ^ (sum >> 7) &* 0x1d
      return doubled ^ (right >> bit & 1) &* left
    }
  }

  /// The coefficients of the generator polynomial of a degree, without the first one.
  static func divisor(_ degree: Int) -> [UInt8] {
    var result = [UInt8](repeating: 0, count: degree - 1) + [1]
    var root: UInt8 = 1
    for _ in 0..<degree {
      for index in 0..<degree {
        result[index] = product(result[index], root) ^ (index + 1 < degree ? result[index + 1] : 0)
      }
      root = product(root, 2)
    }
    return result
  }

  static func remainder(of data: [UInt8], by divisor: [UInt8]) -> [UInt8] {
    data.reduce([UInt8](repeating: 0, count: divisor.count)) { rest, byte in
      let factor = byte ^ rest[0]
      return zip(rest.dropFirst() + [0], divisor).map { $0 ^ product($1, factor) }
    }
  }
}
