/// Reads the forms of CBOR (RFC 8949) that authenticators use for keys: integers, byte strings, and maps of these.
///
/// Lengths are definite and numbers are as short as possible, as CTAP 2.1, section 8, requires.
struct CBORReader {
  /// A value in a map.
  enum Value: Equatable {
    case integer(Int)
    case bytes([UInt8])
  }

  /// The most members of a map; a key has five.
  static let memberLimit = 16

  private let bytes: ArraySlice<UInt8>
  private var place: Int

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    place = bytes.startIndex
  }

  /// The bytes that were not read yet.
  var rest: ArraySlice<UInt8> { bytes[place...] }

  /// Reads a map whose keys are integers; `nil` if the next value is not such a map.
  mutating func map() -> [Int: Value]? {
    guard let (type, count) = head(), type == 5, count <= Self.memberLimit else { return nil }
    var members: [Int: Value] = [:]
    for _ in 0..<count {
      guard case .integer(let key)? = value(), let value = value(),
        members.updateValue(value, forKey: key) == nil
      else { return nil }
    }
    return members
  }

  private mutating func value() -> Value? {
    guard let (type, argument) = head() else { return nil }
    switch type {
    case 0: return .integer(argument)
    case 1: return .integer(-1 - argument)
    case 2:
      guard argument <= bytes.endIndex - place else { return nil }
      defer { place += argument }
      return .bytes(Array(bytes[place..<place + argument]))
    default: return nil
    }
  }

  /// The major type and the argument of the next value, at most 2^32 - 1.
  private mutating func head() -> (type: UInt8, argument: Int)? {
    guard let first = bytes[place...].first else { return nil }
    let (type, short) = (first >> 5, Int(first & 0x1f))
    place += 1
    guard short >= 24 else { return (type, short) }
    let width = [24: 1, 25: 2, 26: 4][short] ?? 0
    guard width > 0, width <= bytes.endIndex - place else { return nil }
    let argument = bytes[place..<place + width].reduce(0) { $0 << 8 | Int($1) }
    place += width
    let least = [1: 24, 2: 1 << 8, 4: 1 << 16][width] ?? 0
    return argument >= least ? (type, argument) : nil
  }
}
