import _EventLoop
import _TLS

/// The attempt to connect that is under way, and the outcome of earlier attempts.
///
/// A value without a socket: ``Transport`` looks names up and opens connections.
struct Connector {
  /// An attempt to connect to the addresses of a host, one after the other.
  private struct Attempt {
    let number: Int
    var addresses: [SocketAddress] = []
    /// The time at which the attempt fails; `nil` before the look-up has begun.
    var deadline: ContinuousClock.Instant?
    /// The time that was left when the addresses were known.
    var time = Duration.zero
    /// The timeout of the look-up; `nil` before and after it.
    var lookUpTimer: EventLoop.Registration?
    /// The reason why the last address could not be reached.
    var failure: any Error
  }

  private var attempt: Attempt?
  /// The number of attempts that failed in a row.
  private(set) var failedAttempts = 0
  /// The reason why the last attempt failed, or the last connection ended without an answer; `nil` once one is open.
  var lastFailure: String?
  /// The index of the address that the next attempt begins with.
  private var nextAddress = 0

  var isConnecting: Bool { attempt != nil }

  /// Begins an attempt, which replaces any other.
  mutating func begin(_ number: Int, to host: String) {
    attempt = Attempt(number: number, failure: TLSError(.failed, "\(host) has no address"))
  }

  /// Whether an attempt is still the one that is under way.
  func isCurrent(_ number: Int) -> Bool { attempt?.number == number }

  mutating func beginLookUp(until deadline: ContinuousClock.Instant, timer: EventLoop.Registration)
  {
    attempt?.deadline = deadline
    attempt?.lookUpTimer = timer
  }

  /// Ends the look-up of an attempt.
  ///
  /// - Returns: The timer to cancel; `nil` if the attempt or its look-up has ended before.
  mutating func endLookUp(
    _ number: Int, with result: Result<[SocketAddress], any Error>
  ) -> EventLoop.Registration? {
    guard attempt?.number == number, let timer = attempt?.lookUpTimer else { return nil }
    attempt?.lookUpTimer = nil
    switch result {
    case .failure(let error): attempt?.failure = error
    case .success(let addresses):
      // Each attempt begins with another address, which spreads the connections.
      let first = nextAddress % max(1, addresses.count)
      nextAddress += 1
      attempt?.addresses = Array(addresses[first...] + addresses[..<first])
    }
    return timer
  }

  /// Takes the next address to try, with the deadline for opening a connection to it.
  ///
  /// The addresses share the time that is left, so that an unreachable first one leaves some for the others. Each gets a
  /// third of it at least: Apple's hosts have eight addresses or more, and an eighth is too short for a slow path. The next
  /// attempt begins with another address.
  mutating func popAddress(
    at now: ContinuousClock.Instant
  ) -> (address: SocketAddress, deadline: ContinuousClock.Instant)? {
    guard let attempt, let address = attempt.addresses.first, let deadline = attempt.deadline
    else { return nil }
    let left = now.duration(to: deadline)
    let whole = attempt.time == .zero ? left : attempt.time
    self.attempt?.addresses.removeFirst()
    self.attempt?.time = whole
    return (address, now + min(left, max(left / attempt.addresses.count, whole / 3)))
  }

  /// Notes why an address could not be reached.
  mutating func addressFailed(_ error: any Error) { attempt?.failure = error }

  /// Ends the attempt because no address is left.
  ///
  /// - Returns: The reason why the last address could not be reached; `nil` if no attempt is under way.
  mutating func fail() -> (any Error)? {
    guard let attempt else { return nil }
    self.attempt = nil
    failedAttempts += 1
    return attempt.failure
  }

  /// Ends the attempt because a connection is open.
  mutating func succeed() {
    attempt = nil
    failedAttempts = 0
    lastFailure = nil
  }

  /// Ends the attempt without an outcome.
  mutating func cancel() { attempt = nil }
}
