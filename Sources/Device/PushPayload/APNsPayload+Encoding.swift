#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension APNsPayload {
  /// Creates a payload with the keys of an encodable value beside `aps`.
  ///
  /// ```swift
  /// struct Order: Encodable {
  ///   var order: Int
  ///   var image_url: String
  /// }
  ///
  /// func payload(of order: Order) throws -> APNsPayload {
  ///   try APNsPayload(
  ///     aps: APS(alert: Alert(title: "On its way"), mutableContent: true), encoding: order)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - aps: The `aps` dictionary.
  ///   - custom: A value that encodes as an object; a key named `aps` in it is ignored.
  ///   - encoder: The encoder, for keys and dates of another form.
  /// - Throws: Any error of the encoder, and `EncodingError.invalidValue` if the value does not encode as an object.
  public init(
    aps: APS = APS(), encoding custom: some Encodable, encoder: JSONEncoder = JSONEncoder()
  ) throws {
    let json = try JSONValue(parsing: try encoder.encode(custom))
    guard let members = json.object else {
      throw EncodingError.invalidValue(
        custom,
        EncodingError.Context(
          codingPath: [],
          debugDescription: "a payload takes keys and values, and this is \(json.typeName)"))
    }
    self.init(aps: aps, custom: members)
  }
}
