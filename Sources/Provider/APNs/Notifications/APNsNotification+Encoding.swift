public import FoundationEssentials
public import PushPayload

extension APNsNotification {
  /// Makes a push of a payload whose bytes are `Data`.
  ///
  /// - Parameters:
  ///   - deviceToken: The device token in hexadecimal.
  ///   - topic: The bundle id with the suffix of the push type.
  ///   - pushType: The push type.
  ///   - priority: 10, 5 or 1; `nil` for the default of APNs.
  ///   - expiration: The time at which APNs stops trying; `nil` for the default of APNs.
  ///   - collapseID: The id with which a later push replaces this one.
  ///   - id: A lower-case UUID; by default a new one.
  ///   - payload: The encoded JSON.
  public init(
    deviceToken: String, topic: String, pushType: PushType = .alert, priority: Int? = nil,
    expiration: APNsExpiration? = nil, collapseID: String? = nil, id: String? = nil, payload: Data
  ) {
    self.init(
      deviceToken: deviceToken, topic: topic, pushType: pushType, priority: priority,
      expiration: expiration, collapseID: collapseID, id: id, payload: Array(payload))
  }

  /// Makes a push of a payload of the caller's own type, which is encoded as JSON.
  ///
  /// ```swift
  /// struct Forecast: Encodable {
  ///   struct APS: Encodable { var alert: String }
  ///   var aps: APS
  ///   var city: String
  /// }
  ///
  /// func forecast(for deviceToken: String) throws -> APNsNotification {
  ///   try APNsNotification(
  ///     deviceToken: deviceToken, topic: "com.example.app",
  ///     encoding: Forecast(aps: .init(alert: "Rain at noon"), city: "Wellington"))
  /// }
  /// ```
  ///
  /// Encode a payload for many devices once, and give its bytes to each push. `APNsPayload` has a typed `aps`, and also takes
  /// the keys beside it from an encodable value.
  ///
  /// - Parameters:
  ///   - deviceToken: The device token in hexadecimal.
  ///   - topic: The bundle id with the suffix of the push type.
  ///   - pushType: The push type.
  ///   - priority: 10, 5 or 1; `nil` for the default of APNs.
  ///   - expiration: The time at which APNs stops trying; `nil` for the default of APNs.
  ///   - collapseID: The id with which a later push replaces this one.
  ///   - id: A lower-case UUID; by default a new one.
  ///   - payload: The payload, which must encode as an object with `aps`.
  ///   - encoder: The encoder; by default one that does not escape slashes, which would cost a byte each.
  /// - Throws: Any error of the encoder.
  public init(
    deviceToken: String, topic: String, pushType: PushType = .alert, priority: Int? = nil,
    expiration: APNsExpiration? = nil, collapseID: String? = nil, id: String? = nil,
    encoding payload: some Encodable, encoder: JSONEncoder? = nil
  ) throws {
    self.init(
      deviceToken: deviceToken, topic: topic, pushType: pushType, priority: priority,
      expiration: expiration, collapseID: collapseID, id: id,
      payload: try (encoder ?? Self.plainEncoder()).encode(payload))
  }

  private static func plainEncoder() -> JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.withoutEscapingSlashes]
    return encoder
  }

  /// Makes a push of a typed payload.
  ///
  /// - Parameters:
  ///   - deviceToken: The device token in hexadecimal.
  ///   - topic: The bundle id with the suffix of the push type.
  ///   - pushType: The push type.
  ///   - priority: 10, 5 or 1; `nil` for the default of APNs.
  ///   - expiration: The time at which APNs stops trying; `nil` for the default of APNs.
  ///   - collapseID: The id with which a later push replaces this one.
  ///   - id: A lower-case UUID; by default a new one.
  ///   - payload: The payload.
  public init(
    deviceToken: String, topic: String, pushType: PushType = .alert, priority: Int? = nil,
    expiration: APNsExpiration? = nil, collapseID: String? = nil, id: String? = nil,
    payload: APNsPayload
  ) {
    self.init(
      deviceToken: deviceToken, topic: topic, pushType: pushType, priority: priority,
      expiration: expiration, collapseID: collapseID, id: id, payload: payload.encoded())
  }
}
