import Foundation
import _Spawn

/// Watches what an extension uses beyond its idle memory, every two milliseconds.
final class MemoryWatch: Sendable {
  private struct State: Sendable {
    var idle: Int?
    var peak: Int?
    var repliedAt: ContinuousClock.Instant?
    var isStopped = false
    var isExceeded = false
  }

  private static let interval = 0.002
  /// How long one that has replied may go on before it is suspended.
  private static let afterReply = Duration.seconds(1)

  private let limit: Int
  private let state = HostLocked(State())

  init(limit: Int) { self.limit = limit }

  /// The most it has used so far beyond its idle memory.
  var peak: Int? { state.withLock { $0.peak } }

  var isStarted: Bool { state.withLock { $0.idle != nil } }

  /// Takes what the process uses now as its idle memory; `false` where it is watched already.
  ///
  /// `exceeded` is called at most once, with the reason; the process is dead then.
  func start(
    _ process: ConnectedProcess, exceeded: @escaping @Sendable (String) -> Void
  ) -> Bool {
    guard let idle = process.anonymousBytes else { return false }
    let isFirst = state.withLock { state in
      guard state.idle == nil else { return false }
      (state.idle, state.peak) = (idle, 0)
      return true
    }
    guard isFirst else { return false }
    Thread.detachNewThread {
      while !self.state.withLock({ $0.isStopped }) {
        guard self.sample(process) else { break }
        if self.state.withLock({ $0.isExceeded }) {
          exceeded(self.message)
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
    state.withLock { state in
      guard let idle = state.idle else { return }
      let growth = max(0, bytes - idle)
      state.peak = max(state.peak ?? 0, growth)
      if growth > limit { state.isExceeded = true }
    }
    return true
  }

  func hasReplied() { state.withLock { $0.repliedAt = .now } }

  func stop() { state.withLock { $0.isStopped = true } }

  private var message: String {
    let peak = state.withLock { $0.peak } ?? 0
    return "the extension used \(Self.text(peak)) beyond its idle memory, over its limit of "
      + Self.text(limit)
  }

  private static func text(_ bytes: Int) -> String {
    String(format: "%.1f MiB", Double(bytes) / 1_048_576)
  }
}
