import MediaLoading
import PushPayload
import RichNotifications

/// The transfer of one response of a ``ScriptedNetwork``, piece by piece on the clock.
final class ScriptedTransfer: MediaLoad {
  private struct State: Sendable {
    var isOver = false
    var sent = 0
    var next: (any ScheduledWork)?
  }

  /// The size of a piece in bytes.
  private static let pieceSize = 16_384

  private let outcome: Result<ScriptedReply, MediaLoadError>
  private let sink: any MediaSink
  private let clock: any DeliveryClock
  private let bandwidth: Int?
  private let state = Locked(State())

  init(
    _ outcome: Result<ScriptedReply, MediaLoadError>, sink: any MediaSink,
    clock: any DeliveryClock, bandwidth: Int?
  ) {
    self.outcome = outcome
    self.sink = sink
    self.clock = clock
    self.bandwidth = bandwidth
  }

  func start(after latency: Duration) { schedule(after: latency) { $0.sendHead() } }

  func cancel() { finish(MediaLoadError(.canceled, "the load was canceled")) }

  private func sendHead() {
    switch outcome {
    case .failure(let error): finish(error)
    case .success(let reply):
      guard sink.receive(reply.head) == .proceed else { return refuse() }
      sendPiece(of: reply)
    }
  }

  private func sendPiece(of reply: ScriptedReply) {
    let sent = state.withLock { $0.sent }
    if let limit = reply.breaksAfter, sent >= limit {
      return finish(MediaLoadError(.network, "the connection was reset"))
    }
    if let limit = reply.stallsAfter, sent >= limit { return }  // Stalls until it is canceled.
    let count = min(Self.pieceSize, reply.remainingBytes(after: sent))
    guard let piece = reply.body.map({ $0.piece(at: reply.start + sent, upTo: count) }) ?? [] else {
      return finish(MediaLoadError(.network, "the scripted file cannot be read"))
    }
    guard !piece.isEmpty else { return finishBody(of: reply, after: sent) }
    guard piece.withUnsafeBytes(sink.receive) == .proceed else { return refuse() }
    state.withLock { $0.sent += piece.count }
    let seconds = bandwidth.map { Double(piece.count) / Double(max($0, 1)) } ?? 0
    schedule(after: .seconds(seconds)) { $0.sendPiece(of: reply) }
  }

  private func finishBody(of reply: ScriptedReply, after sent: Int) {
    let isShort = reply.announcedLength.map { sent < $0 } ?? false
    finish(isShort ? MediaLoadError(.network, "the body is shorter than its Content-Length") : nil)
  }

  private func refuse() { finish(MediaLoadError(.refused, "the sink stopped the load")) }

  private func finish(_ error: MediaLoadError?) {
    let next: (any ScheduledWork)?? = state.withLock { state in
      guard !state.isOver else { return nil }
      state.isOver = true
      return .some(state.next)
    }
    guard let next else { return }
    next?.cancel()
    sink.finish(error)
  }

  private func schedule(
    after delay: Duration, _ step: @escaping @Sendable (ScriptedTransfer) -> Void
  ) {
    let work = clock.schedule(after: delay) { [self] in
      guard !state.withLock({ $0.isOver }) else { return }
      step(self)
    }
    state.withLock { $0.next = work }
  }
}
