import PushPayload

/// The pushes of a phone in the order of their arrival, for tests that explain their failures.
package final class PhoneJournal: Sendable {
  private let traces = Locked<[PushTrace]>([])

  package init() {}

  package var pushes: [PushTrace] { traces.withLock { $0 } }

  func add(_ trace: PushTrace) { traces.withLock { $0.append(trace) } }
}
