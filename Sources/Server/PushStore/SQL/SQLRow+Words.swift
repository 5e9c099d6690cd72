import PushModel
import PushPayload

/// Values with their own form: words of a list, JSON, packed sets.
extension SQLRow {
  /// The problem of a value of the right type, without the value, which may be personal.
  static var notUnderstood: String { "is not understood" }

  /// A word of a list, such as a state.
  mutating func word<Word: RawRepresentable<String>>(
    _ name: StaticString, _ type: Word.Type = Word.self
  ) throws(StoredValueError) -> Word {
    try parsed(name, Word.init(rawValue:))
  }

  mutating func optionalWord<Word: RawRepresentable<String>>(
    _ name: StaticString, _ type: Word.Type = Word.self
  ) throws(StoredValueError) -> Word? {
    try optionalParsed(name, Word.init(rawValue:))
  }

  /// Reads a value from text; `read` returns `nil` if the text is malformed.
  mutating func parsed<Value>(
    _ name: StaticString, _ read: (String) -> Value?
  ) throws(StoredValueError) -> Value {
    guard let value = read(try text(name)) else { throw fault(name, Self.notUnderstood) }
    return value
  }

  mutating func optionalParsed<Value>(
    _ name: StaticString, _ read: (String) -> Value?
  ) throws(StoredValueError) -> Value? {
    guard let text = try optionalText(name) else { return nil }
    guard let value = read(text) else { throw fault(name, Self.notUnderstood) }
    return value
  }

  mutating func json(_ name: StaticString) throws(StoredValueError) -> JSONValue {
    try json(name, from: text(name))
  }

  mutating func optionalJSON(_ name: StaticString) throws(StoredValueError) -> JSONValue? {
    guard let text = try optionalText(name) else { return nil }
    return try json(name, from: text)
  }

  private func json(_ name: StaticString, from text: String) throws(StoredValueError) -> JSONValue {
    do { return try JSONValue(parsing: text) } catch { throw fault(name, "is not JSON") }
  }

  /// Reads a value from JSON; `read` returns `nil` if the JSON is malformed.
  mutating func value<Value>(
    _ name: StaticString, _ read: (JSONValue) -> Value?
  ) throws(StoredValueError) -> Value {
    guard let value = read(try json(name)) else { throw fault(name, Self.notUnderstood) }
    return value
  }

  mutating func optionalValue<Value>(
    _ name: StaticString, _ read: (JSONValue) -> Value?
  ) throws(StoredValueError) -> Value? {
    guard let json = try optionalJSON(name) else { return nil }
    guard let value = read(json) else { throw fault(name, Self.notUnderstood) }
    return value
  }

  /// Reads a value from bytes; `read` returns `nil` if the bytes are malformed.
  mutating func packed<Value>(
    _ name: StaticString, _ read: ([UInt8]) -> Value?
  ) throws(StoredValueError) -> Value {
    guard let value = read(try blob(name)) else { throw fault(name, Self.notUnderstood) }
    return value
  }

  mutating func optionalPacked<Value>(
    _ name: StaticString, _ read: ([UInt8]) -> Value?
  ) throws(StoredValueError) -> Value? {
    guard let bytes = try optionalBlob(name) else { return nil }
    guard let value = read(bytes) else { throw fault(name, Self.notUnderstood) }
    return value
  }

  /// The number of a device in its app.
  mutating func deviceNumber(_ name: StaticString) throws(StoredValueError) -> UInt32 {
    let number = try integer(name)
    guard let device = UInt32(exactly: number) else {
      throw fault(name, "is not the number of a device")
    }
    return device
  }

  /// The devices of a segment, a batch or a group.
  mutating func devices(_ name: StaticString) throws(StoredValueError) -> DeviceNumbers {
    try packed(name, DeviceNumbers.init(packed:))
  }

  /// The columns `devices` and `outcomes` of a batch.
  mutating func outcomes() throws(StoredValueError) -> PackedOutcomes {
    let devices = try devices("devices")
    return try optionalPacked("outcomes") { PackedOutcomes(devices: devices, packed: $0) }
      ?? PackedOutcomes(devices: devices)
  }

  /// The texts of a JSON array.
  mutating func texts(_ name: StaticString) throws(StoredValueError) -> [String] {
    try value(name, \.texts)
  }
}
