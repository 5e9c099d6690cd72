package import PushPayload

/// The conditions on which people enter and leave a triggered campaign.
package struct CampaignTrigger: Hashable, Sendable {
  /// The way in which a person enters.
  package enum Entry: Hashable, Sendable {
    case event(EventMatch)
    /// A device of the person enters an audience.
    case enters(audience: String)
    /// A device of the person leaves an audience.
    case leaves(audience: String)
    /// The app's server enrolls people with a request.
    case call
  }

  package var entry: Entry
  /// The events after which a waiting person leaves the campaign.
  package var exits: [EventMatch]
  /// The time after the last message until a person may enter again; `nil` if they may enter only once.
  package var againAfter: Duration?
  /// The time between entering and the first step.
  package var firstWait: Duration
  /// The step at which an enrollment begins: 1, or 0 if the audience is checked at entry.
  package var firstStep: Int
  /// The time at which the campaign was started; earlier events enroll nobody.
  package var since: Timestamp

  package init(
    _ entry: Entry, exits: [EventMatch] = [], againAfter: Duration? = nil,
    firstWait: Duration = .zero, firstStep: Int = 1, since: Timestamp
  ) {
    self.entry = entry
    self.exits = exits
    self.againAfter = againAfter
    self.firstWait = firstWait
    self.firstStep = firstStep
    self.since = since
  }

  /// The names of the events with which people enter or leave.
  var eventNames: Set<String> {
    var names = Set(exits.map(\.triggerName))
    if case .event(let match) = entry { names.insert(match.triggerName) }
    return names
  }

  /// Whether an event that arrives at a time enrolls its person.
  func enters(with event: DeviceEvent, at now: Timestamp) -> Bool {
    guard case .event(let match) = entry, match.triggerName == event.triggerName else {
      return false
    }
    return event.date ?? now >= since && match.matches(event)
  }

  /// Whether an event makes its person leave.
  func exits(with event: DeviceEvent) -> Bool {
    exits.contains { $0.triggerName == event.triggerName && $0.matches(event) }
  }
}

extension DeviceEvent {
  /// The name of the event in triggers, whichever version of the API recorded it.
  var triggerName: String {
    if case .event(let name) = Filter.Field.event(recordedAs: name) { name } else { name }
  }
}

extension EventMatch {
  /// The name of the event in triggers, whichever version of the API records it.
  package var triggerName: String { DeviceEvent(name: name).triggerName }
}

/// A trigger as it is stored.
extension CampaignTrigger {
  package var json: JSONValue {
    var members: [String: JSONValue] = [
      "exits": .array(exits.map(\.json)), "wait": .integer(firstWait.milliseconds),
      "step": .integer(Int64(firstStep)), "since": .integer(since.milliseconds),
    ]
    if let againAfter { members["again_after"] = .integer(againAfter.milliseconds) }
    switch entry {
    case .event(let match): members["event"] = match.json
    case .enters(let audience): members["enters"] = .string(audience)
    case .leaves(let audience): members["leaves"] = .string(audience)
    case .call: break
    }
    return .object(members)
  }

  /// Parses ``json``; `nil` if a member is unknown, missing or malformed.
  package init?(json: JSONValue) {
    let names: Set = ["exits", "wait", "step", "since", "again_after", "event", "enters", "leaves"]
    guard let members = json.members(among: names), json.mayHave("again_after", \.integer),
      let entry = Self.entry(members),
      let exits = members["exits"]?.array?.all(EventMatch.init(json:)),
      let wait = members["wait"]?.integer, let since = members["since"]?.integer,
      let step = members["step"]?.integer.flatMap({ Int(exactly: $0) })
    else { return nil }
    self.init(
      entry, exits: exits, againAfter: members["again_after"]?.integer.map { .milliseconds($0) },
      firstWait: .milliseconds(wait), firstStep: step, since: Timestamp(milliseconds: since))
  }

  private static func entry(_ members: [String: JSONValue]) -> Entry? {
    switch (members["event"], members["enters"], members["leaves"]) {
    case (let match?, nil, nil): EventMatch(json: match).map { .event($0) }
    case (nil, let audience?, nil): audience.string.map { .enters(audience: $0) }
    case (nil, nil, let audience?): audience.string.map { .leaves(audience: $0) }
    case (nil, nil, nil): .call
    default: nil
    }
  }
}

extension Duration {
  /// The whole milliseconds of the duration.
  package var milliseconds: Int64 {
    components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
  }
}
