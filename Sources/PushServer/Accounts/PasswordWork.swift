import Dispatch
import PushStore
import Synchronization
import _OpenSSLCrypto

/// Computes password hashes, one at a time and on a thread of its own: each takes as much memory and time as it is meant
/// to, and none may slow down other requests.
final class PasswordWork: Sendable {
  /// More wait than a second of work; what comes then is refused.
  struct Busy: Error {}

  /// The most hashes that wait.
  static let limit = 16

  let cost: ScryptCost
  private let queue = DispatchQueue(label: "martlet.passwords")
  private let waiting = Mutex(0)
  private let nothing: PasswordHash

  init(cost: ScryptCost) {
    self.cost = cost
    nothing = PasswordHash(ofNothingAt: cost)
  }

  func hash(_ password: String) async throws -> PasswordHash {
    let cost = cost
    return try await run { try PasswordHash(of: password, cost: cost) }
  }

  /// Whether a password is that of an account; without an account, the same work for `false`.
  func matches(_ password: String, _ account: Account?) async throws -> Bool {
    // What is longer is nobody's, and is not hashed for anybody.
    guard password.utf8.count <= PasswordRules.maximumBytes else { return false }
    let stored = account?.password.flatMap { PasswordHash($0) }
    let hash = stored ?? nothing
    let isEqual = try await run { try hash.matches(password) }
    return isEqual && stored != nil
  }

  /// Whether the hash of an account has another cost than new ones.
  func isOutdated(_ account: Account) -> Bool {
    account.password.flatMap { PasswordHash($0) }.map { $0.cost != cost } ?? false
  }

  /// The number of hashes that wait or are computed.
  var waitingCount: Int { waiting.withLock(\.self) }

  /// Does some work after what waits; throws ``Busy`` where too much does.
  func run<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
    let isTaken = waiting.withLock { count in
      guard count < Self.limit else { return false }
      count += 1
      return true
    }
    guard isTaken else { throw Busy() }
    defer { waiting.withLock { $0 -= 1 } }
    return try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Result { try body() }) }
    }
  }
}
