package import PushPayload

/// The people in triggered campaigns.
package protocol EnrollmentStore: Sendable {
  /// The triggers of the live campaigns of all apps.
  func liveTriggers() async throws(StoreError) -> [LiveTrigger]
  /// Leases the due enrollments of a trigger until a time; `nil` if no enrollment is due, or another node has leased
  /// them.
  ///
  /// The lease keeps nodes from doing the same work. ``advance(_:at:)`` is correct without it.
  func leaseEnrollments(
    of trigger: LiveTrigger, at now: Timestamp, until end: Timestamp, limit: Int
  ) async throws(StoreError) -> [Enrollment]?
  /// Ends a lease, so that any node may take the next lease.
  func releaseEnrollments(of trigger: LiveTrigger) async throws(StoreError)
  /// Makes the looks at an app's trigger audiences due now, because many devices have changed.
  func lookSoon(app: String, at now: Timestamp) async throws(StoreError)
  /// The devices that the last look at a trigger's audience found.
  func seen(by trigger: LiveTrigger) async throws(StoreError) -> DeviceNumbers
  /// Stores the result of a look with the enrollments that follow from it, in one transaction.
  ///
  /// - Returns: `false` if another node has looked meanwhile, or the campaign is not live. Nothing is changed then.
  func store(_ look: AudienceLook, at now: Timestamp) async throws(StoreError) -> Bool
  /// Enrolls the people of some devices in a live campaign.
  ///
  /// - Returns: The number of enrolled people, and the fingerprint of the first request with the key; `nil` if the
  ///   campaign does not exist.
  /// - Throws: ``StoreError/Code/conflict`` if the campaign is not live, or not triggered.
  func enroll(
    _ call: EnrollmentCall, at now: Timestamp
  ) async throws(StoreError) -> (enrolled: Int, fingerprint: [UInt8])?
  /// The devices of some people, without erased ones.
  func devices(
    of people: [Enrollment.Person], app: String
  ) async throws(StoreError) -> [Enrollment.Person: [UInt32]]
  /// Ends the enrollments of a campaign that has ended, at most `limit`.
  ///
  /// - Returns: Whether more may be left.
  func endEnrollments(
    of trigger: LiveTrigger, at now: Timestamp, limit: Int
  ) async throws(StoreError) -> Bool
  /// Advances enrollments, and accepts the sends for their devices, in one transaction.
  ///
  /// An enrollment that has changed meanwhile stays as it is, and its devices get no push.
  ///
  /// - Returns: The number of advanced enrollments; `nil` if the campaign is not live. Nothing is changed then.
  func advance(_ change: EnrollmentChange, at now: Timestamp) async throws(StoreError) -> Int?
  /// The numbers of a campaign's enrollments, including those that retention has removed.
  func enrollmentCounts(
    ofCampaign id: String, app: String
  ) async throws(StoreError) -> EnrollmentCounts?
  /// The sums of the counts of a run's sends, by their variants.
  func counts(ofRun id: String, app: String) async throws(StoreError) -> [String: Send.Counts]
  /// The sums of the counts of a run's in-app messages, by their variants.
  func messageCounts(
    ofRun id: String, app: String
  ) async throws(StoreError) -> [String: MessageCounts]
  /// The last enrollment of a person in a campaign, with the last send or message for it.
  func enrollment(
    of person: Enrollment.Person, inCampaign id: String, app: String
  ) async throws(StoreError) -> LastEnrollment?
  /// The data of the events that enrolled a send's people, by their devices.
  func eventData(
    ofSend id: String, app: String, devices: DeviceNumbers
  ) async throws(StoreError) -> [UInt32: JSONValue]
}

/// A trigger that enrolls people.
package struct LiveTrigger: Hashable, Sendable {
  package var app: String
  package var campaign: String
  /// The number of the trigger in its app, by which enrollments refer to it.
  package var number: Int64
  package var trigger: CampaignTrigger
  /// The work to stop if a row of the campaign is damaged.
  package var work: DamagedWork
  /// Whether the campaign has ended, so that waiting people leave it.
  package var isEnding = false
  /// The time of the next look at the audience; `nil` if people do not enter by an audience.
  package var lookAt: Timestamp?
  /// The number of looks so far.
  package var looks: Int64 = 0

  package init(
    app: String, campaign: String, number: Int64, trigger: CampaignTrigger, work: DamagedWork,
    isEnding: Bool, lookAt: Timestamp?, looks: Int64
  ) {
    (self.app, self.campaign, self.number) = (app, campaign, number)
    (self.trigger, self.work, self.isEnding) = (trigger, work, isEnding)
    (self.lookAt, self.looks) = (lookAt, looks)
  }
}

/// The result of a look at the audience of a trigger.
package struct AudienceLook: Sendable {
  package var trigger: LiveTrigger
  /// The devices whose people are enrolled.
  package var enrolls: DeviceNumbers
  /// The devices in the audience, without those whose people a later look enrolls.
  package var seen: DeviceNumbers
  package var nextLook: Timestamp

  package init(
    _ trigger: LiveTrigger, enrolls: DeviceNumbers, seen: DeviceNumbers, nextLook: Timestamp
  ) {
    self.trigger = trigger
    self.enrolls = enrolls
    self.seen = seen
    self.nextLook = nextLook
  }
}

/// A request of the app's server that enrolls people.
package struct EnrollmentCall: Hashable, Sendable {
  package var campaign: String
  package var app: String
  package var devices: DeviceNumbers
  package var data: JSONValue?
  /// The idempotency key of the request, by which a repeat is recognized.
  package var key: String?
  package var fingerprint: [UInt8] = []

  package init(campaign: String, app: String, devices: DeviceNumbers, data: JSONValue?) {
    self.campaign = campaign
    self.app = app
    self.devices = devices
    self.data = data
  }
}

/// The last enrollment of a person in a campaign, with the last send or in-app message that was for it.
package struct LastEnrollment: Sendable {
  package var enrollment: Enrollment
  package var send: Send?
  package var message: Message?

  package init(enrollment: Enrollment, send: Send?, message: Message?) {
    (self.enrollment, self.send, self.message) = (enrollment, send, message)
  }
}

/// A change of enrollments whose steps are due.
package struct EnrollmentChange: Sendable {
  /// A send or an in-app message for the devices of some moves.
  package enum Delivery: Sendable {
    /// A send with the times at which devices get it. The texts of a personal send depend on the data of events.
    case push(Send, segments: [Segment], isPersonal: Bool)
    case message(Message)
  }

  /// The change of one enrollment.
  package struct Move: Sendable {
    package var old: Enrollment
    package var new: Enrollment
    /// The index in ``EnrollmentChange/deliveries`` of the person's delivery.
    package var delivery: Int?
    /// The devices of the person that get the delivery.
    package var devices: [UInt32]

    package init(
      from old: Enrollment, to new: Enrollment, delivery: Int? = nil, devices: [UInt32] = []
    ) {
      self.old = old
      self.new = new
      self.delivery = delivery
      self.devices = devices
    }
  }

  package var trigger: LiveTrigger
  package var moves: [Move]
  /// The sends and messages, each for the devices of the moves that name its index.
  package var deliveries: [Delivery] = []
  /// The audience of all deliveries, which is stored if it is new.
  package var audience: Audience

  package init(_ trigger: LiveTrigger, moves: [Move], audience: Audience) {
    self.trigger = trigger
    self.moves = moves
    self.audience = audience
  }
}

/// The numbers of a campaign's enrollments.
package struct EnrollmentCounts: Hashable, Sendable {
  /// The number of waiting enrollments, by their next step.
  package var waiting: [Int: Int] = [:]
  /// The number of ended enrollments, by their last step and the reason.
  package var ended: [Int: [Enrollment.Outcome: Int]] = [:]

  package init() {}

  package var total: Int {
    waiting.values.reduce(0, +) + ended.values.reduce(0) { $0 + $1.values.reduce(0, +) }
  }

  /// The number that ended for a reason, at any step.
  package func count(_ outcome: Enrollment.Outcome) -> Int {
    ended.values.reduce(0) { $0 + ($1[outcome] ?? 0) }
  }
}
