import Foundation
import PushPayload
import Synchronization

/// The recorder of sampled requests and sends, which holds their spans until they are exported.
package final class Tracer: Sendable {
  /// The most waiting spans; further ones are dropped and counted.
  static let limit = 8192

  private struct State {
    var waiting: [Span] = []
    var exported = 0
    var dropped = 0
  }

  /// The share of requests without a `traceparent` that are recorded, from 0 to 1.
  private let rate: Double
  private let random: @Sendable () -> UInt64
  /// The current time in nanoseconds since 1970.
  let now: @Sendable () -> UInt64
  private let state = Mutex(State())

  package init(
    rate: Double, random: @escaping @Sendable () -> UInt64 = { .random(in: .min ... .max) },
    now: @escaping @Sendable () -> UInt64 = { Tracer.systemTime() }
  ) {
    self.rate = rate
    self.random = random
    self.now = now
  }

  package static func systemTime() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// Begins the span of a request that began at `start`.
  ///
  /// `caller` is the caller's position in its trace, which decides whether this span is recorded.
  ///
  /// - Returns: The span; `nil` if it is not recorded.
  func begin(at start: UInt64, in caller: TraceContext?) -> OpenSpan? {
    if let caller {
      guard caller.isSampled else { return nil }
      return OpenSpan(context: next(of: caller), parent: caller.spanID, start: start)
    }
    // A Double has any fraction of 53 bits exactly, and all of them are below 1.
    guard Double(random() >> 11) * 0x1p-53 < rate else { return nil }
    let trace = random().hexadecimal(digits: 16) + spanID()
    return OpenSpan(
      context: TraceContext(traceID: trace, spanID: spanID()), start: start)
  }

  /// Begins a span within another one.
  func child(of parent: TraceContext, at start: UInt64? = nil) -> OpenSpan {
    OpenSpan(context: next(of: parent), parent: parent.spanID, start: start ?? now())
  }

  private func next(of context: TraceContext) -> TraceContext {
    TraceContext(traceID: context.traceID, spanID: spanID())
  }

  func record(_ span: Span) {
    state.withLock { state in
      if state.waiting.count < Self.limit {
        state.waiting.append(span)
      } else {
        state.dropped += 1
      }
    }
  }

  /// Removes spans to export, the oldest first.
  func take(atMost count: Int) -> [Span] {
    state.withLock { state in
      let taken = Array(state.waiting.prefix(count))
      state.waiting.removeFirst(taken.count)
      return taken
    }
  }

  func exported(_ count: Int) { state.withLock { $0.exported += count } }
  func dropped(_ count: Int) { state.withLock { $0.dropped += count } }

  /// The numbers of exported and of dropped spans.
  var counts: (exported: Int, dropped: Int) { state.withLock { ($0.exported, $0.dropped) } }

  /// A number other than 0, which would be no id (W3C Trace Context, section 3.2.2.4).
  private func spanID() -> String { max(1, random()).hexadecimal(digits: 16) }
}
