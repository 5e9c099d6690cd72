import _EventLoop
import _HTTP2
import _HTTP2Channel
import _TLS

/// One connection to APNs: its channel, the pushes on it, and the signs that its peer is alive.
final class Connection {
  var state = ConnectionState()
  var keepAlive: KeepAlive
  let channel: HTTP2Channel
  /// The trust and the certificate that it was opened with.
  let trust: TLSContext
  /// The provider token of its pushes.
  var token: ProviderTokenSource.Token?
  /// The registration of its socket with the event loop.
  var registration: EventLoop.Registration?
  private var watchedInterest: EventLoop.Readiness
  /// The timeout for opening it; `nil` once it is open.
  var openTimer: EventLoop.Registration?
  /// The time at which it last got a push while idle.
  private var lastSent = ContinuousClock.now
  /// The time of the last answer to a push; at first the time at which the connection was made.
  private(set) var lastAnswered = ContinuousClock.now

  init(_ channel: HTTP2Channel, trust: TLSContext, keepAlive: KeepAlive) {
    self.channel = channel
    self.trust = trust
    self.keepAlive = keepAlive
    watchedInterest = channel.interest
  }

  /// Reads from the socket, and returns the effects on the pushes.
  func receive() throws -> [ConnectionState.Effect] { process(try channel.receive()) }

  /// Reads the bytes that APNs sent before it closed, once writing has failed.
  func receiveRemaining() -> [ConnectionState.Effect] { process(channel.receiveRemaining()) }

  /// Writes as much as the socket takes.
  func flush() throws -> [ConnectionState.Effect] { process(try channel.flush()) }

  /// Sends a push on a new stream.
  func send(
    _ push: PushReference, _ headers: HeaderBlock, body: [UInt8],
    answerLimit: Int = PushAnswer.maxBody
  ) throws {
    let stream = try channel.session.submitRequest(headers, body: body)
    state.opened(stream, for: push, bodyLimit: answerLimit)
    if state.inFlightCount == 1 { lastSent = .now }
  }

  /// Resets the streams of pushes that have reached their deadline, and returns the results of those pushes.
  func expire(_ pushes: Set<PushKey>, _ message: String) -> [(PushReference, PushResult)] {
    state.expire(pushes, message).map { stream, push, result in
      channel.session.submitReset(stream: stream, code: .cancel)
      return (push, result)
    }
  }

  /// The action that the peer's silence calls for.
  func checkKeepAlive(at now: ContinuousClock.Instant) -> KeepAlive.Action {
    keepAlive.on(
      now: now,
      lastReceived: max(channel.lastReceived, state.isIdle ? channel.lastReceived : lastSent),
      owesAnswers: !state.isIdle)
  }

  /// Whether nothing more will come.
  var isFinished: Bool {
    state.isIdle && (state.retirement != nil || channel.session.isFinished)
  }

  /// Whether the session has ended while answers are due, because the peer broke the protocol.
  var isBroken: Bool { channel.isOpen && channel.session.isFinished && !state.isIdle }

  /// Watches the socket for the events that the channel now waits for.
  func updateInterest(on loop: EventLoop) {
    guard let registration, watchedInterest != channel.interest else { return }
    loop.change(registration, to: channel.interest)
    watchedInterest = channel.interest
  }

  /// Opens no more streams, because the session refused to.
  func retire(_ error: any Error) {
    retireIfRefusing()
    state.retire("\(error)")
  }

  /// A session that found a protocol error refuses every further request, however often it is tried.
  private func retireIfRefusing() {
    let session = channel.session
    guard !session.takesRequests else { return }
    state.retire(
      session.isUsedUp ? "all its streams are used up" : "APNs sent what HTTP/2 does not allow")
  }

  private func process(_ events: [HTTP2Session.Event]) -> [ConnectionState.Effect] {
    defer { retireIfRefusing() }
    guard !events.isEmpty else { return [] }
    let effects = state.on(events, streamLimit: channel.session.remoteStreamLimit)
    for case .ended(let stream) in effects {
      channel.session.submitReset(stream: stream, code: .cancel)
    }
    if effects.contains(where: \.isAnswer) { lastAnswered = .now }
    return effects
  }
}

// MARK: Room for pushes

extension Connection {
  /// Whether it is open and not retired.
  var takesPushes: Bool { openTimer == nil && state.retirement == nil }

  /// Whether another push would be sent at once: a stream is free, and the peer's window is open.
  ///
  /// A push that does not fit into the window would wait here, and no other connection could take it.
  var hasRoom: Bool { hasRoom(for: 1) }

  /// Whether a stream is free and the peer's window takes a body of that size whole.
  func hasRoom(for size: Int) -> Bool {
    state.canOpenStream && channel.session.remoteWindow >= max(1, size)
  }

  var room: PoolRule.Room {
    PoolRule.Room(
      window: channel.session.remoteWindow, inFlight: state.inFlightCount,
      isBlocked: channel.isBlocked)
  }

  /// The time at which it last got a push while idle, or an answer.
  var lastUsed: ContinuousClock.Instant { max(lastSent, lastAnswered) }
}
