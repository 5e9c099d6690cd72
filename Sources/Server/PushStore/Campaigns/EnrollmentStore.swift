package import PushPayload

/// The people in triggered campaigns.
package protocol EnrollmentStore: Sendable {
  /// The triggers of the live campaigns of all apps.
  func liveTriggers() async throws(StoreError) -> [LiveTrigger]
  /// Leases the enrollments of a trigger that are due, for one node until a time; `nil` where none is
  /// due, or another node has leased them.
  ///
  /// The lease keeps nodes from doing the same work; ``advance(_:at:)`` does not depend on it.
  func leaseEnrollments(
    of trigger: LiveTrigger, at now: Timestamp, until end: Timestamp, limit: Int
  ) async throws(StoreError) -> [Enrollment]?
  /// Ends a lease, so that any node may take the next one.
  func releaseEnrollments(of trigger: LiveTrigger) async throws(StoreError)
  /// Has the audiences looked at soon that people of an app enter or leave, for many devices have
  /// changed.
  func lookSoon(app: String, at now: Timestamp) async throws(StoreError)
  /// The devices that a look at a trigger's audience had found before.
  func seen(by trigger: LiveTrigger) async throws(StoreError) -> DeviceNumbers
  /// Stores what a look has found with the enrollments that follow from it, in one transaction.
  ///
  /// - Returns: `false` where another node has looked meanwhile, or the campaign is not live, so that
  ///   nothing was changed.
  func store(_ look: AudienceLook, at now: Timestamp) async throws(StoreError) -> Bool
  /// Enrolls the people of some devices in a live campaign.
  ///
  /// - Returns: How many were enrolled, and the fingerprint of the first request with the key; `nil`
  ///   where there is no such campaign.
  /// - Throws: ``StoreError/Code/conflict`` where the campaign is not live, or not triggered.
  func enroll(
    _ call: EnrollmentCall, at now: Timestamp
  ) async throws(StoreError) -> (enrolled: Int, fingerprint: [UInt8])?
  /// The devices of some people that were not erased.
  func devices(
    of people: [Enrollment.Person], app: String
  ) async throws(StoreError) -> [Enrollment.Person: [UInt32]]
  /// Ends the enrollments of a campaign that has ended, at most `limit`.
  ///
  /// - Returns: Whether more may be left.
  func endEnrollments(
    of trigger: LiveTrigger, at now: Timestamp, limit: Int
  ) async throws(StoreError) -> Bool
  /// Moves enrollments on, and accepts the sends for their devices, in one transaction.
  ///
  /// An enrollment that has changed meanwhile is left as it is, and its devices get nothing.
  ///
  /// - Returns: How many were moved; `nil` where the campaign is not live, so that nothing was changed.
  func advance(_ change: EnrollmentChange, at now: Timestamp) async throws(StoreError) -> Int?
  /// The numbers of a campaign's enrollments, those that retention has removed included.
  func enrollmentCounts(
    ofCampaign id: String, app: String
  ) async throws(StoreError) -> EnrollmentCounts?
  /// The sums of the counts of a run's sends, by their variants.
  func counts(ofRun id: String, app: String) async throws(StoreError) -> [String: Send.Counts]
  /// The sums of the counts of a run's in-app messages, by their variants.
  func messageCounts(
    ofRun id: String, app: String
  ) async throws(StoreError) -> [String: MessageCounts]
  /// The last enrollment of a person in a campaign, with what the person got last.
  func enrollment(
    of person: Enrollment.Person, inCampaign id: String, app: String
  ) async throws(StoreError) -> LastEnrollment?
  /// What the events of a send's people said, by their devices.
  func eventData(
    ofSend id: String, app: String, devices: DeviceNumbers
  ) async throws(StoreError) -> [UInt32: JSONValue]
}

/// A trigger that enrolls people.
package struct LiveTrigger: Hashable, Sendable {
  package var app: String
  package var campaign: String
  /// The number by which enrollments name the trigger in their app.
  package var number: Int64
  package var trigger: CampaignTrigger
  /// What is stopped where a row of the campaign is damaged.
  package var work: DamagedWork
  /// Whether the campaign has ended, so that those who wait leave it.
  package var isEnding = false
  /// When the audience that people enter or leave is looked at; `nil` for any other trigger.
  package var lookAt: Timestamp?
  /// How often it was looked at.
  package var looks: Int64 = 0
}

/// What a look at the audience of a trigger has found.
package struct AudienceLook: Sendable {
  package var trigger: LiveTrigger
  /// The devices whose people are enrolled.
  package var enrolls: DeviceNumbers
  /// The devices that are in the audience, without those whose people are enrolled with a later look.
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
  /// The key by which a repeat of the request is recognized, and a hash of the request.
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
}

/// What becomes of enrollments whose step was due.
package struct EnrollmentChange: Sendable {
  /// What the devices of some moves get.
  package enum Delivery: Sendable {
    /// A send with the times at which devices get it; a personal one has texts that depend on what events said.
    case push(Send, segments: [Segment], isPersonal: Bool)
    case message(Message)
  }

  /// One enrollment.
  package struct Move: Sendable {
    package var old: Enrollment
    package var new: Enrollment
    /// The place among ``EnrollmentChange/deliveries`` of what is for the person.
    package var delivery: Int?
    /// The devices of the person that get it.
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
  /// What is sent or published to the devices of the moves that name it.
  package var deliveries: [Delivery] = []
  /// The audience of all deliveries, stored where it is new.
  package var audience: Audience

  package init(_ trigger: LiveTrigger, moves: [Move], audience: Audience) {
    self.trigger = trigger
    self.moves = moves
    self.audience = audience
  }
}

/// How many enrollments of a campaign there are.
package struct EnrollmentCounts: Hashable, Sendable {
  /// Those that wait, by their next step.
  package var waiting: [Int: Int] = [:]
  /// Those that are over, by the step that they ended at and the reason.
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
