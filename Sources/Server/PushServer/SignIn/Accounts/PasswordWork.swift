import Dispatch
import NetworkAddresses
import PushModel
import Synchronization
import _OpenSSLCrypto

/// Computes password hashes one at a time, on a thread of its own.
///
/// A hash takes much memory and time by design, and must not slow down other requests.
final class PasswordWork: Sendable {
  /// The error if so many callers wait that the hash is refused.
  struct Busy: Error {}

  /// A caller that waits for a hash.
  struct Caller: Hashable, Sendable {
    /// The largest network of the address that one customer of a provider may have.
    var network: String
    /// Whether the person is signed in, or has signed in with this browser before.
    var isKnown: Bool

    init(address: String, isKnown: Bool) {
      let networks = NumericAddress.networks(of: address)
      network = networks[networks.count - 1]
      self.isKnown = isKnown
    }

    /// A person who is signed in or has a link.
    static let known = Caller(address: "", isKnown: true)
  }

  private struct State {
    var line = PasswordLine(limit: PasswordWork.limit)
    var isWorking = false
    var waiting: [Int: CheckedContinuation<Void, any Error>] = [:]
    var nextID = 0
  }

  /// The most waiting hashes of known browsers, and also the most of all others.
  static let limit = 16

  let cost: ScryptCost
  private let queue = DispatchQueue(label: "martlet.passwords")
  private let state = Mutex(State())
  private let nothing: PasswordHash

  init(cost: ScryptCost) {
    self.cost = cost
    nothing = PasswordHash(ofNothingAt: cost)
  }

  func hash(_ password: String) async throws -> PasswordHash {
    let cost = cost
    return try await run(for: .known) { try PasswordHash(of: password, cost: cost) }
  }

  /// Whether a password is that of an account; without an account, the same work is done for `false`.
  func matches(_ password: String, _ account: Account?, for caller: Caller) async throws -> Bool {
    // No account has a longer password, and hashing one would take unbounded work.
    guard password.utf8.count <= PasswordRules.maximumBytes else { return false }
    let stored = account?.password.flatMap { PasswordHash($0) }
    let hash = stored ?? nothing
    let isEqual = try await run(for: caller) { try hash.matches(password) }
    return isEqual && stored != nil
  }

  /// Whether the hash of an account has a different cost than new hashes have.
  func isOutdated(_ account: Account) -> Bool {
    account.password.flatMap { PasswordHash($0) }.map { $0.cost != cost } ?? false
  }

  /// The number of hashes that wait or are being computed.
  var waitingCount: Int { state.withLock { $0.line.count + ($0.isWorking ? 1 : 0) } }

  /// Runs the body when its turn comes; throws ``Busy`` if too many callers wait.
  func run<T: Sendable>(
    for caller: Caller, _ body: @escaping @Sendable () throws -> T
  ) async throws -> T {
    try await waitForTurn(caller)
    defer { endTurn() }
    return try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Result { try body() }) }
    }
  }

  private func waitForTurn(_ caller: Caller) async throws {
    try await withCheckedThrowingContinuation { continuation in
      let (refused, begins) = state.withLock { state in
        guard state.isWorking else {
          state.isWorking = true
          return (nil as CheckedContinuation<Void, any Error>?, true)
        }
        let id = state.nextID
        state.nextID += 1
        switch state.line.add(id, of: caller) {
        case .refused: return (continuation, false)
        case .taken:
          state.waiting[id] = continuation
          return (nil, false)
        case .takenInPlace(of: let other):
          state.waiting[id] = continuation
          return (state.waiting.removeValue(forKey: other), false)
        }
      }
      refused?.resume(throwing: Busy())
      if begins { continuation.resume() }
    }
  }

  private func endTurn() {
    let next = state.withLock { state in
      guard let id = state.line.next() else {
        state.isWorking = false
        return nil as CheckedContinuation<Void, any Error>?
      }
      return state.waiting.removeValue(forKey: id)
    }
    next?.resume()
  }
}
