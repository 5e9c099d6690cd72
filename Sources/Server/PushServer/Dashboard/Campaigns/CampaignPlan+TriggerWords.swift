import PushModel
import PushPayload

/// The description of a triggered campaign in sentences.
extension CampaignPlan {
  /// The quoted name of the audience that people enter or leave, or that it was deleted; `nil` if the trigger names none.
  func entryAudience(_ request: PageRequest) async throws -> String? {
    switch rule?.entry {
    case .enters(let id), .leaves(let id):
      let audience = try await request.router.store.audience(id, app: request.app.id)
      return audience.map { "“\($0.name ?? id)”" } ?? "an audience that was deleted"
    case .event, .call, nil: return nil
    }
  }

  /// The trigger and the times of the messages; `audience` is the name of the one that people enter or leave.
  func triggerInWords(_ audience: String?) -> String {
    triggerFacts(audience).map(\.text).joined(separator: " ")
  }

  /// The sentences of ``triggerInWords(_:)``, each with its heading.
  func triggerFacts(_ audience: String?) -> [(title: String, text: String)] {
    guard let rule else { return [] }
    let named = audience ?? "the audience"
    let entry =
      switch rule.entry {
      case .event(let match): "Whoever does \(match.words) enters."
      case .enters:
        "Whoever enters \(named) enters\(rule.includesCurrent ? ", and who is in it at the start" : "")."
      case .leaves: "Whoever leaves \(named) enters."
      case .call: "Whom the app's server names enters."
      }
    var facts = [("Who enters", entry), ("Messages", waits)]
    facts.append(
      (
        "What ends it",
        rule.exits.isEmpty
          ? "Nothing but the last message."
          : "Who does \(rule.exits.map(\.words).joined(separator: " or ")) gets no further message."
      ))
    facts.append(
      (
        "Entering again",
        rule.againAfter.map {
          "Again \(CampaignPeriod($0).words) after the last message at the earliest."
        } ?? "Once for each person."
      ))
    facts.append(
      (
        "Audience check",
        rule.checksAtSend
          ? "Only who is in the audience before each message gets it."
          : "Only who is in the audience when entering gets the messages."
      ))
    return facts
  }

  /// The times at which the messages are sent.
  private var waits: String {
    let waits = steps.enumerated().map { place, step in
      let wait = step.after == .zero ? "at once" : "after \(CampaignPeriod(step.after).words)"
      return place == 0 ? wait : "message \(place + 1) \(wait)"
    }
    return steps.count > 1
      ? "Message 1 \(waits[0]), then \(waits.dropFirst().joined(separator: ", then "))."
      : waits[0].prefix(1).uppercased() + waits[0].dropFirst() + "."
  }
}

extension EventMatch {
  /// The event with its conditions: “cart” with total at least 50.
  var words: String {
    guard !conditions.isEmpty else { return "“\(name)”" }
    return "“\(name)” with \(conditions.map(\.words).joined(separator: " and "))"
  }
}

extension EventCondition {
  fileprivate var words: String {
    let values = criteria.map { criterion -> String in
      switch criterion {
      case .equals(let value):
        return value.string.map { "“\($0)”" } ?? value.bool.map { String($0) }
          ?? value.integer.map { String($0) } ?? value.number.map { String($0) } ?? ""
      case .range(let bounds):
        return bounds.sorted { $0.key.rawValue < $1.key.rawValue }.map { comparison, bound in
          let number =
            bound.rounded() == bound && abs(bound) < 1e15 ? String(Int(bound)) : String(bound)
          return "\(comparison.words) \(number)"
        }.joined(separator: " and ")
      }
    }
    return "\(name) \(isNegated ? "not " : "")\(values.joined(separator: " or "))"
  }
}
