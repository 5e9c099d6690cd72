import Foundation
import PushPayload
import PushStore
import _HTTPServer
import _OpenSSLCrypto

/// The `notification` that a caller asks for, checked: whom, what and when.
struct NewNotification: Sendable {
  var target: Target
  var payload: BodyValue
  var timing: SendTiming

  init(_ field: BodyValue, at now: Timestamp) throws(APIError) {
    target = try Target(try field.required("to"))
    payload = try field.required("payload")
    _ = try payload.composed(at: now)
    timing = try SendTiming(field, scheduledIn: field, at: now)
  }

  /// The send of an app that it becomes.
  func send(app: String, to audience: Audience, at now: Timestamp) -> Send {
    var send = Send(
      id: Identifiers.makeObjectID(), messageID: Identifiers.makeObjectID(), app: app,
      audience: audience.id,
      payload: payload.value, createdAt: now)
    send.take(timing)
    return send
  }
}

extension API {
  /// Gives a send its app's rate where it has none of its own.
  func pace(_ send: inout Send) async throws {
    guard send.throttlePerSecond == nil else { return }
    send.throttlePerSecond = try await store.app(send.app)?.throttlePerSecond
  }

  /// Makes a send durable: its audience as it is now, or some devices, by when each is due.
  ///
  /// `key` names the send among repeats of a request that brings no `Idempotency-Key` itself.
  ///
  /// - Throws: ``APIError`` 422 where the call's `Idempotency-Key` was used for another request.
  func accept(
    _ send: Send, to audience: Audience, devices: DeviceNumbers? = nil, key: String? = nil,
    for call: Call
  ) async throws -> Send {
    var send = send
    try await pace(&send)
    if let once = try call.once(key) {
      send.idempotencyKey = once.key
      send.fingerprint = once.fingerprint
    }
    var chosen = devices ?? DeviceNumbers()
    if devices == nil { chosen = try await audiences.devices(of: audience, at: clock.now()) }
    let segments = try await segments(of: send, to: chosen)
    let stored = try await store(for: call, "notification.create", send.id)
      .accept(send, to: audience, segments: segments)
    guard stored.id != send.id else {
      wakeDelivery()
      return stored
    }
    guard stored.fingerprint == send.fingerprint else { throw Call.Once.usedOtherwise }
    return stored
  }
}

extension Call {
  /// What a request is told by from its repeats, which do nothing, and from other requests.
  struct Once: Sendable {
    var key: String
    var fingerprint: [UInt8]

    static let usedOtherwise = APIError(422, "this Idempotency-Key was used for another request")
  }

  /// The caller's `Idempotency-Key`, or `key` where it brings none.
  ///
  /// - Throws: ``APIError`` 422 where it is too long, or not plain.
  func once(_ key: String? = nil) throws(APIError) -> Once? {
    guard let key = request.header("Idempotency-Key") ?? key else { return nil }
    let isPlain = key.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    guard isPlain, (1...255).contains(key.utf8.count) else {
      throw APIError(422, "Idempotency-Key takes 1 to 255 letters, digits and marks of ASCII")
    }
    let path = request.path.split(separator: "/").dropFirst().joined(separator: "/")
    return Once(
      key: key, fingerprint: OpenSSLCrypto.sha256(Array(path.utf8) + [0] + request.body))
  }
}
