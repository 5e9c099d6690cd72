package import PushPayload

/// One notification to an audience.
package struct Send: Hashable, Sendable {
  package typealias State = SendLifecycle.State

  /// The numbers of devices by outcome and receipt.
  package struct Counts: Hashable, Sendable {
    package var targeted = 0
    package var sent = 0
    package var rejected = 0
    package var uninstalled = 0
    /// The rejected devices that were held back by quiet hours.
    package var quiet = 0
    /// The rejected devices that were held back by frequency caps.
    package var capped = 0
    package var delivered = 0
    package var displayed = 0
    package var opened = 0
    /// Openings of the app that are credited to the send without a tap; see ``Attribution``.
    package var openedIndirectly = 0
    package init() {}

    /// The number of devices without an outcome.
    package var left: Int { targeted - sent - rejected - uninstalled }
  }

  /// The relation of a send to frequency caps.
  package struct Capping: OptionSet, Hashable, Sendable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }

    /// A device that has had as many pushes as a rule allows gets no push of this send.
    package static let obeys = Capping(rawValue: 1)
    /// The pushes of the send count toward frequency caps.
    package static let counts = Capping(rawValue: 2)
    /// The options that this version knows.
    package static let known: Capping = [.obeys, .counts]
  }

  /// The campaign, run and variant that a send belongs to.
  package struct RunOrigin: Hashable, Sendable {
    package var campaign: String
    package var run: String
    package var phase: CampaignRun.Phase
    /// The key of the variant whose payload the send has.
    package var variant: String

    package init(campaign: String, run: String, phase: CampaignRun.Phase, variant: String) {
      self.campaign = campaign
      self.run = run
      self.phase = phase
      self.variant = variant
    }
  }

  /// The notification's id, which is the payload's `_nid`.
  package var id: String
  /// The id of the message that contains the notification, the outer id of the API's answer.
  package var messageID: String
  package var app: String
  package var audience: String
  /// The payload, as the client sent it.
  package var payload: JSONValue
  package var state = State.scheduled
  package var createdAt: Timestamp
  package var startedAt: Timestamp?
  package var completedAt: Timestamp?
  package var counts = Counts()
  /// The time at which the send is due; with ``isLocalTime``, in each device's local time.
  package var scheduledAt: Timestamp?
  package var isLocalTime = false
  /// The time at which the send ends, whether or not it is complete.
  package var expiresAt: Timestamp?
  package var throttlePerSecond: Int?
  /// The class that the caller has named; `nil` if the number of devices decides.
  package var namedClass: SendClass?
  /// The idempotency key, unique in the app, by which a repeat of the request is recognized.
  package var idempotencyKey: String?
  /// A hash of the request, which tells a repeat from another request with the same key.
  package var fingerprint: [UInt8] = []
  /// The team's name for the notification, which devices do not get.
  package var name: String?
  package var labels: [String] = []
  /// The run of a campaign that made the send; `nil` if the send is not part of a campaign.
  package var origin: RunOrigin?
  package var capping: Capping = []
  /// The quiet hours with which the notification was accepted; `nil` if it has none, or if a campaign has made it.
  package var quietHours: QuietHours?
  /// The group of a transactional send, for statistics.
  package var group: String?
  /// The reason for which the send failed, or for which the server paused it.
  package var failure: String?
  /// The answers of APNs so far, for ``InvalidationGuard``.
  package var tally = InvalidationGuard.Tally()
  package var suspicion = InvalidationGuard.Suspicion.none
  /// The push to a Live Activity; `nil` if the send is a notification.
  package var activity: ActivityPush?
  /// The `traceparent` of the request that made the send; `nil` if the request is not recorded.
  package var trace: String?

  /// The number of devices that got no push before the send expired.
  ///
  /// Only an expired send is complete while devices have no outcome.
  package var expiredCount: Int { state == .complete ? max(0, counts.left) : 0 }

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

  /// Whether no push of the send may go out any more.
  package func hasExpired(at now: Timestamp) -> Bool { expiresAt.map { $0 <= now } ?? false }
}

/// The consequences of a batch's outcomes.
package struct BatchEnd: Hashable, Sendable {
  /// The reason for which the batch paused its send, or which it gave to a pause; `nil` if it found no new one.
  package var pause: String?
  /// The reason for which the batch marked no device as gone although its send goes on; `nil` if its outcomes are
  /// plausible.
  package var doubt: String?
  /// The number of devices that the batch would have marked as gone without the doubt.
  package var unmarked = 0
  /// Whether this batch completed the send.
  package var isComplete = false

  package init() {}
}

/// The devices of a send that are due at one time.
///
/// A send has one segment or, in local time and with quiet hours, one for each offset from UTC.
package struct Segment: Hashable, Sendable {
  package var dueAt: Timestamp
  package var devices: DeviceNumbers
  /// The times in which nothing is sent to the devices; `nil` if the send obeys no quiet hours.
  package var quiet: QuietWindows?

  package init(dueAt: Timestamp, devices: DeviceNumbers, quiet: QuietWindows? = nil) {
    self.dueAt = dueAt
    self.devices = devices
    self.quiet = quiet
  }
}

/// A part of a send's devices, leased to one worker until the lease lapses.
package struct Batch: Sendable {
  /// A device that is due and has no outcome yet.
  package struct Target: Hashable, Sendable {
    package var number: UInt32
    package var id: String
    /// The push token; `nil` if the device was erased or no longer has a valid token.
    package var token: String?
    package var isDevelopment: Bool
    /// Whether the device has keys with which its payload must be encrypted.
    package var hasKeys: Bool
    /// Whether APNs refused the app's key in its last answer for the device.
    package var isKeyRefused = false
    /// The number of times that APNs has asked to send to the device later.
    package var attempts = 0
    /// The limit that holds the push back; `nil` if the push may be sent.
    package var limit: SendLimit?

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
  ///
  /// A batch costs two commits and about twenty statements, whatever its size. After a crash, the pushes of a batch
  /// without an outcome are sent again.
  package static let limit = 2000

  package var id: Int64
  package var app: App
  /// The number of the app in the store.
  package var appNumber: Int64
  /// The number of this lease; a lapsed lease cannot finish the batch.
  package var lease: Int64
  /// The number of consecutive leases before this one that ended without an outcome.
  package var fruitlessAttempts: Int
  package var send: Send
  package var targets: [Target]
  /// The devices whose push an earlier lease has counted against frequency caps, since it may have arrived.
  package var counted = DeviceNumbers()
  /// Whether this lease is the first of its send.
  package var isFirst = false

  package init(
    id: Int64, app: App, appNumber: Int64, lease: Int64, fruitlessAttempts: Int, send: Send,
    targets: [Target]
  ) {
    self.id = id
    self.app = app
    self.appNumber = appNumber
    self.lease = lease
    self.fruitlessAttempts = fruitlessAttempts
    self.send = send
    self.targets = targets
  }
}
