import PushModel
import PushPayload

/// The `when` of a triggered campaign, checked.
struct TriggerRule: Sendable {
  /// The members of `when` that make a campaign triggered; only one of them may be given.
  static let entries = ["trigger", "enters", "leaves"]
  /// The value of `trigger` that lets only the app's server enroll people.
  static let call = "api"
  static let exitLimit = 10
  static let conditionLimit = 10
  /// The shortest and the longest time after which a person may enter again.
  static let againRange = Duration.seconds(60) ... .seconds(720 * 86_400)

  var entry: CampaignTrigger.Entry
  var exits: [EventMatch]
  var againAfter: Duration?
  /// The time from entering to the first message.
  var after: Duration
  /// Whether the audience is checked before each message, rather than once at entry.
  var checksAtSend: Bool
  /// Whether the devices that are in the audience at the start enter the campaign.
  var includesCurrent: Bool

  /// Reads a `when`; `nil` if the campaign is not triggered.
  ///
  /// - Throws: ``RequestError`` with the path of the member that is refused.
  init?(_ when: BodyValue) throws(RequestError) {
    let given = Self.entries.filter { when[$0] != nil }
    guard let name = given.first, let field = when[name] else { return nil }
    for other in given.dropFirst() + [
      "at", "local_time", "best_time", "every", "from", "until", "missed",
    ] {
      if let value = when[other] {
        throw .refused(value.path, "must not be with \(name), which says when a person gets it")
      }
    }
    switch name {
    case "trigger" where field.value.string != nil:
      guard try field.string() == Self.call else {
        throw .refused(field.path, "must be an object with event, or \"\(Self.call)\"")
      }
      entry = .call
    case "trigger": entry = .event(try EventMatch(field))
    case "enters": entry = .enters(audience: try field.string())
    default: entry = .leaves(audience: try field.string())
    }
    includesCurrent = try when["current"]?.bool() ?? false
    if let current = when["current"], name != "enters" {
      throw .refused(current.path, "must be only with enters")
    }
    exits = try Self.exits(when["exit_on"], entry: entry)
    againAfter = try when["again_after"].map { value throws(RequestError) in
      try value.duration(in: Self.againRange, "one minute to 720 days")
    }
    after = try when["after"].map { value throws(RequestError) in try value.duration() } ?? .zero
    checksAtSend = try when["check_at_send"]?.bool() ?? true
  }

  private static func exits(
    _ field: BodyValue?, entry: CampaignTrigger.Entry
  ) throws(RequestError) -> [EventMatch] {
    guard let field else { return [] }
    var exits: [EventMatch] = []
    for element in try field.elements(upTo: exitLimit, of: "events") {
      let match = try EventMatch(element)
      if case .event(let trigger) = entry, trigger.triggerName == match.triggerName,
        match.conditions.isEmpty
      {
        throw .refused(
          element.path,
          "is the event that enrolls people, so they would leave at once when it happens again; give"
            + " it conditions with where")
      }
      exits.append(match)
    }
    return exits
  }

  /// The rule as the store keeps it, for a campaign that starts now.
  func trigger(at now: Timestamp) -> CampaignTrigger {
    CampaignTrigger(
      entry, exits: exits, againAfter: againAfter, firstWait: after,
      firstStep: checksAtSend ? 1 : 0, since: now)
  }
}

extension EventMatch {
  /// Reads an event with its conditions.
  fileprivate init(_ field: BodyValue) throws(RequestError) {
    let event = try field.required("event")
    let name = try event.string()
    guard Attribute.isName(name) else {
      throw .refused(event.path, "must be the name of an event")
    }
    var conditions: [EventCondition] = []
    let elements = try field["where"]?.elements(
      upTo: TriggerRule.conditionLimit, of: "conditions")
    for element in elements ?? [] { conditions.append(try EventCondition(element)) }
    self.init(name, where: conditions)
  }
}

extension EventCondition {
  fileprivate init(_ field: BodyValue) throws(RequestError) {
    let name = try field.required("name")
    let text = try name.string()
    guard (1...255).contains(text.unicodeScalars.count) else {
      throw .refused(name.path, "must name a member of the event's data, or be \"items\"")
    }
    let values = try field.required("criteria")
    let elements = try values.elements(upTo: 100)
    guard !elements.isEmpty else { throw .refused(values.path, "must have a value at least") }
    var criteria: [Criterion] = []
    for element in elements {
      guard let criterion = Criterion(json: element.value) else {
        throw .refused(
          element.path,
          "must be a text, a number, true or false, or bounds of a number: {\"gte\": 1}")
      }
      criteria.append(criterion)
    }
    self.init(text, criteria, isNegated: try field["not_filter"]?.bool() ?? false)
  }
}
