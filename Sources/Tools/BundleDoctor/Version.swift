/// A version number, such as the deployment target `16.4`.
package struct Version: Hashable, Comparable, Sendable, CustomStringConvertible {
  private let parts: [Int]

  /// Reads one to three numbers separated by dots; `nil` if the text is not a version.
  package init?(_ text: String) {
    let words = text.split(separator: ".", omittingEmptySubsequences: false)
    let numbers = words.compactMap { $0.allSatisfy(\.isASCIIDigit) ? Int($0) : nil }
    guard 1...3 ~= words.count, numbers.count == words.count else { return nil }
    parts = numbers + Array(repeating: 0, count: 3 - numbers.count)
  }

  /// Reads the form of Mach-O, with 16 bits for the first number and 8 for each of the others.
  init(packed: UInt32) {
    parts = [Int(packed >> 16), Int(packed >> 8 & 0xff), Int(packed & 0xff)]
  }

  package static func < (a: Version, b: Version) -> Bool {
    a.parts.lexicographicallyPrecedes(b.parts)
  }

  /// The numbers separated by dots, without a third number that is zero.
  package var description: String {
    parts.prefix(parts.last == 0 ? 2 : 3).map(String.init).joined(separator: ".")
  }
}

extension Character {
  var isASCIIDigit: Bool { isASCII && isNumber }
}
