package import PushPayload

/// One notification on its way to an audience.
package struct Send: Hashable, Sendable {
  package enum State: String, Sendable {
    case scheduled, sending, complete
  }

  /// How many devices had which end.
  package struct Counts: Hashable, Sendable {
    package var targeted = 0
    package var sent = 0
    package var rejected = 0
    package var uninstalled = 0
    package init() {}
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

/// Some of a send's devices, held by one worker until its lease lapses.
package struct Batch: Sendable {
  /// A device that has no outcome yet.
  package struct Target: Hashable, Sendable {
    /// The store's own number for the device.
    package var number: Int64
    package var id: String
    /// `nil` where the device was removed or has lost its token since the send was accepted.
    package var token: String?
    package var isDevelopment: Bool

    package init(number: Int64, id: String, token: String?, isDevelopment: Bool) {
      self.number = number
      self.id = id
      self.token = token
      self.isDevelopment = isDevelopment
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

/// How a send ended for one device.
package struct Outcome: Hashable, Sendable {
  package enum Result: String, Sendable {
    case sent, rejected, uninstalled
  }

  package var device: Int64
  package var result: Result
  /// The HTTP status of Apple's answer; `nil` where nothing was sent.
  package var status: Int?
  package var reason: String?
  package var apnsID: String
  package var time: Timestamp
  /// The token that was used: an answer about it says nothing about a newer one.
  package var token: String?
  /// Since when Apple knows the token to be gone, in a 410.
  package var goneSince: Timestamp?

  package init(
    device: Int64, result: Result, status: Int?, reason: String?, apnsID: String, time: Timestamp,
    token: String?, goneSince: Timestamp? = nil
  ) {
    self.device = device
    self.result = result
    self.status = status
    self.reason = reason
    self.apnsID = apnsID
    self.time = time
    self.token = token
    self.goneSince = goneSince
  }
}
