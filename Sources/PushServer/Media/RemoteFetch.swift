import Foundation
import MediaLoading
import PushPayload
import Synchronization

/// The way from a URL to what is behind it: which URL is asked next, and when to stop.
struct RemoteFetch {
  /// What one server answered.
  struct Answer: Sendable {
    var redirect: String?
    var bytes: [UInt8] = []
    /// Whether all of it came.
    var isWhole = false
  }

  enum Step: Equatable {
    case follow
    case picture([UInt8])
    /// No picture; its bytes were not waited for.
    case kind(MediaType.Family)
    case nothing
  }

  /// The URL to ask; `nil` once there is nothing more to do.
  private(set) var next: URL?
  private var redirects = 0

  init(_ url: URL) { next = Self.allowed(url) }

  mutating func on(_ answer: Answer) -> Step {
    let asked = next
    next = nil
    if let redirect = answer.redirect {
      redirects += 1
      next = URL(string: redirect, relativeTo: asked).flatMap { Self.allowed($0.absoluteURL) }
      guard next != nil, redirects <= RemoteMedia.mostRedirects else {
        next = nil
        return .nothing
      }
      return .follow
    }
    guard let type = MediaType(signature: answer.bytes) else { return .nothing }
    guard type.family == .image else {
      return type.family == .other ? .nothing : .kind(type.family)
    }
    return answer.isWhole ? .picture(answer.bytes) : .nothing
  }

  /// What a phone would fetch: https alone.
  private static func allowed(_ url: URL) -> URL? {
    url.scheme?.lowercased() == "https" && !PrivateAddress.isHost(of: url) ? url : nil
  }
}

/// Takes an answer as far as it is of use: a picture whole, of the rest the beginning.
final class RemoteAnswer: MediaSink {
  private struct State {
    var answer = RemoteFetch.Answer()
    var isOver = false
    var waiting: CheckedContinuation<RemoteFetch.Answer, Never>?
  }

  /// Enough to tell every type by.
  private static let beginning = 64
  private static let most = MediaType.Family.image.maximumBytes

  private let state = Mutex(State())

  /// What has come when it is over.
  func value() async -> RemoteFetch.Answer {
    await withCheckedContinuation { continuation in
      let answer = state.withLock { state -> RemoteFetch.Answer? in
        if state.isOver { return state.answer }
        state.waiting = continuation
        return nil
      }
      if let answer { continuation.resume(returning: answer) }
    }
  }

  func receive(_ head: MediaResponseHead) -> MediaLoadDisposition {
    if [301, 302, 303, 307, 308].contains(head.status) {
      state.withLock { $0.answer.redirect = head["Location"] }
      return .stop
    }
    guard head.status == 200 else { return .stop }
    let length = head["Content-Length"].flatMap { Int($0) } ?? 0
    // A film may be longer; what it is, its beginning says.
    return length <= MediaType.Family.movie.maximumBytes ? .proceed : .stop
  }

  func receive(_ bytes: UnsafeRawBufferPointer) -> MediaLoadDisposition {
    state.withLock { state in
      guard state.answer.bytes.count + bytes.count <= Self.most else { return .stop }
      state.answer.bytes.append(contentsOf: bytes)
      guard state.answer.bytes.count >= Self.beginning else { return .proceed }
      let isPicture = MediaType(signature: state.answer.bytes)?.family == .image
      return isPicture ? .proceed : .stop
    }
  }

  func finish(_ error: MediaLoadError?) {
    let (waiting, answer) = state.withLock { state in
      state.isOver = true
      state.answer.isWhole = error == nil
      defer { state.waiting = nil }
      return (state.waiting, state.answer)
    }
    waiting?.resume(returning: answer)
  }
}
