/// The icon of an app on the cards of the dashboard, an upload that stays until another one replaces it.
enum AppIcon {
  /// The largest side in pixels, which is that of the icon in the App Store.
  static let largestSide = 1024
  static let largestSize = 1 << 20

  /// Checks that a file is a square PNG within the limits.
  ///
  /// - Throws: ``RequestError`` `.tooLarge` or `.unsupportedType`, whose message says what to change.
  static func check(_ bytes: ArraySlice<UInt8>) throws(RequestError) {
    guard bytes.count <= largestSize else {
      throw RequestError(.tooLarge, "the icon has more than 1 MiB; save it as a smaller PNG")
    }
    guard let (width, height) = size(ofPNG: bytes) else {
      throw RequestError(.unsupportedType, "the icon is not a PNG; export it as one")
    }
    guard width == height, (1...largestSide).contains(width) else {
      throw RequestError(
        .unsupportedType,
        "the icon is \(width) × \(height) pixels; it must be square, of \(largestSide) at most")
    }
  }

  /// The width and the height in the header of a PNG (its specification, sections 5.2 and 11.2.2).
  static func size(ofPNG bytes: ArraySlice<UInt8>) -> (width: Int, height: Int)? {
    let start: [UInt8] = [137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82]
    guard bytes.count >= start.count + 8, bytes.starts(with: start) else { return nil }
    let numbers = bytes.dropFirst(start.count)
    func number(_ bytes: ArraySlice<UInt8>) -> Int {
      bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    }
    return (number(numbers), number(numbers.dropFirst(4)))
  }
}
