import Foundation
import _Spawn

/// What an extension uses beyond its idle memory, and whether that is more than it may.
struct MemoryUse: Hashable, Sendable {
  let limit: Int
  /// What it used when it began to wait for a notification; `nil` until then.
  private(set) var idle: Int?
  /// The most so far beyond that.
  private(set) var peak: Int?

  init(limit: Int) { self.limit = limit }

  /// All of the limit may be used.
  var isExceeded: Bool { peak.map { $0 > limit } ?? false }

  /// Takes what it uses now as its idle memory; `false` where that is known already.
  mutating func begin(_ bytes: Int) -> Bool {
    guard idle == nil else { return false }
    (idle, peak) = (bytes, 0)
    return true
  }

  mutating func see(_ bytes: Int) {
    guard let idle, let peak else { return }
    self.peak = max(peak, bytes - idle)
  }
}

/// Watches what an extension uses, every two milliseconds.
final class MemoryWatch: Sendable {
  private struct State: Sendable {
    var use: MemoryUse
    var repliedAt: ContinuousClock.Instant?
    var isStopped = false
  }

  private static let interval = 0.002
  /// How long one that has replied may go on before it is suspended.
  private static let afterReply = Duration.seconds(1)

  private let state: HostLocked<State>

  init(limit: Int) { state = HostLocked(State(use: MemoryUse(limit: limit))) }

  /// The most it has used so far beyond its idle memory.
  var peak: Int? { use.peak }

  var isStarted: Bool { use.idle != nil }

  private var use: MemoryUse { state.withLock { $0.use } }

  /// Takes what the process uses now as its idle memory; `false` where it is watched already.
  ///
  /// `exceeded` is called at most once, with the reason; the process is dead then.
  func start(
    _ process: ConnectedProcess, exceeded: @escaping @Sendable (String) -> Void
  ) -> Bool {
    guard let idle = process.anonymousBytes, state.withLock({ $0.use.begin(idle) }) else {
      return false
    }
    Thread.detachNewThread {
      while !self.state.withLock({ $0.isStopped }) {
        guard self.sample(process) else { break }
        if let excess = self.excess {
          exceeded(excess)
          break
        }
        if self.state.withLock({ $0.repliedAt.map { .now - $0 > Self.afterReply } ?? false }) {
          process.kill()
          break
        }
        Thread.sleep(forTimeInterval: Self.interval)
      }
      // It is gone, and what it left open must not make it seem alive.
      process.channel.end()
    }
    return true
  }

  /// Looks once; `false` where the process has ended.
  @discardableResult func sample(_ process: ConnectedProcess) -> Bool {
    guard let bytes = process.anonymousBytes else { return false }
    state.withLock { $0.use.see(bytes) }
    return true
  }

  func hasReplied() { state.withLock { $0.repliedAt = .now } }

  func stop() { state.withLock { $0.isStopped = true } }

  /// That it used more than it may, in words; `nil` where it did not.
  var excess: String? {
    let use = use
    guard use.isExceeded else { return nil }
    return
      "the extension used \(Self.text(use.peak ?? 0)) beyond its idle memory, over its limit of "
      + Self.text(use.limit)
  }

  private static func text(_ bytes: Int) -> String {
    String(format: "%.1f MiB", Double(bytes) / 1_048_576)
  }
}
