import PushPayload

/// A value of a request's body with the JSON path to it, so that an error can name the place.
struct BodyValue: Sendable {
  var value: JSONValue
  private let place: Place

  /// Nearly all values are right, so a path is put together for an error only.
  private indirect enum Place: Sendable {
    case path(String)
    case member(String, of: Place)
    case element(Int, of: Place)
  }

  /// The top of a body.
  init(_ value: JSONValue) { self.init(value, at: "$") }

  init(_ value: JSONValue, at path: String) { self.init(value, .path(path)) }

  private init(_ value: JSONValue, _ place: Place) {
    self.value = value
    self.place = place
  }

  var path: String { Self.path(place) }

  private static func path(_ place: Place) -> String {
    switch place {
    case .path(let path): path
    case .member(let key, let parent): path(of: key, in: path(parent))
    case .element(let index, let parent): "\(path(parent))[\(index)]"
    }
  }

  /// One of the members of this object.
  func member(_ key: String, _ value: JSONValue) -> BodyValue {
    BodyValue(value, .member(key, of: place))
  }

  /// A member that is there; `null` is as good as absent.
  subscript(key: String) -> BodyValue? {
    guard let member = value[key], !member.isNull else { return nil }
    return self.member(key, member)
  }

  func required(_ key: String) throws(APIError) -> BodyValue {
    _ = try object()
    guard let field = self[key] else { throw .missing(path(to: key)) }
    return field
  }

  func path(to key: String) -> String { Self.path(of: key, in: path) }

  private static func path(of key: String, in path: String) -> String {
    let isPlain = key.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
        true
      default: false
      }
    }
    return isPlain && !key.isEmpty ? "\(path).\(key)" : "\(path)['\(key.prefix(64))']"
  }

  func object() throws(APIError) -> [String: JSONValue] {
    guard let object = value.object else { throw .wrongType(self, takes: "an object") }
    return object
  }

  func elements() throws(APIError) -> [BodyValue] {
    guard let array = value.array else { throw .wrongType(self, takes: "an array") }
    return array.enumerated().map { BodyValue($0.element, .element($0.offset, of: place)) }
  }

  func string() throws(APIError) -> String {
    guard let string = value.string else { throw .wrongType(self, takes: "a string") }
    return string
  }

  func bool() throws(APIError) -> Bool {
    guard let bool = value.bool else { throw .wrongType(self, takes: "true or false") }
    return bool
  }

  func integer(in range: ClosedRange<Int64>) throws(APIError) -> Int64 {
    guard value.number != nil else { throw .wrongType(self, takes: "a whole number") }
    guard let integer = value.integer, range.contains(integer) else {
      let limits =
        range.upperBound == .max
        ? "\(range.lowerBound) or more" : "\(range.lowerBound) to \(range.upperBound)"
      throw .refused(path, "must be a whole number, \(limits)")
    }
    return integer
  }

  func number(in range: ClosedRange<Double>) throws(APIError) -> Double {
    guard let number = value.number else { throw .wrongType(self, takes: "a number") }
    guard range.contains(number) else {
      throw .refused(
        path, "must be from \(Self.text(range.lowerBound)) to \(Self.text(range.upperBound))")
    }
    return number
  }

  private static func text(_ bound: Double) -> String {
    Int(exactly: bound).map(String.init) ?? String(bound)
  }
}
