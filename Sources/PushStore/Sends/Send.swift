package import PushPayload

/// One notification on its way to an audience.
package struct Send: Hashable, Sendable {
  package typealias State = SendLifecycle.State

  /// How many devices had which end, and what they reported.
  package struct Counts: Hashable, Sendable {
    package var targeted = 0
    package var sent = 0
    package var rejected = 0
    package var uninstalled = 0
    package var delivered = 0
    package var displayed = 0
    package var opened = 0
    /// Openings of the app that followed without a tap; see ``Attribution``.
    package var openedIndirectly = 0
    package init() {}

    /// Devices without an outcome yet.
    package var left: Int { targeted - sent - rejected - uninstalled }
  }

  /// The notification's id, which travels as `_nid`.
  package var id: String
  /// The id of the message around the notification: the outer id of the API's answer.
  package var messageID: String
  package var app: String
  package var audience: String
  /// The payload as the caller wrote it.
  package var payload: JSONValue
  package var state = State.scheduled
  package var createdAt: Timestamp
  package var startedAt: Timestamp?
  package var completedAt: Timestamp?
  package var counts = Counts()
  /// When the caller wants it sent; with ``isLocalTime``, by each device's own clock.
  package var scheduledAt: Timestamp?
  package var isLocalTime = false
  /// From when on no device is sent it any more.
  package var expiresAt: Timestamp?
  package var throttlePerSecond: Int?
  /// Names this send among repeats of its request, in its app.
  package var idempotencyKey: String?
  /// What tells the request from another one with the same key.
  package var fingerprint: [UInt8] = []
  /// The group of a transactional send, by which it is counted.
  package var group: String?
  /// Why it failed, or why the server paused it.
  package var failure: String?
  /// What Apple has said of devices so far, and what to make of it.
  package var tally = InvalidationGuard.Tally()
  package var suspicion = InvalidationGuard.Suspicion.none

  package init(
    id: String, messageID: String, app: String, audience: String, payload: JSONValue,
    createdAt: Timestamp
  ) {
    self.id = id
    self.messageID = messageID
    self.app = app
    self.audience = audience
    self.payload = payload
    self.createdAt = createdAt
  }
}

/// What the end of a batch came to, beside its outcomes.
package struct BatchEnd: Hashable, Sendable {
  /// Why it has paused the send.
  package var pause: String?
  /// Why it marked no device as gone although the send goes on.
  package var doubt: String?
  /// How many devices it would have marked as gone.
  package var unmarked = 0

  package init() {}
}

/// The devices of a send that are due at one time: one for a plain send, one for each offset from
/// UTC in local time.
package struct Segment: Hashable, Sendable {
  package var dueAt: Timestamp
  package var devices: DeviceNumbers

  package init(dueAt: Timestamp, devices: DeviceNumbers) {
    self.dueAt = dueAt
    self.devices = devices
  }
}

/// Some of a send's devices, held by one worker until its lease lapses.
package struct Batch: Sendable {
  /// A device that has no outcome yet and is due.
  package struct Target: Hashable, Sendable {
    package var number: UInt32
    package var id: String
    /// `nil` where the device was erased or has lost its token since the send was accepted.
    package var token: String?
    package var isDevelopment: Bool
    /// Whether what it is sent is to be sealed.
    package var hasKeys: Bool
    /// How often Apple has told it to come later.
    package var attempts = 0

    package init(
      number: UInt32, id: String, token: String?, isDevelopment: Bool, hasKeys: Bool = false
    ) {
      self.number = number
      self.id = id
      self.token = token
      self.isDevelopment = isDevelopment
      self.hasKeys = hasKeys
    }
  }

  /// The most devices in one batch.
  package static let limit = 1000

  package var id: Int64
  /// Which lease of the batch this is: one that has lapsed cannot finish it.
  package var lease: Int64
  /// How many leases ended without any outcome, up to this one.
  package var fruitlessAttempts: Int
  package var send: Send
  package var targets: [Target]

  package init(
    id: Int64, lease: Int64, fruitlessAttempts: Int, send: Send, targets: [Target]
  ) {
    self.id = id
    self.lease = lease
    self.fruitlessAttempts = fruitlessAttempts
    self.send = send
    self.targets = targets
  }
}
