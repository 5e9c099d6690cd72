import Foundation
import MediaLoading
import RichNotifications

/// One answer of a ``ScriptedNetwork`` on its way: a chain of scheduled pieces.
final class ScriptedTransfer: MediaLoad {
  private struct State: Sendable {
    var isOver = false
    var sent = 0
    var next: (any ScheduledWork)?
  }

  /// The size of a piece; also what is held in memory at once.
  private static let pieceSize = 16_384

  private let answer: ScriptedNetwork.Answer?
  private let url: URL
  private let sink: any MediaSink
  private let clock: any DeliveryClock
  private let bandwidth: Int?
  private let state = HostLocked(State())

  init(
    _ answer: ScriptedNetwork.Answer?, url: URL, sink: any MediaSink, clock: any DeliveryClock,
    bandwidth: Int?
  ) {
    self.answer = answer
    self.url = url
    self.sink = sink
    self.clock = clock
    self.bandwidth = bandwidth
  }

  func start(after latency: Duration) { schedule(after: latency) { $0.sendHead() } }

  func cancel() { finish(MediaLoadError(.canceled, "the load was canceled")) }

  private func sendHead() {
    guard let answer else {
      return finish(MediaLoadError(.offline, "the script has no answer for this URL"))
    }
    let length = answer.announcesLength ? Self.length(of: answer.body) : nil
    let head = MediaResponseHead(
      status: answer.status, url: answer.finalURL ?? url, mimeType: answer.mimeType,
      contentLength: length)
    guard sink.receive(head) == .proceed else { return refuse() }
    sendPiece()
  }

  private func sendPiece() {
    guard let answer, let body = answer.body else { return finish(nil) }
    let sent = state.withLock { $0.sent }
    if let limit = answer.breaksAfter, sent >= limit {
      return finish(MediaLoadError(.network, "the connection was reset"))
    }
    if let limit = answer.stallsAfter, sent >= limit { return }  // Silent until it is canceled.
    let limits = [answer.breaksAfter, answer.stallsAfter].compactMap { $0.map { $0 - sent } }
    let piece = Self.piece(of: body, at: sent, upTo: min(Self.pieceSize, limits.min() ?? .max))
    guard let piece else {
      return finish(MediaLoadError(.network, "the scripted file is unreadable"))
    }
    guard !piece.isEmpty else { return finish(nil) }
    guard piece.withUnsafeBytes(sink.receive) == .proceed else { return refuse() }
    state.withLock { $0.sent += piece.count }
    let seconds = bandwidth.map { Double(piece.count) / Double(max($0, 1)) } ?? 0
    schedule(after: .seconds(seconds)) { $0.sendPiece() }
  }

  private func refuse() { finish(MediaLoadError(.refused, "the sink refused")) }

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

  private static func length(of body: ScriptedNetwork.Body?) -> Int64? {
    switch body {
    case .bytes(let bytes): Int64(bytes.count)
    case .file(let url):
      (try? FileManager.default.attributesOfItem(atPath: url.path(percentEncoded: false))[.size]
        as? NSNumber)?.int64Value
    case .endless: nil
    case nil: 0
    }
  }

  /// `nil` where the file cannot be read; empty at the end.
  private static func piece(
    of body: ScriptedNetwork.Body, at offset: Int, upTo count: Int
  ) -> [UInt8]? {
    switch body {
    case .bytes(let bytes): return Array(bytes.dropFirst(offset).prefix(count))
    case .endless(let bytes):
      guard !bytes.isEmpty else { return [] }
      return (0..<count).map { bytes[(offset + $0) % bytes.count] }
    case .file(let url):
      guard let handle = try? FileHandle(forReadingFrom: url) else { return nil }
      defer { try? handle.close() }
      guard (try? handle.seek(toOffset: UInt64(offset))) != nil else { return nil }
      return Array((try? handle.read(upToCount: count)) ?? Data())
    }
  }
}
