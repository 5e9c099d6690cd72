package import PushPayload

/// Campaigns and their runs.
package protocol CampaignStore: Sendable {
  func campaign(_ id: String, app: String) async throws(StoreError) -> Campaign?
  /// The document of a version of a campaign; `nil` where there is none.
  func document(
    ofCampaign id: String, version: Int, app: String
  ) async throws(StoreError) -> JSONValue?
  /// A page of an app's campaigns that meet a query, the newest first.
  ///
  /// - Throws: ``StoreError/Code/expiredCursor`` where the cursor is not one of this list.
  func campaigns(
    app: String, matching query: CampaignQuery, after cursor: String?, limit: Int
  ) async throws(StoreError) -> Page<Campaign>
  /// Adds a draft, or replaces the one with the same id and the version before.
  ///
  /// - Throws: ``StoreError/Code/conflict`` where another version is stored, or where the campaign
  ///   is no draft.
  func save(_ campaign: Campaign) async throws(StoreError)
  /// Adds a draft, once for each idempotency key; `nil` as the call adds it each time.
  ///
  /// - Returns: The campaign that an earlier call with the key has added, with that call's fingerprint;
  ///   `nil` where this one was added.
  func create(
    _ campaign: Campaign, with call: CampaignCall?
  ) async throws(StoreError) -> (campaign: Campaign, fingerprint: [UInt8])?
  /// The campaign that a request with an idempotency key has added, with the request's fingerprint.
  func campaign(
    addedWith key: String, app: String
  ) async throws(StoreError) -> (campaign: Campaign, fingerprint: [UInt8])?
  /// Submits, approves or rejects the version of a draft.
  ///
  /// - Returns: The campaign after the event; `nil` where there is none.
  /// - Throws: ``StoreError/Code/conflict`` where its state or version forbids the event,
  ///   ``StoreError/Code/forbidden`` where the actor would approve what it has submitted.
  func apply(
    _ event: CampaignApproval.Event, toCampaign id: String, app: String
  ) async throws(StoreError) -> Campaign?
  /// Applies an event to a campaign, its runs and their sends, in one transaction.
  ///
  /// `start` is what ``CampaignLifecycle/Event/start`` plans.
  ///
  /// - Returns: The campaign after the event; `nil` where there is none.
  /// - Throws: ``StoreError/Code/conflict`` where the campaign's state forbids the event, or where it
  ///   would start without the approval that the app requires.
  func apply(
    _ event: CampaignLifecycle.Event, toCampaign id: String, app: String, start: CampaignStart?,
    at now: Timestamp
  ) async throws(StoreError) -> Campaign?
  func run(_ id: String, app: String) async throws(StoreError) -> CampaignRun?
  /// The runs of a campaign, the newest first, from the one before a number.
  func runs(
    ofCampaign id: String, app: String, before number: Int?, limit: Int
  ) async throws(StoreError) -> [CampaignRun]
  /// The sends of a run, in the order in which they were accepted.
  func sends(ofRun id: String, app: String) async throws(StoreError) -> [Send]
  /// The messages of a run, in the order in which they were published.
  func messages(ofRun id: String, app: String) async throws(StoreError) -> [PublishedMessage]
  /// The devices of a group of a run.
  func devices(
    _ group: CampaignRun.Group, ofRun id: String, app: String
  ) async throws(StoreError) -> DeviceNumbers
  /// Runs of live campaigns for which something is to be done, those that are due the longest first.
  func dueRuns(at now: Timestamp, limit: Int) async throws(StoreError) -> [CampaignRun]
  /// Changes a run from what it was, with the sends, messages, groups of devices and next run that belong
  /// to the change, in one transaction. The campaign ends with the last of its runs.
  ///
  /// - Returns: The run; `nil` where its state, report or time has changed by now or its campaign is not
  ///   live, so that nothing was changed.
  func advance(
    _ run: CampaignRun, from old: CampaignRun, with change: RunChange, at now: Timestamp
  ) async throws(StoreError) -> CampaignRun?
  /// The live campaign of a run that was stopped because a row is not understood, and the number of its last run.
  ///
  /// - Returns: `nil` where the work is no run, or where another run of the campaign goes on.
  func campaign(
    ofStopped work: DamagedWork
  ) async throws(StoreError) -> (campaign: Campaign, lastRun: Int)?
  /// Adds the next run of a campaign none of whose runs goes on; without one the campaign ends.
  func goOn(
    _ campaign: Campaign, with next: CampaignRun?, at now: Timestamp
  ) async throws(StoreError)
  /// The person of each of some devices in their order: the id of its user, or its own where it has none.
  func people(
    app: String, numbers: DeviceNumbers
  ) async throws(StoreError) -> [(number: UInt32, person: String)]
  /// When the app was opened on each of some devices, in their order.
  func openHours(
    app: String, numbers: DeviceNumbers
  ) async throws(StoreError) -> [(number: UInt32, hours: OpenHours)]
  /// The devices on which an event happened last at a time or later.
  func devices(
    withEvent name: String, since time: Timestamp, among devices: DeviceNumbers, app: String
  ) async throws(StoreError) -> DeviceNumbers
  /// What holds for all campaigns of an app.
  func limits(app: String) async throws(StoreError) -> AppLimits
  /// Replaces what holds for all campaigns of an app.
  ///
  /// Without a frequency cap the pushes that were counted are forgotten.
  ///
  /// - Throws: ``StoreError`` with the code `conflict` if `old` is given and the limits are others by now.
  func setLimits(
    _ limits: AppLimits, app: String, replacing old: AppLimits?
  ) async throws(StoreError)
  /// The devices that have had as many pushes by a time as a rule allows.
  func capped(
    _ devices: DeviceNumbers, by caps: [FrequencyCap], app: String, at now: Timestamp
  ) async throws(StoreError) -> DeviceNumbers
  /// The pushes to a device that frequency caps count, the oldest first, with the ids of their sends.
  func pushes(
    to device: UInt32, app: String
  ) async throws(StoreError) -> [(send: String, time: Timestamp)]
}

extension CampaignStore {
  /// Applies an event, of which ``CampaignLifecycle/Event/start`` plans one run.
  package func apply(
    _ event: CampaignLifecycle.Event, toCampaign id: String, app: String, run: CampaignRun?,
    at now: Timestamp
  ) async throws(StoreError) -> Campaign? {
    try await apply(
      event, toCampaign: id, app: app, start: run.map { CampaignStart(runs: [$0]) }, at: now)
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

/// What the start of a campaign plans.
package struct CampaignStart: Sendable {
  /// The first run, or a run for each step of a triggered campaign.
  package var runs: [CampaignRun]
  /// What enrolls people; `nil` where the campaign is not triggered.
  package var trigger: CampaignTrigger?
  /// The devices that are in the audience which people enter or leave, and are not new to it.
  package var seen: DeviceNumbers?

  package init(
    runs: [CampaignRun], trigger: CampaignTrigger? = nil, seen: DeviceNumbers? = nil
  ) {
    self.runs = runs
    self.trigger = trigger
    self.seen = seen
  }
}

/// Which campaigns of an app a list has.
package struct CampaignQuery: Hashable, Sendable {
  /// A part of the campaign's name or of one of its labels, in any case.
  package var text: String
  package var label: String?
  package var state: CampaignLifecycle.State?

  package init(
    _ text: String = "", label: String? = nil, state: CampaignLifecycle.State? = nil
  ) {
    self.text = text
    self.label = label
    self.state = state
  }
}

/// What belongs to the change of a run.
package struct RunChange: Sendable {
  package var sends: [(send: Send, segments: [Segment])] = []
  package var messages: [(message: Message, devices: DeviceNumbers)] = []
  /// The audience of the sends and messages, stored where it is new.
  package var audience: Audience?
  /// The groups to store; an empty one is removed.
  package var groups: [CampaignRun.Group: DeviceNumbers] = [:]
  /// The run that follows in a recurring campaign, which is planned when this one begins or is
  /// skipped.
  package var next: CampaignRun?

  package init() {}
}

extension CampaignStore {
  /// Replaces what holds for all campaigns of an app, whatever it is.
  package func setLimits(_ limits: AppLimits, app: String) async throws(StoreError) {
    try await setLimits(limits, app: app, replacing: nil)
  }
}
