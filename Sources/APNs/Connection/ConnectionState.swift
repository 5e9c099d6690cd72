import FoundationEssentials
import PushPayload
import _HTTP2

/// One HTTP/2 connection to APNs as a value: how many streams may be open, what is on them, and what
/// each event means for the pushes.
///
/// Slow start: with provider tokens one stream until the first answer, whatever the peer's settings
/// say, for APNs allows one until a token was found good; else one until the settings have come.
struct ConnectionState {
  /// What an event means for a push.
  enum Effect {
    case finished(PushReference, PushResult)
    /// The peer did not process it, so it may be sent again.
    case refused(PushReference)
    /// Its push is finished, but the peer goes on sending more than is kept.
    case ended(stream: Int32)

    var isAnswer: Bool {
      if case .finished(_, .answered) = self { true } else { false }
    }
  }

  /// More streams than this are not opened, whatever the peer allows.
  static let maxStreams = 1000

  private struct InFlight {
    let push: PushReference
    var answer: PushAnswer
  }

  private var inFlight = StreamTable<InFlight>()
  private let awaitsAnswer: Bool
  private var streamLimit = 1
  /// Why no new stream is opened here any more; `nil` while it is in use.
  private(set) var retirement: String?
  /// The last stream the peer will process, once it said so.
  private var lastProcessed: Int32?

  var isIdle: Bool { inFlight.count == 0 }
  var inFlightCount: Int { inFlight.count }
  /// The pushes that are on it.
  var places: [PushKey] { inFlight.elements.map { PushKey($0.value.push) } }
  /// Whether it may not yet have as many streams as the peer allows.
  private(set) var isStarting = true

  init(awaitsAnswer: Bool = false) { self.awaitsAnswer = awaitsAnswer }

  /// Whether another push may go out.
  var canOpenStream: Bool { freeStreams > 0 }
  /// How many more pushes may go out.
  var freeStreams: Int { retirement == nil ? max(0, streamLimit - inFlight.count) : 0 }

  /// A stream was opened, whose answer is kept up to a number of bytes.
  mutating func opened(
    _ stream: Int32, for push: PushReference, bodyLimit: Int = PushAnswer.maxBody
  ) {
    inFlight.insert(InFlight(push: push, answer: PushAnswer(bodyLimit: bodyLimit)), stream)
  }

  /// Opens no stream any more; what is in flight may end.
  mutating func retire(_ why: String) { retirement = retirement ?? why }

  /// Something came; `streamLimit` is what the session knows of the peer's limit.
  mutating func on(
    _ events: [HTTP2Session.Event], streamLimit limit: Int?
  ) -> [Effect] {
    var effects: [Effect] = []
    for event in events { on(event, streamLimit: limit, &effects) }
    return effects
  }

  private mutating func on(
    _ event: HTTP2Session.Event, streamLimit limit: Int?, _ effects: inout [Effect]
  ) {
    switch event {
    case .headers(let stream, let fields, _):
      inFlight.update(stream) { $0.answer.take(fields) }
      if isStarting, let status = inFlight[stream]?.answer.status, status != 403 {
        isStarting = false
      }
      learn(limit)
    case .data(let stream, let bytes):
      inFlight.update(stream) { $0.answer.take(bytes) }
      // The peer might never end it.
      guard inFlight[stream]?.answer.isCut == true, let ended = inFlight.remove(stream)
      else { return }
      effects.append(settle(ended, stream, "APNs sent a body without a status", code: nil))
      effects.append(.ended(stream: stream))
    case .end: break
    case .settings:
      if !awaitsAnswer { isStarting = false }
      learn(limit)
    case .goAway(let last, let code, let debugData):
      // It may fall, and never rises (RFC 9113 section 6.8).
      lastProcessed = min(last, lastProcessed ?? last)
      retire("APNs closed the connection: \(Self.reason(debugData) ?? code.description)")
    case .closed(let stream, let code):
      guard let ended = inFlight.remove(stream) else { return }
      if ended.answer.status != nil {
        effects.append(.finished(ended.push, .answered(ended.answer)))
        return
      }
      let why = code == .noError ? "sent no status" : "reset the request: \(code)"
      effects.append(settle(ended, stream, "APNs \(why)", code: code))
    }
  }

  /// Apple's word in the debug data of GOAWAY; the peer's, so no more than a word is taken.
  private static func reason(_ debugData: [UInt8]) -> String? {
    let json = try? JSONValue(parsing: Data(debugData))
    guard let reason = json?["reason"]?.string, (1...64).contains(reason.utf8.count),
      reason.utf8.allSatisfy({ 0x20...0x7e ~= $0 })
    else { return nil }
    return reason
  }

  private mutating func learn(_ limit: Int?) {
    streamLimit = min(limit ?? Self.maxStreams, isStarting ? 1 : Self.maxStreams)
  }

  /// The connection is gone: settles all that was on it, in the order it was sent.
  mutating func lost(_ why: String) -> [Effect] {
    retire(why)
    let ended = inFlight.elements.sorted { $0.stream < $1.stream }
    inFlight = StreamTable()
    return ended.map { stream, push in settle(push, stream, why, code: nil) }
  }

  /// The streams of pushes whose time is over; a status that came without the end of its answer counts.
  mutating func expire(
    _ pushes: Set<PushKey>, _ why: String
  ) -> [(stream: Int32, push: PushReference, result: PushResult)] {
    let expired = inFlight.elements.filter { pushes.contains(PushKey($0.value.push)) }
    for (stream, _) in expired { inFlight.remove(stream) }
    return expired.map { stream, ended in
      let isAnswered = ended.answer.status != nil
      return (stream, ended.push, isAnswered ? .answered(ended.answer) : .maybeSent(why))
    }
  }

  private func settle(
    _ ended: InFlight, _ stream: Int32, _ why: String, code: HTTP2ErrorCode?
  ) -> Effect {
    if ended.answer.status != nil { return .finished(ended.push, .answered(ended.answer)) }
    let isUnprocessed = code == .refusedStream || lastProcessed.map { stream > $0 } ?? false
    return isUnprocessed ? .refused(ended.push) : .finished(ended.push, .maybeSent(why))
  }
}

/// A push without its history.
struct PushKey: Hashable {
  let batch: Int
  let index: Int

  init(_ push: PushReference) {
    batch = push.batch
    index = push.index
  }
}
