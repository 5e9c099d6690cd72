import Synchronization

/// The numbers of a client's connections, whatever pool they belong to.
final class ConnectionNumbers: Sendable {
  private let last = Atomic(-1)
  func next() -> Int { last.wrappingAdd(1, ordering: .relaxed).newValue }
}
