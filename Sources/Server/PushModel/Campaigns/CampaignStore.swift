package import PushPayload

/// Campaigns and their runs.
package protocol CampaignStore: Sendable {
  func campaign(_ id: String, app: String) async throws(StoreError) -> Campaign?
  /// The document of a version of a campaign; `nil` if the version does not exist.
  func document(
    ofCampaign id: String, version: Int, app: String
  ) async throws(StoreError) -> JSONValue?
  /// A page of an app's campaigns that match a query, the newest first.
  ///
  /// - Throws: ``StoreError/Code/expiredCursor`` if the cursor is not one of this list.
  func campaigns(
    app: String, matching query: CampaignQuery, after cursor: String?, limit: Int
  ) async throws(StoreError) -> Page<Campaign>
  /// Adds a draft, or replaces its previous version.
  ///
  /// - Throws: ``StoreError/Code/conflict`` if a different version is stored, or the campaign is not a draft.
  func save(_ campaign: Campaign) async throws(StoreError)
  /// Adds a draft once for each idempotency key or, if `call` is `nil`, each time.
  ///
  /// - Returns: The campaign that an earlier call with the key added, with that call's fingerprint; `nil` if this
  ///   call added the draft.
  func create(
    _ campaign: Campaign, with call: CampaignCall?
  ) async throws(StoreError) -> (campaign: Campaign, fingerprint: [UInt8])?
  /// The campaign that a request with an idempotency key added, with the request's fingerprint.
  func campaign(
    addedWith key: String, app: String
  ) async throws(StoreError) -> (campaign: Campaign, fingerprint: [UInt8])?
  /// Submits, approves or rejects a version of a draft.
  ///
  /// - Returns: The campaign after the event; `nil` if the campaign does not exist.
  /// - Throws: ``StoreError/Code/conflict`` if its state or version forbids the event, ``StoreError/Code/forbidden``
  ///   if the actor would approve its own submission.
  func apply(
    _ event: CampaignApproval.Event, toCampaign id: String, app: String
  ) async throws(StoreError) -> Campaign?
  /// Applies an event to a campaign, its runs and their sends, in one transaction.
  ///
  /// `start` is the plan for ``CampaignLifecycle/Event/start``.
  ///
  /// - Returns: The campaign after the event; `nil` if the campaign does not exist.
  /// - Throws: ``StoreError/Code/conflict`` if the campaign's state forbids the event, or if it would start without
  ///   the approval that the app requires.
  func apply(
    _ event: CampaignLifecycle.Event, toCampaign id: String, app: String, start: CampaignStart?,
    at now: Timestamp
  ) async throws(StoreError) -> Campaign?
  func run(_ id: String, app: String) async throws(StoreError) -> CampaignRun?
  /// The runs of a campaign with numbers below `number`, the newest first.
  func runs(
    ofCampaign id: String, app: String, before number: Int?, limit: Int
  ) async throws(StoreError) -> [CampaignRun]
  /// The campaigns with some ids, in no order.
  func campaigns(_ ids: [String], app: String) async throws(StoreError) -> [Campaign]
  /// The last two runs of each campaign, in no order.
  func lastRuns(ofCampaigns ids: [String], app: String) async throws(StoreError) -> [CampaignRun]
  /// The sends of some runs, in the order in which they were accepted.
  func sends(ofRuns ids: [String], app: String) async throws(StoreError) -> [Send]
  /// The messages of a run, in the order in which they were published.
  func messages(ofRun id: String, app: String) async throws(StoreError) -> [PublishedMessage]
  /// The devices of a group of a run.
  func devices(
    _ group: CampaignRun.Group, ofRun id: String, app: String
  ) async throws(StoreError) -> DeviceNumbers
  /// The due runs of live campaigns, the longest due first.
  func dueRuns(at now: Timestamp, limit: Int) async throws(StoreError) -> [CampaignRun]
  /// Changes a run, and adds the sends, messages, groups of devices and next run of the change, in one transaction.
  /// The campaign ends with the last of its runs.
  ///
  /// - Returns: The run; `nil` if its state, report or time differs from `old`, or its campaign is not live. Nothing
  ///   is changed then.
  func advance(
    _ run: CampaignRun, from old: CampaignRun, with change: RunChange, at now: Timestamp
  ) async throws(StoreError) -> CampaignRun?
  /// The live campaign of a run that was stopped because of a damaged row, and the number of its last run.
  ///
  /// - Returns: `nil` if the work is not a run, the campaign is not live, or another of its runs goes on.
  func campaign(
    ofStopped work: DamagedWork
  ) async throws(StoreError) -> (campaign: Campaign, lastRun: Int)?
  /// Adds the next run of a campaign whose runs are all over, or ends the campaign if `next` is `nil`.
  func goOn(
    _ campaign: Campaign, with next: CampaignRun?, at now: Timestamp
  ) async throws(StoreError)
  /// The person of each device, in order: the id of the device's user or, without a user, of the device.
  func people(
    app: String, numbers: DeviceNumbers
  ) async throws(StoreError) -> [(number: UInt32, person: String)]
  /// The hours in which the app was opened on each device, in order.
  func openHours(
    app: String, numbers: DeviceNumbers
  ) async throws(StoreError) -> [(number: UInt32, hours: OpenHours)]
  /// The devices on which an event last happened at or after a time.
  func devices(
    withEvent name: String, since time: Timestamp, among devices: DeviceNumbers, app: String
  ) async throws(StoreError) -> DeviceNumbers
  /// The limits of all campaigns of an app.
  func limits(app: String) async throws(StoreError) -> AppLimits
  /// Replaces the limits of all campaigns of an app.
  ///
  /// Without a frequency cap, the counted pushes are forgotten.
  ///
  /// - Throws: ``StoreError/Code/conflict`` if `old` is given and the stored limits differ from it.
  func setLimits(
    _ limits: AppLimits, app: String, replacing old: AppLimits?
  ) async throws(StoreError)
  /// The devices that have had as many pushes as a rule allows at a time.
  func capped(
    _ devices: DeviceNumbers, by caps: [FrequencyCap], app: String, at now: Timestamp
  ) async throws(StoreError) -> DeviceNumbers
  /// The pushes to a device that frequency caps count, the oldest first, with the ids of their sends.
  func pushes(
    to device: UInt32, app: String
  ) async throws(StoreError) -> [(send: String, time: Timestamp)]
}

extension CampaignStore {
  /// Applies an event; ``CampaignLifecycle/Event/start`` plans one run.
  package func apply(
    _ event: CampaignLifecycle.Event, toCampaign id: String, app: String, run: CampaignRun?,
    at now: Timestamp
  ) async throws(StoreError) -> Campaign? {
    try await apply(
      event, toCampaign: id, app: app, start: run.map { CampaignStart(runs: [$0]) }, at: now)
  }

  /// The sends of a run, in the order in which they were accepted.
  package func sends(ofRun id: String, app: String) async throws(StoreError) -> [Send] {
    try await sends(ofRuns: [id], app: app)
  }

  /// The newest runs of a campaign, the newest first.
  package func runs(
    ofCampaign id: String, app: String, limit: Int
  ) async throws(StoreError) -> [CampaignRun] {
    try await runs(ofCampaign: id, app: app, before: nil, limit: limit)
  }
}

/// The idempotency key of a request that adds a campaign, with a hash of the request.
package struct CampaignCall: Hashable, Sendable {
  package var key: String
  package var fingerprint: [UInt8]

  package init(key: String, fingerprint: [UInt8]) {
    (self.key, self.fingerprint) = (key, fingerprint)
  }
}

/// The plan for the start of a campaign.
package struct CampaignStart: Sendable {
  /// The first run, or one run for each step of a triggered campaign.
  package var runs: [CampaignRun]
  /// The trigger that enrolls people; `nil` if the campaign is not triggered.
  package var trigger: CampaignTrigger?
  /// The devices that are in the trigger's audience at the start and therefore do not enter it.
  package var seen: DeviceNumbers?
  /// Whether the campaign starts only if its version is approved, whatever the app's limits say.
  package var needsApproval = false

  package init(
    runs: [CampaignRun], trigger: CampaignTrigger? = nil, seen: DeviceNumbers? = nil
  ) {
    self.runs = runs
    self.trigger = trigger
    self.seen = seen
  }
}

/// A query for the campaigns of an app.
package struct CampaignQuery: Hashable, Sendable {
  /// An order of the list.
  package enum Order: String, CaseIterable, Sendable { case newest, oldest, name }

  /// A part of the campaign's name or of one of its labels, ignoring case.
  package var text: String
  package var label: String?
  package var state: CampaignLifecycle.State?
  package var kind: Campaign.Kind?
  /// Whether a version of the campaign was submitted for approval.
  package var isSubmitted = false
  package var order = Order.newest

  package init(
    _ text: String = "", label: String? = nil, state: CampaignLifecycle.State? = nil
  ) {
    self.text = text
    self.label = label
    self.state = state
  }
}

/// The objects that belong to the change of a run.
package struct RunChange: Sendable {
  package var sends: [(send: Send, segments: [Segment])] = []
  package var messages: [(message: Message, devices: DeviceNumbers)] = []
  /// The audience of the sends and messages, which is stored if it is new.
  package var audience: Audience?
  /// The groups to store; an empty one is removed.
  package var groups: [CampaignRun.Group: DeviceNumbers] = [:]
  /// The next run of a recurring campaign, which is planned when this one begins or is skipped.
  package var next: CampaignRun?

  package init() {}
}

extension CampaignStore {
  /// Replaces the limits of all campaigns of an app, whatever they are.
  package func setLimits(_ limits: AppLimits, app: String) async throws(StoreError) {
    try await setLimits(limits, app: app, replacing: nil)
  }
}
