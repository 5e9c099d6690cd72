import PushPayload
import PushStore

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
  init(stored document: JSONValue, at now: Timestamp) throws(APIError) {
    try self.init(BodyValue(document), at: now, isStored: true)
  }

  /// Reads the document in a request; `when.at` must not be before `now`.
  ///
  /// - Throws: ``APIError`` with the path of the member that is refused.
  init(_ field: BodyValue, at now: Timestamp, isStored: Bool = false) throws(APIError) {
    target = try Target(try field.required("to"))
    let when = field["when"]
    schedule = try when.flatMap { when throws(APIError) in
      try when["every"].map { _ throws(APIError) in try CampaignSchedule(when) }
    }
    rule = try when.flatMap { when throws(APIError) in try TriggerRule(when) }
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
      guard let time = Timestamp(iso8601: try at.string()) else {
        throw .refused(at.path, "must be \"now\" or an ISO 8601 date")
      }
      if !isStored, time + SendTiming.lateness < now {
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
    utm = try field["utm"].map { value throws(APIError) in try LinkParameters(value) }
    steps = try Self.steps(field, rule, adding: utm, composedAt: isStored ? nil : now)
    (variants, control) = (steps[0].variants, steps[0].control)
    goals = try field["goals"].map { value throws(APIError) in try Self.goals(value) } ?? []
    test = try field["test"].map { value throws(APIError) in try Test(value) }
    let limits = field["limits"]
    throttlePerSecond = try limits?["per_second"].map { value throws(APIError) in
      Int(try value.integer(in: SendTiming.throttleRange))
    }
    obeysHoldout =
      try limits?["holdout"].map { value throws(APIError) in
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

  /// Reads the steps of a triggered campaign, or the variants of any other as its only step.
  private static func steps(
    _ field: BodyValue, _ rule: TriggerRule?, adding utm: LinkParameters?,
    composedAt now: Timestamp?
  ) throws(APIError) -> [Step] {
    guard let list = field["steps"] else {
      let (variants, control) = try variants(
        try field.required("variants"), adding: utm, composedAt: now)
      return [Step(after: rule?.after ?? .zero, variants: variants, control: control)]
    }
    guard let rule else { throw .refused(list.path, "must be only in a triggered campaign") }
    if let other = field["variants"] {
      throw .refused(other.path, "must not be with steps, each of which has its own")
    }
    guard rule.after == .zero else {
      throw .refused(field.path(to: "when") + ".after", "must be in the first step")
    }
    let elements = try list.elements(upTo: stepLimit, of: "steps")
    guard !elements.isEmpty else { throw .refused(list.path, "must have a step at least") }
    var steps: [Step] = []
    for element in elements {
      let after = try element["after"].map { value throws(APIError) in try value.duration() }
      guard let wait = after ?? (steps.isEmpty ? .zero : nil) else {
        throw .missing(element.path(to: "after"))
      }
      let (variants, control) = try variants(
        try element.required("variants"), adding: utm, composedAt: now)
      if let first = steps.first, first.control != control {
        throw .refused(
          element.path(to: "variants"),
          "must have the control of the first step, of the same share: people stay in it")
      }
      steps.append(Step(after: wait, variants: variants, control: control))
    }
    return steps
  }

  private static func variants(
    _ field: BodyValue, adding utm: LinkParameters?, composedAt now: Timestamp?
  ) throws(APIError) -> (variants: [Variant], control: Int) {
    let elements = try field.elements()
    guard (1...variantLimit + 1).contains(elements.count) else {
      throw .refused(field.path, "must have 1 to \(variantLimit) variants, and one for the control")
    }
    var variants: [Variant] = []
    var (control, total) = (0, 0)
    var keys: Set<String> = []
    for element in elements {
      let key = try element.required("key")
      let text = try key.string()
      guard text.wholeMatch(of: /[a-z0-9_-]{1,32}/) != nil else {
        throw .refused(key.path, "must be 1 to 32 of a-z, 0-9, _ and -")
      }
      guard keys.insert(text).inserted else { throw .refused(key.path, "is a key of two variants") }
      let share = Int(
        try element["share"]?.integer(in: 1...100) ?? (elements.count == 1 ? 100 : 0))
      guard share > 0 else { throw .missing(element.path(to: "share")) }
      total += share
      if text == controlKey {
        if let content = element["payload"] ?? element["template"] ?? element["message"] {
          throw .refused(content.path, "must not be: the control is sent nothing")
        }
        control = share
        continue
      }
      let isForced = try element["force"]?.bool() ?? false
      variants.append(
        Variant(
          key: text,
          name: try element["name"].map { value throws(APIError) in try SendNaming.name(value) },
          share: share,
          content: try content(of: element, adding: utm, isForced: isForced, composedAt: now),
          isForced: isForced,
          template: element["template"]?.value.string))
    }
    guard total == 100 else {
      throw .refused(field.path, "have shares of \(total) together, and must have 100")
    }
    guard !variants.isEmpty else { throw .refused(field.path, "must have one beside the control") }
    guard variants.count <= variantLimit else {
      throw .refused(field.path, "must have at most \(variantLimit) beside the control")
    }
    return (variants, control)
  }

  private static func content(
    of element: BodyValue, adding utm: LinkParameters?, isForced: Bool, composedAt now: Timestamp?
  ) throws(APIError) -> Content {
    if let message = element["message"] {
      if let other = element["template"] ?? element["payload"] {
        throw .refused(other.path, "must not be with a message, which takes its place")
      }
      return .message(try CampaignMessage(message, adding: utm))
    }
    let written = try element.required("payload")
    let payload = try utm?.added(to: written) ?? written
    if let now { try payload.judged(at: now, isForced: isForced) }
    return .push(payload, written: written.value)
  }

  private static func goals(_ field: BodyValue) throws(APIError) -> [Goal] {
    let elements = try field.elements()
    guard elements.count <= goalLimit else {
      throw .refused(field.path, "must have at most \(goalLimit) goals")
    }
    var goals: [Goal] = []
    for element in elements {
      let event = try element.required("event")
      let name = try event.string()
      guard Attribute.isName(name) else {
        throw .refused(event.path, "must be the name of an event")
      }
      guard !goals.contains(where: { $0.event == name }) else {
        throw .refused(event.path, "must differ from the events of the other goals")
      }
      let within = try element["within"].map { value throws(APIError) in try value.duration() }
      goals.append(Goal(event: name, within: within ?? .seconds(3 * 24 * 3600)))
    }
    return goals
  }
}

extension CampaignPlan.Test {
  fileprivate init(_ field: BodyValue) throws(APIError) {
    sample = Int(try field.required("sample").integer(in: 1...99))
    metric =
      try field["metric"].map { value throws(APIError) in
        Metric(rawValue: try value.word(of: Metric.allCases.map(\.rawValue))) ?? .opens
      } ?? .opens
    decideAfter = try field["decide_after"].map { value throws(APIError) in try value.duration() }
    noWinner =
      try field["no_winner"].map { value throws(APIError) in
        NoWinner(rawValue: try value.word(of: NoWinner.allCases.map(\.rawValue))) ?? .best
      } ?? .best
  }
}

extension BodyValue {
  /// Reads a text that must be one of `words`.
  func word(of words: [String]) throws(APIError) -> String {
    let word = try string()
    guard words.contains(word) else {
      throw .refused(path, "must be one of \(words.joined(separator: ", "))")
    }
    return word
  }

  /// Reads a duration in ISO 8601 of weeks, days, hours, minutes and seconds: `PT4H`, `P3D`.
  ///
  /// `limits` describes `range` in the error message.
  func duration(
    in range: ClosedRange<Duration> = .seconds(60) ... .seconds(2_592_000),
    _ limits: String = "one minute to 30 days"
  ) throws(APIError) -> Duration {
    guard let duration = Self.duration(of: try string()) else {
      throw .refused(path, "must be an ISO 8601 duration such as PT4H or P3D")
    }
    guard range.contains(duration) else { throw .refused(path, "must be from \(limits)") }
    return duration
  }

  /// Parses a duration in ISO 8601; `nil` if the text has another form.
  static func duration(of text: String) -> Duration? {
    let pattern =
      /P(?:(\d{1,4})W)?(?:(\d{1,4})D)?(?:T(?:(\d{1,4})H)?(?:(\d{1,5})M)?(?:(\d{1,7})S)?)?/
    guard let match = text.wholeMatch(of: pattern)?.output,
      text.hasSuffix("P") == false, text.hasSuffix("T") == false
    else { return nil }
    let parts: [(Substring?, Int)] = [
      (match.1, 7 * 86_400), (match.2, 86_400), (match.3, 3600), (match.4, 60), (match.5, 1),
    ]
    let seconds = parts.reduce(0) { $0 + (($1.0.flatMap { Int($0) }) ?? 0) * $1.1 }
    return .seconds(seconds)
  }
}
