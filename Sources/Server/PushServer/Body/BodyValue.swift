import PushPayload

/// A value of a request's body with its JSON path, with which error messages begin.
struct BodyValue: Sendable {
  var value: JSONValue
  private let location: Location

  /// The location of a value in the body.
  ///
  /// Most values are valid, so the path's text is made only for an error.
  private indirect enum Location: Sendable {
    case path(String)
    case member(String, of: Location)
    case element(Int, of: Location)
  }

  /// Makes the root of a body, `$`.
  init(_ value: JSONValue) { self.init(value, at: "$") }

  init(_ value: JSONValue, at path: String) { self.init(value, .path(path)) }

  private init(_ value: JSONValue, _ location: Location) {
    self.value = value
    self.location = location
  }

  /// The JSON path, such as `$.notification.to[0]`.
  var path: String { Self.path(location) }

  private static func path(_ location: Location) -> String {
    switch location {
    case .path(let path): path
    case .member(let key, let parent): path(of: key, in: path(parent))
    case .element(let index, let parent): "\(path(parent))[\(index)]"
    }
  }

  /// A member of this object whose value the caller has already read.
  func member(_ key: String, _ value: JSONValue) -> BodyValue {
    BodyValue(value, .member(key, of: location))
  }

  /// The member with a key; `nil` if it is absent or `null`.
  subscript(key: String) -> BodyValue? {
    guard let member = value[key], !member.isNull else { return nil }
    return self.member(key, member)
  }

  /// Returns the member with a key.
  ///
  /// - Throws: ``RequestError`` `.invalid` if it is absent or `null`, `.malformed` if this is not an object.
  func required(_ key: String) throws(RequestError) -> BodyValue {
    _ = try object()
    guard let field = self[key] else { throw .missing(path(to: key)) }
    return field
  }

  /// The JSON path of a member, which need not exist.
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
    let shown = key.prefix(NearestName.limit)
    return isPlain && !key.isEmpty ? "\(path).\(shown)" : "\(path)['\(shown)']"
  }

  func object() throws(RequestError) -> [String: JSONValue] {
    guard let object = value.object else { throw .wrongType(self, expected: "an object") }
    return object
  }

  /// Returns the members of an object; they are counted before any of them is read.
  ///
  /// - Throws: ``RequestError`` `.malformed` if this is not an object, `.invalid` if it has more than `limit` members.
  func object(upTo limit: Int) throws(RequestError) -> [String: JSONValue] {
    let object = try object()
    guard object.count <= limit else { throw .refused(path, "must have at most \(limit) members") }
    return object
  }

  func elements() throws(RequestError) -> [BodyValue] {
    guard let array = value.array else { throw .wrongType(self, expected: "an array") }
    return array.enumerated().map { BodyValue($0.element, .element($0.offset, of: location)) }
  }

  /// Returns the elements of an array; they are counted before any of them is read.
  ///
  /// - Throws: ``RequestError`` `.malformed` if this is not an array, `.invalid` if it has more than `limit` elements.
  func elements(upTo limit: Int, of what: String = "elements") throws(RequestError) -> [BodyValue] {
    guard value.array.map({ $0.count <= limit }) ?? true else {
      throw .refused(path, "must have at most \(limit) \(what)")
    }
    return try elements()
  }

  func string() throws(RequestError) -> String {
    guard let string = value.string else { throw .wrongType(self, expected: "a string") }
    return string
  }

  func bool() throws(RequestError) -> Bool {
    guard let bool = value.bool else { throw .wrongType(self, expected: "true or false") }
    return bool
  }

  func integer(in range: ClosedRange<Int64>) throws(RequestError) -> Int64 {
    guard value.number != nil else { throw .wrongType(self, expected: "a whole number") }
    guard let integer = value.integer, range.contains(integer) else {
      let limits =
        range.upperBound == .max
        ? "\(range.lowerBound) or more" : "\(range.lowerBound) to \(range.upperBound)"
      throw .refused(path, "must be a whole number, \(limits)")
    }
    return integer
  }

  func number(in range: ClosedRange<Double>) throws(RequestError) -> Double {
    guard let number = value.number else { throw .wrongType(self, expected: "a number") }
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
