import PushModel
import PushPayload

extension Location {
  /// Reads `{"gps": {"lat", "lng"}, "geoip": {"city", "country"}}`.
  ///
  /// The coordinates are numbers or, as in answers, strings.
  init(_ field: BodyValue) throws(RequestError) {
    self.init()
    _ = try field.object()
    if let gps = field["gps"] {
      latitude = try Self.degrees(try gps.required("lat"), limit: 90)
      longitude = try Self.degrees(try gps.required("lng"), limit: 180)
    }
    guard let region = field["geoip"] else { return }
    city = try region["city"].map(DevicePatchReader.text) ?? nil
    country = try region["country"].map(DevicePatchReader.text) ?? nil
  }

  private static func degrees(_ field: BodyValue, limit: Double) throws(RequestError) -> Double {
    guard let text = field.value.string else { return try field.number(in: -limit...limit) }
    guard let number = Double(decimal: text), abs(number) <= limit else {
      throw .refused(field.path, "must be from \(Int(-limit)) to \(Int(limit))")
    }
    return number
  }
}
