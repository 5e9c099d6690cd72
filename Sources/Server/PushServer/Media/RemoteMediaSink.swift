import MediaLoading
import NotificationPreview
import PushPayload
import Synchronization

/// Collects as much of an answer as a preview needs: a whole picture, or the beginning of a film or a sound.
final class RemoteMediaSink: MediaSink {
  /// The received parts of the answer at the end of the load.
  struct Answer: Sendable {
    /// The head; `nil` if no answer arrived.
    var head: MediaResponseHead?
    var bytes: [UInt8] = []
    /// Whether the whole body was received.
    var isWhole = false
    /// The error that ended the load; `nil` if the answer is whole or the load was stopped on purpose.
    var error: MediaLoadError?
  }

  private struct State {
    var answer = Answer()
    /// Whether the rest of the answer is not needed.
    var isEnough = false
    var isOver = false
    var waiting: CheckedContinuation<Answer, Never>?
  }

  private let state = Mutex(State())

  /// Waits for the end of the load.
  func value() async -> Answer {
    await withCheckedContinuation { continuation in
      let answer = state.withLock { state -> Answer? in
        if state.isOver { return state.answer }
        state.waiting = continuation
        return nil
      }
      if let answer { continuation.resume(returning: answer) }
    }
  }

  func receive(_ head: MediaResponseHead) -> MediaLoadDisposition {
    state.withLock { state in
      state.answer.head = head
      let length = head.contentLength ?? 0
      state.isEnough =
        !(200...299).contains(head.status) || length > MediaType.Family.movie.maximumBytes
      return state.isEnough ? .stop : .proceed
    }
  }

  func receive(_ bytes: UnsafeRawBufferPointer) -> MediaLoadDisposition {
    state.withLock { state in
      state.answer.bytes.append(contentsOf: bytes)
      state.isEnough = Self.isEnough(state.answer)
      return state.isEnough ? .stop : .proceed
    }
  }

  func finish(_ error: MediaLoadError?) {
    let (waiting, answer) = state.withLock { state in
      state.isOver = true
      state.answer.isWhole = error == nil
      state.answer.error = state.isEnough ? nil : error
      defer { state.waiting = nil }
      return (state.waiting, state.answer)
    }
    waiting?.resume(returning: answer)
  }

  /// Whether the received bytes decide everything that a preview shows.
  private static func isEnough(_ answer: Answer) -> Bool {
    guard answer.bytes.count >= MediaType.signatureLength else { return false }
    switch MediaType(signature: answer.bytes)?.family {
    case .image?:
      let length = max(answer.head?.contentLength ?? 0, Int64(answer.bytes.count))
      return length > MediaType.Family.image.maximumBytes
    case .movie?, .audio?: return answer.bytes.count >= MediaAnswer.beginning
    default: return true
    }
  }
}

extension RemoteMediaSink.Answer {
  /// The head that a preview replays.
  ///
  /// The length is kept if the body is whole, or if the length shows that the medium is too large.
  var replayedHead: MediaResponseHead? {
    guard let head else { return nil }
    let names = ["Location", "Content-Type", "Content-Encoding", "Retry-After"]
    var headers = Dictionary(
      uniqueKeysWithValues: names.compactMap { name in head[name].map { (name, $0) } })
    let length = max(head.contentLength ?? 0, Int64(bytes.count))
    let limit = (MediaType(signature: bytes)?.family ?? .movie).maximumBytes
    if isWhole || length > limit { headers["Content-Length"] = String(length) }
    return MediaResponseHead(status: head.status, headers: headers)
  }
}
