import Foundation
import PushPayload
import PushStore
import _HTTPServer
import _OpenSSLCrypto

/// The `notification` that a caller asks for, checked: whom, what and when.
struct NewNotification: Sendable {
  var target: Target
  var payload: BodyValue
  /// When it is wanted; with ``isLocalTime``, what each device's own clock shows then.
  private(set) var scheduledAt: Timestamp?
  private(set) var isLocalTime = false
  private(set) var expiresAt: Timestamp?
  private(set) var throttlePerSecond: Int?
  static let throttleRange: ClosedRange<Int64> = 1...1_000_000

  init(_ field: BodyValue, at now: Timestamp) throws(APIError) {
    target = try Target(try field.required("to"))
    payload = try field.required("payload")
    _ = try payload.composed(at: now)

    isLocalTime = try field["local_time"]?.bool() ?? false
    scheduledAt = try field["scheduled_at"].map { value throws(APIError) in
      // A wall clock has no offset.
      try Self.time(value, dropsOffset: isLocalTime)
    }
    guard !isLocalTime || scheduledAt != nil else { throw .missing(field.path(to: "scheduled_at")) }
    if let value = field["expires_at"] {
      let time = try Self.time(value)
      guard time > max(now, isLocalTime ? now : scheduledAt ?? now) else {
        throw .refused(value.path, "is over before the notification is sent")
      }
      expiresAt = time
    }
    throttlePerSecond = try field["throttle_per_second"].map { value throws(APIError) in
      Int(try value.integer(in: Self.throttleRange))
    }
  }

  private static func time(
    _ field: BodyValue, dropsOffset: Bool = false
  ) throws(APIError) -> Timestamp {
    var text = try field.string()
    if dropsOffset, text.contains(/[Tt ]/) {
      text = text.replacing(/[+-][0-9]{2}:?[0-9]{2}$/, with: "")
    }
    guard let time = Timestamp(iso8601: text) else {
      throw .refused(field.path, "must be an ISO 8601 date")
    }
    return time
  }

  /// The send of an app that it becomes.
  func send(app: String, to audience: Audience, at now: Timestamp) -> Send {
    var send = Send(
      id: Identifiers.object(), messageID: Identifiers.object(), app: app, audience: audience.id,
      payload: payload.value, createdAt: now)
    send.scheduledAt = scheduledAt
    send.isLocalTime = isLocalTime
    send.expiresAt = expiresAt
    send.throttlePerSecond = throttlePerSecond
    return send
  }
}

extension API {
  /// Makes a send durable: its audience as it is now, by when each device is due.
  ///
  /// - Throws: ``APIError`` 422 where the call's `Idempotency-Key` was used for another request.
  func accept(_ send: Send, to audience: Audience, for call: Call) async throws -> Send {
    var send = send
    if send.throttlePerSecond == nil {
      send.throttlePerSecond = try await store.app(send.app)?.throttlePerSecond
    }
    if let key = call.request.header("Idempotency-Key") {
      let isPlain = key.utf8.allSatisfy { (0x21...0x7E).contains($0) }
      guard isPlain, (1...255).contains(key.utf8.count) else {
        throw APIError(422, "Idempotency-Key takes 1 to 255 letters, digits and marks of ASCII")
      }
      send.idempotencyKey = key
      let path = call.request.path.split(separator: "/").dropFirst().joined(separator: "/")
      send.fingerprint = OpenSSLCrypto.sha256(Array(path.utf8) + [0] + call.request.body)
    }
    let devices = try await audiences.devices(of: audience, at: clock.now())
    let segments =
      send.isLocalTime
      ? try await LocalTime(store: store, app: send.app).segments(
        of: devices, at: send.scheduledAt ?? send.createdAt)
      : [Segment(dueAt: send.scheduledAt ?? send.createdAt, devices: devices)]
    let stored = try await store(for: call, "notification.create", send.id)
      .accept(send, to: audience, segments: segments)
    guard stored.id != send.id else {
      accepted()
      return stored
    }
    guard stored.fingerprint == send.fingerprint else {
      throw APIError(422, "this Idempotency-Key was used for another request")
    }
    return stored
  }
}
