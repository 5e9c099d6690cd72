import PushModel
import PushPayload

/// The checked document of a campaign: its messages, its audience and its schedule.
struct CampaignPlan: Sendable {
  struct Variant: Sendable {
    var key: String
    var name: String?
    /// The share of the audience in hundredths.
    var share: Int
    var content: Content
    /// Whether the payload is sent although `martlet lint` calls it an error.
    var isForced = false
    /// The version of the template that the payload comes from: `welcome@3`.
    var template: String?

    /// The payload with the campaign's parameters on its links; `nil` if the variant is an in-app message.
    var payload: BodyValue? { if case .push(let payload, _) = content { payload } else { nil } }
    /// The in-app message that is published in place of a push.
    var message: CampaignMessage? {
      if case .message(let message) = content { message } else { nil }
    }
    /// The payload as it was written.
    var written: JSONValue { if case .push(_, let written) = content { written } else { .null } }
  }

  /// The content of a variant.
  enum Content: Sendable {
    case push(BodyValue, written: JSONValue)
    case message(CampaignMessage)
  }

  /// A test: a sample gets the variants first, and the rest gets the winner.
  struct Test: Sendable {
    enum Metric: String, CaseIterable, Sendable { case opens, conversions }
    /// The choice for the rest if no variant is significantly better than all others.
    enum NoWinner: String, CaseIterable, Sendable {
      case best
      /// The first variant.
      case `default`
      case none
    }

    /// The share of the audience in hundredths.
    var sample: Int
    var metric: Metric
    /// The time after the start at which the winner is chosen; `nil` if a person chooses it.
    var decideAfter: Duration?
    var noWinner: NoWinner
  }

  /// A message of a triggered campaign; any other campaign has one step.
  struct Step: Sendable {
    /// The time since entering, or since the message before.
    var after: Duration
    var variants: [Variant]
    var control: Int

    var split: CampaignSplit { CampaignSplit(variants, control: control, sample: nil) }
  }

  /// An event that measures the success of the campaign.
  struct Goal: Sendable {
    var event: String
    /// The time after the start within which the event counts.
    var within: Duration
  }

  /// The key of the variant that is sent nothing.
  static let controlKey = "control"
  static let variantLimit = 10
  static let goalLimit = 4
  static let stepLimit = 10

  var target: Target
  /// The time at which the campaign is sent; `nil` if it is sent at once.
  var at: Timestamp?
  var isLocalTime: Bool
  /// Whether each device gets the campaign at its best time, within 24 hours of ``at``.
  var isBestTime: Bool
  /// The days of a recurring campaign; `nil` if the campaign is not recurring.
  var schedule: CampaignSchedule?
  /// The rule by which people enter a triggered campaign; `nil` if the campaign is not triggered.
  var rule: TriggerRule?
  var steps: [Step]
  /// The variants of the first step.
  var variants: [Variant]
  /// The share of the audience that is sent nothing, for comparison.
  var control: Int
  var test: Test?
  var goals: [Goal]
  var throttlePerSecond: Int?
  /// Whether the people of the app's holdout are left out.
  var obeysHoldout: Bool
  var limits: SendLimits
  /// The parameters for the links of the campaign's pushes; `nil` if the document has no `utm`.
  var utm: LinkParameters?

  var split: CampaignSplit { CampaignSplit(variants, control: control, sample: test?.sample) }

  /// Whether one of its payloads is sent although `martlet lint` calls it an error.
  var isForced: Bool { steps.contains { $0.variants.contains(where: \.isForced) } }

  /// Reads a document that was checked when it was saved, so that its times may be in the past.
  init(stored document: JSONValue, at now: Timestamp) throws(RequestError) {
    try self.init(BodyValue(document), at: now, isStored: true)
  }

  /// Reads the document in a request; `when.at` must not be before `now`.
  ///
  /// - Throws: ``RequestError`` with the path of the member that is refused.
  init(_ field: BodyValue, at now: Timestamp, isStored: Bool = false) throws(RequestError) {
    target = try Target(try field.required("to"))
    let when = field["when"]
    schedule = try when.flatMap { when throws(RequestError) in
      try when["every"].map { _ throws(RequestError) in try CampaignSchedule(when) }
    }
    rule = try when.flatMap { when throws(RequestError) in try TriggerRule(when) }
    let isTimed = schedule == nil && rule == nil
    let at = isTimed ? try when?.required("at") : nil
    isLocalTime = try isTimed ? when?["local_time"]?.bool() ?? false : false
    isBestTime = try isTimed ? when?["best_time"]?.bool() ?? false : false
    if isLocalTime, isBestTime, let when {
      throw .refused(
        when.path(to: "best_time"), "must not be with local_time, which is another time")
    }
    if let schedule, !isStored, schedule.firstDay(at: now) == nil {
      throw .refused(field.path(to: "when"), "has no day that is still to come")
    }
    if let at, try at.string() != "now" {
      guard let time = SendTiming.time(try at.string(), dropsOffset: isLocalTime) else {
        throw .refused(at.path, "must be \"now\" or an ISO 8601 date")
      }
      let last = isLocalTime ? time + SendTiming.lastZone : time
      if !isStored, last + SendTiming.lateness < now {
        throw .refused(at.path, "is in the past; use \"now\" to send at once")
      }
      self.at = time
    } else {
      self.at = nil
      if isLocalTime {
        throw .refused(at?.path ?? field.path(to: "when"), "must be a date with local_time")
      }
    }
    // A template's text depends on the time, so it may be too long later. The check at the sending finds that.
    utm = try field["utm"].map { value throws(RequestError) in try LinkParameters(value) }
    steps = try Self.steps(field, rule, adding: utm, composedAt: isStored ? nil : now)
    (variants, control) = (steps[0].variants, steps[0].control)
    goals = try field["goals"].map { value throws(RequestError) in try Self.goals(value) } ?? []
    test = try field["test"].map { value throws(RequestError) in try Test(value) }
    let limits = field["limits"]
    throttlePerSecond = try limits?["per_second"].map { value throws(RequestError) in
      Int(try value.integer(in: SendTiming.throttleRange))
    }
    obeysHoldout =
      try limits?["holdout"].map { value throws(RequestError) in
        try value.word(of: ["obey", "ignore"]) == "obey"
      } ?? true
    self.limits = try SendLimits(limits, isObedient: true)
    try checkMessages(field)
    if rule != nil {
      for name in ["test", "goals"] {
        if let value = field[name] {
          throw .refused(value.path, "cannot be in a triggered campaign")
        }
      }
    }
    if let test, let path = field["test"]?.path {
      guard !isLocalTime, !isBestTime, schedule?.zone != .device else {
        throw .refused(
          path,
          "cannot be with the time of each device: a test would end before the last of them were sent"
            + " to")
      }
      guard variants.count > 1 else { throw .refused(path, "needs two variants at least") }
      guard test.metric != .conversions || !goals.isEmpty else {
        throw .refused(path + ".metric", "needs a goal, whose event is what is compared")
      }
    }
  }
}

extension CampaignPlan.Test {
  fileprivate init(_ field: BodyValue) throws(RequestError) {
    sample = Int(try field.required("sample").integer(in: 1...99))
    metric =
      try field["metric"].map { value throws(RequestError) in
        Metric(rawValue: try value.word(of: Metric.allCases.map(\.rawValue))) ?? .opens
      } ?? .opens
    decideAfter = try field["decide_after"].map { value throws(RequestError) in try value.duration()
    }
    noWinner =
      try field["no_winner"].map { value throws(RequestError) in
        NoWinner(rawValue: try value.word(of: NoWinner.allCases.map(\.rawValue))) ?? .best
      } ?? .best
  }
}
