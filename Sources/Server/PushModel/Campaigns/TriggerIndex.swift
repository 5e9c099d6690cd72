import Synchronization

/// The triggers of an app's started campaigns, by the names of the events with which people enter or leave.
///
/// The row of an app has a version that differs after each change of its triggers. A transaction that records events reads the
/// version with the row that it locks, so it never uses outdated triggers, whichever node has changed them.
package final class TriggerIndex: Sendable {
  package struct Entry: Sendable {
    package var number: Int64
    package var trigger: CampaignTrigger
    /// Whether people can enter; nobody enters a paused campaign, but people still leave it.
    package var isLive: Bool

    package init(number: Int64, trigger: CampaignTrigger, isLive: Bool) {
      (self.number, self.trigger, self.isLive) = (number, trigger, isLive)
    }

    func enrolls(with event: DeviceEvent, at now: Timestamp) -> Bool {
      isLive && trigger.enters(with: event, at: now)
    }

    /// Whether an event may change an enrollment.
    func concerns(_ event: DeviceEvent, at now: Timestamp) -> Bool {
      trigger.exits(with: event) || enrolls(with: event, at: now)
    }
  }

  /// The triggers of one app.
  package struct Triggers: Sendable {
    private let byEvent: [String: [Entry]]

    package init(_ entries: [Entry]) {
      var byEvent: [String: [Entry]] = [:]
      for entry in entries {
        for name in entry.trigger.eventNames { byEvent[name, default: []].append(entry) }
      }
      self.byEvent = byEvent
    }

    package var isEmpty: Bool { byEvent.isEmpty }

    /// The triggers that name an event.
    package func entries(for event: DeviceEvent) -> [Entry] { byEvent[event.triggerName] ?? [] }
  }

  private let apps = Mutex<[Int64: (version: Int64, triggers: Triggers)]>([:])

  package init() {}

  /// The triggers of an app, which are read again if `version` is not the version in memory.
  package func triggers(
    ofApp app: Int64, version: Int64, read: () throws -> [Entry]
  ) throws -> Triggers {
    // An app with version 0 never had a trigger.
    guard version > 0 else { return Triggers([]) }
    if let known = apps.withLock({ $0[app] }), known.version == version { return known.triggers }
    let triggers = Triggers(try read())
    apps.withLock { $0[app] = (version, triggers) }
    return triggers
  }
}
