import PushModel
import PushPayload

extension DeviceSettings {
  /// Reads a member of `notification_settings`; `null` is a setting that the phone does not have.
  ///
  /// - Throws: ``RequestError`` if the member is unknown, or its value is not valid.
  mutating func read(_ name: String, _ field: BodyValue) throws(RequestError) {
    guard Self.names.contains(name) else { throw .unknown(field.path, name, knows: Self.names) }
    if field.value.isNull { return }
    if let setting = Switch(rawValue: name) {
      switches[setting] = try field.bool()
      return
    }
    guard let known = Authorization(rawValue: try field.string()) else {
      let words = Authorization.allCases.map(\.rawValue).joined(separator: ", ")
      throw .refused(field.path, "must be one of \(words)")
    }
    authorization = known
  }
}
