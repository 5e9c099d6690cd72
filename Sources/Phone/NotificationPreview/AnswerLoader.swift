import Foundation
import MediaLoading
import NotificationHost
import PushPayload
import Synchronization

/// A media loader that replays answers from elsewhere to the extension of a simulated phone.
///
/// Virtual time stands still while an answer is awaited.
final class AnswerLoader: MediaLoader {
  /// The replayed answers, by the absolute URL of the request.
  private struct Record {
    var files: [String: String] = [:]
    var redirects: [String: String] = [:]
  }

  private let clock: any HostClock
  private let answer: @Sendable (URL) async -> MediaAnswer
  private let record = Mutex(Record())

  init(clock: any HostClock, answer: @escaping @Sendable (URL) async -> MediaAnswer) {
    self.clock = clock
    self.answer = answer
  }

  func load(_ request: MediaRequest, into sink: any MediaSink) -> any MediaLoad {
    let replay = MediaReplay(sink)
    if let refusal = request.refusal {
      replay.run(.failure(refusal), for: request.url)
      return replay
    }
    // The caller of `answer` bounds how long it takes.
    let hold = clock.hold(freezeLimit: .seconds(3600))
    Task { [answer] in
      let answer = await answer(request.url)
      self.note(answer, to: request.url)
      replay.run(answer, for: request.url)
      hold.release()
    }
    return replay
  }

  private func note(_ answer: MediaAnswer, to url: URL) {
    record.withLock { record in
      switch answer {
      case .response(let head, let body):
        record.files[url.absoluteString] = body?.file
        guard (300...399).contains(head.status), let location = head["location"] else { return }
        record.redirects[url.absoluteString] =
          URL(string: location, relativeTo: url)?.absoluteString
      case .loading: record.files[url.absoluteString] = ""
      case .failure, .silent: break
      }
    }
  }

  /// The path of the file behind a URL of the payload, after all redirects; empty while it is loading.
  func file(of reference: String) -> String {
    record.withLock { record in
      var url = (try? MediaAddress(reference))?.url?.absoluteString ?? reference
      // The number of steps is limited, because redirects may form a circle.
      for _ in 0...record.redirects.count {
        guard let next = record.redirects[url] else { break }
        url = next
      }
      return record.files[url] ?? ""
    }
  }
}

/// The replay of one answer.
private final class MediaReplay: MediaLoad {
  private enum State {
    case waiting, running, canceled, finished
  }

  private static let pieceSize = 64 << 10
  private static let cancellation = MediaLoadError(.canceled, "the load was canceled")
  private static let refusal = MediaLoadError(.refused, "the sink refused the answer")

  private let sink: any MediaSink
  private let state = Mutex(State.waiting)

  init(_ sink: any MediaSink) { self.sink = sink }

  func cancel() {
    let isIdle = state.withLock { state in
      switch state {
      case .waiting:
        state = .finished
        return true
      case .running:
        // The sink is called serially: the thread that replays finishes it.
        state = .canceled
        return false
      case .canceled, .finished: return false
      }
    }
    if isIdle { sink.finish(Self.cancellation) }
  }

  func run(_ answer: MediaAnswer, for url: URL) {
    if case .silent = answer { return }
    let isOpen = state.withLock { state in
      guard case .waiting = state else { return false }
      state = .running
      return true
    }
    guard isOpen else { return }
    let error: MediaLoadError? =
      switch answer {
      case .response(let head, let body): send(head, body)
      case .failure(let error): error
      case .loading: sendPlaceholder(for: url)
      case .silent: nil
      }
    let isCanceled = state.withLock { state in
      defer { state = .finished }
      if case .canceled = state { return true }
      return false
    }
    sink.finish(isCanceled ? Self.cancellation : error)
  }

  /// - Returns: The reason why the load ended early; `nil` if everything was sent.
  private func send(_ head: MediaResponseHead, _ body: MediaAnswer.Body?) -> MediaLoadError? {
    guard sink.receive(head) == .proceed else { return Self.refusal }
    guard let body else { return nil }
    guard let file = FileHandle(forReadingAtPath: body.file) else {
      return MediaLoadError(.network, "the file of the preview is gone")
    }
    defer { try? file.close() }
    var left = body.isWhole ? Int.max : MediaAnswer.beginning
    while left > 0, case .running = state.withLock({ $0 }),
      let piece = try? file.read(upToCount: min(left, Self.pieceSize)), !piece.isEmpty
    {
      left -= piece.count
      guard piece.withUnsafeBytes({ sink.receive($0) }) == .proceed else { return Self.refusal }
    }
    return nil
  }

  /// Sends the first bytes of a file of the type that the URL's path names, or of a PNG.
  private func sendPlaceholder(for url: URL) -> MediaLoadError? {
    let bytes: [UInt8] =
      switch MediaType(pathExtension: url.pathExtension)?.family {
      case .movie?: Array("\0\0\0\u{18}ftypmp42\0\0\0\0mp42isom".utf8)
      case .audio?: Array("ID3\u{04}\0\0\0\0\0\0".utf8)
      default: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      }
    guard sink.receive(MediaResponseHead(status: 200)) == .proceed,
      bytes.withUnsafeBytes({ sink.receive($0) }) == .proceed
    else { return Self.refusal }
    return nil
  }
}
