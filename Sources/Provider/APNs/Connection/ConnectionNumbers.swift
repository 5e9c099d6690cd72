import Synchronization

/// A counter for the numbers of a client's connections, which its pools share.
final class ConnectionNumbers: Sendable {
  private let last = Atomic(-1)
  func next() -> Int { last.wrappingAdd(1, ordering: .relaxed).newValue }
}
