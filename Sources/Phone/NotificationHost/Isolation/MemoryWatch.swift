import Foundation
import PushPayload
import _Spawn

/// The memory of an extension beyond its idle memory, compared with its limit.
struct MemoryUse: Hashable, Sendable {
  let limit: Int
  /// The memory in bytes when the extension began to wait for a notification; `nil` until then.
  private(set) var idle: Int?
  /// The peak memory in bytes beyond ``idle``.
  private(set) var peak: Int?

  init(limit: Int) { self.limit = limit }

  /// Whether the peak is over the limit.
  var isExceeded: Bool { peak.map { $0 > limit } ?? false }

  /// Sets the idle memory once.
  ///
  /// - Returns: Whether it was not set before.
  mutating func begin(_ bytes: Int) -> Bool {
    guard idle == nil else { return false }
    (idle, peak) = (bytes, 0)
    return true
  }

  mutating func record(_ bytes: Int) {
    guard let idle, let peak else { return }
    self.peak = max(peak, bytes - idle)
  }
}

/// A monitor that samples the memory of an extension every two milliseconds.
final class MemoryWatch: Sendable {
  private struct State: Sendable {
    var use: MemoryUse
    var repliedAt: ContinuousClock.Instant?
    var isStopped = false
  }

  private static let interval = 0.002
  /// The time from the reply until the extension is killed, because the system would suspend it then.
  private static let timeAfterReply = Duration.seconds(1)

  private let state: Locked<State>

  init(limit: Int) { state = Locked(State(use: MemoryUse(limit: limit))) }

  /// The peak memory in bytes beyond the idle memory.
  var peak: Int? { use.peak }

  var isStarted: Bool { use.idle != nil }

  private var use: MemoryUse { state.withLock { $0.use } }

  /// Starts sampling, with the current memory as idle memory.
  ///
  /// `exceeded` is called at most once, with the reason.
  ///
  /// - Returns: `false` if the process has ended or is being sampled already.
  func start(
    _ process: ConnectedProcess, exceeded: @escaping @Sendable (String) -> Void
  ) -> Bool {
    guard let idle = process.anonymousBytes, state.withLock({ $0.use.begin(idle) }) else {
      return false
    }
    Thread.detachNewThread { HostThreads.run { self.sample(process, until: exceeded) } }
    return true
  }

  private func sample(
    _ process: ConnectedProcess, until exceeded: @escaping @Sendable (String) -> Void
  ) {
    while !self.state.withLock({ $0.isStopped }) {
      guard self.sample(process) else { break }
      if let excess = self.excess {
        exceeded(excess)
        break
      }
      if self.state.withLock({ $0.repliedAt.map { .now - $0 > Self.timeAfterReply } ?? false }) {
        process.kill()
        break
      }
      Thread.sleep(forTimeInterval: Self.interval)
    }
    // The process has ended; a descendant that holds the channel open must not keep the host waiting.
    process.channel.shutDown()
  }

  /// Takes a sample.
  ///
  /// - Returns: `false` if the process has ended.
  @discardableResult func sample(_ process: ConnectedProcess) -> Bool {
    guard let bytes = process.anonymousBytes else { return false }
    state.withLock { $0.use.record(bytes) }
    return true
  }

  func hasReplied() { state.withLock { $0.repliedAt = .now } }

  func stop() { state.withLock { $0.isStopped = true } }

  /// A description of the exceeded limit; `nil` if it is not exceeded.
  var excess: String? {
    let use = use
    guard use.isExceeded else { return nil }
    return
      "the extension used \(Self.text(use.peak ?? 0)) beyond its idle memory, over the limit of "
      + Self.text(use.limit)
  }

  private static func text(_ bytes: Int) -> String {
    String(format: "%.1f MiB", Double(bytes) / 1_048_576)
  }
}
