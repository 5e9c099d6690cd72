import PushModel
import PushPayload

/// The fields of a trigger: the event or audience that enrolls people, and the events that end their wait.
extension CampaignForm {
  /// The ways in which people enter.
  enum Entry: String, CaseIterable, Sendable {
    case event, enters, leaves, api

    var title: String {
      switch self {
      case .event: "Whoever does something in the app"
      case .enters: "Whoever enters an audience"
      case .leaves: "Whoever leaves an audience"
      case .api: "Whom the app's server names"
      }
    }
  }

  /// The members of `when` that the fields of a trigger write.
  static let triggerMembers = [
    "trigger", "enters", "leaves", "current", "exit_on", "again_after", "after", "check_at_send",
  ]
  /// The prefix of the fields of the event that enrolls people.
  static let triggerPrefix = "trigger"

  static func exitPrefix(_ row: Int) -> String { "exit\(row)" }

  var entry: Entry { Entry(rawValue: self[.entry]) ?? .event }
  var triggerEvent: EventForm { EventForm(Self.triggerPrefix, in: form) }

  /// The events that end the wait, with their rows; empty rows are left out.
  var exits: [(row: Int, event: EventForm)] {
    (0..<TriggerRule.exitLimit).map { ($0, EventForm(Self.exitPrefix($0), in: form)) }
      .filter { !$0.1.isEmpty }
  }

  /// The row of exits after the last one that is filled in.
  private var nextExit: Int { min((exits.last?.row ?? -1) + 1, TriggerRule.exitLimit - 1) }

  /// The field of the event in the row of exits after the last one that is filled in.
  var nextExitField: String { EventForm.fieldName(Self.exitPrefix(nextExit), "event") }

  /// The number of rows of exits that the form shows: those up to the last one that is filled in, and the next one if it
  /// is the first, or if it gets the focus.
  func exitRowCount(focus: String?) -> Int {
    let filled = (exits.last?.row ?? -1) + 1
    return focus == nextExitField ? nextExit + 1 : max(filled, 1)
  }

  var againAfter: CampaignPeriod {
    CampaignPeriod(
      amount: self[.againAfter], unit: CampaignPeriod.Unit(rawValue: self[.againUnit]) ?? .days)
  }

  /// Fills the fields from the `when` of a document, or with the defaults if the campaign has no trigger yet.
  mutating func fillTrigger(_ rule: TriggerRule?, _ when: JSONValue? = nil) {
    let entry: Entry
    switch rule?.entry {
    case .event, nil: entry = .event
    case .enters(let audience):
      entry = .enters
      self[.entryAudience] = audience
    case .leaves(let audience):
      entry = .leaves
      self[.entryAudience] = audience
    case .call: entry = .api
    }
    self[.entry] = entry.rawValue
    if rule?.includesCurrent == true { self[.includesCurrent] = "on" }
    if let trigger = when?["trigger"], trigger.object != nil {
      EventForm(Self.triggerPrefix, stored: trigger).write(to: &self)
    }
    for (row, exit) in (when?["exit_on"]?.array ?? []).enumerated() {
      EventForm(Self.exitPrefix(row), stored: exit).write(to: &self)
    }
    let again = CampaignPeriod(rule?.againAfter ?? .seconds(7 * 86_400))
    self[.again] = rule?.againAfter == nil ? "never" : "after"
    (self[.againAfter], self[.againUnit]) = (again.amount, again.unit.rawValue)
    if rule?.checksAtSend ?? true { self[.checksAtSend] = "on" }
  }

  /// The members of `when` that the trigger sets.
  var trigger: [String: JSONValue] {
    var when: [String: JSONValue] = [:]
    switch entry {
    case .event: when["trigger"] = triggerEvent.json
    case .api: when["trigger"] = .string(TriggerRule.call)
    case .enters, .leaves: when[entry.rawValue] = .string(self[.entryAudience])
    }
    if entry == .enters, !self[.includesCurrent].isEmpty { when["current"] = true }
    if !isListed { when["after"] = steps[0].after.map { .string($0.iso8601) } }
    let exits = exits
    if !exits.isEmpty { when["exit_on"] = .array(exits.map(\.event.json)) }
    if self[.again] == "after" { when["again_after"] = .string(againAfter.iso8601) }
    if self[.checksAtSend].isEmpty { when["check_at_send"] = false }
    return when
  }

  var triggerProblems: [Remark] {
    var all: [Remark] = []
    switch entry {
    case .event: all += triggerEvent.problems("What people do")
    case .enters, .leaves:
      if self[.entryAudience].isEmpty {
        all.append(
          .refusal(
            "Choose the audience that people \(entry == .enters ? "enter" : "leave").",
            at: Field.entryAudience.rawValue))
      }
    case .api: break
    }
    for (row, exit) in exits {
      all += exit.problems("What ends it, \(row + 1)")
      if entry == .event, !exit.name.isEmpty, exit.name == triggerEvent.name,
        exit.conditions.isEmpty, exit.keptConditions.isEmpty
      {
        all.append(
          .refusal(
            "What ends it, \(row + 1): “\(exit.name)” is what enters people, so they would leave at once when it happens again. Give it a condition.",
            at: EventForm.fieldName(exit.prefix, "event")))
      }
    }
    if self[.again] == "after", !againAfter.isAllowed(60...720 * 86_400) {
      all.append(
        .refusal(
          "Again after: enter a time from 1 minute to 720 days.", at: Field.againAfter.rawValue))
    }
    return all
  }
}
