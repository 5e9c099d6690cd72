import PushModel
import PushPayload

extension Attribute {
  /// Reads a member of `user_attributes`.
  ///
  /// - Returns: The attribute; `nil` if the member or its `value` is `null`, which removes the attribute.
  static func reading(_ field: BodyValue, named name: String) throws(RequestError) -> Attribute? {
    guard isName(name) else {
      throw .refused(
        field.path, "must have a name of 1 to 255 characters without quotes and backslashes")
    }
    if field.value.isNull { return nil }
    let object = try field.object()
    let type = try field.required("type")
    guard let kind = Kind(rawValue: try type.string()) else {
      let kinds = Kind.allCases.map(\.rawValue).joined(separator: ", ")
      throw .refused(type.path, "must be one of \(kinds)")
    }
    guard let value = object["value"] else { throw .missing(field.path(to: "value")) }
    if value.isNull { return nil }
    let member = field.member("value", value)
    guard case .array = value, kind != .boolean else {
      return Attribute(kind: kind, value: try kind.stored(member))
    }
    let elements = try member.elements()
    guard elements.count <= DevicePatchReader.arrayLimit else {
      throw .refused(
        member.path, "must have at most \(DevicePatchReader.arrayLimit) elements")
    }
    var values: [JSONValue] = []
    for element in elements { values.append(try kind.stored(element)) }
    return Attribute(kind: kind, value: .array(values))
  }
}

extension Attribute.Kind {
  /// Checks a value against the limits of its type, and returns it in the form that the store keeps.
  func stored(_ field: BodyValue) throws(RequestError) -> JSONValue {
    switch self {
    case .boolean: return .bool(try field.bool())
    case .integer:
      guard let number = field.value.number else {
        throw .wrongType(field, expected: "a whole number")
      }
      guard abs(number) <= 2_147_483_647 else {
        throw .refused(field.path, "must be from -2147483647 to 2147483647")
      }
      return .integer(Int64(number.rounded(.towardZero)))
    case .float:
      let limit = Double(Float.greatestFiniteMagnitude)
      return .number(try field.number(in: -limit...limit))
    case .string:
      let text = try field.string()
      guard text.unicodeScalars.count <= DevicePatchReader.textLimit else {
        throw .refused(field.path, "must be at most \(DevicePatchReader.textLimit) characters")
      }
      return .string(text)
    case .date:
      guard let time = Timestamp(iso8601: try field.string()) else {
        throw .refused(field.path, "must be an ISO 8601 date")
      }
      return .string(time.iso8601)
    }
  }
}
