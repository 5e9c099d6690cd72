import PushModel

/// The report of a triggered campaign: the people at each step, and the results of each message.
struct EnrollmentReport: Sendable {
  struct Step: Sendable {
    var run: CampaignRun?
    var plan: CampaignPlan.Step
    /// The sums of the counts of the notifications, by variant.
    var counts: [String: Send.Counts] = [:]
    /// The sums of the counts of the in-app messages, by variant.
    var messages: [String: MessageCounts] = [:]

    /// The devices that opened a variant, among those for which APNs accepted its push or whose inbox got
    /// its message.
    func opens(of variant: String) -> Proportion {
      messages[variant].map { Proportion(opened: $0) }
        ?? Proportion(opened: counts[variant] ?? Send.Counts())
    }
  }

  var campaign: Campaign
  var counts: EnrollmentCounts
  var steps: [Step]

  /// Reads the report of a campaign, which is empty for a draft.
  ///
  /// - Throws: ``RequestError`` `.conflict` if the campaign is not triggered.
  init(of campaign: Campaign, at now: Timestamp, _ store: any PushStore) async throws {
    guard campaign.kind == .triggered else {
      throw RequestError(.conflict, "the campaign is not triggered; its runs have reports")
    }
    self.campaign = campaign
    let plan = try CampaignPlan(stored: campaign.document, at: now)
    counts =
      try await store.enrollmentCounts(ofCampaign: campaign.id, app: campaign.app)
      ?? EnrollmentCounts()
    let runs = try await store.runs(
      ofCampaign: campaign.id, app: campaign.app, limit: CampaignPlan.stepLimit)
    steps = []
    for (place, step) in plan.steps.enumerated() {
      var reported = Step(run: runs.first { $0.number == place + 1 }, plan: step)
      if let run = reported.run {
        reported.counts = try await store.counts(ofRun: run.id, app: campaign.app)
        reported.messages = try await store.messageCounts(ofRun: run.id, app: campaign.app)
      }
      steps.append(reported)
    }
  }

  var waiting: Int { counts.waiting.values.reduce(0, +) }

  /// The numbers of ended enrollments by their reasons, for the reasons that `isIncluded` accepts.
  func ended(_ isIncluded: (Enrollment.Outcome) -> Bool) -> [(reason: String, count: Int)] {
    Enrollment.Outcome.allCases.filter(isIncluded)
      .map { (reason: $0.rawValue, count: counts.count($0)) }.filter { $0.count > 0 }
  }

  /// The number of people who wait for a step; the first step includes those who are still to be checked.
  func waiting(forStep number: Int) -> Int {
    (counts.waiting[number] ?? 0) + (number == 1 ? counts.waiting[0] ?? 0 : 0)
  }
}
